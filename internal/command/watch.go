package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"paretoplay/algo/runlog"
	"paretoplay/internal/watch"
)

// watchLog implements the watch command, which serves the page for a training run's log and follows the log.
func watchLog(c *call) error {
	o := c.serveFlags()
	order := c.flags.String("names", "",
		"the losses in the order of the Gramian's rows, a comma-separated `list`; needed if a tracker lost the order")
	c.explain("Serves the page for the log of training in progress, which is a file or a tracker's folder, and follows the log.\n" +
		"The page updates its verdict and pictures, and the command prints each sentence that changes. The log may be\n" +
		"rewritten, have lines appended, or not exist yet. The log stays on this machine,\n" +
		"unless -addr gives other machines access. The command needs the source tree and the Go toolchain.")
	files, err := c.parseWithFiles()
	switch {
	case err != nil:
		return err
	case len(files) > 1:
		return fmt.Errorf("%d logs are named; watch one at a time", len(files))
	case files[0] == "-":
		return errors.New("standard input cannot be watched; name a file or a tracker's folder")
	}
	var names []string
	if c.given("names") {
		names = strings.Split(*order, ",")
	}
	follower := watch.New(files[0], names)
	o.Watched, o.Page = follower, watch.Page
	return untilInterrupted(func(ctx context.Context) error {
		ctx, cancel := context.WithCancel(ctx)
		out := &oneAtATime{w: c.stdout, begun: make(chan struct{})}
		var ends sync.WaitGroup
		ends.Go(func() { follower.Run(ctx) })
		ends.Go(func() { tellVersions(ctx, out, follower) })
		err := c.Serve(ctx, *o, out, c.stderr)
		cancel()
		ends.Wait()
		return err
	})
}

// oneAtATime is a writer that several goroutines may use concurrently. Its writes do not interleave.
type oneAtATime struct {
	mu    sync.Mutex
	w     io.Writer
	once  sync.Once
	begun chan struct{} // closed after the first write
}

func (o *oneAtATime) Write(text []byte) (int, error) {
	defer o.once.Do(func() { close(o.begun) })
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.w.Write(text)
}

// tellVersions prints the report on each version of a log until ctx ends. It starts once the page's address is printed.
// It may miss versions that appear while it analyses an earlier one.
func tellVersions(ctx context.Context, out *oneAtATime, of *watch.Follower) {
	select {
	case <-out.begun: // the page's address is printed
	case <-ctx.Done():
		return
	}
	var t teller
	v := of.Next(ctx, "")
	for ctx.Err() == nil {
		_, _ = io.WriteString(out, t.tell(of.Name(), v)) // an error could not be reported anywhere
		v = of.Next(ctx, v.Tag)
	}
}

// teller describes the changes between successive versions of a log.
type teller struct {
	log    *runlog.Log // the previous version
	report *runlog.Report
}

// tell returns the lines about a version, or "" if the log has not changed.
func (t *teller) tell(name string, v watch.Version) string {
	var b strings.Builder
	switch {
	case v.Problem != "" && v.Data == nil:
		fmt.Fprintf(&b, "waiting for %s: %s\n", name, v.Problem)
	case v.Problem != "":
		fmt.Fprintf(&b, "cannot read %s now; the page keeps the last version: %s\n", name, v.Problem)
	case v.Log == nil || v.Log == t.log: // not read yet, or readable again without a change
	default:
		t.log = v.Log
		o := runlog.NewOptions()
		o.Methods = []runlog.Choice{{Name: runlog.DefaultMethod}}
		report, err := runlog.Analyse(v.Log, o)
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", name, err)
			break
		}
		var before []runlog.Sentence
		if t.report != nil && runlog.SameRun(t.report, report) {
			before = t.report.Verdict()
		}
		t.report = report
		fmt.Fprintf(&b, "%s: %d records up to step %d, changed at %s\n", name, report.Records, report.LastStep, v.Changed.Format(time.TimeOnly))
		for _, change := range runlog.Changes(before, report.Verdict()) {
			mark := "- "
			if before != nil {
				mark = "- changed: "
			}
			wrap(&b, mark+change.Text, replayLine)
		}
	}
	return b.String()
}

package command

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paretoplay/algo/runlog"
	logs "paretoplay/algo/runlog/digits"
	"paretoplay/internal/watch"
)

// digitsUpTo returns one of the page's built-in logs, cut off after the given step.
func digitsUpTo(t *testing.T, name string, last int64) *runlog.Log {
	t.Helper()
	file, err := logs.Files.ReadFile(logs.File(name))
	if err != nil {
		t.Fatal(err)
	}
	log, err := runlog.Read(bytes.NewReader(file), runlog.NativeBytes)
	if err == nil {
		log, err = log.Between(0, last)
	}
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// TestWatchRefusals checks that watch accepts exactly one log.
func TestWatchRefusals(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "no log is named"},
		{[]string{"a.npz", "b.npz"}, "2 logs are named; watch one at a time"},
		{[]string{"-"}, "standard input cannot be watched"},
		{[]string{"run.npz", "-lessons", "x"}, "-lessons"},
	} {
		out, err, status := invoke(t, "", append([]string{"watch"}, c.args...)...)
		if status != 2 || out != "" || !strings.Contains(err, c.says) || strings.Count(err, "\n") != 1 {
			t.Errorf("%v: status %d, stdout %q, stderr %q, want %q", c.args, status, out, err, c.says)
		}
	}
}

// TestTellVersions checks that the report on the first version contains the verdict, and later reports contain the
// sentences that changed. Read errors must be printed too.
func TestTellVersions(t *testing.T) {
	at := time.Date(2026, 3, 4, 14, 2, 31, 0, time.Local)
	version := func(log *runlog.Log, problem string) watch.Version {
		return watch.Version{Data: []byte("log"), Log: log, Changed: at, Problem: problem}
	}
	short, long := digitsUpTo(t, "eight", 40), digitsUpTo(t, "eight", 1200)
	var of teller
	for _, c := range []struct {
		what      string
		v         watch.Version
		begins    string
		sentences int // lines that begin with "- "
		changed   int // number of changed sentences
	}{
		{"nothing yet", watch.Version{}, "", 0, 0},
		{"no file", watch.Version{Problem: "the file does not exist yet"}, "waiting for run.npz: the file does not exist yet\n", 0, 0},
		{"the first version", version(short, ""), "run.npz: 11 records up to step 40, changed at 14:02:31\n- What to try: ", 9, 0},
		{"the same again", version(short, ""), "", 0, 0},
		{"a broken file", version(short, "it is empty"), "cannot read run.npz now; the page keeps the last version: it is empty\n", 0, 0},
		{"more records", version(long, ""), "run.npz: 300 records up to step 1196, changed at 14:02:31\n- changed: Conflict: ", 3, 3},
		{"another run", version(short, ""), "run.npz: 11 records up to step 40, changed at 14:02:31\n- What to try: ", 9, 0},
	} {
		text := of.tell("run.npz", c.v)
		if !strings.HasPrefix(text, c.begins) || c.begins == "" && text != "" || strings.Count("\n"+text, "\n- ") != c.sentences ||
			strings.Count("\n"+text, "\n- changed: ") != c.changed {
			t.Errorf("%s:\n%s", c.what, text)
		}
	}
}

// TestWatch checks that watch serves the page and the log, prints an address that shows the log, and keeps printing the verdict
// until the program ends.
func TestWatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.npz")
	over := make(chan struct{})
	p := &Program{Serve: func(_ context.Context, o ServeOptions, stdout, _ io.Writer) error {
		if o.Address != "127.0.0.1:0" || o.Open || o.Page != "?watch#v=1&scene=log&source=data" {
			t.Errorf("it is served with %+v", o)
		}
		fmt.Fprintln(stdout, "the page is served")
		<-over
		w := httptest.NewRecorder()
		o.Watched.ServeHTTP(w, httptest.NewRequest("GET", "/watched", nil))
		if text, err := os.ReadFile(path); err != nil || w.Code != 200 || w.Body.String() != string(text) {
			t.Errorf("the answer is %d, %s (%v)", w.Code, w.Body, err)
		}
		return nil
	}}
	printed, out := io.Pipe()
	ended := make(chan int)
	go func() {
		status := p.Run([]string{"watch", path, "-addr", "127.0.0.1:0", "-names", "b,a"}, nil, out, out)
		_ = out.Close() // never fails
		ended <- status
	}()
	lines := bufio.NewScanner(printed)
	until := func(text string) {
		t.Helper()
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), text) {
				return
			}
		}
		t.Fatalf("it does not print %q", text)
	}
	if !lines.Scan() || lines.Text() != "the page is served" {
		t.Errorf("it prints first %q", lines.Text())
	}
	until("waiting for run.npz: the file does not exist yet")
	text := ""
	for k := range 3 {
		text += fmt.Sprintf(`{"step": %d, "loss/a": 1, "loss/b": 2, "gramian/0_0": 1, "gramian/0_1": -1, "gramian/1_1": 2}`+"\n", k)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	until("run.npz: 3 records up to step 2")
	until("- Conflict: 100 % of all pairs of gradients conflict on single batches; most")
	close(over)
	for lines.Scan() {
	}
	if status := <-ended; status != 0 {
		t.Errorf("it ends with status %d", status)
	}
}

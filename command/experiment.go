package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"time"

	"paretoplay/place"
	"paretoplay/scenes/exchange"
	"paretoplay/scenes/experiment"
	"paretoplay/scenes/experiment/blocksmoo"
	"paretoplay/scenes/experiment/fairness"
	"paretoplay/scenes/experiment/forumcost"
	"paretoplay/scenes/experiment/hypercleaning"
	"paretoplay/scenes/experiment/noise"
	"paretoplay/scenes/experiment/ordering"
	"paretoplay/scenes/experiment/staleness"
	"paretoplay/scenes/experiment/syn"
	"paretoplay/scenes/experiment/zdt"
)

// Experiments is every experiment of the command line.
var Experiments = []experiment.Experiment{staleness.Experiment, noise.Experiment, forumcost.Experiment, hypercleaning.Experiment,
	syn.Experiment, zdt.Experiment, fairness.Experiment, ordering.Experiment, blocksmoo.Experiment}

// FindExperiment returns the experiment of that name; the error lists those there are.
func FindExperiment(name string) (*experiment.Experiment, error) {
	var names []string
	for i := range Experiments {
		if Experiments[i].Name == name {
			return &Experiments[i], nil
		}
		names = append(names, Experiments[i].Name)
	}
	return nil, fmt.Errorf("%q is no experiment; there are: %s", name, strings.Join(names, " "))
}

func runExperiment(c *call) error {
	seeds := c.flags.Int("seeds", 1, "repetitions with other randomness")
	quick := c.flags.Bool("quick", false, "a smaller version that shows the same")
	jobs := c.flags.Int("jobs", runtime.NumCPU(), "computations at a time; the outcome does not depend on it")
	resume := c.flags.Bool("resume", false, "keep what the file of -csv already holds, and add to it as parts are done")
	dataPath := c.flags.String("data", "", "the input `file` of experiments that read one")
	var settings repeated
	c.flags.Var(&settings, "set", "how the file of -data is read, `name=value`, in experiments that take such; repeat for more")
	price := c.flags.Float64("hvpprice", 0, "what a Hessian-vector product costs in gradients, 1 to 4, in experiments that count them "+
		"(default as measured, 1)")
	kinds := []string{"csv", "svg", "json"}
	paths := c.fileFlags(kinds)
	list := "which computes one of these, named before its flags:"
	for _, e := range Experiments {
		list += fmt.Sprintf("\n  %-18s %s", e.Name, e.Title)
	}
	c.explain(list)
	name := ""
	if len(c.args) > 0 && !strings.HasPrefix(c.args[0], "-") {
		name, c.args = c.args[0], c.args[1:]
	}
	if err := c.parse(); err != nil {
		return err
	}
	e, err := FindExperiment(name)
	if err != nil {
		return err
	}
	if *seeds < 1 || *seeds > 1000 {
		return fmt.Errorf("-seeds %d: allowed is 1 to 1000", *seeds)
	}
	if *jobs < 1 || *jobs > 1024 {
		return fmt.Errorf("-jobs %d: allowed is 1 to 1024", *jobs)
	}
	if c.given("hvpprice") && !(*price >= 1 && *price <= forumcost.MostPrice) {
		return fmt.Errorf("-hvpprice %g: allowed is 1 to %d", *price, forumcost.MostPrice)
	}
	o := experiment.Options{Seeds: *seeds, Quick: *quick, Jobs: *jobs, HVPPrice: *price}
	if o.Settings, err = settings.byName(); err != nil {
		return err
	}
	if c.given("data") {
		f, err := c.open("-data", *dataPath)
		if err != nil {
			return err
		}
		defer f.Close()
		o.Data = exchange.Text(f)
	}
	for _, kind := range kinds {
		if err := c.reserve("-"+kind, *paths[kind]); err != nil {
			return err
		}
	}
	if *resume {
		if err := c.resumeFrom(&o); err != nil {
			return err
		}
	}
	if f, ok := c.stderr.(*os.File); ok && isTerminal(f) {
		begun := time.Now()
		o.Progress = func(p experiment.Progress) {
			fmt.Fprintf(f, "\r%-*s", progressWidth, progressText(p, time.Since(begun)))
		}
		defer fmt.Fprintln(f)
	}
	outcome, err := e.Run(o)
	if err != nil {
		return err
	}
	if len(c.outputs) > 0 {
		return errors.Join(c.fill("-csv", outcome.WriteCSV), c.fill("-svg", outcome.WriteSVG), c.fill("-json", outcome.WriteJSON))
	}
	if printed, ok := outcome.(experiment.Printed); ok {
		return c.print(printed.WriteText)
	}
	return c.print(outcome.WriteCSV)
}

// resumeFrom lets an experiment begin with what the file of -csv holds, and write its parts
// there as they are done.
func (c *call) resumeFrom(o *experiment.Options) error {
	table := c.output("-csv")
	if table == nil || table.file == "" {
		return errors.New("-resume needs -csv with the file to go on from")
	}
	if table.there != nil {
		data, err := readText(table.file)
		if err != nil {
			return fmt.Errorf("-resume: %w", err)
		}
		o.Resume = bytes.NewReader(data)
	}
	o.Partial = func(part experiment.Outcome) error {
		var b bytes.Buffer
		err := part.WriteCSV(&b)
		if err == nil {
			err = place.Uninterrupted(func() error { return place.Replace(table.file, b.Bytes()) })
		}
		if err != nil {
			return Fault{fmt.Errorf("-csv %s: %w", table.path, place.Cause(err))}
		}
		return nil
	}
	return nil
}

// readText reads a file of text to its end.
func readText(path string) (data []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(exchange.Text(f))
}

// progressWidth is the width of the longest progressText.
const progressWidth = len("100 %, 100 h 59 min left")

// progressText says how much of an experiment is done, and how long the rest takes.
func progressText(p experiment.Progress, elapsed time.Duration) string {
	text := fmt.Sprintf("%3.0f %%", 100*p.Done)
	if left, ok := p.Left(elapsed); ok && p.Done < 1 {
		text += ", " + roughly(left) + " left"
	}
	return text
}

// roughly rounds a time up to seconds, or from a minute on to minutes.
func roughly(d time.Duration) string {
	seconds := int(math.Ceil(d.Seconds()))
	if seconds < 60 {
		return fmt.Sprintf("%d s", seconds)
	}
	minutes := (seconds + 59) / 60
	if minutes < 60 {
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d h %d min", minutes/60, minutes%60)
}

// isTerminal reports whether a person watches the file.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

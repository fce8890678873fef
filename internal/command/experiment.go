package command

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"paretoplay/internal/atomicfile"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/study/blocksmoo"
	"paretoplay/internal/study/fairnessgrid"
	"paretoplay/internal/study/forumcost"
	"paretoplay/internal/study/hypercleaning"
	"paretoplay/internal/study/networkgrid"
	"paretoplay/internal/study/noise"
	"paretoplay/internal/study/orderinggrid"
	"paretoplay/internal/study/staleness"
	"paretoplay/internal/study/syn"
	"paretoplay/internal/study/zdt"
)

// Experiments lists every experiment that the command line offers.
var Experiments = []experiment.Experiment{staleness.Experiment, noise.Experiment, forumcost.Experiment, hypercleaning.Experiment,
	syn.Experiment, zdt.Experiment, fairnessgrid.Experiment, orderinggrid.Experiment, blocksmoo.Experiment, networkgrid.Experiment}

// FindExperiment returns the experiment with the given name. For an unknown name, the error lists the available names.
func FindExperiment(name string) (*experiment.Experiment, error) {
	var names []string
	for i := range Experiments {
		if Experiments[i].Name == name {
			return &Experiments[i], nil
		}
		names = append(names, Experiments[i].Name)
	}
	return nil, fmt.Errorf("unknown experiment %q; available: %s", name, strings.Join(names, " "))
}

type experimentFlags struct {
	seeds, jobs   *int
	seed0         *uint64
	quick, resume *bool
	data, shard   *string
	plan          *bool
	settings      repeated
	quantities    map[*experiment.Quantity]*float64
	paths         map[string]*string // files to write, by kind
	width         *string
}

// writtenKinds lists the kinds of files that the experiment command writes.
var writtenKinds = []string{"csv", "svg", "pdf", "json"}

// gridFlags declares the flags that determine which cells of a table are computed.
func (c *call) gridFlags() *experimentFlags {
	f := &experimentFlags{
		seeds:      c.flags.Int("seeds", 1, "number of seeds"),
		seed0:      c.flags.Uint64("seed0", usualSeed0, "the first `seed`; the others are the numbers after it"),
		quick:      c.flags.Bool("quick", false, "compute a smaller version with the same conclusion"),
		jobs:       c.flags.Int("jobs", runtime.NumCPU(), "number of parallel computations; it does not affect the result"),
		data:       c.flags.String("data", "", "the input `file`, for experiments that read a file"),
		quantities: map[*experiment.Quantity]*float64{},
	}
	c.flags.Var(&f.settings, "set", "set an option of this experiment, `name=value`, such as how to read the -data file; repeat for more")
	return f
}

// experimentFlags declares all flags of the experiment command.
func (c *call) experimentFlags() *experimentFlags {
	f := c.gridFlags()
	f.resume = c.flags.Bool("resume", false, "keep the rows in the -csv file, and append each further row once it is computed")
	f.plan = c.flags.Bool("plan", false, "print the number of cells and their estimated processor time; the estimate takes some seconds")
	f.shard = c.flags.String("shard", "", "compute only the part `i/n` of the cells, i from 0; merge joins the parts")
	f.paths, f.width = c.fileFlags(writtenKinds), c.widthFlag()
	list := "Computes one of these experiments, named before its flags. Add NAME -h for details, or reproduce NAME to compare the\n" +
		"table with the paper's figures:"
	for _, e := range Experiments {
		list += fmt.Sprintf("\n  %-18s %s", e.Name, e.Title)
		for _, n := range e.Quantities {
			if f.quantities[n] == nil { // several experiments may share a quantity
				f.quantities[n] = c.flags.Float64(n.Name, 0, n.Help)
			}
		}
	}
	c.explain(list)
	return f
}

// usualSeed0 and largestSeed0 are the default and the maximum of the first seed.
const usualSeed0, largestSeed0 = 1, 1_000_000_000

// options returns the options that the flags select. The caller adds the files to read.
func (f *experimentFlags) options(c *call) (o experiment.Options, err error) {
	if *f.seeds < 1 || *f.seeds > 1000 {
		return o, fmt.Errorf("-seeds %d: allowed is 1 to 1000", *f.seeds)
	}
	if *f.jobs < 1 || *f.jobs > 1024 {
		return o, fmt.Errorf("-jobs %d: allowed is 1 to 1024", *f.jobs)
	}
	o = experiment.Options{Seeds: *f.seeds, Quick: *f.quick, Jobs: *f.jobs, Quantities: map[*experiment.Quantity]float64{}}
	if *f.seed0 < 1 || *f.seed0 > largestSeed0 {
		return o, fmt.Errorf("-seed0 %d: allowed is 1 to %d", *f.seed0, largestSeed0)
	}
	if *f.seed0 != usualSeed0 {
		o.Seed0 = *f.seed0
	}
	for n, value := range f.quantities {
		if !c.given(n.Name) {
			continue
		}
		if !(*value >= n.Min && *value <= n.Max) {
			return o, fmt.Errorf("-%s %g: allowed is %g to %g", n.Name, *value, n.Min, n.Max)
		}
		o.Quantities[n] = *value
	}
	if c.given("shard") {
		if o.Shard, err = experiment.ParseShard(*f.shard); err != nil {
			return o, fmt.Errorf("-shard: %w", err)
		}
		if *f.resume {
			return o, errors.New("-shard and -resume exclude each other: a shard is always computed from the start")
		}
		if c.given("svg") || c.given("pdf") || c.given("json") {
			return o, errors.New("-shard writes only -csv; merge writes the other files")
		}
	}
	o.Settings, err = f.settings.byName()
	return o, err
}

// call returns the command line that reproduces an experiment's picture. It omits flags that do not affect the result.
func (f *experimentFlags) call(c *call, name string) string {
	text := "paretoplay experiment " + name
	c.flags.Visit(func(set *flag.Flag) {
		switch _, file := f.paths[set.Name]; {
		case file || set.Name == "jobs" || set.Name == "resume" || set.Name == "width" || set.Name == "set" ||
			set.Name == "csvlocale" || set.Name == "rows":
		case set.Name == "quick" || set.Name == "kept":
			text += " -" + set.Name
		default:
			text += " -" + set.Name + " " + set.Value.String()
		}
	})
	for _, setting := range f.settings {
		text += " -set " + setting
	}
	return text
}

func runExperiment(c *call) error {
	if len(c.args) > 0 && c.args[0] == reproduceName {
		c.args = c.args[1:]
		return c.reproduce()
	}
	f := c.experimentFlags()
	name := ""
	if len(c.args) > 0 && !strings.HasPrefix(c.args[0], "-") {
		name, c.args = c.args[0], c.args[1:]
		if e, err := FindExperiment(name); err == nil {
			c.flags.Usage = func() { c.describe(e, f) }
		}
	}
	if err := c.parse(); err != nil {
		return err
	}
	e, err := FindExperiment(name)
	if err != nil {
		return err
	}
	o, err := f.options(c)
	if err != nil {
		return err
	}
	width, err := c.printWidth(*f.width, f.paths)
	if err != nil {
		return err
	}
	closeData, err := c.openData(f, &o)
	if err != nil {
		return err
	}
	defer closeData()
	if *f.plan {
		return c.planOf(e, f, o)
	}
	if err := c.reserveAll(writtenKinds, f.paths); err != nil {
		return err
	}
	if *f.resume {
		if err := c.resumeFrom(&o, "-csv"); err != nil {
			return err
		}
	}
	outcome, err := c.compute(e, o)
	if err != nil {
		return err
	}
	if o.Shard.N > 0 {
		write := func(w io.Writer) error {
			if _, err := io.WriteString(w, shardLine(e, f, o.Shard)); err != nil {
				return err
			}
			return outcome.WriteCSV(w)
		}
		if len(c.outputs) == 0 {
			return c.print(write)
		}
		return c.fill("-csv", write)
	}
	if len(c.outputs) > 0 {
		return c.fillAll(outcome, width, axes.About{Title: e.Title, Settings: f.call(c, e.Name)})
	}
	return c.print(forPeople(outcome))
}

// openData opens the file of -data, if the flag is given, and stores it in o. It returns a function that closes the file.
func (c *call) openData(f *experimentFlags, o *experiment.Options) (closeData func(), err error) {
	if !c.given("data") {
		return func() {}, nil
	}
	file, err := c.open("-data", *f.data)
	if err != nil {
		return nil, err
	}
	o.Data, o.Remark = data.Text(file), func(text string) { c.remarks = append(c.remarks, text) }
	return func() { _ = file.Close() }, nil // closing a file after reading cannot lose data
}

// besideEachOther is the advice for a one-column sheet that is too high for a page.
var besideEachOther = fmt.Sprintf("-width %v puts the panels side by side", axes.TwoColumns)

// fillAll writes an outcome to all files that the flags name.
func (c *call) fillAll(outcome experiment.Outcome, width axes.PrintWidth, about axes.About) error {
	figure := outcome.Picture(width)
	figure.About = about
	if width == axes.OneColumn {
		c.remarkHeight(width, figure.HeightOnPaper(), besideEachOther)
	}
	return errors.Join(c.fill("-csv", outcome.WriteCSV), c.fill("-svg", figure.WriteSVG), c.fill("-pdf", figure.WritePDF),
		c.fill("-json", outcome.WriteJSON))
}

// forPeople returns a function that writes the outcome as a readable table, or as CSV if it has no readable table.
func forPeople(outcome experiment.Outcome) func(io.Writer) error {
	if printed, ok := outcome.(experiment.Printed); ok {
		return printed.WriteText
	}
	return outcome.WriteCSV
}

// describe prints an experiment's help: its default grid, its columns, its flags, and an estimate of its time. The estimate takes some
// seconds.
func (c *call) describe(e *experiment.Experiment, f *experimentFlags) {
	w := c.flags.Output()
	fmt.Fprintf(w, "Usage of %s %s: %s\n\n", c.flags.Name(), e.Name, e.Title)
	whole, err := e.Begin(experiment.Options{Seeds: 1, Jobs: 1})
	var quick experiment.Computable
	if err == nil {
		quick, err = e.Begin(experiment.Options{Seeds: 1, Jobs: 1, Quick: true})
	}
	if err != nil {
		fmt.Fprintf(w, "Cannot plan the grid: %v.\n", err)
	} else {
		size, small := whole.Size(), quick.Size()
		keys, values := whole.Columns()
		fmt.Fprintf(w, "The grid: %d cells of %d parts; with -quick %d of %d.\nColumns that identify a cell: %s.\n"+
			"Computed columns: %s.\n",
			size.Cells, size.Parts, small.Cells, small.Parts, strings.Join(keys, " "), strings.Join(values, " "))
	}
	if len(e.Settings) > 0 {
		fmt.Fprintf(w, "Names for -set: %s.\n", strings.Join(e.Settings, " "))
	}
	fmt.Fprintln(w, "\nFlags:")
	c.flagsOf(e, f, w).PrintDefaults()
	if err != nil {
		return
	}
	fmt.Fprintln(w)
	for _, one := range []struct {
		of      string
		outcome experiment.Computable
	}{{"All", whole}, {"With -quick it", quick}} {
		if estimate, err := one.outcome.Estimate(); err == nil {
			fmt.Fprintf(w, "%s takes about %s on one processor like this one.\n", one.of, roughly(estimate))
		}
	}
}

func (c *call) flagsOf(e *experiment.Experiment, f *experimentFlags, w io.Writer) *flag.FlagSet {
	own := flag.NewFlagSet("", flag.ContinueOnError)
	own.SetOutput(w)
	c.flags.VisitAll(func(one *flag.Flag) {
		for n := range f.quantities {
			if n.Name == one.Name && !slices.Contains(e.Quantities, n) {
				return
			}
		}
		if one.Name == "data" && !e.Data || one.Name == "set" && len(e.Settings) == 0 {
			return
		}
		own.Var(one.Value, one.Name, one.Usage)
		own.Lookup(one.Name).DefValue = one.DefValue
	})
	return own
}

// planOf prints the amount of work and writes no file. With -resume, it counts only the rows that the -csv file lacks.
func (c *call) planOf(e *experiment.Experiment, f *experimentFlags, o experiment.Options) error {
	for _, kind := range writtenKinds {
		if c.given(kind) && !(kind == "csv" && *f.resume) {
			return fmt.Errorf("-plan computes no table to write; leave out -%s", kind)
		}
	}
	if *f.resume {
		if err := c.reserve("-csv", *f.paths["csv"]); err != nil {
			return err
		}
		table, err := c.resumed("-csv")
		if err != nil {
			return err
		}
		if err := table.readInto(&o); err != nil {
			return err
		}
		c.outputs = nil
	}
	outcome, err := e.Left(o)
	if err != nil {
		return err
	}
	estimate, err := outcome.Estimate()
	if err != nil {
		return err
	}
	size := outcome.Size()
	return c.print(func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s: %d cells of %d parts, about %s on one processor\n", e.Name, size.Cells, size.Parts, roughly(estimate))
		return err
	})
}

// every is the time between progress lines if standard error is not a terminal.
const every = 30 * time.Second

func (c *call) compute(e *experiment.Experiment, o experiment.Options) (experiment.Outcome, error) {
	defer c.tellProgress(e.Name, &o)()
	return e.Run(o)
}

// tellProgress makes an experiment report progress until stop is called. On a terminal it reports after every part;
// otherwise it reports periodically.
func (c *call) tellProgress(name string, o *experiment.Options) (stop func()) {
	if f, ok := c.stderr.(*os.File); ok && isTerminal(f) {
		begun := time.Now()
		o.Progress = func(p experiment.Progress) {
			fmt.Fprintf(f, "\r%-*s", progressWidth, progressText(p, time.Since(begun)))
		}
		return func() { fmt.Fprintln(f) }
	}
	o.Progress, stop = tellEvery(every, c.stderr, name)
	o.Begun = o.Progress
	return stop
}

// tellEvery writes the latest progress once per period until stop is called.
func tellEvery(period time.Duration, w io.Writer, name string) (hear func(experiment.Progress), stop func()) {
	var lock sync.Mutex // guards last
	var last *experiment.Progress
	begun, ticker, ended := time.Now(), time.NewTicker(period), make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-ticker.C:
			}
			lock.Lock()
			if last != nil {
				elapsed := time.Since(begun)
				fmt.Fprintf(w, "%s: %d of %d cells, %s, after %s\n", name, last.Cells, last.AllCells,
					strings.TrimSpace(progressText(*last, elapsed)), roughly(elapsed))
			}
			lock.Unlock()
		}
	})
	hear = func(p experiment.Progress) {
		lock.Lock()
		defer lock.Unlock()
		last = &p
	}
	return hear, func() {
		ticker.Stop()
		close(ended)
		wait.Wait()
	}
}

// resumeFrom makes an experiment start from the rows in an option's file, and append each finished part to that file.
// The file stays locked until all output is written.
func (c *call) resumeFrom(o *experiment.Options, option string) error {
	table, err := c.resumed(option)
	if err != nil {
		return err
	}
	by := option // errors name the option that the user typed
	if option == "-csv" {
		by = "-resume"
	}
	unlock, err := atomicfile.Lock(table.file)
	if err != nil {
		return fmt.Errorf("%s: %s %s: %w", by, option, table.path, atomicfile.Cause(err))
	}
	// If unlocking fails, the lock ends with the process.
	c.releases = append(c.releases, func() { _ = unlock() })
	if err := table.readInto(o); err != nil {
		return err
	}
	o.Grown = func(further, again int) {
		fmt.Fprintf(c.stderr, "paretoplay experiment: %s: %s holds fewer runs; %d cells get further runs, %d are computed again\n",
			by, table.path, further, again)
	}
	o.Partial = func(part experiment.Outcome) error {
		var b bytes.Buffer
		err := part.WriteCSV(&b)
		var text []byte
		if err == nil {
			text, err = c.localised(b.Bytes())
		}
		if err == nil {
			err = atomicfile.Uninterrupted(func() error { return atomicfile.Replace(table.file, text) })
		}
		if err != nil {
			return Fault{fmt.Errorf("%s %s: %w", option, table.path, atomicfile.Cause(err))}
		}
		return nil
	}
	return nil
}

// resumed returns an option's output if an experiment can resume from the output's file.
func (c *call) resumed(option string) (*output, error) {
	table := c.output(option)
	switch {
	case table != nil && table.file != "":
		return table, nil
	case option == "-csv":
		return nil, errors.New("-resume needs a file to resume from; name it with -csv")
	}
	return nil, fmt.Errorf("%s %s: cannot resume from this; name a regular file", option,
		c.flags.Lookup(strings.TrimPrefix(option, "-")).Value)
}

// readInto reads the file's rows into the options. It does nothing if the file does not exist.
func (o *output) readInto(options *experiment.Options) error {
	data, err := readText(o.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("-resume: %w", err)
	}
	options.Resume = bytes.NewReader(data)
	return nil
}

func readText(path string) (text []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(data.Text(f))
}

// progressWidth is the length of the longest progressText.
const progressWidth = len("100 %, 100 h 59 min left")

// progressText describes how much of an experiment is finished and how much time is left.
func progressText(p experiment.Progress, elapsed time.Duration) string {
	text := fmt.Sprintf("%3.0f %%", 100*p.Done)
	if left, ok := p.Left(elapsed); ok && p.Done < 1 {
		text += ", " + roughly(left) + " left"
	}
	return text
}

// roughly formats a duration, rounded up, in seconds, in minutes, or in hours and minutes.
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

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

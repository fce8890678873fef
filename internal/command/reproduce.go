package command

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"paretoplay/docs"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/study/claims"
)

// reproduceName comes before the name of an experiment that is compared with its paper.
const reproduceName = "reproduce"

// fewRuns is the number of runs below which Student's quantile exceeds 2.5, so that intervals are wide.
const fewRuns = 6

// reproducedKinds lists the kinds of files that reproduce writes, in the order of their flags.
var reproducedKinds = []string{"markdown", "csv", "json", "svg", "pdf"}

// reproduce computes an experiment, or reads rows that were computed before, and compares it with its paper's figures.
func (c *call) reproduce() error {
	f := c.gridFlags()
	f.paths, f.width = c.fileFlags(reproducedKinds), c.widthFlag()
	c.flags.Lookup("markdown").Usage = "write a table in Markdown to this `file`, - for standard output"
	rows := c.flags.String("rows", "", "the experiment's table, as written by experiment -csv: keep the rows in this `file`, "+
		"compute the missing ones, and add them to it")
	kept := c.flags.Bool("kept", false, "use the program's kept table of a long experiment instead of computing it")
	c.flags.Usage = func() {
		var b strings.Builder
		const width = 120
		wrap(&b, fmt.Sprintf("Usage of %s %s NAME, which computes a paper's table anew and puts the published figures, each with its place in "+
			"the paper, beside ours with their intervals and a verdict. It says first how many runs there are and how long they take.",
			c.flags.Name(), reproduceName), width)
		b.WriteByte('\n')
		wrap(&b, claims.JudgedBy, width)
		b.WriteString("\nNAME is one of:\n")
		for _, e := range Experiments {
			fmt.Fprintf(&b, "  %-18s %s\n", e.Name, e.Title)
		}
		fmt.Fprintf(c.flags.Output(), "%s\nFlags:\n", b.String())
		c.flags.PrintDefaults()
	}
	name := ""
	if len(c.args) > 0 && !strings.HasPrefix(c.args[0], "-") {
		name, c.args = c.args[0], c.args[1:]
	}
	if err := c.parse(); err != nil {
		return err
	}
	e, err := FindExperiment(name)
	if err == nil {
		err = claims.CanReproduce(name)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", reproduceName, err)
	}
	width, err := c.printWidth(*f.width, f.paths)
	if err != nil {
		return err
	}
	if *kept && c.given("rows") {
		return errors.New("-kept and -rows exclude each other: each names a table to start from")
	}
	var table []byte
	if *kept {
		if table, err = c.keptTable(e.Name, f); err != nil {
			return err
		}
	}
	o, err := f.options(c)
	if err != nil {
		return err
	}
	closeData, err := c.openData(f, &o)
	if err != nil {
		return err
	}
	defer closeData()
	if err := errors.Join(c.reserveAll(reproducedKinds, f.paths), c.reserve("-rows", *rows)); err != nil {
		return err
	}
	source := "-rows " + *rows
	switch {
	case *kept:
		o.Resume, source = bytes.NewReader(table), "-kept: the program’s table"
	case c.given("rows"):
		if err := c.resumeFrom(&o, "-rows"); err != nil {
			return err
		}
	}
	outcome, err := c.computeLeft(e, o, source)
	if err != nil {
		return err
	}
	result, err := claims.Reproduce(e.Name, outcome, o.Quick)
	if err != nil {
		return Fault{err}
	}
	figure := result.Picture(width)
	figure.About = axes.About{
		Title: fmt.Sprintf("%s: the paper on %s beside ours", e.Name, result.Paper), Settings: f.call(c, reproduceName+" "+e.Name),
	}
	advice := "-markdown FILE holds the same lines as text"
	if width == axes.OneColumn {
		advice = besideEachOther
	}
	c.remarkHeight(width, figure.HeightOnPaper(), advice)
	err = errors.Join(c.fill("-rows", outcome.WriteCSV), c.fill("-markdown", result.WriteMarkdown), c.fill("-csv", result.WriteCSV),
		c.fill("-json", result.WriteJSON), c.fill("-svg", figure.WriteSVG), c.fill("-pdf", figure.WritePDF))
	for _, kind := range reproducedKinds {
		if c.given(kind) {
			return err
		}
	}
	return errors.Join(err, c.print(result.WriteText))
}

// keptTable returns the program's own table of an experiment. It sets -seeds to the table's if the flag is not given.
func (c *call) keptTable(name string, f *experimentFlags) ([]byte, error) {
	file, seeds, ok := claims.KeptTable(name, *f.quick)
	form := ""
	if *f.quick {
		form = " with -quick"
	}
	switch {
	case !ok:
		return nil, fmt.Errorf("-kept: the program keeps no table of %s%s; compute it, and keep it with -rows FILE", name, form)
	case c.given("data") || len(f.settings) > 0:
		return nil, errors.New("-kept: the program keeps no table of your own data; compute it, and keep it with -rows FILE")
	case !c.given("seeds"):
		*f.seeds = seeds
	}
	return fs.ReadFile(docs.Tables, file)
}

// computeLeft prints how much of an experiment is left to compute and how long that takes, and computes it. source names the rows
// computed before, for errors.
func (c *call) computeLeft(e *experiment.Experiment, o experiment.Options, source string) (experiment.Computable, error) {
	outcome, err := e.Begin(o)
	if err != nil {
		return nil, err
	}
	if o.Resume != nil {
		if err := experiment.TakeOver(outcome, o.Resume); err != nil {
			return nil, fmt.Errorf("%s is not a table of %s with these flags: %w", source, e.Name, err)
		}
	}
	estimate, err := outcome.Estimate()
	if err != nil {
		return nil, err
	}
	size := outcome.Size()
	first := o.First(usualSeed0)
	say := func(format string, values ...any) {
		fmt.Fprintln(c.stderr, inOneLine(fmt.Sprintf("paretoplay experiment: "+reproduceName+" "+e.Name+": "+format, values...)))
	}
	what := fmt.Sprintf("%d runs of each cell, from seed %d", outcome.Runs(), first)
	if outcome.Runs() < fewRuns {
		what += ", too few to tell much (-seeds adds more)"
	}
	if size.Cells == 0 {
		say("%s; all are there, nothing is left to compute", what)
		return outcome, nil
	}
	say("%s; %d cells of %d parts to compute, about %s of one processor", what, size.Cells, size.Parts, roughly(estimate))
	defer c.tellProgress(e.Name, &o)()
	return outcome, experiment.Finish(outcome, o)
}

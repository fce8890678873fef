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

// reproduceName is the argument that precedes the name of an experiment to compare with its paper.
const reproduceName = "reproduce"

// fewRuns is the number of runs below which intervals are wide, because Student's quantile then exceeds 2.5.
const fewRuns = 6

// reproducedKinds lists the kinds of files that reproduce writes, in the order of their flags.
var reproducedKinds = []string{"markdown", "csv", "json", "svg", "pdf"}

// reproduce computes an experiment, or reads previously computed rows, and compares the result with the paper's figures.
func (c *call) reproduce() error {
	f := c.gridFlags()
	f.paths, f.width = c.fileFlags(reproducedKinds), c.widthFlag()
	c.flags.Lookup("markdown").Usage = "write a table in Markdown to this `file`, - for standard output"
	rows := c.flags.String("rows", "", "a `file` with the experiment's table, as written by experiment -csv: keep its rows, "+
		"compute the missing ones, and append them")
	kept := c.flags.Bool("kept", false, "use the program's stored table of a long experiment instead of computing the table")
	c.flags.Usage = func() {
		var b strings.Builder
		const width = 120
		wrap(&b, fmt.Sprintf("Usage of %s %s NAME: recomputes a paper's table and compares it with the published figures. For each figure it "+
			"prints the place in the paper, our result with its interval, and a verdict. First it prints the number of runs and their time.",
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
		return errors.New("-kept and -rows exclude each other: each selects a table to start from")
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
		o.Resume, source = bytes.NewReader(table), "-kept: the program’s stored table"
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
	advice := "-markdown FILE writes the same lines as text"
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

// keptTable returns the table that the program contains for an experiment. If -seeds is not given, keptTable sets the
// number of seeds to that of the table.
func (c *call) keptTable(name string, f *experimentFlags) ([]byte, error) {
	file, seeds, ok := claims.KeptTable(name, *f.quick)
	form := ""
	if *f.quick {
		form = " with -quick"
	}
	switch {
	case !ok:
		return nil, fmt.Errorf("-kept: the program has no stored table of %s%s; compute the table and store it with -rows FILE", name, form)
	case c.given("data") || len(f.settings) > 0:
		return nil, errors.New("-kept: the program has no stored table of your data; compute the table and store it with -rows FILE")
	case !c.given("seeds"):
		*f.seeds = seeds
	}
	return fs.ReadFile(docs.Tables, file)
}

// computeLeft prints the amount and the expected time of an experiment's remaining work, and then does this work.
// source names the previously computed rows in errors.
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
		what += ", too few for narrow intervals (-seeds adds more)"
	}
	if size.Cells == 0 {
		say("%s; all cells are computed, nothing is left to do", what)
		return outcome, nil
	}
	say("%s; %d cells of %d parts to compute, about %s on one processor", what, size.Cells, size.Parts, roughly(estimate))
	defer c.tellProgress(e.Name, &o)()
	return outcome, experiment.Finish(outcome, o)
}

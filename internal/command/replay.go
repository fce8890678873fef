package command

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"paretoplay/algo/runlog"
	"paretoplay/internal/atomicfile"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/data"
	logscene "paretoplay/scenes/traininglog"
)

// replayKinds lists the kinds of files that replay writes: the report in three formats, and a program that tries the
// verdict's advice.
var replayKinds = []string{"json", "csv", "svg", trialKind}

const trialKind = "trial"

// drawnBytes is the maximum size, in bytes, of a picture's copy of the records.
const drawnBytes = 512 << 20

// replayLine is the maximum line length of the verdict, in characters.
const replayLine = 79

func replay(c *call) error {
	methods := c.flags.String("method", runlog.DefaultMethod, "a comma-separated `list` of "+strings.Join(runlog.Methods(), " ")+
		", or all; the verdict describes the first method that can use the log")
	var settings repeated
	c.flags.Var(&settings, "set", "set a parameter of a method, `method.name=value`, such as ls.weights=0.2,0.8; repeat for more")
	periods := c.flags.String("periods", listOf(runlog.DefaultPeriods),
		"a comma-separated `list` of periods R: a method computes its weights at every R-th record")
	window := c.flags.Int("window", runlog.DefaultWindow, "number of `records` to average, to distinguish conflict from noise")
	bound := c.flags.Float64("bound", runlog.DefaultBound,
		"maximum additional `share` of the records at which old weights may hurt an objective")
	from := c.flags.String("from", "", "the first `step` to analyse (default: the log's first)")
	to := c.flags.String("to", "", "the last `step` to analyse (default: the log's last)")
	order := c.flags.String("names", "",
		"the losses in the order of the Gramian's rows, a comma-separated `list`; needed if a tracker lost the order")
	paths := c.fileFlags(slices.DeleteFunc(slices.Clone(replayKinds), func(kind string) bool { return kind == trialKind }))
	paths[trialKind] = c.flags.String(trialKind, "",
		"write a Python program to this `file` that tries the verdict's advice on a copy of the training, - for standard output")
	c.explain(fmt.Sprintf("Analyses the log of a training run, which is a file, a tracker's folder or - for standard input. It reports\n"+
		"which objectives hinder each other, whether a method would help, and how often to compute its weights.\n"+
		"A log is an npz of numpy, JSON lines, an npy of Gramians, or a tracker's record of loss/NAME and gramian/i_j,\n"+
		"with at most %d records of %d objectives and %d MB. Several files are parts of one resumed run.",
		runlog.MaxRecords, runlog.MaxObjectives, runlog.NativeBytes>>20))
	files, err := c.parseWithFiles()
	if err != nil {
		return err
	}
	o := runlog.Options{Window: *window, Bound: *bound, Series: *paths["svg"] != ""}
	if o.Window < 1 {
		return fmt.Errorf("-window %d: expected a whole number of at least 1", o.Window)
	}
	if o.Methods, err = replayMethods(*methods, settings); err != nil {
		return err
	}
	if o.Periods, err = replayPeriods(*periods); err != nil {
		return err
	}
	first, err := c.step("from", *from, math.MinInt64)
	if err != nil {
		return err
	}
	last, err := c.step("to", *to, math.MaxInt64)
	if err != nil {
		return err
	}
	log, err := c.readLog(files, *order)
	if err == nil {
		log, err = log.Between(first, last)
	}
	if err != nil {
		return err
	}
	if err := c.reserveAll(replayKinds, paths); err != nil {
		return err
	}
	if o.Series {
		if err := checkDrawn(log, len(o.Methods)); err != nil {
			return err
		}
	}
	report, err := runlog.Analyse(log, o)
	if err != nil {
		return err
	}
	if len(c.outputs) == 0 {
		return c.print(func(w io.Writer) error { return writeVerdict(w, report, log.Ignored()) })
	}
	return errors.Join(
		c.fill("-json", func(w io.Writer) error {
			return json.NewEncoder(w).Encode(report.Told())
		}),
		c.fill("-csv", func(w io.Writer) error { return writeReplayCSV(w, report) }),
		c.fill("-"+trialKind, func(w io.Writer) error {
			_, err := io.WriteString(w, report.Trial())
			return err
		}),
		c.fill("-svg", func(w io.Writer) error {
			about := axes.About{Title: headline(report), Settings: "paretoplay replay " + strings.Join(c.understood(files), " ")}
			return logscene.Sheet(log, report, about).WriteSVG(w)
		}))
}

// checkDrawn returns an error if a picture's copy of the records, with the given number of methods, would exceed
// drawnBytes.
func checkDrawn(log *runlog.Log, methods int) error {
	perRecord := (methods + 1) * (log.Objectives() + 2) * 8
	if most := drawnBytes / perRecord; log.Records() > most {
		return fmt.Errorf("-svg: a picture of %d methods and %d objectives can show at most %d records, not %d; name fewer methods, "+
			"or select a part of the log with -from and -to", methods, log.Objectives(), most, log.Records())
	}
	return nil
}

// understood returns the names of the log's files and the flags that affect the log's picture, as words of a command
// line.
func (c *call) understood(files []string) []string {
	var out []string
	for _, path := range files {
		out = append(out, filepath.Base(path))
	}
	c.flags.Visit(func(f *flag.Flag) {
		if r, is := f.Value.(*repeated); is {
			for _, text := range *r {
				out = append(out, "-"+f.Name, text)
			}
			return
		}
		if !slices.Contains(replayKinds, f.Name) && f.Name != "csvlocale" {
			out = append(out, "-"+f.Name, f.Value.String())
		}
	})
	return out
}

func headline(r *runlog.Report) string {
	return fmt.Sprintf("%d records of %d objectives, steps %d to %d", r.Records, r.Objectives, r.FirstStep, r.LastStep)
}

// parseWithFiles parses the flags and returns the files named before or after them.
func (c *call) parseWithFiles() ([]string, error) {
	var files []string
	for len(c.args) > 0 && (!strings.HasPrefix(c.args[0], "-") || c.args[0] == "-") {
		files, c.args = append(files, c.args[0]), c.args[1:]
	}
	if err := parseOnce(c.flags, c.args); err != nil {
		return nil, err
	}
	files = append(files, c.flags.Args()...)
	for i, path := range files {
		switch {
		case strings.HasPrefix(path, "-") && path != "-":
			return nil, fmt.Errorf("unexpected argument %q: put flags before or after all files", path)
		case slices.Contains(files[:i], path):
			return nil, fmt.Errorf("%s: the log is named twice", path)
		}
	}
	if len(files) == 0 {
		return nil, errors.New("no log is named; name a file, or - for standard input, before the flags")
	}
	return files, nil
}

// readLog reads a log from one or more files. order names the losses in the order of the Gramian's rows; it may be
// empty.
func (c *call) readLog(paths []string, order string) (*runlog.Log, error) {
	var names []string
	if c.given("names") {
		names = strings.Split(order, ",")
	}
	var parts []runlog.Part
	for _, path := range paths {
		if path == "-" {
			part := runlog.Part{File: c.stdin}
			if len(paths) > 1 {
				part.Name = "standard input"
			}
			parts = append(parts, part)
			continue
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			parts = append(parts, runlog.Part{Name: path, Folder: os.DirFS(path)})
			continue
		}
		f, err := c.open("the log", path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		parts = append(parts, runlog.FilePart(path, f))
	}
	log, err := runlog.ReadParts(parts, names, runlog.NativeBytes)
	return log, atomicfile.Cause(err)
}

// replayMethods returns the methods of a comma-separated list, with their settings.
func replayMethods(list string, settings repeated) ([]runlog.Choice, error) {
	var out []runlog.Choice
	if list == "all" {
		out = runlog.All()
	} else {
		for name := range strings.SplitSeq(list, ",") {
			name = strings.TrimSpace(name)
			if !slices.Contains(runlog.Methods(), name) {
				return nil, fmt.Errorf("-method: unknown method %q; available: %s all", name, strings.Join(runlog.Methods(), " "))
			}
			if slices.ContainsFunc(out, func(c runlog.Choice) bool { return c.Name == name }) {
				return nil, fmt.Errorf("-method: %s is given twice", name)
			}
			out = append(out, runlog.Choice{Name: name})
		}
	}
	values, err := settings.split()
	if err != nil {
		return nil, err
	}
	for _, v := range values {
		method, parameter, ok := strings.Cut(v.Name, ".")
		i := slices.IndexFunc(out, func(c runlog.Choice) bool { return c.Name == method })
		if !ok || i < 0 {
			return nil, fmt.Errorf("-set %s=%s: expected method.parameter as the name, with a method of -method", v.Name, v.Text)
		}
		out[i].Settings = append(out[i].Settings, parameter+"="+v.Text)
	}
	return out, nil
}

// step parses a flag's step number. It returns usual if the flag is not given.
func (c *call) step(flag, text string, usual int64) (int64, error) {
	if !c.given(flag) {
		return usual, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("-%s %q: expected a step number, which is whole", flag, text)
	}
	return n, nil
}

func replayPeriods(list string) ([]int, error) {
	var out []int
	for field := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || n < 1 || n > runlog.MaxRecords {
			return nil, fmt.Errorf("-periods: %q is not a whole number from 1 to %d", field, runlog.MaxRecords)
		}
		out = append(out, n)
	}
	return out, nil
}

func listOf(numbers []int) string {
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, ",")
}

// writeVerdict writes a log's verdict as text that fits on one screen.
func writeVerdict(w io.Writer, r *runlog.Report, ignored []string) error {
	const limit, maxAbsent = 3, 1
	var b strings.Builder
	head := headline(r)
	if names := strings.Join(r.Names, ", "); utf8.RuneCountInString(head+names) < replayLine-2 {
		head += ": " + names
	}
	paragraphs := []string{head + "."}
	if len(ignored) > 0 {
		text := strings.Join(ignored[:min(limit, len(ignored))], ", ")
		if more := len(ignored) - limit; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		paragraphs = append(paragraphs, "Ignored, because a log has no such arrays: "+text+".")
	}
	paragraphs = append(paragraphs, r.Remarks()...)
	for _, s := range r.Verdict() {
		paragraphs = append(paragraphs, "- "+s.Text)
	}
	switch {
	case len(r.Absent) > maxAbsent:
		paragraphs = append(paragraphs, fmt.Sprintf("%d methods cannot use this log; -json lists the reasons.", len(r.Absent)))
	case len(r.Methods) > 0: // if the report has no methods, the verdict already says why
		for _, a := range r.Absent {
			paragraphs = append(paragraphs, fmt.Sprintf("%s is absent: %s.", a.Method, a.Why))
		}
	}
	for _, p := range append(paragraphs, runlog.Limits) {
		wrap(&b, p, replayLine)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// noBreak is the no-break space, for percentages and equations.
const noBreak = "\u00a0"

var together = strings.NewReplacer(" %", noBreak+"%", " = ", noBreak+"="+noBreak)

// wrap writes a paragraph in lines of at most width characters. If the paragraph starts with a dash, it indents all lines
// after the first.
func wrap(b *strings.Builder, text string, width int) {
	indent := ""
	if strings.HasPrefix(text, "- ") {
		indent = "  "
	}
	used := 0
	for word := range strings.SplitSeq(together.Replace(text), " ") {
		word = strings.ReplaceAll(word, noBreak, " ")
		n := utf8.RuneCountInString(word)
		switch {
		case used == 0:
		case used+1+n > width:
			b.WriteString("\n" + indent)
			used = len(indent)
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	b.WriteByte('\n')
}

// writeReplayCSV writes one row for equal weights. For each method it writes one row per R and one row for fixed weights.
func writeReplayCSV(w io.Writer, r *runlog.Report) error {
	rows := [][]string{{"method", "weights", "R", "hurt", "harm", "independent", "backprops"}}
	known := func(v *float64) string {
		if v == nil {
			return ""
		}
		return data.Real(*v)
	}
	add := func(method, kind, period string, f runlog.Figures, independent *float64, backprops float64) {
		rows = append(rows, []string{method, kind, period, data.Real(f.Hurt), data.Real(f.Harm), known(independent), data.Real(backprops)})
	}
	add("equal", "fixed", "", r.Equal.Figures, r.Equal.Independent, 1)
	for _, m := range r.Methods {
		for _, s := range m.Stale {
			independent := m.Independent
			if s.R > 1 {
				independent = nil
			}
			add(m.Name, "computed", strconv.Itoa(s.R), s.Figures, independent, s.Backprops)
		}
		if m.Fixed != nil {
			add(m.Name, "fixed", "", *m.Fixed, nil, 1)
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

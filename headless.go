package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"paretoplay/scenes"
	"paretoplay/scenes/exchange"
	"paretoplay/scenes/session"
)

// headlessCommands run scenes and algorithms without a browser.
var headlessCommands = map[string]func(*call) error{
	"scenes":      listScenes,
	"run":         runScene,
	"weigh":       weigh,
	"hypervolume": hypervolume,
	"experiment":  runExperiment,
}

// call is one command line under way. What it writes is kept back until it has
// succeeded, so that bad input leaves nothing on standard output.
type call struct {
	flags  *flag.FlagSet
	args   []string
	stdin  io.Reader
	stderr io.Writer
	files  []outputFile
}

type outputFile struct {
	path string // "-" for standard output
	data []byte
}

// fault is an error of ours, not of the input.
type fault struct{ error }

// headless runs one of headlessCommands and returns the exit status: 2 for bad
// input, 1 for a fault of ours, each with one line on stderr.
func headless(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	command, ok := headlessCommands[args[0]]
	if !ok {
		fmt.Fprintf(stderr, "paretoplay: %q is no command; paretoplay help lists them\n", args[0])
		return 2
	}
	c := &call{flags: flag.NewFlagSet("paretoplay "+args[0], flag.ContinueOnError), args: args[1:], stdin: stdin, stderr: stderr}
	c.flags.SetOutput(io.Discard)
	err := command(c)
	if err == nil {
		err = c.write(stdout)
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		c.flags.SetOutput(stdout)
		c.flags.Usage()
		return 0
	}
	fmt.Fprintf(stderr, "paretoplay %s: %s\n", args[0], strings.ReplaceAll(err.Error(), "\n", "; "))
	if f := (fault{}); errors.As(err, &f) {
		return 1
	}
	return 2
}

// parse reads the flags; words besides them are an error.
func (c *call) parse() error {
	if err := c.flags.Parse(c.args); err != nil {
		return err
	}
	if c.flags.NArg() > 0 {
		return fmt.Errorf("%q is not understood here", c.flags.Arg(0))
	}
	return nil
}

// out keeps what f writes for the path; "" asks for nothing.
func (c *call) out(path string, f func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	var b bytes.Buffer
	if err := f(&b); err != nil {
		return err
	}
	c.files = append(c.files, outputFile{path, b.Bytes()})
	return nil
}

// write writes the files, and then standard output: a file that cannot be
// written leaves nothing there.
func (c *call) write(stdout io.Writer) error {
	for _, f := range c.files {
		if f.path == "-" {
			continue
		}
		if err := os.WriteFile(f.path, f.data, 0o666); err != nil {
			return err
		}
	}
	for _, f := range c.files {
		if f.path != "-" {
			continue
		}
		if _, err := stdout.Write(f.data); err != nil {
			return fault{err}
		}
	}
	return nil
}

// repeated collects the values of a flag that may be given several times.
type repeated []string

func (r *repeated) String() string { return strings.Join(*r, " ") }

func (r *repeated) Set(v string) error {
	*r = append(*r, v)
	return nil
}

// split turns name=value into its parts.
func (r repeated) split() ([]session.Value, error) {
	var out []session.Value
	for _, s := range r {
		name, text, ok := strings.Cut(s, "=")
		if !ok {
			return nil, fmt.Errorf("-set %s: it has the form name=value", s)
		}
		out = append(out, session.Value{Name: name, Text: text})
	}
	return out, nil
}

func listScenes(c *call) error {
	if err := c.parse(); err != nil {
		return err
	}
	return c.out("-", func(w io.Writer) error {
		data, err := session.CatalogJSON(scenes.All)
		if err != nil {
			return fault{err}
		}
		var b bytes.Buffer
		if err := json.Indent(&b, data, "", "  "); err != nil {
			return fault{err}
		}
		b.WriteByte('\n')
		_, err = w.Write(b.Bytes())
		return err
	})
}

func runScene(c *call) error {
	var settings, starts repeated
	scene := c.flags.String("scene", "", "the scene; `name` as listed by scenes")
	c.flags.Var(&settings, "set", "a parameter, `name=value`; repeat for more")
	c.flags.Var(&starts, "start", "a start point, `x1,x2,...`; repeat for more; replaces the random ones")
	data := c.flags.String("data", "", "the data that the scene shows, from this `file`: for lab a Jacobian, one gradient a row, as CSV or "+
		"JSON")
	steps := c.flags.Int("steps", 0, "iterations; overrides the parameter budget")
	every := c.flags.Int("every", 1, "write every `n`-th iteration and the last")
	theme := c.flags.String("theme", "light", "of pictures: light or dark")
	only := c.flags.String("panel", "", "draw this panel alone")
	paths := map[string]*string{}
	for _, kind := range []string{"json", "csv", "svg", "png", "pdf"} {
		paths[kind] = c.flags.String(kind, "", "write "+strings.ToUpper(kind)+" to this `file`, - for standard output")
	}
	c.flags.Usage = func() {
		fmt.Fprintf(c.flags.Output(), "Usage of %s:\n", c.flags.Name())
		c.flags.PrintDefaults()
		fmt.Fprintln(c.flags.Output(), "Examples:\n"+
			"  paretoplay run -scene fonseca -set R=4 -start 0.5,-0.5 -steps 200 -json -\n"+
			"  paretoplay run -scene lab -data jacobian.csv -png lab.png")
	}
	if err := c.parse(); err != nil {
		return err
	}
	if *scene == "" {
		_, err := scenes.All.Find("")
		return fmt.Errorf("-scene is missing: %w", err)
	}
	if *every < 1 {
		return fmt.Errorf("-every %d: it is at least 1", *every)
	}
	values, err := settings.split()
	if err != nil {
		return err
	}
	given := map[string]bool{}
	c.flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if given["steps"] {
		values = append(values, session.Value{Name: "budget", Text: fmt.Sprint(*steps)})
	}
	s, err := session.NewConfigured(scenes.All, *scene, values)
	if err != nil {
		return err
	}
	if len(starts) > 0 {
		if err := s.SetStarts(starts); err != nil {
			return err
		}
	}
	if given["data"] {
		if err := showFile(s, *data, values); err != nil {
			return fmt.Errorf("-data %s: %w", *data, err)
		}
	}
	if err := s.SetTheme(*theme); err != nil {
		return err
	}
	if err := s.Finish(); err != nil {
		return fault{err}
	}
	wanted := false
	for _, kind := range []string{"json", "csv", "svg", "png", "pdf"} {
		wanted = wanted || *paths[kind] != ""
		err := c.out(*paths[kind], func(w io.Writer) error {
			switch kind {
			case "json":
				return s.WriteJSON(w, *every)
			case "csv":
				return s.WriteCSV(w, *every)
			}
			f, err := s.Export(kind, *only)
			if err != nil {
				return err
			}
			_, err = w.Write(f.Data)
			return err
		})
		if err != nil {
			return err
		}
	}
	if wanted {
		return nil
	}
	return c.out("-", func(w io.Writer) error { return writeReadout(w, s) })
}

// showFile lets the scene show the data in a file.
func showFile(s *session.Session, path string, values []session.Value) error {
	f, err := os.Open(path)
	if err != nil {
		return innermost(err)
	}
	defer f.Close()
	return s.ShowData(f, values)
}

// writeReadout prints where the runs ended, when no file is asked for.
func writeReadout(w io.Writer, s *session.Session) error {
	table := s.Readout()
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(out, "run")
	for _, column := range table.Columns {
		name := column.Symbol
		if name == "" {
			name = column.Label
		}
		fmt.Fprint(out, "\t", name)
	}
	fmt.Fprintln(out)
	for _, row := range table.Rows {
		name := row.Run
		if name == "" { // a scene without runs
			name = row.Method
		}
		fmt.Fprintln(out, name+"\t"+strings.Join(row.Cells, "\t"))
	}
	return out.Flush()
}

func weigh(c *call) error {
	method := c.flags.String("method", "", "one of "+strings.Join(exchange.WeighMethods(), " ")+", or all")
	var settings repeated
	c.flags.Var(&settings, "set", "a parameter of the method, `name=value`; repeat for more")
	if err := c.parse(); err != nil {
		return err
	}
	if *method == "" {
		return fmt.Errorf("-method is missing; there are: %s all", strings.Join(exchange.WeighMethods(), " "))
	}
	values, err := settings.split()
	if err != nil {
		return err
	}
	byName := map[string]string{}
	for _, v := range values {
		byName[v.Name] = v.Text
	}
	in, err := exchange.ReadWeigh(c.stdin)
	if err != nil {
		return err
	}
	if *method != "all" {
		result, err := exchange.Weigh(*method, byName, in)
		if err != nil {
			return err
		}
		return c.out("-", func(w io.Writer) error { return json.NewEncoder(w).Encode(result) })
	}
	if len(byName) > 0 {
		return errors.New("-set belongs to one method, not to all")
	}
	list, err := exchange.WeighAll(in)
	if err != nil {
		return err
	}
	return c.out("-", func(w io.Writer) error { return json.NewEncoder(w).Encode(list) })
}

func hypervolume(c *call) error {
	if err := c.parse(); err != nil {
		return err
	}
	v, err := exchange.Hypervolume(c.stdin)
	if err != nil {
		return err
	}
	return c.out("-", func(w io.Writer) error { return json.NewEncoder(w).Encode(map[string]float64{"hypervolume": v}) })
}

// replaceFile writes a file whole or not at all.
func replaceFile(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	next := path + ".part"
	if err := os.WriteFile(next, b.Bytes(), 0o666); err != nil {
		return err
	}
	return os.Rename(next, path)
}

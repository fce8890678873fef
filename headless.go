package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
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
	"transport":   solveTransport,
	"hypervolume": hypervolume,
	"experiment":  runExperiment,
	"claims":      testClaims,
	"lessons":     tryLessons,
	"licences":    printLicences,
}

// call is one command line under way. What it writes is kept back until it has
// succeeded, so that bad input leaves nothing on standard output.
type call struct {
	flags          *flag.FlagSet
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
	inputs         []input
	outputs        []*output
}

// input is a file that a command reads.
type input struct {
	option string // that names it
	info   os.FileInfo
}

// fault is an error of ours, not of the input.
type fault struct{ error }

// headless runs one of headlessCommands and returns the exit status: 2 for bad
// input, 1 for a fault of ours, each with one line on stderr.
func headless(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	command, ok := headlessCommands[args[0]]
	if !ok {
		fmt.Fprintln(stderr, inOneLine(fmt.Sprintf("paretoplay: %q is no command; paretoplay help lists them", args[0])))
		return 2
	}
	flags := flag.NewFlagSet("paretoplay "+args[0], flag.ContinueOnError)
	c := &call{flags: flags, args: args[1:], stdin: stdin, stdout: stdout, stderr: stderr}
	c.flags.SetOutput(io.Discard)
	err := command(c)
	if err == nil {
		if err = c.write(); err != nil {
			err = fault{err}
		}
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		c.flags.SetOutput(stdout)
		c.flags.Usage()
		return 0
	}
	fmt.Fprintln(stderr, inOneLine(fmt.Sprintf("paretoplay %s: %v", args[0], err)))
	if f := (fault{}); errors.As(err, &f) {
		return 1
	}
	return 2
}

// parse reads the flags; words besides them are an error.
func (c *call) parse() error {
	if err := parseOnce(c.flags, c.args); err != nil {
		return err
	}
	if c.flags.NArg() > 0 {
		return fmt.Errorf("%q is not understood here", c.flags.Arg(0))
	}
	return nil
}

// explain makes what -h says of a command: its name, what it does, and its flags.
func (c *call) explain(does string) {
	c.flags.Usage = func() {
		fmt.Fprintf(c.flags.Output(), "Usage of %s, %s\n", c.flags.Name(), does)
		c.flags.PrintDefaults()
	}
}

// given reports whether the flag is on the command line.
func (c *call) given(name string) bool {
	found := false
	c.flags.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

// open opens the file that an option names for reading.
func (c *call) open(option, path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", option, path, cause(err))
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("it is a folder")
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", option, path, errors.Join(cause(err), f.Close()))
	}
	c.inputs = append(c.inputs, input{option, info})
	return f, nil
}

// repeated collects the values of a flag that may be given several times.
type repeated []string

func (r *repeated) String() string { return strings.Join(*r, " ") }

func (r *repeated) Set(v string) error {
	*r = append(*r, v)
	return nil
}

// split turns name=value into its parts. A name that stands twice is an error: the second
// would silently replace the first.
func (r repeated) split() ([]session.Value, error) {
	var out []session.Value
	given := map[string]bool{}
	for _, s := range r {
		name, text, ok := strings.Cut(s, "=")
		if !ok {
			return nil, fmt.Errorf("-set %s: it has the form name=value", s)
		}
		if given[name] {
			return nil, fmt.Errorf("-set %s: %s is given twice", s, name)
		}
		given[name] = true
		out = append(out, session.Value{Name: name, Text: text})
	}
	return out, nil
}

// byName is split as a map.
func (r repeated) byName() (map[string]string, error) {
	values, err := r.split()
	out := map[string]string{}
	for _, v := range values {
		out[v.Name] = v.Text
	}
	return out, err
}

func listScenes(c *call) error {
	c.explain("which writes every scene with its parameters and presets, as JSON.")
	if err := c.parse(); err != nil {
		return err
	}
	return c.print(func(w io.Writer) error {
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
		"JSON; for clusters the centres, one a row, as CSV, or JSON with masses and starts too; "+
		"for transport the costs, one row a line, as CSV, or JSON with masses and tau too; for ordering samples, as JSON; "+
		"for blocks quadratics, as JSON; for regression a table with a heading, as CSV, with -set responses=a,b")
	steps := c.flags.Int("steps", 0, "iterations; overrides the parameter budget")
	every := c.flags.Int("every", 1, "write every `n`-th iteration and the last")
	theme := c.flags.String("theme", "light", "of pictures: light or dark")
	only := c.flags.String("panel", "", "draw this panel alone")
	paths := map[string]*string{}
	kinds := []string{"json", "csv", "svg", "png", "pdf"}
	for _, kind := range kinds {
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
	if c.given("steps") {
		about, err := scenes.All.Find(*scene)
		if err != nil {
			return err
		}
		if _, has := about.New().Params().Lookup("budget"); !has {
			return fmt.Errorf("-steps %d: the scene %s has no budget of steps; leave it out", *steps, *scene)
		}
		values = append(values, session.Value{Name: "budget", Text: fmt.Sprint(*steps)})
	}
	setup := session.Setup{Values: values, Starts: starts}
	if c.given("data") {
		file, err := c.open("-data", *data)
		if err != nil {
			return err
		}
		defer file.Close()
		setup.Data, setup.Source = file, "-data "+*data
	}
	for _, kind := range kinds {
		if err := c.reserve("-"+kind, *paths[kind]); err != nil {
			return err
		}
	}
	s, err := session.NewConfigured(scenes.All, *scene, setup)
	if err != nil {
		return err
	}
	if err := s.SetTheme(*theme); err != nil {
		return err
	}
	if c.given("panel") {
		if *paths["svg"]+*paths["png"]+*paths["pdf"] == "" {
			return fmt.Errorf("-panel %s: no picture is asked for; add -svg, -png or -pdf", *only)
		}
		if _, err := s.Export("svg", *only); err != nil { // before the work, not after it
			return fmt.Errorf("-panel %s: %w", *only, err)
		}
	}
	if err := s.Finish(); err != nil {
		return fault{err}
	}
	if len(c.outputs) == 0 {
		return c.print(func(w io.Writer) error { return writeReadout(w, s) })
	}
	for _, kind := range kinds {
		err := c.fill("-"+kind, func(w io.Writer) error {
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
	return nil
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
	c.explain(fmt.Sprintf("which reads {\"jacobian\": [[...], ...], \"losses\": [...], \"seed\": n},\n"+
		"the last two if you like, from standard input: at most %d rows of %d numbers,\n%d numbers altogether.",
		exchange.MaxRows, exchange.MaxColumns, exchange.MaxNumbers))
	if err := c.parse(); err != nil {
		return err
	}
	names := exchange.WeighMethods()
	switch {
	case *method == "":
		return fmt.Errorf("-method is missing; there are: %s all", strings.Join(names, " "))
	case *method == "all" && len(settings) > 0:
		return errors.New("-set belongs to one method, not to all")
	case *method != "all" && !slices.Contains(names, *method):
		return fmt.Errorf("%q is no method; there are: %s all", *method, strings.Join(names, " "))
	}
	byName, err := settings.byName()
	if err != nil {
		return err
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
		return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(result) })
	}
	list, err := exchange.WeighAll(in)
	if err != nil {
		return err
	}
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(list) })
}

func solveTransport(c *call) error {
	solvers := strings.Join(exchange.TransportSolvers(), " ")
	solver := c.flags.String("solver", "exact", "one of "+solvers)
	var settings repeated
	c.flags.Var(&settings, "set", "a parameter of the solver, `name=value`: eps of sinkhorn, beta of ipot, both relative to the range of the "+
		"costs")
	c.explain(fmt.Sprintf("which reads {\"cost\": [[...], ...], \"a\": [...], \"b\": [...], \"tau\": t}, the last if\n"+
		"you like, from standard input: a mass in a for each of at most %d rows of costs, and one in b for\n"+
		"each of at most %d columns. The sums of a and b agree to 1e-9. The objective is the cost less tau\n"+
		"times the sum of the largest masses of the rows.", exchange.MaxMasses, exchange.MaxMasses))
	if err := c.parse(); err != nil {
		return err
	}
	if !slices.Contains(exchange.TransportSolvers(), *solver) {
		return fmt.Errorf("%q is no solver; there are: %s", *solver, solvers)
	}
	byName, err := settings.byName()
	if err != nil {
		return err
	}
	in, err := exchange.ReadTransport(c.stdin)
	if err != nil {
		return err
	}
	result, err := exchange.Transport(*solver, byName, in)
	if err != nil {
		return err
	}
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(result) })
}

func hypervolume(c *call) error {
	c.explain(fmt.Sprintf("which reads {\"points\": [[...], ...], \"reference\": [...]} from standard input:\n"+
		"at most %d points, %d numbers altogether. Beyond three objectives the time it takes grows\nexponentially with their number.",
		exchange.MaxPoints, exchange.MaxNumbers))
	if err := c.parse(); err != nil {
		return err
	}
	v, err := exchange.Hypervolume(c.stdin)
	if err != nil {
		return err
	}
	return c.print(func(w io.Writer) error { return json.NewEncoder(w).Encode(map[string]float64{"hypervolume": v}) })
}

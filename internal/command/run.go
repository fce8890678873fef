package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/code"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/session"
	"paretoplay/scenes"
)

func listScenes(c *call) error {
	c.explain("Writes every scene with its parameters and presets as JSON.")
	if err := c.parse(); err != nil {
		return err
	}
	return c.print(func(w io.Writer) error {
		data, err := session.CatalogJSON(scenes.All)
		if err != nil {
			return Fault{err}
		}
		var b bytes.Buffer
		if err := json.Indent(&b, data, "", "  "); err != nil {
			return Fault{err}
		}
		b.WriteByte('\n')
		_, err = w.Write(b.Bytes())
		return err
	})
}

var runKinds = []string{"json", "csv", "svg", "png", "pdf", "gif"}

type runFlags struct {
	settings, starts repeated
	scene            *string
	table            *tableFile
	steps, every     *int
	theme, panel     *string
	width            *string
	try              *string
	code, out        *string
	log, run         *string
	paths            map[string]*string // files to write, by kind
}

func (c *call) runFlags() *runFlags {
	f := &runFlags{}
	f.scene = c.flags.String("scene", "", "the `name` of the scene, as listed by scenes")
	c.flags.Var(&f.settings, "set", "set a parameter, `name=value`; repeat for more")
	c.flags.Var(&f.starts, "start", "use a start point, `x1,x2,...`, instead of the random ones; repeat for more")
	f.table = c.tableFlags("the scene's data: for lab a Jacobian, one gradient per row; for clusters the centres, one per row, or " +
		"JSON that includes masses and starts; for transport the costs, one row per line, or JSON that includes masses and tau; for ordering " +
		"samples, as JSON; for yours formulas, one per line; for blocks quadratics, as JSON; for " +
		"regression a table with a heading, with -set responses=a,b")
	f.steps = c.flags.Int("steps", 0, "number of iterations; overrides the parameter budget")
	f.every = c.flags.Int("every", 1, "write every `n`-th iteration and the last")
	f.theme = c.flags.String("theme", "light", "theme of pictures: light or dark")
	f.panel = c.flags.String("panel", "", "draw only this panel")
	f.width = c.widthFlag()
	f.try = c.flags.String("try", "", "show results for 2 to 9 values of a parameter side by side: `name=v1,v2,...`, or a "+
		"name alone for values around the default; separate the values of a list of numbers or methods by semicolons")
	f.code = c.flags.String("code", "",
		"write a program that repeats the run of one method, in this `language`: go or python; a file name may follow")
	f.out = c.flags.String("o", "-", "the `file` for the program of -code, - for standard output")
	f.log = c.flags.String("log", "", "write the log of one run to this `file`, - for standard output: an npz for replay, with a "+
		"record before every n-th step, where -every sets n")
	f.run = c.flags.String("run", "", "the `name` of the run for -log, such as psmgd-1; by default the first run or the scene's preferred run")
	f.paths = c.fileFlags(runKinds)
	c.flags.Usage = func() {
		fmt.Fprintf(c.flags.Output(), "Usage of %s:\n", c.flags.Name())
		c.flags.PrintDefaults()
		fmt.Fprintln(c.flags.Output(), "Examples:\n"+
			"  paretoplay run -scene fonseca -set R=4 -start 0.5,-0.5 -steps 200 -json -\n"+
			"  paretoplay run -scene lab -data jacobian.csv -png lab.png\n"+
			"  paretoplay run -scene toy -set method=cagrad -steps 2000 -code python -o cagrad.py\n"+
			"  paretoplay run -scene fonseca -set sigma=0.3 -log run.npz")
	}
	return f
}

func (c *call) values(f *runFlags) ([]link.Value, error) {
	values, err := f.settings.split()
	if err == nil && c.given("steps") && *f.steps < 1 {
		return nil, fmt.Errorf("-steps %d: allowed is at least 1", *f.steps)
	}
	if err != nil || !c.given("steps") {
		return values, err
	}
	about, err := scenes.All.Find(*f.scene)
	if err != nil {
		return nil, err
	}
	if _, has := about.New().Params().Lookup("budget"); !has {
		return nil, fmt.Errorf("-steps %d: the scene %s has no step budget; omit the flag", *f.steps, *f.scene)
	}
	return append(values, link.Value{Name: "budget", Text: fmt.Sprint(*f.steps)}), nil
}

// namedPrograms allows a file name after the language of -code. It turns "-code go main.go" into "-code go -o main.go".
func namedPrograms(args []string) []string {
	for i := 0; i+2 < len(args); i++ {
		if (args[i] == "-code" || args[i] == "--code") && (args[i+2] == "-" || !strings.HasPrefix(args[i+2], "-")) {
			return slices.Insert(slices.Clone(args), i+2, "-o")
		}
	}
	return args
}

func runScene(c *call) error {
	c.args = namedPrograms(c.args)
	f := c.runFlags()
	if err := c.parse(); err != nil {
		return err
	}
	if *f.scene == "" {
		_, err := scenes.All.Find("")
		return fmt.Errorf("-scene is missing: %w", err)
	}
	if *f.every < 1 {
		return fmt.Errorf("-every %d: allowed is at least 1", *f.every)
	}
	width, err := c.printWidth(*f.width, f.paths)
	if err != nil {
		return err
	}
	values, err := c.values(f)
	if err != nil {
		return err
	}
	setup := session.Setup{Values: values, Starts: f.starts, Option: "-data"}
	if c.given("data") {
		file, err := c.open("-data", *f.table.path)
		if err != nil {
			return err
		}
		defer file.Close()
		setup.Data, setup.Source = file, setup.Option+" "+*f.table.path
	}
	if setup.Choice, err = f.table.choice(); err != nil {
		return err
	}
	if err := c.reserveAll(runKinds, f.paths); err != nil {
		return err
	}
	if err := c.reserveCode(f); err != nil {
		return err
	}
	if err := c.reserveLog(f); err != nil {
		return err
	}
	s, err := session.NewConfigured(scenes.All, *f.scene, setup)
	if err != nil {
		return advised(err)
	}
	if notes := s.InputNotes(); notes != "" {
		if setup.Source != "" {
			notes = setup.Source + ": " + notes
		}
		c.remarks = append(c.remarks, notes)
	}
	if c.given("log") {
		if err := s.Files().Records(*f.run); err != nil { // report the error before the work starts
			return fmt.Errorf("-log %s: %w", *f.log, err)
		}
	}
	if err := s.SetTheme(*f.theme); err != nil {
		return err
	}
	if c.given("panel") {
		if *f.paths["svg"]+*f.paths["png"]+*f.paths["pdf"]+*f.paths["gif"] == "" {
			return fmt.Errorf("-panel %s: there is no picture output; add -svg, -png, -pdf or -gif", *f.panel)
		}
		if _, err := s.Take("svg", files.Taking{Panel: *f.panel}); err != nil { // report the error before the work starts
			return fmt.Errorf("-panel %s: %w", *f.panel, err)
		}
	}
	if c.given("code") {
		if running := s.Files().Running(); len(running) > 1 {
			return fmt.Errorf("-code %s: a program has one method, but %d methods run; choose one, such as -set method=%s", *f.code, len(running),
				running[0])
		}
		if _, err := s.Files().Program(*f.code, ""); err != nil { // report the error before the work starts
			return fmt.Errorf("-code %s: %w", *f.code, err)
		}
	}
	if err := s.Finish(); err != nil {
		return Fault{err}
	}
	if c.given("try") {
		if c.given("code") {
			return errors.New("-try and -code exclude each other: a program has only one run")
		}
		return c.writeTrials(s, *f.try)
	}
	if len(c.outputs) == 0 {
		return c.print(func(w io.Writer) error { return writeReadout(w, s) })
	}
	for _, kind := range runKinds {
		if err := c.fill("-"+kind, func(w io.Writer) error { return writeRun(w, s, kind, width, f) }); err != nil {
			return err
		}
	}
	if width != 0 && *f.panel == "" {
		height, ids, err := s.Files().HeightOnPaper(width)
		if err != nil {
			return err
		}
		c.remarkHeight(width, height, "-panel NAME draws only one: "+strings.Join(ids, " "))
	}
	if c.given("log") {
		if err := c.writeLog(s, f); err != nil {
			return err
		}
	}
	return c.fill(codeOutput, func(w io.Writer) error {
		program, err := s.Files().Program(*f.code, "")
		if err != nil {
			return err
		}
		_, err = w.Write(program.Data)
		return err
	})
}

func (c *call) reserveLog(f *runFlags) error {
	switch {
	case !c.given("log") && c.given("run"):
		return fmt.Errorf("-run %s: there is no log to write; add -log", *f.run)
	case c.given("log") && c.given("try"):
		return errors.New("-try and -log exclude each other: a log has only one run")
	}
	return c.reserve("-log", *f.log)
}

// writeLog records one run of a finished session and writes the run's log.
func (c *call) writeLog(s *session.Session, f *runFlags) error {
	every := 0
	if c.given("every") {
		every = *f.every
	}
	if err := s.Record(*f.run, every); err != nil {
		return fmt.Errorf("-log %s: %w", *f.log, err)
	}
	if _, err := s.Work(func() bool { return true }); err != nil {
		return fmt.Errorf("-log %s: %w", *f.log, err)
	}
	for _, text := range s.TakeNotices() {
		fmt.Fprintln(c.stderr, text)
	}
	return c.fill("-log", func(w io.Writer) error {
		file, err := s.Take("log", files.Taking{})
		if err != nil {
			return err
		}
		_, err = w.Write(file.Data)
		return err
	})
}

const codeOutput = "-o"

func (c *call) reserveCode(f *runFlags) error {
	switch {
	case c.given("code"):
		if !slices.Contains(code.Languages, *f.code) {
			return fmt.Errorf("-code %.40q: unknown language; available: %s", *f.code, strings.Join(code.Languages, " and "))
		}
		return c.reserve(codeOutput, *f.out)
	case c.given("o"):
		return fmt.Errorf("-o %s: there is no program to write; add -code go or -code python", *f.out)
	}
	return nil
}

// writeTrials writes a finished session's results for other values of a parameter.
func (c *call) writeTrials(s *session.Session, try string) error {
	name, list, given := strings.Cut(try, "=")
	var values []string
	if given {
		separator := ","
		if strings.Contains(list, ";") {
			separator = ";"
		}
		values = strings.Split(list, separator)
	}
	if err := s.TryAll(name, values); err != nil {
		return fmt.Errorf("-try %s: %w", try, err)
	}
	if _, err := s.Work(func() bool { return true }); err != nil {
		return Fault{err}
	}
	if len(c.outputs) == 0 {
		tried, err := s.Tried(false)
		if err != nil {
			return Fault{err}
		}
		return c.print(func(w io.Writer) error {
			out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
			fmt.Fprintf(out, "%s\t%s at k = %d\n", tried.Name, tried.Fact, tried.K)
			for _, cell := range tried.Cells {
				fmt.Fprintf(out, "%s\t%s\n", cell.Value, cell.Fact)
			}
			return out.Flush()
		})
	}
	for _, kind := range runKinds {
		err := c.fill("-"+kind, func(w io.Writer) error {
			file, err := s.Take("try-"+kind, files.Taking{})
			if err != nil {
				return err
			}
			_, err = w.Write(file.Data)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeRun writes a finished session as a file of the given kind.
func writeRun(w io.Writer, s *session.Session, kind string, width axes.PrintWidth, f *runFlags) error {
	switch kind {
	case "json":
		return s.Files().WriteJSON(w, *f.every)
	case "csv":
		return s.Files().WriteCSV(w, *f.every)
	}
	picture, err := s.Take(kind, files.Taking{Panel: *f.panel, Width: width})
	if err != nil {
		return err
	}
	_, err = w.Write(picture.Data)
	return err
}

// writeReadout writes a table of the points where the runs ended. This is the command's output if no file is requested.
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
		if name == "" { // for a scene without runs
			name = row.Method
		}
		fmt.Fprintln(out, name+"\t"+strings.Join(row.Cells, "\t"))
	}
	return out.Flush()
}

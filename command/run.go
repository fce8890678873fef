package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"paretoplay/scenes"
	"paretoplay/scenes/session"
)

func listScenes(c *call) error {
	c.explain("which writes every scene with its parameters and presets, as JSON.")
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
		return Fault{err}
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

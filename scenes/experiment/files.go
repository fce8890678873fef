package experiment

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"paretoplay/scenes/panel"
)

// Column is one of the CSV file: Key, Shown or Value.
type Column[C any] struct {
	name string
	text func(c *C) string
	key  bool
	read func(c *C, text string) error // nil unless it is a value
}

// field is what a column holds. A number that is NaN is not known, and written as "".
type field interface{ string | int | float64 }

// Key is a column that says, with the other keys, which cell a line is of and for which
// configuration.
func Key[C any, V field](name string, value func(c *C) V) Column[C] {
	column := Shown(name, value)
	column.key = true
	return column
}

// Shown is a column that follows from others, and is not read.
func Shown[C any, V field](name string, value func(c *C) V) Column[C] {
	return Column[C]{name: name, text: func(c *C) string {
		switch v := any(value(c)).(type) {
		case int:
			return strconv.Itoa(v)
		case float64:
			if math.IsNaN(v) {
				return ""
			}
			return Number(v)
		case string:
			return v
		}
		panic("experiment: not a field")
	}}
}

// Value is a column that is computed; read takes it over from the file of an earlier
// call, and lets the cell know that this much of it is done. Errors name no line.
func Value[C any, V field](name string, value func(c *C) V, read func(c *C, text string) error) Column[C] {
	column := Shown(name, value)
	column.read = read
	return column
}

// Number writes a number so that reading gives it back.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func (g *Grid[C]) head() []string {
	var out []string
	for i := range g.plan.Columns {
		out = append(out, g.plan.Columns[i].name)
	}
	return out
}

// WriteCSV writes one line a complete cell and, where the parts take turns, one a cell
// with any part done.
func (g *Grid[C]) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(g.head()); err != nil {
		return err
	}
	line := make([]string, len(g.plan.Columns))
	for c := range g.Each {
		if done, wanted := g.plan.Parts(c); done == 0 || done < wanted && !g.plan.Turns {
			continue
		}
		for j := range line {
			line[j] = g.plan.Columns[j].text(c)
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Resume takes over the cells of a CSV file that an earlier call wrote. Lines of another
// configuration are an error.
func (g *Grid[C]) Resume(r io.Reader) error {
	lines, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return err
	}
	if head := g.head(); len(lines) == 0 || !slices.Equal(lines[0], head) {
		return fmt.Errorf("line 1: the columns are not %v", head)
	}
	for n, line := range lines[1:] {
		c := g.find(line)
		if c == nil {
			return fmt.Errorf("line %d: not a cell of this %s", n+2, g.plan.Kind)
		}
		for j, column := range g.plan.Columns {
			if column.read == nil {
				continue
			}
			if err := column.read(c, line[j]); err != nil {
				return fmt.Errorf("line %d: %w", n+2, err)
			}
		}
	}
	return nil
}

// find is the cell that a line is of, nil for none.
func (g *Grid[C]) find(line []string) *C {
	i := slices.IndexFunc(g.plan.Cells, func(c C) bool {
		if _, wanted := g.plan.Parts(&c); wanted == 0 {
			return false
		}
		for j, column := range g.plan.Columns {
			if column.key && column.text(&c) != line[j] {
				return false
			}
		}
		return true
	})
	if i < 0 {
		return nil
	}
	return &g.plan.Cells[i]
}

// WriteJSON writes {"experiment", "cells"} and what the plan's Record adds.
func (g *Grid[C]) WriteJSON(w io.Writer) error {
	record := map[string]any{}
	if g.plan.Record != nil {
		record = g.plan.Record()
	}
	record["experiment"], record["cells"] = g.plan.Name, g.plan.Cells
	return json.NewEncoder(w).Encode(record)
}

// WriteSVG draws the panels in one picture.
func (g *Grid[C]) WriteSVG(w io.Writer) error {
	p := &g.plan
	return panel.WriteSVG(w, p.Width, p.Height, panel.Light, panel.Arrange(p.Width, p.Height, p.Panels, ""))
}

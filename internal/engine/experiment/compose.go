package experiment

import (
	"iter"
	"slices"
)

// Line is a cell of a Grid with several kinds of cells. Each kind has a separate plan.
type Line struct{ planner }

// planner is a cell together with its plan.
type planner interface {
	recorded() any // returns the cell for JSON
	parts() (done, wanted int)
	// work computes on a copy of the cell, because another job may read the original, and returns the copy as next.
	work(more func() bool) (next planner, complete bool, err error)
	effort() float64
	alone() bool
	keyed(column string) bool
	value(column string) any
	read(column, text string) error
}

// Lines returns a plan's cells for Compose. It uses the plan's Cells, Parts, Work, Effort, Alone and Columns.
func Lines[C any](p Plan[C]) []Line {
	out := make([]Line, len(p.Cells))
	for i := range p.Cells {
		out[i] = Line{planned[C]{&p, &p.Cells[i]}}
	}
	return out
}

// Compose returns a grid of all the given lines, in order. The plan p contains what applies to all lines, and columns
// lists the names of the files' columns. A line's entry is empty if the plan of the line's kind lacks the column.
func Compose(p Plan[Line], columns []string, kinds ...[]Line) *Grid[Line] {
	p.Cells = slices.Concat(kinds...)
	p.Parts = func(l *Line) (done, wanted int) { return l.parts() }
	p.Work = func(l *Line, more func() bool) (complete bool, err error) {
		l.planner, complete, err = l.work(more)
		return complete, err
	}
	p.Effort = func(l *Line) float64 { return l.effort() }
	p.Alone = func(l *Line) bool { return l.alone() }
	for _, name := range columns {
		p.Columns = append(p.Columns, Column[Line]{
			name: name, csv: true, key: slices.ContainsFunc(p.Cells, func(l Line) bool { return l.keyed(name) }),
			value: func(l *Line) any { return l.value(name) },
			read:  func(l *Line, text string) error { return l.read(name, text) },
		})
	}
	g := NewGrid(p)
	g.recorded = func(i int) any { return p.Cells[i].planner.recorded() }
	return g
}

// Of yields the cells of type C among the lines of a grid, in order.
func Of[C any](g *Grid[Line]) iter.Seq[*C] {
	return func(yield func(c *C) bool) {
		for l := range g.Each {
			if c, ok := l.planner.(planned[C]); ok && !yield(c.cell) {
				return
			}
		}
	}
}

// planned is a cell with its plan.
type planned[C any] struct {
	plan *Plan[C]
	cell *C
}

func (p planned[C]) recorded() any { return p.plan.recorded(p.cell) }

func (p planned[C]) parts() (done, wanted int) { return p.plan.Parts(p.cell) }

func (p planned[C]) work(more func() bool) (planner, bool, error) {
	next := *p.cell
	complete, err := p.plan.Work(&next, more)
	return planned[C]{p.plan, &next}, complete, err
}

func (p planned[C]) effort() float64 {
	if p.plan.Effort == nil {
		return 1
	}
	return p.plan.Effort(p.cell)
}

func (p planned[C]) alone() bool { return p.plan.Alone != nil && p.plan.Alone(p.cell) }

// column returns the plan's column with the given name, or an empty column if there is none.
func (p planned[C]) column(name string) Column[C] {
	i := slices.IndexFunc(p.plan.Columns, func(c Column[C]) bool { return c.name == name })
	if i < 0 {
		return Column[C]{value: func(*C) any { return "" }}
	}
	return p.plan.Columns[i]
}

func (p planned[C]) keyed(column string) bool { return p.column(column).key }

func (p planned[C]) value(column string) any { return p.column(column).value(p.cell) }

func (p planned[C]) read(column, text string) error {
	if read := p.column(column).read; read != nil {
		return read(p.cell, text)
	}
	return nil
}

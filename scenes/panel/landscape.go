package panel

import (
	"fmt"
	"strconv"
)

// Landscape is a function of two coordinates, drawn behind runs as a field of colours with
// contours. The zero value draws nothing.
type Landscape struct {
	Key   string // names all that Value depends on
	Label string // in the legend, followed by the ends of the colours
	// Value is called for the points of a grid, with Nodes in each direction, whenever the picture
	// is drawn anew; nil for no landscape.
	Value     func(x, y float64) float64
	Nodes     int
	Low, High float64   // the values at the ends of the colours
	Levels    []float64 // of the contours
}

// SetLevels sets n levels of contours, spaced so that they look equally far apart around a
// minimum.
func (l *Landscape) SetLevels(n int) {
	l.Levels = l.Levels[:0]
	for i := range n {
		u := (float64(i) + 0.5) / float64(n)
		l.Levels = append(l.Levels, l.Low+u*u*(l.High-l.Low))
	}
}

// Sheet returns the landscape as a layer.
func (l Landscape) Sheet() Sheet { return Sheet{Key: "field " + l.Key, Draw: l.draw} }

func (l Landscape) draw(b *Brush) {
	if l.Value == nil {
		return
	}
	b.Field(l.Nodes, l.Nodes, l.Value, l.Low, l.High)
	b.Contours(l.Nodes, l.Nodes, l.Value, l.Levels, Stroke{Color: Faded(b.Theme.Rule, 0.5), Width: 0.75})
}

// Entries returns the landscape's legend entries.
func (l Landscape) Entries() []Entry {
	if l.Value == nil {
		return nil
	}
	return []Entry{{Label: fmt.Sprintf("%s from %s to %s", l.Label, ends(l.Low), ends(l.High)), Field: true}}
}

// Optima draws a line of n points that are optimal: a Pareto set or front.
func (b *Brush) Optima(n int, at func(i int) (x, y float64)) {
	b.Line(n, at, Stroke{Color: b.Theme.Optimum, Width: 9})
}

// ends writes an end of the colours, in three digits.
func ends(v float64) string {
	const digits = 3
	return minus(strconv.FormatFloat(v, 'g', digits, 64))
}

package kinds

import (
	"fmt"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/numeral"
)

// Landscape is a function of two coordinates, drawn behind runs as a field of colours with contours. The zero value
// draws nothing.
type Landscape struct {
	Key   string // identifies everything that Value depends on
	Label string // label in the legend, before the values at the ends of the colours
	// Value returns the function's value at a point. After a change of Key or of the axes, drawing calls it for the points
	// of two grids with Nodes points in each direction. If Value is nil, the landscape is empty.
	Value     func(x, y float64) float64
	Nodes     int
	Low, High float64   // values at the ends of the colours
	Levels    []float64 // levels of the contours
	Faint     bool      // draw the field paler, because the items above it matter more
}

// SetLevels sets n levels such that the contours around a minimum are about equally spaced.
func (l *Landscape) SetLevels(n int) {
	l.Levels = l.Levels[:0]
	for i := range n {
		u := (float64(i) + 0.5) / float64(n)
		l.Levels = append(l.Levels, l.Low+float64(u*u*(l.High-l.Low)))
	}
}

// Sheet returns the landscape as a layer.
func (l Landscape) Sheet() axes.Sheet { return axes.Sheet{Key: "field " + l.Key, Draw: l.draw} }

func (l Landscape) draw(b *brush.Brush) {
	if l.Value == nil {
		return
	}
	centres, nodes := b.Samples(l.Key, l.Nodes, l.Value)
	field := b.Theme.Field
	if l.Faint {
		field = b.Theme.FaintField
	}
	b.Paint(l.Nodes, l.Nodes, centres, l.Low, l.High, field)
	b.GridContours(l.Nodes, l.Nodes, nodes, l.Levels, brush.Stroke{Color: brush.Faded(b.Theme.Rule, 0.5), Width: 0.75})
}

// Entries returns the landscape's legend entries.
func (l Landscape) Entries() []axes.Entry {
	if l.Value == nil {
		return nil
	}
	return []axes.Entry{{Label: fmt.Sprintf("%s from %s to %s", l.Label, ends(l.Low), ends(l.High)), Field: true, Faint: l.Faint}}
}

// ends formats the value at an end of the colours with three digits.
func ends(v float64) string {
	const digits = 3
	return numeral.Format(v, digits)
}

package kinds

import (
	"fmt"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/numeral"
)

// Landscape is a function of two coordinates, drawn behind runs as a field of colours with
// contours. The zero value draws nothing.
type Landscape struct {
	Key   string // names all that Value depends on
	Label string // in the legend, followed by the ends of the colours
	// Value is called for the points of two grids, with Nodes in each direction, when the picture is
	// drawn, and again when Key or the axes have changed since; nil for no landscape.
	Value     func(x, y float64) float64
	Nodes     int
	Low, High float64   // the values at the ends of the colours
	Levels    []float64 // of the contours
	Faint     bool      // the field is paler: what lies on it counts more
}

// SetLevels sets n levels of contours, spaced so that they look equally far apart around a
// minimum.
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

// ends writes an end of the colours, in three digits.
func ends(v float64) string {
	const digits = 3
	return numeral.Format(v, digits)
}

package axes

import (
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
)

// Inset is a small chart inside a plane. Places in the chart are given as fractions of its width and height.
type Inset struct {
	*brush.Brush
	area vg.Rectangle
}

// NewInset returns a chart on the right of the plane, at the top or the bottom, whichever hides fewer of the given
// points. The chart's texts are above and below its area.
func NewInset(b *brush.Brush, points ...[2]float64) Inset {
	size := b.Canvas.Size()
	wide, high := max(0.42*size.X, 136), vg.Length(0.3*size.Y)
	place := func(bottom vg.Length) vg.Rectangle {
		corner := vg.Point{X: b.Canvas.Max.X - wide - 10, Y: bottom}
		return vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: wide, Y: high})}
	}
	above, below := place(b.Canvas.Max.Y-high-60), place(b.Canvas.Min.Y+50)
	hidden := func(area vg.Rectangle) (n int) {
		for _, p := range points {
			if q := b.At(p[0], p[1]); q.X > area.Min.X && q.X < area.Max.X && q.Y > area.Min.Y && q.Y < area.Max.Y {
				n++
			}
		}
		return n
	}
	if hidden(above) <= hidden(below) {
		return Inset{b, above}
	}
	return Inset{b, below}
}

// Place converts fractions of the chart's width and height to the plane's world coordinates.
func (c Inset) Place(u, v float64) (x, y float64) {
	size := c.area.Size()
	return c.World(vg.Point{X: c.area.Min.X + vg.Length(vg.Length(u)*size.X), Y: c.area.Min.Y + vg.Length(vg.Length(v)*size.Y)})
}

// Frame returns the area of the chart with its texts, in pixels.
func (c Inset) Frame() vg.Rectangle {
	return vg.Rectangle{Min: c.area.Min.Sub(vg.Point{X: 6, Y: 20}), Max: c.area.Max.Add(vg.Point{X: 6, Y: 18})}
}

// Ground draws the background of the chart.
func (c Inset) Ground() {
	frame := c.Frame()
	box := [5]vg.Point{frame.Min, {X: frame.Max.X, Y: frame.Min.Y}, frame.Max, {X: frame.Min.X, Y: frame.Max.Y}, frame.Min}
	corner := func(i int) (float64, float64) { return c.World(box[i]) }
	c.Polygon(4, corner, brush.Faded(c.Theme.Paper, 0.94))
	c.Brush.Line(5, corner, brush.Stroke{Color: c.Theme.Rule, Width: 0.75})
}

// Line draws a line through n places in the chart.
func (c Inset) Line(n int, at func(i int) (u, v float64), s brush.Stroke) {
	c.Brush.Line(n, func(i int) (float64, float64) { return c.Place(at(i)) }, s)
}

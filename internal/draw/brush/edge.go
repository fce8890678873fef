package brush

import (
	"image/color"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/portable"
)

// Edge returns the place in the picture nearest to a world point.
func (b *Brush) Edge(x, y float64) vg.Point { return inward(b.Canvas.Rectangle, b.At(x, y)) }

// Outward draws, at the picture's edge, a short arrow that points to a world point outside. The parameter clear is the
// distance, in pixels, from the arrow's tip to the point's Edge. Outward returns a place behind the arrow, where a
// marker fits.
func (b *Brush) Outward(x, y float64, clear vg.Length, c color.Color) (behind vg.Point) {
	const length, sign = 9, 4
	edge := b.Edge(x, y)
	at := b.At(x, y)
	far := vg.Length(Distance(at, edge))
	if !(far > 0) {
		return edge
	}
	way := at.Sub(edge).Scale(1 / far)
	tip := edge.Sub(way.Scale(clear))
	b.ArrowHeadAt(tip, portable.Atan2(float64(way.Y), float64(way.X)), length, c)
	return tip.Sub(way.Scale(length + sign))
}

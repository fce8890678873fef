package brush

import "gonum.org/v1/plot/vg"

// Frame is the space and the style in which a panel is drawn.
type Frame struct {
	Width, Height vg.Length // of the panel, in CSS pixels
	Theme         *Theme
	Touch         bool // the screen is used with fingers: hit areas are larger
	Detail        Detail
}

// Detail is how much of a panel is drawn.
type Detail int

// A Full panel is for reading and dragging. A Mini is small, beside a Full panel: it omits repeated words, and a click
// brings it to the front. A Thumbnail is a separate drawing for a contents page, without text and with thicker lines.
const (
	Full Detail = iota
	Mini
	Thumbnail
)

// sign returns the radius of a marker at this level of detail.
func (d Detail) sign(radius vg.Length) vg.Length {
	if d == Thumbnail && radius >= smallSign {
		return largeSign * radius
	}
	return radius
}

// shape returns the shape of a marker at this level of detail. A Thumbnail has no numbers.
func (d Detail) shape(s Shape) Shape {
	if d == Thumbnail && s > numbered {
		return Circle
	}
	return s
}

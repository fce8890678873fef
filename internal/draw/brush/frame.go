package brush

import "gonum.org/v1/plot/vg"

// Frame is the space and the style in which a panel is drawn.
type Frame struct {
	Width, Height vg.Length // of the panel, in CSS pixels
	Theme         *Theme
	Touch         bool // fingers: larger hit areas
	Detail        Detail
}

// Detail is how much of a panel is drawn.
type Detail int

// A Full panel is for reading and dragging. A Mini stands small beside it, without repeated
// words, and a click brings it to the front. A Thumbnail is a separate drawing for a
// contents page: no text, thicker lines, one idea.
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

// shape returns how a marker is drawn at this level of detail: a Thumbnail has no numbers.
func (d Detail) shape(s Shape) Shape {
	if d == Thumbnail && s > numbered {
		return Circle
	}
	return s
}

package brush

import "gonum.org/v1/plot/vg"

// Frame describes the space and the style for drawing a panel.
type Frame struct {
	Width, Height vg.Length // size of the panel in CSS pixels
	Theme         *Theme
	Touch         bool // touch screen, which needs larger hit areas
	Detail        Detail
}

// Detail is the level of detail of a panel.
type Detail int

// A Full panel is for reading and dragging. A Mini is a small panel beside a Full panel: it omits repeated words, and a
// click brings it to the front. A Thumbnail is a separate picture for a contents page, without text and with thicker
// lines.
const (
	Full Detail = iota
	Mini
	Thumbnail
)

// sign returns a marker's radius at this level of detail.
func (d Detail) sign(radius vg.Length) vg.Length {
	if d == Thumbnail && radius >= smallSign {
		return largeSign * radius
	}
	return radius
}

// shape returns a marker's shape at this level of detail. A Thumbnail shows no numbers.
func (d Detail) shape(s Shape) Shape {
	if d == Thumbnail && s > numbered {
		return Circle
	}
	return s
}

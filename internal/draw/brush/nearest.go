package brush

import "gonum.org/v1/plot/vg"

// Nearest finds the place nearest to the pointer, within the pointer's reach.
type Nearest struct {
	At    vg.Point // nearest place so far
	Found bool

	b       *Brush
	pointer vg.Point
	reach   float64
}

// Nearest starts a search around the pointer's place in the panel.
func (b *Brush) Nearest(pointer vg.Point) *Nearest {
	return &Nearest{b: b, pointer: pointer, reach: float64(HitRadius(b.Frame.Touch))}
}

// Closer reports whether a world point is closer to the pointer than all previous points. If so, it stores the point's
// place.
func (n *Nearest) Closer(x, y float64) bool {
	p := n.b.At(x, y)
	d := Distance(p, n.pointer)
	if !(d < n.reach) {
		return false
	}
	n.reach, n.At, n.Found = d, p, true
	return true
}

// Level reports whether a world point is exactly as close as the nearest point so far. If so, it stores the point's
// place.
func (n *Nearest) Level(x, y float64) bool {
	p := n.b.At(x, y)
	level := Distance(p, n.pointer) == n.reach
	if level {
		n.At = p
	}
	return level
}

// HitRadius returns the maximum distance, in pixels, between a handle and a press that hits it.
func HitRadius(touch bool) vg.Length {
	if touch {
		return 22
	}
	return 12
}

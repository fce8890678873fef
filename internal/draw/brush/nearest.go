package brush

import "gonum.org/v1/plot/vg"

// Nearest searches for the place nearest to the pointer, within the pointer's reach.
type Nearest struct {
	At    vg.Point // the nearest place so far
	Found bool

	b       *Brush
	pointer vg.Point
	reach   float64
}

// Nearest begins a search around a point of the panel.
func (b *Brush) Nearest(pointer vg.Point) *Nearest {
	return &Nearest{b: b, pointer: pointer, reach: float64(HitRadius(b.Frame.Touch))}
}

// Closer reports whether a place is closer than all before, and stores it if so.
func (n *Nearest) Closer(x, y float64) bool {
	p := n.b.At(x, y)
	d := Distance(p, n.pointer)
	if !(d < n.reach) {
		return false
	}
	n.reach, n.At, n.Found = d, p, true
	return true
}

// Level reports whether a place is as close as the nearest so far, and stores it if so.
func (n *Nearest) Level(x, y float64) bool {
	p := n.b.At(x, y)
	level := Distance(p, n.pointer) == n.reach
	if level {
		n.At = p
	}
	return level
}

// HitRadius returns the maximum distance in pixels at which a press hits a handle.
func HitRadius(touch bool) vg.Length {
	if touch {
		return 22
	}
	return 12
}

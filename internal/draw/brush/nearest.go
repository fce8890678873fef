package brush

import "gonum.org/v1/plot/vg"

// Nearest looks for the place nearest to the pointer, within its reach.
type Nearest struct {
	At    vg.Point // the nearest place so far
	Found bool

	b       *Brush
	pointer vg.Point
	reach   float64
}

// Nearest starts a search about a point of the panel.
func (b *Brush) Nearest(pointer vg.Point) *Nearest {
	return &Nearest{b: b, pointer: pointer, reach: float64(HitRadius(b.Frame.Touch))}
}

// Closer takes a place that is closer than all before it, and reports whether it is.
func (n *Nearest) Closer(x, y float64) bool {
	p := n.b.At(x, y)
	d := Distance(p, n.pointer)
	if !(d < n.reach) {
		return false
	}
	n.reach, n.At, n.Found = d, p, true
	return true
}

// Level takes a place that is as close as the nearest so far, and reports whether it is.
func (n *Nearest) Level(x, y float64) bool {
	p := n.b.At(x, y)
	level := Distance(p, n.pointer) == n.reach
	if level {
		n.At = p
	}
	return level
}

// HitRadius returns how far from a handle's centre it can be taken, in pixels.
func HitRadius(touch bool) vg.Length {
	if touch {
		return 22
	}
	return 12
}

package axes

import (
	"math"

	"paretoplay/internal/portable"
)

// Mover is a Panel that says where the things are that move while runs go on, so that play can keep to a pace at which
// they can be followed.
type Mover interface {
	Panel
	// Places appends to v where these things are at iteration k, each as two fractions of the panel's frame, rightwards and
	// upwards: 0 and 1 are the frame's ends. Of more than most things it takes every n-th. NaN means that a thing is
	// nowhere. A panel that does not say what moves returns v as it is.
	Places(v []float64, k, most int) []float64
}

// Moving appends places in world coordinates to v, as Places does.
type Moving func(v []float64, k, most int) []float64

var _ Mover = (*Plane)(nil)

// Places implements Mover.
func (p *Plane) Places(v []float64, k, most int) []float64 {
	if p.Moving == nil {
		return v
	}
	from := len(v)
	v = p.Moving(v, k, most)
	x, y := p.Axes()
	x, y = x.Repaired(), y.Repaired()
	if p.Equal { // one unit is as long on both axes
		x.Max, y.Max = max(x.Max, x.Min+(y.Max-y.Min)), max(y.Max, y.Min+(x.Max-x.Min))
	}
	for i := from; i+1 < len(v); i += 2 {
		v[i], v[i+1] = x.fraction(v[i]), y.fraction(v[i+1])
	}
	return v
}

// fraction returns where a value is on a repaired axis, 0 and 1 being its ends.
func (a Axis) fraction(v float64) float64 {
	low, high := a.Min, a.Max
	if a.Log {
		if v <= 0 {
			return math.Inf(-1)
		}
		low, high, v = portable.Log(low), portable.Log(high), portable.Log(v)
	}
	if a.squeezed() {
		return float64(a.scale(0, 1).At(v))
	}
	return (v - low) / (high - low)
}

// Every returns the step from one thing to the next where at most so many of count things are taken.
func Every(count, most int) int { return max(1, (count+most-1)/most) }

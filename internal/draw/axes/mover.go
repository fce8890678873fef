package axes

import (
	"math"

	"paretoplay/internal/portable"
)

// Mover is a Panel that reports where things move while runs go on, so that playback can keep a pace that visitors can
// follow.
type Mover interface {
	Panel
	// Places appends the places of these things at iteration k to v. A place is two fractions of the panel's frame,
	// rightwards and upwards, from 0 to 1. If there are more than most things, it takes every n-th. NaN means that a
	// thing has no place. A panel without moving things returns v unchanged.
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
	if p.Equal { // a unit has the same length on both axes
		x.Max, y.Max = max(x.Max, x.Min+(y.Max-y.Min)), max(y.Max, y.Min+(x.Max-x.Min))
	}
	for i := from; i+1 < len(v); i += 2 {
		v[i], v[i+1] = x.fraction(v[i]), y.fraction(v[i+1])
	}
	return v
}

// fraction returns the place of a value on a repaired axis, from 0 to 1.
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

// Every returns the stride with which at most most of count things are taken.
func Every(count, most int) int { return max(1, (count+most-1)/most) }

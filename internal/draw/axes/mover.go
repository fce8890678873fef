package axes

import (
	"math"

	"paretoplay/internal/portable"
)

// Mover is a Panel that reports the places of moving items while runs advance, so that playback can keep a pace that
// visitors can follow.
type Mover interface {
	Panel
	// Places appends the places of the moving items at iteration k to v. A place consists of two fractions of the
	// panel's frame, rightwards and upwards, from 0 to 1. Both are NaN for an item without a place. If there are more
	// items than the limit most, Places uses only every n-th item. A panel without moving items returns v unchanged.
	Places(v []float64, k, most int) []float64
}

// Moving appends places to v like Places, but in world coordinates.
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
	if p.Equal { // a unit must have the same length on both axes
		x.Max, y.Max = max(x.Max, x.Min+(y.Max-y.Min)), max(y.Max, y.Min+(x.Max-x.Min))
	}
	for i := from; i+1 < len(v); i += 2 {
		v[i], v[i+1] = x.fraction(v[i]), y.fraction(v[i+1])
	}
	return v
}

// fraction returns the position of a value on a repaired axis, from 0 to 1.
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

// Every returns the smallest n such that a selection of every n-th of count items has no more items than the limit
// most.
func Every(count, most int) int { return max(1, (count+most-1)/most) }

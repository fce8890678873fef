package bilevel

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/internal/portable"
)

// negligible is the length of ∇q̃, relative to the longest upper gradient, at or below which a
// constraint on q̃ is dropped. Its direction is then only rounding error.
const negligible = 1e-14

// steepest bounds φ/‖s‖ and κ/‖s‖ relative to the longest gradient. Values far below it already
// decide the weights alone; above it their products overflow.
const steepest = 1e150

// kinkRounds limits the rounds of the search for the multiplier of a = kink.
const kinkRounds = 100

// constrained finds weights λ in the simplex for upper gradients g_i under a constraint with normal s,
//
//	min_{λ∈Δ, γ} ½‖Σ λ_i g_i + γ·s‖² − γ·φ   subject to   γ ≥ 0, γ ≥ (κ − ⟨s, Σ λ_i g_i⟩)/‖s‖²
//
// where κ is φ (the constraint then never binds: an exact dual) or 2φ. With the unit normal u =
// s/‖s‖, a = ⟨u, Σ λ_i g_i⟩ and p = Σ λ_i g_i − a·u, the best γ is max((κ/‖s‖ − a)/‖s‖, 0). Up to
// a constant the remaining objective is
//
//	½‖p‖² + (φ/‖s‖)·a   where a ≤ κ/‖s‖,      ½‖p‖² + ½a²   where a ≥ κ/‖s‖,
//
// This is a convex function of λ, with a kink between the two pieces if κ is not φ. Two gradients
// have a closed form. Gradients are measured in units of the longest one, and s in units of its
// own length, so the scales of F and of f do not matter. A pull with a part adds a third piece.
type constrained struct {
	unit   float64        // the longest ‖g_i‖
	rows   *algo.Jacobian // m×N, g_i in units
	normal []float64      // N, u
	length float64        // ‖s‖
	inner  []float64      // m, a_i = ⟨u, g_i⟩ in units

	solver minnorm.Solver

	sloped *sloped   // for three and more gradients
	other  []float64 // m
}

func newConstrained(m, length int) *constrained {
	c := &constrained{rows: algo.NewJacobian(m, length), normal: make([]float64, length), inner: make([]float64, m)}
	if m > 2 {
		c.sloped, c.other = newSloped(m, length), make([]float64, m)
	}
	return c
}

// take reads gradients and normal, and reports whether the normal is long enough. The caller has
// checked that both are finite.
func (c *constrained) take(jac *algo.Jacobian, normal []float64) bool {
	c.unit = 0
	for i := range jac.Rows {
		c.unit = max(c.unit, portable.Norm(jac.Row(i)))
	}
	divisor := c.unit
	if divisor == 0 {
		divisor = 1
	}
	for i, v := range jac.Data {
		c.rows.Data[i] = v / divisor
	}
	c.length = portable.Norm(normal)
	if c.length <= negligible*c.unit {
		c.length = 0
		return false
	}
	for i, v := range normal {
		c.normal[i] = v / c.length
	}
	for i := range c.inner {
		c.inner[i] = portable.Dot(c.rows.Row(i), c.normal)
	}
	return true
}

// pull is the term that the constraint adds to ½‖p‖², a convex function of a in units of the longest
// gradient:
//
//	slope·a                                        where a ≤ low
//	slope·a + ½(part·a + slope·(1 − 2·part))²      where low ≤ a ≤ kink
//	½a²                                            where a ≥ kink
//
// where low is the zero of the middle square. Without a part there is no low, and the middle
// square is constant.
type pull struct {
	slope, kink, part float64
}

// exactly returns the pull for φ = decrease·‖s‖² and κ = threshold·‖s‖², with 0 ≤ decrease ≤ threshold.
func (c *constrained) exactly(decrease, threshold float64) pull {
	return pull{slope: min(decrease*c.length/c.unit, steepest), kink: min(threshold*c.length/c.unit, steepest)}
}

// above returns the pull if floor ≥ 0 is added to ‖s‖² in φ = (rho/2)(‖s‖² + floor), in κ = 2φ and in the
// divisor of ⟨s, Σ λ_i g_i⟩, but not in the norm. The bound γ ≥ rho − ⟨s, Σ λ_i g_i⟩/(‖s‖² + floor) then
// does not bind everywhere.
func (c *constrained) above(rho, floor float64) pull {
	if rho == 0 {
		return pull{} // the middle piece has length 0
	}
	slope := min(rho/2*(c.length+floor/c.length)/c.unit, steepest)
	return pull{slope: slope, kink: 2 * slope, part: floor / (float64(c.length*c.length) + floor)}
}

// offset returns the middle square's value at a = 0.
func (p pull) offset() float64 { return p.slope * (1 - float64(2*p.part)) }

// low returns the value of a at which the middle piece begins.
func (p pull) low() float64 {
	if p.part == 0 {
		return math.Inf(-1)
	}
	return -p.offset() / p.part
}

// middle returns the slope of the middle piece at a = 0.
func (p pull) middle() float64 { return p.slope + float64(p.part*p.offset()) }

// solve stores λ in weights and reports whether it found it. Without a normal that is long
// enough, λ gives the point of least norm.
func (c *constrained) solve(weights []float64, p pull) bool {
	m := len(weights)
	switch {
	case m == 1:
		weights[0] = 1
		return true
	case c.unit == 0:
		for i := range weights {
			weights[i] = 1 / float64(m)
		}
		return true
	}
	if m == 2 && c.length > 0 {
		t := c.two(p)
		weights[0], weights[1] = 1-t, t
		return true
	}
	if _, status := c.solver.SolveJacobian(weights, c.rows); status != algo.Converged {
		return false
	}
	if c.length == 0 || portable.Dot(c.inner, weights) >= p.kink {
		return true // the constraint has no effect
	}
	c.many(weights, p)
	return true
}

// two returns t of λ = (1−t, t).
func (c *constrained) two(p pull) float64 {
	first, second := c.rows.Row(0), c.rows.Row(1)
	var change, along, across, square float64 // of g_2 − g_1
	for i, v := range first {
		d := second[i] - v
		change += float64(d * c.normal[i])
		along += float64(v * d)
		square += float64(d * d)
	}
	// p_2 − p_1 = (g_2 − g_1) − change·u. The product uses p_1 rather than g_1. The results are
	// equal, but with g_1 the terms along u would cancel and lose digits.
	var acrossSquare float64
	for i, v := range first {
		d := second[i] - v - float64(change*c.normal[i])
		across += float64((v - float64(c.inner[0]*c.normal[i])) * d)
		acrossSquare += float64(d * d)
	}
	at := func(t float64) float64 { return c.inner[0] + float64(t*change) }
	// The minimiser of the middle piece.
	slope := p.middle() + float64(p.part*p.part*c.inner[0])
	t := root(across+float64(slope*change), acrossSquare+float64(p.part*p.part*change*change))
	switch low := p.low(); {
	case at(t) < low:
		// The minimiser where the function is linear in a.
		if t = root(across+float64(p.slope*change), acrossSquare); at(t) <= low {
			return t
		}
		return min(max((low-c.inner[0])/change, 0), 1) // both are at low, up to rounding
	case at(t) <= p.kink:
		return t
	}
	// The minimiser where it is quadratic in a.
	if t = root(along, square); at(t) >= p.kink {
		return t
	}
	return min(max((p.kink-c.inner[0])/change, 0), 1)
}

// root returns the zero of value + t·slope, slope ≥ 0, clipped to [0, 1]; ½ if both vanish.
func root(value, slope float64) float64 {
	switch {
	case value == 0 && slope == 0:
		return 0.5
	case value >= 0:
		return 0
	case -value >= slope:
		return 1
	}
	return -value / slope
}

// many replaces the point of least norm in weights by the minimiser with a at most the kink. The
// a of the minimisers of ½‖p‖² + θ·a falls as θ grows. If the middle piece leads beyond the kink,
// many finds the θ at which a is the kink.
func (c *constrained) many(weights []float64, p pull) {
	// The point of least norm is below the kink: far below, or because of rounding if it is the solution.
	kink := p.kink
	below := portable.Dot(c.inner, weights) - kink
	copy(c.other, weights)
	s := c.sloped
	s.reset(c.rows, c.inner, c.normal, p.part)
	a := s.solve(p.middle())
	above := a - kink
	copy(weights, s.weights)
	if low := p.low(); a < low {
		s.reset(c.rows, c.inner, c.normal, 0)
		if s.solve(p.slope) <= low { // or both are at low, up to rounding
			copy(weights, s.weights)
		}
	}
	if above <= 0 {
		return
	}
	slope := p.slope + float64(p.part*p.slope) // where the middle piece ends
	if p.part > 0 {
		s.reset(c.rows, c.inner, c.normal, 0)
		if above = s.solve(slope) - kink; above <= 0 {
			return // because of rounding; weights are at the kink
		}
		copy(weights, s.weights)
	}
	lo, hi := slope, kink
	if v := s.solve(hi) - kink; v <= 0 {
		below = v
		copy(c.other, s.weights)
	} else {
		lo, above = hi, v
		copy(weights, s.weights)
	}
	// The minimisers are piecewise linear in θ, so the secant is exact once both ends are in one
	// piece. Every third θ bisects, to get past the pieces in between.
	for k := 1; k <= kinkRounds && above > 0 && below < 0; k++ {
		theta := lo + float64(above/(above-below)*(hi-lo))
		if k%3 == 0 {
			theta = lo + float64((hi-lo)/2)
		}
		if !(theta > lo && theta < hi) {
			break
		}
		v := s.solve(theta) - kink
		switch {
		case math.Abs(v) <= rounding*kink:
			copy(weights, s.weights)
			return
		case v > 0:
			lo, above = theta, v
			copy(weights, s.weights)
		default:
			hi, below = theta, v
			copy(c.other, s.weights)
		}
	}
	// Both ends are minimisers for nearly the same θ, and so are the points between them.
	share := min(above/(above-below), 1)
	for i, v := range c.other {
		weights[i] += float64(share * (v - weights[i]))
	}
}

package bilevel

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/internal/portable"
)

// negligible is the largest length of ∇q̃, relative to the longest upper gradient, at which the constraint on q̃ is
// dropped. The direction of such a ∇q̃ consists only of rounding errors.
const negligible = 1e-14

// steepest bounds φ/‖s‖ and κ/‖s‖ relative to the longest gradient. At values far below this bound, the terms with φ
// and κ alone already determine the weights. Products of values above it would overflow.
const steepest = 1e150

// kinkRounds is the maximum number of rounds in the search for the θ at which a reaches the kink.
const kinkRounds = 100

// constrained computes weights λ in the simplex for upper gradients g_i under a constraint with normal s,
//
//	min_{λ∈Δ, γ} ½‖Σ λ_i g_i + γ·s‖² − γ·φ   subject to   γ ≥ 0, γ ≥ (κ − ⟨s, Σ λ_i g_i⟩)/‖s‖²
//
// where κ is φ or 2φ. For κ = φ, the problem is an exact dual, and the constraint never binds. With the unit normal
// u = s/‖s‖, a = ⟨u, Σ λ_i g_i⟩ and p = Σ λ_i g_i − a·u, the best γ is max((κ/‖s‖ − a)/‖s‖, 0). Up to a constant
// the remaining objective is
//
//	½‖p‖² + (φ/‖s‖)·a   where a ≤ κ/‖s‖,      ½‖p‖² + ½a²   where a ≥ κ/‖s‖,
//
// This is a convex function of λ, with a kink between the two pieces if κ is not φ. For two gradients there is a closed
// form. Gradients are measured in units of the longest one, and s in units of its length, so the scales of F and f do
// not matter. A pull with part > 0 adds a third piece.
type constrained struct {
	unit   float64        // the longest ‖g_i‖
	rows   *algo.Jacobian // m×N, g_i divided by unit
	normal []float64      // N, u
	length float64        // ‖s‖
	inner  []float64      // m, a_i = ⟨u, g_i⟩ divided by unit

	solver minnorm.Solver

	sloped *sloped   // for three or more gradients
	other  []float64 // m
}

func newConstrained(m, length int) *constrained {
	c := &constrained{rows: algo.NewJacobian(m, length), normal: make([]float64, length), inner: make([]float64, m)}
	if m > 2 {
		c.sloped, c.other = newSloped(m, length), make([]float64, m)
	}
	return c
}

// take stores the gradients and the normal, both of which must be finite. It reports whether the normal is long
// enough for a constraint.
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
// where low is the a at which the squared term of the middle piece is 0. If part is 0, this term is constant, and there
// is no low.
type pull struct {
	slope, kink, part float64
}

// exactly returns the pull for φ = decrease·‖s‖² and κ = threshold·‖s‖², with 0 ≤ decrease ≤ threshold.
func (c *constrained) exactly(decrease, threshold float64) pull {
	return pull{slope: min(decrease*c.length/c.unit, steepest), kink: min(threshold*c.length/c.unit, steepest)}
}

// above returns the pull for the program in which floor ≥ 0 is added to ‖s‖² in φ = (rho/2)(‖s‖² + floor), in κ = 2φ,
// and in the divisor of ⟨s, Σ λ_i g_i⟩, but not in the norm. The bound γ ≥ rho − ⟨s, Σ λ_i g_i⟩/(‖s‖² + floor) then
// does not bind where a is below low.
func (c *constrained) above(rho, floor float64) pull {
	if rho == 0 {
		return pull{} // the middle piece would have length 0
	}
	slope := min(rho/2*(c.length+floor/c.length)/c.unit, steepest)
	return pull{slope: slope, kink: 2 * slope, part: floor / (float64(c.length*c.length) + floor)}
}

// offset returns the term that the middle piece squares, at a = 0.
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

// solve stores λ in weights and reports whether it found a solution. If the normal is not long enough, λ gives the
// point of least norm.
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

// two handles two gradients. It returns t for the minimiser λ = (1−t, t).
func (c *constrained) two(p pull) float64 {
	first, second := c.rows.Row(0), c.rows.Row(1)
	var change, along, across, square float64 // products of g_2 − g_1 with u, g_1, p_1 and itself
	for i, v := range first {
		d := second[i] - v
		change += float64(d * c.normal[i])
		along += float64(v * d)
		square += float64(d * d)
	}
	// Compute p_2 − p_1 = (g_2 − g_1) − change·u. Its product with p_1 equals its product with g_1, but in the latter
	// the terms along u would cancel and lose digits.
	var acrossSquare float64
	for i, v := range first {
		d := second[i] - v - float64(change*c.normal[i])
		across += float64((v - float64(c.inner[0]*c.normal[i])) * d)
		acrossSquare += float64(d * d)
	}
	at := func(t float64) float64 { return c.inner[0] + float64(t*change) }
	// Try the minimiser of the middle piece.
	slope := p.middle() + float64(p.part*p.part*c.inner[0])
	t := root(across+float64(slope*change), acrossSquare+float64(p.part*p.part*change*change))
	switch low := p.low(); {
	case at(t) < low:
		// Try the minimiser where the function is linear in a.
		if t = root(across+float64(p.slope*change), acrossSquare); at(t) <= low {
			return t
		}
		return min(max((low-c.inner[0])/change, 0), 1) // both minimisers are at low, up to rounding
	case at(t) <= p.kink:
		return t
	}
	// Try the minimiser where the function is quadratic in a.
	if t = root(along, square); at(t) >= p.kink {
		return t
	}
	return min(max((p.kink-c.inner[0])/change, 0), 1)
}

// root returns the t at which value + t·slope is 0, clipped to [0, 1], for slope ≥ 0. If value and slope are both 0, it
// returns ½.
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

// many handles three or more gradients. On entry, weights gives the point of least norm. many replaces it by the
// minimiser whose a is at most the kink. As θ grows, the a of the minimiser of ½‖p‖² + θ·a falls. If the middle piece
// leads beyond the kink, many finds the θ for which a is at the kink.
func (c *constrained) many(weights []float64, p pull) {
	// At the point of least norm, a is below the kink. If this point is the solution, a may be below the kink only
	// because of rounding.
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
		if s.solve(p.slope) <= low { // otherwise both minimisers are at low, up to rounding
			copy(weights, s.weights)
		}
	}
	if above <= 0 {
		return
	}
	slope := p.slope + float64(p.part*p.slope) // slope at the end of the middle piece
	if p.part > 0 {
		s.reset(c.rows, c.inner, c.normal, 0)
		if above = s.solve(slope) - kink; above <= 0 {
			return // a exceeded the kink only by rounding; weights are at the kink
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
	// The minimisers are piecewise linear in θ, so the secant is exact once both ends are in one piece. Every third
	// round bisects instead, to get past the pieces in between.
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
	// Both ends are minimisers for nearly the same θ. The points between them are minimisers too.
	share := min(above/(above-below), 1)
	for i, v := range c.other {
		weights[i] += float64(share * (v - weights[i]))
	}
}

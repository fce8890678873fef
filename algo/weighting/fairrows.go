package weighting

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// onRows solves the equations for the direction d = Σ u_i ĝ_i in coordinates of the rows. If gradients nearly cancel,
// u and its rounding errors grow without bound, but d does not. With the products y_i = ĝ_i·d, onRows minimises the
// convex function
//
//	½‖d‖² − Σ Ψ_i(y_i),   Ψ_i'(y) = (p_i/y)^α = u_i
//
// by damped Newton steps, each of which solves a least squares problem. It starts at the point whose smallest product
// is largest. It stores d in rows.d, stores u and y, and returns the result of defect. found is false if no direction
// has positive products with all rows.
func (f *fairness) onRows(in *algo.Input, alpha float64) (gap float64, found bool) {
	s := &f.rows
	s.set(in)
	clear(s.g)
	for i := range f.next {
		f.next[i] = 1
	}
	if status := s.cone.Project(s.d, s.u, s.g, f.next); status == algo.NoSolution || portable.Norm(s.d) >= 1/stationary {
		return math.NaN(), false
	}
	// Along the ray t·d, the residual is zero only if t^(1+α) = Σ p^α y^(1−α)/‖d‖².
	var force float64
	f.along(s.d)
	for i, p := range f.price {
		force += float64(portable.Pow(p/f.y[i], alpha) * f.y[i])
	}
	t := portable.Pow(force/dot(s.d, s.d), 1/(1+alpha))
	for c := range s.d {
		s.d[c] *= t
	}
	before := math.Inf(1)
	for range 500 {
		if !f.along(s.d) {
			return math.NaN(), true
		}
		for i, p := range f.price {
			f.u[i] = portable.Pow(p/f.y[i], alpha)
			f.gradient[i] = alpha * f.u[i] / f.y[i]
			f.step[i] = f.y[i] * (1 + 1/alpha)
		}
		f.ridge.solve(s.Unit, f.gradient, f.step)
		change := f.damp(alpha)
		if change <= 4*eps || change < 1e-4 && change >= before/2 {
			break
		}
		before = change
	}
	// In ridge's last solution the forces add up to x, except for rounding errors. The powers of y would not.
	copy(s.d, f.ridge.x)
	copy(f.u, f.ridge.forces)
	for _, u := range f.u {
		if !(u > 0) {
			return math.NaN(), true
		}
	}
	if !f.along(s.d) {
		return math.NaN(), true
	}
	return f.defect(alpha), true
}

// along stores the products of d with the unit rows in y and reports whether all are positive.
func (f *fairness) along(d []float64) bool {
	positive := true
	for i := range f.y {
		f.y[i] = dot(f.rows.Unit.Row(i), d)
		positive = positive && f.y[i] > 0
	}
	return positive
}

// damp moves d towards the solution of ridge, as long as the potential decreases. It returns the largest relative
// change of a product in the full step.
func (f *fairness) damp(alpha float64) float64 {
	s := &f.rows
	copy(s.g, f.ridge.x)
	var straight, slope, change float64 // slope = straight − Σ u_i·(change of y_i) at d
	for c, v := range s.d {
		s.g[c] -= v
		straight += float64(v * s.g[c])
	}
	slope = straight
	t := 1.0
	for i := range f.y {
		f.next[i] = dot(s.Unit.Row(i), s.g)
		slope -= float64(f.u[i] * f.next[i])
		change = max(change, math.Abs(f.next[i])/f.y[i])
		if f.next[i] < -0.95*f.y[i] {
			t = min(t, -0.95*f.y[i]/f.next[i])
		}
	}
	if change > 1e-3 {
		square := dot(s.g, s.g)
		for range 60 {
			after := straight + float64(t*square)
			for i, v := range f.next {
				after -= float64(portable.Pow(f.price[i]/(f.y[i]+float64(t*v)), alpha) * v)
			}
			// Along a line, the slope of a convex function increases. If the slope at the end is negative or only
			// slightly positive, the function has decreased.
			if after <= -slope/2 {
				break
			}
			t /= 2
		}
	}
	for c, v := range s.g {
		s.d[c] += float64(t * v)
	}
	return change
}

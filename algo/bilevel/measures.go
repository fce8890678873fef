package bilevel

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// Measures computes how good a point is, without adding to any cost. The function q(z) = f(z) − f*(α) requires a
// problem that implements algo.LowerSolved. On other problems, every measure that uses q is NaN, and only Trace's q̃ is
// available. Methods do not modify z and do not allocate. Two goroutines must not use the same Measures at once.
type Measures struct {
	problem algo.Bilevel
	solved  algo.LowerSolved // nil if the lower level's minimiser is unknown

	jacobian    *algo.Jacobian
	point       []float64 // (α, ω*(α))
	gradient    []float64 // ∇q
	atSolution  []float64
	sum         []float64
	lambda      []float64
	constrained *constrained
	n           int
}

// NewMeasures returns the measures of a problem.
func NewMeasures(problem algo.Bilevel) *Measures {
	n, p, m := problem.Dims()
	s := &Measures{
		problem: problem, n: n,
		jacobian: algo.NewJacobian(m, n+p), lambda: make([]float64, m), constrained: newConstrained(m, n+p),
		point: make([]float64, n+p), gradient: make([]float64, n+p), atSolution: make([]float64, n+p), sum: make([]float64, n+p),
	}
	s.solved, _ = problem.(algo.LowerSolved)
	return s
}

// Exact reports whether the lower level's minimiser is known. If it is unknown, measures that use q are NaN.
func (s *Measures) Exact() bool { return s.solved != nil }

// Q returns q(z) = f(z) − f*(α), which is at least 0 up to rounding.
func (s *Measures) Q(z []float64) float64 {
	if s.solved == nil {
		return math.NaN()
	}
	return s.problem.Lower(z) - s.solved.LowerMinimum(z[:s.n])
}

// QGradient returns ∇q(z) = ∇f(z) − (∇_α f(α, ω*(α)), 0), or nil if ω* is unknown. The slice
// belongs to s and is valid until its next method call.
func (s *Measures) QGradient(z []float64) []float64 {
	if s.solved == nil {
		return nil
	}
	copy(s.point, z)
	s.solved.LowerSolution(s.point[s.n:], z[:s.n])
	s.problem.LowerGradient(s.gradient, z)
	s.problem.LowerGradient(s.atSolution, s.point)
	for i, v := range s.atSolution[:s.n] {
		s.gradient[i] -= v
	}
	return s.gradient
}

// K returns the paper's K(z) = ‖Σ weights_i ∇F_i + nu·∇q‖² for the multipliers that a method used. weights has
// length m. K is NaN if nu or a weight is NaN.
func (s *Measures) K(z, weights []float64, nu float64) float64 {
	gradient := s.QGradient(z)
	if gradient == nil {
		return math.NaN()
	}
	s.problem.Jacobian(s.jacobian, z)
	s.jacobian.Combine(s.sum, weights)
	portable.AddScaled(s.sum, nu, gradient)
	return square(s.sum)
}

// KKT returns min ‖Σλ_i∇F_i + ν∇q‖² over λ ∈ Δ and ν ≥ 0. It is 0, up to rounding, if z satisfies the first-order
// conditions of min F subject to q ≤ 0. If ‖∇q‖ ≤ 1e-14·max‖∇F_i‖, the direction of ∇q is only rounding error, and
// KKT uses ν = 0.
func (s *Measures) KKT(z []float64) float64 {
	stationarity := s.Stationarity(z)
	return stationarity * stationarity
}

// Stationarity returns √KKT(z).
func (s *Measures) Stationarity(z []float64) float64 {
	gradient := s.QGradient(z)
	if gradient == nil {
		return math.NaN()
	}
	s.problem.Jacobian(s.jacobian, z)
	if !algo.Finite(s.jacobian.Data) || !algo.Finite(gradient) {
		return math.NaN()
	}
	c := s.constrained
	hasConstraint := c.take(s.jacobian, gradient)
	if !c.solve(s.lambda, pull{}) {
		return math.NaN()
	}
	c.rows.Combine(s.sum, s.lambda)
	if hasConstraint {
		if inner := portable.Dot(s.sum, c.normal); inner < 0 {
			portable.AddScaled(s.sum, -inner, c.normal)
		}
	}
	return c.unit * portable.Norm(s.sum)
}

// square returns ‖v‖².
func square(v []float64) float64 {
	length := portable.Norm(v)
	return length * length
}

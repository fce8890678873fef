package pareto

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
)

// Stationarity measures how far a point is from Pareto-stationary. The zero value
// is ready to use; it grows on first use and does not allocate afterwards. One
// value serves one goroutine at a time.
type Stationarity struct {
	solver    minnorm.Solver
	weights   []float64
	direction []float64
}

// Measure returns ω(x) = min_{λ∈Δ} ‖Gᵀλ‖ for the Jacobian G at x, which is not
// modified: 0 exactly at the Pareto-stationary points of an unconstrained problem,
// up to rounding of about 1e-16 times the gradients. Under a box the caller passes
// reduced gradients (algo.Jacobian.Reduce), as StationarityOf does. It is NaN when G is not finite.
//
// The norm is that of the vector Gᵀλ; √(λᵀGGᵀλ) would have lost everything below
// 1e-8 of the gradients.
func (s *Stationarity) Measure(jac *algo.Jacobian) float64 {
	if cap(s.weights) < jac.Rows {
		s.weights = make([]float64, jac.Rows)
	}
	if cap(s.direction) < jac.Cols {
		s.direction = make([]float64, jac.Cols)
	}
	s.weights, s.direction = s.weights[:jac.Rows], s.direction[:jac.Cols]
	if _, status := s.solver.SolveJacobian(s.weights, jac); status != algo.Converged {
		clear(s.direction)
		return math.NaN()
	}
	jac.Combine(s.direction, s.weights)
	return norm(s.direction)
}

// Weights returns the λ of the last Measure, zero when it was NaN. The slice holds
// until the next one.
func (s *Stationarity) Weights() []float64 { return s.weights }

// Direction returns the Gᵀλ of the last Measure. The slice holds until the next one.
func (s *Stationarity) Direction() []float64 { return s.direction }

// norm is the Euclidean norm, safe from overflow and underflow of squares.
func norm(v []float64) float64 {
	var largest float64
	for _, a := range v {
		largest = max(largest, math.Abs(a))
	}
	if largest == 0 {
		return 0
	}
	var sum float64
	for _, a := range v {
		a /= largest
		sum += a * a
	}
	return largest * math.Sqrt(sum)
}

// StationarityOf returns ω as a function of the point, from the exact Jacobian
// of p, whose gradients are reduced where p is an algo.Bounded. The function has storage of its own: it allocates nothing per call, and
// one serves one goroutine at a time.
func StationarityOf(p algo.Problem) func(x []float64) float64 {
	var measure Stationarity
	n, m := p.Dims()
	jacobian := algo.NewJacobian(m, n)
	bounded, isBounded := p.(algo.Bounded)
	return func(x []float64) float64 {
		p.Jacobian(jacobian, x)
		if isBounded {
			lo, hi := bounded.Bounds()
			jacobian.Reduce(x, lo, hi)
		}
		return measure.Measure(jacobian)
	}
}

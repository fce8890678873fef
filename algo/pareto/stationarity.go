package pareto

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
)

// Stationarity measures how far a point is from being Pareto-stationary. The zero value is ready to use. It allocates
// on first use only. Two goroutines must not use the same Stationarity at once.
type Stationarity struct {
	solver    minnorm.Solver
	weights   []float64
	direction []float64

	// measureMany uses the following fields: the indices of the active rows, copies of these rows and their weights, and
	// the lengths of all rows.
	active  []int
	some    algo.Jacobian
	shares  []float64
	lengths []float64
	best    []float64 // the previous direction
}

// Measure returns ω(x) = min_{λ∈Δ} ‖Gᵀλ‖ for the Jacobian G at x. It does not modify G, and returns NaN if G is not
// finite. For an unconstrained problem, ω is 0 exactly at the Pareto-stationary points, up to rounding errors of about
// 1e-16 times the lengths of the gradients. In a box, pass reduced gradients (algo.Jacobian.Reduce), as StationarityOf
// does.
//
// The norm is computed from the vector Gᵀλ: √(λᵀGGᵀλ) would lose lengths below 1e-8 times those of the gradients.
func (s *Stationarity) Measure(jac *algo.Jacobian) float64 {
	if cap(s.weights) < jac.Rows {
		s.weights = make([]float64, jac.Rows)
	}
	if cap(s.direction) < jac.Cols {
		s.direction = make([]float64, jac.Cols)
	}
	s.weights, s.direction = s.weights[:jac.Rows], s.direction[:jac.Cols]
	if jac.Rows > manyRows && jac.Rows > 4*jac.Cols {
		return s.measureMany(jac)
	}
	if _, status := s.solver.SolveJacobian(s.weights, jac); status != algo.Converged {
		clear(s.direction)
		return math.NaN()
	}
	jac.Combine(s.direction, s.weights)
	return norm(s.direction)
}

// manyRows is the minimum number of rows for which rows are processed one by one, if there are also many more rows
// than columns. With n columns, n+1 rows determine the shortest vector, so computing most of the Gramian would be
// wasted work.
const manyRows = 16

// measureMany does the same as Measure, with Wolfe's method on the rows themselves. It keeps the min-norm point v
// of the hull of some active rows. In each round, rows without weight become inactive, and the row that extends
// furthest against v becomes active. It stops when no row extends beyond v by more than rounding errors.
//
// References:
//   - Wolfe (1976), Finding the nearest point in a polytope, Mathematical Programming 11.
func (s *Stationarity) measureMany(jac *algo.Jacobian) float64 {
	n := jac.Cols
	clear(s.weights)
	clear(s.direction)
	if !algo.Finite(jac.Data) {
		return math.NaN()
	}
	if cap(s.lengths) < jac.Rows {
		s.lengths = make([]float64, jac.Rows)
	}
	s.lengths = s.lengths[:jac.Rows]
	if cap(s.shares) < n+2 {
		s.active, s.shares, s.some.Data, s.best = make([]int, 0, n+2), make([]float64, n+2), make([]float64, (n+2)*n), make([]float64, n)
	}
	s.best = s.best[:n]
	entering := 0
	for i := range jac.Rows {
		if s.lengths[i] = norm(jac.Row(i)); s.lengths[i] < s.lengths[entering] {
			entering = i
		}
	}
	s.active = s.active[:0]
	length := math.Inf(1)
	for len(s.active) < cap(s.active) {
		s.active = append(s.active, entering)
		count := len(s.active)
		s.some = algo.Jacobian{Rows: count, Cols: n, Data: s.some.Data[:count*n]}
		for k, i := range s.active {
			copy(s.some.Row(k), jac.Row(i))
		}
		if _, status := s.solver.SolveJacobian(s.shares[:count], &s.some); status != algo.Converged {
			break
		}
		s.some.Combine(s.direction, s.shares[:count])
		now := norm(s.direction)
		if now >= length { // only rounding errors remain
			copy(s.direction, s.best)
			break
		}
		length = now
		copy(s.best, s.direction)
		clear(s.weights)
		kept := s.active[:0]
		for k, i := range s.active {
			if w := s.shares[k]; w > 0 {
				s.weights[i] = w
				kept = append(kept, i)
			}
		}
		s.active = kept
		if entering = s.beyond(jac, length); entering < 0 {
			break
		}
	}
	return length
}

// beyond returns the row that extends furthest against the direction, whose length is given. It returns −1 if no
// row extends beyond the direction by more than rounding errors.
func (s *Stationarity) beyond(jac *algo.Jacobian, length float64) int {
	const rounding = 0x1p-50
	at, furthest := -1, 0.0
	if length == 0 {
		return at
	}
	for i, size := range s.lengths {
		var product float64 // use the unit vector, so that squares stay in range
		for c, v := range jac.Row(i) {
			product += float64(v * (s.direction[c] / length))
		}
		if by := length - product; by > rounding*(size+length) && by > furthest {
			at, furthest = i, by
		}
	}
	return at
}

// Weights returns the λ of the last call of Measure, or zeros if Measure returned NaN. The slice is valid until the
// next call.
func (s *Stationarity) Weights() []float64 { return s.weights }

// Direction returns the Gᵀλ of the last call of Measure. The slice is valid until the next call.
func (s *Stationarity) Direction() []float64 { return s.direction }

// norm returns the Euclidean norm, without overflow or underflow of squares.
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
		sum += float64(a * a)
	}
	return largest * math.Sqrt(sum)
}

// StationarityOf returns a function that computes ω at a point, from the exact Jacobian of p. If p is an algo.Bounded, it
// reduces the gradients. The function allocates nothing per call. Two goroutines must not call it at once.
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

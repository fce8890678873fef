package bilevel

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// rounding bounds the error of a sum of a few terms, relative to the largest term.
const rounding = 32 * 0x1p-52

// sloped minimises ½‖Σ λ_i p_i‖² + θ Σ λ_i a_i over λ ∈ Δ for rows p_i and numbers a_i.
//
// It uses Wolfe's method for the point of least norm, with an additional linear term. The support, which is the set of
// rows with positive weights, stays affinely independent. An orthonormal basis of the differences of rows gives the
// minimiser on the support. The basis keeps digits that a Gramian would lose. If a new row depends on the support, it
// replaces another row: the weights move in the direction that keeps Σ λ_i p_i and lowers the linear term.
//
// References:
//   - Wolfe (1976), Finding the nearest point in a polytope, Mathematical
//     Programming 11.
type sloped struct {
	rows    *algo.Jacobian // m×N, p_i
	a       []float64      // m
	norm    []float64      // m, ‖p_i‖
	theta   float64
	weights []float64

	sum     []float64   // N, Σλ_i p_i
	support []int       // rows of the support, the pivot first
	basis   [][]float64 // N numbers each; orthonormal basis of the differences to the pivot
	factor  []float64   // m×m, upper triangular; the differences in this basis
	step    []float64   // change of the weight of support[i+1]
	shift   []float64
	barred  []bool
}

func newSloped(m, length int) *sloped {
	s := &sloped{
		rows: algo.NewJacobian(m, length), a: make([]float64, m), norm: make([]float64, m), weights: make([]float64, m),
		sum: make([]float64, length), support: make([]int, 0, m), basis: make([][]float64, m),
		factor: make([]float64, m*m), step: make([]float64, m), shift: make([]float64, m), barred: make([]bool, m),
	}
	for i := range s.basis {
		s.basis[i] = make([]float64, length)
	}
	return s
}

// reset stores a and p_i = rows_i − (1 − part)·a_i·normal, and starts at the row of least norm.
func (s *sloped) reset(rows *algo.Jacobian, a, normal []float64, part float64) {
	copy(s.rows.Data, rows.Data)
	copy(s.a, a)
	least := 0
	for i := range a {
		row := s.rows.Row(i)
		portable.AddScaled(row, -float64((1-part)*a[i]), normal)
		s.norm[i] = portable.Norm(row)
		if s.norm[i] < s.norm[least] {
			least = i
		}
	}
	clear(s.weights)
	s.weights[least] = 1
	s.support = append(s.support[:0], least)
}

// solve computes the minimiser, starting from the current weights, and stores it in weights. It returns Σ λ_i a_i at
// the minimiser.
func (s *sloped) solve(theta float64) float64 {
	s.theta = theta
	m := len(s.weights)
	clear(s.barred)
	s.settle(-1)
	// The objective falls with each entering row, and the number of supports is finite. The budget ends the loop if
	// rounding errors prevent progress.
	for budget := 20*m + 50; budget > 0; budget-- {
		entering := s.violated()
		if entering < 0 {
			break
		}
		s.support = append(s.support, entering)
		if s.settle(entering) {
			clear(s.barred)
		} else {
			s.barred[entering] = true
		}
	}
	return portable.Dot(s.a, s.weights)
}

// violated returns the row that lowers the objective fastest as its weight grows. It returns −1 if no row lowers
// the objective by more than rounding errors.
func (s *sloped) violated() int {
	s.rows.Combine(s.sum, s.weights)
	length := portable.Norm(s.sum)
	pivot := s.support[0]
	at := portable.Dot(s.rows.Row(pivot), s.sum) + float64(s.theta*s.a[pivot])
	noise := float64(s.norm[pivot]*length) + float64(s.theta*math.Abs(s.a[pivot]))
	best, found := 0.0, -1
	for i, w := range s.weights {
		if w > 0 || s.barred[i] {
			continue
		}
		slope := portable.Dot(s.rows.Row(i), s.sum) + float64(s.theta*s.a[i]) - at
		if slope < best && slope < -rounding*(noise+float64(s.norm[i]*length)+float64(s.theta*math.Abs(s.a[i]))) {
			best, found = slope, i
		}
	}
	return found
}

// settle moves to the minimiser on the support, and drops rows whose weights become zero on the way. It reports
// whether the entering row kept a weight.
func (s *sloped) settle(entering int) bool {
	for {
		dependent := s.differences()
		s.rows.Combine(s.sum, s.weights)
		if dependent {
			s.exchange()
		} else {
			s.minimise()
		}
		// Find the largest fraction of the step that keeps all weights ≥ 0, and the row that limits it.
		pivot := s.support[0]
		share, blocking := 1.0, -1
		if dependent {
			share = math.Inf(1)
		}
		var total float64
		for r, i := range s.support[1:] {
			total += s.step[r]
			if v := s.step[r]; v < 0 && -s.weights[i] > share*v {
				share, blocking = -s.weights[i]/v, r+1
			}
		}
		if total > 0 && s.weights[pivot] < share*total {
			share, blocking = s.weights[pivot]/total, 0
		}
		if dependent && blocking < 0 {
			s.drop(len(s.support) - 1) // without rounding errors, some row would limit the step
			continue
		}
		for r, i := range s.support[1:] {
			s.weights[i] += float64(share * s.step[r])
		}
		s.weights[pivot] -= float64(share * total)
		if blocking < 0 {
			break
		}
		s.drop(blocking)
	}
	return entering < 0 || s.weights[entering] > 0
}

// drop removes the row at the given position of the support.
func (s *sloped) drop(position int) {
	s.weights[s.support[position]] = 0
	s.support = append(s.support[:position], s.support[position+1:]...)
	var sum float64
	for _, i := range s.support {
		s.weights[i] = max(s.weights[i], 0)
		sum += s.weights[i]
	}
	if sum == 0 {
		sum = 1
		s.weights[s.support[0]] = 1
	}
	for _, i := range s.support {
		s.weights[i] /= sum
	}
}

// differences orthogonalises the differences between the support's rows and the pivot. It reports whether the last row,
// the most recent to enter, depends on the others. If rounding errors make another row dependent, differences drops
// that row.
func (s *sloped) differences() (dependent bool) {
	last := len(s.support) - 1
	for k := 0; k < last; {
		left := s.orthogonalize(k)
		switch i := s.support[k+1]; {
		case left > rounding*(s.norm[i]+s.norm[s.support[0]]):
			floats.Scale(1/left, s.basis[k])
			s.factor[k*len(s.weights)+k] = left
			k++
		case k+1 == last:
			return true
		default:
			s.drop(k + 1)
			last--
		}
	}
	return false
}

// orthogonalize splits the k-th difference. It stores the part orthogonal to the earlier differences in basis[k],
// and the part along them in factor. It returns the length of the orthogonal part.
func (s *sloped) orthogonalize(k int) float64 {
	m := len(s.weights)
	v, base := s.basis[k], s.rows.Row(s.support[0])
	for j, g := range s.rows.Row(s.support[k+1]) {
		v[j] = g - base[j]
	}
	for r := range k {
		s.factor[r*m+k] = 0
	}
	for range 2 { // a second pass removes the rounding error of the first
		for r := range k {
			along := portable.Dot(v, s.basis[r])
			portable.AddScaled(v, -along, s.basis[r])
			s.factor[r*m+k] += along
		}
	}
	return portable.Norm(v)
}

// minimise stores in s.step the change of weights that leads to the minimiser on the support. With the differences D =
// QR, it solves RᵀR·step = −(Dᵀsum + θΔa).
func (s *sloped) minimise() {
	m, k := len(s.weights), len(s.support)-1
	for r := range k {
		v := s.theta * (s.a[s.support[r+1]] - s.a[s.support[0]])
		for q := range r {
			v -= float64(s.factor[q*m+r] * s.shift[q])
		}
		s.shift[r] = v / s.factor[r*m+r]
	}
	for r := range k {
		s.step[r] = -portable.Dot(s.basis[r], s.sum) - s.shift[r]
	}
	s.backward(k)
}

// exchange stores in s.step the direction in which the weight of the last row grows while s.sum does not change.
func (s *sloped) exchange() {
	m, k := len(s.weights), len(s.support)-2
	for r := range k {
		s.step[r] = -s.factor[r*m+k]
	}
	s.backward(k)
	s.step[k] = 1
}

// backward multiplies the first k entries of s.step by R⁻¹.
func (s *sloped) backward(k int) {
	m := len(s.weights)
	for r := k - 1; r >= 0; r-- {
		for q := r + 1; q < k; q++ {
			s.step[r] -= float64(s.factor[r*m+q] * s.step[q])
		}
		s.step[r] /= s.factor[r*m+r]
	}
}

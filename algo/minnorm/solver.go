package minnorm

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// eps is the distance from 1 to the next float64.
const eps = 0x1p-52

// dependent is the minimum squared distance of a unit column from the span of the active columns. Smaller distances
// cannot be distinguished from the rounding errors of the Gramian.
const dependent = 16 * eps

const (
	// manyRows is the minimum number of rows for which several may enter the active set at once, if only the Gramian
	// is given. If there are fewer rows, or if the rows themselves are given, they enter one by one. Recorded results
	// depend on that order, to the last bit.
	manyRows = 24
	// almost is the minimum rate at which a row must lower the objective to enter together with the fastest row,
	// relative to the fastest row's rate.
	almost = 0.5
	// fewest plus the number of active rows is the maximum number of rows that enter at once.
	fewest = 8
)

// longRow is the row length from which a pass over the rows takes longer than bounding its effect, and from which
// vectorised products are faster. For shorter rows, the solver always makes the pass.
const longRow = 32

// digits describes how accurately the Gramian determines λ*.
type digits int

const (
	unsettled digits = iota // perhaps not even the set of rows in use: refine with the rows
	half                    // more than half of the digits: one correction with the rows gives the rest
	settled                 // λ* to weightError and Gᵀλ* to vectorError: the rows are not needed
)

const (
	weightError = 0x1p-40 // absolute error of each λ_i: 9e-13
	vectorError = 1e-10   // relative error of Gᵀλ; ‖Gᵀλ‖ is at a minimum, so its relative error is half the square of this
)

// Solver finds λ* = argmin_{λ∈Δ} ‖Gᵀλ‖² in finitely many steps, exactly up to rounding. The zero value is ready to
// use.
//
// For two rows there is a closed form. Otherwise Solver uses Wolfe's method, written as the non-negative least
// squares problem of Lawson & Hanson. Rows of every scale become unit vectors: with n_i = ‖g_i‖, ĝ_i = g_i/n_i, e_i
// = min_j n_j/n_i and λ_i ∝ e_i μ_i,
//
//	min_{μ≥0} ‖Σ μ_i ĝ_i‖² + (eᵀμ − 1)²
//
// has its minimum on the ray of λ*. On an active set P the minimum solves (C + eeᵀ)_PP μ_P = e_P,
// where C_ij = ĝ_i·ĝ_j. This matrix is positive definite if the rows of P are affinely
// independent, even if their hull contains 0.
//
// References:
//   - Wolfe (1976), Finding the nearest point in a polytope, Mathematical
//     Programming 11.
//   - Lawson & Hanson (1974), Solving Least Squares Problems, chapter 23.
//   - Björck (1987), Stability analysis of the method of seminormal equations,
//     Linear Algebra and its Applications 88/89, for the refinement with rows.
//   - Arioli, Demmel & Duff (1989), Solving sparse linear systems with sparse backward error, SIAM Journal on Matrix
//     Analysis and Applications 10, for the bound that decides whether the refinement is needed.
//   - Higham & Mary (2019), A new approach to probabilistic rounding error analysis, SIAM Journal on Scientific
//     Computing 41, for the √n in this bound.
type Solver struct {
	m       int
	norm    []float64 // n_i, after division by the divisors
	e       []float64 // min_j n_j / n_i
	c       []float64 // m×m, cosines
	mu      []float64 // m
	y       []float64 // m, residual products (Cμ)_i
	active  []int     // P, in the order of the factor's rows
	passive []bool    // m; whether a row is outside P
	barred  []bool    // m; whether a row has been barred since the last progress
	factor  []float64 // lower triangular factor of (C + eeᵀ)_PP, row stride m
	u       []float64 // m, solution on P
	r       []float64 // m, right-hand side on P
	z       []float64 // m, L⁻¹e on P for the factor L; z[:known] fits the current factor
	known   int

	savedMu, savedFactor []float64
	savedActive          []int

	digits digits // how many digits of the last weights the Gramian determined

	longer                     *algo.Jacobian // rows of lengths near 1, from lengthen
	longerGram, longerDivisors []float64
	exponents                  []int

	input algo.Input // for SolveJacobian
	v     []float64  // n, Gᵀλ in units of the smallest row
}

// Solve computes λ* from the Gramian gram, and stores it in weights, of length m. gram is m×m in row-major order,
// and is not modified. Solve panics on other lengths.
//
// gap is the duality gap (‖v‖² − min_i ⟨g_i, v⟩)/max_i ‖g_i‖² of v = Gᵀλ*. It is at least 0, and accurate up to the
// rounding errors of the products. The status is Converged, Diverged or Budget. Diverged means that gram is not
// finite; weights are then zero and gap is NaN. Budget means that gram is too far from any Gramian for the method
// to finish; gap then shows how accurate the weights are. If λ* is not unique, because rows are equal or affinely
// dependent, Solve returns one of the minimisers.
//
// A Gramian contains no information about the rows below √eps. If rows agree to 1e-8 of their size, v is only
// accurate to 1e-8 of this size. SolveJacobian is more accurate.
func (s *Solver) Solve(weights, gram []float64) (gap float64, status algo.Status) {
	return s.SolveRows(weights, gram, nil, nil)
}

// SolveJacobian does the same as Solve for the rows of jac. It computes the Gramian, and refines the result with
// the rows themselves unless the Gramian determines λ* to 1e-12 and v to 1e-10 of its length. Squares of rows may
// overflow or underflow.
func (s *Solver) SolveJacobian(weights []float64, jac *algo.Jacobian) (gap float64, status algo.Status) {
	s.input.SetGradients(jac)
	return s.SolveRows(weights, s.input.Gram, s.input.Jacobian, nil)
}

// SolveRows does the same as Solve for the rows g_i/divisors_i, where gram = jac·jacᵀ is the Gramian before the
// division. divisors has length m and is positive, or is nil for 1. A zero row stays zero. If jac is not nil,
// SolveRows refines the result with the rows, as SolveJacobian does. The gap refers to the divided rows.
func (s *Solver) SolveRows(weights, gram []float64, jac *algo.Jacobian, divisors []float64) (gap float64, status algo.Status) {
	m := len(weights)
	if m == 0 || len(gram) != m*m || jac != nil && jac.Rows != m || divisors != nil && len(divisors) != m {
		panic("minnorm: wrong length of Gramian")
	}
	clear(weights)
	if !algo.Finite(gram) || divisors != nil && !algo.Finite(divisors) {
		return math.NaN(), algo.Diverged
	}
	if jac != nil && shortRow(gram, jac) {
		gram, jac, divisors = s.lengthen(jac, divisors)
	}
	s.grow(m)
	for i := range m {
		s.norm[i] = math.Sqrt(max(gram[i*m+i], 0))
		if divisors != nil && s.norm[i] > 0 {
			s.norm[i] /= divisors[i]
		}
	}
	smallest, largest := 0, 0
	for i, n := range s.norm {
		if n < s.norm[smallest] {
			smallest = i
		}
		if n > s.norm[largest] {
			largest = i
		}
	}
	if s.norm[smallest] == 0 || m == 1 {
		weights[smallest] = 1
		return 0, algo.Converged
	}
	for i, n := range s.norm {
		s.e[i] = s.norm[smallest] / n
	}
	status = algo.Converged
	s.digits = settled
	if jac != nil && jac.Cols < longRow {
		s.digits = unsettled
	}
	if m == 2 {
		s.two(weights, gram, jac, divisors)
	} else {
		status = s.many(weights, gram, jac, smallest)
	}
	if s.digits != unsettled {
		jac = nil
	}
	return s.gap(weights, gram, jac, divisors, s.norm[largest]), status
}

// leastSquare is the squared length below which products lose digits to underflow.
const leastSquare = 0x1p-900

// shortRow reports whether there is a nonzero row whose squared length is below leastSquare.
func shortRow(gram []float64, jac *algo.Jacobian) bool {
	for i := range jac.Rows {
		if gram[i*jac.Rows+i] < leastSquare && nonzero(jac.Row(i)) {
			return true
		}
	}
	return false
}

// lengthen returns rows of lengths near 1, their Gramian, and divisors that restore the rows of jac up to one power of
// two. To keep squares in range, a row is treated as at most 2^500 times as long as the shortest row. With either
// length, the weight of such a row is 0.
func (s *Solver) lengthen(jac *algo.Jacobian, divisors []float64) ([]float64, *algo.Jacobian, []float64) {
	m := jac.Rows
	if s.longer == nil || s.longer.Rows != m || s.longer.Cols != jac.Cols {
		s.longer = algo.NewJacobian(m, jac.Cols)
	}
	resize(&s.longerGram, m*m)
	resize(&s.longerDivisors, m)
	if cap(s.exponents) < m {
		s.exponents = make([]int, m)
	}
	s.exponents = s.exponents[:m]
	least := math.MaxInt
	for i := range m {
		var largest float64
		for _, v := range jac.Row(i) {
			largest = max(largest, math.Abs(v))
		}
		_, s.exponents[i] = math.Frexp(largest)
		if largest > 0 {
			least = min(least, s.exponents[i])
		}
	}
	for i, exponent := range s.exponents {
		to := s.longer.Row(i)
		for c, v := range jac.Row(i) {
			to[c] = math.Ldexp(v, -exponent)
		}
		s.longerDivisors[i] = math.Ldexp(1, max(least-exponent, -500))
		if divisors != nil {
			s.longerDivisors[i] *= divisors[i]
		}
	}
	s.longer.Gram(s.longerGram)
	return s.longerGram, s.longer, s.longerDivisors
}

// Determined reports whether the Gramian of the last Solve determines its weights. It does if more than half of the
// weights' digits are known, or if the point of least norm is distinguishable from 0, so that its product with every
// row is positive.
func (s *Solver) Determined() bool {
	if len(s.active) == 0 { // the solution was a closed form
		return true
	}
	s.products()
	size, square := s.size(), 0.0
	for _, j := range s.active {
		square += float64(s.mu[j] * s.y[j])
	}
	if square > 64*float64(s.m)*eps*size*size {
		return true
	}
	return s.determined(s.m) != unsettled
}

func (s *Solver) grow(m int) {
	s.m = m
	if cap(s.norm) < m {
		s.norm, s.e, s.mu, s.y = make([]float64, m), make([]float64, m), make([]float64, m), make([]float64, m)
		s.u, s.r, s.z = make([]float64, m), make([]float64, m), make([]float64, m)
		s.c, s.factor = make([]float64, m*m), make([]float64, m*m)
		s.savedMu, s.savedFactor, s.savedActive = make([]float64, m), make([]float64, m*m), make([]int, 0, m)
		s.active, s.passive, s.barred = make([]int, 0, m), make([]bool, m), make([]bool, m)
	}
	s.norm, s.e, s.mu, s.y, s.u, s.r = s.norm[:m], s.e[:m], s.mu[:m], s.y[:m], s.u[:m], s.r[:m]
	s.z, s.known = s.z[:m], 0
	s.c, s.factor = s.c[:m*m], s.factor[:m*m]
	s.savedMu, s.savedFactor = s.savedMu[:m], s.savedFactor[:m*m]
	s.active, s.passive, s.barred = s.active[:0], s.passive[:m], s.barred[:m]
}

// two computes the closed form λ_1 = ⟨g_2, g_2 − g_1⟩/‖g_1 − g_2‖², clipped to [0, 1]. The denominator is the sum
// of the two numerators, so no digits cancel twice.
func (s *Solver) two(weights, gram []float64, jac *algo.Jacobian, divisors []float64) {
	d1, d2 := 1.0, 1.0
	if divisors != nil {
		d1, d2 = divisors[0], divisors[1]
	}
	a, b, c := gram[0]/d1/d1, gram[1]/d1/d2, gram[3]/d2/d2
	first, second := c-b, a-b
	// For nearly equal rows only the difference itself determines the direction.
	if jac != nil && first+second < 0x1p-6*max(a, c) {
		first, second = 0, 0
		s.digits = unsettled
		p, q := jac.Row(0), jac.Row(1)
		for i, v := range p {
			v /= d1
			w := q[i] / d2
			first += float64(w * (w - v))
			second += float64(v * (v - w))
		}
	}
	switch {
	case first <= 0 && second <= 0:
		weights[0], weights[1] = 0.5, 0.5 // equal up to rounding
	case first <= 0:
		weights[1] = 1
	case second <= 0:
		weights[0] = 1
	default:
		weights[0] = first / (first + second)
		weights[1] = second / (first + second)
	}
}

// many runs the active-set method, for three or more non-zero rows.
func (s *Solver) many(weights, gram []float64, jac *algo.Jacobian, smallest int) algo.Status {
	m := s.m
	// Compute the norms before the division, because cosines do not depend on divisors.
	for i := range m {
		s.y[i] = 1 / math.Sqrt(gram[i*m+i])
	}
	for i := range m {
		row, ri := gram[i*m:(i+1)*m], s.y[i]
		out := s.c[i*m : (i+1)*m]
		for k, v := range row {
			v = v * ri * s.y[k]
			if v > 1 { // much faster than the built-in min and max
				v = 1
			}
			if v < -1 {
				v = -1
			}
			out[k] = v
		}
		out[i] = 1
		s.mu[i] = 0
		s.passive[i] = true
		s.barred[i] = false
	}
	s.append(smallest)
	s.minimise(-1)
	// Each entering row lowers a convex objective, and the number of active sets is finite. Therefore only a matrix
	// that is not a Gramian can use up the budget.
	status := algo.Budget
	for budget := 20*m + 50; budget > 0; budget-- {
		s.products()
		if i := s.violated(); i >= 0 {
			if jac != nil || m < manyRows || !s.enterTogether(i) {
				s.enter(i)
			}
			continue
		}
		entering := -1
		if jac != nil && s.digits != unsettled {
			s.digits = s.determined(jac.Cols)
		}
		switch {
		case jac == nil:
		case s.digits == unsettled:
			s.refine(gram, jac)
			entering = s.violated()
		case s.digits == half:
			s.correction(gram, jac)
			for a, j := range s.active {
				s.mu[j] += s.u[a]
			}
		}
		if entering < 0 {
			status = algo.Converged
			break
		}
		s.enter(entering)
	}
	var sum float64
	for _, i := range s.active {
		weights[i] = float64(max(s.mu[i], 0) * s.e[i])
		sum += weights[i]
	}
	for _, i := range s.active {
		weights[i] /= sum
	}
	return status
}

// products stores Cμ in y.
func (s *Solver) products() {
	m, y, active := s.m, s.y, s.active
	clear(y)
	for ; len(active) >= 4; active = active[4:] { // four rows at a time, added in the same order as one by one
		i, j, k, l := active[0], active[1], active[2], active[3]
		a, b, c, d := s.mu[i], s.mu[j], s.mu[k], s.mu[l]
		p, q, r, t := s.c[i*m:][:len(y)], s.c[j*m:][:len(y)], s.c[k*m:][:len(y)], s.c[l*m:][:len(y)]
		for n, v := range y {
			y[n] = v + float64(a*p[n]) + float64(b*q[n]) + float64(c*r[n]) + float64(d*t[n])
		}
	}
	for _, j := range active {
		mu := s.mu[j]
		for i, c := range s.c[j*m : (j+1)*m] {
			y[i] += float64(mu * c)
		}
	}
}

// slack returns 1 − eᵀμ.
func (s *Solver) slack() float64 {
	slack := 1.0
	for _, j := range s.active {
		slack -= float64(s.e[j] * s.mu[j])
	}
	return slack
}

// violated returns the row that lowers the objective fastest when it enters. It returns −1 if no row lowers the
// objective by more than the rounding error of y.
func (s *Solver) violated() int {
	slack := s.slack()
	best, at := 8*eps*s.size(), -1
	for i, y := range s.y {
		if s.passive[i] && !s.barred[i] {
			if w := float64(s.e[i]*slack) - y; w > best {
				best, at = w, i
			}
		}
	}
	return at
}

// lowers returns the rate at which row i lowers the objective when it enters.
func (s *Solver) lowers(i int, slack float64) float64 { return float64(s.e[i]*slack) - s.y[i] }

// enterTogether adds row i, which lowers the objective fastest, to the active set. It also adds other rows that lower
// the objective nearly as fast. It removes new rows that would not get a positive weight, and minimises the objective
// on the active set. It returns false, with the active set unchanged, if no new row remains. Weights of new rows are 0
// at first. enterTogether therefore goes straight to the minimum of rows that all enter with positive weights, and
// lowers the objective as enter does.
func (s *Solver) enterTogether(i int) bool {
	slack, before := s.slack(), len(s.active)
	least := float64(almost * s.lowers(i, slack))
	s.append(i)
	for j := range s.m {
		if len(s.active) == 2*before+fewest {
			break
		}
		if s.passive[j] && !s.barred[j] && s.lowers(j, slack) >= least {
			s.append(j)
		}
	}
	for {
		if len(s.active) == before {
			return false
		}
		s.minimum()
		all := true
		for a := len(s.active) - 1; a >= before; a-- {
			if s.u[a] <= 0 {
				s.remove(a)
				all = false
			}
		}
		if all {
			break
		}
	}
	s.minimise(-1)
	clear(s.barred)
	return true
}

// enter adds row i to the active set and minimises the objective on the new set. If the row does not help because of
// rounding errors, enter bars it until there is other progress.
func (s *Solver) enter(i int) {
	progress := false
	if s.append(i) {
		progress = s.minimise(i)
	} else {
		progress = s.exchange(i)
	}
	if progress {
		clear(s.barred)
	} else {
		s.barred[i] = true
	}
}

// exchange replaces an active row by row i, after append has found that i depends on the active rows. Up to a
// remainder below √dependent, ĝ_i = Σ c_a ĝ_a and e_i = Σ c_a e_a. Moving weight from the right side to the left
// therefore lowers the objective until the weight of an active row is used up. This row leaves. If the objective
// does not fall by more than rounding errors, exchange returns false with everything unchanged.
func (s *Solver) exchange(i int) bool {
	m, k := s.m, len(s.active)
	copy(s.u[:k], s.factor[k*m:k*m+k])
	backward(s.factor, s.m, s.u[:len(s.active)])
	step, leaving := math.Inf(1), -1
	for a, j := range s.active {
		if s.u[a] > 0 && s.mu[j]/s.u[a] < step {
			step, leaving = s.mu[j]/s.u[a], a
		}
	}
	if leaving < 0 || k == 1 {
		return false
	}
	size := s.size()
	before := s.objective()
	s.save()
	for a, j := range s.active {
		s.mu[j] -= float64(step * s.u[a])
	}
	s.mu[i] = step
	s.remove(leaving)
	for a := len(s.active) - 1; a >= 0; a-- {
		if s.mu[s.active[a]] <= 0 {
			s.remove(a)
		}
	}
	// Reject weights that grow out of proportion, because they cancel and lose their digits.
	if s.append(i) && s.minimise(-1) && s.size() <= 4*size && s.objective() < before-float64(8*eps*size*size) {
		return true
	}
	s.restore()
	return false
}

// size returns Σμ.
func (s *Solver) size() float64 {
	var size float64
	for _, j := range s.active {
		size += s.mu[j]
	}
	return size
}

// objective returns ‖Σ μ_i ĝ_i‖² + (eᵀμ − 1)², and leaves Cμ in y.
func (s *Solver) objective() float64 {
	s.products()
	slack := s.slack()
	value := float64(slack * slack)
	for _, j := range s.active {
		value += float64(s.mu[j] * s.y[j])
	}
	return value
}

// save stores μ, the active set and its factor, so that restore can bring them back.
func (s *Solver) save() {
	copy(s.savedMu, s.mu)
	s.savedActive = append(s.savedActive[:0], s.active...)
	copy(s.savedFactor, s.factor[:len(s.active)*s.m])
}

func (s *Solver) restore() {
	copy(s.mu, s.savedMu)
	s.active = append(s.active[:0], s.savedActive...)
	copy(s.factor, s.savedFactor[:len(s.active)*s.m])
	s.known = 0
	for i := range s.passive {
		s.passive[i] = true
	}
	for _, j := range s.active {
		s.passive[j] = false
	}
}

// append adds row i to the active set and extends the factor. If row i depends on the active rows, append returns
// false and changes nothing.
func (s *Solver) append(i int) bool {
	m, k := s.m, len(s.active)
	row := s.factor[k*m : k*m+m]
	diagonal := 1 + float64(s.e[i]*s.e[i])
	pivot := diagonal
	for a, j := range s.active {
		row[a] = s.c[i*m+j] + float64(s.e[i]*s.e[j])
	}
	forward(s.factor, m, row[:k])
	for _, v := range row[:k] {
		pivot -= float64(v * v)
	}
	if pivot <= dependent*diagonal {
		return false
	}
	row[k] = math.Sqrt(pivot)
	s.active = append(s.active, i)
	s.passive[i] = false
	return true
}

// minimise moves μ to the minimum on the active set, and drops rows that leave the simplex on the way. If the row
// that just entered leaves at once, minimise removes it, leaves μ unchanged and returns false.
func (s *Solver) minimise(entered int) bool {
	for {
		s.minimum()
		step, leaving := 1.0, -1
		for a, j := range s.active {
			if s.u[a] > 0 {
				continue
			}
			if j == entered && s.mu[j] == 0 {
				s.remove(a)
				return false
			}
			if t := s.mu[j] / (s.mu[j] - s.u[a]); leaving < 0 || t < step {
				step, leaving = t, a
			}
		}
		for a, j := range s.active {
			s.mu[j] += float64(step * (s.u[a] - s.mu[j]))
		}
		if leaving < 0 {
			for a, j := range s.active {
				s.mu[j] = s.u[a]
			}
			return true
		}
		s.remove(leaving)
		for a := len(s.active) - 1; a >= 0; a-- {
			if s.mu[s.active[a]] <= 0 {
				s.remove(a)
			}
		}
	}
}

// minimum stores in u the minimum on the active set, where weights may have any sign.
func (s *Solver) minimum() {
	k := len(s.active)
	for a := s.known; a < k; a++ {
		s.z[a] = s.e[s.active[a]]
	}
	forwardFrom(s.factor, s.m, s.z[:k], s.known)
	s.known = k
	copy(s.u, s.z[:k])
	backward(s.factor, s.m, s.u[:k])
}

// solve stores in u the solution of (C + eeᵀ)_PP u = r.
func (s *Solver) solve() {
	u := s.u[:len(s.active)]
	copy(u, s.r)
	forward(s.factor, s.m, u)
	backward(s.factor, s.m, u)
}

// remove drops the active row at position a, and restores the factor with Givens rotations.
func (s *Solver) remove(a int) {
	s.passive[s.active[a]] = true
	s.mu[s.active[a]] = 0
	copy(s.active[a:], s.active[a+1:])
	s.active = s.active[:len(s.active)-1]
	dropRow(s.factor, s.m, a, len(s.active), nil)
	s.known = min(s.known, a)
}

// determined returns how accurately μ solves the problem of the rows, which have length n. μ satisfies the
// Gramian's optimality conditions, and y contains Cμ.
//
// A cosine has an error of at most β, so the residual of the equations on P, e_a(1 − eᵀμ) −
// (Cμ)_a, has an error of at most βΣμ. Together with the computed residual this gives ρ, and
//
//	|δμ| ≤ |A⁻¹|ρ =: δ,   ‖Σ δμ_a ĝ_a‖² ≤ δμᵀAδμ ≤ ρᵀδ,   A = (C + eeᵀ)_PP,
//
// up to terms in β². Two digits of this bound are enough, so the inverse may be computed from the factor. P is the
// support of the rows' solution under two conditions. Each μ_a must exceed δ_a, and each row outside must violate
// its condition by more than its error, where |C_ia + e_i e_a| ≤ 2. The lengths n_i do not add to the error:
// divided by any other lengths, the rows have the same λ*. A correction of size Σδ itself has an error of
// δ_a·Σδ/Σμ. This is below the rounding error of μ if Σδ is below √eps·Σμ.
//
// A sum of n products has an error of at most 8√n roundings of eps/2 with very high probability (Higham & Mary with
// λ = 8). The bound is certain if the sum consists of four partial sums over at most 1024 columns, as in Gram on
// amd64. The rest of β covers the later operations with k rows.
//
// Near Pareto-stationary points the vector becomes inaccurate. Its length falls while ρᵀδ does not, and below √eps
// of the rows the Gramian does not determine it. If rows nearly agree, there are two cases. Either all of them are
// in use and |A⁻¹| is large, or they meet their condition almost exactly.
func (s *Solver) determined(n int) digits {
	m, k := s.m, len(s.active)
	beta := (float64(4*math.Sqrt(float64(n))) + float64(k) + 4) * eps
	size, slack := s.size(), s.slack()
	for a, j := range s.active {
		s.r[a] = math.Abs(float64(s.e[j]*slack)-s.y[j]) + float64(beta*(size+s.e[j]))
		s.u[a] = 0
	}
	// Row a of inverse is column a of L⁻¹, so (A⁻¹)_ab is the product of rows a and b.
	inverse := s.savedFactor
	for a := range k {
		column := inverse[a*m : a*m+k]
		column[a] = 1 / s.factor[a*m+a]
		for b := a + 1; b < k; b++ {
			column[b] = -dot(s.factor[b*m+a:b*m+b], column[a:]) / s.factor[b*m+b]
		}
	}
	for a := range k {
		column := inverse[a*m+a : a*m+k]
		s.u[a] += float64(s.r[a] * dot(column, column))
		for b := range a {
			entry := math.Abs(dot(column, inverse[b*m+a:]))
			s.u[a] += float64(entry * s.r[b])
			s.u[b] += float64(entry * s.r[a])
		}
	}
	var total, change, square, across float64
	for a, j := range s.active {
		if s.mu[j] <= s.u[a] {
			return unsettled
		}
		total += s.u[a]
		change += float64(s.e[j] * s.u[a])
		square += float64(s.mu[j] * s.y[j])
		across += float64(s.r[a] * s.u[a])
	}
	for i, y := range s.y {
		if s.passive[i] && y-float64(s.e[i]*slack) <= float64(beta*(size+s.e[i]))+float64(2*total) {
			return unsettled
		}
	}
	if !(total*total <= eps*size*size) {
		return unsettled
	}
	if !(across <= vectorError*vectorError*square) {
		return half
	}
	// λ_a = e_a μ_a/eᵀμ, with eᵀμ = 1 − slack.
	for a, j := range s.active {
		if !(s.e[j]*(s.u[a]+s.mu[j]*change/(1-slack)) <= weightError*(1-slack)) {
			return half
		}
	}
	return settled
}

// correction stores in u the step of μ that follows from residuals computed from the rows.
func (s *Solver) correction(gram []float64, jac *algo.Jacobian) {
	s.combine(gram, jac)
	slack := s.slack()
	for a, j := range s.active {
		s.r[a] = float64(s.e[j]*slack) - product(jac.Row(j), s.v)/math.Sqrt(gram[j*s.m+j])
	}
	s.solve()
}

// refine improves μ on the active set with residuals computed from the rows (corrected seminormal equations). It
// stores the products ⟨ĝ_i, Σ μ_j ĝ_j⟩ of all rows in y. It drops rows that a correction would move out of the
// simplex.
func (s *Solver) refine(gram []float64, jac *algo.Jacobian) {
	before := math.Inf(1)
	for rounds := 0; rounds < 4; {
		s.correction(gram, jac)
		var change, size float64
		step := 1.0
		for a, j := range s.active {
			if s.mu[j]+s.u[a] <= 0 {
				step = min(step, -s.mu[j]/s.u[a])
			}
			change = max(change, math.Abs(s.u[a]))
			size = max(size, s.mu[j])
		}
		if step < 1 && len(s.active) > 1 {
			for a := len(s.active) - 1; a >= 0; a-- {
				j := s.active[a]
				leaves := s.mu[j]+s.u[a] <= 0 && -s.mu[j]/s.u[a] <= step
				s.mu[j] += float64(step * s.u[a])
				if leaves {
					s.remove(a)
				}
			}
			before = math.Inf(1)
			continue
		}
		// If a correction does not shrink, it is rounding error and not progress.
		if change >= before/2 {
			break
		}
		for a, j := range s.active {
			s.mu[j] += s.u[a]
		}
		before = change
		if change <= eps*size {
			break
		}
		rounds++
	}
	s.combine(gram, jac)
	for i := range s.m {
		s.y[i] = product(jac.Row(i), s.v) / math.Sqrt(gram[i*s.m+i])
	}
}

// combine stores Σ μ_j ĝ_j in v.
func (s *Solver) combine(gram []float64, jac *algo.Jacobian) {
	s.clearV(jac.Cols)
	for _, j := range s.active {
		portable.AddScaled(s.v, s.mu[j]/math.Sqrt(gram[j*s.m+j]), jac.Row(j))
	}
}

func (s *Solver) clearV(n int) {
	if cap(s.v) < n {
		s.v = make([]float64, n)
	}
	s.v = s.v[:n]
	clear(s.v)
}

// gap returns the relative duality gap of weights. It uses the rows if they are given.
func (s *Solver) gap(weights, gram []float64, jac *algo.Jacobian, divisors []float64, largest float64) float64 {
	m := s.m
	// s.r[i] is the divisor of row i.
	for i := range m {
		s.r[i] = largest
		if divisors != nil {
			s.r[i] = divisors[i] * largest
		}
	}
	// Measure weights and products relative to the longest row, so that squares of extreme rows stay in range.
	if jac != nil {
		s.clearV(jac.Cols)
		for j, w := range weights {
			if w != 0 {
				portable.AddScaled(s.v, w/s.r[j], jac.Row(j))
			}
		}
		for i := range m {
			s.y[i] = product(jac.Row(i), s.v) / s.r[i]
		}
	} else {
		clear(s.y)
		for j, w := range weights {
			if w != 0 {
				w /= s.r[j]
				y, by := s.y, s.r[:len(s.y)]
				for i, g := range gram[j*m:][:len(y)] {
					y[i] += w * g / by[i]
				}
			}
		}
	}
	var square float64
	least := math.Inf(1)
	for i, y := range s.y {
		square += float64(weights[i] * y)
		least = min(least, y)
	}
	return max(square-least, 0)
}

func dot(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}

// product does the same as dot, vectorised for long rows.
func product(a, b []float64) float64 {
	if len(a) < longRow {
		return dot(a, b)
	}
	return portable.Dot(a, b)
}

package minnorm

import (
	"math"

	"paretoplay/algo"
)

// QP solves the dense convex quadratic program
//
//	min ½xᵀQx + cᵀx   subject to   Ax ≥ b
//
// where the first rows of A may be equations. Q is symmetric positive semidefinite, and may be singular or zero (a
// linear program). QP is designed for up to a few hundred variables and constraints. The zero value is ready to use.
// After the first call with a given size, QP does not allocate.
//
// With Q = LLᵀ, NonNegative solves the dual problem, whose matrix is AQ⁻¹Aᵀ. If Q has no safe factor, QP uses the
// proximal-point iteration, which ends after finitely many rounds. After each round, it refines the optimality system
// on the active set. The iteration starts from x = 0. If there are several solutions, it tends to the solution of
// least norm. Multiplying Q and c, or a row of A and its b, by a positive number does not change the result.
//
// References:
//   - Goldfarb & Idnani (1983), Mathematical Programming 27.
//   - Rockafellar (1976), Monotone operators and the proximal point algorithm,
//     SIAM Journal on Control and Optimization 14.
type QP struct {
	n, p, equations int
	q, c, a, b      []float64 // arguments of the current call

	unit   []float64 // n; x is measured in 1/unit
	delta  float64   // proximal weight δ, added to the diagonal of the scaled Q
	factor []float64 // n×n, lower triangular factor of the scaled Q + δI
	y      []float64 // p×n, rows L⁻¹(a_i/unit)
	dual   NonNegative
	h      []float64 // p×p, YYᵀ

	center, gradient, change, best []float64 // n
	d, noise, lambda, residual     []float64 // p
	weights, product               []float64 // p
}

const (
	proximal       = 1e-5  // δ used if Q, scaled to a unit diagonal, has no safe factor
	safePivot      = 1e-9  // smallest squared pivot of a safe factor
	feasible       = 1e-12 // relative violation that counts as zero
	proximalRounds = 200
	patience       = 20 // rounds without a smaller gap before giving up
)

// Solve stores the minimiser in x, of length n. q is n×n, c has length n, a is p×n in row-major order, and b has
// length p. The first rows of a are equations; equations is their number. Solve does not modify these slices, and
// panics on other lengths.
//
// gap measures the violation of the optimality conditions, relative to the size of their terms. It is the largest
// of primal violation, dual residual and complementarity. The status is Converged, NoSolution if no x satisfies the
// constraints, Diverged if an input is not finite, or Budget. With NoSolution and Diverged, x is zero and gap is
// NaN. Budget means that the objective has no minimum, or that rounding errors stopped the iteration. The gap then
// shows how accurate x is.
func (s *QP) Solve(x, q, c, a, b []float64, equations int) (gap float64, status algo.Status) {
	n, p := len(x), len(b)
	if n == 0 || len(q) != n*n || len(c) != n || len(a) != p*n || equations < 0 || equations > p {
		panic("minnorm: wrong length of quadratic program")
	}
	clear(x)
	if !algo.Finite(q) || !algo.Finite(c) || !algo.Finite(a) || !algo.Finite(b) {
		return math.NaN(), algo.Diverged
	}
	s.n, s.p, s.equations = n, p, equations
	s.q, s.c, s.a, s.b = q, c, a, b
	s.grow()
	s.prepare()
	clear(s.center)
	least := math.Inf(1)
	for rounds, since := 0, 0; rounds < proximalRounds && since < patience; rounds++ {
		status = s.round(x)
		if status == algo.NoSolution {
			clear(x)
			return math.NaN(), status
		}
		copy(s.change, x)
		gap = s.refine(x)
		since++
		if gap < least {
			least, since = gap, 0
			copy(s.best, x)
			copy(s.weights, s.lambda)
		}
		if s.delta == 0 || gap <= feasible {
			break
		}
		copy(s.center, s.change)
	}
	copy(x, s.best)
	copy(s.lambda, s.weights)
	if s.delta > 0 && least > feasible {
		status = algo.Budget
	}
	return least, status
}

// Multipliers returns the Lagrange multipliers of the last Solve, one for each row of A, with Qx + c =
// Aᵀ·multipliers. Multipliers of inequalities are at least 0. The slice belongs to s, and is valid until the next
// Solve.
func (s *QP) Multipliers() []float64 { return s.lambda }

func (s *QP) grow() {
	n, p := s.n, s.p
	for _, v := range []*[]float64{&s.unit, &s.center, &s.gradient, &s.change, &s.best} {
		resize(v, n)
	}
	for _, v := range []*[]float64{&s.d, &s.noise, &s.lambda, &s.residual, &s.weights, &s.product} {
		resize(v, p)
	}
	resize(&s.factor, n*n)
	resize(&s.y, p*n)
	resize(&s.h, p*p)
}

func resize(v *[]float64, n int) {
	if cap(*v) < n {
		*v = make([]float64, n)
	}
	*v = (*v)[:n]
}

// prepare factors Q and forms the dual matrix.
func (s *QP) prepare() {
	n, p := s.n, s.p
	var largest float64
	for i := range n {
		largest = max(largest, s.q[i*n+i])
	}
	if largest == 0 {
		for _, v := range s.c {
			largest = max(largest, math.Abs(v))
		}
	}
	if largest == 0 {
		largest = 1
	}
	for i := range n {
		s.unit[i] = math.Sqrt(s.q[i*n+i])
		if !(s.unit[i] > 0) {
			s.unit[i] = math.Sqrt(largest)
		}
	}
	s.delta = 0
	if !s.cholesky() {
		s.delta = proximal
		s.cholesky()
	}
	for i := range p {
		y := s.y[i*n : (i+1)*n]
		for j, v := range s.a[i*n : (i+1)*n] {
			y[j] = v / s.unit[j]
		}
		s.forward(y)
	}
	for i := range p {
		for k := i; k < p; k++ {
			v := dot(s.y[i*n:(i+1)*n], s.y[k*n:(k+1)*n])
			s.h[i*p+k], s.h[k*p+i] = v, v
		}
	}
	s.dual.Reset(s.h, p, s.equations)
}

// cholesky factors the scaled Q + δI and reports whether every pivot is safe. With δ > 0, all pivots are safe.
func (s *QP) cholesky() bool {
	n := s.n
	for i := range n {
		row := s.factor[i*n : (i+1)*n]
		for j := range i + 1 {
			v := s.q[i*n+j] / s.unit[i] / s.unit[j]
			if i == j {
				v += s.delta
			}
			v -= dot(row[:j], s.factor[j*n:j*n+j])
			if i > j {
				row[j] = v / s.factor[j*n+j]
				continue
			}
			if s.delta == 0 && v <= safePivot {
				return false
			}
			row[j] = math.Sqrt(max(v, s.delta/2, safePivot))
		}
	}
	return true
}

// forward replaces v by L⁻¹v; backward replaces it by Lᵀ⁻¹v.
func (s *QP) forward(v []float64) {
	for i := range v {
		v[i] = (v[i] - dot(s.factor[i*s.n:i*s.n+i], v[:i])) / s.factor[i*s.n+i]
	}
}

func (s *QP) backward(v []float64) {
	for i := len(v) - 1; i >= 0; i-- {
		l := s.factor[i*s.n : i*s.n+i+1]
		v[i] /= l[i]
		for j, w := range l[:i] {
			v[j] -= float64(w * v[i])
		}
	}
}

// round solves the program with ½δ‖x − center‖² added. It stores the minimiser in x and its multipliers in lambda.
func (s *QP) round(x []float64) algo.Status {
	n := s.n
	// In units ξ = unit·x, with K = LLᵀ: ξ = K⁻¹(Aᵀλ − c + δ·center).
	w := s.gradient
	for i, c := range s.c {
		w[i] = -c/s.unit[i] + float64(s.delta*s.unit[i]*s.center[i])
	}
	s.forward(w)
	length := math.Sqrt(dot(w, w))
	for i, b := range s.b {
		y := s.y[i*n : (i+1)*n]
		s.d[i] = b - dot(y, w)
		s.noise[i] = 4 * eps * (math.Abs(b) + float64(length*math.Sqrt(s.h[i*s.p+i])))
	}
	status := s.dual.Solve(s.lambda, s.d, s.noise)
	if status == algo.NoSolution {
		return status
	}
	for i, l := range s.lambda {
		if l != 0 {
			for j, v := range s.y[i*n : (i+1)*n] {
				w[j] += float64(l * v)
			}
		}
	}
	s.backward(w)
	for i := range x {
		x[i] = w[i] / s.unit[i]
	}
	return status
}

// refine corrects x and lambda by the residuals of the optimality system
//
//	Qx + c = Aᵀλ,   a_i·x = b_i for active i
//
// for as long as each correction reduces the gap, at most 20 times. It returns the gap that Solve documents.
func (s *QP) refine(x []float64) float64 {
	n := s.n
	gap := s.measure(x)
	for range 20 {
		if gap <= eps {
			break
		}
		// gradient contains Qx + c − Aᵀλ, and residual contains b − Ax.
		step := s.gradient
		for i := range step {
			step[i] /= -s.unit[i]
		}
		s.forward(step)
		for a, i := range s.dual.active {
			s.dual.u[a] = (s.residual[i] - dot(s.y[i*n:(i+1)*n], step)) / s.dual.length[i]
		}
		forward(s.dual.factor, s.dual.m, s.dual.u[:len(s.dual.active)])
		backward(s.dual.factor, s.dual.m, s.dual.u[:len(s.dual.active)])
		for a, i := range s.dual.active {
			u := s.dual.u[a] / s.dual.length[i]
			s.product[a] = u
			s.lambda[i] += u
			for j, v := range s.y[i*n : (i+1)*n] {
				step[j] += float64(u * v)
			}
		}
		s.backward(step)
		for i := range x {
			step[i] /= s.unit[i]
			s.center[i] = x[i] // center serves as a backup here; the next round sets it again
			x[i] += step[i]
		}
		if next := s.measure(x); next < gap {
			gap = next
			continue
		}
		copy(x, s.center)
		for a, i := range s.dual.active {
			s.lambda[i] -= s.product[a]
		}
		break
	}
	return gap
}

// measure stores Qx + c − Aᵀλ in gradient and b − Ax in residual. It returns the largest relative defect of the
// optimality conditions.
func (s *QP) measure(x []float64) float64 {
	n := s.n
	var worst, terms float64
	for j := range n {
		s.gradient[j] = s.c[j]
		size := math.Abs(s.c[j])
		for k, v := range s.q[j*n : (j+1)*n] {
			s.gradient[j] += float64(v * x[k])
			size += math.Abs(v * x[k])
		}
		for i, l := range s.lambda {
			if l != 0 {
				s.gradient[j] -= float64(l * s.a[i*n+j])
				size += math.Abs(l * s.a[i*n+j])
			}
		}
		terms = max(terms, size/s.unit[j])
	}
	for j, g := range s.gradient {
		if g != 0 {
			worst = max(worst, math.Abs(g)/s.unit[j]/terms)
		}
	}
	var price float64
	for i, l := range s.lambda {
		price = max(price, math.Abs(l)*s.dual.length[i])
	}
	// Measure each constraint relative to its right-hand side and to the largest term that an x of this size could
	// give.
	var reach float64
	for j, v := range x {
		reach = max(reach, math.Abs(v)*s.unit[j])
	}
	for i, b := range s.b {
		s.residual[i] = b
		var largest float64
		for j, v := range s.a[i*n : (i+1)*n] {
			s.residual[i] -= float64(v * x[j])
			largest = max(largest, math.Abs(v)/s.unit[j])
		}
		size := math.Abs(b) + float64(largest*reach)
		if size == 0 {
			continue
		}
		violation := s.residual[i] / size
		if i < s.equations {
			violation = math.Abs(violation)
		} else {
			if s.lambda[i] < 0 {
				worst = max(worst, -s.lambda[i]*s.dual.length[i]/price)
			}
			if s.lambda[i] > 0 {
				violation = math.Abs(violation) // complementarity
			}
		}
		worst = max(worst, violation)
	}
	return worst
}

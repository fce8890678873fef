package minnorm

import (
	"math"

	"paretoplay/algo"
)

// NonNegative minimises ½xᵀHx − dᵀx over x ≥ 0 for a symmetric positive semidefinite H. That is, it finds x ≥ 0 with
// Hx ≥ d and xᵀ(Hx − d) = 0. The first variables may be free in sign; they satisfy (Hx)_i = d_i. This problem is the
// dual of projecting onto a polyhedron, as UPGrad and QP do.
//
// NonNegative uses the dual active-set method. Violated rows enter one at a time, and the method updates the factor of
// the active part of H. Solve starts from the active set of the last Solve, so a sequence of similar d costs little.
// Rows are measured in units of √H_ii, so their scale does not matter. Call Reset before the first Solve. The zero
// value is ready for Reset.
//
// References:
//   - Goldfarb & Idnani (1983), A numerically stable dual method for solving
//     strictly convex quadratic programs, Mathematical Programming 27.
//   - Arnström, Bemporad & Axehill (2022), A dual active-set solver for embedded
//     quadratic programming using recursive LDLᵀ updates, IEEE TAC 67.
type NonNegative struct {
	m, free int
	length  []float64 // √H_ii
	c       []float64 // m×m, H scaled to a unit diagonal
	d       []float64 // right-hand side, scaled
	z       []float64 // x, scaled
	y       []float64 // d − Cz
	noise   []float64 // rounding error of y
	active  []int     // active rows, in the order of the factor's rows
	passive []bool
	barred  []bool
	factor  []float64 // lower triangular factor of C on the active set, row stride m
	row     []float64
	u       []float64
	pivot   float64 // smallest squared pivot since Reset
}

// Reset copies H, which is m×m in row-major order, and sets the number of leading variables that are free in sign.
// It empties the active set. It panics if the length of h is not m².
func (s *NonNegative) Reset(h []float64, m, free int) {
	if len(h) != m*m || free < 0 || free > m {
		panic("minnorm: wrong length of matrix")
	}
	s.m, s.free, s.pivot = m, free, 1
	if cap(s.length) < m {
		s.length, s.d, s.z, s.y = make([]float64, m), make([]float64, m), make([]float64, m), make([]float64, m)
		s.noise, s.row, s.u = make([]float64, m), make([]float64, m), make([]float64, m)
		s.c, s.factor = make([]float64, m*m), make([]float64, m*m)
		s.active, s.passive, s.barred = make([]int, 0, m), make([]bool, m), make([]bool, m)
	}
	s.length, s.d, s.z, s.y = s.length[:m], s.d[:m], s.z[:m], s.y[:m]
	s.noise, s.row, s.u = s.noise[:m], s.row[:m], s.u[:m]
	s.c, s.factor = s.c[:m*m], s.factor[:m*m]
	s.active, s.passive, s.barred = s.active[:0], s.passive[:m], s.barred[:m]
	for i := range m {
		s.length[i] = math.Sqrt(max(h[i*m+i], 0))
		s.passive[i] = true
	}
	for i := range m {
		out := s.c[i*m : (i+1)*m]
		for k, v := range h[i*m : (i+1)*m] {
			out[k] = 0
			if s.length[i] > 0 && s.length[k] > 0 {
				out[k] = v / s.length[i] / s.length[k]
			}
		}
		if s.length[i] > 0 {
			out[i] = 1
		}
	}
}

// Solve stores the minimiser for the right-hand side d in x. Both have length m, and d is not modified. noise
// bounds the error of each d_i: a row that is violated by less than this counts as satisfied. noise has length m,
// or is nil.
//
// The status is Converged, NoSolution or Budget. NoSolution means that the minimum is −∞, and x is zero. For a
// projection, the polyhedron is then empty. Budget means that rounding errors kept the method from finishing; x ≥ 0
// still holds.
func (s *NonNegative) Solve(x, d, noise []float64) algo.Status {
	m := s.m
	if len(x) != m || len(d) != m || noise != nil && len(noise) != m {
		panic("minnorm: wrong length of right-hand side")
	}
	clear(x)
	clear(s.barred)
	for i, v := range d {
		s.d[i], s.noise[i] = v, 8*eps*math.Abs(v)
		if noise != nil {
			s.noise[i] += noise[i]
		}
		if s.length[i] > 0 {
			s.d[i] /= s.length[i]
			s.noise[i] /= s.length[i]
		} else if v > s.noise[i] || i < s.free && -v > s.noise[i] {
			return algo.NoSolution // row i requires 0·x ≥ v > 0
		} else {
			s.barred[i] = true
		}
	}
	s.settle()
	status := algo.Budget
	for budget := 20*m + 50; budget > 0; budget-- {
		i := s.violated()
		if i < 0 {
			status = algo.Converged
			break
		}
		if !s.enter(i) {
			status = algo.NoSolution
			break
		}
		s.settle()
	}
	if status == algo.NoSolution {
		return status
	}
	for _, j := range s.active {
		x[j] = s.z[j] / s.length[j]
	}
	return status
}

// Pivot returns the smallest squared distance, since Reset, of a row of C from the span of the active rows. C is H
// scaled to a unit diagonal, so Pivot is at most 1. If H is a Gramian, its rows lose as many digits as 1/Pivot has. If
// Pivot is below 1e-6 and the vectors are available, Polyhedron is more accurate.
func (s *NonNegative) Pivot() float64 { return s.pivot }

// settle solves C_PP z_P = d_P, and drops rows with a negative z until no z is negative.
func (s *NonNegative) settle() {
	for {
		for a, j := range s.active {
			s.u[a] = s.d[j]
		}
		forward(s.factor, s.m, s.u[:len(s.active)])
		backward(s.factor, s.m, s.u[:len(s.active)])
		s.improve()
		least, at := 0.0, -1
		for a, j := range s.active {
			s.z[j] = s.u[a]
			if j >= s.free && (s.u[a] < least || s.u[a] == 0 && at < 0) {
				least, at = s.u[a], a
			}
		}
		if at < 0 {
			return
		}
		s.remove(at)
	}
}

// improve refines the solution in u once if the factor is ill-conditioned.
func (s *NonNegative) improve() {
	least := 1.0
	for a := range s.active {
		least = min(least, s.factor[a*s.m+a])
	}
	if least > 1e-2 {
		return
	}
	for a, j := range s.active {
		s.row[a] = s.u[a]
		s.y[a] = s.d[j]
	}
	for a, i := range s.active {
		for b, j := range s.active {
			s.y[a] -= float64(s.c[i*s.m+j] * s.row[b])
		}
	}
	copy(s.u, s.y[:len(s.active)])
	forward(s.factor, s.m, s.u[:len(s.active)])
	backward(s.factor, s.m, s.u[:len(s.active)])
	for a := range s.active {
		s.u[a] += s.row[a]
	}
}

// violated updates y and returns the row with the largest violation, equations first. It returns −1 if there is
// none.
func (s *NonNegative) violated() int {
	copy(s.y, s.d)
	var size float64
	for _, j := range s.active {
		z := s.z[j]
		size += math.Abs(z)
		for i, c := range s.c[j*s.m : (j+1)*s.m] {
			s.y[i] -= float64(z * c)
		}
	}
	best, at := 0.0, -1
	for i, y := range s.y {
		if !s.passive[i] || s.barred[i] {
			continue
		}
		tolerance := s.noise[i] + float64(8*eps*size)
		if i < s.free {
			if math.Abs(y) > tolerance {
				return i
			}
		} else if y > tolerance && y > best {
			best, at = y, i
		}
	}
	return at
}

// enter raises z_i until row i holds with equality, and drops active rows whose z reach zero on the way. It returns
// false if nothing stops the rise. If the active rows imply row i, up to rounding errors, enter bars row i instead of
// adding it.
func (s *NonNegative) enter(i int) bool {
	m := s.m
	sign := 1.0
	if s.y[i] < 0 {
		sign = -1
	}
	missing := math.Abs(s.y[i])
	s.z[i] = 0
	for {
		k := len(s.active)
		for a, j := range s.active {
			s.u[a] = s.c[i*m+j]
		}
		forward(s.factor, s.m, s.u[:k])
		pivot := 1.0
		for _, v := range s.u[:k] {
			pivot -= float64(v * v)
		}
		s.pivot = min(s.pivot, pivot)
		copy(s.row[:k], s.u[:k])
		backward(s.factor, s.m, s.u[:k])
		full := math.Inf(1)
		if pivot > dependent {
			full = missing / pivot
		}
		partial, leaving := math.Inf(1), -1
		for a, j := range s.active {
			if v := sign * s.u[a]; j >= s.free && v > 0 && s.z[j]/v < partial {
				partial, leaving = s.z[j]/v, a
			}
		}
		if leaving < 0 && math.IsInf(full, 1) {
			var size float64
			for _, j := range s.active {
				size += math.Abs(s.z[j])
			}
			if missing > math.Sqrt(eps)*(size+math.Abs(s.d[i])) {
				return false
			}
			s.barred[i] = true
			return true
		}
		step := min(full, partial)
		for a, j := range s.active {
			s.z[j] -= float64(step * sign * s.u[a])
		}
		s.z[i] += float64(step * sign)
		if full <= partial {
			copy(s.factor[k*m:k*m+k], s.row[:k])
			s.factor[k*m+k] = math.Sqrt(pivot)
			s.active = append(s.active, i)
			s.passive[i] = false
			return true
		}
		missing = max(missing-float64(step*pivot), 0)
		s.remove(leaving)
	}
}

// remove drops the active row at position a, and restores the factor with Givens rotations.
func (s *NonNegative) remove(a int) {
	s.passive[s.active[a]] = true
	s.z[s.active[a]] = 0
	copy(s.active[a:], s.active[a+1:])
	s.active = s.active[:len(s.active)-1]
	dropRow(s.factor, s.m, a, len(s.active), nil)
}

package survey

import (
	"math"

	"paretoplay/internal/portable"
)

// quadratic solves small quadratic programs over the maximum of several planes,
//
//	min_d  ½ dᵀMd + max_k (v_k + a_k·d),   low ≤ d ≤ high,
//
// with low ≤ 0 ≤ high and a positive definite M. It uses the primal active-set method with an orthonormal basis of
// the directions that the active planes and bounds leave free (Nocedal & Wright 2006, algorithm 16.3). minnorm.QP is
// not accurate enough: it multiplies constraints, which loses half of the digits. Here planes are nearly parallel,
// and their slopes differ as much as the weights of objectives.
type quadratic struct {
	n, count  int
	m         []float64 // n×n
	a, v      []float64 // planes: slopes count×n, and values
	low, high []float64

	d      []float64
	lambda []float64 // multipliers of the planes
	z      float64   // maximum of the planes at d
	active []int     // indices of planes; the first is the reference
	inside []bool    // whether a plane is active
	fixed  []int8    // per variable: −1 at low, 1 at high
	free   []int

	step     []float64
	basis    []float64 // orthonormal rows over the free variables: first the differences of active planes, then the rest
	upper    []float64 // coefficients of the differences in the first rows
	left     []float64 // per variable: 1 minus the sum of the squares of its entries in the basis
	reduced  []float64 // M restricted to the rest of the basis, and its factor
	gradient []float64
	right    []float64
}

// reset clears the program and sets the number of variables to n.
func (s *quadratic) reset(n int) {
	s.n, s.count, s.a, s.v = n, 0, s.a[:0], s.v[:0]
	if len(s.d) != n {
		s.m, s.d, s.step, s.gradient = make([]float64, n*n), make([]float64, n), make([]float64, n), make([]float64, n)
		s.low, s.high, s.left, s.right = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		s.basis, s.upper, s.reduced = make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		s.fixed = make([]int8, n)
	}
}

// plane adds a plane with value v and slope a.
func (s *quadratic) plane(v float64, a []float64) {
	s.count++
	s.a, s.v = append(s.a, a...), append(s.v, v)
}

func (s *quadratic) slope(k int) []float64 { return s.a[k*s.n : (k+1)*s.n] }

// at returns the value of plane k at d.
func (s *quadratic) at(k int) float64 {
	sum := s.v[k]
	for c, v := range s.slope(k) {
		sum += float64(v * s.d[c])
	}
	return sum
}

// solve stores the minimiser in d and the multipliers in lambda. It returns false if rounding errors prevent
// convergence. Then d is within the bounds and no worse than the zero vector.
func (s *quadratic) solve() bool {
	const patience = 20 // maximum number of steps of length 0 in a row; then the first index decides, to avoid cycles
	clear(s.d)
	clear(s.fixed)
	s.lambda, s.inside = resized(s.lambda, s.count), resized(s.inside, s.count)
	first := 0
	for k, v := range s.v {
		if v > s.v[first] {
			first = k
		}
	}
	s.z, s.active = s.v[first], append(s.active[:0], first)
	s.inside[first] = true
	idle := 0
	for range 3*s.n + 100 {
		if !s.aim() {
			return false
		}
		t, plane, variable := s.reach(idle > patience)
		for c := range s.d {
			s.d[c] = min(max(s.d[c]+float64(t*s.step[c]), s.low[c]), s.high[c])
		}
		s.z = math.Inf(-1)
		for k := range s.v {
			s.z = max(s.z, s.at(k))
		}
		if idle++; t*largest(s.step) > 1e-15 {
			idle = 0
		}
		switch {
		case plane >= 0:
			s.active = append(s.active, plane)
			s.inside[plane] = true
		case variable >= 0:
			if s.step[variable] < 0 {
				s.fixed[variable], s.d[variable] = -1, s.low[variable]
			} else {
				s.fixed[variable], s.d[variable] = 1, s.high[variable]
			}
		case !s.release(idle > patience):
			return true
		}
	}
	return false
}

// aim computes the step to the minimum on the active planes and bounds, and the planes' multipliers there.
func (s *quadratic) aim() bool {
	s.differ()
	n, f, w := s.n, len(s.free), len(s.active)-1
	s.complete(w)
	for i, c := range s.free {
		s.gradient[i] = s.slope(s.active[0])[c]
		for e, v := range s.d {
			s.gradient[i] += float64(s.m[c*n+e] * v)
		}
	}
	// The step is a combination of the remaining basis rows.
	k := f - w
	for r := range k {
		row := s.basis[(w+r)*n : (w+r)*n+f]
		s.right[r] = -portable.Dot(row, s.gradient[:f])
		for i, c := range s.free { // M times a basis row
			s.left[i] = 0
			for j, e := range s.free {
				s.left[i] += float64(s.m[c*n+e] * row[j])
			}
		}
		for q := range r + 1 {
			s.reduced[r*k+q] = portable.Dot(s.left[:f], s.basis[(w+q)*n:(w+q)*n+f])
		}
	}
	if !cholesky(s.reduced[:k*k], s.right[:k]) {
		return false
	}
	clear(s.step)
	for r, v := range s.right[:k] {
		for i, c := range s.free {
			s.step[c] += float64(v * s.basis[(w+r)*n+i])
		}
	}
	// The multipliers cancel the gradient at the end of the step.
	for i, c := range s.free {
		for e, v := range s.step {
			s.gradient[i] += float64(s.m[c*n+e] * v)
		}
	}
	clear(s.lambda)
	rest := 1.0
	for r := w - 1; r >= 0; r-- {
		v := -portable.Dot(s.basis[r*n:r*n+f], s.gradient[:f])
		for q := r + 1; q < w; q++ {
			v -= float64(s.upper[r*n+q] * s.lambda[s.active[q+1]])
		}
		v /= s.upper[r*n+r]
		s.lambda[s.active[r+1]] = v
		rest -= v
	}
	s.lambda[s.active[0]] = rest
	return true
}

// differ stores an orthonormal basis of the differences between the first active plane and the others, over the free
// variables. It deactivates planes that depend on others.
func (s *quadratic) differ() {
	const dependent = 1e-9
	n := s.n
	s.free = s.free[:0]
	for c, at := range s.fixed {
		if at == 0 {
			s.free = append(s.free, c)
		}
	}
	f, reference := len(s.free), s.slope(s.active[0])
	kept := 1
	for _, k := range s.active[1:] {
		w := kept - 1
		if w < f {
			row := s.basis[w*n : w*n+f]
			for i, c := range s.free {
				row[i] = s.slope(k)[c] - reference[c]
			}
			size := portable.Norm(row)
			for q := range w {
				s.upper[q*n+w] = 0
			}
			for range 2 { // two passes are enough
				for q := range w {
					other := s.basis[q*n : q*n+f]
					v := portable.Dot(row, other)
					s.upper[q*n+w] += v
					for i := range row {
						row[i] -= float64(v * other[i])
					}
				}
			}
			if rest := portable.Norm(row); rest > dependent*size {
				s.upper[w*n+w] = rest
				for i := range row {
					row[i] /= rest
				}
				s.active[kept] = k
				kept++
				continue
			}
		}
		s.inside[k] = false
	}
	s.active = s.active[:kept]
}

// complete extends the first w rows to a basis of all free variables.
func (s *quadratic) complete(w int) {
	n, f := s.n, len(s.free)
	for i := range f {
		s.left[i] = 1
		for q := range w {
			s.left[i] -= float64(s.basis[q*n+i] * s.basis[q*n+i])
		}
	}
	for r := w; r < f; r++ {
		most := 0
		for i := range f {
			if s.left[i] > s.left[most] {
				most = i
			}
		}
		row := s.basis[r*n : r*n+f]
		clear(row)
		row[most] = 1
		for q := range r {
			other := s.basis[q*n : q*n+f]
			v := portable.Dot(row, other)
			for i := range row {
				row[i] -= float64(v * other[i])
			}
		}
		size := portable.Norm(row)
		for i := range row {
			row[i] /= size
			s.left[i] -= float64(row[i] * row[i])
		}
	}
}

// reach returns the largest fraction of the step, at most 1, that crosses no inactive plane and no bound. It also
// returns the plane or variable that limits the step, or −1. If several limit the step equally, reach returns the one
// that is crossed most steeply or, if first is true, the first one.
func (s *quadratic) reach(first bool) (t float64, plane, variable int) {
	const rounding = 1e-10
	t, plane, variable = 1, -1, -1
	longest, steepest := largest(s.step), 0.0
	if longest == 0 {
		return t, plane, variable
	}
	better := func(limit, rate float64) bool {
		tie := float64(1e-9*t) + 1e-15/longest
		switch {
		case limit >= 1:
			return false
		case plane < 0 && variable < 0 || limit < t-tie:
			return true
		}
		return limit <= t+tie && !first && rate > steepest
	}
	reference := s.slope(s.active[0])
	for k := range s.v {
		if s.inside[k] {
			continue
		}
		var rise, size float64
		for c, v := range s.slope(k) {
			rise += float64((v - reference[c]) * s.step[c])
			size = max(size, math.Abs(v-reference[c]))
		}
		if size *= longest; rise <= rounding*size {
			continue
		}
		if limit := max(s.z-s.at(k), 0) / rise; better(limit, rise/size) {
			t, plane, variable, steepest = min(limit, t), k, -1, rise/size
		}
	}
	for _, c := range s.free {
		room := s.high[c] - s.d[c]
		if s.step[c] < 0 {
			room = s.d[c] - s.low[c]
		}
		rate := math.Abs(s.step[c]) / longest
		if rate <= rounding {
			continue
		}
		if limit := max(room, 0) / math.Abs(s.step[c]); better(limit, rate) {
			t, plane, variable, steepest = min(limit, t), -1, c, rate
		}
	}
	return t, plane, variable
}

// release deactivates a plane or bound with a negative multiplier: the first one found if first is true, otherwise the
// one with the most negative multiplier. It reports whether any multiplier was negative.
func (s *quadratic) release(first bool) bool {
	const rounding = 1e-11
	n := s.n
	worst, plane, variable := 0.0, -1, -1
	for _, k := range s.active {
		if l := s.lambda[k]; l < -rounding && l < worst && !(first && plane >= 0) {
			worst, plane = l, k
		}
	}
	for c, at := range s.fixed {
		if at == 0 {
			continue
		}
		var sum, size float64
		for e, v := range s.d {
			sum += float64(s.m[c*n+e] * v)
			size += math.Abs(s.m[c*n+e] * v)
		}
		for _, k := range s.active {
			sum += float64(s.lambda[k] * s.slope(k)[c])
			size += math.Abs(s.lambda[k] * s.slope(k)[c])
		}
		if wrong := float64(at) * sum; wrong > rounding*size && -wrong/size < worst && !(first && (plane >= 0 || variable >= 0)) {
			worst, plane, variable = -wrong/size, -1, c
		}
	}
	switch {
	case plane >= 0:
		for j, k := range s.active {
			if k == plane {
				s.active = append(s.active[:j], s.active[j+1:]...)
				break
			}
		}
		s.inside[plane], s.lambda[plane] = false, 0
	case variable >= 0:
		s.fixed[variable] = 0
	default:
		return false
	}
	return true
}

// cholesky solves a system with a positive definite matrix, given by its lower half, and stores the solution in
// right.
func cholesky(a, right []float64) bool {
	n := len(right)
	for r := range n {
		for c := range r + 1 {
			v := a[r*n+c] - portable.Dot(a[r*n:r*n+c], a[c*n:c*n+c])
			if r > c {
				a[r*n+c] = v / a[c*n+c]
				continue
			}
			if !(v > 0) {
				return false
			}
			a[r*n+r] = math.Sqrt(v)
		}
		right[r] = (right[r] - portable.Dot(a[r*n:r*n+r], right[:r])) / a[r*n+r]
	}
	for r := n - 1; r >= 0; r-- {
		for q := r + 1; q < n; q++ {
			right[r] -= float64(a[q*n+r] * right[q])
		}
		right[r] /= a[r*n+r]
		if !finite(right[r]) {
			return false
		}
	}
	return true
}

// resized returns n zeros. It reuses the storage of v if possible.
func resized[T any](v []T, n int) []T {
	if cap(v) < n {
		return make([]T, n)
	}
	v = v[:n]
	clear(v)
	return v
}

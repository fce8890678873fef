package survey

import "math"

// quadratic solves small quadratic programs over the greatest of some planes,
//
//	min_d  ½ dᵀMd + max_k (v_k + a_k·d),   low ≤ d ≤ high,
//
// with low ≤ 0 ≤ high and a positive definite M, by the primal active-set method (Nocedal & Wright 2006, algorithm 16.3).
// minnorm.QP forms products of constraints, which loses half of the digits; here planes are nearly parallel, and their
// slopes differ by as much as objectives count. So each step solves the conditions of Karush, Kuhn and Tucker themselves.
type quadratic struct {
	n, count  int
	m         []float64 // n×n
	a, v      []float64 // planes, count×n and count
	low, high []float64

	d       []float64
	lambda  []float64 // of the planes
	push    []float64 // of the bounds: the gradient of the whole, 0 for variables that are free
	z       float64   // the greatest plane at d
	active  []int     // planes
	inside  []bool    // of planes, active
	fixed   []int8    // of variables: −1 at low, 1 at high
	free    []int
	step    []float64
	system  []float64
	right   []float64
	largest []float64
}

// reset empties the program for n variables.
func (s *quadratic) reset(n int) {
	s.n, s.count, s.a, s.v = n, 0, s.a[:0], s.v[:0]
	if len(s.d) != n {
		s.m, s.d, s.push, s.step = make([]float64, n*n), make([]float64, n), make([]float64, n), make([]float64, n)
		s.low, s.high = make([]float64, n), make([]float64, n)
		s.fixed = make([]int8, n)
	}
}

// plane adds a plane.
func (s *quadratic) plane(v float64, a []float64) {
	s.count++
	s.a, s.v = append(s.a, a...), append(s.v, v)
}

func (s *quadratic) slope(k int) []float64 { return s.a[k*s.n : (k+1)*s.n] }

// solve stores the minimiser in d, and the multipliers of planes and bounds. It reports false where rounding keeps it from
// the end; d is within the bounds then, and no worse than 0.
func (s *quadratic) solve() bool {
	const patience = 20 // steps of length 0, after which the first index decides, which cannot go round in circles
	n := s.n
	clear(s.d)
	clear(s.fixed)
	s.lambda, s.inside = resized(s.lambda, s.count), resizedBool(s.inside, s.count)
	s.z = math.Inf(-1)
	first := 0
	for k, v := range s.v {
		if v > s.z {
			s.z, first = v, k
		}
	}
	s.active = append(s.active[:0], first)
	s.inside[first] = true
	idle := 0
	for range 20*(n+s.count) + 50 {
		fall, ok := s.aim()
		if !ok {
			return false
		}
		t, plane, variable := s.reach(fall, idle > patience)
		for c := range s.d {
			s.d[c] = min(max(s.d[c]+t*s.step[c], s.low[c]), s.high[c])
		}
		s.z = math.Inf(-1)
		for k := range s.v {
			s.z = max(s.z, s.at(k))
		}
		if t*largest(s.step) > 1e-15 {
			idle = 0
		} else {
			idle++
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
		default:
			if !s.release(idle > patience) {
				return s.met()
			}
		}
	}
	return false
}

// met reports whether planes with multipliers are the greatest ones at d, but for rounding.
func (s *quadratic) met() bool {
	const rounding = 1e-9
	for _, k := range s.active {
		size := math.Abs(s.v[k])
		for c, v := range s.slope(k) {
			size = max(size, math.Abs(v)*(s.high[c]-s.low[c]))
		}
		if s.lambda[k] > rounding && s.z-s.at(k) > rounding*size {
			return false
		}
	}
	return true
}

// aim stores the step to the minimum on the active planes and bounds, and the planes' multipliers there. fall is how the
// greatest plane changes.
func (s *quadratic) aim() (fall float64, ok bool) {
	n := s.n
	s.free = s.free[:0]
	for c, at := range s.fixed {
		if at == 0 {
			s.free = append(s.free, c)
		}
	}
	f, w := len(s.free), len(s.active)
	size := f + 1 + w
	s.system, s.right = resized(s.system, size*size), resized(s.right, size)
	for r, c := range s.free {
		row := s.system[r*size : (r+1)*size]
		for j, e := range s.free {
			row[j] = s.m[c*n+e]
		}
		for j, k := range s.active {
			row[f+1+j] = s.slope(k)[c]
		}
		for e, v := range s.d {
			s.right[r] -= s.m[c*n+e] * v
		}
	}
	for j, k := range s.active {
		s.system[f*size+f+1+j] = 1 // multipliers are shares
		row := s.system[(f+1+j)*size : (f+2+j)*size]
		for i, c := range s.free {
			row[i] = s.slope(k)[c]
		}
		row[f] = -1
		s.right[f+1+j] = s.z - s.at(k)
	}
	s.right[f] = 1
	if !eliminate(s.system, s.right, &s.largest) {
		return 0, false
	}
	clear(s.step)
	for i, c := range s.free {
		s.step[c] = s.right[i]
	}
	clear(s.lambda)
	for j, k := range s.active {
		s.lambda[k] = s.right[f+1+j]
	}
	return s.right[f], true
}

// at is plane k at d.
func (s *quadratic) at(k int) float64 {
	sum := s.v[k]
	for c, v := range s.slope(k) {
		sum += v * s.d[c]
	}
	return sum
}

// reach returns the part of the step that stays below no plane and within the bounds, at most 1, and what ends it: a plane
// or a variable, −1 for none. Of those that end it alike it is the one that is crossed most steeply, or the first.
func (s *quadratic) reach(fall float64, first bool) (t float64, plane, variable int) {
	const rounding = 1e-12
	t, plane, variable = 1, -1, -1
	if len(s.active) > len(s.free) || largest(s.step) <= 1e-14*s.width() { // it stays where it is: this mends rounding
		return t, plane, variable
	}
	steepest := 0.0
	longest := largest(s.step)
	alike := 1e-15 / max(longest, math.SmallestNonzeroFloat64)
	better := func(limit, rate float64) bool {
		switch tie := alike + 1e-9*t; {
		case limit >= 1:
			return false
		case plane < 0 && variable < 0 || limit < t-tie:
			return true
		case limit <= t+tie && !first:
			return rate > steepest
		}
		return false
	}
	for k := range s.v {
		if s.inside[k] {
			continue
		}
		rise, size := -fall, math.Abs(fall)
		for c, v := range s.slope(k) {
			rise += v * s.step[c]
			size += math.Abs(v * s.step[c])
		}
		if rise <= rounding*size {
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
		if math.Abs(s.step[c]) <= rounding*longest {
			continue
		}
		if limit := max(room, 0) / math.Abs(s.step[c]); better(limit, 1) {
			t, plane, variable, steepest = min(limit, t), -1, c, 1
		}
	}
	return t, plane, variable
}

// width is the largest distance of bounds.
func (s *quadratic) width() (most float64) {
	for c, v := range s.high {
		most = max(most, v-s.low[c])
	}
	return most
}

// release lets go of the plane or the bound with the most negative multiplier, or the first one, and reports whether there
// was one.
func (s *quadratic) release(first bool) bool {
	const rounding = 1e-11
	n := s.n
	worst, plane, variable := 0.0, -1, -1
	for _, k := range s.active {
		if l := s.lambda[k]; l < -rounding && l < worst && !(first && plane >= 0) {
			worst, plane = l, k
		}
	}
	clear(s.push)
	for c, at := range s.fixed {
		if at == 0 {
			continue
		}
		var sum, size float64
		for e, v := range s.d {
			sum += s.m[c*n+e] * v
			size += math.Abs(s.m[c*n+e] * v)
		}
		for _, k := range s.active {
			sum += s.lambda[k] * s.slope(k)[c]
			size += math.Abs(s.lambda[k] * s.slope(k)[c])
		}
		s.push[c] = sum
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

// eliminate stores the solution of a square system in right, by elimination with pivots that are the largest of their
// column relative to their rows. It reports false for a singular one.
func eliminate(matrix, right []float64, scratch *[]float64) bool {
	n := len(right)
	sizes := resized(*scratch, n)
	*scratch = sizes
	for r := range n {
		sizes[r] = largest(matrix[r*n : (r+1)*n])
		if !(sizes[r] > 0) {
			return false
		}
	}
	for col := range n {
		pivot, best := col, 0.0
		for r := col; r < n; r++ {
			if v := math.Abs(matrix[r*n+col]) / sizes[r]; v > best {
				pivot, best = r, v
			}
		}
		if !(best > 0) {
			return false
		}
		if pivot != col {
			for c := range n {
				matrix[pivot*n+c], matrix[col*n+c] = matrix[col*n+c], matrix[pivot*n+c]
			}
			right[pivot], right[col] = right[col], right[pivot]
			sizes[pivot], sizes[col] = sizes[col], sizes[pivot]
		}
		for r := col + 1; r < n; r++ {
			part := matrix[r*n+col] / matrix[col*n+col]
			if part == 0 {
				continue
			}
			for c := col + 1; c < n; c++ {
				matrix[r*n+c] -= part * matrix[col*n+c]
			}
			right[r] -= part * right[col]
		}
	}
	for r := n - 1; r >= 0; r-- {
		for c := r + 1; c < n; c++ {
			right[r] -= matrix[r*n+c] * right[c]
		}
		right[r] /= matrix[r*n+r]
		if !finite(right[r]) {
			return false
		}
	}
	return true
}

// resized returns zeros, in the storage of v where there is room.
func resized(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	v = v[:n]
	clear(v)
	return v
}

func resizedBool(v []bool, n int) []bool {
	if cap(v) < n {
		return make([]bool, n)
	}
	v = v[:n]
	clear(v)
	return v
}

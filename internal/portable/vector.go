package portable

import "math"

// longRow is the length from which a vectorised product is faster.
const longRow = 32

// Dot returns Σ a_i·b_i, where b is at least as long as a. It sums vectors of fewer than 32 elements in index order. For longer ones it
// uses gonum's vectorised product on amd64, which sums in four parts; elsewhere a loop sums the same parts and returns the same bits.
func Dot(a, b []float64) float64 {
	if len(a) >= longRow {
		return long(a, b)
	}
	var s float64
	for i, v := range a {
		s += float64(v * b[i])
	}
	return s
}

// inFour computes Dot in the order of the vectorised product.
func inFour(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	for ; len(a) >= 4; a, b = a[4:], b[4:] {
		b = b[:len(a)]
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
	}
	for i, v := range a {
		s0 += float64(v * b[i])
	}
	return (s0 + s2) + (s1 + s3)
}

// Norm returns the Euclidean length of v. It does not overflow or underflow on the way.
func Norm(v []float64) float64 {
	if s := Dot(v, v); s > 0x1p-900 && s <= math.MaxFloat64 {
		return math.Sqrt(s)
	}
	var largest float64
	for _, x := range v {
		if x != x {
			return x
		}
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 || largest > math.MaxFloat64 {
		return largest
	}
	_, exponent := math.Frexp(largest)
	var s float64
	for _, x := range v {
		x = math.Ldexp(x, -exponent)
		s += float64(x * x)
	}
	return math.Ldexp(math.Sqrt(s), exponent)
}

// loopAddScaledTo implements AddScaledTo where there is no vectorised code.
func loopAddScaledTo(dst, base []float64, by float64, v []float64) {
	if len(dst) != len(v) || len(base) != len(v) {
		panic("portable: lengths of vectors that are added")
	}
	for i, x := range v {
		dst[i] = base[i] + float64(by*x)
	}
}

// Sum returns the sum of v in eight parts. Gonum's vectorised sum has this order if the vector begins at a multiple of 16 bytes.
// Vectors with fewer than four elements are summed in index order.
func Sum(v []float64) float64 {
	var s [8]float64
	for ; len(v) >= 16; v = v[16:] {
		for k := range s {
			s[k] += v[k]
			s[k] += v[8+k]
		}
	}
	if len(v) >= 8 {
		for k := range s {
			s[k] += v[k]
		}
		v = v[8:]
	}
	s[0], s[1], s[2], s[3] = s[0]+s[6], s[1]+s[7], s[2]+s[4], s[3]+s[5]
	if len(v) >= 4 {
		for k := range 4 {
			s[k] += v[k]
		}
		v = v[4:]
	}
	s[0], s[1] = s[0]+s[2], s[1]+s[3]
	if len(v) >= 2 {
		s[0], s[1] = s[0]+v[0], s[1]+v[1]
		v = v[2:]
	}
	sum := s[0] + s[1]
	if len(v) > 0 {
		sum += v[0]
	}
	return sum
}

// Distance returns the Euclidean distance between a and b. It does not overflow or underflow on the way, and rounds as Length does. It
// panics if the lengths differ.
func Distance(a, b []float64) float64 {
	if len(a) != len(b) {
		panic("portable: lengths of points")
	}
	var s scaledSquares
	for i, x := range a {
		s.add(x - b[i])
	}
	return s.root()
}

// Length returns the Euclidean length of v. It is slower than Norm and rounds differently: it adds one element at a time, divided by
// the largest so far, as BLAS's reference implementation does. Published tables and answers depend on its bits.
func Length(v []float64) float64 {
	var s scaledSquares
	for _, x := range v {
		s.add(x)
	}
	return s.root()
}

// scaledSquares is a sum of squares, stored as scale² times sum.
type scaledSquares struct{ scale, sum float64 }

func (s *scaledSquares) add(x float64) {
	x = math.Abs(x)
	switch {
	case x == 0:
	case x != x || s.scale != s.scale:
		s.scale = math.NaN()
	case x > s.scale:
		ratio := s.scale / x
		s.scale, s.sum = x, 1+float64(s.sum*ratio*ratio)
	case x <= math.MaxFloat64:
		ratio := x / s.scale
		s.sum += float64(ratio * ratio)
	}
}

func (s *scaledSquares) root() float64 {
	if s.scale > math.MaxFloat64 {
		return s.scale
	}
	return s.scale * math.Sqrt(s.sum)
}

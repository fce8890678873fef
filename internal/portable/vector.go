package portable

import "math"

// longRow is the smallest length for which calling the vectorised product is faster than a loop.
const longRow = 32

// Dot returns Σ a_i·b_i. The slice b must be at least as long as a. Below 32 elements it sums in index order. For
// longer vectors it calls gonum's vectorised product on amd64, which sums in four parts. On other processors a loop
// sums in the same parts, with the same bits.
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

// inFour returns Σ a_i·b_i, like Dot. It sums in the order of the vectorised product.
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

// Norm returns the Euclidean length of v. It avoids intermediate overflow and underflow.
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

// loopAddScaledTo does the same as AddScaledTo, without vectorised code.
func loopAddScaledTo(dst, base []float64, by float64, v []float64) {
	if len(dst) != len(v) || len(base) != len(v) {
		panic("portable: vectors to add have different lengths")
	}
	for i, x := range v {
		dst[i] = base[i] + float64(by*x)
	}
}

// Sum returns the sum of v. It adds in eight parts, in the same order as gonum's vectorised sum of a vector that
// starts at a multiple of 16 bytes. It sums fewer than four elements in index order.
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

// Distance returns the Euclidean distance between a and b. It avoids intermediate overflow and underflow, and rounds
// in the same way as Length. It panics if the lengths differ.
func Distance(a, b []float64) float64 {
	if len(a) != len(b) {
		panic("portable: points have different lengths")
	}
	var s scaledSquares
	for i, x := range a {
		s.add(x - b[i])
	}
	return s.root()
}

// Length returns the Euclidean length of v, like Norm, but it is slower and rounds differently. Like the reference
// implementation of BLAS, it adds one element at a time, divided by the largest so far. Stored tables and answers depend on
// the bits that Length returns.
func Length(v []float64) float64 {
	var s scaledSquares
	for _, x := range v {
		s.add(x)
	}
	return s.root()
}

// scaledSquares is a sum of squares, equal to scale²·sum.
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

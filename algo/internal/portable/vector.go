package portable

import "math"

// longRow is the least length for which a vectorised product is worth its call.
const longRow = 32

// Dot returns Σ a_i·b_i, where b is at least as long as a. Below 32 elements it sums in
// index order. From there on it is gonum's vectorised product on amd64, which sums in
// four parts; elsewhere a loop sums in the same parts, and gives the same bits.
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

// inFour is Dot in the order of the vectorised product.
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

// Norm returns the Euclidean length of v, without overflow or underflow on the way.
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

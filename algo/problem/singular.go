package problem

import (
	"math"

	"paretoplay/internal/portable"
)

// singular replaces the columns of a matrix, each of the same length, by their products with an
// orthogonal matrix, so that they are orthogonal, the longest first. It returns that matrix by its
// columns. The product's columns are the left singular vectors times the singular values, and the
// returned ones the right singular vectors. The method is one-sided Jacobi, which is as accurate as
// the columns and fast for few of them.
//
// References:
//   - Golub & Van Loan (2013), Matrix computations, 4th edition, section 8.6.3.
func singular(columns [][]float64) [][]float64 {
	n := len(columns)
	right := make([][]float64, n)
	for i := range right {
		right[i] = make([]float64, n)
		right[i][i] = 1
	}
	const maxSweeps = 60                           // each squares the remaining angles once they are small
	rounding := 0x1p-52 * float64(len(columns[0])) // of their products
	for sweep, rotated := 0, true; rotated && sweep < maxSweeps; sweep++ {
		rotated = false
		for i := range n {
			for j := i + 1; j < n; j++ {
				a, b := columns[i], columns[j]
				aa, bb, ab := portable.Dot(a, a), portable.Dot(b, b), portable.Dot(a, b)
				if aa < bb {
					columns[i], columns[j], right[i], right[j] = b, a, right[j], right[i]
					a, b, aa, bb = b, a, bb, aa
					rotated = true
				}
				if math.Abs(ab) <= rounding*math.Sqrt(aa)*math.Sqrt(bb) {
					continue
				}
				rotated = true
				zeta := (aa - bb) / (2 * ab)
				tangent := math.Copysign(1/(math.Abs(zeta)+math.Sqrt(1+float64(zeta*zeta))), zeta)
				cosine := 1 / math.Sqrt(1+float64(tangent*tangent))
				rotate(a, b, cosine, cosine*tangent)
				rotate(right[i], right[j], cosine, cosine*tangent)
			}
		}
	}
	return right
}

// rotate turns a and b into cosine·a + sine·b and cosine·b − sine·a.
func rotate(a, b []float64, cosine, sine float64) {
	for i, v := range a {
		a[i] = float64(cosine*v) + float64(sine*b[i])
		b[i] = float64(cosine*b[i]) - float64(sine*v)
	}
}

package problem

import (
	"math"

	"paretoplay/internal/portable"
)

// singular multiplies a matrix, given by its columns, by an orthogonal matrix, so that the columns become orthogonal,
// with the longest first. The new columns are the left singular vectors times the singular values. singular returns the
// columns of the orthogonal matrix, which are the right singular vectors. It uses the one-sided Jacobi method, which is
// as accurate as the columns are, and fast for few columns.
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
	const maxSweeps = 60                           // once the remaining angles are small, each sweep squares them
	rounding := 0x1p-52 * float64(len(columns[0])) // rounding error of the products of columns
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

// rotate replaces a and b by cosine·a + sine·b and cosine·b − sine·a.
func rotate(a, b []float64, cosine, sine float64) {
	for i, v := range a {
		a[i] = float64(cosine*v) + float64(sine*b[i])
		b[i] = float64(cosine*b[i]) - float64(sine*v)
	}
}

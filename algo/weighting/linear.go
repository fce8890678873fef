package weighting

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// eps is the distance from 1 to the next float64.
const eps = 0x1p-52

// cosines stores the lengths ‖g_i‖ in norms and the cosines between the rows in c, m×m, computed from the Gramian.
// The cosines of a zero row are 0.
func cosines(c, norms, gram []float64) {
	m := len(norms)
	for i := range norms {
		norms[i] = math.Sqrt(max(gram[i*m+i], 0))
	}
	for i, n := range norms {
		out := c[i*m : (i+1)*m]
		for k, v := range gram[i*m : (i+1)*m] {
			out[k] = 0
			if n > 0 && norms[k] > 0 {
				out[k] = min(max(v/n/norms[k], -1), 1)
			}
		}
		if n > 0 {
			out[i] = 1
		}
	}
}

// cholesky stores in factor the lower triangular factor of the k×k matrix a. It raises pivots to at least floor times
// their diagonal elements. It returns the smallest ratio of a pivot to its diagonal element. The ratio is the squared
// sine of the angle between a row and the span of the rows before it.
func cholesky(factor, a []float64, k int, floor float64) float64 {
	least := math.Inf(1)
	for i := range k {
		row := factor[i*k : (i+1)*k]
		for j := range i {
			other := factor[j*k : j*k+j+1]
			v := a[i*k+j]
			for b, w := range other[:j] {
				v -= float64(row[b] * w)
			}
			row[j] = v / other[j]
		}
		diagonal := a[i*k+i]
		pivot := diagonal
		for _, v := range row[:i] {
			pivot -= float64(v * v)
		}
		least = min(least, pivot/diagonal)
		row[i] = math.Sqrt(max(pivot, floor*diagonal))
	}
	return least
}

// substitute replaces v by the solution x of LLᵀx = v, where L is a factor from cholesky.
func substitute(factor, v []float64) {
	k := len(v)
	for i := range v {
		l := factor[i*k : i*k+i+1]
		for j, w := range l[:i] {
			v[i] -= float64(w * v[j])
		}
		v[i] /= l[i]
	}
	for i := k - 1; i >= 0; i-- {
		l := factor[i*k : i*k+i+1]
		v[i] /= l[i]
		for j, w := range l[:i] {
			v[j] -= float64(w * v[i])
		}
	}
}

// decomposition computes the singular value decomposition A = UΣVᵀ of a matrix with few
// rows, by one-sided Jacobi rotations of the rows. Singular values down to ε·σ_1 have high
// relative accuracy, even if the rows differ widely in size.
//
// References:
//   - Demmel & Veselić (1992), Jacobi's method is more accurate than QR, SIAM
//     Journal on Matrix Analysis and Applications 13.
type decomposition struct {
	rows, columns int
	a             []float64 // rows×columns: A, then ΣVᵀ
	u             []float64 // rows×rows: Uᵀ
	sigma         []float64 // not sorted
}

// resize allocates a rows×columns matrix in d.a, which the caller fills.
func (d *decomposition) resize(rows, columns int) {
	d.rows, d.columns = rows, columns
	d.a, d.u, d.sigma = resize(d.a, rows*columns), resize(d.u, rows*rows), resize(d.sigma, rows)
}

// decompose computes u and sigma. It overwrites a with ΣVᵀ.
func (d *decomposition) decompose() {
	m, n := d.rows, d.columns
	clear(d.u)
	var negligible float64
	for i := range m {
		d.u[i*m+i] = 1
		negligible = max(negligible, length(d.a[i*n:(i+1)*n]))
	}
	// Rows whose squared length is at most negligible are rounding errors, and so are their singular values.
	negligible *= eps * negligible * eps
	// Usually six to ten sweeps suffice, because convergence is quadratic.
	for range 60 {
		rotated := false
		for p := range m {
			for q := p + 1; q < m; q++ {
				x, y := d.a[p*n:(p+1)*n], d.a[q*n:(q+1)*n]
				var xx, yy, xy float64
				for i, v := range x {
					w := y[i]
					xx += float64(v * v)
					yy += float64(w * w)
					xy += float64(v * w)
				}
				if math.Abs(xy) <= 4*eps*math.Sqrt(xx)*math.Sqrt(yy) || min(xx, yy) <= negligible {
					continue
				}
				rotated = true
				zeta := (yy - xx) / (2 * xy)
				t := 1 / (math.Abs(zeta) + portable.Hypot(1, zeta))
				if zeta < 0 {
					t = -t
				}
				cosine := 1 / math.Sqrt(1+float64(t*t))
				rotate(x, y, cosine, t*cosine)
				rotate(d.u[p*m:(p+1)*m], d.u[q*m:(q+1)*m], cosine, t*cosine)
			}
		}
		if !rotated {
			break
		}
	}
	for i := range m {
		d.sigma[i] = length(d.a[i*n : (i+1)*n])
	}
}

// spectrum computes the left singular vectors of a matrix U of k unit gradients, and the squares of the singular
// values of U.
type spectrum struct {
	values  decomposition
	squares []float64 // of the singular values

	triangle triangle
	factor   []float64 // m×m
}

// find decomposes the gradients of the input whose indices are in rows. None of them may be zero. c holds their k×k
// cosines. It returns the floor below which values.sigma counts as a rounding error. If the rows are given,
// values.sigma contains the singular values; otherwise it contains their squares.
func (s *spectrum) find(in *algo.Input, rows []int, c []float64) (floor float64) {
	k := len(rows)
	rank := k
	if in.Jacobian != nil {
		m := in.Jacobian.Rows
		rank = max(m, in.Jacobian.Cols)
		s.factor = resize(s.factor, m*m)
		s.triangle.factor(s.factor, in.Jacobian)
		s.values.resize(k, m)
		for p, i := range rows {
			row := s.factor[i*m : (i+1)*m]
			size := length(row)
			for q, v := range row {
				s.values.a[p*m+q] = v / size
			}
		}
	} else {
		s.values.resize(k, k)
		copy(s.values.a, c)
	}
	s.values.decompose()
	s.squares = resize(s.squares, k)
	var largest float64
	for p, v := range s.values.sigma {
		largest = max(largest, v)
		s.squares[p] = v
		if in.Jacobian != nil {
			s.squares[p] = v * v
		}
	}
	return 8 * float64(rank) * eps * largest
}

func rotate(x, y []float64, cosine, sine float64) {
	for i, v := range x {
		w := y[i]
		x[i], y[i] = float64(cosine*v)-float64(sine*w), float64(sine*v)+float64(cosine*w)
	}
}

func dot(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}

func length(v []float64) float64 { return math.Sqrt(dot(v, v)) }

// triangle computes the m×m lower triangular matrix L of G = LQ, where Q has orthonormal rows. L has the same Gramian
// as G, but preserves digits that are lost in GGᵀ.
type triangle struct {
	rows []float64 // m×n, G and then the Householder vectors
}

// factor stores L in l, an m×m matrix in row-major order.
func (t *triangle) factor(l []float64, jac *algo.Jacobian) {
	m, n := jac.Rows, jac.Cols
	t.rows = resize(t.rows, len(jac.Data))
	copy(t.rows, jac.Data)
	clear(l)
	for k := range min(m, n) {
		v := t.rows[k*n+k : (k+1)*n]
		size := length(v)
		if size == 0 {
			for i := k; i < m; i++ {
				l[i*m+k] = t.rows[i*n+k]
			}
			continue
		}
		if v[0] > 0 {
			size = -size
		}
		// The reflection I − vvᵀ/β maps row k to size·e_k.
		v[0] -= size
		beta := -size * v[0]
		l[k*m+k] = size
		for i := k + 1; i < m; i++ {
			row := t.rows[i*n+k : (i+1)*n]
			s := dot(row, v) / beta
			for c, w := range v {
				row[c] -= float64(s * w)
			}
			l[i*m+k] = row[0]
		}
	}
}

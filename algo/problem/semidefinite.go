package problem

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// semidefinite is a factor of a positive semidefinite n×n matrix H, used to solve Hx = v if there is a solution. It
// is the Cholesky factor of SHS, where S is the diagonal matrix of 1/√H_jj. The largest pivots come first, and the
// factorization ends at the rank. Because of the scaling by S, results do not depend on the units of the variables.
//
// References:
//   - Higham (2002), Accuracy and stability of numerical algorithms, 2nd edition, section 10.3,
//     for complete pivoting and for the reason why a pivot below n·ε does not count.
type semidefinite struct {
	n, rank int
	factor  []float64 // rows in pivot order, lower triangular in the first rank columns
	order   []int     // variable of each row
	scale   []float64 // S; 0 for a variable that does not occur in H
	solved  []float64 // scratch space
}

// leastPivot times n is a lower limit: smaller pivots of a matrix with unit diagonal count as 0.
const leastPivot = 0x1p-50

// factorize returns the factor of the matrix whose lower triangle is in h, in row-major order.
func factorize(h []float64, n int, yielder *algo.Yielder) *semidefinite {
	f := &semidefinite{
		n: n, factor: make([]float64, n*n), order: make([]int, n), scale: make([]float64, n), solved: make([]float64, n),
	}
	pivots := make([]float64, n)
	for i := range n {
		f.order[i] = i
		if v := h[i*n+i]; v > 0 {
			f.scale[i], pivots[i] = 1/math.Sqrt(v), 1
		}
	}
	for k := range n {
		yielder.Yield((n - k) * (k + 1))
		best := k
		for i := k + 1; i < n; i++ {
			if pivots[i] > pivots[best] {
				best = i
			}
		}
		if !(pivots[best] > leastPivot*float64(n)) {
			break
		}
		f.rank++
		f.exchange(pivots, k, best)
		row := f.factor[k*n : k*n+k+1]
		row[k] = math.Sqrt(pivots[k])
		for i := k + 1; i < n; i++ {
			a, b := f.order[i], f.order[k]
			scaled := float64(f.scale[a] * h[max(a, b)*n+min(a, b)] * f.scale[b])
			other := f.factor[i*n : i*n+k+1]
			other[k] = (scaled - portable.Dot(other[:k], row)) / row[k]
			pivots[i] -= float64(other[k] * other[k])
		}
	}
	return f
}

// roots returns the rows of a matrix R with R·Rᵀ = H. A row has at most rank entries. Entries beyond its end are 0.
func (f *semidefinite) roots() [][]float64 {
	rows := make([][]float64, f.n)
	for i, j := range f.order {
		if f.scale[j] == 0 {
			continue
		}
		rows[j] = make([]float64, min(i+1, f.rank))
		setScaled(rows[j], 1/f.scale[j], f.factor[i*f.n:i*f.n+len(rows[j])])
	}
	return rows
}

// exchange swaps rows a ≤ b before column a is computed.
func (f *semidefinite) exchange(pivots []float64, a, b int) {
	if a == b {
		return
	}
	pivots[a], pivots[b] = pivots[b], pivots[a]
	f.order[a], f.order[b] = f.order[b], f.order[a]
	one, other := f.factor[a*f.n:a*f.n+a], f.factor[b*f.n:b*f.n+a]
	for j, v := range one {
		one[j], other[j] = other[j], v
	}
}

// solve replaces v, of length n, by an x with Hx = v if one exists. Variables whose pivots are beyond the rank are 0 in x.
func (f *semidefinite) solve(v []float64) {
	x := f.solved[:f.rank]
	for i := range x {
		row := f.factor[i*f.n : i*f.n+i+1]
		j := f.order[i]
		x[i] = (float64(f.scale[j]*v[j]) - portable.Dot(row[:i], x)) / row[i]
	}
	for i := f.rank - 1; i >= 0; i-- {
		row := f.factor[i*f.n : i*f.n+i+1]
		x[i] /= row[i]
		addScaled(x[:i], -x[i], row[:i])
	}
	clear(v)
	for i, s := range x {
		j := f.order[i]
		v[j] = f.scale[j] * s
	}
}

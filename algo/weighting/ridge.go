package weighting

import (
	"cmp"
	"math"
	"slices"

	"paretoplay/algo"
)

// ridge minimises
//
//	‖x‖² + Σ w_i(a_i·x − t_i)²
//
// for rows a_i of similar length and any weights w_i > 0. It applies Householder reflections to the rows √w_i·a_i and
// to the rows of the identity matrix, sorted with the largest first, and always pivots on the longest column. In this
// order, rows of large weight do not destroy the digits of rows of small weight.
//
// References:
//   - Cox & Higham (1998), Stability of Householder QR factorization for weighted
//     least squares problems, in Numerical Analysis 1997.
type ridge struct {
	x      []float64 // n
	forces []float64 // m, w_i(t_i − a_i·x), with x = Σ forces_i a_i

	order   []int     // order of the m+n rows, the largest first; indices from m on are rows of the identity matrix
	roots   []float64 // m, √w_i
	columns []float64 // n columns of m+n entries, then Householder vectors and the triangle
	pivots  []int     // n, index of the k-th column
	betas   []float64 // n
	rhs     []float64 // m+n
}

// solve stores x and forces. a is m×n; w and t have length m.
func (s *ridge) solve(a *algo.Jacobian, w, t []float64) {
	m, n := a.Rows, a.Cols
	rows := m + n
	s.x, s.forces = resize(s.x, n), resize(s.forces, m)
	s.roots, s.columns, s.betas, s.rhs = resize(s.roots, m), resize(s.columns, n*rows), resize(s.betas, n), resize(s.rhs, rows)
	if len(s.order) != rows || len(s.pivots) != n {
		s.order, s.pivots = make([]int, rows), make([]int, n)
	}
	for i, v := range w {
		s.roots[i] = math.Sqrt(v)
	}
	for i := range s.order {
		s.order[i] = i
	}
	size := func(i int) float64 {
		if i < m {
			return s.roots[i]
		}
		return 1
	}
	slices.SortStableFunc(s.order, func(i, j int) int { return cmp.Compare(size(j), size(i)) })
	for p, i := range s.order {
		s.rhs[p] = 0
		if i < m {
			s.rhs[p] = s.roots[i] * t[i]
		}
		for c := range n {
			v := 0.0
			if i < m {
				v = s.roots[i] * a.Row(i)[c]
			} else if i-m == c {
				v = 1
			}
			s.columns[c*rows+p] = v
		}
	}
	for c := range n {
		s.pivots[c] = c
	}
	for k := range n {
		longest, at := -1.0, k
		for c := k; c < n; c++ {
			column := s.column(c)[k:]
			if square := dot(column, column); square > longest {
				longest, at = square, c
			}
		}
		s.pivots[k], s.pivots[at] = s.pivots[at], s.pivots[k]
		v := s.column(k)[k:]
		head := v[0]
		norm := math.Sqrt(longest) // at least 1, because of the row of the identity matrix
		if head > 0 {
			norm = -norm
		}
		v[0] = head - norm
		s.betas[k] = -1 / (norm * v[0])
		for c := k + 1; c < n; c++ {
			s.reflect(k, s.column(c))
		}
		s.reflect(k, s.rhs)
		s.x[k] = norm // holds the diagonal of the triangle until x is computed
	}
	for k := n - 1; k >= 0; k-- {
		v := s.rhs[k]
		for c := k + 1; c < n; c++ {
			v -= float64(s.column(c)[k] * s.x[c])
		}
		s.x[k] = v / s.x[k]
	}
	// The residual is the component of the right-hand side orthogonal to the columns.
	clear(s.rhs[:n])
	for k := n - 1; k >= 0; k-- {
		s.reflect(k, s.rhs)
	}
	for p, i := range s.order {
		if i < m {
			s.forces[i] = s.roots[i] * s.rhs[p]
		}
	}
	copy(s.rhs, s.x)
	for k, c := range s.pivots {
		s.x[c] = s.rhs[k]
	}
}

// column returns the k-th column in pivot order.
func (s *ridge) column(k int) []float64 {
	rows := len(s.rhs)
	return s.columns[s.pivots[k]*rows : (s.pivots[k]+1)*rows]
}

// reflect applies Householder reflection k to a vector.
func (s *ridge) reflect(k int, to []float64) {
	v := s.column(k)[k:]
	to = to[k:]
	factor := s.betas[k] * dot(v, to)
	for i, x := range v {
		to[i] -= float64(factor * x)
	}
}

package minnorm

import (
	"math"

	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// UnitRows stores the rows g_i of a Jacobian as unit vectors ĝ_i = g_i/‖g_i‖, with few coordinates in an
// orthonormal basis. If rows nearly cancel, a Gramian keeps half of their digits, while these coordinates keep all.
// The zero value is ready for Set.
//
// If n ≤ m, the coordinates are the given entries. Otherwise Householder reflections factor G = LQ, one block of
// columns at a time. Each block is combined with the triangle of the earlier blocks, so that the rows pass through
// the cache only once.
//
// References:
//   - Golub & Van Loan (2013), Matrix Computations, section 5.2.
//   - Demmel, Grigori, Hoemmen & Langou (2012), Communication-optimal parallel and
//     sequential QR and LU factorizations, SIAM Journal on Scientific Computing 34.
type UnitRows struct {
	// Unit is m×r with r = min(m, n). Row i contains the coordinates of ĝ_i, or zeros if g_i is zero.
	Unit *algo.Jacobian

	m, n    int
	vectors []float64 // m×n, block after block: first rows, later Householder vectors
	heads   []float64 // m for each block: the entry of a Householder vector in the triangle
	betas   []float64 // m for each block: 2/‖vector‖², or 0 if there is no reflection
	head    []float64 // r, for Expand
}

// reflected is the number of columns per block.
const reflected = 512

// Set computes the coordinates of the rows of jac, which is m×n. norms, of length m, contains the lengths of the rows;
// 0 means a zero row. Set modifies neither, and panics if the length of norms is not m.
func (s *UnitRows) Set(jac *algo.Jacobian, norms []float64) {
	if len(norms) != jac.Rows {
		panic("minnorm: wrong length of norms")
	}
	s.m, s.n = jac.Rows, jac.Cols
	m, n := s.m, s.n
	r := min(m, n)
	if s.Unit == nil || s.Unit.Rows != m || s.Unit.Cols != r {
		s.Unit = algo.NewJacobian(m, r)
	}
	if n <= m {
		for i, norm := range norms {
			scaleTo(s.Unit.Row(i), jac.Row(i), powerBelow(norm))
		}
		s.normalise()
		return
	}
	clear(s.Unit.Data)
	blocks := (n + reflected - 1) / reflected
	resize(&s.vectors, m*n)
	resize(&s.heads, blocks*m)
	resize(&s.betas, blocks*m)
	for b := range blocks {
		lo, hi := s.columns(b)
		for i, norm := range norms {
			scaleTo(s.vector(b, i), jac.Row(i)[lo:hi], powerBelow(norm))
		}
		s.reflect(b)
	}
	s.normalise()
}

// powerBelow returns the power of two that scales norm to a number in [½, 1). It returns 0 for 0.
func powerBelow(norm float64) float64 {
	if norm == 0 {
		return 0
	}
	_, exponent := math.Frexp(norm)
	return math.Ldexp(1, -exponent)
}

func scaleTo(to, from []float64, factor float64) {
	to = to[:len(from)]
	for c, v := range from {
		to[c] = factor * v
	}
}

// normalise divides the rows of Unit by their lengths. Before this, they are the given rows times powers of two, and
// have lost no digits.
func (s *UnitRows) normalise() {
	for i := range s.m {
		row := s.Unit.Row(i)
		if size := math.Sqrt(dot(row, row)); size > 0 {
			for c := range row {
				row[c] /= size
			}
		}
	}
}

// columns returns the range of columns in block b: lo to hi−1.
func (s *UnitRows) columns(b int) (lo, hi int) { return b * reflected, min((b+1)*reflected, s.n) }

// vector returns the part of row i, or of Householder vector i, in block b.
func (s *UnitRows) vector(b, i int) []float64 {
	lo, hi := s.columns(b)
	at := lo*s.m + i*(hi-lo)
	return s.vectors[at : at+hi-lo]
}

// reflect moves the content of block b into the triangle.
func (s *UnitRows) reflect(b int) {
	for k := range s.m {
		v := s.vector(b, k)
		square := product(v, v)
		if square == 0 {
			s.heads[b*s.m+k], s.betas[b*s.m+k] = 0, 0
			continue
		}
		diagonal := s.Unit.Row(k)[k]
		size := math.Sqrt(float64(diagonal*diagonal) + square)
		if diagonal > 0 {
			size = -size
		}
		head := diagonal - size
		beta := 2 / (float64(head*head) + square)
		s.heads[b*s.m+k], s.betas[b*s.m+k] = head, beta
		s.Unit.Row(k)[k] = size
		for i := k + 1; i < s.m; i++ {
			row := s.vector(b, i)
			t := beta * (float64(head*s.Unit.Row(i)[k]) + product(v, row))
			s.Unit.Row(i)[k] -= float64(t * head)
			subtract(row, t, v)
		}
	}
}

// Expand stores in dst, of length n, the vector with the coordinates z, of length r. It does not modify z, and
// panics on other lengths.
func (s *UnitRows) Expand(dst, z []float64) {
	if len(dst) != s.n || len(z) != s.Unit.Cols {
		panic("minnorm: wrong length of coordinates")
	}
	if s.n <= s.m {
		copy(dst, z)
		return
	}
	// Apply the last block's reflections first. Afterwards, head contains the vector's coordinates for the earlier
	// blocks.
	resize(&s.head, len(z))
	head := s.head
	copy(head, z)
	for b := (s.n+reflected-1)/reflected - 1; b >= 0; b-- {
		lo, hi := s.columns(b)
		out := dst[lo:hi]
		clear(out)
		for k := s.m - 1; k >= 0; k-- {
			v := s.vector(b, k)
			h := s.heads[b*s.m+k]
			t := float64(h * head[k])
			if k < s.m-1 { // out is zero in the first pass
				t += product(v, out)
			}
			t *= s.betas[b*s.m+k]
			head[k] -= float64(t * h)
			subtract(out, t, v)
		}
	}
}

// subtract replaces v by v − t·w.
func subtract(v []float64, t float64, w []float64) {
	if len(v) >= longRow {
		portable.AddScaled(v, -t, w)
		return
	}
	for i, x := range w {
		v[i] -= float64(t * x)
	}
}

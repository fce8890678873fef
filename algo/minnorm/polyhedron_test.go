package minnorm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"paretoplay/algo"
)

// opposed returns rows where the second is −1 times the first and the third is the mean of two others. Both relations
// hold only up to random errors; off is their relative size.
func opposed(r *rand.Rand, m, n int, off float64) *algo.Jacobian {
	j := gaussian(r, m, n)
	if m > 1 {
		for c, v := range j.Row(0) {
			j.Row(1)[c] = -v * (1 + off*r.NormFloat64())
		}
	}
	if m > 4 {
		for c, v := range j.Row(3) {
			j.Row(2)[c] = (v+j.Row(4)[c])/2 + off*r.NormFloat64()
		}
	}
	return j
}

func norms(j *algo.Jacobian) []float64 {
	out := make([]float64, j.Rows)
	for i := range out {
		out[i] = math.Sqrt(dot(j.Row(i), j.Row(i)))
	}
	return out
}

// TestUnitRows checks that Unit has min(m, n) columns and that its rows expand to the given rows, divided by their
// lengths.
func TestUnitRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	var s UnitRows
	for _, shape := range [][2]int{{1, 1}, {1, 5}, {3, 2}, {4, 4}, {3, 7}, {5, 40}, {2, 511}, {3, 512}, {7, 513}, {10, 1100}, {30, 61}} {
		m, n := shape[0], shape[1]
		for _, kind := range []string{"random", "opposed", "zero rows", "columns of zeros"} {
			j := gaussian(r, m, n)
			switch kind {
			case "opposed":
				j = opposed(r, m, n, 1e-9)
			case "zero rows":
				clear(j.Row(m / 2))
			case "columns of zeros":
				for i := range m {
					clear(j.Row(i)[:n/2])
				}
			}
			for i := range m {
				scale := math.Exp2(float64(r.IntN(61) - 30))
				for c := range j.Row(i) {
					j.Row(i)[c] *= scale
				}
			}
			lengths := norms(j)
			s.Set(j, lengths)
			if s.Unit.Rows != m || s.Unit.Cols != min(m, n) {
				t.Fatalf("%d×%d: coordinates are %d×%d", m, n, s.Unit.Rows, s.Unit.Cols)
			}
			row := make([]float64, n)
			for i := range m {
				s.Expand(row, s.Unit.Row(i))
				for c, v := range j.Row(i) {
					if lengths[i] > 0 {
						v /= lengths[i]
					}
					if !(math.Abs(row[c]-v) <= 100*eps) {
						t.Fatalf("%d×%d, %s: entry (%d, %d) is %g, want %g", m, n, kind, i, c, row[c], v)
					}
				}
			}
		}
	}
}

// defect returns the largest violation of the optimality conditions of a projection.
func defect(a *algo.Jacobian, z, u, g []float64, b float64) float64 {
	sum := make([]float64, len(z))
	terms := math.Sqrt(dot(g, g))
	copy(sum, g)
	worst := 0.0
	for i, w := range u {
		subtract(sum, -w, a.Row(i))
		terms += math.Abs(w)
		missing := b - dot(a.Row(i), z)
		if w > 0 {
			missing = math.Abs(missing)
		}
		worst = max(worst, -w, missing/(1+math.Sqrt(dot(z, z))))
	}
	for c := range sum {
		worst = max(worst, math.Abs(sum[c]-z[c])/(1+terms))
	}
	return worst
}

// TestPolyhedron checks that the optimality conditions hold up to rounding errors, even if rows are nearly opposite
// or dependent. If the Gramian distinguishes the rows, NonNegative must give the same multipliers.
func TestPolyhedron(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	var s UnitRows
	var p Polyhedron
	var nonNegative NonNegative
	for _, shape := range [][2]int{{1, 1}, {2, 2}, {3, 2}, {3, 5}, {5, 3}, {8, 8}, {12, 40}, {30, 60}} {
		for _, off := range []float64{0, 1e-12, 1e-9, 1e-7, 1e-4, 1} {
			for range 20 {
				m, n := shape[0], shape[1]
				j := opposed(r, m, n, off)
				s.Set(j, norms(j))
				d := s.Unit.Cols
				z, u, g := make([]float64, d), make([]float64, m), make([]float64, d)
				p.Reset(s.Unit)
				// The second projection begins where the first ended.
				for range 2 {
					for c := range g {
						g[c] = r.NormFloat64()
					}
					what := fmt.Sprintf("%d×%d, off by %g", m, n, off)
					if status := p.Project(z, u, g, nil); status != algo.Converged {
						t.Fatalf("%s: %v", what, status)
					}
					if d := defect(s.Unit, z, u, g, 0); !(d <= 1e-13) {
						t.Fatalf("%s: defect %g", what, d)
					}
					if off < 1 || m > d {
						continue
					}
					x, rhs, gram := make([]float64, m), make([]float64, m), make([]float64, m*m)
					s.Unit.Gram(gram)
					for i := range rhs {
						rhs[i] = -dot(s.Unit.Row(i), g)
					}
					nonNegative.Reset(gram, m, 0)
					if status := nonNegative.Solve(x, rhs, nil); status != algo.Converged {
						t.Fatalf("%s: by the Gramian %v", what, status)
					}
					for i := range x {
						if math.Abs(x[i]-u[i]) > 1e-7*(1+math.Abs(x[i])) {
							t.Fatalf("%s: multipliers %v, by the Gramian %v", what, u, x)
						}
					}
				}
			}
		}
	}
}

// TestPolyhedronByHand compares projections with results derived by hand. The dual cone of opposite rows is their
// orthogonal complement. The dual cone of rows that surround 0 contains only 0. For two rows, the largest minimum
// product has a closed form.
func TestPolyhedronByHand(t *testing.T) {
	rows := func(lists ...[]float64) *algo.Jacobian {
		j := algo.NewJacobian(len(lists), len(lists[0]))
		for i, row := range lists {
			size := math.Sqrt(dot(row, row))
			for c, v := range row {
				if size > 0 {
					j.Row(i)[c] = v / size
				}
			}
		}
		return j
	}
	for _, c := range []struct {
		name string
		rows *algo.Jacobian
		g    []float64
		b    float64
		want []float64 // nil: no point satisfies the rows
	}{
		{"inside", rows([]float64{1, 0}, []float64{0, 1}), []float64{2, 3}, 0, []float64{2, 3}},
		{"one face", rows([]float64{1, 0}, []float64{0, 1}), []float64{-2, 3}, 0, []float64{0, 3}},
		{"opposite", rows([]float64{1, 0, 0}, []float64{-1, 0, 0}), []float64{1, 2, 3}, 0, []float64{0, 2, 3}},
		{"nearly opposite", rows([]float64{1, 1}, []float64{-1, -1.0000003}, []float64{-1, 3}), []float64{-1, 3}, 0, []float64{0, 0}},
		{"around 0", rows([]float64{1, 0}, []float64{-1, 1}, []float64{-1, -1}), []float64{5, 1}, 0, []float64{0, 0}},
		{"a zero row", rows([]float64{0, 0}, []float64{0, 1}), []float64{5, -1}, 0, []float64{5, 0}},
		{"equally far", rows([]float64{1, 0}, []float64{0, 1}), []float64{0, 0}, 1, []float64{1, 1}},
		{"a wedge", rows([]float64{1, 1e-9}, []float64{-1, 1e-9}), []float64{0, 0}, 1, []float64{0, 1e9}},
		{"equal", rows([]float64{3, 4}, []float64{6, 8}), []float64{0, 0}, 1, []float64{.6, .8}},
		{"nowhere", rows([]float64{1, 0}, []float64{-1, 0}), []float64{0, 0}, 1, nil},
		{"nowhere, a zero row", rows([]float64{1, 0}, []float64{0, 0}), []float64{0, 0}, 1, nil},
	} {
		var p Polyhedron
		p.Reset(c.rows)
		z, u := make([]float64, c.rows.Cols), make([]float64, c.rows.Rows)
		var bounds []float64
		if c.b > 0 {
			bounds = slices.Repeat([]float64{c.b}, c.rows.Rows)
		}
		status := p.Project(z, u, c.g, bounds)
		if c.want == nil {
			if status != algo.NoSolution || nonzero(z) || nonzero(u) {
				t.Errorf("%s: %v with %v", c.name, status, z)
			}
			continue
		}
		if status != algo.Converged {
			t.Errorf("%s: %v", c.name, status)
		}
		for i, want := range c.want {
			if math.Abs(z[i]-want) > 1e-12*(1+math.Abs(want)) {
				t.Errorf("%s: %v, want %v", c.name, z, c.want)
			}
		}
	}
}

// TestRowsAllocateNothing checks that nothing is allocated after the first problem of the same size.
func TestRowsAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	j := opposed(r, 6, 700, 1e-8)
	lengths := norms(j)
	var s UnitRows
	var p Polyhedron
	z, u, out := make([]float64, 6), make([]float64, 6), make([]float64, 700)
	solve := func() {
		s.Set(j, lengths)
		p.Reset(s.Unit)
		for i := range 6 {
			p.Project(z, u, s.Unit.Row(i), nil)
		}
		s.Expand(out, z)
	}
	solve()
	if n := testing.AllocsPerRun(10, solve); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// BenchmarkRows compares the time for the rows' coordinates and m projections with the time for the Gramian.
func BenchmarkRows(b *testing.B) {
	for _, shape := range [][2]int{{2, 1000}, {3, 1000}, {10, 1000}, {30, 1000}, {10, 100000}, {30, 100000}} {
		m, n := shape[0], shape[1]
		j := opposed(rand.New(rand.NewPCG(6, 1)), m, n, 1e-8)
		lengths, gram := norms(j), make([]float64, m*m)
		var s UnitRows
		var p Polyhedron
		z, u, out := make([]float64, m), make([]float64, m), make([]float64, n)
		b.Run(fmt.Sprintf("Gramian/%d×%d", m, n), func(b *testing.B) {
			for b.Loop() {
				j.Gram(gram)
			}
		})
		b.Run(fmt.Sprintf("coordinates/%d×%d", m, n), func(b *testing.B) {
			for b.Loop() {
				s.Set(j, lengths)
				s.Expand(out, z)
			}
		})
		b.Run(fmt.Sprintf("projections/%d×%d", m, n), func(b *testing.B) {
			for b.Loop() {
				p.Reset(s.Unit)
				for i := range m {
					p.Project(z, u, s.Unit.Row(i), nil)
				}
			}
		})
	}
}

package minnorm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"paretoplay/algo"
)

func TestByHand(t *testing.T) {
	third := 1.0 / 3
	for _, c := range []struct {
		name    string
		rows    [][]float64
		weights []float64
	}{
		{"one row", [][]float64{{3, 4}}, []float64{1}},
		{"unit vectors", [][]float64{{1, 0}, {0, 1}}, []float64{0.5, 0.5}},
		// λ_1 = (c − b)/(a + c − 2b) = 4/5
		{"a short and a long one", [][]float64{{1, 0}, {0, 2}}, []float64{0.8, 0.2}},
		{"acute angle, the vertex itself", [][]float64{{1, 0}, {5, 1}}, []float64{1, 0}},
		{"opposite", [][]float64{{1, 1}, {-3, -3}}, []float64{0.75, 0.25}},
		{"equal", [][]float64{{1, 1}, {1, 1}}, []float64{0.5, 0.5}},
		{"zero and not", [][]float64{{1, 1}, {0, 0}}, []float64{0, 1}},
		{"three unit vectors", [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, []float64{third, third, third}},
		{"the third inactive", [][]float64{{1, 1}, {1, -1}, {4, 0}}, []float64{0.5, 0.5, 0}},
		// λ_i ∝ 1/‖g_i‖² for orthogonal rows: (1, 1/4, 1/16)/(21/16)
		{"orthogonal", [][]float64{{1, 0, 0}, {0, 2, 0}, {0, 0, 4}}, []float64{16. / 21, 4. / 21, 1. / 21}},
		{"a triangle around 0", [][]float64{{2, 0}, {-1, 1}, {-1, -1}}, []float64{third, third, third}},
		{"all equal", [][]float64{{2, 1}, {2, 1}, {2, 1}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := jacobian(c.rows, 1)
			var s Solver
			w := make([]float64, j.Rows)
			gap, status := s.SolveJacobian(w, j)
			onSimplex(t, w)
			if status != algo.Converged || gap > 1e-15 {
				t.Errorf("gap %g, status %v", gap, status)
			}
			if c.weights != nil && !nearly(w, c.weights, 1e-15) {
				t.Errorf("weights %v, want %v", w, c.weights)
			}
		})
	}
}

func TestDivisors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var s Solver
	for range 100 {
		m := 2 + r.IntN(5)
		j := gaussian(r, m, 4)
		if r.IntN(3) == 0 {
			clear(j.Row(0))
		}
		divisors := make([]float64, m)
		divided := algo.NewJacobian(m, 4)
		for i := range m {
			divisors[i] = math.Exp(3 * r.NormFloat64())
			for c, v := range j.Row(i) {
				divided.Row(i)[c] = v / divisors[i]
			}
		}
		gram := make([]float64, m*m)
		j.Gram(gram)
		got, want := make([]float64, m), make([]float64, m)
		gotGap, _ := s.SolveRows(got, gram, j, divisors)
		s.SolveJacobian(want, divided)
		onSimplex(t, got)
		v := make([]float64, 4)
		divided.Combine(v, want)
		if norm(v) < 1e-14*largestRow(divided) {
			clear(v)
		}
		if d := distance(divided, got, v); d > 1e-11 || gotGap > 1e-14 {
			t.Errorf("off by %g, gap %g", d, gotGap)
		}
	}
}

// TestRowsBeyondTheRangeOfSquares checks rows whose squares are infinite, subnormal or zero.
func TestRowsBeyondTheRangeOfSquares(t *testing.T) {
	var s Solver
	for _, scale := range []float64{1e-310, 1e-200, 1e-150, 1e200, 1e307} {
		for _, rows := range [][][]float64{
			{{1, 0, 0}, {0, 2, 0}},
			{{1, 0, 0}, {0, 2, 0}, {5, 5, 5}},
		} {
			for _, j := range []*algo.Jacobian{jacobian(rows, scale), lengthened(jacobian(rows, scale))} {
				w := make([]float64, j.Rows)
				gap, status := s.SolveJacobian(w, j)
				if status != algo.Converged || !(gap <= 1e-14) || !nearly(w, []float64{0.8, 0.2, 0}[:len(w)], 1e-13) {
					t.Errorf("scale %g, %d columns: weights %v, gap %g, %v", scale, j.Cols, w, gap, status)
				}
			}
		}
	}
}

func TestNotFinite(t *testing.T) {
	var s Solver
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, m := range []int{1, 2, 5} {
			j := algo.NewJacobian(m, 3)
			for i := range j.Data {
				j.Data[i] = 1
			}
			j.Row(m - 1)[1] = bad
			gram := make([]float64, m*m)
			j.Gram(gram)
			w := make([]float64, m)
			check := func(gap float64, status algo.Status) {
				if status != algo.Diverged || !math.IsNaN(gap) || slices.ContainsFunc(w, func(x float64) bool { return x != 0 }) {
					t.Errorf("%g in %d rows: gap %g, status %v, weights %v", bad, m, gap, status, w)
				}
			}
			check(s.Solve(w, gram))
			check(s.SolveJacobian(w, j))
		}
	}
}

// violation returns the largest value of ‖v‖² − ⟨g_i, v⟩ for v = Gᵀλ, each divided by ‖g_i‖·Σ_j λ_j‖g_j‖. Rounding
// errors alone may cause values of about 1e-16, for rows of any scale.
func violation(j *algo.Jacobian, weights []float64) float64 {
	v := make([]float64, j.Cols)
	j.Combine(v, weights)
	var size, worst float64
	for i, w := range weights {
		size += w * norm(j.Row(i))
	}
	if size == 0 {
		return 0
	}
	for i := range j.Rows {
		if n := norm(j.Row(i)); n > 0 {
			worst = max(worst, (dot(v, v)-dot(j.Row(i), v))/n/size)
		}
	}
	return worst
}

// TestManyRows checks the optimality condition, which certifies the solution, for large structured matrices.
func TestManyRows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var s Solver
	for _, f := range families {
		for _, shape := range [][2]int{{4, 3}, {10, 3}, {10, 10}, {30, 10}, {30, 60}, {100, 20}} {
			for range 8 {
				j := f.make(r, shape[0], shape[1])
				w := make([]float64, shape[0])
				gap, status := s.SolveJacobian(w, j)
				onSimplex(t, w)
				if v := violation(j, w); status != algo.Converged || !(gap <= 1e-13 && v <= 1e-13) {
					t.Errorf("%s %v: gap %g, violation %g, status %v", f.name, shape, gap, v, status)
				}
				gram := make([]float64, shape[0]*shape[0])
				j.Gram(gram)
				gap, status = s.Solve(w, gram)
				onSimplex(t, w)
				if v := violation(j, w); status != algo.Converged || !(gap <= 1e-13 && v <= 1e-13) {
					t.Errorf("%s %v from the Gramian: gap %g, violation %g, status %v", f.name, shape, gap, v, status)
				}
			}
		}
	}
}

// TestExchange checks rows that the Gramian cannot distinguish. If the wrong row is active, the solver must exchange
// it.
func TestExchange(t *testing.T) {
	var s Solver
	for name, rows := range map[string][][]float64{
		"nearly equal":                 {{0, 1, -6e-9}, {0, 1, 6e-9}, {0, 0, -1}},
		"parallel and of large scales": {{1, 0.25}, {-0x1p24, -0x1p20}, {-0x1p28, -0x1p24}},
	} {
		j := jacobian(rows, 1)
		v, _ := exact(j)
		w := make([]float64, 3)
		for _, order := range [][]int{{0, 1, 2}, {1, 0, 2}, {2, 1, 0}, {0, 2, 1}} {
			p := algo.NewJacobian(3, j.Cols)
			for i, o := range order {
				copy(p.Row(i), j.Row(o))
			}
			gap, _ := s.SolveJacobian(w, p)
			if d := distance(p, w, v); gap > 1e-15 || d > 1e-13 {
				t.Errorf("%s %v: gap %g, off by %g, violation %g", name, order, gap, d, violation(p, w))
			}
		}
	}
}

func TestPermutation(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var s Solver
	for _, f := range families {
		j := f.make(r, 7, 9)
		order := r.Perm(7)
		p := algo.NewJacobian(7, 9)
		for i, o := range order {
			copy(p.Row(i), j.Row(o))
		}
		w := make([]float64, 7)
		s.SolveJacobian(w, j)
		v, u := make([]float64, 9), make([]float64, 9)
		j.Combine(v, w)
		s.SolveJacobian(w, p)
		p.Combine(u, w)
		for i := range u {
			u[i] -= v[i]
		}
		if d := norm(u) / largestRow(j); d > 1e-11 {
			t.Errorf("%s: the order of rows moves v by %g", f.name, d)
		}
	}
}

func FuzzFinite(f *testing.F) {
	f.Add(uint64(1), uint8(3), uint8(2))
	f.Fuzz(func(t *testing.T, seed uint64, rows, cols uint8) { anything(t, seed, 1+int(rows)%12, 1+int(cols)%6) })
}

// anything finds the min-norm point for a random matrix with several difficulties, and checks that the weights are in
// the simplex.
func anything(t *testing.T, seed uint64, m, n int) {
	r := rand.New(rand.NewPCG(seed, 11))
	j := algo.NewJacobian(m, n)
	for i := range j.Data {
		switch r.IntN(6) {
		case 0:
		case 1:
			j.Data[i] = float64(r.IntN(3) - 1)
		case 2:
			j.Data[i] = math.Pow(10, 600*r.Float64()-300)
		case 3:
			j.Data[i] = math.Float64frombits(uint64(r.IntN(4)))
		default:
			j.Data[i] = r.NormFloat64() * math.Pow(10, 20*r.Float64()-10)
		}
	}
	for i := 1; i < m; i++ {
		if r.IntN(3) == 0 {
			copy(j.Row(i), j.Row(r.IntN(i)))
			scaleRow(j.Row(i), float64(r.IntN(5)-2))
		}
	}
	if !algo.Finite(j.Data) {
		return
	}
	var s Solver
	w := make([]float64, m)
	gap, status := s.SolveJacobian(w, j)
	if status != algo.Converged || !(gap >= 0 && gap <= 1e-10) {
		t.Errorf("seed %d, %d×%d: gap %g, status %v for %v", seed, m, n, gap, status, j.Data)
	}
	onSimplex(t, w)
	gram := make([]float64, m*m)
	j.Gram(gram)
	if !algo.Finite(gram) {
		return
	}
	if gap, status := s.Solve(w, gram); status != algo.Converged || !(gap >= 0 && gap <= 1e-10) {
		t.Errorf("seed %d, %d×%d: gap from the Gramian %g, status %v for %v", seed, m, n, gap, status, j.Data)
	}
	onSimplex(t, w)
}

func TestFiniteOnAnything(t *testing.T) {
	for seed := range uint64(3000) {
		anything(t, seed, 1+int(seed)%9, 1+int(seed/9)%5)
	}
	for seed := range uint64(1000) {
		anything(t, seed, 1+int(seed)%9, longRow+int(seed/9)%5)
	}
}

// TestIndefiniteMatrix checks that a matrix that is not a Gramian still gives a point of the simplex.
func TestIndefiniteMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	var s Solver
	for range 2000 {
		m := 2 + r.IntN(6)
		gram := make([]float64, m*m)
		for i := range m {
			for k := range i + 1 {
				gram[i*m+k] = r.NormFloat64() * math.Pow(10, float64(r.IntN(9)-4))
				gram[k*m+i] = gram[i*m+k]
			}
		}
		w := make([]float64, m)
		s.Solve(w, gram)
		onSimplex(t, w)
	}
}

func TestProjectByHand(t *testing.T) {
	var p Projector
	for _, c := range []struct{ x, want []float64 }{
		{[]float64{7}, []float64{1}},
		{[]float64{0.2, 0.8}, []float64{0.2, 0.8}},
		{[]float64{1, 1}, []float64{0.5, 0.5}},
		{[]float64{2, 0}, []float64{1, 0}},
		{[]float64{0.75, 0.25, -3}, []float64{0.75, 0.25, 0}},
		{[]float64{0.5, 0.5, 0.5}, []float64{1. / 3, 1. / 3, 1. / 3}},
		{[]float64{1, 0.5, 0}, []float64{0.75, 0.25, 0}},
		{[]float64{1e300, -1e300, 0}, []float64{1, 0, 0}},
		{[]float64{1e16, 1e16}, []float64{0.5, 0.5}},
		{[]float64{-5, -5, -5, -5}, []float64{0.25, 0.25, 0.25, 0.25}},
	} {
		got := make([]float64, len(c.x))
		if status := p.Project(got, c.x); status != algo.Converged || !nearly(got, c.want, 1e-15) {
			t.Errorf("%v → %v (%v), want %v", c.x, got, status, c.want)
		}
	}
	got := []float64{1, 1}
	if status := p.Project(got, []float64{math.NaN(), 0}); status != algo.Diverged || got[0] != 0 || got[1] != 0 {
		t.Errorf("NaN → %v (%v)", got, status)
	}
}

// TestProjectVariationalInequality checks the condition that determines the projection q of x. It is the only point
// of Δ with ⟨x − q, λ − q⟩ ≤ 0 on Δ, that is, max_i (x − q)_i ≤ ⟨x − q, q⟩.
func TestProjectVariationalInequality(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 17))
	var p Projector
	for range 500 {
		x := make([]float64, 1+r.IntN(40))
		scale := math.Pow(10, 8*r.Float64()-4)
		for i := range x {
			x[i] = scale * r.NormFloat64()
		}
		q := slices.Clone(x)
		p.Project(q, q) // in place
		onSimplex(t, q)
		top, inner := math.Inf(-1), 0.0
		for i := range x {
			top = max(top, x[i]-q[i])
			inner += (x[i] - q[i]) * q[i]
		}
		if top-inner > 1e-13*(1+scale) {
			t.Errorf("inequality broken by %g for %v", top-inner, x)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 19))
	var s Solver
	var p Projector
	j, long, stationary := gaussian(r, 12, 20), gaussian(r, 12, 50), nearStationary(r, 12, 50, 1e-9)
	gram := make([]float64, 144)
	j.Gram(gram)
	w := make([]float64, 12)
	for name, f := range map[string]func(){
		"Solve":         func() { s.Solve(w, gram) },
		"Solve two":     func() { s.Solve(w[:2], gram[:4]) },
		"SolveJacobian": func() { s.SolveJacobian(w, j) },
		"long":          func() { s.SolveJacobian(w, long) },
		"stationary":    func() { s.SolveJacobian(w, stationary) },
		"Project":       func() { p.Project(w, gram[:12]) },
	} {
		f()
		if n := testing.AllocsPerRun(20, f); n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}

func TestWrongLengthsPanic(t *testing.T) {
	var s Solver
	var p Projector
	for name, f := range map[string]func(){
		"Solve":     func() { s.Solve(make([]float64, 2), make([]float64, 3)) },
		"SolveRows": func() { s.SolveRows(make([]float64, 2), make([]float64, 4), nil, make([]float64, 1)) },
		"no rows":   func() { s.Solve(nil, nil) },
		"Project":   func() { p.Project(make([]float64, 2), make([]float64, 3)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s accepts wrong lengths", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, m := range []int{2, 3, 10, 30} {
		for _, kind := range []string{"gaussian", "shifted"} {
			r := rand.New(rand.NewPCG(20, uint64(m)))
			const batch = 16
			var jacobians [batch]*algo.Jacobian
			var grams [batch][]float64
			for i := range batch {
				jacobians[i] = families[0].make(r, m, 10)
				if kind == "shifted" {
					jacobians[i] = families[1].make(r, m, 10)
				}
				grams[i] = make([]float64, m*m)
				jacobians[i].Gram(grams[i])
			}
			var s Solver
			w := make([]float64, m)
			b.Run(fmt.Sprintf("gramian/%s/S=%d", kind, m), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					s.Solve(w, grams[i%batch])
				}
			})
			b.Run(fmt.Sprintf("jacobian/%s/S=%d", kind, m), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					s.SolveJacobian(w, jacobians[i%batch])
				}
			})
		}
	}
}

func BenchmarkProject(b *testing.B) {
	r := rand.New(rand.NewPCG(21, 22))
	x, dst := make([]float64, 30), make([]float64, 30)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	var p Projector
	b.ReportAllocs()
	for b.Loop() {
		p.Project(dst, x)
	}
}

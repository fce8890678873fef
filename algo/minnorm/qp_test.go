package minnorm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
)

// program is a quadratic program with a known minimiser.
type program struct {
	n, p, equations  int
	q, c, a, b, want []float64
}

// planted returns a program with a random minimiser x*. It draws multipliers first, and computes c from the
// optimality conditions. rank is the rank of Q.
func planted(r *rand.Rand, n, p, equations, rank int) program {
	o := program{n: n, p: p, equations: equations}
	o.q, o.c, o.a, o.b, o.want = make([]float64, n*n), make([]float64, n), make([]float64, p*n), make([]float64, p), make([]float64, n)
	for i := range o.want {
		o.want[i] = r.NormFloat64()
	}
	for range rank {
		v := make([]float64, n)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		for i := range n {
			for j := range n {
				o.q[i*n+j] += v[i] * v[j]
			}
		}
	}
	for i := range n {
		for j := range n {
			o.c[i] -= o.q[i*n+j] * o.want[j]
		}
	}
	for i := range p {
		row := o.a[i*n : (i+1)*n]
		for j := range row {
			row[j] = r.NormFloat64()
			o.b[i] += row[j] * o.want[j]
		}
		switch {
		case i < equations || r.IntN(3) == 0:
			multiplier := math.Abs(r.NormFloat64()) + 0.1
			if i < equations && r.IntN(2) == 0 {
				multiplier = -multiplier
			}
			for j, v := range row {
				o.c[j] += multiplier * v
			}
		default:
			o.b[i] -= math.Abs(r.NormFloat64())
		}
	}
	return o
}

// check tests the optimality conditions of x directly.
func (o *program) check(t *testing.T, name string, s *QP, x []float64, tolerance float64) {
	t.Helper()
	multipliers := s.Multipliers()
	for j := range o.n {
		g, size := o.c[j], math.Abs(o.c[j])
		for k := range o.n {
			g += o.q[j*o.n+k] * x[k]
			size += math.Abs(o.q[j*o.n+k] * x[k])
		}
		for i, l := range multipliers {
			g -= l * o.a[i*o.n+j]
			size += math.Abs(l * o.a[i*o.n+j])
		}
		if !(math.Abs(g) <= tolerance*size) {
			t.Errorf("%s: gradient of the Lagrangian %g in coordinate %d", name, g, j)
		}
	}
	for i, l := range multipliers {
		slack, size := -o.b[i], math.Abs(o.b[i])
		for j, v := range x {
			slack += o.a[i*o.n+j] * v
			size += math.Abs(o.a[i*o.n+j] * v)
		}
		if i < o.equations {
			if !(math.Abs(slack) <= tolerance*size) {
				t.Errorf("%s: equation %d is off by %g", name, i, slack)
			}
			continue
		}
		if !(slack >= -tolerance*size) || !(l >= -tolerance) || l > tolerance && slack > tolerance*size {
			t.Errorf("%s: constraint %d has slack %g and multiplier %g", name, i, slack, l)
		}
	}
}

func TestQPByHand(t *testing.T) {
	for _, c := range []struct {
		name          string
		q, c, a, b    []float64
		equations     int
		want          []float64
		status        algo.Status
		gap, accuracy float64
	}{
		{"no constraints", []float64{2, 0, 0, 4}, []float64{-2, -4}, nil, nil, 0, []float64{1, 1}, algo.Converged, 0, 1e-15},
		{"inactive", []float64{1, 0, 0, 1}, []float64{-1, -1}, []float64{1, 0}, []float64{0}, 0, []float64{1, 1}, algo.Converged, 0, 1e-15},
		{"active", []float64{1, 0, 0, 1}, []float64{-1, -1}, []float64{1, 0}, []float64{3}, 0, []float64{3, 1}, algo.Converged, 0, 1e-15},
		{"equation", []float64{1, 0, 0, 1}, []float64{0, 0}, []float64{1, 1}, []float64{2}, 1, []float64{1, 1}, algo.Converged, 0, 1e-15},
		{"equation with a negative multiplier", []float64{1, 0, 0, 1}, []float64{-3, -3}, []float64{1, 1}, []float64{2}, 1, []float64{1, 1},
			algo.Converged, 0, 1e-15},
		{"redundant copies", []float64{1}, []float64{0}, []float64{1, 1, 2}, []float64{1, 1, 2}, 0, []float64{1}, algo.Converged, 0, 1e-15},
		{"contradiction", []float64{1}, []float64{0}, []float64{1, -1}, []float64{1, 1}, 0, []float64{0}, algo.NoSolution, 0, 0},
		{"contradicting equations", []float64{1, 0, 0, 1}, []float64{0, 0}, []float64{1, 1, 1, 1}, []float64{1, 2}, 2, []float64{0, 0},
			algo.NoSolution, 0, 0},
		{"zero row that cannot hold", []float64{1}, []float64{0}, []float64{0}, []float64{1}, 0, []float64{0}, algo.NoSolution, 0, 0},
		{"zero row that holds", []float64{1}, []float64{-2}, []float64{0}, []float64{-1}, 0, []float64{2}, algo.Converged, 0, 1e-15},
		// min −x_1 − 2x_2 over the simplex.
		{"linear program", make([]float64, 4), []float64{-1, -2}, []float64{1, 1, 1, 0, 0, 1}, []float64{1, 0, 0}, 1, []float64{0, 1},
			algo.Converged, 0, 1e-13},
		// Every point of the simplex is optimal; the solution is the point of least norm.
		{"linear program with a face", make([]float64, 4), []float64{-1, -1}, []float64{1, 1, 1, 0, 0, 1}, []float64{1, 0, 0}, 1,
			[]float64{0.5, 0.5}, algo.Converged, 0, 1e-13},
		// ½(x_1 + x_2 − 2)² does not determine x_1 − x_2.
		{"singular", []float64{1, 1, 1, 1}, []float64{-2, -2}, []float64{1, -1}, []float64{1}, 0, []float64{1.5, 0.5}, algo.Converged, 0, 1e-12},
		{"not finite", []float64{math.NaN()}, []float64{0}, []float64{1}, []float64{0}, 0, []float64{0}, algo.Diverged, 0, 0},
	} {
		var s QP
		x := make([]float64, len(c.c))
		gap, status := s.Solve(x, c.q, c.c, c.a, c.b, c.equations)
		if status != c.status || !nearly(x, c.want, c.accuracy) {
			t.Errorf("%s: %v, %v (gap %g), want %v, %v", c.name, x, status, gap, c.want, c.status)
		}
		if status == algo.Converged && !(gap <= 1e-12) || status != algo.Converged && !math.IsNaN(gap) {
			t.Errorf("%s: status %v with gap %g", c.name, status, gap)
		}
	}
	// The objective is unbounded: x → ∞.
	var s QP
	x := make([]float64, 1)
	if _, status := s.Solve(x, []float64{0}, []float64{-1}, []float64{1}, []float64{0}, 0); status != algo.Budget || !algo.Finite(x) {
		t.Errorf("unbounded program: %v, %v", x, status)
	}
}

func TestQPFindsPlantedMinimisers(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	var s QP
	for trial := range 400 {
		n := 1 + r.IntN(12)
		p := r.IntN(n + 3)
		equations := 0
		if p > 0 {
			equations = r.IntN(min(p, n)) / 2
		}
		o := planted(r, n, p, equations, n+2)
		name := fmt.Sprintf("trial %d, %d variables, %d constraints, %d equations", trial, n, p, equations)
		x := make([]float64, n)
		gap, status := s.Solve(x, o.q, o.c, o.a, o.b, equations)
		if status != algo.Converged || !(gap <= 1e-10) {
			t.Fatalf("%s: status %v, gap %g", name, status, gap)
		}
		o.check(t, name, &s, x, 1e-10)
		if e := differenceNorm(x, o.want); !(e <= 1e-8*(1+norm(o.want))) {
			t.Errorf("%s: off by %g", name, e)
		}
	}
}

func differenceNorm(a, b []float64) float64 {
	var h float64
	for i, v := range a {
		h = math.Hypot(h, v-b[i])
	}
	return h
}

// TestQPSingular checks Q of any rank. The minimiser need not be unique, but its optimality conditions must hold.
func TestQPSingular(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	var s QP
	for trial := range 200 {
		n := 2 + r.IntN(8)
		o := planted(r, n, n, 0, r.IntN(n))
		x := make([]float64, n)
		gap, status := s.Solve(x, o.q, o.c, o.a, o.b, 0)
		if status != algo.Converged || !(gap <= 1e-12) {
			t.Fatalf("trial %d: status %v, gap %g", trial, status, gap)
		}
		o.check(t, fmt.Sprint("trial ", trial), &s, x, 1e-9)
	}
}

// TestQPScales checks that the solution does not depend on the units of objective, constraints and variables.
func TestQPScales(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	var s QP
	for range 100 {
		n := 2 + r.IntN(6)
		o := planted(r, n, n, 1, n+2)
		objective, variable := math.Exp(30*r.NormFloat64()/3), make([]float64, n)
		for j := range variable {
			variable[j] = math.Exp(4 * r.NormFloat64())
		}
		for i := range n {
			row := math.Exp(5 * r.NormFloat64())
			o.b[i] *= row
			for j := range n {
				o.q[i*n+j] *= objective * variable[i] * variable[j]
				o.a[i*n+j] *= row * variable[j]
			}
			o.c[i] *= objective * variable[i]
		}
		x := make([]float64, n)
		if gap, status := s.Solve(x, o.q, o.c, o.a, o.b, 1); status != algo.Converged || !(gap <= 1e-10) {
			t.Fatalf("status %v, gap %g", status, gap)
		}
		for j := range x {
			x[j] *= variable[j]
		}
		if e := differenceNorm(x, o.want); !(e <= 1e-8*(1+norm(o.want))) {
			t.Errorf("off by %g", e)
		}
	}
}

// TestQPAgainstSolver checks that the min-norm point of a hull is also the solution of a quadratic program.
func TestQPAgainstSolver(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	var s QP
	var exact Solver
	for range 200 {
		m, d := 2+r.IntN(7), 1+r.IntN(9)
		j := gaussian(r, m, d)
		gram, c, want, x := make([]float64, m*m), make([]float64, m), make([]float64, m), make([]float64, m)
		j.Gram(gram)
		a, b := make([]float64, (m+1)*m), make([]float64, m+1)
		b[0] = 1
		for i := range m {
			a[i], a[(i+1)*m+i] = 1, 1
		}
		exact.SolveJacobian(want, j)
		v := make([]float64, d)
		j.Combine(v, want)
		if norm(v) < 1e-14*largestRow(j) {
			clear(v)
		}
		if gap, status := s.Solve(x, gram, c, a, b, 1); status != algo.Converged {
			t.Fatalf("%d×%d: status %v, gap %g", m, d, status, gap)
		}
		if e := distance(j, x, v); e > 1e-6 {
			t.Errorf("%d×%d: off by %g", m, d, e)
		}
	}
}

func TestNonNegative(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 40))
	var s NonNegative
	for range 300 {
		m, d := 1+r.IntN(9), 1+r.IntN(9)
		j := gaussian(r, m, d)
		if m > 2 {
			copy(j.Row(1), j.Row(0)) // equal rows
			clear(j.Row(2))
		}
		gram, x, rhs := make([]float64, m*m), make([]float64, m), make([]float64, m)
		j.Gram(gram)
		s.Reset(gram, m, 0)
		// Solve several right-hand sides with the same matrix, as UPGrad does.
		for i := range m {
			for k := range rhs {
				rhs[k] = -gram[i*m+k]
			}
			if status := s.Solve(x, rhs, nil); status != algo.Converged {
				t.Fatalf("status %v", status)
			}
			for k, v := range x {
				slack, size := -rhs[k], math.Abs(rhs[k])
				for l, w := range x {
					slack += gram[k*m+l] * w
					size += math.Abs(gram[k*m+l] * w)
				}
				if v < 0 || slack < -1e-12*size || v > 0 && slack > 1e-12*size {
					t.Errorf("x_%d = %g with slack %g", k, v, slack)
				}
			}
		}
	}
}

func TestQPAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for _, rank := range []int{12, 3} {
		o := planted(r, 10, 10, 2, rank)
		var s QP
		x := make([]float64, 10)
		if a := testing.AllocsPerRun(20, func() { s.Solve(x, o.q, o.c, o.a, o.b, 2) }); a != 0 {
			t.Errorf("rank %d: %v allocations", rank, a)
		}
	}
}

func BenchmarkQP(b *testing.B) {
	for _, n := range []int{3, 10, 30, 200} {
		r := rand.New(rand.NewPCG(43, uint64(n)))
		o := planted(r, n, n, 1, n+2)
		var s QP
		x := make([]float64, n)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Solve(x, o.q, o.c, o.a, o.b, 1)
			}
		})
	}
}

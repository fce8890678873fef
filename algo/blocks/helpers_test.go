package blocks_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/problem"
)

func newRun(t testing.TB, c blocks.Config) *blocks.Alternation {
	t.Helper()
	s, err := blocks.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func steps(t testing.TB, s algo.Stepper, count int) {
	t.Helper()
	for range count {
		if status, err := s.Step(); err != nil || status != algo.Running {
			t.Fatalf("K = %d: %v, %v, %+v", s.View().K, status, err, s.View().Diverged)
		}
	}
}

// refused checks that err is a RangeError for the named parameter.
func refused(t *testing.T, err error, name string) {
	t.Helper()
	var e *algo.RangeError
	if !errors.As(err, &e) || e.Name != name || e.Allowed == "" {
		t.Errorf("error %v, as a RangeError %+v, want one that names %q", err, e, name)
	}
}

func lastMove(t testing.TB, s *blocks.Alternation) blocks.Move {
	t.Helper()
	m, ok := s.Move()
	if !ok {
		t.Fatal("a step was made and there is nothing to see of it")
	}
	return m
}

// near reports whether got and want differ by at most tolerance, relative to max(1, |want|).
func near(got, want []float64, tolerance float64) bool {
	if len(got) != len(want) {
		return false
	}
	for i, v := range got {
		if !(math.Abs(v-want[i]) <= tolerance*max(1, math.Abs(want[i]))) {
			return false
		}
	}
	return true
}

func distance(a, b []float64) float64 {
	var square float64
	for i, v := range a {
		square += (v - b[i]) * (v - b[i])
	}
	return math.Sqrt(square)
}

// newQuadratics returns the objectives ½(x−c_k)ᵀQ_k(x−c_k).
func newQuadratics(t testing.TB, sigma float64, q [][][]float64, c [][]float64) *problem.Quadratics {
	t.Helper()
	objectives := make([]problem.QuadraticObjective, len(q))
	for k := range q {
		for _, row := range q[k] {
			objectives[k].A = append(objectives[k].A, row...)
		}
		objectives[k].Center = c[k]
	}
	p, err := problem.NewQuadratics(sigma, objectives...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// pair returns two quadratics in the plane.
func pair(t testing.TB, sigma float64) *problem.Quadratics {
	t.Helper()
	return newQuadratics(t, sigma, [][][]float64{{{2, 0.6}, {0.6, 0.8}}, {{0.7, -0.3}, {-0.3, 1.6}}}, [][]float64{{-1, 0.5}, {1, -0.5}})
}

// trio returns three quadratics in four variables.
func trio(t testing.TB, sigma float64) *problem.Quadratics {
	t.Helper()
	return newQuadratics(t, sigma, [][][]float64{
		{{2, 0.5, 0, 0}, {0.5, 1, 0, 0.1}, {0, 0, 1.5, 0.2}, {0, 0.1, 0.2, 1}},
		{{1, 0, 0.3, 0}, {0, 0.7, 0, 0}, {0.3, 0, 1, -0.4}, {0, 0, -0.4, 1.8}},
		{{0.6, 0, 0, 0.1}, {0, 1.2, -0.5, 0}, {0, -0.5, 1.1, 0}, {0.1, 0, 0, 0.9}},
	}, [][]float64{{1, 0, -1, 0.5}, {-1, 1, 0, 0}, {0, -1, 1, -0.5}})
}

// linear is a problem with objectives f_k(x) = ⟨a_k, x⟩.
type linear [][]float64

func (l linear) Dims() (n, m int) { return len(l[0]), len(l) }

func (l linear) Values(f, x []float64) {
	for k, a := range l {
		f[k] = 0
		for i, v := range a {
			f[k] += v * x[i]
		}
	}
}

func (l linear) Jacobian(jac *algo.Jacobian, _ []float64) {
	for k, a := range l {
		copy(jac.Row(k), a)
	}
}

// reducedRank is the problem f_k(U, V) = (1/N) Σ_i (Y_ik − X_i U V_k)². x consists of U, then V, row by row.
type reducedRank struct {
	d, r, q int
	x, y    [][]float64
}

func (p *reducedRank) Dims() (n, m int) { return p.d*p.r + p.r*p.q, p.q }

// residual returns Y_ik − X_i U V_k.
func (p *reducedRank) residual(i, k int, x []float64) float64 {
	e := p.y[i][k]
	for a, in := range p.x[i] {
		for b := range p.r {
			e -= in * x[a*p.r+b] * x[p.d*p.r+b*p.q+k]
		}
	}
	return e
}

func (p *reducedRank) Values(f, x []float64) {
	for k := range f {
		f[k] = 0
		for i := range p.x {
			e := p.residual(i, k, x)
			f[k] += e * e / float64(len(p.x))
		}
	}
}

func (p *reducedRank) Jacobian(jac *algo.Jacobian, x []float64) {
	clear(jac.Data)
	for k := range jac.Rows {
		g := jac.Row(k)
		for i, in := range p.x {
			e := -2 * p.residual(i, k, x) / float64(len(p.x))
			for a, v := range in {
				for b := range p.r {
					g[a*p.r+b] += e * v * x[p.d*p.r+b*p.q+k]
					g[p.d*p.r+b*p.q+k] += e * v * x[a*p.r+b]
				}
			}
		}
	}
}

// boxed is a problem in a box.
type boxed struct {
	algo.Partial
	lo, hi []float64
}

func (b boxed) Bounds() (lo, hi []float64) { return b.lo, b.hi }
func (b boxed) Unwrap() algo.Problem       { return b.Partial }

// scaled expresses the losses of a problem in other units: it multiplies the losses and their gradients by a number.
type scaled struct {
	algo.Problem
	by float64
}

func (s scaled) Values(f, x []float64) {
	s.Problem.Values(f, x)
	for i := range f {
		f[i] *= s.by
	}
}

func (s scaled) Jacobian(jac *algo.Jacobian, x []float64) {
	s.Problem.Jacobian(jac, x)
	for i := range jac.Data {
		jac.Data[i] *= s.by
	}
}

// kinds returns configurations of all kinds on trio, in all orders and updates, with noise sigma.
func kinds(t testing.TB, sigma float64) map[string]blocks.Config {
	t.Helper()
	base := blocks.Config{
		Problem: trio(t, sigma), Start: []float64{2, -1, 1, 0.5}, Blocks: [][]int{{0}, {1, 2}, {3}}, Frequencies: []int{1, 2, 1},
		StepSize: 0.05, Seed: 3, StartIndex: 2,
	}
	scattered := base
	scattered.Blocks = [][]int{{3, 0}, {1}, {2}}
	never := base
	never.Frequencies = []int{2, 0, 3}
	sharing := base
	sharing.Shared = []bool{false, true, false}
	safe := base
	safe.Schedule = blocks.Safe
	all := map[string]blocks.Config{
		"blocksmoo": base, "scattered blocks": scattered, "an objective without turns": never, "shared samples": sharing, "safe": safe,
		"weightedsum": blocks.WeightedSum(base), "functionalternate": blocks.FunctionAlternate(base),
		"blockalternate":           blocks.BlockAlternate(base),
		"scattered blockalternate": blocks.BlockAlternate(scattered), "blockalternate without an objective": blocks.BlockAlternate(never),
	}
	for _, order := range allOrders {
		for _, update := range allUpdates {
			c := base
			c.Order, c.Update, c.BlockOrder = order, update, blocks.ListedBlocks
			all[fmt.Sprint(order, ", ", update)] = c
			c.Blocks, c.BlockOrder = scattered.Blocks, blocks.RandomBlocks
			all[fmt.Sprint(order, ", ", update, ", scattered")] = c
		}
	}
	return all
}

var (
	allOrders  = []blocks.Order{blocks.RandomOrder, blocks.Contiguous, blocks.Cyclic}
	allUpdates = []blocks.Update{blocks.GaussSeidel, blocks.Jacobi}
)

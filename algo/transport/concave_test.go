package transport

import (
	"math"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
)

func newConcave(t testing.TB, restarts int) *Concave {
	t.Helper()
	c, err := NewConcave(NewExact(), restarts, 1)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func objective(p *Plan, m int, tau float64) float64 { return p.Cost - tau*RowMaxima(p.Mass, m) }

func TestConcaveOracle(t *testing.T) {
	reached := 0
	cases := oracles(t).Reg
	for _, c := range cases {
		task := &Task{flat(c.C), c.Alpha, c.Beta}
		var plain, p Plan
		if err := NewExact().Solve(&plain, task); err != nil {
			t.Fatal(err)
		}
		if err := newConcave(t, DefaultRestarts).Solve(&p, task, c.Tau); err != nil {
			t.Fatal(err)
		}
		got, scale := objective(&p, c.M, c.Tau), c.Tau+largest(task.Cost)
		switch {
		case math.Abs(got-c.Obj) <= 1e-9*scale:
			reached++
		default:
			t.Logf("%dx%d, τ = %v: %v, the optimum is %v", c.N, c.M, c.Tau, got, c.Obj)
		}
		if got < c.Obj-1e-9*scale-math.Abs(c.MilpGap) {
			t.Errorf("%dx%d, τ = %v: %v is below the optimum %v", c.N, c.M, c.Tau, got, c.Obj)
		}
		if before := objective(&plain, c.M, c.Tau); got > before {
			t.Errorf("%dx%d, τ = %v: %v is worse than the plan of τ = 0, %v", c.N, c.M, c.Tau, got, before)
		}
		if !p.Converged || !(p.MarginalError < 1e-14) {
			t.Errorf("%dx%d, τ = %v: converged: %v, marginals are off by %v", c.N, c.M, c.Tau, p.Converged, p.MarginalError)
		}
		checkBound(t, &p, task, plain.Cost)
	}
	t.Logf("reached the optimum in %d of %d", reached, len(cases))
	if reached < 21 {
		t.Errorf("reached the optimum in %d of %d, it was more", reached, len(cases))
	}
}

// TestConcaveByHand compares the plans of two small tasks with plans found by hand. With two rows of 1/2 and columns of
// 3/4 and 1/4, one row must be halved. R(Γ) is the same for both choices, so the cheaper one is best for every τ.
func TestConcaveByHand(t *testing.T) {
	task := &Task{Cost: []float64{1, 3, 2, 3}, A: []float64{0.5, 0.5}, B: []float64{0.75, 0.25}}
	for _, tau := range []float64{0, 0.1, 1, 10} {
		var p Plan
		if err := newConcave(t, 5).Solve(&p, task, tau); err != nil {
			t.Fatal(err)
		}
		if p.Cost != 1.75 || RowMaxima(p.Mass, 2) != 0.75 {
			t.Errorf("τ = %v: %v", tau, p.Mass)
		}
	}
	// For a 3×2 task with equal costs, all plans are equally good at τ = 0. With τ > 0, the best plan splits no row.
	task = &Task{Cost: make([]float64, 6), A: []float64{0.25, 0.25, 0.5}, B: []float64{0.5, 0.5}}
	var p Plan
	if err := newConcave(t, 20).Solve(&p, task, 1); err != nil {
		t.Fatal(err)
	}
	if RowMaxima(p.Mass, 2) != 1 {
		t.Errorf("%v has split rows", p.Mass)
	}
}

// leastOfAll returns a minimiser, found by trying every assignment.
func leastOfAll(t *testing.T, task *Task, tau float64) *Plan {
	t.Helper()
	n, m := len(task.A), len(task.B)
	e := NewExact()
	var best Plan
	bestObjective := math.Inf(1)
	changed := &Task{make([]float64, n*m), task.A, task.B}
	for code, count := 0, int(math.Pow(float64(m), float64(n))); code < count; code++ {
		copy(changed.Cost, task.Cost)
		for i, rest := 0, code; i < n; i, rest = i+1, rest/m {
			changed.Cost[i*m+rest%m] -= tau
		}
		p := solved(t, e, changed)
		p.Cost = 0
		for i, mass := range p.Mass {
			p.Cost += mass * task.Cost[i]
		}
		if o := objective(p, m, tau); o < bestObjective {
			best, bestObjective = *p, o
		}
	}
	return &best
}

// TestRowMaximaRise checks that Σ_i max_j Γ_ij of exact minimisers never falls as τ grows. It also checks that the
// search never beats the exact minimisers, and logs how often the search finds them.
func TestRowMaximaRise(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	reached, tried := 0, 0
	for range 15 {
		n, m := 2+r.IntN(4), 2+r.IntN(2)
		task := random(r, n, m, false)
		before := 0.0
		for _, tau := range []float64{0, 0.01, 0.03, 0.1, 0.3, 1, 3} {
			exact := leastOfAll(t, task, tau)
			now := RowMaxima(exact.Mass, m)
			if now < before-1e-12 {
				t.Errorf("%dx%d: Σ_i max_j Γ_ij falls from %v to %v at τ = %v", n, m, before, now, tau)
			}
			before = now
			var p Plan
			if err := newConcave(t, DefaultRestarts).Solve(&p, task, tau); err != nil {
				t.Fatal(err)
			}
			got, want := objective(&p, m, tau), objective(exact, m, tau)
			if got < want-1e-12 {
				t.Errorf("%dx%d, τ = %v: %v is below the least of all, %v", n, m, tau, got, want)
			}
			tried++
			if got < want+1e-9 {
				reached++
			}
		}
	}
	t.Logf("the search found %d of %d minimisers", reached, tried)
	if reached < tried*9/10 {
		t.Errorf("the search found %d of %d minimisers", reached, tried)
	}
}

// TestConcaveRepeats checks that a call depends only on its task and on the state that Save appended.
func TestConcaveRepeats(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	c, again := newConcave(t, 5), newConcave(t, 5)
	var p, q Plan
	for range 5 {
		task := random(r, 12, 4, true)
		var s algo.Snapshot
		c.Save(&s)
		if err := c.Solve(&p, task, 0.1); err != nil {
			t.Fatal(err)
		}
		again.Load(&s)
		if err := again.Solve(&q, task, 0.1); err != nil {
			t.Fatal(err)
		}
		for i, mass := range p.Mass {
			if mass != q.Mass[i] {
				t.Fatalf("mass %d is %v, and %v after Load", i, mass, q.Mass[i])
			}
		}
		if p.Iterations != q.Iterations {
			t.Errorf("%d pivots, and %d after Load", p.Iterations, q.Iterations)
		}
	}
}

func BenchmarkConcave(b *testing.B) {
	task := random(rand.New(rand.NewPCG(21, 22)), 30, 5, true)
	b.ReportAllocs()
	c := newConcave(b, DefaultRestarts)
	var p Plan
	for b.Loop() {
		if err := c.Solve(&p, task, 0.05); err != nil {
			b.Fatal(err)
		}
	}
}

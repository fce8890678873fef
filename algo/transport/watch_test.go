package transport

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

// watchable returns the solver with the given name.
func watchable(t testing.TB, name string) Iterative {
	t.Helper()
	method, ok := Lookup(name)
	if !ok {
		t.Fatalf("unknown solver %s", name)
	}
	s, err := method.New(method.Default)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func watch(t testing.TB, name string, task *Task, tau float64) *Watch {
	t.Helper()
	w, err := NewWatch(WatchConfig{Task: *task, Solver: watchable(t, name), Tau: tau})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestWatch checks that every solver, with and without τ, passes the checks for steppers.
func TestWatch(t *testing.T) {
	task := random(rand.New(rand.NewPCG(1, 2)), 7, 4, false)
	for _, m := range Methods {
		for _, tau := range []float64{0, 0.3} {
			algotest.Stepper(t, func() algo.Stepper { return watch(t, m.ID, task, tau) })
		}
	}
}

// TestWatchedIsSolved checks that a Watch ends at the plan of Solve after the same number of iterations. On the way
// it must show the marginal error and the gap.
func TestWatchedIsSolved(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		task := random(r, 2+r.IntN(12), 2+r.IntN(8), r.IntN(2) == 0)
		var best Plan
		if err := NewExact().Solve(&best, task); err != nil {
			t.Fatal(err)
		}
		for _, method := range Methods {
			var want Plan
			if err := watchable(t, method.ID).Solve(&want, task); err != nil {
				t.Fatal(err)
			}
			w, err := NewWatch(WatchConfig{Task: *task, Solver: watchable(t, method.ID), Optimum: best.Cost})
			if err != nil {
				t.Fatal(err)
			}
			v, status, err := algo.Run(w, DefaultLimit, func(algo.View) bool { return false })
			if err != nil {
				t.Fatal(err)
			}
			if status == algo.Converged != want.Converged || !slices.Equal(v.X, want.Mass) || v.F[0] != want.MarginalError ||
				v.F[1] != math.Abs(want.Cost-best.Cost) {
				t.Errorf("%s: %v after %d iterations with %v; Solve makes %d: marginal error %v, cost %v of %v", method.ID, status, v.K, v.F,
					want.Iterations, want.MarginalError, want.Cost, best.Cost)
			}
		}
	}
}

// TestWatchFirstStep compares one iteration of each solver with numbers computed by hand, on two rows and two columns.
func TestWatchFirstStep(t *testing.T) {
	task := &Task{Cost: []float64{0, 1, 1, 0}, A: []float64{0.5, 0.5}, B: []float64{0.5, 0.5}}
	for _, name := range []string{"ipot", "sinkhorn"} {
		method, _ := Lookup(name)
		s, err := method.New(1)
		if err != nil {
			t.Fatal(err)
		}
		w, err := NewWatch(WatchConfig{Task: *task, Solver: s})
		if err != nil {
			t.Fatal(err)
		}
		// Sinkhorn begins with exp(−C), whose rows have been scaled. IPOT begins with abᵀ, and reaches the same plan
		// in its first iteration. A row is (½, ½/e)/(1 + 1/e).
		large := 0.5 / (1 + math.Exp(-1))
		start := map[string]float64{"ipot": 0.25, "sinkhorn": large}[name]
		if x := w.View().X; math.Abs(x[0]-start) > 1e-15 || math.Abs(x[1]-(0.5-start)) > 1e-15 {
			t.Errorf("%s begins with %v", name, x)
		}
		if _, err := w.Step(); err != nil {
			t.Fatal(err)
		}
		v := w.View()
		if math.Abs(v.X[0]-large) > 1e-15 || math.Abs(v.X[1]-(0.5-large)) > 1e-15 || v.F[0] > 1e-15 || math.Abs(v.F[1]-(1-2*large)) > 1e-15 {
			t.Errorf("%s: %+v, want %v and %v", name, v, large, 0.5-large)
		}
	}
}

// TestWatchTau checks that, with τ > 0, the solver continues with linearized problems. The final plan's
// objective must not be larger than that of the plan for τ = 0, and its rows must not be split more.
func TestWatchTau(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	better := 0
	for range 40 {
		task := random(r, 6, 4, false)
		plain, rewarded := watch(t, "exact", task, 0), watch(t, "exact", task, 0.5)
		for _, w := range []*Watch{plain, rewarded} {
			if _, status, err := algo.Run(w, 1000, func(algo.View) bool { return false }); err != nil || status != algo.Converged {
				t.Fatal(status, err)
			}
		}
		before := plain.Objective() - 0.5*RowMaxima(plain.Plan().Mass, 4)
		if rewarded.Objective() > before+1e-14 || RowMaxima(rewarded.Plan().Mass, 4) < RowMaxima(plain.Plan().Mass, 4)-1e-14 {
			t.Errorf("the objective goes from %v to %v", before, rewarded.Objective())
		}
		if rewarded.Objective() < before-1e-9 {
			better++
			if rewarded.Rounds() < 1 {
				t.Error("the plan improved without a linearized problem")
			}
		}
	}
	if better < 5 {
		t.Errorf("τ makes a difference in %d of 40 problems", better)
	}
}

// TestWatchRefuses checks which configurations NewWatch rejects.
func TestWatchRefuses(t *testing.T) {
	task := Task{Cost: []float64{1}, A: []float64{1}, B: []float64{1}}
	for _, c := range []WatchConfig{
		{Task: task, Tau: -1}, {Task: task, Tau: math.NaN()}, {Task: task, Optimum: math.Inf(1)}, {Task: Task{}},
	} {
		c.Solver = NewExact()
		if w, err := NewWatch(c); err == nil {
			t.Errorf("NewWatch accepted %+v: %+v", c, w)
		}
	}
}

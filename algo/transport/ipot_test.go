package transport

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
)

func newIPOT(t testing.TB, c IPOTConfig) *IPOT {
	t.Helper()
	s, err := NewIPOT(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newSinkhorn(t testing.TB, c SinkhornConfig) *Sinkhorn {
	t.Helper()
	s, err := NewSinkhorn(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func begin(t testing.TB, s Iterative, task *Task) {
	t.Helper()
	if err := s.Begin(task); err != nil {
		t.Fatal(err)
	}
}

func solved(t testing.TB, s Solver, task *Task) *Plan {
	t.Helper()
	var p Plan
	if err := s.Solve(&p, task); err != nil {
		t.Fatal(err)
	}
	return &p
}

// vanished lists the cases in which, with β = 0.01, entries of the published code's plans underflow to 0 and stay 0,
// although they should become positive again.
var vanished = []string{"rand_dir_30x5", "rand_unif_3x2", "sqeuclid_30x5", "sqeuclid_206x5"}

// TestIPOTPublished compares the iterates with those of the published code. It uses an absolute β and that code's
// start: 11ᵀ and v = 1/m.
func TestIPOTPublished(t *testing.T) {
	compared := 0
	for _, c := range oracles(t).Cases {
		task := &Task{flat(c.C), c.Alpha, c.Beta}
		span := slices.Max(task.Cost) - slices.Min(task.Cost)
		for name, beta := range map[string]float64{"beta0.01_it200": 0.01, "beta1.0_it200": 1} {
			want := c.IPOT[name]
			if want.Cost == nil || span == 0 || beta < 1 && slices.Contains(vanished, c.Name) {
				continue
			}
			s := newIPOT(t, IPOTConfig{Beta: beta / span})
			begin(t, s, task)
			for i := range s.logPlan {
				s.logPlan[i] = 0
			}
			for j := range s.g {
				s.g[j] = -math.Log(float64(c.M))
			}
			for range 200 {
				s.Iterate()
			}
			var p Plan
			s.Read(&p)
			var off float64
			for i, a := range task.A {
				var sum float64
				for _, mass := range p.Mass[i*c.M : (i+1)*c.M] {
					sum += mass
				}
				off = max(off, math.Abs(sum-a))
			}
			if d := math.Abs(p.Cost - *want.Cost); !(d <= 1e-11*largest(task.Cost)) || !(math.Abs(off-*want.RowErr) <= 1e-11) {
				t.Errorf("%s, %s: cost %v, want %v; rows are off by %v, want %v", c.Name, name, p.Cost, *want.Cost, off, *want.RowErr)
			}
			compared++
		}
	}
	if compared < 28 {
		t.Errorf("compared only %d", compared)
	}
}

// TestIPOTOracle checks that, for every β, the cost of a converged plan is near the least cost.
func TestIPOTOracle(t *testing.T) {
	for _, c := range oracles(t).Cases {
		task := &Task{flat(c.C), c.Alpha, c.Beta}
		for _, beta := range []float64{0.01, 0.1, 1} {
			if c.N > 30 && beta != 0.1 { // tens of thousands of iterations
				continue
			}
			p := solved(t, newIPOT(t, IPOTConfig{Beta: beta, Limit: 40000}), task)
			if !p.Converged || !(p.MarginalError < 2e-9) || !(math.Abs(p.Cost-c.Cost) <= 2e-6*c.Cost+3e-9*largest(task.Cost)) {
				t.Errorf("%s, β = %v: cost %v, want %v; marginals are off by %v after %d iterations, converged: %v",
					c.Name, beta, p.Cost, c.Cost, p.MarginalError, p.Iterations, p.Converged)
			}
			checkBound(t, p, task, c.Cost)
		}
	}
}

// checkBound checks that the potentials are feasible and bound the least cost.
func checkBound(t testing.TB, p *Plan, task *Task, least float64) {
	t.Helper()
	scale := largest(task.Cost)
	var dual, mass float64
	for i, u := range p.U {
		dual += task.A[i] * u
		mass += task.A[i]
		for j, v := range p.V {
			if over := u + v - task.Cost[i*len(p.V)+j]; !(over <= 1e-14*scale) {
				t.Fatalf("u_%d + v_%d is over the cost by %v of %v", i, j, over, scale)
			}
		}
	}
	for j, v := range p.V {
		dual += task.B[j] * v
	}
	if !(dual <= least+1e-12*scale*mass) {
		t.Errorf("the potentials are worth %v, the least cost is %v", dual, least)
	}
}

// TestSinkhornByHand solves a task of two rows with crossed costs, with ε equal to the range of the costs. By symmetry
// f and g are constant, so the ratio of the entries is 1 to 1/e.
func TestSinkhornByHand(t *testing.T) {
	task := &Task{Cost: []float64{3, 5, 5, 3}, A: []float64{0.5, 0.5}, B: []float64{0.5, 0.5}}
	p := solved(t, newSinkhorn(t, SinkhornConfig{Epsilon: 1}), task)
	high, low := 0.5/(1+math.Exp(-1)), 0.5/(1+math.E)
	for i, want := range []float64{high, low, low, high} {
		if !(math.Abs(p.Mass[i]-want) < 1e-15) {
			t.Errorf("mass %d is %v, want %v", i, p.Mass[i], want)
		}
	}
	if p.Iterations != 1 || !p.Converged {
		t.Errorf("%d iterations, converged: %v", p.Iterations, p.Converged)
	}
}

// TestIPOTByHand compares the steps of IPOT with Sinkhorn's plans. The first step solves Sinkhorn's problem with ε = β,
// and the second solves it with half of that ε. The plan after k steps is Sinkhorn's plan for ε = β/k.
func TestIPOTByHand(t *testing.T) {
	task := &Task{Cost: []float64{3, 5, 5, 3}, A: []float64{0.5, 0.5}, B: []float64{0.5, 0.5}}
	s := newIPOT(t, IPOTConfig{Beta: 1})
	begin(t, s, task)
	var p Plan
	s.Read(&p)
	if !slices.Equal(p.Mass, []float64{0.25, 0.25, 0.25, 0.25}) {
		t.Errorf("start: got %v, want abᵀ", p.Mass)
	}
	for k := 1; k <= 3; k++ {
		s.Iterate()
		s.Read(&p)
		if want := 0.5 / (1 + math.Exp(-float64(k))); !(math.Abs(p.Mass[0]-want) < 1e-15) {
			t.Errorf("after %d steps mass 0 is %v, want %v", k, p.Mass[0], want)
		}
	}
}

// TestSinkhornOptimal checks that the final plan is Γ_ij = exp((u_i + v_j − C_ij)/ε) for some u and v, and meets
// the marginals. Only the minimiser has both properties.
func TestSinkhornOptimal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for k := range 100 {
		n, m := 1+r.IntN(12), 1+r.IntN(6)
		task := random(r, n, m, k%2 == 0)
		epsilon := math.Pow(10, -1+2*r.Float64())
		p := solved(t, newSinkhorn(t, SinkhornConfig{Epsilon: epsilon, Limit: 100000}), task)
		if !p.Converged {
			t.Fatalf("%dx%d, ε = %v: marginals are off by %v after %d iterations", n, m, epsilon, p.MarginalError, p.Iterations)
		}
		if !(p.MarginalError < 1.1e-9) {
			t.Errorf("%dx%d, ε = %v: marginals are off by %v", n, m, epsilon, p.MarginalError)
		}
		unit := epsilon * (slices.Max(task.Cost) - slices.Min(task.Cost))
		if unit == 0 {
			continue
		}
		potential := func(i, j int) float64 { return unit*math.Log(p.Mass[i*m+j]) + task.Cost[i*m+j] }
		for i := range n {
			for j := range m {
				if d := potential(i, j) - potential(0, j) - potential(i, 0) + potential(0, 0); !(math.Abs(d) < 1e-11) {
					t.Errorf("%dx%d, ε = %v: no potentials give [%d][%d]: %v", n, m, epsilon, i, j, d)
				}
			}
		}
	}
}

// hard returns tasks with extreme costs or masses, by name.
func hard(r *rand.Rand) map[string]*Task {
	tasks := map[string]*Task{}
	base := random(r, 7, 4, false)
	add := func(name string, change func(*Task)) {
		task := &Task{slices.Clone(base.Cost), slices.Clone(base.A), slices.Clone(base.B)}
		change(task)
		tasks[name] = task
	}
	scale := func(v []float64, by float64) {
		for i := range v {
			v[i] *= by
		}
	}
	for _, by := range []float64{1e150, 1e-150, 1e8, 1e-8, -1, 0} {
		add(fmt.Sprintf("costs times %g", by), func(t *Task) { scale(t.Cost, by) })
	}
	add("costs at both ends", func(t *Task) { t.Cost[0], t.Cost[1] = math.MaxFloat64, -math.MaxFloat64 })
	add("subnormal costs", func(t *Task) { scale(t.Cost, 0x1p-1060) })
	for _, by := range []float64{1e150, 1e-150, 1e-300, 1e300} {
		add(fmt.Sprintf("masses times %g", by), func(t *Task) { scale(t.A, by); scale(t.B, by) })
	}
	add("rows without mass", func(t *Task) { t.A[6] += t.A[0] + t.A[3]; t.A[0], t.A[3] = 0, 0 })
	add("columns without mass", func(t *Task) { t.B[0] += t.B[1] + t.B[3]; t.B[1], t.B[3] = 0, 0 })
	add("one row, one column", func(t *Task) { clear(t.A); clear(t.B); t.A[2], t.B[1] = 1, 1 })
	add("ties", func(t *Task) {
		for i := range t.Cost {
			t.Cost[i] = float64(i % 2)
		}
	})
	add("a tiny mass", func(t *Task) { t.A[1] += t.A[0]; t.A[0] = 1e-200 })
	return tasks
}

// TestHardTasks checks that every solver returns finite numbers and meets the marginals on extreme tasks.
func TestHardTasks(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	concave, err := NewConcave(NewExact(), 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	solvers := map[string]func(p *Plan, t *Task) error{
		"exact":         NewExact().Solve,
		"ipot":          newIPOT(t, IPOTConfig{}).Solve,
		"ipot .001":     newIPOT(t, IPOTConfig{Beta: 0.001}).Solve,
		"sinkhorn":      newSinkhorn(t, SinkhornConfig{}).Solve,
		"sinkhorn .003": newSinkhorn(t, SinkhornConfig{Epsilon: 0.003}).Solve,
		"sinkhorn 1e9":  newSinkhorn(t, SinkhornConfig{Epsilon: 1e9}).Solve,
		"concave":       func(p *Plan, t *Task) error { return concave.Solve(p, t, min(0.1*largest(t.Cost), 1e290)) },
	}
	for what, task := range hard(r) {
		var total float64
		for _, a := range task.A {
			total += a
		}
		for name, solve := range solvers {
			for range 2 { // cold or from another task, then warm
				var p Plan
				if err := solve(&p, task); err != nil {
					t.Fatalf("%s, %s: %v", name, what, err)
				}
				if !algo.Finite(p.Mass) || slices.Min(p.Mass) < 0 || !(p.MarginalError <= total) || p.Converged && !(p.MarginalError <= 2e-9*total) {
					t.Errorf("%s, %s: marginals are off by %v of %v: %v", name, what, p.MarginalError, total, p.Mass)
				}
				if what == "costs at both ends" { // their sums may be infinite, but not NaN
					for _, v := range slices.Concat(p.U, p.V, []float64{p.Cost}) {
						if v != v {
							t.Errorf("%s, %s: %v %v, cost %v", name, what, p.U, p.V, p.Cost)
						}
					}
				} else if !algo.Finite(p.U) || !algo.Finite(p.V) || p.Cost-p.Cost != 0 {
					t.Errorf("%s, %s: %v %v, cost %v", name, what, p.U, p.V, p.Cost)
				}
			}
		}
	}
}

// TestScalingInvariance checks that adding a constant to all costs and multiplying them by 2^k do not change the
// iterates.
func TestScalingInvariance(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	task := random(r, 9, 4, false)
	moved := &Task{slices.Clone(task.Cost), task.A, task.B}
	for i, c := range task.Cost {
		task.Cost[i] = math.Round(c*0x1p30) / 0x1p30
		moved.Cost[i] = 0x1p500 * (task.Cost[i] + 64)
	}
	for name, make := range map[string]func() Iterative{
		"sinkhorn": func() Iterative { return newSinkhorn(t, SinkhornConfig{}) },
		"ipot":     func() Iterative { return newIPOT(t, IPOTConfig{}) },
	} {
		a, b := make(), make()
		begin(t, a, task)
		begin(t, b, moved)
		var p, q Plan
		for range 20 {
			a.Iterate()
			b.Iterate()
		}
		a.Read(&p)
		b.Read(&q)
		for i, mass := range p.Mass {
			if !(math.Abs(mass-q.Mass[i]) <= 1e-13) {
				t.Errorf("%s: mass %d is %v, and %v for costs that are moved", name, i, mass, q.Mass[i])
			}
		}
	}
}

// TestIterativeRepeats checks that a solver that was saved and loaded during its first or second task continues with
// the same bits as an uninterrupted one. Calls of Read must not affect the iterations.
func TestIterativeRepeats(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	first, second := random(r, 8, 3, true), random(r, 8, 3, false)
	for name, make := range map[string]func() Iterative{
		"sinkhorn": func() Iterative { return newSinkhorn(t, SinkhornConfig{}) },
		"ipot":     func() Iterative { return newIPOT(t, IPOTConfig{}) },
		"exact":    func() Iterative { return NewExact() },
	} {
		whole, part := make(), make()
		var p, q Plan
		for _, task := range []*Task{first, second} {
			begin(t, whole, task)
			begin(t, part, task)
			for range 7 {
				whole.Iterate()
				part.Iterate()
				part.Read(&q)
			}
			var s algo.Snapshot
			part.Save(&s)
			part = make()
			begin(t, part, task)
			part.Load(&s)
			part.Read(&p)
			if !slices.Equal(p.Mass, q.Mass) || !slices.Equal(p.U, q.U) || p.Converged != q.Converged || p.Iterations != q.Iterations {
				t.Errorf("%s: another plan after Load", name)
			}
			for range 7 {
				whole.Iterate()
				part.Iterate()
			}
			whole.Read(&p)
			part.Read(&q)
			if !slices.Equal(p.Mass, q.Mass) || !slices.Equal(p.V, q.V) {
				t.Errorf("%s: other iterations after Load", name)
			}
		}
		whole.Forget()
		if a, b := solved(t, whole, first), solved(t, make(), first); !slices.Equal(a.Mass, b.Mass) || a.Iterations != b.Iterations {
			t.Errorf("%s: another plan after Forget", name)
		}
	}
}

// TestWarmStartsAreShorter checks that, after a small change of the costs, a warm start needs fewer iterations than a
// cold start.
func TestWarmStartsAreShorter(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for name, s := range map[string]Solver{"sinkhorn": newSinkhorn(t, SinkhornConfig{}), "exact": NewExact()} {
		cold, warm := 0, 0 // a tree hardly changes, but scalings converge at the same rate
		for range 10 {
			task := random(r, 30, 5, true)
			s.Forget()
			cold += solved(t, s, task).Iterations
			for i := range task.Cost {
				task.Cost[i] *= 1 + 1e-4*r.NormFloat64()
			}
			warm += solved(t, s, task).Iterations
		}
		if warm >= cold || name == "exact" && 5*warm > cold {
			t.Errorf("%s: %d iterations after a small change, %d from a cold start", name, warm, cold)
		}
	}
}

// TestReturningMass checks that entries that vanished from a plan return when the costs are reversed.
func TestReturningMass(t *testing.T) {
	s := newIPOT(t, IPOTConfig{Beta: 0.01})
	task := &Task{Cost: []float64{0, 1, 1, 0}, A: []float64{0.5, 0.5}, B: []float64{0.5, 0.5}}
	solved(t, s, task)
	for range 50 {
		s.Iterate() // the plan is e^-10000 off the diagonal
	}
	task.Cost = []float64{1, 0, 0, 1}
	if p := solved(t, s, task); !p.Converged || !(p.Cost < 1e-9) || p.Iterations > 20 {
		t.Errorf("cost %v after %d iterations, converged: %v", p.Cost, p.Iterations, p.Converged)
	}
}

// TestExactPivots checks that pivots performed one by one lead to the plan of Solve. The costs of the intermediate
// plans must not rise, and their potentials must bound the least cost from below.
func TestExactPivots(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for k := range 20 {
		task := random(r, 5+r.IntN(20), 5+r.IntN(20), k%2 == 0)
		want := solved(t, NewExact(), task)
		e := NewExact()
		begin(t, e, task)
		before := math.Inf(1)
		for !e.Done() {
			var p Plan
			e.Read(&p)
			checkBound(t, &p, task, want.Cost)
			if !(p.Cost <= before+1e-15) || !(p.MarginalError < 1e-14) {
				t.Errorf("cost %v after %v, marginals are off by %v", p.Cost, before, p.MarginalError)
			}
			before = p.Cost
			e.Iterate()
		}
		var p Plan
		e.Read(&p)
		if !slices.Equal(p.Mass, want.Mass) || p.Iterations != want.Iterations || !p.Converged {
			t.Errorf("%d pivots to %v, want %d", p.Iterations, p.Cost, want.Iterations)
		}
	}
}

func TestSolverConfigs(t *testing.T) {
	for _, bad := range []float64{-1, 1e-10, 1e10, math.NaN(), math.Inf(1)} {
		_, err := NewSinkhorn(SinkhornConfig{Epsilon: bad})
		checkRefused(t, err, "eps")
		_, err = NewIPOT(IPOTConfig{Beta: bad})
		checkRefused(t, err, "beta")
	}
	_, err := NewSinkhorn(SinkhornConfig{Limit: -1})
	checkRefused(t, err, "limit")
	_, err = NewIPOT(IPOTConfig{Limit: -1})
	checkRefused(t, err, "limit")
	_, err = NewConcave(NewExact(), -1, 0)
	checkRefused(t, err, "restarts")
	concave, err := NewConcave(NewExact(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		checkRefused(t, concave.Solve(&Plan{}, &Task{[]float64{1}, []float64{1}, []float64{1}}, bad), "tau")
	}
	if p := solved(t, newIPOT(t, IPOTConfig{Limit: 3}), random(rand.New(rand.NewPCG(1, 1)), 9, 4, true)); p.Converged || p.Iterations != 3 {
		t.Errorf("with a limit of 3: %d iterations, converged: %v", p.Iterations, p.Converged)
	}
}

func checkRefused(t *testing.T, err error, name string) {
	t.Helper()
	var e *algo.RangeError
	if !errors.As(err, &e) || !strings.HasPrefix(e.Name, name) {
		t.Errorf("error %v, want one about %s", err, name)
	}
}

// TestRefusedTasks checks that every solver rejects invalid tasks.
func TestRefusedTasks(t *testing.T) {
	half := []float64{0.5, 0.5}
	concave, err := NewConcave(NewExact(), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		task Task
		name string
	}{
		{Task{}, "cost"},
		{Task{Cost: []float64{1, 2, 3}, A: half, B: half}, "cost"},
		{Task{Cost: []float64{1, 2, 3, math.NaN()}, A: half, B: half}, "cost[1][1]"},
		{Task{Cost: []float64{1, 2, math.Inf(1), 0}, A: half, B: half}, "cost[1][0]"},
		{Task{Cost: []float64{1, 2, 3, 4}, A: []float64{1, -0.1}, B: half}, "a[1]"},
		{Task{Cost: []float64{1, 2, 3, 4}, A: half, B: []float64{math.NaN(), 1}}, "b[0]"},
		{Task{Cost: []float64{1, 2, 3, 4}, A: half, B: []float64{0.5, 0.6}}, "sums"},
		{Task{Cost: []float64{1, 2, 3, 4}, A: []float64{0, 0}, B: []float64{0, 0}}, "sums"},
		{Task{Cost: []float64{1, 2, 3, 4}, A: []float64{1e308, 1e308}, B: []float64{1e308, 1e308}}, "sums"},
	} {
		var p Plan
		for _, s := range []Solver{NewExact(), newIPOT(t, IPOTConfig{}), newSinkhorn(t, SinkhornConfig{})} {
			checkRefused(t, s.Solve(&p, &c.task), c.name)
		}
		checkRefused(t, concave.Solve(&p, &c.task, 1), c.name)
	}
	if p := solved(t, NewExact(), &Task{Cost: []float64{1, 2, 3, 4}, A: half, B: []float64{0.5, 0.5 + 1e-10}}); !(p.MarginalError < 1e-15) {
		t.Errorf("sums that differ by 1e-10 are balanced, yet the marginals are off by %v", p.MarginalError)
	}
}

func TestSolversDoNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	tasks := []*Task{random(r, 30, 5, true), random(r, 30, 5, false)}
	squares := []*Task{drawn("unequal square", 1, 64, 64), drawn("square", 2, 64, 64)}
	concave, err := NewConcave(NewExact(), 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	var p, square Plan
	cold := NewExact()
	for name, solve := range map[string]func(p *Plan, t *Task) error{
		"exact": NewExact().Solve,
		"exact, cold, as many columns": func(_ *Plan, t *Task) error {
			cold.Forget()
			if t == tasks[0] {
				return cold.Solve(&square, squares[0])
			}
			return cold.Solve(&square, squares[1])
		},
		"ipot":     newIPOT(t, IPOTConfig{Limit: 20}).Solve,
		"sinkhorn": newSinkhorn(t, SinkhornConfig{Limit: 20}).Solve,
		"concave":  func(p *Plan, t *Task) error { return concave.Solve(p, t, 0.1) },
	} {
		k := 0
		if n := testing.AllocsPerRun(20, func() {
			if err := solve(&p, tasks[k%2]); err != nil {
				t.Fatal(err)
			}
			k++
		}); n != 0 {
			t.Errorf("%s: %v allocations a call", name, n)
		}
	}
}

func BenchmarkIterate(b *testing.B) {
	task := random(rand.New(rand.NewPCG(21, 22)), 30, 5, true)
	for name, s := range map[string]Iterative{"sinkhorn": newSinkhorn(b, SinkhornConfig{}), "ipot": newIPOT(b, IPOTConfig{})} {
		b.Run(name+" 30x5", func(b *testing.B) {
			b.ReportAllocs()
			begin(b, s, task)
			for b.Loop() {
				s.Iterate()
			}
		})
	}
}

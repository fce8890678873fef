package plans

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/federated"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

func all() (names []string) {
	for _, m := range Methods() {
		names = append(names, m.ID)
	}
	return names
}

// course returns n wells around five places in the plane, with m starts.
func course(t testing.TB, n, m int) Course {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 9))
	var centres, starts [][]float64
	for i := range n {
		turn := 2 * math.Pi * float64(i%5) / 5
		centres = append(centres, []float64{2*math.Cos(turn) + 0.3*r.NormFloat64(), 2*math.Sin(turn) + 0.3*r.NormFloat64()})
	}
	for range m {
		starts = append(starts, []float64{6*r.Float64() - 3, 6*r.Float64() - 3})
	}
	p, err := problem.NewClusters(centres, problem.Quadratic)
	if err != nil {
		t.Fatal(err)
	}
	// With FedProx's pull, clients have a different problem, as they do in training.
	drawn := func(float64) (algo.Partial, error) {
		p, err := problem.NewClusters(centres, problem.Well)
		return algo.Exact(p), err
	}
	return Course{Problem: algo.Exact(p), Starts: starts, Drawn: drawn, Horizon: 30, Seed: 3}
}

// bound returns a roster of all methods, with every parameter bound.
func bound(n, m int, on ...string) (*Roster, *param.List) {
	r, l := New(all(), on...), new(param.List)
	objectives, solutions := new(int), new(int)
	*objectives, *solutions = n, m
	r.BindMethods(l)
	l.Integer(objectives, param.Descriptor{Name: "n", Min: 1, Max: 200, Step: 1})
	l.Integer(solutions, param.Descriptor{Name: "m", Min: 1, Max: 20, Step: 1})
	r.BindStepSettings(l)
	r.BindStepKind(l)
	r.BindScale(l)
	r.BindTransport(l)
	r.BindCurriculum(l)
	r.BindMarginals(l, "n", "m", 200, 20)
	r.BindOwn(l)
	return r, l
}

func assign(t testing.TB, l *param.List, name, text string) {
	t.Helper()
	if err := l.Assign(name, text); err != nil {
		t.Fatal(err)
	}
}

// rounds builds runs and plays them to the end of the budget.
func rounds(t testing.TB, r *Roster, c Course, budget int) *timeline.Timeline {
	t.Helper()
	runs, err := r.Runs(c)
	if err != nil {
		t.Fatal(err)
	}
	line := timeline.New(timeline.DefaultLimit)
	line.SetEnd(budget, 0)
	line.Reset(runs, nil)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	return line
}

// TestEveryMethodRuns checks that each method has one run over all starts, with finite numbers. All methods must end at
// different points.
func TestEveryMethodRuns(t *testing.T) {
	const n, m, budget = 13, 4, 30
	r, l := bound(n, m, all()...)
	assign(t, l, "moosvgd.repulsion", "0.05")
	assign(t, l, "curriculum", "paper")
	assign(t, l, "tau", "1")
	line := rounds(t, r, course(t, n, m), budget)
	if len(line.Runs()) != len(all()) {
		t.Fatalf("%d runs of %d methods", len(line.Runs()), len(all()))
	}
	ends := map[string][]float64{}
	for _, run := range line.Runs() {
		if run.Solutions() != m || !run.Several || run.Name != run.Method || run.Last() != budget || run.Status() != algo.Budget {
			t.Errorf("%s: %d solutions, ends at %d: %v", run.Name, run.Solutions(), run.Last(), run.Status())
		}
		for i := range run.Len() {
			row := run.Kept(i)
			if !algo.Finite(row.X) || !algo.Finite(row.F) || !algo.Finite(row.Stationarities) {
				t.Errorf("%s: %+v", run.Name, row)
			}
			if (row.Weights != nil) != (i < budget) {
				t.Errorf("%s: weights %v at %d", run.Name, row.Weights, i)
			}
		}
		end := run.Kept(run.Len() - 1).X
		for other, x := range ends {
			if slices.Equal(x, end) {
				t.Errorf("%s and %s end alike, at %v", run.Name, other, x)
			}
		}
		ends[run.Name] = end
		if most := r.MostBackpropagations(line); run.Kept(run.Len()-1).BP > most*m {
			t.Errorf("%s spends %d, want at most %d", run.Name, run.Kept(run.Len()-1).BP, most*m)
		}
	}
}

// TestWhatHolds checks that τ and the curriculum apply to exactly the methods that use them.
func TestWhatHolds(t *testing.T) {
	r, l := bound(6, 2)
	assign(t, l, "curriculum", "published")
	c := course(t, 6, 2)
	for _, want := range []struct {
		name       string
		tau        float64
		curriculum transport.Curriculum
		matching   transport.Matching
	}{
		{MosT, 0.1, transport.PublishedCurriculum, transport.Transported},
		{WithoutR, 0, transport.PublishedCurriculum, transport.Transported},
		{WithoutCL, 0.1, transport.ConstantMarginals, transport.Transported},
		{Objectives, 0.1, transport.ConstantMarginals, transport.ObjectiveSelects},
		{Models, 0.1, transport.ConstantMarginals, transport.ModelSelects},
		{Weights, 0.1, transport.PublishedCurriculum, transport.Transported},
		{RandomPlan, 0.1, transport.ConstantMarginals, transport.RandomPlan},
		{Extended, 0.1, transport.PublishedCurriculum, transport.Transported},
		{Linearization, 0.1, transport.ConstantMarginals, transport.Paired},
		{MGDA, 0.1, transport.ConstantMarginals, transport.Unmatched},
		{EPO, 0.1, transport.ConstantMarginals, transport.Unmatched},
	} {
		config, err := r.config(&c, want.name)
		if err != nil {
			t.Fatal(err)
		}
		if config.Tau != want.tau || config.Curriculum != want.curriculum || cmp.Or(config.Matching, transport.Transported) != want.matching ||
			config.PlanAsWeights != (want.name == Weights) || HasPlan(want.name) !=
			(want.matching != transport.Unmatched && want.matching != transport.Paired) {
			t.Errorf("%s: %+v", want.name, config)
		}
	}
}

// TestRecords checks that the records of a round agree with the stepper, also in the tracks of single solutions.
// Methods without a plan must record no plan.
func TestRecords(t *testing.T) {
	const n, m = 12, 4
	r, l := bound(n, m, MosT, Extended, MGDA, MOOSVGD)
	assign(t, l, "extended", "14")
	line := rounds(t, r, course(t, n, m), 10)
	for _, run := range line.Runs() {
		row, next, ok := line.Ahead(run, 3)
		if !ok {
			t.Fatal("no step")
		}
		rows := n
		if run.Method == Extended {
			rows = 14
		}
		f := row.F
		var oracle float64
		for i := range n {
			best := math.Inf(1)
			for j := range m {
				best = min(best, f[j*n+i])
			}
			oracle += best / n
		}
		var won float64
		for _, w := range row.Value(Won) {
			won += w
		}
		if math.Abs(row.Number(OracleLoss)-oracle) > 1e-14 || math.Abs(won-1) > 1e-14 || len(row.Value(Won)) != m ||
			!(row.Number(MeanLoss) > oracle) || !(row.Value(Worst)[0] >= row.Value(Worst)[3]) || !(row.Value(Worst)[3] >= oracle) {
			t.Errorf("%s: oracle loss %v, want %v; won %v, mean %v, worst %v", run.Name, row.Number(OracleLoss), oracle, row.Value(Won),
				row.Number(MeanLoss), row.Value(Worst))
		}
		mass, columns, planned := PlanOf(run, row)
		if planned != HasPlan(run.Method) {
			t.Fatalf("%s: a plan %v", run.Name, planned)
		}
		if !planned {
			if row.List(A) != nil || row.List(B) != nil || !math.IsNaN(row.Number(Zeros)) {
				t.Errorf("%s: a %v, b %v", run.Name, row.List(A), row.List(B))
			}
			if got := row.Number(BD2); (run.Method == MGDA) != (got > 0) {
				t.Errorf("%s: Σ b‖d‖² = %v", run.Name, got)
			}
			continue
		}
		err := line.Visit(run, 4, func(s algo.Stepper) {
			round, _ := s.(*transport.MosT).Round()
			if columns != m || len(mass) != rows*m || !slices.Equal(mass, round.Plan.Mass) {
				t.Errorf("%s: plan %v of %d columns, want %v", run.Name, mass, columns, round.Plan.Mass)
			}
			for name, want := range map[string][]float64{A: round.A, B: round.B, Tau: {round.Tau}, ColumnSum: round.ColumnSums,
				BD2: round.BD2, BD2Mean: {round.BD2Mean}, Cost: {round.Plan.Cost}, Change: {round.Change},
				Zeros: {transport.Zeros(mass, m)}, Diversity: {transport.Diversity(mass, m)}} {
				if !slices.Equal(row.Value(name), want) {
					t.Errorf("%s: %s = %v, want %v", run.Name, name, row.Value(name), want)
				}
			}
			for j, count := range round.Active {
				if row.Value(Active)[j] != float64(count) {
					t.Errorf("%s: active %v, want %v", run.Name, row.Value(Active), round.Active)
				}
			}
			if !slices.Equal(s.View().X, next.X) {
				t.Errorf("%s: got next point %v, want %v", run.Name, next.X, s.View().X)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		track := line.Find(run.Name + "-2")
		part := track.Of(row)
		if len(part.Value(Plan)) != rows || part.Value(Plan)[2] != mass[2*m+1] || part.Number(B) != row.Value(B)[1] {
			t.Errorf("%s: got plan %v of the second solution", run.Name, part.Value(Plan))
		}
	}
	results := Results(line)
	last := line.Runs()[0].Kept(10)
	most := results[MosT]
	if len(results) != 4 || most.OracleLoss != last.Number(OracleLoss) || len(most.Won) != m || most.Zeros == nil || !(*most.Zeros > 0.5) ||
		most.Change == nil || results[MGDA].Zeros != nil {
		t.Errorf("results %+v", results)
	}
}

// TestLiveChanges checks that the step size affects all methods, and that τ affects only those that use it.
func TestLiveChanges(t *testing.T) {
	r, _ := bound(6, 3, all()...)
	runs, err := r.Runs(course(t, 6, 3))
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		for name, text := range map[string]string{"eta": "0.07", "tau": "0.5"} {
			if err := run.Apply(timeline.Change{Name: name, Text: text}); err != nil {
				t.Fatal(err)
			}
		}
		if got := run.Stepper.(interface{ StepSize() float64 }).StepSize(); got != 0.07 {
			t.Errorf("%s: η = %v", run.Name, got)
		}
		s, ok := run.Stepper.(*transport.MosT)
		if !ok {
			_, swarm := run.Stepper.(*descent.MOOSVGD)
			_, average := run.Stepper.(*federated.Rounds)
			if swarm != (run.Name == MOOSVGD) || average != slices.Contains([]string{FedAvg, FedProx, FedMGDA}, run.Name) {
				t.Errorf("%s is a %T", run.Name, run.Stepper)
			}
			continue
		}
		if tau := s.Tau(); HasPlan(run.Name) && (tau == 0.5) != (run.Name != WithoutR) {
			t.Errorf("%s: τ = %v", run.Name, tau)
		}
		if err := run.Apply(timeline.Change{Name: "eta", Text: "x"}); err == nil || !strings.Contains(err.Error(), "eta = ") {
			t.Errorf("%s: %v", run.Name, err)
		}
	}
}

// TestSettings checks that runs with different settings end at different points, except that IPOT must end where the
// exact solver does. Unknown options must cause an error.
func TestSettings(t *testing.T) {
	const n, m = 13, 3
	ends := map[string][]float64{}
	for _, setting := range []string{"", "step=sign", "step=adam", "scale=raw", "scale=column", "solver=ipot", "solver=sinkhorn",
		"curriculum=paper", "curriculum=published", "K=2", "a=0.5,0.5,0,0,0,0,0,0,0,0,0,0,0", "b=0.8,0.1,0.1"} {
		r, l := bound(n, m, MosT)
		if name, text, ok := strings.Cut(setting, "="); ok {
			assign(t, l, name, text)
		}
		c := course(t, n, m)
		c.A, c.B = r.A, r.B
		end := rounds(t, r, c, 15).Runs()[0].Kept(15).X
		for other, x := range ends {
			alike := other == "" && setting == "solver=ipot"
			if slices.Equal(x, end) && !alike {
				t.Errorf("%q and %q end alike", setting, other)
			}
		}
		ends[setting] = end
	}
	for i, v := range ends["solver=ipot"] {
		if math.Abs(v-ends[""][i]) > 1e-3 {
			t.Errorf("IPOT ends at %v, the exact solver at %v", ends["solver=ipot"], ends[""])
			break
		}
	}
	r, _ := bound(n, m, MosT)
	for _, change := range []func(){func() { r.Solver = "simplex" }, func() { r.Scale = "rows" }, func() { r.Curriculum = "reverse" },
		func() { r.Step = "long" }} {
		before := *r
		change()
		var refused *algo.RangeError
		if _, err := r.Runs(course(t, n, m)); !errors.As(err, &refused) {
			t.Errorf("error %v", err)
		}
		*r = before
	}
}

// TestMixtures checks that MosT-E's mixtures start with the problem's objectives, and that their number is the
// requested one. It must also be possible to give the mixtures, or to let them omit the objectives.
func TestMixtures(t *testing.T) {
	r, l := bound(2, 3, Extended)
	assign(t, l, "extended", "5")
	c := course(t, 2, 3)
	mixtures, err := r.mixtures(&c)
	if err != nil || len(mixtures) != 5 || !slices.Equal(mixtures[0], []float64{1, 0}) || !slices.Equal(mixtures[1], []float64{0, 1}) {
		t.Fatalf("%v, error %v", mixtures, err)
	}
	r.WithoutOriginals = true
	without, err := r.mixtures(&c)
	if err != nil || len(without) != 5 || !slices.Equal(without[0], mixtures[2]) {
		t.Fatalf("%v, error %v", without, err)
	}
	c.Mixtures = [][]float64{{0.5, 0.5}}
	given, err := r.mixtures(&c)
	if err != nil || len(given) != 1 {
		t.Fatalf("%v, error %v", given, err)
	}
	rows, _ := rounds(t, r, c, 1).Runs()[0].Stepper.(*transport.MosT).Matched()
	if rows != 1 {
		t.Errorf("got %d matched objectives", rows)
	}
}

// TestLowerBounds checks that EPO measures losses from the bounds, so that it continues when a loss is negative.
func TestLowerBounds(t *testing.T) {
	c := course(t, 2, 3)
	shifted := c
	shifted.Problem = algo.Exact(lowered{c.Problem})
	r, _ := bound(2, 3, EPO)
	want := rounds(t, r, c, 20).Runs()[0].Kept(20).X
	stuck := rounds(t, r, shifted, 20).Runs()[0].Kept(20).X
	shifted.LowerBounds = []float64{-100, -100}
	got := rounds(t, r, shifted, 20).Runs()[0].Kept(20).X
	start := c.Starts[0]
	if stuck[0] != start[0] || stuck[1] != start[1] {
		t.Errorf("with negative losses: got a run from %v to %v", start, stuck)
	}
	for i, v := range want {
		if math.Abs(got[i]-v) > 1e-9 {
			t.Errorf("ends at %v, want %v", got, want)
			break
		}
	}
}

// lowered is a problem with 100 subtracted from all losses.
type lowered struct{ algo.Partial }

func (l lowered) Values(f, x []float64) {
	l.Partial.Values(f, x)
	for i := range f {
		f[i] -= 100
	}
}

func TestTexts(t *testing.T) {
	for _, m := range Methods() {
		if m.Title == "" || m.Paper == "" || !strings.HasSuffix(m.Help, ".") {
			t.Errorf("%+v", m)
		}
		if brush.Light.Look(m.ID).Hue == brush.Light.Ink {
			t.Errorf("%s has no own look", m.ID)
		}
	}
	if got := Methods(MGDA, MosT); len(got) != 2 || got[0].ID != MosT {
		t.Errorf("%v", got)
	}
	r := New([]string{MosT, MGDA}, MosT)
	l := new(param.List)
	r.BindMethods(l)
	d, _ := l.Lookup("method")
	if len(d.Options) != 2 {
		t.Errorf("options %v", d.Options)
	}
	line := timeline.New(timeline.DefaultLimit)
	if clock := r.Clock(line)(); clock.Name != kinds.Rounds {
		t.Errorf("got clock %s", clock.Name)
	}
	r.Axis = kinds.Backpropagations
	if clock := r.Clock(line)(); clock.Name != kinds.Backpropagations {
		t.Errorf("got clock %s", clock.Name)
	}
}

func BenchmarkRow(b *testing.B) {
	r, _ := bound(200, 10, MosT)
	c := course(b, 200, 10)
	runs, err := r.Runs(c)
	if err != nil {
		b.Fatal(err)
	}
	line := timeline.New(timeline.DefaultLimit)
	line.SetEnd(1<<30, 0)
	line.Reset(runs, nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := line.Step(); err != nil {
			b.Fatal(err)
		}
	}
}

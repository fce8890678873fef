package descent_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
)

// toyRun is a run of the published code on the toy problem, in double precision, with Adam and the constants of
// DefaultAdam.
type toyRun struct {
	Source, Method string
	Params         map[string]any
	Scale          float64
	StepSize       float64 `json:"lr"`
	Init           []float64
	Traj           [][]float64 // k, x1, x2, f1, f2
}

func toyRuns(t *testing.T) []toyRun {
	t.Helper()
	data, err := os.ReadFile("../problem/testdata/toy_cagrad.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct{ Runs []toyRun }
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	if len(oracle.Runs) != 18 {
		t.Fatalf("%d runs, want 18", len(oracle.Runs))
	}
	return oracle.Runs
}

// toySetting configures the rule that corresponds to a method of the oracle.
type toySetting struct {
	name     string
	settings map[string]string
	// The published direction is factor times the rule's direction. Adam's ε must be scaled too: the update of c·g
	// with ε equals the update of g with ε/c. 0 means 1.
	factor float64
	// The published code clips the direction to factor times this length. In FAMO and linear scalarization it clips
	// before it computes the gradient, so clipping has no effect.
	clip      float64
	tolerance float64 // allowed difference between the runs, 0 for 1e-6
}

var toyMethods = map[string]toySetting{
	"FAMO ls":     {name: "ls", factor: 2}, // the sum of the losses
	"FAMO pcgrad": {name: "pcgrad", settings: map[string]string{"reduction": "sum"}, clip: 1},
	// Both implementations of CAGrad compute the weights with general-purpose minimisers at their loose default
	// tolerances. The first doubles the direction before clipping.
	"FAMO cagrad":     {name: "cagrad", settings: map[string]string{"c": "0.4", "rescale": "sq"}, factor: 2, clip: 0.5, tolerance: 1e-5},
	"FAMO famo":       {name: "famo"},
	"peer nash_exact": {name: "nashmtl"},
	"CAGr sgd":        {name: "ls"},
	"CAGr pcgrad":     {name: "pcgrad", settings: map[string]string{"reduction": "mean"}},
	"CAGr cagrad":     {name: "cagrad", settings: map[string]string{"c": "0.5", "rescale": "lin"}, tolerance: 1e-3},
}

// follow runs the rule from the start of a published run. For each of the given iterations, it returns the largest
// distance from that run up to this iteration.
func (r *toyRun) follow(t *testing.T, rule algo.Weighting, set toySetting, until ...int) []float64 {
	t.Helper()
	p := newToy(t, r.Scale)
	optimizer := descent.DefaultAdam()
	optimizer.ClipNorm = set.clip
	if set.factor != 0 {
		optimizer.Epsilon /= set.factor
	}
	s := newRun(t, descent.Config{Problem: p, Start: r.Init, StepSize: r.StepSize, Period: 1, Optimizer: optimizer, Weighting: rule})
	distances := make([]float64, len(until))
	for _, row := range r.Traj {
		k := int(row[0])
		if k > until[len(until)-1] {
			break
		}
		steps(t, s, k-s.View().K)
		v := s.View()
		d := max(math.Abs(v.X[0]-row[1]), math.Abs(v.X[1]-row[2]), math.Abs(v.F[0]-row[3]), math.Abs(v.F[1]-row[4]))
		for i, u := range until {
			if k <= u {
				distances[i] = max(distances[i], d)
			}
		}
	}
	return distances
}

func newToy(t testing.TB, scale float64) *problem.Toy {
	t.Helper()
	p, err := problem.NewToy(scale, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestToyTrajectories checks that iterates and losses follow the published code for 2000 iterations. (When that code
// clips, it multiplies by the length divided by norm + 1e-6, which changes clipped runs by 1e-7. Other runs differ by
// 1e-12.)
func TestToyTrajectories(t *testing.T) {
	for _, r := range toyRuns(t) {
		set, ok := toyMethods[r.Source[:4]+" "+r.Method]
		if !ok { // MGDA: see TestToyTrajectoriesOfMGDA
			if r.Method != "mgda" && r.Method != "mgd" {
				t.Errorf("no setting for %s of %s", r.Method, r.Source)
			}
			continue
		}
		t.Run(fmt.Sprintf("%s scale %v from %v", r.Method, r.Scale, r.Init), func(t *testing.T) {
			method, ok := weighting.Lookup(set.name)
			if !ok {
				t.Fatalf("%s is not among the methods", set.name)
			}
			var l param.List
			construct := method.Bind(&l, "")
			for name, value := range set.settings {
				if err := l.Assign(name, value); err != nil {
					t.Fatal(err)
				}
			}
			if gamma, ok := r.Params["gamma"]; ok {
				if err := l.Assign("gamma", fmt.Sprint(gamma)); err != nil {
					t.Fatal(err)
				}
			}
			rule, err := construct(weighting.Context{Objectives: 2, LowerBounds: newToy(t, r.Scale).LowerBounds()})
			if err != nil {
				t.Fatal(err)
			}
			tolerance := 1e-6
			if set.tolerance != 0 {
				tolerance = set.tolerance
			}
			d := r.follow(t, rule, set, 2000)[0]
			t.Logf("%.2g apart", d)
			if !(d <= tolerance) {
				t.Errorf("%v apart, allowed is %v", d, tolerance)
			}
		})
	}
}

// clampedMGDA is MGDA for two objectives as in published code: it clamps weights to [low, 1−low], or adds a constant
// to the unscaled denominator.
type clampedMGDA struct {
	low, guard float64
}

func (clampedMGDA) Needs() algo.Needs   { return algo.Needs{} }
func (clampedMGDA) Save(*algo.Snapshot) {}
func (clampedMGDA) Load(*algo.Snapshot) {}

func (w clampedMGDA) Weigh(r *algo.Result, in *algo.Input) error {
	g11, g12, g22 := in.Gram[0], in.Gram[1], in.Gram[3]
	var lambda float64
	switch {
	case g12 >= g11 && (w.guard == 0 || g11 < g22):
		lambda = 1 - w.low
	case g12 >= g22:
		lambda = w.low
	default:
		lambda = (g22 - g12) / (g11 + g22 - 2*g12 + w.guard)
	}
	r.Weights[0], r.Weights[1] = lambda, 1-lambda
	copy(r.Effective, r.Weights)
	if r.Direction != nil {
		in.Jacobian.Combine(r.Direction, r.Weights)
	}
	return nil
}

// TestToyTrajectoriesOfMGDA reproduces the published runs of MGDA, including the faults of the published code. This
// code keeps weights 0.001 away from the vertices, and adds 1e-8 to a denominator that is 2e-6 after the first step
// from the origin. The exact rule follows the runs only while neither fault matters.
func TestToyTrajectoriesOfMGDA(t *testing.T) {
	compared := 0
	for _, r := range toyRuns(t) {
		var fault clampedMGDA
		var set toySetting
		// The exact rule stays close to the run until this iteration.
		var exactUntil int
		switch {
		case r.Method == "mgda":
			fault, set.factor = clampedMGDA{low: 0.001}, 2 // the weights have sum 2
			if r.Init[0] == -7.5 {
				exactUntil = 300 // the shortest vector is inside the hull
			}
		case r.Method == "mgd":
			fault = clampedMGDA{guard: 1e-8}
		default:
			continue
		}
		compared++
		t.Run(fmt.Sprintf("%s scale %v from %v", r.Method, r.Scale, r.Init), func(t *testing.T) {
			d := r.follow(t, fault, set, 10, 300, 2000)
			t.Logf("the published rule is %.2g apart after 10, 300 and 2000 iterations", d)
			if !(d[2] <= 1e-6) {
				t.Errorf("the published rule is %.3g apart", d)
			}
			exact := r.follow(t, weighting.NewMGDA(weighting.NormalizeNone), set, exactUntil, 2000)
			t.Logf("the exact rule is %.2g apart after %d and 2000 iterations", exact, exactUntil)
			if !(exact[0] <= 1e-6) || !(exact[1] > 1e-6) {
				t.Errorf("the exact rule is %.3g apart after %d and 2000 iterations, want 1e-6 and then more", exact, exactUntil)
			}
		})
	}
	if compared != 3 {
		t.Errorf("%d runs of MGDA, want 3", compared)
	}
}

// TestToyEnds logs where each method ends on the toy problem. From every start, MGDA must reach the basin of the
// Pareto set. From (9, 9), equal weights must stay in a valley.
func TestToyEnds(t *testing.T) {
	for _, method := range weighting.Methods {
		t.Run(method.Name, func(t *testing.T) {
			for _, start := range problem.ToyStarts() {
				p := newToy(t, 0.1)
				var l param.List
				rule, err := method.Bind(&l, "")(weighting.Context{Objectives: 2, Seed: 1, LowerBounds: p.LowerBounds()})
				if err != nil {
					t.Fatal(err)
				}
				s, err := descent.NewPSMGD(descent.Config{
					Problem: p, Start: start, StepSize: 0.005, Period: 1, Weighting: rule, Optimizer: descent.DefaultAdam(),
				})
				if err != nil {
					t.Logf("from %v: %v", start, err) // rules for positive losses
					continue
				}
				status := algo.Running
				for k := 0; k < 8000 && status == algo.Running && err == nil; k++ {
					status, err = s.Step()
				}
				v := s.View()
				t.Logf("from %v: %v after %d steps at %.3f, f = %.3f, error %v", start, status, v.K, v.X, v.F, err)
				inBasin := v.X[1] < -7
				switch {
				case method.Name == "mgda" && !inBasin:
					t.Errorf("MGDA from %v ends at %v, outside the basin", start, v.X)
				case method.Name == "ls" && start[1] == 9 && inBasin:
					t.Errorf("equal weights from %v come down to %v", start, v.X)
				}
			}
		})
	}
}

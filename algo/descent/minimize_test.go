package descent_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
)

// counted is a tradeoff that counts how often all its losses are computed.
type counted struct {
	tradeoff
	values int
}

func (c *counted) Values(f, x []float64) {
	c.values++
	c.tradeoff.Values(f, x)
}

// TestMinimizeByHand compares one step with numbers computed by hand: the mean gradient of tradeoff at (−1, −½) is (−3,
// −2), so a step of .1 leads to (−.7, −.3).
func TestMinimizeByHand(t *testing.T) {
	out, err := descent.Minimize(tradeoff{}, []float64{-1, -0.5}, "ls", descent.Settings{StepSize: 0.1, Steps: 1})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(out.X[0]+0.7) > 1e-15 || math.Abs(out.X[1]+0.3) > 1e-15 || out.Steps != 1 || out.Status != algo.Budget ||
		out.Cost.Backpropagations != 1 {
		t.Errorf("%+v", out)
	}
}

// TestMinimizeIsTheStepper checks that, with every method, Minimize ends at the same point as the method's stepper.
func TestMinimizeIsTheStepper(t *testing.T) {
	p, err := problem.NewFonseca(2, 0)
	if err != nil {
		t.Fatal(err)
	}
	start := []float64{0.3, -0.2}
	for _, method := range append(weighting.Names(), "psmgd", "crmogm") {
		out, err := descent.Minimize(p, start, method, descent.Settings{StepSize: 0.1, Steps: 20, Seed: 5})
		if method == "smg" {
			if err == nil {
				t.Error("smg draws batches from a problem without examples")
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", method, err)
			continue
		}
		c := descent.Config{Problem: p, Start: start, StepSize: 0.1, Seed: 5}
		switch method {
		case "psmgd":
			c.Period = descent.DefaultPeriod
		case "crmogm":
			c = descent.CRMOGM(c)
		case "ls":
			c = descent.LinearScalarization(c, []float64{0.5, 0.5})
		default:
			if c.Weighting, err = weighting.New(method, 2, "seed=5"); err != nil {
				t.Fatal(err)
			}
		}
		stepper, err := descent.NewPSMGD(c)
		if err != nil {
			t.Fatal(err)
		}
		view, _, err := algo.Run(stepper, 20, nil)
		if err != nil || !slices.Equal(view.X, out.X) || !slices.Equal(view.F, out.F) || !slices.Equal(view.Weights, out.Weights) ||
			out.Cost != view.Cost {
			t.Errorf("%s comes to %+v, its stepper to %+v (%v)", method, out, view, err)
		}
	}
}

// TestValuesEvery checks that computing losses less often does not change the steps, and that the last losses are
// computed.
func TestValuesEvery(t *testing.T) {
	start := []float64{-1, -0.5}
	var all, few counted
	var trace descent.Trace
	a, err := descent.Minimize(&all, start, "psmgd", descent.Settings{StepSize: 0.1, Steps: 50})
	if err != nil {
		t.Fatal(err)
	}
	b, err := descent.Minimize(&few, start, "psmgd", descent.Settings{StepSize: 0.1, Steps: 50, ValuesEvery: 20, Trace: &trace})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.X, b.X) || !slices.Equal(a.F, b.F) || a.Steps != b.Steps {
		t.Errorf("%+v, with losses now and then %+v", a, b)
	}
	if all.values != 51 || few.values != 4 { // at 0, 20, 40 and 50
		t.Errorf("losses were computed %d and %d times, not 51 and 4", all.values, few.values)
	}
	for _, r := range trace.Rows {
		if known := r.K%20 == 0 || r.K == 50; known != (r.F != nil) {
			t.Errorf("k = %d has losses %v", r.K, r.F)
		}
	}
	if _, err := descent.Minimize(&few, start, "mgda", descent.Settings{StepSize: 0.1, ValuesEvery: -1}); err == nil {
		t.Error("a negative number of steps is taken")
	}
}

// TestConstantBatches checks that every step draws a new batch with the same number of examples.
func TestConstantBatches(t *testing.T) {
	p, err := problem.RandomLogistic(problem.LogisticConfig{Examples: 20, Heterogeneity: 0.5, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	n, _ := p.Dims()
	stepper, err := descent.NewPSMGD(descent.Config{Problem: p, Start: make([]float64, n), StepSize: 0.01, Batch: 4, ConstantBatch: true})
	if err != nil {
		t.Fatal(err)
	}
	var before []int
	for range 10 {
		if _, err := stepper.Step(); err != nil {
			t.Fatal(err)
		}
		batch := stepper.Sample().Batch
		if len(batch) != 4 || slices.Equal(batch, before) {
			t.Errorf("batch %v after %v", batch, before)
		}
		before = slices.Clone(batch)
	}
}

// TestValuesEveryAllocatesNothing checks that, with every setting, a step that does not compute the losses allocates
// nothing.
func TestValuesEveryAllocatesNothing(t *testing.T) {
	stepper, err := descent.NewPSMGD(descent.Config{Problem: algo.Exact(tradeoff{}), Start: []float64{1, 2}, StepSize: 0.01,
		ValuesEvery: 3, Period: 2})
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { stepper.Step(); stepper.View() }); n != 0 {
		t.Errorf("%v allocations a step", n)
	}
}

func TestMinimizeEnds(t *testing.T) {
	start := []float64{-1, -0.5}
	calls := 0
	out, err := descent.Minimize(tradeoff{}, start, "mgda", descent.Settings{StepSize: 0.1, Steps: 50, Callback: func(v algo.View) bool {
		calls++
		return v.K == 7
	}})
	if err != nil || out.Steps != 7 || calls != 8 || out.Status != algo.Converged {
		t.Errorf("%+v after %d calls, %v", out, calls, err)
	}
	out, err = descent.Minimize(tradeoff{}, start, "mgda", descent.Settings{StepSize: 0.1, Steps: 500, Stationarity: 1e-6})
	if err != nil || out.Steps >= 500 || out.Status != algo.Stationary {
		t.Errorf("%+v, %v", out, err)
	}
}

// TestDivergenceNamesTheObjective checks that the divergence names the second objective, whose losses overflow.
func TestDivergenceNamesTheObjective(t *testing.T) {
	p, err := algo.Funcs{Variables: 1, Objectives: 2, Values: func(f, x []float64) { f[0], f[1] = x[0]*x[0], math.Exp(-400*x[0]) },
		Jacobian: func(jac *algo.Jacobian, x []float64) { jac.Data[0], jac.Data[1] = 2*x[0], -400*math.Exp(-400*x[0]) }}.Problem()
	if err != nil {
		t.Fatal(err)
	}
	out, err := descent.Minimize(p, []float64{3}, "ls", descent.Settings{StepSize: 3, Steps: 50})
	if err != nil || out.Status != algo.Diverged || out.Diverged.Objective != 2 || !strings.Contains(out.Diverged.String(), "of objective 2") {
		t.Errorf("%+v, %v", out, err)
	}
	if !algo.Finite(out.X) || !algo.Finite(out.F) {
		t.Errorf("the last good state is %v, %v", out.X, out.F)
	}
}

func TestMinimizeRefuses(t *testing.T) {
	good := descent.Settings{StepSize: 0.1, Steps: 5}
	var none *counted
	for name, c := range map[string]struct {
		problem algo.Problem
		start   []float64
		method  string
		change  func(s *descent.Settings)
		says    string
	}{
		"no problem":      {nil, []float64{0, 0}, "mgda", nil, "problem"},
		"a nil pointer":   {none, []float64{0, 0}, "mgda", nil, "problem"},
		"a short start":   {tradeoff{}, []float64{0}, "mgda", nil, "length"},
		"another method":  {tradeoff{}, []float64{0, 0}, "adam", nil, "available rules:"},
		"no step size":    {tradeoff{}, []float64{0, 0}, "mgda", func(s *descent.Settings) { s.StepSize = 0 }, "StepSize: eta = 0"},
		"steps below 0":   {tradeoff{}, []float64{0, 0}, "mgda", func(s *descent.Settings) { s.Steps = -1 }, "budget"},
		"another setting": {tradeoff{}, []float64{0, 0}, "mgda", func(s *descent.Settings) { s.Rule = []string{"c=1"} }, "c"},
		"weights of mgda": {tradeoff{}, []float64{0, 0}, "mgda", func(s *descent.Settings) { s.FixedWeights = []float64{1, 0} }, "FixedWeights"},
		"a rule of mgda":  {tradeoff{}, []float64{0, 0}, "mgda", func(s *descent.Settings) { s.Weighting = "cagrad" }, "Weighting"},
		"a rule of ls":    {tradeoff{}, []float64{0, 0}, "ls", func(s *descent.Settings) { s.Rule = []string{"c=1"} }, "Rule"},
		"drops with R":    {tradeoff{}, []float64{0, 0}, "psmgd", func(s *descent.Settings) { s.Weighting = "graddrop" }, "combination"},
	} {
		s := good
		if c.change != nil {
			c.change(&s)
		}
		if out, err := descent.Minimize(c.problem, c.start, c.method, s); err == nil || !strings.Contains(err.Error(), c.says) || out != nil {
			t.Errorf("%s: %+v, error %v, wanted is one that says %q", name, out, err, c.says)
		}
	}
}

func TestTraceCSV(t *testing.T) {
	trace := descent.Trace{Every: 2}
	_, err := descent.Minimize(tradeoff{}, []float64{0, 0}, "psmgd", descent.Settings{StepSize: 0.25, Steps: 3, Trace: &trace, ValuesEvery: 2})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := trace.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	const want = `k,backpropagations,f1,f2,weight1,weight2,x1,x2
0,0,1.0,1.0,,,0.0,0.0
2,3,0.53125,0.53125,0.5,0.5,0.375,0.375
3,4,0.5078125,0.5078125,0.5,0.5,0.4375,0.4375
`
	if b.String() != want {
		t.Errorf("%s\nwanted is\n%s", b.String(), want)
	}
	full := errors.New("full")
	if err := trace.WriteCSV(fullDisk{full}); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
	if err := new(descent.Trace).WriteCSV(&b); err != nil {
		t.Errorf("nothing recorded: %v", err)
	}
}

type fullDisk struct{ err error }

func (r fullDisk) Write([]byte) (int, error) { return 0, r.err }

// TestRunGoesOn checks that a step without a solution does not end a noisy run, because the next step may have a
// solution.
func TestRunGoesOn(t *testing.T) {
	p, err := problem.NewFonseca(2, 3) // noise large enough to make gradients oppose each other now and then
	if err != nil {
		t.Fatal(err)
	}
	rule, err := weighting.New("nashmtl", 2)
	if err != nil {
		t.Fatal(err)
	}
	stepper, err := descent.NewPSMGD(descent.Config{Problem: p, Start: []float64{0.1, -0.1}, Weighting: dull{rule}, StepSize: 0.01})
	if err != nil {
		t.Fatal(err)
	}
	view, status, err := algo.Run(stepper, 10, nil)
	if err != nil || view.K != 10 || status != algo.Budget {
		t.Errorf("at k = %d: %v, %v", view.K, status, err)
	}
}

// dull is a weighting that has no solution at every third step.
type dull struct{ algo.Weighting }

func (d dull) Weigh(r *algo.Result, in *algo.Input) error {
	err := d.Weighting.Weigh(r, in)
	if in.K%3 == 1 {
		r.Status = algo.NoSolution
		clear(r.Weights)
		clear(r.Effective)
		clear(r.Direction)
	}
	return err
}

// BenchmarkValuesEvery measures steps on 8 of 512 examples. The losses on all examples are computed after every step,
// or only after every hundredth step.
func BenchmarkValuesEvery(b *testing.B) {
	p, err := problem.RandomLogistic(problem.LogisticConfig{Examples: 512, Heterogeneity: 0.5, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		every int
	}{{"1", 1}, {"100", 100}} {
		b.Run(c.name, func(b *testing.B) {
			n, _ := p.Dims()
			stepper, err := descent.NewPSMGD(descent.Config{Problem: p, Start: make([]float64, n), StepSize: 1e-4, Batch: 8,
				ConstantBatch: true, ValuesEvery: c.every})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if status, err := stepper.Step(); status != algo.Running || err != nil {
					b.Fatal(status, err)
				}
			}
		})
	}
}

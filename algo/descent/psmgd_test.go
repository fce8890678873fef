package descent_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem"
)

func newFonseca(t testing.TB, d int, sigma float64) *problem.Fonseca {
	t.Helper()
	p, err := problem.NewFonseca(d, sigma)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// bowls returns the problem f1 = ½‖x−(1,0)‖² and f2 = ‖x+(1,0)‖², with L = 2 and μ = 1.
func bowls(t testing.TB, sigma float64) *problem.Quadratics {
	t.Helper()
	p, err := problem.NewQuadratics(sigma,
		problem.QuadraticObjective{A: []float64{1, 0, 0, 1}, Center: []float64{1, 0}},
		problem.QuadraticObjective{A: []float64{2, 0, 0, 2}, Center: []float64{-1, 0}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// corners returns three quadratics around the corners of a triangle.
func corners(t testing.TB, sigma float64) *problem.Quadratics {
	t.Helper()
	unit := []float64{1, 0, 0, 1}
	p, err := problem.NewQuadratics(sigma,
		problem.QuadraticObjective{A: unit, Center: []float64{1, 0}},
		problem.QuadraticObjective{A: unit, Center: []float64{-1, 1}},
		problem.QuadraticObjective{A: unit, Center: []float64{-1, -1}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func newRun(t testing.TB, c descent.Config) *descent.PSMGD {
	t.Helper()
	s, err := descent.NewPSMGD(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func steps(t testing.TB, s algo.Stepper, count int) {
	t.Helper()
	for range count {
		if status, err := s.Step(); err != nil || status != algo.Running {
			t.Fatalf("K = %d: %v, %v", s.View().K, status, err)
		}
	}
}

func near(got, want []float64, tolerance float64) bool {
	if len(got) != len(want) {
		return false
	}
	for i, v := range got {
		if !(math.Abs(v-want[i]) <= tolerance) {
			return false
		}
	}
	return true
}

// TestFirstStepsByHand compares two steps with numbers computed by hand. At (0, 1), the gradients (−1, 1) and (2, 2)
// are orthogonal with squared norms 2 and 8, so λ̂_0 = (0.8, 0.2) and the direction is (−0.4, 1.2). After one step of size η
// the gradients at (a, b) = (0.4η, 1−1.2η) are (a−1, b) and (2a+2, 2b), and λ̂_1 = (‖g2‖²−g1·g2)/‖g1−g2‖² for the first
// objective.
func TestFirstStepsByHand(t *testing.T) {
	type want struct {
		eta0, eta1 float64
		alpha1     float64
	}
	schedules := []struct {
		name             string
		stepSize         float64
		step, momentum   descent.Schedule
		constantMomentum float64
		want
	}{
		{"constant", 0.5, descent.Constant, descent.Constant, 0, want{0.5, 0.5, 0}},
		{"constant with momentum", 0.5, descent.Constant, descent.Constant, 0.9, want{0.5, 0.5, 0.9}},
		{"theorem 3.5", 0.5, descent.Theorem35, descent.Theorem35, 0, want{0.5, 0.5 / math.Sqrt2, 1 - 1/math.Sqrt2}},
		{"theorem 3.6", 0.5, descent.Theorem36, descent.Theorem36, 0, want{1, 1 / math.Sqrt2, 1 - 1/math.Sqrt2}},
		{"theorem 3.7", 0.8, descent.Theorem37, descent.Theorem37, 0, want{0.5, 0.4, 1 - 0.16}},
		{"as printed", 8, descent.AsPrinted, descent.AsPrinted, 0, want{0.4, 0.4, 0.6}},
		{"theorem 3.6 with a constant step", 0.3, descent.Constant, descent.Theorem36, 0, want{0.3, 0.3, 0.7}},
	}
	for _, c := range schedules {
		s := newRun(t, descent.Config{
			Problem: bowls(t, 0), Start: []float64{0, 1}, Period: 1, Horizon: 20,
			StepSize: c.stepSize, StepSizeSchedule: c.step, Momentum: c.constantMomentum, MomentumSchedule: c.momentum,
		})
		steps(t, s, 1)
		v := s.View()
		a, b := 0.4*c.eta0, 1-1.2*c.eta0
		if v.K != 1 || !v.Refreshed || !near(v.Weights, []float64{0.8, 0.2}, 1e-15) || !near(v.Direction, []float64{-0.4, 1.2}, 1e-15) ||
			math.Abs(v.StepSize-c.eta0) > 1e-15 || !near(v.X, []float64{a, b}, 1e-15) {
			t.Errorf("%s: step 0 is %+v, want x = (%v, %v)", c.name, v, a, b)
		}
		f := []float64{((a-1)*(a-1) + b*b) / 2, (a+1)*(a+1) + b*b}
		if !near(v.F, f, 1e-14) || v.Cost != (algo.Cost{Backpropagations: 2, GradientCoordinates: 4}) {
			t.Errorf("%s: after step 0 F = %v and cost %+v, want %v and 2 backpropagations", c.name, v.F, v.Cost, f)
		}
		steps(t, s, 1)
		v = s.View()
		g11, g22, g12 := (a-1)*(a-1)+b*b, 4*((a+1)*(a+1)+b*b), 2*((a-1)*(a+1)+b*b)
		hat := min(max((g22-g12)/(g11+g22-2*g12), 0), 1)
		lambda := c.alpha1*0.8 + (1-c.alpha1)*hat
		d := []float64{lambda*(a-1) + (1-lambda)*2*(a+1), lambda*b + (1-lambda)*2*b}
		x := []float64{a - c.eta1*d[0], b - c.eta1*d[1]}
		if !near(v.Weights, []float64{lambda, 1 - lambda}, 1e-14) || math.Abs(v.StepSize-c.eta1) > 1e-15 || !near(v.X, x, 1e-14) {
			t.Errorf("%s: step 1 is %+v, want λ1 = %v, η = %v, x = %v", c.name, v, lambda, c.eta1, x)
		}
	}
}

// TestPeriodByHand compares the steps of a run with R = 2 to numbers computed by hand. The second step reuses λ_0, and
// the third averages its new weights with λ_0.
func TestPeriodByHand(t *testing.T) {
	s := newRun(t, descent.Config{Problem: bowls(t, 0), Start: []float64{0, 1}, Period: 2, StepSize: 0.25, Momentum: 0.5})
	steps(t, s, 2)
	// x_1 = (0.1, 0.7); 0.8·(−0.9, 0.7) + 0.2·(2.2, 1.4) = (−0.28, 0.84).
	v := s.View()
	if v.Refreshed || v.Jacobian != nil || !near(v.Weights, []float64{0.8, 0.2}, 1e-15) ||
		!near(v.Direction, []float64{-0.28, 0.84}, 1e-15) || !near(v.X, []float64{0.17, 0.49}, 1e-15) || v.Cost.Backpropagations != 3 {
		t.Errorf("step 1 is %+v", v)
	}
	steps(t, s, 1)
	// At (0.17, 0.49): g1 = (−0.83, 0.49), g2 = (2.34, 0.98), g1·g1 = 0.929,
	// g2·g2 = 6.436, g1·g2 = −1.462; λ̂ = 7.898/10.289, averaged with 0.8.
	v = s.View()
	lambda := 0.5*0.8 + 0.5*7.898/10.289
	if !v.Refreshed || v.Jacobian == nil || !near(v.Weights, []float64{lambda, 1 - lambda}, 1e-14) || v.Cost.Backpropagations != 5 {
		t.Errorf("step 2 is %+v, want λ = %v", v, lambda)
	}
}

func TestBackpropagationsAreExact(t *testing.T) {
	for _, period := range []int{1, 2, 3, 4, 7, 16, 100} {
		for _, total := range []int{1, 2, 4, 5, 16, 17, 40} {
			for s, p := range map[int]algo.Sampled{2: newFonseca(t, 2, 0.1), 3: corners(t, 0.1)} {
				run := newRun(t, descent.Config{Problem: p, Start: []float64{0.9, 0.4}, Period: period, StepSize: 0.1})
				steps(t, run, total)
				refreshes := (total + period - 1) / period
				want := refreshes*s + total - refreshes
				if got := run.View().Cost; got != (algo.Cost{Backpropagations: want, GradientCoordinates: 2 * want}) {
					t.Errorf("T = %d, R = %d, S = %d: cost %+v, want %d backpropagations", total, period, s, got, want)
				}
			}
		}
	}
	run := newRun(t, descent.LinearScalarization(descent.Config{Problem: corners(t, 0), Start: []float64{2, 1}, StepSize: 0.1},
		[]float64{0.5, 0, 0.5}))
	steps(t, run, 40)
	v := run.View()
	if v.Cost.Backpropagations != 40 || v.Refreshed || v.Jacobian != nil || !near(v.Weights, []float64{0.5, 0, 0.5}, 0) {
		t.Errorf("linear scalarization: %+v, want 40 backpropagations and the weights as given", v)
	}
	if want := []float64{0, -0.5}; !near(v.X, want, 0.1) {
		t.Errorf("linear scalarization ends at %v, its minimum is %v", v.X, want)
	}
}

// TestNoiseIsSharedBetweenMethods checks that the gradient of a weighted sum and the rows of the Jacobian have the
// same noise. Equal seeds must then give equal runs whether or not a step refreshes the weights.
func TestNoiseIsSharedBetweenMethods(t *testing.T) {
	c := descent.Config{Problem: newFonseca(t, 2, 0.2), Start: []float64{0.3, -0.8}, StepSize: 0.1, Seed: 5, StartIndex: 3}
	byRefresh := c
	byRefresh.Period, byRefresh.Weighting = 1, fixed{[]float64{0.25, 0.75}}
	a, b := newRun(t, byRefresh), newRun(t, descent.LinearScalarization(c, []float64{0.25, 0.75}))
	steps(t, a, 50)
	steps(t, b, 50)
	if !near(a.View().X, b.View().X, 1e-13) {
		t.Errorf("same weights, same seed: %v and %v", a.View().X, b.View().X)
	}
	c.StartIndex = 4
	other := newRun(t, descent.LinearScalarization(c, []float64{0.25, 0.75}))
	steps(t, other, 50)
	if near(other.View().X, b.View().X, 1e-3) {
		t.Errorf("another start index gives the same noise: %v and %v", other.View().X, b.View().X)
	}
}

// TestSampleOfAStep checks that the sample of a step reproduces the step's gradients at no cost. After a refresh,
// these must equal the view's gradients. After every step, their weighted sum must be the step's direction.
func TestSampleOfAStep(t *testing.T) {
	p := newFonseca(t, 3, 0.2)
	periodic := descent.Config{Problem: p, Start: []float64{0.5, -0.2, 0.1}, StepSize: 0.1, Period: 3, Seed: 5, StartIndex: 2}
	fixed := descent.LinearScalarization(descent.Config{Problem: p, Start: periodic.Start, StepSize: 0.1, Seed: 2}, []float64{0.3, 0.7})
	for _, c := range []descent.Config{periodic, fixed} {
		s := newRun(t, c)
		if s.Sample() != nil {
			t.Error("there is a sample before the first step")
		}
		jac, sum := algo.NewJacobian(2, 3), make([]float64, 3)
		for k := range 7 {
			x := slices.Clone(s.View().X)
			steps(t, s, 1)
			v := s.View()
			p.JacobianAt(jac, x, s.Sample())
			if v.Refreshed != (v.Jacobian != nil) || v.Refreshed && !near(jac.Data, v.Jacobian.Data, 0) {
				t.Errorf("step %d: gradients %v, shown are %v", k, jac.Data, v.Jacobian)
			}
			jac.Combine(sum, v.Weights)
			if !near(sum, v.Direction, 1e-15) {
				t.Errorf("step %d: the gradients add up to %v, the direction is %v", k, sum, v.Direction)
			}
			if cost := v.Cost; cost != s.View().Cost {
				t.Errorf("step %d: looking costs %+v", k, s.View().Cost)
			}
		}
		var snap algo.Snapshot
		s.Save(&snap)
		s.Load(&snap)
		if s.Sample() != nil {
			t.Error("a sample is shown after Load")
		}
	}
}

// TestEveryGradient checks that runs that compute all gradients equal runs that compute only weighted sums, up to
// rounding errors. Each step must cost S backpropagations, and its view must contain the gradients.
func TestEveryGradient(t *testing.T) {
	p := corners(t, 0.2)
	periodic := descent.Config{Problem: p, Start: []float64{2, 1}, StepSize: 0.1, Period: 3, Momentum: 0.4, Seed: 5}
	fixed := descent.LinearScalarization(descent.Config{Problem: p, Start: periodic.Start, StepSize: 0.1, Seed: 2}, []float64{0.3, 0.7, 0})
	for _, c := range []descent.Config{periodic, fixed} {
		sums := newRun(t, c)
		c.EveryGradient = true
		every := newRun(t, c)
		jac, sum := algo.NewJacobian(3, 2), make([]float64, 2)
		for k := range 20 {
			x := slices.Clone(every.View().X)
			steps(t, sums, 1)
			steps(t, every, 1)
			v, w := every.View(), sums.View()
			if !near(v.X, w.X, 1e-14) || v.Refreshed != w.Refreshed || !near(v.Weights, w.Weights, 1e-14) || v.Cost.Backpropagations != 3*(k+1) {
				t.Fatalf("step %d: %+v, want what weighted sums give, %+v, with %d backpropagations", k, v, w, 3*(k+1))
			}
			p.JacobianAt(jac, x, every.Sample())
			if jac.Combine(sum, v.Weights); v.Jacobian == nil || !near(v.Jacobian.Data, jac.Data, 0) || !near(v.Direction, sum, 1e-15) {
				t.Errorf("step %d: gradients %v and direction %v, want %v and %v", k, v.Jacobian, v.Direction, jac, sum)
			}
		}
		algotest.Stepper(t, func() algo.Stepper { return newRun(t, c) })
		algotest.Evaluations(t, p, func(p algo.Sampled) algo.Stepper {
			c := c
			c.Problem = p
			return newRun(t, c)
		})
	}
	// In a box, each gradient is reduced separately: (−1, 1) and (2, 2) become (−1, 1) and (0, 2).
	c := descent.LinearScalarization(descent.Config{Problem: cut(t, 0), Start: []float64{0, 1}, StepSize: 0.5}, []float64{0.5, 0.5})
	c.EveryGradient = true
	s := newRun(t, c)
	steps(t, s, 1)
	if v := s.View(); !near(v.Direction, []float64{-0.5, 1.5}, 1e-15) || !near(v.X, []float64{0.25, 0.25}, 1e-15) {
		t.Errorf("in a box: %+v, want direction (−0.5, 1.5) and x = (0.25, 0.25)", v)
	}
	failed := newRun(t, descent.Config{Problem: cliff{}, Start: []float64{1}, Period: 5, StepSize: 0.75, EveryGradient: true})
	status := algo.Running
	for k := 0; k < 5 && status == algo.Running; k++ {
		var err error
		if status, err = failed.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if v := failed.View(); status != algo.Diverged || v.Diverged.Quantity != "gradient" || v.Jacobian != nil {
		t.Errorf("over a cliff: %v, %+v", status, v)
	}
}

func TestConformance(t *testing.T) {
	run := func(c descent.Config) func() algo.Stepper {
		return func() algo.Stepper { return newRun(t, c) }
	}
	diverging := run(descent.Config{Problem: bowls(t, 0), Start: []float64{0.3, 1}, Period: 3, StepSize: 7})
	base := descent.Config{Problem: newFonseca(t, 3, 0.1), Start: []float64{0.3, -0.8, 0.5}, Period: 4, StepSize: 0.2, Seed: 1}
	three := descent.Config{Problem: corners(t, 0.1), Start: []float64{2, 3}, Period: 3, StepSize: 0.2, Momentum: 0.7, Horizon: 30}
	t.Run("PSMGD", func(t *testing.T) {
		algotest.Stepper(t, run(base), diverging)
		for _, schedule := range []descent.Schedule{descent.Constant, descent.Theorem35, descent.Theorem36,
			descent.Theorem37, descent.AsPrinted} {
			c := three
			c.StepSizeSchedule, c.MomentumSchedule = schedule, schedule
			c.StepSize = 0.6
			algotest.Stepper(t, run(c))
		}
	})
	t.Run("MGDA", func(t *testing.T) { algotest.Stepper(t, run(descent.MGDA(base))) })
	t.Run("CR-MOGM", func(t *testing.T) { algotest.Stepper(t, run(descent.CRMOGM(base))) })
	t.Run("linear scalarization", func(t *testing.T) {
		algotest.Stepper(t, run(descent.LinearScalarization(base, []float64{0.5, 0.5})),
			run(descent.LinearScalarization(descent.Config{Problem: bowls(t, 0), Start: []float64{0.3, 1}, StepSize: 1e300}, []float64{1, 0})))
	})
	t.Run("PSMGD with a rule that learns", func(t *testing.T) {
		algotest.Stepper(t, func() algo.Stepper {
			return newRun(t, descent.Config{Problem: three.Problem, Start: three.Start, Period: 2, StepSize: 0.1, Weighting: &learner{}})
		})
	})
	t.Run("PSMGD with a rule without weights", func(t *testing.T) {
		algotest.Stepper(t, func() algo.Stepper {
			return newRun(t, descent.Config{Problem: three.Problem, Start: three.Start, Period: 1, StepSize: 0.1, Weighting: shortest{}})
		})
	})
}

func TestDivergence(t *testing.T) {
	for _, c := range []struct {
		name     string
		config   descent.Config
		quantity string
	}{
		{"step size", descent.Config{Problem: bowls(t, 0), Start: []float64{0, 1}, Period: 1, StepSize: 1e200}, "objective"},
		{"overflow of the step", descent.Config{Problem: bowls(t, 0), Start: []float64{0, 10}, Period: 1, StepSize: math.MaxFloat64}, "iterate"},
		{"gradients", descent.Config{Problem: cliff{}, Start: []float64{1}, Period: 1, StepSize: 0.75}, "gradient"},
		{"weighted gradient", descent.Config{Problem: cliff{}, Start: []float64{1}, Period: 5, StepSize: 0.75}, "gradient"},
	} {
		s := newRun(t, c.config)
		status := algo.Running
		for k := 0; k < 5 && status == algo.Running; k++ {
			var err error
			if status, err = s.Step(); err != nil {
				t.Fatal(err)
			}
		}
		v := s.View()
		if status != algo.Diverged || v.Diverged.Quantity != c.quantity || v.Diverged.K != v.K {
			t.Errorf("%s: %v, %+v at K = %d, want %q", c.name, status, v.Diverged, v.K, c.quantity)
		}
		if !algo.Finite(v.X) || !algo.Finite(v.F) {
			t.Errorf("%s: X = %v, F = %v", c.name, v.X, v.F)
		}
		if v.Jacobian != nil || v.Weights != nil || v.Direction != nil {
			t.Errorf("%s: the failed step is shown as the step to K = %d: %+v", c.name, v.K, v)
		}
	}
}

func TestLiveChanges(t *testing.T) {
	c := descent.Config{Problem: newFonseca(t, 2, 0), Start: []float64{0.9, 0.1}, Period: 4, StepSize: 0.3}
	s := newRun(t, c)
	var refreshed []int
	advance := func(count int) {
		for range count {
			steps(t, s, 1)
			if s.View().Refreshed {
				refreshed = append(refreshed, s.View().K-1)
			}
		}
	}
	advance(6) // 0, 4
	if err := s.SetPeriod(3); err != nil {
		t.Fatal(err)
	}
	advance(5) // 6, 9: multiples of 3, from the next step on
	if err := s.SetPeriod(8); err != nil {
		t.Fatal(err)
	}
	advance(10) // 16
	want := []int{0, 4, 6, 9, 16}
	if len(refreshed) != len(want) {
		t.Fatalf("refreshed at %v, want %v", refreshed, want)
	}
	for i := range want {
		if refreshed[i] != want[i] {
			t.Fatalf("refreshed at %v, want %v", refreshed, want)
		}
	}

	// A snapshot must restore the settings too.
	if err := s.SetStepSize(0.05); err != nil {
		t.Fatal(err)
	}
	if err := s.SetMomentum(0.8); err != nil {
		t.Fatal(err)
	}
	var snap algo.Snapshot
	s.Save(&snap)
	steps(t, s, 20)
	if s.View().StepSize != 0.05 {
		t.Errorf("step size %v, want 0.05", s.View().StepSize)
	}
	other := newRun(t, c)
	other.Load(&snap)
	steps(t, other, 20)
	if !near(other.View().X, s.View().X, 0) || other.Period() != 8 || other.StepSize() != 0.05 || other.Momentum() != 0.8 {
		t.Errorf("after Load R = %d, η = %v, α = %v and x = %v, want 8, 0.05, 0.8 and %v",
			other.Period(), other.StepSize(), other.Momentum(), other.View().X, s.View().X)
	}

	// After a change of R, new weights are averaged with the weights used last.
	s = newRun(t, c)
	steps(t, s, 7)
	last := append([]float64(nil), s.View().Weights...)
	for _, err := range []error{s.SetPeriod(7), s.SetMomentum(0.999999999)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	steps(t, s, 1)
	if !s.View().Refreshed || !near(s.View().Weights, last, 1e-8) {
		t.Errorf("mixed to %v, the weights used last were %v", s.View().Weights, last)
	}
}

func TestSettersRefuse(t *testing.T) {
	s := newRun(t, descent.Config{Problem: bowls(t, 0), Start: []float64{0, 1}, Period: 1, StepSize: 0.8, StepSizeSchedule: descent.Theorem37})
	ls := newRun(t, descent.LinearScalarization(descent.Config{Problem: bowls(t, 0), Start: []float64{0, 1}, StepSize: 1},
		[]float64{0.5, 0.5}))
	short := newRun(t, descent.Config{Problem: bowls(t, 0), Start: []float64{0, 1}, Period: 1, StepSize: 1, Weighting: shortest{}})
	for name, err := range map[string]error{
		"R":                             s.SetPeriod(0),
		"eta = 0":                       s.SetStepSize(0),
		"eta = NaN":                     s.SetStepSize(math.NaN()),
		"eta = +Inf":                    s.SetStepSize(math.Inf(1)),
		"eta = 0.5":                     s.SetStepSize(0.5), // not above 1/(2μ)
		"momentum = 1":                  s.SetMomentum(1),
		"momentum = -0.1":               s.SetMomentum(-0.1),
		"momentum = NaN":                s.SetMomentum(math.NaN()),
		"R = 2: fixed weights":          ls.SetPeriod(2),
		"momentum = 0.5: fixed":         ls.SetMomentum(0.5),
		"R = 2: the weighting":          short.SetPeriod(2),
		"momentum = 0.5: the weighting": short.SetMomentum(0.5),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if s.Period() != 1 || s.StepSize() != 0.8 || s.Momentum() != 0 {
		t.Error("a refused value was kept")
	}
}

func TestNewPSMGDRefuses(t *testing.T) {
	sound := func() descent.Config {
		return descent.Config{Problem: bowls(t, 0), Start: []float64{0, 1}, Period: 2, StepSize: 0.8}
	}
	for want, change := range map[string]func(*descent.Config){
		"problem": func(c *descent.Config) { c.Problem = nil },
		"start[1] = 2: it must be in the problem's box, from -1 to 1": func(c *descent.Config) {
			c.Problem, c.Start = boxed{bowls(t, 0), []float64{-1, -1}, []float64{1, 1}}, []float64{0, 2}
		},
		"start[0] = NaN: it must be in the problem's box": func(c *descent.Config) {
			c.Problem, c.Start = boxed{bowls(t, 0), []float64{-1, -1}, []float64{1, 1}}, []float64{math.NaN(), 0}
		},
		"problem: bounds of x[1] = [1 -1]": func(c *descent.Config) {
			c.Problem = boxed{bowls(t, 0), []float64{-1, 1}, []float64{1, -1}}
		},
		"problem: lengths of the bounds = [1 2]": func(c *descent.Config) {
			c.Problem = boxed{bowls(t, 0), []float64{-1}, []float64{1, 1}}
		},
		"start has length 1":         func(c *descent.Config) { c.Start = []float64{1} },
		"start [NaN 0]":              func(c *descent.Config) { c.Start = []float64{math.NaN(), 0} },
		"start [1e+200 0]":           func(c *descent.Config) { c.Start = []float64{1e200, 0} },
		"R = -1":                     func(c *descent.Config) { c.Period = -1 },
		"R = 2: the weighting":       func(c *descent.Config) { c.Weighting = shortest{} },
		"momentum = 0.5: the weight": func(c *descent.Config) { c.Period, c.Weighting, c.Momentum = 1, shortest{}, 0.5 },
		"momentum schedule theorem35": func(c *descent.Config) {
			c.Period, c.Weighting, c.MomentumSchedule = 1, shortest{}, descent.Theorem35
		},
		"eta = 0":                   func(c *descent.Config) { c.StepSize = 0 },
		"eta = 0.4":                 func(c *descent.Config) { c.StepSize, c.StepSizeSchedule = 0.4, descent.Theorem37 },
		"momentum = 1":              func(c *descent.Config) { c.Momentum = 1 },
		`step size schedule "none"`: func(c *descent.Config) { c.StepSizeSchedule = "none" },
		`momentum schedule "none"`:  func(c *descent.Config) { c.MomentumSchedule = "none" },
		"horizon = 0":               func(c *descent.Config) { c.StepSizeSchedule = descent.AsPrinted },
		"lipschitz = -1":            func(c *descent.Config) { c.StepSizeSchedule, c.Lipschitz = descent.Theorem37, -1 },
		"strong convexity = -1":     func(c *descent.Config) { c.StepSizeSchedule, c.StrongConvexity = descent.Theorem37, -1 },
		"lipschitz = 0": func(c *descent.Config) {
			c.StepSizeSchedule, c.Problem, c.Start = descent.Theorem37, cliff{}, []float64{1}
		},
		"fixed weights are":                  func(c *descent.Config) { c.FixedWeights = []float64{0.5, 0.5} },
		"fixed weights [1]":                  func(c *descent.Config) { *c = descent.LinearScalarization(*c, []float64{1}) },
		"fixed weight 0 = -1":                func(c *descent.Config) { *c = descent.LinearScalarization(*c, []float64{-1, 2}) },
		"their sum is 0.9":                   func(c *descent.Config) { *c = descent.LinearScalarization(*c, []float64{0.4, 0.5}) },
		"weighting: refused":                 func(c *descent.Config) { c.Weighting = refusing{} },
		"weighting: it must store effective": func(c *descent.Config) { c.Weighting = silent{} },
		"weighting: it needs the losses a":   func(c *descent.Config) { c.Weighting = deaf{} },
	} {
		c := sound()
		change(&c)
		if _, err := descent.NewPSMGD(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
	if _, err := descent.NewPSMGD(sound()); err != nil {
		t.Error(err)
	}
}

func TestPresets(t *testing.T) {
	c := descent.Config{Problem: bowls(t, 0), Start: []float64{0, 1}, Period: descent.DefaultPeriod, StepSize: 0.5}
	if got := descent.CRMOGM(c); got.Period != 1 || got.Momentum != 0.9 {
		t.Errorf("CR-MOGM has R = %d, α = %v", got.Period, got.Momentum)
	}
	c.Momentum = 0.3
	if got := descent.CRMOGM(c); got.Momentum != 0.3 {
		t.Errorf("CR-MOGM with a given α has %v", got.Momentum)
	}
	if got := descent.MGDA(c); got.Period != 1 || got.Momentum != 0 {
		t.Errorf("MGDA has R = %d, α = %v", got.Period, got.Momentum)
	}
}

// TestWeightingsGetWhatTheyNeed checks that a rule that observes losses gets them before and after each step that
// refreshes the weights, on the step's sample. It must also get the additional samples that it requires.
func TestWeightingsGetWhatTheyNeed(t *testing.T) {
	l := &learner{}
	s := newRun(t, descent.Config{Problem: corners(t, 0.1), Start: []float64{2, 3}, Period: 2, StepSize: 0.1, Weighting: l})
	steps(t, s, 5)
	if l.fault != "" {
		t.Error(l.fault)
	}
	if l.calls != 3 || l.heard != 3 {
		t.Errorf("decided %d times and heard %d times in 5 steps with R = 2, want 3 and 3", l.calls, l.heard)
	}
	// Each of the three refreshes computes the gradients of 3 objectives on 3 samples. Each of the 2 steps between
	// refreshes costs one backpropagation.
	if got := s.View().Cost.Backpropagations; got != 3*9+2 {
		t.Errorf("%d backpropagations, want %d", got, 3*9+2)
	}
}

func TestNoSolutionLeavesTheIterate(t *testing.T) {
	s := newRun(t, descent.Config{Problem: bowls(t, 0), Start: []float64{0.5, 0}, Period: 4, StepSize: 0.5, Weighting: unsolved{}})
	for k := range 3 {
		status, err := s.Step()
		v := s.View()
		if err != nil || status != algo.NoSolution || !near(v.X, []float64{0.5, 0}, 0) || v.Weights != nil || v.K != k+1 || !v.Refreshed {
			t.Errorf("step %d: %v, %v, %+v", k, status, err, v)
		}
	}
}

func TestFaultOfWeightingIsAnError(t *testing.T) {
	s := newRun(t, descent.Config{Problem: bowls(t, 0), Start: []float64{0.5, 1}, Period: 1, StepSize: 0.1, Weighting: &failing{}})
	steps(t, s, 2)
	before := append([]float64(nil), s.View().X...)
	if _, err := s.Step(); err == nil || !strings.Contains(err.Error(), "iteration 2") || !strings.Contains(err.Error(), "refused") {
		t.Errorf("error %v", err)
	}
	if v := s.View(); v.K != 2 || !near(v.X, before, 0) {
		t.Errorf("the state %+v is not that before the step", v)
	}
}

// fixed is a weighting with fixed weights.
type fixed struct{ w []float64 }

func (fixed) Needs() algo.Needs { return algo.Needs{} }
func (w fixed) Weigh(r *algo.Result, in *algo.Input) error {
	copy(r.Weights, w.w)
	copy(r.Effective, w.w)
	if r.Direction != nil {
		in.Jacobian.Combine(r.Direction, r.Weights)
	}
	return nil
}
func (fixed) Save(*algo.Snapshot) {}
func (fixed) Load(*algo.Snapshot) {}

// shortest is a weighting that takes the shortest gradient as its direction and returns no weights.
type shortest struct{}

func (shortest) Needs() algo.Needs { return algo.Needs{Jacobian: true} }
func (shortest) Weigh(r *algo.Result, in *algo.Input) error {
	r.Weights, r.Effective = nil, nil
	best := 0
	for i := range in.Jacobian.Rows {
		if in.Gram[i*in.Jacobian.Rows+i] < in.Gram[best*in.Jacobian.Rows+best] {
			best = i
		}
	}
	copy(r.Direction, in.Jacobian.Row(best))
	return nil
}
func (shortest) Save(*algo.Snapshot) {}
func (shortest) Load(*algo.Snapshot) {}

// These weightings fail in different ways. refusing fails at once. failing fails at its fifth decision (the
// constructor requests the first two). silent does not set the effective coefficients. unsolved reports no solution
// where the product of the gradients is negative, as on the segment between the minimisers of bowls. deaf requires
// losses but has no method to observe them.
type (
	refusing struct{ fixed }
	failing  struct {
		fixed
		calls int
	}
	silent   struct{ fixed }
	unsolved struct{ fixed }
	deaf     struct{ fixed }
)

func (refusing) Weigh(*algo.Result, *algo.Input) error { return errors.New("refused") }

func (w *failing) Weigh(r *algo.Result, in *algo.Input) error {
	if w.calls++; w.calls == 5 {
		return errors.New("refused")
	}
	clear(r.Weights)
	r.Weights[0] = 1
	copy(r.Effective, r.Weights)
	if r.Direction != nil {
		copy(r.Direction, in.Jacobian.Row(0))
	}
	return nil
}

func (silent) Weigh(r *algo.Result, _ *algo.Input) error {
	r.Weights[0], r.Weights[1] = 0.5, 0.5
	return nil
}

func (unsolved) Weigh(r *algo.Result, in *algo.Input) error {
	if in.Gram[1] >= 0 {
		r.Weights[0], r.Weights[1] = 0.5, 0.5
		copy(r.Effective, r.Weights)
		return nil
	}
	r.Weights, r.Effective, r.Status = nil, nil, algo.NoSolution
	return nil
}

func (deaf) Needs() algo.Needs { return algo.Needs{After: true} }

// learner is a weighting that requires every kind of input and checks what it receives.
type learner struct {
	calls, heard int
	fault        string
}

func (*learner) Needs() algo.Needs {
	return algo.Needs{Jacobian: true, Losses: true, Extra: 2, After: true}
}

func (l *learner) Weigh(r *algo.Result, in *algo.Input) error {
	m := len(r.Weights)
	if len(in.Extra) != 2 || len(in.Losses) != m || in.Jacobian == nil {
		l.fault = "an input lacks what is needed"
	}
	if l.heard > 0 && (in.Extra[0].Data[0] == in.Extra[1].Data[0] || in.Extra[0].Data[0] == in.Jacobian.Data[0]) {
		l.fault = "further samples are not independent"
	}
	if in.Losses[0] <= 0 {
		l.fault = "losses are missing"
	}
	for i := range r.Weights {
		r.Weights[i] = (1 + 0.1*math.Sin(float64(l.calls+i+l.heard))) / float64(m)
	}
	copy(r.Effective, r.Weights)
	l.calls++
	return nil
}

func (l *learner) Observe(before, after []float64) {
	l.heard++
	for i := range before {
		if before[i] == after[i] {
			l.fault = "the losses before and after a step are the same"
		}
	}
}

func (l *learner) Save(s *algo.Snapshot) { s.PutInt(l.calls); s.PutInt(l.heard) }
func (l *learner) Load(s *algo.Snapshot) { l.calls, l.heard = s.GetInt(), s.GetInt() }

// cliff is a problem with objectives x and 2x, whose gradients are not finite for x < ½.
type cliff struct{}

func (cliff) Dims() (n, m int)      { return 1, 2 }
func (cliff) Values(f, x []float64) { f[0], f[1] = x[0], 2*x[0] }
func (cliff) Jacobian(j *algo.Jacobian, x []float64) {
	j.Data[0], j.Data[1] = 1, 2
	if x[0] < 0.5 {
		j.Data[1] = math.NaN()
	}
}
func (c cliff) ValuesAt(f, x []float64, _ *algo.Sample)                  { c.Values(f, x) }
func (c cliff) JacobianAt(j *algo.Jacobian, x []float64, _ *algo.Sample) { c.Jacobian(j, x) }
func (c cliff) WeightedGradientAt(dst, w, x []float64, _ *algo.Sample) {
	dst[0] = w[0] + 2*w[1]
	if x[0] < 0.5 {
		dst[0] = math.NaN()
	}
}

// slope is a problem with two linear objectives, whose gradients are size·(−1, 2) and size·(3, 1).
type slope struct{ size float64 }

func (slope) Dims() (n, m int) { return 2, 2 }

func (p slope) Values(f, x []float64) { f[0], f[1] = p.size*(2*x[1]-x[0]), p.size*(3*x[0]+x[1]) }

func (p slope) Jacobian(j *algo.Jacobian, _ []float64) {
	copy(j.Data, []float64{-p.size, 2 * p.size, 3 * p.size, p.size})
}

// TestStepsOfAnySize checks that steps are proportional to the gradients even if the gradients' squares overflow or
// underflow.
func TestStepsOfAnySize(t *testing.T) {
	const steps = 3
	for _, size := range []float64{1, 1e-300, 1e-200, 1e155, 1e300} {
		// The shortest combination of the gradients has weights 11/17 and 6/17.
		want := []float64{-steps * 7. / 17, -steps * 28. / 17}
		s := newRun(t, descent.MGDA(descent.Config{Problem: algo.Exact(slope{size}), Start: []float64{0, 0}, StepSize: 1 / size}))
		svgd, err := descent.NewMOOSVGD(descent.MOOSVGDConfig{Problem: algo.Exact(slope{size}), Starts: [][]float64{{0, 0}}, StepSize: 1 / size,
			Repulsion: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, stepper := range []algo.Stepper{s, svgd} {
			for range steps {
				if status, err := stepper.Step(); err != nil || status != algo.Running {
					t.Fatalf("size %g: %v, %v", size, status, err)
				}
			}
			if v := stepper.View(); math.Hypot(v.X[0]-want[0], v.X[1]-want[1]) > 1e-12 {
				t.Errorf("size %g: %T at %v, want %v", size, stepper, v.X, want)
			}
		}
	}
}

func benchmark(b *testing.B, c descent.Config) {
	b.Helper()
	s := newRun(b, c)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Step(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMGDA2(b *testing.B) {
	benchmark(b, descent.MGDA(descent.Config{Problem: newFonseca(b, 2, 0), Start: []float64{0.9, -0.8}, StepSize: 1e-6}))
}

func BenchmarkMGDA2Noise(b *testing.B) {
	benchmark(b, descent.MGDA(descent.Config{Problem: newFonseca(b, 2, 0.01), Start: []float64{0.9, -0.8}, StepSize: 1e-6}))
}

func BenchmarkPSMGD2(b *testing.B) {
	benchmark(b, descent.Config{Problem: newFonseca(b, 2, 0), Start: []float64{0.9, -0.8}, Period: 4, StepSize: 1e-6})
}

func BenchmarkLinearScalarization2(b *testing.B) {
	benchmark(b, descent.LinearScalarization(
		descent.Config{Problem: newFonseca(b, 2, 0), Start: []float64{0.9, -0.8}, StepSize: 1e-6}, []float64{0.5, 0.5}))
}

func BenchmarkMGDA30(b *testing.B) {
	start := make([]float64, 30)
	for i := range start {
		start[i] = 0.3 * math.Sin(float64(i))
	}
	benchmark(b, descent.MGDA(descent.Config{Problem: newFonseca(b, 30, 0), Start: start, StepSize: 1e-6}))
}

func BenchmarkPSMGD30Noise(b *testing.B) {
	start := make([]float64, 30)
	for i := range start {
		start[i] = 0.3 * math.Sin(float64(i))
	}
	benchmark(b, descent.Config{Problem: newFonseca(b, 30, 0.01), Start: start, Period: 4, StepSize: 1e-6})
}

// TestWeightAge checks the mean age of the weights, in units of time of the gradient flow. With α = 0 it is η(R−1)/2,
// and thus 0 for R = 1. With α = ½ it is larger by ηR, one period. Summing over all ages must give the same results.
func TestWeightAge(t *testing.T) {
	for _, c := range []struct {
		period        int
		momentum, eta float64
		want          float64
	}{
		{1, 0, 0.3, 0}, {4, 0, 0.3, 0.45}, {16, 0, 0.3, 2.25}, {4, 0.5, 0.1, 0.55}, {1, 0.9, 0.3, 2.7},
	} {
		if got := descent.WeightAge(c.period, c.momentum, c.eta); math.Abs(got-c.want) > 1e-15*8 {
			t.Errorf("R = %d, α = %g, η = %g: age %g, want %g", c.period, c.momentum, c.eta, got, c.want)
		}
		var sum float64
		for j := range 2000 {
			for kept := range c.period {
				sum += (1 - c.momentum) * math.Pow(c.momentum, float64(j)) * c.eta * float64(j*c.period+kept) / float64(c.period)
			}
		}
		if math.Abs(sum-c.want) > 1e-12 {
			t.Errorf("R = %d, α = %g: the ages add up to %g, want %g", c.period, c.momentum, sum, c.want)
		}
	}
}

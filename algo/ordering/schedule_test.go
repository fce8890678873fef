package ordering_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/problem"
)

func TestStepSizes(t *testing.T) {
	c := &ordering.Constants{Gap: 8, Lipschitz: 2, Smoothness: 4, Deviation: math.Sqrt(5), Balance: 3}
	// Theorem 3.6: √(2·8/(4·(4+5)·10·4)) = √(16/1440) = 1/√90.
	if got := c.RandomStepSize(10, 4); math.Abs(got-1/math.Sqrt(90)) > 1e-16 {
		t.Errorf("Theorem 3.6: α = %v, want 1/√90", got)
	}
	// Theorem 3.9: the cube root of 8/(32·10·9·5·16·4) = 1/115200 is 0.0206, and 1/(26·13·6) = 1/2028.
	if got := c.JoGBaStepSize(10, 4); math.Abs(got-1./2028) > 1e-18 {
		t.Errorf("Theorem 3.9: α = %v, want 1/2028", got)
	}
	// With σ = 400: the cube root of 8/(32·10·9·160000·16·4) = 1/3686400000.
	c.Deviation = 400
	if got, want := c.JoGBaStepSize(10, 4), math.Cbrt(1./3686400000); math.Abs(got-1./2028) > 1e-18 || want < 1./2028 {
		t.Errorf("Theorem 3.9: α = %v, want the smaller of %v and 1/2028", got, want)
	}
	if got, want := c.JoGBaStepSize(10, 40000), math.Cbrt(1./36864000000000); math.Abs(got-want) > 1e-15*want {
		t.Errorf("Theorem 3.9: α = %v, want %v", got, want)
	}
	// Without deviation only the second term remains.
	c.Deviation = 0
	if got := c.JoGBaStepSize(10, 4); math.Abs(got-1./2028) > 1e-18 {
		t.Errorf("Theorem 3.9 with σ = 0: α = %v, want 1/2028", got)
	}
	for schedule, want := range map[ordering.Schedule][]float64{
		ordering.Constant: {0.5, 0.5, 0.5}, ordering.InverseSqrt: {0.5, 0.5 / math.Sqrt(2), 0.5 / math.Sqrt(3)},
		ordering.RandomTheorem: repeat(c.RandomStepSize(3, 7)), ordering.JoGBaTheorem: repeat(c.JoGBaStepSize(3, 7)),
	} {
		s := newRun(t, ordering.Config{Problem: three, Start: []float64{1, 1}, StepSize: 0.5, Schedule: schedule, Horizon: 7, Constants: c})
		for k := range 9 {
			steps(t, s, 1)
			if got := s.View().StepSize; got != want[k/3] {
				t.Errorf("%v: α = %v in epoch %d, want %v", schedule, got, k/3, want[k/3])
			}
		}
	}
}

func repeat(v float64) []float64 { return []float64{v, v, v} }

func TestConstantsAreChecked(t *testing.T) {
	good := ordering.Constants{Gap: 1, Lipschitz: 1, Smoothness: 1, Deviation: 1, Balance: 1}
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name   string
		change func(*ordering.Constants)
		random bool // refused for Theorem 3.6 too
	}{
		{"constants: gap", func(c *ordering.Constants) { c.Gap = 0 }, true},
		{"constants: gap", func(c *ordering.Constants) { c.Gap = inf }, true},
		{"constants: Lipschitz", func(c *ordering.Constants) { c.Lipschitz = -1 }, true},
		{"constants: smoothness", func(c *ordering.Constants) { c.Smoothness = nan }, true},
		{"constants: deviation", func(c *ordering.Constants) { c.Deviation = -1 }, true},
		{"constants: deviation", func(c *ordering.Constants) { c.Deviation = inf }, true},
		{"constants: balance", func(c *ordering.Constants) { c.Balance = 0 }, false},
		// The constants are finite, but the step size is not.
		{"constants", func(c *ordering.Constants) { c.Lipschitz, c.Smoothness = 1e300, 1e300 }, true},
	} {
		for _, schedule := range []ordering.Schedule{ordering.RandomTheorem, ordering.JoGBaTheorem} {
			constants := good
			c.change(&constants)
			_, err := ordering.New(ordering.Config{
				Problem: three, Start: []float64{1, 1}, StepSize: 1, Schedule: schedule, Horizon: 5, Constants: &constants,
			})
			switch {
			case schedule == ordering.JoGBaTheorem && c.name == "constants":
			case schedule == ordering.JoGBaTheorem || c.random:
				refused(t, err, c.name)
			case err != nil:
				t.Errorf("%s = 0 is refused for %v: %v", c.name, schedule, err)
			}
		}
	}
}

// stated is a linear sum that declares its smoothness.
type stated struct {
	linear
	smoothness float64
}

func (s stated) SampleSmoothness() float64 { return s.smoothness }

// TestEstimateByHand compares the constants of three at (1, 1) with numbers computed by hand. There each loss is the
// sum of the coordinates of its mean gradient.
func TestEstimateByHand(t *testing.T) {
	p := stated{three, 4}
	c, err := ordering.Estimate(p, []float64{1, 1}, 1, ordering.AsPublished, ordering.Greedy)
	if err != nil {
		t.Fatal(err)
	}
	// The means (2/3, 2/3) and (2/3, −1/3) give the losses 4/3 and 1/3. The longest gradient is (−1, 3); it deviates
	// from its mean by (5/3, 7/3).
	want := []float64{4. / 3, math.Sqrt2 * math.Sqrt(10), math.Sqrt2 * 4, math.Sqrt(25./9 + 49./9)}
	if got := []float64{c.Gap, c.Lipschitz, c.Smoothness, c.Deviation}; !near(got, want, 1e-14) {
		t.Errorf("Δ, F, F₁, σ = %v, want %v", got, want)
	}
	// After subtracting v = (4/3, 1/3) the vectors are (2/3, −1/3) +, (−1/3, 2/3) +, (−1/3, −4/3)
	// +, (−4/3, −7/3) −, (−7/3, 8/3) − and (−1/3, −1/3) +, with the sums (2/3, −1/3), (1/3, 1/3),
	// (0, −1), (4/3, 4/3), (11/3, −4/3) and (10/3, −5/3).
	if want := 11. / math.Sqrt(113); math.Abs(c.Balance-want) > 1e-14 {
		t.Errorf("A = %v, want %v", c.Balance, want)
	}
	balancing, err := ordering.Estimate(p, []float64{1, 1}, 0, ordering.AsPublished, ordering.SelfBalancing)
	if want := 30 * math.Log(3*2/0.01); err != nil || math.Abs(balancing.Balance-want) > 1e-12 || balancing.Gap != c.Gap {
		t.Errorf("%+v, %v of the self-balancing walk, want A = %v", balancing, err, want)
	}
	// If one example consists of all samples, its gradients are the means, so the sums stay at 0.
	all, err := ordering.Estimate(p, []float64{1, 1}, 3, ordering.PerObjective, ordering.Greedy)
	if err != nil || all.Deviation > 1e-15 || all.Balance != 1 {
		t.Errorf("of one example %+v, %v", all, err)
	}
}

// TestEstimate checks the bounds at random convex combinations of the start and the minimisers of single objectives.
// No gradient of a quadratic is longer than F/√M, deviates from its mean by more than σ, or changes faster than
// F₁/√M. Runs with the resulting step sizes do not diverge.
func TestEstimate(t *testing.T) {
	const m, d, examples, batch = 3, 4, 24, 2
	least := squares(t, problem.LeastSquaresConfig{
		Objectives: m, Examples: examples, Variables: d, Condition: 10, Heterogeneity: 1, Noise: 0.5, Seed: 2,
	})
	start := []float64{1, -2, 0, 3}
	for name, p := range map[string]interface {
		ordering.Problem
		Minimum(lambda []float64) ([]float64, error)
		LowerBounds() []float64
	}{"least squares": least, "diagonal": diagonal(t, m, examples, d)} {
		c, err := ordering.Estimate(p, start, batch, ordering.AsPublished, ordering.Greedy)
		if err != nil {
			t.Fatal(err)
		}
		corners := [][]float64{start}
		for i := range m {
			lambda := make([]float64, m)
			lambda[i] = 1
			w, err := p.Minimum(lambda)
			if err != nil {
				t.Fatal(err)
			}
			corners = append(corners, w)
		}
		draws := algo.Stream(1, 0, 0, algo.Data)
		gradient, other, mean := make([]float64, d), make([]float64, d), algo.NewJacobian(m, d)
		for range 200 {
			x, y := mixture(&draws, corners), mixture(&draws, corners)
			p.Jacobian(mean, x)
			for i := range m {
				for k := range examples / batch {
					s := &algo.Sample{Batch: []int{batch * k, batch*k + 1}}
					p.GradientAt(gradient, i, 0, d, x, s)
					p.GradientAt(other, i, 0, d, y, s)
					long, off, change := norm(gradient), distance(gradient, mean.Row(i)), distance(gradient, other)/distance(x, y)
					if root := math.Sqrt(m); root*long > c.Lipschitz*(1+1e-12) || off > c.Deviation*(1+1e-12) || root*change > c.Smoothness*(1+1e-9) {
						t.Fatalf("%s: %v, %v and %v where %+v are the bounds", name, root*long, off, root*change, c)
					}
				}
			}
		}
		f, worst := make([]float64, m), 0.0
		p.Values(f, start)
		for i, v := range f {
			for _, low := range p.LowerBounds() {
				worst = max(worst, v-low)
			}
			if v < 0 {
				t.Errorf("%s: loss %d is %v", name, i, v)
			}
		}
		if c.Gap != worst || !(c.Balance >= 1) {
			t.Errorf("%s: Δ = %v, want %v; A = %v", name, c.Gap, worst, c.Balance)
		}
		for _, schedule := range []ordering.Schedule{ordering.RandomTheorem, ordering.JoGBaTheorem} {
			s := newRun(t, ordering.Config{
				Problem: p, Start: start, Batch: batch, Kind: ordering.JoGBa, StepSize: 1, Schedule: schedule, Horizon: 50, Constants: &c,
			})
			steps(t, s, 50*examples/batch)
			for i, v := range s.View().F {
				if !(v <= f[i]*1.5) {
					t.Errorf("%s, %v: loss %d is %v, it was %v", name, schedule, i, v, f[i])
				}
			}
		}
	}
}

// TestEstimateOfManyVariables checks that Estimate uses only the start if the problem does not compute minimisers.
func TestEstimateOfManyVariables(t *testing.T) {
	const d = problem.LeastSquaresSolvable + 1
	p := squares(t, problem.LeastSquaresConfig{Objectives: 1, Examples: 2, Variables: d, Condition: 1, Noise: 1, Seed: 2})
	c, err := ordering.Estimate(p, make([]float64, d), 1, ordering.AsPublished, ordering.Greedy)
	if err != nil {
		t.Fatal(err)
	}
	f, g, longest := make([]float64, 1), make([]float64, d), 0.0
	p.Values(f, make([]float64, d))
	for k := range 2 {
		p.GradientAt(g, 0, 0, d, make([]float64, d), &algo.Sample{Batch: []int{k}})
		longest = max(longest, norm(g))
	}
	if c.Gap != f[0] || math.Abs(c.Lipschitz-longest) > 1e-12*longest {
		t.Errorf("%+v, want Δ = %v and F = %v", c, f[0], longest)
	}
}

func TestEstimateRefuses(t *testing.T) {
	for _, c := range []struct {
		name    string
		problem ordering.Problem
		start   []float64
		batch   int
	}{
		{"batch", stated{three, 1}, []float64{1, 1}, 2},
		{"batch", stated{three, 1}, []float64{1, 1}, -1},
		{"start", stated{three, 1}, []float64{1}, 1},
		{"start", stated{three, 1}, []float64{math.NaN(), 1}, 1},
		{"problem", three, []float64{1, 1}, 1},
	} {
		_, err := ordering.Estimate(c.problem, c.start, c.batch, ordering.AsPublished, ordering.Greedy)
		refused(t, err, c.name)
	}
}

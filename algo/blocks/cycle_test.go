package blocks_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
)

// inBlocks returns a configuration on pair with one block per variable and fixed orders.
func inBlocks(t testing.TB, m []int, alpha float64) blocks.Config {
	return blocks.Config{
		Problem: pair(t, 0), Start: []float64{1.5, 1.5}, Blocks: [][]int{{0}, {1}}, Frequencies: m, Order: blocks.Contiguous,
		BlockOrder: blocks.ListedBlocks, StepSize: alpha,
	}
}

// cycleOf returns the bias and the diameter of the cycle, and by how much F_m at the fixed point exceeds its
// minimum.
func cycleOf(t testing.TB, c blocks.Config) (bias, diameter, gap float64) {
	t.Helper()
	cycle, err := blocks.NewCycle(c)
	if err != nil {
		t.Fatal(err)
	}
	p := pair(t, 0)
	w := newRun(t, c).Weights()
	x, least, f := make([]float64, 2), make([]float64, 2), make([]float64, 2)
	if err := p.ParetoPoint(x, w); err != nil {
		t.Fatal(err)
	}
	p.Values(least, x)
	p.Values(f, cycle.Points[0])
	for k, v := range w {
		gap += v * (f[k] - least[k])
	}
	return distance(cycle.Points[0], x), cycle.Diameter(), gap
}

// TestRunsEndOnTheirCycle checks, for every order and update, that each outer iteration multiplies a run's distance
// from its cycle by the radius. The factor is not exact, because the other eigenvalue is not much smaller than the
// radius. The run must then follow the cycle.
func TestRunsEndOnTheirCycle(t *testing.T) {
	for _, update := range allUpdates {
		for _, order := range []blocks.Order{blocks.Contiguous, blocks.Cyclic} {
			c := inBlocks(t, []int{2, 3}, 0.05)
			c.Update, c.Order = update, order
			cycle, err := blocks.NewCycle(c)
			if err != nil {
				t.Fatal(err)
			}
			s := newRun(t, c)
			steps(t, s, 40*s.OuterSteps())
			before := distance(s.Last(), cycle.Points[0])
			steps(t, s, 20*s.OuterSteps())
			if ratio := math.Pow(distance(s.Last(), cycle.Points[0])/before, 1./20); math.Abs(ratio-cycle.Radius) > 0.02 {
				t.Errorf("%v, %v: an outer iteration comes nearer by %v, the radius is %v", update, order, ratio, cycle.Radius)
			}
			steps(t, s, 400*s.OuterSteps())
			for i, want := range cycle.Points {
				if !near(s.View().X, want, 1e-14) {
					t.Errorf("%v, %v: step %d of the cycle is at %v, want %v", update, order, i, s.View().X, want)
				}
				steps(t, s, 1)
			}
		}
	}
}

// TestBiasAndDiameter checks that bias and diameter are linear in α, and that the gap of F_m is quadratic. Scaling m at
// a fixed ratio has the same effect on the diameter as scaling α. For the bias, this is only roughly true: in units of
// pα, the bias is 0.141, 0.174 and 0.193 for p = 4, 8 and 20.
func TestBiasAndDiameter(t *testing.T) {
	const alpha = 1e-4
	for _, c := range []struct {
		m                   []int
		bias, diameter, gap float64 // in units of α, α and α²
	}{
		{[]int{1, 3}, 0.565, 1.666, 0.168}, {[]int{2, 6}, 1.389, 3.333, 1.006}, {[]int{5, 15}, 3.864, 8.331, 7.755},
	} {
		bias, diameter, gap := cycleOf(t, inBlocks(t, c.m, alpha))
		if math.Abs(bias/alpha-c.bias) > 1e-3 || math.Abs(diameter/alpha-c.diameter) > 1e-3 || math.Abs(gap/alpha/alpha-c.gap) > 1e-3 {
			t.Errorf("m = %v: bias %.3fα, diameter %.3fα, gap %.3fα², want %v", c.m, bias/alpha, diameter/alpha, gap/alpha/alpha, c)
		}
		twice, wide, high := cycleOf(t, inBlocks(t, c.m, 2*alpha))
		if math.Abs(twice/bias-2) > 0.01 || math.Abs(wide/diameter-2) > 0.01 || math.Abs(high/gap-4) > 0.02 {
			t.Errorf("m = %v: twice the step size makes %v, %v and %v times bias, diameter and gap", c.m, twice/bias, wide/diameter, high/gap)
		}
	}
	perTurn := func(m []int, p float64) (bias, diameter float64) {
		bias, diameter, _ = cycleOf(t, inBlocks(t, m, alpha))
		return bias / alpha / p, diameter / alpha / p
	}
	for _, c := range []struct {
		m       []int
		p, bias float64
	}{{[]int{1, 3}, 4, 0.141}, {[]int{2, 6}, 8, 0.174}, {[]int{5, 15}, 20, 0.193}} {
		if bias, diameter := perTurn(c.m, c.p); math.Abs(bias-c.bias) > 1e-3 || math.Abs(diameter-0.4166) > 1e-3 {
			t.Errorf("m = %v: bias %vpα and diameter %vpα, want %vpα and 0.4166pα", c.m, bias, diameter, c.bias)
		}
	}
	function, _, _ := cycleOf(t, blocks.FunctionAlternate(inBlocks(t, []int{1, 3}, alpha)))
	if math.Abs(function/alpha-0.630) > 1e-3 {
		t.Errorf("one block has the bias %vα, want 0.630α: it comes from the order of functions", function/alpha)
	}
	for name, kind := range map[string]func(blocks.Config) blocks.Config{
		"weighted sum": blocks.WeightedSum, "block alternate": blocks.BlockAlternate,
	} {
		if bias, _, _ := cycleOf(t, kind(inBlocks(t, []int{1, 3}, 0.1))); bias > 1e-14 {
			t.Errorf("%s has the bias %v, want none: its steps are along F_m", name, bias)
		}
	}
}

// TestCycleScale checks that a cycle is the same in other units, and far from the origin.
func TestCycleScale(t *testing.T) {
	want, err := blocks.NewCycle(inBlocks(t, []int{1, 3}, 0.1))
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []float64{1e-8, 1e8} {
		c := inBlocks(t, []int{1, 3}, 0.1/by)
		c.Problem = algo.Exact(scaled{c.Problem, by})
		got, err := blocks.NewCycle(c)
		if err != nil || !near(got.Points[2], want.Points[2], 1e-13) || math.Abs(got.Radius-want.Radius) > 1e-13 {
			t.Errorf("losses times %g: %v, %v, want %v", by, got, err, want)
		}
		c = inBlocks(t, []int{1, 3}, 0.1)
		c.Problem = newQuadratics(t, 0, [][][]float64{{{2, 0.6}, {0.6, 0.8}}, {{0.7, -0.3}, {-0.3, 1.6}}},
			[][]float64{{-by, 0.5 * by}, {by, -0.5 * by}})
		got, err = blocks.NewCycle(c)
		if err != nil || math.Abs(got.Points[2][0]/by-want.Points[2][0]) > 1e-13 || math.Abs(got.Radius-want.Radius) > 1e-7 {
			t.Errorf("variables times %g: %v, %v, want %v", by, got, err, want)
		}
	}
}

func TestCycleRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*blocks.Config)
	}{
		{"order", func(c *blocks.Config) { c.Order = blocks.RandomOrder }},
		{"blockorder", func(c *blocks.Config) { c.BlockOrder = blocks.RandomBlocks }},
		{"schedule", func(c *blocks.Config) { c.Schedule = blocks.Safe }},
		{"alpha", func(c *blocks.Config) { c.StepSize = 0 }},
	} {
		config := inBlocks(t, []int{1, 1}, 0.1)
		c.change(&config)
		_, err := blocks.NewCycle(config)
		refused(t, err, c.name)
	}
	if _, err := blocks.NewCycle(blocks.Config{}); err != algo.ErrNoProblem {
		t.Errorf("without a problem: %v", err)
	}
	for name, change := range map[string]func(*blocks.Config){
		"no stationary point": func(c *blocks.Config) { c.Problem = algo.Exact(linear{{1, 0}, {0, 1}}) },
		"not quadratic":       func(c *blocks.Config) { c.Problem = algo.Exact(quartic{}) },
		"not finite":          func(c *blocks.Config) { c.StepSize = 1e308 },
	} {
		c := inBlocks(t, []int{1, 1}, 0.1)
		change(&c)
		if cycle, err := blocks.NewCycle(c); err == nil {
			t.Errorf("%s: %+v, want an error", name, cycle)
		}
	}
	// If only one order is possible, random orders are accepted too. Noise and batches are ignored.
	for name, c := range map[string]blocks.Config{
		"one objective": {Frequencies: []int{0, 2}, Blocks: [][]int{{0}, {1}}, BlockOrder: blocks.ListedBlocks},
		"one block":     {Frequencies: []int{1, 2}, Order: blocks.Cyclic},
		"all together":  blocks.WeightedSum(blocks.Config{Frequencies: []int{1, 2}}),
	} {
		c.Problem, c.Start, c.StepSize = pair(t, 0.5), []float64{1, 1}, 0.1
		if _, err := blocks.NewCycle(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := blocks.WeightedSum(inBlocks(t, []int{1, 1}, 1.5))
	if cycle, err := blocks.NewCycle(c); err != nil || !(cycle.Radius > 1) {
		t.Errorf("a step size that is too large: %+v, %v, want a radius above 1", cycle, err)
	}
}

// quartic is a problem with two objectives Σ x⁴.
type quartic struct{}

func (quartic) Dims() (n, m int) { return 2, 2 }

func (quartic) Values(f, x []float64) {
	f[0] = math.Pow(x[0], 4) + math.Pow(x[1], 4)
	f[1] = f[0]
}

func (quartic) Jacobian(jac *algo.Jacobian, x []float64) {
	for k := range 2 {
		for i, v := range x {
			jac.Row(k)[i] = 4 * v * v * v
		}
	}
}

// TestBiasInRandomOrders checks that, with random orders, the average bias is the same for every scale of m, and
// smaller than in a fixed order.
func TestBiasInRandomOrders(t *testing.T) {
	const alpha, turns = 0.01, 40_000
	for _, m := range [][]int{{1, 3}, {5, 15}} {
		c := inBlocks(t, m, alpha)
		fixed, _, _ := cycleOf(t, c)
		c.Order, c.BlockOrder = blocks.RandomOrder, blocks.RandomBlocks
		s := newRun(t, c)
		minimiser, mean := make([]float64, 2), make([]float64, 2)
		if err := pair(t, 0).ParetoPoint(minimiser, s.Weights()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Advance(500 * s.OuterSteps()); err != nil {
			t.Fatal(err)
		}
		for range turns {
			if _, err := s.Advance(s.OuterSteps()); err != nil {
				t.Fatal(err)
			}
			for i, v := range s.Last() {
				mean[i] += v / turns
			}
		}
		if bias := distance(mean, minimiser); math.Abs(bias/alpha-0.26) > 0.03 || bias > fixed/2 {
			t.Errorf("m = %v: the mean is off by %vα, want 0.26α; in a fixed order the end is off by %vα", m, bias/alpha, fixed/alpha)
		}
	}
}

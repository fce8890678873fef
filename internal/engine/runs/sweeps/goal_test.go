package sweeps

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo/blocks"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/timeline"
)

// TestGoal checks that F_m rises around the minimiser, and that Constants measures the gap and the distance at the
// start.
func TestGoal(t *testing.T) {
	p := course(t).Problem.(*problem.Quadratics)
	g, err := NewGoal(p, []int{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{1. / 6, 2. / 6, 3. / 6}; !floats.EqualApprox(g.Weights, want, 1e-15) {
		t.Errorf("got weights %v, want %v", g.Weights, want)
	}
	f := make([]float64, objectives)
	for i := range variables {
		for _, by := range []float64{-0.01, 0.01} {
			x := slices.Clone(g.Minimiser)
			x[i] += by
			if p.Values(f, x); !(g.Above(f) > 0) || math.Abs(g.Away(x)-0.01) > 1e-12 {
				t.Errorf("at %v, near the minimiser: got F_m %g above its minimum", x, g.Above(f))
			}
		}
	}
	if g.Above(g.F) != 0 {
		t.Errorf("at the minimiser: got F_m %g above its minimum", g.Above(g.F))
	}
	start := course(t).Start
	c := g.Constants(p, start, blocks.Measured{Sigma: 3, Reach: 7}, 2, 6)
	if p.Values(f, start); c.Gap != g.Above(f) || c.Distance != g.Away(start) || c.Reach != 7 || c.Blocks != 2 || c.Steps != 6 ||
		math.Abs(c.Sigma-math.Sqrt(9+variables*0.01)) > 1e-12 {
		t.Errorf("got %+v", c)
	}
}

// TestDivide checks that shares and their places convert into each other, and that divided parts add up to the whole.
func TestDivide(t *testing.T) {
	if x, y := Place([]float64{0.25, 0.75}); x != 0.75 || y != 0 {
		t.Errorf("on the line: got %g, %g", x, y)
	}
	for _, c := range []struct {
		shares []float64
		whole  int
		want   []int
	}{
		{[]float64{0.2, 0.3, 0.5}, 10, []int{2, 3, 5}}, {[]float64{0.25, 0.25, 0.5}, 6, []int{2, 1, 3}},
		{[]float64{1. / 3, 1. / 3, 1. / 3}, 3, []int{1, 1, 1}},
		{[]float64{1.2, 0, -0.2}, 7, []int{7, 0, 0}},
	} {
		if back := SharesAt(Place(c.shares)); !floats.EqualApprox(back, c.shares, 1e-12) {
			t.Errorf("%v has the place of %v", c.shares, back)
		}
		if got := Divide(c.shares, c.whole); !slices.Equal(got, c.want) {
			t.Errorf("%d in proportion to %v: got %v, want %v", c.whole, c.shares, got, c.want)
		}
	}
}

// TestCycles checks that runs end where Cycle says that they end, and that Work stops on request.
func TestCycles(t *testing.T) {
	_, r := played(t, timeline.DefaultLimit, 0, map[string]string{"m": "1,2,3"})
	on := course(t)
	g, err := NewGoal(on.Problem.(*problem.Quadratics), r.M)
	if err != nil {
		t.Fatal(err)
	}
	c := new(Cycles)
	c.Add(BlockSMOO, 1)
	c.Add(FunctionAlternate, 2)
	for more := 3; ; more = 100 {
		pending, err := c.Work(func() bool { more--; return more >= 0 }, func(method string, times int, alpha float64) (Round, error) {
			return r.Cycle(method, on, g, times, alpha)
		})
		if err != nil {
			t.Fatal(err)
		}
		if !pending {
			break
		}
		if c.Done != 3 || !math.IsNaN(c.Lines[0].Ends[3].Bias) {
			t.Fatalf("after three points: got %+v", c)
		}
	}
	if c.Done != 2*CycleSteps || math.Abs(CycleStep(CycleSteps-1)/CycleMost-1) > 1e-12 || CycleStep(0) != CycleLeast {
		t.Errorf("got %d points, from %g to %g", c.Done, CycleStep(0), CycleStep(CycleSteps-1))
	}
	for _, line := range c.Lines {
		for i := range 4 { // the bias is roughly proportional to small step sizes
			if rate := line.Ends[i+1].Bias / line.Ends[i].Bias * CycleStep(i) / CycleStep(i+1); math.Abs(rate-1) > 0.05 {
				t.Errorf("%s: from step %d to the next the bias grows %g times as much", line.Method, i, rate)
			}
		}
	}
	if end, err := r.Cycle(WeightedSum, on, g, 1, 100); err != nil || !math.IsNaN(end.Bias) || !math.IsNaN(end.Width) {
		t.Errorf("with a far too long step: got %+v, error %v", end, err)
	}
}

// TestTheorems checks that each theorem applies to the schedules that it names.
func TestTheorems(t *testing.T) {
	for schedule, want := range map[string][]string{string(blocks.Constant): nil, string(blocks.InverseSqrt): {"3.1", "3.2"},
		string(blocks.Printed): {"3.3"}, string(blocks.Safe): {"3.3"}} {
		var got []string
		for _, th := range bound(t, map[string]string{"schedule": schedule}).Theorems() {
			got = append(got, th.Number())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got theorems %v, want %v", schedule, got, want)
		}
	}
}

package ordering_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"paretoplay/algo/ordering"
	"paretoplay/algo/problem"
)

// TestHerdingByHand compares sums and H with numbers computed by hand. The gradients of three minus their means (2/3,
// 2/3) and (2/3, −1/3) are (4/3, −2/3), (1/3, −5/3), (−5/3, 7/3) and (1/3, 4/3), (−2/3, −5/3), (1/3, 1/3). The longest
// is (−5, 7)/3.
func TestHerdingByHand(t *testing.T) {
	h := ordering.NewHerding(three, 1)
	for _, c := range []struct {
		orders   [][]int
		sums     [][]float64 // times 3
		farthest float64     // times 3
	}{
		{[][]int{{0, 1, 2}}, [][]float64{{5, 2}, {4, -8}, {0, 0}}, 8},
		{[][]int{{2, 0, 1}}, [][]float64{{-4, 8}, {1, 10}, {0, 0}}, 10},
		{[][]int{{0, 2, 1}, {1, 0, 2}}, [][]float64{{2, -7}, {-2, 4}, {0, 0}}, 7},
	} {
		var sums [][]float64
		got := h.Walk([]float64{5, 6}, c.orders, func(k int, sum []float64) {
			if k != len(sums)+1 {
				t.Errorf("step %d comes after %d", k, len(sums))
			}
			sums = append(sums, slices.Clone(sum))
		})
		if want := c.farthest / math.Sqrt(74); math.Abs(got-want) > 1e-14 || got != h.Walk([]float64{5, 6}, c.orders, nil) {
			t.Errorf("orders %v: H = %v, want %v", c.orders, got, want)
		}
		for k, sum := range sums {
			if !near(sum, []float64{c.sums[k][0] / 3, c.sums[k][1] / 3}, 1e-14) {
				t.Errorf("orders %v: sum %d is %v, want a third of %v", c.orders, k+1, sum, c.sums[k])
			}
		}
	}
	whole := ordering.NewHerding(three, 3)
	if got := whole.Walk([]float64{5, 6}, [][]int{{0}, {0}}, nil); got != 0 {
		t.Errorf("of one example H = %v, want 0", got)
	}
	// H is NaN if gradients overflow.
	steep := ordering.NewHerding(linear{{{1e308, 0}, {1e308, 0}, {-1e308, 0}, {-1e308, 1}}}, 1)
	if got := steep.Walk([]float64{0, 0}, [][]int{{0, 1, 2, 3}}, nil); !math.IsNaN(got) {
		t.Errorf("where sums overflow H = %v, want NaN", got)
	}
}

// TestMeterByHand compares the measures of a run on three with numbers computed by hand. With λ = (1, 0) and α = ½ the
// run subtracts half of (2,0), (1,−1) and (−1,3). It goes from (1, 1) to (0, 1), (−½, 1½) and (0, 0).
func TestMeterByHand(t *testing.T) {
	s := newRun(t, ordering.Config{
		Problem: three, Start: []float64{1, 1}, Kind: ordering.ShuffleOnce, First: ordering.GivenFirst,
		FixedWeights: []float64{1, 0}, StepSize: 0.5,
	})
	m := ordering.NewMeter(three, 1)
	if e := m.Hear(s); e != nil {
		t.Errorf("at the start the meter says %+v", e)
	}
	walked := 8 / math.Sqrt(74)
	for _, want := range []ordering.Epoch{
		{Number: 0, Steps: 1, Drift: 2, W: []float64{0, 1}},
		{Number: 0, Steps: 2, Drift: 3, W: []float64{-0.5, 1.5}},
		// After subtracting the straight line to (0, 0) the points are at (−2/3, 1/3) and (−5/6, 7/6).
		{Number: 0, Steps: 3, Drift: 3, Wobble: 7. / 3, W: []float64{0, 0}},
		{Number: 1, Steps: 1, Drift: 2, W: []float64{-1, 0}},
		{Number: 1, Steps: 2, Drift: 3, W: []float64{-1.5, 0.5}},
		{Number: 1, Steps: 3, Drift: 3, Wobble: 7. / 3, W: []float64{-1, -1}},
	} {
		steps(t, s, 1)
		e := m.Hear(s)
		if e.Number != want.Number || e.Steps != want.Steps || math.Abs(e.H-walked) > 1e-14 || !math.IsNaN(e.SignBound) ||
			math.Abs(e.Drift-want.Drift) > 1e-14 || !slices.Equal(e.W, want.W) ||
			(want.Wobble == 0) != math.IsNaN(e.Wobble) || math.Abs(e.Wobble-want.Wobble) > 1e-14 {
			t.Errorf("%+v, want %+v with H = %v", *e, want, walked)
		}
	}
}

// TestLongPaths checks that Wobble stays NaN if an epoch has too many points to store, and that everything else is
// still measured.
func TestLongPaths(t *testing.T) {
	p := wide{objectives: 1, examples: 3, variables: 1 << 17}
	s, m := newRun(t, ordering.Config{Problem: p, Start: make([]float64, 1<<17), StepSize: 1}), ordering.NewMeter(p, 1)
	m.Hear(s)
	steps(t, s, 1)
	m.Hear(s)
	steps(t, s, 2)
	if e := m.Hear(s); e.Steps != 3 || !math.IsNaN(e.Wobble) || !(e.Drift > 0) || len(e.W) != 1<<17 {
		t.Errorf("epoch %d: %d steps, drift %v, wobble %v", e.Number, e.Steps, e.Drift, e.Wobble)
	}
}

// TestMetersAllocateNothing checks that meters allocate nothing after the first epoch.
func TestMetersAllocateNothing(t *testing.T) {
	p := diagonal(t, 2, 5, 3)
	for name, c := range configs(p, []float64{1, 2, 3}) {
		s, m := newRun(t, c), ordering.NewMeter(p, 1)
		m.Hear(s)
		hear := func() {
			if _, err := s.Step(); err != nil {
				t.Fatal(err)
			}
			m.Hear(s)
		}
		for range 6 {
			hear()
		}
		signs, before, offered := make([]float64, 10), make([]float64, 3), make([]float64, 3)
		if a := testing.AllocsPerRun(20, func() {
			hear()
			s.EpochSigns(signs)
			s.Offer(before, offered, 1)
		}); a != 0 {
			t.Errorf("%s: %v allocations a step", name, a)
		}
	}
}

// TestHerdingOfBalancedOrders checks that at a fixed w every balanced order soon deviates less than a random one. It
// compares the means over the epochs 8 to 11 and over 20 seeds, on least-squares problems with M = 2, K = 512 and d =
// 10.
func TestHerdingOfBalancedOrders(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a second")
	}
	for _, c := range []struct {
		kind     ordering.Kind
		centring ordering.Centring
		from, to float64
	}{
		{ordering.Random, ordering.AsPublished, 2.6, 3.4},
		{ordering.JoGBa, ordering.AsPublished, 1.3, 1.8},
		{ordering.JoGBa, ordering.PerObjective, 1.0, 1.3},
		{ordering.GraBSeparate, ordering.AsPublished, 0.6, 0.8},
		{ordering.GraBShared, ordering.AsPublished, 0.5, 0.7},
	} {
		const seeds, examples, epochs, last = 20, 512, 12, 4
		var mean float64
		w := make([]float64, 10)
		for seed := range uint64(seeds) {
			p := squares(t, problem.LeastSquaresConfig{
				Objectives: 2, Examples: examples, Variables: 10, Condition: 1 / (0.3 * 0.3), Heterogeneity: 1, Noise: 0.5, Seed: seed,
			})
			s, h := newRun(t, ordering.Config{
				Problem: p, Start: w, Kind: c.kind, Centring: c.centring, FixedWeights: []float64{0.5, 0.5}, StepSize: 1e-12, Seed: seed,
			}), ordering.NewHerding(p, 1)
			for e := range epochs {
				steps(t, s, 1)
				if e >= epochs-last {
					mean += h.Walk(w, s.Orders(), nil) / (seeds * last)
				}
				steps(t, s, examples-1)
			}
		}
		t.Logf("%v, %v: H = %.2f", c.kind, c.centring, mean)
		if !(mean > c.from && mean < c.to) {
			t.Errorf("%v, %v: H = %v, want it between %v and %v", c.kind, c.centring, mean, c.from, c.to)
		}
	}
}

// TestMeasuringChangesNothing checks that a measured run equals an unmeasured one.
func TestMeasuringChangesNothing(t *testing.T) {
	p := diagonal(t, 2, 5, 3)
	for name, c := range configs(p, []float64{1, 2, 3}) {
		a, b, m := newRun(t, c), newRun(t, c), ordering.NewMeter(p, 1)
		m.Hear(a)
		signs, before, offered := make([]float64, 10), make([]float64, 3), make([]float64, 3)
		for range 12 {
			steps(t, a, 1)
			steps(t, b, 1)
			m.Hear(a)
			a.EpochSigns(signs)
			a.Offer(before, offered, 0)
			if !reflect.DeepEqual(visible(a), visible(b)) || a.View().Cost != b.View().Cost {
				t.Fatalf("%s: K = %d: %v, want %v", name, a.View().K, visible(a), visible(b))
			}
		}
	}
}

package ordering_test

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/descent"
	"paretoplay/algo/ordering"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
)

// three is a problem with two objectives, three examples and two variables.
var three = linear{{{2, 0}, {1, -1}, {-1, 3}}, {{1, 1}, {0, -2}, {1, 0}}}

// TestFirstEpochByHand compares the running sums of three methods, in the order of the data, with numbers computed
// by hand:
//
//	JoGBa:        (2,0) +, (1,1) −, (1,−1) −, (0,−2) + (a tie), (−1,3) +, (1,0) +, with the
//	              sums (2,0), (1,−1), (0,0), (0,−2), (−1,1), (0,1)
//	GraBSeparate: (2,0) +, (1,−1) −, (−1,3) −, with (2,0), (1,1), (2,−2), and
//	              (1,1) +, (0,−2) +, (1,0) −, with (1,1), (1,−1), (0,−1)
//	GraBShared with λ = (¾, ¼): (1.75,0.25) +, (0.75,−1.25) −, (−0.5,2.25) −, with
//	              (1.75,0.25), (1,1.5), (1.5,−0.75)
//
// Then v_1 is a third of the sum of these vectors. It is subtracted from the first vectors of the next epoch.
func TestFirstEpochByHand(t *testing.T) {
	third := 1. / 3
	for _, c := range []struct {
		name     string
		kind     ordering.Kind
		centring ordering.Centring
		weights  []float64
		signs    []float64
		next     [][]int
		sums     [][]float64
		bound    float64
		second   [][]float64 // vectors offered in the first step of the next epoch
		then     []float64   // their signs
	}{
		{"JoGBa", ordering.JoGBa, ordering.AsPublished, []float64{0.5, 0.5}, []float64{1, -1, -1, 1, 1, 1},
			[][]int{{0, 2, 1}, {1, 2, 0}}, [][]float64{{0, 1}, {0, 1}}, 2 / math.Sqrt(10),
			[][]float64{{2 - 4*third, -third}, {-4 * third, -2 - third}}, []float64{1, -1}},
		{"JoGBa, centred by objective", ordering.JoGBa, ordering.PerObjective, []float64{0.5, 0.5}, []float64{1, -1, -1, 1, 1, 1},
			[][]int{{0, 2, 1}, {1, 2, 0}}, [][]float64{{0, 1}, {0, 1}}, 2 / math.Sqrt(10),
			[][]float64{{2 - 2*third, -third / 2}, {-2 * third, -2 - third/2}}, []float64{1, -1}},
		{"GraB for each", ordering.GraBSeparate, ordering.AsPublished, []float64{0.5, 0.5}, []float64{1, 1, -1, 1, -1, -1},
			[][]int{{0, 2, 1}, {0, 1, 2}}, [][]float64{{2, -2}, {0, -1}}, 2 / math.Sqrt(10),
			[][]float64{{2 - 2*third, -2 * third}, {1 - 2*third, 1 + third}}, []float64{1, 1}},
		{"GraB for all", ordering.GraBShared, ordering.AsPublished, []float64{0.75, 0.25}, []float64{1, 1, -1, -1, -1, -1},
			[][]int{{0, 2, 1}}, [][]float64{{1.5, -0.75}, {1.5, -0.75}}, 1.75 / math.Sqrt(5.3125),
			[][]float64{{1.75 - 2*third, 0.25 - 1.25*third}, {1.75 - 2*third, 0.25 - 1.25*third}}, []float64{1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newRun(t, ordering.Config{
				Problem: three, Start: []float64{1, 1}, Kind: c.kind, Centring: c.centring, First: ordering.GivenFirst,
				FixedWeights: c.weights, StepSize: 0.25,
			})
			if s.Signs() != nil || s.Position() != 0 || s.Epoch() != 0 || !math.IsNaN(s.SignBound()) || s.Offer(nil, nil, 0) {
				t.Errorf("at the start there are signs %v, position %d of epoch %d", s.Signs(), s.Position(), s.Epoch())
			}
			signs := make([]float64, 6)
			for k := range 3 {
				steps(t, s, 1)
				if got := s.Signs(); !slices.Equal(got, c.signs[2*k:2*k+2]) || s.Position() != k+1 || s.Epoch() != 0 {
					t.Errorf("step %d: signs %v, want %v; position %d of epoch %d", k, got, c.signs[2*k:2*k+2], s.Position(), s.Epoch())
				}
				want := append(slices.Clone(c.signs[:2*k+2]), make([]float64, 4-2*k)...)
				if s.EpochSigns(signs); !slices.Equal(signs, want) {
					t.Errorf("step %d: signs of the epoch %v, want %v", k, signs, want)
				}
			}
			if next, left, right := s.Next(); !reflect.DeepEqual(next, c.next) || left[0]+right[0] != 3 {
				t.Errorf("next orders %v, filled to %v and %v, want %v", next, left, right, c.next)
			}
			for m, want := range c.sums {
				if got := s.Sum(m); !near(got, want, 1e-15) {
					t.Errorf("sum %d is %v, want %v", m, got, want)
				}
			}
			if got := s.SignBound(); math.Abs(got-c.bound) > 1e-15 {
				t.Errorf("A = %v, want %v", got, c.bound)
			}
			// Each objective has now visited all its examples.
			x := []float64{1 - 0.25*(c.weights[0]*2+c.weights[1]*2), 1 - 0.25*(c.weights[0]*2-c.weights[1])}
			if v := s.View(); !near(v.X, x, 1e-15) || v.Cost.Backpropagations != 6 {
				t.Errorf("w = %v after %d backpropagations, want %v after 6", v.X, v.Cost.Backpropagations, x)
			}
			steps(t, s, 1)
			if !reflect.DeepEqual(s.Orders(), c.next) || s.Epoch() != 1 || s.Position() != 1 || !slices.Equal(s.Signs(), c.then) {
				t.Errorf("epoch %d, position %d: orders %v, signs %v, want %v and %v", s.Epoch(), s.Position(), s.Orders(), s.Signs(), c.next, c.then)
			}
			before, offered := make([]float64, 2), make([]float64, 2)
			for m, want := range c.second {
				met := []float64{0, 0}
				if m == 1 && c.kind == ordering.JoGBa {
					met = c.second[0]
				}
				if !s.Offer(before, offered, m) || !near(offered, want, 1e-15) || !near(before, met, 1e-15) {
					t.Errorf("objective %d: %v was offered to %v, want %v to %v", m, offered, before, want, met)
				}
			}
		})
	}
}

// TestNothingToBalance checks that kinds that do not balance return no signs, sums or next orders.
func TestNothingToBalance(t *testing.T) {
	s := newRun(t, ordering.Config{Problem: three, Start: []float64{1, 1}, Own: true, StepSize: 0.1})
	steps(t, s, 2)
	signs := []float64{3, 3, 3, 3, 3, 3}
	s.EpochSigns(signs)
	next, _, _ := s.Next()
	cut, drawn := s.Clipped()
	if s.Signs() != nil || s.Sum(0) != nil || next != nil || !math.IsNaN(s.SignBound()) || s.Offer(nil, nil, 0) || cut+drawn != 0 ||
		!slices.Equal(signs, make([]float64, 6)) {
		t.Errorf("signs %v and %v, sum %v, next orders %v, A = %v", s.Signs(), signs, s.Sum(0), next, s.SignBound())
	}
}

// configs returns configurations of every kind for runs on p, with both sign rules for kinds that balance.
func configs(p ordering.Problem, start []float64) map[string]ordering.Config {
	all := map[string]ordering.Config{}
	for _, k := range kinds() {
		c := ordering.Config{Problem: p, Start: start, Kind: k.Kind, Own: k.own, StepSize: 0.1, Seed: 4, StartIndex: 2}
		all[k.String()] = c
		if k.Balances() {
			c.Signs = ordering.SelfBalancing
			all[k.String()+" self-balancing"] = c
		}
	}
	return all
}

func TestConformance(t *testing.T) {
	p := diagonal(t, 3, 10, 4)
	for name, c := range configs(p, []float64{1, -1, 2, 0}) {
		t.Run(name, func(t *testing.T) {
			algotest.Stepper(t, func() algo.Stepper { return newRun(t, c) }, func() algo.Stepper {
				c := c
				c.StepSize = 1e9
				return newRun(t, c)
			})
			for _, change := range []func(*ordering.Config){
				func(c *ordering.Config) { c.Batch, c.Centring = 2, ordering.PerObjective },
				func(c *ordering.Config) {
					c.FixedWeights, c.Optimizer, c.Schedule = []float64{0.2, 0.3, 0.5}, descent.DefaultAdam(), ordering.InverseSqrt
				},
				func(c *ordering.Config) {
					c.Period, c.Optimizer = 3, descent.Optimizer{Kind: descent.HeavyBall, Beta: 0.5}
				},
			} {
				c := c
				change(&c)
				algotest.Stepper(t, func() algo.Stepper { return newRun(t, c) })
				algotest.Evaluations(t, p, func(p algo.Sampled) algo.Stepper {
					c := c
					c.Problem = p.(ordering.Problem)
					return newRun(t, c)
				})
			}
		})
	}
}

// TestSnapshots loads a run in the middle and at the end of an epoch. The loaded run must have the same orders, signs
// and sums as the continued run, bit for bit.
func TestSnapshots(t *testing.T) {
	p := diagonal(t, 2, 6, 3)
	for name, c := range configs(p, []float64{1, -1, 2}) {
		for _, k := range []int{0, 1, 4, 6, 8, 12} {
			s := newRun(t, c)
			steps(t, s, k)
			var snap algo.Snapshot
			s.Save(&snap)
			loaded := newRun(t, c)
			steps(t, loaded, 9)
			loaded.Load(&snap)
			if loaded.Signs() != nil || loaded.Position() != s.Position() || loaded.Epoch() != s.Epoch() {
				t.Errorf("%s: loaded at K = %d with signs %v at position %d of epoch %d", name, k, loaded.Signs(), loaded.Position(), loaded.Epoch())
			}
			for range 14 {
				if a, b := visible(s), visible(loaded); !reflect.DeepEqual(a, b) {
					t.Fatalf("%s, loaded at K = %d: at K = %d %v, want %v", name, k, s.View().K, b, a)
				}
				steps(t, s, 1)
				steps(t, loaded, 1)
				if !slices.Equal(s.Signs(), loaded.Signs()) {
					t.Fatalf("%s, loaded at K = %d: signs %v, want %v", name, k, loaded.Signs(), s.Signs())
				}
			}
		}
	}
}

// visible returns, as text, everything that a Descent makes public about its orders.
func visible(s *ordering.Descent) string {
	m := len(s.View().F)
	signs := make([]float64, s.Examples()*m)
	s.EpochSigns(signs)
	next, left, right := s.Next()
	taken := ""
	for i, order := range next {
		taken += fmt.Sprint(order[:left[i]], order[len(order)-right[i]:])
	}
	cut, drawn := s.Clipped()
	text := fmt.Sprint(s.View().X, s.Epoch(), s.Position(), s.Orders(), taken, signs, s.SignBound(), cut, drawn)
	for i := range m {
		text += fmt.Sprint(s.Sum(i))
	}
	return text
}

// TestWeightings checks that every rule works with every kind: all steps succeed, and the samples that a rule requests
// count as backpropagations.
func TestWeightings(t *testing.T) {
	p := diagonal(t, 3, 5, 4)
	for _, m := range weighting.Methods {
		for _, k := range kinds() {
			var l param.List
			rule, err := m.Bind(&l, "")(weighting.Context{Objectives: 3, Seed: 1, LowerBounds: p.LowerBounds()})
			if err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			s := newRun(t, ordering.Config{
				Problem: p, Start: []float64{3, 2, -3, 1}, Kind: k.Kind, Own: k.own, Weighting: rule, StepSize: 0.01, Seed: 2,
			})
			for range 15 {
				if status, err := s.Step(); err != nil || status == algo.Diverged {
					t.Fatalf("%s, %v: K = %d: %v, %v", m.Name, k, s.View().K, status, err)
				}
			}
			want := 15 * 3 * (1 + rule.Needs().Extra)
			if v := s.View(); v.Cost.Backpropagations != want || s.Epoch() != 2 || s.Position() != 5 || !algo.Finite(v.X) {
				t.Errorf("%s, %v: %d backpropagations, want %d; position %d of epoch %d, w = %v",
					m.Name, k, v.Cost.Backpropagations, want, s.Position(), s.Epoch(), v.X)
			}
		}
	}
}

// spy is a weighting with equal weights that records its input.
type spy struct {
	losses   []float64
	jacobian []float64
	extra    [][]float64
	before   []float64
}

func (*spy) Needs() algo.Needs {
	return algo.Needs{Jacobian: true, Losses: true, Extra: 2, After: true}
}

func (s *spy) Weigh(r *algo.Result, in *algo.Input) error {
	s.losses, s.jacobian, s.extra = slices.Clone(in.Losses), slices.Clone(in.Jacobian.Data), nil
	for _, e := range in.Extra {
		s.extra = append(s.extra, slices.Clone(e.Data))
	}
	for i := range r.Weights {
		r.Weights[i] = 1 / float64(len(r.Weights))
	}
	copy(r.Effective, r.Weights)
	if r.Direction != nil {
		in.Combine(r.Direction, r.Weights)
	}
	return nil
}

func (s *spy) Observe(before, _ []float64) { s.before = slices.Clone(before) }
func (*spy) Save(*algo.Snapshot)           {}
func (*spy) Load(*algo.Snapshot)           {}

// TestWhatWeightingsSee checks that weightings receive each objective's loss and gradient on its due example.
// Additional samples must be other examples, shared by all objectives.
func TestWhatWeightingsSee(t *testing.T) {
	p := diagonal(t, 3, 8, 4)
	const batch = 2
	_, m := p.Dims()
	for _, k := range kinds() {
		w := &spy{}
		s := newRun(t, ordering.Config{
			Problem: p, Start: []float64{1, 2, 3, 4}, Batch: batch, Kind: k.Kind, Own: k.own, Weighting: w, StepSize: 0.1, Seed: 7,
		})
		f, jac, seen := make([]float64, m), algo.NewJacobian(m, 4), map[int]bool{}
		for range 24 {
			x := slices.Clone(s.View().X)
			steps(t, s, 1)
			values, gradients := make([]float64, m), algo.NewJacobian(m, 4)
			for i := range m {
				order := s.Orders()[min(i, len(s.Orders())-1)]
				example := order[s.Position()-1]
				one := &algo.Sample{Batch: []int{batch * example, batch*example + 1}}
				p.ValuesAt(f, x, one)
				values[i] = f[i]
				p.GradientAt(gradients.Row(i), i, 0, 4, x, one)
			}
			if !slices.Equal(w.losses, values) || !slices.Equal(w.before, values) || !slices.Equal(w.jacobian, gradients.Data) {
				t.Fatalf("%v, K = %d: losses %v, gradients %v, want %v and %v", k, s.View().K, w.losses, w.jacobian, values, gradients.Data)
			}
			for _, extra := range w.extra {
				found := -1
				for example := range s.Examples() {
					p.JacobianAt(jac, x, &algo.Sample{Batch: []int{batch * example, batch*example + 1}})
					if slices.Equal(jac.Data, extra) {
						found = example
					}
				}
				if found < 0 {
					t.Fatalf("%v, K = %d: a further sample is not an example", k, s.View().K)
				}
				seen[found] = true
			}
		}
		if len(seen) != 4 {
			t.Errorf("%v: further samples were %v, want all 4 examples", k, seen)
		}
	}
}

// TestPeriod checks the cost of steps between refreshes: one backpropagation if objectives share an order and the kind
// does not balance, and M otherwise. Measuring H must not add to the cost.
func TestPeriod(t *testing.T) {
	const examples, epochs, m = 6, 3, 3
	p := diagonal(t, m, examples, 4)
	for _, k := range kinds() {
		for _, period := range []int{1, 2, 4, 5} {
			c := ordering.Config{Problem: p, Start: []float64{1, 2, 3, 4}, Kind: k.Kind, Own: k.own, Period: period, StepSize: 0.1}
			s, meter := newRun(t, c), ordering.NewMeter(p, 1)
			meter.Hear(s)
			refreshes := 0
			for range epochs * examples {
				steps(t, s, 1)
				meter.Hear(s)
				if s.View().Refreshed {
					refreshes++
				}
			}
			between := m
			if k.orders(m) == 1 && !k.Balances() {
				between = 1
			}
			want := refreshes*m + (epochs*examples-refreshes)*between
			if got := s.View().Cost; refreshes != (epochs*examples+period-1)/period ||
				got.Backpropagations != want || got.GradientCoordinates != 4*want {
				t.Errorf("%v, R = %d: %d refreshes, %+v, want %d backpropagations", k, period, refreshes, got, want)
			}
		}
	}
	s := newRun(t, ordering.Config{Problem: p, Start: []float64{1, 2, 3, 4}, Kind: ordering.JoGBa, StepSize: 0.1})
	steps(t, s, 2)
	if err := s.SetPeriod(100); err != nil {
		t.Fatal(err)
	}
	weights := slices.Clone(s.View().Weights)
	steps(t, s, 5)
	if v := s.View(); !slices.Equal(v.Weights, weights) || v.Refreshed {
		t.Errorf("with R = 100 weights are %v, want those before, %v", v.Weights, weights)
	}
	refused(t, s.SetPeriod(0), "period R")
}

// TestOneExample checks sums with one example: there is only one order, and runs equal those of the underlying
// stepper, with any optimizer and period.
func TestOneExample(t *testing.T) {
	p := diagonal(t, 3, 4, 3)
	start := []float64{1, 2, 3}
	for _, optimizer := range []descent.Optimizer{
		{}, {Kind: descent.HeavyBall, Beta: 0.7}, descent.DefaultAdam(), {ClipNorm: 0.1},
	} {
		for _, k := range kinds() {
			for _, period := range []int{1, 3} {
				c := descent.Config{
					Problem: whole{p}, Start: start, StepSize: 0.05, Period: period, Optimizer: optimizer,
					EveryGradient: k.Balances() || k.own,
				}
				exact, err := descent.NewPSMGD(c)
				if err != nil {
					t.Fatal(err)
				}
				s := newRun(t, ordering.Config{
					Problem: p, Start: start, Batch: 4, Kind: k.Kind, Own: k.own, StepSize: 0.05, Period: period, Optimizer: optimizer,
				})
				for range 20 {
					steps(t, exact, 1)
					steps(t, s, 1)
					if a, b := exact.View(), s.View(); !slices.Equal(a.X, b.X) || a.Cost != b.Cost || !slices.Equal(exact.Update(), s.Update()) {
						t.Fatalf("%v, R = %d, %v: K = %d: %+v, want %+v", k, period, optimizer.Kind, a.K, b, a)
					}
				}
			}
		}
	}
}

// whole evaluates a problem on all of its samples, whatever samples are requested.
type whole struct{ ordering.Problem }

func (w whole) all() *algo.Sample {
	s := &algo.Sample{}
	for k := range w.Examples() {
		s.Batch = append(s.Batch, k)
	}
	return s
}

func (w whole) ValuesAt(f, x []float64, _ *algo.Sample) { w.Problem.ValuesAt(f, x, w.all()) }

func (w whole) JacobianAt(j *algo.Jacobian, x []float64, _ *algo.Sample) {
	w.Problem.JacobianAt(j, x, w.all())
}

func (w whole) WeightedGradientAt(dst, weights, x []float64, _ *algo.Sample) {
	w.Problem.WeightedGradientAt(dst, weights, x, w.all())
}

// TestBatches checks that a run on examples of several samples equals a run on a problem whose samples are the means of
// these examples.
func TestBatches(t *testing.T) {
	const batch, examples, m, d = 4, 8, 2, 3
	p := diagonal(t, m, batch*examples, d)
	curvatures, minima := make([][][]float64, m), make([][][]float64, m)
	for i := range m {
		for k := range examples {
			h, c := make([]float64, d), make([]float64, d)
			for b := range batch {
				sampleH, sampleC := p.Example(i, batch*k+b)
				for j, v := range sampleH {
					h[j] += v / batch
					c[j] += v / batch * sampleC[j]
				}
			}
			for j, v := range h {
				c[j] /= v
			}
			curvatures[i], minima[i] = append(curvatures[i], h), append(minima[i], c)
		}
	}
	mean, err := problem.NewDiagonalSum(curvatures, minima)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range configs(p, make([]float64, d)) {
		c.Batch = batch
		batches := newRun(t, c)
		c.Problem, c.Batch = mean, 1
		means := newRun(t, c)
		if batches.Examples() != examples || means.Examples() != examples {
			t.Fatalf("%d and %d examples, want %d", batches.Examples(), means.Examples(), examples)
		}
		a, b := ordering.NewMeter(p, batch), ordering.NewMeter(mean, 1)
		a.Hear(batches)
		b.Hear(means)
		for range 4 * examples {
			steps(t, batches, 1)
			steps(t, means, 1)
			if !reflect.DeepEqual(batches.Orders(), means.Orders()) || !near(batches.View().X, means.View().X, 1e-13) {
				t.Fatalf("%s: K = %d: orders %v and %v, w = %v and %v", name, batches.View().K, batches.Orders(), means.Orders(),
					batches.View().X, means.View().X)
			}
			if h, g := a.Hear(batches).H, b.Hear(means).H; math.Abs(h-g) > 1e-12 {
				t.Errorf("%s: H = %v of batches, %v of their means", name, h, g)
			}
		}
	}
}

// TestScale checks that scaled losses give the same orders if the steps have the same length.
func TestScale(t *testing.T) {
	p := squares(t, problem.LeastSquaresConfig{Objectives: 2, Examples: 32, Variables: 5, Condition: 4, Heterogeneity: 1, Noise: 0.5, Seed: 1})
	for name, c := range configs(p, make([]float64, 5)) {
		one := newRun(t, c)
		for _, by := range []float64{1e-8, 1e8, 1e-90, 1e90, 0x1p-30, 0x1p30} {
			c.Problem, c.StepSize = scaled{p, by}, 0.1/by
			s, meter := newRun(t, c), ordering.NewMeter(c.Problem, 1)
			meter.Hear(s)
			steps(t, s, 1)
			h := meter.Hear(s).H
			steps(t, s, 5*32-1)
			if one.View().K == 0 {
				first := ordering.NewMeter(p, 1)
				first.Hear(one)
				steps(t, one, 1)
				if want := first.Hear(one).H; math.Abs(h-want) > 1e-12*want {
					t.Errorf("%s, losses times %g: H = %v, want %v", name, by, h, want)
				}
				steps(t, one, 5*32-1)
			}
			if !reflect.DeepEqual(s.Orders(), one.Orders()) || !near(s.View().X, one.View().X, 1e-12) {
				t.Errorf("%s, losses times %g: orders %v, w = %v, want %v and %v", name, by, s.Orders(), s.View().X, one.Orders(), one.View().X)
			}
			if a, b := s.SignBound(), one.SignBound(); !(math.Abs(a-b) <= 1e-12*b) && !math.IsNaN(b) {
				t.Errorf("%s, losses times %g: A = %v, want %v", name, by, a, b)
			}
		}
	}
}

// TestAlike checks that samples with equal, opposite, parallel or zero gradients give finite numbers and complete orders.
func TestAlike(t *testing.T) {
	for name, p := range map[string]linear{
		"equal":    {{{1, 2}, {1, 2}, {1, 2}, {1, 2}}, {{-3, 1}, {-3, 1}, {-3, 1}, {-3, 1}}},
		"zero":     {{{0, 0}, {0, 0}, {0, 0}, {0, 0}}, {{0, 0}, {0, 0}, {0, 0}, {0, 0}}},
		"opposite": {{{1, 2}, {-1, -2}, {1, 2}, {-1, -2}}, {{-3, 1}, {3, -1}, {3, -1}, {-3, 1}}},
		"parallel": {{{1, 2}, {2, 4}, {-3, -6}, {5, 10}}, {{2, 4}, {-1, -2}, {4, 8}, {1, 2}}},
		"tiny":     {{{1e-300, 0}, {0, 1e-310}, {1e-300, 1e-300}, {0, 0}}, {{1e-320, 0}, {0, 1e-300}, {0, 0}, {-1e-300, 0}}},
	} {
		for setting, c := range configs(p, []float64{1, 1}) {
			c.StepSize = 0.01
			s, meter := newRun(t, c), ordering.NewMeter(p, 1)
			meter.Hear(s)
			for range 12 {
				if status, err := s.Step(); err != nil || status == algo.Diverged {
					t.Fatalf("%s, %s: %v, %v", name, setting, status, err)
				}
				e := meter.Hear(s)
				if !(e.H >= 0 && e.H <= 8) || !algo.Finite(s.View().X) ||
					!(e.Drift >= 0) || s.Sum(0) != nil && !algo.Finite(s.Sum(0)) {
					t.Errorf("%s, %s: %+v, sum %v", name, setting, e, s.Sum(0))
				}
				if (name == "equal" || name == "zero") && e.H != 0 {
					t.Errorf("%s, %s: H = %v, want 0", name, setting, e.H)
				}
			}
			for _, order := range s.Orders() {
				if !slices.Equal(slices.Sorted(slices.Values(order)), []int{0, 1, 2, 3}) {
					t.Errorf("%s, %s: %v is not an order", name, setting, order)
				}
			}
		}
	}
	// The greedy rule assigns equal vectors alternating signs.
	s := newRun(t, ordering.Config{
		Problem: linear{{{1, 2}, {1, 2}, {1, 2}, {1, 2}}}, Start: []float64{1, 1}, Kind: ordering.JoGBa,
		First: ordering.GivenFirst, StepSize: 0.01,
	})
	steps(t, s, 4)
	if next, _, _ := s.Next(); !slices.Equal(next[0], []int{0, 2, 3, 1}) {
		t.Errorf("equal samples are ordered %v, want 0 2 3 1", next[0])
	}
}

// unsolved is a weighting that has a solution only in every other step.
type unsolved struct{ spy }

func (u *unsolved) Weigh(r *algo.Result, in *algo.Input) error {
	if in.K%2 == 1 {
		clear(r.Effective)
		r.Status = algo.NoSolution
		return nil
	}
	return u.spy.Weigh(r, in)
}

// TestNoSolution checks that a step without a solution does not move the point. The run continues with the next
// examples, and the skipped examples still get places in the next order.
func TestNoSolution(t *testing.T) {
	for _, k := range balancing() {
		s := newRun(t, ordering.Config{Problem: three, Start: []float64{1, 1}, Kind: k, Weighting: &unsolved{}, StepSize: 0.1})
		for i := range 12 {
			x := slices.Clone(s.View().X)
			status, err := s.Step()
			if err != nil || status != algo.Running || (i%2 == 1) != slices.Equal(x, s.View().X) {
				t.Fatalf("%v, step %d: %v, %v, from %v to %v", k, i, status, err, x, s.View().X)
			}
			if !algo.Finite(s.Sum(0)) || len(s.Signs()) != 2 {
				t.Errorf("%v, step %d: sum %v, signs %v", k, i, s.Sum(0), s.Signs())
			}
		}
		for _, order := range s.Orders() {
			if !slices.Equal(slices.Sorted(slices.Values(order)), []int{0, 1, 2}) {
				t.Errorf("%v: %v is not an order", k, order)
			}
		}
	}
}

// TestDivergence checks that a run that diverges in the first step of an epoch reports that epoch and position 0.
func TestDivergence(t *testing.T) {
	for name, c := range configs(diagonal(t, 2, 4, 3), []float64{1, 2, 3}) {
		c.Batch, c.StepSize = 4, 1e9 // every step is an epoch
		s := newRun(t, c)
		_, status, err := algo.Run(s, 1000, nil)
		v := s.View()
		if status != algo.Diverged || err != nil || s.Epoch() != v.K || s.Position() != 0 || s.Signs() != nil || !algo.Finite(v.X) {
			t.Errorf("%s: %v, %v at K = %d, position %d of epoch %d, signs %v", name, status, err, v.K, s.Position(), s.Epoch(), s.Signs())
		}
	}
}

// TestLiveStepSize checks that a new step size applies from the next step on.
func TestLiveStepSize(t *testing.T) {
	s := newRun(t, ordering.Config{
		Problem: three, Start: []float64{1, 1}, StepSize: 0.5, Schedule: ordering.InverseSqrt, FixedWeights: []float64{1, 0},
	})
	steps(t, s, 4)
	if got := s.View().StepSize; math.Abs(got-0.5/math.Sqrt2) > 1e-15 {
		t.Errorf("α = %v in the second epoch, want 0.5/√2", got)
	}
	if err := s.SetStepSize(2); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 1)
	if got := s.View().StepSize; math.Abs(got-2/math.Sqrt2) > 1e-15 {
		t.Errorf("α = %v after it was set, want 2/√2", got)
	}
	steps(t, s, 2)
	if got := s.View().StepSize; got != 2/math.Sqrt(3) {
		t.Errorf("α = %v in the third epoch, want 2/√3", got)
	}
	for _, alpha := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		refused(t, s.SetStepSize(alpha), "alpha")
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*ordering.Config)
	}{
		{"order", func(c *ordering.Config) { c.Kind = "none" }},
		{"first order", func(c *ordering.Config) { c.First = "none" }},
		{"centring", func(c *ordering.Config) { c.Centring = "none" }},
		{"sign rule", func(c *ordering.Config) { c.Signs = "none" }},
		{"schedule", func(c *ordering.Config) { c.Schedule = "none" }},
		{"batch", func(c *ordering.Config) { c.Batch = -1 }},
		{"batch", func(c *ordering.Config) { c.Batch = 2 }},
		{"batch", func(c *ordering.Config) { c.Batch = 6 }},
		{"alpha", func(c *ordering.Config) { c.StepSize = 0 }},
		{"alpha", func(c *ordering.Config) { c.StepSize = math.NaN() }},
		{"start", func(c *ordering.Config) { c.Start = []float64{1} }},
		{"start", func(c *ordering.Config) { c.Start = []float64{1, math.NaN()} }},
		{"period R", func(c *ordering.Config) { c.Period = -1 }},
		{"fixed weights", func(c *ordering.Config) { c.FixedWeights = []float64{1} }},
		{"optimizer: beta", func(c *ordering.Config) { c.Optimizer.Beta = 0.5 }},
		{"horizon", func(c *ordering.Config) { c.Schedule = ordering.RandomTheorem }},
		{"constants", func(c *ordering.Config) { c.Schedule, c.Horizon = ordering.JoGBaTheorem, 3 }},
	} {
		config := ordering.Config{Problem: three, Start: []float64{1, 1}, StepSize: 0.1}
		c.change(&config)
		_, err := ordering.New(config)
		refused(t, err, c.name)
	}
	if _, err := ordering.New(ordering.Config{}); err != algo.ErrNoProblem {
		t.Errorf("without a problem: %v", err)
	}
}

// boxed adds bounds to a problem.
type boxed struct {
	ordering.Problem
	lo, hi []float64
}

func (b boxed) Bounds() (lo, hi []float64) { return b.lo, b.hi }

// TestBox checks that runs stay in the problem's box.
func TestBox(t *testing.T) {
	p := boxed{diagonal(t, 3, 10, 2), []float64{0.5, -1}, []float64{2, 0}}
	for name, c := range configs(p, []float64{1, -0.5}) {
		algotest.Evaluations(t, p, func(p algo.Sampled) algo.Stepper {
			c := c
			c.Problem = p.(ordering.Problem)
			return newRun(t, c)
		})
		s := newRun(t, c)
		steps(t, s, 30)
		if x := s.View().X; x[0] < 0.5 || x[0] > 2 || x[1] < -1 || x[1] > 0 {
			t.Errorf("%s: w = %v", name, x)
		}
	}
}

// wide is a problem with many variables. It computes gradients instead of storing them.
type wide struct{ objectives, examples, variables int }

func (w wide) Dims() (n, m int)                        { return w.variables, w.objectives }
func (w wide) Examples() int                           { return w.examples }
func (w wide) Values(f, _ []float64)                   { clear(f) }
func (w wide) ValuesAt(f, _ []float64, _ *algo.Sample) { clear(f) }

func (w wide) Jacobian(j *algo.Jacobian, x []float64) {
	w.JacobianAt(j, x, &algo.Sample{Batch: []int{0}})
}

func (w wide) JacobianAt(j *algo.Jacobian, x []float64, s *algo.Sample) {
	for m := range w.objectives {
		w.GradientAt(j.Row(m), m, 0, w.variables, x, s)
	}
}

func (w wide) WeightedGradientAt(dst, weights, x []float64, s *algo.Sample) {
	w.GradientAt(dst, 0, 0, w.variables, x, s)
}

func (w wide) GradientAt(dst []float64, i, lo, _ int, _ []float64, s *algo.Sample) {
	v := uint64(s.Batch[0]*w.objectives+i)<<32 + uint64(lo)
	for j := range dst {
		v = v*6364136223846793005 + 1442695040888963407
		dst[j] = float64(int64(v)>>40) / (1 << 23)
	}
}

// TestMemory checks that memory use does not grow with K·d. Here one epoch's gradients would take 82 MB, and its
// points 41 MB.
func TestMemory(t *testing.T) {
	p := wide{objectives: 2, examples: 512, variables: 10000}
	start := make([]float64, p.variables)
	for _, k := range kinds() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s := newRun(t, ordering.Config{Problem: p, Start: start, Kind: k.Kind, Own: k.own, StepSize: 1e-6})
		steps(t, s, 3)
		runtime.ReadMemStats(&after)
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 3<<20 {
			t.Errorf("%v: %d bytes", k, allocated)
		}
		var snap algo.Snapshot
		if s.Save(&snap); len(snap.Floats) > 8*p.variables || len(snap.Words) > 4*p.examples+100 {
			t.Errorf("%v: a snapshot of %d numbers and %d words", k, len(snap.Floats), len(snap.Words))
		}
	}
}

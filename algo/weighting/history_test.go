package weighting

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/param"
)

// built returns a function that passes on a constructor's rule, and fails the test if the constructor returned an
// error.
func built[W algo.Weighting](t testing.TB) func(w W, err error) W {
	return func(w W, err error) W {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
}

// ask returns one decision of a rule.
func ask(t testing.TB, w algo.Weighting, in *algo.Input) *algo.Result {
	t.Helper()
	m := len(in.Losses)
	r := &algo.Result{Weights: make([]float64, m), Direction: make([]float64, in.Jacobian.Cols)}
	if err := w.Weigh(r, in); err != nil {
		t.Fatal(err)
	}
	if r.Status != algo.Converged {
		t.Fatalf("status %v", r.Status)
	}
	return r
}

func expect(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if !near(got, want, 1e-15) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestRLWByHand(t *testing.T) {
	in, _ := input([][]float64{{1, 0}, {0, 2}, {3, 3}}, []float64{1, 1, 1})
	in.K = 5
	r := ask(t, NewRLW(3, 2), in)
	g := algo.Stream(3, 2, 5, algo.Decision)
	normal := rand.New(&g)
	var e [3]float64
	for i := range e {
		e[i] = math.Exp(normal.NormFloat64())
	}
	sum := e[0] + e[1] + e[2]
	expect(t, "weights", r.Weights, []float64{e[0] / sum, e[1] / sum, e[2] / sum})
	expect(t, "direction", r.Direction, []float64{(e[0] + 3*e[2]) / sum, (2*e[1] + 3*e[2]) / sum})
	for name, other := range map[string]*RLW{"seed": NewRLW(4, 2), "start": NewRLW(3, 3)} {
		if near(ask(t, other, in).Weights, r.Weights, 1e-3) {
			t.Errorf("another %s gives the same weights", name)
		}
	}
	in.K = 6
	if near(ask(t, NewRLW(3, 2), in).Weights, r.Weights, 1e-3) {
		t.Error("another iteration gives the same weights")
	}
}

// TestRLWIsSymmetric checks that the mean of each weight is 1/m. The weights do not depend on the gradients, so
// permuted objectives with permuted random numbers have permuted weights.
func TestRLWIsSymmetric(t *testing.T) {
	logits := []float64{0.3, -1.2, 2, 0}
	a, b := make([]float64, 4), make([]float64, 4)
	softmax(a, logits, 1)
	slices.Reverse(logits)
	softmax(b, logits, 1)
	slices.Reverse(b)
	expect(t, "softmax of reversed logits", b, a)
	in, _ := input([][]float64{{1, 0}, {0, 2}, {3, 3}}, []float64{1, 1, 1})
	mean := make([]float64, 3)
	w := NewRLW(1, 0)
	const draws = 4000
	for k := range draws {
		in.K = k
		for i, v := range ask(t, w, in).Weights {
			mean[i] += v / draws
		}
	}
	// The standard deviation of a weight is below 0.25, so 6 standard errors are at most 0.024.
	if !near(mean, []float64{1. / 3, 1. / 3, 1. / 3}, 0.024) {
		t.Errorf("mean weights %v", mean)
	}
}

func TestSIByHand(t *testing.T) {
	in, _ := input([][]float64{{1, 0}, {0, 3}}, []float64{0.5, 4})
	r := ask(t, NewSI(false), in)
	expect(t, "weights", r.Weights, []float64{2, 0.25})
	expect(t, "direction", r.Direction, []float64{2, 0.75})
	r = ask(t, NewSI(true), in)
	expect(t, "normalized", r.Weights, []float64{8. / 9, 1. / 9})
	// 1/f overflows, but the normalized weights do not.
	in.Losses = []float64{1e-310, 2e-310}
	expect(t, "tiny losses", ask(t, NewSI(true), in).Weights, []float64{2. / 3, 1. / 3})
	r = &algo.Result{Weights: make([]float64, 2), Direction: make([]float64, 2)}
	if err := NewSI(false).Weigh(r, in); err != nil || r.Status != algo.Diverged || !near(r.Direction, []float64{0, 0}, 0) {
		t.Errorf("an inverse that overflows: %+v, %v", *r, err)
	}
	for _, f := range []float64{0, -1} {
		in.Losses = []float64{1, f}
		if err := NewSI(false).Weigh(r, in); err == nil || !strings.Contains(err.Error(), "loss 2") {
			t.Errorf("loss %v: %v", f, err)
		}
	}
}

func TestDWAByHand(t *testing.T) {
	d := built[*DWA](t)(NewDWA(2))
	in, _ := input([][]float64{{1, 0}, {0, 3}}, nil)
	losses := [][]float64{{4, 10}, {2, 9}, {7, 7}, {0.5, 8}}
	e := math.Exp
	for k, want := range [][]float64{
		{1, 1},
		{1, 1},
		// r = (2/4, 9/10), from the losses at earlier decisions, not at the current decision.
		{2 * e(0.25) / (e(0.25) + e(0.45)), 2 * e(0.45) / (e(0.25) + e(0.45))},
		{2 * e(1.75) / (e(1.75) + e(7./18)), 2 * e(7./18) / (e(1.75) + e(7./18))},
	} {
		in.Losses, in.K = losses[k], k
		r := ask(t, d, in)
		expect(t, "weights", r.Weights, want)
		expect(t, "direction", r.Direction, []float64{want[0], 3 * want[1]})
	}
	d = built[*DWA](t)(NewDWA(2))
	for _, losses := range [][]float64{{0, 1}, {1, 1}} {
		in.Losses = losses
		ask(t, d, in)
	}
	_, r := input([][]float64{{1, 0}, {0, 3}}, nil)
	if err := d.Weigh(r, in); err == nil || !strings.Contains(err.Error(), "loss 1 changed from 0 to 1") {
		t.Errorf("a loss of 0: %v", err)
	}
}

func TestUWByHand(t *testing.T) {
	u := built[*UW](t)(NewUW(0.1))
	in, _ := input([][]float64{{1, 0}, {0, 3}}, []float64{3, 0.5})
	r := ask(t, u, in)
	expect(t, "weights", r.Weights, []float64{0.5, 0.5})
	// s ← 0 − 0.1·½(1 − f)
	expect(t, "log-variances", u.LogVariances(), []float64{0.1, -0.025})
	r = ask(t, u, in)
	expect(t, "second weights", r.Weights, []float64{math.Exp(-0.1) / 2, math.Exp(0.025) / 2})
	// At equilibrium the weights are 1/(2f).
	for range 2000 {
		r = ask(t, u, in)
	}
	if !near(r.Weights, []float64{1. / 6, 1}, 1e-12) {
		t.Errorf("weights at rest %v, want 1/(2f)", r.Weights)
	}
	// The weight of a loss that stays negative grows without bound.
	u = built[*UW](t)(NewUW(1))
	in.Losses = []float64{-20, 1}
	_, r = input([][]float64{{1, 0}, {0, 3}}, nil)
	for k := 0; k < 50 && r.Status != algo.Diverged; k++ {
		if err := u.Weigh(r, in); err != nil {
			t.Fatal(err)
		}
	}
	if r.Status != algo.Diverged || !near(r.Weights, []float64{0, 0}, 0) {
		t.Errorf("a negative loss ends as %+v", *r)
	}
}

func TestFAMOByHand(t *testing.T) {
	const epsilon = 1e-8
	config := FAMOConfig{LearningRate: 0.5, Decay: 0.1, Epsilon: epsilon, LowerBounds: []float64{-1, 1}}
	in, _ := input([][]float64{{1, 0}, {0, 3}}, []float64{1, 2})
	before, after := in.Losses, []float64{0.5, 1.5}
	for _, plain := range []bool{true, false} {
		config.Plain = plain
		f := built[*FAMO](t)(NewFAMO(config))
		r := ask(t, f, in)
		// z = (½, ½) and D = (2, 1): λ ∝ (1/4, 1/2).
		d1, d2 := 2+epsilon, 1+epsilon
		lambda := d2 / (d1 + d2)
		expect(t, "weights", r.Weights, []float64{lambda, 1 - lambda})
		expect(t, "direction", r.Direction, []float64{lambda, 3 * (1 - lambda)})
		f.Observe(before, after)
		// v = (log 2/1.5, log 1/0.5); Jᵀv = ½(v − mean) = ±(v1 − v2)/4; ξ is still 0.
		slope := (math.Log(d1/(1.5+epsilon)) - math.Log(d2/(0.5+epsilon))) / 4
		want := []float64{-0.5 * slope, 0.5 * slope}
		if !plain {
			// The first step of Adam is the sign of the gradient, up to Adam's ε.
			want[0] = -0.5 * slope / (math.Abs(slope) + 1e-8)
			want[1] = -want[0]
		}
		expect(t, "logits", f.Logits(), want)
		if !plain {
			continue
		}
		// Take a second step, with decay.
		xi := slices.Clone(f.Logits())
		z := 1 / (1 + math.Exp(xi[1]-xi[0]))
		f.Observe(before, after)
		slope *= 4 * z * (1 - z)
		expect(t, "logits after two steps", f.Logits(), []float64{xi[0] - 0.5*(slope+0.1*xi[0]), xi[1] - 0.5*(-slope+0.1*xi[1])})
	}
}

// TestFAMOBalances checks that the objective whose logarithm falls more slowly gets more weight.
func TestFAMOBalances(t *testing.T) {
	f := built[*FAMO](t)(NewFAMO(FAMOConfig{LearningRate: 0.1, Epsilon: 1e-8}))
	in, _ := input([][]float64{{1, 0}, {0, 3}}, []float64{1, 1})
	ask(t, f, in)
	f.Observe([]float64{1, 1}, []float64{0.5, 0.9})
	if w := ask(t, f, in).Weights; !(w[1] > w[0]) {
		t.Errorf("weights %v, the second loss falls slower", w)
	}
}

func TestFAMOBounds(t *testing.T) {
	f := built[*FAMO](t)(NewFAMO(FAMOConfig{LearningRate: 0.1, Epsilon: 1e-8, LowerBounds: []float64{0, 1}}))
	in, r := input([][]float64{{1, 0}, {0, 3}}, []float64{1, 2})
	ask(t, f, in)
	f.Observe([]float64{1, 2}, []float64{1, 0.5})
	const want = "famo: loss 2 is 0.5; it must be above its lower bound b = 1"
	// The next decision reports an error that Observe found, even after Load.
	var snap algo.Snapshot
	f.Save(&snap)
	again := built[*FAMO](t)(NewFAMO(FAMOConfig{LearningRate: 0.1, Epsilon: 1e-8, LowerBounds: []float64{0, 1}}))
	again.Load(&snap)
	for _, w := range []*FAMO{f, again} {
		if err := w.Weigh(r, in); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	f = built[*FAMO](t)(NewFAMO(FAMOConfig{LearningRate: 0.1, Epsilon: 1e-8}))
	in.Losses = []float64{1, -1}
	if err := f.Weigh(r, in); err == nil || !strings.Contains(err.Error(), "loss 2 is -1") {
		t.Errorf("a loss below 0: %v", err)
	}
}

func TestSMG(t *testing.T) {
	for _, c := range []struct{ t, n, first, want int }{
		{0, 10, 1, 1}, {1, 10, 1, 2}, {9, 10, 1, 10}, {10, 10, 1, 10}, {0, 10, 4, 4}, {1, 10, 4, 8}, {2, 10, 4, 10},
		{0, 3, 5, 3}, {math.MaxInt - 1, 10, 7, 10}, {math.MaxInt / 2, math.MaxInt, 3, math.MaxInt},
	} {
		if got := BatchSize(c.t, c.n, c.first); got != c.want {
			t.Errorf("b_%d of %d examples with b_0 = %d is %d, want %d", c.t, c.n, c.first, got, c.want)
		}
	}
	in, _ := input([][]float64{{1, 0}, {0, 2}}, []float64{1, 1})
	expect(t, "weights", ask(t, NewSMG(), in).Weights, []float64{0.8, 0.2})
}

func TestSDMGradByHand(t *testing.T) {
	// Rows (1, 0) and (0, 2) with κ = 1: g_0 = (½, 1), shifted (1.5, 1) and (0.5, 3).
	// Their difference is (1, −2) and λ_1 = (9.25 − 3.75)/5 > 1: a vertex.
	in, _ := input([][]float64{{1, 0}, {0, 2}}, []float64{1, 1})
	r := ask(t, built[*SDMGrad](t)(NewSDMGrad(SDMGradConfig{Kappa: 1})), in)
	expect(t, "weights", r.Weights, []float64{1, 0})
	expect(t, "direction", r.Direction, []float64{0.75, 0.5})
	// κ = 0.3: shifted (1.15, 0.3) and (0.15, 2.3); λ_1 = (5.3125 − 0.8625)/5 = 0.89.
	r = ask(t, built[*SDMGrad](t)(NewSDMGrad(SDMGradConfig{Kappa: 0.3})), in)
	expect(t, "weights", r.Weights, []float64{0.89, 0.11})
	expect(t, "direction", r.Direction, []float64{1.04 / 1.3, 0.52 / 1.3})
	if !(r.Gap <= 1e-14) {
		t.Errorf("gap %g", r.Gap)
	}
	// κ = 0 gives MGDA; a large κ gives the mean gradient.
	r = ask(t, built[*SDMGrad](t)(NewSDMGrad(SDMGradConfig{})), in)
	expect(t, "weights at κ = 0", r.Weights, []float64{0.8, 0.2})
	r = ask(t, built[*SDMGrad](t)(NewSDMGrad(SDMGradConfig{Kappa: 1e9})), in)
	if !near(r.Direction, []float64{0.5, 1}, 1e-8) {
		t.Errorf("direction %v, want nearly the mean gradient", r.Direction)
	}
}

// TestSDMGradOnGramian checks that the Gramian alone gives the same weights as the rows.
func TestSDMGradOnGramian(t *testing.T) {
	w := built[*SDMGrad](t)(NewSDMGrad(defaultSDMGrad))
	in, r := input([][]float64{{1, 2, 0, 1}, {-1, 1, 3, 0}, {0.5, 0, -2, 1}}, []float64{1, 1, 1})
	if err := w.Weigh(r, in); err != nil {
		t.Fatal(err)
	}
	weights := slices.Clone(r.Weights)
	in.Jacobian, r.Direction = nil, nil
	if err := w.Weigh(r, in); err != nil {
		t.Fatal(err)
	}
	if !near(r.Weights, weights, 1e-13) {
		t.Errorf("weights %v, with the rows %v", r.Weights, weights)
	}
}

// samples returns an input with three different Jacobians. The first is the input's Jacobian, and the others are its
// further samples.
func samples(k int) *algo.Input {
	in, _ := input([][]float64{{1, 0}, {0, 2}}, []float64{1, 1})
	in.K = k
	first, _ := input([][]float64{{2, 1}, {0, 1}}, nil)
	second, _ := input([][]float64{{1, 1}, {-1, 3}}, nil)
	in.Extra = []*algo.Jacobian{first.Jacobian, second.Jacobian}
	return in
}

func TestMoDoByHand(t *testing.T) {
	d := built[*MoDo](t)(NewMoDo(0.1))
	// G(ξ2)ᵀλ = (0, 2), and G(ξ1) times this is (2, 2): λ keeps its sum and stays ½.
	r := ask(t, d, samples(0))
	expect(t, "weights", r.Weights, []float64{0.5, 0.5})
	expect(t, "direction", r.Direction, []float64{0.5, 1})
	// With the two samples swapped, G(ξ1)ᵀλ = (1, 1) and G(ξ2) times this is (2, 2) too. With the input's rows for
	// ξ1, the product is (0, 4): λ = (½, ½ − 0.4) + 0.2 = (0.7, 0.3).
	in := samples(1)
	in.Extra[0] = in.Jacobian
	r = ask(t, d, in)
	expect(t, "second weights", r.Weights, []float64{0.7, 0.3})
	expect(t, "second direction", r.Direction, []float64{0.7, 0.6})
}

func TestStochasticSDMGradByHand(t *testing.T) {
	c := SDMGradConfig{Kappa: 0.5, Stochastic: true, Gamma: 0.1, Inner: 2}
	g := built[*SDMGrad](t)(NewSDMGrad(c))
	if got := g.Needs().Extra; got != 4 {
		t.Fatalf("%d further samples, want 4", got)
	}
	in := samples(0)
	in.Extra = []*algo.Jacobian{in.Jacobian, in.Extra[1], in.Extra[0], in.Jacobian}
	r := ask(t, g, in)
	// First pair: (1.5)·(0, 2) = (0, 3), rows (1,0), (0,2): slopes (0, 6), λ = (0.8, 0.2).
	// Second: (0.8+0.25, 2·(0.2+0.25)) = (1.05, 0.9), rows (2,1), (0,1): slopes (3, 0.9),
	// λ = (0.5, 0.11) + 0.195 = (0.695, 0.305).
	expect(t, "weights", r.Weights, []float64{0.695, 0.305})
	expect(t, "direction", r.Direction, []float64{0.945 / 1.5, 2 * 0.555 / 1.5})
}

func TestMoCoByHand(t *testing.T) {
	c := built[*MoCo](t)(NewMoCo(MoCoConfig{Beta: 0.5, Gamma: 0.2, Decay: 1, Rho: 0.5}))
	in, _ := input([][]float64{{1, 0}, {0, 2}}, []float64{1, 1})
	r := ask(t, c, in)
	// Y = (½, 0), (0, 1); (YYᵀ + ½I)λ = (3/8, 3/4); λ = (0.425, 0.35) + 0.1125.
	expect(t, "Y", c.Tracked().Data, []float64{0.5, 0, 0, 1})
	expect(t, "weights", r.Weights, []float64{0.5375, 0.4625})
	expect(t, "direction", r.Direction, []float64{0.26875, 0.4625})
	// With β_1 = ¼ and γ_1 = 0.1: Y = (0.625, 0), (0, 1.25).
	r = ask(t, c, in)
	expect(t, "second Y", c.Tracked().Data, []float64{0.625, 0, 0, 1.25})
	a := 0.5375 - 0.1*(0.625*0.625+0.5)*0.5375
	b := 0.4625 - 0.1*(1.25*1.25+0.5)*0.4625
	rest := (1 - a - b) / 2
	expect(t, "second weights", r.Weights, []float64{a + rest, b + rest})
}

// TestStepwiseRulesReachMGDA checks that rules with gradual weight updates reach the weights of MGDA if the gradients
// do not change.
func TestStepwiseRulesReachMGDA(t *testing.T) {
	in, _ := input([][]float64{{1, 0, 0.5}, {0, 2, 1}, {-0.5, 1, 2}}, []float64{1, 1, 1})
	want := ask(t, NewMGDA(NormalizeNone), in)
	for name, w := range map[string]algo.Weighting{
		"moco":               built[*MoCo](t)(NewMoCo(defaultMoCo)),
		"modo":               built[*MoDo](t)(NewMoDo(defaultMoDoGamma)),
		"stochastic sdmgrad": built[*SDMGrad](t)(NewSDMGrad(SDMGradConfig{Stochastic: true, Gamma: 0.1, Inner: 1})),
	} {
		t.Run(name, func(t *testing.T) {
			var r *algo.Result
			for k := range 2000 {
				in.K = k
				r = ask(t, w, in)
			}
			if !near(r.Weights, want.Weights, 1e-9) || !near(r.Direction, want.Direction, 1e-9) {
				t.Errorf("weights %v, direction %v; MGDA %v, %v", r.Weights, r.Direction, want.Weights, want.Direction)
			}
		})
	}
}

// TestMoDoIsUnbiased checks that two independent samples make the step of MoDo unbiased: its mean is the step with
// exact gradients. Using one sample twice would add the variance of the noise.
func TestMoDoIsUnbiased(t *testing.T) {
	normal := rand.New(rand.NewPCG(1, 2))
	exact := [][]float64{{1, 0}, {0, 2}}
	noisy := func() *algo.Jacobian {
		in, _ := input(exact, nil)
		in.Jacobian.Data[0] += normal.NormFloat64() // noise on the first objective only
		return in.Jacobian
	}
	in, _ := input(exact, []float64{1, 1})
	const draws, gamma = 20000, 0.01
	mean := func(sample func() (a, b *algo.Jacobian)) float64 {
		var m float64
		for range draws {
			d := built[*MoDo](t)(NewMoDo(gamma))
			a, b := sample()
			in.Extra = []*algo.Jacobian{a, b}
			m += ask(t, d, in).Weights[0] / draws
		}
		return m
	}
	// GGᵀλ = (½, 2), so λ_1 = ½ + γ(2 − ½)/2. A shared sample would add the noise's variance, 1, to the first diagonal
	// entry and reduce λ_1 by γ/4.
	want := 0.5 + gamma*0.75
	got := mean(func() (a, b *algo.Jacobian) { return noisy(), noisy() })
	shared := mean(func() (a, b *algo.Jacobian) { s := noisy(); return s, s })
	if math.Abs(got-want) > 3e-4 || math.Abs(shared-(want-gamma/4)) > 3e-4 {
		t.Errorf("mean weight %v with independent samples, want %v; %v with a shared one, want %v", got, want, shared, want-gamma/4)
	}
}

func TestAdamByHand(t *testing.T) {
	a, err := NewAdam(0.9, 0.99, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, 2)
	a.Update(u, []float64{2, -0.5})
	// m̂ = g and v̂ = g² at the first update.
	expect(t, "first update", u, []float64{2 / 2.001, -0.5 / 0.501})
	a.Update(u, []float64{1, 0})
	// m = (0.9·0.2 + 0.1, 0.9·(−0.05)), v = (0.99·0.04 + 0.01, 0.99·0.0025).
	c1, c2 := 1-0.9*0.9, 1-0.99*0.99
	expect(t, "second update", u, []float64{
		0.28 / c1 / (math.Sqrt(0.0496/c2) + 1e-3), -0.045 / c1 / (math.Sqrt(0.002475/c2) + 1e-3),
	})
	for _, c := range [][3]float64{{1, 0.9, 1}, {-0.1, 0.9, 1}, {0.9, 1, 1}, {0.9, math.NaN(), 1}, {0.9, 0.9, 0}, {0.9, 0.9, math.Inf(1)}} {
		if _, err := NewAdam(c[0], c[1], c[2]); err == nil {
			t.Errorf("%v accepted", c)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a gradient of another length is accepted")
		}
	}()
	a.Update(u[:1], []float64{1})
}

// TestVariantsKeepTheContract checks that rules also pass the checks of algotest.Weighting with settings other than the
// defaults.
func TestVariantsKeepTheContract(t *testing.T) {
	for name, construct := range map[string]func(t *testing.T) algo.Weighting{
		"si normalized": func(*testing.T) algo.Weighting { return NewSI(true) },
		"famo plain": func(t *testing.T) algo.Weighting {
			return built[*FAMO](t)(NewFAMO(FAMOConfig{LearningRate: 0.1, Decay: 0.01, Epsilon: 1e-6, Plain: true}))
		},
		"sdmgrad stochastic": func(t *testing.T) algo.Weighting {
			return built[*SDMGrad](t)(NewSDMGrad(SDMGradConfig{Kappa: 0.3, Stochastic: true, Gamma: 0.1, Inner: 3}))
		},
		"moco with a decay": func(t *testing.T) algo.Weighting {
			return built[*MoCo](t)(NewMoCo(MoCoConfig{Beta: 1, Gamma: 0.01, Decay: 0.5, Rho: 0.1}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			algotest.Weighting(t, func() algo.Weighting { return construct(t) }, algotest.SimplexWeights, algotest.PermutationInvariant)
		})
	}
}

func TestRulesRefuseParameters(t *testing.T) {
	famo := func(change func(*FAMOConfig)) error {
		c := FAMOConfig{LearningRate: 0.1, Epsilon: 1e-8}
		change(&c)
		_, err := NewFAMO(c)
		return err
	}
	moco := func(change func(*MoCoConfig)) error {
		c := defaultMoCo
		change(&c)
		_, err := NewMoCo(c)
		return err
	}
	sdmgrad := func(change func(*SDMGradConfig)) error {
		c := defaultSDMGrad
		c.Stochastic = true
		change(&c)
		_, err := NewSDMGrad(c)
		return err
	}
	_, dwa := NewDWA(0)
	_, uw := NewUW(-1)
	_, modo := NewMoDo(math.NaN())
	for want, err := range map[string]error{
		"temperature = 0":      dwa,
		"lr = -1":              uw,
		"gamma = NaN":          modo,
		"lr = 0":               famo(func(c *FAMOConfig) { c.LearningRate = 0 }),
		"gamma = -0.1":         famo(func(c *FAMOConfig) { c.Decay = -0.1 }),
		"epsilon = 0":          famo(func(c *FAMOConfig) { c.Epsilon = 0 }),
		"b = [NaN]":            famo(func(c *FAMOConfig) { c.LowerBounds = []float64{math.NaN()} }),
		"beta = 0":             moco(func(c *MoCoConfig) { c.Beta = 0 }),
		"beta = 1.5":           moco(func(c *MoCoConfig) { c.Beta = 1.5 }),
		"gamma = +Inf":         moco(func(c *MoCoConfig) { c.Gamma = math.Inf(1) }),
		"decay = -1":           moco(func(c *MoCoConfig) { c.Decay = -1 }),
		"rho = NaN":            moco(func(c *MoCoConfig) { c.Rho = math.NaN() }),
		"kappa = -1":           sdmgrad(func(c *SDMGradConfig) { c.Kappa = -1 }),
		"gamma = 0":            sdmgrad(func(c *SDMGradConfig) { c.Gamma = 0 }),
		"inner = 0":            sdmgrad(func(c *SDMGradConfig) { c.Inner = 0 }),
		"inner = 1001: use a ": sdmgrad(func(c *SDMGradConfig) { c.Inner = 1001 }),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

// TestHistoryIsForOneShape checks that rules return an error if the number of objectives changes, or if further samples
// or bounds do not match this number.
func TestHistoryIsForOneShape(t *testing.T) {
	three, _ := input([][]float64{{1, 0}, {0, 2}, {1, 1}}, []float64{1, 2, 3})
	for name, w := range map[string]algo.Weighting{
		"dwa":  built[*DWA](t)(NewDWA(2)),
		"uw":   built[*UW](t)(NewUW(0.1)),
		"famo": built[*FAMO](t)(NewFAMO(FAMOConfig{LearningRate: 0.1, Epsilon: 1e-8})),
		"moco": built[*MoCo](t)(NewMoCo(defaultMoCo)),
		"modo": built[*MoDo](t)(NewMoDo(0.1)),

		"dbmtl":     built[*DBMTL](t)(NewDBMTL(0.9, 0.5)),
		"gradnorm":  built[*GradNorm](t)(NewGradNorm(1.5, 0.025)),
		"excessmtl": built[*ExcessMTL](t)(NewExcessMTL(0.01)),
	} {
		t.Run(name, func(t *testing.T) {
			ask(t, w, three)
			two, r := input([][]float64{{1, 0}, {0, 2}}, []float64{1, 2})
			if err := w.Weigh(r, two); err == nil {
				t.Error("another number of objectives is accepted")
			}
		})
	}
	_, r := input([][]float64{{1, 0}, {0, 2}, {1, 1}}, nil)
	bounded := built[*FAMO](t)(NewFAMO(FAMOConfig{LearningRate: 0.1, Epsilon: 1e-8, LowerBounds: []float64{0, 0}}))
	if err := bounded.Weigh(r, three); err == nil || !strings.Contains(err.Error(), "b = [0 0]") {
		t.Errorf("two bounds for three objectives: %v", err)
	}
	three.Extra = []*algo.Jacobian{algo.NewJacobian(3, 2), algo.NewJacobian(3, 1)}
	if err := built[*MoDo](t)(NewMoDo(0.1)).Weigh(r, three); err == nil {
		t.Error("further samples of different shapes are accepted")
	}
	three.Extra = three.Extra[:1]
	if err := built[*MoDo](t)(NewMoDo(0.1)).Weigh(r, three); err == nil {
		t.Error("one further sample is accepted for two")
	}
}

// TestParametersReachTheRules checks that setting a parameter changes the weights of its rule.
func TestParametersReachTheRules(t *testing.T) {
	for name, settings := range map[string]map[string]string{
		"si":      {"normalize": "true"},
		"dwa":     {"temperature": "0.5"},
		"uw":      {"lr": "0.5"},
		"famo":    {"lr": "0.5", "gamma": "0.5", "epsilon": "0.1", "b": "-1,-3", "optimizer": "plain"},
		"sdmgrad": {"kappa": "0.5", "stochastic": "true", "gamma": "0.2", "inner": "2"},
		"moco":    {"beta": "0.9", "gamma": "0.5", "decay": "0.5", "rho": "1"},
		"modo":    {"gamma": "0.5"},

		"stch":     {"preference": "0.3,0.7", "mu": "2", "log": "true"},
		"epsilon":  {"limits": "0.5,0", "objective": "1", "rate": "0.3", "bound": "0.2"},
		"dbmtl":    {"beta": "0.5", "sigma": "0"},
		"gradnorm": {"lr": "1"},
	} {
		t.Run(name, func(t *testing.T) {
			m, ok := Lookup(name)
			if !ok {
				t.Fatal("it is not listed")
			}
			var l param.List
			construct := m.Bind(&l, name+".")
			// decided returns the weights of four decisions with the current settings.
			decided := func() []float64 {
				w, err := construct(Context{Objectives: 2, Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				in := samples(0)
				in.Extra = []*algo.Jacobian{in.Jacobian, in.Extra[1], in.Extra[0], in.Jacobian}
				var weights []float64
				for k := range 4 {
					in.K, in.Losses = k, []float64{2 / float64(k+1), 3 / float64(2*k+1)}
					weights = append(weights, ask(t, w, in).Weights...)
					if o, ok := w.(algo.Observer); ok {
						o.Observe([]float64{2, 3}, []float64{1.5, 1})
					}
				}
				return weights
			}
			order := slices.Sorted(func(yield func(string) bool) {
				for s := range settings {
					if !yield(s) {
						return
					}
				}
			})
			switch name {
			case "sdmgrad": // the other parameters only matter in this form
				order = []string{"stochastic", "kappa", "gamma", "inner"}
			case "epsilon": // the other parameters only matter if a limit is active
				order = []string{"limits", "bound", "objective", "rate"}
			}
			before := decided()
			for _, s := range order {
				if err := l.Assign(name+"."+s, settings[s]); err != nil {
					t.Fatal(err)
				}
				now := decided()
				if near(now, before, 1e-6) {
					t.Errorf("%s = %s changes nothing: weights %v", s, settings[s], now)
				}
				before = now
			}
		})
	}
	famo, _ := Lookup("famo")
	var l param.List
	w, err := famo.Bind(&l, "")(Context{Objectives: 2, LowerBounds: []float64{-2, -20}})
	if err != nil {
		t.Fatal(err)
	}
	in, _ := input([][]float64{{1, 0}, {0, 2}}, []float64{-1, -10})
	if w := ask(t, w, in).Weights; !near(w, []float64{10. / 11, 1. / 11}, 1e-8) {
		t.Errorf("with bounds of the problem FAMO's weights are %v, want 10/11, 1/11", w)
	}
}

func BenchmarkMethods(b *testing.B) {
	for _, m := range Methods {
		b.Run(m.Name, func(b *testing.B) {
			in, r := input([][]float64{{1, 0.3}, {-0.4, 2}}, []float64{1, 2})
			weights, direction := r.Weights, r.Direction
			var l param.List
			w, err := m.Bind(&l, "")(Context{Objectives: 2, Seed: 1})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				r.Weights, r.Direction = weights, direction
				if err := w.Weigh(r, in); err != nil {
					b.Fatal(err)
				}
				in.K++
			}
		})
	}
}

// TestMGDALikeRulesOnOracle checks that SMG, and SDMGrad with κ = 0, give the exact results of the oracle for MGDA in
// every case. With κ > 0, no change of the weights may shorten Gᵀλ + κg_0.
func TestMGDALikeRulesOnOracle(t *testing.T) {
	cases := oracleCases(t)
	for name, construct := range map[string]func() algo.Weighting{
		"smg":     func() algo.Weighting { return NewSMG() },
		"sdmgrad": func() algo.Weighting { return built[*SDMGrad](t)(NewSDMGrad(SDMGradConfig{})) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range cases {
				in, _ := input(c.G, make([]float64, len(c.G)))
				if e := relative(ask(t, construct(), in).Direction, c.Agg["mgda"].Dir); !(e <= 1e-10) {
					t.Errorf("%s: off by %.2g", c.Name, e)
				}
			}
		})
	}
	t.Run("sdmgrad with κ", func(t *testing.T) {
		for _, c := range cases {
			in, _ := input(c.G, make([]float64, len(c.G)))
			for _, kappa := range []float64{0.01, 0.3, 5} {
				r := ask(t, built[*SDMGrad](t)(NewSDMGrad(SDMGradConfig{Kappa: kappa})), in)
				// The slope of ½‖Gᵀλ + κg_0‖² along λ_i is (1+κ)·g_i·direction. The slopes with λ_i > 0 are equal,
				// and no other slope is smaller.
				least, size := math.Inf(1), 0.0
				slopes := make([]float64, len(c.G))
				for i := range slopes {
					slopes[i] = dot(in.Jacobian.Row(i), r.Direction)
					least = min(least, slopes[i])
					size = max(size, math.Sqrt(in.Gram[i*len(c.G)+i]*dot(r.Direction, r.Direction)))
				}
				for i, s := range slopes {
					if r.Weights[i] > 0 && !(s-least <= 1e-10*size) {
						t.Errorf("%s, κ = %v: slope %v where λ_%d = %v, the least is %v", c.Name, kappa, s, i+1, r.Weights[i], least)
					}
				}
			}
		}
	})
}

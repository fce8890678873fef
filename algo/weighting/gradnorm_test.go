package weighting

import (
	"math"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

func TestGradNormByHand(t *testing.T) {
	g := built[*GradNorm](t)(NewGradNorm(1.5, 0.1))
	in, _ := input([][]float64{{1, 0}, {0, 3}}, []float64{2, 4})
	r := ask(t, g, in)
	// λ = 1, r = 1, n = (1, 3), N = 2: slopes −1 and 3 for λ, with mean 1.
	expect(t, "weights", r.Weights, []float64{1, 1})
	expect(t, "direction", r.Direction, []float64{1, 3})
	expect(t, "s", g.Logits(), []float64{0.2, -0.2})
	// The first loss has halved: r = (2/3, 4/3), so its weighted gradient should become even shorter.
	in.Losses = []float64{1, 4}
	r = ask(t, g, in)
	a, b := 2/(1+math.Exp(-0.4)), 2/(1+math.Exp(0.4))
	expect(t, "second weights", r.Weights, []float64{a, b})
	n, m := a, 3*b
	target := (n + m) / 2 * math.Pow(2./3, 1.5)
	if !(n > target) || !(m < (n+m)/2*math.Pow(4./3, 1.5)) {
		t.Fatalf("lengths %v and %v, the first one's target is %v", n, m, target)
	}
	mean := (a*1 - b*3) / 2
	expect(t, "second s", g.Logits(), []float64{0.2 - 0.1*a*(1-mean), -0.2 - 0.1*b*(-3-mean)})
}

// TestGradNormParameter checks that the weights depend on which loss falls, unless α is set to 0.
func TestGradNormParameter(t *testing.T) {
	m, _ := Lookup("gradnorm")
	var l param.List
	construct := m.Bind(&l, "")
	after := func(losses []float64) float64 {
		g := must(construct(Context{}))
		in, _ := input([][]float64{{1, 0}, {0, 3}}, []float64{1, 1})
		for range 3 {
			ask(t, g, in)
			in.Losses = losses
		}
		return ask(t, g, in).Weights[0]
	}
	if err := l.Assign("lr", "0.5"); err != nil {
		t.Fatal(err)
	}
	if a, b := after([]float64{4, 1}), after([]float64{1, 4}); !(a > b+0.1) {
		t.Errorf("weights %v and %v", a, b)
	}
	if err := l.Assign("alpha", "0"); err != nil {
		t.Fatal(err)
	}
	if a, b := after([]float64{4, 1}), after([]float64{1, 4}); a != b {
		t.Errorf("weights %v and %v at α = 0", a, b)
	}
}

// TestGradNormMakesLengthsEqual checks that with α = 0 the weighted gradients become equally long for any
// losses.
func TestGradNormMakesLengthsEqual(t *testing.T) {
	g := must(NewGradNorm(0, 0.001))
	in, _ := input([][]float64{{1, 0}, {0, 3}, {2, 2}}, []float64{1, 1, 1})
	var r *algo.Result
	for k := range 5000 {
		in.K, in.Losses = k, []float64{1 / float64(k+1), 1, 2}
		r = ask(t, g, in)
	}
	for i, w := range r.Weights {
		if n := w * length(in.Jacobian.Row(i)); math.Abs(n-r.Weights[0]) > 0.01 {
			t.Errorf("lengths %v and %v", r.Weights[0], n)
		}
	}
	if sum := r.Weights[0] + r.Weights[1] + r.Weights[2]; math.Abs(sum-3) > 1e-12 {
		t.Errorf("the weights have sum %v", sum)
	}
}

func TestGradNormRefuses(t *testing.T) {
	for want, c := range map[string][2]float64{"alpha = -1": {-1, 0.1}, "lr = 0": {1, 0}} {
		if _, err := NewGradNorm(c[0], c[1]); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v", c, err)
		}
	}
	in, r := input([][]float64{{1, 0}, {0, 3}}, []float64{1, -1})
	g := must(NewGradNorm(1.5, 0.025))
	if err := g.Weigh(r, in); err == nil || err.Error() != "gradnorm: loss 2 is -1; it must be above 0" {
		t.Errorf("a negative loss: %v", err)
	}
	// If the ratio of losses overflows, the status is Diverged.
	for _, f := range []float64{1e-300, 1e300} {
		in.Losses = []float64{f, 1}
		if err := g.Weigh(r, in); err != nil {
			t.Fatal(err)
		}
	}
	if r.Status != algo.Diverged || length(r.Direction) != 0 {
		t.Errorf("%+v", *r)
	}
	// The first weights are equal, so the direction may harm an objective.
	rows := [][]float64{{1, 0}, {-3, 1}}
	in, _ = input(rows, []float64{1, 1})
	if d := ask(t, must(NewGradNorm(1.5, 0.025)), in).Direction; !worsened(rows, d) {
		t.Errorf("direction %v", d)
	}
}

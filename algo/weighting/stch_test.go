package weighting

import (
	"math"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

func TestSTCHOracle(t *testing.T) {
	for _, c := range furtherCases(t) {
		in, r := input(c.G, c.Losses)
		if err := must(NewSTCH(STCHConfig{Mu: c.Mu})).Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		if e := relative(r.Weights, c.STCH.Weights); !(e <= furtherTolerance) {
			t.Errorf("%s: weights off by %.3g", c.Name, e)
		}
		expectDirection(t, c.Name, r.Direction, c.STCH.Direction, c.G)
	}
}

func TestSTCHByHand(t *testing.T) {
	two := math.Log(2)
	in, _ := input([][]float64{{1, 0}, {0, 3}}, []float64{two, 0})
	for _, c := range []struct {
		name   string
		config STCHConfig
		want   []float64
	}{
		// softmax(log 2, 0) = (2, 1)/3.
		{"plain", STCHConfig{Mu: 1}, []float64{2. / 3, 1. / 3}},
		{"a half of μ", STCHConfig{Mu: 0.5}, []float64{0.8, 0.2}},
		{"measured from z", STCHConfig{Mu: 1, Ideal: []float64{0, -two}}, []float64{0.5, 0.5}},
		// p = (3/2, 1/2): softmax(1.5·log 2, 0.5·0).
		{"a preference", STCHConfig{Mu: 1.5, Preference: []float64{3, 1}}, []float64{1, 1. / 6}},
	} {
		r := ask(t, must(NewSTCH(c.config)), in)
		expect(t, c.name, r.Weights, c.want)
		expect(t, c.name+", direction", r.Direction, []float64{c.want[0], 3 * c.want[1]})
	}
	// At the first decision log(f/n) = 0 for both losses, and the gradient of log f is ∇f/f.
	in.Losses = []float64{1, 3}
	logarithms := must(NewSTCH(STCHConfig{Mu: 1, Log: true, Ideal: []float64{-5, -9}}))
	expect(t, "logarithms at first", ask(t, logarithms, in).Weights, []float64{0.5, 0.5 / 3})
	// Then softmax(log f/n) = (f/n)/Σ(f/n) = (1/2, 2)/2.5 = (0.2, 0.8), over f = (0.5, 6).
	in.Losses = []float64{0.5, 6}
	expect(t, "logarithms", ask(t, logarithms, in).Weights, []float64{0.4, 0.8 / 6})
	// p = (3/2, 1/2): softmax(1.5·log ¼, 0.5·log 4) = (1/8, 2)/2.125 = (1, 16)/17 at f/n = (¼, 4).
	preferred := must(NewSTCH(STCHConfig{Mu: 1, Log: true, Preference: []float64{3, 1}}))
	in.Losses = []float64{4, 1}
	expect(t, "logarithms with a preference at first", ask(t, preferred, in).Weights, []float64{1.5 / 2 / 4, 0.5 / 2})
	in.Losses = []float64{1, 4}
	expect(t, "logarithms with a preference", ask(t, preferred, in).Weights, []float64{1.5 / 17, 0.5 * 16 / 17 / 4})
	in.Losses = []float64{1, 0}
	_, r := input([][]float64{{1, 0}, {0, 3}}, nil)
	if err := logarithms.Weigh(r, in); err == nil || err.Error() != "stch: loss 2 is 0; it must be above 0" {
		t.Errorf("the logarithm of 0: %v", err)
	}
	// Without the logarithm, losses may have any sign. The largest loss has all the weight if the others are far
	// below.
	in.Losses = []float64{-5, -1e6}
	expect(t, "far apart", ask(t, must(NewSTCH(STCHConfig{Mu: 0.1})), in).Weights, []float64{1, 0})
	// Weights that do not depend on gradients may harm an objective.
	rows := [][]float64{{1, 0}, {-3, 1}}
	in, _ = input(rows, []float64{1, 1})
	if d := ask(t, must(NewSTCH(STCHConfig{Mu: 0.1})), in).Direction; !worsened(rows, d) {
		t.Errorf("direction %v", d)
	}
}

func TestSTCHRefuses(t *testing.T) {
	for want, c := range map[string]STCHConfig{
		"mu = 0":            {},
		"mu = NaN":          {Mu: math.NaN()},
		"preference[1] = 0": {Mu: 1, Preference: []float64{1, 0}},
		"z = [NaN]":         {Mu: 1, Ideal: []float64{math.NaN()}},
	} {
		if _, err := NewSTCH(c); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	in, r := input([][]float64{{1, 0}, {0, 3}}, []float64{1, 2})
	for want, c := range map[string]STCHConfig{
		"preference = [0.5 1 1.5]: use one number for each of 2 objectives": {Mu: 1, Preference: []float64{1, 2, 3}},
		"z = [1]: use one number for each of 2 objectives":                  {Mu: 1, Ideal: []float64{1}},
	} {
		if err := must(NewSTCH(c)).Weigh(r, in); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestSTCHOfLogarithmsKeepsTheContract(t *testing.T) {
	algotest.Weighting(t, func() algo.Weighting { return must(NewSTCH(STCHConfig{Mu: 1, Log: true})) }, algotest.PermutationInvariant,
		algotest.Homogeneous)
}

// TestSTCHOfLogarithmsHasNoUnits checks that multiplying a loss and its gradient by a factor does not change the
// direction. This must hold at the first and at later decisions, for any μ, and after Save and Load. At losses (1, 1),
// the first decision must have the direction (½, 3/2) for all units of the losses.
func TestSTCHOfLogarithmsHasNoUnits(t *testing.T) {
	courses := [][]float64{{1, 1}, {0.9, 0.5}, {0.2, 0.4}, {0.1, 0.01}}
	rows := [][]float64{{1, 0}, {0, 3}}
	for _, mu := range []float64{1e-3, 0.1, 10} {
		for _, unit := range []float64{100, 1e-8, 1e12} {
			plain, other := must(NewSTCH(STCHConfig{Mu: mu, Log: true})), must(NewSTCH(STCHConfig{Mu: mu, Log: true}))
			for k, losses := range courses {
				in, _ := input(rows, losses)
				scaled, _ := input([][]float64{{unit, 0}, {0, 3}}, []float64{unit * losses[0], losses[1]})
				want, got := ask(t, plain, in), ask(t, other, scaled)
				for j, v := range want.Direction {
					if !(math.Abs(got.Direction[j]-v) <= 1e-9*math.Abs(v)) {
						t.Errorf("μ = %g, decision %d: direction %v, in another unit %v", mu, k+1, want.Direction, got.Direction)
					}
				}
				if k == 0 {
					expect(t, "the first step", got.Direction, []float64{0.5, 1.5})
				}
				var kept algo.Snapshot
				other.Save(&kept)
				other = must(NewSTCH(STCHConfig{Mu: mu, Log: true}))
				other.Load(&kept)
			}
		}
	}
	// A change of the number of objectives after the first decision must cause an error.
	w := must(NewSTCH(STCHConfig{Mu: 1, Log: true}))
	in, _ := input(rows, []float64{1, 1})
	ask(t, w, in)
	in, r := input([][]float64{{1, 0}, {0, 3}, {1, 1}}, []float64{1, 1, 1})
	if err := w.Weigh(r, in); err == nil || err.Error() != "stch: 3 objectives; earlier decisions had 2" {
		t.Errorf("another number of objectives: %v", err)
	}
}

// TestSTCHBesideThePaper compares weights with those of the paper. With preferences p of sum 1 and the parameter μ/m,
// equation (9) has the gradient Σ p_i softmax_i(p(f − z)/(μ/m))·∇f_i. The weights must be m times the factors of ∇f_i
// in this gradient.
func TestSTCHBesideThePaper(t *testing.T) {
	const mu = 0.6
	p, f := []float64{0.2, 0.3, 0.5}, []float64{1, 0.8, 0.4}
	in, _ := input([][]float64{{1, 0}, {0, 1}, {1, 1}}, f)
	var sum float64
	want := make([]float64, 3)
	for i := range want {
		want[i] = math.Exp(p[i] * f[i] / (mu / 3))
		sum += want[i]
	}
	for i := range want {
		want[i] *= 3 * p[i] / sum
	}
	expect(t, "weights", ask(t, must(NewSTCH(STCHConfig{Mu: mu, Preference: p})), in).Weights, want)
}

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
	// softmax(log f) = f/Σf, and the gradient of log f is ∇f/f: 1/Σf for both.
	in.Losses = []float64{1, 3}
	logarithms := must(NewSTCH(STCHConfig{Mu: 1, Log: true, Ideal: []float64{-5, -9}}))
	expect(t, "logarithms", ask(t, logarithms, in).Weights, []float64{0.25, 0.25})
	in.Losses = []float64{1, 0}
	_, r := input([][]float64{{1, 0}, {0, 3}}, nil)
	if err := logarithms.Weigh(r, in); err == nil || err.Error() != "stch: loss 2 is 0, allowed is above 0" {
		t.Errorf("the logarithm of 0: %v", err)
	}
	// Losses of any sign do without the logarithm; the largest has all weight where the
	// others are far below.
	in.Losses = []float64{-5, -1e6}
	expect(t, "far apart", ask(t, must(NewSTCH(STCHConfig{Mu: 0.1})), in).Weights, []float64{1, 0})
	// Weights that see no gradient cannot spare an objective.
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
		"preference = [0.5 1 1.5], allowed is one number for each of 2 objectives": {Mu: 1, Preference: []float64{1, 2, 3}},
		"z = [1], allowed is one number for each of 2 objectives":                  {Mu: 1, Ideal: []float64{1}},
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

package weighting

import (
	"strings"
	"testing"

	"paretoplay/algo"
)

func TestGLSOracle(t *testing.T) {
	for _, c := range furtherCases(t) {
		in, r := input(c.G, c.Losses)
		if err := NewGLS().Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		if e := relative(r.Weights, c.GLS.Weights); !(e <= furtherTolerance) {
			t.Errorf("%s: weights off by %.3g", c.Name, e)
		}
		expectDirection(t, c.Name, r.Direction, c.GLS.Direction, c.G)
	}
}

func TestGLSByHand(t *testing.T) {
	in, _ := input([][]float64{{1, 0}, {0, 3}}, []float64{1, 4})
	r := ask(t, NewGLS(), in)
	// √(1·4) = 2, so the weights are 2/(2·1) and 2/(2·4).
	expect(t, "weights", r.Weights, []float64{1, 0.25})
	expect(t, "direction", r.Direction, []float64{1, 0.75})
	// The product of the losses underflows, but its root does not.
	in.Losses = []float64{1e-300, 4e-300}
	if w := ask(t, NewGLS(), in).Weights; !near(w, []float64{1, 0.25}, 1e-12) {
		t.Errorf("weights %v of tiny losses", w)
	}
	// If a weight overflows, the status is Diverged.
	in.Losses = []float64{5e-324, 1e308}
	_, other := input([][]float64{{1, 0}, {0, 3}}, nil)
	if err := NewGLS().Weigh(other, in); err != nil || other.Status != algo.Diverged {
		t.Errorf("%+v, %v", *other, err)
	}
	for _, f := range []float64{0, -1} {
		in.Losses = []float64{1, f}
		if err := NewGLS().Weigh(other, in); err == nil || !strings.Contains(err.Error(), "gls: loss 2 is") {
			t.Errorf("loss %v: %v", f, err)
		}
	}
	// Weights that do not depend on gradients may harm an objective.
	rows := [][]float64{{1, 0}, {-3, 1}}
	in, _ = input(rows, []float64{1, 1})
	if d := ask(t, NewGLS(), in).Direction; !worsened(rows, d) {
		t.Errorf("direction %v", d)
	}
}

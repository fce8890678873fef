package weighting

import (
	"math"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

func TestExcessMTLByHand(t *testing.T) {
	e := built[*ExcessMTL](t)(NewExcessMTL(0.5))
	in, _ := input([][]float64{{3, -4}, {0, 2}}, []float64{1, 1})
	r := ask(t, e, in)
	// h = |g|: e⁰ = (3 + 4, 2).
	expect(t, "weights", r.Weights, []float64{1, 1})
	expect(t, "direction", r.Direction, []float64{3, -2})
	// g_1 = (4, 3): h = (5, 5), e_1 = 16/5 + 9/5 = 5. g_2 = (0, 1): h = √5, e_2 = 1/√5.
	in, _ = input([][]float64{{4, 3}, {0, 1}}, []float64{1, 1})
	r = ask(t, e, in)
	a, b := math.Exp(0.5*5/7), math.Exp(0.5/math.Sqrt(5)/2)
	expect(t, "second weights", r.Weights, []float64{2 * a / (a + b), 2 * b / (a + b)})
	// The third decision multiplies the weights once more.
	r = ask(t, e, in)
	a *= math.Exp(0.5 * (16/math.Sqrt(41) + 9/math.Sqrt(34)) / 7)
	b *= math.Exp(0.5 / math.Sqrt(6) / 2)
	expect(t, "third weights", r.Weights, []float64{2 * a / (a + b), 2 * b / (a + b)})
}

// TestExcessMTLWaitsForAGradient checks that e⁰ comes from a later decision if a gradient is zero at the first
// decision.
func TestExcessMTLWaitsForAGradient(t *testing.T) {
	e := must(NewExcessMTL(1))
	in, _ := input([][]float64{{1, 0}, {0, 0}}, []float64{1, 1})
	expect(t, "weights", ask(t, e, in).Weights, []float64{1, 1})
	in, _ = input([][]float64{{0, 0}, {0, 5}}, []float64{1, 1})
	r := ask(t, e, in)
	expect(t, "second weights", r.Weights, []float64{2 / (1 + math.E), 2 * math.E / (1 + math.E)})
	expect(t, "direction", r.Direction, []float64{0, 5 * r.Weights[1]})
}

// TestExcessMTLAtAnyScale checks that the weights depend only on the ratio of each excess to its first value, not on
// the size of the gradients.
func TestExcessMTLAtAnyScale(t *testing.T) {
	rows := [][][]float64{{{3, -4}, {0, 2}}, {{4, 3}, {0, 1}}, {{1, 1}, {-2, 1}}}
	var want []float64
	for _, scale := range []float64{1, 1e-300, 1e-160, 1e160, 1e300} {
		e := must(NewExcessMTL(0.5))
		var r *algo.Result
		for _, g := range rows {
			in, _ := input(scaledRows(g, scale), []float64{1, 1})
			r = ask(t, e, in)
		}
		if want == nil {
			want = r.Weights
		}
		if !near(r.Weights, want, 1e-12) {
			t.Errorf("scale %g: weights %v, want %v", scale, r.Weights, want)
		}
	}
	// If numbers overflow, the status is Diverged.
	e := must(NewExcessMTL(0.5))
	for _, scale := range []float64{1e-300, 1e300} {
		in, r := input(scaledRows(rows[0], scale), nil)
		if err := e.Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]algo.Status{true: algo.Diverged, false: algo.Converged}[scale > 1]; r.Status != want {
			t.Errorf("scale %g: status %v", scale, r.Status)
		}
	}
}

// TestExcessMTLParameter checks that setting the parameter gamma gives the weights that were computed by hand.
func TestExcessMTLParameter(t *testing.T) {
	m, _ := Lookup("excessmtl")
	var l param.List
	construct := m.Bind(&l, "")
	if err := l.Assign("gamma", "2"); err != nil {
		t.Fatal(err)
	}
	e := must(construct(Context{}))
	in, _ := input([][]float64{{1, 0}, {0, 1}}, []float64{1, 1})
	ask(t, e, in)
	in, _ = input([][]float64{{0, 1}, {0, 0}}, []float64{1, 1})
	a := math.Exp(2)
	expect(t, "weights", ask(t, e, in).Weights, []float64{2 * a / (a + 1), 2 / (a + 1)})
}

func TestExcessMTLRefuses(t *testing.T) {
	if _, err := NewExcessMTL(0); err == nil || !strings.HasPrefix(err.Error(), "gamma = 0") {
		t.Error(err)
	}
	// The first weights are equal, so the direction may harm an objective.
	rows := [][]float64{{1, 0}, {-3, 1}}
	in, _ := input(rows, []float64{1, 1})
	if d := ask(t, must(NewExcessMTL(0.01)), in).Direction; !worsened(rows, d) {
		t.Errorf("direction %v", d)
	}
}

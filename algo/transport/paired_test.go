package transport

import (
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/problem"
)

// TestPairedByHand compares steps with numbers computed by hand, for two quadratics around (1, 0) and (−1, 0). The
// points (0, 1) and (0, 0) move along ¼·∇L_1 + ¾·∇L_2 = (½, 1) and ∇L_1 = (−1, 0), or along their signs. Each step
// costs one gradient.
func TestPairedByHand(t *testing.T) {
	p, err := problem.NewClusters([][]float64{{1, 0}, {-1, 0}}, problem.Quadratic)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		kind StepKind
		x, d []float64
	}{
		{PlainStep, []float64{-0.05, 0.9, 0.1, 0}, []float64{0.5, 1, -1, 0}},
		{SignStep, []float64{-0.1, 0.9, 0.1, 0}, []float64{1, 1, -1, 0}},
	} {
		s := newMosT(t, Config{
			Problem: algo.Exact(p), Starts: [][]float64{{0, 1}, {0, 0}}, Mixtures: [][]float64{{0.25, 0.75}, {1, 0}}, Matching: Paired,
			StepSize: 0.1, Step: step.kind,
		})
		r := advance(t, s)
		v := s.View()
		exactly(t, "x", v.X, step.x...)
		exactly(t, "direction", v.Direction, step.d...)
		exactly(t, "weights", v.Weights, 0.25, 0.75, 1, 0)
		if r.Plan != nil || r.Active[0] != 1 || r.Active[1] != 1 || v.Cost.Backpropagations != 2 {
			t.Errorf("plan %v, active %v, %d backpropagations", r.Plan, r.Active, v.Cost.Backpropagations)
		}
	}
	_, err = NewMosT(Config{Problem: algo.Exact(p), Starts: [][]float64{{0, 1}}, Matching: Paired, StepSize: 0.1})
	if refused, ok := err.(*algo.RangeError); !ok || refused.Name != "starts" {
		t.Errorf("two objectives and one solution: %v", err)
	}
}

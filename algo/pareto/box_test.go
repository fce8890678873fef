package pareto_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
)

// TestStationarityInABox checks ω at a point of ZDT1's front. All variables except the first are at their lower
// bound, and the gradient of the second objective points out of the box.
func TestStationarityInABox(t *testing.T) {
	p, err := problem.NewZDT(1, problem.ZDTDims)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 30)
	x[0] = 0.5
	if omega := pareto.StationarityOf(p)(x); omega > 1e-15 {
		t.Errorf("ω = %v on the front, want 0", omega)
	}
	free := pareto.StationarityOf(struct{ algo.Problem }{p})
	if omega := free(x); math.Abs(omega-0.535) > 1e-3 {
		t.Errorf("without the box ω = %v, want 0.535", omega)
	}
	inside := make([]float64, 30)
	for i := range inside {
		inside[i] = 0.3
	}
	if a, b := pareto.StationarityOf(p)(inside), free(inside); a != b || a == 0 {
		t.Errorf("inside the box ω = %v, without the box %v", a, b)
	}
	inside[0] = 0 // where f_1 cannot fall
	if omega := pareto.StationarityOf(algo.Exact(p))(inside); omega != 0 {
		t.Errorf("ω = %v where the first objective is minimal, want 0", omega)
	}
}

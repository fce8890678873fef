package algotest_test

import (
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

// shelf is the problem bowls with the bound x_0 ≥ −0.2.
type shelf struct{ *bowls }

var bound = []float64{-0.2, -1e9, -1e9}

func (shelf) Bounds() (lo, hi []float64) { return bound, []float64{1e9, 1e9, 1e9} }

// walker descends along parts of single gradients in turn, and then along a weighted sum. It is correct unless its
// field broken names a fault.
type walker struct {
	broken string
	p      algo.Sampled
	lo     []float64
	k      int
	x, f   []float64
	cost   algo.Cost
}

func newWalker(broken string, p algo.Sampled) *walker {
	w := &walker{broken: broken, p: p, x: []float64{1, 2, 3}, f: make([]float64, 2)}
	w.lo, _ = p.(algo.Bounded).Bounds()
	if broken == "starts outside" {
		w.x[0] = -5
	}
	return w
}

func (w *walker) Step() (algo.Status, error) {
	sample := algo.Sample{Noise: algo.Stream(1, 0, w.k, algo.Noise)}
	g := make([]float64, 3)
	w.p.(algo.Partial).GradientAt(g[1:], 0, 1, 3, w.x, &sample)
	w.cost.Backpropagations++
	w.cost.GradientCoordinates += 2
	for i, v := range g {
		w.x[i] -= 0.1 * v
	}
	w.p.WeightedGradientAt(g, []float64{0.5, 0.5}, w.x, &sample)
	w.cost.Backpropagations++
	w.cost.GradientCoordinates += 3
	for i, v := range g {
		w.x[i] -= 0.1 * v
	}
	if w.broken == "evaluates outside" {
		w.p.Values(w.f, w.x)
	}
	if w.broken != "leaves the box" {
		for i, l := range w.lo {
			w.x[i] = max(w.x[i], l)
		}
	}
	switch w.broken {
	case "part counted whole":
		w.cost.GradientCoordinates++
	case "hidden Jacobian":
		w.p.JacobianAt(algo.NewJacobian(2, 3), w.x, &sample)
	case "hidden exact Jacobian":
		w.p.Jacobian(algo.NewJacobian(2, 3), w.x)
	case "counts too much":
		w.cost.Backpropagations++
	case "invented products":
		w.cost.HessianVectorProducts++
	}
	w.k++
	return algo.Running, nil
}

func (w *walker) View() algo.View {
	return algo.View{K: w.k, Solutions: 1, X: w.x, F: w.f, Cost: w.cost}
}

func (*walker) Save(*algo.Snapshot) {}
func (*walker) Load(*algo.Snapshot) {}

func TestEvaluations(t *testing.T) {
	check := func(broken string) func(r *recorder) {
		return func(r *recorder) {
			algotest.Evaluations(r, shelf{newBowls("")}, func(p algo.Sampled) algo.Stepper { return newWalker(broken, p) })
		}
	}
	mustPass(t, check(""))
	// Without a box the same steps may reach any point.
	mustPass(t, func(r *recorder) {
		algotest.Evaluations(r, newBowls(""), func(p algo.Sampled) algo.Stepper { return newWalker("leaves the box", p) })
	})
	for broken, want := range map[string]string{
		"starts outside":        "a fresh stepper shows X",
		"evaluates outside":     "Values are requested",
		"leaves the box":        "outside the box",
		"part counted whole":    "it spent",
		"hidden Jacobian":       "it spent",
		"hidden exact Jacobian": "it spent",
		"counts too much":       "it spent",
		"invented products":     "it spent",
	} {
		mustFail(t, broken, want, check(broken))
	}
}

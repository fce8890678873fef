package problem_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/problem"
)

// TestLogisticByHand checks that at w = 0 a loss is log 2 and its gradient is −y(x, 1)/2. At other points, it compares
// results with those of package math.
func TestLogisticByHand(t *testing.T) {
	p := randomLogistic(t, problem.LogisticConfig{Examples: 5, Heterogeneity: 0.5, Seed: 2})
	f, jac := make([]float64, 2), algo.NewJacobian(2, 3)
	for _, w := range [][]float64{{0, 0, 0}, {0.5, -2, 1}, {-300, 200, 0}} {
		for k := range p.Examples() {
			s := algo.Sample{Batch: []int{k}}
			p.ValuesAt(f, w, &s)
			p.JacobianAt(jac, w, &s)
			for i := range 2 {
				x, y := p.Example(i, k)
				if x[2] != 1 || math.Abs(y) != 1 {
					t.Fatalf("example %v with label %v", x, y)
				}
				score := y * (w[0]*x[0] + w[1]*x[1] + w[2])
				want := math.Log1p(math.Exp(-math.Abs(score))) + max(0, -score) +
					problem.LogisticRidge/2*(w[0]*w[0]+w[1]*w[1]+w[2]*w[2])
				if math.Abs(f[i]-want) > 1e-14*(1+want) {
					t.Errorf("at %v the loss is %v, want %v", w, f[i], want)
				}
				for j, g := range jac.Row(i) {
					want := -y*x[j]/(1+math.Exp(score)) + problem.LogisticRidge*w[j]
					if math.Abs(g-want) > 1e-14*(1+math.Abs(want)) {
						t.Errorf("at %v slope %d is %v, want %v", w, j, g, want)
					}
				}
			}
		}
	}
	var longest float64
	for i := range 2 {
		for k := range p.Examples() {
			x, _ := p.Example(i, k)
			longest = max(longest, x[0]*x[0]+x[1]*x[1]+1)
		}
	}
	if l := p.SampleSmoothness(); math.Abs(l-longest/4-problem.LogisticRidge) > 1e-14 {
		t.Errorf("Lipschitz constant %v, want %v", l, longest/4+problem.LogisticRidge)
	}
	p.Values(f, []float64{0, 0, 0})
	if math.Abs(f[0]-math.Ln2) > 1e-15 || math.Abs(f[1]-math.Ln2) > 1e-15 {
		t.Errorf("values at 0 are %v", f)
	}
	far := []float64{1e8, -1e8, 1e8}
	p.Values(f, far)
	p.Jacobian(jac, far)
	if !algo.Finite(f) || !algo.Finite(jac.Data) {
		t.Errorf("far away values are %v, the Jacobian %v", f, jac.Data)
	}
}

// TestLogisticDirections checks that the heterogeneity determines the angle between the lines of the two tasks.
// Points of one class must be on one side of the line of their task.
func TestLogisticDirections(t *testing.T) {
	const k = 20_000
	for _, h := range []float64{0, 0.5, 1} {
		p := randomLogistic(t, problem.LogisticConfig{Examples: k, Heterogeneity: h, Seed: 1})
		for i := range 2 {
			lambda := make([]float64, 2)
			lambda[i] = 1
			w, err := p.Minimum(lambda)
			if err != nil {
				t.Fatal(err)
			}
			got, want := math.Atan2(w[1], w[0])*180/math.Pi, 45+45*h*float64(2*i-1)
			if math.Abs(got-want) > 3 || math.Abs(w[2]) > 0.1 {
				t.Errorf("heterogeneity %v: the minimiser of task %d is %v, at %v°, want %v°", h, i, w, got, want)
			}
			right := 0
			for e := range k {
				x, y := p.Example(i, e)
				if y*(x[0]*w[0]+x[1]*w[1]+w[2]) > 0 {
					right++
				}
			}
			if share := float64(right) / k; share < 0.8 || share > 0.9 {
				t.Errorf("heterogeneity %v: %v of the points of task %d are on the right side", h, share, i)
			}
		}
	}
	few := randomLogistic(t, problem.LogisticConfig{Examples: 4, Heterogeneity: 1, Seed: 1})
	many := randomLogistic(t, problem.LogisticConfig{Examples: 9, Heterogeneity: 1, Seed: 1})
	for e := range few.Examples() {
		a, y := few.Example(1, e)
		if b, z := many.Example(1, e); distance(a, b) != 0 || y != z {
			t.Errorf("example %d is another among more", e)
		}
	}
}

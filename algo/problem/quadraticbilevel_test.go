package problem_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem"
)

func TestQuadraticBilevel(t *testing.T) {
	p := problem.NewQuadraticBilevel()
	algotest.Bilevel(t, p, append(problem.QuadraticBilevelStarts(), []float64{1.5, 1.5, 1.5}, []float64{0, 0, 0})...)
}

// TestQuadraticBilevelByHand compares results at α = 2, ω = (0, 3) with numbers computed by hand.
func TestQuadraticBilevelByHand(t *testing.T) {
	p := problem.NewQuadraticBilevel()
	z := []float64{2, 0, 3}
	f := make([]float64, 2)
	p.Values(f, z)
	if f[0] != 2 || f[1] != 5 {
		t.Errorf("F = %v, want 1+1 and 4+1", f)
	}
	jac := algo.NewJacobian(2, 3)
	p.Jacobian(jac, z)
	for i, want := range []float64{-2, -2, 2, -2, -4, 2} {
		if jac.Data[i] != want {
			t.Errorf("Jacobian entry %d is %v, want %v", i, jac.Data[i], want)
		}
	}
	if f := p.Lower(z); f != 5 {
		t.Errorf("f = %v, want 4+1", f)
	}
	gradient := make([]float64, 3)
	p.LowerGradient(gradient, z)
	for i, want := range []float64{2, -4, 2} {
		if gradient[i] != want {
			t.Errorf("∇f entry %d is %v, want %v", i, gradient[i], want)
		}
	}
	starts := problem.QuadraticBilevelStarts()
	starts[0][0] = 7
	if fresh := problem.QuadraticBilevelStarts(); fresh[0][0] != 0 {
		t.Errorf("the starts are shared: %v", fresh)
	}
}

func TestQuadraticBilevelDistance(t *testing.T) {
	p := problem.NewQuadraticBilevel()
	for _, c := range []struct {
		z    []float64
		want float64
	}{
		{[]float64{1, 1, 1}, 0},
		{[]float64{1.3, 1.3, 1.3}, 0},
		{[]float64{2, 2, 2}, 0},
		{[]float64{0, 0, 0}, math.Sqrt(3)},
		{[]float64{2.5, 2.5, 2.5}, math.Sqrt(0.75)},
		{[]float64{2, 1, 1.5}, math.Sqrt(0.5)},
		// This distance is from the oracle.
		{[]float64{0, 0, 3}, 2.449489742783178},
		// This point is so close to the segment that rounding the mean of its entries would give a wrong distance.
		{[]float64{1.5 + 3e-12, 1.5, 1.5}, math.Sqrt(6) * 1e-12},
	} {
		if got := p.Distance(c.z); !(math.Abs(got-c.want) <= 1e-15+1e-4*1e-12) {
			t.Errorf("Distance(%v) = %v, want %v", c.z, got, c.want)
		}
	}
}

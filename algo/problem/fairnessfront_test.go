package problem_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/problem"
)

// TestFairnessParetoPoints checks that the points are stationary for their weights and trade one objective for the
// other.
func TestFairnessParetoPoints(t *testing.T) {
	for _, phi := range []float64{0.1, math.Pi / 4, 1.5} {
		c := zafar(7)
		c.Phi, c.PerClass = phi, 300
		p := newFairness(t, c)
		theta, f, before := make([]float64, 2), make([]float64, 2), []float64{0, math.Inf(1)}
		jac := algo.NewJacobian(2, 2)
		for _, mu := range []float64{0, 0.01, 0.1, 1, 10, 1000, math.Inf(1)} {
			p.ParetoPoint(theta, mu, nil)
			p.Values(f, theta)
			p.Jacobian(jac, theta)
			if f[0] < before[0]-1e-12 || f[1] > before[1]+1e-12 {
				t.Errorf("φ = %v, μ = %v: %v after %v", phi, mu, f, before)
			}
			copy(before, f)
			if math.IsInf(mu, 1) {
				// On the line f2 = 0, f1 is stationary.
				slope := (jac.Row(0)[0]*theta[0] + jac.Row(0)[1]*theta[1]) / math.Hypot(theta[0], theta[1])
				if f[1] > 1e-28 || math.Abs(slope) > 1e-9 {
					t.Errorf("φ = %v: f2 = %v and slope %v at the fair end", phi, f[1], slope)
				}
				continue
			}
			for k := range 2 {
				if g := jac.Row(0)[k] + mu*jac.Row(1)[k]; math.Abs(g) > 1e-8*(1+mu) {
					t.Errorf("φ = %v, μ = %v: gradient %v in entry %d", phi, mu, g, k)
				}
			}
		}
	}
	// With one point per class, a line can separate the classes. The sensitive attribute may also be the same for both
	// points.
	theta := make([]float64, 2)
	for seed := range 5 {
		p := newFairness(t, problem.FairnessConfig{PerClass: 1, Seed: uint64(seed)})
		for _, mu := range []float64{0, 1, math.Inf(1)} {
			if p.ParetoPoint(theta, mu, nil); !algo.Finite(theta) {
				t.Errorf("seed %d, μ = %v: %v", seed, mu, theta)
			}
		}
	}
}

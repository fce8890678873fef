package weighting

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"paretoplay/algo"
)

// TestEPOAgainstSimplex solves EPO's linear programs, as Weigh set them up, with
// the simplex method.
func TestEPOAgainstSimplex(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for trial := range 200 {
		m := 2 + r.IntN(4)
		rows := randomRows(r, m, 2+r.IntN(6))
		losses, preference := make([]float64, m), make([]float64, m)
		for i := range losses {
			losses[i], preference[i] = 0.1+r.Float64(), 0.1+r.Float64()
			if trial%2 == 0 {
				preference[i] = 1 / losses[i] // uniform: descend
			}
		}
		e, err := NewEPO(preference)
		if err != nil {
			t.Fatal(err)
		}
		in, result := input(rows, losses)
		if err := e.Weigh(result, in); err != nil {
			t.Fatal(err)
		}
		// Rows after Σβ = 1 and β ≥ 0 get slack variables.
		extra := len(e.b) - 1 - m
		a := mat.NewDense(1+extra, m+extra, nil)
		b := make([]float64, 1+extra)
		for j := range m {
			a.Set(0, j, 1)
		}
		b[0] = 1
		for k := range extra {
			for j := range m {
				a.Set(1+k, j, e.a[(1+m+k)*m+j])
			}
			a.Set(1+k, m+k, -1)
			b[1+k] = e.b[1+m+k]
		}
		cost := make([]float64, m+extra)
		copy(cost, e.objective)
		best, _, err := lp.Simplex(cost, a, b, 1e-12, nil)
		if (err != nil) != (result.Status == algo.NoSolution) {
			t.Errorf("trial %d: simplex says %v, epo %v", trial, err, result.Status)
			continue
		}
		if got := dot(e.objective, result.Weights); err == nil && !(math.Abs(got-best) <= 1e-9) {
			t.Errorf("trial %d: objective %.15g, simplex %.15g (%v, gap %g)", trial, got, best, result.Status, result.Gap)
		}
	}
}

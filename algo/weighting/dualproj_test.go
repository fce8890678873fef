package weighting

import (
	"math"
	"math/rand/v2"
	"testing"

	"paretoplay/algo"
)

func TestDualProjOracle(t *testing.T) {
	for _, c := range furtherCases(t) {
		in, r := input(c.G, nil)
		if err := NewDualProj().Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		if r.Status != algo.Converged || r.Gap > 1e-13 {
			t.Errorf("%s: status %v, gap %.3g", c.Name, r.Status, r.Gap)
		}
		expectDirection(t, c.Name, r.Direction, c.DualProj, c.G)
	}
}

func TestDualProjByHand(t *testing.T) {
	for _, c := range []struct {
		name               string
		rows               [][]float64
		weights, direction []float64
	}{
		// The mean (1, 1/3) of the three gradients is in the cone.
		{"no conflict with the mean", [][]float64{{2, 0}, {2, 1}, {-1, 0}}, []float64{1. / 3, 1. / 3, 4. / 3}, []float64{0, 1. / 3}},
		// g_0 = (1, ½) conflicts only with g_2: v_2 = 2/5 raises the product from −1/2 to 0.
		{"one conflict", [][]float64{{3, 0}, {-1, 1}}, []float64{0.5, 0.75}, []float64{0.75, 0.75}},
		{"opposite rows", [][]float64{{1, 0}, {-3, 0}}, []float64{1.5, 0.5}, []float64{0, 0}},
		{"equal rows", [][]float64{{1, 2}, {1, 2}}, []float64{0.5, 0.5}, []float64{1, 2}},
		{"a zero row", [][]float64{{1, 0}, {0, 0}}, []float64{0.5, 0.5}, []float64{0.5, 0}},
	} {
		in, r := input(c.rows, nil)
		if err := NewDualProj().Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		if r.Status != algo.Converged || !near(r.Weights, c.weights, 1e-15) || !near(r.Direction, c.direction, 1e-15) {
			t.Errorf("%s: %+v, want weights %v and direction %v", c.name, *r, c.weights, c.direction)
		}
	}
}

// TestDualProjIsAProjection checks that d is the point of the cone nearest to g_0. It must harm no objective, and d −
// g_0 must be orthogonal to d and have no positive product with any point of the cone.
func TestDualProjIsAProjection(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for trial := range 300 {
		rows := structured(r)
		m := len(rows)
		in, result := input(rows, nil)
		if err := NewDualProj().Weigh(result, in); err != nil {
			t.Fatal(err)
		}
		if result.Status != algo.Converged {
			t.Errorf("trial %d: status %v", trial, result.Status)
		}
		size := longest(rows)
		rest := make([]float64, len(rows[0]))
		for c, v := range result.Direction {
			rest[c] = v
			for _, row := range rows {
				rest[c] -= row[c] / float64(m)
			}
		}
		for i, row := range rows {
			if p := dot(row, result.Direction); p < -1e-9*length(row)*size {
				t.Errorf("trial %d: conflict %g with row %d of %v", trial, p, i, rows)
			}
			if v := result.Weights[i] - 1/float64(m); v < 0 {
				t.Errorf("trial %d: v = %g", trial, v)
			}
		}
		if p := dot(rest, result.Direction); math.Abs(p) > 1e-9*size*size {
			t.Errorf("trial %d: (d − g_0)·d = %g on %v", trial, p, rows)
		}
	}
}

package weighting

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"paretoplay/algo"
)

// program is EPO's linear program as in the paper: maximise objective·β over β ∈ Δ subject to rows·β ≥ bounds.
type program struct {
	objective []float64
	rows      [][]float64
	bounds    []float64
}

// printedProgram returns the program for given gradients, losses and preference.
func printedProgram(g [][]float64, f, r []float64) program {
	m := len(g)
	c := make([][]float64, m)
	for i := range c {
		c[i] = make([]float64, m)
		for j := range c[i] {
			c[i][j] = dot(g[i], g[j])
		}
	}
	share := make([]float64, m)
	var sum, mu float64
	for i := range r {
		sum += r[i] * f[i]
	}
	for i := range r {
		share[i] = r[i] * f[i] / sum
		mu += share[i] * math.Log(float64(m)*share[i])
	}
	ca, c1 := make([]float64, m), make([]float64, m)
	top, highest := 0.0, math.Inf(-1)
	for j := range c {
		for i := range r {
			ca[j] += c[j][i] * r[i] * (math.Log(float64(m)*share[i]) - mu)
			c1[j] += c[j][i]
		}
		top, highest = max(top, r[j]*f[j]), max(highest, ca[j])
	}
	if mu <= 1e-4 {
		p := program{objective: c1, rows: c, bounds: make([]float64, m)}
		p.rows, p.bounds = append(p.rows, ca), append(p.bounds, min(highest, 0))
		return p
	}
	p := program{objective: ca}
	for j, v := range ca {
		bound := v
		if highest <= 0 || r[j]*f[j] == top {
			bound = 0
		} else if v > 0 {
			continue
		}
		p.rows, p.bounds = append(p.rows, c[j]), append(p.bounds, bound)
	}
	return p
}

// best returns the maximum of the objective. It uses the simplex method on rows scaled to similar size.
func (p program) best(t *testing.T) (value float64, ok bool) {
	t.Helper()
	m, k := len(p.objective), len(p.rows)
	a, b := mat.NewDense(1+k, m+k, nil), make([]float64, 1+k)
	for j := range m {
		a.Set(0, j, 1)
	}
	b[0] = 1
	for i, row := range p.rows {
		size := largestOf(row)
		for j, v := range row {
			a.Set(1+i, j, v/size)
		}
		a.Set(1+i, m+i, -1)
		b[1+i] = p.bounds[i] / size
	}
	cost, size := make([]float64, m+k), largestOf(p.objective)
	for j, v := range p.objective {
		cost[j] = -v / size
	}
	value, _, err := lp.Simplex(cost, a, b, 1e-12, nil)
	if err != nil && err != lp.ErrInfeasible {
		t.Fatal(err)
	}
	return -value * size, err == nil
}

func largestOf(v []float64) float64 {
	var size float64
	for _, a := range v {
		size = max(size, math.Abs(a))
	}
	return size
}

// TestEPOSolvesThePrintedProgram checks that decisions are feasible and optimal for the linear program of the paper. It
// covers preferences of any sum, gradients of any size, and losses that lead to balancing and to descent.
func TestEPOSolvesThePrintedProgram(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	bound, none := 0, 0
	for trial := range 600 {
		m := 2 + r.IntN(4)
		rows := randomRows(r, m, 2+r.IntN(6))
		scale := math.Pow(10, 60*(2*r.Float64()-1))
		for _, row := range rows {
			for c := range row {
				row[c] *= scale
			}
		}
		losses, preference := make([]float64, m), make([]float64, m)
		sum := math.Pow(10, 3*(2*r.Float64()-1))
		for i := range losses {
			losses[i], preference[i] = 0.1+r.Float64(), sum*(0.1+r.Float64())
			if trial%3 == 0 { // nearly uniform: descend
				preference[i] = sum * (1 + 1e-3*r.Float64()) / losses[i]
			}
		}
		e := must(NewEPO(preference))
		in, result := input(rows, losses)
		if err := e.Weigh(result, in); err != nil {
			t.Fatal(err)
		}
		p := printedProgram(rows, losses, preference)
		best, ok := p.best(t)
		if ok == (result.Status == algo.NoSolution) {
			t.Errorf("trial %d: solvable: %v, but status %v", trial, ok, result.Status)
		}
		if !ok {
			none++
			continue
		}
		size := largestOf(p.objective)
		if got := dot(p.objective, result.Weights); !(math.Abs(got-best) <= 1e-9*size) {
			t.Errorf("trial %d: objective %.15g, simplex %.15g (%v, gap %g)", trial, got, best, result.Status, result.Gap)
		}
		for i, row := range p.rows {
			slack := dot(row, result.Weights) - p.bounds[i]
			if slack < -1e-9*largestOf(row) {
				t.Errorf("trial %d: constraint %d lacks %g of %g", trial, i, slack, p.bounds[i])
			}
			if p.bounds[i] < 0 && slack < 1e-9*largestOf(row) {
				bound++
			}
		}
	}
	if bound < 20 || none > 200 {
		t.Errorf("%d bounds by the anchor are tight, %d programs have no solution", bound, none)
	}
}

// TestEPOAnchorIsNotNormalised checks that the anchor, and thus the speed at which objectives may rise, scales with the
// sum of r.
func TestEPOAnchorIsNotNormalised(t *testing.T) {
	rows := [][]float64{{1, 0, 0}, {-2, 1, 0}, {0, 0, 1}}
	losses := []float64{1, 3, 2}
	weights := func(preference []float64) []float64 {
		in, r := input(rows, losses)
		if err := must(NewEPO(preference)).Weigh(r, in); err != nil {
			t.Fatal(err)
		}
		return r.Weights
	}
	const third = 1. / 3
	if a, b := weights(nil), weights([]float64{third, third, third}); !near(a, b, 1e-12) {
		t.Errorf("without a preference %v, with equal shares %v", a, b)
	}
	if a, b := weights(nil), weights([]float64{1, 1, 1}); near(a, b, 1e-3) {
		t.Errorf("the sum of the preference has no effect: %v and %v", a, b)
	}
}

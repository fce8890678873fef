package survey

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/formula"
)

// TestKnownKinks checks the minima of nonsmooth problems from the literature (Lukšan & Vlček 2000, Test problems for
// nonsmooth unconstrained and linearly constrained optimization), from their usual starts.
func TestKnownKinks(t *testing.T) {
	many, line := make([]string, 20), make([]float64, 20)
	for i := range many {
		many[i], line[i] = fmt.Sprint("x", i+1), float64(i)-9.5
	}
	for name, c := range map[string]struct {
		text  string
		begin []float64
		least float64
	}{
		"CB2":      {"f1 = max(max(x1^2 + x2^4, (2-x1)^2 + (2-x2)^2), 2*exp(x2-x1))", []float64{1, -0.1}, 1.9522244939},
		"CB3":      {"f1 = max(max(x1^4 + x2^2, (2-x1)^2 + (2-x2)^2), 2*exp(x2-x1))", []float64{2, 2}, 2},
		"DEM":      {"f1 = max(max(5*x1 + x2, x1^2 + x2^2 + 4*x2), -5*x1 + x2)", []float64{1, 1}, -3},
		"QL":       {"f1 = max(max(x1^2 + x2^2, x1^2 + x2^2 + 10*(4-4*x1-x2)), x1^2 + x2^2 + 10*(6-x1-2*x2))", []float64{-1, 5}, 7.2},
		"LQ":       {"f1 = max(-x1 - x2, -x1 - x2 + x1^2 + x2^2 - 1)", []float64{-0.5, -0.5}, -math.Sqrt2},
		"Mifflin1": {"f1 = -x1 + 20*max(x1^2 + x2^2 - 1, 0)", []float64{0.8, 0.6}, -1},
		"Mifflin2": {"f1 = -x1 + 2*(x1^2 + x2^2 - 1) + 1.75*abs(x1^2 + x2^2 - 1)", []float64{-1, -1}, -1},
		"Crescent": {"f1 = max(x1^2 + (x2-1)^2 + x2 - 1, -x1^2 - (x2-1)^2 + x2 + 1)", []float64{-1.5, 2}, 0},
		"Rosen-Suzuki": {"f = x1^2 + x2^2 + 2*x3^2 + x4^2 - 5*x1 - 5*x2 - 21*x3 + 7*x4\n" +
			"a = x1^2 + x2^2 + x3^2 + x4^2 + x1 - x2 + x3 - x4 - 8\n" +
			"b = x1^2 + 2*x2^2 + x3^2 + 2*x4^2 - x1 - x4 - 10\n" +
			"c = x1^2 + x2^2 + x3^2 + 2*x1 - x2 - x4 - 5\nf1 = f + 10*max(max(a, b), max(c, 0))", []float64{0, 0, 0, 0}, -44},
		"nonsmooth Rosenbrock": {"f1 = 8*abs(x1^2 - x2) + (1-x1)^2", []float64{-1.2, 1}, 0},
		"Goffin":               {"n = 20\nm = max(" + strings.Join(many, ", ") + ")\nf1 = n*m - sum(i, 1, n, x[i])", line, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := formula.Parse(c.text, 0)
			if err != nil {
				t.Fatal(err)
			}
			for kind, q := range map[string]algo.Problem{"Hessians": p, "differences": plain{p}} {
				n, _ := p.Dims()
				from, to := make([]float64, n), make([]float64, n)
				for i := range from {
					from[i], to[i] = -2, 2
				}
				s := newKinked(q, from, to)
				if !s.begin(c.begin, [][]float64{{1}}, []float64{0}, 1e-9) {
					t.Fatal("it does not begin")
				}
				for !s.step() {
				}
				if !s.proven || math.Abs(s.value-c.least) > 1e-7*(1+math.Abs(c.least)) {
					t.Errorf("%s: after %d steps %.10g, proven %v, not %.10g", kind, s.steps, s.value, s.proven, c.least)
				}
			}
		})
	}
}

// plain is a problem without second derivatives.
type plain struct{ algo.Problem }

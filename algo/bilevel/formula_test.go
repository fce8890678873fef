package bilevel_test

import (
	"fmt"
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/formula"
	"paretoplay/algo/problem"
)

// TestFormulas checks that the quadratic problem written as formulas gives the same iterates as the problem written
// in Go, with every method and from every start of the paper.
func TestFormulas(t *testing.T) {
	const steps, tolerance = 200, 1e-9
	written, err := formula.ParseBilevel("F1 = (w1-1)^2 + (w2-a1)^2\nF2 = (w1-2)^2 + (w2-a1)^2\nf = (w1-a1)^2 + (w2-a1)^2", 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	loop, upper := bilevel.Loop{Steps: 20, StepSize: 0.1}, bilevel.Upper{StepSize: 0.05}
	methods := map[string]func(p algo.LowerHessian, start []float64) (bilevel.Stepper, error){
		"FORUM": func(p algo.LowerHessian, start []float64) (bilevel.Stepper, error) {
			return bilevel.NewFORUM(bilevel.FORUMConfig{Problem: p, Start: start, Loop: loop, Upper: upper, Rho: 0.3})
		},
		"MOML": func(p algo.LowerHessian, start []float64) (bilevel.Stepper, error) {
			return bilevel.NewMOML(bilevel.MOMLConfig{Problem: p, Start: start, Loop: loop, Upper: upper})
		},
		"MOML forward": func(p algo.LowerHessian, start []float64) (bilevel.Stepper, error) {
			return bilevel.NewMOML(bilevel.MOMLConfig{Problem: p, Start: start, Loop: loop, Upper: upper, Mode: bilevel.Forward})
		},
		"MoCo": func(p algo.LowerHessian, start []float64) (bilevel.Stepper, error) {
			return bilevel.NewMoCo(bilevel.MoCoConfig{Problem: p, Start: start, Loop: loop, Upper: upper, Beta: 0.5, Gamma: 0.1})
		},
		"BOME": func(p algo.LowerHessian, start []float64) (bilevel.Stepper, error) {
			return bilevel.NewBOME(bilevel.BOMEConfig{Problem: p, Start: start, Loop: loop, Upper: upper, Rho: 0.5})
		},
	}
	largest := 0.0
	for name, method := range methods {
		for _, start := range problem.QuadraticBilevelStarts() {
			what := fmt.Sprintf("%s from %v", name, start)
			want, err := method(problem.NewQuadraticBilevel(), start)
			if err != nil {
				t.Fatal(err)
			}
			got, err := method(written, start)
			if err != nil {
				t.Fatal(err)
			}
			moved := 0.0
			for k := range steps {
				_, errWant := want.Step()
				if _, err := got.Step(); err != nil || errWant != nil {
					t.Fatalf("%s, step %d: %v, %v", what, k, err, errWant)
				}
				for i, v := range want.View().X {
					apart := math.Abs(got.View().X[i] - v)
					largest, moved = max(largest, apart), max(moved, math.Abs(v-start[i]))
					if !(apart <= tolerance) {
						t.Fatalf("%s, step %d: x = %v, want %v", what, k, got.View().X, want.View().X)
					}
				}
			}
			if moved < 0.1 {
				t.Errorf("%s does not move", what)
			}
		}
	}
	t.Logf("the iterates differ by at most %.2g", largest)
}

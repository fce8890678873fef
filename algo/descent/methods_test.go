package descent_test

import (
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
)

// positive is three quadratics with values above 0 along the runs of these tests,
// in three variables, so that no two gradients are opposite.
func positive(t testing.TB) *problem.Quadratics {
	t.Helper()
	unit := []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	p, err := problem.NewQuadratics(0.01,
		problem.QuadraticObjective{A: unit, Center: []float64{1, 0, 0}},
		problem.QuadraticObjective{A: []float64{2, 0.5, 0, 0.5, 1, 0, 0, 0, 1}, Center: []float64{-1, 1, 0.5}},
		problem.QuadraticObjective{A: unit, Center: []float64{-1, -1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func rule(t testing.TB, m weighting.Method) algo.Weighting {
	t.Helper()
	var l param.List
	w, err := m.Bind(&l, "")(weighting.Context{Objectives: 3, Seed: 1})
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	return w
}

func driven(t testing.TB, m weighting.Method, period int) *descent.PSMGD {
	t.Helper()
	return newRun(t, descent.Config{
		Problem: positive(t), Start: []float64{4, 3, 5}, Period: period, StepSize: 0.02, Weighting: rule(t, m), Seed: 2,
	})
}

// Every listed rule drives PSMGD: with any period where it has weights, which are
// then held between refreshes, and with period 1 otherwise.
func TestEveryMethodDrivesPSMGD(t *testing.T) {
	for _, m := range weighting.Methods {
		t.Run(m.Name, func(t *testing.T) {
			if m.Name == "epo" { // its linear program allocates
				s := driven(t, m, 4)
				steps(t, s, 12)
				return
			}
			periods := []int{1, 4}
			if !m.Promises.Weights {
				periods = periods[:1]
				if _, err := descent.NewPSMGD(descent.Config{
					Problem: positive(t), Start: []float64{4, 3, 5}, Period: 4, StepSize: 0.02, Weighting: rule(t, m),
				}); err == nil {
					t.Error("a period of 4 is accepted without weights to hold")
				}
			}
			for _, period := range periods {
				algotest.Stepper(t, func() algo.Stepper { return driven(t, m, period) })
				s := driven(t, m, period)
				var held []float64
				for k := range 12 {
					steps(t, s, 1)
					v := s.View()
					if v.Refreshed != (k%period == 0) {
						t.Fatalf("R = %d: step %d refreshes %v", period, k, v.Refreshed)
					}
					if !v.Refreshed && !near(v.Weights, held, 0) {
						t.Errorf("R = %d: step %d has weights %v, the last refresh gave %v", period, k, v.Weights, held)
					}
					held = append(held[:0], v.Weights...)
				}
				refreshes := (12 + period - 1) / period
				want := refreshes*3*(1+m.Needs.Extra) + 12 - refreshes
				if got := s.View().Cost.Backpropagations; got != want {
					t.Errorf("R = %d: %d backpropagations, want %d", period, got, want)
				}
			}
		})
	}
}

package runs_test

import (
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/runs"
)

// TestBackground checks that the points drawn as Pareto optimal are Pareto stationary: a convex combination of the
// gradients must be 0.
func TestBackground(t *testing.T) {
	fitted := func(objectives int) (algo.Problem, error) {
		return problem.RandomLeastSquares(problem.LeastSquaresConfig{Objectives: objectives, Examples: 16, Variables: 2, Condition: 11,
			Heterogeneity: 0.3, Noise: 0.5, Seed: 2})
	}
	for _, of := range []func() (algo.Problem, error){
		func() (algo.Problem, error) { return fitted(2) }, func() (algo.Problem, error) { return fitted(3) },
		func() (algo.Problem, error) {
			return problem.RandomDiagonalSum(problem.DiagonalSumConfig{Objectives: 3, Examples: 16, Variables: 2, Condition: 11,
				Heterogeneity: 0.3, Noise: 0.5, Seed: 2})
		},
		func() (algo.Problem, error) {
			return problem.RandomLogistic(problem.LogisticConfig{Examples: 16, Heterogeneity: 0.3, Seed: 2})
		},
	} {
		on, err := of()
		if err != nil {
			t.Fatal(err)
		}
		d, m := on.Dims()
		behind, omega := runs.NewBackground(on, make([]float64, d)), pareto.StationarityOf(on)
		for _, pair := range behind.Pairs {
			for _, w := range pair {
				if omega := omega(w); omega > 1e-8 {
					t.Errorf("%T of %d objectives: got ω = %v at %v, want 0", on, m, omega, w)
				}
			}
		}
		if len(behind.Pairs) != m*(m-1)/2 || behind.Minimum == nil {
			t.Errorf("%T of %d objectives: %d pairs, minimum %v", on, m, len(behind.Pairs), behind.Minimum)
		}
	}
}

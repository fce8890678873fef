// Package transport decides which of several solutions serves which of many objectives,
// by optimal transport, and moves each solution for the objectives that it is given.
//
// Throughout, n is the number of objectives, the rows, and m the number of solutions, the
// columns. A plan Γ is an n×m matrix of masses Γ_ij ≥ 0 in row-major order, with the
// marginals Γ1 = a, of length n, and Γᵀ1 = b, of length m.
package transport

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
)

// Task is one transport problem: to carry the masses a of the rows to the masses b of the
// columns at the least cost.
type Task struct {
	Cost []float64 // n×m, row-major: of a unit of mass, finite
	A, B []float64 // of length n and m, ≥ 0, with the same positive sum
}

// sumTolerance is how much the sums of the marginals may differ, relative to them: as much as masses in single precision do. Solvers scale
// the columns' masses to the sum of the rows'.
const sumTolerance = 1e-6

// Check returns an *algo.RangeError for an invalid task: lengths that do not fit, a cost
// that is not finite, a mass that is negative or not finite, or sums that are zero or
// differ by more than 1e-6 of the larger.
func (t *Task) Check() error {
	_, err := t.check()
	return err
}

// check also returns the largest |cost|.
func (t *Task) check() (largest float64, err error) {
	n, m := len(t.A), len(t.B)
	if n == 0 || m == 0 || len(t.Cost) != n*m {
		return 0, &algo.RangeError{Name: "cost", Value: len(t.Cost), Allowed: fmt.Sprintf("%d rows of %d, at least one of each", n, m)}
	}
	largest, finite := extent(t.Cost)
	if !finite {
		i := slices.IndexFunc(t.Cost, func(c float64) bool { return c-c != 0 })
		return 0, &algo.RangeError{Name: fmt.Sprintf("cost[%d][%d]", i/m, i%m), Value: t.Cost[i], Allowed: "finite"}
	}
	for _, marginal := range []struct {
		name string
		mass []float64
	}{{"a", t.A}, {"b", t.B}} {
		for i, v := range marginal.mass {
			if !(v >= 0) || math.IsInf(v, 1) {
				return 0, &algo.RangeError{Name: fmt.Sprintf("%s[%d]", marginal.name, i), Value: v, Allowed: "finite and not negative"}
			}
		}
	}
	a, b := sum(t.A), sum(t.B)
	if !(a > 0 && b > 0) || math.IsInf(a, 1) || math.IsInf(b, 1) || math.Abs(a-b) > sumTolerance*max(a, b) {
		return 0, &algo.RangeError{Name: "sums of a and b", Value: [2]float64{a, b}, Allowed: "positive, finite and the same"}
	}
	return largest, nil
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// Plan is the result of a Solver. Solve makes its slices if they have another length.
type Plan struct {
	Mass []float64 // Γ, n×m, row-major
	// U and V are dual potentials, of length n and m: u_i + v_j ≤ C_ij, which bounds the
	// cost from below by Σ a_i u_i + Σ b_j v_j; equality holds where an exact plan has
	// mass.
	U, V []float64
	Cost float64 // Σ Γ_ij C_ij
	// Iterations counts the solver's pivots, or rounds of scaling.
	Iterations int
	// MarginalError is ‖Γ1 − a‖₁ + ‖Γᵀ1 − b‖₁.
	MarginalError float64
	// Gap is how much the cost can exceed the least one: Cost less the bound of the potentials.
	Gap float64
	// Converged says that the solver's own criterion is met, not its limit of iterations; of an exact plan also that its gap is a rounding.
	Converged bool
}

// Solver finds plans. After the first call with the same n and m Solve does not
// allocate, given the same Plan.
type Solver interface {
	// Solve stores the plan of a task in p. It may start from the end of its last call,
	// unless Forget is called in between. The error comes from Task.Check.
	Solve(p *Plan, t *Task) error
	// Forget makes the next call start cold.
	Forget()
	// Save appends everything that decides the results of later calls.
	Save(*algo.Snapshot)
	// Load reads what Save appended, in the same order.
	Load(*algo.Snapshot)
}

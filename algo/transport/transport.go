// Package transport uses optimal transport to assign many objectives to several solutions. It then moves each
// solution to improve the objectives that it serves.
//
// Throughout, the n objectives are rows, and the m solutions are columns. A plan Γ is an n×m matrix of masses Γ_ij
// ≥ 0 in row-major order. Its marginals are Γ1 = a, of length n, and Γᵀ1 = b, of length m.
package transport

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
)

// Task is one transport problem: transport the masses a of the rows to the masses b of the columns at the least
// cost.
type Task struct {
	Cost []float64 // cost per unit of mass, n×m, row-major, finite
	A, B []float64 // masses ≥ 0, of lengths n and m, with the same positive sum
}

// sumTolerance is the maximum relative difference between the sums of the marginals. It allows for masses in single
// precision. Solvers scale the columns' masses to the sum of the rows' masses.
const sumTolerance = 1e-6

// Check returns an *algo.RangeError if the task is invalid. A task is invalid if the lengths do not match, a cost
// is not finite, a mass is negative or not finite, or the sums are zero or differ by more than 1e-6 of the larger.
func (t *Task) Check() error {
	_, err := t.check()
	return err
}

// check does the same as Check and also returns the largest |cost|.
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
		return 0, &algo.RangeError{Name: "sums of a and b", Value: [2]float64{a, b}, Allowed: "positive, finite and equal"}
	}
	return largest, nil
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// Plan is the result of a Solver. Solve reallocates slices whose lengths do not match the task.
type Plan struct {
	Mass []float64 // Γ, n×m, row-major
	// U and V are dual potentials, of lengths n and m, with u_i + v_j ≤ C_ij. Therefore Σ a_i u_i + Σ b_j v_j is a
	// lower bound on the cost. Where an exact plan has mass, u_i + v_j = C_ij.
	U, V []float64
	Cost float64 // Σ Γ_ij C_ij
	// Iterations is the number of the solver's pivots or rounds of scaling.
	Iterations int
	// MarginalError is ‖Γ1 − a‖₁ + ‖Γᵀ1 − b‖₁.
	MarginalError float64
	// Gap bounds how much Cost exceeds the least cost. It is Cost minus the lower bound from the potentials.
	Gap float64
	// Converged is true if the solver met its stopping criterion before its limit of iterations. For an exact plan, the
	// gap must also be only a rounding error.
	Converged bool
}

// Solver finds plans. After the first call, Solve does not allocate while n, m and the Plan stay the same.
type Solver interface {
	// Solve stores the plan of a task in p. It may start from the result of the last call, unless Forget has been
	// called since. The error comes from Task.Check.
	Solve(p *Plan, t *Task) error
	// Forget makes the next call start cold.
	Forget()
	// Save appends all state that affects the results of later calls.
	Save(*algo.Snapshot)
	// Load restores what Save appended.
	Load(*algo.Snapshot)
}

package transport

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/internal/ledger"
)

// WatchConfig contains the task, the solver and the settings of a Watch.
type WatchConfig struct {
	Task   Task      // its slices are not modified
	Solver Iterative // owned by the Watch after NewWatch
	// Tau is τ ≥ 0 in the objective Σ Γ_ij C_ij + τ R(Γ), where R(Γ) = −Σ_i max_j Γ_ij.
	Tau float64
	// Optimum is the reference value of the objective, from which the gap is measured.
	Optimum float64
}

// Watch presents the iterations of a solver as an algo.Stepper, with one step per iteration. X is the plan Γ, n×m
// in row-major order. F contains the marginal error and the gap,
//
//	‖Γ1 − a‖₁ + ‖Γᵀ1 − b‖₁  and  |Σ Γ_ij C_ij + τ R(Γ) − optimum|.
//
// If τ > 0, the solver first solves the problem for τ = 0. It then solves linearized problems as Concave does, each
// starting from the result of the previous one. It stops when the largest entries of the rows stay in the same columns.
// A run ends with algo.Converged when the solver's stopping criterion is met.
type Watch struct {
	ledger  ledger.Ledger[watched]
	config  WatchConfig
	linear  Task
	search  Concave // computes the assignment j_i, which determines linear
	rounds  int     // number of linearized problems so far
	renewed bool    // whether linear must be renewed before the next iteration
	done    bool
	plan    Plan
	f       [2]float64
	before  []int
}

var _ algo.Stepper = (*Watch)(nil)

// watched identifies a quantity that may become infinite or NaN.
type watched int

const (
	_ watched = iota
	planFailed
)

func (q watched) String() string { return [...]string{"", "plan"}[q] }

// unassigned marks a row that has no largest entry yet, so that τ lowers none of its costs.
const unassigned = -1

// NewWatch returns a Watch before the solver's first iteration. The error comes from Task.Check, or is an
// *algo.RangeError for τ, the optimum or a nil solver.
func NewWatch(c WatchConfig) (*Watch, error) {
	if c.Solver == nil {
		return nil, &algo.RangeError{Name: "solver", Value: nil, Allowed: "a solver, such as NewExact()"}
	}
	if !(c.Tau >= 0) || math.IsInf(c.Tau, 1) {
		return nil, &algo.RangeError{Name: "tau", Value: c.Tau, Allowed: "finite and at least 0"}
	}
	if c.Optimum-c.Optimum != 0 {
		return nil, &algo.RangeError{Name: "optimum", Value: c.Optimum, Allowed: "finite"}
	}
	w := &Watch{config: c, linear: c.Task}
	if c.Tau > 0 {
		w.linear.Cost = slices.Clone(c.Task.Cost)
		w.search.assignment, w.before = make([]int, len(c.Task.A)), make([]int, len(c.Task.A))
		for i := range w.search.assignment {
			w.search.assignment[i] = unassigned
		}
	}
	c.Solver.Forget()
	if err := c.Solver.Begin(&w.linear); err != nil {
		return nil, err
	}
	w.measure()
	if !algo.Finite(w.plan.Mass) || !algo.Finite(w.f[:]) {
		return nil, fmt.Errorf("transport: the first plan has entries that are not finite")
	}
	return w, nil
}

// measure reads the current plan and its cost.
func (w *Watch) measure() {
	w.config.Solver.Read(&w.plan)
	var cost float64
	for i, mass := range w.plan.Mass {
		if mass > 0 {
			cost += float64(mass * w.config.Task.Cost[i])
		}
	}
	w.plan.Cost = cost
	w.f[0] = w.plan.MarginalError
	w.f[1] = math.Abs(w.Objective() - w.config.Optimum)
}

// Objective returns Σ Γ_ij C_ij + τ R(Γ) of the current plan.
func (w *Watch) Objective() float64 {
	if w.config.Tau == 0 {
		return w.plan.Cost
	}
	return w.plan.Cost - float64(w.config.Tau*RowMaxima(w.plan.Mass, len(w.config.Task.B)))
}

// Plan returns the current plan, which must not be modified. It is valid until the next Step or Load. Its
// potentials belong to the problem in progress, which is linearized if τ > 0.
func (w *Watch) Plan() *Plan { return &w.plan }

// Rounds returns the number of linearized problems so far. It is 0 for τ = 0.
func (w *Watch) Rounds() int { return w.rounds }

// Step runs one iteration of the solver.
func (w *Watch) Step() (algo.Status, error) {
	switch {
	case w.ledger.Diverged():
		return algo.Diverged, nil
	case w.done:
		return algo.Converged, nil
	}
	m := len(w.config.Task.B)
	if w.renewed {
		w.search.assign(w.plan.Mass, m)
		w.linearize()
		w.rounds++
		if err := w.config.Solver.Begin(&w.linear); err != nil {
			return algo.Running, err
		}
	}
	w.config.Solver.Iterate()
	w.measure()
	if !algo.Finite(w.plan.Mass) || !algo.Finite(w.f[:]) {
		return w.ledger.Fail(planFailed), nil
	}
	w.ledger.Commit()
	w.renewed = false
	if !w.config.Solver.Done() {
		return algo.Running, nil
	}
	if w.config.Tau > 0 && w.rounds < concaveRounds {
		copy(w.before, w.search.assignment)
		w.renewed = w.search.assign(w.plan.Mass, m)
		copy(w.search.assignment, w.before)
	}
	w.done = !w.renewed
	if w.done {
		return algo.Converged, nil
	}
	return algo.Running, nil
}

// linearize computes the costs C_ij − τ[j = j_i].
func (w *Watch) linearize() {
	if w.config.Tau == 0 {
		return
	}
	copy(w.linear.Cost, w.config.Task.Cost)
	m := len(w.config.Task.B)
	for i, j := range w.search.assignment {
		if j != unassigned {
			w.linear.Cost[i*m+j] -= w.config.Tau
		}
	}
}

// View implements algo.Stepper.
func (w *Watch) View() algo.View {
	v := w.ledger.View()
	v.Solutions, v.X, v.F = 1, w.plan.Mass, w.f[:]
	return v
}

// Save implements algo.Stepper.
func (w *Watch) Save(to *algo.Snapshot) {
	w.ledger.Save(to)
	to.PutInt(w.rounds)
	to.PutBool(w.renewed)
	to.PutBool(w.done)
	for _, j := range w.search.assignment {
		to.PutInt(j)
	}
	w.config.Solver.Save(to)
}

// Load implements algo.Stepper.
func (w *Watch) Load(from *algo.Snapshot) {
	w.ledger.Load(from)
	w.rounds = from.GetInt()
	w.renewed = from.GetBool()
	w.done = from.GetBool()
	for i := range w.search.assignment {
		w.search.assignment[i] = from.GetInt()
	}
	w.linearize()
	w.config.Solver.Forget()
	if err := w.config.Solver.Begin(&w.linear); err != nil {
		panic(err) // NewWatch has already accepted the task
	}
	w.config.Solver.Load(from)
	w.measure()
}

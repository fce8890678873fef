package weighting

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/minnorm"
	"paretoplay/algo/param"
)

const (
	defaultEpsilonRate  = 1
	defaultEpsilonBound = 10
)

// EpsilonConfig contains the parameters of NewEpsilon.
type EpsilonConfig struct {
	Limits    []float64 // ε, one finite number for each objective; ε_j is unused; nil means the losses at the first decision
	Objective int       // j, the minimised objective, from 1; 0 means the last
	Rate      float64   // κ > 0, the maximum rate of approach to a limit from below, and the minimum rate of approach from above
	Bound     float64   // c > 0, the maximum weight of a limited objective
}

// Epsilon finds the direction nearest to g_j with
//
//	⟨g_i, d⟩ ≥ κ(f_i − ε_i)   for all i ≠ j
//
// The rule thus minimises one objective f_j while every other objective stays below its limit or falls to it:
// f_i ≤ ε_i. In a flow along −d, f_i − ε_i does not rise above 0. If f_i − ε_i is above 0, it falls at least as fast as
// exp(−κt). The weights are 1 for f_j and the multipliers of these constraints,
//
//	u = argmin {½‖Σ u_i g_i‖² − Σ b_i u_i : 0 ≤ u_i ≤ c},   b_i = κ(f_i − ε_i) − ⟨g_i, g_j⟩
//
// The bound c is not part of the reference. Without c, an objective above its limit with a gradient near 0 would lead
// to unbounded steps, and contradictory constraints would have no multipliers. A run ends at a limit only if the front
// there is not steeper than c, that is, if one unit of f_i is worth at most c units of f_j.
//
// Without limits, every other objective stays below its loss at the first decision.
//
// References:
//   - Haimes, Lasdon & Wismer (1971), On a bicriterion formulation of the problems of integrated
//     system identification and system optimization, IEEE Transactions on Systems, Man, and
//     Cybernetics 1: the ε-constraint.
//   - Allibhoy & Cortés (2024), Control-barrier-function-based design of gradient flows for
//     constrained nonlinear programming, IEEE Transactions on Automatic Control 69,
//     arXiv:2204.01930: the safe gradient flow, with α for κ.
type Epsilon struct {
	config EpsilonConfig
	first  []float64 // losses at the first decision; nil before it, and always nil with limits
	solver minnorm.QP

	u, c, b []float64 // program in u: variables, linear term, right-hand sides
	q, a    []float64 // matrix and constraints of the program
}

var _ algo.Weighting = (*Epsilon)(nil)

// NewEpsilon returns the rule with the given configuration. It copies Limits.
func NewEpsilon(c EpsilonConfig) (*Epsilon, error) {
	if !algo.Finite(c.Limits) {
		return nil, refused("limits", c.Limits, "finite numbers")
	}
	if c.Objective < 0 {
		return nil, refused("objective", c.Objective, "a number from 0")
	}
	if err := positive("rate", c.Rate); err != nil {
		return nil, err
	}
	if err := positive("bound", c.Bound); err != nil {
		return nil, err
	}
	c.Limits = slices.Clone(c.Limits)
	return &Epsilon{config: c}, nil
}

// Needs reports that the rule requires the losses.
func (e *Epsilon) Needs() algo.Needs { return algo.Needs{Losses: true} }

// Weigh stores the weights (1 and the multipliers) and the direction. Without limits it also keeps the losses of the
// first decision. The gap is the largest change of a term of the direction when only the weight of that term is
// recomputed, relative to the sum of the terms' lengths.
func (e *Epsilon) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, e.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	limits := e.config.Limits
	if limits != nil && len(limits) != m {
		return refused("limits", limits, oneFor(m))
	}
	if e.config.Objective > m {
		return refused("objective", e.config.Objective, upTo(m))
	}
	if limits == nil {
		if e.first == nil {
			e.first = slices.Clone(in.Losses)
		}
		if len(e.first) != m {
			return inputErrorf("epsilon: %d objectives; earlier decisions had %d", m, len(e.first))
		}
		limits = e.first
	}
	if settleZero(r, in) {
		return nil
	}
	j := e.config.Objective - 1
	if j < 0 {
		j = m - 1
	}
	r.Gap, r.Status = 0, algo.Converged
	r.Weights[j] = 1
	if m > 1 {
		e.state(in, limits, j)
		if _, status := e.solver.Solve(e.u, e.q, e.c, e.a, e.b, 0); status == algo.Diverged {
			refuse(r, status)
			return nil
		}
		r.Gap, r.Status = math.Inf(1), algo.Budget
		for round := 0; round < polishing && r.Gap > settled; round++ {
			r.Gap = e.polish(in.Gram, j)
		}
		if r.Gap <= settled {
			r.Status = algo.Converged
		}
		for k, u := range e.u {
			r.Weights[other(k, j)] = u
		}
	}
	combine(r, in)
	confirm(r, in)
	return nil
}

const (
	polishing = 50    // maximum number of rounds
	settled   = 1e-12 // gap at which polishing ends
)

// polish solves for each weight in turn while the others stay fixed, so that weights at 0 and at the bound become
// exact. It returns the largest change of a term's length, relative to the sum of the lengths of the direction's
// terms.
func (e *Epsilon) polish(gram []float64, j int) float64 {
	n, m := len(e.u), len(e.u)+1
	terms, largest := math.Sqrt(gram[j*m+j]), 0.0
	for k, u := range e.u {
		i := other(k, j)
		square := e.q[k*n+k]
		if square == 0 {
			e.u[k] = 0
			continue
		}
		slope := (e.c[k] + dot(e.q[k*n:(k+1)*n], e.u)) / square
		e.u[k] = min(max(u-slope, 0), e.config.Bound)
		size := math.Sqrt(gram[i*m+i])
		largest = max(largest, math.Abs(e.u[k]-u)*size)
		terms += float64(e.u[k] * size)
	}
	if terms == 0 {
		return largest
	}
	return largest / terms
}

// other returns the index of the k-th objective that is not the minimized one.
func other(k, minimized int) int {
	if k < minimized {
		return k
	}
	return k + 1
}

// state sets up the quadratic program for the multipliers u.
func (e *Epsilon) state(in *algo.Input, limits []float64, j int) {
	m := len(limits)
	n := m - 1
	e.u, e.c, e.b = resize(e.u, n), resize(e.c, n), resize(e.b, 2*n)
	e.q, e.a = resize(e.q, n*n), resize(e.a, 2*n*n)
	clear(e.a)
	var largest float64
	for i := range m {
		largest = max(largest, in.Gram[i*m+i])
	}
	for k := range n {
		i := other(k, j)
		row := in.Gram[i*m : (i+1)*m]
		var terms float64
		for _, v := range row {
			terms += math.Abs(v)
		}
		// If a loss is farther from its limit than this distance, the objective's weight is 0 or c, regardless of the
		// gradients are. Clamping the distance does not change the solution, and keeps the numbers in proportion to the
		// gradients.
		far := 2 * (1 + e.config.Bound) * terms
		// The gradients may be divided by 2^Exponent, but the losses are not.
		excess := math.Ldexp(e.config.Rate*(in.Losses[i]-limits[i]), -2*in.Exponent)
		e.c[k] = (row[j] - min(max(excess, -far), far)) / largest
		for l := range n {
			e.q[k*n+l] = row[other(l, j)] / largest
		}
		e.a[k*n+k], e.b[k] = 1, 0
		e.a[(n+k)*n+k], e.b[n+k] = -1, -e.config.Bound
	}
}

// Above returns the first objective, counted from 0, whose loss is above its limit, and that limit. It returns −1 if no
// loss is above its limit. It also returns −1 if the first decision determines the limits and has not been made yet.
func (e *Epsilon) Above(losses []float64) (objective int, limit float64) {
	limits := e.config.Limits
	if limits == nil {
		limits = e.first
	}
	minimized := e.config.Objective - 1
	if minimized < 0 {
		minimized = len(losses) - 1
	}
	for i, limit := range limits {
		if i != minimized && losses[i] > limit {
			return i, limit
		}
	}
	return -1, 0
}

// Save appends the losses of the first decision if there are no limits. Otherwise it appends nothing.
func (e *Epsilon) Save(to *algo.Snapshot) {
	if e.config.Limits == nil {
		saveFirst(to, e.first)
	}
}

// Load restores the state that Save appended.
func (e *Epsilon) Load(from *algo.Snapshot) {
	if e.config.Limits == nil {
		e.first = loadFirst(from, e.first)
	}
}

var ruleEpsilon = Method{
	Name: "epsilon", Title: "ε-constraint", Paper: "Haimes, Lasdon & Wismer 1971; Allibhoy & Cortés 2024",
	Help:      "Minimises one objective and keeps every other objective below a limit.",
	Needs:     algo.Needs{Losses: true},
	Promises:  Promises{Weights: true, Combination: true, Effective: true},
	configure: configureEpsilon,
}

func configureEpsilon(s *scope) Constructor {
	var limits [][]float64
	c := EpsilonConfig{Rate: defaultEpsilonRate, Bound: defaultEpsilonBound}
	s.list.Points(&limits, s.describe(param.Descriptor{
		Name: "limits", Symbol: "ε", Label: "Limits",
		Min: -1e9, Max: 1e9, AtMost: 1,
		Effect: param.Restart,
		Help: "Enter one limit per objective, such as 0.3,0; the limit of the minimised objective is not used. If empty, the losses of " +
			"the first step are the limits: no limited objective may end above its first loss.",
	}))
	s.list.Integer(&c.Objective, s.describe(param.Descriptor{
		Name: "objective", Symbol: "j", Label: "Minimised objective",
		Min: 0, Max: 64, Step: 1,
		Effect: param.Restart,
		Help:   "Selects the objective to minimise, counted from 1; 0 means the last. All others have limits.",
	}))
	s.list.Number(&c.Rate, s.describe(param.Descriptor{
		Name: "rate", Symbol: "κ", Label: "Rate of approach to the limits",
		Min: 1e-3, Max: 1e3, Scale: param.Log,
		Effect: param.Restart,
		Help: "To first order, a step of size η reduces the distance of a loss from its limit by a fraction ηκ, on both sides of the " +
			"limit (α in Allibhoy & Cortés 2024).",
	}))
	s.list.Number(&c.Bound, s.describe(param.Descriptor{
		Name: "bound", Symbol: "c", Label: "Largest weight",
		Min: 1e-2, Max: 1e4, Scale: param.Log,
		Effect: param.Restart,
		Help: "Limits the weight of every limited objective; the minimised objective has weight 1. If the front is steeper than this " +
			"value, a run ends above the limit. (Our addition: Allibhoy & Cortés 2024 has no such bound.)",
	}))
	return func(context Context) (algo.Weighting, error) {
		c := c
		if len(limits) > 0 && len(limits[0]) > 0 {
			if c.Limits = limits[0]; len(c.Limits) != context.Objectives {
				return nil, refused("limits", c.Limits, oneFor(context.Objectives))
			}
		}
		if c.Objective > context.Objectives {
			return nil, refused("objective", c.Objective, upTo(context.Objectives))
		}
		return NewEpsilon(c)
	}
}

// upTo returns the part of an error message that says which numbers are valid for one of m objectives.
func upTo(m int) string { return fmt.Sprintf("an objective from 1 to %d, or 0 for the last", m) }

package transport

import (
	"fmt"
	"math"

	"paretoplay/algo"
)

const (
	// concaveRounds is the maximum number of linearizations per start.
	concaveRounds = 50
	// concaveProgress is the minimum improvement over the best plan so far, relative to the mass times the sum of the
	// largest cost and τ. Anything less is a rounding error.
	concaveProgress = 1e-13
)

// Concave searches for the plan that minimises Σ Γ_ij C_ij + τ R(Γ), where R(Γ) = −Σ_i max_j Γ_ij (see RowMaxima).
// For τ > 0 this objective is concave and has many local minima. Let j_i = argmax_j Γ_ij, or the first of several.
// The costs
//
//	C'_ij = C_ij − τ [j = j_i]
//
// define a transport problem. The objective of this problem is an upper bound on the original objective, and equals
// the original objective at Γ. Concave solves such problems in turn until the j_i repeat. With an exact inner solver,
// the original objective therefore never rises. The search starts from the plan for τ = 0 and from random j_i. It
// keeps the best plan, which may be the plan for τ = 0.
//
// MosT, section 3.1, after equation (5); Yuille & Rangarajan (2003), The concave-convex
// procedure.
type Concave struct {
	inner    Solver
	restarts int
	seed     uint64

	task       Task // with a separate copy of the costs
	assignment []int
	now        Plan
	state      algo.Snapshot // state of the inner solver after the plan for τ = 0
}

// NewConcave returns a search that uses the given inner solver, which must not be used elsewhere afterwards.
// Restart r draws its assignment from algo.Stream(seed, r, 0, algo.Decision), so every call draws the same
// assignments. NewConcave returns an *algo.RangeError if restarts is negative.
func NewConcave(inner Solver, restarts int, seed uint64) (*Concave, error) {
	if restarts < 0 {
		return nil, &algo.RangeError{Name: "restarts", Value: restarts, Allowed: "at least 0"}
	}
	return &Concave{inner: inner, restarts: restarts, seed: seed}, nil
}

// SetYielder sets the yielder of the inner solver.
func (c *Concave) SetYielder(b *algo.Yielder) { algo.PassYielder(c.inner, b) }

// Forget makes the next call start cold.
func (c *Concave) Forget() { c.inner.Forget() }

// Save appends the state of the inner solver after the plan for τ = 0. Later calls depend on no other state.
func (c *Concave) Save(to *algo.Snapshot) { c.inner.Save(to) }

// Load reads what Save appended.
func (c *Concave) Load(from *algo.Snapshot) { c.inner.Load(from) }

// Solve stores in p the best plan that the search finds, for τ ≥ 0. The plan's Cost is Σ Γ_ij C_ij, without τ R(Γ). Its
// potentials belong to the last C', so they are feasible for C too. Its Iterations is the total over all calls of the
// inner solver. The plan has converged if the j_i repeat and the inner solver has converged. The error comes from
// Task.Check, or is an *algo.RangeError for τ.
func (c *Concave) Solve(p *Plan, t *Task, tau float64) error {
	if !(tau >= 0) || math.IsInf(tau, 1) {
		return &algo.RangeError{Name: "tau", Value: tau, Allowed: "finite and at least 0"}
	}
	if err := c.inner.Solve(p, t); err != nil || tau == 0 {
		return err
	}
	n, m := len(t.A), len(t.B)
	if len(c.task.Cost) != n*m || len(c.assignment) != n {
		c.task.Cost, c.assignment = make([]float64, n*m), make([]int, n)
	}
	c.task.A, c.task.B = t.A, t.B
	c.state.Reset()
	c.inner.Save(&c.state)

	var scale float64
	for _, cost := range t.Cost {
		scale = max(scale, math.Abs(cost))
	}
	if scale+tau > math.MaxFloat64 {
		return &algo.RangeError{Name: "tau", Value: tau, Allowed: fmt.Sprintf("small enough to be added to the largest cost, %g", scale)}
	}
	progress := float64(concaveProgress * (scale + tau) * sum(t.A))
	iterations := p.Iterations
	best := p.Cost - float64(tau*RowMaxima(p.Mass, m))
	for start := -1; start < c.restarts; start++ {
		if start < 0 {
			c.assign(p.Mass, m)
		} else {
			source := algo.Stream(c.seed, start, 0, algo.Decision)
			for i := range c.assignment {
				c.assignment[i] = int(source.Uint64() >> 32 * uint64(m) >> 32)
			}
		}
		settled := false
		for round := 0; round < concaveRounds && !settled; round++ {
			for i, j := range c.assignment {
				row := c.task.Cost[i*m : (i+1)*m]
				copy(row, t.Cost[i*m:(i+1)*m])
				row[j] -= tau
			}
			if err := c.inner.Solve(&c.now, &c.task); err != nil {
				return err
			}
			iterations += c.now.Iterations
			settled = !c.assign(c.now.Mass, m)
		}
		c.now.Cost = 0
		for i, mass := range c.now.Mass {
			c.now.Cost += float64(mass * t.Cost[i])
		}
		if now := c.now.Cost - float64(tau*RowMaxima(c.now.Mass, m)); now < best-progress {
			best = now
			c.now.Converged = c.now.Converged && settled
			*p, c.now = c.now, *p
		}
	}
	p.Iterations = iterations
	c.state.Rewind()
	c.inner.Load(&c.state)
	return nil
}

// assign stores the index of the largest entry of each row, and reports whether any index changed.
func (c *Concave) assign(mass []float64, m int) (changed bool) {
	for i, before := range c.assignment {
		row := mass[i*m : (i+1)*m]
		best := 0
		for j, v := range row {
			if v > row[best] {
				best = j
			}
		}
		changed = changed || best != before
		c.assignment[i] = best
	}
	return changed
}

package transport

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/transport"
)

// watched is a solver of transport as a stepper: a step is an iteration of the solver, x
// the plan in row-major order, and f its marginal error and its gap. It ends where the
// solver's own criterion is met.
type watched struct {
	inner   transport.Iterative
	problem *problem
	plan    transport.Plan
	k       int
	f       [2]float64
}

// What f holds.
const (
	marginalError = iota // ‖Γ1 − a‖₁ + ‖Γᵀ1 − b‖₁, the mass being 1
	gap                  // |Σ Γ_ij C_ij − least cost|, relative to the range of the costs
)

func watch(s transport.Iterative, p *problem) (*watched, error) {
	w := &watched{inner: s, problem: p}
	if err := s.Begin(&p.task); err != nil {
		return nil, err
	}
	w.read()
	return w, nil
}

func (w *watched) read() {
	w.inner.Read(&w.plan)
	w.f[marginalError] = w.plan.MarginalError
	w.f[gap] = math.Abs(w.problem.relative(w.plan.Cost))
}

// Step makes an iteration.
func (w *watched) Step() (algo.Status, error) {
	if w.inner.Done() {
		return algo.Converged, nil
	}
	w.inner.Iterate()
	w.k++
	w.read()
	if w.inner.Done() {
		return algo.Converged, nil
	}
	return algo.Running, nil
}

// View shows the plan of now.
func (w *watched) View() algo.View { return algo.View{K: w.k, Solutions: 1, X: w.plan.Mass, F: w.f[:]} }

// Save appends where the solver is.
func (w *watched) Save(to *algo.Snapshot) {
	to.PutInt(w.k)
	if w.k > 0 {
		w.inner.Save(to)
	}
}

// Load reads what Save appended.
func (w *watched) Load(from *algo.Snapshot) {
	if w.k = from.GetInt(); w.k > 0 {
		w.inner.Load(from)
	} else {
		w.inner.Forget()
		if err := w.inner.Begin(&w.problem.task); err != nil {
			panic(err) // it was taken before
		}
	}
	w.read()
}

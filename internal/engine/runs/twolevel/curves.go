package twolevel

import (
	"paretoplay/algo/bilevel"
	"paretoplay/algo/param"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

// Evaluations is the name of the clock that counts a run's gradients and Hessian-vector products.
const Evaluations = "evaluations"

// History returns a panel with the chosen time axis. l holds the runs' parameters. The caller sets the panel's
// contents.
func (r *Roster) History(t *timeline.Timeline, l *param.List, name, heading string) *kinds.History {
	iterations := kinds.IterationClock(t.Budget)
	spent := kinds.SpentClock(Evaluations, "gradients and Hessian-vector products", Spent, func() float64 { return float64(r.mostSpent(t)) })
	return &kinds.History{
		Name: name, Heading: heading, Timeline: t, Unticked: true, Symbol: l.Symbol,
		Clock: func() *kinds.Clock {
			if r.Axis == Evaluations {
				return spent
			}
			return iterations
		},
	}
}

// mostSpent returns an upper bound on the cost of any run within the budget.
func (r *Roster) mostSpent(t *timeline.Timeline) int {
	most := 1
	for _, run := range t.Tracks() {
		last := run.Kept(run.Len() - 1)
		most = max(most, r.perStep(run.Run)*r.Budget, int(Spent(last))) // T may have been larger earlier
	}
	return most
}

// perStep returns the cost of one step of a run with the current T.
func (r *Roster) perStep(run *timeline.Run) int {
	cost := run.Stepper.(bilevel.Stepper).StepCost(r.T)
	return cost.Backpropagations + cost.HessianVectorProducts
}

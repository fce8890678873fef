package orders

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/algo/pareto"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

// Course is a problem for orders to run on, with its settings.
type Course struct {
	Problem ordering.Problem
	Start   []float64 // the start w_0 of every run
	Epochs  int       // planned number of epochs T, for schedules that need it
	Seed    uint64

	draw      int                 // number of the run's seed, counted from 0
	constants *ordering.Constants // constants for the theorems' schedules; nil for other schedules
}

// EpochName is the name under which a run records the epoch of x_k: ⌊k/K⌋.
const EpochName = "epoch"

// Runs returns a run at k = 0 for every order that is on and every seed, all from the course's start. StartIndex
// numbers the seeds, from 0. Runs with equal StartIndex share all random draws.
func (r *Roster) Runs(c Course) ([]*timeline.Run, error) {
	var err error
	if c.constants, err = r.estimate(&c); err != nil {
		return nil, err
	}
	starts := make([][]float64, r.Seeds)
	for i := range starts {
		starts[i] = c.Start
	}
	runs, err := r.Roster.Runs(r.On, starts, func(draw int) *Course {
		one := c
		one.draw = draw
		return &one
	})
	if err != nil {
		return nil, err
	}
	omega := pareto.StationarityOf(c.Problem)
	d, m := c.Problem.Dims()
	first := math.NaN() // ω at the start, which all runs share
	const loss = 16     // work per sample in addition to its product with w
	labour := c.Problem.Examples() * m * (2*d + loss)
	r.records = map[*timeline.Run]*record{}
	for _, run := range runs {
		stepper := run.Stepper.(*ordering.Descent)
		if run.Label = run.Title; r.Seeds > 1 {
			run.Label = fmt.Sprintf("%s, seed %d", run.Title, run.StartIndex+1)
		}
		run.Labour = labour
		run.AtPoint = []timeline.Extra{{Name: EpochName, Label: "epoch", Whole: true}}
		run.MeasurePoint = func(v algo.View, stationarity, further []float64) {
			if v.K == 0 && first == first {
				stationarity[0] = first
			} else if stationarity[0] = omega(v.X); v.K == 0 {
				first = stationarity[0]
			}
			further[0] = float64(v.K / stepper.Examples())
		}
		heard := newRecord(c.Problem, r.Batch, stepper)
		run.Observe = func(v algo.View) { heard.hear(&v, run.Kept(run.Len()-1).Stationarity) }
		r.records[run] = heard
	}
	return runs, nil
}

// estimate returns the constants of the theorems' step sizes, or nil for other schedules.
func (r *Roster) estimate(c *Course) (*ordering.Constants, error) {
	if r.Schedule != string(ordering.RandomTheorem) && r.Schedule != string(ordering.JoGBaTheorem) {
		return nil, nil
	}
	centring, signs := r.balancing()
	out, err := ordering.Estimate(c.Problem, c.Start, r.Batch, centring, signs)
	return &out, err
}

// Examples returns K, the number of examples that a run visits in one epoch.
func Examples(run *timeline.Run) int { return run.Stepper.(*ordering.Descent).Examples() }

// MostBackpropagations returns an upper bound on the cost of any run within the budget. An axis of backpropagations
// can end at this number.
func (r *Roster) MostBackpropagations(t *timeline.Timeline) int {
	most, budget := 0, t.Budget()
	for _, run := range t.Runs() {
		last := run.Kept(run.Len() - 1)
		kept := len(last.F) // cost of a step that reuses the weights
		if kind, own := Kind(run.Method); !own && !kind.Balances() {
			kept = 1
		}
		decisions := 0
		if r.Weighting != equal {
			decisions = (budget + r.R - 1) / r.R
		}
		// R may have changed during the runs, so a run may already have spent more than the present R allows.
		most = max(most, decisions*len(last.F)*(1+r.further)+(budget-decisions)*kept, last.BP)
	}
	return most
}

// Clock returns the clock on the time axis of panels. r.Axis selects epochs, steps or backpropagations.
func (r *Roster) Clock(t *timeline.Timeline) func() *kinds.Clock {
	steps := kinds.IterationClock(t.Budget)
	spent := kinds.BackpropagationClock(func() int { return r.MostBackpropagations(t) })
	epochs, examples := kinds.EpochClock(1, t.Budget), 1
	return func() *kinds.Clock {
		switch r.Axis {
		case steps.Name:
			return steps
		case spent.Name:
			return spent
		}
		if runs := t.Runs(); len(runs) > 0 && Examples(runs[0]) != examples {
			examples = Examples(runs[0])
			epochs = kinds.EpochClock(examples, t.Budget)
		}
		return epochs
	}
}

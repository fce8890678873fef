package sweeps

import (
	"cmp"
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/param"
	"paretoplay/algo/pareto"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

// Course is a problem for the methods to run on, with its settings.
type Course struct {
	Problem algo.Partial
	Start   []float64 // start of every run
	Blocks  [][]int   // for methods that divide the variables
	Shared  []bool    // for each block, as in blocks.Config; nil if all are separate
	Batch   int       // number of examples that a step uses; 0 means all
	Budget  int       // planned number of steps of a run, for the schedule that needs it
	Seed    uint64
	Spending

	draw int // number of the run's seed, counted from 0
}

// Names of the values that these runs record in addition to the common ones.
const (
	OuterName       = "t"           // the outer iteration of the step k → k+1, counted from 0
	BlockName       = "block"       // the block that the step moves, counted from 0 in the list of blocks
	ObjectiveName   = "objective"   // number of the objective whose gradient the step follows, from 0; −1 for the weighted sum
	CoordinatesName = "coordinates" // number of gradient coordinates spent to reach x_k
)

// Runs returns a run at k = 0 for every method that is on and every seed, all from the course's start. A run's
// StartIndex is the number of its seed, counted from 0. Runs with equal StartIndex share all random draws.
func (r *Roster) Runs(c Course) ([]*timeline.Run, error) {
	starts := make([][]float64, r.Seeds)
	for i := range starts {
		starts[i] = c.Start
		if c.Draw != nil {
			starts[i] = c.Draw(i)
		}
	}
	runs, err := r.Roster.Runs(r.On, starts, func(draw int) *Course {
		one := c
		one.Start, one.draw = starts[draw], draw
		return &one
	})
	if err != nil {
		return nil, err
	}
	omega := pareto.StationarityOf(c.Problem)
	labour := c.labour()
	for _, run := range runs {
		stepper := run.Stepper.(*blocks.Alternation)
		if run.Label = run.Title; r.Seeds > 1 {
			run.Label = fmt.Sprintf("%s, seed %d", run.Title, run.StartIndex+1)
		}
		run.Labour = labour
		run.AtPoint = []timeline.Extra{{Name: CoordinatesName, Label: "gradient coordinates", Whole: true}}
		run.OfStep = []timeline.Extra{{Name: OuterName, Whole: true}, {Name: BlockName, Whole: true}, {Name: ObjectiveName, Whole: true}}
		run.MeasurePoint = func(v algo.View, stationarity, further []float64) {
			stationarity[0] = omega(v.X)
			further[0] = float64(v.Cost.GradientCoordinates)
		}
		run.MeasureStep = func(_ []float64, _ algo.View, further []float64) {
			if move, ok := stepper.Move(); ok {
				further[0], further[1], further[2] = float64(move.T), float64(move.Block), float64(move.Objective)
			}
		}
		if c.Work > 0 {
			c.spend(run, stepper)
		}
	}
	return runs, nil
}

// labour returns the amount of work in a step and its measurements.
func (c *Course) labour() int {
	n, m := c.Problem.Dims()
	labour := algo.LossLabourOf(c.Problem, n, m)
	if c.Work == 0 {
		labour += m * algo.LabourOf(c.Problem, n) // work for ω
	}
	if counted, ok := c.Problem.(interface {
		algo.FiniteSum
		WeightedWork(batch, lo, hi int, kept bool) int
	}); ok {
		batch := c.Batch
		if batch == 0 {
			batch = counted.Examples()
		}
		labour += counted.WeightedWork(batch, 0, n, false)
	}
	return labour
}

// horizon returns the number of outer iterations that a configuration can run within the budget.
func (c *Course) horizon(config *blocks.Config) int {
	steps := 1
	if !config.Together || config.Blocks != nil {
		steps = max(1, len(config.Blocks)) * total(config.Frequencies)
	}
	return max(1, (c.Budget+steps-1)/steps)
}

// total returns the sum of m.
func total(m []int) (p int) {
	for _, times := range m {
		p += times
	}
	return p
}

// Steps returns the number of steps in an outer iteration of a run.
func Steps(run *timeline.Run) int { return run.Stepper.(*blocks.Alternation).OuterSteps() }

// Clock returns the clock for the time axis of panels. r.Axis selects steps, outer iterations or coordinates of
// gradients.
func (r *Roster) Clock(t *timeline.Timeline) func() *kinds.Clock {
	steps := kinds.IterationClock(t.Budget)
	turns := kinds.SpentClock(OuterClock, "outer iteration t", func(row timeline.Row) float64 {
		return float64(row.K) / float64(Steps(row.Run()))
	}, func() float64 {
		most := 0.0
		for _, run := range t.Runs() {
			most = max(most, float64(t.Budget())/float64(Steps(run)))
		}
		return most
	})
	spent := kinds.CoordinateClock(CoordinatesName, func() float64 { return r.mostCoordinates(t) })
	return func() *kinds.Clock {
		switch r.Axis {
		case turns.Name:
			return turns
		case spent.Name:
			return spent
		}
		return steps
	}
}

// mostCoordinates returns the number of coordinates that the most expensive run spends within the budget, in whole
// outer iterations.
func (r *Roster) mostCoordinates(t *timeline.Timeline) (most float64) {
	for _, run := range t.Runs() {
		v, steps := run.Stepper.View(), Steps(run)
		n, q := len(v.X), len(v.F)
		outer := (cmp.Or(run.Budget, t.Budget()) + steps - 1) / steps
		each := n * total(param.Frequencies(r.M, q)) // coordinates per outer iteration
		switch run.Method {
		case WeightedSum:
			each = n * q
		case BlockAlternate:
			each *= q
		}
		most = max(most, float64(outer*each))
	}
	return most
}

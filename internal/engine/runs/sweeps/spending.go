package sweeps

import (
	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/algo/param"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
)

// WorkName is the name of the recorded work spent to reach x_k. Runs that end by their work record this value. A unit
// of work is a multiplication together with an addition.
const WorkName = "ma"

// Spending holds settings for a comparison of methods by cost instead of steps.
type Spending struct {
	// Work is the number of multiplications that a run may spend. The run ends with the step that reaches this number.
	// If Work is 0, runs end after a number of steps. Otherwise ω is not measured, because measuring it would cost more
	// than the steps.
	Work int
	// Draw returns the start of the runs with the seed number draw, counted from 0. If it is nil, runs begin at
	// Start.
	Draw func(draw int) []float64
	// Partitioned creates the problem for methods that divide the variables. If it is nil, they get Problem.
	Partitioned func() algo.Partial
	// Further lists values that runs record at each point. Measure stores them.
	Further []timeline.Extra
	Measure func(x, further []float64)
}

// spend makes a run record its work, and end once this work reaches c.Work.
func (c *Course) spend(run *timeline.Run, stepper *blocks.Alternation) {
	run.Budget, _ = stepper.StepsFor(c.Work, c.Budget)
	run.AtPoint = append(run.AtPoint, timeline.Extra{Name: WorkName, Label: "multiply-adds", Whole: true})
	own := len(run.AtPoint)
	run.AtPoint = append(run.AtPoint, c.Further...)
	run.MeasurePoint = func(v algo.View, _, further []float64) {
		further[0], further[1] = float64(v.Cost.GradientCoordinates), float64(stepper.Work())
		c.Measure(v.X, further[own:])
	}
}

// Choices of step sizes.
const (
	EqualSteps = "equal"
	BestSteps  = "own"
)

// OwnSteps sets a step size for each method, by name. Call it before BindStepSizes.
func (r *Roster) OwnSteps(of map[string]float64) {
	r.StepSizes, r.own = EqualSteps, map[string]*float64{}
	for method, alpha := range of {
		r.own[method] = &alpha
	}
}

// stepSize returns the step size of a method.
func (r *Roster) stepSize(method string) float64 {
	if r.StepSizes == BestSteps {
		return *r.own[method]
	}
	return r.Alpha
}

// liveSteps makes changes of step sizes take effect in the runs that use them.
func (r *Roster) liveSteps() {
	runs.Live(r.Roster, "alpha", func(s *blocks.Alternation, alpha float64) error {
		if r.StepSizes == BestSteps {
			return nil
		}
		return s.SetStepSize(alpha)
	})
	for i := range family {
		id := family[i].ID
		runs.Live(r.Roster, id+".alpha", func(s *blocks.Alternation, alpha float64) error {
			if r.StepSizes != BestSteps {
				return nil
			}
			return s.SetStepSize(alpha)
		}, id)
	}
}

// BindStepSizes binds the choice between one step size for all methods and the step sizes that OwnSteps has set.
func (r *Roster) BindStepSizes(l *param.List) {
	l.Choice(&r.StepSizes, param.Descriptor{Name: "stepsizes", Label: "Step sizes",
		Help: "Whether all methods use the same step size or each uses its own.",
		Options: []param.Option{
			{Value: EqualSteps, Label: "the same for all"},
			{Value: BestSteps, Label: "each its own", Help: "By default each method uses the fastest step size at which no run diverges."},
		}})
	bind := func(field *float64, d param.Descriptor, which string) {
		d.Symbol, d.Min, d.Max, d.Scale, d.Effect = "α", 0.0001, 0.5, param.Log, param.Live
		d.Only = &param.Only{Name: "stepsizes", Values: []string{which}}
		l.Number(field, d)
	}
	bind(&r.Alpha, param.Descriptor{Name: "alpha", Label: "Step size",
		Help: "How far one step goes: x ← x − α·gradient, on the current block."}, EqualSteps)
	for i := range family {
		m := &family[i]
		bind(r.own[m.ID], param.Descriptor{Name: m.ID + ".alpha", Label: m.Title + "’s step size", Method: m.ID,
			Help: "How far one step of this method goes."}, BestSteps)
	}
}

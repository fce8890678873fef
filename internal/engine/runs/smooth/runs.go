package smooth

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/pareto"
	"paretoplay/algo/weighting"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// Course is a problem for methods to descend on, and one start.
type Course struct {
	Problem algo.Sampled
	Starts  [][]float64 // all start points, for methods that move several points together
	Start   int         // number of this start, counted from 0
	// LowerBounds are strictly below every value of each objective. nil means 0.
	LowerBounds []float64
	Horizon     int // planned number of iterations, for schedules that need it
	Seed        uint64
}

// Runs returns runs at k = 0 for every method that is on, from all starts of the course.
func (r *Roster) Runs(c Course) ([]*timeline.Run, error) {
	r.refresh = map[string]int{}
	runs, err := r.Roster.Runs(r.On, c.Starts, func(start int) *Course {
		one := c
		one.Start = start
		return &one
	})
	if err != nil {
		return nil, err
	}
	n, _ := c.Problem.Dims()
	omega := pareto.StationarityOf(c.Problem)
	explain := explanation(c.Problem)
	for _, run := range runs {
		run.Explain, run.Misses = explain, misses(run)
		run.MeasurePoint = func(v algo.View, stationarity, _ []float64) {
			for i := range stationarity {
				stationarity[i] = omega(v.X[i*n : (i+1)*n])
			}
		}
		// The run records an optimizer's update if it can differ from the direction.
		if r.Optimizer != string(descent.Plain) || r.Clip != 0 {
			run.OfStep = []timeline.Extra{{Name: update, Size: n, Each: true}}
			run.MeasureStep = func(_ []float64, _ algo.View, further []float64) {
				copy(further, run.Stepper.(interface{ Update() []float64 }).Update())
			}
		}
	}
	return runs, nil
}

// missed returns the objective that is too far above its limit at the end of a run, and that limit. It returns −1 if
// there is none. A loss can fall towards its limit without ever reaching it. It is therefore allowed to exceed the
// limit by up to 1 % of its initial distance from the limit or of its change during the run, whichever is greater.
func missed(s algo.Stepper, first, last timeline.Row) (objective int, limit float64) {
	limited, is := s.(interface {
		AboveLimit(f []float64) (objective int, limit float64)
	})
	if !is {
		return -1, 0
	}
	objective, limit = limited.AboveLimit(last.F)
	if objective < 0 {
		return -1, 0
	}
	const left, rounding = 0.01, 1e-9
	begun, ended := first.F[objective], last.F[objective]
	way := max(math.Abs(begun-limit), math.Abs(begun-ended))
	if ended-limit <= float64(left*way)+float64(rounding*max(math.Abs(limit), math.Abs(ended))) {
		return -1, 0
	}
	return objective, limit
}

// misses returns a function that reports whether a run has missed a limit.
func misses(run *timeline.Run) func(first, last timeline.Row) bool {
	return func(first, last timeline.Row) bool {
		objective, _ := missed(run.Stepper, first, last)
		return objective >= 0
	}
}

// explanation returns a function that explains how a run ended. If the run missed a limit, the explanation gives the
// loss and the limit. If the run found no solution because the gradients have vanished, the explanation says so.
// Gradients count as vanished if they are 0, or too small to change the last digit of any loss over the distance from
// the run's end to its start or to the origin, whichever is longer.
func explanation(p algo.Problem) func(timeline.Track) string {
	n, m := p.Dims()
	jac := algo.NewJacobian(m, n)
	return func(t timeline.Track) string {
		end := t.Kept(t.Len() - 1)
		if objective, limit := missed(t.Stepper, t.Kept(0), end); objective >= 0 && t.Status() == algo.AboveLimit {
			return fmt.Sprintf("f%s is %s, above its limit %s", runs.Subscript(objective), timeline.Significant(end.F[objective]),
				timeline.Significant(limit))
		}
		if t.Status() != algo.NoSolution {
			return ""
		}
		p.Jacobian(jac, end.X)
		way := max(portable.Distance(end.X, t.Start()), portable.Length(end.X))
		for i, f := range end.F {
			slope := portable.Length(jac.Row(i))
			if slope > 0 && (way == 0 || slope*way > 0x1p-53*math.Abs(f)) {
				return ""
			}
		}
		return "the gradients have vanished"
	}
}

const update = "update"

// UpdateOf returns the optimizer's update for the direction in a row: the step is −StepSize times the update. It
// returns nil if no step has been taken yet, or if the optimizer leaves directions unchanged.
func UpdateOf(row timeline.Row) []float64 { return row.Value(update) }

// StepGradients stores in jac the gradients that a stepper's last step used at one of its solutions. x is the
// solution's position before the step. If the step computed only a weighted sum, jac gets the gradients of p on the
// step's sample. StepGradients returns false if the stepper has taken no step.
func StepGradients(jac *algo.Jacobian, p algo.Sampled, x []float64, s algo.Stepper, solution int) bool {
	switch s := s.(type) {
	case *descent.MOOSVGD:
		seen := s.Jacobian(solution)
		if seen == nil {
			return false
		}
		copy(jac.Data, seen.Data)
		return true
	case periodic:
		if seen := s.View().Jacobian; seen != nil {
			copy(jac.Data, seen.Data)
			return true
		}
		if sample := s.Sample(); sample != nil {
			p.JacobianAt(jac, x, sample)
			return true
		}
	}
	return false
}

// config returns the configuration that all steppers share.
func (r *Roster) config(c *Course) descent.Config {
	optimizer := r.Chosen()
	optimizer.ClipNorm = r.Clip
	return descent.Config{
		Problem: c.Problem, Start: c.Starts[c.Start], Period: 1, StepSize: r.Eta,
		StepSizeSchedule: descent.Schedule(r.EtaSchedule), Horizon: c.Horizon,
		Optimizer: optimizer, Seed: c.Seed, StartIndex: c.Start,
	}
}

// weighted creates a stepper for a method that follows a rule's weights.
func (r *Roster) weighted(method, rule string, config descent.Config, c *Course) (algo.Stepper, error) {
	build, ok := r.rules[rule]
	if !ok {
		return nil, fmt.Errorf("unknown method %q in this scene", rule)
	}
	w, err := build(weighting.Context{Objectives: r.objectives, Seed: c.Seed, Start: c.Start, LowerBounds: c.LowerBounds})
	if err != nil {
		return nil, err
	}
	r.refresh[method] = r.objectives * (1 + w.Needs().Extra)
	config.Weighting = w
	return descent.NewPSMGD(config)
}

// FixedWeights returns linear scalarization's weights for one start, counted from 0. They are equal, given, or
// uniformly distributed on the simplex.
func (r *Roster) FixedWeights(seed uint64, start int) []float64 {
	switch r.LSWeights {
	case EqualWeights:
		return param.Shares(nil, r.objectives)
	case GivenWeights:
		return []float64{r.LSLambda, 1 - r.LSLambda}
	}
	return runs.RandomWeights(seed, start, r.objectives)
}

// MostBackpropagations returns an upper bound on the cost of any track within the budget. An axis of backpropagations
// can end at this number.
func (r *Roster) MostBackpropagations(t *timeline.Timeline) int {
	budget, most := t.Budget(), 0
	for _, method := range r.On {
		cost := r.refresh[method] * budget
		if method == psmgd {
			refreshes := (budget + r.R - 1) / r.R
			cost = refreshes*r.refresh[method] + budget - refreshes
		}
		most = max(most, cost)
	}
	// R may have changed during the runs, so a run may already have spent more.
	for _, track := range t.Tracks() {
		most = max(most, track.Kept(track.Len()-1).BP)
	}
	return most
}

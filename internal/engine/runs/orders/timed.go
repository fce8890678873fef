package orders

import (
	"time"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/internal/engine/runs"
)

// Costs measures how long a step of each order takes on this computer. It also measures the same step in a fixed order;
// the difference is the cost of ordering.
//
// The two steppers take turns in batches, each from the runs' start. Times and differences are medians over the
// batches. The exact losses, which the page computes for its curves, are omitted, because they would hide the
// difference.
type Costs struct {
	runs.Turns
	Methods []*Cost
}

// Cost holds the measured times of one method's step.
type Cost struct {
	Method, Title string
	Own, Kept     runs.Timed // the method's step, and the same step in a fixed order
}

// unvalued is a problem without exact losses: its losses are always those at the start, where the timed runs stay.
// The losses cannot all be 0 instead, because some weightings divide by losses or take their logarithm.
type unvalued struct {
	ordering.Problem
	start []float64
}

// withoutValues returns p without its exact losses, except those at the start.
func withoutValues(p ordering.Problem, start []float64) *unvalued {
	_, m := p.Dims()
	u := &unvalued{p, make([]float64, m)}
	p.Values(u.start, start)
	return u
}

// Values implements algo.Problem. It stores the losses at the start.
func (u *unvalued) Values(f, _ []float64) { copy(f, u.start) }

// Costs returns a new measurement, not yet started, of the orders that are on.
func (r *Roster) Costs(c Course, clock func() time.Duration) *Costs {
	out := &Costs{Turns: runs.Turns{Clock: clock}}
	c.Problem = withoutValues(c.Problem, c.Start)
	for _, method := range r.On {
		own, kept, err := r.Timed(method, &c)
		if err != nil {
			out.Failed = err
			return out
		}
		one := &Cost{Method: method, Title: r.Title(method), Own: runs.Timed{Stepper: own}, Kept: runs.Timed{Stepper: kept}}
		out.Methods, out.Groups = append(out.Methods, one), append(out.Groups, []*runs.Timed{&one.Own, &one.Kept})
	}
	return out
}

// Split returns how many seconds of a step are spent on the update and on the ordering. The time for the ordering is at
// least 0. Both are NaN before the first measurement. Split compares batches measured in direct succession, because a
// computer's speed varies.
func (c *Cost) Split() (update, order float64) {
	own, kept := c.Own.Times, c.Kept.Times
	more := make([]float64, min(len(own), len(kept)))
	for i := range more {
		more[i] = own[i] - kept[i]
	}
	whole := runs.Median(own)
	order = min(max(0, runs.Median(more)), whole)
	return whole - order, order
}

// Timed creates two steppers with the same gradients and weights: one for the given method, and one with a fixed order.
// The difference in time is the cost of ordering. The steppers take such small steps that runs stay at their start.
func (r *Roster) Timed(method string, c *Course) (own, kept algo.Stepper, err error) {
	config, err := r.config(c)
	if err != nil {
		return nil, nil, err
	}
	const tiny = 1e-9
	config.Schedule, config.StepSize = ordering.Constant, tiny
	kind, each := Kind(method)
	config.Kind, config.Own = kind, each && !kind.Balances()
	if own, err = ordering.New(config); err != nil {
		return nil, nil, err
	}
	if config, err = r.config(c); err != nil { // each stepper needs its own weighting
		return nil, nil, err
	}
	config.Schedule, config.StepSize = ordering.Constant, tiny
	config.Kind, config.Own, config.EveryGradient = ordering.ShuffleOnce, each, each || kind.Balances()
	kept, err = ordering.New(config)
	return own, kept, err
}

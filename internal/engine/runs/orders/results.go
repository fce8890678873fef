package orders

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/timeline"
)

// Result describes a run in the scene's results.
type Result struct {
	Epochs []EpochResult `json:"epochs"`
	// Drawn is the number of signs that the self-balancing walk has drawn. Clipped is the number of these signs whose
	// probability was clamped to [0, 1]. Both are null for runs without a walk.
	Drawn   *int `json:"drawn"`
	Clipped *int `json:"clipped"`
}

// EpochResult is one epoch of a run.
type EpochResult struct {
	Epoch int `json:"epoch"`
	Steps int `json:"steps"` // number of steps taken; K once the epoch is complete
	// Order lists the examples for every objective, counted from 0. The lists are equal if the objectives share one
	// order.
	Order [][]int `json:"order"`
	// Signs has one row for every step, with one sign for every objective. The signs are equal if the objectives
	// share one order, and 0 if the orders do not depend on signs.
	Signs [][]float64 `json:"signs"`
	W     []float64   `json:"w"` // the point after the epoch's steps

	H         *float64 `json:"H"`
	SignBound *float64 `json:"A_sign"` // null if the orders do not depend on signs
	Drift     *float64 `json:"drift"`
	Wobble    *float64 `json:"wobble"` // null until the epoch is complete
}

// Marked returns, by run, the epoch of the step that led to the marker, or the first epoch at k = 0. For a run that
// ended before the marker, Marked returns the epoch of the run's last step. It omits runs whose seed differs from the
// selected run's and runs that cannot be read now.
func (r *Roster) Marked(t *timeline.Timeline) (map[string]Result, error) {
	out := map[string]Result{}
	for _, run := range t.Runs() {
		if run.StartIndex != t.Selected().Run.StartIndex {
			continue
		}
		k := Examples(run)
		number := max(min(t.Marker(), run.Last())-1, 0) / k
		var result Result
		err := t.Visit(run, min((number+1)*k, run.Last()), func(s algo.Stepper) { result = r.result(s.(*ordering.Descent)) })
		if timeline.NotNow(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		e := &result.Epochs[0]
		epochs := r.Epochs(run)
		if i, found := slices.BinarySearchFunc(epochs, number, func(e Epoch, number int) int { return e.Number - number }); found {
			e.H, e.Drift, e.Wobble = data.Known(epochs[i].H), data.Known(epochs[i].Drift), data.Known(epochs[i].Wobble)
		}
		out[run.Name] = result
	}
	return out, nil
}

// result returns the current epoch of a stepper.
func (r *Roster) result(s *ordering.Descent) Result {
	v := s.View()
	e := EpochResult{Epoch: s.Epoch(), Steps: s.Position(), W: slices.Clone(v.X), SignBound: data.Known(s.SignBound())}
	m := len(v.F)
	orders := s.Orders()
	for i := range m {
		e.Order = append(e.Order, slices.Clone(orders[min(i, len(orders)-1)]))
	}
	signs := make([]float64, s.Examples()*m)
	s.EpochSigns(signs)
	e.Signs = make([][]float64, e.Steps)
	for k := range e.Signs {
		e.Signs[k] = signs[k*m : (k+1)*m]
	}
	out := Result{Epochs: []EpochResult{e}}
	if clipped, drawn := s.Clipped(); drawn > 0 {
		out.Clipped, out.Drawn = &clipped, &drawn
	}
	return out
}

// All returns all epochs, by run. It replays the runs step by step.
func (r *Roster) All(t *timeline.Timeline, p ordering.Problem) (map[string]Result, error) {
	out := map[string]Result{}
	for _, run := range t.Runs() {
		meter := ordering.NewMeter(p, r.Batch)
		all := Result{Epochs: []EpochResult{}}
		for k := range run.Last() + 1 {
			err := t.Visit(run, k, func(visited algo.Stepper) {
				s := visited.(*ordering.Descent)
				heard := meter.Hear(s)
				if heard == nil || k < run.Last() && s.Position() < s.Examples() {
					return
				}
				so := r.result(s)
				e := so.Epochs[0]
				e.H, e.Drift, e.Wobble = data.Known(heard.H), data.Known(heard.Drift), data.Known(heard.Wobble)
				all.Epochs, all.Drawn, all.Clipped = append(all.Epochs, e), so.Drawn, so.Clipped
			})
			if err != nil {
				return nil, err
			}
		}
		out[run.Name] = all
	}
	return out, nil
}

package smooth

import (
	"fmt"
	"math"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

// BindNoise binds the noise of the gradients.
func (r *Roster) BindNoise(l *param.List) {
	l.Number(&r.Sigma, param.Descriptor{Name: "sigma", Symbol: "σ", Label: "Gradient noise", Min: 0, Max: 1, Step: 0.01,
		Help: "The standard deviation of the normal noise added to every entry of every gradient. All methods get the same noise. At 0 " +
			"gradients are exact."})
}

// BindStop binds the stationarity at which a run ends before its budget is spent.
func (r *Roster) BindStop(l *param.List) {
	r.Settings.BindStop(l, "ω",
		"A run ends as soon as the objectives can hardly improve together: when ω, the length of the shortest mixture of the exact "+
			"gradients, is at most this value. At 0 no run ends early.")
}

// BindAxis binds the quantity on the time axis of panels.
func (r *Roster) BindAxis(l *param.List) {
	l.Choice(&r.Axis, param.Descriptor{Name: "axis", Label: "Horizontal axis of charts over time", Effect: param.Display,
		Options: []param.Option{{Value: kinds.Iterations, Label: "iterations"}, {Value: kinds.Backpropagations, Label: "backpropagations"}},
		Help:    "The unit of the time axis. A backpropagation is one gradient of one scalar function; counting them shows a run’s cost."})
}

// Clock returns the chosen clock for the time axis of panels.
func (r *Roster) Clock(t *timeline.Timeline) func() *kinds.Clock {
	iterations, spent := kinds.IterationClock(t.Budget), kinds.BackpropagationClock(func() int { return r.MostBackpropagations(t) })
	return func() *kinds.Clock {
		if r.Axis == spent.Name {
			return spent
		}
		return iterations
	}
}

// History returns a panel with the chosen time axis and the symbols of l's parameters. The caller sets the panel's
// contents.
func (r *Roster) History(t *timeline.Timeline, l *param.List, name, heading string) *kinds.History {
	return &kinds.History{Name: name, Heading: heading, Timeline: t, Clock: r.Clock(t), Symbol: l.Symbol}
}

// WeightsHistory returns a History that shows the first objective's share in the weights of two objectives.
func (r *Roster) WeightsHistory(t *timeline.Timeline, l *param.List, heading string) *kinds.History {
	h := r.History(t, l, "weights", heading)
	h.Value = firstShare
	h.Y = func() axes.Axis {
		return axes.Axis{Label: "weight share of goal 1 (λ_{1} / (λ_{1} + λ_{2}))", Short: "weight of goal 1 (λ_{1})", Min: -0.04, Max: 1.14}
	}
	return h
}

// settledWithin is a tolerance. Weights count as settled once the first objective's share stays within this distance of
// its last value.
const settledWithin = 0.01

// DescribeWeights returns a sentence that says whether, and since which iteration, a run's weights have settled. The
// problem must have two objectives.
func DescribeWeights(r timeline.Track) string {
	last := r.Len() - 1
	for last >= 0 && math.IsNaN(firstShare(r.Kept(last))) {
		last--
	}
	if last < 0 {
		if r.Len() > 1 {
			return r.Label() + " has no weights, because its direction is not a weighted sum."
		}
		return r.Label() + " has not taken a step yet."
	}
	end, i := firstShare(r.Kept(last)), last
	for i > 0 && math.Abs(firstShare(r.Kept(i-1))-end) <= settledWithin {
		i--
	}
	switch {
	case i == 0:
		return fmt.Sprintf("%s has kept the same weights since its first step.", r.Label())
	case 10*i > 9*last:
		return fmt.Sprintf("The weights of %s are still moving.", r.Label())
	}
	return fmt.Sprintf("The weights of %s have stayed within %s of their current values since iteration %d.", r.Label(),
		timeline.Number(settledWithin),
		r.Kept(i).K)
}

// firstShare returns the first objective's share in the two weights of a row, or NaN if there are none. It divides by
// the sum, because some rules' weights do not sum to 1.
func firstShare(r timeline.Row) float64 {
	if r.Weights == nil {
		return math.NaN()
	}
	return r.Weights[0] / (r.Weights[0] + r.Weights[1])
}

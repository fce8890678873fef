package sampleorder

import (
	"math"

	"paretoplay/algo/ordering"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// factKinds lists the facts about every method at the marker, taken over the method's seeds, and the facts about the
// selected run. Facts about a method are NaN if the method does not run.
var factKinds = scene.FactKinds[*Scene]{
	{Name: "omega", Of: []string{"method"}, Text: "ω at the marker; geometric mean over the seeds.",
		Label: "ω",
		OfMethod: func(s *Scene, method string, _ int) float64 {
			return portable.Exp(runs.Average(runs.Each(s.Timeline(), method, func(r *timeline.Run) float64 {
				return portable.Log(s.Timeline().AtMarker(timeline.Track{Run: r}).Stationarity)
			})))
		}},
	{Name: "late", Of: []string{"method"}, Text: "ω at the first points of the last third of the epochs; geometric mean over these points " +
		"and the seeds.",
		Label: "ω over the last third of the epochs",
		OfMethod: func(s *Scene, method string, _ int) float64 {
			return portable.Exp(runs.Average(runs.Each(s.Timeline(), method, s.lateLog)))
		}},
	{Name: "nearer", Of: []string{"method"}, Text: "How many times smaller ω is in the last third of the epochs than with random orders; " +
		"geometric mean over the seeds.",
		Label:    "how many times smaller ω is than with random orders",
		OfMethod: func(s *Scene, method string, _ int) float64 { value, _ := s.nearer(method); return value }},
	{Name: "error", Of: []string{"method"}, Text: "The standard error over the seeds of how many times smaller ω is; 0 for one seed.",
		Label:    "standard error of how many times smaller ω is",
		OfMethod: func(s *Scene, method string, _ int) float64 { _, off := s.nearer(method); return off }},
	{Name: "ahead", Of: []string{"method"}, Text: "The number of seeds on which ω over the last third of the epochs is smaller than with " +
		"random orders.",
		Label: "seeds on which ω is smaller than with random orders", Unit: "seeds",
		OfMethod: func(s *Scene, method string, _ int) float64 { return s.below(method, s.lateLog) }},
	{Name: "calmer", Of: []string{"method"}, Text: "The number of seeds on which H over the last third of the epochs is smaller than with " +
		"random orders.",
		Label: "seeds on which H is smaller than with random orders", Unit: "seeds",
		OfMethod: func(s *Scene, method string, _ int) float64 { return s.below(method, s.lateStray) }},
	{Name: "loss", Of: []string{"method"}, Text: "The mean loss over all objectives and seeds.",
		Label: "mean of the losses",
		OfMethod: meanOf(func(s *Scene, r *timeline.Run) float64 {
			return runs.Average(s.Timeline().AtMarker(timeline.Track{Run: r}).F)
		})},
	{Name: "H", Of: []string{"method"}, Text: "How far the epoch’s order strays, in units of the longest gradient minus the mean; mean " +
		"over the seeds.",
		Label:    "H of the epoch’s order",
		OfMethod: meanOf(func(s *Scene, r *timeline.Run) float64 { return s.marked(r).H })},
	{Name: "lateH", Of: []string{"method"}, Text: "The mean of H over the last third of the epochs and over the seeds.",
		Label:    "H over the last third of the epochs",
		OfMethod: meanOf((*Scene).lateStray)},
	{Name: "A", Of: []string{"method"}, Text: "The largest size of the balanced sum in the epoch, in units of the longest summand; mean " +
		"over the seeds.",
		Label:    "A of the epoch’s signs",
		OfMethod: meanOf(func(s *Scene, r *timeline.Run) float64 { return s.marked(r).SignBound })},
	{Name: "drift", Of: []string{"method"}, Text: "How far the epoch leads away from its first point, divided by the step size; mean over " +
		"the seeds.",
		Label:    "distance within the epoch, in units of α",
		OfMethod: meanOf(func(s *Scene, r *timeline.Run) float64 { return s.marked(r).Drift })},
	{Name: "wobble", Of: []string{"method"}, Text: "How far the complete epoch leads off the straight path, in units of the step size; " +
		"mean over the seeds.",
		Label:    "distance off the straight path, in units of α",
		OfMethod: meanOf(func(s *Scene, r *timeline.Run) float64 { return s.marked(r).Wobble })},
	{Name: "slope", Of: []string{"method"}, Text: "The exponent with which the running mean of ω² depends on the number of steps, " +
		"over the second half of the epochs; mean over the seeds.",
		Label:    "exponent of the running mean of ω²",
		OfMethod: meanOf(func(s *Scene, r *timeline.Run) float64 { return orders.Slope(s.begun(r)) })},
	{Name: "clipped", Of: []string{"method"}, Text: "The share of all signs drawn so far that were certain, regardless of the marker; " +
		"mean over the seeds.",
		Label:    "share of the drawn signs that were certain",
		OfMethod: meanOf(func(_ *Scene, r *timeline.Run) float64 { return clipped(r) })},
	{Name: "stepsize", Of: []string{"method"}, Text: "The step size.",
		Label: "step size",
		OfMethod: meanOf(func(s *Scene, r *timeline.Run) float64 {
			return s.Timeline().ShownStep(timeline.Track{Run: r}).StepSize
		})},
	{Name: "bp", Of: []string{"method"}, Text: "The number of backpropagations of all the method’s runs.",
		Label: "backpropagations", Unit: "BP",
		OfMethod: func(s *Scene, method string, _ int) float64 {
			return runs.Sum(s.Timeline(), method, (*timeline.Timeline).AtMarker, runs.Spent)
		}},
	{Name: "epoch", Text: "The selected run’s epoch, counted from 0.",
		Label: "epoch of the selected run",
		Value: selected(func(now *orders.Step) int { return now.Epoch })},
	{Name: "front", Text: "How many of the epoch’s samples went to the front of the next order, summed over all orders.",
		Label: "samples at the front of the next order", Unit: "samples",
		Value: selected(func(now *orders.Step) int { return total(now.Left) })},
	{Name: "back", Text: "How many of the epoch’s samples went to the back of the next order, summed over all orders.",
		Label: "samples at the back of the next order", Unit: "samples",
		Value: selected(func(now *orders.Step) int { return total(now.Right) })},
}

// meanOf returns a function for a fact that averages a value over a method's runs.
func meanOf(of func(s *Scene, r *timeline.Run) float64) func(s *Scene, method string, _ int) float64 {
	return func(s *Scene, method string, _ int) float64 {
		return runs.Average(runs.Each(s.Timeline(), method, func(r *timeline.Run) float64 { return of(s, r) }))
	}
}

// selected returns a function for a fact about the selected run's displayed step. The fact is NaN if there is no such
// step.
func selected(value func(now *orders.Step) int) func(s *Scene, _ int) float64 {
	return func(s *Scene, _ int) float64 {
		if now := s.read.Step(); now != nil {
			return float64(value(now))
		}
		return math.NaN()
	}
}

// total returns the number of places that have been taken, summed over all orders.
func total(taken []int) (sum int) {
	for _, n := range taken {
		sum += n
	}
	return sum
}

// lateLog returns the mean of log ω over the last third of a run's epochs up to the marker. Each epoch contributes the
// value of ω at its first point.
func (s *Scene) lateLog(r *timeline.Run) float64 {
	return orders.LastThird(s.begun(r), func(e orders.Epoch) float64 { return portable.Log(e.Omega) })
}

// lateStray returns the mean of H over the last third of a run's epochs, counting only epochs with a step before the
// marker.
func (s *Scene) lateStray(r *timeline.Run) float64 {
	return orders.LastThird(s.stepped(r), func(e orders.Epoch) float64 { return e.H })
}

// below returns the number of seeds on which a value of a method's run is less than the same value of the run with
// random orders.
func (s *Scene) below(method string, of func(r *timeline.Run) float64) float64 {
	own, random := runs.Each(s.Timeline(), method, of), runs.Each(s.Timeline(), orders.Random, of)
	if len(random) == 0 || len(random) != len(own) {
		return math.NaN()
	}
	n := 0
	for i, v := range own {
		if v < random[i] {
			n++
		}
	}
	return float64(n)
}

// begun returns the epochs whose first point the run has reached by the marker.
func (s *Scene) begun(r *timeline.Run) []orders.Epoch {
	return s.values.Begun(r, s.Timeline().Marker())
}

// stepped returns the first epoch, and all later epochs in which the run has taken a step by the marker.
func (s *Scene) stepped(r *timeline.Run) []orders.Epoch {
	return s.values.Stepped(r, s.Timeline().Marker())
}

// nearer returns the factor by which ω is smaller than with random orders over the last third of the epochs. value is
// the geometric mean of this factor over pairs of runs with the same random draws. off is the standard error of this
// mean, or 0 if there is only one pair.
func (s *Scene) nearer(method string) (value, off float64) {
	own, random := runs.Each(s.Timeline(), method, s.lateLog), runs.Each(s.Timeline(), orders.Random, s.lateLog)
	if len(random) == 0 || len(random) != len(own) {
		return math.NaN(), math.NaN()
	}
	for i, v := range random {
		own[i] = portable.Exp(v - own[i])
	}
	mean, _, high := kinds.GeometricMean(own)
	return mean, mean * portable.Log(high/mean)
}

// marked returns the epoch of the step that led a run to the marker. If that epoch was dropped, it returns the last
// kept epoch before it. Before the first step the epoch's values are NaN.
func (s *Scene) marked(r *timeline.Run) orders.Epoch {
	list := s.stepped(r)
	return list[len(list)-1]
}

// clipped returns the share of a run's random signs so far whose probability was clipped to [0, 1], or NaN if no signs
// were drawn.
func clipped(r *timeline.Run) float64 {
	certain, drawn := r.Stepper.(*ordering.Descent).Clipped()
	return float64(certain) / float64(drawn)
}

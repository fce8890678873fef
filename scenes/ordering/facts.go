package ordering

import (
	"math"

	"paretoplay/algo/ordering"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/orders"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// Facts implements scene.Scene: of every method at the marker, over its seeds; NaN for one that
// does not run.
func (s *Scene) Facts() []scene.Fact { return s.facts }

// listFacts lists the facts of every method, and those of the selected run.
func (s *Scene) listFacts() []scene.Fact {
	var out []scene.Fact
	for _, m := range Methods {
		add := func(name, label, unit string, value func() float64) {
			out = append(out, scene.Fact{Name: name + "." + m.ID, Label: m.Title + ": " + label, Unit: unit, Value: value})
		}
		mean := func(of func(r *timeline.Run) float64) func() float64 {
			return func() float64 { return average(s.each(m.ID, of)) }
		}
		add("omega", "ω", "", func() float64 {
			return math.Exp(mean(func(r *timeline.Run) float64 {
				return math.Log(s.Timeline().AtMarker(timeline.Track{Run: r}).Stationarity)
			})())
		})
		add("late", "ω over the last third of the epochs", "", func() float64 { return math.Exp(mean(s.lateLog)()) })
		add("nearer", "how many times smaller ω is than with random orders", "", func() float64 { value, _ := s.nearer(m.ID); return value })
		add("error", "standard error of that", "", func() float64 { _, off := s.nearer(m.ID); return off })
		add("loss", "mean of the losses", "", mean(func(r *timeline.Run) float64 {
			return average(s.Timeline().AtMarker(timeline.Track{Run: r}).F)
		}))
		add("H", "H of the epoch’s order", "", mean(func(r *timeline.Run) float64 { return s.marked(r).H }))
		add("lateH", "H over the last third of the epochs", "", mean(s.lateH))
		add("A", "A of the epoch’s signs", "", mean(func(r *timeline.Run) float64 { return s.marked(r).SignBound }))
		add("drift", "way within the epoch, in units of α", "", mean(func(r *timeline.Run) float64 { return s.marked(r).Drift }))
		add("wobble", "way off the straight one, in units of α", "", mean(func(r *timeline.Run) float64 { return s.marked(r).Wobble }))
		add("slope", "exponent of the running mean of ω²", "", mean(s.slope))
		add("clipped", "share of the drawn signs that were certain", "", mean(clipped))
		add("stepsize", "step size", "", mean(func(r *timeline.Run) float64 {
			return s.Timeline().ShownStep(timeline.Track{Run: r}).StepSize
		}))
		add("bp", "backpropagations", "BP", func() float64 { return race.Sum(s.Timeline(), m.ID, (*timeline.Timeline).AtMarker, race.Spent) })
	}
	selected := func(name, label, unit string, value func(now *step) int) {
		out = append(out, scene.Fact{Name: name, Label: label, Unit: unit, Value: func() float64 {
			if now := s.stepNow(); now != nil {
				return float64(value(now))
			}
			return math.NaN()
		}})
	}
	selected("epoch", "epoch of the selected run", "", func(now *step) int { return now.epoch })
	selected("front", "samples of it that went to the front", "samples", func(now *step) int { return total(now.left) })
	selected("back", "samples of it that went to the back", "samples", func(now *step) int { return total(now.right) })
	return out
}

// total counts the places that are taken in all orders.
func total(taken []int) (sum int) {
	for _, n := range taken {
		sum += n
	}
	return sum
}

// each are the numbers of a method's runs, in order.
func (s *Scene) each(method string, of func(r *timeline.Run) float64) (out []float64) {
	for _, r := range s.Timeline().Runs() {
		if r.Method == method {
			out = append(out, of(r))
		}
	}
	return out
}

// begun are the epochs whose first points a run has come to at the marker.
func (s *Scene) begun(r *timeline.Run) []orders.Epoch {
	list, k := s.values.Epochs(r), orders.Examples(r)
	n := len(list)
	for n > 1 && list[n-1].Number*k > s.Timeline().Marker() {
		n--
	}
	return list[:n]
}

// lastThird are the epochs of a list whose numbers are in the last third.
func lastThird(list []orders.Epoch) []orders.Epoch {
	last := list[len(list)-1].Number
	from := len(list) - 1
	for from > 0 && 3*list[from-1].Number > 2*last {
		from--
	}
	return list[from:]
}

// lateLog is the mean of log ω at the first points of the last third of the epochs.
func (s *Scene) lateLog(r *timeline.Run) (mean float64) {
	list := lastThird(s.begun(r))
	for _, e := range list {
		mean += math.Log(e.Omega) / float64(len(list))
	}
	return mean
}

// lateH is the mean of H over the last third of the epochs in which a step was made at the marker,
// NaN before the first one.
func (s *Scene) lateH(r *timeline.Run) (mean float64) {
	list := lastThird(s.stepped(r))
	for _, e := range list {
		mean += e.H / float64(len(list))
	}
	return mean
}

// nearer is how many times smaller ω is than with random orders over the last third of the epochs:
// the geometric mean over runs that share what is drawn, and its standard error, 0 for one run.
func (s *Scene) nearer(method string) (value, off float64) {
	own, random := s.each(method, s.lateLog), s.each(orders.Random, s.lateLog)
	if len(random) == 0 || len(random) != len(own) {
		return math.NaN(), math.NaN()
	}
	for i, v := range random {
		own[i] = math.Exp(v - own[i])
	}
	mean, _, high := panel.GeometricMean(own)
	return mean, mean * math.Log(high/mean)
}

// stepped are the epochs in which a run has made a step at the marker, and the first one.
func (s *Scene) stepped(r *timeline.Run) []orders.Epoch {
	list, k := s.begun(r), min(s.Timeline().Marker(), r.Last())
	if n := len(list) - 1; n > 0 && list[n].Number*orders.Examples(r) == k {
		return list[:n]
	}
	return list
}

// marked is what the epoch of the step that led a run to the marker came to so far, NaN before the
// first step; of many epochs the nearest before it that is kept.
func (s *Scene) marked(r *timeline.Run) orders.Epoch {
	list := s.stepped(r)
	return list[len(list)-1]
}

// slope is the exponent with which the running mean of ω² falls with the number of steps, between
// half of the epochs that have begun and all of them.
func (s *Scene) slope(r *timeline.Run) float64 {
	list := s.begun(r)
	last := list[len(list)-1]
	half := list[len(list)/2]
	if half.Number == 0 || half.Number == last.Number {
		return math.NaN()
	}
	return math.Log(last.MeanSquare/half.MeanSquare) / math.Log(float64(last.Number+1)/float64(half.Number+1))
}

// clipped is the share of the signs that a run has drawn so far of which it was certain, NaN where
// none were drawn.
func clipped(r *timeline.Run) float64 {
	certain, drawn := r.Stepper.(*ordering.Descent).Clipped()
	return float64(certain) / float64(drawn)
}

// average is NaN of no numbers.
func average(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

package networktasks

import (
	"math"
	"slices"

	"paretoplay/algo"
	model "paretoplay/algo/problem/network"
	"paretoplay/internal/engine/timeline"
)

const (
	onShow = 6   // number of test pictures for which the answers are recorded
	tests  = 512 // number of test pairs
	every  = 10  // steps from one test to the next
)

// These are the names of the records that describe the answers to test pictures. Some records cover every task, after
// every tenth step; others cover a few pictures, at every step.
const (
	accuracyName = "accuracy"
	balancedName = "balanced"
	lossName     = "testloss"
	chancesName  = "probabilities" // probabilities of all outputs, picture by picture
)

// examine sets up a run to record its network's answers.
func examine(run *timeline.Run, net *model.Network) {
	_, tasks := net.Dims()
	outputs := net.Outputs()
	run.Unlocated = true
	run.AtPoint = []timeline.Extra{{Name: accuracyName, Size: tasks}, {Name: balancedName, Size: tasks}, {Name: lossName, Size: tasks},
		{Name: chancesName, Size: onShow * outputs, Inner: true}}
	hidden := net.Hidden()
	run.Labour = onShow * (model.Pixels*hidden[0] + hidden[0]*hidden[1] + hidden[1]*outputs)
	score := new(model.Score)
	run.MeasurePoint = func(v algo.View, _, further []float64) {
		chances := further[3*tasks:]
		for i := range onShow {
			net.Probabilities(chances[i*outputs:(i+1)*outputs], v.X, model.Test, i)
		}
		if v.K%every != 0 || v.K == 0 { // skips untrained networks, so that the scene opens quickly
			return
		}
		score.Reset(net)
		net.Judge(score, v.X, model.Test, 0, net.Size(model.Test))
		for i := range tasks {
			further[i], further[tasks+i], further[2*tasks+i] = score.Accuracy(i), score.Balanced(i), score.Loss(i)
		}
	}
}

// tested returns a run's last row up to iteration k at which its network was tested. If there is none, ok is false.
func tested(r *timeline.Run, k int) (row timeline.Row, ok bool) {
	for i := r.Index(min(k, r.Last())); i >= 0; i-- {
		if row := r.Kept(i); row.List(accuracyName) != nil {
			return row, true
		}
	}
	return timeline.Row{}, false
}

// measureOf returns a measure of a row, or NaN if the network was not tested at the row's iteration.
func measureOf(row timeline.Row, measure string) float64 {
	switch measure {
	case measureMean:
		return average(row.List(accuracyName))
	case measureBalanced:
		return average(row.List(balancedName))
	case measureWorst:
		if list := row.List(balancedName); list != nil {
			return slices.Min(list)
		}
		return math.NaN()
	}
	return average(row.List(lossName))
}

// average returns the mean of a list, or NaN if the list is empty.
func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// atMarker returns a measure from the last test of a run's network up to the marker.
func (s *Scene) atMarker(r *timeline.Run, measure string) float64 {
	row, ok := tested(r, s.Timeline().Marker())
	if !ok {
		return math.NaN()
	}
	return measureOf(row, measure)
}

// right reports whether the probabilities for a picture favour the right answer to a task, and returns the probability
// of that answer.
func (s *Scene) right(chances []float64, picture, task int) (right bool, share float64) {
	first, count := s.net.Output(task)
	answer := s.net.Answer(model.Test, picture, task)
	of := chances[first : first+count]
	if count == 1 {
		if share = of[0]; answer == 0 {
			share = 1 - share
		}
		return share > 0.5 || share == 0.5 && answer == 0, share
	}
	best := 0
	for i, p := range of {
		if p > of[best] {
			best = i
		}
	}
	return best == answer, of[answer]
}

// answers returns a run's probabilities for the current picture at the marker.
func (s *Scene) answers(r *timeline.Run) []float64 {
	outputs := s.net.Outputs()
	return s.Timeline().AtMarker(timeline.Track{Run: r}).List(chancesName)[s.picture()*outputs:][:outputs]
}

// picture returns the index of the current picture, counted from 0.
func (s *Scene) picture() int { return min(max(s.values.Picture, 1), onShow) - 1 }

// prints stores copies of the first layer of a run's network: the latest, and at most maxPrints earlier ones.
type prints struct {
	units  int
	every  int // steps between prints
	kept   []print
	latest print
}

// print is a copy of a first layer's weights at an iteration.
type print struct {
	k       int
	weights []float32
}

const (
	maxPrints   = 64
	firstPrints = 9 // initial number of steps between prints
)

// newPrints returns the prints of a run and keeps them up to date as the run goes on.
func newPrints(run *timeline.Run, units int) *prints {
	p := &prints{units: units, every: firstPrints}
	run.Observe = func(v algo.View) { p.take(v.K, v.X[:units*model.Pixels]) }
	return p
}

func (p *prints) take(k int, weights []float64) {
	if p.latest.weights == nil {
		p.latest.weights = make([]float32, len(weights))
	}
	p.latest.k = k
	for i, w := range weights {
		p.latest.weights[i] = float32(w)
	}
	if k%p.every != 0 {
		return
	}
	if len(p.kept) == maxPrints {
		p.every *= 2
		p.kept = slices.DeleteFunc(p.kept, func(one print) bool { return one.k%p.every != 0 })
		if k%p.every != 0 {
			return
		}
	}
	p.kept = append(p.kept, print{k, slices.Clone(p.latest.weights)})
}

// at returns the last print up to iteration k.
func (p *prints) at(k int) print {
	if k >= p.latest.k {
		return p.latest
	}
	i, found := slices.BinarySearchFunc(p.kept, k, func(one print, k int) int { return one.k - k })
	if !found {
		i--
	}
	return p.kept[i]
}

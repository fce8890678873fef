package blocks

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/scenes/race"
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// Facts implements scene.Scene.
func (s *Scene) Facts() []scene.Fact { return s.facts }

// measure is a fact of a method: the mean over its seeds of a number of their rows at the marker.
type measure struct {
	name, label, unit string
	of                func(s *Scene, r timeline.Row) float64
}

var measures = []measure{
	{"gap", "how far F_m is above its least value", "", func(s *Scene, r timeline.Row) float64 { return s.gap(r.F) }},
	{"distance", "distance from the minimiser of F_m", "", func(s *Scene, r timeline.Row) float64 { return distance(r.X, s.goal.minimiser) }},
	{"coordinates", "coordinates of gradients", "", func(_ *Scene, r timeline.Row) float64 { return r.Number(sweeps.CoordinatesName) }},
	{"bp", "backpropagations", "backpropagations", func(_ *Scene, r timeline.Row) float64 { return race.Spent(r) }},
	{"spent", "coordinates of gradients, to 1 % of the first gap", "", (*Scene).spent},
	{"bias", "how far its mean stays off the minimiser", "", func(s *Scene, r timeline.Row) float64 { return s.roundOf(r.Run()).bias }},
	{"diameter", "how wide an outer iteration goes round", "", func(s *Scene, r timeline.Row) float64 { return s.roundOf(r.Run()).width }},
	{"cyclebias", "the bias that follows from α and m", "", func(s *Scene, r timeline.Row) float64 { return s.endOf(r.Run().Method).bias }},
	{"cyclediameter", "the width that follows from α and m", "", func(s *Scene, r timeline.Row) float64 {
		return s.endOf(r.Run().Method).width
	}},
	{"average", "F_m of the average above its least value", "", func(s *Scene, r timeline.Row) float64 { return s.turnNow(r.Run()).average }},
	{"random", "F_m of the random iterate above its least value, on average", "", func(s *Scene, r timeline.Row) float64 {
		return s.turnNow(r.Run()).random
	}},
}

// turnNow is where a run stood after its last complete outer iteration before the marker.
func (s *Scene) turnNow(r *timeline.Run) turn {
	turns := s.turnsOf(r)
	return turns[len(turns)-1]
}

// entry is one of a list, none beyond its end.
func entry(list []float64, i int) float64 {
	if i >= len(list) {
		return math.NaN()
	}
	return list[i]
}

// listFacts lists the facts of every method, and those of the frequencies and the theorems.
func (s *Scene) listFacts() (out []scene.Fact) {
	for _, method := range Methods {
		all := slices.Clone(measures)
		for k := range maxObjectives {
			all = append(all, measure{fmt.Sprintf("endF.%d", k+1), fmt.Sprintf("f%d", k+1), "", func(_ *Scene, r timeline.Row) float64 {
				return entry(r.F, k)
			}})
		}
		for _, m := range all {
			name, further, _ := strings.Cut(m.name, ".")
			name += "." + method.ID
			if further != "" {
				name += "." + further
			}
			out = append(out, scene.Fact{Name: name, Label: method.Title + ": " + m.label, Unit: m.unit, Value: func() float64 {
				return race.Mean(s.Timeline(), method.ID, (*timeline.Timeline).AtMarker, func(r timeline.Row) float64 { return m.of(s, r) })
			}})
		}
	}
	for k := range maxObjectives {
		out = append(out, scene.Fact{Name: fmt.Sprintf("weight.%d", k+1), Label: fmt.Sprintf("weight of f%d, m%d/p", k+1, k+1),
			Value: func() float64 {
				if s.problem == nil {
					return math.NaN()
				}
				return entry(s.goal.weights, k)
			}})
	}
	for i := range theorems {
		th := &theorems[i]
		title := "Theorem " + th.number()
		out = append(out, scene.Fact{Name: "bound." + th.name, Label: title + ": its bound of " + th.what, Value: func() float64 {
			bound, _ := s.bounded(th)
			return bound
		}}, scene.Fact{Name: "loose." + th.name, Label: title + ": how many times too large", Value: func() float64 {
			bound, measured := s.bounded(th)
			return bound / measured
		}})
	}
	return append(out, scene.Fact{Name: "turns", Label: "p, the turns of all objectives on a block", Value: func() float64 {
		if s.problem == nil {
			return math.NaN()
		}
		_, p := s.turns()
		return float64(p)
	}})
}

// spent is how many coordinates of gradients a run had spent when F_m was first as near to its
// least value as 1 % of where it began, NaN if it is not by a row.
func (s *Scene) spent(now timeline.Row) float64 {
	r := now.Run()
	within := 0.01 * s.gap(r.Kept(0).F)
	for i := 0; i < r.Len() && r.Kept(i).K <= now.K; i++ {
		if row := r.Kept(i); s.gap(row.F) <= within {
			return row.Number(sweeps.CoordinatesName)
		}
	}
	return math.NaN()
}

// factHelp says what the facts are.
var factHelp = []scene.FactHelp{
	{Name: "gap", Of: []string{"method"}, Text: "How far F_m is above its least value at the marker, mean of the seeds."},
	{Name: "distance", Of: []string{"method"}, Text: "The distance from the minimiser of F_m, mean of the seeds."},
	{Name: "coordinates", Of: []string{"method"}, Text: "How many coordinates of gradients a run has spent."},
	{Name: "bp", Of: []string{"method"}, Text: "How many backpropagations a run has spent."},
	{Name: "spent", Of: []string{"method"}, Text: "How many it had spent when F_m was first as near to its least value as 1 % of where it " +
		"began; mean of the seeds, none while one of them is not."},
	{Name: "endF", Of: []string{"method", "objective"}, Text: "The value of an objective, from 1, mean of the seeds."},
	{Name: "bias", Of: []string{"method"}, Text: "How far the mean of the points between outer iterations, over the second half of them, is " +
		"from the minimiser of F_m; mean of the seeds."},
	{Name: "diameter", Of: []string{"method"}, Text: "How far apart two points of an outer iteration are at most, mean over the second half " +
		"of them and the seeds."},
	{Name: "cyclebias", Of: []string{"method"}, Text: "What bias comes to in the end with a constant step size and turns that have always " +
		"the same order, computed; contiguous where they are drawn."},
	{Name: "cyclediameter", Of: []string{"method"}, Text: "What diameter comes to likewise."},
	{Name: "average", Of: []string{"method"}, Text: "How far F_m of the average iterate is above its least value, mean of the seeds."},
	{Name: "random", Of: []string{"method"}, Text: "How far F_m of the random iterate is above its least value on average; mean of seeds."},
	{Name: "bound", Of: []string{"theorem"}, Text: "What a theorem, 31, 32 or 33, allows the selected run, where it is about its step sizes."},
	{Name: "loose", Of: []string{"theorem"}, Text: "How many times that is what the run has."},
	{Name: "weight", Of: []string{"objective"}, Text: "The weight of an objective in F_m, its share of the turns."},
	{Name: "turns", Text: "p, the turns of all objectives on a block."},
}

package blocks

import (
	"fmt"
	"math"

	"paretoplay/scenes/race"
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// Facts implements scene.Scene.
func (s *Scene) Facts() []scene.Fact { return s.facts }

// listFacts lists the facts of every method, means over its seeds at the marker, and those of
// the frequencies.
func (s *Scene) listFacts() []scene.Fact {
	var out []scene.Fact
	for _, m := range Methods {
		add := func(name, label, unit string, value func() float64) {
			out = append(out, scene.Fact{Name: name + "." + m.ID, Label: m.Title + ": " + label, Unit: unit, Value: value})
		}
		mean := func(value func(timeline.Row) float64) func() float64 {
			return func() float64 { return race.Mean(s.Timeline(), m.ID, (*timeline.Timeline).AtMarker, value) }
		}
		add("gap", "how far F_m is above its least value", "", mean(func(r timeline.Row) float64 { return s.gap(r.F) }))
		add("distance", "distance from the minimiser of F_m", "", mean(func(r timeline.Row) float64 { return distance(r.X, s.goal.minimiser) }))
		add("coordinates", "coordinates of gradients", "", mean(func(r timeline.Row) float64 { return r.Number(sweeps.CoordinatesName) }))
		add("bp", "backpropagations", "backpropagations", mean(race.Spent))
		for k := range maxObjectives {
			out = append(out, scene.Fact{Name: fmt.Sprintf("endF.%s.%d", m.ID, k+1), Label: fmt.Sprintf("%s: f%d", m.Title, k+1),
				Value: mean(func(r timeline.Row) float64 {
					if k >= len(r.F) {
						return math.NaN()
					}
					return r.F[k]
				})})
		}
	}
	for k := range maxObjectives {
		out = append(out, scene.Fact{Name: fmt.Sprintf("weight.%d", k+1), Label: fmt.Sprintf("weight of f%d, m%d/p", k+1, k+1), Value: func() float64 {
			if s.problem == nil || k >= len(s.goal.weights) {
				return math.NaN()
			}
			return s.goal.weights[k]
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

// factHelp says what the facts are.
var factHelp = []scene.FactHelp{
	{Name: "gap", Of: []string{"method"}, Text: "How far F_m is above its least value at the marker, mean of the seeds."},
	{Name: "distance", Of: []string{"method"}, Text: "The distance from the minimiser of F_m, mean of the seeds."},
	{Name: "coordinates", Of: []string{"method"}, Text: "How many coordinates of gradients a run has spent."},
	{Name: "bp", Of: []string{"method"}, Text: "How many backpropagations a run has spent."},
	{Name: "endF", Of: []string{"method", "objective"}, Text: "The value of an objective, from 1, mean of the seeds."},
	{Name: "weight", Of: []string{"objective"}, Text: "The weight of an objective in F_m, its share of the turns."},
	{Name: "turns", Text: "p, the turns of all objectives on a block."},
}

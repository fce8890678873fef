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
		add("spent", "coordinates of gradients, to 1 % of the first gap", "", mean(s.spent))
		runs := func(value func(r *timeline.Run) float64) func() float64 {
			return mean(func(r timeline.Row) float64 { return value(r.Run()) })
		}
		add("bias", "how far its mean stays off the minimiser", "", runs(func(r *timeline.Run) float64 { return s.roundOf(r).bias }))
		add("diameter", "how wide an outer iteration goes round", "", runs(func(r *timeline.Run) float64 { return s.roundOf(r).width }))
		add("cyclebias", "the bias that follows from α and m", "", func() float64 { return s.endOf(m.ID).bias })
		add("cyclediameter", "the width that follows from α and m", "", func() float64 { return s.endOf(m.ID).width })
		add("average", "F_m of the average above its least value", "", runs(func(r *timeline.Run) float64 {
			turns := s.turnsOf(r)
			return turns[len(turns)-1].average
		}))
		add("random", "F_m of the random iterate above its least value, on average", "", runs(func(r *timeline.Run) float64 {
			turns := s.turnsOf(r)
			return turns[len(turns)-1].random
		}))
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
	for i := range theorems {
		th := &theorems[i]
		out = append(out, scene.Fact{Name: "bound." + th.name, Label: "Theorem " + th.number() + ": its bound of " + th.what, Value: func() float64 {
			bound, _ := s.bounded(th)
			return bound
		}}, scene.Fact{Name: "loose." + th.name, Label: "Theorem " + th.number() + ": how many times too large", Value: func() float64 {
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
	{Name: "diameter", Of: []string{"method"}, Text: "How far apart two points of an outer iteration are at most, mean over the second half of " +
		"them and the seeds."},
	{Name: "cyclebias", Of: []string{"method"}, Text: "What bias comes to in the end with a constant step size and turns that have always the " +
		"same order, computed; contiguous where they are drawn."},
	{Name: "cyclediameter", Of: []string{"method"}, Text: "What diameter comes to likewise."},
	{Name: "average", Of: []string{"method"}, Text: "How far F_m of the average iterate is above its least value, mean of the seeds."},
	{Name: "random", Of: []string{"method"}, Text: "How far F_m of the random iterate is above its least value on average, mean of the seeds."},
	{Name: "bound", Of: []string{"theorem"}, Text: "What a theorem, 31, 32 or 33, allows the selected run, where it is about its step sizes."},
	{Name: "loose", Of: []string{"theorem"}, Text: "How many times that is what the run has."},
	{Name: "weight", Of: []string{"objective"}, Text: "The weight of an objective in F_m, its share of the turns."},
	{Name: "turns", Text: "p, the turns of all objectives on a block."},
}

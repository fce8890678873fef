package blocksteps

import (
	"math"

	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// factKinds are the facts of every method, of the frequencies and of the theorems.
var factKinds = append(scene.FactKinds[*Scene]{
	{Name: "gap", Of: []string{"method"}, Text: "How far F_m is above its least value at the marker, mean of the seeds.",
		Label:    "how far F_m is above its least value",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.goal.Above(r.F) })},
	{Name: "distance", Of: []string{"method"}, Text: "The distance from the minimiser of F_m, mean of the seeds.",
		Label:    "distance from the minimiser of F_m",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.goal.Away(r.X) })},
	{Name: "coordinates", Of: []string{"method"}, Text: "How many coordinates of gradients a run has spent.",
		Label:    "coordinates of gradients",
		OfMethod: meanOf(func(_ *Scene, r timeline.Row) float64 { return r.Number(sweeps.CoordinatesName) })},
	{Name: "bp", Of: []string{"method"}, Text: "How many backpropagations a run has spent.",
		Label: "backpropagations", Unit: "backpropagations",
		OfMethod: meanOf(func(_ *Scene, r timeline.Row) float64 { return runs.Spent(r) })},
	{Name: "spent", Of: []string{"method"}, Text: "How many it had spent when F_m was first as near to its least value as 1 % of where it " +
		"began; mean of the seeds, none while one of them is not.",
		Label:    "coordinates of gradients, to 1 % of the first gap",
		OfMethod: meanOf((*Scene).spent)},
	{Name: "endF", Of: []string{"method", "objective"}, Text: "The value of an objective, from 1, mean of the seeds.",
		Label: "f%s",
		Over:  scene.Counted(maxObjectives, nil), After: "random",
		OfMethod: func(s *Scene, method string, i int) float64 {
			return runs.Mean(s.Timeline(), method, (*timeline.Timeline).AtMarker, func(r timeline.Row) float64 { return entry(r.F, i) })
		}},
	{Name: "bias", Of: []string{"method"}, Text: "How far the mean of the points between outer iterations, over the second half of them, is " +
		"from the minimiser of F_m; mean of the seeds.",
		Label:    "how far its mean stays off the minimiser",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.ways.Round(r.Run()).Bias })},
	{Name: "diameter", Of: []string{"method"}, Text: "How far apart two points of an outer iteration are at most, mean over the second half " +
		"of them and the seeds.",
		Label:    "how wide an outer iteration goes round",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.ways.Round(r.Run()).Width })},
	{Name: "cyclebias", Of: []string{"method"}, Text: "What bias comes to in the end with a constant step size and turns that have always " +
		"the same order, computed; contiguous where they are drawn.",
		Label:    "the bias that follows from α and m",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.endOf(r.Run().Method).Bias })},
	{Name: "cyclediameter", Of: []string{"method"}, Text: "What diameter comes to likewise.",
		Label:    "the width that follows from α and m",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.endOf(r.Run().Method).Width })},
	{Name: "average", Of: []string{"method"}, Text: "How far F_m of the average iterate is above its least value, mean of the seeds.",
		Label:    "F_m of the average above its least value",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.ways.Now(r.Run()).Average })},
	{Name: "random", Of: []string{"method"}, Text: "How far F_m of the random iterate is above its least value on average; mean of seeds.",
		Label:    "F_m of the random iterate above its least value, on average",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.ways.Now(r.Run()).Random })},
	{Name: "bound", Of: []string{"theorem"}, Text: "What a theorem, 31, 32 or 33, allows the selected run, where it is about its step sizes.",
		List: (*Scene).theoremFacts},
	{Name: "loose", Of: []string{"theorem"}, Text: "How many times that is what the run has."},
	{Name: "weight", Of: []string{"objective"}, Text: "The weight of an objective in F_m, its share of the turns.",
		Label: "weight of f%[1]s, m%[1]s/p",
		Over:  scene.Counted(maxObjectives, nil), After: "endF",
		Value: func(s *Scene, i int) float64 {
			if s.problem == nil {
				return math.NaN()
			}
			return entry(s.goal.Weights, i)
		}},
	{Name: "turns", Text: "p, the turns of all objectives on a block.",
		Label: "p, the turns of all objectives on a block",
		Value: func(s *Scene, _ int) float64 {
			if s.problem == nil {
				return math.NaN()
			}
			_, p := s.turns()
			return float64(p)
		}},
}, runs.WalkFacts(3, func(s *Scene) *runs.Walk { return &s.values.Walk })...)

// meanOf returns a fact of a method: the mean, over its seeds, of a number of their rows at the marker.
func meanOf(of func(s *Scene, r timeline.Row) float64) func(s *Scene, method string, _ int) float64 {
	return func(s *Scene, method string, _ int) float64 {
		return runs.Mean(s.Timeline(), method, (*timeline.Timeline).AtMarker, func(r timeline.Row) float64 { return of(s, r) })
	}
}

// theoremFacts lists the theorems' bounds, and the factors by which these are too large.
func (s *Scene) theoremFacts() (out []scene.Fact) {
	for i := range sweeps.Theorems {
		th := &sweeps.Theorems[i]
		title := "Theorem " + th.Number()
		out = append(out, scene.Fact{Name: "bound." + th.Name, Label: title + ": its bound of " + th.What, Value: func() float64 {
			bound, _ := s.bounded(th)
			return bound
		}}, scene.Fact{Name: "loose." + th.Name, Label: title + ": how many times too large", Value: func() float64 {
			bound, measured := s.bounded(th)
			return bound / measured
		}})
	}
	return out
}

// entry returns an entry of a list, or NaN beyond its end.
func entry(list []float64, i int) float64 {
	if i >= len(list) {
		return math.NaN()
	}
	return list[i]
}

// spent returns how many coordinates of gradients a run had spent when F_m's height above its minimum first fell to 1 % of its
// height at the start. It returns NaN if that has not happened by this row.
func (s *Scene) spent(now timeline.Row) float64 {
	r := now.Run()
	within := 0.01 * s.goal.Above(r.Kept(0).F)
	for i := 0; i < r.Len() && r.Kept(i).K <= now.K; i++ {
		if row := r.Kept(i); s.goal.Above(row.F) <= within {
			return row.Number(sweeps.CoordinatesName)
		}
	}
	return math.NaN()
}

package blocksteps

import (
	"math"

	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// factKinds lists the facts about every method, the frequencies and the theorems.
var factKinds = append(scene.FactKinds[*Scene]{
	{Name: "gap", Of: []string{"method"}, Text: "How far F_m is above its minimum at the marker; mean over the seeds.",
		Label:    "how far F_m is above its minimum",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.goal.Above(r.F) })},
	{Name: "distance", Of: []string{"method"}, Text: "The distance from the minimiser of F_m; mean over the seeds.",
		Label:    "distance from the minimiser of F_m",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.goal.Away(r.X) })},
	{Name: "coordinates", Of: []string{"method"}, Text: "The number of gradient coordinates that a run has computed.",
		Label:    "coordinates of gradients",
		OfMethod: meanOf(func(_ *Scene, r timeline.Row) float64 { return r.Number(sweeps.CoordinatesName) })},
	{Name: "bp", Of: []string{"method"}, Text: "The number of backpropagations that a run has computed.",
		Label: "backpropagations", Unit: "backpropagations",
		OfMethod: meanOf(func(_ *Scene, r timeline.Row) float64 { return runs.Spent(r) })},
	{Name: "spent", Of: []string{"method"}, Text: "How many gradient coordinates a run had computed when F_m’s height above its minimum " +
		"first fell to 1 % of the initial height; mean over the seeds, unknown until all runs have reached 1 %.",
		Label:    "gradient coordinates needed to reach 1 % of the initial gap",
		OfMethod: meanOf((*Scene).spent)},
	{Name: "endF", Of: []string{"method", "objective"}, Text: "The value of an objective (numbered from 1); mean over the seeds.",
		Label: "f%s",
		Over:  scene.Counted(maxObjectives, nil), After: "random",
		OfMethod: func(s *Scene, method string, i int) float64 {
			return runs.Mean(s.Timeline(), method, (*timeline.Timeline).AtMarker, func(r timeline.Row) float64 { return entry(r.F, i) })
		}},
	{Name: "bias", Of: []string{"method"}, Text: "The distance from the minimiser of F_m to the mean of the points where outer " +
		"iterations begin, over the second half of the iterations; mean over the seeds.",
		Label:    "distance of the run’s mean from the minimiser",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.ways.Round(r.Run()).Bias })},
	{Name: "diameter", Of: []string{"method"}, Text: "The largest distance between two points of an outer iteration; mean over the second " +
		"half of the iterations and over the seeds.",
		Label:    "width of an outer iteration",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.ways.Round(r.Run()).Width })},
	{Name: "cyclebias", Of: []string{"method"}, Text: "The final bias, computed for a constant step size and a fixed order of turns: the " +
		"contiguous order if the runs’ orders are random.",
		Label:    "the bias that follows from α and m",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.endOf(r.Run().Method).Bias })},
	{Name: "cyclediameter", Of: []string{"method"}, Text: "The final diameter, computed for a constant step size and a fixed order of turns.",
		Label:    "the width that follows from α and m",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.endOf(r.Run().Method).Width })},
	{Name: "average", Of: []string{"method"}, Text: "How far F_m at the average iterate is above its minimum; mean over the seeds.",
		Label:    "how far F_m at the average iterate is above its minimum",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.ways.Now(r.Run()).Average })},
	{Name: "random", Of: []string{"method"}, Text: "How far F_m at the random iterate is above its minimum on average; mean over the seeds.",
		Label:    "how far F_m at the random iterate is above its minimum, on average",
		OfMethod: meanOf(func(s *Scene, r timeline.Row) float64 { return s.ways.Now(r.Run()).Random })},
	{Name: "bound", Of: []string{"theorem"}, Text: "The bound of Theorem 3.1 (31), 3.2 (32) or 3.3 (33) for the selected run, if the " +
		"theorem covers its step sizes.",
		List: (*Scene).theoremFacts},
	{Name: "loose", Of: []string{"theorem"}, Text: "The factor by which the theorem’s bound exceeds the quantity that it bounds."},
	{Name: "weight", Of: []string{"objective"}, Text: "The weight of an objective in F_m: its share of the turns.",
		Label: "weight of f%[1]s, m%[1]s/p",
		Over:  scene.Counted(maxObjectives, nil), After: "endF",
		Value: func(s *Scene, i int) float64 {
			if s.problem == nil {
				return math.NaN()
			}
			return entry(s.goal.Weights, i)
		}},
	{Name: "turns", Text: "The number p of turns of all objectives on a block.",
		Label: "p, the turns of all objectives on a block",
		Value: func(s *Scene, _ int) float64 {
			if s.problem == nil {
				return math.NaN()
			}
			_, p := s.turns()
			return float64(p)
		}},
}, runs.WalkFacts(3, func(s *Scene) *runs.Walk { return &s.values.Walk })...)

// meanOf returns a function that computes a fact of a method. The fact is the mean of a value over the rows that the
// method's runs have at the marker.
func meanOf(of func(s *Scene, r timeline.Row) float64) func(s *Scene, method string, _ int) float64 {
	return func(s *Scene, method string, _ int) float64 {
		return runs.Mean(s.Timeline(), method, (*timeline.Timeline).AtMarker, func(r timeline.Row) float64 { return of(s, r) })
	}
}

// theoremFacts returns the facts about the theorems' bounds, and about the factors by which they are too large.
func (s *Scene) theoremFacts() (out []scene.Fact) {
	for i := range sweeps.Theorems {
		th := &sweeps.Theorems[i]
		title := "Theorem " + th.Number()
		out = append(out, scene.Fact{Name: "bound." + th.Name, Label: title + ": its bound on " + th.What, Value: func() float64 {
			bound, _ := s.bounded(th)
			return bound
		}}, scene.Fact{Name: "loose." + th.Name, Label: title + ": how many times too large its bound is", Value: func() float64 {
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

// spent returns the number of gradient coordinates that a run had computed when F_m's height above its minimum first
// fell to 1 % of its initial height. It returns NaN if that has not happened by this row.
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

package ownproblem

import (
	"math"

	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/swarm"
	"paretoplay/internal/engine/timeline"
)

// factKinds are the scene's facts at the marker.
var factKinds = append(scene.FactKinds[*Scene]{
	{Name: "stationarity", Of: []string{"method"}, Text: "The mean of ω over the runs.",
		Label: "mean ω of the runs",
		OfMethod: func(s *Scene, method string, _ int) float64 {
			return runs.Mean(s.Timeline(), method, here, runs.Stationarity)
		}},
	{Name: "still", Of: []string{"method"}, Text: "The number of runs at points where ω is at most 0.001.",
		Label: "runs where no step helps much",
		OfMethod: func(s *Scene, method string, _ int) float64 {
			return runs.Count(s.Timeline(), method, here, func(r timeline.Row) bool { return runs.Stationarity(r) <= still })
		}},
	{Name: "mean", Of: []string{"method", "objective"}, Text: "The mean of an objective over the runs.",
		Label: "mean f%s of the runs", Over: scene.Counted(maxObjectives, runs.Subscript),
		OfMethod: func(s *Scene, method string, i int) float64 {
			if i >= s.m {
				return none
			}
			return runs.Mean(s.Timeline(), method, here, func(r timeline.Row) float64 { return r.F[i] })
		}},
	{Name: "bp", Of: []string{"method"}, Text: "The total cost of the runs, in single-function gradients.",
		Label: "backpropagations of all runs", Unit: "backpropagations",
		OfMethod: func(s *Scene, method string, _ int) float64 { return runs.Sum(s.Timeline(), method, here, runs.Spent) }},
	{Name: "front", Text: "The number of points found on the front.",
		Label: "points found on the front",
		Value: func(s *Scene, _ int) float64 { return float64(len(s.points)) }},
	{Name: "gap", Text: "The widest gap between neighbours on the front of two objectives, as a share of the front’s range.",
		Label: "widest gap on the front",
		Value: func(s *Scene, _ int) float64 { return s.gap() }},
	{Name: "end", Of: []string{"objective"}, Text: "The minimum of the objective on the front.",
		Label: "minimum of f%s on the front", Over: scene.Counted(maxObjectives, runs.Subscript),
		Value: func(s *Scene, i int) float64 {
			if i >= s.m || len(s.points) == 0 {
				return none
			}
			return s.ranges[i].lo
		}},
}, append(runs.WalkFacts(maxObjectives, func(s *Scene) *runs.Walk { return &s.values.Walk }),
	swarm.Facts(func(s *Scene) *swarm.Swarm { return &s.values.Swarm })...)...)

var none = math.NaN()

var here = runs.RowOf((*timeline.Timeline).AtMarker)

// Results returns the points of the front in ascending order of the first objective.
func (s *Scene) Results() any {
	front := make([]map[string][]float64, len(s.points))
	for i, p := range s.points {
		front[i] = map[string][]float64{"x": p.x, "f": p.f}
	}
	results := map[string]any{"front": front}
	if counts := s.values.Swarm.Counts(); counts != nil {
		results["swarm"] = counts
	}
	return results
}

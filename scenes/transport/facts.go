package transport

import (
	"math"

	"paretoplay/algo/transport"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

// Facts implements scene.Scene: the least cost, and how near each solver is to it at the
// marker; NaN for a solver that does not run.
func (s *Scene) Facts() []scene.Fact { return s.facts }

func (s *Scene) listFacts() []scene.Fact {
	out := []scene.Fact{
		{Name: "least", Label: "least cost", Value: func() float64 { return s.problem.exact.Cost }},
		{Name: "entries", Label: "entries of the exact plan that are not zero", Value: func() float64 {
			count := 0
			for _, v := range s.problem.exact.Mass {
				if v > 0 {
					count++
				}
			}
			return float64(count)
		}},
		{Name: "whole", Label: "mass of the exact plan in the largest entries of rows", Value: func() float64 {
			return transport.RowMaxima(s.problem.exact.Mass, s.problem.m)
		}},
		{Name: "paid", Label: "cost of the exact plan, τ apart", Value: func() float64 {
			var sum float64
			for k, v := range s.problem.exact.Mass {
				sum += v * s.problem.cost[k]
			}
			return sum
		}},
	}
	for _, m := range Methods {
		add := func(name, label string, value func(timeline.Row) float64) {
			out = append(out, scene.Fact{Name: name + "." + m.ID, Label: m.Title + ": " + label, Value: func() float64 {
				if r := s.Timeline().FindFrom(m.ID, 0); r.Run != nil {
					return value(s.Timeline().AtMarker(r))
				}
				return math.NaN()
			}})
		}
		add("iteration", "iterations made", func(r timeline.Row) float64 { return float64(r.K) })
		add("marginal", "marginal error", func(r timeline.Row) float64 { return r.F[marginalError] })
		add("gap", "gap of the cost, of the range of costs", func(r timeline.Row) float64 { return r.F[gap] })
		add("cost", "cost of the plan", func(r timeline.Row) float64 { return r.Number("cost") })
		add("bound", "least cost by its potentials", func(r timeline.Row) float64 { return r.Number("bound") })
		add("zeros", "share of zeros", func(r timeline.Row) float64 { return r.Number("zeros") })
	}
	return out
}

package fonseca

import (
	"fmt"
	"math"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/timeline"
)

// weightsHistory shows λ1 over time.
func (s *Scene) weightsHistory() *panel.History {
	return &panel.History{
		Name: "weights", Heading: "Weight of f_1 over time", Timeline: s.timeline,
		Value: func(r timeline.Row) float64 {
			if r.Weights == nil {
				return math.NaN()
			}
			return r.Weights[0]
		},
		Y:                func() panel.Axis { return panel.Axis{Label: "λ_1", Min: -0.04, Max: 1.14} },
		Backpropagations: func() bool { return s.values.Axis == axisBP },
		MostBP:           func() int { return s.values.MostBackpropagations(s.timeline) },
		Symbol: func(name string) string {
			d, _ := s.params.Lookup(name)
			return d.Symbol
		},
		Text: func() string {
			r := s.timeline.SelectedRun()
			if r == nil {
				return "No run."
			}
			row := s.timeline.Shown(r)
			return fmt.Sprintf("The weight of the first objective over %s; that of the second is the rest to 1. %s has λ = %s at iteration %d.",
				s.values.Axis, r.Label, timeline.Vector(row.Weights), row.K)
		},
	}
}

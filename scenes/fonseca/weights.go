package fonseca

import (
	"fmt"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/roster"
	"paretoplay/scenes/timeline"
)

// weightsHistory shows λ1 over time.
func (s *Scene) weightsHistory() *panel.History {
	return &panel.History{
		Name: "weights", Heading: "Share of f_1 in the weights", Timeline: s.timeline,
		Value:            roster.FirstShare,
		Y:                func() panel.Axis { return panel.Axis{Label: "λ_1 / (λ_1 + λ_2)", Min: -0.04, Max: 1.14} },
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
			return fmt.Sprintf("The share of the first objective in the weights over %s. %s has λ = %s at iteration %d.",
				s.values.Axis, r.Label, timeline.Vector(row.Weights), row.K)
		},
	}
}

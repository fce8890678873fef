package fonseca

import (
	"fmt"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/timeline"
)

// weightsHistory shows the share of f1 in the weights over time.
func (s *Scene) weightsHistory() *panel.History {
	h := s.values.WeightsHistory(s.Timeline(), s.Params(), "Share of f_1 in the weights")
	h.Text = func() string {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return "No run."
		}
		row := s.Timeline().ShownStep(r)
		return fmt.Sprintf("The share of the first objective in the weights over %s. %s has λ = %s at iteration %d.",
			s.values.Axis, r.Label(), timeline.Vector(row.Weights), row.K)
	}
	return h
}

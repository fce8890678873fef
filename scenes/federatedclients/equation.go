package federatedclients

import (
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/timeline"
)

// letters holds the symbols that the formulas use for points, losses and gradients, and the word for an objective.
var letters = plans.Letters{Point: `\theta`, Loss: "L", Objective: "client", Gradient: `(\theta_j - \theta_j^{(i)}) / \eta`,
	Sent: "A client’s gradient g is the difference between the solution and the client’s trained version, divided by η."}

// StepNumbers implements scene.Scene.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	return s.values.StepNumbers(s.Timeline(), t, k, letters)
}

package federatedclients

import (
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/timeline"
)

// letters are the letters of the symbols.
var letters = plans.Letters{Point: `\theta`, Loss: "L", Objective: "client", Gradient: `(\theta_j - \theta_j^{(i)}) / \eta`,
	Sent: "A client’s gradient g is the difference between the solution and the client’s trained version, divided by η."}

// StepNumbers implements scene.Scene.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	return s.values.StepNumbers(s.Timeline(), t, k, letters)
}

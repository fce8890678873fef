package clusters

import (
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/timeline"
)

// letters holds the letters that the formulas use for points and losses, and the word for an objective.
var letters = plans.Letters{Point: `\theta`, Loss: "L", Objective: "goal"}

// StepNumbers implements scene.Scene.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	return s.values.StepNumbers(s.Timeline(), t, k, letters)
}

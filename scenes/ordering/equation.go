package ordering

import (
	"paretoplay/scenes/scene"
	"paretoplay/scenes/timeline"
)

var _ scene.Stepping = (*Scene)(nil)

// StepNumbers implements scene.Stepping.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	return s.values.StepNumbers(s.Timeline(), s.problem, t, k)
}

package sampleorder

import (
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// Results returns, for each run that has the selected run's seed, its epoch at the marker.
func (s *Scene) Results() any {
	if len(s.Timeline().Runs()) == 0 {
		return nil
	}
	marked, err := s.values.Marked(s.Timeline())
	if err != nil {
		panic(err) // cannot fail: these steps have been taken before
	}
	return marked
}

// Extras implements scene.Scene: files contain the outcomes of all epochs for each run.
func (s *Scene) Extras() scene.Extras {
	out := scene.Extras{Preferred: s.preferred(), Details: s.details}
	if s.values.View == viewCost {
		out.Worked = curvePanel
	}
	return out
}

func (s *Scene) details() (any, error) { return s.values.All(s.Timeline(), s.problem) }

// StepNumbers implements scene.Scene.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	return s.values.StepNumbers(s.Timeline(), s.problem, t, k)
}

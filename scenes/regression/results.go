package regression

import (
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/timeline"
)

// Result holds the state of a run at the marker.
type Result struct {
	Loss    *float64   `json:"loss"` // mean test loss, null if it is not finite
	Work    float64    `json:"ma"`
	Reached []*float64 `json:"reached"` // multiply-adds needed to reach each level, in millions; null if not reached
}

// Results returns the results, keyed by run name.
func (s *Scene) Results() any {
	if s.data == nil {
		return nil
	}
	out := map[string]Result{}
	for _, r := range s.Timeline().Runs() {
		row := s.Timeline().AtMarker(timeline.Track{Run: r})
		one := Result{Loss: data.Known(row.Number(lossName)), Work: row.Number(sweeps.WorkName)}
		for _, level := range levels {
			one.Reached = append(one.Reached, data.Known(s.reachOf(r, level)))
		}
		out[r.Name] = one
	}
	return out
}

// StepNumbers implements scene.Scene.
func (s *Scene) StepNumbers(t timeline.Track, k int) (map[string]string, error) {
	return sweeps.StepNumbers(s.Timeline(), t, k)
}

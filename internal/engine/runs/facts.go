package runs

import (
	"math"

	"paretoplay/internal/engine/timeline"
)

// Racing is a scene with runs.
type Racing interface{ Timeline() *timeline.Timeline }

// OfFirst returns a function that computes a method's fact from the method's run that begins at the first start. The
// fact is NaN if there is no such run.
func OfFirst[S Racing](value func(s S, r timeline.Track) float64) func(s S, method string, _ int) float64 {
	return func(s S, method string, _ int) float64 {
		if r := s.Timeline().FindFrom(method, 0); r.Run != nil {
			return value(s, r)
		}
		return math.NaN()
	}
}

// OfFirstRow is like OfFirst, for facts that depend only on the run's row at the marker.
func OfFirstRow[S Racing](value func(timeline.Row) float64) func(s S, method string, _ int) float64 {
	return OfFirst(func(s S, r timeline.Track) float64 { return value(s.Timeline().AtMarker(r)) })
}

package regression

import (
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// BenchmarkIteration measures one step of each method, including recording. A step is the part of a frame's work that
// cannot be split.
func BenchmarkIteration(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		s := scenetest.Open(b, New(), nil)
		b.StartTimer()
		for range 200 {
			if _, err := s.Timeline().Step(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(200*b.N), "µs/k")
}

package fairness

import (
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// BenchmarkRestart measures the cost of changing φ, including the computation of the front.
func BenchmarkRestart(b *testing.B) {
	s := scenetest.Open(b, New(), nil)
	for b.Loop() {
		s.front = nil
		lastFront.Store(nil)
		if err := s.Restart(nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRound measures a round of MosT and MosT-E.
func BenchmarkRound(b *testing.B) {
	s := scenetest.Open(b, New(), map[string]string{"budget": "5000"})
	for b.Loop() {
		if !s.Timeline().Running() {
			b.StopTimer()
			if err := s.Restart(nil); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
		if _, err := s.Timeline().Step(); err != nil {
			b.Fatal(err)
		}
	}
}

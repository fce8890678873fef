package bilevel

import (
	"testing"

	"paretoplay/scenes/scenetest"
)

// BenchmarkIteration measures one iteration of the default scene, nine runs, with
// what is recorded of it.
func BenchmarkIteration(b *testing.B) {
	s := with(b, map[string]string{"budget": "20000"})
	b.ReportAllocs()
	for b.Loop() {
		if !s.Timeline().Running() {
			if err := s.Restart(nil); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := s.Timeline().Step(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStepApart measures taking a step apart, which every iteration that is
// shown does once.
func BenchmarkStepApart(b *testing.B) {
	for _, method := range offered {
		b.Run(method, func(b *testing.B) {
			s := with(b, map[string]string{"method": method})
			scenetest.Step(b, s, 10)
			r := s.Timeline().Tracks()[0]
			b.ReportAllocs()
			for b.Loop() {
				s.stepAt(r, r.Last())
			}
		})
	}
}

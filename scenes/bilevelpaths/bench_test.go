package bilevelpaths

import (
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// BenchmarkIteration measures one iteration of the default scene's nine runs, including recording.
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

// BenchmarkStepApart measures how long it takes to read the next step. The scene does this once for every displayed
// iteration.
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

// BenchmarkDrag measures reading the steps of a finished run, one iteration after another. Reading forwards costs one
// step per iteration; reading backwards costs up to the number of steps between snapshots.
func BenchmarkDrag(b *testing.B) {
	const length = 200
	for _, method := range offered {
		for name, at := range map[string]func(i int) int{
			"forwards":  func(i int) int { return i % length },
			"backwards": func(i int) int { return length - 1 - i%length },
		} {
			b.Run(method+"/"+name, func(b *testing.B) {
				s := with(b, map[string]string{"method": method})
				scenetest.Step(b, s, length)
				r := s.Timeline().Tracks()[0]
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					s.stepAt(r, at(i))
				}
			})
		}
	}
}

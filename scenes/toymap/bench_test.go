package toymap

import (
	"strconv"
	"testing"
)

// BenchmarkIteration measures one iteration of the default scene with 15 runs, including its recording.
func BenchmarkIteration(b *testing.B) {
	s := with(b, map[string]string{"budget": "200000"})
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

// BenchmarkSwarmRound measures a round of the swarm after its first hundred rounds.
func BenchmarkSwarmRound(b *testing.B) {
	for _, count := range []int{300, 1000} {
		b.Run(strconv.Itoa(count), func(b *testing.B) {
			s := New()
			if err := s.Params().Assign("swarm", strconv.Itoa(count)); err != nil {
				b.Fatal(err)
			}
			if err := s.Restart(nil); err != nil {
				b.Fatal(err)
			}
			flow := s.Extras().Flow
			flow.Animate(true)
			always := func() bool { return true }
			round := func() {
				if _, err := flow.Flow(1./60, always); err != nil {
					b.Fatal(err)
				}
			}
			for range 100 {
				round()
			}
			b.ResetTimer()
			for range b.N {
				round()
			}
		})
	}
}

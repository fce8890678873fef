package toymap

import "testing"

// BenchmarkIteration measures one iteration of the default race, 15 runs, with
// what is recorded of it.
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

package runs

import "testing"

func TestAdvanceMoment(t *testing.T) {
	durations := []float64{1, 0, 2}
	for _, c := range []struct {
		moment, seconds, want float64
		due                   bool
	}{
		{0, 0.25, 0.25, false}, {0.25, 0.25, 0.5, false}, {0.5, 0.5, 2, false}, {0, 2, 2.5, false}, {2.5, 0.5, 2.75, false},
		{2.5, 1, 0, true}, {3, 0.5, 0.5, false}, {0, 99, 0, true}, {0.5, 0, 0.5, false},
	} {
		if got, due := AdvanceMoment(c.moment, durations, c.seconds); got != c.want || due != c.due {
			t.Errorf("%g seconds after %g: got %g, due %v; want %g, %v", c.seconds, c.moment, got, due, c.want, c.due)
		}
	}
}

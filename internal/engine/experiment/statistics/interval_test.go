package statistics

import (
	"math"
	"testing"

	"paretoplay/internal/engine/experiment"
)

// TestSameIntervals: intervals are those of experiments that the page runs.
func TestSameIntervals(t *testing.T) {
	for count := 2; count <= 1000; count++ {
		a, b := HalfInterval(3, count), experiment.HalfInterval(3, count)
		if math.Abs(a-b) > 1e-7*a {
			t.Errorf("half of the interval of %d values is %v, in experiments of the page %v", count, a, b)
		}
	}
}

package fronts

import (
	"math"
	"testing"
)

// TestFrontFillsFrame: the front takes at least 60 % of the picture's height, wherever the reference point is.
func TestFrontFillsFrame(t *testing.T) {
	for _, name := range []string{zdt1, zdt2, zdt3, quadratics} {
		f, err := newFront(name, 30)
		if err != nil {
			t.Fatal(err)
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, piece := range f.pieces {
			for _, p := range piece {
				low, high = min(low, p[1]), max(high, p[1])
			}
		}
		if share := (high - low) / (f.y.Max - f.y.Min); share < 0.6 || low < f.y.Min || high > f.y.Max {
			t.Errorf("%s: the front goes from %g to %g, %.0f %% of the axis from %g to %g", name, low, high, 100*share, f.y.Min, f.y.Max)
		}
	}
}

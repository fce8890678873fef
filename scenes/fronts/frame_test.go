package fronts

import (
	"fmt"
	"math"
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// TestFrontFillsFrame checks that the front takes at least 60 % of the picture's height. The reference point and all
// initial solutions must be inside the picture, above the front.
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
		if share := (1 - f.y.Loft) * (high - low) / (f.y.Knee - f.y.Min); share < 0.6 || low < f.y.Min || high > f.y.Knee {
			t.Errorf("%s: the front goes from %g to %g, %.0f %% of the axis from %g to %g", name, low, high, 100*share, f.y.Min, f.y.Knee)
		}
		if f.reference[1] > f.y.Max {
			t.Errorf("%s: the reference point %v is above %g", name, f.reference, f.y.Max)
		}
		for seed := range 20 {
			s := scenetest.Open(t, New(), map[string]string{"problem": name, "seed": fmt.Sprint(seed + 1)})
			for _, r := range s.Timeline().Tracks() {
				if y := r.Kept(0).F[1]; y > f.y.Max {
					t.Errorf("%s, seed %d: %s starts at %g, above %g", name, seed+1, r.Label(), y, f.y.Max)
				}
			}
		}
	}
}

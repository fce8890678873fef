package claims

import (
	"math"
	"testing"
)

// othersBlockSMOO contains, for each claim, numbers that change its verdict.
var othersBlockSMOO = map[string][]Number{
	"alternation-bounds":  exactly(0.5, 0.5, 0.5, 17),
	"block-rates":         exactly(-0.4, -0.4, -0.9),
	"lost-factor":         exactly(1),
	"theorem-survives":    exactly(0.5, 2),
	"frequencies":         exactly(0.28, 0.42, 0.28, 0.42, 0.28, 0.42, 0.5, 0.5, 0.5, 1),
	"every-point":         exactly(0.1, 0.2, 0.9),
	"cheaper-steps":       exactly(1.1, 0.3, 1.2, 0.1),
	"early-descent":       exactly(0.9, 0.9),
	"early-full-size":     exactly(0.9, 0.9, 0.9, 0.9),
	"moderate":            exactly(0.5, 0.5, 0.5, 0.5),
	"moderate-full-size":  exactly(0.5, 0.5, 0.5, 0.5),
	"early-clock":         exactly(0.5, 0.5, 0.5, 0.5, 0.5, 0.5),
	"comparable-end":      exactly(1, 1, 1),
	"outpaced":            exactly(0.9, 0.9, 0.9, 0.9),
	"two-turns":           exactly(0.9, 0.9, 0.9),
	"two-turns-full-size": exactly(0.9, 0.9, 0.9),
	"partition":           exactly(1, 1),
	"purity":              exactly(0.9, 0.8, 0.1, 1, 0.1, 0.9),
	"purity-full-size":    exactly(0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9),
	"spread":              exactly(1.2, 1),
}

// TestBegunAbove checks that a draw that costs every method nothing is dropped, and that a draw with a diverged run
// stays.
func TestBegunAbove(t *testing.T) {
	nan := math.NaN()
	got := begunAbove([][]float64{{1, 0, 3}, {4, 0, nan}})
	if len(got[0]) != 2 || got[0][0] != 1 || got[0][1] != 3 || len(got[1]) != 2 || got[1][0] != 4 || !math.IsNaN(got[1][1]) {
		t.Errorf("%v", got)
	}
}

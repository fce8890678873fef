package statistics

import (
	"math"
	"testing"
)

// TestExponent: three points on a line have its slope.
func TestExponent(t *testing.T) {
	if slope := Exponent([]float64{1, 2, 4}, []float64{5, 3, -1}); math.Abs(slope+2) > 1e-12 {
		t.Errorf("the slope is %v, want -2", slope)
	}
}

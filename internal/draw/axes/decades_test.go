package axes_test

import (
	"math"
	"testing"

	"paretoplay/internal/draw/axes"
)

// TestDecades: the axis holds the numbers that have a place on it, in whole powers of ten, without those
// that are very small beside the largest.
func TestDecades(t *testing.T) {
	for _, c := range []struct {
		of       []float64
		min, max float64
	}{
		{nil, 0.01, 1}, {[]float64{0, -3, math.NaN(), math.Inf(1)}, 0.01, 1},
		{[]float64{0.02, 5, 300}, 0.01, 1000}, {[]float64{100}, 100, 1000},
		{[]float64{3, 3}, 1, 10}, {[]float64{0.01, 1}, 0.01, 1},
		{[]float64{1e-30, 20}, 1e-9, 100},
	} {
		var d axes.Decades
		for _, v := range c.of {
			d.Add(v)
		}
		if a := d.Axis("v"); math.Abs(a.Min/c.min-1) > 1e-12 || math.Abs(a.Max/c.max-1) > 1e-12 || !a.Log || a.Label != "v" {
			t.Errorf("about %v the axis is %+v, want %v to %v", c.of, a, c.min, c.max)
		}
	}
}

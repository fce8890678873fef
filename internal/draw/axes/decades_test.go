package axes_test

import (
	"math"
	"testing"

	"paretoplay/internal/draw/axes"
)

// TestDecades checks that the axis covers the numbers that it can show, in whole powers of ten. It must omit numbers that
// are very small relative to the largest.
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
			t.Errorf("%v: got axis %+v, want %v to %v", c.of, a, c.min, c.max)
		}
	}
}

// TestInSteps checks that the end of an axis does not change until the data exceed it.
func TestInSteps(t *testing.T) {
	for _, c := range []struct{ base, factor, v, want float64 }{
		{3, 2, 0, 3}, {3, 2, 3, 3}, {3, 2, 3.1, 6}, {3, 4, 50, 192}, {3, 2, math.Inf(1), 3}, {3, 2, math.NaN(), 3},
	} {
		if got := axes.InSteps(c.base, c.factor, c.v); got != c.want {
			t.Errorf("%g in steps of %g for %g: got %g, want %g", c.base, c.factor, c.v, got, c.want)
		}
	}
}

// TestFalling checks that the axis changes only once while numbers fall through ten decades.
func TestFalling(t *testing.T) {
	var d axes.Decades
	if a := d.Falling("v"); a.Max != 1 || math.Abs(a.Min/1e-5-1) > 1e-12 {
		t.Errorf("no numbers: got %+v", a)
	}
	var before axes.Axis
	changes := -1
	for v := 5.; v > 1e-10; v /= 1.3 {
		d.Add(v)
		if a := d.Falling("v"); a.Min != before.Min || a.Max != before.Max {
			changes, before = changes+1, a
		}
	}
	if changes != 1 || before.Max != 10 || math.Abs(before.Min/1e-9-1) > 1e-12 {
		t.Errorf("got %d changes, to %+v", changes, before)
	}
}

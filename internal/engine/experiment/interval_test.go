package experiment

import (
	"math"
	"testing"
)

// TestIntervals compares intervals with Student's quantiles for two and three degrees of freedom, 4.303 and 3.182.
func TestIntervals(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-3*math.Abs(want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	e := WithInterval([]float64{1, 2, 6}) // mean 3, squared deviations 4, 1 and 9
	near("mean", e.Mean, 3)
	near("half of the interval", e.Spread, 4.303*math.Sqrt(7./3))
	if one := WithInterval([]float64{5}); one.Mean != 5 || !math.IsNaN(one.Spread) {
		t.Errorf("interval of one value: got %+v", one)
	}
	if none := WithInterval(nil); none.Known() || !math.IsNaN(none.Spread) {
		t.Errorf("interval of no values: got %+v", none)
	}
	near("half of the interval of four values", HalfInterval(2, 4), 3.182)
	near("exponent", Exponent([]float64{1, 2, 4}, []float64{5, 3, -1}), -2)
	// With no success in n runs, the upper end solves (1 − p)^n = 0.025.
	low, high := ShareInterval(0, 20)
	near("upper end for 0 of 20", high, 1-math.Pow(0.025, 1./20))
	if low != 0 {
		t.Errorf("lower end for 0 of 20: got %v", low)
	}
	low, high = ShareInterval(20, 20)
	near("lower end for 20 of 20", low, math.Pow(0.025, 1./20))
	if high != 1 {
		t.Errorf("upper end for 20 of 20: got %v", high)
	}
	low, high = ShareInterval(1, 2)
	near("lower end for 1 of 2", low, 1-math.Sqrt(0.975))
	near("upper end for 1 of 2", high, math.Sqrt(0.975))
	for _, of := range [][2]int{{0, 0}, {-1, 2}, {3, 2}} {
		if low, high := ShareInterval(of[0], of[1]); !math.IsNaN(low) || !math.IsNaN(high) {
			t.Errorf("%d of %d: got %v to %v", of[0], of[1], low, high)
		}
	}
}

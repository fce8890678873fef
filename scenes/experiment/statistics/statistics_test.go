package statistics

import (
	"math"
	"testing"
)

// TestByHand: Student's quantiles for two and three degrees of freedom are 4.303 and 3.182.
func TestByHand(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-3*math.Abs(want) {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	e := WithInterval([]float64{1, 2, 6}) // whose mean is 3, and whose squares about it are 4, 1 and 9
	near("mean", e.Mean, 3)
	near("half of the interval", e.Spread, 4.303*math.Sqrt(7./3))
	if one := WithInterval([]float64{5}); one.Mean != 5 || !math.IsNaN(one.Spread) {
		t.Errorf("interval of one value: %+v", one)
	}
	if none := WithInterval(nil); none.Known() || !math.IsNaN(none.Spread) {
		t.Errorf("interval of none: %+v", none)
	}
	near("half of the interval of four values", HalfInterval(2, 4), 3.182)
	near("exponent", Exponent([]float64{1, 2, 4}, []float64{5, 3, -1}), -2)
}

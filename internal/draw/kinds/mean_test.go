package kinds

import (
	"math"
	"testing"
)

// TestMeans checks that the interval of a mean extends by one standard error to either side. The interval of a geometric
// mean must extend by one standard error of the logarithms. A single value must have no error.
func TestMeans(t *testing.T) {
	for _, c := range []struct {
		of              func([]float64) (mean, low, high float64)
		values          []float64
		mean, low, high float64
	}{
		{Mean, []float64{1, 2, 6}, 3, 3 - math.Sqrt(14./6), 3 + math.Sqrt(14./6)}, {GeometricMean, []float64{1, 4}, 2, 1, 4},
		{Mean, []float64{5}, 5, 5, 5}, {GeometricMean, []float64{5}, 5, 5, 5},
	} {
		mean, low, high := c.of(c.values)
		if math.Abs(mean-c.mean)+math.Abs(low-c.low)+math.Abs(high-c.high) > 3e-14 {
			t.Errorf("mean of %v: got %v, from %v to %v", c.values, mean, low, high)
		}
	}
}

package kinds

import (
	"fmt"
	"math"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// MeanCurve is the curve of a mean over a method's runs. It grows as the runs advance. If the method has several runs,
// the curve has a band of one standard error to either side.
type MeanCurve struct {
	Curve
	Runs []*timeline.Run
	// Mean combines the runs' values. It is the function Mean or GeometricMean.
	Mean func(values []float64) (mean, low, high float64)
	Keys []int // iterations or epochs of the points

	settled int // number of final points
	values  []float64
}

// Extend updates the curve to n points. key identifies a point. point stores the runs' values at point i, and returns
// the point's place on the horizontal axis. If points were removed since the last call, Extend starts over. It omits the
// last point while its mean is NaN, because that point may still change.
func (c *MeanCurve) Extend(n int, key func(i int) int, point func(i int, values []float64) (x float64)) {
	if s := c.settled; s > 0 && (n < s || key(s-1) != c.Keys[s-1]) {
		c.settled = 0
	}
	s, several := c.settled, len(c.Runs) > 1
	c.Keys, c.X, c.Y = c.Keys[:s], c.X[:s], c.Y[:s]
	if several {
		c.Low, c.High = c.Low[:s], c.High[:s]
	}
	if len(c.values) != len(c.Runs) {
		c.values = make([]float64, len(c.Runs))
	}
	for i := s; i < n; i++ {
		x := point(i, c.values)
		mean, low, high := c.Mean(c.values)
		if i == n-1 && math.IsNaN(mean) {
			break
		}
		c.Keys, c.X, c.Y = append(c.Keys, key(i)), append(c.X, x), append(c.Y, mean)
		if several {
			c.Low, c.High = append(c.Low, low), append(c.High, high)
		}
	}
	c.settled = max(0, n-1)
}

// Between describes the band at a point in words. It returns "" for a single run.
func (c *MeanCurve) Between(i int) string {
	if c.Low == nil {
		return ""
	}
	return fmt.Sprintf(", %s to %s", timeline.Number(c.Low[i]), timeline.Number(c.High[i]))
}

// Range returns the range of a curve's points and band. On a logarithmic axis, the range covers only positive values.
// Without points, the range is empty, from +Inf to −Inf.
func (c *Curve) Range(log bool) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, values := range [][]float64{c.Y, c.Low, c.High} {
		for _, v := range values {
			if v-v == 0 && !(log && v <= 0) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	return lo, hi
}

// BandEntry returns the legend entry for bands of standard errors.
func BandEntry(t *brush.Theme) axes.Entry {
	return axes.Entry{Label: "one standard error to either side", Area: brush.Faded(t.Ink, 0.16)}
}

// Mean returns the mean of values, and the mean minus and plus one standard error. If a value is NaN, the mean is NaN. A
// single value has no standard error.
func Mean(values []float64) (mean, low, high float64) {
	return meanOf(values, func(v float64) float64 { return v })
}

// GeometricMean returns the geometric mean of values, and the ends of an interval around this mean. On a logarithmic
// scale, the interval extends by one standard error of the values' logarithms to either side.
func GeometricMean(values []float64) (mean, low, high float64) {
	mean, low, high = meanOf(values, portable.Log)
	return portable.Exp(mean), portable.Exp(low), portable.Exp(high)
}

func meanOf(values []float64, of func(float64) float64) (mean, low, high float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += of(v) / n
	}
	if n == 1 {
		return mean, mean, mean
	}
	var squares float64
	for _, v := range values {
		squares += float64((of(v) - mean) * (of(v) - mean))
	}
	wide := math.Sqrt(squares / (n - 1) / n)
	return mean, mean - wide, mean + wide
}

// Package statistics has the estimates of experiments that need gonum/stat. They are apart from
// paretoplay/scenes/experiment because gonum/stat brings gonum's factorizations, which are too
// large for the page's program, and the page runs some experiments itself.
package statistics

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"paretoplay/scenes/experiment"
)

// WithInterval estimates the mean of values; the spread is half of its 95 % interval.
func WithInterval(values []float64) experiment.Estimate {
	e := experiment.WithDeviation(values)
	e.Spread = HalfInterval(e.Spread, len(values))
	return e
}

// confidence of intervals.
const confidence = 0.95

// HalfInterval is half of the 95 % interval of a mean of count values with this deviation,
// by Student's distribution; NaN below two values.
func HalfInterval(deviation float64, count int) float64 {
	if count < 2 {
		return math.NaN()
	}
	student := distuv.StudentsT{Sigma: 1, Nu: float64(count - 1)}
	return student.Quantile((1+confidence)/2) * deviation / math.Sqrt(float64(count))
}

// Exponent is the slope of the line that is fitted to points by least squares. Where both
// coordinates are logarithms it is the exponent of a power law.
func Exponent(logX, logY []float64) float64 {
	_, slope := stat.LinearRegression(logX, logY, nil, false)
	return slope
}

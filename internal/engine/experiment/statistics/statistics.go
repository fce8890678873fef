// Package statistics has the estimates of experiments that need gonum/stat. They are apart from
// paretoplay/internal/engine/experiment because gonum/stat brings gonum's factorizations, which are too
// large for the page's program, and the page runs some experiments itself.
package statistics

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"paretoplay/internal/engine/experiment"
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

// ShareInterval is the 95 % interval, within 0 to 1, of the probability of something that
// happened in some of independent runs. Clopper and Pearson 1934, "The use of confidence or
// fiducial limits illustrated in the case of the binomial": it is never too narrow. For
// happened outside 0 to runs, or no runs, it is NaN.
func ShareInterval(happened, runs int) (low, high float64) {
	if runs < 1 || happened < 0 || happened > runs {
		return math.NaN(), math.NaN()
	}
	k, others := float64(happened), float64(runs-happened)
	low, high = 0, 1
	if happened > 0 {
		low = distuv.Beta{Alpha: k, Beta: others + 1}.Quantile((1 - confidence) / 2)
	}
	if happened < runs {
		high = distuv.Beta{Alpha: k + 1, Beta: others}.Quantile((1 + confidence) / 2)
	}
	return low, high
}

// Exponent is the slope of the line that is fitted to points by least squares. Where both
// coordinates are logarithms it is the exponent of a power law.
func Exponent(logX, logY []float64) float64 {
	_, slope := stat.LinearRegression(logX, logY, nil, false)
	return slope
}

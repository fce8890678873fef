package experiment

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mathext"

	"paretoplay/internal/portable"
)

// Estimate is a mean over runs with its spread. The spread is a deviation, a standard error or the half-width of an
// interval, depending on the function that returns the estimate. NaN means unknown.
type Estimate struct{ Mean, Spread float64 }

// Unknown returns the estimate of a quantity that has not been computed yet.
func Unknown() Estimate { return Estimate{math.NaN(), math.NaN()} }

// MeanAndDeviation returns the mean and the sample standard deviation. The deviation is NaN for a single value. The
// tables kept in docs depend on the last digits, which gonum/stat would compute differently.
func MeanAndDeviation(values []float64) (mean, deviation float64) {
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	for _, v := range values {
		deviation += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(deviation / float64(len(values)-1))
}

// WithDeviation returns the mean of values with their deviation as the spread.
func WithDeviation(values []float64) Estimate {
	if len(values) == 0 {
		return Unknown()
	}
	mean, deviation := MeanAndDeviation(values)
	return Estimate{mean, deviation}
}

// WithError returns the mean of values with its standard error as the spread.
func WithError(values []float64) Estimate {
	e := WithDeviation(values)
	e.Spread /= math.Sqrt(float64(len(values)))
	return e
}

// WithInterval returns the mean of values with the half-width of its 95 % interval as the spread.
func WithInterval(values []float64) Estimate {
	e := WithDeviation(values)
	e.Spread = HalfInterval(e.Spread, len(values))
	return e
}

// confidence is the confidence level of the intervals.
const confidence = 0.95

// HalfInterval returns the half-width of the 95 % interval of a mean of count values with the given deviation, from
// Student's t distribution. The half-width is NaN for fewer than two values.
func HalfInterval(deviation float64, count int) float64 {
	return HalfIntervalAt(confidence, deviation, count)
}

// HalfIntervalAt is like HalfInterval, but for the confidence level chance.
func HalfIntervalAt(chance, deviation float64, count int) float64 {
	if count < 2 {
		return math.NaN()
	}
	// The probability of a larger |t| is I_x(ν/2, 1/2) with x = ν/(ν + t²).
	nu := float64(count - 1)
	x := betaQuantile(nu/2, 0.5, 1-chance)
	return math.Sqrt(nu*(1-x)/x) * deviation / math.Sqrt(float64(count))
}

// betaQuantile returns the x for which the regularized incomplete beta function I_x(a, b) equals p. It rounds off the
// last sixteen bits, because the last bits of gonum's log-gamma functions depend on the processor. Numbers in files
// must not depend on the processor.
func betaQuantile(a, b, p float64) float64 {
	const off = 16
	bits := math.Float64bits(mathext.InvRegIncBeta(a, b, p))
	return math.Float64frombits((bits + 1<<(off-1)) &^ (1<<off - 1))
}

// ShareInterval returns the 95 % interval, within [0, 1], for the probability of an event that happened in some of the
// given independent runs. It is the interval of Clopper and Pearson 1934, "The use of confidence or fiducial limits
// illustrated in the case of the binomial", which is never too narrow. The interval is NaN if there are no runs, or if
// the number of events is negative or exceeds the number of runs.
func ShareInterval(happened, runs int) (low, high float64) {
	if runs < 1 || happened < 0 || happened > runs {
		return math.NaN(), math.NaN()
	}
	k, others := float64(happened), float64(runs-happened)
	low, high = 0, 1
	if happened > 0 {
		low = betaQuantile(k, others+1, (1-confidence)/2)
	}
	if happened < runs {
		high = betaQuantile(k+1, others, (1+confidence)/2)
	}
	return low, high
}

// Exponent returns the slope of the least-squares line through points. If both coordinates are logarithms, the slope
// is the exponent of a power law. Gonum's regression would add factorizations that are too large for the page's
// program.
func Exponent(logX, logY []float64) float64 {
	n := float64(len(logX))
	x, y := portable.Sum(logX)/n, portable.Sum(logY)/n
	var xx, xy, dx, dy float64 // dx and dy correct the rounding errors of the means
	for i, v := range logX {
		a, b := v-x, logY[i]-y
		xx, xy, dx, dy = xx+float64(a*a), xy+float64(a*b), dx+a, dy+b
	}
	return (xy - dx*dy/n) / (n - 1) / ((xx - dx*dx/n) / (n - 1))
}

// Differences returns a − b, run by run. It returns nil if the numbers of runs differ, or if there are no runs.
func Differences(a, b []float64) []float64 {
	if len(a) == 0 || len(a) != len(b) {
		return nil
	}
	out := make([]float64, len(a))
	for i, v := range a {
		out[i] = v - b[i]
	}
	return out
}

// LogRatios returns ln(a/b), run by run. It returns nil if the numbers of runs differ, or if any ratio is infinite or
// not above 0.
func LogRatios(a, b []float64) []float64 {
	if len(a) == 0 || len(a) != len(b) {
		return nil
	}
	out := make([]float64, len(a))
	for i, v := range a {
		if out[i] = portable.Log(v / b[i]); out[i]-out[i] != 0 {
			return nil
		}
	}
	return out
}

// Median returns the median of values, some of which may be infinite. It returns NaN if there are no values.
func Median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	low, high := sorted[(n-1)/2], sorted[n/2]
	if low == high || math.IsInf(high, 1) {
		return high
	}
	return (low + high) / 2
}

// Quantile returns the quantile of sorted numbers for the given share. It interpolates linearly.
func Quantile(sorted []float64, share float64) float64 {
	at := float64(share * float64(len(sorted)-1))
	i := min(int(at), len(sorted)-1)
	j := min(i+1, len(sorted)-1)
	return sorted[i] + float64((at-float64(i))*(sorted[j]-sorted[i]))
}

// GeometricMean returns the geometric mean of positive numbers. It returns NaN if there are no numbers.
func GeometricMean(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += portable.Log(v)
	}
	return portable.Exp(sum / float64(len(values)))
}

// Known reports whether the mean is known.
func (e Estimate) Known() bool { return !math.IsNaN(e.Mean) }

// Alone returns the mean without its spread.
func (e Estimate) Alone() Estimate { return Estimate{e.Mean, math.NaN()} }

// Text returns the mean, followed by the spread if it is known. It returns Dash if the mean is unknown.
func (e Estimate) Text(decimals int) string {
	if !e.Known() {
		return Dash
	}
	text := strconv.FormatFloat(e.Mean, 'f', decimals, 64)
	if !math.IsNaN(e.Spread) {
		text += " ± " + strconv.FormatFloat(e.Spread, 'f', decimals, 64)
	}
	return text
}

// Signed is like Text, but puts a plus sign before a mean ≥ 0.
func (e Estimate) Signed(decimals int) string {
	if e.Mean >= 0 {
		return "+" + e.Text(decimals)
	}
	return e.Text(decimals)
}

// Ratio formats the factor whose logarithm to the given base is the estimate, and the factor's interval.
func (e Estimate) Ratio(base float64) string {
	if !e.Known() {
		return Dash
	}
	power := func(exponent float64) string {
		if v := portable.Pow(base, exponent); v < 0.1 || v >= 1000 {
			return Significant(v, 2)
		}
		return strconv.FormatFloat(portable.Pow(base, exponent), 'f', 2, 64)
	}
	text := "×" + power(e.Mean)
	if !math.IsNaN(e.Spread) {
		text += fmt.Sprintf(" [%s, %s]", power(e.Mean-e.Spread), power(e.Mean+e.Spread))
	}
	return text
}

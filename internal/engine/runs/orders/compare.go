package orders

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// Comparison compares ω between two orders, for the seeds that both have.
type Comparison struct {
	With      string  // the reference method's title
	Ratio     float64 // ratio of the two ω: the exponential of the mean difference of ln ω
	Low, High float64 // the ratios for the mean difference minus and plus its standard error
	Seeds     int
}

// String returns the comparison in words.
func (c Comparison) String() string {
	text := fmt.Sprintf("%s times that of %s", Rounded(c.Ratio), c.With)
	if c.Seeds > 1 {
		text += fmt.Sprintf(", %s to %s within one standard error", Rounded(c.Low), Rounded(c.High))
	}
	return text
}

// Compared compares a method's ω at the beginning of an epoch with the ω of a reference. The reference is random orders
// or, if these do not run, the first method. Runs are compared seed by seed, because runs with the same seed share
// their random draws. ok is false for the reference itself, if not all seeds have reached the epoch, or if an ω is 0,
// because then there is no ratio.
func (r *Roster) Compared(t *timeline.Timeline, method string, epoch int) (c Comparison, ok bool) {
	base := Random
	if methods := runs.MethodsOf(t); len(methods) > 0 && !slices.Contains(methods, Random) {
		base = methods[0]
	}
	if method == base {
		return c, false
	}
	ratios := runs.Each(t, method, func(run *timeline.Run) float64 {
		other := t.FindFrom(base, run.StartIndex)
		if other.Run == nil {
			return math.NaN()
		}
		c.With = other.Title
		return r.omegaAt(run, epoch) / r.omegaAt(other.Run, epoch)
	})
	if c.Seeds = len(ratios); c.Seeds == 0 {
		return c, false
	}
	c.Ratio, c.Low, c.High = kinds.GeometricMean(ratios)
	return c, c.Ratio > 0 && c.High <= math.MaxFloat64
}

// Rounded writes a number with three significant digits. A whole number of up to four digits is written without an
// exponent.
func Rounded(v float64) string {
	if v != 0 && v-v == 0 {
		unit := portable.Pow(10, math.Floor(portable.Log10(math.Abs(v)))-2)
		v = math.Round(v/unit) * unit
	}
	return timeline.Number(v)
}

package claims

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/portable"
)

// Number is a measured number with its 95 % interval, Low ≤ Value ≤ High. A number without randomness has Low = Value = High.
type Number struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Named is a measured number with a description that is unique in its claim.
type Named struct {
	Name string `json:"name"`
	Number
}

// named returns the names of quantities in several settings: all quantities in the first setting, then all in the
// second, and so on.
func named(settings []string, quantities ...string) (out []string) {
	for _, setting := range settings {
		for _, quantity := range quantities {
			out = append(out, quantity+", "+setting)
		}
	}
	return out
}

// exact returns a number without randomness.
func exact(v float64) Number { return Number{v, v, v} }

// exactly returns numbers without randomness.
func exactly(values ...float64) []Number {
	out := make([]Number, len(values))
	for i, v := range values {
		out[i] = exact(v)
	}
	return out
}

// around converts an estimate, whose Spread is the half-width of its interval, to a number.
func around(e experiment.Estimate) Number {
	return Number{e.Mean, e.Mean - e.Spread, e.Mean + e.Spread}
}

// mean returns the mean over seeds, with Student's interval.
func mean(values []float64) Number { return around(experiment.WithInterval(values)) }

// difference returns the mean of a − b over seeds, paired by seed, with Student's interval.
func difference(a, b []float64) Number { return mean(experiment.Differences(a, b)) }

// quotient returns a / b for numbers without randomness.
func quotient(a, b Number) Number { return exact(a.Value / b.Value) }

// ratio returns the geometric mean of a/b over seeds, paired by seed, with Student's interval on the logarithms. All values must be
// positive.
func ratio(a, b []float64) Number {
	e := experiment.WithInterval(experiment.LogRatios(a, b))
	return Number{portable.Exp(e.Mean), portable.Exp(e.Mean - e.Spread), portable.Exp(e.Mean + e.Spread)}
}

// withError returns a mean with an interval. The interval follows from the standard error in a kept table and the
// number of runs.
func withError(value, standardError float64, runs int) Number {
	return around(experiment.Estimate{Mean: value, Spread: experiment.HalfInterval(standardError*math.Sqrt(float64(runs)), runs)})
}

// share returns the share, from 0 to 1, of independent runs in which something happened, with Clopper and Pearson's
// interval.
func share(happened, runs int) Number {
	low, high := experiment.ShareInterval(happened, runs)
	return Number{float64(happened) / float64(runs), low, high}
}

// known reports whether the number and its interval are finite.
func (n Number) known() bool {
	return n.Low <= n.Value && n.Value <= n.High && !math.IsInf(n.Low, 0) && !math.IsInf(n.High, 0)
}

// above returns the verdict on "greater than the limit". The verdict is undecided if the interval contains the limit.
func (n Number) above(limit float64) Verdict { return decided(n.Low > limit, n.High <= limit) }

// below returns the verdict on "less than the limit".
func (n Number) below(limit float64) Verdict { return decided(n.High < limit, n.Low >= limit) }

// atLeast returns the verdict on "the limit or more".
func (n Number) atLeast(limit float64) Verdict { return decided(n.Low >= limit, n.High < limit) }

// atMost returns the verdict on "the limit or less".
func (n Number) atMost(limit float64) Verdict { return decided(n.High <= limit, n.Low > limit) }

// within returns the verdict on "equal enough": between two limits, including the limits. The verdict is undecided if
// the interval is partly outside.
func (n Number) within(low, high float64) Verdict {
	return decided(n.Low >= low && n.High <= high, n.High < low || n.Low > high)
}

// decided returns Holds if its first argument is true, DoesNotHold if its second argument is true, and Undecided
// otherwise.
func decided(is, isNot bool) Verdict {
	switch {
	case is:
		return Holds
	case isNot:
		return DoesNotHold
	}
	return Undecided
}

// both returns the verdict on a claim whose parts must all hold.
func both(verdicts ...Verdict) Verdict {
	out := Holds
	for _, v := range verdicts {
		switch {
		case v == DoesNotHold:
			return DoesNotHold
		case v != Holds:
			out = Undecided
		}
	}
	return out
}

// text formats the number and its interval, if it has one.
func (n Number) text(decimals int) string {
	decimal := func(v float64) string {
		text := strconv.FormatFloat(v, 'f', decimals, 64)
		if strings.Trim(text, "-0.") == "" {
			return strings.TrimPrefix(text, "-")
		}
		return text
	}
	if n.Low == n.High {
		return decimal(n.Value)
	}
	return fmt.Sprintf("%s [%s, %s]", decimal(n.Value), decimal(n.Low), decimal(n.High))
}

// Format implements fmt.Formatter. %.2s writes text, %.2x writes times, and other verbs write only the value.
func (n Number) Format(to fmt.State, verb rune) {
	decimals, _ := to.Precision()
	switch verb {
	case 's':
		fmt.Fprint(to, n.text(decimals))
	case 'x':
		fmt.Fprint(to, n.times(decimals))
	case 'v':
		fmt.Fprintf(to, "%v [%v, %v]", n.Value, n.Low, n.High)
	default:
		fmt.Fprintf(to, fmt.FormatString(to, verb), n.Value)
	}
}

// times formats a ratio and its interval, if it has one.
func (n Number) times(decimals int) string { return "×" + n.text(decimals) }

package claims

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/portable"
)

// Number is a measured number with its 95 % interval, Low ≤ Value ≤ High. What is counted, or
// computed without chance, has no width: Low = Value = High.
type Number struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Named is a measured number with what it is, in words that no other number of its claim has.
type Named struct {
	Name string `json:"name"`
	Number
}

// named are the names of quantities in several settings: all quantities of a setting, then the next setting.
func named(settings []string, quantities ...string) (out []string) {
	for _, setting := range settings {
		for _, quantity := range quantities {
			out = append(out, quantity+", "+setting)
		}
	}
	return out
}

// exact is a number without chance.
func exact(v float64) Number { return Number{v, v, v} }

// exactly are numbers without chance.
func exactly(values ...float64) []Number {
	out := make([]Number, len(values))
	for i, v := range values {
		out[i] = exact(v)
	}
	return out
}

// around is a number whose interval reaches as far up as down.
func around(e experiment.Estimate) Number {
	return Number{e.Mean, e.Mean - e.Spread, e.Mean + e.Spread}
}

// mean is the mean of values over seeds, with Student's interval.
func mean(values []float64) Number { return around(experiment.WithInterval(values)) }

// difference is the mean of a − b over seeds, each with its own a and b, with Student's interval.
func difference(a, b []float64) Number { return mean(experiment.Differences(a, b)) }

// quotient is that of two numbers without chance.
func quotient(a, b Number) Number { return exact(a.Value / b.Value) }

// ratio is the geometric mean of a/b over seeds, each with its own a and b, with Student's
// interval of the logarithms. All must be above 0.
func ratio(a, b []float64) Number {
	e := experiment.WithInterval(experiment.LogRatios(a, b))
	return Number{portable.Exp(e.Mean), portable.Exp(e.Mean - e.Spread), portable.Exp(e.Mean + e.Spread)}
}

// withError is a mean of which a kept table holds the standard error over this many runs.
func withError(value, standardError float64, runs int) Number {
	return around(experiment.Estimate{Mean: value, Spread: experiment.HalfInterval(standardError*math.Sqrt(float64(runs)), runs)})
}

// share is the part of independent runs, 0 to 1, in which something happens, with the interval of
// Clopper and Pearson.
func share(happened, runs int) Number {
	low, high := experiment.ShareInterval(happened, runs)
	return Number{float64(happened) / float64(runs), low, high}
}

// known reports whether the number and its interval are.
func (n Number) known() bool {
	return n.Low <= n.Value && n.Value <= n.High && !math.IsInf(n.Low, 0) && !math.IsInf(n.High, 0)
}

// above is the verdict on "it is greater than the limit": undecided where the interval holds the
// limit.
func (n Number) above(limit float64) Verdict { return decided(n.Low > limit, n.High <= limit) }

// below is the verdict on "it is less than the limit".
func (n Number) below(limit float64) Verdict { return decided(n.High < limit, n.Low >= limit) }

// atLeast is the verdict on "it is the limit or more".
func (n Number) atLeast(limit float64) Verdict { return decided(n.Low >= limit, n.High < limit) }

// atMost is the verdict on "it is the limit or less".
func (n Number) atMost(limit float64) Verdict { return decided(n.High <= limit, n.Low > limit) }

// within is the verdict on "it is as good as equal": between two limits, the limits included. An
// interval that leaves the limits on one side decides nothing unless it is all outside.
func (n Number) within(low, high float64) Verdict {
	return decided(n.Low >= low && n.High <= high, n.High < low || n.Low > high)
}

// decided is the verdict where the interval lies all on one side, all on the other, or on both.
func decided(is, isNot bool) Verdict {
	switch {
	case is:
		return Holds
	case isNot:
		return DoesNotHold
	}
	return Undecided
}

// both is the verdict on a claim that says several things at once: all must hold.
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

// text writes the number and, where it has one, its interval.
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

// Format writes the number in a format: %.2s as text and %.2x as times do, and its value alone with other verbs.
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

// times writes a ratio and, where it has one, its interval.
func (n Number) times(decimals int) string { return "×" + n.text(decimals) }

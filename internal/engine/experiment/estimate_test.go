package experiment

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestEstimates compares estimates with values computed by hand.
func TestEstimates(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-3*math.Abs(want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	values := []float64{1, 2, 6} // mean 3, squared deviations 4, 1 and 9
	for _, c := range []struct {
		what   string
		of     func([]float64) Estimate
		spread float64
	}{
		{"deviation", WithDeviation, math.Sqrt(7)},
		{"standard error", WithError, math.Sqrt(7. / 3)},
		{"half of the interval", WithInterval, 4.303 * math.Sqrt(7./3)}, // Student's quantile for two degrees of freedom
	} {
		e := c.of(values)
		near("mean", e.Mean, 3)
		near(c.what, e.Spread, c.spread)
		if one := c.of([]float64{5}); one.Mean != 5 || !math.IsNaN(one.Spread) {
			t.Errorf("%s of one value: got %+v", c.what, one)
		}
		if none := c.of(nil); none.Known() || !math.IsNaN(none.Spread) {
			t.Errorf("%s of no values: got %+v", c.what, none)
		}
	}
	if d := Differences([]float64{3, 5}, []float64{1, 8}); !slices.Equal(d, []float64{2, -3}) {
		t.Errorf("got differences %v", d)
	}
	near("half of the interval of four values", HalfInterval(2, 4), 3.182)
	near("half of the interval of many values", HalfInterval(math.Sqrt(1e6), 1e6), 1.960)
	inf := math.Inf(1)
	near("ratio", WithError(LogRatios([]float64{2, 8, 4}, []float64{1, 1, 1})).Mean, math.Log(4))
	for _, c := range [][2][]float64{{{2, inf}, {1, 1}}, {{2, 0}, {1, 1}}, {{2, 2}, {1}}, {nil, nil}} {
		if LogRatios(c[0], c[1]) != nil {
			t.Errorf("%v to %v: got ratios", c[0], c[1])
		}
	}
	if Differences([]float64{1}, []float64{1, 2}) != nil || Differences(nil, nil) != nil {
		t.Error("got differences between unequal numbers of runs")
	}
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{3, 1, 2}, 2}, {[]float64{1, 4, 2, 9}, 3}, {[]float64{inf, 1, 2}, 2}, {[]float64{inf, 1, inf}, inf}, {[]float64{1, inf}, inf},
		{[]float64{0, 0}, 0},
	} {
		if got := Median(c.values); got != c.want {
			t.Errorf("median of %v: got %v", c.values, got)
		}
	}
	if !math.IsNaN(Median(nil)) {
		t.Error("got a median of no values")
	}
}

// TestWritten checks how numbers and tables are formatted.
func TestWritten(t *testing.T) {
	nan := math.NaN()
	for want, got := range map[string]string{
		"1.50 ± 0.25":              Estimate{1.5, 0.25}.Text(2),
		"1.5":                      Estimate{1.5, nan}.Text(1),
		"2":                        Estimate{2, 1}.Alone().Text(0),
		"+0.0 ± 1.0":               Estimate{0, 1}.Signed(1),
		"-3.0":                     Estimate{-3, nan}.Signed(1),
		Dash:                       Unknown().Text(1),
		"×4.00 [2.00, 8.00]":       Estimate{math.Log(4), math.Log(2)}.Ratio(math.E),
		"×1.00 [5.0e-05, 2.0e+04]": Estimate{0, math.Log(2e4)}.Ratio(math.E),
		"×0.10 [0.032, 0.32]":      Estimate{-1, 0.5}.Ratio(10),
		"×10.00":                   Estimate{1, nan}.Ratio(10),
		"0.0012":                   Significant(0.00123, 2),
		"12":                       Significant(12.3, 2),
		"1.2e+04":                  Significant(12345, 2),
		"0.5, 1, 20":               List([]float64{0.5, 1, 20}),
		"0.10":                     Fixed(0.1, 2),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, got := range []string{Unknown().Signed(1), Unknown().Ratio(10), Significant(0, 2), Significant(math.Inf(1), 2), Fixed(nan, 1)} {
		if got != Dash {
			t.Errorf("unknown: got %q", got)
		}
	}
	columns := []TextColumn[int]{{"n", func(n int) string { return strings.Repeat("x", n) }}, {"", func(n int) string { return "" }}}
	for trimmed, want := range map[bool]string{false: "n    \nxxx  \n\n", true: "n\nxxx\n\n"} {
		text := Text{Trimmed: trimmed}
		WriteRows(&text, []int{3}, columns...)
		text.Table(func(out io.Writer) { _, _ = io.WriteString(out, "\n") })
		if text.String() != want {
			t.Errorf("got table %q, want %q", text.String(), want)
		}
	}
}

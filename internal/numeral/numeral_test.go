package numeral

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// TestCases checks that numbers are formatted as in testdata/cases.json. The page's scripts are tested with the same
// file.
func TestCases(t *testing.T) {
	text, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases map[string][]struct {
		Value  *float64
		Digits int
		Text   string
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for kind, write := range map[string]func(float64, int) string{"significant": Format, "decimals": Fixed} {
		if len(cases[kind]) == 0 {
			t.Fatalf("there are no cases of %s", kind)
		}
		for _, c := range cases[kind] {
			v := math.NaN()
			if c.Value != nil {
				v = *c.Value
			}
			if got := write(v, c.Digits); got != c.Text {
				t.Errorf("%g in %d %s is %q, not %q", v, c.Digits, kind, got, c.Text)
			}
		}
	}
	for n, want := range map[int]string{0: "0", 9999: "9999", 50000: "50,000", -1234567: "−1,234,567"} {
		if got := Count(n); got != want {
			t.Errorf("%d is %q", n, got)
		}
	}
	for v, want := range map[float64]string{math.Inf(1): "∞", math.Inf(-1): "−∞", math.MaxFloat64: "∞"} {
		if got := Format(v, 1); got != want {
			t.Errorf("%g is %q", v, got)
		}
	}
}

package param

import "testing"

// TestNumber checks that numbers must be decimal.
func TestNumber(t *testing.T) {
	for _, text := range []string{"0x1p-3", "0X1p-3", "1_000", "0x1p-34609741353352", "nan", "inf", "", "\r\n", "1e400"} {
		if f, ok := number(text); ok {
			t.Errorf("%q is read as %v", text, f)
		}
	}
	for text, want := range map[string]float64{"1e3": 1000, "-.5": -0.5, "+2E-1": 0.2} {
		if f, ok := number(text); !ok || f != want {
			t.Errorf("%q is read as %v, %v", text, f, ok)
		}
	}
}

package formula

import (
	"errors"
	"strings"
	"testing"

	"paretoplay/algo/algotest"
)

func levels(t testing.TB, text string) *Bilevel {
	t.Helper()
	p, err := ParseBilevel(text, 0, 0)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return p
}

// TestBilevelConforms checks the derivatives of both levels, for smooth formulas and for formulas with definitions and
// sums.
func TestBilevelConforms(t *testing.T) {
	for _, text := range []string{
		"F1 = (w1-1)^2 + (w2-a1)^2\nF2 = (w1-2)^2 + (w2-a1)^2\nf = (w1-a1)^2 + (w2-a1)^2",
		"F1 = exp(a1*w1) + s\nf = sum(i, 1, p, (w[i] - sin(a[1] + i))^2) + n\ns = tanh(w3)*a2\nc = 0.5\nF2 = c*a[n]^2",
		"n = 2\np = 3\nF1 = w1\nf = w1^2",
	} {
		algotest.Bilevel(t, levels(t, text))
	}
}

// TestBilevel compares sizes, named numbers and derivatives with values computed by hand.
func TestBilevel(t *testing.T) {
	p := levels(t, "f = (w1-a1)^2*c\n\nF1 = w2*a1^2\nc = 2\nF2 = w1")
	if n, lower, m := p.Dims(); n != 1 || lower != 2 || m != 2 {
		t.Fatalf("dims %d %d %d", n, lower, m)
	}
	z, g, h := []float64{3, 1, 5}, make([]float64, 3), make([]float64, 3)
	if got := p.Lower(z); got != 8 {
		t.Errorf("f = %v", got)
	}
	p.Gradient(g, 0, z)
	near(t, "∇F1", g, []float64{30, 0, 9}, 1e-15)
	p.HessianProduct(h, 0, z, []float64{1, 0, 1})
	near(t, "∇²F1", h, []float64{16, 0, 6}, 1e-15)
	p.Gradient(g, 2, z)
	near(t, "∇f", g, []float64{8, -8, 0}, 1e-15)
	if err := p.SetNumber("c", 1); err != nil || p.Number("c") != 1 || p.Lower(z) != 4 || len(p.Numbers()) != 1 {
		t.Errorf("c = %v, f = %v, %v", p.Number("c"), p.Lower(z), err)
	}
	if p.Formula(0) != "w2*a1^2" || p.Line(0) != 3 || p.Formula(2) != "(w1-a1)^2*c" || p.Line(2) != 1 || p.Kink() != "" {
		t.Errorf("%q in line %d, %q in line %d", p.Formula(0), p.Line(0), p.Formula(2), p.Line(2))
	}
	if fault := levels(t, "F1 = w1\nf = ((a1+0)/w1)^2").Fault([]float64{1, 0}); fault != "((a1+0)/w1)" {
		t.Errorf("the fault is %q", fault)
	}
}

// TestBilevelRefused checks that invalid two-level texts are refused with an error that points to the mistake.
func TestBilevelRefused(t *testing.T) {
	const lower = "\nf = (w1-a1)^2"
	for text, want := range map[string]string{
		"": "1:1: a formula", "F1 = w1": "1:1: the lower objective", "f = w1^2\na = 2": "2:1: another name",
		"f = w1^2": "1:1: an upper objective", "w1" + lower: "1:1: a name, such as F1 =", "F1 = x1" + lower: "1:6: a variable a1 ... or w1",
		"F1 = w1\nF3 = w1" + lower: "2:1: F2", "F1 = w0" + lower: "1:6: an index from 1 to 1, the number of lower variables",
		"F1 = w1\nF2 = w1\nF3 = w1\nF4 = w1\nF5 = w1" + lower: "5:1: at most 4 upper", "F1 = a" + lower: "1:6: a1 ... or a[1]",
		"F1 = x[1]" + lower: "1:6: a or w before", "F1 = a[n+1]" + lower: "1:8: an additional line such as n = 5",
		"n = 2.5" + lower: "1:5: a whole",

		"F1 = w1\np = 1" + lower + "+ w2^2": "3:16: an index from 1 to 1", "F1 = w1\n  w1 in [0, 1]" + lower: "2:6: no bounds",
		"F1 = w1\nw1 = 2" + lower: "2:1: another name", "F1 = w99999999999999999999" + lower: "1:6: an index",
		"F1 = w1\nF1 = w2" + lower: "2:1: another name", "F1 = f" + lower + " +": "2:16: a number",
		"F1 = sum(w,1,2,1)" + lower:    "1:10: another name",
		"F1 = f + F2\nF2 = F1" + lower: "2:6: a definition that does not refer to itself",
	} {
		_, err := ParseBilevel(text, 0, 0)
		var at *Error
		if !errors.As(err, &at) || !strings.HasPrefix(at.Error(), want) {
			t.Errorf("%q: %v, want %s...", text, err, want)
		}
	}
	for text, want := range map[string]bool{"F1 = w1\nf = w1": true, " F2=w1": true, "f1 = F1\nF1 = x": false, "x1": false, "f = x": false} {
		if IsBilevel(text) != want {
			t.Errorf("IsBilevel(%q) = %v", text, !want)
		}
	}
}

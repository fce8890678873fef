package formula

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestNotation checks that formulas in the notations of other programs have the same values.
func TestNotation(t *testing.T) {
	const reference = "f1 = 2*x1^2 + sin(pi*x2)\nf2 = (x1 - 1)^2 + abs(x2)\nx1 in [0, 1]\nx2 in [-1, 2]"
	at := []float64{0.25, 0.5}
	want := parsed(t, reference, 0)
	values := func(p *Problem) string {
		f, g, lo, hi := make([]float64, 2), make([]float64, 2), "none", "none"
		p.Values(f, at)
		p.Gradient(g, 0, at)
		if b, is := p.Boxed(); is {
			l, h := b.Bounds()
			lo, hi = fmt.Sprint(l), fmt.Sprint(h)
		}
		return fmt.Sprint(f, g, lo, hi)
	}
	for _, text := range []string{
		"# two objectives\nf1 = 2*x1^2 + sin(pi*x2) # the first\nf2 = (x1 - 1)^2 + abs(x2)\nx1 in [0, 1]\nx2 in [-1, 2]",
		"% MATLAB\nf1 = 2*x(1).^2 + sin(pi.*x(2)); % the first\nf2 = (x(1) - 1).^2 + abs(x(2));\n0 <= x(1) <= 1\n-1 <= x(2) <= 2",
		"f1(x) = 2*x[1]^2 + sin(pi*x[2])\nf2(x) = (x[1]-1)^2 + abs(x[2])\n0 ≤ x1 ≤ 1\n2 >= x2 >= -1",
		"min f1(x1, x2) = 2x1^2 + sin(pi*x2)\nminimize f2 = (x1 - 1)^2 + abs(x2)\nx1 in [0, 1]\nx2 in [-1, 2]",
		"F1 = 2*x_1**2 + np.sin(np.pi*x_2)\nF2 = (x_1 - 1)**2 + np.abs(x_2)\nx_1 in [0, 1]\nx_2 in [-2/2, sqrt(4)]",
		"f_1(x) = 2 x₁^2 + sin(π*x₂)\nf_2(x) = (x₁ - 1)^2 + abs(x₂)\nx₁ ∈ [0, 1]\nx₂ in [-1, 2]",
		"\ufefff1 = 2*pow(x1, 2) + math.sin(math.pi*x2)\r\nf2 = pow(x1 - 1, α) + math.fabs(x2)\r\nα = 2\r\nx1 in [0, 1]\r\nx2 in [-1, 2]\r\n",
	} {
		p, err := Parse(text, 0)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := values(p); got != values(want) {
			t.Errorf("%q: %s, want %s", text, got, values(want))
		}
	}
	one := parsed(t, "x1 + x2\nx1 >= -pi\nx2 <= 2*pi\n0 <= x3", 3)
	b, is := one.Boxed()
	lo, hi := b.Bounds()
	if !is || lo[0] != -math.Pi || !math.IsInf(hi[0], 1) || !math.IsInf(lo[1], -1) ||
		hi[1] != 2*math.Pi || lo[2] != 0 || !math.IsInf(hi[2], 1) {
		t.Errorf("one-sided bounds: %v, %v", lo, hi)
	}
	for text, value := range map[string]float64{
		"ln(x)": math.Log(0.25), "log(x)": math.Log(0.25), "log10(1000*x/0.25)": 3, "asin(x)": math.Asin(0.25), "acos(x)": math.Acos(0.25),
		"atan2(x, -1)": math.Atan2(0.25, -1), "mod(-x, 1)": 0.75, "mod(7.25+0*x, -2)": -0.75, "max(x, 3, 2)": 3, "min(x, 3, 2, -1)": -1,
		"2^3^2*x": 128, "-x^2": -0.0625,
		"2exp(0*x)": 2, "3(x+1)": 3.75, "2e": 2 * math.E, "np.log10(x/x)": 0,
	} {
		f := make([]float64, 1)
		parsed(t, text, 1).Values(f, []float64{0.25})
		if math.Abs(f[0]-value) > 1e-15 {
			t.Errorf("%s is %v, want %v", text, f[0], value)
		}
	}
	var wide strings.Builder
	wide.WriteString("f1 = sum(i, 1, n, x[i]^2)\nf2 = x30\nn = 30")
	if n, _ := parsed(t, wide.String(), 0).Dims(); n != 30 {
		t.Errorf("%d variables", n)
	}
}

// TestPowers checks that powers are as exact as possible, and have a value wherever they are defined.
func TestPowers(t *testing.T) {
	for _, c := range []struct {
		text string
		at   []float64
		want float64
	}{
		{"10^x", []float64{3}, 1000}, {"2.^x", []float64{3}, 8}, {"10^x", []float64{15}, 1e15},
		{"x1^x2", []float64{-2, 2}, 4}, {"x1^x2", []float64{0, 0}, 1},
		{"x1^x2", []float64{-2, 3}, -8}, {"x1^x2", []float64{0, 2}, 0}, {"abs(x1)^0.8", []float64{0}, 0},
	} {
		p := parsed(t, c.text, len(c.at))
		f := make([]float64, 1)
		if p.Values(f, c.at); f[0] != c.want {
			t.Errorf("%s at %v is %v, want %v", c.text, c.at, f[0], c.want)
		}
	}
	// Derivatives of different forms of the same function must agree.
	for _, pair := range [][2]string{
		{"x1^x2", "exp(x2*log(x1))"}, {"(x1*x2)^(x1+x2)", "exp((x1+x2)*log(x1*x2))"}, {"3^(x1*x2)", "exp(x1*x2*log(3))"},
		{"log10(x1*x2)", "log(x1*x2)/log(10)"},
		{"atan2(x1*x2, x2+1)", "atan(x1*x2/(x2+1))"}, {"asin(x1*x2/9)", "atan(x1*x2/9/sqrt(1-(x1*x2/9)^2))"},
		{"acos(x1*x2/9)", "pi/2 - asin(x1*x2/9)"},
		{"mod(x1*x2, 1.5)", "x1*x2 - 1.5"},
	} {
		x, d := []float64{1.25, 2.1}, []float64{0.3, -0.7}
		var got [2][3][]float64
		for i, text := range pair {
			p := parsed(t, text, 2)
			got[i] = [3][]float64{make([]float64, 1), make([]float64, 2), make([]float64, 2)}
			p.Values(got[i][0], x)
			p.Gradient(got[i][1], 0, x)
			p.HessianProduct(got[i][2], 0, x, d)
		}
		for k, what := range []string{"value", "gradient", "Hessian-vector product"} {
			near(t, "the "+what+" of "+pair[0], got[0][k], got[1][k], 1e-13)
		}
	}
}

// TestDeclared checks that a text with a sum over n variables must declare n.
func TestDeclared(t *testing.T) {
	for text, want := range map[string]string{
		"f1 = x1\nf2 = 1 + sum(i, 2, n, x[i])":        "2:20: an additional line such as n = 5: this formula uses n, the number of variables",
		"f1 = x1\nf2 = 1 + sum(i, 2, n, x[i])\nn = 3": "",
		"f1 = x1 + x2\nf2 = 1 + sum(i, 1, n, x[i])":   "",
		"f1 = sum(n, 1, 2, n*x1)":                     "1:10: another name for the index: n is reserved",
	} {
		_, err := Parse(text, 0)
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if got := parsed(t, "a*x\na = 2\nb = 3\nc = pi", 1).Unused(); fmt.Sprint(got) != "[b c]" {
		t.Errorf("unused: %v", got)
	}
}

// TestSplit checks that Split returns the kind of each line and the place where its formula starts.
func TestSplit(t *testing.T) {
	got, err := Split("# c\n\n  min F1(x) = x1^2 # a\nx2; % b\ng = 2\n0 <= x1 <= 1")
	want := []Line{{Objective, "f1", "x1^2", 3, 15}, {Objective, "", "x2", 4, 1}, {Definition, "g", "g = 2", 5, 1},
		{Bound, "", "0 <= x1 <= 1", 6, 1}}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// TestConstant checks that Constant evaluates formulas without variables and refuses others.
func TestConstant(t *testing.T) {
	for text, want := range map[string]float64{
		"-pi": -math.Pi, " 2*sqrt(4) ": 4, "1e-3": 1e-3, "max(1, 2, 3)": 3, "−1": math.NaN(),
		"x": math.NaN(), "": math.NaN(), "1/0": math.NaN(), "1 2": math.NaN(),
	} {
		got, err := Constant(text)
		if (err != nil) != math.IsNaN(want) || err == nil && got != want {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
}

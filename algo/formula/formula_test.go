package formula

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
)

func parsed(t testing.TB, text string, n int) *Problem {
	t.Helper()
	p, err := Parse(text, n)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return p
}

// near fails the test unless two vectors agree within a relative tolerance.
func near(t *testing.T, what string, got, want []float64, relative float64) {
	t.Helper()
	size := 0.0
	for _, v := range want {
		size = max(size, math.Abs(v))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= relative*max(size, 1e-300)) {
			t.Errorf("%s is %v, want %v", what, got, want)
			return
		}
	}
}

// TestReference compares values, gradients and Hessian-vector products with reference values of higher precision. It
// also checks that every invalid text is refused with an error that points to the mistake.
func TestReference(t *testing.T) {
	data, err := os.ReadFile("testdata/formulas.json")
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Cases []struct {
			N                               int
			Formula                         string
			X, Direction, Gradient, Product []float64
			Value                           float64
		}
		Refused []string
	}
	if err := json.Unmarshal(data, &reference); err != nil {
		t.Fatal(err)
	}
	// The reference program evaluates powers from left to right, so these two formulas need brackets.
	brackets := strings.NewReplacer("x1^3^2", "(x1^3)^2", "pi^4^2", "(pi^4)^2")
	for _, c := range reference.Cases {
		p := parsed(t, brackets.Replace(c.Formula), c.N)
		value, got := make([]float64, 1), make([]float64, c.N)
		p.Values(value, c.X)
		near(t, "the value of "+c.Formula, value, []float64{c.Value}, 1e-12)
		p.Gradient(got, 0, c.X)
		near(t, "the gradient of "+c.Formula, got, c.Gradient, 1e-11)
		p.HessianProduct(got, 0, c.X, c.Direction)
		near(t, "the Hessian-vector product of "+c.Formula, got, c.Product, 1e-10)
	}
	for _, text := range reference.Refused {
		if text == "2x1" { // allowed here: a product without * after a number
			continue
		}
		_, err := Parse(text, 2)
		var at *Error
		if !errors.As(err, &at) || at.Line < 1 || at.Column < 1 || at.Expected == "" {
			t.Errorf("%q: %v, want an error with its place", text, err)
		}
	}
}

// TestByHand compares a value, a gradient and a Hessian-vector product with numbers computed by hand.
func TestByHand(t *testing.T) {
	p := parsed(t, "f1 = (x-1)^2 + a*x*y\nf2 = -x^2\na = 3", 0)
	if n, m := p.Dims(); n != 2 || m != 2 {
		t.Fatalf("%d variables, %d objectives", n, m)
	}
	f, jac := make([]float64, 2), algo.NewJacobian(2, 2)
	x := []float64{2, 5}
	p.Values(f, x)
	p.Jacobian(jac, x)
	near(t, "f", f, []float64{31, -4}, 1e-15)
	near(t, "the Jacobian", jac.Data, []float64{17, 6, -4, 0}, 1e-15)
	got := make([]float64, 2)
	p.HessianProduct(got, 0, x, []float64{1, 10})
	near(t, "the product", got, []float64{32, 3}, 1e-15)
	if err := p.SetNumber("a", 0); err != nil || p.Number("a") != 0 {
		t.Error(err)
	}
	p.Values(f, x)
	near(t, "f without its product", f, []float64{1, -4}, 1e-15)
	if p.SetNumber("b", 1) == nil || p.SetNumber("a", math.NaN()) == nil || !math.IsNaN(p.Number("b")) {
		t.Error("an unknown name or a value that is not finite was accepted")
	}
}

// TestMeaning checks the values of formulas at (3, 4).
func TestMeaning(t *testing.T) {
	for text, want := range map[string]float64{
		"-x^2": -9, "2^3^2+0*x": 512, "2**3*x": 24, "2^-1*x": 1.5, "x/2/3": 0.5, "x-1-1": 1, "--x": 3, "+x": 3, "-x^2^0": -3,
		"1e1*x": 30, "2*e*x": 6 * math.E, "2e0*x": 6, "sum(i, 1, n, x[i])": 7, "sum(i, 2, 1, x[i])+x1": 3,
		"sum(i, 1, n, sum(j, 1, i, x[j]))": 10, "sum(i, 1, 3, i)*x1": 18, "x[n]": 4, "x[n-1]+n": 5, "max(x, y)": 4, "min(x, y)": 3,
		"2^x": 8, "x^y": 81, "pi*0+x1+x2": 7, "abs(-x)": 3, "sigmoid(0*x)": 0.5, "softplus(1000*x)": 3000, "sinh(x)": math.Sinh(3),
		"sinh(x/7)": math.Sinh(3. / 7), "sinh(x/1000)": math.Sinh(0.003),
		"cosh(x)": math.Cosh(3), "0*x+5": 5, "f1 = g*h\ng = x + h\nh = y\n": 28, "f2 = x\nf1 = f2 + 1": 4, "x\nx1x = 2": 3,
		"n = 2\nx[n]": 4, "sqrt(x*x)": 3, "log(exp(x))": 3, "log1p(x-3)": 0, "tanh(0*x)": 0, "atan(tan(x/3))": 1,
	} {
		p, err := Parse(text, 2)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		f := make([]float64, p.m)
		p.Values(f, []float64{3, 4})
		if !(math.Abs(f[0]-want) <= 4e-15*math.Abs(want)) {
			t.Errorf("%q: got %v, want %v", text, f[0], want)
		}
	}
}

// TestRefused checks that invalid texts are refused with an error that points to the mistake.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"": "1:1: a formula", "x +": "1:4: a number, a variable", "1/2x": "1:4: * or brackets",
		"x1 < x2": "1:4: no constraint", "x |": "1:3: abs",
		"x\n\n  2+)": "3:5: a number", "x)": "1:2: no closing bracket", "(x": "1:3: a closing bracket", "sin x": "1:5: an opening bracket",
		"sin": "1:4: an opening bracket", "x+z": "1:3: a variable", "x11": "1:1: an index from 1 to 2", "x0": "1:1: an index",
		"x1+x": "1:4: x1, x2", "x[1.5]": "1:3: a whole number", "x[x1]": "1:3: a whole number", "y[1]": "1:1: x before a bracket",
		"x[a]\na = 1": "1:3: a whole number", "1e999*x": "1:1: a finite number", "x+1/0": "1:3: a finite number",
		"x+log(-1)": "1:3: a finite number",
		"f(x)":      "1:1: a function", "min(x)": "1:6: a comma", "sum(i,1,n,x[i]": "1:15: a closing", "sum(pi, 1, 2, x1)": "1:5: another name",
		"sum(i,1,1e9,x[1])": "1:", "sum(i,1,2e9,x[1])": "1:9: a whole number", "√x": "1:1: sqrt", "x²": "1:2: ^2", "x=2": "1:1: another name",
		"x1 = 2": "1:1: another name", "sin = 2": "1:1: another name", "2 = x": "1:3: a name before =", "a = 2\na = 3\nx": "2:1: another name",
		"f1 = x\nf3 = y": "2:1: f2", "f1 = x\ny": "2:1: a name", "a = 2": "1:1: an objective", "x\nx\nx\nx\nx": "5:1: at most 4",
		"g\ng = h*x\nh = g": "3:5: a definition that does not refer to itself", "f1 = f2\nf2 = f1": "2:6: a definition",
		"x\ng = z": "2:5: a variable", "n = 31\nx1": "1:5: a whole number", "n = 3\nx1": "1:1: 3 variables", "x1; x2": "1:3: the next formula",
		"x1 in [0, 1": "1:4: + - *", "x1\nx1 in [1, 0]": "2:8: a lower", "x1\nx1 in [0, z]": "2:11: a finite",
		"x1\nx3 in [0, 1]":               "2:1: a variable",
		"x1\nx1 in [0, 1]\nx1 in [0, 2]": "3:1: the bounds", "ä": "1:1: a number, a name",
		strings.Repeat("(", 300) + "x": "1:202: at most 200",
		strings.Repeat("-", 300) + "x": "1:202: at most 200",
		"f1 = " + strings.Repeat("x+", 900) + "x\nf2 = " + strings.Repeat("x*", 900) + "x": "2:", strings.Repeat("x", 2001): "1:2001: at most",
		strings.Repeat("x\n", 65): "65:1: at most 64",
		"f1 = x\nf2 = " + strings.Repeat("-x", 990) + "\nf3 = x" + strings.Repeat("-x", 990) + "\ng = " +
			strings.Repeat("-x", 990): "4:1: fewer than 4000",
		"f1 = g9\ng0 = x\n" + doubled(9): "", "x1^": "1:4: a number", "x,y": "1:2: + - * /", "x[1": "1:4: a closing",
		"sum(1,1,2,x)": "1:5: the name",
	} {
		_, err := Parse(text, 2)
		var at *Error
		if !errors.As(err, &at) || !strings.HasPrefix(at.Error(), want) {
			t.Errorf("%.40q: %v, want %s...", text, err, want)
		}
	}
	if _, err := Parse("x1", 31); err == nil {
		t.Error("31 variables were accepted")
	}
}

const noConstraint = "no constraint: bound a variable, as in x1 in [0, 1]; of a constraint g <= 0, or of an objective that is " +
	"to stay below a level, add a penalty to an objective, as in f1 = ... + 100*max(g, 0)^2"

// TestWords checks that each common mistake gets a specific message.
func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"sum(i,1,1e9,x*i)":             "1:15: fewer than 2000 values and operators in total, with definitions substituted and sums unrolled",
		"x[3]":                         "1:1: an index from 1 to 2, the number of variables; this one is 3",
		"x*1e999":                      "1:3: a finite number, such as 0.5 or 1e-3",
		"x*(1/0)":                      "1:4: a finite number",
		strings.Repeat("(", 201) + "x": "1:202: at most 200 levels of brackets, signs and functions",
		"|x|":                          "1:1: abs(...): formulas have no bars",
		"x < y":                        "1:3: " + noConstraint,
		"x >= y":                       "1:3: " + noConstraint,
		"x == y":                       "1:3: " + noConstraint,
		"2 3":                          "1:3: + - * / ^ or the end of the line: a product is written with *",
		"2^3x":                         "1:4: * or brackets: a product without * after / or ^ is ambiguous",
		"0x10":                         "1:2: + - * / ^ or the end of the line: numbers are decimal",
		"x\ng1 = 6 - (y + 9*x)": "2:1: an objective that uses g1; of a constraint g1 <= 0 " +
			"add a penalty to one, as in f1 = ... + 100*max(g1, 0)^2",
		"x\ng1 = 6 - y\ng1 <= 0": "3:4: " + noConstraint,
		"max f1 = x":             "1:1: min or no word: objectives are minimized, so write the negative of one to maximize",
		"x % 2":                  "1:3: mod(a, b) for a remainder, or # before a comment",
		"x y":                    "1:3: + - * / ^ or the end of the line: a product is written with *",
		"(x)(y)":                 "1:4: + - * / ^ or the end of the line: a product is written with *",
		"Sin(x)": "1:1: a function: Sin is unknown; available: abs acos asin atan atan2 cos cosh exp log log10 log1p max min mod pow sigmoid " +
			"sin sinh softplus sqrt sum tan tanh",
		"max(x)": "1:6: a comma: max takes two values", "x + foo": "1:5: a variable x1 ... x30, a number, or a name that another line " +
			"defines: foo is not defined",
		"x1 + y": "1:6: x1, x2, ...: x and y mean x1 and x2 only in a text without numbered variables", "(x": "1:3: a closing bracket )",
		"x)": "1:2: no closing bracket without an opening one", "x = 3": "1:1: another name: x is reserved",
		"a = b\nb = a\na": "2:5: a definition that does not refer to itself: a does", "": "1:1: a formula, such as f1 = x1^2 + x2^2",
		"x + log(0)": "1:5: a finite number", "f1 = x\nf1 = y": "2:1: another name: line 1 has f1", "x!": "1:2: no factorial and no condition",
		"<img src=x onerror=alert(1)>":           "1:1: " + noConstraint,
		"x1 in [2, 1]\nx1":                       "1:8: a lower bound below the upper one",
		"f1 = x\nf2 = x\nf3 = x\nf4 = x\nf5 = x": "5:1: at most 4 objectives", "n = 3\nx1": "1:1: 3 variables, as the text declares, not 2",
	} {
		_, err := Parse(text, 2)
		if err == nil || err.Error() != want {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

// TestLabour checks that a formula's labour is the sum over its parts, and that equal parts count once.
func TestLabour(t *testing.T) {
	short, long, shared := parsed(t, "x1*x2", 2).Labour(), parsed(t, "x1*x2+sin(x1)", 2).Labour(), parsed(t, "x1*x2+x1*x2", 2).Labour()
	if short < 1 || long <= shared || shared <= short || parsed(t, "2", 1).Labour() < 1 {
		t.Errorf("%d, %d and %d multiplications", short, long, shared)
	}
}

// TestLength checks that an error's length is the length of the token at its place.
func TestLength(t *testing.T) {
	for text, want := range map[string]int{
		"x + 1/2x": 1, "x +": 0, "(x": 0, "x + zeta_1*2": 6, "2 3.25": 4, "x | y": 1, "x1\nx1 ² ": 1, "x1\r\nx1 +\r\n": 0, "": 0, "x²²": 1,
		"*x": 1, "x + **": 2,
	} {
		_, err := Parse(text, 2)
		var at *Error
		if !errors.As(err, &at) || at.Length(text) != want {
			t.Errorf("%q: the length of %v: got %d, want %d", text, err, at.Length(text), want)
		}
	}
	if (&Error{Line: 3, Column: 1}).Length("x\ny") != 0 {
		t.Error("an error beyond the last line has a length")
	}
}

// doubled returns definitions of g1, g2, ... up to the index last. Each is the sum of eight copies of the previous
// one, so nine of them have too many nodes after substitution.
func doubled(last int) string {
	var lines []string
	for i := 1; i <= last; i++ {
		before := "g" + string(rune('0'+i-1))
		lines = append(lines, "g"+string(rune('0'+i))+" = "+strings.Repeat(before+"+", 7)+before)
	}
	return strings.Join(lines, "\n")
}

// TestKinks checks that abs, min and max use the derivative from the right at a kink, and report the kink.
func TestKinks(t *testing.T) {
	for text, want := range map[string][2]float64{
		"abs(x)+y": {1, 1}, "max(x, 0)+y": {1, 1}, "min(x, 0)+y": {0, 1}, "max(0, -x)+y": {0, 1}, "min(x, x)+y": {1, 1},
	} {
		p := parsed(t, text, 0)
		got := make([]float64, 2)
		p.Gradient(got, 0, []float64{1, 1})
		if p.Kink() != "" {
			t.Errorf("%s: reported a kink at (1, 1)", text)
		}
		p.Gradient(got, 0, []float64{0, 1})
		near(t, "the gradient of "+text, got, want[:], 0)
		if kink, _, _ := strings.Cut(text, "+"); p.Kink() != kink && text != "min(x, x)+y" || text == "min(x, x)+y" && p.Kink() != "" {
			t.Errorf("the kink of %s: got %q, want %q", text, p.Kink(), kink)
		}
	}
}

// TestFault checks that Fault returns the part that is not finite.
func TestFault(t *testing.T) {
	for text, want := range map[string]string{
		"log(x)+y": "log(x)", "sqrt(x+1)*y": "", "y/(x+1)": "y/(x+1)", "sqrt(x+1)": "", "exp(1000*y)-exp(1000*y)": "exp(1000*y)",
	} {
		p := parsed(t, text, 2)
		at := []float64{-1, 1}
		if got := p.Fault(at); text != "sqrt(x+1)*y" && text != "sqrt(x+1)" && got != want {
			t.Errorf("the fault of %s: got %q, want %q", text, got, want)
		}
		if text == "sqrt(x+1)" && p.Fault(at) != "sqrt(x+1)" {
			t.Errorf("the fault of the derivative of %s is %q", text, p.Fault(at))
		}
	}
	if got := parsed(t, "x*y", 2).Fault([]float64{1, 2}); got != "" {
		t.Errorf("reported the fault %q in a sound formula", got)
	}
}

// TestBox checks bounds for one variable and for all variables, and that missing bounds are infinite.
func TestBox(t *testing.T) {
	p := parsed(t, "x1+x3\nx in [0, 1]\nx3 in [-2, 2.5]", 0)
	box, has := p.Boxed()
	lo, hi := box.Bounds()
	if !has {
		t.Fatal("the problem has no box")
	}
	near(t, "lo", lo, []float64{0, 0, -2}, 0)
	near(t, "hi", hi, []float64{1, 1, 2.5}, 0)
	if _, has := parsed(t, "x", 0).Boxed(); has {
		t.Error("a problem without bounds has a box")
	}
	box, _ = parsed(t, "x+y\nx in [0, 1]", 0).Boxed()
	if lo, hi = box.Bounds(); lo[0] != 0 || !math.IsInf(hi[1], 1) {
		t.Errorf("x and y have bounds %v, %v", lo, hi)
	}
}

// random returns a random formula that is smooth and finite everywhere, with at most the given nesting depth.
func random(r *rand.Rand, depth int) string {
	of := func() string { return random(r, depth-1) }
	if depth == 0 {
		return []string{"x1", "x2", "x3", "0.7", "pi", "x[n]"}[r.IntN(6)]
	}
	switch r.IntN(14) {
	case 0:
		return of() + "*" + of()
	case 1:
		return "(" + of() + "-" + of() + ")"
	case 2:
		return "(" + of() + ")/(1+(" + of() + ")^2)"
	case 3:
		return "log(1+(" + of() + ")^2)"
	case 4:
		return "exp(sin(" + of() + "))"
	case 5:
		return "sqrt(1+(" + of() + ")^2)"
	case 6:
		return "tanh(" + of() + ")"
	case 7:
		return "softplus(" + of() + ")*sigmoid(" + of() + ")"
	case 8:
		return "(1.5+sin(" + of() + "))^cos(" + of() + ")"
	case 9:
		return "-sinh(sin(" + of() + "))"
	case 10:
		return "atan(" + of() + ")+cosh(cos(" + of() + "))"
	case 11:
		return "tan(sin(" + of() + "))"
	case 12:
		return "log1p((" + of() + ")^2)^1.5"
	}
	return "sum(i, 1, n, sin(i*x[i]+" + of() + "))"
}

// TestDerivatives compares gradients and Hessian-vector products of random formulas with finite differences.
func TestDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		text := random(r, 1+r.IntN(4))
		p, err := Parse(text, 3)
		var at *Error
		if errors.As(err, &at) && strings.Contains(at.Expected, "fewer than") {
			continue
		}
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		x, direction := make([]float64, 3), make([]float64, 3)
		for i := range x {
			x[i], direction[i] = r.NormFloat64(), r.NormFloat64()
		}
		f, got, product := make([]float64, 1), make([]float64, 3), make([]float64, 3)
		settings := &fd.Settings{Formula: fd.Central}
		want := fd.Gradient(nil, func(x []float64) float64 { p.Values(f, x); return f[0] }, x, settings)
		p.Gradient(got, 0, x)
		size := 1.0
		for i := range want {
			size = max(size, math.Abs(got[i]))
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-6*size {
				t.Fatalf("%s at %v: gradient %v, by differences %v", text, x, got, want)
			}
		}
		p.HessianProduct(product, 0, x, direction)
		along := func(by float64) []float64 {
			moved, g := make([]float64, 3), make([]float64, 3)
			for i := range x {
				moved[i] = x[i] + by*direction[i]
			}
			p.Gradient(g, 0, moved)
			return g
		}
		const h = 1e-5
		ahead, behind := along(h), along(-h)
		for i := range product {
			size = max(size, math.Abs(product[i]))
		}
		for i := range product {
			if math.Abs(product[i]-(ahead[i]-behind[i])/(2*h)) > 1e-5*size {
				t.Fatalf("%s at %v along %v: product %v, by differences of gradients %v, %v", text, x, direction, product, ahead, behind)
			}
		}
	}
}

// TestAllocations checks that evaluations after the first do not allocate.
func TestAllocations(t *testing.T) {
	p := parsed(t, "f1 = sum(i, 1, n, x[i]^2)\nf2 = sum(i, 1, n, abs(x[i]-1))^1.5", 5)
	x, f, jac, product := make([]float64, 5), make([]float64, 2), algo.NewJacobian(2, 5), make([]float64, 5)
	if n := testing.AllocsPerRun(10, func() {
		p.Values(f, x)
		p.Jacobian(jac, x)
		p.HessianProduct(product, 1, x, x)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkGradient compares the time to compute a gradient with the time to compute the values. The ratio should be at
// most five.
func BenchmarkGradient(b *testing.B) {
	p := parsed(b, "f1 = sum(i, 1, n, exp(sin(x[i])*x[i])/(1+x[i]^2))", 10)
	x, f, g := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, make([]float64, 1), make([]float64, 10)
	b.Run("values", func(b *testing.B) {
		for b.Loop() {
			p.Values(f, x)
		}
	})
	b.Run("gradient", func(b *testing.B) {
		for b.Loop() {
			p.Gradient(g, 0, x)
		}
	})
	b.Run("product", func(b *testing.B) {
		for b.Loop() {
			p.HessianProduct(g, 0, x, x)
		}
	})
}

// TestConforms checks that a problem from formulas has all the properties that steppers rely on.
func TestConforms(t *testing.T) {
	algotest.Problem(t, parsed(t, "f1 = (x1-1)^2 + x2^2\nf2 = exp(-x1) + x2^4", 0))
}

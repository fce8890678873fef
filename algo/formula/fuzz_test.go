package formula

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"paretoplay/algo"
)

var allTexts = flag.Bool("texts", false, "read all 100,000 random texts of formulas, not one in twenty")

// parts are the tokens of random texts, in addition to numbers.
var parts = strings.Fields("x y x1 x2 x10 x11 n p a1 w2 a w z pi e f f1 F1 g + - * / ^ ** ( ) [ ] , = | < > ; in sum " +
	"sum(i,1,n,x[i]) x[i] " + functionNames + " ² √ − ∞ \x00 \xff 1e999 1e-999 .5 5. 1e 00 0x1 1_0 " + strings.Repeat("9", 40))

// randomText returns the random text with the given number: valid, damaged, deeply nested, long, or built from random
// tokens.
func randomText(number uint64) string {
	r := rand.New(rand.NewPCG(21, number))
	lines := func() string {
		var b strings.Builder
		for i := range 1 + r.IntN(4) {
			fmt.Fprintf(&b, "f%d = %s\n", i+1, random(r, 1+r.IntN(4)))
		}
		return b.String() + []string{"n = 3\n", "a = 2\nn = 4\n", "x1 in [0, 1]\n", "g = 1 + pi\nh = g*g\n", "n = 5\n"}[r.IntN(5)]
	}
	many := func(most int) int { return 1 + r.IntN(most) }
	switch r.IntN(11) {
	case 0, 10:
		return lines()
	case 1, 2: // some bytes replaced
		text := []byte(lines())
		for range many(5) {
			text[r.IntN(len(text))] = byte(r.IntN(256))
		}
		return string(text)
	case 3: // a piece left out, doubled or moved
		text := lines()
		from, to := r.IntN(len(text)), r.IntN(len(text))
		from, to = min(from, to), max(from, to)
		return []string{text[:from] + text[to:], text[:to] + text[from:], text[from:to] + text[:from] + text[to:]}[r.IntN(3)]
	case 4: // odd parts
		var b strings.Builder
		for range many(60) {
			b.WriteString(parts[r.IntN(len(parts))])
			b.WriteString([]string{"", " ", "\n"}[r.IntN(8)/3%3])
		}
		return b.String()
	case 5: // deep
		open := []string{"(", "-", "sin(", "2^", "max(1,", "sum(i,1,1,", "x[", "1/("}[r.IntN(8)]
		depth := many(1000)
		return strings.Repeat(open, depth) + "x1" + strings.Repeat(")", []int{0, depth, depth - 1, r.IntN(depth + 1)}[r.IntN(4)])
	case 6: // long
		term := []string{"x1+", "x2*x1-", "sin(x1)/", "x1^2+", "1e300*", "x[2-1]*", "(x1)+", "x1^"}[r.IntN(8)]
		lines := make([]string, many(3))
		if r.IntN(4) == 0 { // as many lines as allowed
			lines = make([]string, MaxLines)
		}
		for i := range lines {
			name := fmt.Sprintf("f%d", i+1)
			if i > 3 {
				name = fmt.Sprintf("g%d", i)
			}
			lines[i] = name + " = " + strings.Repeat(term, many((MaxLine-10)/len(term))) + "x1"
		}
		return strings.Join(lines, "\n")
	case 7: // huge exponents and counts
		huge := []string{"1e308", "-1e308", "1e9", "999999999", "2e9", "1e-320", "9^9^9", strings.Repeat("9", 300), "n^n^n"}
		any := func() string { return huge[r.IntN(len(huge))] }
		inner := strings.Repeat("sum(i,1,1,", 198) + "sum(j,1,1900,x1)" + strings.Repeat(")", 198)
		return []string{inner, strings.ReplaceAll(inner, "x1", "j*x1"), "x1^" + any(), any() + "^x1", "sum(i, 1, " + any() + ", x1)",
			"sum(i, " + any() + ", n, x[i])", "x[" + any() + "]",
			"exp(" + any() + "*x1)", "x1*" + any() + "*" + any(), "sum(i,1,40,sum(j,1,40,sum(k,1,40,i*j*k*x1)))", "a = " + any() + "\nx1^a",
			"x" + any() + " + 1", "n = " + any() + "\nx1", "x1 in [" + any() + ", " + any() + "]\nx1"}[r.IntN(14)]
	case 8: // nested definitions
		of := []string{"+", "*", "^", "/"}[r.IntN(4)]
		lines := []string{"g0 = x1", "g1"}
		for i := range many(70) {
			lines = append(lines, fmt.Sprintf("g%d = %s", i+1, strings.Repeat(fmt.Sprintf("g%d%s", i+r.IntN(2)*r.IntN(2), of), many(9))+"x2"))
		}
		return strings.Join(lines, "\n")
	}
	// Turn the text into a two-level problem.
	replace := strings.NewReplacer("f", "F", "x1", "a1", "x2", "w1", "x3", "w2", "x[", "w[", "n,", "p,")
	return replace.Replace(lines()) + []string{"f = (w1-a1)^2", "f = " + random(r, 2), "", "f = w[p]*a[n]\np = 2"}[r.IntN(4)]
}

// computed parses a one-level or two-level text and evaluates everything that the text defines. It returns the
// program, or nil if the text is refused.
func computed(t testing.TB, text string) *program {
	t.Helper()
	refused := func(err error) {
		var at *Error
		if !errors.As(err, &at) || at.Line < 1 || at.Column < 1 || at.Expected == "" || strings.ContainsAny(at.Expected, "\n\r") {
			t.Errorf("%.300q: %v", text, err)
			return
		}
		if n := at.Length(text); n < 0 || n > len(text) {
			t.Errorf("%.300q: an error of length %d", text, n)
		}
	}
	if IsBilevel(text) {
		p, err := ParseBilevel(text, 0, 0)
		if err != nil {
			refused(err)
			return nil
		}
		n, lower, m := p.Dims()
		z, g := make([]float64, n+lower), make([]float64, n+lower)
		p.Values(make([]float64, m), z)
		p.Jacobian(algo.NewJacobian(m, n+lower), z)
		p.LowerGradient(g, z)
		p.HessianProduct(g, m, z, z)
		_ = p.Lower(z) + float64(len(p.Fault(z))+len(p.Kink()))
		return &p.all.program
	}
	p, err := Parse(text, 0)
	if err != nil {
		refused(err)
		return nil
	}
	n, m := p.Dims()
	x := make([]float64, n)
	p.Values(make([]float64, m), x)
	p.Jacobian(algo.NewJacobian(m, n), x)
	p.HessianProduct(make([]float64, n), m-1, x, x)
	_, _ = p.Fault(x), p.Kink()
	return &p.program
}

// TestRandomTexts checks that no text of formulas panics or takes too long. It counts work instead of time. A text
// has at most MaxNodes values and operators after substitution, and each adds at most three steps. Parsing and
// building allocate at most 64 MB. With -v it prints the times.
func TestRandomTexts(t *testing.T) {
	const texts, limit = 100_000, 64 << 20
	stride := uint64(20)
	if *allTexts {
		stride = 1
	}
	var before, after runtime.MemStats
	var sound, steps, read int
	var memory uint64
	var longest time.Duration
	var slowest, largest string
	for number := uint64(0); number < texts; number += stride {
		text := randomText(number)
		runtime.ReadMemStats(&before)
		since := time.Now()
		p := computed(t, text)
		took := time.Since(since)
		runtime.ReadMemStats(&after)
		read++
		for again := 0; again < 4 && took > longest; again++ { // the shortest time excludes other work of the machine
			since := time.Now()
			computed(t, text)
			took = min(took, time.Since(since))
		}
		if took > longest {
			longest, slowest = took, text
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > memory {
			memory, largest = used, text
		}
		if p == nil {
			continue
		}
		sound++
		steps = max(steps, len(p.steps))
		if len(p.steps) > 3*MaxNodes {
			t.Errorf("text %d, %.300q, has %d steps", number, text, len(p.steps))
		}
	}
	if memory > limit {
		t.Errorf("%.300q takes %d bytes", largest, memory)
	}
	if sound < read/5 || sound > read*4/5 {
		t.Errorf("%d of %d texts are valid, want between a fifth and four fifths", sound, read)
	}
	t.Logf("%d texts, %d sound, at most %d steps; %v for %.60q; %.2f MB for %.60q", read, sound, steps, longest, slowest,
		float64(memory)/(1<<20), largest)
}

// FuzzParse checks that no text panics, and that every parsed text can be evaluated.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"x1^2", "f1 = g\ng = sum(i,1,n,x[i])\nx in [0,1]", "a=2\na*x", "-x^-2^y", "n = 3\nx[n]",
		"f2=f1\nf1=x**2/e", "F1 = w1\nf = (w1-a1)^2"} {
		f.Add(text)
	}
	for number := range uint64(200) {
		f.Add(randomText(number))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p := computed(t, text); p != nil && len(p.steps) > 3*MaxNodes {
			t.Errorf("%.300q has %d steps", text, len(p.steps))
		}
	})
}

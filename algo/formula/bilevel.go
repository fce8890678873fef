package formula

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo"
	"paretoplay/internal/pattern"
)

// Bilevel is a two-level problem given by formulas. It has m upper objectives F1, F2, ... with 1 ≤ m ≤ MaxObjectives,
// and one lower objective f. All objectives depend on n upper variables a1, a2, ... and p lower variables w1, w2, ...,
// where n and p are at most MaxVariables. A point is (a, w), of length n+p. A Bilevel is not safe for concurrent use.
type Bilevel struct {
	all       *Problem // the m upper objectives, then the lower one; n+p variables
	n, p, m   int
	direction []float64
	product   []float64
}

var (
	_ algo.LowerHessian = (*Bilevel)(nil)
	_ algo.Laborious    = (*Bilevel)(nil)
)

var (
	upperName = pattern.Lazy(`^F[0-9]+$`)
	levelName = pattern.Lazy(`^[aw]([0-9]+)$`)
	upperLine = pattern.Lazy(`(?m)^[ \t]*F[0-9]+[ \t]*=`)
	lowerLine = pattern.Lazy(`(?m)^[ \t]*f[ \t]*=`)
	levelUse  = pattern.Lazy(`\b[aw](_?[0-9]+\b|\[)`)
	// oneLevel matches a line that names an objective of a one-level problem, in every notation that headOf reads.
	oneLevel = pattern.Lazy(`(?m)^[ \t]*(?:[Mm]in\w*[ \t]+)?f_?[0-9₀-₉]+[ \t]*(?:\([^=()]*\)[ \t]*)?=`)
)

const lowerName = "f"

// isObjective reports whether a line with this name defines an objective. If two is true, the problem has two levels.
func isObjective(name string, two bool) bool {
	if two {
		return name == lowerName || upperName().MatchString(name)
	}
	return objectiveName().MatchString(name)
}

// IsBilevel reports whether a text describes a two-level problem. Such a text has a line "F1 = ...", no line
// "f1 = ...", and either a line "f = ..." or variables a1 ... or w1 ...
func IsBilevel(text string) bool {
	return upperLine().MatchString(text) && !oneLevel().MatchString(text) && (lowerLine().MatchString(text) || levelUse().MatchString(text))
}

// ParseBilevel reads the text of a two-level problem: "F1 = w1^2 + a1" and so on, "f = (w1-a1)^2", and definitions
// and named numbers as in Parse. There are n upper and p lower variables, and formulas may use the names n and p for
// these numbers. If n or p is 0, the text determines it: a line such as "n = 1" or "p = 2", or else the largest index
// of a variable a or w. Errors are of type *Error.
func ParseBilevel(text string, n, p int) (*Bilevel, error) {
	c, err := readLines(text, true)
	if err != nil {
		return nil, err
	}
	objectives, err := levelsOf(c.lines)
	if err != nil {
		return nil, err
	}
	used := levelVariables(c.lines)
	for _, of := range []struct {
		asked, used int
		name, what  string
	}{{n, used["a"], "n", "upper variables"}, {p, used["w"], "p", "lower variables"}} {
		if of.asked == 0 && c.declared[of.name] == 0 && of.used < 2 {
			if err := asksFor(c.lines, of.name, of.what); err != nil {
				return nil, err
			}
		}
	}
	if n, err = count(n, c.declared["n"], used["a"], "upper variables"); err != nil {
		return nil, err
	}
	if p, err = count(p, c.declared["p"], used["w"], "lower variables"); err != nil {
		return nil, err
	}
	all, err := assemble(text, &builder{lines: c.lines, n: n, lower: p}, objectives)
	if err != nil {
		return nil, err
	}
	return &Bilevel{all: all, n: n, p: p, m: len(objectives) - 1, direction: make([]float64, n+p), product: make([]float64, n+p)}, nil
}

// levelsOf returns the lines of the upper objectives in order, followed by the line of the lower objective.
func levelsOf(all []*line) ([]*line, error) {
	var upper []*line
	var lower *line
	for _, l := range all {
		switch {
		case l.name == "":
			return nil, &Error{l.number, l.at, "a name, such as F1 = for an upper objective or f = for the lower one"}
		case l.name == lowerName:
			lower = l
		case upperName().MatchString(l.name):
			upper = append(upper, l)
		}
	}
	slices.SortStableFunc(upper, func(a, b *line) int { return strings.Compare(a.name, b.name) })
	last := all[len(all)-1].number
	switch {
	case len(upper) == 0:
		return nil, &Error{last, 1, "an upper objective, such as F1 = w1^2"}
	case lower == nil:
		return nil, &Error{last, 1, "the lower objective, such as f = (w1-a1)^2"}
	case len(upper) > MaxObjectives:
		l := upper[MaxObjectives]
		return nil, &Error{l.number, l.at, fmt.Sprintf("at most %d upper objectives", MaxObjectives)}
	}
	for i, l := range upper {
		if want := "F" + strconv.Itoa(i+1); l.name != want {
			return nil, &Error{l.number, l.at, fmt.Sprintf("%s: upper objectives are F1, F2, ... without a gap", want)}
		}
	}
	return append(upper, lower), nil
}

// levelVariables returns, for each of the letters a and w, the largest index of a variable that the lines use.
func levelVariables(all []*line) map[string]int {
	used := map[string]int{}
	meet := func(letter string, i int) {
		if i <= MaxVariables {
			used[letter] = max(used[letter], i)
		}
	}
	for _, l := range all {
		l.tree.names(func(t *tree) {
			if t.op == "index" {
				if i, is := literal(t.args[0]); is {
					meet(t.name, int(min(i, MaxVariables+1)))
				}
				return
			}
			if parts := levelName().FindStringSubmatch(t.name); parts != nil {
				if i, err := strconv.Atoi(parts[1]); err == nil {
					meet(t.name[:1], i)
				}
			}
		})
	}
	return used
}

// Dims implements algo.Bilevel.
func (b *Bilevel) Dims() (n, p, m int) { return b.n, b.p, b.m }

// Labour implements algo.Laborious.
func (b *Bilevel) Labour() int { return b.all.Labour() }

// Values implements algo.Bilevel.
func (b *Bilevel) Values(f, z []float64) {
	b.all.program.forward(z, b.all.numbers, slices.Max(b.all.results[:b.m]))
	for i, last := range b.all.results[:b.m] {
		f[i] = b.all.program.value[last]
	}
}

// Jacobian implements algo.Bilevel. At a kink of abs, min or max it uses the derivative from the right.
func (b *Bilevel) Jacobian(jac *algo.Jacobian, z []float64) {
	b.all.program.forward(z, b.all.numbers, slices.Max(b.all.results[:b.m]))
	for i, last := range b.all.results[:b.m] {
		b.all.meet(b.all.program.backward(jac.Row(i), last))
	}
}

// Lower implements algo.Bilevel.
func (b *Bilevel) Lower(z []float64) float64 {
	last := b.all.results[b.m]
	b.all.program.forward(z, b.all.numbers, last)
	return b.all.program.value[last]
}

// LowerGradient implements algo.Bilevel.
func (b *Bilevel) LowerGradient(dst, z []float64) { b.all.Gradient(dst, b.m, z) }

// LowerGradientOmega implements algo.Bilevel.
func (b *Bilevel) LowerGradientOmega(dst, z []float64) {
	b.all.Gradient(b.product, b.m, z)
	copy(dst, b.product[b.n:])
}

// HessianOmegaOmega implements algo.LowerHessian.
func (b *Bilevel) HessianOmegaOmega(dst, z, v []float64) { b.curve(dst, z, b.n, v, b.n) }

// HessianAlphaOmega implements algo.LowerHessian.
func (b *Bilevel) HessianAlphaOmega(dst, z, v []float64) { b.curve(dst, z, b.n, v, 0) }

// HessianOmegaAlpha implements algo.LowerHessian.
func (b *Bilevel) HessianOmegaAlpha(dst, z, u []float64) { b.curve(dst, z, 0, u, b.n) }

// curve stores a part of H·d in dst, where H is the lower objective's Hessian at z. The direction d contains v,
// starting at entry d[from], and 0 elsewhere. The stored part starts at entry (H·d)[to].
func (b *Bilevel) curve(dst, z []float64, from int, v []float64, to int) {
	clear(b.direction)
	copy(b.direction[from:], v)
	b.all.HessianProduct(b.product, b.m, z, b.direction)
	copy(dst, b.product[to:])
}

// Gradient stores the gradient of objective i at z in dst. Upper objectives are numbered from 0, and i = m means the lower
// objective. z and dst have length n+p.
func (b *Bilevel) Gradient(dst []float64, i int, z []float64) { b.all.Gradient(dst, i, z) }

// HessianProduct stores the product of the Hessian of objective i at z and direction in dst. Upper objectives are
// numbered from 0, and i = m means the lower objective. z, direction and dst have length n+p.
func (b *Bilevel) HessianProduct(dst []float64, i int, z, direction []float64) {
	b.all.HessianProduct(dst, i, z, direction)
}

// Formula returns the text of objective i. Upper objectives are numbered from 0, and i = m means the lower objective.
func (b *Bilevel) Formula(i int) string { return b.all.Formula(i) }

// Line returns the number, counted from 1, of the line that defines objective i. Upper objectives are numbered from 0, and
// i = m means the lower objective.
func (b *Bilevel) Line(i int) int { return b.all.Line(i) }

// Numbers returns the names of the numbers that the text defines, in the order of the lines.
func (b *Bilevel) Numbers() []string { return b.all.Numbers() }

// Number returns the value of a named number, or NaN if the name is unknown.
func (b *Bilevel) Number(name string) float64 { return b.all.Number(name) }

// SetNumber sets a named number. It returns an error if the name is unknown or the value is not finite.
func (b *Bilevel) SetNumber(name string, value float64) error { return b.all.SetNumber(name, value) }

// Kink returns the part of the formulas where a gradient most recently met a kink. It returns "" if no gradient has
// met one.
func (b *Bilevel) Kink() string { return b.all.Kink() }

// Fault does the same as Problem.Fault, at a point (a, w).
func (b *Bilevel) Fault(z []float64) string { return b.all.Fault(z) }

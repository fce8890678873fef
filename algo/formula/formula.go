// Package formula makes problems of formulas as people write them: objectives of up to 30 variables
// with exact gradients and Hessian-vector products.
//
// A text has one formula a line, "f1 = (x1-1)^2 + x2^2" or the right-hand side alone. Its variables are
// x1 ... x30, or x and y where no others are used. It has numbers, + - * /, powers by ^ or ** (from the
// right, 2^3^2 is 2^9, and before a sign: -x^2 is -(x^2)), brackets, pi, e, n for the number of variables, the functions
// that Functions lists, and sum(i, 1, n, x[i]^2). Further lines define: "g = 1 + x2" a part of formulas, which an
// objective uses, "a = 2" a number that can be changed, "x1 in [0, 2*pi]" a bound, "x in [0, 1]" the bounds of all variables,
// "n = 5" how many there are, which a text that uses n has to say unless it names x2 or more.
//
// The logarithm log is the natural one, ln too; log10 is the decimal one. Angles are in radians. mod(a, b) has the
// sign of b. min and max take two values or more.
//
// It takes other notations too: f1(x) = ..., min f1 = ..., F1 for f1, x_1, x[1], x(1) and x₁ for x1, Greek names, .^ .* ./ of MATLAB,
// np. and math. of Python before names, bounds as 0 <= x1 <= 1 or x1 >= 0, comments behind #, or % at the beginning
// of a line or behind a semicolon, and a product without a sign behind a number: 2x1^2 is 2*(x1^2), while 1/2x1,
// which languages read differently, is refused.
//
// Derivatives come from the formulas by algorithmic differentiation: in reverse for gradients, forward
// over reverse for second derivatives. See Griewank A and Walther A: Evaluating Derivatives, 2nd edition.
// SIAM (2008), sections 3.2 and 5.4.
package formula

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo"
)

// Functions lists the functions of formulas, in alphabetical order.
func Functions() []string { return strings.Fields(functionNames) }

// Problem is a problem of formulas: m objectives, 1 ≤ m ≤ MaxObjectives, of n variables, 1 ≤ n ≤
// MaxVariables. It is not safe for concurrent use.
type Problem struct {
	n, m       int
	rows       []string // the lines of the text
	formulas   []string
	program    program
	results    []int // the last step of each objective
	names      []string
	unused     []string
	numbers    []float64
	lo, hi     []float64 // nil without a box
	kink       int       // the step that last stood at a kink, −1 for none
	objectives []int     // the lines of the objectives, from 1
}

var (
	_ algo.Problem   = (*Problem)(nil)
	_ algo.Laborious = (*Problem)(nil)
	_ algo.Bounded   = (*Boxed)(nil)
)

// Boxed is a Problem whose text bounds variables.
type Boxed struct{ *Problem }

// Bounds implements algo.Bounded: ±∞ where a variable has none.
func (p Boxed) Bounds() (lo, hi []float64) { return p.lo, p.hi }

// Parse reads a text of formulas with n variables; with n = 0 the text decides: by a line such as
// "n = 3", else as many as the largest number behind an x. An error is an *Error.
func Parse(text string, n int) (*Problem, error) {
	c, err := readLines(text, false)
	if err != nil {
		return nil, err
	}
	used, xy := variables(c.lines, c.bounds)
	if n == 0 && c.declared["n"] == 0 && used < 2 {
		if err := asksFor(c.lines, "n", "variables"); err != nil {
			return nil, err
		}
	}
	if n, err = count(n, c.declared["n"], used, "variables"); err != nil {
		return nil, err
	}
	objectives, err := objectivesOf(c.lines)
	if err != nil {
		return nil, err
	}
	p, err := assemble(text, &builder{lines: c.lines, n: n, xy: xy}, objectives)
	if err != nil {
		return nil, err
	}
	return p, p.setBox(c.bounds, xy)
}

// asksFor returns an error if lines use the number of variables, which no line declares, while formulas name but one:
// a sum over all of them would be empty.
func asksFor(lines []*line, name, of string) error {
	for _, l := range lines {
		var found *tree
		l.tree.names(func(t *tree) {
			if found == nil && t.op == "name" && t.name == name {
				found = t
			}
		})
		if found != nil {
			return found.fail(fmt.Sprintf("a line such as %s = 5 besides: this formula uses %s, the number of %s", name, name, of))
		}
	}
	return nil
}

// count is how many variables there are: as many as are asked for, or else as the text declares, or else as it uses.
func count(asked, declared, used int, of string) (int, error) {
	n := max(used, 1)
	switch {
	case asked != 0 && declared != 0 && asked != declared:
		return 0, &Error{1, 1, fmt.Sprintf("%d %s, as the text declares, not %d", declared, of, asked)}
	case asked != 0:
		n = asked
	case declared != 0:
		n = declared
	}
	if n < 1 || n > MaxVariables {
		return 0, &Error{1, 1, fmt.Sprintf("from 1 to %d %s, not %d", MaxVariables, of, n)}
	}
	return n, nil
}

// assemble makes a problem of lines.
func assemble(text string, b *builder, objectives []*line) (*Problem, error) {
	b.made = map[step]int32{}
	p := &Problem{n: b.n + b.lower, rows: rowsOf(text), kink: -1}
	for _, l := range b.lines {
		if v, is := literal(l.tree); is && l.name != "" && !slices.Contains(objectives, l) {
			b.numbers, p.numbers = append(b.numbers, l.name), append(p.numbers, v)
		}
	}
	for _, l := range objectives {
		l.used = true
		last, err := b.build(l.tree)
		l.used = false
		if err != nil {
			return nil, err
		}
		p.results, p.formulas = append(p.results, int(last)), append(p.formulas, l.text[l.tree.from:l.tree.to])
		p.objectives = append(p.objectives, l.number)
	}
	var alone []*line
	for _, l := range b.lines {
		if l.name != "" && !l.met && !slices.Contains(objectives, l) {
			alone = append(alone, l)
		}
	}
	for _, l := range b.lines { // what nobody uses is to be right, too
		if l.name != "" && !slices.Contains(objectives, l) {
			l.used = true
			last, err := b.build(l.tree)
			if err != nil {
				return nil, err
			}
			if l.used = false; slices.Contains(alone, l) && b.program.active[last] {
				return nil, &Error{l.number, l.at, fmt.Sprintf("an objective that uses %s; of a constraint %s <= 0 "+
					"add a penalty to one, as in f1 = ... + 100*max(%s, 0)^2",
					l.name, l.name, l.name)}
			}
		}
	}
	for _, l := range alone {
		p.unused = append(p.unused, l.name)
	}
	p.m, p.names, p.program = len(objectives), b.numbers, b.program
	p.program.ready()
	return p, nil
}

// objectivesOf returns the lines of the objectives in order: those named f1, f2, ..., or those without a name.
func objectivesOf(all []*line) ([]*line, error) {
	var plain, named []*line
	for _, l := range all {
		switch {
		case l.name == "":
			plain = append(plain, l)
		case objectiveName.MatchString(l.name):
			named = append(named, l)
		}
	}
	if len(named) > 0 && len(plain) > 0 {
		return nil, &Error{plain[0].number, plain[0].at, "a name, such as f2 =: other objectives have names"}
	}
	objectives := append(plain, named...)
	slices.SortStableFunc(named, func(a, b *line) int { return strings.Compare(a.name, b.name) })
	if len(named) > 0 {
		objectives = named
	}
	if len(objectives) == 0 {
		return nil, &Error{all[len(all)-1].number, 1, "an objective, such as f1 = x1^2"}
	}
	if len(objectives) > MaxObjectives {
		l := objectives[MaxObjectives]
		return nil, &Error{l.number, l.at, fmt.Sprintf("at most %d objectives", MaxObjectives)}
	}
	for i, l := range named {
		if want := "f" + strconv.Itoa(i+1); l.name != want {
			return nil, &Error{l.number, l.at, fmt.Sprintf("%s: objectives are f1, f2, ... without a gap", want)}
		}
	}
	return objectives, nil
}

// setBox takes over the bounds.
func (p *Problem) setBox(bounds []bound, xy bool) error {
	if len(bounds) == 0 {
		return nil
	}
	p.lo, p.hi = make([]float64, p.n), make([]float64, p.n)
	given := make([]bool, p.n)
	for i := range p.n {
		p.lo[i], p.hi[i] = math.Inf(-1), math.Inf(1)
	}
	for _, b := range bounds {
		first, last := 0, p.n
		switch {
		case xy && b.name == "x":
			last = 1
		case b.name == "y":
			first, last = 1, 2
		case b.name != "x":
			i, err := strconv.Atoi(b.name[1:])
			if err != nil || i < 1 || i > p.n {
				return &Error{b.number, 1, fmt.Sprintf("a variable from x1 to x%d", p.n)}
			}
			first, last = i-1, i
		}
		if last > p.n || b.name == "y" && !xy {
			return &Error{b.number, 1, fmt.Sprintf("a variable from x1 to x%d", p.n)}
		}
		for i := first; i < last; i++ {
			if given[i] && last-first == 1 {
				return &Error{b.number, 1, fmt.Sprintf("the bounds of %s once", b.name)}
			}
			given[i] = last-first == 1
			p.lo[i], p.hi[i] = b.lo, b.hi
		}
	}
	return nil
}

// Boxed returns the problem with its box, and whether it has one.
func (p *Problem) Boxed() (Boxed, bool) { return Boxed{p}, p.lo != nil }

// Dims implements algo.Problem.
func (p *Problem) Dims() (n, m int) { return p.n, p.m }

// Labour implements algo.Laborious.
func (p *Problem) Labour() int { return p.program.labour() }

// Formula returns objective i, from 0, as it is written.
func (p *Problem) Formula(i int) string { return p.formulas[i] }

// Line returns the line of objective i in the text, from 1.
func (p *Problem) Line(i int) int { return p.objectives[i] }

// Numbers returns the names of the numbers that lines define, in their order.
func (p *Problem) Numbers() []string { return slices.Clone(p.names) }

// Unused returns the names of numbers and constant definitions that no objective needs, in their order. Definitions
// of variables that none needs are errors.
func (p *Problem) Unused() []string { return slices.Clone(p.unused) }

// Number returns a named number; NaN for an unknown name.
func (p *Problem) Number(name string) float64 {
	if i := slices.Index(p.names, name); i >= 0 {
		return p.numbers[i]
	}
	return math.NaN()
}

// SetNumber gives a named number another value, which must be finite.
func (p *Problem) SetNumber(name string, value float64) error {
	i := slices.Index(p.names, name)
	switch {
	case i < 0:
		return fmt.Errorf("formula: there is no number %q", name)
	case math.IsNaN(value) || math.IsInf(value, 0):
		return fmt.Errorf("formula: %s = %v is not finite", name, value)
	}
	p.numbers[i] = value
	return nil
}

// Values implements algo.Problem.
func (p *Problem) Values(f, x []float64) {
	p.program.forward(x, p.numbers, slices.Max(p.results))
	for i, last := range p.results {
		f[i] = p.program.value[last]
	}
}

// Jacobian implements algo.Problem. At a kink of abs, min or max it has the derivative from the right.
func (p *Problem) Jacobian(jac *algo.Jacobian, x []float64) {
	p.program.forward(x, p.numbers, slices.Max(p.results))
	for i, last := range p.results {
		p.meet(p.program.backward(jac.Data[i*p.n:(i+1)*p.n], last))
	}
}

// Gradient stores the gradient of objective i, from 0, at x in dst, both of length n.
func (p *Problem) Gradient(dst []float64, i int, x []float64) {
	p.program.forward(x, p.numbers, p.results[i])
	p.meet(p.program.backward(dst, p.results[i]))
}

// HessianProduct stores the product of the Hessian of objective i, from 0, at x with direction in dst, all
// of length n. At a kink it has the second derivatives on the right.
func (p *Problem) HessianProduct(dst []float64, i int, x, direction []float64) {
	p.program.forward(x, p.numbers, p.results[i])
	p.program.curve(dst, direction, p.results[i])
}

func (p *Problem) meet(kink int) {
	if kink >= 0 {
		p.kink = kink
	}
}

// Kink returns the part of the formulas at whose kink a gradient was last asked for, "" if none ever was.
func (p *Problem) Kink() string {
	if p.kink < 0 {
		return ""
	}
	return p.part(p.kink)
}

// Fault returns the smallest part of the formulas whose value at x is not finite; otherwise a part whose
// derivative is not, and "" where all are finite.
func (p *Problem) Fault(x []float64) string {
	finite := func(v float64) bool { return v-v == 0 }
	p.program.forward(x, p.numbers, slices.Max(p.results))
	for i, v := range p.program.value[:slices.Max(p.results)+1] {
		if !finite(v) {
			return p.part(i)
		}
	}
	gradient := make([]float64, p.n)
	for _, last := range p.results {
		p.program.backward(gradient, last)
		for i := last; i >= 0; i-- {
			if s := &p.program.steps[i]; !s.leaf() && p.program.active[i] && finite(p.program.bar[i]) && p.program.bar[i] != 0 {
				da, db, _ := s.slopes(p.program.value[s.a], p.program.value[s.b], p.program.value[i])
				if p.program.active[s.a] && !finite(da) || s.binary() && p.program.active[s.b] && !finite(db) {
					return p.part(i)
				}
			}
		}
	}
	return ""
}

// part is the text that a step comes from.
func (p *Problem) part(step int) string {
	at := p.program.places[step]
	return p.rows[at.line-1][at.from:at.to]
}

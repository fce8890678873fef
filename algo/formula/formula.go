// Package formula parses formulas in common notations and turns them into problems: objectives of up to 30 variables
// with exact gradients and Hessian-vector products.
//
// A text has one formula per line: "f1 = (x1-1)^2 + x2^2", or only the right-hand side. Its variables are
// x1 ... x30; a text without numbered variables may use x and y instead. A formula may contain:
//
//   - numbers, + - * / and brackets
//   - powers, ^ or **: they associate to the right, so 2^3^2 is 2^9, and bind more tightly than a sign, so -x^2 is -(x^2)
//   - pi, e, and n, the number of variables
//   - the functions that Functions lists, and sum(i, 1, n, x[i]^2)
//
// Other lines define:
//
//   - "g = 1 + x2": a part of formulas, which an objective must use
//   - "a = 2": a number that can be changed
//   - "x1 in [0, 2*pi]": the bounds of a variable; "x in [0, 1]": the bounds of all variables
//   - "n = 5": the number of variables; required if the text uses n and no variable beyond x1
//
// log and ln are the natural logarithm, log10 is the decimal one. Angles are in radians. The result of mod(a, b) has
// the sign of b. min and max take two or more values.
//
// Other notations are accepted too:
//
//   - f1(x) = ..., min f1 = ..., and F1 for f1
//   - x_1, x[1], x(1) and x₁ for x1, and Greek names
//   - MATLAB's .^ .* ./, and Python's np. and math. before names
//   - bounds such as 0 <= x1 <= 1 or x1 >= 0
//   - comments after #, or after % at the beginning of a line or after a semicolon
//   - a product without * after a number: 2x1^2 is 2*(x1^2). 1/2x1 is refused, because languages read it differently.
//
// Algorithmic differentiation computes the derivatives: reverse mode for gradients, forward over reverse for second
// derivatives. See Griewank A and Walther A: Evaluating Derivatives, 2nd edition. SIAM (2008), sections 3.2 and 5.4.
package formula

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo"
)

// Functions returns the names of the functions that formulas may use, in alphabetical order.
func Functions() []string { return strings.Fields(functionNames) }

// Problem is a problem given by formulas. It has m objectives and n variables, with 1 ≤ m ≤ MaxObjectives and 1 ≤ n ≤
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
	lo, hi     []float64 // nil if there is no box
	kink       int       // index of the step that was last at a kink, −1 if there was none
	objectives []int     // line numbers of the objectives, from 1
}

var (
	_ algo.Problem   = (*Problem)(nil)
	_ algo.Laborious = (*Problem)(nil)
	_ algo.Bounded   = (*Boxed)(nil)
)

// Boxed is a Problem with bounds on its variables.
type Boxed struct{ *Problem }

// Bounds implements algo.Bounded. A bound that the text does not give is ±∞.
func (p Boxed) Bounds() (lo, hi []float64) { return p.lo, p.hi }

// Parse reads a text of formulas with n variables. If n is 0, the text determines the number: a line such as
// "n = 3", or else the largest index of a variable x. Errors are of type *Error.
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

// asksFor returns an error if a line uses the number of variables. The caller calls it only if no line declares this
// number and the formulas name at most one variable. The number is then ambiguous: with n = 1, for example, a sum that
// starts at the second variable would be empty.
func asksFor(lines []*line, name, of string) error {
	for _, l := range lines {
		var found *tree
		l.tree.names(func(t *tree) {
			if found == nil && t.op == "name" && t.name == name {
				found = t
			}
		})
		if found != nil {
			return found.fail(fmt.Sprintf("an additional line such as %s = 5: this formula uses %s, the number of %s", name, name, of))
		}
	}
	return nil
}

// count returns the number of variables: the requested number, or else the declared one, or else the number in use.
// It returns an error if the first two contradict each other or the number is out of range.
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

// assemble builds a problem from its lines.
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
	for _, l := range b.lines { // also check unused definitions
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

// objectivesOf returns the lines of the objectives in order: all lines named f1, f2, ..., or all lines without a name.
func objectivesOf(all []*line) ([]*line, error) {
	var plain, named []*line
	for _, l := range all {
		switch {
		case l.name == "":
			plain = append(plain, l)
		case objectiveName().MatchString(l.name):
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

// setBox stores the bounds.
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
				return &Error{b.number, 1, fmt.Sprintf("the bounds of %s only once", b.name)}
			}
			given[i] = last-first == 1
			p.lo[i], p.hi[i] = b.lo, b.hi
		}
	}
	return nil
}

// Boxed returns the problem as a Boxed, and reports whether the text bounds any variable.
func (p *Problem) Boxed() (Boxed, bool) { return Boxed{p}, p.lo != nil }

// Dims implements algo.Problem.
func (p *Problem) Dims() (n, m int) { return p.n, p.m }

// Labour implements algo.Laborious.
func (p *Problem) Labour() int { return p.program.labour() }

// Formula returns the text of objective i, counted from 0.
func (p *Problem) Formula(i int) string { return p.formulas[i] }

// Line returns the number, counted from 1, of the line that defines objective i, counted from 0.
func (p *Problem) Line(i int) int { return p.objectives[i] }

// Numbers returns the names of the numbers that the text defines, in the order of the lines.
func (p *Problem) Numbers() []string { return slices.Clone(p.names) }

// Unused returns the names of numbers and constant definitions that no objective uses, in the order of the lines. An
// unused definition that depends on variables is an error of Parse instead.
func (p *Problem) Unused() []string { return slices.Clone(p.unused) }

// Number returns the value of a named number, or NaN if the name is unknown.
func (p *Problem) Number(name string) float64 {
	if i := slices.Index(p.names, name); i >= 0 {
		return p.numbers[i]
	}
	return math.NaN()
}

// SetNumber sets a named number. It returns an error if the name is unknown or the value is not finite.
func (p *Problem) SetNumber(name string, value float64) error {
	i := slices.Index(p.names, name)
	switch {
	case i < 0:
		return fmt.Errorf("formula: unknown number %q", name)
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

// Jacobian implements algo.Problem. At a kink of abs, min or max it uses the derivative from the right.
func (p *Problem) Jacobian(jac *algo.Jacobian, x []float64) {
	p.program.forward(x, p.numbers, slices.Max(p.results))
	for i, last := range p.results {
		p.meet(p.program.backward(jac.Data[i*p.n:(i+1)*p.n], last))
	}
}

// Gradient stores the gradient of objective i, counted from 0, at x in dst. x and dst have length n.
func (p *Problem) Gradient(dst []float64, i int, x []float64) {
	p.program.forward(x, p.numbers, p.results[i])
	p.meet(p.program.backward(dst, p.results[i]))
}

// HessianProduct stores the product of the Hessian of objective i, counted from 0, at x and direction in dst. x,
// direction and dst have length n. At a kink it uses the second derivatives from the right.
func (p *Problem) HessianProduct(dst []float64, i int, x, direction []float64) {
	p.program.forward(x, p.numbers, p.results[i])
	p.program.curve(dst, direction, p.results[i])
}

func (p *Problem) meet(kink int) {
	if kink >= 0 {
		p.kink = kink
	}
}

// Kink returns the part of the formulas where a gradient most recently met a kink. It returns "" if no gradient has
// met one.
func (p *Problem) Kink() string {
	if p.kink < 0 {
		return ""
	}
	return p.part(p.kink)
}

// Fault returns the smallest part of the formulas whose value at x is not finite. If all values are finite, it
// returns a part whose derivative is not finite. It returns "" if values and derivatives are finite.
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

// part returns the part of the text that a step was built from.
func (p *Problem) part(step int) string {
	at := p.program.places[step]
	return p.rows[at.line-1][at.from:at.to]
}

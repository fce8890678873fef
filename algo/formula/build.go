package formula

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"paretoplay/internal/pattern"
)

// Limits of a text of formulas.
const (
	MaxObjectives = 4
	MaxVariables  = 30
	MaxNodes      = 2000 // all objectives together, with definitions substituted and sums unrolled
	MaxLines      = 64
	MaxLine       = 2000 // characters
)

// maxWritten is the maximum number of values and operators in a text before substitution. It bounds the work of
// reading a text that exceeds MaxNodes anyway.
const maxWritten = 2 * MaxNodes

// line is one line of the text.
type line struct {
	number int
	text   string // the whole line
	name   string // the name before =, "" if there is none
	at     int    // the column of the name
	tree   *tree
	size   int  // values and operators as written
	used   bool // true while the line is being substituted, to detect cycles
	met    bool // whether an objective uses the line
}

var (
	objectiveName = pattern.Lazy(`^f[0-9]+$`)
	variableName  = pattern.Lazy(`^x([0-9]+)$`)
)

// reserved reports whether a name already has a meaning, in a one-level or a two-level problem.
func reserved(name string, two bool) bool {
	_, is := functions[name]
	if two {
		return is || slices.Contains([]string{"sum", "pi", "e", "n", "p", "a", "w", "in"}, name) || isObjective(name, two) ||
			levelName().MatchString(name)
	}
	return is || slices.Contains([]string{"sum", "pi", "e", "n", "x", "y", "in"}, name) || objectiveName().MatchString(name) ||
		variableName().MatchString(name)
}

// builder builds the program of the objectives. It substitutes definitions, unrolls sums, and shares equal steps.
type builder struct {
	lines   []*line
	n       int
	lower   int  // number of lower variables, which follow the n upper ones; 0 in a one-level problem
	xy      bool // whether x and y mean x1 and x2
	numbers []string
	program program
	made    map[step]int32
	visited int
	nesting int
	indices *index // index of the innermost enclosing sum; nil outside of sums
}

// index is the index variable of a sum, with a link to that of the enclosing sum.
type index struct {
	name   string
	value  float64
	around *index
}

// build adds the steps of a tree and returns the index of the last step.
func (b *builder) build(t *tree) (int32, error) {
	if b.visited++; b.visited > MaxNodes {
		return 0, t.fail(fmt.Sprintf("fewer than %d values and operators in total, with definitions substituted and sums unrolled", MaxNodes))
	}
	switch t.op {
	case "number":
		return b.constant(t, t.value)
	case "name":
		return b.named(t)
	case "index":
		switch {
		case b.lower > 0 && t.name != "a" && t.name != "w":
			return 0, t.fail("a or w before a bracket [: only they have an index")
		case b.lower == 0 && t.name != "x":
			return 0, t.fail("x before a bracket [: only x has an index")
		}
		i, err := b.whole(t.args[0])
		if err != nil {
			return 0, err
		}
		return b.variableOf(t, t.name, i)
	case "sum":
		return b.unroll(t)
	}
	operands := [2]int32{}
	for i, arg := range t.args {
		var err error
		if operands[i], err = b.build(arg); err != nil {
			return 0, err
		}
	}
	return b.step(t, operands[0], operands[1])
}

// step adds the step of an operator or a function. If its operands are constants, it computes the result immediately.
func (b *builder) step(t *tree, first, second int32) (int32, error) {
	op := map[string]opcode{"+": opAdd, "-": opSubtract, "*": opMultiply, "/": opDivide, "^": opPower, "neg": opNegate}[t.op]
	if f, is := functions[t.op]; is {
		op = f.op
	}
	if op == opPower && b.program.active[second] {
		op = opRaise
	}
	s := step{op: op, a: first, b: second}
	if constant := func(i int32) bool { return b.program.steps[i].op == opConstant }; constant(first) && (!s.binary() || constant(second)) {
		p := program{steps: []step{{op: opConstant, value: b.program.steps[first].value}, {op: opConstant, value: b.program.steps[second].value},
			{op: op, a: 0, b: 1}}}
		p.ready()
		p.forward(nil, nil, 2)
		return b.constant(t, p.value[2])
	}
	return b.add(t, s), nil
}

func (b *builder) constant(t *tree, value float64) (int32, error) {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, t.fail("a finite number")
	}
	return b.add(t, step{op: opConstant, value: value}), nil
}

// add returns the index of an existing step equal to s, or else adds s and returns its index.
func (b *builder) add(t *tree, s step) int32 {
	if i, there := b.made[s]; there {
		return i
	}
	p := &b.program
	i := int32(len(p.steps))
	active := s.op == opVariable
	if !s.leaf() {
		active = p.active[s.a] || s.binary() && p.active[s.b]
	}
	p.steps, p.active = append(p.steps, s), append(p.active, active)
	p.places = append(p.places, place{t.line, t.from, t.to})
	b.made[s] = i
	return i
}

// variableOf adds the step of variable i, counted from 1, with the given letter.
func (b *builder) variableOf(t *tree, letter string, i int) (int32, error) {
	before, count, of := 0, b.n, "variables"
	switch {
	case letter == "w":
		before, count, of = b.n, b.lower, "lower variables"
	case letter == "a":
		of = "upper variables"
	}
	if i < 1 || i > count {
		return 0, t.fail(fmt.Sprintf("an index from 1 to %d, the number of %s; this one is %d", count, of, i))
	}
	return b.add(t, step{op: opVariable, a: int32(before + i - 1)}), nil
}

// variableOfName splits the name of a variable such as x3 into letter and index. If the digits overflow, the index is
// math.MaxInt.
func (b *builder) variableOfName(name string) (letter string, i int, is bool) {
	form := variableName
	switch {
	case b.lower > 0:
		form = levelName
	case b.xy && name == "x":
		return "x", 1, true
	case b.xy && name == "y":
		return "x", 2, true
	}
	if !form().MatchString(name) {
		return "", 0, false
	}
	i, err := strconv.Atoi(name[1:])
	if err != nil {
		i = math.MaxInt
	}
	return name[:1], i, true
}

// named adds the steps of what a name denotes: an index, a constant, a variable or a definition.
func (b *builder) named(t *tree) (int32, error) {
	for i := b.indices; i != nil; i = i.around {
		if i.name == t.name {
			return b.constant(t, i.value)
		}
	}
	switch {
	case t.name == "pi":
		return b.constant(t, math.Pi)
	case t.name == "e":
		return b.constant(t, math.E)
	case t.name == "n":
		return b.constant(t, float64(b.n))
	case b.lower > 0 && t.name == "p":
		return b.constant(t, float64(b.lower))
	}
	if letter, i, is := b.variableOfName(t.name); is {
		return b.variableOf(t, letter, i)
	}
	for _, l := range b.lines {
		if l.name != t.name {
			continue
		}
		l.met = true
		if i := slices.Index(b.numbers, l.name); i >= 0 {
			return b.add(t, step{op: opNumber, a: int32(i)}), nil
		}
		if l.used {
			return 0, t.fail("a definition that does not refer to itself: " + t.name + " does")
		}
		if b.nesting++; b.nesting > MaxNesting {
			return 0, t.fail(fmt.Sprintf("at most %d nested definitions", MaxNesting))
		}
		around := b.indices
		b.indices, l.used = nil, true
		i, err := b.build(l.tree)
		b.indices, l.used = around, false
		b.nesting--
		return i, err
	}
	switch {
	case b.lower > 0 && (t.name == "a" || t.name == "w"):
		return 0, t.fail(t.name + "1 ... or " + t.name + "[1]: a variable has a number")
	case b.lower == 0 && (t.name == "x" || t.name == "y"):
		return 0, t.fail("x1, x2, ...: x and y mean x1 and x2 only in a text without numbered variables")
	case functions[t.name].arguments > 0 || t.name == "sum":
		return 0, t.fail("an opening bracket ( after " + t.name)
	}
	if b.lower > 0 {
		return 0, t.fail("a variable a1 ... or w1 ..., a number, or a name that another line defines: " + t.name + " is not defined")
	}
	return 0, t.fail("a variable x1 ... x30, a number, or a name that another line defines: " + t.name + " is not defined")
}

// unroll adds the steps of all terms of a sum.
func (b *builder) unroll(t *tree) (int32, error) {
	from, err := b.whole(t.args[0])
	if err != nil {
		return 0, err
	}
	to, err := b.whole(t.args[1])
	if err != nil {
		return 0, err
	}
	outer := b.indices
	defer func() { b.indices = outer }()
	var sum int32
	for i := from; i <= to; i++ {
		b.indices = &index{t.name, float64(i), outer}
		term, err := b.build(t.args[2])
		if err != nil {
			return 0, err
		}
		if i == from {
			sum = term
			continue
		}
		if sum, err = b.step(&tree{op: "+", line: t.line, column: t.column, from: t.from, to: t.to}, sum, term); err != nil {
			return 0, err
		}
	}
	if to < from {
		return b.constant(t, 0)
	}
	return sum, nil
}

// whole evaluates a tree, such as an index, that must contain no variables and have a whole number as its value.
func (b *builder) whole(t *tree) (int, error) {
	i, err := b.build(t)
	if err != nil {
		return 0, err
	}
	s := b.program.steps[i]
	if s.op != opConstant || s.value != math.Trunc(s.value) || math.Abs(s.value) > 1e9 {
		return 0, t.fail("a whole number made of numbers, n and indices of sums")
	}
	return int(s.value), nil
}

func (t *tree) fail(expected string) error { return &Error{t.line, t.column, expected} }

// anyBox matches the beginning of a bound such as "a1 in [", with any name.
var anyBox = pattern.Lazy(`^\s*[A-Za-z][A-Za-z0-9]*\s+(in)\s*\[`)

// bound is a line that bounds variables.
type bound struct {
	name   string
	lo, hi float64
	number int
}

// errNoFormula is the error for a text without formulas.
var errNoFormula = &Error{1, 1, "a formula, such as f1 = x1^2 + x2^2"}

// content contains everything that readLines found: formulas, definitions, named numbers, bounds, and the declared
// numbers of variables under the names n and p.
type content struct {
	lines    []*line
	bounds   []bound
	declared map[string]int
	size     int  // total over all lines
	upper    bool // whether F1, F2, ... name the objectives f1, f2, ...
}

// readLines reads all lines of a text. The flag two selects a two-level problem.
func readLines(text string, two bool) (*content, error) {
	out := &content{declared: map[string]int{}, upper: !two && !oneLevel().MatchString(text)}
	rows := rowsOf(text)
	if len(rows) > MaxLines {
		return nil, &Error{MaxLines + 1, 1, fmt.Sprintf("at most %d lines", MaxLines)}
	}
	for i, row := range rows {
		if len([]rune(row)) > MaxLine {
			return nil, &Error{i + 1, MaxLine + 1, fmt.Sprintf("at most %d characters a line", MaxLine)}
		}
		if row = withoutComment(row); strings.TrimSpace(row) == "" {
			continue
		}
		if err := out.read(i+1, row, two); err != nil {
			return nil, err
		}
	}
	if len(out.lines) == 0 {
		return nil, errNoFormula
	}
	return out, nil
}

// read parses a line that is not empty.
func (c *content) read(number int, row string, two bool) error {
	if parts := anyBox().FindStringSubmatchIndex(row); two && parts != nil {
		return &Error{number, utf8.RuneCountInString(row[:parts[2]]) + 1, "no bounds: methods on two levels have none"}
	}
	if b, is, err := boundOf(number, row); is {
		c.bounds = append(c.bounds, b)
		return err
	}
	if comparison().MatchString(row) {
		return constraint(number, row)
	}
	l, err := lineOf(number, row, two, c.upper)
	if err != nil {
		return err
	}
	if c.size += l.size; c.size > maxWritten {
		return &Error{number, l.at, fmt.Sprintf("fewer than %d values and operators in all lines", maxWritten)}
	}
	if l.name == "n" || two && l.name == "p" {
		v := l.tree.value
		if l.tree.op != "number" || v != math.Trunc(v) || v < 1 || v > MaxVariables {
			return l.tree.fail(fmt.Sprintf("a whole number of variables, from 1 to %d", MaxVariables))
		}
		c.declared[l.name] = int(v)
		return nil
	}
	if l.name != "" {
		if j := slices.IndexFunc(c.lines, func(o *line) bool { return o.name == l.name }); j >= 0 {
			return &Error{number, l.at, fmt.Sprintf("another name: line %d has %s", c.lines[j].number, l.name)}
		}
	}
	c.lines = append(c.lines, l)
	return nil
}

// lineOf parses a line: a formula, or a name with its definition.
func lineOf(number int, text string, two, upper bool) (*line, error) {
	tokens, err := scan(number, text)
	if err != nil {
		return nil, err
	}
	p := &parser{line: number, text: text, two: two, tokens: tokens}
	l := &line{number: number, text: text, at: tokens[0].column}
	head, from, err := headOf(number, text)
	if err != nil {
		return nil, err
	}
	if head != "" {
		if l.name = objectiveOf(head, upper); reserved(l.name, two) && !isObjective(l.name, two) && l.name != "n" && !(two && l.name == "p") {
			return nil, p.fail("another name: " + l.name + " is reserved")
		}
		for tokens[p.next].kind != end && tokens[p.next].at < from {
			p.next++
		}
	}
	l.size = sizeOf(tokens[p.next:])
	if l.tree, err = p.whole(); err != nil {
		return nil, err
	}
	return l, nil
}

// sizeOf returns the number of values and operators among the tokens.
func sizeOf(tokens []token) int {
	n := 0
	for _, t := range tokens {
		if t.kind == name || t.kind == number || t.kind == sign && strings.Contains("+-*/^", t.text) {
			n++
		}
	}
	return n
}

// literal returns the value of a tree that is a number with an optional sign. It reports whether the tree is such a
// number.
func literal(t *tree) (float64, bool) {
	switch {
	case t.op == "number":
		return t.value, true
	case t.op == "neg" && t.args[0].op == "number":
		return -t.args[0].value, true
	}
	return 0, false
}

// names calls yield for every name in a tree, except for indices of enclosing sums.
func (t *tree) names(yield func(*tree), indices ...string) {
	if t.op == "sum" {
		t.args[0].names(yield, indices...)
		t.args[1].names(yield, indices...)
		t.args[2].names(yield, append(slices.Clone(indices), t.name)...)
		return
	}
	if (t.op == "name" || t.op == "index") && !slices.Contains(indices, t.name) {
		yield(t)
	}
	for _, arg := range t.args {
		arg.names(yield, indices...)
	}
}

// variables returns the number of variables that the lines use: the largest index of any x. In a text with x and y
// instead of x1 and x2, the number is 2 if y occurs and 1 otherwise. xy reports whether the text uses x and y.
func variables(all []*line, bounds []bound) (n int, xy bool) {
	plain, numbered := 0, false
	meet := func(name string) {
		switch digits := variableName().FindStringSubmatch(name); {
		case digits != nil:
			if i, err := strconv.Atoi(digits[1]); err == nil && i <= MaxVariables {
				n = max(n, i)
			}
			numbered = true
		case name == "x":
			plain = max(plain, 1)
		case name == "y":
			plain = 2
		}
	}
	for _, l := range all {
		l.tree.names(func(t *tree) {
			if t.op == "index" {
				numbered = true
				if i, is := literal(t.args[0]); is && i <= MaxVariables {
					n = max(n, int(i))
				}
				return
			}
			meet(t.name)
		})
	}
	for _, b := range bounds {
		if b.name != "x" {
			meet(b.name)
		}
	}
	if xy = plain > 0 && !numbered; xy {
		n = plain
	}
	return n, xy
}

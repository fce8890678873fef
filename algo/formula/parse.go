package formula

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"paretoplay/internal/pattern"
)

// Error is a mistake in a text of formulas. Lines and columns are counted from 1, and columns in characters, not
// bytes.
type Error struct {
	Line, Column int
	Expected     string // what would be valid at this place
}

// Error returns the error text in the form "line:column: expectation".
func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Expected) }

// Length returns the number of wrong characters in the text: the length of the number, name or symbol at the error's
// place. It returns 0 if something is missing at the end of a line.
func (e *Error) Length(text string) int {
	rows := strings.Split(text, "\n")
	if e.Line > len(rows) {
		return 0
	}
	rest := []rune(strings.TrimSuffix(rows[e.Line-1], "\r"))
	if e.Column > len(rest) {
		return 0
	}
	rest = rest[e.Column-1:]
	switch r := rest[0]; {
	case r >= '0' && r <= '9' || r == '.':
		return numberLength(string(rest))
	case isLetter(r):
		return nameLength(string(rest))
	case len(rest) > 1 && r == '*' && rest[1] == '*':
		return 2
	}
	return 1
}

// MaxNesting is the maximum nesting depth of brackets, signs, powers and functions.
const MaxNesting = 200

// token is a number, a name or a symbol such as + or a bracket. An empty token ends the line.
type token struct {
	kind   tokenKind
	text   string
	value  float64 // of a number
	column int     // from 1
	at, to int     // byte range in the line
}

type tokenKind int

const (
	end tokenKind = iota
	number
	name
	sign
)

// hints contains suggestions for symbols that formulas do not support.
var hints = map[rune]string{
	'|': "abs(...): formulas have no bars", '<': "no comparison: formulas have values only", '>': "no comparison: formulas have values only",
	'&': "one formula per line, without conditions", '!': "no factorial and no condition", '?': "no condition: use min, max or abs instead",
	';': "the next formula on a separate line", '√': "sqrt(...)", '²': "^2", '³': "^3", '·': "*", '×': "*", '÷': "/",
	'−': "- (a plain minus sign)",
	'{': "( instead of {", '}': ") instead of }", '%': "mod(a, b) for a remainder, or # before a comment", ':': "no colon", '"': "no text",
}

// scan splits a line into tokens. The last token has kind end.
func scan(line int, text string) (tokens []token, err error) {
	column := 1
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		t := token{column: column, at: at}
		length := size
		switch {
		case r == ' ' || r == '\t':
			at, column = at+size, column+1
			continue
		case r == '.' && len(text) > at+1 && strings.IndexByte("^*/", text[at+1]) >= 0: // MATLAB's elementwise operators
			t.kind, length = sign, 2
			if strings.HasPrefix(text[at:], ".**") {
				length = 3
			}
		case r >= '0' && r <= '9' || r == '.':
			t.kind = number
			length = numberLength(text[at:])
			t.value, err = strconv.ParseFloat(text[at:at+length], 64)
			if err != nil {
				return nil, &Error{line, column, "a finite number, such as 0.5 or 1e-3"}
			}
		case isLetter(r):
			t.kind = name
			length = nameLength(text[at:])
			if module().MatchString(text[at:]) { // a Python module, such as np.
				before := strings.IndexByte(text[at:], '.') + 1
				length = before + nameLength(text[at+before:])
			}
		case slices.Contains([]rune("+-*/^()[],="), r):
			t.kind = sign
			if r == '*' && len(text) > at+1 && text[at+1] == '*' { // ** means ^
				length = 2
			}
		default:
			hint, known := hints[r]
			if !known {
				hint = "a number, a name, + - * / ^ or a bracket"
			}
			return nil, &Error{line, column, hint}
		}
		t.text, t.to = text[at:at+length], at+length
		switch t.kind {
		case sign:
			if t.text = strings.TrimPrefix(t.text, "."); t.text == "**" {
				t.text = "^"
			}
		case name:
			t.text = canonical(t.text[strings.IndexByte(t.text, '.')+1:])
			if to, is := aliases[t.text]; is {
				t.text = to
			}
		}
		tokens = append(tokens, t)
		column += utf8.RuneCountInString(text[at : at+length])
		at += length
	}
	return append(tokens, token{kind: end, column: column, at: len(text)}), nil
}

// aliases maps alternative names to the names in formulas.
var aliases = map[string]string{"π": "pi", "ln": "log", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2",
	"fabs": "abs", "power": "pow", "maximum": "max", "minimum": "min"}

// module matches the name of a Python module and the name after it.
var module = pattern.Lazy(`^(np|numpy|jnp|math|torch|tf)\.[A-Za-z]`)

// nameLength returns the length in bytes of the name at the start of a text: letters, digits, underscores and
// subscript digits.
func nameLength(text string) int {
	for i, r := range text {
		if !isLetter(r) && !(i > 0 && (r >= '0' && r <= '9' || r == '_' || r >= '₀' && r <= '₉')) {
			return i
		}
	}
	return len(text)
}

func isLetter(r rune) bool {
	return unicode.IsLetter(r) && (r < utf8.RuneSelf || unicode.Is(unicode.Greek, r))
}

// numberLength returns the length of the number at the start of a text: digits, a point, an exponent. A letter e
// without digits after it is not part of the number.
func numberLength(text string) int {
	digits := func(i int) int {
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
		}
		return i
	}
	n := digits(0)
	if n < len(text) && text[n] == '.' {
		n = digits(n + 1)
	}
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		exponent := n + 1
		if exponent < len(text) && (text[exponent] == '+' || text[exponent] == '-') {
			exponent++
		}
		if last := digits(exponent); last > exponent {
			n = last
		}
	}
	return n
}

// tree is the syntax tree of a formula.
type tree struct {
	op           string  // "number", "name", "index", "sum", an operator, "neg", or a function
	value        float64 // of a number
	name         string  // of a name, or of a sum's index
	args         []*tree
	line, column int
	from, to     int // byte range in the line
}

// parser parses one line.
type parser struct {
	line   int
	text   string
	two    bool // whether the line belongs to a two-level problem
	tokens []token
	next   int
	depth  int
	tight  bool // whether the parser is after / or ^, where a product without * is ambiguous
}

// free parses the inside of brackets, where a product without * is unambiguous again.
func (p *parser) free(parse func() (*tree, error)) (*tree, error) {
	tight := p.tight
	p.tight = false
	defer func() { p.tight = tight }()
	return p.deeper(parse)
}

// behind parses the operand after / or ^, where a product without * is ambiguous.
func (p *parser) behind(parse func() (*tree, error)) (*tree, error) {
	tight := p.tight
	p.tight = true
	defer func() { p.tight = tight }()
	return parse()
}

func (p *parser) peek() token { return p.tokens[p.next] }

func (p *parser) is(text string) bool { return p.peek().kind == sign && p.peek().text == text }

func (p *parser) take(text string) bool {
	if !p.is(text) {
		return false
	}
	p.next++
	return true
}

func (p *parser) expect(text, expected string) error {
	if !p.take(text) {
		return p.fail(expected)
	}
	return nil
}

func (p *parser) fail(expected string) error { return &Error{p.line, p.peek().column, expected} }

// begin returns a tree that starts at the next token.
func (p *parser) begin() *tree {
	return &tree{line: p.line, column: p.peek().column, from: p.peek().at}
}

// close returns the tree with its end set before the next token.
func (p *parser) close(t *tree) *tree {
	t.to = p.tokens[p.next-1].to
	return t
}

// deeper calls parse for a nested expression. It returns an error if the nesting exceeds MaxNesting.
func (p *parser) deeper(parse func() (*tree, error)) (*tree, error) {
	if p.depth++; p.depth > MaxNesting {
		return nil, p.fail(fmt.Sprintf("at most %d levels of brackets, signs and functions", MaxNesting))
	}
	defer func() { p.depth-- }()
	return parse()
}

// whole parses the rest of the line.
func (p *parser) whole() (*tree, error) {
	t, err := p.sum()
	if err != nil {
		return nil, err
	}
	if got := p.peek(); got.kind != end {
		switch {
		case got.text == ")" || got.text == "]":
			return nil, p.fail("no closing bracket without an opening one")
		case got.text == "=":
			return nil, p.fail("a name before =, as in f1 = x1^2")
		}
		return nil, p.fail("+ - * / ^ or the end of the line: a product is written with *")
	}
	return t, nil
}

// sum parses terms joined by + and -.
func (p *parser) sum() (*tree, error) { return p.chain(p.product, "+", "-") }

// product parses factors joined by * and /.
func (p *parser) product() (*tree, error) { return p.chain(p.signed, "*", "/") }

// chain parses operands joined by left-associative operators of equal precedence.
func (p *parser) chain(operand func() (*tree, error), signs ...string) (*tree, error) {
	left, err := operand()
	for err == nil && p.peek().kind == sign && slices.Contains(signs, p.peek().text) {
		t := &tree{op: p.peek().text, line: left.line, column: left.column, from: left.from}
		p.next++
		var right *tree
		if t.op == "/" {
			right, err = p.behind(operand)
		} else {
			right, err = operand()
		}
		if err == nil {
			t.args = []*tree{left, right}
			left = p.close(t)
		}
	}
	return left, err
}

// signed parses a power with optional signs before it. The power binds more tightly than the signs.
func (p *parser) signed() (*tree, error) {
	t := p.begin()
	switch {
	case p.take("+"):
		return p.deeper(p.signed)
	case p.take("-"):
		of, err := p.deeper(p.signed)
		if err != nil {
			return nil, err
		}
		t.op, t.args = "neg", []*tree{of}
		return p.close(t), nil
	}
	return p.power()
}

// power parses a power. Powers associate to the right: 2^3^2 is 2^(3^2). 2^-1 is allowed.
func (p *parser) power() (*tree, error) {
	first := p.peek()
	base, err := p.atom()
	if err == nil && first.kind == number && (p.peek().kind == name || p.is("(")) {
		return p.implicit(first, base)
	}
	if err != nil || !p.take("^") {
		return base, err
	}
	exponent, err := p.behind(func() (*tree, error) { return p.deeper(p.signed) })
	if err != nil {
		return nil, err
	}
	return p.close(&tree{op: "^", args: []*tree{base, exponent}, line: base.line, column: base.column, from: base.from}), nil
}

// implicit parses the second factor of a product without *, whose first factor is a number: 2x1^2 is 2*(x1^2).
func (p *parser) implicit(first token, base *tree) (*tree, error) {
	switch next := p.peek(); {
	case first.text == "0" && strings.HasPrefix(next.text, "x"):
		return nil, p.fail("+ - * / ^ or the end of the line: numbers are decimal")
	case p.tight:
		return nil, p.fail("* or brackets: a product without * after / or ^ is ambiguous")
	}
	other, err := p.deeper(p.power)
	if err != nil {
		return nil, err
	}
	return p.close(&tree{op: "*", args: []*tree{base, other}, line: base.line, column: base.column, from: base.from}), nil
}

// atom parses a number, a name, a call or brackets.
func (p *parser) atom() (*tree, error) {
	t := p.begin()
	switch got := p.peek(); {
	case got.kind == number:
		p.next++
		t.op, t.value = "number", got.value
	case p.take("("):
		inner, err := p.free(p.sum)
		if err != nil {
			return nil, err
		}
		if err := p.expect(")", "a closing bracket )"); err != nil {
			return nil, err
		}
		inner.from = got.at
		return p.close(inner), nil
	case got.kind == name:
		p.next++
		switch {
		case got.text == "sum":
			return p.loop(t)
		case functions[got.text].arguments > 0:
			return p.call(t, got.text)
		case p.is("["), p.is("(") && (got.text == "x" && !p.two || p.two && (got.text == "a" || got.text == "w")): // MATLAB writes x(1)
			closing := "]"
			if p.is("(") {
				closing = ")"
			}
			p.next++
			index, err := p.free(p.sum)
			if err != nil {
				return nil, err
			}
			if err := p.expect(closing, "a closing bracket "+closing); err != nil {
				return nil, err
			}
			t.op, t.name, t.args = "index", got.text, []*tree{index}
			return p.close(t), nil
		case p.is("("):
			p.next--
			return nil, p.fail(fmt.Sprintf("a function: %s is unknown; available: %s", got.text, functionNames))
		}
		t.op, t.name = "name", got.text
	default:
		return nil, p.fail("a number, a variable such as x1, a function or a bracket")
	}
	return p.close(t), nil
}

// call parses the arguments of a function.
func (p *parser) call(t *tree, function string) (*tree, error) {
	if t.op = function; function == "pow" {
		t.op = "^"
	}
	if err := p.expect("(", "an opening bracket ( after "+function); err != nil {
		return nil, err
	}
	return p.arguments(t, functions[function].arguments, false, "a comma: "+function+" takes two values")
}

// arguments parses count arguments, the commas between them, and the closing bracket. If led is true, a comma also
// precedes the first argument.
func (p *parser) arguments(t *tree, count int, led bool, comma string) (*tree, error) {
	for i := range count {
		if i > 0 || led {
			if err := p.expect(",", comma); err != nil {
				return nil, err
			}
		}
		arg, err := p.free(p.sum)
		if err != nil {
			return nil, err
		}
		t.args = append(t.args, arg)
	}
	for t.op == "min" || t.op == "max" {
		if !p.take(",") {
			break
		}
		arg, err := p.free(p.sum)
		if err != nil {
			return nil, err
		}
		so := *t // max(a, b, c) is max(max(a, b), c)
		so.to = p.tokens[p.next-1].to
		t.args = []*tree{&so, arg}
	}
	if err := p.expect(")", "a closing bracket )"); err != nil {
		return nil, err
	}
	return p.close(t), nil
}

// loop parses sum(i, from, to, term).
func (p *parser) loop(t *tree) (*tree, error) {
	const form = "as in sum(i, 1, n, x[i]^2)"
	t.op = "sum"
	if err := p.expect("(", "an opening bracket, "+form); err != nil {
		return nil, err
	}
	if p.peek().kind != name {
		return nil, p.fail("the name of the index, " + form)
	}
	t.name = p.peek().text
	if reserved(t.name, p.two) {
		return nil, p.fail("another name for the index: " + t.name + " is reserved")
	}
	p.next++
	return p.arguments(t, 3, true, "a comma, "+form)
}

package lesson

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/scanner"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/condition"
	"paretoplay/internal/portable"
)

// ranks lists the binary operators of conditions with their ranks. Higher ranks bind more strongly. Two operators with
// one operand have their own ranks: "not" binds more strongly than a sum but less strongly than a product, and the
// minus sign of a number binds most strongly.
var ranks = map[string]int{
	"||": 10, "&&": 15, "==": 20, "!=": 20, "<": 20, "<=": 20, ">": 20, ">=": 20, "+": 30, "-": 30, "*": 60, "/": 60,
}

const (
	notRank   = 50
	minusRank = 90

	maxDepth = 500 // of brackets and signs
)

var (
	comparisons = []string{"<", "<=", ">", ">="}
	// pairs lists the operators of two characters. Conditions do not use the last two operators.
	pairs = []string{"&&", "||", "==", "!=", "<=", ">=", "??", "**"}
	// words lists alternative names of operators.
	words = map[string]string{"and": "&&", "or": "||", "not": "!"}
	// foreign lists operators and words that other languages have but conditions do not.
	foreign = []string{"in", "contains", "matches", "%", "^", "**", "&", "|", "=", "?", "??", ":", ";", "[", "{"}
)

// token is a name, a number, a text without its quotes, an operator, or the end.
type token struct {
	kind   rune // as in text/scanner; 0 for an operator
	text   string
	column int
}

// split returns the tokens of a condition. The last token marks its end.
func split(source string) (list []token, err error) {
	var s scanner.Scanner
	s.Init(strings.NewReader(source))
	s.Mode = scanner.ScanIdents | scanner.ScanFloats | scanner.ScanStrings | scanner.ScanComments | scanner.SkipComments
	fail := func(text string) {
		if err == nil {
			err = fmt.Errorf("%s, at character %d", text, s.Column)
		}
	}
	s.Error = func(_ *scanner.Scanner, text string) { fail(text) }
	for {
		t := token{kind: s.Scan(), text: s.TokenText(), column: s.Column}
		switch t.kind {
		case scanner.EOF:
			t.column = s.Pos().Column
			return append(list, t), err
		case scanner.Ident:
			if sign, ok := words[t.text]; ok {
				t.kind, t.text = 0, sign
			}
		case scanner.Int, scanner.Float:
		case scanner.String:
			if t.text, err = strconv.Unquote(t.text); err != nil {
				return nil, fmt.Errorf("a text must begin and end with a quotation mark, at character %d", t.column)
			}
		case '\'':
			t.kind, t.text = scanner.String, closed(&s, fail)
		default:
			t.kind = 0
			if pair := t.text + string(s.Peek()); slices.Contains(pairs, pair) {
				s.Next()
				t.text = pair
			}
		}
		list = append(list, t)
	}
}

// closed reads a text up to a closing single quote.
func closed(s *scanner.Scanner, fail func(string)) string {
	var text strings.Builder
	for r := s.Next(); r != '\''; r = s.Next() {
		if r == '\\' {
			r = s.Next()
		}
		if r == scanner.EOF {
			fail("literal not terminated")
			break
		}
		text.WriteRune(r)
	}
	return text.String()
}

// reader parses the tokens of an expression into a condition.
type reader struct {
	*vocabulary
	tokens      []token
	next, depth int
}

func (r *reader) peek() token { return r.tokens[r.next] }

func (r *reader) take(sign string) bool {
	if t := r.peek(); t.kind != 0 || t.text != sign {
		return false
	}
	r.next++
	return true
}

func (r *reader) unexpected() error {
	switch t := r.peek(); {
	case t.kind == scanner.EOF:
		return fmt.Errorf("unexpected end, at character %d", t.column)
	case t.kind != scanner.String && slices.Contains(foreign, t.text):
		return fmt.Errorf("%s is not supported here, at character %d", t.text, t.column)
	default:
		return fmt.Errorf("unexpected %s, at character %d", t.text, t.column)
	}
}

func (r *reader) whole() (*condition.Tree, error) {
	t, err := r.expression(0)
	if err == nil && r.peek().kind != scanner.EOF {
		err = r.unexpected()
	}
	return t, err
}

// expression reads operands joined by operators of at least the given rank.
func (r *reader) expression(rank int) (*condition.Tree, error) {
	left, err := r.operand()
	for err == nil {
		t := r.peek()
		own := ranks[t.text]
		if t.kind != 0 || own == 0 || own < rank {
			break
		}
		r.next++
		if slices.Contains(comparisons, t.text) {
			left, err = r.comparison(left, t.text)
		} else {
			left, err = r.joined(left, t.text)
		}
	}
	return left, err
}

func (r *reader) joined(left *condition.Tree, op string) (*condition.Tree, error) {
	right, err := r.expression(ranks[op] + 1)
	if err == nil && (op == "==" || op == "!=") {
		err = errors.Join(r.compared(left, right), r.compared(right, left))
	}
	return &condition.Tree{Op: op, Args: []*condition.Tree{left, right}}, err
}

// comparison reads the rest of a < b, or of a < b < c, which means that both comparisons hold.
func (r *reader) comparison(left *condition.Tree, op string) (*condition.Tree, error) {
	var all *condition.Tree
	for {
		right, err := r.expression(ranks[op] + 1)
		if err != nil {
			return nil, err
		}
		t := &condition.Tree{Op: op, Args: []*condition.Tree{left, right}}
		if all == nil {
			all = t
		} else {
			all = &condition.Tree{Op: "&&", Args: []*condition.Tree{all, t}}
		}
		if t := r.peek(); t.kind != 0 || !slices.Contains(comparisons, t.text) {
			return all, nil
		}
		left, op = right, r.peek().text
		r.next++
	}
}

func (r *reader) operand() (*condition.Tree, error) {
	if r.depth++; r.depth > maxDepth {
		return nil, fmt.Errorf("more than %d nested brackets and signs, at character %d", maxDepth, r.peek().column)
	}
	defer func() { r.depth-- }()
	switch t := r.peek(); {
	case r.take("!"):
		of, err := r.expression(notRank)
		return &condition.Tree{Op: "!", Args: []*condition.Tree{of}}, err
	case r.take("-"):
		of, err := r.expression(minusRank)
		if err == nil && of.Op == "number" {
			return number(-of.Number), nil
		}
		return &condition.Tree{Op: "-", Args: []*condition.Tree{of}}, err
	case r.take("("):
		of, err := r.expression(0)
		if err == nil && !r.take(")") {
			err = r.unexpected()
		}
		return of, err
	case t.kind == scanner.Int || t.kind == scanner.Float:
		r.next++
		return r.number(t)
	case t.kind == scanner.String:
		r.next++
		return &condition.Tree{Op: "text", Text: t.text}, nil
	case t.kind == scanner.Ident:
		r.next++
		switch {
		case t.text == "true" || t.text == "false":
			return &condition.Tree{Op: t.text}, nil
		case r.take("("):
			return r.call(t.text)
		case r.take(".") || r.take("["):
			return nil, errors.New(`write param("ls.lambda") for a parameter with a full stop in its name, and weight(mgda, 2) for a fact`)
		}
		return r.word(t.text)
	}
	return nil, r.unexpected()
}

func number(f float64) *condition.Tree { return &condition.Tree{Op: "number", Number: f} }

func (r *reader) number(t token) (*condition.Tree, error) {
	f, err := strconv.ParseFloat(strings.ReplaceAll(t.text, "_", ""), 64)
	if err != nil {
		return nil, fmt.Errorf("%s is not a number, at character %d", t.text, t.column)
	}
	return number(f), nil
}

// call reads the arguments of a fact or a function, after its opening bracket.
func (r *reader) call(name string) (*condition.Tree, error) {
	known := slices.Concat(r.kinds(), functions)
	if !slices.Contains(known, name) {
		return nil, fmt.Errorf("unknown fact or function %s of the scene %s%s", name, r.about.ID, suggest(name, known))
	}
	if name == "near" {
		return r.near()
	}
	texts, err := r.names()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !slices.Contains(functions, name) {
		full := strings.Join(append([]string{name}, texts...), ".")
		return &condition.Tree{Op: "fact", Text: full}, r.Fact(full)
	}
	takes := 1
	if name == "scrubbed" || name == "pinned" {
		takes = 0
	}
	if len(texts) != takes {
		return nil, fmt.Errorf("%s takes %d names, not %d", name, takes, len(texts))
	}
	if takes == 0 {
		return &condition.Tree{Op: name}, nil
	}
	if name == "dragged" {
		return &condition.Tree{Op: name, Text: texts[0]}, nil
	}
	d, ok := r.params[texts[0]]
	if !ok {
		return nil, fmt.Errorf("%s(%q): %w", name, texts[0], r.unknownParam(texts[0]))
	}
	if name == "param" {
		return r.param(d)
	}
	if name == "live" && d.Effect != param.Live {
		return nil, fmt.Errorf("live(%q): a change of %s restarts the runs and is never in the log", d.Name, d.Name)
	}
	return &condition.Tree{Op: name, Text: texts[0]}, nil
}

// names reads the arguments of a fact or a function. Each argument is a whole number, a text, or a name, possibly with
// hyphens.
func (r *reader) names() (list []string, err error) {
	for !r.take(")") {
		if len(list) > 0 && !r.take(",") {
			return nil, r.unexpected()
		}
		name, err := r.name()
		if err != nil {
			return nil, err
		}
		list = append(list, name)
	}
	return list, nil
}

func (r *reader) name() (string, error) {
	t := r.peek()
	switch t.kind {
	case scanner.Ident, scanner.String:
	case scanner.Int:
		n, err := strconv.Atoi(t.text)
		if err != nil {
			return "", fmt.Errorf("%s is not a number", t.text)
		}
		t.text = strconv.Itoa(n)
	case scanner.EOF:
		return "", r.unexpected()
	default:
		return "", fmt.Errorf("%s is neither a name nor a whole number", t.text)
	}
	if r.next++; r.take("-") {
		rest, err := r.name()
		return t.text + "-" + rest, err
	}
	return t.text, nil
}

// near parses near(x, 0.36), which holds if x, rounded to the written digits, is 0.36. A third argument sets the
// allowed distance instead.
func (r *reader) near() (*condition.Tree, error) {
	var args []*condition.Tree
	var starts []int
	for !r.take(")") {
		if len(args) > 0 && !r.take(",") {
			return nil, r.unexpected()
		}
		starts = append(starts, r.next)
		a, err := r.expression(0)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	if len(args) != 2 && len(args) != 3 {
		return nil, fmt.Errorf("near takes two or three numbers: a value, its target and optionally the distance; got %d", len(args))
	}
	x, centre := args[0], args[1]
	if centre.Op != "number" {
		return nil, errors.New("near: write the target in digits")
	}
	within := number(half(r.tokens[starts[1]:]))
	if len(args) == 3 {
		if within = args[2]; within.Op != "number" || within.Number < 0 {
			return nil, errors.New("near: write the distance in digits")
		}
	}
	return &condition.Tree{Op: "&&", Args: []*condition.Tree{
		{Op: ">=", Args: []*condition.Tree{x, number(centre.Number - within.Number)}},
		{Op: "<=", Args: []*condition.Tree{x, number(centre.Number + within.Number)}},
	}}, nil
}

// half returns half a unit of the last written digit of the first number.
func half(tokens []token) float64 {
	i := slices.IndexFunc(tokens, func(t token) bool { return t.kind == scanner.Int || t.kind == scanner.Float })
	digits, power, _ := strings.Cut(strings.ToLower(tokens[i].text), "e")
	_, decimals, _ := strings.Cut(digits, ".")
	exponent := 0
	if power != "" {
		exponent, _ = strconv.Atoi(power) // the exponent was parsed before as part of the number
	}
	return 0.5 * portable.Pow(10, float64(exponent-len(decimals)))
}

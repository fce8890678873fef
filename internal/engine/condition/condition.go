// Package condition evaluates the goals of lessons. A condition is a tree: the site's build makes it from the lesson's text,
// and this package reads it as JSON, without an expression parser.
//
// In JSON a tree is an object with "op" and the op's arguments. Each argument is a number, a text or a truth (true or
// false).
//
//	{"op": "number", "number": 95}                 a number
//	{"op": "text", "text": "quadratic"}            a text
//	{"op": "true"}, {"op": "false"}                a truth
//	{"op": "fact", "text": "angle.1.2"}            a number: a fact by its full name; NaN if the fact has no value
//	{"op": "param", "text": "R"}                   a parameter's value, of the type that the parameter has
//	{"op": "hero"}                                 the ID of the panel in front, a text
//	{"op": "ended"}, "fresh", "playing"            all runs have ended; the log has no live change; the runs play
//	{"op": "changed", "text": "R"}                 the parameter was changed since the step opened
//	{"op": "live", "text": "R"}                    the log of live changes contains the parameter
//	{"op": "dragged", "text": "start"}             a handle whose name begins with the text was dragged since the step opened
//	{"op": "scrubbed"}, {"op": "pinned"}           the marker was moved back, the runs were pinned, since the step opened
//	{"op": "tried", "text": "R"}                   a number: how many values of the parameter had runs that ended since the step opened
//	{"op": "&&", "args": [a, b, ...]}, "||"        of two or more truths
//	{"op": "!", "args": [a]}                       of a truth
//	{"op": "==", "args": [a, b]}, "!="             of two of the same type
//	{"op": "<", "args": [a, b]}, "<=", ">", ">="   of two numbers
//	{"op": "+", "args": [a, b]}, "-", "*", "/"     of two numbers; "-" also of one
//
// A comparison with NaN is false, also with !=.
package condition

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"paretoplay/algo/param"
)

// Tree is a condition or a part of one.
type Tree struct {
	Op     string  `json:"op"`
	Number float64 `json:"number,omitempty"`
	Text   string  `json:"text,omitempty"`
	Args   []*Tree `json:"args,omitempty"`

	typ Type // type of the tree, set by Check
}

// Type is the type of a condition or of a part of one.
type Type string

// These are the types of a condition's parts.
const (
	None   Type = "nothing"
	Number Type = "a number"
	Text   Type = "a text"
	Truth  Type = "a truth"
)

// TypeOf returns the type of a parameter. Values that are neither numbers nor truths are compared as texts, in the form that links
// use.
func TypeOf(d param.Descriptor) Type {
	switch d.Kind {
	case param.Number, param.Integer, param.Seed:
		return Number
	case param.Bool:
		return Truth
	}
	return Text
}

// Scope contains the names that a condition may use.
type Scope interface {
	// Fact returns nil if a fact with this full name, such as "angle.1.2", can exist. Otherwise it returns the reason
	// why the fact cannot exist.
	Fact(name string) error
	// Param returns the type of a parameter, or None if the parameter is unknown.
	Param(name string) Type
}

// Env provides the values of facts and parameters, and the visitor's actions, at one moment.
type Env interface {
	Fact(name string) float64 // NaN if the fact has no value
	Number(param string) float64
	Text(param string) string
	Truth(param string) bool
	Hero() string
	Playing() bool
	Changed(param string) bool
	Live(param string) bool
	Tried(param string) int
	Dragged(handle string) bool
	Scrubbed() bool
	Pinned() bool
}

// NumberOf returns a parameter's value as a number, or NaN if it is not a number.
func NumberOf(value any) float64 {
	switch v := value.(type) {
	case float64:
		return v
	case int:
		return float64(v)
	case uint64:
		return float64(v)
	}
	return math.NaN()
}

// These are the limits of a condition in JSON.
const (
	MaxBytes = 16 << 10
	maxNodes = 500
	maxText  = 100
)

// Parse reads a condition and checks it.
func Parse(data []byte, scope Scope) (*Tree, error) {
	t, err := read(data)
	if err != nil {
		return nil, err
	}
	return t, t.Check(scope)
}

// ParseNumber reads and checks a tree that yields a number, such as {"op": "fact", "text": "age"}.
func ParseNumber(data []byte, scope Scope) (*Tree, error) {
	t, err := read(data)
	if err != nil {
		return nil, err
	}
	return t, t.CheckNumber(scope)
}

func read(data []byte) (*Tree, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("the condition has %d bytes; the maximum is %d", len(data), MaxBytes)
	}
	t := new(Tree)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(t); err != nil {
		return nil, fmt.Errorf("a condition must be a tree in JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("a condition must be one tree; something follows it")
	}
	return t, nil
}

// Check returns an error for the first unknown name or wrong type in a condition. Call it before Eval.
func (t *Tree) Check(scope Scope) error {
	return t.checkAs(scope, Truth, "a condition is true or false")
}

// CheckNumber is like Check, for a tree that yields a number. Call it before Value.
func (t *Tree) CheckNumber(scope Scope) error {
	return t.checkAs(scope, Number, "a number is expected")
}

// checkAs checks the whole tree and its type.
func (t *Tree) checkAs(scope Scope, typ Type, otherwise string) error {
	nodes := 0
	if err := t.check(scope, &nodes); err != nil {
		return err
	}
	if t.typ != typ {
		return fmt.Errorf("%s; this is %v", otherwise, t.typ)
	}
	return nil
}

// named maps the ops that need a text to the types that they yield.
var named = map[string]Type{
	"text": Text, "fact": Number, "param": None, "changed": Truth, "live": Truth, "dragged": Truth, "tried": Number,
}

// alone maps the ops without arguments to the types that they yield.
var alone = map[string]Type{
	"true": Truth, "false": Truth, "hero": Text, "ended": Truth, "fresh": Truth, "playing": Truth, "scrubbed": Truth, "pinned": Truth,
}

// operator holds an operator's argument type and result type.
type operator struct {
	least, most int
	of, is      Type // None means that any type is allowed, and that both arguments must have the same type
}

var operators = map[string]operator{
	"&&": {2, maxNodes, Truth, Truth}, "||": {2, maxNodes, Truth, Truth}, "!": {1, 1, Truth, Truth},
	"==": {2, 2, None, Truth}, "!=": {2, 2, None, Truth},
	"<": {2, 2, Number, Truth}, "<=": {2, 2, Number, Truth}, ">": {2, 2, Number, Truth}, ">=": {2, 2, Number, Truth},
	"+": {2, 2, Number, Number}, "-": {1, 2, Number, Number}, "*": {2, 2, Number, Number}, "/": {2, 2, Number, Number},
}

func (t *Tree) check(scope Scope, nodes *int) error {
	if *nodes++; t == nil || *nodes > maxNodes {
		return fmt.Errorf("a condition must have 1 to %d parts, and none may be missing", maxNodes)
	}
	if o, ok := operators[t.Op]; ok {
		return t.checkOperator(o, scope, nodes)
	}
	typ, ok := named[t.Op]
	switch {
	case ok:
		if err := t.checkName(scope); err != nil {
			return err
		}
		if t.Op == "param" {
			typ = scope.Param(t.Text)
		}
	case t.Text != "":
		return fmt.Errorf("op %.40q takes no text", t.Op)
	case t.Op == "number":
		typ = Number
	default:
		if typ, ok = alone[t.Op]; !ok {
			return fmt.Errorf("unknown op %.40q", t.Op)
		}
	}
	if len(t.Args) > 0 || t.Number != 0 && t.Op != "number" {
		return fmt.Errorf("op %q takes neither parts nor a number", t.Op)
	}
	t.typ = typ
	return nil
}

func (t *Tree) checkName(scope Scope) error {
	if len(t.Text) > maxText {
		return fmt.Errorf("a text in a condition may have at most %d bytes", maxText)
	}
	switch t.Op {
	case "fact":
		return scope.Fact(t.Text)
	case "param", "changed", "live", "tried":
		if scope.Param(t.Text) == None {
			return fmt.Errorf("unknown parameter %q", t.Text)
		}
	case "dragged":
		if t.Text == "" {
			return fmt.Errorf("op \"dragged\" needs the beginning of a handle’s name")
		}
	}
	return nil
}

func (t *Tree) checkOperator(o operator, scope Scope, nodes *int) error {
	if n := len(t.Args); n < o.least || n > o.most || t.Text != "" || t.Number != 0 {
		return fmt.Errorf("op %q does not take %d parts", t.Op, n)
	}
	of := o.of
	for _, a := range t.Args {
		if err := a.check(scope, nodes); err != nil {
			return err
		}
		if of == None {
			of = a.typ
		}
		if a.typ != of {
			return fmt.Errorf("op %q takes %v here, not %v", t.Op, of, a.typ)
		}
	}
	t.typ = o.is
	return nil
}

// Eval reports whether the condition holds.
func (t *Tree) Eval(env Env) bool {
	switch t.Op {
	case "true":
		return true
	case "param":
		return env.Truth(t.Text)
	case "ended", "fresh":
		return env.Fact(t.Op) == 1
	case "playing":
		return env.Playing()
	case "changed":
		return env.Changed(t.Text)
	case "live":
		return env.Live(t.Text)
	case "dragged":
		return env.Dragged(t.Text)
	case "scrubbed":
		return env.Scrubbed()
	case "pinned":
		return env.Pinned()
	case "!":
		return !t.Args[0].Eval(env)
	case "&&":
		for _, a := range t.Args {
			if !a.Eval(env) {
				return false
			}
		}
		return true
	case "||":
		for _, a := range t.Args {
			if a.Eval(env) {
				return true
			}
		}
		return false
	case "==", "!=", "<", "<=", ">", ">=":
		return t.compare(env)
	}
	return false
}

// Value returns the number that the tree yields, or NaN if the tree yields no number.
func (t *Tree) Value(env Env) float64 { return t.number(env) }

// Measure returns the parts of a condition of the form "number op number": the current left side, the operator and the
// required right side. ok is false for any other condition.
func (t *Tree) Measure(env Env) (now float64, op string, asked float64, ok bool) {
	switch t.Op {
	case "==", "<", "<=", ">", ">=":
		if t.Args[0].typ == Number {
			return t.Args[0].number(env), t.Op, t.Args[1].number(env), true
		}
	}
	return 0, "", 0, false
}

func (t *Tree) compare(env Env) bool {
	a, b := t.Args[0], t.Args[1]
	switch a.typ {
	case Text:
		return (a.text(env) == b.text(env)) == (t.Op == "==")
	case Truth:
		return (a.Eval(env) == b.Eval(env)) == (t.Op == "==")
	}
	x, y := a.number(env), b.number(env)
	switch t.Op {
	case "==":
		return x == y
	case "!=":
		return x < y || x > y // false if either is NaN
	case "<":
		return x < y
	case "<=":
		return x <= y
	case ">":
		return x > y
	}
	return x >= y
}

func (t *Tree) text(env Env) string {
	switch t.Op {
	case "param":
		return env.Text(t.Text)
	case "hero":
		return env.Hero()
	}
	return t.Text
}

func (t *Tree) number(env Env) float64 {
	switch t.Op {
	case "number":
		return t.Number
	case "fact":
		return env.Fact(t.Text)
	case "param":
		return env.Number(t.Text)
	case "tried":
		return float64(env.Tried(t.Text))
	}
	x := t.Args[0].number(env)
	if len(t.Args) == 1 {
		return -x
	}
	y := t.Args[1].number(env)
	switch t.Op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "/":
		return x / y
	}
	return math.NaN()
}

// Visit calls f for the tree and for all its parts.
func (t *Tree) Visit(f func(*Tree)) {
	f(t)
	for _, a := range t.Args {
		a.Visit(f)
	}
}

package condition_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"paretoplay/internal/engine/condition"
)

// world is a scope and an environment with one parameter of each type.
type world struct{}

func (world) Fact(name string) float64 {
	switch name {
	case "angle.1.2":
		return 108.5
	case "ended":
		return 1
	case "fresh":
		return 0
	}
	return math.NaN()
}
func (world) Number(string) float64      { return 4 }
func (world) Text(string) string         { return "quadratic" }
func (world) Truth(string) bool          { return true }
func (world) Hero() string               { return "plane" }
func (world) Playing() bool              { return false }
func (world) Changed(name string) bool   { return name == "R" }
func (world) Live(name string) bool      { return name == "problem" }
func (world) Tried(string) int           { return 5 }
func (world) Dragged(handle string) bool { return handle == "start" }
func (world) Scrubbed() bool             { return true }
func (world) Pinned() bool               { return false }

type scope struct{}

func (scope) Fact(name string) error {
	if strings.HasPrefix(name, "unknown") {
		return fmt.Errorf("unknown fact %q", name)
	}
	return nil
}

func (scope) Param(name string) condition.Type {
	return cmp.Or(map[string]condition.Type{"R": condition.Number, "problem": condition.Text,
		"published": condition.Truth}[name], condition.None)
}

func op(op string, args ...*condition.Tree) *condition.Tree {
	return &condition.Tree{Op: op, Args: args}
}
func on(op, text string) *condition.Tree   { return &condition.Tree{Op: op, Text: text} }
func num(x float64) *condition.Tree        { return &condition.Tree{Op: "number", Number: x} }
func fact(name string) *condition.Tree     { return on("fact", name) }
func written(t *condition.Tree) (s string) { b, _ := json.Marshal(t); return string(b) }

// TestEval checks every op, read from JSON, in one case in which the condition holds and in one in which it does not.
func TestEval(t *testing.T) {
	angle, none := fact("angle.1.2"), fact("missing")
	for _, c := range []struct {
		tree *condition.Tree
		want bool
	}{
		{op("true"), true}, {op("false"), false}, {op("!", op("false")), true}, {op("!", op("true")), false},
		{op("&&", op("true"), op("true"), op("true")), true}, {op("&&", op("true"), op("false")), false},
		{op("||", op("false"), op("false"), op("true")), true}, {op("||", op("false"), op("false")), false},
		{op(">", angle, num(95)), true}, {op(">", angle, num(108.5)), false}, {op(">=", angle, num(108.5)), true},
		{op(">=", angle, num(109)), false},
		{op("<", angle, num(109)), true}, {op("<", angle, num(108.5)), false}, {op("<=", angle, num(108.5)), true},
		{op("<=", angle, num(1)), false},
		{op("==", angle, num(108.5)), true}, {op("==", angle, num(1)), false}, {op("!=", angle, num(1)), true},
		{op("!=", angle, num(108.5)), false},
		{op("==", op("+", num(1), num(2)), num(3)), true}, {op("==", op("-", num(1), num(2)), num(-1)), true},
		{op("==", op("*", num(3), num(2)), num(6)), true}, {op("==", op("/", num(3), num(2)), num(1.5)), true},
		{op("==", op("-", num(3)), num(-3)), true},
		// A missing value is neither equal to a number, nor below it, nor above it. The same is true of a result
		// computed from it.
		{op("<", none, num(1)), false}, {op("<=", none, num(1)), false}, {op(">", none, num(1)), false}, {op(">=", none, num(1)), false},
		{op("==", none, num(1)), false}, {op("!=", none, num(1)), false}, {op("==", none, none), false}, {op("!=", num(1), none), false},
		{op("<", op("+", none, num(1)), num(1)), false}, {op("!=", op("/", num(0), num(0)), num(1)), false},
		{op("!=", op("-", none), num(1)), false},
		{op("==", on("param", "R"), num(4)), true}, {op("<", on("param", "R"), num(4)), false},
		{op("==", on("param", "problem"), on("text", "quadratic")), true}, {op("==", on("param", "problem"), on("text", "")), false},
		{op("!=", on("param", "problem"), on("text", "fonseca")), true}, {op("!=", on("param", "problem"), on("text", "quadratic")), false},
		{on("param", "published"), true}, {op("==", on("param", "published"), op("false")), false}, {op("!=", on("param",
			"published"), op("false")), true},
		{op("==", op("hero"), on("text", "plane")), true}, {op("==", op("hero"), on("text", "time")), false},
		{op("ended"), true}, {op("fresh"), false}, {op("playing"), false}, {op("scrubbed"), true}, {op("pinned"), false},
		{on("changed", "R"), true}, {on("changed", "problem"), false}, {on("live", "problem"), true}, {on("live", "R"), false},
		{on("dragged", "start"), true}, {on("dragged", "g"), false}, {op(">=", on("tried", "R"), num(5)), true}, {op(">", on("tried",
			"R"), num(5)), false},
	} {
		read, err := condition.Parse([]byte(written(c.tree)), scope{})
		if err != nil {
			t.Errorf("%s: %v", written(c.tree), err)
			continue
		}
		if got := read.Eval(world{}); got != c.want {
			t.Errorf("%s: got %v, want %v", written(c.tree), got, c.want)
		}
	}
}

// TestRefused checks that unknown names, wrong types and oversized trees are refused with a helpful error.
func TestRefused(t *testing.T) {
	many := []*condition.Tree{}
	for range 500 {
		many = append(many, op("true"))
	}
	for want, tree := range map[string]*condition.Tree{
		`unknown op "sin"`:             op("sin", num(1)),
		`unknown op ""`:                {},
		"unknown.1":                    op(">", fact("unknown.1"), num(0)),
		`unknown parameter "S"`:        on("changed", "S"),
		`unknown parameter "T"`:        op(">", on("param", "T"), num(0)),
		"true or false":                num(1),
		"is a text":                    op("hero"),
		"not a text":                   op("==", num(1), on("text", "1")),
		"takes a number here":          op("<", op("true"), op("false")),
		"takes a truth here":           op("&&", op("true"), num(1)),
		`"!" does not take 2 parts`:    op("!", op("true"), op("true")),
		`"&&" does not take 1 parts`:   op("&&", op("true")),
		`"==" does not take 3`:         op("==", num(1), num(1), num(1)),
		"none may be missing":          op("!", nil),
		"1 to 500 parts":               op("&&", many...),
		`"pinned" takes no text`:       on("pinned", "A"),
		"neither parts":                {Op: "ended", Args: []*condition.Tree{op("true")}},
		"nor a number":                 {Op: "fact", Text: "angle.1.2", Number: 2},
		"at most 100 bytes":            on("dragged", strings.Repeat("g", 101)),
		"beginning of a handle’s name": on("dragged", ""),
	} {
		if _, err := condition.Parse([]byte(written(tree)), scope{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.100s: error %v; want %q", written(tree), err, want)
		}
	}
	for text, want := range map[string]string{
		`null`: `unknown op ""`, `{"op":"true"} {}`: "follows it", `{"op":"true","to":1}`: "unknown field",
		`[1]`: "tree in JSON", ``: "tree in JSON",
		strings.Repeat(" ", condition.MaxBytes) + "{}": "bytes",
		strings.Repeat(`{"op":"!","args":[`, 800):      "tree in JSON",
	} {
		if _, err := condition.Parse([]byte(text), scope{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.100s: error %v; want %q", text, err, want)
		}
	}
}

// FuzzParse checks that every input that is not refused can be evaluated.
func FuzzParse(f *testing.F) {
	for _, tree := range []*condition.Tree{
		op("&&", op(">", fact("angle.1.2"), num(95)), op("ended")), op("!", on("param", "published")), op("==", op("hero"), on("text", "plane")),
	} {
		f.Add([]byte(written(tree)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if tree, err := condition.Parse(data, scope{}); err == nil {
			tree.Eval(world{})
		}
	})
}

package lesson

import (
	"fmt"
	"testing"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/condition"
)

// TestGrammar checks that operators bind as in other languages, except that "not" binds less strongly than a product
// and more strongly than a sum.
func TestGrammar(t *testing.T) {
	v := &vocabulary{params: map[string]param.Descriptor{
		"a": {Name: "a", Kind: param.Number}, "b": {Name: "b", Kind: param.Number}, "c": {Name: "c", Kind: param.Bool},
	}}
	for source, want := range map[string]string{
		"c or c and not c == c":  "(|| c (&& c (== (! c) c)))",
		"a + b * -2 - b / 4e1":   "(- (+ a (* b -2)) (/ b 40))",
		"a < b <= 0.5":           "(&& (< a b) (<= b 0.5))",
		"a == b == c":            "(== (== a b) c)",
		"!(c || c) // a comment": "(! (|| c c))",
		"'it’s' == \"it’s\"":     "(== 'it’s' 'it’s')",
		"-(a) > -a":              "(> (- a) (- a))",
	} {
		tree, err := v.tree(source)
		if err != nil || prefixed(tree) != want {
			t.Errorf("%s: %v, want %s", source, err, want)
			if err == nil {
				t.Log(prefixed(tree))
			}
		}
	}
}

// prefixed returns a condition in prefix form.
func prefixed(t *condition.Tree) string {
	switch t.Op {
	case "param":
		return t.Text
	case "number":
		return fmt.Sprint(t.Number)
	case "text":
		return "'" + t.Text + "'"
	}
	out := "(" + t.Op
	for _, a := range t.Args {
		out += " " + prefixed(a)
	}
	return out + ")"
}

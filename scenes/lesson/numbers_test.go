package lesson

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// subscript is a number that only names something.
var subscript = regexp.MustCompile(`_[0-9]+`)

// ofVisitor is a number that the page puts in: it stands outside of formulas, where braces follow a letter, a sign or each other.
var ofVisitor = regexp.MustCompile(`(^|[\s(“])\{[^}]*\}`)

// digits is a number as people write it.
var digits = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?`)

// elsewhere are the tests of what lessons state and conditions cannot ask for: of other runs, of
// maps, of single steps.
var elsewhere = map[string][]string{
	"04-stale-weights.md": {"../fonseca/lessons_test.go"},
	"05-noise.md":         {"../fonseca/lessons_test.go"},
	"06-two-levels.md":    {"../bilevel/facts_test.go", "../bilevel/cards_test.go"},
	"09-order.md":         {"../ordering/lessons_test.go"},
	"12-quietest.md":      {"../fonseca/lessons_test.go"},
}

// arithmetic lists statements of lessons that follow from the formula beside them, or restate what
// a test checks.
var arithmetic = map[string][]string{
	"04-stale-weights.md": {"82", "500"},  // per cent: a share of 0.815 and more; 600 steps but for 100
	"06-two-levels.md":    {"10", "99.5"}, // per cent: 1 − 0.9 and 1 − 0.9^50
	"09-order.md":         {"40"},         // draws: the sum of the counts
	"11-units.md":         {"0", "1"},     // where a length is counted from; the length of a unit vector
}

// TestEveryNumberIsAsserted: a number that a step of the page's lessons states once it is reached
// stands in one of its conditions, which are followed, in what leads there, or in a test of its own.
func TestEveryNumberIsAsserted(t *testing.T) {
	files, err := filepath.Glob("../../assets/lessons/*.md")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d lessons, error %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := readSource(file, data)
		if err != nil {
			t.Fatal(err)
		}
		there := slices.Clone(arithmetic[filepath.Base(file)])
		for _, name := range elsewhere[filepath.Base(file)] {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			there = append(there, digits.FindAllString(string(data), -1)...)
		}
		for _, step := range f.steps {
			asserted := slices.Clone(there)
			for _, name := range []string{"goal", "show", "state"} {
				asserted = append(asserted, digits.FindAllString(step.fields[name].text, -1)...)
			}
			for _, c := range step.checks {
				asserted = append(asserted, digits.FindAllString(c.text, -1)...)
			}
			then := subscript.ReplaceAllString(ofVisitor.ReplaceAllString(step.fields["then"].text, ""), "")
			for _, number := range digits.FindAllString(then, -1) {
				if !slices.ContainsFunc(asserted, func(s string) bool { return s == number || strings.HasPrefix(s, number+".") }) {
					t.Errorf("%s:%d: %s: nothing asserts %s", filepath.Base(file), step.fields["then"].line, step.title.text, number)
				}
			}
		}
	}
}

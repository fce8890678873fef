package lesson

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// subscript matches a number that is only part of a name.
var subscript = regexp.MustCompile(`_[0-9]+`)

// ofVisitor matches a number that the page inserts. It does not match formulas, in which braces follow a letter, an
// operator or each other.
var ofVisitor = regexp.MustCompile(`(^|[\s(“])\{[^}]*\}`)

// digits matches a decimal number without sign or exponent.
var digits = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?`)

// TestEveryNumberIsAsserted checks every number that the page's lessons state after the goal of a step. The number
// must be part of a condition, or of the way to the goal.
func TestEveryNumberIsAsserted(t *testing.T) {
	files, err := filepath.Glob("../../../assets/lessons/*.md")
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
		for _, step := range f.steps {
			var asserted []string
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

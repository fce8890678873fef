package scene

import (
	"fmt"
	"slices"
	"testing"

	"paretoplay/algo/param"
)

// TestFactKinds checks that one declaration gives the catalog's texts in order and the facts of every method. Adjacent kinds with
// the same arguments must alternate.
func TestFactKinds(t *testing.T) {
	of := func(v float64) func(float64, string, int) float64 {
		return func(s float64, method string, i int) float64 { return s + v + float64(i) + 100*float64(len(method)) }
	}
	each := Counted(2, func(i int) string { return string("ab"[i]) })
	kinds := FactKinds[float64]{
		{Name: "last", Text: "one", After: "third", Label: "at the end", OfMethod: of(1)},
		{Name: "first", Of: []string{"method", "objective"}, Text: "two", Label: "f%s", Unit: "m", Over: each, OfMethod: of(10)},
		{Name: "second", Text: "three", Label: "g%s", Over: each, OfMethod: of(20)},
		{Name: "third", Text: "four", Label: "1 %", OfMethod: of(30)},
		{Name: "whole", Text: "five", Label: "all", Value: func(s float64, _ int) float64 { return s }},
		{Name: "whole", Label: "part %s", Over: Counted(1, nil), Value: func(s float64, i int) float64 { return float64(i) }},
		{Name: "told", Text: "six"},
		{Name: "own", Text: "seven", List: func(float64) []Fact { return []Fact{{Name: "own.x"}, {Name: "told.x"}} }},
	}
	var help, facts []string
	for _, h := range kinds.Help() {
		help = append(help, h.Text)
	}
	if want := []string{"one", "two", "three", "four", "five", "six", "seven"}; !slices.Equal(help, want) {
		t.Errorf("got help %q", help)
	}
	for _, f := range kinds.Facts(1000, []param.Method{{ID: "m", Title: "M"}, {ID: "nn", Title: "N"}}) {
		v := 0.0
		if f.Value != nil {
			v = f.Value()
		}
		facts = append(facts, fmt.Sprintf("%s|%s|%s|%g", f.Name, f.Label, f.Unit, v))
	}
	want := []string{
		"first.m.1|M: fa|m|1110", "second.m.1|M: ga||1120", "first.m.2|M: fb|m|1111", "second.m.2|M: gb||1121",
		"third.m|M: 1 %||1130", "last.m|M: at the end||1101",
		"first.nn.1|N: fa|m|1210", "second.nn.1|N: ga||1220", "first.nn.2|N: fb|m|1211", "second.nn.2|N: gb||1221",
		"third.nn|N: 1 %||1230", "last.nn|N: at the end||1201",
		"whole|all||1000", "whole.1|part 1||0", "own.x|||0", "told.x|||0",
	}
	if !slices.Equal(facts, want) {
		t.Errorf("got facts\n%q\nwant\n%q", facts, want)
	}
}

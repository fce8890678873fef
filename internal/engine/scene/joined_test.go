package scene

import (
	"testing"

	"paretoplay/algo/formula"
)

// TestJoined checks that an error is assigned to the parameter whose text contains it.
func TestJoined(t *testing.T) {
	for _, c := range []struct {
		define, first, second string
		want                  Fault
	}{
		{"a = 2\nb = 3 +", "x1", "x2", Fault{"define", 2, 8, 0, "a number, a variable such as x1, a function or a bracket"}},
		{"", "x1*foo_2", "x2", Fault{"f1", 1, 4, 5,
			"a variable x1 ... x30, a number, or a name that another line defines: foo_2 is not defined"}},
		{"a = 1\n", "x1", "", Fault{"f2", 1, 1, 0, "a number, a variable such as x1, a function or a bracket"}},
		{"f1 = 2", "x1", "x2", Fault{"f1", 1, 1, 0, "another name: line 1 has f1"}},
		{"", "x1", "x1 ²", Fault{"f2", 1, 4, 1, "^2"}},
	} {
		var j Joined
		j.Add("define", "", c.define)
		j.Add("f1", "f1 = ", c.first)
		j.Add("f2", "f2 = ", c.second)
		_, err := formula.Parse(j.Text(), 2)
		at, is := err.(*formula.Error)
		if !is {
			t.Fatalf("%q: %v", j.Text(), err)
		}
		if got := j.Fault(at); got != c.want {
			t.Errorf("%q: got %+v, want %+v", j.Text(), got, c.want)
		}
	}
}

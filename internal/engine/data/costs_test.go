package data

import (
	"slices"
	"strings"
	"testing"
)

// TestCosts checks that a visitor's file may omit masses and may be a table, and that the limit on its rows is
// MaxPastedMasses. If only one list of masses is given, the other must get the same sum.
func TestCosts(t *testing.T) {
	for text, want := range map[string][2][]float64{
		"1,2\n3,1": {{0.5, 0.5}, {0.5, 0.5}},
		`{"cost": [[1,2],[3,1]], "b": [3,1], "tau": 2}`: {{2, 2}, {3, 1}},
		`{"cost": [[1,2],[3,1]], "a": [3,1], "b":null}`: {{3, 1}, {2, 2}},
	} {
		r := NewReader(Costs)
		if _, err := r.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		p, err := r.Close()
		if err != nil {
			t.Fatal(err)
		}
		in, err := p.Transport()
		if err != nil || !slices.Equal(in.A, want[0]) || !slices.Equal(in.B, want[1]) || p.First().Cols != 2 ||
			!slices.Equal(in.Cost, []float64{1, 2, 3, 1}) ||
			(in.Tau == 2) != strings.Contains(text, "tau") {
			t.Errorf("%s: %+v, %v", text, in, err)
		}
	}
	r := NewReader(Costs)
	if _, err := r.Write([]byte(strings.Repeat("1\n", MaxPastedMasses+1))); err == nil || !strings.Contains(err.Error(), "more than 40 rows") {
		t.Errorf("many rows: got error %v", err)
	}
}

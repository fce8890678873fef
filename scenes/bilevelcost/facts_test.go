package bilevelcost

import (
	"math"
	"testing"
)

// TestFacts checks that every line has a fact, which is NaN before the measurement and agrees with the results
// afterwards.
func TestFacts(t *testing.T) {
	for _, mode := range []string{modeBoth, modeReverse, modeForward} {
		s := finished(t, map[string]string{"mode": mode, "repetitions": "1"})
		known := map[string]float64{}
		for _, f := range s.cost.Factors() {
			name := "factor." + f.Method
			if f.Mode != "" {
				name += "." + f.Mode
			}
			known[name+"."+f.Over] = f.Factor
		}
		facts, told := s.Facts(), 0
		if len(facts) != 2*5 || len(known) < 6 {
			t.Fatalf("%d facts of %d factors", len(facts), len(known))
		}
		for _, f := range facts {
			want, measured := known[f.Name]
			if got := f.Value(); f.Label == "" || f.Unit != "s" || measured && got != want || !measured && !math.IsNaN(got) {
				t.Errorf("%s: %s = %v, want %v", mode, f.Name, got, want)
			}
			if measured {
				told++
			}
			if n := testing.AllocsPerRun(3, func() { f.Value() }); n > 0 {
				t.Errorf("%s takes %v allocations", f.Name, n)
			}
		}
		if told != len(known) {
			t.Errorf("%s: %d of %d factors are facts", mode, told, len(known))
		}
	}
	for _, f := range with(t, nil).Facts() {
		if !math.IsNaN(f.Value()) {
			t.Errorf("%s = %v before anything is measured", f.Name, f.Value())
		}
	}
}

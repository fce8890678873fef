package toy

import (
	"fmt"
	"math"
	"testing"

	"paretoplay/scenes/scenetest"
)

// TestFacts: at any marker every fact is what its name says of the rows that are shown,
// and an arrival counts from its iteration on; at the latest one they are the results'.
func TestFacts(t *testing.T) {
	s := with(t, map[string]string{"method": "mgda,moosvgd,ls", "startset": "all", "eta": "0.02", "budget": "900", "tolerance": "1"})
	scenetest.Step(t, s, -1)
	some := false
	for marker := range 901 {
		if marker%50 != 0 {
			continue
		}
		s.Timeline().SetMarker(marker)
		for _, method := range []string{"mgda", "moosvgd", "ls"} {
			t.Run(fmt.Sprintf("%s at %d", method, marker), func(t *testing.T) {
				var runs, arrived, bp, gap float64
				for _, r := range s.Timeline().Tracks() {
					if r.Method != method {
						continue
					}
					runs++
					for k := range marker + 1 {
						if s.gap(r.Kept(k).F) <= 1 {
							arrived++
							break
						}
					}
					row := r.Kept(marker)
					bp += float64(row.BP)
					gap = max(gap, s.gap(row.F))
				}
				some = some || arrived > 0 && arrived < runs
				for name, want := range map[string]float64{"runs.": runs, "arrived.": arrived, "bp.": bp, "gap.": gap} {
					if got := scenetest.Fact(t, s.Facts(), name+method); got != want {
						t.Errorf("%s%s at %d is %g, want %g", name, method, marker, got, want)
					}
				}
			})
		}
	}
	if !some {
		t.Error("no method is on its way at any marker")
	}
	arrived, gap := map[string]float64{}, map[string]float64{}
	for _, e := range endings(t, s) {
		if e.Arrived != nil {
			arrived[e.Method]++
		}
		gap[e.Method] = max(gap[e.Method], e.Gap)
	}
	for _, method := range []string{"mgda", "moosvgd", "ls"} {
		t.Run(method+" in the results", func(t *testing.T) {
			if scenetest.Fact(t, s.Facts(), "arrived."+method) != arrived[method] || scenetest.Fact(t, s.Facts(), "gap."+method) != gap[method] {
				t.Errorf("%s: the results say %g and %g", method, arrived[method], gap[method])
			}
		})
	}
	for _, name := range []string{"runs.psmgd", "arrived.psmgd", "bp.famo", "gap.cagrad"} {
		if v := scenetest.Fact(t, s.Facts(), name); !math.IsNaN(v) {
			t.Errorf("%s is %g of a method that does not run", name, v)
		}
	}
	seen := map[string]bool{}
	for _, f := range s.Facts() {
		if seen[f.Name] || f.Label == "" {
			t.Errorf("%+v", f)
		}
		seen[f.Name] = true
		if n := testing.AllocsPerRun(10, func() { f.Value() }); n > 2 {
			t.Errorf("%s allocates %g times", f.Name, n)
		}
	}
}

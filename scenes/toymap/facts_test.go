package toymap

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// TestFacts checks that facts agree with the displayed rows at any marker, and with the results at the latest
// iteration. An arrival counts at its iteration and at all later ones.
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
	for _, f := range s.Facts() {
		if n := testing.AllocsPerRun(10, func() { f.Value() }); n > 2 {
			t.Errorf("%s allocates %g times", f.Name, n)
		}
	}
}

// TestWordsLeadWithTheFinding checks that the panels' descriptions start with findings that agree with the runs.
func TestWordsLeadWithTheFinding(t *testing.T) {
	s := with(t, map[string]string{"method": "mgda,ls", "budget": "20000"})
	said := func(i int) string { return s.Panels()[i].Describe() }
	if text := said(0); !strings.HasPrefix(text, "The start points") {
		t.Error(text)
	}
	scenetest.Step(t, s, -1)
	for i, want := range []string{"2 of 6 runs are still in the valleys above.", "4 of 6 runs are at the front,",
		"The weights of MGDA, start 1 have stayed ",
		"MGDA, start 1 has been at the front since iteration ", "4 of 6 runs have come within 0.1 of the front: MGDA 3 of 3, the last " +
			"at "} {
		if text := said(i); !strings.HasPrefix(text, want) {
			t.Errorf("panel %d says %q", i+1, text)
		}
	}
	s.Timeline().SetMarker(5000)
	if text := said(3); !strings.HasPrefix(text, "MGDA, start 1 has not reached the front. ") {
		t.Error(text)
	}
	s.Timeline().Select("ls-1")
	if text := said(2); !strings.HasPrefix(text, "Linear scalarization, start 1 has kept the same weights since its first step. ") {
		t.Error(text)
	}
}

// TestStepNumbersOfTheScene checks that a step has numbers, and that these numbers attribute the update to Adam.
func TestStepNumbersOfTheScene(t *testing.T) {
	s := with(t, map[string]string{"method": "mgda"})
	scenetest.Step(t, s, 3)
	got, err := s.StepNumbers(s.Timeline().Selected(), 3)
	if err != nil || got["k"] != "3" || got["w1"] == "" || !strings.HasSuffix(got["made"], " ⟵ Adam of") {
		t.Errorf("%v, error %v", got, err)
	}
}

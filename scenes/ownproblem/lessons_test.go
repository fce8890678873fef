package ownproblem_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// TestUnitsOfTruss checks, for any starts, the statements of lesson 11 about the truss in cm³ and in m³. In m³ equal
// weights build the heaviest truss instead of the lightest. In cm³ MGDA's trusses stay as heavy as at the start. In m³
// their joint sinks as far as at the start. Nash-MTL builds the same truss in both units.
func TestUnitsOfTruss(t *testing.T) {
	const seeds = 20
	mgda := 0
	for _, seed := range scenetest.SeedList(seeds) {
		built := func(unit, budget string) func(method, objective string) float64 {
			values := preset(t, "truss", "walking", "false", "method", "ls,mgda,nashmtl", "ls.weights", "equal", "eta", "5",
				"clip", "0.006", "budget", budget, "seed", strconv.Itoa(seed))
			values["define"] = strings.Replace(values["define"], "u = 1\n", "u = "+unit+"\n", 1)
			facts := finished(t, values).Facts()
			return func(method, objective string) float64 {
				return scenetest.Fact(t, facts, "mean."+method+"."+objective)
			}
		}
		start, small, large := built("1", "1"), built("1", "1000"), built("0.000001", "1000")
		if a, b := small("ls", "1"), large("ls", "1")*1e6; math.Abs(a-1238) > 0.5 || math.Abs(b-2886) > 0.5 {
			t.Errorf("seed %d: equal weights build %g and %g cm³", seed, a, b)
		}
		if a, b := small("nashmtl", "1"), large("nashmtl", "1")*1e6; math.Abs(b/a-1) > 1e-3 {
			t.Errorf("seed %d: Nash-MTL builds %g and %g cm³", seed, a, b)
		}
		down, level := small("mgda", "1")/start("mgda", "1"), large("mgda", "2")/start("mgda", "2")
		if math.Abs(down-1) < 0.05 && math.Abs(level-1) < 0.05 && large("mgda", "1")*1e6 < small("mgda", "1")-100 {
			mgda++
		}
	}
	if mgda < seeds*9/10 {
		t.Errorf("MGDA goes down in cm³, and level in m³, on %d of %d seeds", mgda, seeds)
	}
}

package yours_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"paretoplay/scenes/scenetest"
)

// What lesson 11 says of the truss in cm³ and in m³ holds whatever the starts: equal weights change from the lightest
// truss to the heaviest, MGDA to lighter ones, and Nash-MTL builds the same.
func TestUnitsOfTruss(t *testing.T) {
	const seeds = 20
	lighter := 0
	for _, seed := range scenetest.SeedList(seeds) {
		var volume [2]map[string]float64 // in cm³
		for i, unit := range []string{"1", "0.000001"} {
			values := preset(t, "truss", "walking", "false", "method", "ls,mgda,nashmtl", "ls.weights", "equal", "eta", "5",
				"clip", "0.006", "budget", "1000", "seed", strconv.Itoa(seed))
			values["define"] = strings.Replace(values["define"], "u = 1\n", "u = "+unit+"\n", 1)
			s := finished(t, values)
			size, err := strconv.ParseFloat(unit, 64)
			if err != nil {
				t.Fatal(err)
			}
			volume[i] = map[string]float64{}
			for _, method := range []string{"ls", "mgda", "nashmtl"} {
				volume[i][method] = scenetest.Fact(t, s.Facts(), "mean."+method+".1") / size
			}
		}
		small, large := volume[0], volume[1]
		if math.Abs(small["ls"]-1238) > 0.5 || math.Abs(large["ls"]-2886) > 0.5 {
			t.Errorf("seed %d: equal weights build %g and %g", seed, small["ls"], large["ls"])
		}
		if off := math.Abs(large["nashmtl"]/small["nashmtl"] - 1); off > 1e-3 {
			t.Errorf("seed %d: Nash-MTL builds %g and %g", seed, small["nashmtl"], large["nashmtl"])
		}
		if large["mgda"] < small["mgda"]-100 {
			lighter++
		}
	}
	if lighter < seeds*9/10 {
		t.Errorf("MGDA builds lighter in m³ on %d of %d seeds", lighter, seeds)
	}
}

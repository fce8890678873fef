package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"paretoplay/internal/study/hypercleaning"
)

// ofCosts describes the table for the experiment "forum-cost".
var ofCosts = reproduction{
	paper:  "FORUM",
	theirs: costTheirs + "; p varies with T = 64. The paper shows curves and describes them, without numbers",
	here: "random quadratics, m = 2; seconds per upper step on this machine, timing by timing, and numbers held at once, which are " +
		"counted; MOML and MoCo differentiate the loop backwards as in the paper",
	lacks:  "hyper-cleaning on images; a graphics card’s memory",
	readAs: []string{costsOfQuick}, fill: fillCosts,
}

// costTitles names the methods of costLines.
var costTitles = []string{"FORUM", "MOML", "MoCo"}

// fillCosts fills the table for forum-cost. It reads T and p from the lines, because they differ between the full
// experiment and its quick form.
func fillCosts(t *table) {
	sorted := func(texts []string) []string {
		slices.SortFunc(texts, func(a, b string) int { return cmp.Compare(must(strconv.Atoi(a)), must(strconv.Atoi(b))) })
		return texts
	}
	// p is fixed where T varies, and T is fixed where p varies. The fixed value is the one with the most lines.
	most := func(column, other string) (fixed string, varied []string) {
		for _, v := range t.values(column, "method=forum") {
			if others := t.values(other, "method=forum", column+"="+v); len(others) > len(varied) {
				fixed, varied = v, others
			}
		}
		return column + "=" + fixed, sorted(varied)
	}
	p, loops := most("p", "T")
	loop, sizes := most("T", "p")
	seconds := func(of string, values ...string) []float64 {
		return t.list(t.the(t.costs(), append(strings.Split(of, ","), values...)...), "batches")
	}
	for _, g := range []struct {
		title, place, fixed, column string
		values                      []string
	}{{"Time over T, " + spaced(p), "Figure 1(a)", p, "T", loops}, {"Time over p, " + spaced(loop), "Figure 1(b)", loop, "p", sizes}} {
		t.begin(g.title, "ratio of times", true)
		for i, of := range costLines[1:] {
			for _, v := range g.values {
				at := g.column + "=" + v
				t.toward(fmt.Sprintf("%s over FORUM, %s = %s", costTitles[i+1], g.column, v), g.place,
					"a curve: longer in every configuration", more, 1, 2,
					func() measured { return times(seconds(of, at, g.fixed), seconds(costLines[0], at, g.fixed)) })
			}
		}
	}
	short, long := "T="+loops[0], "T="+loops[len(loops)-1]
	few, many := "p="+sizes[0], "p="+sizes[len(sizes)-1]
	t.begin(fmt.Sprintf("Memory, from %s to %s, %s", spaced(short), spaced(long), spaced(p)), "numbers held, as a ratio", true)
	grown := func(of string) func() measured {
		return func() measured { return sure(t.cost("floats", of, long, p) / t.cost("floats", of, short, p)) }
	}
	t.alike("FORUM", "Figure 1(c)", "a curve: almost constant", 1/1.1, 1.1, 2, grown(costLines[0]))
	for i, of := range costLines[1:] {
		t.toward(costTitles[i+1], "Figure 1(c)", "a curve: increases faster", more, 1.1, 2, grown(of))
	}
	t.begin(fmt.Sprintf("Memory per additional lower variable, from %s to %s, %s", spaced(few), spaced(many), spaced(loop)),
		"numbers held, as a ratio", true)
	added := func(of string) float64 { return t.cost("floats", of, many, loop) - t.cost("floats", of, few, loop) }
	for i, of := range costLines[1:] {
		t.toward("FORUM over "+costTitles[i+1], "Figure 1(d)", "a curve: increases slightly, whereas theirs increases linearly", less, 1, 2,
			func() measured { return sure(added(costLines[0]) / added(of)) })
	}
}

// ofCleaning describes the table for the experiment "hyper-cleaning".
var ofCleaning = reproduction{
	elsewhere: true,
	paper:     "FORUM", theirs: cleaningTheirs, here: cleaningSetting + ". *Our choices*: " + cleaningChoices,
	lacks: "T = 32 and 128, ρ = 0.3 and 0.7, F1, and each data set separately: ours are not images, so the means over both sets are compared",
	kept:  keptCleaning, readAs: []string{keptCleaning}, fill: fillCleaning,
}

func fillCleaning(t *table) {
	// Runs with a long loop or another η are in the part "beside", not in the part "table".
	runs := func(method string, steps int, rho, eta string) []float64 {
		values := []string{"method=" + method, fmt.Sprint("T=", steps), "eta=" + eta}
		if method == "forum" {
			values = append(values, "rho="+rho)
		}
		if inTable := append(slices.Clone(values), "part=table"); t.has(inTable...) {
			return t.numbers("accuracies", inTable...)
		}
		return t.numbers("accuracies", append(values, "part=beside")...)
	}
	published := func(method string, steps int, rho, eta float64) float64 {
		return hypercleaning.Published(method, steps, rho, eta)
	}
	t.begin("FORUM against the others", "points of accuracy", false)
	for _, steps := range []int{16, 64} {
		for _, m := range []struct{ name, title string }{{"moml", "MOML"}, {"moco", "MoCo"}} {
			t.gap(fmt.Sprintf("FORUM − %s, T = %d", m.title, steps), "Table 1, mean of both sets", plain(published("forum", steps, 0.5, 0.3)),
				plain(published(m.name, steps, math.NaN(), 0.3)), 2, func() measured {
					return gap(runs("forum", steps, "0.5", "0.3"), runs(m.name, steps, "", "0.3"))
				})
		}
	}
	t.begin("FORUM’s ρ and η, T = 16", "points of accuracy", false)
	const steps = 16
	for _, rho := range []string{"0.1", "0.5", "0.9"} {
		v := must(strconv.ParseFloat(rho, 64))
		t.gap(fmt.Sprintf("ρ = %s − ρ = 0", rho), "Table 5", plain(published("forum", steps, v, 0.3)),
			plain(published("forum", steps, 0, 0.3)), 2,
			func() measured { return gap(runs("forum", steps, rho, "0.3"), runs("forum", steps, "0", "0.3")) })
	}
	// The paper calls FORUM insensitive to ρ and η. widest returns the largest change of FORUM's published accuracy
	// over T.
	widest := func(rho, eta float64) (largest float64) {
		for _, loop := range []int{16, 32, 64, 128} {
			largest = max(largest, math.Abs(published("forum", loop, rho, eta)-published("forum", loop, 0.5, 0.3)))
		}
		return largest
	}
	insensitive := func(of string, rho, eta float64, rhoText, etaText string) {
		says := "insensitive: " + differenceText(published("forum", steps, rho, eta), published("forum", steps, 0.5, 0.3), 2)
		w := widest(rho, eta)
		t.alike(of, "Table 5", says, -w, w, 2, func() measured {
			return gap(runs("forum", steps, rhoText, etaText), runs("forum", steps, "0.5", "0.3"))
		})
	}
	insensitive("ρ = 0.9 − ρ = 0.5", 0.9, 0.3, "0.9", "0.3")
	insensitive("η = 0.1 − η = 0.3, ρ = 0.5", 0.5, 0.1, "0.5", "0.1")
	insensitive("η = 0.5 − η = 0.3, ρ = 0.5", 0.5, 0.5, "0.5", "0.5")
}

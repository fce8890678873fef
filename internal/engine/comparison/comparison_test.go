package comparison_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/comparison"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/scenes"
)

func plan(t testing.TB, id string, seeds int, methods ...string) comparison.Plan {
	t.Helper()
	about, err := scenes.All.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	return comparison.Plan{Scene: about, Methods: methods, Seeds: seeds, Target: math.NaN()}
}

func finished(t testing.TB, p comparison.Plan) *comparison.Comparison {
	t.Helper()
	c, err := comparison.New(p)
	if err != nil {
		t.Fatal(err)
	}
	if pending, err := c.Work(func() bool { return true }); pending || err != nil {
		t.Fatal(pending, err)
	}
	return c
}

// TestRunsOfThePage checks that a comparison computes the same runs as the page: seed, step size and method determine
// the fact.
func TestRunsOfThePage(t *testing.T) {
	p := plan(t, "clusters", 3, "most", "most-l")
	c := finished(t, p)
	for _, m := range c.Methods() {
		for i, final := range m.Finals {
			s := scenetest.Open(t, p.Scene.New(), map[string]string{
				"method": m.ID, "seed": fmt.Sprint(i + 1), "eta": fmt.Sprint(m.Step),
			})
			scenetest.Finish(t, s)
			if want := scenetest.Fact(t, s.Facts(), "oracle."+m.ID); final != want {
				t.Errorf("%s, seed %d: got %g, want %g as on the page", m.ID, i+1, final, want)
			}
		}
	}
	if n := len(c.Methods()); n != 3 || c.Methods()[2].ID != "linearization" {
		t.Errorf("%d methods: the baseline is missing", n)
	}
}

// TestTuning checks that each method gets the best of equally many step sizes, judged by the mean of the fact over
// seeds that the comparison does not use. If the best of the first six step sizes is the smallest or largest, the
// comparison must also have tried two beyond it.
func TestTuning(t *testing.T) {
	c := finished(t, plan(t, "clusters", 2, "most", "mgda"))
	for _, m := range c.Methods() {
		if len(m.Trials) != 8 {
			t.Errorf("%s: got %d step sizes", m.ID, len(m.Trials))
		}
		best, at := math.Inf(1), -1
		for i, trial := range m.Trials {
			if trial.Score < best {
				best, at = trial.Score, i
			}
			if i > 0 && trial.Step <= m.Trials[i-1].Step {
				t.Errorf("%s: step sizes out of order: %v", m.ID, m.Trials)
			}
		}
		if m.Trials[at].Step != m.Step || m.Edge != (at == 0 || at == len(m.Trials)-1) {
			t.Errorf("%s: got step size %g, edge %v, from %v", m.ID, m.Step, m.Edge, m.Trials)
		}
	}
}

// TestPairs recomputes differences, intervals and ranks from the finals.
func TestPairs(t *testing.T) {
	const seeds = 5
	c := finished(t, plan(t, "clusters", seeds, "most", "most-l"))
	methods := c.Methods()
	pairs := c.Pairs()
	if len(pairs) != 3 {
		t.Fatalf("got %d pairs of 3 methods", len(pairs))
	}
	for _, p := range pairs {
		var d [seeds]float64
		var mean, square float64
		for i := range d {
			d[i] = math.Log10(methods[p.A].Finals[i] / methods[p.B].Finals[i])
			mean += d[i] / seeds
		}
		for _, v := range d {
			square += (v - mean) * (v - mean)
		}
		// Student's quantile is for 4 degrees of freedom and a probability of 1 − 0.05/6 for both sides: three pairs have two
		// intervals each.
		half := 4.8510 * math.Sqrt(square/(seeds-1)/seeds)
		if math.Abs(p.Difference.Mean-mean) > 1e-12 || math.Abs(p.Difference.Spread/half-1) > 2e-3 {
			t.Errorf("%s − %s: got %+v, want %g ± %g", methods[p.A].ID, methods[p.B].ID, p.Difference, mean, half)
		}
		want := -1
		switch {
		case mean+half < 0:
			want = p.A
		case mean-half > 0:
			want = p.B
		}
		if p.Better != want {
			t.Errorf("%s, %s: got better %d, want %d", methods[p.A].ID, methods[p.B].ID, p.Better, want)
		}
	}
	var ranks float64
	for _, m := range methods {
		ranks += m.Rank
	}
	if math.Abs(ranks-6) > 1e-12 {
		t.Errorf("got ranks that add up to %g", ranks)
	}
}

// TestNotDistinguishable checks that a comparison does not distinguish a method from the same rule under another name.
func TestNotDistinguishable(t *testing.T) {
	p := plan(t, "fonseca", 6, "mgda", "psmgd")
	p.Values = map[string]string{"R": "1", "momentum": "0", "budget": "20"}
	c := finished(t, p)
	for _, pair := range c.Pairs() {
		if pair.A == 0 && pair.B == 1 && (pair.Better != -1 || pair.Difference.Mean != 0) {
			t.Errorf("PSMGD with R = 1 and MGDA: got difference %+v", pair.Difference)
		}
	}
	if said := strings.Join(c.Verdicts(), " "); !strings.Contains(said, "MGDA and PSMGD are not distinguishable") {
		t.Error(said)
	}
}

// TestSlices checks that dividing the work into time slices does not change the result.
func TestSlices(t *testing.T) {
	whole, err := json.Marshal(finished(t, plan(t, "bilevel", 2, "forum", "bome")))
	if err != nil {
		t.Fatal(err)
	}
	c, err := comparison.New(plan(t, "bilevel", 2, "forum", "bome"))
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	for pending := true; pending; parts++ {
		left := 40
		if pending, err = c.Work(func() bool { left--; return left > 0 }); err != nil {
			t.Fatal(err)
		}
		if done, of := c.Progress(); done > of {
			t.Fatalf("got %d of %d runs", done, of)
		}
	}
	said, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if parts < 10 || string(said) != string(whole) {
		t.Errorf("after %d slices: got\n%s\nwant\n%s", parts, said, whole)
	}
}

// TestScenes checks that the fact, the step size and the baseline of each scene's comparison exist.
func TestScenes(t *testing.T) {
	for _, a := range scenes.All {
		by := a.Comparison
		if by == nil {
			continue
		}
		d, _ := a.New().Params().Lookup("method")
		methods := []string{d.Options[0].Value, d.Options[1].Value}
		p := plan(t, a.ID, 2, methods...)
		if _, err := comparison.New(p); err != nil {
			t.Errorf("%s: %v", a.ID, err)
		}
		if f, ok := a.FactKind(by.Fact + "." + methods[0]); !ok || len(f.Of) != 1 || f.Of[0] != "method" {
			t.Errorf("%s: got %s, which is not a fact of a method", a.ID, by.Fact)
		}
	}
}

func TestRefused(t *testing.T) {
	change := func(id string, by func(p *comparison.Plan)) comparison.Plan {
		p := plan(t, id, 3, "mgda", "psmgd")
		by(&p)
		return p
	}
	for want, p := range map[string]comparison.Plan{
		"cannot be compared":   change("lab", func(*comparison.Plan) {}),
		"a comparison needs 2": change("fonseca", func(p *comparison.Plan) { p.Seeds = 1 }),
		"0 to 1000000000":      change("fonseca", func(p *comparison.Plan) { p.SeedBase = -1 }),
		"2 to 1000":            change("fonseca", func(p *comparison.Plan) { p.Seeds = 1001 }),
		"unknown method":       change("fonseca", func(p *comparison.Plan) { p.Methods = []string{"mgda", "nothing"} }),
		"named twice":          change("fonseca", func(p *comparison.Plan) { p.Methods = []string{"mgda", "mgda"} }),
		"at least two":         change("fonseca", func(p *comparison.Plan) { p.Methods = []string{"ls"} }),
		"chooses itself":       change("fonseca", func(p *comparison.Plan) { p.Values = map[string]string{"eta": "1"} }),
		"unknown parameter":    change("fonseca", func(p *comparison.Plan) { p.Values = map[string]string{"nothing": "1"} }),
		"R":                    change("fonseca", func(p *comparison.Plan) { p.Values = map[string]string{"R": "1000"} }),
	} {
		if _, err := comparison.New(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

// flats lists problems whose objectives flatten far out, where ω is 0: Fonseca's, and formulas that visitors type.
var flats = []struct {
	scene  string
	values map[string]string
}{
	{"fonseca", nil},
	{"yours", map[string]string{"f1": "1 - exp(-(x-1)^2 - y^2)", "f2": "1 - exp(-(x+1)^2 - y^2)"}},
	{"yours", map[string]string{"f1": "tanh((x-1)^2 + y^2)", "f2": "tanh((x+1)^2 + y^2)"}},
	{"yours", map[string]string{"f1": "1/(1 + exp(2 - (x-1)^2 - y^2))", "f2": "1/(1 + exp(2 - (x+1)^2 - y^2))"}},
	{"toy", nil},
}

// TestFlatPlaces checks that a run counts as failed if noise or a long step takes it to a flat place, even if ω is
// small there. A run that counts must not be dominated by its start or, on Fonseca's problem, end far out. The short
// form of the test has two methods and the first two problems; the long form has every method and problem.
func TestFlatPlaces(t *testing.T) {
	for i, flat := range flats {
		if testing.Short() && i > 1 {
			break
		}
		for _, sigma := range []string{"0", "0.1", "0.3"} {
			p := plan(t, flat.scene, 2, "fairgrad", "pcgrad")
			if !testing.Short() {
				p.Seeds = 10
				d, _ := p.Scene.New().Params().Lookup("method")
				p.Methods = nil
				for _, o := range d.Options {
					p.Methods = append(p.Methods, o.Value)
				}
			}
			p.Values = map[string]string{"budget": "200"}
			if _, noisy := p.Scene.New().Params().Lookup("sigma"); noisy {
				p.Values["sigma"] = sigma
			} else if sigma != "0" {
				continue
			}
			for name, text := range flat.values {
				p.Values[name] = text
			}
			t.Run(fmt.Sprint(flat.scene, " ", flat.values["f1"], " σ = ", sigma), func(t *testing.T) {
				t.Parallel()
				p.Methods = slices.DeleteFunc(p.Methods, func(m string) bool {
					alone := p
					alone.Methods = []string{m, "ls"}
					_, err := comparison.New(alone)
					return m == "ls" || err != nil
				})
				c := finished(t, p)
				for _, m := range c.Methods() {
					for i, final := range m.Finals {
						if why := fooled(t, p, m, c.Seed(i)); why != "" && !math.IsNaN(final) {
							t.Errorf("%s, η = %g, seed %d: got %g from a run that %s", m.ID, m.Step, c.Seed(i), final, why)
						}
					}
					t.Logf("%-12s η = %-8g %d of %d failed %v", m.ID, m.Step, failures(m), p.Seeds, m.Fails)
				}
			})
		}
	}
}

func failures(m comparison.Method) (count int) {
	for _, f := range m.Fails {
		if f != "" {
			count++
		}
	}
	return count
}

// fooled returns the reason why a run should not count, or "" if it should count.
func fooled(t *testing.T, p comparison.Plan, m comparison.Method, seed int) string {
	t.Helper()
	values := map[string]string{"method": m.ID, "seed": fmt.Sprint(seed), p.Scene.Comparison.Step: fmt.Sprint(m.Step)}
	maps.Copy(values, p.Scene.Comparison.Values)
	maps.Copy(values, p.Values)
	s := scenetest.Open(t, p.Scene.New(), values)
	scenetest.Finish(t, s)
	for _, track := range s.Timeline().Tracks() {
		first, last := track.Kept(0).F, scenetest.Last(track).F
		if first[0] <= last[0] && first[1] <= last[1] && (first[0] < last[0] || first[1] < last[1]) {
			return fmt.Sprintf("began at %v and ended at %v", first, last)
		}
		if p.Scene.ID == "fonseca" && min(last[0], last[1]) > 0.999 {
			return fmt.Sprintf("ended far out at %v", last)
		}
	}
	return ""
}

// TestFailedStepsAreNoCandidates checks that a step size with failed runs is chosen only if no other is available.
func TestFailedStepsAreNoCandidates(t *testing.T) {
	p := plan(t, "fonseca", 3, "fairgrad")
	p.Values = map[string]string{"sigma": "0.1"}
	c := finished(t, p)
	for _, m := range c.Methods() {
		var chosen, least = -1, math.MaxInt
		for i, trial := range m.Trials {
			if trial.Failed > 0 != math.IsNaN(trial.Score) {
				t.Errorf("%s: got trial %+v", m.ID, trial)
			}
			if trial.Step == m.Step {
				chosen = i
			}
			least = min(least, trial.Failed)
		}
		if m.Trials[chosen].Failed > least {
			t.Errorf("%s: got step size %g from %+v", m.ID, m.Step, m.Trials)
		}
	}
	if trials := c.Methods()[0].Trials; trials[len(trials)-1].Failed == 0 {
		t.Errorf("FairGrad does not fail with the largest step size: %+v", trials)
	}
}

// TestSeedBase checks that a different base changes all seeds, both for the comparison and for tuning.
func TestSeedBase(t *testing.T) {
	p := plan(t, "clusters", 3, "most", "most-l")
	c := finished(t, p)
	p.SeedBase = 1
	next := finished(t, p)
	for i, m := range c.Methods() {
		other := next.Methods()[i]
		if c.Seed(0) != 1 || next.Seed(0) != 2 || m.Step == other.Step && m.Finals[1] != other.Finals[0] {
			t.Errorf("%s: got %v from seed 2 on, but %v from seed 1 on", m.ID, other.Finals, m.Finals)
		}
		if m.Trials[0].Score == other.Trials[0].Score {
			t.Errorf("%s: tuned on the same seeds with both bases", m.ID)
		}
	}
	if said := strings.Join(next.Notes(), " "); !strings.Contains(said, "Seeds 2 to 4") {
		t.Error(said)
	}
}

package comparison_test

import (
	"encoding/json"
	"fmt"
	"math"
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

// What is compared are the runs of the page: the same seed, step size and method come to the same fact.
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
				t.Errorf("%s, seed %d: %g, on the page %g", m.ID, i+1, final, want)
			}
		}
	}
	if n := len(c.Methods()); n != 3 || c.Methods()[2].ID != "linearization" {
		t.Errorf("the baseline is not beside the %d methods", n)
	}
}

// The best step size tried is taken, by the mean over seeds that are not those compared; where it is at an
// end, larger or smaller ones have been tried up to a bound.
func TestTuning(t *testing.T) {
	c := finished(t, plan(t, "clusters", 2, "most", "mgda"))
	for _, m := range c.Methods() {
		best, at := math.Inf(1), -1
		for i, trial := range m.Trials {
			if trial.Score < best {
				best, at = trial.Score, i
			}
			if i > 0 && trial.Step <= m.Trials[i-1].Step {
				t.Errorf("%s: step sizes are not in order: %v", m.ID, m.Trials)
			}
		}
		if m.Trials[at].Step != m.Step || m.Edge != (at == 0 || at == len(m.Trials)-1) {
			t.Errorf("%s: %g is chosen, %v at an edge, of %v", m.ID, m.Step, m.Edge, m.Trials)
		}
		if m.Edge && len(m.Trials) < 10 && m.Step > 0.0001 && m.Step < 5 {
			t.Errorf("%s: %g at an edge after %d trials", m.ID, m.Step, len(m.Trials))
		}
	}
}

// Differences, intervals and ranks by hand from the finals.
func TestPairs(t *testing.T) {
	const seeds = 5
	c := finished(t, plan(t, "clusters", seeds, "most", "most-l"))
	methods := c.Methods()
	pairs := c.Pairs()
	if len(pairs) != 3 {
		t.Fatalf("%d pairs of 3 methods", len(pairs))
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
		// Student's quantile for 4 degrees of freedom and a chance of 1 − 0.05/3 for both sides.
		half := 3.961 * math.Sqrt(square/(seeds-1)/seeds)
		if math.Abs(p.Difference.Mean-mean) > 1e-12 || math.Abs(p.Difference.Spread/half-1) > 2e-3 {
			t.Errorf("%s − %s: %+v, by hand %g ± %g", methods[p.A].ID, methods[p.B].ID, p.Difference, mean, half)
		}
		want := -1
		switch {
		case mean+half < 0:
			want = p.A
		case mean-half > 0:
			want = p.B
		}
		if p.Better != want {
			t.Errorf("%s, %s: better is %d, not %d", methods[p.A].ID, methods[p.B].ID, p.Better, want)
		}
	}
	var ranks float64
	for _, m := range methods {
		ranks += m.Rank
	}
	if math.Abs(ranks-6) > 1e-12 {
		t.Errorf("ranks add up to %g", ranks)
	}
}

// The least interval that can tell two methods apart is asked for: the same rule under two names is not
// told apart.
func TestNotDistinguishable(t *testing.T) {
	p := plan(t, "fonseca", 6, "mgda", "psmgd")
	p.Values = map[string]string{"R": "1", "momentum": "0", "budget": "20"}
	c := finished(t, p)
	for _, pair := range c.Pairs() {
		if pair.A == 0 && pair.B == 1 && (pair.Better != -1 || pair.Difference.Mean != 0) {
			t.Errorf("PSMGD with R = 1 differs from MGDA by %+v", pair.Difference)
		}
	}
	if said := strings.Join(c.Verdicts(), " "); !strings.Contains(said, "MGDA and PSMGD are not distinguishable") {
		t.Error(said)
	}
}

// In slices the result is the same.
func TestSlices(t *testing.T) {
	whole, err := json.Marshal(finished(t, plan(t, "bilevel", 2, "forum", "bome")))
	if err != nil {
		t.Fatal(err)
	}
	c, err := comparison.New(plan(t, "bilevel", 2, "forum", "bome"))
	if err != nil {
		t.Fatal(err)
	}
	slices := 0
	for pending := true; pending; slices++ {
		left := 40
		if pending, err = c.Work(func() bool { left--; return left > 0 }); err != nil {
			t.Fatal(err)
		}
		if done, of := c.Progress(); done > of {
			t.Fatalf("%d runs of %d are done", done, of)
		}
	}
	parts, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if slices < 10 || string(parts) != string(whole) {
		t.Errorf("after %d slices:\n%s\nnot\n%s", slices, parts, whole)
	}
}

// Every scene that says how its methods are compared has the fact, the step size and the baseline.
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
			t.Errorf("%s: %s is no fact of a method", a.ID, by.Fact)
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
		"a comparison takes 2": change("fonseca", func(p *comparison.Plan) { p.Seeds = 1 }),
		"2 to 1000":            change("fonseca", func(p *comparison.Plan) { p.Seeds = 1001 }),
		"is no method":         change("fonseca", func(p *comparison.Plan) { p.Methods = []string{"mgda", "nothing"} }),
		"named twice":          change("fonseca", func(p *comparison.Plan) { p.Methods = []string{"mgda", "mgda"} }),
		"at least two":         change("fonseca", func(p *comparison.Plan) { p.Methods = []string{"ls"} }),
		"chooses itself":       change("fonseca", func(p *comparison.Plan) { p.Values = map[string]string{"eta": "1"} }),
		"is no parameter":      change("fonseca", func(p *comparison.Plan) { p.Values = map[string]string{"nothing": "1"} }),
		"R":                    change("fonseca", func(p *comparison.Plan) { p.Values = map[string]string{"R": "1000"} }),
	} {
		if _, err := comparison.New(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q expected, got %v", want, err)
		}
	}
}

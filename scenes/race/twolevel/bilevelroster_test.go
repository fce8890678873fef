package twolevel

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/scenes/timeline"
)

// offered are the methods of a problem that has no data to clean.
var offered = []string{FORUM, MOML, MoCo, BOME, BVFIM}

// bindings are a roster and its parameters.
func bindings() (*Roster, *param.List) {
	r, l := New(FORUM, MOML, MoCo), new(param.List)
	r.BindMethods(l, offered...)
	r.BindLoop(l)
	r.BindUpper(l)
	r.BindOwn(l)
	return &r, l
}

// bound is a roster with its parameters set to some values beside the defaults.
func bound(t *testing.T, values map[string]string) *Roster {
	t.Helper()
	r, l := bindings()
	for name, text := range values {
		if err := l.Assign(name, text); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func runs(t *testing.T, values map[string]string, starts ...[]float64) []*timeline.Run {
	t.Helper()
	list, err := bound(t, values).Runs(&Course{Problem: problem.NewQuadraticBilevel(), Starts: starts, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// played are runs played to an end, with live changes on the way.
func played(t *testing.T, limit, budget int, log []timeline.Change, list []*timeline.Run) *timeline.Timeline {
	t.Helper()
	line := timeline.New(limit)
	line.SetEnd(budget, 0)
	line.Reset(list, log)
	for line.Running() {
		if _, err := line.Step(); err != nil {
			t.Fatal(err)
		}
	}
	return line
}

// TestEveryMethod runs all methods from the paper's starts with their defaults.
func TestEveryMethod(t *testing.T) {
	line := played(t, timeline.DefaultLimit, 200, nil, runs(t, map[string]string{"method": strings.Join(offered, ",")}, problem.QuadraticBilevelStarts()...))
	if len(line.Runs()) != 3*len(offered) {
		t.Fatalf("%d runs", len(line.Runs()))
	}
	for _, r := range line.Runs() {
		first, last := r.Kept(0), r.Kept(r.Len()-1)
		if r.Status() != algo.Budget || !algo.Finite(last.X) || !algo.Finite([]float64{last.Stationarity}) {
			t.Errorf("%s ends with status %v at %v, stationarity %v", r.Name, r.Status(), last.X, last.Stationarity)
		}
		before, after := AtPoint(r, first, Distance), AtPoint(r, last, Distance)
		if !(after < 0.05*before) {
			t.Errorf("%s: E falls from %g to %g only", r.Name, before, after)
		}
		if hvp := AtPoint(r, last, Products); (hvp > 0) != (r.Method == MOML || r.Method == MoCo) {
			t.Errorf("%s has spent %v Hessian-vector products", r.Name, hvp)
		}
		if r.Method != FORUM {
			continue
		}
		if v := OfStepList(r, first, Lambda); len(v) != 2 || math.Abs(v[0]+v[1]-1) > 1e-12 {
			t.Errorf("%s: λ = %v at the first step", r.Name, v)
		}
		if OfStepList(r, last, Lambda) != nil || !math.IsNaN(OfStep(r, last, Nu)) {
			t.Errorf("%s: there is a step away from the last row: %v", r.Name, last.OfStep)
		}
	}
}

// TestRecordedNumbers compares what is recorded of FORUM's first step from (0, 0, 3)
// with the same by hand: ∇F_1 = (−2(ω_2−α), 2(ω−(1, α))), ∇q = (−2Σ(ω−α), 2(ω−α)).
func TestRecordedNumbers(t *testing.T) {
	line := played(t, timeline.DefaultLimit, 1, nil, runs(t, map[string]string{"method": "forum"}, []float64{0, 0, 3}))
	r := line.Runs()[0]
	row := r.Kept(0)
	shrunk := math.Pow(1-2*0.05, 50)
	near := func(name string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	near("E", AtPoint(r, row, Distance), math.Sqrt(6)) // from (1, 1, 1)
	near("q", OfStep(r, row, Q), 9-9*shrunk*shrunk)
	near("exact q", AtPoint(r, row, QExact), 9)
	// Equal weights on F_1 alone: ∇F_1 = (−6, −2, 6), and K without a multiplier.
	near("ν", OfStep(r, row, Nu), 0)
	near("K", OfStep(r, row, K), 36+4+36)
	near("φ", OfStep(r, row, Phi), 0.15*OfStep(r, row, QNorm)*OfStep(r, row, QNorm))
}

// TestReplayedNumbers: iterations that are computed again have the numbers that
// were recorded the first time, whatever is computed in between.
func TestReplayedNumbers(t *testing.T) {
	const budget = 120
	log := []timeline.Change{{K: 10, Name: "T", Text: "9"}, {K: 20, Name: "eta", Text: "0.2"}, {K: 30, Name: "mu", Text: "0.1"}, {K: 40, Name: "rho", Text: "0.9"}}
	values := map[string]string{"method": strings.Join(offered, ","), "multiplier": "both"}
	full := played(t, timeline.DefaultLimit, budget, log, runs(t, values, []float64{2, 3, 3}))
	thin := timeline.New(40 << 10)
	thin.SetEnd(budget, 0)
	thin.Reset(runs(t, values, []float64{2, 3, 3}), log)
	for k := 0; thin.Running(); k++ {
		if _, err := thin.Step(); err != nil {
			t.Fatal(err)
		}
		if k%7 == 0 { // look back on the way
			for _, r := range thin.Runs() {
				if _, err := thin.At(r, k/2); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	bits := func(a, b []float64) bool {
		return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y })
	}
	for i, r := range thin.Runs() {
		if r.Len() > budget/2 {
			t.Fatalf("%s keeps %d rows: nothing is computed again", r.Name, r.Len())
		}
		want := full.Runs()[i]
		for k := range budget {
			row, err := thin.At(r, k)
			if err != nil {
				t.Fatal(err)
			}
			w := want.Kept(k)
			if !bits(row.AtPoint, w.AtPoint) || !bits(row.OfStep, w.OfStep) || !bits(row.X, w.X) || !bits(row.Weights, w.Weights) || !bits(row.Direction, w.Direction) {
				t.Fatalf("%s at k = %d: %+v, recorded as %+v", r.Name, k, row, w)
			}
		}
	}
}

// TestLive: each live change acts on the methods it concerns, from its iteration on.
func TestLive(t *testing.T) {
	values := map[string]string{"method": strings.Join(offered, ",")}
	start := []float64{0.5, 3, -1}
	plain := played(t, timeline.DefaultLimit, 12, nil, runs(t, values, start))
	for name, text := range map[string]string{"T": "3", "eta": "0.2", "mu": "0.05", "rho": "0.9"} {
		changed := played(t, timeline.DefaultLimit, 12, []timeline.Change{{K: 5, Name: name, Text: text}}, runs(t, values, start))
		for i, r := range changed.Runs() {
			before := plain.Runs()[i]
			if !slices.Equal(r.Kept(5).X, before.Kept(5).X) {
				t.Errorf("%s = %s changes %s before it is made", name, text, r.Name)
			}
			concerned := name != "rho" || r.Method == FORUM
			if differs := !slices.Equal(r.Kept(8).X, before.Kept(8).X); differs != concerned {
				t.Errorf("%s = %s: %s differs %v", name, text, r.Name, differs)
			}
		}
	}
}

// TestBothMultipliers: the exact dual runs beside the published multiplier, and
// each is what it is alone.
func TestBothMultipliers(t *testing.T) {
	start := []float64{0, 0, 3}
	both := played(t, timeline.DefaultLimit, 30, nil, runs(t, map[string]string{"method": "forum,moml", "multiplier": "both"}, start)).Runs()
	var names []string
	for _, r := range both {
		names = append(names, r.Name)
	}
	if want := []string{"forum-1", "forumexact-1", "moml-1"}; !slices.Equal(names, want) {
		t.Fatalf("runs %v, want %v", names, want)
	}
	for i, multiplier := range []bilevel.Multiplier{bilevel.AsPublished, bilevel.ExactDual} {
		alone := played(t, timeline.DefaultLimit, 30, nil, runs(t, map[string]string{"method": "forum", "multiplier": multiplier.String()}, start)).Runs()[0]
		if !slices.Equal(alone.Kept(30).X, both[i].Kept(30).X) {
			t.Errorf("%v: %v alone, %v beside the other", multiplier, alone.Kept(30).X, both[i].Kept(30).X)
		}
	}
	if slices.Equal(both[0].Kept(30).X, both[1].Kept(30).X) {
		t.Error("the multipliers make no difference")
	}
}

// TestRanges: what a visitor can set, the methods accept.
func TestRanges(t *testing.T) {
	values := map[string]string{"method": strings.Join(offered, ",")}
	_, l := bindings()
	for _, d := range l.Descriptors() {
		var ends []string
		switch d.Kind {
		case param.Number, param.Integer:
			for _, v := range []float64{d.Min, d.Max} {
				ends = append(ends, strconv.FormatFloat(v, 'g', -1, 64))
			}
		case param.Choice:
			for _, o := range d.Options {
				ends = append(ends, o.Value)
			}
		}
		for _, text := range ends {
			set := maps.Clone(values)
			set[d.Name] = text
			list, err := bound(t, set).Runs(&Course{Problem: problem.NewQuadraticBilevel(), Starts: [][]float64{{0, 0, 3}}, Seed: 1})
			if err != nil || len(list) < len(offered) {
				t.Errorf("%s = %s: %d runs, error %v", d.Name, text, len(list), err)
			}
		}
	}
}

// TestRandomWeights: a rule that draws by chance draws from the seed and the number of
// the start.
func TestRandomWeights(t *testing.T) {
	start := []float64{0, 0, 3}
	ends := func(seed uint64) (out [][]float64) {
		list, err := bound(t, map[string]string{"method": "moml", "moml.weighting": "rlw"}).Runs(
			&Course{Problem: problem.NewQuadraticBilevel(), Starts: [][]float64{start, start}, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range played(t, timeline.DefaultLimit, 5, nil, list).Runs() {
			out = append(out, r.Kept(5).X)
		}
		return out
	}
	first, again, other := ends(1), ends(1), ends(2)
	if !slices.EqualFunc(first, again, slices.Equal) {
		t.Errorf("the same seed leads to %v, then %v", first, again)
	}
	if slices.Equal(first[0], first[1]) || slices.Equal(first[0], other[0]) {
		t.Errorf("two starts lead to %v, another seed to %v", first, other)
	}
}

// firstOrder is a problem without second derivatives.
type firstOrder struct{ algo.Bilevel }

func TestRefused(t *testing.T) {
	course := &Course{Problem: firstOrder{problem.NewQuadraticBilevel()}, Starts: [][]float64{{0, 0, 3}}}
	if _, err := bound(t, nil).Runs(course); err == nil || !strings.Contains(err.Error(), "moml: the problem has no Hessian-vector products") {
		t.Errorf("error %v", err)
	}
	if list, err := bound(t, map[string]string{"method": "forum,bome,bvfim"}).Runs(course); err != nil || len(list) != 3 {
		t.Errorf("%d first-order runs, error %v", len(list), err)
	}
}

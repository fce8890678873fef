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
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/drawtest"
	"paretoplay/internal/engine/timeline"
)

// offered lists the methods for problems without data to clean.
var offered = []string{FORUM, MOML, MoCo, BOME, BVFIM}

// bindings returns a roster and its parameters.
func bindings() (*Roster, *param.List) {
	r, l := New(offered, FORUM, MOML, MoCo), new(param.List)
	r.BindMethods(l)
	r.BindLoop(l)
	r.BindUpper(l)
	r.BindOwn(l)
	r.Seed = 1
	return r, l
}

// bound returns a roster with the given parameter values.
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

func begun(t *testing.T, values map[string]string, starts ...[]float64) []*timeline.Run {
	t.Helper()
	list, err := bound(t, values).Runs(problem.NewQuadraticBilevel(), starts, Beside{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// played plays runs to their end, with the given live changes.
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

// TestMethods checks that every method has a description and a distinct look.
func TestMethods(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Methods() {
		if seen[m.ID] || m.Title == "" || m.Paper == "" || m.Help == "" {
			t.Errorf("%+v", m)
		}
		seen[m.ID] = true
		if brush.Light.Look(m.ID).Hue == brush.Light.Ink {
			t.Errorf("%s has no colour, marker and dash. %s", m.ID, drawtest.FreeLooks(t, m.ID))
		}
	}
}

// TestEveryMethod checks that all methods run from the paper's starts with their defaults.
func TestEveryMethod(t *testing.T) {
	every := begun(t, map[string]string{"method": strings.Join(offered, ",")}, problem.QuadraticBilevelStarts()...)
	line := played(t, timeline.DefaultLimit, 200, nil, every)
	if len(line.Runs()) != 3*len(offered) {
		t.Fatalf("%d runs", len(line.Runs()))
	}
	for _, r := range line.Runs() {
		t.Run(r.Name, func(t *testing.T) {
			first, last := r.Kept(0), r.Kept(r.Len()-1)
			if r.Status() != algo.Budget || !algo.Finite(last.X) || !algo.Finite([]float64{last.Stationarity}) {
				t.Errorf("%s ends with status %v at %v, stationarity %v", r.Name, r.Status(), last.X, last.Stationarity)
			}
			before, after := first.Number(Distance), last.Number(Distance)
			if !(after < 0.05*before) {
				t.Errorf("%s: E falls from %g to %g only", r.Name, before, after)
			}
			if hvp := last.Number(Products); (hvp > 0) != (r.Method == MOML || r.Method == MoCo) {
				t.Errorf("%s has spent %v Hessian-vector products", r.Name, hvp)
			}
			if r.Method != FORUM {
				return
			}
			if v := first.List(Lambda); len(v) != 2 || math.Abs(v[0]+v[1]-1) > 1e-12 {
				t.Errorf("%s: λ = %v at the first step", r.Name, v)
			}
			if last.List(Lambda) != nil || !math.IsNaN(last.Number(Nu)) {
				t.Errorf("%s: got a step away from the last row: λ = %v, ν = %v", r.Name, last.Value(Lambda), last.Value(Nu))
			}
		})
	}
}

// TestRecordedNumbers compares the records of FORUM's first step from (0, 0, 3) with a calculation by hand: ∇F_1 =
// (−2(ω_2−α), 2(ω−(1, α))), ∇q = (−2Σ(ω−α), 2(ω−α)).
func TestRecordedNumbers(t *testing.T) {
	line := played(t, timeline.DefaultLimit, 1, nil, begun(t, map[string]string{"method": "forum"}, []float64{0, 0, 3}))
	r := line.Runs()[0]
	row := r.Kept(0)
	shrunk := math.Pow(1-2*0.05, 50)
	near := func(name string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	near("E", row.Number(Distance), math.Sqrt(6)) // from (1, 1, 1)
	near("q", row.Number(Q), 9-9*shrunk*shrunk)
	near("exact q", row.Number(QExact), 9)
	// K is ‖∇F_1‖² with ∇F_1 = (−6, −2, 6), without a multiplier.
	near("ν", row.Number(Nu), 0)
	near("K", row.Number(K), 36+4+36)
	near("φ", row.Number(Phi), 0.15*row.Number(QNorm)*row.Number(QNorm))
}

// TestMeasuredAt checks that every row gives the point at which E, q_exact and kkt are measured. This point must be z_k
// for FORUM and BOME. For MOML, MoCo and BVFIM, whose ω_k belongs to the previous α, it must be α_k with ω_k after T
// steps of the loop.
func TestMeasuredAt(t *testing.T) {
	p := problem.NewQuadraticBilevel()
	exact := bilevel.NewMeasures(p)
	for _, warm := range []string{"true", "false"} {
		start := []float64{2, 0, 3}
		values := map[string]string{"method": strings.Join(offered, ","), "T": "5", "warm": warm}
		line := played(t, timeline.DefaultLimit, 20, nil, begun(t, values,
			start))
		shrunk := math.Pow(1-2*0.05, 5)
		for _, r := range line.Runs() {
			t.Run(r.Name+", warm "+warm, func(t *testing.T) {
				for k := range r.Len() {
					row := r.Kept(k)
					want := slices.Clone(row.X)
					if r.Method == MOML || r.Method == MoCo || r.Method == BVFIM {
						from := row.X
						if warm == "false" {
							from = start
						}
						for i := 1; i < 3; i++ {
							want[i] = row.X[0] + shrunk*(from[i]-row.X[0])
						}
					}
					at := row.List(MeasuredAt)
					for i, v := range want {
						if len(at) != len(want) || !(math.Abs(at[i]-v) <= 1e-12) {
							t.Fatalf("k = %d: measured at %v, want %v", k, at, want)
						}
					}
					if row.Number(Distance) != p.Distance(at) || row.Number(QExact) != exact.Q(at) ||
						row.Number(KKT) != math.Pow(exact.Stationarity(at), 2) {
						t.Errorf("k = %d: E, q and kkt belong to another point", k)
					}
				}
			})
		}
	}
}

// TestReplayedNumbers checks that iterations that are computed again have the same numbers as the first time,
// regardless of other computations in between.
func TestReplayedNumbers(t *testing.T) {
	const budget = 120
	log := []timeline.Change{
		{K: 10, Name: "T", Text: "9"}, {K: 20, Name: "eta", Text: "0.2"}, {K: 30, Name: "mu", Text: "0.1"}, {K: 40, Name: "rho", Text: "0.9"},
	}
	values := map[string]string{"method": strings.Join(offered, ","), "multiplier": "both"}
	full := played(t, timeline.DefaultLimit, budget, log, begun(t, values, []float64{2, 3, 3}))
	thin := timeline.New(40 << 10)
	thin.SetEnd(budget, 0)
	thin.Reset(begun(t, values, []float64{2, 3, 3}), log)
	for k := 0; thin.Running(); k++ {
		if _, err := thin.Step(); err != nil {
			t.Fatal(err)
		}
		if k%7 == 0 { // read an earlier iteration between the steps
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
	recorded := func(row timeline.Row) (out []float64) {
		row.Further(func(_ timeline.Extra, values []float64) { out = append(out, values...) })
		return out
	}
	for i, r := range thin.Runs() {
		t.Run(r.Name, func(t *testing.T) {
			if r.Len() > budget/2 {
				t.Fatalf("%s keeps all %d rows, want dropped ones", r.Name, r.Len())
			}
			want := full.Runs()[i]
			for k := range budget {
				row, err := thin.At(r, k)
				if err != nil {
					t.Fatal(err)
				}
				w := want.Kept(k)
				if !bits(recorded(row), recorded(w)) || !bits(row.X, w.X) || !bits(row.Weights, w.Weights) || !bits(row.Direction, w.Direction) {
					t.Fatalf("%s at k = %d: %+v, recorded as %+v", r.Name, k, row, w)
				}
			}
		})
	}
}

// TestLive checks that each live change affects only the methods that use it, from its iteration on.
func TestLive(t *testing.T) {
	values := map[string]string{"method": strings.Join(offered, ",")}
	start := []float64{0.5, 3, -1}
	plain := played(t, timeline.DefaultLimit, 12, nil, begun(t, values, start))
	for name, text := range map[string]string{"T": "3", "eta": "0.2", "mu": "0.05", "rho": "0.9"} {
		changed := played(t, timeline.DefaultLimit, 12, []timeline.Change{{K: 5, Name: name, Text: text}}, begun(t, values, start))
		for i, r := range changed.Runs() {
			t.Run(r.Name+" after "+name, func(t *testing.T) {
				before := plain.Runs()[i]
				if !slices.Equal(r.Kept(5).X, before.Kept(5).X) {
					t.Errorf("%s = %s changes %s before it is made", name, text, r.Name)
				}
				concerned := name != "rho" || r.Method == FORUM
				if differs := !slices.Equal(r.Kept(8).X, before.Kept(8).X); differs != concerned {
					t.Errorf("%s = %s: %s differs %v", name, text, r.Name, differs)
				}
			})
		}
	}
}

// TestBothMultipliers checks that the exact dual runs beside the published multiplier, and that each run is the same as
// when it runs alone.
func TestBothMultipliers(t *testing.T) {
	start := []float64{0, 0, 3}
	both := played(t, timeline.DefaultLimit, 30, nil, begun(t, map[string]string{"method": "forum,moml", "multiplier": "both"}, start)).Runs()
	var names []string
	for _, r := range both {
		names = append(names, r.Name)
	}
	if want := []string{"forum-1", "forumexact-1", "moml-1"}; !slices.Equal(names, want) {
		t.Fatalf("runs %v, want %v", names, want)
	}
	for i, multiplier := range []bilevel.Multiplier{bilevel.AsPublished, bilevel.ExactDual} {
		alone := played(t, timeline.DefaultLimit, 30, nil, begun(t, map[string]string{"method": "forum", "multiplier": string(multiplier)},
			start)).Runs()[0]
		if !slices.Equal(alone.Kept(30).X, both[i].Kept(30).X) {
			t.Errorf("%v: %v alone, %v beside the other", multiplier, alone.Kept(30).X, both[i].Kept(30).X)
		}
	}
	if slices.Equal(both[0].Kept(30).X, both[1].Kept(30).X) {
		t.Error("the multipliers make no difference")
	}
}

// TestBothVariants checks that FORUM as released runs beside the paper's version, and that each run is the same as when
// it runs alone. The released version's K(z) must use gradients of length 1, and its run must stop immediately at the
// bottom of the valley.
func TestBothVariants(t *testing.T) {
	start := []float64{0, 0, 3}
	both := played(t, timeline.DefaultLimit, 30, nil, begun(t, map[string]string{"method": "forum,moml", "multiplier": "both",
		"variant": "both", "epoch": "3"}, start)).Runs()
	var names []string
	for _, r := range both {
		names = append(names, r.Name)
	}
	if want := []string{"forum-1", "forumexact-1", "forumreleased-1", "moml-1"}; !slices.Equal(names, want) {
		t.Fatalf("runs %v, want %v", names, want)
	}
	for i, variant := range map[int]bilevel.Variant{0: bilevel.Paper, 2: bilevel.Released} {
		alone := played(t, timeline.DefaultLimit, 30, nil, begun(t, map[string]string{"method": "forum", "variant": string(variant),
			"epoch": "3", "multiplier": "both"}, start)).Runs()
		if !slices.Equal(alone[0].Kept(30).X, both[i].Kept(30).X) || (variant == bilevel.Released) != (len(alone) == 1) {
			t.Errorf("%v: %d runs, %v alone, %v beside the other", variant, len(alone), alone[0].Kept(30).X, both[i].Kept(30).X)
		}
	}
	if slices.Equal(both[0].Kept(30).X, both[2].Kept(30).X) {
		t.Error("the variants make no difference")
	}
	released := played(t, timeline.DefaultLimit, 200, nil, begun(t, map[string]string{"method": "forum", "variant": "released"},
		start, []float64{3, 3, 3})).Runs()
	if k := released[0].Kept(199).Number(K); !(k < 1e-6) {
		t.Errorf("K(z) ends at %v", k)
	}
	if status, d := released[1].Status(), released[1].Divergence(); status != algo.Diverged || d.K != 0 || released[1].Last() != 0 {
		t.Errorf("from the bottom of the valley: %v, %v", status, d)
	}
}

// TestRanges checks that the methods accept every value that a visitor can set.
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
			list, err := bound(t, set).Runs(problem.NewQuadraticBilevel(), [][]float64{{0, 0, 3}}, Beside{})
			if err != nil || len(list) < len(offered) {
				t.Errorf("%s = %s: %d runs, error %v", d.Name, text, len(list), err)
			}
		}
	}
}

// TestHeavyBall checks that heavyball.beta is the heavy ball’s momentum on both levels, in every method with an
// optimizer. Its default must be 0.9, as in the smooth family. MoCo’s beta is a different parameter.
func TestHeavyBall(t *testing.T) {
	start, methods := []float64{0.5, 3, -1}, "forum,moco,bome,bvfim"
	ends := func(values map[string]string) map[string][]float64 {
		t.Helper()
		set := map[string]string{"method": methods, "mu": "0.05"}
		maps.Copy(set, values)
		out := map[string][]float64{}
		for _, r := range played(t, timeline.DefaultLimit, 6, nil, begun(t, set, start)).Runs() {
			out[r.Method] = r.Kept(6).X
		}
		return out
	}
	plain, tracking := ends(nil), ends(map[string]string{"beta": "0.9"})
	for level, methods := range map[string][]string{"upperoptimizer": {FORUM, MoCo, BOME, BVFIM}, "loweroptimizer": {FORUM, BOME, BVFIM}} {
		heavy := func(values map[string]string) map[string][]float64 {
			set := map[string]string{level: "heavyball"}
			maps.Copy(set, values)
			return ends(set)
		}
		usual, same, less := heavy(nil), heavy(map[string]string{"heavyball.beta": "0.9"}), heavy(map[string]string{"heavyball.beta": "0.5"})
		none, other := heavy(map[string]string{"heavyball.beta": "0"}), heavy(map[string]string{"beta": "0.9"})
		for _, method := range offered {
			t.Run(method+", "+level, func(t *testing.T) {
				if !slices.Contains(methods, method) {
					if !slices.Equal(usual[method], plain[method]) {
						t.Errorf("%s: %s has no optimizer there but differs", level, method)
					}
					return
				}
				if !slices.Equal(usual[method], same[method]) {
					t.Errorf("%s: %s ends at %v by default, at %v with heavyball.beta = 0.9", level, method, usual[method], same[method])
				}
				if slices.Equal(usual[method], less[method]) || slices.Equal(less[method], plain[method]) {
					t.Errorf("%s: %s ignores the momentum", level, method)
				}
				if !slices.Equal(none[method], plain[method]) {
					t.Errorf("%s: without momentum %s ends at %v, with plain steps at %v", level, method, none[method], plain[method])
				}
				if moved := !slices.Equal(other[method], usual[method]); moved != (method == MoCo) {
					t.Errorf("%s: MoCo’s beta moves %s: %v", level, method, moved)
				}
			})
		}
	}
	if slices.Equal(tracking[MoCo], plain[MoCo]) || !slices.Equal(tracking[FORUM], plain[FORUM]) {
		t.Error("beta is not MoCo’s alone")
	}
	// These values come from a calculation by hand for FORUM’s first two steps: v_1 = d_1 and v_2 = 0.9 d_1 + d_2.
	r := begun(t, map[string]string{"method": FORUM, "upperoptimizer": "heavyball"}, start)[0]
	played(t, timeline.DefaultLimit, 2, nil, []*timeline.Run{r})
	first, second, last := r.Kept(0), r.Kept(1), r.Kept(2)
	for i, x := range second.X {
		if want := x - 0.3*(0.9*first.Direction[i]+second.Direction[i]); math.Abs(last.X[i]-want) > 1e-14 {
			t.Errorf("coordinate %d is %v after two steps, want %v", i, last.X[i], want)
		}
	}
}

// TestRandomWeights checks that a random rule's weights depend only on the seed and on the start's number.
func TestRandomWeights(t *testing.T) {
	start := []float64{0, 0, 3}
	ends := func(seed uint64) (out [][]float64) {
		r := bound(t, map[string]string{"method": "moml", "moml.weighting": "rlw"})
		r.Seed = seed
		list, err := r.Runs(problem.NewQuadraticBilevel(), [][]float64{start, start}, Beside{})
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
	first, starts := firstOrder{problem.NewQuadraticBilevel()}, [][]float64{{0, 0, 3}}
	_, err := bound(t, nil).Runs(first, starts, Beside{})
	if err == nil || !strings.Contains(err.Error(), "moml: the problem has no Hessian-vector products") {
		t.Errorf("error %v", err)
	}
	if list, err := bound(t, map[string]string{"method": "forum,bome,bvfim"}).Runs(first, starts, Beside{}); err != nil || len(list) != 3 {
		t.Errorf("%d first-order runs, error %v", len(list), err)
	}
}

package clusters

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo/transport"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// seeds is the number of seeds on which claims are tested. draws is the number of random layouts on which claims about
// many layouts are tested instead.
const seeds, draws = 20, 40

// often requires a claim to hold for nine in ten seeds.
var often = scenetest.Over(seeds, 0.9)

// with returns the scene at k = 0 with some values changed.
func with(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	return scenetest.Open(t, New(), values)
}

// values returns a card's parameter values with further ones, given as alternating names and values.
func values(t testing.TB, card string, further ...string) map[string]string {
	t.Helper()
	return scenetest.Values(t, About.Presets, card, further...)
}

// ended reads facts at the end of runs.
var ended = scenetest.Ended[*Scene]{New: New}

// fact returns a fact at the end of a card's runs with the given seed. further lists more parameters as alternating names and
// values.
func fact(t testing.TB, seed int, name, card string, further ...string) float64 {
	t.Helper()
	return ended.Fact(t, values(t, card, further...), seed, name)
}

// start returns a fact of a card's runs with the given seed, before the first round.
func start(t testing.TB, seed int, name, card string) float64 {
	t.Helper()
	return scenetest.Fact(t, with(t, values(t, card, "seed", strconv.Itoa(seed))).Facts(), name)
}

// endedScene returns the scene of a card at the end of its runs with the given seed and further values.
func endedScene(t testing.TB, seed int, card string, further ...string) *Scene {
	t.Helper()
	return scenetest.End(t, About, values(t, card, append([]string{"seed", strconv.Itoa(seed)}, further...)...)).(*Scene)
}

// ratios returns, for each draw, a fact of one scene's runs divided by a fact of another's, both at the end of the runs.
func ratios(t testing.TB, above string, numerator map[string]string, below string, denominator map[string]string) []float64 {
	t.Helper()
	out := ended.Facts(t, numerator, draws, above)
	for i, v := range ended.Facts(t, denominator, draws, below) {
		out[i] /= v
	}
	return out
}

// curriculum returns, for each draw, MosT's oracle loss with a curriculum divided by its loss without one.
func curriculum(t testing.TB, name, layout string) []float64 {
	t.Helper()
	plain := map[string]string{"layout": layout, "method": "most,most-l"}
	return ratios(t, "oracle.most", map[string]string{"layout": layout, "curriculum": name}, "oracle.most", plain)
}

func above(t testing.TB, what string, got, bound float64) {
	t.Helper()
	if !(got > bound) {
		t.Errorf("%s is %g, at most %g", what, got, bound)
	}
}

func below(t testing.TB, what string, got, bound float64) {
	t.Helper()
	if !(got < bound) {
		t.Errorf("%s is %g, at least %g", what, got, bound)
	}
}

func is(want float64) func(float64) bool { return func(v float64) bool { return v == want } }

// opened returns the default scene at the end of its runs.
func opened(t testing.TB) *Scene {
	t.Helper()
	s := with(t, nil)
	scenetest.Step(t, s, -1)
	return s
}

// again sets a parameter and plays the rebuilt runs to their end.
func again(t testing.TB, s *Scene, name, text string) {
	t.Helper()
	if err := s.Params().Assign(name, text); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	scenetest.Step(t, s, -1)
}

const most, maxL, maxO, maxM = "most", "most-l", "most-o", "most-m"

var claims = scenetest.Claims{
	"summary": {
		{Says: "A town with many houses can afford few bus stops: who walks to which stop, and where should the stops be? Circles are the " +
			"houses (goals); the larger symbols are the stops (solutions). Lines show who goes where in this round, at the lowest total " +
			"cost.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := with(t, nil)
			scenetest.Step(t, s, 3)
			now := s.shown()
			if !now.carried || len(now.x) != 5 || len(s.centres) != 30 {
				t.Fatalf("%d goals, %d solutions, a plan: %v", len(s.centres), len(now.x), now.carried)
			}
			for i, want := range now.a {
				sum := 0.0
				for j := range now.x {
					sum += now.mass[i*len(now.x)+j]
				}
				if math.Abs(sum-want) > 1e-12 {
					t.Errorf("of goal %d %g are carried, not %g", i+1, sum, want)
				}
			}
		}},
		{Says: "Then every solution steps towards its goals, and the next round begins.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := with(t, nil)
			scenetest.Step(t, s, 1)
			s.Timeline().SetMarker(0)
			now := s.shown()
			for _, r := range s.Timeline().Tracks() {
				from, to := r.Kept(0), r.Kept(1)
				for i := range s.centres {
					if now.mass[i*len(now.x)+r.Solution] > 0 && to.F[i] > from.F[i]+1e-12 {
						t.Errorf("solution %d steps away from goal %d", r.Solution+1, i+1)
					}
				}
			}
		}},
	},
	"try": {
		{Says: "Drag a circle away from its group: the lines show which solutions serve it now. However far away it is, it must be served.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := opened(t)
				for i := range s.centres {
					for _, far := range []float64{1.4, 2.5} {
						name, text := s.Drag(fmt.Sprintf("goal-%d", i+1), far, -far)
						if name != "centres" {
							t.Fatalf("a goal is %q", name)
						}
						again(t, s, name, text)
						if s.centres[i][0] != far || s.centres[i][1] != -far {
							t.Errorf("goal %d is at %v", i+1, s.centres[i])
						}
						now, served := s.shown(), 0.0
						for j := range now.x {
							served += now.mass[i*len(now.x)+j]
						}
						if math.Abs(served-now.a[i]) > 1e-12 {
							t.Errorf("%v of goal %d are served, not %v", served, i+1, now.a[i])
						}
					}
				}
			}},
	},
	"dataSummary": {
		{Says: "Your own goals in the plane, and the solutions that share them. Lines show which goals each solution receives in this round.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := brought(t, `{"centres": [[0,0],[4,0],[0,4]], "starts": [[1,1],[2,2]]}`)
				if !s.shown().carried || len(s.centres) != 3 || len(s.shown().x) != 2 {
					t.Errorf("%d goals, %d solutions", len(s.centres), len(s.shown().x))
				}
			}},
	},
	"dataTry": {
		{Says: "Load a file of up to 200 goals, then change the number of solutions.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := brought(t, strings.Repeat("1,2\n", 200))
			again(t, s, "m", "7")
			if len(s.centres) != 200 || len(s.shown().x) != 7 {
				t.Errorf("%d goals, %d solutions", len(s.centres), len(s.shown().x))
			}
		}},
		{Says: "Your file stays in this browser.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := brought(t, `{"centres": [[0.123,0],[4,0]], "a": [3,1]}`)
			for _, name := range s.Params().Names() {
				if !slices.Contains(About.Brought, name) && strings.Contains(s.Params().Text(name), "0.123") {
					t.Errorf("%s = %s", name, s.Params().Text(name))
				}
			}
		}},
	},
	"one": {
		{Says: "Wherever the single solution stops, most of its thirty goals are far away. The goals form a ring. MosT(L) moves the " +
			"solution to the middle of all goals, but its loss stays above 1.8, as with MosT.", Seeds: often, Each: func(t testing.TB, seed int) {
			s := endedScene(t, seed, "one")
			if len(s.centres) != 30 || len(s.shown().x) != 1 || s.values.Layout != layoutRing {
				t.Errorf("%d goals, %d solutions", len(s.centres), len(s.shown().x))
			}
			x := s.factsOf(s.Timeline().FindFrom(maxL, 0).Run).x[0]
			for k := range x {
				middle := mean(column(s.centres, k), func(int) bool { return true })
				if math.Abs(x[k]-middle) > 0.01 {
					t.Errorf("the solution is at %v", x)
				}
			}
			for _, r := range s.Timeline().Runs() {
				far := 0
				for _, v := range s.factsOf(r).best {
					if v > 0.5 {
						far++
					}
				}
				if far < 20 {
					t.Errorf("%s: %d goals are further than 1", r.Name, far)
				}
				above(t, "the loss of "+r.Name, scenetest.Fact(t, s.Facts(), "oracle."+r.Method), 1.8)
			}
		}},
	},
	"each": {
		{Says: "With MosT(L), each of the five solutions finds a different cluster.", Seeds: often, Each: func(t testing.TB, seed int) {
			if v := fact(t, seed, "owned.most-l", "each"); v != 5 {
				t.Errorf("%v own a cluster", v)
			}
		}},
		{Says: "Each solution receives a fifth of the mass.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			one, five := with(t, values(t, "one", "seed", "4")), with(t, values(t, "each"))
			if fmt.Sprint(one.centres) != fmt.Sprint(five.centres) || fmt.Sprint(five.b) != "[0.2 0.2 0.2 0.2 0.2]" {
				t.Errorf("masses %v", five.b)
			}
		}},
		{Says: "The oracle loss, that is, the loss of the best solution for each goal, falls. MosT’s mean loss over all solutions rises, " +
			"because a solution that serves one cluster moves away from the others.", Seeds: often, Each: func(t testing.TB, seed int) {
			for _, method := range []string{most, maxL} {
				below(t, "the oracle loss of "+method, fact(t, seed, "oracle."+method, "each"), start(t, seed, "oracle."+method, "each"))
			}
			above(t, "the mean loss", fact(t, seed, "mean.most", "each"), start(t, seed, "mean.most", "each"))
		}},
		{Says: "With MosT, each solution finds its own cluster on 20 of 40 layouts.", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			scenetest.StatesCount(t, "each owns a cluster", ended.Facts(t, values(t, "each"), draws, "owned.most"), is(5), 20)
		}},
		{Says: "With MosT(L), the oracle loss falls to less than an eighth;", Seeds: often, Each: func(t testing.TB, seed int) {
			below(t, "MosT(L)’s oracle loss", fact(t, seed, "oracle.most-l", "each"), start(t, seed, "oracle.most-l", "each")/8)
		}},
		{Says: "MosT’s mean loss rises by at least a quarter.", Seeds: often, Each: func(t testing.TB, seed int) {
			above(t, "the mean loss", fact(t, seed, "mean.most", "each"), 1.25*start(t, seed, "mean.most", "each"))
		}},
	},
	"collapse": {
		{Says: "If each goal chooses its solution, one or two solutions take all goals, and some never move. This is MosT(O): solutions " +
			"that are never the best for any goal stay at their start.", Seeds: often, Each: func(t testing.TB, seed int) {
			s := endedScene(t, seed, "collapse")
			if n := scenetest.Fact(t, s.Facts(), "winners.most-o"); n > 2 {
				t.Errorf("%v win goals", n)
			}
			idle := 0
			for j := range s.starts {
				r := s.Timeline().FindFrom(maxO, j)
				won := 0.0
				for i := range r.Len() {
					won += r.Kept(i).Number(plans.Won)
				}
				if won > 0 {
					continue
				}
				idle++
				if !slices.Equal(r.Kept(r.Len()-1).X, r.Start()) {
					t.Errorf("solution %d has moved", j+1)
				}
			}
			if idle == 0 {
				t.Error("each has won a goal")
			}
		}},
		{Says: "If each solution chooses its goal, as in MosT(M), all solutions move to one or two places.",
			Seeds: often, Each: func(t testing.TB, seed int) {
				if v := fact(t, seed, "places.most-m", "collapse"); v > 2 {
					t.Errorf("they are at %v places", v)
				}
			}},
		{Says: "Transport keeps both marginals, so all five solutions win goals.", Seeds: often, Each: func(t testing.TB, seed int) {
			if v := fact(t, seed, "winners.most", "collapse"); v != 5 {
				t.Errorf("%v win goals", v)
			}
		}},
		{Says: "After 20 rounds, MosT’s oracle loss is less than a third of MosT(O)’s and of MosT(M)’s.",
			Seeds: often, Each: func(t testing.TB, seed int) {
				for _, other := range []string{maxO, maxM} {
					below(t, "MosT’s oracle loss", fact(t, seed, "oracle.most", "collapse"), fact(t, seed, "oracle."+other, "collapse")/3)
				}
			}},
	},
	"edge": {
		{Says: "MosT stops at the edge of its goals’ group; MosT(L) continues to the middle and ends with a lower loss.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				below(t, "MosT(L)’s oracle loss", fact(t, seed, "oracle.most-l", "edge"), fact(t, seed, "oracle.most", "edge"))
				stopsAtEdge(t, seed)
			}},
		{Says: "MGDA stops a solution where no direction helps all its goals; MosT(L) uses the plan’s masses as weights.",
			Seeds: often, Each: stopsAtEdge},
		{Says: "Plans are exact unless you choose another solver.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			if s := with(t, values(t, "edge")); s.values.Solver != plans.Exact {
				t.Errorf("the solver is %s", s.values.Solver)
			}
		}},
		{Says: "With IPOT, the paper’s solver, solutions keep traces of goals that others serve, and MGDA takes each of them into " +
			"account.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				s := with(t, values(t, "edge", "seed", strconv.Itoa(seed), "solver", plans.IPOT, "tau", "0"))
				scenetest.Step(t, s, 1)
				s.Timeline().SetMarker(0)
				traces := 0
				for _, v := range s.shown().mass {
					if v > 0 && v < 0.01/30 {
						traces++
					}
				}
				if traces == 0 {
					t.Error("IPOT leaves no traces")
				}
			}},
		{Says: "On average, MosT(L) ends at half of MosT’s loss (geometric mean of 40 layouts).", Seeds: scenetest.Of(draws),
			Holds: func(t testing.TB) {
				scenetest.StatesGeometricMean(t, "MosT(L)’s loss over MosT’s",
					ratios(t, "oracle.most-l", values(t, "edge"), "oracle.most", values(t, "edge")), "0.5")
			}},
		{Says: "With IPOT, MosT’s final loss rises and MosT(L)’s stays the same.", Seeds: often, Each: func(t testing.TB, seed int) {
			// With 30 goals, no goal needs to be shared. Then τ does not change exact plans, and without τ IPOT is much faster.
			s := endedScene(t, seed, "edge", "solver", plans.IPOT, "tau", "0")
			for method, most := range map[string]float64{most: math.Inf(1), maxL: 1.02} {
				exact, with := fact(t, seed, "oracle."+method, "edge"), scenetest.Fact(t, s.Facts(), "oracle."+method)
				if with > most*exact || with < exact/1.02 || method == "most" && with <= exact {
					t.Errorf("%s ends at %g with IPOT, at %g with exact plans", method, with, exact)
				}
			}
		}},
	},
	"paper": {
		{Says: "Here the goals’ loss is larger with the paper’s curriculum than without.", Holds: func(t testing.TB) {
			s := with(t, values(t, "paper"))
			scenetest.Step(t, s, -1)
			above(t, "the oracle loss", scenetest.Number(t, s, "oracle.most"), 1.2*scenetest.Number(t, s, "oracle.most-nocl"))
		}},
		{Says: "At first, well-served goals count more; in the end, solutions that win more goals receive more mass.",
			Seeds: scenetest.Over(seeds, 1),
			Each: func(t testing.TB, seed int) {
				s := endedScene(t, seed, "paper")
				r := s.Timeline().FindFrom(most, 0)
				first, last := r.Kept(0), r.Kept(r.Len()-2)
				best := s.bestAt(r.Run, 0)
				if !ordered(best, first.List(plans.A), -1) {
					t.Errorf("masses %v of losses %v", first.List(plans.A), best)
				}
				var won, b []float64
				for j := range r.Solutions() {
					of := s.Timeline().FindFrom(most, j).Kept(r.Len() - 2)
					won, b = append(won, of.Number(plans.Won)), append(b, of.Number(plans.B))
				}
				if !ordered(won, b, 1) || slices.Max(last.List(plans.A))-slices.Min(last.List(plans.A)) > 0.01 {
					t.Errorf("at last masses %v of shares %v", b, won)
				}
			}},
		{Says: "On average, the oracle loss is 1.3 ± 0.1 times the loss without a curriculum; on the ring it is 2.1 ± 0.2 times (geometric " +
			"means of 40 layouts).", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			scenetest.StatesGeometricMean(t, "the loss, times", curriculum(t, "paper", layoutRandom), "1.3 ± 0.1")
			scenetest.StatesGeometricMean(t, "the loss on the ring, times", curriculum(t, "paper", layoutRing), "2.1 ± 0.2")
		}},
	},
	"published": {
		{Says: "Here the goals’ loss is smaller with the public code’s curriculum than without.", Holds: func(t testing.TB) {
			s := with(t, values(t, "published"))
			scenetest.Step(t, s, -1)
			below(t, "the oracle loss", scenetest.Number(t, s, "oracle.most"), 0.9*scenetest.Number(t, s, "oracle.most-nocl"))
		}},
		{Says: "The public code reverses the paper’s curriculum: in the end, poorly served goals count more.", Seeds: scenetest.Over(seeds, 1),
			Each: func(t testing.TB, seed int) {
				s := endedScene(t, seed, "published")
				r := s.Timeline().FindFrom(most, 0)
				first, last := r.Kept(0).List(plans.A), r.Kept(r.Len()-2).List(plans.A)
				if slices.Max(first)-slices.Min(first) > 1e-12 || !ordered(s.bestAt(r.Run, r.Last()-1), last, 1) {
					t.Errorf("masses %v at first, %v at last", first, last)
				}
			}},
		{Says: "On average, this curriculum helps a little: the oracle loss is 0.86 ± 0.03 times the loss without a curriculum. On the ring " +
			"it is 1.1 ± 0.1 times this loss, no visible gain (geometric means of 40 layouts).",
			Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				scenetest.StatesGeometricMean(t, "the loss, times", curriculum(t, "published", layoutRandom), "0.86 ± 0.03")
				scenetest.StatesGeometricMean(t, "the loss on the ring, times", curriculum(t, "published", layoutRing), "1.1 ± 0.1")
			}},
	},
	"tau": {
		{Says: "Five equal solutions cannot divide 34 goals evenly, so some goals must be shared.", Seeds: scenetest.Over(seeds, 1),
			Each: func(t testing.TB, seed int) {
				for _, name := range []string{"rowmaxima.most", "rowmaxima.most-noreg"} {
					below(t, name, fact(t, seed, name, "tau"), 0.98)
				}
			}},
		{Says: "With τ = 1, goals are shared more unevenly, and with τ = 2 as unevenly as possible.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				above(t, "the sum of the largest masses with τ = 1", fact(t, seed, "rowmaxima.most", "tau"),
					fact(t, seed, "rowmaxima.most-noreg", "tau")+1e-9)
				// Each solution can receive 6.8 goals. Six of them go to no other solution, which leaves 0.8 of a goal.
				// For four solutions, this remainder can be the larger part of one of the other four goals.
				below(t, "33.2/34 less the sum with τ = 2", math.Abs(33.2/34-fact(t, seed, "rowmaxima.most", "tau", "tau", "2")), 1e-9)
			}},
		{Says: "With 30 goals, no sharing is needed and τ has no effect.",
			Seeds: scenetest.Over(seeds, 1), Each: func(t testing.TB, seed int) {
				with, without := fact(t, seed, "oracle.most", "tau", "n", "30"), fact(t, seed, "oracle.most-noreg", "tau", "n", "30")
				if with != without || fact(t, seed, "rowmaxima.most", "tau", "n", "30") < 1-1e-12 {
					t.Errorf("the loss is %g with τ, %g without", with, without)
				}
			}},
		{Says: "τ = 1 brings no gain on 40 layouts: the loss is 0.99 ± 0.03 times the loss with τ = 0, and with 31 goals 0.99 ± 0.04 " +
			"times (geometric means).", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			for n, stated := range map[string]string{"34": "0.99 ± 0.03", "31": "0.99 ± 0.04"} {
				set := values(t, "tau", "n", n)
				scenetest.StatesGeometricMean(t, "the loss of "+n+" goals, times", ratios(t, "oracle.most", set, "oracle.most-noreg", set), stated)
			}
		}},
	},
	"starved": {
		{Says: "No solution moves to an outlier without mass.",
			Seeds: scenetest.Over(seeds, 1), Each: func(t testing.TB, seed int) {
				s := with(t, values(t, "starved", "seed", strconv.Itoa(seed)))
				if math.Hypot(s.centres[0][0], s.centres[0][1]) != 3 || s.a[0] != 0 {
					t.Errorf("goal 1 is at %v with mass %g", s.centres[0], s.a[0])
				}
				if v := fact(t, seed, "served.most", "starved"); v != 0 {
					t.Errorf("%g serve it", v)
				}
			}},
		{Says: "Goal 1 is far from the others, and its best loss stays above 1.4 with MosT and MosT(L).", Seeds: often,
			Each: func(t testing.TB, seed int) {
				for _, name := range []string{"goal.most", "goal.most-l"} {
					above(t, name, fact(t, seed, name, "starved"), 1.4)
				}
			}},
		{Says: "Among the others, its loss would be less than a quarter as high even without mass, because a solution serves its neighbours.",
			Seeds: often,
			Each: func(t testing.TB, seed int) {
				for _, name := range []string{"goal.most", "goal.most-l"} {
					below(t, name, fact(t, seed, name, "starved", "centres", ""), fact(t, seed, name, "starved")/4)
				}
			}},
	},
	"served": {
		{Says: "With the mass of one whole solution, the outlier gets a solution to itself. Goal 1 has a mass of 0.2, and its loss is 0.",
			Seeds: often, Each: func(t testing.TB, seed int) {
				below(t, "the loss with MosT", fact(t, seed, "goal.most", "served"), 1e-3)
				below(t, "the loss with MosT(L)", fact(t, seed, "goal.most-l", "served"), 1e-3)
			}},
		{Says: "Reduce its mass: with MosT, its solution then stays away; with MosT(L), it stops farther away the smaller the mass is. With " +
			"MosT, goal 1’s loss is still above 1 at a mass of 0.18.", Seeds: often, Each: func(t testing.TB, seed int) {
			above(t, "the loss", fact(t, seed, "goal.most", "served", "a", one(30, 0.18)), 1)
			below(t, "the loss with MosT(L)", fact(t, seed, "goal.most-l", "served", "a", one(30, 0.18)), 0.1)
		}},
		{Says: "With MosT(L), it is below 1 at 0.1, below 0.25 at 0.15 and below 0.04 at 0.18.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				for mass, bound := range map[float64]float64{0.1: 1, 0.15: 0.25, 0.18: 0.04} {
					v := fact(t, seed, "goal.most-l", "served", "a", one(30, mass))
					below(t, fmt.Sprint("the loss at ", mass), v, bound)
					above(t, fmt.Sprint("the loss at ", mass), v, 1e-3)
				}
			}},
		{Says: "With MosT(L), the loss of the other 29 goals is 1.5 ± 0.1 times their loss when goal 1 has no mass (geometric mean of " +
			"40 layouts).",
			Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				scenetest.StatesGeometricMean(t, "the loss of the others, times",
					ratios(t, "others.most-l", values(t, "served"), "others.most-l", values(t, "starved")), "1.5 ± 0.1")
			}},
	},
	"cluster": {
		{Says: "A whole cluster without mass starves too, because no solution moves to it. The upper cluster of the ring has no mass, and its " +
			"loss is higher than with equal masses.", Seeds: often, Each: func(t testing.TB, seed int) {
			s := with(t, values(t, "cluster", "seed", strconv.Itoa(seed)))
			without := func(i int) bool { return s.a[i] == 0 }
			if x, y := mean(column(s.centres, 0), without), mean(column(s.centres, 1), without); math.Abs(x) > 0.5 || y < 1.2 {
				t.Errorf("goals without mass are at (%g, %g)", x, y)
			}
			for _, name := range []string{"cluster.most", "cluster.most-l"} {
				above(t, name, fact(t, seed, name, "cluster"), fact(t, seed, name, "each"))
			}
		}},
		{Says: "With 0.6 of all mass, its loss would be lower, and with MosT(L) the other clusters’ loss would be far higher.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				much := cluster(0.6)
				for _, name := range []string{"cluster.most", "cluster.most-l"} {
					below(t, name, fact(t, seed, name, "cluster", "a", much), fact(t, seed, name, "each"))
				}
				above(t, "the loss of the others", fact(t, seed, "rest.most-l", "cluster", "a", much), 4*fact(t, seed, "rest.most-l", "each"))
			}},
		{Says: "With MosT(L), the cluster’s loss is more than 10 times as high as with equal masses. If it has 0.6 of all mass, the other " +
			"clusters’ loss is more than 5 times as high.", Seeds: often, Each: func(t testing.TB, seed int) {
			above(t, "MosT(L)’s loss", fact(t, seed, "cluster.most-l", "cluster"), 10*fact(t, seed, "cluster.most-l", "each"))
			above(t, "the loss of the others", fact(t, seed, "rest.most-l", "cluster", "a", cluster(0.6)), 5*fact(t, seed, "rest.most-l", "each"))
		}},
	},
	"greedy": {
		{Says: "Solution 1 receives 18 of the 30 goals, but is best for fewer. Solution 1 has 0.6 of all mass, but receiving goals does not " +
			"mean being best for them.", Seeds: often, Each: func(t testing.TB, seed int) {
			if v := fact(t, seed, "given.most", "greedy"); v != 18 {
				t.Errorf("it is given %v", v)
			}
			for _, name := range []string{"first.most", "first.most-l"} {
				below(t, name, fact(t, seed, name, "greedy"), greedyShare-1e-9)
			}
		}},
		{Says: "MosT(L) serves the goals worse: the oracle loss is 2.0 ± 0.1 times the loss with equal masses (geometric mean of " +
			"40 layouts).",
			Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				scenetest.StatesGeometricMean(t, "the oracle loss, times",
					ratios(t, "oracle.most-l", values(t, "greedy"), "oracle.most-l", values(t, "edge")), "2.0 ± 0.1")
			}},
	},
	"many": {
		{Says: "With MosT and MosT(L), each of the ten solutions wins some of the two hundred goals.",
			Seeds: often, Each: func(t testing.TB, seed int) {
				for _, name := range []string{"winners.most", "winners.most-l"} {
					if v := fact(t, seed, name, "many"); v != 10 {
						t.Errorf("%s: %v", name, v)
					}
				}
			}},
		{Says: "The goals form ten clusters. From the first round on, nine in ten entries of the plan are zero.",
			Seeds: scenetest.Over(seeds, 1), Each: func(t testing.TB, seed int) {
				s := with(t, values(t, "many", "seed", strconv.Itoa(seed)))
				if len(s.centres) != 200 || len(s.starts) != 10 {
					t.Errorf("%d goals, %d solutions", len(s.centres), len(s.starts))
				}
				for range 3 {
					scenetest.Step(t, s, 1)
					if v := scenetest.Fact(t, s.Facts(), "zeros.most"); math.Abs(v-0.9) > 0.005 {
						t.Errorf("zeros are %v", v)
					}
				}
			}},
		{Says: "MosT(L)’s oracle loss is the smallest, MosT(O)’s the largest.", Seeds: often, Each: func(t testing.TB, seed int) {
			middle := fact(t, seed, "oracle.most", "many")
			below(t, "MosT(L)’s oracle loss", fact(t, seed, "oracle.most-l", "many"), middle)
			below(t, "MosT’s oracle loss", middle, fact(t, seed, "oracle.most-o", "many"))
		}},
		{Says: "MosT(L)’s oracle loss is less than 0.8 times MosT’s.", Seeds: often, Each: func(t testing.TB, seed int) {
			below(t, "MosT(L)’s oracle loss", fact(t, seed, "oracle.most-l", "many"), 0.8*fact(t, seed, "oracle.most", "many"))
		}},
	},
}

// TestCards checks that the claims in this file cover the scene's texts, and that they hold.
func TestCards(t *testing.T) { claims.Check(t, About) }

// column returns coordinate k of every point.
func column(points [][]float64, k int) []float64 {
	out := make([]float64, len(points))
	for i, p := range points {
		out[i] = p[k]
	}
	return out
}

// stopsAtEdge checks that MosT(L)'s solutions end in the middle of their goals. It also checks that at least one of
// MosT's solutions ends elsewhere, where no direction helps all of its goals.
func stopsAtEdge(t testing.TB, seed int) {
	t.Helper()
	s := endedScene(t, seed, "edge")
	var edges []float64
	for _, method := range []string{most, maxL} {
		s.Timeline().Select(s.Timeline().FindFrom(method, 0).Run.Name)
		now := s.shown()
		for j, x := range now.x {
			away := math.Hypot(x[0]-middleOf(s, now, j, 0), x[1]-middleOf(s, now, j, 1))
			if method == maxL && away > 0.01 {
				t.Errorf("MosT(L)'s solution %d is %g from the middle of its goals", j+1, away)
			}
			if method == most {
				edges = append(edges, away)
			}
		}
	}
	above(t, "the largest way of MosT’s solutions from the middle of their goals", slices.Max(edges), 0.2)
	r := s.Timeline().FindFrom(most, 0)
	below(t, "MosT’s directions, squared", s.factsOf(r.Run).step.Number(plans.BD2), 0.05*r.Kept(0).Number(plans.BD2))
}

// middleOf returns coordinate k of the mean of the goals that a solution receives.
func middleOf(s *Scene, now *shown, solution, k int) float64 {
	sum, mass := 0.0, 0.0
	for i, c := range s.centres {
		v := now.mass[i*len(now.x)+solution]
		sum, mass = sum+v*c[k], mass+v
	}
	return sum / mass
}

// bestAt returns each goal's lowest loss at an iteration of a run.
func (s *Scene) bestAt(r *timeline.Run, k int) []float64 {
	best := make([]float64, len(s.centres))
	transport.BestLosses(best, r.Kept(r.Index(k)).F)
	return best
}

// brought returns the scene with a visitor's file, at the end of its runs.
func brought(t testing.TB, text string) *Scene {
	t.Helper()
	reader := data.NewReader(data.Places)
	if _, err := io.Copy(reader, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	p, err := reader.Close()
	if err != nil {
		t.Fatal(err)
	}
	s := New()
	if err := s.Paste(p); err != nil {
		t.Fatal(err)
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	scenetest.Step(t, s, -1)
	return s
}

// ordered reports whether b rises with a if sign is 1, or falls as a rises if sign is −1.
func ordered(a, b []float64, sign float64) bool {
	for i := range a {
		for j := range a {
			if a[i] > a[j]+1e-9 && sign*(b[i]-b[j]) < -1e-12 {
				return false
			}
		}
	}
	return true
}

var help = scenetest.CardClaims{
	"solver": {
		{Says: "They end near an exact plan with traces of mass elsewhere. These traces affect MGDA’s weights, but hardly MosT(L)’s.",
			Holds: func(t testing.TB, _ *scenetest.Card) {
				scenetest.Over(seeds, 0.9).Check(t.(*testing.T), func(t testing.TB, seed int) {
					exact, near := endedScene(t, seed, "edge"), endedScene(t, seed, "edge", "solver", plans.IPOT, "tau", "0")
					if a, b := scenetest.Number(t, exact, "oracle.most-l"), scenetest.Number(t, near, "oracle.most-l"); math.Abs(a-b) > 0.02*a {
						t.Errorf("MosT(L) ends at %g with exact plans, at %g with IPOT", a, b)
					}
					// MGDA gives each objective the weight that it needs, however small its mass.
					r := near.Timeline().FindFrom(most, 0)
					heeded := 0.0
					for j := range r.Solutions() {
						row := near.Timeline().FindFrom(most, j).Kept(r.Len() - 2)
						for i, mass := range row.List(plans.Plan) {
							if mass < 0.01/30 {
								heeded += row.Weights[i]
							}
						}
					}
					if heeded < 0.05 {
						t.Errorf("traces have %g of MGDA’s weights", heeded)
					}
				})
			}},
	},
	"beta": {
		{Says: "All values lead to nearly the same plan.", Holds: func(t testing.TB, _ *scenetest.Card) {
			first := func(beta string) []float64 {
				return with(t, map[string]string{"solver": plans.IPOT, "tau": "0", "beta": beta}).shown().mass
			}
			exact := with(t, map[string]string{"tau": "0"}).shown().mass
			for _, beta := range []string{"0.01", "0.1", "1", "10"} {
				off := 0.0
				for i, v := range first(beta) {
					off += math.Abs(v - exact[i])
				}
				below(t, "the mass that lies elsewhere with β = "+beta, off/2, 0.05)
			}
		}},
	},
}

func TestHelp(t *testing.T) { help.CheckHelp(t, About) }

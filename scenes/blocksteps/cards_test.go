package blocksteps

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo/blocks"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// seeds is the number of seeds with which the cards' statements are tested.
const seeds = 20

// nine requires a claim to hold for nine out of ten seeds.
var nine = scenetest.Over(seeds, 0.9)

// drawn returns a copy of set with the given seed.
func drawn(seed int, set map[string]string) map[string]string {
	set = maps.Clone(set)
	if set == nil {
		set = map[string]string{}
	}
	set["seed"] = strconv.Itoa(seed)
	return set
}

// values returns a card's values with changes. The list further alternates names and values.
func values(t testing.TB, card string, further ...string) map[string]string {
	t.Helper()
	return scenetest.Values(t, About.Presets, card, further...)
}

// begun returns a scene with the given values and its runs at the start.
func begun(t testing.TB, set map[string]string) *Scene {
	t.Helper()
	return scenetest.Open(t, New(), set)
}

// opened returns a scene with the given values after its runs have ended.
func opened(t testing.TB, set map[string]string) *Scene {
	t.Helper()
	s := begun(t, set)
	scenetest.Step(t, s, -1)
	return s
}

// fact returns the value of the named fact at the marker.
func fact(t testing.TB, s *Scene, name string) float64 {
	t.Helper()
	return scenetest.Fact(t, s.Facts(), name)
}

// each returns the runs of a method, in the order of their seeds.
func each(t testing.TB, s *Scene, method string) (out []*timeline.Run) {
	t.Helper()
	for _, r := range s.Timeline().Runs() {
		if r.Method == method {
			out = append(out, r)
		}
	}
	if out == nil {
		t.Fatalf("%s does not run", method)
	}
	return out
}

// seeded returns a scene in which Block-SMOO has run for all seeds, with the given frequencies and number of outer
// iterations.
func seeded(t testing.TB, m string, turns int, set map[string]string) *Scene {
	t.Helper()
	return seededFrom(t, scenetest.SeedList(1)[0], m, turns, set)
}

// seededFrom is like seeded, but the seeds start at first.
func seededFrom(t testing.TB, first int, m string, turns int, set map[string]string) *Scene {
	t.Helper()
	set = maps.Clone(set)
	set["m"], set["seeds"], set["method"] = m, strconv.Itoa(seeds), sweeps.BlockSMOO
	set["seed"] = strconv.Itoa(first)
	_, p := begun(t, set).turns()
	set["budget"] = strconv.Itoa(2 * p * turns)
	return opened(t, set)
}

// said checks that the numbers, rounded to as many decimals as the stated ones, equal them.
func said(t testing.TB, what, stated string, numbers ...float64) {
	t.Helper()
	got := make([]string, len(numbers))
	for i, text := range strings.Fields(stated) {
		_, digits, _ := strings.Cut(text, ".")
		got[i] = strconv.FormatFloat(numbers[i], 'f', len(digits), 64)
	}
	if list := strings.Join(got, " "); list != stated {
		t.Errorf("%s: %s (%.5g), want %s", what, list, numbers, stated)
	}
}

// leastAt compares the objectives at the minimiser of F_m with the stated numbers. It also checks that a run with
// decreasing steps converges to this minimiser.
func leastAt(t testing.TB, m, stated string) {
	t.Helper()
	s := opened(t, map[string]string{"m": m, "q": strconv.Itoa(1 + strings.Count(m, ",")), "schedule": "safe", "budget": "4000"})
	said(t, "least with m = "+m+" at", stated, s.goal.F...)
	// One seed's run represents all, because steps become arbitrarily short.
	if far := fact(t, s, "distance.blocksmoo"); far > 0.01 {
		t.Errorf("m = %s: a run ends %g away", m, far)
	}
}

// goesRound checks the final cycle of runs with fixed orders of turns: how far from the minimiser of F_m its outer iterations
// begin, and how wide it is. A run must end at that distance.
func goesRound(t testing.TB, m, alpha, begin, wide string) {
	t.Helper()
	s := opened(t, values(t, "ways", "m", m, "alpha", alpha, "budget", "2000"))
	said(t, "m = "+m+": bias", begin, fact(t, s, "cyclebias.blocksmoo"))
	said(t, "m = "+m+": diameter", wide, fact(t, s, "cyclediameter.blocksmoo"))
	if far, end := fact(t, s, "distance.blocksmoo"), fact(t, s, "cyclebias.blocksmoo"); math.Abs(far/end-1) > 1e-6 {
		t.Errorf("m = %s: a run ends %g away, want %g", m, far, end)
	}
}

// begins returns the points at which a run's outer iterations begin, in the second half of the run.
func begins(r *timeline.Run) (out [][]float64) {
	for i := range r.Len() {
		if row := r.Kept(i); row.K >= r.Last()/2 && row.K%sweeps.Steps(r) == 0 {
			out = append(out, row.X)
		}
	}
	return out
}

// astray returns, for each seed's run, its largest distance from the minimiser of F_m.
func astray(t testing.TB, s *Scene) (far []float64) {
	t.Helper()
	for _, r := range each(t, s, sweeps.BlockSMOO) {
		var most float64
		for i := range r.Len() {
			most = max(most, s.goal.Away(r.Kept(i).X))
		}
		far = append(far, most)
	}
	return far
}

// outputGap returns how far F_m is above its minimum at an output, for each seed.
func outputGap(t testing.TB, s *Scene, output func(*blocks.Alternation) []float64) (gaps []float64) {
	t.Helper()
	f := make([]float64, s.values.Q)
	for _, r := range each(t, s, sweeps.BlockSMOO) {
		s.problem.Values(f, output(r.Stepper.(*blocks.Alternation)))
		gaps = append(gaps, s.goal.Above(f))
	}
	return gaps
}

// times returns the numbers multiplied by a factor.
func times(factor float64, numbers []float64) []float64 {
	out := slices.Clone(numbers)
	floats.Scale(factor, out)
	return out
}

// offset measures where outer iterations begin, relative to the minimiser of F_m. For each seed, ofMean contains the
// component of the seed's mean offset in the direction of the mean over all seeds, and single contains the root mean
// square of the seed's distances from the minimiser.
func offset(t testing.TB, s *Scene) (ofMean, single []float64) {
	t.Helper()
	runs := each(t, s, sweeps.BlockSMOO)
	shift := make([]float64, len(s.Start))
	var ofSeed [][]float64
	for _, r := range runs {
		list, own, square := begins(r), make([]float64, len(s.Start)), 0.0
		for _, x := range list {
			floats.AddScaled(own, 1/float64(len(list)), x)
			square += math.Pow(s.goal.Away(x), 2) / float64(len(list))
		}
		floats.Sub(own, s.goal.Minimiser)
		floats.AddScaled(shift, 1/float64(len(runs)), own)
		ofSeed, single = append(ofSeed, own), append(single, math.Sqrt(square))
	}
	for _, own := range ofSeed {
		ofMean = append(ofMean, floats.Dot(own, shift)/floats.Norm(shift, 2))
	}
	return ofMean, single
}

// promises returns, for each seed, the bounded quantities and the factors by which three bounds exceed them. The
// bounds are that of Theorem 3.1, our correction of that bound, and that of Theorem 3.2.
func promises(t testing.TB, m string) (loose, what [3][]float64) {
	t.Helper()
	s := seeded(t, m, 400, values(t, "theorems"))
	for _, r := range each(t, s, sweeps.BlockSMOO) {
		turns := s.ways.Done(r)
		last := turns[len(turns)-1]
		c := s.constants(r, last)
		of := [3]float64{last.Measured.SquaredGradient, last.Measured.SquaredGradient, last.Average}
		for i, bound := range [3]float64{c.Theorem31(400), c.Theorem31WithP(400), c.Theorem32(400)} {
			if !(bound > of[i]) {
				t.Errorf("m = %s: %g is not below its bound %g", m, of[i], bound)
			}
			loose[i], what[i] = append(loose[i], bound/of[i]), append(what[i], of[i])
		}
	}
	return loose, what
}

// cycleOf returns the final cycle of a card's runs with fixed orders of turns.
func cycleOf(t testing.TB, set map[string]string) *blocks.Cycle {
	t.Helper()
	s := begun(t, set)
	config, err := s.values.Config(sweeps.BlockSMOO, s.values.course(s.problem, s.Start, s.parts))
	if err != nil {
		t.Fatal(err)
	}
	c, err := blocks.NewCycle(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// shown returns the scene with a visitor's objectives after its runs have ended.
func shown(t testing.TB, set map[string]string) *Scene {
	t.Helper()
	r := data.NewReader(data.Quadratics)
	if _, err := r.Write([]byte(About.Data.Example)); err != nil {
		t.Fatal(err)
	}
	p, err := r.Close()
	if err != nil {
		t.Fatal(err)
	}
	s := New()
	if err := s.Paste(p); err != nil {
		t.Fatal(err)
	}
	s = scenetest.Open(t, s, set)
	scenetest.Step(t, s, -1)
	return s
}

// movesOne checks that every step of Block-SMOO moves only one variable, and that each objective's share of the turns
// equals its weight.
func movesOne(t testing.TB, s *Scene) {
	t.Helper()
	r := each(t, s, sweeps.BlockSMOO)[0]
	turns := make([]int, s.values.Q)
	for i := range r.Len() - 1 {
		row, next := r.Kept(i), r.Kept(i+1)
		for c, v := range row.X {
			if moves := float64(c) == row.Number(sweeps.BlockName); !moves && v != next.X[c] {
				t.Errorf("step %d: variable %d moves, too", i, c+1)
			}
		}
		turns[int(row.Number(sweeps.ObjectiveName))]++
	}
	for k, n := range turns {
		if share := float64(n) / float64(r.Len()-1); share != s.goal.Weights[k] {
			t.Errorf("objective %d has %g of the turns, and counts as %g", k+1, share, s.goal.Weights[k])
		}
	}
}

var claims = scenetest.Claims{
	"summary": {
		{Says: "Two cooks take turns seasoning one soup, one spice at a time. Each short line is one such turn: a step that moves one of two " +
			"variables downhill for one of two goals. It ends in a dot for the first goal and a square for the second.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) { movesOne(t, opened(t, nil)) }},
		{Says: "The second goal has three turns for every turn of the first. So the run zigzags close to the plus sign, the minimum of a " +
			"mixture that counts the second goal three times as much.", Seeds: nine, Each: func(t testing.TB, seed int) {
			s := opened(t, drawn(seed, nil))
			if w := s.goal.Weights; w[1] != 3*w[0] {
				t.Errorf("the weights are %v", w)
			}
			if far := fact(t, s, "distance.blocksmoo"); far > 0.04*s.goal.Away(s.Start) {
				t.Errorf("the run ends %g away", far)
			}
		}},
	},
	"try": {
		{Says: "Give the first goal three turns, too. The plus sign slides along the thick curve, and the runs follow it.",
			Seeds: nine, Each: func(t testing.TB, seed int) {
				before, s := opened(t, drawn(seed, nil)), opened(t, drawn(seed, map[string]string{"m": "3,3"}))
				if moved := s.goal.Away(before.goal.Minimiser); moved < 0.4 || fact(t, s, "distance.blocksmoo") > 0.5*moved {
					t.Errorf("it slides %g, and the run ends %g away", moved, fact(t, s, "distance.blocksmoo"))
				}
				nearest := math.Inf(1)
				for _, x := range s.pairs[0] {
					nearest = min(nearest, s.goal.Away(x))
				}
				if nearest > 0.01 {
					t.Errorf("it is %g off the curve", nearest)
				}
			}},
	},
	"dataSummary": {
		{Says: "Your objectives take turns: each step moves one block of the variables downhill for one objective.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) { movesOne(t, shown(t, map[string]string{"budget": "180"})) }},
		{Says: "How often each objective has its turn decides how much the runs’ end points favour it.",
			Seeds: nine, Each: func(t testing.TB, seed int) {
				if s := shown(t, drawn(seed, map[string]string{"alpha": "0.01", "budget": "6000"})); fact(t, s, "distance.blocksmoo") > 0.02 {
					t.Errorf("the run ends %g away", fact(t, s, "distance.blocksmoo"))
				}
			}},
	},
	"dataTry": {
		{Says: "Change the objectives’ frequencies, and see which objective’s minimum the runs get closer to.",
			Seeds: nine, Each: func(t testing.TB, seed int) {
				one, other := shown(t, drawn(seed, nil)), shown(t, drawn(seed, map[string]string{"m": "4,1"}))
				for k, falls := range []bool{true, false} {
					name := "endF.blocksmoo." + strconv.Itoa(k+1)
					if (fact(t, other, name) < fact(t, one, name)) != falls {
						t.Errorf("%s is %g, and was %g", name, fact(t, other, name), fact(t, one, name))
					}
				}
			}},
		{Says: "If the runs diverge, use shorter steps.", Seeds: nine, Each: func(t testing.TB, seed int) {
			far := func(alpha string) float64 {
				r := each(t, shown(t, drawn(seed, map[string]string{"alpha": alpha})), sweeps.BlockSMOO)[0]
				return floats.Norm(r.Kept(r.Len()-1).X, 2)
			}
			if long, short := far("4"), far("0.1"); !(long > 1e6*short) {
				t.Errorf("with long steps a run gets to %g, with short ones to %g", long, short)
			}
		}},
	},
	"steer": {
		{Says: "The shares of the turns act as weights, so a goal with more turns ends with a smaller loss.", Seeds: scenetest.Any,
			Holds: func(t testing.TB) {
				leastAt(t, "5,15", "1.07 0.23")
				leastAt(t, "10,10", "0.51 0.55")
				leastAt(t, "15,5", "0.19 1.09")
				for i, m := range []string{"15,5", "10,10"} {
					want := About.Presets[0].References[i].X
					if share := begun(t, values(t, "steer", "m", m)).goal.Weights[1]; share != want {
						t.Errorf("m = %s is marked at %g, and has %g", m, want, share)
					}
				}
			}},
		{Says: "The paper’s example has five turns for the first goal and fifteen for the second.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				if s := begun(t, values(t, "steer")); !slices.Equal(s.values.M, []int{5, 15}) {
					t.Errorf("m = %v", s.values.M)
				}
			}},
		{Says: "The runs go to where ¼f₁ + ¾f₂ is least, and stay near that point.",
			Seeds: nine, Each: func(t testing.TB, seed int) {
				s := opened(t, drawn(seed, values(t, "steer")))
				for _, method := range s.values.On {
					if far := fact(t, s, "distance."+method); far > 0.05 {
						t.Errorf("%s ends %g away", method, far)
					}
				}
			}},
		{Says: "Drag the shares, and the runs end somewhere else on the front.", Seeds: nine, Each: func(t testing.TB, seed int) {
			s := begun(t, values(t, "steer"))
			if name, text := s.Drag(turnsHandle, 0.5, 0); name != "m" || text != "10,10" {
				t.Errorf("dragged to the middle it is %s=%s", name, text)
			}
			if far := fact(t, opened(t, drawn(seed, values(t, "steer", "m", "10,10"))), "distance.blocksmoo"); far > 0.05 {
				t.Errorf("a run ends %g away", far)
			}
		}},
	},
	"ways": {
		{Says: "The more turns an outer iteration has, the farther from the plus sign and the more widely the run circles.", Seeds: scenetest.Any,
			Holds: func(t testing.TB) {
				off, wide := 0.0, 0.0
				for _, m := range []string{"1,3", "2,6", "5,15"} {
					s := begun(t, values(t, "ways", "m", m))
					o, w := fact(t, s, "cyclebias.blocksmoo"), fact(t, s, "cyclediameter.blocksmoo")
					if o <= off || w <= wide {
						t.Errorf("m = %s: %g off and %g wide, with fewer turns %g and %g", m, o, w, off, wide)
					}
					off, wide = o, w
				}
			}},
		{Says: "m = (1, 3), (2, 6) and (5, 15) minimise the same mixture. In the contiguous order no run comes to rest where the mixture is " +
			"least.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				for _, m := range []string{"1,3", "2,6", "5,15"} {
					leastAt(t, m, "1.07 0.23")
				}
			}},
		{Says: "More turns then act like longer steps.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			// For short steps all multiples have the same width in units of pα.
			for _, m := range []string{"1,3", "2,6", "5,15"} {
				s := begun(t, values(t, "ways", "m", m, "alpha", "0.0001"))
				_, p := s.turns()
				said(t, "m = "+m+": diameter", "0.42", fact(t, s, "cyclediameter.blocksmoo")/(float64(p)*0.0001))
			}
		}},
		{Says: "With new orders for every block, as in the paper, more turns do not lead farther off on average.", Seeds: scenetest.Of(seeds),
			Holds: func(t testing.TB) {
				few, _ := offset(t, seeded(t, "1,3", 200, values(t, "ways", "order", "random", "blockorder", "random")))
				many, _ := offset(t, seeded(t, "5,15", 200, values(t, "ways", "order", "random", "blockorder", "random")))
				a, _, _ := kinds.Mean(few)
				if b, _, _ := kinds.Mean(many); b > 1.2*a {
					t.Errorf("with few turns %g off, with many %g", a, b)
				}
			}},
		{Says: "In the contiguous order outer iterations begin 0.059, 0.15 and 0.39 from the plus sign and are 0.18, 0.35 and 0.82 wide; " +
			"(5, 15) with α = 0.02 instead of 0.1 is 0.17 wide.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			goesRound(t, "1,3", "0.1", "0.059", "0.18")
			goesRound(t, "2,6", "0.1", "0.15", "0.35")
			goesRound(t, "5,15", "0.1", "0.39", "0.82")
			goesRound(t, "5,15", "0.02", "0.078", "0.17")
		}},
		{Says: "With new orders their mean start is 0.03, 0.03 and 0.02 away, and a single iteration begins 0.04, 0.06 and 0.12 away (root " +
			"mean square, 20 seeds).", Seeds: scenetest.Of(seeds), Holds: func(t testing.TB) {
			for m, stated := range map[string][2]string{"1,3": {"0.03", "0.04"}, "2,6": {"0.03", "0.06"}, "5,15": {"0.02", "0.12"}} {
				ofMean, single := offset(t, seeded(t, m, 200, values(t, "ways", "order", "random", "blockorder", "random")))
				scenetest.StatesMean(t, "m = "+m+": the mean", ofMean, stated[0])
				scenetest.StatesMean(t, "m = "+m+": the root mean square", single, stated[1])
			}
		}},
	},
	"order": {
		{Says: "With new orders for every block, the run surrounds the plus sign, so the run’s mean is close to it. In the contiguous " +
			"order the run stays on one side of the plus sign.", Seeds: scenetest.Of(seeds), Holds: func(t testing.TB) {
			ofMean, single := offset(t, seeded(t, "5,15", 400, values(t, "order")))
			off, _, _ := kinds.Mean(ofMean)
			one, _, _ := kinds.Mean(single)
			if side := fact(t, begun(t, values(t, "ways", "m", "5,15")), "cyclebias.blocksmoo"); off > one/4 || off > side/10 {
				t.Errorf("%g off on average, a single one %g, in the contiguous order %g", off, one, side)
			}
		}},
		{Says: "With new orders, the average iterate makes the mixture almost as small as it can be.", Seeds: nine,
			Each: func(t testing.TB, seed int) {
				s := opened(t, drawn(seed, values(t, "order")))
				if gap := outputGap(t, s, (*blocks.Alternation).Average)[0]; gap > 0.001 {
					t.Errorf("F_m is %g above its least value at the average", gap)
				}
			}},
		{Says: "The mean start of outer iterations is 0.02 away from the plus sign, against 0.39 in the contiguous order. A single iteration " +
			"begins 0.120 ± 0.001 away (root mean square).", Seeds: scenetest.Of(seeds), Holds: func(t testing.TB) {
			ofMean, single := offset(t, seeded(t, "5,15", 400, values(t, "order")))
			scenetest.StatesMean(t, "the mean", ofMean, "0.02")
			said(t, "in orders that stay it is off by", "0.39", fact(t, begun(t, values(t, "ways", "m", "5,15")), "cyclebias.blocksmoo"))
			scenetest.StatesMean(t, "a single one", single, "0.120 ± 0.001")
		}},
		{Says: "At the average iterate the mixture is 0.0004 above its minimum, at the last iterate 0.007 ± 0.002 (20 seeds).",
			Seeds: scenetest.Of(seeds), Holds: func(t testing.TB) {
				s := seeded(t, "5,15", 100, values(t, "order"))
				scenetest.StatesMean(t, "at the average", outputGap(t, s, (*blocks.Alternation).Average), "0.0004")
				if m, _, _ := kinds.Mean(outputGap(t, s, (*blocks.Alternation).Average)); math.Abs(fact(t, s, "average.blocksmoo")/m-1) > 1e-9 {
					t.Errorf("the fact is %g, the mean %g", fact(t, s, "average.blocksmoo"), m)
				}
				scenetest.StatesMean(t, "at the last", outputGap(t, s, (*blocks.Alternation).Last), "0.007 ± 0.002")
			}},
	},
	"whose": {
		{Says: "Methods that take turns among the goals stay away from the minimum; methods that follow the mixture rest there. " +
			"Function-Alternate moves all variables in every step and stays as far away as Block-SMOO: the cause is the turns, not " +
			"the blocks.", Seeds: scenetest.Any,
			Holds: func(t testing.TB) {
				s := opened(t, values(t, "whose", "budget", "800"))
				for method, stated := range map[string]string{sweeps.FunctionAlternate: "0.064", sweeps.BlockSMOO: "0.059",
					sweeps.WeightedSum: "0.000000000000", sweeps.BlockAlternate: "0.000000000000"} {
					said(t, method, stated, fact(t, s, "distance."+method))
				}
			}},
		{Says: "At first the methods that take turns are ahead, but with α = 0.2 the weighted sum is almost level " +
			"with them.", Seeds: scenetest.Any,
			Holds: func(t testing.TB) {
				s := opened(t, values(t, "whose"))
				for method, stated := range map[string]string{sweeps.FunctionAlternate: "34", sweeps.BlockSMOO: "33", sweeps.WeightedSum: "76",
					sweeps.BlockAlternate: "76"} {
					said(t, method, stated, fact(t, s, "spent."+method))
				}
				said(t, "with long steps", "36", fact(t, opened(t, values(t, "whose", "alpha", "0.2")), "spent.weightedsum"))
				if first := s.goal.Above(s.Timeline().Runs()[0].Kept(0).F); math.Abs(onePercent/(first/100)-1) > 0.005 {
					t.Errorf("the first gap is %g, marked is %g as a hundredth of it", first, onePercent)
				}
			}},
	},
	"theorems": {
		{Says: "The theorems’ bounds hold, but they are many thousands of times too large.", Seeds: scenetest.Of(seeds),
			Holds: func(t testing.TB) {
				loose, _ := promises(t, "1,3")
				for _, i := range []int{0, 2} {
					if least := slices.Min(loose[i]); least < 3000 {
						t.Errorf("a bound is %g times too large only", least)
					}
				}
			}},
		{Says: "Theorem 3.1 bounds ‖∇F_m‖² at a random iterate, and Theorem 3.2 bounds F_m at the average iterate. With more turns the bounds " +
			"rise, but the bounded quantities fall. The proof of Theorem 3.1 loses a factor p; with that factor its bound falls to a " +
			"tenth here.", Seeds: scenetest.Of(seeds),
			Holds: func(t testing.TB) {
				few, had := promises(t, "1,3")
				many, has := promises(t, "5,15")
				for i := range has {
					before, _, _ := kinds.GeometricMean(had[i])
					after, _, _ := kinds.GeometricMean(has[i])
					less, _, _ := kinds.GeometricMean(few[i])
					more, _, _ := kinds.GeometricMean(many[i])
					if i != 1 && more*after < less*before || after > before {
						t.Errorf("with more turns the bound is %g, and was %g, of %g, which was %g", more*after, less*before, after, before)
					}
				}
				less, _, _ := kinds.GeometricMean(few[0])
				kept, _, _ := kinds.GeometricMean(few[1])
				scenetest.About(t, "what p makes of it", less/kept, 10, 0)
			}},
		{Says: "The bounds are 18,000 and 100,000 times too large (geometric means of 20 seeds); with m = (5, 15), they are 940,000 and " +
			"3,400,000 times too large. For this m, the factor p in (B.1) reduces Theorem 3.1’s bound to a twentieth.",
			Seeds: scenetest.Of(seeds), Holds: func(t testing.TB) {
				few, _ := promises(t, "1,3")
				scenetest.StatesGeometricMean(t, "Theorem 3.1, in thousands", times(1e-3, few[0]), "18")
				scenetest.StatesGeometricMean(t, "Theorem 3.2, in ten thousands", times(1e-4, few[2]), "10")
				many, _ := promises(t, "5,15")
				scenetest.StatesGeometricMean(t, "Theorem 3.1 with (5, 15), in ten thousands", times(1e-4, many[0]), "94")
				scenetest.StatesGeometricMean(t, "Theorem 3.2 with (5, 15), in hundred thousands", times(1e-5, many[2]), "34")
				less, _, _ := kinds.GeometricMean(many[0])
				kept, _, _ := kinds.GeometricMean(many[1])
				scenetest.About(t, "what p makes of it", less/kept, 20, 0)
			}},
	},
	"printed": {
		{Says: "The theorem’s first steps are so long that they lead runs far beyond their start.", Seeds: nine,
			Each: func(t testing.TB, seed int) {
				s := opened(t, drawn(seed, values(t, "printed")))
				if first := s.goal.Above(s.Timeline().Runs()[0].Kept(0).F); math.Abs(100*onePercent/first-1) > 0.005 {
					t.Errorf("F_m begins %g above its least value, marked is %g", first, 100*onePercent)
				}
				if far := astray(t, s)[0]; far < 3*s.goal.Away(s.Start) {
					t.Errorf("a run gets %g away, and starts %g away", far, s.goal.Away(s.Start))
				}
			}},
		{Says: "Theorem 3.3’s steps begin with 2/μ = 1.98, although 1/L is 0.44, and are repeated p times on every block.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := opened(t, values(t, "printed", "budget", "8"))
				mu, err := s.problem.WeightedConvexity(s.goal.Weights)
				if err != nil {
					t.Fatal(err)
				}
				said(t, "2/μ and 1/L", "1.98 0.44", 2/mu, 1/s.problem.Lipschitz())
				r := each(t, s, sweeps.BlockSMOO)[0]
				for i := range 8 {
					if alpha := r.Kept(i).StepSize; math.Abs(alpha*mu/2-1) > 1e-9 {
						t.Errorf("step %d has α = %g", i, alpha)
					}
				}
			}},
		{Says: "Runs come back, but the average still contains the detour.", Seeds: scenetest.Of(seeds), Holds: func(t testing.TB) {
			for _, m := range []string{"1,3", "5,15"} {
				s := seeded(t, m, 100, values(t, "printed"))
				last, _, _ := kinds.Mean(outputGap(t, s, (*blocks.Alternation).Last))
				average, _, _ := kinds.Mean(outputGap(t, s, (*blocks.Alternation).Average))
				if last > 1e-3 || average < 1000*last {
					t.Errorf("m = %s: F_m is %g above its least value at the last iterate, %g at the average", m, last, average)
				}
			}
		}},
		{Says: "Our steps of the same order, never above 1/(pL), hardly lead runs farther away than their start.", Seeds: scenetest.Of(seeds),
			Holds: func(t testing.TB) {
				for _, m := range []string{"1,3", "5,15"} {
					s := seeded(t, m, 100, values(t, "printed", "schedule", "safe"))
					if far, _, _ := kinds.Mean(astray(t, s)); far > 1.05*s.goal.Away(s.Start) {
						t.Errorf("m = %s: %g away, from %g", m, far, s.goal.Away(s.Start))
					}
					_, p := s.turns()
					if r := each(t, s, sweeps.BlockSMOO)[0]; r.Kept(0).StepSize > 1/(float64(p)*s.problem.Lipschitz()) {
						t.Errorf("m = %s: α is %g", m, r.Kept(0).StepSize)
					}
				}
			}},
		{Says: "The start is 2.5 away from the minimiser. The printed steps lead runs 37 ± 5 away from it, and with m = (5, 15) 89,000 ± " +
			"19,000 away (geometric means of 40 seeds); our steps lead them at most 2.51 away, on average.",
			Seeds: scenetest.Of(2 * seeds), Holds: func(t testing.TB) {
				twice := func(m string) (far []float64) {
					for _, first := range []int{0, seeds} {
						far = append(far, astray(t, seededFrom(t, scenetest.TwoBases(seeds)[first], m, 100, values(t, "printed")))...)
					}
					return far
				}
				s := seeded(t, "1,3", 100, values(t, "printed"))
				scenetest.StatesGeometricMean(t, "away", twice("1,3"), "37 ± 5")
				said(t, "the start is away", "2.5", s.goal.Away(s.Start))
				scenetest.StatesGeometricMean(t, "away with (5, 15), in thousands", times(1e-3, twice("5,15")), "89 ± 19")
				for _, m := range []string{"1,3", "5,15"} {
					ours := seeded(t, m, 100, values(t, "printed", "schedule", "safe"))
					scenetest.StatesMean(t, "away with m = "+m, astray(t, ours), "2.51")
				}
			}},
	},
	"jacobi": {
		{Says: "Even if all blocks move at once, the run ends up oscillating on the same path as if they alternated. This variant is not in " +
			"the paper: no block sees the other blocks’ moves in the same outer iteration. In the contiguous order every block comes back to " +
			"where it began, so it does not matter whether others saw its moves.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				one, other := cycleOf(t, values(t, "jacobi")), cycleOf(t, values(t, "jacobi", "update", "gaussseidel"))
				for i, x := range one.Points {
					if floats.Distance(x, other.Points[i], 2) > 1e-12 {
						t.Errorf("step %d: the rounds are %v and %v", i, x, other.Points[i])
					}
				}
			}},
		{Says: "But after an outer iteration 0.27 of the distance to that path is left, and 0.16 if blocks see each other’s moves.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				said(t, "left", "0.27 0.16", cycleOf(t, values(t, "jacobi")).Radius,
					cycleOf(t, values(t, "jacobi", "update", "gaussseidel")).Radius)
			}},
	},
	"three": {
		{Says: "Every way to share the turns among three goals leads to a different point of the Pareto set.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := begun(t, values(t, "three"))
				at := func(i, j int) []float64 {
					x := make([]float64, 2)
					if err := s.problem.ParetoPoint(x, []float64{float64(18-i-j) / 18, float64(i) / 18, float64(j) / 18}); err != nil {
						t.Fatal(err)
					}
					return x
				}
				var sign float64 // the map of every small triangle has the same orientation
				for i := range 18 {
					for j := range 18 - i {
						a, b, c := at(i, j), at(i+1, j), at(i, j+1)
						area := (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
						if sign == 0 {
							sign = area
						}
						if area*sign <= 0 {
							t.Errorf("at %d, %d the area is %g", i, j, area)
						}
					}
				}
			}},
		{Says: "Three shares are a point in a triangle: drag it, or select it with Enter and use the arrow keys. In a corner one goal has " +
			"all turns; in the middle all goals count the same. The Pareto set is an area now.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := begun(t, values(t, "three"))
				for k, w := range s.goal.Weights {
					if math.Abs(w-1./3) > 1e-12 {
						t.Errorf("goal %d counts %g", k+1, w)
					}
				}
				if name, text := s.Drag(turnsHandle, 1, 0); name != "m" || text != "0,18,0" {
					t.Errorf("dragged to a corner it is %s=%s", name, text)
				}
			}},
	},
}

// TestCards checks that the claims in this file cover the scene's texts, and that they hold.
func TestCards(t *testing.T) { claims.Check(t, About) }

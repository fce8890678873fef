package sampleorder

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/ordering"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
)

// Claims are tested on seeds seeds. Most stated numbers are over as many draws as draws says; where draws differ most, over manyDraws.
const seeds, draws, manyDraws = 20, 40, 120

// often requires a claim to hold on nine in ten seeds.
var often = scenetest.Over(seeds, 0.9)

// fact returns a fact at the end of the runs with some values and a seed.
func fact(t testing.TB, set map[string]string, seed int, name string) float64 {
	t.Helper()
	return ended.Fact(t, set, seed, name)
}

// values returns a card's values, with further ones, names and values in turn.
func values(t testing.TB, card string, further ...string) map[string]string {
	t.Helper()
	return scenetest.Values(t, About.Presets, card, further...)
}

// opened returns the scene with some values, its runs at the end.
func opened(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	s := scenetest.Open(t, New(), values)
	scenetest.Step(t, s, -1)
	return s
}

// ended reads facts of runs at their end.
var ended = scenetest.Ended[*Scene]{New: New, Alone: true, Beside: []string{"speed", "view", "axis", "walk"}}

// facts returns a fact at the end of the runs with some values, for each draw.
func facts(t testing.TB, set map[string]string, name string) []float64 {
	t.Helper()
	return ended.Facts(t, set, draws, name)
}

// smaller checks how many times smaller ω is than with random orders.
func smaller(t testing.TB, set map[string]string, method, stated string) {
	t.Helper()
	scenetest.StatesGeometricMean(t, fmt.Sprintf("ω of %s, times smaller with %v,", method, set), facts(t, set, "nearer."+method), stated)
}

// larger checks how many times larger ω is than with random orders.
func larger(t testing.TB, set map[string]string, method, stated string) {
	t.Helper()
	ratios := slices.Clone(facts(t, set, "nearer."+method))
	for i, v := range ratios {
		ratios[i] = 1 / v
	}
	scenetest.StatesGeometricMean(t, fmt.Sprintf("ω of %s, times as large with %v,", method, set), ratios, stated)
}

// typical checks a geometric mean over the seeds.
func typical(t testing.TB, set map[string]string, name, stated string) {
	t.Helper()
	scenetest.StatesGeometricMean(t, name, facts(t, set, name), stated)
}

// mean checks an arithmetic mean over the seeds.
func mean(t testing.TB, set map[string]string, name, stated string) {
	t.Helper()
	scenetest.StatesMean(t, name, facts(t, set, name), stated)
}

// run returns the run of a method with the first seed.
func run(t testing.TB, s *Scene, method string) *timeline.Run {
	t.Helper()
	r := s.Timeline().FindFrom(method, 0)
	if r.Run == nil {
		t.Fatalf("%s does not run", method)
	}
	return r.Run
}

// endsWhereItBegins checks the walks of all methods at the marker.
func endsWhereItBegins(t testing.TB, s *Scene) {
	t.Helper()
	s.read.Read(func() bool { return true })
	for _, r := range s.Timeline().Runs() {
		w := s.read.Walk(r)
		last := len(w.Norms) - 1
		if !(w.Most > 0) || w.Norms[last] > 1e-9*w.Most {
			t.Errorf("the walk of %s ends at %g and goes as far as %g", r.Name, w.Norms[last], w.Most)
		}
	}
}

var claims = scenetest.Claims{
	"summary": {
		{Says: "In a pile of flash cards a good order never brings one topic many times in a row. Each line is one epoch, one way through " +
			"the pile: it adds up, sample after sample, how far their gradients are from the mean of all, so that it ends where " +
			"it begins.", Seeds: scenetest.Any, Holds: func(t testing.TB) { endsWhereItBegins(t, opened(t, nil)) }},
		{Says: "In a random order it strays on the way; an order that balances learns from one epoch to the next to keep it near the " +
			"middle.",
			Seeds: often, Each: func(t testing.TB, seed int) {
				set := values(t, "", "method", defaultMethods())
				for method, share := range map[string]float64{orders.GraBShared: 0.75, orders.JoGBa: 1} {
					if a, b := fact(t, set, seed, "lateH."+method), fact(t, set, seed, "lateH.random"); a >= share*b {
						t.Errorf("late H of %s is %g, of random orders %g", method, a, b)
					}
				}
			}},
	},
	"try": {
		{Says: "Drag the time back into the first epoch: there GraB visits the samples in Random’s order still, and strays as far.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := opened(t, nil)
				for epoch, alike := range map[int]bool{0: true, 29: false} {
					s.Timeline().SetMarker(epoch*64 + 40)
					s.read.Read(func() bool { return true })
					a, b := s.read.Walk(run(t, s, orders.Random)), s.read.Walk(run(t, s, orders.GraBShared))
					if slices.Equal(a.Points, b.Points) != alike {
						t.Errorf("epoch %d: walks as far as %g and %g", epoch, a.Most, b.Most)
					}
				}
			}},
	},
	"dataSummary": {
		{Says: "Your samples, a line for each epoch: it adds up, sample after sample, how far their gradients are from the mean of " +
			"all, so that it ends where it begins. What matters is how far it strays on the way.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				endsWhereItBegins(t, shown(t, nil))
			}},
	},
	"dataTry": {
		{Says: "Let the first epoch keep the order of your file, and see whether the orders that balance leave it.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := shown(t, map[string]string{"first": "given", "budget": "60"})
				for _, method := range []string{orders.GraBShared, orders.JoGBa} {
					r := run(t, s, method)
					for epoch, kept := range map[int]bool{0: true, 5: false} {
						s.read.WithOrders(r, epoch, func(list [][]int) {
							for _, order := range list {
								if slices.IsSorted(order) != kept {
									t.Errorf("%s: order %v in epoch %d", method, order, epoch)
								}
							}
						})
					}
				}
			}},
		{Says: "If the runs diverge, use shorter steps.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			far := func(alpha string) float64 {
				s := shown(t, map[string]string{"alpha": alpha, "method": orders.Random, "budget": "60"})
				r := run(t, s, orders.Random)
				return floats.Norm(r.Kept(r.Len()-1).X, math.Inf(1))
			}
			if long, short := far("5"), far("0.05"); !(long > 1e6*short) {
				t.Errorf("with long steps a run gets to %g, with short ones to %g", long, short)
			}
		}},
	},
	"matter": {
		{Says: "Late in the run, orders that balance are more than twice as near to stationarity as random ones.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				times(t, "matter", seed, 2, orders.GraBShared, orders.GraBSeparate, orders.JoGBa)
			}},
		{Says: "The same samples, start, number and length of steps: only the order differs, and a band holds six of a kind.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := scenetest.Open(t, New(), values(t, "matter", "budget", "128"))
				scenetest.Step(t, s, -1)
				if n := len(s.Timeline().Runs()); n != 6*4 {
					t.Errorf("%d runs", n)
				}
				first := s.Timeline().Runs()[0]
				for _, r := range s.Timeline().Runs() {
					if !slices.Equal(r.Starts[0], first.Starts[0]) || r.Last() != first.Last() || r.Kept(9).StepSize != first.Kept(9).StepSize {
						t.Errorf("%s starts at %v", r.Name, r.Starts[0])
					}
				}
			}},
		{Says: "With steps a tenth as long the order hardly shows yet.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				set := values(t, "matter", "alpha", "0.005")
				for _, method := range []string{orders.GraBShared, orders.JoGBa} {
					scenetest.Between(t, "times smaller", fact(t, set, seed, "nearer."+method), 0.7, 1.5)
				}
			}},
		{Says: "ω is 7.4 ± 0.5 times smaller with GraB’s shared order than with random ones, 6.1 ± 0.4 times with GraB, separate, and 4.3 ± " +
			"0.2 times with JoGBa (40 draws of the samples); with steps a tenth as long 1.11 ± 0.03 times with GraB’s shared order and 1.10 ± " +
			"0.03 with JoGBa.", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			set := values(t, "matter")
			smaller(t, set, orders.GraBShared, "7.4 ± 0.5")
			smaller(t, set, orders.GraBSeparate, "6.1 ± 0.4")
			smaller(t, set, orders.JoGBa, "4.3 ± 0.2")
			set = values(t, "matter", "alpha", "0.005")
			smaller(t, set, orders.GraBShared, "1.11 ± 0.03")
			smaller(t, set, orders.JoGBa, "1.10 ± 0.03")
		}},
	},
	"stray": {
		{Says: "Late in the run, orders that balance stay nearer to the middle than a random one.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				set := values(t, "stray")
				for _, method := range []string{orders.GraBShared, orders.GraBSeparate, orders.JoGBa} {
					if a, b := fact(t, set, seed, "lateH."+method), fact(t, set, seed, "lateH.random"); a >= b {
						t.Errorf("H of %s is %g, of random orders %g", method, a, b)
					}
				}
			}},
		{Says: "The paper’s bound for separate orders is M times JoGBa’s, and yet they stay nearer.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				set := values(t, "stray")
				if a, b := fact(t, set, seed, "lateH.grab-separate"), fact(t, set, seed, "lateH.jogba"); a >= b {
					t.Errorf("H is %g with separate orders, %g with JoGBa", a, b)
				}
			}},
		{Says: "With MGDA’s weights GraB’s shared order strays farther: it balances the weighted sum, not the plain one.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				const name = "lateH.grab-shared"
				a, b := fact(t, values(t, "stray"), seed, name), fact(t, values(t, "stray", "weighting", "mgda"), seed, name)
				if b < 1.3*a {
					t.Errorf("H is %g with MGDA’s weights, %g with equal ones", b, a)
				}
			}},
		{Says: "H, the farthest over the length of the longest gradient, less the mean, is late in the run 2.0 with random orders, 2.0 with " +
			"FlipFlop, 1.2 with JoGBa, 0.8 with GraB’s separate orders and 0.8 with its shared one, 1.7 with MGDA’s weights (means of 40 draws).",
			Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				set := values(t, "stray")
				for method, stated := range map[string]string{orders.Random: "2.0", orders.FlipFlop: "2.0", orders.JoGBa: "1.2",
					orders.GraBSeparate: "0.8", orders.GraBShared: "0.8"} {
					mean(t, set, "lateH."+method, stated)
				}
				mean(t, values(t, "stray", "weighting", "mgda"), "lateH.grab-shared", "1.7")
			}},
	},
	"slow": {
		{Says: "Each gradient, less a mean, goes to the side on which the sum stays smaller. A sample of each objective is due, and the mean " +
			"of the epoch before is taken from its gradient. The side, + or −, puts the sample to the front or to the back of the next order; " +
			"then come the weights, and the step.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := opened(t, values(t, "slow"))
			for k := 17; k < 64; k++ { // after the first epoch, which has no mean yet
				s.Timeline().SetMarker(k)
				now := s.read.Step()
				if len(now.Now) != 2 || len(now.Offers) != 2 || len(now.Weights) != 2 {
					t.Fatalf("step %d: %d orders, %d offers, %d weights", k, len(now.Now), len(now.Offers), len(now.Weights))
				}
				for _, o := range now.Offers {
					// Recompute the offer from the sum after it, which costs the last digits.
					chosen, other := o.Plus, o.Minus
					if o.Sign < 0 {
						chosen, other = other, chosen
					}
					if chosen > other*(1+1e-12) || o.G == o.Gradient {
						t.Errorf("step %d: sign %g with sums %g and %g, %v of a gradient %v", k, o.Sign, o.Plus, o.Minus, o.G, o.Gradient)
					}
				}
			}
		}},
		{Says: "In the first epoch there is no mean yet, so that nothing is taken away.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := opened(t, values(t, "slow"))
			for k := 1; k <= 16; k++ {
				s.Timeline().SetMarker(k)
				for _, o := range s.read.Step().Offers {
					if o.G != o.Gradient {
						t.Errorf("step %d: %v is left of %v", k, o.G, o.Gradient)
					}
				}
			}
		}},
	},
	"each": {
		{Says: "One order for all stays far off here, balanced or not; an order for each objective comes nearer.",
			Holds: func(t testing.TB) {
				s := opened(t, values(t, "each"))
				if v := scenetest.Number(t, s, "nearer.grab-shared"); v > 1.5 {
					t.Errorf("ω is %g times smaller where one order is balanced", v)
				}
				for _, method := range []string{orders.RandomOwn, orders.GraBSeparate, orders.JoGBa} {
					if v := scenetest.Number(t, s, "nearer."+method); v < 2 {
						t.Errorf("ω of %s is %g times smaller", method, v)
					}
				}
			}},
		{Says: "MGDA decides its weights on the samples that meet in a step.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := opened(t, values(t, "each", "budget", "8"))
			if v := run(t, s, orders.Random).Stepper.View(); s.values.Weighting != "mgda" || !v.Refreshed {
				t.Errorf("%s, refreshed %v", s.values.Weighting, v.Refreshed)
			}
		}},
		{Says: "With one order for all these are the same K pairs in every epoch; with an order for each, new ones meet.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := opened(t, values(t, "each", "budget", "512"))
				for method, own := range map[string]bool{orders.Random: false, orders.GraBShared: false, orders.RandomOwn: true, orders.JoGBa: true} {
					if n := pairs(t, s, run(t, s, method)); (n > 128) != own {
						t.Errorf("%s: %d pairs of samples meet", method, n)
					}
				}
			}},
		{Says: "Balancing one order for all mostly does not help.", Seeds: scenetest.Over(seeds, 0.8), Each: func(t testing.TB, seed int) {
			if v := fact(t, values(t, "each"), seed, "nearer.grab-shared"); v > 1.5 {
				t.Errorf("ω is %g times smaller", v)
			}
		}},
		{Says: "With an order for each ω is 1.2 ± 0.1 times smaller even with random ones and 1.4 ± 0.1 with JoGBa (120 draws). On 42 of the " +
			"120 JoGBa’s is larger than with one random order.",
			Seeds: scenetest.Of(manyDraws), Holds: func(t testing.TB) {
				set := values(t, "each")
				for method, stated := range map[string]string{orders.RandomOwn: "1.2 ± 0.1", orders.JoGBa: "1.4 ± 0.1"} {
					ratios := ended.Facts(t, set, manyDraws, "nearer."+method)
					scenetest.StatesGeometricMean(t, "ω of "+method+", times smaller", ratios, stated)
				}
				scenetest.StatesCount(t, "JoGBa’s ω is larger", ended.Facts(t, set, manyDraws, "nearer.jogba"),
					func(v float64) bool { return v < 1 }, 42)
			}},
		{Says: "The paper’s Table 4, on this question, repeats its Table 1 digit for digit.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				// The paper states this, and no run can test it; the card shows its question.
				on := opened(t, values(t, "each", "budget", "8")).values.On
				if !slices.Contains(on, orders.RandomOwn) || !slices.Contains(on, orders.Random) {
					t.Errorf("%v run", on)
				}
			}},
	},
	"many": {
		{Says: "With many samples and variables GraB’s shared order is ahead of a random one even with MGDA’s weights.",
			Seeds: often, Each: func(t testing.TB, seed int) { times(t, "many", seed, 1.3, orders.GraBShared) }},
		{Says: "These are 512 samples in 10 variables.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := opened(t, values(t, "many", "budget", "8"))
			if d, _ := s.problem.Dims(); d != 10 || s.problem.Examples() != 512 {
				t.Errorf("%d samples, %d variables", s.problem.Examples(), d)
			}
		}},
		{Says: "With equal weights all three orders that balance are far ahead.", Seeds: often, Each: farAheadOfMany},
		{Says: "With MGDA’s weights ω is more than 1.3 times smaller with GraB’s shared order,",
			Seeds: often, Each: func(t testing.TB, seed int) { times(t, "many", seed, 1.3, orders.GraBShared) }},
		{Says: "on average 2.0 ± 0.1 times, with GraB, separate, 1.4 ± 0.1, and with JoGBa 1.05 ± 0.04 (40 draws).",
			Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				set := values(t, "many")
				smaller(t, set, orders.GraBShared, "2.0 ± 0.1")
				smaller(t, set, orders.GraBSeparate, "1.4 ± 0.1")
				smaller(t, set, orders.JoGBa, "1.05 ± 0.04")
			}},
		{Says: "With equal weights all three make it more than 3 times smaller.", Seeds: often, Each: farAheadOfMany},
	},
	"signs": {
		{Says: "Where chance decides the signs, orders stray about as far as random ones.", Seeds: often, Each: func(t testing.TB, seed int) {
			set := values(t, "signs")
			for _, method := range []string{orders.GraBShared, orders.GraBSeparate, orders.JoGBa} {
				scenetest.Between(t, "H of "+method+" over that of random orders", fact(t, set, seed, "lateH."+method)/
					fact(t, set, seed, "lateH.random"), 0.7, 1.4)
			}
		}},
		{Says: "The self-balancing walk leaves its signs to chance, likelier the one that keeps s small.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				if s := opened(t, values(t, "signs", "budget", "8")); s.values.Sign != string(ordering.SelfBalancing) {
					t.Errorf("the signs are %s", s.values.Sign)
				}
			}},
		{Says: "But its c = 30 ln(Kd/δ) is so large that the signs are almost fair coins, and none was ever certain.",
			Seeds: scenetest.Over(seeds, 1), Each: func(t testing.TB, seed int) {
				for _, method := range []string{orders.GraBShared, orders.JoGBa} {
					if v := fact(t, values(t, "signs"), seed, "clipped."+method); v != 0 {
						t.Errorf("%g of the signs of %s were certain", v, method)
					}
				}
			}},
		{Says: "The greedy rule, which has no such proof, makes ω less than half as large.", Seeds: often, Each: func(t testing.TB, seed int) {
			for _, method := range []string{orders.GraBShared, orders.GraBSeparate, orders.JoGBa} {
				drawn, greedy := fact(t, values(t, "signs"), seed, "late."+method), fact(t, values(t, "signs", "sign", "greedy"), seed, "late."+method)
				if greedy > drawn/2 {
					t.Errorf("ω of %s is %g with greedy signs, %g with drawn ones", method, greedy, drawn)
				}
			}
		}},
		{Says: "c is 325.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := scenetest.Open(t, New(), values(t, "signs"))
			if c := 30 * math.Log(float64(s.values.K*s.values.D)/0.01); math.Round(c) != 325 {
				t.Errorf("c is %g", c)
			}
		}},
		{Says: "H is 2.3 with GraB’s shared order where random ones have 2.2, and ω is 1.05 ± 0.06 times smaller with it and 1.02 ± 0.04 with " +
			"JoGBa (40 draws).", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			set := values(t, "signs")
			mean(t, set, "lateH.random", "2.2")
			mean(t, set, "lateH.grab-shared", "2.3")
			smaller(t, set, orders.GraBShared, "1.05 ± 0.06")
			smaller(t, set, orders.JoGBa, "1.02 ± 0.04")
		}},
		{Says: "The greedy rule gives 7.4 and 4.3 times.", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			set := values(t, "signs", "sign", "greedy")
			smaller(t, set, orders.GraBShared, "7.4")
			smaller(t, set, orders.JoGBa, "4.3")
		}},
	},
	"centring": {
		{Says: "Whether the common mean is subtracted once or twice, JoGBa is far ahead of random orders.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				for _, centring := range []string{"perobjective", "published"} {
					if v := fact(t, values(t, "centring", "centring", centring), seed, "nearer.jogba"); v < 2 {
						t.Errorf("%s: ω is %g times smaller", centring, v)
					}
				}
			}},
		{Says: "As published it subtracts from each objective’s gradient the sum v of all objectives’ means, M times what the gradients have " +
			"in common.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) { subtracts(t, "published", 1) }},
		{Says: "With v/M, as here, it is subtracted once.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) { subtracts(t, "perobjective", 0.5) }},
		{Says: "ω is 4.8 ± 0.2 times smaller than with random orders, as published 4.3 ± 0.2; with four objectives 4.2 ± 0.4 and 4.4 ± 0.4 " +
			"(40 draws).", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			smaller(t, values(t, "centring"), orders.JoGBa, "4.8 ± 0.2")
			smaller(t, values(t, "centring", "centring", "published"), orders.JoGBa, "4.3 ± 0.2")
			smaller(t, values(t, "centring", "M", "4"), orders.JoGBa, "4.2 ± 0.4")
			smaller(t, values(t, "centring", "M", "4", "centring", "published"), orders.JoGBa, "4.4 ± 0.4")
		}},
	},
	"flipflop": {
		{Says: "Whether it helps to turn the order round after each epoch is luck.", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			count := 0
			for _, v := range facts(t, values(t, "flipflop"), "nearer."+orders.FlipFlop) {
				if v > 1 {
					count++
				}
			}
			if count < draws/4 || count > draws*3/4 {
				t.Errorf("ω is smaller on %d of %d draws", count, draws)
			}
		}},
		{Says: "FlipFlop turns it round so that what strayed first strays back.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := opened(t, values(t, "flipflop", "budget", "256"))
				var first []int
				r := run(t, s, orders.FlipFlop)
				s.read.WithOrders(r, 0, func(list [][]int) { first = slices.Clone(list[0]) })
				s.read.WithOrders(r, 1, func(list [][]int) {
					if slices.Reverse(first); !slices.Equal(first, list[0]) {
						t.Errorf("%v comes after %v", list[0], first)
					}
				})
			}},
		{Says: "With one order for good, turned or not, the runs differ more than with new ones.",
			Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				spread := func(method string) float64 {
					mean, _, high := kinds.GeometricMean(facts(t, values(t, "flipflop"), "late."+method))
					return math.Log(high / mean)
				}
				for _, method := range []string{orders.Once, orders.FlipFlop} {
					if v := spread(method) / spread(orders.Random); v < 1.1 {
						t.Errorf("logarithms of ω of %s differ %.3g times as much", method, v)
					}
				}
			}},
		{Says: "On 26 of 40 draws ω is smaller with FlipFlop than with random orders, with a new order in every other epoch on 19, with one " +
			"order kept for good on 23.", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			for method, stated := range map[string]int{orders.FlipFlop: 26, orders.RandomFlipFlop: 19, orders.Once: 23} {
				scenetest.StatesCount(t, "ω of "+method+" is smaller", facts(t, values(t, "flipflop"), "nearer."+method),
					func(v float64) bool { return v > 1 }, stated)
			}
		}},
	},
	"adam": {
		{Says: "With Adam, too, orders that balance are more than twice as near to stationarity as random ones.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				times(t, "adam", seed, 2, orders.GraBShared, orders.GraBSeparate, orders.JoGBa)
			}},
		{Says: "The paper trains with Adam, which divides every coordinate by its usual size; orders are balanced before that.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := opened(t, values(t, "adam", "budget", "20"))
				d := run(t, s, orders.GraBShared).Stepper.(*ordering.Descent)
				before, offered := make([]float64, 4), make([]float64, 4)
				d.Offer(before, offered, 0)
				if !slices.Equal(offered, d.View().Direction) || slices.Equal(offered, d.Update()) { // v is 0 in the first epoch
					t.Errorf("balanced is %v of %v, which became %v", offered, d.View().Direction, d.Update())
				}
			}},
		{Says: "ω is 8.8 ± 0.6 times smaller with GraB’s shared order than with random ones and 5.1 ± 0.2 times with JoGBa (40 draws, equal " +
			"weights).", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			set := values(t, "adam")
			smaller(t, set, orders.GraBShared, "8.8 ± 0.6")
			smaller(t, set, orders.JoGBa, "5.1 ± 0.2")
		}},
	},
	"cost": {
		{Says: "Orders that balance need two backpropagations a step, where a random order needs one. They need every objective’s gradient;",
			Seeds: scenetest.Any, Holds: func(t testing.TB) { spends(t, "ls", 1) }},
		{Says: "where weights are decided in every step, all orders do.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) { spends(t, "mgda", 2) }},
		{Says: "The signs, the dark part, take a few additions a variable on top, measured here in this browser, in the paper 0.05 of 1.2 to " +
			"1.6 seconds (Table 3). In batches of 64 samples their share is much smaller.",
			// Only a benchmark can measure the time: as many signs are decided, each on a vector as long, but each gradient is of 64 samples
			// instead of one.
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				decided := func(batch string) (signs, samples int) {
					s := opened(t, values(t, "cost", "batch", batch, "budget", "64"))
					r := run(t, s, orders.JoGBa)
					if err := s.Timeline().Visit(r, r.Last(), func(stepper algo.Stepper) {
						signs = len(stepper.(*ordering.Descent).Signs())
					}); err != nil {
						t.Fatal(err)
					}
					return signs, s.problem.Examples() / orders.Examples(r)
				}
				one, single := decided("1")
				many, batch := decided("64")
				if one != 2 || many != one || single != 1 || batch != 64 {
					t.Errorf("%d and %d signs a step, on gradients of %d and %d samples", one, many, single, batch)
				}
			}},
	},
	"kept": {
		{Says: "With weights kept for eight steps, one random order takes little more than half the backpropagations of the others.",
			Seeds: scenetest.Over(seeds, 1), Each: func(t testing.TB, seed int) {
				for method, want := range map[string]float64{orders.Random: keptBP, orders.RandomOwn: othersBP, orders.GraBShared: othersBP,
					orders.GraBSeparate: othersBP, orders.JoGBa: othersBP} {
					if v := fact(t, values(t, "kept"), seed, "bp."+method); v != want {
						t.Errorf("%s spends %g", method, v)
					}
				}
			}},
		{Says: "MGDA’s weights are decided in every eighth step only.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			r := run(t, opened(t, values(t, "kept", "budget", "40")), orders.Random)
			for k := range 40 {
				if row := r.Kept(k); row.Refreshed != (k%8 == 0) {
					t.Errorf("at %d weights are refreshed: %v", k, row.Refreshed)
				}
			}
		}},
		{Says: "Between these one backpropagation is enough for an order that all share and that does not balance; every other order needs " +
			"each objective’s gradient all the same.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := opened(t, values(t, "kept", "budget", "80"))
			for _, r := range s.Timeline().Runs() {
				want := 160 // two a step
				if r.Method == orders.Random {
					want = 10*2 + 70
				}
				if bp := r.Kept(r.Len() - 1).BP; bp != want {
					t.Errorf("%s spends %d in 80 steps, want %d", r.Method, bp, want)
				}
			}
		}},
		{Says: "For that GraB, separate, has ω 1.8 ± 0.1 times smaller, where with new weights in every step it is 1.2 ± 0.1 (40 draws).",
			Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				smaller(t, values(t, "kept"), orders.GraBSeparate, "1.8 ± 0.1")
				smaller(t, values(t, "kept", "R", "1", "method", "random,grab-separate"), orders.GraBSeparate, "1.2 ± 0.1")
			}},
	},
	"batches": {
		{Says: "With mini-batches, too, orders that balance are ahead of random ones.", Seeds: often, Each: func(t testing.TB, seed int) {
			times(t, "batches", seed, 1.5, orders.GraBShared, orders.GraBSeparate, orders.JoGBa)
		}},
		{Says: "An example is a batch of eight samples that stay together, and an order is one of batches.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := opened(t, values(t, "batches", "budget", "64"))
				if n, k := s.problem.Examples(), orders.Examples(run(t, s, orders.Random)); n != 8*k || k != 64 {
					t.Errorf("%d samples, %d places", n, k)
				}
			}},
		{Says: "Random orders come nearer by themselves than with single samples, for a mean of eight strays less.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				a, b := fact(t, values(t, "batches"), seed, "late.random"), fact(t, values(t, "batches", "batch", "1"), seed, "late.random")
				if a > b {
					t.Errorf("ω of random orders is %g, with single samples %g", a, b)
				}
			}},
		{Says: "ω is 8.7 ± 0.7 times smaller with GraB’s shared order and 4.3 ± 0.3 with JoGBa, with single samples 6.6 ± 0.5 and 4.2 ± 0.3 " +
			"(40 draws).", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			set, single := values(t, "batches"), values(t, "batches", "batch", "1")
			smaller(t, set, orders.GraBShared, "8.7 ± 0.7")
			smaller(t, set, orders.JoGBa, "4.3 ± 0.3")
			smaller(t, single, orders.GraBShared, "6.6 ± 0.5")
			smaller(t, single, orders.JoGBa, "4.2 ± 0.3")
		}},
	},
	"classes": {
		{Says: "In classification, too, orders that balance come nearer to stationarity than a random one.", Seeds: often,
			Each: func(t testing.TB, seed int) { times(t, "classes", seed, 1.5, orders.GraBShared, orders.JoGBa) }},
		{Says: "Two tasks of logistic regression, each on points of its own.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := opened(t, values(t, "classes", "budget", "8"))
			if d, m := s.problem.Dims(); d != 3 || m != 2 {
				t.Errorf("%d variables, %d tasks", d, m)
			}
		}},
		{Says: "With MGDA’s weights GraB’s shared order gains nothing.", Seeds: often, Each: func(t testing.TB, seed int) {
			scenetest.Between(t, "times smaller", fact(t, values(t, "classes", "weighting", "mgda"), seed, "nearer.grab-shared"), 0.9, 1.1)
		}},
		{Says: "With equal weights ω is 5.8 ± 0.4 times smaller with JoGBa than with random orders, 4.9 ± 0.4 times with GraB’s shared order.",
			Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				smaller(t, values(t, "classes"), orders.JoGBa, "5.8 ± 0.4")
				smaller(t, values(t, "classes"), orders.GraBShared, "4.9 ± 0.4")
			}},
		{Says: "With MGDA’s weights it is 1.2 ± 0.1 times smaller with JoGBa: with α from 0.05 to 0.2 it is the weights that stop the runs, " +
			"random ones at 0.04 or 0.05 (40 draws).",
			Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				smaller(t, values(t, "classes", "weighting", "mgda"), orders.JoGBa, "1.2 ± 0.1")
				for alpha, stated := range map[string]string{"0.05": "0.04", "0.1": "0.05", "0.2": "0.05"} {
					typical(t, values(t, "classes", "weighting", "mgda", "alpha", alpha, "method", orders.Random), "late.random", stated)
				}
			}},
	},
	"targets": {
		{Says: "Where objectives share their inputs, an order for each tears apart what belongs together.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				if v := fact(t, values(t, "targets"), seed, "nearer."+orders.RandomOwn); v > 0.5 {
					t.Errorf("ω is %g times smaller with random orders for each", v)
				}
			}},
		{Says: "Regression with two targets: the objectives see the same inputs, of 20 variables.", Seeds: scenetest.Any,
			Holds: func(t testing.TB) {
				s := opened(t, values(t, "targets", "budget", "256"))
				if d, m := s.problem.Dims(); d != 20 || m != 2 {
					t.Errorf("%d variables, %d objectives", d, m)
				}
				if n := pairs(t, s, run(t, s, orders.Random)); n != 128 {
					t.Errorf("with one order %d pairs meet", n)
				}
				if n := pairs(t, s, run(t, s, orders.RandomOwn)); n <= 128 {
					t.Errorf("with an order for each %d pairs meet", n)
				}
			}},
		{Says: "Even JoGBa, which balances the orders of each, stays behind one random order for all; GraB’s shared order is ahead of it.",
			Seeds: often, Each: func(t testing.TB, seed int) {
				if v := fact(t, values(t, "targets"), seed, "nearer.jogba"); v >= 1 {
					t.Errorf("ω is %g times smaller with JoGBa", v)
				}
				times(t, "targets", seed, 1.2, orders.GraBShared)
			}},
		{Says: "ω is 4.1 ± 0.1 times as large with random orders for each as with one for all, and with JoGBa still 1.8 ± 0.1 times. GraB’s " +
			"shared order makes it 1.74 ± 0.04 times smaller (40 draws).", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			larger(t, values(t, "targets"), orders.RandomOwn, "4.1 ± 0.1")
			larger(t, values(t, "targets"), orders.JoGBa, "1.8 ± 0.1")
			smaller(t, values(t, "targets"), orders.GraBShared, "1.74 ± 0.04")
		}},
	},
	"theorems": {
		{Says: "With steps as short as the theorems’, no order is ahead by 1 %.", Seeds: often, Each: func(t testing.TB, seed int) {
			scenetest.Between(t, "times smaller", fact(t, values(t, "theorems"), seed, "nearer.jogba"), 0.99, 1.01)
		}},
		{Says: "With α = 0.1 both come nearer.", Seeds: often, Each: func(t testing.TB, seed int) {
			set, constant := values(t, "theorems"), values(t, "theorems", "schedule", "constant")
			for _, method := range []string{orders.Random, orders.JoGBa} {
				if a, b := fact(t, constant, seed, "late."+method), fact(t, set, seed, "late."+method); a > b {
					t.Errorf("ω of %s is %g, with the theorem’s steps %g", method, a, b)
				}
			}
		}},
		{Says: "The dashed slopes are the theorems’, drawn from where their other terms are smaller: with 8 samples that is within " +
			"sight, with 64 it is not.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			for examples, want := range map[string]bool{"8": true, "64": false} {
				s := scenetest.Open(t, New(), values(t, "theorems", "K", examples))
				for i := range orders.Rates {
					if orders.Rates[i].Visible(s.Timeline().Budget(), s.read.Examples()) != want {
						t.Errorf("with %s samples %s is drawn: %v", examples, orders.Rates[i].Power, !want)
					}
				}
			}
		}},
		{Says: "Over 80 draws Theorem 3.6 has α = 0.0011 ± 0.0001, and 3.9 has 0.0004. After 600 epochs ω is 0.036 ± 0.004 with random orders " +
			"and as much with JoGBa; with α = 0.1 it is 0.0016 ± 0.0003 and 0.0010 ± 0.0002.",
			Seeds: scenetest.Of(2 * draws), Holds: func(t testing.TB) {
				set, constant := values(t, "theorems"), values(t, "theorems", "schedule", "constant")
				of := func(set map[string]string, name string) []float64 {
					return ended.FactsOn(t, set, scenetest.TwoBases(draws), name)
				}
				scenetest.StatesMean(t, "α of Theorem 3.6", of(set, "stepsize.random"), "0.0011 ± 0.0001")
				scenetest.StatesMean(t, "α of Theorem 3.9", of(values(t, "theorems", "schedule", "theorem39"), "stepsize.jogba"), "0.0004")
				scenetest.StatesGeometricMean(t, "random orders", of(set, "omega.random"), "0.036 ± 0.004")
				scenetest.StatesGeometricMean(t, "JoGBa", of(set, "omega.jogba"), "0.036 ± 0.004")
				scenetest.StatesGeometricMean(t, "random orders, α = 0.1", of(constant, "omega.random"), "0.0016 ± 0.0003")
				scenetest.StatesGeometricMean(t, "JoGBa, α = 0.1", of(constant, "omega.jogba"), "0.0010 ± 0.0002")
			}},
	},
}

// farAheadOfMany: with equal weights and many samples, all balancing orders reduce ω by at least the given factors.
func farAheadOfMany(t testing.TB, seed int) {
	t.Helper()
	for _, method := range []string{orders.GraBShared, orders.GraBSeparate, orders.JoGBa} {
		if v := fact(t, values(t, "many", "weighting", "ls"), seed, "nearer."+method); v <= 3 {
			t.Errorf("ω of %s is %g times smaller", method, v)
		}
	}
}

// TestCards checks that every sentence of the scene holds when it is played.
func TestCards(t *testing.T) { claims.Check(t, About) }

func defaultMethods() string { return strings.Join(defaults().On, ",") }

// times checks that ω is smaller than with random orders by at least a factor, with a card's methods.
func times(t testing.TB, card string, seed int, least float64, methods ...string) {
	t.Helper()
	for _, method := range methods {
		if v := fact(t, values(t, card), seed, "nearer."+method); v <= least {
			t.Errorf("ω of %s is %g times smaller", method, v)
		}
	}
}

// subtracts checks the share of v that a centring subtracts; v is the sum of two objectives’ mean gradients in the previous epoch.
func subtracts(t testing.TB, centring string, share float64) {
	t.Helper()
	s := opened(t, values(t, "centring", "centring", centring, "budget", "129"))
	r := run(t, s, orders.JoGBa)
	v, before, offered := make([]float64, 4), make([]float64, 4), make([]float64, 4)
	for k := range 129 {
		s.read.At(r, k+1, func(d *ordering.Descent) {
			jacobian := d.View().Jacobian
			for m := range 2 {
				if k < 128 {
					floats.AddScaled(v, 1./128, jacobian.Row(m))
					continue
				}
				d.Offer(before, offered, m)
				floats.AddScaled(offered, share, v)
				if !floats.EqualApprox(offered, jacobian.Row(m), 1e-9*floats.Norm(v, 2)) {
					t.Errorf("with %g v, %v, objective %d offers %v of %v", share, v, m+1, offered, jacobian.Row(m))
				}
			}
		})
	}
}

// spends checks the backpropagations of a step of random and of balanced orders.
func spends(t testing.TB, weighting string, random int) {
	t.Helper()
	s := opened(t, values(t, "cost", "weighting", weighting, "budget", "64"))
	for _, method := range s.values.On {
		want := 2 * 64
		if method == orders.Random {
			want = random * 64
		}
		if got := scenetest.Fact(t, s.Facts(), "bp."+method); got != float64(want) {
			t.Errorf("%s spends %g", method, got)
		}
	}
}

// pairs counts the pairs of samples of the first two objectives that met in a run's epochs.
func pairs(t testing.TB, s *Scene, r *timeline.Run) int {
	t.Helper()
	met := map[[2]int]bool{}
	for epoch := range r.Last() / orders.Examples(r) {
		s.read.WithOrders(r, epoch, func(list [][]int) {
			for k, sample := range list[0] {
				met[[2]int{sample, list[len(list)-1][k]}] = true
			}
		})
	}
	return len(met)
}

// shown returns the scene with a visitor's file and some values, its runs at the end.
func shown(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	s := New()
	if err := s.Paste(pasted(t, `{"A": [[[1, 0], [0, 1], [1, 1], [2, 1], [1, 3]], [[1, 2], [0, 3], [1, 1], [2, 2], [1, 0]]],
		"y": [[1, 2, 2, 0, 1], [0, 1, 0, 3, 1]]}`)); err != nil {
		t.Fatal(err)
	}
	for name, text := range values {
		if err := s.Params().Assign(name, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Restart(nil); err != nil {
		t.Fatal(err)
	}
	scenetest.Step(t, s, -1)
	return s
}

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

// seeds is the number of seeds on which claims are tested. draws is the number of seeds on which the numbers stated in
// texts are measured; manyDraws replaces it if the results differ much between seeds.
const seeds, draws, manyDraws = 20, 40, 120

// often requires a claim to hold on at least nine in ten seeds.
var often = scenetest.Over(seeds, 0.9)

// fact returns a fact at the end of the runs with the given values and seed.
func fact(t testing.TB, set map[string]string, seed int, name string) float64 {
	t.Helper()
	return ended.Fact(t, set, seed, name)
}

// values returns a card's values with the given changes. The argument further alternates names and values.
func values(t testing.TB, card string, further ...string) map[string]string {
	t.Helper()
	return scenetest.Values(t, About.Presets, card, further...)
}

// opened returns the scene with the given values after its runs have ended.
func opened(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	s := scenetest.Open(t, New(), values)
	scenetest.Step(t, s, -1)
	return s
}

// ended reads facts at the end of runs.
var ended = scenetest.Ended[*Scene]{New: New, Alone: true, Beside: []string{"speed", "view", "axis", "walk"}}

// facts returns a fact at the end of the runs with the given values, for each draw.
func facts(t testing.TB, set map[string]string, name string) []float64 {
	t.Helper()
	return ended.Facts(t, set, draws, name)
}

// smaller checks the stated factor by which a method's ω is smaller than with random orders.
func smaller(t testing.TB, set map[string]string, method, stated string) {
	t.Helper()
	scenetest.StatesGeometricMean(t, fmt.Sprintf("ω of %s, times smaller with %v,", method, set), facts(t, set, "nearer."+method), stated)
}

// larger checks the stated factor by which a method's ω is larger than with random orders.
func larger(t testing.TB, set map[string]string, method, stated string) {
	t.Helper()
	ratios := slices.Clone(facts(t, set, "nearer."+method))
	for i, v := range ratios {
		ratios[i] = 1 / v
	}
	scenetest.StatesGeometricMean(t, fmt.Sprintf("ω of %s, times as large with %v,", method, set), ratios, stated)
}

// typical checks the stated geometric mean of a fact over the seeds.
func typical(t testing.TB, set map[string]string, name, stated string) {
	t.Helper()
	scenetest.StatesGeometricMean(t, name, facts(t, set, name), stated)
}

// mean checks the stated arithmetic mean of a fact over the seeds.
func mean(t testing.TB, set map[string]string, name, stated string) {
	t.Helper()
	scenetest.StatesMean(t, name, facts(t, set, name), stated)
}

// run returns a method's run with the first seed.
func run(t testing.TB, s *Scene, method string) *timeline.Run {
	t.Helper()
	r := s.Timeline().FindFrom(method, 0)
	if r.Run == nil {
		t.Fatalf("%s does not run", method)
	}
	return r.Run
}

// endsWhereItBegins checks, for all methods, that the walk of the epoch at the marker ends where it begins.
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
		{Says: "In a pile of flash cards a good order never shows one topic many times in a row. Each line is one epoch, one pass through " +
			"the pile. Sample after sample, it adds up how far the gradients are from the mean of all gradients, so it ends where " +
			"it begins.", Seeds: scenetest.Any, Holds: func(t testing.TB) { endsWhereItBegins(t, opened(t, nil)) }},
		{Says: "In a random order the line strays on the way; a balancing order learns from epoch to epoch to keep it near the middle.",
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
		{Says: "Drag the time back into the first epoch: there GraB still visits the samples in Random’s order, and strays just as far.",
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
		{Says: "Each line is one epoch through your samples. Sample after sample, it adds up how far the gradients are from the mean of " +
			"all gradients, so it ends where it begins. What matters is how far it strays on the way.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				endsWhereItBegins(t, shown(t, nil))
			}},
	},
	"dataTry": {
		{Says: "Let the first epoch use the order of your file, and see whether the balancing orders move away from it.",
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
		{Says: "Late in the run, balancing orders are more than twice as close to stationarity as random ones.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				times(t, "matter", seed, 2, orders.GraBShared, orders.GraBSeparate, orders.JoGBa)
			}},
		{Says: "Runs share samples, start, step size and number of steps. Only the order differs, and each band shows six runs.",
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
		{Says: "With steps a tenth as long the order hardly matters.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				set := values(t, "matter", "alpha", "0.005")
				for _, method := range []string{orders.GraBShared, orders.JoGBa} {
					scenetest.Between(t, "times smaller", fact(t, set, seed, "nearer."+method), 0.7, 1.5)
				}
			}},
		{Says: "ω is 7.4 ± 0.5 times smaller with GraB’s shared order than with random orders, 6.1 ± 0.4 times with GraB’s separate orders, " +
			"and 4.3 ± 0.2 times with JoGBa (40 draws of the samples); with steps a tenth as long, 1.11 ± 0.03 times with GraB’s shared order " +
			"and 1.10 ± 0.03 with JoGBa.", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
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
		{Says: "Late in the run, balancing orders stay closer to the middle than a random one.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				set := values(t, "stray")
				for _, method := range []string{orders.GraBShared, orders.GraBSeparate, orders.JoGBa} {
					if a, b := fact(t, set, seed, "lateH."+method), fact(t, set, seed, "lateH.random"); a >= b {
						t.Errorf("H of %s is %g, of random orders %g", method, a, b)
					}
				}
			}},
		{Says: "The paper’s bound for separate orders is M times JoGBa’s, yet separate orders stay closer.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				set := values(t, "stray")
				if a, b := fact(t, set, seed, "lateH.grab-separate"), fact(t, set, seed, "lateH.jogba"); a >= b {
					t.Errorf("H is %g with separate orders, %g with JoGBa", a, b)
				}
			}},
		{Says: "With MGDA’s weights GraB’s shared order strays farther: it balances the weighted sum, not the plain sum.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				const name = "lateH.grab-shared"
				a, b := fact(t, values(t, "stray"), seed, name), fact(t, values(t, "stray", "weighting", "mgda"), seed, name)
				if b < 1.3*a {
					t.Errorf("H is %g with MGDA’s weights, %g with equal ones", b, a)
				}
			}},
		{Says: "Late in the run H, the largest distance divided by the longest gradient minus the mean, is 2.0 with random orders, 2.0 with " +
			"FlipFlop, 1.2 with JoGBa, and 0.8 with GraB’s separate orders. With GraB’s shared order it is 0.8, or 1.7 with MGDA’s weights " +
			"(means of 40 draws).",
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
		{Says: "Each gradient, minus a mean, goes to the side on which the sum stays smaller. A step visits one sample of each objective, " +
			"and subtracts the previous epoch’s mean from each gradient. The side, + or −, puts the sample at the front or the back of the " +
			"next order. Then come the weights and the move.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := opened(t, values(t, "slow"))
			for k := 17; k < 64; k++ { // after the first epoch, which has no mean yet
				s.Timeline().SetMarker(k)
				now := s.read.Step()
				if len(now.Now) != 2 || len(now.Offers) != 2 || len(now.Weights) != 2 {
					t.Fatalf("step %d: %d orders, %d offers, %d weights", k, len(now.Now), len(now.Offers), len(now.Weights))
				}
				for _, o := range now.Offers {
					// Recompute the offer from the sum that follows it. This loses the last digits.
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
		{Says: "In the first epoch there is no mean yet, so nothing is subtracted.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
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
		{Says: "With one order for all, runs stay far from stationarity here, balanced or not; with separate orders they come closer.",
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
		{Says: "MGDA computes its weights from the samples that meet in a step.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := opened(t, values(t, "each", "budget", "8"))
			if v := run(t, s, orders.Random).Stepper.View(); s.values.Weighting != "mgda" || !v.Refreshed {
				t.Errorf("%s, refreshed %v", s.values.Weighting, v.Refreshed)
			}
		}},
		{Says: "With one order for all, the same K pairs meet in every epoch. With an order for each objective, new pairs meet.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := opened(t, values(t, "each", "budget", "512"))
				for method, own := range map[string]bool{orders.Random: false, orders.GraBShared: false, orders.RandomOwn: true, orders.JoGBa: true} {
					if n := pairs(t, s, run(t, s, method)); (n > 128) != own {
						t.Errorf("%s: %d pairs of samples meet", method, n)
					}
				}
			}},
		{Says: "Balancing one order for all usually does not help.", Seeds: scenetest.Over(seeds, 0.8), Each: func(t testing.TB, seed int) {
			if v := fact(t, values(t, "each"), seed, "nearer.grab-shared"); v > 1.5 {
				t.Errorf("ω is %g times smaller", v)
			}
		}},
		{Says: "With separate orders, ω is 1.2 ± 0.1 times smaller even with random orders, and 1.4 ± 0.1 times with JoGBa (120 draws). On " +
			"42 of the 120 draws JoGBa’s ω is larger than with one random order.",
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
				// The sentence compares tables of the paper, so no run can test it. The card only raises the question.
				on := opened(t, values(t, "each", "budget", "8")).values.On
				if !slices.Contains(on, orders.RandomOwn) || !slices.Contains(on, orders.Random) {
					t.Errorf("%v run", on)
				}
			}},
	},
	"many": {
		{Says: "With many samples and variables GraB’s shared order is ahead of a random one even with MGDA’s weights.",
			Seeds: often, Each: func(t testing.TB, seed int) { times(t, "many", seed, 1.3, orders.GraBShared) }},
		{Says: "This problem has 512 samples in 10 variables.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := opened(t, values(t, "many", "budget", "8"))
			if d, _ := s.problem.Dims(); d != 10 || s.problem.Examples() != 512 {
				t.Errorf("%d samples, %d variables", s.problem.Examples(), d)
			}
		}},
		{Says: "With equal weights all three balancing orders are far ahead.", Seeds: often, Each: farAheadOfMany},
		{Says: "With MGDA’s weights ω is more than 1.3 times smaller with GraB’s shared order,",
			Seeds: often, Each: func(t testing.TB, seed int) { times(t, "many", seed, 1.3, orders.GraBShared) }},
		{Says: "on average 2.0 ± 0.1 times. With GraB’s separate orders it is 1.4 ± 0.1 times smaller, and with JoGBa 1.05 ± 0.04 times " +
			"(40 draws).",
			Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				set := values(t, "many")
				smaller(t, set, orders.GraBShared, "2.0 ± 0.1")
				smaller(t, set, orders.GraBSeparate, "1.4 ± 0.1")
				smaller(t, set, orders.JoGBa, "1.05 ± 0.04")
			}},
		{Says: "With equal weights all three orders make ω more than 3 times smaller.", Seeds: often, Each: farAheadOfMany},
	},
	"signs": {
		{Says: "If chance decides the signs, orders stray about as far as random ones.", Seeds: often, Each: func(t testing.TB, seed int) {
			set := values(t, "signs")
			for _, method := range []string{orders.GraBShared, orders.GraBSeparate, orders.JoGBa} {
				scenetest.Between(t, "H of "+method+" over that of random orders", fact(t, set, seed, "lateH."+method)/
					fact(t, set, seed, "lateH.random"), 0.7, 1.4)
			}
		}},
		{Says: "The self-balancing walk chooses its signs at random, but prefers the sign that keeps s small.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				if s := opened(t, values(t, "signs", "budget", "8")); s.values.Sign != string(ordering.SelfBalancing) {
					t.Errorf("the signs are %s", s.values.Sign)
				}
			}},
		{Says: "But its constant c = 30 ln(Kd/δ) is so large that both signs are almost equally likely, and no sign was ever certain.",
			Seeds: scenetest.Over(seeds, 1), Each: func(t testing.TB, seed int) {
				for _, method := range []string{orders.GraBShared, orders.JoGBa} {
					if v := fact(t, values(t, "signs"), seed, "clipped."+method); v != 0 {
						t.Errorf("%g of the signs of %s were certain", v, method)
					}
				}
			}},
		{Says: "The greedy rule comes with no proof, but its ω is less than half as large.", Seeds: often, Each: func(t testing.TB, seed int) {
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
		{Says: "H is 2.3 with GraB’s shared order and 2.2 with random orders. ω is 1.05 ± 0.06 times smaller with GraB’s shared order and " +
			"1.02 ± 0.04 times with JoGBa (40 draws).", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			set := values(t, "signs")
			mean(t, set, "lateH.random", "2.2")
			mean(t, set, "lateH.grab-shared", "2.3")
			smaller(t, set, orders.GraBShared, "1.05 ± 0.06")
			smaller(t, set, orders.JoGBa, "1.02 ± 0.04")
		}},
		{Says: "With the greedy rule the factors are 7.4 and 4.3.", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
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
		{Says: "As published, JoGBa subtracts the sum v of all objectives’ means from each objective’s gradient: M times what the gradients " +
			"have in common.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) { subtracts(t, "published", 1) }},
		{Says: "With v/M, as here, the common part is subtracted once.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) { subtracts(t, "perobjective", 0.5) }},
		{Says: "ω is 4.8 ± 0.2 times smaller than with random orders, and as published 4.3 ± 0.2 times. With four objectives the factors are " +
			"4.2 ± 0.4 and 4.4 ± 0.4 (40 draws).", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			smaller(t, values(t, "centring"), orders.JoGBa, "4.8 ± 0.2")
			smaller(t, values(t, "centring", "centring", "published"), orders.JoGBa, "4.3 ± 0.2")
			smaller(t, values(t, "centring", "M", "4"), orders.JoGBa, "4.2 ± 0.4")
			smaller(t, values(t, "centring", "M", "4", "centring", "published"), orders.JoGBa, "4.4 ± 0.4")
		}},
	},
	"flipflop": {
		{Says: "Whether reversing the order after each epoch helps is a matter of luck.", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
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
		{Says: "FlipFlop reverses the order so that the line strays back in the next epoch.",
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
		{Says: "With one permanent order, reversed or not, the runs differ more than with new orders.",
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
		{Says: "On 26 of 40 draws ω is smaller with FlipFlop than with random orders. With a new order in every other epoch it is smaller on " +
			"19 draws, and with one permanent order on 23.", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			for method, stated := range map[string]int{orders.FlipFlop: 26, orders.RandomFlipFlop: 19, orders.Once: 23} {
				scenetest.StatesCount(t, "ω of "+method+" is smaller", facts(t, values(t, "flipflop"), "nearer."+method),
					func(v float64) bool { return v > 1 }, stated)
			}
		}},
	},
	"adam": {
		{Says: "With Adam, too, balancing orders are more than twice as close to stationarity as random ones.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				times(t, "adam", seed, 2, orders.GraBShared, orders.GraBSeparate, orders.JoGBa)
			}},
		{Says: "The paper trains with Adam, which divides every coordinate by its usual size; balancing happens before this division.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := opened(t, values(t, "adam", "budget", "20"))
				d := run(t, s, orders.GraBShared).Stepper.(*ordering.Descent)
				before, offered := make([]float64, 4), make([]float64, 4)
				d.Offer(before, offered, 0)
				if !slices.Equal(offered, d.View().Direction) || slices.Equal(offered, d.Update()) { // v is 0 in the first epoch
					t.Errorf("balanced is %v of %v, which became %v", offered, d.View().Direction, d.Update())
				}
			}},
		{Says: "ω is 8.8 ± 0.6 times smaller with GraB’s shared order than with random orders and 5.1 ± 0.2 times with JoGBa (40 draws, equal " +
			"weights).", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			set := values(t, "adam")
			smaller(t, set, orders.GraBShared, "8.8 ± 0.6")
			smaller(t, set, orders.JoGBa, "5.1 ± 0.2")
		}},
	},
	"cost": {
		{Says: "Balancing orders need two backpropagations per step; a random order needs one. Balancing needs every objective’s gradient;",
			Seeds: scenetest.Any, Holds: func(t testing.TB) { spends(t, "ls", 1) }},
		{Says: "if weights are computed in every step, all orders do.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) { spends(t, "mgda", 2) }},
		{Says: "The signs (dark) cost a few additions per variable on top. Times are measured in this browser; the paper reports 0.05 out of " +
			"1.2 to 1.6 seconds (Table 3). With batches of 64 samples the signs’ share is much smaller.",
			// Only a benchmark can measure the time. The number of signs and the length of their vectors stay the same,
			// but each gradient uses 64 samples instead of one.
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
		{Says: "With weights kept for eight steps, one random order takes little more than half the backpropagations of the other orders.",
			Seeds: scenetest.Over(seeds, 1), Each: func(t testing.TB, seed int) {
				for method, want := range map[string]float64{orders.Random: keptBP, orders.RandomOwn: othersBP, orders.GraBShared: othersBP,
					orders.GraBSeparate: othersBP, orders.JoGBa: othersBP} {
					if v := fact(t, values(t, "kept"), seed, "bp."+method); v != want {
						t.Errorf("%s spends %g", method, v)
					}
				}
			}},
		{Says: "MGDA’s weights are computed only in every eighth step.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			r := run(t, opened(t, values(t, "kept", "budget", "40")), orders.Random)
			for k := range 40 {
				if row := r.Kept(k); row.Refreshed != (k%8 == 0) {
					t.Errorf("at %d weights are refreshed: %v", k, row.Refreshed)
				}
			}
		}},
		{Says: "Between these steps one backpropagation is enough for a shared order without balancing. All other orders still need the " +
			"gradient of each objective.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := opened(t, values(t, "kept", "budget", "80"))
			for _, r := range s.Timeline().Runs() {
				want := 160 // two backpropagations in each step
				if r.Method == orders.Random {
					want = 10*2 + 70
				}
				if bp := r.Kept(r.Len() - 1).BP; bp != want {
					t.Errorf("%s spends %d in 80 steps, want %d", r.Method, bp, want)
				}
			}
		}},
		{Says: "In return, ω is 1.8 ± 0.1 times smaller with GraB’s separate orders. With new weights in every step it is 1.2 ± 0.1 times " +
			"smaller (40 draws).",
			Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				smaller(t, values(t, "kept"), orders.GraBSeparate, "1.8 ± 0.1")
				smaller(t, values(t, "kept", "R", "1", "method", "random,grab-separate"), orders.GraBSeparate, "1.2 ± 0.1")
			}},
	},
	"batches": {
		{Says: "With mini-batches, too, balancing orders are ahead of random ones.", Seeds: often, Each: func(t testing.TB, seed int) {
			times(t, "batches", seed, 1.5, orders.GraBShared, orders.GraBSeparate, orders.JoGBa)
		}},
		{Says: "An example is a batch of eight samples that stay together, and an order is an order of batches.",
			Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := opened(t, values(t, "batches", "budget", "64"))
				if n, k := s.problem.Examples(), orders.Examples(run(t, s, orders.Random)); n != 8*k || k != 64 {
					t.Errorf("%d samples, %d places", n, k)
				}
			}},
		{Says: "Random orders already come closer to stationarity than with single samples, because a mean of eight samples strays " +
			"less.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				a, b := fact(t, values(t, "batches"), seed, "late.random"), fact(t, values(t, "batches", "batch", "1"), seed, "late.random")
				if a > b {
					t.Errorf("ω of random orders is %g, with single samples %g", a, b)
				}
			}},
		{Says: "ω is 8.7 ± 0.7 times smaller with GraB’s shared order and 4.3 ± 0.3 times with JoGBa. With single samples the factors are " +
			"6.6 ± 0.5 and 4.2 ± 0.3 (40 draws).", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			set, single := values(t, "batches"), values(t, "batches", "batch", "1")
			smaller(t, set, orders.GraBShared, "8.7 ± 0.7")
			smaller(t, set, orders.JoGBa, "4.3 ± 0.3")
			smaller(t, single, orders.GraBShared, "6.6 ± 0.5")
			smaller(t, single, orders.JoGBa, "4.2 ± 0.3")
		}},
	},
	"classes": {
		{Says: "In classification, too, balancing orders come closer to stationarity than a random one.", Seeds: often,
			Each: func(t testing.TB, seed int) { times(t, "classes", seed, 1.5, orders.GraBShared, orders.JoGBa) }},
		{Says: "The two tasks are logistic regressions, each on its own points.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			s := opened(t, values(t, "classes", "budget", "8"))
			if d, m := s.problem.Dims(); d != 3 || m != 2 {
				t.Errorf("%d variables, %d tasks", d, m)
			}
		}},
		{Says: "With MGDA’s weights GraB’s shared order brings no gain.", Seeds: often, Each: func(t testing.TB, seed int) {
			scenetest.Between(t, "times smaller", fact(t, values(t, "classes", "weighting", "mgda"), seed, "nearer.grab-shared"), 0.9, 1.1)
		}},
		{Says: "With equal weights ω is 5.8 ± 0.4 times smaller with JoGBa than with random orders, and 4.9 ± 0.4 times with GraB’s shared " +
			"order.",
			Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				smaller(t, values(t, "classes"), orders.JoGBa, "5.8 ± 0.4")
				smaller(t, values(t, "classes"), orders.GraBShared, "4.9 ± 0.4")
			}},
		{Says: "With MGDA’s weights it is 1.2 ± 0.1 times smaller with JoGBa. With α from 0.05 to 0.2 the weights make the runs stall; runs " +
			"with random orders stall at ω = 0.04 or 0.05 (40 draws).",
			Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				smaller(t, values(t, "classes", "weighting", "mgda"), orders.JoGBa, "1.2 ± 0.1")
				for alpha, stated := range map[string]string{"0.05": "0.04", "0.1": "0.05", "0.2": "0.05"} {
					typical(t, values(t, "classes", "weighting", "mgda", "alpha", alpha, "method", orders.Random), "late.random", stated)
				}
			}},
	},
	"targets": {
		{Says: "If objectives share their inputs, separate orders tear apart what belongs together.", Seeds: often,
			Each: func(t testing.TB, seed int) {
				if v := fact(t, values(t, "targets"), seed, "nearer."+orders.RandomOwn); v > 0.5 {
					t.Errorf("ω is %g times smaller with random orders for each", v)
				}
			}},
		{Says: "In this regression with two targets both objectives use the same inputs, with 20 variables.", Seeds: scenetest.Any,
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
		{Says: "Even JoGBa, which balances each objective’s order, stays behind one random order for all; GraB’s shared order is ahead of both.",
			Seeds: often, Each: func(t testing.TB, seed int) {
				if v := fact(t, values(t, "targets"), seed, "nearer.jogba"); v >= 1 {
					t.Errorf("ω is %g times smaller with JoGBa", v)
				}
				times(t, "targets", seed, 1.2, orders.GraBShared)
			}},
		{Says: "ω is 4.1 ± 0.1 times as large with separate random orders as with one random order for all, and still 1.8 ± 0.1 times with " +
			"JoGBa. With GraB’s shared order it is 1.74 ± 0.04 times smaller (40 draws).", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
			larger(t, values(t, "targets"), orders.RandomOwn, "4.1 ± 0.1")
			larger(t, values(t, "targets"), orders.JoGBa, "1.8 ± 0.1")
			smaller(t, values(t, "targets"), orders.GraBShared, "1.74 ± 0.04")
		}},
	},
	"theorems": {
		{Says: "With steps as short as the theorems’, no order is ahead by as much as 1 %.", Seeds: often, Each: func(t testing.TB, seed int) {
			scenetest.Between(t, "times smaller", fact(t, values(t, "theorems"), seed, "nearer.jogba"), 0.99, 1.01)
		}},
		{Says: "With α = 0.1 both orders come closer to ω = 0.", Seeds: often, Each: func(t testing.TB, seed int) {
			set, constant := values(t, "theorems"), values(t, "theorems", "schedule", "constant")
			for _, method := range []string{orders.Random, orders.JoGBa} {
				if a, b := fact(t, constant, seed, "late."+method), fact(t, set, seed, "late."+method); a > b {
					t.Errorf("ω of %s is %g, with the theorem’s steps %g", method, a, b)
				}
			}
		}},
		{Says: "The theorems’ slopes are dashed. They begin where the theorems’ other terms are smaller: in view with 8 samples, out of " +
			"view with 64.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
			for examples, want := range map[string]bool{"8": true, "64": false} {
				s := scenetest.Open(t, New(), values(t, "theorems", "K", examples))
				for i := range orders.Rates {
					if orders.Rates[i].Visible(s.Timeline().Budget(), s.read.Examples()) != want {
						t.Errorf("with %s samples %s is drawn: %v", examples, orders.Rates[i].Power, !want)
					}
				}
			}
		}},
		{Says: "Over 80 draws Theorem 3.6 sets α = 0.0011 ± 0.0001, and Theorem 3.9 sets 0.0004. After 600 epochs ω is 0.036 ± 0.004 both " +
			"with random orders and with JoGBa. With α = 0.1 it is 0.0016 ± 0.0003 and 0.0010 ± 0.0002.",
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

// farAheadOfMany checks that, with equal weights and many samples, every balancing order makes ω more than three times
// smaller than random orders do.
func farAheadOfMany(t testing.TB, seed int) {
	t.Helper()
	for _, method := range []string{orders.GraBShared, orders.GraBSeparate, orders.JoGBa} {
		if v := fact(t, values(t, "many", "weighting", "ls"), seed, "nearer."+method); v <= 3 {
			t.Errorf("ω of %s is %g times smaller", method, v)
		}
	}
}

// TestCards checks that every sentence of the scene's texts holds.
func TestCards(t *testing.T) { claims.Check(t, About) }

func defaultMethods() string { return strings.Join(defaults().On, ",") }

// times checks that each of the given methods makes ω smaller than random orders do, by more than the given factor.
func times(t testing.TB, card string, seed int, least float64, methods ...string) {
	t.Helper()
	for _, method := range methods {
		if v := fact(t, values(t, card), seed, "nearer."+method); v <= least {
			t.Errorf("ω of %s is %g times smaller", method, v)
		}
	}
}

// subtracts checks which share of v a centring subtracts, where v is the sum of two objectives’ mean gradients in the
// previous epoch.
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

// spends checks how many backpropagations a step costs: two with balancing orders, and the given number with random
// orders.
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

// pairs returns how many different pairs of samples met in a run's complete epochs. A pair consists of the samples that
// the orders of the first and the last objective have at the same step.
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

// shown returns the scene with a visitor's file and the given values after its runs have ended.
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

package fairness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/problem"
	"paretoplay/algo/transport"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/scene/scenetest"
	table "paretoplay/internal/study/fairnessgrid"
)

// nine requires a claim to hold for at least 18 of twenty seeds. twenty marks claims that state numbers measured with
// twenty seeds.
var (
	nine   = scenetest.Over(20, 0.9)
	twenty = scenetest.Of(20)
)

// end returns a card's scene at the end of its runs.
func end(t testing.TB, c *scenetest.Card, settings ...string) *Scene {
	t.Helper()
	return c.End(t, settings...).(*Scene)
}

// draws returns a number at the end of a card's runs for each of twenty seeds.
func draws(t testing.TB, c *scenetest.Card, of func(s *Scene) float64, settings ...string) []float64 {
	t.Helper()
	return drawsOn(t, scenetest.SeedList(20), c, of, settings...)
}

// drawsOn returns the same numbers as draws, but for a list of seeds.
func drawsOn(t testing.TB, seeds []int, c *scenetest.Card, of func(s *Scene) float64, settings ...string) (out []float64) {
	t.Helper()
	for _, s := range c.SeededOn(t, seeds, settings...) {
		out = append(out, of(s.(*Scene)))
	}
	return out
}

// of returns a function that reads the named fact of a scene.
func of(t testing.TB, name string) func(s *Scene) float64 {
	return func(s *Scene) float64 { return scenetest.Number(t, s, name) }
}

// lost returns the accuracy of the line with the lowest loss minus that of the line with zero covariance, in percentage
// points.
func lost(t testing.TB, s *Scene) float64 {
	return scenetest.Number(t, s, "accuracy.accurate") - scenetest.Number(t, s, "accuracy.fair")
}

// result returns a method's entry in the scene's results.
func result(t testing.TB, s *Scene, method string) RunResult {
	t.Helper()
	for _, r := range s.Results().(map[string]any)["runs"].([]RunResult) {
		if r.Method == method {
			return r
		}
	}
	t.Fatalf("no run of %s", method)
	return RunResult{}
}

// beforeEnd returns MosT's hypervolume after the given number of rounds, divided by its hypervolume at the end.
func beforeEnd(t testing.TB, s *Scene, rounds int) float64 {
	t.Helper()
	r := s.Timeline().Find(plans.MosT + "-1").Run
	row, err := s.Timeline().At(r, rounds)
	if err != nil {
		t.Fatal(err)
	}
	return row.Number(volume) / result(t, s, plans.MosT).Hypervolume
}

// share returns a method's share of the whole front's hypervolume.
func share(t testing.TB, s *Scene, method string) float64 {
	return result(t, s, method).Hypervolume / (100 * s.front.most())
}

// relative returns a function that computes a method's hypervolume divided by another's.
func relative(t testing.TB, method, to string) func(s *Scene) float64 {
	return func(s *Scene) float64 { return result(t, s, method).Hypervolume / result(t, s, to).Hypervolume }
}

// rowsOf returns the rows that a solution receives in a method's last plan.
func rowsOf(t testing.TB, s *Scene, method string, solution int) (rows []int) {
	t.Helper()
	r := s.Timeline().Find(method + "-1").Run
	row, err := s.Timeline().At(r, r.Last()-1)
	if err != nil {
		t.Fatal(err)
	}
	mass, m, ok := plans.PlanOf(r, row)
	if !ok {
		t.Fatal("no plan")
	}
	for i := range len(mass) / m {
		if mass[i*m+solution] > 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

// withOnly returns MosT's solutions that receive only the given objective.
func withOnly(t testing.TB, s *Scene, objective int) (out []Solution) {
	t.Helper()
	for j, solution := range result(t, s, plans.MosT).Solutions {
		if slices.Equal(rowsOf(t, s, plans.MosT, j), []int{objective}) {
			out = append(out, solution)
		}
	}
	return out
}

// fewestRight returns the lowest accuracy, in percent, of MosT's solutions that receive only the covariance.
func fewestRight(t testing.TB, s *Scene) float64 {
	least := 100.0
	for _, solution := range withOnly(t, s, 1) {
		least = min(least, 100*solution.Accuracy)
	}
	return least
}

// offFront returns how far a solution's loss is above the loss on the front at the same covariance, relative to the
// range of losses on the front.
func offFront(s *Scene, solution *Solution) float64 {
	onFront := math.Inf(1)
	for _, f := range s.front.f {
		if f[1] <= solution.Squared+1e-6 {
			onFront = min(onFront, f[0])
		}
	}
	return (solution.Loss - onFront) / (s.front.fair()[0] - s.front.accurate()[0])
}

// servesCovariance reports whether a solution of MosT-E serves the pure covariance, which is the last row of the plan.
func servesCovariance(t testing.TB, s *Scene, solution int) bool {
	return slices.Contains(rowsOf(t, s, plans.Extended, solution), 19)
}

// agreement returns the share of points whose attribute equals their class.
func agreement(s *Scene) (share float64) {
	for j, y := range s.sample.Y {
		if s.sample.Z[j] == float64(classOf(y)) {
			share += 1 / float64(s.sample.Len())
		}
	}
	return share
}

// noisyMGDA returns the largest squared covariance among MGDA's solutions after a thousand steps on batches of ten,
// relative to that of the most accurate line.
func noisyMGDA(t testing.TB, s *Scene) float64 {
	t.Helper()
	p, err := problem.NewFairness(s.values.problem())
	if err != nil {
		t.Fatal(err)
	}
	batches, err := problem.NewFairnessBatches(p, 10)
	if err != nil {
		t.Fatal(err)
	}
	noisy, err := transport.NewMosT(transport.Config{Problem: batches, Starts: s.starts, StepSize: 0.1,
		Matching: transport.Unmatched, Seed: s.values.Seed})
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if _, err := noisy.Step(); err != nil {
			t.Fatal(err)
		}
	}
	var most float64
	for _, f := range rows(noisy.View().F, 5) {
		most = max(most, f[1])
	}
	return most / s.front.accurate()[1]
}

// once holds settings that limit runs to one round. Tests that read only the data and the front use them.
var once = []string{"budget", "1"}

var claims = scenetest.CardClaims{
	"summary": {
		{Says: "A firm draws a line through its applicants’ marks to decide whom to hire. The most accurate line hires one group more than " +
			"twice as often as the other. Points are people of two classes, some with a sensitive attribute, and each line decides who gets " +
			"+1.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := end(t, c, once...)
				without, with := s.sample.PositiveShares(s.front.theta[0])
				if !(with > 2*without) {
					t.Errorf("+1 for %v of those with the attribute, for %v of those without", with, without)
				}
				var both, class float64
				for j, y := range s.sample.Y {
					if y > 0 {
						class++
						both += s.sample.Z[j]
					}
				}
				if both/class < 0.6 {
					t.Errorf("%v of class +1 have the attribute", both/class)
				}
			}},
		{Says: "Each method searches for five lines at once, from the most accurate line to one whose decisions do not correlate with the " +
			"attribute.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, c *scenetest.Card) {
				for _, r := range c.Open(t).Timeline().Runs() {
					if r.Solutions() != 5 {
						t.Errorf("%s has %d", r.Name, r.Solutions())
					}
				}
			}},
	},
	"try": {
		{Says: "Turn the attribute to 80° with its ring in the picture or with the φ slider: now a line can be fair and nearly as accurate.",
			Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				if !slices.Contains(About.Keys, "phi") {
					t.Error("there is no such slider in sight")
				}
				turned := end(t, c, "phi", "80", "budget", "1")
				scenetest.Between(t, "points lost", lost(t, turned), 0, 6)
				scenetest.Between(t, "ratio", scenetest.Number(t, turned, "ratio.fair"), 85, 100)
				scenetest.Between(t, "points lost before", lost(t, end(t, c, once...)), 9, 100)
			}},
	},
	"accurate": {
		{Says: "The line with the lowest loss gives +1 more than twice as often to people with the attribute.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := end(t, c, once...)
				if without, with := s.sample.PositiveShares(s.front.theta[0]); !(with > 2*without) {
					t.Errorf("+1 for %v of those with the attribute, for %v of those without", with, without)
				}
			}},
		{Says: "The 80 % rule requires nearly equal shares.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, _ *scenetest.Card) {
				alike := &problem.FairnessSample{X: []float64{1, 0, 1, 0}, Y: []float64{1, 1}, Z: []float64{0, 1}}
				scenetest.Between(t, "the ratio of equal shares", ratioOf(alike, []float64{1, 0}), 0.8, 1)
			}},
		{Says: "The line without covariance has them, but costs 10 to 20 points of accuracy: press its symbol.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := end(t, c, once...)
				scenetest.Between(t, "ratio", scenetest.Number(t, s, "ratio.fair"), 80, 100)
				scenetest.Between(t, "points lost", lost(t, s), 10, 20)
			}},
		{Says: "On average over 20 draws, the line with the lowest loss gets 88 of 100 points right, with a ratio of 42 %; the line without " +
			"covariance gets 72 right, with a ratio of 95 %.", Seeds: twenty,
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.StatesMean(t, "accuracy", draws(t, c, of(t, "accuracy.accurate"), once...), "88")
				scenetest.StatesMean(t, "ratio", draws(t, c, of(t, "ratio.accurate"), once...), "42")
				scenetest.StatesMean(t, "accuracy", draws(t, c, of(t, "accuracy.fair"), once...), "72")
				scenetest.StatesMean(t, "ratio", draws(t, c, of(t, "ratio.fair"), once...), "95")
			}},
	},
	"two": {
		{Says: "Two solutions end as the same line, two as lines without covariance, and none in between.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := end(t, c)
				same, fair := withOnly(t, s, 0), withOnly(t, s, 1)
				if len(same) != 2 || len(fair) != 2 {
					t.Fatalf("%d have the loss alone, %d the covariance", len(same), len(fair))
				}
				a, b := same[0].Theta, same[1].Theta
				if math.Hypot(a[0]-b[0], a[1]-b[1]) > 1e-3*math.Hypot(a[0], a[1]) {
					t.Errorf("those with the loss alone are at %v and %v", a, b)
				}
				for _, solution := range fair {
					scenetest.Between(t, "covariance²", solution.Squared, 0, 1e-6)
				}
			}},
		{Says: "MosT has two objectives for four solutions, so each solution receives only one.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := end(t, c)
				rows, m := s.Timeline().Runs()[0].Stepper.(*transport.MosT).Matched()
				if rows != 2 || m != 4 || len(withOnly(t, s, 0))+len(withOnly(t, s, 1)) != 4 {
					t.Errorf("%d objectives, %d solutions", rows, m)
				}
			}},
		{Says: "Solutions that receive only the covariance stop wherever their covariance is 0; one of them is wrong on 76 of 100 points here.",
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.About(t, "points that are wrong", 100-fewestRight(t, end(t, c)), 76, 0)
			}},
		{Says: "On 16 of 20 draws, one solution is wrong more often than right.", Seeds: twenty,
			Holds: func(t testing.TB, c *scenetest.Card) {
				right := draws(t, c, func(s *Scene) float64 { return fewestRight(t, s) })
				scenetest.StatesCount(t, "fewer points right than wrong", right, func(v float64) bool { return v < 50 }, 16)
			}},
		{Says: "After three rounds, the hypervolume was more than twice its final value.",
			Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.Between(t, "hypervolume after three rounds", beforeEnd(t, end(t, c), 3), 2, 100)
			}},
	},
	"spread": {
		{Says: "Mixtures of both goals spread MosT-E’s lines along the front; MosT falls behind.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := end(t, c)
				scenetest.Between(t, "MosT relative to MosT-E", relative(t, plans.MosT, plans.Extended)(s), 0, 0.9)
				var along []float64 // losses of the lines on the front, from 0 to 1
				for j, solution := range result(t, s, plans.Extended).Solutions {
					if !servesCovariance(t, s, j) {
						scenetest.Between(t, "distance off the front", offFront(s, &solution), -1, 0.1)
						along = append(along, (solution.Loss-s.front.accurate()[0])/(s.front.fair()[0]-s.front.accurate()[0]))
					}
				}
				if len(along) < 4 || slices.Max(along)-slices.Min(along) < 0.3 {
					t.Errorf("they are at %v", along)
				}
			}},
		{Says: "Of twenty mixtures of the two objectives, each solution serves a few similar ones.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := end(t, c)
				if rows, _ := s.Timeline().Find("most-e-1").Stepper.(*transport.MosT).Matched(); rows != 20 {
					t.Errorf("%d objectives", rows)
				}
				for j := range 5 {
					places := rowsOf(t, s, plans.Extended, j) // by falling weight of the loss
					if n := len(places); n < 4 || n > 6 || slices.Max(places)-slices.Min(places) != n-1 {
						t.Errorf("solution %d serves those at %v", j+1, places)
					}
				}
			}},
		{Says: "Only the solution that serves the pure covariance stops as soon as its covariance is 0, even if it errs often:", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := end(t, c)
				for j, solution := range result(t, s, plans.Extended).Solutions {
					if servesCovariance(t, s, j) {
						scenetest.Between(t, "covariance²", solution.Squared, 0, 1e-6)
					} else {
						scenetest.Between(t, "another’s covariance²", solution.Squared, 1e-4, 10)
					}
				}
			}},
		{Says: "here its square symbol is off the front.",
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := end(t, c)
				for j, solution := range result(t, s, plans.Extended).Solutions {
					if !servesCovariance(t, s, j) {
						continue
					}
					scenetest.Between(t, "distance off the front", offFront(s, &solution), 1, 10)
					if shape := brush.Light.Solution(j).Shape; shape != brush.Square {
						t.Errorf("its sign is %v", shape)
					}
				}
			}},
		{Says: "MosT-E’s five lines have 91 % of the whole front’s hypervolume, MosT’s 15 % (medians of 40 draws); on 5 of these draws MosT " +
			"has more than half of the front’s.", Seeds: scenetest.Of(40),
			Holds: func(t testing.TB, c *scenetest.Card) {
				for method, stated := range map[string]string{plans.Extended: "91", plans.MosT: "15"} {
					shares := drawsOn(t, scenetest.TwoBases(20), c, func(s *Scene) float64 { return 100 * share(t, s, method) })
					scenetest.StatesMedian(t, method, shares, stated)
					if method == plans.MosT {
						scenetest.StatesCount(t, "MosT has more than half", shares, func(v float64) bool { return v > 50 }, 5)
					}
				}
			}},
		{Says: "On 17 of 20 draws, MosT has less than half of MosT-E’s.", Seeds: twenty,
			Holds: func(t testing.TB, c *scenetest.Card) {
				apart := draws(t, c, relative(t, plans.MosT, plans.Extended))
				scenetest.StatesCount(t, "MosT has less than half", apart, func(v float64) bool { return v < 0.5 }, 17)
			}},
	},
	"mixtures": {
		{Says: "If most mixtures are nearly a single goal, MosT-E falls behind plain weighted sums.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.Between(t, "MosT-E relative to linearization", relative(t, plans.Extended, plans.Linearization)(end(t, c)), 0, 1)
			}},
		{Says: "With shape 0.1, most mixtures are nearly a single goal.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.Open(t).(*Scene)
				mixtures, err := transport.DirichletMixtures(2, 1000, 0.1, false, s.values.Seed)
				if err != nil {
					t.Fatal(err)
				}
				near := 0
				for _, w := range mixtures {
					if max(w[0], w[1]) > 0.95 {
						near++
					}
				}
				scenetest.Between(t, "mixtures that are nearly one objective, of 1000", float64(near), 501, 1000)
			}},
		{Says: "With shape 1, MosT-E’s hypervolume is larger than with 0.1,", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				one, tenth := result(t, end(t, c, "shape", "1"), plans.Extended), result(t, end(t, c), plans.Extended)
				scenetest.Between(t, "shape 1 relative to 0.1", one.Hypervolume/tenth.Hypervolume, 1.001, 10)
			}},
		{Says: "and ten objectives in total do about as well as twenty.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				ten, twenty := end(t, c, "shape", "1", "extended", "10"), end(t, c, "shape", "1")
				few, all := result(t, ten, plans.Extended).Hypervolume, result(t, twenty, plans.Extended).Hypervolume
				scenetest.Between(t, "ten relative to twenty", few/all, 0.9, 1.1)
			}},
		{Says: "MosT-E is behind linearization on 18 of 20 draws with shape 0.1,", Seeds: twenty,
			Holds: func(t testing.TB, c *scenetest.Card) {
				behind := draws(t, c, relative(t, plans.Extended, plans.Linearization))
				scenetest.StatesCount(t, "MosT-E is behind", behind, func(v float64) bool { return v < 1 }, 18)
			}},
		{Says: "and ahead of it on 11 with shape 1.", Seeds: twenty,
			Holds: func(t testing.TB, c *scenetest.Card) {
				ratios := draws(t, c, relative(t, plans.Extended, plans.Linearization), "shape", "1")
				scenetest.StatesCount(t, "MosT-E is ahead", ratios, func(v float64) bool { return v > 1 }, 11)
			}},
	},
	"hard": {
		{Says: "If the attribute follows the class, a fair line is hardly better than a coin.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.Between(t, "accuracy", scenetest.Number(t, end(t, c, once...), "accuracy.fair"), 45, 55)
			}},
		{Says: "At φ = 0°, the attribute follows the class as closely as the features allow.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				// The attribute is drawn with the probability of class +1 at the point.
				agree := agreement(c.Open(t, "samples", "4000").(*Scene))
				scenetest.Between(t, "share of points whose attribute is that of the class", agree, 0.8, 0.9)
			}},
		{Says: "The line without covariance gets at most 54 of 100 points right.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.Between(t, "accuracy", scenetest.Number(t, end(t, c, once...), "accuracy.fair"), 40, 54)
			}},
		{Says: "On average over 20 draws, the line without covariance gets 51 of 100 points right, and the line with the lowest loss " +
			"has a ratio of 14 %.", Seeds: twenty,
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.StatesMean(t, "accuracy", draws(t, c, of(t, "accuracy.fair"), once...), "51")
				scenetest.StatesMean(t, "ratio", draws(t, c, of(t, "ratio.accurate"), once...), "14")
			}},
	},
	"easy": {
		{Says: "With another attribute, a line can be fair and nearly as accurate as the best line.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := end(t, c, once...)
				scenetest.Between(t, "points lost", lost(t, s), 0, 6)
				scenetest.Between(t, "ratio", scenetest.Number(t, s, "ratio.fair"), 85, 100)
			}},
		{Says: "The points are the same as at φ = 0°.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, c *scenetest.Card) {
				a, b := c.Open(t, "phi", "0").(*Scene).sample, c.Open(t).(*Scene).sample
				if !slices.Equal(a.X, b.X) || !slices.Equal(a.Y, b.Y) || slices.Equal(a.Z, b.Z) {
					t.Error("other points, or the same attribute")
				}
			}},
		{Says: "The data, not the method, decide how hard the choice is.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, c *scenetest.Card) {
				for _, phi := range []string{"0", "80"} {
					s := c.Open(t, "phi", phi).(*Scene)
					before := fmt.Sprint(s.front.f)
					if scenetest.Step(t, s, -1); fmt.Sprint(s.front.f) != before {
						t.Error("the front moves")
					}
				}
			}},
		{Says: "On average over 20 draws, the line without covariance gets 85 of 100 points right, with a ratio of 96 %.", Seeds: twenty,
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.StatesMean(t, "accuracy", draws(t, c, of(t, "accuracy.fair"), once...), "85")
				scenetest.StatesMean(t, "ratio", draws(t, c, of(t, "ratio.fair"), once...), "96")
			}},
		{Says: "It costs at most six points of accuracy.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.Between(t, "points lost", lost(t, end(t, c, once...)), 0, 6)
			}},
	},
	"table": {
		{Says: "EPO is near the top here; in the paper it is last.",
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.Between(t, "EPO’s share", relative(t, plans.EPO, plans.Extended)(end(t, c)), 0.9, 1.1)
			}},
		{Says: "The paper ranks MosT-E first, then linearization, MosT, MGDA and EPO.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, _ *scenetest.Card) {
				rows := tableRows(t)
				slices.SortFunc(rows, func(a, b tableRow) int { return int(1000 * (b.Paper - a.Paper)) })
				var order []string
				for _, r := range rows {
					order = append(order, r.Method)
				}
				if got := strings.Join(order, " "); got != "most-e linearization most mgda epo" {
					t.Error(got)
				}
			}},
		{Says: "In the paper, steps use batches, whose noise drives MGDA to the fair end; here steps use all points.", Seeds: nine,
			Holds: func(t testing.TB, c *scenetest.Card) {
				// The fair end has covariance 0; the other end has the accurate line's covariance.
				scenetest.Between(t, "largest covariance² with batches", noisyMGDA(t, c.Open(t).(*Scene)), 0, 0.05)
			}},
		{Says: "In the experiment fairness, with 20 draws of data and batches of ten, the hypervolumes relative to MosT-E’s are: linearization " +
			"0.96 (paper 0.88), MosT 0.51 (0.49), MGDA 0.42 (0.43), but EPO 0.98 (0.32).", Seeds: twenty,
			Holds: func(t testing.TB, _ *scenetest.Card) {
				rows := tableRows(t)
				unit := rows[slices.IndexFunc(rows, func(r tableRow) bool { return r.Method == "most-e" })]
				said := map[string][2]string{
					"most-e": {"1.00", "1.00"}, "linearization": {"0.96", "0.88"}, "most": {"0.51", "0.49"}, "mgda": {"0.42", "0.43"},
					"epo": {"0.98", "0.32"},
				}
				for _, r := range rows {
					got := [2]string{fmt.Sprintf("%.2f", r.Hypervolume/unit.Hypervolume), fmt.Sprintf("%.2f", r.Paper/unit.Paper)}
					if got != said[r.Method] {
						t.Errorf("%s has %v, want %v", r.Method, got, said[r.Method])
					}
				}
				if c := table.Default(); c.Runs != 20 || c.Batch[0] != 10 {
					t.Errorf("%+v", c)
				}
			}},
		{Says: "With all points, MGDA’s value ranges from 0.04 to 1.0 over 40 draws.", Seeds: scenetest.Of(40),
			Holds: func(t testing.TB, c *scenetest.Card) {
				shares := drawsOn(t, scenetest.TwoBases(20), c, relative(t, plans.MGDA, plans.Extended), "method", "most-e,mgda")
				low, high := slices.Min(shares), slices.Max(shares)
				if low > 0.2 || high < 0.85 || high > 1.1 || !scenetest.Fresh() && fmt.Sprintf("%.2f %.1f", low, high) != "0.04 1.0" {
					t.Errorf("it is from %g to %g", low, high)
				}
			}},
	},
}

// tableRow is a row of the experiment's table with batches.
type tableRow struct {
	Method             string
	Hypervolume, Paper float64
}

// tableRows returns the rows of the stored tables.
func tableRows(t testing.TB) []tableRow {
	t.Helper()
	data, err := os.ReadFile("../../docs/fairness.csv")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := table.New(table.Default())
	if err != nil {
		t.Fatal(err)
	}
	if err := experiment.Resume(tables.Grid, bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := tables.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var record struct {
		Tables []struct {
			Batch   int
			Methods []tableRow
		}
	}
	if err := json.Unmarshal(b.Bytes(), &record); err != nil {
		t.Fatal(err)
	}
	for _, one := range record.Tables {
		if one.Batch == 10 {
			return one.Methods
		}
	}
	t.Fatal("no table with batches")
	return nil
}

// TestCards checks that the claims match the cards' texts word for word and hold.
func TestCards(t *testing.T) { claims.Check(t, About) }

// help holds claims that check what the parameters' help texts say about the parameters' effects.
var help = scenetest.CardClaims{
	"phi": {
		{Says: "At 0°, the attribute follows the class as closely as the features allow; at larger angles, it follows the class less closely.",
			Seeds: scenetest.Any,
			Holds: func(t testing.TB, c *scenetest.Card) {
				before := 1.0
				for _, phi := range []string{"0", "30", "60", "90", "120", "150", "180"} {
					share := agreement(c.Open(t, "phi", phi, "samples", "4000").(*Scene))
					if share >= before {
						t.Errorf("at %s° the attribute is the class of %v of the points, before of %v", phi, share, before)
					}
					before = share
				}
			}},
	},
}

// TestHelp checks that the claims match the parameters' help texts and hold.
func TestHelp(t *testing.T) { help.CheckHelp(t, About) }

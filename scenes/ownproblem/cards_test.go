package ownproblem_test

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/formula"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
	"paretoplay/scenes/ownproblem"
)

func says(words string, seeds scenetest.Seeds, holds func(t testing.TB, c *scenetest.Card)) scenetest.CardClaim {
	return scenetest.CardClaim{Says: words, Seeds: seeds, Holds: holds}
}

// over requires a claim to hold on at least 18 of twenty seeds.
var over = scenetest.Over(20, 0.9)

type results struct {
	Front []struct{ X, F []float64 }
}

func frontOf(t testing.TB, c *scenetest.Card, settings ...string) results {
	t.Helper()
	return scenetest.Results[results](t, c.End(t, settings...))
}

func number(t testing.TB, c *scenetest.Card, fact string, settings ...string) float64 {
	t.Helper()
	return scenetest.Number(t, c.End(t, settings...), fact)
}

// ends returns the last rows of a method's runs.
func ends(t testing.TB, c *scenetest.Card, method string, settings ...string) (rows []timeline.Row) {
	t.Helper()
	s := c.End(t, settings...)
	for _, r := range scenetest.Tracks(t, s, method) {
		rows = append(rows, scenetest.Last(r))
	}
	return rows
}

// shares returns the share of the rows r for which holds(r) is true.
func shares[R any](rows []R, holds func(R) bool) float64 {
	n := 0
	for _, r := range rows {
		if holds(r) {
			n++
		}
	}
	return float64(n) / float64(len(rows))
}

// near returns a function that reports whether a row is near a point of the front. A row is near a point if their
// distance, relative to the front's ranges, is < within.
func near(front results, within float64) func(timeline.Row) bool {
	low, high := slices.Clone(front.Front[0].F), slices.Clone(front.Front[0].F)
	for _, p := range front.Front {
		for i, v := range p.F {
			low[i], high[i] = min(low[i], v), max(high[i], v)
		}
	}
	return func(r timeline.Row) bool {
		for _, p := range front.Front {
			var square float64
			for i, v := range p.F {
				d := (v - r.F[i]) / (high[i] - low[i])
				square += d * d
			}
			if math.Sqrt(square) < within {
				return true
			}
		}
		return false
	}
}

// gradients returns the exact gradients of the card's formulas at a point.
func gradients(t testing.TB, text string, x ...float64) *algo.Jacobian {
	t.Helper()
	p, err := formula.Parse(text, len(x))
	if err != nil {
		t.Fatal(err)
	}
	_, m := p.Dims()
	jac := algo.NewJacobian(m, len(x))
	p.Jacobian(jac, x)
	return jac
}

var claims = scenetest.CardClaims{
	"summary": {
		says("A light bridge bends, and a stiff bridge is heavy. Enter what you want to minimise as two to four formulas. The picture shows "+
			"the front, and the valleys where no step lowers every formula. Every method runs on your formulas. Here, two bowls conflict; one of "+
			"them contains a wave.", over, func(t testing.TB, c *scenetest.Card) {
			if n := len(frontOf(t, c).Front); n < 100 {
				t.Errorf("%d points of the front", n)
			}
			if at := shares(ends(t, c, "mgda"), near(frontOf(t, c), 0.02)); at < 0.9 {
				t.Errorf("%g of the runs are at the front", at)
			}
		}),
		{Says: "The dots are runs that start all over the plane, coloured by where they end.", Seeds: scenetest.Any, Holds: scenetest.Swarmed},
	},
	"try": {
		says("Change a number in f₁, for example the wave’s 0.3 to 1: the valley bends, and the runs end elsewhere.", over,
			func(t testing.TB, c *scenetest.Card) {
				before := ends(t, c, "mgda")
				after := ends(t, c, "mgda", "f1", "(x-1)^2 + (y+0.5)^2 + 1*sin(3*y)")
				var apart float64
				for i := range before {
					apart += math.Hypot(before[i].X[0]-after[i].X[0], before[i].X[1]-after[i].X[1]) / float64(len(before))
				}
				if apart < 0.05 {
					t.Errorf("runs end %g apart", apart)
				}
			}),
	},
	"spheres": {
		says("All runs reach the line between the two minima, where every point is critical.", over,
			func(t testing.TB, c *scenetest.Card) {
				for _, method := range []string{"mgda", "ls"} {
					for _, r := range ends(t, c, method) {
						if math.Abs(r.X[1]) > 1e-3 || math.Abs(r.X[0]) > 1.001 {
							t.Errorf("%s ends at %v", method, r.X)
						}
					}
				}
			}),
		says("Each objective is the squared distance from a point. Where the two gradients are opposite, no step helps both objectives.",
			scenetest.Any, func(t testing.TB, _ *scenetest.Card) {
				j := gradients(t, "(x-1)^2 + y^2\n(x+1)^2 + y^2", 0.3, 0)
				if j.Row(0)[0]*j.Row(1)[0] >= 0 || j.Row(0)[1] != 0 || j.Row(1)[1] != 0 {
					t.Errorf("gradients %v between the points", j.Data)
				}
			}),
	},
	"truss": {
		says("A lighter truss bends more, and the ring on the front shows by how much.", over, func(t testing.TB, c *scenetest.Card) {
			light, heavy := number(t, c, "walked.1", "walk", "40"), number(t, c, "walked.1")
			bends, less := number(t, c, "walked.2", "walk", "40"), number(t, c, "walked.2")
			if light >= heavy || bends <= less || !(number(t, c, "rate.2") > 0) {
				t.Errorf("from (%g, %g) to (%g, %g)", heavy, less, light, bends)
			}
		}),
		says("Four bars carry a load. f₁ is their volume in cm³ (in m³ with u = 0.000001); f₂ is the joint’s displacement. Move the ring "+
			"with the arrow keys.", scenetest.Any,
			func(t testing.TB, c *scenetest.Card) {
				rings := 0
				for _, h := range scenetest.Handles(c.End(t)) {
					if strings.HasPrefix(h.ID, "walk") {
						rings++
					}
				}
				if rings == 0 {
					t.Error("there is no ring")
				}
			}),
	},
	"hatch": {
		says("Covers that are too light violate limits; f₂ measures the violation, and the front ends where it reaches 0.", scenetest.Any,
			func(t testing.TB, c *scenetest.Card) {
				front := frontOf(t, c).Front
				first, last := front[0], front[len(front)-1]
				if first.F[1] < 1 || last.F[1] > 1e-12 || math.Abs(last.F[0]-480-45/28.0) > 1e-6 || first.F[0] >= last.F[0] {
					t.Errorf("the front goes from %v to %v", first.F, last.F)
				}
			}),
		says("f₁ is the weight of a ship’s hatch cover; f₂ is the total excess over the allowed stresses and bending.", scenetest.Any,
			func(t testing.TB, c *scenetest.Card) {
				if text := c.End(t).Params().Text("f1"); text != "x1 + 120*x2" {
					t.Errorf("f1 is %s", text)
				}
			}),
	},
	"crash": {
		says("With three objectives, the front is a surface, and you can trade in two directions.", scenetest.Any,
			func(t testing.TB, c *scenetest.Card) {
				// At some points, f1 can be traded for f2 and, independently, for f3.
				for _, start := range []string{"1.2,1.4,1.6,1.1,1.3", "2,2,2,2,2", "2.8,1.2,2.5,1.5,2", "1.5,2.5,1.2,2,2.8", "1.1,2.9,2,1.2,1.4"} {
					settings, moved := []string{"walking", "true", "budget", "1", "starts", "1", "start", start}, 0
					for trade, other := range map[string]string{"walk": "walked.2", "walk2": "walked.3"} {
						if number(t, c, other, append(slices.Clone(settings), trade, "-3")...) > number(t, c, other, settings...) {
							moved++
						}
					}
					if moved == 2 {
						return
					}
				}
				t.Error("nowhere can f1 be traded for both others")
			}),
		says("The thicknesses of five parts of a car’s front determine the mass, the passengers’ acceleration and the toe board’s intrusion.",
			scenetest.Any, func(t testing.TB, c *scenetest.Card) {
				if n := len(frontOf(t, c).Front[0].X); n != 5 {
					t.Errorf("%d variables", n)
				}
			}),
	},
	"rocket": {
		says("Lines across the axes show which of the three objectives each run sacrifices.",
			scenetest.Any, func(t testing.TB, c *scenetest.Card) {
				if id := c.End(t).Panels()[2].ID(); id != "goals" {
					t.Errorf("the third panel is %s", id)
				}
			}),
		says("f₁ and f₃ are temperatures of the injector’s face and tip; f₂ is the combustion length.", scenetest.Any,
			func(t testing.TB, c *scenetest.Card) {
				if m := len(frontOf(t, c).Front[0].F); m != 3 {
					t.Errorf("%d objectives", m)
				}
			}),
	},
	"valley": {
		says("From one minimum, the critical set follows the floor of Rosenbrock’s bent valley.", scenetest.Any,
			func(t testing.TB, c *scenetest.Card) {
				for _, p := range frontOf(t, c).Front {
					if p.X[0] > 0.3 && math.Abs(p.X[1]-p.X[0]*p.X[0]) > 0.1 {
						t.Errorf("%v is off the floor", p.X)
					}
				}
			}),
		says("Along the floor f₁ hardly changes, so the bowl f₂ decides; across the floor, only f₁ matters.", scenetest.Any,
			func(t testing.TB, _ *scenetest.Card) {
				j := gradients(t, "(1-x)^2 + 10*(y-x^2)^2\n(x+1)^2 + (y+0.5)^2", 0.5, 0.25)
				along, across := j.Row(0)[0]*1+j.Row(0)[1]*1, gradients(t, "(1-x)^2 + 10*(y-x^2)^2\n(x+1)^2 + (y+0.5)^2", 0.5, 0.75)
				if math.Abs(along) > math.Abs(j.Row(1)[0]+j.Row(1)[1]) || math.Abs(across.Row(0)[1]) < 2*math.Abs(across.Row(1)[1]) {
					t.Errorf("along %g, across %v", along, across.Data)
				}
			}),
	},
	"himmelblau": {
		says("Most of the valleys are pale, because points elsewhere are better in both objectives.", scenetest.Any,
			func(t testing.TB, c *scenetest.Card) {
				s := c.End(t).(*ownproblem.Scene)
				if share := s.Surpassed(); share < 0.5 || share >= 1 {
					t.Errorf("%g of the critical places are surpassed", share)
				}
			}),
		says("Himmelblau’s function has four minima; the slope f₂ prefers one side. Each run ends in the first valley that it reaches.", over,
			func(t testing.TB, c *scenetest.Card) {
				quarters := map[[2]bool]bool{}
				for _, r := range append(ends(t, c, "mgda"), ends(t, c, "ls")...) {
					quarters[[2]bool{r.X[0] > 0, r.X[1] > 0}] = true
				}
				if len(quarters) < 3 {
					t.Errorf("runs end in %d quarters", len(quarters))
				}
			}),
	},
	"units": {
		says("With f₁ in thousandths, equal weights follow almost only f₁’s long gradient.", over, func(t testing.TB, c *scenetest.Card) {
			for _, r := range ends(t, c, "ls") {
				if math.Hypot(r.X[0]-1, r.X[1]) > 0.05 {
					t.Errorf("equal weights end at %v", r.X)
				}
			}
		}),
		says("This is the problem of the two spheres and has the same critical set. MGDA takes the shortest mixture and follows f₂’s gradient.",
			over, func(t testing.TB, c *scenetest.Card) {
				for _, r := range scenetest.Tracks(t, c.End(t), "mgda") {
					if w := r.Kept(r.Len() - 2).Weights; w[1] < 0.9 {
						t.Errorf("%s weighs %v", r.Label(), w)
					}
				}
			}),
	},
	"dtlz": {
		says("The front of these three objectives is an eighth of a sphere.", scenetest.Any, func(t testing.TB, c *scenetest.Card) {
			for _, p := range frontOf(t, c).Front {
				if size := math.Sqrt(p.F[0]*p.F[0] + p.F[1]*p.F[1] + p.F[2]*p.F[2]); math.Abs(size-1) > 0.02 {
					t.Errorf("%v is %g from the origin", p.F, size)
				}
			}
		}),
		says("DTLZ2 with four variables: two set the direction, the other two the distance outside the sphere.", scenetest.Any,
			func(t testing.TB, c *scenetest.Card) {
				for _, p := range frontOf(t, c).Front {
					if math.Abs(p.X[2]-0.5) > 0.1 || math.Abs(p.X[3]-0.5) > 0.1 {
						t.Errorf("the front has a point at %v", p.X)
					}
				}
			}),
	},
}

func TestCards(t *testing.T) {
	all := maps.Clone(claims)
	maps.Copy(all, readyClaims)
	all.Check(t, ownproblem.About)
}

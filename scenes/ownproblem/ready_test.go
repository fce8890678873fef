package ownproblem_test

import (
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/formula"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/scene/scenetest"
)

// written returns a card's problem, parsed from its texts.
func written(t testing.TB, card string) *formula.Problem {
	t.Helper()
	v := preset(t, card)
	text := v["define"] + "\nf1 = " + v["f1"] + "\nf2 = " + v["f2"]
	p, err := formula.Parse(text, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestKnownProblems checks that the cards' texts give the same values and gradients as the library's own problems.
func TestKnownProblems(t *testing.T) {
	fonseca, err := problem.NewFonseca(2, 0)
	if err != nil {
		t.Fatal(err)
	}
	zdt, err := problem.NewZDT(1, 5)
	if err != nil {
		t.Fatal(err)
	}
	for card, known := range map[string]algo.Problem{"fonseca": fonseca, "zdt1": zdt} {
		p := written(t, card)
		n, m := p.Dims()
		if a, b := known.Dims(); a != n || b != m {
			t.Fatalf("%s: %d variables and %d objectives, not %d and %d", card, n, m, a, b)
		}
		f, g, x := make([]float64, m), make([]float64, m), make([]float64, n)
		jac, want := algo.NewJacobian(m, n), algo.NewJacobian(m, n)
		for k := range 20 {
			for i := range x {
				x[i] = 0.05 + 0.9*math.Mod(0.618*float64((k+1)*(i+1)), 1)
			}
			p.Values(f, x)
			known.Values(g, x)
			p.Jacobian(jac, x)
			known.Jacobian(want, x)
			for i := range f {
				if math.Abs(f[i]-g[i]) > 1e-12*(1+math.Abs(g[i])) {
					t.Fatalf("%s: f%d(%v) = %g, not %g", card, i+1, x, f[i], g[i])
				}
			}
			for i := range jac.Data {
				if math.Abs(jac.Data[i]-want.Data[i]) > 1e-11*(1+math.Abs(want.Data[i])) {
					t.Fatalf("%s: gradients at %v are %v, not %v", card, x, jac.Data, want.Data)
				}
			}
		}
	}
}

// readyClaims are the claims of the cards with problems from the literature.
var readyClaims = scenetest.CardClaims{
	"fonseca": {
		{Says: "The front’s points are on the line between two dips, and the front bulges away from the origin.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, c *scenetest.Card) {
				front := pointsOf(t, c)
				for _, p := range front {
					if math.Abs(p.X[0]-p.X[1]) > 0.01 || math.Abs(p.X[0]) > math.Sqrt2/2+0.01 {
						t.Errorf("%v is off the line", p.X)
					}
				}
				if middle := front[len(front)/2].F; middle[0]+middle[1] < 1.1 {
					t.Errorf("the middle of the front is %v", middle)
				}
			}},
		{Says: "These formulas define the problem in the scene of periodic weights (Fonseca & Fleming 1996).", Seeds: scenetest.Any,
			Holds: func(t testing.TB, c *scenetest.Card) {
				p, err := problem.NewFonseca(2, 0)
				if err != nil {
					t.Fatal(err)
				}
				f := make([]float64, 2)
				for _, r := range c.End(t).Timeline().Tracks() {
					row := scenetest.Last(r)
					if p.Values(f, row.X); math.Abs(f[0]-row.F[0])+math.Abs(f[1]-row.F[1]) > 1e-12 {
						t.Errorf("%v at %v, not %v", row.F, row.X, f)
					}
				}
			}},
	},
	"kursawe": {
		{Says: "The front is in pieces; points between them are worse in both objectives than points on a piece.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, c *scenetest.Card) {
				if gap := scenetest.Number(t, c.End(t), "gap"); !(gap > 0.05) {
					t.Errorf("the widest gap is %g of the range", gap)
				}
				// In the decision space, the midpoint between the ends of the widest gap is worse than a point of the front in both
				// objectives.
				front, at, widest := pointsOf(t, c), 0, 0.0
				for i := range front[1:] {
					if d := front[i+1].F[0] - front[i].F[0]; d > widest {
						at, widest = i, d
					}
				}
				p, a, b := written(t, "kursawe"), front[at].X, front[at+1].X
				f, worse := make([]float64, 2), false
				p.Values(f, []float64{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2})
				for _, q := range front {
					worse = worse || q.F[0] < f[0] && q.F[1] < f[1]
				}
				if !worse {
					t.Errorf("between %v and %v nothing is worse", a, b)
				}
			}},
		{Says: "Kursawe’s problem (1990). The term s smooths its kinks at 0, so gradients exist everywhere.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, _ *scenetest.Card) {
				p, jac := written(t, "kursawe"), algo.NewJacobian(2, 2)
				if p.Jacobian(jac, []float64{0, 0}); !algo.Finite(jac.Data) {
					t.Errorf("gradients at 0 are %v", jac.Data)
				}
				if err := p.SetNumber("s", 0); err != nil {
					t.Fatal(err)
				}
				if p.Jacobian(jac, []float64{0, 0}); algo.Finite(jac.Data) {
					t.Errorf("without rounding they are %v", jac.Data)
				}
			}},
	},
	"zdt1": {
		{Says: "MGDA stops where f₁ cannot fall further; a weighted sum continues to the front.", Seeds: scenetest.Over(20, 0.9),
			Holds: func(t testing.TB, c *scenetest.Card) {
				for method, reaches := range map[string]bool{"mgda": false, "ls": true} {
					short, stopped := 0, 0
					tracks := scenetest.Tracks(t, c.End(t), method)
					for _, r := range tracks {
						row := scenetest.Last(r)
						g := 1 + 9*(row.X[1]+row.X[2]+row.X[3]+row.X[4])/4
						if g > 1.05 {
							short++
						}
						if row.X[0] <= 0.0001 {
							stopped++
						}
					}
					if reaches && short > 0 || !reaches && (2*short <= len(tracks) || 2*stopped <= len(tracks)) {
						t.Errorf("%s: %d of %d runs end above the front, %d at the least f1", method, short, len(tracks), stopped)
					}
				}
			}},
		{Says: "The part g measures how far a point is from the front, where g = 1 (Zitzler, Deb & Thiele 2000).", Seeds: scenetest.Any,
			Holds: func(t testing.TB, c *scenetest.Card) {
				for _, p := range pointsOf(t, c) {
					if off := p.X[1] + p.X[2] + p.X[3] + p.X[4]; off > 1e-3 {
						t.Errorf("the front has a point at %v", p.X)
					}
				}
			}},
		{Says: "x₁ stays slightly above 0, as the root has no slope at 0.", Seeds: scenetest.Any, Holds: func(t testing.TB, _ *scenetest.Card) {
			jac := algo.NewJacobian(2, 5)
			if written(t, "zdt1").Jacobian(jac, make([]float64, 5)); algo.Finite(jac.Data) {
				t.Errorf("gradients at 0 are %v", jac.Data)
			}
		}},
	},
}

// pointsOf returns the points of the front that the page shows.
func pointsOf(t testing.TB, c *scenetest.Card) []struct{ X, F []float64 } {
	t.Helper()
	front := scenetest.Results[struct{ Front []struct{ X, F []float64 } }](t, c.End(t)).Front
	if len(front) == 0 {
		t.Fatal("no front was found")
	}
	return front
}

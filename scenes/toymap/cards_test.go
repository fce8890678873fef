package toymap_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/problem"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
	"paretoplay/scenes/toymap"
)

// ending is a run's entry in the scene's results.
type ending struct {
	Run, Method string
	K, BP       int
	X, F        []float64
	Gap         float64
	Arrived     *struct{ K, BP int }
}

func endings(t testing.TB, s scene.Scene) map[string]ending {
	t.Helper()
	out := map[string]ending{}
	for _, e := range scenetest.Results[struct{ Endings []ending }](t, s).Endings {
		out[e.Run] = e
	}
	return out
}

// upper returns a method's runs from the starts (−8.5, 7.5) and (9, 9).
func upper(t testing.TB, s scene.Scene, method string) (out []timeline.Track) {
	t.Helper()
	for _, r := range scenetest.Tracks(t, s, method) {
		if r.Start()[1] > 5 {
			out = append(out, r)
		}
	}
	if len(out) != 2 {
		t.Fatalf("%d runs of %s begin above", len(out), method)
	}
	return out
}

// longest returns the length of a track's longest direction.
func longest(r timeline.Track) float64 {
	most := 0.0
	for i := range r.Len() {
		if d := r.Kept(i).Direction; d != nil {
			most = max(most, math.Hypot(d[0], d[1]))
		}
	}
	return most
}

// inValley reports whether a point is above x₂ = 0, in the half with the valleys.
func inValley(x []float64) bool { return x[1] > 0 }

// arrival returns the row where a run reached the front.
func arrival(t testing.TB, s scene.Scene, r timeline.Track) timeline.Row {
	t.Helper()
	a := endings(t, s)[r.Name()].Arrived
	if a == nil {
		t.Fatalf("%s does not arrive", r.Name())
		return timeline.Row{}
	}
	row, err := s.Timeline().At(r.Run, a.K)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// everyone is the card that compares all methods. chance lists the methods that draw random numbers and whose runs
// therefore depend on the seed.
var (
	everyone = scenetest.NewCard(toymap.About, "all")
	chance   = []string{"rlw", "graddrop"}
)

var claims = scenetest.CardClaims{
	"summary": {
		{Says: "Hikers with different habits leave the same huts for a lake far below. Below the two upper huts are narrow gorges. The lake " +
			"is the thick line at the bottom, where neither of two goals can improve unless the other gets worse.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				front, err := problem.NewToy(1, 0)
				if err != nil {
					t.Fatal(err)
				}
				a, b, side := make([]float64, 2), make([]float64, 2), make([]float64, 2)
				front.FrontPoint(a, -7)
				front.FrontPoint(b, 7)
				if !(a[0] > b[0]+10 && b[1] > a[1]+10) {
					t.Errorf("the front goes from %v to %v", a, b)
				}
				for _, r := range s.Timeline().Tracks() {
					if !slices.Equal(r.Start(), scenetest.Tracks(t, s, "mgda")[r.StartIndex()].Start()) {
						t.Errorf("%s starts at %v", r.Name(), r.Start())
					}
				}
				upper(t, s, "mgda")
				// At a distance of 0.1 from the bottom of its valley, an objective is much higher than at the bottom.
				for i, at := range [][]float64{{-5, 4}, {5, 4}} {
					front.Values(a, at)
					front.Values(side, []float64{at[0] - 0.1, at[1]})
					front.Values(b, []float64{at[0] + 0.1, at[1]})
					if min(side[i], b[i]) < a[i]+2 {
						t.Errorf("f%d is %v at the bottom, %v and %v beside it", i+1, a[i], side[i], b[i])
					}
				}
			}},
		{Says: "How a method weighs the two gradients determines whether it gets there, where it ends and what it costs.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				if mgda, ls := scenetest.Number(t, s, "arrived.mgda"), scenetest.Number(t, s, "arrived.ls"); mgda != 3 || ls != 1 {
					t.Errorf("%v runs of MGDA and %v of linear scalarization arrive", mgda, ls)
				}
				if a, b := scenetest.Last(scenetest.Track(t, s, "mgda-2")).X[0], scenetest.Last(scenetest.Track(t, s, "ls-2")).X[0]; math.Abs(a-b) < 5 {
					t.Errorf("from the lower start both end at %v and %v", a, b)
				}
				if psmgd, mgda := scenetest.Number(t, s, "bp.psmgd"), scenetest.Number(t, s, "bp.mgda"); 8*psmgd != 5*mgda {
					t.Errorf("PSMGD pays %v, MGDA %v", psmgd, mgda)
				}
			}},
		{Says: "The dots are hikers who start all over the plane, coloured by where they end.", Seeds: scenetest.Any, Holds: scenetest.Swarmed},
	},
	"try": {
		{Says: "See which methods get stuck in the valleys above.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			c.Nearby(t, nil, func(t testing.TB, s scene.Scene) {
				for _, method := range []string{"psmgd", "mgda", "ls", "pcgrad", "cagrad"} {
					for _, r := range upper(t, s, method) {
						if caught := method != "psmgd" && method != "mgda"; inValley(scenetest.Last(r).X) != caught {
							t.Errorf("%s ends at %v", r.Name(), scenetest.Last(r).X)
						}
					}
				}
			})
		}},
		{Says: "Then drag the upper left start down to the height of the lower left start: from there, every method arrives.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				if x, lower := scenetest.Track(t, s, "mgda-1").Start(), scenetest.Track(t, s, "mgda-2").Start(); x[0] > -8 ||
					x[1] < 7 || lower[1] != -5 {
					t.Errorf("the starts are %v and %v", x, lower)
				}
				for _, height := range []string{"-4", "-5", "-6"} {
					s := c.End(t, "start", "-8.5,"+height)
					for _, method := range []string{"psmgd", "mgda", "ls", "pcgrad", "cagrad"} {
						if e := endings(t, s)[method+"-1"]; e.Arrived == nil {
							t.Errorf("from (−8.5, %s) %s ends at %v", height, method, e.X)
						}
					}
				}
				// Dragging the handle start-1 sets the start of these runs.
				s = c.Open(t)
				scenetest.Finish(t, s)
				scenetest.Nudge(t, s, "start-1", 0, -125)
				if x := scenetest.Track(t, s, "mgda-1").Start(); math.Abs(x[1]+5) > 1e-9 {
					t.Errorf("the start is at %v", x)
				}
			}},
	},
	"stall": {
		{Says: "Linear scalarization gets stuck between the steep walls of both valleys above; MGDA gets through to the front.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				level := scenetest.Reference(t, toymap.About, "stall", "above this after 30,000 iterations: stuck").Y
				c.Nearby(t, nil, func(t testing.TB, s scene.Scene) {
					for _, e := range endings(t, s) {
						if e.Method == "mgda" && e.Arrived == nil {
							t.Errorf("%s does not arrive", e.Run)
						}
					}
					for _, r := range upper(t, s, "ls") {
						end := scenetest.Last(r)
						if end.K != 30_000 || end.X[1] < level+0.1 || math.Abs(math.Abs(end.X[0])-5) > 0.1 {
							t.Errorf("%s ends at %v, k = %d", r.Name(), end.X, end.K)
						}
						if crawl := r.Kept(r.Index(20_000)).X[1] - end.X[1]; crawl > 0.3 {
							t.Errorf("%s came down by %v in its last 10,000 iterations", r.Name(), crawl)
						}
					}
				})
			}},
		{Says: "Between the walls the mean gradient gets thousands of times as long as MGDA’s direction ever is. Adam divides every step by " +
			"the gradient lengths so far.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			c.Nearby(t, nil, func(t testing.TB, s scene.Scene) {
				mgda := upper(t, s, "mgda")
				for i, r := range upper(t, s, "ls") {
					if ls, its := longest(r), longest(mgda[i]); ls < 2000*its {
						t.Errorf("%s: longest directions %v and %v", r.Name(), ls, its)
					}
				}
				if optimizer := s.Params().Text("optimizer"); optimizer != "adam" {
					t.Errorf("the optimizer is %s", optimizer)
				}
			})
		}},
		{Says: "MGDA reaches the front after 18,000 iterations.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			c.Nearby(t, nil, func(t testing.TB, s scene.Scene) {
				for _, e := range endings(t, s) {
					if e.Method == "mgda" && (e.Arrived == nil || e.Arrived.K > 18_000) {
						t.Errorf("%s: %+v", e.Run, e.Arrived)
					}
				}
			})
		}},
	},
	"early": {
		{Says: "MGDA stops where it first meets the front; from the lower left start, that is the front’s very end.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				for _, r := range scenetest.Tracks(t, s, "mgda") {
					if first := arrival(t, s, r); math.Abs(first.X[0]-scenetest.Last(r).X[0]) > 0.4 {
						t.Errorf("%s meets the set at %v and ends at %v", r.Name(), first.X, scenetest.Last(r).X)
					}
				}
				r := scenetest.Track(t, s, "mgda-2")
				scenetest.About(t, "x₁ at the end", scenetest.Last(r).X[0], -7, 1)
			}},
		{Says: "At this end the first goal has hardly fallen.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			mark := func(label string) float64 { return scenetest.Reference(t, toymap.About, "early", label).X }
			r := scenetest.Track(t, c.End(t), "mgda-2")
			scenetest.About(t, "f₁ at the start", r.Kept(0).F[0], mark("start"), 1)
			scenetest.About(t, "f₁ at the end", scenetest.Last(r).F[0], mark("MGDA"), 1)
			toy, err := problem.NewToy(1, 0)
			if err != nil {
				t.Fatal(err)
			}
			f := make([]float64, 2)
			toy.FrontPoint(f, 7)
			scenetest.About(t, "the least f₁", f[0], mark("least"), 0)
			if fallen := mark("start") - mark("MGDA"); fallen > 0.2*(mark("start")-mark("least")) {
				t.Errorf("it has fallen by %v", fallen)
			}
		}},
		{Says: "CAGrad continues along the front to the middle.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.End(t)
			r := scenetest.Track(t, s, "cagrad-2")
			first := arrival(t, s, r)
			if first.X[0] > -6.5 || math.Abs(scenetest.Last(r).X[0]) > 0.01 {
				t.Errorf("it comes to the set at %v and ends at %v", first.X, scenetest.Last(r).X)
			}
		}},
	},
	"middle": {
		{Says: "From all three starts, CAGrad ends where the mean of the losses is lowest.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				c.Nearby(t, nil, func(t testing.TB, s scene.Scene) {
					lowest := math.Inf(1)
					for _, r := range c.End(t, "method", "ls", "start", "0,-8", "starts", "1").Timeline().Tracks() {
						lowest = (scenetest.Last(r).F[0] + scenetest.Last(r).F[1]) / 2
					}
					for _, r := range scenetest.Tracks(t, s, "cagrad") {
						if f := scenetest.Last(r).F; math.Abs((f[0]+f[1])/2-lowest) > 1e-3 {
							t.Errorf("%s ends at a mean of %v, the lowest is %v", r.Name(), (f[0]+f[1])/2, lowest)
						}
						mark := scenetest.Reference(t, toymap.About, "middle", "lowest mean")
						if x := scenetest.Last(r).X[0]; math.Abs(x-mark.X) > 0.02 {
							t.Errorf("%s ends at %v", r.Name(), x)
						}
					}
				})
			}},
		{Says: "CAGrad stays near the mean gradient, but takes more than 50,000 iterations to get through the valleys.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, c *scenetest.Card) {
				c.Nearby(t, nil, func(t testing.TB, s scene.Scene) {
					all := endings(t, s)
					for _, r := range upper(t, s, "cagrad") {
						if a := all[r.Name()].Arrived; a == nil || a.K <= 50_000 {
							t.Errorf("%s: %+v", r.Name(), a)
						}
					}
				})
			}},
	},
	"cost": {
		{Says: "From every start, PSMGD reaches the front first, and its runs cost five eighths of MGDA’s.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				c.Nearby(t, nil, func(t testing.TB, s scene.Scene) {
					all := endings(t, s)
					for name, a := range all {
						if a.Method == "psmgd" {
							if b := all[strings.Replace(name, "psmgd", "mgda", 1)]; 8*a.BP != 5*b.BP || a.Arrived.BP >= b.Arrived.BP {
								t.Errorf("%+v and %+v", a, b)
							}
						}
					}
					if s.Params().Text("axis") != "backpropagations" {
						t.Error("the axis is another one")
					}
				})
			}},
		{Says: "PSMGD with R = 4 computes weights only at every fourth step.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				r := scenetest.Track(t, s, "psmgd-1")
				for i := range 40 {
					if r.Kept(i).Refreshed != (i%4 == 0) || s.Params().Text("R") != "4" {
						t.Errorf("at %d: %v", i, r.Kept(i).Refreshed)
					}
				}
				if mark := scenetest.Reference(t, toymap.About, "cost", "rings: at the front"); s.Params().Text("tolerance") != fmt.Sprint(mark.Y) {
					t.Errorf("the level is %v", mark.Y)
				}
			}},
		{Says: "All runs of both methods end on the same front.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			c.Nearby(t, nil, func(t testing.TB, s scene.Scene) {
				for _, e := range endings(t, s) {
					if e.Arrived == nil || e.Gap > 0.1 {
						t.Errorf("%s: %+v", e.Run, e)
					}
				}
			})
		}},
	},
	"scale": {
		{Says: "Linear scalarization and CAGrad follow the larger goal to one side; IMTL-G and FAMO reach the front from every start.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				c.Nearby(t, nil, func(t testing.TB, s scene.Scene) {
					all := endings(t, s)
					for _, method := range []string{"ls", "cagrad"} {
						for _, r := range scenetest.Tracks(t, s, method)[:4] {
							scenetest.About(t, "x₁ of "+r.Name(), all[r.Name()].X[0], scenetest.Reference(t, toymap.About, "scale", "larger goal").X, 1)
						}
					}
					for _, e := range all {
						if (e.Method == "imtlg" || e.Method == "famo") && e.Arrived == nil {
							t.Errorf("%s does not arrive", e.Run)
						}
					}
				})
			}},
		{Says: "Here f₁ is ten times smaller.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			x, f, g := []float64{3, -5}, make([]float64, 2), make([]float64, 2)
			small, err := problem.NewToy(c.Open(t).Params().Value("scale").(float64), 0)
			if err != nil {
				t.Fatal(err)
			}
			large, err := problem.NewToy(1, 0)
			if err != nil {
				t.Fatal(err)
			}
			small.Values(f, x)
			large.Values(g, x)
			if math.Abs(10*f[0]-g[0]) > 1e-9 || f[1] != g[1] {
				t.Errorf("f = %v instead of %v", f, g)
			}
		}},
		{Says: "IMTL-G and FAMO balance relative progress, and FAMO ends nearest to the middle. From (9, 9), linear scalarization and " +
			"CAGrad have not arrived after 50,000 iterations.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			c.Nearby(t, nil, func(t testing.TB, s scene.Scene) {
				all, farthest := endings(t, s), map[string]float64{}
				for _, e := range all {
					farthest[e.Method] = max(farthest[e.Method], math.Abs(e.X[0]))
				}
				for _, other := range []string{"ls", "cagrad", "imtlg"} {
					if farthest["famo"] >= farthest[other] {
						t.Errorf("FAMO ends up to %v off, %s %v", farthest["famo"], other, farthest[other])
					}
				}
				for _, name := range []string{"ls-5", "cagrad-5"} {
					x := scenetest.Track(t, s, name).Start()
					if e := all[name]; e.Arrived != nil || e.K != 50_000 || math.Abs(x[0]-9) > 1e-9 || math.Abs(x[1]-9) > 1e-9 {
						t.Errorf("%s: %+v", e.Run, e)
					}
				}
			})
		}},
	},
	"newcomers": {
		{Says: "STCH descends the larger loss and reaches the middle of the front from all three starts.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				c.Nearby(t, nil, func(t testing.TB, s scene.Scene) {
					all := endings(t, s)
					for _, r := range scenetest.Tracks(t, s, "stch") {
						e := all[r.Name()]
						scenetest.About(t, "f₁ of "+e.Run, e.F[0], -15.1, 1)
						scenetest.About(t, "f₂ of "+e.Run, e.F[1], -15.1, 1)
						mark := scenetest.Reference(t, toymap.About, "newcomers", "both losses −15.1")
						if math.Abs(e.X[0]-mark.X) > 0.05 || e.Arrived == nil || e.Arrived.K > 15_000 {
							t.Errorf("%+v", e)
						}
					}
					if n := len(scenetest.Tracks(t, s, "stch")); n != 3 {
						t.Errorf("%d runs", n)
					}
				})
			}},
		{Says: "From above, ConFIG (equal shares of both gradients) and DualProj (the mean moved into the cone) take more than twice as " +
			"long as STCH.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				c.Nearby(t, nil, func(t testing.TB, s scene.Scene) {
					all := endings(t, s)
					for _, method := range []string{"config", "dualproj"} {
						for i, r := range upper(t, s, method) {
							stch := all[upper(t, s, "stch")[i].Name()]
							if e := all[r.Name()]; e.Arrived == nil || e.Arrived.K <= 2*stch.Arrived.K {
								t.Errorf("%+v", e)
							}
						}
					}
				})
			}},
		{Says: "ExcessMTL is still in both valleys after 60,000 iterations.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			c.Nearby(t, nil, func(t testing.TB, s scene.Scene) {
				all := endings(t, s)
				for _, r := range upper(t, s, "excessmtl") {
					if e := all[r.Name()]; e.K != 60_000 || !inValley(e.X) || e.Arrived != nil {
						t.Errorf("%+v", e)
					}
				}
			})
		}},
	},
	"all": {
		{Says: "Nine of twenty-two methods get through the narrow valley within 35,000 iterations; seven are still in it at the end.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				// Two of the methods draw random numbers; the runs of the others are the same as on the card.
				count := func(s scene.Scene, drawn bool) (arrived, caught int) {
					for _, e := range endings(t, s) {
						if slices.Contains(chance, e.Method) != drawn {
							continue
						}
						if e.Arrived != nil && float64(e.Arrived.K) <= scenetest.Reference(t, toymap.About, "all", "nine by here").X {
							arrived++
						}
						if e.K == 50_000 && e.X[1] > 0.2 {
							caught++
						}
					}
					return arrived, caught
				}
				arrived, caught := count(everyone.End(t), false)
				a, b := count(c.End(t, "method", strings.Join(chance, ",")), true)
				if arrived+a != 9 || caught+b != 7 {
					t.Errorf("%d arrive, %d are caught", arrived+a, caught+b)
				}
			}},
		{Says: "All runs start at the upper left.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				if n := len(s.Timeline().Tracks()); n != 22 {
					t.Errorf("there are %d", n)
				}
				for _, r := range s.Timeline().Tracks() {
					if x := r.Start(); x[0] > -8 || x[1] < 7 {
						t.Errorf("%s starts at %v", r.Name(), x)
					}
					if x := scenetest.Last(scenetest.Track(t, everyone.End(t), r.Name())).X; !slices.Contains(chance, r.Method) &&
						!slices.Equal(scenetest.Last(r).X, x) {
						t.Errorf("%s ends at %v or %v, as the seed is", r.Name(), scenetest.Last(r).X, x)
					}
				}
			}},
		{Says: "Which methods get through, and where do the others end?", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			texts := ""
			for _, p := range c.End(t).Panels() {
				if p.ID() == "arrivals" {
					texts = p.Describe()
				}
			}
			if !strings.Contains(texts, "MGDA 1 of 1") || !strings.Contains(texts, "Linear scalarization 0 of 1") {
				t.Errorf("the page does not answer: %s", texts)
			}
		}},
	},
}

func TestCards(t *testing.T) { claims.Check(t, toymap.About) }

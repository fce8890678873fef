package bilevelpaths_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/problem"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/timeline"
	"paretoplay/scenes/bilevelpaths"
)

// within returns a function that reports whether a row is within a distance of the solutions.
func within(distance float64) func(timeline.Row) bool {
	return func(row timeline.Row) bool { return row.Number(twolevel.Distance) <= distance }
}

// needs returns the number of iterations after which a run stays within 0.01 of the solutions.
func needs(t testing.TB, r timeline.Track) int {
	t.Helper()
	row, there := scenetest.Settles(r, within(0.01))
	if !there {
		t.Fatalf("%s does not stay near the solutions", r.Name())
	}
	return row.K
}

// ask returns how much FORUM's step at a row lowers q̃, to first order, as a share of ‖∇q̃‖². It also returns ‖∇q̃‖²
// itself. The loop takes T steps of size η from ω.
func ask(row timeline.Row, steps int, eta float64) (share, squared float64) {
	// ω̃ − (α, α) is (1 − 2η)ᵀ (ω − (α, α)), which reduces the part of ∂f/∂α in ∂q̃/∂α accordingly.
	left := math.Pow(1-2*eta, float64(steps))
	a, b := row.X[1]-row.X[0], row.X[2]-row.X[0]
	slope := []float64{-2 * (a + b) * (1 - left), 2 * a, 2 * b}
	for i, v := range slope {
		squared += v * v
		share += v * row.Direction[i]
	}
	return share / squared, squared
}

// random holds settings that replace the paper's three start points with four random ones.
var random = []string{"startset", "random", "starts", "4"}

func apart(x, y []float64) float64 { return math.Hypot(x[0]-y[0], x[1]-y[1]) }

// pulls checks the rate at which a step lowers q̃ while the constraint is active: φ = (ρ/2)‖∇q̃‖² with the exact dual,
// and 2φ with FORUM as printed.
func pulls(t testing.TB, c *scenetest.Card) {
	s := c.End(t, random...)
	rho := s.Params().Value("rho").(float64)
	for method, want := range map[string]float64{"forum": rho, "forumexact": rho / 2} {
		for _, r := range scenetest.Tracks(t, s, method) {
			asked := 0
			for k := range r.Len() - 1 {
				row := r.Kept(k)
				share, squared := ask(row, 50, 0.05)
				if row.Number(twolevel.Nu) > 0 && squared > 1e-6 {
					if asked++; math.Abs(share-want) > 1e-6 {
						t.Errorf("%s at k = %d: q̃ falls by %v of its squared slope, %v is asked", r.Name(), k, share, want)
						break
					}
				}
			}
			if asked == 0 {
				t.Errorf("%s is never pulled", r.Name())
			}
		}
	}
}

var claims = scenetest.CardClaims{
	"summary": {
		{Says: "A town sets a toll, and then the traffic settles by itself. To choose well, the town must foresee where traffic settles. Each " +
			"path leads from a start, which you can drag, to the grey bar of solutions. There the lower level has settled at the bottom of its " +
			"valley, and neither of the two upper goals can gain without a loss to the other.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t, random...)
				starts := 0
				for _, h := range scenetest.Handles(s) {
					if strings.HasPrefix(h.ID, "start-") {
						starts++
					}
				}
				for _, r := range s.Timeline().Tracks() {
					if !within(1e-8)(scenetest.Last(r)) || r.StartIndex() >= starts {
						t.Errorf("%s, of %d starts, ends at %v", r.Name(), starts, scenetest.Last(r).X)
					}
				}
				q, gradient, f := problem.NewQuadraticBilevel(), make([]float64, 3), make([]float64, 2)
				var before []float64
				for _, at := range []float64{1, 1.25, 1.5, 1.75, 2} {
					z := []float64{at, at, at}
					q.LowerGradient(gradient, z)
					if v := q.Lower(z); v != 0 || gradient[1] != 0 || gradient[2] != 0 {
						t.Errorf("at α = %v f is %v with the slope %v", at, v, gradient[1:])
					}
					q.Values(f, z)
					if before != nil && !(f[0] > before[0] && f[1] < before[1]) {
						t.Errorf("from %v to %v no goal loses", before, f)
					}
					before = slices.Clone(f)
				}
			}},
		{Says: "FORUM takes a short cut with gradients alone and is pulled back into the valley. MOML and MoCo run to its bottom first, and " +
			"pay for second derivatives to learn how the bottom moves.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.End(t)
			excess := func(row timeline.Row) float64 { return row.Number(twolevel.QExact) }
			for _, r := range scenetest.Tracks(t, s, "forum") {
				pulled := false
				for i := range r.Len() - 1 {
					pulled = pulled || r.Kept(i).Number(twolevel.Nu) > 0
				}
				if !pulled || excess(r.Kept(3)) < 0.01 || excess(scenetest.Last(r)) > 1e-12 {
					t.Errorf("%s: q = %v after three steps, %v at the end, a multiplier: %v", r.Name(), excess(r.Kept(3)),
						excess(scenetest.Last(r)), pulled)
				}
			}
			for _, method := range []string{"moml", "moco"} {
				for _, r := range scenetest.Tracks(t, s, method) {
					row := r.Kept(1) // ω is the end of a loop of 50 steps about the former α
					if d := math.Hypot(row.X[1]-r.Kept(0).X[0], row.X[2]-r.Kept(0).X[0]); d > 0.02 {
						t.Errorf("%s: after one step ω is %v from the bottom that it ran to", r.Name(), d)
					}
				}
				if scenetest.Number(t, s, "hvp."+method) == 0 || scenetest.Number(t, s, "hvp.forum") != 0 {
					t.Errorf("%s pays %v products, FORUM %v", method, scenetest.Number(t, s, "hvp."+method), scenetest.Number(t, s, "hvp.forum"))
				}
			}
		}},
	},
	"try": {
		{Says: "Drag a start somewhere else and let the runs go. Every path reaches the grey bar again, FORUM’s path last.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.Open(t, random...)
				before := slices.Clone(scenetest.Track(t, s, "forum-1").Start())
				scenetest.Nudge(t, s, "start-1", 5, -3)
				if slices.Equal(scenetest.Track(t, s, "forum-1").Start(), before) {
					t.Error("the start does not move")
				}
				scenetest.Finish(t, s)
				for _, r := range s.Timeline().Tracks() {
					if !within(1e-6)(scenetest.Last(r)) {
						t.Errorf("%s ends at %v", r.Name(), scenetest.Last(r).X)
					}
					if forum := scenetest.Track(t, s, fmt.Sprintf("forum-%d", r.StartIndex()+1)); r.Method != "forum" && needs(t, r) >= needs(t, forum) {
						t.Errorf("%s comes after FORUM", r.Name())
					}
				}
			}},
	},
	"paper": {
		{Says: "MOML and MoCo need fewer steps to reach the solutions, but FORUM gets there without a single second derivative.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				for _, r := range s.Timeline().Tracks() {
					if r.Method == "forum" {
						if got := scenetest.Last(r).Number(twolevel.Products); got != 0 || !within(1e-8)(scenetest.Last(r)) {
							t.Errorf("%s pays %v products and ends at %v", r.Name(), got, scenetest.Last(r).X)
						}
					} else if forum := scenetest.Track(t, s, fmt.Sprintf("forum-%d", r.StartIndex()+1)); needs(t, r) >= needs(t, forum) {
						t.Errorf("%s needs %d steps, FORUM %d", r.Name(), needs(t, r), needs(t, forum))
					}
				}
				if level := scenetest.Reference(t, bilevelpaths.About, "paper", "rings: within 0.01 of the solutions").Y; level != 0.01 {
					t.Errorf("the line is at %v", level)
				}
			}},
		{Says: "From all three starts every method ends in the set of solutions.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				for _, r := range c.End(t).Timeline().Tracks() {
					if !within(1e-8)(scenetest.Last(r)) || r.Starts == nil {
						t.Errorf("%s ends at %v", r.Name(), scenetest.Last(r).X)
					}
				}
			}},
		{Says: "Each run of MOML and MoCo costs 20,000 Hessian-vector products; FORUM’s runs cost none.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				for _, r := range c.End(t).Timeline().Tracks() {
					want := 20_000.0
					if r.Method == "forum" {
						want = 0
					}
					if got := scenetest.Last(r).Number(twolevel.Products); got != want {
						t.Errorf("%s pays %v products", r.Name(), got)
					}
				}
			}},
	},
	"slow": {
		{Says: "One step of FORUM runs the lower level’s loop, measures the valley’s slope, weighs the goals, and " +
			"moves.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.Open(t)
			slow, is := scene.InSlowMotion(s)
			if !is {
				t.Fatal("its speed is not one of moments")
			}
			var order []string
			for range 200 {
				if slow.PassTime(0.05) {
					scenetest.Step(t, s, 1)
				}
				for _, stage := range []string{"loop", "slope", "weights", "step"} {
					if scenetest.Number(t, s, "done."+stage) > 0 && s.Timeline().Latest() == 0 && !slices.Contains(order, stage) {
						order = append(order, stage)
					}
				}
			}
			if !slices.Equal(order, []string{"loop", "slope", "weights", "step"}) {
				t.Errorf("the stages come as %v", order)
			}
		}},
		{Says: "A small optimisation problem sets the weights and the pull.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.End(t)
			r, pulled := scenetest.Track(t, s, "forum-2"), false
			for i := range r.Len() - 1 {
				row := r.Kept(i)
				if len(row.List(twolevel.Lambda)) != 2 || !(row.Number(twolevel.Nu) >= 0) {
					t.Fatalf("at k = %d the weights are %v, ν = %v", i, row.List(twolevel.Lambda), row.Number(twolevel.Nu))
				}
				pulled = pulled || row.Number(twolevel.Nu) > 0
			}
			if !pulled {
				t.Error("it is never pulled")
			}
		}},
		{Says: "Drag the mark below the plane of ω to go to any moment of the step.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				scenetest.Nudge(t, s, "moment", -30, 0)
				if loop, step := scenetest.Number(t, s, "done.loop"), scenetest.Number(t, s, "done.step"); loop != 1 || step >= 1 {
					t.Errorf("shown: %v of the loop, %v of the step", loop, step)
				}
			}},
	},
	"rho": {
		{Says: "Without the pull FORUM stops off the valley floor, on the sheet of points best for the goals alone.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				for _, r := range scenetest.Tracks(t, c.End(t), "forum") {
					row := scenetest.Last(r)
					if row.X[1] < 1-1e-9 || row.X[1] > 2+1e-9 || math.Abs(row.X[2]-row.X[0]) > 1e-9 || row.Number(twolevel.QExact) < 0.05 {
						t.Errorf("%s ends at %v with q = %v", r.Name(), row.X, row.Number(twolevel.QExact))
					}
				}
			}},
		{Says: "With ρ = 0 a step need not descend into the valley, but it must not climb out.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				for _, r := range scenetest.Tracks(t, s, "forum") {
					for i := range r.Len() - 1 {
						if share, squared := ask(r.Kept(i), 50, 0.05); squared > 1e-12 && share < -1e-9 {
							t.Errorf("%s climbs at k = %d", r.Name(), i)
						}
					}
				}
			}},
		{Says: "Where FORUM stops, √KKT is 0, but q is not.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			for _, r := range scenetest.Tracks(t, c.End(t), "forum") {
				if row := scenetest.Last(r); row.Stationarity > 1e-12 || row.Number(twolevel.QExact) < 0.05 {
					t.Errorf("%s ends with √KKT = %v, q = %v", r.Name(), row.Stationarity, row.Number(twolevel.QExact))
				}
			}
		}},
	},
	"short": {
		{Says: "With an inner loop of one step, FORUM arrives first, MoCo second, and MOML much later.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				for i := range 3 {
					at := func(method string) int { return needs(t, scenetest.Track(t, s, fmt.Sprintf("%s-%d", method, i+1))) }
					if forum, moco, moml := at("forum"), at("moco"), at("moml"); forum >= moco || 3*moco > 2*moml {
						t.Errorf("start %d: %d, %d and %d iterations", i+1, forum, moco, moml)
					}
				}
				if level := scenetest.Reference(t, bilevelpaths.About, "short", "rings: within 0.01 of the solutions").Y; level != 0.01 {
					t.Errorf("the line is at %v", level)
				}
			}},
		{Says: "After one step of the loop, MOML and MoCo see only a tenth of ω’s response to α.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.Open(t)
				eta, steps := s.Params().Value("eta").(float64), s.Params().Value("T").(int)
				scenetest.About(t, "the share", 1-math.Pow(1-2*eta, float64(steps)), 0.1, 12)
			}},
		{Says: "MOML goes past its end point and turns back.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			for _, r := range scenetest.Tracks(t, c.End(t), "moml") {
				farthest := math.Inf(-1)
				for i := range r.Len() {
					farthest = max(farthest, r.Kept(i).X[0])
				}
				if farthest < scenetest.Last(r).X[0]+0.08 {
					t.Errorf("%s gets no farther than α = %v and ends at %v", r.Name(), farthest, scenetest.Last(r).X[0])
				}
			}
		}},
	},
	"large": {
		{Says: "With steps that are too large the inner loop swings ever farther out, and all methods diverge.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.Open(t)
				scenetest.Step(t, s, 1) // MOML’s ω is then the loop’s end
				from, to := scenetest.Track(t, s, "moml-1").Kept(0).X, scenetest.Track(t, s, "moml-1").Kept(1).X
				if math.Abs(to[2]-from[0]) < 10*math.Abs(from[2]-from[0]) {
					t.Errorf("the loop goes from %v to %v", from, to)
				}
				for _, r := range c.End(t).Timeline().Tracks() {
					most := map[string]int{"moml": 40, "moco": 40, "forum": 100}[r.Method]
					if r.Divergence().Quantity == "" || r.Divergence().K > most {
						t.Errorf("%s: %+v", r.Name(), r.Divergence())
					}
				}
			}},
		{Says: "Every step multiplies the distance from the bottom by 1 − 2η = −1.1, so fifty steps multiply it by 117.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.Open(t)
				eta, steps := s.Params().Value("eta").(float64), s.Params().Value("T").(int)
				scenetest.About(t, "the factor", 1-2*eta, -1.1, 12)
				scenetest.About(t, "all of them", math.Pow(1-2*eta, float64(steps)), 117, 0)
				// After a step, MOML's ω is the loop's end.
				scenetest.Step(t, s, 1)
				from, to := scenetest.Track(t, s, "moml-1").Kept(0).X, scenetest.Track(t, s, "moml-1").Kept(1).X
				scenetest.About(t, "MOML’s loop", (to[2]-from[0])/(from[2]-from[0]), 117, 0)
			}},
		{Says: "At η = 0.9 the loop swings as well, but inwards.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.End(t, "eta", "0.9", "T", "1")
			from, to := scenetest.Track(t, s, "moml-1").Kept(0).X, scenetest.Track(t, s, "moml-1").Kept(1).X
			if factor := (to[2] - from[0]) / (from[2] - from[0]); factor >= 0 || factor < -0.9 {
				t.Errorf("one step multiplies the distance by %v", factor)
			}
			for _, r := range c.End(t, "eta", "0.9").Timeline().Tracks() {
				if !within(1e-8)(scenetest.Last(r)) {
					t.Errorf("%s ends at %v", r.Name(), scenetest.Last(r).X)
				}
			}
		}},
	},
	"multiplier": {
		{Says: "Pulled twice as hard as with the exact dual, FORUM as printed gets much nearer the solutions within 200 steps.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				pulls(t, c)
				s := c.End(t)
				for i, published := range scenetest.Tracks(t, s, "forum") {
					a, b := scenetest.Last(published), scenetest.Last(scenetest.Tracks(t, s, "forumexact")[i])
					if a.K != 200 || 5*a.Number(twolevel.Distance) > b.Number(twolevel.Distance) {
						t.Errorf("start %d: E = %v and %v", i+1, a.Number(twolevel.Distance), b.Number(twolevel.Distance))
					}
				}
			}},
		{Says: "With the paper’s μ = ρ = 0.3, both versions arrive within 200 steps.", Seeds: scenetest.Over(20, 0.9),
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t, append([]string{"mu", "0.3"}, random...)...)
				if s.Params().Value("rho").(float64) != 0.3 {
					t.Errorf("ρ = %v", s.Params().Value("rho"))
				}
				for _, r := range s.Timeline().Tracks() {
					if !within(1e-8)(scenetest.Last(r)) {
						t.Errorf("%s ends with E = %v", r.Name(), scenetest.Last(r).Number(twolevel.Distance))
					}
				}
			}},
		{Says: "The paper prints 2φ in its multiplier, although the dual of its problem has φ.", Seeds: scenetest.Over(20, 0.9),
			Holds: pulls},
		{Says: "From random starts, too, FORUM as printed gets at least five times nearer than with the exact dual if μ = 0.1.",
			Seeds: scenetest.Over(20, 0.9),
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t, random...)
				if s.Timeline().Latest() != 200 {
					t.Errorf("the runs end at %d", s.Timeline().Latest())
				}
				for i, published := range scenetest.Tracks(t, s, "forum") {
					a, b := scenetest.Last(published), scenetest.Last(scenetest.Tracks(t, s, "forumexact")[i])
					if 5*a.Number(twolevel.Distance) > b.Number(twolevel.Distance) {
						t.Errorf("start %d: E = %v and %v", i+1, a.Number(twolevel.Distance), b.Number(twolevel.Distance))
					}
				}
			}},
		{Says: "From two of the paper’s three starts the two versions end at different solutions, with either value of μ.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, c *scenetest.Card) {
				for _, mu := range []string{"0.1", "0.3"} {
					s, elsewhere := c.End(t, "mu", mu), 0
					for i, published := range scenetest.Tracks(t, s, "forum") {
						a, b := scenetest.Last(published), scenetest.Last(scenetest.Tracks(t, s, "forumexact")[i])
						if math.Abs(a.X[0]-b.X[0]) > 0.03 {
							elsewhere++
						} else if math.Abs(a.X[0]-b.X[0]) > 1e-3 {
							t.Errorf("start %d: α = %v and %v", i+1, a.X[0], b.X[0])
						}
					}
					if elsewhere != 2 {
						t.Errorf("μ = %s: from %d starts they end elsewhere", mu, elsewhere)
					}
				}
			}},
	},
	"fixed": {
		{Says: "If the loop always starts afresh, all methods stall before they reach the solutions.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				for _, r := range c.End(t, "budget", "1000").Timeline().Tracks() {
					early, late := r.Kept(r.Index(200)).Number(twolevel.Distance), scenetest.Last(r).Number(twolevel.Distance)
					if late < 0.001 || late < 0.5*early {
						t.Errorf("%s: E = %v at 200, %v at 1000", r.Name(), early, late)
					}
				}
			}},
		{Says: "After the loop’s 50 steps from ω₀, 0.5 % of the distance to the bottom is left.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.Open(t)
				eta, steps := s.Params().Value("eta").(float64), s.Params().Value("T").(int)
				scenetest.About(t, "the share left", 100*math.Pow(1-2*eta, float64(steps)), 0.5, 1)
				if steps != 50 || s.Params().Text("warm") != "false" {
					t.Errorf("%d steps, warm: %s", steps, s.Params().Text("warm"))
				}
			}},
		{Says: "From these starts, every run stalls between the dotted lines.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				line := func(label string) float64 { return scenetest.Reference(t, bilevelpaths.About, "fixed", label).Y }
				for _, r := range c.End(t, "budget", "1000").Timeline().Tracks() {
					for _, k := range []int{200, 1000} {
						e := r.Kept(r.Index(k)).Number(twolevel.Distance)
						scenetest.Between(t, fmt.Sprintf("E of %s at %d", r.Name(), k), e, line("E = 0.001"), line("E = 0.012"))
					}
				}
			}},
	},
	"mean": {
		{Says: "BOME descends the mean of the two goals and ends in the middle, wherever it starts.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				for _, s := range []scene.Scene{c.End(t), c.End(t, "startset", "random", "starts", "20", "region", "5")} {
					for _, r := range scenetest.Tracks(t, s, "bome") {
						if !within(1e-5)(scenetest.Last(r)) || math.Abs(scenetest.Last(r).X[0]-1.5) > 1e-4 {
							t.Errorf("%s ends at %v", r.Name(), scenetest.Last(r).X)
						}
						mark := scenetest.Reference(t, bilevelpaths.About, "mean", "the middle")
						if f := scenetest.Last(r).F; math.Hypot(f[0]-mark.X, f[1]-mark.Y) > 1e-3 {
							t.Errorf("%s ends at F = %v", r.Name(), f)
						}
					}
				}
			}},
		{Says: "FORUM’s weights lead from each of these starts to a different solution.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				var ends []float64
				for _, r := range scenetest.Tracks(t, c.End(t), "forum") {
					end := scenetest.Last(r)
					if !within(1e-5)(end) || slices.ContainsFunc(ends, func(v float64) bool { return math.Abs(v-end.X[0]) < 0.1 }) {
						t.Errorf("%s ends at %v, others at %v", r.Name(), end.X, ends)
					}
					ends = append(ends, end.X[0])
				}
			}},
	},
	"own": {
		{Says: "Here the lower level is your own formula, whose valley bends, and every method reaches the bottom.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) { bends(t, c, 2) }},
		{Says: "At the end points, 2 sin α is between 1 and 2, where one goal’s gain is the other goal’s loss.", Seeds: scenetest.Over(20, 0.9),
			Holds: func(t testing.TB, c *scenetest.Card) { bends(t, c, 2) }},
		{Says: "With another c, such as 3, c sin α ends in that range, too.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) { bends(t, c, 3, "define", "c = 3") }},
	},
}

// bends checks that all runs from random starts end at the bottom (c sin α, α) of the valley. There one of the goals (c
// sin α − 1)² and (c sin α − 2)² must rise with α while the other falls.
func bends(t testing.TB, c *scenetest.Card, factor float64, more ...string) {
	for _, r := range c.End(t, slices.Concat(random, more)...).Timeline().Tracks() {
		x := scenetest.Last(r).X
		at := factor * math.Sin(x[0])
		if off := math.Hypot(x[1]-at, x[2]-x[0]); off > 1e-3 || at < 0.999 || at > 2.001 {
			t.Errorf("%s ends at %v, %v from the bottom, where c sin α = %v", r.Name(), x, off, at)
		}
	}
}

func TestCards(t *testing.T) { claims.Check(t, bilevelpaths.About) }

// help lists the statements of the parameters' help texts that runs can test.
var help = scenetest.CardClaims{
	"eta": {{Says: "For η above 2 divided by the largest curvature of f, the loop diverges.",
		Holds: func(t testing.TB, c *scenetest.Card) {
			// The curvature of f is 2.
			for eta, diverges := range map[string]bool{"0.98": false, "1.02": true} {
				r := scenetest.Track(t, c.End(t, "method", "moml", "eta", eta, "T", "256", "budget", "1"), "moml-1")
				from, to := r.Kept(0).X, r.Kept(1).X
				if got := math.Abs(to[2]-from[0]) > math.Abs(from[2]-from[0]); got != diverges {
					t.Errorf("η = %s: the loop goes from %v to %v", eta, from, to)
				}
			}
		}}},
	"warm": {{Says: "If T steps from the first ω do not reach the minimum of f, ω can be better than ω̃. Then q̃ is negative",
		Holds: func(t testing.TB, c *scenetest.Card) {
			r := scenetest.Track(t, c.End(t, "warm", "false"), "forum-1")
			if q := r.Kept(r.Len() - 2).Number(twolevel.Q); !(q < 0) {
				t.Errorf("q̃ = %v", q)
			}
		}}},
	"rho": {{Says: "FORUM’s step lowers q̃ at least at the rate φ = (ρ/2)‖∇q̃‖².", Holds: func(t testing.TB, c *scenetest.Card) {
		for _, multiplier := range []string{"published", "exact"} {
			for _, r := range scenetest.Tracks(t, c.End(t, "method", "forum", "multiplier", multiplier), "forum") {
				for i := range r.Len() - 1 {
					if share, squared := ask(r.Kept(i), 50, 0.05); squared > 1e-6 && share < 0.15-1e-6 {
						t.Errorf("%s, %s at k = %d: by %v of the squared slope", multiplier, r.Name(), i, share)
						break
					}
				}
			}
		}
	}}},
	"mode": {{Says: "The results agree, but the costs differ.", Holds: func(t testing.TB, c *scenetest.Card) {
		reverse, forward := c.End(t, "mode", "reverse"), c.End(t, "mode", "forward")
		for _, r := range scenetest.Tracks(t, reverse, "moml") {
			if x, y := scenetest.Last(r).X, scenetest.Last(scenetest.Track(t, forward, r.Name())).X; apart(x, y) > 1e-9 {
				t.Errorf("%s ends at %v and %v", r.Name(), x, y)
			}
		}
		if a, b := scenetest.Number(t, reverse, "hvp.moml"), scenetest.Number(t, forward, "hvp.moml"); a != 2*b {
			t.Errorf("%v products in reverse mode, %v in forward mode", a, b)
		}
	}}},
	"seed": {{Says: "The seed of random start points and of random choices in MOML’s weighting. The methods themselves choose nothing at " +
		"random.",
		Holds: func(t testing.TB, c *scenetest.Card) {
			methods, _ := c.Open(t).Params().Lookup("method")
			var all []string
			for _, o := range methods.Options {
				all = append(all, o.Value)
			}
			for rule, same := range map[string]bool{"mgda": true, "rlw": false} {
				settings := []string{"method", strings.Join(all, ","), "moml.weighting", rule, "budget", "20"}
				s, other := c.End(t, settings...), c.End(t, append(settings, "seed", "2")...)
				for _, r := range s.Timeline().Tracks() {
					x, y := scenetest.Last(r).X, scenetest.Last(scenetest.Track(t, other, r.Name())).X
					if slices.Equal(x, y) != (same || r.Method != "moml") {
						t.Errorf("%s, %s: %v and %v", rule, r.Name(), x, y)
					}
				}
			}
		}}},
}

func TestHelp(t *testing.T) { help.CheckHelp(t, bilevelpaths.About) }

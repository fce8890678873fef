package session

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/problem"
	"paretoplay/scenes/race/twolevel"
	"paretoplay/scenes/timeline"
)

// within reports whether a row is within a distance of the solutions.
func within(distance float64) func(timeline.Row) bool {
	return func(row timeline.Row) bool { return row.Number(twolevel.Distance) <= distance }
}

// needs is how many iterations a run takes until it stays within 0.01 of the solutions.
func needs(t *testing.T, r timeline.Track) int {
	t.Helper()
	row, there := settles(r, within(0.01))
	if !there {
		t.Fatalf("%s does not stay near the solutions", r.Name())
	}
	return row.K
}

// ask is by how much of ‖∇q̃‖² FORUM's step at a row lowers q̃ to first order, and
// ‖∇q̃‖² itself; the loop makes T steps of size η from ω.
func ask(row timeline.Row, steps int, eta float64) (share, squared float64) {
	// ω̃ − (α, α) is (1 − 2η)ᵀ (ω − (α, α)), so that ∂q̃/∂α has that much less of ∂f/∂α.
	left := math.Pow(1-2*eta, float64(steps))
	a, b := row.X[1]-row.X[0], row.X[2]-row.X[0]
	slope := []float64{-2 * (a + b) * (1 - left), 2 * a, 2 * b}
	for i, v := range slope {
		squared += v * v
		share += v * row.Direction[i]
	}
	return share / squared, squared
}

var bilevelClaims = map[string]claims{
	"summary": {
		{"Each path leads from a start that you can drag towards the grey bar of solutions, where the lower level lies at the bottom of its " +
			"valley and neither goal can gain without loss to the other.", func(t *testing.T, c *card) {
			s := c.end(t)
			starts := 0
			for _, h := range s.Handles() {
				if strings.HasPrefix(h.ID, "start-") {
					starts++
				}
			}
			for _, r := range s.timeline().Tracks() {
				if !within(1e-8)(last(r)) || r.StartIndex() >= starts {
					t.Errorf("%s, of %d starts, ends at %v", r.Name(), starts, last(r).X)
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
		{"FORUM cuts across with gradients alone and is pulled back into the valley; MOML and MoCo run to its bottom first and pay second " +
			"derivatives to learn how it moves.", func(t *testing.T, c *card) {
			s := c.end(t)
			excess := func(row timeline.Row) float64 { return row.Number(twolevel.QExact) }
			for _, r := range of(t, s, "forum") {
				pulled := false
				for i := range r.Len() - 1 {
					pulled = pulled || r.Kept(i).Number(twolevel.Nu) > 0
				}
				if !pulled || excess(r.Kept(3)) < 0.01 || excess(last(r)) > 1e-12 {
					t.Errorf("%s: q = %v after three steps, %v at the end, a multiplier: %v", r.Name(), excess(r.Kept(3)), excess(last(r)), pulled)
				}
			}
			for _, method := range []string{"moml", "moco"} {
				for _, r := range of(t, s, method) {
					row := r.Kept(1) // ω is the end of a loop of 50 steps about the former α
					if d := math.Hypot(row.X[1]-r.Kept(0).X[0], row.X[2]-r.Kept(0).X[0]); d > 0.02 {
						t.Errorf("%s: after one step ω is %v from the bottom that it ran to", r.Name(), d)
					}
				}
				if fact(t, s, "hvp."+method) == 0 || fact(t, s, "hvp.forum") != 0 {
					t.Errorf("%s pays %v products, FORUM %v", method, fact(t, s, "hvp."+method), fact(t, s, "hvp.forum"))
				}
			}
		}},
	},
	"try": {
		{"Drag a start somewhere else and let the runs go: every path comes to the grey bar again, FORUM’s last.", func(t *testing.T, c *card) {
			for _, move := range [][2]float64{{5, 0}, {-4, 3}, {0, -10}, {12, 8}} {
				s := c.open(t)
				before := slices.Clone(runOf(t, s, "forum-1").Start())
				if err := s.Nudge("start-1", move[0], move[1]); err != nil {
					t.Fatal(err)
				}
				if slices.Equal(runOf(t, s, "forum-1").Start(), before) {
					t.Error("the start does not move")
				}
				finish(t, s)
				for _, r := range s.timeline().Tracks() {
					if !within(1e-6)(last(r)) {
						t.Errorf("%v: %s ends at %v", move, r.Name(), last(r).X)
					}
					if forum := runOf(t, s, fmt.Sprintf("forum-%d", r.StartIndex()+1)); r.Method != "forum" && needs(t, r) >= needs(t, forum) {
						t.Errorf("%v: %s comes after FORUM", move, r.Name())
					}
				}
			}
		}},
	},
	"paper": {
		{"From all three starts every method ends among the solutions.", func(t *testing.T, c *card) {
			for _, r := range c.end(t).timeline().Tracks() {
				if !within(1e-8)(last(r)) || r.Starts == nil {
					t.Errorf("%s ends at %v", r.Name(), last(r).X)
				}
			}
		}},
		{"MOML and MoCo need fewer steps; FORUM pays no Hessian-vector product, each of their runs 20,000.", func(t *testing.T, c *card) {
			s := c.end(t)
			for _, r := range s.timeline().Tracks() {
				want := 20_000.0
				if r.Method == "forum" {
					want = 0
				} else if forum := runOf(t, s, fmt.Sprintf("forum-%d", r.StartIndex()+1)); needs(t, r) >= needs(t, forum) {
					t.Errorf("%s needs %d steps, FORUM %d", r.Name(), needs(t, r), needs(t, forum))
				}
				if got := last(r).Number(twolevel.Products); got != want {
					t.Errorf("%s pays %v products", r.Name(), got)
				}
			}
		}},
	},
	"slow": {
		{"The lower level’s loop, the slope of the valley, the small problem that decides the weights and the pull, then the " +
			"step.", func(t *testing.T, c *card) {
			s := c.open(t)
			if err := s.Play(); err != nil {
				t.Fatal(err)
			}
			var order []string
			for range 200 {
				if err := s.Advance(0.05, always); err != nil {
					t.Fatal(err)
				}
				for _, stage := range []string{"loop", "slope", "weights", "step"} {
					if fact(t, s, "done."+stage) > 0 && s.timeline().Latest() == 0 && !slices.Contains(order, stage) {
						order = append(order, stage)
					}
				}
			}
			if !slices.Equal(order, []string{"loop", "slope", "weights", "step"}) {
				t.Errorf("the stages come as %v", order)
			}
		}},
		{"Drag the mark below the plane of ω to go back to any moment of it.", func(t *testing.T, c *card) {
			s := c.end(t)
			if err := s.Nudge("moment", -30, 0); err != nil {
				t.Fatal(err)
			}
			if loop, step := fact(t, s, "done.loop"), fact(t, s, "done.step"); loop != 1 || step >= 1 {
				t.Errorf("of the loop %v is shown, of the step %v", loop, step)
			}
		}},
	},
	"rho": {
		{"Without the pull, ρ = 0, a step must not climb out of the valley, and that is all.", func(t *testing.T, c *card) {
			s := c.end(t)
			for _, r := range of(t, s, "forum") {
				for i := range r.Len() - 1 {
					if share, squared := ask(r.Kept(i), 50, 0.05); squared > 1e-12 && share < -1e-9 {
						t.Errorf("%s climbs at k = %d", r.Name(), i)
					}
				}
			}
		}},
		{"FORUM stops on the sheet where the objectives alone are content: √KKT is 0 there, but q is 0.25, 2.25 and 0.1.",
			func(t *testing.T, c *card) {
				s := c.end(t)
				for i, r := range of(t, s, "forum") {
					row := last(r)
					if row.Stationarity > 1e-12 || row.X[1] < 1-1e-9 || row.X[1] > 2+1e-9 || math.Abs(row.X[2]-row.X[0]) > 1e-9 {
						t.Errorf("%s ends at %v with √KKT = %v", r.Name(), row.X, row.Stationarity)
					}
					about(t, "q of "+r.Name(), row.Number(twolevel.QExact), []float64{0.25, 2.25, 0.1}[i], []int{2, 2, 1}[i])
				}
			}},
	},
	"short": {
		{"One step of the loop shows MOML and MoCo a tenth of how ω follows α.", func(t *testing.T, c *card) {
			s := c.open(t)
			eta, steps := s.scene.Params().Value("eta").(float64), s.scene.Params().Value("T").(int)
			about(t, "the share", 1-math.Pow(1-2*eta, float64(steps)), 0.1, 12)
		}},
		{"FORUM is within 0.01 of the solutions after 59 to 181 iterations, MoCo after 220 to 240, MOML after 459 to 501 and a detour beyond " +
			"their end.", func(t *testing.T, c *card) {
			s := c.end(t)
			for method, stated := range map[string][2]int{"forum": {59, 181}, "moco": {220, 240}, "moml": {459, 501}} {
				var all []int
				for _, r := range of(t, s, method) {
					all = append(all, needs(t, r))
					farthest := math.Inf(-1)
					for i := range r.Len() {
						farthest = max(farthest, r.Kept(i).X[0])
					}
					if method == "moml" && farthest < 2.08 {
						t.Errorf("%s gets no farther than α = %v", r.Name(), farthest)
					}
				}
				if slices.Min(all) != stated[0] || slices.Max(all) != stated[1] {
					t.Errorf("%s needs %v iterations", method, all)
				}
			}
		}},
	},
	"large": {
		{"Every step of the loop multiplies the distance from the bottom by 1 − 2η = −1.1, fifty of them by 117.", func(t *testing.T, c *card) {
			s := c.open(t)
			eta, steps := s.scene.Params().Value("eta").(float64), s.scene.Params().Value("T").(int)
			about(t, "the factor", 1-2*eta, -1.1, 12)
			about(t, "all of them", math.Pow(1-2*eta, float64(steps)), 117, 0)
			// MOML's ω after a step is the loop's end.
			if err := s.Step(1); err != nil {
				t.Fatal(err)
			}
			settle(t, s)
			from, to := runOf(t, s, "moml-1").Kept(0).X, runOf(t, s, "moml-1").Kept(1).X
			about(t, "MOML’s loop", (to[2]-from[0])/(from[2]-from[0]), 117, 0)
		}},
		{"All methods diverge: MOML and MoCo within 40 iterations, FORUM within 100.", func(t *testing.T, c *card) {
			for _, r := range c.end(t).timeline().Tracks() {
				most := map[string]int{"moml": 40, "moco": 40, "forum": 100}[r.Method]
				if r.Divergence().Quantity == "" || r.Divergence().K > most {
					t.Errorf("%s: %+v", r.Name(), r.Divergence())
				}
			}
		}},
		{"At 0.9 it swings as well, but inwards.", func(t *testing.T, c *card) {
			s := c.end(t, "eta", "0.9", "T", "1")
			from, to := runOf(t, s, "moml-1").Kept(0).X, runOf(t, s, "moml-1").Kept(1).X
			if factor := (to[2] - from[0]) / (from[2] - from[0]); factor >= 0 || factor < -0.9 {
				t.Errorf("one step multiplies the distance by %v", factor)
			}
			for _, r := range c.end(t, "eta", "0.9").timeline().Tracks() {
				if !within(1e-8)(last(r)) {
					t.Errorf("%s ends at %v", r.Name(), last(r).X)
				}
			}
		}},
	},
	"multiplier": {
		{"FORUM as printed is pulled twice as hard as with the exact dual: after 200 iterations it is at least ten times nearer, from two of " +
			"the three starts at other solutions. (The paper prints 2φ in its multiplier where the dual of its own problem has " +
			"φ.)", func(t *testing.T, c *card) {
			s := c.end(t)
			rho, elsewhere := s.scene.Params().Value("rho").(float64), 0
			for i, published := range of(t, s, "forum") {
				exact := of(t, s, "forumexact")[i]
				for r, want := range map[timeline.Track]float64{published: rho, exact: rho / 2} {
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
				a, b := last(published), last(exact)
				if a.K != 200 || 10*a.Number(twolevel.Distance) > b.Number(twolevel.Distance) || !within(1e-3)(b) {
					t.Errorf("start %d: E = %v and %v", i+1, a.Number(twolevel.Distance), b.Number(twolevel.Distance))
				}
				if math.Abs(a.X[0]-b.X[0]) > 0.03 {
					elsewhere++
				} else if math.Abs(a.X[0]-b.X[0]) > 1e-3 {
					t.Errorf("start %d: α = %v and %v", i+1, a.X[0], b.X[0])
				}
			}
			if elsewhere != 2 {
				t.Errorf("from %d starts they end elsewhere", elsewhere)
			}
		}},
	},
	"fixed": {
		{"Now the loop starts from ω₀ every time, and its 50 steps leave 0.5 % of the distance to the bottom.", func(t *testing.T, c *card) {
			s := c.open(t)
			eta, steps := s.scene.Params().Value("eta").(float64), s.scene.Params().Value("T").(int)
			about(t, "the share left", 100*math.Pow(1-2*eta, float64(steps)), 0.5, 1)
			if steps != 50 || s.scene.Params().Text("warm") != "false" {
				t.Errorf("%d steps, warm: %s", steps, s.scene.Params().Text("warm"))
			}
		}},
		{"MOML and MoCo stall at E between 0.004 and 0.012, FORUM between 0.001 and 0.01.", func(t *testing.T, c *card) {
			for _, r := range c.end(t, "budget", "1000").timeline().Tracks() {
				for _, k := range []int{200, 1000} {
					e := r.Kept(r.Index(k)).Number(twolevel.Distance)
					if r.Method == "forum" {
						between(t, fmt.Sprintf("E of %s at %d", r.Name(), k), e, 0.001, 0.01)
					} else {
						between(t, fmt.Sprintf("E of %s at %d", r.Name(), k), e, 0.004, 0.012)
					}
				}
			}
		}},
	},
	"mean": {
		{"BOME descends the mean of the two objectives and ends in the middle, c = 1.5, wherever it starts.", func(t *testing.T, c *card) {
			for _, s := range []*Session{c.end(t), c.end(t, "startset", "random", "starts", "20", "region", "5")} {
				for _, r := range of(t, s, "bome") {
					if !within(1e-5)(last(r)) || math.Abs(last(r).X[0]-1.5) > 1e-4 {
						t.Errorf("%s ends at %v", r.Name(), last(r).X)
					}
				}
			}
		}},
		{"FORUM’s weights lead from each start to a solution of its own.", func(t *testing.T, c *card) {
			var ends []float64
			for _, r := range of(t, c.end(t), "forum") {
				if !within(1e-5)(last(r)) || slices.ContainsFunc(ends, func(v float64) bool { return math.Abs(v-last(r).X[0]) < 0.1 }) {
					t.Errorf("%s ends at %v, others at %v", r.Name(), last(r).X, ends)
				}
				ends = append(ends, last(r).X[0])
			}
		}},
	},
}

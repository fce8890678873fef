package fonseca_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/pointer"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/internal/engine/session"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/study/staleness"
	"paretoplay/scenes/fonseca"
)

func fonsecaOf(t testing.TB, d int) *problem.Fonseca {
	t.Helper()
	p, err := problem.NewFonseca(d, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// weightedOf returns Gᵀλ, with the exact gradients at a row's point and the row's weights.
func weightedOf(p *problem.Fonseca, row timeline.Row) []float64 {
	jac := algo.NewJacobian(2, len(row.X))
	p.Jacobian(jac, row.X)
	out := make([]float64, len(row.X))
	for i, w := range row.Weights {
		for j, g := range jac.Row(i) {
			out[j] += w * g
		}
	}
	return out
}

// weightsApart returns the maximum difference between the last value of a track's first weight and its values at the
// iterations k ≥ from.
func weightsApart(r timeline.Track, from int) float64 {
	most, end := 0.0, r.Kept(r.Len() - 2).Weights[0]
	for k := from; k < r.Last(); k++ {
		most = max(most, math.Abs(r.Kept(k).Weights[0]-end))
	}
	return most
}

func apart(x, y []float64) float64 { return math.Hypot(x[0]-y[0], x[1]-y[1]) }

// page returns the scene as the page shows it. card is the card's ID, or "" for none.
func page(t testing.TB, card string) *session.Session {
	t.Helper()
	s, err := session.New(scene.List{fonseca.About}, fonseca.About.ID)
	if err == nil && card != "" {
		err = s.Card(card)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// set changes a parameter as the page does. Runs that have ended restart if they would otherwise not show the change.
func set(t testing.TB, s *session.Session, name, value string) {
	t.Helper()
	_, err := s.Call("set", fmt.Appendf(nil, `{"name":%q,"value":%q,"again":true}`, name, value))
	for pending := true; pending && err == nil; {
		pending, err = s.Work(func() bool { return true })
	}
	if err != nil {
		t.Fatal(err)
	}
}

// told returns the page's fact with the given name.
func told(t testing.TB, s *session.Session, name string) float64 {
	t.Helper()
	return scenetest.Fact(t, s.Facts(), name)
}

var claims = scenetest.CardClaims{
	"summary": {
		{Says: "Ten walkers want to be near two villages at once, but read the map only at every fourth step. They come to rest on the " +
			"thick curve, the front: there, getting nearer to one village means getting farther from the other.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				front := fonsecaOf(t, 2).Front(2001)
				if n := scenetest.Number(t, s, "runs.psmgd"); n != 10 {
					t.Errorf("there are %v", n)
				}
				for _, r := range s.Timeline().Tracks() {
					row := scenetest.Last(r)
					if d := fonsecaOf(t, 2).DistanceToParetoSet(row.X); len(row.F) != 2 || d > 1e-6 {
						t.Errorf("%s ends %v from the set of %d objectives", r.Name(), d, len(row.F))
					}
				}
				for i, f := range front[1:] {
					if !(f[0] > front[i][0] && f[1] < front[i][1]) {
						t.Errorf("on the front %v follows %v", f, front[i])
					}
				}
			}},
		{Says: "Each step mixes the gradients of the two goals by weights. PSMGD recomputes these weights only at the ticks.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				for _, r := range s.Timeline().Tracks() {
					for i := range r.Len() - 1 {
						row, next := r.Kept(i), r.Kept(i+1)
						sum := weightedOf(fonsecaOf(t, 2), row)
						want := []float64{row.X[0] - 0.3*sum[0], row.X[1] - 0.3*sum[1]}
						if apart(next.X, want) > 1e-12 || row.Refreshed != (i%4 == 0) {
							t.Fatalf("%s steps at %d to %v, weights anew %v", r.Name(), i, next.X, row.Refreshed)
						}
					}
				}
			}},
		{Says: "The dots are walkers that start all over the plane.", Seeds: scenetest.Any, Holds: scenetest.Swarmed},
	},
	"try": {
		{Says: "Let the runs end, then set the period R to 32: they start again, and with such old weights most points drift to the ends of " +
			"the front.", Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
			seed := c.Open(t).Params().Text("seed")
			// The runs end within seven seconds, whether or not the visitor waits for the first step.
			for _, wait := range []bool{true, false} {
				s := page(t, "")
				set(t, s, "seed", seed)
				if wait {
					if err := s.Finish(); err != nil {
						t.Fatal(err)
					}
					state, err := s.State()
					if err != nil {
						t.Fatal(err)
					}
					speed, err := strconv.ParseFloat(state.Speed, 64)
					if err != nil {
						t.Fatal(err)
					}
					scenetest.Between(t, "the seconds", told(t, s, "latest")/speed, 1, 7)
					if at := told(t, s, "collapsed.psmgd"); at > 4 {
						t.Errorf("%v are already at the ends", at)
					}
				}
				set(t, s, "R", "32")
				if told(t, s, "latest") != 0 || told(t, s, "fresh") != 1 || wait && !s.Playing() {
					t.Error("they do not start again")
				}
				if err := s.Finish(); err != nil {
					t.Fatal(err)
				}
				scenetest.Between(t, "the number at the ends", told(t, s, "collapsed.psmgd"), 7, 10)
			}
		}},
	},
	"middle": {
		{Says: "Nearly all runs with fixed weights drift to an end of the front; most of MGDA’s stop in between.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				if ls, mgda := scenetest.Number(t, s, "collapsed.ls"), scenetest.Number(t, s, "collapsed.mgda"); ls < 18 || mgda > 6 {
					t.Errorf("%v and %v are at an end", ls, mgda)
				}
			}},
		{Says: "The front bulges away from the origin, so a fixed weighted sum is smallest at an end, marked “least”.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				// Except where an objective is at most 0.01, the front lies beyond the straight line between its ends.
				for _, f := range fonsecaOf(t, 2).Front(101) {
					if end := fonsecaOf(t, 2).Front(2); min(f[0], f[1]) > 0.01 && f[0]+f[1] <= end[0][0]+end[0][1] {
						t.Errorf("%v is no farther than the line between the ends", f)
					}
				}
				s := c.End(t)
				s.Timeline().Select("ls-5")
				texts, _ := scenetest.Draw(t, s, 1120, 720, brush.Light)
				if !slices.Contains(texts, "least") {
					t.Errorf("got texts %q", texts)
				}
			}},
		{Says: "At least 19 of the 20 runs of linear scalarization stop at an end of the front; at most 6 of MGDA’s do from the same starts.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				if at := scenetest.Number(t, s, "collapsed.ls"); at < 19 || scenetest.Number(t, s, "runs.ls") != 20 {
					t.Errorf("%v do", at)
				}
				if at := scenetest.Number(t, s, "collapsed.mgda"); at > 6 {
					t.Errorf("%v do", at)
				}
				for _, r := range scenetest.Tracks(t, s, "mgda") {
					if d := fonsecaOf(t, 2).DistanceToParetoSet(scenetest.Last(r).X); d > 0.01 {
						t.Errorf("%s ends %v from the set", r.Name(), d)
					}
					if ls := scenetest.Track(t, s, strings.Replace(r.Name(), "mgda", "ls", 1)); !slices.Equal(r.Start(), ls.Start()) {
						t.Errorf("%s starts elsewhere", r.Name())
					}
				}
			}},
	},
	"settle": {
		{Says: "After the first eighth of the iterations, the weights of most runs hardly change.", Seeds: scenetest.Over(20, 0.9),
			Holds: func(t testing.TB, c *scenetest.Card) {
				s, still := c.End(t), 0
				eighth := s.Params().Value("budget").(int) / 8
				for _, r := range scenetest.Tracks(t, s, "mgda") {
					if weightsApart(r, eighth) <= 0.02 {
						still++
					}
				}
				if still < 6 {
					t.Errorf("%d do", still)
				}
				mark := scenetest.Reference(t, fonseca.About, "settle", "5/η iterations")
				if eta := s.Params().Value("eta").(float64); mark.X != 5/eta || mark.X != float64(eighth) {
					t.Errorf("the mark is at %v", mark.X)
				}
			}},
		{Says: "The weights settle within about 5/η iterations. So why recompute them? After 5/η steps, the weights of at least six of the ten " +
			"runs stay within 0.01 of their final values, with η = 1, ½ and ¼.", Seeds: scenetest.Over(20, 0.9),
			Holds: func(t testing.TB, c *scenetest.Card) {
				for _, slower := range [][2]string{{"1", "40"}, {"0.5", "80"}, {"0.25", "160"}} {
					s, longer := c.End(t, "eta", slower[0], "budget", slower[1]), 0
					eta := s.Params().Value("eta").(float64)
					for _, r := range scenetest.Tracks(t, s, "mgda") {
						if weightsApart(r, int(5/eta)) > 0.01 {
							longer++
						}
					}
					if longer > 4 {
						t.Errorf("η = %v: %d runs take longer", eta, longer)
					}
				}
			}},
	},
	"period": {
		{Says: "Most of PSMGD’s weights settle where MGDA’s do, and its runs finish at five eighths of the cost.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				a, b := scenetest.Number(t, s, "bp.psmgd"), scenetest.Number(t, s, "bp.mgda")
				if 8*a != 5*b || s.Params().Text("axis") != "backpropagations" {
					t.Errorf("PSMGD pays %v, MGDA %v", a, b)
				}
				runs := scenetest.Number(t, s, "runs.psmgd")
				for label, bp := range map[string]float64{"PSMGD ends": a, "MGDA ends": b} {
					if mark := scenetest.Reference(t, fonseca.About, "period", label); mark.X != bp/runs {
						t.Errorf("%q is at %v, a run pays %v", label, mark.X, bp/runs)
					}
				}
				elsewhere := 0
				for i, r := range scenetest.Tracks(t, s, "psmgd") {
					other := scenetest.Tracks(t, s, "mgda")[i]
					if x, y := r.Kept(r.Len() - 2).Weights[0], other.Kept(other.Len() - 2).Weights[0]; math.Abs(x-y) > 0.1 {
						elsewhere++
					}
				}
				if elsewhere > 3 {
					t.Errorf("%d settle elsewhere", elsewhere)
				}
			}},
		{Says: "Recomputing the weights only at every fourth step saves three eighths of the cost, and both methods end along the Pareto set.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				if r := scenetest.Track(t, s, "psmgd-1"); !r.Kept(4).Refreshed || r.Kept(5).Refreshed || s.Params().Text("R") != "4" {
					t.Error("the weights are not computed at every fourth step")
				}
				if a, b := scenetest.Number(t, c.End(t, "R", "1"), "bp.psmgd"), scenetest.Number(t, s, "bp.mgda"); a != b {
					t.Errorf("with R = 1 PSMGD pays %v, MGDA %v", a, b)
				}
				for _, r := range s.Timeline().Tracks() {
					if d := fonsecaOf(t, 2).DistanceToParetoSet(scenetest.Last(r).X); d > 1e-3 {
						t.Errorf("%s ends %v from the set", r.Name(), d)
					}
				}
			}},
		{Says: "From each start, the two runs end within 0.16 of each other.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				for i, r := range scenetest.Tracks(t, s, "psmgd") {
					x, y := scenetest.Last(r).X, scenetest.Last(scenetest.Tracks(t, s, "mgda")[i]).X
					for _, end := range [][]float64{x, y} {
						if d := fonsecaOf(t, 2).DistanceToParetoSet(end); d > 1e-3 {
							t.Errorf("start %d: %v from the set", i+1, d)
						}
					}
					if d := apart(x, y); d > 0.16 {
						t.Errorf("start %d: %v apart", i+1, d)
					}
				}
			}},
		{Says: "Counted in backpropagations, PSMGD reaches the front first from at least nine of the ten starts.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				s, later := c.End(t), 0
				for i, r := range scenetest.Tracks(t, s, "psmgd") {
					near := func(row timeline.Row) bool { return fonsecaOf(t, 2).DistanceToParetoSet(row.X) < 0.01 }
					a, _ := scenetest.Settles(r, near)
					b, _ := scenetest.Settles(scenetest.Tracks(t, s, "mgda")[i], near)
					if a.BP == 0 || a.BP >= b.BP {
						later++
					}
				}
				if later > 1 {
					t.Errorf("from %d starts PSMGD is not there first", later)
				}
			}},
	},
	"collapse": {
		{Says: "With old weights, PSMGD’s points drift to the ends of the front, as if the weights were fixed.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				if at := scenetest.Number(t, c.End(t), "collapsed.psmgd"); at < 18 {
					t.Errorf("%v runs are at the ends", at)
				}
			}},
		{Says: "With a weight momentum of 0.9, every refresh keeps nine tenths of the previous weights.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				row, next := scenetest.Track(t, s, "psmgd-1").Kept(0), scenetest.Track(t, s, "psmgd-1").Kept(4)
				jac := algo.NewJacobian(2, 2)
				fonsecaOf(t, 2).Jacobian(jac, next.X)
				// λ̂₁ is the weight that minimises the length of the gradients' mixture.
				g, h := jac.Row(0), jac.Row(1)
				d := []float64{h[0] - g[0], h[1] - g[1]}
				shortest := max(0, min(1, (h[0]*d[0]+h[1]*d[1])/(d[0]*d[0]+d[1]*d[1])))
				if want := 0.9*row.Weights[0] + 0.1*shortest; math.Abs(next.Weights[0]-want) > 1e-9 {
					t.Errorf("the weight is %v, nine tenths of the former are %v", next.Weights[0], want)
				}
			}},
		{Says: "The paper does not report the drift; we found it here. At least 18 of the 20 runs stop at an end of the front, as with fixed " +
			"weights; without momentum at most 7 do.", Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
			for _, method := range []string{"psmgd", "ls"} {
				s := c.End(t, "method", method)
				if at := scenetest.Number(t, s, "collapsed."+method); at < 18 || scenetest.Number(t, s, "runs."+method) != 20 {
					t.Errorf("%v runs of %s are at the ends", at, method)
				}
			}
			at := scenetest.Number(t, c.End(t, "momentum", "0"), "collapsed.psmgd")
			scenetest.Between(t, "the number at the ends", at, 0, 7)
		}},
	},
	"map": {
		{Says: "With young weights, few of a cell’s 60 runs collapse to the front’s ends; with old weights, most do.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				seen := map[[3]float64]bool{}
				for _, cell := range mapOf(t, c) {
					if cell.Runs != 60 || cell.Done != 60 {
						t.Errorf("%+v", cell)
					}
					seen[[3]float64{float64(cell.R), cell.Momentum, cell.Eta}] = true
				}
				config := staleness.Default()
				if n := len(config.Period) * len(config.Momentum) * len(config.Eta); len(seen) != n {
					t.Errorf("got %d cells, want %d", len(seen), n)
				}
				for _, cell := range mapOf(t, c) {
					if cell.Age < 1.1 && cell.Collapsed > 6 || cell.Age > 3.4 && cell.Collapsed < 48 {
						t.Errorf("%+v", cell)
					}
				}
			}},
		{Says: "Above the line α(1 + 2η/e)ᴿ = 1, momentum makes the balance itself unstable.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, c *scenetest.Card) {
				for _, cell := range mapOf(t, c) {
					growth := cell.Momentum * math.Pow(1+2*cell.Eta/math.E, float64(cell.R))
					if growth > 1 && cell.Collapsed < 15 {
						t.Errorf("%+v", cell)
					}
				}
			}},
		{Says: "Click a cell to run it.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			s := page(t, "map")
			pl := s.Layout(1120, 720, false, false)[0]
			middle := pl.Rect.Min.Add(pl.Rect.Size().Scale(0.5))
			for _, kind := range []string{"move", "down", "up"} {
				if _, err := s.Pointer(pointer.Event{Kind: kind, X: float64(middle.X), Y: 720 - float64(middle.Y)}, nil); err != nil {
					t.Fatal(err)
				}
			}
			state, err := s.State()
			if err != nil {
				t.Fatal(err)
			}
			if !s.Playing() || state.Params["view"] != "runs" {
				t.Error("the cell’s runs are not played")
			}
		}},
		{Says: "With any random starts, few runs collapse below a mean age of 1.1, and most collapse above 3.4.", Seeds: scenetest.Over(20, 0.9),
			Holds: func(t testing.TB, c *scenetest.Card) {
				// The page's maps use one fixed set of random starts; this map uses starts drawn with the card's seed.
				seed, err := strconv.ParseUint(c.Open(t).Params().Text("seed"), 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				config := staleness.Default()
				config.Seed = seed
				m, err := staleness.New(config)
				if err == nil {
					err = experiment.Run(m.Grid, experiment.Options{Jobs: 1})
				}
				if err != nil {
					t.Fatal(err)
				}
				cells := m.Cells()
				base := cells[slices.IndexFunc(cells, func(c staleness.Cell) bool { return c.Age == 0 })]
				for _, cell := range cells {
					if cell.Age < 1.1 && cell.Share() > base.Share()+0.02 || cell.Age > 3.4 && cell.Share() < 0.7 {
						t.Errorf("age %v: share %v, for new weights it is %v", cell.Age, cell.Share(), base.Share())
					}
				}
			}},
		{Says: "On the maps here, at least 15 runs collapse in every cell above the line, and at most 4 below it, except for α = 0.",
			Holds: func(t testing.TB, c *scenetest.Card) {
				least, most := 60, 0
				for _, cell := range mapOf(t, c) {
					switch growth := cell.Momentum * math.Pow(1+2*cell.Eta/math.E, float64(cell.R)); {
					case growth > 1:
						least = min(least, cell.Collapsed)
					case cell.Momentum > 0:
						most = max(most, cell.Collapsed)
					}
				}
				if least != 15 || most != 4 {
					t.Errorf("%d collapse above the line, %d below it", least, most)
				}
			}},
	},
	"noise": {
		{Says: "Under noise the runs never settle; they wander around the Pareto set, the thick line.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				for _, r := range c.End(t).Timeline().Tracks() {
					farthest, way := 0.0, 0.0
					for i := 100; i < r.Len()-1; i++ {
						farthest = max(farthest, fonsecaOf(t, 2).DistanceToParetoSet(r.Kept(i).X))
						way += apart(r.Kept(i).X, r.Kept(i+1).X)
					}
					if !(farthest > 0.01 && way > 0.1) {
						t.Errorf("%s goes %v in its last 100 steps and gets %v away", r.Name(), way, farthest)
					}
				}
			}},
		{Says: "Every gradient entry carries noise with standard deviation 0.1, the same for all methods. The step size is constant.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				sum, n := 0.0, 0
				for _, r := range scenetest.Tracks(t, s, "mgda") {
					for i := range r.Len() - 1 {
						row := r.Kept(i)
						size := math.Hypot(row.Weights[0], row.Weights[1])
						for j, v := range weightedOf(fonsecaOf(t, 2), row) {
							noise := (row.Direction[j] - v) / size
							sum, n = sum+noise*noise, n+1
						}
					}
				}
				scenetest.Between(t, "the noise’s deviation", math.Sqrt(sum/float64(n)), 0.095, 0.105)
				for _, r := range s.Timeline().Tracks() {
					if first, last := r.Kept(0).StepSize, r.Kept(r.Len()-2).StepSize; first != last {
						t.Errorf("%s steps by %v, then by %v", r.Name(), first, last)
					}
				}
				same := c.End(t, "R", "1")
				for i, r := range scenetest.Tracks(t, same, "psmgd") {
					if x, y := scenetest.Last(r).X, scenetest.Last(scenetest.Tracks(t, same, "mgda")[i]).X; !slices.Equal(x, y) {
						t.Errorf("with R = 1, where PSMGD is MGDA, they end at %v and %v", x, y)
					}
				}
			}},
		{Says: "In their second half, all runs stay within 0.1 of the Pareto set.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				for _, r := range c.End(t).Timeline().Tracks() {
					for i := r.Len() / 2; i < r.Len(); i++ {
						if away := fonsecaOf(t, 2).DistanceToParetoSet(r.Kept(i).X); away > 0.1 {
							t.Errorf("%s is %v away at %d", r.Name(), away, i)
						}
					}
				}
			}},
	},
	"favourite": {
		{Says: "Noise drives most of MGDA’s runs to the ends of the front; MoDo’s runs stay in the middle.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				if a, b := scenetest.Number(t, s, "collapsed.mgda"), scenetest.Number(t, s, "collapsed.modo"); a < 5 || b != 0 {
					t.Errorf("%v of MGDA’s runs and %v of MoDo’s are at the ends", a, b)
				}
			}},
		{Says: "With σ = 0, MGDA’s runs stay in the middle.", Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
			if n := scenetest.Number(t, c.End(t, "sigma", "0"), "collapsed.mgda"); n != 0 {
				t.Errorf("%v of MGDA’s runs are at the ends", n)
			}
		}},
		{Says: "MoDo uses separate samples for its weights, at three times the cost.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t)
				if scenetest.Number(t, s, "bp.modo") != 3*scenetest.Number(t, s, "bp.mgda") {
					t.Errorf("it pays %v backpropagations", scenetest.Number(t, s, "bp.modo"))
				}
			}},
		{Says: "The view “map of noise” shows more methods.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.Open(t, "view", "noise")
			methods := map[string]bool{}
			for _, cell := range scenetest.Results[struct{ Noise []struct{ Method string } }](t, s).Noise {
				methods[cell.Method] = true
			}
			if len(methods) < 3 {
				t.Errorf("it has %v", methods)
			}
		}},
		{Says: "Six runs in 30 variables start near the middle. With MGDA, five or six drift to the ends; with fixed weights, all do; with " +
			"MoDo, or with MGDA without noise, none do.", Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.End(t, "method", "mgda,modo,ls", "ls.weights", "equal")
			for _, r := range scenetest.Tracks(t, s, "mgda") {
				if f := r.Kept(0).F; len(r.Start()) != 30 || slices.Min(f) < 0.2 || scenetest.Number(t, s, "runs.mgda") != 6 {
					t.Errorf("%s starts at f = %v in %d variables", r.Name(), f, len(r.Start()))
				}
			}
			a, b, m := scenetest.Number(t, s, "collapsed.mgda"), scenetest.Number(t, s, "collapsed.ls"), scenetest.Number(t, s, "collapsed.modo")
			if a < 5 || b != 6 || m != 0 {
				t.Errorf("%v of MGDA’s runs, %v with fixed weights, %v of MoDo’s", a, b, m)
			}
			if n := scenetest.Number(t, c.End(t, "sigma", "0"), "collapsed.mgda"); n != 0 {
				t.Errorf("without noise %v do", n)
			}
		}},
	},
	"plateau": {
		{Says: "Many points far out hardly move, although both goals could still improve there.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				if still := resting(t, c.End(t)); len(still) < 6 {
					t.Errorf("%d do", len(still))
				}
			}},
		{Says: "Far out, a gradient is nearly 0, and so is ω, although the point is not Pareto-optimal.",
			Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
				jac := algo.NewJacobian(2, 2)
				for _, r := range resting(t, c.End(t)) {
					row := scenetest.Last(r)
					fonsecaOf(t, 2).Jacobian(jac, row.X)
					length := func(i int) float64 { return math.Hypot(jac.Row(i)[0], jac.Row(i)[1]) }
					if short := min(length(0), length(1)); short > 0.02 {
						t.Errorf("%s has a gradient of length %v", r.Name(), short)
					}
					if row.Stationarity > 0.01 {
						t.Errorf("%s rests at ω = %v", r.Name(), row.Stationarity)
					}
				}
			}},
		{Says: "At least 8 of the 20 runs move less than 0.2.", Seeds: scenetest.Over(20, 0.9), Holds: func(t testing.TB, c *scenetest.Card) {
			if still := resting(t, c.End(t)); len(still) < 8 || scenetest.Number(t, c.End(t), "runs.psmgd") != 20 {
				t.Errorf("%d do", len(still))
			}
		}},
	},
}

// resting returns the runs that move less than 0.2 and end away from the Pareto set, where both goals could still improve.
func resting(t testing.TB, s scene.Scene) (out []timeline.Track) {
	t.Helper()
	for _, r := range scenetest.Tracks(t, s, "psmgd") {
		row := scenetest.Last(r)
		if apart(row.X, r.Start()) >= 0.2 || fonsecaOf(t, 2).DistanceToParetoSet(row.X) < 0.2 {
			continue
		}
		better := func(f []float64) bool { return f[0] < row.F[0] && f[1] < row.F[1] }
		if !slices.ContainsFunc(fonsecaOf(t, 2).Front(2001), better) {
			t.Errorf("%s rests at f = %v", r.Name(), row.F)
		}
		out = append(out, r)
	}
	return out
}

// mapOf returns the map of stale weights.
func mapOf(t testing.TB, c *scenetest.Card) []staleness.Cell {
	t.Helper()
	return scenetest.Results[struct{ Staleness []staleness.Cell }](t, c.End(t)).Staleness
}

func TestCards(t *testing.T) { claims.Check(t, fonseca.About) }

// help holds the statements of the parameters' help that runs can test.
var help = scenetest.CardClaims{
	"R": {{Says: "R = 1 without weight momentum is MGDA.", Holds: func(t testing.TB, c *scenetest.Card) {
		for momentum, same := range map[string]bool{"0": true, "0.9": false} {
			s := c.End(t, "method", "psmgd,mgda", "R", "1", "momentum", momentum)
			for i, r := range scenetest.Tracks(t, s, "psmgd") {
				if x, y := scenetest.Last(r).X, scenetest.Last(scenetest.Tracks(t, s, "mgda")[i]).X; slices.Equal(x, y) != same {
					t.Errorf("α = %s: they end at %v and %v", momentum, x, y)
				}
			}
		}
	}}},
	"momentum": {{Says: "On a front that bulges away from the origin, this value makes runs collapse to the front’s ends",
		Holds: func(t testing.TB, c *scenetest.Card) {
			held := 0
			with := c.Seeded(t, 20, "momentum", "0.9")
			for i, s := range c.Seeded(t, 20, "momentum", "0") {
				if scenetest.Number(t, s, "collapsed.psmgd") <= 4 && scenetest.Number(t, with[i], "collapsed.psmgd") >= 8 {
					held++
				}
			}
			if held < 18 {
				t.Errorf("on %d of 20 seeds", held)
			}
		}}},
	"crmogm.momentum": {{Says: "The momentum of the weights in CR-MOGM, which is PSMGD with R = 1",
		Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.End(t, "method", "psmgd,crmogm", "R", "1", "momentum", "0.7", "crmogm.momentum", "0.7")
			for i, r := range scenetest.Tracks(t, s, "psmgd") {
				if x, y := scenetest.Last(r).X, scenetest.Last(scenetest.Tracks(t, s, "crmogm")[i]).X; !slices.Equal(x, y) {
					t.Errorf("they end at %v and %v", x, y)
				}
			}
		}}},
	"region": {{Says: "Beyond 2 in every coordinate, both gradients of Fonseca’s problem are short: a plateau.",
		Holds: func(t testing.TB, c *scenetest.Card) {
			jac, longest := algo.NewJacobian(2, 2), 0.0
			for _, x := range []float64{-4, -3, -2.5, -2, 2, 2.5, 3, 4} {
				for _, y := range []float64{-4, -3, -2.5, -2, 2, 2.5, 3, 4} {
					fonsecaOf(t, 2).Jacobian(jac, []float64{x, y})
					for i := range 2 {
						longest = max(longest, math.Hypot(jac.Row(i)[0], jac.Row(i)[1]))
					}
				}
			}
			fonsecaOf(t, 2).Jacobian(jac, []float64{0, 0})
			if near := math.Hypot(jac.Row(0)[0], jac.Row(0)[1]); longest > near/5 {
				t.Errorf("the longest is %v, at 0 it is %v", longest, near)
			}
		}}},
	"epo.preference": {{Says: "EPO looks for the point of the front where r₁f₁ = (1 − r₁)f₂",
		Holds: func(t testing.TB, c *scenetest.Card) {
			s := c.End(t, "method", "epo", "epo.preference", "0.45", "start", "0.2,-0.2", "starts", "1", "budget", "5000", "eta", "0.05")
			f := scenetest.Last(scenetest.Track(t, s, "epo-1")).F
			if math.Abs(0.45*f[0]-0.55*f[1]) > 0.02 {
				t.Errorf("it ends at %v", f)
			}
		}}},
}

func TestHelp(t *testing.T) { help.CheckHelp(t, fonseca.About) }

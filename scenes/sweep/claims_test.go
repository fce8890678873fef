package sweep

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race/sweeps"
	"paretoplay/scenes/scenetest"
)

// Of how many seeds, from 1 on, the cards' means are: fewer where a sweep takes long.
const (
	draws    = 10
	fewDraws = 5
)

// values returns a card's values, with further ones, names and values in turn.
func values(t testing.TB, card string, further ...string) map[string]string {
	t.Helper()
	return scenetest.Values(t, About.Presets, card, further...)
}

// opened is the scene with some values, at the end of its sweep.
func opened(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	s := scenetest.Open(t, New(), values)
	scenetest.Step(t, s, -1)
	s.Timeline().SetMarker(s.Timeline().Latest())
	return s
}

// swept are the facts at the end of sweeps, by seed; they are computed once for each setting.
var swept sync.Map

// average is the mean of a fact over a number of draws.
func average(t testing.TB, draws int, set map[string]string, name string) (m float64) {
	t.Helper()
	set = maps.Clone(set)
	delete(set, "speed")
	key := []string{strconv.Itoa(draws)}
	for _, k := range slices.Sorted(maps.Keys(set)) {
		key = append(key, k+"="+set[k])
	}
	compute, _ := swept.LoadOrStore(strings.Join(key, "&"), sync.OnceValue(func() map[string]float64 {
		out := map[string]float64{}
		for seed := range draws {
			set["seed"] = strconv.Itoa(seed + 1)
			for _, f := range opened(t, set).Facts() {
				out[f.Name] += f.Value() / float64(draws)
			}
		}
		return out
	}))
	return compute.(func() map[string]float64)()[name]
}

// wantAverages: means of facts over draws, as written, with some values.
func wantAverages(t testing.TB, draws int, set map[string]string, want map[string]string) {
	t.Helper()
	for name, text := range want {
		got := average(t, draws, set, name)
		digits := 0
		if _, fraction, ok := strings.Cut(strings.TrimSuffix(text, " %"), "."); ok {
			digits = len(fraction)
		}
		if strings.HasSuffix(text, " %") {
			got *= 100
		}
		if written := strconv.FormatFloat(got, 'f', digits, 64); written != strings.TrimSuffix(text, " %") {
			t.Errorf("%s is %s, want %s", name, written, text)
		}
	}
}

// purities returns facts with the purities of Block-SMOO and of the weighted sum.
func purities(block, sum string) map[string]string {
	return map[string]string{"purity." + sweeps.BlockSMOO: block, "purity." + sweeps.WeightedSum: sum}
}

// TestClaims: every sentence of the scene's texts holds.
func TestClaims(t *testing.T) {
	excess := func(method string) string { return "excess." + method }
	scenetest.Claims{
		"summary": {
			{Says: "Every point is where a run has ended that gave each of three losses its own number of turns; all ways to share the " +
				"turns out are tried, one after the other.", Holds: func(t testing.TB) {
				s := opened(t, nil)
				if got := len(s.grid.vectors); got != 66 || s.done() != got {
					t.Errorf("%d of %d vectors are done", s.done(), got)
				}
			}},
			{Says: "The brighter a point, the smaller the mean of its losses; a hollow one is dominated.", Holds: func(t testing.TB) {
				s := opened(t, nil)
				last := panel.Contrast(panel.Light.Spectrum(0), panel.Light.Ink)
				for i := range 10 {
					now := panel.Contrast(panel.Light.Spectrum(float64(i+1)/10), panel.Light.Ink)
					if now < last {
						t.Errorf("colours grow darker at %d", i)
					}
					last = now
				}
				if m := s.summary(66); m.count(0, kept) == 66 {
					t.Error("no point is dominated")
				}
			}},
		},
		"try": {
			{Says: "Pause the sweep when you like: it goes on from there.", Holds: func(t testing.TB) {
				s := scenetest.Open(t, New(), nil)
				scenetest.Step(t, s, 333)
				s.Timeline().SetMarker(20)
				scenetest.Step(t, s, -1)
				s.Timeline().SetMarker(s.Timeline().Latest())
				whole := opened(t, nil)
				if a, b := s.summary(66), whole.summary(66); a.means[0] != b.means[0] || a.qualities[0].Purity != b.qualities[0].Purity {
					t.Error("a sweep that was paused ends elsewhere")
				}
			}},
			{Says: "Point at a point to see whose turns it had, and drag beside it to turn the front.", Holds: func(t testing.TB) {
				s := opened(t, nil)
				f := panel.Frame{Width: 700, Height: 500, Theme: panel.Light}
				found := 0
				for x := 40.; x < 700; x += 4 {
					for y := 40.; y < 460; y += 4 {
						pick, _ := s.space.Pick(f, at(x, y))
						if pick.Handle != panel.CameraHandle {
							continue
						}
						if len(pick.Lines) > 0 && strings.Contains(pick.Lines[0], "m = (") {
							found++
						}
					}
				}
				if found < 100 {
					t.Errorf("points are found at %d places", found)
				}
			}},
		},
		"front": {
			{Says: "One direction is to serve three responses, so that every vector has an optimum of its own: the grey " +
				"sheet.", Holds: func(t testing.TB) {
				s := opened(t, values(t, "front"))
				for i := range s.optima {
					for j := range i {
						if s.grid.inner(i) && s.grid.inner(j) && slices.Equal(s.optima[i].losses[train], s.optima[j].losses[train]) {
							t.Errorf("%v and %v have the same optimum", s.grid.vectors[i], s.grid.vectors[j])
						}
					}
				}
			}},
			{Says: "Both methods end near it.", Holds: func(t testing.TB) {
				for _, method := range []string{sweeps.BlockSMOO, sweeps.WeightedSum} {
					if got := average(t, draws, values(t, "front"), excess(method)); !(got < 0.02) {
						t.Errorf("%s ends %v above the least", method, got)
					}
				}
			}},
			{Says: "The weighted sum is 0.07 % above its least, Block-SMOO 1.8 %, and so more of its points are dominated: purity 0.86 " +
				"against 0.97 (means of ten draws).", Holds: func(t testing.TB) {
				want := purities("0.86", "0.97")
				want[excess(sweeps.WeightedSum)], want[excess(sweeps.BlockSMOO)] = "0.07 %", "1.8 %"
				wantAverages(t, draws, values(t, "front"), want)
			}},
		},
		"methods": {
			{Says: "Block-Alternate moves one block at a time as Block-SMOO does, but down the gradient of the weighted sum, and ends " +
				"0.5 % above its least; Function-Alternate moves all variables for one objective at a time, and ends 1.1 % " +
				"above.", Holds: func(t testing.TB) {
				wantAverages(t, draws, values(t, "methods"), map[string]string{
					excess(sweeps.BlockAlternate): "0.5 %", excess(sweeps.FunctionAlternate): "1.1 %",
				})
			}},
			{Says: "Most of Block-SMOO’s 1.8 % comes with the functions (means of ten draws).", Holds: func(t testing.TB) {
				set := values(t, "methods")
				wantAverages(t, draws, set, map[string]string{excess(sweeps.BlockSMOO): "1.8 %"})
				one, blocks := average(t, draws, set, excess(sweeps.FunctionAlternate)), average(t, draws, set, excess(sweeps.BlockAlternate))
				if whole := average(t, draws, set, excess(sweeps.BlockSMOO)); !(one > whole/2 && blocks < whole/2) {
					t.Errorf("functions %v, blocks %v, both %v", one, blocks, whole)
				}
			}},
		},
		"alpha": {
			{Says: "The paper’s step size, 0.02, and 50 passes in place of 20, so that the runs come as far.", Holds: func(t testing.TB) {
				v := defaults()
				if got := 0.02 * 50; math.Abs(got-v.Alpha*float64(v.Passes)) > 1e-12 {
					t.Errorf("step size times passes: %v and %v", got, v.Alpha*float64(v.Passes))
				}
			}},
			{Says: "Block-SMOO ends 0.9 % above its least, not 1.8 %, and its purity is 0.94, not 0.86.", Holds: func(t testing.TB) {
				wantAverages(t, draws, values(t, "alpha"), map[string]string{excess(sweeps.BlockSMOO): "0.9 %", "purity." + sweeps.BlockSMOO: "0.94"})
				wantAverages(t, draws, values(t, "front"), map[string]string{excess(sweeps.BlockSMOO): "1.8 %", "purity." + sweeps.BlockSMOO: "0.86"})
			}},
			{Says: "With 20 passes it does not get there: 9.7 % (means of ten draws).", Holds: func(t testing.TB) {
				wantAverages(t, draws, values(t, "alpha", "passes", "20"), map[string]string{excess(sweeps.BlockSMOO): "9.7 %"})
			}},
		},
		"full": {
			{Says: "Three directions for three responses: one point is best for all, and every vector without a zero has that " +
				"optimum.", Holds: func(t testing.TB) {
				s := opened(t, values(t, "full"))
				first := -1
				for i := range s.optima {
					if !s.grid.inner(i) {
						continue
					}
					if first < 0 {
						first = i
					}
					for k, v := range s.optima[i].losses[train] {
						if want := s.optima[first].losses[train][k]; math.Abs(v-want) > 1e-6*want {
							t.Errorf("%v: f%d = %v, want %v", s.grid.vectors[i], k+1, v, want)
						}
					}
				}
			}},
			{Says: "The front that is left are runs that are not finished.", Holds: func(t testing.TB) {
				for _, method := range []string{sweeps.BlockSMOO, sweeps.WeightedSum} {
					if got := average(t, draws, values(t, "full"), excess(method)); !(got > 10) {
						t.Errorf("%s ends %v above the least", method, got)
					}
				}
			}},
			{Says: "With 5 passes Block-SMOO’s purity is 0.11 and the weighted sum’s 1.00, with 20 passes 0.23 and 0.97: it says who is " +
				"further on (means of ten draws).", Holds: func(t testing.TB) {
				for _, c := range []struct{ set, want map[string]string }{
					{values(t, "full", "passes", "5"), purities("0.11", "1.00")}, {values(t, "full"), purities("0.23", "0.97")},
				} {
					wantAverages(t, draws, c.set, c.want)
					if a, b := average(t, draws, c.set, excess(sweeps.WeightedSum)), average(t, draws, c.set, excess(sweeps.BlockSMOO)); !(a < b) {
						t.Errorf("%v: F_m is %v and %v above its least", c.set, a, b)
					}
				}
			}},
		},
		"pass": {
			{Says: "Here a batch counts for a whole outer iteration, in which Block-SMOO makes 20 steps and the weighted sum one: their " +
				"purities are 1.00 and 0.07.", Holds: func(t testing.TB) {
				wantAverages(t, fewDraws, values(t, "pass"), purities("1.00", "0.07"))
				s := scenetest.Open(t, New(), values(t, "pass"))
				scenetest.Step(t, s, 1)
				batches := s.values.N / s.values.Batch
				for i, want := range []int{20 * batches, batches} {
					if got := s.ends[i].run.Stepper.View().Cost.Backpropagations; got != want {
						t.Errorf("%s makes %d steps in a pass, want %d", s.ends[i].run.Title, got, want)
					}
				}
			}},
			{Says: "Counted by steps they are 0.13 and 0.98 (means of five draws).", Holds: func(t testing.TB) {
				wantAverages(t, fewDraws, values(t, "pass", "pass", passSteps), purities("0.13", "0.98"))
			}},
			{Says: "The paper has 0.69 and 0.51, and states neither what a pass is nor r.", Holds: func(testing.TB) {}},
		},
		"zeros": {
			{Says: "30 of the 66 vectors have a zero.", Holds: func(t testing.TB) {
				s := opened(t, nil)
				zeros := 0
				for i := range s.grid.vectors {
					if !s.grid.inner(i) {
						zeros++
					}
				}
				if zeros != 30 || len(s.grid.vectors) != 66 {
					t.Errorf("%d of %d", zeros, len(s.grid.vectors))
				}
			}},
			{Says: "Nothing moves that objective’s column of V, and its loss ends between 0.8 and 1.2.", Holds: func(t testing.TB) {
				low, high := math.Inf(1), math.Inf(-1)
				s := opened(t, nil)
				for _, e := range s.ends {
					for i, m := range s.grid.vectors {
						row, err := s.Timeline().At(e.run, e.passes*(i+1))
						if err != nil {
							t.Fatal(err)
						}
						for k, times := range m {
							if times > 0 {
								continue
							}
							low, high = min(low, e.of(test, i)[k]), max(high, e.of(test, i)[k])
							if at := s.values.D*s.values.R + k; row.X[at] != e.run.Starts[0][at] {
								t.Errorf("m = %v moves V of objective %d", m, k+1)
							}
						}
					}
				}
				if low < 0.8 || high > 1.2 || low > 0.9 || high < 1.1 {
					t.Errorf("losses end between %v and %v", low, high)
				}
			}},
			{Says: "These points lie apart from the sheet, along the walls of the box, and yet most are on the front.", Holds: func(t testing.TB) {
				s := opened(t, nil)
				on, of := 0, 0
				var apart, near float64 // mean distances from the sheet
				m := s.summary(66)
				for run := range s.ends {
					for i, rank := range m.standings[run] {
						away := math.Inf(1)
						for j, o := range s.optima {
							if s.grid.inner(j) {
								away = min(away, floats.Distance(o.losses[test], m.points[run][i], 2))
							}
						}
						if s.grid.inner(i) {
							near += away / 36 / 2
						} else {
							apart += away / 30 / 2
						}
						if !s.grid.inner(i) {
							of++
							if rank == kept {
								on++
							}
						}
					}
				}
				if !(apart > 5*near) {
					t.Errorf("the points lie %v off the sheet, the others %v", apart, near)
				}
				if 2*on <= of {
					t.Errorf("%d of %d are on the front", on, of)
				}
			}},
		},
		"many": {
			{Says: "Twenty turns to share out, as in Figure 2.", Holds: func(t testing.TB) {
				if got := len(opened(t, values(t, "many", "passes", "1")).grid.vectors); got != 231 {
					t.Errorf("%d vectors", got)
				}
			}},
			{Says: "The points stand closer, and a small difference is enough to be dominated: Block-SMOO’s purity falls from 0.90 to " +
				"0.74, the weighted sum’s stays near 1 (means of five draws).", Holds: func(t testing.TB) {
				for _, c := range []struct {
					set  map[string]string
					want string
				}{{values(t, "front"), "0.90"}, {values(t, "many"), "0.74"}} {
					wantAverages(t, fewDraws, c.set, map[string]string{"purity." + sweeps.BlockSMOO: c.want})
					if got := average(t, fewDraws, c.set, "purity."+sweeps.WeightedSum); got < 0.99 {
						t.Errorf("%v: the weighted sum’s purity is %v", c.set, got)
					}
				}
			}},
		},
	}.Check(t, About)
}

// at is a place on a panel.
func at(x, y float64) vg.Point { return vg.Point{X: vg.Length(x), Y: vg.Length(y)} }

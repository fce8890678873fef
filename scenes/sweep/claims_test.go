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

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene/scenetest"
)

// These are the numbers of seeds on which the cards' means and medians are measured. The smaller number is for slow
// sweeps.
const (
	manyDraws = 20
	draws     = 10
)

// often requires a claim to hold on at least nine in ten seeds.
var often = scenetest.Over(manyDraws, 0.9)

// values returns a card's values with the given changes. The argument further alternates names and values.
func values(t testing.TB, card string, further ...string) map[string]string {
	t.Helper()
	return scenetest.Values(t, About.Presets, card, further...)
}

// opened returns the scene with the given values at the end of its sweep.
func opened(t testing.TB, values map[string]string) *Scene {
	t.Helper()
	s := scenetest.Open(t, New(), values)
	scenetest.Step(t, s, -1)
	s.Timeline().SetMarker(s.Timeline().Latest())
	return s
}

// swept caches finished sweeps by settings and seed.
var swept sync.Map

// sweepOf returns a finished sweep with the given values and seed. Claims share this sweep and must not change it.
func sweepOf(t testing.TB, set map[string]string, seed int) *Scene {
	t.Helper()
	set = maps.Clone(set)
	if set == nil {
		set = map[string]string{}
	}
	delete(set, "speed")
	delete(set, "view")
	set["seed"] = strconv.Itoa(seed)
	var key []string
	for _, k := range slices.Sorted(maps.Keys(set)) {
		key = append(key, k+"="+set[k])
	}
	compute, _ := swept.LoadOrStore(strings.Join(key, "&"), sync.OnceValue(func() *Scene { return opened(t, set) }))
	return compute.(func() *Scene)()
}

// facts returns a fact at the end of a sweep with the given values, for each seed.
func facts(t testing.TB, draws int, set map[string]string, name string) (out []float64) {
	t.Helper()
	for _, seed := range scenetest.SeedList(draws) {
		out = append(out, fact(t, set, seed, name))
	}
	return out
}

// fact returns a fact at the end of a sweep. It locks the sweep, because a scene computes facts on request and claims
// are checked in parallel.
func fact(t testing.TB, set map[string]string, seed int, name string) float64 {
	t.Helper()
	asking.Lock()
	defer asking.Unlock()
	return scenetest.Fact(t, sweepOf(t, set, seed).Facts(), name)
}

var asking sync.Mutex

// wantMedians checks the stated medians of facts over the given number of seeds.
func wantMedians(t testing.TB, draws int, set map[string]string, want map[string]string) {
	t.Helper()
	states(t, draws, set, want, scenetest.StatesMedian)
}

// wantAverages checks the stated means of facts over the given number of seeds.
func wantAverages(t testing.TB, draws int, set map[string]string, want map[string]string) {
	t.Helper()
	states(t, draws, set, want, scenetest.StatesMean)
}

// states calls check for each fact, with the fact's values on the given number of seeds and the stated value.
func states(t testing.TB, draws int, set, want map[string]string, check func(t testing.TB, what string, values []float64, stated string)) {
	t.Helper()
	for name, text := range want {
		values := facts(t, draws, set, name)
		if strings.HasSuffix(text, " %") {
			floats.Scale(100, values)
		}
		check(t, name, values, strings.TrimSuffix(text, " %"))
	}
}

// purities returns a map from the purity facts of Block-SMOO and the weighted sum to their stated values.
func purities(block, sum string) map[string]string {
	return map[string]string{"purity." + sweeps.BlockSMOO: block, "purity." + sweeps.WeightedSum: sum}
}

// TestClaims checks that every sentence of the scene's texts holds.
func TestClaims(t *testing.T) {
	excess := func(method string) string { return "excess." + method }
	scenetest.Claims{
		"summary": {
			{Says: "Three workshops share the hours of one machine. This scene tries all ways to share them, one after the other. Every point " +
				"is the end of a run that gave each of three losses a certain number of turns.",
				Seeds: scenetest.Any, Holds: func(t testing.TB) {
					s := opened(t, nil)
					if got := len(s.grid.vectors); got != 66 || s.done() != got {
						t.Errorf("%d of %d vectors are done", s.done(), got)
					}
				}},
			{Says: "The brighter a point, the smaller the mean of its losses. A hollow point is dominated: another point is better in all goals.",
				Seeds: scenetest.Any, Holds: func(t testing.TB) {
					s := opened(t, nil)
					last := brush.Contrast(brush.Light.Spectrum(0), brush.Light.Ink)
					for i := range 10 {
						now := brush.Contrast(brush.Light.Spectrum(float64(i+1)/10), brush.Light.Ink)
						if now < last {
							t.Errorf("colours grow darker at %d", i)
						}
						last = now
					}
					m, hollow := s.summary(66), 0
					better := func(f []float64) func(g []float64) bool {
						return func(g []float64) bool { return g[0] < f[0] && g[1] < f[1] && g[2] < f[2] }
					}
					for run, points := range m.points {
						for i, f := range points {
							if m.standings[run][i] == kept {
								continue
							}
							hollow++
							if !slices.ContainsFunc(slices.Concat(m.points...), better(f)) {
								t.Errorf("no point is better in all goals than %v, which is hollow", f)
							}
						}
					}
					if hollow == 0 {
						t.Error("no point is dominated")
					}
				}},
		},
		"try": {
			{Says: "Pause the sweep whenever you like; it continues where it stopped.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
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
			{Says: "Hover over a point to see how its turns were shared, and drag the background to turn the front.",
				Seeds: scenetest.Any, Holds: func(t testing.TB) {
					s := opened(t, nil)
					f := brush.Frame{Width: 700, Height: 500, Theme: brush.Light}
					found := 0
					for x := 40.; x < 700; x += 4 {
						for y := 40.; y < 460; y += 4 {
							pick, _ := s.space.Pick(f, at(x, y))
							if pick.Handle != kinds.CameraHandle {
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
			{Says: "Runs of Block-SMOO and the weighted sum end near the grey sheet, where each vector’s weighted sum is smallest.", Seeds: often,
				Each: func(t testing.TB, seed int) {
					for _, method := range []string{sweeps.BlockSMOO, sweeps.WeightedSum} {
						if got := fact(t, values(t, "front"), seed, excess(method)); !(got < 0.05) {
							t.Errorf("%s ends %v above the least", method, got)
						}
					}
				}},
			{Says: "One direction has to serve three responses, so every vector has a different optimum.",
				Seeds: scenetest.Over(manyDraws, 0.9), Each: func(t testing.TB, seed int) {
					s := scenetest.Open(t, New(), values(t, "front", "seed", strconv.Itoa(seed)))
					for i := range s.optima {
						for j := range i {
							if s.grid.inner(i) && s.grid.inner(j) && slices.Equal(s.optima[i].losses[train], s.optima[j].losses[train]) {
								t.Errorf("%v and %v have the same optimum", s.grid.vectors[i], s.grid.vectors[j])
							}
						}
					}
				}},
			{Says: "Block-SMOO ends farther from its optima than the weighted sum does, so more of its points are dominated.", Seeds: often,
				Each: func(t testing.TB, seed int) {
					set := values(t, "front")
					increase(t, fact(t, set, seed, excess(sweeps.WeightedSum)), fact(t, set, seed, excess(sweeps.BlockSMOO)))
					increase(t, fact(t, set, seed, "kept."+sweeps.BlockSMOO), fact(t, set, seed, "kept."+sweeps.WeightedSum))
				}},
			{Says: "The weighted sum ends 0.01 % above its minimum, Block-SMOO 1.5 %; their purities are 1.00 and 0.88 (medians of 20 draws).",
				Seeds: scenetest.Of(manyDraws), Holds: func(t testing.TB) {
					want := purities("0.88", "1.00")
					want[excess(sweeps.WeightedSum)], want[excess(sweeps.BlockSMOO)] = "0.01 %", "1.5 %"
					wantMedians(t, manyDraws, values(t, "front"), want)
				}},
		},
		"methods": {
			{Says: "Here Block-SMOO stays above its optima mostly because objectives take turns, and hardly because blocks do.",
				Holds: func(t testing.TB) {
					s := opened(t, values(t, "methods"))
					above := map[string]float64{}
					for _, e := range s.ends {
						above[e.run.Method] = s.meanExcess(e, len(s.grid.vectors))
					}
					increase(t, above[sweeps.BlockSMOO]/2, above[sweeps.FunctionAlternate])
					increase(t, above[sweeps.BlockAlternate], above[sweeps.BlockSMOO]/10)
				}},
			{Says: "Block-Alternate moves one block at a time, as Block-SMOO does, but down the gradient of the weighted sum. Function-Alternate " +
				"moves all variables, for one objective at a time.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
				for method, parts := range map[string]bool{sweeps.BlockSMOO: true, sweeps.BlockAlternate: true, sweeps.FunctionAlternate: false} {
					if sweeps.Parts(method) != parts {
						t.Errorf("%s moves one block at a time: %v", method, !parts)
					}
				}
			}},
			{Says: "Block-Alternate ends 0.3 % above its minimum, Function-Alternate 1.0 % and Block-SMOO 1.5 % (medians of ten draws).",
				Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
					wantMedians(t, draws, values(t, "methods"), map[string]string{excess(sweeps.BlockSMOO): "1.5 %",
						excess(sweeps.BlockAlternate): "0.3 %", excess(sweeps.FunctionAlternate): "1.0 %"})
				}},
		},
		"alpha": {
			{Says: "With smaller steps and more passes Block-SMOO ends closer to its optima, but not as close as the weighted sum.", Seeds: often,
				Each: func(t testing.TB, seed int) {
					set := values(t, "alpha")
					got := fact(t, set, seed, excess(sweeps.BlockSMOO))
					increase(t, got, fact(t, values(t, "front"), seed, excess(sweeps.BlockSMOO)))
					increase(t, fact(t, set, seed, excess(sweeps.WeightedSum)), got)
				}},
			{Says: "The step size is the paper’s, 0.02. There are 50 passes instead of 20, to get as far as with larger steps.",
				Seeds: scenetest.Any, Holds: func(t testing.TB) {
					v := defaults()
					if got := 0.02 * 50; math.Abs(got-v.Alpha*float64(v.Passes)) > 1e-12 {
						t.Errorf("step size times passes: %v and %v", got, v.Alpha*float64(v.Passes))
					}
				}},
			{Says: "With 20 passes Block-SMOO does not get as far.", Seeds: often, Each: func(t testing.TB, seed int) {
				increase(t, 2*fact(t, values(t, "alpha"), seed, excess(sweeps.BlockSMOO)),
					fact(t, values(t, "alpha", "passes", "20"), seed, excess(sweeps.BlockSMOO)))
			}},
			{Says: "Block-SMOO ends 0.7 % above its minimum, not 1.5 %, and its purity is 0.94, not 0.88 (medians of 20 draws).",
				Seeds: scenetest.Of(manyDraws), Holds: func(t testing.TB) {
					wantMedians(t, manyDraws, values(t, "alpha"), map[string]string{excess(sweeps.BlockSMOO): "0.7 %",
						"purity." + sweeps.BlockSMOO: "0.94"})
					wantMedians(t, manyDraws, values(t, "front"), map[string]string{excess(sweeps.BlockSMOO): "1.5 %",
						"purity." + sweeps.BlockSMOO: "0.88"})
				}},
		},
		"full": {
			{Says: "If one point is best for all objectives, the front only shows which method’s runs have got further.", Seeds: often,
				Each: func(t testing.TB, seed int) {
					for _, set := range []map[string]string{values(t, "full"), values(t, "full", "passes", "5")} {
						increase(t, fact(t, set, seed, excess(sweeps.WeightedSum)), fact(t, set, seed, excess(sweeps.BlockSMOO)))
						increase(t, fact(t, set, seed, "purity."+sweeps.BlockSMOO), fact(t, set, seed, "purity."+sweeps.WeightedSum))
					}
				}},
			{Says: "With three directions for three responses, every vector without a zero has the same optimum.", Seeds: often,
				Each: func(t testing.TB, seed int) {
					s := scenetest.Open(t, New(), values(t, "full", "seed", strconv.Itoa(seed)))
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
			{Says: "The remaining front consists of runs that have not converged.",
				Seeds: scenetest.Over(draws, 0.9), Each: func(t testing.TB, seed int) {
					for _, method := range []string{sweeps.BlockSMOO, sweeps.WeightedSum} {
						if got := fact(t, values(t, "full"), seed, excess(method)); !(got > 1) {
							t.Errorf("%s ends %v above the least", method, got)
						}
					}
				}},
			{Says: "With 5 passes Block-SMOO’s purity is 0.08 and the weighted sum’s 1.00 (means of ten draws).", Seeds: scenetest.Of(draws),
				Holds: func(t testing.TB) {
					wantAverages(t, draws, values(t, "full", "passes", "5"), purities("0.08", "1.00"))
				}},
			{Says: "With 20 passes Block-SMOO’s purity is below the weighted sum’s, between 0 and 0.7 depending on the draw.",
				Seeds: scenetest.Of(2 * draws), Holds: func(t testing.TB) {
					lowest, highest := 1., 0.
					var wrong []int
					for _, seed := range scenetest.TwoBases(draws) {
						block := fact(t, values(t, "full"), seed, "purity."+sweeps.BlockSMOO)
						if sum := fact(t, values(t, "full"), seed, "purity."+sweeps.WeightedSum); block >= sum || block > 0.7 {
							wrong = append(wrong, seed)
						}
						lowest, highest = min(lowest, block), max(highest, block)
					}
					if len(wrong) > 2*draws/10 || lowest > 0.15 || highest < 0.25 {
						t.Errorf("it is between %.2f and %.2f, and otherwise with the seeds %v", lowest, highest, wrong)
					}
				}},
		},
		"pass": {
			{Says: "Which front is better depends on whether a pass counts outer iterations or steps.", Seeds: often,
				Each: func(t testing.TB, seed int) {
					outer, steps := values(t, "pass"), values(t, "pass", "pass", passSteps)
					increase(t, fact(t, outer, seed, "purity."+sweeps.WeightedSum), fact(t, outer, seed, "purity."+sweeps.BlockSMOO))
					increase(t, fact(t, steps, seed, "purity."+sweeps.BlockSMOO), fact(t, steps, seed, "purity."+sweeps.WeightedSum))
				}},
			{Says: "Here one batch serves a whole outer iteration, in which Block-SMOO takes 20 steps and the weighted sum takes one. The " +
				"paper states neither what a pass is nor the value of r.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
				s := scenetest.Open(t, New(), values(t, "pass"))
				scenetest.Step(t, s, 1)
				batches := s.values.N / s.values.Batch
				for i, want := range []int{20 * batches, batches} {
					if got := s.ends[i].run.Stepper.View().Cost.Backpropagations; got != want {
						t.Errorf("%s makes %d steps in a pass, want %d", s.ends[i].run.Title, got, want)
					}
				}
			}},
			{Says: "Block-SMOO’s purity is 1.00 and the weighted sum’s 0.05; if passes count steps the purities are 0.09 and 1.00 (medians of ten " +
				"draws). The paper reports 0.69 and 0.51.", Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
				wantMedians(t, draws, values(t, "pass"), purities("1.00", "0.05"))
				wantMedians(t, draws, values(t, "pass", "pass", passSteps), purities("0.09", "1.00"))
			}},
		},
		"zeros": {
			{Says: "If an objective has no turns, points lie away from the sheet, along the walls of the box.",
				Seeds: often, Each: func(t testing.TB, seed int) {
					asking.Lock()
					defer asking.Unlock()
					s := sweepOf(t, nil, seed)
					var apart, near float64 // mean distances from the sheet
					m := s.summary(66)
					for run := range s.ends {
						for i := range m.standings[run] {
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
						}
					}
					if !(apart > 5*near) {
						t.Errorf("the points lie %v off the sheet, the others %v", apart, near)
					}
				}},
			{Says: "30 of the 66 vectors have a zero.", Seeds: scenetest.Any, Holds: func(t testing.TB) {
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
			{Says: "Nothing moves the idle objective’s column of V, so its loss stays at about 1, as if it always predicted 0.",
				Seeds: often, Each: func(t testing.TB, seed int) {
					low, high := math.Inf(1), math.Inf(-1)
					asking.Lock()
					defer asking.Unlock()
					s := sweepOf(t, nil, seed)
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
								low, high = min(low, e.end(test, i)[k]), max(high, e.end(test, i)[k])
								if at := s.values.D*s.values.R + k; row.X[at] != e.run.Starts[0][at] {
									t.Errorf("m = %v moves V of objective %d", m, k+1)
								}
							}
						}
					}
					if low < 0.5 || high > 1.8 {
						t.Errorf("losses end between %v and %v", low, high)
					}
				}},
			{Says: "Yet most of these points are on the front.", Seeds: often, Each: func(t testing.TB, seed int) {
				asking.Lock()
				defer asking.Unlock()
				s := sweepOf(t, nil, seed)
				on, of := 0, 0
				m := s.summary(66)
				for run := range s.ends {
					for i, rank := range m.standings[run] {
						if s.grid.inner(i) {
							continue
						}
						of++
						if rank == kept {
							on++
						}
					}
				}
				if 2*on <= of {
					t.Errorf("%d of %d are on the front", on, of)
				}
			}},
			{Says: "The loss of an objective without turns ends between 0.5 and 1.8.", Seeds: often, Each: func(t testing.TB, seed int) {
				low, high := math.Inf(1), math.Inf(-1)
				asking.Lock()
				defer asking.Unlock()
				s := sweepOf(t, nil, seed)
				for _, e := range s.ends {
					for i, m := range s.grid.vectors {
						for k, times := range m {
							if times == 0 {
								low, high = min(low, e.end(test, i)[k]), max(high, e.end(test, i)[k])
							}
						}
					}
				}
				if low < 0.5 || high > 1.8 {
					t.Errorf("losses end between %v and %v", low, high)
				}
			}},
		},
		"many": {
			{Says: "Here the points are closer together, and more of Block-SMOO’s front is dominated than with fewer vectors.",
				Holds: func(t testing.TB) {
					few, many := opened(t, values(t, "front")), opened(t, values(t, "many"))
					increase(t, many.summary(231).qualities[0].Purity, few.summary(66).qualities[0].Purity)
				}},
			{Says: "Sharing twenty turns, as in Figure 2, gives 231 vectors. A small difference is enough for a point to be dominated.",
				Seeds: scenetest.Any, Holds: func(t testing.TB) {
					if got := len(opened(t, values(t, "many", "passes", "1")).grid.vectors); got != 231 {
						t.Errorf("%d vectors", got)
					}
				}},
			{Says: "Block-SMOO’s purity falls from 0.87 to 0.74; the weighted sum’s stays near 1 (means of ten draws).",
				Seeds: scenetest.Of(draws), Holds: func(t testing.TB) {
					for _, c := range []struct {
						set  map[string]string
						want string
					}{{values(t, "front"), "0.87"}, {values(t, "many"), "0.74"}} {
						wantAverages(t, draws, c.set, map[string]string{"purity." + sweeps.BlockSMOO: c.want})
						if got, _, _ := kinds.Mean(facts(t, draws, c.set, "purity."+sweeps.WeightedSum)); got < 0.95 {
							t.Errorf("%v: the weighted sum’s purity is %v", c.set, got)
						}
					}
				}},
		},
	}.Check(t, About)
}

// increase checks that the first number is below the second.
func increase(t testing.TB, less, more float64) {
	t.Helper()
	if !(less < more) {
		t.Errorf("%v is not less than %v", less, more)
	}
}

// at returns a point on a panel, in pixels.
func at(x, y float64) vg.Point { return vg.Point{X: vg.Length(x), Y: vg.Length(y)} }

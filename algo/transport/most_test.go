package transport

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
)

// scattered returns clustered centres and random starts, as in the sketch that compares the methods. The middles of the
// clusters are drawn from U(−1.2, 1.2)^d. Within a cluster, each coordinate has standard deviation 0.25. The starts are
// drawn from U(−1.5, 1.5)^d.
func scattered(seed uint64, n, m, d, clusters int) (wells, [][]float64) {
	r := rand.New(rand.NewPCG(seed, 11))
	uniform := func(side float64) []float64 {
		v := make([]float64, d)
		for c := range v {
			v[c] = side * (2*r.Float64() - 1)
		}
		return v
	}
	var middles, starts [][]float64
	for range clusters {
		middles = append(middles, uniform(1.2))
	}
	var w wells
	for i := range n {
		centre := slices.Clone(middles[i%clusters])
		for c := range centre {
			centre[c] += 0.25 * r.NormFloat64()
		}
		w = append(w, centre)
	}
	for range m {
		starts = append(starts, uniform(1.5))
	}
	return w, starts
}

func clusters(seed uint64, n, m int) Config {
	w, starts := scattered(seed, n, m, 2, 5)
	return Config{Problem: algo.Exact(w), Starts: starts, StepSize: 0.2, Seed: seed}
}

// TestFirstRoundByHand compares one round with numbers computed by hand, for objectives ½‖θ − (0,0)‖² and ½‖θ −
// (4,0)‖² and solutions at (1, 0) and (3, 1). The losses are .5 and 5 for the first objective, and 4.5 and 1 for the
// second. Each solution therefore serves the nearer objective with mass ½, and the plan costs .25 + .5. The gradients
// are (1, 0) and (−1, 1), halved by the plan and doubled by the scale.
func TestFirstRoundByHand(t *testing.T) {
	c := Config{Problem: algo.Exact(wells{{0, 0}, {4, 0}}), Starts: [][]float64{{1, 0}, {3, 1}}, StepSize: 0.5}
	s := newMosT(t, c)
	r := advance(t, s)
	v := s.View()
	exactly(t, "x", v.X, 0.5, 0, 3.5, 0.5)
	exactly(t, "directions", v.Direction, 1, 0, -1, 1)
	exactly(t, "weights", v.Weights, 1, 0, 0, 1)
	exactly(t, "plan", r.Plan.Mass, 0.5, 0, 0, 0.5)
	exactly(t, "cost", []float64{r.Plan.Cost, r.Objective, r.Tau}, 0.75, 0.75, 0)
	exactly(t, "losses before", r.Cost, 0.5, 5, 4.5, 1)
	exactly(t, "½‖d_1‖² + ½‖d_2‖²", []float64{r.BD2[0], r.BD2Mean}, 1.5, 1.5)
	exactly(t, "f", v.F, 0.125, 6.125, 6.25, 0.25)
	if v.Cost != (algo.Cost{Backpropagations: 2, GradientCoordinates: 4}) || v.K != 1 || v.Solutions != 2 || v.StepSize != 0.5 {
		t.Errorf("view %+v", v)
	}
	if !math.IsNaN(r.Change) {
		t.Errorf("the change of the first plan: got %v, want NaN", r.Change)
	}
	if r = advance(t, s); r.Change != 0 {
		t.Errorf("the change of an equal plan: got %v, want 0", r.Change)
	}
}

// TestScalesByHand compares one solution's step with numbers computed by hand. At (1, 1) the solution serves (0, 0) and
// (2, 0) with mass ½ each, so the rows are (½, ½) and (−½, ½). The weights are λ = (½, ½) and the direction is (0, ½).
// The column has sum 1, so Raw and Column agree.
func TestScalesByHand(t *testing.T) {
	c := Config{Problem: algo.Exact(wells{{0, 0}, {2, 0}}), Starts: [][]float64{{1, 1}}, StepSize: 0.5}
	for _, want := range []struct {
		scale Scale
		up    float64
	}{{Raw, 0.5}, {Column, 0.5}, {ColumnCount, 1}} {
		c.Scale = want.scale
		s := newMosT(t, c)
		advance(t, s)
		exactly(t, string(want.scale), s.View().Direction, 0, want.up)
		exactly(t, "weights", s.View().Weights, 0.5, 0.5)
	}
	// Half as much mass on the first objective makes its row half as long. The min-norm point prefers the shorter
	// row.
	c.A, c.B, c.Scale = []float64{1, 3}, []float64{7}, Raw
	s := newMosT(t, c)
	r := advance(t, s)
	exactly(t, "plan", r.Plan.Mass, 0.25, 0.75)
	// λ_1 = ⟨g_2, g_2 − g_1⟩/‖g_1 − g_2‖² with g_1 = (¼, ¼) and g_2 = (−¾, ¾)
	exactly(t, "weights", s.View().Weights, 0.9, 0.1)
	exactly(t, "direction", s.View().Direction, 0.15, 0.3)
	c.PlanAsWeights = true
	s = newMosT(t, c)
	advance(t, s)
	exactly(t, "the plan's weights", s.View().Weights, 0.25, 0.75)
	exactly(t, "their direction", s.View().Direction, -0.5, 1)
}

// TestStepsByHand compares each kind of step with numbers computed by hand. Adam's first step consists of the signs of
// the gradients. The plan halves the rows, so with SignStep the rows are (½, ½) and (−½, ½) for all gradients with
// these signs, here (1, 2) and (−3, 2).
func TestStepsByHand(t *testing.T) {
	c := Config{Problem: algo.Exact(wells{{0, 0}, {4, 0}}), Starts: [][]float64{{1, 2}}, StepSize: 0.1, Step: SignStep}
	s := newMosT(t, c)
	advance(t, s)
	exactly(t, "x after a step of signs", s.View().X, 1, 1.95)
	c.Step = AdamStep
	s = newMosT(t, c)
	advance(t, s)
	// (1, 2) and (−3, 2) have the min-norm point (0, 2), which the plan halves.
	exactly(t, "direction", s.View().Direction, 0, 2*0.5)
	exactTo(t, s.View().X, 2e-9, 1, 1.9) // Adam's ε is 1e-8
	c.Step, c.WeightDecay = PlainStep, 0.5
	s = newMosT(t, c)
	advance(t, s)
	// Weight decay adds θ/2: (1.5, 3) and (−2.5, 3)
	exactly(t, "x with weight decay", s.View().X, 1, 2-0.1*1.5)
}

func exactly(t testing.TB, what string, got []float64, want ...float64) {
	t.Helper()
	for i, v := range want {
		if len(got) != len(want) || !(math.Abs(got[i]-v) <= 1e-15*max(1, math.Abs(v))*10) {
			t.Errorf("%s = %v, want %v", what, got, want)
			return
		}
	}
}

// variants returns configurations of every kind, by name, for the same objectives.
func variants(seed uint64, n, m int) map[string]Config {
	base := clusters(seed, n, m)
	all := map[string]Config{"most": base}
	change := func(name string, f func(c *Config)) {
		c := base
		f(&c)
		all[name] = c
	}
	uneven := func(length int) []float64 {
		r := rand.New(rand.NewPCG(seed, uint64(length)))
		v := make([]float64, length)
		for i := range v {
			v[i] = r.Float64()
		}
		v[0] = 0
		return v
	}
	change("raw", func(c *Config) { c.Scale, c.StepSize = Raw, 5 })
	change("columncount", func(c *Config) { c.Scale = ColumnCount })
	change("K = 3", func(c *Config) { c.Inner = 3 })
	change("uneven", func(c *Config) { c.A, c.B = uneven(n), uneven(m) })
	change("regularized", func(c *Config) { c.Tau, c.Restarts = 0.1, 5 })
	change("paper", func(c *Config) { c.Curriculum, c.Horizon = PaperCurriculum, 30 })
	change("published", func(c *Config) { c.Curriculum, c.Horizon = PublishedCurriculum, 30 })
	change("objective selects", func(c *Config) { c.Matching = ObjectiveSelects })
	change("model selects", func(c *Config) { c.Matching = ModelSelects })
	change("random plan", func(c *Config) { c.Matching = RandomPlan })
	change("plan as weights", func(c *Config) { c.PlanAsWeights = true })
	change("unmatched", func(c *Config) { c.Matching = Unmatched })
	change("signs", func(c *Config) { c.Step, c.StepSize, c.WeightDecay = SignStep, 0.01, DefaultWeightDecay })
	change("adam", func(c *Config) { c.Step, c.StepSize, c.Inner = AdamStep, 0.05, 2 })
	change("fair", func(c *Config) {
		c.Weighting = func(int) (algo.Weighting, error) { return weighting.NewFairGrad(1) }
	})
	change("mixtures", func(c *Config) {
		mixtures, err := DirichletMixtures(n, 12, 0.5, false, seed)
		if err != nil {
			panic(err)
		}
		c.Mixtures = mixtures
	})
	change("paired", func(c *Config) {
		mixtures, err := DirichletMixtures(n, m, 1, false, seed)
		if err != nil {
			panic(err)
		}
		c.Mixtures, c.Matching = mixtures, Paired
	})
	return all
}

func names(all map[string]Config) (sorted []string) {
	for name := range all {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	return sorted
}

// TestInvariants checks that, in every round, c_jΓ_ij∇L_i·d_j is at least ‖d_j‖² for all objectives that a solution
// serves, with equality where λ_i > 0. The plan must meet the marginals and use at most n+m−1 cells. Each cell must
// cost one gradient in each of the K steps.
func TestInvariants(t *testing.T) {
	for _, size := range [][2]int{{30, 5}, {6, 4}, {3, 7}, {12, 1}, {1, 1}, {1, 3}} {
		n, m := size[0], size[1]
		all := variants(uint64(n), n, m)
		for _, name := range []string{"most", "raw", "columncount", "K = 3", "uneven", "paper", "published", "objective selects",
			"model selects", "random plan"} {
			c := all[name]
			if n == 1 && name == "uneven" || m == 1 && name == "uneven" {
				continue // the only mass would be 0
			}
			s := newMosT(t, c)
			gradient := make([]float64, 2)
			for k := range 60 {
				x := slices.Clone(s.View().X)
				spent := s.View().Cost.Backpropagations
				r := advance(t, s)
				cells := 0
				largest := make([]float64, m)
				for i, v := range r.Plan.Mass {
					largest[i%m] = max(largest[i%m], v)
				}
				for j := range m {
					cells += r.Active[j]
					d := row(s.View().Direction, j, 2)
					by := 1.0
					switch {
					case c.Scale == Column || c.Scale == "":
						by = 1 / r.ColumnSums[j]
					case c.Scale == ColumnCount:
						by = float64(r.Active[j]) / r.ColumnSums[j]
					}
					square := d[0]*d[0] + d[1]*d[1]
					for i := range n {
						mass := r.Plan.Mass[i*m+j]
						if mass <= tiny*largest[j] {
							if row(r.Lambda, j, n)[i] != 0 {
								t.Fatalf("%s %d×%d, k = %d: λ = %v on objective %d, which solution %d does not serve", name, n, m, k,
									row(r.Lambda, j, n), i, j)
							}
							continue
						}
						c.Problem.(interface{ Unwrap() algo.Problem }).Unwrap().(wells).Gradient(gradient, i, 0, 2, row(x, j, 2))
						length := by * mass * math.Hypot(gradient[0], gradient[1])
						product := by * mass * (gradient[0]*d[0] + gradient[1]*d[1])
						allowed := 1e-11 * max(length*length, square)
						if product < square-allowed || row(r.Lambda, j, n)[i] > 0 && product > square+allowed {
							t.Fatalf("%s %d×%d, k = %d: objective %d of solution %d changes by %v, ‖d‖² = %v, λ = %v", name, n, m, k, i, j,
								product, square, row(r.Lambda, j, n)[i])
						}
					}
				}
				if got := s.View().Cost.Backpropagations - spent; got != cells*max(c.Inner, 1) {
					t.Fatalf("%s %d×%d, k = %d: %d backpropagations for %d cells", name, n, m, k, got, cells)
				}
				if c.Matching != RandomPlan && cells > n+m-1 {
					t.Fatalf("%s %d×%d, k = %d: %d cells are in use", name, n, m, k, cells)
				}
				checkMarginals(t, name, &c, r, n, m)
			}
		}
	}
}

func checkMarginals(t testing.TB, name string, c *Config, r Round, n, m int) {
	t.Helper()
	if c.Matching != ModelSelects {
		for i := range n {
			var sum float64
			for _, v := range row(r.Plan.Mass, i, m) {
				sum += v
			}
			if math.Abs(sum-r.A[i]) > 1e-13 {
				t.Fatalf("%s: row %d has sum %v, want %v", name, i, sum, r.A[i])
			}
		}
	}
	if c.Matching != ObjectiveSelects {
		for j, sum := range r.ColumnSums {
			if math.Abs(sum-r.B[j]) > 1e-13 {
				t.Fatalf("%s: column %d has sum %v, want %v", name, j, sum, r.B[j])
			}
		}
	}
}

// TestTheorem1 checks the bound of Theorem 1 with the scale of the paper, full batches and η = 1/(2ν), ν = 1. The sum
// of Σ_j b_j‖d_j‖² over T rounds must be at most 2/(η(1−νη)) times the decrease of the plan's cost. The mean over the
// rounds is therefore O(ν/T).
func TestTheorem1(t *testing.T) {
	const eta, rounds = 0.5, 200
	bound := func(fell float64) float64 { return 2 / (eta * (1 - eta)) * fell }
	for seed := range uint64(10) {
		c := clusters(seed, 30, 5)
		c.Scale, c.StepSize = Raw, eta
		s := newMosT(t, c)
		var first float64
		for k := range rounds {
			r := advance(t, s)
			if k == 0 {
				first = r.Plan.Cost
			}
			// In round k+1, the best plan costs at most as much as the plan of round k.
			after := 0.0
			for i, mass := range r.Plan.Mass {
				after += mass * s.View().F[i%5*30+i/5]
			}
			if sum := r.BD2Mean * float64(k+1); sum > bound(first-after)*(1+1e-9) {
				t.Fatalf("seed %d, k = %d: the sum is %v, the bound %v", seed, k, sum, bound(first-after))
			}
		}
	}
	for _, o := range trajectories(t) {
		if o.Theorem1 == nil {
			continue
		}
		s := newMosT(t, o.config(t))
		var r Round
		for range o.T {
			r = advance(t, s)
		}
		if sum := r.BD2Mean * float64(o.T); math.Abs(sum-o.Theorem1.Sum) > 1e-9 || sum > o.Theorem1.Bound {
			t.Errorf("%s: the sum is %v, want %v, below %v", o.Name, sum, o.Theorem1.Sum, o.Theorem1.Bound)
		}
	}
}

func TestMosTConformance(t *testing.T) {
	noisy, err := problem.NewQuadratics(0.1,
		problem.QuadraticObjective{A: []float64{1, 0, 0, 1}, Center: []float64{1, 0}},
		problem.QuadraticObjective{A: []float64{2, 0, 0, 1}, Center: []float64{-1, 1}},
		problem.QuadraticObjective{A: []float64{1, 0, 0, 3}, Center: []float64{-1, -1}})
	if err != nil {
		t.Fatal(err)
	}
	all := variants(3, 9, 3)
	solvers := map[string]func() (Solver, error){
		"ipot":     func() (Solver, error) { return NewIPOT(IPOTConfig{}) },
		"sinkhorn": func() (Solver, error) { return NewSinkhorn(SinkhornConfig{}) },
	}
	for name := range solvers {
		all[name] = all["most"]
	}
	all["noise"] = Config{Problem: noisy, Starts: [][]float64{{2, 3}, {1, 0}}, StepSize: 0.1, Inner: 2, Seed: 5, Tau: 0.1}
	all["box"] = Config{Problem: boxedWells{all["most"].Problem}, Starts: [][]float64{{0.2, 0.2}, {0.5, 0}, {0, 0.4}}, StepSize: 0.3}
	for _, name := range names(all) {
		t.Run(name, func(t *testing.T) {
			c := all[name]
			construct := func() algo.Stepper {
				if solver := solvers[name]; solver != nil {
					var err error
					if c.Solver, err = solver(); err != nil {
						t.Fatal(err)
					}
				}
				return newMosT(t, c)
			}
			away := c
			away.StepSize = 1e9
			if (c.Step == PlainStep || c.Step == "") && name != "box" && name != "fair" {
				algotest.Stepper(t, construct, func() algo.Stepper { return newMosT(t, away) })
			} else {
				algotest.Stepper(t, construct)
			}
			algotest.Evaluations(t, c.Problem, func(p algo.Sampled) algo.Stepper {
				c := c
				c.Problem = p.(algo.Partial)
				return newMosT(t, c)
			})
		})
	}
}

// boxedWells limits wells to the box [0, 0.5]².
type boxedWells struct{ algo.Partial }

func (b boxedWells) Bounds() (lo, hi []float64) { return []float64{0, 0}, []float64{0.5, 0.5} }

// TestMosTBox checks that a solution that serves one objective ends at the point of the box nearest to the objective's
// centre.
func TestMosTBox(t *testing.T) {
	c := Config{Problem: boxedWells{algo.Exact(wells{{2, 0.3}, {-1, 0.4}})}, Starts: [][]float64{{0.1, 0.1}, {0.2, 0.5}}, StepSize: 0.5}
	s := newMosT(t, c)
	for range 100 {
		advance(t, s)
	}
	exactly(t, "x", s.View().X, 0, 0.4, 0.5, 0.3)
	exactly(t, "directions", s.View().Direction, 0, 0, 0, 0)
	c.Starts[0][0] = -1
	var refused *algo.RangeError
	if _, err := NewMosT(c); !errors.As(err, &refused) || !strings.Contains(err.Error(), "box") {
		t.Errorf("a start outside the box: %v", err)
	}
}

// TestDegenerateObjectives checks that every number stays finite for equal, opposite, stationary or very
// differently scaled objectives. Scaling all losses must change the paths only by rounding errors.
func TestDegenerateObjectives(t *testing.T) {
	for name, w := range map[string]wells{
		"duplicates": {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {-1, 0}, {-1, 0}},
		"opposite":   {{1, 0}, {-1, 0}, {0, 1}, {0, -1}},
		"collinear":  {{-2, 0}, {-1, 0}, {0, 0}, {1, 0}, {2, 0}},
		"stationary": {{0, 0}, {0, 0}, {0.5, 0.5}},
	} {
		for _, starts := range [][][]float64{{{0, 0}, {0, 0}, {0, 0}}, {{0, 0}, {0.5, 0.5}}, {{3, 0}}} {
			all := variants(1, len(w), len(starts))
			for _, variant := range names(all) {
				c := all[variant]
				c.Problem, c.Starts = algo.Exact(w), starts
				if len(starts) == 1 && variant == "uneven" {
					continue
				}
				s := newMosT(t, c)
				for range 40 {
					r := advance(t, s)
					for what, v := range map[string][]float64{"x": s.View().X, "weights": s.View().Weights, "direction": s.View().Direction, "λ": r.Lambda,
						"sums": {r.Tau, r.Objective, r.BD2Mean}} {
						if !algo.Finite(v) {
							t.Fatalf("%s, %s: %s = %v", name, variant, what, v)
						}
					}
				}
			}
		}
	}
}

// scaledWells multiplies all losses and gradients of wells by a factor.
type scaledWells struct {
	wells
	by float64
}

func (s scaledWells) Values(f, x []float64) {
	s.wells.Values(f, x)
	for i := range f {
		f[i] *= s.by
	}
}

func (s scaledWells) Jacobian(jac *algo.Jacobian, x []float64) {
	s.wells.Jacobian(jac, x)
	for i := range jac.Data {
		jac.Data[i] *= s.by
	}
}

func (s scaledWells) Gradient(dst []float64, i, lo, hi int, x []float64) {
	s.wells.Gradient(dst, i, lo, hi, x)
	for c := range dst {
		dst[c] *= s.by
	}
}

func TestScaledObjectives(t *testing.T) {
	w, starts := scattered(4, 12, 3, 2, 5)
	for _, name := range []string{"most", "regularized", "paper", "published", "plan as weights", "objective selects", "unmatched"} {
		run := func(by float64) []float64 {
			c := variants(4, 12, 3)[name]
			c.Problem, c.Starts, c.StepSize = algo.Exact(scaledWells{w, by}), starts, 0.2/by
			s := newMosT(t, c)
			for range 50 {
				advance(t, s)
			}
			return slices.Clone(s.View().X)
		}
		want := run(1)
		for _, by := range []float64{0x1p-27, 0x1p27, 0x1p-300, 0x1p300} {
			if by > 1e9 && name == "published" {
				continue
			}
			got := run(by)
			for i, v := range want {
				if math.Abs(got[i]-v) > 1e-9 {
					t.Errorf("%s times %v: x = %v, want %v", name, by, got, want)
					break
				}
			}
		}
	}
}

// TestMixturesAreObjectives checks that MosT-E takes the same steps as MosT does on a problem whose objectives are the
// mixtures. The View of MosT-E must refer to the original objectives.
func TestMixturesAreObjectives(t *testing.T) {
	w, starts := scattered(2, 3, 4, 3, 3)
	mixtures := [][]float64{{1, 0, 0}, {0.2, 0.8, 0}, {0.5, 0, 0.5}, {0.1, 0.3, 0.6}, {0, 1, 0}}
	c := Config{Problem: algo.Exact(w), Starts: starts, StepSize: 0.1, Mixtures: mixtures}
	direct := c
	direct.Problem, direct.Mixtures = algo.Exact(mixed{w, mixtures}), nil
	s, want := newMosT(t, c), newMosT(t, direct)
	for k := range 60 {
		r, other := advance(t, s), advance(t, want)
		alike(t, k, "x", s.View().X, want.View().X)
		alike(t, k, "plan", r.Plan.Mass, other.Plan.Mass)
		alike(t, k, "λ", r.Lambda, other.Lambda)
		for j := range 4 {
			weights := make([]float64, 3)
			var sum float64
			for i, v := range row(r.Lambda, j, 5) {
				for l, m := range mixtures[i] {
					weights[l] += v * m
				}
				sum += v
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Fatalf("λ of solution %d is %v", j, row(r.Lambda, j, 5))
			}
			alike(t, k, "weights", row(s.View().Weights, j, 3), weights)
		}
	}
	if len(s.View().F) != 4*3 || s.View().Cost.Backpropagations > 60*4*3 {
		t.Errorf("%d losses, %d backpropagations", len(s.View().F), s.View().Cost.Backpropagations)
	}
}

// mixed is a problem whose objectives are mixtures of wells.
type mixed struct {
	wells
	mixtures [][]float64
}

func (x mixed) Dims() (n, m int) { return len(x.wells[0]), len(x.mixtures) }

func (x mixed) Values(f, at []float64) {
	base := make([]float64, len(x.wells))
	x.wells.Values(base, at)
	for r, weights := range x.mixtures {
		f[r] = 0
		for i, w := range weights {
			f[r] += w * base[i]
		}
	}
}

func (x mixed) Jacobian(jac *algo.Jacobian, at []float64) {
	for r := range x.mixtures {
		x.Gradient(jac.Row(r), r, 0, len(at), at)
	}
}

func (x mixed) Gradient(dst []float64, r, lo, hi int, at []float64) {
	clear(dst)
	one := make([]float64, hi-lo)
	for i, w := range x.mixtures[r] {
		x.wells.Gradient(one, i, lo, hi, at)
		for c, v := range one {
			dst[c] += w * v
		}
	}
}

// TestSamples checks that each solution draws the same noise as a separate run from its start, and that each inner
// step draws new noise.
func TestSamples(t *testing.T) {
	p := &noted{Partial: algo.Exact(wells{{0, 0}, {1, 1}})}
	s := newMosT(t, Config{
		Problem: p, Starts: [][]float64{{0, 1}, {2, 2}}, StepSize: 0.1, Inner: 2, Seed: 8, StartIndex: 3, Matching: Unmatched,
	})
	advance(t, s)
	advance(t, s)
	var want []algo.Sample
	for k := range 2 {
		for j := range 2 {
			want = append(want, algo.Sample{Noise: algo.Stream(8, 3+j, k, algo.Noise)}, algo.Sample{Noise: algo.Stream(8, 3+j, k, algo.Noise+1<<32)})
		}
	}
	for i, sample := range p.seen {
		if len(p.seen) != len(want) || sample.Noise != want[i].Noise {
			t.Fatalf("sample %d of %d is %v, want %v", i, len(p.seen), sample, want)
		}
	}
}

type noted struct {
	algo.Partial
	seen []algo.Sample
}

func (n *noted) JacobianAt(jac *algo.Jacobian, x []float64, s *algo.Sample) {
	n.seen = append(n.seen, *s)
	n.Partial.JacobianAt(jac, x, s)
}

// TestCurriculaByHand compares the curricula with numbers computed by hand. The best losses are 1, 3 and 0. The first
// two belong to solution 0. The smallest tenth of the losses is one loss: 1 for solution 0 and 0 for solution 1.
func TestCurriculaByHand(t *testing.T) {
	c := Config{Problem: fixed{{1, 3, 5}, {2, 4, 0}}, Starts: [][]float64{{0}, {1}}, StepSize: 1, Horizon: 4}
	c.Curriculum = PaperCurriculum
	s := newMosT(t, c)
	e := func(l float64) float64 { return math.Exp(-l / (4.0 / 3)) }
	sum := e(1) + e(3) + e(0)
	for k := range 6 {
		left := max(0, 1-float64(k)/4)
		r := advance(t, s)
		a := func(l float64) float64 { return left*(0.9*e(l)/sum+0.1/3) + (1-left)/3 }
		alike(t, k, "a", r.A, []float64{a(1), a(3), a(0)})
		alike(t, k, "b", r.B, []float64{left/2 + (1-left)*(0.9*2/3+0.05), left/2 + (1-left)*(0.9/3+0.05)})
	}
	c.Curriculum = PublishedCurriculum
	s = newMosT(t, c)
	for k := range 6 {
		left := max(0, 1-float64(k)/4)
		r := advance(t, s)
		alike(t, k, "a", r.A, []float64{(1-left)/4 + left/3, (1-left)*3/4 + left/3, left / 3})
		alike(t, k, "b", r.B, []float64{left + (1-left)/2, (1 - left) / 2})
	}
	// A high temperature gives all objectives the same mass.
	c.Curriculum, c.Temperature = PaperCurriculum, 1e9
	exactTo(t, advance(t, newMosT(t, c)).A, 1e-8, 1.0/3, 1.0/3, 1.0/3)
}

func exactTo(t testing.TB, got []float64, by float64, want ...float64) {
	t.Helper()
	for i, v := range want {
		if math.Abs(got[i]-v) > by {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// fixed is a problem whose losses at the points 0, 1, … are given, and whose gradients are zero.
type fixed [][]float64

func (f fixed) Dims() (n, m int)                                                   { return 1, len(f[0]) }
func (f fixed) Values(dst, x []float64)                                            { copy(dst, f[int(x[0])]) }
func (f fixed) ValuesAt(dst, x []float64, _ *algo.Sample)                          { f.Values(dst, x) }
func (f fixed) Jacobian(jac *algo.Jacobian, _ []float64)                           { clear(jac.Data) }
func (f fixed) JacobianAt(jac *algo.Jacobian, _ []float64, _ *algo.Sample)         { clear(jac.Data) }
func (f fixed) GradientAt(dst []float64, _, _, _ int, _ []float64, _ *algo.Sample) { clear(dst) }
func (f fixed) WeightedGradientAt(dst, _, _ []float64, _ *algo.Sample)             { clear(dst) }

// TestRandomPlan checks that a random plan is drawn once. The plan must change only when the marginals change, and must
// be the first plan again when the first marginals are restored.
func TestRandomPlan(t *testing.T) {
	c := clusters(1, 12, 3)
	c.Matching = RandomPlan
	s := newMosT(t, c)
	first := slices.Clone(advance(t, s).Plan.Mass)
	if advance(t, s); !slices.Equal(first, s.plan.Mass) {
		t.Error("the plan changes from round to round")
	}
	a := make([]float64, 12)
	a[0], a[1] = 1, 3
	if err := s.SetMarginals(a, []float64{1, 0, 1}); err != nil {
		t.Fatal(err)
	}
	r := advance(t, s)
	checkMarginals(t, "random plan", &c, r, 12, 3)
	if slices.Equal(first, r.Plan.Mass) || !(r.Change > 0) {
		t.Errorf("other marginals, the same plan, change %v", r.Change)
	}
	if err := s.SetMarginals(nil, nil); err != nil {
		t.Fatal(err)
	}
	if r = advance(t, s); !slices.Equal(first, r.Plan.Mass) {
		t.Error("the first marginals make another plan")
	}
	c.Seed++
	if r := advance(t, newMosT(t, c)); slices.Equal(first, r.Plan.Mass) {
		t.Error("another seed makes the same plan")
	}
}

// TestNoDecision checks that a solution does not move if its weighting finds no weights.
func TestNoDecision(t *testing.T) {
	c := Config{Problem: algo.Exact(wells{{0, 0}, {4, 0}}), Starts: [][]float64{{0, 0}, {3, 1}}, StepSize: 0.5, Inner: 2}
	c.Weighting = func(int) (algo.Weighting, error) { return weighting.NewEPO(nil) }
	s := newMosT(t, c)
	advance(t, s)
	exactly(t, "x", s.View().X, 0, 0, 3.75, 0.25)
	exactly(t, "weights", s.View().Weights, 0, 0, 0, 1)
}

func TestLiveSettings(t *testing.T) {
	c := clusters(6, 12, 3)
	s := newMosT(t, c)
	advance(t, s)
	a, b := make([]float64, 12), []float64{2, 1, 1}
	for i := range a {
		a[i] = float64(i)
	}
	for _, err := range []error{s.SetStepSize(0.1), s.SetTau(0.2), s.SetMarginals(a, b)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	r := advance(t, s)
	if s.StepSize() != 0.1 || s.Tau() != 0.2 || s.View().StepSize != 0.1 || !(r.Tau > 0) {
		t.Errorf("η %v, τ %v, %v", s.StepSize(), s.Tau(), r.Tau)
	}
	exactly(t, "b", r.B, 0.5, 0.25, 0.25)
	exactly(t, "a_11", r.A[11:], 11.0/66)
	givenA, givenB := s.Marginals()
	exactly(t, "given", append(slices.Clone(givenB), givenA[0]), 0.5, 0.25, 0.25, 0)
	for _, err := range []error{
		s.SetStepSize(0), s.SetStepSize(math.NaN()), s.SetTau(-1), s.SetTau(math.Inf(1)), s.SetMarginals(a[:3], nil), s.SetMarginals(nil, a),
		s.SetMarginals(nil, []float64{0, 0, 0}), s.SetMarginals(nil, []float64{1, -1, 0}), s.SetMarginals(nil, []float64{1, math.NaN(), 0}),
		s.SetMarginals(b, nil),
	} {
		var refused *algo.RangeError
		if !errors.As(err, &refused) {
			t.Errorf("got error %v, want an *algo.RangeError", err)
		}
	}
	if r = advance(t, s); r.B[0] != 0.5 || s.StepSize() != 0.1 || s.Tau() != 0.2 {
		t.Error("a refused value changed a setting")
	}
}

func TestMosTRefuses(t *testing.T) {
	good := clusters(1, 6, 2)
	for name, change := range map[string]func(*Config){
		"problem":              func(c *Config) { c.Problem = nil },
		"starts":               func(c *Config) { c.Starts = nil },
		"start 1":              func(c *Config) { c.Starts = [][]float64{{0, 0}, {0}} },
		"must be finite":       func(c *Config) { c.Starts = [][]float64{{0, 0}, {0, math.Inf(1)}} },
		"a = ":                 func(c *Config) { c.A = []float64{1} },
		"b[1]":                 func(c *Config) { c.B = []float64{1, -1} },
		"matching":             func(c *Config) { c.Matching = "none" },
		"scale":                func(c *Config) { c.Scale = "none" },
		`step "none"`:          func(c *Config) { c.Step = "none" },
		`curriculum "all"`:     func(c *Config) { c.Curriculum = "all" },
		"horizon":              func(c *Config) { c.Curriculum = PaperCurriculum },
		"K = -1":               func(c *Config) { c.Inner = -1 },
		"restarts":             func(c *Config) { c.Restarts = -1 },
		"eta":                  func(c *Config) { c.StepSize = 0 },
		"tau":                  func(c *Config) { c.Tau = -0.1 },
		"temperature":          func(c *Config) { c.Temperature = -1 },
		"weight decay":         func(c *Config) { c.WeightDecay = math.NaN() },
		"mixtures":             func(c *Config) { c.Mixtures = [][]float64{} },
		"mixtures[0]":          func(c *Config) { c.Mixtures = [][]float64{{1}} },
		"mixtures[0][5]":       func(c *Config) { c.Mixtures = [][]float64{{1, 0, 0, 0, 0, -1}} },
		"there must be a plan": func(c *Config) { c.Matching, c.PlanAsWeights = Unmatched, true },
		"it must be nil": func(c *Config) {
			c.PlanAsWeights, c.Weighting = true, func(int) (algo.Weighting, error) { return weighting.NewFairGrad(1) }
		},
		"weighting of solution 0": func(c *Config) {
			c.Weighting = func(int) (algo.Weighting, error) { return weighting.NewEPO([]float64{1, 2}) }
		},
		"must not keep a history": func(c *Config) {
			c.Weighting = func(int) (algo.Weighting, error) { return weighting.NewDWA(2) }
		},
	} {
		c := good
		change(&c)
		if _, err := NewMosT(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDirichletMixtures(t *testing.T) {
	for _, shape := range []float64{0.1, 0.5, 1, 3} {
		const n, draws = 3, 20000
		mixtures, err := DirichletMixtures(n, draws, shape, false, 7)
		if err != nil {
			t.Fatal(err)
		}
		var mean, square [n]float64
		for _, weights := range mixtures {
			var sum float64
			for i, w := range weights {
				if !(w >= 0) {
					t.Fatalf("weights %v", weights)
				}
				sum += w
				mean[i] += w / draws
				square[i] += w * w / draws
			}
			if math.Abs(sum-1) > 1e-14 {
				t.Fatalf("weights %v have sum %v", weights, sum)
			}
		}
		// E w = 1/n, var w = (1/n)(1−1/n)/(nα+1)
		variance := (1.0 / n) * (1 - 1.0/n) / (n*shape + 1)
		for i := range n {
			if math.Abs(mean[i]-1.0/n) > 0.01 || math.Abs(square[i]-mean[i]*mean[i]-variance) > 0.03*variance {
				t.Errorf("shape %v: mean %v, variance %v, want %v and %v", shape, mean[i], square[i]-mean[i]*mean[i], 1.0/n, variance)
			}
		}
		again, err := DirichletMixtures(n, 5, shape, true, 7)
		if err != nil {
			t.Fatal(err)
		}
		exactly(t, "the objectives themselves", joined(again[:3]), 1, 0, 0, 0, 1, 0, 0, 0, 1)
		if !slices.Equal(again[4], mixtures[1]) {
			t.Errorf("the second draw is %v of 5 and %v of %d", again[4], mixtures[1], draws)
		}
	}
	for _, err := range []error{
		second(DirichletMixtures(0, 5, 1, false, 1)), second(DirichletMixtures(2, 0, 1, false, 1)), second(DirichletMixtures(2, 1, 1, true, 1)),
		second(DirichletMixtures(2, 5, 0, false, 1)),
	} {
		var refused *algo.RangeError
		if !errors.As(err, &refused) {
			t.Errorf("got error %v, want an *algo.RangeError", err)
		}
	}
}

func second(_ [][]float64, err error) error { return err }

// TestMeasures compares the measures with values computed by hand, for three objectives and two solutions.
func TestMeasures(t *testing.T) {
	f := []float64{1, 5, 2, 3, 2, 2} // rows of solutions
	won, best := make([]float64, 2), make([]float64, 3)
	Won(won, f)
	BestLosses(best, f)
	exactly(t, "won", won, 2.0/3, 1.0/3)
	exactly(t, "best", best, 1, 2, 2)
	exactly(t, "oracle loss, mean loss", []float64{OracleLoss(f, 3), MeanLoss(f)}, 5.0/3, 2.5)
	exactly(t, "worst", []float64{Worst([]float64{1, 5, 2, 4, 3}, 0.2), Worst([]float64{1, 5, 2, 4, 3}, 0.6), Worst([]float64{1, 2}, 0),
		Worst([]float64{1, 2}, 1)}, 5, 4, 2, 1.5)
	plan := []float64{0.5, 0, 0, 0.3, 0.2, 1e-14}
	exactly(t, "Σ_i max_j, zeros", []float64{RowMaxima(plan, 2), Zeros(plan, 2)}, 1, 0.5)
	square := []float64{1, 0, 1, 1, 0, 0} // columns (1, 1, 0) and (0, 1, 0)
	exactly(t, "diversity", []float64{Diversity(square, 2), Diversity([]float64{1, 0, 1, 0}, 2)}, 2/math.Sqrt2, 0)
	p, q := []float64{0.5, 0.5, 0}, []float64{0.25, 0.75, 0}
	want := (0.25*math.Log(2) + 0.25*math.Log(1.5)) / 2
	exactly(t, "KL", []float64{KL(p, q), KL(q, p), KL(p, p)}, want, want, 0)
	if v := KL([]float64{1, 0}, []float64{0, 1}); !(v > 1) || math.IsInf(v, 0) {
		t.Errorf("plans without a common cell differ by %v", v)
	}
}

func BenchmarkRound(b *testing.B) {
	for _, size := range []struct {
		name    string
		n, m, d int
	}{{"30x5,d=2", 30, 5, 2}, {"30x5,d=610", 30, 5, 610}, {"200x10,d=2", 200, 10, 2}} {
		b.Run(size.name, func(b *testing.B) {
			w, starts := scattered(1, size.n, size.m, size.d, 5)
			s := newMosT(b, Config{Problem: algo.Exact(w), Starts: starts, StepSize: 0.02})
			advance(b, s)
			b.ReportAllocs()
			for b.Loop() {
				advance(b, s)
			}
		})
	}
}

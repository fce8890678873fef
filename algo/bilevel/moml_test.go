package bilevel_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
)

// moml returns a configuration of MOML on problem (24) of the FORUM paper, with that paper's settings.
func moml() bilevel.MOMLConfig {
	return bilevel.MOMLConfig{
		Problem: problem.NewQuadraticBilevel(), Start: []float64{0, 0, 3},
		Loop: bilevel.Loop{Steps: 50, StepSize: 0.05}, Upper: bilevel.Upper{StepSize: 0.3},
	}
}

// moco returns a configuration of MoCo with the problem, start, loop and step size of moml.
func moco() bilevel.MoCoConfig {
	c := moml()
	return bilevel.MoCoConfig{Problem: c.Problem, Start: c.Start, Loop: c.Loop, Upper: c.Upper, Beta: 0.5, Gamma: 0.1}
}

func newMOML(t testing.TB, c bilevel.MOMLConfig) *bilevel.MOML {
	t.Helper()
	s, err := bilevel.NewMOML(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newMoCo(t testing.TB, c bilevel.MoCoConfig) *bilevel.MoCo {
	t.Helper()
	s, err := bilevel.NewMoCo(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// hypergradientTolerance is absolute, for numbers of size 1, as in the runs on problem (24). The trajectories were
// computed independently, and differ only by rounding.
const hypergradientTolerance = 1e-9

func TestMOMLAndMoCoTrajectories(t *testing.T) {
	data, err := os.ReadFile("testdata/moml_moco.json")
	if err != nil {
		t.Fatal(err)
	}
	var oracle struct {
		Runs []struct {
			Method                  string
			Start                   []float64
			Mu, Eta                 float64
			T                       int
			WarmStart               bool `json:"warm_start"`
			Beta, Gamma, Rho, Decay float64
			Traj                    []struct {
				K                int
				A, E, Kkt, Dir   float64
				W, Hyper, Lam, Y []float64
				Q                *float64
			}
		}
	}
	if err := json.Unmarshal(data, &oracle); err != nil {
		t.Fatal(err)
	}
	p := problem.NewQuadraticBilevel()
	measures := bilevel.NewMeasures(p)
	rows := map[string]int{"MOML": 2 * 6 * 30, "MoCo": 2 * 12 * 30}
	for _, o := range oracle.Runs {
		if rows[o.Method] == 0 {
			t.Fatalf("unknown method %s", o.Method)
		}
	}
	for method, want := range rows {
		t.Run(method, func(t *testing.T) {
			compared := 0
			for _, mode := range modes {
				for _, o := range oracle.Runs {
					if o.Method != method {
						continue
					}
					loop := bilevel.Loop{Steps: o.T, StepSize: o.Eta, Fixed: !o.WarmStart}
					upper := bilevel.Upper{StepSize: o.Mu}
					var s bilevel.Stepper
					tracked := func() []float64 { return nil }
					switch o.Method {
					case "MOML":
						s = newMOML(t, bilevel.MOMLConfig{Problem: p, Start: o.Start, Loop: loop, Upper: upper, Mode: mode})
					case "MoCo":
						m := newMoCo(t, bilevel.MoCoConfig{Problem: p, Start: o.Start, Loop: loop, Upper: upper,
							Beta: o.Beta, Gamma: o.Gamma, Decay: o.Decay, Rho: o.Rho, Mode: mode})
						s, tracked = m, func() []float64 { return m.Tracked().Data }
					}
					for _, row := range o.Traj {
						compare := func(what string, got, want []float64) {
							t.Helper()
							for i, v := range want {
								if len(got) != len(want) || !(math.Abs(got[i]-v) <= hypergradientTolerance) {
									t.Errorf("%v from %v, k = %d: %s = %v, want %v", mode, o.Start, row.K, what, got, want)
									return
								}
							}
						}
						run(t, s, row.K-s.View().K)
						z := s.Measured()
						compare("α", z[:1], []float64{row.A})
						compare("ω", z[1:], row.W)
						compare("E", []float64{p.Distance(z)}, []float64{row.E})
						compare("KKT", []float64{measures.KKT(z)}, []float64{row.Kkt})
						if row.Q != nil {
							compare("q", []float64{measures.Q(z)}, []float64{*row.Q})
						}
						// From here on, hypergradients, weights and direction belong to the step from row.K.
						run(t, s, 1)
						compare("ω of the trace", s.Trace().Omega, row.W)
						compare("hypergradients", s.Trace().Hypergradients.Data, row.Hyper)
						compare("λ", s.View().Weights, row.Lam)
						compare("direction", s.View().Direction, []float64{row.Dir})
						compare("y", tracked(), row.Y)
						compared++
					}
				}
			}
			if compared != want {
				t.Errorf("compared %d rows, want %d", compared, want)
			}
		})
	}
}

// nearTo reports whether a and b agree within an absolute tolerance.
func nearTo(a, b []float64, tolerance float64) bool {
	for i, v := range a {
		if i >= len(b) || !(math.Abs(v-b[i]) <= tolerance) {
			return false
		}
	}
	return len(a) == len(b)
}

// handLoop has T = 2 and η = ¼. On problem (24), ω − α·1 shrinks to a quarter, and dω̃²/dα is ¾·(1, 1).
var handLoop = bilevel.Loop{Steps: 2, StepSize: 0.25}

// TestMOMLFirstStepByHand compares the first step with numbers computed by hand. From (0, (0, 3)), the loop ends at (0,
// ¾). There ∇F_1 = (−1.5, −2, 1.5) and ∇F_2 = (−1.5, −4, 1.5). Therefore h_1 = −1.5 + ¾(−2+1.5) = −1.875 and h_2 = −1.5
// + ¾(−4+1.5) = −3.375. The shortest point between them is h_1.
func TestMOMLFirstStepByHand(t *testing.T) {
	for _, mode := range modes {
		for _, fixed := range []bool{false, true} {
			c := moml()
			c.Loop, c.Mode = handLoop, mode
			c.Loop.Fixed = fixed
			s := newMOML(t, c)
			run(t, s, 1)
			v, trace := s.View(), s.Trace()
			if !nearTo(trace.Omega, []float64{0, 0.75}, 0) || !nearTo(trace.Hypergradients.Data, []float64{-1.875, -3.375}, 1e-15) {
				t.Errorf("%v: ω̃ = %v, hypergradients %v", mode, trace.Omega, trace.Hypergradients.Data)
			}
			if !nearTo(v.Weights, []float64{1, 0}, 0) || !nearTo(v.Direction, []float64{-1.875}, 1e-15) ||
				v.StepSize != 0.3 || !v.Refreshed || v.Jacobian != nil {
				t.Errorf("%v: the view is %+v", mode, v)
			}
			// α_1 = 0.3·1.875, ω_1 = ω̃².
			if v.K != 1 || !nearTo(v.X, []float64{0.5625, 0, 0.75}, 1e-15) || !nearTo(v.F, []float64{1.03515625, 4.03515625}, 1e-15) {
				t.Errorf("%v: z_1 = %v, F = %v", mode, v.X, v.F)
			}
			for _, absent := range []float64{trace.Q, trace.Phi, trace.Nu} {
				if !math.IsNaN(absent) {
					t.Errorf("%v: the trace has a %v that MOML has not", mode, absent)
				}
			}
			if trace.QGradient != nil || trace.Lambda != nil || trace.Pi != nil {
				t.Errorf("%v: the trace has what MOML has not: %+v", mode, trace)
			}
			// The next loop starts at (0, ¾), or again at (0, 3) from a fixed start.
			omega := []float64{0.5625 - 0.5625/4, 0.5625 + 0.1875/4}
			if fixed {
				omega = []float64{0.5625 - 0.5625/4, 0.5625 + 2.4375/4}
			}
			if m := s.Measured(); !nearTo(m, append([]float64{0.5625}, omega...), 1e-15) {
				t.Errorf("%v, fixed %v: measured at %v, want α = 0.5625 and ω = %v", mode, fixed, m, omega)
			}
		}
	}
}

// steppersOnTwoLevels returns constructors of MOML and MoCo runs in both modes, with warm and with fixed starts.
func steppersOnTwoLevels(t *testing.T, change func(*bilevel.Loop, *bilevel.Upper)) map[string]func() algo.Stepper {
	t.Helper()
	all := map[string]func() algo.Stepper{}
	for _, mode := range modes {
		for _, fixed := range []bool{false, true} {
			a, b := moml(), moco()
			a.Mode, b.Mode = mode, mode
			a.Loop.Steps, a.Loop.Fixed = 7, fixed
			change(&a.Loop, &a.Upper)
			b.Loop, b.Upper = a.Loop, a.Upper
			b.Decay, b.Rho = 0.5, 0.1
			name := fmt.Sprintf("%v, fixed %v", mode, fixed)
			all["MOML "+name] = func() algo.Stepper { return newMOML(t, a) }
			all["MoCo "+name] = func() algo.Stepper { return newMoCo(t, b) }
		}
	}
	return all
}

func TestHypergradientSteppersConform(t *testing.T) {
	tooLongBelow := steppersOnTwoLevels(t, func(l *bilevel.Loop, _ *bilevel.Upper) { l.StepSize = 2.5 })
	tooLongAbove := steppersOnTwoLevels(t, func(_ *bilevel.Loop, u *bilevel.Upper) { u.StepSize = 1e3 })
	for name, construct := range steppersOnTwoLevels(t, func(*bilevel.Loop, *bilevel.Upper) {}) {
		t.Run(name, func(t *testing.T) {
			algotest.Stepper(t, construct, tooLongBelow[name], tooLongAbove[name])
		})
	}
	for name, construct := range steppersOnTwoLevels(t, func(_ *bilevel.Loop, u *bilevel.Upper) { u.Optimizer = descent.DefaultAdam() }) {
		t.Run(name+" with Adam", func(t *testing.T) { algotest.Stepper(t, construct) })
	}
	t.Run("an observer", func(t *testing.T) {
		algotest.Stepper(t, func() algo.Stepper {
			c := moml()
			c.Weighting = ruleCalled(t, "famo")
			return newMOML(t, c)
		})
	})
}

// ruleCalled returns the weighting package's rule of the given name, with the rule's default parameters.
func ruleCalled(t testing.TB, name string) algo.Weighting {
	t.Helper()
	method, ok := weighting.Lookup(name)
	if !ok {
		t.Fatalf("no rule is called %s", name)
	}
	var l param.List
	w, err := method.Bind(&l, "")(weighting.Context{Objectives: 2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestEveryWeightingRunsInMOML checks that every rule can replace MGDA. With a rule that promises conflict-free
// directions, the run must come closer to the solutions.
func TestEveryWeightingRunsInMOML(t *testing.T) {
	p := problem.NewQuadraticBilevel()
	for _, method := range weighting.Methods {
		t.Run(method.Name, func(t *testing.T) {
			for _, start := range problem.QuadraticBilevelStarts() {
				c := moml()
				c.Start, c.Upper.StepSize, c.Weighting = start, 0.03, ruleCalled(t, method.Name)
				s := newMOML(t, c)
				before := p.Distance(s.Measured())
				for range 200 {
					status, err := s.Step()
					if err != nil {
						t.Fatalf("from %v, k = %d: %v", start, s.View().K, err)
					}
					if status != algo.Running && status != algo.NoSolution {
						t.Fatalf("from %v, k = %d: %v, %+v", start, s.View().K, status, s.View().Diverged)
					}
					v := s.View()
					if !algo.Finite(v.X) || !algo.Finite(v.F) || !algo.Finite(v.Weights) || !algo.Finite(v.Direction) {
						t.Fatalf("from %v: %+v", start, v)
					}
					if hasWeights := v.Weights != nil; hasWeights != (method.Promises.Weights && status == algo.Running) {
						t.Fatalf("from %v, k = %d: weights %v with status %v", start, v.K, v.Weights, status)
					}
				}
				after := p.Distance(s.Measured())
				if method.Promises.NonConflicting && !(after <= max(before, 1e-3)) {
					t.Errorf("from %v: the distance from the solutions was %v and is %v", start, before, after)
				}
			}
		})
	}
}

// unit expresses the upper objectives and the lower objective of a problem in other units.
type unit struct {
	algo.LowerHessian
	upper, lower float64
}

func (u unit) Values(f, z []float64) {
	u.LowerHessian.Values(f, z)
	floats.Scale(u.upper, f)
}

func (u unit) Jacobian(jac *algo.Jacobian, z []float64) {
	u.LowerHessian.Jacobian(jac, z)
	floats.Scale(u.upper, jac.Data)
}

func (u unit) Lower(z []float64) float64 { return u.lower * u.LowerHessian.Lower(z) }

func (u unit) LowerGradient(dst, z []float64) {
	u.LowerHessian.LowerGradient(dst, z)
	floats.Scale(u.lower, dst)
}

func (u unit) LowerGradientOmega(dst, z []float64) {
	u.LowerHessian.LowerGradientOmega(dst, z)
	floats.Scale(u.lower, dst)
}

func (u unit) HessianOmegaOmega(dst, z, v []float64) {
	u.LowerHessian.HessianOmegaOmega(dst, z, v)
	floats.Scale(u.lower, dst)
}

func (u unit) HessianAlphaOmega(dst, z, v []float64) {
	u.LowerHessian.HessianAlphaOmega(dst, z, v)
	floats.Scale(u.lower, dst)
}

func (u unit) HessianOmegaAlpha(dst, z, v []float64) {
	u.LowerHessian.HessianOmegaAlpha(dst, z, v)
	floats.Scale(u.lower, dst)
}

// TestMOMLDoesNotDependOnUnits checks that a run stays the same if both levels use other, very different units,
// with matching step sizes. Powers of two keep the rounding errors the same.
func TestMOMLDoesNotDependOnUnits(t *testing.T) {
	p := randomProblem(t, 5, 4, 3, 2)
	start := solution(t, p, []float64{1, 1, 1})
	start[0] += 0.01 // all weights are positive there
	for _, mode := range modes {
		var want []float64
		for _, u := range [][2]float64{{1, 1}, {0x1p27, 0x1p-27}, {0x1p-500, 0x1p27}, {0x1p500, 0x1p500}} {
			s := newMOML(t, bilevel.MOMLConfig{Problem: unit{p, u[0], u[1]}, Start: start, Mode: mode,
				Loop: bilevel.Loop{Steps: 20, StepSize: 0.5 / u[1]}, Upper: bilevel.Upper{StepSize: 0.1 / u[0]}})
			run(t, s, 3)
			if w := s.View().Weights; !(slices.Min(w) > 0.05) {
				t.Fatalf("weights %v: the check checks less than it could", w)
			}
			if want == nil {
				want = slices.Clone(s.View().X)
			}
			if !nearTo(s.View().X, want, 1e-12) {
				t.Errorf("%v in units of %g and %g: %v, want %v", mode, u[0], u[1], s.View().X, want)
			}
		}
	}
}

// TestFixedStartStalls checks that both methods stall at the residual of T steps from a fixed start, but not from a
// warm start.
func TestFixedStartStalls(t *testing.T) {
	p := problem.NewQuadraticBilevel()
	for _, start := range problem.QuadraticBilevelStarts() {
		for _, fixed := range []bool{true, false} {
			a, b := moml(), moco()
			a.Start, b.Start = start, start
			a.Loop.Fixed, b.Loop.Fixed = fixed, fixed
			for name, s := range map[string]bilevel.Stepper{"MOML": newMOML(t, a), "MoCo": newMoCo(t, b)} {
				t.Run(fmt.Sprintf("%s from %v, fixed %v", name, start, fixed), func(t *testing.T) {
					run(t, s, 300)
					e := p.Distance(s.Measured())
					if fixed && !(e >= 0.004 && e <= 0.0115) || !fixed && !(e <= 1e-7) {
						t.Errorf("E = %v after 300 steps", e)
					}
				})
			}
		}
	}
}

// heard is a rule that records the losses it receives.
type heard struct {
	algo.Weighting
	before, after [][]float64
}

func (*heard) Needs() algo.Needs { return algo.Needs{Losses: true, After: true, Extra: 2} }

func (h *heard) Weigh(r *algo.Result, in *algo.Input) error {
	for _, e := range in.Extra[:2] {
		if !slices.Equal(e.Data, in.Jacobian.Data) {
			return errors.New("a further sample differs")
		}
	}
	return h.Weighting.Weigh(r, in)
}

func (h *heard) Observe(before, after []float64) {
	h.before = append(h.before, slices.Clone(before))
	h.after = append(h.after, slices.Clone(after))
}

// TestObserverHearsBothLoops checks that a rule receives the losses at (α_k, ω̃^T) and at (α_{k+1}, ω̃^T), in the
// order of the steps, even across a snapshot.
func TestObserverHearsBothLoops(t *testing.T) {
	c := moml()
	rule := &heard{Weighting: weighting.NewMGDA(weighting.NormalizeNone)}
	c.Weighting = rule
	s := newMOML(t, c)
	var losses [][]float64
	values := func() {
		f := make([]float64, 2)
		c.Problem.Values(f, s.Measured())
		losses = append(losses, f)
	}
	values()
	for k := range 6 {
		if k == 3 {
			var snapshot algo.Snapshot
			s.Save(&snapshot)
			s = newMOML(t, c)
			s.Load(&snapshot)
		}
		run(t, s, 1)
		values()
	}
	if len(rule.before) != 5 {
		t.Fatalf("heard of %d steps, five were followed by another", len(rule.before))
	}
	for k := range rule.before {
		if !slices.Equal(rule.before[k], losses[k]) || !slices.Equal(rule.after[k], losses[k+1]) {
			t.Errorf("step %d: heard %v and %v, losses are %v and %v", k, rule.before[k], rule.after[k], losses[k], losses[k+1])
		}
	}
}

// TestObserverHearsOnlyOfStepsMade checks that a rule receives no losses for a step that did not move α.
func TestObserverHearsOnlyOfStepsMade(t *testing.T) {
	c := moml()
	rule := &heard{Weighting: scripted{weighting.NewMGDA(weighting.NormalizeNone), func(k int, r *algo.Result) error {
		if k == 1 {
			r.Status = algo.NoSolution
		}
		return nil
	}}}
	c.Weighting = rule
	s := newMOML(t, c)
	for k := range 4 {
		if status, err := s.Step(); err != nil || (status == algo.NoSolution) != (k == 1) {
			t.Fatalf("step %d: %v, %v", k, status, err)
		}
	}
	// The rule has received the losses of steps 0 and 2. The losses after step 3 are not known yet.
	if len(rule.before) != 2 || slices.Equal(rule.before[0], rule.before[1]) {
		t.Errorf("heard %v before and %v after", rule.before, rule.after)
	}
}

// scripted is a weighting whose result is a function of the iteration.
type scripted struct {
	algo.Weighting
	decide func(k int, r *algo.Result) error
}

func (s scripted) Weigh(r *algo.Result, in *algo.Input) error {
	if err := s.Weighting.Weigh(r, in); err != nil {
		return err
	}
	return s.decide(in.K, r)
}

func scriptedMOML(t *testing.T, decide func(k int, r *algo.Result) error) *bilevel.MOML {
	c := moml()
	c.Weighting = scripted{weighting.NewMGDA(weighting.NormalizeNone), decide}
	return newMOML(t, c)
}

func TestStepsWithoutSolutionLeaveAlpha(t *testing.T) {
	s := scriptedMOML(t, func(k int, r *algo.Result) error {
		if k == 2 {
			r.Status = algo.NoSolution
		}
		return nil
	})
	run(t, s, 2)
	before := slices.Clone(s.View().X)
	measured := slices.Clone(s.Measured())
	if status, err := s.Step(); status != algo.NoSolution || err != nil {
		t.Fatalf("the step returns %v, %v", status, err)
	}
	v := s.View()
	if v.K != 3 || v.X[0] != before[0] || !slices.Equal(v.X, measured) || v.Weights != nil || !slices.Equal(v.Direction, []float64{0}) {
		t.Errorf("from %v, with ω̃ at %v, the step leads to %+v", before, measured, v)
	}
	run(t, s, 1)
}

func TestFaultsOfTheWeighting(t *testing.T) {
	fault := errors.New("a fault")
	s := scriptedMOML(t, func(k int, _ *algo.Result) error {
		if k == 1 {
			return fault
		}
		return nil
	})
	run(t, s, 1)
	before := slices.Clone(s.View().X)
	if _, err := s.Step(); !errors.Is(err, fault) || !strings.Contains(err.Error(), "iteration 1") {
		t.Errorf("the error is %v", err)
	}
	if v := s.View(); v.K != 1 || !slices.Equal(v.X, before) || v.Weights != nil || v.Direction != nil {
		t.Errorf("after the error z was %v and the view is %+v", before, v)
	}
	for name, decide := range map[string]func(int, *algo.Result) error{
		"weights": func(k int, r *algo.Result) error {
			r.Weights[0] = math.Inf(k % 2)
			return nil
		},
		"direction": func(k int, r *algo.Result) error {
			r.Direction[0] = math.Inf(k % 2)
			return nil
		},
	} {
		s := scriptedMOML(t, decide)
		if status, err := s.Step(); status != algo.Diverged || err != nil || s.View().Diverged.Quantity != name {
			t.Errorf("infinite %s: %v, %v, %+v", name, status, err, s.View().Diverged)
		}
	}
}

// TestMeasuringDisturbsNothing checks that reading the measured point changes no bit of a run, adds no cost and
// does not allocate.
func TestMeasuringDisturbsNothing(t *testing.T) {
	for name, construct := range steppersOnTwoLevels(t, func(*bilevel.Loop, *bilevel.Upper) {}) {
		t.Run(name, func(t *testing.T) {
			looked, alone := construct().(bilevel.Stepper), construct()
			for range 20 {
				run(t, looked, 1)
				run(t, alone, 1)
				omega := slices.Clone(looked.Trace().Omega)
				first := slices.Clone(looked.Measured())
				if !slices.Equal(first, looked.Measured()) {
					t.Fatalf("measured at %v, then elsewhere", first)
				}
				if !slices.Equal(omega, looked.Trace().Omega) {
					t.Fatal("measuring changes ω̃ of the trace")
				}
				a, b := looked.View(), alone.View()
				if !slices.Equal(a.X, b.X) || a.Cost != b.Cost {
					t.Fatalf("measuring leads to %+v, without it %+v", a, b)
				}
			}
			if a := testing.AllocsPerRun(10, func() {
				looked.Measured()
				looked.Trace()
			}); a != 0 {
				t.Errorf("looking allocates %v times", a)
			}
		})
	}
}

// TestSetLoopActsOnTheNextStep checks live changes to the loop. After the number of steps is increased, the run must
// continue like a run that began with this number of steps.
func TestSetLoopActsOnTheNextStep(t *testing.T) {
	for _, mode := range modes {
		c := moml()
		c.Mode, c.Loop.Steps = mode, 3
		s := newMOML(t, c)
		run(t, s, 2)
		if err := s.SetLoop(90, 0.1); err != nil {
			t.Fatal(err)
		}
		c.Start, c.Loop = slices.Clone(s.View().X), bilevel.Loop{Steps: 90, StepSize: 0.1}
		want := newMOML(t, c)
		run(t, s, 3)
		run(t, want, 3)
		if !slices.Equal(s.View().X, want.View().X) {
			t.Errorf("%v: z = %v, a run from there leads to %v", mode, s.View().X, want.View().X)
		}
		for name, err := range map[string]error{"T = 0": s.SetLoop(0, 0.1), "η = 0": s.SetLoop(1, 0), "μ = −1": s.SetStepSize(-1)} {
			if err == nil {
				t.Errorf("%s is accepted", name)
			}
		}
	}
}

func TestNewMOMLRefuses(t *testing.T) {
	for want, change := range map[string]func(*bilevel.MOMLConfig){
		"problem is missing":          func(c *bilevel.MOMLConfig) { c.Problem = nil },
		"start has length 2":          func(c *bilevel.MOMLConfig) { c.Start = []float64{1, 2} },
		"start [1 2 NaN]":             func(c *bilevel.MOMLConfig) { c.Start = []float64{1, 2, math.NaN()} },
		"lower steps T = 0":           func(c *bilevel.MOMLConfig) { c.Loop.Steps = 0 },
		"lower step size eta = NaN":   func(c *bilevel.MOMLConfig) { c.Loop.StepSize = math.NaN() },
		"lower optimizer":             func(c *bilevel.MOMLConfig) { c.Loop.Optimizer = descent.DefaultAdam() },
		"mu = 0":                      func(c *bilevel.MOMLConfig) { c.Upper.StepSize = 0 },
		"muomega = 0.1":               func(c *bilevel.MOMLConfig) { c.Upper.OmegaStepSize = 0.1 },
		"upper optimizer: beta = 0.9": func(c *bilevel.MOMLConfig) { c.Upper.Optimizer.Beta = 0.9 },
		`mode "none": must be one of`: func(c *bilevel.MOMLConfig) { c.Mode = "none" },
		"weighting: not for this problem": func(c *bilevel.MOMLConfig) {
			c.Weighting = scripted{weighting.NewMGDA(weighting.NormalizeNone), func(int, *algo.Result) error {
				return errors.New("not for this problem")
			}}
		},
		"weighting: it needs the losses after a step": func(c *bilevel.MOMLConfig) {
			c.Weighting = deaf{weighting.NewMGDA(weighting.NormalizeNone)}
		},
	} {
		c := moml()
		change(&c)
		if s, err := bilevel.NewMOML(c); err == nil || s != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a stepper %v and the error %v, want one that says %q", s, err, want)
		}
	}
}

// deaf needs the losses after a step, but is not an Observer.
type deaf struct{ algo.Weighting }

func (deaf) Needs() algo.Needs { return algo.Needs{After: true} }

package descent_test

import (
	"errors"
	"math"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/pareto"
	"paretoplay/algo/weighting"
)

// boxed is a problem with bounds.
type boxed struct {
	algo.Partial
	lo, hi []float64
}

func (b boxed) Bounds() (lo, hi []float64) { return b.lo, b.hi }
func (b boxed) Unwrap() algo.Problem       { return b.Partial }

// cut returns bowls in the box x_1 ≥ 0, x_2 in [−1, 2]. The box excludes the minimum of the second objective.
func cut(t testing.TB, sigma float64) boxed {
	return boxed{bowls(t, sigma), []float64{0, -1}, []float64{2, 2}}
}

// TestFirstStepInABoxByHand compares a step from (0, 1), where x_1 is at its lower bound, with numbers computed by
// hand. The gradients (−1, 1) and (2, 2) reduce to (−1, 1) and (0, 2), so λ = (1, 0) and the direction is (−1, 1). A
// step of 2.5 would lead to (2.5, −1.5), which the box changes to (2, −1).
func TestFirstStepInABoxByHand(t *testing.T) {
	c := descent.Config{Problem: cut(t, 0), Start: []float64{0, 1}, Period: 1, StepSize: 2.5}
	s := newRun(t, c)
	steps(t, s, 1)
	v := s.View()
	if !near(v.Jacobian.Data, []float64{-1, 1, 0, 2}, 0) || !near(v.Weights, []float64{1, 0}, 1e-15) ||
		!near(v.Direction, []float64{-1, 1}, 1e-15) {
		t.Errorf("step %+v, want the reduced gradients, weights (1, 0) and direction (−1, 1)", v)
	}
	if !near(v.X, []float64{2, -1}, 0) || !near(v.F, []float64{1, 10}, 1e-14) {
		t.Errorf("x = %v with F = %v, want (2, −1) with (1, 10)", v.X, v.F)
	}
	swarm := newSwarm(t, descent.MOOSVGDConfig{Problem: c.Problem, Starts: [][]float64{c.Start}, StepSize: 2.5, Repulsion: 1})
	steps(t, swarm, 1)
	if w := swarm.View(); !near(w.X, v.X, 0) || !near(w.Direction, v.Direction, 1e-15) || !near(w.Weights, v.Weights, 1e-15) {
		t.Errorf("a single particle: %+v, want MGDA's step", w)
	}

	// Only the weighted sum of the gradients is known: (0.5, 1.5). Its first coordinate would lead out of the box.
	ls := newRun(t, descent.LinearScalarization(descent.Config{Problem: cut(t, 0), Start: []float64{0, 1}, StepSize: 0.5},
		[]float64{0.5, 0.5}))
	steps(t, ls, 1)
	if v := ls.View(); !near(v.Direction, []float64{0, 1.5}, 1e-15) || !near(v.X, []float64{0, 0.25}, 1e-15) {
		t.Errorf("fixed weights: %+v, want direction (0, 1.5) and x = (0, 0.25)", v)
	}

	// A direction that is not the weighted sum is reduced too: (1, −1) times the rows is (−1, −1), and (−1, 1) times
	// the rows is (1, 1).
	signed := newRun(t, descent.Config{Problem: cut(t, 0), Start: []float64{0, 1}, StepSize: 0.5, Weighting: fixed{[]float64{-1, 1}}})
	steps(t, signed, 1)
	if v := signed.View(); !near(v.Direction, []float64{0, 1}, 1e-15) || !near(v.X, []float64{0, 0.5}, 1e-15) {
		t.Errorf("weights of both signs: %+v, want direction (0, 1) and x = (0, 0.5)", v)
	}
}

// TestMOOSVGDInABoxByHand moves two particles from (0, 1) and (0, 2), with the numbers of TestMOOSVGDFirstStepByHand.
// The gradients reduce to (−1, 1), (0, 2) and (−1, 2), (0, 4), so λ = (1, 0) for both. A strong repulsion would drive
// the second particle out of the box in both coordinates.
func TestMOOSVGDInABoxByHand(t *testing.T) {
	const eta = 0.1
	for _, a := range []float64{0.6, 20} {
		s := newSwarm(t, descent.MOOSVGDConfig{Problem: cut(t, 0), Starts: [][]float64{{0, 1}, {0, 2}}, StepSize: eta, Repulsion: a})
		steps(t, s, 1)
		push := a * math.Ln2 / 11.25
		// G_2ᵀ(F_2−F_1) = 1.5·(−1, 2) + 3·(0, 4), G_1ᵀ(F_1−F_2) = −1.5·(−1, 1) − 3·(0, 2).
		phi := []float64{-1 - 0.5 - 1.5*push, 1 + 1 + 15*push, -1 - 0.5 + 1.5*push, 2 + 0.5 - 7.5*push}
		x := []float64{-eta * phi[0], max(1-eta*phi[1], -1), -eta * phi[2], 2 - eta*phi[3]}
		if a > 1 {
			phi[2], x[2], phi[3], x[3] = 0, 0, 0, 2
		}
		if v := s.View(); !near(v.Direction, phi, 1e-13) || !near(v.X, x, 1e-14) {
			t.Errorf("a = %v: directions %v and particles %v, want %v and %v", a, v.Direction, v.X, phi, x)
		}
	}
}

// TestFurtherSamplesInABox checks that gradients on further samples are reduced like the gradients on the first sample.
func TestFurtherSamplesInABox(t *testing.T) {
	r := &reader{}
	s := newRun(t, descent.Config{Problem: cut(t, 0.1), Start: []float64{0, 1}, StepSize: 0.1, Weighting: r})
	steps(t, s, 1)
	for i, jac := range r.seen {
		if jac.Data[0] >= 0 || jac.Data[2] != 0 || jac.Data[3] == 0 {
			t.Errorf("sample %d: gradients %v, want (−, ·) and (0, ·)", i, jac.Data)
		}
	}
	if len(r.seen) != 3 {
		t.Errorf("%d samples, want 3", len(r.seen))
	}
}

// reader is a weighting that requests two further samples and keeps its last input.
type reader struct {
	fixed
	seen []*algo.Jacobian
}

func (*reader) Needs() algo.Needs { return algo.Needs{Jacobian: true, Extra: 2} }

func (r *reader) Weigh(result *algo.Result, in *algo.Input) error {
	r.seen = append([]*algo.Jacobian{in.Jacobian}, in.Extra...)
	return fixed{[]float64{0.5, 0.5}}.Weigh(result, in)
}

// TestBoxedRunsArrive checks that runs reach the minimum of each weighted sum in the box x_1 in [−0.5, 0.5], x_2 ≥
// 0.25. This is the point of the box nearest to the minimum without a box, because the level sets of these bowls are
// circles.
func TestBoxedRunsArrive(t *testing.T) {
	p := boxed{bowls(t, 0), []float64{-0.5, 0.25}, []float64{0.5, math.Inf(1)}}
	t.Run("linear scalarization", func(t *testing.T) {
		for _, optimizer := range []descent.Optimizer{{}, {Kind: descent.HeavyBall, Beta: 0.5}} {
			for _, w := range []float64{0, 0.2, 0.5, 0.7, 0.9, 1} {
				s := newRun(t, descent.LinearScalarization(descent.Config{
					Problem: p, Start: []float64{0, 2}, StepSize: 0.2, Optimizer: optimizer,
				}, []float64{w, 1 - w}))
				steps(t, s, 200)
				// w(x−1) + 2(1−w)(x+1) = 0
				want := []float64{min(max((w-2*(1-w))/(w+2*(1-w)), -0.5), 0.5), 0.25}
				if !near(s.View().X, want, 1e-9) {
					t.Errorf("weight %v ends at %v, want %v", w, s.View().X, want)
				}
			}
		}
	})
	t.Run("MGDA", func(t *testing.T) {
		s := newRun(t, descent.Config{Problem: p, Start: []float64{0.3, 2}, StepSize: 0.1})
		steps(t, s, 300)
		if x := s.View().X; x[1] != 0.25 || pareto.StationarityOf(p)(x) > 1e-6 {
			t.Errorf("it ends at %v, where ω = %v", x, pareto.StationarityOf(p)(x))
		}
	})
}

// TestBoxedConformance checks every rule with noise that would push each step out of the box. The rule must pass the
// checks of algotest, count its cost and stay inside.
func TestBoxedConformance(t *testing.T) {
	p := boxed{corners(t, 0.3), []float64{0, 0.2}, []float64{3, 3}}
	for _, m := range weighting.Methods {
		if m.Name == "epo" { // its linear program allocates
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			for _, period := range []int{1, 3} {
				if period > 1 && !m.Promises.Effective {
					continue
				}
				on := func(p algo.Sampled) algo.Stepper {
					return newRun(t, descent.Config{
						Problem: p, Start: []float64{2, 1}, Period: period, StepSize: 0.1, Weighting: rule(t, m), Seed: 3,
						Optimizer: descent.Optimizer{Kind: descent.HeavyBall, Beta: 0.6},
					})
				}
				algotest.Stepper(t, func() algo.Stepper { return on(p) })
				algotest.Evaluations(t, p, on)
				algotest.Evaluations(t, p.Partial, on)
			}
		})
	}
	swarm := func(p algo.Sampled) algo.Stepper {
		return newSwarm(t, descent.MOOSVGDConfig{
			Problem: p, Starts: [][]float64{{2, 1}, {0, 0.2}, {1, 3}}, StepSize: 0.3, Repulsion: 1, Optimizer: descent.Optimizer{Kind: descent.Adam},
		})
	}
	t.Run("MOO-SVGD", func(t *testing.T) {
		algotest.Stepper(t, func() algo.Stepper { return swarm(p) })
		algotest.Evaluations(t, p, swarm)
	})
	ls := func(p algo.Sampled) algo.Stepper {
		return newRun(t, descent.LinearScalarization(descent.Config{Problem: p, Start: []float64{2, 1}, StepSize: 0.4}, []float64{0.2, 0.3, 0.5}))
	}
	t.Run("linear scalarization", func(t *testing.T) {
		algotest.Stepper(t, func() algo.Stepper { return ls(p) })
		algotest.Evaluations(t, p, ls)
	})
	batches := func(p algo.Sampled) algo.Stepper {
		return newRun(t, descent.SMG(descent.Config{Problem: p, Start: []float64{20}, StepSize: 0.1, Seed: 3}))
	}
	t.Run("SMG", func(t *testing.T) { algotest.Evaluations(t, newMeans(), batches) })
}

// TestInfiniteBox checks that an infinite box leaves every bit of a run unchanged.
func TestInfiniteBox(t *testing.T) {
	inf := math.Inf(1)
	c := descent.Config{Problem: newFonseca(t, 2, 0.1), Start: []float64{0.9, 0.1}, Period: 3, Momentum: 0.5, StepSize: 0.2, Seed: 8}
	free := newRun(t, c)
	c.Problem = boxed{newFonseca(t, 2, 0.1), []float64{-inf, -inf}, []float64{inf, inf}}
	box := newRun(t, c)
	for range 40 {
		steps(t, free, 1)
		steps(t, box, 1)
		if !near(free.View().X, box.View().X, 0) || !near(free.View().Direction, box.View().Direction, 0) {
			t.Fatalf("K = %d: %+v without a box, %+v in an infinite one", free.View().K, free.View(), box.View())
		}
	}
}

func TestProblemsKeepTheirContracts(t *testing.T) {
	algotest.Problem(t, newMeans(), []float64{3})
	algotest.Problem(t, cut(t, 0.2), []float64{0, 2})
}

// TestZeroValues checks that a period of 0 means 1, and that a missing constant comes from the problem that
// algo.Exact wraps.
func TestZeroValues(t *testing.T) {
	c := descent.Config{Problem: bowls(t, 0), Start: []float64{0, 1}, StepSize: 0.8}
	if s := newRun(t, c); s.Period() != 1 || s.Momentum() != 0 {
		t.Errorf("R = %d and α = %v, want 1 and 0", s.Period(), s.Momentum())
	}
	c.StepSizeSchedule = descent.Theorem37
	stated := newRun(t, c)
	c.Problem = algo.Exact(bowls(t, 0))
	exact := newRun(t, c)
	steps(t, stated, 5)
	steps(t, exact, 5)
	if !near(stated.View().X, exact.View().X, 1e-15) {
		t.Errorf("x = %v, and %v where the problem is made exact", stated.View().X, exact.View().X)
	}
}

func TestRefusalsAreRangeErrors(t *testing.T) {
	for name, change := range map[string]func(*descent.Config){
		"eta":                func(c *descent.Config) { c.StepSize = -1 },
		"period R":           func(c *descent.Config) { c.Period = -3 },
		"momentum":           func(c *descent.Config) { c.Momentum = 2 },
		"batch b0":           func(c *descent.Config) { c.Batch = 4 },
		"start":              func(c *descent.Config) { c.Start = []float64{1, 2, 3} },
		"start[1]":           func(c *descent.Config) { c.Problem, c.Start = cut(t, 0), []float64{0, 9} },
		"beta1":              func(c *descent.Config) { c.Optimizer = descent.Optimizer{Kind: descent.Adam, Beta1: 1, Epsilon: 1} },
		"loss 1":             func(c *descent.Config) { c.Weighting = silenced(t) },
		"optimizer":          func(c *descent.Config) { c.Optimizer.Kind = "sgd" },
		"step size schedule": func(c *descent.Config) { c.StepSizeSchedule = "none" },
		"horizon":            func(c *descent.Config) { c.StepSizeSchedule = descent.AsPrinted },
		"preference":         func(c *descent.Config) { c.Weighting = saying{err: preferenceError(t)} },
	} {
		c := descent.Config{Problem: bowls(t, 0), Start: []float64{0, 1}, StepSize: 0.1}
		change(&c)
		_, err := descent.NewPSMGD(c)
		var refused *algo.RangeError
		if !errors.As(err, &refused) || refused.Name != name || refused.Allowed == "" || refused.Value == nil {
			t.Errorf("%s: error %v, as a RangeError %+v", name, err, refused)
		}
	}
	if _, err := descent.NewPSMGD(descent.Config{}); !errors.Is(err, algo.ErrNoProblem) {
		t.Errorf("without a problem: %v", err)
	}
	if _, err := descent.NewMOOSVGD(descent.MOOSVGDConfig{}); !errors.Is(err, algo.ErrNoProblem) {
		t.Errorf("MOO-SVGD without a problem: %v", err)
	}
	_, err := descent.NewPSMGD(descent.Config{Problem: bowls(t, 0), Start: []float64{0, 1}, StepSize: 0.1, Weighting: extra{}})
	var input *weighting.InputError
	if !errors.As(err, &input) {
		t.Errorf("a rule that hides what it needs: %v", err)
	}
}

// saying is a weighting with a custom error.
type saying struct {
	fixed
	err error
}

func (s saying) Weigh(*algo.Result, *algo.Input) error { return s.err }

// extra calls MoDo without stating that MoDo needs further samples.
type extra struct{ fixed }

func (extra) Weigh(r *algo.Result, in *algo.Input) error {
	modo, err := weighting.NewMoDo(0.1)
	if err != nil {
		return err
	}
	return modo.Weigh(r, in)
}

// silenced returns SI for use on losses that are not positive.
func silenced(t *testing.T) algo.Weighting {
	m, _ := weighting.Lookup("si")
	return negated{rule(t, m)}
}

type negated struct{ algo.Weighting }

func (n negated) Weigh(r *algo.Result, in *algo.Input) error {
	other := *in
	other.Losses = []float64{-1, -1}
	return n.Weighting.Weigh(r, &other)
}

func preferenceError(t *testing.T) error {
	t.Helper()
	m, _ := weighting.Lookup("epo")
	var l param.List
	construct := m.Bind(&l, "")
	if err := l.Assign("preference", "0.2,0.3,0.5"); err != nil {
		t.Fatal(err)
	}
	_, err := construct(weighting.Context{Objectives: 2})
	return err
}

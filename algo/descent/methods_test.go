package descent_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/descent"
	"paretoplay/algo/param"
	"paretoplay/algo/problem"
	"paretoplay/algo/weighting"
)

// positive returns three quadratics in three variables. Their values stay above 0 in the runs of these tests, and their
// gradients are never opposite.
func positive(t testing.TB) *problem.Quadratics {
	t.Helper()
	unit := []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	p, err := problem.NewQuadratics(0.01,
		problem.QuadraticObjective{A: unit, Center: []float64{1, 0, 0}},
		problem.QuadraticObjective{A: []float64{2, 0.5, 0, 0.5, 1, 0, 0, 0, 1}, Center: []float64{-1, 1, 0.5}},
		problem.QuadraticObjective{A: unit, Center: []float64{-1, -1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func rule(t testing.TB, m weighting.Method) algo.Weighting {
	t.Helper()
	var l param.List
	w, err := m.Bind(&l, "")(weighting.Context{Objectives: 3, Seed: 1})
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	return w
}

func driven(t testing.TB, m weighting.Method, period int) *descent.PSMGD {
	t.Helper()
	return newRun(t, descent.Config{
		Problem: positive(t), Start: []float64{4, 3, 5}, Period: period, StepSize: 0.02, Weighting: rule(t, m), Seed: 2,
	})
}

// TestEveryMethodDrivesPSMGD runs PSMGD with every listed rule. Rules with effective coefficients must work with any
// period and keep the coefficients and weights between refreshes. Other rules require period 1.
func TestEveryMethodDrivesPSMGD(t *testing.T) {
	for _, m := range weighting.Methods {
		t.Run(m.Name, func(t *testing.T) {
			if m.Name == "epo" { // its linear program allocates
				s := driven(t, m, 4)
				steps(t, s, 12)
				return
			}
			periods := []int{1, 4}
			if !m.Promises.Effective {
				periods = periods[:1]
				refusesHolding(t, m)
			}
			for _, period := range periods {
				algotest.Stepper(t, func() algo.Stepper { return driven(t, m, period) })
				s := driven(t, m, period)
				var held, effective []float64
				sum, jac := make([]float64, 3), algo.NewJacobian(3, 3)
				for k := range 12 {
					x := slices.Clone(s.View().X)
					steps(t, s, 1)
					v := s.View()
					if v.Refreshed != (k%period == 0) {
						t.Fatalf("R = %d: step %d refreshes %v", period, k, v.Refreshed)
					}
					if !v.Refreshed && !near(v.Weights, held, 0) {
						t.Errorf("R = %d: step %d has weights %v, the last refresh gave %v", period, k, v.Weights, held)
					}
					held = append(held[:0], v.Weights...)
					if (s.Effective() != nil) != m.Promises.Effective {
						t.Fatalf("R = %d: step %d has the coefficients %v", period, k, s.Effective())
					}
					if !m.Promises.Effective {
						continue
					}
					if !v.Refreshed && !slices.Equal(s.Effective(), effective) {
						t.Errorf("R = %d: step %d has coefficients %v, the last refresh gave %v", period, k, s.Effective(), effective)
					}
					effective = append(effective[:0], s.Effective()...)
					positive(t).JacobianAt(jac, x, s.Sample())
					jac.Combine(sum, effective)
					if tolerance := 1e-12 * floats.Norm(v.Direction, 2); !near(sum, v.Direction, tolerance) {
						t.Errorf("R = %d: step %d has the direction %v, its coefficients make %v", period, k, v.Direction, sum)
					}
				}
				refreshes := (12 + period - 1) / period
				want := refreshes*3*(1+m.Needs.Extra) + 12 - refreshes
				if got := s.View().Cost.Backpropagations; got != want {
					t.Errorf("R = %d: %d backpropagations, want %d", period, got, want)
				}
			}
		})
	}
}

// refusesHolding checks that PSMGD rejects every setting that reuses effective coefficients, because the rule m has
// none. PSMGD must give the reason, both in the constructor and during the run, and the run must then continue as
// before.
func refusesHolding(t *testing.T, m weighting.Method) {
	t.Helper()
	const reason = "the weighting's direction is not a combination of the gradients of its step, so there are no effective coefficients to "
	for want, change := range map[string]func(*descent.Config){
		"period R = 4: " + reason + "reuse between refreshes; the period must be 1": func(c *descent.Config) { c.Period = 4 },
		"momentum = 0.5: " + reason + "smooth; it must be 0":                        func(c *descent.Config) { c.Momentum = 0.5 },
		"momentum schedule theorem36: " + reason + "smooth; it must be constant": func(c *descent.Config) {
			c.MomentumSchedule = descent.Theorem36
		},
	} {
		c := descent.Config{Problem: positive(t), Start: []float64{4, 3, 5}, StepSize: 0.02, Weighting: rule(t, m)}
		change(&c)
		if _, err := descent.NewPSMGD(c); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	s, untouched := driven(t, m, 1), driven(t, m, 1)
	steps(t, s, 5)
	steps(t, untouched, 5)
	for _, err := range []error{s.SetPeriod(2), s.SetMomentum(0.5)} {
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("a live change: %v", err)
		}
	}
	steps(t, s, 5)
	steps(t, untouched, 5)
	if !slices.Equal(s.View().X, untouched.View().X) {
		t.Errorf("a refused change moves the run to %v, not %v", s.View().X, untouched.View().X)
	}
}

// TestHeldCoefficientsByHand compares coefficients with numbers computed by hand. At (2, 1) on the bowls, the
// gradients are (1, 1) and (6, 2) with mean (3.5, 1.5). Two steps with R = 2 use the same coefficients, and momentum
// averages them with the next coefficients.
func TestHeldCoefficientsByHand(t *testing.T) {
	for _, c := range []struct {
		name      string
		rule      func() algo.Weighting
		effective [2]float64
	}{
		// With κ = 1, the first of the rows g_i + g_0 is the shortest point of their hull, and c = (λ + ½)/2.
		{"sdmgrad", func() algo.Weighting { return must(weighting.NewSDMGrad(weighting.SDMGradConfig{Kappa: 1})) }, [2]float64{0.75, 0.25}},
		// With c‖g_0‖ = 1, the first gradient is the shortest and has the smallest product with g_0: g_0 + g_1/‖g_1‖.
		{"cagrad", func() algo.Weighting { return must(weighting.NewCAGrad(1/math.Sqrt(14.5), weighting.RescaleNone)) },
			[2]float64{0.5 + 1/math.Sqrt2, 0.5}},
	} {
		const eta = 0.1
		s := newRun(t, descent.Config{Problem: bowls(t, 0), Start: []float64{2, 1}, Period: 2, Momentum: 0.5, StepSize: eta, Weighting: c.rule()})
		a, b := c.effective[0], c.effective[1]
		x := []float64{2, 1}
		for k := range 2 {
			x = []float64{x[0] - eta*(a*(x[0]-1)+2*b*(x[0]+1)), x[1] - eta*(a+2*b)*x[1]}
			steps(t, s, 1)
			if v := s.View(); !near(v.Weights, []float64{1, 0}, 1e-13) || !near(s.Effective(), c.effective[:], 1e-13) || !near(v.X, x, 1e-13) {
				t.Errorf("%s: step %d has weights %v and coefficients %v and ends at %v; want (1, 0), %v and %v", c.name, k, v.Weights,
					s.Effective(), v.X, c.effective, x)
			}
		}
		in := algo.Input{}
		jac := algo.NewJacobian(2, 2)
		bowls(t, 0).Jacobian(jac, x)
		in.SetGradients(jac)
		fresh := algo.Result{Weights: make([]float64, 2), Effective: make([]float64, 2)}
		if err := c.rule().Weigh(&fresh, &in); err != nil {
			t.Fatal(err)
		}
		steps(t, s, 1)
		mean := func(before, now float64) float64 { return (before + now) / 2 }
		if v := s.View(); !near(v.Weights, []float64{mean(1, fresh.Weights[0]), mean(0, fresh.Weights[1])}, 1e-13) ||
			!near(s.Effective(), []float64{mean(a, fresh.Effective[0]), mean(b, fresh.Effective[1])}, 1e-13) {
			t.Errorf("%s: momentum makes weights %v and coefficients %v of %+v", c.name, v.Weights, s.Effective(), fresh)
		}
	}
}

// TestPeriodKeepsWhatTheMeanGradientDoes checks rules whose direction is not only the weighted sum of the gradients.
// Between refreshes, PSMGD must keep the rest of the direction too. With every period, runs from 20 starts must end at
// about the same point of the front as with R = 1. The rules' weights alone would lead to the ends of the front.
func TestPeriodKeepsWhatTheMeanGradientDoes(t *testing.T) {
	p := bowls(t, 0)
	for name, make := range map[string]func() algo.Weighting{
		"cagrad":  func() algo.Weighting { return must(weighting.NewCAGrad(0.4, weighting.RescaleSquare)) },
		"sdmgrad": func() algo.Weighting { return must(weighting.NewSDMGrad(weighting.SDMGradConfig{Kappa: 0.3})) },
	} {
		draws := rand.New(rand.NewPCG(1, 2))
		for range 20 {
			start := []float64{-1.2 + 2.4*draws.Float64(), -1.2 + 2.4*draws.Float64()}
			end := func(period int, momentum float64) []float64 {
				s := newRun(t, descent.Config{Problem: p, Start: start, Period: period, Momentum: momentum, StepSize: 0.1, Weighting: make()})
				steps(t, s, 300)
				return s.View().X
			}
			want := end(1, 0)
			for _, period := range []int{2, 4, 8} {
				if got := end(period, 0); !near(got, want, 0.15) {
					t.Errorf("%s with R = %d from %v: it ends at %v, with R = 1 at %v", name, period, start, got, want)
				}
			}
			if got := end(1, 0.9); !near(got, want, 0.15) {
				t.Errorf("%s with momentum from %v: it ends at %v, without at %v", name, start, got, want)
			}
		}
	}
}

// TestHeldCoefficientsAreSaved checks that a run restored between two refreshes continues with the same coefficients.
func TestHeldCoefficientsAreSaved(t *testing.T) {
	for _, name := range []string{"cagrad", "sdmgrad"} {
		m, _ := weighting.Lookup(name)
		run := func() *descent.PSMGD {
			return newRun(t, descent.Config{
				Problem: positive(t), Start: []float64{4, 3, 5}, Period: 4, Momentum: 0.5, StepSize: 0.02, Weighting: rule(t, m), Seed: 2,
			})
		}
		algotest.Stepper(t, func() algo.Stepper { return run() })
		s := run()
		steps(t, s, 6)
		var kept algo.Snapshot
		s.Save(&kept)
		steps(t, s, 5)
		restored := run()
		restored.Load(&kept)
		if restored.Effective() != nil {
			t.Errorf("%s: restored, it shows coefficients %v of a step that it did not make", name, restored.Effective())
		}
		steps(t, restored, 5)
		if !slices.Equal(s.View().X, restored.View().X) || !slices.Equal(s.Effective(), restored.Effective()) {
			t.Errorf("%s: restored, it goes to %v, not to %v", name, restored.View().X, s.View().X)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

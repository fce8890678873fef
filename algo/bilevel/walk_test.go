package bilevel_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/bilevel"
	"paretoplay/algo/descent"
	"paretoplay/algo/minnorm"
	"paretoplay/algo/weighting"
)

// family groups methods that compute their steps in the same way.
type family int

const (
	ofValueFunction family = iota
	ofHypergradients
	ofBarrier
	ofLowerLevel
)

// walker is a method on a problem, with the data needed to recompute its steps independently.
type walker struct {
	family         family
	regularization float64 // initial μ_1 of BVFIM
	construct      func() bilevel.Stepper
}

const walkStepSize, walkOmegaStepSize, walkShrink = 0.02, 0.01, 0.9

// walkers returns all methods in all modes, with the given loop, on a problem whose Hessians vary between points.
// Methods that accept no optimizer in the loop get none.
func walkers(t testing.TB, loop bilevel.Loop, optimizer descent.Optimizer) map[string]walker {
	t.Helper()
	p, start := curved{3, 4, 2}, scattered(7)
	plain := loop
	plain.Optimizer = descent.Optimizer{}
	upper := bilevel.Upper{StepSize: walkStepSize, Optimizer: optimizer}
	apart := upper
	apart.OmegaStepSize = walkOmegaStepSize
	must := func(s bilevel.Stepper, err error) bilevel.Stepper {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	barrier := bilevel.DefaultBVFIM(bilevel.BVFIMConfig{Problem: p, Start: start, Loop: loop, Upper: upper})
	barrier.Regularization, barrier.Shrink = 0.3, walkShrink
	all := map[string]walker{
		"BOME": {ofValueFunction, 0, func() bilevel.Stepper {
			return must(bilevel.NewBOME(bilevel.BOMEConfig{Problem: p, Start: start, Loop: loop, Upper: upper, Rho: 0.5}))
		}},
		"BVFIM": {ofBarrier, barrier.Regularization, func() bilevel.Stepper { return must(bilevel.NewBVFIM(barrier)) }},
		"the lower level alone": {ofLowerLevel, 0, func() bilevel.Stepper {
			return must(bilevel.NewLowerOnly(bilevel.LowerOnlyConfig{Problem: p, Start: start, Loop: loop}))
		}},
	}
	for _, multiplier := range []bilevel.Multiplier{bilevel.AsPublished, bilevel.ExactDual} {
		all["FORUM "+string(multiplier)] = walker{ofValueFunction, 0, func() bilevel.Stepper {
			return must(bilevel.NewFORUM(bilevel.FORUMConfig{Problem: p, Start: start, Loop: loop, Upper: apart, Rho: 0.3, Multiplier: multiplier}))
		}}
	}
	for _, mode := range modes {
		all["MOML "+string(mode)] = walker{ofHypergradients, 0, func() bilevel.Stepper {
			return must(bilevel.NewMOML(bilevel.MOMLConfig{Problem: p, Start: start, Loop: plain, Upper: upper, Mode: mode}))
		}}
		all["MoCo "+string(mode)] = walker{ofHypergradients, 0, func() bilevel.Stepper {
			return must(bilevel.NewMoCo(bilevel.MoCoConfig{Problem: p, Start: start, Loop: plain, Upper: upper, Mode: mode,
				Beta: walkBeta, Gamma: walkGamma, Rho: walkRho}))
		}}
		all["MOML by MoCo "+string(mode)] = walker{ofHypergradients, 0, func() bilevel.Stepper {
			return must(bilevel.NewMOML(bilevel.MOMLConfig{Problem: p, Start: start, Loop: plain, Upper: upper, Mode: mode,
				Weighting: ruleCalled(t, "moco")}))
		}}
	}
	return all
}

const walkBeta, walkGamma, walkRho = 0.5, 0.2, 0.05

// everyWalk calls f with all methods, with warm and fixed starts and with several optimizers.
func everyWalk(t *testing.T, f func(t *testing.T, w walker, loop bilevel.Loop)) {
	for _, fixed := range []bool{false, true} {
		for _, optimizer := range []descent.Optimizer{{}, {Kind: descent.HeavyBall, Beta: 0.5}, descent.DefaultAdam()} {
			loop := bilevel.Loop{Steps: 9, StepSize: 0.05, Fixed: fixed, Optimizer: optimizer}
			for name, w := range walkers(t, loop, optimizer) {
				if w.family == ofHypergradients {
					loop.Optimizer = descent.Optimizer{}
				} else {
					loop.Optimizer = optimizer
				}
				t.Run(fmt.Sprintf("%s, fixed %v, %v", name, fixed, optimizer.Kind), func(t *testing.T) { f(t, w, loop) })
			}
		}
	}
}

// loopOf returns the points of the loop that WalkLoop visits.
func loopOf(t *testing.T, s bilevel.Stepper) (points [][]float64) {
	t.Helper()
	s.WalkLoop(func(at int, omega []float64) {
		if at != len(points) || !algo.Finite(omega) {
			t.Errorf("point %d of the loop is visited as %d: %v", len(points), at, omega)
		}
		points = append(points, slices.Clone(omega))
	})
	return points
}

// backOf returns the vectors that WalkBack visits.
func backOf(t *testing.T, s bilevel.Stepper, objective int) (v [][]float64) {
	t.Helper()
	s.(bilevel.Differentiating).WalkBack(objective, func(at int, at_v []float64) {
		if want := s.Trace().Loop.Steps - len(v); at != want {
			t.Errorf("v_%d is visited as v_%d", want, at)
		}
		v = append(v, slices.Clone(at_v))
	})
	return v
}

// redo computes the points of a loop from z by the loop's definition. A fixed loop starts at the ω part of the point
// first instead.
func redo(t *testing.T, p algo.Bilevel, z, first []float64, l bilevel.Loop, regularization float64) [][]float64 {
	t.Helper()
	n, lower, _ := p.Dims()
	point := slices.Clone(z)
	if l.Fixed {
		copy(point[n:], first[n:])
	}
	motion, err := descent.NewMotion(l.Optimizer, lower)
	if err != nil {
		t.Fatal(err)
	}
	gradient, points := make([]float64, lower), [][]float64{slices.Clone(point[n:])}
	for range l.Steps {
		p.LowerGradientOmega(gradient, point)
		floats.AddScaled(gradient, regularization, point[n:])
		floats.AddScaled(point[n:], -l.StepSize, motion.Move(gradient))
		points = append(points, slices.Clone(point[n:]))
	}
	return points
}

// at returns the point (α, ω).
func at(alpha, omega []float64) []float64 { return append(slices.Clone(alpha), omega...) }

const walkTolerance = 1e-12 // of numbers of size 1

func within(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if !near(got, want, walkTolerance) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// TestStepsAreShownWhole checks that the data shown for a step follow the step's formulas and lead from its start
// to its end.
func TestStepsAreShownWhole(t *testing.T) {
	p := curved{3, 4, 2}
	n := p.n
	everyWalk(t, func(t *testing.T, w walker, loop bilevel.Loop) {
		s := w.construct()
		first := slices.Clone(s.View().X)
		for k := range 12 {
			before, weights := slices.Clone(s.View().X), slices.Clone(s.View().Weights)
			run(t, s, 1)
			// Settings for the next step do not change the data shown for this step.
			made := loop
			loop.Steps, loop.StepSize = 5+k%3, 0.04+0.002*float64(k)
			if err := s.SetLoop(loop.Steps, loop.StepSize); err != nil {
				t.Fatal(err)
			}
			v, trace := s.View(), s.Trace()
			if !slices.Equal(trace.From, before) || trace.Loop != made || trace.StepSize != v.StepSize {
				t.Fatalf("k = %d: the step is shown from %v with %+v and μ = %v, it was from %v with %+v and μ = %v",
					k, trace.From, trace.Loop, trace.StepSize, before, made, v.StepSize)
			}
			points := loopOf(t, s)
			end := points[len(points)-1]
			if !slices.Equal(end, trace.Omega) {
				t.Errorf("k = %d: the walk ends at %v, the loop of the step at %v", k, end, trace.Omega)
			}
			want := redo(t, p, before, first, made, w.regularization*math.Pow(walkShrink, float64(k)))
			if len(points) != made.Steps+1 || len(want) != len(points) {
				t.Fatalf("k = %d: %d points of T = %d steps", k, len(points), made.Steps)
			}
			for i := range points {
				within(t, fmt.Sprintf("k = %d: point %d of the loop", k, i), points[i], want[i])
			}

			direction := make([]float64, len(v.Direction))
			landing := slices.Clone(before)
			jacobian := s.UpperJacobian()
			omegaStepSize := math.NaN()
			switch w.family {
			case ofLowerLevel:
				if jacobian != nil {
					t.Errorf("k = %d: an upper Jacobian is shown, none was taken", k)
				}
				copy(landing[n:], end)
			case ofValueFunction:
				omegaStepSize = walkStepSize
				if trace.Lambda != nil {
					omegaStepSize = walkOmegaStepSize
				}
				checkUpper(t, p, jacobian, before)
				slope, solved := make([]float64, len(before)), make([]float64, len(before))
				p.LowerGradient(slope, before)
				p.LowerGradient(solved, at(before[:n], end))
				floats.Sub(slope[:n], solved[:n])
				within(t, "∇q̃", trace.QGradient, slope)
				jacobian.Combine(direction, v.Weights)
				floats.AddScaled(direction, trace.Nu, trace.QGradient)
			case ofHypergradients:
				checkUpper(t, p, jacobian, at(before[:n], end))
				checkHypergradients(t, p, s, points, made.StepSize)
				trace.Weighed.Combine(direction, v.Weights)
				copy(landing[n:], end)
				if weights != nil && trace.Prior != nil && !slices.Equal(trace.Prior, weights) {
					t.Errorf("k = %d: the weights before the step are shown as %v, they were %v", k, trace.Prior, weights)
				}
			case ofBarrier:
				checkUpper(t, p, jacobian, at(before[:n], v.X[n:]))
				checkBarrier(t, p, &trace, k, v.X[n:])
				slope, gradient := make([]float64, len(before)), make([]float64, len(before))
				jacobian.Combine(slope, v.Weights)
				p.LowerGradient(gradient, at(before[:n], v.X[n:]))
				floats.AddScaled(slope, trace.Nu, gradient)
				p.LowerGradient(gradient, at(before[:n], end))
				floats.AddScaled(slope, -trace.Nu, gradient)
				copy(direction, slope)
				copy(landing[n:], v.X[n:])
			}
			within(t, "the direction", v.Direction, direction)
			if got := trace.OmegaStepSize; got != omegaStepSize && !(math.IsNaN(got) && math.IsNaN(omegaStepSize)) {
				t.Errorf("k = %d: μ_ω = %v, want %v", k, got, omegaStepSize)
			}
			if len(trace.Update) != len(v.Direction) {
				t.Errorf("k = %d: %d entries of an update are shown, the direction has %d", k, len(trace.Update), len(v.Direction))
			}
			mu := trace.StepSize
			for i, u := range trace.Update {
				if i == n {
					mu = trace.OmegaStepSize
				}
				landing[i] -= mu * u
			}
			within(t, fmt.Sprintf("k = %d: where the step leads", k), v.X, landing)
		}
	})
}

// checkUpper compares a stepper's upper Jacobian with the Jacobian of the upper objectives at z.
func checkUpper(t *testing.T, p algo.Bilevel, got *algo.Jacobian, z []float64) {
	t.Helper()
	if got == nil {
		t.Fatal("no upper Jacobian is shown")
	}
	want := algo.NewJacobian(got.Rows, got.Cols)
	p.Jacobian(want, z)
	within(t, "the upper Jacobian", got.Data, want.Data)
}

// checkHypergradients computes the hypergradients from the points of the loop by the formula. It compares the
// hypergradients, and the vectors of the backward pass, with those that the stepper shows.
func checkHypergradients(t *testing.T, p algo.LowerHessian, s bilevel.Stepper, points [][]float64, eta float64) {
	t.Helper()
	n, lower, m := p.Dims()
	alpha, end := s.Trace().From[:n], points[len(points)-1]
	jacobian := algo.NewJacobian(m, n+lower)
	p.Jacobian(jacobian, at(alpha, end))
	alphaPart, omegaPart := make([]float64, n), make([]float64, lower)
	for i := range m {
		back := backOf(t, s, i)
		if len(back) != len(points) {
			t.Fatalf("%d stations on the way back through %d points", len(back), len(points))
		}
		h, v := slices.Clone(jacobian.Row(i)[:n]), slices.Clone(jacobian.Row(i)[n:])
		within(t, "v_T", back[0], v)
		for k := len(points) - 2; k >= 0; k-- {
			z := at(alpha, points[k])
			p.HessianAlphaOmega(alphaPart, z, v)
			p.HessianOmegaOmega(omegaPart, z, v)
			floats.AddScaled(h, -eta, alphaPart)
			floats.AddScaled(v, -eta, omegaPart)
			within(t, fmt.Sprintf("v_%d", k), back[len(points)-1-k], v)
		}
		within(t, "the hypergradient", s.Trace().Hypergradients.Row(i), h)
	}
}

func checkBarrier(t *testing.T, p algo.Bilevel, trace *bilevel.Trace, k int, omega []float64) {
	t.Helper()
	b, n := trace.Barrier, len(trace.From)-len(omega)
	start := bilevel.DefaultBVFIM(bilevel.BVFIMConfig{})
	factor := math.Pow(walkShrink, float64(k))
	within(t, "what is shrunk", []float64{b.Regularization, b.Offset, b.Theta, b.Tau},
		[]float64{0.3 * factor, start.Offset * factor, start.Theta * factor, start.Tau * factor})
	within(t, "the bound", []float64{b.Bound}, []float64{p.Lower(at(trace.From[:n], trace.Omega)) +
		b.Regularization/2*floats.Dot(trace.Omega, trace.Omega) + b.Offset})
	within(t, "the slack", []float64{b.Slack}, []float64{b.Bound - p.Lower(at(trace.From[:n], omega))})
	within(t, "ν", []float64{trace.Nu}, []float64{b.Tau / b.Slack})
}

// TestMoCoShowsHowItsWeightsMove checks that MoCo's weights follow from the weights before the step and from the
// weighted rows. This must also hold in the first step and right after Load.
func TestMoCoShowsHowItsWeightsMove(t *testing.T) {
	p := curved{3, 4, 3}
	construct := func() *bilevel.MoCo {
		return newMoCo(t, bilevel.MoCoConfig{Problem: p, Start: scattered(7), Loop: bilevel.Loop{Steps: 6, StepSize: 0.05},
			Upper: bilevel.Upper{StepSize: walkStepSize}, Beta: walkBeta, Gamma: walkGamma, Rho: walkRho})
	}
	s, prior, tracked := construct(), []float64{1. / 3, 1. / 3, 1. / 3}, make([]float64, 9)
	for k := range 5 {
		var snapshot algo.Snapshot
		s.Save(&snapshot)
		s = construct()
		s.Load(&snapshot)
		run(t, s, 1)
		trace, weights := s.Trace(), s.View().Weights
		if !slices.Equal(trace.Prior, prior) {
			t.Errorf("k = %d: the weights before the step are shown as %v, they were %v", k, trace.Prior, prior)
		}
		for i, h := range trace.Hypergradients.Data {
			tracked[i] -= walkBeta * (tracked[i] - h)
		}
		within(t, "what is weighed", trace.Weighed.Data, tracked)
		want, sum := make([]float64, 3), make([]float64, 3)
		trace.Weighed.Combine(sum, trace.Prior)
		for i := range want {
			want[i] = trace.Prior[i] - walkGamma*(floats.Dot(trace.Weighed.Row(i), sum)+walkRho*trace.Prior[i])
		}
		var projector minnorm.Projector
		if status := projector.Project(want, want); status != algo.Converged {
			t.Fatal(status)
		}
		within(t, "the weights", weights, want)
		prior = slices.Clone(weights)
	}
}

// TestWalkingDisturbsNothing checks that reading a step adds no cost, and that the next steps are the same bit for
// bit.
func TestWalkingDisturbsNothing(t *testing.T) {
	everyWalk(t, func(t *testing.T, w walker, _ bilevel.Loop) {
		s, other := w.construct(), w.construct()
		for range 8 {
			run(t, s, 1)
			run(t, other, 1)
			trace := s.Trace()
			omega := slices.Clone(trace.Omega)
			loopOf(t, s)
			if w.family == ofHypergradients {
				for i := range s.View().F {
					backOf(t, s, i)
				}
			}
			s.UpperJacobian()
			if !slices.Equal(s.Measured(), other.Measured()) || !slices.Equal(trace.Omega, omega) {
				t.Fatal("walking changes what is seen of the step")
			}
			a, b := s.View(), other.View()
			if !slices.Equal(a.X, b.X) || !slices.Equal(a.Direction, b.Direction) || !slices.Equal(a.Weights, b.Weights) || a.Cost != b.Cost {
				t.Fatalf("with walks there is %+v, without %+v", a, b)
			}
			var one, two algo.Snapshot
			s.Save(&one)
			other.Save(&two)
			if !slices.Equal(one.Floats, two.Floats) || !slices.Equal(one.Words, two.Words) {
				t.Fatal("walking changes what is saved")
			}
		}
	})
}

// TestNothingToWalkWithoutAStep checks that no step can be walked through at the start or right after Load.
func TestNothingToWalkWithoutAStep(t *testing.T) {
	everyWalk(t, func(t *testing.T, w walker, _ bilevel.Loop) {
		s := w.construct()
		nothing := func(when string) {
			t.Helper()
			trace := s.Trace()
			if len(loopOf(t, s)) > 0 || s.UpperJacobian() != nil || w.family == ofHypergradients && len(backOf(t, s, 0)) > 0 {
				t.Errorf("%s there is a loop, a way back or a Jacobian", when)
			}
			if trace.From != nil || trace.Loop != (bilevel.Loop{}) || trace.Update != nil || trace.Weighed != nil ||
				trace.Prior != nil || trace.Barrier != nil || !math.IsNaN(trace.StepSize) || !math.IsNaN(trace.OmegaStepSize) {
				t.Errorf("%s there is a trace: %+v", when, trace)
			}
		}
		nothing("at the start")
		run(t, s, 3)
		var snapshot algo.Snapshot
		s.Save(&snapshot)
		s.Load(&snapshot)
		nothing("after Load")
	})
}

// TestLoopsThatDivergeAreShown checks that a loop that does not stay finite is shown from z_k up to its last finite
// point. This must also hold for a step that is repeated from a snapshot of the diverged run.
func TestLoopsThatDivergeAreShown(t *testing.T) {
	loop := bilevel.Loop{Steps: 2000, StepSize: 0.05}
	for name, w := range walkers(t, loop, descent.Optimizer{}) {
		t.Run(name, func(t *testing.T) {
			s := w.construct()
			run(t, s, 2)
			if err := s.SetLoop(2000, 50); err != nil {
				t.Fatal(err)
			}
			if status, err := s.Step(); status != algo.Diverged || err != nil {
				t.Fatal(status, err)
			}
			v := s.View()
			points := loopOf(t, s)
			if len(points) < 2 || len(points) > 2000 || !slices.Equal(points[0], v.X[3:]) {
				t.Errorf("got %d points of a loop that diverges, from %v; want at least 2, from %v", len(points), points[0], v.X)
			}
			if w.family == ofHypergradients && len(backOf(t, s, 0)) > 0 {
				t.Error("there is a way back through a loop without an end")
			}
			if s.UpperJacobian() != nil || s.Trace().From != nil {
				t.Error("a step is shown that was not made")
			}
			var snapshot algo.Snapshot
			s.Save(&snapshot)
			s.Load(&snapshot)
			if len(loopOf(t, s)) > 0 {
				t.Error("after Load there is a loop")
			}
			if status, err := s.Step(); status != algo.Diverged || err != nil {
				t.Fatal(status, err)
			}
			if again := loopOf(t, s); len(again) != len(points) {
				t.Errorf("the loop came to %d points, tried again to %d", len(points), len(again))
			}
		})
	}
}

// TestNothingIsMadeOfNoDirection checks that a step that does not move α has an update of 0, not the update of the
// previous step.
func TestNothingIsMadeOfNoDirection(t *testing.T) {
	c := moml()
	c.Upper.Optimizer = descent.Optimizer{Kind: descent.HeavyBall, Beta: 0.5}
	c.Weighting = scripted{weighting.NewMGDA(weighting.NormalizeNone), func(k int, r *algo.Result) error {
		if k == 1 {
			r.Status = algo.NoSolution
			return nil
		}
		r.Weights[0], r.Weights[1], r.Direction[0] = 0.5, 0.5, 1
		return nil
	}}
	s := newMOML(t, c)
	run(t, s, 1)
	if u := s.Trace().Update; !slices.Equal(u, []float64{1}) {
		t.Errorf("the update of a direction of 1 is %v", u)
	}
	if status, err := s.Step(); status != algo.NoSolution || err != nil {
		t.Fatal(status, err)
	}
	if u := s.Trace().Update; !slices.Equal(u, []float64{0}) {
		t.Errorf("the update of a step without a direction is %v", u)
	}
}

// TestFaultsLeaveNothingToWalk checks that no step can be walked through after the weighting has returned an error.
func TestFaultsLeaveNothingToWalk(t *testing.T) {
	s := scriptedMOML(t, func(k int, r *algo.Result) error {
		r.Weights[0], r.Weights[1] = 0.5, 0.5
		r.Direction[0] = 1
		if k == 1 {
			return fmt.Errorf("a fault")
		}
		return nil
	})
	run(t, s, 1)
	if len(loopOf(t, s)) == 0 {
		t.Error("there is no loop of a step that was made")
	}
	if _, err := s.Step(); err == nil {
		t.Fatal("there was no fault")
	}
	if len(loopOf(t, s)) > 0 || s.UpperJacobian() != nil {
		t.Error("there is a loop or a Jacobian of a step that was not made")
	}
}

// TestStepCost checks that a step costs what StepCost predicts, for every T.
func TestStepCost(t *testing.T) {
	everyWalk(t, func(t *testing.T, w walker, loop bilevel.Loop) {
		s := w.construct()
		for _, steps := range []int{loop.Steps, 1, 4} {
			if err := s.SetLoop(steps, loop.StepSize); err != nil {
				t.Fatal(err)
			}
			before := s.View().Cost
			run(t, s, 1)
			after, told := s.View().Cost, s.StepCost(steps)
			got := algo.Cost{
				Backpropagations:      after.Backpropagations - before.Backpropagations,
				GradientCoordinates:   after.GradientCoordinates - before.GradientCoordinates,
				HessianVectorProducts: after.HessianVectorProducts - before.HessianVectorProducts,
			}
			if got != told {
				t.Errorf("T = %d: a step costs %+v, told was %+v", steps, got, told)
			}
		}
	})
}

// TestWalkingTheLoopAllocatesNothing checks that walking through a loop does not store the loop, except when going
// backward.
func TestWalkingTheLoopAllocatesNothing(t *testing.T) {
	for name, w := range walkers(t, bilevel.Loop{Steps: 500, StepSize: 0.05}, descent.Optimizer{}) {
		t.Run(name, func(t *testing.T) {
			s := w.construct()
			run(t, s, 2)
			floatsBefore := s.PeakFloats()
			if allocations := testing.AllocsPerRun(5, func() { s.WalkLoop(func(int, []float64) {}) }); allocations != 0 {
				t.Errorf("a walk through the loop allocates %v times", allocations)
			}
			if s.PeakFloats() != floatsBefore {
				t.Errorf("PeakFloats was %d, after a walk it is %d", floatsBefore, s.PeakFloats())
			}
		})
	}
}

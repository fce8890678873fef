package descent_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/algotest"
	"paretoplay/algo/descent"
	"paretoplay/algo/problem"
)

func newSwarm(t testing.TB, c descent.MOOSVGDConfig) *descent.MOOSVGD {
	t.Helper()
	s, err := descent.NewMOOSVGD(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestMOOSVGDFirstStepByHand compares a step from (0, 1) and (0, 2) with numbers computed by hand. The losses are (1,
// 2) and (2.5, 5), so med² = h·log 2 = 11.25 and the kernel is ½. At the first point, the gradients are (−1, 1) and
// (2, 2), with λ = (0.8, 0.2) and g* = (−0.4, 1.2). At the second point, they are (−1, 2) and (2, 4), with λ = (1, 0) and
// g* = (−1, 2). G_2ᵀ(F_2−F_1) = 1.5·(−1, 2) + 3·(2, 4) = (4.5, 15) and G_1ᵀ(F_1−F_2) = −1.5·(−1, 1) − 3·(2, 2) =
// (−4.5, −7.5).
func TestMOOSVGDFirstStepByHand(t *testing.T) {
	const eta, a = 0.1, 0.6
	s := newSwarm(t, descent.MOOSVGDConfig{Problem: bowls(t, 0), Starts: [][]float64{{0, 1}, {0, 2}}, StepSize: eta, Repulsion: a})
	steps(t, s, 1)
	push := a * math.Ln2 / 11.25 // a·(2/h)·½
	phi := []float64{-0.4 - 0.5 + 4.5*push, 1.2 + 1 + 15*push, -1 - 0.2 - 4.5*push, 2 + 0.6 - 7.5*push}
	x := []float64{-eta * phi[0], 1 - eta*phi[1], -eta * phi[2], 2 - eta*phi[3]}
	v := s.View()
	if !near(v.Direction, phi, 1e-14) || !near(v.X, x, 1e-14) || !near(v.Weights, []float64{0.8, 0.2, 1, 0}, 1e-15) {
		t.Errorf("step %+v, want directions %v, particles %v", v, phi, x)
	}
	kernel, h := s.Kernel()
	if !near(kernel, []float64{1, 0.5, 0.5, 1}, 1e-15) || math.Abs(h-11.25/math.Ln2) > 1e-13 {
		t.Errorf("kernel %v, bandwidth %v", kernel, h)
	}
	f := make([]float64, 2)
	for i := range 2 {
		bowls(t, 0).Values(f, x[2*i:2*i+2])
		if !near(v.F[2*i:2*i+2], f, 1e-14) {
			t.Errorf("losses %v of particle %d, want %v", v.F, i, f)
		}
	}
	if v.K != 1 || v.Solutions != 2 || v.StepSize != eta || v.Cost != (algo.Cost{Backpropagations: 4, GradientCoordinates: 8}) {
		t.Errorf("step %+v", v)
	}
	// The repulsion alone increases the distance between the losses.
	if phi[1]-2.2 <= 0 || phi[3]-2.6 >= 0 {
		t.Errorf("the particles attract each other: %v", phi)
	}
}

// TestMOOSVGDSpecialCases checks that a single particle takes MGDA's steps and that particles with equal losses move
// together. The median of an even number of distances is the mean of the middle two.
func TestMOOSVGDSpecialCases(t *testing.T) {
	p := newFonseca(t, 2, 0.1)
	start := []float64{0.9, 0.1}
	one := newSwarm(t, descent.MOOSVGDConfig{Problem: p, Starts: [][]float64{start}, StepSize: 0.2, Repulsion: 1, Seed: 4, StartIndex: 3})
	mgda := newRun(t, descent.MGDA(descent.Config{Problem: p, Start: start, StepSize: 0.2, Seed: 4, StartIndex: 3}))
	steps(t, one, 30)
	steps(t, mgda, 30)
	if !near(one.View().X, mgda.View().X, 1e-12) {
		t.Errorf("one particle ends at %v, MGDA at %v", one.View().X, mgda.View().X)
	}

	twins := newSwarm(t, descent.MOOSVGDConfig{Problem: bowls(t, 0), Starts: [][]float64{{0, 1}, {0, 1}}, StepSize: 0.1, Repulsion: 1})
	steps(t, twins, 1)
	if kernel, h := twins.Kernel(); h != 0 || !near(kernel, []float64{1, 1, 1, 1}, 0) ||
		!near(twins.View().Direction, []float64{-0.8, 2.4, -0.8, 2.4}, 1e-14) {
		t.Errorf("twins: kernel %v, bandwidth %v, directions %v", kernel, h, twins.View().Direction)
	}
	// Three of the six distances are 0, so the median is half the next distance.
	s := newSwarm(t, descent.MOOSVGDConfig{
		Problem: bowls(t, 0), Starts: [][]float64{{0, 1}, {0, 1}, {0, 1}, {0, 2}}, StepSize: 0.1, Repulsion: 1,
	})
	steps(t, s, 1)
	if _, h := s.Kernel(); math.Abs(h-11.25/4/math.Log(4)) > 1e-14 {
		t.Errorf("bandwidth %v, want %v", h, 11.25/4/math.Log(4))
	}
}

// TestMOOSVGDSpreads checks that weak repulsion spreads the particles along the front, whereas descent alone leaves
// them together. (With a = 1, repulsion drives particles to Fonseca's plateau, where gradients are too small to bring
// them back.)
func TestMOOSVGDSpreads(t *testing.T) {
	p := newFonseca(t, 2, 0)
	spread := func(a float64) (lo, hi, distance float64) {
		var starts [][]float64
		for i := range 8 {
			starts = append(starts, []float64{0.1 + 0.04*float64(i), 0.3 - 0.05*float64(i)})
		}
		s := newSwarm(t, descent.MOOSVGDConfig{Problem: p, Starts: starts, StepSize: 0.003, Repulsion: a})
		steps(t, s, 3000)
		v := s.View()
		lo = math.Inf(1)
		for i := range 8 {
			lo, hi = min(lo, v.F[2*i]), max(hi, v.F[2*i])
			distance = max(distance, p.DistanceToParetoSet(v.X[2*i:2*i+2]))
		}
		return lo, hi, distance
	}
	lo, hi, distance := spread(0.01)
	lo0, hi0, _ := spread(0)
	t.Logf("f1 from %.3f to %.3f, %.3g from the Pareto set; without repulsion from %.3f to %.3f", lo, hi, distance, lo0, hi0)
	if hi-lo < 0.8 || distance > 0.05 || hi0-lo0 > 0.1 {
		t.Errorf("f1 from %v to %v, %v from the Pareto set; without repulsion from %v to %v", lo, hi, distance, lo0, hi0)
	}
}

func TestMOOSVGDConformance(t *testing.T) {
	swarm := func(c descent.MOOSVGDConfig) func() algo.Stepper {
		return func() algo.Stepper { return newSwarm(t, c) }
	}
	base := descent.MOOSVGDConfig{
		Problem: newFonseca(t, 3, 0.1), Starts: [][]float64{{0.3, -0.8, 0.5}, {0.1, 0.2, 0.3}, {-0.5, 0.5, 0}, {0.2, 0.2, -0.1}},
		StepSize: 0.05, Repulsion: 0.3, Seed: 2,
	}
	diverging := descent.MOOSVGDConfig{Problem: bowls(t, 0), Starts: [][]float64{{0.3, 1}, {2, 1}}, StepSize: 7, Repulsion: 1}
	algotest.Stepper(t, swarm(base), swarm(diverging))
	adam := base
	adam.Optimizer = descent.DefaultAdam()
	adam.StepSizeSchedule = descent.Theorem35
	algotest.Stepper(t, swarm(adam))
	three := descent.MOOSVGDConfig{Problem: corners(t, 0.1), Starts: [][]float64{{2, 3}, {1, 0}, {0, 0}}, StepSize: 0.8,
		StepSizeSchedule: descent.Theorem37, Repulsion: 1}
	algotest.Stepper(t, swarm(three))
}

func TestMOOSVGDLiveChanges(t *testing.T) {
	c := descent.MOOSVGDConfig{Problem: bowls(t, 0), Starts: [][]float64{{0, 1}, {0, 2}}, StepSize: 0.1, Repulsion: 1}
	s := newSwarm(t, c)
	steps(t, s, 2)
	if err := s.SetRepulsion(0); err != nil {
		t.Fatal(err)
	}
	if err := s.SetStepSize(0.05); err != nil {
		t.Fatal(err)
	}
	var snap algo.Snapshot
	s.Save(&snap)
	steps(t, s, 3)
	other := newSwarm(t, c)
	other.Load(&snap)
	if kernel, _ := other.Kernel(); kernel != nil || other.Update() != nil {
		t.Error("a step is shown after Load")
	}
	steps(t, other, 3)
	if !near(other.View().X, s.View().X, 0) || other.Repulsion() != 0 || other.StepSize() != 0.05 || other.Particles() != 2 {
		t.Errorf("after Load a = %v, η = %v, x = %v, want 0, 0.05, %v", other.Repulsion(), other.StepSize(), other.View().X, s.View().X)
	}
	for _, err := range []error{s.SetRepulsion(-1), s.SetRepulsion(math.NaN()), s.SetStepSize(0)} {
		if err == nil {
			t.Error("a bad value is accepted")
		}
	}
}

// TestMOOSVGDJacobians checks that each particle's gradients use the same sample as in a run from the particle's start.
// Reading the gradients must cost nothing. Without a last step, Jacobian must return nil.
func TestMOOSVGDJacobians(t *testing.T) {
	const seed, first = 9, 4
	p := newFonseca(t, 2, 0.2)
	c := descent.MOOSVGDConfig{Problem: p, Starts: [][]float64{{0.3, -0.8}, {0.1, 0.2}, {-0.5, 0.5}}, StepSize: 0.1, Repulsion: 0.1,
		Seed: seed, StartIndex: first}
	s := newSwarm(t, c)
	if s.Jacobian(0) != nil {
		t.Error("there are gradients before the first step")
	}
	want := algo.NewJacobian(2, 2)
	for k := range 4 {
		x := slices.Clone(s.View().X)
		steps(t, s, 1)
		for i := range 3 {
			sample := algo.Sample{Noise: algo.Stream(seed, first+i, k, algo.Noise)}
			p.JacobianAt(want, x[2*i:2*i+2], &sample)
			if got := s.Jacobian(i); !near(got.Data, want.Data, 0) {
				t.Errorf("step %d, particle %d: gradients %v, want %v", k, i, got.Data, want.Data)
			}
		}
		if bp := s.View().Cost.Backpropagations; bp != 6*(k+1) {
			t.Errorf("%d backpropagations after %d steps", bp, k+1)
		}
	}
	var snap algo.Snapshot
	s.Save(&snap)
	s.Load(&snap)
	if s.Jacobian(1) != nil {
		t.Error("gradients are shown after Load")
	}
}

func TestNewMOOSVGDRefuses(t *testing.T) {
	for want, change := range map[string]func(*descent.MOOSVGDConfig){
		"problem is missing": func(c *descent.MOOSVGDConfig) { c.Problem = nil },
		"start 1[1] = 2: it must be in": func(c *descent.MOOSVGDConfig) {
			c.Problem = boxed{bowls(t, 0), []float64{-1, -1}, []float64{1, 1}}
		},
		"problem: bounds of x[0]": func(c *descent.MOOSVGDConfig) {
			c.Problem = boxed{bowls(t, 0), []float64{2, -1}, []float64{1, 1}}
		},
		"starts: there must":   func(c *descent.MOOSVGDConfig) { c.Starts = nil },
		"start 1 has length 1": func(c *descent.MOOSVGDConfig) { c.Starts = [][]float64{{0, 1}, {1}} },
		"must be finite":       func(c *descent.MOOSVGDConfig) { c.Starts = [][]float64{{0, math.NaN()}} },
		"eta = 0":              func(c *descent.MOOSVGDConfig) { c.StepSize = 0 },
		"repulsion a = -1":     func(c *descent.MOOSVGDConfig) { c.Repulsion = -1 },
		"step size schedule":   func(c *descent.MOOSVGDConfig) { c.StepSizeSchedule = "none" },
		"optimizer: clip norm": func(c *descent.MOOSVGDConfig) { c.Optimizer.ClipNorm = -1 },
	} {
		c := descent.MOOSVGDConfig{Problem: bowls(t, 0), Starts: [][]float64{{0, 1}, {0, 2}}, StepSize: 0.1, Repulsion: 1}
		change(&c)
		if _, err := descent.NewMOOSVGD(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

func BenchmarkMOOSVGD(b *testing.B) {
	var starts [][]float64
	for i := range 10 {
		sin, cos := math.Sincos(float64(i))
		starts = append(starts, []float64{sin, cos})
	}
	p, err := problem.NewFonseca(2, 0)
	if err != nil {
		b.Fatal(err)
	}
	s := newSwarm(b, descent.MOOSVGDConfig{Problem: p, Starts: starts, StepSize: 1e-6, Repulsion: 1})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Step(); err != nil {
			b.Fatal(err)
		}
	}
}

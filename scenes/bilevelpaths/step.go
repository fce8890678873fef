package bilevelpaths

import (
	"math"
	"slices"

	"paretoplay/algo"
	levels "paretoplay/algo/bilevel"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// vector is a point or a direction in the plane of ω.
type vector [2]float64

func (v vector) plus(u vector) vector              { return vector{v[0] + u[0], v[1] + u[1]} }
func (v vector) times(c float64) vector            { return vector{c * v[0], c * v[1]} }
func (v vector) distance(u vector) float64         { return portable.Hypot(v[0]-u[0], v[1]-u[1]) }
func space(alpha float64, omega vector) [3]float64 { return [3]float64{alpha, omega[0], omega[1]} }

// family groups methods whose steps are computed in the same way.
type family int

const (
	another        family = iota // any other method: only its loop and its step are known
	valueFunction                // FORUM and BOME: a constraint on q̃
	differentiated               // MOML and MoCo: hypergradients
	interiorPoint                // BVFIM: a barrier
)

func familyOf(method string) family {
	switch method {
	case twolevel.FORUM, twolevel.FORUMExact, twolevel.FORUMReleased, twolevel.BOME:
		return valueFunction
	case twolevel.MOML, twolevel.MoCo:
		return differentiated
	case twolevel.BVFIM:
		return interiorPoint
	}
	return another
}

// step holds one step of a run for the pictures, read from the run's stepper.
type step struct {
	run    timeline.Track
	family family
	k      int  // iteration at which the step starts
	made   bool // false if the step fails, so that only the loop is known

	alpha float64
	omega vector   // ω_k
	steps int      // T
	loop  []vector // ω̃^0 … ω̃^T; shorter if a point is not finite

	to      [3]float64    // z_{k+1}
	mu      [2]float64    // step sizes of α and of ω
	weights []float64     // weights that the step uses; nil if it uses none
	upper   [2][3]float64 // ∇F_i at the point that the method uses

	// These fields are for value functions. The barrier also uses q̃ and ν.
	slope      [3]float64 // ∇q̃
	q, phi, nu float64    // ν is 0 if the constraint is dropped
	pi         []float64  // nil if the constraint is dropped
	lambda     []float64  // λ before averaging; nil for methods without weights

	// These fields are for hypergradients.
	hyper [2]float64  // h_i
	back  [2][]vector // v_T … v_0 of each objective
	sums  [2]float64  // the vectors that the weights combine: h_i, or for MoCo the tracked y_i
	prior []float64   // MoCo's weights before the step

	bound float64 // the barrier's bound f_reg
}

// stepAt reads the step from iteration k of a run, or from its last iteration if k is later. It returns nil if the step
// cannot be read yet.
func (s *Scene) stepAt(r timeline.Track, k int) *step {
	t := &step{run: r, family: familyOf(r.Method), k: min(k, r.Last())}
	err := s.Timeline().Visit(r.Run, t.k+1, func(at algo.Stepper) { t.read(at.(levels.Stepper)) })
	switch {
	case err == nil:
		return t
	case timeline.NotNow(err):
		return nil
	}
	if err := s.Timeline().Visit(r.Run, t.k, func(at algo.Stepper) { t.readFailing(s.Timeline().Log(), at.(levels.Stepper)) }); err != nil {
		panic(err) // cannot fail: the run has already reached this iteration
	}
	return t
}

// begin sets the state at z_k, before the loop's first step.
func (t *step) begin(z []float64, steps int) {
	t.alpha, t.omega = z[0], vector(z[1:])
	t.steps, t.loop = steps, append(make([]vector, 0, steps+1), t.omega)
}

// readLoop reads the loop of the stepper's last step, even if the step failed.
func (t *step) readLoop(s levels.Stepper) {
	s.WalkLoop(func(i int, omega []float64) { t.loop = append(t.loop[:i], vector(omega)) })
}

// readFailing repeats the failing step from the stepper's iteration, and reads the loop up to the failure.
func (t *step) readFailing(log []timeline.Change, s levels.Stepper) {
	t.begin(s.View().X, 0)
	for _, c := range log {
		if c.K == t.k && t.run.Apply(c) != nil {
			return
		}
	}
	t.steps = s.Loop().Steps
	if _, err := s.Step(); err == nil {
		t.readLoop(s)
	}
}

// read reads the stepper's last step.
func (t *step) read(s levels.Stepper) {
	trace, v := s.Trace(), s.View()
	t.made = true
	t.begin(trace.From, trace.Loop.Steps)
	t.readLoop(s)
	t.to, t.weights = [3]float64(v.X), slices.Clone(v.Weights)
	t.mu = [2]float64{trace.StepSize, trace.OmegaStepSize}
	if jac := s.UpperJacobian(); jac != nil {
		for i := range t.upper {
			t.upper[i] = [3]float64(jac.Row(i))
		}
	}
	t.q, t.phi = trace.Q, trace.Phi
	if t.nu = trace.Nu; math.IsNaN(t.nu) {
		t.nu = 0
	}
	switch t.family {
	case valueFunction:
		t.slope = [3]float64(trace.QGradient)
		t.pi, t.lambda = slices.Clone(trace.Pi), slices.Clone(trace.Lambda)
		t.clearPull()
	case differentiated:
		t.readBack(s.(levels.Differentiating), trace)
	case interiorPoint:
		t.bound = trace.Barrier.Bound
	}
}

// clearPull sets ν to 0 if it is only rounding error compared with the goals' gradients, which may cancel.
func (t *step) clearPull() {
	goals := 0.0
	for _, g := range t.upper {
		goals = max(goals, portable.Length(g[:]))
	}
	if slope := portable.Length(t.slope[:]); slope > 0 {
		t.nu = timeline.Besides(t.nu, goals/slope)
	}
}

// readBack reads the hypergradients, and the backward pass through the loop.
func (t *step) readBack(s levels.Differentiating, trace levels.Trace) {
	for i := range t.hyper {
		t.back[i] = make([]vector, 0, t.steps+1)
		s.WalkBack(i, func(_ int, v []float64) { t.back[i] = append(t.back[i], vector(v)) })
		t.hyper[i] = trace.Hypergradients.Row(i)[0]
	}
	t.sums = t.hyper
	if t.run.Method == twolevel.MoCo {
		t.sums, t.prior = [2]float64(trace.Weighed.Data), slices.Clone(trace.Prior)
	}
}

// end returns ω̃^T, or the last point that the loop reached.
func (t *step) end() vector { return t.loop[len(t.loop)-1] }

// products returns the number of Hessian-vector products in n steps of the backward pass.
func (t *step) products(n int) int {
	return t.run.Stepper.(levels.Stepper).StepCost(n).HessianVectorProducts
}

// weighted returns Σ weights_i ∇F_i.
func (t *step) weighted(weights []float64) (sum [3]float64) {
	for i, w := range weights {
		for j, v := range t.upper[i] {
			sum[j] += float64(w * v)
		}
	}
	return sum
}

// dual returns the function that the weights (l, 1−l) minimise. For FORUM it is ½‖Σλ∇F + γ∇q̃‖² − γφ with γ = max(Σλπ, 0), or,
// as released, with a larger γ if that is better. For the other methods it is ½‖Σλh‖².
func (t *step) dual(l float64) float64 {
	weights := []float64{l, 1 - l}
	if t.family == differentiated {
		v := float64(l*t.sums[0]) + float64((1-l)*t.sums[1])
		return v * v / 2
	}
	gamma := 0.0
	sum := t.weighted(weights)
	if t.pi != nil {
		gamma = math.Max(float64(l*t.pi[0])+float64((1-l)*t.pi[1]), 0)
		// In the released version the constraint may be inactive.
		square, along := 0.0, 0.0
		for i, v := range t.slope {
			square, along = square+float64(v*v), along+float64(v*sum[i])
		}
		if free := (t.phi - along) / square; free > gamma*(1+1e-9) {
			gamma = free
		}
	}
	value := -gamma * t.phi
	for i, v := range sum {
		v += float64(gamma * t.slope[i])
		value += float64(v * v / 2)
	}
	return value
}

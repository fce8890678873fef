package bilevel

import (
	"math"
	"strconv"

	"paretoplay/algo"
	levels "paretoplay/algo/bilevel"
	"paretoplay/algo/descent"
	"paretoplay/scenes/race/twolevel"
	"paretoplay/scenes/timeline"
)

// vector is a point or a direction of the plane of ω.
type vector [2]float64

func (v vector) plus(u vector) vector              { return vector{v[0] + u[0], v[1] + u[1]} }
func (v vector) times(c float64) vector            { return vector{c * v[0], c * v[1]} }
func (v vector) distance(u vector) float64         { return math.Hypot(v[0]-u[0], v[1]-u[1]) }
func space(alpha float64, omega vector) [3]float64 { return [3]float64{alpha, omega[0], omega[1]} }

// family is what methods have in common in how they make a step.
type family int

const (
	valueFunction  family = iota // FORUM and BOME: a constraint on q̃
	differentiated               // MOML and MoCo: hypergradients
	interiorPoint                // BVFIM: a barrier
)

func familyOf(method string) family {
	switch method {
	case twolevel.MOML, twolevel.MoCo:
		return differentiated
	case twolevel.BVFIM:
		return interiorPoint
	}
	return valueFunction
}

// step is one step of a run taken apart: its arithmetic, redone from what is
// recorded of it.
type step struct {
	run       timeline.Track
	family    family
	row, next timeline.Row
	made      bool // the run can make the step: what follows the loop is known

	alpha float64
	omega vector // ω_k
	steps int    // T
	eta   float64
	mu    [2]float64 // of α and of ω
	loop  []vector   // ω̃^0 … ω̃^T, shorter where it stops being finite

	upper [2][3]float64 // ∇F_i, where the method takes it

	// Of a value function.
	slope      [3]float64 // ∇q̃
	q, phi, nu float64    // ν is 0 where the constraint is dropped
	pi         []float64  // nil there
	lambda     []float64  // λ before it is averaged; nil for a method without weights

	// Of hypergradients.
	hyper [2]float64  // h_i
	back  [2][]vector // v_T … v_0 of each objective
	sums  [2]float64  // what is weighed: h_i, or MoCo's tracked y_i
	prior []float64   // MoCo's weights before the step
	slack float64     // of the barrier: f_reg − f at ω_{k+1}
	bound float64     // f_reg
}

// stepAt takes the step away from iteration k of a run apart.
func (s *Scene) stepAt(r timeline.Track, k int) *step {
	out := &step{run: r, family: familyOf(r.Method)}
	out.row, out.next, out.made = s.Timeline().Ahead(r.Run, k)
	z := out.row.X
	out.alpha, out.omega = z[0], vector{z[1], z[2]}
	k = out.row.K
	out.steps, out.eta = int(s.liveAt("T", k)), s.liveAt("eta", k)
	out.runLoop(s)
	if !out.made || len(out.loop) <= out.steps {
		out.made = false
		return out
	}
	out.mu = [2]float64{out.row.StepSize, out.row.StepSize}
	if s.values.MuOmega > 0 {
		out.mu[1] = s.values.MuOmega
	}
	switch out.family {
	case valueFunction:
		out.constrain(s)
	case differentiated:
		out.differentiate(s)
	case interiorPoint:
		out.enclose(s)
	}
	return out
}

// liveAt is what a parameter that changes while the runs go on was in the step away
// from iteration k.
func (s *Scene) liveAt(name string, k int) float64 {
	value := s.first[name]
	for _, c := range s.Timeline().Log() {
		if c.Name == name && c.K <= k {
			v, err := strconv.ParseFloat(c.Text, 64)
			if err != nil {
				panic("bilevel: the log has " + name + " = " + c.Text)
			}
			value = v
		}
	}
	return value
}

// runLoop makes the T steps of the lower level.
func (t *step) runLoop(s *Scene) {
	omega := t.omega
	if !s.values.Warm {
		omega = vector{t.run.Start()[1], t.run.Start()[2]}
	}
	regularization := 0.0
	if t.family == interiorPoint {
		regularization = s.shrunk(t.row.K) * s.values.BVFIM.Regularization
	}
	motion, err := descent.NewMotion(t.run.Stepper.(levels.Stepper).Loop().Optimizer, 2)
	if err != nil {
		panic(err) // the stepper has it
	}
	gradient := make([]float64, 2)
	t.loop = append(make([]vector, 0, t.steps+1), omega)
	for range t.steps {
		s.problem.LowerGradientOmega(gradient, t.at(omega))
		for i, v := range omega {
			gradient[i] += regularization * v
		}
		moved := motion.Move(gradient)
		omega = omega.plus(vector{moved[0], moved[1]}.times(-t.eta))
		if !algo.Finite(omega[:]) {
			return
		}
		t.loop = append(t.loop, omega)
	}
}

// at is the point (α_k, ω).
func (t *step) at(omega vector) []float64 { return []float64{t.alpha, omega[0], omega[1]} }

// end is ω̃^T, or as far as the loop came.
func (t *step) end() vector { return t.loop[len(t.loop)-1] }

// constrain finds ∇q̃ and ∇F at z_k, and what the step made of them.
func (t *step) constrain(s *Scene) {
	z := t.at(t.omega)
	t.takeUpper(s, z)
	gradient, solved := make([]float64, 3), make([]float64, 3)
	s.problem.LowerGradient(gradient, z)
	s.problem.LowerGradient(solved, t.at(t.end()))
	gradient[0] -= solved[0]
	t.slope = [3]float64(gradient)
	t.q, t.phi = t.row.Number(twolevel.Q), t.row.Number(twolevel.Phi)
	if t.nu = t.row.Number(twolevel.Nu); math.IsNaN(t.nu) {
		t.nu = 0
	}
	t.pi = t.row.List(twolevel.Pi)
	t.lambda = t.row.List(twolevel.Lambda)
}

func (t *step) takeUpper(s *Scene, z []float64) {
	jac := algo.NewJacobian(2, 3)
	s.problem.Jacobian(jac, z)
	for i := range t.upper {
		t.upper[i] = [3]float64(jac.Row(i))
	}
}

// differentiate goes back through the loop for the hypergradients.
func (t *step) differentiate(s *Scene) {
	t.takeUpper(s, t.at(t.end()))
	alpha, omega := make([]float64, 1), make([]float64, 2)
	for i, g := range t.upper {
		h, v := g[0], vector{g[1], g[2]}
		t.back[i] = append(make([]vector, 0, t.steps+1), v)
		for k := t.steps - 1; k >= 0; k-- {
			z := t.at(t.loop[k])
			s.problem.HessianAlphaOmega(alpha, z, v[:])
			s.problem.HessianOmegaOmega(omega, z, v[:])
			h -= t.eta * alpha[0]
			v = v.plus(vector{omega[0], omega[1]}.times(-t.eta))
			t.back[i] = append(t.back[i], v)
		}
		t.hyper[i] = h
	}
	t.sums = t.hyper
	if t.run.Method != twolevel.MoCo {
		return
	}
	t.sums = [2]float64(t.next.Value(trackedName))
	t.prior = []float64{0.5, 0.5}
	if t.row.K > 0 {
		row, _, _ := s.Timeline().Ahead(t.run.Run, t.row.K-1)
		t.prior = row.Weights
	}
}

// enclose finds how far the barrier reaches.
func (t *step) enclose(s *Scene) {
	t.nu = t.row.Number(twolevel.Nu)
	t.q = t.row.Number(twolevel.Q)
	t.slack = s.shrunk(t.row.K) * s.values.BVFIM.Tau / t.nu
	t.bound = s.problem.Lower(t.at(vector{t.next.X[1], t.next.X[2]})) + t.slack
}

// shrunk is the factor of BVFIM's constants in step k, which stops shrinking where
// the method does.
func (s *Scene) shrunk(k int) float64 {
	const least = 1e-6
	return math.Max(math.Pow(s.values.BVFIM.Shrink, float64(k)), least)
}

// weighted is Σ weights_i ∇F_i.
func (t *step) weighted(weights []float64) (sum [3]float64) {
	for i, w := range weights {
		for j, v := range t.upper[i] {
			sum[j] += w * v
		}
	}
	return sum
}

// landing is z_{k+1} by the step's own arithmetic, for plain steps.
func (t *step) landing() [3]float64 {
	weights := t.row.Weights
	switch t.family {
	case differentiated:
		alpha := t.alpha - t.mu[0]*(weights[0]*t.sums[0]+weights[1]*t.sums[1])
		return space(alpha, t.end())
	case valueFunction:
		d := t.weighted(weights)
		z := space(t.alpha, t.omega)
		for i := range z {
			mu := t.mu[min(i, 1)]
			z[i] -= mu * (d[i] + t.nu*t.slope[i])
		}
		return z
	}
	return [3]float64(t.next.X) // BVFIM's ω comes from another loop
}

// dual is what the weights (l, 1−l) are chosen by: for FORUM
// ½‖Σλ∇F + γ∇q̃‖² − γφ with γ = max(Σλπ, 0), for the others ½‖Σλh‖².
func (t *step) dual(l float64) float64 {
	weights := []float64{l, 1 - l}
	if t.family == differentiated {
		v := l*t.sums[0] + (1-l)*t.sums[1]
		return v * v / 2
	}
	gamma := 0.0
	if t.pi != nil {
		gamma = math.Max(l*t.pi[0]+(1-l)*t.pi[1], 0)
	}
	value := -gamma * t.phi
	for i, v := range t.weighted(weights) {
		v += gamma * t.slope[i]
		value += v * v / 2
	}
	return value
}

package descent

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/internal/box"
	"paretoplay/algo/internal/choice"
	"paretoplay/algo/internal/ledger"
	"paretoplay/algo/weighting"
	"paretoplay/internal/portable"
)

// DefaultRepulsion is the strength a of the repulsion in the paper on MOO-SVGD. If losses are bounded above, as in
// Fonseca's problem, this strength drives particles to regions with vanishing gradients. A strength of about 0.01
// spreads them along the front.
const DefaultRepulsion = 1

// MOOSVGDConfig configures a MOO-SVGD run. Problem, Starts and StepSize are required.
type MOOSVGDConfig struct {
	Problem algo.Sampled // algo.Exact converts an algo.Problem without samples
	// Starts holds the initial particles: at least one, each of length n and inside the problem's box. NewMOOSVGD
	// copies them.
	Starts [][]float64

	// Repulsion is a ≥ 0, the strength with which particles with similar losses repel each other. With 0, particles
	// only share their descent directions.
	Repulsion float64

	// StepSize is the constant η > 0 of the schedule. The following fields configure the schedule: see Config.
	StepSize         float64
	StepSizeSchedule Schedule
	Horizon          int
	Lipschitz        float64
	StrongConvexity  float64

	// Optimizer computes the update from all directions, taken as one vector. The zero value subtracts the
	// directions.
	Optimizer Optimizer

	// Particle j draws the sample of step t from algo.Stream(Seed, StartIndex+j, t, algo.Noise), like a run from the
	// particle's start.
	Seed       uint64
	StartIndex int
}

// MOOSVGD moves P particles so that together they cover the Pareto front. Each particle follows the descent
// directions of all particles, weighted by the similarity of their losses. Particles with similar losses repel each
// other:
//
//	φ_i = Σ_j [k(F_i, F_j)·g*_j − a·∇_{x_j} k(F_j, F_i)],   x_i ← x_i − η·φ_i
//
// F_j are the losses and g*_j is the MGDA direction of particle j. The kernel is k(u, v) = exp(−‖u−v‖²/h) with h =
// med²/log P, where med is the median distance between the losses of two particles. The gradient treats h as a
// constant and is −(2/h)·k·G_jᵀ(F_j − F_i). If med is 0, the kernel is 1 between equal losses and 0 otherwise, and
// there is no repulsion. A single particle takes MGDA steps.
//
// On an algo.Bounded problem, the gradients and φ_i of each particle are reduced at its point (see
// algo.Jacobian.Reduce), and particles are moved to the nearest point of the box.
//
// A step costs one backpropagation for each objective and particle.
//
// References:
//   - Liu, Tong & Liu (2021), Profiling Pareto front with multi-objective Stein
//     variational gradient descent, NeurIPS 34, equation (9) and Algorithm 1.
type MOOSVGD struct {
	problem    algo.Sampled
	n, m, p    int // numbers of variables, objectives and particles
	box        *box.Box
	rule       *weighting.MGDA
	seed       uint64
	startIndex int
	repulsion  float64
	stepSizes  stepSizes

	// These fields are the state.
	ledger ledger.Ledger[quantity]
	x, f   []float64 // one row per particle
	motion Motion

	// These fields describe the last step, for View.
	lastStepSize float64
	lambda       []float64 // MGDA weights, one row per particle
	phi          []float64 // directions, one row per particle
	kernel       []float64 // P×P
	bandwidth    float64

	// These fields are scratch space.
	candidate, candidateF []float64
	jacobians             []*algo.Jacobian
	losses                []float64 // losses on the samples, one row per particle
	distances             []float64
	coefficients, term    []float64
	sample                algo.Sample
	input                 algo.Input
	result                algo.Result
}

var _ algo.Stepper = (*MOOSVGD)(nil)

// NewMOOSVGD returns a run at its start. An error names the invalid field of the configuration, the value and the
// allowed values.
func NewMOOSVGD(c MOOSVGDConfig) (made *MOOSVGD, err error) {
	defer func() { err = choice.Field(err, configFields) }()
	if algo.Missing(c.Problem) {
		return nil, algo.ErrNoProblem
	}
	if len(c.Starts) == 0 {
		return nil, &algo.RangeError{
			Name: "starts", Value: c.Starts, Allowed: "there must be at least one particle", Text: "starts: there must be at least one particle",
		}
	}
	n, m := c.Problem.Dims()
	bounds, err := box.Of(c.Problem, n)
	if err != nil {
		return nil, err
	}
	p := len(c.Starts)
	s := &MOOSVGD{
		problem: c.Problem, n: n, m: m, p: p, box: bounds, rule: weighting.NewMGDA(weighting.NormalizeNone),
		seed: c.Seed, startIndex: c.StartIndex,
		stepSizes: stepSizes{
			schedule: c.StepSizeSchedule, horizon: c.Horizon, lipschitz: c.Lipschitz, strongConvexity: c.StrongConvexity,
		},
		f: make([]float64, p*m), lambda: make([]float64, p*m), phi: make([]float64, p*n), kernel: make([]float64, p*p),
		candidate: make([]float64, p*n), candidateF: make([]float64, p*m), losses: make([]float64, p*m),
		distances: make([]float64, p*(p-1)/2), coefficients: make([]float64, m), term: make([]float64, n),
	}
	for i, start := range c.Starts {
		name := fmt.Sprintf("start %d", i)
		if err := checkLength(name, start, n); err != nil {
			return nil, err
		}
		if err := bounds.Admit(name, start); err != nil {
			return nil, err
		}
		s.x = append(s.x, start...)
		s.jacobians = append(s.jacobians, algo.NewJacobian(m, n))
	}
	if err := s.stepSizes.check(c.Problem); err != nil {
		return nil, err
	}
	if err := s.SetStepSize(c.StepSize); err != nil {
		return nil, err
	}
	if err := s.SetRepulsion(c.Repulsion); err != nil {
		return nil, err
	}
	if s.motion, err = NewMotion(c.Optimizer, p*n); err != nil {
		return nil, err
	}
	s.values(s.f, s.x)
	if !algo.Finite(s.x) || !algo.Finite(s.f) {
		return nil, refusedValue("starts", c.Starts, fmt.Sprintf("the points and their values %v must be finite", s.f))
	}
	return s, nil
}

// row returns row i of data, which consists of rows of the given length.
func row(data []float64, i, length int) []float64 {
	return data[i*length : (i+1)*length : (i+1)*length]
}

// values stores in f the noise-free losses of the particles x.
func (s *MOOSVGD) values(f, x []float64) {
	for i := range s.p {
		s.problem.Values(row(f, i, s.m), row(x, i, s.n))
	}
}

// SetStepSize sets the constant η > 0 of the step size schedule from the next step on.
func (s *MOOSVGD) SetStepSize(eta float64) error { return s.stepSizes.set(eta) }

// SetRepulsion sets the strength a ≥ 0 of the repulsion from the next step on.
func (s *MOOSVGD) SetRepulsion(a float64) error {
	if !(a >= 0) || math.IsInf(a, 1) {
		return &algo.RangeError{Name: "repulsion a", Value: a, Allowed: "it must be finite and not negative"}
	}
	s.repulsion = a
	return nil
}

// StepSize returns the constant η (or c) of the step size schedule.
func (s *MOOSVGD) StepSize() float64 { return s.stepSizes.constant }

// Repulsion returns a.
func (s *MOOSVGD) Repulsion() float64 { return s.repulsion }

// Step moves all particles. It returns Running, or Diverged once the run has diverged.
func (s *MOOSVGD) Step() (algo.Status, error) {
	if s.ledger.Diverged() {
		return algo.Diverged, nil
	}
	for i := range s.p {
		if failed, err := s.evaluate(i); err != nil {
			return algo.Running, fmt.Errorf("iteration %d, particle %d: %w", s.ledger.K, i, err)
		} else if failed != nothing {
			return s.fail(failed, i), nil
		}
	}
	s.compare()
	for i := range s.p {
		s.direct(i)
	}
	if !algo.Finite(s.phi) {
		return s.ledger.Fail(direction), nil
	}
	if !algo.Finite(s.motion.Move(s.phi)) {
		return s.ledger.Fail(update), nil
	}
	eta := s.stepSizes.at(s.ledger.K)
	for i, v := range s.x {
		s.candidate[i] = v - float64(eta*s.motion.last[i])
	}
	if !algo.Finite(s.candidate) {
		return s.ledger.Fail(iterate), nil
	}
	for i := range s.p {
		s.box.Project(row(s.candidate, i, s.n))
	}
	s.values(s.candidateF, s.candidate)
	if !algo.Finite(s.candidateF) {
		return s.ledger.FailIn(objective, s.candidateF, s.m, 1), nil
	}
	s.x, s.candidate = s.candidate, s.x
	s.f, s.candidateF = s.candidateF, s.f
	s.lastStepSize = eta
	s.ledger.Gradients(s.p*s.m, s.n)
	s.ledger.Commit()
	return algo.Running, nil
}

// fail ends the run because a quantity of particle i is not finite.
func (s *MOOSVGD) fail(q quantity, i int) algo.Status {
	switch q {
	case gradient:
		return s.ledger.FailIn(q, s.jacobians[i].Data, s.m, s.n)
	case losses:
		return s.ledger.FailIn(q, row(s.losses, i, s.m), s.m, 1)
	}
	return s.ledger.Fail(q)
}

// evaluate computes the sampled losses and gradients of particle i, and stores its weights.
func (s *MOOSVGD) evaluate(i int) (quantity, error) {
	s.sample.Noise = algo.Stream(s.seed, s.startIndex+i, s.ledger.K, algo.Noise)
	x, f, jac := row(s.x, i, s.n), row(s.losses, i, s.m), s.jacobians[i]
	s.problem.JacobianAt(jac, x, &s.sample)
	if !algo.Finite(jac.Data) {
		return gradient, nil
	}
	s.box.Reduce(jac, x)
	s.problem.ValuesAt(f, x, &s.sample)
	if !algo.Finite(f) {
		return losses, nil
	}
	s.input.SetGradients(jac)
	s.result = algo.Result{Weights: row(s.lambda, i, s.m)}
	if err := s.rule.Weigh(&s.result, &s.input); err != nil {
		return nothing, err
	}
	if s.result.Status == algo.Diverged {
		return weights, nil
	}
	return nothing, nil
}

// compare stores the bandwidth and the kernel of the sampled losses.
func (s *MOOSVGD) compare() {
	pair := 0
	for i := range s.p {
		s.kernel[i*s.p+i] = 0
		for j := range i {
			var squares float64
			for o, v := range row(s.losses, i, s.m) {
				d := v - s.losses[j*s.m+o]
				squares += float64(d * d)
			}
			s.kernel[i*s.p+j], s.kernel[j*s.p+i] = squares, squares
			s.distances[pair] = math.Sqrt(squares)
			pair++
		}
	}
	s.bandwidth = 0
	if s.p > 1 {
		slices.Sort(s.distances)
		half := len(s.distances) / 2
		median := s.distances[half]
		if len(s.distances)%2 == 0 {
			median = (s.distances[half-1] + median) / 2
		}
		s.bandwidth = median * median / portable.Log(float64(s.p))
	}
	for i, squares := range s.kernel {
		switch {
		case squares == 0:
			s.kernel[i] = 1
		case s.bandwidth == 0:
			s.kernel[i] = 0
		default:
			s.kernel[i] = portable.Exp(-squares / s.bandwidth)
		}
	}
}

// direct stores φ_i, as Σ_j G_jᵀ(k·λ_j + a·(2/h)·k·(F_j − F_i)).
func (s *MOOSVGD) direct(i int) {
	phi, own := row(s.phi, i, s.n), row(s.losses, i, s.m)
	clear(phi)
	for j := range s.p {
		k := s.kernel[i*s.p+j]
		var push float64
		if s.bandwidth > 0 {
			push = s.repulsion * 2 / s.bandwidth * k
		}
		for o, f := range row(s.losses, j, s.m) {
			s.coefficients[o] = k * s.lambda[j*s.m+o]
			if d := f - own[o]; d != 0 {
				s.coefficients[o] += float64(push * d)
			}
		}
		s.jacobians[j].Combine(s.term, s.coefficients)
		for c, v := range s.term {
			phi[c] += v
		}
	}
	s.box.ReduceOne(phi, row(s.x, i, s.n))
}

// View describes the current iterate and the last step. X, F, Weights (of each particle's MGDA direction) and
// Direction (φ) have one row per particle. Use the method Jacobian for the Jacobians of the particles. After Load,
// and once the run has diverged, there is no last step.
func (s *MOOSVGD) View() algo.View {
	v := s.ledger.View()
	v.Solutions, v.X, v.F = s.p, s.x, s.f
	if s.ledger.Stepped {
		v.Weights, v.Direction, v.StepSize, v.Refreshed = s.lambda, s.phi, s.lastStepSize, true
	}
	return v
}

// Jacobian returns the gradients that the last step evaluated at particle i, before it moved. It returns nil if the
// View has no direction. The Jacobian belongs to the stepper and is valid until the next Step or Load.
func (s *MOOSVGD) Jacobian(i int) *algo.Jacobian {
	if !s.ledger.Stepped {
		return nil
	}
	return s.jacobians[i]
}

// Particles returns the number of particles.
func (s *MOOSVGD) Particles() int { return s.p }

// Kernel returns the matrix k(F_i, F_j) of the last step, P×P in row-major order, and its bandwidth h. The bandwidth
// is 0 if the median distance is 0 or if there is only one particle. Kernel returns nil if the View has no direction.
// The slice is valid until the next Step or Load.
func (s *MOOSVGD) Kernel() (kernel []float64, bandwidth float64) {
	if !s.ledger.Stepped {
		return nil, 0
	}
	return s.kernel, s.bandwidth
}

// Update returns the optimizer's update for View().Direction: see PSMGD.Update.
func (s *MOOSVGD) Update() []float64 {
	if !s.ledger.Stepped {
		return nil
	}
	return s.motion.last
}

// Save appends particles, optimizer, cost, live settings and divergence.
func (s *MOOSVGD) Save(to *algo.Snapshot) {
	s.ledger.Save(to)
	to.PutFloats(s.stepSizes.constant, s.repulsion)
	to.PutFloats(s.x...)
	s.motion.Save(to)
}

// Load restores the state that Save appended. The stepper must have the same configuration, except for live settings.
func (s *MOOSVGD) Load(from *algo.Snapshot) {
	s.ledger.Load(from)
	s.stepSizes.constant, s.repulsion = from.GetFloat(), from.GetFloat()
	from.GetFloats(s.x)
	s.motion.Load(from)
	s.values(s.f, s.x)
}

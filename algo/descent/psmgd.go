package descent

import (
	"errors"
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/weighting"
)

const (
	// DefaultPeriod is the refresh period R that suits small problems.
	DefaultPeriod = 4
	// DefaultCRMOGMMomentum is the momentum of CRMOGM where none is given.
	DefaultCRMOGMMomentum = 0.9

	fixedWeightsTolerance = 1e-9 // on the sum of FixedWeights
)

// Config is what a PSMGD run is made of.
type Config struct {
	Problem algo.Sampled // unconstrained: one that is algo.Bounded is refused
	Start   []float64    // x_0, copied; length n, with finite values

	// Weighting decides λ̂_t at a refresh, nil for MGDA. The stepper owns it: its
	// history is part of the run.
	Weighting algo.Weighting
	// FixedWeights, where not nil, is a point λ of the simplex that is never
	// refreshed: linear scalarization. It excludes Weighting, Period, Momentum
	// and MomentumSchedule.
	FixedWeights []float64

	Period int // R ≥ 1, steps from one refresh of the weights to the next

	// StepSize is η > 0, the constant of the schedule: c under Theorem37 and
	// AsPrinted. Theorem36 has no constant; it must be positive all the same.
	StepSize         float64
	StepSizeSchedule Schedule
	// Momentum is α in [0, 1), used by the Constant schedule only.
	Momentum         float64
	MomentumSchedule Schedule

	// Horizon is T ≥ 1, the planned number of steps, used by AsPrinted only.
	Horizon int
	// Lipschitz is L > 0, a common Lipschitz constant of the gradients, used by
	// Theorem37 only; 0 takes it from the problem's method Lipschitz() float64.
	Lipschitz float64
	// StrongConvexity is μ > 0, a common constant of strong convexity, used by
	// Theorem37 only, to require c > 1/(2μ); 0 takes it from the problem's method
	// StrongConvexity() float64. A problem without either is not known to be
	// strongly convex: any c is accepted, and the theorem does not apply.
	StrongConvexity float64

	// Optimizer is what is made of a direction before it is subtracted; the zero
	// value follows it as it is. The theorems behind the schedules are about that.
	Optimizer Optimizer

	// Batch is b_0 ≥ 1: step t sees min(N, b_0·(t+1)) of the N examples of the
	// problem, which must be a FiniteSum. 0 makes no batches.
	Batch int

	// Step t draws its sample from algo.Stream(Seed, StartIndex, t, algo.Noise).
	Seed       uint64
	StartIndex int
}

// MGDA returns c as the multiple-gradient descent algorithm: weights refreshed in
// every step, no momentum. A Weighting in c is kept, so that it can be MGDA with
// normalized gradients.
func MGDA(c Config) Config {
	c.FixedWeights = nil
	c.Period, c.Momentum, c.MomentumSchedule = 1, 0, Constant
	return c
}

// CRMOGM returns c as CR-MOGM (Zhou et al. 2022): weights refreshed in every
// step, with momentum; a momentum of 0 stands for DefaultCRMOGMMomentum.
func CRMOGM(c Config) Config {
	c.FixedWeights = nil
	c.Period = 1
	if c.Momentum == 0 {
		c.Momentum = DefaultCRMOGMMomentum
	}
	return c
}

// LinearScalarization returns c as gradient descent on the sum of the objectives
// with the given fixed weights.
func LinearScalarization(c Config, weights []float64) Config {
	c.Weighting, c.FixedWeights = nil, weights
	c.Period, c.Momentum, c.MomentumSchedule = 0, 0, Constant
	return c
}

// SMG returns c as the stochastic multi-gradient method (Liu & Vicente 2021): MGDA
// on batches that grow; a Batch of 0 stands for weighting.DefaultBatchSize.
func SMG(c Config) Config {
	c = MGDA(c)
	c.Weighting = weighting.NewSMG()
	if c.Batch == 0 {
		c.Batch = weighting.DefaultBatchSize
	}
	return c
}

// quantity names what was not finite; words in a snapshot are its values.
type quantity int

const (
	nothing quantity = iota
	gradient
	gramian
	losses
	weights
	direction
	update
	iterate
	objective
)

var quantityNames = [...]string{"", "gradient", "Gramian", "losses", "weights", "direction", "update", "iterate", "objective"}

// PSMGD is periodic stochastic multi-gradient descent. In step t, on one sample
// ξ_t,
//
//	t mod R = 0:  λ̂_t = argmin_{λ∈Δ} ‖G(x_t, ξ_t)ᵀλ‖²  (or what another weighting decides)
//	              λ_t = α_t λ_{t−R} + (1−α_t) λ̂_t, λ_0 = λ̂_0
//	otherwise:    λ_t = λ_{t−1}
//	x_{t+1} = x_t − η_t Σ_s λ_{t,s} ∇f_s(x_t, ξ_t)
//
// where an Optimizer may make something else of the sum in the last line.
//
// A refresh costs one backpropagation for each of the S objectives, a step
// between refreshes one in all: ⌈T/R⌉·S + (T − ⌈T/R⌉) for T steps. MGDA is R = 1
// with α = 0, CR-MOGM is R = 1 with α > 0, linear scalarization is a λ that is
// never refreshed.
//
// The period can change while the run goes on: whether step t refreshes is
// decided by t mod R with the R then in force, and λ_{t−R} is always the weights
// used last. A step whose weighting has no solution leaves x where it is and
// keeps the weights used last, and if there are none yet the next step
// refreshes, whatever t mod R is.
//
// With R = 1 and α_t = 0 a weighting's own direction is followed, so that rules
// whose direction is not Gᵀλ, or that have no weights, can be run. With a longer
// period or with momentum the direction is always Gᵀλ_t.
//
// References:
//   - Algorithm 1 of "PSMGD: Periodic Stochastic Multi-Gradient Descent for Fast
//     Multi-Objective Optimization". Its equation (2) omits λ ≥ 0, its line 4
//     states it.
//   - Désidéri (2012), Comptes Rendus Mathematique 350 (MGDA).
//   - Zhou et al. (2022), NeurIPS 35 (CR-MOGM).
type PSMGD struct {
	problem    algo.Sampled
	weighting  algo.Weighting // nil with fixed weights
	observer   algo.Observer  // the weighting, where it observes losses
	needs      algo.Needs
	hasWeights bool // the weighting decides weights, not only a direction
	n, m       int

	// Settings that live changes act on.
	period    int
	momentum  float64
	stepSizes stepSizes

	momentumSchedule Schedule
	seed             uint64
	startIndex       int

	// The state.
	k        int
	x, f     []float64
	lambda   []float64 // the weights used last, when weighted
	weighted bool
	motion   Motion
	cost     algo.Cost
	failed   quantity // what was not finite in the step from k

	// The last step, for View; stepped is false at the start and after a Load.
	stepped      bool
	refreshed    bool
	noWeights    bool // the last step had no weights
	lastStepSize float64

	// Scratch space.
	candidate, candidateF []float64
	direction             []float64
	decided               []float64 // λ̂
	mixed                 []float64 // λ before it is committed
	jacobian              *algo.Jacobian
	sample, extraSample   algo.Sample
	batches, extraBatches batches
	input                 algo.Input
	result                algo.Result
	before, after         []float64
}

var _ algo.Stepper = (*PSMGD)(nil)

// NewPSMGD returns a run at its start. An error names the field of the
// configuration, its value and what is allowed.
func NewPSMGD(c Config) (*PSMGD, error) {
	if c.Problem == nil {
		return nil, errors.New("problem: there must be one")
	}
	if _, bounded := c.Problem.(algo.Bounded); bounded {
		return nil, errors.New("problem: it has bounds, and PSMGD is for unconstrained problems: its steps would leave the box")
	}
	n, m := c.Problem.Dims()
	if len(c.Start) != n {
		return nil, fmt.Errorf("start has length %d: it must have the length %d of the problem's variables", len(c.Start), n)
	}
	s := &PSMGD{
		problem: c.Problem, n: n, m: m,
		stepSizes: stepSizes{
			schedule: c.StepSizeSchedule, horizon: c.Horizon, lipschitz: c.Lipschitz, strongConvexity: c.StrongConvexity,
		},
		momentumSchedule: c.MomentumSchedule,
		seed:             c.Seed, startIndex: c.StartIndex,
		x: append([]float64(nil), c.Start...), f: make([]float64, m), lambda: make([]float64, m),
		candidate: make([]float64, n), candidateF: make([]float64, m), direction: make([]float64, n),
		decided: make([]float64, m), mixed: make([]float64, m), jacobian: algo.NewJacobian(m, n),
	}
	if err := s.stepSizes.check(c.Problem); err != nil {
		return nil, err
	}
	if !s.momentumSchedule.valid() {
		return nil, fmt.Errorf("momentum schedule %v: must be one of %v", s.momentumSchedule, scheduleNames)
	}
	if err := s.SetStepSize(c.StepSize); err != nil {
		return nil, err
	}
	var err error
	if s.motion, err = NewMotion(c.Optimizer, n); err != nil {
		return nil, err
	}
	for _, b := range []*batches{&s.batches, &s.extraBatches} {
		if err := b.prepare(c.Problem, c.Batch); err != nil {
			return nil, err
		}
	}
	s.problem.Values(s.f, s.x)
	if !algo.Finite(s.x) || !algo.Finite(s.f) {
		return nil, fmt.Errorf("start %v: the point and its values %v must be finite", c.Start, s.f)
	}
	if c.FixedWeights != nil {
		if err := s.setFixedWeights(&c); err != nil {
			return nil, err
		}
		return s, nil
	}
	if err := s.setWeighting(c.Weighting); err != nil {
		return nil, err
	}
	if err := s.SetMomentum(c.Momentum); err != nil {
		return nil, err
	}
	if err := s.SetPeriod(c.Period); err != nil {
		return nil, err
	}
	if s.momentumSchedule != Constant && !s.hasWeights {
		return nil, fmt.Errorf("momentum schedule %v: the weighting decides a direction and has no weights to smooth; it must be %v",
			s.momentumSchedule, Constant)
	}
	return s, nil
}

func (s *PSMGD) setFixedWeights(c *Config) error {
	if c.Weighting != nil || c.Period != 0 || c.Momentum != 0 || c.MomentumSchedule != Constant {
		return errors.New("fixed weights are never refreshed: weighting, period, momentum and its schedule must be left out")
	}
	if len(c.FixedWeights) != s.m {
		return fmt.Errorf("fixed weights %v: there must be one for each of the %d objectives", c.FixedWeights, s.m)
	}
	var sum float64
	for i, w := range c.FixedWeights {
		if !(w >= 0) {
			return fmt.Errorf("fixed weight %d = %v: it must be in [0, 1]", i, w)
		}
		sum += w
	}
	if !(math.Abs(sum-1) <= fixedWeightsTolerance) {
		return fmt.Errorf("fixed weights %v: their sum is %v, it must be 1", c.FixedWeights, sum)
	}
	copy(s.lambda, c.FixedWeights)
	s.weighted = true
	return nil
}

// setWeighting takes w, or MGDA, and asks it about made-up gradients to learn
// whether it has weights. What the question changed in it is put back.
func (s *PSMGD) setWeighting(w algo.Weighting) error {
	if w == nil {
		w = weighting.NewMGDA(weighting.NormalizeNone)
	}
	s.weighting, s.needs = w, w.Needs()
	if s.needs.After {
		observer, ok := w.(algo.Observer)
		if !ok {
			return errors.New("weighting: it needs the losses after a step and is no Observer")
		}
		s.observer = observer
		s.before, s.after = make([]float64, s.m), make([]float64, s.m)
	}
	// The rows are at hand, and sharpen the last digits of rules that could do
	// with the Gramian.
	s.input = algo.Input{Gram: make([]float64, s.m*s.m), Jacobian: s.jacobian}
	if s.needs.Losses {
		s.input.Losses = append([]float64(nil), s.f...)
	}
	// Gradients of positive entries pull together, so that rules which have no
	// solution at Pareto-stationary points have one here.
	for i := range s.jacobian.Data {
		s.jacobian.Data[i] = 1 + 0.5*math.Sin(float64(i))
	}
	for range s.needs.Extra {
		extra := algo.NewJacobian(s.m, s.n)
		copy(extra.Data, s.jacobian.Data)
		s.input.Extra = append(s.input.Extra, extra)
	}
	s.jacobian.Gram(s.input.Gram)
	var history algo.Snapshot
	w.Save(&history)
	s.result.Weights, s.result.Direction = s.decided, nil
	if err := w.Weigh(&s.result, &s.input); err != nil {
		return fmt.Errorf("weighting: %w", err)
	}
	s.hasWeights = s.result.Weights != nil
	w.Load(&history)
	return nil
}

// SetPeriod makes R ≥ 1 the period from the next step on, which refreshes the
// weights if its t is a multiple of R.
func (s *PSMGD) SetPeriod(period int) error {
	switch {
	case s.weighting == nil:
		return fmt.Errorf("period R = %d: fixed weights are never refreshed", period)
	case period < 1:
		return fmt.Errorf("period R = %d: the period must be at least 1", period)
	case period > 1 && !s.hasWeights:
		return fmt.Errorf("period R = %d: the weighting decides a direction and has no weights to reuse between refreshes; the period must be 1", period)
	}
	s.period = period
	return nil
}

// SetStepSize makes η > 0 the constant of the step size schedule from the next
// step on.
func (s *PSMGD) SetStepSize(eta float64) error { return s.stepSizes.set(eta) }

// SetMomentum makes α in [0, 1) the constant momentum from the next refresh on.
// Schedules other than Constant do not use it.
func (s *PSMGD) SetMomentum(alpha float64) error {
	switch {
	case s.weighting == nil:
		return fmt.Errorf("momentum = %v: fixed weights are never refreshed", alpha)
	case !(alpha >= 0 && alpha < 1):
		return fmt.Errorf("momentum = %v: it must be in [0, 1)", alpha)
	case alpha > 0 && !s.hasWeights:
		return fmt.Errorf("momentum = %v: the weighting decides a direction and has no weights to smooth; it must be 0", alpha)
	}
	s.momentum = alpha
	return nil
}

// Period returns R, 0 with fixed weights.
func (s *PSMGD) Period() int { return s.period }

// StepSize returns the constant η (or c) of the step size schedule.
func (s *PSMGD) StepSize() float64 { return s.stepSizes.constant }

// Momentum returns the constant momentum α.
func (s *PSMGD) Momentum() float64 { return s.momentum }

// Step makes one step. It returns Running; NoSolution when the weighting had none
// and x stays where it is; or Diverged, from then on for good. An error is a fault
// of the weighting, and the iterate is then that before the step.
func (s *PSMGD) Step() (algo.Status, error) {
	if s.failed != nothing {
		return algo.Diverged, nil
	}
	s.sample.Noise = algo.Stream(s.seed, s.startIndex, s.k, algo.Noise)
	s.sample.Batch = s.batches.at(s.k, algo.Stream(s.seed, s.startIndex, s.k, algo.Shuffle))
	eta := s.stepSizes.at(s.k)
	refresh := s.weighting != nil && (!s.weighted || s.k%s.period == 0)
	status := algo.Running
	lambda := s.lambda
	bp := 1
	if refresh {
		var failed quantity
		var err error
		bp = s.m * (1 + s.needs.Extra)
		if status, failed, err = s.refresh(eta); err != nil {
			return algo.Running, fmt.Errorf("iteration %d: %w", s.k, err)
		}
		if failed != nothing {
			return s.diverge(failed), nil
		}
		lambda = s.mixed
	} else {
		s.problem.WeightedGradientAt(s.direction, lambda, s.x, &s.sample)
		if !algo.Finite(s.direction) {
			return s.diverge(gradient), nil
		}
	}

	if status == algo.NoSolution {
		s.motion.Stay(s.direction)
	} else if !algo.Finite(s.motion.Move(s.direction)) {
		return s.diverge(update), nil
	}
	for i, v := range s.x {
		s.candidate[i] = v - eta*s.motion.last[i]
	}
	if !algo.Finite(s.candidate) {
		return s.diverge(iterate), nil
	}
	s.problem.Values(s.candidateF, s.candidate)
	if !algo.Finite(s.candidateF) {
		return s.diverge(objective), nil
	}
	if s.observer != nil && refresh && status != algo.NoSolution {
		s.problem.ValuesAt(s.before, s.x, &s.sample)
		s.problem.ValuesAt(s.after, s.candidate, &s.sample)
		if !algo.Finite(s.before) || !algo.Finite(s.after) {
			return s.diverge(losses), nil
		}
		s.observer.Observe(s.before, s.after)
	}

	s.x, s.candidate = s.candidate, s.x
	s.f, s.candidateF = s.candidateF, s.f
	s.noWeights = refresh && (status == algo.NoSolution || !s.hasWeights)
	if refresh && !s.noWeights {
		s.lambda, s.mixed = lambda, s.lambda
		s.weighted = true
	}
	s.stepped, s.refreshed, s.lastStepSize = true, refresh, eta
	s.cost.Backpropagations += bp
	s.cost.GradientCoordinates += bp * s.n
	s.k++
	return status, nil
}

// refresh evaluates the sampled Jacobian and asks the weighting. It leaves the
// direction in s.direction and, where the weighting has weights, λ_t in s.mixed.
func (s *PSMGD) refresh(eta float64) (status algo.Status, failed quantity, err error) {
	s.problem.JacobianAt(s.jacobian, s.x, &s.sample)
	if !algo.Finite(s.jacobian.Data) {
		return algo.Running, gradient, nil
	}
	s.jacobian.Gram(s.input.Gram)
	if !algo.Finite(s.input.Gram) {
		return algo.Running, gramian, nil
	}
	s.input.K = s.k
	if s.needs.Losses {
		s.problem.ValuesAt(s.input.Losses, s.x, &s.sample)
		if !algo.Finite(s.input.Losses) {
			return algo.Running, losses, nil
		}
	}
	for i, extra := range s.input.Extra {
		s.extraSample.Noise = algo.Stream(s.seed, s.startIndex, s.k, further(algo.Noise, i))
		s.extraSample.Batch = s.extraBatches.at(s.k, algo.Stream(s.seed, s.startIndex, s.k, further(algo.Shuffle, i)))
		s.problem.JacobianAt(extra, s.x, &s.extraSample)
		if !algo.Finite(extra.Data) {
			return algo.Running, gradient, nil
		}
	}

	s.result = algo.Result{Weights: s.decided}
	if s.period == 1 {
		s.result.Direction = s.direction
	}
	if err := s.weighting.Weigh(&s.result, &s.input); err != nil {
		return algo.Running, nothing, err
	}
	if s.result.Status == algo.Diverged {
		return algo.Running, weights, nil
	}
	if s.result.Status == algo.NoSolution {
		clear(s.direction)
		return algo.NoSolution, nothing, nil
	}
	if (s.result.Weights != nil) != s.hasWeights {
		return algo.Running, nothing, errors.New("the weighting has weights at some points and none at others")
	}
	if s.hasWeights {
		if !algo.Finite(s.result.Weights) {
			return algo.Running, weights, nil
		}
		if alpha := s.mix(eta); alpha != 0 || s.period > 1 {
			s.jacobian.Combine(s.direction, s.mixed)
		}
	}
	if !algo.Finite(s.direction) {
		return algo.Running, direction, nil
	}
	return algo.Running, nothing, nil
}

// further is a purpose p of the i-th further sample of a step, apart from all
// named purposes, which are small.
func further(p algo.Purpose, i int) algo.Purpose { return p + algo.Purpose(i+1)<<32 }

// mix stores λ_t = α_t λ + (1−α_t) λ̂_t in s.mixed and returns α_t, which is 0 when
// no weights were used before.
func (s *PSMGD) mix(eta float64) float64 {
	var alpha float64
	if s.weighted {
		var change float64
		for i, v := range s.decided {
			change = max(change, math.Abs(v-s.lambda[i]))
		}
		alpha = s.momentumSchedule.momentum(s.k, s.momentum, eta, change)
	}
	if alpha == 0 {
		copy(s.mixed, s.decided)
		return 0
	}
	for i, v := range s.decided {
		s.mixed[i] = alpha*s.lambda[i] + (1-alpha)*v
	}
	return alpha
}

func (s *PSMGD) diverge(q quantity) algo.Status {
	s.failed = q
	// What the failed step wrote must not be shown as the step that led here.
	s.stepped = false
	return algo.Diverged
}

// View returns what there is to see. Weights are nil in a step without them; the
// description of the last step is absent after Load and once the run diverged.
func (s *PSMGD) View() algo.View {
	v := algo.View{K: s.k, Solutions: 1, X: s.x, F: s.f, Cost: s.cost}
	if s.failed != nothing {
		v.Diverged = algo.Divergence{K: s.k, Quantity: quantityNames[s.failed]}
	}
	if !s.stepped {
		return v
	}
	v.Direction, v.StepSize, v.Refreshed = s.direction, s.lastStepSize, s.refreshed
	if s.refreshed {
		v.Jacobian = s.jacobian
	}
	if !s.noWeights {
		v.Weights = s.lambda
	}
	return v
}

// Update returns what the optimizer made of View().Direction: x_k is
// x_{k−1} − StepSize·Update. It equals the direction where the optimizer is plain
// and does not clip, and is absent when the direction is. It belongs to the stepper
// and holds until the next Step or Load.
func (s *PSMGD) Update() []float64 {
	if !s.stepped {
		return nil
	}
	return s.motion.last
}

// Save appends iterate, weights, optimizer, cost, live settings, divergence and the
// history of the weighting.
func (s *PSMGD) Save(to *algo.Snapshot) {
	to.PutInt(s.k)
	to.PutInt(s.period)
	to.PutInt(s.cost.Backpropagations)
	to.PutInt(s.cost.GradientCoordinates)
	to.PutBool(s.weighted)
	to.PutInt(int(s.failed))
	to.PutFloats(s.stepSizes.constant, s.momentum)
	to.PutFloats(s.x...)
	to.PutFloats(s.lambda...)
	s.motion.Save(to)
	if s.weighting != nil {
		s.weighting.Save(to)
	}
}

// Load restores what Save appended. It is for steppers of the same configuration,
// live settings apart.
func (s *PSMGD) Load(from *algo.Snapshot) {
	s.k = from.GetInt()
	s.period = from.GetInt()
	s.cost.Backpropagations = from.GetInt()
	s.cost.GradientCoordinates = from.GetInt()
	s.weighted = from.GetBool()
	s.failed = quantity(from.GetInt())
	s.stepSizes.constant, s.momentum = from.GetFloat(), from.GetFloat()
	from.GetFloats(s.x)
	from.GetFloats(s.lambda)
	s.motion.Load(from)
	if s.weighting != nil {
		s.weighting.Load(from)
	}
	s.problem.Values(s.f, s.x)
	s.stepped = false
}

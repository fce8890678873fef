package descent

import (
	"errors"
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/algo/internal/box"
	"paretoplay/algo/internal/choice"
	"paretoplay/algo/internal/ledger"
	"paretoplay/algo/weighting"
	"paretoplay/internal/portable"
)

const (
	// DefaultPeriod is a refresh period R suitable for small problems.
	DefaultPeriod = 4
	// DefaultCRMOGMMomentum is the default momentum of CRMOGM.
	DefaultCRMOGMMomentum = 0.9

	fixedWeightsTolerance = 1e-9 // allowed error of the sum of FixedWeights
)

// Config configures a PSMGD run. Problem, Start and StepSize are required. With only these, the run is MGDA with a
// constant step size.
type Config struct {
	Problem algo.Sampled // algo.Exact converts an algo.Problem without samples
	Start   []float64    // x_0, of length n, inside the problem's box and with finite values; NewPSMGD copies it

	// Weighting computes λ̂_t at a refresh; nil means MGDA. The stepper owns the weighting, because the weighting's
	// history is part of the run.
	Weighting algo.Weighting
	// FixedWeights, unless nil, is a point λ of the simplex that is never refreshed, as in linear scalarization. It
	// cannot be combined with Weighting, Period, Momentum or MomentumSchedule.
	FixedWeights []float64

	Period int // R ≥ 1, number of steps between two refreshes of the weights; 0 means 1

	// EveryGradient makes every step compute the gradient of every objective, so that View contains all gradients. A
	// step then costs S backpropagations. Otherwise steps between refreshes, and all steps with FixedWeights, compute
	// only the weighted sum, which costs one backpropagation.
	EveryGradient bool

	// StepSize is the constant η > 0 of the schedule, called c in Theorem37 and AsPrinted. Theorem36 does not use it,
	// but it must still be positive. No step size suits most problems, so there is no default, and 0 is an error.
	StepSize         float64
	StepSizeSchedule Schedule // the zero value means Constant
	// Momentum is α in [0, 1), used only by the Constant schedule. 0 means no momentum.
	Momentum         float64
	MomentumSchedule Schedule // the zero value means Constant

	// Horizon is the planned number of steps T ≥ 1, used only by AsPrinted.
	Horizon int
	// Lipschitz is a common Lipschitz constant L > 0 of the gradients, used only by Theorem37. If it is 0, the
	// constant comes from the problem's method Lipschitz() float64.
	Lipschitz float64
	// StrongConvexity is a common constant μ > 0 of strong convexity. Theorem37 uses it to require c > 1/(2μ). If it is
	// 0, the constant comes from the problem's method StrongConvexity() float64. If there is no such method, the
	// problem is not assumed to be strongly convex. Any c is then accepted, and the theorem does not apply.
	StrongConvexity float64

	// ValuesEvery is n ≥ 1: losses on all data are computed only after every n-th step. 0 means 1. With large data and
	// small batches, computing the losses takes most of the time. View.Evaluated is the iteration of View.F, and
	// Evaluate updates View.F. If losses become infinite or NaN, the run ends the next time they are computed.
	ValuesEvery int

	// Watched, unless nil, lists the examples on which the losses in View are computed. Use it for problems with so
	// many examples that the losses on all of them take much longer than a step. The problem must be an
	// algo.FiniteSum.
	Watched []int

	// Frugal makes steps compute only the weighted sum of the gradients if the weighting ignores gradients (see
	// algo.Needs.Blind). A step then costs one backpropagation instead of S, with different rounding errors.
	Frugal bool

	// Optimizer computes the update from a direction. The zero value subtracts the direction itself, as the
	// schedules' theorems assume.
	Optimizer Optimizer

	// Batch is the first batch size b_0 ≥ 1. Step t uses min(N, b_0·(t+1)) of the problem's N examples. The problem
	// must be an algo.FiniteSum. 0 means no batches.
	Batch int
	// ConstantBatch makes every step use min(N, Batch) examples.
	ConstantBatch bool

	// Step t draws its sample from algo.Stream(Seed, StartIndex, t, algo.Noise).
	Seed       uint64
	StartIndex int
}

// MGDA returns c configured as the multiple-gradient descent algorithm: it refreshes the weights in every step, without
// momentum. It keeps the Weighting of c, for example for MGDA with normalised gradients.
func MGDA(c Config) Config {
	c.FixedWeights = nil
	c.Period, c.Momentum, c.MomentumSchedule = 1, 0, Constant
	return c
}

// CRMOGM returns c configured as CR-MOGM (Zhou et al. 2022): it refreshes the weights in every step, with momentum. A
// momentum of 0 means DefaultCRMOGMMomentum.
func CRMOGM(c Config) Config {
	c.FixedWeights = nil
	c.Period = 1
	if c.Momentum == 0 {
		c.Momentum = DefaultCRMOGMMomentum
	}
	return c
}

// LinearScalarization returns c configured as gradient descent on the sum of the objectives with fixed weights.
func LinearScalarization(c Config, weights []float64) Config {
	c.Weighting, c.FixedWeights = nil, weights
	c.Period, c.Momentum, c.MomentumSchedule = 0, 0, Constant
	return c
}

// SMG returns c configured as the stochastic multi-gradient method (Liu & Vicente 2021): MGDA on growing batches. A
// Batch of 0 means weighting.DefaultBatchSize.
func SMG(c Config) Config {
	c = MGDA(c)
	c.Weighting = weighting.NewSMG()
	if c.Batch == 0 {
		c.Batch = weighting.DefaultBatchSize
	}
	return c
}

// quantity identifies what was not finite in a step. Snapshots store it as a number.
type quantity int

const (
	nothing quantity = iota
	gradient
	losses
	weights
	direction
	update
	iterate
	objective
)

var quantityNames = [...]string{"", "gradient", "losses", "weights", "direction", "update", "iterate", "objective"}

// String returns the name used in algo.Divergence.
func (q quantity) String() string { return quantityNames[q] }

// PSMGD is periodic stochastic multi-gradient descent. In step t, on one sample
// ξ_t,
//
//	t mod R = 0:  λ̂_t = argmin_{λ∈Δ} ‖G(x_t, ξ_t)ᵀλ‖²  (or the coefficients that another weighting computes)
//	              λ_t = α_t λ_{t−R} + (1−α_t) λ̂_t, λ_0 = λ̂_0
//	otherwise:    λ_t = λ_{t−1}
//	x_{t+1} = x_t − η_t Σ_s λ_{t,s} ∇f_s(x_t, ξ_t)
//
// An Optimizer may replace the sum in the last line by another update.
//
// A refresh costs one backpropagation for each of the S objectives. A step between refreshes costs one
// backpropagation in total. T steps therefore cost ⌈T/R⌉·S + (T − ⌈T/R⌉), or T·S with EveryGradient. MGDA is the case
// R = 1 with α = 0, CR-MOGM is R = 1 with α > 0, and linear scalarization never refreshes λ.
//
// The period can change during the run. Step t refreshes if t mod R = 0 with the current R, and λ_{t−R} always
// denotes the weights used last. If the weighting has no solution, x does not move and the last weights remain in
// use. If there are no weights yet, the next step refreshes, regardless of t mod R.
//
// λ denotes a weighting's effective coefficients, algo.Result.Effective: the weighting's direction is Gᵀλ. For most
// rules they equal the weights. CAGrad and SDMGrad add the mean gradient to their weighted sum, and this term must
// remain between refreshes too. View contains the weights of the rule itself. PSMGD keeps and averages them in the same
// way.
//
// With R = 1 and α_t = 0, the run follows the weighting's direction. Rules without effective coefficients therefore
// work too: GradDrop, and MoCo and DB-MTL, which sum running means of gradients. A longer period or momentum would use
// the coefficients of one step in another step, so it is an error with these rules.
//
// On an algo.Bounded problem, the weighting gets reduced gradients: at the boundary, entries that point out of the box
// are zero (see algo.Jacobian.Reduce). The direction is reduced again, and x_{t+1} is moved to the nearest point of the
// box. Between refreshes, only Σ_s λ_{t,s} ∇f_s is known and is reduced as one gradient. The step is then projected
// gradient descent on the weighted sum. Steps that compute all gradients reduce each gradient before adding them. An
// objective whose gradient leads out of the box then does not hold back objectives whose gradients stay inside.
//
// On an algo.Shared problem, the weighting gets the gradients for the shared variables and determines the direction of
// these variables. In every step with a solution, every other variable follows the unweighted gradient of its
// objective.
//
// References:
//   - Algorithm 1 of "PSMGD: Periodic Stochastic Multi-Gradient Descent for Fast Multi-Objective Optimization". Its
//     equation (2) omits λ ≥ 0, but its line 4 states this condition.
//   - Désidéri (2012), Comptes Rendus Mathematique 350 (MGDA).
//   - Zhou et al. (2022), NeurIPS 35 (CR-MOGM).
type PSMGD struct {
	problem    algo.Sampled
	weighting  algo.Weighting // nil with fixed weights
	observer   algo.Observer  // the weighting if it observes losses
	needs      algo.Needs
	hasWeights bool // whether the weighting computes weights, not only a direction
	effective  bool // whether the weighting's direction is always a combination of the gradients of its step
	every      bool // whether to evaluate all gradients between refreshes too

	blind       bool        // whether to compute only the weighted sum of the gradients, because the weighting ignores gradients
	shared      algo.Shared // the problem if some of its variables are not shared
	valuesEvery int
	watched     algo.Sample // sample on which View's losses are computed
	n, m        int
	common      int // number of variables that the weighting decides on: n, or the number of shared variables
	box         *box.Box
	yielder     *algo.Yielder

	// These fields are live settings.
	period    int
	momentum  float64
	stepSizes stepSizes

	momentumSchedule Schedule
	seed             uint64
	startIndex       int

	// These fields are the state.
	ledger    ledger.Ledger[quantity]
	x, f      []float64
	evaluated int       // iteration of the losses f
	lambda    []float64 // weights used last; valid if weighted is true
	held      []float64 // effective coefficients used last; valid if weighted is true and the weighting has coefficients
	weighted  bool
	motion    Motion

	// These fields describe the last step, for View.
	refreshed    bool
	noWeights    bool // whether the last step had no weights
	lastStepSize float64

	// These fields are scratch space.
	candidate, candidateF []float64
	direction             []float64
	decided, mixed        []float64 // weights from the weighting, and these weights after momentum
	fresh, blended        []float64 // effective coefficients from the weighting, and these after momentum
	jacobian              *algo.Jacobian
	sample, extraSample   algo.Sample
	batches, extraBatches batches
	input                 algo.Input
	result                algo.Result
	before, after         []float64
}

var _ algo.Stepper = (*PSMGD)(nil)

// NewPSMGD returns a run at its start. An error names the invalid field of the configuration, the value and the allowed
// values.
func NewPSMGD(c Config) (made *PSMGD, err error) {
	defer func() { err = choice.Field(err, configFields) }()
	if algo.Missing(c.Problem) {
		return nil, algo.ErrNoProblem
	}
	n, m := c.Problem.Dims()
	if err := checkLength("start", c.Start, n); err != nil {
		return nil, err
	}
	bounds, err := box.Of(c.Problem, n)
	if err != nil {
		return nil, err
	}
	if err := bounds.Admit("start", c.Start); err != nil {
		return nil, err
	}
	s := &PSMGD{
		problem: c.Problem, n: n, m: m, box: bounds, every: c.EveryGradient,
		stepSizes: stepSizes{
			schedule: c.StepSizeSchedule, horizon: c.Horizon, lipschitz: c.Lipschitz, strongConvexity: c.StrongConvexity,
		},
		momentumSchedule: c.MomentumSchedule,
		seed:             c.Seed, startIndex: c.StartIndex,
		x: append([]float64(nil), c.Start...), f: make([]float64, m), lambda: make([]float64, m), held: make([]float64, m),
		candidate: make([]float64, n), candidateF: make([]float64, m), direction: make([]float64, n),
		decided: make([]float64, m), mixed: make([]float64, m), fresh: make([]float64, m), blended: make([]float64, m),
		common: n, watched: algo.Sample{Batch: c.Watched},
	}
	if err := s.share(c.Watched); err != nil {
		return nil, err
	}
	if err := s.stepSizes.check(c.Problem); err != nil {
		return nil, err
	}
	if err := s.momentumSchedule.settle("momentum schedule"); err != nil {
		return nil, err
	}
	if err := s.SetStepSize(c.StepSize); err != nil {
		return nil, err
	}
	if s.motion, err = NewMotion(c.Optimizer, n); err != nil {
		return nil, err
	}
	for _, b := range []*batches{&s.batches, &s.extraBatches} {
		if err := b.prepare(c.Problem, c.Batch, c.ConstantBatch); err != nil {
			return nil, err
		}
	}
	if s.valuesEvery = max(c.ValuesEvery, 1); c.ValuesEvery < 0 {
		return nil, &algo.RangeError{Name: "ValuesEvery", Value: c.ValuesEvery, Allowed: "it must be at least 1, or 0 for 1"}
	}
	s.values(s.f, s.x)
	if !algo.Finite(s.x) || !algo.Finite(s.f) {
		return nil, refusedValue("start", c.Start, fmt.Sprintf("the point and its values %v must be finite", s.f))
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
	s.blind = c.Frugal && s.needs.Blind && s.effective && !s.every
	if err := s.SetMomentum(c.Momentum); err != nil {
		return nil, err
	}
	period := c.Period
	if period == 0 {
		period = 1
	}
	if err := s.SetPeriod(period); err != nil {
		return nil, err
	}
	if s.momentumSchedule != Constant && !s.effective {
		return nil, refusedValue("momentum schedule", s.momentumSchedule, fmt.Sprintf(noCoefficients+" to smooth; it must be %v", Constant))
	}
	return s, nil
}

// share determines the variables that the weighting decides on, and checks the watched examples.
func (s *PSMGD) share(watched []int) error {
	if shared, is := s.problem.(algo.Shared); is {
		if _, bounded := s.problem.(algo.Bounded); bounded {
			return errors.New("problem: a problem with unshared variables must not have a box")
		}
		s.shared, s.common = shared, shared.Shared()
		if s.common < 1 || s.common > s.n {
			return fmt.Errorf("problem: %d of %d variables are shared; there must be at least one", s.common, s.n)
		}
	}
	sum, is := s.problem.(algo.FiniteSum)
	if watched == nil {
		return nil
	}
	if !is || len(watched) == 0 {
		return &algo.RangeError{Name: "Watched", Value: watched, Allowed: "it must list examples, and the problem must have some"}
	}
	for _, i := range watched {
		if i < 0 || i >= sum.Examples() {
			return &algo.RangeError{Name: "Watched", Value: i, Allowed: fmt.Sprintf("the problem's examples are 0 to %d", sum.Examples()-1)}
		}
	}
	s.watched.Batch = append([]int(nil), watched...)
	return nil
}

// values stores in f the losses that View shows.
func (s *PSMGD) values(f, x []float64) {
	if s.watched.Batch == nil {
		s.problem.Values(f, x)
		return
	}
	s.problem.ValuesAt(f, x, &s.watched)
}

func (s *PSMGD) setFixedWeights(c *Config) error {
	if c.Weighting != nil || c.Period != 0 || c.Momentum != 0 || s.momentumSchedule != Constant {
		return errors.New("fixed weights are never refreshed: omit weighting, period, momentum and momentum schedule")
	}
	if len(c.FixedWeights) != s.m {
		return refusedValue("fixed weights", c.FixedWeights, fmt.Sprintf("there must be one for each of the %d objectives", s.m))
	}
	var sum float64
	for i, w := range c.FixedWeights {
		if !(w >= 0) {
			return &algo.RangeError{Name: fmt.Sprintf("fixed weight %d", i), Value: w, Allowed: "it must be in [0, 1]"}
		}
		sum += w
	}
	if !(math.Abs(sum-1) <= fixedWeightsTolerance) {
		return refusedValue("fixed weights", c.FixedWeights, fmt.Sprintf("their sum is %v; it must be 1", sum))
	}
	copy(s.lambda, c.FixedWeights)
	copy(s.held, c.FixedWeights)
	s.weighted = true
	return nil
}

// noCoefficients begins the message that says why a period or momentum is invalid.
const noCoefficients = "the weighting's direction is not a combination of the gradients of its step, so there are no effective coefficients"

// madeUp is the maximum number of columns of the test gradients for a rule that uses only the Gramian.
const madeUp = 1024

// setWeighting sets w as the weighting, or MGDA if w is nil. It first tries the weighting on test gradients to find out
// whether it has weights and effective coefficients. It tries twice, because after one call a running mean of gradients
// is still a multiple of the gradients. It then restores the weighting's state.
func (s *PSMGD) setWeighting(w algo.Weighting) error {
	if w == nil {
		w = weighting.NewMGDA(weighting.NormalizeNone)
	}
	s.weighting, s.needs = w, w.Needs()
	columns := s.common
	if !s.needs.Jacobian && s.needs.Extra == 0 { // the number of columns does not affect the result
		columns = min(columns, madeUp)
	}
	asked := algo.NewJacobian(s.m, columns)
	if s.needs.After {
		observer, ok := w.(algo.Observer)
		if !ok {
			return errors.New("weighting: it needs the losses after a step, but does not implement algo.Observer")
		}
		s.observer = observer
		s.before, s.after = make([]float64, s.m), make([]float64, s.m)
	}
	if s.needs.Losses {
		s.input.Losses = append([]float64(nil), s.f...)
	}
	// Gradients with positive entries do not conflict, so rules without a solution at Pareto-stationary points have a
	// solution here.
	for i := range asked.Data {
		asked.Data[i] = 1 + float64(0.5*portable.Sin(float64(i)))
	}
	for range s.needs.Extra {
		extra := algo.NewJacobian(s.m, s.common)
		copy(extra.Data, asked.Data)
		s.input.Extra = append(s.input.Extra, extra)
	}
	s.input.SetGradients(asked)
	var history algo.Snapshot
	w.Save(&history)
	for times := 0; times == 0 || times == 1 && s.effective; times++ {
		for i := range s.fresh {
			s.fresh[i] = math.NaN()
		}
		s.result = algo.Result{Weights: s.decided, Effective: s.fresh}
		if err := w.Weigh(&s.result, &s.input); err != nil {
			return fmt.Errorf("weighting: %w", err)
		}
		s.hasWeights, s.effective = s.result.Weights != nil, s.result.Effective != nil
		if !algo.Finite(s.result.Effective) {
			return errors.New("weighting: it must store effective coefficients, or set them to nil")
		}
	}
	w.Load(&history)
	return nil
}

// SetPeriod sets the period R ≥ 1 from the next step on. That step refreshes the weights if its t is a multiple of R.
func (s *PSMGD) SetPeriod(period int) error {
	refused := &algo.RangeError{Name: "period R", Value: period}
	switch {
	case s.weighting == nil:
		refused.Allowed = "fixed weights are never refreshed"
		return refused
	case period < 1:
		refused.Allowed = "the period must be at least 1"
		return refused
	case period > 1 && !s.effective:
		refused.Allowed = noCoefficients + " to reuse between refreshes; the period must be 1"
		return refused
	}
	s.period = period
	return nil
}

// SetStepSize sets the constant η > 0 of the step size schedule from the next step on.
func (s *PSMGD) SetStepSize(eta float64) error { return s.stepSizes.set(eta) }

// SetMomentum sets the constant momentum α in [0, 1) from the next refresh on. Only the schedule Constant uses it.
func (s *PSMGD) SetMomentum(alpha float64) error {
	refused := &algo.RangeError{Name: "momentum", Value: alpha}
	switch {
	case s.weighting == nil:
		refused.Allowed = "fixed weights are never refreshed"
		return refused
	case !(alpha >= 0 && alpha < 1):
		refused.Allowed = "it must be in [0, 1)"
		return refused
	case alpha > 0 && !s.effective:
		refused.Allowed = noCoefficients + " to smooth; it must be 0"
		return refused
	}
	s.momentum = alpha
	return nil
}

// Period returns R, or 0 with fixed weights.
func (s *PSMGD) Period() int { return s.period }

// StepSize returns the constant η (or c) of the step size schedule.
func (s *PSMGD) StepSize() float64 { return s.stepSizes.constant }

// Momentum returns the constant momentum α.
func (s *PSMGD) Momentum() float64 { return s.momentum }

// WeightAge returns the mean age of the weights in PSMGD with period R ≥ 1, constant momentum α in [0, 1) and step
// size η > 0. The age is in units of the time η·t of the gradient flow:
//
//	η·(R·α/(1−α) + (R−1)/2)
//
// A refresh multiplies weights that are jR iterations old by (1−α)·α^j. On average, weights are αR/(1−α) iterations
// old at a refresh, and they remain in use for another 0 to R−1 iterations.
func WeightAge(period int, momentum, stepSize float64) float64 {
	return stepSize * (float64(period)*momentum/(1-momentum) + float64(float64(period-1)/2))
}

// Step takes one step. It returns Running. If the weighting has no solution, x does not move and Step returns
// NoSolution. Once the run has diverged, it returns Diverged. It returns an error if the weighting fails; the iterate
// is then the same as before the step.
func (s *PSMGD) Step() (algo.Status, error) {
	if s.ledger.Diverged() {
		return algo.Diverged, nil
	}
	s.sample.Noise = algo.Stream(s.seed, s.startIndex, s.ledger.K, algo.Noise)
	s.sample.Batch = s.batches.at(s.ledger.K, algo.Stream(s.seed, s.startIndex, s.ledger.K, algo.Shuffle))
	eta := s.stepSizes.at(s.ledger.K)
	refresh := s.weighting != nil && (!s.weighted || s.ledger.K%s.period == 0)
	status := algo.Running
	bp := 1
	if refresh {
		var failed quantity
		var err error
		bp = s.m * (1 + s.needs.Extra)
		if s.blind {
			bp = 1
		}
		if status, failed, err = s.refresh(eta); err != nil {
			return algo.Running, fmt.Errorf("iteration %d: %w", s.ledger.K, err)
		}
		if failed != nothing {
			return s.fail(failed), nil
		}
	} else if s.every {
		bp = s.m
		if !s.gradients() {
			return s.fail(gradient), nil
		}
		s.jacobian.Combine(s.direction[:s.common], s.held)
		if !algo.Finite(s.direction) {
			return s.fail(direction), nil
		}
	} else {
		s.weightedGradient(s.held)
		if !algo.Finite(s.direction) {
			return s.fail(gradient), nil
		}
	}
	s.box.ReduceOne(s.direction, s.x)

	if status == algo.NoSolution {
		s.motion.Stay(s.direction)
	} else if !algo.Finite(s.motion.Move(s.direction)) {
		return s.fail(update), nil
	}
	for i, v := range s.x {
		s.candidate[i] = v - float64(eta*s.motion.last[i])
	}
	if !algo.Finite(s.candidate) {
		return s.fail(iterate), nil
	}
	s.box.Project(s.candidate)
	evaluate := (s.ledger.K+1)%s.valuesEvery == 0
	if evaluate {
		s.values(s.candidateF, s.candidate)
		if !algo.Finite(s.candidateF) {
			return s.fail(objective), nil
		}
	}
	if s.observer != nil && refresh && status != algo.NoSolution {
		s.problem.ValuesAt(s.before, s.x, &s.sample)
		s.problem.ValuesAt(s.after, s.candidate, &s.sample)
		if !algo.Finite(s.before) || !algo.Finite(s.after) {
			return s.fail(losses), nil
		}
		s.observer.Observe(s.before, s.after)
	}

	s.x, s.candidate = s.candidate, s.x
	if evaluate {
		s.f, s.candidateF = s.candidateF, s.f
		s.evaluated = s.ledger.K + 1
	}
	s.noWeights = refresh && status == algo.NoSolution
	if refresh && !s.noWeights {
		s.lambda, s.mixed = s.mixed, s.lambda
		s.held, s.blended = s.blended, s.held
		s.weighted = s.hasWeights || s.effective
	}
	s.refreshed, s.lastStepSize = refresh, eta
	s.ledger.Gradients(bp, s.n)
	s.ledger.Commit()
	return status, nil
}

// refresh evaluates the sampled Jacobian and calls the weighting. It stores the direction in s.direction, any weights
// in s.mixed, and any effective coefficients in s.blended.
func (s *PSMGD) refresh(eta float64) (status algo.Status, failed quantity, err error) {
	if !s.blind {
		if !s.gradients() {
			return algo.Running, gradient, nil
		}
		// The rows are available, so rules that need only the Gramian get them too. This improves the last digits of
		// their decisions.
		s.input.SetGradients(s.jacobian)
	}
	s.input.K = s.ledger.K
	if s.needs.Losses {
		s.problem.ValuesAt(s.input.Losses, s.x, &s.sample)
		if !algo.Finite(s.input.Losses) {
			return algo.Running, losses, nil
		}
	}
	for i, extra := range s.input.Extra {
		s.extraSample.Noise = algo.Stream(s.seed, s.startIndex, s.ledger.K, further(algo.Noise, i))
		s.extraSample.Batch = s.extraBatches.at(s.ledger.K, algo.Stream(s.seed, s.startIndex, s.ledger.K, further(algo.Shuffle, i)))
		s.jacobianAt(extra, &s.extraSample)
		if !algo.Finite(extra.Data) {
			return algo.Running, gradient, nil
		}
		s.box.Reduce(extra, s.x)
	}

	s.result = algo.Result{Weights: s.decided, Effective: s.fresh}
	if s.period == 1 && !s.blind {
		s.result.Direction = s.direction[:s.common]
	}
	s.yielder.Yield(s.m * s.m * s.m)
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
		return algo.Running, nothing, errors.New("the weighting returns weights in some steps and none in others")
	}
	if s.effective && s.result.Effective == nil {
		return algo.Running, nothing, errors.New("the weighting returns effective coefficients in some steps and none in others")
	}
	if !algo.Finite(s.result.Weights) || !algo.Finite(s.result.Effective) {
		return algo.Running, weights, nil
	}
	alpha := s.mix(eta)
	if s.blind {
		s.weightedGradient(s.blended)
	} else if alpha != 0 || s.period > 1 {
		s.jacobian.Combine(s.direction[:s.common], s.blended)
	}
	if !algo.Finite(s.direction) {
		return algo.Running, direction, nil
	}
	return algo.Running, nothing, nil
}

// fail ends the run because a quantity is not finite. It records the objective if the quantity belongs to one.
func (s *PSMGD) fail(q quantity) algo.Status {
	switch q {
	case gradient:
		// If the step computed only the weighted gradient, these Jacobians are finite, and no objective is recorded.
		for _, j := range append(s.input.Extra[:len(s.input.Extra):len(s.input.Extra)], s.jacobian) {
			if j != nil && !algo.Finite(j.Data) {
				return s.ledger.FailIn(q, j.Data, s.m, s.n)
			}
		}
	case objective:
		return s.ledger.FailIn(q, s.candidateF, s.m, 1)
	case losses:
		for _, values := range [][]float64{s.input.Losses, s.before, s.after} {
			if !algo.Finite(values) {
				return s.ledger.FailIn(q, values, s.m, 1)
			}
		}
	}
	return s.ledger.Fail(q)
}

// Evaluate computes the losses of the current iterate if the last steps did not, because of Config.ValuesEvery. View
// then contains them.
func (s *PSMGD) Evaluate() {
	if s.evaluated != s.ledger.K {
		s.values(s.f, s.x)
		s.evaluated = s.ledger.K
	}
}

// gradients evaluates the sampled Jacobian, reduced if there is a box, and reports whether it is finite.
func (s *PSMGD) gradients() bool {
	if s.jacobian == nil { // allocated here because it is large and not every run needs it
		s.jacobian = algo.NewJacobian(s.m, s.common)
	}
	s.jacobianAt(s.jacobian, &s.sample)
	if !algo.Finite(s.jacobian.Data) {
		return false
	}
	s.box.Reduce(s.jacobian, s.x)
	return true
}

// jacobianAt stores the gradients for the weighting in jac, and the derivatives for the unshared variables in
// s.direction.
func (s *PSMGD) jacobianAt(jac *algo.Jacobian, sample *algo.Sample) {
	if s.shared == nil {
		s.problem.JacobianAt(jac, s.x, sample)
		return
	}
	own := s.direction[s.common:]
	if sample != &s.sample {
		own = s.candidate[s.common:] // discards the derivatives of a further sample
	}
	s.shared.SharedJacobianAt(jac, own, s.x, sample)
}

// weightedGradient stores the direction for the given weights on the step's sample.
func (s *PSMGD) weightedGradient(weights []float64) {
	if s.shared == nil {
		s.problem.WeightedGradientAt(s.direction, weights, s.x, &s.sample)
		return
	}
	s.shared.SharedGradientAt(s.direction, weights, s.x, &s.sample)
}

// further returns the variant of purpose p for the i-th further sample of a step. The variant differs from all named
// purposes, because their numbers are small.
func further(p algo.Purpose, i int) algo.Purpose { return p + algo.Purpose(i+1)<<32 }

// mix applies momentum to the decision and stores the result in s.mixed and s.blended. It returns α_t, which is 0 as
// long as there are no earlier coefficients.
func (s *PSMGD) mix(eta float64) float64 {
	var alpha float64
	if s.weighted && s.effective {
		var change float64
		for i, v := range s.fresh {
			change = max(change, math.Abs(v-s.held[i]))
		}
		alpha = s.momentumSchedule.momentum(s.ledger.K, s.momentum, eta, change)
	}
	average(s.mixed, s.lambda, s.decided, alpha)
	average(s.blended, s.held, s.fresh, alpha)
	return alpha
}

// average stores α·old + (1−α)·fresh in dst.
func average(dst, old, fresh []float64, alpha float64) {
	if alpha == 0 {
		copy(dst, fresh)
		return
	}
	for i, v := range fresh {
		dst[i] = float64(alpha*old[i]) + float64((1-alpha)*v)
	}
}

// View describes the current iterate and the last step. Weights is nil in a step without weights. In a box, the
// Jacobian contains reduced gradients. After Load, and once the run has diverged, there is no last step.
func (s *PSMGD) View() algo.View {
	v := s.ledger.View()
	v.Solutions, v.X, v.F, v.Evaluated = 1, s.x, s.f, s.evaluated
	if !s.ledger.Stepped {
		return v
	}
	v.Direction, v.StepSize, v.Refreshed = s.direction, s.lastStepSize, s.refreshed
	if s.refreshed && !s.blind || s.every {
		v.Jacobian = s.jacobian
	}
	if !s.noWeights && (s.hasWeights || s.weighting == nil) {
		v.Weights = s.lambda
	}
	return v
}

// Effective returns the coefficients c for which View().Direction is Gᵀc, reduced if there is a box. G holds the
// gradients of the last step on its Sample. The coefficients are those that the weighting computed, or that the stepper
// kept or averaged. Effective returns nil after Load, in a step without a solution, and for a weighting without such
// coefficients. The slice belongs to the stepper and is valid until the next Step or Load.
func (s *PSMGD) Effective() []float64 {
	if !s.ledger.Stepped || s.noWeights || !s.effective && s.weighting != nil {
		return nil
	}
	return s.held
}

// Update returns the optimizer's update for View().Direction: x_k is x_{k−1} − StepSize·Update, moved to the nearest
// point of the box if there is one. The update equals the direction if the optimizer is plain and does not clip.
// Update returns nil if there is no direction. The slice belongs to the stepper and is valid until the next Step or
// Load.
func (s *PSMGD) Update() []float64 {
	if !s.ledger.Stepped {
		return nil
	}
	return s.motion.last
}

// AboveLimit returns the first objective, counted from 0, whose loss in f exceeds the limit that the weighting
// enforces, and that limit. It returns −1 if there is no such objective.
func (s *PSMGD) AboveLimit(f []float64) (objective int, limit float64) {
	limited, is := s.weighting.(interface {
		Above(losses []float64) (objective int, limit float64)
	})
	if !is {
		return -1, 0
	}
	return limited.Above(f)
}

// Sample returns the sample of the last step, without the further samples of a weighting. Between refreshes, when no
// Jacobian is computed, the problem can reproduce the weighted gradient from this sample. Sample returns nil if the
// View has no direction. The sample belongs to the stepper and is valid until the next Step or Load.
func (s *PSMGD) Sample() *algo.Sample {
	if !s.ledger.Stepped {
		return nil
	}
	return &s.sample
}

// Save appends the iterate, weights and coefficients, optimizer, cost, live settings, divergence and the history of the
// weighting. If losses are not computed after every step, it also appends the losses.
func (s *PSMGD) Save(to *algo.Snapshot) {
	s.ledger.Save(to)
	to.PutInt(s.period)
	to.PutBool(s.weighted)
	to.PutFloats(s.stepSizes.constant, s.momentum)
	to.PutFloats(s.x...)
	to.PutFloats(s.lambda...)
	to.PutFloats(s.held...)
	s.motion.Save(to)
	if s.weighting != nil {
		s.weighting.Save(to)
	}
	if s.valuesEvery > 1 { // otherwise the losses follow from x
		to.PutInt(s.evaluated)
		to.PutFloats(s.f...)
	}
}

// Load restores the state that Save appended. The stepper must have the same configuration, except for live settings.
func (s *PSMGD) Load(from *algo.Snapshot) {
	s.ledger.Load(from)
	s.period = from.GetInt()
	s.weighted = from.GetBool()
	s.stepSizes.constant, s.momentum = from.GetFloat(), from.GetFloat()
	from.GetFloats(s.x)
	from.GetFloats(s.lambda)
	from.GetFloats(s.held)
	s.motion.Load(from)
	if s.weighting != nil {
		s.weighting.Load(from)
	}
	if s.valuesEvery > 1 {
		s.evaluated = from.GetInt()
		from.GetFloats(s.f)
		return
	}
	s.evaluated = -1
	s.Evaluate()
}

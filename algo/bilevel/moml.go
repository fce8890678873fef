package bilevel

import (
	"errors"
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
	"paretoplay/algo/internal/ledger"
	"paretoplay/algo/weighting"
	"paretoplay/internal/portable"
)

// MOMLConfig configures a MOML run.
type MOMLConfig struct {
	Problem algo.LowerHessian
	Start   []float64 // z_0 = (α_0, ω_0), copied; length n+p, with finite values
	Loop    Loop      // gradient steps, without an Optimizer
	Upper   Upper     // of α alone: OmegaStepSize must be 0

	// Weighting decides λ, nil for MGDA. The stepper owns it: its history is part
	// of the run.
	Weighting algo.Weighting

	Mode Mode // of the differentiation
}

// MOML is multi-objective meta learning: multiple-gradient descent in α on
// hypergradients h_i, which iterative differentiation of the lower level's loop
// gives. In step k
//
//	ω̃^T, h_i = ∇_αF_i + (dω̃^T/dα)ᵀ∇_ωF_i at (α_k, ω̃^T)
//	λ = argmin_{λ∈Δ} ‖Σ λ_i h_i‖²  (or what another weighting decides)
//	α_{k+1} = α_k − μ Σ λ_i h_i,  ω_{k+1} = ω̃^T
//
// where an Optimizer may turn the sum into another update. The run follows a
// weighting's own direction, so rules without weights can be run. Losses are F at
// (α_k, ω̃^T); the losses after a step are F at the end of the next step's loop, and
// the rule hears them before it decides again. Nothing is random, so further samples
// are the same hypergradients. A step whose weighting has no solution leaves α where
// it is.
//
// The view's Direction has length n and moves α; the view has no Jacobian, and Trace
// holds ω̃^T and the hypergradients. With a fixed start the method stalls at the
// residual of T steps.
//
// A step costs T gradients of the lower and m of the upper level, and products
// with the lower Hessian's rows or columns of ω: mT in reverse, nT in forward mode.
//
// References:
//   - Ye, Lin, Yue, Guo, Xiao & Zhang (2021), Multi-objective meta learning,
//     NeurIPS 34, Algorithm 1.
type MOML struct{ hyperdescent }

var _ Differentiating = (*MOML)(nil)

// NewMOML returns a run at its start. An error names the field of the
// configuration, its value and what is allowed.
func NewMOML(c MOMLConfig) (made *MOML, err error) {
	defer func() { err = choice.Field(err, configFields) }()
	if c.Weighting == nil {
		c.Weighting = weighting.NewMGDA(weighting.NormalizeNone)
	}
	s := &MOML{}
	if err := s.init(c); err != nil {
		return nil, err
	}
	return s, nil
}

// hyperdescent moves α along the direction that a weighting makes of hypergradients.
type hyperdescent struct {
	base
	differentiator *differentiator
	weighting      algo.Weighting
	observer       algo.Observer   // the weighting, where it observes losses
	tracker        *weighting.MoCo // the weighting, where it tracks hypergradients

	// The state besides base's. unheard: the rule has not yet heard the losses after the
	// last step; before holds the losses at its ω̃^T.
	unheard bool
	before  []float64

	weights []float64
	prior   []float64 // the tracker's weights before the step
	input   algo.Input
	result  algo.Result
}

func (s *hyperdescent) init(c MOMLConfig) error {
	if algo.Missing(c.Problem) {
		return algo.ErrNoProblem
	}
	if err := c.Loop.gradientStepsOnly(); err != nil {
		return err
	}
	if err := s.base.init(c.Problem, c.Start, c.Loop, c.Upper, true); err != nil {
		return err
	}
	var err error
	if s.differentiator, err = newDifferentiator(c.Problem, c.Mode); err != nil {
		return err
	}
	return s.setWeighting(c.Weighting)
}

// SetYielder makes steps yield.
func (s *hyperdescent) SetYielder(b *algo.Yielder) {
	s.base.SetYielder(b)
	s.differentiator.yielder = b
	algo.PassYielder(s.weighting, b)
}

// setWeighting takes w, and asks it about made-up hypergradients to refuse a weighting
// that does not fit the problem. It then restores the weighting's state.
func (s *hyperdescent) setWeighting(w algo.Weighting) error {
	s.weighting = w
	needs := w.Needs()
	if needs.After {
		observer, ok := w.(algo.Observer)
		if !ok {
			return errors.New("weighting: it needs the losses after a step and is no Observer")
		}
		s.observer, s.before = observer, make([]float64, s.m)
	}
	if tracker, ok := w.(*weighting.MoCo); ok {
		s.tracker, s.prior = tracker, make([]float64, s.m)
	}
	s.weights = make([]float64, s.m)
	if needs.Losses {
		s.input.Losses = s.differentiator.f
	}
	for range needs.Extra {
		s.input.Extra = append(s.input.Extra, s.differentiator.hyper)
	}
	// Entries that are positive pull together, so that rules which have no solution
	// at Pareto-stationary points have one here.
	for i := range s.differentiator.hyper.Data {
		s.differentiator.hyper.Data[i] = 1 + float64(0.5*portable.Sin(float64(i)))
	}
	copy(s.differentiator.f, s.f)
	s.input.SetGradients(s.differentiator.hyper)
	var history algo.Snapshot
	w.Save(&history)
	s.result = algo.Result{Weights: s.weights, Direction: s.direction}
	if err := w.Weigh(&s.result, &s.input); err != nil {
		return fmt.Errorf("weighting: %w", err)
	}
	w.Load(&history)
	return nil
}

// Step makes one step. It returns Running; NoSolution when the weighting had none and
// α stays where it is; or Diverged, from then on for good. An error is a fault of the
// weighting; the iterate then stays as it was before the step.
func (s *hyperdescent) Step() (algo.Status, error) {
	status, failed, err := s.try()
	if err != nil {
		return algo.Running, fmt.Errorf("iteration %d: %w", s.ledger.K, err)
	}
	if failed != nothing {
		return s.step(failed)
	}
	return status, nil
}

func (s *hyperdescent) try() (algo.Status, quantity, error) {
	if s.ledger.Diverged() {
		return algo.Diverged, s.ledger.Failed, nil
	}
	d := s.differentiator
	if failed := d.run(&s.base); failed != nothing {
		return algo.Diverged, failed, nil
	}
	if s.unheard {
		s.observer.Observe(s.before, d.f)
		s.unheard = false
	}
	s.input.SetGradients(d.hyper)
	s.input.K = s.ledger.K
	if s.tracker != nil && copy(s.prior, s.tracker.Weights()) == 0 {
		for i := range s.prior {
			s.prior[i] = 1 / float64(s.m)
		}
	}
	s.result = algo.Result{Weights: s.weights, Direction: s.direction}
	if err := s.weighting.Weigh(&s.result, &s.input); err != nil {
		// Weights and direction no longer belong to the last step.
		s.ledger.Stepped, s.from = false, nil
		return algo.Running, nothing, err
	}
	status := algo.Running
	switch s.result.Status {
	case algo.Diverged:
		return algo.Diverged, weights, nil
	case algo.NoSolution:
		status = algo.NoSolution
		s.result.Weights = nil
		clear(s.direction)
		s.motion.Stay(s.direction)
		copy(s.candidate[:s.n], s.z)
	default:
		if !algo.Finite(s.result.Weights) {
			return algo.Diverged, weights, nil
		}
		if failed := s.follow(); failed != nothing {
			return algo.Diverged, failed, nil
		}
	}
	copy(s.candidate[s.n:], s.loop.omega)
	if failed := s.commit(); failed != nothing {
		return algo.Diverged, failed, nil
	}
	if s.observer != nil && status == algo.Running {
		copy(s.before, d.f)
		s.unheard = true
	}
	s.shown.Weights = s.result.Weights
	s.trace.Omega, s.trace.Hypergradients, s.trace.Weighed = s.loop.omega, d.hyper, d.hyper
	if s.tracker != nil {
		s.trace.Weighed, s.trace.Prior = s.tracker.Tracked(), s.prior
	}
	return status, nothing, nil
}

// Measured returns (α_k, ω̃^T) after a loop at α_k: ω_k belongs to α_{k−1}.
func (s *hyperdescent) Measured() []float64 { return s.afterLoop() }

// UpperJacobian computes the Jacobian at (α_{k−1}, ω̃^T) again: the step turned it
// into the hypergradients in place.
func (s *hyperdescent) UpperJacobian() *algo.Jacobian {
	if !s.ledger.Stepped {
		return nil
	}
	s.problem.Jacobian(s.differentiator.upper, s.loop.point)
	return s.differentiator.upper
}

// WalkBack goes back through the loop of the last step.
func (s *hyperdescent) WalkBack(objective int, visit func(t int, v []float64)) {
	var points []float64
	if !s.walk(nil, 0, func(_ int, omega []float64) { points = append(points, omega...) }) {
		return
	}
	d, l := s.differentiator, &s.judge
	s.problem.Jacobian(d.upper, l.point)
	row := d.upper.Row(objective)
	for t := l.config.Steps; algo.Finite(row); t-- {
		visit(t, row[s.n:])
		if t == 0 {
			return
		}
		copy(l.omega, points[(t-1)*s.p:t*s.p])
		d.pull(row, l.point, l.config.StepSize)
	}
}

// StepCost counts the T gradients of the loop, the upper gradients and the products.
func (s *hyperdescent) StepCost(steps int) algo.Cost {
	var l ledger.Ledger[quantity]
	l.Gradients(steps, s.p)
	l.Gradients(s.m, s.n+s.p)
	l.Cost.HessianVectorProducts = s.differentiator.products(steps)
	return l.Cost
}

// PeakFloats counts z, direction and moments of the upper optimizer, ω̃ and the loop's
// other floats, upper gradients or (h_i, v_i), λ, and in reverse mode the pT of the
// loop's points, in forward mode the np of dω̃/dα. A weighting's own storage is not
// counted.
func (s *hyperdescent) PeakFloats() int {
	return s.n + s.p + s.n + optimizerFloats(s.upper.Optimizer, s.n) +
		s.p + s.loop.floats() + s.differentiator.floats(s.loop.config.Steps) + s.m
}

// Save appends the state and the history of the weighting.
func (s *hyperdescent) Save(to *algo.Snapshot) {
	s.base.Save(to)
	to.PutBool(s.unheard)
	to.PutFloats(s.before...)
	s.weighting.Save(to)
}

// Load restores what Save appended. It is for steppers of the same configuration,
// live settings apart.
func (s *hyperdescent) Load(from *algo.Snapshot) {
	s.base.Load(from)
	s.unheard = from.GetBool()
	from.GetFloats(s.before)
	s.weighting.Load(from)
}

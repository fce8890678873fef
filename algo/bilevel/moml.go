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
	Upper   Upper     // for α only; OmegaStepSize must be 0

	// Weighting computes λ; nil means MGDA. The stepper owns the weighting, because the weighting's history is part of
	// the run.
	Weighting algo.Weighting

	Mode Mode // mode of the differentiation
}

// MOML is multi-objective meta learning: multiple-gradient descent in α on hypergradients h_i. It computes them by
// iterative differentiation of the lower level's loop. Step k computes
//
//	ω̃^T, h_i = ∇_αF_i + (dω̃^T/dα)ᵀ∇_ωF_i at (α_k, ω̃^T)
//	λ = argmin_{λ∈Δ} ‖Σ λ_i h_i‖²  (or the weights that another weighting computes)
//	α_{k+1} = α_k − μ Σ λ_i h_i,  ω_{k+1} = ω̃^T
//
// where an Optimizer may turn the sum into another update. If a weighting returns a direction, the run follows this
// direction, so weightings without weights are supported too. The losses before a step are F at (α_k, ω̃^T). The losses
// after a step are F at the end of the next step's loop. The weighting receives them before it computes its next
// weights. Nothing is random, so every further sample that a weighting requests equals the first one. If the weighting
// has no solution, α does not move in that step.
//
// The view's Direction has length n and moves α. The view has no Jacobian; Trace contains ω̃^T and the
// hypergradients. From a fixed start, the method stalls at the residual of T steps.
//
// A step costs T gradients of the lower level and m gradients of the upper level. It also costs products with the lower
// Hessian: mT with its columns for ω in reverse mode, or nT with its rows for ω in forward mode.
//
// References:
//   - Ye, Lin, Yue, Guo, Xiao & Zhang (2021), Multi-objective meta learning,
//     NeurIPS 34, Algorithm 1.
type MOML struct{ hyperdescent }

var _ Differentiating = (*MOML)(nil)

// NewMOML returns a run at its start. An error names the field of the configuration, its value and the allowed
// values.
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

// hyperdescent moves α along the direction that a weighting computes from hypergradients.
type hyperdescent struct {
	base
	differentiator *differentiator
	weighting      algo.Weighting
	observer       algo.Observer   // the weighting, if it observes losses
	tracker        *weighting.MoCo // the weighting, if it tracks hypergradients

	// These fields extend base's state. If the weighting has not yet received the losses after the last step, unheard
	// is true, and the slice before contains the losses at that step's ω̃^T.
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

// SetYielder sets the yielder. Steps call it, and so does the weighting.
func (s *hyperdescent) SetYielder(b *algo.Yielder) {
	s.base.SetYielder(b)
	s.differentiator.yielder = b
	algo.PassYielder(s.weighting, b)
}

// setWeighting sets w. It first tries w on artificial hypergradients, to reject a weighting that does not fit the
// problem. It then restores the weighting's state.
func (s *hyperdescent) setWeighting(w algo.Weighting) error {
	s.weighting = w
	needs := w.Needs()
	if needs.After {
		observer, ok := w.(algo.Observer)
		if !ok {
			return errors.New("weighting: it needs the losses after a step, but does not implement algo.Observer")
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
	// Hypergradients with positive entries do not conflict. Weightings that have no solution at Pareto-stationary
	// points therefore have a solution here.
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

// Step takes one step. It returns Running; NoSolution if the weighting found no solution, so that α does not move; or
// Diverged once the run has diverged. It returns an error if the weighting fails. The iterate then stays as it was
// before the step.
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

// Measured returns (α_k, ω̃^T) after a loop at α_k, because ω_k belongs to α_{k−1}.
func (s *hyperdescent) Measured() []float64 { return s.afterLoop() }

// UpperJacobian recomputes the Jacobian at (α_{k−1}, ω̃^T), because the step overwrote it with
// the hypergradients.
func (s *hyperdescent) UpperJacobian() *algo.Jacobian {
	if !s.ledger.Stepped {
		return nil
	}
	s.problem.Jacobian(s.differentiator.upper, s.loop.point)
	return s.differentiator.upper
}

// WalkBack goes backward through the loop of the last step.
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

// StepCost counts the T gradients of the loop, the upper gradients, and the products with the lower Hessian.
func (s *hyperdescent) StepCost(steps int) algo.Cost {
	var l ledger.Ledger[quantity]
	l.Gradients(steps, s.p)
	l.Gradients(s.m, s.n+s.p)
	l.Cost.HessianVectorProducts = s.differentiator.products(steps)
	return l.Cost
}

// PeakFloats counts z, the direction and moments of the upper optimizer, ω̃ and the loop's other floats, upper
// gradients or (h_i, v_i), and λ. Reverse mode adds the pT numbers of the loop's points, and forward mode adds the np
// numbers of dω̃/dα. The count excludes the weighting's storage.
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

// Load restores what Save appended. The configuration of the stepper must be the same, except for live settings.
func (s *hyperdescent) Load(from *algo.Snapshot) {
	s.base.Load(from)
	s.unheard = from.GetBool()
	from.GetFloats(s.before)
	s.weighting.Load(from)
}

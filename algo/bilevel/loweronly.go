package bilevel

import (
	"paretoplay/algo"
	"paretoplay/algo/internal/ledger"
)

// LowerOnlyConfig configures a LowerOnly run.
type LowerOnlyConfig struct {
	Problem algo.Bilevel
	Start   []float64 // z_0 = (α_0, ω_0), copied; length n+p, with finite values
	Loop    Loop
}

// LowerOnly solves only the lower level: the loop moves ω, and α stays at its start. In hyper-cleaning, this means
// training on all labels with equal weights, the baseline for methods that clean the labels. A step costs T
// gradients of the lower level.
//
// LowerOnly's View has no weights and no Jacobian. The direction, which would move α, is 0.
type LowerOnly struct{ base }

var _ Stepper = (*LowerOnly)(nil)

// NewLowerOnly returns a run at its start. An error names the field of the configuration, its value and the allowed
// values.
func NewLowerOnly(c LowerOnlyConfig) (*LowerOnly, error) {
	s := &LowerOnly{}
	// init requires an upper step size, although it has no effect here.
	if err := s.init(c.Problem, c.Start, c.Loop, Upper{StepSize: 1}, true); err != nil {
		return nil, err
	}
	return s, nil
}

// Step takes one step. It returns Running, or Diverged once the run has diverged. The error is always nil.
func (s *LowerOnly) Step() (algo.Status, error) { return s.step(s.try()) }

func (s *LowerOnly) try() quantity {
	if s.ledger.Diverged() {
		return s.ledger.Failed
	}
	if !s.loop.run(s.z, nil, &s.ledger) {
		return lowerLoop
	}
	s.motion.Stay(s.direction)
	s.trace.Omega = s.loop.omega
	copy(s.candidate, s.loop.point)
	return s.commit()
}

// StepCost counts the T gradients of the loop.
func (s *LowerOnly) StepCost(steps int) algo.Cost {
	var l ledger.Ledger[quantity]
	l.Gradients(steps, s.p)
	return l.Cost
}

// PeakFloats counts z, ω̃ and the loop's other floats. It does not depend on T.
func (s *LowerOnly) PeakFloats() int { return s.n + s.p + s.p + s.loop.floats() }

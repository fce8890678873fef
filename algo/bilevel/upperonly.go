package bilevel

import (
	"paretoplay/algo"
	"paretoplay/algo/internal/ledger"
	"paretoplay/internal/portable"
)

// UpperOnlyConfig configures an UpperOnly run.
type UpperOnlyConfig struct {
	Problem algo.Bilevel
	Start   []float64 // z_0 = (α_0, ω_0), copied; length n+p, with finite values
	Loop    Loop      // T, η and optimizer of the steps, and where they start
}

// UpperOnly minimises the mean of the upper objectives in ω, and ignores the lower level. Each step takes T
// gradient steps of size η,
//
//	ω ← ω − (η/m) Σ_i ∇_ω F_i(α_0, ω),
//
// and α stays at its start. In hyper-cleaning, this means training only on the clean validation samples. The result
// shows whether the other samples are needed. A step costs mT gradients.
//
// UpperOnly's View has no weights and no Jacobian. The direction, which would move α, is 0. WalkLoop visits nothing,
// because UpperOnly does not run the lower level's loop.
type UpperOnly struct {
	base
	jac  *algo.Jacobian // m×(n+p)
	mean []float64      // mean of the ω parts of jac's rows, length p
}

var _ Stepper = (*UpperOnly)(nil)

// NewUpperOnly returns a run at its start. An error names the field of the configuration, its value and the allowed
// values.
func NewUpperOnly(c UpperOnlyConfig) (*UpperOnly, error) {
	s := &UpperOnly{}
	// init requires an upper step size, although it has no effect here.
	if err := s.init(c.Problem, c.Start, c.Loop, Upper{StepSize: 1}, true); err != nil {
		return nil, err
	}
	s.jac, s.mean = algo.NewJacobian(s.m, s.n+s.p), make([]float64, s.p)
	return s, nil
}

// Step takes one step. It returns Running, or Diverged once the run has diverged. The error is always nil.
func (s *UpperOnly) Step() (algo.Status, error) { return s.step(s.try()) }

func (s *UpperOnly) try() quantity {
	if s.ledger.Diverged() {
		return s.ledger.Failed
	}
	s.loop.begin(s.z)
	for range s.loop.config.Steps {
		if !s.jacobianAt(s.jac, s.loop.point) {
			return upperGradient
		}
		clear(s.mean)
		for i := range s.m {
			portable.AddScaled(s.mean, 1/float64(s.m), s.jac.Row(i)[s.n:])
		}
		if !s.loop.advance(s.mean, &s.ledger) {
			return update
		}
	}
	s.motion.Stay(s.direction)
	copy(s.candidate, s.loop.point)
	return s.commit()
}

// WalkLoop visits no point, because no step runs the lower level's loop.
func (s *UpperOnly) WalkLoop(func(t int, omega []float64)) {}

// StepCost counts the mT gradients of the step.
func (s *UpperOnly) StepCost(steps int) algo.Cost {
	var l ledger.Ledger[quantity]
	l.Gradients(s.m*steps, s.n+s.p)
	return l.Cost
}

// PeakFloats counts z, the moving ω, the Jacobian and its mean, and the other floats of the steps. It does not
// depend on T.
func (s *UpperOnly) PeakFloats() int {
	return s.n + s.p + s.p + s.m*(s.n+s.p) + s.loop.floats() // s.loop.floats counts the mean as the loop's gradient
}

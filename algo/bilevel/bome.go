package bilevel

import (
	"math"

	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
	"paretoplay/internal/portable"
)

// DefaultBOMERho is the default ρ of BOME, as in its paper.
const DefaultBOMERho = 0.5

// BOMEConfig configures a BOME run.
type BOMEConfig struct {
	Problem algo.Bilevel
	Start   []float64 // z_0 = (α_0, ω_0), copied; length n+p, with finite values
	Loop    Loop
	Upper   Upper
	Rho     float64 // ρ ≥ 0, in φ = ρ‖∇q̃‖²
}

// BOME is bilevel optimization made easy, a first-order method for one upper objective. Here this objective is the
// mean F̄ of all upper objectives. Step k computes
//
//	ω̃^T, q̃ and ∇q̃ as in FORUM, φ = ρ‖∇q̃‖²
//	ν = max((φ − ⟨∇F̄, ∇q̃⟩)/‖∇q̃‖², 0)
//	z ← z − μ(∇F̄ + ν∇q̃)
//
// If ‖∇q̃‖ ≤ 1e-14·max‖∇F_i‖, there is no constraint, and ν is 0. The mean is computed from the gradients of all
// objectives, so a step costs the same as a step of FORUM.
//
// References:
//   - Liu, Ye, Wright, Stone & Liu (2022), BOME! Bilevel optimization made easy: a
//     simple first-order approach, NeurIPS 35, Algorithm 1.
type BOME struct {
	valueFunction
	mean []float64 // m entries 1/m
}

var _ Stepper = (*BOME)(nil)

// NewBOME returns a run at its start. An error names the field of the configuration, its value and the allowed
// values.
func NewBOME(c BOMEConfig) (made *BOME, err error) {
	defer func() { err = choice.Field(err, configFields) }()
	s := &BOME{}
	if err := s.init(c.Problem, c.Start, c.Loop, c.Upper, c.Rho); err != nil {
		return nil, err
	}
	s.mean = equalWeights(s.m)
	s.shown.Weights = s.mean
	return s, nil
}

func equalWeights(m int) []float64 {
	w := make([]float64, m)
	for i := range w {
		w[i] = 1 / float64(m)
	}
	return w
}

// Step takes one step. It returns Running, or Diverged once the run has diverged. The error is always nil.
func (s *BOME) Step() (algo.Status, error) { return s.step(s.try()) }

func (s *BOME) try() quantity {
	if s.ledger.Diverged() {
		return s.ledger.Failed
	}
	q, hasConstraint, failed := s.evaluate()
	if failed != nothing {
		return failed
	}
	s.jacobian.Combine(s.direction, s.mean)
	s.trace = Trace{Omega: s.loop.omega, Q: q, QGradient: s.qGradient, Phi: s.rho * square(s.qGradient)}
	if hasConstraint {
		c := s.constrained
		nu := max(s.rho-float64(portable.Dot(c.inner, s.mean)*(c.unit/c.length)), 0)
		if math.IsInf(nu, 1) {
			return multiplier
		}
		s.trace.Nu = nu
		portable.AddScaled(s.direction, nu, s.qGradient)
	}
	if failed := s.follow(); failed != nothing {
		return failed
	}
	return s.commit()
}

// PeakFloats counts z, the loop, two lower gradients, the upper Jacobian, the
// direction and the optimizers' moments. It does not depend on T.
func (s *BOME) PeakFloats() int { return s.floats() }

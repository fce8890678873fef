package bilevel

import (
	"paretoplay/algo"
	"paretoplay/algo/internal/choice"
	"paretoplay/algo/weighting"
)

// MoCoConfig configures a MoCo run.
type MoCoConfig struct {
	Problem algo.LowerHessian
	Start   []float64 // z_0 = (α_0, ω_0), copied; length n+p, with finite values
	Loop    Loop      // gradient steps, without an Optimizer
	Upper   Upper     // for α only; OmegaStepSize must be 0

	Beta  float64 // β in (0, 1]; a larger β tracks the hypergradients faster
	Gamma float64 // γ > 0, step size of the weights
	Decay float64 // 0 or ½; step k divides β and γ by (k+1)^Decay
	Rho   float64 // ρ ≥ 0, regularization of the weights

	Mode Mode // mode of the differentiation
}

// MoCo is multi-objective descent with gradient correction. It tracks the hypergradients h_i of MOML in the rows of Y,
// which start at 0. The weights λ start at 1/m. Step k computes
//
//	y_i ← y_i − β_k(y_i − h_i)
//	λ ← Π_Δ(λ − γ_k(YYᵀ + ρI)λ)
//	α_{k+1} = α_k − μ Yᵀλ,  ω_{k+1} = ω̃^T
//
// with β_k = β(k+1)^(−decay) and γ_k = γ(k+1)^(−decay). An Optimizer may turn Yᵀλ into another update. View, trace and
// cost are the same as for MOML. The direction combines the rows of Y instead of the hypergradients. Tracked returns Y.
//
// References:
//   - Fernando, Shen, Liu, Chaudhury, Murugesan & Chen (2023), Mitigating gradient
//     bias in multi-objective learning: a provably convergent approach, ICLR,
//     Algorithm 1 with hypergradients.
type MoCo struct {
	hyperdescent
	rule *weighting.MoCo
}

var _ Differentiating = (*MoCo)(nil)

// NewMoCo returns a run at its start. An error names the field of the configuration, its value and the allowed
// values.
func NewMoCo(c MoCoConfig) (made *MoCo, err error) {
	defer func() { err = choice.Field(err, configFields) }()
	if c.Decay != 0 && c.Decay != 0.5 {
		return nil, &algo.RangeError{Name: "decay", Value: c.Decay, Allowed: "it must be 0 or 0.5"}
	}
	rule, err := weighting.NewMoCo(weighting.MoCoConfig{Beta: c.Beta, Gamma: c.Gamma, Decay: c.Decay, Rho: c.Rho})
	if err != nil {
		return nil, err
	}
	s := &MoCo{rule: rule}
	err = s.init(MOMLConfig{
		Problem: c.Problem, Start: c.Start, Loop: c.Loop, Upper: c.Upper, Weighting: rule, Mode: c.Mode,
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Tracked returns Y, or nil before the first step. It belongs to the stepper and is valid until
// the next Step or Load.
func (s *MoCo) Tracked() *algo.Jacobian { return s.rule.Tracked() }

// PeakFloats counts the floats of MOML, and the mn numbers of Y.
func (s *MoCo) PeakFloats() int { return s.hyperdescent.PeakFloats() + s.m*s.n }

package weighting

import (
	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/portable"
)

const defaultUWLearningRate = 0.025

// UW weights the gradients by
//
//	λ_i = ½·exp(−s_i),   s_i ← s_i − lr·½(1 − exp(−s_i)·f_i) after each decision
//
// starting from s_i = 0 by default. UW stands for uncertainty weighting. Every objective has a log-variance s_i,
// which gradient descent learns together with x by minimising
//
//	Σ_i ½·exp(−s_i)·f_i(x) + ½·s_i
//
// At equilibrium, λ_i = 1/(2f_i). The sum is bounded below only if the losses are positive. If a loss stays negative,
// its weight grows until the result is not finite.
//
// References:
//   - Kendall, Gal & Cipolla (2018), Multi-task learning using uncertainty to weigh
//     losses for scene geometry and semantics, CVPR, equation (7), as log-variances.
type UW struct {
	rate, initial float64
	s             []float64 // nil before the first decision
}

var _ algo.Weighting = (*UW)(nil)

// NewUW returns the rule with learning rate lr > 0 of the log-variances.
func NewUW(lr float64) (*UW, error) {
	if err := positive("lr", lr); err != nil {
		return nil, err
	}
	return &UW{rate: lr}, nil
}

// Needs reports that the rule requires the losses.
func (u *UW) Needs() algo.Needs { return algo.Needs{Losses: true, Blind: true} }

// Weigh stores the weights and the direction Gᵀλ, and updates the log-variances with the
// losses. The gap is NaN, because there is no inner problem.
func (u *UW) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, u.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	if len(u.s) == 0 {
		u.s = resize(u.s, m)
		for i := range u.s {
			u.s[i] = u.initial
		}
	}
	if len(u.s) != m {
		return inputErrorf("uw: %d objectives; earlier decisions had %d", m, len(u.s))
	}
	for i, s := range u.s {
		precision := portable.Exp(-s)
		r.Weights[i] = precision / 2
		u.s[i] = s - float64(u.rate*(1-float64(precision*in.Losses[i]))/2)
	}
	combine(r, in)
	conclude(r)
	return nil
}

// LogVariances returns s, which is nil before the first decision. The slice belongs to the
// rule and is valid until the next decision.
func (u *UW) LogVariances() []float64 { return u.s }

// Save appends the log-variances.
func (u *UW) Save(s *algo.Snapshot) {
	s.PutInt(len(u.s))
	s.PutFloats(u.s...)
}

// Load restores the state that Save appended.
func (u *UW) Load(s *algo.Snapshot) {
	u.s = resize(u.s, s.GetInt())
	s.GetFloats(u.s)
}

var ruleUW = Method{
	Name: "uw", Title: "Uncertainty weighting", Paper: "Kendall, Gal & Cipolla 2018, equation 7",
	Help:      "Learns a log-variance for each objective and weights the objective by the inverse variance.",
	Needs:     algo.Needs{Losses: true, Blind: true},
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
	Positive:  "drives the learned variances to zero and makes the weights grow without bound",
	configure: configureUW,
}

func configureUW(s *scope) Constructor {
	rate := float64(defaultUWLearningRate)
	s.list.Number(&rate, s.describe(param.Descriptor{
		Name: "lr", Label: "Learning rate of the log-variances",
		Min: 1e-4, Max: 1, Scale: param.Log,
		Effect: param.Restart,
		Help:   "Sets how fast each objective’s log-variance is learned.",
	}))
	initial := 0.0
	if s.all {
		s.list.Number(&initial, s.describe(param.Descriptor{
			Name: "initial", Symbol: "s", Label: "Initial log-variance",
			Min: -10, Max: 10, Step: 0.1,
			Effect: param.Restart,
			Help:   "Sets each objective’s log-variance at the first decision (LibMTL, UW.py: -0.5; TorchJD: 0).",
		}))
	}
	return func(Context) (algo.Weighting, error) {
		rule, err := NewUW(rate)
		if err == nil {
			rule.initial = initial
		}
		return rule, err
	}
}

package weighting

import (
	"paretoplay/algo"
	"paretoplay/algo/param"
)

const defaultMoDoGamma = 0.1

// MoDo updates its weights by
//
//	λ ← Π_Δ(λ − γ(G(ξ1)·G(ξ2)ᵀλ + ρλ)),   direction G(ξ3)ᵀλ
//
// starting from λ = 1/m. MoDo stands for multi-objective gradient method with double sampling. Two independent samples
// make the step of the weights unbiased. The input's two further samples are those of ξ1 and ξ2, and its Jacobian is
// that of ξ3. ρ is 0 by default.
//
// References:
//   - Chen, Fernando, Ying & Chen (2024), Three-way trade-off in multi-objective
//     learning: optimization, generalization and conflict-avoidance, JMLR 25,
//     Algorithm 1. The regularization ρ is from TorchJD 0.18 and LibMTL, whose default is 0.1.
type MoDo struct {
	gamma, rho float64
	multipliers
}

var _ algo.Weighting = (*MoDo)(nil)

// NewMoDo returns the rule. γ > 0 is the step size of the weights.
func NewMoDo(gamma float64) (*MoDo, error) {
	if err := positive("gamma", gamma); err != nil {
		return nil, err
	}
	return &MoDo{gamma: gamma}, nil
}

// Needs reports that the rule requires two further samples.
func (d *MoDo) Needs() algo.Needs { return algo.Needs{Extra: 2} }

// Weigh updates the weights, and stores them and the direction Gᵀλ. The gap is NaN, because no inner problem is
// solved.
func (d *MoDo) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, d.Needs()); !ok {
		return err
	}
	m := len(r.Weights)
	if err := checkSamples(in, m, 2); err != nil {
		return err
	}
	if err := d.prepare(m); err != nil {
		return err
	}
	if !d.step(in.Extra[0], in.Extra[1], d.gamma, 0, d.rho) {
		diverged(r)
		return nil
	}
	copy(r.Weights, d.lambda)
	combine(r, in)
	conclude(r)
	return nil
}

// Save appends the weights.
func (d *MoDo) Save(s *algo.Snapshot) { d.save(s) }

// Load restores the state that Save appended.
func (d *MoDo) Load(s *algo.Snapshot) { d.load(s) }

var ruleMoDo = Method{
	Name: "modo", Title: "MoDo", Paper: "Chen et al. 2024, Algorithm 1",
	Help:      "Moves the weights gradually, using two independent samples of the gradients.",
	Needs:     algo.Needs{Extra: 2},
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true},
	configure: configureMoDo,
}

func configureMoDo(s *scope) Constructor {
	gamma := float64(defaultMoDoGamma)
	s.list.Number(&gamma, s.describe(param.Descriptor{
		Name: "gamma", Symbol: "γ", Label: "Step size of the weights",
		Min: 1e-4, Max: 10, Scale: param.Log,
		Effect: param.Restart,
		Help:   "Sets how far one decision moves the weights (Chen et al. 2024, Algorithm 1).",
	}))
	rho := 0.0
	if s.all {
		s.list.Number(&rho, s.describe(param.Descriptor{
			Name: "rho", Symbol: "ρ", Label: "Regularization",
			Max:    10,
			Effect: param.Restart,
			Help:   "Pulls the weights towards equal weights (TorchJD and LibMTL use 0.1). 0 is the paper’s algorithm.",
		}))
	}
	return func(Context) (algo.Weighting, error) {
		rule, err := NewMoDo(gamma)
		if err == nil {
			rule.rho = rho
		}
		return rule, err
	}
}

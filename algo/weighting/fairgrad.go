package weighting

import (
	"fmt"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

// FairGrad solves for weights
//
//	GGᵀw = w^(−1/α),   w > 0
//
// The direction is d = Gᵀw. This is α-fair resource allocation. The products are g_i·d = w_i^(−1/α) > 0. With α = 1,
// FairGrad is Nash-MTL. A larger α favours the objective that gains least. FairGrad has no solution where Nash-MTL has
// no solution.
//
// References:
//   - Ban & Ji (2024), Fair resource allocation in multi-task learning, ICML,
//     Algorithm 1.
type FairGrad struct {
	memoryless
	alpha  float64
	solver fairness
}

const leastAlpha, maxAlpha = 0.1, 100

var _ algo.Weighting = (*FairGrad)(nil)

// NewFairGrad returns the rule with alpha in [0.1, 100].
func NewFairGrad(alpha float64) (*FairGrad, error) {
	if !(alpha >= leastAlpha && alpha <= maxAlpha) {
		return nil, refused("alpha", alpha, fmt.Sprintf("a number from %g to %d", leastAlpha, maxAlpha))
	}
	return &FairGrad{alpha: alpha}, nil
}

// Needs reports that the rule requires only the Gramian. The rows improve the precision if gradients nearly cancel.
func (f *FairGrad) Needs() algo.Needs { return algo.Needs{} }

// Weigh stores w and the direction. The gap is the largest error in g_i·d = w_i^(−1/α), relative to the product or to
// ‖g_i‖·‖d‖, whichever is larger. It is at most 1e-8 unless the status is Budget.
func (f *FairGrad) Weigh(r *algo.Result, in *algo.Input) error {
	return f.solver.weigh(r, in, f.alpha, 0)
}

var ruleFairGrad = Method{
	Name: "fairgrad", Title: "FairGrad", Paper: "Ban & Ji 2024, Algorithm 1",
	Help:      "Allocates progress among the objectives by α-fairness.",
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, NonConflicting: true},
	configure: configureFairGrad,
}

func configureFairGrad(s *scope) Constructor {
	alpha := 2.0
	s.list.Number(&alpha, s.describe(param.Descriptor{
		Name: "alpha", Symbol: "α", Label: "Fairness",
		Min: leastAlpha, Max: maxAlpha, Scale: param.Log,
		Effect: param.Restart,
		Help:   "Sets the exponent of α-fairness (Ban & Ji 2024). 1 is Nash-MTL; larger values favour the objective that gains least.",
	}))
	return func(Context) (algo.Weighting, error) { return NewFairGrad(alpha) }
}

package weighting

import (
	"paretoplay/algo"
	"paretoplay/algo/param"
)

// NashMTL solves for weights
//
//	GGᵀα = 1/α,   α > 0
//
// The direction d = Gᵀα is the Nash bargaining solution. Then g_i·d = 1/α_i > 0, and d has length √m unless a maximum
// length is set. The direction of d does not depend on the scale of any gradient. At Pareto-stationary points there is
// no solution, so d is zero and the status is NoSolution. A point counts as stationary if the shortest vector in the
// hull of the gradients is at most 1e-10 times as long as the longest gradient.
//
// The rule solves for every decision to rounding precision from the same initial point, so it has no history.
//
// References:
//   - Navon, Shamsian, Achituve, Maron, Kawaguchi, Chechik & Fetaya (2022),
//     Multi-task learning as a bargaining game, ICML, Claim 3.1 and Algorithm 1.
type NashMTL struct {
	memoryless
	maxNorm float64
	solver  fairness
}

var _ algo.Weighting = (*NashMTL)(nil)

// NewNashMTL returns the rule. If a direction is longer than maxNorm, the rule scales it down to this length, and
// multiplies the weights by the same factor. maxNorm is finite and at least 0; 0 means no limit.
func NewNashMTL(maxNorm float64) (*NashMTL, error) {
	if err := notNegative("maxnorm", maxNorm); err != nil {
		return nil, err
	}
	return &NashMTL{maxNorm: maxNorm}, nil
}

// Needs reports that the rule requires only the Gramian. The rows improve the precision if gradients nearly cancel.
func (n *NashMTL) Needs() algo.Needs { return algo.Needs{} }

// Weigh stores α and the direction. The gap is the largest error in g_i·d = 1/α_i before shortening, relative to
// 1/α_i or to ‖g_i‖·‖d‖, whichever is larger. It is at most 1e-8 unless the status is Budget.
func (n *NashMTL) Weigh(r *algo.Result, in *algo.Input) error {
	return n.solver.weigh(r, in, 1, n.maxNorm)
}

var ruleNashMTL = Method{
	Name: "nashmtl", Title: "Nash-MTL", Paper: "Navon et al. 2022, Claim 3.1",
	Help:      "Follows the Nash bargaining solution, which does not depend on the scale of any gradient.",
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, NonConflicting: true},
	configure: configureNashMTL,
}

func configureNashMTL(s *scope) Constructor {
	maxNorm := 0.0
	s.list.Number(&maxNorm, s.describe(param.Descriptor{
		Name: "maxnorm", Label: "Largest length",
		Min: 0, Max: 100, Step: 0.1,
		Effect: param.Restart,
		Help:   "Shortens longer directions to this length (Navon et al. 2022, code: 1). 0 means no limit.",
	}))
	return func(Context) (algo.Weighting, error) { return NewNashMTL(maxNorm) }
}

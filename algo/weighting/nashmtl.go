package weighting

import (
	"paretoplay/algo"
	"paretoplay/algo/param"
)

// NashMTL solves for weights
//
//	GGᵀα = 1/α,   α > 0
//
// of the direction d = Gᵀα, the Nash bargaining solution. Then g_i·d = 1/α_i > 0, and
// d has length √m unless a largest length is set. Its direction does not depend on
// the scale of any gradient. There is no solution, and the direction is zero with
// status NoSolution, at Pareto-stationary points: where the shortest vector in the
// hull of the gradients is at most 1e-10 of the longest gradient.
//
// Every decision is solved to rounding from the same start, so there is no history to
// warm-start from.
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

// NewNashMTL returns the rule. A direction that is longer than the finite maxNorm
// ≥ 0 is shortened to it, with its weights; 0 is no limit.
func NewNashMTL(maxNorm float64) (*NashMTL, error) {
	if err := notNegative("maxnorm", maxNorm); err != nil {
		return nil, err
	}
	return &NashMTL{maxNorm: maxNorm}, nil
}

// Needs says that the Gramian is enough; rows sharpen gradients that nearly cancel.
func (n *NashMTL) Needs() algo.Needs { return algo.Needs{} }

// Weigh stores α and the direction. The gap is the largest error of
// g_i·d = 1/α_i before shortening, relative to 1/α_i or to ‖g_i‖·‖d‖, whichever is
// larger; it is at most 1e-8 unless the status is Budget.
func (n *NashMTL) Weigh(r *algo.Result, in *algo.Input) error {
	return n.solver.weigh(r, in, 1, n.maxNorm)
}

var ruleNashMTL = Method{
	Name: "nashmtl", Title: "Nash-MTL", Paper: "Navon et al. 2022, Claim 3.1",
	Help:      "The Nash bargaining solution, whatever the scale of each gradient.",
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, NonConflicting: true},
	configure: configureNashMTL,
}

func configureNashMTL(s *scope) Constructor {
	maxNorm := 0.0
	s.list.Number(&maxNorm, s.describe(param.Descriptor{
		Name: "maxnorm", Label: "Largest length",
		Min: 0, Max: 100, Step: 0.1,
		Effect: param.Restart,
		Help:   "A longer direction is shortened to this length (Navon et al. 2022, code, has 1); 0 is no limit.",
	}))
	return func(Context) (algo.Weighting, error) { return NewNashMTL(maxNorm) }
}

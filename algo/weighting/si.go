package weighting

import (
	"slices"

	"paretoplay/algo"
	"paretoplay/algo/param"
)

// SI weights the gradients by
//
//	λ_s = 1/f_s,   or normalized   λ_s = (1/f_s)/Σ_t (1/f_t)
//
// It thus follows the gradient of Σ log f_s. SI stands for scale invariant. Multiplying a loss by a constant does not
// change the direction. Every loss must be positive.
//
// References:
//   - The baseline "SI" of Navon et al. (2022), Multi-task learning as a bargaining
//     game, ICML, section 5.
type SI struct {
	memoryless
	normalize bool
}

var _ algo.Weighting = (*SI)(nil)

// NewSI returns the rule. If normalize is true, the weights have sum 1.
func NewSI(normalize bool) *SI { return &SI{normalize: normalize} }

// Needs reports that the rule requires the losses.
func (s *SI) Needs() algo.Needs { return algo.Needs{Losses: true, Blind: true} }

// Weigh stores the weights and the direction Gᵀλ. It returns an error if a loss is not
// positive. The gap is NaN, because there is no inner problem.
func (s *SI) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, s.Needs()); !ok {
		return err
	}
	for i, f := range in.Losses {
		if !(f > 0) {
			return refusedLoss("si", i, f, "above 0")
		}
	}
	if s.normalize {
		// Quotients relative to the smallest loss cannot overflow.
		smallest := slices.Min(in.Losses)
		var sum float64
		for i, f := range in.Losses {
			r.Weights[i] = smallest / f
			sum += r.Weights[i]
		}
		for i := range r.Weights {
			r.Weights[i] /= sum
		}
	} else {
		for i, f := range in.Losses {
			r.Weights[i] = 1 / f
		}
	}
	combine(r, in)
	conclude(r)
	return nil
}

var ruleSI = Method{
	Name: "si", Title: "Scale invariant", Paper: "Navon et al. 2022, section 5",
	Help:      "Follows the gradient of the sum of the logarithms of the losses, which must be positive.",
	Needs:     algo.Needs{Losses: true, Blind: true},
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
	Positive:  "rules out weights of 1/f",
	configure: configureSI,
}

func configureSI(s *scope) Constructor {
	var normalize bool
	s.list.Bool(&normalize, s.describe(param.Descriptor{
		Name: "normalize", Label: "Weights with sum 1",
		Effect: param.Restart,
		Help:   "If on, divides the weights 1/f by their sum. If off, the direction is the gradient of Σ log f.",
	}))
	return func(Context) (algo.Weighting, error) { return NewSI(normalize), nil }
}

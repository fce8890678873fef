package weighting

import (
	"paretoplay/algo"
	"paretoplay/internal/portable"
)

// GLS weights the gradients by
//
//	λ_i = (Π f)^(1/m)/(m·f_i)
//
// It thus follows the gradient of the geometric mean of the losses, (Π f_i)^(1/m). GLS stands for geometric loss
// strategy. Multiplying a loss by a constant changes only the length of the direction. SI has the same direction with
// a different length. Every loss must be positive.
//
// References:
//   - Chennupati, Sistu, Yogamani & Rawashdeh (2019), MultiNet++: Multi-stream feature
//     aggregation and geometric loss strategy for multi-task learning, CVPR workshops,
//     equation (2).
type GLS struct{ memoryless }

var _ algo.Weighting = (*GLS)(nil)

// NewGLS returns the rule, which has no parameters.
func NewGLS() *GLS { return &GLS{} }

// Needs reports that the rule requires the losses.
func (g *GLS) Needs() algo.Needs { return algo.Needs{Losses: true, Blind: true} }

// Weigh stores the weights and the direction Gᵀλ. It returns an error if a loss is not
// positive. The gap is NaN, because there is no inner problem.
func (g *GLS) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, g.Needs()); !ok {
		return err
	}
	m := float64(len(r.Weights))
	var mean float64 // mean of the logarithms, because the product may overflow
	for i, f := range in.Losses {
		if !(f > 0) {
			return refusedLoss("gls", i, f, "above 0")
		}
		r.Weights[i] = portable.Log(f)
		mean += r.Weights[i] / m
	}
	for i, l := range r.Weights {
		r.Weights[i] = portable.Exp(mean-l) / m
	}
	combine(r, in)
	conclude(r)
	return nil
}

var ruleGLS = Method{
	Name: "gls", Title: "GLS", Paper: "Chennupati et al. 2019, equation (2)",
	Help:      "Follows the gradient of the geometric mean of the losses, which must be positive.",
	Needs:     algo.Needs{Losses: true, Blind: true},
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Permutation: true, Homogeneous: true},
	Positive:  "leaves their geometric mean undefined",
	configure: configureGLS,
}

// configureGLS binds no parameters, because GLS has none.
func configureGLS(*scope) Constructor {
	return func(Context) (algo.Weighting, error) { return NewGLS(), nil }
}

package weighting

import (
	"fmt"
	"math"
	"slices"

	"paretoplay/algo"
)

// LinearScalarization steps along
//
//	d = Σ λ_i g_i
//
// with fixed weights λ, so it minimises Σ λ_i f_i. With equal weights it is the usual baseline in the literature. It
// finds only points on the convex part of a Pareto front.
type LinearScalarization struct {
	memoryless
	weights []float64 // nil means equal weights
}

var _ algo.Weighting = (*LinearScalarization)(nil)

// NewLinearScalarization returns the rule with the given weights, which it copies. nil means 1/m for each of the m
// objectives, for any m. Weights must be finite and at least 0. Their sum must be 1 to within 1e-9; the rule then
// divides the weights by their sum.
func NewLinearScalarization(weights []float64) (*LinearScalarization, error) {
	if weights == nil {
		return &LinearScalarization{}, nil
	}
	var sum float64
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return nil, refused(fmt.Sprintf("weights[%d]", i), w, "a number from 0 to 1")
		}
		sum += w
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return nil, &algo.RangeError{
			Name: "weights", Value: weights, Allowed: "sum 1", Text: fmt.Sprintf("weights = %v with sum %g; the sum must be 1", weights, sum),
		}
	}
	weights = slices.Clone(weights)
	for i := range weights {
		weights[i] /= sum
	}
	return &LinearScalarization{weights: weights}, nil
}

// Needs reports that the rule requires neither gradients nor losses.
func (l *LinearScalarization) Needs() algo.Needs { return algo.Needs{Blind: true} }

// Weigh stores the fixed weights and the direction Gᵀλ. The gap is NaN, because there is
// no inner problem.
func (l *LinearScalarization) Weigh(r *algo.Result, in *algo.Input) error {
	if ok, err := begin(r, in, l.Needs()); !ok {
		return err
	}
	if l.weights != nil && len(l.weights) != len(r.Weights) {
		return refused("weights", l.weights, fmt.Sprintf("one for each of %d objectives", len(r.Weights)))
	}
	for i := range r.Weights {
		r.Weights[i] = 1 / float64(len(r.Weights))
	}
	copy(r.Weights, l.weights)
	combine(r, in)
	r.Gap, r.Status = math.NaN(), algo.Converged
	confirm(r, in)
	return nil
}

var ruleLS = Method{
	Name: "ls", Title: "Linear scalarization", Paper: "—",
	Help:      "Uses fixed weights; here all are equal.",
	Needs:     algo.Needs{Blind: true},
	Promises:  Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true, Homogeneous: true},
	configure: configureLS,
}

// configureLS binds no parameters. For unequal weights, call NewLinearScalarization.
func configureLS(*scope) Constructor {
	return func(Context) (algo.Weighting, error) { return NewLinearScalarization(nil) }
}

package weighting

import "paretoplay/algo"

// SMG follows
//
//	λ* = argmin_{λ∈Δ} ‖Σ λ_i g_i‖²,   direction Σ λ*_i g_i
//
// of the gradients of a batch of b_t = min(N, b_0·(t+1)) of the N examples: the
// stochastic multi-gradient method. The bias of the weights, which comes from the
// noise of the gradients, vanishes as the batch grows. As a rule it is MGDA; the
// caller that evaluates the gradients asks BatchSize for the batch.
//
// References:
//   - Liu & Vicente (2021), The stochastic multi-gradient algorithm for
//     multi-objective optimization and its application to supervised machine
//     learning, Annals of Operations Research, Algorithm 2.
type SMG struct{ MGDA }

var _ algo.Weighting = (*SMG)(nil)

// DefaultBatchSize is b_0, the batch of SMG's first step.
const DefaultBatchSize = 1

// NewSMG returns the rule.
func NewSMG() *SMG { return new(SMG) }

// BatchSize returns b_t = min(n, first·(t+1)), the number of examples of step t ≥
// 0, for n ≥ 1 examples in all and first ≥ 1 in the first batch.
func BatchSize(t, n, first int) int {
	// The comparison keeps the product from overflowing.
	if t >= n/first {
		return n
	}
	return min(n, first*(t+1))
}

var ruleSMG = Method{
	Name: "smg", Title: "SMG", Paper: "Liu & Vicente 2021, Algorithm 2",
	Help: "MGDA on batches that grow by a fixed number of examples in every step.",
	Promises: Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true, NonConflicting: true,
		Homogeneous: true},
	configure: configureSMG,
}

// configureSMG has no parameters: the batch is the stepper's.
func configureSMG(*scope) Constructor {
	return func(Context) (algo.Weighting, error) { return NewSMG(), nil }
}

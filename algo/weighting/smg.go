package weighting

import "paretoplay/algo"

// SMG follows
//
//	λ* = argmin_{λ∈Δ} ‖Σ λ_i g_i‖²,   direction Σ λ*_i g_i
//
// where the gradients come from a batch of b_t = min(N, b_0·(t+1)) of N examples. SMG stands for stochastic
// multi-gradient method. The noise of the gradients biases the weights, but this bias vanishes as the batch grows.
// The rule itself is MGDA. The caller evaluates the gradients and calls BatchSize for the size of the batch.
//
// References:
//   - Liu & Vicente (2021), The stochastic multi-gradient algorithm for
//     multi-objective optimization and its application to supervised machine
//     learning, Annals of Operations Research, Algorithm 2.
type SMG struct{ MGDA }

var _ algo.Weighting = (*SMG)(nil)

// DefaultBatchSize is the default size b_0 of SMG's first batch.
const DefaultBatchSize = 1

// NewSMG returns the rule. Use BatchSize to choose the size of each step's batch.
func NewSMG() *SMG { return new(SMG) }

// BatchSize returns b_t = min(n, first·(t+1)), the number of examples in step t ≥ 0, for
// n ≥ 1 examples in total and first ≥ 1 in the first batch.
func BatchSize(t, n, first int) int {
	// This comparison avoids overflow in the product.
	if t >= n/first {
		return n
	}
	return min(n, first*(t+1))
}

var ruleSMG = Method{
	Name: "smg", Title: "SMG", Paper: "Liu & Vicente 2021, Algorithm 2",
	Help: "Runs MGDA on batches that grow by a fixed number of examples in every step.",
	Promises: Promises{Weights: true, Combination: true, Effective: true, Simplex: true, Permutation: true, NonConflicting: true,
		Homogeneous: true},
	configure: configureSMG,
}

// configureSMG binds no parameters, because the caller determines the batch size.
func configureSMG(*scope) Constructor {
	return func(Context) (algo.Weighting, error) { return NewSMG(), nil }
}

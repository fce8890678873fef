package descent

import (
	"math/rand/v2"

	"paretoplay/algo"
	"paretoplay/algo/weighting"
)

// batches draws the examples of every step without replacement.
type batches struct {
	first int  // b_0; 0 without batches
	n     int  // N
	fixed bool // whether every batch has b_0 examples
	order []int
	state rand.PCG
	draw  *rand.Rand // draws its numbers from state
}

// prepare configures batches of min(N, first·(t+1)) examples in step t, or of min(N, first) examples in every step if
// fixed is true. first = 0 means no batches.
func (b *batches) prepare(p algo.Sampled, first int, fixed bool) error {
	if first == 0 {
		return nil
	}
	if first < 0 {
		return &algo.RangeError{Name: "batch b0", Value: first, Allowed: "the first batch must have at least one example; 0 turns batches off"}
	}
	sum, ok := p.(algo.FiniteSum)
	if !ok {
		return &algo.RangeError{Name: "batch b0", Value: first, Allowed: "the problem has no examples, so batches are impossible"}
	}
	b.first, b.fixed, b.n = first, fixed, sum.Examples()
	b.order = make([]int, b.n)
	b.draw = rand.New(&b.state)
	return nil
}

// at returns the batch of step t, drawn from the generator g, or nil for all examples. The slice is valid until the
// next call.
func (b *batches) at(t int, g rand.PCG) []int {
	if b.first == 0 {
		return nil
	}
	size := min(b.n, b.first)
	if !b.fixed {
		size = weighting.BatchSize(t, b.n, b.first)
	}
	if size == b.n {
		return nil
	}
	for i := range b.order {
		b.order[i] = i
	}
	b.state = g
	for i := range size {
		j := i + b.draw.IntN(b.n-i)
		b.order[i], b.order[j] = b.order[j], b.order[i]
	}
	return b.order[:size]
}

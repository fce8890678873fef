package runs

import (
	"math/rand/v2"
	"slices"

	"paretoplay/algo"
)

// RandomWeights returns the fixed weights of the run from a start. They are uniformly distributed on the simplex and
// depend only on the seed and on the start's number, counted from 0.
func RandomWeights(seed uint64, start, objectives int) []float64 {
	source := algo.Stream(seed, start, 0, algo.StaticWeight)
	random := rand.New(&source)
	// Uniform cuts divide [0, 1] into pieces whose lengths have the distribution Dirichlet(1, …, 1).
	weights := make([]float64, objectives)
	for i := range weights[1:] {
		weights[i] = random.Float64()
	}
	weights[len(weights)-1] = 1
	slices.Sort(weights)
	for i := len(weights) - 1; i > 0; i-- {
		weights[i] -= weights[i-1]
	}
	return weights
}

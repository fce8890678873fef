package runs

import (
	"math/rand/v2"
	"slices"

	"paretoplay/algo"
)

// RandomWeights are weights for so many objectives that a run from a start, by its number
// from 0, keeps: uniform on the simplex, the same for the same seed.
func RandomWeights(seed uint64, start, objectives int) []float64 {
	source := algo.Stream(seed, start, 0, algo.StaticWeight)
	random := rand.New(&source)
	// Where uniform numbers cut [0, 1], the pieces are Dirichlet(1, …, 1).
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

package blocks

import (
	"testing"

	"paretoplay/scenes/scenetest"
)

// TestLessonOfBlocks: what lesson 10 says of new random orders holds on twenty seeds. The rest of it is
// of an order that stays.
func TestLessonOfBlocks(t *testing.T) {
	var bias []float64
	for _, seed := range scenetest.SeedList(seeds) {
		s := opened(t, drawn(seed, map[string]string{"m": "5,15", "order": "random", "blockorder": "random", "budget": "4000"}))
		bias = append(bias, fact(t, s, "bias.blocksmoo"))
	}
	scenetest.StatesCount(t, "less than 0.06 away", bias, func(v float64) bool { return v < 0.06 }, seeds)
}

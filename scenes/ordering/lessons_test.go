package ordering

import (
	"testing"

	"paretoplay/scenes/race/orders"
	"paretoplay/scenes/scenetest"
)

// What lesson 9 lets a visitor predict holds on other seeds than its own too.

// TestLessonOfTheOrder is lesson 9.
func TestLessonOfTheOrder(t *testing.T) {
	three := values(t, "", "method", "random,grab-shared,jogba")
	four := values(t, "", "weighting", "mgda", "method", "random,random-own,grab-shared,jogba")
	for says, each := range map[string]func(t testing.TB, seed int){
		"the walk gets about as far as the longest pull or farther, the balanced sum less far": func(t testing.TB, seed int) {
			first := values(t, "", "method", "random,grab-shared", "budget", "64")
			scenetest.Between(t, "H of a random order", fact(t, first, seed, "H.random"), 0.7, 8)
			scenetest.Between(t, "A of GraB", fact(t, first, seed, "A.grab-shared"), 0.01, 1)
		},
		"late in the run GraB’s lines are shorter by a quarter or more": func(t testing.TB, seed int) {
			scenetest.Between(t, "H", fact(t, three, seed, "lateH.grab-shared")/fact(t, three, seed, "lateH.random"), 0, 0.75)
		},
		"ω is smaller, with GraB’s order by a third or more": func(t testing.TB, seed int) {
			scenetest.Between(t, "ω with GraB", 1/fact(t, three, seed, "nearer.grab-shared"), 0, 2./3)
			scenetest.Between(t, "ω with JoGBa", 1/fact(t, three, seed, "nearer.jogba"), 0, 1)
		},
		"with MGDA’s weights GraB’s gain shrinks": func(t testing.TB, seed int) {
			scenetest.Between(t, "the gain", fact(t, four, seed, "nearer.grab-shared"), 0, fact(t, three, seed, "nearer.grab-shared"))
		},
	} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			often.Check(t, each)
		})
	}
	t.Run("which order comes nearest is luck", func(t *testing.T) {
		t.Parallel()
		for method, stated := range map[string]int{orders.JoGBa: 16, orders.RandomOwn: 11, orders.GraBShared: 6, orders.Random: 7} {
			ahead := facts(t, four, "nearer."+method)
			for _, other := range []string{orders.Random, orders.GraBShared, orders.JoGBa, orders.RandomOwn} {
				for i, v := range facts(t, four, "nearer."+other) {
					if other != method && v >= ahead[i] {
						ahead[i] = 0
					}
				}
			}
			scenetest.StatesCount(t, method+" comes nearest", ahead, func(v float64) bool { return v > 0 }, stated)
		}
	})
}

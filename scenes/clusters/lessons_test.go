package clusters

import (
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// These tests check that the predictions of lessons 9 and 10 also hold on other seeds.

// lessonClaim is a statement of a lesson, with a function that checks it on a seed.
type lessonClaim struct {
	says string
	each func(t testing.TB, seed int)
}

func checkLesson(t *testing.T, claims []lessonClaim) {
	for _, c := range claims {
		t.Run(c.says, func(t *testing.T) {
			t.Parallel()
			often.Check(t, c.each)
		})
	}
}

// at returns a fact at the end of the runs with the given seed. set lists further parameters as alternating names and values.
func at(t testing.TB, seed int, name string, set ...string) float64 {
	t.Helper()
	return ended.Fact(t, values(t, "", set...), seed, name)
}

// TestLessonOfManyGoals checks the predictions of lesson 9.
func TestLessonOfManyGoals(t *testing.T) {
	corner := func(method string) []string {
		return []string{"layout", layoutRing, "starts", startsCorner, "budget", "30", "method", method}
	}
	checkLesson(t, []lessonClaim{
		{"MosT(O) moves one to three", func(t testing.TB, seed int) {
			scenetest.Between(t, "moved", at(t, seed, "moved.most-o", corner(maxO)...), 1, 3)
		}},
		{"with MosT four or five are best for somebody, with less loss", func(t testing.TB, seed int) {
			scenetest.Between(t, "winners", at(t, seed, "winners.most", corner("most")...), 4, 5)
			below(t, "its loss", at(t, seed, "oracle.most", corner("most")...), 0.7)
		}},
		{"MosT(M) moves all, to one place or two", func(t testing.TB, seed int) {
			three := append(corner(maxM), "n", "24", "k", "3")
			scenetest.Between(t, "places", at(t, seed, "places.most-m", three...), 1, 2)
			scenetest.Between(t, "moved", at(t, seed, "moved.most-m", three...), 5, 5)
		}},
	})
}

// TestLessonOfWhoIsServed checks the predictions of lesson 10.
func TestLessonOfWhoIsServed(t *testing.T) {
	apart := func(mass string) []string { return []string{"centres", outlier, "a", mass, "method", "most,most-l"} }
	checkLesson(t, []lessonClaim{
		{"with MosT(L) mass buys nearness bit by bit", func(t testing.TB, seed int) {
			above(t, "the loss at an equal share", at(t, seed, "goal.most-l", apart("")...), 1)
			scenetest.Between(t, "the loss at 0.12", at(t, seed, "goal.most-l", apart(one(30, 0.12))...), 0.1, 0.6)
			below(t, "the loss at 0.19", at(t, seed, "goal.most-l", apart(one(30, 0.19))...), 0.05)
		}},
		{"MosT jumps at a mass of 0.2", func(t testing.TB, seed int) {
			above(t, "the loss at 0.19", at(t, seed, "goal.most", apart(one(30, 0.19))...), 1)
			below(t, "the loss at 0.2", at(t, seed, "goal.most", apart(one(30, 0.2))...), 0.01)
		}},
		{"with four solutions it jumps at 0.25", func(t testing.TB, seed int) {
			four := func(mass float64) []string {
				return []string{"n", "24", "m", "4", "k", "3", "centres", outlier, "a", one(24, mass), "method", "most"}
			}
			above(t, "the loss at 0.23", at(t, seed, "goal.most", four(0.23)...), 1)
			below(t, "the loss at 0.25", at(t, seed, "goal.most", four(0.25)...), 0.01)
		}},
		{"amid others it is served without mass", func(t testing.TB, seed int) {
			below(t, "its loss", at(t, seed, "goal.most-l", "a", one(30, 0), "method", "most,most-l"), 0.2)
		}},
	})
}

// TestFindings checks that the statements of docs/findings.md about layouts also hold for other runs.
func TestFindings(t *testing.T) {
	ring := values(t, "each")
	scenetest.StatesGeometricMean(t, "MosT(L)’s loss on the ring over MosT’s", ratios(t, "oracle.most-l", ring, "oracle.most", ring), "0.3")
	scenetest.StatesCount(t, "each owns a cluster", ended.Facts(t, ring, draws, "owned.most"), is(5), 20)
	often.Check(t, func(t testing.TB, seed int) {
		scenetest.Between(t, "owned", fact(t, seed, "owned.most-l", "each"), 5, 5)
		scenetest.Between(t, "winners from the corner", fact(t, seed, "winners.most", "collapse"), 5, 5)
	})
}

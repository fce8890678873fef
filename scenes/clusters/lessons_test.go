package clusters

import (
	"testing"

	"paretoplay/scenes/scenetest"
)

// What the lessons 7 and 8 let a visitor predict holds on other seeds than theirs too.

// lessonClaim is what a lesson says, and the check of it on a seed.
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

// at is a fact at the end of runs on a seed, with values in turn.
func at(t testing.TB, seed int, name string, set ...string) float64 {
	t.Helper()
	return ended.Fact(t, values(t, "", set...), seed, name)
}

// TestLessonOfManyGoals is lesson 7.
func TestLessonOfManyGoals(t *testing.T) {
	shared := func(m string) []string { return []string{"layout", layoutRing, "method", mostL, "m", m} }
	corner := []string{"layout", layoutRing, "starts", startsCorner, "budget", "20", "method", "most-l,most-o,most-m"}
	checkLesson(t, []lessonClaim{
		{"five have less than a fifteenth of the loss of one, and twice its mean", func(t testing.TB, seed int) {
			alone := at(t, seed, "oracle.most-l", shared("1")...)
			below(t, "the loss of five", at(t, seed, "oracle.most-l", shared("5")...), alone/15)
			scenetest.Between(t, "their mean, times", at(t, seed, "mean.most-l", shared("5")...)/alone, 1.8, 2.2)
			if v := at(t, seed, "owned.most-l", shared("5")...); v != 5 {
				t.Errorf("%g own a cluster", v)
			}
		}},
		{"with six the loss is higher", func(t testing.TB, seed int) {
			above(t, "the loss of six", at(t, seed, "oracle.most-l", shared("6")...), at(t, seed, "oracle.most-l", shared("5")...))
		}},
		{"MosT(O) moves one to three", func(t testing.TB, seed int) {
			scenetest.Between(t, "moved", at(t, seed, "moved.most-o", corner...), 1, 3)
		}},
		{"MosT(M) moves all, to one place or two", func(t testing.TB, seed int) {
			scenetest.Between(t, "places", at(t, seed, "places.most-m", corner...), 1, 2)
			scenetest.Between(t, "moved", at(t, seed, "moved.most-m", corner...), 5, 5)
		}},
		{"MosT(L) serves all clusters, with far less loss", func(t testing.TB, seed int) {
			scenetest.Between(t, "owned", at(t, seed, "owned.most-l", corner...), 5, 5)
			for _, other := range []string{mostO, mostM} {
				above(t, "the loss of "+other, at(t, seed, "oracle."+other, corner...), 10*at(t, seed, "oracle.most-l", corner...))
			}
		}},
	})
}

// TestLessonOfWhoIsServed is lesson 8.
func TestLessonOfWhoIsServed(t *testing.T) {
	apart := func(mass string) []string { return []string{"centres", outlier, "a", mass, "method", "most,most-l"} }
	checkLesson(t, []lessonClaim{
		{"as one of six goal 1 stays far away", func(t testing.TB, seed int) {
			loss := at(t, seed, "goal.most", apart("")...)
			above(t, "its loss", loss, 1)
			below(t, "the loss of the others", at(t, seed, "others.most", apart("")...), loss/3)
		}},
		{"MosT jumps at a mass of 0.2", func(t testing.TB, seed int) {
			above(t, "the loss at 0.1", at(t, seed, "goal.most", apart(one(30, 0.1))...), 1)
			above(t, "the loss at 0.19", at(t, seed, "goal.most", apart(one(30, 0.19))...), 1)
			below(t, "the loss at 0.2", at(t, seed, "goal.most", apart(one(30, 0.2))...), 0.01)
		}},
		{"MosT(L) is almost there at 0.18", func(t testing.TB, seed int) {
			set := apart(one(30, 0.18))
			below(t, "the loss", at(t, seed, "goal.most-l", set...), 0.05)
			above(t, "MosT’s", at(t, seed, "goal.most", set...), 1)
		}},
		{"without mass its loss rises with MosT(L), and the others gain", func(t testing.TB, seed int) {
			above(t, "its loss", at(t, seed, "goal.most-l", apart(one(30, 0))...), at(t, seed, "goal.most-l", apart("")...))
			below(t, "the loss of the others", at(t, seed, "others.most-l", apart(one(30, 0))...), at(t, seed, "others.most-l", apart("")...))
		}},
		{"amid others it is served without mass", func(t testing.TB, seed int) {
			below(t, "its loss", at(t, seed, "goal.most-l", "a", one(30, 0), "method", "most,most-l"), 0.2)
		}},
	})
}

// TestFindings: what docs/findings.md says of layouts beside its runs.
func TestFindings(t *testing.T) {
	ring := values(t, "each")
	scenetest.StatesGeometricMean(t, "MosT(L)’s loss on the ring over MosT’s", ratios(t, "oracle.most-l", ring, "oracle.most", ring), "0.3")
	scenetest.StatesCount(t, "each owns a cluster", ended.Facts(t, ring, draws, "owned.most"), is(5), 20)
	often.Check(t, func(t testing.TB, seed int) {
		scenetest.Between(t, "owned", fact(t, seed, "owned.most-l", "each"), 5, 5)
		scenetest.Between(t, "winners from the corner", fact(t, seed, "winners.most", "collapse"), 5, 5)
	})
}

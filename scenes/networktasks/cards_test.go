package networktasks

import (
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
)

// seeds is the number of seeds on which claims are tested.
const seeds = 20

var often = scenetest.Over(seeds, 0.9)

// number returns a fact at the end of a card's runs with additional settings.
func number(t testing.TB, c *scenetest.Card, fact string, settings ...string) float64 {
	t.Helper()
	return scenetest.Number(t, c.End(t, settings...), fact)
}

// below checks that one fact is less than another at the end of a card's runs.
func below(t testing.TB, c *scenetest.Card, less, more string, settings ...string) {
	t.Helper()
	if a, b := number(t, c, less, settings...), number(t, c, more, settings...); !(a < b) {
		t.Errorf("%s is %v, %s is %v", less, a, more, b)
	}
}

// mean checks the stated mean of a fact over the seeds, with additional settings.
func mean(t testing.TB, c *scenetest.Card, fact, stated string, settings ...string) {
	t.Helper()
	var values []float64
	for _, s := range c.Seeded(t, seeds, settings...) {
		values = append(values, scenetest.Number(t, s, fact))
	}
	scenetest.StatesMean(t, fact, values, stated)
}

// perStep checks that, at the end of a card's runs, a method's mean number of backpropagations per step is in
// [least, most].
func perStep(t testing.TB, c *scenetest.Card, method string, least, most float64, settings ...string) {
	t.Helper()
	s := c.End(t, settings...)
	scenetest.Between(t, method+": backpropagations a step", scenetest.Number(t, s, "backpropagations."+method)/float64(s.Timeline().Latest()),
		least, most)
}

var withUPGrad = []string{"method", "ls,upgrad"}

var claims = scenetest.CardClaims{
	"summary": {{Says: "A pupil learns forty subjects at once. Is it worth checking before every lesson which subject needs the most " +
		"work? Each method trains a network that answers forty questions about a picture of two digits. Filled squares are right answers. " +
		"Beside them are the training costs.", Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) {
		s := c.Open(t).(*Scene)
		if s.tasks() != 40 || len(s.Timeline().Runs()) != 3 || s.Panels()[0].ID() != About.Hero || s.Panels()[1].ID() != "curve" {
			t.Errorf("%d tasks, %d runs", s.tasks(), len(s.Timeline().Runs()))
		}
	}}},
	"try": {{Says: "Choose two tasks instead of forty, and see how much less of the cost can be saved.", Seeds: scenetest.Any,
		Holds: func(t testing.TB, c *scenetest.Card) {
			perStep(t, c, mgda, 40, 40, "budget", "16")
			perStep(t, c, psmgd, 5, 6, "budget", "16")
			perStep(t, c, mgda, 2, 2, "budget", "16", "S", "2")
			perStep(t, c, psmgd, 1.1, 1.2, "budget", "16", "S", "2")
		}}},
	"forty": {
		{Says: "Equal weights are ahead of MGDA and PSMGD, at a fortieth of MGDA’s backpropagations.", Seeds: often,
			Holds: func(t testing.TB, c *scenetest.Card) {
				for _, method := range []string{mgda, psmgd} {
					below(t, c, "accuracy."+method, "accuracy.ls")
					below(t, c, "testloss.ls", "testloss."+method)
				}
				perStep(t, c, mgda, 40, 40)
				perStep(t, c, ls, 1, 1)
			}},
		{Says: "A step of MGDA costs forty backpropagations, a step of PSMGD six on average.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, c *scenetest.Card) {
				perStep(t, c, mgda, 40, 40)
				perStep(t, c, psmgd, 5.5, 6.5)
			}},
		{Says: "Add UPGrad: on average it is at most one percentage point behind equal weights, at MGDA’s price.",
			Seeds: scenetest.Of(seeds), Holds: func(t testing.TB, c *scenetest.Card) {
				perStep(t, c, "upgrad", 40, 40, withUPGrad...)
				var lead float64
				for _, s := range c.Seeded(t, seeds, withUPGrad...) {
					lead += (scenetest.Number(t, s, "accuracy.upgrad") - scenetest.Number(t, s, "accuracy.ls")) / seeds
				}
				scenetest.Between(t, "UPGrad’s accuracy minus equal weights’ accuracy", lead, -0.01, 1)
			}},
		{Says: "After 100 steps the test accuracy is 0.850 with equal weights, 0.859 with UPGrad, 0.816 with PSMGD and 0.814 with MGDA (means " +
			"of 20 seeds).", Seeds: scenetest.Of(seeds), Holds: func(t testing.TB, c *scenetest.Card) {
			mean(t, c, "accuracy.ls", "0.850")
			mean(t, c, "accuracy.upgrad", "0.859", withUPGrad...)
			mean(t, c, "accuracy.psmgd", "0.816")
			mean(t, c, "accuracy.mgda", "0.814")
		}},
	},
	"rest": {
		{Says: "With weights up to seven steps old, PSMGD learns as much as MGDA does. Step for step PSMGD’s and MGDA’s curves coincide, " +
			"and they still do if you raise R to 32.", Seeds: often, Holds: func(t testing.TB, c *scenetest.Card) {
			fresh := number(t, c, "accuracy.mgda")
			for _, old := range []float64{number(t, c, "accuracy.psmgd"), number(t, c, "accuracy.psmgd", "method", "psmgd", "R", "32")} {
				if old < fresh-0.015 {
					t.Errorf("with old weights the accuracy is %v, with fresh ones %v", old, fresh)
				}
			}
			s := c.End(t).(*Scene)
			curves := s.gather()
			for i, y := range curves[0].Y {
				scenetest.Between(t, "PSMGD less MGDA", y-curves[1].Y[i], -0.02, 0.02)
			}
		}},
	},
	"noise": {
		{Says: "After a single step MGDA’s weights have changed almost as much as after sixty-four.", Seeds: often,
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.Between(t, "after one step beside sixty-four", number(t, c, "moved.mgda.1")/number(t, c, "moved.mgda.64"), 0.8, 1.1)
			}},
		{Says: "Every step uses another batch of 64 pictures.", Seeds: scenetest.Any, Holds: func(t testing.TB, _ *scenetest.Card) {
			if batch != 64 {
				t.Errorf("a batch has %d", batch)
			}
		}},
		{Says: "Weights drawn at random each step change about as much as MGDA’s.", Seeds: often, Holds: func(t testing.TB, c *scenetest.Card) {
			scenetest.Between(t, "random weights beside MGDA’s", number(t, c, "moved.rlw.1")/number(t, c, "moved.mgda.1"), 0.75, 1.45)
		}},
	},
	"two": {
		{Says: "With two tasks and one step size all three methods learn equally fast, and MGDA’s weights double the cost.", Seeds: often,
			Holds: func(t testing.TB, c *scenetest.Card) {
				s := c.End(t).(*Scene)
				curves := s.gather()
				for i, y := range curves[0].Y {
					for _, other := range curves[1:] {
						scenetest.Between(t, other.Method+" less PSMGD", other.Y[i]-y, -0.05, 0.05)
					}
				}
				perStep(t, c, mgda, 2, 2)
				perStep(t, c, ls, 1, 1)
			}},
		{Says: "With forty tasks, much can be saved; with two tasks, very little: PSMGD’s step costs 1.1 backpropagations instead of two.",
			Seeds: scenetest.Any, Holds: func(t testing.TB, c *scenetest.Card) { perStep(t, c, psmgd, 1.05, 1.15) }},
	},
	"same": {
		{Says: "With the same small step size, equal weights lead MGDA by less than one percentage point of accuracy.", Seeds: often,
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.Between(t, "the lead", number(t, c, "accuracy.ls")-number(t, c, "accuracy.mgda"), 0, 0.01)
			}},
		{Says: "On other cards, equal weights lead mostly because they can take longer steps: η = 1 instead of 0.3.", Seeds: scenetest.Any,
			Holds: func(t testing.TB, _ *scenetest.Card) {
				if a, b := tuned("plain", ls, "40"), tuned("plain", mgda, "40"); a != 1 || b != 0.3 {
					t.Errorf("equal weights have %v, MGDA %v", a, b)
				}
			}},
	},
	"adam": {
		{Says: "With Adam, MGDA comes close to equal weights, and PSMGD is behind at first.", Seeds: often,
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.Between(t, "the lead over MGDA", number(t, c, "accuracy.ls")-number(t, c, "accuracy.mgda"), -0.01, 0.03)
				below(t, c, "accuracy.psmgd", "accuracy.mgda")
				below(t, c, "accuracy.psmgd", "accuracy.ls")
			}},
		{Says: "Adam takes steps of about equal length, however short the trunk’s direction is. Each method uses the step size tuned for " +
			"500 steps: 0.002 for PSMGD and 0.005 for MGDA.", Seeds: scenetest.Any, Holds: func(t testing.TB, _ *scenetest.Card) {
			if a, b := tuned("adam", psmgd, "40"), tuned("adam", mgda, "40"); a != 0.002 || b != 0.005 {
				t.Errorf("PSMGD has %v, MGDA %v", a, b)
			}
		}},
	},
	"features": {
		{Says: "After 150 steps the first layer still looks for its random initial patterns.", Seeds: often,
			Holds: func(t testing.TB, c *scenetest.Card) {
				scenetest.Between(t, "the cosine", number(t, c, "alike.ls"), 0.9, 1)
			}},
		{Says: "Yet the network answers most of the forty questions better than by guessing.", Seeds: often,
			Holds: func(t testing.TB, c *scenetest.Card) {
				s, better := c.End(t).(*Scene), 0
				for _, v := range s.perTask(s.Timeline().Runs()[0]) {
					if v > 0.6 {
						better++
					}
				}
				if 2*better <= s.tasks() {
					t.Errorf("%d of %d tasks are", better, s.tasks())
				}
			}},
	},
}

// TestClaims checks the statements of the default scene and of its cards.
func TestClaims(t *testing.T) { claims.Check(t, About) }

package traininglog_test

import (
	"strings"
	"testing"

	"paretoplay/algo/runlog"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/scenes/traininglog"
)

// says returns a claim that is checked once, because the logs are fixed and nothing depends on a seed.
func says(words string, holds func(t testing.TB, c *scenetest.Card)) scenetest.CardClaim {
	return scenetest.CardClaim{Says: words, Seeds: scenetest.Any, Holds: holds}
}

// number returns a fact at the end of the card's analysis, with further settings.
func number(t testing.TB, c *scenetest.Card, fact string, settings ...string) float64 {
	t.Helper()
	return scenetest.Number(t, c.End(t, settings...), fact)
}

// shows returns a check that the description of a panel contains a text.
func shows(panel, part string, settings ...string) func(t testing.TB, c *scenetest.Card) {
	return func(t testing.TB, c *scenetest.Card) {
		for _, p := range c.End(t, settings...).Panels() {
			if p.ID() == panel && strings.Contains(p.Describe(), part) {
				return
			}
		}
		t.Errorf("the panel %s does not say %q", panel, part)
	}
}

var claims = scenetest.CardClaims{
	"summary": {
		says("Several hands hold one steering wheel: when did they pull against each other, and when was it only a bump in the road? Each "+
			"strip is a pair of losses over the steps of a training run. It is coloured where their gradients conflict. The upper strips show "+
			"every single batch; the lower strips average out batch noise, so what remains is real conflict.",
			shows("conflict", "Of all pairs, 55 % conflict on single batches, and 51 % when averaged")),
	},
	"try": {
		says("Choose the log of two digits: on half of its batches the gradients conflict, but in the lower strips no conflict remains.", noise),
	},
	"done": {
		says("The conflicts above are noise: on average, the two digits do not conflict.", noise),
	},
	"dataSummary": {
		says("Your training run: where the gradients of its losses conflict, on single batches (above) and averaged (below). "+
			"The verdict says what gradient weighting would have done.", func(t testing.TB, c *scenetest.Card) {
			if s := c.End(t).(*traininglog.Scene); len(s.Conclusions().Sentences) != 10 {
				t.Errorf("there are %d sentences", len(s.Conclusions().Sentences))
			}
		}),
	},
	"dataTry": {
		says("Raise R to see at which age weights do more harm than equal weights.", func(t testing.TB, c *scenetest.Card) {
			if fresh, old := number(t, c, "stale.harm", "R", "1"), number(t, c, "stale.harm", "R", "8"); fresh >= old {
				t.Errorf("harm %v with R = 1, %v with 8", fresh, old)
			}
		}),
	},
	"noise": {
		says("Gradients conflict on half of this log’s batches, but averages over fifty records show no conflict.", noise),
		says("A network reads two digits from one picture, with a loss for each.", func(t testing.TB, c *scenetest.Card) {
			scenetest.About(t, "objectives", number(t, c, "objectives"), 2, 0)
		}),
		says("Products of gradients on two independent batches have no noise on average, so what remains in the lower strips is conflict.",
			func(t testing.TB, c *scenetest.Card) {
				// If only noise causes conflicts, longer windows leave fewer of them.
				if short, long := number(t, c, "averaged", "window", "2"), number(t, c, "averaged", "window", "20"); short <= long {
					t.Errorf("%v conflict with a window of 2, %v with 20", short, long)
				}
			}),
		says("Shorten the window, and the noise returns.", func(t testing.TB, c *scenetest.Card) {
			if v := number(t, c, "averaged", "window", "2"); v < 0.1 {
				t.Errorf("with a window of 2 %v of the pairs conflict", v)
			}
		}),
	},
	"batch": {
		says("No step of MGDA hurts an objective on its own batch, but 83 % do on another batch.", func(t testing.TB, c *scenetest.Card) {
			scenetest.About(t, "hurt", number(t, c, "method.hurt"), 0, 3)
			scenetest.About(t, "hurt on another batch", number(t, c, "method.independent"), 0.83, 2)
		}),
		says("Equal weights hurt an objective in 43 % of the records on the step’s own batch, and in 90 % on another.",
			func(t testing.TB, c *scenetest.Card) {
				scenetest.About(t, "hurt", number(t, c, "equal.hurt"), 0.43, 2)
				scenetest.About(t, "hurt on another batch", number(t, c, "equal.independent"), 0.90, 2)
			}),
		says("A method’s guarantees hold only for the batch that it used. Add other methods to compare.",
			func(t testing.TB, c *scenetest.Card) {
				for _, method := range []string{"mgda", "upgrad", "imtlg", "nashmtl"} {
					own, other := number(t, c, "method.hurt", "method", method), number(t, c, "method.independent", "method", method)
					if own > 0.01 || other < 0.5 {
						t.Errorf("%s hurts in %v on its batch, in %v on another", method, own, other)
					}
				}
			}),
	},
	"old": {
		says("Weights only two records old already do more harm than equal weights, which cost nothing.", func(t testing.TB, c *scenetest.Card) {
			if stale, equal := number(t, c, "stale.harm"), number(t, c, "equal.harm"); stale <= equal {
				t.Errorf("harm %v, with equal weights %v", stale, equal)
			}
		}),
		says("A record is four steps of this training run.", shows("conflict", "300 records")),
		says("Raise R: the harm grows, and so does the share of records whose step hurts an objective.", func(t testing.TB, c *scenetest.Card) {
			harm, hurt := 0.0, 0.0
			for _, r := range []string{"2", "4", "8", "16", "32"} {
				h, u := number(t, c, "stale.harm", "R", r), number(t, c, "stale.hurt", "R", r)
				if h <= harm || u <= hurt {
					t.Errorf("R = %s: harm %v after %v, hurt %v after %v", r, h, harm, u, hurt)
				}
				harm, hurt = h, u
			}
		}),
		says("Weights recomputed at every record do no harm, but cost eight backpropagations per step.", func(t testing.TB, c *scenetest.Card) {
			scenetest.About(t, "harm", number(t, c, "method.harm"), 0, 6)
			scenetest.About(t, "objectives", number(t, c, "objectives"), 8, 0)
		}),
		says("Still, 18 of 22 repeated runs ended no worse with weights kept for eight steps.",
			func(t testing.TB, c *scenetest.Card) {
				for _, s := range c.End(t).(*traininglog.Scene).Conclusions().Sentences {
					if s.ID == runlog.SentenceAge && !strings.Contains(s.Text, "This was right in 18 of 22 repeated training runs") {
						t.Errorf("the verdict says: %s", s.Text)
					}
				}
			}),
	},
	"units": {
		says("One gradient is ten times as long as another, so units matter before any method does.", func(t testing.TB, c *scenetest.Card) {
			scenetest.Between(t, "ratio", number(t, c, "ratio"), 10, 11)
		}),
		says("Three regressions use different units.", func(t testing.TB, c *scenetest.Card) {
			scenetest.About(t, "objectives", number(t, c, "objectives"), 3, 0)
		}),
		says("MGDA gives the shortest gradient nearly all the weight.", shows("weights", "task 1 0.9")),
		says("Here conflict remains when batches are averaged, and even weights 32 records old do less harm than equal weights.",
			func(t testing.TB, c *scenetest.Card) {
				if raw, mean := number(t, c, "conflict"), number(t, c, "averaged"); mean < raw {
					t.Errorf("averaged %v of the pairs conflict, on batches %v", mean, raw)
				}
				if stale, equal := number(t, c, "stale.harm", "R", "32"), number(t, c, "equal.harm"); stale >= equal {
					t.Errorf("harm %v, with equal weights %v", stale, equal)
				}
			}),
	},
}

// noise checks that, in the log of two digits, about half of the pairs conflict before averaging and none after it.
func noise(t testing.TB, c *scenetest.Card) {
	t.Helper()
	scenetest.Between(t, "conflict", number(t, c, "conflict", "source", "two"), 0.45, 0.55)
	scenetest.About(t, "averaged", number(t, c, "averaged", "source", "two"), 0, 3)
}

func TestCards(t *testing.T) { claims.Check(t, traininglog.About) }

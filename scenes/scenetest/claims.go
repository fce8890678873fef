package scenetest

import (
	"strconv"
	"strings"
	"testing"

	"paretoplay/scenes/scene"
)

// Claim is one sentence of a scene, or a part of one, with its check.
type Claim struct {
	Says  string
	Holds func(t *testing.T)
}

// Claims holds the claims of a scene's texts, each under the name that Texts gives it.
type Claims map[string][]Claim

// Texts returns the texts of a scene as it opens, by name, and its cards' texts by their IDs.
func Texts(a scene.About) map[string]string {
	out := map[string]string{"summary": a.Summary, "try": a.Try}
	if a.DataTry != "" {
		out["dataSummary"], out["dataTry"] = a.DataSummary, a.DataTry
	}
	for _, p := range a.Presets {
		out[p.ID] = p.Text
	}
	return out
}

// Check checks every claim, and that they are the texts of the scene to the letter: the claims
// of a text, joined by spaces, are the text. Texts are checked at the same time, the claims of
// one in turn.
func (c Claims) Check(t *testing.T, a scene.About) {
	t.Helper()
	texts := Texts(a)
	for name, text := range texts {
		said := make([]string, len(c[name]))
		for i, claim := range c[name] {
			said[i] = claim.Says
			if claim.Holds == nil {
				t.Fatalf("%s: nothing checks %q", name, claim.Says)
			}
		}
		if got := strings.Join(said, " "); got != text {
			t.Errorf("%s: the claims are\n%q, the page says\n%q", name, got, text)
		}
	}
	for name, list := range c {
		if _, there := texts[name]; !there {
			t.Errorf("there is no card %s", name)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, claim := range list {
				t.Run(strconv.Itoa(i+1), func(t *testing.T) {
					claim.Holds(t)
					if t.Failed() {
						t.Logf("This is what %q says.", claim.Says)
					}
				})
			}
		})
	}
}

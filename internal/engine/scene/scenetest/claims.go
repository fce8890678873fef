package scenetest

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paretoplay/internal/engine/scene"
)

// Claim is a sentence of a scene, or a part of one, with its check. Either Holds is set, which checks the claim once, or Each,
// which checks it on one seed.
type Claim struct {
	Says  string
	Holds func(t testing.TB)
	Each  func(t testing.TB, seed int)
	Seeds Seeds
}

// Claims holds the claims in a scene's texts, by the names that Texts uses.
type Claims map[string][]Claim

// Texts returns a scene's texts by name, and the texts of its cards by ID.
func Texts(a scene.About) map[string]string {
	out := map[string]string{"summary": a.Summary, "try": a.Try}
	if a.Done != "" {
		out["done"] = a.Done
	}
	if a.DataTry != "" {
		out["dataSummary"], out["dataTry"] = a.DataSummary, a.DataTry
	}
	for _, p := range a.Presets {
		out[p.ID] = p.Words()
	}
	return out
}

// Check checks every claim. The claims of a text, joined by spaces, must be exactly the text. Check runs texts in parallel, and the
// claims of one text in turn. The seeds of each claim must match testdata/sentences.csv.
func (c Claims) Check(t *testing.T, a scene.About) {
	t.Helper()
	c.check(t, a, true)
}

// check implements Check. If together is false, it checks texts one after another, because their checks share runs.
func (c Claims) check(t *testing.T, a scene.About, together bool) {
	t.Helper()
	texts := Texts(a)
	said := sentences{scene: a.ID}
	count := 0
	for name, text := range texts {
		if name == "done" && c[name] == nil {
			continue // the session's TestInvitations checks this text in a state that visitors reach
		}
		parts := make([]string, len(c[name]))
		count += len(parts)
		for i, claim := range c[name] {
			parts[i] = claim.Says
			if (claim.Holds == nil) == (claim.Each == nil) {
				t.Fatalf("%s: %q needs one check, Holds or Each", name, claim.Says)
			}
		}
		if got := strings.Join(parts, " "); got != text {
			t.Errorf("%s: got claims\n%q\nwant the page's text\n%q", name, got, text)
		}
	}
	t.Cleanup(func() { said.compare(t, count) })
	for _, name := range slices.Sorted(maps.Keys(c)) {
		list := c[name]
		text, there := texts[name]
		if !there {
			t.Errorf("unknown card %s", name)
		}
		t.Run(name, func(t *testing.T) {
			if together {
				t.Parallel()
			}
			begins := 0
			for i, claim := range list {
				around := sentencesAround(text, begins, begins+len(claim.Says))
				begins += len(claim.Says) + 1
				t.Run(strconv.Itoa(i+1), func(t *testing.T) {
					said.add(name, i, claim, claim.check(t, around))
					if t.Failed() {
						t.Logf("the claim is %q", claim.Says)
					}
				})
			}
		})
	}
}

// check runs a claim's check on its Seeds, and returns the number of seeds on which the claim holds.
func (c *Claim) check(t *testing.T, around string) (held int) {
	t.Helper()
	if c.Seeds.over() {
		if c.Each == nil {
			t.Fatal("a claim over seeds needs Each")
		}
		return c.Seeds.count(t, c.Each)
	}
	if c.Each != nil {
		t.Fatal("Each needs Over")
	}
	if c.Seeds == (Seeds{}) && !OfOneRun(around) {
		t.Errorf("this claim is checked only on the card's seed: say “here” or “in this run”, or check it over seeds")
	}
	c.Holds(t)
	return 0
}

// OfOneRun reports whether a text says that it is about the shown run only.
func OfOneRun(text string) bool { return ofOneRun.MatchString(text) }

var ofOneRun = regexp.MustCompile(`(?i)\b(here|(in|of|on) (this|these) (run|runs|draw|layout))\b`)

// sentenceEnd matches the end of a sentence inside a text.
var sentenceEnd = regexp.MustCompile(`[.?!:]["”)]* `)

// sentencesAround returns the complete sentences that contain text[from:to].
func sentencesAround(text string, from, to int) string {
	to = min(to, len(text))
	from = min(from, to)
	begin, end := 0, len(text)
	for _, at := range sentenceEnd.FindAllStringIndex(text, -1) {
		if at[1] <= from {
			begin = at[1]
		}
		if at[0] >= to-1 {
			end = at[0] + 1
			break
		}
	}
	return text[begin:end]
}

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

// Claim is one sentence of a scene, or a part of one, with its check: Holds checks it once, Each
// checks it on one seed. A claim has one of the two.
type Claim struct {
	Says  string
	Holds func(t testing.TB)
	Each  func(t testing.TB, seed int)
	Seeds Seeds
}

// Claims holds the claims of a scene's texts, each under the name that Texts gives it.
type Claims map[string][]Claim

// Texts returns the texts of a scene as it opens, by name, and its cards' texts by their IDs.
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

// Check checks every claim, and that they are the texts of the scene to the letter: the claims
// of a text, joined by spaces, are the text. Texts are checked at the same time, the claims of
// one in turn. What each claim is asserted on must be as testdata/sentences.csv says.
func (c Claims) Check(t *testing.T, a scene.About) {
	t.Helper()
	c.check(t, a, true)
}

// check does what Check says; texts whose checks share something must not be checked at the same time.
func (c Claims) check(t *testing.T, a scene.About, together bool) {
	t.Helper()
	texts := Texts(a)
	said := sentences{scene: a.ID}
	count := 0
	for name, text := range texts {
		if name == "done" && c[name] == nil {
			continue // it is about one state of a visitor's own: TestInvitations of the session brings the scene there
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
			t.Errorf("%s: the claims are\n%q, the page says\n%q", name, got, text)
		}
	}
	t.Cleanup(func() { said.compare(t, count) })
	for _, name := range slices.Sorted(maps.Keys(c)) {
		list := c[name]
		text, there := texts[name]
		if !there {
			t.Errorf("there is no card %s", name)
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
						t.Logf("This is what %q says.", claim.Says)
					}
				})
			}
		})
	}
}

// check runs a claim's check on what its Seeds name. It returns on how many seeds the claim holds.
func (c *Claim) check(t *testing.T, around string) (held int) {
	t.Helper()
	if c.Seeds.over() {
		if c.Each == nil {
			t.Fatal("to be asserted over seeds a claim needs Each")
		}
		return c.Seeds.count(t, c.Each)
	}
	if c.Each != nil {
		t.Fatal("a check of each seed needs Over")
	}
	if c.Seeds == (Seeds{}) && !OfOneRun(around) {
		t.Errorf("this is asserted on the seed that the card shows: say so by “here” or “in this run”, or assert it over seeds")
	}
	c.Holds(t)
	return 0
}

// OfOneRun reports whether a text says that it speaks of the run that is shown.
func OfOneRun(text string) bool { return ofOneRun.MatchString(text) }

var ofOneRun = regexp.MustCompile(`(?i)\b(here|(in|of|on) (this|these) (run|runs|draw|layout))\b`)

// sentenceEnd is where one sentence ends and another begins.
var sentenceEnd = regexp.MustCompile(`[.?!:]["”)]* `)

// sentencesAround returns the whole sentences of a text that text[from:to] is part of.
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

package scenetest

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
)

// ofSeeds matches text that belongs in the folded part of a card: counts of seeds, and errors of means.
var ofSeeds = regexp.MustCompile(`(?i)\b(seeds|draws)\b|±`)

// number matches a number in a text, without exponents and indices.
var number = regexp.MustCompile(`(?:^|[\s(“−+≈<>=])[0-9][0-9 .,]*`)

// maxNumbers is the maximum number of numbers in a card outside its folded part.
const maxNumbers = 6

// checkWords checks a card's texts: the lead is one short sentence, there are few numbers, and statistics are folded.
func checkWords(t *testing.T, p scene.Preset) {
	t.Helper()
	if p.Lead == "" {
		return
	}
	if n := len(strings.Fields(p.Lead)); n > scene.LeadWords {
		t.Errorf("leading sentence: got %d words, want at most %d: %q", n, scene.LeadWords, p.Lead)
	}
	if ends := sentenceEnd.FindAllString(p.Lead+" ", -1); len(ends) != 1 || !strings.HasSuffix(p.Lead, strings.TrimSpace(ends[0])) {
		t.Errorf("got %q, want one sentence", p.Lead)
	}
	shown := p.Lead + " " + p.Text
	if at := ofSeeds.FindString(shown); at != "" {
		t.Errorf("%q belongs in Seeds", at)
	}
	if n := len(number.FindAllString(shown, -1)); n > maxNumbers {
		t.Errorf("got %d numbers, want at most %d: put some into the picture as references, or into Seeds", n, maxNumbers)
	}
}

// Reference returns a card's reference with the given label.
func Reference(t testing.TB, a scene.About, card, label string) axes.Reference {
	t.Helper()
	for _, p := range a.Presets {
		i := slices.IndexFunc(p.References, func(r axes.Reference) bool { return p.ID == card && r.Label == label })
		if i >= 0 {
			return p.References[i]
		}
	}
	t.Fatalf("the card %s has no reference %q", card, label)
	return axes.Reference{}
}

// referring protects finished runs, which several cards may share, while a check passes one card's references to their
// panels.
var referring sync.Mutex

// checkReferences checks that each reference is visible at the end of the card's runs when the reference's panel is in
// front on a desktop.
func checkReferences(t *testing.T, a scene.About, card scene.Preset) {
	t.Helper()
	if len(card.References) == 0 {
		return
	}
	referring.Lock() // another card may share these runs
	defer referring.Unlock()
	s := NewCard(a, card.ID).End(t)
	if err := s.Displayed(); err != nil {
		t.Fatal(err)
	}
	for _, r := range card.References {
		i := slices.IndexFunc(s.Panels(), func(of axes.Panel) bool { return of.ID() == r.Panel })
		if i < 0 {
			t.Errorf("unknown panel %s for %q", r.Panel, r.Label)
			continue
		}
		shows, is := s.Panels()[i].(axes.Referring)
		if !is {
			t.Errorf("panel %s: got no references", r.Panel)
			continue
		}
		shows.Refer([]axes.Reference{r})
		drawn := record(t, shows, brush.Frame{Width: 852, Height: 520, Theme: brush.Light})
		if r.Label == "" || !slices.ContainsFunc(drawn, func(a recorder.Action) bool {
			text, is := a.(*recorder.FillString)
			return is && text.String == r.Label
		}) {
			t.Errorf("%q is not visible in panel %s: it has no label or is outside the axes", r.Label, r.Panel)
		}
		shows.Refer(nil)
	}
}

package scenetest

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/panel"
	"paretoplay/internal/engine/scene"
)

// Scene checks what every scene must pass, as it opens and with each of its cards:
//
//   - heroes and keys: the panel in front is there, and two to five parameters matter, or one or
//     more on a card that names its own; the selected run is one of the card's;
//   - values: a parameter that a card sets has, as text, a value that gives the same text;
//   - words: a card leads with one short sentence, says few numbers, folds its statistics, and its
//     references are seen;
//   - facts: each has a label and a kind that About.Facts explains, and each kind has facts with some
//     method, setting or card;
//   - data: a scene takes a visitor's data if and only if its About says in which layout, and in which words;
//   - drawings: on a desk, a tablet and a phone of 320 pixels, light and dark, all that is drawn has a
//     place, every panel has words, handles lie within it, legends in front are complete from 390
//     pixels on, and nothing is written smaller than panel.SmallText.
//
// That every sentence is claimed is for Claims.Check and CardClaims.Check, which know the claims. Links
// and undo need a session; its tests go through all scenes.
func Scene(t *testing.T, a scene.About) {
	t.Run("facts", func(t *testing.T) { t.Parallel(); checkFacts(t, a) })
	t.Run("data", func(t *testing.T) { checkData(t, a) })
	for _, card := range append([]scene.Preset{{Hero: a.Hero}}, a.Presets...) {
		t.Run("card "+card.ID, func(t *testing.T) {
			t.Parallel()
			s := Open(t, a.New(), card.Values)
			if err := s.Displayed(); err != nil {
				t.Fatal(err)
			}
			checkKeys(t, a, s, card)
			checkWords(t, card)
			Step(t, s, 2)
			for pending := true; pending; {
				var err error
				if pending, err = s.Work(func() bool { return true }); err != nil {
					t.Fatal(err)
				}
			}
			checkDrawings(t, s)
			checkReferences(t, s, card)
		})
	}
}

// checkKeys checks the hero, the parameters that matter, the selected run and the values of a card; the
// one without an ID is the scene as it opens.
func checkKeys(t *testing.T, a scene.About, s scene.Scene, card scene.Preset) {
	t.Helper()
	if card.Hero != "" && !slices.ContainsFunc(s.Panels(), func(p panel.Panel) bool { return p.ID() == card.Hero }) {
		t.Errorf("%s is no panel", card.Hero)
	}
	keys, least := a.Keys, 2
	if card.Keys != nil {
		keys, least = card.Keys, 1
	}
	if len(keys) < least || len(keys) > 5 {
		t.Errorf("%d parameters matter: %v", len(keys), keys)
	}
	for i, name := range keys {
		if _, known := s.Params().Lookup(name); !known || slices.Contains(keys[:i], name) {
			t.Errorf("%s is no parameter, or named twice", name)
		}
	}
	if card.Selected != "" && s.Timeline().Find(card.Selected).Run == nil {
		t.Errorf("the selected run %s is not there", card.Selected)
	}
	for _, name := range slices.Sorted(maps.Keys(card.Values)) {
		text := s.Params().Text(name)
		if err := s.Params().Assign(name, text); err != nil {
			t.Errorf("%s does not take its own text: %v", name, err)
		}
		if again := s.Params().Text(name); again != text {
			t.Errorf("%s is %q, and after %q it is %q", name, text, text, again)
		}
	}
}

// checkData compares what the description says of a visitor's data with what the scene can do.
func checkData(t *testing.T, a scene.About) {
	s := a.New()
	_, takes := scene.AsDataTaker(s)
	if takes != (a.Takes != nil) || takes != (a.Data != nil) {
		t.Errorf("it takes data %t, with a layout %t and words %t", takes, a.Takes != nil, a.Data != nil)
	}
	for _, name := range a.Brought {
		if _, known := s.Params().Lookup(name); !takes || !known {
			t.Errorf("%s is no parameter that data can bring", name)
		}
	}
}

// checkFacts checks names, labels and kinds of the facts with every option of choices and sets, with all
// options of a set, and with every card.
func checkFacts(t *testing.T, a scene.About) {
	seen := map[string]bool{}
	check := func(s scene.Scene, where string) {
		names := map[string]bool{}
		for _, f := range s.Facts() {
			if names[f.Name] {
				t.Errorf("%s: there are two facts %s", where, f.Name)
			}
			names[f.Name] = true
			if kind, known := a.FactKind(f.Name); known {
				seen[fmt.Sprint(kind.Name, kind.Of)] = true
			} else {
				t.Errorf("%s: nothing explains the fact %s", where, f.Name)
			}
			if f.Label == "" {
				t.Errorf("%s: the fact %s has no label", where, f.Name)
			}
			f.Value()
		}
	}
	check(Open(t, a.New(), nil), "as it opens")
	for _, d := range a.New().Params().Descriptors() {
		if d.Kind != param.Set && d.Kind != param.Choice {
			continue
		}
		var all []string
		for _, o := range d.Options {
			if o.Disabled != "" {
				continue
			}
			all = append(all, o.Value)
			s := a.New()
			if s.Params().Assign(d.Name, o.Value) != nil || s.Restart(nil) != nil {
				continue // not beside the others, or not without data
			}
			check(s, d.Name+"="+o.Value)
		}
		if d.Kind == param.Set {
			check(Open(t, a.New(), map[string]string{d.Name: strings.Join(all, ",")}), "every "+d.Name)
		}
	}
	for _, p := range a.Presets {
		check(Open(t, a.New(), p.Values), p.ID)
	}
	for _, f := range a.Facts {
		if !seen[fmt.Sprint(f.Name, f.Of)] {
			t.Errorf("no method, setting or card has facts of the kind %s", f.Name)
		}
		if f.Text == "" {
			t.Errorf("%s has no words", f.Name)
		}
	}
}

// phone is the least width at which a legend in front is complete.
const phone = 360

// leftOut is how a legend ends that had no room.
var leftOut = regexp.MustCompile(`^\+[0-9]+$`)

// checkDrawings draws each panel in front of the others on canvases of several sizes.
func checkDrawings(t *testing.T, s scene.Scene) {
	t.Helper()
	sizes := []struct {
		width, height vg.Length
		theme         *panel.Theme
	}{{1152, 520, panel.Light}, {852, 560, panel.Dark}, {1024, 430, panel.Light}, {390, 380, panel.Light}, {304, 380, panel.Dark}}
	for _, p := range s.Panels() {
		if p.Describe() == "" {
			t.Errorf("%s has no words", p.ID())
		}
		for _, size := range sizes {
			for _, placed := range panel.Feature(size.width, size.height, s.Panels(), p.ID(), false) {
				checkDrawing(t, placed, size.theme, fmt.Sprintf("%s on %g×%g", placed.Panel.ID(), size.width, size.height))
			}
		}
	}
}

func checkDrawing(t *testing.T, placed panel.Placed, theme *panel.Theme, where string) {
	t.Helper()
	f := placed.Frame(theme, false)
	for _, action := range record(t, placed.Panel, f) {
		if !Drawable(action) {
			t.Errorf("%s: %v has no place", where, action)
		}
		text, is := action.(*recorder.FillString)
		if !is {
			continue
		}
		if placed.Detail == panel.Full && f.Width >= phone && leftOut.MatchString(text.String) {
			t.Errorf("%s: the legend ends in %s", where, text.String)
		}
		if text.Size < panel.SmallText {
			t.Errorf("%s: %s is written in %v pixels", where, text.String, text.Size)
		}
	}
}

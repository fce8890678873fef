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
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene"
)

// Scene runs the checks that every scene must pass, as it opens and with each of its cards:
//
//   - heroes and keys: the panel in front exists. Two to five parameters are key parameters, or one or
//     more on a card that names its own. The selected run belongs to the card;
//   - values: setting a card's parameter to its own text gives the same text;
//   - words: a card starts with one short sentence, has few numbers and folds its statistics, and its
//     references are visible;
//   - facts: each fact has a label and a kind that About.Facts explains, and each kind has facts for some
//     method, setting or card;
//   - data: a scene takes a visitor's data if and only if its About has a layout and texts for them;
//   - drawings: on a desktop, a tablet and a phone of 320 pixels, light and dark, all coordinates are
//     numbers, every panel has a text and contains its handles, legends in front are complete from 390
//     pixels on, and no text is smaller than brush.SmallText.
//
// Claims.Check and CardClaims.Check verify that every sentence has a claim. Links and undo need a session; package session
// tests them with all scenes.
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
			checkReferences(t, a, card)
		})
	}
}

// checkKeys checks a card's hero, key parameters, selected run and values. A card without an ID represents the scene as
// it opens.
func checkKeys(t *testing.T, a scene.About, s scene.Scene, card scene.Preset) {
	t.Helper()
	if card.Hero != "" && !slices.ContainsFunc(s.Panels(), func(p axes.Panel) bool { return p.ID() == card.Hero }) {
		t.Errorf("unknown panel %s", card.Hero)
	}
	keys, least := a.Keys, 2
	if card.Keys != nil {
		keys, least = card.Keys, 1
	}
	if len(keys) < least || len(keys) > 5 {
		t.Errorf("got %d key parameters: %v", len(keys), keys)
	}
	for i, name := range keys {
		if _, known := s.Params().Lookup(name); !known || slices.Contains(keys[:i], name) {
			t.Errorf("%s is unknown or named twice", name)
		}
	}
	if card.Selected != "" && s.Timeline().Find(card.Selected).Run == nil {
		t.Errorf("unknown selected run %s", card.Selected)
	}
	for _, name := range slices.Sorted(maps.Keys(card.Values)) {
		text := s.Params().Text(name)
		if err := s.Params().Assign(name, text); err != nil {
			t.Errorf("%s does not take its own text: %v", name, err)
		}
		if again := s.Params().Text(name); again != text {
			t.Errorf("%s: got %q, but %[4]q after setting %[3]q", name, text, text, again)
		}
	}
}

// checkData checks that the description of a visitor's data matches what the scene can do.
func checkData(t *testing.T, a scene.About) {
	s := a.New()
	_, takes := scene.AsDataTaker(s)
	if takes != (a.Takes != nil) || takes != (a.Data != nil) {
		t.Errorf("takes data %t, has a layout %t and words %t; want all the same", takes, a.Takes != nil, a.Data != nil)
	}
	for _, name := range a.Brought {
		if _, known := s.Params().Lookup(name); !takes || !known {
			t.Errorf("%s is not a parameter that data can set", name)
		}
	}
}

// checkFacts checks the names, labels and kinds of the facts. It tries every option of choices and sets, all options of a set
// together, and every card.
func checkFacts(t *testing.T, a scene.About) {
	seen := map[string]bool{}
	check := func(s scene.Scene, where string) {
		names := map[string]bool{}
		for _, f := range s.Facts() {
			if names[f.Name] {
				t.Errorf("%s: two facts have the name %s", where, f.Name)
			}
			names[f.Name] = true
			if kind, known := a.FactKind(f.Name); known {
				seen[fmt.Sprint(kind.Name, kind.Of)] = true
			} else {
				t.Errorf("%s: fact %s has no help", where, f.Name)
			}
			if f.Label == "" {
				t.Errorf("%s: fact %s has no label", where, f.Name)
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
				continue // impossible with the other values, or without data
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
			t.Errorf("fact %s has no text", f.Name)
		}
	}
}

// phone is the minimum width at which a legend in front is complete.
const phone = 360

// leftOut matches the end of a legend that was too long for its space.
var leftOut = regexp.MustCompile(`^\+[0-9]+$`)

// checkDrawings draws the scene on canvases of several sizes, with each panel in front once.
func checkDrawings(t *testing.T, s scene.Scene) {
	t.Helper()
	sizes := []struct {
		width, height vg.Length
		theme         *brush.Theme
	}{{1152, 520, brush.Light}, {852, 560, brush.Dark}, {1024, 430, brush.Light}, {390, 380, brush.Light}, {304, 380, brush.Dark}}
	for _, p := range s.Panels() {
		if p.Describe() == "" {
			t.Errorf("panel %s has no text", p.ID())
		}
		for _, size := range sizes {
			for _, placed := range axes.Feature(size.width, size.height, s.Panels(), p.ID(), false) {
				checkDrawing(t, placed, size.theme, fmt.Sprintf("%s on %g×%g", placed.Panel.ID(), size.width, size.height))
			}
		}
	}
}

func checkDrawing(t *testing.T, placed axes.Placed, theme *brush.Theme, where string) {
	t.Helper()
	f := placed.Frame(theme, false)
	for _, action := range record(t, placed.Panel, f) {
		if !Drawable(action) {
			t.Errorf("%s: %v has a coordinate that is not a number", where, action)
		}
		text, is := action.(*recorder.FillString)
		if !is {
			continue
		}
		if placed.Detail == brush.Full && f.Width >= phone && leftOut.MatchString(text.String) {
			t.Errorf("%s: incomplete legend, ends in %s", where, text.String)
		}
		if text.Size < brush.SmallText {
			t.Errorf("%s: %s has only %v pixels", where, text.String, text.Size)
		}
	}
}

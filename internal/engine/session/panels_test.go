package session

import (
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/draw/axes"
	"paretoplay/scenes"
)

// TestPanelsThatOpen checks that a scene opens with its hero and the panels named beside it. The other panels must stay hidden
// until the visitor or a link requests all of them. If another panel is brought to the front, the hero must be beside it. A
// card must show the panels in which its numbers are drawn.
func TestPanelsThatOpen(t *testing.T) {
	call := func(s *Session, verb, args string) {
		t.Helper()
		if _, err := s.Call(verb, []byte(args)); err != nil {
			t.Fatal(err)
		}
	}
	for _, a := range scenes.All {
		s, err := New(scenes.All, a.ID)
		if err != nil {
			t.Fatal(err)
		}
		shown, count := s.Shown(), len(s.panels())
		want := min(count, 1+axes.FewPanels)
		if len(shown) != want || shown[0] != a.Hero || len(a.Beside) != axes.FewPanels {
			t.Errorf("%s opens with %v", a.ID, shown)
		}
		for _, id := range a.Beside {
			if !slices.Contains(shown, id) {
				t.Errorf("%s opens without %s", a.ID, id)
			}
		}
		var hidden string
		for _, p := range s.describe() {
			if p.Hidden == slices.Contains(shown, p.ID) {
				t.Errorf("%s: the panel %s is hidden: %v", a.ID, p.ID, p.Hidden)
			}
			if p.Hidden {
				hidden = p.ID
			}
		}
		if hidden == "" {
			continue
		}
		call(s, "hero", `{"panel":"`+hidden+`"}`)
		if got := s.Shown(); len(got) != want || got[0] != hidden || !slices.Contains(got, a.Hero) {
			t.Errorf("%s with %s in front shows %v", a.ID, hidden, got)
		}
		call(s, "panels", `{"all":true}`)
		if got := s.Shown(); len(got) != count {
			t.Errorf("%s shows %v of %d", a.ID, got, count)
		}
		settings := s.Settings()
		hash := settings.Hash()
		if !strings.Contains(hash, "&panels=all") {
			t.Errorf("%s: no word of all panels in %s", a.ID, hash)
		}
		call(s, "open", `{"id":"`+a.ID+`"}`)
		if got := s.Shown(); len(got) != want {
			t.Errorf("%s opened again shows %v", a.ID, got)
		}
		call(s, "load", `{"state":"`+hash+`"}`)
		if got := s.Shown(); len(got) != count || got[0] != hidden {
			t.Errorf("%s by its link shows %v", a.ID, got)
		}
		for _, card := range a.Presets {
			call(s, "open", `{"id":"`+a.ID+`"}`)
			call(s, "card", `{"id":"`+card.ID+`"}`)
			in := map[string]bool{}
			for _, r := range card.References {
				in[r.Panel] = true
			}
			for id := range in {
				if len(in) <= axes.FewPanels && !slices.Contains(s.Shown(), id) {
					t.Errorf("%s, card %s: its numbers are drawn in %s, which is hidden behind %v", a.ID, card.ID, id, s.Shown())
				}
			}
		}
	}
}

// TestChangedPanelComesIntoView checks that changing a parameter that affects only a hidden panel shows that panel in place
// of the last panel beside the front panel. A change of another parameter must hide the panel again.
func TestChangedPanelComesIntoView(t *testing.T) {
	s, err := New(scenes.All, "cleaning")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		shown      bool
	}{{"curve", "loss", true}, {"truth", "false", false}, {"curve", "weights", true}, {"curve", "weights", true}} {
		if _, err := s.Call("set", []byte(`{"name":"`+c.name+`","value":"`+c.text+`"}`)); err != nil {
			t.Fatal(err)
		}
		shown := s.Shown()
		if slices.Contains(shown, "curve") != c.shown || len(shown) != 1+axes.FewPanels || shown[0] != "circle" {
			t.Errorf("after %s = %s these are shown: %v", c.name, c.text, shown)
		}
	}
	for _, a := range scenes.All {
		s := a.New()
		for _, d := range s.Params().Descriptors() {
			if d.Panel != "" && !slices.ContainsFunc(s.Panels(), func(p axes.Panel) bool { return p.ID() == d.Panel }) {
				t.Errorf("%s: %s is about the panel %s, which there is not", a.ID, d.Name, d.Panel)
			}
		}
	}
}

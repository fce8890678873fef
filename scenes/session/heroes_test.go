package session

import (
	"slices"
	"testing"

	"paretoplay/scenes"
	"paretoplay/scenes/panel"
)

// TestHeroesAndKeys: scenes and cards bring panels to the front that there are then, and name
// three to five parameters that matter, a card of a picture that is computed by itself one or more.
func TestHeroesAndKeys(t *testing.T) {
	for _, about := range scenes.All {
		check := func(t *testing.T, s *Session, hero string, keys []string, least int) {
			if hero != "" && !slices.ContainsFunc(s.scene.Panels(), func(p panel.Panel) bool { return p.ID() == hero }) {
				t.Errorf("%s is no panel", hero)
			}
			if len(keys) < least || len(keys) > 5 {
				t.Errorf("%d parameters matter: %v", len(keys), keys)
			}
			for i, name := range keys {
				if _, known := s.scene.Params().Lookup(name); !known || slices.Contains(keys[:i], name) {
					t.Errorf("%s is no parameter, or named twice", name)
				}
			}
		}
		t.Run(about.ID, func(t *testing.T) {
			s, err := New(scenes.All, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			check(t, s, about.Hero, about.Keys, 2)
			for _, p := range about.Presets {
				if err := s.Card(p.ID); err != nil {
					t.Fatal(err)
				}
				t.Run(p.ID, func(t *testing.T) {
					if p.Keys != nil {
						check(t, s, p.Hero, p.Keys, 1)
					} else {
						check(t, s, p.Hero, about.Keys, 2)
					}
				})
			}
		})
	}
}

package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
)

// TestCard checks that an experiment stays open while its values are changed, brings its panel and key parameters to the front, and
// resets earlier settings, including the speed.
func TestCard(t *testing.T) {
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			open := func() *Session {
				s, err := New(scenes.All, about.ID)
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			s := open()
			_, has := s.scene.Params().Lookup(scene.SpeedParam)
			speed := s.scene.Params().Text(scene.SpeedParam)
			for _, p := range about.Presets {
				s = open()
				if has {
					do(t, s, "set", `{"name":"speed","value":"max"}`)
				}
				do(t, s, "hero", fmt.Sprintf(`{"panel":%q}`, s.scene.Panels()[len(s.scene.Panels())-1].ID()))
				do(t, s, "card", fmt.Sprintf(`{"id":%q}`, p.ID))
				st := state(t, s)
				if want := p.Values[scene.SpeedParam]; has && st.Speed != want && (want != "" || st.Speed != speed) {
					t.Errorf("%s: speed %s, want %q", p.ID, st.Speed, want)
				}
				if st.Card != p.ID || st.Changed || !strings.Contains(st.Hash, "&card="+p.ID) {
					t.Errorf("%s: card %q, changed %v, link %s", p.ID, st.Card, st.Changed, st.Hash)
				}
				if p.Hero != "" && st.Hero != p.Hero {
					t.Errorf("%s: %s is in front, not %s", p.ID, st.Hero, p.Hero)
				}
				if p.Keys != nil && !slices.Equal(st.Keys, p.Keys) || p.Keys == nil && !slices.Equal(st.Keys, about.Keys) {
					t.Errorf("%s: keys %v", p.ID, st.Keys)
				}
				// The experiment's link opens it. If the link's reader does not know the experiment, the link gives the same values
				// and panel.
				want := stateJSON(t, s)
				for _, card := range []string{p.ID, "elsewhere"} {
					link := strings.Replace(st.Hash, "&card="+p.ID, "&card="+card, 1)
					again := open()
					do(t, again, "load", fmt.Sprintf(`{"state":%q}`, link))
					notice := ""
					if card != p.ID {
						notice = "is unknown in " + about.ID
					}
					noticed(t, again, notice)
					got := stateJSON(t, again)
					for _, m := range []map[string]any{got, want} {
						delete(m, "playing")
					}
					if card == p.ID {
						sameState(t, link, got, want)
						continue
					}
					for _, part := range []string{"params", "hero", "runs", "results", "facts", "latest", "selected"} {
						sameState(t, link+": "+part, map[string]any{part: got[part]}, map[string]any{part: want[part]})
					}
				}
				for _, d := range s.scene.Params().Descriptors() {
					if d.Name == "budget" {
						do(t, s, "set", fmt.Sprintf(`{"name":"budget","value":%g}`, d.Max))
						if st := state(t, s); st.Card != p.ID || !st.Changed {
							t.Errorf("%s with another budget: card %q, changed %v", p.ID, st.Card, st.Changed)
						}
					}
				}
			}
			do(t, s, "defaults", "")
			st := state(t, s)
			if st.Card != "" || st.Changed || st.Hero != about.Hero || st.Playing != s.timeline().Running() {
				t.Errorf("the defaults: card %q, changed %v, %s in front, playing %v", st.Card, st.Changed, st.Hero, st.Playing)
			}
			want := "v=1&scene=" + about.ID
			for _, name := range sortedKeys(about.Opens) {
				want += "&" + name + "=" + about.Opens[name]
			}
			if got := st.Hash; got != want {
				t.Errorf("the defaults: link %s, want %s", got, want)
			}
		})
	}
}

// TestCardRefused checks that an unknown experiment changes nothing.
func TestCardRefused(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"R","value":9}`)
	want := stateJSON(t, s)
	refused(t, s, "card", `{"id":"zzz"}`, `unknown experiment "zzz" of fonseca`)
	sameState(t, "refused", stateJSON(t, s), want)
	refused(t, s, "preset", `{"id":"settle"}`, "unknown verb")
}

// TestCardHero checks that an experiment's link names a panel that the visitor brings to the front, even if it is the scene's
// hero. The next experiment must reset the panel in front.
func TestCardHero(t *testing.T) {
	for _, about := range scenes.All {
		i := slices.IndexFunc(about.Presets, func(p scene.Preset) bool { return p.Hero != "" && p.Hero != about.Hero })
		if i < 0 {
			continue
		}
		p := about.Presets[i]
		s, err := New(scenes.All, about.ID)
		if err != nil {
			t.Fatal(err)
		}
		do(t, s, "card", fmt.Sprintf(`{"id":%q}`, p.ID))
		if scene.Front(s.scene, about.Hero) != about.Hero {
			continue // the experiment has other panels
		}
		do(t, s, "hero", fmt.Sprintf(`{"panel":%q}`, about.Hero))
		link := state(t, s).Hash
		do(t, s, "load", fmt.Sprintf(`{"state":%q}`, link))
		if st := state(t, s); st.Hero != about.Hero || st.Hash != link {
			t.Errorf("%s: %s is in front, link %s", link, st.Hero, st.Hash)
		}
		do(t, s, "card", fmt.Sprintf(`{"id":%q}`, p.ID))
		if st := state(t, s); st.Hero != p.Hero {
			t.Errorf("%s again: %s is in front", p.ID, st.Hero)
		}
	}
}

// TestSlowIsUnchanged checks that a value moved by slow motion does not count as a change, but a value moved by the visitor does.
func TestSlowIsUnchanged(t *testing.T) {
	for _, id := range []string{"ordering", "bilevel"} {
		s := open(t)
		do(t, s, "open", fmt.Sprintf(`{"id":%q}`, id))
		do(t, s, "card", `{"id":"slow"}`)
		for range 40 {
			if err := s.Advance(0.1, func() bool { return true }); err != nil {
				t.Fatal(err)
			}
		}
		state, err := s.State()
		if err != nil {
			t.Fatal(err)
		}
		if s.scene.Params().IsDefault(scene.MomentParam) || state.Changed {
			t.Errorf("%s: at moment %s, changed %v", id, s.scene.Params().Text(scene.MomentParam), state.Changed)
		}
		do(t, s, "set", `{"name":"seed","value":77}`)
		if state, err := s.State(); err != nil || !state.Changed {
			t.Errorf("%s: another seed does not count as a change: %v", id, err)
		}
	}
}

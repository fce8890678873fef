package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/param"
	"paretoplay/scenes"
)

// TestFactsHaveWords: whatever facts a scene has, with each method and in each experiment, its
// description has their kinds, and of each kind that it has there are facts somewhere.
func TestFactsHaveWords(t *testing.T) {
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			t.Parallel()
			seen := map[string]bool{}
			look := func(s *Session, where string) {
				names := map[string]bool{}
				for _, f := range s.Facts() {
					if names[f.Name] {
						t.Errorf("%s: there are two facts %s", where, f.Name)
					}
					names[f.Name] = true
					kind, known := factKind(about, f.Name)
					if !known && !slices.Contains(ofAnyRuns, f.Name) {
						t.Errorf("%s: no kind of facts is that of %s", where, f.Name)
					}
					if known {
						seen[fmt.Sprint(kind.Name, kind.Of)] = true
					}
					if f.Label == "" {
						t.Errorf("%s: the fact %s has no label", where, f.Name)
					}
				}
			}
			s, err := New(scenes.All, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			look(s, "as it opens")
			for _, d := range s.scene.Params().Descriptors() {
				if d.Kind != param.Set && d.Kind != param.Choice {
					continue
				}
				var all []string
				for _, o := range d.Options {
					if o.Disabled != "" {
						continue
					}
					all = append(all, o.Value)
					if err := s.open(about.ID); err != nil {
						t.Fatal(err)
					}
					if err := s.put(d.Name, o.Value, false); err != nil {
						continue // not beside the others
					}
					look(s, d.Name+"="+o.Value)
				}
				if d.Kind != param.Set {
					continue
				}
				if err := s.put(d.Name, strings.Join(all, ","), false); err != nil {
					t.Fatal(err)
				}
				look(s, "every "+d.Name)
			}
			for _, p := range about.Presets {
				if err := s.Card(p.ID); err != nil {
					t.Fatal(err)
				}
				look(s, p.ID)
			}
			for _, f := range about.Facts {
				if !seen[fmt.Sprint(f.Name, f.Of)] {
					t.Errorf("no method, setting or experiment has facts of the kind %s", f.Name)
				}
				if f.Text == "" {
					t.Errorf("%s has no words", f.Name)
				}
			}
		})
	}
}

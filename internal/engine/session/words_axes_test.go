package session

import (
	"regexp"
	"slices"
	"testing"

	"gonum.org/v1/plot/font"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/scenes"
)

// wordFirst matches a name that begins with a word, not a symbol.
var wordFirst = regexp.MustCompile(`^[a-z]{3,}( |,|$)`)

// TestFirstPicturesInWords checks that the axes of a scene's first picture have names that begin with a word and that fit on a
// phone.
func TestFirstPicturesInWords(t *testing.T) {
	const phone = 300 // pixels of an axis
	for _, about := range scenes.All {
		s, err := New(scenes.All, about.ID)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range s.panels() {
			if p.ID() != s.front() {
				continue
			}
			switch p := p.(type) {
			case *axes.Plane:
				if x, y := p.Ranges(); !p.Bare {
					names = append(names, x.Label, y.Label)
				}
			case *kinds.Space:
				names = append(names, p.Words[:]...)
			}
		}
		for _, name := range names {
			width := brush.Text.Width(name, font.From(brush.Sans, brush.LabelText))
			if name != "" && (!wordFirst.MatchString(name) || width > phone) {
				t.Errorf("%s: got axis name %q, %.0f pixels wide", about.ID, name, float64(width))
			}
		}
	}
}

// TestSmallPanelsHaveKeys checks that small panels have legend entries for their colours and marks, and that the entries'
// labels fit.
func TestSmallPanelsHaveKeys(t *testing.T) {
	const small = 170 // pixels across
	for scene, panels := range map[string][]string{
		"lab": {"weights", "change", "cosines"}, "fairness": {"plan", "volume", "gets"}, "regression": {"responses", "factors", "where"},
		"log": {"hurt", "age", "weights", "lengths", "losses", "gradients"}, "transport": {"cost", "duals"}, "bilevel": {"cost"},
		"network": {"tasks", "weights"}, "fronts": {"variables"}, "sweep": {"vectors", "run"}, "blocks": {"frequencies"},
		"ordering": {"strip", "balance"}, "cleaning": {"weights"},
	} {
		s, err := New(scenes.All, scene)
		if err != nil {
			t.Fatal(err)
		}
		if s.timeline().Budget() > 0 && len(s.timeline().Runs()) > 0 {
			if err := s.Step(20); err != nil {
				t.Fatal(err)
			}
			work(t, s)
		}
		for range 200 { // enough for a log's panels
			if pending, err := s.Background(times(50, false)); err != nil {
				t.Fatal(err)
			} else if !pending {
				break
			}
		}
		for _, id := range panels {
			panels := s.panels()
			i := slices.IndexFunc(panels, func(p axes.Panel) bool { return p.ID() == id })
			if i < 0 {
				t.Fatalf("%s has no panel %s", scene, id)
			}
			plane, is := panels[i].(*axes.Plane)
			if !is || plane.Key == nil || len(plane.Key(brush.Light)) == 0 {
				t.Errorf("%s: panel %s has no key", scene, id)
				continue
			}
			for _, e := range plane.Key(brush.Light) {
				if width := brush.Text.Width(e.Label, font.From(brush.Sans, brush.SmallText)); width > small {
					t.Errorf("%s: panel %s has the entry %q, %.0f pixels wide", scene, id, e.Label, float64(width))
				}
			}
		}
	}
}

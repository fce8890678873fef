package session

import (
	"encoding/json"
	"strings"
	"testing"

	"paretoplay/internal/engine/link"
	"paretoplay/scenes"
)

// impatient has a session make runs in the smallest parts.
func impatient(s *Session) {
	s.SetPatience(func() func() bool { return func() bool { return false } })
}

// finish goes on with what is left, a part at a time, and reports whether something was in the making. While it is, a state can be
// had, and the picture says so.
func finish(t *testing.T, s *Session, what string) (made bool) {
	t.Helper()
	for pending, i := true, 0; pending; i++ {
		if s.unmade() != nil {
			made = true
			if err := s.drawable(); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			for _, p := range s.describe() {
				if p.Text != inTheMaking {
					t.Fatalf("%s: the panel %s says %q", what, p.ID, p.Text)
				}
			}
		}
		asked := 0
		var err error
		if pending, err = s.Work(func() bool { asked++; return s.unmade() == nil || asked > 20 }); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if i > 100_000 {
			t.Fatalf("%s: there is no end", what)
		}
	}
	return made
}

// TestMaking: runs that are made in parts are those that are made at once, whatever verbs come before they are there.
func TestMaking(t *testing.T) {
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			t.Parallel()
			parted := false
			both := func(what string, do func(s *Session) error) {
				t.Helper()
				var states [2]string
				for i := range states {
					s, err := New(scenes.All, "transport")
					if err != nil {
						t.Fatal(err)
					}
					if i == 1 {
						impatient(s)
					}
					if err := s.Open(about.ID); err != nil {
						t.Fatal(err)
					}
					if err := do(s); err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					made := finish(t, s, what)
					parted = parted || made
					if i == 0 && made {
						t.Fatalf("%s: a patient session leaves something", what)
					}
					if s.player.playing {
						if err := s.Advance(0.1, always); err != nil {
							t.Fatal(err)
						}
					}
					state, err := s.State()
					if err != nil {
						t.Fatal(err)
					}
					text, err := json.Marshal(state)
					if err != nil {
						t.Fatal(err)
					}
					states[i] = string(text)
				}
				if states[0] != states[1] {
					t.Errorf("%s: runs that are made in parts differ:\n%.1500s\n%.1500s", what, states[0], states[1])
				}
			}
			both("open", func(*Session) error { return nil })
			both("step", func(s *Session) error { return s.Step(5) })
			both("play", func(s *Session) error {
				if _, is := s.scene.Params().Lookup("speed"); !is || len(s.timeline().Runs()) == 0 && s.unmade() == nil {
					return nil
				}
				return s.Play()
			})
			both("a link", func(s *Session) error {
				in, _ := link.Parse("v=1&scene=" + about.ID + "&latest=7&k=3")
				return s.Load(in)
			})
			both("two resets", func(s *Session) error {
				if err := s.Reset(); err != nil {
					return err
				}
				return s.Reset()
			})
			if len(about.Presets) > 0 {
				last := about.Presets[len(about.Presets)-1].ID
				both("an experiment", func(s *Session) error { return s.Card(last) })
				both("another before it is there", func(s *Session) error {
					if err := s.Card(about.Presets[0].ID); err != nil {
						return err
					}
					return s.Card(last)
				})
			}
			if parted == (about.ID == "lab" || about.ID == "log" || about.ID == "bilevelcost") {
				t.Errorf("something is made in parts: %v", parted)
			}
		})
	}
}

// TestMakingLink: a link that is made before the runs are there leads to where they go.
func TestMakingLink(t *testing.T) {
	const hash = "v=1&scene=toy&run=ls-1&latest=9&k=4"
	in, _ := link.Parse(hash)
	s, err := New(scenes.All, "toy")
	if err != nil {
		t.Fatal(err)
	}
	impatient(s)
	if err := s.Load(in); err != nil {
		t.Fatal(err)
	}
	if s.unmade() == nil {
		t.Fatal("nothing is in the making")
	}
	early := s.Settings()
	finish(t, s, hash)
	if late := s.Settings(); early.Hash() != late.Hash() || !strings.Contains(late.Hash(), "k=4") {
		t.Errorf("before: %s\nafter:  %s", early.Hash(), late.Hash())
	}
	if err := s.Reset(); err != nil {
		t.Fatal(err)
	}
	if done, busy := s.Progress(); done != 0 || !busy {
		t.Errorf("progress %v, busy %v", done, busy)
	}
	if err := s.Open("fonseca"); err != nil { // what was in the making is given up
		t.Fatal(err)
	}
	if s.about.ID != "fonseca" {
		t.Errorf("%s is open", s.about.ID)
	}
}

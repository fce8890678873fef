package session

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/timeline"
	"paretoplay/scenes"
)

func openToy(t testing.TB) *Session {
	t.Helper()
	s, err := New(scenes.All, "toy")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestToyRoundTrip checks that any valid settings of toy survive a round trip through a link.
func TestToyRoundTrip(t *testing.T) {
	roundTrips(t, rand.New(rand.NewPCG(5, 6)), openToy, 25, "budget", "starts")
}

// TestToyRefuses checks that settings that are impossible for the toy problem are left out of a link with a reason, and that
// all others are kept.
func TestToyRefuses(t *testing.T) {
	s := openToy(t)
	settings, notices := link.Parse("#v=1&scene=toy&method=si,mgda&mgda.normalize=loss&etaschedule=theorem37&scale=0.1")
	if len(notices) > 0 {
		t.Fatal(notices)
	}
	if err := s.Load(settings); err != nil {
		t.Fatal(err)
	}
	said := strings.Join(s.TakeNotices(), "\n")
	for _, part := range []string{"method: si cannot be chosen here", "mgda.normalize: loss cannot be chosen here",
		"etaschedule: theorem37 cannot be chosen here"} {
		if !strings.Contains(said, part) {
			t.Errorf("%q is not said of: %s", part, said)
		}
	}
	if got := s.Settings(); !slices.Equal(got.Values, []link.Value{{Name: "method", Text: "mgda"}, {Name: "scale", Text: "0.1"}}) {
		t.Errorf("values %v", got.Values)
	}
}

// TestToyTime checks that the marker's handle works in the panel with a time axis, and that handles on the canvas
// have unique names.
func TestToyTime(t *testing.T) {
	s := openToy(t)
	if err := s.Step(200); err != nil {
		t.Fatal(err)
	}
	settle(t, s)
	s.Layout(1120, 720, false, false)
	seen := map[string]bool{}
	for _, hero := range []string{"decision", "weights", "gap"} {
		do(t, s, "hero", `{"panel":"`+hero+`"}`)
		here := map[string]bool{}
		for _, h := range s.Handles() {
			if here[h.ID] {
				t.Errorf("two handles have the name %s", h.ID)
			}
			here[h.ID], seen[h.ID] = true, true
		}
	}
	if !seen["marker"] || !seen["start-1"] {
		t.Errorf("handles %v", seen)
	}
	if err := s.nudge("marker", -10, 0); err != nil {
		t.Fatal(err)
	}
	if k := s.timeline().Marker(); k != 190 {
		t.Errorf("got marker %d", k)
	}
	if err := s.nudge("start-1", 1, 0); err != nil {
		t.Fatal(err)
	}
	settle(t, s)
	if x := s.timeline().Runs()[0].Starts[0]; !slices.Equal(x, []float64{-8.4, 7.5}) {
		t.Errorf("the start moved to %v", x)
	}
	// A live change leaves a mark and affects only the iterations after it.
	if err := s.setParam("R", "1", false); err != nil {
		t.Fatal(err)
	}
	if log := s.timeline().Log(); !slices.Equal(log, []timeline.Change{{K: 200, Name: "R", Text: "1"}}) {
		t.Errorf("log %v", log)
	}
}

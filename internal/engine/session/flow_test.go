package session

import (
	"strings"
	"testing"

	"paretoplay/internal/engine/link"
	"paretoplay/scenes"
)

// swarming opens a scene by its name alone, for a visitor who accepts motion, and returns the session.
func swarming(t *testing.T, id string) *Session {
	t.Helper()
	s, err := New(scenes.All, "lab")
	if err != nil {
		t.Fatal(err)
	}
	call(t, s, "theme", `{"name": "light", "reducedMotion": false}`)
	call(t, s, "open", `{"id": "`+id+`"}`)
	return s
}

func call(t *testing.T, s *Session, verb, args string) {
	t.Helper()
	if _, err := s.Call(verb, []byte(args)); err != nil {
		t.Fatal(err)
	}
}

// ended returns the number of swarm points with a known end, and the total number of swarm points.
func ended(t *testing.T, s *Session) (known, points float64) {
	t.Helper()
	state, err := s.State()
	if err != nil {
		t.Fatal(err)
	}
	return float64(state.Facts["swarm.ended"]), float64(state.Facts["swarm.points"])
}

// rest plays until nothing moves, for at most the given number of seconds.
func rest(t *testing.T, s *Session, seconds int) {
	t.Helper()
	for range 60 * seconds {
		if !s.Playing() {
			return
		}
		if err := s.Advance(1./60, always); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the session does not come to rest")
}

// TestFlowsAlone checks that a session reports that only its swarm moves after its runs have stopped, but not while the runs
// play or after the swarm has come to rest.
func TestFlowsAlone(t *testing.T) {
	s := swarming(t, "fonseca")
	call(t, s, "play", `{}`)
	alone := 0
	for range 60 * 120 {
		state, err := s.State()
		if err != nil {
			t.Fatal(err)
		}
		if status := s.statusJSON(); state.Flows != status.Flows || state.Flows && (!state.Playing || s.player.playing) {
			t.Fatalf("state %t, status %t, playing %t, runs play %t", state.Flows, status.Flows, state.Playing, s.player.playing)
		}
		if state.Flows {
			alone++
		}
		if !state.Playing {
			break
		}
		if err := s.Advance(1./60, always); err != nil {
			t.Fatal(err)
		}
	}
	if alone == 0 || s.Playing() {
		t.Errorf("only the swarm moved in %d frames, playing at the end: %t", alone, s.Playing())
	}
}

// TestPlainOpening checks that scenes whose hero is a swarm show the swarm when they are opened by name. Links, cards
// and lessons that do not name the swarm must show none. A link to a scene whose swarm was removed must contain
// swarm=0.
func TestPlainOpening(t *testing.T) {
	for _, id := range []string{"fonseca", "toy", "yours"} {
		s := swarming(t, id)
		hash := s.Settings()
		if !strings.Contains(hash.Hash(), "&swarm=") || strings.Contains(hash.Hash(), "swarm=0") {
			t.Errorf("%s opens plainly with %s", id, hash.Hash())
		}
		if state, err := s.State(); err != nil || state.Changed {
			t.Errorf("%s opens changed, %v", id, err)
		}
		call(t, s, "set", `{"name": "swarm", "value": 0}`)
		without := s.Settings()
		if !strings.Contains(without.Hash(), "&swarm=0") {
			t.Errorf("%s without its swarm is %s, which would open plainly", id, without.Hash())
		}
		call(t, s, "load", `{"state": "`+without.Hash()+`"}`)
		if now := s.Settings(); now.Hash() != without.Hash() {
			t.Errorf("%s came back as %s", without.Hash(), now.Hash())
		}
		call(t, s, "load", `{"state": "v=1&scene=`+id+`&starts=3"}`)
		if now := s.Settings(); strings.Contains(now.Hash(), "swarm") {
			t.Errorf("a link without a swarm opens as %s", now.Hash())
		}
		call(t, s, "defaults", `{}`)
		if now := s.Settings(); !strings.Contains(now.Hash(), "swarm=") {
			t.Errorf("the scene's own values are %s", now.Hash())
		}
		about, _ := scenes.All.Find(id)
		call(t, s, "card", `{"id": "`+about.Presets[0].ID+`"}`)
		if now := s.Settings(); strings.Contains(now.Hash(), "swarm") {
			t.Errorf("a card opens as %s", now.Hash())
		}
	}
}

// TestSwarmFlows checks that a swarm moves while the runs play and then until it comes to rest. It must stop when the visitor
// pauses, and start again when a setting changes.
func TestSwarmFlows(t *testing.T) {
	s := swarming(t, "fonseca")
	call(t, s, "set", `{"name": "swarm", "value": 200}`)
	call(t, s, "play", `{}`)
	for range 60 {
		if err := s.Advance(1./60, always); err != nil {
			t.Fatal(err)
		}
	}
	call(t, s, "pause", `{}`)
	if s.Playing() {
		t.Error("got playing after a pause")
	}
	known, _ := ended(t, s)
	if pending, err := s.Background(always); err != nil || pending {
		t.Errorf("work during a pause: error %v", err)
	}
	if now, _ := ended(t, s); now != known {
		t.Errorf("in a pause %v ends became %v", known, now)
	}
	call(t, s, "play", `{}`)
	rest(t, s, 60)
	if known, points := ended(t, s); known != points || points != 200 {
		t.Errorf("at rest %v ends of %v points are known", known, points)
	}
	if !s.ended() {
		t.Error("the runs have neither ended nor settled")
	}
	call(t, s, "set", `{"name": "R", "value": 32}`)
	if known, _ := ended(t, s); known != 0 || !s.Playing() {
		t.Errorf("after a change %v ends are known, playing %v", known, s.Playing())
	}
	rest(t, s, 60)
}

// TestStillSwarm checks that without motion, and in files, the swarm is shown at its rest positions as soon as they are
// computed. The state must be the same as after the swarm has moved there.
func TestStillSwarm(t *testing.T) {
	moving := swarming(t, "fonseca")
	call(t, moving, "set", `{"name": "swarm", "value": 100}`)
	call(t, moving, "play", `{}`)
	rest(t, moving, 60)
	still := open(t)
	settings := moving.Settings()
	call(t, still, "load", `{"state": "`+settings.Hash()+`"}`)
	settle(t, still)
	for pending := true; pending; {
		var err error
		if pending, err = still.Background(always); err != nil {
			t.Fatal(err)
		}
	}
	if still.Playing() {
		t.Error("got motion")
	}
	a, err := moving.State()
	if err != nil {
		t.Fatal(err)
	}
	b, err := still.State()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"swarm.ended", "swarm.away", "swarm.end1", "swarm.end2"} {
		if a.Facts[name] != b.Facts[name] || !(b.Facts[name] >= 0) {
			t.Errorf("%s is %v in motion, %v at once", name, a.Facts[name], b.Facts[name])
		}
	}
	if now := still.Settings(); now.Hash() != settings.Hash() {
		t.Errorf("%s came back as %s", settings.Hash(), now.Hash())
	}
}

// TestCurtain checks that keys and the handle move the curtain within the plane, and that undo moves it back.
func TestCurtain(t *testing.T) {
	s := swarming(t, "fonseca")
	call(t, s, "hero", `{"panel": "decision"}`)
	at := func() string { return s.Params().Text("curtainat") }
	found := false
	for _, h := range s.Handles() {
		found = found || h.ID == "curtain" && strings.Contains(h.Label, "PSMGD left") && strings.Contains(h.Value, "100 %")
	}
	if !found || at() != "1" {
		t.Fatalf("handles %+v, curtain at %s", s.Handles(), at())
	}
	call(t, s, "nudge", `{"id": "curtain", "dx": -10, "dy": 0}`)
	if at() != "0.8" {
		t.Errorf("ten keys to the left bring the curtain to %s", at())
	}
	call(t, s, "nudge", `{"id": "curtain", "dx": 30, "dy": 5}`)
	if at() != "1" {
		t.Errorf("beyond the edge it is at %s", at())
	}
	call(t, s, "undo", `{}`)
	if at() != "0.8" {
		t.Errorf("undone it is at %s", at())
	}
	if now := s.Settings(); !strings.Contains(now.Hash(), "curtainat=0.8") {
		t.Errorf("the link is %s", now.Hash())
	}
	call(t, s, "set", `{"name": "d", "value": 5}`)
	for _, p := range s.describe() {
		if p.ID == "decision" && !strings.Contains(p.Text, "There is no swarm: it needs two variables") {
			t.Errorf("with five variables: %s", p.Text)
		}
	}
	for _, h := range s.Handles() {
		if h.ID == "curtain" {
			t.Error("with five variables there is a curtain")
		}
	}
}

// TestSwarmPinned checks that a pin stores the swarm's settings, and that swapping restores them.
func TestSwarmPinned(t *testing.T) {
	s := swarming(t, "fonseca")
	call(t, s, "set", `{"name": "swarm", "value": 100}`)
	call(t, s, "pin", `{}`)
	call(t, s, "set", `{"name": "swarm", "value": 50}`)
	now := s.Settings()
	if len(now.Pins) != 1 || !strings.Contains(now.Pins[0].Hash, "swarm=100") {
		t.Fatalf("pins %+v", now.Pins)
	}
	call(t, s, "swapPin", `{"letter": "A"}`)
	if got := s.Params().Text("swarm"); got != "100" {
		t.Errorf("the pin brings back %s points", got)
	}
	if read, _ := link.Parse(now.Hash()); len(read.Pins) != 1 {
		t.Errorf("the link's pins are %+v", read.Pins)
	}
}

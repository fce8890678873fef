package session

import (
	"testing"

	"paretoplay/scenes"
)

// unfolds lists the scenes without runs that draw their pictures gradually as they open.
var unfolds = []string{"bilevelcost", "lab", "log"}

// TestUnfolds checks that a scene without runs moves as it opens, rests after some seconds, and moves again on play. It must
// not move for visitors who want no motion. Its final picture and its link must stay the same.
func TestUnfolds(t *testing.T) {
	for _, id := range unfolds {
		s := swarming(t, id)
		if s.Playing() {
			t.Errorf("%s: got motion before play", id)
		}
		hash := s.Settings()
		for range 2 {
			call(t, s, "play", `{}`)
			frames := 0
			for ; s.Playing() && frames < 30*60; frames++ {
				before := s.Pictures()
				if err := s.Advance(1./60, always); err != nil {
					t.Fatal(err)
				}
				if s.Pictures() == before {
					t.Fatalf("%s: a frame shows no change", id)
				}
			}
			if frames < 3*60 || frames > 12*60 {
				t.Errorf("%s: got motion for %d frames", id, frames)
			}
		}
		if now := s.Settings(); now.Hash() != hash.Hash() {
			t.Errorf("%s: its link was %s and is %s", id, hash.Hash(), now.Hash())
		}
		call(t, s, "play", `{}`)
		call(t, s, "pause", `{}`)
		if s.Playing() {
			t.Errorf("%s: got motion during a pause", id)
		}
		still, err := New(scenes.All, id)
		if err != nil {
			t.Fatal(err)
		}
		call(t, still, "play", `{}`)
		if still.Playing() {
			t.Errorf("%s: got motion although it is unwanted", id)
		}
	}
}

// TestUnfoldingEnds checks that a change in the lab ends the gradual drawing.
func TestUnfoldingEnds(t *testing.T) {
	s := swarming(t, "lab")
	call(t, s, "play", `{}`)
	call(t, s, "set", `{"name": "gradients", "value": "1,0;0,1"}`)
	if s.Playing() {
		t.Error("the arrows still grow after a change")
	}
}

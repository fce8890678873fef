package session

import (
	"testing"

	"paretoplay/scenes"
)

// unfolds are the scenes without runs, whose pictures are drawn up in time as they open.
var unfolds = []string{"bilevelcost", "lab", "log"}

// TestUnfolds: a scene without runs moves as it opens, rests after some seconds, and begins anew where it is played again. It neither
// moves for who wants no motion, nor changes what it shows in the end, nor writes anything into its link.
func TestUnfolds(t *testing.T) {
	for _, id := range unfolds {
		s := swarming(t, id)
		if s.Playing() {
			t.Errorf("%s moves before it is played", id)
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
					t.Fatalf("%s: a frame shows nothing new", id)
				}
			}
			if frames < 3*60 || frames > 12*60 {
				t.Errorf("%s moves for %d frames", id, frames)
			}
		}
		if now := s.Settings(); now.Hash() != hash.Hash() {
			t.Errorf("%s: its link was %s and is %s", id, hash.Hash(), now.Hash())
		}
		call(t, s, "play", `{}`)
		call(t, s, "pause", `{}`)
		if s.Playing() {
			t.Errorf("%s moves in a pause", id)
		}
		still, err := New(scenes.All, id)
		if err != nil {
			t.Fatal(err)
		}
		call(t, still, "play", `{}`)
		if still.Playing() {
			t.Errorf("%s moves for who wants no motion", id)
		}
	}
}

// TestUnfoldingEnds: in the lab a change of what is shown ends what unfolds.
func TestUnfoldingEnds(t *testing.T) {
	s := swarming(t, "lab")
	call(t, s, "play", `{}`)
	call(t, s, "set", `{"name": "gradients", "value": "1,0;0,1"}`)
	if s.Playing() {
		t.Error("the arrows still grow after they were changed")
	}
}

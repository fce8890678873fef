package session

import (
	"errors"
	"strings"
	"testing"

	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
)

// broken is a scene with a computation, separate from its runs, that fails or panics until it is repaired.
type broken struct {
	scene.Scene
	err    error
	panics bool
	worked int
}

// Work implements scene.Scene.
func (b *broken) Work(func() bool) (pending bool, err error) {
	b.worked++
	if b.panics {
		panic("an index is out of range")
	}
	return false, b.err
}

// TestBackgroundFault checks that a panel shows the error or panic of its computation, with advice. Runs, other
// panels and verbs must continue. The computation must be retried only after a change, and the picture must return
// once the computation succeeds.
func TestBackgroundFault(t *testing.T) {
	s, err := New(scenes.All, "ordering")
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, "set", `{"name":"view","value":"cost"}`)
	b := &broken{Scene: s.scene, err: errors.New("loss 1 is 0, allowed is above 0")}
	s.scene = b
	shown := func() (words string, others int) {
		for _, p := range s.describe() {
			if p.ID == "curve" {
				words = p.Text
			} else if strings.Contains(p.Text, "could not be computed") {
				others++
			}
		}
		return words, others
	}
	if words, _ := shown(); strings.Contains(words, "could not be computed") {
		t.Fatal("got an error before the work")
	}
	version := s.Version()
	if pending, err := s.Background(always); pending || err != b.err {
		t.Errorf("pending %v, error %v", pending, err)
	}
	if s.Version() == version {
		t.Error("no frame is requested to show the error")
	}
	words, others := shown()
	if !strings.Contains(words, "loss 1 is 0") || !strings.Contains(words, "Change the setting") || others > 0 {
		t.Errorf("the panel says %q, and %d others do too", words, others)
	}
	if err := s.drawable(); err != nil {
		t.Error(err)
	}
	version = s.Version()
	if _, err := s.Background(always); err != b.err || b.worked != 1 || s.Version() != version {
		t.Errorf("error %v; without a change the work was tried %d times", err, b.worked)
	}
	do(t, s, "step", `{"n":3}`)
	if pending, err := s.Work(always); pending || err != nil || s.timeline().Latest() != 3 {
		t.Errorf("pending %v, error %v, at iteration %d", pending, err, s.timeline().Latest())
	}
	b.err, b.panics = nil, true
	if _, err := s.Background(always); err == nil || !strings.Contains(err.Error(), "out of range") || b.worked != 2 {
		t.Errorf("error %v after %d tries", err, b.worked)
	}
	if words, _ := shown(); !strings.Contains(words, "the program has a bug") {
		t.Errorf("the panel says %q", words)
	}
	b.panics = false
	do(t, s, "hero", `{"panel":"walk"}`)
	version = s.Version()
	if _, err := s.Background(always); err != nil || s.Version() == version {
		t.Errorf("error %v, a frame is due: %v", err, s.Version() != version)
	}
	if words, _ := shown(); strings.Contains(words, "could not be computed") {
		t.Errorf("the panel still says %q", words)
	}
}

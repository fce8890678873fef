package follow_test

import (
	"encoding/json"
	"testing"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/follow"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// plain is a scene with one numeric parameter.
type plain struct {
	scene.Base
	x float64
}

func newPlain() scene.Scene {
	p := &plain{Base: scene.NewBase()}
	p.Params().Number(&p.x, param.Descriptor{Name: "x", Label: "x", Max: 9})
	return p
}

func (p *plain) Restart([]timeline.Change) error { return nil }

func (p *plain) Panels() []axes.Panel { return nil }

// world is a World with a scene whose runs are not playing.
type world struct{ of scene.Scene }

func (w world) Scene() scene.Scene { return w.of }

func (w world) Hero() string { return "" }

func (w world) Playing() bool { return false }

func (w world) Ended() bool { return !w.of.Timeline().Running() }

func (w world) Live(string) bool { return false }

func (w world) Held() bool { return false }

// TestFollower checks that a goal is reached only when the visitor has acted and the value is as required. The
// follower must report the goal once, and must not check it without a call of Due.
func TestFollower(t *testing.T) {
	about := scene.About{ID: "plain", New: newPlain}
	place := link.Place{Name: "a", Step: 1}
	const text = `{"hide":["answer"],"keys":["x"],"goal":{"condition":{"op":"&&","args":[{"op":"changed","text":"x"},
		{"op":">=","args":[{"op":"param","text":"x"},{"op":"number","number":2}]}]}},"slots":[{"op":"param","text":"x"}]}`
	d, err := follow.ReadDefinition(place, json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	step, err := follow.NewStep(place, d, about)
	if err != nil {
		t.Fatal(err)
	}
	var f follow.Follower
	f.Invite(nil)
	if f.Step.State() != nil || f.Step.Place() != (link.Place{}) || f.Step.Uncover() || f.Step.Awaited() {
		t.Error("got a step without a lesson")
	}
	f.Step = step
	w, told := world{newPlain()}, 0
	look := func() bool {
		f.Look(w, func() { told++ })
		return f.Step.State().Reached
	}
	if err := w.of.Params().Assign("x", "3"); err != nil {
		t.Fatal(err)
	}
	if look() {
		t.Error("the goal is reached before any action of the visitor")
	}
	f.SawChange("x")
	if look() {
		t.Error("the goals were checked without a request")
	}
	f.Due()
	if !look() || told != 1 || len(step.State().Numbers) != 1 || step.State().Numbers[0] != 3 {
		t.Errorf("reported %d times, want once; state %+v", told, step.State())
	}
	f.Due()
	if !look() || told != 1 || f.Tried() {
		t.Errorf("reported %d times, want once; Tried: got %v, want false", told, f.Tried())
	}
	step.Cover()
	if !step.Hides("answer") || step.Hides("x") || !step.Uncover() || step.Hides("answer") || step.Uncover() {
		t.Error("Cover does not hide the answer, or Uncover does not show it")
	}
}

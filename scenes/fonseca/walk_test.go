package fonseca_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/scenes/fonseca"
)

// walking returns the scene with a run that has reached the front, and with a walk along the front that has taken some
// steps.
func walking(t *testing.T, settings ...string) *fonseca.Scene {
	t.Helper()
	values := map[string]string{"walking": "true"}
	for _, setting := range settings {
		name, text, _ := strings.Cut(setting, "=")
		values[name] = text
	}
	s := scenetest.Open(t, fonseca.New(), values)
	scenetest.Finish(t, s)
	return s
}

func fact(t *testing.T, s *fonseca.Scene, name string) float64 {
	t.Helper()
	return scenetest.Fact(t, s.Facts(), name)
}

// TestWalk checks that a walk to the left along the front lowers f1. The front bulges outwards, so the cost of lowering
// f1 further must also fall.
func TestWalk(t *testing.T) {
	f1, costs := math.Inf(1), math.Inf(1)
	for _, n := range []int{0, -10, -20} {
		s := walking(t, "walk="+strconv.Itoa(n))
		f, cost := fact(t, s, "walked.1"), fact(t, s, "rate.2")
		if !(f < f1) || !(cost < costs) {
			t.Errorf("after %d steps f1 is %g and costs %g; before %g and %g", n, f, cost, f1, costs)
		}
		f1, costs = f, cost
		all := s.Conclusions().Sentences
		if len(all) < 2 || !strings.HasPrefix(all[0].Text, "One unit of f₁ costs ") || all[0].Panel != "objective" {
			t.Errorf("after %d steps it says %+v", n, all)
		}
	}
	s := walking(t, "walk=-300")
	all := s.Conclusions().Sentences
	if last := all[len(all)-1]; last.ID != "end" || !strings.Contains(last.Text, "f₁ is at a local minimum") {
		t.Errorf("beyond the end it says %q", last.Text)
	}
	if f := fact(t, s, "walked.1"); f > 1e-9 {
		t.Errorf("f1 is %g at its end", f)
	}
	off := walking(t, "walking=false", "walk=-20")
	if !math.IsNaN(fact(t, off, "rate.2")) || off.Conclusions().Sentences != nil {
		t.Error("got a walk although it is off")
	}
}

// TestDragWalk checks that an arrow key moves the ring one step, and that the pointer moves it to the nearest station.
func TestDragWalk(t *testing.T) {
	s := walking(t, "walk=-5")
	rings := map[string]axes.Handle{}
	for _, p := range s.Panels() {
		for _, h := range p.Handles(brush.Frame{Width: 400, Height: 300, Theme: brush.Light}) {
			rings[h.ID] = h
		}
	}
	for id, moves := range map[string][]struct {
		dx, dy float64
		want   string
	}{
		"walk":   {{-1, 0, "-6"}, {1, 0, "-4"}, {0, 1, "-6"}, {0, -1, "-4"}},
		"walk-x": {{1, 0, "-6"}, {-1, 0, "-4"}, {0, 1, "-6"}, {0, -1, "-4"}}, // f1 is lowest at the upper right
	} {
		ring, ok := rings[id]
		if !ok {
			t.Fatalf("no handle %s", id)
		}
		for _, m := range moves {
			if name, text := s.Drag(id, ring.X+m.dx*ring.StepX, ring.Y+m.dy*ring.StepY); name != "walk" || text != m.want {
				t.Errorf("%s by (%g, %g): %s = %s, not %s", id, m.dx, m.dy, name, text, m.want)
			}
		}
	}
	for _, n := range []int{-12, 3, 30} {
		to := walking(t, "walk="+strconv.Itoa(n))
		if _, text := s.Drag("walk", fact(t, to, "walked.1"), fact(t, to, "walked.2")); text != strconv.Itoa(n) {
			t.Errorf("dragged to the station of %d steps, it walks %s", n, text)
		}
	}
	if name, _ := s.Drag("walk", rings["walk"].X, rings["walk"].Y); name != "" {
		t.Error("a drag to where it is changes something")
	}
}

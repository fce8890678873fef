package session

import (
	"fmt"
	"strings"
	"testing"

	"paretoplay/internal/engine/link"
)

// TestStop checks that a stopped replay keeps its iterations, and that live parameters have their values at the last of
// these. The link must then lead to the same iteration and values.
func TestStop(t *testing.T) {
	s := open(t)
	address, notices := link.Parse("#v=1&scene=fonseca&method=psmgd&starts=2&budget=1000&log=10:R:7,50:R:9,60:eta:0.5&latest=500&k=400")
	if len(notices) > 0 {
		t.Fatal(notices)
	}
	if err := s.Load(address); err != nil {
		t.Fatal(err)
	}
	left := 30
	if _, err := s.Work(func() bool { left--; return left >= 0 }); err != nil {
		t.Fatal(err)
	}
	if _, busy := s.Progress(); !busy {
		t.Fatal("there is no replay")
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	state, err := s.State()
	if err != nil {
		t.Fatal(err)
	}
	if state.Latest != 30 || state.Iteration != 30 || state.Progress != nil || state.Playing {
		t.Errorf("stopped at %d of %d, progress %v", state.Iteration, state.Latest, state.Progress)
	}
	if !strings.Contains(fmt.Sprint(state.Notices), "Stopped at iteration 30 of 500") {
		t.Errorf("notices %q", state.Notices)
	}
	if got := fmt.Sprint(state.Log); got != "[{10 R 7}]" {
		t.Errorf("the log is %s", got)
	}
	if got := fmt.Sprint(state.Params["R"], state.Params["eta"]); got != "7 0.3" {
		t.Errorf("R and η are %s", got)
	}
	again, notices := link.Parse(state.Hash)
	if len(notices) > 0 || again.Latest != 30 || again.Marker != 30 {
		t.Errorf("the link %s, %q", state.Hash, notices)
	}
	// The runs continue from the iteration at which they stopped. Stop without a job does nothing.
	if err := s.Step(1); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Work(func() bool { return true }); err != nil {
		t.Fatal(err)
	}
	if err := s.stop(); err != nil || s.timeline().Latest() != 31 {
		t.Errorf("at %d, %v", s.timeline().Latest(), err)
	}
}

// TestMostChanges checks the maximum number of live changes, and that a refused change has no effect.
func TestMostChanges(t *testing.T) {
	s := open(t)
	if err := s.setParam("budget", "100000", false); err != nil {
		t.Fatal(err)
	}
	for i := range link.MaxLog + 1 {
		if err := s.Step(1); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Work(func() bool { return true }); err != nil {
			t.Fatal(err)
		}
		err := s.setParam("R", []string{"3", "5"}[i%2], false)
		if (err != nil) != (i == link.MaxLog) {
			t.Fatalf("change %d: %v", i, err)
		}
	}
	if n, text := len(s.timeline().Log()), s.scene.Params().Text("R"); n != link.MaxLog || text != "5" {
		t.Errorf("%d changes, R is %s", n, text)
	}
}

package session

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/pointer"
)

func decode(t testing.TB, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

func point(t testing.TB, s *Session, kind string, x, y float64, touch bool) bool {
	t.Helper()
	claimed, err := s.Pointer(pointer.Event{Kind: kind, X: x, Y: y, Touch: touch}, nil)
	if err != nil {
		t.Fatal(err)
	}
	settle(t, s)
	return claimed
}

func handle(t testing.TB, s *Session, id string) ScreenHandle {
	t.Helper()
	for _, h := range s.Handles() {
		if h.ID == id {
			return h
		}
	}
	t.Fatalf("unknown handle %s", id)
	return ScreenHandle{}
}

// TestDragStart checks that a start point follows the pointer, and that the runs are rebuilt and replayed. A release outside
// the canvas must end the drag.
func TestDragStart(t *testing.T) {
	s := open(t)
	do(t, s, "hero", `{"panel":"decision"}`)
	s.Layout(1120, 720, false, false)
	do(t, s, "hero", `{"panel":"decision"}`)
	do(t, s, "step", `{"n":20}`)
	h := handle(t, s, "start-3")
	before := slices.Clone(s.timeline().Runs()[2].Starts[0])
	if !point(t, s, "down", h.X+3, h.Y, false) || s.Cursor() != "grabbing" {
		t.Errorf("a press on a start: cursor %s", s.Cursor())
	}
	if point(t, s, "move", h.X+4, h.Y, false); !slices.Equal(s.timeline().Runs()[2].Starts[0], before) {
		t.Error("a tiny movement moves the start")
	}
	if !point(t, s, "move", h.X+33, h.Y-20, false) {
		t.Error("a drag is not claimed")
	}
	after := handle(t, s, "start-3")
	// The start point keeps its distance from the pointer.
	if math.Abs(after.X-h.X-30) > 1 || math.Abs(after.Y-h.Y+20) > 1 {
		t.Errorf("the start went from %v, %v to %v, %v", h.X, h.Y, after.X, after.Y)
	}
	start := s.timeline().Runs()[2].Starts[0]
	if start[0] <= before[0] || start[1] <= before[1] {
		t.Errorf("right and up leads from %v to %v", before, start)
	}
	at(t, s, 20, 20)
	if !point(t, s, "up", -500, 9000, false) || s.Cursor() == "grabbing" {
		t.Error("a release outside does not end the drag")
	}
	end := slices.Clone(s.timeline().Runs()[2].Starts[0])
	point(t, s, "move", h.X, h.Y, false)
	if !slices.Equal(s.timeline().Runs()[2].Starts[0], end) {
		t.Error("the start follows a pointer that is up")
	}
	for _, c := range end {
		if math.Abs(c) > 10 {
			t.Errorf("start %v is out of range", end)
		}
	}
	noticed(t, s, "")
}

// TestCancel checks that a drag cancelled by the system leaves the start point where it was dragged.
func TestCancel(t *testing.T) {
	s := open(t)
	do(t, s, "hero", `{"panel":"decision"}`)
	h := handle(t, s, "start-1")
	point(t, s, "down", h.X, h.Y, true)
	point(t, s, "move", h.X+20, h.Y, true)
	moved := slices.Clone(s.timeline().Runs()[0].Starts[0])
	if point(t, s, "cancel", 0, 0, true) {
		t.Error("cancel is claimed")
	}
	point(t, s, "move", h.X+60, h.Y, true)
	if !slices.Equal(s.timeline().Runs()[0].Starts[0], moved) {
		t.Error("the start follows a cancelled finger")
	}
}

// TestTouch checks that a touch outside all handles is left to the page, which scrolls. A touch on a handle is not left to the
// page, and may be farther from the handle than a mouse click.
func TestTouch(t *testing.T) {
	s := open(t)
	s.Layout(1120, 720, true, false)
	do(t, s, "hero", `{"panel":"weights"}`)
	if point(t, s, "down", 2, 2, true) {
		t.Error("a finger on nothing is claimed")
	}
	h := handle(t, s, "marker")
	if point(t, s, "down", h.X, h.Y-18, false); s.Cursor() == "grabbing" {
		t.Error("a mouse takes a handle from 18 pixels away")
	}
	point(t, s, "up", h.X, h.Y-18, false)
	if !point(t, s, "down", h.X, h.Y-18, true) || s.Cursor() != "grabbing" {
		t.Error("a finger does not take a handle from 18 pixels away")
	}
	// A lost release does not leave a drag active.
	point(t, s, "down", 2, 2, true)
	if s.Cursor() == "grabbing" {
		t.Error("a new press goes on with the old drag")
	}
	if _, err := s.Pointer(pointer.Event{Kind: "wheel"}, nil); err == nil {
		t.Error("an unknown event is accepted")
	}
}

// TestClickAndHover checks that a click on a curve selects its run, and that hovering shows exact values.
func TestClickAndHover(t *testing.T) {
	s := open(t)
	s.Layout(1120, 720, false, false)
	do(t, s, "step", `{"n":30}`)
	do(t, s, "hero", `{"panel":"objective"}`)
	// Find a position on the weights' curves that belongs to another run.
	for _, pl := range s.placed() {
		if pl.Panel.ID() != "objective" {
			continue
		}
		for y := pl.Rect.Min.Y; y < pl.Rect.Max.Y; y += 3 {
			for x := pl.Rect.Min.X; x < pl.Rect.Max.X; x += 3 {
				px, py := float64(x), s.screen.height-float64(y)
				_, pick, ok := pointer.Pick(canvas{s}, vg.Point{X: x, Y: y}, false)
				if !ok || pick.Run == "" || pick.Run == s.timeline().SelectedName() || pick.Handle != "" {
					continue
				}
				if point(t, s, "move", px, py, false) || s.Cursor() != "pointer" {
					t.Errorf("hovering: cursor %s", s.Cursor())
				}
				tip, where, ok := s.Tooltip()
				if !ok || tip.Run != pick.Run || len(tip.Lines) < 3 || math.Hypot(float64(where.X-x), float64(where.Y-y)) > 13 {
					t.Errorf("tooltip %+v at %v, %v", tip, where, ok)
				}
				point(t, s, "down", px, py, false)
				point(t, s, "up", px+1, py, false)
				if s.timeline().SelectedName() != pick.Run {
					t.Errorf("a click on %s selects %s", pick.Run, s.timeline().SelectedName())
				}
				point(t, s, "move", px, py, false)
				point(t, s, "leave", 0, 0, false)
				if _, _, ok := s.Tooltip(); ok || s.Cursor() != "default" {
					t.Error("the tooltip stays when the pointer has left")
				}
				return
			}
		}
	}
	t.Fatal("no run was found")
}

// TestDragMarker checks that dragging the time marker pauses play and moves the marker through the recorded iterations, on either
// axis, also during a replay.
func TestDragMarker(t *testing.T) {
	for _, axis := range []string{"iterations", "backpropagations"} {
		s := open(t)
		s.Layout(1120, 720, false, false)
		do(t, s, "hero", `{"panel":"weights"}`)
		do(t, s, "set", `{"name":"axis","value":"`+axis+`"}`)
		do(t, s, "step", `{"n":100}`)
		do(t, s, "play", `{}`)
		h := handle(t, s, "marker")
		point(t, s, "down", h.X, h.Y, false)
		point(t, s, "move", h.X-40, h.Y, false)
		k := s.timeline().Marker()
		if s.Playing() || k >= 100 || k < 50 {
			t.Errorf("%s: playing %v at %d", axis, s.Playing(), k)
		}
		if now := handle(t, s, "marker"); math.Abs(now.X-h.X+40) > 4 {
			t.Errorf("%s: the marker went from %v to %v, not by 40", axis, h.X, now.X)
		}
		point(t, s, "move", h.X+4000, h.Y, false)
		at(t, s, 100, 100)
		point(t, s, "move", h.X-4000, h.Y, false)
		at(t, s, 0, 100)
		point(t, s, "up", h.X-4000, h.Y, false)
		at(t, s, 0, 100)
		if log(s) != "" {
			t.Error("moving the marker is logged")
		}
	}
}

// TestPointerMini checks that a small panel explains what is under the pointer and that nothing in it can be dragged. A click
// must bring the panel to the front.
func TestPointerMini(t *testing.T) {
	s := open(t)
	s.Layout(1152, 520, false, false)
	do(t, s, "step", `{"n":100}`)
	for _, pl := range s.placed() {
		if pl.Panel.ID() != "weights" {
			continue
		}
		if pl.Detail != brush.Mini {
			t.Fatal("the weights are in front")
		}
		found := false
		for x := float64(pl.Rect.Min.X) + 1; x < float64(pl.Rect.Max.X); x += 2 {
			for y := s.screen.height - float64(pl.Rect.Max.Y) + 1; y < s.screen.height-float64(pl.Rect.Min.Y); y += 2 {
				point(t, s, "move", x, y, false)
				pick, _, ok := s.Tooltip()
				if pick.Handle != "" || s.Cursor() != "pointer" {
					t.Fatalf("at %v, %v: handle %q, cursor %s", x, y, pick.Handle, s.Cursor())
				}
				found = found || ok && pick.Run != ""
			}
		}
		if !found {
			t.Error("no run is found in it")
		}
		x, y := float64(pl.Rect.Max.X)-30, s.screen.height-float64(pl.Rect.Max.Y)+40
		selected := s.timeline().SelectedName()
		if !point(t, s, "down", x, y, false) || !point(t, s, "move", x-40, y, false) {
			t.Error("a press is not claimed")
		}
		if point(t, s, "up", x-40, y, false); s.front() == "weights" {
			t.Error("a drag brings it to the front")
		}
		at(t, s, 100, 100)
		point(t, s, "down", x, y, false)
		if point(t, s, "up", x, y, false); s.front() != "weights" || s.timeline().SelectedName() != selected {
			t.Errorf("after a click %s is in front, %s selected", s.front(), s.timeline().SelectedName())
		}
		point(t, s, "move", 2, 2, false)
		if s.Cursor() != "default" {
			t.Errorf("beside the panels the cursor is %s", s.Cursor())
		}
		return
	}
	t.Fatal("no panel of weights")
}

// TestNudge checks that arrow keys move handles, and that every press of a key moves the marker.
func TestNudge(t *testing.T) {
	for _, axis := range []string{"iterations", "backpropagations"} {
		s := open(t)
		do(t, s, "set", `{"name":"axis","value":"`+axis+`"}`)
		do(t, s, "step", `{"n":20}`)
		for k := 20; k > 0; {
			do(t, s, "nudge", `{"id":"marker","dx":-1,"dy":0}`)
			now := s.timeline().Marker()
			if now >= k || axis == "iterations" && now != k-1 {
				t.Fatalf("%s: a press leads from %d to %d", axis, k, now)
			}
			k = now
		}
		do(t, s, "nudge", `{"id":"marker","dx":10}`)
		if k := s.timeline().Marker(); k < 8 || k > 20 {
			t.Errorf("%s: ten presses to the right lead to %d", axis, k)
		}
		x := slices.Clone(s.timeline().Runs()[1].Starts[0])
		do(t, s, "nudge", `{"id":"start-2","dx":1,"dy":-10}`)
		y := s.timeline().Runs()[1].Starts[0]
		if math.Abs(y[0]-x[0]-0.02) > 1e-4 || math.Abs(y[1]-x[1]+0.2) > 1e-4 {
			t.Errorf("the start went from %v to %v", x, y)
		}
	}
}

// TestHandles checks that only the front panel's handles are listed. At any size of the canvas, the handles must be
// inside it and have labels.
func TestHandles(t *testing.T) {
	s := open(t)
	do(t, s, "hero", `{"panel":"decision"}`)
	do(t, s, "hero", `{"panel":"decision"}`)
	do(t, s, "set", `{"name":"region","value":4}`)
	do(t, s, "set", `{"name":"start","value":"9,-9"}`)
	for _, size := range [][2]float64{{1120, 720}, {2000, 600}, {320, 480}, {320, 200}} {
		do(t, s, "layout", `{"width":`+number(size[0])+`,"height":`+number(size[1])+`}`)
		seen := map[string]bool{}
		for _, h := range s.Handles() {
			if h.X < 0 || h.X > size[0] || h.Y < 0 || h.Y > size[1] || h.Label == "" || h.Value == "" || seen[h.ID] {
				t.Errorf("%v: handle %+v", size, h)
			}
			seen[h.ID] = true
		}
		if want := 10; len(seen) != want {
			t.Errorf("%v: %d handles, want %d", size, len(seen), want)
		}
	}
	do(t, s, "hero", `{"panel":"weights"}`)
	if hs := s.Handles(); len(hs) != 1 || hs[0].ID != "marker" {
		t.Errorf("the weights alone have the handles %+v", hs)
	}
	for _, size := range []string{`{"width":0,"height":0}`, `{"width":-5,"height":1e9}`, `{}`} {
		do(t, s, "layout", size)
		s.Handles()
		point(t, s, "down", 1, 1, false)
		point(t, s, "up", 1, 1, false)
	}
}

func number(v float64) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// TestClickOnMap checks that a click on a cell of the stale-weights map plays the cell's runs.
func TestClickOnMap(t *testing.T) {
	s := open(t)
	s.Layout(1120, 720, false, false)
	do(t, s, "set", `{"name":"view","value":"staleness"}`)
	pl := s.placed()[0]
	c := pl.Rect.Min.Add(pl.Rect.Size().Scale(0.5))
	x, y := float64(c.X), s.screen.height-float64(c.Y)
	point(t, s, "move", x, y, false)
	tip, _, ok := s.Tooltip()
	if !ok || tip.Values == nil || s.Cursor() != "pointer" {
		t.Fatalf("tooltip %+v, cursor %s", tip, s.Cursor())
	}
	point(t, s, "down", x, y, false)
	point(t, s, "up", x, y, false)
	for name, text := range tip.Values {
		if got := s.scene.Params().Text(name); got != text {
			t.Errorf("%s = %s, not %s", name, got, text)
		}
	}
	if !s.Playing() || s.scene.Params().Text("view") != "runs" {
		t.Error("the cell's runs are not played")
	}
}

// TestPoint checks that pointing at a method's name in a text highlights the method's run, or the selected run if the
// method has several.
func TestPoint(t *testing.T) {
	s := open(t)
	over := func() string {
		tip, _, _ := s.Tooltip()
		return tip.Run
	}
	do(t, s, "set", `{"name":"method","value":"ls,mgda"}`)
	do(t, s, "point", `{"name":"mgda"}`)
	if over() != "mgda-1" || s.Cursor() != "pointer" {
		t.Errorf("it marks %q", over())
	}
	do(t, s, "select", `{"run":"mgda-3"}`)
	do(t, s, "point", `{"name":"mgda"}`)
	if over() != "mgda-3" {
		t.Errorf("it marks %q, not the selected run", over())
	}
	do(t, s, "point", `{"name":""}`)
	if over() != "" || s.Cursor() != "default" {
		t.Errorf("it marks %q", over())
	}
}

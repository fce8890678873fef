package session

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/runlog/digits"
	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
	logscene "paretoplay/scenes/traininglog"
)

// TestBinaryFile checks that a binary file, pasted in base64 parts, is handled like any visitor's file.
func TestBinaryFile(t *testing.T) {
	file, err := digits.Files.ReadFile(digits.File("two"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(scenes.All, "log")
	if err != nil {
		t.Fatal(err)
	}
	half := len(file) / 6 * 3
	for i, part := range [][]byte{file[:half], file[half:]} {
		text := base64.StdEncoding.EncodeToString(part)
		do(t, s, "paste", fmt.Sprintf(`{"part": %q, "base64": true, "first": %t, "last": %t}`, text, i == 0, i == 1))
	}
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	data := s.dataState()
	if data == nil || !data.Held || data.Rows != 400 || data.Columns != 2 || data.About != "400 records of 2 objectives" {
		t.Fatalf("the data are %+v", data)
	}
	state, err := s.State()
	if err != nil {
		t.Fatal(err)
	}
	if len(state.Conclusions) != 10 || state.Detail == nil || state.Needs != "" {
		t.Errorf("%d sentences, elsewhere %+v, waits for %q", len(state.Conclusions), state.Detail, state.Needs)
	}
	refused(t, s, "paste", `{"part": "no base64!", "base64": true, "first": true, "last": true}`, "illegal base64")
	refused(t, s, "paste", `{"part": "bm8gbG9n", "base64": true, "first": true, "last": true}`, "")
	refused(t, s, "supply", `{"id": "logs/digits-two.npz", "first": true, "last": true}`, "is not waiting for a file")
	if again := s.dataState(); again == nil || again.SHA256 != data.SHA256 {
		t.Errorf("after a refusal the data are %+v", again)
	}
}

// fetched is a scene whose log is missing until the page supplies it.
type fetched struct {
	*logscene.Scene
	supplied bool
}

func (s *fetched) Needs() string {
	if s.supplied {
		return ""
	}
	return "logs/digits-two.npz"
}

func (s *fetched) Supply(p *data.Pasted) error {
	s.supplied = true
	return s.Scene.Supply(p)
}

// TestSupply checks that the file that a scene needs can be supplied in parts, with the visitor's actions between them.
func TestSupply(t *testing.T) {
	file, err := digits.Files.ReadFile(digits.File("two"))
	if err != nil {
		t.Fatal(err)
	}
	about := logscene.About
	about.New = func() scene.Scene { return &fetched{Scene: logscene.New()} }
	s, err := New(scene.List{about}, "log")
	if err != nil {
		t.Fatal(err)
	}
	const id = "logs/digits-two.npz"
	part := func(id string, data []byte, first, last bool) string {
		return fmt.Sprintf(`{"id": %q, "part": %q, "base64": true, "first": %t, "last": %t}`, id, base64.StdEncoding.EncodeToString(data),
			first, last)
	}
	needs := func(want string) {
		t.Helper()
		state, err := s.State()
		if err != nil {
			t.Fatal(err)
		}
		if state.Needs != want || state.Data != nil {
			t.Errorf("the scene needs %q, with data %+v; want %q", state.Needs, state.Data, want)
		}
	}
	needs(id)
	refused(t, s, "supply", part("logs/digits-eight.npz", file, true, true), "waiting for "+id)
	refused(t, s, "supply", part(id, file, false, true), "no file is being read")
	refused(t, s, "supply", part(id, file[:len(file)/2], true, true), "cut off")
	refused(t, s, "supply", part(id, file, false, true), "no file is being read") // the refusal ended the file
	needs(id)
	third := len(file) / 9 * 3
	do(t, s, "supply", part(id, file[:third], true, false))
	do(t, s, "set", `{"name": "window", "value": 20}`)
	do(t, s, "supply", part(id, file[third:2*third], false, false))
	needs(id)
	do(t, s, "hero", `{"panel": "hurt"}`)
	do(t, s, "supply", part(id, file[2*third:], false, true))
	needs("")
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	state, err := s.State()
	if err != nil {
		t.Fatal(err)
	}
	if len(state.Conclusions) != 10 || !strings.Contains(state.Conclusions[1].Text, "averaged over 20 records") {
		t.Errorf("the sentences are %+v", state.Conclusions)
	}
	if results, is := s.scene.Results().(*logscene.Results); !is || results.Objectives != 2 || results.Records != 400 {
		t.Errorf("the results are %+v", results)
	}
	if settings := s.Settings(); settings.Data != "" {
		t.Errorf("the link holds a file: %s", settings.Hash())
	}
	refused(t, s, "supply", part(id, file, true, true), "is not waiting for a file")
}

// TestPlaces checks that every shown panel has a place on the canvas, and that other panels have none.
func TestPlaces(t *testing.T) {
	s, err := New(scenes.All, "log")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]float64{{1200, 800}, {390, 500}} {
		s.Layout(size[0], size[1], false, false)
		shown := s.Shown()
		for _, p := range s.scene.Panels() {
			at := s.placeOf(p.ID())
			if (at != nil) != slices.Contains(shown, p.ID()) {
				t.Errorf("%v: the place of %s is %+v", size, p.ID(), at)
			}
			if at != nil && (at.X < 0 || at.Y < 0 || at.Width < 100 || at.Height < 50 || at.X+at.Width > size[0] || at.Y+at.Height > size[1]) {
				t.Errorf("%v: the place of %s is %+v", size, p.ID(), at)
			}
		}
	}
}

// TestGrownFile checks that the growth of a file is not a change that can be undone. Undoing another change must not return
// to the shorter file.
func TestGrownFile(t *testing.T) {
	lines := func(n int) string {
		return strings.Repeat(`{"losses": [1, 2], "gramian": [[1, -0.5], [-0.5, 2]]}`+"\n", n)
	}
	s, err := New(scenes.All, "log")
	if err != nil {
		t.Fatal(err)
	}
	grow := func(n int) {
		t.Helper()
		do(t, s, "paste", fmt.Sprintf(`{"part": %q, "first": true, "last": true, "grown": true}`, lines(n)))
		if err := s.Finish(); err != nil {
			t.Fatal(err)
		}
	}
	shows := func(records, at int) {
		t.Helper()
		state, err := s.State()
		if err != nil {
			t.Fatal(err)
		}
		if d := state.Data; d == nil || !d.Held || d.Rows != records || d.Growing || fmt.Sprint(state.Params["record"]) != fmt.Sprint(at) {
			t.Errorf("the data are %+v, the record %v, want %d and %d", d, state.Params["record"], records, at)
		}
	}
	do(t, s, "load", `{"state": "v=1&scene=log&source=data"}`)
	grow(4)
	shows(4, 4)
	if len(s.history.moments) > 0 {
		t.Errorf("%d changes can be undone", len(s.history.moments))
	}
	do(t, s, "set", `{"name": "R", "value": 8}`)
	grow(6)
	grow(9)
	shows(9, 9)
	do(t, s, "undo", "")
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	shows(9, 4) // the marker stays where it was
	do(t, s, "open", `{"id": "lab"}`)
	refused(t, s, "paste", fmt.Sprintf(`{"part": %q, "first": true, "last": true, "grown": true}`, "1,2\n3,4\n"), "cannot show a growing file")
}

package session

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	model "paretoplay/algo/problem/network"
	"paretoplay/algo/problem/network/pictures"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
	"paretoplay/scenes/networktasks"
)

// TestSupplyBeginsRuns checks that runs that wait for a file start once it arrives: they are replayed to a link's iteration, or
// play on request.
func TestSupplyBeginsRuns(t *testing.T) {
	about := networktasks.About
	about.New = func() scene.Scene {
		s := networktasks.New()
		s.Read = func() (*model.Digits, error) { return nil, nil } // as on the page before the digits are loaded
		return s
	}
	give := func(s *Session) {
		t.Helper()
		half := len(pictures.Packed) / 6 * 3
		for i, part := range [][]byte{pictures.Packed[:half], pictures.Packed[half:]} {
			do(t, s, "supply", fmt.Sprintf(`{"id": %q, "part": %q, "base64": true, "first": %t, "last": %t}`, networktasks.File,
				base64.StdEncoding.EncodeToString(part), i == 0, i == 1))
		}
	}
	const address = "v=1&scene=network&method=psmgd,ls&R=4&S=8&budget=20&log=5:R:2&latest=12&k=7&run=ls-1"
	open := func() *Session {
		t.Helper()
		s, err := New(scene.List{about}, "network")
		if err != nil {
			t.Fatal(err)
		}
		in, notices := link.Parse(address)
		if err := s.Load(in); err != nil {
			t.Fatal(err)
		}
		if notices = append(notices, s.TakeNotices()...); len(notices) > 0 {
			t.Errorf("%q", notices)
		}
		return s
	}
	s := open()
	if state(t, s).Needs != networktasks.File || len(s.timeline().Runs()) > 0 {
		t.Fatal("got runs before the pictures arrived")
	}
	if text := s.scene.Panels()[0].Describe(); !strings.Contains(text, "Loading the pictures") {
		t.Errorf("before the pictures arrived: got panel text %q", text)
	}
	refused(t, s, "supply", fmt.Sprintf(`{"id": %q, "part": "bm8=", "base64": true, "first": true, "last": true}`,
		networktasks.File), "digits")
	give(s)
	if got := s.Settings(); got.Hash() != address {
		t.Errorf("the link is %s, want %s", got.Hash(), address)
	}
	whole, err := New(scenes.All, "network")
	if err != nil {
		t.Fatal(err)
	}
	in, _ := link.Parse(address)
	if err := whole.Load(in); err != nil {
		t.Fatal(err)
	}
	settle(t, whole)
	for i, r := range whole.timeline().Runs() {
		want, got := r.Kept(r.Len()-1), s.timeline().Runs()[i].Kept(r.Len()-1)
		if fmt.Sprint(want.F, want.BP) != fmt.Sprint(got.F, got.BP) {
			t.Errorf("%s ends with %v, want %v", r.Name, got.F, want.F)
		}
	}
	s = open()
	do(t, s, "play", `{}`)
	if s.Playing() {
		t.Error("got playing without runs")
	}
	if give(s); !s.Playing() {
		t.Error("got no playing after the pictures arrived")
	}
	s = open()
	do(t, s, "play", `{}`)
	do(t, s, "pause", `{}`)
	if give(s); s.Playing() {
		t.Error("got playing although paused")
	}
	// Runs that do not exist yet cannot reach a goal.
	s = open()
	do(t, s, "lesson", lessonArgs("a", 1, step("scene=network&S=8&method=ls&budget=5", "", "", `{"op":"ended"}`), true))
	is(t, s, "a", 1, false)
	give(s)
	do(t, s, "step", `{"n": 5}`)
	settle(t, s)
	is(t, s, "a", 1, true)
}

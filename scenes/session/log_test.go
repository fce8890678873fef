package session

import (
	"encoding/base64"
	"fmt"
	"testing"

	"paretoplay/algo/runlog/digits"
	"paretoplay/scenes"
)

// TestBinaryFile brings a file that is no text in parts of base64: it is a visitor's own, like any other.
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
	if len(state.Conclusions) != 8 || state.Elsewhere == nil || state.Needs != "" {
		t.Errorf("%d sentences, elsewhere %+v, waits for %q", len(state.Conclusions), state.Elsewhere, state.Needs)
	}
	refused(t, s, "paste", `{"part": "no base64!", "base64": true, "first": true, "last": true}`, "illegal base64")
	refused(t, s, "paste", `{"part": "bm8gbG9n", "base64": true, "first": true, "last": true}`, "")
	refused(t, s, "supply", `{"id": "logs/digits-two.npz", "first": true, "last": true}`, "waits for no file")
	if again := s.dataState(); again == nil || again.SHA256 != data.SHA256 {
		t.Errorf("after a refusal the data are %+v", again)
	}
}

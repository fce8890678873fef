package session

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/files"
	"paretoplay/scenes"
)

// sameExports checks that a session opened from the link, the visitor's file and the theme writes the same files. The page's
// export program opens its session in this way.
func sameExports(t *testing.T, s *Session, file string, kinds ...string) {
	t.Helper()
	other, err := New(scenes.All, scenes.All[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	do(t, other, "load", fmt.Sprintf(`{"state":%q}`, do(t, s, "hash", "")))
	if file != "" {
		do(t, other, "paste", fmt.Sprintf(`{"part":%q,"first":true,"last":true}`, file))
	}
	do(t, other, "theme", fmt.Sprintf(`{"name":%q}`, s.screen.theme.Name))
	complete(t, s)
	if measured := do(t, s, "measured", ""); measured != nil {
		do(t, other, "measure", fmt.Sprintf(`{"part":%q}`, measured))
	} else {
		complete(t, other)
	}
	for _, kind := range kinds {
		for _, id := range []string{"", s.front()} {
			want, err := s.Take(kind, files.Taking{Panel: id})
			if err != nil {
				t.Fatal(err)
			}
			got, err := other.Take(kind, files.Taking{Panel: id})
			if err != nil {
				t.Fatal(err)
			}
			if got.Name != want.Name || got.Type != want.Type || !bytes.Equal(got.Data, want.Data) {
				t.Errorf("%s: %s %s of panel %q has other bytes than %s", s.about.ID, got.Name, got.Type, id, want.Name)
			}
		}
	}
}

// complete finishes the computation in the scene's Work.
func complete(t *testing.T, s *Session) {
	t.Helper()
	for pending := true; pending; {
		var err error
		if pending, err = s.Background(always); err != nil {
			t.Fatal(err)
		}
	}
}

// embedded matches an embedded file in an SVG: its label and its bytes.
var embedded = regexp.MustCompile(`data:([^,]*?)(;base64)?,([^"]*)"`)

// labelled checks that the label of each image in an SVG of all panels matches its bytes. It returns the number of images. librsvg
// and Typst omit images with a wrong label.
func labelled(t *testing.T, s *Session) (images int) {
	t.Helper()
	file, err := s.Take("svg", files.Taking{})
	if err != nil {
		t.Fatal(err)
	}
	found := embedded.FindAllSubmatch(file.Data, -1)
	if all := bytes.Count(file.Data, []byte("data:")); len(found) != all {
		t.Errorf("%s: %d of %d addresses of data are understood", file.Name, len(found), all)
	}
	for _, m := range found {
		data, err := base64.StdEncoding.DecodeString(string(m[3]))
		if is := http.DetectContentType(data); err != nil || len(m[2]) == 0 || is != string(m[1]) || !strings.HasPrefix(is, "image/") {
			t.Errorf("%s: %s is called %q%q, error %v", file.Name, is, m[1], m[2], err)
		}
	}
	return len(found)
}

// TestTakeInPieces checks that tables of long runs are written in small pieces with pauses between them. A request
// during a pause must wait for the remaining pieces.
func TestTakeInPieces(t *testing.T) {
	s := openTransport(t)
	do(t, s, "load", `{"state":"v=1&scene=fonseca&starts=20&latest=500"}`)
	complete(t, s)
	for _, kind := range []string{"csv", "json"} {
		whole, err := s.Take(kind, files.Taking{})
		if err != nil {
			t.Fatal(err)
		}
		for _, interrupted := range []bool{false, true} {
			var data []byte
			pieces := 0
			b := s.BeginTake(kind, files.Taking{Piece: func(piece []byte) {
				if pieces++; len(piece) > files.PieceSize {
					t.Errorf("%s: a piece of %d bytes", kind, len(piece))
				}
				data = append(data, piece...)
			}}, hasty)
			rests := 0
			for s.resting() {
				rests++
				state(t, s) // reading the state does not finish the export
				if !s.resting() {
					t.Fatal("reading the state finished it")
				}
				if interrupted && rests == 2 {
					do(t, s, "seek", `{"k":3}`)
				} else if _, err := s.Work(hasty); err != nil {
					t.Fatal(err)
				}
			}
			result, ended, err := b.Outcome()
			if file, is := result.(files.File); !ended || err != nil || !is || file.Name != whole.Name || file.Type != whole.Type {
				t.Errorf("%s: ended %v, %v: %v", kind, ended, err, result)
			}
			if !bytes.Equal(data, whole.Data) || pieces < len(data)/files.PieceSize || !interrupted && rests < 3 || interrupted && rests != 2 {
				t.Errorf("%s, interrupted %v: %d bytes in %d pieces with %d rests, for %d bytes", kind, interrupted, len(data), pieces, rests,
					len(whole.Data))
			}
		}
	}
}

// TestExportByLink checks the exports of every scene while the marker is before the latest iteration.
func TestExportByLink(t *testing.T) {
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			t.Parallel()
			s, err := New(scenes.All, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			s.Layout(1120, 720, false, false)
			settle(t, s)
			if s.timeline().Budget() > 0 {
				do(t, s, "step", `{"n":12}`)
				do(t, s, "seek", `{"k":7}`)
			}
			if err := s.SetTheme(brush.Dark.Name); err != nil {
				t.Fatal(err)
			}
			sameExports(t, s, "", "svg")
			if images := labelled(t, s); images == 0 && about.ID == "network" {
				t.Error("no image in the file of a scene that shows digits")
			}
		})
	}
}

// TestExportByLinkOfChanges checks exports with moved start points, a live change, a pin, and runs that have ended.
func TestExportByLinkOfChanges(t *testing.T) {
	s := open(t)
	s.Layout(1120, 720, false, false)
	do(t, s, "step", `{"n":5}`)
	do(t, s, "pin", "")
	do(t, s, "nudge", `{"id":"start-1","dx":3,"dy":-2}`)
	do(t, s, "step", `{"n":4}`)
	do(t, s, "set", `{"name":"eta","value":0.05}`)
	do(t, s, "step", `{"n":9}`)
	sameExports(t, s, "", "png", "svg", "pdf")
	do(t, s, "set", `{"name":"budget","value":60,"again":true}`)
	do(t, s, "play", "")
	playOut(t, s)
	sameExports(t, s, "", "svg")
}

// TestExportByLinkOfData checks exports that need a visitor's file in addition to the link.
func TestExportByLinkOfData(t *testing.T) {
	const file = "1,0.5\n-0.3,2\n"
	s := openLab(t)
	do(t, s, "paste", fmt.Sprintf(`{"part":%q,"first":true,"last":true}`, file))
	sameExports(t, s, file, "svg")
}

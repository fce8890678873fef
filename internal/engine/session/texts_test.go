package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/scenes"
)

// written is the scene toy with texts in which every "?" is an error. Its results are the texts that it shows.
type written struct {
	scene.Scene
	f, define string
	shown     string
}

func newWritten(of func() scene.Scene) func() scene.Scene {
	return func() scene.Scene {
		s := &written{Scene: of(), f: "x^2", define: "a = 1\nb = 2"}
		s.shown = s.f + "|" + s.define
		s.Params().FreeText(&s.f, param.Descriptor{Name: "f", Label: "Formula"})
		s.Params().FreeText(&s.define, param.Descriptor{Name: "define", Label: "Definitions", Lines: true})
		return s
	}
}

func (s *written) Faults() []scene.Fault {
	var out []scene.Fault
	for _, name := range []string{"f", "define"} {
		for i, line := range strings.Split(s.Params().Text(name), "\n") {
			if before, _, wrong := strings.Cut(line, "?"); wrong {
				out = append(out, scene.Fault{Param: name, Line: i + 1, Column: len([]rune(before)) + 1, Length: 1, Text: "no question"})
			}
		}
	}
	return out
}

func (s *written) Restart(log []timeline.Change) error {
	if s.Faults() == nil {
		s.shown = s.f + "|" + s.define
	}
	return s.Scene.Restart(log)
}

func (s *written) Results() any { return s.shown }

// openWritten returns a session of the scene written, at iteration 30.
func openWritten(t testing.TB) *Session {
	t.Helper()
	about, err := scenes.All.Find("toy")
	if err != nil {
		t.Fatal(err)
	}
	about.New = newWritten(about.New)
	s, err := New(scene.List{about}, "toy")
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, "step", `{"n":30}`)
	return s
}

// setText sets a text as the page does.
func setText(t testing.TB, s *Session, name, text string) {
	t.Helper()
	value, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, "set", fmt.Sprintf(`{"name":%q,"value":%s,"again":true}`, name, value))
	s.pause()
}

// TestFaultyText checks that a text with an error is kept, also in the link, but does not change the runs. Returning to the
// text that the runs use must not change them either.
func TestFaultyText(t *testing.T) {
	s := openWritten(t)
	setText(t, s, "f", "x^2 + ?")
	setText(t, s, "define", "a = 1\nb?")
	st := state(t, s)
	want := []scene.Fault{{Param: "f", Line: 1, Column: 7, Length: 1, Text: "no question"},
		{Param: "define", Line: 2, Column: 2, Length: 1, Text: "no question"}}
	if fmt.Sprint(st.Faults) != fmt.Sprint(want) {
		t.Errorf("faults %v, want %v", st.Faults, want)
	}
	if st.Latest != 30 || st.Results != "x^2|a = 1\nb = 2" || st.Params["f"] != "x^2 + ?" {
		t.Errorf("at %d of %q with f = %q", st.Latest, st.Results, st.Params["f"])
	}
	if !strings.Contains(st.Hash, "f=x%5E2+%2B+%3F&define=a+%3D+1%0Ab%3F") {
		t.Errorf("the link is %s", st.Hash)
	}
	refused(t, s, "pin", "", "a text in it contains an error: f: 1:7: no question")
	setText(t, s, "define", "a = 1\nb = 2")
	setText(t, s, "f", "x^2")
	if st := state(t, s); st.Latest != 30 || len(st.Faults) > 0 || st.Changed {
		t.Errorf("back at the first text: iteration %d, faults %v", st.Latest, st.Faults)
	}
	setText(t, s, "f", "x^4")
	if st := state(t, s); st.Latest != 0 || st.Results != "x^4|a = 1\nb = 2" {
		t.Errorf("another text: iteration %d, %q", st.Latest, st.Results)
	}
	setText(t, s, "f", "?")
	setText(t, s, "scale", "2")
	do(t, s, "reset", "")
	if st := state(t, s); st.Results != "x^4|a = 1\nb = 2" {
		t.Errorf("after other changes %q runs", st.Results)
	}
	refused(t, s, "swapPin", `{"letter":"A"}`, "unknown pin")
}

// TestUndoText checks that undo takes back one text after another, and each time restores the texts that the scene showed.
func TestUndoText(t *testing.T) {
	s := openWritten(t)
	texts := []string{"x^2", "x^3", "x^3?", "x^4", "x^4 ?", "x^5"}
	shown := []string{"x^2", "x^3", "x^3", "x^4", "x^4", "x^5"}
	for _, text := range texts[1:] {
		setText(t, s, "f", text)
		do(t, s, "step", `{"n":5}`)
	}
	for i := len(texts) - 1; i >= 0; i-- {
		st := state(t, s)
		if st.Params["f"] != texts[i] || st.Results != shown[i]+"|a = 1\nb = 2" {
			t.Errorf("with f = %q: %q, want %q", texts[i], st.Results, shown[i])
		}
		do(t, s, "undo", "")
	}
	if st := state(t, s); st.Undo || st.Latest != 30 {
		t.Errorf("undo goes on, or the iteration is %d", st.Latest)
	}
	do(t, s, "pin", "")
	setText(t, s, "f", "?")
	refused(t, s, "swapPin", `{"letter":"A"}`, "a text in it contains an error")
	do(t, s, "defaults", "")
	if st := state(t, s); st.Params["f"] != "x^2" || len(st.Faults) > 0 {
		t.Errorf("the defaults have f = %q", st.Params["f"])
	}
}

// TestTextLinks checks that every text, valid or not, is restored from its link.
func TestTextLinks(t *testing.T) {
	for _, text := range []string{"", " ", "+", "%", "%zz", "a&b=c#d", "x^2+y**2", "(x-1)^2 ; 1,2:3", `<img src=x onerror="alert(1)">`,
		"\u00a0²√∞", "?", "param.f=1", strings.Repeat("∞", param.MaxBytes/3)} {
		s := openWritten(t)
		setText(t, s, "f", text)
		setText(t, s, "define", "a = 1\n"+text[:min(len(text), 900)]+"\n\n")
		if held := s.currentTexts()["f"]; held != text {
			t.Fatalf("%.20q is held as %.20q", text, held)
		}
		address := state(t, s).Hash
		read, notices := link.Parse(address)
		if len(notices) > 0 || read.Hash() != address {
			t.Fatalf("%.20q: the link is read with %q", text, notices)
		}
		other := openWritten(t)
		do(t, other, "load", fmt.Sprintf(`{"state":%q}`, "#"+address))
		noticed(t, other, "")
		if got, want := fmt.Sprint(other.currentTexts()), fmt.Sprint(s.currentTexts()); got != want {
			t.Errorf("%.40q comes back as %.40q", want, got)
		}
		if got := state(t, other).Hash; got != address {
			t.Errorf("the link is then %.200s, was %.200s", got, address)
		}
	}
	s := openWritten(t)
	do(t, s, "load", `{"state":"v=1&scene=toy&f=a%0Ab&define=`+strings.Repeat("1", param.MaxText+1)+`"}`)
	if n := s.TakeNotices(); len(n) != 2 || !strings.Contains(n[0], "f: the text has more than one line") ||
		!strings.Contains(n[1], "define: the text has 2001 characters") {
		t.Errorf("notices %q", n)
	}
}

// TestTextConfigured checks that the command line refuses a text with an error and reports the place of the error.
func TestTextConfigured(t *testing.T) {
	s := openWritten(t)
	for text, want := range map[string]string{"(x-1)^2+y^2=1,2": "", "a?": "f: 1:2: no question"} {
		made, err := NewConfigured(s.scenes, "toy", Setup{Values: []link.Value{{Name: "f", Text: text}}})
		if want == "" {
			if err != nil || made.scene.Params().Text("f") != text {
				t.Errorf("%q: %v", text, err)
			}
		} else if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// FuzzText checks that a session can load a link with any texts, and that the session's own link then gives the same state.
func FuzzText(f *testing.F) {
	for _, text := range []string{"x^2", "a = 2\r\nb", "?", "a&b=%+#", "\x00", "\u202e", "<b>", "²"} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		s := openWritten(t)
		address := link.Settings{Scene: "toy", Values: []link.Value{{Name: "f", Text: a}, {Name: "define", Text: b}}, Latest: 1}
		loadBounded(t, s, address.Hash())
		workable(t, s, address.Hash())
		sound(t, s, address.Hash())
	})
}

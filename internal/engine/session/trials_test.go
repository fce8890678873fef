package session_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/session"
	"paretoplay/scenes"
)

func finishedSession(t testing.TB, id string, values ...link.Value) *session.Session {
	t.Helper()
	s, err := session.NewConfigured(scenes.All, id, session.Setup{Values: values})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	return s
}

func tried(t testing.TB, s *session.Session, name string, values []string) files.Trials {
	t.Helper()
	if err := s.TryAll(name, values); err != nil {
		t.Fatal(err)
	}
	for pending := true; pending; {
		left := 50 // in small slices
		var err error
		if pending, err = s.Work(func() bool { left--; return left > 0 }); err != nil {
			t.Fatal(err)
		}
	}
	out, err := s.Tried(false)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTrials checks that a trial shows the same as setting the value: the same fact at the same iteration.
func TestTrials(t *testing.T) {
	s := finishedSession(t, "fonseca", link.Value{Name: "budget", Text: "60"})
	before, err := s.State()
	if err != nil {
		t.Fatal(err)
	}
	got := tried(t, s, "eta", []string{"0.05", "0.3", "1"})
	if got.K != 60 || len(got.Cells) != 3 || !got.Cells[1].Chosen || got.Cells[0].Chosen {
		t.Fatalf("it shows %+v", got)
	}
	for _, cell := range got.Cells {
		alone := finishedSession(t, "fonseca", link.Value{Name: "budget", Text: "60"}, link.Value{Name: "eta", Text: cell.Value})
		if want := tried(t, alone, "eta", []string{cell.Value, "5"}).Cells[0].Fact; cell.Fact != want || want == "" {
			t.Errorf("η = %s: %s, alone %s", cell.Value, cell.Fact, want)
		}
	}
	after, err := s.State()
	if err != nil {
		t.Fatal(err)
	}
	if before.Hash != after.Hash {
		t.Errorf("trying changed the state from %s to %s", before.Hash, after.Hash)
	}
}

// TestTrialsEverywhere checks that, in every scene, key parameters with a range or options can be tried.
func TestTrialsEverywhere(t *testing.T) {
	for _, a := range scenes.All {
		t.Run(a.ID, func(t *testing.T) {
			s, err := session.New(scenes.All, a.ID)
			if err != nil {
				t.Fatal(err)
			}
			count := 0
			for _, d := range a.New().Params().Descriptors() {
				if !slices.Contains(a.Keys, d.Name) {
					continue
				}
				if err := s.TryAll(d.Name, nil); err != nil {
					if !strings.Contains(err.Error(), "has no range to try") {
						t.Errorf("%s: %v", d.Name, err)
					}
					continue
				}
				count++
			}
			if count == 0 {
				t.Error("no parameter can be tried")
			}
		})
	}
}

func TestTrialsFiles(t *testing.T) {
	s := finishedSession(t, "clusters")
	if _, err := s.Take("try-svg", files.Taking{}); err == nil {
		t.Error("got a file before any trial")
	}
	tried(t, s, "method", nil)
	for kind, want := range map[string]string{
		"svg": "MosT(L)", "csv": "most-l,", "json": `"value":"most-l"`, "pdf": "%PDF", "png": "\x89PNG",
	} {
		file, err := s.Take("try-"+kind, files.Taking{})
		if err != nil || !strings.Contains(string(file.Data), want) {
			t.Errorf("%s: %v, %.80q", kind, err, file.Data)
		}
	}
	if _, err := s.Take("try-gif", files.Taking{}); err == nil {
		t.Error("got a gif")
	}
	data, err := json.Marshal(tried(t, s, "method", nil))
	if err != nil || !strings.Contains(string(data), `"chosen":true`) {
		t.Errorf("%v in %s", err, data)
	}
}

func TestTrialsRefused(t *testing.T) {
	s := finishedSession(t, "fonseca")
	for want, values := range map[string][]string{
		"2 to 9":            {"1"},
		"given twice":       {"1", "2", "1"},
		"outside its range": {"1", "200"},
		"R = \"x\"":         {"1", "x"},
	} {
		if err := s.TryAll("R", values); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v does not say %q", values, err, want)
		}
	}
	for name, want := range map[string]string{"nothing": "unknown parameter", "start": "no range to try"} {
		if err := s.TryAll(name, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v does not say %q", name, err, want)
		}
	}
}

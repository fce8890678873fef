package session

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo"
	"paretoplay/algo/runlog"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
	"paretoplay/scenes/fonseca"
)

// logOf takes the log file of the selected run and returns the log that the file contains.
func logOf(t *testing.T, s *Session) *runlog.Log {
	t.Helper()
	file, err := s.Take("log", files.Taking{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := runlog.Read(bytes.NewReader(file.Data), runlog.PageBytes)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestRecordings checks, in every scene with logs, that making a recording does not change what is shown. The recording must
// run in slices, report progress, and contain the run's weights.
func TestRecordings(t *testing.T) {
	const steps = 12
	recordable := 0
	for _, about := range scenes.All {
		s, err := New(scenes.All, about.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, is := scene.AsRecordable(s.scene); !is {
			shows := s.scene.Extras().Log != nil
			if state, err := s.State(); err != nil || (state.Recording != nil) != shows || shows && !state.Recording.Shown {
				t.Errorf("%s: %+v, %v", about.ID, state.Recording, err)
			}
			continue
		}
		recordable++
		t.Run(about.ID, func(t *testing.T) {
			refused(t, s, "record", "", "has not taken a step yet")
			do(t, s, "step", `{"n":1}`)
			refused(t, s, "record", "", "has taken only one step")
			do(t, s, "step", fmt.Sprintf(`{"n":%d}`, steps-1))
			before := do(t, s, "rows", "")
			hash := do(t, s, "hash", "")
			if _, err := s.Call("record", nil); err != nil {
				t.Fatal(err)
			}
			if state, _ := s.State(); state.Recording == nil || state.Recording.Done || state.Progress == nil || *state.Progress != 0 {
				t.Fatalf("%+v", state.Recording)
			}
			slices, last := 0, -1.0
			for pending := true; pending; slices++ {
				left := 1
				if pending, err = s.Work(func() bool { left--; return left >= 0 }); err != nil {
					t.Fatal(err)
				}
				done, busy := s.Progress()
				if busy != pending || busy && done < last {
					t.Fatalf("progress %v after %v, busy %v, pending %v", done, last, busy, pending)
				}
				last = done
			}
			if slices < steps/2 {
				t.Errorf("%d slices for %d steps", slices, steps)
			}
			state, err := s.State()
			if err != nil || !state.Recording.Done || state.Recording.Records != steps || state.Recording.Why != "" || state.Recording.Run == "" {
				t.Fatalf("%+v, %v", state.Recording, err)
			}
			if fmt.Sprint(do(t, s, "rows", "")) != fmt.Sprint(before) || do(t, s, "hash", "") != hash {
				t.Error("the recording changed the state")
			}
			l := logOf(t, s)
			r := s.timeline().Selected().Run
			if l.Records() != steps || l.Objectives() != len(r.Stepper.View().F) || !l.HasCross() || !l.HasAfter() {
				t.Errorf("%d records of %d objectives", l.Records(), l.Objectives())
			}
			for k := range steps {
				sum := 0.0
				for _, w := range l.Weights(nil, k) {
					sum += w
				}
				if l.Step(k) != int64(k) || !(sum > 0) {
					t.Errorf("record %d: step %d, weights %v", k, l.Step(k), l.Weights(nil, k))
				}
			}
			do(t, s, "record", `{"n":5}`)
			if l := logOf(t, s); l.Records() != 3 || l.Step(2) != 10 {
				t.Errorf("before every 5th step: %d records", l.Records())
			}
			do(t, s, "step", `{"n":1}`)
			if state, _ := s.State(); state.Recording.Done {
				t.Error("a longer run keeps the former log")
			}
			if l := logOf(t, s); l.Records() != steps+1 {
				t.Errorf("the longer run has %d records", l.Records())
			}
			do(t, s, "reset", "")
			if state, _ := s.State(); state.Recording.Done || !strings.Contains(state.Recording.Why, "has not taken a step yet") {
				t.Errorf("after a reset: %+v", state.Recording)
			}
		})
	}
	if recordable == 0 {
		t.Error("no scene has logs")
	}
}

// TestLogOnShow checks that the log scene writes a pasted log unchanged, and that undo returns to the previous scene.
func TestLogOnShow(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"sigma","value":0.2}`)
	do(t, s, "step", `{"n":30}`)
	file, err := s.Take("log", files.Taking{})
	if err != nil || file.Name != "fonseca-psmgd-1.npz" {
		t.Fatalf("%s, %v", file.Name, err)
	}
	do(t, s, "open", `{"id":"log"}`)
	shipped, err := s.Take("log", files.Taking{})
	if err != nil || bytes.Equal(shipped.Data, file.Data) {
		t.Errorf("the log that comes with the page: %v", err)
	}
	part := base64.StdEncoding.EncodeToString(file.Data)
	do(t, s, "paste", fmt.Sprintf(`{"part": %q, "base64": true, "first": true, "last": true}`, part))
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	state, err := s.State()
	shown := state.Recording
	if err != nil || state.Data == nil || !state.Data.Held || shown == nil || !shown.Shown || shown.Records != 30 {
		t.Fatalf("%+v, %+v, %v", state.Data, state.Recording, err)
	}
	if len(state.Conclusions) != 10 || !strings.Contains(state.Hash, "data="+state.Data.SHA256) {
		t.Errorf("%d sentences, %s", len(state.Conclusions), state.Hash)
	}
	if again, err := s.Take("log", files.Taking{}); err != nil || !bytes.Equal(again.Data, file.Data) || again.Name != "log.npz" {
		t.Errorf("%s: written again, the log is another: %v", again.Name, err)
	}
	do(t, s, "undo", "")
	do(t, s, "undo", "")
	if s.about.ID != "fonseca" {
		t.Errorf("undo leads to %s", s.about.ID)
	}
	do(t, s, "open", `{"id":"log"}`)
	do(t, s, "load", `{"state":"v=1&scene=log&source=data"}`)
	if _, err := s.Take("log", files.Taking{}); err == nil || !strings.Contains(err.Error(), "no log yet") {
		t.Errorf("a log that is still to come: %v", err)
	}
}

// TestRecordedWeights checks that a log's weights equal the weights in the run's rows, also with a live change.
func TestRecordedWeights(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"sigma","value":0.2}`)
	do(t, s, "step", `{"n":9}`)
	do(t, s, "set", `{"name":"R","value":2}`)
	do(t, s, "set", `{"name":"eta","value":0.05}`)
	do(t, s, "step", `{"n":9}`)
	l := logOf(t, s)
	r := s.timeline().Selected().Run
	changed := 0
	for k := range l.Records() {
		row, err := s.timeline().At(r, k)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(row.Weights, l.Weights(nil, k)) {
			t.Errorf("step %d: recorded weights %v, of the run %v", k, l.Weights(nil, k), row.Weights)
		}
		if k > 0 && !slices.Equal(l.Weights(nil, k), l.Weights(nil, k-1)) {
			changed++
		}
	}
	if l.Records() != 18 || changed < 5 {
		t.Errorf("%d records, weights change %d times", l.Records(), changed)
	}
}

// TestRecordingEnds checks that a recording ends when it is stopped or when its runs are replaced, that a run that has ended
// can be recorded, and that runs without logs are refused.
func TestRecordingEnds(t *testing.T) {
	s := open(t)
	do(t, s, "step", `{"n":20}`)
	begin := func() {
		t.Helper()
		if _, err := s.Call("record", nil); err != nil {
			t.Fatal(err)
		}
		left := 3
		if pending, err := s.Work(func() bool { left--; return left > 0 }); !pending || err != nil {
			t.Fatalf("pending %v, %v", pending, err)
		}
	}
	ended := func(what string) {
		t.Helper()
		if _, busy := s.Progress(); busy || s.made.recording != nil {
			t.Errorf("%s: it goes on", what)
		}
	}
	do(t, s, "play", "")
	begin()
	if s.Playing() {
		t.Error("the runs continue although they are being recorded")
	}
	do(t, s, "stop", "")
	ended("stop")
	if notices := s.TakeNotices(); len(notices) != 1 || !strings.Contains(notices[0], "not recorded") {
		t.Errorf("notices: %q", notices)
	}
	if _, err := s.Call("step", []byte(`{"n":5}`)); err != nil {
		t.Fatal(err)
	}
	refused(t, s, "record", "", "still being replayed")
	settle(t, s)
	begin()
	do(t, s, "set", `{"name":"d","value":3}`)
	ended("other runs")
	do(t, s, "step", `{"n":20}`)
	begin()
	do(t, s, "open", `{"id":"lab"}`)
	ended("another scene")
	refused(t, s, "record", "", "the scene lab has no training log")
	if _, err := s.Take("log", files.Taking{}); err == nil {
		t.Error("got a file from a scene without logs")
	}
	do(t, s, "open", `{"id":"fonseca"}`)
	for _, set := range []string{`{"name":"problem","value":"quadratic"}`, `{"name":"eta","value":5}`, `{"name":"budget","value":2000}`,
		`{"name":"method","value":["mgda","moosvgd"]}`} {
		do(t, s, "set", set)
	}
	refused(t, s, "record", `{"run":"nobody"}`, `unknown run "nobody"; available: mgda-1 `)
	refused(t, s, "record", `{"n":0.5}`, "whole number")
	do(t, s, "step", `{"n":2000}`)
	r := s.timeline().Selected().Run
	if r.Status() != algo.Diverged {
		t.Fatalf("%s: %v at %d", r.Name, r.Status(), r.Last())
	}
	if l := logOf(t, s); l.Records() != (r.Last()+1)/2 {
		t.Errorf("a run that diverged at %d: %d records", r.Last(), l.Records())
	}
	for _, run := range s.timeline().Runs() {
		if run.Method == "moosvgd" {
			refused(t, s, "record", fmt.Sprintf(`{"run":%q}`, run.Name), "do not report their samples")
		}
	}
}

// misled is a scene that repeats runs other than those it shows.
type misled struct {
	*fonseca.Scene
	change func(r *scene.Recording)
}

func (m *misled) Recording(run string) (*scene.Recording, error) {
	if m.change == nil {
		return nil, fmt.Errorf("it is not repeated")
	}
	r, err := m.Scene.Recording(run)
	if err == nil {
		m.change(r)
	}
	return r, err
}

// infinite is a problem whose losses are not finite at the fifth call, before the third recorded step.
type infinite struct {
	algo.Sampled
	looks int
}

func (b *infinite) ValuesAt(f, x []float64, s *algo.Sample) {
	b.Sampled.ValuesAt(f, x, s)
	if b.looks++; b.looks == 5 {
		f[0] = math.Inf(1)
	}
}

// TestRecordingMisled checks that no log is written if the repeated run differs from the shown one.
func TestRecordingMisled(t *testing.T) {
	m := &misled{Scene: fonseca.New()}
	about := fonseca.About
	about.New = func() scene.Scene { return m }
	s, err := New(scene.List{about}, about.ID)
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, "set", `{"name":"sigma","value":0.2}`)
	do(t, s, "step", `{"n":5}`)
	refused(t, s, "record", "", "it is not repeated")
	for want, change := range map[string]func(r *scene.Recording){
		"reached a different point": func(r *scene.Recording) {
			other, err := m.Scene.Recording("psmgd-2")
			if err != nil {
				t.Fatal(err)
			}
			r.Run = other.Run
		},
		"accuracies": func(r *scene.Recording) { r.Outcomes = []runlog.Outcome{{Losses: []float64{1}}} },
	} {
		m.change = change
		if _, err := s.Call("record", nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Work(always); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
		if s.made.recording != nil {
			t.Errorf("%s: the recording is still there", want)
		}
	}
	m.change = func(r *scene.Recording) { r.Problem = &infinite{Sampled: r.Problem} }
	l := logOf(t, s)
	if notices := s.TakeNotices(); l.Records() != 4 || l.Find(2) != 2 || l.Step(2) != 3 || len(notices) != 1 ||
		notices[0] != "Steps left out because a number was not finite: 1." {
		t.Errorf("%d records, %q", l.Records(), notices)
	}
	m.change = func(r *scene.Recording) { r.Names = []string{"one"} }
	refused(t, s, "record", "", "1 names for 2")
}

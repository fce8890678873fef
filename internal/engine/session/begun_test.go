package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"paretoplay/internal/engine/pointer"
	"paretoplay/scenes"
)

// hasty is a more() that is always false, so that everything that may pause does pause.
func hasty() bool { return false }

// inParts executes a verb in the smallest parts and reports whether it paused. It checks that the display keeps the previous
// frame during pauses.
func inParts(t *testing.T, s *Session, verb, args string) (rested bool, err error) {
	t.Helper()
	version := s.Version()
	b := s.Begin(verb, []byte(args), hasty)
	for i := 0; ; i++ {
		_, ended, err := b.Outcome()
		if ended {
			return rested, err
		}
		rested = true
		if s.Version() != version || s.Playing() || s.Advance(1, always) != nil {
			t.Fatalf("%s %s: the display shows what is half made", verb, args)
		}
		if done, busy := s.Progress(); done != 0 || !busy {
			t.Fatalf("%s %s: progress %v, busy %v", verb, args, done, busy)
		}
		if pending, err := s.Work(hasty); err != nil || !pending {
			t.Fatalf("%s %s: pending %v, %v", verb, args, pending, err)
		}
		if i > 100_000 {
			t.Fatalf("%s %s: there is no end", verb, args)
		}
	}
}

// stateText returns the state as text after all work is done.
func stateText(t *testing.T, s *Session) string {
	t.Helper()
	settle(t, s)
	state, err := s.State()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestBegun checks that verbs give the same results and errors with and without pauses. With -short it opens no
// experiments.
func TestBegun(t *testing.T) {
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			t.Parallel()
			open := fmt.Sprintf(`{"id":%q}`, about.ID)
			script := [][2]string{{"open", open}, {"step", `{"n":5}`}, {"reset", ""}, {"reset", ""},
				{"load", fmt.Sprintf(`{"state":"v=1&scene=%s&latest=7&k=3"}`, about.ID)}, {"newSeed", ""}, {"undo", ""},
				{"set", `{"name":"no such","value":1}`}, {"pin", ""}, {"defaults", ""}}
			cards := 2
			if testing.Short() {
				cards = 0
			}
			for _, p := range about.Presets[:min(cards, len(about.Presets))] {
				script = append(script, [2]string{"card", fmt.Sprintf(`{"id":%q}`, p.ID)}, [2]string{"pause", ""})
			}
			whole, apart := openTransport(t), openTransport(t)
			rested := false
			for _, call := range script {
				_, want := whole.Call(call[0], []byte(call[1]))
				some, got := inParts(t, apart, call[0], call[1])
				rested = rested || some
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%v: %v in parts, %v in one", call, got, want)
				}
				if a, b := stateText(t, whole), stateText(t, apart); a != b {
					t.Fatalf("%v: a state in parts differs:\n%.1500s\n%.1500s", call, a, b)
				}
			}
			if !rested {
				t.Error("no verb pauses")
			}
		})
	}
}

// TestBegunRefuses checks that a verb fails if the scene refuses the verb's value while building the runs, and that
// the previous value stays.
func TestBegunRefuses(t *testing.T) {
	s := openTransport(t)
	if err := s.Open("blocks"); err != nil {
		t.Fatal(err)
	}
	if err := s.Step(9); err != nil {
		t.Fatal(err)
	}
	before := stateText(t, s)
	rested, err := inParts(t, s, "set", `{"name":"partition","value":"given"}`)
	if !rested || err == nil || !strings.Contains(err.Error(), "no file with blocks has been opened") {
		t.Errorf("rested %v, %v", rested, err)
	}
	if after := stateText(t, s); after != before {
		t.Errorf("a refused value changed the state:\n%.1000s\n%.1000s", before, after)
	}
}

// TestAskedInTheMiddle checks that a request during a verb gets the same answer as a request after the verb, and that
// the verb's outcome is unchanged.
func TestAskedInTheMiddle(t *testing.T) {
	s := openTransport(t)
	b := s.Begin("open", []byte(`{"id":"toy"}`), hasty)
	if !s.resting() {
		t.Fatal("the verb does not pause")
	}
	if claimed, err := s.Pointer(pointer.Event{Kind: "move", X: 9, Y: 9}, nil); claimed || err != nil || !s.resting() {
		t.Errorf("a pointer that moves: claimed %v, %v; resting %v", claimed, err, s.resting())
	}
	got, err := s.Call("status", nil)
	if err != nil || s.resting() {
		t.Fatalf("%v; resting %v", err, s.resting())
	}
	if _, ended, err := b.Outcome(); !ended || err != nil {
		t.Errorf("ended %v, %v", ended, err)
	}
	if got.(StatusJSON).Status != s.Status().String() || s.about.ID != "toy" {
		t.Errorf("%v in %s", got, s.about.ID)
	}
}

// TestBriefState checks that a brief state omits only the points.
func TestBriefState(t *testing.T) {
	s := openTransport(t)
	if err := s.Open("fonseca"); err != nil {
		t.Fatal(err)
	}
	settle(t, s)
	whole, brief := do(t, s, "state", "").(*State), do(t, s, "state", `{"brief":true}`).(*State)
	for i := range whole.Runs {
		if r := &whole.Runs[i]; r.X == nil || r.Start == nil {
			t.Fatalf("the whole state lacks points: %v", r)
		}
		whole.Runs[i].X, whole.Runs[i].Start = nil, nil
	}
	if a, b := fmt.Sprintf("%+v", whole.Runs), fmt.Sprintf("%+v", brief.Runs); len(whole.Runs) == 0 || a != b {
		t.Errorf("%s\n%s", a, b)
	}
}

// TestDragInParts checks that a drag with pauses ends like a drag without pauses. Of the moves during a pause, only
// the last counts.
func TestDragInParts(t *testing.T) {
	const link = `{"state":"v=1&scene=clusters&method=most,mgda"}`
	dragged := func(more func() bool) (*Session, int) {
		s := openTransport(t)
		do(t, s, "load", link)
		settle(t, s)
		h := s.Handles()[0]
		rests := 0
		for i, kind := range []string{"down", "move", "move", "move", "up"} {
			e := pointer.Event{Kind: kind, X: h.X + 9*float64(i), Y: h.Y + 7*float64(i)}
			if claimed, err := s.Pointer(e, more); err != nil || !claimed {
				t.Errorf("%s: claimed %v, %v", kind, claimed, err)
			}
			if s.resting() {
				rests++
			}
			if i == 3 { // the pointer does not move
				settle(t, s)
			}
		}
		settle(t, s)
		return s, rests
	}
	whole, none := dragged(nil)
	apart, rests := dragged(hasty)
	if none != 0 || rests < 3 {
		t.Errorf("%d and %d rests", none, rests)
	}
	if a, b := stateText(t, whole), stateText(t, apart); a != b {
		t.Errorf("a drag in parts differs:\n%.1500s\n%.1500s", a, b)
	}
	fresh := openTransport(t)
	do(t, fresh, "load", link)
	if a, b := stateText(t, whole), stateText(t, fresh); a == b {
		t.Error("the drag changed nothing")
	}
}

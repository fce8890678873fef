package session

import (
	"fmt"
	"reflect"
	"runtime"
	"testing"
	"time"

	"paretoplay/internal/engine/link"
)

// slow is a link whose iterations have many parts: its two methods have solvers that take many iterations.
const slow = "#v=1&scene=clusters&method=most,most-o&m=3&n=12&solver=ipot&beta=1&tau=0.2&budget=8"

// slowAt opens the link slow at iteration k.
func slowAt(t *testing.T, k int) *Session {
	t.Helper()
	s := open(t)
	link, notices := link.Parse(fmt.Sprintf("%s&latest=%d&k=%d", slow, k, k))
	if len(notices) > 0 {
		t.Fatal(notices)
	}
	if err := s.Load(link); err != nil {
		t.Fatal(err)
	}
	work(t, s)
	return s
}

// work completes a verb's job.
func work(t *testing.T, s *Session) {
	t.Helper()
	if pending, err := s.Work(func() bool { return true }); err != nil || pending {
		t.Fatal(pending, err)
	}
}

// times returns a more() that is true n times, or always if always is true.
func times(n int, always bool) func() bool {
	return func() bool {
		n--
		return always || n >= 0
	}
}

// some computes the given number of parts of an iteration.
func some(t *testing.T, s *Session, parts int) {
	t.Helper()
	for i := range parts {
		more := times(1, false)
		if i > 0 {
			more = times(0, false)
		}
		if s.player.playing {
			if err := s.Advance(1, more); err != nil {
				t.Fatal(err)
			}
		} else if _, err := s.Work(more); err != nil {
			t.Fatal(err)
		}
	}
	if !s.timeline().UnderWay() {
		t.Fatal("no iteration is in progress")
	}
}

// sameRunning compares the runs, the link and the numbers of two sessions.
func sameRunning(t *testing.T, what string, got, want *Session) {
	t.Helper()
	state := func(s *Session) *State {
		out, err := s.State()
		if err != nil {
			t.Fatal(err)
		}
		out.Notices, out.Undo = nil, false
		out.Facts = nil // facts may be NaN, which does not equal itself
		return out
	}
	a, b := state(got), state(want)
	if a.Hash != b.Hash || fmt.Sprintf("%+v", a.Runs) != fmt.Sprintf("%+v", b.Runs) ||
		!reflect.DeepEqual(a.Params, b.Params) || a.Playing != b.Playing {
		t.Errorf("%s:\n got %+v\nwant %+v", what, a, b)
	}
}

// TestVerbsUnderWay checks that verbs called during an iteration act at once and give the same state as verbs called between
// iterations.
func TestVerbsUnderWay(t *testing.T) {
	for _, c := range []struct {
		name  string
		play  bool // otherwise steps are replayed
		do    func(s *Session) error
		rests bool // no iteration is in progress afterwards
	}{
		{"pause", true, func(s *Session) error { s.pause(); return nil }, true},
		{"stop", false, func(s *Session) error { return s.stop() }, true},
		{"seek", true, func(s *Session) error { s.Seek(1); return nil }, true},
		{"reset", true, func(s *Session) error { return s.Reset() }, true},
		{"reset of a replay", false, func(s *Session) error { return s.Reset() }, true},
		{"new seed", true, func(s *Session) error { return s.newSeed(true) }, true},
		{"restarting value", true, func(s *Session) error { return s.setParam("k", "3", true) }, true},
		{"rerun", true, func(s *Session) error { return s.setParam("K", "2", true) }, true},
		{"live change", true, func(s *Session) error { return s.setParam("tau", "0.9", true) }, true},
		{"display", true, func(s *Session) error { return s.setParam("view", "change", true) }, false},
		{"step", true, func(s *Session) error { return s.Step(2) }, false},
		{"open", true, func(s *Session) error { return s.Open("fonseca") }, true},
		{"load", true, func(s *Session) error {
			link, _ := link.Parse(slow + "&latest=3&k=2")
			return s.Load(link)
		}, true},
		{"undo", true, func(s *Session) error { return s.undo() }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, got := slowAt(t, 2), slowAt(t, 2)
			before := runtime.NumGoroutine()
			for _, s := range []*Session{want, got} {
				if err := s.setParam("eta", "0.15", true); err != nil {
					t.Fatal(err)
				}
				if c.play {
					if err := s.Play(); err != nil {
						t.Fatal(err)
					}
				} else if err := s.Step(5); err != nil {
					t.Fatal(err)
				}
			}
			some(t, got, 4)
			began := time.Now()
			for _, s := range []*Session{got, want} {
				if err := c.do(s); err != nil {
					t.Fatal(err)
				}
			}
			if under := got.timeline().UnderWay(); under == c.rests {
				t.Errorf("under way: %v, %v after %v", under, time.Since(began), c.name)
			}
			sameRunning(t, "at once", got, want)
			if c.rests && runtime.NumGoroutine() > before {
				t.Errorf("%d goroutines, before %d", runtime.NumGoroutine(), before)
			}
			for _, s := range []*Session{got, want} {
				if s.player.job == nil {
					if err := s.Step(2); err != nil {
						t.Fatal(err)
					}
				}
				work(t, s)
			}
			sameRunning(t, "two iterations later", got, want)
		})
	}
}

// TestPlayInParts checks that play in parts gives the same runs as a replay in one piece, and that the link leads to
// the same runs.
func TestPlayInParts(t *testing.T) {
	got := slowAt(t, 0)
	if err := got.Play(); err != nil {
		t.Fatal(err)
	}
	for got.timeline().Latest() < 4 {
		k := got.timeline().Latest()
		for range 10 { // the pace waits a second before an iteration that follows a long one
			if got.timeline().UnderWay() || got.timeline().Latest() > k {
				break
			}
			if err := got.Advance(1, times(1, false)); err != nil {
				t.Fatal(err)
			}
		}
		if !got.timeline().UnderWay() {
			t.Fatal("the iteration is not interrupted")
		}
		for part := 1; got.timeline().Latest() == k; part++ {
			if err := got.Advance(1, times(1, part > 5)); err != nil {
				t.Fatal(err)
			}
			if err := got.drawable(); err != nil {
				t.Fatal(err)
			}
			if _, err := got.equation(); err != nil {
				t.Fatal(err)
			}
		}
	}
	got.pause()
	want := slowAt(t, got.timeline().Latest())
	sameRunning(t, "played", got, want)
}

// TestPinInParts checks that a pin's runs are computed in parts, and abandoned if the pin is removed.
func TestPinInParts(t *testing.T) {
	s := slowAt(t, 3)
	before := runtime.NumGoroutine()
	letter, err := s.Pin()
	if err != nil {
		t.Fatal(err)
	}
	for range 9 {
		if pending, err := s.Work(times(1, false)); err != nil || !pending {
			t.Fatal(pending, err)
		}
	}
	if !keptOf(s, 0).timeline().UnderWay() {
		t.Fatal("no iteration of the pin is in progress")
	}
	if err := s.unpin(letter); err != nil || runtime.NumGoroutine() > before {
		t.Errorf("%v; %d goroutines, before %d", err, runtime.NumGoroutine(), before)
	}
}

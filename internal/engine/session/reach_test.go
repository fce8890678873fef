package session

import "testing"

// TestReach checks that reach computes iterations beyond the latest in parts, up to the budget. A call with a smaller
// k must shorten the job of an earlier call, but not a replay.
func TestReach(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"budget","value":500}`)
	at := func(where string, marker, latest int, busy bool) {
		t.Helper()
		line := s.timeline()
		if _, is := s.Progress(); line.Marker() != marker || line.Latest() != latest || is != busy {
			t.Errorf("%s: the marker is at %d of %d, busy %v; want %d of %d, %v", where, line.Marker(), line.Latest(), is, marker, latest, busy)
		}
	}
	ask := func(verb, args string) {
		t.Helper()
		if _, err := s.Call(verb, []byte(args)); err != nil {
			t.Fatal(err)
		}
	}
	part := func(n int) {
		t.Helper()
		if _, err := s.Work(func() bool { n--; return n >= 0 }); err != nil {
			t.Fatal(err)
		}
	}
	const all = 1 << 20
	ask("reach", `{"k":40}`)
	part(10)
	at("a part", 10, 10, true)
	if state, err := s.State(); err != nil || state.Target == nil || *state.Target != 40 {
		t.Errorf("the target is %v, %v", state.Target, err)
	}
	part(all)
	at("all", 40, 40, false)
	ask("reach", `{"k":15}`)
	at("back", 15, 40, false)
	ask("reach", `{"k":300}`)
	part(20)
	ask("reach", `{"k":50}`)
	at("shortened", 50, 60, false)
	ask("reach", `{"k":100000}`)
	part(20)
	ask("stop", `{}`)
	at("stopped", 80, 80, false)

	// The verb seek stays within the recorded iterations.
	ask("seek", `{"k":300}`)
	at("seek", 80, 80, false)

	// A replay goes to its link's iteration.
	ask("load", `{"state":"#v=1&scene=fonseca&budget=500&latest=80&k=80"}`)
	part(30)
	ask("reach", `{"k":200}`)
	ask("reach", `{"k":5}`)
	part(all)
	at("a replay", 5, 80, false)

	// A move stops at the latest iteration. A further move continues beyond it.
	ask("move", `{"by":1000}`)
	at("to the latest", 80, 80, false)
	ask("move", `{"by":3}`)
	part(all)
	at("beyond", 83, 83, false)
	ask("move", `{"by":9007199254740991}`)
	part(all)
	at("the end", 500, 500, false)

	// Ended runs cannot be advanced.
	ask("set", `{"name":"stop","value":1}`)
	part(all)
	latest := s.timeline().Latest()
	ask("reach", `{"k":499}`)
	at("ended", latest, latest, false)
}

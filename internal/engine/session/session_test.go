package session

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
	"paretoplay/scenes"
)

// open returns a session in its default state.
func open(t testing.TB) *Session {
	t.Helper()
	s, err := New(scenes.All, "fonseca")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func always() bool { return true }

// vector returns a list of numbers from a state or from JSON, or nil for null.
func vector(v any) []float64 {
	switch v := v.(type) {
	case []float64:
		return v
	case []any:
		out := make([]float64, len(v))
		for i, x := range v {
			out[i] = x.(float64)
		}
		return out
	}
	return nil
}

// settle completes a verb's work.
func settle(t testing.TB, s *Session) {
	t.Helper()
	for range 1 << 20 {
		pending, err := s.Work(always)
		if err != nil {
			t.Fatal(err)
		}
		if !pending {
			return
		}
	}
	t.Fatal("work never ends")
}

// do executes a verb with its arguments as JSON, and completes its work.
func do(t testing.TB, s *Session, verb, args string) any {
	t.Helper()
	result, err := s.Call(verb, []byte(args))
	if err != nil {
		t.Fatalf("%s %s: %v", verb, args, err)
	}
	settle(t, s)
	return result
}

// refused executes a verb and checks that it returns an error that contains text.
func refused(t testing.TB, s *Session, verb, args, text string) {
	t.Helper()
	if _, err := s.Call(verb, []byte(args)); err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("%s %s: error %v, want one with %q", verb, args, err, text)
	}
}

func state(t testing.TB, s *Session) *State {
	t.Helper()
	st, err := s.State()
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// stateJSON returns the state as a page receives it, without the parts that depend on how it was reached.
func stateJSON(t testing.TB, s *Session) map[string]any {
	t.Helper()
	data, err := json.Marshal(state(t, s))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "notices")
	delete(m, "undo")
	delete(m, "tried")
	return m
}

func sameState(t testing.TB, what string, got, want map[string]any) {
	t.Helper()
	for _, k := range sortedKeys(want) {
		if k == "finding" { // it depends on how the state was played
			continue
		}
		if !reflect.DeepEqual(got[k], want[k]) {
			t.Errorf("%s: %s is\n%v, want\n%v", what, k, got[k], want[k])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: fields %v, want %v", what, sortedKeys(got), sortedKeys(want))
	}
}

func at(t testing.TB, s *Session, iteration, latest int) {
	t.Helper()
	if m, l := s.timeline().Marker(), s.timeline().Latest(); m != iteration || l != latest {
		t.Errorf("the marker is at %d of %d, want %d of %d", m, l, iteration, latest)
	}
}

func log(s *Session) string {
	var out []string
	for _, c := range s.timeline().Log() {
		out = append(out, fmt.Sprintf("%d:%s:%s", c.K, c.Name, c.Text))
	}
	return strings.Join(out, ",")
}

// noticed checks for exactly one notice, which must contain text, or for no notice if text is "".
func noticed(t testing.TB, s *Session, text string) {
	t.Helper()
	n := s.TakeNotices()
	if text == "" && len(n) > 0 || text != "" && (len(n) != 1 || !strings.Contains(n[0], text)) {
		t.Errorf("notices %q, want one with %q", n, text)
	}
}

// TestSetLive checks that a live parameter acts at the next iteration, and that the log keeps only the last of several
// values set at one iteration.
func TestSetLive(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"eta","value":0.2}`)
	if log(s) != "" {
		t.Errorf("a change at k = 0 is logged: %s", log(s))
	}
	do(t, s, "step", `{"n":10}`)
	at(t, s, 10, 10)
	do(t, s, "set", `{"name":"R","value":8}`)
	do(t, s, "set", `{"name":"R","value":16}`)
	do(t, s, "set", `{"name":"R","value":16}`)
	do(t, s, "set", `{"name":"eta","value":0.4}`)
	at(t, s, 10, 10)
	if log(s) != "10:R:16,10:eta:0.4" {
		t.Errorf("log %s", log(s))
	}
	noticed(t, s, "")
	do(t, s, "seek", `{"k":3}`)
	do(t, s, "set", `{"name":"eta","value":0.1}`)
	at(t, s, 10, 10)
	noticed(t, s, "Back at the latest iteration, 10")
	do(t, s, "step", `{"n":5}`)
	do(t, s, "set", `{"name":"momentum","value":0.5}`)
	if log(s) != "10:R:16,10:eta:0.1,15:momentum:0.5" {
		t.Errorf("log %s", log(s))
	}
	st := state(t, s)
	if st.Params["R"] != 16 || st.Params["eta"] != 0.1 || st.Base["R"] != 4.0 || st.Base["eta"] != 0.2 || st.Base["momentum"] != 0.0 {
		t.Errorf("params R %v eta %v, base %v", st.Params["R"], st.Params["eta"], st.Base)
	}
	// The change took effect: with R = 16, weights are refreshed at iteration 16 but not at 12.
	do(t, s, "step", `{"n":5}`)
	run := s.timeline().Runs()[0]
	if run.Kept(12).Refreshed || !run.Kept(16).Refreshed || !run.Kept(8).Refreshed || run.Kept(9).StepSize != 0.2 ||
		run.Kept(10).StepSize != 0.1 {
		t.Error("the live changes did not act at the next iteration")
	}
}

// TestSet checks that a value out of range is clamped with a notice, and that an invalid value causes an error and changes
// nothing.
func TestSet(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"R","value":1000}`)
	noticed(t, s, "R = 1000 is outside its range")
	if st := state(t, s); st.Params["R"] != 64 {
		t.Errorf("R = %v", st.Params["R"])
	}
	before := stateJSON(t, s)
	refused(t, s, "set", `{"name":"R","value":"x"}`, "R = ")
	refused(t, s, "set", `{"name":"R","value":null}`, "R")
	refused(t, s, "set", `{"name":"nothing","value":1}`, `unknown parameter "nothing"; available: `)
	refused(t, s, "set", `{"name":"method","value":[]}`, "at least 1")
	refused(t, s, "set", `{"name":"method","value":"newton"}`, "method")
	refused(t, s, "set", `[`, "set")
	refused(t, s, "jump", `{}`, `unknown verb "jump"; available: `)
	refused(t, s, "step", `{"n":0}`, "at least 1")
	refused(t, s, "step", `{"n":1.5}`, "whole number")
	refused(t, s, "seek", `{}`, "seek")
	refused(t, s, "card", `{"id":"zzz"}`, "zzz")
	refused(t, s, "select", `{"run":"zzz"}`, "zzz")
	refused(t, s, "open", `{"id":"zzz"}`, `unknown scene "zzz"; available: fonseca`)
	refused(t, s, "theme", `{"name":"sepia"}`, "sepia")
	refused(t, s, "nudge", `{"id":"zzz","dx":1}`, "zzz")
	refused(t, s, "load", `{"state":5}`, "load")
	refused(t, s, "load", `{}`, "load")
	sameState(t, "after refusals", stateJSON(t, s), before)
	if runs := len(state(t, s).Runs); runs != 10 {
		t.Errorf("%d runs", runs)
	}
	do(t, s, "set", `{"name":"starts","value":3}`)
	do(t, s, "set", `{"name":"method","value":["ls","psmgd"]}`)
	if runs := len(state(t, s).Runs); runs != 6 {
		t.Errorf("two methods from three starts make %d runs", runs)
	}
}

// TestRestart checks that a restart parameter, reset and a new seed return to k = 0 and clear the log. Reset must keep the
// seed.
func TestRestart(t *testing.T) {
	for _, c := range []struct {
		verb, args string
		seed       uint64
	}{
		{"set", `{"name":"sigma","value":0.1}`, 1}, {"reset", `{}`, 1}, {"newSeed", `{}`, 2},
	} {
		s := open(t)
		do(t, s, "step", `{"n":5}`)
		do(t, s, "set", `{"name":"R","value":8}`)
		do(t, s, "step", `{"n":5}`)
		start := slices.Clone(s.timeline().Runs()[0].Starts[0])
		do(t, s, c.verb, c.args)
		at(t, s, 0, 0)
		st := state(t, s)
		if len(st.Log) > 0 || len(st.Base) > 0 {
			t.Errorf("%s leaves the log %v with %v", c.verb, st.Log, st.Base)
		}
		if st.Params["seed"] != c.seed || st.Params["R"] != 8 || st.Playing {
			t.Errorf("%s: seed %v, R %v, playing %v", c.verb, st.Params["seed"], st.Params["R"], st.Playing)
		}
		if same := slices.Equal(start, s.timeline().Runs()[0].Starts[0]); same != (c.seed == 1) {
			t.Errorf("%s: the start is the same: %v", c.verb, same)
		}
	}
	s := open(t)
	do(t, s, "set", `{"name":"seed","value":9007199254740991}`)
	do(t, s, "newSeed", `{}`)
	if got := state(t, s).Params["seed"]; got != uint64(0) {
		t.Errorf("after the last seed comes %v", got)
	}
	do(t, s, "play", `{}`)
	do(t, s, "reset", `{}`)
	if s.Playing() {
		t.Error("reset does not stop playing")
	}
}

// TestSeekWithoutRuns checks the notice of a scene without iterations.
func TestSeekWithoutRuns(t *testing.T) {
	s, err := New(scenes.All, "lab")
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, "seek", `{"k":0}`)
	noticed(t, s, "")
	do(t, s, "seek", `{"k":10}`)
	noticed(t, s, "no iterations")
}

// TestSeek checks that the marker stays within the recorded iterations, with a notice, and that the values at the
// marker are shown.
func TestSeek(t *testing.T) {
	s := open(t)
	do(t, s, "step", `{"n":20}`)
	do(t, s, "seek", `{"k":7}`)
	at(t, s, 7, 20)
	noticed(t, s, "")
	r := s.timeline().Runs()[0]
	if st := state(t, s); st.Runs[0].K != 7 || !slices.Equal(vector(st.Runs[0].X), r.Kept(7).X) || st.Runs[0].Weights == nil {
		t.Errorf("at the marker: %+v", st.Runs[0])
	}
	do(t, s, "seek", `{"k":21}`)
	at(t, s, 20, 20)
	noticed(t, s, "Iteration 21 is not recorded; the nearest is 20.")
	do(t, s, "seek", `{"k":-5}`)
	at(t, s, 0, 20)
	noticed(t, s, "the nearest is 0")
	do(t, s, "seek", `{"k":1e300}`)
	at(t, s, 20, 20)
}

// TestMove checks that a move starts at the marker, or at the iteration to which a job will take the marker, and stops at
// the latest iteration without a notice.
func TestMove(t *testing.T) {
	s := open(t)
	do(t, s, "step", `{"n":20}`)
	for _, c := range []struct {
		by   string
		want int
	}{{"-1", 19}, {"-10", 9}, {"1", 10}, {"-1e300", 0}, {"1e300", 20}, {"0", 20}} {
		do(t, s, "move", `{"by":`+c.by+`}`)
		at(t, s, c.want, 20)
	}
	noticed(t, s, "")
	for _, call := range [][2]string{{"step", `{"n":3}`}, {"move", `{"by":-1}`}, {"move", `{"by":-1}`}} {
		if _, err := s.Call(call[0], []byte(call[1])); err != nil {
			t.Fatal(err)
		}
	}
	if _, busy := s.Progress(); !busy {
		t.Fatal("the steps are already made")
	}
	settle(t, s)
	at(t, s, 21, 23)
	noticed(t, s, "")
	do(t, s, "play", `{}`)
	do(t, s, "move", `{"by":-1}`)
	if s.Playing() {
		t.Error("a move does not stop playing")
	}
}

// TestStepAndPlay checks that steps start at the latest iteration and pause the runs, and that playing at the end restarts
// the runs.
func TestStepAndPlay(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"budget","value":12}`)
	do(t, s, "play", `{}`)
	if !s.Playing() {
		t.Fatal("not playing")
	}
	do(t, s, "step", `{}`)
	at(t, s, 1, 1)
	if s.Playing() {
		t.Error("a step does not stop playing")
	}
	do(t, s, "step", `{"n":4}`)
	do(t, s, "seek", `{"k":2}`)
	s.TakeNotices()
	do(t, s, "step", `{"n":1}`)
	at(t, s, 6, 6)
	noticed(t, s, "Back at the latest iteration, 5")
	do(t, s, "set", `{"name":"eta","value":0.2}`)
	do(t, s, "step", `{"n":1e9}`)
	at(t, s, 12, 12)
	if st := state(t, s); st.Status != "budget" || st.Progress != nil || st.Runs[0].Weights != nil {
		t.Errorf("at the end: status %s, progress %v, weights %v", st.Status, st.Progress, st.Runs[0].Weights)
	}
	want := stateJSON(t, s)
	do(t, s, "play", `{}`)
	at(t, s, 0, 0)
	if !s.Playing() || log(s) != "6:eta:0.2" {
		t.Errorf("play at the end: playing %v, log %s", s.Playing(), log(s))
	}
	for i := 0; s.Playing(); i++ {
		if err := s.Advance(1./60, always); err != nil {
			t.Fatal(err)
		}
		if i > 1000 {
			t.Fatal("playing never ends")
		}
	}
	// The repetition has the same history, bit for bit.
	sameState(t, "played again", stateJSON(t, s), want)
	do(t, s, "play", `{}`)
	do(t, s, "pause", `{}`)
	if s.Playing() {
		t.Error("pause does not stop playing")
	}
}

// TestSpeed checks that the parameter speed limits the steps per second and changes nothing else. A tab in the
// background must not catch up on missed steps.
func TestSpeed(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"speed","value":"60"}`)
	do(t, s, "play", `{}`)
	ticks := func(n int, dt float64) int {
		before := s.timeline().Latest()
		for range n {
			if err := s.Advance(dt, always); err != nil {
				t.Fatal(err)
			}
		}
		return s.timeline().Latest() - before
	}
	if got := ticks(62, 1./60); got < 1 || got > 63 { // things move far in the first steps
		t.Errorf("a second at 60 a second makes %d steps", got)
	}
	do(t, s, "set", `{"name":"speed","value":"10"}`)
	if got := ticks(1, 3600); got > 5 {
		t.Errorf("after an hour away %d steps are made at once", got)
	}
	if log(s) != "" || s.timeline().Latest() == 0 || !s.Playing() {
		t.Error("the speed restarts, stops or is logged")
	}
	do(t, s, "set", `{"name":"speed","value":"max"}`)
	left := 7
	if err := s.Advance(1./60, func() bool { left--; return left >= 0 }); err != nil {
		t.Fatal(err)
	}
	latest := s.timeline().Latest()
	do(t, s, "pause", `{}`)
	if got := ticks(5, 1); got != 0 || latest == 0 {
		t.Errorf("paused: %d steps", got)
	}
}

// TestRerun checks that changes of methods, start points and the budget rebuild the runs and replay them, including the log.
func TestRerun(t *testing.T) {
	s := open(t)
	do(t, s, "step", `{"n":30}`)
	do(t, s, "set", `{"name":"R","value":2}`)
	do(t, s, "step", `{"n":30}`)
	do(t, s, "seek", `{"k":45}`)
	x := slices.Clone(s.timeline().Runs()[0].Kept(45).X)
	do(t, s, "set", `{"name":"method","value":"psmgd,mgda"}`)
	at(t, s, 45, 60)
	if log(s) != "30:R:2" || len(s.timeline().Runs()) != 20 {
		t.Errorf("log %s, %d runs", log(s), len(s.timeline().Runs()))
	}
	if !slices.Equal(s.timeline().Runs()[0].Kept(45).X, x) {
		t.Error("the former run has changed")
	}
	if s.timeline().Runs()[0].Kept(28).Refreshed != true || s.timeline().Runs()[0].Kept(26).Refreshed ||
		!s.timeline().Runs()[0].Kept(34).Refreshed {
		t.Error("the live change was not replayed at its iteration")
	}
	do(t, s, "set", `{"name":"start","value":[[0.25,-0.75]]}`)
	at(t, s, 45, 60)
	if got := s.timeline().Runs()[0].Starts[0]; !slices.Equal(got, []float64{0.25, -0.75}) || log(s) != "30:R:2" {
		t.Errorf("start %v, log %s", got, log(s))
	}
	do(t, s, "set", `{"name":"budget","value":50}`)
	at(t, s, 45, 50)
	if st := state(t, s); st.Status != "budget" {
		t.Errorf("status %s", st.Status)
	}
	do(t, s, "set", `{"name":"budget","value":100}`)
	at(t, s, 45, 50)
	if st := state(t, s); st.Status != "running" || log(s) != "30:R:2" {
		t.Errorf("status %s, log %s", st.Status, log(s))
	}
	noticed(t, s, "")
	// If again is true, as on the page, a larger budget lets ended runs continue.
	do(t, s, "step", `{"n":50}`)
	do(t, s, "set", `{"name":"budget","value":120,"again":true}`)
	if !s.Playing() {
		t.Error("ended runs do not continue with a larger budget")
	}
	at(t, s, 100, 100)
}

// TestChangesDuringReplay checks that the visitor can act during a replay as if it were complete. A change must act
// after the replay, a seek must reach the iterations to be replayed, a step must add to them, and a link must lead to
// the end of the replay.
func TestChangesDuringReplay(t *testing.T) {
	s := open(t)
	begin := func() {
		t.Helper()
		s.TakeNotices()
		if _, err := s.Call("load", []byte(`{"state":"#v=1&scene=fonseca&log=80:R:8&latest=100&k=90"}`)); err != nil {
			t.Fatal(err)
		}
		left := 30
		if pending, err := s.Work(func() bool { left--; return left >= 0 }); !pending || err != nil {
			t.Fatalf("pending %v, error %v", pending, err)
		}
		at(t, s, 30, 30)
		if done, busy := s.Progress(); !busy || math.Abs(done-0.3) > 1e-9 {
			t.Errorf("progress %v, busy %v", done, busy)
		}
		noticed(t, s, "")
	}
	begin()
	if st := state(t, s); st.Progress == nil || !strings.Contains(st.Hash, "latest=100&k=90") || !strings.Contains(st.Hash, "log=80:R:8") {
		t.Errorf("during the replay: progress %v, hash %s", st.Progress, st.Hash)
	}
	do(t, s, "set", `{"name":"R","value":2}`)
	if log(s) != "80:R:8,100:R:2" {
		t.Errorf("log %s", log(s))
	}
	at(t, s, 100, 100)
	noticed(t, s, "Back at the latest iteration, 100")

	begin()
	do(t, s, "seek", `{"k":95}`)
	noticed(t, s, "")
	at(t, s, 95, 100)

	begin()
	do(t, s, "seek", `{"k":101}`)
	noticed(t, s, "the nearest is 100")
	at(t, s, 100, 100)

	begin()
	do(t, s, "step", `{"n":5}`)
	at(t, s, 105, 105)
	noticed(t, s, "Back at the latest iteration, 100")

	begin()
	do(t, s, "set", `{"name":"method","value":"mgda"}`)
	at(t, s, 90, 100)

	begin()
	do(t, s, "play", `{}`)
	if !s.Playing() {
		t.Error("play during the replay had no effect")
	}

	begin()
	do(t, s, "step", `{"n":1e9}`)
	at(t, s, 200, 200)
	begin()
	if _, err := s.Call("step", []byte(`{"n":1e9}`)); err != nil {
		t.Fatal(err)
	}
	if hash := state(t, s).Hash; !strings.Contains(hash, "latest=200&") {
		t.Errorf("a link to more iterations than there are: %s", hash)
	}
}

// TestWorkRespectsMore checks that work stops when the frame's time is up.
func TestWorkRespectsMore(t *testing.T) {
	s := open(t)
	if _, err := s.Call("step", []byte(`{"n":50}`)); err != nil {
		t.Fatal(err)
	}
	calls := 0
	for {
		left := 3
		before := s.timeline().Latest()
		pending, err := s.Work(func() bool { left--; return left >= 0 })
		if err != nil {
			t.Fatal(err)
		}
		if got := s.timeline().Latest() - before; got > 3 {
			t.Fatalf("%d steps when there was time for 3", got)
		}
		if calls++; !pending {
			break
		}
	}
	if calls < 50/3 || s.timeline().Latest() != 50 {
		t.Errorf("%d calls led to iteration %d", calls, s.timeline().Latest())
	}
	version := s.Version()
	if pending, _ := s.Work(always); pending || s.Version() != version {
		t.Error("idle work asks for a frame")
	}
	// The computation of the stale-weights map also stops when its time is up, and its last piece makes a frame due.
	do(t, s, "open", `{"id":"fonseca"}`)
	if _, err := s.Call("set", []byte(`{"name":"view","value":"staleness"}`)); err != nil {
		t.Fatal(err)
	}
	left := 5
	if pending, err := s.Background(func() bool { left--; return left >= 0 }); !pending || err != nil {
		t.Errorf("pending %v, error %v", pending, err)
	}
	version = s.Version()
	if pending, err := s.Background(always); pending || err != nil || s.Version() == version {
		t.Errorf("the last piece: pending %v, error %v, a frame is due: %v", pending, err, s.Version() != version)
	}
}

// TestPresets checks that each preset opens, plays and selects its run. All other parameters, including the speed, have their
// defaults.
func TestPresets(t *testing.T) {
	for _, p := range open(t).about.Presets {
		s := open(t)
		do(t, s, "set", `{"name":"speed","value":"60"}`)
		do(t, s, "set", `{"name":"d","value":5}`)
		do(t, s, "step", `{"n":10}`)
		do(t, s, "set", `{"name":"R","value":9}`)
		do(t, s, "card", fmt.Sprintf(`{"id":%q}`, p.ID))
		st := state(t, s)
		_, named := p.Values["d"]
		if !st.Playing || st.Latest != 0 || len(st.Log) != 0 || !named && st.Params["d"] != 2 {
			t.Errorf("%s: playing %v, latest %d, log %v, d %v", p.ID, st.Playing, st.Latest, st.Log, st.Params["d"])
		}
		if p.Selected != "" && st.Selected != p.Selected {
			t.Errorf("%s selects %s, not %s", p.ID, st.Selected, p.Selected)
		}
		for name, text := range p.Values {
			if got := s.scene.Params().Text(name); got != text {
				t.Errorf("%s: %s = %s, not %s", p.ID, name, got, text)
			}
		}
		if _, named := p.Values["speed"]; !named && st.Speed != open(t).scene.Params().Text("speed") {
			t.Errorf("%s: speed %s", p.ID, st.Speed)
		}
		if st.Card != p.ID || st.Changed || !st.Undo {
			t.Errorf("%s: card %q, changed %v, undo %v", p.ID, st.Card, st.Changed, st.Undo)
		}
		if len(st.Notices) > 0 {
			t.Errorf("%s: notices %q", p.ID, st.Notices)
		}
	}
}

// TestSelect checks that a run can be selected, and that a rebuild without that run selects another.
func TestSelect(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"method","value":"psmgd,ls"}`)
	do(t, s, "select", `{"run":"ls-3"}`)
	if st := state(t, s); st.Selected != "ls-3" || !strings.Contains(st.Hash, "run=ls-3") {
		t.Errorf("selected %s, hash %s", st.Selected, st.Hash)
	}
	do(t, s, "set", `{"name":"method","value":"psmgd"}`)
	if st := state(t, s); st.Selected != "psmgd-1" || strings.Contains(st.Hash, "run=") {
		t.Errorf("selected %s, hash %s", st.Selected, st.Hash)
	}
}

// TestLoadReproduces checks that a state object and its link lead to exactly the same state: with and without live changes, at an
// earlier marker, with moved starts, and with any division of the replay into frames.
func TestLoadReproduces(t *testing.T) {
	for name, verbs := range map[string][][2]string{
		"default": {},
		"stepped": {{"step", `{"n":25}`}},
		"earlier": {{"step", `{"n":25}`}, {"seek", `{"k":11}`}},
		"start":   {{"step", `{"n":25}`}, {"seek", `{"k":0}`}},
		"ended":   {{"set", `{"name":"budget","value":30}`}, {"step", `{"n":40}`}},
		"stopped": {{"set", `{"name":"stop","value":0.3}`}, {"step", `{"n":200}`}},
		"selected": {{"set", `{"name":"method","value":"ls,crmogm"}`}, {"select", `{"run":"crmogm-2"}`}, {"hero", `{"panel":"weights"}`},
			{"step", `{"n":3}`}},
		"live": {{"set", `{"name":"eta","value":0.05}`}, {"set", `{"name":"sigma","value":0.2}`}, {"step", `{"n":10}`},
			{"set", `{"name":"eta","value":0.7}`},
			{"step", `{"n":10}`}, {"set", `{"name":"R","value":3}`}, {"set", `{"name":"eta","value":0.011}`}, {"step", `{"n":30}`}, {"set",
				`{"name":"momentum","value":0.5}`}, {"seek", `{"k":33}`}},
		"live back": {{"step", `{"n":10}`}, {"set", `{"name":"eta","value":0.7}`}, {"step", `{"n":10}`},
			{"set", `{"name":"eta","value":0.3}`}, {"step", `{"n":10}`}},
		"moved": {{"set", `{"name":"d","value":3}`}, {"set", `{"name":"start","value":[[],[0.125,-1,1]]}`},
			{"set", `{"name":"horizontal","value":3}`}, {"set", `{"name":"axis","value":"backpropagations"}`},
			{"step", `{"n":8}`}},
		"beyond": {{"step", `{"n":60}`}, {"set", `{"name":"R","value":2}`}, {"set", `{"name":"budget","value":50}`}},
		"seed":   {{"set", `{"name":"seed","value":9007199254740991}`}, {"set", `{"name":"view","value":"staleness"}`}},
	} {
		s := open(t)
		for _, v := range verbs {
			do(t, s, v[0], v[1])
		}
		s.TakeNotices()
		want := stateJSON(t, s)
		data, err := json.Marshal(map[string]any{"state": want})
		if err != nil {
			t.Fatal(err)
		}
		hash, err := json.Marshal(map[string]any{"state": want["hash"]})
		if err != nil {
			t.Fatal(err)
		}
		for _, how := range [][]byte{data, hash} {
			fresh := open(t)
			do(t, fresh, "step", `{"n":7}`)
			do(t, fresh, "set", `{"name":"R","value":5}`)
			fresh.TakeNotices()
			if _, err := fresh.Call("load", how); err != nil {
				t.Fatal(err)
			}
			for pending := true; pending; {
				left := 7
				if pending, err = fresh.Work(func() bool { left--; return left >= 0 }); err != nil {
					t.Fatal(err)
				}
			}
			noticed(t, fresh, "")
			got := stateJSON(t, fresh)
			sameState(t, name, got, want)
		}
	}
}

// TestLoadNotices checks that unknown names and invalid values are left out, and values out of range are clamped, each with
// a notice. All other settings must be loaded.
func TestLoadNotices(t *testing.T) {
	for _, c := range []struct {
		hash   string
		notice string
		want   map[string]any
	}{
		{"v=1&scene=fonseca&zzz=1&R=8", `unknown parameter "zzz" of fonseca`, map[string]any{"R": 8}},
		{"v=1&scene=nowhere&R=8", `unknown scene "nowhere"`, map[string]any{"R": 8}},
		{"R=100000&eta=0.5", "R = 100000 is outside its range", map[string]any{"R": 64, "eta": 0.5}},
		{"R=-1", "1 is used", map[string]any{"R": 1}},
		{"R=x&eta=0.5", "R = ", map[string]any{"R": 4, "eta": 0.5}},
		{"eta=NaN", "eta = ", map[string]any{"eta": 0.3}},
		{"eta=-Inf", "eta = ", map[string]any{"eta": 0.3}},
		{"eta=", "eta = ", map[string]any{"eta": 0.3}},
		{"method=psmgd,newton", "ignored newton", map[string]any{"method": []string{"psmgd"}}},
		{"method=newton", "method = ", map[string]any{"method": []string{"psmgd"}}},
		{"start=99,0", "the coordinate 99 is outside", nil},
		{"v=7&R=8", "version", map[string]any{"R": 8}},
		{"R=8&R=9", "twice", map[string]any{"R": 8}},
		{"R=%zz", "cannot be read", map[string]any{"R": 4}},
		{"k=x", "not a whole number", nil},
		{"latest=inf", "not a whole number", nil},
		{"latest=-4", "read as 0", nil},
		{"latest=100000&k=100000&budget=5", "the runs end at 5", nil},
		{"run=zzz", "is an unknown run and is not selected", nil},
		{"show=zzz", `unknown panel "zzz" of the scene fonseca; available: decision objective weights geometry`, nil},
		{"log=5", "does not have the form", nil},
		{"log=x:R:4", "its iteration is missing", nil},
		{"log=-2:R:4", "its iteration is missing", nil},
		{"log=2:seed:4", "cannot change while the runs continue", nil},
		{"log=2:zzz:4", "cannot change while", nil},
		{"log=2:R:x", "R = ", nil},
		{"log=2:R:100", "64 is used", map[string]any{"R": 64}},
		{strings.Repeat("x", link.MaxLink+100), "only the first", nil},
		{"R=8&" + strings.Repeat("&", 100), "", map[string]any{"R": 8}},
		{"#v=1&scene=fonseca", "", nil},
		{"", "", nil},
		{"log=9:R:3,4:R:7,4:R:6&latest=10&k=10", "", map[string]any{"R": 3}},
		{"k=12", "", nil},
	} {
		s := open(t)
		do(t, s, "load", fmt.Sprintf(`{"state":%q}`, c.hash))
		notices := s.TakeNotices()
		found := slices.ContainsFunc(notices, func(n string) bool { return strings.Contains(n, c.notice) })
		if c.notice == "" && len(notices) > 0 || c.notice != "" && !found {
			t.Errorf("%.60s: notices %q, want one with %q", c.hash, notices, c.notice)
		}
		for _, n := range notices {
			if len(n) > 1000 {
				t.Errorf("%.60s: a notice of %d characters", c.hash, len(n))
			}
		}
		st := state(t, s)
		for name, want := range c.want {
			if !reflect.DeepEqual(st.Params[name], want) {
				t.Errorf("%.60s: %s = %v, want %v", c.hash, name, st.Params[name], want)
			}
		}
	}
	s := open(t)
	do(t, s, "load", `{"state":"log=9:R:3,4:R:7,4:R:6&latest=10&k=10"}`)
	if log(s) != "4:R:6,9:R:3" {
		t.Errorf("log %s: it is neither in order nor with one value for each iteration", log(s))
	}
	do(t, s, "load", `{"state":{"scene":"fonseca","latest":10,"iteration":10,"log":[{"k":9,"name":"R","value":3},`+
		`{"k":-1,"name":"R","value":9},{"k":4,"name":"R","value":{}},{"k":4,"name":"R","value":6}]}}`)
	if log(s) != "4:R:6,9:R:3" || len(s.TakeNotices()) != 2 {
		t.Errorf("log %s", log(s))
	}
	do(t, s, "load", `{"state":"k=12"}`)
	at(t, s, 12, 12)
	do(t, s, "load", fmt.Sprintf(`{"state":%q}`, strings.Repeat("&a=1", 3000)))
	if n := s.TakeNotices(); len(n) != maxNotices+1 || !strings.Contains(n[maxNotices], "more notices") {
		t.Errorf("%d notices", len(n))
	}
}

// stub is a scene with one run, which diverges. It refuses size = 7 as incompatible with eta.
type stub struct {
	scene.Base
	eta   float64
	size  int
	speed string
}

func newStub() *stub {
	s := &stub{Base: scene.NewBase(), eta: 1, size: 1, speed: "30"}
	s.Params().Number(&s.eta, param.Descriptor{Name: "eta", Max: 10, Effect: param.Live})
	s.Params().Integer(&s.size, param.Descriptor{Name: "size", Max: 10})
	s.Params().Choice(&s.speed, param.Descriptor{Name: "speed", Effect: param.Display, Options: []param.Option{{Value: "30"}}})
	return s
}

func (s *stub) Restart(log []timeline.Change) error {
	if s.size == 7 {
		return fmt.Errorf("size = 7: not beside eta = %g", s.eta)
	}
	s.Timeline().SetEnd(10, 0)
	s.Timeline().Reset([]*timeline.Run{{
		Name: "a-1", Method: "a", Starts: [][]float64{{0}}, Stepper: &exploding{},
		AtPoint:      []timeline.Extra{{Name: "E"}, {Name: "omega", Size: 2}},
		MeasurePoint: func(_ algo.View, _, further []float64) { copy(further, []float64{0.5, 1, 2}) },
		OfStep:       []timeline.Extra{{Name: "nu"}, {Name: "pi", Size: 2}},
	}}, log)
	return nil
}
func (s *stub) Panels() []axes.Panel { return nil }

// exploding is a stepper whose iterate doubles in each of three steps. The fourth step diverges.
type exploding struct{ k int }

func (e *exploding) Step() (algo.Status, error) {
	if e.k == 3 {
		return algo.Diverged, nil
	}
	e.k++
	return algo.Running, nil
}

func (e *exploding) View() algo.View {
	v := algo.View{K: e.k, Solutions: 1, X: []float64{math.Exp2(float64(e.k))}, F: []float64{1}}
	if e.k == 3 {
		v.Diverged = algo.Divergence{K: 3, Quantity: "objective"}
	}
	return v
}
func (e *exploding) Save(to *algo.Snapshot)   { to.PutInt(e.k) }
func (e *exploding) Load(from *algo.Snapshot) { e.k = from.GetInt() }

func openStub(t *testing.T) *Session {
	t.Helper()
	return openOwn(t, newStub())
}

// openOwn opens a scene that is not in the page's list.
func openOwn(t *testing.T, own scene.Scene) *Session {
	t.Helper()
	s, err := New(append(slices.Clone(scenes.All), scene.About{ID: "stub", New: func() scene.Scene { return own }}), "stub")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDiverged checks that the state and files report a diverged run with its iteration and quantity.
func TestDiverged(t *testing.T) {
	s := openStub(t)
	do(t, s, "step", `{"n":10}`)
	at(t, s, 3, 3)
	m := stateJSON(t, s)
	if m["status"] != "diverged" || m["results"] != nil {
		t.Errorf("status %v, results %v", m["status"], m["results"])
	}
	run := m["runs"].([]any)[0].(map[string]any)
	if want := map[string]any{"k": 3.0, "quantity": "objective"}; run["status"] != "diverged" || !reflect.DeepEqual(run["diverged"], want) {
		t.Errorf("run %v", run)
	}
	f, err := s.Take("json", files.Taking{Panel: ""})
	if err != nil || !strings.Contains(string(f.Data), `"status":"diverged","diverged":{"k":3,"quantity":"objective"}`) {
		t.Errorf("file %s, error %v", f.Data, err)
	}
}

// slowed is a stub whose iterations last one second each and consist of two moments.
type slowed struct {
	*stub
	slow    bool
	seconds float64
}

func (l *slowed) InSlowMotion() bool { return l.slow }
func (l *slowed) PassTime(seconds float64) bool {
	if l.seconds += seconds; l.seconds < 1 {
		return false
	}
	l.seconds = 0
	return true
}
func (l *slowed) Moment() string { return fmt.Sprint(l.seconds >= 0.5) }

// TestSlowMotion checks that slow motion takes iterations when they are due, however often the display ticks. It must report
// a change whenever the moment changes. If a tick has no time left, the next tick takes the iteration.
func TestSlowMotion(t *testing.T) {
	scene := &slowed{stub: newStub(), slow: true}
	s := openOwn(t, scene)
	if err := s.Play(); err != nil {
		t.Fatal(err)
	}
	changes := 0
	s.OnEvent(func(kind string) {
		if kind == "change" {
			changes++
		}
	})
	tick := func(n int, time bool) {
		t.Helper()
		for range n {
			version := s.Version()
			if err := s.Advance(0.125, func() bool { return time }); err != nil {
				t.Fatal(err)
			}
			if s.Version() == version {
				t.Error("a tick is not drawn")
			}
		}
	}
	tick(7, true)
	at(t, s, 0, 0)
	if changes != 1 {
		t.Errorf("%d changes while one moment gave way to another", changes)
	}
	tick(1, true)
	at(t, s, 1, 1)
	tick(8, false)
	at(t, s, 1, 1)
	tick(1, true)
	at(t, s, 2, 2)
	// A tab in the background catches up on only a quarter of a second.
	if err := s.Advance(100, func() bool { return true }); err != nil {
		t.Fatal(err)
	}
	at(t, s, 2, 2)
	if scene.seconds != 0.25 {
		t.Errorf("%g seconds have passed", scene.seconds)
	}
	scene.slow = false
	for range 60 { // the stub diverges in its fourth step
		if err := s.Advance(0.125, always); err != nil {
			t.Fatal(err)
		}
	}
	at(t, s, 3, 3)
	if s.Playing() {
		t.Error("got playing after the end")
	}
}

// TestFurther checks that the additional numbers that runs record are separate fields in the state and in files. Unknown
// numbers must be null or empty cells.
func TestFurther(t *testing.T) {
	s := openStub(t)
	do(t, s, "step", `{"n":1}`)
	const point, step = `"stationarity":null,"bp":0,"E":0.5,"omega":[1,2]`, `,"nu":null,"pi":null}`
	f, err := s.Take("json", files.Taking{Panel: ""})
	if err != nil || strings.Count(string(f.Data), point+step) != 2 {
		t.Errorf("file %s, error %v", f.Data, err)
	}
	run := stateJSON(t, s)["runs"].([]any)[0].(map[string]any)
	if nu, there := run["nu"]; run["stationarity"] != nil || run["E"] != 0.5 || !reflect.DeepEqual(run["omega"], []any{1.0, 2.0}) ||
		nu != nil || !there {
		t.Errorf("run %v", run)
	}
	f, err = s.Take("csv", files.Taking{Panel: ""})
	if want := "run,method,k,x1,f1,weight1,stationarity,bp,E,omega1,omega2,nu,pi1,pi2\n" +
		"a-1,a,0,1.0,1.0,,,0,0.5,1.0,2.0,,,\na-1,a,1,2.0,1.0,,,0,0.5,1.0,2.0,,,\n"; err != nil || string(f.Data) != want {
		t.Errorf("file\n%s, want\n%s, error %v", f.Data, want, err)
	}
}

// TestOverflow checks that state and files are complete even if the measures of a diverged run's last good state overflow.
func TestOverflow(t *testing.T) {
	s, err := New(scenes.All, "bilevel")
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, "set", `{"name":"eta","value":10}`)
	do(t, s, "step", `{"n":400}`)
	overflown := 0
	for _, r := range stateJSON(t, s)["runs"].([]any) {
		if run := r.(map[string]any); run["status"] == "diverged" && run["kkt"] == nil {
			overflown++
		}
	}
	if overflown == 0 {
		t.Error("no measure overflows: the test checks nothing")
	}
	f, err := s.Take("json", files.Taking{Panel: ""})
	if err != nil {
		t.Fatal(err)
	}
	// encoding/json ignores case, so names in the file must differ by more than case.
	var file struct {
		Runs []struct{ Iterates []struct{ K int } }
	}
	if err := json.Unmarshal(f.Data, &file); err != nil {
		t.Errorf("file %.200s…: %v", f.Data, err)
	}
}

// TestRefusedTogether checks that a value that the scene refuses in combination with others causes an error and changes
// nothing, not even the log.
func TestRefusedTogether(t *testing.T) {
	s := openStub(t)
	do(t, s, "step", `{"n":2}`)
	do(t, s, "set", `{"name":"eta","value":3}`)
	do(t, s, "step", `{"n":1}`)
	want := stateJSON(t, s)
	refused(t, s, "set", `{"name":"size","value":7}`, "not beside eta")
	settle(t, s)
	sameState(t, "after the refusal", stateJSON(t, s), want)
	do(t, s, "load", `{"state":"scene=stub&size=7&latest=2&k=1"}`)
	noticed(t, s, "The defaults are shown")
	at(t, s, 1, 2)
	refused(t, s, "newSeed", `{}`, "no seed")
}

// TestStateJSON checks the fields that other programs rely on.
func TestStateJSON(t *testing.T) {
	s := open(t)
	do(t, s, "step", `{"n":6}`)
	m := stateJSON(t, s)
	for _, field := range []string{"scene", "params", "iteration", "latest", "budget", "status", "playing", "progress", "hash", "selected",
		"hero", "speed", "log", "runs", "results", "card", "lesson", "keys", "pins", "facts", "changed"} {
		if _, ok := m[field]; !ok {
			t.Errorf("the state has no %s", field)
		}
	}
	if m["iteration"] != 6.0 || m["latest"] != 6.0 || m["status"] != "running" || m["progress"] != nil || m["playing"] != false {
		t.Errorf("state %v", m)
	}
	run := m["runs"].([]any)[0].(map[string]any)
	for _, field := range []string{"name", "method", "label", "start", "status", "x", "f", "weights", "stationarity", "bp"} {
		if _, ok := run[field]; !ok {
			t.Errorf("a run has no %s", field)
		}
	}
	if run["weights"] != nil || run["bp"] != 8.0 || len(run["x"].([]any)) != 2 || len(run["f"].([]any)) != 2 {
		t.Errorf("run %v", run)
	}
	if _, ok := run["diverged"]; ok {
		t.Error("a run in progress is reported as diverged")
	}
	do(t, s, "seek", `{"k":5}`)
	if st := state(t, s); len(vector(st.Runs[0].Weights)) != 2 || math.Abs(floats.Sum(vector(st.Runs[0].Weights))-1) > 1e-12 ||
		st.Runs[0].BP != 7 {
		t.Errorf("at iteration 5: %+v", st.Runs[0])
	}
	names := open(t).scene.Params().Names()
	if params := m["params"].(map[string]any); len(params) != len(names) {
		t.Errorf("%d params of %d", len(params), len(names))
	}
	for _, name := range []string{"method", "R", "eta", "etaschedule", "momentum", "momentumschedule", "d", "sigma", "starts", "region",
		"seed", "budget", "stop", "speed", "crmogm.momentum"} {
		if !slices.Contains(names, name) {
			t.Errorf("unknown parameter %s", name)
		}
	}
}

// TestNames checks that no parameter has a name that links use for something else, and that every panel, preset and parameter has the
// words that the page shows.
func TestNames(t *testing.T) {
	list, err := Catalog(scenes.All)
	if err != nil {
		t.Fatal(err)
	}
	for _, scene := range list {
		if scene.ID == "" || scene.Title == "" || scene.Summary == "" || scene.Try == "" || len(scene.Methods) == 0 || len(scene.Symbols) == 0 {
			t.Errorf("%s lacks words", scene.ID)
		}
		for _, d := range scene.Params {
			if slices.Contains(link.Reserved, link.ParamName(d.Name)) ||
				strings.ContainsAny(d.Name, "=&:,#% ") {
				t.Errorf("%s: the name of the parameter %q means something else in links", scene.ID, d.Name)
			}
			if d.Label == "" || d.Help == "" {
				t.Errorf("%s: %s lacks words", scene.ID, d.Name)
			}
		}
		for _, p := range scene.Presets {
			if p.ID == "" || p.Title == "" || p.Text == "" {
				t.Errorf("%s: preset %q lacks words", scene.ID, p.ID)
			}
		}
	}
	data, err := CatalogJSON(scenes.All)
	if err != nil {
		t.Fatal(err)
	}
	var raw []map[string]any
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"id", "title", "methods", "params", "presets"} {
		if _, ok := raw[0][field]; !ok {
			t.Errorf("the list of scenes has no %s", field)
		}
	}
}

// TestVerbs checks the answers of verbs that change nothing.
func TestVerbs(t *testing.T) {
	s := open(t)
	do(t, s, "step", `{"n":3}`)
	data, err := json.Marshal(do(t, s, "params", ""))
	if err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(s.scene.Params().Names()) || got[0]["value"] == nil || got[0]["name"] != "method" {
		t.Errorf("params: %v", got[0])
	}
	for _, p := range do(t, s, "describe", "").([]PanelText) {
		if p.ID == "" || p.Title == "" || len(p.Text) < 40 {
			t.Errorf("describe: %+v", p)
		}
	}
	rows := do(t, s, "rows", `{"max":5}`).(timeline.Readout)
	if len(rows.Rows) != 10 || len(rows.Rows[0].Cells) != len(rows.Columns) {
		t.Errorf("rows: %d of %d cells for %d columns", len(rows.Rows), len(rows.Rows[0].Cells), len(rows.Columns))
	}
	if got := do(t, s, "status", "").(StatusJSON); got != (StatusJSON{Status: "running", Iteration: 3, Latest: 3, Budget: 200}) {
		t.Errorf("status: %+v", got)
	}
	do(t, s, "theme", `{"name":"dark","reducedMotion":true}`)
	if s.screen.theme != brush.Dark {
		t.Error("the theme is not dark")
	}
	for _, verb := range sortedKeys(verbs) {
		if verb == "paste" || verb == "supply" || verb == "measure" { // for other scenes
			continue
		}
		s := open(t)
		if verb == "swapPin" || verb == "unpin" {
			do(t, s, "pin", "")
		}
		if verb == "record" {
			do(t, s, "step", `{"n":2}`)
		}
		if _, err := json.Marshal(do(t, s, verb, map[string]string{
			"set": `{"name":"R","value":2}`, "seek": `{"k":0}`, "reach": `{"k":0}`,
			"open": `{"id":"fonseca"}`, "load": `{"state":""}`, "card": `{"id":"settle"}`,
			"select": `{"run":"psmgd-1"}`, "hero": `{"panel":"weights"}`, "theme": `{"name":"dark"}`, "nudge": `{"id":"start-1","dx":1}`,
			"swapPin": `{"letter":"A"}`, "unpin": `{"letter":"A"}`,
			"try": `{"name":"R"}`, "tryAll": `{"name":"R"}`, "compare": `{"methods":["mgda"],"seeds":2}`,
			"lesson": `{"name":"a","step":1,"definition":{"state":"scene=toy"},"arrive":true}`,
		}[verb])); err != nil {
			t.Errorf("%s: the result is not JSON: %v", verb, err)
		}
	}
}

// TestEvents checks that "change" events follow changes to a link or a picture, and that "status" events follow changes of playing
// and jobs. A move of the marker alone must cause a new frame but no "change" event.
func TestEvents(t *testing.T) {
	s := open(t)
	heard := map[string]int{}
	s.OnEvent(func(kind string) { heard[kind]++ })
	expect := func(what string, kinds ...string) {
		t.Helper()
		for _, k := range kinds {
			if heard[k] == 0 {
				t.Errorf("%s: no %s event", what, k)
			}
		}
		clear(heard)
	}
	version := s.Version()
	do(t, s, "set", `{"name":"R","value":2}`)
	expect("set", "change")
	do(t, s, "play", `{}`)
	expect("play", "status")
	do(t, s, "pause", `{}`)
	expect("pause", "status", "change")
	do(t, s, "step", `{"n":3}`)
	expect("step", "status", "change")
	do(t, s, "select", `{"run":"psmgd-2"}`)
	expect("select", "change")
	if s.Version() == version {
		t.Error("no new frame is asked for")
	}
	if kinds := slices.Collect(maps.Keys(heard)); len(kinds) > 0 {
		t.Errorf("events %v without a reason", kinds)
	}
}

// TestFacts checks that every scene's facts have unique names and labels, and that the state has their values at the marker.
func TestFacts(t *testing.T) {
	for _, a := range scenes.All {
		s, err := New(scenes.All, a.ID)
		if err != nil {
			t.Fatal(err)
		}
		st := state(t, s)
		facts := s.Facts()
		seen := map[string]bool{}
		for _, f := range facts {
			if seen[f.Name] || f.Name == "" || f.Label == "" || strings.ContainsAny(f.Name, " ()") {
				t.Errorf("%s: fact %+v", a.ID, f)
			}
			seen[f.Name] = true
			if got, want := float64(st.Facts[f.Name]), f.Value(); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s: %s is %v in the state, %v in itself", a.ID, f.Name, got, want)
			}
		}
		if len(st.Facts) != len(facts) {
			t.Errorf("%s: %d facts in the state of %d", a.ID, len(st.Facts), len(facts))
		}
	}
	s := open(t)
	do(t, s, "step", `{"n":10}`)
	do(t, s, "seek", `{"k":4}`)
	do(t, s, "set", `{"name":"budget","value":10}`)
	if f := state(t, s).Facts; f["iteration"] != 4 || f["latest"] != 10 || f["ended"] != 1 || f["fresh"] != 1 {
		t.Errorf("facts %v", f)
	}
	do(t, s, "set", `{"name":"budget","value":30}`)
	do(t, s, "set", `{"name":"R","value":8}`)
	if f := state(t, s).Facts; f["ended"] != 0 || f["fresh"] != 0 {
		t.Errorf("facts %v", f)
	}
}

// TestAbout checks that each scene's description is complete, and that its hero and key parameters exist.
func TestAbout(t *testing.T) {
	for _, a := range scenes.All {
		s, err := New(scenes.All, a.ID)
		if err != nil {
			t.Fatal(err)
		}
		if a.Title == "" || !strings.HasSuffix(a.Question, "?") || a.Summary == "" || a.Try == "" || len(a.Methods) == 0 || len(a.Symbols) == 0 {
			t.Errorf("%s: the description lacks something", a.ID)
		}
		if !slices.ContainsFunc(s.scene.Panels(), func(p axes.Panel) bool { return p.ID() == a.Hero }) {
			t.Errorf("%s: the hero %q is not a panel", a.ID, a.Hero)
		}
		if len(a.Keys) < 2 || len(a.Keys) > 5 {
			t.Errorf("%s: %d key controls", a.ID, len(a.Keys))
		}
		for _, name := range a.Keys {
			if _, known := s.scene.Params().Lookup(name); !known {
				t.Errorf("%s: the key control %q is not a parameter", a.ID, name)
			}
		}
	}
}

// TestCoveredRunsHaveNoReadout checks that the table of runs is empty while a map or table is shown instead of the runs.
func TestCoveredRunsHaveNoReadout(t *testing.T) {
	for _, id := range []string{"fonseca", "fronts"} {
		s, err := New(scenes.All, id)
		if err != nil {
			t.Fatal(err)
		}
		rows := func() int { return len(s.Readout().Rows) }
		if rows() == 0 {
			t.Errorf("%s: no run has numbers", id)
		}
		view := map[string]string{"fonseca": "staleness", "fronts": "table"}[id]
		if _, err := s.Call("set", []byte(`{"name": "view", "value": "`+view+`"}`)); err != nil {
			t.Fatal(err)
		}
		if n := rows(); n != 0 {
			t.Errorf("%s: %d rows for runs that are not shown", id, n)
		}
	}
}

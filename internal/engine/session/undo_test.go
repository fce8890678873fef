package session

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/param"
	"paretoplay/internal/engine/pointer"
	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
)

// playOut plays until the runs come to rest.
func playOut(t testing.TB, s *Session) {
	t.Helper()
	settle(t, s)
	for range 1 << 20 {
		if !s.Playing() {
			return
		}
		if err := s.Advance(0.25, always); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the runs never rest")
}

// TestUndo checks, for each kind of change, that undo restores the state before the change to the last bit.
func TestUndo(t *testing.T) {
	for _, change := range []struct{ verb, args string }{
		{"set", `{"name":"R","value":9}`}, {"set", `{"name":"method","value":"ls"}`}, {"set", `{"name":"view","value":"staleness"}`},
		{"nudge", `{"id":"start-1","dx":1}`}, {"card", `{"id":"settle"}`}, {"defaults", ""}, {"reset", ""}, {"newSeed", ""},
		{"open", `{"id":"lab"}`}, {"load", `{"state":"scene=toy&latest=3"}`},
	} {
		for _, playing := range []bool{false, true} {
			s := open(t)
			do(t, s, "set", `{"name":"eta","value":0.2}`)
			do(t, s, "step", `{"n":12}`)
			do(t, s, "set", `{"name":"eta","value":0.1}`)
			do(t, s, "step", `{"n":8}`)
			do(t, s, "select", `{"run":"psmgd-2"}`)
			if playing {
				do(t, s, "play", "")
			} else {
				do(t, s, "seek", `{"k":15}`)
			}
			id := change.args
			if change.verb == "nudge" {
				id = fmt.Sprintf(`{"id":%q,"dx":1,"dy":1}`, startHandle(t, s))
			}
			want, entries := stateJSON(t, s), len(s.history.moments)
			do(t, s, change.verb, id)
			if got := len(s.history.moments); got != entries+1 {
				t.Errorf("%s %s leaves %d entries", change.verb, change.args, got-entries)
			}
			s.TakeNotices()
			do(t, s, "undo", "")
			noticed(t, s, "")
			got := stateJSON(t, s)
			delete(got, "results") // the results of a map computed beside the runs stay
			delete(want, "results")
			sameState(t, fmt.Sprintf("%s %s, playing %v", change.verb, change.args, playing), got, want)
		}
	}
}

// startHandle returns a handle that moves a start point.
func startHandle(t testing.TB, s *Session) string {
	t.Helper()
	do(t, s, "hero", `{"panel":"decision"}`) // the panel with the starts
	for _, h := range s.Handles() {
		if strings.Contains(h.ID, "start") {
			return h.ID
		}
	}
	t.Fatal("no start can be moved")
	return ""
}

// TestUndoNothing checks that a verb that fails or changes nothing adds no undo entry.
func TestUndoNothing(t *testing.T) {
	s := open(t)
	if state(t, s).Undo {
		t.Error("undo is available at the start")
	}
	do(t, s, "undo", "")
	noticed(t, s, "nothing to undo")
	do(t, s, "load", `{"state":"scene=fonseca&R=7"}`)
	do(t, s, "set", `{"name":"R","value":7}`)
	do(t, s, "reset", "")
	do(t, s, "play", "")
	do(t, s, "pause", "")
	do(t, s, "step", `{"n":3}`)
	do(t, s, "seek", `{"k":1}`)
	refused(t, s, "set", `{"name":"R","value":"x"}`, "R = ")
	refused(t, s, "set", `{"name":"zzz","value":1}`, "unknown parameter")
	refused(t, s, "card", `{"id":"zzz"}`, "unknown experiment")
	refused(t, s, "open", `{"id":"zzz"}`, "unknown scene")
	if state(t, s).Undo {
		t.Errorf("%d changes can be taken back", len(s.history.moments))
	}
	for i := range maxUndos + 5 {
		do(t, s, "set", fmt.Sprintf(`{"name":"R","value":%d}`, 8+i%2))
	}
	if len(s.history.moments) != maxUndos {
		t.Errorf("%d changes can be taken back, not %d", len(s.history.moments), maxUndos)
	}
}

// TestUndoAnywhere checks in every scene that all changes can be undone one after another.
func TestUndoAnywhere(t *testing.T) {
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(5, uint64(len(about.ID))))
			s, err := New(scenes.All, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			var states []map[string]any
			for range 12 {
				before, entries := stateJSON(t, s), len(s.history.moments)
				ds := s.scene.Params().Descriptors()
				d := ds[r.IntN(len(ds))]
				switch r.IntN(5) {
				case 0:
					p := about.Presets[r.IntN(len(about.Presets))]
					do(t, s, "card", fmt.Sprintf(`{"id":%q}`, p.ID))
					do(t, s, "pause", "")
				case 1:
					do(t, s, "defaults", "")
					do(t, s, "pause", "")
				default:
					if slices.Contains([]param.Kind{param.Simplex, param.Matrix, param.Camera, param.Points}, d.Kind) || d.Name == "budget" {
						continue
					}
					if err := s.setParam(d.Name, randomValue(r, d), true); err != nil {
						settle(t, s) // runs are replayed
						continue     // impossible beside the other values
					}
					s.pause()
				}
				settle(t, s)
				if len(s.history.moments) > entries {
					states = append(states, before)
				}
				if s.timeline().Budget() > 0 && r.IntN(2) == 0 {
					// A step adds no undo entry, but undo of a later change must restore the iteration that the step
					// reached.
					do(t, s, "step", `{"n":2}`)
				}
			}
			s.TakeNotices()
			for _, want := range slices.Backward(states) {
				do(t, s, "undo", "")
				noticed(t, s, "")
				got := stateJSON(t, s)
				for _, m := range []map[string]any{got, want} {
					delete(m, "results") // some count what is computed beside the runs
				}
				sameState(t, "taken back", got, want)
				if t.Failed() {
					return
				}
			}
			if st := state(t, s); st.Undo || st.Changed || st.Card != "" {
				t.Errorf("at last: %s, more to take back: %v", st.Hash, st.Undo)
			}
		})
	}
}

// TestUndoDrag checks that a whole drag counts as one change.
func TestUndoDrag(t *testing.T) {
	s := open(t)
	id := startHandle(t, s)
	want := stateJSON(t, s)
	for _, h := range s.Handles() {
		if h.ID != id {
			continue
		}
		pointer := func(kind string, x, y float64) {
			if _, err := s.Pointer(pointer.Event{Kind: kind, X: x, Y: y}, nil); err != nil {
				t.Fatal(err)
			}
			settle(t, s)
		}
		pointer("down", h.X, h.Y)
		for i := range 8 {
			pointer("move", h.X+float64(5*i), h.Y-float64(3*i))
		}
		pointer("up", h.X+40, h.Y-24)
	}
	if len(s.history.moments) != 1 || state(t, s).Changed == false {
		t.Fatalf("the drag left %d changes", len(s.history.moments))
	}
	do(t, s, "undo", "")
	sameState(t, "the drag", stateJSON(t, s), want)
}

// TestUndoPaste checks that undo restores data that other data have replaced, and that both stay available.
func TestUndoPaste(t *testing.T) {
	s, err := New(scenes.All, "lab")
	if err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{stateJSON(t, s)}
	for _, text := range []string{"1,2\n3,-4\n", "1,0,1\n0,1,0\n1,1,1\n"} {
		do(t, s, "paste", fmt.Sprintf(`{"part":%q,"first":true,"last":true}`, text))
		want = append(want, stateJSON(t, s))
	}
	do(t, s, "card", fmt.Sprintf(`{"id":%q}`, s.about.Presets[0].ID))
	for _, w := range slices.Backward(want) {
		do(t, s, "undo", "")
		noticed(t, s, "")
		sameState(t, "taken back", stateJSON(t, s), w)
	}
}

// TestHold checks that dragging a slider after the runs have ended restarts them with the slider's last value, and that the
// drag counts as one change.
func TestHold(t *testing.T) {
	s := open(t)
	do(t, s, "play", "")
	playOut(t, s)
	ended := stateJSON(t, s)
	for R := 4; R <= 32; R += 4 {
		do(t, s, "set", fmt.Sprintf(`{"name":"R","value":%d,"again":true,"hold":true}`, R))
		if err := s.Advance(0.1, always); err != nil {
			t.Fatal(err)
		}
		if R > 4 {
			at(t, s, 0, 0)
		}
	}
	if log(s) != "" || s.Playing() {
		t.Errorf("while it is held: log %q, playing %v", log(s), s.Playing())
	}
	do(t, s, "release", "")
	if !s.Playing() {
		t.Error("after the release: got no playing")
	}
	playOut(t, s)
	st := state(t, s)
	if st.Facts["fresh"] != 1 || st.Params["R"] != 32 || st.Facts["collapsed.psmgd"] != 10 || len(s.history.moments) != 1 {
		t.Errorf("fresh %v, R %v, collapsed %v, %d changes",
			st.Facts["fresh"], st.Params["R"], st.Facts["collapsed.psmgd"], len(s.history.moments))
	}
	typed := open(t)
	do(t, typed, "play", "")
	playOut(t, typed)
	do(t, typed, "set", `{"name":"R","value":32,"again":true}`)
	playOut(t, typed)
	sameState(t, "as when it is typed", stateJSON(t, s), stateJSON(t, typed))
	do(t, s, "undo", "")
	sameState(t, "taken back", stateJSON(t, s), ended)
}

// TestHoldWhilePlaying checks that playing runs take a held control's values as live changes. Runs that a value restarts
// must wait until the control is released, or until another parameter is set.
func TestHoldWhilePlaying(t *testing.T) {
	s := open(t)
	do(t, s, "step", `{"n":5}`)
	do(t, s, "play", "")
	do(t, s, "set", `{"name":"R","value":5,"again":true,"hold":true}`)
	if err := s.Advance(0.1, always); err != nil || !s.Playing() || s.timeline().Latest() <= 5 {
		t.Errorf("a live value stops the runs at %d: playing %v, %v", s.timeline().Latest(), s.Playing(), err)
	}
	do(t, s, "set", `{"name":"R","value":6,"again":true,"hold":true}`)
	if len(s.timeline().Log()) != 2 || len(s.history.moments) != 1 {
		t.Errorf("log %s, %d changes", log(s), len(s.history.moments))
	}
	held := func(value float64) {
		do(t, s, "set", fmt.Sprintf(`{"name":"region","value":%g,"again":true,"hold":true}`, value))
		if s.Playing() || s.timeline().Latest() != 0 {
			t.Errorf("held, the runs are at %d, playing %v", s.timeline().Latest(), s.Playing())
		}
	}
	held(1)
	held(1.5)
	do(t, s, "release", "")
	if !s.Playing() || len(s.history.moments) != 2 {
		t.Errorf("released: playing %v, %d changes", s.Playing(), len(s.history.moments))
	}
	held(1.2)
	do(t, s, "set", `{"name":"eta","value":0.05,"again":true}`)
	if !s.Playing() {
		t.Error("after another value: got no playing")
	}
	held(1)
	do(t, s, "pause", "")
	do(t, s, "release", "")
	if s.Playing() {
		t.Error("the release plays runs that were paused meanwhile")
	}
	held(1.1)
	do(t, s, "release", "")
	if s.Playing() {
		t.Error("the release plays runs that were paused before")
	}
	do(t, s, "play", "")
	playOut(t, s)
	held(1.3)
	held(1.4)
	do(t, s, "release", "")
	if !s.Playing() || s.timeline().Latest() != 0 {
		t.Errorf("released, runs that had ended are at %d, playing %v", s.timeline().Latest(), s.Playing())
	}
}

// TestHoldAnywhere checks for every live parameter that a drag after the runs have ended gives the same runs, to the last bit,
// as typing the drag's last value.
func TestHoldAnywhere(t *testing.T) {
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			t.Parallel()
			first, err := New(scenes.All, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range first.scene.Params().Descriptors() {
				if d.Effect != param.Live || d.Kind != param.Number && d.Kind != param.Integer {
					continue
				}
				ended := func() *Session {
					s, err := New(scenes.All, about.ID)
					if err != nil {
						t.Fatal(err)
					}
					// Short runs are enough.
					for name, text := range map[string]string{"budget": "8", scene.SpeedParam: "max"} {
						if _, err := s.scene.Params().Clamp(name, text); err != nil {
							t.Fatal(err)
						}
					}
					if d.Only != nil {
						if err := s.scene.Params().Assign(d.Only.Name, d.Only.Values[0]); err != nil {
							t.Fatal(err)
						}
					}
					if err := s.restart(nil); err != nil {
						t.Fatal(err)
					}
					do(t, s, "play", "")
					playOut(t, s)
					return s
				}
				dragged, typed := ended(), ended()
				from, to := d.Min, d.Max
				text := func(share float64) string {
					v := from + share*(to-from)
					if d.Kind == param.Integer {
						v = float64(int(v))
					}
					return fmt.Sprintf("%g", v)
				}
				refusedValue := false
				for i := range 5 {
					args := fmt.Sprintf(`{"name":%q,"value":%s,"again":true,"hold":true}`, d.Name, text(0.15*float64(i+1)))
					if _, err := dragged.Call("set", []byte(args)); err != nil {
						refusedValue = true
					}
					settle(t, dragged)
				}
				do(t, dragged, "release", "")
				playOut(t, dragged)
				args := fmt.Sprintf(`{"name":%q,"value":%s,"again":true}`, d.Name, text(0.75))
				if _, err := typed.Call("set", []byte(args)); err != nil {
					refusedValue = true
				}
				playOut(t, typed)
				if refusedValue {
					t.Errorf("%s: a value is refused", d.Name)
				}
				got, want := stateJSON(t, dragged), stateJSON(t, typed)
				sameState(t, d.Name, got, want)
				if len(dragged.history.moments) != 1 {
					t.Errorf("%s: the drag is %d changes", d.Name, len(dragged.history.moments))
				}
			}
		})
	}
}

package session

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/pins"
	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
)

// letters returns the letters of all pins in one string.
func letters(s *Session) string {
	out := ""
	for _, p := range s.pins.List() {
		out += p.Letter
	}
	return out
}

// keptOf returns the session of pin i.
func keptOf(s *Session, i int) *Session { return slices.Collect(s.pins.All)[i].(beside).Session }

// pinNow pins the current state and checks its letter.
func pinNow(t *testing.T, s *Session, want string) {
	t.Helper()
	letter, err := s.Pin()
	if err != nil || letter != want {
		t.Fatalf("pin %q, %v; want %s", letter, err, want)
	}
	settle(t, s)
}

// TestPins checks that a pin keeps the numbers of its runs after the current runs change, and that letters are
// reused.
func TestPins(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"region","value":1}`)
	do(t, s, "step", `{"n":120}`)
	do(t, s, "set", `{"name":"R","value":8}`) // a live change
	do(t, s, "step", `{"n":30}`)
	do(t, s, "seek", `{"k":140}`)
	var before []float64
	for _, f := range s.Facts() {
		before = append(before, f.Value())
	}
	pinNow(t, s, "A")
	do(t, s, "reset", `{}`)
	do(t, s, "set", `{"name":"R","value":32}`)
	do(t, s, "newSeed", `{}`)
	do(t, s, "step", `{"n":50}`)
	for i, f := range keptOf(s, 0).Facts() {
		if v := f.Value(); v != before[i] && !(math.IsNaN(v) && math.IsNaN(before[i])) {
			t.Errorf("%s was %v and is %v of the pin", f.Name, before[i], v)
		}
	}
	table := s.pins.Table(here{s})
	for _, row := range table.Params {
		switch row.Name {
		case "R":
			if !slices.Equal(row.Values, []string{"8", "32"}) {
				t.Errorf("R is %v", row.Values)
			}
		case "seed":
		default:
			t.Errorf("%s does not differ, and is in the table: %v", row.Name, row.Values)
		}
	}
	if len(table.Params) != 2 || len(table.Pins) != 1 || table.Pins[0].Busy || !strings.Contains(table.Pins[0].Title, "R = 8") {
		t.Errorf("the table is %+v", table)
	}
	if len(table.Facts) == 0 {
		t.Error("the table has no facts")
	}
	now := s.Facts()
	for _, f := range table.Facts {
		if slices.Contains(scene.RunFacts, f.Name) {
			t.Errorf("%s is not a result of the scene", f.Name)
		}
		i := slices.IndexFunc(now, func(now scene.Fact) bool { return now.Name == f.Name })
		for column, want := range []float64{before[i], now[i].Value()} {
			if v := float64(f.Values[column]); v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
				t.Errorf("%s is %v in column %d, want %v", f.Name, v, column, want)
			}
		}
	}
	for _, want := range []string{"B", "C", "D"} {
		pinNow(t, s, want)
	}
	if _, err := s.Pin(); err == nil || !strings.Contains(err.Error(), "unpin") {
		t.Errorf("a fifth pin: got error %v", err)
	}
	do(t, s, "unpin", `{"letter":"B"}`)
	if letters(s) != "ACD" {
		t.Errorf("pins %s", letters(s))
	}
	pinNow(t, s, "B")
	for _, bad := range []string{`{"letter":"E"}`, `{}`} {
		for _, verb := range []string{"unpin", "swapPin"} {
			if _, err := s.Call(verb, []byte(bad)); err == nil {
				t.Errorf("%s %s: got no error", verb, bad)
			}
		}
	}
	noticed(t, s, "")
	do(t, s, "open", `{"id":"toy"}`)
	if letters(s) != "" {
		t.Error("pins are kept after their scene")
	}
	if s.pins.Table(here{s}).Facts == nil {
		t.Error("the empty table has null instead of a list")
	}
}

// TestPinsInLinks checks that a link restores the pins, and leaves out those that it cannot restore, with notices.
func TestPinsInLinks(t *testing.T) {
	s := open(t)
	do(t, s, "step", `{"n":40}`)
	pinNow(t, s, "A")
	do(t, s, "set", `{"name":"R","value":8}`)
	do(t, s, "step", `{"n":20}`)
	pinNow(t, s, "B")
	state, err := s.State()
	if err != nil {
		t.Fatal(err)
	}
	if len(state.Pins) != 2 || !strings.Contains(state.Hash, "pinB=") {
		t.Errorf("state %+v, %s", state.Pins, state.Hash)
	}
	for _, form := range []any{state.Hash, state} {
		data, err := json.Marshal(form)
		if err != nil {
			t.Fatal(err)
		}
		other := open(t)
		if _, err := other.Call("load", []byte(`{"state":`+string(data)+`}`)); err != nil {
			t.Fatal(err)
		}
		if pending, err := other.Work(func() bool { return false }); !pending || err != nil {
			t.Errorf("there is no work: %v", err)
		}
		settle(t, other)
		noticed(t, other, "")
		if a, b := s.pins.Table(here{s}), other.pins.Table(here{other}); !reflect.DeepEqual(texted(t, a), texted(t, b)) {
			t.Errorf("the table is %+v, was %+v", b, a)
		}
		if now := other.Settings(); now.Hash() != state.Hash {
			t.Errorf("the link is %s", now.Hash())
		}
	}
	other := open(t)
	in := s.Settings()
	in.Pins[0].Hash = "v=1&scene=toy"
	if err := other.Load(in); err != nil {
		t.Fatal(err)
	}
	settle(t, other)
	if letters(other) != "B" {
		t.Errorf("pins %q", letters(other))
	}
	noticed(t, other, "The pin A is left out")
}

func texted(t *testing.T, table pins.Table) string {
	t.Helper()
	data, err := json.Marshal(table)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestSwapPin checks that the pinned and the current state can be swapped, and swapped back.
func TestSwapPin(t *testing.T) {
	s := open(t)
	do(t, s, "step", `{"n":40}`)
	pinNow(t, s, "A")
	do(t, s, "set", `{"name":"R","value":16}`)
	do(t, s, "step", `{"n":20}`)
	do(t, s, "hero", `{"panel":"weights"}`)
	before := s.Settings()
	do(t, s, "swapPin", `{"letter":"A"}`)
	settle(t, s)
	at(t, s, 40, 40)
	if now := s.Settings(); letters(s) != "A" || s.scene.Params().IsDefault("R") != true || now.Hero != "weights" {
		t.Errorf("swapped: %s", now.Hash())
	}
	do(t, s, "swapPin", `{"letter":"A"}`)
	settle(t, s)
	if now := s.Settings(); now.Hash() != before.Hash() {
		// The pin has stored the panel in front.
		now.Pins, before.Pins = nil, nil
		if now.Hash() != before.Hash() {
			t.Errorf("swapped twice: %s, was %s", now.Hash(), before.Hash())
		}
	}
	noticed(t, s, "")
}

// TestPinsAreDrawn checks in every scene with runs that a pin changes a picture, and that the pictures are as before once the
// pin is removed.
func TestPinsAreDrawn(t *testing.T) {
	for _, a := range scenes.All {
		s, err := New(scenes.All, a.ID)
		if err != nil {
			t.Fatal(err)
		}
		if !s.timeline().Running() {
			continue
		}
		do(t, s, "layout", `{"width":1152,"height":520}`)
		do(t, s, "step", `{"n":5}`)
		settle(t, s)
		placed, theme, _, _ := s.View()
		plain := layerCounts(placed, theme)
		pinNow(t, s, "A")
		placed, _, _, _ = s.View()
		ghosted := layerCounts(placed, theme)
		if slices.Equal(ghosted, plain) {
			t.Errorf("%s: nothing shows the pin: %v", a.ID, plain)
		}
		if err := s.drawable(); err != nil {
			t.Errorf("%s: %v", a.ID, err)
		}
		do(t, s, "unpin", `{"letter":"A"}`)
		placed, _, _, _ = s.View()
		if now := layerCounts(placed, theme); !slices.Equal(now, plain) {
			t.Errorf("%s: %v layers, were %v", a.ID, now, plain)
		}
		noticed(t, s, "")
	}
}

// TestPinNames checks that a pin's name contains the parameters that differ from the current state, with the pin's values.
// The last pin's name must also contain the current values.
func TestPinNames(t *testing.T) {
	s, err := New(scenes.All, "fonseca")
	if err != nil {
		t.Fatal(err)
	}
	names := func(want ...string) {
		t.Helper()
		if got := s.pins.Names(here{s}); !slices.Equal(got, want) {
			t.Errorf("the pins are called %q, not %q", got, want)
		}
	}
	names()
	pinNow(t, s, "A")
	names("A: same settings")
	do(t, s, "set", `{"name":"R","value":32}`)
	names("A: R = 4, now R = 32")
	pinNow(t, s, "B")
	do(t, s, "set", `{"name":"eta","value":0.1}`)
	names("A: R = 4, η = 0.3", "B: R = 32, η = 0.3, now R = 32, η = 0.1")
	do(t, s, "set", `{"name":"sigma","value":0.2}`)
	names("A: R = 4, η = 0.3, …", "B: R = 32, η = 0.3, …, now R = 32, η = 0.1, …")
}

// layerCounts returns the number of layers of each panel.
func layerCounts(placed []axes.Placed, theme *brush.Theme) (out []int) {
	for _, p := range placed {
		out = append(out, len(p.Panel.Layers(p.Frame(theme, false))))
	}
	return out
}

// TestPinsOfData checks that a pin of a visitor's data is restored if the data are available, and otherwise left out with a notice.
func TestPinsOfData(t *testing.T) {
	open := func() *Session {
		s, err := New(scenes.All, "clusters")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	if d := pasteText(t, s, "0,0\n1,0\n0,1\n1,1\n0.5,0.5\n"); !d.Held {
		t.Fatal("the data are not shown")
	}
	do(t, s, "step", `{"n":6}`)
	pinNow(t, s, "A")
	do(t, s, "defaults", `{}`)
	do(t, s, "step", `{"n":3}`)
	pinNow(t, s, "B")
	if letters(s) != "AB" || keptOf(s, 0).dataState() == nil || keptOf(s, 1).dataState() != nil {
		t.Errorf("pins %s", letters(s))
	}
	noticed(t, s, "")
	other := open()
	if err := other.Load(s.Settings()); err != nil {
		t.Fatal(err)
	}
	settle(t, other)
	if letters(other) != "B" {
		t.Errorf("without the file there are the pins %q", letters(other))
	}
	noticed(t, other, "The pin A is left out: it needs a file that is not available here")
}

// TestPinsAreBounded checks that a pin of long runs keeps fewer rows than the runs, and that its facts are the same.
func TestPinsAreBounded(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"budget","value":100000}`)
	do(t, s, "step", `{"n":30000}`)
	pinNow(t, s, "A")
	runs := func(s *Session) int { return s.timeline().Runs()[0].Len() }
	if now, kept := runs(s), runs(keptOf(s, 0)); kept >= now {
		t.Errorf("the pin keeps %d rows, the runs %d", kept, now)
	}
	for i, f := range keptOf(s, 0).Facts() {
		if v, now := f.Value(), s.Facts()[i].Value(); v != now && (v == v || now == now) {
			t.Errorf("%s is %v of the pin, %v of the runs", f.Name, v, now)
		}
	}
}

package session

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/pointer"
	"paretoplay/scenes"
)

func openLab(t testing.TB) *Session {
	t.Helper()
	s, err := New(scenes.All, "lab")
	if err != nil {
		t.Fatal(err)
	}
	s.Layout(1120, 720, false, false)
	return s
}

// background completes the computation in the scene's Work.
func background(t testing.TB, s *Session) {
	t.Helper()
	if pending, err := s.Background(always); pending || err != nil {
		t.Fatalf("pending %v, error %v", pending, err)
	}
}

func pasteText(t testing.TB, s *Session, text string) *DataState {
	t.Helper()
	half := len(text) / 2
	for i, part := range []string{text[:half], text[half:]} {
		args, err := json.Marshal(map[string]any{"part": part, "first": i == 0, "last": i == 1})
		if err != nil {
			t.Fatal(err)
		}
		if result := do(t, s, "paste", string(args)); i == 1 {
			return result.(*DataState)
		}
	}
	return nil
}

// TestWithoutRuns checks that playback verbs are harmless in a scene without runs.
func TestWithoutRuns(t *testing.T) {
	s := openLab(t)
	for verb, args := range map[string]string{"play": "", "pause": "", "step": `{"n":3}`, "reset": "", "newSeed": "", "status": "",
		"rows": "", "describe": ""} {
		do(t, s, verb, args)
		at(t, s, 0, 0)
		if s.Playing() {
			t.Errorf("%s plays", verb)
		}
	}
	refused(t, s, "select", `{"run":"mgda"}`, "unknown run")
	st := state(t, s)
	if len(st.Runs) != 0 || st.Results == nil || st.Data != nil || st.Params["seed"] != uint64(2) {
		t.Errorf("state %+v", st)
	}
	for _, p := range s.about.Presets {
		do(t, s, "card", fmt.Sprintf(`{"id":%q}`, p.ID))
		for name, text := range p.Values {
			if got := s.scene.Params().Text(name); got != text {
				t.Errorf("preset %s: %s = %s, want %s", p.ID, name, got, text)
			}
		}
	}
	for _, kind := range []string{"png", "svg", "pdf", "csv", "json"} {
		f, err := s.Take(kind, files.Taking{Panel: ""})
		if err != nil || f.Name != "lab."+kind || len(f.Data) < 100 {
			t.Errorf("%s: %s of %d bytes, error %v", kind, f.Name, len(f.Data), err)
		}
	}
	if _, err := NewConfigured(scenes.All, "lab", Setup{Starts: []string{"1,2"}}); err == nil {
		t.Error("start points are accepted")
	}
}

// TestLabLink checks that a link restores every parameter, dragged tips and the camera.
func TestLabLink(t *testing.T) {
	s := openLab(t)
	do(t, s, "nudge", `{"id":"g-2","dx":10,"dy":-10}`)
	do(t, s, "set", `{"name":"view","value":"space"}`)
	do(t, s, "set", `{"name":"gradients3","value":[[1,2,3],[-1,0,0.5],[0,0,1],[1,1,1]]}`)
	do(t, s, "set", `{"name":"cagrad.c","value":0.9}`)
	do(t, s, "set", `{"name":"camera","value":[-40,10,2]}`)
	do(t, s, "hero", `{"panel":"change"}`)
	want := stateJSON(t, s)
	other := open(t)
	args, err := json.Marshal(map[string]any{"state": "#" + want["hash"].(string)})
	if err != nil {
		t.Fatal(err)
	}
	do(t, other, "load", string(args))
	noticed(t, other, "")
	sameState(t, "after the link", stateJSON(t, other), want)
	data, err := json.Marshal(map[string]any{"state": want})
	if err != nil {
		t.Fatal(err)
	}
	third := open(t)
	do(t, third, "load", string(data))
	sameState(t, "after the state", stateJSON(t, third), want)
}

// TestPasteVerb checks that a file pasted in parts is shown, and that the link contains its hash. A session without
// the file must ask for the file and then show the same state.
func TestPasteVerb(t *testing.T) {
	refused(t, open(t), "paste", `{"part":"1","first":true,"last":true}`, "takes no data")
	s := openLab(t)
	refused(t, s, "paste", `{"part":"1"}`, "first = true")
	refused(t, s, "paste", `{"part":"1,2\n3,x\n","first":true,"last":true}`, `line 2, column 3: "x" is not a number`)
	refused(t, s, "paste", `{"part":"1","last":true}`, "first = true") // the error has discarded the file
	refused(t, s, "paste", `{"part":"\ufffdNUMPY\u0001\u0000v","first":true,"last":true}`, "this is a NumPy file (.npy)")
	if st := state(t, s); st.Data != nil || st.Params["view"] != "plane" {
		t.Errorf("a refused file changed the state: %+v", st)
	}
	const text = `{"jacobian": [[1, 0, 2], [-1, 0.5, 0], [0, 1, -1]], "losses": [1, 2, 3]}`
	got := pasteText(t, s, text)
	if !got.Held || got.Rows != 3 || got.Columns != 3 || len(got.SHA256) != 64 {
		t.Errorf("pasted: %+v", got)
	}
	background(t, s)
	want := stateJSON(t, s)
	if !strings.Contains(want["hash"].(string), "data="+got.SHA256) || strings.Contains(want["hash"].(string), "0.5") {
		t.Errorf("hash %s", want["hash"])
	}
	args, err := json.Marshal(map[string]any{"state": want["hash"]})
	if err != nil {
		t.Fatal(err)
	}
	// The same session still has the file.
	do(t, s, "open", `{"id":"fonseca"}`)
	do(t, s, "load", string(args))
	noticed(t, s, "")
	background(t, s)
	sameState(t, "the link in the same session", stateJSON(t, s), want)

	other := openLab(t)
	do(t, other, "load", string(args))
	noticed(t, other, "Choose the file")
	if st := state(t, other); st.Data == nil || st.Data.Held || st.Data.SHA256 != got.SHA256 || st.Results != nil {
		t.Errorf("without the file: %+v, %v", st.Data, st.Results)
	}
	pasteText(t, other, text)
	noticed(t, other, "")
	background(t, other)
	sameState(t, "after the file", stateJSON(t, other), want)

	third := openLab(t)
	do(t, third, "load", string(args))
	third.TakeNotices()
	pasteText(t, third, "1,2\n3,4\n")
	noticed(t, third, "a different file")

	// A state that does not show the data does not refer to them.
	do(t, s, "set", `{"name":"view","value":"plane"}`)
	if st := state(t, s); st.Data != nil || strings.Contains(st.Hash, "data=") {
		t.Errorf("data in %s", st.Hash)
	}
	do(t, s, "set", `{"name":"view","value":"data"}`)
	background(t, s)
	sameState(t, "back at the data", stateJSON(t, s), want)

	for _, bad := range []string{"zz", strings.Repeat("g", 64), strings.Repeat("a", 63), "%3Cimg%3E"} {
		s := openLab(t)
		do(t, s, "load", fmt.Sprintf(`{"state":"scene=lab&view=data&data=%s"}`, bad))
		noticed(t, s, "not a SHA-256 hash")
		if st := state(t, s); st.Data.SHA256 != "" || strings.Contains(st.Hash, "&data=") {
			t.Errorf("%s: %+v, %s", bad, st.Data, st.Hash)
		}
	}
}

// TestWhoseData checks that a state names the owner of its data. Neither a link nor another sender's state can change the owner.
func TestWhoseData(t *testing.T) {
	const page, other = "https://a.example", "https://b.example"
	const text = `{"jacobian": [[1, 0, 2], [-1, 0.5, 0], [0, 1, -1]]}`
	s := openLab(t)
	part := func(from, text string, first, last bool) string {
		args, err := json.Marshal(map[string]any{"part": text, "first": first, "last": last, "from": from})
		if err != nil {
			t.Fatal(err)
		}
		return string(args)
	}
	whose := func(what, from string, held bool) *DataState {
		t.Helper()
		d := state(t, s).Data
		if d == nil || d.From != from || d.Held != held {
			t.Fatalf("%s: %+v, want held = %t from %q", what, d, held, from)
		}
		if now := do(t, s, "data", "").(*DataState); *now != *d {
			t.Errorf("%s: data says %+v, state %+v", what, now, d)
		}
		return d
	}
	if d := do(t, s, "data", "").(*DataState); d != nil {
		t.Errorf("without data: %+v", d)
	}
	do(t, s, "paste", part("", text, true, true))
	mine := whose("the visitor's", "", true)

	// Parts of two senders never form one file.
	do(t, s, "paste", part("", "1,2\n", true, false))
	refused(t, s, "paste", part(page, "3,4\n", false, true), "first = true")
	do(t, s, "paste", part("", "5,6\n", false, true))
	if d := whose("after a stranger's part", "", true); d.Rows != 2 || d.Columns != 2 {
		t.Errorf("a file of two rows has become %+v", d)
	}
	do(t, s, "paste", part("", "1,2\n", true, false))
	do(t, s, "paste", part(page, "7,8,9\n", true, true))
	if d := whose("a page's", page, true); d.Rows != 1 || d.Columns != 3 {
		t.Errorf("a file of one row has become %+v", d)
	}
	refused(t, s, "paste", part("", "3,4\n", false, true), "first = true")

	// A refused file leaves the owner unchanged.
	refused(t, s, "paste", part(other, "1,x\n", true, true), "is not a number")
	whose("after a refused file", page, true)

	// A loaded state cannot set the owner.
	forged, err := json.Marshal(map[string]any{"state": map[string]any{"scene": "lab", "params": map[string]any{"view": "data"},
		"data": map[string]any{"sha256": mine.SHA256, "from": other, "held": true}}})
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, "load", string(forged))
	whose("a forged state of a file that is not here", "", false)
	do(t, s, "paste", part("", text, true, true))
	do(t, s, "load", string(forged))
	whose("a forged state of the visitor's file", "", true)
	do(t, s, "load", fmt.Sprintf(`{"state":"scene=lab&view=data&data=%s&from=%s"}`, mine.SHA256, other))
	whose("a link to the visitor's file", "", true)

	// After reopening, the scene has no data until a state refers to them again.
	do(t, s, "open", `{"id":"lab"}`)
	if d := do(t, s, "data", "").(*DataState); d != nil {
		t.Errorf("in a scene opened afresh: %+v", d)
	}
	do(t, s, "set", `{"name":"view","value":"data"}`)
	if d := whose("a view of nothing", "", false); d.SHA256 != "" || state(t, s).Results != nil {
		t.Errorf("a scene opened afresh has data: %+v", d)
	}
}

// TestLinkTellsNothing checks that loading a link does not reveal whether the visitor has the file that it refers to. The
// file's contents must never cause an error.
func TestLinkTellsNothing(t *testing.T) {
	const text = `{"jacobian": [[1e-200, 0, 2], [-1, 1e200, 0], [0, 0, 0]], "losses": [0, 1e308, -1]}`
	holder := openLab(t)
	sum := pasteText(t, holder, text).SHA256
	for _, more := range []string{"", "&method=epo&epo.preference=1,2", "&method=nashmtl,si,pcgrad&pcgrad.order=3,1", "&seed=-1&view=nothing",
		"&view=space&camera=9,9,9&losses=0", "&gradients=1e308,0;0,1e-308"} {
		var outcomes []string
		for _, s := range []*Session{openLab(t), holder} {
			args, err := json.Marshal(map[string]any{"state": "scene=lab&view=data&data=" + sum + more})
			if err != nil {
				t.Fatal(err)
			}
			result, err := s.Call("load", args)
			outcomes = append(outcomes, fmt.Sprint(result, err))
		}
		if outcomes[0] != outcomes[1] {
			t.Errorf("%s: %s without the file, %s with it", more, outcomes[0], outcomes[1])
		}
	}
}

// TestShortErrors checks that an error does not repeat an input of a megabyte.
func TestShortErrors(t *testing.T) {
	s := openLab(t)
	long := strings.Repeat("x", 1<<20)
	for verb, args := range map[string]string{
		long: ``, "open": `{"id":%q}`, "set": `{"name":%q,"value":{}}`, "card": `{"id":%q}`, "select": `{"run":%q}`, "nudge": `{"id":%q}`,
		"theme": `{"name":%q}`, "load": `{"state":"scene=%s"}`, "paste": `{"first":true,"last":true,"part":"1,%s"}`,
	} {
		if strings.Contains(args, "%") {
			args = fmt.Sprintf(args, long)
		}
		if _, err := s.Call(verb, []byte(args)); err != nil && len(err.Error()) > 2000 || err == nil && verb != "load" {
			t.Errorf("%.20s: an error of %d characters", verb, len(fmt.Sprint(err)))
		}
	}
	for _, of := range [][2]string{{long, ""}, {"png", long}} {
		if _, err := s.Take(of[0], files.Taking{Panel: of[1]}); err == nil || len(err.Error()) > 2000 {
			t.Errorf("export of %.20s, %.20s: %.80v", of[0], of[1], err)
		}
	}
}

// TestHugeState checks that an oversized state is cut to the limits, with notices.
func TestHugeState(t *testing.T) {
	s := open(t)
	names, log := map[string]any{}, make([]map[string]any, 0, 5*link.MaxLog)
	for i := range 20 * link.MaxNames {
		names[fmt.Sprint("n", i)] = i
	}
	for i := range 5 * link.MaxLog {
		log = append(log, map[string]any{"k": -i, "name": "eta", "value": 0.1})
	}
	args, err := json.Marshal(map[string]any{"state": map[string]any{"scene": "fonseca", "params": names, "log": log}})
	if err != nil {
		t.Fatal(err)
	}
	do(t, s, "load", string(args))
	if n := len(s.events.notices); n > link.MaxNames+link.MaxLog+10 {
		t.Errorf("%d notices", n)
	}
	for _, part := range []string{"more than 200 parameters", "more than 1000 live changes", "first iteration is 0"} {
		if !strings.Contains(strings.Join(s.events.notices, " "), part) {
			t.Errorf("no word of %q", part)
		}
	}
}

// TestCameraDrag checks how far a drag beside the tips turns the camera, and that a drag on a tip moves the tip.
func TestCameraDrag(t *testing.T) {
	for _, touch := range []bool{false, true} {
		s := openLab(t)
		s.Layout(1120, 720, touch, false)
		do(t, s, "set", `{"name":"view","value":"space"}`)
		before := s.scene.Params().Value("camera").([3]float64)
		pointer := func(kind string, x, y float64) bool {
			claimed, err := s.Pointer(pointer.Event{Kind: kind, X: x, Y: y, Touch: touch}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return claimed
		}
		if !pointer("down", 120, 320) {
			t.Fatal("a press beside the tips is not claimed")
		}
		for step := range 10 {
			pointer("move", 120+6*float64(step+1), 320+2*float64(step+1))
		}
		if s.Cursor() != "grabbing" {
			t.Errorf("cursor %s", s.Cursor())
		}
		pointer("up", 180, 340)
		after := s.scene.Params().Value("camera").([3]float64)
		if after != [3]float64{before[0] - 30, before[1] + 10, before[2]} {
			t.Errorf("touch %v: the camera went from %v to %v", touch, before, after)
		}
		do(t, s, "nudge", `{"id":"camera","dx":2,"dy":-1}`)
		if got := s.scene.Params().Value("camera").([3]float64); got != [3]float64{after[0] + 10, after[1] - 5, after[2]} {
			t.Errorf("nudged to %v", got)
		}
		var tip ScreenHandle
		for _, h := range s.Handles() {
			if h.ID == "g-1" {
				tip = h
			}
		}
		pointer("down", tip.X, tip.Y)
		pointer("move", tip.X+20, tip.Y-30)
		pointer("up", tip.X+20, tip.Y-30)
		for _, h := range s.Handles() {
			if h.ID == "g-1" && math.Hypot(h.X-tip.X-20, h.Y-tip.Y+30) > 3 {
				t.Errorf("the tip went from %+v to %+v", tip, h)
			}
		}
	}
}

// TestGuestSees checks that the catalog says whether a scene accepts a visitor's data, and contains the scene's texts
// about the data.
func TestGuestSees(t *testing.T) {
	list, err := Catalog(scenes.All)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		s, err := New(scenes.All, e.ID)
		if err != nil {
			t.Fatal(err)
		}
		takesData := slices.Contains([]string{"lab", "clusters", "transport", "ordering", "blocks", "regression", "log"}, e.ID)
		if runs := len(s.timeline().Runs()) > 0; e.Runs != runs || e.TakesData != takesData {
			t.Errorf("%s: runs %v, takes data %v", e.ID, e.Runs, e.TakesData)
		}
		if e.TakesData != (e.DataSummary != "") || e.TakesData != (e.DataTry != "") {
			t.Errorf("%s, takes data %v, says of a visitor's data %q, %q", e.ID, e.TakesData, e.DataSummary, e.DataTry)
		}
	}
}

// TestPasteChoice checks that a file with several parts needs a choice, and that the link is tied to the chosen part. A notice says
// how the file was read.
func TestPasteChoice(t *testing.T) {
	const runs = "1,5;0\n0;1,5\n\n2,5;0\n0;2,5\n"
	s, err := New(scenes.All, "lab")
	if err != nil {
		t.Fatal(err)
	}
	paste := func(part string) (any, error) {
		args, err := json.Marshal(map[string]any{"part": runs, "first": true, "last": true, "choose": map[string]any{"part": part}})
		if err != nil {
			t.Fatal(err)
		}
		return s.Call("paste", args)
	}
	if _, err := paste(""); err == nil ||
		!strings.Contains(err.Error(), "there are 2 runs, separated by blank lines: 1 (2 rows), 2 (2 rows); name the part to read") {
		t.Fatalf("without a part: %v", err)
	}
	sums := map[string]bool{}
	for _, part := range []string{"1", "2"} {
		s.TakeNotices()
		got, err := paste(part)
		if err != nil {
			t.Fatal(err)
		}
		d := got.(*DataState)
		sums[d.SHA256] = true
		if !d.Held || d.Rows != 2 || d.Columns != 2 || d.Notes != "commas are decimal commas" {
			t.Errorf("part %s: %+v", part, d)
		}
		if told := s.TakeNotices(); len(told) != 1 || told[0] != "The file: commas are decimal commas." {
			t.Errorf("part %s: notices %q", part, told)
		}
	}
	if len(sums) != 2 {
		t.Errorf("both parts have the sum %v", sums)
	}
	if _, err := s.Call("paste", []byte(`{"part": "1,2", "first": true, "last": true, "choose": {"columns": ["3"]}}`)); err == nil ||
		err.Error() != `unknown column "3"; available: 1 to 2` {
		t.Errorf("a column that is not there: %v", err)
	}
}

package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"paretoplay/scenes"
)

func openTransport(t testing.TB) *Session {
	t.Helper()
	s, err := New(scenes.All, "transport")
	if err != nil {
		t.Fatal(err)
	}
	s.Layout(1120, 720, false)
	return s
}

// TestTransportRerun: ε, β and masses change while the runs stay at their iteration, and a
// link gives the same.
func TestTransportRerun(t *testing.T) {
	s := openTransport(t)
	do(t, s, "step", `{"n":30}`)
	settle(t, s)
	before := state(t, s).Runs[1].F
	do(t, s, "set", `{"name":"eps","value":0.1}`)
	settle(t, s)
	at(t, s, 30, 30)
	if after := state(t, s).Runs[1].F; fmt.Sprint(after) == fmt.Sprint(before) {
		t.Errorf("Sinkhorn is still at %v", after)
	}
	do(t, s, "nudge", `{"id":"b-3","dx":0,"dy":5}`)
	settle(t, s)
	at(t, s, 30, 30)
	if fmt.Sprint(state(t, s).Params["b"]) == "[]" {
		t.Error("the bar has not moved")
	}
	want := stateJSON(t, s)
	args, err := json.Marshal(map[string]any{"state": want["hash"]})
	if err != nil {
		t.Fatal(err)
	}
	other := openTransport(t)
	do(t, other, "load", string(args))
	settle(t, other)
	sameState(t, "the link", stateJSON(t, other), want)
}

// TestTransportPaint: pressing and dragging over the picture of costs paints them, and a
// link holds what is painted.
func TestTransportPaint(t *testing.T) {
	s := openTransport(t)
	do(t, s, "set", `{"name":"view","value":"costs"}`)
	for _, pl := range s.placed() {
		if pl.Panel.ID() != "cost" {
			continue
		}
		x, y := float64(pl.Rect.Min.X+pl.Rect.Max.X)/2, s.height-float64(pl.Rect.Min.Y+pl.Rect.Max.Y)/2
		if !point(t, s, "down", x, y, false) {
			t.Error("a press is not claimed")
		}
		point(t, s, "move", x+60, y, false)
		point(t, s, "up", x+60, y, false)
	}
	settle(t, s)
	st := state(t, s)
	if st.Params["cost"] != "painted" {
		t.Fatalf("cost is %v", st.Params["cost"])
	}
	painted := 0
	for _, row := range st.Params["painted"].([][]float64) {
		for _, v := range row {
			if v == 1 {
				painted++
			}
		}
	}
	if painted < 3 { // two are 1 from the beginning
		t.Errorf("%d costs are 1", painted)
	}
	want := stateJSON(t, s)
	args, err := json.Marshal(map[string]any{"state": want["hash"]})
	if err != nil {
		t.Fatal(err)
	}
	other := openTransport(t)
	do(t, other, "load", string(args))
	settle(t, other)
	sameState(t, "the link", stateJSON(t, other), want)
}

// TestTransportData: what a file says does not go into a link, which waits for the file.
func TestTransportData(t *testing.T) {
	const file = `{"cost": [[0,1,4],[1,0,1]], "a": [3,1], "b": [1,1,2], "tau": 1}`
	s := openTransport(t)
	if got := pasteText(t, s, file); !got.Held || got.About != "costs of 2 by 3" {
		t.Errorf("%+v", got)
	}
	do(t, s, "step", `{"n":9}`)
	settle(t, s)
	want := stateJSON(t, s)
	hash := want["hash"].(string)
	for _, secret := range []string{"&a=", "&b=", "&tau=", "&n=", "&m="} {
		if strings.Contains(hash, secret) {
			t.Errorf("%s has %s", hash, secret)
		}
	}
	args, err := json.Marshal(map[string]any{"state": hash})
	if err != nil {
		t.Fatal(err)
	}
	other := openTransport(t)
	do(t, other, "load", string(args))
	settle(t, other)
	noticed(t, other, "choose the file")
	if st := state(t, other); len(st.Runs) != 0 || st.Data == nil || st.Data.Held {
		t.Fatalf("without the file: %d runs, %+v", len(st.Runs), st.Data)
	}
	pasteText(t, other, file)
	settle(t, other)
	sameState(t, "once the file has come", stateJSON(t, other), want)
}

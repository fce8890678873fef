package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"paretoplay/scenes"
)

func openRegression(t testing.TB) *Session {
	t.Helper()
	s, err := New(scenes.All, "regression")
	if err != nil {
		t.Fatal(err)
	}
	s.Layout(1120, 720, false, false)
	return s
}

// tableOf returns a table with the given number of rows and the given column names.
func tableOf(rows int, heading string) string {
	var b strings.Builder
	b.WriteString(heading + "\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,%d,%d,%d\n", i%7, i*i%5, i%7+i*i%5, 3*(i%7)-i*i%5+i%3)
	}
	return b.String()
}

// TestRegressionData checks that a table waits until its responses are chosen, and that a link that waits for the table is
// replayed once the table arrives.
func TestRegressionData(t *testing.T) {
	s := openRegression(t)
	first := tableOf(40, "a,b,y,z")
	got := pasteText(t, s, first)
	settle(t, s)
	if st := state(t, s); len(st.Runs) != 0 || !got.Held || got.About != "40 rows of 4 columns" || st.Params["problem"] != "yours" {
		t.Errorf("before responses are chosen: %d runs, %+v", len(st.Runs), got)
	}
	texts := s.scene.Panels()[0].Describe()
	if !strings.Contains(texts, "at least one of: a, b, y, z") {
		t.Errorf("the available columns are not named: %s", texts)
	}
	refused(t, s, "set", `{"name":"responses","value":["y","q"]}`, "unknown column; available: a, b, y, z")
	do(t, s, "set", `{"name":"responses","value":["y","z"]}`)
	do(t, s, "set", `{"name":"batch","value":8}`)
	do(t, s, "step", `{"n":9}`)
	if st := state(t, s); len(st.Runs) != 4 || fmt.Sprint(st.Params["q"], st.Params["r"], st.Params["d"]) != "2 2 2" {
		t.Errorf("%d runs, %v", len(st.Runs), st.Params)
	}
	want := stateJSON(t, s)
	hash := want["hash"].(string)
	if !strings.Contains(hash, "data="+got.SHA256) || !strings.Contains(hash, "responses=y,z") {
		t.Error(hash)
	}
	args, err := json.Marshal(map[string]any{"state": hash})
	if err != nil {
		t.Fatal(err)
	}
	other := openRegression(t)
	do(t, other, "load", string(args))
	noticed(t, other, "Choose the file")
	if st := state(t, other); len(st.Runs) != 0 || st.Data == nil || st.Data.Held {
		t.Fatalf("without the table: %d runs, %+v", len(st.Runs), st.Data)
	}
	pasteText(t, other, first)
	settle(t, other)
	noticed(t, other, "")
	sameState(t, "once the table has come", stateJSON(t, other), want)

	pasteText(t, s, tableOf(30, "a,b,c,z"))
	settle(t, s)
	if st := state(t, s); len(st.Runs) != 0 || fmt.Sprint(st.Params["responses"]) != "[]" {
		t.Errorf("another table, without y: %d runs, responses %v", len(st.Runs), st.Params["responses"])
	}
	do(t, s, "set", `{"name":"problem","value":"synthetic"}`)
	if st := state(t, s); len(st.Runs) != 4 || st.Data != nil {
		t.Errorf("back at what is drawn: %d runs, %+v", len(st.Runs), st.Data)
	}
}

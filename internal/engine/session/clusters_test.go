package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"paretoplay/scenes"
)

func openClusters(t testing.TB) *Session {
	t.Helper()
	s, err := New(scenes.All, "clusters")
	if err != nil {
		t.Fatal(err)
	}
	s.Layout(1120, 720, false, false)
	return s
}

const threeGoals = `{"centres": [[0,0],[4,0],[0,4]], "a": [2,1,1], "b": [3,1], "starts": [[1,1],[2,2]]}`

// TestClustersData checks that a file defines the goals, and that a link contains neither its masses nor its starts. A link
// that waits for the file must be replayed once the file arrives.
func TestClustersData(t *testing.T) {
	s := openClusters(t)
	do(t, s, "step", `{"n":5}`)
	settle(t, s)
	got := pasteText(t, s, threeGoals)
	settle(t, s)
	noticed(t, s, "")
	if !got.Held || got.About != "3 goals, 2 starts" || got.Rows != 3 {
		t.Errorf("%+v", got)
	}
	at(t, s, 0, 0)
	st := state(t, s)
	if len(st.Runs) != 1 || fmt.Sprint(st.Runs[0].X) != "[[1 1] [2 2]]" || fmt.Sprint(st.Params["a"]) != "[0.5 0.25 0.25]" ||
		st.Params["m"] != 2 {
		t.Errorf("%+v", st.Runs)
	}
	do(t, s, "step", `{"n":7}`)
	settle(t, s)
	do(t, s, "nudge", `{"id":"goal-2","dx":2,"dy":0}`)
	settle(t, s)
	want := stateJSON(t, s)
	hash := want["hash"].(string)
	for _, secret := range []string{"&a=", "&b=", "&start="} {
		if strings.Contains(hash, secret) {
			t.Errorf("%s has %s", hash, secret)
		}
	}
	if !strings.Contains(hash, "data="+got.SHA256) || !strings.Contains(hash, "layout=data") || !strings.Contains(hash, "centres=;") {
		t.Errorf("%s", hash)
	}
	args, err := json.Marshal(map[string]any{"state": hash})
	if err != nil {
		t.Fatal(err)
	}
	other := openClusters(t)
	do(t, other, "load", string(args))
	settle(t, other)
	noticed(t, other, "Choose the file")
	if st := state(t, other); len(st.Runs) != 0 || st.Data == nil || st.Data.Held {
		t.Fatalf("without the file: %d runs, %+v", len(st.Runs), st.Data)
	}
	pasteText(t, other, threeGoals)
	settle(t, other)
	noticed(t, other, "")
	sameState(t, "once the file has come", stateJSON(t, other), want)
	do(t, s, "open", `{"id":"fonseca"}`)
	do(t, s, "load", string(args))
	settle(t, s)
	noticed(t, s, "")
	sameState(t, "the link in the session that has the file", stateJSON(t, s), want)
}

// TestClustersLeave checks that nothing from the file remains in another layout. While the file's goals are shown, their
// number is fixed.
func TestClustersLeave(t *testing.T) {
	s := openClusters(t)
	pasteText(t, s, threeGoals)
	settle(t, s)
	refused(t, s, "set", `{"name":"n","value":12}`, "3, the number in the file")
	if st := state(t, s); st.Params["n"] != 3 || fmt.Sprint(st.Params["a"]) != "[0.5 0.25 0.25]" || len(st.Runs) != 1 {
		t.Errorf("after a refused n: %v", st.Params)
	}
	do(t, s, "set", `{"name":"layout","value":"ring"}`)
	settle(t, s)
	st := state(t, s)
	if st.Data != nil || strings.Contains(st.Hash, "data=") || fmt.Sprint(st.Params["a"], st.Params["b"], st.Params["start"]) != "[] [] []" {
		t.Errorf("on the ring: %+v, %v", st.Data, st.Hash)
	}
	do(t, s, "set", `{"name":"layout","value":"data"}`)
	settle(t, s)
	if st := state(t, s); len(st.Runs) != 1 || !st.Data.Held {
		t.Errorf("back at the file: %+v", st.Data)
	}
}

// TestSharesFollow checks that masses adapt to the numbers of goals and solutions, with a notice. A link with a different
// number of masses must also cause a notice.
func TestSharesFollow(t *testing.T) {
	s := openClusters(t)
	do(t, s, "nudge", `{"id":"b-1","dx":0,"dy":20}`)
	settle(t, s)
	if st := state(t, s); fmt.Sprint(st.Params["b"]) != "[0.4 0.15 0.15 0.15 0.15]" {
		t.Fatalf("b = %v", st.Params["b"])
	}
	do(t, s, "set", `{"name":"m","value":3}`)
	settle(t, s)
	noticed(t, s, "b has 5 shares, but m = 3 needs 3: the first 3 are kept, in proportion")
	if st := state(t, s); len(st.Params["b"].([]float64)) != 3 || len(st.Runs[0].X.([][]float64)) != 3 {
		t.Errorf("b = %v", st.Params["b"])
	}
	refused(t, s, "set", `{"name":"b","value":[0.5,0.5]}`, "b has 2 shares, but m = 3 needs 3")
	do(t, s, "load", `{"state":"scene=clusters&m=4&b=0.5,0.5&n=12&a=1"}`)
	settle(t, s)
	if n := s.TakeNotices(); len(n) != 2 || !strings.Contains(n[1], "b has 2 shares, but m = 4 needs 4: the new ones are equal shares") {
		t.Errorf("notices %q", n)
	}
	if st := state(t, s); fmt.Sprint(st.Params["b"]) != "[0.25 0.25 0.25 0.25]" || len(st.Params["a"].([]float64)) != 12 {
		t.Errorf("a = %v, b = %v", st.Params["a"], st.Params["b"])
	}
}

// TestManyBarsByKeys checks that arrow keys work on the single handle for 30 masses: the horizontal keys select a mass, and the
// up key increases it.
func TestManyBarsByKeys(t *testing.T) {
	s := openClusters(t)
	do(t, s, "nudge", `{"id":"a-bar","dx":2,"dy":0}`)
	if st := state(t, s); fmt.Sprint(st.Params["a"]) != "[]" {
		t.Errorf("a step to the side sets %v", st.Params["a"])
	}
	do(t, s, "nudge", `{"id":"a-bar","dx":0,"dy":10}`)
	settle(t, s)
	a := state(t, s).Params["a"].([]float64)
	if len(a) != 30 || a[2] < 0.04 || a[1] >= 1./30 {
		t.Errorf("a = %v", a)
	}
}

// TestLinkOfK checks that a link distinguishes the parameter k from the iteration k.
func TestLinkOfK(t *testing.T) {
	s := openClusters(t)
	do(t, s, "set", `{"name":"k","value":3}`)
	do(t, s, "step", `{"n":4}`)
	do(t, s, "seek", `{"k":2}`)
	want := stateJSON(t, s)
	hash := want["hash"].(string)
	if !strings.Contains(hash, "&param.k=3") || !strings.Contains(hash, "&k=2") {
		t.Fatal(hash)
	}
	args, err := json.Marshal(map[string]any{"state": hash})
	if err != nil {
		t.Fatal(err)
	}
	other := openClusters(t)
	do(t, other, "load", string(args))
	noticed(t, other, "")
	sameState(t, "the link", stateJSON(t, other), want)
	data, err := json.Marshal(map[string]any{"state": want})
	if err != nil {
		t.Fatal(err)
	}
	third := openClusters(t)
	do(t, third, "load", string(data))
	sameState(t, "the state", stateJSON(t, third), want)
}

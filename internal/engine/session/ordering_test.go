package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"paretoplay/scenes"
)

func openOrdering(t testing.TB) *Session {
	t.Helper()
	s, err := New(scenes.All, "ordering")
	if err != nil {
		t.Fatal(err)
	}
	s.Layout(1120, 720, false, false)
	return s
}

const fourSamples = `{"A": [[[1,0],[0,1],[1,1],[2,1]],[[1,0],[0,1],[1,-1],[1,2]]], "y": [[1,2,3,4],[0,1,0,1]]}`

// counts returns the values of M, K, d and the batch size in a state.
func counts(st *State) string {
	return fmt.Sprint(st.Params["M"], st.Params["K"], st.Params["d"], st.Params["batch"])
}

// TestOrderingData checks that a file sets the number of samples. A link that waits for the file must be replayed once
// the file arrives.
func TestOrderingData(t *testing.T) {
	s := openOrdering(t)
	do(t, s, "step", `{"n":5}`)
	got := pasteText(t, s, fourSamples)
	settle(t, s)
	noticed(t, s, "")
	if !got.Held || got.About != "2 objectives, 4 samples, 2 variables" {
		t.Errorf("%+v", got)
	}
	at(t, s, 0, 0)
	if st := state(t, s); len(st.Runs) != 3 || counts(st) != "2 4 2 1" || st.Params["problem"] != "yours" {
		t.Errorf("%d runs, %s", len(st.Runs), counts(st))
	}
	do(t, s, "set", `{"name":"batch","value":2}`)
	do(t, s, "step", `{"n":7}`)
	if st := state(t, s); counts(st) != "2 2 2 2" {
		t.Errorf("in batches of two: %s", counts(st))
	}
	want := stateJSON(t, s)
	hash := want["hash"].(string)
	if !strings.Contains(hash, "data="+got.SHA256) || !strings.Contains(hash, "problem=yours") || strings.Contains(hash, "A=") {
		t.Errorf("%s", hash)
	}
	args, err := json.Marshal(map[string]any{"state": hash})
	if err != nil {
		t.Fatal(err)
	}
	other := openOrdering(t)
	do(t, other, "load", string(args))
	noticed(t, other, "Choose the file")
	if st := state(t, other); len(st.Runs) != 0 || st.Results != nil || st.Data == nil || st.Data.Held {
		t.Fatalf("without the file: %d runs, %+v", len(st.Runs), st.Data)
	}
	pasteText(t, other, fourSamples)
	settle(t, other)
	noticed(t, other, "")
	sameState(t, "once the file has come", stateJSON(t, other), want)
	do(t, s, "open", `{"id":"fonseca"}`)
	do(t, s, "load", string(args))
	noticed(t, s, "")
	sameState(t, "the link in the session that has the file", stateJSON(t, s), want)
}

// TestOrderingLeave checks that M, K and d have the file's values while its samples are shown, and cannot be changed. Other
// samples may have other values; returning to the file must restore the file's values.
func TestOrderingLeave(t *testing.T) {
	s := openOrdering(t)
	pasteText(t, s, fourSamples)
	settle(t, s)
	for _, name := range []string{"M", "K", "d"} {
		refused(t, s, "set", fmt.Sprintf(`{"name":%q,"value":7}`, name), ", as in the file")
	}
	refused(t, s, "set", `{"name":"batch","value":3}`, "it must divide the number of samples, 4")
	if st := state(t, s); counts(st) != "2 4 2 1" || len(st.Runs) != 3 {
		t.Errorf("after what was refused: %s, %d runs", counts(st), len(st.Runs))
	}
	do(t, s, "set", `{"name":"problem","value":"diagonal"}`)
	if st := state(t, s); st.Data != nil || counts(st) != "2 4 2 1" {
		t.Errorf("on other samples: %+v, %s", st.Data, counts(st))
	}
	do(t, s, "set", `{"name":"K","value":32}`)
	do(t, s, "set", `{"name":"problem","value":"yours"}`)
	if st := state(t, s); st.Data == nil || !st.Data.Held || counts(st) != "2 4 2 1" || len(st.Runs) != 3 {
		t.Errorf("back at the file: %+v, %s", st.Data, counts(st))
	}
}

// TestOrderingDetails checks that exported files contain every epoch, and that a state contains only the marker's epoch.
func TestOrderingDetails(t *testing.T) {
	s := openOrdering(t)
	do(t, s, "set", `{"name":"K","value":8}`)
	do(t, s, "step", `{"n":20}`)
	do(t, s, "seek", `{"k":9}`)
	var b bytes.Buffer
	if err := s.Files().WriteJSON(&b, 1); err != nil {
		t.Fatal(err)
	}
	type results map[string]struct{ Epochs []struct{ Epoch, Steps int } }
	var file, now struct{ Results results }
	if err := json.Unmarshal(b.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(state(t, s))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &now); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(file.Results["jogba-1"], now.Results["jogba-1"]); got != "{[{0 8} {1 8} {2 4}]} {[{1 8}]}" {
		t.Errorf("in the file and in the state: %s", got)
	}
}

// TestPeriodBesideRunningMean checks that R above 1 is refused, with a reason, if the rule's direction is a running mean:
// such a rule has no coefficients to keep. The runs must continue.
func TestPeriodBesideRunningMean(t *testing.T) {
	const reason = "The rule’s direction is not a combination of the step’s gradients"
	for _, rule := range []string{"moco", "dbmtl"} {
		s := openOrdering(t)
		do(t, s, "set", `{"name":"weighting","value":"`+rule+`"}`)
		refused(t, s, "set", `{"name":"R","value":4}`, reason) // at the start
		do(t, s, "step", `{"n":5}`)
		refused(t, s, "set", `{"name":"R","value":4}`, reason) // during the runs
		settle(t, s)
		do(t, s, "step", `{"n":5}`)
		at(t, s, 10, 10)
		if st := state(t, s); st.Params["R"] != 1 {
			t.Errorf("%s: R is %v", rule, st.Params["R"])
		}
		// Choosing such a rule is also refused if R is above 1, or was above 1 earlier in the runs.
		s = openOrdering(t)
		do(t, s, "set", `{"name":"weighting","value":"mgda"}`)
		do(t, s, "step", `{"n":5}`)
		do(t, s, "set", `{"name":"R","value":4}`)
		refused(t, s, "set", `{"name":"weighting","value":"`+rule+`"}`, reason)
		settle(t, s)
		do(t, s, "step", `{"n":5}`)
		do(t, s, "set", `{"name":"R","value":1}`)
		refused(t, s, "set", `{"name":"weighting","value":"`+rule+`"}`, reason)
		settle(t, s)
		if st := state(t, s); st.Params["weighting"] != "mgda" {
			t.Errorf("%s: the weighting is %v", rule, st.Params["weighting"])
		}
		for _, link := range []string{"weighting=" + rule + "&R=4", "R=4&alpha=0.2&weighting=" + rule} {
			do(t, s, "load", `{"state":"scene=ordering&`+link+`&latest=5&k=5"}`)
			noticed(t, s, "to keep for R steps. It is left out")
			settle(t, s)
			at(t, s, 5, 5)
			if st := state(t, s); (st.Params["R"] == 4) == (st.Params["weighting"] == rule) {
				t.Errorf("%s: shown are R = %v and %v", link, st.Params["R"], st.Params["weighting"])
			}
		}
		do(t, s, "load", `{"state":"scene=ordering&weighting=`+rule+`&latest=5&k=5&log=2:R:4"}`)
		noticed(t, s, "Its live change is left out")
		settle(t, s)
		at(t, s, 5, 5)
		if st := state(t, s); st.Params["weighting"] != rule {
			t.Errorf("the weighting of the link is %v", st.Params["weighting"])
		}
	}
	s := open(t)
	for _, rule := range []string{"moco", "dbmtl", "graddrop"} {
		refused(t, s, "set", `{"name":"psmgd.weighting","value":"`+rule+`"}`, reason)
		do(t, s, "load", `{"state":"scene=fonseca&psmgd.weighting=`+rule+`&R=4&latest=5&k=5"}`)
		noticed(t, s, reason)
	}
}

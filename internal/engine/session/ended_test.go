package session

import (
	"encoding/json"
	"testing"

	"paretoplay/algo"
)

// TestLinkOfEndedRuns checks that a link shows that its runs ended with a failed step, as they did for the visitor who shared the
// link.
func TestLinkOfEndedRuns(t *testing.T) {
	s := open(t)
	do(t, s, "set", `{"name":"problem","value":"quadratic","again":true}`)
	do(t, s, "set", `{"name":"method","value":"ls","again":true}`)
	do(t, s, "set", `{"name":"eta","value":5,"again":true}`)
	do(t, s, "set", `{"name":"budget","value":5000,"again":true}`)
	do(t, s, "play", "")
	playOut(t, s)
	shared := state(t, s)
	if s.Status() != algo.Diverged || shared.Latest == shared.Budget {
		t.Fatalf("the runs end as %v at %d of %d", s.Status(), shared.Latest, shared.Budget)
	}
	whole, err := json.Marshal(shared)
	if err != nil {
		t.Fatal(err)
	}
	for name, load := range map[string]string{"link": `"` + shared.Hash + `"`, "state": string(whole)} {
		other := open(t)
		do(t, other, "load", `{"state":`+load+`}`)
		if _, err := other.Work(func() bool { return true }); err != nil {
			t.Fatal(err)
		}
		opened := state(t, other)
		if opened.Status != shared.Status || opened.Latest != shared.Latest || opened.Iteration != shared.Iteration ||
			opened.Hash != shared.Hash {
			t.Errorf("by %s: %s at %d of %d with %s, shared was %s at %d of %d with %s", name, opened.Status, opened.Iteration,
				opened.Latest, opened.Hash, shared.Status, shared.Iteration, shared.Latest, shared.Hash)
		}
	}
}

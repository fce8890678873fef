package session

import (
	"testing"

	"paretoplay/internal/engine/follow"
	"paretoplay/scenes"
)

// What each scene invites to is noticed when a visitor does it, and not before.
func TestInvitations(t *testing.T) {
	done := map[string][][2]string{
		"bilevel":     {{"nudge", `{"id": "start-1", "dx": 1}`}},
		"bilevelcost": {{"set", `{"name": "m", "value": 4}`}},
		"blocks":      {{"set", `{"name": "m", "value": "3,3"}`}},
		"cleaning":    {{"set", `{"name": "corruption", "value": 0.4}`}},
		"clusters":    {{"nudge", `{"id": "goal-1", "dx": 1}`}},
		"fairness":    {{"set", `{"name": "phi", "value": 80}`}},
		"federated":   {{"set", `{"name": "m", "value": 1}`}},
		"fonseca":     {{"step", `{"n": 3}`}, {"set", `{"name": "R", "value": 32}`}},
		"fronts":      {{"nudge", `{"id": "reference", "dx": 1}`}},
		"lab":         {{"nudge", `{"id": "g-3", "dx": 50}`}},
		"log":         {{"set", `{"name": "source", "value": "two"}`}},
		"network":     {{"set", `{"name": "S", "value": "2"}`}},
		"ordering":    {{"step", `{"n": 3}`}, {"seek", `{"k": 1}`}},
		"regression":  {{"set", `{"name": "stepsizes", "value": "own"}`}},
		"sweep":       {{"nudge", `{"id": "camera", "dx": 1}`}},
		"toy":         {{"nudge", `{"id": "start-1", "dx": 1}`}},
		"transport":   {{"set", `{"name": "eps", "value": 0.01}`}},
		"yours":       {{"set", `{"name": "f1", "value": "(x-1)^2 + (y+0.5)^2"}`}},
	}
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			s, err := New(scenes.All, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			settle(t, s)
			tried := func() bool { return state(t, s).Tried }
			steps, known := done[about.ID]
			if !known || about.Tried == nil {
				t.Fatal("nothing is known of what the scene invites to")
			}
			if err := about.Tried.Check(follow.ScopeOf(about)); err != nil {
				t.Fatal(err)
			}
			if tried() {
				t.Error("done before anything has been done")
			}
			for _, step := range steps {
				do(t, s, step[0], step[1])
			}
			if !tried() {
				t.Error("not noticed")
			}
			do(t, s, "defaults", `{}`)
			if tried() {
				t.Error("done still, after all values are the scene's own again")
			}
		})
	}
}

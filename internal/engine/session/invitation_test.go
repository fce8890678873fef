package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/problem/network/pictures"
	"paretoplay/internal/engine/follow"
	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
	"paretoplay/scenes/networktasks"
)

// toEnd is the verb that advances the runs to their end.
var toEnd = [2]string{"step", `{"n": 1000000}`}

// invitation describes one way to follow a scene's invitation.
type invitation struct {
	begin [][2]string // verbs to call first
	does  [][2]string
	// not lists sequences of verbs that, called after begin, must not count as following the invitation.
	not [][][2]string
	// shows returns an error if a statement in Done is false.
	shows func(t *testing.T, s *Session) error
}

func set(name, value string) [2]string {
	return [2]string{"set", fmt.Sprintf(`{"name": %q, "value": %q, "again": true}`, name, value)}
}

func nudge(id, by string) [2]string { return [2]string{"nudge", fmt.Sprintf(`{"id": %q, %s}`, id, by)} }

// all returns an error that names the first condition that does not hold.
func all(holds map[string]bool) error {
	for _, name := range sortedKeys(holds) {
		if !holds[name] {
			return fmt.Errorf("%s: not so", name)
		}
	}
	return nil
}

var invitations = map[string]invitation{
	"bilevel": {does: [][2]string{nudge("start-1", `"dx": 1`), toEnd}, not: [][][2]string{{toEnd}, {nudge("start-1", `"dx": 1`)}},
		shows: func(t *testing.T, s *Session) error {
			return all(map[string]bool{"FORUM ends on the bar": fact(t, s, "E.forum") < 0.01, "MOML ends on it": fact(t, s, "E.moml") < 0.01,
				"MoCo ends on it": fact(t, s, "E.moco") < 0.01})
		}},
	// The scene's own tests count the products.
	"bilevelcost": {does: [][2]string{set("m", "4")}, not: [][][2]string{{set("m", "3")}}, shows: func(t *testing.T, s *Session) error {
		return all(map[string]bool{"m": s.Params().Value("m") == 4})
	}},
	"blocks": {begin: [][2]string{toEnd}, does: [][2]string{set("m", "3,3"), toEnd}, not: [][][2]string{{set("m", "2,3"), toEnd}},
		shows: func(t *testing.T, s *Session) error {
			return all(map[string]bool{"both count the same": fact(t, s, "weight.1") == 0.5 && fact(t, s, "weight.2") == 0.5,
				"Block-SMOO is beside the plus sign": fact(t, s, "distance.blocksmoo") < 0.2,
				"the weighted sum is beside it":      fact(t, s, "distance.weightedsum") < 0.2})
		}},
	"cleaning": {begin: [][2]string{toEnd}, does: [][2]string{set("corruption", "0.6"), toEnd},
		not: [][][2]string{{set("corruption", "0.4"), toEnd}, {set("corruption", "0.6")}},
		shows: func(t *testing.T, s *Session) error {
			return all(map[string]bool{"the ringed points have half the weight": 2*fact(t, s, "corrupted.forum") < fact(t, s, "clean.forum")})
		}},
	"clusters": {does: [][2]string{nudge("goal-1", `"dx": 9`), {"step", `{"n": 1}`}},
		not: [][][2]string{{nudge("start-1", `"dx": 1`), toEnd}, {nudge("goal-1", `"dx": 9`)}},
		shows: func(t *testing.T, s *Session) error {
			return all(map[string]bool{"it is given to a solution": fact(t, s, "served.most") >= 1})
		}},
	"fairness": {does: [][2]string{set("phi", "80")}, not: [][][2]string{{set("phi", "60")}}, shows: func(t *testing.T, s *Session) error {
		return all(map[string]bool{"it decides alike": fact(t, s, "ratio.fair") >= 90,
			"it is wrong for four more of a hundred at most": fact(t, s, "accuracy.accurate")-fact(t, s, "accuracy.fair") <= 4})
	}},
	"federated": {begin: [][2]string{toEnd}, does: [][2]string{set("m", "1"), toEnd},
		not: [][][2]string{{set("m", "2"), toEnd}, {set("m", "1")}},
		shows: func(t *testing.T, s *Session) error {
			return all(map[string]bool{"MosT’s line is below": fact(t, s, "accuracy.most") < fact(t, s, "accuracy.fedavg")})
		}},
	"fonseca": {begin: [][2]string{toEnd}, does: [][2]string{set("R", "32"), toEnd},
		// Runs that have just started do not show the effect yet.
		not: [][][2]string{{set("R", "32")}, {{"reset", ""}, {"step", `{"n": 30}`}, set("R", "32")}},
		shows: func(t *testing.T, s *Session) error {
			at := fact(t, s, "collapsed.psmgd")
			do(t, s, "set", `{"name": "method", "value": "ls"}`)
			do(t, s, toEnd[0], toEnd[1])
			return all(map[string]bool{"most are at an end": at > 5, "with fixed weights, too": fact(t, s, "collapsed.ls") > 5})
		}},
	"fronts": {does: [][2]string{nudge("reference", `"dx": 1`)}, not: [][][2]string{{toEnd}}, shows: func(t *testing.T, s *Session) error {
		before, err := New(scenes.All, "fronts")
		if err != nil {
			return err
		}
		return all(map[string]bool{"the volume is another": fact(t, s, "front") > fact(t, before, "front")})
	}},
	"lab": {does: [][2]string{nudge("g-3", `"dx": 50`)},
		not: [][][2]string{{nudge("g-3", `"dx": 1`)}}, shows: func(t *testing.T, s *Session) error {
			return all(map[string]bool{"the mean makes none worse": fact(t, s, "worse.ls") == 0})
		}},
	"log": {does: [][2]string{set("source", "two")}, not: [][][2]string{{set("R", "8")}}, shows: func(t *testing.T, s *Session) error {
		return all(map[string]bool{"averaged, none conflicts": fact(t, s, "averaged") == 0, "batches do": fact(t, s, "conflict") > 0.4})
	}},
	"network": {does: [][2]string{set("S", "2"), {"step", `{"n": 2}`}}, not: [][][2]string{{{"step", `{"n": 2}`}}, {set("S", "2")}},
		shows: func(t *testing.T, s *Session) error {
			return all(map[string]bool{"two a step": fact(t, s, "backpropagations.mgda") == 2*fact(t, s, "iteration")})
		}},
	"ordering": {begin: [][2]string{toEnd}, does: [][2]string{{"seek", `{"k": 1}`}}, not: [][][2]string{{{"seek", `{"k": 900}`}}},
		shows: func(t *testing.T, s *Session) error {
			return all(map[string]bool{"it strays as far": fact(t, s, "H.random") == fact(t, s, "H.grab-shared"),
				"the first": fact(t, s, "epoch") == 0})
		}},
	"regression": {begin: [][2]string{toEnd}, does: [][2]string{set("stepsizes", "own"), toEnd},
		not: [][][2]string{{set("stepsizes", "own")}},
		shows: func(t *testing.T, s *Session) error {
			first := fact(t, s, "reach.weightedsum.hundredth")
			return all(map[string]bool{"Block-SMOO later": first < fact(t, s, "reach.blocksmoo.hundredth"),
				"alternating functions later": first < fact(t, s, "reach.functionalternate.hundredth"),
				"alternating blocks later":    first < fact(t, s, "reach.blockalternate.hundredth")})
		}},
	"sweep": {does: [][2]string{nudge("camera", `"dx": 1`)},
		not: [][][2]string{{toEnd}}, shows: func(*testing.T, *Session) error { return nil }},
	"toy": {begin: [][2]string{toEnd}, does: [][2]string{nudge("start-1", `"dy": -125`)},
		not: [][][2]string{{nudge("start-1", `"dy": -5`)}, {{"reset", ""}, nudge("start-1", `"dy": -125`)}},
		shows: func(t *testing.T, s *Session) error {
			arrive := map[string]bool{}
			for _, m := range []string{"psmgd", "mgda", "ls", "pcgrad", "cagrad"} {
				arrive[m] = fact(t, s, "arrived."+m) >= 2
			}
			return all(arrive)
		}},
	"transport": {begin: [][2]string{toEnd}, does: [][2]string{set("eps", "0.01"), toEnd}, not: [][][2]string{{set("eps", "0.03"), toEnd}},
		shows: func(t *testing.T, s *Session) error {
			before, err := New(scenes.All, "transport")
			if err != nil {
				return err
			}
			do(t, before, toEnd[0], toEnd[1])
			return all(map[string]bool{"120 before": fact(t, before, "iteration.sinkhorn") == 120,
				"more now": fact(t, s, "iteration.sinkhorn") > 120,
				"nearer":   fact(t, s, "elsewhere.sinkhorn") < fact(t, before, "elsewhere.sinkhorn")})
		}},
	"yours": {begin: [][2]string{toEnd}, does: [][2]string{set("f1", "(x-1)^2 + (y+0.5)^2"), toEnd},
		not: [][][2]string{{set("f1", "(x-1)^2 + (y+0.5)^2")}},
		shows: func(t *testing.T, s *Session) error {
			before, err := New(scenes.All, "yours")
			if err != nil {
				return err
			}
			do(t, before, toEnd[0], toEnd[1])
			now, was := s.timeline().Tracks(), before.timeline().Tracks()
			return all(map[string]bool{"the same starts": slices.Equal(now[0].Start(), was[0].Start()),
				"other ends": !slices.Equal(now[0].Kept(now[0].Len()-1).X, was[0].Kept(was[0].Len()-1).X)})
		}},
}

// inviting opens a scene as a visitor does and executes the steps. In the scene network, pictures.Read supplies the digits.
func inviting(t *testing.T, id string, steps ...[2]string) *Session {
	t.Helper()
	list := slices.Clone(scenes.All)
	for i := range list {
		if list[i].ID == networktasks.About.ID {
			list[i].New = func() scene.Scene {
				s := networktasks.New()
				s.Read = pictures.Read
				return s
			}
		}
	}
	s, err := New(list, id)
	if err != nil {
		t.Fatal(err)
	}
	settle(t, s)
	for _, step := range steps {
		do(t, s, step[0], step[1])
		background(t, s)
	}
	return s
}

// TestInvitations checks that a scene notices, as soon as the effect shows, that a visitor has followed its invitation.
// The statements in Done must then be true. After undo or a restart, the invitation must return.
func TestInvitations(t *testing.T) {
	for _, about := range scenes.All {
		t.Run(about.ID, func(t *testing.T) {
			todo, known := invitations[about.ID]
			if !known || about.Tried == nil || about.Done == "" {
				t.Fatal("the test lacks the scene's invitation, or the scene lacks Done")
			}
			if err := about.Tried.Check(follow.ScopeOf(about)); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(about.Done, ". ") || !strings.HasSuffix(about.Done, ".") || len(strings.Fields(about.Done)) > 25 {
				t.Errorf("%q is not a sentence of at most 25 words", about.Done)
			}
			for _, not := range append(todo.not, nil) {
				s := inviting(t, about.ID, append(slices.Clone(todo.begin), not...)...)
				if state(t, s).Tried {
					t.Errorf("%v: Tried although no effect shows", not)
				}
			}
			s := inviting(t, about.ID, append(slices.Clone(todo.begin), todo.does...)...)
			if !state(t, s).Tried {
				t.Fatal("the invitation was not noticed as done")
			}
			do(t, s, "defaults", `{}`)
			if state(t, s).Tried {
				t.Error("Tried although all values are the scene's again")
			}
			s = inviting(t, about.ID, append(slices.Clone(todo.begin), todo.does...)...)
			if err := todo.shows(t, s); err != nil {
				t.Errorf("%q: %v", about.Done, err)
			}
		})
	}
}

// TestInvitationHeld checks that a goal reached while a start point or a slider is held counts after the release, and
// no longer counts once the value is reset.
func TestInvitationHeld(t *testing.T) {
	s := inviting(t, "fonseca", toEnd, [2]string{"set", `{"name": "R", "value": 32, "again": true}`}, toEnd)
	if !state(t, s).Tried {
		t.Fatal("the invitation was not noticed as done")
	}
	do(t, s, "set", `{"name": "R", "value": 4, "hold": true, "again": true}`)
	if state(t, s).Tried {
		t.Error("done with R = 4")
	}
	do(t, s, "set", `{"name": "R", "value": 64, "hold": true, "again": true}`)
	do(t, s, "release", "")
	if state(t, s).Tried {
		t.Error("done before the runs have advanced")
	}
	do(t, s, toEnd[0], toEnd[1])
	if !state(t, s).Tried {
		t.Error("not done with R = 64")
	}
	do(t, s, "reset", "")
	if state(t, s).Tried {
		t.Error("done at k = 0")
	}

	s = inviting(t, "toy", toEnd)
	s.Layout(1120, 720, false, false)
	h, lower := handle(t, s, "start-1"), handle(t, s, "start-2")
	point(t, s, "down", h.X, h.Y, false)
	point(t, s, "move", h.X, (h.Y+lower.Y)/2, false)
	point(t, s, "move", h.X, lower.Y, false)
	settle(t, s)
	if fact(t, s, "arrived.ls") < 2 {
		t.Error("it is not reached while the start is held")
	}
	if state(t, s).Tried {
		t.Error("done while the button is down")
	}
	point(t, s, "up", h.X, lower.Y, false)
	if !state(t, s).Tried {
		t.Error("not done once it is let go")
	}
	point(t, s, "down", h.X, lower.Y, false)
	point(t, s, "move", h.X, h.Y, false)
	point(t, s, "up", h.X, h.Y, false)
	if state(t, s).Tried {
		t.Error("done though the start is back")
	}
}

package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/data"
	"paretoplay/internal/engine/follow"
	"paretoplay/internal/engine/link"
	"paretoplay/internal/engine/scene"
	"paretoplay/scenes"
)

// step returns a step's definition as JSON, with a goal unless goal is "".
func step(state, hero, keys, goal string) string {
	if goal == "" {
		return fmt.Sprintf(`{"state":%q,"hero":%q,"keys":[%s],"goal":null,"title":"a title","show":[]}`, state, hero, keys)
	}
	return fmt.Sprintf(`{"state":%q,"hero":%q,"keys":[%s],"goal":{"text":"in words","condition":%s}}`, state, hero, keys, goal)
}

func lessonArgs(name string, number int, definition string, arrive bool) string {
	return fmt.Sprintf(`{"name":%q,"step":%d,"arrive":%v,"definition":%s}`, name, number, arrive, definition)
}

// is checks that the given step is open, and that its goal has been reached if and only if reached is true.
func is(t testing.TB, s *Session, name string, number int, reached bool) {
	t.Helper()
	st := state(t, s)
	if st.Lesson == nil || st.Lesson.Place != (link.Place{Name: name, Step: number}) || st.Lesson.Reached != reached {
		t.Errorf("the lesson is %+v, want step %d of %s, reached %v", st.Lesson, number, name, reached)
	}
	status, err := json.Marshal(do(t, s, "status", ""))
	if want := fmt.Sprintf(`"lesson":{"name":%q,"step":%d,"reached":%v,`, name, number, reached); err != nil ||
		!strings.Contains(string(status), want) {
		t.Errorf("the status is %s, %v; want %s", status, err, want)
	}
}

// TestLesson checks that a step opens in its state, with its panel and parameters in front and the pins kept. Its goal must be
// reached and reported once, and stay reached. Returning to the step must start it again.
func TestLesson(t *testing.T) {
	s := open(t)
	var told []string
	s.OnEvent(func(kind string) { told = append(told, kind) })
	do(t, s, "step", `{"n":2}`)
	do(t, s, "pin", "")
	goal := `{"op":"&&","args":[{"op":">=","args":[{"op":"param","text":"R"},{"op":"number","number":8}]},{"op":"ended"},{"op":"fresh"}]}`
	definition := step("v=1&scene=fonseca&budget=20&R=1", "weights", `"R","eta"`, goal)
	do(t, s, "lesson", lessonArgs("stale-weights", 2, definition, true))
	st := state(t, s)
	if st.Hero != "weights" || !slices.Equal(st.Keys, []string{"R", "eta"}) || st.Params["R"] != 1 || st.Latest != 0 ||
		len(st.Pins) != 1 || !st.Undo {
		t.Errorf("it opens with %s in front, keys %v, R %v, at %d, %d pins", st.Hero, st.Keys, st.Params["R"], st.Latest, len(st.Pins))
	}
	if !strings.HasPrefix(st.Hash, "v=1&scene=fonseca&lesson=stale-weights:2&") {
		t.Errorf("link %s", st.Hash)
	}
	is(t, s, "stale-weights", 2, false)
	do(t, s, "set", `{"name":"R","value":9}`)
	is(t, s, "stale-weights", 2, false)
	told = nil
	do(t, s, "play", "")
	playOut(t, s)
	is(t, s, "stale-weights", 2, true)
	if !slices.Contains(told, "status") {
		t.Errorf("events %q", told)
	}
	do(t, s, "defaults", "")
	is(t, s, "stale-weights", 2, true)
	do(t, s, "hero", `{"panel":"objective"}`)
	do(t, s, "lesson", lessonArgs("stale-weights", 2, definition, true))
	is(t, s, "stale-weights", 2, false)
	if st := state(t, s); st.Hero != "weights" {
		t.Errorf("back in the step, %s is in front", st.Hero)
	}
	// A step may keep the current state.
	do(t, s, "set", `{"name":"R","value":11}`)
	want := stateJSON(t, s)
	do(t, s, "lesson", lessonArgs("stale-weights", 3, step("", "", "", ""), true))
	is(t, s, "stale-weights", 3, false)
	got := stateJSON(t, s)
	for _, part := range []string{"params", "runs", "latest", "pins", "card"} {
		sameState(t, part, map[string]any{part: got[part]}, map[string]any{part: want[part]})
	}
	do(t, s, "lesson", `{"name":""}`)
	if st := state(t, s); st.Lesson != nil || strings.Contains(st.Hash, "lesson") {
		t.Errorf("left, the lesson is %+v, link %s", st.Lesson, st.Hash)
	}
	noticed(t, s, "")
}

// TestLessonUndo checks that undo after a change of step returns to the former step, including what the visitor did
// in that step.
func TestLessonUndo(t *testing.T) {
	s := open(t)
	goal := `{"op":"changed","text":"R"}`
	do(t, s, "lesson", lessonArgs("a", 1, step("scene=fonseca", "", "", goal), true))
	do(t, s, "set", `{"name":"R","value":9}`)
	is(t, s, "a", 1, true)
	want := stateJSON(t, s)
	do(t, s, "lesson", lessonArgs("a", 2, step("scene=lab", "", "", ""), true))
	is(t, s, "a", 2, false)
	do(t, s, "undo", "")
	sameState(t, "the step before", stateJSON(t, s), want)
	do(t, s, "undo", "")
	is(t, s, "a", 1, true)
	if st := state(t, s); st.Params["R"] != 4 {
		t.Errorf("R = %v", st.Params["R"])
	}
	do(t, s, "open", `{"id":"lab"}`)
	if st := state(t, s); st.Lesson != nil {
		t.Error("opening another scene does not leave the lesson")
	}
	do(t, s, "undo", "")
	is(t, s, "a", 1, true)
}

// TestLessonLink checks that a link names the open step. When the step's definition arrives later, only the state's field
// for the lesson may change.
func TestLessonLink(t *testing.T) {
	s := open(t)
	do(t, s, "load", `{"state":"v=1&scene=fonseca&lesson=stale-weights:4&R=9&latest=12&k=5&hero=objective"}`)
	noticed(t, s, "")
	is(t, s, "stale-weights", 4, false)
	want := stateJSON(t, s)
	goal := `{"op":"==","args":[{"op":"fact","text":"iteration"},{"op":"number","number":7}]}`
	do(t, s, "lesson", lessonArgs("stale-weights", 4, step("scene=fonseca&R=1", "weights", "", goal), false))
	armed := stateJSON(t, s)
	want["lesson"] = armed["lesson"] // has more fields once the goal is known
	sameState(t, "armed", armed, want)
	do(t, s, "seek", `{"k":7}`)
	is(t, s, "stale-weights", 4, true)
	// A state object opens the same step as the link.
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	again := open(t)
	do(t, again, "load", fmt.Sprintf(`{"state":%s}`, data))
	is(t, again, "stale-weights", 4, false)
	for link, notice := range map[string]string{
		"lesson=Angles:1": "does not name a lesson’s", "lesson=a": "does not name a lesson’s", "lesson=a:0": "does not name a lesson’s",
		"lesson=a:x":    "does not name a lesson’s",
		"lesson=a:1001": "does not name a lesson’s", "lesson=": "does not name a lesson’s", "lesson=" + strings.Repeat("a", 61) +
			":1": "does not name a lesson’s",
		"lesson=a%20b:1": "does not name a lesson’s", "card=" + strings.Repeat("x", 4000): "is unknown in fonseca",
	} {
		s := open(t)
		do(t, s, "load", fmt.Sprintf(`{"state":%q}`, link))
		noticed(t, s, notice)
		if state(t, s).Lesson != nil {
			t.Errorf("%s opens a lesson", link)
		}
	}
	do(t, s, "load", `{"state":{"scene":"fonseca","lesson":{"name":"A b","step":-3}}}`)
	noticed(t, s, "does not name a lesson’s step")
}

// TestLessonRefused checks that an invalid place or definition causes an error that names the fault, and changes nothing.
func TestLessonRefused(t *testing.T) {
	s := open(t)
	do(t, s, "lesson", lessonArgs("a", 1, step("scene=fonseca&R=3", "", "", ""), true))
	want := stateJSON(t, s)
	fine := step("", "", "", "")
	goal := func(condition string) string { return step("scene=fonseca", "", "", condition) }
	for args, text := range map[string]string{
		lessonArgs("A b", 1, fine, true):                                                  "does not name a lesson’s step",
		lessonArgs("a", 0, fine, true):                                                    "does not name a lesson’s step",
		lessonArgs("a", 1001, fine, true):                                                 "does not name a lesson’s step",
		`{"name":"a","step":1.5,"definition":{}}`:                                         "must be a whole number",
		`{"name":"a","step":1}`:                                                           "is missing",
		`{"name":"a","step":1,"definition":null}`:                                         "is missing",
		`{"name":"a","step":1,"definition":"x"}`:                                          "cannot unmarshal",
		lessonArgs("a", 2, step("scene=zzz", "", "", ""), true):                           "unknown scene",
		lessonArgs("a", 2, step("R=3", "", "", ""), true):                                 "unknown scene",
		lessonArgs("a", 2, step("", "", `"R","zzz"`, ""), true):                           `unknown parameter "zzz" of fonseca`,
		lessonArgs("a", 2, goal(`{"op":"sin"}`), true):                                    "unknown op",
		lessonArgs("a", 2, goal(`{"op":"changed","text":"z"}`), true):                     `unknown parameter "z"`,
		lessonArgs("a", 2, goal(`{"op":"param","text":"R"}`), false):                      "a condition is true or false",
		lessonArgs("a", 2, goal(`null`), false):                                           "unknown op",
		lessonArgs("a", 2, fmt.Sprintf(`{"title":%q}`, strings.Repeat("x", 1<<20)), true): "at most",
	} {
		refused(t, s, "lesson", args, text)
	}
	sameState(t, "refused", stateJSON(t, s), want)
	do(t, s, "lesson", lessonArgs("a", 2, step("scene=lab", "elsewhere", "", ""), true))
	noticed(t, s, `panel "elsewhere"`)
	for _, about := range scenes.All {
		if about.Facts == nil {
			continue
		}
		unknown := step("scene="+about.ID, "", "", `{"op":"<","args":[{"op":"fact","text":"nobody.knows.this"},{"op":"number"}]}`)
		refused(t, s, "lesson", lessonArgs("a", 2, unknown, true), "of "+about.ID+"; available: ")
	}
	refused(t, s, "lesson", lessonArgs("a", 2, step("scene=lab", "",
		"", `{"op":"<","args":[{"op":"fact","text":"latest"},{"op":"number"}]}`), true),
		"has no runs")
}

// TestGoals checks each goal condition before and after the visitor's actions.
func TestGoals(t *testing.T) {
	of := func(op, text string) string { return fmt.Sprintf(`{"op":%q,"text":%q}`, op, text) }
	is := func(op, a, b string) string { return fmt.Sprintf(`{"op":%q,"args":[%s,%s]}`, op, a, b) }
	number := func(x float64) string { return fmt.Sprintf(`{"op":"number","number":%g}`, x) }
	set := func(name, value string) [2]string {
		return [2]string{"set", fmt.Sprintf(`{"name":%q,"value":%s,"again":true}`, name, value)}
	}
	play, end := [2]string{"play", ""}, [2]string{"step", `{"n":30}`}
	for _, c := range []struct {
		goal       string
		not, makes [][2]string // not: verbs that do not reach the goal; makes: verbs that then do
	}{
		{of("changed", "R"), [][2]string{set("eta", "0.2"), set("R", "4")}, [][2]string{set("R", "5")}},
		{of("changed", "eta"), [][2]string{{"card", `{"id":"plateau"}`}}, [][2]string{{"card", `{"id":"noise"}`}}},
		{of("live", "R"), [][2]string{set("R", "5"), {"step", `{"n":3}`}}, [][2]string{set("R", "6")}},
		{of("dragged", "start"), [][2]string{set("R", "5")}, [][2]string{{"nudge", `{"id":"START","dx":1}`}}},
		{`{"op":"scrubbed"}`, [][2]string{{"step", `{"n":3}`}, {"seek", `{"k":3}`}}, [][2]string{{"seek", `{"k":1}`}}},
		{`{"op":"pinned"}`, [][2]string{{"step", `{"n":3}`}}, [][2]string{{"pin", ""}}},
		{`{"op":"playing"}`, [][2]string{{"step", `{"n":3}`}}, [][2]string{play}},
		{`{"op":"ended"}`, [][2]string{{"step", `{"n":3}`}}, [][2]string{end}},
		{is("==", `{"op":"hero"}`, of("text", "decision")), [][2]string{{"hero", `{"panel":"weights"}`}},
			[][2]string{{"hero", `{"panel":"decision"}`}}},
		{is("==", of("param", "view"), of("text", "staleness")), [][2]string{set("view", `"noise"`)}, [][2]string{set("view", `"staleness"`)}},
		{is("==", of("param", "method"), of("text", "psmgd,ls")), [][2]string{set("method", `"ls"`)}, [][2]string{set("method", `"ls,psmgd"`)}},
		{is(">", of("param", "seed"), number(5)), [][2]string{{"newSeed", ""}}, [][2]string{set("seed", "6")}},
		{is(">=", of("tried", "R"), number(3)), [][2]string{end, set("R", "5"), set("R", "6"), end, {"reset", ""}, end},
			[][2]string{set("R", "7"), end}},
		{is(">=", of("tried", "R"), number(2)), [][2]string{end, {"set", `{"name":"R","value":9}`}, {"seek", `{"k":3}`}},
			[][2]string{{"reset", ""}, end}},
		{is("==", of("fact", "latest"), number(3)), [][2]string{{"step", `{"n":2}`}}, [][2]string{{"step", `{"n":1}`}}},
	} {
		s := open(t)
		follow := func(verbs [][2]string) {
			for _, v := range verbs {
				if before, after, found := strings.Cut(v[1], "START"); found { // its handle brings its panel to the front
					v[1] = before + startHandle(t, s) + after
				}
				do(t, s, v[0], v[1])
			}
		}
		definition := step("scene=fonseca&budget=20", "", "", c.goal)
		do(t, s, "lesson", lessonArgs("a", 1, definition, true))
		follow(c.not)
		if state(t, s).Lesson.Reached {
			t.Errorf("%s is reached by %v", c.goal, c.not)
			continue
		}
		follow(c.makes)
		if !state(t, s).Lesson.Reached {
			t.Errorf("%s is not reached by %v", c.goal, c.makes)
		}
		// Actions before a step opens do not count.
		if strings.Contains(c.goal, "changed") || strings.Contains(c.goal, "dragged") || strings.Contains(c.goal, "pinned") ||
			strings.Contains(c.goal, "scrubbed") {
			do(t, s, "lesson", lessonArgs("a", 2, definition, true))
			if state(t, s).Lesson.Reached {
				t.Errorf("%s is reached as the next step opens", c.goal)
			}
		}
	}
}

// TestGoalStatic checks goals in a scene without runs.
func TestGoalStatic(t *testing.T) {
	s := openAny(t)
	goal := `{"op":"dragged","text":"g2"}`
	do(t, s, "lesson", lessonArgs("a", 1, step("scene=lab", "", "", goal), true))
	var ids []string
	for _, h := range s.Handles() {
		ids = append(ids, h.ID)
	}
	i := slices.IndexFunc(ids, func(id string) bool { return strings.HasSuffix(id, "2") })
	if i < 0 {
		t.Fatalf("handles %v", ids)
	}
	do(t, s, "lesson", lessonArgs("a", 1, step("scene=lab", "", "", strings.Replace(goal, "g2", ids[i], 1)), true))
	is(t, s, "a", 1, false)
	do(t, s, "nudge", fmt.Sprintf(`{"id":%q,"dx":1}`, ids[i]))
	is(t, s, "a", 1, true)
}

// TestGoalByKeyboard checks that a goal reached while arrow keys move a handle counts only once the handle is released.
func TestGoalByKeyboard(t *testing.T) {
	const goal = `{"op":"<","args":[{"op":"fact","text":"value.mgda.1"},{"op":"number","number":0.9}]}`
	s := open(t)
	s.Layout(1120, 720, false, false)
	do(t, s, "lesson", lessonArgs("a", 1, step("scene=fonseca&method=mgda&starts=1&start=1.2,-0.9", "decision", "", goal), true))
	for range 3 {
		do(t, s, "nudge", `{"id":"start-1","dx":-10,"dy":10,"hold":true}`)
	}
	is(t, s, "a", 1, false)
	do(t, s, "release", `{}`)
	is(t, s, "a", 1, true)
}

// TestGoalHeld checks that a goal reached during a drag, or while a slider is held, counts only if it still holds at the
// release.
func TestGoalHeld(t *testing.T) {
	goal := `{"op":"<","args":[{"op":"fact","text":"value.mgda.1"},{"op":"number","number":0.85}]}`
	s := open(t)
	s.Layout(1120, 720, false, false)
	do(t, s, "lesson", lessonArgs("a", 1, step("scene=fonseca&method=mgda&starts=1&start=1.2,-0.9", "decision", "", goal), true))
	h := handle(t, s, "start-1")
	point(t, s, "down", h.X, h.Y, false)
	front := s.placed()[0].Rect
	middle := [2]float64{float64(front.Min.X+front.Max.X) / 2, s.screen.height - float64(front.Min.Y+front.Max.Y)/2}
	point(t, s, "move", middle[0], middle[1], false)
	is(t, s, "a", 1, false)
	point(t, s, "move", h.X, h.Y, false)
	point(t, s, "up", h.X, h.Y, false)
	is(t, s, "a", 1, false)
	h = handle(t, s, "start-1")
	point(t, s, "down", h.X, h.Y, false)
	point(t, s, "move", middle[0], middle[1], false)
	is(t, s, "a", 1, false)
	point(t, s, "up", middle[0], middle[1], false)
	is(t, s, "a", 1, true)

	goal = `{"op":">","args":[{"op":"param","text":"eta"},{"op":"number","number":0.5}]}`
	do(t, s, "lesson", lessonArgs("a", 2, step("scene=fonseca&budget=20", "", "", goal), true))
	do(t, s, "set", `{"name":"eta","value":0.6,"hold":true}`)
	is(t, s, "a", 2, false)
	do(t, s, "set", `{"name":"eta","value":0.3,"hold":true}`)
	do(t, s, "release", "")
	is(t, s, "a", 2, false)
	do(t, s, "set", `{"name":"eta","value":0.7,"hold":true}`)
	is(t, s, "a", 2, false)
	do(t, s, "release", "")
	is(t, s, "a", 2, true)
}

// counted is a scene that counts requests for its facts.
type counted struct {
	scene.Scene
	asked *int
}

func (c counted) Facts() []scene.Fact { *c.asked++; return c.Scene.Facts() }

// TestGoalLooks checks how often facts are computed: never without a goal, a few times a second with one, and never after the goal
// is reached.
func TestGoalLooks(t *testing.T) {
	asked := 0
	about, err := scenes.All.Find("fonseca")
	if err != nil {
		t.Fatal(err)
	}
	fresh := about.New
	about.New = func() scene.Scene { return counted{fresh(), &asked} }
	s, err := New(scene.List{about}, "fonseca")
	if err != nil {
		t.Fatal(err)
	}
	twoSeconds := func() int {
		do(t, s, "reset", "")
		do(t, s, "play", "")
		before := asked
		for range 120 {
			if err := s.Advance(1./60, always); err != nil {
				t.Fatal(err)
			}
		}
		if !s.Playing() {
			t.Fatal("the runs are too short for this test")
		}
		return asked - before
	}
	do(t, s, "set", `{"name":"speed","value":"1"}`)
	asked = 0
	if n := twoSeconds(); n > 0 {
		t.Errorf("without a lesson, %d looks", n)
	}
	do(t, s, "lesson", lessonArgs("a", 1, step("", "", "", ""), true))
	if n := twoSeconds(); n > 0 {
		t.Errorf("without a goal, %d looks", n)
	}
	goal := `{"op":"==","args":[{"op":"fact","text":"latest"},{"op":"number","number":-1}]}`
	do(t, s, "lesson", lessonArgs("a", 2, step("", "", "", goal), true))
	if n := twoSeconds(); n < 4 || n > 10 {
		t.Errorf("%d looks in two seconds", n)
	}
	goal = `{"op":">=","args":[{"op":"fact","text":"latest"},{"op":"number","number":0}]}`
	do(t, s, "lesson", lessonArgs("a", 3, step("", "", "", goal), true))
	is(t, s, "a", 3, true)
	if n := twoSeconds(); n > 0 {
		t.Errorf("%d looks after the goal was reached", n)
	}
}

// parted is a step whose goal has two parts and that records two numbers.
const parted = `{"state":"scene=fonseca&budget=20","hide":["objective"],"goal":{"condition":{"op":"true"},"parts":[` +
	`{"condition":{"op":">=","args":[{"op":"tried","text":"R"},{"op":"number","number":2}]}},{"condition":{"op":"ended"}}]},` +
	`"slots":[{"op":"param","text":"R"},{"op":"*","args":[{"op":"number","number":2},{"op":"fact","text":"latest"}]}]}`

// TestGoalParts checks that each part of a goal reports its progress. Once all parts hold, the goal must be reached and the
// numbers recorded.
func TestGoalParts(t *testing.T) {
	s := open(t)
	do(t, s, "lesson", fmt.Sprintf(`{"name":"a","step":1,"arrive":true,"definition":%s}`, parted))
	of := func() *follow.StepState { return state(t, s).Lesson }
	played := func(r int) {
		do(t, s, "set", fmt.Sprintf(`{"name":"R","value":%d}`, r))
		do(t, s, "reset", "")
		do(t, s, "step", `{"n":20}`)
	}
	if l := of(); l.Reached || len(l.Parts) != 2 || l.Parts[0].Holds || l.Parts[1].Holds || l.Parts[1].Measure != nil ||
		*l.Parts[0].Measure != (follow.Measure{Now: 0, Op: ">=", Asked: 2}) {
		t.Errorf("as it opens: %+v", l)
	}
	played(3)
	if l := of(); l.Reached || l.Parts[0].Measure.Now != 1 || !l.Parts[1].Holds || l.Attempts.Runs != 1 || l.Numbers != nil {
		t.Errorf("after one value: %+v", l)
	}
	played(5)
	played(7)
	if l := of(); !l.Reached || !slices.Equal(l.Numbers, []data.Number{5, 40}) || l.Attempts.Runs != 2 {
		t.Errorf("after three values: %+v", l)
	}
}

// TestAttempts checks that reloading the page restores what the visitor did in a step.
func TestAttempts(t *testing.T) {
	s := open(t)
	open := func(more string) *follow.StepState {
		do(t, s, "lesson", fmt.Sprintf(`{"name":"a","step":1,"arrive":true,"definition":%s%s}`, parted, more))
		return state(t, s).Lesson
	}
	open("")
	do(t, s, "set", `{"name":"R","value":3}`)
	do(t, s, "step", `{"n":20}`)
	done, err := json.Marshal(state(t, s).Lesson.Attempts)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"changed":["R"],"tried":{"R":["3"]},"runs":1}`; string(done) != want {
		t.Errorf("attempts %s, want %s", done, want)
	}
	if l := open(fmt.Sprintf(`,"attempts":%s`, done)); l.Attempts.Runs != 1 || !slices.Equal(l.Attempts.Tried["R"], []string{"3"}) {
		t.Errorf("after a reload: %+v", l.Attempts)
	}
	do(t, s, "set", `{"name":"R","value":4}`)
	do(t, s, "step", `{"n":20}`)
	if l := state(t, s).Lesson; !l.Reached {
		t.Errorf("two values, one before the reload: %+v", l)
	}
	if l := open(`,"attempts":{"runs":4,"reached":true,"numbers":[5,null]}`); !l.Reached || l.Numbers[0] != 5 || l.Attempts.Runs != 4 {
		t.Errorf("reached before the reload: %+v", l)
	}
	if l := open(`,"attempts":{"reached":true,"numbers":[5],"runs":-3}`); l.Reached || l.Attempts.Runs != 0 {
		t.Errorf("the numbers of another lesson: %+v", l)
	}
}

// TestCovered checks that panels that answer an open question cannot be seen, read or dragged until the question is
// answered.
func TestCovered(t *testing.T) {
	s := open(t)
	do(t, s, "lesson", fmt.Sprintf(`{"name":"a","step":1,"arrive":true,"covered":true,"definition":%s}`, parted))
	texts := func() (title string, handles int) {
		for _, p := range do(t, s, "describe", "").([]PanelText) {
			if p.ID == "objective" {
				title = p.Title
			}
		}
		do(t, s, "hero", `{"panel":"objective"}`)
		return title, len(s.Handles())
	}
	before, handles := texts()
	if before != "Not shown yet" || handles != 0 {
		t.Errorf("covered: %q, %d handles", before, handles)
	}
	do(t, s, "uncover", "")
	if after, _ := texts(); after == before {
		t.Errorf("uncovered: %q", after)
	}
}

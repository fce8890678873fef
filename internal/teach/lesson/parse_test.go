package lesson_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/link"
	"paretoplay/internal/teach/lesson"
	"paretoplay/scenes"
)

// good is a lesson with the common features. Tests change single lines of it.
const good = `---
title: One
question: Why?
minutes: 2
scene: fonseca
---

## First
Ten points walk down $f_1$, *each* for itself. See [the paper](https://example.org).

state: method=ls,mgda R=5 ls.weights=equal budget=20 latest=5
hero: objective
keys: R, method
predict: Where do $x$ go
from here?
- [ ] Up.
- [x] Down
  to $0$.
goal: All have ended. ` + "`ended && R == 4 && problem == \"fonseca\"`" + `
hint: Press Play.
show: R=4 play
then: There.

A second paragraph.
check: latest == 20

## Second
It goes on.
`

// reason is a wrong answer from the lesson good, followed by the reason that the check of a lesson requires.
const reason = "Up.\n  > Downhill is\n  > down.\n"

func parse(text string) (*lesson.Lesson, error) {
	return lesson.Parse(scenes.All, "some/21-one.md", []byte(text))
}

// TestParse checks that a parsed lesson has the form that the page reads.
func TestParse(t *testing.T) {
	l, err := parse(strings.Replace(good, "Up.\n", reason, 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Check(); err != nil {
		t.Error(err)
	}
	data, err := l.JSON()
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"name":"21-one","title":"One","question":"Why?","minutes":2,"scene":"fonseca","number":null,"aim":"","after":[],` +
		`"steps":[{"title":"First",` +
		`"kind":"","text":"<p>Ten points walk down MATH, <em>each</em> for itself. See <a href=\"https://example.org\">the paper</a>.</p>",` +
		`"state":"v=1&scene=fonseca&method=mgda,ls&R=5&budget=20&ls.weights=equal&latest=5&k=5","hero":"objective",` +
		`"keys":["R","method"],"hide":[],` +
		`"predict":{"question":"Where do MATH go\nfrom here?","answers":["Up.","Down\nto MATH."],` +
		`"reasons":["Downhill is\ndown.",""],"right":[1]},` +
		`"goal":{"text":"All have ended.","condition":{"op":"\u0026\u0026","args":[{"op":"\u0026\u0026","args":[{"op":"ended"},` +
		`{"op":"==","args":[{"op":"param","text":"R"},{"op":"number","number":4}]}]},{"op":"==","args":[{"op":"param","text":"problem"},` +
		`{"op":"text","text":"fonseca"}]}]},"parts":[]},"hint":"<p>Press Play.</p>",` +
		`"show":[{"verb":"set","args":{"name":"R","value":"4"}},{"verb":"play","args":{}}],"reveal":[],` +
		`"then":"<p>There.</p>\n<p>A second paragraph.</p>","slots":[]},{"title":"Second","kind":"",` +
		`"text":"<p>It goes on.</p>","state":"","hero":"","keys":[],` +
		`"hide":[],"predict":null,"goal":null,"hint":"","show":[],"reveal":[],"then":"","slots":[]}],"words":35,"know":[],"seeds":[]}`
	got := string(data)
	for _, math := range []string{`<math display="inline"><mrow><msub><mi>f</mi><mn>1</mn></msub></mrow></math>`,
		`<math display="inline"><mrow><mi>x</mi></mrow></math>`, `<math display="inline"><mrow><mn>0</mn></mrow></math>`} {
		escaped, err := json.Marshal(math)
		if err != nil || strings.Count(got, strings.Trim(string(escaped), `"`)) == 0 {
			inner := strings.ReplaceAll(math, `"`, `\"`)
			t.Errorf("no %s in %s (%v)", inner, got, err)
		}
		got = strings.Replace(got, strings.TrimSuffix(strings.TrimPrefix(string(escaped), `"`), `"`), "MATH", 1)
	}
	got = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026scene`, "&scene", `\u0026method`, "&method", `\u0026budget`, "&budget",
		`\u0026R`, "&R", `\u0026ls`, "&ls", `\u0026latest`, "&latest", `\u0026k`, "&k").Replace(got)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestWrong checks that errors in a lesson state the file, the line and, for a name, a suggestion.
func TestWrong(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"---\ntitle", "title", "21-one.md:1: a lesson begins with a line of three hyphens"},
		{"title: One", "titel: One", `:2: unknown field "titel" at the beginning of a lesson; did you mean title?`},
		{"title: One\n", "", ":5: title is missing"},
		{"title: One", "title: One\ntitle: Two", ":3: title appears twice"},
		{"title: One", "title:", ":2: title is empty"},
		{"title: One", "title: " + strings.Repeat("é", 201), ":2: title has 201 characters; the maximum is 200"},
		{"## First", "## " + strings.Repeat("é", 201), ":8: the step’s title has 201 characters; the maximum is 200"},
		{"## Second", strings.Repeat("## Again\nText.\n\n", 999) + "## Second", "the lesson has more than 40 steps; divide it into two lessons"},
		{"minutes: 2", "minutes: two", `:4: minutes is "two"`},
		{"scene: fonseca", "scene: fonsca", `:5: unknown scene "fonsca"`},
		{good[strings.Index(good, "---\n\n"):], "", "after the lesson’s first fields is missing"},
		{"## First", "First", ":8: expected a step"},
		{"## First", "## ", ":8: the step has no title"},
		{"Ten points", "### Points\nTen points", ":9: a step cannot have headings"},
		{"Ten points walk down $f_1$, *each* for itself. See [the paper](https://example.org).\n", "", ":8: the step has no words"},
		{"Ten points", "Ten <b>points</b>", ":9: HTML is not allowed"},
		{"Ten points", "One\n\n<div>\n", ":11: HTML is not allowed"},
		{"https://example.org", "javascript:alert(1)", `:9: invalid link "javascript:alert(1)"`},
		{"https://example.org", "//example.org/x", "invalid link"},
		{"[the paper]", "![the paper]", ":9: a lesson has no images"},
		{"$f_1$", "$f_1", ":9: this $ begins a formula that does not end"},
		{"A second paragraph", "A second $\\foo$ paragraph", `:24: $\foo$: unknown command \foo`},
		{"budget=20", "budgt=20", ":11: state: unknown parameter budgt of the scene fonseca; did you mean budget?"},
		{"budget=20", "budget=0", ":11: state: budget = 0: use "},
		{"budget=20", "budget=20 budget=21", ":11: state: budget appears twice"},
		{"budget=20", "budget", `:11: state: "budget" is not of the form name=value`},
		{"ls.weights=equal", "ls.weights=equl", `:11: state: ls.weights = "equl": use one of`},
		{"latest=5", "latest=25", ":11: state: The link asks for iteration 25 of 25; the runs end at 20"},
		{"latest=5", "latest=5 run=mgda-11", `:11: state: "mgda-11" is an unknown run`},
		{"state: method=ls,mgda", "state: scene=fonsca method=ls,mgda", `:11: state: unknown scene "fonsca"`},
		{"state: method=ls,mgda", "state: method=ls,mgda scene=yours", ":11: state: scene= must come first"},
		{"state: method=ls,mgda R=5", "state: scene=toy method=ls,mgda R=5", ":19: goal: unknown parameter or fact problem of the scene toy"},
		{"budget=20", "define.a=2", ":11: state: unknown parameter define.a of the scene fonseca"},
		{"state: method=ls,mgda", "state: card=edgy", ":11: state: unknown experiment card=edgy of the scene fonseca"},
		{"hero: objective", "hero: objektive",
			`:12: hero: unknown panel "objektive" of the scene fonseca in this state; did you mean objective?`},
		{"keys: R, method", "keys: R, metod", ":13: keys: unknown parameter metod of the scene fonseca; did you mean method?"},
		{"hero: objective", "here: objective", ":12: unknown part \"here\" of a step; did you mean hero?"},
		{"hint: Press", "hnit: Press", ":20: unknown part \"hnit\" of a step; did you mean hint?"},
		{"hero: objective", "state: budget=3", ":12: state: appears twice in this step, also in line 11"},
		{"hero: objective", "hero:", ":12: hero: is empty"},
		{"keys: R", "\nkeys and more\nkeys: R", ":14: hero: can only have one paragraph"},
		{"- [x] Down", "- [ ] Down", ":14: predict: has no right answer"},
		{"- [ ] Up", "- [x] Up", ":14: predict: has no wrong answer"},
		{"- [ ] Up.\n", "", ":14: predict: has 1 answers; expected 2 to 4"},
		{"- [ ] Up.\n- [x] Down\n  to $0$.\n", "", ":14: predict: has 0 answers"},
		{"Where do $x$ go\nfrom here?", "", ":14: predict: has no question"},
		{"- [x] Down\n  to", "- [x] Down\nto", ":18: expected an answer"},
		{"show: R=4 play\n", "", ":19: goal: and show: belong together"},
		{"R=4 play", "R=0 play", ":21: show: R = 0: use "},
		{"R=4 play", "R=4 plai", `:21: show: "plai" is neither name=value nor a verb; did you mean play?`},
		{"R=4 play", "seek", ":21: show: seek takes a k after it"},
		{"R=4 play", "seek now", `:21: show: seek takes a number after it, not "now"`},
		{"latest == 20", "latst == 20", ":25: check: unknown parameter or fact latst of the scene fonseca; did you mean latest?"},
		{"latest == 20", "changed(\"R\")", ":25: check: changed is about a visitor's actions"},
		{"latest == 20", "with seed=3..1: ended", ":25: check: 3..1 is not a range"},
		{"latest == 20", "with sed=3: ended", ":25: check: unknown parameter sed of the scene fonseca; did you mean seed?"},
	} {
		if strings.Count(good, c.old) == 0 {
			t.Fatalf("the lesson has no %q", c.old)
		}
		_, err := parse(strings.Replace(good, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), "some/21-one.md:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v\nwant %s", c.new, c.old, err, c.want)
		}
	}
	for _, name := range []string{"Lesson.md", "a lesson.md", "lesson.txt", "-.md"} {
		if _, err := lesson.Parse(scenes.All, name, []byte(good)); err == nil || !strings.Contains(err.Error(), "21-my-lesson.md") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	long := strings.Repeat("x", 61)
	if _, err := lesson.Parse(scenes.All, long+".md", []byte(good)); err == nil || !strings.Contains(err.Error(), "at most 60") {
		t.Errorf("a name that no link can have: error %v", err)
	}
	for _, text := range []string{"", "\xff\xfe", strings.Replace(good, "points", "\x00", 1), strings.Repeat("x", 300<<10)} {
		if _, err := parse(text); err == nil {
			t.Errorf("%.10q: got no error", text)
		}
	}
}

// TestOtherScene checks that a step may use another scene. The next step with a state returns to the lesson's scene. A
// number that a line of a text parameter defines can be given another value.
func TestOtherScene(t *testing.T) {
	step := func(state, goal, show string) string {
		return "\n## Step\nWords.\n\nstate: " + state + "\ngoal: `" + goal + "`\nshow: " + show + "\n"
	}
	const head = "---\ntitle: T\nquestion: Q\nminutes: 1\nscene: lab\n---\n"
	own := step("gradients=1,0;0,1", "near(length(1), 2)", "gradients=2,0;0,1")
	truss := step("scene=yours card=truss define.u=10 budget=1", "near(end(1), 1238, 1)", "define.u=1")
	check := "check: with define.u=0.001: near(end(1), 1.238)\n"
	l, err := parse(head + own + truss + check + own)
	if err == nil {
		err = l.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	if show := l.Steps[1].Show[0].Args; show["name"] != "define" || !strings.HasPrefix(show["value"].(string), "u = 1\nL = 200\n") {
		t.Errorf("define.u=1 sets %v", show)
	}
	for show, want := range map[string]string{
		"define.v=1": "no line gives the number v a value", "define.x1=1": "no line gives the number x1 a value",
		"define.u=ten": "u=ten is not a number", "f1.u=1": "unknown parameter f1.u of the scene yours",
	} {
		_, err := parse(head + step("scene=yours card=truss", "ended", show))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, not %s", show, err, want)
		}
	}
}

// TestWrongConditions checks that conditions can use only the scene's facts and parameters, with the right types.
func TestWrongConditions(t *testing.T) {
	for _, c := range []struct{ condition, want string }{
		{"collapsed(mgd) == 1", "unknown fact collapsed(mgd) of the scene fonseca; did you mean mgda?"},
		{"atEnd(mgda, 7) == 1", "unknown fact atEnd(mgda, 7) of the scene fonseca; did you mean atEnd(mgda, 1)?"},
		{"colapsed(mgda) == 1", "unknown fact or function colapsed of the scene fonseca; did you mean collapsed?"},
		{"collapsed(mgda, 1) == 1", "collapsed takes (method)"},
		{"collapsed == 1", "collapsed takes (method)"},
		{"atEnd(mgda) == 1", "atEnd takes (method, objective)"},
		{"atEnd(mgda, 3) == 1", "unknown fact atEnd(mgda, 3)"},
		{"collapsed(mgda)", "a condition is true or false; this is a number"},
		{"R == \"four\"", "takes a number here, not a text"},
		{"R && ended", "takes a truth here, not a number"},
		{"problem == \"fonsca\"", `problem is never "fonsca"; did you mean fonseca?`},
		{"hero == \"object\"", `unknown panel "object" of the scene fonseca`},
		{"method == \"ls\"", "method is a set, which cannot be compared"},
		{"param(\"Rr\") == 1", "unknown parameter Rr of the scene fonseca"},
		{"live(\"seed\")", "a change of seed restarts the runs"},
		{"changed(R, seed)", "changed takes 1 names, not 2"},
		{"scrubbed(1)", "scrubbed takes 0 names, not 1"},
		{"ls.weights == \"equal\"", `param("ls.lambda")`},
		{"mgda > 1", "unknown parameter or fact mgda"},
		{"max(R, 2) > 1", "unknown fact or function max of the scene fonseca"},
		{"sum([1, 2]) > 1", "unknown fact or function sum of the scene fonseca"},
		{"R in [1, 2]", "in is not supported here"},
		{"[R][0] > 1", "[ is not supported here, at character 1"},
		{"(R ?? 2) > 1", "?? is not supported here"},
		{"R > 1 ? true : false", "? is not supported here"},
		{"R % 2 == 0", "% is not supported here"},
		{"R > ", "unexpected end, at character"},
		{"near(R, age)", "in digits"},
		{"near(R)", "near takes"},
		{"tried > 1", "tried is a function; write brackets"},
		{strings.Repeat("R+", 600) + "R > 0", "must have 1 to 500 parts"},
		{strings.Repeat("(", 600) + "ended", "more than 500 nested brackets"},
		{"problem == 'fonseca", "not terminated"},
		{"R == 08", "invalid digit"},
		{"near(age, 1) near", "unexpected near, at character 14"},
		{"collapsed(0.5) == 1", "0.5 is neither a name nor a whole number"},
	} {
		_, err := parse(strings.Replace(good, `ended && R == 4 && problem == "fonseca"`, c.condition, 1))
		if err == nil || !strings.Contains(err.Error(), "some/21-one.md:19: goal: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: error %v\nwant %s", c.condition, err, c.want)
		}
	}
	// A scene without runs has no end to wait for.
	lab := strings.NewReplacer("scene: fonseca", "scene: lab").Replace(good)
	lab = lab[:strings.Index(lab, "state:")] + "goal: ended\nshow: eta=1\n"
	if _, err := parse(lab); err == nil || !strings.Contains(err.Error(), "the scene lab has no runs") {
		t.Errorf("error %v", err)
	}
}

// TestUntrue checks that a statement that does not hold is reported with its line.
func TestUntrue(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"R == 4", "R == 5",
			"its goal is not reached after Show: ended && R == 5 && problem == \"fonseca\"; ended = 1, R = 4, problem = fonseca"},
		{"R=5 ls.weights=equal budget=20 latest=5", "R=4 budget=20 ended", "step 1, First: its goal is already reached when it opens"},
		{"latest == 20", "latest == 21", "21-one.md:25: step 1, First: check: latest == 21 does not hold; latest = 20"},
		{"latest == 20", "with seed=2..3 budget=7: latest == 20", "check: with seed=2 budget=7: latest == 20 does not hold; latest = 7"},
		{"latest == 20", "with k=3: iteration == 4", "iteration == 4 does not hold; iteration = 3"},
		{"latest == 20", "with k=30: iteration == 4", "k=30: the runs are at 20"},
		{"latest == 20", "near(latest, 30, 9)", "near(latest, 30, 9) does not hold; latest = 20"},
		{"R=4 play", "R=4", "its goal is not reached after Show"},
		{"R=4 play", "R=4 select mgda-99 play", `show: select: unknown run "mgda-99"`},
	} {
		l, err := parse(strings.Replace(good, c.old, c.new, 1))
		if err != nil {
			t.Errorf("%s: %v", c.new, err)
			continue
		}
		if err := l.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v\nwant %s", c.new, err, c.want)
		}
	}
	for _, c := range []struct{ old, new string }{
		{"latest == 20", "near(latest, 20) && near(latest, 2e1) && near(-latest / 7, -2.86) && near(latest, 25, 5)"},
		{"latest == 20", "not (latest != 20) and (ended or fresh) && -latest < 0 && latest * 2 - 1 >= 39 && latest <= 20"},
		{"latest == 20", "with k=3: iteration == 3"},
		{"latest == 20", "with seed=2..3 budget=7: latest == 7 && near(seed, 2.5, 0.5)"},
		{"latest == 20", "hero == \"objective\" && runs(\"mgda\") == 10 && param(\"ls.weights\") == \"equal\" && !live(\"eta\")"},
		{"R == 4", "changed(R) && changed(\"R\")"},
	} {
		l, err := parse(strings.Replace(strings.Replace(good, "Up.\n", reason, 1), c.old, c.new, 1))
		if err == nil {
			err = l.Check()
		}
		if err != nil {
			t.Errorf("%s: %v", c.new, err)
		}
	}
}

// TestNamesWithHyphens checks that a method's name may have hyphens, and that an ellipsis may mean all shares after
// the first.
func TestNamesWithHyphens(t *testing.T) {
	l, err := lesson.Parse(scenes.All, "x.md", []byte("---\ntitle: X\nquestion: X?\nminutes: 1\nscene: clusters\n---\n## One\nX.\n\n"+
		"state: n=4 param.k=2 m=2 a=0.4,… method=most-l budget=3\ngoal: ended && first(most-l) >= 0 && mean(most-l) > 0\nshow: a=0.1,... play\n"+
		"check: param(\"k\") == 2\n"))
	if err == nil {
		err = l.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	settings, _ := link.Parse(l.Steps[0].State)
	if len(settings.Values) == 0 || !strings.Contains(l.Steps[0].State, "a=0.4,0.2,0.2,0.2") ||
		l.Steps[0].Show[0].Args["value"] != "0.1,0.3,0.3,0.3" {
		t.Errorf("state %s, show %v", l.Steps[0].State, l.Steps[0].Show)
	}
}

// TestFactsAreExplained checks that a scene that describes facts describes all of its facts with their arguments, and
// no others.
func TestFactsAreExplained(t *testing.T) {
	explained := 0
	for _, about := range scenes.All {
		if about.Facts == nil {
			continue
		}
		explained++
		used := map[string]bool{}
		for _, f := range about.New().Facts() {
			kind, rest, _ := strings.Cut(f.Name, ".")
			found := false
			for _, help := range about.Facts {
				takes := 0
				if rest != "" {
					takes = strings.Count(rest, ".") + 1
				}
				if help.Name == kind && len(help.Of) == takes {
					found, used[fmt.Sprint(kind, takes)] = true, true
				}
			}
			if !found {
				t.Errorf("%s: nothing says what %s is", about.ID, f.Name)
			}
		}
		for _, help := range about.Facts {
			if !used[fmt.Sprint(help.Name, len(help.Of))] {
				t.Errorf("%s: there is no fact %s of %q", about.ID, help.Name, help.Of)
			}
		}
	}
	if explained < 5 {
		t.Errorf("%d scenes say what their facts are", explained)
	}
}

// full has the features that good lacks.
const full = `---
title: One
question: Why?
number: 4
scene: fonseca
aim: say which points a weighted sum reaches
after: 01-conflict 02-nobody-is-hurt
know: A sum reaches what *bulges* towards the origin.
know: The rest it misses.
---

## First
[The sum](mark:ls) and [the front](mark:panel:objective).

state: method=ls ls.weights=given ls.lambda=0.5 budget=60 speed=30
hide: decision numbers
predict: Where do they end?
- [ ] In the middle.
  > It sounds fair.
- [x] At its ends.
  > Each rolls off.

goal: Find out what λ can do.
- values of λ ` + "`tried(\"ls.lambda\") >= 2`" + `
- all runs have
  ended ` + "`ended`" + `
show: ls.lambda=0.1 play ls.lambda=0.3 play
reveal: hero decision select ls-1
then: {atEnd(ls, 1)} end there, {100 * atEnd(ls, 1) / runs(ls) | 0} per cent; $x_{1}$ and \{this\} are none.

## Second
Now you.

kind: transfer
state: method=ls budget=20
goal: Play. ` + "`ended`" + `
show: play

# Review
ask: Ten points walk down
with λ = {l}. Where do they end?
draw: l=0.1,0.5
state: method=ls ls.weights=given ls.lambda={l} budget=60 ended
- All at one end. ` + "`atEnd(ls, 1) == 10 || atEnd(ls, 2) == 10`" + `
- At both ends. ` + "`atEnd(ls, 1) < 10 && atEnd(ls, 2) < 10`" + `
`

// TestFull parses the features of full: reasons, named parts, the visitor's numbers, marks, and the lesson's place
// among others.
func TestFull(t *testing.T) {
	l, err := parse(full)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Check(); err != nil {
		t.Error(err)
	}
	if *l.Number != 4 || l.Aim != "say which points a weighted sum reaches" ||
		!slices.Equal(l.After, []string{"01-conflict", "02-nobody-is-hurt"}) {
		t.Errorf("its place is %d, %q, %q", *l.Number, l.Aim, l.After)
	}
	if want := []string{"A sum reaches what <em>bulges</em> towards the origin.", "The rest it misses."}; !slices.Equal(l.Know, want) {
		t.Errorf("one knows %q", l.Know)
	}
	// The time consists of half a minute for the question, one minute for each of two goals, half a minute each for the
	// goal without a hint and for what to remember, the time to read the words, and twice the time of the runs: two of two
	// seconds and one at the scene's own speed.
	if least := 3.5 + float64(l.Words)/180 + 8.0/60; l.Words != 46 || l.Time() < least || l.Time() > least+0.2 || l.Minutes != 4 {
		t.Errorf("%d words, %g minutes, said to be %d", l.Words, l.Time(), l.Minutes)
	}
	s := l.Steps[0]
	if want := `<p><span class="mark" tabindex="0" data-mark="ls">The sum</span> and <span class="mark" tabindex="0" ` +
		`data-mark="panel:objective">the front</span>.</p>`; s.Text != want {
		t.Errorf("text %s", s.Text)
	}
	if !slices.Equal(s.Predict.Reasons, []string{"It sounds fair.", "Each rolls off."}) {
		t.Errorf("reasons %q", s.Predict.Reasons)
	}
	if len(s.Goal.Parts) != 2 || s.Goal.Parts[0].Text != "values of λ" || s.Goal.Parts[1].Text != "all runs have\nended" ||
		s.Goal.Condition.Op != "&&" || s.Goal.Text != "Find out what λ can do." {
		t.Errorf("goal %+v", s.Goal)
	}
	if want := `<p><span class="slot" data-slot="0" data-decimals="">…</span> end there, <span class="slot" data-slot="1" ` +
		`data-decimals="0">…</span> per cent; `; !strings.HasPrefix(s.Then, want) ||
		!strings.HasSuffix(s.Then, "</math> and {this} are none.</p>") ||
		len(s.Slots) != 2 {
		t.Errorf("then %s, %d slots", s.Then, len(s.Slots))
	}
	if len(s.Reveal) != 2 || s.Reveal[1].Args["run"] != "ls-1" || !slices.Equal(s.Hide, []string{"decision", "numbers"}) {
		t.Errorf("reveal %v, hide %v", s.Reveal, s.Hide)
	}
	questions, err := l.Questions()
	if err != nil {
		t.Fatal(err)
	}
	if len(questions) != 2 || questions[0].Right != 0 || questions[1].Right != 1 ||
		questions[0].Ask != "<p>Ten points walk down\nwith λ = 0.1. Where do they end?</p>" ||
		!strings.Contains(questions[0].State, "ls.lambda=0.1&latest=60&k=60") {
		t.Errorf("questions %+v", questions)
	}
	reached, err := l.Random(5, 1)
	if err != nil || len(reached) != 2 || reached[1].Reached != 5 || reached[1].Step != 2 {
		t.Errorf("random visitors %+v, %v: everybody reaches the second goal", reached, err)
	}
}

// TestFullWrong checks the errors for faults in the features of full.
func TestFullWrong(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"number: 4", "number: four", `:4: number is "four"; expected the lesson’s place`},
		{"number: 4", "number: 4\nminutes: 0", `:5: minutes is "0"`},
		{"after: 01", "after: ../01", `:7: after: invalid name "../01-conflict" of a lesson`},
		{"know: The", "know: b\nknow: c\nknow: The", ":11: know appears more than 3 times"},
		{"know: The rest", "know: <b>The</b> rest", ":9: HTML is not allowed"},
		{"mark:ls", "mark:lss", ":13: mark:lss: it is neither a method of the scene fonseca nor panel: and a panel; did you mean ls?"},
		{"mark:panel:objective", "mark:panel:objectives", "has no such panel in this state; did you mean objective?"},
		{"decision numbers", "decision nombers", `hide: "nombers" is neither a panel`},
		{"predict: Where do they end?\n- [ ] In the middle.\n  > It sounds fair.\n- [x] At its ends.\n  > Each rolls off.\n", "",
			"hide: needs predict:"},
		{"  > It sounds fair.\n", "  > It sounds fair.\n  Really.\n", ":20: each line of a reason must begin with >"},
		{"`tried(\"ls.lambda\") >= 2`", "`tried(\"ls.lamda\") >= 2`", ":24: goal: tried"},
		{"select ls-1", "play", ":28: reveal: play would change the result"},
		{"hero decision", "hero decisions", `:28: reveal: unknown panel "decisions"`},
		{"{atEnd(ls, 1)} end", "{atEnd(ls, 3)} end", ":29: then: unknown fact atEnd(ls, 3)"},
		{"{atEnd(ls, 1)} end", "{ended} end", ":29: then: a number is expected; this is a truth"},
		{"| 0}", "| two}", ":29: after |, expected the number of decimals"},
		{"{atEnd(ls, 1)} end", "{atEnd(ls, 1) end", ":29: then: unexpected end"},
		{"Now you.", "Now {you}.", ":32: {…}, a number of the visitor, is allowed only in then:"},
		{"kind: transfer", "kind: transfr", `:34: kind: unknown kind of step "transfr"`},
		{"kind: transfer", "kind: transfer\nhint: Press Play.", ":35: hint: a step of the kind transfer cannot have a hint"},
		{"ask: Ten points walk down\nwith λ = {l}. Where do they end?\n", "", ":39: the question is missing"},
		{"draw: l=0.1,0.5", "draw: l=0.1,,0.5", ":42: draw: l=0.1,,0.5 is not of the form"},
		{"draw: l=0.1,0.5", "draw: l=0.1,0.2,0.3,0.4 m=1,2,3,4", ":42: draw: 16 combinations; the maximum is 12"},
		{"draw: l", "drew: l", ":42: unknown part \"drew\" of the question; did you mean draw?"},
		{"- At both ends. `atEnd(ls, 1) < 10 && atEnd(ls, 2) < 10`\n", "", ":39: the question has 1 answers"},
		{"ls.lambda={l} budget=60 ended", "ls.lamda={l} budget=60 ended", ":43: state: unknown parameter ls.lamda"},
	} {
		text := strings.Replace(full, c.old, c.new, 1)
		if text == full {
			t.Errorf("%q is not there", c.old)
		}
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v\nwant %s", c.new, err, c.want)
		}
	}
	for _, c := range []struct{ old, new, want string }{
		{"atEnd(ls, 1) == 10 || atEnd(ls, 2) == 10", "latest == 60", "two answers are right"},
		{"atEnd(ls, 1) == 10 || atEnd(ls, 2) == 10", "latest == 61", "question 1: no answer is right; latest = 60"},
		{"l=0.1,0.5", "l=0.1,0.05", "the same answer is right for all drawn numbers"},
	} {
		l, err := parse(strings.Replace(full, c.old, c.new, 1))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Questions(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v\nwant %s", c.new, err, c.want)
		}
	}
	l, err := parse(strings.Replace(full, "  > It sounds fair.\n", "", 1))
	if err != nil {
		t.Fatal(err)
	}
	const want = ":12: step 1, First: the wrong answer “In the middle.” has no reason"
	if err := l.Check(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("without a reason: %v", err)
	}
}

package browser

import (
	"encoding/json"
	"fmt"
	"testing"

	"paretoplay/internal/browser/chrome"
	"paretoplay/internal/teach/lesson"
	"paretoplay/scenes"
)

// machineLesson is a lesson with every feature that lessons can have, in a fast scene.
const machineLesson = `---
title: All of a lesson
question: Does each part work?
scene: fonseca
know: One.
know: Two.
know: Three.
---

## First
Ten points walk downhill. [The sum](mark:ls) counts both alike; [the front](mark:panel:objective) is the best there is.

state: method=ls ls.weights=given ls.lambda=0.5 budget=20 speed=max
hero: weights
keys: ls.lambda
hide: objective numbers
predict: Where do they end?
- [ ] In the middle.
  > It sounds fair.
- [x] At its ends.
- [ ] Nowhere.
  > They stop at the front.

goal: Find out what the weight can do.
- values of the weight ` + "`tried(\"ls.lambda\") >= 3`" + `
- all runs have ended ` + "`ended`" + `
show: ls.lambda=0.1 play ls.lambda=0.3 play ls.lambda=0.9 play
reveal: hero objective select ls-3
then: The weight was {param("ls.lambda") | 2} after {latest} steps.

## Second
Now you.

kind: transfer
state: scene=lab
predict: Is it easy?
- [ ] No.
  > It is.
- [x] Yes.

## Third
Once more.

state: method=ls budget=20 speed=max
goal: Play. ` + "`ended && iteration >= 20`" + `
show: play
then: There.
`

// taught opens a page of a site whose only lesson is machineLesson.
func taught(t *testing.T, options ...option) *page {
	t.Helper()
	l, err := lesson.Parse(scenes.All, "30-machine.md", []byte(machineLesson))
	if err != nil {
		t.Fatal(err)
	}
	data, err := l.JSON()
	if err != nil {
		t.Fatal(err)
	}
	list, err := json.Marshal([]lesson.Head{l.Head})
	if err != nil {
		t.Fatal(err)
	}
	h := hostSite(t, true)
	h.mu.Lock()
	h.changed["lessons.json"], h.changed["lessons/30-machine.json"] = string(list), string(data)
	h.mu.Unlock()
	p := open(t, h.address+"#v=1&scene=fonseca&lesson=30-machine:1", options...)
	p.js(nil, `() => playground.ready`)
	p.until("the question", `() => document.querySelector('#lesson .lesson-predict')`)
	return p
}

// tells waits until the lesson shows a text in a visible element.
func (p *page) tells(selector, text string) {
	p.Helper()
	p.until(fmt.Sprintf("%q in %s", text, selector), `(selector, text) => [...document.querySelectorAll('#lesson ' + selector)]
		.some((node) => node.checkVisibility() && node.textContent === text)`, selector, text)
}

// TestLessonMachine: parts that answer a question are hidden until the visitor has answered it. A goal shows its
// progress, even after reloads. Once the goal is reached, a text quotes the visitor's own numbers, and the panel that
// the text is about comes to the front.
func TestLessonMachine(t *testing.T) {
	t.Parallel()
	p := taught(t, size(1440, 900))
	covered := func() string {
		return p.raw(`() => [playground.state().hero, document.querySelector('#below .words').checkVisibility(),
			document.querySelector('#experiments').checkVisibility(), [...document.querySelectorAll('#descriptions dt')].some((dt) =>
				dt.textContent.startsWith('Not shown yet'))].join()`)
	}
	if got := covered(); got != `"weights,false,false,true"` {
		t.Errorf("before the answer: %s", got)
	}
	var answers []string
	p.js(&answers, `() => [...document.querySelectorAll('.lesson-predict label')].map((label) => label.textContent)`)
	if len(answers) != 3 {
		t.Errorf("the answers are %q", answers)
	}
	p.press(".lesson-predict input[value='0']")
	p.press(".lesson-predict [type=submit]")
	p.until("nothing hidden", `() => document.querySelector('#below .words').checkVisibility() &&
		![...document.querySelectorAll('#descriptions dt')].some((dt) => dt.textContent.startsWith('Not shown yet'))`)
	p.tells(".lesson-far", "0, required: ≥ 3")
	try := func(weight string) {
		p.js(nil, `async (weight) => {
			await playground.set('ls.lambda', weight);
			await playground.reset();
			await playground.step(20);
		}`, weight)
	}
	try("0.2")
	p.tells(".lesson-far", "1, required: ≥ 3")
	try("0.4")
	p.tells(".lesson-far", "2, required: ≥ 3")
	p.run(chrome.Reload())
	p.js(nil, `() => playground.ready`)
	p.tells(".lesson-far", "2, required: ≥ 3")
	if answer := p.raw(`() => document.querySelector('.lesson-said').textContent.includes('In the middle.')`); answer != "true" {
		t.Error("the prediction is lost")
	}
	try("0.65")
	p.tells(".lesson-sign.reached", "Reached")
	p.tells(".lesson-then", "The weight was 0.65 after 20 steps.")
	p.tells(".lesson-reason", "It sounds fair.")
	p.until("what is told of in front", `() => {
		const { hero, selected } = playground.state();
		return hero === 'objective' && selected === 'ls-3';
	}`)
	p.until("the sign of what one has done", `() => document.querySelector('#lesson .lesson-steps .reached[data-part=step-1]')`)
	p.run(chrome.Reload())
	p.js(nil, `() => playground.ready`)
	p.tells(".lesson-then", "The weight was 0.65 after 20 steps.")
}

// TestLessonMarks: a word that names a method shows the method's marker. While a word that names a panel has the focus,
// a frame surrounds the panel.
func TestLessonMarks(t *testing.T) {
	t.Parallel()
	p := taught(t, size(1440, 900))
	p.js(nil, `() => document.querySelector('#lesson .mark[data-mark=ls]').focus()`)
	if sign := p.raw(`() => Boolean(document.querySelector('#lesson .mark[data-mark=ls] .sign path'))`); sign != "true" {
		t.Error("the words that name a method have no sign")
	}
	inLine := p.raw(`() => [...document.querySelectorAll('#lesson .mark')].every((m) => getComputedStyle(m).position === 'static')`)
	if inLine != "true" {
		t.Error("words that name a mark are not aligned with their line")
	}
	p.js(nil, `() => document.querySelector('#lesson .mark[data-mark^=panel]').focus()`)
	p.press(".lesson-predict .lesson-quiet")
	p.js(nil, `() => document.querySelector('#lesson .mark[data-mark^=panel]').focus()`)
	p.until("the panel framed", `() => {
		const frame = document.querySelector('#stage').contentDocument.getElementById('lit');
		return !frame.hidden && frame.dataset.panel === 'objective';
	}`)
	p.js(nil, `() => document.activeElement.blur()`)
	p.until("no panel framed", `() => document.querySelector('#stage').contentDocument.getElementById('lit').hidden`)
}

// TestLessonWays: goals reached by "Show me" count as seen, not as done. Visitors who leave find the way back. The end
// of the lesson shows what to remember.
func TestLessonWays(t *testing.T) {
	t.Parallel()
	p := taught(t, size(1440, 900))
	p.press(".lesson-predict .lesson-quiet")
	p.press("[data-part=show]")
	p.tells(".lesson-sign.reached", "Reached")
	p.until("that it was shown", `() => document.querySelector('#lesson .lesson-shown').checkVisibility() &&
		document.querySelector('#lesson .lesson-steps .shown[data-part=step-1]')`)
	p.press("[data-part=back]")
	p.until("the step anew", `() => !document.querySelector('#lesson .lesson-sign').classList.contains('reached')`)
	p.click("#neighbours a:last-child, #neighbours button:last-child")
	p.until("another scene, and the way back", `() => playground.state().lesson === null &&
		document.querySelector('#lesson .lesson-left button')?.checkVisibility()`)
	p.press(".lesson-left button")
	p.until("the step again", `() => playground.state().lesson?.step === 1 &&
		!document.querySelector('#lesson .lesson-left').checkVisibility()`)
	p.press("[data-part=next]")
	p.until("the second step, to do alone", `() => document.querySelector('#lesson h3')?.textContent.startsWith('Step 2 of 3, on your own')`)
	p.press(".lesson-predict input[value='1']")
	p.press(".lesson-predict [type=submit]")
	p.until("that it is done", `() => document.querySelector('#lesson .lesson-steps .reached[data-part=step-2]')`)
	p.press("[data-part=next]")
	p.until("the last step", `() => document.querySelector('#lesson h3')?.textContent.startsWith('Step 3 of 3')`)
	p.js(nil, `() => playground.step(20)`)
	p.until("what one knows", `() => document.querySelectorAll('#lesson .lesson-kept ul li').length === 3 &&
		document.querySelector('#lesson .lesson-kept summary').textContent === 'Your predictions: 1 of 2 right at the first attempt'`)
}

// TestLessonPlaces: on a phone, the step's control is within the lesson, and the lesson's tab shows when a goal is
// reached. An embedded or presented page keeps the control and the lesson.
func TestLessonPlaces(t *testing.T) {
	t.Parallel()
	control := `() => document.querySelector('#lesson .parameters #param-ls-lambda')?.checkVisibility() &&
		!document.querySelector('#lesson .parameters #param-budget')?.checkVisibility()`
	p := taught(t, touchScreen(390, 844))
	p.press(".lesson-predict .lesson-quiet")
	p.until("the control in the lesson", control)
	p.js(nil, `() => [...document.querySelectorAll('#phone-tabs button')].find((b) => b.textContent === 'Controls').click()`)
	p.until("all controls", `() => document.querySelector('#parameters').parentElement.id === 'scene' &&
		document.querySelector('#param-ls-lambda').checkVisibility()`)
	p.js(nil, `async () => {
		for (const weight of ['0.1', '0.3', '0.9']) {
			await playground.set('ls.lambda', weight);
			await playground.reset();
			await playground.step(20);
		}
	}`)
	p.until("the sign that the goal is reached", `() => [...document.querySelectorAll('#phone-tabs .told')]
		.some((b) => b.textContent === 'Lesson 1/3 ✓')`)

	q := taught(t, size(1440, 900))
	q.press(".lesson-predict .lesson-quiet")
	q.until("the controls beside the picture", `() => document.querySelector('#parameters').parentElement.id === 'scene'`)
	q.js(nil, `() => playground.present(true)`)
	q.until("the control on the presented page", control)
	q.js(nil, `() => playground.present(false)`)
	q.until("the controls back", `() => document.querySelector('#parameters').parentElement.id === 'scene'`)
}

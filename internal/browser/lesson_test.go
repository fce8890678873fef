package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

// lessonEntry is a lesson as the path lists it. lessonStep holds the fields of a step that the tests need.
type (
	lessonEntry struct {
		Name  string
		Title string
		Scene string
		Steps int
	}
	lessonStep struct {
		Title   string
		Then    string
		Keys    []string
		Predict *struct{ Right []int }
		Goal    *struct{ Text string }
		Show    []any
	}
)

// maxOfLessons is the time limit for all lessons, which compute for minutes on shared machines.
const maxOfLessons = 25 * time.Minute

// school opens a page with enough time to work through complete lessons.
func school(t *testing.T, address string, options ...option) *page {
	t.Helper()
	return readyApart(t, maxOfLessons, address, options...) // lessons remember what was reached and predicted
}

// ofSite is a JavaScript expression for the function that gets a file of the site. A single-file page contains the
// file; any other page gets it from the host.
const ofSite = `(window.paretoplayInside?.get ?? fetch)`

// path returns the lessons of the site.
func (p *page) path() (list []lessonEntry) {
	p.Helper()
	p.js(&list, `async () => (await `+ofSite+`('lessons.json')).json()`)
	if len(list) == 0 {
		p.Fatal("the site has no lessons")
	}
	return list
}

// steps returns the steps of a lesson.
func (p *page) steps(name string) []lessonStep {
	p.Helper()
	var l struct{ Steps []lessonStep }
	p.js(&l, `async (name) => (await `+ofSite+`('lessons/' + name + '.json')).json()`, name)
	return l.Steps
}

// press presses a button of the lesson, or chooses an answer, as a click does.
func (p *page) press(selector string) {
	p.Helper()
	p.js(nil, `(selector) => {
		const node = document.querySelector('#lesson ' + selector);
		if (!node) throw new Error('the lesson has no ' + selector);
		if (!node.checkVisibility()) throw new Error(selector + ' is not shown');
		node.click();
	}`, selector)
}

// at waits for the heading of a step.
func (p *page) at(l lessonEntry, step int, title string) {
	p.Helper()
	want := fmt.Sprintf("Step %d of %d", step, l.Steps) // then comes whether the step is to be done alone, and its title
	var shown string
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(25 * time.Millisecond) {
		if p.js(&shown, `() => document.querySelector('#lesson h3')?.textContent ?? ''`); strings.HasPrefix(shown, want) &&
			strings.HasSuffix(shown, title) {
			return
		}
	}
	var held string
	p.js(&held, `() => JSON.stringify(playground.state().lesson) + ' at ' + location.hash.slice(0, 120)`)
	p.Fatalf("%s shows %q, not %q, %q; the scene has the lesson %s", l.Name, shown, want, title, held)
}

// answer answers the question of a step, after which the step's goal appears.
func (p *page) answer(s lessonStep, answer int) {
	p.Helper()
	if s.Predict == nil {
		return
	}
	var early bool
	if p.js(&early, `() => Boolean(document.querySelector('#lesson .lesson-goal'))`); early {
		p.Errorf("%s: the goal is open before the prediction", s.Title)
	}
	p.press(fmt.Sprintf(".lesson-predict input[value='%d']", answer)) // answers may be in any order
	p.press(".lesson-predict [type=submit]")
}

// seen checks the content of a completed step.
func (p *page) seen(s lessonStep, answer int) {
	p.Helper()
	var shown struct {
		Sign, Said, Outcome, Next string
		Then, Wide                bool
	}
	// The page scrolls the new text into view only after layout.
	p.until(s.Title+": what there is to see in it is in the window",
		`() => !(document.querySelector('#lesson .lesson-then')?.getBoundingClientRect().bottom > innerHeight + 1)`)
	p.js(&shown, `() => {
		const text = (selector) => document.querySelector('#lesson ' + selector)?.textContent ?? '';
		return { sign: text('.lesson-sign'), said: text('[aria-live]'), outcome: text('.lesson-outcome'), next: text('.lesson-foot button'),
			then: Boolean(document.querySelector('#lesson .lesson-then')),
			wide: document.documentElement.scrollWidth > document.documentElement.clientWidth };
	}`)
	if shown.Sign != "Reached" || shown.Said != "The goal is reached." || shown.Then != (s.Then != "") {
		p.Errorf("%s: %+v", s.Title, shown)
	}
	if shown.Wide {
		p.Errorf("%s: the page is wider than the window", s.Title)
	}
	if s.Predict == nil {
		return
	}
	right := false
	for _, r := range s.Predict.Right {
		right = right || r == answer
	}
	if got := strings.HasPrefix(shown.Outcome, "You were right: "); got != right || shown.Outcome == "" {
		p.Errorf("%s: answer %d, right are %v: %q", s.Title, answer, s.Predict.Right, shown.Outcome)
	}
}

// learn works through a lesson with the lesson's own solutions. If plays is true, runs play frame by frame at full
// speed. Otherwise they go to their end immediately, because drawing in software takes a long time.
func (p *page) learn(l lessonEntry, plays bool) {
	p.Helper()
	steps := p.steps(l.Name)
	p.js(nil, `(name) => playground.lesson(name, 1)`, l.Name)
	for i, s := range steps {
		p.at(l, i+1, s.Title)
		answer := i % 2
		p.answer(s, answer)
		if s.Goal != nil {
			var reached bool
			if p.js(&reached, `() => playground.state().lesson.reached`); reached {
				p.Errorf("%s: the goal is reached as the step opens", s.Title)
			}
			if slices.Contains(s.Keys, "method") {
				p.until("the methods that "+s.Title+" asks for", `() => { // otherwise "method" is another control
					const methods = document.querySelector('.controls .methods');
					return !methods.querySelector('[id^="param-method-"]') || methods.checkVisibility();
				}`)
			}
			p.press("[data-part=show]")
			// Runs that a visitor would watch at a moderate pace are sped up here, and must still reach the goal.
			p.until("the goal of "+s.Title, `async (plays) => {
				const { playing, params, budget, latest } = playground.state();
				if (playing && 'speed' in params && params.speed !== 'slow') {
					await (plays ? playground.set('speed', 'max') : playground.step(budget - latest));
				}
				return document.querySelector('#lesson .lesson-sign')?.classList.contains('reached');
			}`, plays)
			p.seen(s, answer)
		}
		p.until("rest", `() => !playground.state().playing`)
		if i+1 < len(steps) {
			p.press("[data-part=next]")
		}
	}
	var end bool
	if p.js(&end, `() => Boolean(document.querySelector('#lesson .lesson-end'))`); !end {
		p.Error("the lesson has no end")
	}
}

// TestLessons: every lesson can be completed with its own solutions, on a desktop and on a phone. The short form uses
// every fourth lesson.
func TestLessons(t *testing.T) {
	t.Parallel()
	for name, screen := range map[string]option{"desk": size(1440, 900), "phone": touchScreen(390, 844)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := school(t, "#v=1&scene=lab", screen)
			for i, l := range p.path() {
				if testing.Short() && i%4 > 0 {
					continue
				}
				p.part(l.Name, func() { p.learn(l, false) })
			}
		})
	}
}

// TestLessonWithoutMotion: visitors who prefer reduced motion reach the same goals.
func TestLessonWithoutMotion(t *testing.T) {
	t.Parallel()
	p := school(t, "#v=1&scene=lab", still())
	for _, l := range p.path() {
		if l.Scene == "fonseca" {
			p.learn(l, true)
			return
		}
	}
	t.Error("no lesson has runs")
}

// TestLessonByKeyboard: a lesson can be completed with only the keyboard. The focus moves to the next part, and
// completed steps are remembered.
func TestLessonByKeyboard(t *testing.T) {
	t.Parallel()
	p := school(t, "#v=1&scene=lab", size(1440, 900))
	var l lessonEntry
	for _, other := range p.path() {
		if other.Scene == "lab" && other.Steps > 1 {
			l = other
			break
		}
	}
	steps := p.steps(l.Name)
	p.js(nil, `(name) => playground.lesson(name, 1)`, l.Name)
	p.at(l, 1, steps[0].Title)
	p.focus("#lesson [data-part=step-1]")
	for i, s := range steps[:2] {
		p.tabTo("an answer", `input[type=radio]`)
		p.key(" ")
		p.key(chrome.ArrowDown)
		var answer int // the second in the order on the page
		p.js(&answer, `() => Number(document.querySelector('#lesson .lesson-predict input:checked').value)`)
		p.tabTo("Predict", `.lesson-predict [type=submit]`)
		p.key(chrome.Enter)
		p.inFocus("the goal", `.lesson-goal h4`)
		p.tabTo("the hint", `.lesson-hint summary`)
		p.key(chrome.Enter)
		p.until("the hint open", `() => document.querySelector('#lesson .lesson-hint').open`)
		p.tabTo("Show me", `[data-part=show]`)
		p.key(chrome.Enter)
		p.until("the goal", `() => document.querySelector('#lesson .lesson-sign').classList.contains('reached')`)
		p.inFocus("Show me again", `[data-part=show]`)
		p.seen(s, answer)
		p.tabTo("Back to the step", `[data-part=back]`)
		p.key(chrome.Enter)
		p.until("the step anew", `() => !document.querySelector('#lesson .lesson-sign').classList.contains('reached')`)
		p.inFocus("Back to the step", `[data-part=back]`)
		p.tabTo("Next", `[data-part=next]`)
		p.key(chrome.Enter)
		p.at(l, i+2, steps[i+1].Title)
		p.inFocus("the next step", `h3`)
	}
	p.run(chrome.Reload())
	p.js(nil, `() => playground.ready`)
	p.until("the steps that were shown", `() => document.querySelectorAll('#lesson .lesson-steps .shown').length === 2`)
	p.press(".lesson-name button")
	p.until("no lesson", `() => document.querySelector('#lesson').hidden`)
}

// tabTo presses Tab until a part of the lesson has the focus.
func (p *page) tabTo(what, selector string) {
	p.Helper()
	for range 20 {
		var there bool
		if p.js(&there, `(selector) => document.activeElement.matches('#lesson ' + selector)`, selector); there {
			return
		}
		p.key(chrome.TabKey)
	}
	p.Fatalf("Tab does not lead to %s", what)
}

// inFocus waits until a part of the lesson has the focus.
func (p *page) inFocus(what, selector string) {
	p.Helper()
	p.until("the focus on "+what, `(selector) => document.activeElement.matches('#lesson ' + selector)`, selector)
}

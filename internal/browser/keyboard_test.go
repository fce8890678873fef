package browser

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

// focused names the focused element, in the page or in the picture's document.
func (p *page) focused() (name string) {
	p.Helper()
	p.js(&name, `() => {
		let at = document.activeElement, where = '';
		if (at?.id === 'stage') {
			const inner = at.contentDocument.activeElement;
			if (inner && inner !== at.contentDocument.body) { at = inner; where = 'picture '; }
		}
		if (!at || at === document.body) return '';
		window.names ??= new WeakMap();
		if (!names.has(at)) names.set(at, (window.named = (window.named ?? 0) + 1));
		return where + at.tagName.toLowerCase() + ' ' + (at.dataset.handle ?? at.id) + ' ' + names.get(at);
	}`)
	return name
}

// walk presses Tab until the focus is back at its start, and returns the elements on the way.
func (p *page) walk(modifiers ...chrome.Modifier) (way []string) {
	p.Helper()
	for range 400 {
		p.key(chrome.TabKey, modifiers...)
		name := p.focused()
		if slices.Contains(way, name) {
			if name == way[0] || name == "" {
				return way
			}
			p.Fatalf("Tab came back to %q after %q: the way so far is\n%s", name, way[len(way)-1], strings.Join(way, "\n"))
		}
		way = append(way, name)
	}
	p.Fatalf("Tab does not return to its start; it ends %v", way[390:])
	return nil
}

// TestTab: the Tab key moves the focus through the whole page, including the picture's points, and out again.
func TestTab(t *testing.T) {
	p := ready(t, resting)
	p.js(nil, `() => playground.step(3)`)
	for name, modifiers := range map[string][]chrome.Modifier{"forward": nil, "backward": {chrome.Shift}} {
		p.part(name, func() {
			p.js(nil, `() => document.activeElement.blur()`)
			way := p.walk(modifiers...)
			all := strings.Join(way, "\n")
			for _, stop := range []string{
				"a to-gallery", "button next-scene", "button share", "select theme", "button play", "input time", "input param-R",
				"button start-1 ", "picture canvas", "div readout",
			} {
				if !strings.Contains(all, stop) {
					p.Errorf("Tab does not reach %q", stop)
				}
			}
			inside := 0
			for i, name := range way {
				if strings.HasPrefix(name, "picture") && (i == 0 || !strings.HasPrefix(way[i-1], "picture")) {
					inside++
				}
			}
			if inside != 1 {
				p.Errorf("Tab enters the picture %d times", inside)
			}
			if points := strings.Count(all, "picture button"); points != 1 {
				p.Errorf("Tab reaches %d of the picture's points", points)
			}
			if p.Failed() {
				p.Logf("the way:\n%s", all)
			}
		})
	}
}

// TestWideReadout: if the readout has more columns than fit, a marker shows on which side columns are hidden, and the
// arrow keys scroll to them.
func TestWideReadout(t *testing.T) {
	t.Parallel()
	p := ready(t, resting, size(360, 740))
	p.js(nil, `() => playground.step(3)`)
	p.sheet("Numbers")
	p.focus("#readout")
	signs := func(when, hidden string) {
		t.Helper()
		p.until(hidden+" "+when, `(hidden) => {
			const readout = document.getElementById('readout');
			const left = getComputedStyle(readout.querySelector('thead th'), '::before').visibility === 'visible';
			const right = getComputedStyle(readout.querySelector('.more-columns'), '::before').visibility === 'visible';
			return readout.dataset.hidden === hidden && left === hidden.includes('left') && right === hidden.includes('right');
		}`, hidden)
	}
	signs("at the first column", "right")
	p.key(chrome.ArrowRight)
	signs("between the ends", "left right")
	p.js(nil, `() => document.getElementById('readout').scrollTo({ left: 1e6, behavior: 'instant' })`)
	signs("at the last column", "left")
	var k int
	p.js(&k, `() => playground.state().iteration`)
	if k != 3 {
		t.Errorf("the arrow that scrolls the readout moves the time marker to %d", k)
	}
	p.js(nil, `() => document.getElementById('readout').style.setProperty('width', '1200px')`)
	signs("with room for all", "")
}

// TestKeys: shortcut keys have the same effect whether the page or the picture has the focus.
func TestKeys(t *testing.T) {
	p := ready(t, resting)
	for _, from := range []string{"page", "picture"} {
		p.part("from the "+from, func() {
			p.js(nil, `() => playground.reset()`)
			if from == "picture" {
				// The first click into another window may only bring it to the front.
				for focused, end := false, time.Now().Add(patience); !focused && time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
					at := p.empty()
					p.mouse(chrome.Press, at)
					p.mouse(chrome.Release, at)
					p.js(&focused, `() => document.activeElement.id === 'stage'
						&& document.getElementById('stage').contentDocument.activeElement.tagName === 'CANVAS'`)
				}
				p.until("the canvas focused", `() => document.activeElement.id === 'stage'
					&& document.getElementById('stage').contentDocument.activeElement.tagName === 'CANVAS'`)
			} else {
				p.js(nil, `() => document.activeElement.blur()`)
			}
			for i := 1; i <= 3; i++ {
				p.key("s")
				p.until("a step", `(k) => playground.state().latest === k`, i)
			}
			p.key(chrome.ArrowLeft)
			p.until("one back", `() => playground.state().iteration === 2`)
			p.key(chrome.ArrowRight)
			p.until("one forward", `() => playground.state().iteration === 3`)
			p.key(chrome.ArrowLeft, chrome.Shift)
			p.until("ten back, as far as there is", `() => playground.state().iteration === 0`)
			p.key(chrome.End)
			p.until("the latest", `() => playground.state().iteration === 3`)
			p.key(chrome.Home)
			p.until("the start", `() => playground.state().iteration === 0`)

			p.key(" ")
			p.until("playing", `() => playground.state().playing && playground.state().iteration > 3`)
			p.key(" ")
			p.until("paused", `() => !playground.state().playing`)
			p.key("r")
			p.until("at the start again", `() => playground.state().latest === 0`)
			seed := p.state().Params["seed"]
			p.key("n")
			p.changed("seed", seed)
			p.key("?")
			p.until("the help", `() => document.getElementById('help-dialog').open`)
			p.key(chrome.Escape)
			p.until("no help", `() => !document.getElementById('help-dialog').open`)
		})
	}
}

// TestKeysAtOnce: every key counts, even if the keys are pressed faster than the page learns their effects.
func TestKeysAtOnce(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	press := func(keys ...string) {
		t.Helper()
		p.js(nil, `async (keys) => {
			for (const key of keys) {
				document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
				for (let i = 0; i < 10; i++) await null; // the immediate effects of a key, without messages
			}
		}`, keys)
	}
	press("s", "s", "s", "ArrowLeft", "ArrowLeft", "ArrowRight", "s", "ArrowLeft")
	p.until("one back from four steps", `() => playground.state().iteration === 3 && playground.state().latest === 4`)
	p.until("nothing under way", `() => playground.state().progress === null`)
	press(" ", " ", "ArrowLeft", "ArrowLeft")
	p.until("two back, not playing", `() => { const s = playground.state(); return s.iteration === 2 && s.latest === 4 && !s.playing; }`)
}

// TestLateMessage: if a message that the picture sent before a step arrives after the step, the keys and the visitor
// still see the result of the step.
func TestLateMessage(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.js(nil, `async () => {
		const picture = document.getElementById('stage').contentWindow;
		await playground.step(2);
		const before = JSON.stringify(picture.stage.callNow('status'));
		await playground.step(1);
		const late = new Promise((resolve) => addEventListener('message', resolve, {once: true}));
		picture.paretoplayEvent('frame', before);
		await late;
		const shown = document.querySelector('#playback output').textContent;
		if (shown !== '3') throw new Error('iteration ' + shown + ' is shown after 3 steps');
	}`)
	p.key(chrome.ArrowLeft)
	p.until("one back", `() => playground.state().iteration === 2`)
}

// TestKeysInInputs: keys typed into an input are text.
func TestKeysInInputs(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.js(nil, `() => playground.step(3)`)
	before := p.state()
	p.focus("#param-eta")
	p.key("rsn? ")
	p.js(nil, `() => document.activeElement.blur()`)
	if after := p.state(); after.Latest != 3 || after.Playing || after.Params["seed"] != before.Params["seed"] {
		t.Errorf("typing changed the runs: iteration %d, playing %t, seed %v", after.Latest, after.Playing, after.Params["seed"])
	}
}

// TestTypingWhilePlaying: text that a visitor types while the runs play and other values arrive is not overwritten.
func TestTypingWhilePlaying(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.js(nil, `async () => {
		await playground.set('budget', 5000);
		await playground.play();
	}`)
	p.focus("#param-eta")
	p.js(nil, `() => document.activeElement.select()`)
	for i, digit := range "0.25" {
		p.key(string(digit))
		p.js(nil, `(r) => playground.set('R', r)`, 5+i)
		p.until("the other value shown", `(r) => document.getElementById('param-R').valueAsNumber === r`, 5+i)
	}
	p.key(chrome.Enter)
	p.until("η as it was typed", `() => playground.state().params.eta === 0.25 &&
		document.getElementById('param-eta').valueAsNumber === 0.25`)
}

// TestKeysOnPoints: arrow keys go from point to point. After Enter or Space they move the point, and with Shift ten
// times as far, until Esc is pressed. The focus stays on the point.
func TestKeysOnPoints(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.until("the points' proxies", `() => document.getElementById('stage').contentDocument.querySelector('[data-handle="start-2"]')`)
	p.js(nil, `() => {
		const {contentWindow, contentDocument} = document.getElementById('stage');
		contentWindow.focus();
		contentDocument.querySelector('[data-handle="start-1"]').focus();
	}`)
	on := func(handle string, held bool) {
		t.Helper()
		p.until(fmt.Sprintf("%s, held %t", handle, held), `(handle, held) => {
			const {activeElement} = document.getElementById('stage').contentDocument;
			return activeElement.dataset.handle === handle && activeElement.ariaPressed === String(held) && activeElement.tabIndex === 0;
		}`, handle, held)
	}
	before := p.state()
	p.key(chrome.ArrowLeft) // there is no point before it
	on("start-1", false)
	p.key(chrome.ArrowDown)
	p.key(chrome.ArrowRight)
	on("start-3", false)
	p.key(chrome.ArrowUp)
	on("start-2", false)
	if after := p.state(); fmt.Sprint(after.Runs) != fmt.Sprint(before.Runs) || after.Iteration != before.Iteration {
		t.Error("arrow keys that select points also move one")
	}
	p.key(" ")
	on("start-2", true)
	p.key(chrome.Escape)
	on("start-2", false)
	p.key(chrome.Enter)
	on("start-2", true)
	at := func() []float64 { return p.state().Runs[1].Start }
	moved := func(what string, key string, modifiers ...chrome.Modifier) float64 {
		t.Helper()
		before := at()
		p.key(key, modifiers...)
		p.until(what, `(before) => JSON.stringify(playground.state().runs[1].start) !== JSON.stringify(before)`, before)
		after := at()
		return math.Hypot(after[0]-before[0], after[1]-before[1])
	}
	one := moved("a move to the right", chrome.ArrowRight)
	ten := moved("a move by ten to the left", chrome.ArrowLeft, chrome.Shift)
	// A start point keeps four decimals.
	if !(one > 0) || math.Abs(ten-10*one) > 2e-4 {
		t.Errorf("an arrow key moves the point by %g, with Shift by %g", one, ten)
	}
	low := at()
	moved("a move upwards", chrome.ArrowUp)
	if after := at(); !(after[1] > low[1]) || after[0] != low[0] {
		t.Errorf("up moves from %v to %v", low, after)
	}
	if s := p.state(); s.Iteration != 0 || s.Playing {
		t.Errorf("the arrow keys moved the marker to %d, playing %t", s.Iteration, s.Playing)
	}
	if name := p.focused(); !strings.HasPrefix(name, "picture button start-2") {
		t.Errorf("the focus went to %q", name)
	}
	var label string
	p.until("the proxy says where the point is", `() =>
		/start/i.test(document.getElementById('stage').contentDocument.activeElement.ariaLabel)`)
	p.js(&label, `() => document.getElementById('stage').contentDocument.activeElement.ariaLabel`)
	t.Log("the point's name:", fmt.Sprintf("%q", label))
}

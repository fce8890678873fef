package browser

import (
	"net/url"
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// restingFormulas is a link to the two-level scene after some steps, not playing, with the plane of ω in front.
const restingFormulas = "#v=1&scene=bilevel&method=forum&latest=20&k=20&hero=lower"

// write types a text into the field of a parameter, replacing its content.
func (p *page) write(param, text string) {
	p.Helper()
	selector := "#param-" + param
	p.focus(selector)
	p.js(nil, `(selector) => document.querySelector(selector).select()`, selector)
	p.key(text)
}

// insert puts a text into the field of a parameter at once, as pasting does.
func (p *page) insert(param, text string) {
	p.Helper()
	selector := "#param-" + param
	p.focus(selector)
	p.js(nil, `(selector, text) => {
		document.querySelector(selector).select();
		document.execCommand('insertText', false, text);
	}`, selector, text)
}

// takes waits until a parameter has the given text as its value.
func (p *page) takes(param, text string) {
	p.Helper()
	p.until(param+" is "+text, `(name, text) => playground.state().params[name] === text`, param, text)
}

// TestFormulaField: a visitor types a formula. The picture changes when the visitor stops typing. An error is shown
// where it occurs in the formula, and the last picture stays. Undo reverts the change, and links contain the text. Keys
// in the field are never shortcuts of the page.
func TestFormulaField(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, restingFormulas)
	const bent = "(w1-sin(a1))^2 + 2*(w2-a1)^2"
	p.drawn()
	before, seed := fingerprint(p.picture("#stage")), p.state().Params["seed"]
	p.write("f", bent)
	p.takes("f", bent)
	p.until("new runs", `() => playground.state().latest === 0 && !playground.state().playing`)
	if s := p.state(); s.Params["seed"] != seed || s.Scene != "bilevel" {
		t.Errorf("keys of the formula went to the page: %s with seed %v", s.Scene, s.Params["seed"])
	}
	p.drawn()
	after := fingerprint(p.picture("#stage"))
	if after == before {
		t.Error("the picture does not change")
	}
	p.js(nil, `() => playground.step(7)`)
	p.insert("f", bent+" + q")
	p.until("the fault", `() => document.querySelector('#param-f').getAttribute('aria-invalid') === 'true'`)
	var at struct {
		Words, Marked, Described, Rest string
		Latest                         int
	}
	p.js(&at, `() => {
		const field = document.querySelector('#param-f');
		const described = field.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id)?.textContent ?? id);
		return {Words: document.querySelector('#param-f-fault').textContent, Marked: document.querySelector('.control-text mark').textContent,
			Described: described[0], Rest: field.previousElementSibling.textContent, Latest: playground.state().latest};
	}`)
	if !strings.HasPrefix(at.Words, "1:32: a variable a1 ... or w1") || at.Described != at.Words || at.Marked != "q" || at.Latest != 7 {
		t.Errorf("%+v", at)
	}
	if rest := strings.TrimSuffix(at.Rest, "\u200b"); rest != bent+" + q" {
		t.Errorf("the text behind the field is %q", rest)
	}
	p.until("the link", `() => new URLSearchParams(location.hash.slice(1)).get('f')?.endsWith('+ q')`)
	p.insert("f", bent+" + w1")
	p.takes("f", bent+" + w1")
	p.until("no fault", `() => document.querySelector('#param-f-fault').textContent === '' &&
		!document.querySelector('#param-f').hasAttribute('aria-invalid')`)
	for range 2 {
		p.click("#undo")
	}
	p.until("undone", `(text) => document.querySelector('#param-f').value === text`, bent)
	p.takes("f", bent)
	p.until("the runs as they were", `() => playground.state().latest === 7`)
	p.focus("#param-f")
	p.key(chrome.Enter) // must not add a second line
	p.takes("f", bent)

	// The link leads to the same texts.
	p.insert("define", "g = w1*a1 & 1")
	p.until("the link of both", `() => new URLSearchParams(location.hash.slice(1)).get('define')?.endsWith('& 1')`)
	var hash string
	p.js(&hash, `() => location.hash.slice(1)`)
	p.follow(hash)
	p.takes("f", bent)
	p.takes("define", "g = w1*a1 & 1")
	p.until("shown", `() => document.querySelector('#param-define').value === 'g = w1*a1 & 1'`)
	var title string
	p.js(&title, `() => document.querySelector('#share').title`)
	if !strings.Contains(title, "The link contains your formulas") {
		t.Errorf("Share says %q", title)
	}
}

// TestNamedNumber: a line such as "c = 2" gets a slider. A drag of the slider rewrites the number in the line, and
// counts as a single change.
func TestNamedNumber(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, restingFormulas)
	const text = "c = 2\nd = -1"
	p.write("define", "c = 2")
	p.key(chrome.Enter + "d = -1")
	p.takes("define", text)
	p.until("two sliders", `() => document.querySelectorAll('.text-number input[type=range]').length === 2`)
	const slider = `[data-param="define"] .text-number input[type=range]`
	p.focus(slider)
	for range 3 {
		p.key(chrome.ArrowRight)
	}
	p.takes("define", "c = 2.03\nd = -1")
	p.until("the field follows", `() => document.querySelector('#param-define').value === 'c = 2.03\nd = -1'`)
	p.enter(`#param-define-number-c`, "12.5")
	p.takes("define", "c = 12.5\nd = -1")
	p.until("another range", `(selector) => document.querySelector(selector).max === '50'`, slider)
	p.click("#undo")
	p.takes("define", "c = 2.03\nd = -1")
	// A drag is one change.
	p.js(nil, `(selector) => document.querySelector(selector).scrollIntoView({block: 'center', behavior: 'instant'})`, slider)
	at := p.middle(slider)
	p.mouse(chrome.Press, at)
	for _, x := range []float64{10, 20, 30} {
		p.mouse(chrome.Move, point{at.X + x, at.Y})
	}
	p.mouse(chrome.Release, point{at.X + 30, at.Y})
	p.until("the drag", `() => !/c = 2\.03\n/.test(playground.state().params.define)`)
	p.until("at rest", `() => playground.state().progress === null`)
	p.click("#undo")
	p.takes("define", "c = 2.03\nd = -1")
}

// TestHostileFormula: formulas in a link from elsewhere can do nothing but compute values. A text that is not a
// formula is shown as text and refused with a reason.
func TestHostileFormula(t *testing.T) {
	t.Parallel()
	const evil = `<img src=x onerror="window.evil=1">`
	p := desk.shows(t, "#v=1&scene=bilevel&k=0&F1="+url.QueryEscape(evil)+"&define="+url.QueryEscape("</textarea>"+evil))
	p.until("the fault", `() => document.querySelector('#param-define-fault').textContent.startsWith('1:1: ')`)
	var seen struct {
		Value, Under, Words string
		Images              int
		Evil                bool
	}
	p.js(&seen, `() => ({Value: document.querySelector('#param-F1').value,
		Under: document.querySelector('[data-param="define"] .text-under').textContent,
		Words: document.querySelector('#param-define-fault').textContent,
		Images: document.querySelectorAll('.control-text img').length, Evil: window.evil !== undefined})`)
	if seen.Value != evil || !strings.HasPrefix(seen.Under, "</textarea>"+evil) || seen.Images != 0 || seen.Evil ||
		seen.Words != "1:1: no constraint: bound a variable, as in x1 in [0, 1]; of a constraint g <= 0, or of an objective that is to stay "+
			"below a level, add a penalty to an objective, as in f1 = ... + 100*max(g, 0)^2" {
		t.Errorf("%+v", seen)
	}
	if runs := p.state().Runs; len(runs) == 0 {
		t.Error("no run exists")
	}
}

// TestFormulaOnAPhone: on a phone, buttons offer the characters that keyboards hide, and pressing them does not move
// the focus. In both themes, nothing is wider than the screen.
func TestFormulaOnAPhone(t *testing.T) {
	t.Parallel()
	p := readyApart(t, endurance, restingFormulas, touchScreen(320, 700), still())
	p.sheet("Controls")
	p.write("f", "w1")
	p.takes("f", "w1")
	p.click(`[data-param="f"] .text-signs button:nth-child(1)`)
	p.key("2")
	p.takes("f", "w1^2")
	var focus string
	p.js(&focus, `() => document.activeElement.id`)
	if focus != "param-f" {
		t.Errorf("the focus goes to %q", focus)
	}
	p.key(chrome.TabKey) // the buttons come next
	p.key(" ")
	p.takes("f", "w1^2^")
	p.js(&focus, `() => document.activeElement.textContent`)
	if focus != "^" {
		t.Errorf("the key leads away, to %q", focus)
	}
	p.write("define", "c_with_a_long_name_indeed = 123456.789")
	for _, theme := range []string{"light", "dark"} {
		p.js(nil, `(theme) => { const s = document.getElementById('theme'); s.value = theme; s.dispatchEvent(new Event('change')); }`, theme)
		for _, width := range []int64{320, 700} {
			p.run(chrome.Resize(chrome.Screen{Width: width, Height: 700, Touch: true}))
			var document float64
			p.js(&document, `() => new Promise((resolve) => requestAnimationFrame(() => resolve(document.documentElement.scrollWidth)))`)
			if document > float64(width) {
				t.Errorf("%s: the page is %g wide in a window of %d", theme, document, width)
			}
		}
	}
}

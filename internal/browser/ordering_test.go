package browser

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// orders is a link to the ordering scene, at full speed.
const orders = "#v=1&scene=ordering&speed=max"

// methods lists the methods of the runs, without repetitions.
func (s state) methods() (list []string) {
	for _, r := range s.Runs {
		if !slices.Contains(list, r.Method) {
			list = append(list, r.Method)
		}
	}
	return list
}

// TestOrders: the runs play to their end, a visitor switches on another order, and keys move the start. A visitor can
// use other samples, of which a link contains only the SHA-256.
func TestOrders(t *testing.T) {
	t.Parallel()
	p := laptop.shows(t, orders)
	ended := func(what string) {
		t.Helper()
		p.js(nil, `() => playground.play()`)
		p.until(what, `() => { const s = playground.state(); return s.status === 'budget' && s.iteration === s.latest; }`)
	}
	ended("the end of the orders")
	p.focus(`[data-param="method"] input[value="flipflop"]`)
	p.key(" ")
	p.until("another order", `() => playground.state().runs.some(({ method }) => method === 'flipflop')`)
	if got := p.state().methods(); !slices.Equal(got, []string{"random", "flipflop", "grab-shared", "jogba"}) {
		t.Errorf("methods %v", got)
	}
	ended("the end with another order")

	p.js(nil, `() => document.activeElement.blur()`)
	p.key("4")
	p.until("the path in front", `() => playground.state().hero === 'path'`)
	p.until("the start's proxy", `() => document.getElementById('stage').contentDocument.querySelector('[data-handle="start-1"]')`)
	before := p.state().Runs[0].Start
	p.js(nil, `() => {
		const { contentWindow, contentDocument } = document.getElementById('stage');
		contentWindow.focus();
		contentDocument.querySelector('[data-handle="start-1"]').focus();
	}`)
	p.key(chrome.Enter)
	p.key(chrome.ArrowUp)
	p.until("all runs from another start", `(before) => playground.state().runs.every(({ start }) =>
		start[0] === before[0] && start[1] > before[1])`, before)

	const text = `{"A": [[[1, 0.5], [0, 0.7125], [1, 1], [2, 1]]], "y": [[1, 2, 2, 3]]}`
	bring := func(text string) {
		t.Helper()
		p.js(nil, `(text) => { document.getElementById('paste-text').value = text; }`, text)
		p.click(`#paste-dialog [type=submit]`)
	}
	p.click("#paste")
	bring(strings.Replace(text, ", 2, 3]", ", 2]", 1))
	p.until("what is wrong", `() => document.querySelector('#paste-dialog .failure-text').textContent.includes('y')`)
	bring(text)
	p.until("the samples", `() => { const s = playground.state();
		return s.data?.held && s.params.problem === 'yours' && !document.getElementById('paste-dialog').open; }`)
	ended("the end on the visitor's samples")
	s := p.state()
	if s.Params["M"] != 1.0 || s.Params["K"] != 4.0 || s.Params["d"] != 2.0 {
		t.Errorf("the samples are M = %v, K = %v, d = %v", s.Params["M"], s.Params["K"], s.Params["d"])
	}
	if sum := fmt.Sprintf("data=%x", sha256.Sum256([]byte(text))); !strings.Contains(s.Hash, sum) || strings.Contains(s.Hash, "0.7125") {
		t.Errorf("the link to the samples is %s", s.Hash)
	}
	p.until("words on the samples", `() => document.getElementById('introduction').textContent.includes('one epoch through your samples')`)
}

// TestOrdersMeasured: the duration of a step is measured while the page is open, and stated in words.
func TestOrdersMeasured(t *testing.T) {
	t.Parallel()
	p := ready(t, orders+"&budget=64&K=16&view=cost&hero=curve")
	p.until("a time of every order", `() => {
		const said = document.getElementById('descriptions').textContent;
		return ['Random', 'GraB, shared', 'JoGBa'].every((name) => new RegExp(name + ' [0-9.]+ (ns|µs|ms), of which').test(said));
	}`)
	p.drawn()
	if n := colours(p.picture("#stage")); n < 40 {
		t.Errorf("only %d colours", n)
	}
}

// TestOrdersPhone: a phone shows one picture at a time, and nothing is wider than the screen.
func TestOrdersPhone(t *testing.T) {
	long(t, "TestToyPhone shows one panel a time too")
	t.Parallel()
	p := smallPhone.shows(t, orders)
	p.js(nil, `() => playground.step(playground.state().budget)`)
	p.onePanelATime("walk", "strip", "balance", "path", "curve")
}

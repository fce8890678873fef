package browser

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// turns is a link to the blocks scene, in which objectives take turns. The scene plays at full speed.
const turns = "#v=1&scene=blocks&speed=max"

// TestFrequencies: a visitor can drag or type frequencies, or change one frequency at a time with keys, but cannot set
// all of them to 0. The end of the runs depends on the frequencies, undo restores them, and links contain them.
func TestFrequencies(t *testing.T) {
	t.Parallel()
	p := laptop.shows(t, turns)
	p.js(nil, `() => playground.step(playground.state().budget)`)
	if m := p.state().Params["m"]; !reflect.DeepEqual(m, []any{1.0, 3.0}) {
		t.Fatalf("the frequencies are %v", m)
	}
	before := p.state().Runs[0].F

	const first, second = `[data-param="m"] .share-row:nth-child(1)`, `[data-param="m"] .share-row:nth-child(2)`
	is := func(want ...any) {
		t.Helper()
		p.until(fmt.Sprintf("the frequencies %v, in sliders and fields", want), `(want) => {
			const { params, progress } = playground.state();
			const rows = [...document.querySelectorAll('[data-param="m"] .share-row')];
			const shown = rows.map((row) => [...row.querySelectorAll('input')].map((input) => input.valueAsNumber));
			const set = params.m.length > 0 ? params.m : want.map(() => 1); // an empty list means ones
			return progress === null && String(set) === String(want) && String(shown) === String(want.map((v) => [v, v]));
		}`, want)
	}
	var most float64
	p.js(&most, `(row) => Number(document.querySelector(row + ' input[type=range]').max)`, first)
	var box struct{ X, Y, Width float64 }
	p.js(&box, `(row) => {
		const slider = document.querySelector(row + ' input[type=range]');
		slider.scrollIntoView({ block: 'center', behavior: 'instant' });
		const { x, y, width, height } = slider.getBoundingClientRect();
		return { X: x, Y: y + height / 2, Width: width };
	}`, first)
	const thumb = 16
	at := func(value float64) point { return point{box.X + thumb/2 + value/most*(box.Width-thumb), box.Y} }
	p.mouse(chrome.Press, at(1))
	for value := 1.5; value <= 6; value += 0.5 {
		p.mouse(chrome.Move, at(value))
	}
	p.mouse(chrome.Release, at(6))
	is(6.0, 3.0)
	if after := p.state(); reflect.DeepEqual(after.Runs[0].F, before) {
		t.Errorf("with other frequencies, the first run still ends at %v", before)
	} else if !strings.Contains(after.Hash, "m=6,3") {
		t.Errorf("the link is %s", after.Hash)
	}

	p.enter(second+` input[type=number]`, "0")
	is(6.0, 0.0)
	p.focus(first + ` input[type=range]`)
	p.key(chrome.ArrowLeft)
	is(5.0, 0.0)
	p.key(chrome.Home)
	is(1.0, 0.0) // the only one left
	p.key("z", chrome.Ctrl)
	is(5.0, 0.0)
	p.focus(`[data-param="m"] > button`)
	p.key(" ")
	is(1.0, 1.0)

	p.js(nil, `() => playground.set('q', 3)`)
	is(1.0, 1.0, 1.0)
	p.js(nil, `() => playground.set('m', [2, 6, 0])`)
	is(2.0, 6.0, 0.0)
	if text := p.refusal(`() => playground.set('m', 'one')`); !strings.Contains(text, "whole numbers") {
		t.Errorf("a text is refused with %q", text)
	}
	p.js(nil, `() => playground.set('m', [0, 99, 0.6])`)
	is(0.0, most, 1.0)
	p.noticed("outside its range")
}

// TestTable: a visitor can paste a table into the regression scene and name its responses. A link contains the
// responses' names and the table's SHA-256, but none of the table's numbers.
func TestTable(t *testing.T) {
	t.Parallel()
	p := laptop.shows(t, "#v=1&scene=regression&speed=max&work=0.5")
	p.js(nil, `() => playground.step(10)`)
	if s := p.state(); len(s.Runs) == 0 || s.Iteration != 10 {
		t.Errorf("%d runs at iteration %d", len(s.Runs), s.Iteration)
	}

	var table strings.Builder
	table.WriteString("hour,wind,PM2.5,\"PM10, coarse\"\n")
	for i := range 60 {
		fmt.Fprintf(&table, "%d,%s,%d,%d.4375\n", i, [...]string{"N", "S", "W"}[i%3], 20+i*7%13, 40+i*5%11)
	}
	p.click("#paste")
	p.js(nil, `(text) => { document.getElementById('paste-text').value = text; }`, table.String())
	p.click(`#paste-dialog [type=submit]`)
	p.until("the table", `() => { const s = playground.state();
		return s.data?.held && s.params.problem === 'yours' && !document.getElementById('paste-dialog').open; }`)

	const field = `[data-param="responses"] input`
	p.until("the field for its responses", `(field) => document.querySelector(field).checkVisibility()`, field)
	p.enter(field, `PM2.5, "PM10, coarse"`)
	p.until("runs for both", `() => { const { runs, params, progress } = playground.state();
		return progress === null && runs.length > 0 && runs.every(({ f }) => f.length === 2) && params.responses.length === 2; }`)
	p.until("the names in the field", `(field) => document.querySelector(field).value === 'PM2.5,"PM10, coarse"'`, field)
	p.until("the end", `() => { const { status, playing } = playground.state(); return status !== 'running' && !playing; }`)
	s := p.state()
	if want := []any{"PM2.5", "PM10, coarse"}; !reflect.DeepEqual(s.Params["responses"], want) || s.Iteration < 50 {
		t.Errorf("responses %v at iteration %d", s.Params["responses"], s.Iteration)
	}
	if sum := fmt.Sprintf("data=%x", sha256.Sum256([]byte(table.String()))); !strings.Contains(s.Hash, sum) ||
		!strings.Contains(s.Hash, "responses=PM2.5") || strings.Contains(s.Hash, "4375") {
		t.Errorf("the link to the table is %s", s.Hash)
	}
	p.js(nil, `async () => playground.load('#' + playground.state().hash)`)
	if again := p.state(); again.Hash != s.Hash || again.Iteration != s.Iteration {
		t.Errorf("the link\n%s\nleads to\n%s", s.Hash, again.Hash)
	}

	p.enter(field, "ozone")
	p.noticed("ozone")
	p.until("the names that are", `(field) => document.querySelector(field).value === 'PM2.5,"PM10, coarse"'`, field)
	p.js(nil, `() => playground.set('responses', ['PM2.5'])`)
	p.until("one response", `() => playground.state().runs.every(({ f }) => f.length === 1)`)
	p.js(nil, `() => playground.undo()`)
	p.until("both again", `() => playground.state().params.responses.length === 2`)
}

// TestBroughtObjectives: objectives that a visitor pastes come with their own frequencies and their own start.
func TestBroughtObjectives(t *testing.T) {
	t.Parallel()
	p := laptop.shows(t, turns)
	const text = `{"Q": [[[1, 0], [0, 4]], [[3, 0.7125], [0.7125, 1]]], "c": [[0, 1], [1, 0]], "m": [2, 1], "x0": [1.5, 0.5]}`
	bring := func(text string) {
		t.Helper()
		p.js(nil, `(text) => { document.getElementById('paste-text').value = text; }`, text)
		p.click(`#paste-dialog [type=submit]`)
	}
	p.click("#paste")
	bring(strings.Replace(text, "[0, 4]", "[0, -4]", 1))
	p.until("what is wrong", `() => document.querySelector('#paste-dialog .failure-text').textContent.includes('Q')`)
	bring(text)
	p.until("the objectives", `() => { const s = playground.state();
		return s.data?.held && s.params.problem === 'yours' && !document.getElementById('paste-dialog').open; }`)
	p.js(nil, `() => playground.step(12)`)
	s := p.state()
	if want := []any{2.0, 1.0}; !reflect.DeepEqual(s.Params["m"], want) || !reflect.DeepEqual(s.Runs[0].Start, numbers{1.5, 0.5}) {
		t.Errorf("frequencies %v from %v", s.Params["m"], s.Runs[0].Start)
	}
	if sum := fmt.Sprintf("data=%x", sha256.Sum256([]byte(text))); !strings.Contains(s.Hash, sum) || strings.Contains(s.Hash, "7125") {
		t.Errorf("the link to the objectives is %s", s.Hash)
	}
	p.drawn()
	if n := colours(p.picture("#stage")); n < 100 {
		t.Errorf("only %d colours", n)
	}
}

// TestAlternationPhone: a phone shows one picture at a time, and nothing is wider than the screen.
func TestAlternationPhone(t *testing.T) {
	long(t, "TestToyPhone shows one panel a time too")
	t.Parallel()
	p := smallPhone.shows(t, turns)
	for _, scene := range []string{"blocks", "regression", "sweep"} {
		p.part(scene, func() {
			p.js(nil, `(id) => playground.open(id)`, scene)
			p.js(nil, `() => playground.step(40)`)
			var panels []string
			p.js(&panels, `() => playground.scenes().find(({ id }) => id === playground.state().scene).panels.map(({ id }) => id)`)
			p.onePanelATime(panels...)
			p.sheet("Controls")
			p.js(nil, `() => { document.getElementById('all').open = true; }`)
			var wide bool
			if p.js(&wide, `() => document.documentElement.scrollWidth > innerWidth`); wide {
				p.Error("the controls are wider than the phone")
			}
		})
	}
}

package browser

import (
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// turns is a link to the scene of blocks and objectives, at full speed.
const turns = "#v=1&scene=blocks&speed=max"

// Frequencies are dragged, typed and moved by keys, each alone; all at 0 there is no way to.
// Where the runs end follows, and undoing and a link know of it.
func TestFrequencies(t *testing.T) {
	t.Parallel()
	p := ready(t, turns, size(1280, 800))
	p.js(nil, `() => playground.step(playground.state().budget)`)
	if m := p.state().Params["m"]; !reflect.DeepEqual(m, []any{1.0, 3.0}) {
		t.Fatalf("the frequencies are %v", m)
	}
	before := p.state().Runs[0].F

	const first, second = `[data-param="m"] .share-row:nth-child(1)`, `[data-param="m"] .share-row:nth-child(2)`
	is := func(want ...any) {
		t.Helper()
		p.until("other frequencies, and where they are shown", `(want) => {
			const s = playground.state();
			const shown = [...document.querySelectorAll('[data-param="m"] .share-row')].map((row) => [...row.querySelectorAll('input')].map((i) => i.valueAsNumber));
			return s.progress === null && JSON.stringify(s.params.m) === JSON.stringify(want)
				&& JSON.stringify(shown) === JSON.stringify(want.map((v) => [v, v]));
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
	p.mouse(input.MousePressed, at(1))
	for value := 1.5; value <= 6; value += 0.5 {
		p.mouse(input.MouseMoved, at(value))
	}
	p.mouse(input.MouseReleased, at(6))
	is(6.0, 3.0)
	if after := p.state(); reflect.DeepEqual(after.Runs[0].F, before) {
		t.Errorf("with other frequencies the first run ends at %v as before", before)
	} else if !strings.Contains(after.Hash, "m=6,3") {
		t.Errorf("the link is %s", after.Hash)
	}

	p.enter(second+` input[type=number]`, "0")
	is(6.0, 0.0)
	p.focus(first + ` input[type=range]`)
	p.key(kb.ArrowLeft)
	is(5.0, 0.0)
	p.key(kb.Home)
	is(1.0, 0.0) // the last that is left
	p.key("z", input.ModifierCtrl)
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

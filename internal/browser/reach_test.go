package browser

import (
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// TestReach: the page is accessible with the keyboard, in forced colours, with more contrast, and enlarged. Its headings
// skip no level.
func TestReach(t *testing.T) {
	t.Parallel()
	p := ready(t, resting)
	p.part("headings", func() {
		var jumps []string
		p.js(&jumps, `() => {
			document.getElementById('all').open = true;
			const shown = [...document.querySelectorAll('h1, h2, h3, h4')].filter((h) => h.checkVisibility());
			return shown.filter((h, i) => i > 0 && Number(h.tagName[1]) > Number(shown[i - 1].tagName[1]) + 1).map((h) => h.outerHTML);
		}`)
		if len(jumps) > 0 {
			p.Errorf("headings that skip a level: %q", jumps)
		}
	})
	p.part("stops", func() {
		var stops map[string]int
		p.js(&stops, `() => Object.fromEntries(['#experiments button', '.set-more input:not(:disabled)'].map((selector) =>
			[selector, [...document.querySelectorAll(selector)].filter(({ tabIndex }) => tabIndex === 0).length]))`)
		for selector, n := range stops {
			if n != 1 {
				p.Errorf("Tab stops at %d of %s", n, selector)
			}
		}
		p.focus("#experiments button")
		p.key(chrome.ArrowDown)
		p.key(chrome.ArrowRight)
		p.key(chrome.ArrowUp)
		p.until("the second experiment focused, and the stop", `() => {
			const all = [...document.querySelectorAll('#experiments button')];
			return document.activeElement === all[1] && all.every(({ tabIndex }, i) => tabIndex === (i === 1 ? 0 : -1));
		}`)
		if s := p.state(); s.Iteration != 0 || s.Latest != 0 {
			p.Errorf("arrow keys among the experiments moved the time marker to %d", s.Iteration)
		}
		p.until("the picture described with the decision space in front", `() => document.getElementById('stage').contentDocument
			.querySelector('canvas').ariaLabel.startsWith('Decision space: ')`)
	})
	p.part("forced colours", func() {
		p.sees(chrome.Feature{Name: "forced-colors", Value: "active"})
		var alike []string
		p.js(&alike, `() => [['.segments label:has(:checked)', '.segments label:not(:has(:checked))'],
			['.pill:has(:checked)', '.pill:not(:has(:checked))']].filter((pair) => {
			const looks = pair.map((selector) => {
				const { backgroundColor, borderTopColor, borderTopWidth } = getComputedStyle(document.querySelector(selector));
				return [backgroundColor, borderTopColor, borderTopWidth].join();
			});
			return looks[0] === looks[1];
		}).map(([selector]) => selector)`)
		if len(alike) > 0 {
			p.Errorf("chosen items look like others: %v", alike)
		}
		p.js(nil, `() => document.querySelector('[data-param="eta"]').scrollIntoView({ block: 'center', behavior: 'instant' })`)
		track := p.picture(`[data-param="eta"] input[type=range]`)
		b := track.Bounds()
		row := b.Min.Y + b.Dy()/2
		left, right, paper := track.At(b.Min.X+4, row), track.At(b.Max.X-4, row), track.At(b.Min.X+4, b.Min.Y+2)
		if left == right || left == paper {
			p.Errorf("a slider's track is %v, %v beyond its value, on %v", left, right, paper)
		}
		if edge := track.At(b.Max.X-10, row-4); edge == track.At(b.Max.X-10, row-8) {
			p.Errorf("a slider's track has no edge: %v", edge)
		}
	})
	p.part("more contrast", func() {
		muted := func() string {
			return p.raw(`() => getComputedStyle(document.querySelector('.control-head label')).color`)
		}
		p.sees(chrome.Feature{Name: "prefers-contrast", Value: "no-preference"})
		plain := muted()
		p.sees(chrome.Feature{Name: "prefers-contrast", Value: "more"})
		if strong := muted(); strong == plain {
			p.Errorf("labels are %s with more contrast, too", strong)
		}
		p.sees(chrome.Feature{Name: "prefers-contrast", Value: "no-preference"})
	})
	p.part("more panels", func() {
		p.run(chrome.Resize(chrome.Screen{Width: 1024, Height: 768}))
		p.js(nil, `async () => { await playground.open('clusters'); await playground.pause(); }`)
		shown := `() => document.getElementById('stage').contentWindow.stage.callNow('shown')`
		p.until("a sign of three more", `() => document.querySelector('#more > button').checkVisibility() &&
			document.querySelector('#more > button').textContent === '+3 panels'`)
		if got := p.raw(shown); strings.Count(got, ",") != 2 {
			p.Errorf("the canvas shows %s", got)
		}
		p.js(nil, `() => document.querySelector('#more > button').focus()`)
		p.key(chrome.Enter)
		p.until("all panels", `() => document.querySelector('#more > button').textContent === '−' &&
			document.getElementById('stage').contentWindow.stage.callNow('shown').length === 6`)
		if got := p.raw(`() => document.activeElement.getAttribute('aria-label')`); got != `"Show fewer panels"` {
			p.Errorf("the focus is on %s", got)
		}
		p.key(chrome.Enter)
		p.until("three panels", `() => document.getElementById('stage').contentWindow.stage.callNow('shown').length === 3`)
		p.run(chrome.Resize(chrome.Screen{Width: 390, Height: 844}))
		p.until("three tabs and a sign of more", `() => document.querySelectorAll('#tabs [aria-pressed]').length === 3 &&
			document.querySelector('#tabs .more-button').textContent === '+3'`)
		p.js(nil, `() => document.querySelector('#tabs .more-button').click()`)
		p.until("all tabs", `() => document.querySelectorAll('#tabs [aria-pressed]').length === 6`)
		p.run(chrome.Resize(chrome.Screen{Width: 1440, Height: 900}))
		p.js(nil, `async () => { await playground.load('`+resting+`'); }`)
	})
	// The window has 1280 by 1024 pixels and is enlarged four times.
	p.part("enlarged", func() {
		p.run(chrome.Resize(chrome.Screen{Width: 320, Height: 256}))
		p.until("the controls below the picture", `() => document.getElementById('lesson').nextElementSibling === document.getElementById('try')`)
		p.sheet("Controls")
		p.js(nil, `() => document.querySelector('#param-R').scrollIntoView({ block: 'center', behavior: 'instant' })`)
		if picture := p.box("#stage"); picture.Y+picture.Height > 0 {
			p.Errorf("beside a control the picture is at %+v", picture)
		}
		if control := p.box("#param-R"); control.Y < 0 || control.Y+control.Height > 256 {
			p.Errorf("the control is at %+v", control)
		}
		if p.raw(`() => document.documentElement.scrollWidth > innerWidth`) == "true" {
			p.Error("the page is wider than the window")
		}
	})
	p.part("export on a phone", func() {
		p.run(chrome.Resize(chrome.Screen{Width: 390, Height: 844}))
		p.sheet("Numbers")
		p.click("#export-below")
		p.until("the dialog", `() => document.getElementById('export-dialog').open`)
	})
}

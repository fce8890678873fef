package browser

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// maxEmbedded is the maximum number of bytes that an embedded picture may load, from a host without compression, before
// a visitor clicks it.
const maxEmbedded = 300_000

// TestEmbeddedPictures: in another page, two embedded scenes are pictures until they are clicked, and then play side by
// side.
func TestEmbeddedPictures(t *testing.T) {
	t.Parallel()
	h := hostSite(t, false)
	const two = `<!doctype html><link rel="icon" href="data:,"><p>A page of a lecture.</p>
		<iframe title="first" src="%[1]sembed.html#v=1&scene=fonseca&k=0" width="720" height="400"></iframe>
		<iframe title="second" src="%[1]sembed.html#v=1&scene=lab&lesson=01-conflict:1" width="480" height="360"></iframe>`
	e := &embedded{}
	e.page = open(t, others(t, map[string]string{"/": fmt.Sprintf(two, h.address)}).URL, size(1300, 900), func(p *page) {
		p.listen(func(event any) {
			if world, ok := event.(chrome.World); ok {
				e.mu.Lock()
				defer e.mu.Unlock()
				e.worlds = append(e.worlds, world)
			}
		})
	})
	pictures := func() (shown []string) {
		for _, world := range e.newest() {
			var text string
			const look = `document.querySelector('#play img')?.naturalWidth > 0 ? document.querySelector('#play').innerText : ''`
			if e.tab.EvaluateIn(world, look, &text) == nil && text != "" {
				shown = append(shown, text)
			}
		}
		return shown
	}
	for range 200 {
		if len(pictures()) == 2 {
			break
		}
		e.js(nil, `() => new Promise((resolve) => setTimeout(resolve, 50))`)
	}
	if shown := pictures(); len(shown) != 2 {
		t.Fatalf("the page shows %q", shown)
	}
	e.mu.Lock()
	e.page.mu.Lock()
	taken := e.bytes
	e.page.mu.Unlock()
	e.mu.Unlock()
	t.Logf("two pictures took %.0f bytes", taken)
	if taken < 10_000 || taken > 2*maxEmbedded {
		t.Errorf("two pictures took %.0f bytes, of at most %d each", taken, maxEmbedded)
	}

	at := e.middle("iframe[title=first]")
	e.mouse(chrome.Press, at)
	e.mouse(chrome.Release, at)
	e.live(1)
	if len(pictures()) != 1 {
		t.Error("the second picture plays with the first")
	}
	e.focus("iframe[title=second]")
	e.key(chrome.TabKey)
	e.key(chrome.Enter)
	e.live(2)
	var lesson string
	e.inside(&lesson, `() => playground.state().lesson?.name`)
	if lesson != "01-conflict" {
		t.Errorf("the second frame has the lesson %q", lesson)
	}
}

// newest returns the script contexts of all documents so far, the newest last.
func (e *embedded) newest() []chrome.World {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.worlds)
}

// live waits until the given number of scenes are drawn.
func (e *embedded) live(scenes int) {
	e.Helper()
	var seen []string
	for range 400 {
		seen = nil
		for _, world := range e.newest() {
			var state json.RawMessage
			const look = `typeof playground === 'object' && document.querySelector('#loading').hidden ? playground.state().scene : ''`
			if e.tab.EvaluateIn(world, look, &state) == nil && len(state) > 2 {
				seen = append(seen, string(state))
			}
		}
		if len(seen) == scenes {
			return
		}
		e.js(nil, `() => new Promise((resolve) => setTimeout(resolve, 100))`)
	}
	e.Fatalf("%q are drawn; %d should be", seen, scenes)
}

// TestEmbeddedKeys: in a frame on a page of slides, Escape returns the keyboard focus to the page of slides, both from
// the picture and from the playing scene. The frame has the theme that the page of slides asks for.
func TestEmbeddedKeys(t *testing.T) {
	t.Parallel()
	h := hostSite(t, false)
	const slides = `<!doctype html><link rel="icon" href="data:,"><p>A slide.</p>
		<iframe title="frame" src="%sembed.html?theme=dark#v=1&scene=fonseca&k=0" width="720" height="400" style="max-width: 100%%"></iframe>
		<script>window.heard = []; addEventListener('keydown', ({key}) => heard.push(key));</script>`
	e := &embedded{}
	e.page = open(t, others(t, map[string]string{"/": fmt.Sprintf(slides, h.address)}).URL, size(360, 640), func(p *page) {
		p.listen(func(event any) {
			if world, ok := event.(chrome.World); ok {
				e.mu.Lock()
				defer e.mu.Unlock()
				e.worlds = append(e.worlds, world)
			}
		})
	})
	var wide bool
	if e.js(&wide, `() => document.documentElement.scrollWidth > innerWidth`); wide {
		t.Error("a phone scrolls sideways")
	}
	back := func(what string) {
		t.Helper()
		var heard []string
		e.js(nil, `() => { heard.length = 0; }`)
		e.key(chrome.ArrowRight)
		if e.js(&heard, `() => heard`); len(heard) > 0 {
			t.Fatalf("%s lacks the keyboard: the embedding page receives %q", what, heard)
		}
		e.key(chrome.Escape)
		for range 100 { // the focus moves by a message between processes
			e.key(chrome.ArrowRight)
			e.js(nil, `() => new Promise((resolve) => setTimeout(resolve, 50))`)
			if e.js(&heard, `() => heard`); len(heard) > 0 {
				break
			}
		}
		if len(heard) == 0 || heard[0] != "ArrowRight" {
			t.Errorf("after Escape in %s, the embedding page receives %q", what, heard)
		}
	}
	dark := func() (found bool) {
		for _, world := range e.newest() {
			var it bool
			const look = `document.documentElement.dataset.theme === 'dark' &&
				(document.querySelector('#picture')?.src ?? '-dark.png').includes('-dark.')`
			found = found || e.tab.EvaluateIn(world, look, &it) == nil && it
		}
		return found
	}
	for range 200 {
		if dark() {
			break
		}
		e.js(nil, `() => new Promise((resolve) => setTimeout(resolve, 50))`)
	}
	if !dark() {
		t.Fatal("the picture is not dark")
	}
	e.focus("iframe[title=frame]")
	e.key(chrome.TabKey)
	back("the picture")

	at := e.middle("iframe[title=frame]")
	e.mouse(chrome.Press, at)
	e.mouse(chrome.Release, at)
	e.live(1)
	var theme string
	if e.inside(&theme, `() => document.documentElement.dataset.theme`); theme != "dark" || !dark() {
		t.Errorf("the playing scene has the theme %q", theme)
	}
	e.mouse(chrome.Press, at)
	e.mouse(chrome.Release, at)
	back("what plays")
}

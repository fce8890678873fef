package browser

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

var pictures = flag.String("pictures", "", "write the documents' pictures of the systems, the contents page and a lesson to this `folder`")

// TestPictures takes the pictures for the documents: the five systems, the contents page, and a lesson's first step.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("SKIPPED, no picture is taken: -pictures names no folder")
	}
	t.Run("systems", pictureOfSystems)
	t.Run("gallery", pictureOfGallery)
	t.Run("lesson", pictureOfLesson)
	t.Run("weights", pictureOfSurprise("03-fixed-weights", 1, "lesson-weights.png"))
	t.Run("noise", pictureOfSurprise("05-noise", 2, "lesson-noise.png"))
	t.Run("network", pictureOfSurprise("15-forty-tasks", 2, "lesson-network.png"))
}

func pictureOfGallery(t *testing.T) {
	p := open(t, "", size(1440, 1000))
	p.until("every picture in view", `() => document.readyState === 'complete' && [...document.querySelectorAll('#gallery img')].every((i) =>
		i.getClientRects().length === 0 || i.getBoundingClientRect().top > innerHeight || i.naturalWidth > 0)`)
	p.js(nil, `async () => { for (const i of document.querySelectorAll('#gallery img')) if (i.naturalWidth > 0) await i.decode(); }`)
	p.keep(filepath.Join(*pictures, "gallery.png"))
}

func pictureOfLesson(t *testing.T) {
	p := school(t, "#lesson=03-fixed-weights:1", size(1440, 900))
	step := p.steps("03-fixed-weights")[0]
	p.answer(step, step.Predict.Right[0])
	p.press("[data-part=show]")
	p.until("the goal is reached", `() => playground.state().lesson.reached && !playground.state().playing`)
	p.keep(filepath.Join(*pictures, "lesson.png"))
}

// pictureOfSurprise returns a test that chooses a wrong prediction in a lesson's step, reaches the step's goal, and
// takes a picture of the outcome.
func pictureOfSurprise(name string, step int, file string) func(t *testing.T) {
	return func(t *testing.T) {
		p := school(t, fmt.Sprintf("#lesson=%s:%d", name, step), size(1440, 900))
		s := p.steps(name)[step-1]
		p.answer(s, 1-min(1, s.Predict.Right[0]))
		if s.Goal != nil {
			p.press("[data-part=show]")
			p.until("the goal is reached", `() => playground.state().lesson.reached && !playground.state().playing`)
		}
		p.js(nil, `() => document.querySelector('#lesson .lesson-outcome').scrollIntoView({ block: 'center' })`)
		p.keep(filepath.Join(*pictures, file))
	}
}

// keep writes a picture of the window to a file.
func (p *page) keep(name string) {
	p.Helper()
	var file []byte
	p.run(chrome.Picture(&file))
	if err := os.WriteFile(name, file, 0o644); err != nil {
		p.Fatal(err)
	}
}

// TestGallery: the contents page needs neither the program nor any script. It fits every screen in both themes, and
// shows one picture of each scene. The short form uses the widest and the narrowest screen.
func TestGallery(t *testing.T) {
	t.Parallel()
	h := hostSite(t, true)
	widths := []int64{1440, 1024, 768, 390, 320}
	if testing.Short() {
		widths = []int64{1440, 320}
	}
	for _, width := range widths {
		for _, theme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%d wide, %s", width, theme), func(t *testing.T) {
				var asked requests
				media := chrome.Prefer(chrome.Feature{Name: "prefers-color-scheme", Value: theme})
				p := open(t, h.address, size(width, 900), with(media), noting(&asked))
				var seen struct {
					Wide                            bool
					Shown, Lessons, Loaded, Clipped int
					Lede, Height                    float64
					Links, Outside                  []string
				}
				p.until("the large picture", `() => document.readyState === 'complete' &&
					[...document.querySelectorAll('.tradeoff img')].some((i) => i.naturalWidth > 0)`)
				p.js(&seen, `() => {
					const gallery = document.getElementById('gallery');
					const shown = [...gallery.querySelectorAll('img')].filter((i) => i.getClientRects().length > 0);
					return {
						Wide: document.documentElement.scrollWidth > innerWidth,
						Shown: shown.length,
						Lessons: gallery.querySelectorAll('.path li').length,
						Height: document.documentElement.scrollHeight,
						Loaded: [...gallery.querySelectorAll('img')].filter((i) => i.naturalWidth > 0 && i.getClientRects().length === 0).length,
						Clipped: shown.filter((i) => Math.abs(i.clientWidth / i.clientHeight - 1.6) > 0.02).length,
						Lede: parseFloat(getComputedStyle(gallery.querySelector('.lede')).fontSize),
						Links: [...gallery.querySelectorAll('.scenes .open')].map((a) => new URL(a.href).hash),
						Outside: shown.map((i) => i.src).filter((src) => !src.endsWith('-`+theme+`.png')),
					};
				}`)
				if seen.Wide || seen.Clipped > 0 || len(seen.Outside) > 0 {
					t.Errorf("wider than the screen: %v; pictures of another shape: %d; of the other theme: %v", seen.Wide, seen.Clipped, seen.Outside)
				}
				if seen.Lede < 28 || seen.Lede > 36 {
					t.Errorf("the first sentence has a size of %g pixels", seen.Lede)
				}
				if len(seen.Links) < 11 || seen.Shown != len(seen.Links)+seen.Lessons+1 || seen.Loaded > 0 {
					t.Errorf("%d pictures of %d scenes and %d lessons, %d of them loaded but not shown",
						seen.Shown, len(seen.Links), seen.Lessons, seen.Loaded)
				}
				if width == 1440 && seen.Height > 1900 {
					t.Errorf("the contents page is %g pixels tall", seen.Height)
				}
				for _, link := range seen.Links {
					if !strings.HasPrefix(link, "#v=1&scene=") {
						t.Errorf("a scene's link is %s", link)
					}
				}
				if found := asked.with(".wasm"); len(found) > 0 {
					t.Errorf("the contents page requests %v", found)
				}
				p.mu.Lock()
				defer p.mu.Unlock()
				most := 0.3e6
				// At this width, the pictures of all scenes and lessons are near enough to the visible part of the page
				// to be loaded. The paths of the live picture are loaded too.
				if width == 1440 {
					most = 0.6e6
				}
				if p.bytes > most {
					t.Errorf("the contents page takes %.0f KB", p.bytes/1e3)
				}
			})
		}
	}
}

// TestGalleryMoves: a scene's picture moves while it is under the pointer or has the focus, and the strip with the
// frames of this motion is fetched only then. The large picture moves until it is stopped. With reduced motion, neither
// moves.
func TestGalleryMoves(t *testing.T) {
	t.Parallel()
	h := hostSite(t, true)
	for _, motion := range []string{"no-preference", "reduce"} {
		t.Run(motion, func(t *testing.T) {
			var asked requests
			media := chrome.Prefer(chrome.Feature{Name: "prefers-reduced-motion", Value: motion})
			p := open(t, h.address, size(1024, 800), with(media), noting(&asked))
			p.until("the large picture", `() => document.readyState === 'complete' &&
				[...document.querySelectorAll('.tradeoff img')].some((i) => i.naturalWidth > 0)`)
			moves := motion == "no-preference"
			if got := len(asked.with("tradeoff-light.gif")) > 0; got != moves {
				t.Errorf("the film of the large picture is requested: %v", got)
			}
			if found := asked.with("-strip-"); len(found) > 0 {
				t.Errorf("before any hover, the page requests %v", found)
			}
			p.js(nil, `() => document.querySelector('#gallery .open[href$="scene=toy"]').focus()`)
			if !moves {
				var shown bool
				p.js(&shown, `() => [...document.querySelectorAll('.strip')].some((i) => i.checkVisibility()) ||
					document.querySelector('.still').checkVisibility()`)
				if shown {
					t.Error("something moves, or can be stopped")
				}
				return
			}
			p.until("the strip of the scene plays", `() => {
				const shown = [...document.querySelectorAll('.strip')].filter((i) => i.checkVisibility());
				return shown.length === 1 && shown[0].naturalHeight === 8 * 200 && shown[0].getAnimations().length === 1;
			}`)
			if found := asked.with("-strip-"); len(found) != 1 {
				t.Errorf("a focus requests %v", found)
			}
			p.js(nil, `() => { document.querySelector('.still').scrollIntoView(); document.querySelector('.still').click(); }`)
			p.until("the large picture does not move", `() => [...document.querySelectorAll('.tradeoff img')].every((i) =>
				!i.checkVisibility() || !i.currentSrc.endsWith('.gif'))`)
			p.js(nil, `() => document.querySelector('.still').click()`)
			p.until("the large picture plays again", `() => [...document.querySelectorAll('.tradeoff img')].some((i) =>
				i.currentSrc.endsWith('.gif'))`)
		})
	}
}

// TestGalleryStart: a visitor can move the start in the large picture with a finger or with keys before the program is
// loaded, even on the narrowest screen. The page draws the run from the new start, and a click opens the scene with
// that start.
func TestGalleryStart(t *testing.T) {
	t.Parallel()
	for _, width := range []int64{1440, 320} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			var asked requests
			p := open(t, "", touchScreen(width, 900), noting(&asked))
			p.until("the start", `() => document.querySelector('.tradeoff-start')`)
			p.js(nil, `() => document.querySelector('.tradeoff-frame').scrollIntoView({ block: 'center' })`)
			type seen struct {
				Start, Run, Link, Said string
				Inside                 bool
			}
			look := func() (s seen) {
				p.js(&s, `() => {
					const [frame, start, link] = ['.tradeoff-frame', '.tradeoff-start', '.tradeoff-picture'].map((s) => document.querySelector(s));
					const [box, own] = [frame.getBoundingClientRect(), start.getBoundingClientRect()];
					return { Start: start.ariaLabel, Run: frame.querySelector('polyline.run').getAttribute('points'), Link: link.hash,
						Said: frame.querySelector('[aria-live]').textContent,
						Inside: own.left >= 0 && own.right <= innerWidth && own.width >= 24 && own.top >= box.top - 14 };
				}`)
				return s
			}
			first := look()
			if !first.Inside || first.Said != "" || strings.Count(first.Run, ",") < 3 || !strings.Contains(first.Link, "&start=") {
				t.Errorf("at first %+v", first)
			}
			frame, from := p.box(".tradeoff-frame"), p.box(".tradeoff-start")
			at := point{from.X + from.Width/2, from.Y + from.Height/2}
			to := point{frame.X + 0.9*frame.Width, frame.Y + 0.5*frame.Height}
			p.touch(chrome.Press, at)
			for i := range 5 {
				p.touch(chrome.Move, point{at.X + float64(i+1)/5*(to.X-at.X), at.Y + float64(i+1)/5*(to.Y-at.Y)})
			}
			p.touch(chrome.Release)
			p.until("the start is where the finger was", `(x, y) => {
				const box = document.querySelector('.tradeoff-start').getBoundingClientRect();
				return Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y) < 14;
			}`, to.X, to.Y)
			dragged := look()
			if dragged.Start == first.Start || dragged.Run == first.Run || dragged.Link == first.Link || dragged.Said == "" {
				t.Errorf("dragged %+v", dragged)
			}
			p.js(nil, `() => document.querySelector('.tradeoff-start').focus()`)
			p.key(chrome.ArrowLeft)
			keyed := look()
			if keyed.Start == dragged.Start || keyed.Run == dragged.Run {
				t.Errorf("after a key: %+v", keyed)
			}
			if found := asked.with(".wasm"); len(found) > 0 {
				t.Errorf("the start requests %v", found)
			}
			if width != 320 {
				return
			}
			p.run(chrome.Keys("\r"))
			p.until("the scene", `async () => { await playground.ready; return playground.state().scene === 'fonseca'; }`)
			var same bool
			p.js(&same, `(link) => {
				const want = new URLSearchParams(link.slice(1)).get('start').split(',').map(Number);
				return playground.state().params.start[0].every((v, i) => v === want[i]);
			}`, keyed.Link)
			if !same {
				t.Errorf("the scene does not start at %s", keyed.Link)
			}
		})
	}
}

// TestGalleryChips: chips show the scenes of one group, also by keyboard. A lesson whose goals were all reached is
// marked as done.
func TestGalleryChips(t *testing.T) {
	t.Parallel()
	h := hostSite(t, true) // a separate origin, which shares nothing with other tests
	p := open(t, h.address, injecting(`if (window === top) localStorage.setItem('lessons', JSON.stringify({
		'01-conflict': { reached: [1, 2, 3, 4, 5], predictions: {} }, '03-fixed-weights': { reached: [1], predictions: {} } }))`))
	p.until("the sign of the lesson that is done", `() => {
		const done = [...document.querySelectorAll('#gallery .done')].map((a) => a.dataset.lesson);
		return done.length === 1 && done[0] === '01-conflict';
	}`)
	shows := func(group string) string {
		return `() => {
			const shown = [...document.querySelectorAll('.scenes li')].filter((li) => li.checkVisibility());
			const pressed = [...document.querySelectorAll('.chips [aria-pressed="true"]')].map((chip) => chip.dataset.group);
			const all = document.querySelectorAll('.scenes li').length;
			return pressed.length === 1 && pressed[0] === '` + group + `' && shown.length > 0 &&
				('` + group + `' ? shown.length < all && shown.every((li) => li.dataset.group === '` + group + `') : shown.length === all);
		}`
	}
	p.until("all scenes", shows(""))
	p.js(nil, `() => document.querySelector('.chips [data-group="Two levels"]').focus()`)
	p.run(chrome.Keys(" "))
	p.until("the scenes of one group", shows("Two levels"))
	p.js(nil, `() => document.querySelector('.chips [data-group=""]').focus()`)
	p.run(chrome.Keys("\r"))
	p.until("all scenes again", shows(""))
	// Links above the card's own link are reachable with a pointer.
	var covered []string
	p.js(&covered, `() => [...document.querySelectorAll('.scenes .paper a')].filter((a) => {
		a.scrollIntoView({ block: 'center' });
		const { left, top, height } = a.getClientRects()[0];
		return document.elementFromPoint(left + 2, top + height / 2) !== a;
	}).map((a) => a.href)`)
	if len(covered) > 0 {
		t.Errorf("links that the card covers: %v", covered)
	}
	p.js(nil, `() => localStorage.removeItem('lessons')`)
}

// TestGalleryWithoutScripts: the contents page is complete without scripts.
func TestGalleryWithoutScripts(t *testing.T) {
	t.Parallel()
	h := hostSite(t, true)
	// Files preloaded for scripts are not used here.
	p := open(t, h.address, with(chrome.Scripts(false)), size(1024, 800), expecting(`preloaded`, `request failed: $`))
	p.run(chrome.Visible(".lede"), chrome.Visible(".scenes li:last-child .question"))
	if n := colours(p.picture(".tradeoff img")); n < 30 {
		t.Errorf("the large picture has %d colours", n)
	}
}

// TestGalleryInChosenTheme: the visitor's chosen theme also applies to the pictures, regardless of the system's theme.
func TestGalleryInChosenTheme(t *testing.T) {
	t.Parallel()
	h := hostSite(t, true) // a separate origin, which shares nothing with other tests
	var asked requests
	p := open(t, h.address, noting(&asked), injecting(`if (window === top) localStorage.setItem('theme', 'dark')`))
	p.until("the dark picture", `() => [...document.querySelectorAll('.tradeoff img')].some((i) => i.src.endsWith('-dark.png') &&
		i.naturalWidth > 0 && i.getClientRects().length > 0)`)
	p.until("no light picture", `() => [...document.querySelectorAll('#gallery img')].every((i) => i.src.endsWith('-dark.png') ||
		i.getClientRects().length === 0)`)
	p.js(nil, `() => localStorage.removeItem('theme')`)
}

// TestProgramIsBegunEarly: if the address names a scene, the program starts to load before the page is read, and is
// loaded only once for the page and the stage. On the contents page, the program starts to load when a visitor is about
// to open a scene.
func TestProgramIsBegunEarly(t *testing.T) {
	t.Parallel()
	h := hostSite(t, true)
	var asked requests
	p := open(t, h.address+resting, noting(&asked))
	p.js(nil, `() => playground.ready`)
	if found := asked.with(".wasm"); len(found) != 1 {
		t.Errorf("a scene requests the program %d times: %v", len(found), found)
	}
	if found := asked.with("tradeoff-paths.json"); len(found) != 0 {
		t.Errorf("a scene requests the paths of the contents page: %v", found)
	}
	p.click("#to-gallery")
	p.until("the start that can be dragged", `() => document.querySelector('.tradeoff-start')`)
	var contents requests
	p = open(t, h.address, noting(&contents))
	p.until("the contents page", `() => document.readyState === 'complete'`)
	if found := contents.with(".wasm"); len(found) != 0 {
		t.Errorf("the contents page requests %v", found)
	}
	p.js(nil, `() => document.querySelector('#gallery a[href$="scene=lab"]').focus({ preventScroll: true })`)
	for end := time.Now().Add(patience); len(contents.with(".wasm")) == 0; time.Sleep(25 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the program does not load although a scene is about to be opened")
		}
	}
	p.js(nil, `() => document.activeElement.click()`)
	p.until("the scene", `async () => { await playground.ready; return playground.state().scene === 'lab'; }`)
	if found := contents.with(".wasm"); len(found) != 1 {
		t.Errorf("the program is requested %d times: %v", len(found), found)
	}
}

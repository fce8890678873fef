package browser

import (
	"fmt"
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// box is the position and size of something in the window.
type box struct{ X, Y, Width, Height float64 }

func (p *page) box(selector string) (b box) {
	p.Helper()
	p.js(&b, `(selector) => {
		const {x, y, width, height} = document.querySelector(selector).getBoundingClientRect();
		return {X: x, Y: y, Width: width, Height: height};
	}`, selector)
	return b
}

// TestPictureInView: the whole picture and its time line are in view, and fill most of the window.
func TestPictureInView(t *testing.T) {
	t.Parallel()
	p := ready(t, resting, size(1440, 900))
	for _, c := range []struct {
		width, height int64
		share         float64 // the picture's share of the window
	}{{1440, 900, 0.5}, {1024, 768, 0.475}, {1280, 720, 0.45}, {760, 480, 0.4}, {768, 1024, 0.445}} {
		p.part(fmt.Sprintf("%d×%d", c.width, c.height), func() {
			p.run(chrome.Resize(chrome.Screen{Width: c.width, Height: c.height}))
			p.js(nil, `() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`)
			picture, time := p.box("#stage"), p.box("#time-row")
			if bottom := time.Y + time.Height; picture.Y < 0 || picture.Y+picture.Height > time.Y+1 || bottom > float64(c.height) {
				p.Errorf("the picture is at %+v, its time line at %+v", picture, time)
			}
			if share := picture.Width * picture.Height / float64(c.width*c.height); share < c.share {
				p.Errorf("the picture takes %.2f of the window", share)
			}
			if !p.visible("#param-R") {
				p.Errorf("no control is shown")
			}
		})
	}
}

func (p *page) visible(selector string) (yes bool) {
	p.Helper()
	p.js(&yes, `(selector) => document.querySelector(selector).checkVisibility()`, selector)
	return yes
}

// TestPictureOnAPhone: on a phone, the picture takes up nearly half of the height, and stays in view while a visitor
// moves a control.
func TestPictureOnAPhone(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int64{{390, 844}, {320, 640}} {
		t.Run(fmt.Sprintf("%d×%d", size[0], size[1]), func(t *testing.T) {
			p := ready(t, resting, touchScreen(size[0], size[1]))
			if got := p.box("#stage").Height / float64(size[1]); got < 0.45 {
				t.Errorf("the picture takes %.2f of the height", got)
			}
			for _, selector := range []string{"#playback button", "#phone-tabs button", "#time"} {
				var cut []string
				p.js(&cut, `(selector) => [...document.querySelectorAll(selector)].filter((node) => {
					const {left, right, width} = node.getBoundingClientRect();
					return width > 0 && (left < 0 || right > innerWidth);
				}).map((node) => node.outerHTML)`, selector)
				if len(cut) > 0 {
					t.Errorf("cut off: %q", cut)
				}
			}
			p.sheet("Controls")
			p.js(nil, `() => document.querySelector('#param-momentum').scrollIntoView({block: 'end', behavior: 'instant'})`)
			if at := p.box("#stage"); at.Y < -1 || at.Y > 60 {
				t.Errorf("beside the last key control the picture is at %g", at.Y)
			}
			p.onePanelATime("decision", "objective", "weights", "geometry")
			for _, name := range []string{"Try", "Numbers", "Controls"} {
				p.sheet(name)
				shown := map[string]string{"Try": "#experiments", "Numbers": "#readout", "Controls": "#param-R"}
				for of, selector := range shown {
					if p.visible(selector) != (of == name) {
						t.Errorf("%s: %s is shown: %t", name, selector, of != name)
					}
				}
			}
		})
	}
}

// TestFrontAndUndo: digits bring panels to the front, except in inputs. Ctrl+Z undoes changes.
func TestFrontAndUndo(t *testing.T) {
	t.Parallel()
	p := ready(t, resting)
	if undo := p.raw(`() => playground.state().undo`); undo != "false" {
		t.Errorf("a change can be undone: %s", undo)
	}
	p.key("2")
	p.until("the second panel in front", `() => playground.state().hero === 'objective'`)
	p.focus("#param-R")
	p.key("3")
	p.key(chrome.Escape)
	p.js(nil, `() => document.activeElement.blur()`)
	if hero := p.raw(`() => playground.state().hero`); hero != `"objective"` {
		t.Errorf("a digit typed into an input brings %s to the front", hero)
	}
	p.enter("#param-eta", "0.25")
	p.changed("eta", 0.3)
	p.js(nil, `() => document.activeElement.blur()`)
	p.key("z", chrome.Ctrl)
	p.until("the step size as it was", `() => playground.state().params.eta === 0.3 &&
		document.querySelector('#param-eta').valueAsNumber === 0.3`)
	p.enter("#param-eta", "0.25")
	p.changed("eta", 0.3)
	p.click("#undo")
	p.until("the step size as it was, by the button", `() => playground.state().params.eta === 0.3 &&
		document.querySelector('#param-eta').valueAsNumber === 0.3`)
	p.enter("#param-eta", "0.25")
	p.until("the way to the defaults", `() => !document.getElementById('defaults').disabled`)
	p.click("#defaults")
	p.until("the defaults", `() => playground.state().params.eta === 0.3 && !playground.state().changed`)
}

// TestHeldSlider: while a visitor holds a slider, runs that had ended wait at their start. They run again once the
// slider is released.
func TestHeldSlider(t *testing.T) {
	t.Parallel()
	p := ready(t, resting)
	p.js(nil, `() => playground.step(200)`)
	p.until("the end", `() => playground.state().status === 'budget'`)
	at := p.middle(`[data-param="eta"] input[type=range]`)
	p.mouse(chrome.Press, at)
	for i := range 5 {
		p.mouse(chrome.Move, point{at.X + float64(4*i), at.Y})
	}
	p.until("the runs at their start", `() => { const s = playground.state(); return s.latest === 0 && s.params.eta !== 0.3; }`)
	p.mouse(chrome.Release, point{at.X + 16, at.Y})
	p.until("the runs going on", `() => playground.state().latest > 5`)
}

// TestChangedExperiment: when an experiment has been changed, the page says so and offers a way back.
func TestChangedExperiment(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.click("#experiments li:nth-child(3) button")
	p.until("the experiment open", `() => playground.state().card !== '' && playground.state().latest > 1`)
	if p.visible("#introduction .changed") {
		t.Error("an unchanged experiment counts as changed")
	}
	p.js(nil, `() => playground.set('eta', 0.123)`)
	p.until("a word that it is changed", `() => document.querySelector('#introduction .changed').checkVisibility()`)
	p.click("#introduction .changed button")
	p.until("the experiment as it was", `() => playground.state().params.eta !== 0.123 && !playground.state().changed`)
}

// TestHistory: the browser's history has one step for each scene and each experiment that was opened, and no other
// steps.
func TestHistory(t *testing.T) {
	t.Parallel()
	p := open(t, "")
	p.js(nil, `() => playground.ready`)
	var first struct {
		Scene  any
		Scenes int
		Frames int
	}
	p.js(&first, `() => ({Scene: playground.state().scene, Scenes: playground.scenes().length,
		Frames: [...document.querySelectorAll('iframe')].filter((frame) => frame.src).length})`)
	if first.Scene != nil || first.Scenes == 0 || first.Frames != 0 {
		t.Errorf("the contents: %+v", first)
	}
	if text := p.refusal(`() => playground.set('R', 3)`); !strings.Contains(text, "no scene is open") {
		t.Errorf("a verb without a scene is refused with %q", text)
	}
	title := func(want string) {
		p.until("the title "+want, `(want) => document.title === want + 'Pareto Playground'`, want)
	}
	title("")
	p.js(nil, `() => document.querySelector('#gallery a[href$="scene=toy"]').click()`)
	p.until("the toy race running", `() => playground.state().scene === 'toy' && playground.state().iteration > 0`)
	title("Toy race: ways to weigh gradients – ")
	p.js(nil, `() => playground.pause()`)
	p.js(nil, `() => playground.set('R', 9)`)
	p.click("#next-scene")
	p.until("the scene after it", `() => playground.state().scene === 'fronts'`)
	p.js(nil, `async () => {
		await playground.pause();
		await playground.card(playground.scenes().find(({id}) => id === 'fronts').presets[0].id);
	}`)
	p.js(nil, `() => history.back()`)
	p.until("no experiment", `() => playground.state().scene === 'fronts' && playground.state().card === ''`)
	p.js(nil, `() => history.back()`)
	p.until("the toy race as it was left", `() => playground.state().scene === 'toy' && playground.state().params.R === 9`)
	p.js(nil, `() => history.back()`)
	p.until("the contents", `() => playground.state().scene === null && document.querySelector('#gallery').checkVisibility()`)
	title("")
	p.js(nil, `() => history.forward()`)
	p.until("the toy race again", `() => playground.state().scene === 'toy' && playground.state().params.R === 9`)
	p.click("#to-gallery")
	p.until("the contents by the link", `() => playground.state().scene === null`)
	p.js(nil, `() => playground.open('lab')`)
	p.until("the lab by a script", `() => playground.state().scene === 'lab' && location.hash.includes('scene=lab')`)
}

// TestPresenting: presenting fills the window with the front panel, and enlarges its text by half.
func TestPresenting(t *testing.T) {
	t.Parallel()
	p := laptop.shows(t, resting)
	before := p.box("#stage")
	placed := func() (width float64) {
		p.js(&width, `() => {
			const {stage} = document.getElementById('stage').contentWindow;
			return Math.max(...stage.callNow('handles').map(({x}) => x));
		}`)
		return width
	}
	p.key("p")
	p.until("presenting", `() => 'presenting' in document.documentElement.dataset && !document.querySelector('#controls').checkVisibility()`)
	p.until("the presented scene, and how presenting ends", `() => {
		const told = document.getElementById('presented');
		return told.checkVisibility() && told.textContent.includes(document.getElementById('scene-title').textContent) &&
			told.textContent.includes('Esc');
	}`)
	p.until("nothing over the picture", `() => !document.getElementById('presented').checkVisibility()`)
	after := p.box("#stage")
	if after.Width <= before.Width || after.Y+after.Height > 800 {
		t.Errorf("the picture is at %+v, before at %+v", after, before)
	}
	// The picture's canvas has correspondingly fewer pixels, and the handles are on that canvas.
	if most := placed(); most > after.Width/1.5 {
		t.Errorf("a handle is at %g of %g", most, after.Width/1.5)
	}
	// Enlarged points can still be grabbed at their places.
	p.until("the points’ proxies", `() => document.getElementById('stage').contentDocument.querySelector('[data-handle="start-2"]')`)
	var at point
	p.until("a start where its proxy is", `() => {
		const frame = document.getElementById('stage');
		const {x, y} = frame.contentWindow.stage.callNow('handles').find(({id}) => id === 'start-2');
		const {left, top, width, height} = frame.contentDocument.querySelector('[data-handle="start-2"]').getBoundingClientRect();
		return Math.abs(left + width / 2 - 1.5 * x) < 1 && Math.abs(top + height / 2 - 1.5 * y) < 1;
	}`)
	p.js(&at, `() => {
		const frame = document.getElementById('stage');
		const {x, y} = frame.contentWindow.stage.callNow('handles').find(({id}) => id === 'start-2');
		const box = frame.getBoundingClientRect();
		return {X: box.x + 1.5 * x, Y: box.y + 1.5 * y};
	}`)
	start := p.state().Runs[1].Start
	p.mouse(chrome.Move, at)
	p.mouse(chrome.Press, at)
	p.mouse(chrome.Move, point{at.X + 30, at.Y})
	p.mouse(chrome.Release, point{at.X + 30, at.Y})
	p.until("the start dragged", `(before) => JSON.stringify(playground.state().runs[1].start) !== JSON.stringify(before)`, start)

	p.key(chrome.PageDown)
	p.until("the first experiment", `() => playground.state().card === playground.scenes()[0].presets[0].id`)
	p.key(chrome.PageDown)
	p.until("the second one", `() => playground.state().card === playground.scenes()[0].presets[1].id`)
	p.key(chrome.PageUp)
	p.until("the first one again", `() => playground.state().card === playground.scenes()[0].presets[0].id`)
	p.key(chrome.Escape)
	p.until("the page as it was", `() => !('presenting' in document.documentElement.dataset) &&
		document.querySelector('#controls').checkVisibility()`)
	if now := p.box("#stage"); now.Width != before.Width {
		t.Errorf("the picture is %g wide, before %g", now.Width, before.Width)
	}
}

// TestEmbedded: an embedded page shows the front panel, its time axis, one control and a link to the whole page, at any
// size.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	p := ready(t, "?embed#v=1&scene=fonseca&k=0", size(480, 360))
	picture, time := p.box("#stage"), p.box("#time-row")
	if picture.Y != 0 || picture.Width != 480 || picture.Height < 240 || time.Y+time.Height > 360 {
		t.Errorf("the picture is at %+v, its time line at %+v", picture, time)
	}
	for _, selector := range []string{".top", "#all", "#param-eta", "#undo", "#experiments", "#readout", ".foot"} {
		if p.visible(selector) {
			t.Errorf("%s is shown", selector)
		}
	}
	for _, selector := range []string{"#param-R", "#open-full"} {
		if at := p.box(selector); at.Width == 0 || at.Y < picture.Height || at.Y+at.Height > 360 || at.X+at.Width > 480 {
			t.Errorf("%s is at %+v", selector, at)
		}
	}
	p.enter("#param-R", "7")
	p.until("another period, and the link to it on the whole page", `() => {
		const link = document.getElementById('open-full');
		link.focus();
		const { search, hash } = new URL(link.href);
		return playground.state().params.R === 7 && search === '' && hash.includes('R=7');
	}`)
	var steps int
	p.js(&steps, `async () => {
		const before = history.length;
		await playground.open('toy');
		return history.length - before;
	}`)
	if steps != 0 {
		t.Errorf("opening a scene added %d steps to the history", steps)
	}
	q := ready(t, "?embed", size(480, 360))
	q.until("the first scene running", `() => playground.state().scene === playground.scenes()[0].id && playground.state().iteration > 0`)
}

// TestSearch: controls that are hidden at first are one press away, and a search by words finds them.
func TestSearch(t *testing.T) {
	t.Parallel()
	p := ready(t, resting)
	if p.visible("#param-budget") {
		t.Error("all controls are visible at once")
	}
	var front, keys []string
	p.js(&front, `() => [...document.querySelectorAll('.front [data-param]')].map((node) => node.dataset.param)`)
	p.js(&keys, `() => playground.state().keys.filter((name) => name !== 'method')`) // methods have a separate place
	if len(front) < 2 || fmt.Sprint(front) != fmt.Sprint(keys) {
		t.Errorf("in front are %v, not %v", front, keys)
	}
	p.click("#all > summary")
	p.until("all of them", `() => document.querySelector('#param-budget').checkVisibility()`)
	p.focus("#search")
	p.key("noise")
	p.until("those about noise", `() => document.querySelector('#param-sigma').checkVisibility() &&
		!document.querySelector('#param-budget').checkVisibility()`)
	p.key("xyz")
	p.until("a word that says so", `() => document.querySelector('.nothing').checkVisibility()`)
}

// TestLessonOnThePage: a lesson opens from the contents page in the lesson's own state, shows how to reach its goal,
// continues, and can be closed. A link to a step in the middle opens that step.
func TestLessonOnThePage(t *testing.T) {
	t.Parallel()
	p := open(t, "")
	p.js(nil, `() => playground.ready`)
	var name string
	p.js(&name, `() => {
		const link = document.querySelector('#gallery a[href*="lesson="]');
		link.click();
		return link.href.match(/lesson=([^:]+):1/)[1];
	}`)
	p.until("the lesson’s first step", `(name) => {
		const {lesson} = playground.state();
		return lesson?.name === name && lesson.step === 1 && !lesson.reached && document.querySelector('#lesson h3')?.checkVisibility();
	}`, name)
	p.until("its title", `() => document.title === document.querySelector('#lesson h2').textContent + ' – Pareto Playground'`)
	press := func(text string) {
		t.Helper()
		p.until("the button "+text, `(text) => {
			const button = [...document.querySelectorAll('#lesson button')].find((button) => button.textContent === text);
			button?.click();
			return button;
		}`, text)
	}
	if p.raw(`() => document.querySelector('.lesson-predict') !== null`) == "true" {
		press("Skip")
	}
	press("Show me")
	p.until("the goal reached", `() => playground.state().lesson.reached && document.querySelector('.lesson-sign').textContent === 'Reached'`)
	press("Next")
	p.until("the second step", `() => playground.state().lesson.step === 2`)
	var hash string
	p.js(&hash, `() => playground.state().hash`)
	p.until("it in the address", `(name) => location.hash.includes('lesson=' + name + ':2')`, name)
	p.js(nil, `() => history.back()`)
	p.until("the first step again", `() => playground.state().lesson.step === 1 &&
		document.querySelector('#lesson h3').textContent.startsWith('Step 1 of')`)
	p.click("#lesson [aria-label='Leave the lesson']")
	p.until("the scene alone", `() => playground.state().lesson === null && !document.querySelector('#lesson').checkVisibility()`)

	q := ready(t, "#"+hash)
	q.until("the second step by a link", `(name) => playground.state().lesson?.name === name && playground.state().lesson.step === 2 &&
		document.querySelector('#lesson h3')?.checkVisibility()`, name)
	q.js(nil, `() => playground.load('#v=1&scene=fonseca&lesson=nothing:3&k=0')`)
	q.noticed("could not be opened")
	q.until("no lesson", `() => playground.state().lesson === null`)
}

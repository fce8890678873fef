package browser

import (
	"math"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// start returns the start point of the first run.
func (p *page) start() []float64 {
	p.Helper()
	return p.state().Runs[0].Start
}

// table returns the runs as exported CSV.
func (p *page) table() (csv string) {
	p.Helper()
	p.js(&csv, `async () => (await playground.export('csv')).blob.text()`)
	return csv
}

func TestDragByMouse(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.js(nil, `() => playground.step(20)`)
	from, path := p.start(), p.table()
	at := p.handle("start-1")
	p.mouse(chrome.Move, at)
	p.mouse(chrome.Press, at)
	for i := 1; i <= 5; i++ {
		p.mouse(chrome.Move, point{at.X + float64(6*i), at.Y + float64(4*i)})
	}
	p.until("the point under way", `(from) => playground.state().runs[0].start[0] !== from[0]`, from)
	p.mouse(chrome.Release, point{at.X + 30, at.Y + 20})
	p.until("the runs where they were", `() => playground.state().latest === 20 && playground.state().progress === null`)

	to := p.start()
	if !(to[0] > from[0] && to[1] < from[1]) {
		t.Errorf("the start went from %v to %v, by a move to the right and down", from, to)
	}
	if moved := p.state().Params["start"]; moved == nil {
		t.Error("the parameter start lacks the moved point")
	}
	if p.table() == path {
		t.Error("the runs were not recomputed")
	}
	// The handle is at the place where the pointer was released.
	if now := p.handle("start-1"); math.Hypot(now.X-at.X-30, now.Y-at.Y-20) > 1.5 {
		t.Errorf("got the handle at %v, want 30, 20 from %v", now, at)
	}
}

// TestReleaseOutside: a drag continues outside the picture, and ends where the pointer is released.
func TestReleaseOutside(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	at := p.handle("start-1")
	outside := p.middle("#scene-title")
	p.mouse(chrome.Move, at)
	p.mouse(chrome.Press, at)
	p.mouse(chrome.Move, point{at.X + 10, at.Y - 10})
	p.mouse(chrome.Move, outside)
	p.mouse(chrome.Release, outside)
	ended := p.start()
	p.mouse(chrome.Move, point{at.X + 40, at.Y + 40})
	p.mouse(chrome.Move, point{at.X + 50, at.Y + 50})
	p.drawn()
	if now := p.start(); now[0] != ended[0] || now[1] != ended[1] {
		t.Errorf("the point follows the pointer after its release: %v, then %v", ended, now)
	}
	var cursor string
	p.js(&cursor, `() => document.getElementById('stage').contentDocument.querySelector('canvas').style.cursor`)
	if cursor == "grabbing" {
		t.Error("the pointer still has the shape for holding something")
	}
}

// still scrolls the picture into the window, and waits until it stops moving. On a slow machine, changes of an earlier
// step may affect the layout for several more frames.
func (p *page) still() {
	p.Helper()
	p.js(nil, `async () => {
		const stage = document.getElementById('stage');
		stage.scrollIntoView({block: 'center', behavior: 'instant'});
		const box = () => {
			const {top, bottom} = stage.getBoundingClientRect();
			return top + ' ' + bottom;
		};
		let before = box();
		for (let still = 0; still < 5;) {
			await new Promise(requestAnimationFrame);
			still = box() === before ? still + 1 : 0;
			before = box();
		}
	}`)
}

// empty returns a point of the picture that is visible in the window and has nothing on it.
func (p *page) empty() (at point) {
	p.Helper()
	p.still()
	p.js(&at, `() => {
		const frame = document.getElementById('stage');
		const box = frame.getBoundingClientRect();
		const handles = frame.contentWindow.stage.callNow('handles');
		// Below the axis of the bottom left panel, the picture is empty.
		for (let x = 20; x < box.width; x += 10) {
			const y = box.height - 10;
			if (handles.every((h) => Math.hypot(h.x - x, h.y - y) > 60)) return {X: box.x + x, Y: box.y + y};
		}
		throw new Error('there is no empty place');
	}`)
	return at
}

func TestWheelScrollsThePage(t *testing.T) {
	t.Parallel()
	p := ready(t, resting, size(1280, 600))
	at := p.empty()
	p.js(nil, `() => scrollTo({top: 100, behavior: 'instant'})`)
	p.run(chrome.Hover(at.X, 300))
	p.run(chrome.Wheel(at.X, 300, 120))
	p.until("the page scrolled by the wheel over the picture", `() => scrollY > 110`)
}

func TestTouch(t *testing.T) {
	t.Parallel()
	p := handset.shows(t, resting)
	at := p.handle("start-1")
	from := p.start()
	var top float64
	p.js(&top, `() => scrollY`)
	p.touch(chrome.Press, at)
	for i := 1; i <= 5; i++ {
		p.touch(chrome.Move, point{at.X + float64(6*i), at.Y + float64(6*i)})
	}
	p.touch(chrome.Release)
	p.until("the point moved by a finger", `(from) => playground.state().runs[0].start[0] > from[0] &&
		playground.state().runs[0].start[1] < from[1]`, from)
	var after float64
	p.js(&after, `() => scrollY`)
	if after != top {
		t.Errorf("the page scrolled by %g while a point was dragged", after-top)
	}

	p.js(nil, `() => document.activeElement.blur()`)
	start := p.start()
	at = p.empty()
	p.touch(chrome.Press, at)
	for i := 1; i <= 10; i++ {
		p.touch(chrome.Move, point{at.X, at.Y - float64(15*i)})
	}
	p.touch(chrome.Release)
	p.until("the page scrolled by a finger on the paper", `(top) => scrollY > top + 50`, top)
	if now := p.start(); now[0] != start[0] || now[1] != start[1] {
		t.Error("a touch of the background moved a point")
	}
}

// TestDragWhilePlaying: dragging a point while the runs play does not stop them.
func TestDragWhilePlaying(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.js(nil, `async () => {
		await playground.set('budget', 5000);
		await playground.play();
	}`)
	p.until("playing", `() => playground.state().iteration > 5`)
	at := p.handle("start-1")
	from, k := p.start(), p.state().Iteration
	p.mouse(chrome.Move, at)
	p.mouse(chrome.Press, at)
	for i := 1; i <= 10; i++ {
		p.mouse(chrome.Move, point{at.X + float64(3*i), at.Y})
	}
	p.mouse(chrome.Release, point{at.X + 30, at.Y})
	p.until("the point moved", `(from) => playground.state().runs[0].start[0] > from[0]`, from)
	p.until("playing on from where the runs were", `(k) => playground.state().playing && playground.state().progress === null &&
		playground.state().iteration > k`, k)
}

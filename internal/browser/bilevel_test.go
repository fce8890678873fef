package browser

import (
	"math"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// restingBilevel is a link to the bilevel scene, paused at k = 0.
const restingBilevel = "#v=1&scene=bilevel&k=0"

// bilevelParams are the scene's parameters that tests use.
type bilevelParams struct {
	Moment float64
	Speed  string
	View   string
	Start  [][]float64
	Camera []float64
	T      int
}

func (p *page) bilevelParams() (v bilevelParams) {
	p.Helper()
	p.js(&v, `() => playground.state().params`)
	return v
}

// TestBilevelRuns: the runs play smoothly to their end in the page, with the same results as outside the page. The page
// says where the paper's equations are wrong.
func TestBilevelRuns(t *testing.T) {
	long(t, "TestToyRace plays to the end too, TestParity has the bits")
	p := desk.shows(t, restingBilevel)
	if s := p.state(); s.Scene != "bilevel" || len(s.Runs) != 9 || s.Latest != 0 {
		t.Fatalf("%s with %d runs at %d", s.Scene, len(s.Runs), s.Latest)
	}
	p.js(nil, `() => playground.set('speed', 'max')`)
	p.js(nil, `() => playground.play()`)
	p.until("the end", `() => playground.state().latest === 200 && !playground.state().playing`)
	var frames []float64
	p.js(&frames, `() => document.getElementById('stage').contentWindow.stage.probe().frameMillis`)
	slices.Sort(frames)
	// WebGL runs in software here, and other tests run at the same time, so this is only a rough check.
	if n := len(frames); n == 0 || frames[n/2] > 150 {
		t.Errorf("the main thread takes %v ms for a frame", frames)
	}
	var ends []struct {
		Run string
		E   float64
		X   []float64
		HVP int
	}
	p.js(&ends, `() => playground.state().results.endings`)
	if len(ends) != 9 {
		t.Fatalf("%d endings", len(ends))
	}
	for _, e := range ends {
		p.part(e.Run, func() {
			if e.E > 1e-8 || (e.HVP == 20_000) == strings.HasPrefix(e.Run, "forum") {
				p.Errorf("%+v", e)
			}
		})
	}
	if alpha := ends[0].X[0]; math.Abs(alpha-1.1095062305576786) > 1e-9 {
		t.Errorf("FORUM ends at α = %v", alpha)
	}
	p.drawn()
	if n := colours(p.picture("#stage")); n < 40 {
		t.Errorf("only %d colours", n)
	}
	p.until("the slip", `() => document.body.textContent.includes('print 2φ where the exact dual')`)
}

// TestBilevelSlowMotion: slow motion passes through the moments of a step before it takes the step. Keys move the
// marker of the moment, and links contain the moment.
func TestBilevelSlowMotion(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, restingBilevel+"&method=forum")
	p.js(nil, `() => playground.set('speed', 'slow')`)
	p.js(nil, `() => playground.play()`)
	p.until("the loop", `() => { const m = playground.state().params.moment; return m > 0 && m < 1; }`)
	p.until("a later moment", `() => playground.state().params.moment > 1`)
	if s := p.state(); s.Latest != 0 || !s.Playing {
		t.Errorf("playing %v at %d in the middle of the first step", s.Playing, s.Latest)
	}
	p.until("the first step", `() => playground.state().latest === 1`)
	p.js(nil, `() => playground.pause()`)
	before := p.bilevelParams().Moment
	p.front("lower") // the panel with the mark
	p.until("the mark of the moment", `() => document.getElementById('stage').contentDocument.querySelector('[data-handle="moment"]')`)
	p.js(nil, `() => document.getElementById('stage').contentDocument.querySelector('[data-handle="moment"]').focus()`)
	p.key(chrome.Enter)
	p.key(chrome.ArrowRight)
	p.until("the moment moved", `(m) => Math.abs(playground.state().params.moment - m - 0.1) < 0.006`, before)
	moment := p.bilevelParams().Moment
	var hash string
	p.js(&hash, `() => playground.state().hash`)
	p.follow(hash)
	if v := p.bilevelParams(); v.Moment != moment || v.Speed != "slow" {
		t.Errorf("the link shows moment %g at speed %s, not %g", v.Moment, v.Speed, moment)
	}
	// At another speed, the page shows whole steps.
	p.js(nil, `() => playground.set('speed', '10')`)
	p.until("whole steps", `() => playground.state().params.moment === 4`)
}

// TestBilevelSpace: a visitor can drag starts in the plane of the view, and turn the picture by dragging its
// background, with the mouse, a finger or keys. Links contain the starts and the view.
func TestBilevelSpace(t *testing.T) {
	long(t, "TestLabCamera turns one too")
	t.Parallel()
	p := desk.shows(t, restingBilevel)
	p.dragBy("start-1", 20, 10)
	start := p.bilevelParams().Start
	if len(start) != 1 || len(start[0]) != 3 || start[0][2] >= 3 {
		t.Errorf("the start is %v", start)
	}
	camera := p.bilevelParams().Camera
	p.dragBy("camera", -30, 0)
	p.until("the camera turned", `(azimuth) => playground.state().params.camera[0] > azimuth + 5`, camera[0])
	turned := p.bilevelParams()
	var hash string
	p.js(&hash, `() => playground.state().hash`)
	p.follow(hash)
	if v := p.bilevelParams(); !slices.Equal(v.Camera, turned.Camera) || len(v.Start) != 1 || !slices.Equal(v.Start[0], start[0]) {
		t.Errorf("the link shows camera %v and starts %v, not %v and %v", v.Camera, v.Start, turned.Camera, start)
	}

	small := handset.shows(t, restingBilevel)
	at := small.handle("camera")
	at.X, at.Y = at.X-30, at.Y-10 // away from all handles
	before := small.bilevelParams().Camera
	small.touch(chrome.Press, at)
	for i := 1.0; i <= 5; i++ {
		small.touch(chrome.Move, point{at.X - 8*i, at.Y})
	}
	small.touch(chrome.Release)
	small.until("the camera turned by a finger", `(azimuth) => playground.state().params.camera[0] > azimuth + 5`, before[0])
	turnedBy := small.bilevelParams().Camera
	small.js(nil, `() => document.getElementById('stage').contentDocument.querySelector('[data-handle="camera"]').focus()`)
	small.key(chrome.Enter)
	small.key(chrome.ArrowUp)
	small.until("the camera nudged", `(elevation) => Math.abs(playground.state().params.camera[1] - elevation - 5) < 1e-9`, turnedBy[1])
}

// TestBilevelCards: a live change takes effect at the next iteration and leaves a marker. The slow-motion card shows
// only the two pictures of a step. Other cards restore the other pictures and their own speed.
func TestBilevelCards(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, restingBilevel)
	p.js(nil, `() => playground.step(5)`)
	p.js(nil, `() => playground.set('T', 3)`)
	p.js(nil, `() => playground.step(5)`)
	p.until("a mark of the change", `() => { const s = playground.state();
		return s.latest === 10 && s.log.length === 1 && s.log[0].k === 5 && s.log[0].name === 'T'; }`)
	card := func(title string) {
		p.js(nil, `(title) => [...document.querySelectorAll('.card')].find((c) => c.textContent.includes(title)).click()`, title)
	}
	card("within one step")
	p.until("slow motion of one step", `() => { const s = playground.state();
		return s.playing && s.params.speed === 'slow' && s.params.view === 'step' && s.selected === 'forum-2'; }`)
	card("nothing pulls")
	p.until("FORUM without a pull", `() => { const s = playground.state();
		return s.params.rho === 0 && s.params.view === 'all' && s.params.speed === '30' && s.params.moment === 4 && s.latest > 3; }`)
}

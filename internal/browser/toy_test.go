package browser

import (
	"fmt"
	"slices"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// restingRace is a link to the race at k = 0, not playing.
const restingRace = "#v=1&scene=toy&k=0"

// TestToyRace: the runs play smoothly to their end in the page, with 15 runs of tens of thousands of iterations. The
// pictures say which runs have arrived.
func TestToyRace(t *testing.T) {
	p := desk.shows(t, restingRace)
	if s := p.state(); s.Scene != "toy" || len(s.Runs) != 15 || s.Latest != 0 {
		t.Fatalf("%s with %d runs at %d", s.Scene, len(s.Runs), s.Latest)
	}
	p.js(nil, `() => playground.set('budget', 3000)`)
	p.js(nil, `() => playground.play()`)
	p.until("a part of the race", `() => playground.state().latest > 1000`)
	var frames []float64
	p.js(&frames, `() => document.getElementById('stage').contentWindow.stage.probe().frameMillis`)
	slices.Sort(frames)
	// WebGL runs in software here, and other tests run at the same time, so this is only a rough check. A frame would take
	// longer if lines were drawn from all rows of all runs.
	if n := len(frames); n == 0 || frames[n/2] > 150 {
		t.Errorf("the main thread takes %v ms for a frame", frames)
	}
	p.js(nil, `() => playground.step(3000)`) // without frames in between, which cost more than the runs
	p.until("the end of the race", `() => playground.state().latest === 3000 && !playground.state().playing`)
	var ends []struct {
		Run     string
		Arrived *struct{ K, BP int }
	}
	p.js(&ends, `() => playground.state().results.endings`)
	if len(ends) != 15 {
		t.Fatalf("%d endings", len(ends))
	}
	for _, e := range ends {
		p.part(e.Run, func() {
			if stuck := e.Run == "ls-1" || e.Run == "ls-3"; stuck && e.Arrived != nil || e.Run == "ls-2" && e.Arrived == nil {
				p.Errorf("%s arrives: %v", e.Run, e.Arrived)
			}
		})
	}
	p.drawn()
	if n := colours(p.picture("#stage")); n < 40 {
		t.Errorf("only %d colours", n)
	}
}

// TestToyMethods: a method that does not apply here cannot be chosen, and the page says why. A method's parameters
// appear when the method runs, even if it runs within PSMGD.
func TestToyMethods(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, restingRace)
	var disabled []string
	p.js(&disabled, `() => [...document.querySelectorAll('[data-param="method"] input:disabled')].map((box) => box.value)`)
	slices.Sort(disabled)
	if !slices.Equal(disabled, []string{"dbmtl", "dwa", "epo", "gls", "gradnorm", "si", "smg", "uw"}) {
		t.Errorf("the disabled methods are %v", disabled)
	}
	shown := func(name string) (yes bool) {
		p.js(&yes, `(name) => document.querySelector('[data-param="' + name + '"]').checkVisibility()`, name)
		return yes
	}
	p.js(nil, `() => { document.querySelector('#all').open = true; }`)
	if !shown("cagrad.c") || shown("famo.gamma") {
		t.Errorf("cagrad.c shown: %v, famo.gamma shown: %v", shown("cagrad.c"), shown("famo.gamma"))
	}
	p.js(nil, `() => playground.set('psmgd.weighting', 'famo')`)
	p.until("FAMO's parameters", `() => document.querySelector('[data-param="famo.gamma"]').checkVisibility()`)
	p.js(nil, `() => { document.querySelector('[data-param="method"] details').open = true; }`)
	p.click(`[data-param="method"] label[for$="-nashmtl"]`)
	p.until("Nash-MTL among the runs", `() => playground.state().runs.some((r) => r.method === 'nashmtl')`)
	if text := p.refusal(`() => playground.set('method', ['si'])`); text == "" {
		t.Error("a method that does not apply is accepted")
	}
}

// TestToyPage: a visitor drags a start, presses a card, and follows a link.
func TestToyPage(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, restingRace)
	at := p.handle("start-1")
	p.mouse(chrome.Press, at)
	p.mouse(chrome.Move, point{at.X + 30, at.Y + 20})
	p.mouse(chrome.Release, point{at.X + 30, at.Y + 20})
	p.until("a moved start", `() => playground.state().params.start.length === 1 && playground.state().runs[0].start[0] !== -8.5`)
	var count int
	p.js(&count, `() => document.querySelectorAll('#experiments li').length`)
	if count != 7 {
		t.Errorf("%d cards", count)
	}
	p.click("#experiments li:nth-child(4) button")
	p.until("the card's runs", `() => playground.state().params.axis === 'backpropagations' && playground.state().latest > 100`)
	p.js(nil, `() => playground.pause()`)
	var link string
	p.js(&link, `() => playground.state().hash`)
	a := p.state()
	p.follow(link)
	b := p.state()
	if fmt.Sprint(a.Runs) != fmt.Sprint(b.Runs) || a.Latest != b.Latest {
		t.Errorf("the link leads to another state: %d and %d", a.Latest, b.Latest)
	}
}

// TestToyPhone: a phone shows one panel at a time, and nothing is wider than the screen.
func TestToyPhone(t *testing.T) {
	t.Parallel()
	p := handset.shows(t, restingRace)
	p.js(nil, `() => playground.step(300)`)
	p.onePanelATime("decision", "objective", "weights", "gap", "arrivals")
}

// TestAChosenSceneRuns: a scene that the visitor chooses starts to run, as the first scene does, and texts about the
// previous scene disappear.
func TestAChosenSceneRuns(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, "#v=1&scene=bilevel&T=100000")
	p.noticed("T")
	p.click("#previous-scene")
	p.until("the scene before it running", `() => playground.state().scene === 'network' && playground.state().iteration > 0 &&
		document.querySelectorAll('.notice').length === 0`)
}

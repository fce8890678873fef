package browser

import (
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// TestLiveChange: a control that moves while the runs play acts immediately and leaves a mark on the time axis. The mark
// leads back to the change.
func TestLiveChange(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.js(nil, `() => playground.set('budget', 5000)`)
	p.focus("#play")
	p.key(" ")
	p.until("playing", `() => playground.state().iteration > 5`)
	p.focus(`[data-param="R"] input[type=range]`)
	p.key(chrome.ArrowRight)
	p.until("the change in the log", `() => playground.state().log.length === 1 && playground.state().params.R === 5`)
	p.until("still playing", `() => playground.state().playing && playground.state().iteration > playground.state().log[0].k`)
	change := p.state().Log[0]
	if change.Name != "R" || change.Value != 5 || change.K < 5 {
		t.Errorf("the log has %+v", change)
	}
	p.focus("#play")
	p.key(" ")
	p.until("paused", `() => !playground.state().playing`)
	p.until("the mark", `() => /R = 5/.test(document.querySelector('#time-axis .marks button')?.ariaLabel)`)
	p.click("#time-axis .marks button")
	p.until("the iteration of the change", `(k) => playground.state().iteration === k`, change.K)
	p.until("a word that this is the past", `() => /showing iteration/.test(document.getElementById('status').textContent)`)
	// Play continues from the latest iteration, and the page says so.
	latest := p.state().Latest
	p.focus("#play")
	p.key(" ")
	p.noticed("latest")
	p.until("going on", `(latest) => playground.state().iteration > latest`, latest)
}

// TestTimeMarker: the marker follows the slider below the picture, and the mouse in the picture.
func TestTimeMarker(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.js(nil, `() => playground.step(100)`)
	p.focus("#time")
	p.key(chrome.ArrowLeft)
	p.until("one back", `() => playground.state().iteration === 99`)
	p.key(chrome.Home)
	p.until("the start", `() => playground.state().iteration === 0`)
	p.key(chrome.End)
	p.until("the latest", `() => playground.state().iteration === 100`)

	// The marker is a handle of the panel in front.
	p.js(nil, `() => playground.hero('weights')`)
	p.drawn()
	at := p.handle("marker")
	p.mouse(chrome.Move, at)
	p.mouse(chrome.Press, at)
	for i := 1; i <= 4; i++ {
		p.mouse(chrome.Move, point{at.X - float64(20*i), at.Y})
	}
	p.mouse(chrome.Release, point{at.X - 80, at.Y})
	p.until("the marker dragged back", `() => playground.state().iteration < 100`)
	s := p.state()
	if s.Iteration < 10 || s.Latest != 100 {
		t.Errorf("the marker went to %d of %d", s.Iteration, s.Latest)
	}
	if now := p.handle("marker"); now.X < at.X-90 || now.X > at.X-70 {
		t.Errorf("the marker is at %g, dragged from %g to %g", now.X, at.X, at.X-80)
	}
	p.until("the slider with it", `(k) => document.getElementById('time').valueAsNumber === k`, s.Iteration)
	p.until("the counter with it", `(k) => document.querySelector('#playback output').textContent === String(k)`, s.Iteration)
	p.until("the readout with it", `(k) => document.querySelector('#readout tbody td').textContent === String(k)`, s.Iteration)
}

// TestTimeBeyond: the time axis extends to the budget. Moving the thumb past the latest iteration starts a computation,
// which shows its progress and can be stopped.
func TestTimeBeyond(t *testing.T) {
	t.Parallel()
	p := ready(t, resting+"&budget=400", size(1280, 800))
	p.js(nil, `() => playground.step(100)`)
	p.until("an axis to the budget, filled as far as it is computed", `() => {
		const time = document.getElementById('time');
		return time.max === '400' && time.value === '100' && time.style.getPropertyValue('--filled') === '0.25' &&
			document.querySelector('.axis-end').textContent === '400' &&
			time.getAttribute('aria-valuetext') === 'iteration 100 of 400, 100 computed';
	}`)
	drag := func(from, to float64) {
		box := p.box("#time")
		at := func(share float64) point { return point{box.X + 10 + share*(box.Width-20), box.Y + box.Height/2} }
		p.mouse(chrome.Move, at(from))
		p.mouse(chrome.Press, at(from))
		p.mouse(chrome.Move, at((from+to)/2))
		p.mouse(chrome.Move, at(to))
		p.mouse(chrome.Release, at(to))
	}
	drag(0.25, 0.6)
	p.until("the place beyond computed", `() => {
		const {iteration, latest, playing} = playground.state();
		return !playing && iteration === latest && Math.abs(latest - 240) < 8;
	}`)
	// seek stays within the computed iterations. The End key first goes to the latest computed iteration; pressed
	// again, it computes up to the budget.
	latest := p.state().Latest
	p.js(nil, `(k) => playground.seek(k + 50)`, latest)
	if s := p.state(); s.Iteration != latest || s.Latest != latest {
		t.Errorf("seek beyond the latest iteration, %d, leads to %d of %d", latest, s.Iteration, s.Latest)
	}
	p.focus("#time")
	p.key(chrome.Home)
	p.until("the start", `() => playground.state().iteration === 0`)
	p.key(chrome.End)
	p.until("the latest", `(k) => playground.state().iteration === k`, latest)
	p.key(chrome.ArrowRight)
	p.until("one further", `(k) => playground.state().latest === k + 1 && playground.state().iteration === k + 1`, latest)
	p.key(chrome.End)
	p.until("the end", `() => playground.state().iteration === 400`)

	// A long computation can be stopped. Until then, the thumb stays where the visitor dragged it.
	p.js(nil, `async () => {
		await playground.set('starts', 50);
		await playground.set('d', 30);
		await playground.set('budget', 10000);
		await playground.reset();
	}`)
	p.until("a long axis", `() => document.getElementById('time').max === '10000'`)
	drag(0, 0.9)
	p.until("Stop, and how far it is", `() => !document.getElementById('stop').hidden &&
		document.getElementById('time').valueAsNumber > 8000 &&
		/computing up to iteration \d+, \d+ %/.test(document.getElementById('status').textContent)`)
	p.click("#stop")
	p.until("stopped", `() => document.getElementById('stop').hidden && playground.state().progress === null`)
	s := p.state()
	if s.Latest == 0 || s.Latest > 8000 || s.Iteration != s.Latest {
		t.Errorf("stopped at %d of %d", s.Iteration, s.Latest)
	}
	p.until("the thumb where the runs are", `(k) => document.getElementById('time').valueAsNumber === k`, s.Latest)
}

// TestLostContextWhilePlaying: a WebGL context that is lost while the runs play is restored, and the runs continue.
func TestLostContextWhilePlaying(t *testing.T) {
	t.Parallel()
	p := ready(t, resting, expecting(`CONTEXT_LOST`))
	p.js(nil, `async () => {
		await playground.set('budget', 5000);
		await playground.play();
	}`)
	p.until("playing", `() => playground.state().iteration > 5`)
	var k int
	p.js(&k, `() => {
		window.picture = document.getElementById('stage').contentWindow.stage;
		document.getElementById('stage').contentDocument
			.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext();
		return playground.state().iteration;
	}`)
	p.until("another picture that goes on from there", `(k) => {
		const {stage} = document.getElementById('stage').contentWindow;
		return stage && stage !== window.picture && playground.state().playing && playground.state().iteration > k;
	}`, k)
}

// TestShare: Share copies a link to the current state, or shows it if copying is refused.
func TestShare(t *testing.T) {
	t.Parallel()
	p := ready(t, resting, injecting(`
		window.copied = [];
		Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => {
			if (window.refuse) throw new DOMException('no', 'NotAllowedError');
			copied.push(text);
		}}});`))
	p.js(nil, `() => playground.step(4)`)
	p.click("#share")
	p.until("the link copied", `() => copied.length === 1 && document.getElementById('said').textContent !== ''`)
	var link string
	p.js(&link, `() => copied[0]`)
	p.until("the dialog", `() => document.getElementById('share-dialog').open`)
	var html string
	p.js(&html, `() => document.querySelector('#share-dialog textarea').value`)
	want := `src="` + strings.ReplaceAll(site+"embed.html"+link[strings.Index(link, "#"):], "&", "&amp;") + `"`
	if !strings.Contains(html, want) {
		t.Errorf("the HTML for another page is %s, without %s", html, want)
	}
	p.key(chrome.Escape)
	p.js(nil, `() => { window.refuse = true; }`)
	p.click("#share")
	p.until("the link shown", `(link) => document.getElementById('share-dialog').open &&
		document.querySelector('#share-dialog input').value === link`, link)

	q := ready(t, link)
	if s := q.state(); s.Iteration != 4 {
		t.Errorf("the link %s opens iteration %d", link, s.Iteration)
	}
}

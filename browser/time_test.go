package browser

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// A control that is moved while the runs play acts at once, leaves a mark on
// the time axis, and the mark leads back to it.
func TestLiveChange(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.js(nil, `() => playground.set('budget', 5000)`)
	p.focus("#play")
	p.key(" ")
	p.until("playing", `() => playground.state().iteration > 5`)
	p.focus(`[data-param="R"] input[type=range]`)
	p.key(kb.ArrowRight)
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
	// Play goes on from the latest, and the visitor is told.
	latest := p.state().Latest
	p.focus("#play")
	p.key(" ")
	p.noticed("latest")
	p.until("going on", `(latest) => playground.state().iteration > latest`, latest)
}

// The marker follows the slider below the picture and the mouse in it.
func TestTimeMarker(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.js(nil, `() => playground.step(100)`)
	p.focus("#time")
	p.key(kb.ArrowLeft)
	p.until("one back", `() => playground.state().iteration === 99`)
	p.key(kb.Home)
	p.until("the start", `() => playground.state().iteration === 0`)
	p.key(kb.End)
	p.until("the latest", `() => playground.state().iteration === 100`)

	// The marker is a handle of the panel in front.
	p.js(nil, `() => playground.hero('weights')`)
	p.drawn()
	at := p.handle("marker")
	p.mouse(input.MouseMoved, at)
	p.mouse(input.MousePressed, at)
	for i := 1; i <= 4; i++ {
		p.mouse(input.MouseMoved, point{at.X - float64(20*i), at.Y})
	}
	p.mouse(input.MouseReleased, point{at.X - 80, at.Y})
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

// A context that is lost while the runs play comes back playing.
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

// Share copies a link to what is shown, or shows it where copying is refused.
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
	p.js(nil, `() => { window.refuse = true; }`)
	p.click("#share")
	p.until("the link shown", `(link) => document.getElementById('share-dialog').open &&
		document.querySelector('#share-dialog input').value === link`, link)

	q := ready(t, link)
	if s := q.state(); s.Iteration != 4 {
		t.Errorf("the link %s opens iteration %d", link, s.Iteration)
	}
}

package browser

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

// restingYours is a link to the scene of a visitor's own objectives, at k = 0 and not playing.
const restingYours = "#v=1&scene=yours&k=0"

// TestWalkByKeys: keys grab and move the ring of a walk. The walk and the sentences beside the picture change.
func TestWalkByKeys(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, restingYours+"&starts=1")
	if p.visible("#verdict") {
		t.Error("the page reserves space for sentences that will not come")
	}
	p.js(nil, `() => [...document.querySelectorAll('#experiments button')].find((b) => b.textContent.includes('A truss')).click()`)
	p.until("the card's walk", `() => playground.state().params.walk === 60 && playground.state().latest > 0`)
	p.js(nil, `() => playground.pause()`)
	p.until("the sentences", `() => document.querySelector('#verdict h2')?.textContent === 'Along the front' &&
		document.querySelector('#verdict [data-sentence=rate]')`)
	rate := func() (text string) {
		p.js(&text, `() => document.querySelector('#verdict [data-sentence=rate] p').textContent`)
		return text
	}
	before := rate()
	p.until("the ring", `() => document.getElementById('stage').contentDocument.querySelector('[data-handle="walk"]')`)
	p.js(nil, `() => {
		const frame = document.getElementById('stage');
		frame.focus();
		frame.contentDocument.querySelector('[data-handle="walk"]').focus();
	}`)
	p.key(chrome.Enter)
	p.until("the ring taken", `() => document.getElementById('stage').contentDocument.activeElement.ariaPressed === 'true'`)
	p.key(chrome.ArrowLeft)
	p.until("a step of the walk", `() => playground.state().params.walk !== 60`)
	p.until("another rate", `(before) => document.querySelector('#verdict [data-sentence=rate] p').textContent !== before`, before)
	if now := rate(); !strings.HasPrefix(now, "One unit of f₁ costs ") {
		t.Errorf("the text beside the picture is %q", now)
	}
	var own bool
	p.js(&own, `() => document.querySelector('#verdict').textContent.includes('Record your own')`)
	if own {
		t.Error("a walk offers to record a log")
	}
}

// TestOwnFormula: a visitor's formula is drawn. An error in a formula is shown at the error's place and does not affect
// the runs.
func TestOwnFormula(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, restingYours+"&starts=2")
	p.drawn()
	before := fingerprint(p.picture("#stage"))
	const bent = "(x-1)^2 + (y+0.5)^2 + 1*sin(3*y) + 2"
	since := time.Now()
	p.insert("f1", bent)
	p.takes("f1", bent)
	p.drawn()
	took := time.Since(since) // includes the pause of 300 ms
	if fingerprint(p.picture("#stage")) == before {
		t.Error("the picture does not change")
	}
	t.Logf("the picture of a formula took %v", took)
	p.js(nil, `() => playground.step(5)`)
	p.insert("f1", bent+" + ")
	p.until("the fault beneath", `() => document.querySelector('#param-f1').getAttribute('aria-invalid') === 'true' &&
		document.querySelector('#param-f1-fault').checkVisibility() && /^1:\d+: /.test(document.querySelector('#param-f1-fault').textContent)`)
	if s := p.state(); s.Latest != 5 || len(s.Runs) == 0 {
		t.Errorf("%d runs at %d", len(s.Runs), s.Latest)
	}
}

// TestHostileObjective: if a text in a link from elsewhere is not a formula, the page shows it as text and refuses it
// with a reason.
func TestHostileObjective(t *testing.T) {
	t.Parallel()
	const evil = `<img src=x onerror="window.evil=1">`
	p := desk.shows(t, restingYours+"&f1="+url.QueryEscape(evil))
	p.until("the fault", `() => /^1:1: /.test(document.querySelector('#param-f1-fault').textContent)`)
	var seen struct {
		Value  string
		Images int
		Evil   bool
	}
	p.js(&seen, `() => ({Value: document.querySelector('#param-f1').value,
		Images: document.querySelectorAll('img[src=x]').length, Evil: window.evil !== undefined})`)
	if seen.Value != evil || seen.Images != 0 || seen.Evil {
		t.Errorf("%+v", seen)
	}
	if runs := p.state().Runs; len(runs) == 0 {
		t.Error("no run exists")
	}
}

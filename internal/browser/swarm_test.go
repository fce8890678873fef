package browser

import (
	"paretoplay/internal/browser/chrome"
	"testing"
)

// TestSwarm: a link that names only a scene opens it with a swarm. The swarm moves with the runs, stops with them,
// continues after their end, and comes to rest. Keys move its curtain, and the address contains the curtain's place.
func TestSwarm(t *testing.T) {
	p := ready(t, "#v=1&scene=fonseca")
	p.until("a swarm on its way", `() => playground.state().playing && playground.state().facts['swarm.points'] === 3000`)
	p.js(nil, `() => playground.set('swarm', 150)`)
	p.js(nil, `() => playground.hero('decision')`)
	p.until("an end", `() => playground.state().facts['swarm.ended'] > 0`)
	p.js(nil, `() => playground.pause()`)
	p.until("a pause", `() => !playground.state().playing`)
	var known float64
	p.js(&known, `() => playground.state().facts['swarm.ended']`)
	p.js(nil, `() => new Promise((wait) => setTimeout(wait, 300))`)
	p.until("no end more", `(known) => playground.state().facts['swarm.ended'] === known`, known)
	p.js(nil, `() => playground.play()`)
	p.until("rest", `() => !playground.state().playing`)
	if p.js(&known, `() => playground.state().facts['swarm.ended']`); known != 150 {
		t.Errorf("at rest %v of 150 ends are known", known)
	}
	p.until("the curtain's proxy", `() => document.getElementById('stage').contentDocument.querySelector('[data-handle="curtain"]')`)
	p.js(nil, `() => {
		const { contentWindow, contentDocument } = document.getElementById('stage');
		contentWindow.focus();
		contentDocument.querySelector('[data-handle="curtain"]').focus();
	}`)
	p.key(chrome.Enter)
	p.key(chrome.ArrowLeft, chrome.Shift) // ten steps
	p.until("a curtain that moved", `() => playground.state().params.curtainat === 0.8 && playground.state().facts['curtain.points'] > 0`)
	p.until("rest", `() => !playground.state().playing`)
	p.until("an address that names it", `() => location.hash.includes('swarm=150') && location.hash.includes('curtainat=0.8')`)
	p.js(nil, `() => playground.set('d', 3)`)
	p.until("a control that is off, and why", `() => {
		const control = document.querySelector('[data-param="swarm"]');
		return control.disabled && /the problem has 3/.test(control.textContent);
	}`)
}

// TestStillSwarm: visitors who prefer reduced motion see where the swarm ends, and nothing moves.
func TestStillSwarm(t *testing.T) {
	p := ready(t, "#v=1&scene=fonseca", still())
	p.until("the swarm's ends", `() => playground.state().facts['swarm.ended'] === 3000 && !playground.state().playing`)
}

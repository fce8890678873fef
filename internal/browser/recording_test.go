package browser

import (
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// TestRecordedLog: a run is recorded, and its log opens on the page without a file. The browser's Back button returns
// to the run. The log can be saved from either scene, with the same bytes.
func TestRecordedLog(t *testing.T) {
	t.Parallel()
	p := ready(t, "#v=1&scene=fonseca&sigma=0.3", size(1440, 900))
	p.js(nil, `() => playground.pause()`)
	p.js(nil, `() => playground.reset()`)
	p.until("nothing to record", `() => { const button = document.querySelector('#recording:not([hidden]) button');
		return button.disabled && document.querySelector('.recording-note').textContent.includes('has not taken a step yet'); }`)
	if said := p.refusal(`() => playground.export('log')`); !strings.Contains(said, "has not taken a step yet") {
		t.Errorf("a log without steps: %s", said)
	}
	p.js(nil, `() => playground.step(120)`)
	p.until("something to record", `() => !document.querySelector('#recording button').disabled`)
	p.click("#recording button")
	p.until("a log", `() => document.querySelector('#recording button').textContent === 'Open its log' &&
		document.querySelector('.recording-note').textContent.includes('120 records')`)
	const sum = `async () => {
		const { name, type, blob } = await playground.export('log');
		const sha = [...new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()))];
		return [name, type, sha.map((b) => b.toString(16).padStart(2, '0')).join('')];
	}`
	var first, second []string
	p.js(&first, sum)
	p.part("dialog", func() {
		p.click("#export")
		p.until("the kind of file", `() => { const kind = document.querySelector('#export-dialog input[value=log]');
			return kind && !kind.disabled; }`)
		p.key("\u001b")
	})
	p.click("#recording button")
	p.judged("of all pairs")
	p.until("the log in the address", `(sha) => { const { scene, data, params, recording } = playground.state();
		return scene === 'log' && data.held && data.rows === 120 && data.sha256 === sha && params.source === 'data' && recording.shown &&
			location.hash.includes('data=' + sha) && document.getElementById('recording').hidden; }`, first[2])
	var focused string
	p.js(&focused, `() => document.activeElement.id`)
	if focused != "scene-title" {
		t.Errorf("the focus is on %q", focused)
	}
	p.js(&second, sum)
	if first[0] != "fonseca-psmgd-1.npz" || second[0] != "log.npz" || first[2] != second[2] {
		t.Errorf("the files are %v and %v", first, second)
	}
	p.run(chrome.Back())
	p.until("the run again", `() => playground.state().scene === 'fonseca' && playground.state().latest === 120`)
	p.js(nil, `() => playground.reset()`)
	p.until("no log of other runs", `() => document.querySelector('#recording button').textContent === 'Record this run'`)
}

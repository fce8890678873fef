package browser

import (
	"strings"
	"testing"
)

// All values of a parameter side by side: opened beside a slider, taken by a press, held by a link, closed.
func TestTrials(t *testing.T) {
	t.Parallel()
	p := ready(t, "#v=1&scene=fonseca&starts=2&budget=20&latest=20&k=20")
	p.click(`[data-param="eta"] .try-all`)
	p.until("the pictures", `() => document.querySelectorAll('#trials .trial img').length >= 5 &&
		[...document.querySelectorAll('#trials .trial img')].every((img) => img.naturalWidth > 0)`)
	p.until("words with the iteration and what the numbers are", `() =>
		document.querySelector('.trials-about').textContent.includes('At k = 20') &&
		document.querySelector('.trials-about').textContent.includes('distance of a run to the front')`)
	var facts []string
	p.js(&facts, `() => [...document.querySelectorAll('.trial-fact')].map((node) => node.textContent)`)
	for i, fact := range facts {
		if fact == "" || i > 0 && fact == facts[i-1] {
			t.Errorf("the numbers are %q", facts)
			break
		}
	}
	p.js(nil, `() => document.querySelector('#trials .trial').click()`)
	p.until("the first value taken", `() => playground.state().params.eta < 0.1`)
	p.until("the state with what is tried", `() => playground.state().hash.includes('try=eta')`)
	p.until("the first value said to be the present one", `() => document.querySelector('#trials .trial[aria-pressed="true"]') ===
		document.querySelector('#trials .trial')`)
	p.click("#trials [aria-label='Close what is tried']")
	p.until("closed", `() => !document.querySelector('#trials').checkVisibility() && !playground.state().hash.includes('try=')`)
	q := ready(t, "#v=1&scene=clusters&latest=5&k=5&try=K")
	q.until("what a link asks for", `() => document.querySelectorAll('#trials .trial img').length >= 3`)
	q.js(nil, `() => playground.load('#v=1&scene=clusters&try=nothing')`)
	q.noticed("its values are not shown side by side")
}

// Methods are compared over seeds in a dialog, which says what the seeds do not tell apart.
func TestComparison(t *testing.T) {
	t.Parallel()
	p := ready(t, "#v=1&scene=clusters&method=most,mgda&budget=10&latest=2&k=2")
	p.js(nil, `() => document.querySelector('#compare').click()`)
	p.until("the dialog", `() => document.querySelector('#compare-dialog').open`)
	p.js(nil, `() => { document.querySelector('#compare-seeds').value = '3'; }`)
	p.click("#compare-dialog [type=submit]")
	p.until("the table", `() => document.querySelectorAll('#compare-dialog tbody tr').length === 3`)
	var said string
	p.js(&said, `() => document.querySelector('#compare-dialog .comparison').textContent`)
	for _, want := range []string{"MosT", "MGDA", "Linearization", "budget=10",
		"paretoplay compare -scene clusters -method most,mgda -seeds 3 -set budget=10"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in %q", want, said)
		}
	}
	if !strings.Contains(said, "is better than") && !strings.Contains(said, "not distinguishable") {
		t.Errorf("no verdict in %q", said)
	}
	p.js(nil, `() => document.querySelectorAll('#compare-dialog .compared input').forEach((input) => { if (input.checked) input.click(); })`)
	if p.raw(`() => document.querySelector('#compare-dialog [type=submit]').disabled`) != "true" {
		t.Error("the baseline alone can be compared")
	}
}

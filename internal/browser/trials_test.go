package browser

import (
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// TestTrials: from a slider, a visitor opens pictures of a parameter's values side by side. The visitor chooses a value
// by pressing its picture, and closes the pictures. A link to the page opens the pictures again.
func TestTrials(t *testing.T) {
	t.Parallel()
	p := ready(t, "#v=1&scene=fonseca&starts=2&budget=20&latest=20&k=20")
	p.click(`[data-param="eta"] .try-all`)
	p.until("the pictures", `() => document.querySelectorAll('#trials .trial img').length >= 5 &&
		[...document.querySelectorAll('#trials .trial img')].every((img) => img.naturalWidth > 0)`)
	p.until("words with the iteration and what the numbers are", `() =>
		document.querySelector('.trials-about').textContent.includes('At k = 20') &&
		document.querySelector('.trials-about').textContent.includes('at an end of the front')`)
	if got := p.raw(`() => [document.querySelector('#stage'), document.querySelector('#trials')].map((node) => {
		const { left, top, width, height } = node.getBoundingClientRect();
		return [left, top, width, height].map(Math.round).join(' ');
	})`); strings.Count(got, ",") != 1 || strings.Split(got, ",")[0][1:] != strings.TrimSuffix(strings.Split(got, ",")[1], "]") {
		t.Errorf("the picture and the values are at %s", got)
	}
	var facts []string
	p.js(&facts, `() => [...document.querySelectorAll('.trial-fact')].map((node) => node.textContent)`)
	for i, fact := range facts {
		if !strings.HasPrefix(fact, "collapsed ") || !strings.HasSuffix(fact, " of 2") {
			t.Errorf("number %d of %q", i, facts)
		}
	}
	p.js(nil, `() => document.querySelector('#trials .trial').click()`)
	p.until("the first value taken", `() => playground.state().params.eta < 0.1`)
	p.until("the state with what is tried", `() => playground.state().hash.includes('try=eta')`)
	p.until("the first value said to be the present one", `() => document.querySelector('#trials .trial[aria-pressed="true"]') ===
		document.querySelector('#trials .trial')`)
	p.click("#trials [aria-label='Close the comparison']")
	p.until("closed", `() => !document.querySelector('#trials').checkVisibility() && !playground.state().hash.includes('try=')`)
	q := ready(t, "#v=1&scene=clusters&latest=5&k=5&try=K")
	q.until("what a link asks for", `() => document.querySelectorAll('#trials .trial img').length >= 3`)
	q.js(nil, `() => playground.load('#v=1&scene=clusters&try=nothing')`)
	q.noticed("its values are not shown side by side")
}

// TestComparison: a dialog compares methods over several seeds and says which differences the seeds do not confirm.
func TestComparison(t *testing.T) {
	t.Parallel()
	p := ready(t, "#v=1&scene=clusters&method=most,mgda&budget=10&latest=2&k=2")
	p.js(nil, `() => document.querySelector('#compare').click()`)
	p.until("the dialog", `() => document.querySelector('#compare-dialog').open`)
	p.js(nil, `() => { document.querySelector('#compare-seeds').value = '3'; }`)
	p.click("#compare-dialog [type=submit]")
	p.until("the table", `() => document.querySelectorAll('#compare-dialog table:not(.differences) tbody tr').length === 3`)
	var said string
	p.js(&said, `() => document.querySelector('#compare-dialog .comparison').textContent`)
	for _, want := range []string{"MosT", "MGDA", "Linearization", "budget=10",
		"paretoplay compare -scene clusters -method most,mgda -seeds 3 -set budget=10"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in %q", want, said)
		}
	}
	if !strings.Contains(said, "is better than") && !strings.Contains(said, "not distinguishable") {
		t.Errorf("no verdict in %q", said)
	}
	if rows := p.raw(`() => document.querySelectorAll('#compare-dialog .differences tbody tr svg .zero').length`); rows != "3" {
		t.Errorf("%s of 3 pairs are drawn", rows)
	}
	if got := p.raw(`() => [...document.querySelectorAll('#compare-dialog .differences tbody tr')].filter((row) => {
		const [zero, circle] = [row.querySelector('.zero').x1.baseVal.value, row.querySelector('circle').cx.baseVal.value];
		const left = row.cells[0].querySelector('b') !== null, right = row.cells[2].querySelector('b') !== null;
		const told = row.cells[3].textContent !== 'no difference';
		return left && circle >= zero || right && circle <= zero || told !== (left || right);
	}).length`); got != "0" {
		t.Errorf("%s rows have the dot on the wrong side, away from the better method", got)
	}
	for _, width := range []int64{1440, 768, 390, 320} {
		p.run(chrome.Resize(chrome.Screen{Width: width, Height: 640}))
		if cut := p.raw(`() => { const dialog = document.querySelector('#compare-dialog');
			const { left, right, bottom } = dialog.getBoundingClientRect();
			return left < 0 || right > innerWidth || bottom > innerHeight + 1 || dialog.scrollWidth > dialog.clientWidth + 1 ||
				[...dialog.querySelectorAll('.differences *')].some((node) => node.checkVisibility() &&
					node.getBoundingClientRect().right > right) }`); cut != "false" {
			t.Errorf("at %d pixels the dialog is cut", width)
		}
	}
	p.js(nil, `() => document.querySelectorAll('#compare-dialog .compared input').forEach((input) => { if (input.checked) input.click(); })`)
	if p.raw(`() => document.querySelector('#compare-dialog [type=submit]').disabled`) != "true" {
		t.Error("the dialog compares the baseline without other methods")
	}
}

package browser

import (
	"testing"
)

func TestFirstFrame(t *testing.T) {
	p := open(t, "#v=1&scene=fonseca", injecting(`
		window.said = []; window.shifts = [];
		if (window === top) {
			new MutationObserver(() => {
				const text = document.querySelector('#loading')?.textContent;
				if (text && said.at(-1) !== text) said.push(text);
			}).observe(document, {subtree: true, childList: true, characterData: true});
			new PerformanceObserver((list) => { for (const e of list.getEntries()) shifts.push(e.value);
				}).observe({type: 'layout-shift', buffered: true});
		}`))
	p.js(nil, `() => playground.ready`)

	var said []string
	p.js(&said, `() => said`)
	if len(said) == 0 {
		t.Error("the page showed no message while the program was loading")
	}
	t.Log("while loading:", said)

	var shift float64
	p.js(&shift, `() => shifts.reduce((a, b) => a + b, 0)`)
	if shift > 0.05 {
		t.Errorf("the layout moved by %g while the picture appeared", shift)
	}
	p.until("the preview gone", `() => document.querySelector('#preview').hidden && document.querySelector('#loading').hidden`)
	p.until("the default runs playing", `() => playground.state().playing && playground.state().iteration > 0`)
	if n := colours(p.picture("#stage")); n < 100 {
		t.Errorf("the picture has only %d colours", n)
	}
}

package browser

import (
	"strings"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

// TestAgain: after play has stopped by itself, the page says what to look at. A while later, it replays the run without
// changing the address. A touch ends the replay for good and shows the latest iteration.
func TestAgain(t *testing.T) {
	t.Parallel()
	p := open(t, "#v=1&scene=bilevel")
	p.js(nil, `() => playground.ready`)
	p.until("rest", `() => playground.state().finding !== ''`)
	var before, now struct {
		Hash, Status string
		History      int
		Looping      bool
		K, Latest    int
	}
	look := func(v any) {
		p.js(v, `() => ({hash: location.hash, status: document.getElementById('status').textContent, history: history.length,
			looping: playground.state().looping, k: playground.state().iteration, latest: playground.state().latest})`)
	}
	p.until("the sentence", `() =>
		/\. At rest after \d+ steps\.$/.test(document.getElementById('status').textContent)`)
	time.Sleep(time.Second) // time for the address to follow
	look(&before)
	p.until("the loop", `() => playground.state().looping && playground.state().iteration > 1`)
	look(&now)
	if now.Hash != before.Hash || now.History != before.History || now.K >= now.Latest || now.Latest != before.Latest ||
		!strings.HasPrefix(now.Status, "playing again: ") {
		t.Errorf("during the replay %+v, before %+v", now, before)
	}
	var label string
	if p.js(&label, `() => document.getElementById('play').textContent`); label != "Pause" {
		t.Errorf("during the replay the button says %q, want Pause", label)
	}
	p.click("#play")
	p.until("the latest iteration", `() => !playground.state().looping && playground.state().iteration === playground.state().latest`)
	time.Sleep(4 * time.Second)
	if look(&now); now.Looping || now.K != before.K || now.Hash != before.Hash {
		t.Errorf("after a touch %+v, before %+v", now, before)
	}
}

// TestNotAgain: an embedded page, and a page whose picture was touched, never replay.
func TestNotAgain(t *testing.T) {
	t.Parallel()
	for _, embedded := range []bool{true, false} {
		address := "#v=1&scene=clusters"
		if embedded {
			address = "?embed" + address
		}
		p := open(t, address)
		p.js(nil, `() => playground.ready`)
		if !embedded {
			p.until("play", `() => playground.state().iteration > 1`)
			p.js(nil, `() => document.getElementById('stage').contentWindow.dispatchEvent(new WheelEvent('wheel'))`)
		}
		p.until("rest", `() => playground.state().finding !== ''`)
		time.Sleep(4 * time.Second)
		var looping bool
		if p.js(&looping, `() => playground.state().looping`); looping {
			t.Errorf("embedded %t: the run is replayed", embedded)
		}
	}
}

// TestAxisEnd: the end of the time axis keeps its place while the runs play, and moves gradually when the budget
// changes. Visitors who prefer reduced motion see the end jump to its new place.
func TestAxisEnd(t *testing.T) {
	t.Parallel()
	p := open(t, "#v=1&scene=toy")
	p.js(nil, `() => playground.ready`)
	var ends []int
	p.until("play", `() => playground.state().latest > 2`)
	p.js(&ends, `async () => {
		const ends = new Set();
		for (let i = 0; i < 60; i++) {
			ends.add(Number(document.getElementById('time').max));
			await new Promise(requestAnimationFrame);
		}
		return [...ends];
	}`)
	if len(ends) != 1 || ends[0] != 30000 {
		t.Errorf("the axis ended at %v", ends)
	}
	for _, reduced := range []bool{false, true} {
		var options []option
		if reduced {
			options = append(options, still())
		}
		p := open(t, "#v=1&scene=fonseca&k=0", options...)
		p.js(nil, `() => playground.ready`)
		p.until("the axis", `() => Number(document.getElementById('time').max) === 200`)
		p.js(&ends, `async () => {
			const ends = new Set();
			const done = playground.set('budget', 1000);
			const until = performance.now() + 20000;
			while (!ends.has(1000) && performance.now() < until) {
				ends.add(Number(document.getElementById('time').max));
				await new Promise(requestAnimationFrame);
			}
			await done;
			return [...ends];
		}`)
		if last := ends[len(ends)-1]; last != 1000 || (len(ends) > 2) == reduced {
			t.Errorf("reduced %t: the axis ended at %v", reduced, ends)
		}
	}
}

// TestFindingWhole: the sentence about what to look at, which is longest in the fronts scene, is completely visible in
// windows of three widths.
func TestFindingWhole(t *testing.T) {
	t.Parallel()
	p := open(t, "#v=1&scene=fronts&latest=900&k=900", size(1440, 900), still())
	p.js(nil, `() => playground.ready`)
	p.js(nil, `() => playground.play()`)
	p.until("rest", `() => playground.state().finding !== ''`)
	for _, width := range []int64{1440, 1024, 390} {
		p.run(chrome.Resize(chrome.Screen{Width: width, Height: 900}))
		p.until("the width", `width => innerWidth === width`, width)
		var at struct {
			Text                                        string
			Width, Height, FullWidth, FullHeight, Below float64
		}
		p.js(&at, `() => {
			const status = document.getElementById('status'), line = status.closest('.time-line').getBoundingClientRect();
			return {text: status.textContent, width: status.clientWidth, height: status.clientHeight, fullWidth: status.scrollWidth,
				fullHeight: status.scrollHeight, below: status.getBoundingClientRect().bottom - line.bottom};
		}`)
		said := strings.HasPrefix(at.Text, "After 1000 rounds, the solutions reach")
		if !said || at.FullWidth > at.Width || at.FullHeight > at.Height || at.Below > 0 {
			t.Errorf("at %d pixels: %+v", width, at)
		}
	}
}

package browser

import (
	"strings"
	"testing"
)

// TestNetwork: a network learns from pictures that the page fetches. A link restores the iteration, exported files
// contain the same runs, and the page responds during training. The log of this training run opens beside the results
// of other runs.
func TestNetwork(t *testing.T) {
	t.Parallel()
	p := ready(t, "#v=1&scene=network&S=8&budget=60&latest=20&k=20", size(1440, 900))
	p.until("the runs of the link", `() => { const { needs, latest, iteration, runs } = playground.state();
		return !needs && latest === 20 && iteration === 20 && runs.length === 3; }`)
	p.drawn()
	var csv, svg string
	p.js(&csv, `async () => (await playground.export('csv')).blob.text()`)
	if head, _, _ := strings.Cut(csv, "\n"); !strings.HasPrefix(head, "run,method,k,f1,") || strings.Count(csv, "\n") != 64 {
		t.Errorf("%d lines of %s", strings.Count(csv, "\n"), head)
	}
	p.js(&svg, `async () => (await playground.export('svg', {panel: 'reading'})).blob.text()`)
	if !strings.Contains(svg, "right multiple") && !strings.Contains(svg, "sum above nine") || strings.Contains(svg, "Loading the pictures") {
		t.Errorf("the picture in a file lacks the answers: %.200s", svg)
	}
	p.part("training", func() {
		var seen struct{ Longest, Usual, Seconds, Frames, Steps float64 }
		p.js(nil, `() => playground.set('S', '40')`)
		p.drawn()
		p.js(&seen, `async () => {
			const gaps = [];
			let last = performance.now(), frames = 0, going = true;
			const tick = () => { const now = performance.now(); gaps.push(now - last); last = now; };
			const frame = () => { frames++; if (going) requestAnimationFrame(frame); };
			const timer = setInterval(tick, 5);
			requestAnimationFrame(frame);
			const before = playground.state().latest;
			await playground.play();
			const begun = performance.now();
			const passed = () => (performance.now() - begun) / 1000;
			do { // three seconds, and on a busy machine until a step is done
				await new Promise((done) => setTimeout(done, 100));
			} while (passed() < 3 || passed() < 60 && playground.state().latest === before);
			const seconds = passed();
			await playground.pause();
			clearInterval(timer);
			going = false;
			gaps.sort((a, b) => a - b);
			const usual = gaps[Math.floor(0.95 * gaps.length)];
			return { longest: gaps.at(-1), usual, seconds, frames: frames / seconds, steps: playground.state().latest - before };
		}`)
		t.Logf("while forty tasks are trained, %.0f steps in %.0f s, the page does not answer for at most %.0f ms, %.0f ms in 95 of 100 times; "+
			"%.0f frames a second", seen.Steps, seen.Seconds, seen.Longest, seen.Usual, seen.Frames)
		if seen.Steps < 1 {
			t.Error("no training happens")
		}
	})
	p.part("log", func() {
		p.js(nil, `() => playground.set('S', '8')`)
		p.js(nil, `async () => { await playground.pause(); await playground.reset(); await playground.step(60); }`)
		p.until("something to record", `() => !document.querySelector('#recording button').disabled`)
		p.click("#recording button")
		p.until("a log", `() => document.querySelector('#recording button').textContent === 'Open its log'`)
		p.click("#recording button")
		p.judged("of all pairs")
	})
}

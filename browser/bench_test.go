package browser

import (
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// BenchmarkPage measures a visit with a fresh profile: the time to the first
// live frame and the bytes it took, and then, with ten runs of 2000 points in a
// window of 1280×800 and playing, the main thread's time for a frame.
func BenchmarkPage(b *testing.B) {
	program, found := chromium()
	if !found {
		b.Skip("SKIPPED: " + missing)
	}
	var first, frame, most, bytes float64
	for range b.N {
		fresh, stop, err := launch(program)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(stop)
		time.Sleep(2 * time.Second)                 // a browser that has just started is busy with itself
		tab, closeTab := chromedp.NewContext(fresh) // nothing else is open, and a window of its own would be part of what is measured
		p := openIn(b, tab, closeTab, resting, size(1280, 800), injecting(`
			if (window === top) document.addEventListener('DOMContentLoaded', () => playground.ready.then(() => { window.live = performance.now();
				}));`))
		p.until("the first live frame", `() => window.live`)
		var visit struct{ Shell, Arrived, Ready float64 }
		p.js(&visit, `() => {
			const inner = document.getElementById('stage').contentWindow.performance;
			const program = inner.getEntriesByType('resource').find((e) => e.name.endsWith('.wasm'));
			return {
				Shell: performance.getEntriesByName('first-contentful-paint')[0].startTime,
				Arrived: inner.timeOrigin - performance.timeOrigin + program.responseEnd,
				Ready: window.live,
			};
		}`)
		p.mu.Lock()
		bytes += p.bytes
		p.mu.Unlock()
		first += visit.Ready
		b.Logf("first paint after %.0f ms, the program there after %.0f ms, first live frame after %.0f ms", visit.Shell, visit.Arrived,
			visit.Ready)

		p.js(nil, `async () => {
			await playground.set('budget', 5000);
			await playground.step(2000);
			await playground.play();
		}`)
		time.Sleep(5 * time.Second)
		var probe struct {
			FrameMillis, DrawMillis []float64
			Triangles               int
		}
		p.js(&probe, `() => document.getElementById('stage').contentWindow.stage.probe()`)
		p.js(nil, `() => playground.pause()`)
		frame += percentile(probe.FrameMillis, 50)
		most += percentile(probe.FrameMillis, 95)
		b.Logf("of a frame, %.1f ms without Ebiten's part; %d triangles", percentile(probe.DrawMillis, 50), probe.Triangles)
	}
	n := float64(b.N)
	b.ReportMetric(0, "ns/op") // means nothing here
	b.ReportMetric(first/n, "first-frame-ms")
	b.ReportMetric(bytes/n/1e6, "MB")
	b.ReportMetric(frame/n, "median-frame-ms")
	b.ReportMetric(most/n, "95%-frame-ms")
}

// percentile is that of the last sixty values: those before are of steps.
func percentile(values []float64, percent int) float64 {
	last := slices.Clone(values[max(0, len(values)-60):])
	slices.Sort(last)
	return last[len(last)*percent/100]
}

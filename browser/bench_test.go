package browser

import (
	"slices"
	"testing"
	"time"
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
		p := openIn(b, fresh, resting, size(1280, 800))
		var visit struct{ Shell, Ready float64 }
		p.js(&visit, `async () => {
			await playground.ready;
			return {Ready: performance.now(), Shell: performance.getEntriesByName('first-contentful-paint')[0].startTime};
		}`)
		p.mu.Lock()
		bytes += p.bytes
		p.mu.Unlock()
		first += visit.Ready
		b.Logf("first paint after %.0f ms, first live frame after %.0f ms", visit.Shell, visit.Ready)

		p.js(nil, `async () => {
			await playground.set('budget', 5000);
			await playground.step(2000);
			await playground.play();
		}`)
		time.Sleep(5 * time.Second)
		var probe struct{ FrameMillis []float64 }
		p.js(&probe, `() => document.getElementById('stage').contentWindow.stage.probe()`)
		p.js(nil, `() => playground.pause()`)
		// Frames before the play are those of steps.
		times := probe.FrameMillis[max(0, len(probe.FrameMillis)-60):]
		slices.Sort(times)
		frame += times[len(times)/2]
		most += times[len(times)*95/100]
	}
	n := float64(b.N)
	b.ReportMetric(0, "ns/op") // means nothing here
	b.ReportMetric(first/n, "first-frame-ms")
	b.ReportMetric(bytes/n/1e6, "MB")
	b.ReportMetric(frame/n, "median-frame-ms")
	b.ReportMetric(most/n, "95%-frame-ms")
}

package browser

import (
	"fmt"
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
		probe := p.playing(5 * time.Second)
		frame += percentile(probe.FrameMillis, 50)
		most += percentile(probe.FrameMillis, 95)
	}
	n := float64(b.N)
	b.ReportMetric(0, "ns/op") // means nothing here
	b.ReportMetric(first/n, "first-frame-ms")
	b.ReportMetric(bytes/n/1e6, "MB")
	b.ReportMetric(frame/n, "median-frame-ms")
	b.ReportMetric(most/n, "95%-frame-ms")
}

// BenchmarkVisit measures visits to the published site, each with a fresh profile: the contents
// page, a scene that is opened by its link, a scene that is opened from the contents page, and the
// same again without a network. Nothing of it is asserted: times are the machine's.
func BenchmarkVisit(b *testing.B) {
	program, found := chromium()
	if !found {
		b.Skip("SKIPPED: " + missing)
	}
	folder, err := publishedSite()
	if err != nil {
		b.Fatal(err)
	}
	h := hostFolder(b, folder, true)
	// What a page notes of itself: when its pictures and its first live frame are there.
	noting := injecting(`
		if (window === top) document.addEventListener('DOMContentLoaded', () => {
			window.playground?.ready.then(() => { if (playground.state().scene) window.live = performance.now(); });
			document.addEventListener('load', (e) => {
				if (e.target.id === 'preview') window.pictured ??= performance.now();
			}, true);
		});`)
	sums := map[string]float64{}
	visit := func(measure func(open func(address string, options ...option) *page)) {
		fresh, stop, err := launch(program)
		if err != nil {
			b.Fatal(err)
		}
		defer stop()
		time.Sleep(2 * time.Second) // a browser that has just started is busy with itself
		measure(func(address string, options ...option) *page {
			tab, closeTab := chromedp.NewContext(fresh)
			return openIn(b, tab, closeTab, address, append([]option{size(1280, 800), noting}, options...)...)
		})
	}
	received := func(p *page) float64 {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.bytes / 1e6
	}
	for range b.N {
		visit(func(open func(string, ...option) *page) {
			p := open(h.address)
			p.until("the contents page", `() => performance.getEntriesByType('navigation')[0].loadEventEnd > 0`)
			var complete float64
			p.js(&complete, `() => performance.getEntriesByType('navigation')[0].loadEventEnd`)
			sums["contents-ms"] += complete
			sums["contents-MB"] += received(p)
		})
		visit(func(open func(string, ...option) *page) {
			p := open(h.address + "#v=1&scene=fonseca")
			p.until("the first live frame", `() => window.live`)
			var seen struct{ Paint, Preview, Stage, Asked, Arrived, Live, Program float64 }
			p.js(&seen, `() => {
				const inner = document.getElementById('stage').contentWindow.performance;
				// The page begins it early where it can, else the stage fetches it.
				const fetched = (of) => of.getEntriesByType('resource').findLast((e) => e.name.endsWith('.wasm'));
				const later = inner.timeOrigin - performance.timeOrigin;
				const early = fetched(performance);
				const program = early ?? fetched(inner);
				const since = early ? 0 : later;
				return {
					Paint: performance.getEntriesByName('first-contentful-paint')[0].startTime, Preview: window.pictured ?? 0, Stage: later,
					Asked: since + program.startTime, Arrived: since + program.responseEnd, Live: window.live, Program: program.encodedBodySize,
				};
			}`)
			b.Logf("by its link: first paint after %.0f ms, its picture after %.0f, the stage begun after %.0f, the program asked for after %.0f, "+
				"there after %.0f, first live frame after %.0f", seen.Paint, seen.Preview, seen.Stage, seen.Asked, seen.Arrived, seen.Live)
			sums["picture-ms"] += seen.Preview
			sums["live-ms"] += seen.Live
			sums["program-MB"] += seen.Program / 1e6
			sums["rest-MB"] += received(p) - seen.Program/1e6
		})
		visit(func(open func(string, ...option) *page) {
			p := open(h.address, keeping())
			p.kept()
			var live float64
			from := `async () => {
				const begun = performance.now();
				document.querySelector('#gallery a[href$="scene=fonseca"]').click();
				await new Promise((resolve) => setTimeout(resolve));
				await playground.ready;
				return performance.now() - begun;
			}`
			p.js(&live, from)
			sums["from-contents-live-ms"] += live
			h.away.Store(true)
			defer h.away.Store(false)
			p.run(chromedp.Navigate("about:blank"), chromedp.Navigate(h.address+"#v=1&scene=fonseca"))
			p.until("the first live frame without a network", `() => window.live`)
			p.js(&live, `() => window.live`)
			sums["offline-live-ms"] += live
		})
	}
	b.ReportMetric(0, "ns/op") // means nothing here
	for unit, sum := range sums {
		b.ReportMetric(sum/float64(b.N), unit)
	}
}

// BenchmarkLongRuns measures a frame of fifty runs that oscillate, from their start to the end of
// their budget of 100,000 iterations, in a window of 1280×800 and at full speed.
func BenchmarkLongRuns(b *testing.B) {
	program, found := chromium()
	if !found {
		b.Skip("SKIPPED: " + missing)
	}
	const most = 20 * time.Minute // the replay computes five million steps
	for range b.N {
		fresh, stop, err := launch(program)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(stop)
		time.Sleep(2 * time.Second) // as above
		tab, closeTab := chromedp.NewContext(fresh)
		p := openFor(b, most, tab, closeTab, "#v=1&scene=fonseca&method=nashmtl&starts=50&budget=100000&speed=max", size(1280, 800))
		p.js(nil, `() => playground.ready`)
		for _, k := range []int{0, 1000, 10_000, 99_000} {
			p.js(nil, `async (k) => {
				playground.pause();
				const { latest } = playground.state();
				if (k > latest) await playground.step(k - latest);
				await playground.play();
			}`, k)
			probe := p.playing(5 * time.Second)
			at := fmt.Sprintf("-at-%d", k)
			b.ReportMetric(percentile(probe.FrameMillis, 50), "median-frame-ms"+at)
			b.ReportMetric(percentile(probe.FrameMillis, 95), "95%-frame-ms"+at)
			b.ReportMetric(float64(probe.Memory)/1e6, "MB"+at)
		}
	}
	b.ReportMetric(0, "ns/op")
}

// measured holds a page's own measurements while it plays.
type measured struct {
	heavy
	FrameMillis, DrawMillis []float64
}

// playing measures a page for a while that has just begun to play, and pauses it.
func (p *page) playing(during time.Duration) (m measured) {
	p.Helper()
	time.Sleep(during)
	p.js(&m, `() => document.getElementById('stage').contentWindow.stage.probe()`)
	p.js(nil, `() => playground.pause()`)
	var s struct{ Latest int }
	p.js(&s, `() => playground.state()`)
	p.Logf("to iteration %d: frames of %.1f ms, one in twenty of %.1f ms, %.1f ms without Ebiten's part; %d triangles, %d in a call; %d MB",
		s.Latest, percentile(m.FrameMillis, 50), percentile(m.FrameMillis, 95), percentile(m.DrawMillis, 50), m.Triangles, m.Largest,
		m.Memory>>20)
	return m
}

// percentile returns a percentile of the last sixty values; earlier ones belong to steps.
func percentile(values []float64, percent int) float64 {
	last := slices.Clone(values[max(0, len(values)-60):])
	slices.Sort(last)
	return last[len(last)*percent/100]
}

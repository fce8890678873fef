package browser

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

// against is the address of another version of the page, ending in a slash.
var against = flag.String("against", "", "let BenchmarkPage measure the page at this `address` too, in turn")

// stages lists, in order, the stages of a visit for which BenchmarkPage reports the time since the navigation, in
// milliseconds.
var stages = []string{"preview", "painted", "compiling", "compiled", "instance", "webgl", "draw", "ready", "live"}

// notingStages records in the page when a visit reaches each stage. preview: the scene's picture is loaded and visible;
// painted: the picture is on the screen; compiling: compilation of the program starts; compiled: compilation ends;
// instance: the program is about to run; webgl: WebGL is requested; draw: the program first draws; ready: the program's
// first frame is complete; live: the page shows that frame.
const notingStages = `{
	const reached = (name) => {
		const stages = window.top.stages ??= {};
		stages[name] ??= performance.timeOrigin + performance.now() - window.top.performance.timeOrigin;
	};
	const before = (object, name, stage) => {
		const inner = object[name];
		object[name] = function (...args) {
			reached(stage);
			return inner.apply(this, args);
		};
	};
	const after = (object, name, stage) => {
		const inner = object[name];
		object[name] = async function (...args) {
			const result = await inner.apply(this, args);
			reached(stage);
			return result;
		};
	};
	after(WebAssembly, 'compileStreaming', 'compiled');
	before(WebAssembly, 'compileStreaming', 'compiling');
	after(WebAssembly, 'instantiate', 'instance');
	const { getContext } = HTMLCanvasElement.prototype;
	HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
		if (kind === 'webgl2') reached('webgl');
		return getContext.call(this, kind, ...rest);
	};
	before(WebGL2RenderingContext.prototype, 'drawElements', 'draw');
	if (window === top) {
		const look = () => {
			const preview = document.getElementById('preview');
			if (preview?.naturalWidth > 0 && preview.checkVisibility({visibilityProperty: true})) reached('preview');
			else requestAnimationFrame(look);
		};
		look();
		new PerformanceObserver((list) => {
			const painted = list.getEntries().find(({ element }) => element?.id === 'preview');
			if (painted) (window.stages ??= {}).painted ??= painted.startTime;
		}).observe({ type: 'largest-contentful-paint', buffered: true });
		addEventListener('message', ({ data }) => { if (data.stage === 'event' && data.kind === 'ready') reached('ready'); });
		document.addEventListener('DOMContentLoaded', () => playground.ready.then(() => reached('live')));
	}
}`

// visited opens a page with an unused profile and records when the visit reaches its stages. It finally calls the
// function then, which can measure more.
func visited(t testing.TB, program, address string, then func(p *page, reached map[string]float64)) (reached map[string]float64) {
	t.Helper()
	fresh, stop, err := launch(program)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	time.Sleep(2 * time.Second)       // a browser that has just started is busy with itself
	tab, closeTab := newTab(t, fresh) // nothing else is open, because another window would affect the measurement
	before := 0.0
	p := openIn(t, tab, closeTab, address, size(1280, 800), injecting(notingStages), func(p *page) { before = p.worked() })
	p.until("the first live frame", `() => window.stages?.live`)
	after := p.worked()
	p.js(&reached, `() => window.stages`)
	reached["processor"] = after - before
	last := 0.0
	for _, name := range stages {
		at, found := reached[name]
		if !found && name == "painted" {
			continue // the live picture was there sooner
		}
		if !found {
			t.Errorf("%s: the stage %s was not reached, or not recorded", address, name)
		}
		if name == "preview" || name == "painted" || name == "webgl" {
			continue // these may come while the program is loading
		}
		if at < last {
			t.Errorf("%s: stage %s: got %.0f ms, want more than in the previous stage", address, name, at)
		}
		last = at
	}
	then(p, reached)
	return reached
}

// worked returns the processor time that all processes of the page's browser have used, in milliseconds.
func (p *page) worked() (millis float64) {
	p.Helper()
	worked, err := p.tab.Browser().ProcessorTime()
	if err != nil {
		p.Fatal(err)
	}
	return float64(worked) / float64(time.Millisecond)
}

// told formats the times of the stages, and the processor time up to the last stage.
func told(reached map[string]float64) string {
	var parts []string
	for _, name := range slices.Concat(stages, []string{"processor"}) {
		if at, found := reached[name]; found {
			parts = append(parts, fmt.Sprintf("%s %.0f", name, at))
		}
	}
	return strings.Join(parts, ", ")
}

// TestStages measures one visit with the stages of BenchmarkPage. It does not check the times, which depend on the
// machine.
func TestStages(t *testing.T) {
	long(t, "it only tells times")
	program, found := chromium()
	if !found {
		t.Skip("SKIPPED: " + missing)
	}
	reached := visited(t, program, resting, func(*page, map[string]float64) {})
	t.Log("milliseconds since the navigation:", told(reached))
}

// BenchmarkPage measures a visit with a fresh profile: the times of its stages up to the first live frame, the bytes
// received, and the processor time up to that frame, which depends less on other programs than the times do. Then it
// plays ten runs of 2000 points in a window of 1280×800, and measures the main thread's time per frame. With -against,
// it also visits another version of the page in turn, so that both versions run under the same load.
func BenchmarkPage(b *testing.B) {
	program, found := chromium()
	if !found {
		b.Skip("SKIPPED: " + missing)
	}
	seen, other := map[string][]float64{}, map[string][]float64{}
	for range b.N {
		reached := visited(b, program, resting, func(p *page, reached map[string]float64) {
			p.mu.Lock()
			reached["MB"] = p.bytes / 1e6
			p.mu.Unlock()
			p.js(nil, `async () => {
				await playground.set('budget', 5000);
				await playground.step(2000);
				await playground.play();
			}`)
			probe := p.playing(5 * time.Second)
			reached["median-frame"], reached["95%-frame"] = percentile(probe.FrameMillis, 50), percentile(probe.FrameMillis, 95)
		})
		b.Log(told(reached))
		for name, value := range reached {
			seen[name] = append(seen[name], value)
		}
		if *against == "" {
			continue
		}
		reached = visited(b, program, *against+resting, func(*page, map[string]float64) {})
		b.Log("the other:", told(reached))
		for name, value := range reached {
			other[name] = append(other[name], value)
		}
	}
	b.ReportMetric(0, "ns/op") // has no meaning here
	for _, name := range slices.Concat(stages, []string{"processor"}) {
		for before, values := range map[string][]float64{"": seen[name], "other-": other[name]} {
			if len(values) > 0 {
				b.ReportMetric(median(values), before+name+"-ms")
			}
		}
	}
	b.ReportMetric(median(seen["MB"]), "MB")
	b.ReportMetric(median(seen["median-frame"]), "median-frame-ms")
	b.ReportMetric(median(seen["95%-frame"]), "95%-frame-ms")
}

// median returns the middle value, or the larger of the two in the middle.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// BenchmarkVisit measures visits to the published site, each with a fresh profile. It visits the contents page, a scene
// by its link, and a scene by its card on the contents page, and repeats all of these without a network. It does not
// check the times, which depend on the machine.
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
	// The page records when its pictures and its first live frame appear.
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
			tab, closeTab := newTab(b, fresh)
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
				// The page requests it early if it can; otherwise the stage fetches it.
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
			p.run(chrome.Navigate("about:blank"), chrome.Navigate(h.address+"#v=1&scene=fonseca"))
			p.until("the first live frame without a network", `() => window.live`)
			p.js(&live, `() => window.live`)
			sums["offline-live-ms"] += live
		})
	}
	b.ReportMetric(0, "ns/op") // has no meaning here
	for unit, sum := range sums {
		b.ReportMetric(sum/float64(b.N), unit)
	}
}

// BenchmarkLongRuns measures the frames of fifty oscillating runs, from their start to the end of their budget of
// 100,000 iterations, in a window of 1280×800 and at full speed.
func BenchmarkLongRuns(b *testing.B) {
	program, found := chromium()
	if !found {
		b.Skip("SKIPPED: " + missing)
	}
	const limit = 20 * time.Minute // the replay computes five million steps
	for range b.N {
		fresh, stop, err := launch(program)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(stop)
		time.Sleep(2 * time.Second) // as above
		tab, closeTab := newTab(b, fresh)
		p := openFor(b, limit, tab, closeTab, "#v=1&scene=fonseca&method=nashmtl&starts=50&budget=100000&speed=max", size(1280, 800))
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

// BenchmarkWithoutWebGL measures the frames of every scene while the scene plays without WebGL, in a window of
// 1280×800. The slowest twentieth of the times between two frames shows for how long the page can be unresponsive.
func BenchmarkWithoutWebGL(b *testing.B) {
	program, found := chromium()
	if !found {
		b.Skip("SKIPPED: " + missing)
	}
	poor, stop, err := launch(program, chrome.Flag{Name: "disable-3d-apis", Value: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(stop)
	tab, closeTab := newTab(b, poor)
	p := openFor(b, 20*time.Minute, tab, closeTab, "?canvas#v=1&scene=fonseca", size(1280, 800))
	p.js(nil, `() => playground.ready`)
	var ids []string
	p.js(&ids, `() => playground.scenes().map(({id}) => id)`)
	for range b.N {
		for _, id := range ids {
			var m struct {
				Rate       float64
				Draws      int
				DrawMillis []float64
				Gaps       []float64
			}
			p.js(nil, `async (id) => { await playground.open(id); await playground.pause(); }`, id)
			p.drawn()
			begun := p.worked()
			p.js(&m, `async () => {
				const { stage } = document.getElementById('stage').contentWindow;
				await playground.play();
				const [begun, before, gaps] = [performance.now(), stage.probe().draws, []];
				for (let last = begun; playground.state().playing && last - begun < 4000;) {
					await new Promise(requestAnimationFrame);
					gaps.push(performance.now() - last);
					last = performance.now();
				}
				const draws = stage.probe().draws - before;
				const Rate = 1000 * draws / (performance.now() - begun);
				await playground.pause();
				return { Rate, Draws: draws, DrawMillis: stage.probe().drawMillis, Gaps: gaps };
			}`)
			if m.Draws == 0 {
				b.Logf("%-12s does not play", id)
				continue
			}
			worked := (p.worked() - begun) / float64(m.Draws)
			last := m.DrawMillis[max(0, len(m.DrawMillis)-m.Draws):]
			b.Logf("%-12s %3.0f frames a second of %.1f ms, one in ten %.1f ms or less, for each %.0f ms of the processor in all; "+
				"one gap in twenty %.0f ms or more", id, m.Rate, percentile(last, 50), percentile(last, 10), worked, percentile(m.Gaps, 95))
			b.ReportMetric(m.Rate, id+"-frames/s")
		}
	}
	b.ReportMetric(0, "ns/op")
}

// measured holds what a page measures while it plays.
type measured struct {
	heavy
	FrameMillis, DrawMillis []float64
}

// playing lets a page that has just started to play continue for the given time, pauses it, and returns its
// measurements.
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

// percentile returns a percentile of the last sixty values. Earlier values may belong to single steps.
func percentile(values []float64, percent int) float64 {
	last := slices.Clone(values[max(0, len(values)-60):])
	slices.Sort(last)
	return last[len(last)*percent/100]
}

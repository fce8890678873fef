package browser

import (
	"math"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

const clusters = "#v=1&scene=clusters"

// shares returns the value of a parameter that consists of masses.
func (p *page) shares(name string) (shares []float64) {
	p.Helper()
	p.js(&shares, `(name) => playground.state().params[name]`, name)
	return shares
}

// whole fails the test unless there are n shares with sum 1.
func whole(t *testing.T, shares []float64, n int) {
	t.Helper()
	var sum float64
	for _, v := range shares {
		sum += v
	}
	if len(shares) != n || math.Abs(sum-1) > 1e-8 {
		t.Errorf("%d shares with sum %v: %v", len(shares), sum, shares)
	}
}

// TestShares: a few masses have a slider each; many masses have one slider, which changes the selected mass. All masses
// can be changed by keys on the narrowest screen. The masses adapt when their number changes.
func TestShares(t *testing.T) {
	t.Parallel()
	p := ready(t, clusters, size(320, 740))
	p.sheet("Controls")
	const few, many = `[data-param="b"]`, `[data-param="a"]`
	p.focus(few + ` .share-row:nth-child(2) input`)
	p.key(chrome.ArrowRight)
	p.until("the second share", `() => playground.state().params.b[1] === 0.201`)
	whole(t, p.shares("b"), 5)
	p.until("a way back", `() => !document.querySelector('[data-param="b"] > button:not(.help)').disabled`)
	p.focus(few + ` > button:not(.help)`)
	p.key(" ")
	p.until("equal shares",
		`() => playground.state().params.b.length === 0 && document.querySelector('[data-param="b"] > button:not(.help)').disabled`)

	p.enter(many+` input[type=number]`, "7")
	p.focus(many + ` input[type=range]`)
	p.key(chrome.PageUp)
	p.until("the seventh share", `() => playground.state().params.a[6] > 0.1`)
	whole(t, p.shares("a"), 30)
	p.until("it is said", `() => document.querySelector('[data-param="a"] output').textContent.startsWith('0.1')`)

	p.js(nil, `() => playground.set('b', [0.6, 0.1, 0.1, 0.1, 0.1])`)
	p.js(nil, `() => playground.set('m', 3)`)
	p.noticed("b has 5 shares, but m = 3 needs 3")
	p.until("three sliders", `() => document.querySelectorAll('[data-param="b"] input').length === 3`)
	whole(t, p.shares("b"), 3)
	var beyond []string
	p.js(&beyond, `() => [...document.querySelectorAll('[data-param="a"] *, [data-param="b"] *')]
		.filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > 320).map((e) => e.outerHTML.slice(0, 80))`)
	if len(beyond) > 0 {
		t.Errorf("beyond the screen: %q", beyond)
	}
}

// TestBars: a visitor can drag a bar with the mouse, and the bar's text describes its solution.
func TestBars(t *testing.T) {
	t.Parallel()
	p := laptop.shows(t, clusters)
	p.front("b")
	p.dragBy("b-1", 0, -100)
	p.until("more for the first", `() => playground.state().params.b[0] > 0.25`)
	whole(t, p.shares("b"), 5)
	p.front("plane")
	p.dragBy("goal-1", 30, 10)
	p.until("a goal elsewhere", `() => location.hash.includes('centres=')`)
}

// BenchmarkClusters measures the times of frames with 200 goals and ten solutions, while the runs play, in a window of
// 1280×800.
func BenchmarkClusters(b *testing.B) {
	program, found := chromium()
	if !found {
		b.Skip("SKIPPED: " + missing)
	}
	for range b.N {
		fresh, stop, err := launch(program)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(stop)
		tab, closeTab := newTab(b, fresh)
		p := openIn(b, tab, closeTab, clusters+"&n=200&m=10&k=10&tau=0&budget=5000&speed=10", size(1280, 800))
		p.js(nil, `async () => { await playground.ready; await playground.play(); }`)
		m := p.playing(5 * time.Second)
		b.ReportMetric(percentile(m.FrameMillis, 50), "median-frame-ms")
		b.ReportMetric(percentile(m.FrameMillis, 95), "95%-frame-ms")
	}
	b.ReportMetric(0, "ns/op") // the time per operation has no meaning here
}

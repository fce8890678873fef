package browser

import (
	"testing"

	"paretoplay/internal/browser/chrome"
)

// heavy holds measurements of the page while its picture shows long runs.
type heavy struct {
	Memory    int     // of the program, in bytes
	Triangles int     // of the last frame
	Largest   int     // of a draw call
	DPR       float64 `json:"dpr"`
}

func (p *page) probe() (h heavy) {
	p.Helper()
	p.js(&h, `() => document.getElementById('stage').contentWindow.stage.probe()`)
	return h
}

// bounded checks that the program's memory and the number of triangles in a frame stay within limits. The text in when
// describes the moment in error messages.
func (p *page) bounded(when string) {
	p.Helper()
	h := p.probe()
	p.Logf("%s: %d MB, %d triangles, %d in a call", when, h.Memory>>20, h.Triangles, h.Largest)
	if h.Memory == 0 || h.Memory > 400<<20 {
		p.Errorf("%s the program has %d MB", when, h.Memory>>20)
	}
	if h.Triangles > 1_000_000 || h.Largest > 1<<16 {
		p.Errorf("%s a frame has %d triangles, a draw call of them %d", when, h.Triangles, h.Largest)
	}
}

// TestLongReplay: a link with the maximum settings opens while its runs are replayed. The keyboard can stop the replay,
// which keeps the iterations reached so far. Memory and draw calls do not grow with the runs.
func TestLongReplay(t *testing.T) {
	long(t, "TestStop of the session stops a replay")
	t.Parallel()
	p := ready(t, "#v=1&scene=fonseca&method=nashmtl&d=30&starts=50&budget=100000&latest=20000&k=20000&speed=max")
	p.until("the replay going on", `() => playground.state().progress > 0 && playground.state().latest > 0`)
	p.until("a button to stop it", `() => !document.getElementById('stop').hidden`)
	p.until("a long way", `() => playground.state().latest >= 300`)
	p.bounded("while replaying")
	p.focus("#stop")
	p.key(" ")
	p.noticed("Stopped at iteration")
	s := p.state()
	if s.Latest < 300 || s.Latest >= 20_000 || s.Iteration != s.Latest || s.Playing {
		t.Errorf("stopped, the runs are at %d of %d", s.Iteration, s.Latest)
	}
	p.until("nothing computed any more, and the focus kept", `(latest) => document.getElementById('stop').hidden &&
		document.activeElement.id === 'play' && playground.state().progress === null && playground.state().latest === latest`, s.Latest)
	p.js(nil, `() => playground.play()`)
	p.until("going on", `(latest) => playground.state().latest > latest + 2`, s.Latest)
	p.bounded("while playing")
}

// TestLargeCanvas: a canvas that is too large for one texture is drawn with fewer pixels.
func TestLargeCanvas(t *testing.T) {
	long(t, "TestWidths has the usual ones")
	for _, c := range []struct {
		width, height int64
		ratio         float64
	}{{9000, 900, 1}, {2400, 900, 4}} {
		// The document at this address contains only the canvas.
		p := open(t, "assets/stage.html", with(chrome.Resize(chrome.Screen{Width: c.width, Height: c.height, Dots: c.ratio})))
		p.until("a picture", `() => document.body.classList.contains('drawn')`)
		var h heavy
		p.js(&h, `() => stage.probe()`)
		if width := h.DPR * float64(c.width); !(width > 4096 && width <= 8192) {
			t.Errorf("%d×%d at %v: drawn at %v, %v pixels wide", c.width, c.height, c.ratio, h.DPR, width)
		}
	}
}

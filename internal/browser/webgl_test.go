package browser

import (
	"image"
	"image/color"
	"io"
	"math"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

// programs returns the kinds of programs that the page and its picture have loaded, in order.
func (p *page) programs() (kinds []string) {
	p.Helper()
	p.js(&kinds, `() => [window, document.getElementById('stage').contentWindow]
		.flatMap(({performance}) => performance.getEntriesByType('resource')
			.map(({name, startTime}) => ({name, time: performance.timeOrigin + startTime})))
		.sort((a, b) => a.time - b.time).map(({name}) => name.match(/([a-z]+)-[0-9a-f]+\.wasm/)?.[1]).filter(Boolean)`)
	return slices.Compact(kinds)
}

// says checks that the sentence beside the picture contains a word, or that there is no sentence if the word is "".
func (p *page) says(word string) {
	p.Helper()
	var text string
	p.js(&text, `() => { const s = document.getElementById('without-webgl'); return s.checkVisibility() ? s.textContent : ''; }`)
	if (text == "") != (word == "") || !strings.Contains(text, word) {
		p.Errorf("the text beside the picture is %q, not a sentence with %q", text, word)
	}
}

// shown returns the part of the picture that the window shows. A screenshot of the picture alone would change the
// page's layout.
func (p *page) shown() image.Image {
	p.Helper()
	img, err := decodePNG(p.window())
	if err != nil {
		p.Fatal(err)
	}
	return part(img, p.box("#stage"))
}

// part returns the part of a picture within a box.
func part(img image.Image, b box) image.Image {
	return img.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(image.Rect(int(b.X), int(b.Y), int(b.X+b.Width), int(b.Y+b.Height)))
}

// unlike returns the average difference between two pictures of equal size, over their dots and colours, from 0 to 1.
func unlike(t *testing.T, a, b image.Image) float64 {
	t.Helper()
	left, right := pixels(a), pixels(b)
	if a.Bounds().Size() != b.Bounds().Size() {
		t.Fatalf("pictures of %v and %v", a.Bounds().Size(), b.Bounds().Size())
	}
	sum := 0.
	for i, v := range left {
		sum += math.Abs(float64(v) - float64(right[i]))
	}
	return sum / 255 / float64(len(left))
}

// TestCanvasByAddress: an address can ask for the picture without WebGL. The picture is the same, a sentence beside it
// states the reason, and no part of the WebGL program is loaded.
func TestCanvasByAddress(t *testing.T) {
	t.Parallel()
	const link = "#v=1&scene=fonseca&k=40&latest=60"
	p := ready(t, link)
	p.drawn()
	p.says("")
	q := ready(t, "?canvas"+link)
	q.drawn()
	q.says("?canvas")
	if kinds := q.programs(); len(kinds) != 1 || kinds[0] != "picture" {
		t.Errorf("the programs %v were loaded", kinds)
	}
	// Hide the sentence, so that both pictures have the same size.
	q.js(nil, `() => { document.getElementById('without-webgl').hidden = true; }`)
	q.until("the picture as large", `async () => {
		const frame = document.getElementById('stage');
		return frame.contentDocument.querySelector('canvas').height === frame.clientHeight && !frame.contentWindow.stage.probe().due;
	}`)
	q.drawn()
	if d := unlike(t, p.shown(), q.shown()); d > 0.01 {
		t.Errorf("the pictures with WebGL and without differ by %.4f", d)
	}
	var context string
	q.js(&context, `() => {
		const canvas = document.getElementById('stage').contentDocument.querySelector('canvas');
		return canvas.getContext('webgl2') ? 'webgl2' : canvas.getContext('2d') ? '2d' : 'none';
	}`)
	if context != "2d" {
		t.Errorf("the canvas has the context %s", context)
	}
}

// withoutWebGL removes WebGL from canvases.
var withoutWebGL = injecting(`
	const original = HTMLCanvasElement.prototype.getContext;
	HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
		return /webgl/.test(kind) ? null : original.call(this, kind, ...more); };`)

// TestWebGLMissingWhileLoading: in a browser without WebGL, the page does not wait for the program that draws with
// WebGL.
func TestWebGLMissingWhileLoading(t *testing.T) {
	t.Parallel()
	never, end := io.Pipe()
	host := behind(t, func(r *http.Response) error {
		if strings.HasPrefix(path.Base(r.Request.URL.Path), "paretoplay-") {
			r.Body = struct {
				io.Reader
				io.Closer
			}{never, r.Body}
		}
		return nil
	})
	t.Cleanup(func() { // before the host closes, because closing waits for all answers
		if err := end.Close(); err != nil {
			t.Error(err)
		}
	})
	p := readyApart(t, endurance, host+"#v=1&scene=fonseca&k=7&latest=20", withoutWebGL, expecting(`aborted|ERR_ABORTED`))
	p.says("WebGL is missing")
	if s := p.state(); s.Iteration != 7 {
		t.Errorf("the page is at %+v", s)
	}
}

// TestWebGLMissing: without WebGL, the first page replaces its program with the one that draws without WebGL. Callers
// that wait for the first program get its replacement. Later pages in the tab load only the replacement.
func TestWebGLMissing(t *testing.T) {
	t.Parallel()
	// The program has ended, but Ebiten's resize observer still calls it.
	p := readyApart(t, endurance, "#v=1&scene=fonseca&k=7&latest=20", withoutWebGL, expecting(`already exited`))
	p.says("WebGL is missing")
	if s := p.state(); s.Scene != "fonseca" || s.Iteration != 7 || s.Latest != 20 || s.Playing {
		t.Errorf("the page is at %+v", s)
	}
	if failed := p.visible("#loading"); failed {
		t.Error("the page says that the picture is missing")
	}
	if kinds := p.programs(); len(kinds) != 2 || kinds[1] != "picture" {
		t.Errorf("the programs %v were loaded", kinds)
	}
	p.run(chrome.Reload())
	p.js(nil, `() => playground.ready`)
	p.says("WebGL is missing")
	if kinds := p.programs(); len(kinds) != 1 || kinds[0] != "picture" {
		t.Errorf("the second time the programs %v were loaded", kinds)
	}
}

// TestWithoutWebGL: everything works in a browser without WebGL as it does in other browsers.
func TestWithoutWebGL(t *testing.T) {
	t.Parallel()
	if missing != "" {
		t.Skip("SKIPPED, the page is not tested: " + missing)
	}
	program, _ := chromium()
	poor, stop, err := launch(program, chrome.Flag{Name: "disable-3d-apis", Value: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	tab, closeTab := window(t, poor)
	p := openFor(t, 10*time.Minute, tab, closeTab, resting, expecting(`already exited`, `WebGL`))
	p.js(nil, `() => playground.ready`)
	p.says("WebGL is missing")
	if kinds := p.programs(); !slices.Equal(kinds, []string{"paretoplay", "picture"}) {
		t.Errorf("the programs %v were loaded", kinds)
	}
	p.part("drag", p.dragsFlat)
	p.part("hover", p.hoversFlat)
	p.part("keys", func() {
		from := p.start()
		p.until("the point’s proxy", `() => document.getElementById('stage').contentDocument.querySelector('[data-handle="start-1"]')`)
		p.js(nil, `() => {
			document.getElementById('stage').focus();
			document.getElementById('stage').contentDocument.querySelector('[data-handle="start-1"]').focus();
		}`)
		p.key(chrome.Enter)
		p.key(chrome.ArrowRight)
		p.until("the point moved", `(from) => playground.state().runs[0].start[0] > from[0]`, from)
	})
	p.part("play", func() {
		p.drawn()
		before := p.shown()
		p.js(nil, `() => playground.play()`)
		p.until("iterations", `() => playground.state().latest > 20`)
		p.js(nil, `() => playground.pause()`)
		p.drawn()
		if d := unlike(p.TB.(*testing.T), before, p.shown()); d < 1e-4 {
			p.Errorf("playing changed the picture by %g", d)
		}
		p.focus("#time")
		p.key(chrome.Home)
		p.until("the start", `() => playground.state().iteration === 0`)
		p.drawn()
		if d := unlike(p.TB.(*testing.T), before, p.shown()); d > 0.01 {
			p.Errorf("back at the start the picture differs by %g", d)
		}
	})
	p.part("theme", func() {
		p.theme("dark")
		p.drawn()
		r, g, b, _ := corner(p.shown()).RGBA()
		if r+g+b > 3*0x4000 {
			p.Errorf("in the dark theme the paper is %x %x %x", r, g, b)
		}
		p.theme("light")
		p.drawn()
	})
	p.part("export", func() {
		var size int
		p.js(&size, `async () => {
			const { blob } = await playground.export('png');
			const { width, height } = await createImageBitmap(blob);
			return width * height;
		}`)
		if size < 1000*800 {
			p.Errorf("the file has %d dots", size)
		}
	})
	p.part("lesson", func() {
		p.js(nil, `async () => {
			const [{ name }] = await (await fetch('lessons.json')).json();
			await playground.lesson(name, 1);
		}`)
		p.until("the first step", `() => playground.state().lesson?.step === 1 && document.querySelector('#lesson h3')?.checkVisibility()`)
		p.press(".lesson-predict label:nth-of-type(1) input")
		p.press(".lesson-predict [type=submit]")
		p.press("[data-part=show]")
		p.until("the goal reached", `() => playground.state().lesson.reached && document.querySelector('.lesson-sign').textContent === 'Reached'`)
		p.js(nil, `() => playground.lesson('')`)
	})
	p.part("scenes", p.scenesFlat)
	p.part("size", func() {
		p.run(chrome.Resize(chrome.Screen{Width: 1100, Height: 700, Dots: 1}))
		p.until("a smaller canvas", canvasFits, 1)
		p.js(nil, `() => { window.picture = document.getElementById('stage').contentWindow.stage; }`)
		p.run(chrome.Resize(chrome.Screen{Width: 1100, Height: 700, Dots: 2}))
		p.until("the picture loaded for another resolution", `() => {
			const { stage, document: inner } = document.getElementById('stage').contentWindow;
			return stage && stage !== window.picture && inner.body.classList.contains('drawn') && document.querySelector('#loading').hidden;
		}`)
		p.until("twice the dots", canvasFits, 2)
		p.drawn()
		if n := colours(p.shown()); n < 20 {
			p.Errorf("the picture has %d colours", n)
		}
	})
}

// corner returns the colour at the top left of a picture.
func corner(img image.Image) color.Color {
	at := img.Bounds().Min
	return img.At(at.X+3, at.Y+3)
}

// canvasFits is a JavaScript function that reports whether the canvas has the given number of dots per pixel of the
// page.
const canvasFits = `(ratio) => {
	const frame = document.getElementById('stage');
	const { width, height } = frame.contentDocument.querySelector('canvas');
	return width === ratio * frame.clientWidth && height === ratio * frame.clientHeight;
}`

// dragsFlat drags a start, and checks that the start, its handle and the picture change.
func (p *page) dragsFlat() {
	p.js(nil, `() => playground.step(20)`)
	from, at := p.start(), p.handle("start-1")
	p.drawn()
	before := p.shown()
	p.mouse(chrome.Move, at)
	p.mouse(chrome.Press, at)
	for i := 1; i <= 5; i++ {
		p.mouse(chrome.Move, point{at.X + float64(6*i), at.Y + float64(4*i)})
	}
	p.until("the point under way", `(from) => playground.state().runs[0].start[0] !== from[0]`, from)
	p.mouse(chrome.Release, point{at.X + 30, at.Y + 20})
	p.until("the runs where they were", `() => playground.state().latest === 20 && playground.state().progress === null`)
	if to := p.start(); !(to[0] > from[0] && to[1] < from[1]) {
		p.Errorf("the start went from %v to %v, by a move to the right and down", from, to)
	}
	if now := p.handle("start-1"); math.Hypot(now.X-at.X-30, now.Y-at.Y-20) > 1.5 {
		p.Errorf("the handle is at %v, not 30, 20 from %v", now, at)
	}
	p.mouse(chrome.Move, p.middle("#scene-title"))
	p.drawn()
	if d := unlike(p.TB.(*testing.T), before, p.shown()); d < 1e-5 {
		p.Errorf("the drag changed the picture by %g", d)
	}
}

// hoversFlat moves the pointer over a start and away. It checks that the tooltip appears and disappears, and that the
// cursor changes its shape and changes back.
func (p *page) hoversFlat() {
	p.mouse(chrome.Move, p.middle("#scene-title"))
	at := p.handle("start-2")
	p.drawn()
	before := p.shown()
	p.mouse(chrome.Move, at)
	const cursor = `(shape) => document.getElementById('stage').contentDocument.querySelector('canvas').style.cursor === shape`
	p.until("the shape of the pointer", cursor, "grab")
	p.drawn()
	if d := unlike(p.TB.(*testing.T), before, p.shown()); d < 1e-3 {
		p.Errorf("the explanation of the point changes the picture by %g", d)
	}
	p.mouse(chrome.Move, p.middle("#scene-title"))
	p.until("no sign of it", cursor, "default")
	p.drawn()
	if d := unlike(p.TB.(*testing.T), before, p.shown()); d != 0 {
		p.Errorf("afterwards the picture differs by %g", d)
	}
}

// scenesFlat opens every scene, and checks that its picture is not blank.
func (p *page) scenesFlat() {
	var ids []string
	p.js(&ids, `() => playground.scenes().map(({id}) => id)`)
	if len(ids) != 18 {
		p.Errorf("got %d scenes, want 18", len(ids))
	}
	for _, id := range ids {
		p.part(id, func() {
			p.js(nil, `async (id) => {
				await playground.open(id);
				await playground.pause();
				if (playground.state().params.swarm > 50) await playground.set('swarm', 50);
			}`, id)
			p.until("the end of its swarm, if it has one", `() => {
				const { facts } = playground.state();
				return !(facts['swarm.points'] > facts['swarm.ended']);
			}`)
			p.drawn()
			var seen struct {
				Ink     float64
				Colours int
			}
			p.js(&seen, `() => {
				const canvas = document.getElementById('stage').contentDocument.querySelector('canvas');
				const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
				const dots = new Uint32Array(data.buffer);
				const far = (a, b) => [0, 8, 16].reduce((sum, bit) => sum + Math.abs((a >> bit & 255) - (b >> bit & 255)), 0) > 60;
				return { Ink: dots.filter((dot) => far(dot, dots[0])).length / dots.length, Colours: new Set(dots).size };
			}`)
			if seen.Ink < 0.005 || seen.Colours < 50 {
				p.Errorf("the picture has ink on %.4f of its dots, and %d colours", seen.Ink, seen.Colours)
			}
		})
	}
}

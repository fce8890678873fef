package browser

import (
	"encoding/json"
	"flag"
	"image"
	"math"
	"path/filepath"
	"testing"
	"time"
)

var browsers = flag.Bool("browsers", false, "test the page in Firefox and WebKitGTK")

// guest is a page in another browser.
type guest struct {
	*testing.T
	driven
}

func (g guest) js(out any, function string, args ...any) {
	g.Helper()
	text, err := g.call(function, args...)
	if err != nil {
		g.Fatalf("%v\nin %s", err, function)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal([]byte(text), out); err != nil {
		g.Fatalf("%q: %v\nin %s", text, err, function)
	}
}

// until waits until a function returns true.
func (g guest) until(what, function string, args ...any) {
	g.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var value any
		if g.js(&value, function, args...); value != nil && value != false && value != 0. && value != "" {
			return
		}
	}
	var seen string
	g.js(&seen, `() => JSON.stringify(window.playground?.state()).slice(0, 400) + document.querySelector('#loading')?.innerText`)
	g.Fatalf("still waiting for: %s; the page is at %s", what, seen)
}

// picture returns the part of the picture that the window shows.
func (g guest) picture() image.Image {
	g.Helper()
	data, err := g.screenshot()
	if err != nil {
		g.Fatal(err)
	}
	img, err := decodePNG(data)
	if err != nil {
		g.Fatal(err)
	}
	var b box
	g.js(&b, `() => {
		const {x, y, width, height} = document.querySelector('#stage').getBoundingClientRect();
		return {X: x, Y: y, Width: width, Height: height};
	}`)
	return part(img, b)
}

// TestOtherBrowsers: the page also works in Firefox and WebKitGTK. It starts, reacts to drags, teaches and exports,
// with WebGL, without WebGL, and as a single file.
func TestOtherBrowsers(t *testing.T) {
	if !*browsers {
		t.Skip("SKIPPED: make test-browsers runs this")
	}
	screen, stop, err := display()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	for _, browser := range []struct {
		name  string
		start func(display string) (driven, error)
	}{{"Firefox", firefox}, {"WebKitGTK", webkit}} {
		t.Run(browser.name, func(t *testing.T) {
			window, err := browser.start(screen)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := window.close(); err != nil {
					t.Error(err)
				}
			})
			t.Log(window.version())
			file, err := singleFile()
			if err != nil {
				t.Fatal(err)
			}
			for _, choice := range []struct {
				name, address string
				kinds         []string // of files
			}{
				{"as it is", site, []string{"png", "svg", "pdf", "csv"}},
				{"without WebGL", site + "?canvas", []string{"png", "svg", "pdf", "csv"}},
				{"one file", "file://" + filepath.ToSlash(file), []string{"csv", "json"}},
			} {
				t.Run(choice.name, func(t *testing.T) {
					g := guest{t, window}
					if err := g.open("about:blank"); err != nil {
						t.Fatal(err)
					}
					if err := g.open(choice.address + resting); err != nil {
						t.Fatal(err)
					}
					t.Run("start", func(t *testing.T) { guest{t, window}.starts() })
					if t.Failed() {
						return // the remaining parts would only wait
					}
					t.Run("drag", func(t *testing.T) { guest{t, window}.drags() })
					t.Run("lesson", func(t *testing.T) { guest{t, window}.learns() })
					t.Run("export", func(t *testing.T) { guest{t, window}.exports(choice.kinds) })
				})
			}
		})
	}
}

func (g guest) starts() {
	g.until("the page’s scripts", `() => 'playground' in window`)
	g.js(nil, `() => playground.ready`)
	var flat string
	g.js(&flat, `() => document.documentElement.dataset.canvas ?? 'WebGL'`)
	g.Logf("drawn by: %s", flat)
	g.until("a picture at rest", `async () => {
		const { stage } = document.getElementById('stage').contentWindow;
		const before = stage.probe().draws;
		await new Promise((resolve) => setTimeout(resolve, 300));
		const { draws, due } = stage.probe();
		return draws === before && !due && before > 0 && document.querySelector('#loading').hidden;
	}`)
	if n := colours(g.picture()); n < 50 {
		g.Errorf("the picture has %d colours", n)
	}
}

func (g guest) drags() {
	var at point
	g.js(&at, `() => {
		const frame = document.getElementById('stage');
		const { x, y } = frame.contentWindow.stage.callNow('handles').find(({ id }) => id === 'start-1');
		const box = frame.getBoundingClientRect();
		return { X: box.x + x, Y: box.y + y };
	}`)
	const right, down = 30, 20
	var from, to []float64
	start := `() => playground.state().runs[0].start`
	g.js(&from, start)
	x, y := int(math.Round(at.X)), int(math.Round(at.Y))
	gestures := []gesture{{Type: "pointerMove", X: x, Y: y}, {Type: "pointerDown"}}
	for i := 1; i <= 5; i++ {
		gestures = append(gestures, gesture{Type: "pointerMove", X: x + i*right/5, Y: y + i*down/5, Duration: 40})
	}
	if err := g.mouse(append(gestures, gesture{Type: "pointerUp"})); err != nil {
		g.Fatal(err)
	}
	g.until("the point moved", `(from) => playground.state().runs[0].start[0] !== from[0]`, from)
	if g.js(&to, start); !(to[0] > from[0] && to[1] < from[1]) {
		g.Errorf("the start went from %v to %v, by a move to the right and down", from, to)
	}
	g.js(nil, `() => playground.play()`)
	g.until("iterations", `() => playground.state().latest > 5`)
	g.js(nil, `() => playground.pause()`)
}

func (g guest) learns() {
	g.js(nil, `async () => {
		const [{ name }] = await (await `+ofSite+`('lessons.json')).json();
		await playground.lesson(name, 1);
	}`)
	g.until("the first step", `() => playground.state().lesson?.step === 1 && document.querySelector('#lesson h3')?.checkVisibility()`)
	g.js(nil, `() => {
		// A prediction is remembered.
		document.querySelector('#lesson .lesson-predict input:enabled')?.click();
		document.querySelector('#lesson .lesson-predict [type=submit]')?.click();
	}`)
	g.until("the way to the goal", `() => {
		const show = document.querySelector('#lesson [data-part=show]');
		show?.click();
		return Boolean(show);
	}`)
	g.until("the goal reached", `() => playground.state().lesson.reached && Boolean(document.querySelector('.lesson-sign.reached'))`)
	g.js(nil, `() => playground.lesson('')`)
}

func (g guest) exports(kinds []string) {
	for _, kind := range kinds {
		var file struct {
			Type  string
			Bytes int
			Dots  int
		}
		g.js(&file, `async (kind) => {
			const { type, blob } = await playground.export(kind);
			const { width, height } = kind === 'png' ? await createImageBitmap(blob) : { width: 0, height: 0 };
			return { Type: type, Bytes: blob.size, Dots: width * height };
		}`, kind)
		if file.Bytes < 200 || kind == "png" && file.Dots < 1000*800 {
			g.Errorf("the %s is %+v", kind, file)
		}
	}
}

package browser

import (
	"math"
	"net/http"
	"path"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// failure waits for the panel that reports a failure, and returns its text.
func (p *page) failure() (text string) {
	p.Helper()
	p.until("a panel that says what went wrong", `() => document.querySelector('#loading .failure')?.checkVisibility()`)
	p.js(&text, `() => document.querySelector('#loading .failure').innerText`)
	return text
}

// rest checks that the page around the picture still responds.
func (p *page) rest() {
	p.Helper()
	if s := p.state(); s.Scene != "fonseca" {
		p.Errorf("without a picture, the state has scene %q", s.Scene)
	}
	p.js(nil, `() => { if (playground.params().length < 15 || !document.querySelector('#param-R')) throw new Error('no parameters'); }`)
}

// rejected checks that ready reports the same error to programs as the panel does to visitors.
func (p *page) rejected() {
	p.Helper()
	shown := p.failure()
	var told string
	p.js(&told, `() => playground.ready.then(() => '', (error) => error.message)`)
	if told == "" || !strings.Contains(shown, told) {
		p.Errorf("ready is rejected with %q, the page says %q", told, shown)
	}
}

// retry presses the panel's button to try again, and checks that ready returns a new promise.
func (p *page) retry() {
	p.Helper()
	p.js(nil, `() => { window.before = playground.ready; }`)
	p.click("#loading .failure button")
	p.until("a new promise", `() => playground.ready !== window.before`)
	p.js(nil, `() => window.before.then(() => { throw new Error('the promise of the first try is kept'); }, () => {})`)
}

// blocked is the status that stands for no answer, as if something in the browser blocked the request.
const blocked = 0

// intercepting answers requests for the program with a status and a body while broken is true.
func intercepting(broken *atomic.Bool, status int64, body string) option {
	return func(p *page) {
		p.answering("*.wasm*", func(string) *chrome.Answer {
			if !broken.Load() {
				return nil
			}
			return &chrome.Answer{Status: status, Body: body, Blocked: status == blocked}
		})
	}
}

// answering passes each request whose address matches a pattern to answer, which decides what the page receives.
func (p *page) answering(pattern string, answer func(address string) *chrome.Answer) {
	p.Helper()
	if err := p.tab.Intercept(pattern, answer, func(err error) { p.fault(err.Error()) }); err != nil {
		p.Fatal(err)
	}
}

// TestBrokenProgram: if a program cannot be loaded or started, the page stays readable, and the visitor can try again.
func TestBrokenProgram(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		status int64
		body   string
		says   string
	}{
		{"missing", 404, "no such file", "404"},
		{"garbage", 200, strings.Repeat("<html>not a program</html>", 100), "could not be started"},
		{"empty", 200, "", "could not be"},
		{"blocked", blocked, "", "could not be loaded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var broken atomic.Bool
			broken.Store(true)
			p := open(t, "#v=1&scene=fonseca&R=6&k=9", intercepting(&broken, c.status, c.body), expecting(`404`, `BLOCKED_BY_CLIENT`))
			if text := p.failure(); !strings.Contains(text, c.says) {
				t.Errorf("the page says %q, without %q", text, c.says)
			}
			p.rest()
			p.rejected()
			broken.Store(false)
			p.retry()
			p.js(nil, `() => playground.ready`)
			p.until("the picture in place of the panel", `() => !document.querySelector('#loading .failure')?.checkVisibility() &&
				!document.querySelector('#stage').classList.contains('failed')`)
			if s := p.state(); s.Iteration != 9 || s.Params["R"] != 6.0 {
				t.Errorf("after the reload: iteration %d, R = %v", s.Iteration, s.Params["R"])
			}
		})
	}
}

// TestNotCompiled: if the server could not compile the program, the panel that says so can start another compilation.
// The page then shows the new error or the picture.
func TestNotCompiled(t *testing.T) {
	t.Parallel()
	const failed, compiling = `{"compiling":false,"error":"main.go:3: undefined: x"}`, `{"compiling":true}`
	var mu sync.Mutex
	said, asked, polled := failed, 0, 0
	p := open(t, "#v=1&scene=fonseca&R=6&k=9", func(p *page) {
		p.answering("*site.json*", func(address string) *chrome.Answer {
			mu.Lock()
			defer mu.Unlock()
			if strings.HasSuffix(address, "?again") {
				asked++
				said, polled = compiling, 0
			} else if polled++; said == compiling && polled > 2 { // main and picture have seen it
				said = strings.Replace(failed, "x", "y", 1)
				if asked == 2 {
					said = ""
				}
			}
			if said == "" {
				return nil
			}
			return &chrome.Answer{Status: 200, Body: said}
		})
	}, injecting(`
		// The page of a server without a program does not name one.
		let arrival;
		Object.defineProperty(window, 'arrival', {get: () => arrival, set: ({scene}) => { arrival = {scene}; }});
	`), expecting(`Invalid InterceptionId`)) // a request that ends with its document has no answer
	for _, mistake := range []string{"undefined: x", "undefined: y"} {
		p.until("the panel with "+mistake, `(mistake) => { const panel = document.querySelector('#loading .failure');
			return panel?.checkVisibility() && panel.innerText.includes(mistake) && panel.innerText.includes('Build again'); }`, mistake)
		p.rest()
		p.rejected()
		p.click("#loading .failure button")
	}
	p.js(nil, `() => playground.ready`)
	p.until("the picture in place of the panel", `() => !document.querySelector('#loading .failure')?.checkVisibility() &&
		!document.querySelector('#stage').classList.contains('failed')`)
	if s := p.state(); s.Iteration != 9 || s.Params["R"] != 6.0 {
		t.Errorf("after the build: iteration %d, R = %v", s.Iteration, s.Params["R"])
	}
	mu.Lock()
	defer mu.Unlock()
	if asked != 2 {
		t.Errorf("the server was asked %d times to compile again, want 2", asked)
	}
}

// prepareState brings a page to a state that differs from all defaults.
func prepareState(p *page) state {
	p.Helper()
	p.js(nil, `async () => {
		await playground.set('start', [[0.5, 0.5]]);
		await playground.step(15);
		await playground.set('R', 11);
		await playground.step(10);
		await playground.seek(19);
		window.picture = document.getElementById('stage').contentWindow.stage;
	}`)
	return p.state()
}

// again waits until the iframe has reloaded and drawn, and checks that it shows the same state.
func (p *page) again(before state) {
	p.Helper()
	p.until("the picture loaded again", `() => {
		const {stage, document: inner} = document.getElementById('stage').contentWindow;
		return stage && stage !== window.picture && inner.body.classList.contains('drawn') && document.querySelector('#loading').hidden;
	}`)
	p.until("the same iteration", `(k) => playground.state().iteration === k && playground.state().progress === null`, before.Iteration)
	if after := p.state(); !reflect.DeepEqual(after, before) {
		p.Errorf("after the reload the state is\n%+v\nnot\n%+v", after, before)
	}
	p.drawn()
	if n := colours(p.picture("#stage")); n < 100 {
		p.Errorf("after the reload the picture has %d colours", n)
	}
}

func TestLostContext(t *testing.T) {
	t.Parallel()
	p := ready(t, resting, expecting(`CONTEXT_LOST`))
	before := prepareState(p)
	p.js(nil, `() => document.getElementById('stage').contentDocument
		.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()`)
	p.again(before)
}

func TestPixelRatio(t *testing.T) {
	t.Parallel()
	p := ready(t, resting)
	before := prepareState(p)
	p.run(chrome.Resize(chrome.Screen{Width: 1280, Height: 800, Dots: 2}))
	p.again(before)
	var ratio float64
	p.js(&ratio, `() => { const c = document.getElementById('stage').contentDocument.querySelector('canvas'); return c.width / c.clientWidth;
		}`)
	if math.Abs(ratio-2) > 0.01 {
		t.Errorf("the picture has %g dots per pixel, not 2", ratio)
	}
}

// TestMissingList: without the list of scenes, the page says so and uses the program's own list. A separate host refuses
// the list, because the browser may answer an intercepted request from the memory of another page in the same process.
func TestMissingList(t *testing.T) {
	t.Parallel()
	host := behind(t, func(r *http.Response) error {
		if path.Base(r.Request.URL.Path) == "scenes.json" {
			r.StatusCode = http.StatusServiceUnavailable
		}
		return nil
	})
	p := open(t, host+"#v=1&scene=fonseca", expecting(`503`))
	p.js(nil, `() => playground.ready`)
	p.until("a word about the missing list", `() => document.querySelector('#notices .notice.error')?.innerText.includes('503')`)
	if scene := p.state().Scene; scene != "fonseca" {
		t.Errorf("the scene %q is open", scene)
	}
}

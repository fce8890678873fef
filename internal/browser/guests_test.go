package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

// asking defines ask(verb, args), which sends a message to the window that target() returns. The promise of ask settles
// with that window's answer.
const asking = `
let last = 0;
window.target = () => inner.contentWindow;
window.patience = 60000;
window.ask = (verb, args, to = target()) => new Promise((resolve, reject) => {
	const id = ++last;
	const give = setTimeout(() => reject(new Error('no answer to ' + verb)), patience);
	addEventListener('message', function hear({data, source}) {
		if (data.playground !== 1 || data.id !== id || source !== to) return;
		removeEventListener('message', hear);
		clearTimeout(give);
		if ('error' in data) reject(new Error(data.error)); else resolve(data.result);
	});
	to.postMessage({playground: 1, id, verb, args}, '*');
});
`

// others serves the given pages, listed by path, from another origin. Each page includes the script in asking.
func others(t testing.TB, pages map[string]string) *httptest.Server {
	t.Helper()
	around := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Around</title><link rel="icon" href="data:,"><script>%s</script>%s`, asking, body)
	}))
	t.Cleanup(around.Close)
	return around
}

// frame returns the HTML of an iframe with the given address and attributes. The iframe sets window.there once it has
// loaded.
func frame(address, attributes string) string {
	return fmt.Sprintf(`<iframe id="inner" src="%s" width="1100" height="700" %s></iframe>
<script>inner.onload = () => { window.there = true; };</script>`, address, attributes)
}

// plainHost serves the site from a host that sends files without the server's headers.
func plainHost(t testing.TB) (address string) {
	t.Helper()
	return behind(t, func(r *http.Response) error {
		for _, name := range []string{"Cross-Origin-Opener-Policy", "Content-Security-Policy", "Cross-Origin-Resource-Policy",
			"Permissions-Policy", "Referrer-Policy", "X-Content-Type-Options"} {
			r.Header.Del(name)
		}
		return nil
	})
}

// behind serves the site from a separate host, which changes the server's answers with change.
func behind(t testing.TB, change func(*http.Response) error) (address string) {
	t.Helper()
	if missing != "" {
		t.Skip("SKIPPED, the page is not tested: " + missing)
	}
	there, err := url.Parse(site)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(there)
	proxy.ModifyResponse = change
	host := httptest.NewServer(proxy)
	t.Cleanup(host.Close)
	return host.URL + "/"
}

// embedded is a tab whose page has a different origin from the page in its iframe.
type embedded struct {
	*page
	mu     sync.Mutex
	worlds []chrome.World // of all documents, the newest last
}

// embedding opens a page of another origin that shows the given address in an iframe.
func embedding(t testing.TB, address, attributes string, options ...option) *embedded {
	t.Helper()
	e := &embedded{}
	options = append(options, func(p *page) {
		p.listen(func(event any) {
			if world, ok := event.(chrome.World); ok {
				e.mu.Lock()
				defer e.mu.Unlock()
				e.worlds = append(e.worlds, world)
			}
		})
	})
	e.page = open(t, others(t, map[string]string{"/": frame(address, attributes)}).URL, options...)
	e.until("the page inside", `() => window.there`)
	return e
}

// inside calls a function in the embedded page, as its visitor or its own scripts do.
func (e *embedded) inside(out any, function string, args ...any) {
	e.Helper()
	for _, world := range slices.Backward(e.newest()) {
		var it bool
		if e.tab.EvaluateIn(world, `typeof playground === 'object'`, &it) != nil || !it {
			continue
		}
		if err := e.tab.EvaluateIn(world, e.call(function, args...), out); err != nil {
			e.check()
			e.Fatalf("%v\nin the page inside, %s", err, function)
		}
		return
	}
	e.Fatal("no page is inside")
}

// visitors checks that the outer page is refused everything that would reveal the visitor's data.
func (e *embedded) visitors(what string) {
	e.Helper()
	for verb, args := range map[string]any{
		"state": nil, "params": nil, "export": "csv", "set": []any{"pcgrad.order", "1,2,3"}, "step": 1, "seek": 0, "play": nil, "pause": nil,
		"reset": nil, "newSeed": nil,
	} {
		if text := e.refusal(`(verb, args) => ask(verb, args)`, verb, args); text != "visitor's data" {
			e.Errorf("%s: %s is refused with %q", what, verb, text)
		}
	}
	for _, kind := range []string{"png", "svg", "pdf", "csv", "json", "bmp"} {
		if text := e.refusal(`(kind) => ask('export', {kind, panel: 'weights'})`, kind); text != "visitor's data" {
			e.Errorf("%s: the export as %s is refused with %q", what, kind, text)
		}
	}
}

// answered checks that the outer page gets the state, and returns the state's fields about data.
func (e *embedded) answered(what string) (s guestState) {
	e.Helper()
	e.js(&s, `() => ask('state')`)
	e.js(nil, `() => ask('params')`)
	e.js(nil, `async () => { if (!(await ask('export', 'json')).blob.size) throw new Error('an empty file'); }`)
	return s
}

// guestState holds the fields of a state that are about data.
type guestState struct {
	state
	Data *struct {
		SHA256  string
		Held    bool
		From    string
		Rows    int
		Columns int
	}
	Results json.RawMessage
}

const (
	secret = `{"jacobian": [[0.125, 7, 2], [-1, 0.5, 0.375], [0, 1, -1]]}`
	theirs = "1,2\n3,4\n"
)

// TestVisitorsDataEmbedded: an embedding page of another origin never learns the visitor's data, and always learns the
// fate of data that it has sent itself.
func TestVisitorsDataEmbedded(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]string{"served": site, "plain host": plainHost(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := embedding(t, address+"#v=1&scene=lab", "")
			e.js(nil, `() => ask('ready')`)
			origin := e.raw(`() => location.origin`)
			if s := e.answered("without data"); s.Data != nil {
				t.Errorf("without data: %+v", s.Data)
			}

			// The embedding page pastes its own data.
			e.js(nil, `(text) => ask('paste', text)`, theirs)
			s := e.answered("the embedder's data")
			if s.Data == nil || !s.Data.Held || s.Data.Rows != 2 || `"`+s.Data.From+`"` != origin || !strings.Contains(s.Hash, s.Data.SHA256) {
				t.Errorf("the embedder's data: %+v, %s", s.Data, s.Hash)
			}
			e.js(nil, `() => ask('set', ['eta', 0.25])`)
			own := s.Hash

			// The visitor's own data replace them.
			e.inside(nil, `(text) => playground.paste(text)`, secret)
			e.visitors("the visitor's data")
			var inside guestState
			e.inside(&inside, `() => playground.state()`)
			if inside.Data == nil || inside.Data.From != "" || inside.Data.Rows != 3 || inside.Params["eta"] != 0.25 {
				t.Errorf("the visitor's own page says %+v, eta = %v", inside.Data, inside.Params["eta"])
			}
			// The embedding page learns about its own invalid file, which changes nothing.
			if text := e.refusal(`() => ask('paste', '1,x')`); !strings.Contains(text, "is not a number") {
				t.Errorf("the embedder's invalid file is refused with %q", text)
			}
			e.visitors("after a refused file")

			// A newly opened scene does not have the data, and switching to the view of data does not bring them back.
			e.js(nil, `() => ask('open', 'lab')`)
			if s := e.answered("opened afresh"); s.Data != nil || strings.Contains(s.Hash, "data=") {
				t.Errorf("newly opened: %+v, %s", s.Data, s.Hash)
			}
			e.js(nil, `() => ask('set', ['view', 'data'])`)
			if s := e.answered("a view of nothing"); s.Data == nil || s.Data.SHA256 != "" || string(s.Results) != "null" {
				t.Errorf("a view of nothing: %+v, %s", s.Data, s.Results)
			}
			e.js(nil, `() => ask('open', 'fonseca')`)
			e.answered("another scene")

			// If the link contains the data's checksum, the page shows the data again. They are still the visitor's,
			// even if the checksum in the link is that of another file.
			for _, hash := range []string{inside.Hash, strings.ReplaceAll(inside.Hash, inside.Data.SHA256, strings.Repeat("ab", 32))} {
				e.js(nil, `(hash) => ask('load', hash)`, hash)
				e.visitors("a link by message")
				e.js(nil, `() => ask('open', 'fonseca')`)
				e.js(nil, `(address) => { inner.contentWindow.location = address; }`, address+"#k=0&"+hash)
				e.until("the link in the address", `async () => ask('state').then(() => false, (error) => error.message === "visitor's data")`)
				e.visitors("a link in the address")
			}
			// Only the visitor sees notices, not the embedding page.
			e.js(nil, `(text) => ask('paste', text)`, theirs)
			var notices []string
			e.js(&notices, `async () => (await ask('state')).notices`)
			if len(notices) > 0 {
				t.Errorf("the embedder reads the notices %q", notices)
			}
			// The link to the embedding page's own data shows that data.
			e.js(nil, `() => ask('open', 'fonseca')`)
			e.js(nil, `(hash) => ask('load', hash)`, own)
			if s := e.answered("the embedder's data again"); s.Data == nil || !s.Data.Held || s.Data.Rows != 2 {
				t.Errorf("the embedder's data again: %+v", s.Data)
			}
			// If the visitor pastes the same bytes, they are the visitor's data.
			e.inside(nil, `(text) => playground.paste(text)`, theirs)
			e.visitors("the same bytes from the visitor")
		})
	}
}

// TestWhoseDataAfterReload: a reloaded picture shows the same data, with the same owner.
func TestWhoseDataAfterReload(t *testing.T) {
	t.Parallel()
	e := embedding(t, site+"#v=1&scene=lab", "", expecting(`CONTEXT_LOST`))
	e.js(nil, `() => ask('ready')`)
	lose := `() => document.getElementById('stage').contentDocument.querySelector('canvas').getContext('webgl2')
		.getExtension('WEBGL_lose_context').loseContext()`
	renew := func() {
		t.Helper()
		e.inside(nil, `() => { window.picture = document.getElementById('stage').contentWindow.stage; }`)
		e.inside(nil, lose)
		e.inside(nil, `async () => {
			for (;;) {
				const {stage} = document.getElementById('stage').contentWindow;
				if (stage && stage !== window.picture) break;
				await new Promise((resolve) => setTimeout(resolve, 50));
			}
			await playground.pause();
		}`)
	}
	e.js(nil, `(text) => ask('paste', text)`, theirs)
	renew()
	if s := e.answered("the embedder's data"); s.Data == nil || !s.Data.Held || s.Data.Rows != 2 {
		t.Errorf("the embedder's data after a reload: %+v", s.Data)
	}
	e.inside(nil, `(text) => playground.paste(text)`, secret)
	renew()
	e.visitors("the visitor's data after a reload")
}

// TestFilesAtOnce: files that are pasted at the same time stay separate.
func TestFilesAtOnce(t *testing.T) {
	t.Parallel()
	e := embedding(t, site+"#v=1&scene=lab", "")
	e.js(nil, `() => ask('ready')`)
	e.js(nil, `() => { window.theirs = ask('paste', '1,2,3,4\n'.repeat(40) + ' '.repeat(3 << 17)); }`)
	e.inside(nil, `() => Promise.all([
		playground.paste('5,6\n'.repeat(60) + ' '.repeat(3 << 17)),
		playground.paste('7,8,9\n'.repeat(70) + ' '.repeat(3 << 17)),
	])`)
	e.js(nil, `() => window.theirs`)
	var s guestState
	e.inside(&s, `() => playground.state()`)
	if d := s.Data; d == nil || [2]int{d.Rows, d.Columns} != [2]int{40, 4} && [2]int{d.Rows, d.Columns} != [2]int{70, 3} {
		t.Errorf("of three files, the page has %+v", s.Data)
	} else if theirs := d.Columns == 4; theirs != (d.From != "") {
		t.Errorf("%d columns are from %q", d.Columns, d.From)
	}
}

// attach attaches to a document of the browser other than the page: a window, or an iframe with a separate process.
func (p *page) attach(kind, address string, options ...option) *page {
	p.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		all, err := p.tab.Browser().Documents()
		if err != nil {
			p.Fatal(err)
		}
		for _, it := range all {
			if it.Kind != kind || !strings.HasPrefix(it.Address, address) {
				continue
			}
			q := &page{TB: p.TB}
			expecting(`ERR_CACHE_MISS`)(q) // Chromium reports a request in progress this way
			for _, o := range options {
				o(q)
			}
			if q.tab, err = browser.Attach(it, q.hear); err != nil {
				p.Fatal(err)
			}
			p.Cleanup(func() {
				q.check()
				closing(p, q.tab)()
			})
			return q
		}
	}
	p.Fatalf("no %s at %s", kind, address)
	return nil
}

// unanswered sends all the given verbs at once, and checks that the page answers none of them.
func (p *page) unanswered(ask string, verbs ...string) {
	p.Helper()
	var heard []string
	p.js(&heard, `(verbs) => Promise.all(verbs.map((verb) => (`+ask+`)(verb).then(() => 'an answer', (error) => error.message)))`, verbs)
	for i, text := range heard {
		if !strings.HasPrefix(text, "no answer") {
			p.Errorf("%s is answered with %q", verbs[i], text)
		}
	}
	if len(heard) != len(verbs) {
		p.Errorf("for %d verbs there are %d answers", len(verbs), len(heard))
	}
}

// TestVisitorsDataOpener: a page that opens the site's page gets no answer from it, whether or not the host's headers
// separate the two pages.
func TestVisitorsDataOpener(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]string{"served": site, "plain host": plainHost(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			there := address + "?opened"
			p := open(t, others(t, map[string]string{"/": fmt.Sprintf(`<button onclick="window.other = window.open('%s')">Open</button>
<script>
	patience = 3000;
	window.heard = [];
	addEventListener('message', ({data}) => heard.push(data));
</script>`, there+"#v=1&scene=lab")}).URL)
			p.click("button")
			q := p.attach("page", there)
			q.until("the page that was opened", `() => window.playground?.state().scene === 'lab'`)
			q.js(nil, `() => playground.ready`)
			q.js(nil, `(text) => playground.paste(text)`, secret)
			before := q.state()
			p.unanswered(`(verb) => ask(verb, 'fonseca', other)`, "state", "scenes", "ready", "open")
			var heard []any
			p.js(&heard, `() => heard`)
			if len(heard) > 0 {
				t.Errorf("an opener has received %v", heard)
			}
			if after := q.state(); after.Scene != before.Scene || after.Hash != before.Hash {
				t.Errorf("an opener's messages lead from %s to %s", before.Hash, after.Hash)
			}
			var cut bool
			p.js(&cut, `() => other.closed`)
			if cut != (address == site) {
				t.Errorf("the opener has lost the window: %t", cut)
			}
			// The page answers its own window, because its scripts send messages too.
			var scene string
			q.js(&scene, `() => new Promise((resolve) => {
				addEventListener('message', ({data}) => { if (data.id === 'own' && data.result) resolve(data.result.scene); });
				postMessage({playground: 1, id: 'own', verb: 'state'}, location.origin);
			})`)
			if scene != "lab" {
				t.Errorf("the page's own message is answered with scene %q", scene)
			}
		})
	}
}

// TestOwnParent: a page of the same origin is trusted, whatever data the picture shows.
func TestOwnParent(t *testing.T) {
	t.Parallel()
	p := open(t, "scenes.json", expecting(`favicon\.ico`)) // a JSON file names no icon
	p.js(nil, `(address) => new Promise((resolve) => {
		const inner = Object.assign(document.createElement('iframe'), {id: 'inner', src: address, width: 1100, height: 700, onload: resolve});
		document.body.replaceChildren(inner);
	})`, site+"#v=1&scene=lab")
	p.run(chrome.Start(asking))
	p.js(nil, `() => ask('ready')`)
	p.js(nil, `(text) => inner.contentWindow.playground.paste(text)`, secret)
	var s guestState
	p.js(&s, `() => ask('state')`)
	if s.Data == nil || !s.Data.Held || s.Data.Rows != 3 {
		t.Errorf("a page of the same origin: got %+v", s.Data)
	}
	p.js(nil, `() => ask('set', ['eta', 0.25])`)
	p.js(nil, `() => ask('export', 'csv')`)
}

// TestParentInFile: a page in a file has no origin, but is still distinguished from the visitor.
func TestParentInFile(t *testing.T) {
	t.Parallel()
	there := plainHost(t) + "?file" // the server's own policy allows no file
	file := filepath.Join(t.TempDir(), "slides.html")
	text := `<!doctype html><title>Slides</title><link rel="icon" href="data:,"><script>` + asking + `</script>` +
		frame(there+"#v=1&scene=lab", "")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e := &embedded{page: open(t, "file://"+file)}
	e.until("the page inside", `() => window.there`)
	e.js(nil, `() => ask('ready')`)
	e.js(nil, `(text) => ask('paste', text)`, theirs)
	if s := e.answered("the file's data"); s.Data == nil || s.Data.Rows != 2 || s.Data.From != "null" {
		t.Errorf("a page in a file receives %+v", s.Data)
	}
	e.attach("iframe", there).js(nil, `(text) => playground.paste(text)`, secret)
	e.visitors("the visitor's data")
}

// TestNestedPages: a nested page answers and notifies only the nearest of the pages around it.
func TestNestedPages(t *testing.T) {
	t.Parallel()
	if missing != "" {
		t.Skip("SKIPPED, the page is not tested: " + missing)
	}
	between := others(t, map[string]string{"/": frame(site+"#v=1&scene=lab", "") + `<script>
		inner.onload = () => ask('ready').then(() => parent.postMessage('ready', '*'));
		addEventListener('message', async ({data}) => {
			if (data === 'tell') parent.postMessage({scene: (await ask('state')).scene}, '*');
		});
	</script>`})
	p := open(t, others(t, map[string]string{"/": fmt.Sprintf(`<iframe id="inner" src="%s" width="1200" height="800"></iframe>
<iframe id="beside" src="/beside"></iframe>
<script>
	window.heard = [];
	addEventListener('message', ({data}) => heard.push(data));
</script>`, between.URL), "/beside": "<p>beside"}).URL)
	p.until("the page within", `() => heard.includes('ready')`)
	p.js(nil, `() => { patience = beside.contentWindow.patience = 2000; }`)
	p.unanswered(`(verb) => {
		const [from, what] = verb.split(' ');
		return (from === 'around' ? window : beside.contentWindow).ask(what, 'fonseca', inner.contentWindow[0]);
	}`, "around scenes", "around state", "around open", "beside scenes", "beside state", "beside open")
	p.js(nil, `() => inner.contentWindow.postMessage('tell', '*')`)
	p.until("a word of the page between", `() => heard.some(({scene}) => scene)`)
	if heard := p.raw(`() => heard`); heard != `["ready",{"scene":"lab"}]` {
		t.Errorf("a page around the parent has received %s", heard)
	}
}

// TestForeignPicture: messages from a page that replaces the picture are ignored.
func TestForeignPicture(t *testing.T) {
	t.Parallel()
	liar := others(t, map[string]string{"/": `<script>
		for (const lie of [{stage: 'ready'}, {stage: 'error', text: 'A lie.'}, {stage: 'reload'}, {stage: 'key', key: 'n'},
			{stage: 'event', kind: 'change', detail: '{'}, {playground: 1, id: 1, verb: 'open', args: 'fonseca'}]) {
			parent.postMessage(lie, '*');
		}
		parent.postMessage('end', '*');
	</script>`})
	// The page's own policy would not let another page replace the picture.
	p := ready(t, "#v=1&scene=lab", with(chrome.BypassPolicy()))
	var hash string
	p.js(&hash, `() => location.hash`)
	const shown = `() => [document.body.innerText.includes('A lie.'), document.getElementById('scene-title').innerText]`
	before := p.raw(shown)
	if !strings.HasPrefix(before, `[false,"`) || strings.HasSuffix(before, `,""]`) {
		t.Fatalf("before any page replaces the picture: %s", before)
	}
	p.js(nil, `(address) => new Promise((resolve) => {
		addEventListener('message', ({data}) => { if (data === 'end') setTimeout(resolve, 500); });
		document.getElementById('stage').src = address;
	})`, liar.URL)
	if s := p.raw(shown); s != before {
		t.Errorf("a page that replaces the picture was trusted: %s", s)
	}
	var written string
	p.js(&written, `() => location.hash`)
	if written != hash {
		t.Errorf("the address is %s, want %s", written, hash)
	}
}

// strangeValues lists values that a message may contain.
const strangeValues = `
	const cyclic = {name: 'R'};
	cyclic.value = cyclic;
	const deep = {};
	for (let i = 0, at = deep; i < 2000; i++) at = at.value = {};
	const long = 'x'.repeat(1 << 25);
	const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'addEventListener', 'dispatchEvent', 'then', '', ' ',
		'STATE', 'paste ', 'select', 'theme', 'layout', 'nudge', 'data', 'page:reload', long];
	const verbs = ['open', 'set', 'step', 'seek', 'load', 'export', 'paste'];
	const values = [null, undefined, true, 0, -1, NaN, 1e308, 10n, '', long, [], [[]], {}, cyclic, [cyclic], deep, new Date(NaN), /x/,
		new Map([[1, cyclic]]), new Set([1]), new Blob(['x']), new ArrayBuffer(8), new Float64Array(4), new Error('x'), new Array(1e9),
		Object.create(null), JSON.parse('{"__proto__": {"name": "R"}, "constructor": 1}'), {state: cyclic}, {state: deep},
		{name: 'R', value: 10n}, {name: 'R', value: long}, {name: long, value: 1}, {id: long}, {kind: long}, {kind: 'png', options: 5},
		{kind: 'csv', options: {panel: cyclic}}, {n: '3'}, {k: {}}];
`

// TestStrangeMessages: every message gets an answer, regardless of its content, and the page keeps working.
func TestStrangeMessages(t *testing.T) {
	t.Parallel()
	e := embedding(t, site+resting, "")
	e.js(nil, `() => ask('ready')`)
	before := e.raw(`async () => (({hash, runs}) => ({hash, runs}))(await ask('state'))`)
	var wrong []string
	e.js(&wrong, `async () => {`+strangeValues+`
		const wrong = [];
		const refused = (what, asked) => asked.then(() => wrong.push(what + ' is not refused'), ({message}) => {
			if (!message || message.length > 2000 || message.startsWith('no answer')) wrong.push(what + ': ' + message.slice(0, 200));
		});
		for (const verb of names) await refused('the verb ' + verb.slice(0, 20), ask(verb));
		for (const verb of verbs) {
			let i = 0;
			for (const value of values) {
				// A verb without a required value is refused; some of these values are valid.
				const plain = Object.prototype.toString.call(value) === '[object Object]';
				const fine = verb === 'load' || verb === 'seek' && Number.isFinite(value) || verb === 'export' && value?.kind === 'png' ||
					verb === 'step' && (value == null || Array.isArray(value) && value[0] === undefined || plain && !('n' in value));
				const what = verb + ' ' + i++;
				if (fine) await ask(verb, value).catch((error) => refused(what, Promise.reject(error)));
				else await refused(what, ask(verb, value));
			}
		}
		return wrong;
	}`)
	for _, text := range wrong {
		t.Error(text)
	}
	// The page ignores messages in another format, and omits an identity that it cannot send back.
	e.js(nil, `async () => {`+strangeValues+`
		const {port1, port2} = new MessageChannel();
		const stray = new ArrayBuffer(8);
		let nameless = 0;
		addEventListener('message', ({data}) => { if (data.playground === 1 && data.id === null) nameless++; });
		const send = (message, transfer = []) => inner.contentWindow.postMessage(message, '*', transfer);
		for (const value of values) {
			send(value);
			send({playground: value, verb: 'reset'});
			send({playground: 1, verb: value === long || value === '' ? 5 : value});
		}
		send({playground: 1, id: port1, verb: 'scenes'}, [port1]);
		send({playground: 1, id: stray, verb: 'scenes', args: stray}, [stray]);
		send({playground: 1, id: cyclic, verb: 'scenes'});
		send({playground: 1, verb: 'paste', args: port2}, [port2]);
		await ask('scenes');
		for (let i = 0; i < 100 && nameless < 3; i++) await new Promise((resolve) => setTimeout(resolve, 20));
		if (nameless !== 3) throw new Error(nameless + ' answers without an identity, not 3');
	}`)
	e.js(nil, `(hash) => ask('load', hash)`, strings.TrimPrefix(resting, "#"))
	if after := e.raw(`async () => (({hash, runs}) => ({hash, runs}))(await ask('state'))`); after != before {
		t.Errorf("after strange messages the state is\n%.300s\nnot\n%.300s", after, before)
	}
}

// TestFlood: the page answers every message of a flood, a reasonable number of them with results and the rest with
// refusals.
func TestFlood(t *testing.T) {
	t.Parallel()
	e := embedding(t, site+resting, "")
	e.js(nil, `() => ask('ready')`)
	var n struct{ Done, Refused, Other int }
	e.js(&n, `() => new Promise((resolve) => {
		const n = {Done: 0, Refused: 0, Other: 0};
		addEventListener('message', ({data}) => {
			if (data.id !== 'flood') return;
			if (data.error === undefined) n.Done++;
			else if (data.error.includes('waiting for an answer')) n.Refused++;
			else n.Other++;
			if (n.Done + n.Refused + n.Other === 5000) resolve(n);
		});
		for (let i = 0; i < 5000; i++) inner.contentWindow.postMessage({playground: 1, id: 'flood', verb: 'seek', args: 0}, '*');
	})`)
	if n.Done < 200 || n.Refused == 0 || n.Other > 0 || n.Done+n.Refused != 5000 {
		t.Errorf("after a flood: %+v", n)
	}
	// A flood of links with mistakes does not fill the page with notices.
	e.js(nil, `async () => {
		for (let i = 0; i < 40; i++) await ask('load', '#R=4&' + String.fromCharCode(97 + i % 26) + '_'.repeat(i) + '=1');
	}`)
	var shown int
	e.inside(&shown, `() => document.querySelectorAll('#notices .notice').length`)
	if shown < 10 || shown > 20 {
		t.Errorf("after 40 links with mistakes there are %d notices", shown)
	}
	e.js(nil, `() => ask('step', 3)`)
	var s state
	if e.js(&s, `() => ask('state')`); s.Latest != 3 {
		t.Errorf("after a flood step(3) leads to %d", s.Latest)
	}
}

// TestSandboxed: if a frame's sandbox removes the page's origin, the page shows only a sentence about the sandbox. If
// the sandbox keeps the origin, the page runs.
func TestSandboxed(t *testing.T) {
	t.Parallel()
	if missing != "" {
		t.Skip("SKIPPED, the page is not tested: " + missing)
	}
	for name, address := range map[string]string{"served": site, "plain host": plainHost(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			there := address + "?sandboxed"
			e := embedding(t, there+resting, `sandbox="allow-scripts"`)
			// Chromium 148 requests a sandboxed frame's document a second time, and refuses that request itself.
			q := e.attach("iframe", there, expecting(`Unsafe attempt to load URL \S+/\?sandboxed from frame`, `^request failed: $`))
			var said string
			q.js(&said, `() => document.body.innerText`)
			for _, part := range []string{"allow-same-origin", "allow-scripts", "sandbox"} {
				if !strings.Contains(said, part) || strings.Count(said, ".") != 1 {
					t.Errorf("in a sandbox the page says %q", said)
				}
			}
			if n := colours(e.picture("#inner")); n < 10 {
				t.Errorf("the sentence is invisible: %d colours", n)
			}
		})
	}
	e := embedding(t, site+resting, `sandbox="allow-scripts allow-same-origin"`)
	e.js(nil, `() => ask('ready')`)
	e.js(nil, `() => ask('step', 2)`)
}

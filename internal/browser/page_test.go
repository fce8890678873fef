package browser

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

// resting is a link to the default runs at k = 0, not playing, with the decision space in front.
const resting = "#v=1&scene=fonseca&k=0&hero=decision"

// page is a tab for one test. The test fails on every error on the tab's console, every exception and every failed
// request.
type page struct {
	testing.TB
	tab *chrome.Tab

	mu       sync.Mutex
	faults   []string
	expected []*regexp.Regexp
	bytes    float64 // received over the network
}

// option prepares a tab before its navigation.
type option func(*page)

// expecting allows errors that match one of the patterns, because the test causes them.
func expecting(patterns ...string) option {
	return func(p *page) {
		for _, s := range patterns {
			p.expected = append(p.expected, regexp.MustCompile(s))
		}
	}
}

// with runs actions before the navigation.
func with(actions ...chrome.Action) option { return func(p *page) { p.run(actions...) } }

// size sets the size of the window in CSS pixels, with one dot per pixel.
func size(width, height int64) option {
	return with(chrome.Resize(chrome.Screen{Width: width, Height: height}))
}

// phone sets a touch screen of 360×740 pixels with two dots per pixel.
func phone() option { return touchScreen(360, 740) }

// touchScreen sets a touch screen of the given size in CSS pixels with two dots per pixel.
func touchScreen(width, height int64) option {
	return with(chrome.Resize(chrome.Screen{Width: width, Height: height, Dots: 2, Touch: true}))
}

// still emulates a visitor who prefers reduced motion.
func still() option {
	return with(chrome.Prefer(chrome.Feature{Name: "prefers-reduced-motion", Value: "reduce"}))
}

// onePanelATime checks that the tabs show the panels with the given IDs in turn, each with a different picture, and that
// nothing is wider than the screen.
func (p *page) onePanelATime(ids ...string) {
	p.Helper()
	p.allTabs()
	seen := map[string]bool{}
	for i, id := range ids {
		p.click(fmt.Sprintf("#tabs button:nth-child(%d)", i+1))
		p.until("the panel "+id, `(id) => playground.state().hero === id`, id)
		p.drawn()
		seen[fingerprint(p.picture("#stage"))] = true
	}
	if len(seen) != len(ids) {
		p.Errorf("%d different pictures of %d", len(seen), len(ids))
	}
	var wide bool
	p.js(&wide, `() => document.documentElement.scrollWidth > innerWidth`)
	if wide {
		p.Errorf("the page is wider than the phone")
	}
}

// allTabs shows the tabs of all panels, including those hidden at first.
func (p *page) allTabs() {
	p.Helper()
	p.js(nil, `() => document.querySelector('.more-button[aria-expanded=false]')?.click()`)
	p.until("all tabs", `() => document.querySelectorAll('#tabs button:not(.more-button)').length ===
		playground.scenes().find(({id}) => id === playground.state().scene).panels.length`)
}

// sheet chooses what a phone shows below the picture.
func (p *page) sheet(name string) {
	p.Helper()
	p.js(nil, `(name) => [...document.querySelectorAll('#phone-tabs button')]
		.find((button) => button.textContent.startsWith(name)).click()`, name)
}

// injecting runs a script in every frame before the frame's own scripts.
func injecting(script string) option {
	return func(p *page) {
		p.run(chrome.ScriptFirst(script))
	}
}

// open opens an address in a new tab of the shared browser.
func open(t testing.TB, address string, options ...option) *page {
	t.Helper()
	tab, closeTab := window(t, browser)
	return openIn(t, tab, closeTab, address, options...)
}

// openIn opens an address in the given tab, which nothing else uses.
func openIn(t testing.TB, tab *chrome.Tab, closeTab func(), address string, options ...option) *page {
	t.Helper()
	return openFor(t, endurance, tab, closeTab, address, options...)
}

// openFor is like openIn, with a time limit other than endurance.
func openFor(t testing.TB, most time.Duration, tab *chrome.Tab, closeTab func(), address string, options ...option) *page {
	t.Helper()
	p := use(t, most, tab, closeTab)
	// A service worker would answer for the server, so that one test could see the pages of another.
	p.run(chrome.BypassServiceWorker(true))
	for _, o := range options {
		o(p)
	}
	if !strings.Contains(address, "://") {
		address = site + address
	}
	p.run(chrome.Navigate(address))
	return p
}

// use returns a page in the given tab for one test, and limits the time of the page's actions. After the test it calls
// leave.
func use(t testing.TB, most time.Duration, tab *chrome.Tab, leave func()) *page {
	t.Helper()
	tab, done := tab.For(most)
	p := &page{TB: t, tab: tab}
	p.listen(p.hear)
	t.Cleanup(func() {
		p.check()
		done()
		leave()
	})
	return p
}

// newTab opens a tab in a browser that nothing else uses.
func newTab(t testing.TB, browser *chrome.Browser) (tab *chrome.Tab, closeTab func()) {
	t.Helper()
	return opened(t)(browser.Tab())
}

// window opens a window. If tests shared a window, the tab of one test would hide the pages of the others, which would
// then draw nothing.
func window(t testing.TB, browser *chrome.Browser) (tab *chrome.Tab, closeTab func()) {
	t.Helper()
	return opened(t)(browser.Window(1280, 800))
}

// apart opens a window that shares neither storage nor caches with others.
func apart(t testing.TB) (tab *chrome.Tab, closeTab func()) {
	t.Helper()
	return opened(t)(browser.Apart(1280, 800))
}

// opened skips the test if no browser is found. Otherwise it returns a function to wrap around a call that opens a tab.
// If the call fails, so does the test; if not, the function returns the tab and a function that closes the tab.
func opened(t testing.TB) func(tab *chrome.Tab, err error) (*chrome.Tab, func()) {
	if missing != "" {
		t.Skip("SKIPPED, the page is not tested: " + missing)
	}
	return func(tab *chrome.Tab, err error) (*chrome.Tab, func()) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return tab, closing(t, tab)
	}
}

// closing returns a function that closes a tab.
func closing(t testing.TB, tab *chrome.Tab) func() {
	return func() {
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	}
}

// ready opens the page and waits for its first live frame.
func ready(t testing.TB, hash string, options ...option) *page {
	t.Helper()
	p := open(t, hash, options...)
	p.js(nil, `() => playground.ready`)
	return p
}

// readyApart opens the page in a window from apart, and waits for its first live frame.
func readyApart(t testing.TB, most time.Duration, address string, options ...option) *page {
	t.Helper()
	tab, closeTab := apart(t)
	p := openFor(t, most, tab, closeTab, address, options...)
	p.js(nil, `() => playground.ready`)
	return p
}

// listen calls a function with every event of the tab.
func (p *page) listen(hear func(event any)) {
	p.Helper()
	if err := p.tab.Listen(hear); err != nil {
		p.Fatal(err)
	}
}

// hear collects the errors of the tab.
func (p *page) hear(event any) {
	switch e := event.(type) {
	case chrome.Exception:
		p.fault("exception: " + e.Text)
	case chrome.Message:
		// Go writes its panics to console.log.
		if e.Kind == "error" || e.Kind == "assert" || e.Kind == "warning" ||
			strings.Contains(e.Text, "panic:") || strings.Contains(e.Text, "fatal error:") {
			p.fault("console: " + e.Text)
		}
	case chrome.Entry:
		// The software renderer warns that it is slow.
		if e.Level == "error" || e.Level == "warning" && e.Source != "rendering" && !strings.Contains(e.Text, "GL Driver Message") {
			p.fault(fmt.Sprintf("log: %s %s %s", e.Source, e.Text, e.Address))
		}
	case chrome.Failure:
		if !e.Canceled {
			p.fault("request failed: " + e.Reason)
		}
	case chrome.Response:
		if e.Status >= 400 {
			p.fault(fmt.Sprintf("status %d: %s", e.Status, e.Address))
		}
	case chrome.Received:
		p.mu.Lock()
		p.bytes += e.Bytes
		p.mu.Unlock()
	}
}

func (p *page) fault(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, pattern := range p.expected {
		if pattern.MatchString(text) {
			return
		}
	}
	p.faults = append(p.faults, text)
}

// check fails the test if errors have been collected since the last check.
func (p *page) check() {
	p.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, text := range p.faults {
		p.Errorf("in the browser: %s", text)
	}
	p.faults = nil
}

// part runs f as a named subtest. Within f, p reports failures to the subtest.
func (p *page) part(name string, f func()) {
	p.Helper()
	whole := p.TB.(*testing.T)
	whole.Run(name, func(t *testing.T) {
		p.TB = t
		defer func() { p.TB = whole }()
		f()
		p.check()
	})
}

// follow opens another scene in the page and then the link, so that the shown state can only come from the link.
func (p *page) follow(hash string) {
	p.Helper()
	p.js(nil, `async (hash) => {
		const other = playground.scenes().find(({id}) => id !== playground.state().scene);
		await playground.open(other.id);
		await playground.load('#' + hash);
	}`, hash)
}

func (p *page) run(actions ...chrome.Action) {
	p.Helper()
	if err := p.tab.Do(actions...); err != nil {
		p.check()
		p.Fatal(err)
	}
}

// call returns the JavaScript expression that calls a function with the given arguments.
func (p *page) call(function string, args ...any) string {
	p.Helper()
	texts := make([]string, len(args))
	for i, a := range args {
		data, err := json.Marshal(a)
		if err != nil {
			p.Fatal(err)
		}
		texts[i] = string(data)
	}
	return "(" + function + ")(" + strings.Join(texts, ", ") + ")"
}

// js calls a JavaScript function in the page and waits for its promise. It decodes the value into out, unless out is
// nil.
func (p *page) js(out any, function string, args ...any) {
	p.Helper()
	if err := p.tab.Evaluate(p.call(function, args...), out); err != nil {
		p.check()
		p.Fatalf("%v\nin %s", err, function)
	}
}

// refusal returns the message of the error that a function throws or rejects with.
func (p *page) refusal(function string, args ...any) (message string) {
	p.Helper()
	p.js(&message, `async () => { try { await `+p.call(function, args...)+`; } catch (error) { return error.message; } return ''; }`)
	if message == "" {
		p.Errorf("no error was returned by %s", function)
	}
	return message
}

// patience is how long a test waits for an expected event before it fails. It is long because machines are shared, and
// passing tests do not wait so long.
const patience = time.Minute

// endurance is the time limit of a test with a page. Only a page that hangs reaches it, even on busy machines.
const endurance = 10 * time.Minute

// until waits until a JavaScript function returns true. Values may be missing while the page changes, so an error about
// a property of null or undefined counts as false. A call that got no answer because the page navigated to another
// document also counts as false.
func (p *page) until(what, function string, args ...any) {
	p.Helper()
	var answer struct {
		Holds   bool
		Missing string
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(25 * time.Millisecond) {
		question := `(async () => {
			try {
				return { holds: Boolean(await ` + p.call(function, args...) + `), missing: '' };
			} catch (error) {
				if (!(error instanceof TypeError)) throw error;
				return { holds: false, missing: error.message };
			}
		})()`
		err := p.tab.Evaluate(question, &answer)
		if chrome.Left(err) {
			continue
		}
		if err != nil {
			p.check()
			p.Fatalf("%v\nin %s", err, question)
		}
		if answer.Holds {
			return
		}
	}
	p.check()
	var seen string
	p.js(&seen, `() => {
		const { scene, iteration, latest, playing, notices } = playground.state();
		return JSON.stringify({ scene, iteration, latest, playing, notices, focus: document.activeElement.outerHTML.slice(0, 80),
			focused: document.hasFocus() });
	}`)
	if answer.Missing != "" {
		seen += "; last: " + answer.Missing
	}
	p.Fatalf("still waiting for: %s; the page is at %s", what, seen)
}

// key types a text or one of package chrome's keys into the focused element.
func (p *page) key(keys string, modifiers ...chrome.Modifier) {
	p.Helper()
	p.run(chrome.Keys(keys, modifiers...))
}

// focus gives the keyboard focus to an element of the page, after opening the groups that contain the element.
func (p *page) focus(selector string) {
	p.Helper()
	p.js(nil, `(selector) => {
		const element = document.querySelector(selector);
		for (let at = element.closest('details'); at; at = at.parentElement.closest('details')) at.open = true;
		element.focus();
		if (document.activeElement !== element) throw new Error(selector + ' does not take the focus');
	}`, selector)
}

// enter replaces the text of an input, and leaves it with Enter.
func (p *page) enter(selector, text string) {
	p.Helper()
	p.focus(selector)
	p.js(nil, `(selector) => document.querySelector(selector).select()`, selector)
	p.key(text + chrome.Enter)
}

// click clicks the middle of an element with the mouse.
func (p *page) click(selector string) {
	p.Helper()
	p.js(nil, `(selector) => document.querySelector(selector).scrollIntoView({block: 'center', inline: 'center',
		behavior: 'instant'})`, selector)
	at := p.middle(selector)
	p.run(chrome.Click(at.X, at.Y))
}

type point struct{ X, Y float64 }

// middle returns the position of an element's middle in the window.
func (p *page) middle(selector string) (at point) {
	p.Helper()
	p.js(&at, `(selector) => {
		const box = document.querySelector(selector).getBoundingClientRect();
		if (box.width === 0) throw new Error(selector + ' is not shown');
		return {X: box.x + box.width / 2, Y: box.y + box.height / 2};
	}`, selector)
	return at
}

// handle scrolls to a handle of the picture, and returns its position in the window.
func (p *page) handle(id string) (at point) {
	p.Helper()
	p.still()
	p.js(&at, `(id) => {
		const frame = document.getElementById('stage');
		const handles = frame.contentWindow.stage.callNow('handles');
		const found = handles.find((h) => h.id === id);
		if (!found) throw new Error('no handle ' + id + ' among ' + handles.map((h) => h.id));
		const box = frame.getBoundingClientRect();
		return {X: box.x + found.x, Y: box.y + found.y};
	}`, id)
	return at
}

// front brings a panel to the front, because a panel has handles only there, and waits until the panel is drawn.
func (p *page) front(panel string) {
	p.Helper()
	p.js(nil, `(panel) => playground.hero(panel)`, panel)
	p.until("the panel "+panel+" in front", `async (panel) => {
		for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
		return playground.state().hero === panel;
	}`, panel)
}

func (p *page) mouse(kind chrome.Movement, at point) {
	p.Helper()
	p.run(chrome.Mouse(kind, at.X, at.Y))
}

func (p *page) touch(kind chrome.Movement, points ...point) {
	p.Helper()
	places := make([][2]float64, len(points))
	for i, at := range points {
		places[i] = [2]float64{at.X, at.Y}
	}
	p.run(chrome.Fingers(kind, places...))
}

// numbers holds numbers of a run. In JSON, they are one number, a list, or the concatenated lists of several solutions.
type numbers []float64

// UnmarshalJSON decodes a number, or a list that may contain lists. It decodes null as an empty list.
func (n *numbers) UnmarshalJSON(data []byte) error {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	*n = nil
	var read func(value any) error
	read = func(value any) error {
		switch value := value.(type) {
		case float64:
			*n = append(*n, value)
		case []any:
			for _, v := range value {
				if err := read(v); err != nil {
					return err
				}
			}
		case nil:
		default:
			return fmt.Errorf("%v is not a number", value)
		}
		return nil
	}
	return read(value)
}

// run is one run of a state.
type run struct {
	Name         string  `json:"name"`
	Method       string  `json:"method"`
	Status       string  `json:"status"`
	K            int     `json:"k"`
	Start        numbers `json:"start"`
	X            numbers `json:"x"`
	F            numbers `json:"f"`
	Weights      numbers `json:"weights"`
	Stationarity numbers `json:"stationarity"`
	BP           int     `json:"bp"`
}

// state holds the fields of the result of playground.state() that tests use.
type state struct {
	Scene     string         `json:"scene"`
	Params    map[string]any `json:"params"`
	Iteration int            `json:"iteration"`
	Latest    int            `json:"latest"`
	Status    string         `json:"status"`
	Playing   bool           `json:"playing"`
	Hash      string         `json:"hash"`
	Hero      string         `json:"hero"`
	Log       []struct {
		K     int     `json:"k"`
		Name  string  `json:"name"`
		Value float64 `json:"value"`
	} `json:"log"`
	Runs []run `json:"runs"`
}

func (p *page) state() (s state) {
	p.Helper()
	p.js(&s, `() => playground.state()`)
	return s
}

// noticed waits for a visible notice that contains the text.
func (p *page) noticed(text string) {
	p.Helper()
	p.until("a notice with "+text, `(text) => [...document.querySelectorAll('#notices .notice')].some((n) => n.checkVisibility() &&
		n.textContent.includes(text))`, text)
}

// dismiss removes all notices, as a visitor does.
func (p *page) dismiss() {
	p.Helper()
	p.js(nil, `() => document.querySelectorAll('#notices button').forEach((b) => b.click())`)
}

// picture returns a screenshot of an element.
func (p *page) picture(selector string) image.Image {
	p.Helper()
	var data []byte
	p.run(chrome.PictureOf(selector, &data))
	img, err := decodePNG(data)
	if err != nil {
		p.Fatal(err)
	}
	return img
}

func decodePNG(data []byte) (image.Image, error) { return png.Decode(bytes.NewReader(data)) }

// fingerprint returns different texts for different pictures.
func fingerprint(img image.Image) string {
	sum := sha256.Sum256(pixels(img))
	return string(sum[:])
}

// pixels returns four bytes for each dot of a picture, row by row.
func pixels(img image.Image) []uint8 {
	out := image.NewRGBA(img.Bounds())
	draw.Draw(out, out.Bounds(), img, img.Bounds().Min, draw.Src)
	return out.Pix
}

// drawn waits until the picture shows the current model. The picture does so once the program has drawn nothing for two
// frames of the display.
func (p *page) drawn() {
	p.Helper()
	p.until("a picture at rest", `async () => {
		const {stage} = document.getElementById('stage').contentWindow;
		const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
		const before = stage.probe().draws;
		for (let i = 0; i < 4; i++) await frame();
		const { draws, due } = stage.probe();
		return draws === before && !due;
	}`)
}

// colours returns the number of different colours in a picture.
func colours(img image.Image) int {
	seen := map[[3]uint8]bool{}
	var last [3]uint8 // dots mostly look like the ones before them
	for dot := range slices.Chunk(pixels(img), 4) {
		if colour := [3]uint8(dot); colour != last || len(seen) == 0 {
			seen[colour] = true
			last = colour
		}
	}
	return len(seen)
}

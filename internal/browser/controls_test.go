package browser

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image/gif"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// descriptor is a parameter as playground.params() lists it.
type descriptor struct {
	Name, Type string
	Min, Max   float64
	Scale      string
	Options    []struct{ Value, Disabled string }
	AtLeast    int
	Value      any
	Only       *struct { // the parameter applies only with these values of another parameter
		Name   string
		Values []string
	}
}

// changed waits until a parameter differs from before, and returns its value.
func (p *page) changed(name string, before any) any {
	p.Helper()
	p.until(name+" changed", `(name, before) => JSON.stringify(playground.state().params[name]) !== JSON.stringify(before)`, name, before)
	return p.state().Params[name]
}

// TestEveryControl: a visitor can operate the control of every parameter with the keyboard.
func TestEveryControl(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	const everyMethod = `() => {
		const method = playground.params().find((d) => d.name === 'method');
		return playground.set('method', method.options.map((o) => o.value));
	}`
	p.js(nil, `() => playground.set('starts', 1)`)
	p.js(nil, everyMethod)
	var params []descriptor
	p.js(&params, `() => playground.params()`)
	if len(params) < 15 {
		t.Fatalf("there are only %d parameters", len(params))
	}
	for _, d := range params {
		p.part(d.Name, func() {
			control := fmt.Sprintf(`[data-param="%s"]`, d.Name)
			if d.Name == "speed" {
				control = ".speed"
			}
			if d.Only != nil {
				p.js(nil, `(name, value) => playground.set(name, value)`, d.Only.Name, d.Only.Values[0])
				if d.Type == "points" { // shown once a point has been moved
					p.js(nil, `(name) => playground.set(name, [[0.5, -0.5]])`, d.Name)
				}
				p.until(d.Name+" shown", `(selector) => document.querySelector(selector).offsetParent !== null`, control)
			}
			if strings.HasPrefix(d.Name, "curtain") { // the curtain divides a swarm
				p.js(nil, `() => playground.set('swarm', 100)`)
				defer p.js(nil, `() => playground.set('swarm', 0)`)
				if d.Name == "curtainat" {
					p.js(nil, `() => playground.set('curtain', 'mgda')`)
				}
			}
			if d.Name == "starts" { // the maximum takes long to draw with every method
				p.js(nil, `() => playground.set('method', ['psmgd'])`)
				defer p.js(nil, everyMethod)
			}
			before := p.state().Params[d.Name]
			switch d.Type {
			case "number", "integer":
				p.focus(control + ` input[type=range]`)
				key := chrome.ArrowRight
				if before == d.Max {
					key = chrome.ArrowLeft
				}
				p.key(key)
				slid := p.changed(d.Name, before)

				value := d.Min + 0.25*(d.Max-d.Min)
				if d.Type == "integer" {
					value = float64(int(value))
				}
				p.enter(control+` input[type=number]`, fmt.Sprint(value))
				if typed := p.changed(d.Name, slid); typed != value {
					p.Errorf("%g was typed, but %v is set", value, typed)
				}
				p.dismiss()
				p.enter(control+` input[type=number]`, fmt.Sprint(2*d.Max+1))
				if clamped := p.changed(d.Name, value); clamped != d.Max {
					p.Errorf("%g was typed, but %v is set, not %g", 2*d.Max+1, clamped, d.Max)
				}
				p.until("it is shown as it is set", `(selector, value) => document.querySelector(selector).valueAsNumber === value`,
					control+` input[type=number]`, d.Max)
				p.noticed(fmt.Sprint(d.Max))
				p.js(nil, `(name, value) => playground.set(name, value)`, d.Name, before)
			case "choice":
				var radio bool
				p.js(&radio, `(selector) => document.querySelector(selector + ' select') === null`, control)
				if radio {
					p.focus(control + ` input:checked`)
					p.key(chrome.ArrowRight)
				} else {
					p.focus(control + ` select`)
					var later bool
					p.js(&later, `(selector) => {
						const select = document.querySelector(selector + ' select');
						return [...select.options].slice(select.selectedIndex + 1).some((o) => !o.disabled);
					}`, control)
					key := chrome.ArrowUp
					if later {
						key = chrome.ArrowDown
					}
					p.key(key)
				}
				p.changed(d.Name, before)
				p.js(nil, `(name, value) => playground.set(name, value)`, d.Name, before)
			case "set":
				for _, o := range d.Options {
					if o.Disabled != "" {
						continue
					}
					p.focus(fmt.Sprintf(`%s input[value="%s"]`, control, o.Value))
					p.key(" ")
					without := p.changed(d.Name, before)
					if slices.Contains(without.([]any), any(o.Value)) {
						p.Errorf("%s was switched off, but is on: %v", o.Value, without)
					}
					p.key(" ")
					if again := p.changed(d.Name, without); !reflect.DeepEqual(again, before) {
						p.Errorf("%s was switched off and on: %v, before %v", o.Value, again, before)
					}
				}
			case "bool":
				p.focus(control + ` input`)
				p.key(" ")
				p.changed(d.Name, before)
			case "seed":
				p.enter(control+` input`, "12")
				if v := p.changed(d.Name, before); v != 12.0 {
					p.Errorf("12 was typed, but %v is set", v)
				}
				p.focus(control + ` button:not(.help)`)
				p.key(" ")
				p.changed(d.Name, 12)
			case "points":
				p.js(nil, `(name) => playground.set(name, [[0.5, -0.5]])`, d.Name)
				p.until("the way back from moved points", `(selector) => !document.querySelector(selector).hidden`, control)
				moved := p.state().Params[d.Name]
				p.focus(control + ` button:not(.help)`)
				p.key(" ")
				p.changed(d.Name, moved)
			default:
				p.Errorf("no test for a control of type %s", d.Type)
			}
		})
	}
}

// TestWaitingChoicesStay: the page may be redrawn before the scene has applied a visitor's choice. The control keeps
// the choice, so that the next choice in the same control adds to the first.
func TestWaitingChoicesStay(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	const methods = `['psmgd', 'mgda', 'ls', 'pcgrad']`
	p.js(nil, `() => playground.set('method', `+methods+`)`)
	p.focus(`[data-param="method"] input[value="psmgd"]`) // opens the group of the methods
	p.js(nil, `() => playground.seek(2000)`)              // each choice recomputes the runs up to this iteration
	var stayed bool
	p.js(&stayed, `async () => {
		const box = (value) => document.querySelector('[data-param="method"] input[value="' + value + '"]');
		const without = async (value) => {
			while (playground.state().params.method.includes(value)) await new Promise((done) => setTimeout(done));
		};
		box('mgda').click();
		await without('mgda');
		box('ls').click(); // waits for the first choice
		await without('ls');
		const stayed = !box('ls').checked;
		box('pcgrad').click();
		return stayed;
	}`)
	if !stayed {
		t.Error("the second choice was shown as before it")
	}
	p.until("all choices set", `() => playground.state().params.method.join() === 'psmgd'`)
}

// TestOneMethodStays: the last method cannot be switched off, and the page says so.
func TestOneMethodStays(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.focus(`[data-param="method"] input[value="psmgd"]`)
	p.key(" ")
	p.until("a word about it", `() => document.querySelector('#notices .notice')`)
	p.until("the method still on", `() => document.querySelector('[data-param="method"] input[value="psmgd"]').checked`)
	if methods := p.state().Params["method"]; !reflect.DeepEqual(methods, []any{"psmgd"}) {
		t.Errorf("methods %v", methods)
	}
	// A visitor cannot operate the controls for the parameters of a method that is off.
	var off bool
	p.js(&off, `() => document.querySelector('[data-param="crmogm.momentum"]').disabled`)
	if !off {
		t.Error("the parameter of a method that is off can be operated")
	}
}

func TestPresets(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	var presets []struct {
		ID, Text string
		Values   map[string]string
	}
	p.js(&presets, `() => playground.scenes()[0].presets`)
	if len(presets) == 0 {
		t.Fatal("no presets")
	}
	for i, preset := range presets {
		p.part(preset.ID, func() {
			p.click(fmt.Sprintf("#experiments li:nth-child(%d) button", i+1))
			p.until(preset.ID+" pressed and its text shown", `(i, text) => document.querySelectorAll('#experiments button')[i].ariaPressed === 'true'
				&& document.querySelector('#introduction').textContent.includes(text)`, i, preset.Text)
			p.until(preset.ID+" plays", `() => playground.state().latest > 1`)
			params := p.state().Params
			for name, text := range preset.Values {
				value := fmt.Sprint(params[name])
				if list, ok := params[name].([]any); ok {
					value = strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
				}
				if value != text {
					p.Errorf("%s is %s, not %s", name, value, text)
				}
			}
		})
	}
}

// TestTabs: a phone shows one panel at a time, which a visitor selects by its tab.
func TestTabs(t *testing.T) {
	t.Parallel()
	p := handset.shows(t, resting)
	p.allTabs()
	var count int
	p.js(&count, `() => document.querySelectorAll('#tabs button:not(.more-button)').length`)
	if count != 4 {
		t.Fatalf("%d tabs", count)
	}
	seen := map[string]bool{}
	for i := range count {
		p.click(fmt.Sprintf("#tabs button:nth-child(%d)", i+1))
		p.until("the tab pressed", `(i) => document.querySelectorAll('#tabs button')[i].ariaPressed === 'true'`, i)
		p.until("one separate panel", `(i) => playground.state().hero === playground.scenes()[0].panels[i].id`, i)
		p.drawn()
		img := p.picture("#stage")
		if n := colours(img); n < 20 {
			t.Errorf("tab %d: only %d colours", i, n)
		}
		seen[fingerprint(img)] = true
	}
	if len(seen) != count {
		t.Errorf("%d tabs show %d different pictures", count, len(seen))
	}
}

func TestTheme(t *testing.T) {
	t.Parallel()
	p := readyApart(t, endurance, resting) // the page remembers the choice
	brightness := func() (page, picture uint32) {
		p.drawn()
		shot := p.picture("body")
		page, _, _, _ = shot.At(shot.Bounds().Max.X-3, shot.Bounds().Min.Y+3).RGBA()
		stage := p.picture("#stage")
		picture, _, _, _ = stage.At(stage.Bounds().Min.X+2, stage.Bounds().Min.Y+2).RGBA()
		return page >> 8, picture >> 8
	}
	if page, picture := brightness(); page < 200 || picture < 200 {
		t.Errorf("light: the page is %d bright and the picture %d", page, picture)
	}
	p.focus("#theme")
	p.key(chrome.End) // dark is the last choice
	p.until("dark chosen", `() => document.documentElement.dataset.theme === 'dark'`)
	p.until("a dark picture", `() => document.getElementById('stage').contentDocument.body.classList.contains('dark')`)
	if page, picture := brightness(); page > 80 || picture > 80 {
		t.Errorf("dark: the page is %d bright and the picture %d", page, picture)
	}
	p.key(chrome.Home) // the system's choice
	p.until("the system's", `() => !document.documentElement.dataset.theme`)
	p.run(chrome.Prefer(chrome.Feature{Name: "prefers-color-scheme", Value: "dark"}))
	p.until("a dark picture with the system", `() => document.getElementById('stage').contentDocument.body.classList.contains('dark')`)
}

func TestHelp(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	var notes int
	p.js(&notes, `() => document.querySelectorAll('#controls .help').length`)
	if notes < 15 {
		t.Errorf("%d parameters have help", notes)
	}
	p.click(`[data-param="R"] .help`)
	p.until("the note about R in the window", `() => {
		const note = document.getElementById('param-R-help');
		const box = note.getBoundingClientRect();
		return note.matches(':popover-open') && box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight &&
			note.textContent.includes('Algorithm 1');
	}`)
	p.key(chrome.Escape)
	p.until("the note gone", `() => !document.getElementById('param-R-help').matches(':popover-open')`)

	p.js(nil, `() => document.activeElement.blur()`)
	p.key("?")
	p.until("the help", `() => document.getElementById('help-dialog').open`)
	var text string
	p.js(&text, `() => document.getElementById('help-dialog').textContent`)
	for _, part := range []string{"Space", "λ̂", "Désidéri", "Algorithm 1"} {
		if !strings.Contains(text, part) {
			t.Errorf("the help does not mention %q", part)
		}
	}
	before := p.state()
	p.key("s")
	p.key(chrome.Escape)
	p.until("the help gone", `() => !document.getElementById('help-dialog').open`)
	if after := p.state(); after.Latest != before.Latest {
		t.Error("keys act on the runs while the help is open")
	}
}

// TestExport: files of every kind are complete, whether a script or the dialog exports them.
func TestExport(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, resting)
	p.js(nil, `() => playground.step(5)`)
	export := func(kind, panel string) (data []byte, mime string) {
		p.Helper()
		var file struct {
			Name, Type, Blob string
			Data             []byte
		}
		p.js(&file, `async (kind, panel) => {
			const {name, type, blob} = await playground.export(kind, {panel});
			const bytes = new Uint8Array(await blob.arrayBuffer());
			let text = '';
			for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
			return {Name: name, Type: type, Blob: blob.type, Data: btoa(text)};
		}`, kind, panel)
		if !strings.HasSuffix(file.Name, "."+kind) || file.Type != file.Blob {
			p.Errorf("%s: name %q, type %q, blob %q", kind, file.Name, file.Type, file.Blob)
		}
		return file.Data, file.Type
	}
	for _, panel := range []string{"", "decision"} {
		p.part("png "+panel, func() {
			data, _ := export("png", panel)
			checkPNG(p, data, panel != "")
		})
		p.part("svg "+panel, func() {
			data, _ := export("svg", panel)
			if root, err := parseXML(data); err != nil || root != "svg" {
				p.Errorf("root %q, %v", root, err)
			}
		})
		p.part("pdf "+panel, func() {
			data, _ := export("pdf", panel)
			if !strings.HasPrefix(string(data), "%PDF-1.") || !strings.HasSuffix(strings.TrimSpace(string(data)), "%%EOF") {
				p.Errorf("it begins %q and ends %q", data[:8], data[len(data)-8:])
			}
		})
	}
	p.part("csv", func() {
		data, _ := export("csv", "")
		rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
		head := []string{"run", "method", "k", "solution", "x1", "x2", "f1", "f2", "weight1", "weight2", "stationarity", "bp"}
		if err != nil || !slices.Equal(rows[0], head) || len(rows) != 1+10*6 {
			p.Errorf("%d lines, head %v, %v", len(rows), rows[0], err)
		}
	})
	p.part("json", func() {
		data, _ := export("json", "")
		var record struct {
			Scene string
			Runs  []struct{ Iterates []struct{ K int } }
		}
		err := json.Unmarshal(data, &record)
		if err != nil || record.Scene != "fonseca" || len(record.Runs) != 10 || len(record.Runs[9].Iterates) != 6 {
			p.Errorf("%v, scene %q, %d runs", err, record.Scene, len(record.Runs))
		}
	})
	p.part("gif", func() {
		data, _ := export("gif", "")
		if film, err := gif.DecodeAll(bytes.NewReader(data)); err != nil || len(film.Image) != 6 {
			p.Errorf("the clip: %v", err)
		}
	})
	p.part("webm", func() {
		data, _ := export("webm", "")
		if !bytes.HasPrefix(data, []byte{0x1a, 0x45, 0xdf, 0xa3}) || len(data) < 1000 {
			p.Errorf("the film has %d bytes and begins % x", len(data), data[:min(len(data), 4)])
		}
		if k := p.state().Iteration; k != 5 {
			p.Errorf("after recording, the marker is at %d", k)
		}
	})
	p.part("programs", func() {
		var programs []string
		p.js(&programs, `() => Promise.all(['go', 'python'].map(async (kind) =>
			(await playground.export(kind, {method: 'psmgd'})).blob.text()))`)
		if !strings.Contains(programs[0], "for range 5 {") || !strings.Contains(programs[1], "STEPS, ETA, STARTS = 5, 0.3") {
			p.Errorf("the programs are %.300q", programs)
		}
	})
	p.part("a width on paper", func() {
		var svg string
		p.js(&svg, `async () => (await playground.export('svg', {panel: 'decision', width: '85mm'})).blob.text()`)
		if !strings.Contains(svg, `width="240.945pt"`) {
			p.Errorf("the figure begins %.200q", svg)
		}
		p.refusal(`() => playground.export('svg', {width: '86mm'})`)
		p.refusal(`() => playground.export('python', {method: 'famo'})`)
	})
	for _, wrong := range [][2]string{{"bmp", ""}, {"png", "no-panel"}} {
		p.refusal(`(kind, panel) => playground.export(kind, {panel})`, wrong[0], wrong[1])
	}
}

// TestExportLoads: the first exported picture loads the program that creates pictures, and later ones reuse it. If the
// program cannot be loaded, the page says so and keeps working, and the next export tries to load the program again.
func TestExportLoads(t *testing.T) {
	t.Parallel()
	p := ready(t, resting, expecting(`404`))
	p.js(nil, `() => playground.step(5)`)
	var why string
	p.js(&why, `async () => {
		const inner = document.getElementById('stage').contentWindow;
		const { Worker } = inner;
		inner.Worker = class extends Worker { constructor(url, options) { super(new URL('missing.js', url), options); } };
		const said = await playground.export('svg').then(() => '', ({ message }) => message);
		inner.Worker = Worker;
		return said;
	}`)
	if !strings.Contains(why, "could not start") || p.state().Iteration != 5 {
		t.Errorf("without the program the page says %q, at iteration %d", why, p.state().Iteration)
	}
	export := func() (millis float64) {
		p.Helper()
		p.js(&millis, `async () => { const begun = performance.now(); await playground.export('svg'); return performance.now() - begun; }`)
		return millis
	}
	first := export()
	second := export()
	t.Logf("the first picture takes %.0f ms, the next %.0f", first, second)
	if second > first/2 {
		t.Errorf("the first picture takes %.0f ms and the next %.0f", first, second)
	}
}

// checkPNG checks that an exported picture has two dots per CSS pixel. If one is true, the picture shows a single panel.
func checkPNG(t testing.TB, data []byte, one bool) {
	t.Helper()
	width, height := 2560, 1760
	if one {
		width, height = 1280, 880
	}
	img, err := decodePNG(data)
	if err != nil {
		t.Error(err)
		return
	}
	if size := img.Bounds().Size(); size.X != width || size.Y != height {
		t.Errorf("the PNG has %v pixels, not %d×%d", size, width, height)
	}
	if n := colours(img); n < 50 {
		t.Errorf("the PNG has %d colours", n)
	}
}

// parseXML parses a document to its end, and returns the name of its root.
func parseXML(data []byte) (root string, err error) {
	in := xml.NewDecoder(strings.NewReader(string(data)))
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return root, nil
		}
		if err != nil {
			return root, err
		}
		if start, ok := token.(xml.StartElement); ok && root == "" {
			root = start.Name.Local
		}
	}
}

// TestExportDialog: the dialog saves the chosen file as a download.
func TestExportDialog(t *testing.T) {
	t.Parallel()
	p := ready(t, resting, injecting(`
		window.saved = [];
		HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href.split(':')[0]]); };`))
	p.click("#export")
	p.until("the dialog", `() => document.getElementById('export-dialog').open`)
	p.click(`#export-dialog input[value=svg]`)
	// The visitor sees a first frame after the click, before the file is created.
	p.js(nil, `() => {
		const save = document.querySelector('#export-dialog button[type=submit]');
		const {stage} = document.getElementById('stage').contentWindow;
		const {exportFile} = stage;
		save.addEventListener('click', () => requestAnimationFrame(() => { window.framed = save.textContent; }));
		stage.exportFile = (...args) => { window.seen = [save.textContent, save.disabled, window.framed];
			return exportFile.call(stage, ...args); };
	}`)
	p.click(`#export-dialog button[type=submit]`)
	p.until("it closed", `() => !document.getElementById('export-dialog').open`)
	p.until("a busy button drawn before the file is made", `() =>
		JSON.stringify(window.seen) === '["Creating the file…",true,"Creating the file…"]'`)
	p.until("the button as it was", `() => { const save = document.querySelector('#export-dialog button[type=submit]');
		return !save.disabled && save.textContent === 'Save'; }`)
	var saved [][]string
	p.js(&saved, `() => saved`)
	if len(saved) != 1 || !strings.HasSuffix(saved[0][0], ".svg") || saved[0][1] != "blob" {
		t.Errorf("saved %v", saved)
	}
}

// TestExportChoices: the dialog shows the options of each kind, says for which methods it can write a program and where
// to find programs for others, and can cancel a clip.
func TestExportChoices(t *testing.T) {
	t.Parallel()
	p := ready(t, "#v=1&scene=toy&method=cagrad,moco&latest=3000&k=3000", injecting(`
		window.saved = [];
		HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };`))
	p.click("#export")
	p.until("the dialog", `() => document.getElementById('export-dialog').open`)
	choose := func(kind string) (shown []string, note string, can bool) {
		p.Helper()
		p.click(`#export-dialog input[value=` + kind + `]`)
		p.js(&shown, `() => [...document.querySelectorAll('#export-dialog .field')].filter((f) => f.offsetHeight > 0)
			.map((f) => f.querySelector('select').id)`)
		p.js(&note, `() => document.getElementById('export-note').textContent`)
		p.js(&can, `() => !document.querySelector('#export-dialog button[type=submit]').disabled`)
		return shown, note, can
	}
	if shown, _, can := choose("svg"); !slices.Equal(shown, []string{"export-panel", "export-width"}) || !can {
		t.Errorf("svg shows %v", shown)
	}
	if shown, _, _ := choose("csv"); len(shown) != 0 {
		t.Errorf("csv shows %v", shown)
	}
	shown, note, can := choose("python")
	var methods []string
	p.js(&methods, `() => [...document.getElementById('export-method').options].map((o) => o.textContent)`)
	if !slices.Equal(shown, []string{"export-method"}) || !can || note != "" ||
		!slices.Equal(methods, []string{"CAGrad ✓", "MoCo: no program"}) {
		t.Errorf("python shows %v, %q, %v", shown, note, methods)
	}
	p.js(nil, `() => { const m = document.getElementById('export-method'); m.value = 'moco'; m.dispatchEvent(new Event('change')); }`)
	if _, note, can := choose("python"); can || !strings.Contains(note, "; LibMTL’s repository (not its package) has this method") {
		t.Errorf("MoCo in Python: %q", note)
	}
	if _, note, can := choose("go"); !can || note != "" {
		t.Errorf("MoCo in Go: %q", note)
	}
	p.click(`#export-dialog button[type=submit]`)
	p.until("the program", `() => saved.length === 1 && saved[0] === 'toy-moco.go'`)
	p.click("#export")
	choose("gif")
	p.click(`#export-dialog button[type=submit]`)
	p.until("the clip begins", `() => /clip: \d/.test(document.querySelector('#export-dialog button[type=submit]').textContent)`)
	p.js(nil, `() => [...document.querySelectorAll('#export-dialog button')].find((b) => b.textContent === 'Cancel').click()`)
	p.until("it is stopped", `() => document.querySelector('#export-dialog .failure-text').textContent === 'Nothing was saved: stopped'
		&& document.querySelector('#export-dialog button[type=submit]').textContent === 'Save'`)
	choose("svg")
	p.click(`#export-dialog button[type=submit]`)
	p.until("a picture after it", `() => saved.length === 2 && saved[1].endsWith('.svg')`)
}

// TestWidths: at every width and in both themes, the page has no horizontal scroll bar.
func TestWidths(t *testing.T) {
	t.Parallel()
	p := readyApart(t, endurance, resting, size(320, 700)) // the page remembers the themes
	p.js(nil, `() => document.querySelectorAll('details').forEach((d) => { d.open = true; })`)
	for _, theme := range []string{"light", "dark"} {
		p.part(theme, func() {
			p.js(nil, `(theme) => { const s = document.getElementById('theme'); s.value = theme; s.dispatchEvent(new Event('change')); }`, theme)
			for _, width := range []int64{320, 360, 699, 700, 1024, 1199, 1200, 1920} {
				p.run(chrome.Resize(chrome.Screen{Width: width, Height: 700}))
				var document float64
				p.js(&document, `() => new Promise((resolve) => requestAnimationFrame(() => resolve(document.documentElement.scrollWidth)))`)
				if document > float64(width) {
					p.Errorf("the page is %g wide in a window of %d", document, width)
				}
			}
		})
	}
}

// TestReducedMotion: visitors who prefer reduced motion see the finished runs.
func TestReducedMotion(t *testing.T) {
	t.Parallel()
	p := open(t, "#v=1&scene=fonseca", still())
	p.js(nil, `() => playground.ready`)
	p.until("the finished runs", `() => playground.state().status === 'budget'`)
	if s := p.state(); s.Playing || s.Iteration != 200 {
		t.Errorf("playing %t at iteration %d", s.Playing, s.Iteration)
	}
}

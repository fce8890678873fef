package browser

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

const runLog = "#v=1&scene=log"

// shippedLog returns the path of a log included in the page.
func shippedLog(name string) string {
	return filepath.Join("..", "..", "algo", "runlog", "digits", "digits-"+name+".npz")
}

// judged waits for a verdict whose sentence on pairs contains the text.
func (p *page) judged(text string) {
	p.Helper()
	p.until("a verdict with "+text, `(text) => {
		const said = document.querySelector('#verdict:not([hidden]) [data-sentence=pairs]')?.innerText.replaceAll('\u00a0', ' ');
		return said?.includes(text) && !playground.state().needs;
	}`, text)
}

// light waits until the picture highlights only the given panel, or none if panel is "". If the panel is not shown, its
// name must be highlighted instead.
func (p *page) light(panel string) {
	p.Helper()
	p.until("light on the panel "+panel, `(panel) => {
		const frame = document.getElementById('stage').contentDocument.getElementById('lit');
		const shown = document.getElementById('stage').contentWindow.stage.callNow('shown');
		const names = [...document.querySelectorAll('.lit')].map((name) => name.dataset.names);
		const waits = names.some((of) => of.split(' ').includes(panel));
		if (panel === '') return frame.hidden && names.length === 0;
		if (!shown.includes(panel)) return frame.hidden && waits;
		return !frame.hidden && frame.dataset.panel === panel;
	}`, panel)
}

// TestLogVerdict: the page fetches an included log. The log's verdict is beside the picture, and each sentence
// highlights the panel that it is about.
func TestLogVerdict(t *testing.T) {
	t.Parallel()
	p := ready(t, runLog, size(1440, 900))
	p.judged("55 % on single batches")
	var ids string
	p.js(&ids, `() => [...document.querySelectorAll('#verdict li')].map((li) => li.dataset.sentence).join(' ')`)
	if ids != "advice pairs sum promise age units fixed trade end limits" {
		t.Errorf("the sentences are %s", ids)
	}
	var beside bool
	p.js(&beside, `() => {
		const [words, picture] = ['verdict', 'stage'].map((id) => document.getElementById(id).getBoundingClientRect());
		return words.left >= picture.right - 1 && words.top < picture.bottom && words.right <= innerWidth;
	}`)
	if !beside {
		t.Error("the verdict is not beside the picture")
	}
	const sentence = `#verdict [data-sentence=%]`
	of := func(id string) string { return strings.Replace(sentence, "%", id, 1) }
	p.light("")
	p.part("pointer", func() {
		for id, panel := range map[string]string{"sum": "hurt", "age": "age", "end": "lengths"} {
			p.js(nil, `(selector) => document.querySelector(selector).scrollIntoView({block: 'center', behavior: 'instant'})`, of(id))
			at := p.middle(of(id) + " p")
			p.run(chrome.Hover(at.X, at.Y))
			p.light(panel)
			p.run(chrome.Hover(700, 20))
			p.light("")
		}
	})
	p.part("keyboard", func() {
		p.focus(of("age") + " button")
		p.light("age")
		p.key(chrome.TabKey) // to the sentence "units", whose panel does not fit into the picture
		p.light("lengths")
		var ring []string
		p.js(&ring, `() => { const style = getComputedStyle(document.getElementById('more').querySelector('button'));
			return [style.outlineStyle, style.outlineWidth]; }`)
		if strings.Join(ring, " ") != "solid 3px" {
			t.Errorf("the button for more panels has an outline %q", ring)
		}
	})
	p.part("click", func() {
		p.key(chrome.Enter)
		p.until("the panel in front", `() => playground.state().hero === 'lengths' &&
			document.querySelector('#verdict [data-sentence=units] button').getAttribute('aria-pressed') === 'true'`)
		p.light("lengths")
		var kept bool
		p.js(&kept, `() => document.activeElement === document.querySelector('#verdict [data-sentence=units] button')`)
		if !kept {
			t.Error("the button lost the focus")
		}
		p.click(of("pairs") + " button")
		p.until("the first panel in front", `() => playground.state().hero === 'conflict'`)
	})
	p.part("theme", func() {
		seen := map[string]bool{}
		for _, theme := range []string{"light", "dark"} {
			p.js(nil, `(theme) => { const s = document.getElementById('theme'); s.value = theme; s.dispatchEvent(new Event('change')); }`, theme)
			p.focus(of("sum") + " button")
			p.light("hurt")
			var edge string
			p.js(&edge, `() => { const frame = document.getElementById('stage').contentDocument.getElementById('lit');
				const style = getComputedStyle(frame);
				const box = frame.getBoundingClientRect();
				return box.width > 100 && box.height > 80 && style.outlineStyle === 'solid' ? style.outlineColor + style.borderColor : ''; }`)
			seen[edge] = true
		}
		if len(seen) != 2 || seen[""] {
			t.Errorf("the frame looks like %v", seen)
		}
	})
}

// TestLogFiles: a visitor chooses a log with the file input or drops it on the page. The page refuses a broken log with
// a reason, and keeps the earlier one.
func TestLogFiles(t *testing.T) {
	t.Parallel()
	p := ready(t, runLog, size(1440, 900))
	p.judged("55 % on single batches")
	folder := t.TempDir()
	whole, err := os.ReadFile(shippedLog("units"))
	if err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(folder, "broken.npz")
	if err := os.WriteFile(broken, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	choose := func(file string) {
		p.Helper()
		full, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		p.click("#paste")
		p.run(chrome.Files("#paste-file", full))
		p.click(`#paste-dialog [type=submit]`)
	}
	choose(shippedLog("two"))
	p.judged("49 % on single batches")
	p.until("the data in the address", `() => { const { data, params } = playground.state();
		return data.held && data.rows === 400 && params.source === 'data' && location.hash.includes('data=' + data.sha256); }`)
	choose(broken)
	p.until("a refusal", `() => document.querySelector('#paste-dialog .failure-text').textContent.includes('cut off')`)
	p.judged("49 % on single batches")
	p.key(chrome.Escape)
	p.until("the dialog closed", `() => !document.getElementById('paste-dialog').open`)
	drop := func(bytes []byte) {
		p.Helper()
		p.js(nil, `(base64) => {
			const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
			const dataTransfer = new DataTransfer();
			dataTransfer.items.add(new File([bytes], 'run.npz'));
			for (const type of ['dragenter', 'dragover', 'drop']) {
				document.getElementById('centre').dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
			}
		}`, bytes) // Go writes bytes in base64
	}
	drop(whole)
	p.judged("72 % of all pairs of gradients conflict if averaged over 50 records, 55 % on single batches")
	p.until("the dialog closed", `() => !document.getElementById('paste-dialog').open`)
	drop(whole[:100])
	p.until("a refusal of what was dropped", `() => document.body.innerText.includes('cut off')`)
	p.judged("72 % of all pairs of gradients conflict if averaged")
}

// TestLogOfTrackers: files and folders of trackers can be chosen or dropped. All bytes of the trackers' files arrive,
// and other files in the folders are omitted. If the order of the losses is lost, the page asks for it.
func TestLogOfTrackers(t *testing.T) {
	t.Parallel()
	const trackers = "../../algo/runlog/testdata/trackers/"
	p := ready(t, runLog, size(1440, 900))
	p.judged("55 % on single batches")
	full := func(name string) string {
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	choose := func(input, path, order string) {
		p.Helper()
		p.click("#paste")
		p.run(chrome.Files(input, full(path)))
		p.js(nil, `(order) => { document.getElementById('paste-part').value = order; }`, order)
		p.click(`#paste-dialog [type=submit]`)
	}
	shown := func(about string) {
		p.Helper()
		p.until("a log of "+about, `(about) => playground.state().data?.about === about && !document.getElementById('paste-dialog').open`, about)
	}
	refused := func(text string) {
		p.Helper()
		p.until("a refusal with "+text, `(text) => document.querySelector('#paste-dialog .failure-text').textContent.includes(text)`, text)
	}
	var at []float64
	p.js(&at, `() => { const { x, y, width, height } = document.getElementById('paste').getBoundingClientRect();
		return [x + width / 2, y + height / 2]; }`)
	const order, lost = "train/depth, tiny,huge", "does not keep the order of the losses"
	choose("#paste-file", trackers+"wandb-offline-1.wandb", "")
	refused("W&B " + lost)
	p.key(chrome.Escape)
	choose("#paste-file", trackers+"wandb-offline-1.wandb", order)
	shown("11 records of 3 objectives")
	choose("#paste-file", trackers+"lightning-csvlogger-leg0.csv", order)
	shown("6 records of 3 objectives")
	choose("#paste-file", trackers+"clearml-offline-metrics.jsonl", "")
	shown("11 records of 3 objectives")
	// The largest entry of the Gramian is too large for TensorBoard; only the complete file shows this.
	const infinite = "gramian/2_2 is infinite at 12 of 12 steps"
	events, err := filepath.Glob(trackers + "tensorboard-torch/*host.0")
	if err != nil || len(events) != 1 {
		t.Fatal(events, err)
	}
	choose("#paste-file", events[0], "")
	refused("gramian/2_2 is infinite at")
	p.key(chrome.Escape)
	choose("#paste-folder", trackers+"mlflow-file", order)
	shown("11 records of 3 objectives")
	p.run(chrome.Drop(at[0], at[1], full(trackers+"tensorboard-torch")))
	refused(infinite)
	p.key(chrome.Escape)
	// The folder contains W&B's files for both legs of one run, and a file that belongs to no tracker.
	folder := t.TempDir()
	for leg, name := range []string{"wandb-offline-1.wandb", "wandb-offline-2.wandb"} {
		file, err := os.ReadFile(trackers + name)
		if err != nil {
			t.Fatal(err)
		}
		run := filepath.Join(folder, "wandb", "offline-run-"+string(rune('1'+leg)))
		if err := errors.Join(os.MkdirAll(run, 0o700), os.WriteFile(filepath.Join(run, "run-a.wandb"), file, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Mkdir(filepath.Join(folder, "none"), 0o700), os.WriteFile(filepath.Join(folder, "wandb", "model.ckpt"),
		make([]byte, 70<<20), 0o600)); err != nil {
		t.Fatal(err)
	}
	p.run(chrome.Drop(at[0], at[1], filepath.Join(folder, "wandb")))
	refused("W&B " + lost)
	p.js(nil, `(order) => { document.getElementById('paste-part').value = order; }`, order)
	p.click(`#paste-dialog [type=submit]`)
	p.until("both legs of W&B", `() => !document.getElementById('paste-dialog').open`)
	p.run(chrome.Drop(at[0], at[1], filepath.Join(folder, "none")))
	refused("no file from TensorBoard, W&B, MLflow or Lightning")
}

// TestLogLeads: the lab shows the gradients at the marker. Exported pictures of the log are drawn by another program,
// which also receives the log.
func TestLogLeads(t *testing.T) {
	t.Parallel()
	p := ready(t, runLog+"&source=units&record=11", size(1440, 900))
	p.judged("72 % of all pairs of gradients conflict if averaged")
	for _, kind := range []string{"svg", "png"} {
		var file struct {
			Name, Type string
			Size       int
			Says       bool
		}
		p.js(&file, `async (kind) => {
			const { name, type, blob } = await playground.export(kind);
			return { name, type, size: blob.size, says: kind !== 'svg' || (await blob.text()).includes('task 2') };
		}`, kind)
		if file.Name != "log."+kind || !strings.HasPrefix(file.Type, "image/"+kind) || file.Size < 20_000 || !file.Says {
			t.Errorf("%s: %+v", kind, file)
		}
	}
	var words string
	p.js(&words, `() => [...document.querySelectorAll('#verdict button')].find((b) => b.textContent.includes('in the lab')).textContent`)
	if words != "Open step 50 in the lab" {
		t.Errorf("the button says %q", words)
	}
	p.js(nil, `() => [...document.querySelectorAll('#verdict button')].find((b) => b.textContent.includes('in the lab')).click()`)
	p.until("the lab", `() => playground.state().scene === 'lab'`)
	s := p.labState()
	if s.Params.View != "space" || len(s.Params.Gradients3) != 3 {
		t.Errorf("the lab shows %+v", s.Params)
	}
	eight := ready(t, runLog, size(1440, 900))
	eight.judged("55 % on single batches")
	eight.js(nil, `() => [...document.querySelectorAll('#verdict button')].find((b) => b.textContent.includes('in the lab')).click()`)
	eight.until("the Gramian in the lab", `() => { const s = playground.state();
		return s.scene === 'lab' && s.data?.held && s.data.rows === 8 && s.results && !s.results.pending; }`)
}

// TestLogTabs: on a phone, and wherever the verdict leaves room for only one panel, the other panels have tabs. The tab
// of the panel that a sentence is about is marked.
func TestLogTabs(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]option{"tablet": {size(1024, 768)}, "phone": {phone()}} {
		p := ready(t, runLog+"&source=two", options...)
		p.judged("49 % on single batches")
		p.until("tabs on a "+name, `() => document.getElementById('tabs').checkVisibility()`)
		p.js(nil, `() => document.querySelector('#verdict [data-sentence=age] button').focus()`)
		p.light("age")
		var marked []string
		p.js(&marked, `() => [...document.querySelectorAll('#tabs .lit')].map((tab) => tab.dataset.names)`)
		if len(marked) != 1 || marked[0] != "age" {
			t.Errorf("%s: the tabs %q are marked", name, marked)
		}
		p.js(nil, `() => document.querySelector('#verdict [data-sentence=units] button').focus({ preventScroll: true })`)
		p.light("lengths")
		p.until("the marked tab in view on a "+name, `() => {
			const [row, tab] = [document.getElementById('tabs'), document.querySelector('#tabs .lit')].map((e) => e.getBoundingClientRect());
			return tab.left >= row.left - 1 && tab.right <= row.right + 1;
		}`)
		p.js(nil, `() => document.querySelector('#verdict [data-sentence=age] button').focus()`)
		p.light("age")
		p.key(chrome.Enter)
		p.until("the panel in front on a "+name, `() => playground.state().hero === 'age' &&
			document.querySelector('#tabs [data-names=age]').getAttribute('aria-pressed') === 'true'`)
		var wide bool
		p.js(&wide, `() => document.documentElement.scrollWidth > innerWidth`)
		if wide {
			t.Errorf("the page is wider than the %s", name)
		}
	}
}

// TestPasteDialogFits: on the narrowest phone, the dialog for a visitor's log does not scroll sideways.
func TestPasteDialogFits(t *testing.T) {
	t.Parallel()
	p := ready(t, "#v=1&scene=log", size(320, 700))
	var widths struct{ Needs, Has int }
	p.js(&widths, `() => {
		document.getElementById('paste').click();
		const {scrollWidth, clientWidth} = document.getElementById('paste-dialog');
		return { Needs: scrollWidth, Has: clientWidth };
	}`)
	if widths.Has == 0 || widths.Needs > widths.Has {
		t.Errorf("the dialog has %d pixels and needs %d", widths.Has, widths.Needs)
	}
}

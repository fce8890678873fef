package browser

import (
	"fmt"
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

const lab = "#v=1&scene=lab"

// labState holds what playground.state() reports about the gradient lab.
type labState struct {
	Params struct {
		View       string
		Gradients  [][]float64
		Gradients3 [][]float64
		Camera     []float64
	}
	Hash string
	Data *struct {
		SHA256        string
		Held          bool
		Rows, Columns int
	}
	Results *struct {
		Pending   bool
		Conflicts int
		Methods   []struct {
			Method, Status string
			Direction      []float64
			Effective      []float64
			Worse          []int
		}
	}
}

func (p *page) labState() (s labState) {
	p.Helper()
	p.js(&s, `() => playground.state()`)
	return s
}

// dragBy drags a handle with the mouse.
func (p *page) dragBy(id string, dx, dy float64) {
	p.Helper()
	at := p.handle(id)
	p.mouse(chrome.Press, at)
	for i := 1.0; i <= 5; i++ {
		p.mouse(chrome.Move, point{at.X + dx*i/5, at.Y + dy*i/5})
	}
	p.mouse(chrome.Release, point{at.X + dx, at.Y + dy})
}

// TestLabTiny: a link to gradients whose squares underflow can be opened, and the lab shows them.
func TestLabTiny(t *testing.T) {
	t.Parallel()
	p := ready(t, lab+"&gradients=1e-200,0;0,1e-200&method=epo,mgda")
	s := p.labState()
	if s.Results == nil || len(s.Results.Methods) != 2 {
		t.Fatalf("results %+v", s.Results)
	}
	for _, m := range s.Results.Methods {
		if len(m.Effective) != 2 || m.Effective[0] != 0.5 || m.Effective[1] != 0.5 || m.Status != "converged" || len(m.Worse) != 0 {
			t.Errorf("%+v", m)
		}
	}
	if s.Params.Gradients[0][0] != 1e-200 {
		t.Errorf("the gradients are %v", s.Params.Gradients)
	}
}

// TestLabDrag: a dragged tip changes its row, the directions of all methods, and the address. The scene has nothing to
// play.
func TestLabDrag(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, lab)
	before := p.labState()
	var shown bool
	p.js(&shown, `() => document.getElementById('time-row').checkVisibility()`)
	if shown {
		t.Error("a scene without runs has playback controls")
	}
	p.dragBy("g-3", 60, -40)
	after := p.labState()
	if after.Params.Gradients[2][0] <= before.Params.Gradients[2][0] || after.Params.Gradients[2][1] <= before.Params.Gradients[2][1] {
		t.Errorf("the tip went from %v to %v", before.Params.Gradients[2], after.Params.Gradients[2])
	}
	for i, m := range after.Results.Methods {
		if m.Method != "cagrad" && fmt.Sprint(m.Direction) == fmt.Sprint(before.Results.Methods[i].Direction) {
			t.Errorf("%s has not moved", m.Method)
		}
	}
	p.until("the number in the table", `(v) =>
		[...document.querySelectorAll('[data-param="gradients"] input')][4].valueAsNumber === v`, after.Params.Gradients[2][0])
	p.until("the address", `(hash) => location.hash === '#' + hash`, after.Hash)
	p.js(nil, `() => document.getElementById('centre').focus()`)
	p.key(" ")
	p.key("s")
	if s := p.state(); s.Playing || s.Latest != 0 {
		t.Error("playback keys act without runs")
	}
	// The address alone gives the same picture.
	p.follow(after.Hash)
	if got := p.labState(); fmt.Sprint(got.Results.Methods) != fmt.Sprint(after.Results.Methods) {
		t.Errorf("the link shows %v, not %v", got.Results.Methods, after.Results.Methods)
	}
}

// TestLabControls: rows can be typed, added, removed and pasted. A method's parameters appear with the method.
func TestLabControls(t *testing.T) {
	t.Parallel()
	p := desk.shows(t, lab)
	rows := func() string { return fmt.Sprint(p.labState().Params.Gradients) }
	p.enter(`[data-param="gradients"] tr:nth-child(1) td:nth-child(2) input`, "1.25")
	p.until("the typed entry", `() => playground.state().params.gradients[0][1] === 1.25`)
	p.click(`[data-param="gradients"] .matrix + button`)
	p.until("a fourth row", `() => playground.state().params.gradients.length === 4 &&
		document.querySelectorAll('[data-param="gradients"] tr').length === 4`)
	p.click(`[data-param="gradients"] tr:nth-child(2) button`)
	p.until("three rows", `() => playground.state().params.gradients.length === 3 &&
		document.querySelectorAll('[data-param="gradients"] tr').length === 3`)
	if got := rows(); !strings.HasPrefix(got, "[[3 1.25] [-1.9 1.3]") {
		t.Errorf("rows %s", got)
	}
	p.js(nil, `() => {
		const data = new DataTransfer();
		data.setData('text', '1\t2\n-3\t4');
		document.querySelector('[data-param="gradients"] input').dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true}));
	}`)
	p.until("the pasted rows", `() => JSON.stringify(playground.state().params.gradients) === '[[1,2],[-3,4]]'`)
	p.js(nil, `() => { document.querySelector('#all').open = true; }`)
	visible := `(name) => document.querySelector('[data-param="' + name + '"]').checkVisibility()`
	p.until("CAGrad's parameter", visible, "cagrad.c")
	p.until("no parameter of what is off", `(name) => !(`+visible+`)(name)`, "fairgrad.alpha")
	p.js(nil, `() => playground.set('method', ['fairgrad'])`)
	p.until("FairGrad's parameter", visible, "fairgrad.alpha")
	p.until("no camera in the plane", `(name) => !(`+visible+`)(name)`, "camera")
}

// TestLabCamera: in the three-dimensional view, dragging the background with a finger turns the camera, and so do the
// arrow keys. The mouse still drags a gradient's tip.
func TestLabCamera(t *testing.T) {
	t.Parallel()
	p := handset.shows(t, lab+"&view=space")
	before := p.labState().Params.Camera
	at := p.handle("camera")
	at.X, at.Y = at.X-40, at.Y-30 // away from all handles
	p.touch(chrome.Press, at)
	for i := 1.0; i <= 5; i++ {
		p.touch(chrome.Move, point{at.X - 8*i, at.Y})
	}
	p.touch(chrome.Release)
	p.until("the camera turned", `(azimuth) => playground.state().params.camera[0] > azimuth + 5`, before[0])
	turned := p.labState().Params.Camera
	p.js(nil, `() => {
		const frame = document.getElementById('stage');
		frame.contentDocument.querySelector('[data-handle="camera"]').focus();
	}`)
	p.key(chrome.Enter)
	p.key(chrome.ArrowRight)
	p.until("the camera nudged", `(azimuth) => Math.abs(playground.state().params.camera[0] - azimuth - 5) < 1e-9`, turned[0])
	p.dragBy("g-1", 15, -20)
	p.until("the tip dragged", `() => location.hash.includes('gradients3=')`)
}

// TestLabPaste: the page shows a pasted Jacobian without freezing. The address does not contain the Jacobian, so a link
// opened elsewhere asks for the Jacobian.
func TestLabPaste(t *testing.T) {
	t.Parallel()
	p := ready(t, lab)
	introduction := func(p *page, text string) {
		p.until("words on "+text, `(text) => document.getElementById('introduction').innerText.includes(text)`, text)
	}
	introduction(p, "Three people carry a table")
	p.click(`#paste`)
	p.js(nil, `() => { document.getElementById('paste-text').value = '1,2,3\n4,x,6'; }`)
	p.click(`#paste-dialog [type=submit]`)
	p.until("what is wrong", `() =>
		document.querySelector('#paste-dialog .failure-text').textContent.includes('line 2, column 3: "x" is not a number')`)
	p.js(nil, `() => { document.getElementById('paste-text').value = '1,2,3\n-4,0.5,6\n-1,-1,0'; }`)
	p.click(`#paste-dialog [type=submit]`)
	p.until("the data shown", `() => { const s = playground.state();
		return s.data?.held && s.results && !s.results.pending && !document.getElementById('paste-dialog').open; }`)
	s := p.labState()
	if s.Data.Rows != 3 || s.Data.Columns != 3 || s.Params.View != "data" || !strings.Contains(s.Hash, "data="+s.Data.SHA256) ||
		s.Results.Conflicts != 1 {
		t.Errorf("state %+v, data %+v, results %+v", s.Params.View, s.Data, s.Results)
	}
	p.until("the cosines described", `() => document.getElementById('descriptions').textContent.includes('3 gradients in 3 variables')`)

	introduction(p, "Your own Jacobian")
	// After the iframe reloads, the page still has the bytes of the pasted Jacobian.
	p.js(nil, `() => { window.reloaded = false; document.getElementById('stage').addEventListener('load', () => { window.reloaded = true; });
		document.getElementById('stage').contentWindow.location.reload(); }`)
	p.until("the data after a reload of the picture", `() => { if (!window.reloaded) return false; try { const s = playground.state();
		return s.data?.held && s.results && !s.results.pending; } catch { return false; } }`)

	other := ready(t, "#"+s.Hash)
	other.until("the file asked for", `() => document.querySelector('.own-data-state').textContent.includes('Choose the file')`)
	introduction(other, "Your own Jacobian")
	other.js(nil, `() => playground.paste(new Blob(['1,2,3\n-4,0.5,6\n-1,-1,0']))`)
	other.until("the same shown", `(sum) => { const s = playground.state();
		return s.data.sha256 === sum && s.data.held && s.results && !s.results.pending; }`, s.Data.SHA256)
	other.js(nil, `() => playground.set('view', 'plane')`)
	introduction(other, "Three people carry a table")
}

// TestLabPasteLarge: the largest Jacobian is read in parts, while the page still responds.
func TestLabPasteLarge(t *testing.T) {
	long(t, "TestLabPaste pastes a small file")
	p := ready(t, lab+"&method=ls,mgda")
	var busy struct{ Longest, Whole float64 } // ms without a response, and in total
	p.js(&busy, `async () => {
		const row = Array.from({length: 10000}, (_, j) => Math.sin(j * j).toFixed(4));
		const rows = Array.from({length: 200}, (_, i) => { row[i] = String(i - 100.5); return row.join(','); });
		let last = performance.now(), longest = 0, ended = false;
		const beat = () => {
			const now = performance.now();
			longest = Math.max(longest, now - last);
			last = now;
			if (!ended) setTimeout(beat);
		};
		const blob = new Blob([rows.join('\n')]);
		await new Promise((done) => setTimeout(done, 100));
		const from = last = performance.now();
		beat();
		await playground.paste(blob);
		while (playground.state().results?.pending) await new Promise((done) => setTimeout(done, 50));
		ended = true;
		return { longest, whole: performance.now() - from };
	}`)
	s := p.labState()
	if s.Data == nil || s.Data.Rows != 200 || s.Data.Columns != 10_000 || len(s.Results.Methods) != 2 {
		t.Fatalf("data %+v", s.Data)
	}
	t.Logf("the longest that the page was busy: %.0f ms of %.0f", busy.Longest, busy.Whole)
	// The file is read and processed in parts, however slow the machine is.
	if !(busy.Longest < busy.Whole/4) {
		t.Errorf("the page was frozen for %.0f ms of %.0f", busy.Longest, busy.Whole)
	}
}

// TestLabControlHeads: a control's help is beside the control's label, and does not cover the label.
func TestLabControlHeads(t *testing.T) {
	t.Parallel()
	p := ready(t, lab)
	var covered []string
	p.js(&covered, `() => [...document.querySelectorAll('.control-head')].filter((head) => head.checkVisibility()).filter((head) => {
		const label = head.querySelector('label, .label').getBoundingClientRect();
		const help = head.querySelector('button').getBoundingClientRect();
		return label.width === 0 || label.right > help.left + 1;
	}).map((head) => head.textContent)`)
	if len(covered) > 0 {
		t.Errorf("the help covers the labels of %q", covered)
	}
}

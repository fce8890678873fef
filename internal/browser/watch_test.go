package browser

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"paretoplay/algo/runlog"
	"paretoplay/internal/browser/chrome"
)

// watching is a running watch command, which serves the page for a growing log.
type watching struct {
	testing.TB
	path    string // of the log
	address string // of the page
	stop    func()

	mu      sync.Mutex
	printed strings.Builder
}

// watchOn starts the watch command.
func watchOn(t testing.TB, name, listen string) *watching {
	t.Helper()
	if missing != "" {
		t.Skip("SKIPPED, the page is not tested: " + missing)
	}
	w := &watching{TB: t, path: filepath.Join(t.TempDir(), name)}
	w.start(listen)
	return w
}

// start starts the command on an address.
func (w *watching) start(listen string) {
	w.Helper()
	command := exec.Command(binary, "watch", w.path, "-addr", listen)
	output, err := command.StdoutPipe()
	if err != nil {
		w.Fatal(err)
	}
	if err := command.Start(); err != nil {
		w.Fatal(err)
	}
	read := make(chan struct{})
	w.stop = sync.OnceFunc(func() {
		if err := command.Process.Signal(os.Interrupt); err != nil {
			w.Error(err)
		}
		<-read
		if err := command.Wait(); err != nil {
			w.Errorf("watch ends with %v", err)
		}
	})
	w.Cleanup(w.stop)
	served := make(chan struct{})
	go func() {
		defer close(read)
		for lines := bufio.NewScanner(output); lines.Scan(); {
			w.mu.Lock()
			if found := announced.FindStringSubmatch(lines.Text()); found != nil {
				_, w.address, _ = strings.Cut(lines.Text(), "is at ")
				close(served)
			}
			w.printed.WriteString(lines.Text() + "\n")
			w.mu.Unlock()
		}
	}()
	select {
	case <-served:
	case <-read:
		w.Fatalf("watch ended before it served the page: %s", w.said())
	}
}

// said returns what the command has printed.
func (w *watching) said() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.printed.String()
}

// upTo returns the beginning, up to the given step, of a log that is included in the page.
func (w *watching) upTo(name string, step int64) *runlog.Log {
	w.Helper()
	file, err := os.ReadFile(shippedLog(name))
	if err != nil {
		w.Fatal(err)
	}
	log, err := runlog.Read(bytes.NewReader(file), runlog.PageBytes)
	if err == nil {
		log, err = log.Between(0, step)
	}
	if err != nil {
		w.Fatal(err)
	}
	return log
}

// save writes the log under a temporary name and renames it, like the recorder.
func (w *watching) save(log *runlog.Log) {
	w.Helper()
	var out bytes.Buffer
	if err := log.Write(&out); err != nil {
		w.Fatal(err)
	}
	w.write(out.Bytes())
}

func (w *watching) write(data []byte) {
	w.Helper()
	part := w.path + ".part"
	if err := os.WriteFile(part, data, 0o600); err != nil {
		w.Fatal(err)
	}
	if err := os.Rename(part, w.path); err != nil {
		w.Fatal(err)
	}
}

// status waits until the page's status about the log contains the given text.
func (p *page) status(text string) {
	p.Helper()
	p.until("the status "+text, `(text) => document.querySelector('#watched [role=status]').innerText.includes(text)`, text)
}

// shows waits until the scene shows the given number of records, and the page shows the sentences about them.
func (p *page) shows(records int) {
	p.Helper()
	p.until(fmt.Sprintf("%d records on show", records), `(records) => {
		const { data, conclusions } = playground.state();
		const said = [...document.querySelectorAll('#verdict li > p')].map((p) => p.textContent.replaceAll('\u00a0', ' ')).join();
		return data?.held && data.rows === records && !data.growing && conclusions.length > 0 &&
			said === conclusions.map(({ text }) => text.replaceAll('\u00a0', ' ')).join();
	}`, records)
}

// TestWatch follows a log from before its first version to its end. The verdict and the records grow, and changes are
// marked. The visitor's settings, place, focus and open texts stay.
func TestWatch(t *testing.T) {
	t.Parallel()
	w := watchOn(t, "run.npz", "127.0.0.1:0")
	options := []option{size(1440, 900), expecting(`ERR_CONNECTION_REFUSED`, `ERR_EMPTY_RESPONSE`)}
	if *rules != "" {
		options = append(options, injecting(ruleScript(t)))
	}
	p := open(t, w.address, options...)
	p.js(nil, `() => playground.ready`)
	p.status("Waiting for run.npz: the file does not exist yet.")
	p.js(nil, `() => playground.set('R', 8)`)
	w.save(w.upTo("eight", 156))
	p.shows(40)
	p.status("Watching run.npz: 40 records, last change ")
	var marked int
	p.js(&marked, `() => document.querySelectorAll('#verdict .changed').length`)
	if s := p.state(); marked != 0 || fmt.Sprint(s.Params["record"]) != "40" || fmt.Sprint(s.Params["R"]) != "8" {
		t.Errorf("at first %d sentences are marked, and the parameters are %v", marked, s.Params)
	}

	p.part("at the end", func() {
		p.focus(`#verdict [data-sentence=end] button`)
		w.save(w.upTo("eight", 636))
		p.shows(160)
		p.until("a sentence that changed", `() => {
			const mark = document.querySelector('#verdict [data-sentence=pairs] .changed');
			return mark?.querySelector('summary').innerText === 'Changed at 160 records' && mark.textContent.includes('Before: Conflict: ') &&
				mark.textContent.includes('There is no complete window of 50 records');
		}`)
		p.status("Watching run.npz: 160 records, last change ")
		p.status(" changed.")
		var focused bool
		p.js(&focused, `() => document.activeElement === document.querySelector('#verdict [data-sentence=end] button')`)
		if s := p.state(); !focused || fmt.Sprint(s.Params["record"]) != "160" || fmt.Sprint(s.Params["R"]) != "8" {
			t.Errorf("the focus stayed: %t, the parameters are %v", focused, s.Params)
		}
		var kept bool
		p.js(&kept, `() => location.hash.includes('data=' + playground.state().data.sha256) || new Promise((done) => setTimeout(() =>
			done(location.hash.includes('data=' + playground.state().data.sha256)), 2000))`)
		if !kept {
			t.Error("the address does not name the shown log")
		}
	})
	p.part("elsewhere in the log", func() {
		p.js(nil, `async () => {
			await playground.set('record', 30);
			await playground.hero('age');
			document.querySelector('#verdict [data-sentence=pairs] details').open = true;
		}`)
		w.save(w.upTo("eight", 800))
		p.shows(201)
		var open bool
		p.js(&open, `() => document.querySelector('#verdict [data-sentence=pairs] details').open`)
		if s := p.state(); !open || s.Hero != "age" || fmt.Sprint(s.Params["record"]) != "30" {
			t.Errorf("the words are open: %t, the panel is %s, the parameters are %v", open, s.Hero, s.Params)
		}
		if *rules != "" {
			p.lawful("a watched log")
		}
		p.js(nil, `() => playground.undo()`) // undoes a change of the panel or the marker, not of the log
		p.shows(201)
	})
	p.part("half-written", func() {
		file, err := os.ReadFile(w.path)
		if err != nil {
			t.Fatal(err)
		}
		w.write(file[:len(file)/2])
		p.status("The current file cannot be read: it begins like an npz, but is damaged or cut off")
		p.shows(201)
	})
	p.part("another scene", func() {
		p.js(nil, `() => playground.open('lab')`)
		w.save(w.upTo("eight", 1000))
		p.status("Watching run.npz: 251 records")
		if s := p.state(); s.Scene != "lab" {
			t.Errorf("the scene is %s", s.Scene)
		}
		p.focus("#watched button")
		p.key(chrome.Enter)
		p.shows(251)
		p.until("the focus on the title", `() => document.activeElement.id === 'scene-title' && document.querySelector('#watched button').hidden`)
		w.save(w.upTo("eight", 1200))
		p.shows(300)
	})
	p.part("lines", func() {
		var lines strings.Builder
		for k := range 3 {
			fmt.Fprintf(&lines, `{"step": %d, "losses": [1, 2], "gramian": [[1, -0.5], [-0.5, 2]]}`+"\n", 10*k)
		}
		w.write([]byte(lines.String() + `{"step": 30, "losses": [1`))
		p.shows(3)
		p.until("what was left out", `() => document.getElementById('verdict').innerText.includes('The last line of the file is cut off')`)
		w.save(w.upTo("eight", 1200))
		p.shows(300)
	})
	listens := strings.TrimPrefix(strings.SplitAfter(w.address, "/?")[0], "http://")
	w.stop()
	p.status("No longer watching run.npz: 300 records")
	p.status("The program that serves this page has ended.")
	for _, text := range []string{"waiting for run.npz: the file does not exist yet\n", "run.npz: 40 records up to step 156", "\n- Conflict: ",
		"run.npz: 160 records up to step 636", "\n- changed: Conflict: ", "run.npz: 3 records up to step 20"} {
		if !strings.Contains(w.said(), text) {
			t.Errorf("the command has not printed %q:\n%s", text, w.said())
		}
	}
	w.save(w.upTo("eight", 1100))
	w.start(strings.TrimSuffix(listens, "/?"))
	p.shows(276)
	p.status("Watching run.npz: 276 records")
}

// TestWatchNarrow: on the narrowest phone, in both themes, nothing is wider than the screen, and the status is visible.
func TestWatchNarrow(t *testing.T) {
	t.Parallel()
	w := watchOn(t, "a-run-with-a-name-that-is-longer-than-the-screen-is-wide.npz", "127.0.0.1:0")
	w.save(w.upTo("two", 100))
	for _, theme := range []string{"light", "dark"} {
		p := open(t, strings.Replace(w.address, "?watch", "?watch&theme="+theme, 1), touchScreen(320, 640), still())
		p.js(nil, `() => playground.ready`)
		p.status("records, last change")
		var fits struct{ Needs, Has, Seen int }
		p.js(&fits, `() => {
			const { scrollWidth, clientWidth } = document.documentElement;
			const { top, bottom } = document.getElementById('watched').getBoundingClientRect();
			return { Needs: scrollWidth, Has: clientWidth, Seen: top > 0 && bottom < innerHeight ? 1 : 0 };
		}`)
		if fits.Needs > fits.Has || fits.Seen == 0 {
			t.Errorf("%s: %+v", theme, fits)
		}
	}
}

// TestWatchIsNotKept: a watched log is not stored for visits without a network.
func TestWatchIsNotKept(t *testing.T) {
	t.Parallel()
	w := watchOn(t, "run.npz", "127.0.0.1:0")
	w.save(w.upTo("eight", 156))
	p := open(t, w.address, keeping())
	p.js(nil, `() => playground.ready`)
	p.kept()
	p.run(chrome.Reload())
	p.js(nil, `() => playground.ready`)
	p.shows(40)
	var kept []string
	p.js(&kept, `async () => {
		const urls = [];
		for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) urls.push(url);
		return urls.filter((url) => url.includes('watched') || url.endsWith('scenes.json'));
	}`)
	if len(kept) != 1 || !strings.HasSuffix(kept[0], "scenes.json") {
		t.Errorf("it keeps %q", kept)
	}
}

// TestWatchNothing: if the server watches no log, the page says so, and makes no further requests for it.
func TestWatchNothing(t *testing.T) {
	t.Parallel()
	p := open(t, site+"?watch", size(1024, 768), expecting(`404`))
	p.js(nil, `() => playground.ready`)
	p.status("This server is not watching a log. Open the address that the watch command prints.")
	if s := p.state(); s.Scene != "log" {
		t.Errorf("the scene is %s", s.Scene)
	}
}

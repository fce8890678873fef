package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// These functions build a single-file page once and return the file's path. One page has all lessons; the other has one
// lesson.
var (
	singleFile = sync.OnceValues(func() (string, error) { return buildSingle("single.html") })
	oneLesson  = sync.OnceValues(func() (string, error) { return buildSingle("lesson.html", "-lesson", firstOfPath) })
)

// firstOfPath is a lesson with predictions whose scene needs no file.
const firstOfPath = "01-conflict"

func buildSingle(name string, flags ...string) (file string, err error) {
	file = filepath.Join(filepath.Dir(binary), name)
	if said, err := exec.Command(binary, append([]string{"build", "-single", file}, flags...)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build -single: %w\n%s", err, said)
	}
	return file, nil
}

// alone opens a single-file page from disk, as a visitor would.
func alone(t *testing.T, make func() (string, error), options ...option) *page {
	t.Helper()
	if missing != "" {
		t.Skip("SKIPPED, the single-file page is not tested: " + missing)
	}
	file, err := make()
	if err != nil {
		t.Fatal(err)
	}
	tab, closeTab := apart(t)
	return openFor(t, maxOfLessons, tab, closeTab, "file://"+filepath.ToSlash(file), options...)
}

// TestSingleFile: a single-file page needs no server. Lessons can be completed, including those with scenes that show
// recorded logs and pictures.
func TestSingleFile(t *testing.T) {
	t.Parallel()
	var seen requests
	p := alone(t, singleFile, size(1440, 900), noting(&seen))
	p.js(nil, `() => playground.ready`)
	var links []string
	p.js(&links, `() => [...document.querySelectorAll('#gallery .path a .name')].map((name) => name.textContent)`)
	path := p.path()
	if len(links) != len(path) {
		t.Errorf("the contents have the lessons %q of %d", links, len(path))
	}
	p.click(fmt.Sprintf(`#gallery [data-lesson="%s"]`, path[0].Name))
	p.until("a live frame", `() => document.querySelector('#loading').hidden && playground.state().lesson?.step === 1`)
	for _, l := range path {
		if l.Name == firstOfPath {
			p.part(l.Name, func() { p.learn(l, false) })
		}
	}
	for _, scene := range []string{"network", "log"} {
		p.part(scene, func() {
			p.js(nil, `(id) => playground.open(id)`, scene)
			p.until("its file", `() => playground.state().scene !== 'lab' && !playground.state().needs`)
			p.js(nil, `() => playground.pause()`)
		})
	}
	p.js(nil, `() => playground.load('v=1&scene=fonseca&k=3')`)
	p.part("files", func() {
		p.click("#export")
		var kinds string
		p.js(&kinds, `() => [...document.querySelectorAll('#export-dialog input[type=radio]:enabled')].map(({ value }) => value).join(' ')`)
		if !strings.Contains(kinds, "csv json") || strings.Contains(kinds, "png") {
			p.Errorf("the page offers the files %s", kinds)
		}
		var csv string
		p.js(&csv, `async () => (await playground.export('csv')).blob.text()`)
		if strings.Count(csv, "\n") < 3 {
			p.Errorf("the table is %q", csv)
		}
		p.js(nil, `() => document.querySelector('#export-dialog').close()`)
	})
	p.part("reload", func() {
		p.js(nil, `() => {
			window.before = playground.state().hash;
			document.querySelector('#stage').contentWindow.dispatchEvent(new Event('webglcontextlost'));
		}`)
		p.until("the picture anew", `() => document.querySelector('#loading').hidden && playground.state().status !== 'loading' &&
			document.querySelector('#stage').contentWindow.stage?.probe().draws > 0`)
		var hashes [2]string
		if p.js(&hashes, `() => [window.before, playground.state().hash]`); hashes[0] != hashes[1] {
			p.Errorf("the state was %q, but is %q after the picture was reloaded", hashes[0], hashes[1])
		}
	})
	p.part("licences", func() {
		p.click("#to-gallery")
		p.click(".foot button:not(#did)")
		p.until("the licences", `() => document.querySelector('.licences').textContent.includes('Ebitengine')`)
	})
	if asked := seen.with("http"); asked != nil {
		t.Errorf("the page requested %q", asked)
	}
}

// TestSingleLesson: a file with one lesson opens that lesson. It also does so without WebGL, and from a host without
// the site.
func TestSingleLesson(t *testing.T) {
	t.Parallel()
	// The program has ended, but Ebiten's resize observer still calls it.
	p := alone(t, oneLesson, withoutWebGL, expecting(`already exited`))
	p.js(nil, `() => playground.ready`)
	p.until("the lesson", `(name) => playground.state().lesson?.name === name`, firstOfPath)
	p.until("its picture", `() => document.querySelector('#loading').hidden &&
		document.querySelector('#stage').contentDocument.querySelector('canvas')?.getContext('2d')`)
	p.says("WebGL is missing")
	file, err := oneLesson()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if w.Header().Set("Content-Type", "text/html"); r.URL.Path == "/around" {
			fmt.Fprint(w, `<!doctype html><link rel="icon" href="data:,">
				<iframe sandbox="allow-scripts" src="/file" width="900" height="600"></iframe>`)
			return
		}
		_, _ = w.Write(data) // fails only if the browser is gone
	}))
	t.Cleanup(host.Close)
	p = open(t, host.URL+"/some/file.html?from=mail")
	p.js(nil, `() => playground.ready`)
	p.until("the lesson", `(name) => playground.state().lesson?.name === name`, firstOfPath)

	p = open(t, host.URL+"/around", size(1000, 700))
	p.until("the sandboxed frame", `() => true`)
	inner := p.attach("iframe", host.URL+"/file")
	inner.until("a sentence", `() => document.body.innerText.startsWith('Pareto Playground cannot run')`)
}

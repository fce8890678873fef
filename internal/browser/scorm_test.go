package browser

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

// scormModules is a folder with npm modules. The Makefile names the modules' versions.
var scormModules = flag.String("scorm", "", "try packages of lessons with the runtime and the schemas in this `folder` of npm's modules")

// packedLesson is the lesson in the tests' packages; it needs no runs.
const packedLesson = "01-conflict"

// unpacked builds a package and returns its files.
func unpacked(t *testing.T, version string) map[string][]byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "lesson.zip")
	command := exec.Command(binary, "build", "-scorm", file, "-lesson", packedLesson, "-scormversion", version)
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	archive, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := archive.Close(); err != nil {
			t.Error(err)
		}
	}()
	files := map[string][]byte{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// runtimes describes the runtime of each version: its script, how a platform starts it in a window, and how the
// platform itself opens a session.
var runtimes = map[string]struct{ script, start, data, begin string }{
	"1.2": {"scorm12.min.js", `window.API = new Scorm12API({ autocommit: false })`, `API.cmi`, `API.LMSInitialize('')`},
	"2004": {"scorm2004.min.js", `window.API_1484_11 = new Scorm2004API({ autocommit: false })`, `API_1484_11.cmi`,
		`API_1484_11.Initialize('')`},
}

// platform serves a learning platform, which shows a package in a frame and provides the runtime of a version.
func platform(t *testing.T, version string, files map[string][]byte) *httptest.Server {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(*scormModules, "scorm-again", "dist", runtimes[version].script))
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]string{".html": "text/html; charset=utf-8", ".xml": "text/xml"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, found := strings.CutPrefix(r.URL.Path, "/files/"); found && files[name] != nil {
			w.Header().Set("Content-Type", types[filepath.Ext(name)])
			_, _ = w.Write(files[name]) // fails only if the page is gone
			return
		}
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", types[".html"])
		fmt.Fprintf(w, `<!doctype html><title>A learning platform</title><link rel="icon" href="data:,"><script>%s</script><script>
			%s;
			window.begin = () => {
				const frame = document.createElement('iframe');
				Object.assign(frame, { id: 'inner', src: 'files/lesson.html', width: 1100, height: 700 });
				document.body.append(frame);
			};
		</script><body></body>`, script, runtimes[version].start)
	}))
	t.Cleanup(server.Close)
	return server
}

// learnInside completes the lesson in the frame. It chooses the first answer in the first step and the second answer in
// all other steps.
const learnInside = `async (steps) => {
	const until = async (what, holds) => {
		for (const end = Date.now() + 60000; !holds();) {
			if (Date.now() > end) throw new Error('waiting for ' + what + ': ' + document.querySelector('#lesson')?.textContent.slice(0, 200));
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	};
	const lesson = (selector) => document.querySelector('#lesson ' + selector);
	await playground.ready;
	for (const [i, step] of steps.entries()) {
		await until('step ' + (i + 1), () => lesson('h3')?.textContent.startsWith('Step ' + (i + 1) + ' of'));
		if (step.predict) {
			lesson('.lesson-predict input[value="' + (i === 0 ? 0 : 1) + '"]').click();
			lesson('.lesson-predict [type=submit]').click();
		}
		if (step.goal) {
			await until('the goal', () => lesson('[data-part=show]'));
			lesson('[data-part=show]').click();
			await until('its sign', () => lesson('.lesson-sign.reached'));
		}
		if (i + 1 < steps.length) lesson('[data-part=next]').click();
	}
}`

// TestPackages: a package runs in the runtime of a learning platform. It reports status, score, time and progress, and
// continues where the student left off. Its manifest is valid according to the version's schemas. The later version is
// tested in a browser without WebGL, where the package's second program draws the pictures.
func TestPackages(t *testing.T) {
	t.Parallel()
	if missing != "" {
		t.Skip("SKIPPED, packages are not tried: " + missing)
	}
	if *scormModules == "" {
		t.Skip("SKIPPED, packages are not tested: -scorm names no folder")
	}
	for version := range runtimes {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			files := unpacked(t, version)
			validManifest(t, version, files["imsmanifest.xml"])
			tryPackage(t, version, files)
		})
	}
}

// validManifest validates the manifest against the version's schemas.
func validManifest(t *testing.T, version string, manifest []byte) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Log("SKIPPED, the manifest is not held to its schema: no node on the PATH")
		return
	}
	check := func(manifest []byte) error {
		command := exec.Command(node, filepath.Join("testdata", "manifest.mjs"), *scormModules, version)
		command.Stdin = bytes.NewReader(manifest)
		if said, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, said)
		}
		return nil
	}
	if err := check(manifest); err != nil {
		t.Errorf("the manifest: %v", err)
	}
	for _, spoilt := range [][2]string{{`="sco"`, `="none"`}, {" xsi:schemaLocation=", " xsi:other="},
		{` xsi:schemaLocation="`, ` xsi:schemaLocation="http://other.example other.xsd `}} {
		if err := check(bytes.Replace(manifest, []byte(spoilt[0]), []byte(spoilt[1]), 1)); err == nil {
			t.Errorf("the schemas accept a manifest with %s", spoilt[1])
		}
	}
}

func tryPackage(t *testing.T, version string, files map[string][]byte) {
	t.Helper()
	tab, closeTab := apart(t)
	e, poor := &embedded{}, version == "2004"
	address := platform(t, version, files).URL
	worlds := func(p *page) {
		p.listen(func(event any) {
			if world, ok := event.(chrome.World); ok {
				e.mu.Lock()
				defer e.mu.Unlock()
				e.worlds = append(e.worlds, world)
			}
		})
	}
	options := []option{size(1280, 900), expecting(`LMS was already initialized`), worlds}
	if poor {
		options = append(options, withoutWebGL, expecting(`already exited`))
	}
	e.page = openFor(t, 5*time.Minute, tab, closeTab, address, options...)
	answer, err := http.Get(site + "lessons/" + packedLesson + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var l struct {
		Steps []struct {
			Predict *struct {
				Right []int `json:"right"`
			} `json:"predict"`
			Goal json.RawMessage `json:"goal"`
		} `json:"steps"`
	}
	if err := errorOr(json.NewDecoder(answer.Body).Decode(&l), answer.Body.Close()); err != nil {
		t.Fatal(err)
	}
	right, asked, first := 0, 0, map[string]int{}
	for i, s := range l.Steps {
		if string(s.Goal) == "null" {
			l.Steps[i].Goal = nil
		}
		if s.Predict == nil {
			continue
		}
		asked++
		answer := min(i, 1)
		first[fmt.Sprint(i+1)] = answer
		for _, r := range s.Predict.Right {
			if r == answer {
				right++
			}
		}
	}

	e.begins()
	e.until("the begin of the lesson", fmt.Sprintf(`() => (%[1]s.core?.lesson_status ?? %[1]s.completion_status) === 'incomplete'`,
		runtimes[version].data))
	e.inside(nil, learnInside, l.Steps)
	var flat bool
	e.inside(&flat, `() => document.getElementById('without-webgl').checkVisibility() && document.getElementById('loading').hidden`)
	if flat != poor {
		t.Errorf("without WebGL: %t; the page draws without it: %t", poor, flat)
	}
	e.js(nil, `() => inner.remove()`)

	var told struct {
		Status, Exit, Raw, Min, Max, Scaled, Progress, Data, Place, Session string
		Closed                                                              bool
	}
	of := map[string]string{
		"1.2": `{ status: d.core.lesson_status, exit: 'suspend', raw: d.core.score.raw, min: d.core.score.min, max: d.core.score.max,
			data: d.suspend_data, place: d.core.lesson_location, session: d.core.getCurrentTotalTime(), closed: API.isTerminated() }`,
		"2004": `{ status: d.completion_status, exit: 'suspend', raw: d.score.raw, min: d.score.min, max: d.score.max, scaled: d.score.scaled,
			progress: d.progress_measure, data: d.suspend_data, place: d.location, session: d.getCurrentTotalTime(),
			closed: API_1484_11.isTerminated() }`,
	}[version]
	e.until("the end of the conversation", fmt.Sprintf(`() => %s.isTerminated()`, strings.TrimSuffix(runtimes[version].data, ".cmi")))
	e.js(&told, fmt.Sprintf(`() => { const d = %s; return %s; }`, runtimes[version].data, of))
	score := float64(right) / float64(asked)
	if told.Status != "completed" || told.Raw != fmt.Sprintf("%.0f", 100*score) || told.Min != "0" || told.Max != "100" || !told.Closed ||
		told.Place != fmt.Sprint(len(l.Steps)) || version == "2004" && told.Progress != "1" {
		t.Errorf("%d of %d predictions were right; the platform received %+v", right, asked, told)
	}
	if ok, err := regexp.MatchString(`^(0+:0[0-4]:[0-5]\d(\.\d+)?|PT(\d+M)?[\d.]+S)$`, told.Session); err != nil || !ok {
		t.Errorf("the time is %q", told.Session)
	}
	var kept map[string]struct {
		First map[string]int
		Seen  []int
	}
	if err := json.Unmarshal([]byte(told.Data), &kept); err != nil || fmt.Sprint(kept[packedLesson].First) != fmt.Sprint(first) ||
		len(kept) != 1 || len(kept[packedLesson].Seen) == 0 {
		t.Errorf("the platform stores %s, error %v", told.Data, err)
	}

	// The platform opens the package again with its stored data. The platform has already opened the session, so the
	// page must not open it a second time.
	e.js(nil, fmt.Sprintf(`(data) => { localStorage.clear(); %s; %s.suspend_data = data; %s; }`, runtimes[version].start,
		runtimes[version].data, runtimes[version].begin), told.Data)
	e.begins()
	var shown string
	e.inside(&shown, `async () => {
		await playground.ready;
		for (const end = Date.now() + 60000; !document.querySelector('#lesson .lesson-said'); await new Promise((r) => setTimeout(r, 50))) {
			if (Date.now() > end) throw new Error(document.querySelector('#lesson').textContent);
		}
		return document.querySelector('#lesson h3').textContent + document.querySelector('#notices .notice-list').textContent;
	}`)
	if !strings.HasPrefix(shown, fmt.Sprintf("Step %d of", len(l.Steps))) || strings.Contains(shown, "platform") {
		t.Errorf("after reopening it shows %q", shown)
	}
}

// begins makes the platform open the package, and waits for its page.
func (e *embedded) begins() {
	e.Helper()
	e.js(nil, `() => window.begin()`)
	e.until("the page of the package", `() => window.inner?.contentWindow.playground !== undefined`)
}

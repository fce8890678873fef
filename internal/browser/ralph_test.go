package browser

import (
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paretoplay/internal/browser/chrome"
)

// ralphPython names a Python interpreter that has Ralph installed. The Makefile names Ralph's version.
var ralphPython = flag.String("ralph", "", "try the page with the learning record store Ralph, which this `program`, a Python, has")

// ralph is an instance of the learning record store Ralph, with its files in a folder. It may be running or stopped.
type ralph struct {
	*testing.T
	folder, address string
	server          *exec.Cmd
}

const (
	ralphApp                 = "ralph_app.py"
	ralphUser, ralphPassword = "school", "secret"
)

func (r *ralph) command(arguments ...string) *exec.Cmd {
	c := exec.Command(*ralphPython, append([]string{"-m"}, arguments...)...)
	c.Env = append(os.Environ(), "RALPH_APP_DIR="+r.folder, "RALPH_AUTH_FILE="+filepath.Join(r.folder, "auth.json"),
		"RALPH_RUNSERVER_BACKEND=fs", "RALPH_BACKENDS__LRS__FS__DEFAULT_DIRECTORY_PATH="+filepath.Join(r.folder, "statements"),
		fmt.Sprintf(`RALPH_RUNSERVER_CORS_ALLOW_ORIGINS=[%q]`, strings.TrimSuffix(site, "/")))
	return c
}

func newRalph(t *testing.T) *ralph {
	r := &ralph{T: t, folder: t.TempDir()}
	if err := os.Mkdir(filepath.Join(r.folder, "statements"), 0o755); err != nil {
		t.Fatal(err)
	}
	said, err := r.command("ralph", "auth", "-u", ralphUser, "-p", ralphPassword, "-s", "statements/write", "-s", "statements/read",
		"-M", "mailto:store@example.org", "-w").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r.address = free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.stop)
	return r
}

// start starts the store, and waits until it responds.
func (r *ralph) start() {
	r.Helper()
	host, port, err := net.SplitHostPort(r.address)
	if err != nil {
		r.Fatal(err)
	}
	r.server = r.command("uvicorn", "--app-dir", "testdata", "--host", host, "--port", port, strings.TrimSuffix(ralphApp, ".py")+":app")
	if err := r.server.Start(); err != nil {
		r.Fatal(err)
	}
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		answer, err := http.Get("http://" + r.address + "/__heartbeat__")
		if err == nil && answer.Body.Close() == nil && answer.StatusCode < http.StatusInternalServerError {
			return
		}
		if time.Now().After(end) {
			r.Fatalf("Ralph does not answer: %v", err)
		}
	}
}

// stop stops the store, which keeps its statements.
func (r *ralph) stop() {
	if r.server == nil {
		return
	}
	if err := r.server.Process.Kill(); err != nil {
		r.Error(err)
	}
	_ = r.server.Wait() // says that it was killed
	r.server = nil
}

// count returns the number of statements in the store with the given actor and verb.
func (r *ralph) count(actor, verb string) (n int) {
	r.Helper()
	request, err := http.NewRequest(http.MethodGet, "http://"+r.address+"/xAPI/statements", nil) // its filters do not work with files
	if err != nil {
		r.Fatal(err)
	}
	request.SetBasicAuth(ralphUser, ralphPassword)
	request.Header.Set("X-Experience-API-Version", "1.0.3")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		r.Fatal(err)
	}
	var has struct{ Statements []statement }
	if err := errorOr(json.NewDecoder(answer.Body).Decode(&has), answer.Body.Close()); err != nil {
		r.Fatal(err)
	}
	for _, st := range has.Statements {
		if st.Actor.Mbox == "mailto:"+actor && strings.HasSuffix(st.Verb.ID, "/"+verb) {
			n++
		}
	}
	return n
}

// TestRalph: Ralph receives every statement of the page once, including statements that follow a refused statement and
// statements made while Ralph was stopped. Ralph accepts nothing that is sent with a wrong password.
func TestRalph(t *testing.T) {
	t.Parallel()
	if *ralphPython == "" {
		t.Skip("SKIPPED, the page is not tested with Ralph: -ralph names no program (make test-store)")
	}
	r := newRalph(t)
	r.start()
	endpoint := "http://" + r.address + "/xAPI/"
	request, err := http.NewRequest(http.MethodGet, endpoint, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.SetBasicAuth(ralphUser, ralphPassword)
	auth := request.Header.Get("Authorization")
	const registration, other = "0e5d4b0c-1c3e-4b2f-9a3d-2f1f2c3d4e5f", "1e5d4b0c-1c3e-4b2f-9a3d-2f1f2c3d4e5f"
	ana := launchOf(endpoint, auth, "ana@example.org", registration)
	p := readyApart(t, 8*time.Minute, ana, size(1280, 900), expecting(`status (of )?4(01|22)`, `status: 4`, `Unprocessable`,
		`Unauthorized`, `Failed to fetch`, `ERR_`, `CORS`, `Cross-Origin`))
	l := p.lesson("01-conflict")
	p.js(nil, `(owner) => localStorage.setItem('statements of ' + owner, JSON.stringify({ agreed: '', notBefore: 0, unsent: [
		{ id: '2e5d4b0c-1c3e-4b2f-9a3d-2f1f2c3d4e5f', actor: { mbox: 'mailto:ana@example.org' },
			verb: { id: 'http://adlnet.gov/expapi/verbs/answered', display: { en: 'answered' } } }] }))`,
		"xAPI mailto:ana@example.org "+registration)
	p.learn(l, false)
	p.agrees(endpoint, "ana@example.org")
	p.eventually("the end of the lesson in the store", func() bool { return r.count("ana@example.org", "completed") > 0 })
	asked := 0
	for _, step := range p.steps(l.Name) {
		if step.Predict != nil {
			asked++
		}
	}
	if n := r.count("ana@example.org", "answered"); n != asked {
		t.Errorf("the store has %d answers to %d questions", n, asked)
	}
	p.until("what the page says of a statement that the store refuses", `() =>
		/refuses “answered” permanently: it answers 422 Unprocessable \w+\. .*Field required/
			.test(document.getElementById('notices').textContent)`)

	r.stop()
	p.run(chrome.Navigate(site + launchOf(endpoint, auth, "ben@example.org", other)))
	p.until("the page of the other", `() => playground.ready.then(() => true)`)
	p.agrees(endpoint, "ben@example.org")
	p.at(l, 1, p.steps(l.Name)[0].Title)
	p.answer(p.steps(l.Name)[0], 1)
	p.until("what the page says of a store that does not run", `() =>
		document.getElementById('notices').textContent.includes('it cannot be reached, or does not allow requests from this site')`)
	r.start()
	p.eventually("what was done while the store did not run", func() bool { return r.count("ben@example.org", "answered") == 1 })

	p.run(chrome.Navigate(site + launchOf(endpoint, "Basic d3Jvbmc6d3Jvbmc=", "eve@example.org", other)))
	p.until("the page of the third", `() => playground.ready.then(() => true)`)
	p.agrees(endpoint, "eve@example.org")
	p.answer(p.steps(l.Name)[0], 1)
	p.until("what the page says of a wrong password", `() =>
		document.getElementById('notices').textContent.includes('denies this page access: it answers 401 Unauthorized')`)
	if n := r.count("eve@example.org", "answered"); n != 0 {
		t.Errorf("with a wrong password, the store has accepted %d statements", n)
	}
}

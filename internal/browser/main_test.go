// Package browser tests the page in headless Chromium: everything that a visitor sees and does, with real keys, mouse
// and fingers. All tests share one server and one browser. Each test has its own window while it runs, so that tests
// can run in parallel. Tests of the same screen may reuse a window, one after another. Tests that make the page
// remember something use a window that shares no storage with others. Tests that measure time run alone.
package browser

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"paretoplay/internal/browser/chrome"
)

var (
	binary  string          // the built program
	site    string          // the address that it serves, ending in a slash
	browser *chrome.Browser // the browser that tests share
	missing string          // why there is no browser; "" if there is one
)

// long skips a test unless make test-long runs it. why names the shorter test of the same behaviour.
func long(t *testing.T, why string) {
	t.Helper()
	if testing.Short() {
		t.Skip("make test-long runs this; " + why)
	}
}

func TestMain(m *testing.M) {
	status, err := prepared(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "browser tests:", err)
		status = 1
	}
	os.Exit(status)
}

// prepared serves the program, opens one browser, and runs the tests.
func prepared(m *testing.M) (status int, err error) {
	flag.Parse()
	program, found := chromium()
	if !found {
		missing = "no Chromium or Chrome on the PATH"
		if os.Getenv("CI") == "true" {
			return 1, errors.New(missing)
		}
		if !*browsers {
			return m.Run(), nil
		}
	}
	folder, err := os.MkdirTemp("", "paretoplay-browser-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	binary = filepath.Join(folder, "paretoplay")
	if said, err := exec.Command("go", "build", "-o", binary, "../..").CombinedOutput(); err != nil {
		return 1, fmt.Errorf("go build: %w\n%s", err, said)
	}
	stopServer, err := serve()
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, stopServer()) }()
	if *browsers {
		missing = "other browsers are"
		return m.Run(), nil
	}
	var stopBrowser func()
	// A test's program runs for about a second, so compiling it costs more than running it. Only functions that run for a
	// long time are worth optimizing. Antialiasing would change nothing, because Ebiten only copies its picture onto the
	// canvas.
	browser, stopBrowser, err = launch(program, chrome.Flag{Name: "js-flags", Value: "--wasm-lazy-validation --wasm-tiering-budget=200000000"},
		chrome.Flag{Name: "webgl-antialiasing-mode", Value: "none"})
	if err != nil {
		return 1, err
	}
	defer stopBrowser()
	return m.Run(), nil
}

// chromium finds a browser that runs. On some systems, a program with one of these names only starts an installer.
func chromium() (program string, found bool) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		program, err := exec.LookPath(name)
		if err == nil && exec.Command(program, "--version").Run() == nil {
			return program, true
		}
	}
	return "", false
}

var announced = regexp.MustCompile(`is at (http://\S+/)`)

// serve starts the program as a server, and waits until the page's program is compiled.
func serve() (stop func() error, err error) {
	command := exec.Command(binary, "serve", "-addr", "127.0.0.1:0")
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	stop = func() error {
		if err := command.Process.Signal(os.Interrupt); err != nil {
			return err
		}
		return command.Wait()
	}
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if found := announced.FindStringSubmatch(lines.Text()); found != nil {
			site = found[1]
		}
		if strings.HasPrefix(lines.Text(), "ready") {
			go func() { _, _ = io.Copy(io.Discard, output) }() // ends with the server
			return stop, prime()
		}
	}
	return nil, errors.Join(errors.New("the server ended before it was ready"), lines.Err(), command.Wait())
}

// prime requests the pictures that the server draws on first request.
func prime() error {
	for _, name := range []string{"thumbs/tradeoff-light.png", "thumbs/fonseca-light.png", "scenes.json"} {
		answer, err := http.Get(site + name)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, answer.Body)
		if err := errors.Join(err, answer.Body.Close()); err != nil {
			return err
		}
		if answer.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: %s", name, answer.Status)
		}
	}
	return nil
}

// launch starts a browser with a separate profile and software WebGL.
func launch(program string, more ...chrome.Flag) (browser *chrome.Browser, stop func(), err error) {
	browser, err = chrome.Launch(program, append([]chrome.Flag{
		{Name: "headless", Value: "new"},
		{Name: "use-gl", Value: "angle"},
		{Name: "use-angle", Value: "swiftshader"},
		{Name: "enable-unsafe-swiftshader", Value: true},
		{Name: "disable-quic", Value: true},
		{Name: "disable-background-networking", Value: true},
		{Name: "disable-component-update", Value: true},
		{Name: "disable-sync", Value: true},
	}, more...)...)
	if err != nil {
		return nil, nil, err
	}
	return browser, browser.Close, nil
}

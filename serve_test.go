package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"paretoplay/internal/command"
	"paretoplay/internal/site/sitetest"
)

func TestCommandLineMistakes(t *testing.T) {
	dir := sitetest.SourceTree(t, nil)
	for _, c := range []struct {
		args []string
		part string
	}{
		{[]string{"-port", "80"}, "-port"},
		{[]string{"-open=perhaps"}, "perhaps"},
		{[]string{"-addr", "8080"}, "host:port"},
		{[]string{"-addr", strings.Repeat("k", 100<<10)}, "-addr"},
		{[]string{"-addr", "\x1b[31m\r\n\t\u2028" + strings.Repeat("\xff", 400)}, "-addr"},
		{[]string{"-addr", "127.0.0.1:0", "more"}, "more"},
		{[]string{"build", "dist"}, "dist"},
		{[]string{"build", "-x"}, "-x"},
		{[]string{"build", "-o", ""}, "-o is empty"},
		{[]string{"build", "-o", "assets/site"}, "assets"},
		{[]string{"build", "-o", "."}, "not empty"},
		{[]string{"build", "-o", "go.mod"}, "go.mod"},
	} {
		status, stdout, stderr := sitetest.Run(t, program().Run, dir, c.args...)
		sitetest.OneLine(t, strings.Join(c.args, " "), status, 2, stdout, stderr, c.part)
	}
}

func TestPlainFailures(t *testing.T) {
	dir := sitetest.SourceTree(t, nil)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())

	status, stdout, stderr := sitetest.Run(t, program().Run, t.TempDir(), "-addr", "127.0.0.1:0")
	sitetest.OneLine(t, "outside the source tree", status, 1, stdout, stderr, "source tree", "go.mod")

	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	status, stdout, stderr = sitetest.Run(t, program().Run, filepath.Join(dir, "assets"), "-addr", busy.Addr().String())
	sitetest.OneLine(t, "busy port", status, 1, stdout, stderr, busy.Addr().String(), "in use", "-addr")

	t.Setenv("PATH", "")
	for _, args := range [][]string{{"-addr", "127.0.0.1:0"}, {"build", "-o", filepath.Join(t.TempDir(), "dist")}} {
		status, stdout, stderr = sitetest.Run(t, program().Run, dir, args...)
		sitetest.OneLine(t, "no toolchain", status, 1, stdout, stderr, "Go toolchain is missing", "go.dev/dl")
	}
}

func TestUnwritableFolders(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the user's cache is not found through XDG_CACHE_HOME here")
	}
	t.Setenv("XDG_CACHE_HOME", sitetest.Blocked(t))
	// A file named .cache blocks the second choice of a folder for compiling.
	dir := sitetest.SourceTree(t, map[string]string{".cache": ""})
	status, stdout, stderr := sitetest.Run(t, program().Run, dir, "-addr", "127.0.0.1:0")
	sitetest.OneLine(t, "no cache", status, 1, stdout, stderr, "no writable folder for compiling", ".cache")

	status, stdout, stderr = sitetest.Run(t, program().Run, dir, "build", "-o", sitetest.Blocked(t))
	sitetest.OneLine(t, "no target", status, 2, stdout, stderr, "build: -o")

	if os.Geteuid() == 0 {
		return // a user whom permissions do not stop
	}
	readOnly := t.TempDir()
	if err := os.Chmod(readOnly, 0o500); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr = sitetest.Run(t, program().Run, dir, "build", "-o", readOnly)
	sitetest.OneLine(t, "read-only target", status, 2, stdout, stderr, "permission denied")
}

func TestPageAddress(t *testing.T) {
	for _, c := range []struct {
		asked, bound, want string
	}{
		{"127.0.0.1:8080", "127.0.0.1:8080", "http://127.0.0.1:8080/"},
		{"127.0.0.1:0", "127.0.0.1:4711", "http://127.0.0.1:4711/"},
		{"localhost:0", "127.0.0.1:4711", "http://localhost:4711/"},
		{":8080", "[::]:8080", "http://localhost:8080/"},
		{"0.0.0.0:8080", "0.0.0.0:8080", "http://localhost:8080/"},
		{"[::1]:80", "[::1]:80", "http://[::1]:80/"},
	} {
		bound, err := net.ResolveTCPAddr("tcp", c.bound)
		if err != nil {
			t.Fatal(err)
		}
		if got := pageAddress(c.asked, bound); got != c.want {
			t.Errorf("%s on %s: %s, want %s", c.asked, c.bound, got, c.want)
		}
	}
}

// read returns the body of a response.
func read(t *testing.T, r *http.Response) []byte {
	t.Helper()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// shownState holds the fields of site.json that these tests read.
type shownState struct {
	Wasm, Error string
	WasmBytes   int
	Compiling   bool
}

// TestMainProcess is not a test: TestServeAndStop runs it as a separate process to send it a signal.
func TestMainProcess(t *testing.T) {
	if os.Getenv("PARETOPLAY_TEST_PROCESS") == "" {
		t.Skip("runs only as a child of TestServeAndStop")
	}
	os.Exit(program().Run([]string{"-addr", "127.0.0.1:0"}, os.Stdin, os.Stdout, os.Stderr))
}

// TestServeAndStop serves a real source tree. The page must be available while the program compiles. After a compile
// error, opening the page must compile the corrected source. A signal must end the server with status 0.
func TestServeAndStop(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes cannot be interrupted here")
	}
	process := exec.Command(os.Args[0], "-test.run=^TestMainProcess$")
	process.Dir = sitetest.SourceTree(t, map[string]string{"wasm/main.go": "package main\n\nfunc main() { mistake() }\n"})
	process.Env = append(os.Environ(), "PARETOPLAY_TEST_PROCESS=1", "XDG_CACHE_HOME="+t.TempDir(), "GOCACHE="+sitetest.GoCache(t))
	var complaint bytes.Buffer
	process.Stderr = &complaint
	stdout, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	var over atomic.Bool
	watchdog := time.AfterFunc(2*time.Minute, func() { over.Store(true); _ = process.Process.Kill() })
	defer watchdog.Stop()

	lines := bufio.NewScanner(stdout)
	var page string
	for page == "" && lines.Scan() {
		page = regexp.MustCompile(`http://\S+`).FindString(lines.Text())
	}
	get := func(name string) []byte {
		r, err := http.Get(page + name)
		if err != nil {
			_ = process.Process.Kill()
			t.Fatal(err)
		}
		defer r.Body.Close()
		return read(t, r)
	}
	if !bytes.Contains(get(""), []byte("<iframe")) {
		t.Error("the page is not available at once")
	}
	compiled := func() (state shownState) {
		for state.Compiling = true; state.Compiling && !over.Load(); time.Sleep(50 * time.Millisecond) {
			state = shownState{}
			if err := json.Unmarshal(get("site.json"), &state); err != nil {
				t.Fatal(err)
			}
		}
		return state
	}
	if state := compiled(); !strings.Contains(state.Error, "undefined: mistake") {
		t.Errorf("with a mistake in the source: %+v", state)
	}
	if err := os.WriteFile(filepath.Join(process.Dir, "wasm", "main.go"), []byte("package main\n\nfunc main() { println(\"ready\") }\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	get("")
	state := compiled()
	if state.Error != "" {
		t.Errorf("compiling: %s", state.Error)
	}
	if wasm := get(state.Wasm); !bytes.HasPrefix(wasm, []byte("\x00asm")) || len(wasm) != state.WasmBytes {
		t.Errorf("%s: %d bytes beginning %.8q, want %d", state.Wasm, len(wasm), wasm, state.WasmBytes)
	}
	if err := process.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	if err := process.Wait(); err != nil {
		t.Errorf("after an interrupt: %v", err)
	}
	if said := complaint.String(); strings.Count(said, "undefined: mistake") != 1 || strings.Count(said, "paretoplay:") != 1 {
		t.Errorf("standard error: %s", said)
	}
}

// TestServeWatched checks that the browser opens the page for the log that the server serves, and that the server warns
// if other machines can read the log too.
func TestServeWatched(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("GOCACHE", sitetest.GoCache(t))
	t.Chdir(sitetest.SourceTree(t, nil))
	log := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the log") })
	for address, open := range map[string]bool{"127.0.0.1:0": false, "0.0.0.0:0": true} {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		printed, out := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			err := serve(ctx, command.ServeOptions{Address: address, Page: "?watch#v=1&scene=log", Watched: log}, out, io.Discard)
			_ = out.Close() // never fails
			ended <- err
		}()
		var said string
		for lines := bufio.NewScanner(printed); lines.Scan(); {
			said += lines.Text() + "\n"
			if page := regexp.MustCompile(`http://\S+/`).FindString(said); page != "" && strings.Contains(said, "compiling") {
				r, err := http.Get(page + "watched")
				if err != nil {
					t.Fatal(err)
				}
				if data := read(t, r); string(data) != "the log" {
					t.Errorf("%s: the answer is %q", address, data)
				}
				_ = r.Body.Close()
				stop()
				_, _ = io.Copy(io.Discard, printed)
			}
		}
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", address, err)
		}
		if !strings.Contains(said, "/?watch#v=1&scene=log\n") || strings.Contains(said, "is open to other machines") != open {
			t.Errorf("%s: it prints %s", address, said)
		}
	}
}

// TestStopLetsRequestsFinish stops the server in the middle of a response, which must still arrive in full.
func TestStopLetsRequestsFinish(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	entered := make(chan struct{})
	go func() {
		stopped <- listen(ctx, listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(entered)
			<-ctx.Done()
			time.Sleep(50 * time.Millisecond)
			if _, err := io.WriteString(w, "whole"); err != nil {
				t.Error(err)
			}
		}))
	}()
	go func() { <-entered; stop() }()
	r, err := http.Get("http://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if data := read(t, r); string(data) != "whole" {
		t.Errorf("the answer is %q", data)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if connection, err := net.Dial("tcp", listener.Addr().String()); err == nil {
		connection.Close()
		t.Error("still listening")
	}
}

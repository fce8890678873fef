package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/site/sitetest"
	"paretoplay/internal/teach/lesson"
)

func testSource(t *testing.T, dir string) *Source {
	t.Helper()
	paint := func() (files [][]byte, err error) {
		for _, colour := range []color.Color{color.White, color.Black} {
			picture := image.NewRGBA(image.Rect(0, 0, 8, 5))
			draw.Draw(picture, picture.Rect, image.NewUniform(colour), image.Point{}, draw.Src)
			var out bytes.Buffer
			err = errors.Join(err, png.Encode(&out, picture))
			files = append(files, out.Bytes())
		}
		return files, err
	}
	return &Source{
		dir: dir,
		scenes: scene.List{{ID: "fonseca", Title: "Two goals", Question: "Which weights?", Paper: "A paper", Group: scene.TwoGoals,
			Presets: []scene.Preset{{ID: "stale"}}, New: func() scene.Scene { return nil }}},
		catalog:  func() ([]byte, error) { return []byte(`[{"id":"fonseca"}]`), nil },
		thumbs:   func(_, _ string) ([][]byte, error) { return paint() },
		previews: func(_ string, _ form) ([][]byte, error) { return paint() },
		tradeoff: paint,
		paths:    func() ([]byte, error) { return []byte(`{"paths":[]}`), nil },
		strips:   func(string) ([][]byte, error) { return paint() },
		loops:    paint,
		lessons: func() (map[string][]byte, []lesson.Head, error) {
			files := map[string][]byte{lessonsName: []byte(`[{"name":"01-angle"}]`), lessonsFolder + "01-angle.json": []byte(`{"steps":[]}`)}
			return files, []lesson.Head{{Name: "01-angle", Title: "Conflict is an angle", Minutes: 4, Scene: "fonseca"}}, nil
		},
	}
}

// fakeBuilder returns a program or an error when release is closed.
type fakeBuilder struct {
	wasm    []byte
	err     error
	release chan struct{}
}

func (f *fakeBuilder) Loader() []byte { return []byte("// loader\n") }

func (f *fakeBuilder) Compile(ctx context.Context, p program) (wasm, packed []byte, err error) {
	select {
	case <-f.release:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	if f.err != nil {
		return nil, nil, f.err
	}
	wasm = f.wasm
	if p != firstProgram {
		wasm = append([]byte("\x00asm "+p.file), wasm...)
	}
	packed, err = compress(ctx, wasm, brotliServing, nil)
	return wasm, packed, err
}

func released() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// testServer returns a server with a compiled program.
func testServer(t *testing.T) (s *Server, log *bytes.Buffer) {
	t.Helper()
	log = new(bytes.Buffer)
	s = newServer(testSource(t, sitetest.SourceTree(t, nil)), &fakeBuilder{wasm: bytes.Repeat([]byte("\x00asm program "), 999),
		release: released()}, true, log)
	if err := s.compile(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, log
}

func ask(s http.Handler, method, path string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, "http://localhost:8080/", nil)
	r.URL.Path = path
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) []byte {
	t.Helper()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func stateOf(t *testing.T, s http.Handler) (state siteState) {
	t.Helper()
	if err := json.Unmarshal(body(t, ask(s, "GET", "/site.json")), &state); err != nil {
		t.Fatal(err)
	}
	return state
}

func TestServedFiles(t *testing.T) {
	s, log := testServer(t)
	wasm := stateOf(t, s).Wasm
	for path, want := range map[string]struct{ mediaType, contains string }{
		"/":                              {"text/html; charset=utf-8", "<iframe"},
		"/index.html":                    {"text/html; charset=utf-8", "<iframe"},
		"/assets/page.js":                {"text/javascript; charset=utf-8", "./dom.js"},
		"/assets/page.css":               {"text/css; charset=utf-8", "body"},
		"/assets/icon.svg":               {"image/svg+xml", "<svg"},
		"/assets/stage.html":             {"text/html; charset=utf-8", "wasm_exec.js"},
		"/assets/deep/map.png":           {"image/png", "PNG"},
		"/wasm_exec.js":                  {"text/javascript; charset=utf-8", "// loader"},
		"/site.json":                     {"application/json", `"compiling":false`},
		"/scenes.json":                   {"application/json", "fonseca"},
		"/thumbs/tradeoff-light.png":     {"image/png", "PNG"},
		"/thumbs/fonseca-light.png":      {"image/png", "PNG"},
		"/thumbs/fonseca-dark.png":       {"image/png", "PNG"},
		"/thumbs/fonseca-stale-dark.png": {"image/png", "PNG"},
		"/" + wasm:                       {"application/wasm", "\x00asm"},
	} {
		r := ask(s, "GET", path)
		data := body(t, r)
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != want.mediaType || !strings.Contains(string(data), want.contains) {
			t.Errorf("%s: status %d, type %q, body %.60q; want 200, %q, %q", path, r.StatusCode, r.Header.Get("Content-Type"), data,
				want.mediaType, want.contains)
		}
	}
	if log.Len() > 0 {
		t.Errorf("the server complained: %s", log)
	}
}

func TestNothingElseIsServed(t *testing.T) {
	s, _ := testServer(t)
	for _, path := range []string{
		"/assets", "/assets/", "/assets/deep", "/assets/deep/", "/assets/none.js", "/none", "//", "/./index.html",
		"/go.mod", "/serve.go", "/secret.json", "/wasm/main.go", "/assets/code.go", "/assets/notes.md", "/assets/dom.test.js",
		"/assets/.hidden.js", "/assets/.git/key.js", "/.git/config",
		"/../secret.json", "/assets/../secret.json", "/assets/../index.html", "/assets/deep/../../secret.json", "/assets/..%2fsecret.json",
		`/assets/..\secret.json`, `/assets\page.js`, "/assets//page.js", "/assets/page.js/", "/assets/page.js\x00.png", "/assets/C:page.js",
		"/lessons", "/lessons/", "/lessons/none.json", "/lessons/../secret.json", "/assets/lessons/01-angle.md",
		"/etc/passwd", "//etc/passwd", "/assets/" + strings.Repeat("../../", 20) + "etc/hosts.txt", "/favicon.ico",
	} {
		if r := ask(s, "GET", path); r.StatusCode != 404 {
			t.Errorf("%q: status %d, want 404", path, r.StatusCode)
		}
	}
	// Over a raw connection, a client can send any path.
	server := httptest.NewServer(s)
	defer server.Close()
	for _, target := range []string{"/../secret.json", "/assets/%2e%2e/secret.json", "/assets/..%2fsecret.json",
		"/%2e%2e/%2e%2e/etc/passwd", "/assets/%2ehidden.js"} {
		connection, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(connection, "GET "+target+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if answer, err := io.ReadAll(connection); err != nil || !bytes.HasPrefix(answer, []byte("HTTP/1.1 404 ")) {
			t.Errorf("%s: %v, %.60q, want 404", target, err, answer)
		}
		connection.Close()
	}
}

func TestLinksDoNotLeadOut(t *testing.T) {
	dir := sitetest.SourceTree(t, nil)
	if err := os.Symlink(filepath.Join(dir, "secret.json"), filepath.Join(dir, "assets", "link.json")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := os.Symlink("page.js", filepath.Join(dir, "assets", "alias.js")); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"up.json": "../secret.json", "loop.js": "loop.js", "nowhere.js": "none.js"} {
		if err := os.Symlink(target, filepath.Join(dir, "assets", name)); err != nil {
			t.Fatal(err)
		}
	}
	source := testSource(t, dir)
	for _, name := range []string{"link.json", "up.json", "loop.js", "nowhere.js"} {
		if data, err := source.read("assets/" + name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %q, error %v, want 404", name, data, err)
		}
	}
	if _, err := source.read("assets/alias.js"); err != nil {
		t.Errorf("a link inside assets: %v", err)
	}
	// The site cannot be built if it needs a file that its host would lack.
	if _, err := source.files(); err == nil || !strings.Contains(err.Error(), "assets/link.json: it is not a file, or it is a link") {
		t.Errorf("building: %v", err)
	}
	for _, name := range []string{"link.json", "up.json", "loop.js", "nowhere.js"} {
		if err := os.Remove(filepath.Join(dir, "assets", name)); err != nil {
			t.Fatal(err)
		}
	}
	if files, err := source.files(); err != nil || string(files["assets/alias.js"]) != string(files["assets/page.js"]) {
		t.Errorf("building with a link inside assets: %v", err)
	}
}

func TestMethods(t *testing.T) {
	s, _ := testServer(t)
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"} {
		r := ask(s, method, "/")
		if r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: status %d, Allow %q", method, r.StatusCode, r.Header.Get("Allow"))
		}
	}
	for _, path := range []string{"/", "/assets/page.js", "/" + stateOf(t, s).Wasm, "/thumbs/fonseca-dark.png", "/none"} {
		get, head := ask(s, "GET", path, "Accept-Encoding", "br"), ask(s, "HEAD", path, "Accept-Encoding", "br")
		for _, name := range []string{"Content-Type", "Content-Length", "Content-Encoding", "ETag", "Cache-Control", "Vary"} {
			if get.Header.Get(name) != head.Header.Get(name) {
				t.Errorf("%s: %s is %q for GET, %q for HEAD", path, name, get.Header.Get(name), head.Header.Get(name))
			}
		}
		if head.StatusCode != get.StatusCode {
			t.Errorf("%s: status %d for GET, %d for HEAD", path, get.StatusCode, head.StatusCode)
		}
		if data := body(t, head); head.StatusCode == 200 && len(data) > 0 {
			t.Errorf("%s: HEAD has a body of %d bytes", path, len(data))
		}
	}
}

func TestHeaders(t *testing.T) {
	s, _ := testServer(t)
	for _, r := range []*http.Response{
		ask(s, "GET", "/"), ask(s, "HEAD", "/assets/stage.html"), ask(s, "GET", "/none"), ask(s, "POST", "/"), ask(s, "GET", "/", "Host",
			"evil.example"),
	} {
		h := r.Header
		policy := h.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'self';", "script-src 'self' 'wasm-unsafe-eval';", "style-src 'self';",
			"object-src 'none';", "base-uri 'none';", "form-action 'none';", "frame-ancestors *"} {
			if !strings.Contains(policy, part) {
				t.Errorf("status %d: the policy %q lacks %q", r.StatusCode, policy, part)
			}
		}
		if strings.Contains(policy, "unsafe-inline") || strings.Contains(policy, "'unsafe-eval'") {
			t.Errorf("status %d: the policy is loose: %q", r.StatusCode, policy)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") == "" || h.Get("Permissions-Policy") == "" ||
			h.Get("Cross-Origin-Resource-Policy") != "cross-origin" {
			t.Errorf("status %d: headers %v", r.StatusCode, h)
		}
		if h.Get("X-Frame-Options") != "" {
			t.Errorf("status %d: embedding is forbidden", r.StatusCode)
		}
	}
}

// TestOpenerPolicy: a page that opens this one cannot control this page's window where browsers honour the header.
// Elsewhere the server omits the header, since browsers would complain.
func TestOpenerPolicy(t *testing.T) {
	s, _ := testServer(t)
	public := newServer(s.source, s.builder, false, io.Discard)
	for host, want := range map[string]string{"127.0.0.1:8080": "same-origin", "localhost:8080": "same-origin", "[::1]:8080": "same-origin",
		"192.0.2.7:8080": "", "example.org": ""} {
		if got := ask(public, "GET", "/", "Host", host).Header.Get("Cross-Origin-Opener-Policy"); got != want {
			t.Errorf("%s: the policy is %q, want %q", host, got, want)
		}
	}
}

func TestEncodings(t *testing.T) {
	s, _ := testServer(t)
	decode := map[string]func([]byte) ([]byte, error){
		"": func(data []byte) ([]byte, error) { return data, nil },
		"br": func(data []byte) ([]byte, error) {
			return io.ReadAll(brotli.NewReader(bytes.NewReader(data)))
		},
		"gzip": func(data []byte) ([]byte, error) {
			r, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				return nil, err
			}
			return io.ReadAll(r)
		},
	}
	for _, path := range []string{"/", "/assets/page.js", "/" + stateOf(t, s).Wasm} {
		plain := body(t, ask(s, "GET", path))
		for accept, want := range map[string]string{
			"":                              "",
			"identity":                      "",
			"gzip":                          "gzip",
			"br":                            "br",
			"gzip, deflate, br, zstd":       "br",
			"GZIP":                          "gzip",
			"br;q=0.1, gzip;q=0.9":          "gzip",
			"br;q=0, gzip":                  "gzip",
			"br; q=0.000, gzip; q=0":        "",
			"*":                             "br",
			"*;q=0":                         "",
			"br;q=0, *":                     "gzip",
			"gzip;q=0.5, identity;q=1":      "",
			"gzip;q=1, identity;q=0.5":      "gzip",
			"br;q=nonsense":                 "",
			"br;q=7":                        "",
			"deflate":                       "",
			" , ;;, br ;q=1 ,":              "br",
			"x" + strings.Repeat(",x", 999): "",
		} {
			r := ask(s, "GET", path, "Accept-Encoding", accept)
			data := body(t, r)
			if got := r.Header.Get("Content-Encoding"); got != want {
				t.Errorf("%s with %.40q: encoding %q, want %q", path, accept, got, want)
				continue
			}
			if r.Header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s with %.40q: Vary is %q", path, accept, r.Header.Get("Vary"))
			}
			if want != "" && len(data) >= len(plain) {
				t.Errorf("%s as %s: %d bytes of %d", path, want, len(data), len(plain))
			}
			if unpacked, err := decode[want](data); err != nil || !bytes.Equal(unpacked, plain) {
				t.Errorf("%s as %q: unpacking: %v, %d bytes, want %d", path, want, err, len(unpacked), len(plain))
			}
		}
	}
	if r := ask(s, "GET", "/thumbs/fonseca-dark.png", "Accept-Encoding", "br, gzip"); r.Header.Get("Content-Encoding") != "" ||
		r.Header.Get("Vary") != "" {
		t.Error("a PNG is compressed again")
	}
}

func TestCaching(t *testing.T) {
	s, _ := testServer(t)
	if got := ask(s, "GET", "/"+stateOf(t, s).Wasm).Header.Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("the program's name changes with its contents, but Cache-Control is %q", got)
	}
	tags := map[string]bool{}
	for _, path := range []string{"/", "/site.json", "/scenes.json", "/assets/page.js", "/wasm_exec.js", "/thumbs/fonseca-light.png"} {
		for _, accept := range []string{"", "br", "gzip"} {
			r := ask(s, "GET", path, "Accept-Encoding", accept)
			tag := r.Header.Get("ETag")
			if r.Header.Get("Cache-Control") != "no-cache" || len(tag) < 10 {
				t.Errorf("%s: Cache-Control %q, ETag %q", path, r.Header.Get("Cache-Control"), tag)
			}
			if r.Header.Get("Content-Encoding") == accept && tags[tag] {
				t.Errorf("%s as %q shares its tag %s with another body", path, accept, tag)
			}
			tags[tag] = true
			for _, condition := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
				again := ask(s, "GET", path, "Accept-Encoding", accept, "If-None-Match", condition)
				if again.StatusCode != 304 || len(body(t, again)) > 0 || again.Header.Get("ETag") != tag {
					t.Errorf("%s, If-None-Match %s: status %d", path, condition, again.StatusCode)
				}
			}
			if again := ask(s, "GET", path, "Accept-Encoding", accept, "If-None-Match", `"other"`); again.StatusCode != 200 {
				t.Errorf("%s, another tag: status %d", path, again.StatusCode)
			}
		}
	}
	// The server serves the new contents of a saved file at the next request.
	before := ask(s, "GET", "/assets/page.js")
	if err := os.WriteFile(filepath.Join(s.source.dir, "assets", "page.js"), []byte("// changed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	after := ask(s, "GET", "/assets/page.js", "If-None-Match", before.Header.Get("ETag"))
	if data := body(t, after); after.StatusCode != 200 || string(data) != "// changed\n" {
		t.Errorf("after a change: status %d, %q", after.StatusCode, data)
	}
}

func TestHostNames(t *testing.T) {
	s, _ := testServer(t)
	names := map[string]bool{
		"localhost": true, "localhost:8080": true, "LOCALHOST:1": true, "localhost.": true, "app.localhost:3": true,
		"127.0.0.1": true, "127.0.0.1:8080": true, "127.1.2.3": true, "[::1]": true, "[::1]:8080": true, "[::ffff:127.0.0.1]:80": true,
		"": false, "evil.example": false, "evil.example:8080": false, "localhost.evil.example": false, "notlocalhost": false,
		"192.168.0.1:8080": false, "0.0.0.0:8080": false, "127.0.0.1.evil.example": false, "[fe80::1]:8080": false,
	}
	for name, own := range names {
		want := 200
		if !own {
			want = http.StatusMisdirectedRequest
		}
		if r := ask(s, "GET", "/", "Host", name); r.StatusCode != want {
			t.Errorf("Host %q: status %d, want %d", name, r.StatusCode, want)
		}
	}
	s.loopback = false // on a network address, any name may lead here
	for name := range names {
		if r := ask(s, "GET", "/", "Host", name); r.StatusCode != 200 {
			t.Errorf("open to the network, Host %q: status %d", name, r.StatusCode)
		}
	}
}

func TestCompilingThenReady(t *testing.T) {
	builder := &fakeBuilder{wasm: []byte("\x00asm"), release: make(chan struct{})}
	s := newServer(testSource(t, sitetest.SourceTree(t, nil)), builder, true, io.Discard)
	done := make(chan error, 1)
	go func() { done <- s.compile(t.Context()) }()
	if r := ask(s, "GET", "/"); r.StatusCode != 200 {
		t.Errorf("the page while compiling: status %d", r.StatusCode)
	}
	if r := ask(s, "GET", "/wasm_exec.js"); r.StatusCode != 200 {
		t.Errorf("the loader while compiling: status %d", r.StatusCode)
	}
	if got := string(body(t, ask(s, "GET", "/site.json"))); got != `{"compiling":true}` {
		t.Errorf("site.json while compiling: %s", got)
	}
	close(builder.release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	state := stateOf(t, s)
	if state.Compiling || state.Error != "" || state.WasmBytes != 4 || state.Version == "" ||
		!regexp.MustCompile(`^paretoplay-[0-9a-f]{12}\.wasm$`).MatchString(state.Wasm) {
		t.Errorf("site.json when ready: %+v", state)
	}
}

func TestCompileFailureReachesThePage(t *testing.T) {
	builder := &fakeBuilder{err: errors.New("main.go:3: undefined: x"), release: released()}
	s := newServer(testSource(t, sitetest.SourceTree(t, nil)), builder, true, io.Discard)
	if err := s.compile(t.Context()); err == nil {
		t.Error("the failure is not reported")
	}
	if state := stateOf(t, s); state.Compiling || state.Wasm != "" || !strings.Contains(state.Error, "undefined: x") {
		t.Errorf("site.json: %+v", state)
	}
	if r := ask(s, "GET", "/"); r.StatusCode != 200 {
		t.Errorf("the page: status %d", r.StatusCode)
	}
}

// inTurn returns the results that the test sends, one per call.
type inTurn struct {
	outcomes       chan error
	builds, atOnce atomic.Int32
	overlapped     atomic.Bool
}

func (f *inTurn) Loader() []byte { return []byte("// loader\n") }

func (f *inTurn) Compile(ctx context.Context, p program) (wasm, packed []byte, err error) {
	if p != firstProgram {
		return []byte("\x00asm " + p.file), []byte("packed"), nil
	}
	f.builds.Add(1)
	if f.atOnce.Add(1) > 1 {
		f.overlapped.Store(true)
	}
	defer f.atOnce.Add(-1)
	select {
	case err = <-f.outcomes:
		return []byte("\x00asm"), []byte("packed"), err
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// settled waits until nothing is compiling.
func settled(t *testing.T, s http.Handler) siteState {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if state := stateOf(t, s); !state.Compiling {
			return state
		}
	}
	t.Fatal("still compiling")
	return siteState{}
}

// TestCompileAgain: after a failure, a page starts a new build when it opens, or when it asks for a build. Two builds
// never run at once. A page that polls, or that has a program, starts no build.
func TestCompileAgain(t *testing.T) {
	builder := &inTurn{outcomes: make(chan error)}
	s := newServer(testSource(t, sitetest.SourceTree(t, nil)), builder, true, io.Discard)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	var said bytes.Buffer
	go func() { defer close(ended); s.KeepCompiled(ctx, &said) }()

	builder.outcomes <- errors.New("main.go:3: undefined: x")
	builds := int32(1)
	for i, target := range []string{"/", "/index.html", "/site.json?again"} {
		if state := settled(t, s); state.Error == "" || state.Wasm != "" {
			t.Fatalf("after a failure: %+v", state)
		}
		for _, other := range []string{"/site.json", "/assets/stage.html", "/assets/page.js", "/wasm_exec.js", "/scenes.json"} {
			ask(s, "GET", other)
		}
		if n := builder.builds.Load(); n != builds || settled(t, s).Error == "" {
			t.Fatalf("%d builds, want %d, because no page asked for one", n, builds)
		}
		var visitors sync.WaitGroup
		for range 8 {
			visitors.Go(func() {
				r := httptest.NewRequest("GET", "http://localhost:8080"+target, nil)
				s.ServeHTTP(httptest.NewRecorder(), r)
			})
		}
		visitors.Wait()
		if state := stateOf(t, s); !state.Compiling || state.Error != "" {
			t.Errorf("%s: after a request to compile again, the page gets %+v", target, state)
		}
		var outcome error
		if i < 2 {
			outcome = errors.New("main.go:4: undefined: y")
		}
		builder.outcomes <- outcome
		builds++
	}
	state := settled(t, s)
	if state.Error != "" || state.Wasm == "" {
		t.Fatalf("after a build: %+v", state)
	}
	ask(s, "GET", "/")
	if r := ask(s, "GET", "/"+state.Wasm); r.StatusCode != 200 {
		t.Errorf("the program: status %d", r.StatusCode)
	}
	if again := stateOf(t, s); again.Wasm != state.Wasm || again.Compiling || again.Error != "" {
		t.Errorf("a page opened when the program is ready: %+v", again)
	}
	stop()
	<-ended
	if n := builder.builds.Load(); n != builds || builder.overlapped.Load() {
		t.Errorf("%d builds, want %d; two at once: %v", n, builds, builder.overlapped.Load())
	}
	if n := strings.Count(said.String(), "compiling again"); n != 3 || !strings.Contains(said.String(), "ready after") {
		t.Errorf("the terminal says %q", &said)
	}
}

func TestFaultOfADrawing(t *testing.T) {
	source := testSource(t, sitetest.SourceTree(t, nil))
	source.catalog = func() ([]byte, error) { return nil, errors.New("no such font") }
	var log bytes.Buffer
	s := newServer(source, &fakeBuilder{release: released()}, true, &log)
	r := ask(s, "GET", "/scenes.json")
	if r.StatusCode != 500 || !strings.Contains(log.String(), "no such font") {
		t.Errorf("status %d, log %q", r.StatusCode, &log)
	}
	if strings.Contains(string(body(t, r)), "font") {
		t.Error("the fault is shown to the client")
	}
}

// TestWatched: the server serves the watched log only under names that certainly belong to this machine.
func TestWatched(t *testing.T) {
	s, _ := testServer(t)
	if r := ask(s, "GET", "/watched"); r.StatusCode != http.StatusNotFound {
		t.Errorf("from a server that watches no log: %s", r.Status)
	}
	s.Watch(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		_, _ = io.WriteString(w, "log")
	}), "gpu1.example")
	for _, c := range []struct {
		loopback bool
		host     string
		status   int
	}{
		{true, "localhost:8080", 200}, {true, "127.0.0.1:8080", 200}, {true, "gpu1.example:8080", 421}, {true, "192.168.1.5", 421},
		{false, "localhost:8080", 200}, {false, "192.168.1.5:8080", 200}, {false, "[fe80::1]:8080", 200},
		{false, "GPU1.example:8080", 200}, {false, "evil.example", 421}, {false, "gpu1.example.evil.example:8080", 421},
	} {
		s.loopback = c.loopback
		r := ask(s, "GET", "/watched", "Host", c.host)
		body, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != c.status || (string(body) == "log") != (c.status == 200) {
			t.Errorf("for %s, loopback %t: %s, %q (%v)", c.host, c.loopback, r.Status, body, err)
		}
		if got := r.Header.Get("Content-Security-Policy"); got != contentPolicy {
			t.Errorf("the policy is %q", got)
		}
	}
	s.loopback = true
	if r := ask(s, "POST", "/watched"); r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %s", r.Status)
	}
}

package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"
)

// contentPolicy allows embedding anywhere, and otherwise only what the page uses: compiled wasm, a worker, and pictures
// created by the page (exports).
const contentPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self'; " +
	"img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors *"

// senderName is a page that index.html opens in a frame. It sends xAPI statements to the learning record store that the
// URL names. Under senderPolicy, only this page may contact other hosts; index.html contacts only its own host. The
// policy admits stores that use TLS or run on this machine.
const (
	senderName   = "assets/lrs.html"
	senderPolicy = "default-src 'none'; script-src 'self'; connect-src 'self' https: http://localhost:* http://127.0.0.1:*; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)

// headers are sent with every response. They allow embedding: X-Frame-Options is missing, and the resource policy admits
// other sites.
var headers = map[string]string{
	"Content-Security-Policy":      contentPolicy,
	"Cross-Origin-Resource-Policy": "cross-origin",
	"Permissions-Policy":           "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
	"Referrer-Policy":              "strict-origin-when-cross-origin",
	"X-Content-Type-Options":       "nosniff",
}

// siteState is the content of site.json, which tells the page how to load its programs.
type siteState struct {
	Wasm      string `json:"wasm,omitempty"`      // file name, relative to the page
	WasmBytes int    `json:"wasmBytes,omitempty"` // uncompressed
	WasmGzip  string `json:"wasmGzip,omitempty"`  // the same file gzipped, for hosts that do not negotiate
	Compiling bool   `json:"compiling"`
	Version   string `json:"version,omitempty"`
	Error     string `json:"error,omitempty"` // why there is no program; "" if there is one
	// Picture is the second program. It is empty while that program is compiling.
	Picture furtherState `json:"picture,omitzero"`
	// Workshop is the third program.
	Workshop furtherState `json:"workshop,omitzero"`
}

// furtherState holds what the page needs to load its second or third program.
type furtherState struct {
	Wasm      string `json:"wasm,omitempty"`
	WasmBytes int    `json:"wasmBytes,omitempty"`
	WasmGzip  string `json:"wasmGzip,omitempty"`
	Compiling bool   `json:"compiling"`
	Error     string `json:"error,omitempty"`
}

// Server responds only to requests for the site's files.
type Server struct {
	source   *Source
	builder  builder
	loopback bool      // respond only under this machine's own names
	log      io.Writer // receives the server's errors
	again    chan struct{}
	watched  http.Handler // handles watchedName; nil if no log is watched
	host     string       // another name under which the watched log is served, besides addresses and this machine's own names

	mu    sync.Mutex
	state siteState
	first func() []beginning                // the scenes' texts for the arrival data
	made  map[string]*file                  // compiled files, by name
	read  map[string]*file                  // source files as last read
	drawn map[string]func() ([]byte, error) // functions that create files on first use, by name
}

// builder compiles the page's programs. Tests replace it.
type builder interface {
	// Loader returns the script that starts a compiled program.
	Loader() []byte
	// Compile returns a program, both plain and compressed with brotli at the effort for serving.
	Compile(ctx context.Context, p program) (wasm, brotli []byte, err error)
}

// NewServer returns a server for the site in source, before anything is compiled. If loopback is true, the server
// responds only under this machine's own names. It reports errors to log.
func NewServer(ctx context.Context, source *Source, loopback bool, log io.Writer) (*Server, error) {
	if _, _, err := source.lessons(); err != nil {
		return nil, err // report the error now, not when a lesson opens
	}
	tools, err := findToolchain(ctx, source, log)
	if err != nil {
		return nil, err
	}
	source.pictures = &fileCache{tools.cache}
	return newServer(source, tools, loopback, log), nil
}

func newServer(source *Source, builder builder, loopback bool, log io.Writer) *Server {
	s := &Server{
		source:   source,
		builder:  builder,
		loopback: loopback,
		log:      log,
		again:    make(chan struct{}, 1),
		state:    siteState{Compiling: true},
		first:    sync.OnceValue(func() []beginning { return beginnings(source.scenes) }),
		made:     map[string]*file{loaderName: newFile(loaderName, builder.Loader())},
		read:     map[string]*file{},
		drawn:    map[string]func() ([]byte, error){},
	}
	drawings := source.drawings()
	drawings[singleName] = func() ([]byte, error) { return source.singlePage(builder.Loader()) }
	for name, draw := range drawings {
		s.drawn[name] = sync.OnceValues(draw)
	}
	return s
}

// watchedName is the address of the watched log. assets/stage/watch.js and sw.js use the same name.
const watchedName = "watched"

// Watch adds a watched log to the server. Call it before serving. The argument host is the name that the server listens
// on.
func (s *Server) Watch(log http.Handler, host string) { s.watched, s.host = log, host }

// KeepCompiled compiles the programs, and keeps running until ctx ends. After a failure, it compiles them again
// whenever the page asks. It reports progress to out.
func (s *Server) KeepCompiled(ctx context.Context, out io.Writer) {
	fmt.Fprintln(out, "compiling the page's program; the first time takes up to a minute")
	for {
		start := time.Now()
		switch err := s.compile(ctx); {
		case ctx.Err() != nil:
			return
		case err != nil:
			fmt.Fprintf(s.log, "paretoplay: %v\n", err)
			fmt.Fprintln(out, "correct the source and reload the page to compile again; press Ctrl-C to stop")
		default:
			fmt.Fprintf(out, "ready after %.1f s; press Ctrl-C to stop\n", time.Since(start).Seconds())
			if err := s.compileFurther(ctx, pictureProgram, &s.state.Picture); err != nil && ctx.Err() == nil {
				fmt.Fprintf(s.log, "paretoplay: cannot compile the program that exports pictures: %v\n", err)
			}
			if err := s.compileFurther(ctx, workshopProgram, &s.state.Workshop); err != nil && ctx.Err() == nil {
				fmt.Fprintf(s.log, "paretoplay: cannot compile the program that checks lessons: %v\n", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-s.again:
			fmt.Fprintln(out, "compiling again")
		}
	}
}

// compileAgain requests another build if the last one failed. Then go build finds out whether anything has changed. At
// most one request exists at a time, because only the end of a build sets an error.
func (s *Server) compileAgain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Error != "" || s.state.Picture.Error != "" || s.state.Workshop.Error != "" {
		s.state = siteState{Compiling: true}
		s.again <- struct{}{}
	}
}

// compile compiles the first program and reports the result to the page.
func (s *Server) compile(ctx context.Context) error {
	wasm, packed, err := s.builder.Compile(ctx, firstProgram)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.state = siteState{Error: err.Error()}
		return err
	}
	s.state = siteState{Wasm: s.keep(firstProgram, wasm, packed), WasmBytes: len(wasm), Version: stamp(wasm)}
	return nil
}

// compileFurther compiles another program once the page has the first program, and reports the result in state.
func (s *Server) compileFurther(ctx context.Context, p program, state *furtherState) error {
	wasm, packed, err := s.builder.Compile(ctx, p)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		*state = furtherState{Error: err.Error()}
		return err
	}
	*state = furtherState{Wasm: s.keep(p, wasm, packed), WasmBytes: len(wasm)}
	return nil
}

// keep serves a program from now on and returns its name. The caller holds the lock.
func (s *Server) keep(p program, wasm, packed []byte) (name string) {
	f := newFile(stamped(p.file, wasm), wasm)
	f.immutable = true
	f.packed["br"] = func() ([]byte, error) { return packed, nil }
	s.made[f.name] = f
	return f.name
}

// ServeHTTP responds to GET and HEAD.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	// With DNS rebinding, another site's name leads to this machine, and the site's page sends that name.
	if s.loopback && !ownName(r.Host) {
		http.Error(w, "this server answers only under the name localhost", http.StatusMisdirectedRequest)
		return
	}
	// A page that opens this one must not control this page's window. Under other names, browsers honour this header
	// only with TLS and otherwise complain.
	if ownName(r.Host) {
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "use GET or HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = pageName
	}
	if name == watchedName && s.watched != nil {
		// This check protects against rebinding even if other machines can reach the address: an unknown name may
		// belong to anyone.
		if !ownName(r.Host) && !isAddress(r.Host) && !strings.EqualFold(hostname(r.Host), s.host) {
			http.Error(w, "the log is unavailable under this name; open the page by the machine's address, or give the name in -addr",
				http.StatusMisdirectedRequest)
			return
		}
		s.watched.ServeHTTP(w, r)
		return
	}
	// Opening the page, or requesting the state again, recompiles a program that failed.
	if name == pageName || name == stateName && r.URL.Query().Has("again") {
		s.compileAgain()
	}
	if name == senderName {
		w.Header().Set("Content-Security-Policy", senderPolicy)
	}
	f, err := s.lookup(name)
	if errors.Is(err, fs.ErrNotExist) {
		http.Error(w, "no such file in this site", http.StatusNotFound)
		return
	}
	if err == nil {
		err = f.serve(w, r)
	}
	if err != nil {
		fmt.Fprintf(s.log, "paretoplay: %s: %v\n", name, err)
		http.Error(w, "the server could not create this file; its terminal says why", http.StatusInternalServerError)
	}
}

// lookup returns a file of the site, or fs.ErrNotExist.
func (s *Server) lookup(name string) (*file, error) {
	s.mu.Lock()
	state, made, before := s.state, s.made[name], s.read[name]
	s.mu.Unlock()
	if made != nil {
		return made, nil
	}
	var data []byte
	var err error
	if draw, ok := s.drawn[name]; ok {
		data, err = draw()
	} else if name == stateName {
		data, err = json.Marshal(state)
	} else if name == lessonsName || strings.HasPrefix(name, lessonsFolder) {
		data, err = s.source.lesson(name) // read again, because it may have changed
	} else {
		data, err = s.source.read(name)
		if err == nil && name == pageName {
			data, err = withArrival(data, s.first(), state)
		}
	}
	if err != nil {
		return nil, err
	}
	f := newFile(name, data)
	if before != nil && before.stamp == f.stamp {
		return before, nil // keep its compressed forms
	}
	s.mu.Lock()
	s.read[name] = f
	s.mu.Unlock()
	return f, nil
}

// serve writes the file in the client's preferred form. It returns an error only before it has written anything. A
// client that disconnects is not an error.
func (f *file) serve(w http.ResponseWriter, r *http.Request) error {
	header := w.Header()
	body, tag := f.data, f.stamp
	if len(f.packed) > 0 {
		header.Set("Vary", "Accept-Encoding")
		if encoding := negotiate(r.Header.Values("Accept-Encoding"), f.packed); encoding != "" {
			var err error
			if body, err = f.packed[encoding](); err != nil {
				return err
			}
			header.Set("Content-Encoding", encoding)
			tag += "-" + encoding
		}
	}
	header.Set("Content-Type", f.mediaType)
	header.Set("ETag", `"`+tag+`"`)
	header.Set("Cache-Control", "no-cache")
	if f.immutable {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if matches(r.Header.Values("If-None-Match"), tag) {
		header.Del("Content-Encoding")
		header.Del("Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = w.Write(body) // fails only if the client has disconnected
	}
	return nil
}

// negotiate returns the encoding that the client prefers among those in forms. If the client gives brotli and gzip the
// same weight, negotiate returns brotli. It returns "" if no encoding fits (RFC 9110, section 12.5.3).
func negotiate[F any](accept []string, forms map[string]F) string {
	quality := map[string]float64{}
	for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, parameters, _ := strings.Cut(item, ";")
		q := 1.0
		if key, value, ok := strings.Cut(strings.TrimSpace(parameters), "="); ok && strings.EqualFold(strings.TrimSpace(key), "q") {
			var err error
			if q, err = strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil || !(q >= 0 && q <= 1) {
				q = 0 // ignore malformed entries
			}
		}
		quality[strings.ToLower(strings.TrimSpace(name))] = q
	}
	of := func(name string) float64 {
		if q, ok := quality[name]; ok {
			return q
		}
		return quality["*"]
	}
	best, bestQuality := "", 0.0
	// If identity is not listed, the plain form is the last resort. If it is listed, the plain form competes with the
	// others.
	if q, ok := quality["identity"]; ok {
		bestQuality = q
	}
	for _, name := range []string{"gzip", "br"} {
		if _, ok := forms[name]; ok && of(name) > 0 && of(name) >= bestQuality {
			best, bestQuality = name, of(name)
		}
	}
	return best
}

// matches reports whether tag is among the entity tags in If-None-Match.
func matches(fields []string, tag string) bool {
	for item := range strings.SplitSeq(strings.Join(fields, ","), ",") {
		item = strings.TrimPrefix(strings.TrimSpace(item), "W/")
		if item == "*" || item == `"`+tag+`"` {
			return true
		}
	}
	return false
}

// ownName reports whether a Host header names this machine's loopback interface.
func ownName(host string) bool {
	host = hostname(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// isAddress reports whether a Host header is an IP address.
func isAddress(host string) bool {
	_, err := netip.ParseAddr(hostname(host))
	return err == nil
}

// hostname returns a Host header in lower case, without its port or an address's brackets.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.Trim(strings.ToLower(strings.TrimSuffix(host, ".")), "[]")
}

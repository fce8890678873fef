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

// contentPolicy allows what the page uses and nothing else: compiling wasm, a worker,
// pictures made in the page (exports), and being embedded anywhere.
const contentPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; worker-src 'self'; " +
	"img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors *"

// senderName is the page, within a frame of index.html, that sends xAPI statements to the learning record store that
// the address names, and its policy. Only this page may speak with other hosts, and it does nothing else: index.html
// keeps to its own. A store has TLS, or is on this machine.
const (
	senderName   = "assets/lrs.html"
	senderPolicy = "default-src 'none'; script-src 'self'; connect-src 'self' https: http://localhost:* http://127.0.0.1:*; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)

// headers are sent with every answer. Embedding is wanted, hence no
// X-Frame-Options and a resource policy that lets other sites in.
var headers = map[string]string{
	"Content-Security-Policy":      contentPolicy,
	"Cross-Origin-Resource-Policy": "cross-origin",
	"Permissions-Policy":           "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
	"Referrer-Policy":              "strict-origin-when-cross-origin",
	"X-Content-Type-Options":       "nosniff",
}

// siteState is site.json: what the page must know to load its program.
type siteState struct {
	Wasm      string `json:"wasm,omitempty"`      // file name, relative to the page
	WasmBytes int    `json:"wasmBytes,omitempty"` // uncompressed
	WasmGzip  string `json:"wasmGzip,omitempty"`  // the same, gzipped, for hosts that do not negotiate
	Compiling bool   `json:"compiling"`
	Version   string `json:"version,omitempty"`
	Error     string `json:"error,omitempty"` // why there is no program
	// Picture is the second program; compiling too where nothing is said of it.
	Picture furtherState `json:"picture,omitzero"`
	// Workshop is the third.
	Workshop furtherState `json:"workshop,omitzero"`
}

// furtherState is what the page must know to load a program beside its first.
type furtherState struct {
	Wasm      string `json:"wasm,omitempty"`
	WasmBytes int    `json:"wasmBytes,omitempty"`
	WasmGzip  string `json:"wasmGzip,omitempty"`
	Compiling bool   `json:"compiling"`
	Error     string `json:"error,omitempty"`
}

// Server answers requests for the files of the site and no others.
type Server struct {
	source   *Source
	builder  builder
	loopback bool      // answers to this machine's own names only
	log      io.Writer // for the server's faults
	again    chan struct{}
	watched  http.Handler // answers for watchedName; nil for none
	host     string       // the name by which, besides addresses and this machine's own names, the watched log may be asked for

	mu    sync.Mutex
	state siteState
	first func() []beginning                // what the page begins with
	made  map[string]*file                  // compiled, by name
	read  map[string]*file                  // from the source tree, as last read
	drawn map[string]func() ([]byte, error) // made by the scenes on first use
}

// builder compiles the page's program. It is an interface so that tests can replace it.
type builder interface {
	// Loader returns the script that starts a compiled program.
	Loader() []byte
	// Compile returns a program and its brotli form at serving effort.
	Compile(ctx context.Context, p program) (wasm, brotli []byte, err error)
}

// NewServer returns a server of the site from its source, before anything is compiled.
// With loopback it answers to this machine's own names only. It reports faults to log.
func NewServer(ctx context.Context, source *Source, loopback bool, log io.Writer) (*Server, error) {
	if _, _, err := source.lessons(); err != nil {
		return nil, err // reported now rather than when a lesson is opened
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

// watchedName is the log of a training that the page follows. As in assets/stage/watch.js and sw.js.
const watchedName = "watched"

// Watch has the server answer for the log that the page follows, before it serves. Host is the name that the server was told to listen
// on.
func (s *Server) Watch(log http.Handler, host string) { s.watched, s.host = log, host }

// KeepCompiled builds the program until ctx ends: once, and after a failure again whenever
// the program is asked for. It reports progress to out.
func (s *Server) KeepCompiled(ctx context.Context, out io.Writer) {
	fmt.Fprintln(out, "compiling the page's program; the first time takes up to a minute")
	for {
		start := time.Now()
		switch err := s.compile(ctx); {
		case ctx.Err() != nil:
			return
		case err != nil:
			fmt.Fprintf(s.log, "paretoplay: %v\n", err)
			fmt.Fprintln(out, "mend the source and reload the page to compile again; press Ctrl-C to stop")
		default:
			fmt.Fprintf(out, "ready after %.1f s; press Ctrl-C to stop\n", time.Since(start).Seconds())
			if err := s.compileFurther(ctx, pictureProgram, &s.state.Picture); err != nil && ctx.Err() == nil {
				fmt.Fprintf(s.log, "paretoplay: pictures cannot be exported: %v\n", err)
			}
			if err := s.compileFurther(ctx, workshopProgram, &s.state.Workshop); err != nil && ctx.Err() == nil {
				fmt.Fprintf(s.log, "paretoplay: lessons cannot be written on the page: %v\n", err)
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

// compileAgain asks for another build when the last one failed: go build knows whether
// there is anything new to compile. There is never more than one request, because only the
// end of the builds sets the state to a failure.
func (s *Server) compileAgain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Error != "" || s.state.Picture.Error != "" || s.state.Workshop.Error != "" {
		s.state = siteState{Compiling: true}
		s.again <- struct{}{}
	}
}

// compile builds the program and tells the page the outcome.
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

// compileFurther builds a program beside the first, once the page has that, and tells the page by state.
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

// keep serves a program from now on, under the name that it returns. The caller holds the lock.
func (s *Server) keep(p program, wasm, packed []byte) (name string) {
	f := newFile(stamped(p.file, wasm), wasm)
	f.immutable = true
	f.packed["br"] = func() ([]byte, error) { return packed, nil }
	s.made[f.name] = f
	return f.name
}

// ServeHTTP answers GET and HEAD.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range headers {
		w.Header().Set(name, value)
	}
	// A page of another site whose name was pointed at this machine (DNS
	// rebinding) arrives under that name.
	if s.loopback && !ownName(r.Host) {
		http.Error(w, "this server answers to localhost only", http.StatusMisdirectedRequest)
		return
	}
	// A page that opens this one must not get hold of its window. Under other names browsers
	// honour this header only with TLS, and complain without it.
	if ownName(r.Host) {
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = pageName
	}
	if name == watchedName && s.watched != nil {
		// Also on an address that other machines reach, against rebinding: a name that is not known may be anybody's.
		if !ownName(r.Host) && !isAddress(r.Host) && !strings.EqualFold(hostname(r.Host), s.host) {
			http.Error(w, "the log is not given out under this name; open the page by the machine's address, or name it in -addr",
				http.StatusMisdirectedRequest)
			return
		}
		s.watched.ServeHTTP(w, r)
		return
	}
	// Opening the page, or asking for the state, returns what the source makes now.
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
		http.Error(w, "the server could not make this file; its terminal says why", http.StatusInternalServerError)
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
		data, err = s.source.lesson(name) // as it is written now
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
		return before, nil // with its compressed forms
	}
	s.mu.Lock()
	s.read[name] = f
	s.mu.Unlock()
	return f, nil
}

// serve writes the file in the form the client prefers. It fails before it writes anything
// or not at all: a client that went away is no fault.
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
		_, _ = w.Write(body) // fails only when the client is gone
	}
	return nil
}

// negotiate returns the encoding of forms that the client likes best, brotli
// before gzip among equals, "" for none (RFC 9110, section 12.5.3).
func negotiate[F any](accept []string, forms map[string]F) string {
	quality := map[string]float64{}
	for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, parameters, _ := strings.Cut(item, ";")
		q := 1.0
		if key, value, ok := strings.Cut(strings.TrimSpace(parameters), "="); ok && strings.EqualFold(strings.TrimSpace(key), "q") {
			var err error
			if q, err = strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil || !(q >= 0 && q <= 1) {
				q = 0 // malformed entries do not count
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
	// Unlisted, the plain form is acceptable but last; listed, it competes.
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

// matches reports whether one of the entity tags in If-None-Match is tag.
func matches(fields []string, tag string) bool {
	for item := range strings.SplitSeq(strings.Join(fields, ","), ",") {
		item = strings.TrimPrefix(strings.TrimSpace(item), "W/")
		if item == "*" || item == `"`+tag+`"` {
			return true
		}
	}
	return false
}

// ownName reports whether a Host header names this machine's loopback.
func ownName(host string) bool {
	host = hostname(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// isAddress reports whether a Host header is an address and no name.
func isAddress(host string) bool {
	_, err := netip.ParseAddr(hostname(host))
	return err == nil
}

// hostname returns a Host header without its port, in small letters, and an address without its brackets.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.Trim(strings.ToLower(strings.TrimSuffix(host, ".")), "[]")
}

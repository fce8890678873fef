package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"paretoplay/internal/browser/chrome"
)

// These functions build the static site once and return its folder. builtSite builds the site quickly, for tests;
// publishedSite builds the site as it is published, for measurements.
var (
	builtSite     = sync.OnceValues(func() (string, error) { return build("site", "-quick") })
	publishedSite = sync.OnceValues(func() (string, error) { return build("published") })
)

func build(name string, flags ...string) (folder string, err error) {
	folder = filepath.Join(filepath.Dir(binary), name)
	if said, err := exec.Command(binary, append([]string{"build", "-o", folder}, flags...)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, said)
	}
	return folder, nil
}

// host is a static host with the built site in a folder.
type host struct {
	address   string // of the site, ending in a slash
	away      atomic.Bool
	negotiate bool // sends compressed files instead of plain ones

	mu      sync.Mutex
	changed map[string]string // files of a newer version, by name
	asked   map[string]int    // number of requests for each file
}

// hostSite starts a host for the built site. The host does not know WebAssembly's media type.
func hostSite(t testing.TB, negotiate bool) *host {
	t.Helper()
	if missing != "" {
		t.Skip("SKIPPED, the static site is not tested: " + missing)
	}
	folder, err := builtSite()
	if err != nil {
		t.Fatal(err)
	}
	return hostFolder(t, folder, negotiate)
}

// hostFolder is like hostSite, for any folder.
func hostFolder(t testing.TB, folder string, negotiate bool) *host {
	t.Helper()
	const place = "/some/where/"
	h := &host{negotiate: negotiate, changed: map[string]string{}, asked: map[string]int{}}
	files := http.StripPrefix(place, http.FileServer(http.Dir(folder)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, inside := strings.CutPrefix(r.URL.Path, place)
		if h.away.Load() {
			panic(http.ErrAbortHandler) // the connection breaks, as without a network
		}
		if !inside {
			http.NotFound(w, r)
			return
		}
		if path.Ext(name) == ".wasm" {
			w.Header().Set("Content-Type", "text/plain")
		}
		h.mu.Lock()
		text, newer := h.changed[name]
		h.asked[name]++
		h.mu.Unlock()
		if newer {
			if name == "" {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
			} else {
				w.Header().Set("Content-Type", "text/javascript")
			}
			_, _ = w.Write([]byte(text)) // fails only if the browser is gone
			return
		}
		if suffix, encoding := h.packed(folder, name, r.Header.Get("Accept-Encoding")); suffix != "" {
			if w.Header().Get("Content-Type") == "" {
				w.Header().Set("Content-Type", map[string]string{".js": "text/javascript", ".css": "text/css", ".json": "application/json",
					".html": "text/html", ".svg": "image/svg+xml", ".txt": "text/plain"}[path.Ext(name)])
			}
			w.Header().Set("Content-Encoding", encoding)
			r.URL.Path += suffix
		}
		files.ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = nil
	t.Cleanup(server.Close)
	h.address = server.URL + place
	return h
}

// packed returns the suffix and the encoding of the compressed form of a file that a client gets, or "" for both if the
// client gets the file itself.
func (h *host) packed(folder, name, accepted string) (suffix, encoding string) {
	for _, form := range [][2]string{{".br", "br"}, {".gz", "gzip"}} {
		_, err := os.Stat(filepath.Join(folder, filepath.FromSlash(name)+form[0]))
		if h.negotiate && err == nil && strings.Contains(accepted, form[1]) {
			return form[0], form[1]
		}
	}
	return "", ""
}

// newer replaces a text in a file of the site, as a newer version would.
func (h *host) newer(t *testing.T, name, old, new string) {
	t.Helper()
	folder, err := builtSite()
	if err != nil {
		t.Fatal(err)
	}
	file := name
	if file == "" {
		file = "index.html"
	}
	data, err := os.ReadFile(filepath.Join(folder, file))
	if err != nil || !strings.Contains(string(data), old) {
		t.Fatalf("%s has no %q: %v", file, old, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.changed[name] = strings.Replace(string(data), old, new, 1)
}

// times returns how often a file was requested.
func (h *host) times(name string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.asked[name]
}

// requests holds the addresses that a tab and its frames requested.
type requests struct {
	mu   sync.Mutex
	seen []string
}

// noting records the tab's requests.
func noting(to *requests) option {
	return func(p *page) {
		p.listen(func(event any) {
			if request, is := event.(chrome.Request); is {
				to.mu.Lock()
				defer to.mu.Unlock()
				to.seen = append(to.seen, request.Address)
			}
		})
	}
}

// with returns the addresses that contain the text.
func (r *requests) with(text string) (found []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, address := range r.seen {
		if strings.Contains(address, text) {
			found = append(found, address)
		}
	}
	return found
}

// TestStaticSite: the static site works in any folder of a host that neither compresses files nor knows WebAssembly's
// media type.
func TestStaticSite(t *testing.T) {
	t.Parallel()
	h := hostSite(t, false)
	p := open(t, h.address+resting)
	p.js(nil, `() => playground.ready`)
	p.js(nil, `() => playground.step(3)`)
	if s := p.state(); s.Latest != 3 || len(s.Runs) != 10 {
		t.Errorf("iteration %d with %d runs", s.Latest, len(s.Runs))
	}
	var foot []string
	p.js(&foot, `async () => Promise.all([...document.querySelectorAll('.foot a')].map(async (link) => {
		const answer = await fetch(link.href);
		const text = await answer.text();
		return [link.textContent, answer.status, text.match(/<title>(.*)<\/title>/)?.[1] ?? text.slice(0, 27)].join(' ');
	}))`)
	want := []string{"For teachers 200 For teachers – Pareto Playground",
		"A one-term course 200 For teachers – Pareto Playground", "Licences 200 What the program paretoplay"}
	if !slices.Equal(foot, want) {
		t.Errorf("the links in the footer lead to %q, want %q", foot, want)
	}
	// The page decompresses the program: only a third of its bytes are received.
	p.mu.Lock()
	defer p.mu.Unlock()
	t.Logf("%.1f MB arrived", p.bytes/1e6)
	if p.bytes > 12e6 {
		t.Errorf("%.1f MB arrived, as if without compression", p.bytes/1e6)
	}
}

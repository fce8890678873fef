package browser

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// The static site works from any folder of a host that compresses nothing and
// does not know the type of a program.
func TestStaticSite(t *testing.T) {
	t.Parallel()
	if missing != "" {
		t.Skip("SKIPPED, the static site is not tested: " + missing)
	}
	folder := filepath.Join(t.TempDir(), "site")
	if said, err := exec.Command(binary, "build", "-quick", "-o", folder).CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, said)
	}
	files := http.StripPrefix("/some/where/", http.FileServer(http.Dir(folder)))
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !strings.HasPrefix(r.URL.Path, "/some/where/"):
			http.NotFound(w, r)
			return
		case path.Ext(r.URL.Path) == ".wasm":
			w.Header().Set("Content-Type", "text/plain")
		}
		files.ServeHTTP(w, r)
	}))
	defer host.Close()
	p := open(t, host.URL+"/some/where/"+resting)
	p.js(nil, `() => playground.ready`)
	p.js(nil, `() => playground.step(3)`)
	if s := p.state(); s.Latest != 3 || len(s.Runs) != 10 {
		t.Errorf("iteration %d with %d runs", s.Latest, len(s.Runs))
	}
	var notices string
	p.js(&notices, `async () => {
		const link = document.querySelector('.foot a');
		const answer = await fetch(link.href);
		return link.textContent + ' ' + answer.status + ' ' + (await answer.text()).slice(0, 40);
	}`)
	if !strings.HasPrefix(notices, "Licences 200 What the program paretoplay") {
		t.Errorf("the link to the notices leads to %q", notices)
	}
	// The program is unpacked in the page: a third of its bytes arrive.
	p.mu.Lock()
	defer p.mu.Unlock()
	t.Logf("%.1f MB arrived", p.bytes/1e6)
	if p.bytes > 12e6 {
		t.Errorf("%.1f MB arrived, as if nothing were compressed", p.bytes/1e6)
	}
}

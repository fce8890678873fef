package watch

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Page is the query and fragment that open the page for a served log. It is appended to the site's address.
const Page = "?watch#v=1&scene=log&source=data"

// aboutHeader is the response header that describes a version, as JSON. Everything except letters and digits is
// percent-encoded.
const aboutHeader = "X-Watched"

// longest is the maximum time that a request waits for a new version.
const longest = 25 * time.Second

// about describes a version. The page receives it together with the bytes.
type about struct {
	Name    string   `json:"name"`
	Names   []string `json:"names,omitempty"`   // order of the losses, if the user specified one
	Records int      `json:"records"`           // 0 if no version could be read
	Changed int64    `json:"changed"`           // milliseconds since 1 January 1970
	SHA256  string   `json:"sha256"`            // hash of the bytes; "" if there are none
	Problem string   `json:"problem,omitempty"` // reason why the file cannot be read now
}

// ServeHTTP responds with the current version: its bytes, or 204 if no version could be read. If the request contains
// the current version's tag, ServeHTTP waits up to 25 seconds for a new version, and responds with 304 if none
// arrives. It refuses requests from pages of other sites.
func (f *Follower) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.answer(w, r, longest) }

func (f *Follower) answer(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	header := w.Header()
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
	if !ofOwnPage(r) {
		http.Error(w, "only the page of this server may read the log", http.StatusForbidden)
		return
	}
	// Without this line, the server's read timeout would end the wait.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // recorders in tests have no deadline
	ctx, cancel := context.WithTimeout(r.Context(), wait)
	defer cancel()
	tag := strings.Trim(r.Header.Get("If-None-Match"), `"`)
	v := f.Next(ctx, tag)
	header.Set("ETag", `"`+v.Tag+`"`)
	if v.Tag == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	of := about{Name: f.Name(), Names: f.names, Problem: v.Problem}
	if v.Data != nil {
		of.Records, of.Changed, of.SHA256 = v.Log.Records(), v.Changed.UnixMilli(), sum(v.Data)
	}
	text, err := json.Marshal(of)
	if err != nil { // impossible for a struct of texts and numbers
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	header.Set(aboutHeader, url.PathEscape(string(text)))
	if v.Data == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Length", strconv.Itoa(len(v.Data)))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = w.Write(v.Data) // fails only if the page has been closed
	}
}

// ofOwnPage reports whether a request comes from a page of the same origin or from the address bar. Browsers mark
// requests from other pages.
func ofOwnPage(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	of, err := url.Parse(origin)
	return err == nil && of.Host == r.Host
}

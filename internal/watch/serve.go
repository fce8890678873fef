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

// Page is what follows the address of a site that serves a log, to open the page on it.
const Page = "?watch#v=1&scene=log&source=data"

// aboutHeader names the header that describes a version: JSON, with all but letters and digits as in a URL.
const aboutHeader = "X-Watched"

// longest is how long a request waits for another version.
const longest = 25 * time.Second

// about is what the page is told of a version beside its bytes.
type about struct {
	Name    string   `json:"name"`
	Names   []string `json:"names,omitempty"`   // the order of the losses, where it was given
	Records int      `json:"records"`           // 0 while nothing can be read
	Changed int64    `json:"changed"`           // milliseconds since 1970
	SHA256  string   `json:"sha256"`            // of the bytes, "" for none
	Problem string   `json:"problem,omitempty"` // why what is there now cannot be read
}

// ServeHTTP answers with the present version: its bytes, 204 while nothing can be read, or 304 if it is the one whose tag the request
// names and stays so for 25 seconds. Only the site's own page is answered.
func (f *Follower) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.answer(w, r, longest) }

func (f *Follower) answer(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	header := w.Header()
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", "no-store")
	if !ofOwnPage(r) {
		http.Error(w, "only the page of this server may read the log", http.StatusForbidden)
		return
	}
	// The server limits how long a request may take to arrive, and would take this one for given up.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // which a recorder in a test does not have
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
	if err != nil { // a structure of texts and numbers has its JSON
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
		_, _ = w.Write(v.Data) // fails only when the page is gone
	}
}

// ofOwnPage reports whether a request comes from a page of the same origin, or was typed: browsers say so of other pages.
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

package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paretoplay/algo/runlog"
)

// npz returns a log with the given number of records.
func npz(t *testing.T, records int) []byte {
	t.Helper()
	l, err := runlog.Read(strings.NewReader(lines(records)), runlog.PageBytes)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := l.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func lines(records int) string {
	var out strings.Builder
	for k := range records {
		fmt.Fprintf(&out, `{"step": %d, "losses": [1, 2], "gramian": [[1, -0.5], [-0.5, 2]]}`+"\n", 10*k)
	}
	return out.String()
}

// followed is a follower with a simulated clock.
type followed struct {
	*testing.T
	*Follower
	path  string
	clock time.Time
}

func follow(t *testing.T, name string) *followed {
	path := filepath.Join(t.TempDir(), name)
	return &followed{t, New(path, nil), path, time.Unix(0, 0)}
}

// write writes the file next to its destination and renames it, as the recorder does.
func (f *followed) write(data []byte) {
	f.Helper()
	f.writeInPlace(f.path+".part", data)
	if err := os.Rename(f.path+".part", f.path); err != nil {
		f.Fatal(err)
	}
}

func (f *followed) writeInPlace(path string, data []byte) {
	f.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		f.Fatal(err)
	}
}

// after advances the clock, checks the file, and expects the given problem and number of records. The number is 0 if
// nothing can be read.
func (f *followed) after(seconds float64, records int, problem string) {
	f.Helper()
	f.clock = f.clock.Add(time.Duration(seconds * float64(time.Second)))
	f.look(f.clock)
	v := f.Next(f.Context(), "")
	got := 0
	if v.Data != nil {
		got = v.Log.Records()
	}
	if got != records || problem == "" && v.Problem != "" || !strings.Contains(v.Problem, problem) {
		f.Errorf("%d records and the problem %q, want %d and %q", got, v.Problem, records, problem)
	}
}

// TestGrowing checks that a file is read immediately when the recorder rewrites it, and that the follower waits for a
// missing file.
func TestGrowing(t *testing.T) {
	f := follow(t, "run.npz")
	f.after(0, 0, "the file does not exist yet")
	f.after(5, 0, "the file does not exist yet")
	f.write(npz(t, 5))
	f.after(.5, 5, "")
	f.after(9, 5, "")
	f.write(npz(t, 9))
	f.after(.5, 9, "")
	f.write(npz(t, 3)) // another run
	f.after(.5, 3, "")
	before := f.Next(t.Context(), "").Changed
	if stat, err := os.Stat(f.path); err != nil || !before.Equal(stat.ModTime()) {
		t.Errorf("it was written at %v, want %v (%v)", before, stat.ModTime(), err)
	}
	if err := os.Remove(f.path); err != nil {
		t.Fatal(err)
	}
	f.after(.5, 3, "")
	f.after(3, 3, "the file has been removed")
	f.write(npz(t, 4))
	f.after(.5, 4, "")
}

// TestHalfWritten checks that the last version stays if a file cannot be read. The problem is reported only if it
// lasts.
func TestHalfWritten(t *testing.T) {
	f := follow(t, "run.npz")
	whole := npz(t, 50)
	f.writeInPlace(f.path, whole[:len(whole)/2])
	f.after(0, 0, "")
	f.after(2.5, 0, "cut off")
	f.writeInPlace(f.path, whole)
	f.after(.5, 50, "")
	f.after(9, 50, "")
	f.writeInPlace(f.path, nil)
	f.after(.5, 50, "")
	f.writeInPlace(f.path, []byte("losses: none\n"))
	f.after(.5, 50, "")
	f.after(2.5, 50, "a JSON object is expected")
	f.writeInPlace(f.path, []byte(lines(1)))
	f.after(.5, 50, "a JSON object is expected") // until the new bytes are parsed
	f.after(2.5, 50, "the number of records is 1")
	f.writeInPlace(f.path, []byte(lines(2)+`{"step": 20, "lo`))
	f.after(.5, 2, "")
	f.after(3, 2, "")
	f.writeInPlace(f.path, []byte(lines(3)))
	f.after(.5, 3, "")
}

// TestSameSize checks that a file is read again after two writes within one tick of the file system's clock, and
// after a replacement with the same size and time.
func TestSameSize(t *testing.T) {
	f := follow(t, "run.jsonl")
	at := time.Unix(1e9, 0)
	write := func(loss string, renamed bool) {
		t.Helper()
		data := []byte(strings.ReplaceAll(lines(2), "[1, 2]", "["+loss+", 2]"))
		if renamed {
			f.write(data)
		} else {
			f.writeInPlace(f.path, data)
		}
		if err := os.Chtimes(f.path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	says := func(loss string) {
		t.Helper()
		if v := f.Next(t.Context(), ""); !bytes.Contains(v.Data, []byte("["+loss+", 2]")) {
			t.Errorf("it has not the loss %s: %s", loss, v.Data)
		}
	}
	write("1", false)
	f.after(0, 2, "")
	write("3", false)
	f.after(1, 2, "")
	says("3")
	f.after(9, 2, "")
	f.after(9, 2, "")
	write("5", true)
	f.after(1, 2, "")
	says("5")
}

// TestFolders checks that the page receives a zip of a tracker's folder. Paths that are neither files nor folders,
// and files that are too large, are reported.
func TestFolders(t *testing.T) {
	f := follow(t, "mlflow")
	f.names = []string{"train/depth", "tiny", "huge"}
	if err := os.CopyFS(f.path, os.DirFS(filepath.FromSlash("../../algo/runlog/testdata/trackers/mlflow-file"))); err != nil {
		t.Fatal(err)
	}
	f.after(0, 11, "")
	f.after(9, 11, "")
	if v := f.Next(t.Context(), ""); !bytes.HasPrefix(v.Data, []byte("PK")) {
		t.Errorf("the page is given %.10q", v.Data)
	}
	empty := follow(t, "")
	empty.after(0, 0, "")
	empty.after(3, 0, "without files of a tracker")
	large := follow(t, "large.jsonl")
	large.writeInPlace(large.path, nil)
	if err := os.Truncate(large.path, runlog.PageBytes+1); err != nil {
		t.Fatal(err)
	}
	large.after(0, 0, "")
	large.after(3, 0, "it is larger than 64 MB, the maximum that the page reads")
}

// ask requests the log as a page does.
func (f *followed) ask(wait time.Duration, headers ...string) (*http.Response, about) {
	f.Helper()
	r := httptest.NewRequestWithContext(f.Context(), http.MethodGet, "http://localhost:8080/watched", nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	f.answer(w, r, wait)
	answer, of := w.Result(), about{}
	if text, err := url.PathUnescape(answer.Header.Get(aboutHeader)); err != nil || text != "" && json.Unmarshal([]byte(text), &of) != nil {
		f.Fatal(text, err)
	}
	return answer, of
}

// TestAnswers checks that a page without a version receives the current one immediately. A page with the current
// version waits for the next one, and receives a 304 if none arrives.
func TestAnswers(t *testing.T) {
	f := follow(t, "läuft.npz")
	f.after(0, 0, "the file does not exist yet")
	answer, of := f.ask(time.Minute)
	if answer.StatusCode != http.StatusNoContent || of.Name != "läuft.npz" || of.Problem != "the file does not exist yet" || of.Records != 0 {
		t.Errorf("without a file: %s, %+v", answer.Status, of)
	}
	f.write(npz(t, 5))
	f.after(.5, 5, "")
	answer, of = f.ask(time.Minute, "If-None-Match", answer.Header.Get("ETag"), "Sec-Fetch-Site", "same-origin")
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || !bytes.Equal(body, npz(t, 5)) || of.Records != 5 || of.SHA256 != sum(body) ||
		time.Since(time.UnixMilli(of.Changed)) > time.Minute {
		t.Errorf("with a file: %s, %d bytes, %+v (%v)", answer.Status, len(body), of, err)
	}
	for name, want := range map[string]string{"Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin"} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	tag := answer.Header.Get("ETag")
	if answer, of = f.ask(10*time.Millisecond, "If-None-Match", tag); answer.StatusCode != http.StatusNotModified || of.Records != 0 {
		t.Errorf("without a change: %s, %+v", answer.Status, of)
	}
	go func() {
		time.Sleep(20 * time.Millisecond)
		f.writeInPlace(f.path, npz(t, 7))
		f.look(f.clock.Add(time.Second))
	}()
	if answer, of = f.ask(time.Minute, "If-None-Match", tag); answer.StatusCode != http.StatusOK || of.Records != 7 {
		t.Errorf("with a change: %s, %+v", answer.Status, of)
	}
	for _, headers := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Origin", "http://evil.example"},
		{"Origin", "null"}, {"Origin", "http://localhost:8081"}} {
		if answer, of := f.ask(time.Minute, headers...); answer.StatusCode != http.StatusForbidden || of.Name != "" {
			t.Errorf("%v: %s, %+v", headers, answer.Status, of)
		}
	}
	if answer, _ := f.ask(time.Minute, "Origin", "http://localhost:8080"); answer.StatusCode != http.StatusOK {
		t.Errorf("from the same origin: %s", answer.Status)
	}
}

// TestWaitOutlastsArrival checks that the server's read timeout does not end the wait.
func TestWaitOutlastsArrival(t *testing.T) {
	f := follow(t, "run.npz")
	f.after(0, 0, "the file does not exist yet")
	tag := f.Next(t.Context(), "").Tag
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f.answer(w, r, time.Minute) }))
	server.Config.ReadTimeout = 50 * time.Millisecond
	server.Start()
	defer server.Close()
	go func() {
		time.Sleep(200 * time.Millisecond)
		f.write(npz(t, 5))
		f.look(f.clock.Add(time.Second))
	}()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("If-None-Match", `"`+tag+`"`)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("the answer is %s", answer.Status)
	}
}

// TestEnd checks that waiting requests end when Run ends.
func TestEnd(t *testing.T) {
	f := follow(t, "run.npz")
	f.write(npz(t, 5))
	f.every = time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { f.Follower.Run(ctx); close(ended) }()
	tag := New("", nil).now.Tag // before the first look
	v := f.Next(t.Context(), tag)
	if v.Log == nil || v.Log.Records() != 5 {
		t.Errorf("the version is %+v", v)
	}
	time.AfterFunc(20*time.Millisecond, stop)
	if again := f.Next(t.Context(), v.Tag); again.Tag != v.Tag {
		t.Errorf("without a change: %+v", again)
	}
	<-ended
}

// TestDocuments checks that the documentation states the waiting times and the recorder's writing interval.
func TestDocuments(t *testing.T) {
	f := New("", nil)
	for file, says := range map[string][]string{
		"runlog.md": {"looks twice a second", "after two seconds the page and the",
			"The recorder writes at 20 records, then whenever there are a quarter and 20 more"},
		"page.md":               {"after 25 seconds with 304"},
		"recorder/paretolog.py": {"None, None, None, 20\n", "self.due = len(self.rows) * 5 // 4 + 20\n"},
	} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, sentence := range says {
			if !strings.Contains(string(text), sentence) {
				t.Errorf("%s does not say %q", file, sentence)
			}
		}
	}
	if f.every != time.Second/2 || f.rest != 2*time.Second || longest != 25*time.Second {
		t.Errorf("it looks every %v, waits %v for a writer, and lets a page wait for %v", f.every, f.rest, longest)
	}
}

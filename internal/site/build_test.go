package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/site/sitetest"
	"paretoplay/scenes"
)

func sorted(names []string) string {
	slices.Sort(names)
	return strings.Join(names, " ")
}

// tree returns the files below dir by slash-separated name.
func tree(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && name != "." {
			files[name+"/"] = nil
		} else if err == nil && !entry.IsDir() {
			files[name], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func one(t *testing.T, dir, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %v, %v; want one", pattern, found, err)
	}
	return filepath.Base(found[0])
}

// TestBuild builds the site twice, as a user does, and requests its files from a plain host that has the site in a
// folder.
func TestBuild(t *testing.T) {
	t.Setenv("GOCACHE", sitetest.GoCache(t))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	defer func(all scene.List) { shown = all }(shown)
	lab, err := scenes.All.Find("lab")
	if err != nil {
		t.Fatal(err)
	}
	lab.Presets = lab.Presets[:1]
	shown = scene.List{lab}
	dir := sitetest.SourceTree(t, nil)
	host := t.TempDir()
	out := filepath.Join(host, "deep", "play")
	t.Chdir(dir)
	var stdout, stderr bytes.Buffer
	options := BuildOptions{Folder: out, Quick: true, Notices: "notices\n"}
	if err := Build(t.Context(), options, &stdout, &stderr); err != nil || stderr.Len() > 0 || !strings.Contains(stdout.String(), "files") {
		t.Fatalf("%v, %q, %q", err, &stdout, &stderr)
	}
	site := tree(t, out)
	assets, program, loader := one(t, out, "assets-*"), one(t, out, "paretoplay-*.wasm"), one(t, out, "wasm_exec-*.js")
	picture := one(t, out, "picture-*.wasm")
	for name, data := range site {
		plainName, packed := strings.CutSuffix(name, ".br")
		if packed {
			if plain, err := io.ReadAll(brotli.NewReader(bytes.NewReader(data))); err != nil || !bytes.Equal(plain, site[plainName]) {
				t.Errorf("%s does not unpack to the file beside it: %v", name, err)
			}
			continue
		}
		if plainName, packed = strings.CutSuffix(name, ".gz"); packed {
			r, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if plain, err := io.ReadAll(r); err != nil || !bytes.Equal(plain, site[plainName]) {
				t.Errorf("%s does not unpack to the file beside it: %v", name, err)
			}
			continue
		}
		if extension := path.Ext(name); strings.Contains(".wasm.js.css.html.svg.json", extension) && extension != "" &&
			(site[name+".br"] == nil || site[name+".gz"] == nil) {
			t.Errorf("%s has no compressed forms", name)
		}
		if !strings.HasSuffix(name, "/") && len(data) == 0 {
			t.Errorf("%s is empty", name)
		}
	}
	var plain []string
	for name := range site {
		if !strings.HasSuffix(name, ".br") && !strings.HasSuffix(name, ".gz") && !strings.HasSuffix(name, "/") {
			plain = append(plain, strings.ReplaceAll(name, assets, "A"))
		}
	}
	want := []string{
		"A/deep/map.png", "A/dom.js", "A/icon.svg", "A/page.css", "A/page.js", "A/stage.html", "index.html", noticesName, markerName,
		"A/shell/gallery.css", "A/lesson/lesson.css", "A/lesson/review.js", "A/shell/theme-start.js", "A/shell/theme.css", reviewName,
		"A/platform/embed-start.js", "A/platform/embed.css", embedName, "A/lesson/workshop.css", "A/lesson/workshop.js", workshopName,
		"A/controls/controls.css", "A/platform/files.js", "A/shell/dom.js", "A/shell/help.js", "A/shell/hero.js", "A/lesson/teaching.js",
		singleName,
		pathsName,
		one(t, out, "workshop-*.wasm"),
		program, picture, loader, "scenes.json", "site.json", "sw.js", "lessons.json", "lessons/01-angle.json",
		"thumbs/lab-dark.png", "thumbs/lab-light.png", "thumbs/lab-narrow-dark.png", "thumbs/lab-narrow-light.png",
		"thumbs/lab-strip-dark.png", "thumbs/lab-strip-light.png", "thumbs/tradeoff-dark.gif", "thumbs/tradeoff-light.gif",
		"thumbs/lab-wide-dark.png", "thumbs/lab-wide-light.png", "thumbs/tradeoff-dark.png", "thumbs/tradeoff-light.png",
		thumbName("lab", lab.Presets[0].ID, "dark"), thumbName("lab", lab.Presets[0].ID, "light"),
	}
	if sorted(plain) != sorted(want) {
		t.Errorf("the site consists of\n%s, want\n%s", sorted(plain), sorted(want))
	}

	// A host that does not negotiate compression serves the site from a folder.
	server := httptest.NewServer(http.FileServer(http.Dir(host)))
	defer server.Close()
	get := func(name string) []byte {
		r, err := http.Get(server.URL + "/deep/play/" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if r.StatusCode != 200 {
			t.Errorf("%s: status %d", name, r.StatusCode)
		}
		return body(t, r)
	}
	page := string(get(""))
	if strings.Contains(page, `"assets/`) || strings.Contains(page, `./assets/`) || !strings.Contains(page, `src="`+assets+`/stage.html"`) {
		t.Error("the page refers to the folder by its old name")
	}
	if script := string(get(assets + "/page.js")); !strings.Contains(script, "'"+assets+"/stage.html'") ||
		!strings.Contains(script, "'./dom.js'") {
		t.Errorf("page.js: %.200s", script)
	}
	if stage := string(get(assets + "/stage.html")); !strings.Contains(stage, `"../`+loader+`"`) {
		t.Errorf("stage.html: %s", stage)
	}
	var state siteState
	if err := json.Unmarshal(get("site.json"), &state); err != nil {
		t.Fatal(err)
	}
	if state.Wasm != program || state.WasmGzip != program+".gz" || state.WasmBytes != len(get(state.Wasm)) || state.Compiling ||
		state.Version == "" {
		t.Errorf("site.json: %+v", state)
	}
	get(state.WasmGzip)
	if want := (furtherState{Wasm: picture, WasmBytes: len(get(picture)), WasmGzip: picture + ".gz"}); state.Picture != want {
		t.Errorf("site.json has %+v for the second program, want %+v", state.Picture, want)
	}
	get(state.Picture.WasmGzip)
	get(state.Workshop.WasmGzip)

	// The worker lists each file of the site once. It lists the page and the program separately from the other files.
	worker := regexp.MustCompile(`const BUILT = (.*);`).FindStringSubmatch(string(get("sw.js")))
	var built struct {
		Version, Page, Gzip    string
		Later                  string
		Programs, Kept, Spared []string
	}
	if worker == nil {
		t.Fatal("sw.js lacks the list of the site's files")
	}
	if err := json.Unmarshal([]byte(worker[1]), &built); err != nil {
		t.Fatal(err)
	}
	var keeps []string
	alone := []string{"index.html", "sw.js", markerName, built.Later}
	for _, name := range slices.Concat(built.Kept, built.Spared, built.Programs, alone) {
		keeps = append(keeps, strings.ReplaceAll(name, assets, "A"))
	}
	if sorted(keeps) != sorted(plain) || !slices.Equal(built.Programs, []string{program, picture}) ||
		built.Gzip != ".gz" || built.Version == "" ||
		!strings.Contains(page, built.Page) || len(built.Spared) != 9 || built.Later != state.Workshop.Wasm {
		t.Errorf("the worker keeps\n%s of\n%s; %+v", sorted(keeps), sorted(plain), built)
	}

	// A second build replaces the files of changed sources and leaves other files alone.
	if err := os.WriteFile(filepath.Join(out, "CNAME"), []byte("play.example\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "assets", "page.css"), []byte("body { color: red }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Build(t.Context(), options, io.Discard, io.Discard); err != nil {
		t.Fatalf("second build: %v", err)
	}
	if now := one(t, out, "assets-*"); now == assets {
		t.Error("the folder kept its name although a file in it changed")
	}
	if one(t, out, "paretoplay-*.wasm") != program {
		t.Error("the program's name changed although its contents did not")
	}
	if string(tree(t, out)["CNAME"]) != "play.example\n" {
		t.Error("a foreign file is gone")
	}
	if len(tree(t, out)) != len(site)+1 {
		t.Errorf("%d files after the second build, want %d", len(tree(t, out)), len(site)+1)
	}
}

// TestInterruptedBuild stops a build before it replaces the page. The files that the new page refers to must then be in
// place, and the next build must complete the folder.
func TestInterruptedBuild(t *testing.T) {
	out := filepath.Join(t.TempDir(), "dist")
	write := func(files map[string][]byte) error {
		target, err := openTarget(out, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer target.close()
		return target.write(files)
	}
	if err := write(map[string][]byte{"index.html": []byte("1"), "assets-1/a/b.js": []byte("1")}); err != nil {
		t.Fatal(err)
	}
	// index.html is written last. A folder with that name stops the second build there.
	if err := os.Remove(filepath.Join(out, "index.html")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(out, "index.html", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := write(map[string][]byte{"index.html": []byte("2"), "assets-2/b.js": []byte("2")}); err == nil {
		t.Fatal("the second build should have failed")
	}
	if _, err := os.Stat(filepath.Join(out, "assets-2", "b.js")); err != nil {
		t.Fatalf("the page was written before the files that it refers to: %v", err)
	}
	if err := os.RemoveAll(filepath.Join(out, "index.html")); err != nil {
		t.Fatal(err)
	}
	if err := write(map[string][]byte{"index.html": []byte("3"), "assets-3/b.js": []byte("3")}); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range tree(t, out) {
		names = append(names, name)
	}
	if got, want := sorted(names), ".paretoplay-site assets-3/ assets-3/b.js index.html"; got != want {
		t.Errorf("after the third build: %s, want %s", got, want)
	}
}

// TestBuildStopped: a cancelled build leaves nothing that looks like a site.
func TestBuildStopped(t *testing.T) {
	dir, out := sitetest.SourceTree(t, nil), filepath.Join(t.TempDir(), "dist")
	t.Chdir(dir)
	testToolchain(t, dir)
	ctx, stop := context.WithCancel(t.Context())
	reports := writerFunc(func(p []byte) (int, error) {
		stop() // compiling has begun
		return len(p), nil
	})
	if err := Build(ctx, BuildOptions{Folder: out, Quick: true}, reports, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if site := tree(t, out); len(site) != 0 {
		t.Errorf("it leaves %v", site)
	}
}

// writerFunc turns a function into an io.Writer.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// TestBuildWithoutRoom: if a file cannot be written, the earlier site stays unchanged.
func TestBuildWithoutRoom(t *testing.T) {
	out := filepath.Join(t.TempDir(), "dist")
	target, err := openTarget(out, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer target.close()
	if err := target.write(map[string][]byte{"index.html": []byte("1"), "a.js": []byte("1")}); err != nil {
		t.Fatal(err)
	}
	// Writing the last file fails: its name is too long for the file system.
	long := strings.Repeat("z", 300)
	if err := target.write(map[string][]byte{"index.html": []byte("2"), "a.js": []byte("2"), long: []byte("2")}); err == nil {
		t.Fatal("the second build should have failed")
	}
	site := tree(t, out)
	if string(site["index.html"]) != "1" || string(site["a.js"]) != "1" || len(site) != 3 {
		t.Errorf("the earlier site is now %v", site)
	}
	// The next build removes the remains of a killed build.
	if err := os.MkdirAll(filepath.Join(out, nextName, "old"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := target.write(map[string][]byte{"index.html": []byte("3")}); err != nil {
		t.Fatal(err)
	}
	if site := tree(t, out); string(site["index.html"]) != "3" || site[nextName+"/"] != nil {
		t.Errorf("the next site is %v", site)
	}
}

// TestMarkerCannotReachOut: a build deletes nothing outside its folder, even if the marker file lists paths there.
func TestMarkerCannotReachOut(t *testing.T) {
	parent := t.TempDir()
	victim := filepath.Join(parent, "victim.txt")
	out := filepath.Join(parent, "dist")
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{victim: "dear", filepath.Join(out, markerName): "../victim.txt\n" + victim + "\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	target, err := openTarget(out, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer target.close()
	if err := target.write(map[string][]byte{"index.html": []byte("1")}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(victim); err != nil {
		t.Error(err)
	}
}

func TestCheckReferences(t *testing.T) {
	for _, c := range []struct {
		name, text, fault string
	}{
		{"index.html", `<img src="pic.png"><a href="?a=1"></a><a href="./"></a>` +
			`<a href="pic.png#x"></a><a href="mailto:a@b"></a><img src="data:,x">`, ""},
		{"index.html", `<img src="/pic.png">`, "relative"},
		{"index.html", `<script src="a/none.js"></script>`, "a/none.js"},
		{"a/b.html", `<img src="../pic.png">`, ""},
		{"a/b.html", `<img src="pic.png">`, "pic.png"},
		{"a/b.js", `import { x } from "./c.js"`, "./c.js"},
		{"a/b.js", `const m = await import('../d.js')`, "../d.js"},
		{"a/b.js", `import "https://cdn.example/x.js"`, ""},
		{"a/b.css", `i { background: url("../pic.png") }`, ""},
		{"a/b.css", `i { background: url(none.png) }`, "none.png"},
	} {
		err := checkReferences(map[string][]byte{"index.html": []byte("x"), "pic.png": []byte("x"), c.name: []byte(c.text)})
		if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s with %s: %v, want %q", c.name, c.text, err, c.fault)
		}
	}
}

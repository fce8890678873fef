package check

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// room is one of our packages with its imports and the additional imports of its tests.
type room struct {
	ImportPath  string
	Imports     []string
	TestImports []string
}

// rooms lists all our packages as built for a platform.
func rooms(t *testing.T, environment ...string) []room {
	t.Helper()
	command := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports", "./...")
	command.Env = append(os.Environ(), environment...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []room
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var r room
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// layers lists folders from the bottom up. A package may import from lower layers. It may import from its own layer
// unless its folder has "/*". Packages directly below a folder with "/*", such as the scenes, never import each other,
// and the folder itself is above them.
var layers = [][]string{
	{"internal/portable", "internal/numeral", "internal/pattern"},
	{"algo"}, {"internal/engine/timeline"}, {"internal/draw"}, {"internal/engine"}, {"internal/study/*"}, {"scenes/*"},
	{"internal/study/claims", "internal/teach"}, {"wasm"}, {"docs", "assets/lessons", "internal/atomicfile"},
	{"internal/site", "internal/watch", "internal/command", "python", ""},
}

// layer returns the height of a package, or -1 if no folder in layers contains it. The longest matching folder counts.
// alone reports whether the package must not import others of its layer.
func layer(name string) (height int, alone bool) {
	height, longest := -1, -1
	for i, folders := range layers {
		for _, folder := range folders {
			parent, each := strings.CutSuffix(folder, "/*")
			holds := name == parent || parent != "" && strings.HasPrefix(name, parent+"/")
			if holds && len(folder) > longest {
				height, alone, longest = i, each && name != parent, len(folder)
			}
		}
	}
	return height, alone
}

// TestPageStaysSmall: packages with much unused code stay out of the page. These are gonum's factorizations, since
// using one of them links all of them; gonum/plot's root package, which links twelve fonts; these fonts; and the
// readers of lessons.
func TestPageStaysSmall(t *testing.T) {
	command := exec.Command("go", "list", "-deps", "./wasm")
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	dependencies := strings.Fields(string(out))
	if !slices.Contains(dependencies, "paretoplay/scenes") {
		t.Fatalf("the page depends on %d packages, but the scenes are missing", len(dependencies))
	}
	for _, path := range dependencies {
		switch {
		case path == "paretoplay/internal/study/claims", path == "gonum.org/v1/gonum/mat", path == "gonum.org/v1/gonum/lapack/gonum",
			path == "gonum.org/v1/gonum/blas/gonum",
			path == "gonum.org/v1/plot/vg/vgimg", path == "gonum.org/v1/plot/vg/vgpdf", path == "gonum.org/v1/plot/vg/vgsvg",
			path == "codeberg.org/go-pdf/fpdf", // the second program links them
			path == "gonum.org/v1/plot", path == "gonum.org/v1/plot/font/liberation",
			strings.HasPrefix(path, "codeberg.org/go-fonts/"),
			strings.HasPrefix(path, "github.com/yuin/goldmark"), strings.HasPrefix(path, "github.com/wyatt915/treeblood"),
			strings.HasPrefix(path, "github.com/evanw/esbuild"):
			t.Errorf("the page depends on %s", path)
		}
	}
}

// atStart matches a regular expression that is compiled when the program starts.
var atStart = regexp.MustCompile(`(?m)^(?:var\s|\t)\w+\s*=\s*regexp\.MustCompile\(`)

// TestPageCompilesPatternsLater: in our packages that the page's program links, each regular expression is compiled at
// its first use. Compiling at the start would delay every visit.
func TestPageCompilesPatternsLater(t *testing.T) {
	const ours = `{{with .Module}}{{if .Main}}{{range $.GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`
	command := exec.Command("go", "list", "-deps", "-f", ours, "./wasm")
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := strings.Fields(string(out))
	if len(files) < 100 {
		t.Fatalf("the page's program has %d files", len(files))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range atStart.FindAll(text, -1) {
			t.Errorf("%s: %s…: got a pattern compiled at the start, want pattern.Lazy", file, bytes.TrimSpace(line))
		}
	}
}

// TestWalls checks the layers: algorithms can be used and tested without scenes, scenes work without a display, and only
// wasm needs a browser.
func TestWalls(t *testing.T) {
	const module, ebiten = "paretoplay", "github.com/hajimehoshi/ebiten"
	for _, platform := range [][]string{nil, {"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"}} {
		seen := map[string]bool{}
		for _, r := range rooms(t, platform...) {
			name := strings.TrimPrefix(strings.TrimPrefix(r.ImportPath, module), "/")
			seen[name] = true
			if strings.HasPrefix(name, "internal/browser") || name == "internal/check" { // contains only tests
				continue
			}
			height, alone := layer(name)
			if height < 0 {
				t.Errorf("%s has no layer: add it to layers", name)
			}
			for _, path := range r.Imports {
				switch {
				case strings.HasPrefix(path, ebiten) && name != "wasm/stage" && name != "wasm":
					t.Errorf("%s imports %s, so it can no longer be tested without a display", name, path)
				case path == "syscall/js" && name != "wasm" && name != "wasm/bridge" && name != "wasm/picture" &&
					name != "wasm/workshop":
					t.Errorf("%s imports %s, which needs a browser", name, path)
				}
				target, ours := strings.CutPrefix(path, module)
				if !ours {
					continue
				}
				target = strings.TrimPrefix(target, "/")
				if below, _ := layer(target); below > height || below == height && alone {
					t.Errorf("%s imports %s, which is not in a lower layer", name, target)
				}
			}
		}
		for _, name := range []string{"algo", "algo/param", "scenes", "scenes/fonseca", "wasm/stage"} {
			if !seen[name] {
				t.Errorf("%s is not among the packages", name)
			}
		}
	}
}

// TestChromiumHasOneClient: only one package uses the client for Chromium's protocol, because the client's interface
// may change.
func TestChromiumHasOneClient(t *testing.T) {
	const client, driver = "github.com/chromedp/", "paretoplay/internal/browser/chrome"
	driven := false
	for _, r := range rooms(t) {
		uses := slices.ContainsFunc(slices.Concat(r.Imports, r.TestImports), func(path string) bool { return strings.HasPrefix(path, client) })
		driven = driven || uses
		if uses && r.ImportPath != driver {
			t.Errorf("%s imports the client of Chromium's protocol: use %s instead", r.ImportPath, driver)
		}
	}
	if !driven {
		t.Error("no package imports the client of Chromium's protocol")
	}
}

// TestMainIsShort: package main only dispatches and serves. Separate packages contain the commands and the site.
func TestMainIsShort(t *testing.T) {
	const limit = 200 // lines
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(data, []byte("\n")); name != "main.go" && name != "serve.go" || lines > limit {
			t.Errorf("%s has %d lines: package main is main.go and serve.go, each of at most %d", name, lines, limit)
		}
	}
}

// TestLines: no line of Go or of the page is longer than 140 characters, the width of a window; a tab counts as one.
// Content security policies are exempt.
func TestLines(t *testing.T) {
	const limit = 140
	files := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && path != ".":
			return fs.SkipDir
		case !slices.Contains([]string{".go", ".js", ".mjs", ".css", ".html"}, filepath.Ext(path)):
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		for i, line := range strings.Split(string(data), "\n") {
			if n := utf8.RuneCountInString(line); n > limit && !strings.Contains(line, "Content-Security-Policy") {
				t.Errorf("%s:%d has %d characters", path, i+1, n)
			}
		}
		return nil
	})
	if err != nil || files < 100 {
		t.Errorf("%d files read, error %v", files, err)
	}
}

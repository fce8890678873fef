package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/site/sitetest"
	"paretoplay/scenes"
)

func testToolchain(t *testing.T, dir string) *toolchain {
	t.Helper()
	t.Setenv("GOCACHE", sitetest.GoCache(t))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	tools, err := findToolchain(t.Context(), &Source{dir: dir}, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	tools.cache = t.TempDir() // instead of the user's cache
	return tools
}

func TestFindSource(t *testing.T) {
	for mod, ours := range map[string]bool{
		"module paretoplay\n":                      true,
		"// comment\nmodule \"paretoplay\" // x\n": true,
		"module paretoplay/other\n":                false,
		"module other\n// module paretoplay\n":     false,
	} {
		dir := sitetest.SourceTree(t, map[string]string{"go.mod": mod})
		t.Chdir(filepath.Join(dir, "assets", "deep"))
		if _, err := Find(""); (err == nil) != ours {
			t.Errorf("%q: %v", mod, err)
		}
	}
}

func TestPublished(t *testing.T) {
	files, err := testSource(t, sitetest.SourceTree(t, nil)).files()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	if got, want := sorted(names), "assets/controls/controls.css assets/deep/map.png assets/dom.js assets/icon.svg assets/lesson/lesson.css "+
		"assets/lesson/review.js assets/lesson/teaching.js assets/lesson/workshop.css assets/lesson/workshop.js "+
		"assets/page.css assets/page.js assets/platform/embed-start.js assets/platform/embed.css "+
		"assets/platform/files.js assets/shell/dom.js assets/shell/gallery.css assets/shell/help.js assets/shell/hero.js "+
		"assets/shell/theme-start.js assets/shell/theme.css assets/stage.html index.html sw.js"; got != want {
		t.Errorf("the site consists of\n%s, want\n%s", got, want)
	}
}

func TestStamp(t *testing.T) {
	if stamp([]byte("ab"), []byte("c")) == stamp([]byte("a"), []byte("bc")) {
		t.Error("the stamp does not depend on where a content ends")
	}
	if got := stamped("a/b.c.js", []byte("x")); !strings.HasPrefix(got, "a/b.c-") || !strings.HasSuffix(got, ".js") {
		t.Errorf("stamped: %s", got)
	}
}

func TestCompile(t *testing.T) {
	dir := sitetest.SourceTree(t, nil)
	tools := testToolchain(t, dir)
	wasm, packed, err := tools.Compile(t.Context(), firstProgram)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(wasm, []byte("\x00asm")) || len(packed) >= len(wasm)/2 || !bytes.Contains(tools.Loader(), []byte("class")) {
		t.Errorf("program of %d bytes, %d compressed, loader of %d", len(wasm), len(packed), len(tools.Loader()))
	}
	again, _, err := tools.Compile(t.Context(), firstProgram)
	if err != nil || !bytes.Equal(again, wasm) {
		t.Errorf("compiled again: %v, %d bytes, want %d", err, len(again), len(wasm))
	}
	if left, err := filepath.Glob(filepath.Join(tools.cache, ".*")); err != nil || len(left) > 0 {
		t.Errorf("temporary files remain: %v, %v", left, err)
	}

	if err := os.WriteFile(filepath.Join(dir, "wasm", "main.go"), []byte("package main\n\nfunc main() { missing() }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err = tools.Compile(t.Context(), firstProgram); err == nil || !strings.Contains(err.Error(), "undefined: missing") {
		t.Errorf("a mistake in the source: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err = tools.Compile(ctx, firstProgram); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCompressedIsRemembered(t *testing.T) {
	tools := &toolchain{cache: t.TempDir()}
	data := bytes.Repeat([]byte("gradient "), 1000)
	calls := 0
	count := func(float64) { calls++ }
	first, err := tools.compressed(t.Context(), data, brotliServing, count)
	if err != nil || calls == 0 {
		t.Fatalf("%v after %d reports", err, calls)
	}
	old := filepath.Join(tools.cache, "old.br")
	if err := os.WriteFile(old, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	longAgo := time.Now().AddDate(0, 0, -15)
	if err := os.Chtimes(old, longAgo, longAgo); err != nil {
		t.Fatal(err)
	}
	calls = 0
	second, err := tools.compressed(t.Context(), data, brotliServing, count)
	if err != nil || calls != 0 || !bytes.Equal(first, second) {
		t.Errorf("compressed again: %v after %d reports", err, calls)
	}
	if _, err := tools.compressed(t.Context(), data, gzipAlways, count); err != nil || calls == 0 {
		t.Errorf("another form: %v after %d reports", err, calls)
	}
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an unused file remains: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tools.compressed(ctx, []byte("x"), brotliPublishing, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCompressUnknown(t *testing.T) {
	if _, err := compress(t.Context(), nil, compression{encoding: "zip"}, nil); err == nil {
		t.Error("an unknown encoding is accepted")
	}
}

func TestCacheFolderOfTheUser(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	folder, err := cacheFolder(t.TempDir(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if user, err := os.UserCacheDir(); err != nil || folder != filepath.Join(user, "paretoplay") {
		t.Errorf("%s, %v", folder, err)
	}
}

// TestLessonsAreReadAgain: a changed lesson is read again. A mistake in the lesson causes an error that states the
// place of the mistake, until the mistake is corrected.
func TestLessonsAreReadAgain(t *testing.T) {
	dir := sitetest.SourceTree(t, nil)
	own := t.TempDir()
	name := filepath.Join(own, "21-mine.md")
	write := func(title string) {
		t.Helper()
		text := "---\ntitle: " + title + "\nquestion: Why?\nminutes: 3\nscene: lab\n---\n\n## One\n\nLook.\n"
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lessons := lessonsOf(lessonFolders(dir, []string{own}))
	for _, title := range []string{"First", "Second, longer"} {
		write(title)
		for range 2 {
			files, list, err := lessons()
			if err != nil || len(list) != 2 || list[1].Title != title || !bytes.Contains(files[lessonsFolder+"21-mine.json"], []byte(title)) {
				t.Fatalf("%v, %+v; want %s", err, list, title)
			}
		}
	}
	if err := os.WriteFile(name, []byte("no lesson"), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, _, err := lessons(); err == nil || !strings.Contains(err.Error(), "21-mine.md:") {
			t.Errorf("a lesson with a mistake: %v", err)
		}
	}
	write("Third")
	if _, list, err := lessons(); err != nil || list[1].Title != "Third" {
		t.Errorf("mended: %v, %+v", err, list)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if _, _, err := lessons(); !errors.As(err, new(InputError)) || !strings.Contains(err.Error(), own) {
		t.Errorf("a folder without lessons: %v", err)
	}
}

// TestCatalogueHasFormulas: a page can show the formulas in scenes.json, with a place for every number.
func TestCatalogueHasFormulas(t *testing.T) {
	defer func(all scene.List) { shown = all }(shown)
	about, err := scenes.All.Find("lab")
	if err != nil {
		t.Fatal(err)
	}
	about.Equations = []scene.Equation{{ID: "step", Symbols: `x_{k+1} = x_k - \eta g`, Numbers: `x = \text{@weight.1}`}}
	shown = scene.List{about}
	data, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var list []struct{ Equations []scene.Equation }
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	e := list[0].Equations[0]
	if !strings.HasPrefix(e.Symbols, "<math") || !strings.Contains(e.Numbers, `<mn data-fact="weight.1">`) ||
		strings.Contains(e.Symbols+e.Numbers, "style=") {
		t.Errorf("the formulas are %+v", e)
	}
	if about.Equations[0].Symbols[0] == '<' {
		t.Error("the scene's own formula was changed")
	}
	about.Equations[0].Numbers = `\frac{1}`
	if _, err := catalogue(); err == nil || !strings.Contains(err.Error(), "scene lab, equation step") {
		t.Errorf("an invalid formula: %v", err)
	}
}

// TestCacheFolderInTheTree: if the user's cache is unusable, the source tree gets a cache folder.
func TestCacheFolderInTheTree(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the user's cache is not found through XDG_CACHE_HOME here")
	}
	t.Setenv("XDG_CACHE_HOME", sitetest.Blocked(t))
	dir := sitetest.SourceTree(t, nil)
	var log bytes.Buffer
	folder, err := cacheFolder(dir, &log)
	if err != nil || folder != filepath.Join(dir, ".cache") || !strings.Contains(log.String(), folder) {
		t.Errorf("with the source tree as fallback: %q, %v, %q", folder, err, &log)
	}
}

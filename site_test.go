package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// goCache returns the compiler's cache, so that tests that move the user's
// cache do not compile the standard library anew.
func goCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func testToolchain(t *testing.T, dir string) *toolchain {
	t.Helper()
	t.Setenv("GOCACHE", goCache(t))
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	tools, err := findToolchain(t.Context(), &source{dir: dir}, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	tools.cache = t.TempDir() // wherever the system has the user's
	return tools
}

func TestFindSource(t *testing.T) {
	for mod, ours := range map[string]bool{
		"module paretoplay\n":                      true,
		"// comment\nmodule \"paretoplay\" // x\n": true,
		"module paretoplay/other\n":                false,
		"module other\n// module paretoplay\n":     false,
	} {
		dir := sourceTree(t, map[string]string{"go.mod": mod})
		t.Chdir(filepath.Join(dir, "assets", "deep"))
		if _, err := findSource(); (err == nil) != ours {
			t.Errorf("%q: %v", mod, err)
		}
	}
}

func TestPublished(t *testing.T) {
	files, err := testSource(t, sourceTree(t, nil)).files()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	if got, want := sorted(names), "assets/deep/map.png assets/dom.js assets/icon.svg assets/page.css assets/page.js assets/stage.html "+
		"index.html sw.js"; got != want {
		t.Errorf("the site consists of\n%s, want\n%s", got, want)
	}
}

func TestStamp(t *testing.T) {
	if stamp([]byte("ab"), []byte("c")) == stamp([]byte("a"), []byte("bc")) {
		t.Error("the stamp does not tell where one content ends")
	}
	if got := stamped("a/b.c.js", []byte("x")); !strings.HasPrefix(got, "a/b.c-") || !strings.HasSuffix(got, ".js") {
		t.Errorf("stamped: %s", got)
	}
}

func TestCompile(t *testing.T) {
	dir := sourceTree(t, nil)
	tools := testToolchain(t, dir)
	wasm, packed, err := tools.Compile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(wasm, []byte("\x00asm")) || len(packed) >= len(wasm)/2 || !bytes.Contains(tools.Loader(), []byte("class")) {
		t.Errorf("program of %d bytes, %d compressed, loader of %d", len(wasm), len(packed), len(tools.Loader()))
	}
	again, _, err := tools.Compile(t.Context())
	if err != nil || !bytes.Equal(again, wasm) {
		t.Errorf("compiled again: %v, %d bytes, want %d", err, len(again), len(wasm))
	}
	if left, err := filepath.Glob(filepath.Join(tools.cache, ".*")); err != nil || len(left) > 0 {
		t.Errorf("temporary files remain: %v, %v", left, err)
	}

	if err := os.WriteFile(filepath.Join(dir, "wasm", "main.go"), []byte("package main\n\nfunc main() { missing() }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err = tools.Compile(t.Context()); err == nil || !strings.Contains(err.Error(), "undefined: missing") {
		t.Errorf("a mistake in the source: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err = tools.Compile(ctx); !errors.Is(err, context.Canceled) {
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
	if _, err := compress(t.Context(), nil, form{encoding: "zip"}, nil); err == nil {
		t.Error("an unknown encoding is accepted")
	}
}

func TestReplaceFileLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "taken"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := replaceFile(filepath.Join(dir, "taken"), []byte("x")); err == nil {
		t.Error("a folder was replaced by a file")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
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

package check

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestGoldenFilesAreRead: every file in a folder called testdata is used by a test. The test names the file in its own
// package, names it with the folder in another package, or lists the folder and reads every file. The common
// tests of the scenes read the files of sentences.
func TestGoldenFilesAreRead(t *testing.T) {
	texts := map[string][]string{} // tests by folder
	var files []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || name == "dist"):
			return filepath.SkipDir
		case d.IsDir():
		case strings.Contains(name, "/testdata/fuzz/"): // go test reads these itself
		case strings.Contains(name, "/testdata/"):
			files = append(files, name)
		case strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, ".mjs"):
			texts[path.Dir(name)] = append(texts[path.Dir(name)], quoted(t, name)...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Errorf("only %d files were found", len(files))
	}
	for _, file := range files {
		folder, name, _ := strings.Cut(file, "/testdata/")
		if !read(texts, folder, name) {
			t.Errorf("no test reads %s: remove it, or name it in a test of %s", file, folder)
		}
	}
}

// read reports whether a test reads a file in a folder's testdata.
func read(texts map[string][]string, folder, name string) bool {
	if name == "sentences.csv" {
		return slices.Contains(texts[folder], "paretoplay/internal/engine/scene/scenetest")
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	for in, list := range texts {
		for _, text := range list {
			listed, glob := strings.CutPrefix(text, "testdata/")
			if glob {
				glob, _ = path.Match(listed, name)
			}
			if in == folder && (text == stem || text == name || strings.HasSuffix(text, "/"+name) || glob) ||
				strings.HasSuffix(text, path.Join(path.Base(folder), "testdata", name)) {
				return true
			}
		}
	}
	return false
}

// quoted returns the contents of all quoted strings in a Go or JavaScript file.
func quoted(t *testing.T, name string) (out []string) {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(name, ".mjs") {
		return strings.FieldsFunc(string(source), func(r rune) bool { return strings.ContainsRune("\"'`", r) })
	}
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile(name, -1, len(source)), source, nil, 0)
	for {
		_, kind, text := s.Scan()
		if kind == token.EOF {
			return out
		}
		if kind == token.STRING {
			if plain, err := strconv.Unquote(text); err == nil {
				out = append(out, plain)
			}
		}
	}
}

// TestRegenIsWhole: the Makefile runs every test that can rewrite its expected files.
func TestRegenIsWhole(t *testing.T) {
	makefile := documentText(t, "Makefile")
	found := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && name != "." && strings.HasPrefix(d.Name(), ".") {
			return err
		}
		if !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		folder := path.Dir(filepath.ToSlash(name))
		for _, text := range quoted(t, name) {
			if text != "regen" || folder == "internal/check" {
				continue
			}
			if found++; !strings.Contains(makefile, "./"+folder+" ") {
				t.Errorf("no target of the Makefile runs the tests of %s, which has the flag -regen", folder)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 5 {
		t.Errorf("only %d packages with the flag were found", found)
	}
}

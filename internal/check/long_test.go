package check

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// asksForm matches code that tests for the short form. functionName matches the start of a function and its name.
var (
	asksForm     = regexp.MustCompile(`testing\.Short\(\)|\tlong\(t, "`)
	functionName = regexp.MustCompile(`^(?:\([^)]*\) )?(\w+)`)
)

// TestShortForms: CONTRIBUTING.md lists exactly the functions that omit something with -short.
func TestShortForms(t *testing.T) {
	_, table, found := strings.Cut(documentText(t, "CONTRIBUTING.md"), "<!-- long -->\n")
	if !found {
		t.Fatal("CONTRIBUTING.md has no table of long checks")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	said := map[string]bool{}
	for row := range strings.Lines(table) {
		for _, name := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(strings.Split(row, "|")[1], -1) {
			said[name[1]] = true
		}
	}
	asks := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != "." && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" || path == "internal/check/long_test.go" {
			return nil
		}
		for _, function := range strings.Split(documentText(t, path), "\nfunc ")[1:] {
			name := functionName.FindStringSubmatch(function)
			if name == nil || name[1] == "long" || !asksForm.MatchString(function) {
				continue // others call the function long
			}
			if asks[name[1]] = true; !said[name[1]] {
				t.Errorf("%s: the table of long checks lacks %s", path, name[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range said {
		if !asks[name] {
			t.Errorf("the table of long checks names %s, which omits nothing", name)
		}
	}
}

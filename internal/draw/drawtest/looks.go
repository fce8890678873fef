package drawtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// look matches one line of the list of methods. A line consists of a name, a hue, a marker and a dash.
var look = regexp.MustCompile(`(?m)^\t\{"[^"]+", (\w+), (\w+), (\w+)\},$`)

// FreeLooks suggests lines for the list of methods, for a method whose look is missing or already used. It returns one
// line for each hue with an unused combination of marker and dash.
func FreeLooks(t testing.TB, method string) string {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	files, err := filepath.Glob(filepath.Join(filepath.Dir(here), "..", "*", "theme.go"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the list of methods is in %v, error %v", files, err)
	}
	source, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var hues, markers, dashes []string
	taken := map[string]bool{}
	for _, m := range look.FindAllStringSubmatch(string(source), -1) {
		hues, markers, dashes = append(hues, m[1]), append(markers, m[2]), append(dashes, m[3])
		taken[strings.Join(m[1:], ", ")] = true
	}
	distinct := func(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }
	lines := []string{"Free in internal/draw/" + filepath.Base(filepath.Dir(files[0])) + "/theme.go:"}
next:
	for _, hue := range distinct(hues) {
		for _, marker := range distinct(markers) {
			for _, dash := range distinct(dashes) {
				if key := strings.Join([]string{hue, marker, dash}, ", "); !taken[key] {
					lines = append(lines, fmt.Sprintf("\t{%q, %s},", method, key))
					continue next
				}
			}
		}
	}
	return strings.Join(lines, "\n")
}

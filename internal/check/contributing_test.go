package check

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/engine/scene/scenetest"
	"paretoplay/scenes"
)

// TestRooms: CONTRIBUTING.md lists every package with its purpose. A row may cover several packages. A row X/* explains
// each package below X, unless the row says that these packages are all of one kind.
func TestRooms(t *testing.T) {
	_, list, found := strings.Cut(documentText(t, "CONTRIBUTING.md"), "<!-- rooms -->\n")
	list, _, closed := strings.Cut(list, "<!-- end -->")
	if !found || !closed {
		t.Fatal("CONTRIBUTING.md has no list of rooms")
	}
	var named []string
	words := map[string]string{} // the row's text by name
	for _, row := range regexp.MustCompile("(?m)^\\| (`.+?`) \\| (.+) \\|$").FindAllStringSubmatch(list, -1) {
		for _, name := range strings.Split(row[1], ", ") {
			name = strings.Trim(name, "`")
			named, words[name] = append(named, name), row[2]
		}
	}
	var there []string
	for _, r := range rooms(t, "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0") {
		there = append(there, strings.TrimPrefix(r.ImportPath, "paretoplay/"))
	}
	for _, r := range rooms(t, "CGO_ENABLED=1") { // includes python/native
		if name := strings.TrimPrefix(r.ImportPath, "paretoplay/"); !slices.Contains(there, name) {
			there = append(there, name)
		}
	}
	covers := func(row, name string) bool { // a row such as scenes/* covers the packages directly below
		parent, all := strings.CutSuffix(row, "/*")
		return row == name || all && path.Dir(name) == parent
	}
	for _, name := range there {
		i := slices.IndexFunc(named, func(row string) bool { return covers(row, name) })
		switch {
		case strings.HasPrefix(name, "docs/examples/"): // docs/library.md lists them
		case i < 0:
			t.Errorf("CONTRIBUTING.md does not name the package %s in its list of rooms", name)
		case named[i] != name && !strings.Contains(words[named[i]], "`"+path.Base(name)+"`") && !oneEach.MatchString(words[named[i]]):
			t.Errorf("CONTRIBUTING.md has %s in its list of rooms, but does not explain %s", named[i], name)
		}
	}
	for _, row := range named {
		if !slices.ContainsFunc(there, func(name string) bool { return covers(row, name) }) {
			t.Errorf("CONTRIBUTING.md names the unknown package %s", row)
		}
	}
}

var (
	oneEach   = regexp.MustCompile(`\bone \w+ each\b`)
	roadRow   = regexp.MustCompile("(?m)^\\| `([^`]+/[^`]+\\.(?:go|js|md))`(.*)\\|$")
	roadNames = regexp.MustCompile("`([A-Za-z_/.]+)`")
	treeFile  = regexp.MustCompile("`((?:algo|scenes|assets|wasm|internal|docs)/[A-Za-z0-9_/.-]+\\.(?:go|js|md))`")
)

// TestRoads: the files and identifiers in CONTRIBUTING.md's tables exist, and each identifier is in the file named before it.
func TestRoads(t *testing.T) {
	text := documentText(t, "CONTRIBUTING.md")
	for _, f := range treeFile.FindAllStringSubmatch(text, -1) {
		if strings.Contains(f[1], "NAME") {
			continue
		}
		if _, err := os.Stat(f[1]); err != nil {
			t.Errorf("CONTRIBUTING.md names %s: %v", f[1], err)
		}
	}
	steps := 0
	for _, row := range roadRow.FindAllStringSubmatch(text, -1) {
		steps++
		file := row[1]
		for _, name := range roadNames.FindAllStringSubmatch(row[2], -1) {
			if strings.Contains(name[1], "/") {
				file = name[1]
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				break // covered above
			}
			declared := regexp.MustCompile(`(?m)(\b(func|function|type|const|var)\s+(\([^)]*\)\s*)?` + name[1] +
				`\b|^\s+(async )?` + name[1] + `\()`)
			if !declared.Match(data) {
				t.Errorf("CONTRIBUTING.md: %s does not declare %s", file, name[1])
			}
		}
	}
	if steps < 20 {
		t.Errorf("only %d steps of roads were found", steps)
	}
}

// claimed matches a test that compares the texts of a scene's cards with their claims.
var claimed = regexp.MustCompile(`\.Check\(t, ([a-z]+\.)?About\)|range presets`)

// claimsTest matches the test of a scene's texts.
var claimsTest = regexp.MustCompile(`(?m)^func Test(Cards|Claims)\(`)

// TestScenesAreTested: every scene runs the scenes' common tests and has a test of its cards' texts. Either is easily
// forgotten in a new scene.
func TestScenesAreTested(t *testing.T) {
	for _, a := range scenes.All {
		files, err := filepath.Glob(filepath.Join(scenetest.Folder(a), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		var text string
		for _, file := range files {
			text += documentText(t, file)
		}
		if !strings.Contains(text, "scenetest.Scene(t, About)") {
			t.Errorf("no test of the scene %s calls scenetest.Scene(t, About)", a.ID)
		}
		if !claimsTest.MatchString(text) {
			t.Errorf("no test of the scene %s is called TestCards or TestClaims", a.ID)
		}
		if !claimed.MatchString(text) {
			t.Errorf("no test of the scene %s claims the sentences of its summary, invitation and cards: see scenetest.CardClaims", a.ID)
		}
	}
}

package check

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// documentText returns the text of a document.
func documentText(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestReadmeIsShort: README is short enough to be read by a newcomer in five minutes. Everything else belongs in docs.
func TestReadmeIsShort(t *testing.T) {
	const limit = 1500 // counted as wc -w does, including tables and code
	if n := len(strings.Fields(documentText(t, "README.md"))); n > limit {
		t.Errorf("README.md has %d words, want at most %d", n, limit)
	}
}

var (
	fenced     = regexp.MustCompile("(?s)\n```.*?\n```")
	inlineCode = regexp.MustCompile("`[^`\n]*`")
	linkTarget = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading    = regexp.MustCompile(`(?m)^#{1,6} (.*)$`)
)

// prose returns a document's text without fenced blocks and inline code.
func prose(text string) string {
	return inlineCode.ReplaceAllString(fenced.ReplaceAllString(text, ""), "")
}

// anchors returns the anchors that GitHub gives to a document's headings.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	for _, h := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		out[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(h[1]))] = true
	}
	return out
}

// TestDocumentLinks: every relative link and anchor is valid, and every document and picture is at most two clicks from README.
func TestDocumentLinks(t *testing.T) {
	leads := map[string][]string{}
	documents := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	inside, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range inside {
		documents = append(documents, filepath.ToSlash(file))
	}
	for _, file := range documents {
		for _, l := range linkTarget.FindAllStringSubmatch(prose(documentText(t, file)), -1) {
			if strings.Contains(l[1], "://") {
				continue
			}
			target, anchor, anchored := strings.Cut(l[1], "#")
			if target == "" {
				target = file
			} else {
				target = path.Join(path.Dir(file), target)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s is broken", file, l[1])
				continue
			}
			if anchored && !anchors(documentText(t, target))[anchor] {
				t.Errorf("%s: %s has no heading for %s", file, target, l[1])
			}
			leads[file] = append(leads[file], target)
		}
	}
	reached := map[string]bool{"README.md": true}
	for range 2 {
		for _, file := range slices.Collect(maps.Keys(reached)) {
			for _, target := range leads[file] {
				reached[target] = true
			}
		}
	}
	pictures, err := filepath.Glob("docs/*.png")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(documents, pictures...) {
		if file = filepath.ToSlash(file); !reached[file] {
			t.Errorf("README.md does not lead to %s in two clicks", file)
		}
	}
}

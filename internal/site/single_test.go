package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paretoplay/algo/runlog/digits"
	"paretoplay/internal/site/sitetest"
)

// maxSingle is the maximum size of a single-file page, in bytes.
const maxSingle = 17_350_000

var (
	scripts      = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	styles       = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	packedInside = regexp.MustCompile(`(?s)<script type="application/gzip" data-file="([^"]+)">([^<]*)</script>`)
	plainInside  = regexp.MustCompile(`(?s)<script type="application/json" data-file="([^"]+)">([^<]*)</script>`)
)

func TestSingle(t *testing.T) {
	var said bytes.Buffer
	page, err := Single(t.Context(), SingleOptions{Notices: "notices\n"}, &said)
	if err != nil || said.Len() > 0 {
		t.Fatal(err, said.String())
	}
	if len(page) > maxSingle {
		t.Errorf("the page has %d bytes, want at most %d", len(page), maxSingle)
	}
	t.Logf("%d bytes", len(page))

	files := map[string][]byte{}
	for _, found := range packedInside.FindAllSubmatch(page, -1) {
		packed, err := base64.StdEncoding.DecodeString(string(found[2]))
		if err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatalf("%s: %v", found[1], err)
		}
		if files[string(found[1])], err = io.ReadAll(r); err != nil {
			t.Fatalf("%s: %v", found[1], err)
		}
	}
	for _, found := range plainInside.FindAllSubmatch(page, -1) {
		if !json.Valid(found[2]) {
			t.Errorf("%s is no JSON", found[1])
		}
		files[string(found[1])] = found[2]
	}
	var state siteState
	if err := json.Unmarshal(files[stateName], &state); err != nil {
		t.Fatal(err)
	}
	for _, program := range []furtherState{{Wasm: state.Wasm, WasmBytes: state.WasmBytes}, state.Picture} {
		if wasm := files[program.Wasm]; !bytes.HasPrefix(wasm, []byte("\x00asm")) || len(wasm) != program.WasmBytes {
			t.Errorf("the program %s begins with %.4q and has %d bytes of %d", program.Wasm, wasm, len(wasm), program.WasmBytes)
		}
	}
	var list []struct{ Name string }
	if err := json.Unmarshal(files[lessonsName], &list); err != nil || len(list) < 15 {
		t.Errorf("%d lessons: %v", len(list), err)
	}
	wanted := []string{catalogName, noticesName}
	for _, l := range list {
		wanted = append(wanted, lessonsFolder+l.Name+".json")
	}
	for _, name := range digits.Names {
		wanted = append(wanted, logsFolder+digits.File(name))
	}
	for _, name := range wanted {
		if len(files[name]) == 0 {
			t.Errorf("the page has no %s", name)
		}
	}

	var stage string
	if err := json.Unmarshal(files["assets/stage.html"], &stage); err != nil {
		t.Fatal(err)
	}
	policy := html.UnescapeString(string(regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindSubmatch(page)[1]))
	for _, document := range [][]byte{page, []byte(stage)} {
		refersToNothing(t, document)
		allows(t, policy, "script-src", scripts.FindAllSubmatch(document, -1))
		allows(t, policy, "style-src", styles.FindAllSubmatch(document, -1))
	}
	for _, word := range []string{"unsafe-inline", "'unsafe-eval'", "http", "*", "'self'"} {
		if strings.Contains(policy, word) {
			t.Errorf("the policy has %s: %s", word, policy)
		}
	}
}

// refersToNothing checks that a page loads no file.
func refersToNothing(t *testing.T, page []byte) {
	t.Helper()
	bare := packedInside.ReplaceAll(plainInside.ReplaceAll(page, nil), nil)
	shown := styles.ReplaceAll(scripts.ReplaceAll(bare, nil), nil)
	for _, found := range regexp.MustCompile(`<(\w+)[^>]*?\s(?:src|href|srcset|action|data)="([^"]*)"`).FindAllSubmatch(shown, -1) {
		if tag, reference := string(found[1]), string(found[2]); tag != "a" && !strings.HasPrefix(reference, "data:") {
			t.Errorf("<%s> refers to %s", tag, reference)
		}
	}
	for _, found := range regexp.MustCompile(`\bfrom\s*["'][./]|\bimport\s*["'(]|\bimport\.meta|url\((?:[^d)]|d[^a])`).FindAll(bare, -1) {
		t.Errorf("the page has %s", found)
	}
	for _, found := range regexp.MustCompile(`https?://[^\s"'<>\\)]+`).FindAllString(string(bare), -1) {
		// Namespaces and xAPI identifiers are only names, which browsers do not load.
		named := func(start string) bool { return strings.HasPrefix(found, start) }
		if !named("http://www.w3.org/") && !named("http://adlnet.gov/expapi/") && !named("https://w3id.org/xapi/") {
			t.Errorf("the page names %s", found)
		}
	}
}

// allows checks that a policy lists the hash of each text.
func allows(t *testing.T, policy, directive string, texts [][][]byte) {
	t.Helper()
	_, rest, _ := strings.Cut(policy, directive+" ")
	sources, _, _ := strings.Cut(rest, ";")
	if len(texts) == 0 {
		t.Errorf("%s allows nothing", directive)
	}
	for _, text := range texts {
		sum := sha256.Sum256(text[1])
		if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !slices.Contains(strings.Fields(sources), want) {
			t.Errorf("%s lacks %s of %.60q", directive, want, text[1])
		}
	}
}

// TestSingleRefuses: a single lesson can be included, and errors say why a page cannot be built.
func TestSingleRefuses(t *testing.T) {
	source, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Single(t.Context(), SingleOptions{Only: []string{"none"}}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), `"none"`) {
		t.Errorf("a missing lesson: %v", err)
	}
	lessons, err := ReadLessons(source.folders, []string{"01-conflict"})
	if err != nil {
		t.Fatal(err)
	}
	plain, _, err := filesOf(lessons)
	if err != nil || len(plain) != 2 || plain[lessonsFolder+"01-conflict.json"] == nil {
		t.Errorf("one lesson is %d files: %v", len(plain), err)
	}
	for what, c := range map[string]struct{ name, text, says string }{
		"a module that is missing":  {"assets/page.js", "import { on } from './none.js';\non();\n", "none.js"},
		"a fault in a module":       {"assets/page.js", "let = ;\n", "assets/page.js:1"},
		"a picture in a style":      {"assets/page.css", "body { background: url(none.svg) }\n", "none.svg"},
		"what would end the script": {"assets/page.js", "document.body.append('<!-- ');\n", "would end a <script>"},
	} {
		t.Run(what, func(t *testing.T) {
			files := map[string]string{"assets/page.css": "body { margin: 0 }\n", "assets/page.js": "1;\n", c.name: c.text,
				"index.html": `<!doctype html><meta charset="utf-8"><!-- arrival --><link rel="stylesheet" href="assets/page.css">` +
					`<script type="module" src="assets/page.js"></script><body><!-- gallery --></body>`,
				"assets/stage.html": "<!doctype html><body></body>"}
			source := &Source{dir: sitetest.SourceTree(t, files)}
			if _, err := source.singlePage(nil); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %s", err, c.says)
			}
		})
	}
}

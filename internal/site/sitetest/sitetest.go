// Package sitetest provides helpers for tests of the site and its server.
package sitetest

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// SourceTree writes a small source tree with the given additional files and returns its folder. Its program compiles in
// a second.
func SourceTree(t *testing.T, more map[string]string) string {
	t.Helper()
	files := map[string]string{
		"go.mod":                "module paretoplay\n\ngo 1.26\n",
		"wasm/main.go":          "package main\n\nfunc main() { println(\"ready\") }\n",
		"wasm/picture/main.go":  "package main\n\nfunc main() { println(\"picture\") }\n",
		"wasm/workshop/main.go": "package main\n\nfunc main() { println(\"workshop\") }\n",
		"index.html": `<!doctype html><meta charset="utf-8"><!-- arrival --><link rel="icon" href="assets/icon.svg">
<link rel="stylesheet" href="./assets/page.css">
<script type="module" src="assets/page.js"></script><a href="https://go.dev/">Go</a><a href="#top">top</a>
<iframe title="scene" src="assets/stage.html" data-hosted></iframe><main><!-- gallery --></main>` + strings.Repeat("<p>text", 300),
		"assets/page.js": "import { on } from './dom.js';\nfetch('site.json').then(on);\nexport const stage = 'assets/stage.html';\n" +
			"document.body.append(`<a href=\"${stage}\">`);\n" +
			strings.Repeat("// words\n", 300),
		"sw.js":              "const BUILT = /* built */ null;\n",
		"assets/dom.js":      "export function on() {}\n",
		"assets/page.css":    "body { background: url(icon.svg) }\n",
		"assets/icon.svg":    "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n",
		"assets/stage.html":  `<!doctype html><script src="../wasm_exec.js"></script><script type="module" src="dom.js"></script>`,
		"assets/dom.test.js": "test\n",
		"assets/.hidden.js":  "hidden\n",
		"assets/.git/key.js": "hidden\n",
		"assets/notes.md":    "notes\n",
		"assets/lessons/01-angle.md": "---\ntitle: Conflict is an angle\nquestion: When does it hurt?\nminutes: 4\nscene: lab\n---\n\n" +
			"## Turn\n\nTurn the arrow.\n",
		"assets/code.go":      "package assets\n",
		"assets/deep/map.png": "\x89PNG\r\n",
		"secret.json":         "{}\n",
	}
	for _, name := range []string{"shell/theme-start.js", "lesson/review.js", "shell/theme.css", "shell/gallery.css", "lesson/lesson.css",
		"platform/embed-start.js", "platform/embed.css", "lesson/workshop.js", "lesson/workshop.css",
		"controls/controls.css"} { // for the page of questions and the embedding page
		files["assets/"+name] = "\n"
	}
	for name, exports := range map[string]string{"shell/dom.js": "byId, element", "platform/files.js": "get",
		"shell/help.js": "dialogHead, openDialog", "shell/hero.js": "createHero", "lesson/teaching.js": "createProgress"} {
		files["assets/"+name] = "import { on } from '../dom.js';\nexport { " + strings.ReplaceAll("on as "+exports, ", ", ", on as ") + " };\n"
	} // for the single-file page
	for name, text := range more {
		files[name] = text
	}
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// GoCache returns the compiler's cache, so that tests with another user cache do not recompile the standard library.
func GoCache(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// Run runs a command line in a folder and returns its status and output. The argument run is the program's entry point.
func Run(t *testing.T, run func(args []string, in io.Reader, out, err io.Writer) int, folder string,
	args ...string) (status int, stdout, stderr string) {
	t.Helper()
	t.Chdir(folder)
	var out, complaint strings.Builder
	status = run(args, strings.NewReader(""), &out, &complaint)
	return status, out.String(), complaint.String()
}

// OneLine checks that a command failed with the status want, and with a single line on standard error that contains all
// parts.
func OneLine(t *testing.T, what string, status, want int, stdout, stderr string, parts ...string) {
	t.Helper()
	if status != want || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasSuffix(stderr, "\n") {
		t.Errorf("%s: status %d, want %d; standard output %q; standard error %q, want one line", what, status, want, stdout, stderr)
	}
	if utf8.RuneCountInString(stderr) > 301 || !utf8.ValidString(stderr) || strings.ContainsAny(stderr, "\x1b\r\u2028") {
		t.Errorf("%s: standard error is long or unprintable: %.400q", what, stderr)
	}
	for _, part := range parts {
		if !strings.Contains(stderr, part) {
			t.Errorf("%s: %q lacks %q", what, stderr, part)
		}
	}
}

// Blocked returns a path that cannot become a folder, because a file is in the way. Permissions would not stop the
// superuser.
func Blocked(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(name, "folder")
}

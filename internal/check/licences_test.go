package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paretoplay/internal/command"
)

// linked is a package linked into a program.
type linked struct {
	ImportPath string
	Dir        string
	Standard   bool
	EmbedFiles []string
	Module     *struct{ Path, Version, Dir string }
}

// linkedInto lists the packages that a program links on a platform, without tests.
func linkedInto(t *testing.T, program string, platform ...string) []linked {
	t.Helper()
	command := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,Standard,EmbedFiles,Module", program)
	command.Env = append(append(os.Environ(), "CGO_ENABLED=0"), platform...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []linked
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p linked
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

var (
	noticeFile   = regexp.MustCompile(`(?i)^(licen[cs]e|notice|copying|patents|ofl)\b`)
	noticeFolder = regexp.MustCompile(`(?i)^(third_party_)?licen[cs]es$`)
)

// furtherNotices lists notices whose names noticeFile does not match, by the folder of the packages to which they apply.
var furtherNotices = map[string]string{"golang.org/x/image/font/gofont": "font/gofont/ttfs/README"}

// notUsed lists licence texts that a module offers as alternatives and that this project did not choose.
var notUsed = map[string]bool{"github.com/golang/freetype/licenses/gpl.txt": true}

// remarks lists the statements that licences require in addition to their texts.
var remarks = map[string]string{
	"github.com/ajstarks/svgo": "SVGo is by Anthony Starks, https://github.com/ajstarks/svgo. It is used as it is, without changes.\n",
	"github.com/golang/freetype": "Used under the FreeType Licence. Portions of this software are copyright © The FreeType Project\n" +
		"(www.freetype.org). All rights reserved.\n",
}

// embeddedOurs lists the files that packages of this project embed, with the notice for each. The project's own files need none.
var embeddedOurs = map[string]string{
	"LICENCES.txt":                                     "",
	"internal/teach/lesson/seeds.json":                 "",
	"internal/site/embed.html":                         "",
	"internal/site/gallery.html":                       "",
	"internal/site/review.html":                        "",
	"internal/site/sheet.html":                         "",
	"internal/site/worksheet.html":                     "",
	"internal/site/single/contents.html":               "",
	"internal/site/workshop.html":                      "",
	"internal/site/single/contents.js":                 "",
	"internal/site/single/inside.js":                   "",
	"internal/draw/brush/fonts/ParetoSans-Bold.ttf":    "internal/draw/brush/fonts/LICENSE",
	"internal/draw/brush/fonts/ParetoSans-Regular.ttf": "internal/draw/brush/fonts/LICENSE",
	"algo/runlog/digits/digits-two.npz":                "algo/runlog/digits/NOTICE",
	"algo/runlog/digits/digits-eight.npz":              "algo/runlog/digits/NOTICE",
	"algo/runlog/digits/digits-units.npz":              "algo/runlog/digits/NOTICE",
	"algo/problem/network/pictures/digits.gz":          "algo/problem/network/pictures/NOTICE",
}

const noticesHead = `What the program paretoplay and its page are made of beside their own source, and on which terms.
The licence of Pareto Playground itself is its owner's to choose; this file does not grant one.
Each part says which of the two it is linked into: the program on the command line, the page's program, or both.
`

// foundNotices collects the notices for all linked packages.
func foundNotices(t *testing.T) string {
	t.Helper()
	type part struct {
		version, dir string
		files, into  map[string]bool
	}
	parts := map[string]*part{}
	ours := map[string]map[string]bool{} // notices for embedded files, and the programs that link them
	for _, target := range []struct{ into, program, platform string }{
		{"command line", ".", "GOOS=linux GOARCH=amd64"},
		{"command line", ".", "GOOS=darwin GOARCH=arm64"},
		{"command line", ".", "GOOS=windows GOARCH=amd64"},
		{"page", "./wasm", "GOOS=js GOARCH=wasm"},
		{"page", "./wasm/picture", "GOOS=js GOARCH=wasm GOFLAGS=-tags=picture"},
		{"page", "./wasm/workshop", "GOOS=js GOARCH=wasm"},
	} {
		for _, p := range linkedInto(t, target.program, strings.Fields(target.platform)...) {
			if p.Standard {
				continue
			}
			if p.Module.Path == "paretoplay" {
				for _, file := range p.EmbedFiles {
					name := path.Join(strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "paretoplay"), "/"), file)
					notice, known := embeddedOurs[name]
					// These folders contain this project's own work: docs has tables and texts of its experiments,
					// internal/engine/code has its templates, and assets/lessons has its lessons.
					own := path.Dir(name) == "docs" || strings.HasPrefix(name, "internal/engine/code/") || strings.HasPrefix(name, "assets/lessons/")
					if !known && !own {
						t.Errorf("%s is embedded: add its licence to embeddedOurs", name)
					}
					if notice != "" {
						if ours[notice] == nil {
							ours[notice] = map[string]bool{}
						}
						ours[notice][target.into] = true
					}
				}
				continue
			}
			m := parts[p.Module.Path]
			if m == nil {
				m = &part{version: p.Module.Version, dir: p.Module.Dir, files: map[string]bool{}, into: map[string]bool{}}
				parts[p.Module.Path] = m
			}
			m.into[target.into] = true
			for dir := p.Dir; ; dir = filepath.Dir(dir) {
				for _, file := range noticesIn(t, dir) {
					m.files[file] = true
				}
				if dir == m.dir {
					break
				}
			}
			if more, has := furtherNotices[path.Dir(p.ImportPath)]; has {
				m.files[filepath.Join(m.dir, more)] = true
			}
		}
	}

	var b strings.Builder
	b.WriteString(noticesHead)
	heading := func(title string, into map[string]bool, files ...string) {
		fmt.Fprintf(&b, "\n\n%s\n%s\nLinked into: %s\n", strings.Repeat("=", 80), title, strings.Join(slices.Sorted(maps.Keys(into)), ", "))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(string(data), "\r\n", "\n")
			fmt.Fprintf(&b, "\n---- %s ----\n\n%s\n", filepath.Base(file), strings.TrimSpace(text))
		}
	}
	both := map[string]bool{"command line": true, "page": true}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := strings.TrimSpace(string(out))
	heading("Go's standard library, its runtime and wasm_exec.js (https://go.dev)", both, filepath.Join(root, "LICENSE"),
		filepath.Join(root, "PATENTS"))
	for _, notice := range slices.Sorted(maps.Keys(ours)) {
		what := "Data in " + path.Dir(notice)
		if strings.Contains(notice, "/fonts/") {
			what = "Fonts in " + path.Dir(notice) + " (from Liberation Sans, https://github.com/liberationfonts)"
		}
		heading(what, ours[notice], notice)
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		m := parts[name]
		if len(m.files) == 0 {
			t.Errorf("%s has no licence file: add one to furtherNotices", name)
		}
		files := slices.DeleteFunc(slices.Sorted(maps.Keys(m.files)), func(file string) bool {
			inner, err := filepath.Rel(m.dir, file)
			if err != nil {
				t.Fatal(err)
			}
			return notUsed[path.Join(name, filepath.ToSlash(inner))]
		})
		heading(name+" "+m.version, m.into, files...)
		if remark := remarks[name]; remark != "" {
			b.WriteString("\n---- remark ----\n\n" + remark)
		}
	}
	return b.String()
}

// noticesIn lists the files in a folder that state the terms of its contents.
func noticesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, e := range entries {
		full := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir() && noticeFolder.MatchString(e.Name()):
			inner, err := os.ReadDir(full)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range inner {
				files = append(files, filepath.Join(full, f.Name()))
			}
		case !e.IsDir() && noticeFile.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go":
			files = append(files, full)
		}
	}
	return files
}

// TestLicences: the notices cover the current versions of all linked modules, and the command prints them.
func TestLicences(t *testing.T) {
	want := foundNotices(t)
	if *regenerate {
		if err := os.WriteFile("LICENCES.txt", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	notices := documentText(t, "LICENCES.txt")
	if notices != want {
		t.Error("LICENCES.txt does not match the linked packages; run make regen-licences")
	}
	var out, complaint bytes.Buffer
	licensed := command.Program{Notices: notices}
	if status := licensed.Run([]string{"licences"}, strings.NewReader(""), &out, &complaint); status != 0 || out.String() != notices {
		t.Errorf("the command prints %d bytes of %d, status %d, %s", out.Len(), len(notices), status, &complaint)
	}
	for _, word := range []string{"SIL OPEN FONT LICENSE", "Anthony Starks", "Attribution 4.0", "FreeType Project", "Bigelow & Holmes",
		"Ebitengine bundles the following", "Cephes", "owner's to choose"} {
		if !strings.Contains(notices, word) {
			t.Errorf("the notices do not contain %q", word)
		}
	}
}

package link

import (
	"bytes"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// program fills in a template with fields, as Ebitengine does, and has a method that
// nothing calls.
const program = `package main

import (
	"fmt"
	"os"
	"text/template"
)

type filter struct{ Filter, Linear int }

func (f *filter) NobodyCallsThis() { fmt.Println("a method that nobody calls") }

func main() {
	t := template.Must(template.New("").Parse("{{if eq .Filter .Linear}}linear{{else}}nearest{{end}}"))
	if err := t.Execute(os.Stdout, &filter{1, 1}); err != nil {
		panic(err)
	}
}
`

func TestMethodsThatNobodyCallsAreLeftOut(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	flags, err := Flags(strings.TrimSpace(string(root)), "../..", dir)
	if err != nil {
		t.Fatal(err)
	}
	source, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "program.exe")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, small := range []bool{false, true} {
		args := []string{"build", "-o", binary}
		if small {
			args = append(args, flags...)
		}
		if said, err := exec.Command("go", append(args, source)...).CombinedOutput(); err != nil {
			t.Fatalf("go %q: %v\n%s", args, err, said)
		}
		said, err := exec.Command(binary).Output()
		if err != nil || string(said) != "linear" {
			t.Errorf("built by go %q it says %q, %v", args, said, err)
		}
		linked, err := os.ReadFile(binary)
		if err != nil {
			t.Fatal(err)
		}
		if has := bytes.Contains(linked, []byte("a method that nobody calls")); has == small {
			t.Errorf("built by go %q, whether it has the method: %v", args, has)
		}
	}
}

// TestUnknownSource: sources that are not as expected are left alone.
func TestUnknownSource(t *testing.T) {
	root, folder, tree := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(tree, "go.mod"), []byte("module other\n\nrequire "+ebitenModule+" v2.0.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Flags(root, tree, folder); err == nil {
		t.Error("missing sources are no error")
	}
	for _, l := range list {
		file := filepath.Join(root, "src", filepath.FromSlash(l.file))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("package other\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	flags, err := Flags(root, tree, folder)
	if err != nil || len(flags) != 0 {
		t.Errorf("%q, %v", flags, err)
	}
}

// TestSourcesAreAsExpected: of the Go that go.mod names all are found, and what stands there instead compiles.
func TestSourcesAreAsExpected(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	flags, err := Flags(strings.TrimSpace(string(root)), "../..", dir)
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"build"}, flags...)
	for _, l := range list {
		if _, err := os.Stat(filepath.Join(dir, strings.ReplaceAll(l.file, "/", "-"))); err != nil {
			t.Error(err)
		}
		args = append(args, path.Dir(l.file))
	}
	if said, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("go %q: %v\n%s", args, err, said)
	}
}

// TestNobodyAsksForWhatIsLeftOut: in neither of the page's programs does anything decode an image of a format yet to be
// found out, and Ebitengine alone knows of Go's sources: its names of callers, and its conversion of shaders.
func TestNobodyAsksForWhatIsLeftOut(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	flags, err := Flags(strings.TrimSpace(string(root)), "../..", dir)
	if err != nil {
		t.Fatal(err)
	}
	inBrowser := func(args ...string) []byte {
		c := exec.Command("go", args...)
		c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		said, err := c.Output()
		if err != nil {
			t.Fatalf("go %q: %v", args, err)
		}
		return said
	}
	for _, p := range []struct {
		of      []string
		formats bool // it knows of formats, of which it encodes one
	}{{[]string{"paretoplay/wasm"}, false}, {[]string{"-tags=picture", "paretoplay/wasm/picture"}, true}} {
		file := filepath.Join(dir, "program.wasm")
		inBrowser(slices.Concat([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", file}, flags, p.of)...)
		program, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		linked := map[string]bool{"image.RegisterFormat": p.formats, "image.Decode": false, "image.DecodeConfig": false, "image.sniff": false}
		for function, there := range linked {
			if bytes.Contains(program, []byte("\x00"+function+"\x00")) != there {
				t.Errorf("%q: whether %s is linked is not %v", p.of, function, there)
			}
		}
	}
	var users []string
	const imports = `{{$user := .ImportPath}}{{range .Imports}}{{$user}} {{.}}{{"\n"}}{{end}}`
	for line := range strings.Lines(string(inBrowser("list", "-deps", "-f", imports, "paretoplay/wasm"))) {
		user, used, _ := strings.Cut(strings.TrimSpace(line), " ")
		if used == "go/build" || used == "go/printer" {
			users = append(users, path.Base(user)+" uses "+used)
		}
	}
	slices.Sort(users)
	if want := []string{"debug uses go/build", "legacyshader uses go/printer"}; !slices.Equal(users, want) {
		t.Errorf("%q, want %q", users, want)
	}
}

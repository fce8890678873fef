package link

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
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
	flags, err := Flags(strings.TrimSpace(string(root)), dir)
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

// TestUnknownSource: a text/template that is not as expected is left alone.
func TestUnknownSource(t *testing.T) {
	root, folder := t.TempDir(), t.TempDir()
	file := filepath.Join(root, "src", "text", "template", "exec.go")
	if _, err := Flags(root, folder); err == nil {
		t.Error("a missing source is no error")
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("package template\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	flags, err := Flags(root, folder)
	if err != nil || len(flags) != 0 {
		t.Errorf("%q, %v", flags, err)
	}
}

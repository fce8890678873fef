package check

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestExamples: the programs in docs/examples are short, and print the output in the files beside them. They compile in
// a separate module that finds this module through a replace directive, as docs/library.md says.
func TestExamples(t *testing.T) {
	t.Parallel()
	const limit = 40 // lines
	programs, err := filepath.Glob("docs/examples/*/main.go")
	if err != nil || len(programs) != 6 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	module := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(module, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", fmt.Sprintf("module mine\n\ngo 1.26\n\nrequire paretoplay v0.0.0\n\nreplace paretoplay => %s\n", here))
	write("go.sum", documentText(t, "go.sum"))
	for _, program := range programs {
		text := documentText(t, program)
		if n := strings.Count(text, "\n"); n > limit {
			t.Errorf("%s has %d lines, want at most %d", program, n, limit)
		}
		write(filepath.Join(filepath.Base(filepath.Dir(program)), "main.go"), text)
	}
	build := exec.Command("go", "build", "-mod=mod", "-o", filepath.Join(module, "bin")+string(filepath.Separator), "./...")
	build.Dir, build.Env = module, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, program := range programs {
		name := filepath.Base(filepath.Dir(program))
		out, err := exec.Command(filepath.Join(module, "bin", name)).CombinedOutput()
		if want := documentText(t, filepath.Join(filepath.Dir(program), "output.txt")); err != nil || string(out) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, out, want)
		}
	}
}

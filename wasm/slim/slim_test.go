package slim

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var regenerate = flag.Bool("regen", false, "compile Ebitengine's shaders anew, with the Ebitengine that go.mod names")

// TestShadersAreEbitengines checks that the program's shaders equal those that the version of Ebitengine in go.mod
// compiles from its sources.
func TestShadersAreEbitengines(t *testing.T) {
	const tree = "../.."
	module, err := ebitenFolder(tree)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	whole := filepath.Join(dir, "ebiten")
	if err := copyEbiten(os.DirFS(module), whole, false); err != nil {
		t.Fatal(err)
	}
	generator, err := os.ReadFile("testdata/beforehand.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(whole, "internal", "beforehand"), 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"ebiten/internal/beforehand/main.go": generator}
	for _, name := range []string{"go.mod", "go.sum"} {
		if files[name], err = os.ReadFile(filepath.Join(tree, name)); err != nil {
			t.Fatal(err)
		}
	}
	files["go.mod"] = fmt.Appendf(files["go.mod"], "\nreplace %s => %s\n", ebitenModule, strconv.Quote(whole))
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command("go", "run", "-modfile="+filepath.Join(dir, "go.mod"), ebitenModule+"/internal/beforehand")
	command.Dir = tree
	var complaint bytes.Buffer
	command.Stderr = &complaint
	said, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &complaint)
	}
	compiled, err := format.Source(said)
	if err != nil {
		t.Fatal(err)
	}
	const kept = "ebiten/internal/beforehand/beforehand.go.txt"
	if *regenerate {
		if err := os.WriteFile(kept, compiled, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := os.ReadFile(kept); err != nil || !bytes.Equal(now, compiled) {
		t.Errorf("%s differs from Ebitengine's result; run make regen-shaders (%v)", kept, err)
	}
}

// TestEbitengineIsTrimmed checks that the source tree has the version of Ebitengine to which the pieces belong. With
// another version, the whole of Ebitengine would be linked.
func TestEbitengineIsTrimmed(t *testing.T) {
	folder := t.TempDir()
	flags, err := Flags("../..", folder)
	if err != nil || len(flags) != 1 {
		t.Fatalf("flags %q, %v: ebitenVersion differs from go.mod", flags, err)
	}
	list := exec.Command("go", "list", flags[0], "-deps", "-json=ImportPath", "./wasm")
	list.Dir = "../.."
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	said, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := 0
	for d := json.NewDecoder(bytes.NewReader(said)); d.More(); packages++ {
		var p struct{ ImportPath string }
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		for _, unwanted := range []string{
			"go/parser", "go/constant", "go/build", "go/printer", "math/big", "encoding/gob", "net", "text/template",
		} {
			if p.ImportPath == unwanted {
				t.Errorf("the page's program has the package %s", unwanted)
			}
		}
	}
	if packages < 100 {
		t.Errorf("the program consists of %d packages only", packages)
	}
	// If Ebitengine's sources change, the error names the file.
	for _, e := range ebitenEdits {
		broken := filepath.Join(t.TempDir(), "broken")
		file := filepath.Join(broken, filepath.FromSlash(e.file))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("package other\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := copyEbiten(os.DirFS(broken), t.TempDir(), true); err == nil || !strings.Contains(err.Error(), e.file) {
			t.Errorf("without %q in %s: %v", e.was, e.file, err)
		}
	}
}

// TestOtherVersion checks that a source tree with another version of Ebitengine is built without the changes to
// Ebitengine.
func TestOtherVersion(t *testing.T) {
	tree := t.TempDir()
	if err := os.WriteFile(filepath.Join(tree, "go.mod"), []byte("module other\n\nrequire "+ebitenModule+" v2.0.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if flags, err := Flags(tree, t.TempDir()); err != nil || len(flags) != 0 {
		t.Errorf("%q, %v", flags, err)
	}
}

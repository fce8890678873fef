package slim

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"paretoplay/wasm/module"
)

// built returns a compiled program that recovers from one panic, dies of another, and runs a goroutine.
func built(t *testing.T) []byte {
	t.Helper()
	folder := t.TempDir()
	source, program := filepath.Join(folder, "main.go"), filepath.Join(folder, "main.wasm")
	if err := os.WriteFile(source, []byte(`package main

import "fmt"

type index int

func (i index) recovered() { fmt.Println("recovered:", recover()) }

func (i index) of(list []int) int {
	defer i.recovered()
	return list[i]
}

func main() {
	index(3).of(nil)
	done := make(chan map[string][]int)
	go func() { done <- map[string][]int{"a": make([]int, 1000)} }()
	fmt.Println(len((<-done)["a"]))
	ends()
}

//go:noinline
func ends() { panic("the end") }
`), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, source)
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	wasm, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// TestStripLines checks that the stripped program is smaller, that it recovers and panics as before, and that its trace
// names functions. If this test fails with a new Go release, the page's program is larger than necessary.
func TestStripLines(t *testing.T) {
	whole := built(t)
	kept := bytes.Clone(whole)
	stripped, err := StripLines(whole)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(whole, kept) {
		t.Error("the program itself was changed")
	}
	if before, after := packed(t, whole), packed(t, stripped); after > before*94/100 {
		t.Errorf("gzipped, %d bytes become %d", before, after)
	}
	again, err := StripLines(stripped)
	if err != nil || !bytes.Equal(again, stripped) {
		t.Errorf("a second pass changes the program again, or fails: %v", err)
	}

	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED, the program does not run: ", err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	loader := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec_node.js")
	for what, program := range map[string][]byte{"whole": whole, "stripped": stripped} {
		file := filepath.Join(t.TempDir(), "program.wasm")
		if err := os.WriteFile(file, program, 0o644); err != nil {
			t.Fatal(err)
		}
		command := exec.Command(node, loader, file)
		command.Env = []string{} // the environment must fit in 8 KB, with the arguments
		said, err := command.CombinedOutput()
		if err == nil {
			t.Errorf("%s: no error", what)
		}
		for _, want := range []string{
			"recovered: runtime error: index out of range [3] with length 0\n1000\n", "panic: the end\n", "main.ends(", "main.main(",
		} {
			if !strings.Contains(string(said), want) {
				t.Errorf("%s: %q is not in\n%s", what, want, said)
			}
		}
	}
}

func packed(t *testing.T, data []byte) int {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(data)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

// TestStripLinesOfOthers checks that incomplete or corrupt programs, and programs built with other Go releases, are
// rejected.
func TestStripLinesOfOthers(t *testing.T) {
	whole := built(t)
	for n := 0; n < len(whole); n += 1 + len(whole)/200 {
		if _, err := StripLines(whole[:n]); err == nil {
			t.Errorf("%d of %d bytes count as a program", n, len(whole))
		}
	}
	other := bytes.ReplaceAll(whole, []byte(releaseMark), []byte("go1.99"))
	if _, err := StripLines(other); !errors.Is(err, ErrLayout) {
		t.Errorf("a program of another release: %v", err)
	}
	header := bytes.Index(whole, []byte(headerMark))
	for at := header + 8; at < header+2*headerSize; at++ {
		broken := bytes.Clone(whole)
		broken[at] ^= 0x55
		stripped, err := StripLines(broken)
		if err != nil && !errors.Is(err, ErrLayout) && !errors.Is(err, module.ErrForm) || err == nil && len(stripped) == 0 {
			t.Errorf("byte %d after the mark broken: %d bytes, %v", at-header, len(stripped), err)
		}
	}
}

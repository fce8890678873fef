package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	wasm "paretoplay/wasm/module"
)

// section returns the bytes of a section of a module: its number, its length and its content.
func section(id byte, content string) string {
	return string([]byte{id, byte(len(content))}) + content
}

// These are the parts of a module with one imported function, three functions of its own, and two pieces of data with
// eight zeros between them.
var (
	head      = "\x00asm\x01\x00\x00\x00"
	debugging = section(0, "\x07.debug_nothing at all")
	body      = section(2, "\x01\x02go\x04host\x00\x00") +
		section(10, "\x03"+"\x03abc"+"\x05defgh"+"\x02ij") +
		section(11, "\x02"+"\x00\x41\x80\x01\x0b\x03one"+"\x00\x41\x8b\x01\x0b\x03two")
	names = section(0, "\x04name"+
		section(0, "\x04tiny")+
		section(1, "\x04"+"\x00\x04host"+"\x01\x0badd.add.Sum"+"\x02\x12a.b_c_d.Open.func1"+"\x03\x0ctype_.eq.add"))
	producers = section(0, "\x09producersGo")
	tiny      = head + debugging + body + names + producers
)

func TestParse(t *testing.T) {
	m, err := parse([]byte(tiny))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"add.add.Sum": 3, "a.b_c_d.Open.func1": 5, "type_.eq.add": 2} {
		if m.functions[name] != want {
			t.Errorf("%s is %d bytes, want %d", name, m.functions[name], want)
		}
	}
	if len(m.functions) != 4 || m.functions["host"] != 0 || m.code != 10 {
		t.Errorf("%d bytes of code in functions %v", m.code, m.functions)
	}
	if m.data != 19 {
		t.Errorf("%d bytes of data, want 19", m.data)
	}
	if want := "one" + strings.Repeat("\x00", 8) + "two"; string(m.memory[128:]) != want {
		t.Errorf("memory %q, want %q from 128 on", m.memory, want)
	}
	if want := head + body + producers; string(m.shipped) != want {
		t.Errorf("loaded is %q, want %q", m.shipped, want)
	}
}

// TestBroken checks that a truncated module is rejected, unless the remaining part is a valid module.
func TestBroken(t *testing.T) {
	for n := range len(tiny) {
		_, err := parse([]byte(tiny[:n]))
		if whole := n == len(tiny)-len(producers); (err == nil) != whole || err != nil && !errors.Is(err, wasm.ErrForm) {
			t.Errorf("%d of %d bytes: %v", n, len(tiny), err)
		}
	}
	for what, file := range map[string]string{
		"no names":                head + body,
		"the name of no function": head + body + section(0, "\x04name"+section(1, "\x01\x04\x04none")),
		"an imported memory":      head + section(2, "\x01\x02go\x03mem\x02\x00\x01") + names,
		"another version":         "\x00asm\x02\x00\x00\x00" + body + names,
	} {
		if _, err := parse([]byte(file)); !errors.Is(err, wasm.ErrForm) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestByPackage(t *testing.T) {
	got := byPackage(
		map[string]int{"a.b_c_d.Open": 5, "a.b_c_d.Open.func1": 2, "a.b_c.New": 1, "x_v1_2e2.F": 4, "type_.eq.add": 7, "memchr": 8},
		[]listed{{ImportPath: "a.b/c"}, {ImportPath: "a.b/c/d"}, {ImportPath: "x/v1.2"}},
	)
	for path, want := range map[string]int{"a.b/c/d": 7, "a.b/c": 1, "x/v1.2": 4, "(type_)": 7, "(memchr)": 8} {
		if got[path] != want {
			t.Errorf("%s is %d bytes, want %d", path, got[path], want)
		}
	}
}

func TestReport(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{"linked": "two", "unlinked": "three"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := parse([]byte(tiny))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err = report(&out, m, []listed{{ImportPath: "add", Dir: folder, EmbedFiles: []string{"linked", "unlinked"}}, {ImportPath: "a.b/c/d"}})
	if err != nil {
		t.Fatal(err)
	}
	want := `        10 code
         5   a.b/c/d
         3   add
         2   (type_)
         0   (host)
        19 data, with the embedded files
         3   add/linked
        72 the module as it is loaded
`
	if got, packed, _ := strings.Cut(out.String(), want); got != "" || !strings.HasSuffix(packed, " by brotli 11\n") {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

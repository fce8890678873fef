// Command size lists the parts of the page's programs: the code of each package, the data with the embedded files, and
// the bytes that a visitor loads. It links the programs with a name section, which the programs for visitors lack and
// the sums omit.
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"

	wasm "paretoplay/wasm/module"
	"paretoplay/wasm/slim"
)

const maxRows = 40 // maximum number of listed packages; the sizes of the others are added up

func main() {
	if err := run(os.Stdout, ".cache"); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

// run builds the programs, writes them into folder, and lists their parts. The working directory must be the root of
// the source tree.
func run(out io.Writer, folder string) error {
	fmt.Fprintln(out, "the page's program")
	if err := list(out, folder, "./wasm", ""); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nthe second program, which draws pictures without WebGL")
	if err := list(out, folder, "./wasm/picture", "picture"); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nthe third program, which reads and checks lessons")
	return list(out, folder, "./wasm/workshop", "")
}

// list builds the program of a package with the given tag, writes it into folder, and lists its parts.
func list(out io.Writer, folder, program, tag string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	flags, err := slim.Flags(".", folder)
	if err != nil {
		return err
	}
	file := filepath.Join(folder, "named.wasm")
	if _, err := command(append(append([]string{"build", "-trimpath", "-tags=" + tag, "-o", file}, flags...), program)...); err != nil {
		return err
	}
	described, err := command(append(append([]string{"list"}, flags...), "-tags="+tag, "-deps", "-json=ImportPath,Dir,EmbedFiles", program)...)
	if err != nil {
		return err
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(described)); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			return err
		}
		packages = append(packages, p)
	}
	built, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	m, err := parse(built)
	if err != nil {
		return err
	}
	if m.shipped, err = slim.StripLines(m.shipped); err != nil {
		return err
	}
	return report(out, m, packages)
}

// command runs the go command for the browser's target.
func command(args ...string) ([]byte, error) {
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	c.Stderr = os.Stderr
	return c.Output()
}

// listed holds the fields that this command reads from go list's output about a package.
type listed struct {
	ImportPath, Dir string
	EmbedFiles      []string
}

func report(out io.Writer, m *module, packages []listed) error {
	code := byPackage(m.functions, packages)
	largest := slices.SortedFunc(maps.Keys(code), func(a, b string) int { return cmp.Or(code[b]-code[a], strings.Compare(a, b)) })
	fmt.Fprintf(out, "%10d code\n", m.code)
	rest := m.code
	for i, owner := range largest {
		if i == maxRows {
			fmt.Fprintf(out, "%10d   %d others\n", rest, len(largest)-maxRows)
			break
		}
		fmt.Fprintf(out, "%10d   %s\n", code[owner], owner)
		rest -= code[owner]
	}
	fmt.Fprintf(out, "%10d data, with the embedded files\n", m.data)
	for _, p := range packages {
		for _, name := range p.EmbedFiles {
			content, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return err
			}
			if bytes.Contains(m.memory, content) { // the linker drops unreferenced code
				fmt.Fprintf(out, "%10d   %s/%s\n", len(content), p.ImportPath, name)
			}
		}
	}
	var packed bytes.Buffer
	w := brotli.NewWriterOptions(&packed, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	_, err := w.Write(m.shipped)
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%10d the module as it is loaded\n%10d by brotli 11\n", len(m.shipped), packed.Len())
	return err
}

var unfit = regexp.MustCompile(`[^\w.]`) // characters that the linker replaces by "_" in names

// byPackage sums function sizes by package. Functions without a package, such as comparisons that the compiler
// generates, are grouped by the part of the name before its first dot.
func byPackage(functions map[string]int, packages []listed) map[string]int {
	known := map[string]string{}
	for _, p := range packages {
		folder, last := path.Split(p.ImportPath)
		// The compiler writes a dot in a path's last element as %2e.
		known[unfit.ReplaceAllString(folder+strings.ReplaceAll(last, ".", "%2e"), "_")] = p.ImportPath
	}
	sums := map[string]int{}
	for name, size := range functions {
		before, _, _ := strings.Cut(name, ".")
		owner := "(" + before + ")"
		for i := range name { // find the longest matching path, because domains contain dots too
			if name[i] == '.' && known[name[:i]] != "" {
				owner = known[name[:i]]
			}
		}
		sums[owner] += size
	}
	return sums
}

// module holds the parts of a WebAssembly module.
type module struct {
	code, data int            // in bytes
	functions  map[string]int // in bytes of code, by name
	memory     []byte         // initial memory, filled with the data
	shipped    []byte         // the module without names and debugging information
}

// parse reads a module that has a name section.
func parse(file []byte) (*module, error) {
	m := &module{functions: map[string]int{}, shipped: []byte(wasm.Magic)}
	var sizes []int // sizes of all functions by index; imported functions come first
	var names []string
	var segments []wasm.Segment
	if err := wasm.Sections(file, func(id byte, whole []byte, section *wasm.Reader) {
		switch id {
		case wasm.Custom:
			name := string(section.Take(section.Number()))
			if name == "name" {
				names = namesOf(section, len(sizes))
			}
			if name == "name" || strings.HasPrefix(name, ".debug_") {
				return
			}
		case wasm.Imports:
			for range section.Number() {
				section.Part()         // module
				section.Part()         // name
				section.Expect("\x00") // a function
				section.Number()       // of this type
				sizes = append(sizes, 0)
			}
		case wasm.Code:
			for range section.Number() {
				sizes = append(sizes, section.Part().Len())
			}
		case wasm.Data:
			m.data = section.Len()
			segments = section.Segments()
		}
		m.shipped = append(m.shipped, whole...)
	}); err != nil {
		return nil, err
	}
	if names == nil {
		return nil, wasm.ErrForm
	}
	for i, size := range sizes {
		m.functions[names[i]] += size
		m.code += size
	}
	var err error
	m.memory, err = wasm.Memory(segments)
	return m, err
}

// namesOf reads the name section of a module with n functions.
func namesOf(section *wasm.Reader, n int) []string {
	names := make([]string, n)
	for section.More() {
		id := section.Take(1)[0]
		part := section.Part()
		if id != 1 { // not the names of functions
			continue
		}
		for range part.Number() {
			i := part.Number()
			if i >= n {
				panic(wasm.ErrForm)
			}
			name := part.Part()
			names[i] = string(name.Take(name.Len()))
		}
	}
	return names
}

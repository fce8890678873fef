// Command size lists the parts of the page's programs: the code of each package, the data
// with the embedded files, and the bytes that a visitor loads. For this it links
// them with a name section, which visitors do not get and the sums leave out.
package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
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

	"paretoplay/wasm/slim"
)

const most = 40 // packages that are listed; the others are summed up

func main() {
	if err := run(os.Stdout, ".cache"); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

// run builds the programs into a folder; the working directory must be the source tree.
func run(out io.Writer, folder string) error {
	fmt.Fprintln(out, "the page's program")
	if err := list(out, folder, "./wasm", ""); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nthe second program, which makes pictures without WebGL")
	if err := list(out, folder, "./wasm/picture", "picture"); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nthe third program, which reads and checks lessons")
	return list(out, folder, "./wasm/workshop", "")
}

// list builds the program of a package with a tag, and lists its parts.
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
	return report(out, m, packages)
}

// command runs the go command for the browser.
func command(args ...string) ([]byte, error) {
	c := exec.Command("go", args...)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	c.Stderr = os.Stderr
	return c.Output()
}

// listed is a package as go list describes it.
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
		if i == most {
			fmt.Fprintf(out, "%10d   %d others\n", rest, len(largest)-most)
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
			if bytes.Contains(m.memory, content) { // the linker leaves out unreferenced code
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

var unfit = regexp.MustCompile(`[^\w.]`) // what the linker replaces by "_" in names

// byPackage sums sizes of functions by package. Functions without a package, such as
// comparisons that the compiler makes, go by the part before their first dot.
func byPackage(functions map[string]int, packages []listed) map[string]int {
	known := map[string]string{}
	for _, p := range packages {
		folder, last := path.Split(p.ImportPath)
		// The compiler writes a dot in the last element as %2e.
		known[unfit.ReplaceAllString(folder+strings.ReplaceAll(last, ".", "%2e"), "_")] = p.ImportPath
	}
	sums := map[string]int{}
	for name, size := range functions {
		before, _, _ := strings.Cut(name, ".")
		owner := "(" + before + ")"
		for i := range name { // the longest path: there are dots in domains too
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
	code, data int            // bytes
	functions  map[string]int // bytes of code by name
	memory     []byte         // as the data fill it
	shipped    []byte         // the module without names and debugging information
}

var errForm = errors.New("this is no WebAssembly module that Go has linked with names, or not all of it")

// parse reads a module. Its parts are numbered by the specification of WebAssembly
// (core 2.0, sections 5.5 and 7.4).
func parse(file []byte) (m *module, err error) {
	defer func() {
		if r := recover(); r == errForm {
			m, err = nil, errForm
		} else if r != nil {
			panic(r)
		}
	}()
	m = &module{functions: map[string]int{}}
	r := reader{file}
	m.shipped = append(m.shipped, r.expect("\x00asm\x01\x00\x00\x00")...)
	var sizes []int // of all functions by index, the host's first
	var names []string
	for len(r.rest) > 0 {
		whole := r.rest
		id := r.take(1)[0]
		section := reader{r.take(r.number())}
		switch id {
		case 0: // custom
			name := string(section.take(section.number()))
			if name == "name" {
				names = section.names(len(sizes))
			}
			if name == "name" || strings.HasPrefix(name, ".debug_") {
				continue
			}
		case 2: // imports
			for range section.number() {
				section.take(section.number()) // module
				section.take(section.number()) // name
				section.expect("\x00")         // a function
				section.number()               // of this type
				sizes = append(sizes, 0)
			}
		case 10: // code
			for range section.number() {
				body := section.take(section.number())
				sizes = append(sizes, len(body))
			}
		case 11: // data
			m.data = len(section.rest)
			m.memory = section.segments()
		}
		m.shipped = append(m.shipped, whole[:len(whole)-len(r.rest)]...)
	}
	if names == nil {
		return nil, errForm
	}
	for i, size := range sizes {
		m.functions[names[i]] += size
		m.code += size
	}
	return m, nil
}

// reader reads a module. It panics with errForm if the form is wrong.
type reader struct{ rest []byte }

func (r *reader) take(n int) []byte {
	if n > len(r.rest) {
		panic(errForm)
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) expect(s string) []byte {
	taken := r.take(len(s))
	if string(taken) != s {
		panic(errForm)
	}
	return taken
}

// number reads an unsigned number of 32 bits in LEB128.
func (r *reader) number() int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v >= 1<<32 {
		panic(errForm)
	}
	r.take(n)
	return int(v)
}

// names reads the name section of a module with n functions.
func (r *reader) names(n int) []string {
	names := make([]string, n)
	for len(r.rest) > 0 {
		id := r.take(1)[0]
		part := reader{r.take(r.number())}
		if id != 1 { // functions
			continue
		}
		for range part.number() {
			i := part.number()
			if i >= n {
				panic(errForm)
			}
			names[i] = string(part.take(part.number()))
		}
	}
	return names
}

// segments lays the segments of a data section out in memory.
func (r *reader) segments() (memory []byte) {
	for range r.number() {
		r.expect("\x00\x41") // at a place that is a constant of 32 bits,
		at := r.number()     // signed, but Go's are positive and small
		r.expect("\x0b")
		content := r.take(r.number())
		memory = append(memory, make([]byte, max(0, at+len(content)-len(memory)))...)
		copy(memory[at:], content)
	}
	return memory
}

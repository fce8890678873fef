// Package link has the flags of go build that make the page's program small.
package link

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// replacement is a piece of Go's sources that keeps much unused code in the page's program, with
// its substitute.
type replacement struct{ file, was, is string }

// list holds the replacements.
var list = []replacement{
	// Ebitengine fills in the sources of its shaders by text/template, which calls methods by names
	// that only the running program knows. Because of this the linker would keep every exported method
	// of every type in use, a sixth of the program. No shader's template calls a method.
	{"text/template/exec.go", "ptr.MethodByName(fieldName)", "(reflect.Value{})"},
	// Ebitengine asks where its own source lies to name callers in warnings: there is no source
	// in a browser, and a search through folders, go.mod and the go command would find none.
	{"go/build/build.go", "\tp := &Package{\n\t\tImportPath: path,\n\t}\n",
		"\tp := &Package{ImportPath: path}\n\treturn p, fmt.Errorf(\"import %q: no sources here\", path)\n"},
	// Ebitengine reprints shaders whose unit is texels; its own use pixels, and the page has none.
	{"go/printer/printer.go", "\treturn (&Config{Tabwidth: 8}).Fprint(output, fset, node)\n",
		"\treturn fmt.Errorf(\"go/printer: left out\")\n"},
	// Every decoder registers for image.Decode, which nothing calls: PNG, JPEG, GIF and TIFF.
	{"image/format.go", "append(formats, format{name, magic, decode, decodeConfig})", "formats"},
}

// Flags returns flags of go build for the page's program, run in the source tree dir. They refer to files that
// it writes to a folder; root is the Go installation's. A source with unexpected contents is compiled unchanged,
// and the program still works.
func Flags(root, dir, folder string) ([]string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	flags, err := ebitenFlags(dir, folder)
	if err != nil {
		return nil, err
	}
	replaced := map[string]string{}
	for _, l := range list {
		file := filepath.Join(root, "src", filepath.FromSlash(l.file))
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if bytes.Count(source, []byte(l.was)) != 1 {
			continue
		}
		replaced[file] = filepath.Join(folder, strings.ReplaceAll(l.file, "/", "-"))
		if err := os.WriteFile(replaced[file], bytes.Replace(source, []byte(l.was), []byte(l.is), 1), 0o644); err != nil {
			return nil, err
		}
	}
	if len(replaced) == 0 {
		return flags, nil
	}
	overlay := filepath.Join(folder, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": replaced})
	if err != nil {
		return nil, err
	}
	return append(flags, "-overlay="+overlay), os.WriteFile(overlay, text, 0o644)
}

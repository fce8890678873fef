// Package link has the flags of go build that make the page's program small.
package link

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// Flags returns flags of go build for the page's program. They refer to files that it
// writes to a folder; root is that of the Go installation.
//
// Ebitengine fills in the sources of its shaders by text/template, which calls methods
// by names that only the running program knows. For this the linker would keep every
// exported method of every type in use, a sixth of the program. No shader's template
// calls a method, so text/template is compiled without this. Where its source is not
// as expected it is compiled as it is, and the program works too.
func Flags(root, folder string) ([]string, error) {
	file := filepath.Join(root, "src", "text", "template", "exec.go")
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	const lookUp, nothing = "ptr.MethodByName(fieldName)", "(reflect.Value{})"
	if bytes.Count(source, []byte(lookUp)) != 1 {
		return nil, nil
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	replacement, overlay := filepath.Join(folder, "exec.go"), filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(replacement, bytes.Replace(source, []byte(lookUp), []byte(nothing), 1), 0o644); err != nil {
		return nil, err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {file: replacement}})
	if err != nil {
		return nil, err
	}
	return []string{"-overlay=" + overlay}, os.WriteFile(overlay, list, 0o644)
}

// Package slim shrinks the page's programs. It returns flags for go build that link the programs with a smaller
// Ebitengine, and it strips the programs' tables of lines.
package slim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Ebitengine compiles its shaders when it starts, using Go's parser, big-number arithmetic and templates. It can also
// run as a guest in another process. Templates call methods by names known only at run time, so the linker keeps every
// exported method of every used type. Together, these parts make up a quarter of the page's program. So the program is
// linked with a copy of Ebitengine that has compiled shaders and none of these parts.
const (
	ebitenModule  = "github.com/hajimehoshi/ebiten/v2"
	ebitenVersion = "v2.10.4" // the version to which the pieces belong
)

// piecesFolder is the folder, in the source tree, of the files that are added to the copy or replace files of the same
// name in it. The suffix piecesSuffix keeps builds from compiling them here.
const piecesFolder, piecesSuffix = "wasm/slim/ebiten", ".txt"

// replacedFolders lists the folders of Ebitengine of which the copy contains only the pieces.
var replacedFolders = []string{
	"internal/builtinshader", "internal/colormshader", "internal/legacyshader", "internal/shaderprecomp", "internal/vmguest",
}

// replacement is a change to a file. It replaces one piece of text (the field was) with another (the field is).
type replacement struct{ file, was, is string }

// ebitenEdits lists the changes to files of the copy that the pieces do not replace.
var ebitenEdits = []replacement{
	{"internal/shaderir/program.go", `"go/constant"`, `"` + ebitenModule + `/internal/constant"`},
	{"internal/shaderir/glsl/glsl.go", `"go/constant"`, `"` + ebitenModule + `/internal/constant"`},
	{"internal/graphicsdriver/opengl/shader.go", "vssrc, fssrc = glsl.Compile(s.ir, version)",
		`return fmt.Errorf("opengl: the shader %s was not compiled beforehand", s.ir.SourceID)`},
	{"internal/graphicsdriver/opengl/shader.go", "	version := s.graphics.context.glslVersion()\n",
		"	if s.takeBegun() {\n\t\treturn nil\n\t}\n	version := s.graphics.context.glslVersion()\n"},
	{"internal/graphicsdriver/opengl/graphics_js.go", "	return g, nil\n", "	return g, g.begin()\n"},
	{"internal/graphicscommand/commandqueue.go", "	tmpNumVertexFloats int\n", "	tmpNumVertexFloats int\n	needs              needs\n"},
	{"internal/graphicscommand/commandqueue.go", "		q.vertices = q.vertices[:0]\n		q.indices = q.indices[:0]\n",
		"		q.release()\n"},
	{"internal/graphicscommand/command.go", "	p.pool = append(p.pool, v)\n",
		"	v.dst, v.srcs, v.vertices = nil, [graphics.ShaderSrcImageCount]*Image{}, nil\n	p.pool = append(p.pool, v)\n"},
}

var ebitenLine = regexp.MustCompile(`(?m)^\s*(?:require\s+)?` + regexp.QuoteMeta(ebitenModule) + `\s+(\S+)`)

// Flags returns flags for go build, run in the source tree dir, that link the trimmed copy of Ebitengine. It writes the
// copy, and a go.mod that refers to it, to folder. It returns no flags for a source tree with another version of
// Ebitengine or without it.
func Flags(dir, folder string) ([]string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	if found := ebitenLine.FindSubmatch(mod); found == nil || string(found[1]) != ebitenVersion {
		return nil, nil
	}
	sums, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil {
		return nil, err
	}
	module, err := ebitenFolder(dir)
	if err != nil {
		return nil, err
	}
	trimmed := filepath.Join(folder, "ebiten")
	if err := errors.Join(copyEbiten(os.DirFS(module), trimmed, true),
		copyPieces(os.DirFS(filepath.Join(dir, filepath.FromSlash(piecesFolder))), trimmed)); err != nil {
		return nil, err
	}
	mod = fmt.Appendf(mod, "\nreplace %s => %s\n", ebitenModule, strconv.Quote(trimmed))
	file := filepath.Join(folder, "go.mod")
	return []string{"-modfile=" + file}, errors.Join(os.WriteFile(file, mod, 0o644),
		os.WriteFile(filepath.Join(folder, "go.sum"), sums, 0o644))
}

// ebitenFolder returns the folder with Ebitengine's sources. The go command downloads them if necessary.
func ebitenFolder(dir string) (string, error) {
	command := exec.Command("go", "mod", "download", "-json", ebitenModule)
	command.Dir = dir
	said, err := command.Output()
	var module struct{ Dir, Error string }
	if broken := json.Unmarshal(said, &module); broken == nil && module.Error != "" {
		err = errors.New(module.Error)
	}
	if err != nil || module.Dir == "" {
		return "", fmt.Errorf("go mod download %s: %w", ebitenModule, err)
	}
	return module.Dir, nil
}

// copyEbiten copies Ebitengine's packages to a folder. If trim is true, it omits the files in replacedFolders and makes
// the changes in ebitenEdits.
func copyEbiten(module fs.FS, folder string, trim bool) error {
	return fs.WalkDir(module, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name != "." && name != "internal" && !strings.HasPrefix(name, "internal/") || path.Base(name) == "testdata" {
				return fs.SkipDir // examples and tools that use Ebitengine
			}
			return os.MkdirAll(filepath.Join(folder, filepath.FromSlash(name)), 0o755)
		case strings.HasSuffix(name, "_test.go") || trim && slices.Contains(replacedFolders, path.Dir(name)):
			return nil
		}
		data, err := fs.ReadFile(module, name)
		if err != nil {
			return err
		}
		for _, e := range ebitenEdits {
			if !trim || e.file != name {
				continue
			}
			if bytes.Count(data, []byte(e.was)) != 1 {
				return fmt.Errorf("%s of Ebitengine %s does not contain %q exactly once", name, ebitenVersion, e.was)
			}
			data = bytes.Replace(data, []byte(e.was), []byte(e.is), 1)
		}
		return os.WriteFile(filepath.Join(folder, filepath.FromSlash(name)), data, 0o644)
	})
}

// copyPieces writes the pieces to the copy.
func copyPieces(pieces fs.FS, folder string) error {
	return fs.WalkDir(pieces, ".", func(name string, entry fs.DirEntry, err error) error {
		target, piece := strings.CutSuffix(name, piecesSuffix)
		if err != nil || entry.IsDir() || !piece {
			return err
		}
		data, err := fs.ReadFile(pieces, name)
		if err != nil {
			return err
		}
		target = filepath.Join(folder, filepath.FromSlash(target))
		return errors.Join(os.MkdirAll(filepath.Dir(target), 0o755), os.WriteFile(target, data, 0o644))
	})
}

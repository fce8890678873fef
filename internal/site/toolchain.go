package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"paretoplay/internal/atomicfile"
	"paretoplay/wasm/slim"
)

// toolchain compiles the page's programs. Several processes may use it at once.
type toolchain struct {
	command string // the go command
	dir     string // the source tree
	loader  []byte
	cache   string // for compiled and compressed files
}

// findToolchain finds the compiler and a cache folder. It reports fallbacks to log.
func findToolchain(ctx context.Context, source *Source, log io.Writer) (*toolchain, error) {
	command, err := exec.LookPath("go")
	if err != nil {
		return nil, errors.New("the Go toolchain is missing: install Go 1.26 or newer from https://go.dev/dl and add go to the PATH; " +
			"it compiles the page")
	}
	cache, err := cacheFolder(source.dir, log)
	if err != nil {
		return nil, err
	}
	env := exec.CommandContext(ctx, command, "env", "GOROOT")
	env.Dir = source.dir
	said, err := env.Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", commandError(err))
	}
	root := strings.TrimSpace(string(said))
	// The loader must come from the same release as the compiler, because their interface has no version.
	loader, err := os.ReadFile(filepath.Join(root, "lib", "wasm", loaderName))
	if err != nil {
		return nil, fmt.Errorf("this Go installation lacks its WebAssembly loader: %w", err)
	}
	return &toolchain{command: command, dir: source.dir, loader: loader, cache: cache}, nil
}

// cacheFolder returns a writable folder: the user's cache, or else one in the source tree.
func cacheFolder(dir string, log io.Writer) (string, error) {
	local := filepath.Join(dir, ".cache")
	folder, err := os.UserCacheDir()
	if err == nil {
		folder = filepath.Join(folder, "paretoplay")
		if err = tryFolder(folder); err == nil {
			return folder, nil
		}
	}
	if errLocal := tryFolder(local); errLocal != nil {
		return "", fmt.Errorf("no writable folder for compiling: %v; %v", err, errLocal)
	}
	fmt.Fprintf(log, "paretoplay: the user's cache cannot be used (%v); using %s\n", err, local)
	return local, nil
}

// tryFolder returns an error if a folder is not writable. It creates the folder and a file in it, and removes the file.
func tryFolder(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, ".try-*")
	if err != nil {
		return fmt.Errorf("cannot write to %s: %w", folder, atomicfile.Cause(err))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// commandError returns an error whose text is a command's standard error output instead of its exit status.
func commandError(err error) error {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return err
}

// Loader returns the script that starts a compiled program.
func (t *toolchain) Loader() []byte { return t.loader }

// program is one of the page's programs. The second has every scene and draws pictures without WebGL. The page loads it
// to export a picture, and as its first program if there is no WebGL. The third reads and checks lessons. The page loads
// it in the workshop, and for a link that contains a lesson.
type program struct{ file, folder, tags string }

var (
	firstProgram    = program{"paretoplay.wasm", "./wasm", ""}
	pictureProgram  = program{"picture.wasm", "./wasm/picture", "picture"}
	workshopProgram = program{"workshop.wasm", "./wasm/workshop", ""}
)

// Compile returns a program, both plain and compressed with brotli at the effort for serving.
func (t *toolchain) Compile(ctx context.Context, p program) (wasm, packed []byte, err error) {
	if wasm, err = t.build(ctx, p); err != nil {
		return nil, nil, err
	}
	packed, err = t.compressed(ctx, wasm, brotliServing, nil)
	return wasm, packed, err
}

// build runs go build, which finds out what is stale, and returns the program.
func (t *toolchain) build(ctx context.Context, p program) (wasm []byte, err error) {
	// Each build has its own output file, so that two servers do not write to the same one. The file starts as a copy
	// of the last output. If nothing has changed, go build leaves this copy unchanged.
	shared := filepath.Join(t.cache, strings.TrimSuffix(p.file, ".wasm")+"-"+stamp([]byte(t.dir))+".wasm")
	folder, err := os.MkdirTemp(t.cache, ".build-*")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	output := filepath.Join(folder, p.file)
	last, err := os.ReadFile(shared)
	if err == nil {
		err = os.WriteFile(output, last, 0o644)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	flags, err := slim.Flags(t.dir, folder)
	if err != nil {
		return nil, err
	}
	args := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-tags=" + p.tags, "-o", output}, flags...)
	command := exec.CommandContext(ctx, t.command, append(args, p.folder)...)
	command.Dir = t.dir
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	command.Cancel = func() error {
		// An interrupt also stops go's compilers. Windows cannot send one.
		if command.Process.Signal(os.Interrupt) == nil {
			return nil
		}
		return command.Process.Kill()
	}
	command.WaitDelay = 3 * time.Second
	if said, err := command.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		const limit = 4000 // in a long list, the first errors are the useful ones
		if len(said) > limit {
			said = append(said[:limit:limit], "\n..."...)
		}
		return nil, fmt.Errorf("go build %s failed (%v):\n%s", p.folder, err, bytes.TrimSpace(said))
	}
	if wasm, err = os.ReadFile(output); err != nil {
		return nil, err
	}
	if err := os.Rename(output, shared); err != nil {
		return nil, err
	}
	stripped, err := slim.StripLines(wasm)
	if errors.Is(err, slim.ErrLayout) {
		return wasm, nil // without stripping, the program works too; it is only larger
	}
	return stripped, err
}

// compressed caches the results of compress on disk, keyed by the contents.
func (t *toolchain) compressed(ctx context.Context, data []byte, c compression, progress func(share float64)) ([]byte, error) {
	name := fmt.Sprintf("%x-%d%s", sha256.Sum256(data), c.level, c.suffix)
	return fileCache{t.cache}.get(name, func() ([]byte, error) { return compress(ctx, data, c, progress) })
}

package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"

	"paretoplay/place"
	"paretoplay/scenes"
	"paretoplay/scenes/lesson"
	"paretoplay/scenes/lesson/formula"
	"paretoplay/scenes/scene"
	"paretoplay/scenes/session"
	"paretoplay/wasm/link"
)

// Names of the site's files at its root. The loader, the state and the catalogue are not in
// the source tree.
const (
	pageName    = "index.html"
	workerName  = "sw.js" // keeps the site for visits without a network
	loaderName  = "wasm_exec.js"
	stateName   = "site.json"
	catalogName = "scenes.json"
	noticesName = "LICENCES.txt"
)

// mediaTypes are the kinds of file a site consists of. The system's own table
// is not asked: it differs between machines, and a wrong type breaks modules.
var mediaTypes = map[string]string{
	".css":   "text/css; charset=utf-8",
	".html":  "text/html; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".json":  "application/json",
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".txt":   "text/plain; charset=utf-8",
	".wasm":  "application/wasm",
	".woff2": "font/woff2",
}

// compressible holds the extensions whose contents are not compressed already.
var compressible = map[string]bool{".css": true, ".html": true, ".js": true, ".json": true, ".svg": true, ".txt": true, ".wasm": true}

// form is a compressed form of a file.
type form struct {
	encoding string // as in Content-Encoding
	suffix   string // of the file beside the plain one
	level    int
	window   int // base 2 logarithm of brotli's memory, 0 for the level's own
}

// Serving compresses at an effort that takes a second for the whole program,
// publishing at the highest and with the largest window that browsers must
// accept, which saves one percent. Gzip's levels hardly differ in time.
var (
	brotliServing    = form{encoding: "br", suffix: ".br", level: 5}
	brotliPublishing = form{encoding: "br", suffix: ".br", level: brotli.BestCompression, window: 24}
	gzipAlways       = form{encoding: "gzip", suffix: ".gz", level: gzip.BestCompression}
)

// compress returns data in form f. It calls progress, which may be nil, with
// the share done, and gives up when ctx ends.
func compress(ctx context.Context, data []byte, f form, progress func(share float64)) ([]byte, error) {
	var packed bytes.Buffer
	var w io.WriteCloser
	switch f.encoding {
	case "br":
		w = brotli.NewWriterOptions(&packed, brotli.WriterOptions{Quality: f.level, LGWin: f.window})
	case "gzip":
		var err error
		if w, err = gzip.NewWriterLevel(&packed, f.level); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("no encoding %q", f.encoding)
	}
	const chunk = 1 << 18
	for start := 0; start < len(data); start += chunk {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end := min(start+chunk, len(data))
		if _, err := w.Write(data[start:end]); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(float64(end) / float64(len(data)))
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// file is one file of the site as it is served.
type file struct {
	name, mediaType string
	data            []byte
	stamp           string // of data
	immutable       bool   // the name changes with the contents
	packed          map[string]func() ([]byte, error)
}

func newFile(name string, data []byte) *file {
	f := &file{name: name, mediaType: mediaTypes[path.Ext(name)], data: data, stamp: stamp(data), packed: map[string]func() ([]byte, error){}}
	if compressible[path.Ext(name)] {
		for _, form := range []form{brotliServing, gzipAlways} {
			f.packed[form.encoding] = sync.OnceValues(func() ([]byte, error) {
				return compress(context.Background(), data, form, nil)
			})
		}
	}
	return f
}

// stamp returns 12 hexadecimal digits that change with the contents.
func stamp(contents ...[]byte) string {
	sum := sha256.New()
	for _, data := range contents {
		fmt.Fprintf(sum, "%d\n", len(data)) // keeps "ab","c" apart from "a","bc"
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
}

// stamped returns name with the stamp of data before its extension.
func stamped(name string, data []byte) string {
	extension := path.Ext(name)
	return strings.TrimSuffix(name, extension) + "-" + stamp(data) + extension
}

// Source is the source tree: the page in it, and the scenes linked into this
// program, which draw the pictures of the contents page.
type Source struct {
	dir      string
	folders  []string // of lessons
	notices  string   // the contents of noticesName
	scenes   scene.List
	catalog  func() ([]byte, error)
	thumbs   func(id, card string) ([][]byte, error) // one for each theme
	tradeoff func() ([][]byte, error)
	lessons  func() (files map[string][]byte, list []lesson.Head, err error)
	pictures *memory // those drawn before by the same program; nil for none
}

// shown is every scene of the site; a variable for the sake of tests, which draw fewer.
var shown = scenes.All

// LessonFolders are where the lessons are read from.
func (s *Source) LessonFolders() []string { return s.folders }

var moduleLine = regexp.MustCompile(`(?m)^module\s+"?paretoplay"?\s*(//.*)?$`)

// Find finds the source tree that the working directory is in. The site has its lessons and
// those of own folders.
func Find(notices string, own ...string) (*Source, error) {
	start, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && moduleLine.Match(mod) {
			folders := lessonFolders(dir, own)
			return &Source{dir: dir, folders: folders, notices: notices, scenes: shown, catalog: catalogue,
				thumbs: drawThumbs, tradeoff: drawTradeoff, lessons: lessonsOf(folders)}, nil
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if dir == filepath.Dir(dir) {
			return nil, fmt.Errorf("%s is not inside the source tree: no go.mod of module paretoplay here or above; the page is compiled from "+
				"it", start)
		}
	}
}

// lessonsOf returns a function that reads the lessons of folders, which takes a moment, again only
// once their files have changed.
func lessonsOf(folders []string) func() (map[string][]byte, []lesson.Head, error) {
	var mu sync.Mutex
	var read string // what was known of the files when they were read
	var files map[string][]byte
	var list []lesson.Head
	return func() (map[string][]byte, []lesson.Head, error) {
		mu.Lock()
		defer mu.Unlock()
		var now strings.Builder
		for _, folder := range folders {
			entries, err := os.ReadDir(folder)
			if err != nil {
				return lessonFiles(folders...) // whose error is for people
			}
			for _, entry := range entries {
				if info, err := os.Stat(filepath.Join(folder, entry.Name())); err == nil { // of a link, what it leads to
					fmt.Fprintln(&now, entry.Name(), info.Size(), info.ModTime().UnixNano())
				}
			}
		}
		if now.String() == read {
			return files, list, nil
		}
		var err error
		if files, list, err = lessonFiles(folders...); err != nil {
			read = ""
			return nil, nil, err
		}
		read = now.String()
		return files, list, nil
	}
}

// catalogue is scenes.json: what the page needs to know of every scene, with formulas as it can
// show them.
func catalogue() ([]byte, error) {
	list, err := session.Catalog(shown)
	if err != nil {
		return nil, err
	}
	for i := range list {
		entry := &list[i]
		entry.Equations = slices.Clone(entry.Equations) // the scene's own stay as they are
		for j := range entry.Equations {
			e := &entry.Equations[j]
			for _, tex := range []*string{&e.Symbols, &e.Numbers} {
				if *tex, err = formula.MathML(*tex, true); err != nil {
					return nil, fmt.Errorf("scene %s, equation %s: %w", entry.ID, e.ID, err)
				}
			}
		}
	}
	return json.Marshal(list)
}

var segment = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)

// published reports whether a slash-separated path of the source tree is part
// of the site: the page, its worker, and under assets the known kinds of file. Hidden
// files, tests and odd names are not.
func published(name string) bool {
	if name == pageName || name == workerName {
		return true
	}
	if !strings.HasPrefix(name, "assets/") || mediaTypes[path.Ext(name)] == "" || strings.HasSuffix(name, ".test.js") {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if !segment.MatchString(part) {
			return false
		}
	}
	return true
}

// read returns a published file, or fs.ErrNotExist: the page with what this program knows of it.
func (s *Source) read(name string) ([]byte, error) {
	data, err := s.readTree(name)
	if err == nil && name == pageName {
		_, list, err := s.lessons()
		if err != nil {
			return nil, err
		}
		return withGallery(data, s.scenes, list)
	}
	return data, err
}

// readTree returns a published file as it is in the source tree.
func (s *Source) readTree(name string) (data []byte, err error) {
	if !published(name) {
		return nil, fs.ErrNotExist
	}
	// Links must not lead out of the folder that is published.
	folder, rest := s.dir, name
	if inner, ok := strings.CutPrefix(name, "assets/"); ok {
		folder, rest = filepath.Join(s.dir, "assets"), inner
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	info, err := root.Stat(filepath.FromSlash(rest))
	if err != nil && leadsOut(folder, rest) || err == nil && !info.Mode().IsRegular() {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, err
	}
	return root.ReadFile(filepath.FromSlash(rest))
}

// leadsOut reports whether a file of the folder is a link to one outside, or to itself.
func leadsOut(folder, name string) bool {
	home, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	end, err := place.Followed(filepath.Join(folder, filepath.FromSlash(name)))
	if err != nil {
		return true
	}
	inside, err := filepath.Rel(home, end)
	return err != nil || !filepath.IsLocal(inside)
}

// files returns all published files by name.
func (s *Source) files() (map[string][]byte, error) {
	files := map[string][]byte{}
	tree := os.DirFS(s.dir)
	names := []string{pageName, workerName}
	err := fs.WalkDir(tree, "assets", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && published(name) {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		files[name], err = s.read(name)
		if errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(name, "assets/") {
			err = errors.New("it is no file, or a link that leads nowhere or out of the folder assets; remove it")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}

// lesson returns a file of the lessons, or fs.ErrNotExist.
func (s *Source) lesson(name string) ([]byte, error) {
	files, _, err := s.lessons()
	if data, ok := files[name]; ok || err != nil {
		return data, err
	}
	return nil, fs.ErrNotExist
}

// drawings returns the files that this program makes, by name: the catalogue, the
// pictures of the scenes and their experiments, and the notices.
func (s *Source) drawings() map[string]func() ([]byte, error) {
	drawings := map[string]func() ([]byte, error){
		catalogName: s.catalog,
		noticesName: func() ([]byte, error) { return []byte(s.notices), nil },
	}
	if _, err := os.Stat(s.sheetFile()); err == nil { // without it index.html has a link too many, which a build says
		drawings[sheetName] = s.sheet
	}
	s.picture(drawings, tradeoffName, s.tradeoff)
	for _, about := range s.scenes {
		s.picture(drawings, func(theme string) string { return thumbName(about.ID, "", theme) }, func() ([][]byte, error) {
			return s.thumbs(about.ID, "")
		})
		for _, card := range about.Presets {
			s.picture(drawings, func(theme string) string { return thumbName(about.ID, card.ID, theme) }, func() ([][]byte, error) {
				return s.thumbs(about.ID, card.ID)
			})
		}
	}
	return drawings
}

// experimentPictures are the names of the pictures that only the page of their scene shows.
func (s *Source) experimentPictures() map[string]bool {
	names := map[string]bool{}
	for _, about := range s.scenes {
		for _, card := range about.Presets {
			for _, theme := range themes {
				names[thumbName(about.ID, card.ID, theme.Name)] = true
			}
		}
	}
	return names
}

// picture adds one in every theme: all are drawn at the first request for one, and once for every
// build of this program.
func (s *Source) picture(drawings map[string]func() ([]byte, error), name func(theme string) string, draw func() ([][]byte, error)) {
	drawn := sync.OnceValues(draw)
	for i, theme := range themes {
		small := func() ([]byte, error) {
			pictures, err := drawn()
			if err != nil {
				return nil, err
			}
			return shrunk(pictures[i])
		}
		drawings[name(theme.Name)] = func() ([]byte, error) {
			if s.pictures == nil {
				return small()
			}
			program, err := ownStamp()
			if err != nil {
				return nil, err
			}
			return s.pictures.get(program+"-"+path.Base(name(theme.Name)), small)
		}
	}
}

// ownStamp changes with the program that runs, which decides what it draws.
var ownStamp = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(name)
	return stamp(program), err
})

// toolchain compiles the page's program. It is safe for several processes.
type toolchain struct {
	command string // the go command
	root    string // of the Go installation
	dir     string // of the source
	loader  []byte
	cache   string // folder for compiled and compressed files
}

// findToolchain looks for what compiling needs. Where it must make do with a
// second choice it says so in log.
func findToolchain(ctx context.Context, source *Source, log io.Writer) (*toolchain, error) {
	command, err := exec.LookPath("go")
	if err != nil {
		return nil, errors.New("the Go toolchain is missing: install Go 1.26 or newer from https://go.dev/dl and put go on the PATH; the page " +
			"is compiled with it")
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
	// The loader must be that of the compiler: their interface has no version.
	loader, err := os.ReadFile(filepath.Join(root, "lib", "wasm", loaderName))
	if err != nil {
		return nil, fmt.Errorf("this Go installation lacks its WebAssembly loader: %w", err)
	}
	return &toolchain{command: command, root: root, dir: source.dir, loader: loader, cache: cache}, nil
}

// cacheFolder returns a folder that files can be written to: the user's cache,
// else one in the source tree.
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
		return "", fmt.Errorf("no folder to compile into: %v; %v", err, errLocal)
	}
	fmt.Fprintf(log, "paretoplay: the user's cache cannot be used (%v); using %s\n", err, local)
	return local, nil
}

// tryFolder makes a folder and a file in it, and removes the file.
func tryFolder(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, ".try-*")
	if err != nil {
		return fmt.Errorf("cannot write to %s: %w", folder, place.Cause(err))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// commandError returns what a command wrote to standard error instead of its
// exit status.
func commandError(err error) error {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return err
}

// Loader returns the script that starts a compiled program.
func (t *toolchain) Loader() []byte { return t.loader }

// Compile returns the program and its brotli form at serving effort.
func (t *toolchain) Compile(ctx context.Context) (wasm, packed []byte, err error) {
	if wasm, err = t.build(ctx); err != nil {
		return nil, nil, err
	}
	packed, err = t.compressed(ctx, wasm, brotliServing, nil)
	return wasm, packed, err
}

// build runs go build, which knows what is stale, and returns the program.
func (t *toolchain) build(ctx context.Context) (wasm []byte, err error) {
	// Each build has its own output, so that two servers do not write into
	// one file; it starts from the last one, which go build leaves alone when
	// nothing changed.
	shared := filepath.Join(t.cache, "paretoplay-"+stamp([]byte(t.dir))+".wasm")
	folder, err := os.MkdirTemp(t.cache, ".build-*")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	output := filepath.Join(folder, "paretoplay.wasm")
	last, err := os.ReadFile(shared)
	if err == nil {
		err = os.WriteFile(output, last, 0o644)
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	flags, err := link.Flags(t.root, folder)
	if err != nil {
		return nil, err
	}
	args := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", output}, flags...)
	command := exec.CommandContext(ctx, t.command, append(args, "./wasm")...)
	command.Dir = t.dir
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	command.Cancel = func() error {
		// Interrupted, go stops its compilers too. Windows cannot interrupt.
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
		const most = 4000 // of a long list of errors the first are the useful ones
		if len(said) > most {
			said = append(said[:most:most], "\n..."...)
		}
		return nil, fmt.Errorf("go build ./wasm failed (%v):\n%s", err, bytes.TrimSpace(said))
	}
	if wasm, err = os.ReadFile(output); err != nil {
		return nil, err
	}
	return wasm, os.Rename(output, shared)
}

// compressed is compress with a memory on disk, by contents.
func (t *toolchain) compressed(ctx context.Context, data []byte, f form, progress func(share float64)) ([]byte, error) {
	name := fmt.Sprintf("%x-%d%s", sha256.Sum256(data), f.level, f.suffix)
	return memory{t.cache}.get(name, func() ([]byte, error) { return compress(ctx, data, f, progress) })
}

// memory is a folder of files that took long to make. It is safe for several processes.
type memory struct{ folder string }

// get returns the file of that name; the first time it is made.
func (m memory) get(name string, make func() ([]byte, error)) ([]byte, error) {
	full := filepath.Join(m.folder, name)
	data, err := os.ReadFile(full)
	if err == nil {
		now := time.Now()
		return data, os.Chtimes(full, now, now) // prune goes by last use
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if data, err = make(); err != nil {
		return nil, err
	}
	if err := place.Replace(full, data); err != nil {
		return nil, err
	}
	return data, m.prune()
}

// remembered holds the extensions of what a memory has.
var remembered = map[string]bool{brotliServing.suffix: true, gzipAlways.suffix: true, ".png": true}

// prune removes files that were not used for a fortnight.
func (m memory) prune() error {
	entries, err := os.ReadDir(m.folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !remembered[filepath.Ext(entry.Name())] {
			continue
		}
		info, err := entry.Info()
		if err == nil && time.Since(info.ModTime()) > 14*24*time.Hour {
			err = os.Remove(filepath.Join(m.folder, entry.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another process pruned it
			return err
		}
	}
	return nil
}

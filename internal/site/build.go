package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The static site is the source's page with three changes. They allow a host to cache any file for any length of time,
// and keep a visitor from getting a mixture of two versions:
//
//   - The folder assets gets a name that depends on all its contents. Modules and style sheets refer to each other by relative
//     paths, which need no rewriting; only paths that begin with assets/ are rewritten.
//   - The program and its loader are named after their contents. The page learns the program's name from site.json; the loader's
//     name is rewritten in the pages.
//   - Compressible files have .br and .gz beside them, for hosts that serve such files. site.json names the program's .gz for a page
//     that must unpack it itself.
//
// index.html, sw.js, site.json, scenes.json and the pictures in thumbs keep their names. All references are relative, so the site works
// from any folder of any host.

// markerName is the file that lists what a build wrote. A build changes a folder only if the folder is empty or contains
// this file.
const markerName = ".paretoplay-site"

// nextName is the folder inside a site in which the next build is assembled.
const nextName = ".paretoplay-next"

// InputError wraps a mistake in the user's options, as opposed to a system error or a bug.
type InputError struct{ Err error }

func (e InputError) Error() string { return e.Err.Error() }

// BuildOptions sets what to build and where.
type BuildOptions struct {
	Folder  string   // the site's folder
	Quick   bool     // compress with low effort
	Lessons []string // folders with lessons, in addition to the source tree's
	Notices string   // licences of everything in the site
}

// Build writes the static site. It reports progress to stdout and fallbacks to stderr. It returns an InputError if the
// options are invalid.
func Build(ctx context.Context, o BuildOptions, stdout, stderr io.Writer) error {
	source, err := Find(o.Notices, o.Lessons...)
	if err != nil {
		return err
	}
	lessons, _, err := source.lessons()
	if err != nil {
		return err
	}
	own, err := ownLessons(o.Lessons)
	if err != nil {
		return err
	}
	if err := FollowLessons(own); err != nil { // tests already check the source tree's lessons
		return InputError{err}
	}
	target, err := openTarget(o.Folder, source.dir)
	if err != nil {
		return InputError{fmt.Errorf("-o %s: %w", o.Folder, err)}
	}
	defer target.close()
	tools, err := findToolchain(ctx, source, stderr)
	if err != nil {
		return err
	}
	source.pictures = &fileCache{tools.cache}
	fmt.Fprintln(stdout, "compiling")
	wasm, err := tools.build(ctx, firstProgram)
	if err != nil {
		return err
	}
	picture, err := tools.build(ctx, pictureProgram)
	if err != nil {
		return err
	}
	workshop, err := tools.build(ctx, workshopProgram)
	if err != nil {
		return err
	}
	files, err := assemble(source, lessons, compiled{wasm, picture, workshop, tools.loader})
	if err != nil {
		return err
	}
	var total int
	for _, name := range slices.Sorted(maps.Keys(files)) {
		data := files[name]
		total += len(data)
		if !compressible[path.Ext(name)] {
			continue
		}
		brotli := brotliPublishing
		switch {
		case o.Quick && path.Ext(name) == ".wasm":
			brotli = brotliServing
		case o.Quick:
			brotli = brotliQuick
		}
		var sizes []string
		for _, c := range []compression{brotli, gzipAlways} {
			packed, err := tools.compressed(ctx, data, c, reporter(stdout, fmt.Sprintf("%s: %s %d", name, c.encoding, c.level)))
			if err != nil {
				return fmt.Errorf("%s: %w", name+c.suffix, err)
			}
			files[name+c.suffix] = packed
			sizes = append(sizes, fmt.Sprintf("%s %s", c.encoding, megabytes(len(packed))))
		}
		if path.Ext(name) == ".wasm" {
			fmt.Fprintf(stdout, "%s: %s, %s\n", name, megabytes(len(data)), strings.Join(sizes, ", "))
		}
	}
	if err := target.write(files); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %d files, %s before compression\n", o.Folder, len(files), megabytes(total))
	return nil
}

func megabytes(n int) string { return fmt.Sprintf("%.2f MB", float64(n)/1e6) }

// reporter returns a function that prints progress every ten seconds. It prints nothing for work that takes less than
// ten seconds.
func reporter(w io.Writer, what string) func(share float64) {
	last := time.Now()
	return func(share float64) {
		if now := time.Now(); now.Sub(last) >= 10*time.Second {
			last = now
			fmt.Fprintf(w, "%s: %.0f %%\n", what, 100*share)
		}
	}
}

// assetPath matches the folder name assets at the start of a path.
var assetPath = regexp.MustCompile("([\"'`(]|[\"'`(](?:\\.\\./)+|\\./)assets/")

// compiled holds the site's programs and their loader. workshop is nil in a site without a workshop.
type compiled struct{ first, picture, workshop, loader []byte }

// assemble returns the static site's files, uncompressed, by name.
func assemble(source *Source, lessons map[string][]byte, c compiled) (map[string][]byte, error) {
	read, err := source.files()
	if err != nil {
		return nil, err
	}
	loaderStamped := stamped(loaderName, c.loader)
	// The folder's name depends on the contents of its files and of everything to which these files refer.
	contents := [][]byte{c.loader}
	for _, name := range slices.Sorted(maps.Keys(read)) {
		if name != pageName {
			contents = append(contents, []byte(name), read[name])
		}
	}
	folder := "assets-" + stamp(contents...)

	files := map[string][]byte{}
	for name, data := range read {
		switch path.Ext(name) {
		case ".html", ".js", ".json":
			data = assetPath.ReplaceAll(data, []byte("${1}"+folder+"/"))
			data = bytes.ReplaceAll(data, []byte(loaderName), []byte(loaderStamped))
		}
		if inner, ok := strings.CutPrefix(name, "assets/"); ok {
			name = folder + "/" + inner
		}
		files[name] = data
	}
	drawings := source.drawings()
	drawings[singleName] = func() ([]byte, error) { return source.singlePage(c.loader) }
	drawn, err := drawAll(drawings)
	if err != nil {
		return nil, err
	}
	for name, data := range drawn {
		if path.Ext(name) == ".html" && name != singleName { // single.html refers to no file
			data = assetPath.ReplaceAll(data, []byte("${1}"+folder+"/"))
		}
		files[name] = data
	}
	maps.Copy(files, lessons)
	put := func(p program, wasm []byte) furtherState {
		if wasm == nil {
			return furtherState{Error: "this copy of the page has no workshop; open the page on a host instead"}
		}
		name := stamped(p.file, wasm)
		files[name] = wasm
		return furtherState{Wasm: name, WasmBytes: len(wasm), WasmGzip: name + gzipAlways.suffix}
	}
	first, picture, workshop := put(firstProgram, c.first), put(pictureProgram, c.picture), put(workshopProgram, c.workshop)
	files[loaderStamped] = c.loader
	state := siteState{Wasm: first.Wasm, WasmBytes: first.WasmBytes, WasmGzip: first.WasmGzip, Version: stamp(c.first),
		Picture: picture, Workshop: workshop}
	if files[stateName], err = json.Marshal(state); err != nil {
		return nil, err
	}
	if files[pageName], err = withArrival(files[pageName], beginnings(source.scenes), state); err != nil {
		return nil, err
	}
	programs := []string{first.Wasm, picture.Wasm}
	if files[workerName], err = workerFor(files, programs, workshop.Wasm, folder, source.sparedPictures()); err != nil {
		return nil, err
	}
	return files, checkReferences(files)
}

// builtMark marks the place in sw.js for the list of a built site's files.
const builtMark = "/* built */ null"

// workerFor returns the service worker for a site with these files. The worker caches all files, with two exceptions.
// It caches optional files only if the visitor's browser is not set to save data, and it caches the later program only
// after that program's first use.
func workerFor(files map[string][]byte, programs []string, later, folder string,
	optional map[string]bool) ([]byte, error) {
	worker := files[workerName]
	if bytes.Count(worker, []byte(builtMark)) != 1 {
		return nil, fmt.Errorf("%s must contain %q once, as the place of a built site's list of files", workerName, builtMark)
	}
	built := struct {
		Version  string   `json:"version"`
		Page     string   `json:"page"`
		Kept     []string `json:"kept"`
		Spared   []string `json:"spared"`
		Programs []string `json:"programs"`
		Later    string   `json:"later"`
		Gzip     string   `json:"gzip"`
	}{Page: folder, Programs: programs, Later: later, Gzip: gzipAlways.suffix}
	var contents [][]byte
	for _, name := range slices.Sorted(maps.Keys(files)) {
		contents = append(contents, []byte(name), files[name])
		switch {
		case name == pageName || name == workerName || name == later || slices.Contains(programs, name):
		case optional[name] || name == singleName:
			built.Spared = append(built.Spared, name)
		default:
			built.Kept = append(built.Kept, name)
		}
	}
	built.Version = stamp(contents...)
	list, err := json.Marshal(built)
	return bytes.Replace(worker, []byte(builtMark), list, 1), err
}

// drawAll creates the files in parallel, at most one per processor at a time.
func drawAll(drawings map[string]func() ([]byte, error)) (map[string][]byte, error) {
	// Drawing a picture in one theme draws it in all themes. So the other themes' files come last, and different
	// pictures are drawn at the same time.
	names := slices.Sorted(maps.Keys(drawings))
	later := func(name string) int {
		if strings.HasSuffix(name, "-"+themes[1].Name+".png") {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(names, func(a, b string) int { return later(a) - later(b) })
	data, faults := make([][]byte, len(names)), make([]error, len(names))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(names)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(names); i = int(next.Add(1)) - 1 {
				if data[i], faults[i] = drawings[names[i]](); faults[i] != nil {
					faults[i] = fmt.Errorf("%s: %w", names[i], faults[i])
					next.Store(int64(len(names))) // stop: no other file is needed now
				}
			}
		})
	}
	group.Wait()
	files := map[string][]byte{}
	for i, name := range names {
		files[name] = data[i]
	}
	return files, errors.Join(faults...)
}

var (
	htmlReference   = regexp.MustCompile(`\s(?:src|href)="([^"]*)"`)
	moduleReference = regexp.MustCompile(`\b(?:from|import)\s*\(?\s*["']([^"']+\.js)["']`)
	cssReference    = regexp.MustCompile(`url\(\s*["']?([^"')]+)["']?\s*\)`)
	elsewhere       = regexp.MustCompile(`^(?:[a-z][a-z0-9+.-]*:|#|$)`)
)

// checkReferences returns an error if a page, module or style sheet refers to a missing file, or uses a path that works
// only at a host's root.
func checkReferences(files map[string][]byte) error {
	patterns := map[string]*regexp.Regexp{".html": htmlReference, ".js": moduleReference, ".css": cssReference}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(files)) {
		pattern := patterns[path.Ext(name)]
		if pattern == nil || name == singleName { // single.html refers to no file, but its scripts contain text that looks like references
			continue
		}
		for _, match := range pattern.FindAllSubmatch(files[name], -1) {
			reference := string(match[1])
			if elsewhere.MatchString(reference) {
				continue
			}
			if strings.HasPrefix(reference, "/") {
				faults = append(faults, fmt.Errorf("%s refers to %s; use a relative path, so that the site works from any folder", name, reference))
				continue
			}
			file, _, _ := strings.Cut(reference, "#")
			file, _, _ = strings.Cut(file, "?")
			target := path.Join(path.Dir(name), file)
			if target == "." {
				target = pageName
			}
			if files[target] == nil {
				faults = append(faults, fmt.Errorf("%s refers to %s, which the site lacks", name, reference))
			}
		}
	}
	return errors.Join(faults...)
}

// target is the folder to which a site is written.
type target struct {
	root    *os.Root
	earlier []string // known files of the previous build
}

// openTarget creates the folder. If the folder exists, openTarget checks that a build may change it.
func openTarget(out, sourceDir string) (*target, error) {
	full, err := filepath.Abs(out)
	if err != nil {
		return nil, err
	}
	if inside, err := filepath.Rel(filepath.Join(sourceDir, "assets"), full); err == nil && filepath.IsLocal(inside) {
		return nil, errors.New("the folder assets is the source of the site; choose another")
	}
	if err := os.MkdirAll(full, 0o755); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(full)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(full)
	if err != nil {
		return nil, err
	}
	t := &target{root: root}
	marker, err := root.ReadFile(markerName)
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(entries) > 0:
		err = errors.New("the folder is not empty and not an earlier build of this site; choose another or empty it yourself")
	case errors.Is(err, fs.ErrNotExist):
		err = tryFolder(full)
	case err == nil:
		t.earlier = strings.Fields(string(marker))
		err = tryFolder(full)
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// close closes the folder. Its error does not matter, because nothing was written through it.
func (t *target) close() { _ = t.root.Close() }

// write fills the folder with the given files and removes those of an earlier build. All files are complete before any
// moves into place, so a full disk leaves the earlier site intact. After an interruption, the next build completes the
// folder.
func (t *target) write(files map[string][]byte) (err error) {
	names := slices.Sorted(maps.Keys(files))
	if err := t.root.RemoveAll(nextName); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.root.RemoveAll(nextName)) }()
	if err := t.mark(append(slices.Clone(t.earlier), names...)); err != nil {
		return err
	}
	for _, name := range names {
		if err := t.stage(name, files[name]); err != nil {
			return err
		}
	}
	// Until the page is replaced, visitors get the complete earlier version. So write first publishes the files that
	// the new page refers to, and then those with fixed names.
	rank := func(name string) int {
		switch {
		case strings.HasPrefix(name, workerName): // the worker promises that all other files exist
			return 3
		case strings.HasPrefix(name, pageName):
			return 2
		case path.Dir(name) == "." && !strings.Contains(name, ".wasm"):
			return 1
		}
		return 0
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	for _, name := range names {
		if err := t.publish(name); err != nil {
			return err
		}
	}
	for _, name := range t.earlier {
		if files[name] != nil || name == markerName || !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		if err := t.root.Remove(filepath.FromSlash(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		t.removeEmpty(path.Dir(name))
	}
	return t.mark(names)
}

// removeEmpty removes a folder and its parents as long as they are empty.
func (t *target) removeEmpty(folder string) {
	for ; folder != "."; folder = path.Dir(folder) {
		// Removing a folder with contents fails, which ends the loop.
		if t.root.Remove(filepath.FromSlash(folder)) != nil {
			return
		}
	}
}

// mark records which files in the folder a build may have written.
func (t *target) mark(names []string) error {
	if err := t.stage(markerName, []byte(strings.Join(names, "\n")+"\n")); err != nil {
		return err
	}
	return t.publish(markerName)
}

// stage writes a file to the folder in which the next build is assembled.
func (t *target) stage(name string, data []byte) error {
	name = filepath.Join(nextName, filepath.FromSlash(name))
	if err := t.root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return t.root.WriteFile(name, data, 0o644)
}

// publish moves a staged file into place. Readers see all of it or nothing.
func (t *target) publish(name string) error {
	name = filepath.FromSlash(name)
	if err := t.root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return t.root.Rename(filepath.Join(nextName, name), name)
}

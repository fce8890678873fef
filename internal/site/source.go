package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"paretoplay/algo/problem/network/pictures"
	"paretoplay/algo/runlog/digits"
	"paretoplay/internal/atomicfile"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/session"
	"paretoplay/internal/teach/lesson"
	"paretoplay/internal/teach/mathml"
	"paretoplay/scenes"
	"paretoplay/scenes/networktasks"
	"paretoplay/scenes/traininglog"
)

// Names of files at the site's root. The source tree contains neither the loader, nor the state, nor the catalogue.
const (
	pageName    = "index.html"
	workerName  = "sw.js" // caches the site for offline visits
	loaderName  = "wasm_exec.js"
	stateName   = "site.json"
	catalogName = "scenes.json"
	noticesName = "LICENCES.txt"
)

// Source combines the source tree with the scenes in this program. The tree contains the page, and the scenes draw the
// contents page's pictures.
type Source struct {
	dir      string
	folders  []string // of lessons
	notices  string   // contents of noticesName
	scenes   scene.List
	catalog  func() ([]byte, error)
	thumbs   func(id, card string) ([][]byte, error) // returns one picture per theme
	previews func(id string, f form) ([][]byte, error)
	tradeoff func() ([][]byte, error)
	paths    func() ([]byte, error)
	strips   func(id string) ([][]byte, error)
	loops    func() ([][]byte, error)
	lessons  func() (files map[string][]byte, list []lesson.Head, err error)
	pictures *fileCache // pictures from earlier runs of this build of the program; nil if there is no cache
}

// shown lists the site's scenes. Tests replace it to draw fewer scenes.
var shown = scenes.All

// LessonFolders returns the folders from which the site's lessons are read.
func (s *Source) LessonFolders() []string { return s.folders }

var moduleLine = regexp.MustCompile(`(?m)^module\s+"?paretoplay"?\s*(//.*)?$`)

// Find finds the source tree that contains the working directory. The site gets that tree's lessons and those in the
// folders own.
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
				thumbs: drawThumbs, previews: drawPreviews, tradeoff: drawTradeoff, paths: drawPaths,
				strips: drawStrips, loops: drawLoops, lessons: lessonsOf(folders)}, nil
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

// lessonsOf returns a function that reads the lessons in the given folders. Reading takes a moment, so the function
// repeats it only if the files have changed.
func lessonsOf(folders []string) func() (map[string][]byte, []lesson.Head, error) {
	var mu sync.Mutex
	var read string // stamp of the files when they were last read
	var files map[string][]byte
	var list []lesson.Head
	return func() (map[string][]byte, []lesson.Head, error) {
		mu.Lock()
		defer mu.Unlock()
		var now strings.Builder
		for _, folder := range folders {
			entries, err := os.ReadDir(folder)
			if err != nil {
				return lessonFiles(folders...) // its error explains the problem to the user
			}
			for _, entry := range entries {
				if info, err := os.Stat(filepath.Join(folder, entry.Name())); err == nil { // for a link, its target
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

// catalogue returns scenes.json. It contains everything that the page needs to know about every scene, with formulas as
// MathML.
func catalogue() ([]byte, error) {
	list, err := session.Catalog(shown)
	if err != nil {
		return nil, err
	}
	for i := range list {
		entry := &list[i]
		entry.Equations = slices.Clone(entry.Equations) // leave the scene's own equations unchanged
		for j := range entry.Equations {
			e := &entry.Equations[j]
			for _, tex := range []*string{&e.Symbols, &e.Numbers} {
				if *tex, err = mathml.MathML(*tex, true); err != nil {
					return nil, fmt.Errorf("scene %s, equation %s: %w", entry.ID, e.ID, err)
				}
			}
		}
	}
	return json.Marshal(list)
}

var segment = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)

// published reports whether a slash-separated path of the source tree is part of the site. The site includes the page,
// its worker, and files of known types under assets, but no hidden files, tests or unusual names.
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

// read returns a published file, or fs.ErrNotExist. It inserts the contents page into index.html.
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

// readTree returns a published file unchanged from the source tree.
func (s *Source) readTree(name string) (data []byte, err error) {
	if !published(name) {
		return nil, fs.ErrNotExist
	}
	// Links must not lead out of the published folder.
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

// leadsOut reports whether a file in the folder is a link to a place outside it, or to itself.
func leadsOut(folder, name string) bool {
	home, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	end, err := atomicfile.Followed(filepath.Join(folder, filepath.FromSlash(name)))
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
			err = errors.New("it is not a file, or it is a link that is broken or leaves the folder assets; remove it")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}

// lesson returns a lesson file, or fs.ErrNotExist.
func (s *Source) lesson(name string) ([]byte, error) {
	files, _, err := s.lessons()
	if data, ok := files[name]; ok || err != nil {
		return data, err
	}
	return nil, fs.ErrNotExist
}

// drawings returns functions that create further files, by name: the catalogue, the pictures of scenes and experiments,
// and the notices.
func (s *Source) drawings() map[string]func() ([]byte, error) {
	drawings := map[string]func() ([]byte, error){
		catalogName:  s.catalog,
		noticesName:  func() ([]byte, error) { return []byte(s.notices), nil },
		embedName:    func() ([]byte, error) { return embedHTML(s.scenes) },
		workshopName: func() ([]byte, error) { return workshopPage, nil },
		reviewName:   s.review,
	}
	if _, err := os.Stat(s.sheetFile()); err == nil { // without the sheet, index.html has a broken link, which a build reports
		drawings[sheetName] = s.sheet
		s.worksheets(drawings)
	}
	for _, file := range s.logs() {
		drawings[logsFolder+file] = func() ([]byte, error) { return digits.Files.ReadFile(file) }
	}
	if s.has(networktasks.About.ID) {
		drawings[networktasks.File] = func() ([]byte, error) { return pictures.Packed, nil }
	}
	drawings[pathsName] = func() ([]byte, error) { return s.drawnOnce(pathsName, s.paths) }
	s.picture(drawings, tradeoffName, s.tradeoff)
	s.picture(drawings, loopName, s.loops)
	for _, about := range s.scenes {
		s.picture(drawings, func(theme string) string { return thumbName(about.ID, "", theme) }, func() ([][]byte, error) {
			return s.thumbs(about.ID, "")
		})
		s.picture(drawings, func(theme string) string { return stripName(about.ID, theme) }, func() ([][]byte, error) {
			return s.strips(about.ID)
		})
		for _, f := range forms {
			s.picture(drawings, func(theme string) string { return previewName(about.ID, f.name, theme) }, func() ([][]byte, error) {
				return s.previews(about.ID, f)
			})
		}
		for _, card := range about.Presets {
			s.picture(drawings, func(theme string) string { return thumbName(about.ID, card.ID, theme) }, func() ([][]byte, error) {
				return s.thumbs(about.ID, card.ID)
			})
		}
	}
	return drawings
}

// logsFolder is the folder from which the page fetches training logs. The scene that shows them uses the same name.
const logsFolder = "logs/"

// has reports whether the site has a scene with the given ID.
func (s *Source) has(id string) bool {
	return slices.ContainsFunc(s.scenes, func(about scene.About) bool { return about.ID == id })
}

// logs returns the files of the included logs, or nil if the site lacks the scene that shows them.
func (s *Source) logs() (files []string) {
	if s.has(traininglog.About.ID) {
		for _, name := range digits.Names {
			files = append(files, digits.File(name))
		}
	}
	return files
}

// sparedPictures returns the names of files that only some visitors see. These are strips, logs, pictures of digits,
// worksheets, and pictures that only a scene's page shows: those of the scene's experiments, and those shown until the
// program draws.
func (s *Source) sparedPictures() map[string]bool {
	names := map[string]bool{}
	for _, file := range s.logs() {
		names[logsFolder+file] = true
	}
	names[networktasks.File] = true
	if _, list, err := s.lessons(); err == nil { // if lessons cannot be read, requests for them report the error
		for _, head := range list {
			names[worksheetName(head.Name)] = true
		}
	}
	for _, about := range s.scenes {
		for _, theme := range themes {
			names[stripName(about.ID, theme.Name)] = true
			for _, f := range forms {
				names[previewName(about.ID, f.name, theme.Name)] = true
			}
		}
		for _, card := range about.Presets {
			for _, theme := range themes {
				names[thumbName(about.ID, card.ID, theme.Name)] = true
			}
		}
	}
	return names
}

// picture adds a picture in every theme to drawings. The first request for one theme's picture draws the pictures of
// all themes, once per build of this program.
func (s *Source) picture(drawings map[string]func() ([]byte, error), name func(theme string) string, draw func() ([][]byte, error)) {
	drawn := sync.OnceValues(draw)
	for i, theme := range themes {
		one := func() ([]byte, error) {
			pictures, err := drawn()
			if err != nil {
				return nil, err
			}
			return pictures[i], nil
		}
		drawings[name(theme.Name)] = func() ([]byte, error) {
			return s.drawnOnce(name(theme.Name), one)
		}
	}
}

// drawnOnce creates a file once per build of this program.
func (s *Source) drawnOnce(name string, make func() ([]byte, error)) ([]byte, error) {
	if s.pictures == nil {
		return make()
	}
	program, err := ownStamp()
	if err != nil {
		return nil, err
	}
	return s.pictures.get(program+"-"+path.Base(name), make)
}

// ownStamp returns a stamp of the running program. It identifies the drawings, because they depend only on the program.
var ownStamp = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(name)
	return stamp(program), err
})

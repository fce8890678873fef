package site

import (
	"bytes"
	"context"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"

	"paretoplay/scenes/networktasks"
)

// A single-file page contains everything: scripts, styles, the stage's document, the programs, the catalogue, lessons,
// logs, pictures and notices. It is built in two steps, so that a browser can build such a page too. singlePage returns
// the page with empty elements for files, and fillSingle inserts the site's files. The policy allows scripts and styles
// by their hashes. Browsers do not run the elements that hold files.

// singleName is the site's file with the result of singlePage.
const singleName = "single.html"

// singleFolder, in the source tree, holds the files that only a single-file page needs.
const singleFolder = "internal/site/single/"

//go:embed single
var singleFiles embed.FS

var singleContents = template.Must(template.ParseFS(singleFiles, "single/contents.html"))

// singleLessons marks the place of the lessons in singlePage's result.
const singleLessons = "<!-- lessons -->"

// packedElement holds a gzipped file in base64, and plainElement holds a JSON file.
const (
	packedElement = `<script type="application/gzip" data-file="%s">%s</script>`
	plainElement  = `<script type="application/json" data-file="%s">%s</script>`
)

var emptyElement = regexp.MustCompile(`<script type="application/gzip" data-file="([^"]+)"></script>`)

// singlePage returns the page as one file, without the files that fillSingle inserts.
func (s *Source) singlePage(loader []byte) ([]byte, error) {
	in := &inlining{read: func(name string) ([]byte, error) {
		if name == loaderName {
			return loader, nil
		}
		if own, is := strings.CutPrefix(name, singleFolder); is {
			return singleFiles.ReadFile("single/" + own)
		}
		return s.readTree(name)
	}}
	const stageName = "assets/stage.html"
	stage, err := s.readTree(stageName)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stageName, err)
	}
	if stage, err = in.page(stageName, stage); err != nil {
		return nil, fmt.Errorf("%s: %w", stageName, err)
	}
	stageText, err := json.Marshal(string(stage)) // escapes "<", so the text cannot end the element
	if err != nil {
		return nil, err
	}
	page, err := s.readTree(pageName)
	if err != nil {
		return nil, err
	}
	var contents bytes.Buffer
	if err := singleContents.Execute(&contents, s.scenes); err != nil {
		return nil, err
	}
	first, err := in.classic(singleFolder + "inside.js")
	if err != nil {
		return nil, err
	}
	for _, mark := range []struct {
		is, becomes string
	}{{galleryMark, contents.String()}, {arrivalMark, first}} {
		if bytes.Count(page, []byte(mark.is)) != 1 {
			return nil, fmt.Errorf("index.html must contain the mark %s once", mark.is)
		}
		page = bytes.Replace(page, []byte(mark.is), []byte(mark.becomes), 1)
	}
	if page, err = in.page(pageName, page, singleFolder+"contents.js"); err != nil {
		return nil, fmt.Errorf("%s: %w", pageName, err)
	}
	policy := fmt.Sprintf(`<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="%s">`, in.policy())
	const charset = `<meta charset="utf-8">`
	if bytes.Count(page, []byte(charset)) != 1 {
		return nil, fmt.Errorf("%s must contain %s once, as the place of its policy", pageName, charset)
	}
	page = bytes.Replace(page, []byte(charset), []byte(policy), 1)
	elements := []string{fmt.Sprintf(plainElement, stageName, stageText), singleLessons}
	for _, name := range s.inSingle() {
		elements = append(elements, fmt.Sprintf(packedElement, name, ""))
	}
	end := bytes.LastIndex(page, []byte("<script>")) // the page's modules, which need the files
	return slices.Concat(page[:end], []byte(strings.Join(elements, "\n")+"\n"), page[end:]), nil
}

// inSingle lists the site's files that a single-file page contains besides its lessons. Programs are listed by their
// names without stamps.
func (s *Source) inSingle() []string {
	names := []string{catalogName, noticesName, firstProgram.file, pictureProgram.file}
	if s.has(tradeoffScene) {
		names = append(names, pathsName)
	}
	for _, file := range s.logs() {
		names = append(names, logsFolder+file)
	}
	if s.has(networktasks.About.ID) {
		names = append(names, networktasks.File)
	}
	return names
}

// fillSingle inserts lessons, and the files that pack returns as gzip, into singlePage's result.
func fillSingle(page []byte, plain map[string][]byte, pack func(name string) ([]byte, error)) ([]byte, error) {
	var elements []string
	for name, data := range plain {
		if bytes.Contains(data, []byte("<")) {
			return nil, fmt.Errorf("%s: its text could end its element", name)
		}
		elements = append(elements, fmt.Sprintf(plainElement, name, data))
	}
	slices.Sort(elements)
	page = bytes.Replace(page, []byte(singleLessons), []byte(strings.Join(elements, "\n")), 1)
	var faults []error
	page = emptyElement.ReplaceAllFunc(page, func(element []byte) []byte {
		name := string(emptyElement.FindSubmatch(element)[1])
		packed, err := pack(name)
		faults = append(faults, err)
		return fmt.Appendf(nil, packedElement, name, base64.StdEncoding.EncodeToString(packed))
	})
	return page, errors.Join(faults...)
}

// SingleOptions sets the contents of a single-file page.
type SingleOptions struct {
	Lessons []string // folders with lessons, in addition to the source tree's
	Only    []string // names of the lessons to include; empty for all
	Notices string   // licences of everything in the page
}

// Single returns a single-file page. It reports fallbacks to log. It returns an InputError if the options are invalid.
func Single(ctx context.Context, o SingleOptions, log io.Writer) ([]byte, error) {
	page, _, err := single(ctx, o, false, log)
	return page, err
}

// single returns a single-file page. If beside is true, the page does not include the second program, and single
// returns that program separately as gzip. The page requests that program from its host if there is no WebGL.
func single(ctx context.Context, o SingleOptions, beside bool, log io.Writer) (page, picture []byte, err error) {
	source, err := Find(o.Notices, o.Lessons...)
	if err != nil {
		return nil, nil, err
	}
	lessons, err := ReadLessons(source.folders, o.Only)
	if err != nil {
		return nil, nil, err
	}
	own, err := ownLessons(o.Lessons)
	if err != nil {
		return nil, nil, err
	}
	if err := FollowLessons(own); err != nil { // tests already check the source tree's lessons
		return nil, nil, InputError{err}
	}
	tools, err := findToolchain(ctx, source, log)
	if err != nil {
		return nil, nil, err
	}
	if page, err = source.singlePage(tools.loader); err != nil {
		return nil, nil, err
	}
	files := source.drawings()
	sizes := map[program]int{}
	for _, p := range []program{firstProgram, pictureProgram} {
		wasm, err := tools.build(ctx, p)
		if err != nil {
			return nil, nil, err
		}
		sizes[p] = len(wasm)
		files[p.file] = func() ([]byte, error) { return wasm, nil }
	}
	plain, _, err := filesOf(lessons)
	if err != nil {
		return nil, nil, err
	}
	plain[stateName], err = json.Marshal(siteState{Wasm: firstProgram.file, WasmBytes: sizes[firstProgram],
		Picture: furtherState{Wasm: pictureProgram.file, WasmBytes: sizes[pictureProgram]}})
	if err != nil {
		return nil, nil, err
	}
	pack := func(name string) ([]byte, error) {
		read, there := files[name]
		if !there {
			return nil, fmt.Errorf("the site lacks %s", name)
		}
		data, err := read()
		if err != nil {
			return nil, err
		}
		return tools.compressed(ctx, data, gzipAlways, nil)
	}
	if beside {
		if page, err = askHost(page, pictureProgram.file); err != nil {
			return nil, nil, err
		}
		if picture, err = pack(pictureProgram.file); err != nil {
			return nil, nil, err
		}
	}
	page, err = fillSingle(page, plain, pack)
	return page, picture, err
}

// askHost removes a file from singlePage's result, and changes the policy so that the page may request the file from its
// host.
func askHost(page []byte, name string) ([]byte, error) {
	const nothing = "default-src 'none';"
	for _, mark := range []struct{ is, becomes string }{
		{fmt.Sprintf(packedElement, name, "") + "\n", ""},
		{nothing, nothing + " connect-src 'self';"},
	} {
		if bytes.Count(page, []byte(mark.is)) != 1 {
			return nil, fmt.Errorf("the single-file page must contain %s once", mark.is)
		}
		page = bytes.Replace(page, []byte(mark.is), []byte(mark.becomes), 1)
	}
	return page, nil
}

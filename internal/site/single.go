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

// A page that is one file has everything in it: scripts, styles, the document of the stage, the programs, the catalogue,
// lessons, logs, pictures and notices. It is made in two steps, so that a browser can make one too: singlePage is the page
// with empty elements for files, and fillSingle puts the files of the site into them. Scripts and styles are allowed by
// their hashes; files stand in elements that no browser runs.

// singleName is the site's file with the page as singlePage makes it.
const singleName = "single.html"

// singleFolder, in the source tree, has what only a page that is one file needs.
const singleFolder = "internal/site/single/"

//go:embed single
var singleFiles embed.FS

var singleContents = template.Must(template.ParseFS(singleFiles, "single/contents.html"))

// singleLessons is the place of the lessons in singlePage.
const singleLessons = "<!-- lessons -->"

// packedElement is an element for a file as base64 of gzip, and plainElement one for JSON.
const (
	packedElement = `<script type="application/gzip" data-file="%s">%s</script>`
	plainElement  = `<script type="application/json" data-file="%s">%s</script>`
)

var emptyElement = regexp.MustCompile(`<script type="application/gzip" data-file="([^"]+)"></script>`)

// singlePage returns the page as one file, without the files that it shows.
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
	stageText, err := json.Marshal(string(stage)) // which escapes what would end the element
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
			return nil, fmt.Errorf("index.html must have the mark %s once", mark.is)
		}
		page = bytes.Replace(page, []byte(mark.is), []byte(mark.becomes), 1)
	}
	if page, err = in.page(pageName, page, singleFolder+"contents.js"); err != nil {
		return nil, fmt.Errorf("%s: %w", pageName, err)
	}
	policy := fmt.Sprintf(`<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="%s">`, in.policy())
	const charset = `<meta charset="utf-8">`
	if bytes.Count(page, []byte(charset)) != 1 {
		return nil, fmt.Errorf("%s must have %s once, where its policy goes", pageName, charset)
	}
	page = bytes.Replace(page, []byte(charset), []byte(policy), 1)
	elements := []string{fmt.Sprintf(plainElement, stageName, stageText), singleLessons}
	for _, name := range s.inSingle() {
		elements = append(elements, fmt.Sprintf(packedElement, name, ""))
	}
	end := bytes.LastIndex(page, []byte("<script>")) // the page's modules, which want the files
	return slices.Concat(page[:end], []byte(strings.Join(elements, "\n")+"\n"), page[end:]), nil
}

// inSingle names the files of the site that a page that is one file has beside its lessons. The programs go by their
// plain names.
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

// fillSingle puts lessons, and the files that pack returns as gzip, into the page of singlePage.
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

// SingleOptions say what goes into a page that is one file.
type SingleOptions struct {
	Lessons []string // folders beside the source tree's own lessons
	Only    []string // the names of the lessons that go in; all without
	Notices string   // licences of everything in the page
}

// Single returns a page that is one file. It reports second choices that it has to make to log.
// The error is an InputError if the options are at fault.
func Single(ctx context.Context, o SingleOptions, log io.Writer) ([]byte, error) {
	page, _, err := single(ctx, o, false, log)
	return page, err
}

// single returns a page that is one file. Where the second program is to be beside it, the page asks its host for that
// when there is no WebGL, and the program is returned as gzip.
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
	if err := FollowLessons(own); err != nil { // tests follow the source tree's own
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
			return nil, fmt.Errorf("the site has no %s", name)
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

// askHost leaves a file out of the page of singlePage, and has its policy allow the page to ask its host for it.
func askHost(page []byte, name string) ([]byte, error) {
	const nothing = "default-src 'none';"
	for _, mark := range []struct{ is, becomes string }{
		{fmt.Sprintf(packedElement, name, "") + "\n", ""},
		{nothing, nothing + " connect-src 'self';"},
	} {
		if bytes.Count(page, []byte(mark.is)) != 1 {
			return nil, fmt.Errorf("the page as one file must have %s once", mark.is)
		}
		page = bytes.Replace(page, []byte(mark.is), []byte(mark.becomes), 1)
	}
	return page, nil
}

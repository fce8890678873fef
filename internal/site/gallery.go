package site

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/session"
	"paretoplay/internal/teach/lesson"
	"paretoplay/scenes"
)

// galleryMark marks the place of the contents page in index.html. With the contents page inserted there, a page whose
// address has no hash is complete before any script runs.
const galleryMark = "<!-- gallery -->"

//go:embed gallery.html
var galleryText string

// These are the sizes of the pictures in CSS pixels, and the files' pixels per CSS pixel.
const (
	thumbWidth, thumbHeight       = 320, 200
	tradeoffWidth, tradeoffHeight = 720, 450
	thumbScale                    = 1.25
	pictureScale                  = 1.5
)

// The picture that explains a trade-off shows this panel of this scene after its runs have ended.
const (
	tradeoffScene   = "fonseca"
	tradeoffPanel   = "objective"
	tradeoffCaption = "Ten runs end on the grey front. No choice lies below it: moving along it improves one goal and worsens " +
		"the other."
	tradeoffAlt = "Ten paths descend to a curve that falls from the upper left to the lower right, and end on it."
)

// themes lists the pictures' themes.
var themes = []*brush.Theme{brush.Light, brush.Dark}

func thumbName(scene, card, theme string) string {
	if card != "" {
		scene += "-" + card
	}
	return "thumbs/" + scene + "-" + theme + ".png"
}

// form is the canvas size on a common screen, in CSS pixels. The preview pictures have this size. The page shows them
// until the program draws.
type form struct {
	name          string
	width, height float64
	timeLine      float64 // the height that a time line takes in scenes with runs
	scale         float64
}

// forms lists the canvases in a window of 1440×900 with an overlay scroll bar, and on a phone of 390×844. On other
// screens, the page stretches one of the two pictures.
var forms = []form{{"wide", 1168, 691, 105, 1}, {"narrow", 390, 388, 0, 2}}

func previewName(scene, form, theme string) string {
	return "thumbs/" + scene + "-" + form + "-" + theme + ".png"
}

// drawPreviews draws a scene as the page shows it, in every theme.
func drawPreviews(id string, f form) ([][]byte, error) {
	files, err := files.Previews(scenes.All, id, themes, f.width, f.height, f.timeLine, f.scale)
	return allShrunk(files, allColours, err)
}

func tradeoffName(theme string) string { return "thumbs/tradeoff-" + theme + ".png" }

// drawThumbs draws a scene, or one of its experiments, for the contents page in every theme.
func drawThumbs(id, card string) ([][]byte, error) {
	files, err := files.Thumbnails(scenes.All, id, card, themes, thumbWidth, thumbHeight, thumbScale)
	return allShrunk(files, thumbColours, err)
}

// drawTradeoff draws the contents page's large picture in every theme.
func drawTradeoff() ([][]byte, error) {
	s, err := session.New(scenes.All, tradeoffScene)
	if err != nil {
		return nil, err
	}
	if err := s.Finish(); err != nil {
		return nil, err
	}
	panel, size, err := tradeoffPlane(s)
	if err != nil {
		return nil, err
	}
	picture := axes.Placed{Panel: panel, Rect: vg.Rectangle{Max: size}, Detail: brush.Thumbnail}
	var files [][]byte
	for _, theme := range themes {
		var out bytes.Buffer
		if err := axes.WritePNG(&out, tradeoffWidth, tradeoffHeight, pictureScale, theme, []axes.Placed{picture}); err != nil {
			return nil, err
		}
		files = append(files, out.Bytes())
	}
	return allShrunk(files, allColours, nil)
}

// Numbers of colours in thumbnails and in larger pictures.
const (
	thumbColours = 48
	allColours   = 256
)

// allShrunk shrinks the files, or returns err if it is not nil.
func allShrunk(files [][]byte, colours int, err error) ([][]byte, error) {
	for i := 0; i < len(files) && err == nil; i++ {
		files[i], err = shrunk(files[i], colours)
	}
	return files, err
}

// part is a group on the contents page with its scenes.
type part struct {
	Group  scene.Group
	Scenes scene.List
}

// parts returns the groups that have scenes, in the page's order. It returns an error for a scene with an unknown group,
// because the page would omit it.
func parts(list scene.List) ([]part, error) {
	var all []part
	for _, group := range scene.Groups {
		p := part{Group: group}
		for _, about := range list {
			if about.Group == group {
				p.Scenes = append(p.Scenes, about)
			}
		}
		if p.Scenes != nil {
			all = append(all, p)
		}
	}
	for _, about := range list {
		if !slices.Contains(scene.Groups, about.Group) {
			return nil, fmt.Errorf("scene %s has the unknown group %q; add it to the contents page", about.ID, about.Group)
		}
	}
	return all, nil
}

// shownCards maps the scenes whose own pictures the page already shows in a large version to the experiments whose
// thumbnails represent them.
var shownCards = map[string]string{tradeoffScene: "noise"}

// lessonCards maps lessons, as SCENE/LESSON, to the experiments whose thumbnails represent them, so that lessons in the
// same scene look different. Other lessons show their scene's thumbnail.
var lessonCards = map[string]string{
	"lab/02-nobody-is-hurt":       "opposite",
	"fonseca/03-fixed-weights":    "middle",
	"fonseca/04-stale-weights":    "map",
	"fonseca/05-noise":            "favourite",
	"clusters/08-who-is-served":   "starved",
	"lab/11-units":                "huge",
	"fonseca/12-quietest":         "plateau",
	"fonseca/16-choosing-a-place": "settle",
	"yours/14-what-does-one-cost": "truss",
}

// paperLinks lists the papers' addresses by the names at the start of About.Paper.
var paperLinks = []struct{ Name, Link string }{
	{"PSMGD: Periodic Stochastic Multi-Gradient Descent", "https://arxiv.org/abs/2412.10961"},
	{"FORUM", "https://arxiv.org/abs/2401.09257"},
	{"Many-Objective Multi-Solution Transport", "https://arxiv.org/abs/2403.04099"},
	{"MosT", "https://arxiv.org/abs/2403.04099"},
	{"Block-SMOO", "https://arxiv.org/abs/2605.12432"},
	{"Hillermeier 2001", "https://doi.org/10.1007/978-3-0348-8280-4"},
	{"Liu et al. 2021 (CAGrad)", "https://arxiv.org/abs/2110.14048"},
}

// paper is a scene's text about its paper, in two parts. If the paper is online, Name links to Link. Otherwise Rest is
// the whole text.
type paper struct{ Name, Link, Rest string }

func paperOf(words string) paper {
	for _, p := range paperLinks {
		if rest, found := strings.CutPrefix(words, p.Name); found {
			return paper{p.Name, p.Link, rest}
		}
	}
	return paper{Rest: words}
}

// entry is a lesson with the number or title by which sentences refer to it.
type entry struct {
	lesson.Head
	Place string // its number on the path; "" if it has none
	Label string // the number, or the title in quotation marks
}

func entriesOf(lessons []lesson.Head) []entry {
	entries := make([]entry, len(lessons))
	for i, head := range lessons {
		entries[i] = entry{Head: head, Label: "“" + head.Title + "”"}
		if head.Number != nil {
			entries[i].Place = strconv.Itoa(*head.Number)
			entries[i].Label = entries[i].Place
		}
	}
	return entries
}

// lessonsAbout lists the lessons about a scene. Lessons without a number have long names, so only the first is named and
// the rest are counted.
type lessonsAbout struct {
	Named []entry
	More  int
}

func (l *lessonsAbout) add(e entry) {
	if e.Place == "" && len(l.Named) > 0 {
		l.More++
	} else {
		l.Named = append(l.Named, e)
	}
}

// largeLessons is the number of lessons that are shown large, beginning with the first.
const largeLessons = 3

var smallNumbers = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// spelled writes a small number as a word.
func spelled(n int) string {
	if n >= 0 && n < len(smallNumbers) {
		return smallNumbers[n]
	}
	return fmt.Sprint(n)
}

var galleryTemplate = template.Must(template.New("gallery").Funcs(template.FuncMap{
	"spelled":     spelled,
	"paper":       paperOf,
	"thumb":       func(id, theme string) string { return thumbName(id, shownCards[id], theme) },
	"lessonThumb": func(e entry, theme string) string { return thumbName(e.Scene, lessonCards[e.Scene+"/"+e.Name], theme) },
	"tradeoff":    tradeoffName,
	"times":       func(a, b int) int { return a * b },
	"strip":       stripName,
	"loop":        loopName,
}).Parse(galleryText))

// galleryHTML returns the contents page: the explanation of a trade-off, the lessons, and the scenes by subject.
func galleryHTML(list scene.List, lessons []lesson.Head) ([]byte, error) {
	groups, err := parts(list)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, theme := range themes {
		names = append(names, theme.Name)
	}
	entries := entriesOf(lessons)
	about := map[string]*lessonsAbout{}
	for _, e := range entries {
		if about[e.Scene] == nil {
			about[e.Scene] = new(lessonsAbout)
		}
		about[e.Scene].add(e)
	}
	var out bytes.Buffer
	err = galleryTemplate.Execute(&out, map[string]any{
		"Lessons": entries, "LargeLessons": largeLessons, "LessonsAbout": about, "Parts": groups, "Themes": names,
		"ThumbWidth": thumbWidth, "ThumbHeight": thumbHeight, "TradeoffWidth": tradeoffWidth, "TradeoffHeight": tradeoffHeight,
		"Moments": stripMoments, "TradeoffScene": tradeoffScene, "TradeoffAlt": tradeoffAlt, "TradeoffPaths": pathsName,
		"TradeoffCaption": tradeoffCaption,
	})
	return out.Bytes(), err
}

// withGallery returns the page with the contents page inserted.
func withGallery(page []byte, list scene.List, lessons []lesson.Head) ([]byte, error) {
	if bytes.Count(page, []byte(galleryMark)) != 1 {
		return nil, fmt.Errorf("index.html must contain the mark %s once, as the place of the gallery", galleryMark)
	}
	gallery, err := galleryHTML(list, lessons)
	return bytes.Replace(page, []byte(galleryMark), gallery, 1), err
}

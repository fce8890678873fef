package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"image/png"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/session"
	"paretoplay/internal/site/sitetest"
	"paretoplay/internal/teach/lesson"
	"paretoplay/scenes"
)

// TestGallery: the contents page lists every scene in its group, in order, and describes it without symbols.
func TestGallery(t *testing.T) {
	lessons := []lesson.Head{{Name: "01-angle", Title: "Conflict is an angle", Question: "When & why?", Minutes: 4, Scene: "lab", Steps: 5}}
	page, err := withGallery([]byte("<main>"+galleryMark+"</main>"), scenes.All, lessons)
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	if !strings.HasPrefix(text, "<main><section") || !strings.HasSuffix(text, "</main>") {
		t.Errorf("the gallery is not where its mark was: %.60s", text)
	}
	before := strings.Index(text, `href="#v=1&amp;scene=lab&amp;lesson=01-angle:1"`)
	if before < 0 || !strings.Contains(text, "When &amp; why?") || !strings.Contains(text, "4 min") {
		t.Errorf("the lesson is missing:\n%s", text)
	}
	if !regexp.MustCompile(`data-lesson="01-angle"\s+data-steps="5"`).MatchString(text) {
		t.Error("a lesson lacks its number of steps")
	}
	if !regexp.MustCompile(`lesson=01-angle:1">Start: a lesson of four\s+minutes</a>`).MatchString(text) {
		t.Error("no button starts the first lesson")
	}
	if !strings.Contains(text, `<a class="tradeoff-picture" href="#v=1&amp;scene=`+tradeoffScene+`">`) {
		t.Error("the large picture has no link")
	}
	for _, word := range []string{"start", "front", "better"} {
		if !strings.Contains(text, `aria-hidden="true">`+word+`</span>`) {
			t.Errorf("the large picture lacks the label %s", word)
		}
	}
	if n := strings.Count(text, "about this"); n != 1 {
		t.Errorf("%d scenes offer the only lesson", n)
	}
	before = strings.Index(text, `<ul class="scenes">`)
	for _, group := range scene.Groups {
		heading := strings.Index(text, `<h3 class="scene-group">`+string(group)+`</h3>`)
		if heading < before || strings.Count(text, `<h3 class="scene-group">`+string(group)+`<`) != 1 ||
			!strings.Contains(text, `<button type="button" data-group="`+string(group)+`" aria-pressed="false">`) {
			t.Errorf("the group %s has no name over its first scene, or no chip", group)
		}
		before = heading
		for _, about := range scenes.All {
			if about.Group != group {
				continue
			}
			at := strings.Index(text, `<a class="open" href="#v=1&amp;scene=`+about.ID+`"`)
			if at < before {
				t.Errorf("scene %s is at %d, the entry before it at %d", about.ID, at, before)
			}
			before = at
			if card := shownCards[about.ID]; card != "" && !slices.ContainsFunc(about.Presets, func(p scene.Preset) bool { return p.ID == card }) {
				t.Errorf("scene %s is shown by %s, an experiment that it lacks", about.ID, card)
			}
			for _, theme := range themes {
				name := thumbName(about.ID, shownCards[about.ID], theme.Name)
				if !strings.Contains(text, `src="`+name+`" width="320" height="200" alt="" loading="lazy"`) {
					t.Errorf("scene %s has no picture in %s", about.ID, theme.Name)
				}
			}
		}
	}
	// The page shows this text before any script or style loads. So the text must contain no script, no style, and
	// nothing else that the policy forbids.
	if found := regexp.MustCompile(`(?i)<script|<style|\sstyle=|\son\w+=|ZgotmplZ`).FindString(text); found != "" {
		t.Errorf("the gallery has %q", found)
	}
	lede := regexp.MustCompile(`(?s)<p class="lede">(.*?)</p>`).FindStringSubmatch(text)
	if lede == nil || regexp.MustCompile(`[^A-Za-z ,.:’]`).MatchString(lede[1]) {
		t.Errorf("the first sentence is %q, which is not plain words", lede)
	}
	if !strings.Contains(text, "<dfn>Pareto front</dfn>") {
		t.Error("the Pareto front is not explained")
	}
	if !strings.Contains(text, `data-paths="`+pathsName+`"`) {
		t.Error("the large picture lacks the address of its paths")
	}
}

// TestLessonCards: every lesson's thumbnail exists, and shows the lesson's scene or one of that scene's experiments.
func TestLessonCards(t *testing.T) {
	_, lessons, err := lessonFiles(lessonFolders("../..", nil)...)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, head := range lessons {
		key := head.Scene + "/" + head.Name
		found[key] = true
		about, err := scenes.All.Find(head.Scene)
		if err != nil {
			t.Fatal(err)
		}
		card := lessonCards[key]
		if card != "" && !slices.ContainsFunc(about.Presets, func(p scene.Preset) bool { return p.ID == card }) {
			t.Errorf("lesson %s is shown by %s, an experiment that scene %s lacks", head.Name, card, head.Scene)
		}
	}
	for key := range lessonCards {
		if !found[key] {
			t.Errorf("%s has a thumbnail but is not a lesson", key)
		}
	}
}

// TestPaperLinks: a scene's text about its paper stays unchanged, and it links to the paper if the paper is online.
func TestPaperLinks(t *testing.T) {
	for _, about := range scenes.All {
		p := paperOf(about.Paper)
		if p.Name+p.Rest != about.Paper {
			t.Errorf("scene %s has %q, shown as %q", about.ID, about.Paper, p.Name+p.Rest)
		}
		// Some scenes have no link: the lab has one paper per method, and JoGBa's paper has no permanent address.
		if without := slices.Contains([]string{"lab", "log", "ordering"}, about.ID); (p.Link == "") != without {
			t.Errorf("scene %s links %q", about.ID, p.Link)
		}
	}
	for _, p := range paperLinks {
		if !regexp.MustCompile(`^https://(arxiv\.org/abs/\d{4}\.\d{5}|doi\.org/10\.\S+)$`).MatchString(p.Link) {
			t.Errorf("%s links %s", p.Name, p.Link)
		}
		if !slices.ContainsFunc(scenes.All, func(a scene.About) bool { return paperOf(a.Paper).Name == p.Name }) {
			t.Errorf("no scene names %s", p.Name)
		}
	}
}

func TestSpelled(t *testing.T) {
	for n, want := range map[int]string{0: "no", 4: "four", 10: "ten", 11: "11"} {
		if got := spelled(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}

func TestGalleryRefuses(t *testing.T) {
	for _, page := range []string{"<main></main>", galleryMark + galleryMark} {
		if _, err := withGallery([]byte(page), scenes.All, nil); err == nil || !strings.Contains(err.Error(), galleryMark) {
			t.Errorf("%q: %v", page, err)
		}
	}
	if _, err := galleryHTML(scene.List{{ID: "stray", Group: "No group"}}, nil); err == nil || !strings.Contains(err.Error(), "stray") {
		t.Errorf("a scene without a place on the page: %v", err)
	}
	// If there are no lessons, the page must not show an empty list.
	text, err := galleryHTML(scenes.All, nil)
	if err != nil || strings.Contains(string(text), "Lessons") {
		t.Errorf("%v, or a heading without lessons", err)
	}
}

// TestTradeoffCaption: the large picture's caption is true of the runs in the picture.
func TestTradeoffCaption(t *testing.T) {
	s, err := session.New(scenes.All, tradeoffScene)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Finish(); err != nil {
		t.Fatal(err)
	}
	state, err := s.State()
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(state.Runs)
	if err != nil {
		t.Fatal(err)
	}
	var runs []struct {
		Name string
		F    []float64
	}
	if err := json.Unmarshal(data, &runs); err != nil {
		t.Fatal(err)
	}
	if len(runs) != 10 || !strings.HasPrefix(tradeoffCaption, "Ten runs") {
		t.Errorf("%d runs", len(runs))
	}
	for _, r := range runs {
		// f = 1 − exp(−d²), where d is the distance to the objective’s minimum. Exactly on the segment between the
		// minima, these distances add up to 2.
		away := math.Sqrt(-math.Log(1-r.F[0])) + math.Sqrt(-math.Log(1-r.F[1]))
		if math.Abs(away-2) > 0.01 {
			t.Errorf("run %s ends at %v, %g from the front", r.Name, r.F, away-2)
		}
	}
}

// TestDrawn: the themes' pictures differ and have the size that the page reserves.
func TestDrawn(t *testing.T) {
	for name, draw := range map[string]func() ([][]byte, error){
		"a scene":       func() ([][]byte, error) { return drawThumbs("lab", "") },
		"an experiment": func() ([][]byte, error) { return drawThumbs("fonseca", scenes.All[0].Presets[0].ID) },
		"the trade-off": drawTradeoff,
	} {
		pictures, err := draw()
		if err != nil || len(pictures) != 2 || bytes.Equal(pictures[0], pictures[1]) {
			t.Fatalf("%s: %v, %d pictures, or both themes look alike", name, err, len(pictures))
		}
		size, err := png.DecodeConfig(bytes.NewReader(pictures[0]))
		width, height, scale := thumbWidth, thumbHeight, thumbScale
		if name == "the trade-off" {
			width, height, scale = tradeoffWidth, tradeoffHeight, pictureScale
		}
		if err != nil || float64(size.Width) != scale*float64(width) || float64(size.Height) != scale*float64(height) {
			t.Errorf("%s: %v, %d×%d dots", name, err, size.Width, size.Height)
		}
	}
	if _, err := drawThumbs("none", ""); err == nil {
		t.Error("an unknown scene is drawn")
	}
	for _, f := range forms {
		pictures, err := drawPreviews("lab", f)
		if err != nil || len(pictures) != 2 || bytes.Equal(pictures[0], pictures[1]) {
			t.Fatalf("%s: %v, %d pictures, or both themes look alike", f.name, err, len(pictures))
		}
		size, err := png.DecodeConfig(bytes.NewReader(pictures[0]))
		if err != nil || float64(size.Width) != f.scale*f.width || float64(size.Height) != f.scale*f.height {
			t.Errorf("%s: %v, %d×%d dots", f.name, err, size.Width, size.Height)
		}
	}
	if _, err := drawPreviews("none", forms[0]); err == nil {
		t.Error("an unknown scene is drawn as a preview")
	}
}

// TestPicturesAreRemembered: a picture is drawn once per build of the program, and an error names the picture.
func TestPicturesAreRemembered(t *testing.T) {
	source := testSource(t, sitetest.SourceTree(t, nil))
	inner := source.thumbs
	var drawn atomic.Int32
	source.thumbs = func(id, card string) ([][]byte, error) {
		drawn.Add(1)
		return inner(id, card)
	}
	source.pictures = &fileCache{t.TempDir()}
	first, err := drawAll(source.drawings())
	if err != nil || drawn.Load() != 2 || first["thumbs/fonseca-stale-dark.png"] == nil {
		t.Fatalf("%v after %d drawings", err, drawn.Load())
	}
	second, err := drawAll(source.drawings())
	if err != nil || drawn.Load() != 2 || !bytes.Equal(first["thumbs/fonseca-dark.png"], second["thumbs/fonseca-dark.png"]) {
		t.Errorf("again: %v after %d drawings", err, drawn.Load())
	}
	source.thumbs = func(_, _ string) ([][]byte, error) { return nil, errors.New("no such font") }
	source.pictures = nil
	if _, err := drawAll(source.drawings()); err == nil || !strings.Contains(err.Error(), "thumbs/fonseca-") ||
		!strings.Contains(err.Error(), "no such font") {
		t.Errorf("a picture that cannot be drawn: %v", err)
	}
}

// TestArrival: the page contains every scene's texts as the scene's own page shows them, in plain text. After the
// program has been compiled, the page also describes the program.
func TestArrival(t *testing.T) {
	list := beginnings(scenes.All)
	states := []siteState{{Compiling: true}, {Error: "main.go:3"}, {Wasm: "p.wasm", WasmBytes: 7, WasmGzip: "p.wasm.gz", Version: "1"}}
	for _, state := range states {
		page, err := withArrival([]byte("<head>"+arrivalMark+"</head>"), list, state)
		if err != nil {
			t.Fatal(err)
		}
		text, found := strings.CutPrefix(string(page), `<head><script id="arrival" type="application/json">`)
		text, closed := strings.CutSuffix(text, "</script></head>")
		if !found || !closed || strings.Contains(text, "<") {
			t.Fatalf("the data are not where their mark was: %.99s", page)
		}
		var read struct {
			Scenes  []beginning
			Program *siteState
		}
		if err := json.Unmarshal([]byte(text), &read); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(read.Scenes, list) {
			t.Errorf("for the scenes, the page has %v", read.Scenes)
		}
		if there := read.Program != nil; there != (state.Wasm != "") || there && (read.Program.Wasm != "p.wasm" || read.Program.WasmBytes != 7 ||
			read.Program.WasmGzip != "p.wasm.gz") {
			t.Errorf("for %+v, the page has %+v", state, read.Program)
		}
	}
	for _, b := range list {
		if strings.Contains(b.Title+b.Question+b.Summary+b.Try, "_") {
			t.Errorf("scene %s: its words have an index, which the page lowers only when its modules have loaded", b.ID)
		}
	}
	catalog, err := session.Catalog(scenes.All)
	if err != nil {
		t.Fatal(err)
	}
	for i, entry := range catalog {
		want := beginning{ID: entry.ID, Title: entry.Title, Question: entry.Question, Summary: entry.Summary, Try: entry.Try, Done: entry.Done,
			Runs: entry.Runs}
		if len(entry.Presets) > 0 {
			want.Next = entry.Presets[0].Title
		}
		if list[i] != want {
			t.Errorf("the page begins with %+v, the catalogue has %+v", list[i], want)
		}
	}
	for _, page := range []string{"<head></head>", arrivalMark + arrivalMark} {
		if _, err := withArrival([]byte(page), list, siteState{}); err == nil || !strings.Contains(err.Error(), arrivalMark) {
			t.Errorf("%q: %v", page, err)
		}
	}
}

// TestLessonsAbout: the text says “Lesson”, not “Lessons”, before the one lesson that it names, even if it also counts
// others.
func TestLessonsAbout(t *testing.T) {
	number := 14
	lessons := []lesson.Head{{Name: "a", Title: "A", Scene: "lab", Number: &number}, {Name: "b", Title: "B", Scene: "lab"},
		{Name: "c", Title: "C", Scene: "toy"}}
	page, err := withGallery([]byte("<main>"+galleryMark+"</main>"), scenes.All, lessons)
	if err != nil {
		t.Fatal(err)
	}
	tags := regexp.MustCompile(`<[^>]*>`)
	text := strings.Join(strings.Fields(tags.ReplaceAllString(string(page), "")), " ")
	for _, want := range []string{"Lesson 14 and one more are about this", "Lesson “C” is about this"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
}

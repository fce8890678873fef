package browser

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"paretoplay/internal/browser/chrome"
)

var look = flag.String("look", "", "write pictures of every page, scene and card to this `folder`")

// view is the size, in CSS pixels, of the window in which pictures are taken.
type view struct {
	width, height int64
	phone         bool // with a touch screen of two dots per pixel
	thumbnail     int  // its pictures' width on the contact sheet, in dots
}

var (
	views  = []view{{1440, 900, false, 300}, {1024, 768, false, 300}, {390, 844, true, 145}}
	themes = []string{"light", "dark"}
)

func (v view) open() option {
	if v.phone {
		return touchScreen(v.width, v.height)
	}
	return size(v.width, v.height)
}

// shot is a state of the page to take a picture of: a scene as it opens, or with one of its cards. The contents page
// counts as a scene. A lesson counts as a scene with two shots: one of its steps as it opens, and the same step with
// its goal reached.
type shot struct {
	scene string
	card  string // "" for the scene as it opens
	index int    // index of the card in its scene
}

const (
	contentsPage = "gallery"
	lessonsPage  = "lesson"
	goalReached  = "reached"
)

func (s shot) name() string {
	if s.card == "" {
		return s.scene
	}
	return s.scene + "-" + s.card
}

// file returns the name of a shot's picture.
func file(name, theme string, v view) string {
	return fmt.Sprintf("%s-%s-%d.png", name, theme, v.width)
}

// shots returns the shots of the contents page, of every scene in order with its cards, and of a lesson.
func shots(scenes []catalogued) []shot {
	list := []shot{{scene: contentsPage}}
	for _, s := range scenes {
		list = append(list, s.shots()...)
	}
	return append(list, shot{scene: lessonsPage}, shot{scene: lessonsPage, card: goalReached})
}

// shots returns the shots of the scene: one as it opens, and one for each card.
func (s catalogued) shots() []shot {
	list := []shot{{scene: s.ID}}
	for i, card := range s.Presets {
		list = append(list, shot{s.ID, card.ID, i})
	}
	return list
}

// catalogued is a scene as the program lists it.
type catalogued struct {
	ID      string
	Params  []described
	Presets []struct{ ID string }
}

func catalogue(t *testing.T) (scenes []catalogued) {
	t.Helper()
	if missing != "" {
		t.Skip("SKIPPED, the list of scenes is missing: " + missing)
	}
	out, err := exec.Command(binary, "scenes").Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &scenes); err != nil {
		t.Fatal(err)
	}
	return scenes
}

// TestLookIsComplete: every page, scene and card has pictures with unique names.
func TestLookIsComplete(t *testing.T) {
	taken := map[string]bool{}
	list := shots(catalogue(t))
	for _, s := range list {
		for _, v := range views {
			for _, theme := range themes {
				taken[file(s.name(), theme, v)] = true
			}
		}
	}
	answer, err := http.Get(site + "scenes.json")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var scenes []catalogued
	if err := json.NewDecoder(answer.Body).Decode(&scenes); err != nil {
		t.Fatal(err)
	}
	want := []string{"gallery", "lesson", "lesson-reached"}
	for _, scene := range scenes {
		want = append(want, scene.ID)
		for _, card := range scene.Presets {
			want = append(want, scene.ID+"-"+card.ID)
		}
	}
	n := 0
	for _, name := range want {
		for _, end := range []string{"light-1440", "dark-1440", "light-1024", "dark-1024", "light-390", "dark-390"} {
			n++
			if !taken[name+"-"+end+".png"] {
				t.Errorf("the picture %s-%s is missing", name, end)
			}
		}
	}
	if len(scenes) < 6 || len(taken) != n || len(list)*len(views)*len(themes) != n {
		t.Errorf("%d pictures with %d names for the %d of %d scenes", len(list)*len(views)*len(themes), len(taken), n, len(scenes))
	}
}

// TestLook writes the pictures for visual inspection to the folder given by -look.
func TestLook(t *testing.T) {
	if *look == "" {
		t.Skip("runs only with -look, as in make look")
	}
	scenes := catalogue(t)
	if err := os.MkdirAll(*look, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, v := range views {
		sheets := map[string]*sheet{}
		for _, theme := range themes {
			sheets[theme] = &sheet{view: v}
		}
		take := func(p *page, s shot, dress func(theme string)) {
			for _, theme := range themes {
				dress(theme)
				data := p.window()
				save(p, file(s.name(), theme, v), data)
				sheets[theme].add(p, s, data)
				if s.card == "" {
					save(p, file(s.name()+"-page", theme, v), p.whole(v.width))
				}
			}
		}
		t.Run(fmt.Sprintf("%s/%d", contentsPage, v.width), func(t *testing.T) {
			p := open(t, "", v.open())
			take(p, shot{scene: contentsPage}, p.contentsIn)
		})
		for _, scene := range scenes {
			t.Run(fmt.Sprintf("%s/%d", scene.ID, v.width), func(t *testing.T) {
				p := ready(t, "#v=1&scene="+scene.ID, v.open())
				for _, s := range scene.shots() {
					p.show(s)
					take(p, s, p.theme)
				}
			})
		}
		t.Run(fmt.Sprintf("%s/%d", lessonsPage, v.width), func(t *testing.T) {
			p := school(t, "#v=1&scene=lab", v.open())
			l := p.path()[0]
			first := p.steps(l.Name)[0]
			p.js(nil, `(name) => playground.lesson(name, 1)`, l.Name)
			p.at(l, 1, first.Title)
			take(p, shot{scene: lessonsPage}, p.theme)
			p.answer(first, 0)
			p.press("[data-part=show]")
			p.until("the goal", `() => document.querySelector('#lesson .lesson-sign').classList.contains('reached')`)
			take(p, shot{scene: lessonsPage, card: goalReached}, p.theme)
		})
		for theme, s := range sheets {
			if len(s.scenes) > 0 { // -run may omit all of them
				save(t, file("sheet", theme, v), s.draw(t))
			}
		}
	}
}

func save(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(*look, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// show brings the page to the state of a shot. It takes runs to their end, or as far as two seconds allow. In slow
// motion it stops in the middle of a step. It waits a moment for measurements.
func (p *page) show(s shot) {
	p.Helper()
	if s.card != "" {
		p.js(nil, `(i) => document.querySelectorAll('#experiments button')[i].click()`, s.index)
		p.until("the card "+s.card, `(i) => document.querySelectorAll('#experiments button')[i].ariaPressed === 'true'`, s.index)
	}
	p.js(nil, `async () => {
		const WORK = 2000, MOMENT = 2.5;
		const end = performance.now() + WORK;
		const moment = () => new Promise((resolve) => setTimeout(resolve, 25));
		let s = playground.state();
		if (s.params.speed === 'slow') {
			await playground.play();
			while (s.params.moment < MOMENT && s.latest === 0 && performance.now() < end + WORK) {
				await moment();
				s = playground.state();
			}
			await playground.pause();
			return;
		}
		const {runs} = playground.scenes().find(({id}) => id === s.scene);
		if (runs) await playground.pause();
		while (runs && s.status === 'running' && performance.now() < end) {
			await playground.step(Math.max(1, Math.round(s.budget / 20)));
			s = playground.state();
		}
		while (playground.state().results?.pending && performance.now() < end) await moment();
	}`)
	p.js(nil, `() => {
		document.activeElement.blur();
		scrollTo({top: 0, behavior: 'instant'});
	}`)
}

// contentsIn shows the contents page in a theme, and waits for all its pictures.
func (p *page) contentsIn(theme string) {
	p.Helper()
	p.run(chrome.Prefer(chrome.Feature{Name: "prefers-color-scheme", Value: theme}))
	p.until("the contents page", `() => document.readyState === 'complete' && document.querySelector('#gallery img')`)
	p.js(nil, `async () => {
		const shown = [...document.querySelectorAll('#gallery img')].filter((i) => i.getClientRects().length > 0);
		for (const i of shown) i.loading = 'eager';
		for (const i of shown) await i.decode();
	}`)
}

// theme switches the page to a theme and waits until the picture has changed.
func (p *page) theme(name string) {
	p.Helper()
	p.run(chrome.Prefer(chrome.Feature{Name: "prefers-color-scheme", Value: name}))
	p.until("the picture in the theme", `(dark) => {
		const inner = document.getElementById('stage').contentDocument;
		return inner.body.classList.contains('dark') === dark;
	}`, name == "dark")
	// The picture does not come to rest during a measurement.
	p.js(nil, `async () => {
		for (let i = 0; i < 4; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
		const ends = (animation) => animation.effect.getComputedTiming().endTime !== Infinity;
		await Promise.all(document.getAnimations().filter(ends).map(({finished}) => finished));
	}`)
}

// window returns a PNG of the window.
func (p *page) window() (data []byte) {
	p.Helper()
	p.run(chrome.Picture(&data))
	return data
}

// whole returns a PNG of the entire page, in a window of the given width.
func (p *page) whole(width int64) (data []byte) {
	p.Helper()
	p.run(chrome.PictureOfAll(width, &data))
	return data
}

// sheet holds all pictures of a theme and a view as thumbnails with their names. Every scene has at least one row.
type sheet struct {
	view   view
	scenes []string
	small  map[string][]labelled
}

type labelled struct {
	name    string
	picture image.Image
}

func (s *sheet) add(t testing.TB, of shot, data []byte) {
	t.Helper()
	large, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	height := s.view.thumbnail * int(s.view.height) / int(s.view.width)
	small := image.NewRGBA(image.Rect(0, 0, s.view.thumbnail, height))
	draw.CatmullRom.Scale(small, small.Bounds(), large, large.Bounds(), draw.Src, nil)
	if !slices.Contains(s.scenes, of.scene) {
		s.scenes = append(s.scenes, of.scene)
	}
	if s.small == nil {
		s.small = map[string][]labelled{}
	}
	s.small[of.scene] = append(s.small[of.scene], labelled{of.name(), small})
}

// draw tiles the pictures in a PNG with a width of at most 1560 dots.
func (s *sheet) draw(t *testing.T) []byte {
	t.Helper()
	const wide, gap, line = 1560, 10, 18
	paper, ink := image.NewUniform(color.Gray{0x80}), image.White
	width := s.view.thumbnail + gap
	height := s.view.thumbnail*int(s.view.height)/int(s.view.width) + line + gap
	columns := (wide - gap) / width
	rows := 0
	for _, scene := range s.scenes {
		rows += (len(s.small[scene]) + columns - 1) / columns
	}
	out := image.NewRGBA(image.Rect(0, 0, columns*width+gap, rows*height+gap))
	draw.Draw(out, out.Bounds(), paper, image.Point{}, draw.Src)
	y := gap
	for _, scene := range s.scenes {
		for i, l := range s.small[scene] {
			if i > 0 && i%columns == 0 {
				y += height
			}
			x := gap + i%columns*width
			pen := font.Drawer{Dst: out, Src: ink, Face: basicfont.Face7x13, Dot: fixed.P(x, y+line-5)}
			pen.DrawString(l.name)
			draw.Draw(out, l.picture.Bounds().Add(image.Pt(x, y+line)), l.picture, image.Point{}, draw.Src)
		}
		y += height
	}
	var data bytes.Buffer
	if err := png.Encode(&data, out); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}

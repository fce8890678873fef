// Package stage shows panels on screen: a vg.Canvas on Ebiten, a cache of
// pictures that do not change, and the loop that plays a model and draws it.
package stage

import (
	"fmt"
	"image"
	"math"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/scenes/panel"
)

// Model is the model that the stage plays and shows.
type Model interface {
	// Advance plays dt seconds at the chosen speed while more() holds.
	Advance(dt float64, more func() bool) error
	// Playing reports whether Advance is wanted in every frame.
	Playing() bool
	// Version changes with everything that needs a new frame.
	Version() uint64
	// View returns the panels and their places on the canvas in CSS pixels, the
	// origin at its bottom left corner.
	View() (placed []panel.Placed, theme *panel.Theme, touch bool)
	// Tooltip returns what to explain, and where on the canvas.
	Tooltip() (p panel.Pick, at vg.Point, ok bool)
}

// Listener hears of the loop. Its functions must not call the model.
type Listener struct {
	Updated func()          // after each update
	Drawn   func()          // after each frame
	Failed  func(err error) // a fault, also a panic, of the model or its panels
}

// advanceBudget is the time in a frame for iterations.
const advanceBudget = 4 * time.Millisecond

// Game is the loop around a model. It draws only when the model's version has
// changed, and costs nothing while nothing changes.
type Game struct {
	model    Model
	listener Listener
	canvas   *Canvas
	cache    *cache[*ebiten.Image]

	ratio   float64
	zoom    float64
	drawn   uint64 // version of the last frame
	playing bool   // in the last update
	last    time.Time

	probe   Probe
	updated time.Duration // time the update of this frame took
	failed  string
}

// probedFrames is the number of frames that a Probe looks back.
const probedFrames = 240

// Probe holds numbers for tests and measurements.
type Probe struct {
	Updates    int       `json:"updates"`
	Draws      int       `json:"draws"`
	DrawMillis []float64 `json:"drawMillis"` // Update and Draw of the last frames, oldest first, without Ebiten's own part
	Triangles  int       `json:"triangles"`  // of the last frame
	Largest    int       `json:"largest"`    // most triangles of a draw call since the last Probe
	Ratio      float64   `json:"dpr"`
	Images     int       `json:"images"` // kept in the cache
	ImageBytes int       `json:"imageBytes"`
}

// NewGame returns the loop of a model.
func NewGame(m Model, l Listener) *Game {
	create := func(size image.Point) *ebiten.Image {
		return ebiten.NewImageWithOptions(image.Rectangle{Max: size}, &ebiten.NewImageOptions{Unmanaged: true})
	}
	return &Game{model: m, listener: l, canvas: NewCanvas(), cache: newCache(create, (*ebiten.Image).Deallocate), zoom: 1}
}

// Run shows the game until its end, which is a fault.
func (g *Game) Run() error {
	ebiten.SetTPS(ebiten.SyncWithFPS)
	g.idle(true)
	return ebiten.RunGameWithOptions(g, &ebiten.RunGameOptions{InitUnfocused: true})
}

// idle tells Ebiten whether to wait for Wake or to follow the display.
func (g *Game) idle(on bool) {
	mode := ebiten.FPSModeVsyncOn //lint:ignore SA1019 the only way to have no updates while nothing happens
	if on {
		mode = ebiten.FPSModeVsyncOffMinimum //lint:ignore SA1019 as above
	}
	ebiten.SetFPSMode(mode) //lint:ignore SA1019 as above
}

// Zoom draws panels that many times as large: the places that the model gives them are on a
// canvas as many times smaller than the screen.
func (g *Game) Zoom(factor float64) { g.zoom = factor }

// Wake asks for a frame if the model has changed since the last one. It is
// called after everything that may change the model.
func (g *Game) Wake() {
	if g.model.Version() != g.drawn || g.model.Playing() != g.playing {
		ebiten.ScheduleFrame() //lint:ignore SA1019 as above
	}
}

// Probe returns counts and measurements.
func (g *Game) Probe() Probe {
	p := g.probe
	p.DrawMillis = append([]float64(nil), p.DrawMillis...)
	p.Ratio, p.Images, p.ImageBytes = g.ratio, len(g.cache.kept), g.cache.bytes()
	p.Largest, g.canvas.largest = g.canvas.largest, 0
	return p
}

// Update implements ebiten.Game.
func (g *Game) Update() error {
	start := time.Now()
	g.probe.Updates++
	playing := g.model.Playing()
	if playing {
		dt := 0.0
		if g.playing {
			dt = start.Sub(g.last).Seconds()
		}
		deadline := start.Add(advanceBudget)
		g.guard(func() error {
			return g.model.Advance(dt, func() bool { return time.Now().Before(deadline) })
		})
		playing = g.model.Playing()
	}
	g.playing, g.last = playing, start
	g.idle(!playing)
	g.listener.Updated()
	g.updated = time.Since(start)
	return nil
}

// guard reports the error or panic of f, the same one once.
func (g *Game) guard(f func() error) {
	err := func() (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("%v", r)
			}
		}()
		return f()
	}()
	if err != nil && err.Error() != g.failed {
		g.failed = err.Error()
		g.listener.Failed(err)
	}
}

// Draw implements ebiten.Game.
func (g *Game) Draw(screen *ebiten.Image) {
	start := time.Now()
	g.probe.Draws++
	g.drawn = g.model.Version()
	before := g.canvas.triangles
	g.cache.next()
	g.canvas.scratch.next()
	g.guard(func() error {
		g.drawModel(screen)
		return nil
	})
	g.probe.Triangles = g.canvas.triangles - before
	millis := float64(g.updated+time.Since(start)) / float64(time.Millisecond)
	g.updated = 0
	if len(g.probe.DrawMillis) == probedFrames {
		copy(g.probe.DrawMillis, g.probe.DrawMillis[1:])
		g.probe.DrawMillis = g.probe.DrawMillis[:probedFrames-1]
	}
	g.probe.DrawMillis = append(g.probe.DrawMillis, millis)
	g.listener.Drawn()
}

func (g *Game) drawModel(screen *ebiten.Image) {
	placed, theme, touch := g.model.View()
	over, at, hovers := g.model.Tooltip()
	g.canvas.Reset(screen, g.ratio)
	panel.Backdrop(draw.New(g.canvas), placed, theme)
	g.canvas.Flush()
	for _, p := range placed {
		f := p.Frame(theme, touch)
		box := g.box(p.Rect, screen.Bounds().Dy())
		if box.Empty() {
			continue
		}
		part := screen.SubImage(box).(*ebiten.Image)
		for i, l := range p.Panel.Layers(f) {
			if l.Key == "" {
				g.drawLayer(part, f, l)
				continue
			}
			want := stamp{key: l.Key, theme: theme.Name, size: box.Size(), ratio: g.ratio, touch: touch, detail: p.Detail}
			kept, drawn := g.cache.get(slot{p.Panel.ID(), i}, want)
			if !drawn {
				kept.Clear()
				g.drawLayer(kept, f, l)
			}
			options := &ebiten.DrawImageOptions{}
			options.GeoM.Translate(float64(box.Min.X), float64(box.Min.Y))
			part.DrawImage(kept, options)
		}
		if linking, can := p.Panel.(panel.Linking); can && hovers {
			if mark, ok := linking.Mark(f, over); ok {
				g.drawLayer(part, f, mark)
			}
		}
	}
	if hovers {
		g.canvas.Reset(screen, g.ratio)
		panel.DrawTooltip(draw.New(g.canvas), theme, over, at)
		g.canvas.Flush()
	}
}

func (g *Game) drawLayer(dst *ebiten.Image, f panel.Frame, l panel.Layer) {
	g.canvas.Reset(dst, g.ratio)
	l.Draw(draw.Canvas{
		Canvas:    g.canvas,
		Rectangle: vg.Rectangle{Max: vg.Point{X: f.Width, Y: f.Height}},
	})
	g.canvas.Flush()
}

// box is the place of a panel in whole pixels of a screen of that height.
func (g *Game) box(r vg.Rectangle, height int) image.Rectangle {
	pixels := func(v vg.Length) int { return int(math.Round(float64(v) * g.ratio)) }
	return image.Rect(pixels(r.Min.X), height-pixels(r.Max.Y), pixels(r.Max.X), height-pixels(r.Min.Y))
}

// mostPixels bounds the pictures of a frame: a screen of 5120×2880 dots has fewer, and every layer
// of a panel has its share of them once more.
const mostPixels = 1 << 24

// fittingRatio is the pixels to a CSS pixel on a canvas of that size in CSS pixels: the display's
// ratio, or less if a side would exceed side or the picture mostPixels.
func fittingRatio(width, height, display float64, side int) float64 {
	ratio := min(display, math.Sqrt(mostPixels/max(1, width*height)))
	if longest := max(width, height); side > 0 && longest > 0 {
		ratio = min(ratio, float64(side)/longest)
	}
	return ratio
}

// LayoutF implements ebiten.LayoutFer: the screen has the pixels of the display, or fewer where
// no texture is so large. Ebiten then enlarges them.
func (g *Game) LayoutF(width, height float64) (float64, float64) {
	ratio := fittingRatio(width, height, ebiten.Monitor().DeviceScaleFactor(), ebiten.MaxImageSize())
	g.ratio = ratio * g.zoom
	return max(1, math.Floor(width*ratio)), max(1, math.Floor(height*ratio))
}

// Layout implements ebiten.Game; LayoutF takes its place.
func (g *Game) Layout(width, height int) (int, int) {
	w, h := g.LayoutF(float64(width), float64(height))
	return int(w), int(h)
}

var _ ebiten.LayoutFer = (*Game)(nil)

// Package stage shows panels on the screen: a vg.Canvas on Ebiten, and a loop that Ebiten drives.
package stage

import (
	"image"

	"github.com/hajimehoshi/ebiten/v2"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/engine/loop"
)

// Game runs the loop around a model. It draws only if the model's version has changed, and costs nothing otherwise.
type Game struct {
	*loop.Loop
	canvas    *Canvas
	screen    *loop.Screen[*ebiten.Image]
	triangles int // in the last frame
	drawn     sheet
}

// sheet is an image that receives a frame.
type sheet struct {
	size  image.Point
	ratio float64
}

// NewGame returns a loop for the model m.
func NewGame(m loop.Model, l loop.Listener) *Game {
	canvas := NewCanvas()
	return &Game{Loop: loop.New(m, l), canvas: canvas, screen: loop.NewScreen[*ebiten.Image](painter{canvas})}
}

// painter draws on all images with one canvas.
type painter struct{ canvas *Canvas }

var _ loop.Painter[*ebiten.Image] = painter{}

func (painter) New(size image.Point) *ebiten.Image {
	return ebiten.NewImageWithOptions(image.Rectangle{Max: size}, &ebiten.NewImageOptions{Unmanaged: true})
}

func (painter) Release(i *ebiten.Image) { i.Deallocate() }

func (painter) Clear(i *ebiten.Image) { i.Clear() }

func (p painter) Paint(on *ebiten.Image, ratio float64, draw func(c vg.Canvas)) {
	p.canvas.Reset(on, ratio)
	draw(p.canvas)
	p.canvas.Flush()
}

func (painter) Over(on, kept *ebiten.Image) {
	corner := on.Bounds().Min
	options := &ebiten.DrawImageOptions{}
	options.GeoM.Translate(float64(corner.X), float64(corner.Y))
	on.DrawImage(kept, options)
}

// Run shows the game. It returns only when it fails.
func (g *Game) Run() error {
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetScreenClearedEveryFrame(false)
	g.idle(true)
	return ebiten.RunGameWithOptions(g.ebiten(), &ebiten.RunGameOptions{InitUnfocused: true})
}

// idle sets whether Ebiten waits for Wake or follows the display.
func (g *Game) idle(on bool) {
	mode := ebiten.FPSModeVsyncOn //lint:ignore SA1019 the only way to have no updates while nothing happens
	if on {
		mode = ebiten.FPSModeVsyncOffMinimum //lint:ignore SA1019 as above
	}
	ebiten.SetFPSMode(mode) //lint:ignore SA1019 as above
}

// Wake requests a frame if the model has changed since the last one. Call it after every call that may change the model.
func (g *Game) Wake() {
	if g.Stale() {
		ebiten.ScheduleFrame() //lint:ignore SA1019 as above
	}
}

// Probe returns counts and measurements.
func (g *Game) Probe() loop.Probe {
	p := g.Loop.Probe()
	p.Images, p.ImageBytes = g.screen.Kept()
	p.Triangles = g.triangles
	p.Largest, g.canvas.largest = g.canvas.largest, 0
	return p
}

// engine adds the methods that Ebiten calls to a Game.
type engine struct{ *Game }

var _ ebiten.LayoutFer = engine{}

func (g *Game) ebiten() engine { return engine{g} }

// Update implements ebiten.Game.
func (e engine) Update() error {
	e.idle(!e.Game.Update())
	return nil
}

// Draw implements ebiten.Game. If nothing has changed, the previous frame stays on the screen. It also stays while the
// scene is unfinished: either an iteration takes longer than a frame, or a verb has paused.
func (e engine) Draw(screen *ebiten.Image) {
	on := sheet{screen.Bounds().Size(), e.Ratio()}
	if on == e.drawn && !e.Stale() {
		return
	}
	e.drawn = on
	e.Begin()
	before := e.canvas.triangles
	e.screen.Next()
	e.canvas.scratch.next()
	e.Game.Draw(func() { e.draw(screen) })
	e.triangles = e.canvas.triangles - before
	e.End()
	if e.Travelling() {
		e.idle(false)
	}
}

func (g *Game) draw(screen *ebiten.Image) {
	v, size := g.View(), screen.Bounds().Size()
	g.screen.Backdrop(screen, size, v)
	for _, p := range v.Placed {
		box := v.Box(p, size.Y)
		if box.Empty() {
			continue
		}
		part := screen.SubImage(box).(*ebiten.Image)
		g.screen.Layers(part, box.Size(), v, p)
		g.screen.Mark(part, v, p)
	}
	g.screen.Tooltip(screen, size, v)
}

// LayoutF implements ebiten.LayoutFer. The screen has the display's pixels. If no texture can be that large, the screen
// has fewer pixels, which Ebiten enlarges.
func (e engine) LayoutF(width, height float64) (float64, float64) {
	return e.Game.Layout(width, height, ebiten.Monitor().DeviceScaleFactor(), ebiten.MaxImageSize())
}

// Layout implements ebiten.Game. Ebiten calls LayoutF instead.
func (e engine) Layout(width, height int) (int, int) {
	w, h := e.LayoutF(float64(width), float64(height))
	return int(w), int(h)
}

//go:build js && wasm

package main

import (
	"image"
	"syscall/js"
	"time"

	"paretoplay/internal/engine/loop"
	"paretoplay/wasm/raster"
)

// slice is how long the game draws panels before it gives the browser time for other work. A panel that takes longer is
// not interrupted.
const slice = 12 * time.Millisecond

// game shows a session on a canvas that it appends to the document. It requests frames only if there is something to
// draw.
type game struct {
	*raster.Game
	canvas    js.Value
	context   js.Value
	data      js.Value // the canvas's pixels as ImageData
	bytes     js.Value // the same pixels as bytes
	size      image.Point
	next      js.Func
	requested bool // whether a frame is requested
	running   bool
}

func newGame(m loop.Model, l loop.Listener) *game {
	document := js.Global().Get("document")
	g := &game{Game: raster.NewGame(m, l), canvas: document.Call("createElement", "canvas")}
	document.Get("body").Call("append", g.canvas)
	g.context = g.canvas.Call("getContext", "2d", map[string]any{"alpha": false})
	g.next = js.FuncOf(func(js.Value, []js.Value) any {
		g.frame()
		return nil
	})
	return g
}

// Run implements bridge.Game.
func (g *game) Run() error {
	g.running = true
	g.ask()
	select {}
}

// Wake implements bridge.Game.
func (g *game) Wake() {
	if g.running && g.Due() {
		g.ask()
	}
}

func (g *game) ask() {
	if !g.requested {
		g.requested = true
		js.Global().Call("requestAnimationFrame", g.next)
	}
}

func (g *game) frame() {
	g.requested = false
	body := js.Global().Get("document").Get("body")
	width, height := body.Get("clientWidth").Float(), body.Get("clientHeight").Float()
	deadline := time.Now().Add(slice)
	picture := g.Frame(width, height, js.Global().Get("devicePixelRatio").Float(), func() bool { return time.Now().Before(deadline) })
	if picture != nil {
		g.show(picture)
	}
	if g.Due() {
		g.ask()
	}
}

// show copies a picture to the canvas.
func (g *game) show(picture *image.RGBA) {
	if size := picture.Rect.Size(); size != g.size {
		g.size = size
		g.canvas.Set("width", size.X)
		g.canvas.Set("height", size.Y)
		g.bytes = js.Global().Get("Uint8ClampedArray").New(len(picture.Pix))
		g.data = js.Global().Get("ImageData").New(g.bytes, size.X, size.Y)
	}
	js.CopyBytesToJS(g.bytes, picture.Pix)
	g.context.Call("putImageData", g.data, 0, 0)
}

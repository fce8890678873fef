//go:build js && wasm

// Command picture makes pictures without WebGL. It has every scene and, built with the tag picture, what writes
// PNG, SVG and PDF, which the page's first program leaves out. In a worker of the page it makes files, by the
// functions call, work and beginFile of the object paretoplay. In the document of stage.html it takes the place of
// the first program where there is no WebGL, and draws on a two-dimensional canvas.
package main

import (
	"syscall/js"

	"paretoplay/internal/engine/loop"
	"paretoplay/wasm/bridge"
)

func main() {
	if js.Global().Get("document").IsUndefined() {
		b := &bridge.Bridge{Session: bridge.NewSession(), After: func() {}}
		js.Global().Set("paretoplay", b.Functions())
		select {}
	}
	bridge.RunPage(func(m loop.Model, l loop.Listener) bridge.Game { return newGame(m, l) })
}

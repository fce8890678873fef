//go:build js && wasm

// Command picture draws without WebGL. It has every scene. Built with the tag picture, it also has the code that writes
// PNG, SVG and PDF, which the page's first program lacks. In a worker, it creates files with the functions call, work
// and beginFile of the object paretoplay. In stage.html, it replaces the first program if there is no WebGL, and draws
// on a two-dimensional canvas.
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

//go:build js && wasm

// Command wasm runs the scenes in the browser, in stage.html, and draws them with WebGL.
package main

import (
	"paretoplay/internal/engine/loop"
	"paretoplay/wasm/bridge"
	"paretoplay/wasm/stage"
)

func main() {
	bridge.RunPage(func(m loop.Model, l loop.Listener) bridge.Game { return stage.NewGame(m, l) })
}

//go:build js && wasm

// Command workshop reads and checks lessons in the browser. It has every scene and the code that compiles and follows
// lessons, but draws nothing. It runs in a worker, so that the page never waits for it.
package main

import (
	"syscall/js"

	"paretoplay/scenes"
	"paretoplay/wasm/bridge"
	"paretoplay/wasm/workshop/reader"
)

func main() {
	bridge.LimitMemory()
	d := &reader.Desk{Scenes: scenes.All}
	js.Global().Set("paretoplay", map[string]any{
		// compile(name, text) returns the compiled lesson or its errors as JSON, in the form of package reader's type answer.
		"compile": js.FuncOf(func(_ js.Value, args []js.Value) any { return d.Compile(args[0].String(), args[1].String()) }),
		// check() follows every step of the last compiled lesson, and returns an answer without the lesson.
		"check": js.FuncOf(func(js.Value, []js.Value) any { return d.Check() }),
	})
	select {}
}

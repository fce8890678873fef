//go:build js && wasm

// Command workshop reads and checks lessons in the browser. It has every scene and what compiles and follows a lesson,
// and draws nothing. A worker of the page runs it, so that nothing waits for it.
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
		// compile(name, text) returns an answer as JSON: reader.Answer.
		"compile": js.FuncOf(func(_ js.Value, args []js.Value) any { return d.Compile(args[0].String(), args[1].String()) }),
		// check() follows every step of the lesson that was compiled last, and returns an answer without the lesson.
		"check": js.FuncOf(func(js.Value, []js.Value) any { return d.Check() }),
	})
	select {}
}

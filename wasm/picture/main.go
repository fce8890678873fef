//go:build js && wasm

// Command picture makes files of pictures, in a worker of the page: it has every scene and, built with
// the tag picture, what writes PNG, SVG and PDF, which the page's first program leaves out. It puts an
// object paretoplay with the functions call, work and exportFile on the global object.
package main

import (
	"syscall/js"

	"paretoplay/wasm/bridge"
)

func main() {
	b := &bridge.Bridge{Session: bridge.NewSession(), After: func() {}}
	js.Global().Set("paretoplay", map[string]any{"call": b.Call(), "work": b.Work(), "exportFile": b.ExportFile()})
	select {}
}

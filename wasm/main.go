//go:build js && wasm

// Command wasm runs the scenes in the browser, in the document of stage.html. It puts an object
// paretoplay with the functions below on the global object and calls the global function
// paretoplayEvent(kind, json) for events:
//
//	ready the first frame is drawn frame a frame is drawn; the status status playing, the status or
//	the progress of a job has changed; the status change anything but the marker has changed fault
//	{"text"}: an error that the visitor did not cause
//
// A handler of these events must not call back before it has returned.
package main

import (
	"encoding/json"
	"fmt"
	"syscall/js"

	"paretoplay/scenes/session"
	"paretoplay/scenes/stage"
	"paretoplay/wasm/bridge"
)

func main() {
	visitor := bridge.NewSession()
	b := &page{session: visitor, started: make(chan struct{})}
	b.Bridge = bridge.Bridge{Session: visitor, After: b.after}
	b.game = stage.NewGame(visitor, stage.Listener{Updated: b.announce, Drawn: b.drawn, Failed: b.fault})
	visitor.OnEvent(b.heard)
	js.Global().Set("paretoplay", map[string]any{
		"start":      b.Entry(b.start),
		"call":       b.Call(),
		"work":       b.Work(),
		"exportFile": b.ExportFile(),
		"pointer":    b.Entry(b.pointer),
		"cursor":     b.Entry(b.cursor),
		"probe":      b.Entry(b.probe),
		"zoom":       b.Entry(b.zoom),
	})
	// The page sets theme and size before the first frame.
	<-b.started
	if err := b.game.Run(); err != nil {
		b.fault(err)
	}
}

// page connects the session with the document.
type page struct {
	bridge.Bridge
	session *session.Session
	game    *stage.Game
	started chan struct{}
	running bool
	drew    bool
	changed bool // a change event is due
	status  bool // a status event is due
}

// heard notes an event of the session, which may be in the middle of a change.
func (b *page) heard(kind string) {
	switch kind {
	case "change":
		b.changed = true
	case "status":
		b.status = true
	}
}

// announce sends the events that are due.
func (b *page) announce() {
	if b.status {
		b.status = false
		b.emitStatus("status")
	}
	if b.changed {
		b.changed = false
		emit("change", nil)
	}
}

func (b *page) drawn() {
	if !b.drew {
		b.drew = true
		emit("ready", nil)
	}
	b.emitStatus("frame")
}

func (b *page) emitStatus(kind string) {
	status, err := b.session.Call("status", nil)
	if err != nil {
		b.fault(err)
		return
	}
	emit(kind, status)
}

func (b *page) fault(err error) { emit("fault", map[string]string{"text": err.Error()}) }

func emit(kind string, detail any) {
	data, err := json.Marshal(detail)
	if err != nil {
		panic(fmt.Sprintf("wasm: event %s: %v", kind, err))
	}
	js.Global().Call("paretoplayEvent", kind, string(data))
}

// after tells the page what a call changed and asks for a frame.
func (b *page) after() {
	b.announce()
	if b.running {
		b.game.Wake()
	}
}

// start() begins to draw.
func (b *page) start([]js.Value) (any, error) {
	if !b.running {
		b.running = true
		close(b.started)
	}
	return nil, nil
}

// pointer(kind, x, y, touch) returns whether the event belongs to the canvas.
func (b *page) pointer(args []js.Value) (any, error) {
	return b.session.Pointer(session.PointerEvent{
		Kind: args[0].String(), X: args[1].Float(), Y: args[2].Float(), Touch: args[3].Bool(),
	})
}

// cursor() is the CSS name of the pointer's shape.
func (b *page) cursor([]js.Value) (any, error) { return b.session.Cursor(), nil }

// zoom(factor) draws panels that much larger than their pixels.
func (b *page) zoom(args []js.Value) (any, error) {
	b.game.Zoom(args[0].Float())
	return nil, nil
}

// probe() returns numbers for tests and measurements, as JSON.
func (b *page) probe([]js.Value) (any, error) {
	data, err := json.Marshal(b.game.Probe())
	return string(data), err
}

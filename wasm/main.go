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
	"runtime/debug"
	"syscall/js"
	"time"

	"paretoplay/scenes"
	"paretoplay/scenes/session"
	"paretoplay/scenes/stage"
)

// mostMemory is the memory limit, kept by collecting garbage sooner: the rows of long runs take a
// quarter of it, and memory once taken never returns to the browser.
const mostMemory = 256 << 20

// mostStretch is the work that nothing interrupts, in multiplications: some ten milliseconds.
const mostStretch = 4 << 20

func main() {
	debug.SetMemoryLimit(mostMemory)
	visitor, err := session.New(scenes.All, scenes.All[0].ID)
	if err != nil {
		panic(err)
	}
	visitor.SetStretch(mostStretch)
	b := &bridge{session: visitor, started: make(chan struct{})}
	b.game = stage.NewGame(visitor, stage.Listener{Updated: b.announce, Drawn: b.drawn, Failed: b.fault})
	visitor.OnEvent(b.heard)
	js.Global().Set("paretoplay", map[string]any{
		"start":      b.entry(b.start),
		"call":       js.FuncOf(b.call),
		"work":       b.entry(b.work),
		"exportFile": b.entry(b.exportFile),
		"pointer":    b.entry(b.pointer),
		"cursor":     b.entry(b.cursor),
		"probe":      b.entry(b.probe),
		"zoom":       b.entry(b.zoom),
	})
	// The page sets theme and size before the first frame.
	<-b.started
	if err := b.game.Run(); err != nil {
		b.fault(err)
	}
}

// bridge connects the session with the document.
type bridge struct {
	session *session.Session
	game    *stage.Game
	started chan struct{}
	running bool
	drew    bool
	changed bool // a change event is due
	status  bool // a status event is due
}

// heard notes an event of the session, which may be in the middle of a change.
func (b *bridge) heard(kind string) {
	switch kind {
	case "change":
		b.changed = true
	case "status":
		b.status = true
	}
}

// announce sends the events that are due.
func (b *bridge) announce() {
	if b.status {
		b.status = false
		b.emitStatus("status")
	}
	if b.changed {
		b.changed = false
		emit("change", nil)
	}
}

func (b *bridge) drawn() {
	if !b.drew {
		b.drew = true
		emit("ready", nil)
	}
	b.emitStatus("frame")
}

func (b *bridge) emitStatus(kind string) {
	status, err := b.session.Call("status", nil)
	if err != nil {
		b.fault(err)
		return
	}
	emit(kind, status)
}

func (b *bridge) fault(err error) { emit("fault", map[string]string{"text": err.Error()}) }

func emit(kind string, detail any) {
	data, err := json.Marshal(detail)
	if err != nil {
		panic(fmt.Sprintf("wasm: event %s: %v", kind, err))
	}
	js.Global().Call("paretoplayEvent", kind, string(data))
}

// entry makes a function for the document. It returns {error: text} for an error. A panic is a bug
// and becomes an error too, since the program must go on.
func (b *bridge) entry(f func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		out, err := b.guarded(func() (any, error) { return f(args) })
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return out
	})
}

// guarded runs f, tells the page what it changed and asks for a frame.
func (b *bridge) guarded(f func() (any, error)) (out any, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("this is a fault of the program: %v", r)
		}
	}()
	out, err = f()
	b.announce()
	if b.running {
		b.game.Wake()
	}
	return out, err
}

// start() begins to draw.
func (b *bridge) start([]js.Value) (any, error) {
	if !b.running {
		b.running = true
		close(b.started)
	}
	return nil, nil
}

// call(verb, argsJSON) returns {"result": ...} or {"error": text} as JSON.
func (b *bridge) call(_ js.Value, args []js.Value) any {
	out, err := b.guarded(func() (any, error) {
		result, err := b.session.Call(args[0].String(), []byte(args[1].String()))
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(map[string]any{"result": result})
		return string(data), err
	})
	if err != nil {
		data, err := json.Marshal(map[string]string{"error": err.Error()})
		if err != nil {
			panic(err)
		}
		return string(data)
	}
	return out
}

// Results of work when no call is under way: nothing is left at all, or nothing for which a call
// waits.
const (
	workDone         = -1
	workInBackground = -2
)

// work(ms) works for at most ms milliseconds: first on what a call left, then on the scene's
// computations beside its runs. While a call is under way it returns the progress from 0 to 1.
func (b *bridge) work(args []js.Value) (any, error) {
	deadline := time.Now().Add(time.Duration(args[0].Float() * float64(time.Millisecond)))
	more := func() bool { return time.Now().Before(deadline) }
	pending, err := b.session.Work(more)
	if err != nil {
		return nil, err
	}
	if pending {
		done, _ := b.session.Progress()
		return done, nil
	}
	if pending, err = b.session.Background(more); pending {
		return workInBackground, err
	}
	return workDone, err
}

// exportFile(kind, panel) returns {name, type, data}.
func (b *bridge) exportFile(args []js.Value) (any, error) {
	file, err := b.session.Export(args[0].String(), args[1].String())
	if err != nil {
		return nil, err
	}
	data := js.Global().Get("Uint8Array").New(len(file.Data))
	js.CopyBytesToJS(data, file.Data)
	return map[string]any{"name": file.Name, "type": file.Type, "data": data}, nil
}

// pointer(kind, x, y, touch) returns whether the event belongs to the canvas.
func (b *bridge) pointer(args []js.Value) (any, error) {
	return b.session.Pointer(session.PointerEvent{
		Kind: args[0].String(), X: args[1].Float(), Y: args[2].Float(), Touch: args[3].Bool(),
	})
}

// cursor() is the CSS name of the pointer's shape.
func (b *bridge) cursor([]js.Value) (any, error) { return b.session.Cursor(), nil }

// zoom(factor) draws panels that much larger than their pixels.
func (b *bridge) zoom(args []js.Value) (any, error) {
	b.game.Zoom(args[0].Float())
	return nil, nil
}

// probe() returns numbers for tests and measurements, as JSON.
func (b *bridge) probe([]js.Value) (any, error) {
	data, err := json.Marshal(b.game.Probe())
	return string(data), err
}

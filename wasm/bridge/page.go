//go:build js && wasm

package bridge

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"syscall/js"

	"paretoplay/internal/engine/loop"
	"paretoplay/internal/engine/pointer"
)

// Game shows a session in the document.
type Game interface {
	// Run shows the session. It returns only when it fails.
	Run() error
	// Wake requests a frame if the session has changed since the last one.
	Wake()
	// Zoom enlarges panels by the given factor.
	Zoom(factor float64)
	Probe() loop.Probe
}

// page connects the session to the document.
type page struct {
	Bridge
	game    Game
	started chan struct{}
	running bool
	drew    bool
	changed bool // a change event is due
	status  bool // a status event is due
}

// RunPage runs the session in the document of stage.html and shows it with the Game that newGame returns. It sets the global object
// paretoplay, with the functions below, and calls the global function paretoplayEvent(kind, json) with these events:
//
//	ready   the first frame is drawn
//	frame   a frame is drawn; json is the status
//	status  playing, the status or the progress of a job has changed; json is the status
//	change  anything but the marker has changed
//	fault   an error that the visitor did not cause; json is {"text"}
//
// A handler of these events must not call back before it has returned.
func RunPage(newGame func(loop.Model, loop.Listener) Game) {
	visitor := NewSession()
	p := &page{started: make(chan struct{})}
	p.Bridge = Bridge{Session: visitor, After: p.after}
	p.game = newGame(visitor, loop.Listener{Updated: p.announce, Drawn: p.drawn, Failed: p.fault})
	visitor.OnEvent(p.heard)
	functions := p.Functions()
	functions["start"] = p.entry(p.start)
	functions["pointer"] = p.entry(p.pointer)
	functions["cursor"] = p.entry(p.cursor)
	functions["probe"] = p.entry(p.probe)
	functions["zoom"] = p.entry(p.zoom)
	functions["held"] = p.entry(p.held)
	js.Global().Set("paretoplay", functions)
	// The page sets the theme and the size before the first frame.
	<-p.started
	if err := p.game.Run(); err != nil {
		p.fault(err)
	}
}

// heard records an event of the session for later, because the event may occur in the middle of a change.
func (p *page) heard(kind string) {
	switch kind {
	case "change":
		p.changed = true
	case "status":
		p.status = true
	}
}

// announce sends the pending events.
func (p *page) announce() {
	if p.status {
		p.status = false
		p.emitStatus("status")
	}
	if p.changed {
		p.changed = false
		emit("change", nil)
	}
}

func (p *page) drawn() {
	if !p.drew {
		p.drew = true
		debug.SetGCPercent(100) // stage.js starts the program with a higher percentage
		emit("ready", nil)
	}
	p.emitStatus("frame")
}

func (p *page) emitStatus(kind string) {
	status, err := p.Session.Call("status", nil)
	if err != nil {
		p.fault(err)
		return
	}
	emit(kind, status)
}

func (p *page) fault(err error) { emit("fault", map[string]string{"text": err.Error()}) }

func emit(kind string, detail any) {
	data, err := json.Marshal(detail)
	if err != nil {
		panic(fmt.Sprintf("wasm: event %s: %v", kind, err))
	}
	js.Global().Call("paretoplayEvent", kind, string(data))
}

// after sends the events of a call and requests a frame.
func (p *page) after() {
	p.announce()
	if p.running {
		p.game.Wake()
	}
}

// start() lets RunPage draw the first frame, after the page has set the theme and the size.
func (p *page) start([]js.Value) (any, error) {
	if !p.running {
		p.running = true
		close(p.started)
	}
	return nil, nil
}

// pointer(kind, x, y, touch) returns true if the canvas handles the event.
func (p *page) pointer(args []js.Value) (any, error) {
	return p.Session.Pointer(pointer.Event{
		Kind: args[0].String(), X: args[1].Float(), Y: args[2].Float(), Touch: args[3].Bool(),
	}, within(maxWait))
}

// cursor() returns the CSS name of the pointer's shape.
func (p *page) cursor([]js.Value) (any, error) { return p.Session.Cursor(), nil }

// zoom(factor) enlarges panels by the given factor.
func (p *page) zoom(args []js.Value) (any, error) {
	p.game.Zoom(args[0].Float())
	return nil, nil
}

// held() collects garbage and returns the number of bytes still in use. It is for tests.
func (p *page) held([]js.Value) (any, error) {
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return float64(now.HeapAlloc), nil
}

// probe() returns numbers for tests and measurements, as JSON.
func (p *page) probe([]js.Value) (any, error) {
	data, err := json.Marshal(p.game.Probe())
	return string(data), err
}

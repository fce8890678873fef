//go:build js && wasm

// Package bridge makes functions of a session for JavaScript. The page's programs share it.
package bridge

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"syscall/js"
	"time"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/files"
	"paretoplay/internal/engine/session"
	"paretoplay/scenes"
)

const (
	// maxMemory is the memory limit, kept by collecting garbage sooner: the rows of long runs take a
	// quarter of it, and memory once taken never returns to the browser.
	maxMemory = 256 << 20
	// maxStretch is the work that nothing interrupts, in multiplications: some ten milliseconds.
	maxStretch = 4 << 20
	// maxWait is how long a verb goes on before it may rest: usual settings take less.
	maxWait = 16 * time.Millisecond
)

// LimitMemory begins a program in the browser.
func LimitMemory() { debug.SetMemoryLimit(maxMemory) }

// NewSession limits the memory, and opens the first scene.
func NewSession() *session.Session {
	LimitMemory()
	visitor, err := session.New(scenes.All, scenes.All[0].ID)
	if err != nil {
		panic(err)
	}
	visitor.SetStretch(maxStretch)
	return visitor
}

// Bridge connects a session with a document or a worker.
type Bridge struct {
	Session *session.Session
	After   func() // runs after every call

	begun *session.Begun // what begin or beginFile began last
	clip  *files.Clip    // that is being drawn, nil for none
}

// Functions are call, begin, beginFile, outcome, work and drawClip for the document or worker.
func (b *Bridge) Functions() map[string]any {
	return map[string]any{"call": b.answering(b.call), "begin": b.answering(b.begin), "beginFile": b.answering(b.beginFile),
		"outcome": b.answering(b.outcome), "work": b.entry(b.work), "drawClip": b.answering(b.drawClip)}
}

// entry makes a function for the document. It returns {error: text} for an error. A panic is a bug
// and becomes an error too, since the program must go on.
func (b *Bridge) entry(f func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		out, err := b.guarded(func() (any, error) { return f(args) })
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return out
	})
}

// guarded runs f, then After.
func (b *Bridge) guarded(f func() (any, error)) (out any, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("this is a fault of the program: %v", r)
		}
	}()
	out, err = f()
	b.After()
	return out, err
}

// answering makes a function for the document that returns f's answer, or {"error": text}, as JSON.
func (b *Bridge) answering(f func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		var data []byte
		_, err := b.guarded(func() (any, error) {
			answer, err := f(args)
			if err == nil {
				data, err = json.Marshal(answer)
			}
			return nil, err
		})
		if err != nil {
			if data, err = json.Marshal(map[string]string{"error": err.Error()}); err != nil {
				panic(err)
			}
		}
		return string(data)
	})
}

// call(verb, argsJSON) returns {"result": ...}.
func (b *Bridge) call(args []js.Value) (any, error) {
	result, err := b.Session.Call(args[0].String(), []byte(args[1].String()))
	return map[string]any{"result": result}, err
}

// begin(verb, argsJSON) is call, but returns {"rests": true} where the verb takes long: work goes on with it, and outcome tells
// the rest.
func (b *Bridge) begin(args []js.Value) (any, error) {
	b.begun = b.Session.Begin(args[0].String(), []byte(args[1].String()), within(maxWait))
	return b.outcome(nil)
}

// outcome() returns the same of what begin or beginFile began last.
func (b *Bridge) outcome([]js.Value) (any, error) {
	result, ended, err := b.begun.Outcome()
	if !ended {
		return map[string]bool{"rests": true}, nil
	}
	return map[string]any{"result": result}, err
}

// within returns a more() that holds for so long.
func within(d time.Duration) func() bool {
	deadline := time.Now().Add(d)
	return func() bool { return time.Now().Before(deadline) }
}

// Results of work when no call is under way: nothing is left at all, or nothing for which a call
// waits.
const (
	workDone         = -1
	workInBackground = -2
)

// work(ms) works for at most ms milliseconds: first on what a call left, then on the scene's
// computations beside its runs. While a call is under way it returns the progress from 0 to 1.
func (b *Bridge) work(args []js.Value) (any, error) {
	more := within(time.Duration(args[0].Float() * float64(time.Millisecond)))
	pending, err := b.Session.Work(more)
	if err != nil {
		return nil, err
	}
	if pending {
		done, _ := b.Session.Progress()
		return done, nil
	}
	if pending, _ = b.Session.Background(more); pending { // a panel shows its error
		return workInBackground, nil
	}
	return workDone, nil
}

// beginFile(kind, panel, page, width, method, take) hands a file to take(bytes), piece by piece. It returns {"result": {name, type}}
// or {"rests": true}, as begin does; page is the address that a picture's link begins with, width is a picture's on paper, "" for
// the screen.
func (b *Bridge) beginFile(args []js.Value) (any, error) {
	b.Session.SetPage(args[2].String())
	how := files.Taking{Panel: args[1].String(), Method: args[4].String(), Piece: giver(args[5])}
	if width := args[3].String(); width != "" {
		var err error
		if how.Width, err = axes.ParsePrintWidth(width); err != nil {
			return nil, err
		}
	}
	b.begun = b.Session.BeginTake(args[0].String(), how, within(maxWait))
	return b.outcome(nil)
}

// giver returns a function that hands bytes to a function for JavaScript.
func giver(take js.Value) func([]byte) {
	return func(piece []byte) {
		data := js.Global().Get("Uint8Array").New(len(piece))
		js.CopyBytesToJS(data, piece)
		take.Invoke(data)
	}
}

// drawClip(panel, take) draws the next picture of a clip of the panel and returns {"result": share} with the share that is done,
// below 1; with the last one it hands the file to take(bytes) and returns {"result": {name, type}}.
func (b *Bridge) drawClip(args []js.Value) (out any, err error) {
	if b.clip == nil {
		if b.clip, err = b.Session.Files().NewClip(args[0].String()); err != nil {
			return nil, err
		}
	}
	drawn := b.clip
	done, err := drawn.Step()
	if err == nil && done < 1 {
		return map[string]any{"result": done}, nil
	}
	b.clip = nil
	if err != nil {
		return nil, err
	}
	file, err := drawn.File()
	if err != nil {
		return nil, err
	}
	giver(args[1])(file.Data)
	return map[string]any{"result": file}, nil
}

//go:build js && wasm

// Package bridge exposes a session's functions to JavaScript. The page's programs share it.
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
	// maxMemory is the memory limit. The browser never gets memory back, so the garbage collector runs more often to stay
	// below the limit. The rows of long runs take a quarter of the limit.
	maxMemory = 256 << 20
	// maxStretch is the maximum work without interruption, in multiplications. That much work takes about ten
	// milliseconds.
	maxStretch = 4 << 20
	// maxWait is how long a verb runs before it may pause. With common settings, verbs take less time.
	maxWait = 16 * time.Millisecond
)

// LimitMemory sets the memory limit for a program in the browser.
func LimitMemory() { debug.SetMemoryLimit(maxMemory) }

// NewSession sets the memory limit and opens the first scene.
func NewSession() *session.Session {
	LimitMemory()
	visitor, err := session.New(scenes.All, scenes.All[0].ID)
	if err != nil {
		panic(err)
	}
	visitor.SetStretch(maxStretch)
	return visitor
}

// Bridge connects a session to a document or worker.
type Bridge struct {
	Session *session.Session
	After   func() // called after every call

	begun *session.Begun // started by the last call of begin or beginFile
	clip  *files.Clip    // the clip being drawn; nil if there is none
}

// Functions returns call, begin, beginFile, outcome, work and drawClip for the document or worker.
func (b *Bridge) Functions() map[string]any {
	return map[string]any{"call": b.answering(b.call), "begin": b.answering(b.begin), "beginFile": b.answering(b.beginFile),
		"outcome": b.answering(b.outcome), "work": b.entry(b.work), "drawClip": b.answering(b.drawClip)}
}

// entry wraps f as a JavaScript function that returns {error: text} for an error. A panic is a bug, but the program
// must continue, so the function returns an error for a panic too.
func (b *Bridge) entry(f func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		out, err := b.guarded(func() (any, error) { return f(args) })
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return out
	})
}

// guarded runs f, then After. It turns a panic into an error.
func (b *Bridge) guarded(f func() (any, error)) (out any, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("the program has a bug: %v", r)
		}
	}()
	out, err = f()
	b.After()
	return out, err
}

// answering wraps f as a JavaScript function that returns f's result as JSON, or {"error": text}.
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

// begin(verb, argsJSON) works like call, but returns {"rests": true} if the verb takes a long time. Then work continues
// the verb, and outcome returns its result.
func (b *Bridge) begin(args []js.Value) (any, error) {
	b.begun = b.Session.Begin(args[0].String(), []byte(args[1].String()), within(maxWait))
	return b.outcome(nil)
}

// outcome() returns the result of the last begin or beginFile, or {"rests": true} if it has not finished.
func (b *Bridge) outcome([]js.Value) (any, error) {
	result, ended, err := b.begun.Outcome()
	if !ended {
		return map[string]bool{"rests": true}, nil
	}
	return map[string]any{"result": result}, err
}

// within returns a function that returns true until the duration d has passed.
func within(d time.Duration) func() bool {
	deadline := time.Now().Add(d)
	return func() bool { return time.Now().Before(deadline) }
}

// These are the results of work when no call is in progress: either no work is left, or only work that no call waits
// for.
const (
	workDone         = -1
	workInBackground = -2
)

// work(ms) works for at most ms milliseconds, first on an unfinished call, then on the scene's background computations.
// While a call is in progress, it returns the call's progress from 0 to 1.
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
	if pending, _ = b.Session.Background(more); pending { // a panel shows background errors
		return workInBackground, nil
	}
	return workDone, nil
}

// beginFile(kind, panel, page, width, method, take) creates a file and passes it to take(bytes), piece by piece. Like
// begin, it returns {"result": {name, type}} or {"rests": true}. page is the address at the start of the link in a
// picture. width is the printed width of a picture, or "" for the screen.
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

// giver returns a function that passes bytes to a JavaScript function.
func giver(take js.Value) func([]byte) {
	return func(piece []byte) {
		data := js.Global().Get("Uint8Array").New(len(piece))
		js.CopyBytesToJS(data, piece)
		take.Invoke(data)
	}
}

// drawClip(panel, take) draws the next picture of a panel's clip and returns {"result": share}, where share is the
// completed part, below 1. After the last picture, it passes the file to take(bytes) and returns {"result": {name,
// type}}.
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

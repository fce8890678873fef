package chrome

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Action is an operation that Tab.Do performs in a tab.
type Action func(ctx context.Context) error

// action turns a chromedp action into an Action.
func action(a chromedp.Action[chromedp.Void]) Action {
	return func(ctx context.Context) error { return chromedp.Do(ctx, a) }
}

// command turns a command of Chromium's protocol into an Action that ignores the command's result.
func command[P, R any](c cdp.Command[P, R], params P) Action {
	return func(ctx context.Context) error {
		_, err := chromedp.Call(ctx, c, params)
		return err
	}
}

// into wraps a chromedp action that takes a picture. The resulting Action stores the picture in out.
func into(out *[]byte, a chromedp.Action[[]byte]) Action {
	return func(ctx context.Context) (err error) {
		*out, err = chromedp.Run(ctx, a)
		return err
	}
}

// Navigate goes to an address and waits until its document is loaded.
func Navigate(address string) Action { return action(chromedp.Navigate(address)) }

// Reload loads the document again and waits for it.
func Reload() Action { return action(chromedp.Reload()) }

// Back goes back one step in the tab's history.
func Back() Action { return action(chromedp.NavigateBack()) }

// Start evaluates an expression without waiting for its promise.
func Start(expression string) Action { return action(chromedp.Evaluate[chromedp.Void](expression)) }

// Evaluate evaluates an expression and waits for its promise. It decodes the value from JSON into out, unless out is
// nil.
func (t *Tab) Evaluate(expression string, out any) error { return t.evaluate(expression, out, nil) }

// EvaluateIn is like Evaluate, but runs in the world of one of the tab's documents.
func (t *Tab) EvaluateIn(world World, expression string, out any) error {
	return t.evaluate(expression, out, &world)
}

func (t *Tab) evaluate(expression string, out any, world *World) error {
	in := func(p *runtime.EvaluateParams) {
		if world != nil {
			p.ContextID = runtime.ExecutionContextID(world.ID)
		}
	}
	value, err := chromedp.Run(t.ctx, chromedp.Evaluate[[]byte](expression, chromedp.EvalAwaitPromise, in))
	if err != nil || out == nil {
		return err
	}
	if len(value) == 0 { // undefined
		switch reflect.TypeOf(out).Elem().Kind() {
		case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
			value = []byte("null")
		default:
			return errors.New("the value is undefined")
		}
	}
	return json.Unmarshal(value, out)
}

// Left reports whether an evaluation failed because the tab navigated to another document.
func Left(err error) bool {
	return err != nil && strings.Contains(err.Error(), "navigated or closed") // the protocol has one error code for many errors
}

// ScriptFirst runs a script in every document before the document's own scripts.
func ScriptFirst(script string) Action {
	return command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}

// Scripts sets whether the tab's pages may run scripts.
func Scripts(allowed bool) Action {
	return command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !allowed})
}

// BypassPolicy makes the tab accept what its pages' Content-Security-Policy forbids.
func BypassPolicy() Action {
	return command(page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true})
}

// BypassServiceWorker sets whether requests bypass the service workers.
func BypassServiceWorker(bypass bool) Action {
	return command(network.SetBypassServiceWorker, network.SetBypassServiceWorkerParams{Bypass: bypass})
}

// Screen is the size of a window.
type Screen struct {
	Width, Height int64   // in CSS pixels
	Dots          float64 // per CSS pixel; 0 means 1
	Touch         bool    // a phone with touch input
}

// Resize changes the size of the window.
func Resize(s Screen) Action {
	options := []chromedp.EmulateViewportOption{chromedp.EmulateScale(max(1, s.Dots))}
	if s.Touch {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	return action(chromedp.EmulateViewport(s.Width, s.Height, options...))
}

// HideScrollbars stops the tab from drawing scroll bars.
func HideScrollbars() Action {
	return command(emulation.SetScrollbarsHidden, emulation.SetScrollbarsHiddenParams{Hidden: true})
}

// Feature is a preference that style sheets query, such as prefers-color-scheme.
type Feature struct{ Name, Value string }

// Prefer sets the given preferences of a visitor, and resets all others.
func Prefer(features ...Feature) Action {
	var params emulation.SetEmulatedMediaParams
	for _, f := range features {
		params.Features = append(params.Features, &emulation.MediaFeature{Name: f.Name, Value: f.Value})
	}
	return command(emulation.SetEmulatedMedia, params)
}

// Printed shows the page as it would be printed.
func Printed() Action {
	return command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
}

// PDF prints the page on paper of the given size in inches.
func PDF(width, height float64, out *[]byte) Action {
	return into(out, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperSize{Width: width, Height: height})))
}

// Picture takes a PNG of the window.
func Picture(out *[]byte) Action { return into(out, chromedp.CaptureScreenshot()) }

// PictureOf waits until the first element that matches a selector is visible, and takes a PNG of it.
func PictureOf(selector string, out *[]byte) Action {
	return into(out, chromedp.Screenshot(chromedp.CSS(selector)))
}

// PictureOfAll takes a PNG of the whole page, with the given width in CSS pixels.
func PictureOfAll(width int64, out *[]byte) Action {
	return func(ctx context.Context) error {
		box, err := chromedp.Call(ctx, page.GetLayoutMetrics, cdp.Empty{})
		if err != nil {
			return err
		}
		all := &page.Viewport{Width: float64(width), Height: box.CSSContentSize.Height, Scale: 1}
		picture, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: new(true), Clip: all})
		*out = picture.Data
		return err
	}
}

// Visible waits until an element is visible.
func Visible(selector string) Action { return action(chromedp.WaitVisible(chromedp.CSS(selector))) }

// Files sets the files of a file input. The files are given by their full paths.
func Files(selector string, files ...string) Action {
	return action(chromedp.SetUploadFiles(chromedp.CSS(selector), files))
}

// Drop drags files and folders, given by their full paths, to a point and drops them there.
func Drop(x, y float64, paths ...string) Action {
	return func(ctx context.Context) error {
		data := &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1}
		for _, kind := range []input.DispatchDragEventType{"dragEnter", "dragOver", "drop"} {
			if err := command(input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: x, Y: y, Data: data})(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}

// These keys have no character. Pass them to the function Keys.
const (
	ArrowDown  = kb.ArrowDown
	ArrowLeft  = kb.ArrowLeft
	ArrowRight = kb.ArrowRight
	ArrowUp    = kb.ArrowUp
	End        = kb.End
	Enter      = kb.Enter
	Escape     = kb.Escape
	Home       = kb.Home
	PageDown   = kb.PageDown
	PageUp     = kb.PageUp
	TabKey     = kb.Tab
)

// Modifier is a key that is held while others are pressed.
type Modifier = chromedp.Modifier

// Ctrl and Shift are the modifiers that tests hold.
const (
	Ctrl  = chromedp.ModifierCtrl
	Shift = chromedp.ModifierShift
)

// Keys presses the keys of a text one after another.
func Keys(text string, modifiers ...Modifier) Action {
	return action(chromedp.KeyEvent(text, chromedp.KeyModifiers(modifiers...)))
}

// Movement is an action of the mouse or the fingers.
type Movement int

// These are the movements: the mouse button or the fingers go down, move, or go up.
const (
	Press Movement = iota
	Move
	Release
)

// Mouse presses or releases the left button at a point of the window, given in CSS pixels. Move leads the mouse to the
// point while the button is held.
func Mouse(m Movement, x, y float64) Action {
	buttons := int64(1)
	if m == Release {
		buttons = 0
	}
	kind := map[Movement]input.DispatchMouseEventType{
		Press: chromedp.MousePressed, Move: chromedp.MouseMoved, Release: chromedp.MouseReleased,
	}[m]
	return command(input.DispatchMouseEvent, input.DispatchMouseEventParams{
		Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, Buttons: buttons, ClickCount: 1,
	})
}

// Click presses and releases the left button at a point of the window.
func Click(x, y float64) Action { return action(chromedp.MouseClickXY(x, y)) }

// Hover moves the mouse to a point of the window without pressing a button.
func Hover(x, y float64) Action { return action(chromedp.MouseEvent(chromedp.MouseMoved, x, y)) }

// Wheel turns the wheel at a point of the window, downwards by the given number of CSS pixels.
func Wheel(x, y, down float64) Action {
	// Chromium requires deltaX even if it is 0, but chromedp omits zeros.
	type turn struct {
		Type   input.DispatchMouseEventType `json:"type"`
		X      float64                      `json:"x"`
		Y      float64                      `json:"y"`
		DeltaX float64                      `json:"deltaX"`
		DeltaY float64                      `json:"deltaY"`
	}
	return command(cdp.Command[turn, cdp.Empty]{Method: input.CommandDispatchMouseEvent},
		turn{Type: chromedp.MouseWheel, X: x, Y: y, DeltaY: down})
}

// Fingers puts fingers on the screen at the given places, or moves or lifts them.
func Fingers(m Movement, places ...[2]float64) Action {
	points := make([]*input.TouchPoint, len(places))
	for i, at := range places {
		points[i] = &input.TouchPoint{X: at[0], Y: at[1]}
	}
	kind := map[Movement]input.DispatchTouchEventType{
		Press: input.DispatchTouchEventTypeTouchStart, Move: input.DispatchTouchEventTypeTouchMove, Release: input.DispatchTouchEventTypeTouchEnd,
	}[m]
	return command(input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
}

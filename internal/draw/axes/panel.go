// Package axes says what a panel is, and draws planes: panels on two axes, with a heading, a legend, names and
// handles. It arranges panels beside each other, and writes them as files.
//
// One unit of vg.Length is one CSS pixel throughout: a canvas of 72 dots per
// inch has one dot a pixel, a screen with device pixel ratio 2 has 144. The
// origin of a panel is its bottom left corner, as in vg.
package axes

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/brush"
)

// Layer is one sheet of a panel's picture; later layers lie above earlier ones.
type Layer struct {
	// Key names the picture: a layer with the same key in the same frame looks
	// the same, so that a back-end may keep it as an image. "" is drawn anew
	// every time.
	Key string
	// Draw draws the layer on a canvas that covers the panel.
	Draw func(c draw.Canvas)
}

// Panel is one picture. Its methods read the scene and change nothing but
// caches; they are called from one goroutine.
type Panel interface {
	// ID names the panel in links, exports and tests: lower case, no spaces.
	ID() string
	// Title is the heading drawn above the picture and shown on its tab.
	Title() string
	// Describe says in a sentence or two what the picture shows at the marker,
	// for those who do not see it.
	Describe() string
	// Layers returns the sheets from bottom to top.
	Layers(f brush.Frame) []Layer
	// Handles returns what can be dragged, in the order of the keyboard.
	Handles(f brush.Frame) []Handle
	// Pick returns what lies under a point; ok is false when nothing does.
	Pick(f brush.Frame, at vg.Point) (p Pick, ok bool)
	// World turns a point of the panel into the coordinates that Drag of the
	// scene takes for the handle. It is defined outside the axes too.
	World(f brush.Frame, handle string, at vg.Point) (x, y float64)
}

// Handle is one thing that can be dragged, or moved by the arrow keys.
type Handle struct {
	ID    string   `json:"id"`    // unique within the scene
	Label string   `json:"label"` // "start of run 3"
	Value string   `json:"value"` // "x1 = 0.50, x2 = -0.25"
	At    vg.Point `json:"-"`
	X     float64  `json:"-"` // the position in world coordinates
	Y     float64  `json:"-"`
	StepX float64  `json:"-"` // what one press of an arrow key adds, world units
	StepY float64  `json:"-"`
	// Relative handles are turned rather than moved: a drag, wherever it begins, adds the
	// change of World to X and Y.
	Relative bool `json:"-"`
}

// Pick describes the thing under the pointer.
type Pick struct {
	Handle string // the handle under the pointer, "" when there is none
	Run    string // the run it belongs to, "" when there is none
	K      int    // the iteration nearest to the pointer, -1 when there is none
	At     vg.Point
	Lines  []string // exact values, for the tooltip
	// Turns says that the handle, which need not be among the panel's Handles, is turned rather
	// than moved: a drag adds the change of World to TurnX and TurnY.
	Turns        bool
	TurnX, TurnY float64
	// Values are parameters that a click sets, by name; nil for none.
	Values map[string]string
	// Thing is what is under the pointer where that is no run, such as a Cell: the scene's panels agree on
	// its type; nil for nothing.
	Thing any
}

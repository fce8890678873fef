// Package axes defines panels, and draws planes: panels with two axes, a heading, a legend, names and handles. It
// arranges panels beside each other, and writes them as files.
//
// One unit of vg.Length is one CSS pixel throughout: a canvas of 72 dots per inch has one dot per pixel, a screen with
// device pixel ratio 2 has 144 dots per inch. The origin of a panel is its bottom left corner, as in vg.
package axes

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/brush"
)

// Layer is one sheet of a panel's picture; later layers are above earlier ones.
type Layer struct {
	// Key identifies the picture: layers with the same key in the same frame look the same, so that a back-end may
	// cache them as images. A layer with key "" is drawn again every time.
	Key string
	// Draw draws the layer on a canvas that covers the panel.
	Draw func(c draw.Canvas)
}

// Panel is one picture. Its methods read the scene and change nothing but caches. They are called from one goroutine.
type Panel interface {
	// ID names the panel in links, exports and tests: lower case, no spaces.
	ID() string
	// Title returns the heading that is drawn above the picture and shown on its tab.
	Title() string
	// Describe says in a sentence or two what the picture shows at the marker, for visitors who do not see it.
	Describe() string
	// Layers returns the sheets from bottom to top.
	Layers(f brush.Frame) []Layer
	// Handles returns everything that can be dragged, in the order of the keyboard.
	Handles(f brush.Frame) []Handle
	// Pick returns what is under a point; ok is false if nothing is.
	Pick(f brush.Frame, at vg.Point) (p Pick, ok bool)
	// World converts a point of the panel to the coordinates for the scene's Drag of the handle. It is defined
	// outside the axes too.
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
	StepX float64  `json:"-"` // added by one press of an arrow key, in world units
	StepY float64  `json:"-"`
	// Relative handles are turned instead of moved: a drag, which may begin anywhere, adds the change of World to X and
	// Y.
	Relative bool `json:"-"`
}

// Pick describes the thing under the pointer.
type Pick struct {
	Handle string // the handle under the pointer, "" if there is none
	Run    string // the run that it belongs to, "" if there is none
	K      int    // the iteration nearest to the pointer, −1 if there is none
	At     vg.Point
	Lines  []string // exact values, for the tooltip
	// Turns means that the handle is turned instead of moved: a drag adds the change of World to TurnX and TurnY. The
	// handle need not be among the panel's Handles.
	Turns        bool
	TurnX, TurnY float64
	// Values are the parameters that a click sets, by name; may be nil.
	Values map[string]string
	// Thing is the thing under the pointer if it is not a run, such as a Cell; may be nil. The scene's panels agree on
	// its type.
	Thing any
}

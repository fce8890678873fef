// Package axes defines panels and draws planes, which are panels with two axes, a heading, a legend, names and handles.
// It arranges panels beside each other, and writes them as files.
//
// One unit of vg.Length is one CSS pixel throughout. A canvas with 72 dots per inch has one dot per pixel, and a screen
// with device pixel ratio 2 has 144 dots per inch. The origin of a panel is its bottom left corner, as in vg.
package axes

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/brush"
)

// Layer is one layer of a panel's picture. Later layers are above earlier ones.
type Layer struct {
	// Key identifies the picture. Layers with the same key in the same frame look the same, so a back-end may cache them
	// as images. A layer with key "" is redrawn every time.
	Key string
	// Draw draws the layer on a canvas that covers the panel.
	Draw func(c draw.Canvas)
}

// Panel is one picture of a scene. Its methods read the scene and change only caches. They must be called from one
// goroutine.
type Panel interface {
	// ID returns the panel's name in links, exports and tests, in lower case and without spaces.
	ID() string
	// Title returns the heading above the picture and on its tab.
	Title() string
	// Describe returns one or two sentences about the picture at the time marker, for visitors who cannot see the
	// picture.
	Describe() string
	// Layers returns the layers from bottom to top.
	Layers(f brush.Frame) []Layer
	// Handles returns the handles in the order of keyboard navigation.
	Handles(f brush.Frame) []Handle
	// Pick returns the item under a point. ok is false if no item is there.
	Pick(f brush.Frame, at vg.Point) (p Pick, ok bool)
	// World converts a point of the panel to the world coordinates that the scene's Drag expects for the handle. The point
	// may be outside the axes.
	World(f brush.Frame, handle string, at vg.Point) (x, y float64)
}

// Handle is an item that visitors can drag, or move with the arrow keys.
type Handle struct {
	ID    string   `json:"id"`    // unique ID within the scene
	Label string   `json:"label"` // such as "start of run 3"
	Value string   `json:"value"` // such as "x1 = 0.50, x2 = -0.25"
	At    vg.Point `json:"-"`
	X     float64  `json:"-"` // position in world coordinates
	Y     float64  `json:"-"`
	StepX float64  `json:"-"` // change by one press of an arrow key, in world units
	StepY float64  `json:"-"`
	// Relative is true if a drag turns the handle instead of moving it. The drag may start anywhere. It adds the change in
	// World's coordinates to X and Y.
	Relative bool `json:"-"`
}

// Pick describes the item under the pointer.
type Pick struct {
	Handle string // handle under the pointer, or ""
	Run    string // run that the item belongs to, or ""
	K      int    // iteration nearest to the pointer, or −1
	At     vg.Point
	Lines  []string // exact values, for the tooltip
	// Turns is true if a drag turns the handle instead of moving it. The drag adds the change in World's coordinates to
	// TurnX and TurnY. The handle need not be among the panel's Handles.
	Turns        bool
	TurnX, TurnY float64
	// Values maps the names of the parameters that a click sets to their values. It may be nil.
	Values map[string]string
	// Thing is the item under the pointer if it is not a run, such as a Cell. All panels of a scene use the same type
	// of Thing. It may be nil.
	Thing any
}

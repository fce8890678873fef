package axes

import (
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
)

// Figure is a picture for a file. It is on white paper unless its theme is dark, without handles and without the time
// marker.
type Figure struct {
	Width, Height vg.Length // of all panels together, in CSS pixels
	Theme         *brush.Theme
	Placed        []Placed
	// Legend returns entries that are written below the panels and increase the picture's height. Entries in a panel's
	// own legend are omitted. It may be nil.
	Legend func(t *brush.Theme) []Entry
	About  About
	// Point is the length of a CSS pixel in the printed figure, in points. If it is 0, a CSS pixel is two dots in PNG,
	// a pixel in SVG, and a point in PDF.
	Point float64
}

// About describes the origin of a picture. Files contain all parts that are not empty.
type About struct {
	Title    string // what is shown
	Settings string // all settings that differ from the defaults
	Link     string // link that opens the scene again
}

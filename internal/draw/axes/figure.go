package axes

import (
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
)

// Figure is a picture for a file. It has no handles and no time marker. Its paper is white unless its theme is dark.
type Figure struct {
	Width, Height vg.Length // size of all panels together, in CSS pixels
	Theme         *brush.Theme
	Placed        []Placed
	// Legend returns entries for a legend below the panels, which increases the picture's height. The figure omits entries
	// that a panel's own legend contains. Legend may be nil.
	Legend func(t *brush.Theme) []Entry
	About  About
	// Point is the length of a CSS pixel in the printed figure, in points. If it is 0, a CSS pixel is two dots in PNG,
	// a pixel in SVG, and a point in PDF.
	Point float64
}

// About describes the origin of a picture. Files contain all parts that are not empty.
type About struct {
	Title    string // contents of the picture
	Settings string // settings that differ from the defaults
	Link     string // link that opens the scene again
}

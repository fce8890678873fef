package axes

import (
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
)

// Figure is a picture to take away, as a file. It is drawn for reading: on white unless its theme is
// dark, without handles and without the time marker.
type Figure struct {
	Width, Height vg.Length // of the panels together, in CSS pixels
	Theme         *brush.Theme
	Placed        []Placed
	// Legend returns entries that stand below the panels and make the picture higher, except those that
	// a panel's own legend has; nil for none.
	Legend func(t *brush.Theme) []Entry
	About  About
	// Point is the length of a CSS pixel in the printed figure, in points. 0 leaves pixels in PNG,
	// two dots each, and in SVG, and makes points of them in PDF.
	Point float64
}

// About says where a picture comes from. All of it stands in the file; empty parts are left out.
type About struct {
	Title    string // what is shown
	Settings string // all that differs from the defaults
	Link     string // opens it again
}

package panel

import (
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// bolder is a canvas for thumbnails: there is no text on it, and lines that tell something are
// drawn thicker.
type bolder struct{ vg.Canvas }

const (
	thicker   = 2   // lines of a thumbnail, in those of a panel
	faintLine = 1   // pixels: grids and contours, which stay as they are
	wideLine  = 4.5 // pixels: from here on it is an area that happens to be drawn as a line
	wider     = 1.3 // and such lines, in those of a panel

	largeSign = 1.4 // radius of the signs of runs, and length of arrow heads
	smallSign = 4   // pixels: below that a sign is one of many points
)

func (c bolder) SetLineWidth(w vg.Length) {
	switch {
	case w <= faintLine:
	case w < wideLine:
		w *= thicker
	default:
		w *= wider
	}
	c.Canvas.SetLineWidth(w)
}

func (c bolder) SetLineDash(pattern []vg.Length, offset vg.Length) {
	if len(pattern) > 0 {
		longer := make([]vg.Length, len(pattern))
		for i, d := range pattern {
			longer[i] = thicker * d
		}
		pattern, offset = longer, thicker*offset
	}
	c.Canvas.SetLineDash(pattern, offset)
}

func (c bolder) FillString(font.Face, vg.Point, string) {}

// silent reports whether there is no text on a canvas, nor signs that stand for letters.
func silent(c vg.Canvas) bool {
	_, is := c.(bolder)
	return is
}

// sign is the radius of a marker in the detail that is drawn.
func (d Detail) sign(radius vg.Length) vg.Length {
	if d == Thumbnail && radius >= smallSign {
		return largeSign * radius
	}
	return radius
}

// quiet leaves out of an axis of a Mini what is said elsewhere: by the heading, or by the time
// line beneath all panels.
func (a Axis) quiet(heading string) Axis {
	name, _, _ := strings.Cut(strings.ToLower(a.Label), ",")
	if a.Time || strings.Contains(strings.ToLower(heading), name) {
		a.Label = ""
	}
	return a
}

package brush

import (
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Bolder is a canvas for thumbnails: it draws no text, and thickens important lines.
type Bolder struct{ vg.Canvas }

const (
	thicker   = 2   // width of a thumbnail's lines, relative to a panel's
	faintLine = 1   // pixels: grids and contours keep their width
	wideLine  = 4.5 // pixels: wider strokes are really areas
	wider     = 1.3 // factor for the width of such strokes

	largeSign = 1.4 // factor for the radius of runs' markers and the length of arrow heads
	smallSign = 4   // pixels: smaller markers are one of many points
)

// SetLineWidth implements vg.Canvas.
func (c Bolder) SetLineWidth(w vg.Length) {
	switch {
	case w <= faintLine:
	case w < wideLine:
		w *= thicker
	default:
		w *= wider
	}
	c.Canvas.SetLineWidth(w)
}

// SetLineDash implements vg.Canvas.
func (c Bolder) SetLineDash(pattern []vg.Length, offset vg.Length) {
	if len(pattern) > 0 {
		longer := make([]vg.Length, len(pattern))
		for i, d := range pattern {
			longer[i] = thicker * d
		}
		pattern, offset = longer, thicker*offset
	}
	c.Canvas.SetLineDash(pattern, offset)
}

// FillString implements vg.Canvas: it does nothing.
func (c Bolder) FillString(font.Face, vg.Point, string) {}

// silent reports whether a canvas shows neither text nor lines that replace letters.
func silent(c vg.Canvas) bool {
	_, is := c.(Bolder)
	return is
}

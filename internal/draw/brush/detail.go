package brush

import (
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Bolder is a canvas for thumbnails. It omits text, and draws important lines thicker.
type Bolder struct{ vg.Canvas }

const (
	thicker   = 2   // line width in a thumbnail, relative to the width in a panel
	faintLine = 1   // lines up to this width in pixels, such as grids and contours, stay unchanged
	wideLine  = 4.5 // width in pixels above which strokes represent areas
	wider     = 1.3 // factor for the width of strokes that represent areas

	largeSign = 1.4 // factor for the radius of runs' markers and for the length of arrow heads
	smallSign = 4   // radius in pixels below which a marker is one of many points
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

// FillString implements vg.Canvas. It does nothing.
func (c Bolder) FillString(font.Face, vg.Point, string) {}

// silent reports whether a canvas omits texts, including the lines that are drawn in place of letters.
func silent(c vg.Canvas) bool {
	_, is := c.(Bolder)
	return is
}

package brush

import (
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	vgfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// KernOf returns the kerning of two letters, in units of the font. A canvas adds the kerning to the distance between the
// letters. perSize is the number of units in one font size.
func KernOf(buf *sfnt.Buffer, f vgfont.Face, left, right rune) (units, perSize fixed.Int26_6) {
	perSize = fixed.Int26_6(f.Face.UnitsPerEm())
	i, err := f.Face.GlyphIndex(buf, left)
	if err != nil {
		return 0, perSize
	}
	j, err := f.Face.GlyphIndex(buf, right)
	if err != nil {
		return 0, perSize
	}
	// Kern also returns an error for a pair without kerning.
	if units, err = f.Face.Kern(buf, i, j, perSize, font.HintingNone); err != nil {
		return 0, perSize
	}
	return units, perSize
}

// Kerned is a canvas that applies the font's kerning itself. Canvases that use golang.org/x/image confuse units of the
// font with 1/64 of a pixel, and therefore draw the letters of "11" and "T," on top of each other.
type Kerned struct{ vg.Canvas }

// FillString implements vg.Canvas. It splits the text at every kerned pair of letters.
func (c Kerned) FillString(f vgfont.Face, at vg.Point, s string) {
	var buf sfnt.Buffer
	from, last := 0, rune(-1)
	for i, r := range s {
		if last >= 0 {
			if units, perSize := KernOf(&buf, f, last, r); units != 0 {
				c.Canvas.FillString(f, at, s[from:i])
				at.X += f.Width(s[from:i]) + f.Font.Size*vg.Length(units)/vg.Length(perSize)
				from = i
			}
		}
		last = r
	}
	c.Canvas.FillString(f, at, s[from:])
}

package panel

import (
	"image/color"
	"math"
	"strings"
	"unicode/utf8"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Sizes of text in CSS pixels. Nothing on a picture is smaller than SmallText.
const (
	SmallText   vg.Length = 11 // ticks, legends, lowered and raised letters
	LabelText   vg.Length = 12 // axis labels, tooltips
	HeadingText vg.Length = 13
)

// notation is a text handler for plain text with lowered and raised parts:
// "λ_1", "x_{12}", "10^{-3}". A part is one character or what stands in braces.
type notation struct{ text.Plain }

var _ text.Handler = notation{}

var (
	handler = notation{text.Plain{Fonts: font.NewCache(liberation.Collection())}}
	sans    = font.Font{Typeface: "Liberation", Variant: "Sans"}
	bold    = font.Font{Typeface: "Liberation", Variant: "Sans", Weight: stdfont.WeightBold}
)

// style is text in one of the package's fonts.
func style(f font.Font, size vg.Length, c color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{Color: c, Font: font.From(f, size), XAlign: x, YAlign: y, Handler: handler}
}

// part is a stretch of a line in one size: level −1 is lowered, 1 raised.
type part struct {
	text  string
	level int
}

// split takes a line apart. "_" and "^" lower or raise what follows them; at
// the end of a line they stand for themselves.
func split(line string) []part {
	if !strings.ContainsAny(line, "_^") {
		return []part{{text: line}}
	}
	var parts []part
	for line != "" {
		i := strings.IndexAny(line, "_^")
		if i < 0 || i == len(line)-1 {
			return append(parts, part{text: line})
		}
		if i > 0 {
			parts = append(parts, part{text: line[:i]})
		}
		level := 1
		if line[i] == '_' {
			level = -1
		}
		rest := line[i+1:]
		_, size := utf8.DecodeRuneInString(rest)
		inner := rest[:size]
		if end := strings.IndexByte(rest, '}'); rest[0] == '{' && end > 0 {
			inner, size = rest[1:end], end+1
		}
		parts = append(parts, part{text: inner, level: level})
		line = rest[size:]
	}
	return parts
}

// face returns the font that a part of a text in f is drawn in: lowered and
// raised parts are smaller, but never below what can be read.
func (h notation) face(p part, f font.Font) font.Face {
	size := f.Size
	if p.level != 0 {
		size = min(size, SmallText)
	}
	return h.Fonts.Lookup(f, size)
}

// Box implements text.Handler.
func (h notation) Box(txt string, f font.Font) (width, height, depth vg.Length) {
	for _, p := range split(txt) {
		face := h.face(p, f)
		width += face.Width(p.text)
	}
	e := h.Extents(f)
	return width, e.Ascent, e.Descent
}

// Draw implements text.Handler. The reference point relates to the text as it
// does in text.Plain, which the axes of gonum/plot count on.
func (h notation) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	txt = strings.TrimRight(txt, "\n")
	if txt == "" {
		return
	}
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(sty.Rotation)
		sin, cos := math.Sincos(sty.Rotation)
		pt = vg.Point{
			X: pt.X*vg.Length(cos) + pt.Y*vg.Length(sin),
			Y: pt.Y*vg.Length(cos) - pt.X*vg.Length(sin),
		}
	}
	lines := h.Lines(txt)
	pt.Y += sty.Height(txt)*vg.Length(sty.YAlign) - h.Extents(sty.Font).Ascent
	for i, line := range lines {
		at := pt
		if sty.XAlign != text.XLeft {
			width, _, _ := h.Box(line, sty.Font)
			at.X += vg.Length(sty.XAlign) * width
		}
		at.Y += vg.Length(len(lines)-i) * sty.Font.Size
		h.line(c, line, sty.Font, at)
	}
}

// line draws one line, starting on the baseline at the given point, in the
// canvas's colour.
func (h notation) line(c vg.Canvas, line string, f font.Font, at vg.Point) {
	for _, p := range split(line) {
		face := h.face(p, f)
		// About a quarter of the size down or up reads as index and exponent.
		shift := vg.Length(p.level) * 0.28 * f.Size
		c.FillString(face, at.Add(vg.Point{Y: shift}), p.text)
		at.X += face.Width(p.text)
	}
}

// width returns the width of one line.
func (h notation) width(line string, f font.Font) vg.Length {
	w, _, _ := h.Box(line, f)
	return w
}

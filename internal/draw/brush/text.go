package brush

import (
	_ "embed"
	"fmt"
	"image/color"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/portable"
)

// These are the text sizes in CSS pixels. Pictures have no text smaller than SmallText.
const (
	SmallText   vg.Length = 11 // ticks, legends, subscripts and superscripts
	LabelText   vg.Length = 12 // axis labels, tooltips
	HeadingText vg.Length = 13
)

// Notation draws plain text with subscripts and superscripts: "λ_1", "x_{12}", "10^{-3}". A subscript or superscript is
// one character or the contents of braces. Notation draws Unicode's subscripts and superscripts in the same way,
// because Liberation Sans has only some of them. The font also lacks ∇ and the tilde above a letter, which Notation
// draws as lines.
type Notation struct{ Fonts *font.Cache }

// The fonts are subsets of Liberation Sans 2.1.4, created by fonttools' pyftsubset. They are a seventh as large as the
// complete font, and have Latin, Greek and mathematical characters, with kerning and without hints. The licence
// reserves the font's name for the complete font.
var (
	// Sans and Bold are the fonts of all texts.
	Sans = font.Font{Typeface: "Pareto", Variant: "Sans"}
	Bold = font.Font{Typeface: "Pareto", Variant: "Sans", Weight: stdfont.WeightBold}

	//go:embed fonts/ParetoSans-Regular.ttf
	sansFile []byte
	//go:embed fonts/ParetoSans-Bold.ttf
	boldFile []byte

	// Text draws and measures texts in the fonts Sans and Bold.
	Text = Notation{font.NewCache(font.Collection{face(Sans, sansFile), face(Bold, boldFile)})}
)

func face(f font.Font, file []byte) font.Face {
	parsed, err := opentype.Parse(file)
	if err != nil {
		panic(fmt.Sprintf("brush: font %s: %v", f.Name(), err))
	}
	return font.Face{Font: f, Face: parsed}
}

// part is a piece of a line at one level. Level −1 is a subscript, level 0 is ordinary text, and level 1 is a
// superscript.
type part struct {
	text  string
	level int
}

const (
	nabla = '∇'
	tilde = '\u0303' // combines with the previous letter
)

// indices and exponents map Unicode's subscripts and superscripts to plain characters.
var (
	indices   = levels("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼₖₘₙₛₜₓ", "0123456789+−ijkmnstx")
	exponents = levels("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+−n")
)

func levels(from, to string) map[rune]rune {
	m := make(map[rune]rune)
	plain := []rune(to)
	for i, r := range []rune(from) {
		m[r] = plain[i]
	}
	return m
}

// sign reports whether a part is a character that Notation draws as lines.
func sign(s string) bool { return s == string(nabla) || s == string(tilde) }

// split splits a line into parts of one level. A character that Notation draws as lines is a separate part. "_" and "^"
// at the end of a line are ordinary characters.
func split(line string) []part {
	var parts []part
	add := func(s string, level int) {
		if n := len(parts) - 1; n >= 0 && parts[n].level == level && !sign(s) && !sign(parts[n].text) {
			parts[n].text += s
			return
		}
		parts = append(parts, part{s, level})
	}
	for line != "" {
		r, size := utf8.DecodeRuneInString(line)
		rest := line[size:]
		if plain, ok := indices[r]; ok {
			add(string(plain), -1)
		} else if plain, ok := exponents[r]; ok {
			add(string(plain), 1)
		} else if (r == '_' || r == '^') && rest != "" {
			level := 1
			if r == '_' {
				level = -1
			}
			_, n := utf8.DecodeRuneInString(rest)
			inner := rest[:n]
			if end := strings.IndexByte(rest, '}'); rest[0] == '{' && end > 0 {
				inner, n = rest[1:end], end+1
			}
			add(inner, level)
			rest = rest[n:]
		} else {
			add(line[:size], 0)
		}
		line = rest
	}
	return parts
}

// Plain returns a line without its notation, for places that cannot show subscripts and superscripts: "λ_{12}" becomes
// "λ12".
func Plain(line string) string {
	var b strings.Builder
	for _, p := range split(line) {
		b.WriteString(p.text)
	}
	return b.String()
}

// face returns the font face for a part of a text in the font f. Subscripts and superscripts are smaller than other
// text, but always legible.
func (h Notation) face(p part, f font.Font) font.Face {
	size := f.Size
	if p.level != 0 {
		size = min(size, SmallText)
	}
	return h.Fonts.Lookup(f, size)
}

// nablaWidth is the advance of ∇, relative to the font size.
const nablaWidth = 0.68

func (h Notation) advance(p part, face font.Face) vg.Length {
	switch p.text {
	case string(nabla):
		return nablaWidth * face.Font.Size
	case string(tilde):
		return 0
	}
	return face.Width(p.text)
}

// Line draws one line in a colour. at is the start of the line's baseline.
func (h Notation) Line(c vg.Canvas, line string, f font.Font, col color.Color, at vg.Point) {
	if silent(c) {
		return
	}
	c.SetColor(col)
	parts := split(line)
	for i, p := range parts {
		face := h.face(p, f)
		// Shift subscripts and superscripts by about a quarter of the font size.
		from := at.Add(vg.Point{Y: vg.Length(p.level) * 0.28 * f.Size})
		switch p.text {
		case string(nabla):
			drawNabla(c, from, face.Font.Size)
		case string(tilde):
			if i > 0 {
				letter, _ := utf8.DecodeLastRuneInString(parts[i-1].text)
				drawTilde(c, from.Sub(vg.Point{X: face.Width(string(letter)) / 2}), face.Font.Size, letter)
			}
		default:
			s := p.text
			if len(parts) > 1 {
				// SVG drops ordinary spaces at the ends of a text element.
				s = strings.ReplaceAll(s, " ", "\u00a0")
			}
			c.FillString(face, from, s)
		}
		at.X += h.advance(p, face)
	}
}

// drawNabla draws ∇ on a baseline, with the height of a capital.
func drawNabla(c vg.Canvas, at vg.Point, size vg.Length) {
	const side, stroke = 0.05, 0.085
	var p vg.Path
	p.Move(at.Add(vg.Point{X: side * size, Y: (CapHeight - stroke/2) * size}))
	p.Line(at.Add(vg.Point{X: nablaWidth / 2 * size, Y: stroke * size}))
	p.Line(at.Add(vg.Point{X: (nablaWidth - side) * size, Y: (CapHeight - stroke/2) * size}))
	p.Close()
	c.SetLineWidth(stroke * size)
	c.SetLineDash(nil, 0)
	c.Stroke(p)
}

// drawTilde draws a tilde above a letter. at is the letter's middle on the baseline.
func drawTilde(c vg.Canvas, at vg.Point, size vg.Length, letter rune) {
	const half, swing, stroke = 0.21, 0.06, 0.075
	height := vg.Length(0.64)
	if unicode.IsUpper(letter) || strings.ContainsRune("bdfhklt0123456789βδθλξ", letter) {
		height = 0.83
	}
	// The tilde consists of two arcs, one up and one down, drawn as short lines.
	const points = 12
	var p vg.Path
	for i := range points + 1 {
		u := float64(i)/points*2 - 1
		q := at.Add(vg.Point{X: vg.Length(half*u) * size, Y: (height - vg.Length(swing*vg.Length(portable.Sin(math.Pi*u)))) * size})
		if i == 0 {
			p.Move(q)
		} else {
			p.Line(q)
		}
	}
	c.SetLineWidth(stroke * size)
	c.SetLineDash(nil, 0)
	c.Stroke(p)
}

// Width returns the width of one line.
func (h Notation) Width(line string, f font.Font) (width vg.Length) {
	for _, p := range split(line) {
		width += h.advance(p, h.face(p, f))
	}
	return width
}

// Height returns the height of one line, from the lowest to the highest point that letters can reach.
func (h Notation) Height(f font.Font) vg.Length {
	e := h.extents(f)
	return e.Ascent + e.Descent
}

// Descent returns the maximum extent of letters below the baseline.
func (h Notation) Descent(f font.Font) vg.Length { return h.extents(f).Descent }

// Base returns the height of the baseline above the lower end of a line. With this height, the line looks centred.
func (h Notation) Base(f font.Font) vg.Length {
	e := h.extents(f)
	return e.Descent + f.Size - e.Ascent
}

func (h Notation) extents(f font.Font) font.Extents {
	face := h.Fonts.Lookup(f, f.Size)
	return face.Extents()
}

// Shorten truncates a line to fit a width.
func Shorten(s string, f font.Font, width vg.Length) string {
	if Text.Width(s, f) <= width {
		return s
	}
	runes := []rune(s)
	for n := len(runes) - 1; n > 0; n-- {
		if cut := string(runes[:n]) + "…"; Text.Width(cut, f) <= width {
			return cut
		}
	}
	return "…"
}

// InTwo breaks a line after the last word that fits, if the line is too wide. If the second line is also too wide,
// InTwo truncates it.
func InTwo(s string, f font.Font, width vg.Length) (first, second string) {
	if Text.Width(s, f) <= width {
		return s, ""
	}
	for at := strings.LastIndexByte(s, ' '); at > 0; at = strings.LastIndexByte(s[:at], ' ') {
		if Text.Width(s[:at], f) <= width {
			return s[:at], Shorten(s[at+1:], f, width)
		}
	}
	return Shorten(s, f, width), ""
}

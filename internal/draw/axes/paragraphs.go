package axes

import (
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
)

// WordSheets returns the sheets for a panel that shows only a text.
func WordSheets(text string) []Sheet {
	return []Sheet{{Draw: func(b *brush.Brush) { b.Words(text) }}}
}

// TextPanel is a panel of paragraphs. The first paragraph starts at the upper left corner.
type TextPanel struct {
	Plane
	texts []string
}

const (
	paragraphLeading = 16   // distance between two lines
	paragraphGap     = 7    // distance between two paragraphs
	paragraphRoom    = 0.84 // share of the width for text; a viewer of the SVG may lack our font and use a wider font
)

// Paragraphs returns a panel that shows the given texts one below another. It omits lines that do not fit.
func Paragraphs(name, heading string, texts []string) *TextPanel {
	t := &TextPanel{texts: texts}
	t.Plane = Plane{Name: name, Heading: heading, Bare: true, Text: func() string { return strings.Join(texts, " ") },
		Axes: func() (Axis, Axis) { return Axis{Max: 1}, Axis{Max: 1} }}
	t.Sheets = func() []Sheet {
		return []Sheet{{Draw: func(b *brush.Brush) {
			y := b.Canvas.Max.Y + 0.01 // a rounding error must not remove a line
			for _, lines := range t.lines(b.Canvas.Size().X) {
				for _, line := range lines {
					if y -= paragraphLeading; y < b.Canvas.Min.Y {
						return
					}
					brush.Text.Line(b.Canvas, line, labelFont, b.Theme.Ink, vg.Point{X: b.Canvas.Min.X, Y: y + brush.Text.Descent(labelFont)})
				}
				y -= paragraphGap
			}
		}}}
	}
	return t
}

// lines returns the lines of each text at the given width.
func (t *TextPanel) lines(width vg.Length) [][]string {
	out := make([][]string, len(t.texts))
	for i, text := range t.texts {
		out[i] = brush.Wrapped(text, labelFont, paragraphRoom*width)
	}
	return out
}

// Height returns the height that the panel needs for all its lines at the given width.
func (t *TextPanel) Height(width vg.Length) vg.Length {
	f := brush.Frame{Width: width, Height: 1000, Theme: brush.Light}
	area := t.layout(f).data
	height := f.Height - area.Size().Y
	for _, lines := range t.lines(area.Size().X) {
		height += vg.Length(vg.Length(len(lines))*paragraphLeading) + paragraphGap
	}
	return height
}

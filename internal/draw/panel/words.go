package panel

import (
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Words writes a panel's text in the middle of the data area, in place of a picture; lines
// without room are left out.
func (b *Brush) Words(text string) {
	const room, leading = 0.86, 17 // of the width; pixels from line to line
	size := b.Canvas.Size()
	if b.Frame.Detail == Thumbnail {
		return
	}
	f := font.From(sans, LabelText)
	lines := wrapped(text, f, room*size.X)
	lines = lines[:min(len(lines), max(1, int(size.Y/leading)))]
	y := (b.Canvas.Min.Y+b.Canvas.Max.Y)/2 + vg.Length(len(lines)-1)/2*leading
	for _, line := range lines {
		handler.line(b.Canvas, line, f, b.Theme.Muted, vg.Point{
			X: (b.Canvas.Min.X+b.Canvas.Max.X)/2 - handler.width(line, f)/2, Y: y - capHeight*f.Size/2,
		})
		y -= leading
	}
}

// WordSheets are the sheets of a panel that has only a text to show.
func WordSheets(text string) []Sheet {
	return []Sheet{{Draw: func(b *Brush) { b.Words(text) }}}
}

// TextPanel is a panel of paragraphs alone, from its upper left corner on.
type TextPanel struct {
	Plane
	texts []string
}

const (
	paragraphLeading = 16   // from line to line
	paragraphGap     = 7    // between two paragraphs
	paragraphRoom    = 0.84 // of the width: where an SVG is read without our font, another one may be wider
)

// Paragraphs returns a panel with these texts below each other. Lines without room are left out.
func Paragraphs(name, heading string, texts []string) *TextPanel {
	t := &TextPanel{texts: texts}
	t.Plane = Plane{Name: name, Heading: heading, Bare: true, Text: func() string { return strings.Join(texts, " ") },
		Axes: func() (Axis, Axis) { return Axis{Max: 1}, Axis{Max: 1} }}
	t.Sheets = func() []Sheet {
		return []Sheet{{Draw: func(b *Brush) {
			y := b.Canvas.Max.Y + 0.01 // rounding takes no line away
			for _, lines := range t.lines(b.Canvas.Size().X) {
				for _, line := range lines {
					if y -= paragraphLeading; y < b.Canvas.Min.Y {
						return
					}
					handler.line(b.Canvas, line, labelFont, b.Theme.Ink, vg.Point{X: b.Canvas.Min.X, Y: y + handler.descent(labelFont)})
				}
				y -= paragraphGap
			}
		}}}
	}
	return t
}

// lines are the lines of each text in a width.
func (t *TextPanel) lines(width vg.Length) [][]string {
	out := make([][]string, len(t.texts))
	for i, text := range t.texts {
		out[i] = wrapped(text, labelFont, paragraphRoom*width)
	}
	return out
}

// Height is what a panel of that width needs for all its lines.
func (t *TextPanel) Height(width vg.Length) vg.Length {
	f := Frame{Width: width, Height: 1000, Theme: Light}
	area := t.layout(f).data
	height := f.Height - area.Size().Y
	for _, lines := range t.lines(area.Size().X) {
		height += vg.Length(len(lines))*paragraphLeading + paragraphGap
	}
	return height
}

// Caption writes what happens in the picture in the lower left corner of the data area, if
// there is room.
func (b *Brush) Caption(text string) {
	if b.Frame.Detail != Full {
		return
	}
	const inside = 3 // pixels
	x, y := b.World(b.Canvas.Min.Add(vg.Point{X: inside, Y: inside}))
	b.Label(x, y, text, LabelText, b.Theme.Ink, Align{X: 1, Y: 1})
}

// Width returns the width of a text in the smallest size.
func (b *Brush) Width(text string) vg.Length { return handler.width(text, font.From(sans, SmallText)) }

// Footnote writes a remark in the lower left corner of the data area, on a patch of paper.
func (b *Brush) Footnote(text string) {
	const room, leading, inside = 0.62, 15, 6 // of the width; pixels
	if b.Frame.Detail == Thumbnail {
		return
	}
	f := font.From(sans, SmallText)
	lines := wrapped(text, f, room*b.Canvas.Size().X)
	var width vg.Length
	for _, line := range lines {
		width = max(width, handler.width(line, f))
	}
	corner := b.Canvas.Min
	area := vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: width + 2*inside, Y: vg.Length(len(lines))*leading + inside})}
	b.Canvas.SetColor(Faded(b.Theme.Paper, 0.85))
	b.Canvas.Fill(area.Path())
	for i, line := range lines {
		y := corner.Y + inside + vg.Length(len(lines)-1-i)*leading
		handler.line(b.Canvas, line, f, b.Theme.Muted, vg.Point{X: corner.X + inside, Y: y})
	}
}

// wrapped breaks a text into lines of a width between words; a word that is wider is cut.
func wrapped(text string, f font.Font, width vg.Length) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if next := strings.TrimSpace(line + " " + word); handler.width(next, f) <= width {
			line = next
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		line = shorten(word, f, width)
	}
	return append(lines, line)
}

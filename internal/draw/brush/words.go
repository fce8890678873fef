package brush

import (
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Words writes a text in the middle of the data area, instead of a picture. It omits lines that do not fit.
func (b *Brush) Words(text string) {
	const room, leading = 0.86, 17 // share of the width for text; distance between lines in pixels
	size := b.Canvas.Size()
	if b.Frame.Detail == Thumbnail {
		return
	}
	f := font.From(Sans, LabelText)
	lines := Wrapped(text, f, room*size.X)
	lines = lines[:min(len(lines), max(1, int(size.Y/leading)))]
	y := vg.Length((b.Canvas.Min.Y+b.Canvas.Max.Y)/2) + vg.Length(vg.Length(len(lines)-1)/2*leading)
	for _, line := range lines {
		Text.Line(b.Canvas, line, f, b.Theme.Muted, vg.Point{
			X: vg.Length((b.Canvas.Min.X+b.Canvas.Max.X)/2) - vg.Length(Text.Width(line, f)/2), Y: y - font.Length(CapHeight*f.Size/2),
		})
		y -= leading
	}
}

// Caption writes a text about the picture in the lower left corner of the data area of a Full panel.
func (b *Brush) Caption(text string) {
	if b.Frame.Detail != Full {
		return
	}
	const inside = 3 // distance from the corner in pixels
	b.LabelAt(b.Canvas.Min.Add(vg.Point{X: inside, Y: inside}), text, LabelText, b.Theme.Ink, Align{X: 1, Y: 1})
}

// Width returns the width of a text in size SmallText.
func (b *Brush) Width(text string) vg.Length { return Text.Width(text, font.From(Sans, SmallText)) }

// Footnote writes a remark on a patch of paper in the lower left corner of the data area. It returns the upper end of the
// patch, in pixels of the panel.
func (b *Brush) Footnote(text string) (top vg.Length) {
	const room, leading, inside = 0.62, 15, 6 // maximum share of the width; line spacing and margin around the text in pixels
	if b.Frame.Detail == Thumbnail {
		return b.Canvas.Min.Y
	}
	f := font.From(Sans, SmallText)
	lines := Wrapped(text, f, room*b.Canvas.Size().X)
	var width vg.Length
	for _, line := range lines {
		width = max(width, Text.Width(line, f))
	}
	corner := b.Canvas.Min
	area := vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: width + 2*inside, Y: vg.Length(vg.Length(len(lines))*leading) + inside})}
	b.Canvas.SetColor(Faded(b.Theme.Paper, 0.85))
	b.Canvas.Fill(area.Path())
	for i, line := range lines {
		y := corner.Y + inside + vg.Length(vg.Length(len(lines)-1-i)*leading)
		Text.Line(b.Canvas, line, f, b.Theme.Muted, vg.Point{X: corner.X + inside, Y: y})
	}
	return area.Max.Y
}

// Wrapped breaks a text between words into lines of at most the given width. It truncates wider words.
func Wrapped(text string, f font.Font, width vg.Length) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if next := strings.TrimSpace(line + " " + word); Text.Width(next, f) <= width {
			line = next
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		line = Shorten(word, f, width)
	}
	return append(lines, line)
}

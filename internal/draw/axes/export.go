//go:build !js || picture

package axes

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"paretoplay/internal/draw/brush"
)

// printDots is the resolution of a PNG file of a printed figure, in dots per inch.
const printDots = 300

// WritePNG writes the figure as PNG, with two dots per CSS pixel, or 300 dots per inch for a printed figure. It stores
// About in iTXt chunks with the keywords of the PNG specification.
func (f *Figure) WritePNG(w io.Writer) error {
	scale := 2.
	if f.Point > 0 {
		scale = printDots * f.Point / 72
	}
	height, placed := f.sheet(0)
	var b bytes.Buffer
	if err := writePNG(&b, f.Width, height, scale, f.Theme.Printed(), placed, func(c vg.Canvas) { f.drawLegend(c, 0) }); err != nil {
		return err
	}
	data := b.Bytes()
	const afterHeader = 8 + 4 + 4 + 13 + 4 // size of the PNG signature, and of the length, type, data and checksum of IHDR
	out := bytes.NewBuffer(bytes.Clone(data[:afterHeader]))
	if f.Point > 0 {
		perMetre := uint32(math.Round(printDots / 0.0254))
		size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, perMetre), perMetre)
		writeChunk(out, "pHYs", append(size, 1))
	}
	for _, text := range [][2]string{{"Title", f.About.Title}, {"Description", f.About.Settings}, {"Source", f.About.Link}} {
		if text[1] != "" {
			// The text is neither compressed nor translated, and has no language.
			writeChunk(out, "iTXt", []byte(text[0]+"\x00\x00\x00\x00\x00"+text[1]))
		}
	}
	out.Write(data[afterHeader:])
	_, err := out.WriteTo(w)
	return err
}

// HeightOnPaper returns the height of a printed figure, including the legend, in millimetres.
func (f *Figure) HeightOnPaper() float64 {
	height, _ := f.sheet(0)
	return float64(height) * f.Point / 72 * 25.4
}

// Picture returns an image of the figure as it looks on paper, with one dot per CSS pixel.
func (f *Figure) Picture() (*image.RGBA, error) {
	height, placed := f.sheet(0)
	c, err := rendered(f.Width, height, 1, f.Theme.Printed(), placed, func(c vg.Canvas) { f.drawLegend(c, 0) })
	if err != nil {
		return nil, err
	}
	picture, is := c.Image().(*image.RGBA)
	if !is {
		return nil, fmt.Errorf("unexpected type %T of the picture", c.Image())
	}
	return picture, nil
}

// Palette returns the colours of the figure's paper, text and methods.
func (f *Figure) Palette() []color.Color {
	theme := f.Theme.Printed()
	out := []color.Color{theme.Paper, theme.Ink, theme.Muted}
	if f.Legend != nil {
		for _, e := range f.Legend(theme) {
			for _, c := range []color.Color{e.Stroke.Color, e.Fill} {
				if c != nil {
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// writeChunk appends a PNG chunk of the given kind.
func writeChunk(b *bytes.Buffer, kind string, data []byte) {
	body := append([]byte(kind), data...)
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	b.Write(body)
	b.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body)))
}

// WritePNG writes a PNG file of the panels as they look on the screen, with scale dots per CSS pixel.
func WritePNG(w io.Writer, width, height vg.Length, scale float64, theme *brush.Theme, placed []Placed) error {
	return writePNG(w, width, height, scale, theme, placed, func(vg.Canvas) {})
}

func writePNG(w io.Writer, width, height vg.Length, scale float64, theme *brush.Theme, placed []Placed, more func(vg.Canvas)) error {
	c, err := rendered(width, height, scale, theme, placed, more)
	if err != nil {
		return err
	}
	_, err = vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

func rendered(width, height vg.Length, scale float64, theme *brush.Theme, placed []Placed, more func(vg.Canvas)) (*vgimg.Canvas, error) {
	dots := float64(width) * scale * float64(height) * scale
	if !(width >= 1 && height >= 1 && scale > 0 && dots <= 1<<28) {
		return nil, fmt.Errorf("picture of %v × %v pixels at scale %v: allowed are sizes of at least 1 and at most %d dots", float64(width),
			float64(height), scale, 1<<28)
	}
	// The resolution is an integer number of dots per inch, but the size must be exact to the dot. For example, a column
	// of 85 mm is 1004 dots wide.
	dpi := math.Round(72 * scale)
	dotted := func(l vg.Length) vg.Length { return vg.Length(math.Round(scale*float64(l))/dpi) * vg.Inch }
	c := vgimg.NewWith(
		vgimg.UseWH(dotted(width), dotted(height)),
		vgimg.UseDPI(int(dpi)),
		vgimg.UseBackgroundColor(theme.Paper),
	)
	Draw(draw.NewCanvas(brush.Kerned{Canvas: c}, width, height), placed, theme, false)
	more(brush.Kerned{Canvas: c})
	return c, nil
}

// WriteSVG writes the figure as SVG. Text remains text, in Liberation Sans or the font that the viewer substitutes.
// About becomes the title, the description, and a caption below the picture.
func (f *Figure) WriteSVG(w io.Writer) error {
	caption := f.caption()
	room := vg.Length(0)
	if len(caption) > 0 {
		room = vg.Length(vg.Length(len(caption))*captionLeading) + captionEdge
	}
	height, placed := f.sheet(room)
	if err := checkSize(f.Width, height); err != nil {
		return err
	}
	theme := f.Theme.Printed()
	c := vgsvg.New(f.Width, height)
	Draw(draw.New(c), placed, theme, false)
	f.drawLegend(c, room)
	c.SetColor(theme.Muted)
	for i, line := range caption {
		c.FillString(*captionFace(), vg.Point{X: captionLeft, Y: room - vg.Length(vg.Length(i+1)*captionLeading)}, line)
	}
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	_, tail, found := strings.Cut(b.String(), "<svg ")
	_, body, closed := strings.Cut(tail, ">")
	if !found || !closed {
		return fmt.Errorf("picture of %v × %v pixels: unexpected start of the SVG file: %.40q", float64(f.Width), float64(height), b.String())
	}
	// The svg tag precedes all texts, so the first “>” ends the tag.
	if _, err := io.WriteString(w, f.svgHead(height)); err != nil {
		return err
	}
	_, err := svgPatches.WriteString(w, strings.TrimLeft(body, "\n"))
	return err
}

// svgHead returns the start of an SVG file. Lengths are in pixels instead of vgsvg's points, except in a printed figure.
func (f *Figure) svgHead(height vg.Length) string {
	unit, scale := "px", 1.
	if f.Point > 0 {
		unit, scale = "pt", f.Point
	}
	var b strings.Builder
	b.WriteString(xml.Header)
	fmt.Fprintf(&b, `<svg width="%.6g%s" height="%.6g%s" viewBox="0 0 %.6g %.6g"`, scale*float64(f.Width), unit,
		scale*float64(height), unit, float64(f.Width), float64(height))
	b.WriteString(` xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">` + "\n")
	for _, part := range [][2]string{{"title", f.About.Title}, {"desc", joinLines(f.About.Settings, f.About.Link)}} {
		if part[1] != "" {
			b.WriteString("<" + part[0] + ">")
			xml.EscapeText(&b, []byte(part[1])) // writing to a Builder never fails
			b.WriteString("</" + part[0] + ">\n")
		}
	}
	return b.String()
}

// joinLines joins lines with line breaks, and omits empty lines.
func joinLines(lines ...string) string {
	var out []string
	for _, s := range lines {
		if s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, "\n")
}

// svgPatches changes the output of vgsvg. Images fill their rectangle. Fonts get fallbacks, of which the first has the
// same widths. The patterns never match a text, because vgsvg escapes quotation marks and brackets.
var svgPatches = strings.NewReplacer(
	`<image x="`, `<image preserveAspectRatio="none" x="`,
	`xlink:href="data:image/jpg;base64,`, `xlink:href="data:image/png;base64,`,
	`font-family:Pareto Sans;`, `font-family:'Liberation Sans',Arial,Helvetica,sans-serif;`,
)

// WritePDF writes the figure as a PDF with one page. The text is searchable and uses embedded fonts. About becomes the
// title, subject and keywords. Equal figures give equal bytes.
func (f *Figure) WritePDF(w io.Writer) error {
	height, placed := f.sheet(0)
	if err := checkSize(f.Width, height); err != nil {
		return err
	}
	point := 1.
	if f.Point > 0 {
		point = f.Point
	}
	c := brush.NewPDF(point*float64(f.Width), point*float64(height))
	c.Describe(f.About.Title, f.About.Settings, f.About.Link)
	c.Push()
	c.Scale(point, point)
	Draw(draw.NewCanvas(brush.Kerned{Canvas: c}, f.Width, height), placed, f.Theme.Printed(), false)
	f.drawLegend(brush.Kerned{Canvas: c}, 0)
	return c.Finish(w)
}

func checkSize(width, height vg.Length) error {
	if !(width >= 1 && height >= 1 && width <= 1<<14 && height <= 1<<14) {
		return fmt.Errorf("picture of %v × %v pixels: allowed are sizes from 1 to %d", float64(width), float64(height), 1<<14)
	}
	return nil
}

const (
	captionLeading = 15 // distance between the caption's lines
	captionEdge    = 8  // distance below the caption and below the legend
	captionLines   = 6  // maximum number of lines for the settings
	captionLeft    = margin + sideSpace
)

// sheet returns the height of the picture with the legend and the given space below the legend. It also returns the
// resulting places of the panels.
func (f *Figure) sheet(room vg.Length) (height vg.Length, placed []Placed) {
	if legend := f.legend(); len(legend) > 0 {
		room += legend[0].at.Y + legendRow
	}
	for _, p := range f.Placed {
		p.Rect = p.Rect.Add(vg.Point{Y: room})
		placed = append(placed, p)
	}
	return f.Height + room, placed
}

// legend returns the entries of the legend with their places above the figure's lower edge. It omits entries that a
// panel's own legend contains.
func (f *Figure) legend() []placedEntry {
	if f.Legend == nil {
		return nil
	}
	theme, own := f.Theme.Printed(), map[string]bool{}
	for _, p := range f.Placed {
		if l, has := p.Panel.(interface{ legendEntries(t *brush.Theme) []Entry }); has {
			for _, e := range l.legendEntries(theme) {
				own[e.Label] = true
			}
		}
	}
	var out []placedEntry
	at, parts := vg.Point{X: captionLeft}, measuresOf(brush.Full)
	for _, e := range f.Legend(theme) {
		if own[e.Label] {
			continue
		}
		width := parts.width(e)
		if at.X > captionLeft && at.X+width > f.Width-roomForTick {
			at = vg.Point{X: captionLeft, Y: at.Y - legendRow}
		}
		out = append(out, placedEntry{e, at, parts})
		at.X += width + entryGap
	}
	for i := range out {
		out[i].at.Y += captionEdge - at.Y
	}
	return out
}

func (f *Figure) drawLegend(c vg.Canvas, room vg.Length) {
	var path vg.Path
	for _, e := range f.legend() {
		e.at.Y += room
		path = e.draw(c, f.Theme.Printed(), path)
	}
}

// caption returns the lines of the caption, truncated to the width of the figure.
func (f *Figure) caption() []string {
	width := max(f.Width-captionLeft-roomForTick, brush.SmallText)
	var lines []string
	for _, text := range []string{f.About.Title, f.About.Settings} {
		for count := 1; text != ""; count++ {
			if count == captionLines {
				lines = append(lines, fitting(text, width))
				break
			}
			end := len(text)
			for captionFace().Width(text[:end]) > width && strings.LastIndexByte(text[:end], ' ') > 0 {
				end = strings.LastIndexByte(text[:end], ' ')
			}
			lines = append(lines, fitting(text[:end], width))
			text = strings.TrimPrefix(text[end:], " ")
		}
	}
	if f.About.Link != "" {
		lines = append(lines, fitting(f.About.Link, width))
	}
	return lines
}

// captionFace returns the caption's font. Captions have no notation: "_" is an ordinary character.
func captionFace() *font.Face {
	face := brush.Text.Fonts.Lookup(brush.Sans, brush.SmallText)
	return &face
}

// fitting truncates a text to fit a width.
func fitting(text string, width vg.Length) string {
	face := captionFace()
	if face.Width(text) <= width {
		return text
	}
	runes := []rune(text)
	// Every letter is at least a tenth of the font size wide.
	runes = runes[:min(len(runes), int(width/(brush.SmallText/10)))]
	for len(runes) > 0 && face.Width(string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

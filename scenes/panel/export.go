//go:build !js || picture

package panel

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	vgfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// WritePNG writes the picture as PNG, scale dots to a CSS pixel.
func WritePNG(w io.Writer, width, height vg.Length, scale float64, theme *Theme, placed []Placed) error {
	dots := float64(width) * scale * float64(height) * scale
	if !(width >= 1 && height >= 1 && scale > 0 && dots <= 1<<28) {
		return fmt.Errorf("picture of %v × %v pixels at scale %v: sizes must be at least 1 and give at most %d dots", float64(width),
			float64(height), scale, 1<<28)
	}
	c := vgimg.NewWith(
		vgimg.UseWH(width, height),
		vgimg.UseDPI(int(math.Round(72*scale))),
		vgimg.UseBackgroundColor(theme.Paper),
	)
	Draw(draw.NewCanvas(Kerned{c}, width, height), placed, theme, false)
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

// WriteSVG writes the picture as SVG. Its text stays text, in Liberation Sans or the reader's
// substitute.
func WriteSVG(w io.Writer, width, height vg.Length, theme *Theme, placed []Placed) error {
	if err := checkSize(width, height); err != nil {
		return err
	}
	c := vgsvg.New(width, height)
	Draw(draw.New(c), placed, theme, false)
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return err
	}
	_, err := svgPatches.WriteString(w, b.String())
	return err
}

// svgPatches changes the output of vgsvg: our unit is the pixel, not the point; images fill their
// rectangle; and there are fallback fonts, the first with the same widths. Text cannot be taken for
// markup: vgsvg escapes quotation marks and brackets.
var svgPatches = strings.NewReplacer(
	`pt" height="`, `px" height="`,
	`pt" viewBox="`, `px" viewBox="`,
	`<image x="`, `<image preserveAspectRatio="none" x="`,
	`font-family:Pareto Sans;`, `font-family:'Liberation Sans',Arial,Helvetica,sans-serif;`,
)

// reproducible makes two PDF files of one picture the same bytes: without a date, and with their
// parts in order. fpdf has both settings for the whole package only.
var reproducible = sync.OnceFunc(func() {
	undated := time.Unix(0, 0).UTC()
	fpdf.SetDefaultCreationDate(undated)
	fpdf.SetDefaultModificationDate(undated)
	fpdf.SetDefaultCatalogSort(true)
})

// WritePDF writes the picture as a one-page PDF, a point to a CSS pixel. Text is drawn as outlines.
// Equal pictures give equal bytes.
func WritePDF(w io.Writer, width, height vg.Length, theme *Theme, placed []Placed) error {
	if err := checkSize(width, height); err != nil {
		return err
	}
	reproducible()
	c := vgpdf.New(width, height)
	Draw(draw.NewCanvas(outlined{straightColors{c}}, width, height), placed, theme, false)
	_, err := c.WriteTo(w)
	return err
}

func checkSize(width, height vg.Length) error {
	if !(width >= 1 && height >= 1 && width <= 1<<14 && height <= 1<<14) {
		return fmt.Errorf("picture of %v × %v pixels: sizes must lie between 1 and %d", float64(width), float64(height), 1<<14)
	}
	return nil
}

// straightColors passes translucent colours on without multiplying them by their opacity, because
// vgpdf writes the components unchanged and the opacity separately.
type straightColors struct{ vg.Canvas }

func (c straightColors) SetColor(col color.Color) {
	c.Canvas.SetColor(straight(color.NRGBAModel.Convert(col).(color.NRGBA)))
}

type straight color.NRGBA

// RGBA returns the components without the factor A that color.Color asks for.
func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 0x101, uint32(s.G) * 0x101, uint32(s.B) * 0x101, uint32(s.A) * 0x101
}

// outlined is the canvas for PDF: it draws text and arcs as curves and turns images the right way
// up. vgpdf encodes text in code page 1252, which has no Greek, and to embed fonts it needs a file
// system, which browsers do not have.
type outlined struct{ vg.Canvas }

func (c outlined) FillString(f vgfont.Face, at vg.Point, s string) {
	var (
		buf  sfnt.Buffer
		path vg.Path
		ppem = fixed.Int26_6(f.Face.UnitsPerEm())
		unit = f.Font.Size / vg.Length(ppem)
		x    fixed.Int26_6
		last sfnt.GlyphIndex
	)
	point := func(p fixed.Point26_6) vg.Point {
		// Fonts count y downwards here.
		return vg.Point{X: at.X + vg.Length(x+p.X)*unit, Y: at.Y - vg.Length(p.Y)*unit}
	}
	for i, r := range s {
		glyph, err := f.Face.GlyphIndex(&buf, r)
		if err != nil {
			panic(fmt.Sprintf("panel: glyph of %q: %v", r, err))
		}
		if i > 0 {
			// A font without kerning returns an error.
			if k, err := f.Face.Kern(&buf, last, glyph, ppem, font.HintingNone); err == nil {
				x += k
			}
		}
		segments, err := f.Face.LoadGlyph(&buf, glyph, ppem, nil)
		if err != nil {
			panic(fmt.Sprintf("panel: outline of %q: %v", r, err))
		}
		for j, seg := range segments {
			switch seg.Op {
			case sfnt.SegmentOpMoveTo:
				if j > 0 {
					path.Close()
				}
				path.Move(point(seg.Args[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(point(seg.Args[0]))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(point(seg.Args[0]), point(seg.Args[1]))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(point(seg.Args[0]), point(seg.Args[1]), point(seg.Args[2]))
			}
		}
		if len(segments) > 0 {
			path.Close()
		}
		advance, err := f.Face.GlyphAdvance(&buf, glyph, ppem, font.HintingNone)
		if err != nil {
			panic(fmt.Sprintf("panel: width of %q: %v", r, err))
		}
		x += advance
		last = glyph
	}
	if len(path) > 0 {
		c.Canvas.Fill(path)
	}
}

// DrawImage hands the image on upside down: vgpdf mirrors the page to have its
// origin below, and images with it.
func (c outlined) DrawImage(r vg.Rectangle, img image.Image) {
	b := img.Bounds()
	flipped := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	for y := range b.Dy() {
		for x := range b.Dx() {
			flipped.Set(x, b.Dy()-1-y, img.At(b.Min.X+x, b.Min.Y+y))
		}
	}
	c.Canvas.DrawImage(r, flipped)
}

func (c outlined) Stroke(p vg.Path) { c.Canvas.Stroke(withoutArcs(p)) }
func (c outlined) Fill(p vg.Path)   { c.Canvas.Fill(withoutArcs(p)) }

// withoutArcs replaces arcs by Bézier curves of at most a quarter turn: vgpdf
// ends the path at an arc, so that circles would be neither closed nor dashed.
func withoutArcs(p vg.Path) vg.Path {
	var q vg.Path
	for _, comp := range p {
		if comp.Type != vg.ArcComp {
			q = append(q, comp)
			continue
		}
		n := max(1, int(math.Ceil(math.Abs(comp.Angle)/(math.Pi/2)-1e-9)))
		step := comp.Angle / float64(n)
		reach := vg.Length(4. / 3 * math.Tan(step/4))
		on := func(angle float64) (p, tangent vg.Point) {
			sin, cos := math.Sincos(angle)
			r := vg.Point{X: comp.Radius * vg.Length(cos), Y: comp.Radius * vg.Length(sin)}
			return comp.Pos.Add(r), vg.Point{X: -r.Y, Y: r.X}
		}
		for i := range n {
			from, out := on(comp.Start + float64(i)*step)
			to, in := on(comp.Start + float64(i+1)*step)
			if i == 0 {
				q.Line(from)
			}
			q.CubeTo(from.Add(out.Scale(reach)), to.Sub(in.Scale(reach)), to)
		}
	}
	return q
}

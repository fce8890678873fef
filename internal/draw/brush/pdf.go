//go:build !js || picture

package brush

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font"
	vgfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/portable"
)

// reproducible makes PDF files of equal pictures equal, byte by byte. It omits the date and sorts the files' parts. In
// fpdf, both settings apply to the whole package.
var reproducible = sync.OnceFunc(func() {
	undated := time.Unix(0, 0).UTC()
	fpdf.SetDefaultCreationDate(undated)
	fpdf.SetDefaultModificationDate(undated)
	fpdf.SetDefaultCatalogSort(true)
})

// PDF is a canvas on a page of a PDF file. Text remains text, and only the letters in use are embedded. gonum's vgpdf is
// unsuitable: it encodes text in code page 1252, which lacks Greek, and needs a file system, which browsers lack, to
// embed fonts.
//
// fpdf measures y downwards from the top of the page, but writes it upwards into the file. flipped undoes the conversion,
// so that transformations work as in vg.
type PDF struct {
	doc    *fpdf.Fpdf
	height float64 // height of the page in points
	stack  []pdfState
	images int
}

// pdfState is the state that Pop restores.
type pdfState struct{ lineWidth vg.Length }

// pdfFont is a font in the file, with letters from Liberation Sans. It has that font's PostScript name, so that an
// editor finds the complete font. A tag before the name indicates that the file has only the letters in use.
type pdfFont struct{ name string }

var pdfSans, pdfBold = pdfFont{"LiberationSans"}, pdfFont{"LiberationSans-Bold"}

// pdfTag is the length of a tag: six capitals and a plus sign.
const pdfTag = 7

// family returns the font's name for fpdf, which writes "utf8" before it. This prefix and the name together are as long
// as the final name with its tag, so that Finish can replace them in place.
func (f pdfFont) family() string {
	plain := strings.ToLower(strings.ReplaceAll(f.name, "-", ""))
	return plain + strings.Repeat("x", pdfTag+len(f.name)-len("utf8"+plain))
}

// NewPDF returns a canvas on a page of the given size in points.
func NewPDF(width, height float64) *PDF {
	reproducible()
	doc := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: width, Ht: height}})
	doc.SetAutoPageBreak(false, 0)
	doc.AddUTF8FontFromBytes(pdfSans.family(), "", bytes.Clone(sansFile))
	doc.AddUTF8FontFromBytes(pdfBold.family(), "", bytes.Clone(boldFile))
	doc.AddPage()
	c := &PDF{doc: doc, height: height, stack: make([]pdfState, 1)}
	vg.Initialize(c)
	return c
}

func (c *PDF) flipped(p vg.Point) (x, y float64) { return float64(p.X), c.height - float64(p.Y) }

// SetLineWidth implements vg.Canvas.
func (c *PDF) SetLineWidth(w vg.Length) {
	c.stack[len(c.stack)-1].lineWidth = w
	c.doc.SetLineWidth(float64(w))
}

// SetLineDash implements vg.Canvas.
func (c *PDF) SetLineDash(pattern []vg.Length, offset vg.Length) {
	dashes := make([]float64, len(pattern))
	for i, d := range pattern {
		dashes[i] = float64(d)
	}
	c.doc.SetDashPattern(dashes, float64(offset))
}

// SetColor implements vg.Canvas. A PDF file stores colour and opacity separately.
func (c *PDF) SetColor(col color.Color) {
	n := color.NRGBA{A: 0xff}
	if col != nil {
		n = color.NRGBAModel.Convert(col).(color.NRGBA)
	}
	r, g, b := int(n.R), int(n.G), int(n.B)
	c.doc.SetDrawColor(r, g, b)
	c.doc.SetFillColor(r, g, b)
	c.doc.SetTextColor(r, g, b)
	c.doc.SetAlpha(float64(n.A)/0xff, "Normal")
}

// Rotate implements vg.Canvas.
func (c *PDF) Rotate(angle float64) {
	sin, cos := portable.Sincos(angle)
	c.doc.Transform(fpdf.TransformMatrix{A: cos, B: sin, C: -sin, D: cos})
}

// Translate implements vg.Canvas.
func (c *PDF) Translate(p vg.Point) {
	c.doc.Transform(fpdf.TransformMatrix{A: 1, D: 1, E: float64(p.X), F: float64(p.Y)})
}

// Scale implements vg.Canvas.
func (c *PDF) Scale(x, y float64) { c.doc.Transform(fpdf.TransformMatrix{A: x, D: y}) }

// Push implements vg.Canvas.
func (c *PDF) Push() {
	c.stack = append(c.stack, c.stack[len(c.stack)-1])
	c.doc.TransformBegin()
}

// Pop implements vg.Canvas.
func (c *PDF) Pop() {
	c.doc.TransformEnd()
	c.stack = c.stack[:len(c.stack)-1]
}

// Stroke implements vg.Canvas.
func (c *PDF) Stroke(p vg.Path) {
	if c.stack[len(c.stack)-1].lineWidth > 0 {
		c.path(p, "D")
	}
}

// Fill implements vg.Canvas.
func (c *PDF) Fill(p vg.Path) { c.path(p, "F") }

func (c *PDF) path(p vg.Path, style string) {
	if len(p) == 0 {
		return
	}
	for _, comp := range withoutArcs(p) {
		// fpdf rounds the ends of lines to hundredths, but not the ends of curves. Without the same rounding, a closed path
		// would turn back on itself where a line and a curve meet, and form a spike.
		x, y := c.flipped(vg.Point{X: hundredths(comp.Pos.X), Y: hundredths(comp.Pos.Y)})
		switch {
		case comp.Type == vg.MoveComp:
			c.doc.MoveTo(x, y)
		case comp.Type == vg.LineComp:
			c.doc.LineTo(x, y)
		case comp.Type == vg.CloseComp:
			c.doc.ClosePath()
		case len(comp.Control) == 1:
			u, v := c.flipped(comp.Control[0])
			c.doc.CurveTo(u, v, x, y)
		default:
			u0, v0 := c.flipped(comp.Control[0])
			u1, v1 := c.flipped(comp.Control[1])
			c.doc.CurveBezierCubicTo(u0, v0, u1, v1, x, y)
		}
	}
	c.doc.DrawPath(style)
}

func hundredths(v vg.Length) vg.Length { return vg.Length(math.Round(float64(v)*100) / 100) }

// FillString implements vg.Canvas. It writes ordinary spaces, so that readers can search for the text.
func (c *PDF) FillString(f vgfont.Face, at vg.Point, s string) {
	family := pdfSans.family()
	if f.Font.Weight == font.WeightBold {
		family = pdfBold.family()
	}
	c.doc.SetFont(family, "", float64(f.Font.Size))
	x, y := c.flipped(at)
	c.doc.Text(x, y, strings.ReplaceAll(s, "\u00a0", " "))
}

// DrawImage implements vg.Canvas.
func (c *PDF) DrawImage(r vg.Rectangle, img image.Image) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		c.doc.SetError(fmt.Errorf("image of the picture: %w", err))
		return
	}
	c.images++
	name, options := fmt.Sprint("image", c.images), fpdf.ImageOptions{ImageType: "png"}
	c.doc.RegisterImageOptionsReader(name, options, &b)
	x, y := c.flipped(vg.Point{X: r.Min.X, Y: r.Max.Y})
	size := r.Size()
	c.doc.ImageOptions(name, x, y, float64(size.X), float64(size.Y), false, options, 0, "")
}

// Describe sets the title, subject and keywords of the file.
func (c *PDF) Describe(title, subject, keywords string) {
	c.doc.SetTitle(title, true)
	c.doc.SetSubject(subject, true)
	c.doc.SetKeywords(keywords, true)
}

// Finish completes the file and writes it to w.
func (c *PDF) Finish(w io.Writer) error {
	for len(c.stack) > 1 {
		c.Pop()
	}
	var b bytes.Buffer
	if err := c.doc.Output(&b); err != nil {
		return err
	}
	file := b.Bytes()
	sum := sha256.Sum256(file) // fonts with different letters have different tags
	for i, f := range []pdfFont{pdfSans, pdfBold} {
		tag := make([]byte, pdfTag)
		for j := range tag {
			tag[j] = 'A' + sum[i*pdfTag+j]%26
		}
		tag[pdfTag-1] = '+'
		// The font, its descendant and its descriptor contain the name. All other texts in the file are compressed.
		if err := patch(file, "/utf8"+f.family(), "/"+string(tag)+f.name, 3); err != nil {
			return err
		}
	}
	// Remove the page group, because TeX warns about two figures with page groups on one page. All colours are RGB, so the
	// group does not affect blending.
	const group = "/Group <</Type /Group /S /Transparency /CS /DeviceRGB>>"
	if bytes.Contains(file, []byte(group)) { // files without transparency have no group
		if err := patch(file, group, strings.Repeat(" ", len(group)), 1); err != nil {
			return err
		}
	}
	_, err := w.Write(file)
	return err
}

// patch replaces a text in a file with another text of the same length. It returns an error unless the text occurs the
// given number of times.
func patch(file []byte, old, replacement string, times int) error {
	if found := bytes.Count(file, []byte(old)); found != times || len(old) != len(replacement) {
		return fmt.Errorf("PDF: found %q %d times instead of %d, to replace by %q", old, found, times, replacement)
	}
	for rest := file; ; {
		i := bytes.Index(rest, []byte(old))
		if i < 0 {
			return nil
		}
		rest = rest[i:]
		copy(rest, replacement)
		rest = rest[len(old):]
	}
}

// withoutArcs returns the path with each arc replaced by Bézier curves of at most a quarter turn, because PDF lacks
// arcs.
func withoutArcs(p vg.Path) vg.Path {
	var q vg.Path
	for _, comp := range p {
		if comp.Type != vg.ArcComp {
			q = append(q, comp)
			continue
		}
		n := max(1, int(math.Ceil(math.Abs(comp.Angle)/(math.Pi/2)-1e-9)))
		step := comp.Angle / float64(n)
		reach := vg.Length(4. / 3 * portable.Tan(step/4))
		on := func(angle float64) (p, tangent vg.Point) {
			sin, cos := portable.Sincos(angle)
			r := vg.Point{X: comp.Radius * vg.Length(cos), Y: comp.Radius * vg.Length(sin)}
			return comp.Pos.Add(r), vg.Point{X: -r.Y, Y: r.X}
		}
		for i := range n {
			from, out := on(comp.Start + float64(float64(i)*step))
			to, in := on(comp.Start + float64(float64(i+1)*step))
			if i == 0 {
				q.Line(from)
			}
			q.CubeTo(from.Add(out.Scale(reach)), to.Sub(in.Scale(reach)), to)
		}
	}
	return q
}

package brush

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/numeral"
)

// Field paints f on a grid of nx×ny equal rectangles. Each rectangle has the colour of the value at its centre, or
// stays blank if that value is NaN. lo and hi are the values of the lowest and the highest colour.
func (b *Brush) Field(nx, ny int, f func(x, y float64) float64, lo, hi float64) {
	b.Paint(nx, ny, b.centres(nx, ny, f), lo, hi, b.Theme.Field)
}

// centres evaluates a function at the centres of nx×ny equal parts of the data area, row by row from the top.
func (b *Brush) centres(nx, ny int, f func(x, y float64) float64) []float64 {
	values := make([]float64, 0, nx*ny)
	size := b.Canvas.Size()
	for j := range ny {
		_, y := b.World(vg.Point{Y: b.Canvas.Max.Y - vg.Length((vg.Length(j)+0.5)/vg.Length(ny)*size.Y)})
		for i := range nx {
			x, _ := b.World(vg.Point{X: b.Canvas.Min.X + vg.Length((vg.Length(i)+0.5)/vg.Length(nx)*size.X)})
			values = append(values, f(x, y))
		}
	}
	return values
}

// Paint fills nx×ny equal parts of the data area, row by row from the top, each with the colour of its value.
func (b *Brush) Paint(nx, ny int, values []float64, lo, hi float64, field func(u float64) color.NRGBA) {
	img := image.NewRGBA(image.Rect(0, 0, nx, ny)) // row 0 is the top of an image
	for i, v := range values {
		if !math.IsNaN(v) {
			img.SetRGBA(i%nx, i/nx, color.RGBA(field((v-lo)/(hi-lo)))) // the colour is opaque
		}
	}
	b.Picture(img)
}

// Picture draws an image over the whole data area. Each pixel of the image is a rectangle of one colour.
func (b *Brush) Picture(img image.Image) { b.Canvas.DrawImage(b.Canvas.Rectangle, img) }

// Cells paints a rows×cols matrix over the whole data area, with entry (0, 0) at the top left. The value lo has the
// paper's colour, and hi has the strongest colour. An entry stays blank if it is NaN, or if value returns false. Cells
// prints the values if they fit.
func (b *Brush) Cells(rows, cols int, value func(r, c int) (v float64, ok bool), lo, hi float64) {
	b.Matrix(rows, cols, func(r, c int) (float64, string, bool) {
		v, ok := value(r, c)
		return (v - lo) / (hi - lo), numeral.Fixed(v, 2), ok && !math.IsNaN(v)
	})
}

// Matrix paints a rows×cols matrix over the whole data area, with entry (0, 0) at the top left. entry returns the
// shade, from 0 to 1, and a text, which Matrix writes if the text fits. For a blank entry, entry returns false.
func (b *Brush) Matrix(rows, cols int, entry func(r, c int) (shade float64, text string, ok bool)) {
	if rows <= 0 || cols <= 0 {
		return
	}
	size := b.Canvas.Size()
	w, h := size.X/vg.Length(cols), size.Y/vg.Length(rows)
	f := font.From(Sans, SmallText)
	room := w >= Text.Width("−0.00", f)+6 && h >= 1.6*f.Size
	gap := vg.Length(0)
	if min(w, h) >= 8 {
		gap = 1
	}
	for r := range rows {
		for c := range cols {
			u, text, ok := entry(r, c)
			if !ok {
				continue
			}
			fill := b.Theme.Ramp(u)
			corner := vg.Point{X: b.Canvas.Min.X + vg.Length(vg.Length(c)*w), Y: b.Canvas.Max.Y - vg.Length(vg.Length(r+1)*h)}
			cell := vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: w - gap, Y: h - gap})}
			b.Canvas.SetColor(fill)
			b.Canvas.Fill(cell.Path())
			if width := Text.Width(text, f); room && width <= w-gap {
				Text.Line(b.Canvas, text, f, OnColor(fill), vg.Point{
					X: corner.X + vg.Length((w-gap-width)/2),
					Y: corner.Y + vg.Length((h-gap-font.Length(CapHeight*f.Size))/2),
				})
			}
		}
	}
}

// Dots paints rows×cols opaque dots, with (0, 0) at the top left, into an area of the panel.
func (b *Brush) Dots(area vg.Rectangle, rows, cols int, shade func(r, c int) color.NRGBA) {
	size := area.Size()
	if size.X <= 0 || size.Y <= 0 || rows < 1 || cols < 1 {
		return
	}
	// Use two image pixels per screen pixel. A display smooths an image that it enlarges, and this would blur the dots' edges.
	fx, fy := int(math.Ceil(2*float64(size.X)/float64(cols))), int(math.Ceil(2*float64(size.Y)/float64(rows)))
	img := image.NewRGBA(image.Rect(0, 0, cols*fx, rows*fy))
	for r := range rows {
		line := img.Pix[r*fy*img.Stride:][:img.Stride]
		for c := range cols {
			dot := color.RGBA(shade(r, c)) // the colour is opaque
			for x := c * fx; x < (c+1)*fx; x++ {
				copy(line[4*x:], []uint8{dot.R, dot.G, dot.B, dot.A})
			}
		}
		for y := 1; y < fy; y++ {
			copy(img.Pix[(r*fy+y)*img.Stride:], line)
		}
	}
	b.Canvas.DrawImage(area, img)
}

// Samples returns the values of a function on two grids over the data area, with n points in each direction: centres for
// Paint, and nodes for GridContours. It caches a plane's latest values, because evaluation takes most of the time and a
// picture is drawn several times: in a Trial, in another theme, or beside other panels. key identifies everything that
// the function depends on.
func (b *Brush) Samples(key string, n int, f func(x, y float64) float64) (centres, nodes []float64) {
	s := b.Store.samples.Of(place{key, n, b.X, b.Y, b.Canvas.Rectangle}, func() samples {
		return samples{centres: b.centres(n, n, f), nodes: b.nodes(n, n, f)}
	})
	return s.centres, s.nodes
}

// samples holds a function's values on the two grids of Samples.
type samples struct{ centres, nodes []float64 }

// place identifies everything that a function's samples depend on.
type place struct {
	key   string
	count int // number of nodes in each direction
	x, y  Scale
	area  vg.Rectangle
}

package regression

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// matrix is a row-major matrix.
type matrix struct {
	title         string
	rows, columns int
	entries       []float64
}

// matrices holds the selected run's matrices at the marker, and the true ones if they are known.
type matrices struct {
	key        string
	run, truth []matrix // pairs of learnt and true matrices; truth is nil if the true ones are unknown
	most       float64  // size of the entry with the darkest shade
	off        float64  // distance of the product from the true product, relative to the length of the true product; NaN if unknown
}

// matricesNow returns the displayed matrices, or nil if there are none.
func (s *Scene) matricesNow() *matrices {
	t := s.Timeline()
	chosen := t.Selected()
	if chosen.Run == nil {
		return nil
	}
	key := fmt.Sprint(s.builds, t.Version(), chosen.Name(), min(t.Marker(), chosen.Last()), s.values.View)
	return s.shown.Of(key, func() *matrices { return s.newMatrices(key, t.AtMarker(chosen).X) })
}

func (s *Scene) newMatrices(key string, x []float64) *matrices {
	p := s.data.train
	d, q, r := p.Data().Features(), p.Data().Responses(), p.Rank()
	u, v := transposed(x[:d*r], d, r), x[d*r:]
	product := multiplied(v, u, r, q, d)
	out := &matrices{key: key, off: math.NaN()}
	trueU, trueV := p.Data().Truth()
	if trueU == nil {
		out.run = []matrix{{"Uᵀ", r, d, u}, {"V", r, q, v}}
		if s.values.View == viewProduct {
			out.run = []matrix{{"(U·V)ᵀ", q, d, product}}
		}
	} else {
		trueU = transposed(trueU, d, r)
		trueProduct := multiplied(trueV, trueU, r, q, d)
		out.off = distance(product, trueProduct) / distance(trueProduct, nil)
		if s.values.View == viewProduct {
			out.run, out.truth = []matrix{{"(U·V)ᵀ", q, d, product}}, []matrix{{"(U*·V*)ᵀ", q, d, trueProduct}}
		} else {
			out.run = []matrix{{"(U·A)ᵀ, nearest to the truth", r, d, nearest(u, trueU, r, d)}, {"B·V", r, q, nearest(v, trueV, r, q)}}
			out.truth = []matrix{{"U*ᵀ, the truth", r, d, trueU}, {"V*", r, q, trueV}}
		}
	}
	of := out.truth
	if of == nil {
		of = out.run
	}
	for _, m := range of {
		for _, e := range m.entries {
			out.most = max(out.most, math.Abs(e))
		}
	}
	return out
}

// transposed returns the transpose of a rows×columns matrix.
func transposed(a []float64, rows, columns int) []float64 {
	out := make([]float64, len(a))
	for i := range rows {
		for j := range columns {
			out[j*rows+i] = a[i*columns+j]
		}
	}
	return out
}

// multiplied returns aᵀb, a q×d matrix, for an r×q matrix a and an r×d matrix b.
func multiplied(a, b []float64, r, q, d int) []float64 {
	out := make([]float64, q*d)
	for i := range r {
		for k := range q {
			for j := range d {
				out[k*d+j] += float64(a[i*q+k] * b[i*d+j])
			}
		}
	}
	return out
}

// distance returns ‖a − b‖. A nil b counts as 0.
func distance(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		if b != nil {
			v -= b[i]
		}
		sum += float64(v * v)
	}
	return math.Sqrt(sum)
}

// nearest returns the matrix C·a that is nearest to b in the least-squares sense, where a and b are r×n and C is any
// r×r matrix. That is the projection of b's rows onto the span of a's rows. nearest builds an orthogonal basis of this
// span row by row.
func nearest(a, b []float64, r, n int) []float64 {
	const negligible = 1e-9 // a row with a smaller relative remainder counts as spanned by the others
	out := make([]float64, r*n)
	var basis [][]float64
	for i := range r {
		row := append([]float64(nil), a[i*n:(i+1)*n]...)
		whole := distance(row, nil)
		for range 2 { // the second pass removes the rounding errors of the first
			for _, e := range basis {
				add(row, -inner(row, e), e)
			}
		}
		left := distance(row, nil)
		if !(left > negligible*whole) {
			continue
		}
		for j := range row {
			row[j] /= left
		}
		basis = append(basis, row)
	}
	for i := range r {
		for _, e := range basis {
			add(out[i*n:(i+1)*n], inner(b[i*n:(i+1)*n], e), e)
		}
	}
	return out
}

func inner(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}

// add adds c·b to a in place.
func add(a []float64, c float64, b []float64) {
	for i, v := range b {
		a[i] += float64(c * v)
	}
}

// matrixPanel returns the panel of the selected run's matrices above the true ones.
func (s *Scene) matrixPanel() axes.Panel {
	p := &axes.Plane{Name: "factors", Heading: "Learnt and true matrices", Text: s.describeMatrices, Bare: true,
		Legend: s.matrixLegend, Key: matrixKey}
	p.Axes = func() (axes.Axis, axes.Axis) { return axes.Axis{Max: 1}, axes.Axis{Max: 1} }
	p.Sheets = func() []axes.Sheet {
		m := s.matricesNow()
		if m == nil {
			return axes.WordSheets(s.lacks)
		}
		return []axes.Sheet{{Key: "matrices " + m.key, Draw: m.draw}}
	}
	return p
}

// draw draws the matrices in rows. The first matrix of each row takes most of the width.
func (m *matrices) draw(b *brush.Brush) {
	rows := [][]matrix{m.run}
	if m.truth != nil {
		rows = append(rows, m.truth)
	}
	const head, apart, longest = 20, 16, 0.78
	size := b.Canvas.Size()
	height := size.Y / vg.Length(len(rows))
	for i, row := range rows {
		left := b.Canvas.Min.X
		for j, one := range row {
			width := b.Canvas.Max.X - left
			if j+1 < len(row) {
				width = vg.Length(longest*size.X) - apart
			}
			top := b.Canvas.Max.Y - vg.Length(vg.Length(i)*height)
			area := vg.Rectangle{Min: vg.Point{X: left, Y: top - height + apart/2}, Max: vg.Point{X: left + width, Y: top - head}}
			if area.Size().Y > 1 && width > 1 {
				b.Canvas.DrawImage(area, m.picture(b.Theme, &one, area.Size()))
			}
			x, y := b.World(vg.Point{X: left - 5, Y: area.Max.Y})
			b.Text(max(x, 0), y, one.title, brush.SmallText, b.Theme.Ink, brush.Align{X: 1, Y: 1})
			left += width + apart
		}
	}
}

// below is the hue of negative entries.
var below = color.NRGBA{R: 0xb3, G: 0x58, B: 0x06, A: 0xff}

// matrixLegend returns the legend of the colours. If the true matrices are known, the darkest colour is for their
// largest entry.
func (s *Scene) matrixLegend(t *brush.Theme) []axes.Entry {
	m := s.matricesNow()
	if m == nil {
		return nil
	}
	return []axes.Entry{{Label: timeline.Significant(-m.most), Area: t.Tint(below, 1)}, {Label: "0", Area: t.Ramp(0)},
		{Label: timeline.Significant(m.most), Area: t.Ramp(1)}}
}

// matrixKey returns a short explanation of the colours.
func matrixKey(t *brush.Theme) []axes.Entry {
	return []axes.Entry{{Label: "below 0", Area: t.Tint(below, 1)}, {Label: "above", Area: t.Ramp(1)}}
}

// picture returns an image of a matrix with the given size. Each entry is a rectangle, blue above 0 and orange below.
func (m *matrices) picture(theme *brush.Theme, of *matrix, size vg.Point) image.Image {
	const finest = 2 // dots per pixel, since displays blur enlarged pictures
	dots := func(length vg.Length, cells int) int {
		return int(math.Ceil(finest * float64(length) / float64(cells)))
	}
	w, h := dots(size.X, of.columns), dots(size.Y, of.rows)
	img := image.NewRGBA(image.Rect(0, 0, w*of.columns, h*of.rows))
	for i := range of.rows {
		row := img.Pix[i*h*img.Stride : (i*h+1)*img.Stride]
		for j, v := range of.entries[i*of.columns : (i+1)*of.columns] {
			share := min(1, math.Abs(v)/m.most)
			c := color.RGBA(theme.Ramp(share)) // opaque
			if v < 0 {
				c = color.RGBA(theme.Tint(below, share))
			}
			for x := j * w; x < (j+1)*w; x++ {
				copy(row[4*x:], []uint8{c.R, c.G, c.B, c.A})
			}
		}
		for y := 1; y < h; y++ {
			copy(img.Pix[(i*h+y)*img.Stride:], row)
		}
	}
	return img
}

func (s *Scene) describeMatrices() string {
	m := s.matricesNow()
	if m == nil {
		return s.lacks
	}
	text := fmt.Sprintf("The matrices of %s at the marker. Blue means above 0, and orange means below 0.", s.Timeline().Selected().Label())
	if m.truth == nil {
		return text + " The true matrices are unknown."
	}
	text += " The lower matrices are the true ones, from which the data were drawn."
	if s.values.View == viewFactors {
		text += " Factors are determined only up to an invertible matrix between them. The picture shows the U·A and B·V nearest to the true " +
			"factors."
	}
	return text + fmt.Sprintf(" The distance of U·V from the true product is %s of that product’s length.", timeline.Significant(m.off))
}

package kinds

import (
	"image"
	"image/color"
	imagedraw "image/draw"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/numeral"
)

// HeatMap shows the entries of a matrix as colours, with entry (0, 0) at the top left.
type HeatMap struct {
	Value             func(r, c int) float64 // value of an entry; NaN is left blank
	Flag              func(r, c int) bool    // reports whether to mark an entry; may be nil
	Low, High         float64
	LowText, HighText string // meaning of the ramp's ends
	FlagText          string
	Degrees           bool // print entries as integers with °
	Halves            bool // for symmetric matrices: if cells are too small for markers, show flags instead of values above the diagonal
}

const (
	// These are the minimum cell sizes, in pixels, for gaps between cells, for a marker, and for a number.
	gapCell  = 12
	signCell = 6
	textCell = 34
)

// Draw paints the map over the whole data area. It prints numbers in large cells, and draws cells too small for gaps as
// pixels of an image.
func (m *HeatMap) Draw(b *brush.Brush, rows, cols int) {
	size := b.Canvas.Size()
	w, h := size.X/vg.Length(cols), size.Y/vg.Length(rows)
	t := b.Theme
	shade := func(r, c int) (color.NRGBA, bool) {
		if m.coarse(w, h) && m.Halves && c > r {
			if m.Flag(r, c) {
				return t.Ink, true
			}
			return t.Paper, true
		}
		v := m.Value(r, c)
		if math.IsNaN(v) {
			return color.NRGBA{}, false
		}
		return t.Ramp(0.04 + 0.92*(v-m.Low)/(m.High-m.Low)), true
	}
	if min(w, h) < gapCell {
		// Use two image pixels per screen pixel. A display smooths an image that it enlarges, and this would blur the cells'
		// edges.
		fx, fy := int(math.Ceil(2*float64(w))), int(math.Ceil(2*float64(h)))
		img := image.NewRGBA(image.Rect(0, 0, cols*fx, rows*fy))
		for r := range rows {
			for c := range cols {
				if fill, ok := shade(r, c); ok {
					cell := image.Rect(c*fx, r*fy, (c+1)*fx, (r+1)*fy)
					imagedraw.Draw(img, cell, image.NewUniform(fill), image.Point{}, imagedraw.Src)
				}
			}
		}
		b.Picture(img)
		for r := range rows {
			for c := range cols {
				if m.Flag != nil && !m.coarse(w, h) && m.Flag(r, c) {
					fill, _ := shade(r, c)
					b.Marker(float64(c), float64(rows-1-r), brush.Cross, vg.Length(min(w, h)/2)-1.5, brush.OnColor(fill), false)
				}
			}
		}
		return
	}
	for r := range rows {
		for c := range cols {
			fill, ok := shade(r, c)
			if !ok {
				continue
			}
			x, y := float64(c), float64(rows-1-r)
			const half = 0.48
			b.Box(x-half, y-half, x+half, y+half, fill)
			ink := brush.OnColor(fill)
			roomy := w >= textCell && h >= 16
			if roomy {
				b.Text(x, y, m.number(m.Value(r, c)), brush.SmallText, ink, brush.Centred)
			}
			if m.Flag != nil && m.Flag(r, c) {
				at := [2]float64{x, y}
				if roomy {
					at = [2]float64{x - half + 8/float64(w), y + half - 8/float64(h)}
				}
				b.Marker(at[0], at[1], brush.Cross, 3.5, ink, false)
			}
		}
	}
}

// coarse reports whether cells are too small for markers.
func (m *HeatMap) coarse(w, h vg.Length) bool { return min(w, h) < signCell }

func (m *HeatMap) number(v float64) string {
	if m.Degrees {
		return numeral.Fixed(v, 0) + "°"
	}
	return numeral.Fixed(v, 2)
}

// Legend returns entries that explain the ends of the ramp and the marker.
func (m *HeatMap) Legend(t *brush.Theme) []axes.Entry {
	out := []axes.Entry{{Label: m.LowText, Area: t.Ramp(0.04)}, {Label: m.HighText, Area: t.Ramp(0.96)}}
	if m.Flag != nil {
		out = append(out, axes.Entry{Label: m.FlagText, Shape: brush.Cross, Fill: t.Ink})
	}
	return out
}

package raster

import (
	"image"
	"math"

	"git.sr.ht/~sbinet/gg"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"paretoplay/internal/draw/brush"
)

// sheet is a picture, or a part of one, with its canvas.
type sheet struct {
	*image.RGBA
	canvas canvas
	ratio  float64 // pixels per unit of the canvas
}

func newSheet(size image.Point) *sheet {
	return &sheet{RGBA: image.NewRGBA(image.Rectangle{Max: size})}
}

// part returns a box of a sheet as a separate sheet. The origin of the part is the corner of the box, because gg draws
// from there.
func (s *sheet) part(box image.Rectangle) *sheet {
	box = box.Intersect(s.Rect)
	at := s.SubImage(box).(*image.RGBA)
	return &sheet{RGBA: &image.RGBA{Pix: at.Pix, Stride: at.Stride, Rect: image.Rectangle{Max: box.Size()}}}
}

// canvas is a vgimg canvas for any resolution. vgimg takes whole numbers of dots per inch; scale is the remaining
// factor.
type canvas struct {
	*vgimg.Canvas
	scale float64
}

// SetLineWidth implements vg.Canvas. gg scales positions but not widths.
func (c canvas) SetLineWidth(w vg.Length) { c.Canvas.SetLineWidth(w * vg.Length(c.scale)) }

// SetLineDash implements vg.Canvas.
func (c canvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	scaled := make([]vg.Length, len(pattern))
	for i, d := range pattern {
		scaled[i] = d * vg.Length(c.scale)
	}
	c.Canvas.SetLineDash(scaled, offset*vg.Length(c.scale))
}

// newCanvas returns a canvas for a picture, with ratio pixels per unit of vg.Length.
func newCanvas(on *image.RGBA, ratio float64) canvas {
	dpi := max(1, int(math.Round(ratio*vg.Inch.Points())))
	scale := ratio * vg.Inch.Points() / float64(dpi)
	context := gg.NewContextForRGBA(on)
	context.SetLineCapButt()
	context.InvertY()
	context.Scale(scale, scale)
	// vgimg first paints its image white, then reads only the size. One row with stride 0 replaces the whole image.
	white := &image.RGBA{Pix: make([]byte, 4*on.Rect.Dx()), Rect: on.Rect}
	return canvas{vgimg.NewWith(vgimg.UseImageWithContext(white, context), vgimg.UseDPI(dpi)), scale}
}

// painter implements loop.Painter.
type painter struct{}

func (painter) New(size image.Point) *sheet { return newSheet(size) }

func (painter) Release(*sheet) {}

func (painter) Clear(s *sheet) { clear(s.Pix) }

func (painter) Paint(on *sheet, ratio float64, draw func(c vg.Canvas)) {
	if on.ratio != ratio {
		on.canvas, on.ratio = newCanvas(on.RGBA, ratio), ratio
	}
	on.canvas.Push()
	defer on.canvas.Pop()
	vg.Initialize(on.canvas)
	draw(brush.Kerned{Canvas: on.canvas})
}

// Over implements loop.Painter. It takes most of a frame's time. Unlike image/draw, it therefore skips empty pixels,
// which make up most of a kept layer.
func (painter) Over(on, kept *sheet) {
	const full = 0xff
	for y := range on.Rect.Dy() {
		under, over := on.Pix[y*on.Stride:][:4*on.Rect.Dx()], kept.Pix[y*kept.Stride:][:4*on.Rect.Dx()]
		for len(over) >= 4 {
			switch alpha := over[3]; alpha {
			case 0:
			case full:
				copy(under[:4], over[:4])
			default:
				for i := range 4 {
					under[i] = over[i] + uint8((uint32(under[i])*uint32(full-alpha)+full/2)/full)
				}
			}
			under, over = under[4:], over[4:]
		}
	}
}

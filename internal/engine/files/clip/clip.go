// Package clip creates animated GIFs from pictures of equal size. A GIF has one palette, and each of its pictures holds
// only the changed part.
package clip

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"slices"
)

// maxColours is the size of a GIF's palette without the transparent colour.
const maxColours = 255

// Maker joins pictures into an animation.
type Maker struct {
	palette color.Palette
	index   map[color.RGBA]uint8
	last    *image.Paletted
	film    gif.GIF
}

// NewMaker returns a Maker. The palette has the fixed colours and the colours that fit the samples best.
func NewMaker(fixed []color.Color, samples ...*image.RGBA) *Maker {
	counts := map[color.RGBA]int{}
	for _, s := range samples {
		for i := 0; i < len(s.Pix); i += 4 {
			counts[color.RGBA{s.Pix[i], s.Pix[i+1], s.Pix[i+2], 255}]++
		}
	}
	m := &Maker{index: map[color.RGBA]uint8{}}
	for _, c := range fixed {
		own := color.RGBAModel.Convert(c).(color.RGBA)
		if _, has := m.index[own]; !has && len(m.palette) < maxColours/2 {
			m.index[own] = uint8(len(m.palette))
			m.palette = append(m.palette, own)
			delete(counts, own)
		}
	}
	if len(counts) > 0 {
		others, index := MedianCut(counts, maxColours-len(m.palette))
		for c, i := range index {
			m.index[c] = i + uint8(len(m.palette))
		}
		m.palette = append(m.palette, others...)
	}
	return m
}

// Add appends an opaque picture, which is shown for delay hundredths of a second. It returns an error if the picture's
// size differs from the first picture's size.
func (m *Maker) Add(picture *image.RGBA, delay int) error {
	bounds := picture.Bounds()
	if m.last != nil && bounds != m.last.Bounds() {
		return fmt.Errorf("clip: picture of size %v after pictures of size %v", bounds.Size(), m.last.Bounds().Size())
	}
	next := image.NewPaletted(bounds, m.palette)
	for i := range next.Pix {
		c := color.RGBA{picture.Pix[4*i], picture.Pix[4*i+1], picture.Pix[4*i+2], 255}
		index, known := m.index[c]
		if !known {
			index = uint8(m.palette.Index(c))
			m.index[c] = index
		}
		next.Pix[i] = index
	}
	shown := next
	if m.last != nil {
		shown = Changed(m.last, next)
	}
	m.last = next
	m.film.Image = append(m.film.Image, shown)
	m.film.Delay = append(m.film.Delay, delay)
	m.film.Disposal = append(m.film.Disposal, gif.DisposalNone)
	return nil
}

// Encode returns the animation, which repeats forever.
func (m *Maker) Encode() ([]byte, error) {
	var out bytes.Buffer
	err := gif.EncodeAll(&out, &m.film)
	return out.Bytes(), err
}

// Changed returns the part of a picture that differs from the previous picture. The argument before is the previous
// picture, and after is the current one.
func Changed(before, after *image.Paletted) *image.Paletted {
	var area image.Rectangle
	for x, y := range Dots(after) {
		if before.ColorIndexAt(x, y) != after.ColorIndexAt(x, y) {
			area = area.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	if area.Empty() { // a GIF cannot hold an empty picture
		area = image.Rect(0, 0, 1, 1)
	}
	// Unchanged dots are transparent, which needs one more colour in the palette.
	part := image.NewPaletted(area, append(slices.Clone(after.Palette), color.Transparent))
	for x, y := range Dots(part) {
		index := after.ColorIndexAt(x, y)
		if before.ColorIndexAt(x, y) == index {
			index = uint8(len(after.Palette))
		}
		part.SetColorIndex(x, y, index)
	}
	return part
}

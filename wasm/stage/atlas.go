package stage

import (
	"image"
	"math"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	plotfont "gonum.org/v1/plot/font"

	"paretoplay/internal/draw/brush"
)

// atlas is a picture with the opacities of the glyphs and stamps in use. The corner at the origin is white.
type atlas struct {
	mask   *image.Alpha
	dirty  image.Rectangle // area not yet uploaded
	glyphs map[glyphKey]glyph
	stamps map[stampKey]glyph
	faces  map[faceKey]*face
	shelf  image.Point // place of the next glyph in the current row
	height int         // height of the current row
}

// atlasSize is the atlas's side length in texels, with room for about 5000 glyphs of 11 px.
const atlasSize = 1024

// subpixels is the number of positions within a pixel at which a glyph can be drawn.
const subpixels = 4

type faceKey struct {
	font plotfont.Font
	dpi  float64
}

// face is a font at a size. The keys of glyphs contain the number of their face.
type face struct {
	font.Face
	number int32
	of     plotfont.Face
	size   fixed.Int26_6 // in pixels
	buf    sfnt.Buffer
}

// kern returns the kerning between two letters: the distance to add to their widths.
func (f *face) kern(left, right rune) fixed.Int26_6 {
	units, perSize := brush.KernOf(&f.buf, f.of, left, right)
	return fixed.Int26_6(math.Round(float64(units) * float64(f.size) / float64(perSize)))
}

type glyphKey struct {
	face int32
	r    rune
	sub  uint8
}

type glyph struct {
	at     image.Point // position in the atlas
	bounds image.Rectangle
}

// maxFaces is the maximum number of faces kept. Without this limit, sizes used only once, as during zooming, would pile
// up.
const maxFaces = 64

func newAtlas() *atlas {
	a := &atlas{mask: image.NewAlpha(image.Rect(0, 0, atlasSize, atlasSize))}
	a.reset()
	return a
}

// reset removes all glyphs and faces.
func (a *atlas) reset() {
	clear(a.mask.Pix)
	for y := range 3 {
		for x := range 3 {
			a.mask.Pix[y*a.mask.Stride+x] = 0xff
		}
	}
	a.dirty = a.mask.Rect
	a.glyphs = map[glyphKey]glyph{}
	a.stamps = map[stampKey]glyph{}
	a.faces = map[faceKey]*face{}
	a.shelf, a.height = image.Pt(4, 0), 4
}

// face returns the font at a resolution. ok is false if the atlas must be reset first.
func (a *atlas) face(f plotfont.Face, dpi float64) (_ *face, ok bool) {
	key := faceKey{f.Font, dpi}
	if known := a.faces[key]; known != nil {
		return known, true
	}
	if len(a.faces) == maxFaces {
		return nil, false
	}
	const dots = 72 // points per inch; the font's size is in points
	size := fixed.Int26_6(math.Round(float64(f.Font.Size) * dpi / dots * 64))
	made := &face{Face: f.FontFace(dpi), number: int32(len(a.faces)), of: f, size: size}
	a.faces[key] = made
	return made, true
}

// glyph returns the picture of r, shifted to the right by sub/subpixels of a pixel. ok is false if the atlas is full
// and must be reset.
func (a *atlas) glyph(f *face, r rune, sub uint8) (g glyph, ok bool) {
	key := glyphKey{f.number, r, sub}
	if g, known := a.glyphs[key]; known {
		return g, true
	}
	dot := fixed.Point26_6{X: fixed.Int26_6(sub) * 64 / subpixels}
	bounds, mask, at, _, drawn := f.Glyph(dot, r)
	if !drawn {
		bounds = image.Rectangle{}
	}
	size := bounds.Size()
	if size.X >= atlasSize || size.Y >= atlasSize {
		bounds, size = image.Rectangle{}, image.Point{}
	}
	if !a.room(size) {
		return glyph{}, false
	}
	g = glyph{at: a.shelf, bounds: bounds}
	a.glyphs[key] = g
	if bounds.Empty() {
		return g, true
	}
	for y := range size.Y {
		row := a.mask.Pix[(g.at.Y+y)*a.mask.Stride+g.at.X:]
		for x := range size.X {
			_, _, _, alpha := mask.At(at.X+x, at.Y+y).RGBA()
			row[x] = uint8(alpha >> 8)
		}
	}
	a.filled(size)
	return g, true
}

// stamp returns the picture of an outline. ok is false if the atlas is full and must be reset.
func (a *atlas) stamp(key stampKey, s *stamps) (g glyph, ok bool) {
	if g, known := a.stamps[key]; known {
		return g, true
	}
	mask := s.opacities(key)
	size := mask.Rect.Size()
	if !a.room(size) {
		return glyph{}, false
	}
	g = glyph{at: a.shelf, bounds: mask.Rect}
	a.stamps[key] = g
	for y := range size.Y {
		copy(a.mask.Pix[(g.at.Y+y)*a.mask.Stride+g.at.X:], mask.Pix[y*mask.Stride:][:size.X])
	}
	a.filled(size)
	return g, true
}

// room moves the shelf to a place with room for a picture of the given size, and reports whether there is such a place.
// One texel around each picture stays empty, so that bilinear samples do not mix pictures.
func (a *atlas) room(size image.Point) bool {
	if a.shelf.X+size.X+1 > atlasSize {
		a.shelf = image.Pt(1, a.shelf.Y+a.height)
		a.height = 0
	}
	return a.shelf.Y+size.Y+1 <= atlasSize
}

// filled records that a picture of the given size has been placed on the shelf.
func (a *atlas) filled(size image.Point) {
	a.dirty = a.dirty.Union(image.Rectangle{Min: a.shelf, Max: a.shelf.Add(size)})
	a.shelf.X += size.X + 1
	a.height = max(a.height, size.Y+1)
}

// changed appends to pix the pixels that have changed since the last call, as premultiplied white. It returns the
// result and the area of these pixels.
func (a *atlas) changed(pix []byte) ([]byte, image.Rectangle) {
	r := a.dirty
	a.dirty = image.Rectangle{}
	pix = slices.Grow(pix, 4*r.Dx()*r.Dy())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, v := range a.mask.Pix[y*a.mask.Stride+r.Min.X : y*a.mask.Stride+r.Max.X] {
			pix = append(pix, v, v, v, v)
		}
	}
	return pix, r
}

// text adds a line of glyphs whose baseline starts at the origin of m, where m maps pixels (y downwards) to the
// destination. It returns false and adds nothing if the atlas must be reset.
func (b *batch) text(a *atlas, f *face, s string, m affine, c paint) bool {
	vertices, indices := len(b.vertices), len(b.indices)
	// In text turned by a multiple of 90°, glyphs are aligned to the pixel grid. turn maps the baseline onto the x axis, and is exact.
	turn := affine{a: math.Round(m.a), b: math.Round(m.b), c: math.Round(m.c), d: math.Round(m.d)}
	const straight = 1e-6
	snapped := math.Abs(m.a-turn.a)+math.Abs(m.b-turn.b)+math.Abs(m.c-turn.c)+math.Abs(m.d-turn.d) < straight &&
		math.Abs(turn.a*turn.d-turn.b*turn.c) == 1
	origin := point{}
	if snapped {
		// The inverse of a signed permutation is its transpose.
		origin = point{
			x: float32(turn.a*m.e + turn.b*m.f),
			y: float32(math.Round(turn.c*m.e + turn.d*m.f)),
		}
		m = turn
	}
	x := fixed.Int26_6(0)
	previous := rune(-1)
	for _, r := range s {
		if previous >= 0 {
			x += f.kern(previous, r)
		}
		previous = r
		left := origin.x + float32(x)/64
		sub := uint8(0)
		if snapped {
			quarters := math.Floor(float64(left)*subpixels + 0.5)
			whole := math.Floor(quarters / subpixels)
			sub = uint8(quarters - whole*subpixels)
			left = float32(whole)
		}
		g, ok := a.glyph(f, r, sub)
		if !ok {
			b.vertices, b.indices = b.vertices[:vertices], b.indices[:indices]
			return false
		}
		if !g.bounds.Empty() {
			x0, y0 := left+float32(g.bounds.Min.X), origin.y+float32(g.bounds.Min.Y)
			size := g.bounds.Size()
			x1, y1 := x0+float32(size.X), y0+float32(size.Y)
			corners := [4]point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
			for i, p := range corners {
				corners[i] = point{
					float32(m.a*float64(p.x) + m.c*float64(p.y) + m.e),
					float32(m.b*float64(p.x) + m.d*float64(p.y) + m.f),
				}
			}
			u, v := float32(g.at.X), float32(g.at.Y)
			b.textured(corners, u, v, u+float32(size.X), v+float32(size.Y), c)
		}
		advance, _ := f.GlyphAdvance(r)
		x += advance
	}
	if !snapped {
		b.smooth = true
	}
	return true
}

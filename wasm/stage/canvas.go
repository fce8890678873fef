package stage

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/hajimehoshi/ebiten/v2"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/engine/loop"
)

// Canvas is a vg.Canvas that draws on an Ebiten image. Lines, fills and text become triangles of one draw call;
// pictures and self-crossing outlines need separate calls. A Canvas can draw several images in turn: Reset starts an
// image, and Flush ends it. The zero value is not usable.
type Canvas struct {
	dst   *ebiten.Image
	clip  image.Rectangle
	size  vg.Point
	dpi   float64
	now   state
	stack []state

	lines, dashes polylines
	batch         batch
	atlas         *atlas
	texture       *ebiten.Image // copy of the atlas
	stamps        stamps
	coverage      coverage
	scratch       pool
	pix           []byte

	triangles int // number drawn since the canvas was created
	largest   int // triangles in the largest draw call since this field was last set to 0
}

// A draw call has fewer than maxTriangles triangles, plus those of one piece of a line. A piece has at most
// longestPiece points. The bound matters because every image keeps buffers for its largest call. Ebitengine joins
// consecutive calls.
const (
	maxTriangles = 1 << 12
	longestPiece = 512
)

// state is what Push saves.
type state struct {
	m      affine
	width  float64 // in pixels
	dash   []float64
	offset float64
	paint  paint
}

var _ vg.CanvasSizer = (*Canvas)(nil)

// NewCanvas returns a canvas. Call Reset before drawing.
func NewCanvas() *Canvas {
	return &Canvas{
		atlas:   newAtlas(),
		texture: ebiten.NewImageWithOptions(image.Rect(0, 0, atlasSize, atlasSize), &ebiten.NewImageOptions{Unmanaged: true}),
	}
}

// Reset sets dst as the target, which may be part of a larger image, with ratio pixels per unit of vg.Length.
func (c *Canvas) Reset(dst *ebiten.Image, ratio float64) {
	c.dst, c.clip, c.dpi = dst, dst.Bounds(), ratio*vg.Inch.Points()
	c.size = vg.Point{X: vg.Length(float64(c.clip.Dx()) / ratio), Y: vg.Length(float64(c.clip.Dy()) / ratio)}
	c.stack = c.stack[:0]
	c.now = state{m: affine{a: ratio, d: -ratio, e: float64(c.clip.Min.X), f: float64(c.clip.Max.Y)}}
	c.batch.clear()
	vg.Initialize(c)
}

// Size implements vg.CanvasSizer.
func (c *Canvas) Size() (x, y vg.Length) { return c.size.X, c.size.Y }

// SetLineWidth implements vg.Canvas.
func (c *Canvas) SetLineWidth(w vg.Length) { c.now.width = w.Dots(c.dpi) }

// SetLineDash implements vg.Canvas. A pattern of length 0 gives a solid line.
func (c *Canvas) SetLineDash(pattern []vg.Length, offset vg.Length) {
	c.now.dash, c.now.offset = nil, offset.Dots(c.dpi)
	total := 0.0
	dash := make([]float64, len(pattern))
	for i, d := range pattern {
		dash[i] = max(0, d.Dots(c.dpi))
		total += dash[i]
	}
	if total > 0 {
		c.now.dash = dash
	}
}

// SetColor implements vg.Canvas; nil means black.
func (c *Canvas) SetColor(col color.Color) {
	if col == nil {
		col = color.Black
	}
	const full = 0xffff
	r, g, b, a := col.RGBA()
	c.now.paint = paint{float32(r) / full, float32(g) / full, float32(b) / full, float32(a) / full}
}

// Rotate implements vg.Canvas.
func (c *Canvas) Rotate(radians float64) {
	sin, cos := math.Sincos(radians)
	c.now.m = c.now.m.after(affine{a: cos, b: sin, c: -sin, d: cos})
}

// Translate implements vg.Canvas.
func (c *Canvas) Translate(p vg.Point) {
	c.now.m = c.now.m.after(affine{a: 1, d: 1, e: float64(p.X), f: float64(p.Y)})
}

// Scale implements vg.Canvas.
func (c *Canvas) Scale(x, y float64) { c.now.m = c.now.m.after(affine{a: x, d: y}) }

// Push implements vg.Canvas.
func (c *Canvas) Push() { c.stack = append(c.stack, c.now) }

// Pop implements vg.Canvas.
func (c *Canvas) Pop() {
	c.now = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
}

// Stroke implements vg.Canvas.
func (c *Canvas) Stroke(p vg.Path) {
	if c.now.width <= 0 || c.now.paint.a == 0 {
		return
	}
	c.lines.flatten(p, c.now.m)
	lines := &c.lines
	if c.now.dash != nil {
		c.dashes.dash(lines, c.now.dash, c.now.offset)
		lines = &c.dashes
	}
	translucent := c.now.paint.a < 1
	if translucent && (c.overlaps(lines) || len(c.lines.parts) > 1) {
		c.strokeTranslucent(lines)
		return
	}
	// A closed line without overlap is round, so its stroke can be stamped.
	if translucent && c.now.width >= 1 && len(lines.parts) == 1 && lines.parts[0].closed && len(lines.points) > 2 &&
		c.stamp(lines.points, float32(c.now.width)) {
		return
	}
	c.strokeParts(lines, translucent, c.Flush)
}

// strokeParts adds a stroke to the batch, and calls full whenever the batch has enough triangles for a draw call. If
// once is true, all closed lines must be round; then no pixel is covered twice.
func (c *Canvas) strokeParts(lines *polylines, once bool, full func()) {
	for _, part := range lines.parts {
		points := lines.of(part)
		for len(points) > longestPiece && !part.closed {
			c.batch.stroke(points[:longestPiece], false, false, float32(c.now.width), c.now.paint)
			points = points[longestPiece-1:]
			c.batch.bound(full)
		}
		c.batch.stroke(points, part.closed, once, float32(c.now.width), c.now.paint)
		c.batch.bound(full)
	}
}

// overlaps reports whether the stroke of any one of the lines may cover a pixel twice.
func (c *Canvas) overlaps(l *polylines) bool {
	for _, p := range l.parts {
		if p.to-p.from > 2 && !(p.closed && c.batch.round(l.of(p), float32(c.now.width))) {
			return true
		}
	}
	return false
}

// most blends by keeping the larger of the old and new values, so that a stroke is not more opaque where it crosses
// itself.
var most = ebiten.Blend{
	BlendFactorSourceRGB:        ebiten.BlendFactorOne,
	BlendFactorSourceAlpha:      ebiten.BlendFactorOne,
	BlendFactorDestinationRGB:   ebiten.BlendFactorOne,
	BlendFactorDestinationAlpha: ebiten.BlendFactorOne,
	BlendOperationRGB:           ebiten.BlendOperationMax,
	BlendOperationAlpha:         ebiten.BlendOperationMax,
}

// strokeTranslucent draws a stroke opaquely on a separate image and then blends it as a whole.
func (c *Canvas) strokeTranslucent(lines *polylines) {
	c.Flush()
	box := lines.bounds(float32(c.now.width)/2 + 1).Intersect(c.clip)
	if box.Empty() {
		return
	}
	shift := c.clip.Min
	sheet := c.scratch.get(c.clip.Size()).SubImage(box.Sub(shift)).(*ebiten.Image)
	sheet.Clear()
	submit := func() {
		for i := range c.batch.vertices {
			c.batch.vertices[i].DstX -= float32(shift.X)
			c.batch.vertices[i].DstY -= float32(shift.Y)
		}
		c.submit(sheet, most)
	}
	c.strokeParts(lines, false, submit)
	submit()
	options := &ebiten.DrawImageOptions{}
	options.GeoM.Translate(float64(box.Min.X), float64(box.Min.Y))
	c.dst.DrawImage(sheet, options)
}

// Fill implements vg.Canvas. A point is inside if its winding number is not 0.
func (c *Canvas) Fill(p vg.Path) {
	if c.now.paint.a == 0 {
		return
	}
	c.lines.flatten(p, c.now.m)
	const corners = 4 // with up to this number of corners, triangles take hardly more vertices than a stamp
	if len(c.lines.parts) == 1 && len(c.lines.points) > corners && c.stamp(c.lines.points, 0) {
		return
	}
	if len(c.lines.parts) == 0 || len(c.lines.parts) == 1 && c.batch.fill(c.lines.points, c.now.paint) {
		c.batch.bound(c.Flush)
		return
	}
	mask := c.coverage.fill(&c.lines, c.clip)
	if mask.Rect.Empty() {
		return
	}
	c.Flush()
	c.pix = c.pix[:0]
	for _, v := range mask.Pix {
		s := float32(v)
		q := c.now.paint
		c.pix = append(c.pix, byte(q.r*s+0.5), byte(q.g*s+0.5), byte(q.b*s+0.5), byte(q.a*s+0.5))
	}
	sheet := c.scratch.get(mask.Rect.Size())
	sheet.WritePixels(c.pix)
	options := &ebiten.DrawImageOptions{}
	options.GeoM.Translate(float64(mask.Rect.Min.X), float64(mask.Rect.Min.Y))
	c.dst.DrawImage(sheet, options)
}

// FillString implements vg.Canvas.
func (c *Canvas) FillString(f plotfont.Face, at vg.Point, s string) {
	// Glyphs are drawn at the size that they have on the screen, so only a rotation remains.
	scale := c.now.m.scale()
	if f.Font.Size == 0 || s == "" || scale == 0 || c.now.paint.a == 0 {
		return
	}
	origin := c.now.m.apply(at)
	if !finite(origin) {
		return
	}
	m := affine{
		a: c.now.m.a / scale, b: c.now.m.b / scale,
		c: -c.now.m.c / scale, d: -c.now.m.d / scale,
		e: float64(origin.x), f: float64(origin.y),
	}
	dpi := scale * vg.Inch.Points()
	for range 2 {
		if face, ok := c.atlas.face(f, dpi); ok && c.batch.text(c.atlas, face, s, m, c.now.paint) {
			c.batch.bound(c.Flush)
			return
		}
		c.Flush()
		c.atlas.reset()
	}
}

// DrawImage implements vg.Canvas. It scales img to rect with bilinear sampling.
func (c *Canvas) DrawImage(rect vg.Rectangle, img image.Image) {
	b := img.Bounds()
	if b.Empty() {
		return
	}
	c.Flush()
	// The edges would fade without a border that repeats the outermost pixels.
	padded := image.NewRGBA(image.Rect(0, 0, b.Dx()+2, b.Dy()+2))
	draw.Draw(padded, image.Rect(1, 1, b.Dx()+1, b.Dy()+1), img, b.Min, draw.Src)
	repeatEdges(padded)
	sheet := c.scratch.get(padded.Rect.Size())
	sheet.WritePixels(padded.Pix)
	m := c.now.m
	corners := [4]point{
		m.apply(vg.Point{X: rect.Min.X, Y: rect.Max.Y}), m.apply(rect.Max),
		m.apply(vg.Point{X: rect.Max.X, Y: rect.Min.Y}), m.apply(rect.Min),
	}
	c.batch.textured(corners, 1, 1, float32(b.Dx()+1), float32(b.Dy()+1), paint{1, 1, 1, 1})
	c.batch.smooth = true
	c.draw(c.dst, sheet, ebiten.BlendSourceOver)
}

// repeatEdges copies the outermost pixels of a padded picture into its border.
func repeatEdges(img *image.RGBA) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	for y := 1; y < h-1; y++ {
		row := img.Pix[y*img.Stride:]
		copy(row[:4], row[4:8])
		copy(row[4*(w-1):4*w], row[4*(w-2):4*(w-1)])
	}
	copy(img.Pix[:4*w], img.Pix[img.Stride:])
	copy(img.Pix[(h-1)*img.Stride:], img.Pix[(h-2)*img.Stride:(h-1)*img.Stride])
}

// Flush draws all pending shapes.
func (c *Canvas) Flush() { c.submit(c.dst, ebiten.BlendSourceOver) }

func (c *Canvas) submit(dst *ebiten.Image, blend ebiten.Blend) {
	var fresh image.Rectangle
	if c.pix, fresh = c.atlas.changed(c.pix[:0]); !fresh.Empty() {
		c.texture.SubImage(fresh).(*ebiten.Image).WritePixels(c.pix)
	}
	c.draw(dst, c.texture, blend)
}

func (c *Canvas) draw(dst, src *ebiten.Image, blend ebiten.Blend) {
	if len(c.batch.indices) == 0 {
		c.batch.clear()
		return
	}
	options := &ebiten.DrawTrianglesOptions{
		ColorScaleMode: ebiten.ColorScaleModePremultipliedAlpha,
		Blend:          blend,
		DisableMipmaps: true,
	}
	if c.batch.smooth {
		options.Filter = ebiten.FilterLinear
	}
	c.triangles += len(c.batch.indices) / 3
	c.largest = max(c.largest, len(c.batch.indices)/3)
	dst.DrawTriangles32(c.batch.vertices, c.batch.indices, src, options)
	c.batch.clear()
}

// pool lends one image per size, for drawings that are finished immediately.
type pool struct {
	images map[image.Point]*lent
	frame  int
}

type lent struct {
	image *ebiten.Image
	frame int // frame in which the image was last lent
}

func (p *pool) get(size image.Point) *ebiten.Image {
	l := p.images[size]
	if l == nil {
		if p.images == nil {
			p.images = map[image.Point]*lent{}
		}
		l = &lent{image: ebiten.NewImageWithOptions(image.Rectangle{Max: size}, &ebiten.NewImageOptions{Unmanaged: true})}
		p.images[size] = l
	}
	l.frame = p.frame
	return l.image
}

// next starts a frame and frees images that have not been used for a long time.
func (p *pool) next() {
	p.frame++
	for size, l := range p.images {
		if p.frame-l.frame > loop.IdleFrames {
			l.image.Deallocate()
			delete(p.images, size)
		}
	}
}

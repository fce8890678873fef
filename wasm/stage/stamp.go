package stage

import (
	"image"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
)

// Outlines that recur often, such as a cloud's points, are stamped. The atlas holds their opacities, as for a glyph, and
// each copy takes four vertices instead of fifty.
const (
	stampReach  = 16   // maximum distance in pixels from an outline's first point to all others
	stampPoints = 20   // maximum number of an outline's points
	stampedFrom = 64   // number of times that an outline must recur before it is stamped
	stampGrain  = 16   // number of parts into which a pixel is divided; outlines are rounded to whole parts before they are compared
	maxOutlines = 1024 // maximum number of outlines counted
)

// outline is a closed line without its position.
type outline struct {
	points [stampPoints][2]int16 // relative to the first point, in parts of a pixel
	count  int
	width  float32 // stroke width; 0 for a fill
}

// outlineOf returns the outline of points, or false if it is too large for a stamp.
func outlineOf(points []point, width float32) (o outline, ok bool) {
	if len(points) > stampPoints {
		return outline{}, false
	}
	o.count, o.width = len(points), width
	for i, p := range points {
		d := p.sub(points[0])
		if !(max(d.x, -d.x, d.y, -d.y) <= stampReach) {
			return outline{}, false
		}
		o.points[i] = [2]int16{int16(math.Round(float64(d.x * stampGrain))), int16(math.Round(float64(d.y * stampGrain)))}
	}
	return o, true
}

// stampKey is an outline whose first point is x subpixels to the right of a whole pixel and y subpixels below it.
type stampKey struct {
	outline
	x, y uint8
}

// stamps counts outlines and computes their opacities. The zero value is ready to use.
type stamps struct {
	seen     map[outline]int
	batch    batch
	lines    polylines
	coverage coverage
}

// often counts an outline and reports whether it has recurred often enough.
func (s *stamps) often(o outline) bool {
	if s.seen[o] >= stampedFrom {
		return true
	}
	if s.seen == nil || len(s.seen) >= maxOutlines {
		s.seen = map[outline]int{}
	}
	s.seen[o]++
	return false
}

// opacities returns the opacities of a stamp around a whole pixel. They are valid until the next call.
func (s *stamps) opacities(key stampKey) *image.Alpha {
	points := make([]point, key.count)
	for i, p := range key.points[:key.count] {
		points[i] = point{float32(p[0])/stampGrain + float32(key.x)/subpixels, float32(p[1])/stampGrain + float32(key.y)/subpixels}
	}
	s.lines.clear()
	s.lines.begin()
	if key.width == 0 {
		for _, p := range points {
			s.lines.add(p)
		}
	} else {
		// The edge is midway between the vertices where the fade of the stroke's side starts and ends. The second side
		// runs in the opposite direction, so that one of the two sides is a hole in the other.
		s.batch.clear()
		s.batch.stroke(points, true, true, key.width, paint{1, 1, 1, 1})
		rows := slices.Collect(slices.Chunk(s.batch.vertices, 4))
		for _, r := range rows {
			s.lines.add(point{(r[0].DstX + r[1].DstX) / 2, (r[0].DstY + r[1].DstY) / 2})
		}
		s.lines.begin()
		for _, r := range slices.Backward(rows) {
			s.lines.add(point{(r[2].DstX + r[3].DstX) / 2, (r[2].DstY + r[3].DstY) / 2})
		}
	}
	const all = 4 * stampReach
	return s.coverage.fill(&s.lines, image.Rect(-all, -all, all, all))
}

// stamp draws an outline or its stroke if the outline recurs often, and reports whether it has drawn anything.
func (c *Canvas) stamp(points []point, width float32) bool {
	o, small := outlineOf(points, width)
	if !small {
		return false
	}
	x, right := wholePixels(points[0].x)
	y, down := wholePixels(points[0].y)
	key := stampKey{o, right, down}
	if _, known := c.atlas.stamps[key]; !known && !c.stamps.often(o) {
		return false
	}
	for range 2 {
		if g, ok := c.atlas.stamp(key, &c.stamps); ok {
			c.batch.glyph(g, x, y, c.now.paint)
			c.batch.bound(c.Flush)
			return true
		}
		c.Flush()
		c.atlas.reset()
	}
	return false
}

// Stamps implements brush.Stamper. All marks go into one draw call.
func (c *Canvas) Stamps(outline vg.Path, marks []brush.Stamp) {
	c.lines.flatten(outline, c.now.m)
	if len(c.lines.parts) == 0 {
		return
	}
	first := c.lines.points[0]
	o, small := outlineOf(c.lines.points, 0)
	if !small { // too large for a stamp
		for _, m := range marks {
			c.Push()
			c.Translate(m.At)
			c.SetColor(m.Fill)
			c.Fill(outline)
			c.Pop()
		}
		return
	}
	glyphs, ok := c.stampsOf(o)
	if !ok {
		c.Flush()
		c.atlas.reset()
		if glyphs, ok = c.stampsOf(o); !ok {
			return
		}
	}
	shift := first.sub(c.now.m.apply(vg.Point{}))
	for i := range marks {
		at := c.now.m.apply(marks[i].At)
		x, right := wholePixels(at.x + shift.x)
		y, down := wholePixels(at.y + shift.y)
		const full = 0xff
		f := marks[i].Fill
		a := float32(f.A) / full
		c.batch.glyph(glyphs[down][right], x, y, paint{float32(f.R) / full * a, float32(f.G) / full * a, float32(f.B) / full * a, a})
	}
	c.batch.bound(c.Flush)
}

// stampsOf returns an outline's glyphs, one for each subpixel offset. ok is false if the atlas is full and must be reset.
func (c *Canvas) stampsOf(o outline) (glyphs [subpixels][subpixels]glyph, ok bool) {
	for y := range subpixels {
		for x := range subpixels {
			if glyphs[y][x], ok = c.atlas.stamp(stampKey{o, uint8(x), uint8(y)}, &c.stamps); !ok {
				return glyphs, false
			}
		}
	}
	return glyphs, true
}

// wholePixels rounds a position to subpixels and returns it as a whole pixel plus a number of subpixels.
func wholePixels(v float32) (whole float32, sub uint8) {
	parts := math.Floor(float64(v)*subpixels + 0.5)
	floor := math.Floor(parts / subpixels)
	return float32(floor), uint8(parts - floor*subpixels)
}

// glyph adds the picture g around a whole pixel.
func (b *batch) glyph(g glyph, x, y float32, c paint) {
	x, y = x+float32(g.bounds.Min.X), y+float32(g.bounds.Min.Y)
	w, h := float32(g.bounds.Dx()), float32(g.bounds.Dy())
	u, v := float32(g.at.X), float32(g.at.Y)
	b.textured([4]point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, u, v, u+w, v+h, c)
}

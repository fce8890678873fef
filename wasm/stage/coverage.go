package stage

import (
	"image"
	"math"

	"golang.org/x/image/vector"
)

// coverage rasterises outlines that triangles cannot represent well, because they have several parts, holes or
// crossings. It reuses its storage.
type coverage struct {
	raster vector.Rasterizer
	mask   image.Alpha
	cut    [2][]point
}

// fill returns the opacities of l's inside (nonzero winding) within clip. The picture is valid until the next call. It is empty if
// nothing is visible.
func (c *coverage) fill(l *polylines, clip image.Rectangle) *image.Alpha {
	box := l.bounds(0).Intersect(clip)
	c.mask.Rect, c.mask.Stride = box, box.Dx()
	n := box.Dx() * box.Dy()
	if cap(c.mask.Pix) < n {
		c.mask.Pix = make([]byte, n)
	}
	c.mask.Pix = c.mask.Pix[:n]
	if n == 0 {
		return &c.mask
	}
	clear(c.mask.Pix)
	c.raster.Reset(box.Dx(), box.Dy())
	origin := point{float32(box.Min.X), float32(box.Min.Y)}
	for _, p := range l.parts {
		points := c.clip(l.of(p), box)
		for i, q := range points {
			if q = q.sub(origin); i == 0 {
				c.raster.MoveTo(q.x, q.y)
			} else {
				c.raster.LineTo(q.x, q.y)
			}
		}
		c.raster.ClosePath()
	}
	c.raster.Draw(&c.mask, box, image.Opaque, image.Point{})
	return &c.mask
}

// clip cuts an outline to a box, one side after another (Sutherland and Hodgman).
func (c *coverage) clip(points []point, box image.Rectangle) []point {
	sides := [4]struct{ n, at point }{
		{point{1, 0}, point{float32(box.Min.X), 0}},
		{point{-1, 0}, point{float32(box.Max.X), 0}},
		{point{0, 1}, point{0, float32(box.Min.Y)}},
		{point{0, -1}, point{0, float32(box.Max.Y)}},
	}
	in := points
	for k, side := range sides {
		out := c.cut[k%2][:0]
		for i, p := range in {
			before := in[(i+len(in)-1)%len(in)]
			hp := side.n.x*(p.x-side.at.x) + side.n.y*(p.y-side.at.y)
			hb := side.n.x*(before.x-side.at.x) + side.n.y*(before.y-side.at.y)
			if hp < 0 != (hb < 0) {
				out = append(out, before.along(p.sub(before), hb/(hb-hp)))
			}
			if hp >= 0 {
				out = append(out, p)
			}
		}
		c.cut[k%2], in = out, out
	}
	return in
}

// bounds returns the box of whole pixels around l, extended by margin.
func (l *polylines) bounds(margin float32) image.Rectangle {
	if len(l.points) == 0 {
		return image.Rectangle{}
	}
	lo, hi := l.points[0], l.points[0]
	for _, p := range l.points[1:] {
		lo = point{min(lo.x, p.x), min(lo.y, p.y)}
		hi = point{max(hi.x, p.x), max(hi.y, p.y)}
	}
	const far = 1 << 20 // a number of pixels larger than any screen
	whole := func(v float64) int { return int(max(-far, min(far, v))) }
	return image.Rect(
		whole(math.Floor(float64(lo.x-margin))), whole(math.Floor(float64(lo.y-margin))),
		whole(math.Ceil(float64(hi.x+margin))), whole(math.Ceil(float64(hi.y+margin))),
	)
}

package brush

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// Stamp is a mark at a place in the panel.
type Stamp struct {
	At   vg.Point
	Fill color.NRGBA
}

// Stamper is a canvas that can draw thousands of equal marks at once. Its method Stamps fills the same outline at the
// place of every mark. The outline is given around the origin.
type Stamper interface {
	Stamps(outline vg.Path, marks []Stamp)
}

// Stamps draws marks of one shape, Circle or Cross, and one radius in pixels, without edges. It omits marks outside the
// data area. If the canvas is a Stamper, Stamps draws all marks at once.
func (b *Brush) Stamps(shape Shape, radius vg.Length, marks []Stamp) {
	inside := b.Store.stamps[:0]
	for _, m := range marks {
		if b.Inside(m.At) {
			inside = append(inside, m)
		}
	}
	b.Store.stamps = inside
	if len(inside) == 0 {
		return
	}
	if s, is := b.Canvas.Canvas.(Stamper); is {
		b.Store.path = appendStamp(b.Store.path[:0], shape, vg.Point{}, radius)
		s.Stamps(b.Store.path, inside)
		return
	}
	for _, m := range inside {
		b.Store.path = appendStamp(b.Store.path[:0], shape, m.At, radius)
		b.Canvas.SetColor(m.Fill)
		b.Canvas.Fill(b.Store.path)
	}
}

// appendStamp appends the outline of a shape to a path. The outline of a cross encloses an area.
func appendStamp(p vg.Path, s Shape, at vg.Point, r vg.Length) vg.Path {
	if s != Cross {
		return appendShape(p, Circle, at, r)
	}
	const thick = 0.26 // half of an arm's width, relative to the radius
	for i := range 4 {
		sin, cos := [4]vg.Length{0, 1, 0, -1}[i], [4]vg.Length{1, 0, -1, 0}[i]
		for j, q := range [3]vg.Point{{X: thick, Y: thick}, {X: 1, Y: thick}, {X: 1, Y: -thick}} {
			// Start with an arm that points to the right. Turn it by quarter turns, and then by an eighth of a turn.
			x, y := vg.Length(q.X*cos)-vg.Length(q.Y*sin), vg.Length(q.X*sin)+vg.Length(q.Y*cos)
			const half = vg.Length(math.Sqrt2 / 2)
			corner := at.Add(vg.Point{X: (x - y) * half * r, Y: (x + y) * half * r})
			if i == 0 && j == 0 {
				p.Move(corner)
			} else {
				p.Line(corner)
			}
		}
	}
	p.Close()
	return p
}

// Outlined fills a polygon in the panel, clipped to the data area, and draws its outline. A nil fill draws only the
// outline.
func (b *Brush) Outlined(corners []vg.Point, fill color.Color, s Stroke) {
	inside := b.Canvas.ClipPolygonXY(corners)
	if len(inside) < 3 {
		return
	}
	if fill != nil {
		b.Canvas.FillPolygon(fill, inside)
	}
	p := b.Store.path[:0]
	for i, q := range inside {
		if i == 0 {
			p.Move(q)
		} else {
			p.Line(q)
		}
	}
	p.Close()
	b.Store.path = p
	b.StrokePath(p, s)
}

// HatchBetween draws hatching across a bar. The bar has four corners: one foot, the two tops, and the other foot.
func (b *Brush) HatchBetween(corners []vg.Point, s Stroke) {
	const step = 4 // distance between lines in pixels
	foot, top, otherTop, otherFoot := corners[0], corners[1], corners[2], corners[3]
	height := vg.Length(Distance(foot, top))
	p := b.Store.path[:0]
	for h := vg.Length(step); h < height; h += step {
		u, v := h/height, min(1, (h+step)/height)
		from := foot.Add(top.Sub(foot).Scale(u))
		to := otherFoot.Add(otherTop.Sub(otherFoot).Scale(v))
		if from, to, ok := Clip(b.Canvas.Rectangle, from, to); ok {
			p.Move(from)
			p.Line(to)
		}
	}
	b.Store.path = p
	b.StrokePath(p, s)
}

package brush

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Shape is the form of a marker.
type Shape int

// These are the shapes of markers. The Ring... shapes are outlines; the others are filled. Methods never use Cross, which
// marks the place where a run diverged.
const (
	Circle Shape = iota
	Diamond
	Square
	Triangle
	DownTriangle
	Ring
	RingSquare
	RingTriangle
	RingDiamond
	Cross
	Plus

	numbered // larger values are discs numbered from 1
)

// Numbered returns a disc with a number from 1 to 99, for items that are identified by numbers. Methods use other shapes.
func Numbered(n int) Shape { return numbered + Shape(n) }

// discRadius and wideDiscRadius are the radii, in pixels, of discs with one and two digits.
const discRadius, wideDiscRadius = 7, 9

// drawNumbered draws a disc with a number. The disc is large enough for the number.
func drawNumbered(c vg.Canvas, scratch vg.Path, n int, at vg.Point, r vg.Length, fill, edge color.Color) vg.Path {
	least := vg.Length(discRadius)
	if n > 9 {
		least = wideDiscRadius
	}
	p := DrawMarker(c, scratch, Circle, at, max(r, least), fill, edge)
	f, words := font.From(Bold, SmallText), strconv.Itoa(n)
	Text.Line(c, words, f, OnColor(fill), at.Sub(vg.Point{X: Text.Width(words, f) / 2, Y: CapHeight * SmallText / 2}))
	return p
}

// Stroke is the style of a line. Width and Dash are in CSS pixels. If Dash is nil, the line is solid.
type Stroke struct {
	Color color.Color
	Width vg.Length
	Dash  []vg.Length

	MaxDashes int // a traced line with more dashes is drawn solid; 0 means no limit
}

// period returns the length of one period of the dashes.
func (s Stroke) period() (sum vg.Length) {
	for _, d := range s.Dash {
		sum += d
	}
	return sum
}

// Set sets the style on a canvas.
func (s Stroke) Set(c vg.Canvas) {
	c.SetColor(s.Color)
	c.SetLineWidth(s.Width)
	c.SetLineDash(s.Dash, 0)
}

// corners holds the outlines of the shapes for the unit radius. Their areas are similar to the circle's area, so that
// no method looks heavier than another.
var corners = map[Shape][]vg.Point{
	Diamond:      {{X: 0, Y: 1.25}, {X: -1.25, Y: 0}, {X: 0, Y: -1.25}, {X: 1.25, Y: 0}},
	Square:       {{X: 0.9, Y: 0.9}, {X: -0.9, Y: 0.9}, {X: -0.9, Y: -0.9}, {X: 0.9, Y: -0.9}},
	Triangle:     {{X: 0, Y: 1.3}, {X: -1.15, Y: -0.75}, {X: 1.15, Y: -0.75}},
	DownTriangle: {{X: 0, Y: -1.3}, {X: 1.15, Y: 0.75}, {X: -1.15, Y: 0.75}},
}

// outlineOf maps open shapes to the corresponding filled shapes.
var outlineOf = map[Shape]Shape{
	Ring: Circle, RingSquare: Square, RingTriangle: Triangle, RingDiamond: Diamond,
}

// appendShape appends the outline of a shape around a point to a path.
func appendShape(p vg.Path, s Shape, at vg.Point, r vg.Length) vg.Path {
	switch s {
	case Circle:
		p.Move(vg.Point{X: at.X + r, Y: at.Y})
		p.Arc(at, r, 0, 2*math.Pi)
		p.Close()
	case Cross, Plus:
		a, b := vg.Point{X: r}, vg.Point{Y: r}
		if s == Cross {
			const half = math.Sqrt2 / 2
			a, b = vg.Point{X: r * half, Y: r * half}, vg.Point{X: -r * half, Y: r * half}
		}
		p.Move(at.Sub(a))
		p.Line(at.Add(a))
		p.Move(at.Sub(b))
		p.Line(at.Add(b))
	default:
		for i, q := range corners[s] {
			q = at.Add(q.Scale(r))
			if i == 0 {
				p.Move(q)
			} else {
				p.Line(q)
			}
		}
		p.Close()
	}
	return p
}

// DrawMarker draws a marker at a place in pixels. Unless edge is nil, filled shapes get a thin edge in that colour, and
// open shapes are filled with that colour. DrawMarker builds the path in scratch and returns the path, so that the next
// marker can reuse its storage.
func DrawMarker(c vg.Canvas, scratch vg.Path, s Shape, at vg.Point, r vg.Length, fill, edge color.Color) vg.Path {
	if s > numbered {
		return drawNumbered(c, scratch, int(s-numbered), at, r, fill, edge)
	}
	if s == Cross || s == Plus {
		p := appendShape(scratch[:0], s, at, r+0.5)
		if edge != nil {
			Stroke{Color: edge, Width: 4}.Set(c)
			c.Stroke(p)
		}
		Stroke{Color: fill, Width: 2}.Set(c)
		c.Stroke(p)
		return p
	}
	if inner, open := outlineOf[s]; open {
		p := appendShape(scratch[:0], inner, at, r-0.25)
		if edge != nil {
			c.SetColor(edge)
			c.Fill(p)
		}
		Stroke{Color: fill, Width: 2}.Set(c)
		c.Stroke(p)
		return p
	}
	p := appendShape(scratch[:0], s, at, r)
	c.SetColor(fill)
	c.Fill(p)
	if edge != nil {
		Stroke{Color: edge, Width: 1}.Set(c)
		c.Stroke(p)
	}
	return p
}

// Framed draws an edge around a part of the panel. The edge is visible on any background.
func (b *Brush) Framed(part vg.Rectangle) {
	b.Outline(part, Stroke{Color: b.Theme.Paper, Width: 4})
	b.Outline(part, Stroke{Color: b.Theme.Ink, Width: 2})
}

// Ring marks a world point with a ring in the given hue. The ring has an edge that is visible on any background.
func (b *Brush) Ring(x, y float64, hue color.Color) {
	at := b.At(x, y)
	if !b.Inside(at) {
		return
	}
	const radius = 9
	b.Store.path = appendShape(b.Store.path[:0], Circle, at, radius)
	b.StrokePath(b.Store.path, Stroke{Color: b.Theme.Paper, Width: 5})
	b.StrokePath(b.Store.path, Stroke{Color: hue, Width: 2.5})
}

// appendBox appends the outline of a rectangle to a path.
func appendBox(p vg.Path, r vg.Rectangle) vg.Path {
	p.Move(r.Min)
	p.Line(vg.Point{X: r.Max.X, Y: r.Min.Y})
	p.Line(r.Max)
	p.Line(vg.Point{X: r.Min.X, Y: r.Max.Y})
	p.Close()
	return p
}

// Optima draws a line of n optimal points: a Pareto set or front.
func (b *Brush) Optima(n int, at func(i int) (x, y float64)) {
	if b.Cased {
		b.Line(n, at, Stroke{Color: b.Theme.Paper, Width: 12})
	}
	b.Line(n, at, Stroke{Color: b.Theme.Optimum, Width: 9})
}

// Outline draws the outline of a part of the panel.
func (b *Brush) Outline(part vg.Rectangle, s Stroke) {
	b.Store.path = appendBox(b.Store.path[:0], part)
	b.StrokePath(b.Store.path, s)
}

// Fill fills a part of the panel with the canvas's current colour. Call it for one part at a time, because the screen
// fills a path of many pieces pixel by pixel.
func (b *Brush) Fill(part vg.Rectangle) {
	b.Store.path = appendBox(b.Store.path[:0], part)
	b.Canvas.Fill(b.Store.path)
}

// MarkerAt draws a marker at a place in the panel, with an edge in the paper's colour. The marker's size is the same at
// every level of detail.
func (b *Brush) MarkerAt(at vg.Point, shape Shape, radius vg.Length, fill color.Color) {
	b.Store.path = DrawMarker(b.Canvas, b.Store.path, b.Frame.Detail.shape(shape), at, radius, fill, b.Theme.Paper)
}

// Hatch draws hatching over an empty part of the panel.
func (b *Brush) Hatch(area vg.Rectangle) {
	size := area.Size()
	if size.X < 1 || size.Y < 1 {
		return
	}
	const apart = 6
	p := b.Store.path[:0]
	for x := area.Min.X - size.Y + apart; x < area.Max.X; x += apart {
		from, to := vg.Point{X: x, Y: area.Min.Y}, vg.Point{X: x + size.Y, Y: area.Max.Y}
		if from, to, ok := Clip(area, from, to); ok {
			p.Move(from)
			p.Line(to)
		}
	}
	b.Store.path = p
	b.StrokePath(p, Stroke{Color: b.Theme.Hairline, Width: 1})
	b.Outline(area, Stroke{Color: b.Theme.Rule, Width: 0.75})
}

// Grip draws a grip at a place in the panel. The ring shows the size of the target; the marker inside identifies the
// object to drag.
func (b *Brush) Grip(at vg.Point, shape Shape, fill color.Color) {
	b.GripRing(at)
	b.Store.path = DrawMarker(b.Canvas, b.Store.path, shape, at, 3.5, fill, b.Theme.Paper)
}

// GripRing draws the ring of a grip.
func (b *Brush) GripRing(at vg.Point) {
	ring := appendShape(b.Store.path[:0], Circle, at, GripRadius)
	b.Canvas.SetColor(Faded(b.Theme.Accent, 0.07))
	b.Canvas.Fill(ring)
	b.StrokePath(ring, Stroke{Color: Faded(b.Theme.Accent, 0.45), Width: 1})
	b.Store.path = ring
}

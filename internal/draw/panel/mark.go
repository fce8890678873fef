package panel

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// Shape is the form of a marker.
type Shape int

// The shapes. The Ring... shapes are outlines, the others are filled. No
// method has Cross, which marks where a run diverged.
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
)

// Stroke is how a line is drawn. Width and Dash are in CSS pixels; a nil Dash
// is solid.
type Stroke struct {
	Color color.Color
	Width vg.Length
	Dash  []vg.Length

	dashes int // a line with more of them is solid; 0 for no limit
}

// period returns the length of a dash with the gap after it.
func (s Stroke) period() (sum vg.Length) {
	for _, d := range s.Dash {
		sum += d
	}
	return sum
}

func (s Stroke) set(c vg.Canvas) {
	c.SetColor(s.Color)
	c.SetLineWidth(s.Width)
	c.SetLineDash(s.Dash, 0)
}

// corners holds the outlines on the unit circle's scale, by shape. Their areas
// are close to the circle's, so that no method looks heavier than another.
var corners = map[Shape][]vg.Point{
	Diamond:      {{X: 0, Y: 1.25}, {X: -1.25, Y: 0}, {X: 0, Y: -1.25}, {X: 1.25, Y: 0}},
	Square:       {{X: 0.9, Y: 0.9}, {X: -0.9, Y: 0.9}, {X: -0.9, Y: -0.9}, {X: 0.9, Y: -0.9}},
	Triangle:     {{X: 0, Y: 1.3}, {X: -1.15, Y: -0.75}, {X: 1.15, Y: -0.75}},
	DownTriangle: {{X: 0, Y: -1.3}, {X: 1.15, Y: 0.75}, {X: -1.15, Y: 0.75}},
}

// outlineOf maps the open shapes to the filled ones they outline.
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

// drawMarker draws a marker in pixels. Filled shapes get a thin edge in the
// given colour, open ones are filled with it; nil for neither.
func drawMarker(c vg.Canvas, scratch vg.Path, s Shape, at vg.Point, r vg.Length, fill, edge color.Color) vg.Path {
	if s == Cross || s == Plus {
		p := appendShape(scratch[:0], s, at, r+0.5)
		if edge != nil {
			Stroke{Color: edge, Width: 4}.set(c)
			c.Stroke(p)
		}
		Stroke{Color: fill, Width: 2}.set(c)
		c.Stroke(p)
		return p
	}
	if inner, open := outlineOf[s]; open {
		p := appendShape(scratch[:0], inner, at, r-0.25)
		if edge != nil {
			c.SetColor(edge)
			c.Fill(p)
		}
		Stroke{Color: fill, Width: 2}.set(c)
		c.Stroke(p)
		return p
	}
	p := appendShape(scratch[:0], s, at, r)
	c.SetColor(fill)
	c.Fill(p)
	if edge != nil {
		Stroke{Color: edge, Width: 1}.set(c)
		c.Stroke(p)
	}
	return p
}

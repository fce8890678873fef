package axes

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/portable"
)

// Name is a text beside a point of a plane's world: the name of a marker, of an arrow or
// of the curve that ends there.
type Name struct {
	X, Y float64
	Text string
	Size vg.Length   // 0 for LabelText
	Ink  color.Color // nil for the theme's ink
	// Sides lists the sides where the text may stand, the preferred one first.
	Sides []brush.Align
}

// Sides of a point in the order in which they are tried, the preferred one first.
var (
	Rightward = []brush.Align{{X: 1}, {X: 1, Y: 1}, {X: 1, Y: -1}, {Y: 1}, {Y: -1}, {X: -1}}
	Upward    = []brush.Align{{Y: 1}, {X: 1, Y: 1}, {X: -1, Y: 1}, {Y: -1}, {X: 1}, {X: -1}}
	Downward  = []brush.Align{{Y: -1}, {X: 1, Y: -1}, {X: -1, Y: -1}, {X: 1}, {Y: 1}, {X: 1, Y: 1}, {X: -1, Y: 1}, {X: -1}}
)

// Names finds places for names where they cover neither each other nor areas reserved by Keep. A
// name without room on any side is left out, and so are all names of a picture that is not shown in
// full. Nothing is drawn before Draw, so that names lie above the picture.
type Names struct {
	brush  *brush.Brush
	taken  []vg.Rectangle
	placed []placedName
}

type placedName struct {
	Name
	at   vg.Point
	side brush.Align
}

// NewNames returns a placer for the picture that b draws.
func NewNames(b *brush.Brush) *Names { return &Names{brush: b} }

// Keep reserves an area of the panel, in pixels.
func (n *Names) Keep(area vg.Rectangle) { n.taken = append(n.taken, area) }

// KeepPoint reserves the area of a marker at a point of the world.
func (n *Names) KeepPoint(x, y float64) {
	const half = 5 // pixels: names stand a little farther away
	at := n.brush.At(x, y)
	n.Keep(vg.Rectangle{Min: at.Sub(vg.Point{X: half, Y: half}), Max: at.Add(vg.Point{X: half, Y: half})})
}

// Put finds room for a name and reserves it. It reports whether there is any.
func (n *Names) Put(name Name) bool {
	if n.brush.Frame.Detail != brush.Full {
		return false
	}
	if name.Size == 0 {
		name.Size = brush.LabelText
	}
	if name.Ink == nil {
		name.Ink = n.brush.Theme.Ink
	}
	const past = 4 // pixels, past the marker of the point
	for _, side := range name.Sides {
		at := n.brush.At(name.X, name.Y).Add(vg.Point{X: vg.Length(side.X), Y: vg.Length(side.Y)}.Scale(past))
		area := patch(at, name.Text, name.Size, side)
		if slices.ContainsFunc(n.taken, func(r vg.Rectangle) bool { return brush.Overlap(area, r) }) {
			continue
		}
		n.Keep(area)
		n.placed = append(n.placed, placedName{name, at, side})
		return true
	}
	return false
}

// patch is about the area that Brush.Label covers: letters count as equally wide, which is quick
// and close enough to keep names apart.
func patch(at vg.Point, text string, size vg.Length, side brush.Align) vg.Rectangle {
	const away, letter = 5, 0.6
	wide, high := vg.Length(letter*size*vg.Length(len([]rune(text)))), vg.Length(brush.CapHeight*size)
	left := at.X + vg.Length(vg.Length(side.X)*away) + vg.Length(vg.Length(side.X-1)/2*wide)
	base := at.Y + vg.Length(vg.Length(side.Y)*away) + vg.Length(vg.Length(side.Y-1)/2*high)
	return vg.Rectangle{Min: vg.Point{X: left - 3, Y: base - vg.Length(0.28*size)},
		Max: vg.Point{X: left + wide + 3, Y: base + high + vg.Length(0.2*size)}}
}

// PutPoints puts the names of marked points, whose markers none of them covers. Points that lie on
// each other share one name, their texts separated by commas.
func (n *Names) PutPoints(names []Name) {
	names = n.joined(names)
	for _, name := range names {
		n.KeepPoint(name.X, name.Y)
	}
	for _, name := range names {
		n.Put(name)
	}
}

// joined merges the names of points that lie on each other.
func (n *Names) joined(names []Name) []Name {
	const near = 14 // pixels: names stand clear of points that are farther apart
	var out []Name
	for _, name := range names {
		at := n.brush.At(name.X, name.Y)
		i := slices.IndexFunc(out, func(o Name) bool {
			d := n.brush.At(o.X, o.Y).Sub(at)
			return portable.Hypot(float64(d.X), float64(d.Y)) < near
		})
		if i < 0 {
			out = append(out, name)
		} else {
			out[i].Text += ", " + name.Text
		}
	}
	return out
}

// PutArrow puts a name beside the middle of an arrow, above or below a flat one and on the right or
// left of a steep one. Arrows that are too short to tell apart get none.
func (n *Names) PutArrow(x0, y0, x1, y1 float64, text string) {
	const least = 24 // pixels
	d := n.brush.At(x1, y1).Sub(n.brush.At(x0, y0))
	if portable.Hypot(float64(d.X), float64(d.Y)) < least {
		return
	}
	sides := Rightward
	if math.Abs(float64(d.X)) > math.Abs(float64(d.Y)) {
		sides = Upward
	}
	n.Put(Name{X: (x0 + x1) * 0.5, Y: (y0 + y1) * 0.5, Text: text, Size: brush.SmallText, Sides: sides})
}

// Arrow draws an arrow and puts its name.
func (n *Names) Arrow(from, to [2]float64, name string, stroke brush.Stroke) {
	n.brush.Arrow(from[0], from[1], to[0], to[1], stroke)
	n.PutArrow(from[0], from[1], to[0], to[1], name)
}

// Draw writes the names that have a place.
func (n *Names) Draw() {
	for _, p := range n.placed {
		x, y := n.brush.World(p.at)
		n.brush.Label(x, y, p.Text, p.Size, p.Ink, p.side)
	}
}

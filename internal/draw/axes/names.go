package axes

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/portable"
)

// Name is a text beside a point in world coordinates: the name of a marker, of an arrow, or of a curve that ends there.
type Name struct {
	X, Y float64
	Text string
	Size vg.Length   // size of the text; 0 means LabelText
	Ink  color.Color // colour of the text; nil means the theme's ink
	// Sides lists the allowed sides for the text, in order of preference.
	Sides []brush.Align
}

// These are lists of sides of a point, in order of preference.
var (
	Rightward = []brush.Align{{X: 1}, {X: 1, Y: 1}, {X: 1, Y: -1}, {Y: 1}, {Y: -1}, {X: -1}}
	Upward    = []brush.Align{{Y: 1}, {X: 1, Y: 1}, {X: -1, Y: 1}, {Y: -1}, {X: 1}, {X: -1}}
	Downward  = []brush.Align{{Y: -1}, {X: 1, Y: -1}, {X: -1, Y: -1}, {X: 1}, {Y: 1}, {X: 1, Y: 1}, {X: -1, Y: 1}, {X: -1}}
)

// Names places names so that they cover neither each other nor areas reserved by Keep. It omits a name if there is no
// space on any side, and omits all names in pictures below full detail. Draw writes the names last, so that they are
// above the picture.
type Names struct {
	brush  *brush.Brush
	taken  []vg.Rectangle
	arrows [][2]vg.Point
	placed []placedName
}

type placedName struct {
	Name
	at   vg.Point
	side brush.Align
}

// NewNames returns Names for the picture that b draws.
func NewNames(b *brush.Brush) *Names { return &Names{brush: b} }

// Keep reserves an area of the panel, in pixels.
func (n *Names) Keep(area vg.Rectangle) { n.taken = append(n.taken, area) }

// KeepPoint reserves a square for a marker at a world point.
func (n *Names) KeepPoint(x, y float64) {
	const half = 5 // half of the square's side, in pixels; names are slightly farther away
	at := n.brush.At(x, y)
	n.Keep(vg.Rectangle{Min: at.Sub(vg.Point{X: half, Y: half}), Max: at.Add(vg.Point{X: half, Y: half})})
}

// KeepArrow reserves the area of an arrow between two world points.
func (n *Names) KeepArrow(from, to [2]float64) {
	n.arrows = append(n.arrows, [2]vg.Point{n.brush.At(from[0], from[1]), n.brush.At(to[0], to[1])})
}

// free reports whether an area covers neither a reserved area nor an arrow.
func (n *Names) free(area vg.Rectangle) bool {
	if slices.ContainsFunc(n.taken, func(r vg.Rectangle) bool { return brush.Overlap(area, r) }) {
		return false
	}
	const half = 2 // half of an arrow's width in pixels
	area.Min, area.Max = area.Min.Sub(vg.Point{X: half, Y: half}), area.Max.Add(vg.Point{X: half, Y: half})
	return !slices.ContainsFunc(n.arrows, func(a [2]vg.Point) bool {
		_, _, covers := brush.Clip(area, a[0], a[1])
		return covers
	})
}

// Put finds and reserves space for a name. It reports whether there was space.
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
	const past = 4 // distance in pixels past the point's marker
	for _, side := range name.Sides {
		at := n.brush.At(name.X, name.Y).Add(vg.Point{X: vg.Length(side.X), Y: vg.Length(side.Y)}.Scale(past))
		area := patch(at, name.Text, name.Size, side)
		if !n.free(area) {
			continue
		}
		n.Keep(area)
		n.placed = append(n.placed, placedName{name, at, side})
		return true
	}
	return false
}

// patch returns an estimate of the area that Brush.Label covers. It assumes letters of equal width, which is fast and
// precise enough to keep names apart.
func patch(at vg.Point, text string, size vg.Length, side brush.Align) vg.Rectangle {
	const away, letter = 5, 0.6
	wide, high := vg.Length(letter*size*vg.Length(len([]rune(text)))), vg.Length(brush.CapHeight*size)
	left := at.X + vg.Length(vg.Length(side.X)*away) + vg.Length(vg.Length(side.X-1)/2*wide)
	base := at.Y + vg.Length(vg.Length(side.Y)*away) + vg.Length(vg.Length(side.Y-1)/2*high)
	return vg.Rectangle{Min: vg.Point{X: left - 3, Y: base - vg.Length(0.28*size)},
		Max: vg.Point{X: left + wide + 3, Y: base + high + vg.Length(0.2*size)}}
}

// PutPoints places the names of marked points so that they do not cover any marker. Points at nearly the same place
// share one text, which lists their names separated by commas.
func (n *Names) PutPoints(names []Name) {
	names = n.joined(names)
	for _, name := range names {
		n.KeepPoint(name.X, name.Y)
	}
	for _, name := range names {
		n.Put(name)
	}
}

// joined returns the names, with the names of neighbouring points merged.
func (n *Names) joined(names []Name) []Name {
	const near = 14 // distance in pixels above which the names of points do not overlap
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

// PutArrow places a name beside the middle of an arrow: above or below a flat arrow, and to the right or left of a steep
// arrow. It omits the names of very short arrows.
func (n *Names) PutArrow(x0, y0, x1, y1 float64, text string) {
	const least = 24 // minimum length of an arrow with a name, in pixels
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

// Arrow draws an arrow and places its name.
func (n *Names) Arrow(from, to [2]float64, name string, stroke brush.Stroke) {
	n.brush.Arrow(from[0], from[1], to[0], to[1], stroke)
	n.PutArrow(from[0], from[1], to[0], to[1], name)
}

// Draw writes the names that have been placed.
func (n *Names) Draw() {
	for _, p := range n.placed {
		x, y := n.brush.World(p.at)
		n.brush.Label(x, y, p.Text, p.Size, p.Ink, p.side)
	}
}

package axes

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/brush"
	"paretoplay/internal/numeral"
)

// Reference is a value or a place with which an experiment compares its runs. Panels draw it as a dotted line or a
// cross, with its label.
type Reference struct {
	Panel string  // ID of the panel that shows the reference
	X, Y  float64 // world coordinates in the panel; if one is NaN, the reference is a line at the other coordinate
	Label string
}

// Level returns a reference that is a horizontal line. If the panel's horizontal axis is time, each curve gets a ring
// where the curve first reaches the line.
func Level(panel string, y float64, label string) Reference {
	return Reference{Panel: panel, X: math.NaN(), Y: y, Label: label}
}

// Upright returns a reference that is a vertical line.
func Upright(panel string, x float64, label string) Reference {
	return Reference{Panel: panel, X: x, Y: math.NaN(), Label: label}
}

// Place returns a reference that is a point.
func Place(panel string, x, y float64, label string) Reference {
	return Reference{Panel: panel, X: x, Y: y, Label: label}
}

// Referring is a Panel that can show references.
type Referring interface {
	Panel
	// Refer sets the references. The panel does not show references outside the axes.
	Refer(references []Reference)
}

var _ Referring = (*Plane)(nil)

// Refer implements Referring.
func (p *Plane) Refer(references []Reference) { p.references = references }

// Crossing is the place where a curve first reaches a level.
type Crossing struct {
	X    float64
	Look brush.Look
}

// referenceLayer returns a layer with the references, above the sheets and below the names and the grips.
func (p *Plane) referenceLayer(l *layout) Layer {
	return Layer{Draw: func(c draw.Canvas) {
		fromOrigin(c, func(c vg.Canvas) {
			b := p.brush(l, c)
			var said spans
			var taken []vg.Rectangle
			if p.Words != nil {
				taken = p.Words(b)
			}
			for _, r := range p.references {
				p.drawReference(b, r, &said, &taken)
			}
		})
	}}
}

// roomOfWords is the space around a vertical line's label, in pixels.
const roomOfWords = 10

// crossingApart is the minimum distance between two numbered crossings, in pixels.
const crossingApart = 34

// spans holds the left and right ends of vertical lines' labels, by row from the top.
type spans [][][2]vg.Length

// row returns the first row with space for a label between two horizontal positions, and records that the label
// occupies this space.
func (s *spans) row(from, to vg.Length) int {
	for i := 0; ; i++ {
		if i == len(*s) {
			*s = append(*s, nil)
		}
		if !slices.ContainsFunc((*s)[i], func(o [2]vg.Length) bool { return from < o[1] && o[0] < to }) {
			(*s)[i] = append((*s)[i], [2]vg.Length{from, to})
			return i
		}
	}
}

func (p *Plane) drawReference(b *brush.Brush, r Reference, said *spans, taken *[]vg.Rectangle) {
	stroke := brush.Stroke{Color: b.Theme.Ink, Width: 1, Dash: []vg.Length{2, 3}}
	_, _, _, y1 := b.Bounds()
	switch {
	case math.IsNaN(r.X):
		b.HLine(r.Y, stroke)
		var crossings []Crossing
		if p.Crossings != nil {
			crossings = p.Crossings(b.Theme, r.Y)
		}
		slices.SortStableFunc(crossings, func(a, b Crossing) int { return cmp.Compare(a.X, b.X) })
		nameLevel(b, r, crossings, taken)
		for _, at := range crossings {
			b.Ring(at.X, r.Y, at.Look.Hue)
		}
		last := math.Inf(-1)
		for _, at := range crossings {
			if place := float64(b.X.At(at.X)); math.Abs(place-last) >= crossingApart {
				last = place
				b.Label(at.X, r.Y, inThree(at.X), brush.SmallText, b.Theme.Ink, brush.Align{Y: -2})
			}
		}
	case math.IsNaN(r.Y):
		b.VLine(r.X, stroke)
		side := brush.Align{X: 1, Y: -1}
		if b.At(r.X, y1).X+b.Width(r.Label)+roomOfWords > b.Canvas.Max.X { // avoid the names of curves
			side.X = -1
		}
		at := b.At(r.X, y1)
		from, to := at.X, at.X+b.Width(r.Label)+roomOfWords
		if side.X < 0 {
			from, to = at.X-b.Width(r.Label)-roomOfWords, at.X
		}
		const row = 1.4 * brush.SmallText
		down := vg.Point{Y: vg.Length(row * vg.Length(said.row(from, to)))}
		b.LabelAt(at.Sub(down), r.Label, brush.SmallText, b.Theme.Ink, side)
	default:
		b.Marker(r.X, r.Y, brush.Plus, 5, b.Theme.Ink, true)
		b.Label(r.X, r.Y, r.Label, brush.SmallText, b.Theme.Ink, brush.RightOf)
	}
}

// nameLevel writes a level's label at the left or the right end of the line, above or below it. It chooses the first of
// these places without other texts or rings, or the first place if all are occupied.
func nameLevel(b *brush.Brush, r Reference, crossings []Crossing, taken *[]vg.Rectangle) {
	const ring = 12 // radius of a ring and some space
	x0, x1, _, _ := b.Bounds()
	free := func(area vg.Rectangle) bool {
		for _, at := range crossings {
			if x := b.At(at.X, r.Y).X; area.Min.X-ring < x && x < area.Max.X+ring {
				return false
			}
		}
		return !slices.ContainsFunc(*taken, func(r vg.Rectangle) bool { return brush.Overlap(area, r) })
	}
	places := [...]brush.Align{{X: 1, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: -1}}
	side, x := places[0], x0
	for _, place := range places {
		at := x0
		if place.X < 0 {
			at = x1
		}
		if free(b.LabelArea(b.At(at, r.Y), r.Label, brush.SmallText, place)) {
			side, x = place, at
			break
		}
	}
	*taken = append(*taken, b.LabelArea(b.At(x, r.Y), r.Label, brush.SmallText, side))
	b.Label(x, r.Y, r.Label, brush.SmallText, b.Theme.Ink, side)
}

// inThree formats a coordinate with at most three significant digits.
func inThree(v float64) string {
	return numeral.Format(v, 3)
}

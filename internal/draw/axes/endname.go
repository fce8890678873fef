package axes

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/brush"
)

// EndName is the name of a curve in the right margin, at the height of the curve's end. It replaces the legend entry with
// the same text.
type EndName struct {
	Text string
	Y    float64 // end of the curve in world coordinates; NaN for a curve without points, whose name is at the bottom
	Look brush.Look
	// Growing is true while a picture shows its curves only up to X. The name is then beside X instead of in the margin.
	Growing bool
	X       float64
}

// These are sizes, in pixels, for the names at the ends of curves.
const (
	endNamesFrom = 520 // minimum width of a panel with a margin for names
	endNameApart = 16  // distance between the baselines of two names
	endNameSign  = 14  // space for the method's marker between the axes and the text
)

// endNames returns the plane's names at the ends of curves if the frame has space for them. It returns nil for fewer
// than two names, and for so many names that their colours would be indistinguishable.
func (p *Plane) endNames(f brush.Frame) []EndName {
	if p.Ends == nil || f.Detail != brush.Full || f.Width < endNamesFrom {
		return nil
	}
	ends := p.Ends(f.Theme)
	if len(ends) < 2 || len(ends) > brush.MaxMethods {
		return nil
	}
	return ends
}

// unnamed returns the legend entries that are not among the names at the ends of curves.
func unnamed(legend []Entry, ends []EndName) []Entry {
	if ends == nil {
		return legend
	}
	return slices.DeleteFunc(slices.Clone(legend), func(e Entry) bool {
		return slices.ContainsFunc(ends, func(n EndName) bool { return n.Text == e.Label })
	})
}

// endRoom returns the width of the margin for the names.
func endRoom(ends []EndName) vg.Length {
	var widest vg.Length
	for _, n := range ends {
		widest = max(widest, brush.Text.Width(n.Text, font.From(brush.Sans, brush.SmallText)))
	}
	if widest == 0 {
		return 0
	}
	return endNameSign + widest
}

// spread returns the heights, in pixels, at which to write the names of curves that end at the given heights. The
// results are in the order of ends. If space allows, they are between low and high, and the names do not overlap. A
// missing end counts as the lowest.
func spread(ends []float64, low, high vg.Length) []vg.Length {
	order, places := make([]int, len(ends)), make([]vg.Length, len(ends))
	for i, y := range ends {
		order[i], places[i] = i, low
		if !math.IsNaN(y) {
			places[i] = max(low, min(vg.Length(y), high))
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ends[i], ends[j]) }) // cmp.Compare sorts NaN first
	for n, i := range order[1:] {
		places[i] = max(places[i], places[order[n]]+endNameApart)
	}
	for _, i := range slices.Backward(order) {
		places[i] = min(places[i], high)
		high = places[i] - endNameApart
	}
	return places
}

// drawEndNames writes the names with the markers of their methods. It draws a line from the end of each curve, or from
// the edge of the axes, to the name.
func drawEndNames(b *brush.Brush, ends []EndName) {
	area := b.Canvas.Rectangle
	heights := make([]float64, len(ends))
	for i, n := range ends {
		heights[i] = float64(b.Y.At(n.Y))
	}
	f := font.From(brush.Sans, brush.SmallText)
	var path vg.Path
	for i, y := range spread(heights, area.Min.Y, area.Max.Y) {
		edge := area.Max.X
		if ends[i].Growing {
			edge = b.X.At(ends[i].X)
		}
		look, at := ends[i].Look, vg.Point{X: edge + endNameSign/2, Y: y}
		if end := vg.Length(heights[i]); !math.IsNaN(heights[i]) {
			path = path[:0]
			path.Move(vg.Point{X: edge, Y: max(area.Min.Y, min(end, area.Max.Y))})
			path.Line(at)
			brush.Stroke{Color: look.Hue, Width: 1}.Set(b.Canvas.Canvas)
			b.Canvas.Stroke(path)
		}
		path = brush.DrawMarker(b.Canvas.Canvas, path, look.Shape, at, 3.5, look.Hue, b.Theme.Paper)
		brush.Text.Line(b.Canvas.Canvas, ends[i].Text, f, b.Theme.Ink,
			vg.Point{X: edge + endNameSign, Y: y - brush.CapHeight*brush.SmallText/2})
	}
}

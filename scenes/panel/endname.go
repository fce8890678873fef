package panel

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/timeline"
)

// EndName is the name of a curve, written in the margin on the right at the height where the curve
// ends. Its entry of the legend, with the same words, is left out.
type EndName struct {
	Text string
	Y    float64 // in the world; a curve without an end has no name
	Look Look
}

// Spaces of the names at the ends of curves, in pixels.
const (
	endNamesFrom = 520 // narrower panels have no room for a margin
	endNameApart = 16  // between the baselines of two names
	endNameSign  = 14  // from the axes to the text: the sign of the method
)

// endNames are the plane's names where the frame has room for them: nil if there are fewer than two
// or more than a picture tells apart.
func (p *Plane) endNames(f Frame) []EndName {
	if p.Ends == nil || f.Detail != Full || f.Width < endNamesFrom {
		return nil
	}
	ends := p.Ends(f.Theme)
	if len(ends) < 2 || len(ends) > mostMethods {
		return nil
	}
	return ends
}

// unnamed are the entries of a legend that no curve's end names.
func unnamed(legend []Entry, ends []EndName) []Entry {
	if ends == nil {
		return legend
	}
	return slices.DeleteFunc(slices.Clone(legend), func(e Entry) bool {
		return slices.ContainsFunc(ends, func(n EndName) bool { return n.Text == e.Label })
	})
}

// endRoom is the width of the margin that the names take.
func endRoom(ends []EndName) vg.Length {
	var widest vg.Length
	for _, n := range ends {
		widest = max(widest, handler.width(n.Text, font.From(sans, SmallText)))
	}
	if widest == 0 {
		return 0
	}
	return endNameSign + widest
}

// drawEndNames writes the names in the order of the ends, apart from one another and inside the
// height of the axes. A line leads to a name that had to move.
func (b *Brush) drawEndNames(ends []EndName) {
	type name struct {
		EndName
		end, y vg.Length
	}
	area := b.Canvas.Rectangle
	var names []name
	for _, n := range ends {
		if y := b.y.at(n.Y); !math.IsNaN(float64(y)) {
			y = max(area.Min.Y, min(y, area.Max.Y))
			names = append(names, name{n, y, y})
		}
	}
	slices.SortStableFunc(names, func(a, b name) int { return cmp.Compare(a.y, b.y) })
	for i := range names {
		if i > 0 {
			names[i].y = max(names[i].y, names[i-1].y+endNameApart)
		}
	}
	highest := area.Max.Y
	for i := range slices.Backward(names) {
		names[i].y = min(names[i].y, highest)
		highest = names[i].y - endNameApart
	}
	f := font.From(sans, SmallText)
	var path vg.Path
	for _, n := range names {
		at := vg.Point{X: area.Max.X + endNameSign/2, Y: n.y}
		path = path[:0]
		path.Move(vg.Point{X: area.Max.X, Y: n.end})
		path.Line(at)
		Stroke{Color: n.Look.Hue, Width: 1}.set(b.Canvas.Canvas)
		b.Canvas.Stroke(path)
		path = drawMarker(b.Canvas.Canvas, path, n.Look.Shape, at, 3.5, n.Look.Hue, b.Theme.Paper)
		handler.line(b.Canvas.Canvas, n.Text, f, b.Theme.Ink, vg.Point{X: area.Max.X + endNameSign, Y: n.y - capHeight*SmallText/2})
	}
}

// ends are the names of the methods' lines, where each method has one.
func (t *Tracks) ends(theme *Theme) []EndName {
	var out []EndName
	var seen []string
	for _, r := range t.Timeline.Tracks() {
		if !t.shows(r) {
			continue
		}
		if slices.Contains(seen, r.Method) {
			return nil
		}
		seen = append(seen, r.Method)
		_, y := t.Point(r.Kept(r.Index(min(t.until(), r.Last()))))
		out = append(out, endName(theme, t.Timeline, r.Run, y))
	}
	return out
}

func endName(theme *Theme, t *timeline.Timeline, r *timeline.Run, y float64) EndName {
	look := theme.Look(r.Method)
	if Crowded(t) {
		look.Hue = color.Color(Grey(theme))
	}
	return EndName{Text: r.Title, Y: y, Look: look}
}

// ends are the names of the methods' curves, where each method has one with an end and no other
// words stand there.
func (s *Series) ends(theme *Theme) []EndName {
	var out []EndName
	var seen []string
	curves := s.Curves()
	for i := range curves {
		c := &curves[i]
		if c.Faint || c.Method == "" {
			continue
		}
		at := slices.IndexFunc(s.Timeline.Runs(), func(r *timeline.Run) bool { return r.Method == c.Method })
		if at < 0 || c.Label != "" || slices.Contains(seen, c.Method) {
			return nil
		}
		seen = append(seen, c.Method)
		y := math.NaN()
		for j := len(c.Y) - 1; j >= 0 && math.IsNaN(y); j-- {
			y = c.Y[j]
		}
		out = append(out, endName(theme, s.Timeline, s.Timeline.Runs()[at], y))
	}
	return out
}

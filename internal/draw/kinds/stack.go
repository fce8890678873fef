package kinds

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// Stack is a panel that shows the selected run's shares as stacked areas over time. The shares sum to 1.
type Stack struct {
	Name, Heading string
	Timeline      *timeline.Timeline
	// Label is the name of the vertical axis.
	Label string
	// Shares returns the shares in a row, which sum to 1, or nil if the row has none. The row describes a whole
	// run, not one of its solutions. All rows of a run have the same number of shares.
	Shares func(timeline.Row) []float64
	// Look and Of return the look and the name of a share.
	Look func(t *brush.Theme, j int) brush.Look
	Of   func(j int) string
	// Clock returns the horizontal axis.
	Clock func() *Clock
	// Text returns a description of the panel for visitors who cannot see it.
	Text func() string
}

// Panel returns the panel with the shares.
func (s *Stack) Panel() *axes.Plane {
	p := &axes.Plane{Name: s.Name, Heading: s.Heading, Text: s.Text}
	p.Axes = func() (axes.Axis, axes.Axis) { return s.Clock().Axis(), axes.Axis{Label: s.Label, Min: 0, Max: 1} }
	p.Sheets = func() []axes.Sheet {
		r := s.Timeline.Selected()
		if r.Run == nil {
			return nil
		}
		until := r.Last()
		k := settled(until)
		key := fmt.Sprintf("stack %s %d %d %s %s", s.Name, s.Timeline.Version(), k, s.Timeline.SelectedName(), s.Clock().Name)
		if k == 0 { // nothing to cache
			key = ""
		}
		return []axes.Sheet{
			{Key: key, Draw: func(b *brush.Brush) { s.draw(b, r.Run, 0, r.Index(k)) }},
			{Draw: func(b *brush.Brush) {
				s.draw(b, r.Run, r.Index(k), r.Len()-1)
				b.TimeMarker(s.Clock().Of(r.Kept(r.Index(min(s.Timeline.Marker(), until)))))
			}},
		}
	}
	p.Find = s.find
	p.Marks = func(b *brush.Brush, run string, k int) {
		r := s.Timeline.Find(run)
		if r.Run == nil || r.Run != s.Timeline.Selected().Run {
			return
		}
		if k < 0 {
			k = s.Timeline.Marker()
		}
		b.VLine(s.Clock().Of(r.Kept(r.Index(min(k, r.Last())))), brush.Stroke{Color: b.Theme.Ink, Width: 1})
	}
	return p
}

// draw draws the areas between two kept rows. The shares of a row apply until the next row.
func (s *Stack) draw(b *brush.Brush, r *timeline.Run, first, last int) {
	if first >= last {
		return
	}
	var now []float64 // shares in effect to the right of the x coordinate from
	from := b.X.At(s.Clock().Of(r.Kept(first)))
	for i := first; i <= last; i++ {
		row := r.Kept(i)
		x := b.X.At(s.Clock().Of(row))
		shares := s.Shares(row)
		// Treat rows less than a pixel apart as one row.
		if i < last && (slices.Equal(shares, now) || x-from < 1 && now != nil) {
			continue
		}
		over := vg.Length(0.5) // overlap with the next block, to hide the seam
		if i == last {
			over = 0
		}
		s.block(b, now, from, x+over)
		now, from = append(now[:0], shares...), x
	}
	// Draw a marker at the end of an area if the area is high enough.
	const least, inside = 11, 8 // minimum height of an area, and distance from its end, in pixels
	if last != r.Len()-1 {
		return
	}
	low := 0.0
	for j, v := range now {
		if look := s.Look(b.Theme, j); b.Y.Factor()*v >= least {
			// Draw the marker of a narrow area beside the area, away from the axis's numbers.
			at := vg.Point{X: max(from-inside, b.Canvas.Min.X+inside), Y: b.Y.At(low + float64(v/2))}
			b.MarkerAt(at, look.Shape, 4, look.Hue)
		}
		low += v
	}
}

// block draws shares between two places on the screen, with a pixel of paper between neighbouring shares.
func (s *Stack) block(b *brush.Brush, shares []float64, from, to vg.Length) {
	low := 0.0
	for j, v := range shares {
		top := min(low+v, 1)
		box := vg.Rectangle{Min: vg.Point{X: from, Y: b.Y.At(low)}, Max: vg.Point{X: to, Y: b.Y.At(top)}}
		if low = top; box.Max.Y-box.Min.Y < 0.5 || to <= from {
			continue
		}
		if box.Max.Y-box.Min.Y > 3 && top < 1 {
			box.Max.Y--
		}
		b.Canvas.SetColor(b.Theme.Tint(s.Look(b.Theme, j).Hue, 0.55))
		b.Fill(box)
	}
}

func (s *Stack) find(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	r := s.Timeline.Selected()
	x, y := b.World(at)
	if r.Run == nil || !b.Inside(at) || x > s.Clock().Of(r.Run.Kept(r.Len()-1)) {
		return axes.Pick{}, false
	}
	k := s.Clock().iterationAt(r, x)
	shares := s.Shares(r.Run.Kept(r.Index(k)))
	sum := 0.0
	for j, v := range shares {
		if sum += v; y <= sum {
			name := timeline.Track{Run: r.Run, Solution: min(j, r.Solutions()-1)}.Name()
			return axes.Pick{Run: name, K: k, At: at, Lines: []string{s.Of(j), fmt.Sprintf("%.3g %% at k = %d", 100*v, k)}}, true
		}
	}
	return axes.Pick{}, false
}

package panel

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/timeline"
)

// Stack is a panel over time of shares that add up to a whole, one above the other, of the
// selected run.
type Stack struct {
	Name, Heading string
	Timeline      *timeline.Timeline
	// Label is that of the vertical axis.
	Label string
	// Shares are those of a row of a whole run, with sum 1, as many in every row of a run;
	// nil for a row that has none.
	Shares func(timeline.Row) []float64
	// Look is how a share is drawn; Of names it for people.
	Look func(t *Theme, j int) Look
	Of   func(j int) string
	// Clock is the horizontal axis.
	Clock func() *Clock
	// Text says what the panel shows, for those who do not see it.
	Text func() string
}

// Panel returns the panel.
func (s *Stack) Panel() *Plane {
	p := &Plane{Name: s.Name, Heading: s.Heading, Text: s.Text}
	p.Axes = func() (Axis, Axis) { return s.Clock().Axis(), Axis{Label: s.Label, Min: 0, Max: 1} }
	p.Sheets = func() []Sheet {
		r := s.Timeline.Selected()
		if r.Run == nil {
			return nil
		}
		until := r.Last()
		k := settled(until)
		key := fmt.Sprintf("stack %s %d %d %s %s", s.Name, s.Timeline.Version(), k, s.Timeline.SelectedName(), s.Clock().Name)
		return []Sheet{
			{Key: key, Draw: func(b *Brush) { s.draw(b, r.Run, 0, r.Index(k)) }},
			{Draw: func(b *Brush) {
				s.draw(b, r.Run, r.Index(k), r.Len()-1)
				b.VLine(s.Clock().Of(r.Kept(r.Index(min(s.Timeline.Marker(), until)))), Stroke{Color: b.Theme.Accent, Width: 1})
			}},
		}
	}
	p.Find = s.find
	return p
}

// draw draws the areas between two kept rows; the shares of a row hold until the next.
func (s *Stack) draw(b *Brush, r *timeline.Run, first, last int) {
	if first >= last {
		return
	}
	// Rows that are nearer to each other than a pixel are not told apart.
	var at []float64
	var tops [][]float64
	place := vg.Length(-1)
	for i := first; i <= last; i++ {
		row := r.Kept(i)
		x := b.x.at(s.Clock().Of(row))
		if x-place < 1 && i < last {
			continue
		}
		shares := s.Shares(row)
		if shares == nil {
			continue
		}
		sum, top := 0.0, make([]float64, len(shares))
		for j, v := range shares {
			sum += v
			top[j] = sum
		}
		at, tops, place = append(at, s.Clock().Of(row)), append(tops, top), x
	}
	if len(at) < 2 {
		return
	}
	n := len(at)
	edge := func(j, k int) (x, y float64) { // of share j, the k-th corner of its upper line of steps
		i := (k + 1) / 2
		if j < 0 {
			return at[i], 0
		}
		return at[i], min(tops[k/2][j], 1)
	}
	corners := 2*n - 1
	for j := range tops[0] {
		look := s.Look(b.Theme, j)
		b.Polygon(2*corners, func(k int) (float64, float64) {
			if k < corners {
				return edge(j, k)
			}
			return edge(j-1, 2*corners-1-k)
		}, b.Theme.Tint(look.Hue, 0.55))
		b.Line(corners, func(k int) (float64, float64) { return edge(j, k) }, Stroke{Color: b.Theme.Paper, Width: 1})
	}
	// Signs stand where an area ends, if it is high enough for one.
	const least = 11
	low := 0.0
	for j, top := range tops[n-1] {
		if look := s.Look(b.Theme, j); float64(b.y.factor)*(top-low) >= least && last == r.Len()-1 {
			b.scratch.path = drawMarker(b.Canvas, b.scratch.path, look.Shape, b.At(at[n-1], (top+low)/2).Sub(vg.Point{X: 8}), 4, look.Hue, b.Theme.Paper)
		}
		low = top
	}
}

func (s *Stack) find(b *Brush, at vg.Point) (Pick, bool) {
	r := s.Timeline.Selected()
	x, y := b.World(at)
	if r.Run == nil || !b.inside(at) || x > s.Clock().Of(r.Run.Kept(r.Len()-1)) {
		return Pick{}, false
	}
	k := s.Clock().iterationAt(r, x)
	shares := s.Shares(r.Run.Kept(r.Index(k)))
	sum := 0.0
	for j, v := range shares {
		if sum += v; y <= sum {
			name := timeline.Track{Run: r.Run, Solution: min(j, r.Solutions()-1)}.Name()
			return Pick{Run: name, K: k, At: at, Lines: []string{s.Of(j), fmt.Sprintf("%s at k = %d", timeline.Number(v), k)}}, true
		}
	}
	return Pick{}, false
}

package sampleorder

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/engine/timeline"
)

// walkPanels are the walk in the plane of two coordinates, and in max norm.
func (s *Scene) walkPanels() [2]*axes.Plane {
	p := axes.Plane{Name: "walk", Heading: "How far each order strays", Text: s.describeWalk, Legend: s.walkLegend, Find: s.findWalk,
		Marks: s.markWalk}
	p.Sheets = func() []axes.Sheet {
		if s.problem == nil {
			return axes.WordSheets(s.waiting())
		}
		return []axes.Sheet{{Key: s.walkKey(), Draw: s.drawWalks, Ghost: s.ghostWalk}, {Draw: s.drawWalked}}
	}
	both := s.sumPanels(p, "largest coordinate of the sum", func() float64 { reach, _ := s.walkReach(); return reach },
		func() (first, last int) { return 0, s.read.Examples() })
	both[0].Equal, both[0].Axes = false, s.walkAxes
	return both
}

// walkReach is how far the picture of walks goes to the side and upwards: two thirds of the first epoch's walk, at whose point gradients
// differ most and which leaves it, so that later ones fill it. Where a walk goes more than twice as far, so does the picture, in both
// directions.
func (s *Scene) walkReach() (reach, high float64) {
	farthest, tallest := s.read.FarthestWalk(), 0.0
	for _, w := range s.read.Walks() {
		tallest = max(tallest, w.Tall)
	}
	first := s.read.Extent()
	if first.Most == 0 {
		first.Most, first.Tall = farthest, tallest
	}
	const share, outside = 1.5, 2
	reach = roundAbove(first.Most / share)
	high = min(reach, roundAbove(first.Tall/share))
	factor := max(axes.InSteps(1, 2, farthest/(outside*reach)), axes.InSteps(1, 2, tallest/(outside*high)))
	return factor * reach, factor * high
}

// walkAxes leave no more room above the walks than they take, so that they, not the squares about them,
// fill the picture.
func (s *Scene) walkAxes() (x, y axes.Axis) {
	reach, high := s.walkReach()
	return axes.Axis{Label: "sum so far, coordinate 1", Short: "coordinate 1", Min: -reach, Max: reach},
		axes.Axis{Label: "sum so far, coordinate 2", Short: "coordinate 2", Min: -high, Max: high}
}

// walkAt is where a walk is after k steps.
func (s *Scene) walkAt(w *orders.Walk, k int) (x, y float64) {
	return s.sumAt(k, w.Points[k], w.Norms[k])
}

// walkKey names what the whole walks look like.
func (s *Scene) walkKey() string {
	key := []string{"walks", fmt.Sprint(s.Timeline().Version()), s.Timeline().SelectedName()}
	for _, r := range s.read.Shown() {
		epoch := -1
		if w := s.read.Walk(r.Run); w != nil {
			epoch = w.Epoch
		}
		key = append(key, r.Name(), fmt.Sprint(epoch))
	}
	return strings.Join(key, " ")
}

// walkStroke is the line of a run's walk so far.
func (s *Scene) walkStroke(t *brush.Theme, r timeline.Track) brush.Stroke {
	switch {
	case kinds.Greyed(s.Timeline(), r):
		return brush.Stroke{Color: kinds.Grey(t), Width: 1}
	case r == s.Timeline().Selected():
		return t.Look(r.Method).Stroke(3.25)
	}
	return t.Look(r.Method).Stroke(2.25)
}

// drawWalks draws the whole walks faintly, and how far they stray: in the plane as squares.
func (s *Scene) drawWalks(b *brush.Brush) {
	if s.inPlane() {
		b.Origin()
	}
	for r, w := range s.read.Walks() {
		stroke := s.walkStroke(b.Theme, r)
		faint := brush.Stroke{Color: brush.Faded(stroke.Color, 0.35), Width: 1}
		b.Line(len(w.Norms), func(k int) (float64, float64) { return s.walkAt(w, k) }, faint)
		edge := brush.Stroke{Color: brush.Faded(stroke.Color, 0.6), Width: 1, Dash: []vg.Length{5, 3}}
		b.Line(len(squareCorners), func(i int) (float64, float64) { return s.farthest(w, i) }, edge)
	}
	s.nameSquares(b)
	if s.inPlane() {
		b.Hint("gradients less their mean, added up sample by sample")
		b.Marker(0, 0, brush.Plus, 5, b.Theme.Ink, true)
	}
}

// squareCorners go about the origin.
var squareCorners = [...]orders.Vector{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}, {X: -1, Y: -1}}

// farthest is a corner of the square in which a walk stays or, over the steps, a point of the
// line beneath which it does.
func (s *Scene) farthest(w *orders.Walk, i int) (x, y float64) {
	if s.inPlane() {
		c := squareCorners[i]
		return c.X * w.Most, c.Y * w.Most
	}
	return float64(len(w.Norms)-1) * float64(i) / float64(len(squareCorners)-1), w.Most
}

// nameSquares writes how far the walks stray, nearly equal numbers below one another.
func (s *Scene) nameSquares(b *brush.Brush) {
	if b.Frame.Detail != brush.Full {
		return
	}
	type name struct {
		at   vg.Point
		text string
		hue  brush.Stroke
	}
	var names []name
	_, _, _, top := b.Bounds()
	for r, w := range s.read.Walks() {
		if kinds.Greyed(s.Timeline(), r) {
			continue
		}
		corner := 2 // the upper right one
		if !s.inPlane() {
			corner = len(squareCorners) - 1
		}
		x, y := s.farthest(w, corner)
		y = min(y, top)
		at, number := b.At(x, y), orders.Rounded(w.Most)
		text := r.Title + " " + number
		if s.inPlane() && b.Width(text) > 2*(at.X-b.At(0, 0).X) { // it would lie over the walk
			text = number
		}
		names = append(names, name{at, text, s.walkStroke(b.Theme, r)})
	}
	slices.SortFunc(names, func(a, b name) int { return cmp.Or(cmp.Compare(b.at.Y, a.at.Y), cmp.Compare(b.at.X, a.at.X)) })
	const apart = 15
	last := vg.Length(math.Inf(1))
	if s.inPlane() { // below the hint
		last = b.At(0, top).Y - 2
	}
	for _, n := range names {
		last = min(n.at.Y, last-apart)
		x, y := b.World(vg.Point{X: n.at.X, Y: last})
		b.Label(x, y, n.text, brush.SmallText, n.hue.Color, brush.Align{X: -1, Y: -1})
	}
}

// drawWalked draws the walks up to the marker.
func (s *Scene) drawWalked(b *brush.Brush) {
	for r, w := range s.read.Walks() {
		_, steps := s.read.Now(r.Run)
		b.Line(steps+1, func(k int) (float64, float64) { return s.walkAt(w, k) }, s.walkStroke(b.Theme, r))
	}
	for r, w := range s.read.Walks() {
		_, steps := s.read.Now(r.Run)
		x, y := s.walkAt(w, steps)
		s.drawEnd(b, r, x, y)
	}
}

// drawEnd marks where a run stands at the marker. A run that has diverged has a cross.
func (s *Scene) drawEnd(b *brush.Brush, r timeline.Track, x, y float64) {
	radius := vg.Length(4)
	if r == s.Timeline().Selected() {
		radius = 6
	}
	b.Marker(x, y, kinds.ShapeAt(b.Theme.Look(r.Method), r.Run, s.Timeline().Marker()), radius, s.walkStroke(b.Theme, r).Color, true)
}

// ghostWalk draws the walk of the selected run as a ghost.
func (s *Scene) ghostWalk(b *brush.Brush, stroke brush.Stroke, letter string) {
	r := s.Timeline().Selected()
	if r.Run == nil {
		return
	}
	w := s.read.Walk(r.Run)
	if w == nil {
		return
	}
	b.Line(len(w.Norms), func(k int) (float64, float64) { return s.walkAt(w, k) }, stroke)
	b.Line(len(squareCorners), func(i int) (float64, float64) { return s.farthest(w, i) }, stroke)
	x, y := s.farthest(w, 0)
	b.Label(x, y, letter, brush.SmallText, b.Theme.Muted, brush.Align{X: 1, Y: 1})
}

func (s *Scene) findWalk(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	near, step := b.Nearest(at), 0
	var found timeline.Track
	for r, w := range s.read.Walks() {
		_, steps := s.read.Now(r.Run)
		for k := range w.Norms {
			x, y := s.walkAt(w, k)
			// Where a walk ends, it also begins: of points at one place the one at the marker is found.
			if near.Closer(x, y) || found == r && k == steps && near.Level(x, y) {
				found, step = r, k
			}
		}
	}
	if found.Run == nil {
		return axes.Pick{}, false
	}
	w := s.read.Walk(found.Run)
	return axes.Pick{Run: found.Name(), K: w.Epoch*orders.Examples(found.Run) + step, At: near.At, Lines: []string{
		fmt.Sprintf("%s, epoch %d, after %s", found.Label(), w.Epoch, orders.OfSteps(step, orders.Examples(found.Run))),
		"largest coordinate of the sum " + timeline.Number(w.Norms[step]),
		fmt.Sprintf("farthest in this epoch %s, H = %s", timeline.Number(w.Most), timeline.Number(w.H)),
	}}, true
}

// markWalk rings the place of a run's walk at an iteration of the epoch that is shown.
func (s *Scene) markWalk(b *brush.Brush, run string, k int) {
	r := s.read.Find(run)
	if r.Run == nil {
		return
	}
	if step, ok := s.read.StepAt(r.Run, k); ok {
		if w := s.read.Walk(r.Run); w != nil {
			x, y := s.walkAt(w, step)
			b.Ring(x, y, b.Theme.Look(r.Method).Hue)
		}
	}
}

func (s *Scene) walkLegend(t *brush.Theme) []axes.Entry {
	if s.Timeline().Selected().Run == nil {
		return nil
	}
	out := kinds.MethodEntries(t, Methods, s.Timeline())
	what := "between these lies the whole walk"
	if !s.inPlane() {
		what = "the farthest"
	}
	return append(out, axes.Entry{Label: what, Stroke: brush.Stroke{Color: t.Muted, Width: 1, Dash: []vg.Length{5, 3}}})
}

func (s *Scene) describeWalk() string {
	chosen := s.Timeline().Selected()
	if chosen.Run == nil {
		return s.waiting()
	}
	epoch, steps := s.read.Now(chosen.Run)
	var parts []string
	for r, w := range s.read.Walks() {
		parts = append(parts, r.Title+" "+orders.Rounded(w.Most))
	}
	text := fmt.Sprintf("How far the gradients of the samples visited so far are off their mean, added up over epoch %d in the order of each "+
		"method, after %s. A walk ends where it began, once every sample was visited.", epoch, orders.OfSteps(steps, orders.Examples(chosen.Run)))
	if parts != nil {
		text += " The farthest in any coordinate: " + strings.Join(parts, ", ") + "."
	}
	return text + runs.DescribeDiverged(s.Timeline())
}

package sampleorder

import (
	"cmp"
	"fmt"
	"image/color"
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

// walkPanels returns the panels of the walk in the plane of two coordinates, and in max norm.
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

// walkReach returns how far the picture of walks extends to the side and upwards: two thirds as far as the first
// epoch's walk does. Gradients differ most in that epoch, so its walk leaves the picture, but later walks fill it. If a
// walk reaches more than twice as far as the picture, the picture doubles in both directions.
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

// walkAxes returns the axes of the picture of walks. They fit the walks, not the squares around them, so that the walks
// fill the picture.
func (s *Scene) walkAxes() (x, y axes.Axis) {
	reach, high := s.walkReach()
	return axes.Axis{Label: "sum so far, coordinate 1", Short: "coordinate 1", Min: -reach, Max: reach},
		axes.Axis{Label: "sum so far, coordinate 2", Short: "coordinate 2", Min: -high, Max: high}
}

// walkAt returns a walk's position after k steps.
func (s *Scene) walkAt(w *orders.Walk, k int) (x, y float64) {
	return s.sumAt(k, w.Points[k], w.Norms[k])
}

// walkKey returns the cache key of the picture of the whole walks.
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

// walkStroke returns the stroke of a run's walk so far.
func (s *Scene) walkStroke(t *brush.Theme, r timeline.Track) brush.Stroke {
	switch {
	case kinds.Greyed(s.Timeline(), r):
		return brush.Stroke{Color: kinds.Grey(t), Width: 1}
	case r == s.Timeline().Selected():
		return t.Look(r.Method).Stroke(3.25)
	}
	return t.Look(r.Method).Stroke(2.25)
}

// paleStroke returns the stroke of whole walks.
func paleStroke(hue color.Color) brush.Stroke {
	return brush.Stroke{Color: brush.Faded(hue, 0.35), Width: 1}
}

// drawWalks draws the whole walks faintly, and marks how far they stray. In the plane the marks are squares.
func (s *Scene) drawWalks(b *brush.Brush) {
	if s.inPlane() {
		b.Origin()
	}
	for r, w := range s.read.Walks() {
		stroke := s.walkStroke(b.Theme, r)
		b.Line(len(w.Norms), func(k int) (float64, float64) { return s.walkAt(w, k) }, paleStroke(stroke.Color))
		if !s.inPlane() {
			edge := brush.Stroke{Color: brush.Faded(stroke.Color, 0.6), Width: 1, Dash: []vg.Length{5, 3}}
			b.Line(2, func(i int) (float64, float64) { return float64(len(w.Norms)-1) * float64(i), w.Most }, edge)
		}
	}
	if s.inPlane() {
		b.Marker(0, 0, brush.Plus, 5, b.Theme.Ink, true)
		return
	}
	s.nameLevels(b)
}

// These are sizes in pixels of the bars that show how far walks stray, and of the row with the epoch below them.
const (
	lessonRow = 34
	reachRow  = 18 // between bars
	reachEnd  = 4  // half the height of a bar's ends
	reachRoom = 14 // space around the words within a bar
)

// drawReaches draws a row for each method at the top: a bar that shows how far the whole walk strays to either side,
// labelled with the method's name and this distance. If the label does not fit in the bar, it is written to the right of
// the bar.
func (s *Scene) drawReaches(b *brush.Brush) {
	if b.Frame.Detail != brush.Full {
		return
	}
	y := b.Canvas.Max.Y - reachRow/2
	for r, w := range s.read.Walks() {
		if kinds.Greyed(s.Timeline(), r) || y < b.Canvas.Min.Y+lessonRow+reachRow/2 {
			continue
		}
		stroke := brush.Stroke{Color: s.walkStroke(b.Theme, r).Color, Width: 1.5}
		left, right := b.Edge(-w.Most, 0), b.Edge(w.Most, 0)
		left.Y, right.Y = y, y
		b.LineAt(left, right, stroke)
		for side, end := range [2]vg.Point{left, right} {
			if !b.Contains(w.Most*float64(2*side-1), 0) { // the bar continues beyond the picture
				continue
			}
			b.LineAt(end.Sub(vg.Point{Y: reachEnd}), end.Add(vg.Point{Y: reachEnd}), stroke)
		}
		words, at, side := r.Title+" ±"+orders.Rounded(w.Most), vg.Point{X: (left.X + right.X) / 2, Y: y}, brush.Centred
		if b.Width(words)+reachRoom > right.X-left.X {
			at, side = right, brush.RightOf
		}
		b.LabelAt(at, words, brush.SmallText, stroke.Color, side)
		y -= reachRow
	}
}

// nameLevels writes, at the end of each walk's line over the steps, how far the walk strays. If labels would overlap,
// it moves them apart.
func (s *Scene) nameLevels(b *brush.Brush) {
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
		if !kinds.Greyed(s.Timeline(), r) {
			at := b.At(float64(len(w.Norms)-1), min(w.Most, top))
			names = append(names, name{at, r.Title + " " + orders.Rounded(w.Most), s.walkStroke(b.Theme, r)})
		}
	}
	slices.SortFunc(names, func(a, b name) int { return cmp.Compare(b.at.Y, a.at.Y) })
	const apart = 15
	last := vg.Length(math.Inf(1))
	for _, n := range names {
		last = min(n.at.Y, last-apart)
		b.LabelAt(vg.Point{X: n.at.X, Y: last}, n.text, brush.SmallText, n.hue.Color, brush.Align{X: -1, Y: -1})
	}
}

// drawLesson writes the displayed epoch in large figures in a corner, and says which walks are better. If the two axes
// differ in scale, it says so.
func (s *Scene) drawLesson(b *brush.Brush) {
	chosen := s.Timeline().Selected()
	if b.Frame.Detail != brush.Full || chosen.Run == nil {
		return
	}
	const size, inside, words, share = 20, 6, 45, 0.7 // in pixels (words: the text's maximum height); share is a fraction of the canvas height
	at, side := vg.Point{X: b.Canvas.Min.X + 1, Y: b.Canvas.Min.Y + inside}, brush.Align{X: 1, Y: 1}
	if s.inPlane() {
		lesson := "Nearer to the middle is better."
		const stretched = 1.5
		if by := b.Y.Factor() / b.X.Factor(); by > stretched {
			lesson += fmt.Sprintf(" Vertical scale: %.0f×.", by)
		}
		if vg.Length(reachRow*s.Timeline().Methods())+words+lessonRow < share*b.Canvas.Size().Y {
			at.Y = b.Footnote(lesson) + inside
		}
	} else { // walks begin at the bottom
		at.Y, side.Y = b.Canvas.Max.Y-inside, -1
		b.TextAt(at.Sub(vg.Point{Y: size + inside}), "Lower is better.", brush.SmallText, b.Theme.Muted, side)
	}
	b.TextAt(at, s.epochWords(chosen), size, b.Theme.Ink, side) // without a patch behind the text, because a patch would hide walks
}

// epochWords returns the name of a run's displayed epoch. The first epoch is epoch 1.
func (s *Scene) epochWords(r timeline.Track) string {
	epoch, _ := s.read.Now(r.Run)
	return fmt.Sprintf("epoch %d of %d", epoch+1, s.epochs())
}

// epochs returns the number of the runs' epochs, the last of which may be incomplete.
func (s *Scene) epochs() int {
	k := s.read.Examples()
	return (s.Timeline().Budget() + k - 1) / k
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
	if s.inPlane() {
		s.drawReaches(b)
	}
	s.drawLesson(b)
}

// drawEnd marks a run's position at the marker, with a cross if the run has diverged.
func (s *Scene) drawEnd(b *brush.Brush, r timeline.Track, x, y float64) {
	radius := vg.Length(4)
	if r == s.Timeline().Selected() {
		radius = 6
	}
	b.Marker(x, y, kinds.ShapeAt(b.Theme.Look(r.Method), r.Run, s.Timeline().Marker()), radius, s.walkStroke(b.Theme, r).Color, true)
}

// ghostWalk draws the selected run's walk, with a letter, as the ghost of a pinned run.
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
	x, y := s.walkAt(w, len(w.Norms)/2)
	b.Label(x, y, letter, brush.SmallText, b.Theme.Muted, brush.Align{X: 1, Y: 1})
}

func (s *Scene) findWalk(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	near, step := b.Nearest(at), 0
	var found timeline.Track
	for r, w := range s.read.Walks() {
		_, steps := s.read.Now(r.Run)
		for k := range w.Norms {
			x, y := s.walkAt(w, k)
			// A walk ends where it begins. Of coinciding points, find the point at the marker.
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
		fmt.Sprintf("%s, epoch %d of %d, after %s", found.Label(), w.Epoch+1, s.epochs(), orders.OfSteps(step, orders.Examples(found.Run))),
		"largest coordinate of the sum: " + timeline.Number(w.Norms[step]),
		fmt.Sprintf("largest distance in this epoch %s, H = %s", timeline.Number(w.Most), timeline.Number(w.H)),
	}}, true
}

// markWalk draws a ring on a run's walk at an iteration of the displayed epoch.
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
	out := append(kinds.MethodEntries(t, Methods, s.Timeline()),
		axes.Entry{Label: "pale: rest of the epoch", Stroke: paleStroke(t.Ink)})
	if s.inPlane() {
		return append(out, axes.Entry{Label: "bar: largest distance in the epoch", Stroke: brush.Stroke{Color: t.Muted, Width: 1.5}})
	}
	return append(out, axes.Entry{Label: "the farthest", Stroke: brush.Stroke{Color: t.Muted, Width: 1, Dash: []vg.Length{5, 3}}})
}

func (s *Scene) describeWalk() string {
	chosen := s.Timeline().Selected()
	if chosen.Run == nil {
		return s.waiting()
	}
	_, steps := s.read.Now(chosen.Run)
	return s.describeReach(chosen) + fmt.Sprintf("A walk adds up, sample after sample, how far the gradients are from their mean. It is "+
		"shown after %s. It ends where it began, once every sample has been visited.", orders.OfSteps(steps, orders.Examples(chosen.Run))) +
		runs.DescribeDiverged(s.Timeline())
}

// describeReach returns a text that first says which walk of the epoch strays farthest and which least, and then lists
// all.
func (s *Scene) describeReach(chosen timeline.Track) string {
	var parts []string
	var least, most *orders.Walk
	var near, far string
	for r, w := range s.read.Walks() {
		if least == nil || w.Most < least.Most {
			least, near = w, r.Title
		}
		if most == nil || w.Most > most.Most {
			most, far = w, r.Title
		}
		parts = append(parts, r.Title+" "+orders.Rounded(w.Most))
	}
	switch {
	case least == nil:
		return ""
	case least.Most == most.Most:
		return fmt.Sprintf("In %s the orders stray %s from the middle. ", s.epochWords(chosen), orders.Rounded(most.Most))
	}
	return fmt.Sprintf("In %s, %s strays farthest from the middle (%s) and %s least (%s). Largest distance of each order: %s. ",
		s.epochWords(chosen), far, orders.Rounded(most.Most), near, orders.Rounded(least.Most), strings.Join(parts, "; "))
}

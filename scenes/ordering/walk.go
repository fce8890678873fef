package ordering

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/orders"
	"paretoplay/scenes/timeline"
)

const walkHeading = "How far each order strays"

// walkPanels are the walk in the plane of two coordinates, and in max norm.
func (s *Scene) walkPanels() (plane, norm *panel.Plane) {
	plane = &panel.Plane{Name: "walk", Heading: walkHeading, Equal: true, Stretched: true, Text: s.describeWalk, Legend: s.walkLegend}
	plane.Axes = func() (panel.Axis, panel.Axis) {
		reach := s.walkReach()
		return panel.Axis{Label: "coordinate 1", Min: -reach, Max: reach}, panel.Axis{Label: "coordinate 2", Min: -reach, Max: reach}
	}
	plane.Sheets = func() []panel.Sheet {
		if s.problem == nil {
			return panel.WordSheets(s.waiting())
		}
		return []panel.Sheet{{Key: s.walkKey(), Draw: s.drawWalks, Ghost: s.ghostWalk}, {Draw: s.drawWalked}}
	}
	norm = &panel.Plane{Name: "walk", Heading: walkHeading, Text: s.describeWalk, Legend: s.walkLegend}
	norm.Axes = func() (panel.Axis, panel.Axis) {
		return panel.Axis{Label: "step of the epoch", Min: 0, Max: float64(s.examples()), Integer: true},
			panel.Axis{Label: "largest coordinate of the sum", Min: 0, Max: s.walkReach()}
	}
	norm.Sheets = plane.Sheets
	for _, p := range []*panel.Plane{plane, norm} {
		p.Find = s.findWalk
		p.Marks = s.markWalk
	}
	return plane, norm
}

// inPlane reports whether sums are shown in the plane of two coordinates.
func (s *Scene) inPlane() bool {
	if s.problem == nil {
		return true
	}
	d, _ := s.problem.Dims()
	return d > 1 && s.values.Walk == walkPlane
}

// examples is K, 1 where there are no runs.
func (s *Scene) examples() int {
	if runs := s.Timeline().Runs(); len(runs) > 0 {
		return orders.Examples(runs[0])
	}
	return 1
}

// walkAt is where a walk is after k steps.
func (s *Scene) walkAt(w *walk, k int) (x, y float64) {
	if s.inPlane() {
		return w.sum(k)
	}
	return float64(k), w.norms[k]
}

// walkReach is a round end of the axes above all walks, which are read first: where panels are
// drawn their axes are asked for before anything else.
func (s *Scene) walkReach() float64 {
	s.readWalks(frameful(s.walkCost()))
	var most float64
	for _, r := range s.shownTracks() {
		if w := s.walkOf(r.Run); w != nil {
			most = max(most, w.most)
		}
	}
	return roundAbove(most)
}

// roundAbove is a round number a little above a size, 1 for 0.
func roundAbove(size float64) float64 {
	if !(size > 0) || math.IsInf(size, 1) {
		return 1
	}
	return panel.RoundUp(1.06*size, 1, 1.5, 2, 3, 4, 5, 6, 8)
}

// walkKey names what the whole walks look like.
func (s *Scene) walkKey() string {
	key := []string{"walks", fmt.Sprint(s.Timeline().Version()), s.Timeline().SelectedName()}
	for _, r := range s.shownTracks() {
		epoch := -1
		if w := s.walkOf(r.Run); w != nil {
			epoch = w.epoch
		}
		key = append(key, r.Name(), fmt.Sprint(epoch))
	}
	return strings.Join(key, " ")
}

// walkStroke is the line of a run's walk so far.
func (s *Scene) walkStroke(t *panel.Theme, r timeline.Track) panel.Stroke {
	switch {
	case panel.Greyed(s.Timeline(), r):
		return panel.Stroke{Color: panel.Grey(t), Width: 1}
	case r == s.Timeline().Selected():
		return t.Look(r.Method).Stroke(2.75)
	}
	return t.Look(r.Method).Stroke(1.75)
}

// drawWalks draws the whole walks faintly, and how far they stray: in the plane as squares.
func (s *Scene) drawWalks(b *panel.Brush) {
	if s.inPlane() {
		axis := panel.Stroke{Color: b.Theme.Hairline, Width: 1}
		b.HLine(0, axis)
		b.VLine(0, axis)
	}
	for _, r := range s.shownTracks() {
		w := s.walkOf(r.Run)
		if w == nil {
			continue
		}
		stroke := s.walkStroke(b.Theme, r)
		faint := panel.Stroke{Color: panel.Faded(stroke.Color, 0.35), Width: 1}
		b.Line(len(w.norms), func(k int) (float64, float64) { return s.walkAt(w, k) }, faint)
		edge := panel.Stroke{Color: panel.Faded(stroke.Color, 0.8), Width: 1, Dash: []vg.Length{5, 3}}
		if r == s.Timeline().Selected() {
			edge.Width = 1.75
		}
		b.Line(len(squareCorners), func(i int) (float64, float64) { return s.farthest(w, i) }, edge)
	}
	s.nameSquares(b)
	if s.inPlane() {
		b.Hint("gradients less their mean, added up sample by sample")
		b.Marker(0, 0, panel.Plus, 5, b.Theme.Ink, true)
	}
}

// squareCorners go about the origin.
var squareCorners = [...]vector{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}

// farthest is a corner of the square in which a walk stays or, over the steps, a point of the
// line beneath which it does.
func (s *Scene) farthest(w *walk, i int) (x, y float64) {
	if s.inPlane() {
		c := squareCorners[i]
		return c.x * w.most, c.y * w.most
	}
	return float64(len(w.norms)-1) * float64(i) / float64(len(squareCorners)-1), w.most
}

// nameSquares writes how far the walks stray, those below one another that are nearly alike.
func (s *Scene) nameSquares(b *panel.Brush) {
	if b.Frame.Detail != panel.Full {
		return
	}
	type name struct {
		at   vg.Point
		text string
		hue  panel.Stroke
	}
	var names []name
	for _, r := range s.shownTracks() {
		w := s.walkOf(r.Run)
		if w == nil || panel.Greyed(s.Timeline(), r) {
			continue
		}
		corner := 2 // the upper right one
		if !s.inPlane() {
			corner = len(squareCorners) - 1
		}
		x, y := s.farthest(w, corner)
		at, number := b.At(x, y), timeline.Number(rounded3(w.most))
		text := r.Title + " " + number
		if s.inPlane() && b.Width(text) > 2*(at.X-b.At(0, 0).X) { // it would lie over the walk
			text = number
		}
		names = append(names, name{at, text, s.walkStroke(b.Theme, r)})
	}
	slices.SortFunc(names, func(a, b name) int { return cmp.Compare(b.at.Y, a.at.Y) })
	const apart = 15
	last := vg.Length(math.Inf(1))
	for _, n := range names {
		last = min(n.at.Y, last-apart)
		x, y := b.World(vg.Point{X: n.at.X, Y: last})
		b.Label(x, y, n.text, panel.SmallText, n.hue.Color, panel.Align{X: -1, Y: -1})
	}
}

// rounded3 keeps three digits.
func rounded3(v float64) float64 {
	if v == 0 || v-v != 0 {
		return v
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-2)
	return math.Round(v/unit) * unit
}

// drawWalked draws the walks up to the marker.
func (s *Scene) drawWalked(b *panel.Brush) {
	for _, r := range s.shownTracks() {
		w := s.walkOf(r.Run)
		if w == nil {
			continue
		}
		_, steps := s.now(r.Run)
		b.Line(steps+1, func(k int) (float64, float64) { return s.walkAt(w, k) }, s.walkStroke(b.Theme, r))
	}
	for _, r := range s.shownTracks() {
		w := s.walkOf(r.Run)
		if w == nil {
			continue
		}
		_, steps := s.now(r.Run)
		x, y := s.walkAt(w, steps)
		s.drawEnd(b, r, x, y)
	}
}

// drawEnd marks where a run stands at the marker. A run that has diverged has a cross.
func (s *Scene) drawEnd(b *panel.Brush, r timeline.Track, x, y float64) {
	radius := vg.Length(4)
	if r == s.Timeline().Selected() {
		radius = 6
	}
	b.Marker(x, y, b.Theme.Look(r.Method).ShapeAt(r.Run, s.Timeline().Marker()), radius, s.walkStroke(b.Theme, r).Color, true)
}

// ghostWalk draws the walk of the selected run as that of a ghost.
func (s *Scene) ghostWalk(b *panel.Brush, stroke panel.Stroke, letter string) {
	r := s.Timeline().Selected()
	if r.Run == nil {
		return
	}
	w := s.walkOf(r.Run)
	if w == nil {
		return
	}
	b.Line(len(w.norms), func(k int) (float64, float64) { return s.walkAt(w, k) }, stroke)
	b.Line(len(squareCorners), func(i int) (float64, float64) { return s.farthest(w, i) }, stroke)
	x, y := s.farthest(w, 0)
	b.Label(x, y, letter, panel.SmallText, b.Theme.Muted, panel.Align{X: 1, Y: 1})
}

func (s *Scene) findWalk(b *panel.Brush, at vg.Point) (panel.Pick, bool) {
	near, step := b.Nearest(at), 0
	var found timeline.Track
	for _, r := range s.shownTracks() {
		w := s.walkOf(r.Run)
		if w == nil {
			continue
		}
		_, steps := s.now(r.Run)
		for k := range w.norms {
			x, y := s.walkAt(w, k)
			// Where a walk ends, it also begins: of points at one place the one at the marker is found.
			if near.Closer(x, y) || found == r && k == steps && near.Level(x, y) {
				found, step = r, k
			}
		}
	}
	if found.Run == nil {
		return panel.Pick{}, false
	}
	w := s.walkOf(found.Run)
	return panel.Pick{Run: found.Name(), K: w.epoch*orders.Examples(found.Run) + step, At: near.At, Lines: []string{
		fmt.Sprintf("%s, epoch %d, after %s", found.Label(), w.epoch, ofSteps(step, orders.Examples(found.Run))),
		"largest coordinate of the sum " + timeline.Number(w.norms[step]),
		fmt.Sprintf("farthest in this epoch %s, H = %s", timeline.Number(w.most), timeline.Number(w.h)),
	}}, true
}

// ofSteps says how many of so many steps.
func ofSteps(n, k int) string {
	if k == 1 {
		return fmt.Sprintf("%d of 1 step", n)
	}
	return fmt.Sprintf("%d of %d steps", n, k)
}

// markWalk rings the place of a run's walk at an iteration of the epoch that is shown.
func (s *Scene) markWalk(b *panel.Brush, run string, k int) {
	r := s.shows(run)
	if r.Run == nil {
		return
	}
	w, step, ok := s.inEpoch(r.Run, k)
	if !ok || w == nil {
		return
	}
	x, y := s.walkAt(w, step)
	b.Ring(x, y, b.Theme.Look(r.Method).Hue)
}

// inEpoch is the step of the run's epoch that is shown at which it was at iteration k, or at
// the marker where k is negative, and its walk; ok is false where k is of another epoch.
func (s *Scene) inEpoch(r *timeline.Run, k int) (w *walk, step int, ok bool) {
	epoch, step := s.now(r)
	if k >= 0 {
		examples := orders.Examples(r)
		if step = k - epoch*examples; step < 0 || step > examples {
			return nil, 0, false
		}
	}
	return s.walkOf(r), step, true
}

func (s *Scene) walkLegend(t *panel.Theme) []panel.Entry {
	if s.Timeline().Selected().Run == nil {
		return nil
	}
	out := panel.MethodEntries(t, Methods, s.Timeline())
	what := "within it lies the whole walk"
	if !s.inPlane() {
		what = "the farthest"
	}
	return append(out, panel.Entry{Label: what, Stroke: panel.Stroke{Color: t.Muted, Width: 1, Dash: []vg.Length{5, 3}}})
}

func (s *Scene) describeWalk() string {
	chosen := s.Timeline().Selected()
	if chosen.Run == nil {
		return s.waiting()
	}
	epoch, steps := s.now(chosen.Run)
	var parts []string
	for _, r := range s.shownTracks() {
		if w := s.walkOf(r.Run); w != nil {
			parts = append(parts, r.Title+" "+timeline.Number(rounded3(w.most)))
		}
	}
	text := fmt.Sprintf("How far the gradients of the samples visited so far are off their mean, added up over epoch %d in the order of each "+
		"method, after %s. A walk ends where it began, once every sample was visited.", epoch, ofSteps(steps, orders.Examples(chosen.Run)))
	if parts != nil {
		text += " The farthest in any coordinate: " + strings.Join(parts, ", ") + "."
	}
	return text + race.DescribeDiverged(s.Timeline())
}

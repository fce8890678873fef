package panel

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/param"
	"paretoplay/scenes/timeline"
)

// chunk is the length in iterations of the stretches that move from the live
// layer of a picture to the cached one.
const chunk = 64

// Tracks draws one line for each run of a timeline: the sheets of a Plane that
// shows where runs go.
type Tracks struct {
	Name     string // unique in the scene
	Timeline *timeline.Timeline
	// Point is where a row stands; NaN for a row without a place.
	Point func(timeline.Row) (x, y float64)
	// Key names what Point depends on beside the row; nil for nothing.
	Key func() string
	// OverTime is for horizontal axes of time: the lines go to the latest
	// iteration, not only to the marker, and a row's value holds until the next.
	OverTime bool
}

// until is the last iteration that is drawn.
func (t *Tracks) until() int {
	if t.OverTime {
		return t.Timeline.Latest()
	}
	return t.Timeline.Marker()
}

// Sheets returns a cached sheet with the lines up to a multiple of some
// iterations, and a live one with the rest.
func (t *Tracks) Sheets() []Sheet {
	k := t.until() / chunk * chunk
	key := fmt.Sprintf("%s %d %d %s", t.Name, t.Timeline.Version(), k, t.Timeline.Selected())
	if t.Key != nil {
		key += " " + t.Key()
	}
	return []Sheet{
		{Key: key, Draw: func(b *Brush) { t.draw(b, 0, k) }},
		{Draw: func(b *Brush) { t.draw(b, k, t.until()) }},
	}
}

// draw draws the stretch between two iterations of every run, the selected one
// last and thicker.
func (t *Tracks) draw(b *Brush, from, to int) {
	if from == to {
		return
	}
	selected := t.Timeline.SelectedRun()
	for _, r := range t.Timeline.Runs() {
		if r != selected {
			stroke := b.Theme.Look(r.Method).Stroke(1.5)
			stroke.Color = Faded(stroke.Color, 0.8)
			t.line(b, r, from, to, stroke)
		}
	}
	if selected != nil {
		t.line(b, selected, from, to, b.Theme.Look(selected.Method).Stroke(2.75))
	}
}

func (t *Tracks) line(b *Brush, r *timeline.Run, from, to int, stroke Stroke) {
	if from > r.Last() {
		return
	}
	i, j := r.Index(from), r.Index(to)
	if !t.OverTime {
		b.Line(j-i+1, func(n int) (float64, float64) { return t.Point(r.Kept(i + n)) }, stroke)
		return
	}
	b.Line(2*(j-i)+1, func(n int) (float64, float64) {
		x, _ := t.Point(r.Kept(i + (n+1)/2))
		_, y := t.Point(r.Kept(i + n/2))
		return x, y
	}, stroke)
}

// Ends marks where each run stands at the marker. A diverged run has a cross.
func (t *Tracks) Ends(b *Brush) {
	for _, r := range t.Timeline.Runs() {
		row := t.Timeline.Shown(r)
		x, y := t.Point(row)
		look := b.Theme.Look(r.Method)
		shape, radius := look.Shape, vg.Length(4)
		if r.Divergence().Quantity != "" && row.K == r.Last() {
			shape, radius = Cross, 5
		}
		if r.Name == t.Timeline.Selected() {
			radius += 2
		}
		b.Marker(x, y, shape, radius, look.Hue, true)
	}
}

// Heads draws an arrow head on each run that has gone far enough on the screen
// to have a direction.
func (t *Tracks) Heads(b *Brush) {
	const least = 28 // CSS pixels
	for _, r := range t.Timeline.Runs() {
		last := r.Index(min(t.Timeline.Marker(), r.Last()))
		x, y := t.Point(r.Kept(0))
		p := b.At(x, y)
		// Ever larger strides: a long run that stays close costs no more than a short one.
		for i := 1; i <= last; i += 1 + i/8 {
			x, y := t.Point(r.Kept(i))
			q := b.At(x, y)
			if d := q.Sub(p); math.Hypot(float64(d.X), float64(d.Y)) >= least {
				b.ArrowHead(x, y, math.Atan2(float64(d.Y), float64(d.X)), b.Theme.Look(r.Method).Hue)
				break
			}
		}
	}
}

// Find is the row nearest to a point of the panel, among what is drawn, and its
// values: the Find of a Plane.
func (t *Tracks) Find(b *Brush, at vg.Point) (Pick, bool) {
	reach := float64(HitRadius(b.Frame.Touch))
	best := Pick{K: -1}
	var found timeline.Row
	var label string
	for _, r := range t.Timeline.Runs() {
		for i := r.Index(min(t.until(), r.Last())); i >= 0; i-- {
			x, y := t.Point(r.Kept(i))
			p := b.At(x, y)
			if d := math.Hypot(float64(p.X-at.X), float64(p.Y-at.Y)); d < reach {
				reach, found, label = d, r.Kept(i), r.Label
				best = Pick{Run: r.Name, K: found.K, At: p}
			}
		}
	}
	if best.K < 0 {
		return best, false
	}
	best.Lines = []string{
		fmt.Sprintf("%s, k = %d", label, found.K),
		"x = " + timeline.Vector(found.X),
		"f = " + timeline.Vector(found.F),
		"λ = " + timeline.Vector(found.Weights),
		fmt.Sprintf("ω = %s, BP = %d", timeline.Number(found.Stationarity), found.BP),
	}
	return best, true
}

// MethodEntries are the legend entries of those methods that have runs, and of
// the cross where one diverged.
func MethodEntries(theme *Theme, methods []param.Method, t *timeline.Timeline) []Entry {
	var out []Entry
	for _, m := range methods {
		if slices.ContainsFunc(t.Runs(), func(r *timeline.Run) bool { return r.Method == m.ID }) {
			out = append(out, theme.Look(m.ID).Entry(m.Title))
		}
	}
	if i := slices.IndexFunc(t.Runs(), func(r *timeline.Run) bool { return r.Divergence().Quantity != "" }); i >= 0 {
		out = append(out, Entry{Label: "diverged", Shape: Cross, Fill: theme.Look(t.Runs()[i].Method).Hue})
	}
	return out
}

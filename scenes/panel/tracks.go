package panel

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/param"
	"paretoplay/scenes/timeline"
)

// settled is the iteration up to which lines are in the cached layer of a picture
// that goes to iteration k: the live layer has the rest. Longer lines move over in
// longer stretches, so that the cached layer is drawn anew a few times for every
// doubling of k, however fast the runs go.
func settled(k int) int {
	chunk := 64
	for 8*chunk < k {
		chunk *= 2
	}
	return k / chunk * chunk
}

// Tracks draws one line for each track of a timeline: the sheets of a Plane that
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
	// Shown picks the runs whose lines are drawn and found; nil for all. What it depends on belongs
	// in Key, but for the selected run.
	Shown func(timeline.Track) bool
	// Stroke is how the line of a run is drawn; nil for its method's look, wider for
	// the selected run.
	Stroke func(theme *Theme, r timeline.Track) Stroke
	// Lines say what Find found of a row; nil for all that a run records.
	Lines func(r timeline.Track, row timeline.Row) []string

	outlines map[timeline.Track]*outline
	version  uint64 // of the timeline that the outlines are of
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
	k := settled(t.until())
	key := fmt.Sprintf("%s %d %d %s", t.Name, t.Timeline.Version(), k, t.Timeline.SelectedName())
	if t.Key != nil {
		key += " " + t.Key()
	}
	return []Sheet{
		{Key: key, Draw: func(b *Brush) { t.draw(b, 0, k) }},
		{Draw: func(b *Brush) { t.draw(b, k, t.until()) }},
	}
}

func (t *Tracks) shows(r timeline.Track) bool { return t.Shown == nil || t.Shown(r) }

// draw draws the stretch between two iterations of every run, the selected one
// last and thicker.
func (t *Tracks) draw(b *Brush, from, to int) {
	if from == to {
		return
	}
	selected := t.Timeline.Selected()
	for _, r := range t.Timeline.Tracks() {
		if r != selected && t.shows(r) {
			t.line(b, r, from, to, t.stroke(b.Theme, r))
		}
	}
	if selected.Run != nil && t.shows(selected) {
		t.line(b, selected, from, to, t.stroke(b.Theme, selected))
	}
}

func (t *Tracks) stroke(theme *Theme, r timeline.Track) Stroke {
	switch {
	case t.Stroke != nil:
		return t.Stroke(theme, r)
	case r == t.Timeline.Selected():
		return theme.Look(r.Method).Stroke(2.75)
	}
	stroke := theme.Look(r.Method).Stroke(1.5)
	stroke.Color = Faded(stroke.Color, 0.8)
	return stroke
}

func (t *Tracks) line(b *Brush, r timeline.Track, from, to int, stroke Stroke) {
	if from > r.Last() {
		return
	}
	rows := t.outline(b, r).between(r.Index(from), r.Index(to))
	if !t.OverTime {
		b.Line(len(rows), func(n int) (float64, float64) { return t.Point(r.Kept(rows[n])) }, stroke)
		return
	}
	b.Line(2*len(rows)-1, func(n int) (float64, float64) {
		x, _ := t.Point(r.Kept(rows[(n+1)/2]))
		_, y := t.Point(r.Kept(rows[n/2]))
		return x, y
	}, stroke)
}

// Ends marks where each run stands at the marker. A diverged run has a cross.
func (t *Tracks) Ends(b *Brush) {
	for _, r := range t.Timeline.Tracks() {
		row := t.Timeline.Shown(r)
		x, y := t.Point(row)
		look := b.Theme.Look(r.Method)
		shape, radius := look.Shape, vg.Length(4)
		if r.Divergence().Quantity != "" && row.K == r.Last() {
			shape, radius = Cross, 5
		}
		if r == t.Timeline.Selected() {
			radius += 2
		}
		b.Marker(x, y, shape, radius, look.Hue, true)
	}
}

// Heads draws an arrow head on each run that has gone far enough on the screen
// to have a direction.
func (t *Tracks) Heads(b *Brush) {
	const least = 28 // CSS pixels
	for _, r := range t.Timeline.Tracks() {
		rows := t.outline(b, r).between(0, r.Index(min(t.Timeline.Marker(), r.Last())))
		x, y := t.Point(r.Kept(0))
		p := b.At(x, y)
		for _, i := range rows {
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
	var found timeline.Track
	look := func(r timeline.Track, i int) (nearer bool) {
		x, y := t.Point(r.Kept(i))
		p := b.At(x, y)
		d := math.Hypot(float64(p.X-at.X), float64(p.Y-at.Y))
		if nearer = d < reach; nearer {
			reach, found = d, r
			best = Pick{Run: r.Name(), K: r.Kept(i).K, At: p}
		}
		return nearer
	}
	lo, hi := 0, -1 // the rows that the outline leaves out about the nearest
	for _, r := range t.Timeline.Tracks() {
		if !t.shows(r) {
			continue
		}
		rows := t.outline(b, r).between(0, r.Index(min(t.until(), r.Last())))
		for n := len(rows) - 1; n >= 0; n-- {
			if look(r, rows[n]) {
				lo, hi = rows[max(n-1, 0)], rows[min(n+1, len(rows)-1)]
			}
		}
	}
	for i := hi; i >= lo; i-- {
		look(found, i)
	}
	if best.K < 0 {
		return best, false
	}
	row := found.Kept(found.Index(best.K))
	if t.Lines != nil {
		best.Lines = t.Lines(found, row)
		return best, true
	}
	best.Lines = []string{
		fmt.Sprintf("%s, k = %d", found.Label(), row.K),
		"x = " + timeline.Vector(row.X),
		"f = " + timeline.Vector(row.F),
		"λ = " + timeline.Vector(row.Weights),
		fmt.Sprintf("ω = %s, BP = %d", timeline.Number(row.Stationarity), row.BP),
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

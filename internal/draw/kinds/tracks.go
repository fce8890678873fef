// Package kinds provides the kinds of panels that scenes share: tracks of runs in a plane and over time, curves, bars,
// stacks of shares, transport plans, strips, tiles, and three-dimensional pictures.
package kinds

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// settled returns the last iteration in the cached layer of a picture that shows iterations up to k. The live layer
// shows the rest. The longer a line is, the longer are the stretches that move to the cached layer. That layer is thus
// redrawn only a few times while k doubles, at any speed.
func settled(k int) int {
	chunk := 64
	for 8*chunk < k {
		chunk *= 2
	}
	return k / chunk * chunk
}

// Tracks draws one line for each track of a timeline. It provides sheets for a Plane that shows the paths of runs.
type Tracks struct {
	Name     string // name, unique in the scene
	Timeline *timeline.Timeline
	// Point returns the place of a row, or NaN for a row without a place.
	Point func(timeline.Row) (x, y float64)
	// Key returns a text that identifies everything that Point depends on, except the row. It may be nil.
	Key func() string
	// OverTime is true if the horizontal axis is time. Lines then extend to the latest iteration, not only to the marker,
	// and a row's value applies until the next row.
	OverTime bool
	// Shown selects the runs to draw and find. If it is nil, it selects all runs. Key must include everything that Shown
	// depends on, except the selected run.
	Shown func(timeline.Track) bool
	// Stroke returns the stroke of a run's line. If it is nil, lines have their method's look, and the selected run's line
	// is wider.
	Stroke func(theme *brush.Theme, r timeline.Track) brush.Stroke
	// Lines describes a row that Find has found. If it is nil, the description lists everything that a run records.
	Lines func(r timeline.Track, row timeline.Row) []string
	// Secondary is true for lines that only repeat other lines. They have no ghosts and do not react to the pointer.
	Secondary bool

	outlines map[timeline.Track]*outline
	store    []knot // reusable storage for one line
	version  uint64 // version of the timeline that the outlines belong to
	searched searched
}

func (t *Tracks) until() int {
	if t.OverTime {
		return t.Timeline.Latest()
	}
	return t.Timeline.Marker()
}

// Sheets returns a cached sheet with most of the lines, and an uncached sheet with the rest.
func (t *Tracks) Sheets() []axes.Sheet {
	k := settled(t.until())
	key := fmt.Sprintf("%s %d %d %s", t.Name, t.Timeline.Version(), k, t.Timeline.SelectedName())
	if t.Key != nil {
		key += " " + t.Key()
	}
	if k == 0 { // nothing to cache
		key = ""
	}
	lines := axes.Sheet{Key: key, Draw: func(b *brush.Brush) { t.draw(b, 0, k) }, Lines: true}
	if !t.Secondary {
		lines.Mark, lines.Ghost, lines.GhostKey = t.mark, t.drawGhost, t.ghostKey
	}
	return []axes.Sheet{
		lines,
		{Draw: func(b *brush.Brush) { t.draw(b, k, t.until()) }},
	}
}

// Moving implements Moving of a Plane. It appends the places of the tracks at iteration k to v.
func (t *Tracks) Moving(v []float64, k, most int) []float64 {
	tracks := t.Timeline.Tracks()
	for i := 0; i < len(tracks); i += axes.Every(len(tracks), most) {
		r := tracks[i]
		if !t.shows(r) {
			continue
		}
		at := r.Index(min(k, r.Last()))
		x, y := t.Point(r.Kept(at))
		if t.OverTime && math.IsNaN(y) && at > 0 { // the last row has no step
			_, y = t.Point(r.Kept(at - 1))
		}
		v = append(v, x, y)
	}
	return v
}

func (t *Tracks) shows(r timeline.Track) bool { return t.Shown == nil || t.Shown(r) }

// draw draws, for every run, the part of its line between two iterations. The selected run is drawn last, with a
// thicker line.
func (t *Tracks) draw(b *brush.Brush, from, to int) {
	if from == to {
		return
	}
	selected := t.Timeline.Selected()
	for _, grey := range []bool{true, false} { // draw coloured lines above grey ones
		for _, r := range t.Timeline.Tracks() {
			if r != selected && t.shows(r) && Greyed(t.Timeline, r) == grey {
				t.line(b, r, from, to, t.stroke(b.Theme, r))
			}
		}
	}
	if selected.Run != nil && t.shows(selected) {
		t.line(b, selected, from, to, t.stroke(b.Theme, selected))
	}
}

func (t *Tracks) stroke(theme *brush.Theme, r timeline.Track) brush.Stroke {
	switch {
	case t.Stroke != nil:
		return t.Stroke(theme, r)
	case r == t.Timeline.Selected():
		return theme.Look(r.Method).Stroke(2.75)
	}
	if Greyed(t.Timeline, r) {
		return brush.Stroke{Color: Grey(theme), Width: 1}
	}
	stroke := theme.Look(r.Method).Stroke(1.5)
	// The screen first draws each translucent line separately. With many lines, this takes most of a frame's time.
	const maxTranslucent = 20
	if len(t.Timeline.Tracks()) <= maxTranslucent {
		stroke.Color = brush.Faded(stroke.Color, 0.8)
	}
	return stroke
}

func (t *Tracks) line(b *brush.Brush, r timeline.Track, from, to int, stroke brush.Stroke) {
	if from > r.Last() {
		return
	}
	t.store = t.between(t.store[:0], b, r, r.Index(from), r.Index(to))
	stroke.MaxDashes = share(maxDashes, len(t.Timeline.Tracks()))
	o := t.outlines[r]
	if t.OverTime && o.reduced() {
		t.bars(b, t.store, o.columns.width, stroke)
		return
	}
	stroke.Width = o.width(stroke.Width)
	line := b.Tracer()
	for i, k := range t.store {
		if t.OverTime && i > 0 { // the previous value holds until here
			line.Add(vg.Point{X: k.at.X, Y: t.store[i-1].at.Y})
		}
		if k.lifted {
			line.End()
		}
		line.Add(k.at)
	}
	b.Trace(line, stroke)
}

// bars draws a line over time that has more rows than pixels. In each column of pixels, it draws the span of the values
// if the span exceeds the line's width, and the line itself otherwise.
func (t *Tracks) bars(b *brush.Brush, knots []knot, width float64, stroke brush.Stroke) {
	line, spans := b.Tracer(), b.SecondTracer()
	for i, n := 0, 0; i < len(knots); i = n {
		number := math.Floor(float64(knots[i].at.X) / width)
		low, high := knots[i].at.Y, knots[i].at.Y
		for n = i; n < len(knots) && brush.Finite(knots[n].at) && math.Floor(float64(knots[n].at.X)/width) == number; n++ {
			low, high = min(low, knots[n].at.Y), max(high, knots[n].at.Y)
		}
		if !brush.Finite(knots[i].at) {
			n = i + 1
			line.End()
			continue
		}
		first, last := knots[i].at, knots[n-1].at
		held := first
		if i > 0 && !knots[i].lifted && brush.Finite(knots[i-1].at) { // the previous value holds until here
			held.Y = knots[i-1].at.Y
			low, high = min(low, held.Y), max(high, held.Y)
		} else {
			line.End()
		}
		line.Add(held)
		if high-low > stroke.Width {
			line.End()
			x := (first.X + last.X) / 2
			spans.Add(vg.Point{X: x, Y: low})
			spans.Add(vg.Point{X: x, Y: high})
			spans.End()
		} else {
			line.Add(first)
		}
		line.Add(last)
	}
	b.Trace(line, stroke)
	stroke.Width, stroke.Dash = max(stroke.Width, vg.Length(width)), nil
	b.Trace(spans, stroke)
}

// Ends draws each run's marker at the run's current place, or a cross for a run that diverged.
func (t *Tracks) Ends(b *brush.Brush) {
	for _, grey := range []bool{true, false} {
		for _, r := range t.Timeline.Tracks() {
			if Greyed(t.Timeline, r) == grey {
				t.sign(b, r, grey)
			}
		}
	}
}

func (t *Tracks) sign(b *brush.Brush, r timeline.Track, grey bool) {
	row := t.Timeline.Shown(r)
	x, y := t.Point(row)
	look := b.Theme.Look(r.Method)
	shape, radius := ShapeAt(look, r.Run, row.K), vg.Length(4)
	if grey {
		look.Hue, radius = Grey(b.Theme), 3
	}
	if shape == brush.Cross {
		radius = 5
	}
	if r == t.Timeline.Selected() {
		radius += 2
	}
	b.Marker(x, y, shape, radius, look.Hue, true)
}

// Outside draws, for each run outside the picture, an arrow that points to the run from the picture's edge.
func (t *Tracks) Outside(b *brush.Brush) {
	const radius = 3.5
	for _, r := range t.Timeline.Tracks() {
		x, y := t.Point(t.Timeline.Shown(r))
		if !t.shows(r) || b.Contains(x, y) || !brush.Finite(b.At(x, y)) || Greyed(t.Timeline, r) {
			continue
		}
		look := b.Theme.Look(r.Method)
		b.MarkerAt(b.Outward(x, y, 0, look.Hue), look.Shape, radius, look.Hue)
	}
}

// ShapeAt returns the shape of a run's marker at iteration k. It is a cross at the end of a run that diverged, and
// otherwise the shape of the given look.
func ShapeAt(l brush.Look, r *timeline.Run, k int) brush.Shape {
	if k >= r.Last() && r.Divergence().Quantity != "" {
		return brush.Cross
	}
	return l.Shape
}

// Crowded reports whether too many methods run to draw all of them in colour. In this case, only the selected method
// and the method under the pointer are in colour.
func Crowded(t *timeline.Timeline) bool { return t.Methods() > brush.MaxMethods }

// Greyed reports whether a track is drawn in grey because too many methods run.
func Greyed(t *timeline.Timeline, r timeline.Track) bool {
	return Crowded(t) && r.Method != t.Selected().Method
}

// Grey returns the colour of greyed tracks.
func Grey(theme *brush.Theme) color.NRGBA { return theme.Tint(theme.Rule, 0.6) }

// Heads draws an arrow head on each run that has moved far enough on the screen to show a direction.
func (t *Tracks) Heads(b *brush.Brush) {
	const least = 28 // minimum motion in CSS pixels
	for _, r := range t.Timeline.Tracks() {
		t.store = t.between(t.store[:0], b, r, 0, r.Index(min(t.Timeline.Marker(), r.Last())))
		p := t.store[0].at
		for _, k := range t.store {
			if Greyed(t.Timeline, r) {
				break
			}
			if d := k.at.Sub(p); portable.Hypot(float64(d.X), float64(d.Y)) >= least {
				x, y := t.Point(r.Kept(k.row))
				b.ArrowHead(x, y, portable.Atan2(float64(d.Y), float64(d.X)), b.Theme.Look(r.Method).Hue)
				break
			}
		}
	}
}

// Refreshes draws ticks across each coloured run's line. A tick marks a step with new weights that follows a step with
// reused weights.
func (t *Tracks) Refreshes(b *brush.Brush) {
	const (
		half  = 4.5 // half of a tick's length, in pixels
		least = 7   // minimum distance between two ticks in pixels
	)
	for _, r := range t.Timeline.Tracks() {
		if Greyed(t.Timeline, r) || !t.shows(r) {
			continue
		}
		t.store = t.between(t.store[:0], b, r, 0, r.Index(min(t.Timeline.Marker(), r.Last())))
		ticks := b.Tracer()
		before := t.store[0].at
		for i := 1; i < len(t.store)-1; i++ {
			k := t.store[i]
			if !r.Kept(k.row).Refreshed || r.Kept(k.row-1).Refreshed || !(brush.Distance(k.at, before) >= least) {
				continue
			}
			before = k.at
			way := t.store[i+1].at.Sub(t.store[i-1].at)
			across := vg.Point{X: -way.Y, Y: way.X}.Scale(half / vg.Length(portable.Hypot(float64(way.X), float64(way.Y))))
			ticks.Add(k.at.Add(across))
			ticks.Add(k.at.Sub(across))
			ticks.End()
		}
		b.Trace(ticks, refreshStroke(b.Theme, r.Method))
	}
}

// RefreshEntries returns the legend entry for the ticks of Refreshes. It returns nil if no method reuses its weights
// over several steps.
func (t *Tracks) RefreshEntries(theme *brush.Theme) []axes.Entry {
	const maxRows = 128 // maximum number of examined rows
	for _, r := range t.Timeline.Tracks() {
		for i := 1; i < min(r.Len(), maxRows) && r.StartIndex() == 0; i++ {
			if r.Kept(i).Refreshed && !r.Kept(i-1).Refreshed {
				return []axes.Entry{{Label: "new weights", Tick: true, Stroke: refreshStroke(theme, r.Method)}}
			}
		}
	}
	return nil
}

// Find implements Find of a Plane. It returns the drawn row nearest to a point of the panel, with the row's values. On
// a run's marker, it returns the row at the current iteration, even if earlier rows are at the same place.
func (t *Tracks) Find(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	if r, p, ok := t.end(b, at); ok {
		row := t.Timeline.AtMarker(r)
		return axes.Pick{Run: r.Name(), K: row.K, At: p, Lines: t.lines(r, row)}, true
	}
	reach := float64(brush.HitRadius(b.Frame.Touch))
	best := axes.Pick{K: -1}
	var found timeline.Track
	look := func(r timeline.Track, i int, p vg.Point) (nearer bool) {
		d := brush.Distance(p, at)
		if nearer = d < reach; nearer {
			reach, found = d, r
			best = axes.Pick{Run: r.Name(), K: r.Kept(i).K, At: p}
		}
		return nearer
	}
	nearest, lo, hi := 0, 0, -1 // nearest row, and the range of rows around it that the outline omits
	for _, r := range t.Timeline.Tracks() {
		if !t.shows(r) {
			continue
		}
		t.store = t.between(t.store[:0], b, r, 0, r.Index(min(t.until(), r.Last())))
		for n := len(t.store) - 1; n >= 0; n-- {
			if k := t.store[n]; look(r, k.row, k.at) {
				nearest, lo, hi = k.row, t.store[max(n-1, 0)].row, t.store[min(n+1, len(t.store)-1)].row
			}
		}
	}
	const maxRows = 2000 // maximum number of rows to examine on either side of the nearest row
	for i := min(hi, nearest+maxRows); i >= max(lo, nearest-maxRows); i-- {
		look(found, i, b.At(t.Point(found.Kept(i))))
	}
	if best.K < 0 {
		return best, false
	}
	best.Lines = t.lines(found, found.Kept(found.Index(best.K)))
	return best, true
}

// end returns the run whose marker is under a point, and the marker's place. ok is false if there is no marker, as in
// panels over time, where runs have no markers.
func (t *Tracks) end(b *brush.Brush, at vg.Point) (found timeline.Track, place vg.Point, ok bool) {
	if t.OverTime {
		return found, place, false
	}
	reach := signReach
	for _, r := range t.Timeline.Tracks() {
		if !t.shows(r) {
			continue
		}
		p := b.At(t.Point(t.Timeline.Shown(r)))
		if d := brush.Distance(p, at); d < reach {
			reach, found, place, ok = d, r, p, true
		}
	}
	return found, place, ok
}

// signReach is the maximum distance, in pixels, between a run's marker and a pointer that is on it.
const signReach = 6.5

func (t *Tracks) lines(r timeline.Track, row timeline.Row) []string {
	if t.Lines != nil {
		return t.Lines(r, row)
	}
	return []string{
		fmt.Sprintf("%s, k = %d", r.Label(), row.K),
		"x = " + timeline.Vector(row.X),
		"f = " + timeline.Vector(row.F),
		"λ = " + timeline.Vector(row.Weights),
		fmt.Sprintf("ω = %s, BP = %d", r.Left(row), row.BP),
	}
}

// MethodEntries returns the legend entries of the methods that have runs, and an entry for the cross if a run diverged.
// If there are too many methods, it returns only the selected method's entry, and an entry with the number of other
// methods.
func MethodEntries(theme *brush.Theme, methods []param.Method, t *timeline.Timeline) []axes.Entry {
	var out []axes.Entry
	for _, m := range methods {
		if Crowded(t) && m.ID != t.Selected().Method {
			continue
		}
		if slices.ContainsFunc(t.Runs(), func(r *timeline.Run) bool { return r.Method == m.ID }) {
			out = append(out, axes.EntryOf(theme.Look(m.ID), m.Title))
		}
	}
	if Crowded(t) {
		label := fmt.Sprintf("and %d more in grey", t.Methods()-1)
		out = append(out, axes.Entry{Label: label, Stroke: brush.Stroke{Color: Grey(theme), Width: 1.5}})
	}
	if i := slices.IndexFunc(t.Runs(), func(r *timeline.Run) bool { return r.Divergence().Quantity != "" }); i >= 0 {
		out = append(out, axes.Entry{Label: "diverged", Shape: brush.Cross, Fill: theme.Look(t.Runs()[i].Method).Hue})
	}
	return out
}

// Underlay adds the tracks to a plane, below all its existing sheets.
func Underlay(p *axes.Plane, t *Tracks) {
	sheets := p.Sheets
	p.Sheets = func() []axes.Sheet { return append(t.Sheets(), sheets()...) }
}

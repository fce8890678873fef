package fonseca

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/timeline"
)

// chunk is the length in iterations of the stretches that move from the live
// layer of a picture to the cached one.
const chunk = 64

// tracks draws one line for each run, from point, in a cached sheet up to a
// multiple of chunk and a live one from there on.
type tracks struct {
	scene *Scene
	name  string
	// point is where a row stands; NaN for a row without a place.
	point func(timeline.Row) (x, y float64)
	// key names what point depends on beside the row.
	key func() string
	// overTime is for panels whose horizontal axis is time: the lines go to the
	// latest iteration, not only to the marker, and a row's value holds until
	// the next row.
	overTime bool
}

// until is the last iteration that is drawn.
func (t *tracks) until() int {
	if t.overTime {
		return t.scene.timeline.Latest()
	}
	return t.scene.timeline.Marker()
}

func (t *tracks) sheets() []panel.Sheet {
	s, k := t.scene, t.until()/chunk*chunk
	key := fmt.Sprintf("%s %d %d %s %s", t.name, s.timeline.Version(), k, s.selected, t.key())
	return []panel.Sheet{
		{Key: key, Draw: func(b *panel.Brush) { t.draw(b, 0, k) }},
		{Draw: func(b *panel.Brush) { t.draw(b, k, t.until()) }},
	}
}

// draw draws the stretch between two iterations of every run, the selected one
// last and thicker.
func (t *tracks) draw(b *panel.Brush, from, to int) {
	if from == to {
		return
	}
	var chosen *timeline.Run
	for _, r := range t.scene.timeline.Runs() {
		if r.Name == t.scene.selected {
			chosen = r
			continue
		}
		t.line(b, r, from, to, false)
	}
	if chosen != nil {
		t.line(b, chosen, from, to, true)
	}
}

func (t *tracks) line(b *panel.Brush, r *timeline.Run, from, to int, selected bool) {
	if from > r.Last() {
		return
	}
	i, j := r.Index(from), r.Index(to)
	stroke := runStroke(b.Theme, r.Method, selected)
	if !t.overTime {
		b.Line(j-i+1, func(n int) (float64, float64) { return t.point(r.Kept(i + n)) }, stroke)
		return
	}
	b.Line(2*(j-i)+1, func(n int) (float64, float64) {
		x, _ := t.point(r.Kept(i + (n+1)/2))
		_, y := t.point(r.Kept(i + n/2))
		return x, y
	}, stroke)
}

// runStroke is the look of a run's line: a selected run stands out.
func runStroke(theme *panel.Theme, method string, selected bool) panel.Stroke {
	look := theme.Look(method)
	if selected {
		return look.Stroke(2.75)
	}
	stroke := look.Stroke(1.5)
	stroke.Color = panel.Faded(look.Hue, 0.8)
	return stroke
}

// ends marks where each run stands at the marker. A diverged run has a cross.
func (t *tracks) ends(b *panel.Brush) {
	s := t.scene
	for _, r := range s.timeline.Runs() {
		row := r.Kept(r.Index(min(s.timeline.Marker(), r.Last())))
		x, y := t.point(row)
		look := b.Theme.Look(r.Method)
		shape, radius := look.Shape, vg.Length(4)
		if r.Divergence().Quantity != "" && row.K == r.Last() {
			shape, radius = panel.Cross, 5
		}
		if r.Name == s.selected {
			radius += 2
		}
		b.Marker(x, y, shape, radius, look.Hue, true)
	}
}

// heads draws an arrow head half-way along each run that has gone far enough on
// the screen to have a direction.
func (t *tracks) heads(b *panel.Brush) {
	const least = 28 // CSS pixels
	for _, r := range t.scene.timeline.Runs() {
		last := r.Index(min(t.scene.timeline.Marker(), r.Last()))
		x, y := t.point(r.Kept(0))
		p := b.At(x, y)
		for i := 1; i <= last; i++ {
			x, y := t.point(r.Kept(i))
			q := b.At(x, y)
			if d := q.Sub(p); math.Hypot(float64(d.X), float64(d.Y)) >= least {
				b.ArrowHead(x, y, math.Atan2(float64(d.Y), float64(d.X)), b.Theme.Look(r.Method).Hue)
				break
			}
		}
	}
}

// find is the row nearest to a point of the panel, among what is drawn, and
// its values.
func (t *tracks) find(b *panel.Brush, at vg.Point) (panel.Pick, bool) {
	reach := float64(panel.HitRadius(b.Frame.Touch))
	best := panel.Pick{K: -1}
	var found timeline.Row
	var label string
	for _, r := range t.scene.timeline.Runs() {
		for i := r.Index(min(t.until(), r.Last())); i >= 0; i-- {
			x, y := t.point(r.Kept(i))
			p := b.At(x, y)
			if d := math.Hypot(float64(p.X-at.X), float64(p.Y-at.Y)); d < reach {
				reach, found, label = d, r.Kept(i), r.Label
				best = panel.Pick{Run: r.Name, K: found.K, At: p}
			}
		}
	}
	if best.K < 0 {
		return best, false
	}
	best.Lines = lines(label, found)
	return best, true
}

// lines are a row's exact values, for a tooltip.
func lines(label string, row timeline.Row) []string {
	return []string{
		fmt.Sprintf("%s, k = %d", label, row.K),
		"x = " + timeline.Vector(row.X),
		"f = " + timeline.Vector(row.F),
		"λ = " + timeline.Vector(row.Weights),
		fmt.Sprintf("ω = %s, BP = %d", timeline.Number(row.Stationarity), row.BP),
	}
}

// legend lists the methods that run.
func (s *Scene) legend(t *panel.Theme) []panel.Entry {
	var out []panel.Entry
	for _, m := range Methods {
		if s.has(m.ID) {
			out = append(out, t.Look(m.ID).Entry(m.Title))
		}
	}
	for _, r := range s.timeline.Runs() {
		if r.Divergence().Quantity != "" {
			return append(out, panel.Entry{Label: "diverged", Shape: panel.Cross, Fill: t.Look(r.Method).Hue})
		}
	}
	return out
}

func (s *Scene) has(method string) bool {
	for _, m := range s.values.Methods {
		if m == method {
			return true
		}
	}
	return false
}

// diverged names the runs that diverged, for text alternatives.
func (s *Scene) diverged() string {
	var names []string
	for _, r := range s.timeline.Runs() {
		if r.Divergence().Quantity != "" {
			names = append(names, r.Label)
		}
	}
	if names == nil {
		return ""
	}
	return " Diverged, marked by a cross: " + strings.Join(names, "; ") + "."
}

// faint is a method's colour for areas.
func faint(c color.Color) color.Color { return panel.Faded(c, 0.15) }

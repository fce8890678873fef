package panel

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Linking is a Panel that can mark the thing under the pointer, in whichever panel of the scene
// the pointer is.
type Linking interface {
	Panel
	// Mark returns a layer above the others that shows where the run with that name, as in a Pick,
	// is at iteration k, or at the marker if k is negative. ok is false if the panel does not show
	// the run.
	Mark(f Frame, run string, k int) (l Layer, ok bool)
}

var _ Linking = (*Plane)(nil)

// Mark implements Linking for the tracks among the sheets, and by Marks.
func (p *Plane) Mark(f Frame, run string, k int) (Layer, bool) {
	tracks := p.tracks()
	if run == "" || len(tracks) == 0 && p.Marks == nil {
		return Layer{}, false
	}
	l := p.layout(f)
	return Layer{Draw: func(c draw.Canvas) {
		fromOrigin(c, func(c vg.Canvas) {
			b := p.brush(l, c)
			for _, t := range tracks {
				t.mark(b, run, k)
			}
			if p.Marks != nil {
				p.Marks(b, run, k)
			}
		})
	}}, true
}

// tracks returns the tracks that the sheets show.
func (p *Plane) tracks() []*Tracks {
	if p.Sheets == nil {
		return nil
	}
	var out []*Tracks
	for _, s := range p.Sheets() {
		if s.tracks != nil && !s.tracks.Secondary {
			out = append(out, s.tracks)
		}
	}
	return out
}

// mark rings the place of a run and, over time, draws a hair through it.
func (t *Tracks) mark(b *Brush, run string, k int) {
	r := t.Timeline.Find(run)
	if r.Run == nil || !t.shows(r) {
		return
	}
	if k < 0 {
		k = t.Timeline.Marker()
	}
	i := r.Index(min(k, r.Last()))
	x, y := t.Point(r.Kept(i))
	if t.OverTime && math.IsNaN(y) && i > 0 { // the last row has no step
		_, y = t.Point(r.Kept(i - 1))
	}
	stroke := t.stroke(b.Theme, r)
	if t.Stroke == nil && Greyed(t.Timeline, r) {
		stroke = b.Theme.Look(r.Method).Stroke(2.25)
		t.line(b, r, 0, t.until(), stroke)
	}
	own := color.NRGBAModel.Convert(stroke.Color).(color.NRGBA)
	own.A = 0xff
	hue := color.Color(own)
	if t.OverTime {
		b.VLine(x, Stroke{Color: Faded(hue, 0.6), Width: 1})
	}
	b.Ring(x, y, hue)
}

// Ring marks a place in a hue, with an edge that sets it off from any background.
func (b *Brush) Ring(x, y float64, hue color.Color) {
	at := b.At(x, y)
	if !b.inside(at) {
		return
	}
	const radius = 9
	b.scratch.path = appendShape(b.scratch.path[:0], Circle, at, radius)
	b.stroke(b.scratch.path, Stroke{Color: b.Theme.Paper, Width: 5})
	b.stroke(b.scratch.path, Stroke{Color: hue, Width: 2.5})
}

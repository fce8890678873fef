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
	// Mark returns a layer above the others that shows where the run of a pick is at its iteration, or at
	// the marker if that is negative, and the pick's Thing. ok is false if the panel shows neither.
	Mark(f Frame, over Pick) (l Layer, ok bool)
}

var _ Linking = (*Plane)(nil)

// Mark implements Linking for the tracks among the sheets, by Marks and by MarkThing.
func (p *Plane) Mark(f Frame, over Pick) (Layer, bool) {
	tracks := p.tracks()
	ofRun := over.Run != "" && (len(tracks) > 0 || p.Marks != nil)
	ofThing := over.Thing != nil && p.MarkThing != nil
	if !ofRun && !ofThing {
		return Layer{}, false
	}
	l := p.layout(f)
	return Layer{Draw: func(c draw.Canvas) {
		fromOrigin(c, func(c vg.Canvas) {
			b := p.brush(l, c)
			if ofRun {
				for _, t := range tracks {
					t.mark(b, over.Run, over.K)
				}
				if p.Marks != nil {
					p.Marks(b, over.Run, over.K)
				}
			}
			if ofThing {
				p.MarkThing(b, over.Thing)
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

// Framed marks a part of the panel, with an edge that sets it off from any background.
func (b *Brush) Framed(part vg.Rectangle) {
	b.scratch.path = appendBox(b.scratch.path[:0], part)
	b.stroke(b.scratch.path, Stroke{Color: b.Theme.Paper, Width: 4})
	b.stroke(b.scratch.path, Stroke{Color: b.Theme.Ink, Width: 2})
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

package axes

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/brush"
)

// Linking is a Panel that can mark the thing under the pointer, in whichever panel of the scene
// the pointer is.
type Linking interface {
	Panel
	// Mark returns a layer above the others that shows where the run of a pick is at its iteration, or at
	// the marker if that is negative, and the pick's Thing. ok is false if the panel shows neither.
	Mark(f brush.Frame, over Pick) (l Layer, ok bool)
}

var _ Linking = (*Plane)(nil)

// Mark implements Linking by the Mark of the sheets, by Marks and by MarkThing.
func (p *Plane) Mark(f brush.Frame, over Pick) (Layer, bool) {
	marks := p.marks()
	ofRun := over.Run != "" && len(marks) > 0
	ofThing := over.Thing != nil && p.MarkThing != nil
	if !ofRun && !ofThing {
		return Layer{}, false
	}
	l := p.layout(f)
	return Layer{Draw: func(c draw.Canvas) {
		fromOrigin(c, func(c vg.Canvas) {
			b := p.brush(l, c)
			if ofRun {
				for _, mark := range marks {
					mark(b, over.Run, over.K)
				}
			}
			if ofThing {
				p.MarkThing(b, over.Thing)
			}
		})
	}}, true
}

// marks returns what marks a run on the plane.
func (p *Plane) marks() (marks []func(b *brush.Brush, run string, k int)) {
	if p.Sheets != nil {
		for _, s := range p.Sheets() {
			if s.Mark != nil {
				marks = append(marks, s.Mark)
			}
		}
	}
	if p.Marks != nil {
		marks = append(marks, p.Marks)
	}
	return marks
}

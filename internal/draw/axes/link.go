package axes

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"paretoplay/internal/draw/brush"
)

// Linking is a Panel that can mark the item under the pointer, even if the pointer is in another panel of the scene.
type Linking interface {
	Panel
	// Mark returns a top layer that marks the pick's run and the pick's Thing. The run is marked at the pick's
	// iteration or, if the iteration is negative, at the time marker. ok is false if the panel shows neither the run
	// nor the Thing.
	Mark(f brush.Frame, over Pick) (l Layer, ok bool)
}

var _ Linking = (*Plane)(nil)

// Mark implements Linking. It calls the Mark functions of the plane's sheets, and the plane's own Marks and MarkThing.
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

// marks returns the plane's functions that mark a run: those of its sheets, and Marks.
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

package fonseca

import (
	"fmt"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
)

// boundaryPoints is the number of points on each part of the attainable set's
// boundary.
const boundaryPoints = 120

// objectivePanel shows the objectives: what is attainable, the true front, the
// runs and where they end.
func (s *Scene) objectivePanel() panel.Panel {
	p := &race.FrontPlane{Timeline: s.Timeline()}
	p.Axes = func() (panel.Axis, panel.Axis) {
		return panel.Axis{Label: "f_1", Min: 0, Max: 1.02}, panel.Axis{Label: "f_2", Min: 0, Max: 1.02}
	}
	p.Front = func() panel.Sheet { return panel.Sheet{Key: fmt.Sprintf("front %d", s.values.D), Draw: s.drawFront} }
	p.Text = func() string {
		near := 0
		for _, r := range s.Timeline().Tracks() {
			if collapsed(s.Timeline().Shown(r)) {
				near++
			}
		}
		return fmt.Sprintf("The runs by their two objectives at iteration %d, over the attainable region and the front, "+
			"which bulges away from the origin. At an end of the front: %d of %d runs.",
			s.Timeline().Marker(), near, len(s.Timeline().Tracks()))
	}
	return p.Panel()
}

func (s *Scene) drawFront(b *panel.Brush) {
	boundary := s.problem.AttainableBoundary(boundaryPoints)
	at := func(i int) (float64, float64) { return boundary[i][0], boundary[i][1] }
	if s.values.D > 1 {
		b.Polygon(len(boundary), at, panel.Faded(b.Theme.Rule, 0.15))
	}
	b.Line(len(boundary), at, panel.Stroke{Color: panel.Faded(b.Theme.Rule, 0.6), Width: 1})
	front := s.problem.Front(boundaryPoints)
	b.Optima(len(front), func(i int) (float64, float64) { return front[i][0], front[i][1] })
	middle := front[len(front)/4]
	b.Label(middle[0], middle[1], "Pareto front", 12, b.Theme.Muted, panel.LeftOf)
	label := "attainable"
	if s.values.D == 1 {
		label = "attainable: this line"
	}
	b.Text(0.97, 0.78, label, 12, b.Theme.Muted, panel.LeftOf)
}

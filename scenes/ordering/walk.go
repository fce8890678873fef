package ordering

import (
	"math"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/timeline"
)

// walkPanel shows where the runs go in the plane of their first two variables.
func (s *Scene) walkPanel() *panel.Plane {
	track := &panel.Tracks{Timeline: s.Timeline(), Name: "walk", Point: func(r timeline.Row) (x, y float64) {
		if len(r.X) > 1 {
			y = r.X[1]
		}
		return r.X[0], y
	}}
	p := &panel.Plane{Name: "walk", Heading: "The points of the runs", Find: track.Find, Sheets: track.Sheets}
	p.Axes = func() (x, y panel.Axis) {
		most := 1.0
		for _, r := range s.Timeline().Tracks() {
			for i := range r.Len() {
				for _, v := range r.Kept(i).X[:min(2, len(r.Kept(i).X))] {
					most = max(most, math.Abs(v))
				}
			}
		}
		return panel.Axis{Label: "w_1", Min: -most, Max: most}, panel.Axis{Label: "w_2", Min: -most, Max: most}
	}
	p.Grips = func() []panel.Grip {
		if s.start == nil {
			return nil
		}
		return race.PlaneGrips(s.Timeline(), [][]float64{s.start}, 0, min(1, len(s.start)-1), 0.1)
	}
	p.Text = func() string { return "Where the runs go. " + race.DescribeSelected(s.Timeline()) }
	return p
}

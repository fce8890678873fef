package ordering

import (
	"math"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/timeline"
)

// omegaHistory shows how far the runs are from stationary points.
func (s *Scene) omegaHistory() *panel.History {
	return &panel.History{Name: "curve", Heading: "ω over the epochs", Timeline: s.Timeline(), Clock: s.clock, Symbol: s.Params().Symbol,
		Unticked: true, Value: func(r timeline.Row) float64 { return r.Stationarity },
		Y: func() panel.Axis {
			lo, hi := math.Inf(1), 0.0
			for _, r := range s.Timeline().Tracks() {
				for i := range r.Len() {
					if v := r.Kept(i).Stationarity; v > 0 {
						lo, hi = min(lo, v), max(hi, v)
					}
				}
			}
			if hi == 0 {
				lo, hi = 0.1, 1
			}
			return panel.Axis{Label: "ω", Min: max(lo, hi/1e6) / 2, Max: 2 * hi, Log: true}
		},
		Text: func() string { return "ω over the epochs. " + race.DescribeSelected(s.Timeline()) },
	}
}

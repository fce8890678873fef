package blocks

import (
	"fmt"
	"math"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/timeline"
)

// gapHistory shows how far F_m is above its least value.
func (s *Scene) gapHistory() *panel.History {
	h := &panel.History{Name: "curve", Heading: "How far F_m is above its least value", Timeline: s.Timeline(), Clock: s.values.Clock(s.Timeline()),
		Symbol: s.Params().Symbol, Unticked: true}
	h.Value = func(r timeline.Row) float64 {
		if v := s.gap(r.F); v > 0 {
			return v
		}
		return math.NaN()
	}
	h.Key = func() string { return fmt.Sprint(s.goal.weights) }
	h.Shown = func(r timeline.Track) bool { return race.FromSelectedStart(s.Timeline(), r) }
	h.Lines = s.planeLines
	h.Y = func() panel.Axis { return panel.Axis{Label: "F_m − least", Min: 1e-5, Max: 20, Log: true} }
	h.Text = func() string {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return s.waiting()
		}
		return fmt.Sprintf("F_m of %s is %s above its least value.", r.Label(), timeline.Number(s.gap(s.Timeline().Shown(r).F)))
	}
	return h
}

package fonseca

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/timeline"
)

// weightsPanel shows λ1 over time: one line a run, ticks where the selected
// run's weights were computed anew, marks of live changes, and the time marker.
func (s *Scene) weightsPanel() panel.Panel {
	track := &tracks{scene: s, name: "weights", overTime: true,
		point: func(r timeline.Row) (float64, float64) {
			if r.Weights == nil {
				return s.time(r), math.NaN()
			}
			return s.time(r), r.Weights[0]
		},
		key: func() string { return s.values.Axis },
	}
	p := &panel.Plane{Name: "weights", Heading: "Weight of f_1 over time", Find: track.find}
	p.Axes = func() (panel.Axis, panel.Axis) {
		x := panel.Axis{Label: "iteration k", Min: 0, Max: float64(s.values.Budget), Integer: true}
		if s.values.Axis == axisBP {
			x.Label, x.Max = "backpropagations", float64(s.mostBP())
		}
		return x, panel.Axis{Label: "λ_1", Min: -0.04, Max: 1.14}
	}
	p.Sheets = func() []panel.Sheet {
		out := append(track.sheets(), panel.Sheet{Draw: s.drawRefreshes}, panel.Sheet{Draw: s.drawChanges})
		return append(out, panel.Sheet{Draw: s.drawMarker})
	}
	p.Grips = func() []panel.Grip {
		r := s.timeline.Find(s.selected)
		if r == nil {
			return nil
		}
		k := s.timeline.Marker()
		step := 1.0
		if s.values.Axis == axisBP {
			step = 2 // at most two backpropagations an iteration
		}
		return []panel.Grip{{ID: markerHandle, Label: "time marker", Value: fmt.Sprintf("iteration %d", k), X: s.timeAt(r, k), Y: 1.08, StepX: step}}
	}
	p.Legend = func(t *panel.Theme) []panel.Entry {
		r := s.timeline.Find(s.selected)
		if r == nil {
			return nil
		}
		out := []panel.Entry{{Label: "new weights, selected run", Tick: true, Stroke: refreshStroke(t, r.Method)}}
		if len(s.timeline.Log()) > 0 {
			out = append(out, panel.Entry{Label: "changed while running", Stroke: changeStroke(t)})
		}
		return out
	}
	p.Text = func() string {
		r := s.timeline.Find(s.selected)
		if r == nil {
			return "No run."
		}
		row := r.Kept(r.Index(min(s.timeline.Marker(), r.Last())))
		return fmt.Sprintf("The weight of the first objective over %s; that of the second is the rest to 1. %s has λ = %s at iteration %d.",
			s.values.Axis, r.Label, timeline.Vector(row.Weights), row.K)
	}
	return p
}

// time is where a row stands on the axis over time.
func (s *Scene) time(r timeline.Row) float64 {
	if s.values.Axis == axisBP {
		return float64(r.BP)
	}
	return float64(r.K)
}

func (s *Scene) timeAt(r *timeline.Run, k int) float64 {
	return s.time(r.Kept(r.Index(min(k, r.Last()))))
}

// iterationAt is the selected run's iteration at a place on the axis over time.
func (s *Scene) iterationAt(x float64) int {
	r := s.timeline.Find(s.selected)
	if s.values.Axis != axisBP || r == nil {
		return int(math.Round(min(max(x, 0), maxBudget)))
	}
	best, k := math.Inf(1), 0
	for i := range r.Len() {
		row := r.Kept(i)
		if d := math.Abs(float64(row.BP) - x); d < best {
			best, k = d, row.K
		}
	}
	return k
}

// mostBP bounds what any run spends within the budget.
func (s *Scene) mostBP() int {
	if s.has("mgda") || s.has("crmogm") {
		return 2 * s.values.Budget
	}
	if s.has("psmgd") {
		// R may change on the way: what has been spent may be more.
		refreshes := (s.values.Budget + s.values.R - 1) / s.values.R
		most := s.values.Budget + refreshes
		for _, r := range s.timeline.Runs() {
			most = max(most, r.Kept(r.Len()-1).BP)
		}
		return most
	}
	return s.values.Budget
}

// drawRefreshes marks at the bottom when the selected run computed new weights.
func (s *Scene) drawRefreshes(b *panel.Brush) {
	r := s.timeline.Find(s.selected)
	if r == nil {
		return
	}
	b.Ticks(r.Len(), func(i int) float64 {
		if row := r.Kept(i); row.Refreshed {
			return s.time(row)
		}
		return math.NaN()
	}, refreshStroke(b.Theme, r.Method))
}

// drawChanges marks the live changes.
func (s *Scene) drawChanges(b *panel.Brush) {
	r := s.timeline.Find(s.selected)
	if r == nil {
		return
	}
	for i, c := range s.timeline.Log() {
		if c.K > s.timeline.Latest() {
			continue
		}
		d, _ := s.params.Lookup(c.Name)
		x := s.timeAt(r, c.K)
		b.VLine(x, changeStroke(b.Theme))
		b.Label(x, 0.94-0.1*float64(i%4), d.Symbol+" = "+c.Text, 11, b.Theme.Ink, panel.RightOf)
	}
}

func refreshStroke(t *panel.Theme, method string) panel.Stroke {
	return panel.Stroke{Color: t.Look(method).Hue, Width: 1.5}
}

func changeStroke(t *panel.Theme) panel.Stroke {
	return panel.Stroke{Color: t.Muted, Width: 1, Dash: []vg.Length{4, 3}}
}

func (s *Scene) drawMarker(b *panel.Brush) {
	if r := s.timeline.Find(s.selected); r != nil {
		b.VLine(s.timeAt(r, s.timeline.Marker()), panel.Stroke{Color: b.Theme.Accent, Width: 1})
	}
}

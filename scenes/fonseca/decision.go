package fonseca

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/pareto"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/timeline"
)

// decisionPanel shows the variables: the field of f1, f2 or ω, the Pareto set,
// the runs and their start points, which can be dragged.
func (s *Scene) decisionPanel() panel.Panel {
	track := &panel.Tracks{Timeline: s.Timeline(), Name: "decision",
		Point: func(r timeline.Row) (float64, float64) { return s.shown(r.X) },
		Key: func() string {
			h, v := s.values.pair()
			return fmt.Sprintf("%d %d", h, v)
		},
	}
	p := &panel.Plane{Name: "decision", Heading: "Decision space", Equal: true}
	p.Axes = func() (panel.Axis, panel.Axis) {
		h, v := s.values.pair()
		// Both gradients have all but vanished at the edge; a larger start region shows whole.
		reach := math.Max(1.5, 1.1*s.values.Region)
		x := panel.Axis{Label: fmt.Sprintf("x_{%d}", h+1), Min: -reach, Max: reach}
		y := panel.Axis{Label: fmt.Sprintf("x_{%d}", v+1), Min: -reach, Max: reach}
		if h == v {
			y = panel.Axis{Label: "", Min: -reach, Max: reach}
		}
		return x, y
	}
	p.Sheets = func() []panel.Sheet {
		h, v := s.values.pair()
		key := fmt.Sprintf("%s %d %d %d", s.values.Field, s.values.D, h, v)
		out := []panel.Sheet{{Key: "field " + key, Draw: s.drawField}, {Key: fmt.Sprintf("set %s %g", key, s.values.Region), Draw: s.drawSet}}
		out = append(out, track.Sheets()...)
		return append(out, panel.Sheet{Draw: func(b *panel.Brush) {
			track.Heads(b)
			track.Ends(b)
		}})
	}
	p.Grips = func() []panel.Grip {
		h, v := s.values.pair()
		return race.PlaneGrips(s.Timeline(), s.starts, h, v, 0.02)
	}
	p.Find = track.Find
	p.Text = func() string {
		lo, hi := s.problem.ParetoInterval()
		return fmt.Sprintf("The runs in the plane of two variables at iteration %d, over the Pareto set, the segment from %s to %s in every coordinate. %s%s",
			s.Timeline().Marker(), timeline.Number(lo), timeline.Number(hi), race.DescribeSelected(s.Timeline()), race.DescribeDiverged(s.Timeline()))
	}
	p.Legend = func(t *panel.Theme) []panel.Entry {
		out := panel.MethodEntries(t, Methods, s.Timeline())
		for _, o := range fieldOptions {
			if o.Value == s.values.Field && o.Value != fieldNone {
				sign := map[string]string{"omega": "ω", "f1": "f_1", "f2": "f_2"}[o.Value]
				out = append(out, panel.Entry{Label: sign + ", small to large", Field: true})
			}
		}
		return out
	}
	return p
}

// shown is the pair of coordinates that is drawn.
func (s *Scene) shown(x []float64) (float64, float64) {
	h, v := s.values.pair()
	if h == v {
		return x[h], 0
	}
	return x[h], x[v]
}

// fieldNodes is the grid of the field and its contours, in each direction.
const fieldNodes = 96

func (s *Scene) drawField(b *panel.Brush) {
	if s.values.Field == fieldNone {
		return
	}
	omega := pareto.StationarityOf(s.problem)
	f := make([]float64, 2)
	point := make([]float64, s.values.D) // the variables that are not shown stay 0
	h, v := s.values.pair()
	value := func(x, y float64) float64 {
		point[v] = y
		point[h] = x
		switch s.values.Field {
		case "f1":
			s.problem.Values(f, point)
			return f[0]
		case "f2":
			s.problem.Values(f, point)
			return f[1]
		}
		return omega(point)
	}
	// ω is at most √(2/e), the steepest slope of either objective.
	highest, levels := 1.0, []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99}
	if s.values.Field == "omega" {
		highest, levels = math.Sqrt(2/math.E), []float64{0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}
	}
	b.Field(fieldNodes, fieldNodes, value, 0, highest)
	b.Contours(fieldNodes, fieldNodes, value, levels, panel.Stroke{Color: panel.Faded(b.Theme.Rule, 0.5), Width: 0.75})
}

// drawSet draws the Pareto set and the region that start points come from.
func (s *Scene) drawSet(b *panel.Brush) {
	lo, hi := s.problem.ParetoInterval()
	h, v := s.values.pair()
	place := func(t float64) (float64, float64) {
		if h == v {
			return t, 0
		}
		return t, t
	}
	ends := [2]float64{lo, hi}
	b.Line(2, func(i int) (float64, float64) { return place(ends[i]) }, panel.Stroke{Color: b.Theme.Optimum, Width: 9})
	x, y := place(hi)
	b.Label(x, y, "Pareto set", 12, b.Theme.Muted, panel.Align{X: 1, Y: 1})
	if s.values.D > 2 {
		xmin, _, ymin, _ := b.Bounds()
		b.Label(xmin, ymin, fmt.Sprintf("the field is that of the plane where the other %d variables are 0", s.values.D-2), 11, b.Theme.Muted, panel.Align{X: 1, Y: 1})
	}
	r := s.values.Region
	corners := [5][2]float64{{-r, -r}, {r, -r}, {r, r}, {-r, r}, {-r, -r}}
	if h != v {
		b.Line(5, func(i int) (float64, float64) { return corners[i][0], corners[i][1] },
			panel.Stroke{Color: b.Theme.Rule, Width: 1, Dash: []vg.Length{2, 4}})
	}
}

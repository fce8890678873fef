package bilevelpaths

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/twolevel"
	"paretoplay/internal/engine/timeline"
)

// history returns a panel with time on its horizontal axis. The caller sets which values its curves show.
func (s *Scene) history(name, heading string) *kinds.History {
	h := s.values.History(s.Timeline(), s.Params(), name, heading)
	h.Lines = s.describeRow
	return h
}

// measure describes one curve of the panel of measures.
type measure struct {
	key, sign, label string
	least, most      float64 // range of the axis; zeros are drawn below it
	name             string  // name in the runs' records
}

// measures lists the curves in the order of the parameter's options.
var measures = []measure{
	{curveE, "E", "E, distance from the solutions", 1e-16, 10, twolevel.Distance},
	{curveK, "K", "K(z), stationarity", 1e-24, 100, twolevel.K},
	{curveQ, "q̃", "q̃, excess of the lower level", 1e-24, 100, twolevel.Q},
	{curveNu, "ν", "ν, the multiplier", 1e-3, 10, twolevel.Nu},
}

// allMeasures describes the view of all four measures of the selected run.
var allMeasures = measure{curveAll, "", "E, K, q̃ and ν of the selected run", 1e-24, 100, twolevel.Distance}

// value returns the measure's value in a row, or NaN if the row has none.
func (m measure) value(row timeline.Row) float64 { return row.Number(m.name) }

// chosen returns the selected measure.
func (s *Scene) chosen() measure {
	key := s.values.Curve
	if s.own() && (key == curveE || key == curveK) { // E and K need the solutions, which are unknown here
		key = curveQ
	}
	for _, m := range measures {
		if m.key == key {
			return m
		}
	}
	return allMeasures
}

// Factors between the least value and the line for zeros below it, and between that line and the end of the axis.
const (
	zeroFactor = 6
	endFactor  = 1.5 // keeps powers of ten out of the gap between the line for zeros and the least value
)

// runaway is the maximum of the measures' axis if a run exceeds the usual range.
const runaway = 1e20

// scale returns the range of the measures' axis.
func (s *Scene) scale() (least, most float64) {
	m := s.chosen()
	least, most = m.least, m.most
	for _, r := range s.Timeline().Tracks() {
		// Skip the last row, which has no step yet.
		if row := r.Kept(max(r.Len()-2, 0)); m.value(row) > most {
			most = runaway
		}
	}
	return least, most
}

// onScale returns a value's position on the logarithmic axis. Zeros are placed on the line for zeros, and other values
// below least are raised to least.
func onScale(v, least float64) float64 {
	switch {
	case v <= 0: // rounding can make q̃ negative
		return least / zeroFactor
	case v < least:
		return least
	}
	return v
}

// measuresPanel returns the panel that plots E, K, q̃ or ν of the runs against time, or all four of the selected run.
func (s *Scene) measuresPanel() axes.Panel {
	h := s.history("measures", "Measures over time")
	h.Fixed = true
	h.Value = func(row timeline.Row) float64 {
		m := s.chosen()
		return onScale(m.value(row), m.least)
	}
	h.Shown = func(timeline.Track) bool { return s.values.Curve != curveAll }
	h.Key = func() string { return s.values.Curve }
	h.Y = func() axes.Axis {
		least, most := s.scale()
		return axes.Axis{Label: s.chosen().sign, Min: least / zeroFactor / endFactor, Max: most, Log: true}
	}
	h.Beneath = axes.Sheet{Draw: func(b *brush.Brush) {
		least, _ := s.scale()
		b.HLine(least/zeroFactor, brush.Stroke{Color: b.Theme.Muted, Width: 1, Dash: []vg.Length{4, 3}})
		_, xmax, _, _ := b.Bounds()
		b.Label(xmax, least/zeroFactor, "0", brush.SmallText, b.Theme.Muted, brush.Align{X: -1, Y: 1})
		xmin, _, _, _ := b.Bounds()
		b.Label(xmin, least/zeroFactor, s.chosen().label, brush.SmallText, b.Theme.Muted, brush.Align{X: 1, Y: 1})
	}}
	h.Text = s.OfSelected(s.describeMeasures)
	p := h.Panel()

	four := make([]*kinds.Tracks, len(measures))
	for i, m := range measures {
		four[i] = h.Line("four "+m.key, func(row timeline.Row) float64 { return onScale(m.value(row), allMeasures.least) },
			func(t *brush.Theme, _ timeline.Track) brush.Stroke { return fourStroke(t, i) })
		four[i].Shown = func(r timeline.Track) bool { return s.values.Curve == curveAll && r == s.Timeline().Selected() }
	}
	sheets := p.Sheets
	p.Sheets = func() []axes.Sheet {
		out := sheets()
		if s.values.Curve != curveAll {
			return out
		}
		for _, track := range four {
			out = append(out, track.Sheets()...)
		}
		return out
	}
	legend := p.Legend
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if s.values.Curve != curveAll {
			return append(kinds.MethodEntries(t, s.measured(), s.Timeline()), legend(t)...)
		}
		var out []axes.Entry
		for i, m := range measures {
			out = append(out, axes.Entry{Label: m.sign, Stroke: fourStroke(t, i)})
		}
		return out
	}
	return p
}

// measured returns the methods that have the selected measure.
func (s *Scene) measured() []param.Method {
	m := s.chosen()
	return slices.DeleteFunc(slices.Clone(Methods), func(method param.Method) bool {
		switch familyOf(method.ID) {
		case valueFunction:
			return false
		case interiorPoint:
			return m.key == curveK
		}
		return m.key != curveE
	})
}

// fourStroke returns the stroke of measure i in the view of all four measures. The strokes differ by their dashes.
func fourStroke(t *brush.Theme, i int) brush.Stroke {
	return brush.Stroke{Color: t.Ink, Width: 1.75, Dash: [][]vg.Length{nil, {7, 3}, {2, 3}, {8, 3, 2, 3}}[i]}
}

func (s *Scene) describeMeasures(r timeline.Track) string {
	text := s.chosen().label + ", on a logarithmic axis; values of 0 are on a separate line at the bottom."
	if s.values.Curve == curveAll {
		return text
	}
	m := s.chosen()
	least, most := timeline.Track{}, timeline.Track{}
	at := func(r timeline.Track) float64 { return m.value(s.Timeline().Shown(r)) }
	for _, r := range s.Timeline().Tracks() {
		if math.IsNaN(at(r)) {
			continue
		}
		if least.Run == nil || at(r) < at(least) {
			least = r
		}
		if most.Run == nil || at(r) > at(most) {
			most = r
		}
	}
	if least.Run == nil || at(least) == at(most) {
		return text
	}
	return fmt.Sprintf("%s is lowest, and %s is highest. ", least.Label(), most.Label()) + text
}

// weightsHistory returns the panel that plots the first objective's weight against time.
func (s *Scene) weightsHistory() *kinds.History {
	h := s.history("weights", "Weight of F_1")
	h.Value = func(row timeline.Row) float64 {
		if row.Weights == nil {
			return math.NaN()
		}
		return row.Weights[0]
	}
	h.Y = func() axes.Axis { return axes.Axis{Label: "weight of goal 1 (λ̃_{1})", Min: -0.04, Max: 1.14} }
	h.Shown = func(r timeline.Track) bool { return runs.FromSelectedStart(s.Timeline(), r) }
	h.Text = s.OfSelected(func(r timeline.Track) string {
		text := r.Label() + " gives both goals the same weight"
		switch weights := s.row().Weights; {
		case weights == nil:
			text = r.Label() + " uses no weights here"
		case math.Abs(weights[0]-weights[1]) <= closeWeights:
		case weights[0] > weights[1]:
			text = r.Label() + " gives the first goal the larger weight"
		default:
			text = r.Label() + " gives the second goal the larger weight"
		}
		text += ". The panel shows the runs from the same start"
		if lambda := s.row().List(twolevel.Lambda); lambda != nil {
			text += "; the thin line is the solution of the small problem, the thick line its average over time"
		}
		return text + "."
	})
	return h
}

// weightsPanel returns the panel that shows the weights over time. Beneath the curves it draws the selected run's
// weights before averaging.
func (s *Scene) weightsPanel() axes.Panel {
	h := s.weights
	p := h.Panel()
	solved := h.Line("lambda", func(row timeline.Row) float64 {
		if lambda := row.List(twolevel.Lambda); lambda != nil {
			return lambda[0]
		}
		return math.NaN()
	}, func(t *brush.Theme, _ timeline.Track) brush.Stroke { return solvedStroke(t) })
	solved.Shown = func(r timeline.Track) bool { return r == s.Timeline().Selected() }
	kinds.Underlay(p, solved)
	legend := p.Legend
	p.Legend = func(t *brush.Theme) []axes.Entry {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return nil
		}
		out := []axes.Entry{{Label: "λ̃, used", Stroke: brush.Stroke{Color: t.Look(r.Method).Hue, Width: 2.75}}}
		if row := s.Timeline().ShownStep(r); row.List(twolevel.Lambda) != nil {
			out = append(out, axes.Entry{Label: "λ, as solved", Stroke: solvedStroke(t)})
		}
		return append(out, legend(t)...)
	}
	return p
}

func solvedStroke(t *brush.Theme) brush.Stroke { return brush.Stroke{Color: t.Ink, Width: 1} }

package sampleorder

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/engine/timeline"
)

// measure describes a value of each epoch that the panel of curves shows.
type measure struct {
	heading string
	label   string // label of the vertical axis
	log     bool
	// series lists the measures of a run, one curve each.
	series []orders.Measure
	what   string // the start of the sentence that describes the panel
}

// measureOf returns the measure of a view, for the current number of objectives.
func (s *Scene) measureOf(view string) measure {
	switch view {
	case viewLosses:
		m := measure{heading: "Losses", label: "loss, mean over all samples", log: true, what: "The losses"}
		objectives := 1
		if s.problem != nil {
			_, objectives = s.problem.Dims()
		}
		for i := range objectives {
			m.series = append(m.series, orders.Measure{Name: fmt.Sprintf("L%d", i+1), Label: fmt.Sprintf("L_%d", i+1), Faint: i > 0,
				Value: func(e orders.Epoch) float64 { return e.F[i] }})
		}
		return m
	case viewHerding:
		return measure{heading: "How far orders stray, H", label: "H", what: "H, how far an epoch’s order strays,",
			series: []orders.Measure{{Name: "H", Value: func(e orders.Epoch) float64 { return e.H }}}}
	case viewDrift:
		return measure{heading: "Drift within an epoch", label: "drift, in step sizes", log: true,
			what: "How far the point moves within an epoch, in step sizes,",
			series: []orders.Measure{
				{Name: "drift", Complete: true, Value: func(e orders.Epoch) float64 { return e.Drift }},
				{Name: "off the straight path", Faint: true, Complete: true, Value: func(e orders.Epoch) float64 { return e.Wobble }},
			}}
	case viewRates:
		return measure{heading: "Running mean of ω², and the theorems’ rates", label: "mean of ω² so far", log: true,
			what:   "The mean of ω² at the first points of all epochs so far",
			series: []orders.Measure{{Name: "mean of ω²", Value: func(e orders.Epoch) float64 { return e.MeanSquare }}}}
	}
	return measure{heading: "Distance from stationarity, ω", label: "ω at the epochs’ start", log: true,
		what:   "ω, the length of the shortest mixture of the gradients at the epochs’ start,",
		series: []orders.Measure{{Name: "ω", Geometric: true, Value: func(e orders.Epoch) float64 { return e.Omega }}}}
}

// gather returns the current measures of all runs' epochs. If the runs are the same as before, it reads only the new
// epochs.
func (s *Scene) gather() *orders.Means {
	return s.gathered.Of(s.gatherKey(), func() *orders.Means {
		out := s.means.Of(fmt.Sprint(s.Timeline().Version(), s.values.View, s.values.Axis), func() *orders.Means {
			m := s.measureOf(s.values.View)
			return s.values.Means(s.Timeline(), m.series, m.log, s.linesAt)
		})
		out.Extend(func(r *timeline.Run, number int) float64 { return s.timeOf(r, number*s.read.Examples()) })
		return out
	})
}

// gatherKey returns a cache key of everything that the curves depend on. It changes when an epoch starts and after its
// first step.
func (s *Scene) gatherKey() string {
	latest, k := s.Timeline().Latest(), s.read.Examples()
	return fmt.Sprint(s.Timeline().Version(), s.values.View, s.values.Axis, latest/k, latest%k == 0)
}

// linesAt returns the tooltip lines for a point of a column.
func (s *Scene) linesAt(c *orders.Column, i int) []string {
	lines := []string{fmt.Sprintf("%s, epoch %d", c.Runs[0].Title, c.Keys[i]), c.Name + " = " + timeline.Number(c.Y[i]) + c.Between(i)}
	if n := len(c.Runs); n > 1 {
		lines = append(lines, fmt.Sprintf("mean of %d seeds ± one standard error", n))
	}
	if c.Geometric {
		if d, ok := s.values.Compared(s.Timeline(), c.Method, c.Keys[i]); ok {
			lines = append(lines, d.String())
		}
	}
	return lines
}

// timeOf returns the horizontal position of iteration k of a run. In the view of rates the position is KT, where T
// counts the epochs up to and including the one that begins at k.
func (s *Scene) timeOf(r *timeline.Run, k int) float64 {
	if s.values.View == viewRates {
		return float64(k + s.read.Examples())
	}
	row := r.Kept(r.Index(min(k, r.Last())))
	row.K = k // row k itself may have been dropped
	return s.clock().Of(row)
}

// curvesPanel returns the panel that plots a measure against the epochs, with one curve for each method.
func (s *Scene) curvesPanel(view string, h *kinds.History) *axes.Plane {
	series := &kinds.Series{Name: curvePanel, Heading: s.measureOf(view).heading, Timeline: s.Timeline(), Key: s.gatherKey,
		Curves: func() []kinds.Curve { return s.gather().Curves },
		Axes:   func() (axes.Axis, axes.Axis) { return s.clock().Axis(), s.measureAxis() },
		Time:   func(k int) float64 { return s.timeOf(s.Timeline().Selected().Run, k) }, Iteration: h.IterationAt,
		Above: s.drawWaiting, Symbol: s.Params().Symbol, Legend: s.curvesLegend, Text: s.describeCurves,
	}
	if view == viewRates {
		s.besideRates(series)
	}
	return series.Panel()
}

// drawWaiting writes what is missing while there are no runs.
func (s *Scene) drawWaiting(b *brush.Brush) {
	if s.problem == nil {
		b.Words(s.waiting())
	}
}

// measureAxis returns an axis that contains all curves of the current measure.
func (s *Scene) measureAxis() axes.Axis {
	m, g := s.measureOf(s.values.View), s.gather()
	axis := axes.Axis{Label: m.label, Log: m.log, Min: 0, Max: 1}
	if !(g.Hi > g.Lo) && !(g.Hi > 0) {
		if m.log {
			axis.Min = 0.1
		}
		return axis
	}
	if !m.log {
		axis.Max = roundAbove(g.Hi)
		return axis
	}
	const room, decades, limit = 1.4, 1e4, 1e8
	axis.Max = axes.RoundUp(g.Hi*room, 1, 2, 5)
	axis.Min = axis.Max / axes.InSteps(decades, decades, min(axis.Max/g.Lo, limit))
	return axis
}

func (s *Scene) curvesLegend(t *brush.Theme) []axes.Entry {
	if s.Timeline().Selected().Run == nil {
		return nil
	}
	out := kinds.MethodEntries(t, Methods, s.Timeline())
	if s.values.View == viewDrift {
		out = append(out, axes.Entry{Label: "thin: off the straight path", Stroke: brush.Stroke{Color: t.Ink, Width: 1}})
	}
	if s.values.Seeds > 1 {
		out = append(out, kinds.BandEntry(t))
	}
	if len(s.Timeline().Log()) > 0 {
		out = append(out, axes.Entry{Label: "changed while running", Stroke: brush.Stroke{Color: t.Muted, Width: 1, Dash: []vg.Length{4, 3}}})
	}
	return out
}

// markerEpoch returns the number of the last epoch that has started at the marker, counted from 0.
func (s *Scene) markerEpoch() int { return s.Timeline().Marker() / s.read.Examples() }

func (s *Scene) describeCurves() string {
	if s.Timeline().Selected().Run == nil {
		return s.waiting()
	}
	m := s.measureOf(s.values.View)
	x := s.timeOf(s.Timeline().Selected().Run, s.Timeline().Marker())
	var parts []string
	for _, c := range s.gather().Curves {
		if at := c.At(x); at >= 0 && !c.Faint {
			parts = append(parts, s.values.Title(c.Method)+" "+orders.Rounded(c.Y[at]))
		}
	}
	text := m.what + " over the epochs."
	if len(parts) > 0 {
		text += fmt.Sprintf(" At epoch %d: %s.", s.markerEpoch(), strings.Join(parts, ", "))
	}
	if s.values.View != viewOmega {
		return text
	}
	for _, method := range runs.MethodsOf(s.Timeline()) {
		if c, ok := s.values.Compared(s.Timeline(), method, s.markerEpoch()); ok {
			text += fmt.Sprintf(" %s has %s.", s.values.Title(method), c)
		}
	}
	return text
}

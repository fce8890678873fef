package networktasks

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
)

// measureTitles maps the curves' measures to titles.
var measureTitles = map[string]string{
	measureMean: "Test accuracy", measureBalanced: "Balanced test accuracy", measureWorst: "Balanced accuracy of the worst task",
	measureLoss: "Test loss",
}

// curveKey returns a cache key of everything that the curves depend on, except for the timeline.
func (s *Scene) curveKey() string {
	t := s.Timeline()
	return fmt.Sprint(s.runsKey(), s.values.Axis, s.values.Measure, t.Latest()/every, t.Running(), s.paceKey())
}

// gather returns a curve for each method.
func (s *Scene) gather() []kinds.Curve {
	return s.curves.Of(s.curveKey(), func() (out []kinds.Curve) {
		for _, r := range s.Timeline().Runs() {
			c := kinds.Curve{Method: r.Method, Run: timeline.Track{Run: r}.Name()}
			var rows []int
			for i := range r.Len() {
				row := r.Kept(i)
				x := s.timeOf(row)
				if y := measureOf(row, s.values.Measure); !math.IsNaN(y) && (x > 0 || s.values.Axis == kinds.Iterations) {
					c.X, c.Y, rows = append(c.X, x), append(c.Y, y), append(rows, row.K)
				}
			}
			c.Now = func(k int) int {
				i, found := slices.BinarySearch(rows, k)
				if !found {
					i--
				}
				return i
			}
			c.Lines = func(i int) []string {
				return []string{fmt.Sprintf("%s, step %d", r.Title, rows[i]),
					strings.ToLower(measureTitles[s.values.Measure]) + " " + timeline.Number(c.Y[i]),
					fmt.Sprintf("%s %s", timeline.Number(c.X[i]), s.clock().Label)}
			}
			out = append(out, c)
		}
		return out
	})
}

// curvePanel is the ID of the panel that plots the curves against the cost of training.
const curvePanel = "curve"

// curvesPanel returns the panel that plots a test measure against the cost of training.
func (s *Scene) curvesPanel() axes.Panel {
	p := &kinds.Series{Name: curvePanel, Heading: "Right answers, by cost of training", Timeline: s.Timeline(), Key: s.curveKey,
		Curves: s.gather, Time: s.placeOf, Iteration: s.iterationAt, Symbol: s.Params().Symbol}
	p.Axes = func() (axes.Axis, axes.Axis) { return s.timeAxis(), s.measureAxis() }
	p.Above = func(b *brush.Brush) {
		switch {
		case s.net == nil:
			b.Words(waiting)
		case s.measuring():
			b.Words("Measuring …")
		}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if s.net == nil {
			return nil
		}
		return kinds.MethodEntries(t, Methods, s.Timeline())
	}
	p.Text = s.describeCurves
	s.time = p
	return p.Panel()
}

// timeAxis returns the horizontal axis. It is logarithmic if the methods' steps differ in cost.
func (s *Scene) timeAxis() axes.Axis {
	axis := s.clock().Axis()
	if s.values.Axis == kinds.Iterations {
		return axis
	}
	axis.Log, axis.Integer = true, false
	if s.values.Axis == kinds.Backpropagations {
		axis.Label = "backpropagations: the cost of training"
	}
	least := math.Inf(1)
	for _, c := range s.gather() {
		if len(c.X) > 0 {
			least = min(least, c.X[0])
		}
	}
	if math.IsInf(least, 1) {
		least = axis.Max / float64(max(1, s.Timeline().Budget())*max(1, s.tasks())) * every
	}
	const room = 1.3 // keeps the first marker clear of the vertical axis
	axis.Min = min(least, axis.Max/2) / room
	return axis
}

// measureAxis returns the vertical axis for all curves.
func (s *Scene) measureAxis() axes.Axis {
	axis := axes.Axis{Label: strings.ToLower(measureTitles[s.values.Measure]), Max: 1}
	if s.values.Measure != measureLoss {
		const usual, step = 0.7, 0.35 // minimum below which networks rarely fall, and the step by which it is lowered
		axis.Min = usual
		for _, c := range s.gather() {
			for _, y := range c.Y {
				axis.Min = min(axis.Min, usual-float64(step*math.Ceil(max(0, usual-y)/step)))
			}
		}
		return axis
	}
	lo, hi := math.Inf(1), 0.0
	for _, c := range s.gather() {
		for i, y := range c.Y {
			if lo = min(lo, y); i < 2 {
				hi = max(hi, y)
			}
		}
	}
	if hi == 0 {
		return axis
	}
	const room, decade = 1.1, 10
	axis.Log, axis.Max = true, hi*room
	axis.Min = axis.Max / axes.InSteps(decade, decade, axis.Max/lo)
	return axis
}

// placeOf returns the horizontal position of iteration k of the selected run.
func (s *Scene) placeOf(k int) float64 {
	r := s.Timeline().Selected().Run
	if s.values.Axis == kinds.Iterations {
		return float64(k)
	}
	last := r.Last()
	row := r.Kept(r.Index(min(k, last)))
	at := s.timeOf(row)
	if k > row.K && row.K > 0 { // extrapolates at the same rate
		at += float64(k-row.K) * at / float64(row.K)
	}
	return at
}

// iterationAt returns the selected run's iteration that is nearest to a horizontal position.
func (s *Scene) iterationAt(x float64) int {
	t := s.Timeline()
	r := t.Selected().Run
	if r == nil {
		return 0
	}
	if s.values.Axis == kinds.Iterations {
		return int(math.Round(min(max(x, 0), float64(t.Latest()))))
	}
	best, k := math.Inf(1), 0
	for i := range r.Len() {
		row := r.Kept(i)
		if d := math.Abs(s.timeOf(row) - x); d < best {
			best, k = d, row.K
		}
	}
	return k
}

func (s *Scene) describeCurves() string {
	if s.net == nil {
		return waiting
	}
	var parts []string
	for _, r := range s.Timeline().Runs() {
		parts = append(parts, r.Title+" "+timeline.Significant(s.atMarker(r, s.values.Measure)))
	}
	return fmt.Sprintf("%s of each method’s network over %s. At step %d: %s.", measureTitles[s.values.Measure], s.clock().Label,
		s.Timeline().Marker(), strings.Join(parts, ", "))
}

package ordering

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/orders"
	"paretoplay/scenes/timeline"
)

// measure is a number of each epoch that the panel of curves shows.
type measure struct {
	view, heading string
	label         string // of the axis
	log           bool
	// series are what is drawn of a run, one curve each.
	series []series
	what   string // in a sentence
}

// series is one number of an epoch.
type series struct {
	name  string // in tooltips
	label string // beside the curve, "" for none
	value func(orders.Epoch) float64
	faint bool
	// geometric means are for numbers that are compared by factors.
	geometric bool
	// complete numbers are only those of epochs that have ended.
	complete bool
}

// measured is the measure that is shown.
func (s *Scene) measured() measure { return s.measureOf(s.values.View) }

// measureOf is the measure of a view, of as many objectives as there are.
func (s *Scene) measureOf(view string) measure {
	switch view {
	case viewLosses:
		m := measure{view: viewLosses, heading: "Losses", label: "loss, mean of all samples", log: true, what: "the losses"}
		objectives := 1
		if s.problem != nil {
			_, objectives = s.problem.Dims()
		}
		for i := range objectives {
			m.series = append(m.series, series{name: fmt.Sprintf("L%d", i+1), label: fmt.Sprintf("L_%d", i+1), faint: i > 0,
				value: func(e orders.Epoch) float64 { return e.F[i] }})
		}
		return m
	case viewHerding:
		return measure{view: viewHerding, heading: "How far orders stray, H", label: "H", what: "H, how far the order of an epoch strays,",
			series: []series{{name: "H", value: func(e orders.Epoch) float64 { return e.H }}}}
	case viewDrift:
		return measure{view: viewDrift, heading: "Drift within an epoch", label: "drift, in step sizes", log: true,
			what: "how far the point goes within an epoch, in step sizes,",
			series: []series{
				{name: "drift", complete: true, value: func(e orders.Epoch) float64 { return e.Drift }},
				{name: "off the straight way", faint: true, complete: true, value: func(e orders.Epoch) float64 { return e.Wobble }},
			}}
	case viewRates:
		return measure{view: viewRates, heading: "Running mean of ω², and the theorems’ rates", label: "mean of ω² so far", log: true,
			what:   "the mean of ω² at the first points of all epochs so far",
			series: []series{{name: "mean of ω²", value: func(e orders.Epoch) float64 { return e.MeanSquare }}}}
	}
	return measure{view: viewOmega, heading: "Distance from stationarity, ω", label: "ω where epochs begin", log: true,
		what:   "ω, the length of the shortest mixture of the gradients, where epochs begin,",
		series: []series{{name: "ω", geometric: true, value: func(e orders.Epoch) float64 { return e.Omega }}}}
}

// gathered are the curves of a measure, up to where the runs have come.
type gathered struct {
	key     string // up to where they are
	columns []*column
	curves  []panel.Curve // of the columns
	lo, hi  float64       // of all that is shown
}

// column is one curve of the runs of a method; its keys are the numbers of the epochs.
type column struct {
	panel.MeanCurve
	series
	log bool // only what is positive has a place
}

// gather adds up what is shown of the epochs of all runs: anew where they are others, and else
// what came since.
func (s *Scene) gather() *gathered {
	key := s.gatherKey()
	of := fmt.Sprint(s.Timeline().Version(), s.values.View, s.values.Axis)
	g := s.sums.Of(of, s.newGathered)
	if g.key == key {
		return g
	}
	g.key, g.curves, g.lo, g.hi = key, g.curves[:0], math.Inf(1), math.Inf(-1)
	for _, c := range g.columns {
		s.extend(c)
		g.curves = append(g.curves, c.Curve)
		lo, hi := c.Range(c.log)
		g.lo, g.hi = min(g.lo, lo), max(g.hi, hi)
	}
	return g
}

// gatherKey names what the curves depend on: another epoch may have begun, or made a step.
func (s *Scene) gatherKey() string {
	latest, k := s.Timeline().Latest(), s.examples()
	return fmt.Sprint(s.Timeline().Version(), s.values.View, s.values.Axis, latest/k, latest%k == 0)
}

// newGathered has a column for each method and series of the measure, without points.
func (s *Scene) newGathered() *gathered {
	out, m := new(gathered), s.measured()
	for _, group := range race.ByMethod(s.Timeline()) {
		for _, one := range m.series {
			c := &column{series: one, log: m.log}
			c.Runs, c.Mean = group, panel.Mean
			if c.geometric {
				c.Mean = panel.GeometricMean
			}
			c.Curve = panel.Curve{Method: group[0].Method, Run: timeline.Track{Run: group[0]}.Name(), Label: one.label, Faint: one.faint,
				Lines: func(i int) []string { return s.linesAt(c, i) }}
			out.columns = append(out.columns, c)
		}
	}
	return out
}

// extend brings a column up to date.
func (s *Scene) extend(c *column) {
	of := make([][]orders.Epoch, len(c.Runs))
	for i, r := range c.Runs {
		of[i] = s.values.Epochs(r)
	}
	number := func(i int) int { return of[0][i].Number }
	c.Extend(len(of[0]), number, func(i int, values []float64) float64 {
		for j, epochs := range of {
			values[j] = c.valueAt(epochs, i, number(i), s.examples())
		}
		return s.epochAt(c.Runs[0], number(i))
	})
}

// valueAt is the number of a run's i-th epoch that is known, NaN where that is not the one of the
// number, or has nothing to show.
func (c *column) valueAt(epochs []orders.Epoch, i, number, examples int) float64 {
	if i >= len(epochs) || epochs[i].Number != number || c.complete && epochs[i].Steps != examples {
		return math.NaN()
	}
	v := c.value(epochs[i])
	if c.log && !(v > 0) {
		return math.NaN() // it has no place on the axis
	}
	return v
}

// linesAt say what there is at a point of a column.
func (s *Scene) linesAt(c *column, i int) []string {
	lines := []string{fmt.Sprintf("%s, epoch %d", c.Runs[0].Title, c.Keys[i]), c.name + " = " + timeline.Number(c.Y[i]) + c.Between(i)}
	if n := len(c.Runs); n > 1 {
		lines = append(lines, fmt.Sprintf("mean of %d seeds, and a standard error to either side", n))
	}
	if c.geometric {
		if d, ok := s.Compared(c.Method, c.Keys[i]); ok {
			lines = append(lines, d.String())
		}
	}
	return lines
}

// epochAt is where the first point of a run's epoch stands on the horizontal axis.
func (s *Scene) epochAt(r *timeline.Run, number int) float64 {
	k := number * s.examples()
	if s.values.View == viewRates {
		return s.stepsOf(k)
	}
	return s.timeOf(r, k)
}

// timeOf is where iteration k of a run stands on the horizontal axis.
func (s *Scene) timeOf(r *timeline.Run, k int) float64 {
	row := r.Kept(r.Index(min(k, r.Last())))
	row.K = k // which may not be kept
	return s.clock().Of(row)
}

// Comparison is how ω of one order stands to that of another, over the seeds that both have.
type Comparison struct {
	With      string  // the other's title
	Ratio     float64 // exp of the mean of ln ω − ln ω of the other
	Low, High float64 // with a standard error of that mean to either side
	Seeds     int
}

// String says it in words.
func (c Comparison) String() string {
	text := fmt.Sprintf("%s times that of %s", timeline.Number(rounded3(c.Ratio)), c.With)
	if c.Seeds > 1 {
		text += fmt.Sprintf(", %s to %s seed by seed", timeline.Number(rounded3(c.Low)), timeline.Number(rounded3(c.High)))
	}
	return text
}

// baseline is the method with which others are compared: a random order for all, if it runs, else
// the first.
func (s *Scene) baseline() string {
	methods := race.MethodsOf(s.Timeline())
	for _, m := range methods {
		if m == orders.Random {
			return m
		}
	}
	if len(methods) > 0 {
		return methods[0]
	}
	return ""
}

// Compared compares ω of a method where an epoch begins with that of random orders, or of the
// first method where these do not run, seed by seed: runs of one seed share what is drawn. ok is
// false for these themselves, where not all seeds have come there, and where ω is 0: no number of
// times is that of another.
func (s *Scene) Compared(method string, epoch int) (c Comparison, ok bool) {
	base := s.baseline()
	if method == base {
		return c, false
	}
	var ratios []float64
	for _, r := range s.Timeline().Runs() {
		if r.Method != method {
			continue
		}
		other := s.Timeline().FindFrom(base, r.StartIndex)
		own, others := omegaOf(s.values.Epochs(r), epoch), math.NaN()
		if other.Run != nil {
			others, c.With = omegaOf(s.values.Epochs(other.Run), epoch), other.Title
		}
		ratios = append(ratios, own/others)
	}
	if c.Seeds = len(ratios); c.Seeds == 0 {
		return c, false
	}
	c.Ratio, c.Low, c.High = panel.GeometricMean(ratios)
	return c, c.Ratio > 0 && c.High <= math.MaxFloat64
}

// omegaOf is ω where an epoch of that number begins, NaN where it is not known.
func omegaOf(epochs []orders.Epoch, number int) float64 {
	for i := len(epochs) - 1; i >= 0; i-- {
		if epochs[i].Number == number {
			return epochs[i].Omega
		}
	}
	return math.NaN()
}

// curvesPanel shows a measure of the epochs, a curve a method.
func (s *Scene) curvesPanel(view string, h *panel.History) *panel.Plane {
	series := &panel.Series{Name: "curve", Heading: s.measureOf(view).heading, Timeline: s.Timeline(), Key: s.gatherKey,
		Curves: func() []panel.Curve { return s.gather().curves },
		Time:   func(k int) float64 { return s.timeOf(s.Timeline().Selected().Run, k) }, Iteration: h.IterationAt,
		Above: s.drawWaiting, Symbol: s.Params().Symbol, Legend: s.curvesLegend, Text: s.describeCurves,
	}
	series.Axes = func() (panel.Axis, panel.Axis) { return s.clock().Axis(), s.measureAxis() }
	return series.Panel()
}

// drawWaiting says what is missing where there are no runs.
func (s *Scene) drawWaiting(b *panel.Brush) {
	if s.problem == nil {
		b.Words(s.waiting())
	}
}

// measureAxis is about all curves of the measure that is shown.
func (s *Scene) measureAxis() panel.Axis {
	m, g := s.measured(), s.gather()
	axis := panel.Axis{Label: m.label, Log: m.log, Min: 0, Max: 1}
	if !(g.hi > g.lo) && !(g.hi > 0) {
		if m.log {
			axis.Min = 0.1
		}
		return axis
	}
	if !m.log {
		axis.Max = roundAbove(g.hi)
		return axis
	}
	const room, least, most = 1.4, 4, 1e8
	axis.Max = g.hi * room
	axis.Min = min(max(g.lo, g.hi/most), g.hi/least) / room
	return axis
}

func (s *Scene) curvesLegend(t *panel.Theme) []panel.Entry {
	if s.Timeline().Selected().Run == nil {
		return nil
	}
	out := panel.MethodEntries(t, Methods, s.Timeline())
	if s.values.View == viewDrift {
		out = append(out, panel.Entry{Label: "thin: off the straight way", Stroke: panel.Stroke{Color: t.Ink, Width: 1}})
	}
	if s.values.Seeds > 1 {
		out = append(out, panel.BandEntry(t))
	}
	if len(s.Timeline().Log()) > 0 {
		out = append(out, panel.Entry{Label: "changed while running", Stroke: panel.Stroke{Color: t.Muted, Width: 1, Dash: []vg.Length{4, 3}}})
	}
	return out
}

// markerEpoch is the last epoch that has begun at the marker.
func (s *Scene) markerEpoch() int { return s.Timeline().Marker() / s.examples() }

func (s *Scene) describeCurves() string {
	if s.Timeline().Selected().Run == nil {
		return s.waiting()
	}
	m := s.measured()
	x := s.timeOf(s.Timeline().Selected().Run, s.Timeline().Marker())
	if m.view == viewRates {
		x = s.stepsOf(s.Timeline().Marker())
	}
	parts, names := []string{}, map[string]string{}
	for _, r := range s.Timeline().Runs() {
		names[r.Method] = r.Title
	}
	for _, c := range s.gather().curves {
		if at := c.At(x); at >= 0 && !c.Faint {
			parts = append(parts, names[c.Method]+" "+timeline.Number(rounded3(c.Y[at])))
		}
	}
	text := strings.ToUpper(m.what[:1]) + m.what[1:] + " over the epochs."
	if strings.HasPrefix(m.what, "ω") {
		text = m.what + " over the epochs."
	}
	if len(parts) > 0 {
		text += fmt.Sprintf(" At epoch %d: %s.", s.markerEpoch(), strings.Join(parts, ", "))
	}
	if m.view != viewOmega {
		return text
	}
	for _, method := range race.MethodsOf(s.Timeline()) {
		if c, ok := s.Compared(method, s.markerEpoch()); ok {
			text += fmt.Sprintf(" %s has %s.", names[method], c)
		}
	}
	return text
}

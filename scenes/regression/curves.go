package regression

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo"
	"paretoplay/algo/blocks"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
	"paretoplay/internal/portable"
)

// levels lists the test losses at which methods are compared.
var levels = [...]float64{100, 1, 0.01}

// newClock returns a function that returns the current time axis of the panels that show curves over time.
func (s *Scene) newClock() func() *kinds.Clock {
	family := s.values.Clock(s.Timeline())
	spent := &kinds.Clock{Name: sweeps.WorkName, Label: "million multiply-adds", Fractional: true,
		Of: func(row timeline.Row) float64 { return row.Number(sweeps.WorkName) / million },
		End: func() float64 {
			return s.most(func(_ *timeline.Run, work float64) float64 { return work / million })
		}}
	seconds := &kinds.Clock{Name: secondsAxis, Label: "seconds, measured here", Fractional: true,
		Of: func(row timeline.Row) float64 { return row.Number(sweeps.WorkName) * s.pace(row.Run().Method) },
		End: func() float64 {
			return s.most(func(r *timeline.Run, work float64) float64 { return work * s.pace(r.Method) })
		}}
	return func() *kinds.Clock {
		switch s.values.Axis {
		case spent.Name:
			return spent
		case seconds.Name:
			return seconds
		}
		return family()
	}
}

// most returns the maximum, over all runs, of a value at the end of a run. It returns 1 if there are no runs.
func (s *Scene) most(of func(r *timeline.Run, work float64) float64) float64 {
	most := 0.0
	for _, r := range s.Timeline().Runs() {
		most = max(most, of(r, s.spent[r]))
	}
	if most == 0 {
		return 1
	}
	return most
}

// timeOf returns the horizontal position of iteration k of a run. Beyond the run's end it extrapolates at the same rate.
func (s *Scene) timeOf(r *timeline.Run, k int) float64 {
	last := r.Last()
	row := r.Kept(r.Index(min(k, last)))
	at := s.clock().Of(row)
	if k > row.K && row.K > 0 {
		at += float64(k-row.K) * at / float64(row.K)
	}
	return at
}

// curves holds the curves of the two panels that plot losses over time. The curves extend to the runs' latest
// iterations.
type curves struct {
	of, key       string // keys of the runs and of their latest iterations
	losses, tests shownCurves
}

// shownCurves holds the curves of a panel.
type shownCurves struct {
	columns  []*column
	list     []kinds.Curve // curves of the columns
	top, low float64       // highest start and lowest positive value of all curves
}

// extend updates the curves. While runs go on, curves end at a position that all runs have reached. Steps differ in
// cost, so a fair comparison needs a common end.
func (c *shownCurves) extend(clock *kinds.Clock) {
	c.list, c.top, c.low = c.list[:0], 0, math.Inf(1)
	common := math.Inf(1)
	for _, one := range c.columns {
		one.extend(clock)
		if slices.ContainsFunc(one.Runs, func(r *timeline.Run) bool { return r.Status() == algo.Running }) {
			common = min(common, one.X[len(one.X)-1])
		}
	}
	for _, one := range c.columns {
		c.list = append(c.list, one.until(common))
		c.top = max(c.top, one.Y[0])
		for _, y := range one.Y {
			if y > 0 {
				c.low = min(c.low, y)
			}
		}
	}
}

// column holds the mean curve of one or several runs of a method. The keys of the curve are iterations.
type column struct {
	kinds.MeanCurve
	value func(timeline.Row) float64
}

// curveKey returns a cache key of everything that the curves depend on.
func (s *Scene) curveKey() string {
	t := s.Timeline()
	return fmt.Sprint(t.Version(), s.values.Axis, t.SelectedName(), t.Latest(), s.paceKey())
}

// gather returns the updated curves.
func (s *Scene) gather() *curves {
	c, t := &s.curves, s.Timeline()
	key := s.curveKey()
	if c.key == key {
		return c
	}
	if of := fmt.Sprint(t.Version(), s.values.Axis, t.SelectedName(), s.paceKey()); c.of != of {
		*c = curves{of: of}
		s.addColumns(c)
	}
	c.key = key
	c.losses.extend(s.clock())
	c.tests.extend(s.clock())
	return c
}

// addColumns adds a column for the loss of each method, and for each response of the selected run.
func (s *Scene) addColumns(c *curves) {
	for _, group := range runs.ByMethod(s.Timeline()) {
		one := &column{value: func(row timeline.Row) float64 { return row.Number(lossName) }}
		one.Runs, one.Mean = group, geometricMean
		one.Curve = kinds.Curve{Method: group[0].Method, Run: timeline.Track{Run: group[0]}.Name(),
			Lines: func(i int) []string { return s.lossLines(one, i) }}
		c.losses.columns = append(c.losses.columns, one)
	}
	chosen := s.Timeline().Selected()
	if chosen.Run == nil {
		return
	}
	for k, name := range s.data.names {
		one := &column{value: func(row timeline.Row) float64 { return row.List(testsName)[k] }}
		one.Runs, one.Mean = []*timeline.Run{chosen.Run}, geometricMean
		one.Curve = kinds.Curve{Method: chosen.Method, Run: chosen.Name(), Label: name, Faint: true,
			Lines: func(i int) []string {
				return []string{chosen.Label() + ", " + name, "test loss " + timeline.Number(one.Y[i]), s.placed(one.X[i])}
			}}
		c.tests.columns = append(c.tests.columns, one)
	}
}

// extend updates a column.
func (c *column) extend(clock *kinds.Clock) {
	first := c.Runs[0]
	key := func(i int) int { return first.Kept(i).K }
	c.Extend(first.Len(), key, func(i int, values []float64) (x float64) {
		k := key(i)
		for j, r := range c.Runs {
			row := r.Kept(min(i, r.Len()-1))
			x += clock.Of(row) / float64(len(c.Runs))
			if values[j] = c.value(row); row.K != k || !(values[j] > 0) {
				values[j] = math.NaN()
			}
		}
		return x
	})
}

// until returns the part of the curve up to a position.
func (c *column) until(x float64) kinds.Curve {
	out := c.Curve
	n := sort.Search(len(out.X), func(i int) bool { return out.X[i] > x })
	out.X, out.Y = out.X[:n], out.Y[:n]
	if out.Low != nil {
		out.Low, out.High = out.Low[:n], out.High[:n]
	}
	return out
}

// geometricMean returns the geometric mean and the range of one standard error about it. For a single value, the mean
// is exactly this value.
func geometricMean(values []float64) (mean, low, high float64) {
	if len(values) == 1 {
		return values[0], values[0], values[0]
	}
	return kinds.GeometricMean(values)
}

// reaches returns the position at which a curve first falls to a level, interpolated between its points. If the curve
// never falls to the level, ok is false.
func reaches(c *kinds.Curve, level float64) (x float64, ok bool) {
	for i, y := range c.Y {
		if !(y <= level) {
			continue
		}
		if i == 0 || c.Y[i-1] <= level {
			return c.X[i], true
		}
		share := portable.Log(c.Y[i-1]/level) / portable.Log(c.Y[i-1]/y)
		return c.X[i-1] + float64(share*(c.X[i]-c.X[i-1])), true
	}
	return 0, false
}

// placed describes a position on the horizontal axis in words.
func (s *Scene) placed(x float64) string {
	return fmt.Sprintf("at %s %s", timeline.Number(x), s.clock().Label)
}

func (s *Scene) lossLines(c *column, i int) []string {
	lines := []string{fmt.Sprintf("%s, k = %d", c.Runs[0].Title, c.Keys[i]),
		"test loss " + timeline.Number(c.Y[i]) + c.Between(i), s.placed(c.X[i])}
	if n := len(c.Runs); n > 1 {
		lines = append(lines, fmt.Sprintf("geometric mean of %d seeds ± one standard error", n))
	}
	return lines
}

// series returns a panel of curves.
func (s *Scene) series(name, heading string, of func() []kinds.Curve) *kinds.Series {
	return &kinds.Series{Name: name, Heading: heading, Timeline: s.Timeline(), Key: s.curveKey, Curves: of,
		Time: func(k int) float64 { return s.timeOf(s.Timeline().Selected().Run, k) }, Iteration: s.time.IterationAt,
		Symbol: s.Params().Symbol}
}

// lossPanel returns the panel of the methods' test losses.
func (s *Scene) lossPanel() axes.Panel {
	p := s.series("loss", "Test loss, by cost of the gradients", func() []kinds.Curve { return s.gather().losses.list })
	p.Axes = func() (axes.Axis, axes.Axis) {
		x := s.clock().Axis()
		if s.values.Axis == sweeps.WorkName {
			x.Label = "cost so far: " + x.Label
		}
		return x, s.axis("mean test loss", lossCurves)
	}
	p.Above = s.drawLevels
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if s.data == nil {
			return nil
		}
		out := append(kinds.MethodEntries(t, Methods, s.Timeline()), s.optimumEntry(t))
		if s.values.Seeds > 1 {
			out = append(out, kinds.BandEntry(t))
		}
		return out
	}
	p.Text = s.describeLoss
	return p.Panel()
}

// axis returns a loss axis that extends from above the start of the curves to below the lowest reachable loss.
func (s *Scene) axis(label string, of func(*curves) *shownCurves) axes.Axis {
	axis := axes.Axis{Label: label, Log: true, Min: 0.1, Max: 1}
	if s.data == nil {
		return axis
	}
	const above, under, limit = 3, 1.6, 1e7 // the first factor leaves room for the list of costs above the level of 100
	c := of(s.gather())
	axis.Max = c.top * above
	axis.Min = max(min(c.low, s.data.optimum)/under, c.top/limit)
	return axis
}

func lossCurves(c *curves) *shownCurves { return &c.losses }
func testCurves(c *curves) *shownCurves { return &c.tests }

func (s *Scene) optimumStroke(t *brush.Theme) brush.Stroke {
	return brush.Stroke{Color: t.Muted, Width: 1.25, Dash: []vg.Length{2, 3}}
}

func (s *Scene) optimumEntry(t *brush.Theme) axes.Entry {
	return axes.Entry{Label: "least squares of rank r", Stroke: s.optimumStroke(t)}
}

// drawLevels marks where the curves reach the levels. If data or measurements are missing, it says so instead.
func (s *Scene) drawLevels(b *brush.Brush) {
	if s.data == nil {
		b.Words(s.lacks)
		return
	}
	if s.measuring() {
		b.Words("Measuring …")
		return
	}
	b.HLine(s.data.optimum, s.optimumStroke(b.Theme))
	for _, level := range levels {
		b.HLine(level, brush.Stroke{Color: brush.Faded(b.Theme.Rule, 0.6), Width: 1})
		var places []reached
		for i := range s.gather().losses.list {
			c := &s.gather().losses.list[i]
			if x, ok := reaches(c, level); ok && c.Y[0] > level {
				look := b.Theme.Look(c.Method)
				b.Marker(x, level, look.Shape, 5.5, look.Hue, true)
				places = append(places, reached{x, look})
			}
		}
		if !s.lists(b) {
			numberPlaces(b, level, places)
		}
	}
	if s.lists(b) {
		s.listPlaces(b)
	}
}

// reached is a position at which a curve reaches a level.
type reached struct {
	x    float64
	look brush.Look
}

// These are sizes of the list of costs, in pixels.
const (
	priceRow, priceColumn, priceSign, priceEdge = 16, 46, 14, 6
	priceRight                                  = 22  // from the right edge, where the time marker ends up
	listsFrom                                   = 460 // minimum width of the data area
)

// lists reports whether there is room for a list of the costs.
func (s *Scene) lists(b *brush.Brush) bool {
	return b.Frame.Detail == brush.Full && b.Canvas.Size().X >= listsFrom && len(s.gather().losses.list) > 0
}

// listPlaces lists the costs at which each method's curve reaches the levels. The list is in the upper right corner
// because the curves leave this corner first.
func (s *Scene) listPlaces(b *brush.Brush) {
	names := vg.Length(0)
	list := s.gather().losses.list
	for i := range list {
		names = max(names, b.Width(s.values.Title(list[i].Method)))
	}
	heading := "cost until the loss is"
	wide := priceSign + max(names, b.Width(heading)) + vg.Length(vg.Length(len(levels))*priceColumn) + 2*priceEdge
	corner := b.Canvas.Max.Sub(vg.Point{X: wide + priceRight, Y: vg.Length(priceRow*vg.Length(len(list)+1)) + priceEdge})
	b.Canvas.SetColor(b.Theme.Paper)
	b.Fill(vg.Rectangle{Min: corner, Max: b.Canvas.Max})
	text := func(x, y vg.Length, words string, side brush.Align) {
		b.TextAt(vg.Point{X: x, Y: y}, words, brush.SmallText, b.Theme.Ink, side)
	}
	y, right := b.Canvas.Max.Y-priceRow/2, b.Canvas.Max.X-priceRight
	column := func(l int) vg.Length { return right - vg.Length(vg.Length(len(levels)-1-l)*priceColumn) }
	text(corner.X, y, heading, brush.RightOf)
	for l, level := range levels {
		text(column(l), y, numeral.Format(level, 3), brush.LeftOf)
	}
	for i := range list {
		c := &list[i]
		y -= priceRow
		look := b.Theme.Look(c.Method)
		b.MarkerAt(vg.Point{X: corner.X + priceEdge + priceSign/2, Y: y}, look.Shape, 4, look.Hue)
		text(corner.X+priceEdge+priceSign, y, s.values.Title(c.Method), brush.RightOf)
		for l, level := range levels {
			words := "–"
			if x, ok := reaches(c, level); ok && c.Y[0] > level {
				words = numeral.Format(x, 3)
			}
			text(column(l), y, words, brush.LeftOf)
		}
	}
}

// numberPlaces writes the costs at which curves reach a level. Each number is to the left of its marker. If it would
// cover another number there, it is placed to the right of its marker, or omitted if it has no room there either.
func numberPlaces(b *brush.Brush, level float64, places []reached) {
	if b.Frame.Detail != brush.Full {
		return
	}
	slices.SortFunc(places, func(a, b reached) int { return cmp.Compare(a.x, b.x) })
	const away, sign = 8, 7 // pixels from a marker's centre to a number, and to the marker's edge
	free := b.Canvas.Min.X  // the left limit for numbers
	for i, p := range places {
		text, at := numeral.Format(p.x, 3), b.At(p.x, level).X
		width := b.Width(text) + away
		before, after := free, b.Canvas.Max.X
		if i > 0 {
			before = max(before, b.At(places[i-1].x, level).X+sign)
		}
		if i+1 < len(places) {
			after = b.At(places[i+1].x, level).X - sign
		}
		switch {
		case at-width >= before:
			b.Label(p.x, level, text, brush.SmallText, b.Theme.Ink, brush.Align{X: -1, Y: -1})
			free = at
		case at >= free && at+width <= after:
			b.Label(p.x, level, text, brush.SmallText, b.Theme.Ink, brush.Align{X: 1, Y: -1})
			free = at + width
		}
	}
}

func (s *Scene) describeLoss() string {
	if s.data == nil {
		return s.lacks
	}
	chosen := s.Timeline().Selected().Run
	x := s.timeOf(chosen, s.Timeline().Marker())
	var parts []string
	for i := range s.gather().losses.list {
		c := &s.gather().losses.list[i]
		if at := c.At(x); at >= 0 && c.Y[at] > 0 {
			parts = append(parts, s.values.Title(c.Method)+" "+timeline.Significant(c.Y[at]))
		}
	}
	return fmt.Sprintf("The mean test loss of the responses, over %s. At %s: %s.", s.clock().Label, timeline.Significant(x),
		strings.Join(parts, ", "))
}

// responsesPanel returns the panel of the selected run's test losses for each response.
func (s *Scene) responsesPanel() axes.Panel {
	p := s.series("responses", "Each response in the selected run", func() []kinds.Curve { return s.gather().tests.list })
	p.Fixed = true
	p.Axes = func() (axes.Axis, axes.Axis) { return s.clock().Axis(), s.axis("test loss", testCurves) }
	p.Above = func(b *brush.Brush) {
		if s.data == nil {
			b.Words(s.lacks)
		}
	}
	p.Text = func() string {
		if s.data == nil {
			return s.lacks
		}
		row := s.Timeline().AtMarker(s.Timeline().Selected())
		var parts []string
		for k, name := range s.data.names {
			parts = append(parts, name+" "+timeline.Significant(row.List(testsName)[k]))
		}
		return fmt.Sprintf("The test losses of the responses with %s: %s.", s.Timeline().Selected().Label(), strings.Join(parts, ", "))
	}
	out := p.Panel()
	out.Key = func(t *brush.Theme) []axes.Entry {
		r := s.Timeline().Selected()
		if s.data == nil || r.Run == nil {
			return nil
		}
		return []axes.Entry{{Label: "one line per response", Stroke: t.Look(r.Method).Stroke(1.75)}}
	}
	return out
}

// alternation returns the stepper of a run.
func alternation(r *timeline.Run) *blocks.Alternation { return r.Stepper.(*blocks.Alternation) }

package forumcost

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/bilevel"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/numeral"
	"paretoplay/internal/portable"
)

// Display configures how the panels show the measurements. Files use the zero value.
type Display struct {
	Linear bool // whether axes start at 0 instead of being logarithmic
	Count  Count
	// Price is the cost of a Hessian-vector product in gradients if products are counted. 0 means 1, the cost
	// measured with a dense lower Hessian. Automatic differentiation costs 2 to 4.
	Price float64
}

// Count selects what the panels of evaluations count.
type Count int

const (
	Products  Count = iota // Hessian-vector products
	Gradients              // gradients
	Both                   // gradients and products together
)

// price returns a product's cost in gradients.
func (d *Display) price() float64 { return cmp.Or(d.Price, 1) }

// of returns the selected count for the given gradients and products.
func (d *Display) of(gradients, products float64) float64 {
	switch d.Count {
	case Gradients:
		return gradients
	case Both:
		return gradients + float64(d.price()*products)
	}
	return d.price() * products
}

// label returns the axis label.
func (d *Display) label() string {
	switch {
	case d.Count == Gradients:
		return "gradients"
	case d.Count == Both:
		return "gradients and products, in gradients"
	case d.price() != 1:
		return "products with the Hessian, in gradients"
	}
	return "products with the Hessian"
}

// Display sets how the panels show the measurements.
func (s *Figure) Display(d Display) { s.show = d }

// Unfold limits the pictures to a share of their horizontal axes. The argument drawn returns the share, from 0 to 1; 1
// draws everything.
func (s *Figure) Unfold(drawn func() float64) { s.drawn = drawn }

// share returns the share of the pictures to draw, from 0 to 1.
func (s *Figure) share() float64 {
	if s.Finished() {
		return s.drawn()
	}
	return min(s.drawn(), s.Progress()) // points appear as they are measured
}

// begun reports whether every cell has been measured at least once.
func (s *Figure) begun() bool {
	for c := range s.Each {
		if !c.TooLarge && len(c.Times) == 0 {
			return false
		}
	}
	return true
}

// look returns a line's look. Forward mode has the method's hue with a ring and short dashes.
func look(t *brush.Theme, l Line) brush.Look {
	look := t.Look(l.Method)
	if l.differentiates() && l.Mode == bilevel.Forward {
		look.Shape, look.Dash = brush.Ring, []vg.Length{2, 3}
	}
	return look
}

// chart is a panel that shows a quantity over T or p.
type chart struct {
	figure *Figure
	overT  bool
	name   string // name of the quantity, for the panel's ID
	label  string // label of the vertical axis
	short  string // replaces label in a Mini
	// value returns a cell's value of the quantity. It returns ok = false while the value is unknown.
	value func(c *Cell) (v float64, ok bool)
	// theory returns a line's expected quantity as a function of the size, or nil while it is unknown.
	theory func(l Line) func(size) float64
	// words returns the part of the panel's description that precedes the numbers.
	words  func() string
	timed  bool // whether the panel shows whiskers and progress
	stored bool // whether the panel shows the growth that the paper states for the floats

	held float64 // end of a timed chart's vertical axis until all is measured; 0 if not set yet
}

// newPanels creates the panels for time, evaluations and floats over T, then the same panels over p.
func (s *Figure) newPanels() []axes.Panel {
	var out []axes.Panel
	for _, overT := range []bool{true, false} {
		out = append(out, s.timeChart(overT).panel(), s.evaluationsChart(overT).panel(), s.floatsChart(overT).panel())
	}
	return out
}

func (s *Figure) timeChart(overT bool) *chart {
	return &chart{figure: s, overT: overT, name: "time", timed: true, label: "time of one step, in µs", short: "µs",
		value: func(c *Cell) (float64, bool) { return 1e6 * c.Time, len(c.Times) > 0 },
		theory: func(l Line) func(size) float64 {
			factor, ok := s.Factor(l, overT)
			if !ok {
				return nil
			}
			return func(at size) float64 { return 1e6 * factor * l.work(at) }
		},
		words: func() string {
			return "Points are medians of measured times, with quartiles as whiskers; " +
				"each line is the number of multiplications, with one fitted factor."
		}}
}

func (s *Figure) evaluationsChart(overT bool) *chart {
	return &chart{figure: s, overT: overT, name: "evaluations",
		value: func(c *Cell) (float64, bool) { return s.show.of(float64(c.Gradients), float64(c.Products)), c.Counted },
		theory: func(l Line) func(size) float64 {
			return func(at size) float64 { return s.show.of(l.gradients(at), l.products(at)) }
		},
		words: func() string {
			priced := ""
			if s.show.price() != 1 {
				priced = fmt.Sprintf(" A product counts as %g gradients.", s.show.price())
			}
			switch s.show.Count {
			case Gradients:
				return "Points are counted gradients, of the upper objectives and of f; lines are T + m + 1 for FORUM and T + m for the others."
			case Both:
				return "Points are counted gradients and products of the lower Hessian with a vector together; lines are T + m + 1 for FORUM, and " +
					"for the others T + m with mT products in reverse mode and nT in forward mode." + priced
			}
			return "Points are counted products of the lower Hessian with a vector; " +
				"lines are mT in reverse mode and nT in forward mode. FORUM needs none." + priced
		}}
}

func (s *Figure) floatsChart(overT bool) *chart {
	return &chart{figure: s, overT: overT, name: "floats", stored: true, label: "numbers stored at once (floats)", short: "numbers held",
		value:  func(c *Cell) (float64, bool) { return float64(c.Floats), c.Counted },
		theory: func(l Line) func(size) float64 { return l.floats },
		words: func() string {
			return "Points are the floats that a step stores at once; lines are their formulas: " +
				"FORUM’s does not depend on T, reverse mode adds pT, forward mode np. " +
				"The grey line is mn + mpT, the order that the paper states for MOML: " +
				"over T it is m times as steep, because here the loop’s points are stored once and not for each objective."
		}}
}

// heading returns the panel's title.
func (h *chart) heading() string {
	of := map[string]string{"time": "Time", "evaluations": "Cost of one step", "floats": "Memory"}[h.name]
	if h.overT {
		return of + ": longer loops"
	}
	return of + ": more variables"
}

func (h *chart) id() string {
	if h.overT {
		return h.name + "-over-t"
	}
	return h.name + "-over-p"
}

// on reports whether a cell belongs on the panel, and returns its position on the horizontal axis.
func (h *chart) on(c *Cell) (x float64, ok bool) { return h.figure.place(c, h.overT) }

// point is a cell on the panel with a known value.
type point struct {
	*Cell
	x, v float64
}

// points yields the points in the order of the cells.
func (h *chart) points(yield func(p point) bool) {
	for c := range h.figure.Each {
		x, here := h.on(c)
		if v, known := h.value(c); here && known && !yield(point{c, x, v}) {
			return
		}
	}
}

// at returns the size for position x.
func (h *chart) at(x float64) size {
	s := h.figure.config.size()
	if h.overT {
		s.t = x
	} else {
		s.p = x
	}
	return s
}

// paperOrder returns the space that the paper states for MOML, O(mn + mpT), with factor 1.
func paperOrder(s size) float64 { return float64(s.m*s.n) + float64(s.m*s.p*s.t) }

// ordered reports whether the panel draws the paper's order.
func (h *chart) ordered() bool {
	return h.stored && slices.ContainsFunc(h.figure.config.Lines, func(l Line) bool { return l.differentiates() && l.Mode == bilevel.Reverse })
}

// zeroShare is the position of zero on a logarithmic axis, as a share of its length from the bottom.
const zeroShare = 0.05

// axes returns axes that have room for the points and for the lines above them.
func (h *chart) axes() (x, y axes.Axis) {
	left, right := math.Inf(1), math.Inf(-1)
	for c := range h.figure.Each {
		if at, ok := h.on(c); ok {
			left, right = min(left, at), max(right, at)
		}
	}
	low, high, zero := h.heights(left, right)
	if h.timed {
		low, high = h.hold(low, high)
	}
	log := !h.figure.show.Linear
	x = axes.Axis{Short: "lower variables (p)", Min: left / 1.2, Max: right * 1.2, Log: log}
	x.Label = x.Short + ", with loops of " + numeral.Counted(h.figure.config.T, "step")
	if h.overT {
		x.Short = "steps of the inner loop (T)"
		x.Label = "steps of the loop (T), " + numeral.Counted(h.figure.config.P, "lower variable")
	}
	y = axes.Axis{Label: h.label, Short: h.short, Min: roundBelow(low / 1.2), Max: roundAbove(high * 1.2), Log: log}
	if h.name == "evaluations" {
		y.Label, y.Short = "cost of one step, in "+h.figure.show.label(), h.figure.show.label()
	}
	switch {
	case !log:
		x.Min, x.Max = 0, right*1.04
		y.Min, y.Max = 0, roundAbove(high*1.02)
		if zero { // keep zero clear of the axis
			y.Min = -zeroShare * y.Max
		}
	case zero:
		// The axis begins just above a power of ten, so that zero is clear of the labels.
		if y.Min = 1.3 * portable.Pow(10, math.Floor(portable.Log10(y.Min))); low < 4*y.Min {
			y.Min /= 10
		}
	}
	return x, y
}

// hold returns the ends of the axis for measured times. Medians move until everything is measured, so the axis stays
// fixed after every cell has been measured once, with two exceptions. The axis grows if a time exceeds its end. It
// shrinks when everything is measured if it is much too long.
func (h *chart) hold(low, high float64) (lo, hi float64) {
	const room, decades, tooLong = 1.15, 1e4, 2.5
	f := h.figure
	switch finished := f.Finished(); {
	case finished && h.held == 0, f.Progress() == 0:
		return low, high
	case finished && h.held > tooLong*high:
		h.held = 0
		return low, high
	case finished:
		return low, max(h.held, high)
	case !f.begun():
		return unknown[0], unknown[1]
	}
	if h.held == 0 || high > h.held {
		h.held = axes.RoundUp(room*high, 1, 1.5, 2, 3, 4, 5, 6, 8)
	}
	return h.held / decades, h.held
}

// unknown contains the ends of an axis while no value is known.
var unknown = [2]float64{1, 1000}

// heights returns the smallest and the largest positive value of points and lines between two positions. It also
// reports whether any of the values is zero. Whiskers may extend beyond the edge.
func (h *chart) heights(left, right float64) (low, high float64, zero bool) {
	var all []float64
	for p := range h.points {
		all = append(all, p.v)
	}
	for _, l := range h.figure.config.Lines {
		theory := h.theory(l)
		for c := range h.figure.Each {
			if _, ok := h.on(c); ok && theory != nil && c.Line == l && !c.TooLarge {
				all = append(all, theory(c.size))
			}
		}
	}
	if h.ordered() {
		all = append(all, paperOrder(h.at(left)), paperOrder(h.at(right)))
	}
	above := slices.DeleteFunc(slices.Clone(all), func(v float64) bool { return !(v > 0) })
	if zero = len(above) < len(all); len(above) == 0 { // nothing is known yet, or all values are zero
		return unknown[0], unknown[1], zero
	}
	return slices.Min(above), slices.Max(above), zero
}

// roundAbove returns the smallest number ≥ v with one significant digit, or with the digits 1.5 or 2.5. Axes with
// such ends rarely move while points are added.
func roundAbove(v float64) float64 { return axes.RoundUp(v, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9) }

// roundBelow returns the largest number ≤ v whose reciprocal has the form that roundAbove returns.
func roundBelow(v float64) float64 { return 1 / roundAbove(1/v) }

// ends returns the labels of the lines. A label is placed where the drawn theory ends, or at the last measured point if
// there is no theory.
func (h *chart) ends(t *brush.Theme) []axes.EndName {
	x, y := h.axes()
	reach, share := x.Max, h.figure.share()
	if share < 1 {
		reach = h.along(x.Min, x.Max, share)
	}
	var out []axes.EndName
	for _, l := range h.figure.config.Lines {
		v := math.NaN()
		if theory := h.theory(l); theory != nil {
			v = theory(h.at(max(1, reach)))
		} else {
			for p := range h.points {
				if p.Line == l {
					v = p.v
				}
			}
		}
		out = append(out, axes.EndName{Text: l.Label(), Y: h.height(y.Min, y.Max, v), Look: look(t, l), Growing: share < 1, X: reach})
	}
	return out
}

// height returns a value's position on the vertical axis between low and high. A logarithmic axis reserves a place
// for zero near its bottom.
func (h *chart) height(low, high, v float64) float64 {
	if v == 0 && !h.figure.show.Linear {
		return low * portable.Pow(high/low, zeroShare)
	}
	return v
}

func (h *chart) orderStroke(t *brush.Theme) brush.Stroke {
	return brush.Stroke{Color: t.Muted, Width: 1.25, Dash: []vg.Length{1, 3}}
}

// lineSamples is the number of points through which a line of theory is drawn.
const lineSamples = 48

// reach returns the right end of the drawn part. The drawn part grows with the measurement, and as the picture unfolds.
func (h *chart) reach(b *brush.Brush) float64 {
	left, right, _, _ := b.Bounds()
	if share := h.figure.share(); share < 1 {
		return h.along(left, right, share)
	}
	return right
}

// along returns the position on the horizontal axis that is the given share of the way between two positions.
func (h *chart) along(left, to, share float64) float64 {
	if h.figure.show.Linear {
		return left + float64(share*(to-left))
	}
	return left * portable.Pow(to/left, share)
}

// sample returns the position of the i-th sample on the horizontal axis.
func (h *chart) sample(b *brush.Brush, i int) float64 {
	left, _, _, _ := b.Bounds()
	return max(1, h.along(left, h.reach(b), float64(i)/(lineSamples-1)))
}

// drawTheory draws a line's expected values if they are known.
func (h *chart) drawTheory(b *brush.Brush, l Line, width vg.Length) {
	theory := h.theory(l)
	if theory == nil {
		return
	}
	_, _, low, high := b.Bounds()
	stroke := look(b.Theme, l).Stroke(width)
	stroke.Color = brush.Faded(stroke.Color, 0.75)
	b.Line(lineSamples, func(i int) (float64, float64) {
		x := h.sample(b, i)
		return x, h.height(low, high, theory(h.at(x)))
	}, stroke)
}

func (h *chart) draw(b *brush.Brush) {
	_, _, low, high := b.Bounds()
	if h.ordered() {
		b.Line(lineSamples, func(i int) (float64, float64) { x := h.sample(b, i); return x, paperOrder(h.at(x)) }, h.orderStroke(b.Theme))
	}
	width := vg.Length(1.5)
	if b.Frame.Detail == brush.Full {
		width = 2.5
	}
	for _, l := range h.figure.config.Lines {
		h.drawTheory(b, l, width)
	}
	reach := h.reach(b)
	for _, large := range []bool{true, false} { // large markers first, so that MOML's stay visible around others with the same cost
		radius := vg.Length(4)
		if large {
			radius = 5.5
		}
		for p := range h.points {
			if p.x > reach || (p.Method == moml) != large {
				continue
			}
			look := look(b.Theme, p.Line)
			if h.timed && p.High > p.Low {
				b.Line(2, func(i int) (float64, float64) { return p.x, 1e6 * [2]float64{p.Low, p.High}[i] }, brush.Stroke{Color: look.Hue, Width: 1.5})
			}
			b.Marker(p.x, h.height(low, high, p.v), look.Shape, radius, look.Hue, true)
		}
	}
	if h.unfolds() {
		h.drawFrontier(b, reach)
	}
	h.drawNotes(b)
}

// unfolds reports whether the picture is still unfolding.
func (h *chart) unfolds() bool { return h.figure.drawn() < 1 }

// drawFrontier marks the right end of a picture that is still unfolding.
func (h *chart) drawFrontier(b *brush.Brush, reach float64) {
	b.VLine(reach, brush.Stroke{Color: b.Theme.Rule, Width: 1})
	if b.Frame.Detail != brush.Full {
		return
	}
	words := numeral.Counted(int(math.Round(reach)), "lower variable")
	if h.overT {
		words = "a loop of " + numeral.Counted(int(math.Round(reach)), "step")
	}
	left, right, low, high := b.Bounds()
	side := brush.RightOf
	if b.X.At(reach) > (b.X.At(left)+b.X.At(right))/2 {
		side = brush.LeftOf
	}
	b.Label(reach, h.alongHeight(low, high, 0.97), words, brush.LabelText, b.Theme.Ink, side)
}

// alongHeight returns the position on the vertical axis that is the given share of the way from its lower to its upper
// end.
func (h *chart) alongHeight(low, high, share float64) float64 {
	if h.figure.show.Linear {
		return low + float64(share*(high-low))
	}
	return low * portable.Pow(high/low, share)
}

// drawNotes labels zero, and notes the progress of the measurement and the cells that are too large.
func (h *chart) drawNotes(b *brush.Brush) {
	left, right, low, high := b.Bounds()
	if !h.figure.show.Linear && h.drawsZero() {
		b.Text(left, h.height(low, high, 0), "0", brush.SmallText, b.Theme.Muted, brush.LeftOf)
	}
	switch {
	case h.timed && !h.figure.Finished(): // above all lines, which rise to the right
		b.Label(left, h.alongHeight(low, high, 0.88), fmt.Sprintf("%.0f %% measured", 100*h.figure.Progress()), brush.SmallText, b.Theme.Muted,
			brush.RightOf)
	case h.timed && h.tooLarge() > 0:
		b.Label(right, h.alongHeight(low, high, 0.05), "no point: a step takes too long here", brush.SmallText, b.Theme.Muted, brush.LeftOf)
	}
}

func (h *chart) drawsZero() bool {
	for p := range h.points {
		if p.v == 0 {
			return true
		}
	}
	return false
}

// tooLarge returns the number of cells that the panel leaves out.
func (h *chart) tooLarge() int {
	count := 0
	for c := range h.figure.Each {
		if _, here := h.on(c); here && c.TooLarge {
			count++
		}
	}
	return count
}

// describe returns the panel's description, with the finding first.
func (h *chart) describe() string {
	text := h.finding() + h.words()
	if h.timed {
		text += " Times differ from one measurement to the next."
		if !h.figure.Finished() {
			text += fmt.Sprintf(" %.0f %% of the batches are measured.", 100*h.figure.Progress())
		}
		if n := h.tooLarge(); n > 0 {
			text += fmt.Sprintf(" %d points are left out, because one of their steps takes too long here.", n)
		}
	}
	return text
}

// finding returns a sentence with the lines that need the least and the most of the quantity at the right end. It
// returns "" while fewer than two lines are known there.
func (h *chart) finding() string {
	points := slices.Collect(h.points)
	if len(points) == 0 {
		return ""
	}
	right := slices.MaxFunc(points, func(a, b point) int { return cmp.Compare(a.x, b.x) }).x
	points = slices.DeleteFunc(points, func(p point) bool { return p.x < right })
	byValue := func(a, b point) int { return cmp.Compare(a.v, b.v) }
	low, high := slices.MinFunc(points, byValue), slices.MaxFunc(points, byValue)
	if low.v == high.v {
		return ""
	}
	letter := "p"
	if h.overT {
		letter = "T"
	}
	return fmt.Sprintf("At the largest %s, %s needs the least and %s the most. ", letter, low.Label(), high.Label())
}

// find returns the point nearest to the pointer.
func (h *chart) find(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	_, _, low, high := b.Bounds()
	reach, best := float64(brush.HitRadius(b.Frame.Touch)), (*Cell)(nil)
	var place vg.Point
	for p := range h.points {
		q := b.At(p.x, h.height(low, high, p.v))
		if r := portable.Hypot(float64(q.X-at.X), float64(q.Y-at.Y)); r < reach {
			reach, best, place = r, p.Cell, q
		}
	}
	if best == nil {
		return axes.Pick{}, false
	}
	gradients, products, floats := best.formulas()
	lines := []string{fmt.Sprintf("%s, T = %d, p = %d", best.Label(), best.T, best.P)}
	if n := len(best.Times); n > 0 {
		lines = append(lines, fmt.Sprintf("%s per upper step, the median of %d", duration(best.Time), n),
			fmt.Sprintf("quartiles %s and %s", duration(best.Low), duration(best.High)))
	}
	return axes.Pick{K: -1, At: place, Thing: pointed{best.Line, best.T, best.P}, Lines: append(lines,
		fmt.Sprintf("gradients: %d = %s", best.Gradients, gradients),
		fmt.Sprintf("Hessian-vector products: %d = %s", best.Products, products),
		fmt.Sprintf("together, at %g per product: %s gradients", h.figure.show.price(), experiment.Number(best.worth(h.figure.show.price()))),
		fmt.Sprintf("floats: %d = %s", best.Floats, floats),
	)}, true
}

// pointed is a point in the panels, used as the Thing of a Pick.
type pointed struct {
	Line
	T, P int
}

// mark emphasises the line of a measured point, and rings the point if the panel shows it.
func (h *chart) mark(b *brush.Brush, thing any) {
	over, _ := thing.(pointed)
	_, _, low, high := b.Bounds()
	h.drawTheory(b, over.Line, 4)
	for p := range h.points {
		if p.Line == over.Line && p.T == over.T && p.P == over.P && p.x <= h.reach(b) {
			b.Ring(p.x, h.height(low, high, p.v), look(b.Theme, p.Line).Hue)
		}
	}
}

// key returns a text that depends on everything that determines the picture's points.
func (h *chart) key() string {
	f := h.figure
	done := 0
	for c := range f.Each {
		done += len(c.Times)
	}
	return fmt.Sprint(h.id(), f.show, done, f.Finished())
}

func (h *chart) panel() *axes.Plane {
	return &axes.Plane{
		Name: h.id(), Heading: h.heading(), Text: h.describe, Axes: h.axes,
		Sheets: func() []axes.Sheet {
			if h.unfolds() { // the picture changes in every frame
				return []axes.Sheet{{Draw: h.draw}}
			}
			return []axes.Sheet{{Key: h.key(), Draw: h.draw}}
		},
		Find: h.find, MarkThing: h.mark,
		Ends: h.ends,
		Key: func(t *brush.Theme) []axes.Entry {
			if !h.ordered() {
				return nil
			}
			return []axes.Entry{{Label: "the paper’s formula for MOML", Stroke: h.orderStroke(t)}}
		},
		Legend: func(t *brush.Theme) []axes.Entry {
			var out []axes.Entry
			for _, l := range h.figure.config.Lines {
				out = append(out, axes.EntryOf(look(t, l), l.Label()))
			}
			if h.ordered() {
				out = append(out, axes.Entry{Label: "paper’s formula: mn + mpT", Stroke: h.orderStroke(t)})
			}
			return out
		},
	}
}

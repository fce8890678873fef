package sampleorder

import (
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/ordering"
	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

// balancePanels returns two panels of the selected run's balanced sum. The first shows the sum in the plane of two
// coordinates, and the second shows the sum's max norm over the last steps. The third result is a text panel for orders
// that do not balance.
func (s *Scene) balancePanels() (sums [2]*axes.Plane, none axes.Panel) {
	p := axes.Plane{Name: "balance", Heading: "Which side keeps the sum small?", Text: s.undecided, Bare: true}
	p.Axes = func() (x, y axes.Axis) { return axes.Axis{Max: 1}, axes.Axis{Max: 1} }
	p.Sheets = func() []axes.Sheet {
		return []axes.Sheet{{Draw: func(b *brush.Brush) {
			if b.Frame.Detail == brush.Full {
				b.Words(s.undecided())
			} else {
				b.Words(decideNothing + selectOne)
			}
		}}}
	}
	drawn := axes.Plane{Name: p.Name, Heading: p.Heading, Text: s.describeBalance, Legend: s.balanceLegend, Find: s.findBalance,
		Marks: s.markBalance, Sheets: func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawBalance}} }}
	drawn.Key = func(t *brush.Theme) []axes.Entry {
		out := s.balanceLegend(t)
		return out[max(0, len(out)-2):]
	}
	return s.sumPanels(drawn, "largest coordinate of s", s.sumReach,
		s.lastSteps), &p
}

// sumReach returns the half-width of the picture of the balanced sum: a quarter of the first epoch's longest term. Later
// terms are shorter, and the signs keep the sum no longer than a few terms. If the sum leaves the picture, the picture
// doubles in both directions.
func (s *Scene) sumReach() float64 {
	const vectors = 0.25
	farthest := s.read.FarthestSum()
	if step := s.read.Extent().Step; step > 0 {
		return axes.InSteps(roundAbove(vectors*step), 2, farthest)
	}
	return roundAbove(farthest)
}

// lastSteps returns the range of an axis that shows the epoch's last steps before the marker at a readable scale.
func (s *Scene) lastSteps() (first, last int) {
	const limit = 24
	k := s.read.Examples()
	r := s.Timeline().Selected().Run
	if r == nil || k <= limit {
		return 0, k
	}
	_, steps := s.read.Now(r)
	first = min(max(0, steps-limit*3/4), k-limit)
	return first, first + limit
}

// objectiveDashes lists dashes that distinguish the objectives' sums.
var objectiveDashes = [][]vg.Length{nil, {7, 3}, {2, 3}, {8, 3, 2, 3}}

func (s *Scene) drawBalance(b *brush.Brush) {
	t := s.read.Trail()
	if t == nil {
		return
	}
	hue := b.Theme.Look(t.Run.Method).Hue
	if s.inPlane() {
		b.Origin()
	}
	steps := s.trailSteps(t)
	for i := range t.Sums {
		b.Line(steps+1, func(k int) (float64, float64) { return s.trailAt(t, i, k) },
			brush.Stroke{Color: brush.Faded(hue, 0.7), Width: 1.25, Dash: objectiveDashes[i%len(objectiveDashes)]})
	}
	if s.inPlane() {
		b.Marker(0, 0, brush.Plus, 5, b.Theme.Ink, true)
	}
	offers := s.read.Step().Offers
	if len(offers) == 0 {
		x, y := s.trailAt(t, 0, steps)
		b.Marker(x, y, b.Theme.Look(t.Run.Method).Shape, 5, hue, true)
		return
	}
	for i, o := range offers {
		s.drawOffer(b, t, i, len(offers), o, hue)
	}
	if !s.Hides(momentSign) {
		s.drawVerdicts(b, t, offers)
	}
	s.drawMoment(b)
}

// trailSteps returns how many steps of a trail to show: those before the marker that have been read.
func (s *Scene) trailSteps(t *orders.Trail) int {
	_, steps := s.read.Now(t.Run)
	if steps > 0 && s.Hides(momentSign) {
		steps--
	}
	return min(steps, t.Steps)
}

// trailAt returns the position of sum i after k steps.
func (s *Scene) trailAt(t *orders.Trail, i, k int) (x, y float64) {
	at := k*t.Sums + i
	return s.sumAt(k, t.Points[at], t.Norms[at])
}

// ends returns the start of the arrow of the i-th of n offers, and its end if the offer's vector gets the given sign.
func (s *Scene) ends(t *orders.Trail, i, n int, o *orders.Offer, sign float64) (x0, y0, x1, y1 float64) {
	if s.inPlane() {
		to := o.From.Plus(sign, o.G)
		return o.From.X, o.From.Y, to.X, to.Y
	}
	_, steps := s.read.Now(t.Run)
	y1 = o.Plus
	if sign < 0 {
		y1 = o.Minus
	}
	from, to := float64(i)/float64(n), float64(i+1)/float64(n)
	if t.Sums > 1 { // each objective has its own sum
		from, to = 0, 1
	}
	return float64(steps-1) + from, o.Before, float64(steps-1) + to, y1
}

// drawOffer draws an offered vector on its chosen side and on the other side.
func (s *Scene) drawOffer(b *brush.Brush, t *orders.Trail, i, n int, o orders.Offer, hue color.Color) {
	x0, y0, _, _ := s.ends(t, i, n, &o, o.Sign)
	arrow := func(x1, y1 float64, stroke brush.Stroke, name string, ink color.Color) {
		b.Arrow(x0, y0, x1, y1, stroke)
		if n <= fewOffers {
			s.nameTip(b, x0, y0, x1, y1, name, ink)
		}
	}
	offered := brush.Stroke{Color: b.Theme.Muted, Width: 1.5, Dash: []vg.Length{3, 3}}
	side := func(sign float64, stroke brush.Stroke, ink color.Color) {
		_, _, x1, y1 := s.ends(t, i, n, &o, sign)
		arrow(x1, y1, stroke, signOf(sign), ink)
	}
	switch {
	case s.Hides(momentGradients):
	case s.Hides(momentCentring):
		if s.inPlane() {
			to := o.From.Plus(1, o.Gradient)
			arrow(to.X, to.Y, brush.Stroke{Color: b.Theme.Ink, Width: 1.5}, "∇", b.Theme.Ink)
		}
	case s.Hides(momentSign):
		side(1, offered, b.Theme.Muted)
		side(-1, offered, b.Theme.Muted)
	default:
		side(-o.Sign, offered, b.Theme.Muted)
		side(o.Sign, brush.Stroke{Color: hue, Width: 3}, b.Theme.Ink)
	}
	b.Marker(x0, y0, brush.Circle, 3, b.Theme.Ink, true)
}

// fewOffers is the maximum number of offers for which names are drawn.
const fewOffers = 3

// nameTip writes a sign beyond the tip of an arrow if the arrow is long enough.
func (s *Scene) nameTip(b *brush.Brush, x0, y0, x1, y1 float64, sign string, ink color.Color) {
	d := b.At(x1, y1).Sub(b.At(x0, y0))
	const least = 6 // pixels
	if length := portable.Hypot(float64(d.X), float64(d.Y)); length >= least {
		b.Text(x1, y1, sign, brush.HeadingText, ink, brush.Align{X: float64(d.X) / length, Y: float64(d.Y) / length})
	}
}

// anyTip reports whether an arrow of an offer ends between two heights of the panel, where its sign would overlap other
// text.
func (s *Scene) anyTip(b *brush.Brush, t *orders.Trail, offers []orders.Offer, low, high vg.Length) bool {
	for i := range offers {
		for _, sign := range []float64{1, -1} {
			_, _, x, y := s.ends(t, i, len(offers), &offers[i], sign)
			if at := b.At(x, y); low < at.Y && at.Y < high {
				return true
			}
		}
	}
	return false
}

// drawVerdicts writes, in a corner, what decided the last step.
func (s *Scene) drawVerdicts(b *brush.Brush, t *orders.Trail, offers []orders.Offer) {
	if b.Frame.Detail != brush.Full {
		return
	}
	const first, leading, inside = 6, 17, 3 // pixels
	top := b.Canvas.Max.Y - first
	offers = offers[:min(len(offers), fewOffers)]
	height := vg.Length(leading * vg.Length(len(offers)))
	if s.anyTip(b, t, offers, top-height-leading, b.Canvas.Max.Y) && !s.anyTip(b, t, offers, b.Canvas.Min.Y, b.Canvas.Min.Y+height+leading) {
		top = b.Canvas.Min.Y + height
	}
	for i, o := range offers {
		text := signOf(o.Sign) + " " + sideOf(o.Sign)
		if o.Objective >= 0 {
			text = fmt.Sprintf("L_%d: %s", o.Objective+1, text)
		}
		one, other := o.Plus, o.Minus
		if o.Sign < 0 {
			one, other = other, one
		}
		text += fmt.Sprintf(", sum %s; with %s: %s", orders.Rounded(one), signOf(-o.Sign),
			orders.Rounded(other))
		if rule := ordering.SignRule(s.values.Sign); rule == ordering.InnerProduct || rule == ordering.TwoNorm {
			text += ", by ⟨s, g⟩"
		}
		at := vg.Point{X: b.Canvas.Min.X + inside, Y: top - vg.Length(vg.Length(i)*leading)}
		b.LabelAt(at, text, brush.LabelText, b.Theme.Ink, brush.Align{X: 1, Y: -1})
	}
}

func signOf(sign float64) string {
	if sign > 0 {
		return "+"
	}
	return "−"
}

// sideOf returns the name of the side on which a sample is placed if its vector gets the given sign.
func sideOf(sign float64) string {
	if sign > 0 {
		return "to the front"
	}
	return "to the back"
}

// These texts are for orders that do not balance.
const (
	decideNothing = "This order uses no signs."
	selectOne     = " Select GraB or JoGBa to see a balanced sum."
)

// undecided returns a text that says why there is no balanced sum.
func (s *Scene) undecided() string {
	r := s.Timeline().Selected().Run
	if r == nil {
		return s.waiting()
	}
	m := Methods[slices.IndexFunc(Methods, func(m param.Method) bool { return m.ID == r.Method })]
	return decideNothing + " " + m.Title + ": " + strings.ToLower(m.Help[:1]) + m.Help[1:] + selectOne
}

func (s *Scene) findBalance(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	t := s.read.Trail()
	if t == nil {
		return axes.Pick{}, false
	}
	near, pick := b.Nearest(at), axes.Pick{}
	steps, examples := s.trailSteps(t), orders.Examples(t.Run)
	track := timeline.Track{Run: t.Run}
	for i := range t.Sums {
		for k := 0; k <= steps; k++ {
			if near.Closer(s.trailAt(t, i, k)) {
				pick = axes.Pick{Run: track.Name(), K: t.Epoch*examples + k, At: near.At, Lines: []string{
					fmt.Sprintf("%s, epoch %d, after %s", track.Label(), t.Epoch, orders.OfSteps(k, examples)),
					s.sumName(t, i) + " reaches " + timeline.Number(t.Norms[k*t.Sums+i]),
				}}
			}
		}
	}
	offers := s.read.Step().Offers
	for i, o := range offers {
		for _, sign := range []float64{1, -1} {
			if _, _, x, y := s.ends(t, i, len(offers), &o, sign); near.Closer(x, y) {
				pick = axes.Pick{Run: track.Name(), K: s.read.Step().K, At: near.At, Lines: s.offerLines(&o)}
			}
		}
	}
	return pick, near.Found
}

// sumName returns the name of sum i.
func (s *Scene) sumName(t *orders.Trail, i int) string {
	if t.Sums > 1 {
		return fmt.Sprintf("the sum for L%d", i+1)
	}
	return "the sum"
}

// offerLines returns tooltip lines that say what decided an offer.
func (s *Scene) offerLines(o *orders.Offer) []string {
	what := "the weighted gradient"
	if o.Objective >= 0 {
		what = fmt.Sprintf("the gradient of L%d", o.Objective+1)
	}
	return []string{
		what + ", minus the mean: " + signOf(o.Sign) + ", " + sideOf(o.Sign),
		"with + the sum reaches " + timeline.Number(o.Plus) + ", with − " + timeline.Number(o.Minus),
	}
}

// markBalance draws rings at the selected run's sums at an iteration of the epoch.
func (s *Scene) markBalance(b *brush.Brush, run string, k int) {
	t := s.read.Trail()
	if t == nil || s.read.Find(run).Run != t.Run {
		return
	}
	step, ok := s.read.StepAt(t.Run, k)
	if !ok || step > s.trailSteps(t) {
		return
	}
	for i := range t.Sums {
		x, y := s.trailAt(t, i, step)
		b.Ring(x, y, b.Theme.Look(t.Run.Method).Hue)
	}
}

func (s *Scene) balanceLegend(theme *brush.Theme) []axes.Entry {
	t := s.read.Trail()
	if t == nil {
		return nil
	}
	hue := theme.Look(t.Run.Method).Hue
	var out []axes.Entry
	if t.Sums == 1 {
		out = append(out, axes.Entry{Label: "the sum so far", Stroke: brush.Stroke{Color: brush.Faded(hue, 0.7), Width: 1.5}})
	}
	for i := range t.Sums {
		if t.Sums > 1 {
			out = append(out, axes.Entry{Label: fmt.Sprintf("sum for L_%d", i+1),
				Stroke: brush.Stroke{Color: brush.Faded(hue, 0.7), Width: 1.5, Dash: objectiveDashes[i%len(objectiveDashes)]}})
		}
	}
	return append(out, axes.Entry{Label: "chosen: + front, − back", Stroke: brush.Stroke{Color: hue, Width: 3}},
		axes.Entry{Label: "other side", Stroke: brush.Stroke{Color: theme.Muted, Width: 1.5, Dash: []vg.Length{3, 3}}})
}

func (s *Scene) describeBalance() string {
	t := s.read.Trail()
	if t == nil {
		return s.undecided()
	}
	now := s.read.Step()
	if s.Hides(momentSign) {
		return fmt.Sprintf("A step of %s, moment by moment: %s.", timeline.Track{Run: t.Run}.Label(), s.momentText())
	}
	if len(now.Offers) == 0 {
		return "No sample has a side yet: the sum starts at 0 in every epoch."
	}
	var parts []string
	for _, o := range now.Offers {
		lines := s.offerLines(&o)
		parts = append(parts, strings.Replace(lines[0], ": ", " goes ", 1)+" ("+lines[1]+")")
	}
	return fmt.Sprintf("The sum that %s keeps small, in epoch %d, after %s. In the last step %s.",
		timeline.Track{Run: t.Run}.Label(), now.Epoch, orders.OfSteps(now.Steps, orders.Examples(t.Run)), strings.Join(parts, "; "))
}

package ordering

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race/orders"
)

// rate is what a theorem bounds the running mean of ω² by: a power of the number KT of steps, and
// a term beside it that is larger where there are few epochs.
type rate struct {
	exponent    float64 // of KT
	power, term string  // in words
	orders      string  // for whom
	methods     []string
	// ahead reports whether the term beside is the smaller one for T epochs of K examples.
	ahead func(k, t float64) bool
}

var rates = []rate{
	{-1. / 2, "(KT)^{−1/2}", "log T/T", "random orders",
		[]string{orders.Random, orders.RandomOwn, orders.Once, orders.FlipFlop, orders.RandomFlipFlop},
		func(k, t float64) bool { return k*math.Log(t)*math.Log(t) <= t }},
	{-2. / 3, "(KT)^{−2/3}", "1/T", "JoGBa", []string{orders.JoGBa, orders.GraBSeparate, orders.GraBShared},
		func(k, t float64) bool { return k*k <= t }},
}

// begins is the number of epochs from which on the term beside stays the smaller one.
func (r *rate) begins(k int) int {
	const many = 1 << 40
	lo, hi := 8, many // from e² on log²T/T falls
	for lo < hi {
		if t := lo + (hi-lo)/2; r.ahead(float64(k), float64(t)) {
			hi = t
		} else {
			lo = t + 1
		}
	}
	return lo
}

// visible reports whether a rate can be seen within the budget: on a part of the axis that is
// long enough to have a slope.
func (s *Scene) visible(r *rate) bool {
	const least = 1.5 // times as many epochs
	return float64(s.Timeline().Budget()/s.examples()) >= least*float64(r.begins(s.examples()))
}

// ratesPanel shows the running mean of ω² against the number of steps, on logarithmic axes, with
// the slopes of the theorems where they can be seen.
func (s *Scene) ratesPanel() *panel.Plane {
	series := &panel.Series{Name: "curve", Heading: s.measureOf(viewRates).heading, Timeline: s.Timeline(), Key: s.gatherKey,
		Curves:    func() []panel.Curve { return s.gather().curves },
		Time:      s.stepsOf,
		Iteration: func(x float64) int { return int(math.Round(x)) - s.examples() },
		Fixed:     true, Symbol: s.Params().Symbol,
	}
	series.Axes = func() (panel.Axis, panel.Axis) {
		k := float64(s.examples())
		return panel.Axis{Label: "steps, KT", Min: 0.8 * k, Max: 1.25 * max(float64(s.Timeline().Budget()), 2*k), Log: true}, s.measureAxis()
	}
	series.Above = s.drawRates
	series.Text = func() string { return s.describeCurves() + " " + s.describeRates() }
	series.Legend = func(t *panel.Theme) []panel.Entry {
		out := s.curvesLegend(t)
		for i := range rates {
			if r := &rates[i]; s.visible(r) {
				out = append(out, panel.Entry{Label: r.power + ", where " + r.term + " is smaller", Stroke: rateStroke(t, i)})
			}
		}
		return out
	}
	return series.Panel()
}

func rateStroke(t *panel.Theme, i int) panel.Stroke {
	return panel.Stroke{Color: t.Ink, Width: 1.25, Dash: [][]vg.Length{{6, 3}, {2, 3}}[i]}
}

// stepsOf is KT for the mean that is known at iteration k: over the first points of T epochs, the
// last of which has begun.
func (s *Scene) stepsOf(k int) float64 { return float64(k + s.examples()) }

// drawRates draws the slopes through where the curve of an order that they are for ends, or says
// why there are none.
func (s *Scene) drawRates(b *panel.Brush) {
	if s.problem == nil {
		s.drawWaiting(b)
		return
	}
	hidden := ""
	for i := range rates {
		r := &rates[i]
		if !s.visible(r) {
			hidden += s.hiddenRate(r) + " "
			continue
		}
		c := s.curveFor(r)
		if c == nil {
			continue
		}
		from := float64(r.begins(s.examples())) * float64(s.examples())
		last := len(c.X) - 1
		_, to, _, _ := b.Bounds()
		at := func(x float64) float64 { return c.Y[last] * math.Pow(x/c.X[last], r.exponent) }
		ends := [2]float64{from, to}
		b.Line(2, func(i int) (float64, float64) { return ends[i], at(ends[i]) }, rateStroke(b.Theme, i))
		middle := math.Sqrt(from * to)
		b.Label(middle, at(middle), r.power, panel.SmallText, b.Theme.Ink, panel.Align{X: 1, Y: 1})
	}
	if hidden == "" || b.Frame.Detail != panel.Full {
		return
	}
	b.Footnote(hidden)
}

// curveFor is the curve of the first method that a rate is for, nil where none has come so far.
func (s *Scene) curveFor(r *rate) *panel.Curve {
	curves := s.gather().curves
	for _, method := range r.methods {
		for i := range curves {
			if c := &curves[i]; c.Method == method && len(c.X) > 0 && c.Y[len(c.Y)-1] > 0 {
				return c
			}
		}
	}
	return nil
}

// hiddenRate says why a rate cannot be seen.
func (s *Scene) hiddenRate(r *rate) string {
	return fmt.Sprintf("%s, for %s, cannot be seen: with K = %d the term %s beside it is larger up to T = %d epochs.", r.power, r.orders,
		s.examples(), r.term, r.begins(s.examples())-1)
}

func (s *Scene) describeRates() string {
	text := "The theorems bound it by (KT)^(−1/2) + log T/T for random orders and (KT)^(−2/3) + 1/T for JoGBa, but for constants."
	for i := range rates {
		if r := &rates[i]; !s.visible(r) {
			text += " " + plainPowers.Replace(s.hiddenRate(r))
		}
	}
	return text
}

// plainPowers writes exponents as those who do not see the picture hear them.
var plainPowers = strings.NewReplacer("^{−1/2}", "^(−1/2)", "^{−2/3}", "^(−2/3)")

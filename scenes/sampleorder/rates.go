package sampleorder

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/portable"
)

// besideRates makes a panel plot its curves against the number of steps, on logarithmic axes, together with those
// slopes of the theorems that are visible.
func (s *Scene) besideRates(p *kinds.Series) {
	p.Iteration, p.Fixed = func(x float64) int { return int(math.Round(x)) - s.read.Examples() }, true
	p.Axes = func() (axes.Axis, axes.Axis) {
		k := float64(s.read.Examples())
		return axes.Axis{Label: "steps, KT", Min: 0.8 * k, Max: 1.25 * max(float64(s.Timeline().Budget()), 2*k), Log: true}, s.measureAxis()
	}
	p.Above = s.drawRates
	p.Text = func() string { return s.describeCurves() + " " + s.describeRates() }
	p.Legend = func(t *brush.Theme) []axes.Entry {
		out := s.curvesLegend(t)
		for i, r := range orders.Rates {
			if s.visible(&r) {
				out = append(out, axes.Entry{Label: r.Power + ", where " + r.Term + " is smaller", Stroke: rateStroke(t, i)})
			}
		}
		return out
	}
}

// visible reports whether a rate is visible within the budget.
func (s *Scene) visible(r *orders.Rate) bool {
	return r.Visible(s.Timeline().Budget(), s.read.Examples())
}

func rateStroke(t *brush.Theme, i int) brush.Stroke {
	return brush.Stroke{Color: t.Ink, Width: 1.25, Dash: [][]vg.Length{{6, 3}, {2, 3}}[i]}
}

// drawRates draws each visible slope through the end of the curve of an order to which the slope applies. For every
// other slope, it writes why the slope is not visible.
func (s *Scene) drawRates(b *brush.Brush) {
	if s.problem == nil {
		s.drawWaiting(b)
		return
	}
	hidden := ""
	for i, r := range orders.Rates {
		if !s.visible(&r) {
			hidden += s.hiddenRate(&r) + " "
			continue
		}
		c := s.curveFor(&r)
		if c == nil {
			continue
		}
		from := float64(r.Begins(s.read.Examples())) * float64(s.read.Examples())
		last := len(c.X) - 1
		_, to, _, _ := b.Bounds()
		at := func(x float64) float64 { return c.Y[last] * portable.Pow(x/c.X[last], r.Exponent) }
		ends := [2]float64{from, to}
		b.Line(2, func(i int) (float64, float64) { return ends[i], at(ends[i]) }, rateStroke(b.Theme, i))
		// Keep the names apart: place the first name farther along its line and above it, and the second name below its line.
		middle := from * portable.Pow(to/from, [...]float64{0.7, 0.4}[i])
		side := [...]brush.Align{{X: 1, Y: 1}, {X: -1, Y: -1}}[i]
		b.Label(middle, at(middle), r.Power, brush.SmallText, b.Theme.Ink, side)
	}
	if hidden == "" || b.Frame.Detail != brush.Full {
		return
	}
	b.Footnote(hidden)
}

// curveFor returns the curve of the first method to which a rate applies, or nil if there is none yet.
func (s *Scene) curveFor(r *orders.Rate) *kinds.Curve {
	curves := s.gather().Curves
	for _, method := range r.Methods {
		for i := range curves {
			if c := &curves[i]; c.Method == method && len(c.X) > 0 && c.Y[len(c.Y)-1] > 0 {
				return c
			}
		}
	}
	return nil
}

// hiddenRate returns a text that says why a rate is not visible.
func (s *Scene) hiddenRate(r *orders.Rate) string {
	return fmt.Sprintf("%s, for %s, is not visible: with K = %d, its companion term %s is larger up to T = %d epochs.", r.Power, r.For,
		s.read.Examples(), r.Term, r.Begins(s.read.Examples())-1)
}

func (s *Scene) describeRates() string {
	text := "Up to constants, the theorems bound the mean of ω² by (KT)^(−1/2) + log T/T for random orders and by (KT)^(−2/3) + 1/T for JoGBa."
	for _, r := range orders.Rates {
		if !s.visible(&r) {
			text += " " + plainPowers.Replace(s.hiddenRate(&r))
		}
	}
	return text
}

// plainPowers rewrites exponents from superscript markup to plain text.
var plainPowers = strings.NewReplacer("^{−1/2}", "^(−1/2)", "^{−2/3}", "^(−2/3)")

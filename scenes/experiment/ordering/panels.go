package ordering

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/experiment"
	"paretoplay/scenes/experiment/statistics"
	"paretoplay/scenes/panel"
)

// newPanels makes the ratios to random orders of every contest with several step sizes,
// with equal weights and with MGDA's, and the rates.
func (s *Tables) newPanels() []panel.Panel {
	var out []panel.Panel
	for i := range s.config.Contests {
		if contest := &s.config.Contests[i]; len(contest.Alphas) > 1 && contest.Optimizer == plain {
			out = append(out, s.ratioPanel(i, contest))
		}
	}
	for i := range s.config.Rates {
		for _, w := range s.config.Rates[i].Weightings {
			out = append(out, s.ratePanel(i, &s.config.Rates[i], w))
		}
	}
	return out
}

// ratioPanel shows ω relative to that of random orders, with 95 % intervals: filled with
// equal weights, open with MGDA's.
func (s *Tables) ratioPanel(i int, contest *Contest) *panel.Plane {
	name := fmt.Sprintf("ordering-ratio-%d", i)
	two := contest.Weightings[:min(2, len(contest.Weightings))]
	// The first order is on top.
	height := func(i int) float64 { return float64(len(contest.Orders) - 1 - i) }
	return &panel.Plane{
		Name: name, Heading: contest.Task.title(),
		Text: func() string {
			var parts []string
			for _, w := range two {
				for _, o := range contest.Orders {
					if c := s.cell(contests, contest, w, o); s.complete(c) {
						parts = append(parts, fmt.Sprintf("%s %s with %s", o.title(), s.againstRandom(c).Ratio(10), weightingTitle(w)))
					}
				}
			}
			return fmt.Sprintf("ω late in the run relative to that of random orders, each with its own step size, with 95 %% intervals. %s.",
				strings.Join(parts, ", "))
		},
		Axes: func() (panel.Axis, panel.Axis) {
			y := panel.Axis{}
			for i := range contest.Orders {
				y.Categories = append(y.Categories, contest.Orders[len(contest.Orders)-1-i].title())
			}
			return panel.Axis{Label: "ω, relative to random orders", Min: 0.05, Max: 25, Log: true}, y
		},
		Legend: func(t *panel.Theme) []panel.Entry {
			return experiment.Pending(s.Grid, []panel.Entry{
				{Label: "equal weights", Shape: panel.Circle, Fill: t.Ink}, {Label: "MGDA", Shape: panel.Ring, Fill: t.Ink},
			}, "%d of %d parts computed")
		},
		Sheets: func() []panel.Sheet {
			return experiment.Sheets(s.Grid, name, func(b *panel.Brush) {
				b.VLine(1, panel.Stroke{Color: b.Theme.Hairline, Width: 1, Dash: []vg.Length{2, 3}})
				for i, o := range contest.Orders {
					for j, w := range two {
						r := s.againstRandom(s.cell(contests, contest, w, o))
						if !r.Known() {
							continue
						}
						y, hue := height(i)+0.15-0.3*float64(j), b.Theme.Look(o.Method).Hue
						if !math.IsNaN(r.Spread) {
							b.Line(2, func(end int) (float64, float64) { return math.Pow(10, r.Mean+r.Spread*float64(2*end-1)), y },
								panel.Stroke{Color: hue, Width: 1.5})
						}
						b.Marker(math.Pow(10, r.Mean), y, []panel.Shape{panel.Circle, panel.Ring}[j], 4, hue, j == 0)
					}
				}
			})
		},
	}
}

// ratePanel shows the mean of ω² over T, by order and K, with lines of the theorems'
// slopes.
func (s *Tables) ratePanel(i int, r *Rate, weighting string) *panel.Plane {
	name := fmt.Sprintf("ordering-rates-%d-%s", i, weighting)
	each := func(do func(c *Cell)) {
		for _, k := range r.Ks {
			for _, o := range r.Orders {
				if c := s.cell(rates, r.at(k), weighting, o); s.complete(c) {
					do(c)
				}
			}
		}
	}
	mean := func(c *Cell, i int) float64 {
		return math.Pow(10, statistics.WithInterval(s.values(c, number(i))).Mean)
	}
	title := "Mean square of ω over T epochs, " + weightingTitle(weighting)
	if r.Near > 0 {
		title += ", from nearby"
	}
	return &panel.Plane{
		Name: name, Heading: title,
		Text: func() string {
			var parts []string
			each(func(c *Cell) {
				parts = append(parts, fmt.Sprintf("%s, K = %d: exponent %s", c.Order.title(), c.K, s.overT(c).Text(2)))
			})
			return fmt.Sprintf("%s, each with the best step size, and its exponent over T. %s.", title, strings.Join(parts, "; "))
		},
		Axes: func() (panel.Axis, panel.Axis) {
			x := panel.Axis{Label: "K·T", Min: float64(r.Ks[0]*r.Horizons[0]) / 1.5, Max: float64(r.Ks[len(r.Ks)-1]*r.last()) * 1.5, Log: true}
			y := panel.Axis{Label: "mean square of ω", Min: math.Inf(1), Max: 0, Log: true}
			each(func(c *Cell) {
				for i := range c.Horizons {
					v := mean(c, i)
					y.Min, y.Max = min(y.Min, v/1.5), max(y.Max, v*1.5)
				}
			})
			if y.Max == 0 {
				y.Min, y.Max = 1e-6, 1
			}
			return x, y
		},
		Legend: func(t *panel.Theme) []panel.Entry {
			var out []panel.Entry
			for _, o := range r.Orders {
				out = append(out, t.Look(o.Method).Entry(o.title()))
			}
			return experiment.Pending(s.Grid, append(out, panel.Entry{Label: "slopes −1/2, −2/3", Stroke: guide(t)}), "%d of %d parts computed")
		},
		Sheets: func() []panel.Sheet {
			return experiment.Sheets(s.Grid, name, func(b *panel.Brush) {
				x0, x1, _, y1 := b.Bounds()
				for _, exponent := range []float64{-1. / 2, -2. / 3} {
					b.Line(2, func(end int) (float64, float64) {
						x := []float64{x0, x1}[end]
						return x, y1 / 1.5 * math.Pow(x/x0, exponent)
					}, guide(b.Theme))
				}
				each(func(c *Cell) {
					look := b.Theme.Look(c.Method)
					at := func(i int) (float64, float64) { return float64(c.K * c.Horizons[i]), mean(c, i) }
					b.Line(len(c.Horizons), at, look.Stroke(1.75))
					for i := range c.Horizons {
						x, y := at(i)
						b.Marker(x, y, look.Shape, 3.5, look.Hue, true)
					}
				})
			})
		},
	}
}

// guide is how lines of a slope are drawn.
func guide(t *panel.Theme) panel.Stroke {
	return panel.Stroke{Color: t.Muted, Width: 1, Dash: []vg.Length{6, 3}}
}

package orderinggrid

import (
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/portable"
)

// rateCells returns one cell for each K, weighting and order of each rate.
func (c *Config) rateCells() (out []Cell) {
	for i := range c.Rates {
		for _, k := range c.Rates[i].Ks {
			out = append(out, c.Rates[i].at(k).cells(rates, c.Rates[i].Horizons)...)
		}
	}
	return out
}

// rateColumns returns the CSV file's columns for the cells of rates.
func (s *Tables) rateColumns() []experiment.Column[Cell] {
	return append(s.columns(), experiment.Key("horizons", func(c *Cell) any { return c.Horizons }))
}

// settled is the first horizon used to fit exponents.
const settled = 30

// overT returns the exponent of T in the mean of ω², fitted to the horizons from settled on.
func (s *Tables) overT(c *Cell) experiment.Estimate {
	var x []float64
	from := len(c.Horizons)
	for i, t := range c.Horizons {
		if t >= settled {
			from = min(from, i)
			x = append(x, portable.Log10(float64(t)))
		}
	}
	if len(x) < 2 {
		return experiment.Unknown()
	}
	return experiment.WithInterval(s.each(c).Each(func(each []float64) float64 { return experiment.Exponent(x, each[from:len(c.Horizons)]) }))
}

// overK returns the exponent of K in the mean of ω² over the longest horizon. The mean is relative to ω² at the start,
// because each K has different data.
func (s *Tables) overK(r *Rate, weighting string, o Order) experiment.Estimate {
	var x []float64
	var y [][]float64 // by K, one value per run
	for _, k := range r.Ks {
		c := s.cell(rates, r.at(k), weighting, o)
		if !s.complete(c) {
			return experiment.Unknown()
		}
		last := len(r.Horizons) - 1
		x = append(x, portable.Log10(float64(k)))
		y = append(y, s.each(c).Each(func(each []float64) float64 { return each[last] - each[last+1] }))
	}
	if len(x) < 2 {
		return experiment.Unknown()
	}
	slopes := make([]float64, s.config.Runs)
	for run := range slopes {
		line := make([]float64, len(x))
		for i := range x {
			line[i] = y[i][run]
		}
		slopes[run] = experiment.Exponent(x, line)
	}
	return experiment.WithInterval(slopes)
}

// meanSquare returns the mean of ω² over horizon i, as a geometric mean over the runs.
func (s *Tables) meanSquare(c *Cell, i int) float64 {
	return portable.Pow(10, experiment.WithInterval(s.each(c).Number(i)).Mean)
}

// firstShare returns the part of the mean of ω² over the longest horizon that the start contributes. The order cannot
// influence this part.
func (s *Tables) firstShare(c *Cell) float64 {
	last := len(c.Horizons) - 1
	of := s.each(c).Each(func(each []float64) float64 { return each[last+1] - each[last] })
	return portable.Pow(10, experiment.WithInterval(of).Mean) / float64(c.Horizons[last])
}

// ratePanel shows how the mean of ω² depends on T for each order and K, with lines that have the theorems' slopes.
func (s *Tables) ratePanel(i int, r *Rate, weighting string) *axes.Plane {
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
	title := "Mean square of ω over T epochs, " + weightingTitle(weighting)
	if r.Near > 0 {
		title += ", from nearby"
	}
	return &axes.Plane{
		Name: name, Heading: title,
		Text: func() string {
			var parts []string
			each(func(c *Cell) {
				parts = append(parts, fmt.Sprintf("%s, K = %d: exponent %s", c.Order.title(), c.K, s.overT(c).Text(2)))
			})
			return fmt.Sprintf("%s, each with the best step size, and its exponent over T. %s.", title, strings.Join(parts, "; "))
		},
		Axes: func() (axes.Axis, axes.Axis) {
			x := axes.Axis{Label: "K·T", Min: float64(r.Ks[0]*r.Horizons[0]) / 1.5, Max: float64(r.Ks[len(r.Ks)-1]*r.last()) * 1.5, Log: true}
			y := axes.Axis{Label: "mean square of ω", Min: math.Inf(1), Max: 0, Log: true}
			each(func(c *Cell) {
				for i := range c.Horizons {
					v := s.meanSquare(c, i)
					y.Min, y.Max = min(y.Min, v/1.5), max(y.Max, v*1.5)
				}
			})
			if y.Max == 0 {
				y.Min, y.Max = 1e-6, 1
			}
			return x, y
		},
		Legend: func(t *brush.Theme) []axes.Entry {
			out := axes.Entries(r.Orders, func(_ int, o Order) axes.Entry { return axes.EntryOf(t.Look(o.Method), o.title()) })
			return experiment.Pending(s.Grid, append(out, axes.Entry{Label: "slopes −1/2, −2/3", Stroke: guide(t)}), "%d of %d parts computed")
		},
		Sheets: func() []axes.Sheet {
			return experiment.Sheets(s.Grid, name, func(b *brush.Brush) {
				x0, x1, _, y1 := b.Bounds()
				for _, exponent := range []float64{-1. / 2, -2. / 3} {
					b.Line(2, func(end int) (float64, float64) {
						x := []float64{x0, x1}[end]
						return x, y1 / 1.5 * portable.Pow(x/x0, exponent)
					}, guide(b.Theme))
				}
				each(func(c *Cell) {
					look := b.Theme.Look(c.Method)
					at := func(i int) (float64, float64) { return float64(c.K * c.Horizons[i]), s.meanSquare(c, i) }
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

// guide returns the stroke of the lines with the theorems' slopes.
func guide(t *brush.Theme) brush.Stroke {
	return brush.Stroke{Color: t.Muted, Width: 1, Dash: []vg.Length{6, 3}}
}

// writeRates writes how the mean of ω² decreases, next to the theorems' exponents.
func (s *Tables) writeRates(b *experiment.Text) error {
	b.Printf("\nRates: the mean of ω² over the first points of T epochs, as a geometric mean of the runs, each with the step size "+
		"that was best for that T. The exponent over T is fitted from T = %d on, and the exponent over K at the last T, relative to ω² at the "+
		"start, both ± half of a 95 %% interval. \"The start\" is the contribution of ω² at the start, a term 1/T that no order changes, to "+
		"the mean at the last T. The theorems' terms are (KT)^(-1/2) for random orders and (KT)^(-2/3) for JoGBa.\n", settled)
	for i := range s.config.Rates {
		r := &s.config.Rates[i]
		from := "at the origin"
		if r.Near > 0 {
			from = fmt.Sprintf("at %g of the way from the origin to the minimum of the mean of the objectives", r.Near)
		}
		for _, w := range r.Weightings {
			b.Printf("\n%s, M = %d, d = %d, %s; runs start %s; step sizes of {%s}\n\n", problemTitles[r.Problem], r.M, r.D,
				weightingTitle(w), from, experiment.List(r.Alphas))
			b.Table(func(out io.Writer) { s.writeRate(out, r, w) })
		}
	}
	return s.writeBounds(b)
}

func (s *Tables) writeRate(out io.Writer, r *Rate, weighting string) {
	fmt.Fprint(out, "order\tK")
	for _, t := range r.Horizons {
		fmt.Fprintf(out, "\tT = %d", t)
	}
	fmt.Fprintln(out, "\tα, first and last T\texponent over T\tthe start\texponent over K")
	for _, o := range r.Orders {
		for i, k := range r.Ks {
			c := s.cell(rates, r.at(k), weighting, o)
			fmt.Fprintf(out, "%s\t%d", o.title(), k)
			if s.complete(c) {
				for i := range c.Horizons {
					fmt.Fprintf(out, "\t%s", experiment.Significant(s.meanSquare(c, i), 3))
				}
				alphas := c.chosenAlphas()
				fmt.Fprintf(out, "\t%g %g\t%s\t%.0f %%", alphas[0], alphas[len(alphas)-1], s.overT(c).Text(2), 100*s.firstShare(c))
			}
			if i == len(r.Ks)-1 {
				fmt.Fprintf(out, "\t%s", s.overK(r, weighting, o).Text(2))
			}
			fmt.Fprintln(out)
		}
	}
}

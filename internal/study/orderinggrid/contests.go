package orderinggrid

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/portable"
)

// contestCells returns one cell per contest, weighting and order.
func (c *Config) contestCells() (out []Cell) {
	for i := range c.Contests {
		out = append(out, c.Contests[i].cells(contests, nil)...)
	}
	for i := range out {
		out[i].Wanted = c.Runs
	}
	return out
}

// contestColumns returns the CSV file's columns for the cells of contests. Reading a file fills in the runs first and
// then the summary. A summary that was read from a file is always complete.
func (s *Tables) contestColumns() []experiment.Column[Cell] {
	ratio := func(name string, of func(e experiment.Estimate) float64) experiment.Column[Cell] {
		return experiment.Shown(name, func(c *Cell) any { return experiment.Rounded(portable.Pow(10, of(s.againstRandom(c))), digits) })
	}
	return slices.Concat(s.columns(), []experiment.Column[Cell]{
		// This column is not rounded, because the kept table stores all its digits.
		experiment.Shown("omega", func(c *Cell) any { return math.Pow(10, s.late(c).Mean) }),
		ratio("ratio", func(e experiment.Estimate) float64 { return e.Mean }),
		ratio("ratio_low", func(e experiment.Estimate) float64 { return e.Mean - e.Spread }),
		ratio("ratio_high", func(e experiment.Estimate) float64 { return e.Mean + e.Spread }),
	}, experiment.SummaryColumns(names[:], func(c *Cell) *experiment.Summary { return &c.Summary }, (*Cell).lacks))
}

// lacks reports whether a measure does not apply to the cell's order.
func (c *Cell) lacks(measure int) bool {
	kind, _ := c.Order.kind()
	switch measure {
	case signBound:
		return !kind.Balances()
	case clippedPart:
		return c.Variant != selfBalancing
	}
	return false
}

// late returns log10 of ω in the last third of the epochs. The result is unknown for cells outside contests.
func (s *Tables) late(c *Cell) experiment.Estimate {
	if c.Part != contests {
		return experiment.Unknown()
	}
	return experiment.WithInterval(s.each(c).Number(0))
}

// against returns log10 of the ratio of a cell's ω to another order's, over runs with the same seeds.
func (s *Tables) against(c *Cell, o Order) experiment.Estimate {
	if c.Part != contests {
		return experiment.Unknown()
	}
	other := s.cell(c.Part, &Contest{Task: c.Task, Optimizer: c.Optimizer, Alphas: c.Alphas}, c.Weighting, o)
	return experiment.WithInterval(experiment.Differences(s.each(c).Number(0), s.each(other).Number(0)))
}

func (s *Tables) againstRandom(c *Cell) experiment.Estimate {
	return s.against(c, Order{Method: orders.Random})
}

// ratioPanel shows ω relative to random orders, with 95 % intervals. Filled marks stand for equal weights, and open
// marks stand for MGDA's weights.
func (s *Tables) ratioPanel(i int, contest *Contest) *axes.Plane {
	name := fmt.Sprintf("ordering-ratio-%d", i)
	two := contest.Weightings[:min(2, len(contest.Weightings))]
	// The first order is at the top.
	height := func(i int) float64 { return float64(len(contest.Orders) - 1 - i) }
	return &axes.Plane{
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
			return fmt.Sprintf("ω late in the run relative to the ω of random orders, each with its own step size, with 95 %% intervals. %s.",
				strings.Join(parts, ", "))
		},
		Axes: func() (axes.Axis, axes.Axis) {
			y := axes.Categories("", contest.Orders, Order.title)
			slices.Reverse(y.Categories)
			return axes.Axis{Label: "ω, relative to random orders", Min: 0.05, Max: 25, Log: true}, y
		},
		Legend: func(t *brush.Theme) []axes.Entry {
			return experiment.Pending(s.Grid, []axes.Entry{
				{Label: "equal weights", Shape: brush.Circle, Fill: t.Ink}, {Label: "MGDA", Shape: brush.Ring, Fill: t.Ink},
			}, "%d of %d parts computed")
		},
		Sheets: func() []axes.Sheet {
			return experiment.Sheets(s.Grid, name, func(b *brush.Brush) {
				b.VLine(1, brush.Stroke{Color: b.Theme.Hairline, Width: 1, Dash: []vg.Length{2, 3}})
				for i, o := range contest.Orders {
					for j, w := range two {
						r := s.againstRandom(s.cell(contests, contest, w, o))
						if !r.Known() {
							continue
						}
						y, hue := height(i)+0.15-float64(0.3*float64(j)), b.Theme.Look(o.Method).Hue
						if !math.IsNaN(r.Spread) {
							b.Line(2, func(end int) (float64, float64) {
								return portable.Pow(10, r.Mean+float64(r.Spread*float64(2*end-1))), y
							},
								brush.Stroke{Color: hue, Width: 1.5})
						}
						b.Marker(portable.Pow(10, r.Mean), y, []brush.Shape{brush.Circle, brush.Ring}[j], 4, hue, j == 0)
					}
				}
			})
		},
	}
}

// measure returns the given measure of a complete cell of a contest, with the half-width of the measure's interval.
func (s *Tables) measure(c *Cell, measure int) experiment.Estimate {
	if !s.complete(c) || c.Part != contests {
		return experiment.Unknown()
	}
	return experiment.Estimate{Mean: c.Mean[measure], Spread: experiment.HalfInterval(c.Deviation[measure], s.config.Runs)}
}

func (s *Tables) writeContest(b *experiment.Text, contest *Contest) {
	b.Printf("\n%s, %d epochs", contest.title(), contest.Epochs)
	if contest.Optimizer == adam {
		b.WriteString(", Adam")
	}
	if len(contest.Alphas) == 1 {
		b.Printf("; the same step size for all, %g\n\n", contest.Alphas[0])
	} else {
		b.Printf("; step sizes of {%s}\n\n", experiment.List(contest.Alphas))
	}
	b.Table(func(out io.Writer) {
		fmt.Fprint(out, "order")
		for _, w := range contest.Weightings {
			fmt.Fprintf(out, "\t%s\t\t", weightingTitle(w))
		}
		fmt.Fprintln(out)
		for _, o := range contest.Orders {
			fmt.Fprint(out, o.title())
			for _, w := range contest.Weightings {
				c := s.cell(contests, contest, w, o)
				if !s.complete(c) {
					fmt.Fprint(out, "\t–\t\t")
					continue
				}
				ratio := s.againstRandom(c).Ratio(10)
				if o == (Order{Method: orders.Random}) {
					ratio = ""
				}
				fmt.Fprintf(out, "\t%s\t%s", experiment.Significant(portable.Pow(10, s.late(c).Mean), 3), ratio)
				if c.tuned() {
					fmt.Fprintf(out, "\tα %g", c.chosenAlphas()[0])
				} else {
					fmt.Fprint(out, "\t")
				}
			}
			fmt.Fprintln(out)
		}
	})
	if len(contest.Alphas) == 1 {
		s.writeMeasures(b, contest)
	}
}

// writeMeasures writes the measures that can be compared because all runs share one step size.
func (s *Tables) writeMeasures(b *experiment.Text, contest *Contest) {
	b.Printf("\nH at the first point of late epochs ± half of its 95 %% interval, A of the signs, drift and wobble in units of α; "+
		"epochs until ω reached a twentieth of its start value, %d if it never did; mean loss at the end\n\n", contest.Epochs)
	b.Table(func(out io.Writer) {
		fmt.Fprint(out, "order")
		for _, w := range contest.Weightings {
			fmt.Fprintf(out, "\t%s: H\tA\tdrift\twobble\tepochs\tloss", weightingTitle(w))
		}
		fmt.Fprintln(out)
		for _, o := range contest.Orders {
			fmt.Fprint(out, o.title())
			for _, w := range contest.Weightings {
				c := s.cell(contests, contest, w, o)
				fmt.Fprintf(out, "\t%s", s.measure(c, herding).Text(2))
				for _, m := range []struct{ measure, decimals int }{{signBound, 2}, {drift, 1}, {wobble, 1}, {arrival, 1}, {loss, 3}} {
					fmt.Fprintf(out, "\t%s", s.measure(c, m.measure).Alone().Text(m.decimals))
				}
			}
			fmt.Fprintln(out)
		}
	})
	var parts []string
	for _, o := range contest.Orders {
		if o.Variant != selfBalancing {
			continue
		}
		for _, w := range contest.Weightings {
			if c := s.cell(contests, contest, w, o); s.complete(c) {
				parts = append(parts, strconv.FormatFloat(100*c.Mean[clippedPart], 'f', 1, 64))
			}
		}
	}
	if parts != nil {
		b.Printf("\nSigns of the self-balancing walk whose probability was clipped, in %% by order and weighting: %s.\n",
			strings.Join(parts, ", "))
	}
}

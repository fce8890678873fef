package networkgrid

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
)

func (s *Tables) newPanels() []axes.Panel {
	return []axes.Panel{s.coursePanel(), s.lossPanel(), s.periodPanel()}
}

// largest returns the size of the largest task set.
func (s *Tables) largest() int { return slices.Max(s.config.Tasks) }

// legend returns the legend of the compared methods.
func (s *Tables) legend(t *brush.Theme) []axes.Entry {
	entries := axes.Entries(s.config.Compared, func(_ int, v Variant) axes.Entry { return axes.EntryOf(t.Look(v.Method), v.title()) })
	return experiment.Pending(s.Grid, entries, "%d of %d runs")
}

// said returns a text that lists the compared methods on a task set, each followed by number's text for its cell.
func (s *Tables) said(tasks int, number func(c *Cell) string) string {
	var parts []string
	for _, v := range s.config.Compared {
		if c := s.cell(inTable, tasks, v); c != nil && c.Done {
			parts = append(parts, v.title()+" "+number(c))
		}
	}
	return strings.Join(parts, ", ")
}

// coursePanel shows the loss over the number of backpropagations. The horizontal axis is logarithmic, because costs
// differ by up to a factor S, the number of tasks.
func (s *Tables) coursePanel() *axes.Plane {
	tasks := s.largest()
	spent := func(c *Cell, look int) float64 { return c.Mean[cost] * float64(look+1) / looks }
	return &axes.Plane{
		Name: "network-course", Heading: fmt.Sprintf("Test loss over cost, %d tasks", tasks),
		Text: func() string {
			ends := s.said(tasks, func(c *Cell) string { return fmt.Sprintf("%.3f for %.0f", c.Mean[loss], c.Mean[cost]) })
			return fmt.Sprintf("Mean loss of %d tasks on test pairs over backpropagations until the end: %s.", tasks, ends)
		},
		Axes: func() (axes.Axis, axes.Axis) {
			least := float64(s.config.Steps) / looks
			return axes.Axis{Label: "backpropagations", Min: 0.8 * least, Max: 1.3 * float64(tasks*s.config.Steps), Log: true},
				axes.Axis{Label: "mean loss", Min: 0, Max: 0.75}
		},
		Legend: s.legend,
		Sheets: func() []axes.Sheet {
			return experiment.Sheets(s.Grid, "network-course", func(b *brush.Brush) {
				for _, v := range s.config.Compared {
					c := s.cell(inTable, tasks, v)
					if c == nil || !c.Done {
						continue
					}
					look := b.Theme.Look(v.Method)
					b.Line(looks, func(i int) (float64, float64) { return spent(c, i), c.Mean[course+i] }, look.Stroke(1.75))
					b.Marker(spent(c, looks-1), c.Mean[loss], look.Shape, 4, look.Hue, true)
				}
			})
		},
	}
}

// lossPanel shows each method's loss relative to equal weights in the same runs, for each task set.
func (s *Tables) lossPanel() *axes.Plane {
	sets, others := s.config.Tasks, s.config.Compared
	return &axes.Plane{
		Name: "network-loss", Heading: "Loss above equal weights’, paired",
		Text: func() string {
			var parts []string
			for _, tasks := range sets {
				if said := s.said(tasks, func(c *Cell) string { return s.over(c, loss).Signed(3) }); said != "" {
					parts = append(parts, fmt.Sprintf("%d tasks: %s.", tasks, said))
				}
			}
			return "Difference between the mean loss on test pairs and equal weights’, run by run, with two standard errors. " +
				strings.Join(parts, " ")
		},
		Axes: func() (axes.Axis, axes.Axis) {
			x, least, most := axes.Axis{Label: "tasks"}, -0.02, 0.06
			for _, tasks := range sets {
				x.Categories = append(x.Categories, strconv.Itoa(tasks))
				for _, v := range others {
					if c := s.cell(inTable, tasks, v); c != nil && s.over(c, loss).Known() {
						least, most = min(least, s.over(c, loss).Mean-0.02), max(most, s.over(c, loss).Mean+0.02)
					}
				}
			}
			return x, axes.Axis{Label: "difference in loss", Min: least, Max: most}
		},
		Legend: s.legend,
		Sheets: func() []axes.Sheet {
			return experiment.Sheets(s.Grid, "network-loss", func(b *brush.Brush) {
				b.HLine(0, brush.Stroke{Color: b.Theme.Muted, Width: 1, Dash: []vg.Length{4, 3}})
				for at, tasks := range sets {
					for i, v := range others {
						c := s.cell(inTable, tasks, v)
						if c == nil {
							continue
						}
						e := s.over(c, loss)
						e.Spread *= 2
						experiment.DrawUpright(b, float64(at)+float64(0.09*(float64(i)-float64(float64(len(others)-1)/2))), e, 1, 4, b.Theme.Look(v.Method))
					}
				}
			})
		},
	}
}

// periods returns PSMGD's cells on a task set in ascending order of R. R = 1 is MGDA.
func (s *Tables) periods(tasks int) []*Cell {
	out := experiment.Where(s.Each, func(c *Cell) bool {
		plain := of(c.Method)
		plain.R = c.R
		return c.Part == inTable && c.Tasks == tasks && c.Done && (c.Method == psmgd || c.Method == mgda) && c.Variant == plain
	})
	slices.SortStableFunc(out, func(a, b *Cell) int { return a.R - b.R })
	return out
}

// periodPanel shows PSMGD's loss as a function of its period R.
func (s *Tables) periodPanel() *axes.Plane {
	look := func(t *brush.Theme, i int) brush.Look {
		return brush.Look{Hue: t.Objective(i, len(s.config.Tasks)), Shape: [...]brush.Shape{brush.Circle, brush.Square, brush.Triangle}[i%3]}
	}
	return &axes.Plane{
		Name: "network-period", Heading: "How long can weights stay fixed?",
		Text: func() string {
			var parts []string
			for _, tasks := range s.config.Tasks {
				for _, c := range s.periods(tasks) {
					parts = append(parts, fmt.Sprintf("%.3f at R = %d with %d tasks", c.Mean[loss], c.R, tasks))
				}
			}
			return "Mean loss on test pairs of PSMGD over R, with two standard errors; R = 1 is MGDA, and dotted lines are equal weights. " +
				strings.Join(parts, ", ") + "."
		},
		Axes: func() (axes.Axis, axes.Axis) {
			most := 0.4
			for _, tasks := range s.config.Tasks {
				for _, c := range s.periods(tasks) {
					most = max(most, 1.1*c.Mean[loss])
				}
			}
			return axes.Axis{Label: "steps R between two computations of weights", Min: 0.8, Max: 40, Log: true},
				axes.Axis{Label: "mean loss", Min: 0, Max: most}
		},
		Legend: func(t *brush.Theme) []axes.Entry {
			out := axes.Entries(s.config.Tasks, func(i, tasks int) axes.Entry { return axes.EntryOf(look(t, i), fmt.Sprintf("%d tasks", tasks)) })
			out = append(out, axes.Entry{Label: "equal weights", Stroke: brush.Stroke{Color: t.Muted, Width: 1.25, Dash: []vg.Length{1, 3}}})
			return experiment.Pending(s.Grid, out, "%d of %d runs")
		},
		Sheets: func() []axes.Sheet {
			return experiment.Sheets(s.Grid, "network-period", func(b *brush.Brush) {
				for i, tasks := range s.config.Tasks {
					look, cells := look(b.Theme, i), s.periods(tasks)
					if c := s.cell(inTable, tasks, of(equal)); c != nil && c.Done {
						b.HLine(c.Mean[loss], brush.Stroke{Color: look.Hue, Width: 1.25, Dash: []vg.Length{1, 3}})
					}
					b.Line(len(cells), func(k int) (float64, float64) { return float64(cells[k].R), cells[k].Mean[loss] }, look.Stroke(1.75))
					for _, c := range cells {
						e := c.Estimate(loss)
						e.Spread *= 2 / math.Sqrt(float64(c.Runs))
						experiment.DrawUpright(b, float64(c.R), e, 1, 4, look)
					}
				}
			})
		},
	}
}

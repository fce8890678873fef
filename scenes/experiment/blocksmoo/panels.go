package blocksmoo

import (
	"fmt"
	"math"
	"strings"

	"paretoplay/scenes/experiment"
	"paretoplay/scenes/panel"
)

func (s *Tables) newPanels() []panel.Panel {
	out := []panel.Panel{s.timePanel(true), s.timePanel(false), s.costPanel()}
	if len(s.config.Fronts) > 0 {
		out = append(out, s.frontPanel())
	}
	return out
}

// legend has the methods, and says where not all is computed.
func (s *Tables) legend(of []Method) func(t *panel.Theme) []panel.Entry {
	return func(t *panel.Theme) []panel.Entry {
		var out []panel.Entry
		for _, m := range of {
			out = append(out, m.look(t).Entry(m.title()))
		}
		return experiment.Pending(s.Grid, out, "%d of %d parts computed")
	}
}

// look of a method; a shared batch is an open mark.
func (m Method) look(t *panel.Theme) panel.Look {
	look := t.Look(m.ID)
	if m.Shared {
		look.Shape = panel.Ring
	}
	return look
}

// span is an axis about numbers above 0.
func span(label string, values []float64) panel.Axis {
	axis := panel.Axis{Label: label, Min: math.Inf(1), Max: 0, Log: true}
	for _, v := range values {
		if v > 0 && v-v == 0 {
			axis.Min, axis.Max = min(axis.Min, v/1.3), max(axis.Max, v*1.3)
		}
	}
	if axis.Max == 0 {
		axis.Min, axis.Max = 1e-3, 1e3
	}
	return axis
}

// timePanel shows losses over time.
func (s *Tables) timePanel(tuned bool) *panel.Plane {
	c := &s.config
	name, title := "block-smoo-time", "Test loss over time, each with the settings that are best at the end"
	if !tuned {
		name, title = "block-smoo-time-equal", fmt.Sprintf("Test loss over time, all with the step size %g", c.EqualAlpha)
	}
	loss := func(m Method, i int) float64 {
		if losses := s.lossOverTime(contender{m, tuned}, i); losses != nil && finite(losses) == len(losses) {
			return geometric(losses)
		}
		return math.NaN()
	}
	return &panel.Plane{
		Name: name, Heading: title,
		Text: func() string {
			var parts []string
			for _, m := range methods() {
				if end := loss(m, len(c.Records)-1); !math.IsNaN(end) {
					parts = append(parts, fmt.Sprintf("%s %s after %g s and %s at the end", m.title(), experiment.Significant(loss(m, 0), 2), c.Records[0],
						experiment.Significant(end, 3)))
				}
			}
			return title + ". " + strings.Join(parts, ", ")
		},
		Axes: func() (panel.Axis, panel.Axis) {
			var all []float64
			for _, m := range methods() {
				for i := range c.Records {
					all = append(all, loss(m, i))
				}
			}
			return span("seconds", c.Records), span("test loss", all)
		},
		Legend: s.legend(methods()),
		Sheets: func() []panel.Sheet {
			return experiment.Sheets(s.Grid, name, func(b *panel.Brush) {
				for _, m := range methods() {
					if !math.IsNaN(loss(m, len(c.Records)-1)) {
						s.curve(b, m, len(c.Records), func(i int) (float64, float64) { return c.Records[i], loss(m, i) })
					}
				}
			})
		},
	}
}

// curve draws a line with its marks.
func (s *Tables) curve(b *panel.Brush, m Method, n int, at func(i int) (x, y float64)) {
	look := m.look(b.Theme)
	b.Line(n, at, look.Stroke(1.75))
	for i := range n {
		x, y := at(i)
		b.Marker(x, y, look.Shape, 3.5, look.Hue, true)
	}
}

// costPanel shows what levels cost by step size.
func (s *Tables) costPanel() *panel.Plane {
	c := &s.config
	const name = "block-smoo-cost"
	last := len(c.Levels) - 1
	title := fmt.Sprintf("Million multiplications to a test loss of %g, by step size", c.Levels[last])
	cost := func(m Method, i int) float64 {
		return experiment.Median(s.countedValues(trial{c.plain(m), c.Alphas[i]}, s.workTo(last), false))
	}
	// The step sizes with which at least half of the runs get there.
	known := func(m Method) (out []int) {
		for i := range c.Alphas {
			if v := cost(m, i); v-v == 0 && v > 0 {
				out = append(out, i)
			}
		}
		return out
	}
	return &panel.Plane{
		Name: name, Heading: title,
		Text: func() string {
			var parts []string
			for _, m := range methods() {
				for _, i := range known(m) {
					parts = append(parts, fmt.Sprintf("%s %s with α = %g", m.title(), experiment.Significant(cost(m, i), 3), c.Alphas[i]))
				}
			}
			return title + ". " + strings.Join(parts, ", ")
		},
		Axes: func() (panel.Axis, panel.Axis) {
			var all []float64
			for _, m := range methods() {
				for _, i := range known(m) {
					all = append(all, cost(m, i))
				}
			}
			return span("step size α", c.Alphas), span("million multiplications", all)
		},
		Legend: s.legend(methods()),
		Sheets: func() []panel.Sheet {
			return experiment.Sheets(s.Grid, name, func(b *panel.Brush) {
				for _, m := range methods() {
					at := known(m)
					s.curve(b, m, len(at), func(i int) (float64, float64) { return c.Alphas[at[i]], cost(m, at[i]) })
				}
			})
		},
	}
}

// frontPanel shows the purity of fronts, with its interval.
func (s *Tables) frontPanel() *panel.Plane {
	c := &s.config
	const name = "block-smoo-fronts"
	const title = "Purity of fronts, by r, pass and passes"
	label := func(f *Front) string { return fmt.Sprintf("%d, %s, %d", f.Rank, f.Reading, f.Passes) }
	return &panel.Plane{
		Name: name, Heading: title,
		Text: func() string {
			var parts []string
			for i := range c.Fronts {
				for j, m := range swept {
					if e := s.frontValue(&c.Fronts[i], j, purity); e.Known() {
						parts = append(parts, fmt.Sprintf("%s %s with %s", m.title(), e.Text(2), label(&c.Fronts[i])))
					}
				}
			}
			return title + ". " + strings.Join(parts, ", ")
		},
		Axes: func() (panel.Axis, panel.Axis) {
			y := panel.Axis{}
			for i := range c.Fronts {
				y.Categories = append(y.Categories, label(&c.Fronts[len(c.Fronts)-1-i])) // the first is on top
			}
			return panel.Axis{Label: "purity", Min: -0.05, Max: 1.05}, y
		},
		Legend: s.legend(swept),
		Sheets: func() []panel.Sheet {
			return experiment.Sheets(s.Grid, name, func(b *panel.Brush) {
				for i := range c.Fronts {
					for j, m := range swept {
						y := float64(len(c.Fronts)-1-i) + 0.15 - 0.3*float64(j)
						experiment.DrawAcross(b, y, s.frontValue(&c.Fronts[i], j, purity), 1.5, 4, m.look(b.Theme))
					}
				}
			})
		},
	}
}

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

// curves are a panel with a line for every method.
type curves struct {
	name, title, x, y string
	at                []float64                     // the places on the axis below
	value             func(m Method, i int) float64 // there; NaN or infinite where it is not known
	shown             func(m Method, i int) bool    // the line goes through it
	words             func(m Method, known []int) []string
}

// timePanel shows losses over time, of methods that never diverge.
func (s *Tables) timePanel(tuned bool) *panel.Plane {
	c := &s.config
	p := curves{name: "block-smoo-time", title: "Test loss over time, each with the settings that are best at the end",
		x: "seconds", y: "test loss", at: c.Records}
	if !tuned {
		p.name, p.title = "block-smoo-time-equal", fmt.Sprintf("Test loss over time, all with the step size %g", c.EqualAlpha)
	}
	p.value = func(m Method, i int) float64 {
		if losses := s.lossOverTime(contender{m, tuned}, i); losses != nil && finite(losses) == len(losses) {
			return geometric(losses)
		}
		return math.NaN()
	}
	last := len(c.Records) - 1
	p.shown = func(m Method, _ int) bool { return !math.IsNaN(p.value(m, last)) }
	p.words = func(m Method, known []int) []string {
		if known == nil {
			return nil
		}
		return []string{fmt.Sprintf("%s %s after %g s and %s at the end", m.title(), experiment.Significant(p.value(m, 0), 2), c.Records[0],
			experiment.Significant(p.value(m, last), 3))}
	}
	return s.curvesPanel(&p)
}

// costPanel shows what levels cost by step size, where at least half of the runs get there.
func (s *Tables) costPanel() *panel.Plane {
	c := &s.config
	last := len(c.Levels) - 1
	p := curves{name: "block-smoo-cost", title: fmt.Sprintf("Million multiplications to a test loss of %g, by step size", c.Levels[last]),
		x: "step size α", y: "million multiplications", at: c.Alphas}
	p.value = func(m Method, i int) float64 {
		return experiment.Median(s.countedValues(trial{c.plain(m), c.Alphas[i]}, workTo(last), false))
	}
	p.shown = func(m Method, i int) bool { v := p.value(m, i); return v-v == 0 && v > 0 }
	p.words = func(m Method, known []int) (out []string) {
		for _, i := range known {
			out = append(out, fmt.Sprintf("%s %s with α = %g", m.title(), experiment.Significant(p.value(m, i), 3), c.Alphas[i]))
		}
		return out
	}
	return s.curvesPanel(&p)
}

// known are the places that a line goes through.
func (p *curves) known(m Method) (out []int) {
	for i := range p.at {
		if p.shown(m, i) {
			out = append(out, i)
		}
	}
	return out
}

func (s *Tables) curvesPanel(p *curves) *panel.Plane {
	return &panel.Plane{
		Name: p.name, Heading: p.title,
		Text: func() string {
			var parts []string
			for _, m := range methods() {
				parts = append(parts, p.words(m, p.known(m))...)
			}
			return p.title + ". " + strings.Join(parts, ", ")
		},
		Axes: func() (panel.Axis, panel.Axis) {
			var all []float64
			for _, m := range methods() {
				for i := range p.at {
					all = append(all, p.value(m, i))
				}
			}
			return span(p.x, p.at), span(p.y, all)
		},
		Legend: s.legend(methods()),
		Sheets: func() []panel.Sheet {
			return experiment.Sheets(s.Grid, p.name, func(b *panel.Brush) {
				for _, m := range methods() {
					known, look := p.known(m), m.look(b.Theme)
					at := func(i int) (x, y float64) { return p.at[known[i]], p.value(m, known[i]) }
					b.Line(len(known), at, look.Stroke(1.75))
					for i := range known {
						x, y := at(i)
						b.Marker(x, y, look.Shape, 3.5, look.Hue, true)
					}
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

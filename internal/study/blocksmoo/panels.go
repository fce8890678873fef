package blocksmoo

import (
	"math"
	"strings"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
)

func (s *Tables) newPanels() []axes.Panel {
	out := []axes.Panel{s.timePanel(true), s.timePanel(false), s.costPanel()}
	if len(s.config.Fronts) > 0 {
		out = append(out, s.frontPanel())
	}
	return out
}

// legend returns the legend of the methods. It shows progress until everything is computed.
func (s *Tables) legend(of []Method) func(t *brush.Theme) []axes.Entry {
	return func(t *brush.Theme) []axes.Entry {
		entries := axes.Entries(of, func(_ int, m Method) axes.Entry { return axes.EntryOf(m.look(t), m.title()) })
		return experiment.Pending(s.Grid, entries, "%d of %d parts computed")
	}
}

// look returns the look of a method's lines and marks. Marks are open if the method shares batches.
func (m Method) look(t *brush.Theme) brush.Look {
	look := t.Look(m.ID)
	if m.Shared {
		look.Shape = brush.Ring
	}
	return look
}

// span returns an axis that covers the given positive numbers.
func span(label string, values []float64) axes.Axis {
	axis := axes.Axis{Label: label, Min: math.Inf(1), Max: 0, Log: true}
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

// curves is a panel with one line per method.
type curves struct {
	name, title, x, y string
	at                []float64                     // positions on the horizontal axis
	value             func(m Method, i int) float64 // value at a position; NaN or infinite if unknown
	shown             func(m Method, i int) bool    // whether the line has a point at a position
	words             func(m Method, known []int) []string
}

// known lists the positions at which a method's line has a point.
func (p *curves) known(m Method) (out []int) {
	for i := range p.at {
		if p.shown(m, i) {
			out = append(out, i)
		}
	}
	return out
}

func (s *Tables) curvesPanel(p *curves) *axes.Plane {
	return &axes.Plane{
		Name: p.name, Heading: p.title,
		Text: func() string {
			var parts []string
			for _, m := range methods() {
				parts = append(parts, p.words(m, p.known(m))...)
			}
			return p.title + ". " + strings.Join(parts, ", ")
		},
		Axes: func() (axes.Axis, axes.Axis) {
			var all []float64
			for _, m := range methods() {
				for i := range p.at {
					all = append(all, p.value(m, i))
				}
			}
			return span(p.x, p.at), span(p.y, all)
		},
		Legend: s.legend(methods()),
		Sheets: func() []axes.Sheet {
			return experiment.Sheets(s.Grid, p.name, func(b *brush.Brush) {
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

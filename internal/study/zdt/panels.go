package zdt

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/engine/runs/plans"
)

// evenShape distinguishes linearization with even weights from linearization with drawn weights.
const evenShape = brush.Ring

// extendedShapes lists the marks that distinguish the shapes of MosT-E's mixtures.
var extendedShapes = [...]brush.Shape{brush.Circle, brush.Square, brush.Triangle, brush.Diamond}

// look returns the look of entry i, in which shapes distinguish the variants of a method.
func (s *Tables) look(t *brush.Theme, i int) brush.Look {
	entries := s.config.entries()
	if entries[i].method == even {
		look := t.Look(plans.Linearization)
		look.Shape = evenShape
		return look
	}
	look := t.Look(entries[i].method)
	if first := len(entries) - len(s.config.Shape); i >= first {
		look.Shape = extendedShapes[(i-first)%len(extendedShapes)]
	}
	return look
}

func (s *Tables) newPanels() []axes.Panel {
	var out []axes.Panel
	for _, number := range s.config.Problems {
		out = append(out, s.problemPanel(number))
	}
	return out
}

// extents lists the ranges of the vertical axes by problem. They end slightly above BestFive.
var extents = [...][2]float64{{0, 6.2}, {1.5, 7.2}, {0, 6.8}}

// problemPanel returns the panel with the hypervolumes on a problem, by style, next to the paper's.
func (s *Tables) problemPanel(number int) *axes.Plane {
	c := &s.config
	entries := c.entries()
	place := func(style, i int) float64 { // slightly shifted, so that whiskers do not overlap
		return float64(style) + float64(0.085*(float64(i)-float64(float64(len(entries)-1)/2)))
	}
	return &axes.Plane{
		Name: fmt.Sprintf("zdt%d", number), Heading: fmt.Sprintf("ZDT%d: hypervolume by step style", number),
		Text: func() string {
			var parts []string
			for _, style := range c.Styles {
				for _, e := range entries {
					if cell := s.find(number, style, e.method, e.shape); cell.Done {
						parts = append(parts, fmt.Sprintf("%s %s with %s", e.title(), cell.Estimate(hypervolume).Text(2), style.title()))
					}
				}
			}
			return fmt.Sprintf("Hypervolume of %d solutions on ZDT%d by step style and method, next to the paper’s. %s.",
				c.M, number, strings.Join(parts, ", "))
		},
		Axes: func() (axes.Axis, axes.Axis) {
			x := axes.Categories("", c.Styles, Style.title)
			x.Categories = append(x.Categories, "paper")
			return x, axes.Axis{Label: "hypervolume", Min: extents[number-1][0], Max: extents[number-1][1]}
		},
		Legend: func(t *brush.Theme) []axes.Entry {
			out := axes.Entries(entries, func(i int, e entry) axes.Entry {
				look := s.look(t, i)
				return axes.Entry{Label: e.title(), Shape: look.Shape, Fill: look.Hue}
			})
			return experiment.Pending(s.Grid, out, "%d of %d runs")
		},
		Sheets: func() []axes.Sheet {
			return experiment.Sheets(s.Grid, fmt.Sprintf("zdt%d", number), func(b *brush.Brush) {
				for i, e := range entries {
					look := s.look(b.Theme, i)
					for at, style := range c.Styles {
						experiment.DrawUpright(b, place(at, i), s.find(number, style, e.method, e.shape).Estimate(hypervolume), 1, 4, look)
					}
					// The paper lists MosT only once, in the extended form, and does not state its shape.
					if e.method != even && e.method != plans.MosT && (e.method != plans.Extended || e.shape == c.Shape[0]) {
						b.Marker(place(len(c.Styles), i), Published(e.method, number).Mean, look.Shape, 4, look.Hue, true)
					}
				}
				for at := range c.Styles {
					b.VLine(float64(at)+0.5, brush.Stroke{Color: b.Theme.Hairline, Width: 1, Dash: []vg.Length{2, 3}})
				}
			})
		},
	}
}

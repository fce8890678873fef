package syn

import (
	"fmt"
	"slices"
	"strings"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
)

// newPanels creates two panels for each ρ: one with the accuracy by method, and one with the worst clients' accuracy.
func (s *Tables) newPanels() []axes.Panel {
	var out []axes.Panel
	for _, rho := range s.config.Rho {
		out = append(out, s.accuracyPanel(rho))
	}
	for _, rho := range s.config.Rho {
		out = append(out, s.worstPanel(rho))
	}
	return out
}

// Range of accuracies on the axes, in percent.
const leastAccuracy, maxAccuracy = 20, 100

func (s *Tables) accuracyPanel(rho float64) *axes.Plane {
	name := fmt.Sprintf("accuracy-%g", rho)
	// The first method is at the top.
	height := func(i int) float64 { return float64(len(methods) - 1 - i) }
	draw := func(b *brush.Brush) {
		for i, m := range methods {
			c := s.cell(m.name, rho)
			look, y := b.Theme.Look(strings.TrimSuffix(m.name, equally)), height(i)
			experiment.DrawAcross(b, y+0.18, c.paper(), 1, 4, brush.Look{Hue: b.Theme.Muted, Shape: brush.Plus})
			experiment.DrawAcross(b, y-0.12, c.Estimate(accuracy), 1, 4, look)
		}
	}
	return &axes.Plane{
		Name: name, Heading: fmt.Sprintf("Mean accuracy over clients, ρ = %g", rho),
		Text: func() string {
			var parts []string
			for _, m := range methods {
				if c := s.cell(m.name, rho); c.Done {
					parts = append(parts, fmt.Sprintf("%s %s", m.title, c.Estimate(accuracy).Text(1)))
				}
			}
			return fmt.Sprintf("Test accuracy in percent, mean over the clients, by method, next to the paper's. %s.",
				strings.Join(parts, ", "))
		},
		Axes: func() (axes.Axis, axes.Axis) {
			y := axes.Categories("", methods, func(m method) string { return m.title })
			slices.Reverse(y.Categories)
			return axes.Axis{Label: "test accuracy, %", Min: leastAccuracy, Max: maxAccuracy}, y
		},
		Legend: func(t *brush.Theme) []axes.Entry {
			out := []axes.Entry{{Label: "ours", Shape: brush.Circle, Fill: t.Ink}, {Label: "the paper's", Shape: brush.Plus, Fill: t.Muted}}
			return experiment.Pending(s.Grid, out, "%d of %d runs computed")
		},
		Sheets: func() []axes.Sheet { return experiment.Sheets(s.Grid, name, draw) },
	}
}

// drawn lists the methods for which the worst clients' accuracy is drawn.
var drawn = []string{"mgda", "linearization", "fedavg", "fedmgda", "most", "most-o", "most-l"}

// worstOf returns the accuracy of the worst clients for share i. If i is one past the last share, it returns the
// accuracy of all clients.
func (c *Cell) worstOf(i int) float64 {
	if i == len(worst) {
		return c.Mean[accuracy]
	}
	return c.Mean[worst20+i]
}

func (s *Tables) worstPanel(rho float64) *axes.Plane {
	name := fmt.Sprintf("worst-%g", rho)
	draw := func(b *brush.Brush) {
		for _, method := range drawn {
			c, look := s.cell(method, rho), b.Theme.Look(method)
			if !c.Done {
				continue
			}
			b.Line(len(worst)+1, func(i int) (float64, float64) { return float64(i), c.worstOf(i) }, look.Stroke(1.75))
			for i := range len(worst) + 1 {
				b.Marker(float64(i), c.worstOf(i), look.Shape, 4, look.Hue, true)
			}
		}
	}
	return &axes.Plane{
		Name: name, Heading: fmt.Sprintf("Worst clients, ρ = %g", rho),
		Text: func() string {
			var parts []string
			for _, method := range drawn {
				if c := s.cell(method, rho); c.Done {
					parts = append(parts, fmt.Sprintf("%s %.1f of the worst fifth", find(method).title, c.Mean[worst20]))
				}
			}
			return fmt.Sprintf("Mean test accuracy in percent of the worst clients, by their share. %s.", strings.Join(parts, ", "))
		},
		Axes: func() (axes.Axis, axes.Axis) {
			x := axes.Categories("worst clients", worst[:], func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) })
			x.Categories = append(x.Categories, "all")
			return x, axes.Axis{Label: "test accuracy, %", Min: leastAccuracy, Max: maxAccuracy}
		},
		Legend: func(t *brush.Theme) []axes.Entry {
			return axes.Entries(drawn, func(_ int, method string) axes.Entry { return axes.EntryOf(t.Look(method), find(method).title) })
		},
		Sheets: func() []axes.Sheet { return experiment.Sheets(s.Grid, name, draw) },
	}
}

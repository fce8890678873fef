package ordering

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race/orders"
)

// costNow is what is measured of the runs that there are, nil where there are none.
func (s *Scene) costNow() *orders.Costs {
	if s.problem == nil {
		return nil
	}
	return s.cost.Of(fmt.Sprint(s.Timeline().Version(), s.values.On, s.values.R), func() *orders.Costs {
		return s.values.Costs(orders.Course{Problem: s.problem, Start: s.Start, Epochs: 1, Seed: s.values.Seed}, s.watch)
	})
}

// costPanel shows how long a step takes, split into update and ordering.
func (s *Scene) costPanel() *panel.Plane {
	p := &panel.Plane{Name: "curve", Heading: "Time of a step, measured here", Text: s.describeCost}
	p.Axes = func() (panel.Axis, panel.Axis) {
		x, y := panel.Axis{Label: ""}, panel.Axis{Label: "microseconds", Min: 0, Max: 1}
		if c := s.costNow(); c != nil {
			most := 0.0
			for _, cell := range c.Methods {
				x.Categories = append(x.Categories, cell.Title)
				if update, order := cell.Split(); update+order > most {
					most = update + order
				}
			}
			y.Max = roundAbove(1.12e6 * most)
		}
		return x, y
	}
	p.Sheets = func() []panel.Sheet { return []panel.Sheet{{Draw: s.drawCost}} }
	p.Legend = func(t *panel.Theme) []panel.Entry {
		return []panel.Entry{{Label: "update: gradients, weights, move", Area: t.Tint(t.Muted, 0.35)}, {Label: "ordering", Area: t.Muted}}
	}
	p.Find = s.findCost
	return p
}

func (s *Scene) drawCost(b *panel.Brush) {
	c := s.costNow()
	if c == nil {
		b.Words(s.waiting())
		return
	}
	for i, cell := range c.Methods {
		update, order := cell.Split()
		if math.IsNaN(update) {
			continue
		}
		look := b.Theme.Look(cell.Method)
		bar := func(from, to float64, hue panel.Stroke) {
			const half = 0.3
			x, y := [4]float64{-half, half, half, -half}, [4]float64{from, from, to, to}
			b.Polygon(4, func(j int) (float64, float64) { return float64(i) + x[j], 1e6 * y[j] }, hue.Color)
		}
		bar(0, update, panel.Stroke{Color: b.Theme.Tint(look.Hue, 0.35)})
		bar(update, update+order, panel.Stroke{Color: look.Hue})
		b.Marker(float64(i), 0.5e6*update, look.Shape, 5, look.Hue, true)
		if b.Frame.Detail == panel.Full {
			b.Text(float64(i), 1e6*(update+order), fmt.Sprintf("%.0f %%", 100*order/(update+order)), panel.SmallText, b.Theme.Ink, panel.Above)
		}
	}
	if b.Frame.Detail == panel.Full && len(c.Methods) > 0 && len(c.Methods[0].Own.Times) == 0 {
		b.Words("Measuring …")
	}
}

func (s *Scene) findCost(b *panel.Brush, at vg.Point) (panel.Pick, bool) {
	c := s.costNow()
	if c == nil {
		return panel.Pick{}, false
	}
	x, _ := b.World(at)
	i := int(math.Round(x))
	if i < 0 || i >= len(c.Methods) || at.Y < b.Canvas.Min.Y {
		return panel.Pick{}, false
	}
	cell := c.Methods[i]
	update, order := cell.Split()
	pick := panel.Pick{K: -1, At: at, Lines: []string{cell.Title, "nothing measured yet"}}
	if r := s.Timeline().FindFrom(cell.Method, 0); r.Run != nil {
		pick.Run = r.Name()
	}
	if !math.IsNaN(update) {
		pick.Lines[1] = fmt.Sprintf("update %s, ordering %s a step", duration(update), duration(order))
		pick.Lines = append(pick.Lines, fmt.Sprintf("median of %d batches", len(cell.Kept.Times)))
	}
	return pick, true
}

// duration writes seconds.
func duration(seconds float64) string {
	switch {
	case seconds < 1e-6:
		return fmt.Sprintf("%.0f ns", 1e9*seconds)
	case seconds < 1e-3:
		return fmt.Sprintf("%.3g µs", 1e6*seconds)
	}
	return fmt.Sprintf("%.3g ms", 1e3*seconds)
}

func (s *Scene) describeCost() string {
	c := s.costNow()
	if c == nil {
		return s.waiting()
	}
	var parts []string
	for _, cell := range c.Methods {
		if update, order := cell.Split(); !math.IsNaN(update) {
			parts = append(parts, fmt.Sprintf("%s %s, of which %s is the ordering", cell.Title, duration(update+order), duration(order)))
		}
	}
	text := "How long a step takes on this machine, measured beside the same step in an order that stays: what is more is the ordering. " +
		"Exact losses, which only the page’s curves need, are left out."
	if parts == nil {
		return text
	}
	return text + " " + strings.Join(parts, "; ") + "."
}

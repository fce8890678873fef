package sampleorder

import (
	"fmt"
	"math"
	"strings"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/orders"
	"paretoplay/internal/numeral"
)

// costNow returns the measured costs of the current runs, or nil if there are no runs.
func (s *Scene) costNow() *orders.Costs {
	if s.problem == nil {
		return nil
	}
	return s.cost.Of(fmt.Sprint(s.Timeline().Version(), s.values.On, s.values.R), func() *orders.Costs {
		return s.values.Costs(orders.Course{Problem: s.problem, Start: s.Start, Epochs: 1, Seed: s.values.Seed}, s.watch)
	})
}

// curvePanel is the ID of the panel of curves, and of the panel of measured times that can replace it.
const curvePanel = "curve"

// costPanel returns the panel that shows the time of a step, in microseconds, split into the time for the update and
// the time for the ordering.
func (s *Scene) costPanel() *axes.Plane {
	p := runs.Columns{Name: curvePanel, Heading: "Time of a step, measured here", Timeline: s.Timeline(), List: s.costColumns,
		Lacks: s.waiting, Tints: []float64{0.35, 1}, Radius: 5, Unknown: "Measuring …", Text: s.describeCost}
	p.Y = func(list []runs.Column) axes.Axis {
		most := 0.0
		for i := range list {
			most = max(most, list[i].Top())
		}
		return axes.Axis{Label: "microseconds", Max: roundAbove(1.12 * most)}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		return []axes.Entry{{Label: "update: gradients, weights, move", Area: t.Tint(t.Muted, 0.35)}, {Label: "ordering", Area: t.Muted}}
	}
	return p.Panel()
}

func (s *Scene) costColumns() []runs.Column {
	c := s.costNow()
	if c == nil {
		return nil
	}
	out := make([]runs.Column, len(c.Methods))
	for i, cell := range c.Methods {
		out[i] = runs.Column{Method: cell.Method, Title: cell.Title, Lines: []string{cell.Title, "not measured yet"}}
		if update, order := cell.Split(); !math.IsNaN(update) {
			out[i].Parts, out[i].Note = []float64{1e6 * update, 1e6 * order}, fmt.Sprintf("%.0f %%", 100*order/(update+order))
			out[i].Lines = []string{cell.Title, fmt.Sprintf("update %s, ordering %s per step", duration(update), duration(order)),
				fmt.Sprintf("median of %d batches", len(cell.Kept.Times))}
		}
	}
	return out
}

// duration formats a time in seconds with a suitable unit.
func duration(seconds float64) string {
	switch {
	case seconds < 1e-6:
		return numeral.Fixed(1e9*seconds, 0) + " ns"
	case seconds < 1e-3:
		return numeral.Format(1e6*seconds, 3) + " µs"
	}
	return numeral.Format(1e3*seconds, 3) + " ms"
}

func (s *Scene) describeCost() string {
	c := s.costNow()
	if c == nil {
		return s.waiting()
	}
	var parts []string
	for _, cell := range c.Methods {
		if update, order := cell.Split(); !math.IsNaN(update) {
			parts = append(parts, fmt.Sprintf("%s %s, of which %s for ordering", cell.Title, duration(update+order), duration(order)))
		}
	}
	text := "How long a step takes on this machine. The same step is also measured with a fixed order; the difference is the cost of " +
		"ordering. Exact losses, which only the page’s curves need, are not measured."
	if parts == nil {
		return text
	}
	return text + " " + strings.Join(parts, "; ") + "."
}

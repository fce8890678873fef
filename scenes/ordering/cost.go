package ordering

import (
	"fmt"
	"math"
	"strings"
	"time"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/ordering"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/orders"
)

// Cost is how long a step of each order takes here. It is measured beside the same step in an
// order that stays: what that takes less is the ordering.
//
// The stepper and that of the order that stays take turns in batches, each from where the runs
// start; times and differences are medians over the batches. Exact losses, which the page computes for its
// curves, are left out: they would hide what is measured.
type Cost struct {
	clock  func() time.Duration
	cells  []*costCell
	turn   int // of the cells
	failed error
}

// costCell is one method.
type costCell struct {
	method, title string
	steppers      [2]*race.Timed // its own, and that whose order stays
}

// unvalued leaves the exact losses of a problem out.
type unvalued struct{ ordering.Problem }

// Values implements algo.Problem: losses of 0.
func (u unvalued) Values(f, _ []float64) { clear(f) }

// newCost prepares to measure the methods that run.
func (s *Scene) newCost() *Cost {
	out := &Cost{clock: s.watch}
	for _, method := range s.values.On {
		own, kept, err := s.values.Timed(method, &orders.Course{Problem: unvalued{s.problem}, Start: s.Start, Epochs: 1, Seed: s.values.Seed})
		if err != nil {
			out.failed = err
			return out
		}
		cell := &costCell{method: method, title: s.values.Title(method), steppers: [2]*race.Timed{{Stepper: own}, {Stepper: kept}}}
		out.cells = append(out.cells, cell)
	}
	return out
}

// costNow is what is measured of the runs that there are, nil where there are none.
func (s *Scene) costNow() *Cost {
	if s.problem == nil {
		return nil
	}
	return s.cost.Of(fmt.Sprint(s.Timeline().Version(), s.values.On, s.values.R), s.newCost)
}

// work measures batch by batch while more() holds, and reports whether there are more to come.
func (c *Cost) work(more func() bool) (pending bool, err error) {
	for c.failed == nil && len(c.cells) > 0 {
		cell := c.cells[c.turn%len(c.cells)]
		if cell.steppers[1].Done() {
			return false, nil
		}
		if !more() {
			return true, nil
		}
		for _, t := range cell.steppers {
			if c.failed = t.Batch(c.clock); c.failed != nil {
				break
			}
		}
		c.turn++
	}
	return false, c.failed
}

// split is the time of a step in seconds: of the update, and of the ordering, which is at least
// 0. It is NaN before anything is measured. Batches that were measured one after the other are
// compared: machines are not equally fast all the time.
func (c *costCell) split() (update, order float64) {
	own, kept := c.steppers[0].Times, c.steppers[1].Times
	more := make([]float64, min(len(own), len(kept)))
	for i := range more {
		more[i] = own[i] - kept[i]
	}
	whole := race.Median(own)
	order = min(max(0, race.Median(more)), whole)
	return whole - order, order
}

// costPanel shows how long a step takes, split into update and ordering.
func (s *Scene) costPanel() *panel.Plane {
	p := &panel.Plane{Name: "curve", Heading: "Time of a step, measured here", Text: s.describeCost}
	p.Axes = func() (panel.Axis, panel.Axis) {
		x, y := panel.Axis{Label: ""}, panel.Axis{Label: "microseconds", Min: 0, Max: 1}
		if c := s.costNow(); c != nil {
			most := 0.0
			for _, cell := range c.cells {
				x.Categories = append(x.Categories, cell.title)
				if update, order := cell.split(); update+order > most {
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
	for i, cell := range c.cells {
		update, order := cell.split()
		if math.IsNaN(update) {
			continue
		}
		look := b.Theme.Look(cell.method)
		bar := func(from, to float64, hue panel.Stroke) {
			const half = 0.3
			x, y := [4]float64{-half, half, half, -half}, [4]float64{from, from, to, to}
			b.Polygon(4, func(j int) (float64, float64) { return float64(i) + x[j], 1e6 * y[j] }, hue.Color)
		}
		bar(0, update, panel.Stroke{Color: b.Theme.Tint(look.Hue, 0.35)})
		bar(update, update+order, panel.Stroke{Color: look.Hue})
		b.Marker(float64(i), 0.5e6*update, look.Shape, 5, look.Hue, true)
		if b.Frame.Detail == panel.Full {
			b.Text(float64(i), 1e6*(update+order), cell.orderText(), panel.SmallText, b.Theme.Ink, panel.Above)
		}
	}
	if b.Frame.Detail == panel.Full && len(c.cells) > 0 && len(c.cells[0].steppers[0].Times) == 0 {
		b.Words("Measuring …")
	}
}

// orderText says how much of a step the ordering takes.
func (c *costCell) orderText() string {
	update, order := c.split()
	return fmt.Sprintf("%.0f %%", 100*order/(update+order))
}

func (s *Scene) findCost(b *panel.Brush, at vg.Point) (panel.Pick, bool) {
	c := s.costNow()
	if c == nil {
		return panel.Pick{}, false
	}
	x, _ := b.World(at)
	i := int(math.Round(x))
	if i < 0 || i >= len(c.cells) || at.Y < b.Canvas.Min.Y {
		return panel.Pick{}, false
	}
	cell := c.cells[i]
	update, order := cell.split()
	pick := panel.Pick{K: -1, At: at, Lines: []string{cell.title, "nothing measured yet"}}
	if r := s.Timeline().FindFrom(cell.method, 0); r.Run != nil {
		pick.Run = r.Name()
	}
	if !math.IsNaN(update) {
		pick.Lines[1] = fmt.Sprintf("update %s, ordering %s a step", duration(update), duration(order))
		pick.Lines = append(pick.Lines, fmt.Sprintf("median of %d batches", len(cell.steppers[1].Times)))
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
	for _, cell := range c.cells {
		if update, order := cell.split(); !math.IsNaN(update) {
			parts = append(parts, fmt.Sprintf("%s %s, of which %s is the ordering", cell.title, duration(update+order), duration(order)))
		}
	}
	text := "How long a step takes on this machine, measured beside the same step in an order that stays: what is more is the ordering. " +
		"Exact losses, which only the page’s curves need, are left out."
	if parts == nil {
		return text
	}
	return text + " " + strings.Join(parts, "; ") + "."
}

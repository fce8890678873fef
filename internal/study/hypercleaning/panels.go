package hypercleaning

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
)

// chart is a panel that shows a measure over T, or over ρ at each T.
type chart struct {
	name, heading, label string
	lo, hi               float64
	value                func(c *Cell) experiment.Estimate
}

// computed returns a function that returns a measure of a cell if the cell is done.
func computed(measure int) func(c *Cell) experiment.Estimate {
	return func(c *Cell) experiment.Estimate { return c.Estimate(measure) }
}

func (s *Tables) newPanels() []axes.Panel {
	accuracy := chart{"accuracy", "Test accuracy", "%, mean of both data sets", 70, 100, computed(accuracyBoth)}
	auc := chart{"detection", "Wrong labels detected", "AUC of the weights", 0.4, 1.04, computed(detection)}
	gain := func(over, heading string, lo, hi float64) chart {
		return chart{"gain", heading, "points, paired", lo, hi, func(c *Cell) experiment.Estimate { return s.difference(c, over, accuracyBoth) }}
	}
	var out []axes.Panel
	for _, chart := range []chart{accuracy, auc, gain(overValidation, "Gain over validation only", -8, 8)} {
		out = append(out, s.overT(chart))
	}
	accuracy.lo, auc.lo = 80, 0.7 // FORUM's lines are close together
	for _, chart := range []chart{accuracy, auc, gain(overRhoZero, "Gain over ρ = 0", -4, 4)} {
		out = append(out, s.overRho(chart))
	}
	return out
}

// isDone reports whether all runs of a cell are complete.
func isDone(c *Cell) bool { return c.Done }

// drawCells draws a line through the known values of cells. Whiskers show one deviation or, for differences, the
// standard error.
func drawCells(b *brush.Brush, cells []*Cell, x func(c *Cell) float64, chart chart, look brush.Look) {
	b.Line(len(cells), func(i int) (float64, float64) { return x(cells[i]), chart.value(cells[i]).Mean }, look.Stroke(1.75))
	for _, c := range cells {
		experiment.DrawUpright(b, x(c), chart.value(c), 1, 4, look)
	}
}

// drawZero draws a line at gain 0 on the panel of gains.
func (c *chart) drawZero(b *brush.Brush) {
	if c.name == "gain" {
		b.HLine(0, brush.Stroke{Color: b.Theme.Muted, Width: 1, Dash: []vg.Length{4, 3}})
	}
}

func (s *Tables) overT(chart chart) axes.Panel {
	c := &s.config
	lines := func() map[string][]*Cell {
		out := map[string][]*Cell{}
		for _, method := range compared {
			for _, t := range c.T {
				out[method] = append(out[method], s.cell(method, t, c.Compared))
			}
		}
		return out
	}
	return &axes.Plane{
		Name: chart.name + "-T", Heading: chart.heading,
		Text: func() string {
			var parts []string
			for _, method := range compared {
				for _, cell := range lines()[method] {
					if e := chart.value(cell); e.Known() {
						parts = append(parts, fmt.Sprintf("%s %.3g at T = %d", titles[method], e.Mean, cell.T))
					}
				}
			}
			return fmt.Sprintf("%s, %s, against T. %s.", chart.heading, chart.label, strings.Join(parts, ", "))
		},
		Axes: func() (axes.Axis, axes.Axis) {
			return axes.Categories("lower steps T", c.T, strconv.Itoa), axes.Axis{Label: chart.label, Min: chart.lo, Max: chart.hi}
		},
		Legend: func(t *brush.Theme) []axes.Entry {
			var out []axes.Entry
			for _, method := range compared {
				if method != validationOnly || chart.name != "gain" { // the gain of the other methods is relative to this method
					out = append(out, axes.EntryOf(t.Look(method), titles[method]))
				}
			}
			if done, all := len(experiment.Where(s.Each, isDone)), len(s.Cells()); done < all {
				out = append(out, axes.Entry{Label: fmt.Sprintf("%d of %d computed", done, all)})
			}
			return out
		},
		Sheets: func() []axes.Sheet {
			return []axes.Sheet{{Draw: func(b *brush.Brush) {
				chart.drawZero(b)
				all := lines()
				for i, method := range compared {
					// slightly shifted, so that whiskers do not overlap
					shift := 0.06 * (float64(i) - float64(float64(len(compared)-1)/2))
					drawCells(b, all[method], func(cell *Cell) float64 { return float64(slices.Index(c.T, cell.T)) + shift }, chart, b.Theme.Look(method))
				}
			}}}
		},
	}
}

// rhoShapes lists the marks that, together with lightness, distinguish the lines for different T on the panels over ρ.
var rhoShapes = [...]brush.Shape{brush.Circle, brush.Square, brush.Triangle, brush.Diamond}

func (s *Tables) overRho(chart chart) axes.Panel {
	c := &s.config
	look := func(t *brush.Theme, i int) brush.Look {
		return brush.Look{Hue: t.Objective(i, len(c.T)), Shape: rhoShapes[i%len(rhoShapes)]}
	}
	line := func(t int) (out []*Cell) {
		for _, rho := range c.Rho {
			out = append(out, s.cell(forum, t, rho))
		}
		return out
	}
	return &axes.Plane{
		Name: chart.name + "-rho", Heading: chart.heading + ", FORUM",
		Text: func() string {
			var parts []string
			for _, t := range c.T {
				for _, cell := range line(t) {
					if e := chart.value(cell); e.Known() {
						parts = append(parts, fmt.Sprintf("%.3g at ρ = %g, T = %d", e.Mean, cell.Rho, cell.T))
					}
				}
			}
			return fmt.Sprintf("%s, %s, for FORUM against ρ. %s.", chart.heading, chart.label, strings.Join(parts, ", "))
		},
		Axes: func() (axes.Axis, axes.Axis) {
			return axes.Axis{Label: "ρ", Min: -0.05, Max: 0.95}, axes.Axis{Label: chart.label, Min: chart.lo, Max: chart.hi}
		},
		Legend: func(t *brush.Theme) []axes.Entry {
			return axes.Entries(c.T, func(i, lower int) axes.Entry { return axes.EntryOf(look(t, i), fmt.Sprint("T = ", lower)) })
		},
		Sheets: func() []axes.Sheet {
			return []axes.Sheet{{Draw: func(b *brush.Brush) {
				chart.drawZero(b)
				for i, t := range c.T {
					shift := 0.008 * (float64(i) - float64(float64(len(c.T)-1)/2))
					drawCells(b, line(t), func(c *Cell) float64 { return c.Rho + shift }, chart, look(b.Theme, i))
				}
			}}}
		},
	}
}

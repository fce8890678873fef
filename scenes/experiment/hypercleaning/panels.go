package hypercleaning

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"paretoplay/scenes/panel"
)

// chart is one panel: a measure over T, or over ρ at each T.
type chart struct {
	name, heading, label string
	lo, hi               float64
	// NaN for what is not known, or not yet
	value func(c *Cell) (mean, deviation float64)
}

// computed is a measure of cells that are done.
func computed(measure int) func(c *Cell) (mean, deviation float64) {
	return func(c *Cell) (float64, float64) {
		if !c.Done {
			return math.NaN(), math.NaN()
		}
		return c.Mean[measure], c.Deviation[measure]
	}
}

func (s *Tables) newPanels() []panel.Panel {
	charts := []chart{
		{"accuracy", "Test accuracy here", "%, mean of both data sets", 40, 100, computed(accuracyBoth)},
		{"detection", "Wrong labels detected here", "AUC of the weights", 0.4, 1.04, computed(lastDetection)},
		{"paper", "In the paper, on MNIST and FashionMNIST", "%, mean of both data sets", 80, 90,
			func(c *Cell) (float64, float64) {
				_, mean := c.paper()
				return mean, math.NaN()
			}},
	}
	var out []panel.Panel
	for _, chart := range charts {
		out = append(out, s.overT(chart))
	}
	for _, chart := range charts {
		if chart.name == "accuracy" {
			chart.lo = 80 // without no cleaning the lines lie close
		}
		out = append(out, s.overRho(chart))
	}
	return out
}

// done is the number of complete cells.
func (s *Tables) done() int {
	count := 0
	for _, c := range s.Cells() {
		if c.Done {
			count++
		}
	}
	return count
}

// drawCells draws a line through what is known of cells, with whiskers of one deviation.
func drawCells(b *panel.Brush, cells []*Cell, x func(c *Cell) float64, chart chart, look panel.Look) {
	b.Line(len(cells), func(i int) (float64, float64) {
		mean, _ := chart.value(cells[i])
		return x(cells[i]), mean
	}, look.Stroke(1.75))
	for _, c := range cells {
		mean, deviation := chart.value(c)
		if math.IsNaN(mean) {
			continue
		}
		if !math.IsNaN(deviation) {
			b.Line(2, func(i int) (float64, float64) { return x(c), mean + deviation*float64(2*i-1) }, panel.Stroke{Color: look.Hue, Width: 1})
		}
		b.Marker(x(c), mean, look.Shape, 4, look.Hue, true)
	}
}

func (s *Tables) overT(chart chart) panel.Panel {
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
	return &panel.Plane{
		Name: chart.name + "-T", Heading: chart.heading,
		Text: func() string {
			var parts []string
			for _, method := range compared {
				for _, cell := range lines()[method] {
					if mean, _ := chart.value(cell); !math.IsNaN(mean) {
						parts = append(parts, fmt.Sprintf("%s %.3g at T = %d", titles[method], mean, cell.T))
					}
				}
			}
			return fmt.Sprintf("%s, %s, against T. %s.", chart.heading, chart.label, strings.Join(parts, ", "))
		},
		Axes: func() (panel.Axis, panel.Axis) {
			x := panel.Axis{Label: "lower steps T"}
			for _, t := range c.T {
				x.Categories = append(x.Categories, strconv.Itoa(t))
			}
			return x, panel.Axis{Label: chart.label, Min: chart.lo, Max: chart.hi}
		},
		Legend: func(t *panel.Theme) []panel.Entry {
			var out []panel.Entry
			for _, method := range compared {
				if method != noCleaning || chart.name != "paper" { // which has no such number
					out = append(out, t.Look(method).Entry(titles[method]))
				}
			}
			if done, all := s.done(), len(s.Cells()); done < all && chart.name != "paper" {
				out = append(out, panel.Entry{Label: fmt.Sprintf("%d of %d computed", done, all)})
			}
			return out
		},
		Sheets: func() []panel.Sheet {
			return []panel.Sheet{{Draw: func(b *panel.Brush) {
				all := lines()
				for i, method := range compared {
					// A little apart, so that whiskers do not hide each other.
					shift := 0.06 * (float64(i) - float64(len(compared)-1)/2)
					drawCells(b, all[method], func(cell *Cell) float64 { return float64(slices.Index(c.T, cell.T)) + shift }, chart, b.Theme.Look(method))
				}
			}}}
		},
	}
}

// rhoShapes tell the T of the lines over ρ apart, together with their lightness.
var rhoShapes = [...]panel.Shape{panel.Circle, panel.Square, panel.Triangle, panel.Diamond}

func (s *Tables) overRho(chart chart) panel.Panel {
	c := &s.config
	look := func(t *panel.Theme, i int) panel.Look {
		return panel.Look{Hue: t.Objective(i, len(c.T)), Shape: rhoShapes[i%len(rhoShapes)]}
	}
	line := func(t int) (out []*Cell) {
		for _, rho := range c.Rho {
			out = append(out, s.cell(forum, t, rho))
		}
		return out
	}
	return &panel.Plane{
		Name: chart.name + "-rho", Heading: chart.heading + ", FORUM",
		Text: func() string {
			var parts []string
			for _, t := range c.T {
				for _, cell := range line(t) {
					if mean, _ := chart.value(cell); !math.IsNaN(mean) {
						parts = append(parts, fmt.Sprintf("%.3g at ρ = %g, T = %d", mean, cell.Rho, cell.T))
					}
				}
			}
			return fmt.Sprintf("%s, %s, for FORUM against ρ. %s.", chart.heading, chart.label, strings.Join(parts, ", "))
		},
		Axes: func() (panel.Axis, panel.Axis) {
			return panel.Axis{Label: "ρ", Min: -0.05, Max: 0.95}, panel.Axis{Label: chart.label, Min: chart.lo, Max: chart.hi}
		},
		Legend: func(t *panel.Theme) []panel.Entry {
			var out []panel.Entry
			for i, lower := range c.T {
				out = append(out, look(t, i).Entry(fmt.Sprint("T = ", lower)))
			}
			return out
		},
		Sheets: func() []panel.Sheet {
			return []panel.Sheet{{Draw: func(b *panel.Brush) {
				for i, t := range c.T {
					shift := 0.008 * (float64(i) - float64(len(c.T)-1)/2)
					drawCells(b, line(t), func(c *Cell) float64 { return c.Rho + shift }, chart, look(b.Theme, i))
				}
			}}}
		},
	}
}

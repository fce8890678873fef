package noise

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/portable"
)

// newPanels creates one map per R, and one panel with the methods' shares over σ.
func (s *Map) newPanels() []axes.Panel {
	var out []axes.Panel
	for i, period := range s.config.Period {
		out = append(out, s.mapPanel(i, period))
	}
	return append(out, s.methodsPanel())
}

// sigmas returns the axis of σ that both kinds of panels share.
func (s *Map) sigmas() axes.Axis {
	return axes.Categories("noise σ in each entry of each gradient", s.config.Sigma, experiment.Number)
}

func (s *Map) mapPanel(i, period int) *axes.Plane {
	rows, cols := len(s.config.Momentum), len(s.config.Sigma)
	// cell returns the cell at a row and column. The largest α is at the top.
	cell := func(row, col int) *Cell { return &s.Cells()[(i*rows+rows-1-row)*cols+col] }
	return experiment.ShareMap{
		Name:    fmt.Sprintf("noise-%d", i+1),
		Heading: fmt.Sprintf("How many collapse, period R = %d", period),
		Text: func() string {
			done, wanted := s.Parts()
			return fmt.Sprintf("The darker a cell, the more of its %d runs end at one of the front’s ends: more noise, to the right, moves more "+
				"runs there. Weights are computed every R = %d iterations, in %d variables, and each row is a weight momentum. The table lists "+
				"the runs, not the map. %d of %d runs of all maps are computed.", s.config.Runs, period, s.config.D, done, wanted)
		},
		X: s.sigmas(), Y: axes.Categories("weight momentum α", s.config.Momentum, experiment.Number),
		Share: func(row, col int) (float64, int) { return cell(row, col).Share(), cell(row, col).Done() },
		Pick:  func(row, col int, at vg.Point) axes.Pick { return s.pick(cell(row, col), at) },
	}.Panel()
}

// pick describes a cell, and gives the settings with which a click shows its first runs.
func (s *Map) pick(c *Cell, at vg.Point) axes.Pick {
	values := map[string]string{
		"method": c.Method, "d": strconv.Itoa(s.config.D), "sigma": experiment.Number(c.Sigma), "region": experiment.Number(s.config.Region),
		"problem": "fonseca", "eta": experiment.Number(s.config.Eta), "budget": strconv.Itoa(s.config.Steps), "etaschedule": "constant",
		"view": "runs",
	}
	what := fmt.Sprintf("α = %g, R = %d", c.Momentum, c.R)
	if slices.Contains(others, c.Method) {
		what = lines[slices.IndexFunc(lines, func(l line) bool { return l.method == c.Method })].title
	} else { // PSMGD equals MGDA or CR-MOGM for this R and α
		values["method"], values["momentumschedule"] = psmgd, "constant"
		values["R"], values["momentum"] = strconv.Itoa(c.R), experiment.Number(c.Momentum)
	}
	switch c.Method {
	case ls:
		values["ls.weights"] = "equal"
	case sdmgrad:
		values["sdmgrad.stochastic"] = "true"
	}
	return axes.Pick{K: -1, At: at, Values: values, Lines: []string{
		fmt.Sprintf("%s, σ = %g", what, c.Sigma), fmt.Sprintf("%d of %d runs collapsed", c.Collapsed(), c.Done()), "click to run it",
	}}
}

// whoCollapses returns a sentence that names the methods whose runs mostly collapse at the largest noise.
func (s *Map) whoCollapses() string {
	var lost, kept []string
	for _, l := range lines {
		cells := s.cellsOf(l)
		if len(cells) == 0 || cells[len(cells)-1].Done() == 0 {
			return "Not every method is computed yet at the largest noise."
		}
		if cells[len(cells)-1].Share() > 0.5 {
			lost = append(lost, l.title)
		} else {
			kept = append(kept, l.title)
		}
	}
	switch {
	case kept == nil:
		return "At the largest noise, most runs of every method end at the front’s ends."
	case lost == nil:
		return "Even at the largest noise, most runs of every method stay between the front’s ends."
	}
	return fmt.Sprintf("At the largest noise, most runs end at the front’s ends with %s, and most stay between them with %s.",
		strings.Join(lost, "; "), strings.Join(kept, "; "))
}

// methodsPanel returns the panel with the methods' shares over σ.
func (s *Map) methodsPanel() *axes.Plane {
	// Coinciding lines are slightly shifted.
	place := func(i, j int, c *Cell) (x, y float64) {
		return float64(j) + float64(0.09*(float64(i)-float64(float64(len(lines)-1)/2))), c.Share()
	}
	return &axes.Plane{
		Name: "noise-methods", Heading: "Methods under noise",
		Text: func() string {
			var parts []string
			for _, l := range lines {
				var shares []string
				for _, c := range s.cellsOf(l) {
					if c.Done() > 0 {
						shares = append(shares, fmt.Sprintf("%.2f at σ = %g", c.Share(), c.Sigma))
					}
				}
				if shares != nil {
					parts = append(parts, l.title+" "+strings.Join(shares, ", "))
				}
			}
			if parts == nil {
				return "The share of runs that end at one of the front’s ends, by method and noise: nothing is computed yet."
			}
			return s.whoCollapses() + " The shares, by method and noise: " + strings.Join(parts, "; ") + "."
		},
		Axes: func() (axes.Axis, axes.Axis) {
			return s.sigmas(), axes.Axis{Label: "share that collapsed", Min: -0.04, Max: 1.08}
		},
		Legend: func(t *brush.Theme) []axes.Entry {
			return axes.Entries(lines, func(_ int, l line) axes.Entry { return axes.EntryOf(t.Look(l.method), l.title) })
		},
		Sheets: func() []axes.Sheet {
			return experiment.Sheets(s.Grid, "noise-methods", func(b *brush.Brush) {
				for i, l := range lines {
					look, cells := b.Theme.Look(l.method), s.cellsOf(l)
					known := 0
					for known < len(cells) && cells[known].Done() > 0 {
						known++
					}
					b.Line(known, func(j int) (float64, float64) { return place(i, j, cells[j]) }, look.Stroke(1.75))
					for j, c := range cells[:known] {
						x, y := place(i, j, c)
						b.Marker(x, y, look.Shape, 4, look.Hue, true)
					}
				}
			})
		},
		Find: func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
			nearest, best, where := brush.HitRadius(b.Frame.Touch), (*Cell)(nil), at
			for i, l := range lines {
				for j, c := range s.cellsOf(l) {
					p := b.At(place(i, j, c))
					if r := vg.Length(portable.Hypot(float64(p.X-at.X), float64(p.Y-at.Y))); c.Done() > 0 && r < nearest {
						nearest, best, where = r, c, p
					}
				}
			}
			if best == nil {
				return axes.Pick{}, false
			}
			return s.pick(best, where), true
		},
	}
}

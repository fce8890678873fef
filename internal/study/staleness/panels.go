package staleness

import (
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/weighting"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
	"paretoplay/internal/portable"
)

// newPanels creates one map per η, a panel that plots the shares of collapsed runs over the mean age, and a panel
// that shows what a longer period saves and costs.
func (s *Map) newPanels() []axes.Panel {
	var out []axes.Panel
	for i, eta := range s.config.Eta {
		out = append(out, s.mapPanel(i, eta))
	}
	return append(out, s.agePanel(), s.ablationPanel())
}

// cell returns the cell at a row and column of map i. Each η has a map. Rows are α, with the largest at the top, and
// columns are R.
func (s *Map) cell(i, row, col int) *Cell {
	rows, cols := len(s.config.Momentum), len(s.config.Period)
	return &s.Cells()[(i*rows+rows-1-row)*cols+col]
}

func (s *Map) mapPanel(i int, eta float64) *axes.Plane {
	return experiment.ShareMap{
		Name:    fmt.Sprintf("staleness-%d", i+1),
		Heading: fmt.Sprintf("How many collapse, step size η = %g%s", eta, s.of()),
		Text: func() string {
			done, wanted := s.Parts()
			if !s.plain {
				return fmt.Sprintf("The darker a cell, the more of its %d runs collapse to the ends of the front. Here the step size is %g%s. "+
					"%d of %d runs of all maps are computed.", s.config.Runs, eta, s.of(), done, wanted)
			}
			return fmt.Sprintf("The darker a cell, the more of its %d runs collapse to the ends of the front: with older weights, to the right and "+
				"upwards, more collapse. Above the line, momentum makes the balance in the middle of the front unstable: α(1 + 2η/e)^R exceeds 1. "+
				"Here the step size is %g; the frame marks the current settings, which the table of runs uses. %d of %d runs of all maps are "+
				"computed.", s.config.Runs, eta, done, wanted)
		},
		X: axes.Categories("period R", s.config.Period, strconv.Itoa),
		Y: axes.Categories("weight momentum α", s.config.Momentum, experiment.Number),
		Share: func(row, col int) (float64, int) {
			c := s.cell(i, row, col)
			return c.Share(), c.Done
		},
		Pick:  func(row, col int, at vg.Point) axes.Pick { return s.pick(s.cell(i, row, col), at) },
		Over:  func(b *brush.Brush) { s.drawLimit(b, i) },
		Above: func(b *brush.Brush) { s.drawNow(b, i) },
		Legend: func(t *brush.Theme) []axes.Entry {
			if !s.plain {
				return nil
			}
			return []axes.Entry{{Label: "α(1 + 2η/e)^R = 1", Stroke: limitStroke(t)}}
		},
	}.Panel()
}

// of returns a text that names the weighting whose coefficients are reused between refreshes, and the problem. It
// returns "" for MGDA on Fonseca's problem.
func (s *Map) of() string {
	out := ""
	if s.config.Weighting != mgda {
		method, _ := weighting.Lookup(s.config.Weighting)
		out += ", " + method.Title
	}
	if s.config.Problem != Fonseca {
		out += ", two bowls"
	}
	return out
}

// etas returns the legend of the step sizes' marks.
func (s *Map) etas(t *brush.Theme, before string) []axes.Entry {
	return axes.Entries(s.config.Eta, func(_ int, eta float64) axes.Entry {
		return axes.Entry{Label: before + "η = " + experiment.Number(eta), Shape: s.shape(eta), Fill: t.Look("psmgd").Hue}
	})
}

// heading returns plain for MGDA on Fonseca's problem, the only case for which the finding holds. Otherwise it
// returns other.
func (s *Map) heading(plain, other string) string {
	if s.plain {
		return plain
	}
	return other
}

// limitStroke returns the stroke of the line Growth = 1.
func limitStroke(t *brush.Theme) brush.Stroke {
	return brush.Stroke{Color: t.Ink, Width: 2.5}
}

// drawLimit draws the line Growth = 1 on map i. It follows the edges of the cells, because α and R are categories. α
// increases from row to row.
func (s *Map) drawLimit(b *brush.Brush, i int) {
	if !s.plain {
		return
	}
	rows, cols := len(s.config.Momentum), len(s.config.Period)
	below := make([]float64, cols) // number of rows below the line in each column
	for c := range cols {
		for r := range rows {
			if s.cell(i, r, c).Growth() <= 1 {
				below[c]++
			}
		}
	}
	steps := func(i int) (x, y float64) { return float64((i+1)/2) - 0.5, below[i/2] - 0.5 }
	// A wider line in the background colour separates the line from dark cells.
	b.Line(2*cols, steps, brush.Stroke{Color: b.Theme.Paper, Width: 5})
	b.Line(2*cols, steps, limitStroke(b.Theme))
}

// now returns the cell with the page's settings. Its R is 0 if there is no such cell.
func (s *Map) now() Cell {
	if s.Now == nil {
		return Cell{}
	}
	return s.Now()
}

// drawNow frames the cell with the page's settings, if it is on map i.
func (s *Map) drawNow(b *brush.Brush, i int) {
	now := s.now()
	col, row := slices.Index(s.config.Period, now.R), slices.Index(s.config.Momentum, now.Momentum)
	if now.Eta != s.config.Eta[i] || col < 0 || row < 0 {
		return
	}
	frame := func(i int) (x, y float64) {
		const half = 0.46
		corner := [5][2]float64{{-half, -half}, {half, -half}, {half, half}, {-half, half}, {-half, -half}}[i]
		return float64(col) + corner[0], float64(row) + corner[1]
	}
	b.Line(5, frame, brush.Stroke{Color: b.Theme.Paper, Width: 5})
	b.Line(5, frame, brush.Stroke{Color: b.Theme.Accent, Width: 2.5})
}

// pick describes a cell, and gives the settings with which a click shows its runs.
func (s *Map) pick(c *Cell, at vg.Point) axes.Pick {
	out := axes.Pick{K: -1, At: at, Lines: []string{
		fmt.Sprintf("η = %g, α = %g, R = %d", c.Eta, c.Momentum, c.R),
		fmt.Sprintf("%d of %d runs collapsed", c.Collapsed, c.Done),
		fmt.Sprintf("mean age of the weights %.2f", c.Age),
	}, Values: map[string]string{
		"method": "psmgd", "psmgd.weighting": s.config.Weighting, "problem": s.config.Problem, "d": "2", "sigma": "0",
		"etaschedule": "constant", "momentumschedule": "constant", "eta": experiment.Number(c.Eta), "momentum": experiment.Number(c.Momentum),
		"R": strconv.Itoa(c.R), "view": "runs",
	}}
	if s.plain {
		out.Lines = append(out.Lines, fmt.Sprintf("α(1 + 2η/e)^R = %.2f", c.Growth()))
	}
	out.Lines = append(out.Lines, "click to run it")
	return out
}

// leastAge is the start of the axis of ages. Weights with age 0, which are always new, are drawn there.
const leastAge = 0.02

// shape returns the mark of a map's step size.
func (s *Map) shape(eta float64) brush.Shape {
	shapes := []brush.Shape{brush.Circle, brush.Diamond, brush.Square, brush.Triangle}
	return shapes[slices.Index(s.config.Eta, eta)%len(shapes)]
}

// ablationPanel shows how two numbers depend on the period in runs without momentum: the backpropagations relative to
// MGDA's, and the share of runs that collapsed. A larger R costs less, but beyond some R the runs collapse.
func (s *Map) ablationPanel() *axes.Plane {
	x := axes.Categories("period R, without momentum", s.config.Period, strconv.Itoa)
	const objectives = 2
	// (S + R − 1)/(R·S): a refresh costs S, and each of the R − 1 steps between two refreshes costs one.
	cost := func(i int) (float64, float64) {
		r := float64(s.config.Period[i])
		return float64(i), (objectives + r - 1) / (objectives * r)
	}
	costStroke := func(t *brush.Theme) brush.Stroke {
		return brush.Stroke{Color: t.Ink, Width: 2, Dash: []vg.Length{6, 4}}
	}
	curve := func(eta float64) []*Cell {
		return experiment.Where(s.Each, func(c *Cell) bool { return c.Eta == eta && c.Momentum == 0 && c.Done > 0 })
	}
	column := func(c *Cell) float64 { return float64(slices.Index(s.config.Period, c.R)) }
	return &axes.Plane{
		Name: "staleness-ablation", Heading: s.heading("A longer period is cheaper, then worse", "Cost and collapse by period"),
		Text: func() string {
			if !s.plain {
				return "The savings of a longer period and the share of runs that collapse, without momentum" + s.of() + "."
			}
			return "A longer period never costs less than half as much as MGDA. Beyond some period the runs collapse, earlier for larger step " +
				"sizes. All runs are without momentum."
		},
		Axes: func() (axes.Axis, axes.Axis) {
			return x, axes.Axis{Label: "share", Min: -0.04, Max: 1.08}
		},
		Legend: func(t *brush.Theme) []axes.Entry {
			return append([]axes.Entry{{Label: "cost relative to MGDA", Stroke: costStroke(t)}}, s.etas(t, "collapsed, ")...)
		},
		Sheets: func() []axes.Sheet {
			return experiment.Sheets(s.Grid, "staleness-ablation", func(b *brush.Brush) {
				b.Line(len(s.config.Period), cost, costStroke(b.Theme))
				hue := b.Theme.Look("psmgd").Hue
				for _, eta := range s.config.Eta {
					cells := curve(eta)
					b.Line(len(cells), func(i int) (float64, float64) { return column(cells[i]), cells[i].Share() }, brush.Stroke{Color: hue, Width: 1.5})
					for _, c := range cells {
						b.Marker(column(c), c.Share(), s.shape(eta), 4, hue, true)
					}
				}
			})
		},
	}
}

// drawAge marks the mean age of the weights for the page's settings.
func (s *Map) drawAge(b *brush.Brush) {
	now := s.now()
	if now.R == 0 {
		return
	}
	x := max(now.Age, leastAge)
	b.VLine(x, brush.Stroke{Color: b.Theme.Accent, Width: 1.5})
	xmin, xmax, _, ymax := b.Bounds()
	align := brush.Align{X: 1, Y: -1}
	if x*x > xmin*xmax { // true in the right half of the logarithmic axis
		align.X = -1
	}
	b.Label(x, ymax, fmt.Sprintf("now: age %.2f", now.Age), 12, b.Theme.Ink, align)
}

// agePanel shows every cell's share of collapsed runs over the mean age of its weights. The points for all η lie on
// one curve.
func (s *Map) agePanel() *axes.Plane {
	place := func(c *Cell) (x, y float64) { return max(c.Age, leastAge), c.Share() }
	return &axes.Plane{
		Name: "staleness-age", Heading: s.heading("The age of the weights decides", "Collapse and the age of the weights"),
		Text: func() string {
			if !s.plain {
				return "Each point is a cell of the maps, at the age of its weights, η(Rα/(1−α) + (R−1)/2)" + s.of() + "."
			}
			text := "For any step size, few runs collapse if the weights are younger than about 1, and nearly all if they are older " +
				"than about 3.4. The age is η(Rα/(1−α) + (R−1)/2), and each point is a cell of the maps."
			if now := s.now(); now.R > 0 {
				text += fmt.Sprintf(" With the current settings it is %.2f.", now.Age)
			}
			return text
		},
		Axes: func() (axes.Axis, axes.Axis) {
			return axes.Axis{Label: "mean age of the weights, in steps times η", Min: leastAge, Max: 200, Log: true},
				axes.Axis{Label: "share that collapsed", Min: -0.04, Max: 1.08}
		},
		Legend: func(t *brush.Theme) []axes.Entry { return s.etas(t, "") },
		Sheets: func() []axes.Sheet {
			return append(experiment.Sheets(s.Grid, "staleness-age", func(b *brush.Brush) {
				if s.plain {
					b.Band(1.1, 3.4, brush.Faded(b.Theme.Rule, 0.2))
				}
				for c := range s.Each {
					if c.Done > 0 {
						x, y := place(c)
						b.Marker(x, y, s.shape(c.Eta), 4, b.Theme.Look("psmgd").Hue, true)
					}
				}
			}), axes.Sheet{Draw: s.drawAge})
		},
		Find: func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
			reach, best := brush.HitRadius(b.Frame.Touch), (*Cell)(nil)
			for c := range s.Each {
				d := b.At(place(c)).Sub(at)
				if r := vg.Length(portable.Hypot(float64(d.X), float64(d.Y))); c.Done > 0 && r < reach {
					reach, best = r, c
				}
			}
			if best == nil {
				return axes.Pick{}, false
			}
			return s.pick(best, b.At(place(best))), true
		},
	}
}

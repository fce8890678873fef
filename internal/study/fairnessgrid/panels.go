package fairnessgrid

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/experiment"
)

func (s *Tables) newPanels() []axes.Panel {
	out := []axes.Panel{s.sharesPanel()}
	for _, batch := range s.config.Batch {
		out = append(out, s.planePanel(batch))
	}
	return out
}

// column is a column of the picture of all tables: a computed table or the paper's.
type column struct {
	title string
	// of returns a method's hypervolume and its spread, relative to MosT-E's.
	of func(method string) experiment.Estimate
}

func (s *Tables) columnsShown() []column {
	var out []column
	for _, batch := range s.config.Batch {
		title := fmt.Sprintf("batches of %d", batch)
		if batch == 0 {
			title = "all points"
		}
		out = append(out, column{title, func(method string) experiment.Estimate {
			if !s.complete(batch) {
				return experiment.Unknown()
			}
			// The deviations are of paired differences, because every run uses different data.
			of, best := s.chosen(batch, method), s.chosen(batch, extended)
			unit := s.hypervolume(best, test).Mean
			return experiment.Estimate{Mean: s.hypervolume(of, test).Mean / unit, Spread: s.over(best, of).Spread / unit}
		}})
	}
	unit := paperTable7[extended].Mean
	return append(out, column{"paper", func(method string) experiment.Estimate {
		return experiment.Estimate{Mean: paperTable7[method].Mean / unit}.Alone()
	}})
}

// sharesPanel shows the methods' hypervolumes next to the paper's. They are relative to MosT-E's, because absolute
// values depend on the data and the covariance.
func (s *Tables) sharesPanel() *axes.Plane {
	columns := s.columnsShown()
	place := func(at, i int) float64 {
		return float64(at) + float64(0.13*(float64(i)-float64(float64(len(methods)-1)/2)))
	}
	return &axes.Plane{
		Name: "fairness-shares", Heading: "Hypervolume, as a share of MosT-E’s",
		Text: func() string {
			var parts []string
			for _, column := range columns {
				for _, method := range methods {
					if v := column.of(method).Mean; !math.IsNaN(v) {
						parts = append(parts, fmt.Sprintf("%s %.2f (%s)", titles[method], v, column.title))
					}
				}
			}
			return fmt.Sprintf("Hypervolume of %d solutions as a share of MosT-E’s, by method. %s.", s.config.M, strings.Join(parts, ", "))
		},
		Axes: func() (axes.Axis, axes.Axis) {
			return axes.Categories("", columns, func(c column) string { return c.title }), axes.Axis{Label: "share", Min: 0, Max: 1.2}
		},
		Legend: s.legend,
		Sheets: func() []axes.Sheet {
			return experiment.Sheets(s.Grid, "fairness-shares", func(b *brush.Brush) {
				for i, method := range methods {
					look := b.Theme.Look(method)
					for at, column := range columns {
						experiment.DrawUpright(b, place(at, i), column.of(method), 1, 4, look)
					}
				}
				for at := range columns[1:] {
					b.VLine(float64(at)+0.5, brush.Stroke{Color: b.Theme.Hairline, Width: 1, Dash: []vg.Length{2, 3}})
				}
			})
		},
	}
}

func (s *Tables) legend(t *brush.Theme) []axes.Entry {
	out := axes.Entries(methods, func(_ int, method string) axes.Entry {
		look := t.Look(method)
		return axes.Entry{Label: titles[method], Shape: look.Shape, Fill: look.Hue}
	})
	return experiment.Pending(s.Grid, out, "%d of %d runs")
}

// planePanel shows the solutions of the first run, as the paper's Figure 5 does. Each method uses its chosen
// parameters.
func (s *Tables) planePanel(batch int) *axes.Plane {
	title := fmt.Sprintf("Solutions of the first run, batches of %d", batch)
	if batch == 0 {
		title = "Solutions of the first run, all points"
	}
	return &axes.Plane{
		Name: fmt.Sprintf("fairness-plane-%d", batch), Heading: title,
		Text: func() string {
			if !s.complete(batch) {
				return title + ": not computed yet."
			}
			r := s.reference(batch, test, 0)
			return fmt.Sprintf("%s, by logistic loss and squared covariance on test points; the reference point is (%.2f, %.2f).",
				title, r[0], r[1])
		},
		Axes: func() (axes.Axis, axes.Axis) {
			x, y := axes.Axis{Label: "logistic loss", Min: 0.2, Max: 1}, axes.Axis{Label: "squared covariance", Min: -0.02, Max: 1}
			if s.complete(batch) {
				r := s.reference(batch, test, 0)
				x.Max, y.Max = 1.04*r[0], 1.06*r[1]
				y.Min = -0.03 * r[1]
			}
			return x, y
		},
		Legend: s.legend,
		Sheets: func() []axes.Sheet {
			return experiment.Sheets(s.Grid, fmt.Sprintf("fairness-plane-%d", batch), func(b *brush.Brush) {
				if !s.complete(batch) {
					return
				}
				r := s.reference(batch, test, 0)
				b.Marker(r[0], r[1], brush.Plus, 5, b.Theme.Muted, true)
				for _, method := range methods {
					look := b.Theme.Look(method)
					for _, f := range s.chosen(batch, method).points[test][0] {
						b.Marker(f[0], f[1], look.Shape, 4, look.Hue, true)
					}
				}
			})
		},
	}
}

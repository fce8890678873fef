package experiment

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
)

// ShareMap shows cells by two of their settings. Each cell shows the share of its runs that satisfy a condition.
type ShareMap struct {
	Name, Heading string
	Text          func() string
	X, Y          axes.Axis // axes with one category per column or row; the last category of Y is at the top
	// Share returns a cell's share, and the number of its finished runs. Row 0 is at the top. If no run is finished,
	// the share is ignored.
	Share  func(row, col int) (share float64, done int)
	Pick   func(row, col int, at vg.Point) axes.Pick
	Over   func(b *brush.Brush) // draws over the cells; may be nil
	Above  func(b *brush.Brush) // draws what changes more often than the cells, on top of everything else; may be nil
	Legend func(t *brush.Theme) []axes.Entry
}

// Panel returns the panel that draws the map.
func (m ShareMap) Panel() *axes.Plane {
	rows, cols := len(m.Y.Categories), len(m.X.Categories)
	draw := func(b *brush.Brush) {
		b.Cells(rows, cols, func(row, col int) (float64, bool) {
			share, done := m.Share(row, col)
			return share, done > 0
		}, 0, 1)
		if m.Over != nil {
			m.Over(b)
		}
	}
	return &axes.Plane{
		Name: m.Name, Heading: m.Heading, Text: m.Text, Legend: m.Legend,
		Axes: func() (axes.Axis, axes.Axis) { return m.X, m.Y },
		Sheets: func() []axes.Sheet {
			// The key includes the number of finished runs, so that a finished map is drawn only once.
			all := 0
			for row := range rows {
				for col := range cols {
					_, done := m.Share(row, col)
					all += done
				}
			}
			sheets := []axes.Sheet{{Key: fmt.Sprintf("%s %d", m.Name, all), Draw: draw}}
			if m.Above != nil {
				sheets = append(sheets, axes.Sheet{Draw: m.Above})
			}
			return sheets
		},
		Find: func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
			wx, wy := b.World(at)
			col, up := int(wx+0.5), int(wy+0.5)
			if wx < -0.5 || wy < -0.5 || col >= cols || up >= rows {
				return axes.Pick{}, false
			}
			return m.Pick(rows-1-up, col, at), true
		},
	}
}

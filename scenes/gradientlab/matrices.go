package gradientlab

import (
	"fmt"
	"strconv"
	"strings"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/analysis"
)

// nothing holds an axis without numbers, for pictures without data.
var nothing = axes.Axis{Categories: []string{""}}

// sheetKey returns a key of everything that a picture of pasted data depends on: the file, the progress and every parameter. Pictures
// of a few arrows are fast to draw and have no key.
func (s *Scene) sheetKey() string {
	if !s.ShowsPasted() || s.data == nil {
		return ""
	}
	key := []string{s.pasted.SHA256, strconv.Itoa(s.data.Rows), strconv.FormatBool(s.data.Measured), strconv.Itoa(len(s.data.Decisions))}
	for _, name := range s.Params().Names() {
		key = append(key, s.Params().Text(name))
	}
	return strings.Join(key, "&")
}

// matrixPanel returns a panel that shows one matrix as a heat map.
func (s *Scene) matrixPanel(name, heading string, m kinds.HeatMap, ranges func(a *analysis.Analysis) (x, y axes.Axis),

	size func(a *analysis.Analysis) (rows, cols int)) *axes.Plane {
	p := &axes.Plane{Name: name, Heading: heading}
	p.Axes = func() (axes.Axis, axes.Axis) {
		if s.waiting() != "" {
			return nothing, nothing
		}
		return ranges(s.current())
	}
	p.Sheets = func() []axes.Sheet {
		return []axes.Sheet{{Key: s.sheetKey(), Draw: func(b *brush.Brush) {
			if s.waiting() != "" {
				s.drawWaiting(b)
				return
			}
			rows, cols := size(s.current())
			m.Draw(b, rows, cols)
		}}}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if s.waiting() != "" {
			return nil
		}
		return m.Legend(t)
	}
	return p
}

// manyRows is the number of gradients above which cells may be too small for a symbol.
const manyRows = 24

// cosinesPanel shows the angles between gradients. The panel's name dates from when it showed cosines. It stays because links
// contain it.
func (s *Scene) cosinesPanel() axes.Panel {
	m := kinds.HeatMap{
		Value: func(r, c int) float64 { return s.current().Angle(r, c) },
		Flag:  func(r, c int) bool { return r != c && s.current().Conflict(r, c) },
		Low:   180, High: 0, LowText: "180°", HighText: "0°", Degrees: true, Halves: true,
	}
	p := s.matrixPanel("cosines", "Angles between gradients", m, func(a *analysis.Analysis) (axes.Axis, axes.Axis) {
		return axes.NumberedAxis(a.Jacobian.Rows, "g", false), axes.NumberedAxis(a.Jacobian.Rows, "g", true)
	}, func(a *analysis.Analysis) (int, int) { return a.Jacobian.Rows, a.Jacobian.Rows })
	p.Key = func(t *brush.Theme) []axes.Entry {
		if s.waiting() != "" {
			return nil
		}
		return []axes.Entry{{Label: "conflict", Shape: brush.Cross, Fill: t.Ink}}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if s.waiting() != "" {
			return nil
		}
		if s.current().Jacobian.Rows > manyRows {
			m.FlagText = "conflict, or a dark cell above the diagonal"
		} else {
			m.FlagText = "conflict, above 90°"
		}
		return m.Legend(t)
	}
	p.Text = func() string {
		if text := s.waiting(); text != "" {
			return text
		}
		a := s.current()
		text := conflictWords(a) + fmt.Sprintf(" There are %d gradients in %d variables.", a.Jacobian.Rows, a.Jacobian.Cols)
		if a.Jacobian.Rows > manyRows {
			text += " If cells are too small for crosses, conflicting pairs are dark above the diagonal."
		}
		return text
	}
	return p
}

// anglesPanel shows the angles between the methods' directions.
func (s *Scene) anglesPanel() axes.Panel {
	m := kinds.HeatMap{
		Value: func(r, c int) float64 {
			a := s.current()
			return analysis.Degrees(analysis.Between(&a.Decisions[r], &a.Decisions[c]))
		},
		Low: 0, High: 180, LowText: "0°", HighText: "180°", Degrees: true,
	}
	p := s.matrixPanel("angles", "Angles between directions", m, func(a *analysis.Analysis) (axes.Axis, axes.Axis) {
		names := methodNames(a)
		for i := range names {
			names[i] = fmt.Sprintf("%d %s", len(names)-i, names[i])
		}
		return axes.NumberedAxis(len(names), "", false), axes.Axis{Categories: names}
	}, func(a *analysis.Analysis) (int, int) { return len(a.Decisions), len(a.Decisions) })
	p.Text = func() string {
		if text := s.waiting(); text != "" {
			return text
		}
		a := s.current()
		widest, pair := -1.0, ""
		for i := range a.Decisions {
			for j := range i {
				if angle := m.Value(i, j); angle > widest {
					widest, pair = angle, a.Decisions[j].Method.Title+" and "+a.Decisions[i].Method.Title
				}
			}
		}
		if pair == "" {
			return "Angles between the methods’ directions. Choose at least two methods."
		}
		return fmt.Sprintf("%s disagree most, by %.0f°. Columns have the same numbers as rows.", pair, widest)
	}
	return p
}

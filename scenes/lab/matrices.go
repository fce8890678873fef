package lab

import (
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"math"
	"paretoplay/scenes/lab/analysis"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
)

// matrix is a heat map of rows×columns, entry (0, 0) at the top left.
type matrix struct {
	value             func(r, c int) float64 // NaN is left blank
	flag              func(r, c int) bool    // entries with a sign of their own; nil for none
	low, high         float64
	lowText, highText string // what the ends of the ramp mean
	flagText          string
	axis              string                              // along the columns, where they are gradients
	rowNames          func(a *analysis.Analysis) []string // from bottom to top, where the rows are methods
	degrees           bool                                // entries are printed as whole numbers with °
	halves            bool                                // a symmetric matrix too fine for signs: above the diagonal only flags are shown
}

const (
	// Cells below these sizes in pixels have no room for gaps between them, for a
	// sign, for a number.
	gapCell  = 12
	signCell = 6
	textCell = 34
)

// nothing is an axis without numbers, for a picture that is still to come.
var nothing = panel.Axis{Categories: []string{""}}

// sheetKey names what a picture of pasted data depends on: the file, how far it
// is, and every parameter. Pictures of a few arrows are quick to draw and have
// no key.
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

func (m *matrix) draw(b *panel.Brush, rows, cols int) {
	size := b.Canvas.Size()
	w, h := size.X/vg.Length(cols), size.Y/vg.Length(rows)
	t := b.Theme
	shade := func(r, c int) (color.NRGBA, bool) {
		if m.coarse(w, h) && m.halves && c > r {
			if m.flag(r, c) {
				return t.Ink, true
			}
			return t.Paper, true
		}
		v := m.value(r, c)
		if math.IsNaN(v) {
			return color.NRGBA{}, false
		}
		return t.Ramp(0.04 + 0.92*(v-m.low)/(m.high-m.low)), true
	}
	if min(w, h) < gapCell {
		// Displays smooth what they enlarge: with two dots a pixel, cells keep
		// their edges.
		fx, fy := int(math.Ceil(2*float64(w))), int(math.Ceil(2*float64(h)))
		img := image.NewRGBA(image.Rect(0, 0, cols*fx, rows*fy))
		for r := range rows {
			for c := range cols {
				if fill, ok := shade(r, c); ok {
					cell := image.Rect(c*fx, r*fy, (c+1)*fx, (r+1)*fy)
					imagedraw.Draw(img, cell, image.NewUniform(fill), image.Point{}, imagedraw.Src)
				}
			}
		}
		b.Picture(img)
		for r := range rows {
			for c := range cols {
				if m.flag != nil && !m.coarse(w, h) && m.flag(r, c) {
					fill, _ := shade(r, c)
					b.Marker(float64(c), float64(rows-1-r), panel.Cross, min(w, h)/2-1.5, panel.OnColor(fill), false)
				}
			}
		}
		return
	}
	for r := range rows {
		for c := range cols {
			fill, ok := shade(r, c)
			if !ok {
				continue
			}
			x, y := float64(c), float64(rows-1-r)
			const half = 0.48
			corner := [4][2]float64{{x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}}
			b.Polygon(4, func(k int) (float64, float64) { return corner[k][0], corner[k][1] }, fill)
			ink := panel.OnColor(fill)
			roomy := w >= textCell && h >= 16
			if roomy {
				b.Text(x, y, m.number(m.value(r, c)), panel.SmallText, ink, panel.Centred)
			}
			if m.flag != nil && m.flag(r, c) {
				at := [2]float64{x, y}
				if roomy {
					at = [2]float64{x - half + 8/float64(w), y + half - 8/float64(h)}
				}
				b.Marker(at[0], at[1], panel.Cross, 3.5, ink, false)
			}
		}
	}
}

// coarse reports whether cells are too small for signs.
func (m *matrix) coarse(w, h vg.Length) bool { return min(w, h) < signCell }

func (m *matrix) number(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	if m.degrees {
		text = strconv.FormatFloat(v, 'f', 0, 64) + "°"
	}
	return strings.Replace(text, "-", "−", 1)
}

func (m *matrix) legend(t *panel.Theme) []panel.Entry {
	out := []panel.Entry{{Label: m.lowText, Area: t.Ramp(0.04)}, {Label: m.highText, Area: t.Ramp(0.96)}}
	if m.flag != nil {
		out = append(out, panel.Entry{Label: m.flagText, Shape: panel.Cross, Fill: t.Ink})
	}
	return out
}

// indexAxis numbers 1 to n, as many of them as have room; few of them have the
// prefix.
func indexAxis(n int, prefix string, reversed bool) panel.Axis {
	every := 1
	for n/every > 12 {
		every *= 2
		if every == 4 || every == 40 {
			every += every / 4 // 1, 2, 5, 10, 20, 50
		}
	}
	names := make([]string, n)
	for i := range names {
		if n <= 12 || (i+1)%every == 0 {
			names[i] = strconv.Itoa(i + 1)
			if prefix != "" && n <= 12 {
				names[i] = prefix + "_{" + names[i] + "}"
			}
		}
	}
	if reversed {
		slices.Reverse(names)
	}
	return panel.Axis{Categories: names}
}

// matrixPanel is a panel of one matrix.
func (s *Scene) matrixPanel(name, heading string, m matrix, axes func(a *analysis.Analysis) (x, y panel.Axis),
	size func(a *analysis.Analysis) (rows, cols int)) *panel.Plane {
	p := &panel.Plane{Name: name, Heading: heading}
	p.Axes = func() (panel.Axis, panel.Axis) {
		if s.waiting() != "" {
			return nothing, nothing
		}
		return axes(s.current())
	}
	p.Sheets = func() []panel.Sheet {
		return []panel.Sheet{{Key: s.sheetKey(), Draw: func(b *panel.Brush) {
			if s.waiting() != "" {
				s.drawWaiting(b)
				return
			}
			rows, cols := size(s.current())
			m.draw(b, rows, cols)
		}}}
	}
	p.Legend = func(t *panel.Theme) []panel.Entry {
		if s.waiting() != "" {
			return nil
		}
		return m.legend(t)
	}
	return p
}

// manyRows is how many gradients may have cells without room for a sign.
const manyRows = 24

// cosinesPanel shows the angles between gradients. Its name is from when it showed their
// cosines: links have it.
func (s *Scene) cosinesPanel() panel.Panel {
	m := matrix{
		value: func(r, c int) float64 { return s.current().Angle(r, c) },
		flag:  func(r, c int) bool { return r != c && s.current().Conflict(r, c) },
		low:   180, high: 0, lowText: "180°", highText: "0°", degrees: true, halves: true,
	}
	p := s.matrixPanel("cosines", "Angles between gradients", m, func(a *analysis.Analysis) (panel.Axis, panel.Axis) {
		return indexAxis(a.Jacobian.Rows, "g", false), indexAxis(a.Jacobian.Rows, "g", true)
	}, func(a *analysis.Analysis) (int, int) { return a.Jacobian.Rows, a.Jacobian.Rows })
	p.Legend = func(t *panel.Theme) []panel.Entry {
		if s.waiting() != "" {
			return nil
		}
		if s.current().Jacobian.Rows > manyRows {
			m.flagText = "conflict; or dark, above the diagonal"
		} else {
			m.flagText = "conflict, above 90°"
		}
		return m.legend(t)
	}
	p.Text = func() string {
		if text := s.waiting(); text != "" {
			return text
		}
		a := s.current()
		text := conflictWords(a) + fmt.Sprintf(" There are %d gradients in %d variables.", a.Jacobian.Rows, a.Jacobian.Cols)
		if a.Jacobian.Rows > manyRows {
			text += " Where cells have no room for a sign, the half above the diagonal is dark where a pair conflicts."
		}
		return text
	}
	return p
}

// anglesPanel shows the angles between the methods' directions.
func (s *Scene) anglesPanel() panel.Panel {
	m := matrix{
		value: func(r, c int) float64 {
			a := s.current()
			return analysis.Degrees(analysis.Between(&a.Decisions[r], &a.Decisions[c]))
		},
		low: 0, high: 180, lowText: "0°", highText: "180°", degrees: true,
	}
	p := s.matrixPanel("angles", "Angles between directions", m, func(a *analysis.Analysis) (panel.Axis, panel.Axis) {
		names := methodNames(a)
		for i := range names {
			names[i] = fmt.Sprintf("%d %s", len(names)-i, names[i])
		}
		return indexAxis(len(names), "", false), panel.Axis{Categories: names}
	}, func(a *analysis.Analysis) (int, int) { return len(a.Decisions), len(a.Decisions) })
	p.Text = func() string {
		if text := s.waiting(); text != "" {
			return text
		}
		a := s.current()
		widest, pair := -1.0, ""
		for i := range a.Decisions {
			for j := range i {
				if angle := m.value(i, j); angle > widest {
					widest, pair = angle, a.Decisions[j].Method.Title+" and "+a.Decisions[i].Method.Title
				}
			}
		}
		if pair == "" {
			return "Angles between the directions of the methods; choose two of them."
		}
		return fmt.Sprintf("%s disagree most, by %.0f°. The columns are numbered as the rows.", pair, widest)
	}
	return p
}

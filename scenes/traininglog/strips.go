package traininglog

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/runlog"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// recordHandle is the handle of the marker in the panels over the steps, except in the hero panel.
const recordHandle = "record"

// strips is a panel over the steps with two bands of strips. A strip is a row whose cells are coloured by their values.
type strips struct {
	s             *Scene
	name, heading string
	upper, lower  string // names of the bands
	rows          func() []string
	// cell returns a row's values at a record in the upper and the lower band. NaN means no value.
	cell    func(row, record int) (upper, lower float64)
	words   func(row, record int) []string // lines of the tooltip
	shade   func(t *brush.Theme, v float64) color.NRGBA
	legend  func(t *brush.Theme) []axes.Entry
	note    func() []string     // explanations of rows and colours, between the bands; the first that fits is drawn; may be nil
	named   func() []namedStrip // labels of rows that stand out in the lower band, the most important first; may be nil
	missing func() string       // text that replaces the picture
	lacking func() string       // text that replaces the lower band
	key     func() string
	text    func() string
	handle  string
}

func (m *strips) panel() axes.Panel {
	s := m.s
	p := &axes.Plane{Name: m.name, Heading: m.heading, Text: m.text}
	p.Axes = func() (axes.Axis, axes.Axis) {
		return s.stepAxis(), axes.Axis{Categories: []string{m.lower, m.upper}}
	}
	p.Sheets = func() []axes.Sheet {
		if text := m.missing(); text != "" {
			return axes.WordSheets(text)
		}
		return []axes.Sheet{{Key: m.name + " " + m.key(), Draw: m.draw}, {Draw: s.drawVeil}, {Draw: s.drawMarker}, {Draw: m.drawNotes}}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if m.missing() != "" {
			return nil
		}
		return m.legend(t)
	}
	p.Key = p.Legend
	p.Grips = func() []axes.Grip { return s.markerGrip(m.handle, 1.45) }
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		if m.missing() != "" || !b.Canvas.Contains(at) {
			return axes.Pick{}, false
		}
		x, y := b.World(at)
		record := s.recordAt(x)
		rows := m.rows()
		row, _ := m.rowAt(y, len(rows))
		return axes.Pick{K: -1, At: at, Lines: append([]string{fmt.Sprintf("step %d, %s", s.log.Step(record), rows[row])},
			m.words(row, record)...), Values: map[string]string{"record": fmt.Sprint(record + 1)}}, true
	}
	return p
}

// bandShare is the height of a band relative to the distance between the two.
const bandShare = 0.9

// rowAt returns the row at a height, and whether it is in the upper band.
func (m *strips) rowAt(y float64, rows int) (row int, upper bool) {
	upper = y > 0.5
	if upper {
		y--
	}
	part := (bandShare/2 - y) / bandShare
	return max(0, min(rows-1, int(part*float64(rows)))), upper
}

// draw paints both bands as pictures of at most maxColumns columns. Each column is the mean of its records.
func (m *strips) draw(b *brush.Brush) {
	const maxColumns = 1200
	rows := m.rows()
	x0, x1, _, _ := b.Bounds()
	left, right := b.At(x0, 0), b.At(x1, 0)
	columns := max(1, min(maxColumns, int(2*(right.X-left.X))))
	images, dots := m.images(b, columns)
	for band, about := range []float64{0, 1} {
		top, bottom := b.At(x0, about+bandShare/2), b.At(x0, about-bandShare/2)
		if lacking := m.lacking(); band == 0 && lacking != "" {
			b.Text((x0+x1)/2, about, lacking, brush.SmallText, b.Theme.Muted, brush.Align{})
			continue
		}
		b.Canvas.DrawImage(vg.Rectangle{Min: vg.Point{X: left.X, Y: bottom.Y}, Max: vg.Point{X: right.X, Y: top.Y}}, images[band])
		if dots >= 2*namedRow && b.Frame.Detail == brush.Full {
			for r, name := range rows {
				b.Label(x0, about+bandShare/2-bandShare*(float64(r)+0.5)/float64(len(rows)), name, brush.SmallText, b.Theme.Ink,
					brush.Align{X: 1})
			}
		}
	}
}

// drawNotes explains the rows in a large panel, and labels the rows that stand out.
func (m *strips) drawNotes(b *brush.Brush) {
	if b.Frame.Detail != brush.Full {
		return
	}
	const between, away = 0.5, 12
	x0, x1, _, _ := b.Bounds()
	if m.note != nil {
		for _, words := range m.note() {
			if b.Width(words)+away < b.Canvas.Size().X {
				b.Label(x0, between, words, brush.SmallText, b.Theme.Ink, brush.RightOf)
				break
			}
		}
	}
	if m.named == nil || m.lacking() != "" {
		return
	}
	rows := len(m.rows())
	height, dots := m.rowHeight(b, rows)
	if dots >= 2*namedRow { // every row has its label
		return
	}
	var said []int
	for _, strip := range m.named() {
		if slices.ContainsFunc(said, func(row int) bool { return height*math.Abs(float64(row-strip.row)) < namedRow }) {
			continue
		}
		said = append(said, strip.row)
		b.Label(x1, bandShare/2-bandShare*(float64(strip.row)+0.5)/float64(rows), strip.words, brush.SmallText, b.Theme.Ink, brush.LeftOf)
	}
}

// namedStrip is the label of a row.
type namedStrip struct {
	row   int
	words string
}

// rowHeight returns the height of a row in pixels, and in dots of the bands' pictures.
func (m *strips) rowHeight(b *brush.Brush, rows int) (pixels float64, dots int) {
	x0, _, y0, y1 := b.Bounds()
	pixels = bandShare / (y1 - y0) * float64(b.At(x0, y1).Y-b.At(x0, y0).Y) / float64(rows)
	return pixels, max(1, int(math.Ceil(2*pixels))) // two dots per pixel, because displays blur pictures when they enlarge them
}

// These are the minimum heights of rows, in pixels, at which rows have gaps between them and at which they have labels.
const (
	gappedRow = 6
	namedRow  = 18
)

// images returns the pictures of the lower and the upper band with the given number of columns, and the height of a row in dots. It
// visits each record once for all rows of both bands, because neighbouring rows share data.
func (m *strips) images(b *brush.Brush, columns int) (images [2]*image.RGBA, dots int) {
	s, rows := m.s, len(m.rows())
	x0, x1, _, _ := b.Bounds()
	height, dots := m.rowHeight(b, rows)
	sums, counts := [2][]float64{make([]float64, rows), make([]float64, rows)}, [2][]int{make([]int, rows), make([]int, rows)}
	for band := range images {
		images[band] = image.NewRGBA(image.Rect(0, 0, columns, dots*rows))
	}
	for c := range columns {
		from := s.recordAt(x0 + (x1-x0)*float64(c)/float64(columns))
		to := max(from+1, s.recordAt(x0+(x1-x0)*float64(c+1)/float64(columns)))
		for band := range images {
			clear(sums[band])
			clear(counts[band])
		}
		for k := from; k < to; k++ {
			for r := range rows {
				upper, lower := m.cell(r, k)
				for band, v := range [2]float64{lower, upper} {
					if !math.IsNaN(v) {
						sums[band][r] += v
						counts[band][r]++
					}
				}
			}
		}
		for band, img := range images {
			for r, count := range counts[band] {
				if count == 0 {
					continue
				}
				fill := m.shade(b.Theme, sums[band][r]/float64(count))
				img.SetRGBA(c, dots*r, color.RGBA(fill)) // opaque
			}
		}
	}
	last := dots
	if height >= gappedRow {
		last -= 2
	}
	for _, img := range images {
		for r := range rows { // all lines of dots in a row are equal
			for d := 1; d < last; d++ {
				copy(img.Pix[(dots*r+d)*img.Stride:][:img.Stride], img.Pix[dots*r*img.Stride:])
			}
		}
	}
	return images, dots
}

// stepAxis returns the axis of the panels over the steps.
func (s *Scene) stepAxis() axes.Axis {
	axis := axes.Axis{Label: "training step", Max: 1, Integer: true}
	if s.log != nil {
		axis.Min, axis.Max = float64(s.log.Step(0)), float64(s.log.Step(s.log.Records()-1))
	}
	return axis
}

// drawMarker draws the line at the chosen record.
func (s *Scene) drawMarker(b *brush.Brush) {
	if s.log != nil {
		b.TimeMarker(float64(s.log.Step(s.record())))
	}
}

// drawVeil hides the steps that have not appeared yet while the log unfolds.
func (s *Scene) drawVeil(b *brush.Brush) {
	share := s.unfolded.Share()
	if s.log == nil || share == 1 {
		return
	}
	x0, x1, y0, y1 := b.Bounds()
	at := x0 + float64(share*(x1-x0))
	b.Box(at, y0, x1, y1, b.Theme.Paper)
	b.VLine(at, brush.Stroke{Color: b.Theme.Rule, Width: 1})
	if b.Frame.Detail != brush.Full {
		return
	}
	side := brush.RightOf
	if share > 0.5 {
		side = brush.LeftOf
	}
	b.Label(at, y0+float64(0.97*(y1-y0)), fmt.Sprintf("step %d", s.log.Step(s.recordAt(at))), brush.LabelText, b.Theme.Ink, side)
}

// markerGrip returns the marker line's handle at a height. Only one panel has the handle; for other panels id is "".
func (s *Scene) markerGrip(id string, y float64) []axes.Grip {
	if s.log == nil || id == "" {
		return nil
	}
	k := s.record()
	return []axes.Grip{{ID: id, Label: "marker", Value: fmt.Sprintf("step %d", s.log.Step(k)), X: float64(s.log.Step(k)), Y: y,
		StepX: float64(s.log.Stride())}}
}

// maxPaired is the maximum number of objectives for which every pair has a strip. With more objectives, each objective
// has one strip, which shows its lowest cosine.
const maxPaired = 12

// allPairs lists the pairs of objectives.
func (s *Scene) allPairs() (out [][2]int) {
	for i := range s.log.Objectives() {
		for j := range i {
			out = append(out, [2]int{j, i})
		}
	}
	return out
}

// conflictStrips shows the cosines between gradients over the steps. The upper band shows the cosines on each batch.
// The lower band shows their averages over the windows.
func (s *Scene) conflictStrips() *strips {
	var cosines, averaged []float64
	var pairs [][2]int
	record, window := -1, -1
	var at conflictKey
	// load reads the cosines of a record and of the window around it. Neighbouring records share windows.
	load := func(k int) (raw, mean []float64) {
		n := s.log.Objectives()
		if now := (conflictKey{s.log, s.values.Window}); at != now {
			at, record, window = now, -1, -1
			cosines, averaged, pairs = make([]float64, n*n), make([]float64, n*n), s.allPairs()
		}
		if record != k {
			record = k
			s.log.Cosines(cosines, k)
		}
		first := k / s.values.Window * s.values.Window
		if first+s.values.Window > s.log.Records() || !s.log.HasCross() {
			return cosines, nil
		}
		if window != first {
			window = first
			s.log.Averaged(averaged, first, first+s.values.Window)
		}
		return cosines, averaged
	}
	least := func(m []float64, i int) float64 {
		if m == nil {
			return math.NaN()
		}
		n, v := s.log.Objectives(), 1.0
		for j := range n {
			if j != i {
				v = min(v, m[i*n+j])
			}
		}
		return v
	}
	of := func(m []float64, row int) float64 {
		switch n := s.log.Objectives(); {
		case m == nil:
			return math.NaN()
		case n > maxPaired:
			return least(m, row)
		default:
			p := pairs[row]
			return m[p[0]*n+p[1]]
		}
	}
	return &strips{s: s, name: "conflict", heading: "Conflict over the steps", upper: "each step", lower: "averaged",
		handle: kinds.MarkerHandle,
		rows: func() (names []string) {
			if s.log.Objectives() > maxPaired {
				return s.log.Names()
			}
			for _, p := range s.allPairs() {
				names = append(names, s.pairName(p[0], p[1]))
			}
			return names
		},
		cell: func(row, k int) (float64, float64) {
			raw, mean := load(k)
			return of(raw, row), of(mean, row)
		},
		words: func(row, k int) []string {
			raw, mean := load(k)
			lines := []string{"cosine on this batch " + timeline.Number(of(raw, row))}
			if mean != nil {
				lines = append(lines, fmt.Sprintf("averaged over %s %s", numeral.Counted(s.values.Window, "record"), timeline.Number(of(mean, row))))
			}
			return lines
		},
		shade:  cosineShade,
		legend: cosineEntries,
		note:   s.explainRows,
		named:  s.standingOut,
		missing: func() string {
			if text := s.waiting(); text != "" {
				return text
			}
			if s.log.Objectives() == 1 {
				return "A single objective has no conflicts."
			}
			return ""
		},
		lacking: func() string {
			switch {
			case !s.log.HasCross():
				return "The log has no second batch: noise and conflict cannot be separated."
			case s.log.Records() < s.values.Window:
				return "The log has fewer records than the window."
			}
			return ""
		},
		key:  func() string { return fmt.Sprintf("%p %d", s.log, s.values.Window) },
		text: s.describeConflict,
	}
}

// explainRows returns explanations of the rows and their colours, the longest first.
func (s *Scene) explainRows() []string {
	row, colour := "each row is a pair of tasks", ", violet where their gradients conflict"
	if s.log.Objectives() > maxPaired {
		row, colour = "each row is a task", ", violet where its gradient conflicts with another"
	}
	out := []string{row + colour, row}
	if s.log.HasCross() {
		out = slices.Insert(out, 0, fmt.Sprintf("%s; below, averaged over %d steps", row+colour, int64(s.values.Window)*s.log.Stride()))
	}
	return out
}

// standingOut returns labels of the pairs of tasks that conflict most often and least often after averaging out noise.
// It returns nil while these pairs are unknown, if all pairs are alike, or if the rows are not pairs.
func (s *Scene) standingOut() []namedStrip {
	if s.report == nil || s.log.Objectives() > maxPaired || s.unfolded.Share() < 1 {
		return nil
	}
	pairs := s.report.Pairs
	if len(pairs) == 0 || slices.ContainsFunc(pairs, func(p runlog.Pair) bool { return p.Averaged == nil }) {
		return nil
	}
	// Like the verdict, order pairs with equal shares by their conflict on single batches.
	order := func(p, q runlog.Pair) int {
		return cmp.Or(cmp.Compare(*p.Averaged, *q.Averaged), cmp.Compare(p.Conflict, q.Conflict))
	}
	least, most := slices.MinFunc(pairs, order), slices.MaxFunc(pairs, order)
	if *least.Averaged == *most.Averaged {
		return nil
	}
	rows := s.allPairs()
	say := func(p runlog.Pair) namedStrip {
		i, j := min(p.I, p.J), max(p.I, p.J)
		return namedStrip{slices.Index(rows, [2]int{i, j}), fmt.Sprintf("%s: %s conflict", s.pairName(i, j), percent(*p.Averaged))}
	}
	return []namedStrip{say(most), say(least)}
}

type conflictKey struct {
	log    any
	window int
}

// cosineShade returns the colour of a cosine: the accent for conflict, grey for agreement.
func cosineShade(t *brush.Theme, v float64) color.NRGBA {
	if v < 0 {
		return t.Tint(t.Accent, 0.1+float64(0.9*math.Sqrt(min(1, -v))))
	}
	return t.Tint(t.Muted, 0.06+float64(0.5*min(1, v)))
}

// cosineEntries returns the legend entries of the cosines' colours.
func cosineEntries(t *brush.Theme) []axes.Entry {
	return []axes.Entry{{Label: "conflict", Area: cosineShade(t, -1)}, {Label: "agreement", Area: cosineShade(t, 1)}}
}

func (s *Scene) describeConflict() string {
	if text := s.pending(); text != "" {
		return text
	}
	r := s.report
	text := fmt.Sprintf("At least one pair of gradients conflicts in %s of %s.", percent(r.ConflictShare),
		numeral.Counted(r.Records, "record"))
	var raw, mean float64
	averaged := len(r.Pairs) > 0
	for _, p := range r.Pairs {
		raw += p.Conflict / float64(len(r.Pairs))
		if averaged = averaged && p.Averaged != nil; averaged {
			mean += *p.Averaged / float64(len(r.Pairs))
		}
	}
	text += fmt.Sprintf(" Of all pairs, %s conflict on single batches", percent(raw))
	if averaged {
		text += fmt.Sprintf(", and %s when averaged over %s", percent(mean), numeral.Counted(r.Window, "record"))
	}
	return text + "."
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// hurtStrips shows, for each step, how far each method goes against the objective that suffers most. The upper band
// uses the batch that decided the step, and the lower band uses another batch.
func (s *Scene) hurtStrips() *strips {
	series := func(row int) (least, other []float64) {
		of := s.report.Equal.Series
		if row > 0 {
			of = s.report.Methods[row-1].Series
		}
		return of.Least, of.Other
	}
	harm := func(v []float64, k int) float64 {
		if v == nil {
			return math.NaN()
		}
		return max(0, -v[k])
	}
	return &strips{s: s, name: "hurt", heading: "Who is hurt", upper: "data it saw", lower: "other data",
		rows: func() []string {
			names := []string{"Equal weights"}
			for i := range s.report.Methods {
				names = append(names, title(s.report.Methods[i].Name))
			}
			return names
		},
		cell: func(row, k int) (float64, float64) {
			least, other := series(row)
			return harm(least, k), harm(other, k)
		},
		words: func(row, k int) []string {
			least, other := series(row)
			lines := []string{"lowest cosine on the step’s batch " + timeline.Number(least[k])}
			if other != nil {
				lines = append(lines, "on another batch "+timeline.Number(other[k]))
			}
			return lines
		},
		shade: func(t *brush.Theme, v float64) color.NRGBA {
			if v <= 1e-9 {
				return t.Tint(t.Muted, 0.08)
			}
			return t.Tint(t.Accent, 0.25+float64(0.75*math.Sqrt(min(1, v))))
		},
		legend: func(t *brush.Theme) []axes.Entry {
			return []axes.Entry{{Label: "an objective is hurt", Area: t.Tint(t.Accent, 0.8)}, {Label: "none is", Area: t.Tint(t.Muted, 0.08)}}
		},
		missing: s.pending,
		lacking: func() string {
			if !s.log.HasCross() {
				return "The log has no second batch."
			}
			return ""
		},
		key:  func() string { return fmt.Sprintf("%p", s.report) },
		text: s.describeHurt,
	}
}

func (s *Scene) describeHurt() string {
	if text := s.pending(); text != "" {
		return text
	}
	var parts []string
	say := func(name string, hurt float64, independent *float64) {
		text := fmt.Sprintf("%s in %s of the records on the step’s own batch", name, percent(hurt))
		if independent != nil {
			text += ", in " + percent(*independent) + " on another"
		}
		parts = append(parts, text)
	}
	say("Equal weights", s.report.Equal.Hurt, s.report.Equal.Independent)
	for i := range s.report.Methods {
		m := &s.report.Methods[i]
		say(title(m.Name), m.Hurt, m.Independent)
	}
	return "A step hurts an objective: " + strings.Join(parts, "; ") + "."
}

package fronts

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// objectivePanel shows the front, the runs, the draggable reference point, and the selected method's hypervolume and mixtures.
func (s *Scene) objectivePanel() axes.Panel {
	line := s.Timeline()
	track := &kinds.Tracks{Timeline: line, Name: "objective",
		Point: func(r timeline.Row) (float64, float64) { return r.F[0], r.F[1] },
		Stroke: func(t *brush.Theme, r timeline.Track) brush.Stroke {
			if kinds.Greyed(line, r) {
				return brush.Stroke{Color: kinds.Grey(t), Width: 1}
			}
			look, faint := t.Look(r.Method), 0.35 // paths are faint, because they only show how the points arrived where they are
			if r.Method == s.selected() {
				faint = 0.55
			}
			return brush.Stroke{Color: brush.Faded(look.Hue, faint), Width: 1.25, Dash: look.Dash}
		},
	}
	p := &axes.Plane{Name: "objective", Heading: "Objective space", Moving: track.Moving}
	p.Axes = func() (axes.Axis, axes.Axis) { return s.front.x, s.front.y }
	p.Sheets = func() []axes.Sheet {
		sheets := []axes.Sheet{{Key: "front " + s.front.name, Draw: s.drawFront}, {Draw: s.drawVolume}}
		sheets = append(sheets, track.Sheets()...)
		return append(sheets, axes.Sheet{Draw: func(b *brush.Brush) {
			s.drawMixtures(b)
			track.Ends(b)
			track.Outside(b)
			s.drawKnee(b)
			s.nameReference(b)
			if b.Frame.Detail == brush.Full {
				s.nameStopped(b)
			}
		}})
	}
	p.Grips = func() []axes.Grip {
		r := s.reference()
		return []axes.Grip{{ID: referenceHandle, Label: "reference point",
			Value: fmt.Sprintf("f1 = %s, f2 = %s", numeral.Fixed(r[0], 3), numeral.Fixed(r[1], 3)),
			X:     r[0], Y: r[1], StepX: 0.01, StepY: 0.05}}
	}
	p.Find = track.Find
	p.Legend = func(t *brush.Theme) []axes.Entry {
		out := kinds.MethodEntries(t, Methods, line)
		if method := s.selected(); method != "" {
			out = append(out, axes.Entry{Label: "dominated by " + s.values.Title(method) + "’s solutions", Area: volumeColor(t, method)})
		}
		if method := s.selected(); s.mixtures[method] != nil {
			out = append(out, axes.Entry{Label: "target: best for one mixture of the goals", Shape: brush.Ring, Fill: t.Ink},
				axes.Entry{Label: "who serves it", Stroke: servesStroke(t, method, 1.5)})
		}
		return append(out, axes.Entry{Label: "the front: no point is better", Stroke: brush.Stroke{Color: t.Optimum, Width: 7}})
	}
	p.Text = s.describe
	return p
}

// reference returns the reference point of the hypervolume.
func (s *Scene) reference() []float64 { return s.values.reference(s.front) }

// selected returns the method shown in detail, or "" if nothing runs.
func (s *Scene) selected() string {
	if r := s.Timeline().Selected(); r.Run != nil {
		return r.Method
	}
	return ""
}

func (s *Scene) drawFront(b *brush.Brush) {
	left, right, _, top := b.Bounds()
	b.Box(left, s.front.y.Knee, right, top, b.Theme.Tint(b.Theme.Ink, 0.04))
	if edge := s.front.boundary; edge != nil {
		b.Line(len(edge), func(i int) (float64, float64) { return edge[i][0], edge[i][1] },
			brush.Stroke{Color: brush.Faded(b.Theme.Rule, 0.6), Width: 1})
	}
	for _, piece := range s.front.pieces {
		b.Optima(len(piece), func(i int) (float64, float64) { return piece[i][0], piece[i][1] })
	}
}

// nameStopped labels the lowest solution that stopped above the front. The label says why such solutions stop.
func (s *Scene) nameStopped(b *brush.Brush) {
	names, lowest := axes.NewNames(b), []float64(nil)
	names.Keep(b.LabelArea(s.kneeLabel(b)))
	names.Keep(b.LabelArea(s.referenceLabel(b)))
	for _, run := range s.Timeline().Runs() {
		for _, f := range pointsOf(s.at(run)) {
			names.KeepPoint(f[0], f[1])
		}
		for _, f := range s.weak(s.at(run)) {
			if lowest == nil || f[1] < lowest[1] {
				lowest = f
			}
		}
	}
	if lowest != nil {
		names.Put(axes.Name{X: lowest[0], Y: lowest[1], Text: "stopped: no step helps both", Size: brush.SmallText,
			Sides: []brush.Align{{X: 1, Y: -1}, {X: 1}, {X: 1, Y: 1}}})
	}
	names.Draw()
}

// drawKnee marks where the compression of the vertical axis begins.
func (s *Scene) drawKnee(b *brush.Brush) {
	b.HLine(s.front.y.Knee, brush.Stroke{Color: b.Theme.Rule, Width: 1, Dash: []vg.Length{2, 3}})
	if b.Frame.Detail != brush.Full {
		return
	}
	at, words, size, side := s.kneeLabel(b)
	b.LabelAt(at, words, size, b.Theme.Muted, side)
}

// kneeLabel returns the label of the compressed part of the vertical axis.
func (s *Scene) kneeLabel(b *brush.Brush) (at vg.Point, words string, size vg.Length, side brush.Align) {
	_, right, _, _ := b.Bounds()
	return b.At(right, s.front.y.Knee), "scale squeezed", brush.SmallText, brush.Align{X: -1, Y: 1}
}

// ringRadius is the radius of the reference point's ring, in pixels.
const ringRadius = 12

// nameReference labels the ring at the corner of the hypervolume. If the point is outside the picture, nameReference
// draws an arrow at the edge.
func (s *Scene) nameReference(b *brush.Brush) {
	if b.Frame.Detail != brush.Full {
		return
	}
	if r := s.reference(); !b.Contains(r[0], r[1]) {
		b.Outward(r[0], r[1], ringRadius, b.Theme.Accent)
	}
	at, words, size, side := s.referenceLabel(b)
	b.LabelAt(at, words, size, b.Theme.Muted, side)
}

// referenceLabel returns the label of the reference point. The label is beyond the ring, clear of the symbols, or
// before the ring if there is no room beyond it. If the point is outside the picture, the label states the point's
// coordinates and is at the edge.
func (s *Scene) referenceLabel(b *brush.Brush) (at vg.Point, words string, size vg.Length, side brush.Align) {
	r := s.reference()
	at, words, side = b.At(r[0], r[1]), "reference point", brush.RightOf
	if !b.Contains(r[0], r[1]) {
		at = b.Edge(r[0], r[1])
		words = numeral.Minus(fmt.Sprintf("reference point: outside the picture, at (%.3g, %.3g)", r[0], r[1]))
	}
	if at.X+ringRadius+b.Width(words)+ringRadius > b.Frame.Width {
		side = brush.LeftOf
	}
	return at.Add(vg.Point{X: vg.Length(ringRadius * side.X)}), words, brush.SmallText, side
}

func volumeColor(t *brush.Theme, method string) color.Color {
	return brush.Faded(t.Look(method).Hue, 0.24)
}

// servesStroke returns the stroke of a line from a solution to a mixture that it serves. It is faint and dotted, because there are many
// lines, and the paths of the solutions matter more.
func servesStroke(t *brush.Theme, method string, width vg.Length) brush.Stroke {
	return brush.Stroke{Color: brush.Faded(t.Look(method).Hue, 0.4), Width: width, Dash: []vg.Length{1.5, 3}}
}

// drawVolume shades the area that the selected method's solutions dominate at the marker, up to the reference point.
func (s *Scene) drawVolume(b *brush.Brush) {
	run := s.Timeline().Selected().Run
	if run == nil {
		return
	}
	fill := volumeColor(b.Theme, run.Method)
	for _, r := range slabs(pointsOf(run.Kept(run.Index(min(s.Timeline().Marker(), run.Last())))), s.reference()) {
		b.Polygon(4, func(i int) (float64, float64) {
			return [...]float64{r.left, r.right, r.right, r.left}[i], [...]float64{r.low, r.low, r.high, r.high}[i]
		}, fill)
	}
}

// slab is an upright rectangle.
type slab struct{ left, right, low, high float64 }

// slabs divides the area that points dominate below a reference point into slabs, from left to right.
func slabs(points [][]float64, reference []float64) (out []slab) {
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, func(p, q []float64) int { return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1])) })
	low := reference[1]
	for _, p := range sorted {
		if p[0] >= reference[0] || p[1] >= low {
			continue
		}
		if len(out) > 0 {
			out[len(out)-1].right = p[0]
		}
		low = p[1]
		out = append(out, slab{p[0], reference[0], low, reference[1]})
	}
	return out
}

// pointsOf returns the objectives of all solutions in a run's row.
func pointsOf(row timeline.Row) [][]float64 {
	points := make([][]float64, len(row.F)/2)
	for j := range points {
		points[j] = row.F[2*j : 2*j+2]
	}
	return points
}

// drawMixtures marks, for each weighted sum that the selected method descends, the point of the front at which the sum
// is smallest. Lines connect each mixture to the solutions that serve it in the displayed step's plan. A wider line
// means more mass.
func (s *Scene) drawMixtures(b *brush.Brush) {
	chosen := s.Timeline().Selected()
	list := s.mixtures[s.selected()]
	if list == nil {
		return
	}
	row := chosen.Run.Kept(chosen.Index(min(s.Timeline().Marker(), chosen.Last())))
	mass, columns := s.servedBy(chosen.Run, len(list))
	for i, m := range list {
		for j := range columns {
			if v := float64(mass[i*columns+j] * float64(len(list))); v > 0.01 {
				b.Line(2, func(end int) (float64, float64) {
					if end == 0 {
						return row.F[2*j], row.F[2*j+1]
					}
					return m.least[0], m.least[1]
				}, servesStroke(b.Theme, chosen.Method, vg.Length(0.5+v)))
			}
		}
	}
	for _, m := range list {
		b.Marker(m.least[0], m.least[1], brush.Ring, 3, b.Theme.Ink, true)
	}
}

// servedBy returns the plan of the step at the marker, in rows with one column for each solution. With linearization, each solution has
// its own sum. Before the first step there is no plan, and columns is 0.
func (s *Scene) servedBy(run *timeline.Run, rows int) (mass []float64, columns int) {
	if run.Method == plans.Linearization {
		mass = make([]float64, rows*rows)
		for j := range rows {
			mass[j*rows+j] = 1 / float64(rows)
		}
		return mass, rows
	}
	step, err := s.Timeline().At(run, max(min(s.Timeline().Marker(), run.Last()-1), 0))
	if err != nil {
		return nil, 0
	}
	mass, columns, _ = plans.PlanOf(run, step)
	return mass, columns
}

// describe returns the description of the panel of the objectives.
func (s *Scene) describe() string {
	line := s.Timeline()
	var parts []string
	for _, run := range line.Runs() {
		part := fmt.Sprintf("%s’s %.0f %% with %s", run.Title, 100*s.volumeAt(run)/s.front.optimum(s.reference()),
			numeral.Counted(s.kindsAt(run), "kind"))
		if n := len(s.weak(s.at(run))); n > 0 {
			part += fmt.Sprintf(", %d of %d stopped above the front", n, run.Solutions())
		}
		parts = append(parts, part)
	}
	r := s.reference()
	return fmt.Sprintf("After %s, the solutions reach these shares of the whole front’s hypervolume: %s. The hypervolume is the "+
		"area that they dominate below the reference point (%s, %s). %s%s", numeral.Counted(line.Marker(), "round"), strings.Join(parts, "; "),
		timeline.Number(r[0]), timeline.Number(r[1]), runs.DescribeSelected(line), runs.DescribeDiverged(line))
}

package blocksteps

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/timeline"
)

// turnsHandle is the ID of the frequencies' handle.
const turnsHandle = "turns"

// turns returns the current frequencies and their sum p.
func (s *Scene) turns() (m []int, p int) {
	m = s.values.Frequencies(s.problem)
	for _, times := range m {
		p += times
	}
	return m, p
}

// turnsPanels returns the panels of the frequencies, which can be dragged. For two objectives the frequencies form a
// line, and the objectives' values at the minimiser of F_m are plotted above it. For three objectives they form a
// triangle.
func (s *Scene) turnsPanels() (line, triangle *axes.Plane) {
	const name, heading = "frequencies", "How the turns are shared"
	line = &axes.Plane{Name: name, Heading: heading, Text: s.describeTurns}
	line.Axes = func() (axes.Axis, axes.Axis) {
		return axes.Axis{Label: "share of the turns of f_2", Short: "share of goal 2’s turns", Min: 0, Max: 1},
			axes.Axis{Label: "f where F_m is least", Short: "losses at the mixture’s minimum", Min: 0, Max: s.frontMost}
	}
	line.Sheets = func() []axes.Sheet {
		return []axes.Sheet{{Key: fmt.Sprint("line ", s.Timeline().Version()), Draw: s.drawLine}, {Draw: s.drawRuns}}
	}
	triangle = &axes.Plane{Name: name, Heading: heading, Text: s.describeTurns, Bare: true, Equal: true}
	triangle.Axes = func() (axes.Axis, axes.Axis) {
		return axes.Axis{Min: -0.2, Max: 1.2}, axes.Axis{Min: -0.14, Max: 1}
	}
	triangle.Sheets = func() []axes.Sheet {
		switch {
		case s.problem == nil:
			return axes.WordSheets(s.waiting())
		case len(s.goal.Weights) > 3:
			return axes.WordSheets("With more than three objectives, set m beside the picture.")
		}
		return []axes.Sheet{{Key: fmt.Sprint("triangle ", s.Timeline().Version()), Draw: s.drawTriangle}}
	}
	for _, p := range []*axes.Plane{line, triangle} {
		p.Grips = s.turnsGrips
		p.Legend = func(*brush.Theme) []axes.Entry { return nil }
	}
	line.Find, line.Marks, triangle.Find = s.findRun, s.markRun, s.findTurns
	line.Key = func(t *brush.Theme) (out []axes.Entry) {
		for k := range 2 {
			out = append(out, axes.EntryOf(t.Goal(k), fmt.Sprintf("f_%d", k+1)))
		}
		return out
	}
	line.Legend = func(t *brush.Theme) []axes.Entry {
		return append(kinds.MethodEntries(t, Methods, s.Timeline()), line.Key(t)...)
	}
	return line, triangle
}

// turnsGrips returns the handle for the frequencies.
func (s *Scene) turnsGrips() []axes.Grip {
	if s.problem == nil || len(s.goal.Weights) > 3 {
		return nil
	}
	m, total := s.turns()
	x, y := sweeps.Place(s.goal.Weights)
	g := axes.Grip{ID: turnsHandle, Label: "frequencies", Value: param.FormatFrequencies(m), X: x, Y: y, StepX: 1 / float64(total)}
	if len(m) == 3 {
		_, top := sweeps.Corner(2, 3)
		g.StepY = top / float64(total)
	}
	return []axes.Grip{g}
}

// dragTurns returns the frequencies for the handle's new position. It keeps their sum.
func (s *Scene) dragTurns(x, y float64) (name, text string) {
	if s.problem == nil {
		return "", ""
	}
	m, total := s.turns()
	weights := []float64{1 - x, x}
	switch len(m) {
	case 2:
	case 3:
		weights = sweeps.SharesAt(x, y)
	default:
		return "", ""
	}
	return "m", param.FormatFrequencies(sweeps.Divide(weights, total))
}

// drawLine draws the values of two objectives at the minimiser of F_m as curves over the shares of the turns.
func (s *Scene) drawLine(b *brush.Brush) {
	for k := range 2 {
		look, at := b.Theme.Goal(k), func(i int) (float64, float64) { return float64(i) / setPoints, s.along(i)[k] }
		b.Line(setPoints+1, at, look.Stroke(2.5))
		const marked = 8 // marks every eighth point
		for i := marked / 2; i <= setPoints; i += marked {
			x, y := at(i)
			b.Marker(x, y, look.Shape, sweeps.StepSign, look.Hue, true)
		}
	}
}

// along returns the objectives' values at point i of the Pareto set between the first two objectives.
func (s *Scene) along(i int) []float64 {
	f := make([]float64, len(s.goal.F))
	s.problem.Values(f, s.pairs[0][i])
	return f
}

// findRun returns the run's marker, or the point of an objective's curve, that is under the pointer.
func (s *Scene) findRun(b *brush.Brush, at vg.Point) (best axes.Pick, _ bool) {
	if s.problem == nil {
		return best, false
	}
	near := b.Nearest(at)
	x, _ := sweeps.Place(s.goal.Weights)
	for _, r := range s.Timeline().Tracks() {
		row := s.Timeline().AtMarker(r)
		for _, f := range row.F {
			if runs.FromSelectedStart(s.Timeline(), r) && near.Closer(x, f) {
				best = axes.Pick{Run: r.Name(), K: row.K, At: near.At, Lines: s.planeLines(r, row)}
			}
		}
	}
	if near.Found {
		return best, true
	}
	for i := range setPoints + 1 {
		share, f := float64(i)/setPoints, s.along(i)
		for k := range 2 {
			if near.Closer(share, f[k]) {
				best = axes.Pick{K: -1, At: near.At,
					Lines: []string{"share of f2: " + timeline.Number(share), "f where F_m is least: " + timeline.Vector(f)}}
			}
		}
	}
	return best, near.Found
}

// markRun draws rings around a run's values of both objectives at an iteration.
func (s *Scene) markRun(b *brush.Brush, run string, k int) {
	r := s.Timeline().Find(run)
	if r.Run == nil || s.problem == nil {
		return
	}
	row := s.Timeline().Shown(r)
	if k >= 0 {
		row = r.Kept(r.Index(min(k, r.Last())))
	}
	x, _ := sweeps.Place(s.goal.Weights)
	for _, f := range row.F {
		b.Ring(x, f, b.Theme.Look(r.Method).Hue)
	}
}

// findTurns describes the frequencies at a point of the triangle, and the objectives' values to which they lead.
func (s *Scene) findTurns(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	if s.problem == nil || len(s.goal.Weights) != 3 {
		return axes.Pick{}, false
	}
	weights := sweeps.SharesAt(b.World(at))
	const slack = 0.02
	if slices.Min(weights) < -slack {
		return axes.Pick{}, false
	}
	_, p := s.turns()
	m := sweeps.Divide(weights, p)
	g, err := sweeps.NewGoal(s.problem, m)
	if err != nil {
		return axes.Pick{}, false
	}
	return axes.Pick{K: -1, At: b.At(sweeps.Place(g.Weights)),
		Lines: []string{"m = (" + param.FormatFrequencies(m) + ")", "f where F_m is least: " + timeline.Vector(g.F)}}, true
}

// drawRuns marks each run's values of both objectives above the handle. Each marker has the shape of the run's method
// and contains the objective's marker. The selected run's markers are larger and are drawn beneath the others, because
// runs come to rest at the same values.
func (s *Scene) drawRuns(b *brush.Brush) {
	x, _ := sweeps.Place(s.goal.Weights)
	b.TimeMarker(x)
	draw := func(r timeline.Track, radius vg.Length) {
		for k, f := range s.Timeline().Shown(r).F {
			look, goal := b.Theme.Look(r.Method), b.Theme.Goal(k)
			b.Marker(x, f, look.Shape, radius, look.Hue, true)
			b.Marker(x, f, goal.Shape, 2.5, goal.Hue, true)
		}
	}
	selected := s.Timeline().Selected()
	if selected.Run != nil {
		draw(selected, 7)
	}
	for _, r := range s.Timeline().Tracks() {
		if r != selected && runs.FromSelectedStart(s.Timeline(), r) {
			draw(r, 4.5)
		}
	}
}

// maxDots is the maximum number of frequencies marked by dots.
const maxDots = 600

// drawTriangle draws all frequencies with the same sum, and names the objectives at the corners.
func (s *Scene) drawTriangle(b *brush.Brush) {
	b.Line(4, func(i int) (float64, float64) { return sweeps.Corner(i%3, 3) }, brush.Stroke{Color: b.Theme.Rule, Width: 1})
	if _, p := s.turns(); (p+1)*(p+2)/2 <= maxDots {
		part := 1 / float64(p)
		for i := range p + 1 {
			for j := range p + 1 - i {
				x, y := sweeps.Place([]float64{float64(i) * part, float64(j) * part, float64(p-i-j) * part})
				b.Marker(x, y, brush.Circle, 1.5, b.Theme.Rule, false)
			}
		}
	}
	for k := range 3 {
		x, y := sweeps.Corner(k, 3)
		look := b.Theme.Goal(k)
		b.Marker(x, y, look.Shape, 5, look.Hue, true)
		b.Text(x, y+[3]float64{0, 0, 0.02}[k], fmt.Sprintf("f_%d", k+1), brush.HeadingText, b.Theme.Ink, brush.Align{Y: [3]float64{-1, -1, 1}[k]})
	}
	if b.Frame.Detail == brush.Full {
		x, y := sweeps.Place(s.goal.Weights)
		b.Label(x, y-0.06, "f = "+timeline.Vector(s.goal.F), brush.LabelText, b.Theme.Ink, brush.Below)
	}
}

func (s *Scene) describeTurns() string {
	if s.problem == nil {
		return s.waiting()
	}
	m, p := s.turns()
	return fmt.Sprintf("m = (%s), p = %d: the losses at the minimum of the weighted sum are f = %s.",
		param.FormatFrequencies(m), p, timeline.Vector(s.goal.F))
}

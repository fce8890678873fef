package networktasks

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/timeline"
)

// shares returns the weights of a row's step, divided by their sum, or nil if there are none.
func shares(row timeline.Row) []float64 {
	sum := 0.0
	for _, w := range row.Weights {
		sum += math.Abs(w)
	}
	if !(sum > 0) {
		return nil
	}
	out := make([]float64, len(row.Weights))
	for i, w := range row.Weights {
		out[i] = math.Abs(w) / sum
	}
	return out
}

// weightsPanel returns the panel of the selected run's weights, with one row per task and the steps from left to right.
func (s *Scene) weightsPanel() axes.Panel {
	p := &axes.Plane{Name: "weights", Heading: "Weights of the selected method", Text: s.describeWeights}
	p.Axes = func() (axes.Axis, axes.Axis) {
		y := axes.NumberedAxis(max(1, s.tasks()), "", true)
		y.Label = "task"
		return axes.Axis{Label: "step", Min: 0, Max: float64(max(1, s.Timeline().Budget())), Integer: true}, y
	}
	p.Sheets = func() []axes.Sheet {
		t := s.Timeline()
		key := fmt.Sprint("network weights ", s.runsKey(), t.SelectedName(), t.Latest()/8, t.Running())
		return []axes.Sheet{{Key: key, Draw: s.drawWeights}, {Draw: func(b *brush.Brush) {
			if s.net != nil {
				b.TimeMarker(float64(t.Marker()))
			}
		}}}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return nil
		}
		full := "half of the weight or more"
		if s.tasks() == 2 {
			full = "all of it"
		}
		return []axes.Entry{{Label: "none of the weight", Area: weightShade(t, 0)},
			{Label: full, Area: weightShade(t, 1)},
			{Label: "computed anew", Tick: true, Stroke: brush.Stroke{Color: t.Look(r.Method).Hue, Width: 1.5}}}
	}
	p.Key = func(t *brush.Theme) []axes.Entry {
		return []axes.Entry{{Label: "from zero to high", Ramp: true}}
	}
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		r := s.Timeline().Selected()
		if r.Run == nil || !b.Canvas.Contains(at) {
			return axes.Pick{}, false
		}
		x, y := b.World(at)
		row := r.Kept(r.Index(max(0, min(int(x), r.Last()))))
		task := max(0, min(s.tasks()-1, s.tasks()-1-int(math.Round(y))))
		lines := []string{fmt.Sprintf("%s, step %d", r.Title, row.K), s.net.Names()[task]}
		if of := shares(row); of != nil {
			lines = append(lines, fmt.Sprintf("%s of the weight", timeline.Significant(of[task])))
		}
		return axes.Pick{Run: r.Name(), K: row.K, At: at, Lines: lines}, true
	}
	return p
}

// weightShade returns the colour of a share, given relative to the share with the strongest colour. The shade depends
// on the square root of the share, so that small shares remain distinguishable.
func weightShade(t *brush.Theme, share float64) color.NRGBA {
	return t.Ramp(0.02 + float64(0.98*math.Sqrt(min(1, share))))
}

func (s *Scene) drawWeights(b *brush.Brush) {
	if s.net == nil {
		b.Words(waiting)
		return
	}
	r := s.Timeline().Selected()
	last, tasks := r.Last(), s.tasks()
	if last == 0 {
		return
	}
	size := b.Canvas.Size()
	end := b.At(float64(last), 0).X
	wide := end - b.Canvas.Min.X
	columns := max(1, min(last, int(wide)))
	const none = -1.0
	full := 0.5 // share with the strongest colour: half the weight or, with two tasks, all of it
	if tasks == 2 {
		full = 1
	}
	cells := make([]float64, columns*tasks)
	for c := range columns {
		row := r.Kept(r.Index(min(last-1, c*last/columns)))
		of := shares(row)
		for task := range tasks {
			cells[task*columns+c] = none
			if of != nil {
				cells[task*columns+c] = of[task]
			}
		}
	}
	b.Dots(vg.Rectangle{Min: b.Canvas.Min, Max: vg.Point{X: end, Y: b.Canvas.Min.Y + size.Y}}, tasks, columns, func(task, c int) color.NRGBA {
		if v := cells[task*columns+c]; v != none {
			return weightShade(b.Theme, v/full)
		}
		return b.Theme.Paper
	})
	if b.Frame.Detail == brush.Thumbnail {
		return
	}
	b.Ticks(r.Len(), func(i int) float64 {
		if row := r.Kept(i); row.Refreshed {
			return float64(row.K)
		}
		return math.NaN()
	}, brush.Stroke{Color: b.Theme.Look(r.Method).Hue, Width: 1.5})
}

func (s *Scene) describeWeights() string {
	if s.net == nil {
		return waiting
	}
	r := s.Timeline().Selected()
	of := shares(s.Timeline().ShownStep(r))
	if of == nil {
		return r.Title + " has not yet taken a step that uses weights."
	}
	most, carried := 0, 0
	for task, v := range of {
		if v > of[most] {
			most = task
		}
		if v > 1e-3 {
			carried++
		}
	}
	return fmt.Sprintf("The weights of %s, with one row per task. At the marker, %d of %d tasks have some weight; the largest, %s, belongs "+
		"to “%s”.", r.Title,
		carried, len(of), timeline.Significant(of[most]), s.net.Names()[most])
}

// periods returns PSMGD's periods R, and the step from which each applies.
func (s *Scene) periods() (from, period []int) {
	from, period = []int{0}, []int{s.period}
	for _, c := range s.Timeline().Log() {
		if r, err := strconv.Atoi(c.Text); c.Name == "R" && err == nil {
			from, period = append(from, c.K), append(period, r)
		}
	}
	return from, period
}

// anew returns the last step, up to the step from iteration k, in which a method computed weights.
func (s *Scene) anew(method string, k int) int {
	if method != psmgd {
		return k
	}
	from, period := s.periods()
	end := k
	for i := len(from) - 1; i >= 0; i-- {
		if last := end / period[i] * period[i]; from[i] <= end && last >= from[i] {
			return last
		}
		end = min(end, from[i]-1)
	}
	return 0
}

// age returns how many steps ago the weights of a row's step were computed. The result is NaN if the row has no step,
// or if weights are never computed.
func (s *Scene) age(row timeline.Row) float64 {
	if row.Weights == nil || row.Run().Method == ls {
		return math.NaN()
	}
	return float64(row.K - s.anew(row.Run().Method, row.K))
}

package blocksteps

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/blocks"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/sweeps"
	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// These are the moments of the step to the marker, in order. A picture shows the step up to a moment, and the whole
// step at the last moment.
const (
	momentBlock = iota
	momentObjective
	momentGradient
	momentMove
	moments
)

var momentNames = [moments]string{"block", "objective", "gradient", "move"}

// momentDurations returns the times in seconds for which slow motion shows each moment.
func (s *Scene) momentDurations() []float64 { return []float64{0.8, 0.8, 1, 0.9} }

var _ scene.SlowMotion = (*Scene)(nil)

// Displayed shows whole steps again when slow motion ends.
func (s *Scene) Displayed() error {
	s.EndIfOff()
	return nil
}

// moved returns the drawn share of the step to the marker.
func (s *Scene) moved() float64 {
	if !s.Partway() {
		return 1
	}
	return math.Max(0, s.values.Moment-momentMove)
}

// pointOf returns the position at which a row is drawn. During the step to the marker, the marker's row is drawn part
// of the way.
func (s *Scene) pointOf(row timeline.Row) (x, y float64) {
	x, y = runs.Flat(row.X)
	if moved := s.moved(); moved < 1 && row.K == s.Timeline().Marker() && row.Run() != nil {
		r := row.Run()
		h, v := runs.Flat(timeline.Track{Run: r}.Kept(r.Index(row.K - 1)).X)
		return h + float64(moved*(x-h)), v + float64(moved*(y-v))
	}
	return x, y
}

// due returns the row from which the selected run's step to the marker starts. If the whole step is shown, ok is false.
func (s *Scene) due() (row timeline.Row, ok bool) {
	r, k := s.Timeline().Selected(), s.Timeline().Marker()
	if r.Run == nil || k < 1 || k > r.Last() {
		return row, false
	}
	row = r.Kept(r.Index(k - 1))
	return row, row.Direction != nil
}

// coordinatesOf returns the indices of the variables that the step from a row moves.
func (s *Scene) coordinatesOf(row timeline.Row) []int {
	if sweeps.Parts(row.Run().Method) && s.parts != nil {
		return s.parts[int(row.Number(sweeps.BlockName))]
	}
	all := make([]int, len(row.X))
	for i := range all {
		all[i] = i
	}
	return all
}

// drawMoment draws the step to the marker up to the current moment.
func (s *Scene) drawMoment(b *brush.Brush) {
	row, ok := s.due()
	if !ok || !s.Partway() || len(s.Start) > 2 {
		return
	}
	x, y := runs.Flat(row.X)
	own := s.coordinatesOf(row)
	axis := brush.Stroke{Color: b.Theme.Accent, Width: 1.5, Dash: []vg.Length{2, 3}}
	if len(own) == 1 && own[0] == 0 {
		b.HLine(y, axis)
	} else if len(own) == 1 {
		b.VLine(x, axis)
	}
	objective := row.Number(sweeps.ObjectiveName)
	hue := b.Theme.Look(row.Run().Method).Hue
	stroke := brush.Stroke{Color: hue, Width: 2}
	if objective >= 0 {
		stroke = b.Theme.Goal(int(objective)).Stroke(2)
	}
	if s.Stage() >= momentObjective && len(s.Start) == 2 {
		value := s.goalValue(objective)
		b.Contours(levelNodes, levelNodes, value, []float64{value(x, y)}, stroke)
	}
	if s.Stage() >= momentGradient {
		arrow := func(dx, dy float64, stroke brush.Stroke) {
			b.Arrow(x, y, x-float64(row.StepSize*dx), y-float64(row.StepSize*dy), stroke)
		}
		if whole, known := s.wholeGradient(row.X, objective); known && len(own) < len(row.X) {
			dx, dy := runs.Flat(whole)
			arrow(dx, dy, brush.Stroke{Color: b.Theme.Muted, Width: 1.5, Dash: []vg.Length{4, 3}})
		}
		dx, dy := runs.Flat(row.Direction)
		arrow(dx, dy, brush.Stroke{Color: b.Theme.Ink, Width: 2.5})
	}
	b.Caption(s.momentText())
}

// goalValue returns the objective whose gradient a step followed, as a function of the two variables in the plane.
func (s *Scene) goalValue(objective float64) func(x, y float64) float64 {
	f, at := make([]float64, len(s.goal.F)), make([]float64, 2)
	return func(x, y float64) float64 {
		at[0], at[1] = x, y
		s.problem.Values(f, at)
		if objective == blocks.Together {
			return s.goal.Sum(f)
		}
		return f[int(objective)]
	}
}

// wholeGradient returns an objective's gradient in all variables. If noise or frozen blocks change the step's gradient,
// known is false.
func (s *Scene) wholeGradient(x []float64, objective float64) (g []float64, known bool) {
	if s.values.Sigma > 0 || s.values.Update != string(blocks.GaussSeidel) {
		return nil, false
	}
	n, q := s.problem.Dims()
	weights := slices.Clone(s.goal.Weights)
	if objective != blocks.Together {
		weights = make([]float64, q)
		weights[int(objective)] = 1
	}
	g = make([]float64, n)
	s.problem.WeightedGradientAt(g, weights, x, nil)
	return g, true
}

// momentText describes the displayed moment. It returns "" if the whole step is shown.
func (s *Scene) momentText() string {
	row, ok := s.due()
	if !ok || !s.Partway() {
		return ""
	}
	own := s.coordinatesOf(row)
	switch s.Stage() {
	case momentBlock:
		if len(own) == len(row.X) {
			return "block: all variables"
		}
		names := make([]string, len(own))
		for i, c := range own {
			names[i] = fmt.Sprintf("x_%d", c+1)
		}
		return fmt.Sprintf("block %d: %s", int(row.Number(sweeps.BlockName))+1, strings.Join(names, ", "))
	case momentObjective:
		return "objective: " + sweeps.ObjectiveOf(row.Number(sweeps.ObjectiveName))
	case momentGradient:
		if len(own) == len(row.X) {
			return "gradient: all variables"
		}
		return "gradient: the block’s part"
	}
	return "move: α times the block’s gradient"
}

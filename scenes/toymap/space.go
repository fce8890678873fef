package toymap

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
)

// decisionPanel shows the decision space: the landscape, the Pareto set, the runs and their draggable start points.
func (s *Scene) decisionPanel() axes.Panel {
	d := &runs.DecisionPlane{Timeline: s.Timeline(), Methods: Methods,
		Range:     func() (lo, hi float64) { return -problem.ToyView, problem.ToyView },
		Landscape: func() kinds.Landscape { return s.landscape },
		Set:       func() axes.Sheet { return axes.Sheet{Key: "set", Draw: s.drawSet} },
		Starts:    func() [][]float64 { return s.starts }, Step: 0.1, Walk: &s.values.Walk,
	}
	d.Text = func() string {
		if s.Timeline().Marker() == 0 {
			return "The start points, which you can drag. In the upper half are two narrow valleys. The thick line at the bottom is the Pareto " +
				"set, where neither objective can fall unless the other rises."
		}
		above, n := 0, len(s.Timeline().Tracks())
		for _, r := range s.Timeline().Tracks() {
			if s.Timeline().Shown(r).X[1] > 0 {
				above++
			}
		}
		if above == 0 {
			return "No run is still in the valleys above. The thick line at the bottom is the Pareto set."
		}
		return fmt.Sprintf("%d of %d runs are still in the valleys above. The thick line at the bottom is the Pareto set.", above, n)
	}
	p := d.Panel()
	s.values.Swarm.InPlane(p, 2, axes.Sheet{Draw: s.nameSet})
	return p
}

// fieldNodes is the number of grid nodes, in each direction, of the field and its contours.
const fieldNodes = 128

// newLandscape samples the chosen function of the variables.
func (s *Scene) newLandscape() kinds.Landscape {
	x, f := make([]float64, 2), make([]float64, 2)
	weighted := func(w1, w2 float64) func(x1, x2 float64) float64 {
		return func(x1, x2 float64) float64 {
			x[0], x[1] = x1, x2
			s.problem.Values(f, x)
			return float64(w1*f[0]) + float64(w2*f[1])
		}
	}
	scale := s.values.Scale
	l := kinds.Landscape{Key: fmt.Sprintf("%s %g", s.values.Field, scale), Nodes: fieldNodes, Faint: true}
	step := 2.0
	switch s.values.Field {
	case fieldF1:
		l.Label, l.Value, l.Low, l.High, step = "f_1", weighted(1, 0), -20*scale, 10*scale, 2*scale
	case fieldF2:
		l.Label, l.Value, l.Low, l.High = "f_2", weighted(0, 1), -20, 10
	case fieldMean:
		l.Label, l.Value, l.Low, l.High, step = "mean of f_1, f_2", weighted(0.5, 0.5), -9.5*(1+scale), 4.5*(1+scale), 1+scale
	case fieldOmega:
		omega := pareto.StationarityOf(s.problem)
		l.Label, l.Value = "ω", func(x1, x2 float64) float64 {
			x[0], x[1] = x1, x2
			return omega(x)
		}
		// The colours end at 2, because the valleys' walls are steeper than anything else.
		l.High, l.Levels = 2, []float64{0.01, 0.03, 0.1, 0.3, 1, 3}
	}
	if l.Levels == nil {
		for level := l.Low; level <= l.High; level += step {
			l.Levels = append(l.Levels, level)
		}
	}
	return l
}

// setPoints is the number of points on a drawn curve.
const setPoints = 60

func (s *Scene) drawSet(b *brush.Brush) {
	lo, hi := s.problem.ParetoInterval()
	x := make([]float64, 2)
	b.Optima(setPoints, func(i int) (float64, float64) {
		s.problem.ParetoPoint(x, lo+(hi-lo)*float64(i)/(setPoints-1))
		return x[0], x[1]
	})
}

func (s *Scene) nameSet(b *brush.Brush) {
	if b.Frame.Detail != brush.Full {
		return
	}
	x := make([]float64, 2)
	_, hi := s.problem.ParetoInterval()
	s.problem.ParetoPoint(x, hi)
	b.LabelAt(b.At(x[0], x[1]).Sub(vg.Point{Y: 6}), "the lake: Pareto set", 12, b.Theme.Muted, brush.Align{X: -1, Y: -1})
}

// objectivePanel shows the objectives: the front, the runs and their ends.
func (s *Scene) objectivePanel() axes.Panel {
	p := &runs.FrontPlane{Timeline: s.Timeline(), Walk: &s.values.Walk,
		Front: func() axes.Sheet { return axes.Sheet{Key: "front", Draw: s.drawFront} }}
	p.Axes = func() (axes.Axis, axes.Axis) {
		scale := s.values.Scale
		return axes.Axis{Min: -22 * scale, Max: 10 * scale}.Goal(1, "f_{1}"), axes.Axis{Min: -22, Max: 10}.Goal(2, "f_{2}")
	}
	p.Text = func() string {
		there, n := 0, len(s.Timeline().Tracks())
		for _, r := range s.Timeline().Tracks() {
			if s.gapOf(s.Timeline().Shown(r)) <= s.tolerance() {
				there++
			}
		}
		if there == n && n > 1 {
			return fmt.Sprintf("All %d runs are at the front, the thick curve that bulges towards the lower left.", n)
		}
		return fmt.Sprintf("%d of %d runs are at the front, the thick curve that bulges towards the lower left.", there, n)
	}
	plane := p.Panel()
	s.values.Swarm.InObjectives(plane, 1, axes.Sheet{Draw: s.nameFront})
	return plane
}

func (s *Scene) drawFront(b *brush.Brush) {
	points := s.problem.Front(setPoints)
	b.Optima(len(points), func(i int) (float64, float64) { return points[i][0], points[i][1] })
}

func (s *Scene) nameFront(b *brush.Brush) {
	if b.Frame.Detail != brush.Full {
		return
	}
	points := s.problem.Front(setPoints)
	at := points[3*len(points)/8]
	b.LabelAt(b.At(at[0], at[1]).Add(vg.Point{X: 6}), "Pareto front", 12, b.Theme.Muted, brush.RightOf)
}

// positive raises a gap to at least 1e-12 for a logarithmic axis. Rounding may have made it negative.
func positive(v float64) float64 { return math.Max(v, 1e-12) }

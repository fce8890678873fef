package fonseca

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/pareto"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
)

// decisionPanel shows the decision space: the field of f1, f2 or ω, the Pareto set, and the runs with their draggable
// start points.
func (s *Scene) decisionPanel() axes.Panel {
	d := &runs.DecisionPlane{Timeline: s.Timeline(), Methods: Methods, Equal: true, Pair: s.values.pair, Set: s.setSheet,
		Landscape: func() kinds.Landscape { return s.landscape },
		Starts:    func() [][]float64 { return s.starts }, Step: 0.02, Walk: &s.values.Walk,
	}
	d.Range = func() (lo, hi float64) { return -s.reach(), s.reach() }
	d.Text = func() string {
		if s.Timeline().Marker() == 0 {
			return "The start points, which you can drag. Random starts come from the dashed square. The thick line is the Pareto set, where no " +
				"step helps both objectives."
		}
		moved, still := 0, 0
		for _, r := range s.Timeline().Tracks() {
			if s.distance(s.Timeline().Shown(r)) < s.near() {
				moved++
			} else if r.Last() <= s.Timeline().Marker() {
				still++
			}
		}
		text := fmt.Sprintf("%d of %d runs have reached the thick line, the Pareto set, where no step helps both objectives.",
			moved, len(s.Timeline().Tracks()))
		if moved == len(s.Timeline().Tracks()) && moved > 1 {
			text = fmt.Sprintf("All %d runs have reached the thick line, the Pareto set, where no step helps both objectives.", moved)
		}
		if still > 0 {
			text += fmt.Sprintf(" %d ended away from the Pareto set.", still)
		}
		return text
	}
	p := d.Panel()
	s.values.Swarm.InPlane(p, 2, axes.Sheet{Draw: s.drawSetNames})
	return p
}

// reach returns the half-width of the decision plane. The start region and the Pareto set fit into the plane, with a
// margin for start points at the edge.
func (s *Scene) reach() float64 {
	_, end := s.problem.ParetoInterval()
	return 1.06 * math.Max(s.values.Region, 1.2*end)
}

// fieldNodes is the number of grid nodes, in each direction, of the field and its contours.
const fieldNodes = 96

// fieldKey identifies the layer behind the trajectories.
func (s *Scene) fieldKey() string {
	h, v := s.values.pair()
	return fmt.Sprintf("%s %s %d %d %d", s.values.Problem, s.values.Field, s.values.D, h, v)
}

// newLandscape samples the chosen function of the two displayed coordinates; all other coordinates are 0.
func (s *Scene) newLandscape() kinds.Landscape {
	point, f := make([]float64, s.values.D), make([]float64, 2)
	h, v := s.values.pair()
	at := func(x, y float64) []float64 {
		point[v] = y
		point[h] = x
		return point
	}
	objective := func(i int) func(x, y float64) float64 {
		return func(x, y float64) float64 {
			s.problem.Values(f, at(x, y))
			return f[i]
		}
	}
	bowls := s.values.Problem == problemQuadratic
	l := kinds.Landscape{Key: s.fieldKey(), Nodes: fieldNodes, High: 1, Levels: []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99}}
	if bowls {
		l.High, l.Levels = 2, []float64{0.02, 0.1, 0.25, 0.5, 1, 1.5, 2, 3}
	}
	switch s.values.Field {
	case "f1":
		l.Label, l.Value = "f_1", objective(0)
	case "f2":
		l.Label, l.Value = "f_2", objective(1)
	case "omega":
		omega := pareto.StationarityOf(s.problem)
		l.Label, l.Value = "ω", func(x, y float64) float64 { return omega(at(x, y)) }
		// The maximum of ω is √(2/e), the steepest slope of either objective.
		l.High, l.Levels = math.Sqrt(2/math.E), []float64{0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}
		if bowls { // here ω is half the distance from the Pareto set
			l.High = 1
		}
	}
	return l
}

// setSheet draws the Pareto set and the region from which start points are drawn.
func (s *Scene) setSheet() axes.Sheet {
	return axes.Sheet{Key: fmt.Sprintf("set %s %g", s.fieldKey(), s.values.Region), Draw: s.drawSet}
}

func (s *Scene) drawSet(b *brush.Brush) {
	lo, hi := s.problem.ParetoInterval()
	h, v := s.values.pair()
	ends := [2]float64{lo, hi}
	b.Optima(2, func(i int) (float64, float64) { return s.onSet(ends[i]) })
	r := s.values.Region
	corners := [5][2]float64{{-r, -r}, {r, -r}, {r, r}, {-r, r}, {-r, -r}}
	if h != v {
		b.Line(5, func(i int) (float64, float64) { return corners[i][0], corners[i][1] },
			brush.Stroke{Color: b.Theme.Rule, Width: 1, Dash: []vg.Length{2, 4}})
	}
}

// onSet returns the plane coordinates of the Pareto-set point whose coordinates all equal t.
func (s *Scene) onSet(t float64) (x, y float64) {
	if h, v := s.values.pair(); h == v {
		return t, 0
	}
	return t, t
}

// drawSetNames labels the Pareto set. If there are more than two variables, it also notes that the field sets the hidden
// ones to 0.
func (s *Scene) drawSetNames(b *brush.Brush) {
	if b.Frame.Detail != brush.Full {
		return
	}
	_, hi := s.problem.ParetoInterval()
	x, y := s.onSet(hi)
	b.Label(x, y, "Pareto set", 12, b.Theme.Muted, brush.Align{X: 1, Y: 1})
	if s.values.D > 2 {
		xmin, _, ymin, _ := b.Bounds()
		b.Label(xmin, ymin, fmt.Sprintf("field: the other %d variables are 0", s.values.D-2), 11,
			b.Theme.Muted, brush.Align{X: 1, Y: 1})
	}
}

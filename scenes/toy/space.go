package toy

import (
	"fmt"
	"math"

	"paretoplay/algo/pareto"
	"paretoplay/algo/problem"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/timeline"
)

// decisionPanel shows the variables: the landscape, the Pareto set, the runs and
// their start points, which can be dragged.
func (s *Scene) decisionPanel() panel.Panel {
	track := &panel.Tracks{Timeline: s.Timeline(), Name: "decision",
		Point: func(r timeline.Row) (float64, float64) { return r.X[0], r.X[1] },
	}
	p := &panel.Plane{Name: "decision", Heading: "Decision space", Find: track.Find}
	p.Axes = func() (panel.Axis, panel.Axis) {
		const reach = problem.ToyView
		return panel.Axis{Label: "x_1", Min: -reach, Max: reach}, panel.Axis{Label: "x_2", Min: -reach, Max: reach}
	}
	p.Sheets = func() []panel.Sheet {
		key := fmt.Sprintf("%s %g", s.values.Field, s.values.Scale)
		out := []panel.Sheet{{Key: "field " + key, Draw: s.drawField}, {Key: "set", Draw: s.drawSet}}
		return append(append(out, track.Sheets()...), ends(track))
	}
	p.Grips = func() []panel.Grip { return race.PlaneGrips(s.Timeline(), s.starts, 0, 1, 0.1) }
	p.Text = func() string {
		return fmt.Sprintf("The runs in the plane of the two variables at iteration %d, over the landscape and the Pareto set, a nearly flat line at the bottom from x₁ = −7 to 7. %s%s",
			s.Timeline().Marker(), race.DescribeSelected(s.Timeline()), race.DescribeDiverged(s.Timeline()))
	}
	p.Legend = func(t *panel.Theme) []panel.Entry {
		out := panel.MethodEntries(t, Methods, s.Timeline())
		if sign := map[string]string{fieldF1: "f_1", fieldF2: "f_2", fieldMean: "mean of f_1, f_2", fieldOmega: "ω"}[s.values.Field]; sign != "" {
			out = append(out, panel.Entry{Label: sign + ", low to high", Field: true})
		}
		return out
	}
	return p
}

// ends draws what changes with every iteration: heads and ends of the tracks.
func ends(track *panel.Tracks) panel.Sheet {
	return panel.Sheet{Draw: func(b *panel.Brush) {
		track.Heads(b)
		track.Ends(b)
	}}
}

// fieldNodes is the grid of the field and its contours, in each direction.
const fieldNodes = 128

// landscape is the function behind the trajectories, its range and the levels of
// its contours. nil for none.
func (s *Scene) landscape() (value func(x, y float64) float64, low, high float64, levels []float64) {
	x, f := make([]float64, 2), make([]float64, 2)
	weighted := func(w1, w2 float64) func(x1, x2 float64) float64 {
		return func(x1, x2 float64) float64 {
			x[0], x[1] = x1, x2
			s.problem.Values(f, x)
			return w1*f[0] + w2*f[1]
		}
	}
	step := 2.0
	switch scale := s.values.Scale; s.values.Field {
	case fieldF1:
		value, low, high, step = weighted(1, 0), -20*scale, 10*scale, 2*scale
	case fieldF2:
		value, low, high = weighted(0, 1), -20, 10
	case fieldMean:
		value, low, high, step = weighted(0.5, 0.5), -9.5*(1+scale), 4.5*(1+scale), 1+scale
	case fieldOmega:
		omega := pareto.StationarityOf(s.problem)
		// The walls of the valleys are steeper than anything else.
		return func(x1, x2 float64) float64 {
			x[0], x[1] = x1, x2
			return omega(x)
		}, 0, 2, []float64{0.01, 0.03, 0.1, 0.3, 1, 3}
	}
	for l := low; l <= high; l += step {
		levels = append(levels, l)
	}
	return value, low, high, levels
}

func (s *Scene) drawField(b *panel.Brush) {
	value, low, high, levels := s.landscape()
	if value == nil {
		return
	}
	b.Field(fieldNodes, fieldNodes, value, low, high)
	b.Contours(fieldNodes, fieldNodes, value, levels, panel.Stroke{Color: panel.Faded(b.Theme.Rule, 0.5), Width: 0.75})
}

// setPoints is the number of points that curves are drawn with.
const setPoints = 60

func (s *Scene) drawSet(b *panel.Brush) {
	lo, hi := s.problem.ParetoInterval()
	x := make([]float64, 2)
	b.Line(setPoints, func(i int) (float64, float64) {
		s.problem.ParetoPoint(x, lo+(hi-lo)*float64(i)/(setPoints-1))
		return x[0], x[1]
	}, panel.Stroke{Color: b.Theme.Optimum, Width: 9})
	b.Label(x[0], x[1], "Pareto set", 12, b.Theme.Muted, panel.RightOf)
}

// objectivePanel shows the objectives: the front, the runs and where they end.
func (s *Scene) objectivePanel() panel.Panel {
	track := &panel.Tracks{Timeline: s.Timeline(), Name: "objective",
		Point: func(r timeline.Row) (float64, float64) { return r.F[0], r.F[1] },
	}
	p := &panel.Plane{Name: "objective", Heading: "Objective space", Find: track.Find}
	p.Axes = func() (panel.Axis, panel.Axis) {
		return panel.Axis{Label: "f_1", Min: -22 * s.values.Scale, Max: 10 * s.values.Scale}, panel.Axis{Label: "f_2", Min: -22, Max: 10}
	}
	p.Sheets = func() []panel.Sheet {
		return append(append([]panel.Sheet{{Key: "front", Draw: s.drawFront}}, track.Sheets()...), ends(track))
	}
	p.Text = func() string {
		return fmt.Sprintf("The runs by their two objectives at iteration %d, over the front, which bulges towards the lower left. %s",
			s.Timeline().Marker(), race.DescribeSelected(s.Timeline()))
	}
	return p
}

func (s *Scene) drawFront(b *panel.Brush) {
	points := s.problem.Front(setPoints)
	b.Line(len(points), func(i int) (float64, float64) { return points[i][0], points[i][1] }, panel.Stroke{Color: b.Theme.Optimum, Width: 9})
	at := points[3*len(points)/8]
	b.Label(at[0], at[1], "Pareto front", 12, b.Theme.Muted, panel.RightOf)
}

// positive is a gap as a logarithmic axis can show it: rounding may take it below
// zero.
func positive(v float64) float64 { return math.Max(v, 1e-12) }

package fronts

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/study/zdt"
)

// volumeOf returns the hypervolume of all solutions of the run to which a row belongs, at the row's iteration.
func (s *Scene) volumeOf(row timeline.Row) float64 {
	run := row.Run()
	return volume(pointsOf(run.Kept(run.Index(row.K))), s.reference())
}

// at returns a run's row at the marker, or its last row if the run ended earlier.
func (s *Scene) at(run *timeline.Run) timeline.Row {
	return s.Timeline().Near(run, s.Timeline().Marker())
}

func (s *Scene) volumeAt(run *timeline.Run) float64 {
	return volume(pointsOf(s.at(run)), s.reference())
}

func (s *Scene) kindsAt(run *timeline.Run) int { return zdt.Kinds(pointsOf(s.at(run))) }

// history returns a panel with the rounds on its horizontal axis. The caller sets what the lines show.
func (s *Scene) history(name, heading string) *kinds.History {
	return &kinds.History{Name: name, Heading: heading, Timeline: s.Timeline(), Clock: s.values.Clock(s.Timeline()),
		Symbol: s.Params().Symbol, Unticked: true}
}

// volumeHistory returns the panel of the hypervolume over the rounds, with one line per method.
func (s *Scene) volumeHistory() *kinds.History {
	h := s.history("hypervolume", "Dominated area (hypervolume)")
	h.Shown = func(r timeline.Track) bool { return r.Solution == 0 }
	h.Value = s.volumeOf
	h.Key = func() string { return fmt.Sprint(s.reference()) }
	h.Y = func() axes.Axis {
		return axes.Axis{Label: "hypervolume", Min: 0, Max: 1.08 * math.Max(s.front.optimum(s.reference()), 1e-3)}
	}
	h.Lines = func(r timeline.Track, row timeline.Row) []string {
		return []string{fmt.Sprintf("%s, round %d", r.Title, row.K), "hypervolume " + timeline.Number(s.volumeOf(row))}
	}
	h.Beneath = axes.Sheet{Draw: func(b *brush.Brush) {
		whole := s.front.optimum(s.reference())
		b.HLine(whole, brush.Stroke{Color: b.Theme.Muted, Width: 1, Dash: []vg.Length{4, 3}})
		xmin, xmax, _, _ := b.Bounds()
		b.Label((xmin+xmax)/2, whole, "the whole front", 11, b.Theme.Muted, brush.Above)
	}}
	h.Text = func() string {
		var parts []string
		for _, run := range s.Timeline().Runs() {
			parts = append(parts, run.Title+" "+timeline.Number(s.volumeAt(run)))
		}
		return fmt.Sprintf("The hypervolume of each method’s solutions over the rounds. At round %d: %s. The hypervolume of the whole front "+
			"is %s.",
			s.Timeline().Marker(), strings.Join(parts, ", "), timeline.Number(s.front.optimum(s.reference())))
	}
	return h
}

// excessHistory returns the panel of each solution's distance from the Pareto set.
func (s *Scene) excessHistory() *kinds.History {
	h := s.history("excess", "Distance from the Pareto set")
	h.Fixed = true
	h.Value = func(r timeline.Row) float64 { return s.front.excess(r.X) }
	h.Y = func() axes.Axis {
		return axes.Axis{Label: s.front.excessLabel + " (0: on the Pareto set)", Short: "a line per solution; 0: Pareto set",
			Min: -0.02 * s.front.mostExcess, Max: s.front.mostExcess}
	}
	h.Lines = func(r timeline.Track, row timeline.Row) []string {
		return []string{fmt.Sprintf("%s, round %d", r.Label(), row.K), s.front.excessLabel + " = " + timeline.Number(s.front.excess(row.X)),
			"f = " + timeline.Vector(row.F), "ω = " + timeline.Number(row.Stationarity)}
	}
	h.Text = func() string {
		var parts []string
		for _, run := range s.Timeline().Runs() {
			parts = append(parts, fmt.Sprintf("%s %s", run.Title, timeline.Number(s.meanExcess(run))))
		}
		return fmt.Sprintf("Each solution’s distance from the Pareto set over the rounds, measured as %s. Means at round %d: %s.",
			strings.ReplaceAll(s.front.excessLabel, "_", ""), s.Timeline().Marker(), strings.Join(parts, ", "))
	}
	return h
}

// solutionsOf calls f for every solution in a run's row, with the solution's point, objectives and stationarity ω.
func (s *Scene) solutionsOf(row timeline.Row, f func(x, objectives []float64, omega float64)) {
	for j := range len(row.F) / 2 {
		f(row.X[j*s.front.d:(j+1)*s.front.d], row.F[2*j:2*j+2], row.Stationarities[j])
	}
}

// meanExcess returns the excess at the marker, averaged over a run's solutions.
func (s *Scene) meanExcess(run *timeline.Run) (mean float64) {
	s.solutionsOf(s.at(run), func(x, _ []float64, _ float64) { mean += s.front.excess(x) / float64(run.Solutions()) })
	return mean
}

// variablesPanel shows the variables of the selected method's solutions. It has one row per solution and one column per variable.
func (s *Scene) variablesPanel() axes.Panel {
	p := &axes.Plane{Name: "variables", Heading: "Variables of the selected method’s solutions"}
	row := func() (row timeline.Row, solutions int) {
		run := s.Timeline().Selected().Run
		if run == nil {
			return row, 0
		}
		return run.Kept(run.Index(min(s.Timeline().Marker(), run.Last()))), run.Solutions()
	}
	p.Axes = func() (axes.Axis, axes.Axis) {
		_, m := row()
		solutions := make([]string, m)
		for j := range solutions { // the first solution is on top
			solutions[m-1-j] = fmt.Sprint(j + 1)
		}
		return axes.Axis{Label: "variable", Min: 0.5, Max: float64(s.front.d) + 0.5, Integer: true},
			axes.Axis{Label: "solution", Categories: solutions}
	}
	p.Key = func(*brush.Theme) []axes.Entry { return []axes.Entry{{Label: "from smallest to largest", Ramp: true}} }
	p.Sheets = func() []axes.Sheet {
		return []axes.Sheet{{Draw: func(b *brush.Brush) {
			now, m := row()
			b.Cells(m, s.front.d, func(j, i int) (float64, bool) { return now.X[j*s.front.d+i], true }, s.front.lo, s.front.hi)
		}}}
	}
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		now, m := row()
		x, y := b.World(at)
		i, j := int(math.Round(x))-1, m-1-int(math.Round(y))
		if i < 0 || i >= s.front.d || j < 0 || j >= m {
			return axes.Pick{}, false
		}
		track := timeline.Track{Run: s.Timeline().Selected().Run, Solution: j}
		return axes.Pick{Run: track.Name(), K: -1, At: at, Lines: []string{
			track.Label(), fmt.Sprintf("x%d = %s", i+1, timeline.Number(now.X[j*s.front.d+i])),
		}}, true
	}
	p.Text = func() string {
		now, m := row()
		if m == 0 {
			return "No run."
		}
		var parts []string
		s.solutionsOf(now, func(x, _ []float64, _ float64) {
			parts = append(parts, fmt.Sprintf("x1 = %s and %s = %s", timeline.Number(x[0]),
				strings.ReplaceAll(s.front.excessLabel, "_", ""), timeline.Number(s.front.excess(x))))
		})
		return fmt.Sprintf("The variables of each solution of %s at round %d, from %g (pale) to %g (dark): %s.",
			s.Timeline().Selected().Title, now.K, s.front.lo, s.front.hi, strings.Join(parts, "; "))
	}
	return p
}

package fairness

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/timeline"
)

// signsOf draws the solutions at the marker. The selected run has the symbols of solutions and is on top; the others
// have the symbols of methods. The selected solution is below its run's others, because its larger symbol would hide
// theirs. Solutions outside the axes are drawn at the edge, with an arrow that points outwards.
func (s *Scene) signsOf(b *brush.Brush, point func(timeline.Row) (x, y float64)) {
	t := s.Timeline()
	rank := func(r timeline.Track) int {
		switch {
		case r == t.Selected():
			return 1
		case r.Run == t.Selected().Run:
			return 2
		}
		return 0
	}
	for layer := range 3 {
		for _, r := range t.Tracks() {
			if rank(r) != layer {
				continue
			}
			row := t.Shown(r)
			x, y := point(row)
			own, radius := b.Theme.Look(r.Method), vg.Length(3.5)
			hue := own.Hue
			if layer > 0 {
				own, radius = look(b.Theme, r.Solution), 5.5
				hue = own.Hue
			} else {
				hue = b.Theme.Tint(hue, 0.75)
			}
			if r == t.Selected() {
				radius = 7
			}
			shape := kinds.ShapeAt(own, r.Run, row.K)
			if brush.Finite(b.At(x, y)) && !b.Contains(x, y) {
				b.MarkerAt(b.Outward(x, y, 0, hue), shape, 4, hue)
			}
			b.Marker(x, y, shape, radius, hue, true)
		}
	}
}

// plane returns a panel that draws every solution at a point computed from its record.
func (s *Scene) plane(name, heading string, point func(timeline.Row) (x, y float64), beneath ...axes.Sheet) *axes.Plane {
	tracks := plans.NewTrajectories(s.Timeline(), name, point, look, 0.5, func(r timeline.Track, row timeline.Row) []string {
		return []string{
			fmt.Sprintf("%s, %s, k = %d", r.Title, solutionName(r.Solution), row.K),
			fmt.Sprintf("loss %s, covariance² %s", timeline.Number(row.F[0]), timeline.Number(row.F[1])),
			fmt.Sprintf("accuracy %.1f %%, ratio %.0f %%", 100*row.Number(accuracy), 100*row.Number(ratio)),
		}
	})
	p := &axes.Plane{Name: name, Heading: heading, Find: tracks.Find, Moving: tracks.Moving}
	p.Sheets = func() []axes.Sheet {
		sheets := slices.Concat(beneath, tracks.Others.Sheets(), tracks.Chosen.Sheets())
		return append(sheets, axes.Sheet{Draw: func(b *brush.Brush) { s.signsOf(b, point) }})
	}
	return p
}

// objectivePanel shows loss and covariance, and the area that the selected run's solutions dominate up to the reference point.
func (s *Scene) objectivePanel() axes.Panel {
	p := s.plane("objective", "Loss and unfairness", func(r timeline.Row) (x, y float64) { return r.F[0], r.F[1] },
		axes.Sheet{Draw: s.drawVolume}, axes.Sheet{Draw: s.drawFront})
	p.Axes = func() (axes.Axis, axes.Axis) {
		r, best := s.front.reference, s.front.accurate()[0]
		return axes.Axis{Label: "worse at deciding (f_{1}, logistic loss) →", Short: "worse (f_{1})",
				Min: best - float64(0.06*(r[0]-best)), Max: r[0] + float64(0.5*(r[0]-best))},
			axes.Axis{Label: "less fair (f_{2}, covariance²) →", Short: "less fair (f_{2})", Min: -0.03 * r[1], Max: 1.25 * r[1]}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		return append([]axes.Entry{{Label: "the front", Stroke: brush.Stroke{Color: t.Optimum, Width: 7}},
			{Label: "dominated area", Area: volumeColor(t)}}, s.runKey(t)...)
	}
	p.Key = p.Legend
	p.Text = s.OfSelected(func(r timeline.Track) string {
		row := s.Timeline().Shown(timeline.Track{Run: r.Run})
		return fmt.Sprintf("The logistic loss of each solution and the squared covariance between its decisions and the attribute at round %d, "+
			"with the Pareto front. %s has %.0f distinct solutions of %d and a hypervolume of %s.",
			row.K, r.Title, row.Number(solutionKinds), r.Run.Solutions(), timeline.Number(row.Number(volume)))
	})
	return p
}

// runKey returns the legend entries of the runs. The selected run has the symbol of its selected solution.
func (s *Scene) runKey(t *brush.Theme) []axes.Entry {
	entries, r := kinds.MethodEntries(t, Methods, s.Timeline()), s.Timeline().Selected()
	for i := range entries {
		if r.Run != nil && entries[i].Label == r.Title {
			entries[i] = axes.EntryOf(look(t, r.Solution), r.Title)
		}
	}
	return entries
}

func volumeColor(t *brush.Theme) color.Color { return t.Tint(t.Accent, 0.13) }

func (s *Scene) drawVolume(b *brush.Brush) {
	r := s.front.reference
	for _, row := range s.shown() {
		f := row.F
		if f[0] >= r[0] || f[1] >= r[1] {
			continue
		}
		corners := [4][2]float64{{f[0], f[1]}, {r[0], f[1]}, {r[0], r[1]}, {f[0], r[1]}}
		b.Polygon(4, func(i int) (x, y float64) { return corners[i][0], corners[i][1] }, volumeColor(b.Theme))
	}
}

func (s *Scene) drawFront(b *brush.Brush) {
	points, r := s.front.f, s.front.reference
	b.Optima(len(points), func(i int) (float64, float64) { return points[i][0], points[i][1] })
	b.Marker(r[0], r[1], brush.Plus, 5, b.Theme.Muted, true)
	b.Label(r[0], r[1], "reference", 11, b.Theme.Muted, brush.RightOf)
}

// planPanel shows the plan as a matrix.
func (s *Scene) planPanel() axes.Panel {
	mass := func() ([]float64, int, timeline.Row) {
		r := s.Timeline().Selected().Run
		if r == nil {
			return nil, 0, timeline.Row{}
		}
		row := s.stepShown(r)
		plan, columns, ok := plans.PlanOf(r, row)
		if !ok {
			return nil, 0, row
		}
		return plan, columns, row
	}
	m := &kinds.PlanMatrix{Name: "plan", Heading: "Plan Γ: objectives to solutions",
		Plan: func() ([]float64, int) {
			plan, columns, _ := mass()
			return plan, columns
		},
		Column: look, RowName: s.objectiveName, ColumnName: solutionName,
		Run: func(j int) string { return timeline.Track{Run: s.Timeline().Selected().Run, Solution: j}.Name() },
	}
	m.Text = s.OfSelected(func(r timeline.Track) string {
		plan, columns, row := mass()
		if columns == 0 && r.Last() == 0 {
			return "Before the first round there is no plan."
		}
		if columns == 0 {
			return r.Title + " has no plan: every solution receives both objectives."
		}
		return fmt.Sprintf("The plan of %s at round %d. It distributes %d objectives, from the loss (top) to the covariance (bottom), among %d "+
			"solutions; %.0f %% of its entries are zero.",
			r.Title, row.K, len(plan)/columns, columns, 100*row.Number(plans.Zeros))
	})
	p := m.Panel()
	p.Key = func(t *brush.Theme) []axes.Entry { return []axes.Entry{{Label: "mass, from zero to high", Ramp: true}} }
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if _, columns, _ := mass(); columns == 0 {
			if r := s.Timeline().Selected(); r.Run != nil && r.Last() == 0 {
				return []axes.Entry{{Label: "no plan yet", Area: t.Paper}}
			}
			return []axes.Entry{{Label: "no plan: every solution receives both objectives", Area: t.Paper}}
		}
		return []axes.Entry{{Label: "little mass", Area: t.Ramp(0.1)}, {Label: "much", Area: t.Ramp(1)}}
	}
	return p
}

// stepShown returns the row of a run whose step is displayed at the marker.
func (s *Scene) stepShown(r *timeline.Run) timeline.Row {
	return r.Kept(r.Index(min(s.Timeline().Marker(), max(r.Last()-1, 0))))
}

// objectiveName returns the name of the objective in row i of the selected run's plan.
func (s *Scene) objectiveName(i int) string {
	w := []float64{1 - float64(i), float64(i)}
	if r := s.Timeline().Selected().Run; r != nil && r.Method == plans.Extended {
		w = s.mixtures[i]
	}
	switch {
	case w[0] == 1:
		return "f₁, loss"
	case w[1] == 1:
		return "f₂, covariance²"
	}
	return fmt.Sprintf("%.2f loss + %.2f covariance²", w[0], w[1])
}

// volumeHistory returns the panel of every run's hypervolume over the rounds.
func (s *Scene) volumeHistory() *kinds.History {
	h := &kinds.History{Name: "volume", Heading: "Hypervolume × 100", Timeline: s.Timeline(), Unticked: true, Clock: s.clock,
		Symbol: s.Params().Symbol, Shown: func(r timeline.Track) bool { return r.Solution == 0 },
		Value: func(r timeline.Row) float64 { return r.Number(volume) },
		Lines: func(r timeline.Track, row timeline.Row) []string {
			return []string{fmt.Sprintf("%s, k = %d", r.Title, row.K), "hypervolume × 100 = " + timeline.Number(row.Number(volume)),
				fmt.Sprintf("%.0f distinct solutions", row.Number(solutionKinds))}
		},
	}
	h.Y = func() axes.Axis { return axes.Axis{Label: "hypervolume × 100", Min: 0, Max: 108 * s.front.most()} }
	h.Beneath = axes.Sheet{Draw: func(b *brush.Brush) {
		from, _, _, _ := b.Bounds()
		b.HLine(100*s.front.most(), brush.Stroke{Color: b.Theme.Muted, Width: 1.25, Dash: []vg.Length{3, 3}})
		b.Label(from, 100*s.front.most(), "the whole front", brush.SmallText, b.Theme.Muted, brush.Align{X: 1, Y: 1})
	}}
	h.Key = func() string { return fmt.Sprintf("%+v", s.values.problem()) }
	h.Text = s.OfSelected(func(r timeline.Track) string {
		row := s.Timeline().Shown(timeline.Track{Run: r.Run})
		return fmt.Sprintf("The hypervolume of each method’s solutions below the reference point, over the rounds. For %s it is %s at round "+
			"%d; for the whole front it is %s.", r.Title, timeline.Number(row.Number(volume)), row.K, timeline.Number(100*s.front.most()))
	})
	return h
}

// Sizes in the panel of who gets +1.
const (
	barHalf  = 0.19 // half the height of a bar, in row heights
	barApart = 0.2  // distance of a bar's middle from the row's middle, in row heights
)

// getsPanel shows the shares of points with and without the attribute that get +1, for every line of the selected run.
func (s *Scene) getsPanel() axes.Panel {
	p := &axes.Plane{Name: "gets", Heading: "Who gets +1"}
	p.Axes = func() (axes.Axis, axes.Axis) {
		names := make([]string, len(s.shown()))
		for j := range names { // the first solution is on top
			names[len(names)-1-j] = strconv.Itoa(j + 1)
		}
		return axes.Axis{Label: "share that gets +1, in %", Min: 0, Max: 108}, axes.Axis{Label: "solution", Categories: names}
	}
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawGets}} }
	p.Legend = func(t *brush.Theme) []axes.Entry {
		return []axes.Entry{{Label: "with the attribute", Area: withColor(t)}, {Label: "without", Area: withoutColor(t)},
			{Label: "80 % of the larger share", Tick: true, Stroke: brush.Stroke{Color: t.Ink, Width: 2}}}
	}
	p.Key = p.Legend
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		_, y := b.World(at)
		rows := s.shown()
		j := len(rows) - 1 - int(math.Round(y))
		if j < 0 || j >= len(rows) {
			return axes.Pick{}, false
		}
		without, with := s.sample.PositiveShares(rows[j].X)
		return axes.Pick{Run: timeline.Track{Run: s.Timeline().Selected().Run, Solution: j}.Name(), K: -1, At: at, Lines: []string{
			solutionName(j), fmt.Sprintf("with the attribute %.0f %%, without %.0f %%", 100*with, 100*without),
			fmt.Sprintf("ratio %.0f %%, accuracy %.0f %%", 100*rows[j].Number(ratio), 100*rows[j].Number(accuracy))}}, true
	}
	p.Text = s.OfSelected(func(r timeline.Track) string {
		row := s.Timeline().Shown(r)
		without, with := s.sample.PositiveShares(row.X)
		return fmt.Sprintf("The shares of points with and without the attribute that get +1 from each line of %s. For %s they are %.0f %% "+
			"and %.0f %% at round %d.", r.Title, solutionName(r.Solution), 100*with, 100*without, row.K)
	})
	return p
}

// withColor and withoutColor return the colours of the shares of points with and without the attribute.
func withColor(t *brush.Theme) color.NRGBA { return t.Tint(t.Ink, 0.8) }

func withoutColor(t *brush.Theme) color.NRGBA { return t.Tint(t.Ink, 0.3) }

func (s *Scene) drawGets(b *brush.Brush) {
	rows, full := s.shown(), b.Frame.Detail == brush.Full
	for j, row := range rows {
		middle := float64(len(rows) - 1 - j)
		without, with := s.sample.PositiveShares(row.X)
		for i, share := range []float64{without, with} {
			if math.IsNaN(share) {
				continue
			}
			y := middle + float64(barApart*float64(2*i-1))
			b.Box(0, y-barHalf, 100*share, y+barHalf, [...]color.NRGBA{withoutColor(b.Theme), withColor(b.Theme)}[i])
			if full {
				b.Label(100*share, y, fmt.Sprintf("%.0f %%", 100*share), brush.SmallText, b.Theme.Ink, brush.RightOf)
			}
		}
		const asked = 80 // minimum ratio of the 80 % rule, in percent
		if at := asked * max(without, with); at > 0 {
			y := middle + barApart
			if without < with {
				y = middle - barApart
			}
			for _, stroke := range []brush.Stroke{{Color: b.Theme.Paper, Width: 4}, {Color: b.Theme.Ink, Width: 2}} {
				b.Line(2, func(i int) (float64, float64) { return at, y + float64(barHalf*float64(2*i-1)) }, stroke)
			}
		}
		if b.Frame.Detail != brush.Thumbnail {
			sign := look(b.Theme, j)
			b.Marker(0, middle, sign.Shape, 5.5, sign.Hue, true)
		}
	}
}

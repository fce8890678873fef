package fairness

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/race"
	"paretoplay/scenes/race/plans"
	"paretoplay/scenes/timeline"
)

// signsOf draws the solutions at the marker: the selected run's in the signs of
// solutions, above the others' in the signs of methods.
func (s *Scene) signsOf(b *panel.Brush, point func(timeline.Row) (x, y float64)) {
	t := s.Timeline()
	for _, top := range []bool{false, true} {
		for _, r := range t.Tracks() {
			if (r.Run == t.Selected().Run) != top {
				continue
			}
			row := t.Shown(r)
			x, y := point(row)
			own, radius := b.Theme.Look(r.Method), vg.Length(3.5)
			hue := own.Hue
			if top {
				own, radius = look(b.Theme, r.Solution), 5.5
				hue = own.Hue
			} else {
				hue = b.Theme.Tint(hue, 0.75)
			}
			if r == t.Selected() {
				radius = 7
			}
			if _, xmax, _, _ := b.Bounds(); x > xmax { // it is outside the interesting part
				b.ArrowHead(xmax, y, 0, hue)
			}
			b.Marker(x, y, own.ShapeAt(r.Run, row.K), radius, hue, true)
		}
	}
}

// plane returns a panel of all solutions, at places from their records.
func (s *Scene) plane(name, heading string, point func(timeline.Row) (x, y float64), beneath ...panel.Sheet) *panel.Plane {
	tracks := plans.NewTrajectories(s.Timeline(), name, point, look, 0.5, func(r timeline.Track, row timeline.Row) []string {
		return []string{
			fmt.Sprintf("%s, %s, k = %d", r.Title, solutionName(r.Solution), row.K),
			fmt.Sprintf("loss %s, covariance² %s", timeline.Number(row.F[0]), timeline.Number(row.F[1])),
			fmt.Sprintf("accuracy %.1f %%, ratio %.0f %%", 100*row.Number(accuracy), 100*row.Number(ratio)),
		}
	})
	p := &panel.Plane{Name: name, Heading: heading, Find: tracks.Find}
	p.Sheets = func() []panel.Sheet {
		sheets := slices.Concat(beneath, tracks.Others.Sheets(), tracks.Chosen.Sheets())
		return append(sheets, panel.Sheet{Draw: func(b *panel.Brush) { s.signsOf(b, point) }})
	}
	return p
}

// objectivePanel shows loss and covariance, and the area that the selected run's
// solutions dominate below the reference point.
func (s *Scene) objectivePanel() panel.Panel {
	p := s.plane("objective", "Loss and unfairness", func(r timeline.Row) (x, y float64) { return r.F[0], r.F[1] },
		panel.Sheet{Draw: s.drawVolume}, panel.Sheet{Draw: s.drawFront})
	p.Axes = func() (panel.Axis, panel.Axis) {
		r, best := s.front.reference, s.front.accurate()[0]
		return panel.Axis{Label: "f_1, logistic loss", Min: best - 0.06*(r[0]-best), Max: r[0] + 0.5*(r[0]-best)},
			panel.Axis{Label: "f_2, covariance²", Min: -0.03 * r[1], Max: 1.25 * r[1]}
	}
	p.Legend = func(t *panel.Theme) []panel.Entry {
		out := []panel.Entry{{Label: "hypervolume, selected run", Area: volumeColor(t)}}
		if len(s.Timeline().Runs()) > 1 {
			out = append(out, panel.MethodEntries(t, Methods, s.Timeline())...)
		}
		return out
	}
	p.Text = func() string {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return "No run."
		}
		row := s.Timeline().Shown(timeline.Track{Run: r.Run})
		return fmt.Sprintf("The solutions by their logistic loss and the squared covariance of decision and attribute at round %d, over the "+
			"Pareto front. %s has %.0f different solutions of %d and a hypervolume of %s.",
			row.K, r.Title, row.Number(kinds), r.Run.Solutions(), timeline.Number(row.Number(volume)))
	}
	return p
}

func volumeColor(t *panel.Theme) color.Color { return t.Tint(t.Accent, 0.13) }

func (s *Scene) drawVolume(b *panel.Brush) {
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

func (s *Scene) drawFront(b *panel.Brush) {
	points, r := s.front.f, s.front.reference
	b.Optima(len(points), func(i int) (float64, float64) { return points[i][0], points[i][1] })
	at := points[frontPoints/2]
	b.Text(at[0], at[1], "Pareto front", 12, b.Theme.Muted, panel.Align{X: 1, Y: 1})
	b.Marker(r[0], r[1], panel.Plus, 5, b.Theme.Muted, true)
	b.Label(r[0], r[1], "reference", 11, b.Theme.Muted, panel.RightOf)
}

// planPanel shows the plan as a matrix.
func (s *Scene) planPanel() panel.Panel {
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
	m := &panel.PlanMatrix{Name: "plan", Heading: "Plan Γ: objectives to solutions",
		Plan: func() ([]float64, int) {
			plan, columns, _ := mass()
			return plan, columns
		},
		Column: look, RowName: s.objectiveName, ColumnName: solutionName,
		Run: func(j int) string { return timeline.Track{Run: s.Timeline().Selected().Run, Solution: j}.Name() },
	}
	m.Text = func() string {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return "No run."
		}
		plan, columns, row := mass()
		if columns == 0 && r.Last() == 0 {
			return "Before the first round there is no plan."
		}
		if columns == 0 {
			return r.Title + " has no plan: every solution has both objectives."
		}
		return fmt.Sprintf("The plan of %s at round %d, %d objectives, from the loss above to the covariance below, to %d solutions; %.0f %% "+
			"of its entries are zero.",
			r.Title, row.K, len(plan)/columns, columns, 100*row.Number(plans.Zeros))
	}
	p := m.Panel()
	p.Legend = func(t *panel.Theme) []panel.Entry {
		if _, columns, _ := mass(); columns == 0 {
			if r := s.Timeline().Selected(); r.Run != nil && r.Last() == 0 {
				return []panel.Entry{{Label: "no plan yet", Area: t.Paper}}
			}
			return []panel.Entry{{Label: "no plan: every solution has both objectives", Area: t.Paper}}
		}
		return []panel.Entry{{Label: "little mass", Area: t.Ramp(0.1)}, {Label: "much", Area: t.Ramp(1)}}
	}
	return p
}

// stepShown is the row of a whole run whose step is shown at the marker.
func (s *Scene) stepShown(r *timeline.Run) timeline.Row {
	return r.Kept(r.Index(min(s.Timeline().Marker(), max(r.Last()-1, 0))))
}

// objectiveName names the objective of a row of the selected run's plan.
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

// volumeHistory shows the hypervolume of every run over the rounds.
func (s *Scene) volumeHistory() *panel.History {
	h := &panel.History{Name: "volume", Heading: "Hypervolume × 100", Timeline: s.Timeline(), Unticked: true, Clock: s.clock,
		Symbol: s.Params().Symbol, Shown: func(r timeline.Track) bool { return r.Solution == 0 },
		Value: func(r timeline.Row) float64 { return r.Number(volume) },
		Lines: func(r timeline.Track, row timeline.Row) []string {
			return []string{fmt.Sprintf("%s, k = %d", r.Title, row.K), "hypervolume × 100 = " + timeline.Number(row.Number(volume)),
				fmt.Sprintf("%.0f different solutions", row.Number(kinds))}
		},
	}
	h.Y = func() panel.Axis { return panel.Axis{Label: "hypervolume × 100", Min: 0, Max: 108 * s.front.most()} }
	h.Beneath = panel.Sheet{Draw: func(b *panel.Brush) {
		from, _, _, _ := b.Bounds()
		b.HLine(100*s.front.most(), endStroke(b.Theme))
		b.Text(from, 100*s.front.most(), "the whole front", panel.SmallText, b.Theme.Muted, panel.Align{X: 1, Y: 1})
	}}
	h.Key = func() string { return fmt.Sprintf("%+v", s.values.problem()) }
	h.Text = func() string {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return "No run."
		}
		row := s.Timeline().Shown(timeline.Track{Run: r.Run})
		return fmt.Sprintf("What the solutions of each method dominate below the reference point, over the rounds. For %s it is %s at round %d; "+
			"the whole front has %s.", r.Title, timeline.Number(row.Number(volume)), row.K, timeline.Number(100*s.front.most()))
	}
	return h
}

// normalsPanel shows θ itself: the starts, which can be dragged, the runs and the Pareto
// set.
func (s *Scene) normalsPanel() panel.Panel {
	p := s.plane("normals", "Normals θ of the lines", func(r timeline.Row) (x, y float64) { return r.X[0], r.X[1] },
		panel.Sheet{Draw: s.drawSet})
	runs := p.Sheets
	p.Sheets = func() []panel.Sheet { return append(runs(), panel.Sheet{Draw: s.nameSetEnds}) }
	p.Equal = true
	p.Axes = func() (panel.Axis, panel.Axis) {
		const least = 0.1
		lo, hi := [2]float64{-least, -least}, [2]float64{least, least}
		for _, list := range [][][]float64{s.front.theta, s.starts} {
			for _, theta := range list {
				for k, v := range theta {
					lo[k], hi[k] = math.Min(lo[k], v), math.Max(hi[k], v)
				}
			}
		}
		const margin = 0.08
		axis := func(k int) panel.Axis {
			return panel.Axis{Label: fmt.Sprintf("θ_%d", k+1), Min: lo[k] - margin*(hi[k]-lo[k]), Max: hi[k] + margin*(hi[k]-lo[k])}
		}
		return axis(0), axis(1)
	}
	p.Grips = func() []panel.Grip {
		grips := race.Grips(s.Timeline(), s.starts, 0.02, func(p []float64) (x, y float64, value string) {
			return p[0], p[1], fmt.Sprintf("θ = (%.2f, %.2f)", p[0], p[1])
		})
		for j := range grips {
			grips[j].Label = "start of " + solutionName(j)
			grips[j].Look.Shape = panel.Light.Solution(j).Shape
		}
		return grips
	}
	p.Text = func() string {
		return "The solutions as normals θ of their lines, which point to the side of +1, over the Pareto set, from the most accurate θ to the " +
			"fairest. " + race.DescribeSelected(s.Timeline())
	}
	return p
}

func (s *Scene) drawSet(b *panel.Brush) {
	set := s.front.theta
	b.Optima(len(set), func(i int) (float64, float64) { return set[i][0], set[i][1] })
}

// nameSetEnds names the ends of the Pareto set, above the lines and beside the solutions' signs.
func (s *Scene) nameSetEnds(b *panel.Brush) {
	const clear = 8 // pixels: a large sign's radius
	set := s.front.theta
	for i, at := range [][]float64{set[0], set[len(set)-1]} {
		x, y := b.World(b.At(at[0], at[1]).Add(vg.Point{X: clear}))
		b.Label(x, y, [...]string{"most accurate", "fairest"}[i], panel.SmallText, b.Theme.Muted, panel.RightOf)
	}
}

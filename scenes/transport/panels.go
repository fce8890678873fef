package transport

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"paretoplay/scenes/panel"
	"paretoplay/scenes/timeline"
)

// noFile is said of pictures of data that are not here.
const noFile = "The costs are those of a file, which is not here."

// floor is the least error that is drawn.
const floor = 1e-11

// selected is the run that is pointed at, and its row at the marker.
func (s *Scene) selected() (timeline.Track, timeline.Row, bool) {
	r := s.Timeline().Selected()
	if r.Run == nil {
		return r, timeline.Row{}, false
	}
	return r, s.Timeline().Shown(r), true
}

func (s *Scene) matrix(name, heading string, plan func() []float64) *panel.PlanMatrix {
	m := &panel.PlanMatrix{
		Name: name, Heading: heading,
		Plan:       func() ([]float64, int) { return plan(), s.problem.m },
		Wanted:     func() ([]float64, []float64) { return s.problem.task.A, s.problem.task.B },
		RowName:    func(i int) string { return "row " + strconv.Itoa(i+1) },
		ColumnName: func(j int) string { return "column " + strconv.Itoa(j+1) },
	}
	m.Lines = func(i, j int) []string {
		k := i*s.problem.m + j
		lines := []string{"cost " + timeline.Number(s.problem.cost[k])}
		if changed := s.problem.task.Cost[k]; changed != s.problem.cost[k] {
			lines = append(lines, "less τ: "+timeline.Number(changed))
		}
		return append(lines, "exact mass "+timeline.Number(s.problem.exact.Mass[k]))
	}
	return m
}

// planPanel is the hero: the plan of the selected run at the marker.
func (s *Scene) planPanel() panel.Panel {
	plan := func() []float64 {
		if _, row, ok := s.selected(); ok {
			return row.X
		}
		return nil
	}
	m := s.matrix("plan", "Plan of the selected solver", plan)
	m.Key = func() string {
		r, row, ok := s.selected()
		if !ok {
			return ""
		}
		return fmt.Sprintf("%d %s %d", s.version, r.Name(), row.K)
	}
	m.Text = func() string {
		r, row, ok := s.selected()
		if !ok {
			return "No run."
		}
		return fmt.Sprintf("The plan of %s at iteration %d, %d rows carried to %d columns, with the sums of rows and columns, marked where they "+
			"should be. It costs %s, %s of its entries are zero, and its marginals are off by %s.", r.Label(), row.K, s.problem.n, s.problem.m,
			timeline.Number(row.Number("cost")), timeline.Number(row.Number("zeros")), timeline.Number(row.F[marginalError]))
	}
	return m.Panel()
}

// exactPanel is the exact plan.
func (s *Scene) exactPanel() panel.Panel {
	m := s.matrix("exact", "Exact plan", func() []float64 {
		if s.waits() {
			return nil
		}
		return s.problem.exact.Mass
	})
	m.Key = func() string { return strconv.Itoa(s.version) }
	m.Text = func() string {
		if s.waits() {
			return noFile
		}
		p := s.problem
		count := 0
		for _, v := range p.exact.Mass {
			if v > 0 {
				count++
			}
		}
		return fmt.Sprintf("An exact plan. It costs %s, and has %d entries, of at most %d + %d − "+
			"1.", timeline.Number(p.exact.Cost), count, p.n, p.m)
	}
	return m.Panel()
}

// bars are masses that one drags.
func (s *Scene) bars(name, heading, of string, shares func() []float64) *panel.Bars {
	b := &panel.Bars{Name: name, Heading: heading, Label: of, Shares: shares, Of: func(i int) string { return of + " " + strconv.Itoa(i+1) }}
	b.Text = func() string {
		v := shares()
		largest := slices.Index(v, slices.Max(v))
		return fmt.Sprintf("%s: %d shares of the whole, from %s to %s, the largest that of %s.", heading, len(v), timeline.Number(slices.Min(v)),
			timeline.Number(v[largest]), b.Of(largest))
	}
	return b
}

// history is a logarithmic panel over the iterations of all runs.
func (s *Scene) history(name, heading, label string, of int) *panel.History {
	h := &panel.History{
		Name: name, Heading: heading, Timeline: s.Timeline(), Unticked: true, Fixed: true, Symbol: s.Params().Symbol,
		Value: func(r timeline.Row) float64 { return max(r.F[of], floor) },
	}
	h.Lines = func(r timeline.Track, row timeline.Row) []string {
		return []string{fmt.Sprintf("%s, iteration %d", r.Label(), row.K), "marginal error " + timeline.Number(row.F[marginalError]),
			"gap " + timeline.Number(row.F[gap]), "cost " + timeline.Number(row.Number("cost"))}
	}
	h.Y = func() panel.Axis { return panel.Axis{Label: label, Min: floor / 10, Max: 10, Log: true} }
	h.Text = func() string {
		r, row, ok := s.selected()
		if !ok {
			return "No run."
		}
		return fmt.Sprintf("%s over the iterations, a line a solver, on a logarithmic axis; what is below %g is drawn there. For %s it is %s at "+
			"iteration %d.", heading, floor, r.Label(), timeline.Number(row.F[of]), row.K)
	}
	return h
}

func (s *Scene) errorHistory() *panel.History {
	h := s.history("errors", "Marginal error", "of the mass", marginalError)
	h.Fixed = false
	return h
}

// errorPanel is the marginal error, with the solvers' legend.
func (s *Scene) errorPanel() panel.Panel {
	p := s.errors.Panel()
	p.Legend = func(t *panel.Theme) []panel.Entry { return panel.MethodEntries(t, Methods, s.Timeline()) }
	return p
}

func (s *Scene) gapPanel() panel.Panel {
	return s.history("gap", "Objective gap", "of the range", gap).Panel()
}

const paintHandle = "cost-paint"

// costPanel is the matrix of costs, which one paints.
func (s *Scene) costPanel() panel.Panel {
	p := &panel.Plane{Name: "cost", Heading: "Costs"}
	p.Text = func() string {
		if s.waits() {
			return noFile
		}
		q := s.problem
		text := fmt.Sprintf("The costs, %d rows by %d columns, from %s to %s.", q.n, q.m, timeline.Number(slices.Min(q.cost)),
			timeline.Number(slices.Max(q.cost)))
		if s.paintable() {
			text += fmt.Sprintf(" A press on one sets it to %s.", timeline.Number(s.values.Brush))
		}
		return text
	}
	p.Axes = func() (panel.Axis, panel.Axis) {
		return numbered(s.problem.m, false), numbered(s.problem.n, true)
	}
	p.Sheets = func() []panel.Sheet {
		if s.waits() {
			return nil
		}
		return []panel.Sheet{{Key: strconv.Itoa(s.version), Draw: func(b *panel.Brush) {
			q := s.problem
			lo, hi := slices.Min(q.cost), slices.Max(q.cost)
			if hi == lo {
				lo, hi = lo-1, hi+1
			}
			b.Cells(q.n, q.m, func(i, j int) (float64, bool) { return q.cost[i*q.m+j], true }, lo-0.08*(hi-lo), hi)
		}}}
	}
	p.Find = func(b *panel.Brush, at vg.Point) (panel.Pick, bool) {
		q := s.problem
		x, y := b.World(at)
		i, j := q.n-1-int(math.Round(y)), int(math.Round(x))
		if s.waits() || !b.Canvas.Contains(at) || i < 0 || j < 0 || i >= q.n || j >= q.m {
			return panel.Pick{}, false
		}
		pick := panel.Pick{K: -1, At: at, Lines: []string{fmt.Sprintf("row %d, column %d", i+1, j+1), "cost " + timeline.Number(q.cost[i*q.m+j])}}
		if s.paintable() {
			pick.Handle = paintHandle
		}
		return pick, true
	}
	return p
}

// numbered is an axis of n things from 1, of which some are numbered; reversed has the
// first at the upper end.
func numbered(n int, reversed bool) panel.Axis {
	every := 1
	for n/every > 12 {
		every *= 2
	}
	names := make([]string, n)
	for i := range names {
		at := i
		if reversed {
			at = n - 1 - i
		}
		if i == 0 || (i+1)%every == 0 && i+1-every > 0 || every == 1 {
			names[at] = strconv.Itoa(i + 1)
		}
	}
	return panel.Axis{Categories: names}
}

// potentialsPanel shows the selected run's potentials, those of the rows and then those
// of the columns, and the exact ones.
func (s *Scene) potentialsPanel() panel.Panel {
	p := &panel.Plane{Name: "potentials", Heading: "Potentials"}
	now := func() (u, v []float64) {
		if _, row, ok := s.selected(); ok {
			return row.Value("u"), row.Value("v")
		}
		return nil, nil
	}
	p.Text = func() string {
		r, row, ok := s.selected()
		if !ok {
			return "No run."
		}
		return fmt.Sprintf("The potentials u of the rows and v of the columns, made feasible: u_i + v_j is at most the cost. Those of %s at "+
			"iteration "+
			"%d prove that no plan costs less than %s; the exact ones reach %s.", r.Label(), row.K, timeline.Number(row.Number("bound")),
			timeline.Number(s.problem.exact.Cost))
	}
	p.Axes = func() (panel.Axis, panel.Axis) {
		q := s.problem
		u, v := now()
		all := slices.Concat(q.exact.U, q.exact.V, u, v)
		lo, hi := slices.Min(all), slices.Max(all)
		room := 0.08 * (hi - lo)
		if hi == lo {
			room = max(math.Abs(hi), 1)
		}
		return panel.Axis{Label: "rows, then columns", Min: 0, Max: float64(q.n+q.m) + 1, Integer: true},
			panel.Axis{Label: "u_i, v_j", Min: lo - room, Max: hi + room}
	}
	p.Sheets = func() []panel.Sheet {
		if s.waits() {
			return nil
		}
		return []panel.Sheet{{Draw: func(b *panel.Brush) {
			q := s.problem
			b.VLine(float64(q.n)+0.5, panel.Stroke{Color: b.Theme.Hairline, Width: 1})
			radius := max(1.5, min(4, vg.Length(180)/vg.Length(q.n+q.m)))
			draw := func(u, v []float64, shape panel.Shape, look panel.Look, radius vg.Length) {
				for _, part := range []struct {
					from   int
					values []float64
				}{{1, u}, {q.n + 1, v}} {
					b.Line(len(part.values), func(i int) (float64, float64) { return float64(part.from + i), part.values[i] },
						panel.Stroke{Color: look.Hue, Width: 1, Dash: look.Dash})
					for i, y := range part.values {
						b.Marker(float64(part.from+i), y, shape, radius, look.Hue, false)
					}
				}
			}
			look := b.Theme.Look(exact)
			draw(q.exact.U, q.exact.V, panel.RingSquare, look, radius+1.5)
			if r, _, ok := s.selected(); ok {
				u, v := now()
				look := b.Theme.Look(r.Method)
				draw(u, v, look.Shape, look, radius)
			}
		}}}
	}
	p.Legend = func(t *panel.Theme) []panel.Entry {
		entry := t.Look(exact).Entry("exact")
		entry.Shape = panel.RingSquare
		out := []panel.Entry{entry}
		if r, _, ok := s.selected(); ok {
			out = append(out, t.Look(r.Method).Entry(r.Label()))
		}
		return out
	}
	return p
}

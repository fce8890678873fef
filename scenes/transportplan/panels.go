package transportplan

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// waiting returns the text that panels show while there are no runs.
func (s *Scene) waiting() string {
	return "No costs yet. Load a file or choose another kind of costs."
}

// bars returns a panel of draggable masses.
func (s *Scene) bars(name, heading, of string, shares func() []float64, cell func(i int) kinds.Cell) *kinds.Bars {
	return &kinds.Bars{
		Name: name, Heading: heading, Label: of, Shares: shares, Cell: cell,
		Of: func(i int) string { return of + " " + strconv.Itoa(i+1) },
		Text: func() string {
			list := shares()
			most, at := 0.0, 0
			for i, v := range list {
				if v > most {
					most, at = v, i
				}
			}
			return fmt.Sprintf("The masses of %s. Drag a bar to change its mass; the others change in proportion. The largest mass is %s, "+
				"in %s %d.",
				numeral.Counted(len(list), of), timeline.Number(most), of, at+1)
		},
	}
}

func rowCell(i int) kinds.Cell    { return kinds.Cell{Row: i + 1} }
func columnCell(j int) kinds.Cell { return kinds.Cell{Column: j + 1} }

func rowName(i int) string    { return "row " + strconv.Itoa(i+1) }
func columnName(j int) string { return "column " + strconv.Itoa(j+1) }

// plansPanel shows the plans of all solvers at the marker.
func (s *Scene) plansPanel() axes.Panel {
	p := &kinds.Plans{Name: "plans", Heading: "Plans Γ: from the bars above (rows) to the bars below (columns)"}
	p.Plans = func() []kinds.TitledPlan {
		line := s.Timeline()
		var out []kinds.TitledPlan
		for _, r := range slices.Backward(line.Tracks()) { // in the order of the methods
			row := line.Shown(r)
			out = append(out, kinds.TitledPlan{
				Title: r.Title, Method: r.Method, Run: r.Name(), Selected: r == line.Selected(), Flow: true,
				Note: fmt.Sprintf("k = %d, %s", row.K, s.worth(row)),
				Matrix: &kinds.PlanMatrix{
					Plan:    func() ([]float64, int) { return row.X, s.values.M },
					Wanted:  func() (rows, columns []float64) { return s.task.A, s.task.B },
					Most:    s.mostMass,
					RowName: rowName, ColumnName: columnName,
					Lines: func(i, j int) []string {
						k := i*s.values.M + j
						return []string{"optimum " + timeline.Number(s.best.Mass[k]), "cost " + timeline.Number(s.task.Cost[k])}
					},
				},
			})
		}
		return out
	}
	p.Text = func() string {
		line := s.Timeline()
		if len(line.Tracks()) == 0 {
			return s.waiting()
		}
		parts := make([]string, 0, len(line.Tracks()))
		for _, r := range line.Tracks() {
			row := line.Shown(r)
			parts = append(parts, fmt.Sprintf("%d in %s’s plan at iteration %d", nonZeros(row.X), r.Title, row.K))
		}
		return fmt.Sprintf("Cells that carry mass, out of %d: %s. Darker cells carry more.", s.values.N*s.values.M,
			strings.Join(parts, ", "))
	}
	panel := p.Panel()
	panel.Moving = s.plansMove
	return panel
}

// plansMove appends the shades of all plans' cells, as if shades were heights. With τ, a plan may rest for thousands of
// iterations while an invisible entry grows, and then move on. With τ, plansMove therefore appends nothing, so that
// playback keeps an even pace.
func (s *Scene) plansMove(v []float64, k, most int) []float64 {
	if s.tau > 0 {
		return v
	}
	tracks, full := s.Timeline().Tracks(), s.mostMass()
	every := axes.Every(s.values.N*s.values.M*len(tracks), most)
	for _, r := range tracks {
		mass := r.Kept(r.Index(min(k, r.Last()))).X
		for i := 0; i < len(mass); i += every {
			v = append(v, 0, mass[i]/full)
		}
	}
	return v
}

// undelivered is the marginal error above which a plan's cost means little, because the plan does not carry the required masses.
const undelivered = 0.01

// worth describes how good a plan is. With τ it returns the share of the mass in the rows’ largest entries. Without τ
// it returns the plan's cost in units of the lowest cost or, if the lowest cost is 0, the gap to the optimum. If the
// plan does not deliver all masses yet, worth says so instead.
func (s *Scene) worth(row timeline.Row) string {
	switch {
	case s.tau > 0:
		return fmt.Sprintf("%.0f %% in rows’ maxima", 100*row.Number(recordedRowMaxima))
	case row.F[0] > undelivered:
		return "not all mass delivered yet"
	case s.goal > 0:
		return timesLowest(row.Number(recordedCost) / s.goal)
	}
	return "gap " + short(row.F[1])
}

// timesLowest describes a cost that is the given multiple of the lowest cost. If two digits of the multiple would not
// distinguish the cost from the lowest, timesLowest gives the difference in percent.
func timesLowest(multiple float64) string {
	const exact, close = 1e-8, 0.1
	switch above := multiple - 1; {
	case math.Abs(above) < exact:
		return "the lowest cost"
	case math.Abs(above) >= close:
		return short(multiple) + " × the lowest cost"
	case above < 0:
		return "lowest − " + short(-100*above) + " %"
	default:
		return "lowest + " + short(100*above) + " %"
	}
}

// mostMass returns the mass with the darkest shade in every plan: the largest entry of the optimum.
func (s *Scene) mostMass() float64 {
	var most float64
	for _, v := range s.best.Mass {
		most = max(most, v)
	}
	return most
}

// nonZeros returns the number of entries that carry more than a millionth of the mass.
func nonZeros(mass []float64) (n int) {
	const least = 1e-6
	for _, v := range mass {
		if v > least {
			n++
		}
	}
	return n
}

// short formats a number with two digits.
func short(v float64) string {
	return numeral.Format(v, 2)
}

// floor raises a value that is zero or below a logarithmic axis to the axis's minimum.
func floor(v, least float64) float64 { return max(v, least) }

const (
	leastError = 1e-12
	leastGap   = 1e-10 // relative to the scale of the costs
)

// errorHistory returns the panel of the marginal errors, with the time marker's handle.
func (s *Scene) errorHistory() *kinds.History {
	return s.history("error", "Marginal error", func() axes.Axis {
		return axes.Axis{Label: "error", Min: leastError, Max: 3, Log: true}
	}, func(r timeline.Row) float64 { return floor(r.F[0], leastError) }, "The total difference between the row and column sums and the "+
		"masses")
}

// gapHistory returns the panel of the gaps.
func (s *Scene) gapHistory() *kinds.History {
	h := s.history("gap", "Distance of the objective from the optimum", func() axes.Axis {
		return axes.Axis{Label: "gap, above or below the optimum", Min: leastGap * s.scale, Max: 3 * s.scale, Log: true}
	}, func(r timeline.Row) float64 { return floor(r.F[1], leastGap*s.scale) }, "The absolute difference between the objectives of the "+
		"plan and the optimum")
	h.Fixed = true
	return h
}

func (s *Scene) history(name, heading string, y func() axes.Axis, value func(timeline.Row) float64, what string) *kinds.History {
	line := s.Timeline()
	return &kinds.History{
		Name: name, Heading: heading, Timeline: line, Y: y, Value: value, Unticked: true,
		Symbol: s.Params().Symbol,
		Lines: func(_ timeline.Track, row timeline.Row) []string {
			return []string{fmt.Sprintf("k = %d", row.K), "marginal error " + timeline.Number(row.F[0]), "gap " + timeline.Number(row.F[1]),
				"cost " + timeline.Number(row.Number(recordedCost))}
		},
		Text: func() string {
			r := line.Selected()
			if r.Run == nil {
				return s.waiting()
			}
			row := line.Shown(r)
			return fmt.Sprintf("%s, over the iterations on a logarithmic axis. For %s it is %s at iteration %d.", what, r.Title,
				timeline.Number(value(row)), row.K)
		},
	}
}

// These are the handles of the costs. cellHandle is the name prefix of the handle of a cell that the pointer drags.
// cursorHandle is the handle of the framed cell. The left and right keys move the frame from cell to cell in reading
// order. The up and down keys change the cell's cost.
const (
	cellHandle   = "cost-"
	cursorHandle = "costs"
)

const (
	// dragShare is the share of the picture's height over which a drag changes a cost by the whole scale.
	dragShare = 0.5
	// keyShare is the share of the scale that one key press adds to a cost.
	keyShare = 0.02
)

// heightOf converts a cost to the height, in rows of the picture, to which a drag must move to set this cost.
func (s *Scene) heightOf(cost float64) float64 {
	return dragShare * float64(s.values.N) * cost / s.scale
}

func (s *Scene) costAt(height float64) float64 {
	return float64(height / (dragShare * float64(s.values.N)) * s.scale)
}

// cell returns the framed cell. It keeps the frame inside the matrix after the matrix has shrunk.
func (s *Scene) cell() (i, j int) {
	at := min(s.framed, s.values.N*s.values.M-1)
	return at / s.values.M, at % s.values.M
}

// rowAt returns the vertical position of a row, with the first row on top. It also converts a position back to a row.
func (s *Scene) rowAt(i int) float64 { return float64(s.values.N - 1 - i) }

// costPanel shows the costs, whose cells can be dragged, and marks where the optimum carries mass.
func (s *Scene) costPanel() axes.Panel {
	p := &axes.Plane{Name: "cost", Heading: "Costs C"}
	p.Axes = func() (axes.Axis, axes.Axis) {
		columns, rows := make([]string, s.values.M), make([]string, s.values.N)
		every := 1 + max(len(rows), len(columns))/16
		for j := range columns {
			if (j+1)%every == 0 {
				columns[j] = strconv.Itoa(j + 1)
			}
		}
		for i := range rows {
			if (i+1)%every == 0 {
				rows[len(rows)-1-i] = strconv.Itoa(i + 1)
			}
		}
		return axes.Axis{Label: "column", Categories: columns}, axes.Axis{Label: "row", Categories: rows}
	}
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawCosts}} }
	p.Grips = func() []axes.Grip {
		if len(s.task.Cost) == 0 {
			return nil
		}
		i, j := s.cell()
		return []axes.Grip{{ID: cursorHandle, Label: "cost of " + rowName(i) + ", " + columnName(j),
			Value: timeline.Number(s.task.Cost[i*s.values.M+j]), X: float64(j), Y: s.rowAt(i), StepX: 1, StepY: s.heightOf(keyShare * s.scale),
			Plain: true, Keyed: true}}
	}
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		x, y := b.World(at)
		i, j := s.values.N-1-int(math.Round(y)), int(math.Round(x))
		if len(s.task.Cost) == 0 || i < 0 || i >= s.values.N || j < 0 || j >= s.values.M {
			return axes.Pick{}, false
		}
		cost := s.task.Cost[i*s.values.M+j]
		pick := axes.Pick{K: -1, At: at, Thing: kinds.Cell{Row: i + 1, Column: j + 1},
			Lines: []string{rowName(i) + ", " + columnName(j), "cost " + timeline.Number(cost)}}
		if s.tau == 0 {
			pick.Lines = append(pick.Lines, "above the potentials’ sum by "+timeline.Number(cost-s.best.U[i]-s.best.V[j]))
		}
		pick.Handle = cellHandle + strconv.Itoa(i+1) + "-" + strconv.Itoa(j+1)
		pick.Turns, pick.TurnY = true, s.heightOf(cost)
		return pick, true
	}
	p.MarkThing = s.markCosts
	p.Key = func(t *brush.Theme) []axes.Entry {
		if len(s.task.Cost) == 0 {
			return nil
		}
		return []axes.Entry{{Label: "cheap to expensive", Ramp: true}, {Label: "best", Shape: brush.RingSquare, Fill: t.Ink}}
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if len(s.task.Cost) == 0 {
			return nil
		}
		out := []axes.Entry{
			{Label: short(s.least), Area: t.Ramp(0.05)}, {Label: short(s.least + s.range_), Area: t.Ramp(1)},
			{Label: "has mass in the optimum", Shape: brush.RingSquare, Fill: t.Ink},
		}
		if !t.Print {
			out = append(out, axes.Entry{Label: "drag a cell up or down, or grab it with Enter", Shape: brush.RingSquare, Fill: t.Accent})
		}
		return out
	}
	p.Text = func() string {
		if len(s.task.Cost) == 0 {
			return s.waiting()
		}
		return fmt.Sprintf("The cost of carrying mass from each of %d rows to each of %d columns. Darker cells cost more; costs range from "+
			"%s to %s. Framed cells carry mass in the optimum, which costs %s.", s.values.N, s.values.M, timeline.Number(s.least),
			timeline.Number(s.least+s.range_), timeline.Number(s.best.Cost))
	}
	return p
}

// markCosts frames a cell, a row or a column in the picture of the costs.
func (s *Scene) markCosts(b *brush.Brush, thing any) {
	c, is := thing.(kinds.Cell)
	n, m := s.values.N, s.values.M
	if !is || len(s.task.Cost) == 0 || c.Row > n || c.Column > m {
		return
	}
	top, bottom, left, right := 1, n, 1, m
	if c.Row > 0 {
		top, bottom = c.Row, c.Row
	}
	if c.Column > 0 {
		left, right = c.Column, c.Column
	}
	const half = 0.5 // half a cell
	b.Framed(vg.Rectangle{
		Min: b.At(float64(left-1)-half, float64(n-bottom)-half), Max: b.At(float64(right-1)+half, float64(n-top)+half),
	})
}

// drawCosts draws the cells, darker for higher costs. It frames the cells where the optimum carries mass and the cell selected by the
// keyboard.
func (s *Scene) drawCosts(b *brush.Brush) {
	if len(s.task.Cost) == 0 {
		return
	}
	n, m := s.values.N, s.values.M
	shades := s.shades()
	b.Matrix(n, m, func(i, j int) (float64, string, bool) { return shades[i*m+j], short(s.task.Cost[i*m+j]), true })
	frame := func(i, j int, stroke brush.Stroke, share float64) {
		x, y := float64(j), s.rowAt(i)
		corners := [...][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}}
		b.Line(len(corners), func(k int) (float64, float64) {
			return x + float64(share*corners[k][0]), y + float64(share*corners[k][1])
		}, stroke)
	}
	for i := range n {
		for j := range m {
			if s.best.Mass[i*m+j] > 0 {
				frame(i, j, brush.Stroke{Color: brush.OnColor(b.Theme.Ramp(shades[i*m+j])), Width: 1.5}, 0.4)
			}
		}
	}
	if b.Frame.Detail == brush.Full && !b.Theme.Print {
		i, j := s.cell()
		frame(i, j, brush.Stroke{Color: b.Theme.Accent, Width: 3}, 0.47)
	}
}

// shades scales the costs to shades from 0, the minimum, to 1, the maximum.
func (s *Scene) shades() []float64 {
	out := make([]float64, len(s.task.Cost))
	for i, c := range s.task.Cost {
		out[i] = 0.5
		if s.range_ > 0 {
			out[i] = (c - s.least) / s.range_
		}
	}
	return out
}

// dualsPanel shows the potentials of the rows and, to their right, the potentials of the columns.
func (s *Scene) dualsPanel() axes.Panel {
	p := &axes.Plane{Name: "duals", Heading: "Dual potentials u of rows, v of columns"}
	p.Axes = func() (axes.Axis, axes.Axis) {
		n, m := s.values.N, s.values.M
		names := make([]string, n+m)
		every := 1 + (n+m-1)/16
		for i := range names {
			k := i
			if i >= n {
				k -= n
			}
			if k%every == 0 {
				names[i] = strconv.Itoa(k + 1)
			}
		}
		reach := s.dualReach()
		return axes.Axis{Label: "row, column", Categories: names}, axes.Axis{Label: "u, v", Min: -reach, Max: reach}
	}
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawDuals}} }
	p.Find, p.MarkThing = s.findDual, s.markDuals
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if len(s.task.Cost) == 0 {
			return nil
		}
		return []axes.Entry{{Label: "optimum", Stroke: brush.Stroke{Color: t.Optimum, Width: 7}}}
	}
	p.Key = p.Legend
	p.Text = func() string {
		r := s.Timeline().Selected()
		if r.Run == nil {
			return s.waiting()
		}
		row := s.Timeline().Shown(r)
		if s.tau > 0 {
			return "The dual potentials of rows and columns for each solver’s current linearised problem. No cell costs less than the sum of " +
				"its row’s and its column’s potentials."
		}
		return fmt.Sprintf("The dual potentials of rows and columns. No cell costs less than the sum of its row’s and its column’s "+
			"potentials, so the sum of masses times potentials is a lower bound on every plan’s cost. At iteration %d, %s’s bound is %s; the "+
			"optimum is %s.", row.K,
			r.Title, timeline.Number(row.Number(recordedBound)), timeline.Number(s.goal))
	}
	return p
}

// dualReach returns the end of the axis of potentials. It starts at twice the optimum's maximum, which the runs rarely
// exceed, and is quadrupled until all runs fit. The axis grows in such steps instead of following the runs.
func (s *Scene) dualReach() float64 {
	const room, further = 2, 4
	best, most := 0.0, 0.0
	s.eachDual(func(r timeline.Track, values []float64) {
		for _, v := range values {
			if most = max(most, math.Abs(v)); r.Run == nil {
				best = max(best, math.Abs(v))
			}
		}
	})
	if best == 0 {
		best = s.scale
	}
	return axes.InSteps(axes.RoundUp(room*best, 1, 1.5, 2, 3, 5, 7), further, most)
}

// eachDual calls f with the potentials of the optimum and of every run at the marker. The optimum's track has no run.
func (s *Scene) eachDual(f func(r timeline.Track, values []float64)) {
	if len(s.task.Cost) == 0 {
		return
	}
	f(timeline.Track{}, append(append([]float64{}, s.best.U...), s.best.V...))
	for _, r := range s.Timeline().Tracks() {
		row := s.Timeline().Shown(r)
		f(r, append(append([]float64{}, row.Value(recordedU)...), row.Value(recordedV)...))
	}
}

func (s *Scene) drawDuals(b *brush.Brush) {
	n := s.values.N
	b.VLine(float64(n)-0.5, brush.Stroke{Color: b.Theme.Rule, Width: 1})
	b.HLine(0, brush.Stroke{Color: b.Theme.Hairline, Width: 1})
	s.eachDual(func(r timeline.Track, values []float64) {
		stroke := brush.Stroke{Color: b.Theme.Optimum, Width: 7}
		look := brush.Look{}
		if r.Run != nil {
			look = b.Theme.Look(r.Method)
			stroke = look.Stroke(1.5)
			if r == s.Timeline().Selected() {
				stroke.Width = 2.5
			}
		}
		b.Line(len(values)+1, func(i int) (float64, float64) {
			switch {
			case i == n: // a gap between rows and columns
				return math.NaN(), 0
			case i > n:
				i--
			}
			return float64(i), values[i]
		}, stroke)
		if r.Run != nil {
			for i, v := range values {
				b.Marker(float64(i), v, look.Shape, 3, look.Hue, false)
			}
		}
	})
}

// markDuals draws vertical lines through the potentials of a cell's row and column.
func (s *Scene) markDuals(b *brush.Brush, thing any) {
	c, _ := thing.(kinds.Cell)
	hair := brush.Stroke{Color: b.Theme.Ink, Width: 1.5}
	if c.Row > 0 && c.Row <= s.values.N {
		b.VLine(float64(c.Row-1), hair)
	}
	if c.Column > 0 && c.Column <= s.values.M {
		b.VLine(float64(s.values.N+c.Column-1), hair)
	}
}

func (s *Scene) findDual(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	near, best := b.Nearest(at), axes.Pick{K: -1}
	s.eachDual(func(r timeline.Track, values []float64) {
		for i, v := range values {
			if r.Run == nil || !near.Closer(float64(i), v) {
				continue
			}
			name, cell := rowName(i)+": u", rowCell(i)
			if j := i - s.values.N; j >= 0 {
				name, cell = columnName(j)+": v", columnCell(j)
			}
			best = axes.Pick{Run: r.Name(), K: -1, At: near.At, Thing: cell, Lines: []string{r.Title, name + " = " + timeline.Number(v)}}
		}
	})
	return best, near.Found
}

package federatedclients

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/portable"
)

func solutionName(j int) string { return fmt.Sprintf("solution %d", j+1) }
func clientName(i int) string   { return fmt.Sprintf("client %d", i+1) }

// whole returns a run's first track. Its rows hold the records of the whole run.
func whole(r *timeline.Run) timeline.Track { return timeline.Track{Run: r} }

// at returns the row from which pictures of a run are drawn.
func (s *Scene) at(r *timeline.Run) timeline.Row { return s.Timeline().Shown(whole(r)) }

// selected returns the run shown in detail, or nil if there is none.
func (s *Scene) selected() *timeline.Run { return s.Timeline().Selected().Run }

const noRun = "No run."

// sorted returns the clients of a row from the least to the most accurate. Ties keep their order.
func sorted(row timeline.Row) []int {
	accuracies := row.Value(clientsName)
	order := make([]int, len(accuracies))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case accuracies[a] < accuracies[b]:
			return -1
		case accuracies[a] > accuracies[b]:
			return 1
		}
		return 0
	})
	return order
}

// clientsPanel shows the sorted accuracies of all clients, with one line for each method.
func (s *Scene) clientsPanel() axes.Panel {
	p := &axes.Plane{Name: "clients", Heading: "Accuracy of each client, sorted in every round", Moving: s.clientsMove}
	p.Axes = func() (axes.Axis, axes.Axis) {
		return axes.Axis{Label: "clients, from worst to best in this round", Short: "clients",
				Min: 0.5, Max: float64(s.values.N) + 0.5, Integer: true},
			axes.Axis{Label: "share of correct test predictions", Short: "test accuracy", Min: 0, Max: 1.04}
	}
	p.Sheets = func() []axes.Sheet { return []axes.Sheet{{Draw: s.drawWorst}, {Draw: s.drawClients}} }
	p.Legend = func(t *brush.Theme) []axes.Entry {
		out := kinds.MethodEntries(t, Methods, s.Timeline())
		if r := s.selected(); r != nil {
			out = append(out, axes.Entry{Label: r.Title + ": the solution that a client chose", Shape: brush.Numbered(1), Fill: t.Solution(0).Hue},
				axes.Entry{Label: "bar: mean of the worst fifth", Stroke: brush.Stroke{Color: t.Muted, Width: 3}})
		}
		return out
	}
	p.Find = s.findClient
	p.Text = s.OfSelected(func(r timeline.Track) string {
		row := s.at(r.Run)
		order, accuracies := sorted(row), row.Value(clientsName)
		worst := order[0]
		return s.describeWorst() + fmt.Sprintf("With %s, the %d clients get on average %.0f %% of their test samples right at round %d. "+
			"Client %d gets the fewest right: %.0f %% with solution %g. Each line is a method, with its clients sorted from worst to best.", r.Title,
			len(order), 100*accuracy(row), row.K, worst+1, 100*accuracies[worst], row.Value(chosenName)[worst])
	})
	return p
}

// clientsMove appends the points of every method's line to v: the clients' sorted accuracies at iteration k.
func (s *Scene) clientsMove(v []float64, k, most int) []float64 {
	all := s.Timeline().Runs()
	every := axes.Every(s.values.N*len(all), most)
	for _, r := range all {
		accuracies := r.Kept(r.Index(min(k, r.Last()))).Value(clientsName)
		for i := 0; i < len(accuracies); i += every {
			v = append(v, float64(i+1), accuracies[i])
		}
	}
	return v
}

// worstShare is the share of the clients that the picture highlights as the worst served.
const worstShare = 0.2

// worstClients returns the number of clients that make up worstShare, at least 1.
func (s *Scene) worstClients() int {
	return max(1, int(math.Ceil(float64(worstShare*float64(s.values.N))-1e-9)))
}

// drawClients draws the lines. The selected line is bold and carries the symbol of each client's chosen solution.
func (s *Scene) drawClients(b *brush.Brush) {
	line := func(r *timeline.Run, stroke brush.Stroke) {
		row := s.at(r)
		order, accuracies := sorted(row), row.Value(clientsName)
		b.Line(len(order), func(i int) (float64, float64) { return float64(i + 1), accuracies[order[i]] }, stroke)
	}
	chosen := s.selected()
	for _, r := range s.Timeline().Runs() {
		if r != chosen {
			look := b.Theme.Look(r.Method)
			line(r, brush.Stroke{Color: brush.Faded(look.Hue, 0.6), Width: 1.25, Dash: look.Dash})
		}
	}
	if chosen == nil {
		return
	}
	line(chosen, b.Theme.Look(chosen.Method).Stroke(2))
	row := s.at(chosen)
	const room = 14 // minimum distance between clients, in pixels, at which numbered symbols fit
	for i, client := range sorted(row) {
		sign := b.Theme.NumberedSolution(int(row.Value(chosenName)[client]) - 1)
		if b.X.Factor() < room {
			sign.Shape = brush.Circle
		}
		b.Marker(float64(i+1), row.Value(clientsName)[client], sign.Shape, 4.5, sign.Hue, true)
	}
}

// describeWorst describes how well the methods serve the worst fifth of the clients, the best method first.
func (s *Scene) describeWorst() string {
	all := slices.Clone(s.Timeline().Runs())
	slices.SortStableFunc(all, func(a, b *timeline.Run) int { return cmp.Compare(worstFifth(s.at(b)), worstFifth(s.at(a))) })
	parts := make([]string, len(all))
	for i, r := range all {
		parts[i] = fmt.Sprintf("%s %.0f %%", r.Title, 100*worstFifth(s.at(r)))
	}
	return fmt.Sprintf("At round %d, the worst fifth of the clients get these shares of their test samples right: %s. ", s.Timeline().Marker(),
		strings.Join(parts, ", "))
}

// drawWorst shades the worst-served clients. For each method it draws a bar across them at their mean accuracy, with the method's
// symbol on the axis, where no line hides it. In a large panel it also lists the means.
func (s *Scene) drawWorst(b *brush.Brush) {
	_, _, low, high := b.Bounds()
	end := float64(s.worstClients()) + 0.5
	b.Box(0.5, low, end, high, b.Theme.Tint(b.Theme.Ink, 0.06))
	all := slices.Clone(s.Timeline().Runs())
	slices.SortStableFunc(all, func(a, c *timeline.Run) int { return cmp.Compare(worstFifth(s.at(a)), worstFifth(s.at(c))) })
	for _, r := range all {
		v, width := worstFifth(s.at(r)), vg.Length(3)
		if r == s.selected() {
			width = 5
		}
		b.Line(2, func(i int) (float64, float64) { return 0.5 + float64((end-0.5)*float64(i)), v },
			brush.Stroke{Color: b.Theme.Look(r.Method).Hue, Width: width})
	}
	for _, r := range all {
		look := b.Theme.Look(r.Method)
		b.Marker(0.5, worstFifth(s.at(r)), look.Shape, 4.5, look.Hue, true)
	}
	if b.Frame.Detail == brush.Full && len(all) > 0 {
		b.Label(0.5, high, "the worst fifth", brush.SmallText, b.Theme.Muted, brush.Align{X: 1, Y: -1})
		s.listWorst(b, all)
	}
}

// listWorst lists the mean accuracies of the worst-served clients in the lower right corner, the smallest at the bottom. No line
// reaches this corner.
func (s *Scene) listWorst(b *brush.Brush, all []*timeline.Run) {
	const (
		row, edge  = 16, 6  // in pixels: the height of a row, and the margin around the list
		sign, gap  = 12, 10 // the width of a symbol, and the gap between two columns
		bar, words = 70, 38 // the widths of a 100 % bar and of a percentage
	)
	heading := "the worst fifth: higher is better"
	names := vg.Length(0)
	for _, r := range all {
		names = max(names, b.Width(r.Title))
	}
	wide := max(sign+names+gap+bar+words, b.Width(heading)) + 2*edge
	from := b.Canvas.Max.X - wide
	area := vg.Rectangle{Min: vg.Point{X: from, Y: b.Canvas.Min.Y + 1}, Max: b.Canvas.Max}
	area.Max.Y = b.Canvas.Min.Y + vg.Length(row*vg.Length(len(all)+1)) + edge
	if area.Min.X < b.Canvas.Min.X || area.Size().Y > 0.5*b.Canvas.Size().Y {
		return
	}
	b.Canvas.SetColor(b.Theme.Paper)
	b.Fill(area)
	text := func(x, y vg.Length, words string, side brush.Align) {
		b.TextAt(vg.Point{X: x, Y: y}, words, brush.SmallText, b.Theme.Ink, side)
	}
	y := area.Min.Y + edge + row/2
	for _, r := range all {
		v, look := worstFifth(s.at(r)), b.Theme.Look(r.Method)
		b.MarkerAt(vg.Point{X: from + edge + sign/2, Y: y}, look.Shape, 4, look.Hue)
		text(from+edge+sign, y, r.Title, brush.RightOf)
		left := from + edge + sign + names + gap
		b.Canvas.SetColor(look.Hue)
		b.Fill(vg.Rectangle{Min: vg.Point{X: left, Y: y - 4}, Max: vg.Point{X: left + vg.Length(bar*vg.Length(v)), Y: y + 4}})
		text(left+vg.Length(bar*vg.Length(v)), y, fmt.Sprintf("%.0f %%", 100*v), brush.RightOf)
		y += row
	}
	text(from, y, heading, brush.RightOf)
}

// findClient finds the client nearest to the pointer on any run's line. It prefers the selected run.
func (s *Scene) findClient(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	const near = 12
	best, found := math.Inf(1), axes.Pick{}
	look := func(r *timeline.Run, allowance float64) {
		row := s.at(r)
		for i, client := range sorted(row) {
			v := row.Value(clientsName)[client]
			p := b.At(float64(i+1), v)
			if d := portable.Hypot(float64(p.X-at.X), float64(p.Y-at.Y)) + allowance; d < best {
				best = d
				j := int(row.Value(chosenName)[client]) - 1
				found = axes.Pick{Run: timeline.Track{Run: r, Solution: j}.Name(), K: row.K, At: p, Lines: []string{
					r.Title + ", " + clientName(client), "accuracy " + timeline.Number(v) + " with " + solutionName(j)}}
			}
		}
	}
	chosen := s.selected()
	for _, r := range s.Timeline().Runs() {
		if r == chosen {
			look(r, 0)
		} else {
			look(r, 2)
		}
	}
	return found, best <= near
}

// plan returns the mass that each client gives to each solution of the selected run at the marker, in n rows of m.
// Without a plan it returns the clients' choices, each with mass 1/n. planned reports whether there is a plan.
func (s *Scene) plan() (mass []float64, columns int, row timeline.Row, planned bool) {
	r := s.selected()
	if r == nil {
		return nil, 0, row, false
	}
	row = s.Timeline().ShownStep(whole(r))
	if mass, columns, ok := plans.PlanOf(r, r.Kept(r.Index(row.K))); ok {
		return mass, columns, row, true
	}
	row = s.at(r)
	chosen, m := row.Value(chosenName), r.Solutions()
	mass = make([]float64, len(chosen)*m)
	for i, j := range chosen {
		mass[i*m+int(j)-1] = 1 / float64(len(chosen))
	}
	return mass, m, row, false
}

// planPanel shows the plan as a matrix.
func (s *Scene) planPanel() axes.Panel {
	matrix := &kinds.PlanMatrix{Name: "plan", Heading: "Plan Γ: clients to solutions",
		Column: (*brush.Theme).NumberedSolution, RowName: clientName, ColumnName: solutionName,
		Plan: func() ([]float64, int) {
			mass, columns, _, _ := s.plan()
			return mass, columns
		},
		Wanted: func() (rows, columns []float64) {
			_, _, row, planned := s.plan()
			if !planned {
				return nil, nil
			}
			return row.Value(plans.A), s.columnMasses()
		},
		Run: func(j int) string {
			r := s.selected()
			if r == nil || j >= r.Solutions() {
				return ""
			}
			return timeline.Track{Run: r, Solution: j}.Name()
		},
		Lines: func(i, j int) []string {
			r := s.selected()
			row := s.at(r)
			lines := []string{}
			if int(row.Value(chosenName)[i]) == j+1 {
				lines = append(lines, "chosen by "+clientName(i)+", accuracy "+timeline.Number(row.Value(clientsName)[i]))
			}
			return lines
		},
		Key: func() string {
			_, _, row, _ := s.plan()
			return fmt.Sprintf("%d %s %d %d", s.Timeline().Version(), s.Timeline().SelectedName(), row.K, s.Timeline().Latest())
		},
	}
	matrix.Text = func() string {
		mass, columns, row, planned := s.plan()
		if mass == nil {
			return noRun
		}
		if !planned && s.selected().Last() == 0 {
			return "There is no plan before the first round. The picture shows the solution that each client chooses at the start."
		}
		if !planned {
			return fmt.Sprintf("%s has no plan. The picture shows the solution that each client chose at round %d.", s.selected().Title, row.K)
		}
		zero := 0
		for _, v := range mass {
			if v <= 0 {
				zero++
			}
		}
		return fmt.Sprintf("The plan of %s at round %d has %d rows (clients) and %d columns (solutions); %d of its %d entries are zero. "+
			"Bars show the sums of rows and columns; marks show their targets.",
			s.selected().Title, row.K, len(mass)/columns, columns, zero, len(mass))
	}
	p := matrix.Panel()
	p.Legend = func(t *brush.Theme) []axes.Entry {
		if mass, _, _, planned := s.plan(); mass != nil && !planned {
			return []axes.Entry{{Label: "no plan: each client’s own choice", Area: t.Ramp(1)}}
		}
		return []axes.Entry{{Label: "little mass", Area: t.Ramp(0.1)}, {Label: "much", Area: t.Ramp(1)}}
	}
	return p
}

// columnMasses returns the prescribed sums of the plan's columns.
func (s *Scene) columnMasses() []float64 {
	r := s.selected()
	row := s.Timeline().ShownStep(whole(r))
	return r.Kept(r.Index(row.K)).Value(plans.B)
}

// chosenPanel shows the share of clients that chose each solution.
func (s *Scene) chosenPanel() axes.Panel {
	p := &kinds.Stack{Name: "chosen", Heading: "Clients by their chosen solution", Timeline: s.Timeline(),
		Label: "share of the clients", Look: (*brush.Theme).NumberedSolution, Of: solutionName,
		Clock: s.clock, Shares: func(row timeline.Row) []float64 { return chosenShares(row, s.values.M) }}
	p.Text = s.OfSelected(func(r timeline.Track) string {
		row := s.at(r.Run)
		return fmt.Sprintf("Stacked over the rounds: the share of clients that chose each solution of %s. At round %d, the largest share is "+
			"%.0f %%.", r.Title, row.K, 100*most(row, s.values.M))
	})
	return p.Panel()
}

// history returns a panel with the rounds on its horizontal axis and a line for every run. The caller sets what the
// lines show.
func (s *Scene) history(name, heading string) *kinds.History {
	return &kinds.History{Name: name, Heading: heading, Timeline: s.Timeline(), Unticked: true, Fixed: true, Clock: s.clock,
		Symbol: s.Params().Symbol, Shown: func(r timeline.Track) bool { return r.Solution == 0 }}
}

// curve describes a measure of the selected run at the marker.
func (s *Scene) curve(what string, value func(timeline.Row) float64) string {
	r := s.selected()
	if r == nil {
		return noRun
	}
	row := s.at(r)
	return fmt.Sprintf("%s over the rounds, one line per method. For %s the value is %s at round %d.",
		what, r.Title, timeline.Number(value(row)), row.K)
}

// accuracyHistory returns the panel of the mean accuracy, with the time marker's handle.
func (s *Scene) accuracyHistory() *kinds.History {
	h := s.history("accuracy", "Mean accuracy of the clients")
	h.Fixed = false
	h.Value = accuracy
	h.Y = func() axes.Axis { return axes.Axis{Label: "test accuracy", Min: 0, Max: 1.06} }
	h.Text = func() string {
		return s.curve("Mean test accuracy of the clients with their chosen solutions", accuracy)
	}
	return h
}

func (s *Scene) accuracyPanel(h *kinds.History) axes.Panel {
	p := h.Panel()
	p.Legend = func(t *brush.Theme) []axes.Entry { return kinds.MethodEntries(t, Methods, s.Timeline()) }
	return p
}

// curvePanel is the ID of the panel with the chosen curve.
const curvePanel = "curve"

func (s *Scene) worstPanel() axes.Panel {
	h := s.history(curvePanel, "Worst fifth of the clients")
	h.Value = worstFifth
	h.Y = func() axes.Axis { return axes.Axis{Label: "test accuracy", Min: 0, Max: 1.06} }
	h.Text = func() string { return s.curve("Test accuracy of the worst fifth of the clients", worstFifth) }
	return h.Panel()
}

// lossPanel shows two mean training losses: the loss of each client's best solution, and the mean loss of all solutions.
func (s *Scene) lossPanel() axes.Panel {
	oracle := func(row timeline.Row) float64 { return row.Number(plans.OracleLoss) }
	mean := func(row timeline.Row) float64 { return row.Number(plans.MeanLoss) }
	h := s.history(curvePanel, "Training loss of the clients")
	h.Value = oracle
	h.Y = func() axes.Axis { return axes.Axis{Label: "loss", Min: 0, Max: s.top(mean)} }
	h.Text = func() string {
		return s.curve("Mean training loss of each client’s best solution (thinner lines: the mean over all solutions)",
			oracle)
	}
	return plans.LossPanel(h, "best for each client (oracle)")
}

// divergencePanel shows how much the solutions' predictions differ.
func (s *Scene) divergencePanel() axes.Panel {
	const least = 1e-3
	value := func(row timeline.Row) float64 { return max(divergence(row), least) }
	h := s.history(curvePanel, "Divergence of the predictions")
	h.Value = value
	h.Y = func() axes.Axis {
		return axes.Axis{Label: "divergence of predictions", Min: least, Max: axes.InSteps(10, 100, s.largest(value)), Log: true}
	}
	h.Text = func() string {
		return s.curve("The symmetric Kullback–Leibler divergence between the predictions of two solutions, averaged over pairs and clients "+
			"(values below 0.001 are drawn at 0.001)", divergence)
	}
	return h.Panel()
}

// largest returns the largest finite value over all rows. It returns 0 if no value is positive.
func (s *Scene) largest(value func(timeline.Row) float64) (largest float64) {
	for _, r := range s.Timeline().Runs() {
		for i := range r.Len() {
			if v := value(whole(r).Kept(i)); v > largest && !math.IsInf(v, 1) {
				largest = v
			}
		}
	}
	return largest
}

// top returns a round number above the values of all rows, as the end of an axis.
func (s *Scene) top(value func(timeline.Row) float64) float64 {
	largest := s.largest(value)
	if largest == 0 {
		return 1
	}
	unit := portable.Pow(10, math.Floor(portable.Log10(largest)))
	for _, f := range []float64{1, 1.5, 2, 3, 4, 6, 8} {
		if f*unit >= largest*1.02 {
			return f * unit
		}
	}
	return 10 * unit
}

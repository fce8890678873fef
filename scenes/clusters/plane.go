package clusters

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/draw/brush"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/runs/plans"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
	"paretoplay/internal/portable"
)

// margin is a window's width relative to the extent of its points.
const margin = 1.1

// around returns a window around the given points. It ignores empty lists.
func around(lists ...[][]float64) runs.Window {
	box := runs.NewBox()
	for _, p := range slices.Concat(lists...) {
		box.Add(p)
	}
	w := box.Window(margin, 0, 0)
	if box.Size() == 0 {
		w.Half = max(1, math.Abs(w.X), math.Abs(w.Y))
	}
	return w
}

// holding returns the window, widened if necessary to include all points.
func holding(w runs.Window, lists ...[][]float64) runs.Window {
	for _, p := range slices.Concat(lists...) {
		if away := max(math.Abs(p[0]-w.X), math.Abs(p[1]-w.Y)); away > w.Half {
			w.Half = margin * away
		}
	}
	return w
}

// about returns a window around the origin that contains the given points. Its half-width is a multiple of ½, so that
// small moves do not change it.
func about(lists ...[][]float64) runs.Window {
	const least, grain = 1, 0.5
	return runs.Window{Half: grain * math.Ceil(holding(runs.Window{Half: least}, lists...).Half/grain)}
}

// goalHandle is the prefix of the names of the goals' handles. A goal's number, counted from 1, follows the prefix.
// Package runs names the start points' handles.
const goalHandle = "goal-"

func goalName(i int) string { return "goal " + strconv.Itoa(i+1) }

func solutionName(j int) string { return "solution " + strconv.Itoa(j+1) }

// pathLook returns the look of a solution's path. Its dots distinguish the path from the lines of the plan.
func pathLook(t *brush.Theme, j int) brush.Look {
	l := t.Solution(j)
	l.Dash = []vg.Length{2, 2}
	return l
}

// planePanel shows the goals, the solutions and what each solution receives.
func (s *Scene) planePanel() axes.Panel {
	tracks := plans.NewTrajectories(s.Timeline(), "plane", func(r timeline.Row) (x, y float64) { return r.X[0], r.X[1] },
		pathLook, 0.45, func(r timeline.Track, row timeline.Row) []string {
			return []string{
				fmt.Sprintf("%s, %s, k = %d", r.Title, solutionName(r.Solution), row.K),
				"θ = " + timeline.Vector(row.X), "BP = " + strconv.Itoa(row.BP),
			}
		})
	p := &axes.Plane{Name: "plane", Heading: "Goals and solutions", Equal: true, Moving: tracks.Moving}
	p.Axes = func() (axes.Axis, axes.Axis) { return s.view.Axes("θ") }
	p.Sheets = func() []axes.Sheet {
		var sheets []axes.Sheet
		if len(s.Timeline().Runs()) > 1 {
			sheets = append(tracks.Others.Sheets(), axes.Sheet{Draw: s.drawOthers})
		}
		sheets = append(sheets, axes.Sheet{Draw: s.drawPlan})
		sheets = append(append(sheets, tracks.Chosen.Sheets()...), axes.Sheet{Draw: s.drawStarts})
		return append(sheets, s.goalsSheet(), axes.Sheet{Draw: s.drawSolutions})
	}
	p.Grips = s.grips
	p.Find = func(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
		if pick, ok := s.findGoal(b, at); ok {
			return pick, true
		}
		return tracks.Find(b, at)
	}
	p.Legend = func(t *brush.Theme) []axes.Entry {
		entries := s.goalEntries(t)
		if len(s.Timeline().Runs()) > 1 {
			entries = append(entries, kinds.MethodEntries(t, Methods, s.Timeline())...)
		}
		return entries
	}
	p.Text = s.describePlane
	return p
}

// goalEntries returns the legend entries of goals, solutions and the lines of the plan.
func (s *Scene) goalEntries(t *brush.Theme) []axes.Entry {
	now := s.shown()
	if now.x == nil {
		return []axes.Entry{{Label: "goal", Shape: brush.Circle, Fill: t.Muted}}
	}
	one, none, several := false, false, false
	for i := range s.centres {
		switch served, _ := now.serving(i); served {
		case 0:
			none = true
		case 1:
			one = true
		default:
			several = true
		}
	}
	var out []axes.Entry
	first := t.NumberedSolution(0)
	if one {
		out = append(out, axes.Entry{Label: "goal, coloured by solution", Shape: brush.Circle, Fill: first.Hue})
	}
	if several {
		out = append(out, axes.Entry{Label: "pie: shared goal", Shape: brush.Circle, Fill: t.Ink})
	}
	if none {
		out = append(out, axes.Entry{Label: "nobody’s goal", Shape: brush.Ring, Fill: t.Muted})
	}
	out = append(out, axes.Entry{Label: "solution", Shape: first.Shape, Fill: first.Hue},
		axes.Entry{Label: "its start and path", Shape: brush.Ring, Fill: first.Hue, Stroke: pathLook(t, 0).Stroke(1.75)})
	if now.carried {
		out = append(out, axes.Entry{Label: "plan: solution serves goal", Stroke: brush.Stroke{Color: lineColor(t, 0), Width: 3}})
	}
	return out
}

// massPower is the exponent that turns a mass, relative to an equal share, into a symbol's radius. It makes the
// symbol's area proportional to the mass.
const massPower = 0.5

// sized returns the radius of the symbol for a share. usual is the radius for an equal share.
func sized(usual, share, equal float64, least, most float64) vg.Length {
	return vg.Length(min(max(usual*portable.Pow(share/equal, massPower), least), most))
}

// crowd is the maximum number of goals drawn at their usual size.
const crowd = 80

func (s *Scene) goalRadius(i int, carry []float64) vg.Length {
	usual := 4.5
	if len(s.centres) > crowd {
		usual = 3
	}
	return sized(usual, carry[i], 1/float64(len(carry)), 2.5, 11)
}

// goalsSheet draws the goals. Its picture is cached while the plan and the selected goal stay the same.
func (s *Scene) goalsSheet() axes.Sheet {
	key := fmt.Sprintf("goals %d %d %d", s.Timeline().Version(), s.shown().served, s.goals.Cursor)
	return axes.Sheet{Key: key, Draw: s.drawGoals}
}

func (s *Scene) drawGoals(b *brush.Brush) {
	now := s.shown()
	m := len(now.x)
	for i, c := range s.centres {
		if now.x == nil {
			b.Marker(c[0], c[1], brush.Circle, 4, b.Theme.Muted, true)
			continue
		}
		row := now.mass[i*m : (i+1)*m]
		radius := s.goalRadius(i, now.a)
		served, largest := now.serving(i)
		switch {
		case served == 0:
			b.Marker(c[0], c[1], brush.Ring, 4, b.Theme.Muted, true)
		case served == 1:
			b.Marker(c[0], c[1], brush.Circle, radius, b.Theme.Solution(largest).Hue, len(s.centres) <= crowd)
		default:
			b.Pie(c[0], c[1], radius+1, m, func(j int) float64 { return row[j] },
				func(j int) color.Color { return b.Theme.Solution(j).Hue })
		}
		if i == s.goals.Cursor && (i > 0 || len(s.centres) > fewGoals) && b.Frame.Detail == brush.Full { // the goal selected by the keyboard
			b.Marker(c[0], c[1], brush.Ring, radius+4, b.Theme.Accent, false)
		}
	}
}

// drawStarts marks where the selected run's solutions start.
func (s *Scene) drawStarts(b *brush.Brush) {
	for j, p := range s.starts {
		b.Marker(p[0], p[1], brush.Ring, 3, b.Theme.Solution(j).Hue, true)
	}
}

// lineColor returns the colour of the lines from a solution to its goals.
func lineColor(t *brush.Theme, j int) color.Color { return t.Tint(t.Solution(j).Hue, 0.4) }

// drawPlan draws a line from every goal to each of its solutions, with a width proportional to the mass.
func (s *Scene) drawPlan(b *brush.Brush) {
	now := s.shown()
	if !now.carried {
		return
	}
	const (
		usual = 2.5 // pixels for an equal share
		limit = 12
		least = 0.4
	)
	m, n := len(now.x), len(s.centres)
	unit := usual * float64(n)
	if n > crowd { // if there are many goals, lines are half as wide
		unit /= 2
	}
	width := func(i, j int) float64 { // returns 0 if there is no line
		v := now.mass[i*m+j]
		if v <= negligible*now.a[i] || v <= 0 {
			return 0
		}
		return min(max(unit*v, least), limit)
	}
	var list []int // goals whose lines to a solution share one stroke
	for j, x := range now.x {
		hue := lineColor(b.Theme, j)
		for i := 0; i < n; {
			wide := width(i, j)
			list = list[:0]
			for ; i < n; i++ {
				if w := width(i, j); w == wide && w > 0 {
					list = append(list, i)
				} else if w > 0 {
					if wide == 0 {
						wide = w
						list = append(list, i)
						continue
					}
					break
				}
			}
			b.Segments(len(list), func(k int) (x0, y0, x1, y1 float64) {
				c := s.centres[list[k]]
				return c[0], c[1], x[0], x[1]
			}, brush.Stroke{Color: hue, Width: vg.Length(wide)})
		}
	}
}

// drawSolutions draws the selected run's solutions. The more mass a solution should receive, the larger its symbol. Of
// solutions at nearly the same place, only the topmost shows its number.
func (s *Scene) drawSolutions(b *brush.Brush) {
	now := s.shown()
	for j, x := range now.x {
		look := b.Theme.NumberedSolution(j)
		radius := sized(8.5, now.b[j], 1/float64(len(now.b)), 7, 13)
		if j == s.Timeline().Selected().Solution {
			radius += 1.5
		}
		const near = 12 // distance in pixels within which two numbers overlap
		if slices.ContainsFunc(now.x[j+1:], func(y []float64) bool { return brush.Distance(b.At(x[0], x[1]), b.At(y[0], y[1])) < near }) {
			look.Shape = brush.Circle
		}
		b.Marker(x[0], x[1], kinds.ShapeAt(look, now.of.run, now.of.k), radius, look.Hue, true)
	}
}

// drawOthers draws the solutions of the other runs.
func (s *Scene) drawOthers(b *brush.Brush) {
	t := s.Timeline()
	for _, r := range t.Tracks() {
		if r.Run == t.Selected().Run {
			continue
		}
		look, row := b.Theme.Look(r.Method), t.Shown(r)
		b.Marker(row.X[0], row.X[1], kinds.ShapeAt(look, r.Run, row.K), 3.5, b.Theme.Tint(look.Hue, 0.7), true)
	}
}

// If there are at most fewGoals goals, each has a handle. If there are more, only the goal selected by the keyboard has
// one.
const fewGoals = 40

// grips returns the handles of the goals and start points.
func (s *Scene) grips() []axes.Grip {
	const step = 0.05 // distance moved per key press in a window of half-width 3
	var grips []axes.Grip
	by := step * s.view.Half / 3
	for i, c := range s.centres {
		if len(s.centres) > fewGoals && i != s.goals.Cursor {
			continue
		}
		grips = append(grips, axes.Grip{ID: goalHandle + strconv.Itoa(i+1), Label: goalName(i), Value: s.goalText(i), X: c[0], Y: c[1],
			StepX: by, StepY: by, Plain: true})
	}
	starts := runs.Grips(s.Timeline(), s.starts, by, func(p []float64) (x, y float64, value string) {
		return p[0], p[1], fmt.Sprintf("θ = (%s, %s)", numeral.Fixed(p[0], 2), numeral.Fixed(p[1], 2))
	})
	for j := range starts {
		starts[j].Label = "start of " + solutionName(j)
		starts[j].Plain = true
	}
	return append(grips, starts...)
}

// goalText describes a goal's position, its solutions and its best loss.
func (s *Scene) goalText(i int) string {
	now, c := s.shown(), s.centres[i]
	text := fmt.Sprintf("(%s, %s)", numeral.Fixed(c[0], 2), numeral.Fixed(c[1], 2))
	if now.x == nil {
		return text
	}
	m := len(now.x)
	var by []string
	best := math.Inf(1)
	for j, x := range now.x {
		if v := now.mass[i*m+j]; v > negligible*now.a[i] && v > 0 {
			by = append(by, fmt.Sprintf("%d (%s)", j+1, timeline.Number(v)))
		}
		if f := s.lossAt(i, x); f < best {
			best = f
		}
	}
	text += ", mass " + timeline.Number(now.a[i])
	if now.carried && by != nil {
		text += ", to " + strings.Join(by, ", ")
	}
	return text + ", best loss " + timeline.Number(best)
}

// lossAt returns the loss of a goal at a point.
func (s *Scene) lossAt(i int, x []float64) float64 {
	s.problem.Values(s.losses, x)
	return s.losses[i]
}

// findGoal finds the goal under the pointer. It is needed for the goals that have no handle.
func (s *Scene) findGoal(b *brush.Brush, at vg.Point) (axes.Pick, bool) {
	near, found := b.Nearest(at), 0
	for i, c := range s.centres {
		if near.Closer(c[0], c[1]) {
			found = i
		}
	}
	if !near.Found {
		return axes.Pick{}, false
	}
	return axes.Pick{Handle: goalHandle + strconv.Itoa(found+1), K: -1, At: near.At,
		Lines: []string{goalName(found), s.goalText(found)}}, true
}

// dragGoal moves the goal with the given handle. ok is false if the handle is not a goal's.
func (s *Scene) dragGoal(handle string, x, y float64) (name, text string, ok bool) {
	number, found := strings.CutPrefix(handle, goalHandle)
	i, err := strconv.Atoi(number)
	if !found || err != nil || i < 1 || i > len(s.centres) {
		return "", "", false
	}
	s.goals.Cursor = i - 1
	moved := append([][]float64(nil), s.values.Centres...)
	for len(moved) < i {
		moved = append(moved, nil)
	}
	moved[i-1] = []float64{s.rounded(x), s.rounded(y)}
	return "centres", param.FormatRows(moved), true
}

// rounded rounds a coordinate to a thousandth of the window's half-width or finer. Dragging is no more precise than
// that, and links stay short.
func (s *Scene) rounded(v float64) float64 {
	unit := portable.Pow(10, 4-math.Ceil(portable.Log10(s.view.Half)))
	return min(max(math.Round(v*unit)/unit, -maxPlace), maxPlace)
}

func (s *Scene) describePlane() string {
	now := s.shown()
	if now.x == nil {
		return s.waiting()
	}
	var parts []string
	m := len(now.x)
	for j := range now.x {
		goals := 0
		for i := range s.centres {
			if now.mass[i*m+j] > negligible*now.a[i] && now.mass[i*m+j] > 0 {
				goals++
			}
		}
		parts = append(parts, strconv.Itoa(goals))
	}
	goals, given := numeral.Counted(len(s.centres), "goal"), strings.Join(parts, ", ")
	text := fmt.Sprintf("Of %s, the %d solutions of %s are best for the following numbers at round %d: %s.", goals, m, now.of.run.Title,
		now.of.k, given)
	switch {
	case m == 1:
		text = fmt.Sprintf("The only solution of %s serves %s at round %d.", now.of.run.Title, goals, now.of.k)
	case now.carried:
		text = fmt.Sprintf("Of %s, the plan of %s gives its %d solutions the following numbers at round %d, so that each gets its share of "+
			"the mass: %s. If every goal chose its best solution, the solutions would have %s.", goals, now.of.run.Title, m, now.of.k, given,
			strings.Join(s.bestFor(), ", "))
	}
	return text + runs.DescribeDiverged(s.Timeline())
}

// bestFor returns, for each solution of the selected run, the number of goals for which it is best at the marker, as
// text.
func (s *Scene) bestFor() []string {
	r := s.Timeline().Selected()
	var counts []string
	for _, share := range won(r.Run.Kept(r.Index(min(s.Timeline().Marker(), r.Last())))) {
		counts = append(counts, fmt.Sprintf("%.0f", share*float64(len(s.centres))))
	}
	return counts
}

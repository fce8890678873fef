package roster

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo/param"
	"paretoplay/scenes/panel"
	"paretoplay/scenes/timeline"
)

// StartHandle is the handle of start point i, from 0.
func StartHandle(i int) string { return "start-" + strconv.Itoa(i+1) }

// StartOf is the start point, from 0, whose handle it is, or whose run has that
// name.
func StartOf(name string) (i int, ok bool) {
	_, number, found := strings.Cut(name, "-")
	i, err := strconv.Atoi(number)
	return i - 1, found && err == nil && i >= 1
}

// FromSelectedStart reports whether a run is from the start of the selected one; all
// are when none is selected.
func FromSelectedStart(t *timeline.Timeline, r *timeline.Run) bool {
	chosen := t.SelectedRun()
	if chosen == nil {
		return true
	}
	mine, _ := StartOf(r.Name)
	its, _ := StartOf(chosen.Name)
	return mine == its
}

// DragStart moves coordinates h and v, equal when there is one variable, of the
// start point with that handle to x and y, within the range of the parameter
// "start" of l. moved is what that parameter holds now; its name and new text are
// returned, "" for a handle of another kind.
func DragStart(l *param.List, handle string, starts, moved [][]float64, h, v int, x, y float64) (name, text string) {
	i, ok := StartOf(handle)
	if !ok || i >= len(starts) {
		return "", ""
	}
	point := slices.Clone(starts[i])
	point[h] = x
	if v != h {
		point[v] = y
	}
	return PlaceStart(l, i, moved, point)
}

// PlaceStart moves start point i, from 0, to a point, as DragStart does.
func PlaceStart(l *param.List, i int, moved [][]float64, point []float64) (name, text string) {
	d, _ := l.Lookup("start")
	point = slices.Clone(point)
	for j, c := range point {
		point[j] = rounded(min(max(c, d.Min), d.Max))
	}
	moved = slices.Clone(moved)
	for len(moved) <= i {
		moved = append(moved, nil)
	}
	moved[i] = point
	return d.Name, formatPoints(moved)
}

// rounded keeps four decimals: nobody places a point by hand more finely, and
// links stay short.
func rounded(v float64) float64 { return math.Round(v*1e4) / 1e4 }

func formatPoints(points [][]float64) string {
	rows := make([]string, len(points))
	for i, p := range points {
		cells := make([]string, len(p))
		for j, c := range p {
			cells[j] = strconv.FormatFloat(c, 'g', -1, 64)
		}
		rows[i] = strings.Join(cells, ",")
	}
	return strings.Join(rows, ";")
}

// StartGrips are the start points as things that can be dragged, in the plane of
// coordinates h and v. A press selects the run from there of the selected run's
// method.
func StartGrips(t *timeline.Timeline, starts [][]float64, h, v int, step float64) []panel.Grip {
	out := make([]panel.Grip, len(starts))
	for i, x := range starts {
		value, y := fmt.Sprintf("x%d = %.2f", h+1, x[h]), 0.0
		if h != v {
			y = x[v]
			value += fmt.Sprintf(", x%d = %.2f", v+1, y)
		}
		out[i] = panel.Grip{ID: StartHandle(i), Label: "start point " + strconv.Itoa(i+1), Value: value, X: x[h], Y: y, StepX: step, StepY: step}
		if r := RunFrom(t, i); r != nil {
			out[i].Run = r.Name
		}
	}
	return out
}

// RunFrom is the run of the selected run's method from start point i, from 0; nil
// where there is none.
func RunFrom(t *timeline.Timeline, i int) *timeline.Run {
	if chosen := t.SelectedRun(); chosen != nil {
		return t.Find(fmt.Sprintf("%s-%d", chosen.Method, i+1))
	}
	return nil
}

// firstShare is the share of the first objective in the two weights of a row, NaN
// where there are none: not all rules have weights of sum 1.
func firstShare(r timeline.Row) float64 {
	if r.Weights == nil {
		return math.NaN()
	}
	return r.Weights[0] / (r.Weights[0] + r.Weights[1])
}

// DescribeSelected tells where the selected run is at the marker, "" when there
// is none.
func DescribeSelected(t *timeline.Timeline) string {
	r := t.SelectedRun()
	if r == nil {
		return ""
	}
	row := t.Shown(r)
	return fmt.Sprintf("%s is at x = %s with f = %s and ω = %s.", r.Label, timeline.Vector(row.X), timeline.Vector(row.F), timeline.Number(row.Stationarity))
}

// DescribeDiverged names the runs that diverged, "" when there are none.
func DescribeDiverged(t *timeline.Timeline) string {
	var names []string
	for _, r := range t.Runs() {
		if r.Divergence().Quantity != "" {
			names = append(names, r.Label)
		}
	}
	if names == nil {
		return ""
	}
	return " Diverged, marked by a cross: " + strings.Join(names, "; ") + "."
}

package runs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"paretoplay/algo"
	"paretoplay/algo/param"
	"paretoplay/internal/draw/axes"
	"paretoplay/internal/engine/timeline"
	"paretoplay/internal/numeral"
)

// Starts holds the start points of methods, for any number of variables. Its fields are bound to a scene's parameters.
type Starts struct {
	Count  int         // number of start points; the scene decides what 0 means
	Region float64     // half-width of the region of random start points
	Moved  [][]float64 // dragged or given points, by number; an empty entry replaces nothing
}

// BindMoved binds the parameter "start": the moved start points. Their coordinates are within ±most.
func (s *Starts) BindMoved(l *param.List, most float64, count int, help string) {
	l.Points(&s.Moved, param.Descriptor{Name: "start", Label: "Moved start points", Min: -most, Max: most, AtMost: count,
		Effect: param.Rerun, Help: help})
}

// Points returns count start points: first the points in set, then random ones. The function draw returns a random
// point from a stream of the seed. Moved points replace points of either kind. A moved point with too few coordinates
// replaces only the coordinates that it has.
func (s *Starts) Points(seed uint64, set [][]float64, count int, draw func(*rand.Rand) []float64) [][]float64 {
	points := make([][]float64, count)
	for i := range points {
		if i < len(set) {
			points[i] = slices.Clone(set[i])
		} else {
			source := algo.Stream(seed, i, 0, algo.StartPoints)
			points[i] = draw(rand.New(&source))
		}
		if i < len(s.Moved) {
			copy(points[i], s.Moved[i])
		}
	}
	return points
}

// Uniform returns a function that draws points of n variables. Every coordinate is uniformly distributed within ±Region
// around middle.
func (s *Starts) Uniform(n int, middle float64) func(*rand.Rand) []float64 {
	return func(random *rand.Rand) []float64 {
		x := make([]float64, n)
		for j := range x {
			x[j] = middle + float64((2*float64(random.Float64())-1)*s.Region)
		}
		return x
	}
}

// StartPrefix is the prefix of start points' handles. The start's number follows, counted from 1.
const StartPrefix = "start-"

// StartHandle returns the handle of start point i, counted from 0.
func StartHandle(i int) string { return StartPrefix + strconv.Itoa(i+1) }

// startOf returns the number of a handle's start point, from 0 to count−1.
func startOf(handle string, count int) (i int, ok bool) {
	number, found := strings.CutPrefix(handle, StartPrefix)
	i, err := strconv.Atoi(number)
	return i - 1, found && err == nil && i >= 1 && i <= count
}

// FromSelectedStart reports whether a track has the same start as the selected track. It returns true if no track is
// selected.
func FromSelectedStart(t *timeline.Timeline, track timeline.Track) bool {
	chosen := t.Selected()
	return chosen.Run == nil || track.StartIndex() == chosen.StartIndex()
}

// Drag moves the start point with the given handle. place sets its new coordinates, which Drag clamps to the range of
// the parameter "start" in l. Drag returns this parameter's name and new text, or "" for other handles.
func (s *Starts) Drag(l *param.List, handle string, points [][]float64, place func(point []float64)) (name, text string) {
	i, ok := startOf(handle, len(points))
	if !ok {
		return "", ""
	}
	point := slices.Clone(points[i])
	place(point)
	d, _ := l.Lookup("start")
	for j, c := range point {
		point[j] = rounded(min(max(c, d.Min), d.Max))
	}
	moved := slices.Clone(s.Moved)
	for len(moved) <= i {
		moved = append(moved, nil)
	}
	moved[i] = point
	return d.Name, param.FormatRows(moved)
}

// InPlane returns a function that sets coordinate h to x and coordinate v to y. If there is only one variable, h equals
// v.
func InPlane(h, v int, x, y float64) func(point []float64) {
	return func(point []float64) {
		point[h] = x
		if v != h {
			point[v] = y
		}
	}
}

// rounded rounds to four decimals, so that links stay short. A hand cannot place a point more precisely.
func rounded(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// Grips returns grips for the start points. The function at returns where a point is drawn, and its coordinates as
// text. A press selects the selected method's track from that start.
func Grips(t *timeline.Timeline, points [][]float64, step float64, at func(point []float64) (x, y float64, value string)) []axes.Grip {
	out := make([]axes.Grip, len(points))
	for i, p := range points {
		x, y, value := at(p)
		out[i] = axes.Grip{ID: StartHandle(i), Label: "start point " + strconv.Itoa(i+1), Value: value, X: x, Y: y, StepX: step, StepY: step}
		if chosen := t.Selected(); chosen.Run != nil {
			if from := t.FindFrom(chosen.Method, i); from.Run != nil {
				out[i].Run = from.Name()
			}
		}
	}
	return out
}

// PlaneGrips returns grips for the start points in the plane of coordinates h and v. If there is only one variable, h
// equals v.
func PlaneGrips(t *timeline.Timeline, points [][]float64, h, v int, step float64) []axes.Grip {
	return Grips(t, points, step, func(p []float64) (x, y float64, value string) {
		x, value = p[h], fmt.Sprintf("x%d = %s", h+1, numeral.Fixed(p[h], 2))
		if h != v {
			y = p[v]
			value += fmt.Sprintf(", x%d = %s", v+1, numeral.Fixed(y, 2))
		}
		return x, y, value
	})
}

package runs

import (
	"math"

	"paretoplay/internal/engine/scene"
	"paretoplay/internal/engine/timeline"
)

// RowOf returns one row of a track: the row from which a method's numbers are taken. It is Latest or
// (*timeline.Timeline).AtMarker.
type RowOf func(*timeline.Timeline, timeline.Track) timeline.Row

// Latest returns the last row of a track.
func Latest(_ *timeline.Timeline, r timeline.Track) timeline.Row { return r.Kept(r.Len() - 1) }

// Each calls a function for each run of a method, in the order of the runs, and returns the results.
func Each(t *timeline.Timeline, method string, of func(*timeline.Run) float64) (out []float64) {
	for _, r := range t.Runs() {
		if r.Method == method {
			out = append(out, of(r))
		}
	}
	return out
}

// Average returns the mean of values, or NaN if there are none.
func Average(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// MethodsOf returns the methods that run, in the order of their runs.
func MethodsOf(t *timeline.Timeline) []string {
	var out []string
	for _, group := range ByMethod(t) {
		out = append(out, group[0].Method)
	}
	return out
}

// ByMethod groups the runs by method, in the order of the runs.
func ByMethod(t *timeline.Timeline) (groups [][]*timeline.Run) {
	runs := t.Runs()
	for from := 0; from < len(runs); {
		to := from + 1
		for to < len(runs) && runs[to].Method == runs[from].Method {
			to++
		}
		groups = append(groups, runs[from:to])
		from = to
	}
	return groups
}

// Runs returns the number of a method's tracks, or NaN if the method does not run.
func Runs(t *timeline.Timeline, method string) float64 {
	return Sum(t, method, Latest, func(timeline.Row) float64 { return 1 })
}

// Sum returns the sum of a value over a method's tracks, or NaN if the method does not run.
func Sum(t *timeline.Timeline, method string, at RowOf, value func(timeline.Row) float64) float64 {
	return fold(t, method, at, value, func(so, v float64, _ int) float64 { return so + v })
}

// Mean returns the mean of a value over a method's tracks, or NaN if the method does not run.
func Mean(t *timeline.Timeline, method string, at RowOf, value func(timeline.Row) float64) float64 {
	return fold(t, method, at, value, func(so, v float64, n int) float64 { return so + (v-so)/float64(n) })
}

// Most returns the largest value over a method's tracks. It returns NaN if the method does not run or if any value is
// NaN.
func Most(t *timeline.Timeline, method string, at RowOf, value func(timeline.Row) float64) float64 {
	return fold(t, method, at, value, func(so, v float64, n int) float64 {
		if n == 1 {
			return v
		}
		return math.Max(so, v)
	})
}

// Share returns the fraction of a method's tracks that meet a condition, or NaN if the method does not run.
func Share(t *timeline.Timeline, method string, at RowOf, holds func(timeline.Row) bool) float64 {
	return Mean(t, method, at, func(r timeline.Row) float64 { return oneIf(holds(r)) })
}

// Count returns the number of a method's tracks that meet a condition, or NaN if the method does not run.
func Count(t *timeline.Timeline, method string, at RowOf, holds func(timeline.Row) bool) float64 {
	return Sum(t, method, at, func(r timeline.Row) float64 { return oneIf(holds(r)) })
}

func oneIf(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// Spent returns the number of backpropagations spent to reach a row. A method's cost is the sum of Spent over the
// method's tracks.
func Spent(r timeline.Row) float64 { return float64(r.BP) }

// Stationarity returns a row's stationarity ω.
func Stationarity(r timeline.Row) float64 { return r.Stationarity }

// fold combines the values of a method's tracks, in order. add gets the result so far, the next track's value and that
// track's number n, counted from 1.
func fold(t *timeline.Timeline, method string, at RowOf, value func(timeline.Row) float64, add func(so, v float64, n int) float64) float64 {
	n, so := 0, 0.0
	for _, r := range t.Tracks() {
		if r.Method == method {
			n++
			so = add(so, value(at(t, r)), n)
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return so
}

// ValueFact returns a kind of fact: the value of each objective at the marker.
func ValueFact[S interface{ Timeline() *timeline.Timeline }](objectives int) scene.FactKind[S] {
	return scene.FactKind[S]{Name: "value", Of: []string{"method", "objective"}, Text: "The mean of the objective over the runs.",
		Label: "mean of f%s over the runs", Over: scene.Counted(objectives, Subscript),
		OfMethod: func(s S, method string, i int) float64 {
			return Mean(s.Timeline(), method, (*timeline.Timeline).AtMarker, func(r timeline.Row) float64 { return r.F[i] })
		}}
}

package timeline

import (
	"math"
	"slices"

	"paretoplay/algo"
)

// Row is one iteration, of a whole run or of one of its solutions. Its slices belong
// to the run and hold until the run steps or another row is replayed.
type Row struct {
	K            int
	X, F         []float64 // for a whole run of several solutions their rows, one after the other; X is nil where none are kept
	Stationarity float64   // exact and noise-free; of several solutions the largest, NaN if one is unknown
	// Stationarities has one for each solution.
	Stationarities []float64
	// BP is the number of backpropagations spent to reach X; for one of several
	// solutions its share.
	BP int
	// Of the step K → K+1; the slices are nil if there is none yet. So is a direction
	// in only some of the variables.
	Weights, Direction []float64
	StepSize           float64
	Refreshed          bool // the weights were computed anew in the step

	run             *Run
	solution        int // or allSolutions
	atPoint, ofStep []float64
}

const allSolutions = -1

func (row *Row) setStationarity(each []float64) {
	row.Stationarities, row.Stationarity = each, each[0]
	for _, v := range each[1:] {
		row.Stationarity = math.Max(row.Stationarity, v) // NaN if either is
	}
}

// Run is the run that recorded the row, nil for the zero Row.
func (row Row) Run() *Run { return row.run }

// Further calls f for everything that the run records of the iteration besides the common numbers, but for
// what is Inner, with its values: nil if it belongs to a step that does not exist.
func (row Row) Further(f func(e Extra, values []float64)) {
	if row.run == nil {
		return
	}
	outer := func(e Extra, values []float64) {
		if !e.Inner {
			f(e, values)
		}
	}
	row.each(row.run.AtPoint, row.atPoint, outer)
	row.each(row.run.OfStep, row.ofStep, outer)
}

func (row Row) each(list []Extra, values []float64, f func(e Extra, values []float64)) {
	for _, e := range list {
		if values == nil {
			f(e, nil)
			continue
		}
		width := row.run.spread(e)
		f(e, row.mine(e, values[:width]))
		values = values[width:]
	}
}

// mine returns a solution's part of an Extra's values.
func (row Row) mine(e Extra, values []float64) []float64 {
	if row.solution == allSolutions || !e.Each {
		return values
	}
	size := max(e.Size, 1)
	return values[row.solution*size : (row.solution+1)*size]
}

// Value returns the run's record under a name: one number or a list; nil if there is
// none with that name, or it belongs to a step that does not exist.
func (row Row) Value(name string) []float64 {
	if row.run == nil {
		return nil
	}
	if v, found := row.find(row.run.AtPoint, row.atPoint, name); found {
		return v
	}
	v, _ := row.find(row.run.OfStep, row.ofStep, name)
	return v
}

func (row Row) find(list []Extra, values []float64, name string) (v []float64, found bool) {
	at := 0
	for _, e := range list {
		width := row.run.spread(e)
		if e.Name == name {
			if values == nil {
				return nil, true
			}
			return row.mine(e, values[at:at+width]), true
		}
		at += width
	}
	return nil, false
}

// Number returns the number that the run records under a name, NaN where there is
// none.
func (row Row) Number(name string) float64 {
	if v := row.Value(name); len(v) > 0 {
		return v[0]
	}
	return math.NaN()
}

// List returns the list that the run records under a name, nil where there is none.
func (row Row) List(name string) []float64 {
	if v := row.Value(name); len(v) > 0 && !math.IsNaN(v[0]) {
		return v
	}
	return nil
}

// rowOf returns the row of a view's point, without a step.
func (r *Run) rowOf(v algo.View) Row {
	row := Row{K: v.K, F: slices.Clone(v.F), BP: v.Cost.Backpropagations, run: r, solution: allSolutions}
	if !r.Unlocated {
		row.X = slices.Clone(v.X)
	}
	stationarity := unknown(r.s)
	row.atPoint = unknown(r.points)
	r.measure(v, stationarity, row.atPoint)
	row.setStationarity(stationarity)
	return row
}

// describe gives a row the view's step, which led away from it.
func (r *Run) describe(row *Row, v algo.View) {
	row.ofStep = unknown(r.steps)
	if r.MeasureStep != nil {
		r.MeasureStep(row.X, v, row.ofStep)
	}
	row.StepSize, row.Refreshed = v.StepSize, v.Refreshed
	row.Weights, row.Direction = nil, nil
	if len(v.Weights) == r.s*r.m {
		row.Weights = slices.Clone(v.Weights)
	}
	if len(v.Direction) == r.s*r.n && !r.Unlocated {
		row.Direction = slices.Clone(v.Direction)
	}
}

// unknown returns n unknown numbers.
func unknown(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

// clone returns a copy to which nothing else writes.
func (row Row) clone() Row {
	for _, v := range []*[]float64{&row.X, &row.F, &row.Stationarities, &row.atPoint, &row.Weights, &row.Direction, &row.ofStep} {
		*v = slices.Clone(*v)
	}
	return row
}

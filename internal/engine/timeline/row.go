package timeline

import (
	"math"
	"slices"

	"paretoplay/algo"
)

// Row is one iteration of a run or of one of its solutions. Its slices belong to the run and are valid until the run
// steps or another row is replayed.
type Row struct {
	K            int
	X, F         []float64 // for several solutions, one after another; X is nil if points are not recorded
	Stationarity float64   // exact and noise-free; for several solutions the maximum, or NaN if one is unknown
	// Stationarities contains one number for each solution.
	Stationarities []float64
	// BP is the number of backpropagations needed to reach X. For one of several solutions, it is that solution's
	// share.
	BP int
	// Weights and Direction belong to the step K → K+1. They are nil before that step is taken. Direction is also nil if
	// it covers only some of the variables.
	Weights, Direction []float64
	StepSize           float64
	Refreshed          bool // whether the step computed new weights

	run             *Run
	solution        int // index of the solution, or allSolutions
	atPoint, ofStep []float64
}

const allSolutions = -1

func (row *Row) setStationarity(each []float64) {
	row.Stationarities, row.Stationarity = each, each[0]
	for _, v := range each[1:] {
		row.Stationarity = math.Max(row.Stationarity, v) // NaN if either is NaN
	}
}

// Run returns the run that recorded the row, or nil for the zero Row.
func (row Row) Run() *Run { return row.run }

// Further calls f with every Extra that the run records, except for Inner ones, and with its values. The values are nil
// if they belong to a step that does not exist.
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

// mine returns the values of an Extra that belong to the row's solution.
func (row Row) mine(e Extra, values []float64) []float64 {
	if row.solution == allSolutions || !e.Each {
		return values
	}
	size := max(e.Size, 1)
	return values[row.solution*size : (row.solution+1)*size]
}

// Value returns the values recorded under a name, which are one number or a list. It returns nil if the name is unknown,
// or if the values belong to a step that does not exist.
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

// Number returns the number recorded under a name, or NaN if it is missing.
func (row Row) Number(name string) float64 {
	if v := row.Value(name); len(v) > 0 {
		return v[0]
	}
	return math.NaN()
}

// List returns the list recorded under a name, or nil if it is missing.
func (row Row) List(name string) []float64 {
	if v := row.Value(name); len(v) > 0 && !math.IsNaN(v[0]) {
		return v
	}
	return nil
}

// rowOf returns the row for a view's point, without the step.
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

// describe adds to row the view's step, which starts at the row's point.
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

func unknown(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

// clone returns a copy that does not share memory with the run.
func (row Row) clone() Row {
	for _, v := range []*[]float64{&row.X, &row.F, &row.Stationarities, &row.atPoint, &row.Weights, &row.Direction, &row.ofStep} {
		*v = slices.Clone(*v)
	}
	return row
}

package timeline

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"paretoplay/algo"
)

// Run is one stepper and what it has done.
type Run struct {
	Name    string // unique in the scene, such as "psmgd-3"
	Method  string
	Label   string // for people, such as "PSMGD, start 3"
	Start   []float64
	Stepper algo.Stepper
	// Apply carries a live change to the stepper; nil when the method has no
	// live parameter.
	Apply func(Change) error
	// Stationarity is the exact noise-free ω(x), NaN where it is not known; it
	// costs no backpropagation.
	Stationarity func(x []float64) float64
	// AtPoint are further numbers of x_k, OfStep of the step k → k+1. The zero
	// values are none; the runs of a scene have the same.
	AtPoint, OfStep Extras

	status     algo.Status
	divergence algo.Divergence
	last       int

	n, m      int // lengths of X and F
	points    int // width of AtPoint, kept since every row is cut with it
	steps     int // width of OfStep
	k         []int
	rows      []float64 // width() floats an entry of k
	keyframes []keyframe
	now       algo.Snapshot
	replayed  Row // the row that was computed again last
	replayedK int // its iteration, -1 for none
	// Where that ended: iterations asked for in order go on from here, so that
	// reading a whole thinned run costs one run.
	cursor  algo.Snapshot
	cursorK int // -1 for nowhere
}

type keyframe struct {
	k int
	algo.Snapshot
}

// Extra is a number, or a list of numbers, that a scene's runs record beside what
// every run records.
type Extra struct {
	Name   string // in files
	Size   int    // length of the list, 0 for a number
	Symbol string // on screen
	Label  string // for people, a column of the table; "" for none
}

func (e Extra) width() int { return max(e.Size, 1) }

// Extras are what a run records further.
type Extras struct {
	List []Extra
	// Fill stores the values, one after the other in the order of the list, in dst.
	// It reads them from the run's stepper, which has just been viewed; NaN is for
	// what there is not.
	Fill func(dst []float64)
}

// Width is how many numbers they are.
func (e Extras) Width() int {
	width := 0
	for _, extra := range e.List {
		width += extra.width()
	}
	return width
}

// fill fills dst, which is empty where nothing is recorded.
func (e Extras) fill(dst []float64) {
	if e.Fill != nil {
		e.Fill(dst)
	}
}

// Find returns where in a row's AtPoint or OfStep the entry of that name begins and
// how many numbers it is, none where nothing is recorded under it.
func (e Extras) Find(name string) (at, size int) {
	for _, extra := range e.List {
		if extra.Name == name {
			return at, extra.width()
		}
		at += extra.width()
	}
	return 0, 0
}

// Each calls f for every entry of the list with its values in a row's AtPoint or
// OfStep; with none at all where the row has none.
func (e Extras) Each(values []float64, f func(e Extra, values []float64)) {
	for _, extra := range e.List {
		if values == nil {
			f(extra, nil)
			continue
		}
		f(extra, values[:extra.width()])
		values = values[extra.width():]
	}
}

// Row is one iteration. Its slices belong to the run and hold until the run
// steps or another row is replayed.
type Row struct {
	K            int
	X, F         []float64
	Stationarity float64
	BP           int       // backpropagations spent to reach X
	AtPoint      []float64 // further numbers, as the run's AtPoint lists them
	// Of the step K → K+1; the slices are nil where there is none yet. So is a
	// direction in some of the variables only.
	Weights, Direction []float64
	OfStep             []float64 // further numbers, as the run's OfStep lists them
	StepSize           float64
	Refreshed          bool // the weights were computed anew in the step
}

// Status is the run's state at the latest iteration.
func (r *Run) Status() algo.Status { return r.status }

// Divergence says where a diverged run stopped.
func (r *Run) Divergence() algo.Divergence { return r.divergence }

// Last is the last iteration of the run.
func (r *Run) Last() int { return r.last }

// width is that of x, f, stationarity, bp, further numbers of the point; weights,
// direction, step size, refreshed, further numbers of the step.
func (r *Run) width() int { return r.pointWidth() + r.m + r.n + 2 + r.steps }

func (r *Run) pointWidth() int { return r.n + r.m + 2 + r.points }

const absent = -1 // of the refreshed column: the step has not been made

func (r *Run) begin(t *Timeline) {
	v := r.Stepper.View()
	r.n, r.m = len(v.X), len(v.F)
	r.points, r.steps = r.AtPoint.Width(), r.OfStep.Width()
	r.k, r.rows, r.keyframes = nil, nil, nil
	r.last, r.status, r.divergence = 0, algo.Running, algo.Divergence{}
	r.replayedK, r.cursorK = -1, -1
	r.append(v)
	r.addKeyframe()
	r.settle(t)
}

// append records the state a view shows; the step away from it comes later.
func (r *Run) append(v algo.View) {
	r.k = append(r.k, v.K)
	r.rows = append(r.rows, v.X...)
	r.rows = append(r.rows, v.F...)
	r.rows = append(r.rows, r.Stationarity(v.X), float64(v.Cost.Backpropagations))
	from := len(r.rows)
	for range r.width() - r.n - r.m - 2 {
		r.rows = append(r.rows, math.NaN())
	}
	r.AtPoint.fill(r.rows[from : from+r.points])
	r.rows[from+r.points+r.m+r.n+1] = absent
}

// complete stores the step of a view in the last row, which it led away from.
func (r *Run) complete(v algo.View) {
	row := r.rows[len(r.rows)-r.width():]
	step := row[r.pointWidth():]
	fillStep(step, r.n, r.m, v)
	r.OfStep.fill(step[r.m+r.n+2:])
}

func fillStep(cells []float64, n, m int, v algo.View) {
	if len(v.Weights) == m {
		copy(cells, v.Weights)
	}
	if len(v.Direction) == n {
		copy(cells[m:], v.Direction)
	}
	cells[m+n] = v.StepSize
	cells[m+n+1] = 0
	if v.Refreshed {
		cells[m+n+1] = 1
	}
}

func (r *Run) row(i int) Row {
	w, n, m := r.width(), r.n, r.m
	cells := r.rows[i*w : (i+1)*w : (i+1)*w]
	row := Row{K: r.k[i], X: cells[:n], F: cells[n : n+m], Stationarity: cells[n+m], BP: int(cells[n+m+1])}
	if r.AtPoint.List != nil {
		row.AtPoint = cells[n+m+2 : r.pointWidth()]
	}
	step := cells[r.pointWidth():]
	if step[m+n+1] == absent {
		return row
	}
	if r.OfStep.List != nil {
		row.OfStep = step[m+n+2:]
	}
	row.StepSize, row.Refreshed = step[m+n], step[m+n+1] == 1
	if !math.IsNaN(step[0]) {
		row.Weights = step[:m]
	}
	if !math.IsNaN(step[m]) {
		row.Direction = step[m : m+n]
	}
	return row
}

// settle decides whether the run has ended at its latest iteration.
func (r *Run) settle(t *Timeline) {
	switch r.status {
	case algo.Running, algo.Budget, algo.Stationary:
	default:
		return
	}
	latest := r.row(len(r.k) - 1)
	switch {
	case t.stop > 0 && latest.Stationarity <= t.stop:
		r.status = algo.Stationary
	case r.last >= t.budget:
		r.status = algo.Budget
	default:
		r.status = algo.Running
	}
}

func (r *Run) addKeyframe() {
	r.now.Reset()
	r.Stepper.Save(&r.now)
	f := keyframe{k: r.last}
	f.Floats, f.Words = slices.Clone(r.now.Floats), slices.Clone(r.now.Words)
	r.keyframes = append(r.keyframes, f)
}

func (r *Run) step(t *Timeline) error {
	if err := t.applyAt(r, r.last); err != nil {
		return fmt.Errorf("%s at iteration %d: %w", r.Name, r.last, err)
	}
	status, err := r.Stepper.Step()
	if err != nil {
		return fmt.Errorf("%s at iteration %d: %w", r.Name, r.last, err)
	}
	v := r.Stepper.View()
	if v.K == r.last { // nothing was committed
		r.status, r.divergence = status, v.Diverged
		return nil
	}
	r.complete(v)
	// The row before this one is kept only at multiples of the stride.
	if i := len(r.k) - 1; i > 0 && r.k[i]%t.stride != 0 {
		r.k = r.k[:i]
		r.rows = r.rows[:i*r.width()]
	}
	r.last = v.K
	r.append(v)
	if r.last%t.keyEvery == 0 {
		r.addKeyframe()
	}
	r.status = status
	r.settle(t)
	return nil
}

func (r *Run) thin(stride, keyEvery int) {
	w, kept := r.width(), 0
	for i, k := range r.k {
		if k%stride != 0 && i != len(r.k)-1 {
			continue
		}
		r.k[kept] = k
		copy(r.rows[kept*w:(kept+1)*w], r.rows[i*w:(i+1)*w])
		kept++
	}
	r.k = slices.Clip(slices.Clone(r.k[:kept]))
	r.rows = slices.Clip(slices.Clone(r.rows[:kept*w]))
	r.keyframes = slices.Clone(slices.DeleteFunc(r.keyframes, func(f keyframe) bool { return f.k%keyEvery != 0 }))
}

func (r *Run) bytes() int {
	const header = int(unsafe.Sizeof(keyframe{}))
	first := &r.keyframes[0] // all have its size
	return 8*(cap(r.rows)+cap(r.k)) + header*cap(r.keyframes) + 8*len(r.keyframes)*(cap(first.Floats)+cap(first.Words))
}

// Len is the number of rows that are kept.
func (r *Run) Len() int { return len(r.k) }

// Kept returns the i-th kept row, 0 ≤ i < Len.
func (r *Run) Kept(i int) Row { return r.row(i) }

// Index returns the largest i whose kept row has K ≤ k; k ≥ 0.
func (r *Run) Index(k int) int {
	i, found := slices.BinarySearch(r.k, k)
	if !found {
		i--
	}
	return i
}

// At returns the row of iteration k exactly; beyond the run's end it is the
// last row. Where the row was dropped it is computed again from the snapshot
// before it, with the logged changes; the run's own state is unharmed.
func (t *Timeline) At(r *Run, k int) (Row, error) {
	k = min(max(k, 0), r.last)
	if i := r.Index(k); r.k[i] == k {
		return r.row(i), nil
	}
	if r.replayedK == k {
		return r.replayed, nil
	}
	r.replayedK = -1
	r.now.Reset()
	r.Stepper.Save(&r.now)
	row, err := r.replay(t, k)
	r.now.Rewind()
	r.Stepper.Load(&r.now)
	if err != nil {
		return Row{}, fmt.Errorf("%s: replaying iteration %d: %w", r.Name, k, err)
	}
	r.replayed, r.replayedK = row, k
	return row, nil
}

// Ahead returns the row of iteration k, at most the run's last, with the step away
// from it, and the row that this leads to, whose own step is absent. From the last
// iteration the step is made and taken back, and nothing is counted or kept. ok is
// false where no step can be made, as the run itself finds when it comes to it. The
// rows hold until the run steps or is asked again.
func (t *Timeline) Ahead(r *Run, k int) (row, next Row, ok bool) {
	k = min(max(k, 0), r.last)
	row = t.exactly(r, k)
	if k < r.last {
		row = row.clone()
		return row, t.exactly(r, k+1), true
	}
	r.now.Reset()
	r.Stepper.Save(&r.now)
	row, next, ok = r.peek(t, row)
	r.now.Rewind()
	r.Stepper.Load(&r.now)
	return row, next, ok
}

// peek makes the step away from the last row, and leaves the stepper there.
func (r *Run) peek(t *Timeline, row Row) (_, next Row, ok bool) {
	if err := t.applyAt(r, r.last); err != nil {
		return row, next, false
	}
	if _, err := r.Stepper.Step(); err != nil {
		return row, next, false
	}
	v := r.Stepper.View()
	if v.K == r.last {
		return row, next, false
	}
	r.describe(&row, v)
	return row, r.rowOf(v), true
}

// rowOf is the row of the point that a view shows, without a step.
func (r *Run) rowOf(v algo.View) Row {
	row := Row{K: v.K, X: slices.Clone(v.X), F: slices.Clone(v.F), Stationarity: r.Stationarity(v.X), BP: v.Cost.Backpropagations}
	if r.AtPoint.List != nil {
		row.AtPoint = make([]float64, r.AtPoint.Width())
		r.AtPoint.fill(row.AtPoint)
	}
	return row
}

// describe gives a row the step of a view, which led away from it.
func (r *Run) describe(row *Row, v algo.View) {
	if r.OfStep.List != nil {
		row.OfStep = make([]float64, r.OfStep.Width())
		r.OfStep.fill(row.OfStep)
	}
	row.StepSize, row.Refreshed = v.StepSize, v.Refreshed
	row.Weights, row.Direction = nil, nil
	if len(v.Weights) == r.m {
		row.Weights = slices.Clone(v.Weights)
	}
	if len(v.Direction) == r.n {
		row.Direction = slices.Clone(v.Direction)
	}
}

// clone is a row that nothing else writes to.
func (row Row) clone() Row {
	for _, v := range []*[]float64{&row.X, &row.F, &row.AtPoint, &row.Weights, &row.Direction, &row.OfStep} {
		*v = slices.Clone(*v)
	}
	return row
}

func (r *Run) replay(t *Timeline, k int) (Row, error) {
	i, found := slices.BinarySearchFunc(r.keyframes, k, func(f keyframe, k int) int { return f.k - k })
	if !found {
		i--
	}
	from, start := &r.keyframes[i].Snapshot, r.keyframes[i].k
	if start < r.cursorK && r.cursorK <= k {
		from, start = &r.cursor, r.cursorK
	}
	r.cursorK = -1
	from.Rewind()
	r.Stepper.Load(from)
	advance := func(at int) error {
		if err := t.applyAt(r, at); err != nil {
			return err
		}
		_, err := r.Stepper.Step()
		return err
	}
	for at := start; at < k; at++ {
		if err := advance(at); err != nil {
			return Row{}, err
		}
	}
	row := r.rowOf(r.Stepper.View())
	if err := advance(k); err != nil {
		return Row{}, err
	}
	v := r.Stepper.View()
	r.describe(&row, v)
	r.cursor.Reset()
	r.Stepper.Save(&r.cursor)
	r.cursorK = v.K
	return row, nil
}

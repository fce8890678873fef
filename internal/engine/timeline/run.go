package timeline

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unsafe"

	"paretoplay/algo"
)

// Run is a stepper with its history. It holds one solution, or several solutions that move together.
type Run struct {
	Name   string // unique name in the scene, such as "psmgd-3"
	Method string
	Title  string // method's name for visitors
	Label  string // run's name for visitors, such as "PSMGD, start 3"
	// Several is true if the run may hold several solutions, even if it holds only one. Files then contain lists of rows.
	Several bool
	// Member is the word for one of several solutions; "" means "start".
	Member string
	// StartIndex is the index of the run's first start point, from 0. The start points of its other solutions follow.
	StartIndex int
	Starts     [][]float64 // the first point of each solution
	Stepper    algo.Stepper
	// Budget is the number of iterations after which the run ends, if it is below the timeline's budget. It allows methods
	// with steps of different cost to end at equal cost. 0 means the timeline's budget.
	Budget int
	// Labour is the approximate number of multiplications in a step and its measurements, without the multiplications that
	// a Yielding stepper reports. 0 means few.
	Labour int
	// Unlocated is true if rows omit points and directions because these are too large. X and Direction of every row are
	// then nil, and AtPoint records the numbers to show instead.
	Unlocated bool
	// Apply applies a live change to the stepper. It is nil if the method has no live parameters.
	Apply func(Change) error

	// AtPoint and OfStep list the additional numbers that the run records for x_k and for the step k → k+1. All runs of a
	// scene have the same lists, except for sizes.
	AtPoint, OfStep []Extra
	// MeasurePoint measures a view's point; its computations do not count as cost. It stores the exact noise-free ω of each
	// solution, and the numbers of AtPoint one after another. Both slices initially contain NaN, which means unknown.
	// MeasurePoint may be nil.
	MeasurePoint func(v algo.View, stationarity, further []float64)
	// MeasureStep measures a view's step and stores the numbers of OfStep. As with MeasurePoint, its computations do not
	// count as cost, the numbers are initially NaN, and the function may be nil. The step started at x_k = from, which is
	// nil if rows store no points.
	MeasureStep func(from []float64, v algo.View, further []float64)
	// Observe is called once for the start and for every committed iteration, after its row is recorded. Replays, visits
	// and calls of Ahead do not call it. It may be nil.
	Observe func(algo.View)
	// Explain returns a short reason why one of the run's solutions ended, or "" if the status is reason enough. It may be
	// nil.
	Explain func(Track) string
	// Misses reports whether a run whose budget is spent has missed its limit, given its first and last row. It is nil if
	// the run has no limit.
	Misses func(first, last Row) bool

	status     algo.Status
	divergence algo.Divergence
	last       int

	s, n, m   int // number of solutions; length of one solution's x in rows; length of its f
	points    int // width of AtPoint, cached because every row uses it
	steps     int // width of OfStep
	names     []string
	k         []int
	rows      table // one row for each entry of k
	keyframes []keyframe
	tried     try
	safe      keyframe  // a state later than the last keyframe; its iteration is −1 if none is saved
	unsafe    int       // work of the steps since the later of safe and the last keyframe
	refused   []refusal // visits that were refused because they take too long
	now       algo.Snapshot
	away      bool // whether the stepper is at another iteration; the field called now holds its current state
	replayed  Row  // the last replayed row
	replayedK int  // iteration of replayed, or -1
	// before and cursor are the states at the last two replayed iterations. Repeated or successive requests continue from
	// these states.
	before, cursor keyframe // iteration -1 means unset
}

type keyframe struct {
	k int
	algo.Snapshot
}

// Extra describes a number or a list of numbers that a scene's runs record in addition to the standard ones.
type Extra struct {
	Name string // name in files
	Size int    // length of the list; 0 for a number
	Each bool   // whether every solution has its own number or list
	// Whole marks whole numbers, such as counts. In CSV, all other numbers have a decimal point or an exponent.
	Whole bool
	// Table is true if the solutions' lists are the columns of a table. Files then contain the rows of that table, with a
	// number for every solution.
	Table  bool
	Symbol string // symbol on screen
	Label  string // column heading for visitors; "" for no column
	// Inner is true if only pictures use the Extra. Files and states then omit it.
	Inner bool
}

// Status returns the run's status at the latest iteration.
func (r *Run) Status() algo.Status { return r.status }

// Divergence returns the place where a diverged run stopped.
func (r *Run) Divergence() algo.Divergence { return r.divergence }

// Last returns the last iteration of the run.
func (r *Run) Last() int { return r.last }

// Solutions returns the number of solutions.
func (r *Run) Solutions() int { return r.s }

// spread returns the number of floats that an Extra occupies in a row.
func (r *Run) spread(e Extra) int {
	if e.Each {
		return r.s * max(e.Size, 1)
	}
	return max(e.Size, 1)
}

func (r *Run) spreadOf(list []Extra) int {
	width := 0
	for _, e := range list {
		width += r.spread(e)
	}
	return width
}

// width returns the number of floats in a row. The point takes x, f, stationarity, bp and AtPoint; the step takes weights,
// direction, step size, refreshed and OfStep.
func (r *Run) width() int { return r.pointWidth() + r.s*(r.m+r.n) + 2 + r.steps }

func (r *Run) pointWidth() int { return r.s*(r.n+r.m+1) + 1 + r.points }

const absent = -1 // value of the refreshed column before the step is taken

func (r *Run) begin(t *Timeline) {
	v := r.Stepper.View()
	r.s = max(v.Solutions, 1)
	r.n, r.m = len(v.X)/r.s, len(v.F)/r.s
	if r.Unlocated {
		r.n = 0
	}
	r.points, r.steps = r.spreadOf(r.AtPoint), r.spreadOf(r.OfStep)
	r.names = make([]string, r.s)
	for i := range r.names {
		if r.names[i] = r.Name; r.Several {
			r.names[i] += "-" + strconv.Itoa(r.StartIndex+i+1)
		}
	}
	r.k, r.rows, r.keyframes = nil, newTable(r.width(), t.limit), nil
	r.last, r.status, r.divergence = 0, algo.Running, algo.Divergence{}
	r.replayedK, r.before.k, r.cursor.k, r.away = -1, -1, -1, false
	r.tried.made, r.safe.k, r.refused = false, -1, nil
	algo.PassYielder(r.Stepper, t.yielder)
	r.look(v)
	r.append(v)
	r.addKeyframe()
	r.settle(t)
}

// try is a step that has been taken but not yet recorded.
type try struct {
	made   bool
	status algo.Status
	point  []float64 // pointWidth() floats of the new point
	step   []float64 // floats of the step, which complete the previous row
}

// look measures a view's point and stores the result in the try.
func (r *Run) look(v algo.View) {
	cells := fill(&r.tried.point, r.pointWidth())
	x := r.s * r.n
	copy(cells[:x], v.X)
	copy(cells[x:], v.F)
	cells = cells[x+len(v.F):]
	r.measure(v, cells[:r.s], cells[r.s+1:])
	cells[r.s] = float64(v.Cost.Backpropagations)
}

// append records the point that look measured. The step from that point is recorded later.
func (r *Run) append(v algo.View) {
	r.k = append(r.k, v.K)
	cells := r.rows.add()
	step := cells[copy(cells, r.tried.point):]
	for i := range step {
		step[i] = math.NaN()
	}
	step[r.s*(r.m+r.n)+1] = absent
	if r.Observe != nil {
		r.Observe(v)
	}
}

func (r *Run) measure(v algo.View, stationarity, further []float64) {
	if r.MeasurePoint != nil {
		r.MeasurePoint(v, stationarity, further)
	}
}

// lookBack measures a view's step, which started at the last row's point.
func (r *Run) lookBack(v algo.View) {
	from := orNone(r.rows.row(r.rows.count - 1)[:r.s*r.n])
	cells, m, n := fill(&r.tried.step, r.width()-r.pointWidth()), r.s*r.m, r.s*r.n
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
	if r.MeasureStep != nil {
		r.MeasureStep(from, v, cells[m+n+2:])
	}
}

// fill sets v to a list of the given length with NaN entries and returns it.
func fill(v *[]float64, length int) []float64 {
	if len(*v) != length {
		*v = make([]float64, length)
	}
	for i := range *v {
		(*v)[i] = math.NaN()
	}
	return *v
}

func (r *Run) row(i int) Row {
	n, m := r.s*r.n, r.s*r.m
	cells := r.rows.row(i)
	row := Row{K: r.k[i], X: orNone(cells[:n]), F: cells[n : n+m], run: r, solution: allSolutions}
	point := cells[n+m:]
	row.setStationarity(point[:r.s])
	row.BP, row.atPoint = int(point[r.s]), point[r.s+1:r.s+1+r.points]
	step := cells[r.pointWidth():]
	if step[m+n+1] == absent {
		return row
	}
	row.ofStep = step[m+n+2:]
	row.StepSize, row.Refreshed = step[m+n], step[m+n+1] == 1
	if !math.IsNaN(step[0]) {
		row.Weights = step[:m]
	}
	if !math.IsNaN(step[m]) {
		row.Direction = orNone(step[m : m+n])
	}
	return row
}

// orNone returns v, or nil if v is empty.
func orNone(v []float64) []float64 {
	if len(v) == 0 {
		return nil
	}
	return v
}

// settle decides whether the run has ended at its latest iteration.
func (r *Run) settle(t *Timeline) {
	switch r.status {
	case algo.Running, algo.Budget, algo.Stationary, algo.AboveLimit:
	default:
		return
	}
	latest := r.row(len(r.k) - 1)
	switch {
	case t.stop > 0 && latest.Stationarity <= t.stop: // the maximum over all solutions
		r.status = algo.Stationary
	case r.last >= t.budget || r.Budget > 0 && r.last >= r.Budget:
		r.status = algo.Budget
		if r.Misses != nil && r.Misses(r.row(0), latest) {
			r.status = algo.AboveLimit
		}
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

// try takes the next step without recording it.
func (r *Run) try(t *Timeline) error {
	before := t.worked
	if err := t.applyAt(r, r.last); err != nil {
		return fmt.Errorf("%s at iteration %d: %w", r.Name, r.last, err)
	}
	status, err := r.Stepper.Step()
	if err != nil {
		return fmt.Errorf("%s at iteration %d: %w", r.Name, r.last, err)
	}
	r.tried.status, r.tried.made = status, true
	if v := r.Stepper.View(); v.K != r.last {
		r.lookBack(v)
		r.look(v)
	}
	r.unsafe += t.worked - before
	return nil
}

// commit records the step that try took.
func (r *Run) commit(t *Timeline) {
	r.tried.made = false
	v := r.Stepper.View()
	if v.K == r.last { // no step was committed
		r.status, r.divergence = r.tried.status, v.Diverged
		return
	}
	copy(r.rows.row(r.rows.count - 1)[r.pointWidth():], r.tried.step)
	// Keep the previous row only if its iteration is a multiple of the stride.
	if i := len(r.k) - 1; i > 0 && r.k[i]%t.stride != 0 {
		r.k = r.k[:i]
		r.rows.cut(i)
	}
	r.last = v.K
	r.append(v)
	if r.last%t.keyEvery == 0 {
		r.addKeyframe()
		r.unsafe = 0
	}
	r.status = r.tried.status
	r.settle(t)
}

func (r *Run) thin(stride, keyEvery int) {
	kept := 0
	for i, k := range r.k {
		if k%stride != 0 && i != len(r.k)-1 {
			continue
		}
		r.k[kept] = k
		copy(r.rows.row(kept), r.rows.row(i))
		kept++
	}
	r.k = slices.Clip(slices.Clone(r.k[:kept]))
	r.rows.cut(kept)
	r.rows.trim()
	r.keyframes = slices.Clone(slices.DeleteFunc(r.keyframes, func(f keyframe) bool { return f.k%keyEvery != 0 }))
}

func (r *Run) bytes() int {
	const header = int(unsafe.Sizeof(keyframe{}))
	first := &r.keyframes[0] // all keyframes have the same size
	return r.rows.bytes() + 8*cap(r.k) + header*cap(r.keyframes) + 8*len(r.keyframes)*(cap(first.Floats)+cap(first.Words))
}

// Len returns the number of kept rows.
func (r *Run) Len() int { return len(r.k) }

// Kept returns the i-th kept row, 0 ≤ i < Len.
func (r *Run) Kept(i int) Row { return r.row(i) }

// Index returns the largest i whose kept row has K ≤ k, for k ≥ 0.
func (r *Run) Index(k int) int {
	i, found := slices.BinarySearch(r.k, k)
	if !found {
		i--
	}
	return i
}

// At returns the exact row of iteration k, or the last row if k is beyond the run's end. If the row was dropped, At
// replays it from the previous snapshot with the logged changes. The run's state does not change.
func (t *Timeline) At(r *Run, k int) (Row, error) {
	k = min(max(k, 0), r.last)
	if i := r.Index(k); r.k[i] == k {
		return r.row(i), nil
	}
	if r.replayedK == k {
		return r.replayed, nil
	}
	if r.refuses(k) {
		return Row{}, fmt.Errorf("%s: replaying iteration %d: %w", r.Name, k, ErrLong)
	}
	r.replayedK = -1
	var row Row
	err := r.aside(t, k, func() error {
		err := r.retrace(t, k, func() { row = r.rowOf(r.Stepper.View()) })
		if err == nil {
			r.describe(&row, r.Stepper.View())
		}
		return err
	})
	if err != nil {
		return Row{}, fmt.Errorf("%s: replaying iteration %d: %w", r.Name, k, err)
	}
	r.replayed, r.replayedK = row, k
	return row, nil
}

// ErrNoStep means that a run cannot take a step from its last iteration.
var ErrNoStep = errors.New("no further step is possible")

// These errors are reasons why an iteration cannot be shown at the moment.
var (
	// ErrUnderWay means that the run's next iteration is in progress; see Advance.
	ErrUnderWay = errors.New("the next iteration is in progress")
	// ErrLong means that replaying the steps would take longer than SetStretch allows.
	ErrLong = errors.New("replaying the steps would take too long")
)

// NotNow reports whether err means that an iteration cannot be shown at the moment.
func NotNow(err error) bool { return errors.Is(err, ErrUnderWay) || errors.Is(err, ErrLong) }

// Visit calls f with a run's stepper in its state at iteration k, just after the step k−1 → k, which its View shows. At
// iteration 0 the stepper has not taken a step. Visit can also take the step after the run's last iteration and then undo
// it. It returns ErrNoStep if that step is impossible. f may change the stepper: Visit restores it, and counts, records and
// observes nothing. If NotNow reports true for the returned error, the visit is impossible only at the moment.
//
// Visits of a run cannot be nested, so f may read only recorded rows of the run. Visiting iterations in order costs one
// step per visit.
func (t *Timeline) Visit(r *Run, k int, f func(algo.Stepper)) error {
	if k < 0 || k > r.last+1 {
		return &algo.RangeError{Name: "iteration", Value: k, Allowed: fmt.Sprintf("0 to %d", r.last+1)}
	}
	if r.refuses(k) {
		return fmt.Errorf("%s: visiting iteration %d: %w", r.Name, k, ErrLong)
	}
	err := r.aside(t, k, func() error {
		if k == 0 {
			r.load(&r.keyframes[0])
		} else if err := r.retrace(t, k-1, nil); err != nil {
			return err
		}
		t.visiting = nil // f itself is fast
		f(r.Stepper)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: visiting iteration %d: %w", r.Name, k, err)
	}
	return nil
}

// Ahead returns the row of iteration k with the step that starts there, and the row after that step, which contains no step
// of its own if k is the last iteration. It limits k to the run's last iteration, where it takes the step and undoes it, as
// Visit does. ok is false if no step is possible. Both rows are valid until the run steps or another row is requested.
func (t *Timeline) Ahead(r *Run, k int) (row, next Row, ok bool) {
	k = min(max(k, 0), r.last)
	row = t.Near(r, k)
	if k < r.last {
		row = row.clone()
		return row, t.Near(r, k+1), true
	}
	err := t.Visit(r, k+1, func(s algo.Stepper) {
		v := s.View()
		r.describe(&row, v)
		next = r.rowOf(v)
	})
	return row, next, err == nil
}

// aside calls f, which moves the stepper to iteration k and may use it freely. Afterwards it restores the stepper, even
// if f panics, because the page keeps running. If f takes longer than the timeline allows, aside stops f and returns
// ErrLong. A nested call panics, because a run can save only one state.
func (r *Run) aside(t *Timeline, k int, f func() error) (err error) {
	if r.away {
		panic("timeline: nested visit of " + r.Name)
	}
	if t.UnderWay() {
		return ErrUnderWay
	}
	r.away = true
	t.asides++
	r.now.Reset()
	r.Stepper.Save(&r.now)
	left, outer := t.stretch, t.visiting
	if t.visiting = nil; left > 0 {
		t.visiting = &left
	}
	defer func() {
		t.visiting = outer
		r.now.Rewind()
		r.Stepper.Load(&r.now)
		r.away = false
		t.asides--
		if left > 0 || t.stretch == 0 {
			return
		}
		if fault := recover(); fault != nil {
			if fault != any(givenUp{}) {
				panic(fault)
			}
			r.refuse(k)
			r.before.k, r.cursor.k = -1, -1
			err = ErrLong
		}
	}()
	return f()
}

// refusal identifies a visit of iteration k that takes too long. It applies while last is the run's last iteration.
type refusal struct{ k, last int }

// maxRefusals is the maximum number of stored refusals, which prevent a new attempt in every frame.
const maxRefusals = 4

func (r *Run) refuses(k int) bool { return slices.Contains(r.refused, refusal{k, r.last}) }

func (r *Run) refuse(k int) {
	if len(r.refused) == maxRefusals {
		r.refused = slices.Delete(r.refused, 0, 1)
	}
	r.refused = append(r.refused, refusal{k, r.last})
}

func (r *Run) load(f *keyframe) {
	f.Rewind()
	r.Stepper.Load(&f.Snapshot)
}

// store saves the stepper's state at iteration k in f.
func (r *Run) store(f *keyframe, k int) {
	f.Reset()
	r.Stepper.Save(&f.Snapshot)
	f.k = k
}

// retrace moves the stepper to iteration k, calls at unless it is nil, and takes the step k → k+1 with its logged
// changes.
func (r *Run) retrace(t *Timeline, k int, at func()) error {
	here := keyframe{k: r.last}
	if k < r.last {
		i, found := slices.BinarySearchFunc(r.keyframes, k, func(f keyframe, k int) int { return f.k - k })
		if !found {
			i--
		}
		from := &r.keyframes[i]
		for _, f := range []*keyframe{&r.before, &r.cursor} {
			if from.k < f.k && f.k <= k {
				from = f
			}
		}
		here.k = from.k
		r.load(from)
	}
	for ; here.k < k; here.k++ {
		if err := r.again(t, here.k); err != nil {
			return err
		}
	}
	if k < r.last {
		r.store(&r.before, k)
	}
	if at != nil {
		at()
	}
	if err := r.again(t, k); err != nil {
		return err
	}
	if k < r.last {
		r.store(&r.cursor, k+1)
	}
	return nil
}

// again repeats the step k → k+1 with the changes logged at k.
func (r *Run) again(t *Timeline, k int) error {
	if err := t.applyAt(r, k); err != nil {
		return err
	}
	if _, err := r.Stepper.Step(); err != nil {
		return err
	}
	if r.Stepper.View().K == k {
		return ErrNoStep
	}
	return nil
}

// Package timeline records runs of steppers and shows any iteration exactly.
//
// Every run keeps the rows of its iterations and, at intervals, snapshots of its stepper. When the rows exceed the memory
// limit, two of every three rows are dropped. A dropped row is recomputed from the previous snapshot.
package timeline

import (
	"cmp"
	"slices"

	"paretoplay/algo"
)

// Change is an entry in the log of live changes. It sets the parameter Name to Text at iteration K, before the step to
// K+1.
type Change struct {
	K    int
	Name string
	Text string
}

// Timeline holds runs that advance together, one iteration at a time.
type Timeline struct {
	runs     []*Run
	tracks   []Track
	log      []Change
	budget   int
	stop     float64
	marker   int
	selected Track // track shown in detail
	methods  int   // number of different methods
	symbols  map[string]string
	omitted  []string // labels of omitted columns

	stride   int // rows are kept at iterations that are multiples of stride
	keyEvery int // snapshots are kept at multiples of keyEvery, which is a multiple of stride
	limit    int // maximum bytes of rows and snapshots
	version  uint64

	yielder  *algo.Yielder // shared by all steppers
	worked   int           // work that steppers have done, in units
	stretch  int           // maximum work without a pause, in units; 0 means unlimited
	way      *way          // iterations computed in parts, or nil
	stepping *Run          // run that is taking a step
	asides   int           // depth of nested visits
	// iterating is true while an iteration is in progress. recording is true while its steps, which are then all
	// complete, are being recorded.
	iterating, recording bool
	visiting             *int // remaining work of a visit, in units; nil means unlimited

	maker   *algo.Yielder // for code that constructs runs
	yielded func()        // called by maker; may be nil
}

// DefaultLimit is the default memory limit for recorded rows and snapshots, in bytes.
const DefaultLimit = 64 << 20

// thinning is the growth factor of strides. It is odd, because patterns such as steps across a valley may repeat every two,
// four or eight iterations. An even factor would always sample such patterns in the same phase.
const thinning = 3

const firstKeyEvery = thinning * thinning * thinning * thinning

// New returns an empty timeline whose rows and snapshots take less than limit bytes.
func New(limit int) *Timeline {
	t := &Timeline{limit: limit, stride: 1, keyEvery: firstKeyEvery}
	t.yielder = algo.NewYielder(quantum, t.rest)
	t.maker = algo.NewYielder(quantum, func(int) {
		if t.yielded != nil {
			t.yielded()
		}
	})
	return t
}

// YieldMeasure may yield. A costly Run.MeasurePoint calls it before each part of its work, with the approximate number
// of multiplications in that part. YieldMeasure yields only during a step or the construction of runs, not during reads
// of rows.
func (t *Timeline) YieldMeasure(work int) {
	switch {
	case t.visiting != nil || t.asides > 0:
	case t.iterating:
		t.yielder.Yield(work)
	default:
		t.maker.Yield(work)
	}
}

// Maker returns the yielder for code that constructs runs for Reset. Such code must yield, because it may take long to
// construct data, problems and steppers. The work reported to this yielder does not count as work of the runs.
func (t *Timeline) Maker() *algo.Yielder { return t.maker }

// SetMaking sets the function that Maker calls when it yields. The function may run other code before it returns. It may
// be nil.
func (t *Timeline) SetMaking(f func()) { t.yielded = f }

// SetLimit sets the memory limit for rows and snapshots, in bytes.
func (t *Timeline) SetLimit(bytes int) { t.limit = bytes }

// Reset replaces the runs, which must all be at k = 0, and the log of changes to apply. It then selects the track with
// the previously selected name, or the first track if no track has that name.
func (t *Timeline) Reset(runs []*Run, log []Change) {
	t.leave()
	t.stepping = nil
	selected := t.SelectedName()
	for _, r := range runs {
		t.maker.Yield(quantum)
		r.begin(t)
	}
	t.runs, t.log = runs, slices.Clone(log)
	t.marker = 0
	t.stride, t.keyEvery = 1, firstKeyEvery
	t.version++
	t.tracks = nil
	methods := map[string]bool{}
	for _, r := range runs {
		methods[r.Method] = true
		for i := range r.s {
			t.tracks = append(t.tracks, Track{r, i})
		}
	}
	t.methods = len(methods)
	t.Select(selected)
}

// Methods returns the number of different methods among the runs.
func (t *Timeline) Methods() int { return t.methods }

// Runs returns the runs in order. Do not modify the slice.
func (t *Timeline) Runs() []*Run { return t.runs }

// Near returns the row of iteration k or, if that row cannot be replayed at the moment, the nearest kept row before it.
func (t *Timeline) Near(r *Run, k int) Row {
	row, err := t.At(r, k)
	switch {
	case NotNow(err):
		return r.row(r.Index(min(max(k, 0), r.last)))
	case err != nil:
		panic(err) // these steps succeeded before
	}
	return row
}

// Log returns the live changes in the order of their iterations. Do not modify the slice.
func (t *Timeline) Log() []Change { return t.log }

// Version returns a number that changes whenever earlier recorded rows change.
func (t *Timeline) Version() uint64 { return t.version }

// Latest returns the largest iteration that any run has reached.
func (t *Timeline) Latest() int {
	k := 0
	for _, r := range t.runs {
		k = max(k, r.last)
	}
	return k
}

// Marker returns the iteration to show.
func (t *Timeline) Marker() int { return t.marker }

// SetMarker moves the marker to k, limited to [0, Latest], and returns its new position.
func (t *Timeline) SetMarker(k int) int {
	t.marker = min(max(k, 0), t.Latest())
	return t.marker
}

// SetEnd sets the iteration budget and the stationarity threshold. A run stops when its stationarity is at most stop; 0
// disables the threshold. Runs with remaining budget continue.
func (t *Timeline) SetEnd(budget int, stop float64) {
	if budget != t.budget || stop != t.stop {
		t.Drop()
	}
	t.budget, t.stop = budget, stop
	for _, r := range t.runs {
		r.settle(t)
	}
}

// Budget returns the number of iterations after which runs end.
func (t *Timeline) Budget() int { return t.budget }

// Change logs a live change at iteration k, or at the latest iteration if k is earlier. The change takes effect in the step
// to k+1. It replaces changes of the same parameter logged at k or later. If that step is in progress, the step restarts
// with the change.
func (t *Timeline) Change(k int, name, text string) {
	if k <= t.Latest() {
		t.Drop()
	}
	k = max(k, t.Latest())
	t.log = slices.DeleteFunc(t.log, func(c Change) bool { return c.K >= k && c.Name == name })
	t.log = append(t.log, Change{k, name, text})
	slices.SortStableFunc(t.log, func(a, b Change) int { return cmp.Compare(a.K, b.K) })
}

// Forget removes the live changes logged after the latest iteration, and returns the names of their parameters.
func (t *Timeline) Forget() (names []string) {
	latest := t.Latest()
	t.log = slices.DeleteFunc(t.log, func(c Change) bool {
		if c.K > latest {
			names = append(names, c.Name)
		}
		return c.K > latest
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// Running reports whether any run can continue.
func (t *Timeline) Running() bool {
	return slices.ContainsFunc(t.runs, func(r *Run) bool { return r.status == algo.Running })
}

// Status returns Running while any run is running. Otherwise it returns the status that all runs share, or Finished if their
// statuses differ.
func (t *Timeline) Status() algo.Status {
	if t.Running() {
		return algo.Running
	}
	if len(t.runs) == 0 {
		return algo.Finished
	}
	for _, r := range t.runs[1:] {
		if r.status != t.runs[0].status {
			return algo.Finished
		}
	}
	return t.runs[0].status
}

// thin drops two of every three rows, repeatedly if necessary, until the remaining rows fit the limit. It always keeps the
// first and last rows.
func (t *Timeline) thin() {
	for t.bytes() > t.limit && t.stride <= t.Latest() {
		t.stride *= thinning
		t.keyEvery = max(t.keyEvery, t.stride)
		for _, r := range t.runs {
			r.thin(t.stride, t.keyEvery)
		}
		t.version++
	}
}

func (t *Timeline) bytes() int {
	n := 0
	for _, r := range t.runs {
		n += r.bytes()
	}
	return n
}

// applyAt applies the changes logged at iteration k to r.
func (t *Timeline) applyAt(r *Run, k int) error {
	if r.Apply == nil {
		return nil
	}
	i, _ := slices.BinarySearchFunc(t.log, k, func(c Change, k int) int { return cmp.Compare(c.K, k) })
	for ; i < len(t.log) && t.log[i].K == k; i++ {
		if err := r.Apply(t.log[i]); err != nil {
			return err
		}
	}
	return nil
}

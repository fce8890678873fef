package timeline

import (
	"iter"

	"paretoplay/algo"
)

// quantum is the work that a stepper does between reports to the timeline. This work takes well under a millisecond.
const quantum = 20000

// shortest is the minimum work before an interruption of an iteration. It takes a few milliseconds, so that an iteration
// of some dozen short steps is never interrupted. It exceeds a quantum, because one report may cover many short
// iterations.
const shortest = 5 * quantum

// parting divides the stretch into parts; an iteration may be interrupted after one part. A visit may use the whole stretch.
// An iteration gets less, because the rest of the frame also takes time, and because in WebAssembly some work is several
// times slower than multiplications.
const parting = 4

// safety is the work, in units, after which a run's state is saved before the next step. It limits the work to repeat if
// a step is abandoned.
const safety = 1 << 20

// way computes iterations in parts with a coroutine. It pauses in the middle of a step when its time is up and later
// continues there.
type way struct {
	next func() (struct{}, bool)
	stop func()

	more    func() bool // whether this part may continue
	left    int         // number of iterations that may still start in this part
	made    int         // number of iterations committed in this part
	since   int         // value of Worked when this part or its iteration started
	resting bool
	pause   func()
	err     error
}

// givenUp is the panic value of an abandoned step.
type givenUp struct{}

// SetStretch sets the maximum work without a pause, in units. Longer visits fail with ErrLong. An iteration may be
// interrupted after a quarter of the stretch. With 0, visits have no limit, and only short iterations are never
// interrupted.
func (t *Timeline) SetStretch(work int) { t.stretch = work }

// Worked returns the work, in units, that the runs' steppers have done since New, including visits. It may miss up to a
// quantum of each stepper's work.
func (t *Timeline) Worked() int { return t.worked }

// UnderWay reports whether an iteration is interrupted. Some of its steps are then complete, and one may be incomplete
// together with state that several runs share.
func (t *Timeline) UnderWay() bool { return t.way != nil && t.way.resting }

// Step advances every active run by one iteration and sets the marker to the latest iteration. It reports whether any run
// can continue.
func (t *Timeline) Step() (bool, error) {
	var err error
	if t.way != nil {
		_, err = t.Advance(1, func() bool { return true })
	} else if err = t.iterate(); err != nil {
		t.restore()
	}
	return err == nil && t.Running(), err
}

// Advance computes up to n iterations of every active run while more() is true, and sets the marker to the latest
// iteration. It returns the number of committed iterations.
//
// If more() returns false in the middle of an iteration, the next Advance continues there, and Drop abandons the
// iteration. Runs, rows and the log do not change before all steps are complete; then the runs are recorded one after
// another. Meanwhile, only recorded rows can be read. Interruptions do not change the results. If a step fails, nothing
// of its iteration is recorded.
func (t *Timeline) Advance(n int, more func() bool) (made int, err error) {
	if n < 1 {
		return 0, nil
	}
	if t.way == nil {
		t.way = t.depart()
		n++
	}
	w := t.way
	w.left = n - 1 // the iteration in progress has already started
	w.more, w.made, w.err, w.since = more, 0, nil, t.worked
	defer func() {
		if !w.resting && t.way == w { // also after a panic
			t.way = nil
			w.stop()
			t.restore()
		}
	}()
	w.next()
	return w.made, w.err
}

// depart returns a new way that has not started yet.
func (t *Timeline) depart() *way {
	w := &way{}
	w.next, w.stop = iter.Pull(func(yield func(struct{}) bool) {
		w.pause = func() {
			w.resting = true
			if !yield(struct{}{}) {
				panic(givenUp{})
			}
			w.resting = false
		}
		defer func() {
			if fault := recover(); fault != nil && fault != any(givenUp{}) {
				panic(fault)
			}
		}()
		for w.left > 0 && t.Running() && w.more() {
			w.left--
			w.since = t.worked
			if w.err = t.iterate(); w.err != nil {
				return
			}
			w.made++
		}
	})
	return w
}

// rest handles a stepper's yield before the given amount of work. It may pause the iteration or abandon a visit.
func (t *Timeline) rest(work int) {
	defer func() { t.worked += work }() // the work follows the yield
	if t.visiting != nil {
		if *t.visiting -= work; *t.visiting <= 0 {
			panic(givenUp{})
		}
		return
	}
	w := t.way
	if w == nil || w.resting || !t.iterating || t.asides > 0 {
		return // not in an iteration of a way
	}
	if t.worked+work-w.since >= max(t.stretch/parting, shortest) && !w.more() {
		w.pause()
		w.since = t.worked
	}
}

// iterate computes one iteration of all active runs.
func (t *Timeline) iterate() error {
	t.iterating = true
	defer func() { t.iterating, t.recording = false, false }()
	for _, r := range t.runs {
		if r.status != algo.Running {
			continue
		}
		if r.unsafe >= safety {
			r.store(&r.safe, r.last)
			r.unsafe = 0
		}
		t.yielder.Yield(r.labour())
		t.stepping = r
		if err := r.try(t); err != nil {
			return err
		}
		t.stepping = nil
	}
	t.recording = true
	for _, r := range t.runs {
		if r.tried.made {
			if r.Observe != nil {
				t.yielder.Yield(r.labour())
			}
			r.commit(t)
		}
	}
	t.thin()
	t.marker = t.Latest()
	return nil
}

// labour returns the part of a step's work that the stepper does not report.
func (r *Run) labour() int {
	const least, each = 4096, 64 // rows and calls take time too
	return max(r.Labour, least+each*r.s*r.n*r.m)
}

// Drop abandons the iteration in progress, if any, and restores the runs. If all steps of the iteration are complete,
// some runs may already be recorded. Drop then completes the iteration instead.
func (t *Timeline) Drop() {
	if w := t.way; w != nil && t.recording {
		w.left, w.more = 0, func() bool { return true }
		w.next()
	}
	if t.leave() {
		t.restore()
		t.version++ // iterations that could not be shown may now be available
	}
}

// leave ends the way without changing the steppers. It reports whether there was a way.
func (t *Timeline) leave() bool {
	if t.way == nil {
		return false
	}
	t.way.stop()
	t.way = nil
	return true
}

// restore returns the steppers to the start of the iteration, for all runs that have started it.
func (t *Timeline) restore() {
	for _, r := range t.runs {
		if r.tried.made || t.stepping == r {
			r.tried.made = false
			r.restore(t)
		}
	}
	t.stepping = nil
}

// restore moves the stepper to the run's last iteration.
func (r *Run) restore(t *Timeline) {
	from := &r.keyframes[len(r.keyframes)-1]
	if r.safe.k > from.k {
		from = &r.safe
	}
	r.load(from)
	for k := from.k; k < r.last; k++ {
		if err := r.again(t, k); err != nil {
			panic(err) // these steps succeeded before
		}
	}
}

package timeline

import (
	"iter"

	"paretoplay/algo"
)

// quantum is the work that steppers do before they report to the timeline, well below a millisecond.
const quantum = 20000

// shortest is the work below which an iteration is never interrupted: a few milliseconds, so that an iteration of some dozen short
// steps stays whole. It exceeds a quantum, because one report may cover many short iterations.
const shortest = 5 * quantum

// parting is the divisor of the stretch after which an iteration may be interrupted. A visit may use the whole stretch, but the rest
// of a frame comes in addition, and WebAssembly is several times slower for some of the work than for multiplications.
const parting = 4

// safety is the work, in units, after which a run's state is saved before the next step. At most that much is repeated if a step is
// abandoned.
const safety = 1 << 20

// way makes iterations in parts with a coroutine. It pauses in the middle of a step when its time is over and continues there later.
type way struct {
	next func() (struct{}, bool)
	stop func()

	more    func() bool // whether this part may continue
	left    int         // iterations that may still start in this part
	made    int         // iterations committed in this part
	since   int         // Worked when this part or its iteration started
	resting bool
	pause   func()
	err     error
}

// givenUp is the panic of a step that is abandoned.
type givenUp struct{}

// SetStretch sets how many units of work are done without a pause. Longer visits fail with ErrLong. An iteration is interrupted no
// earlier than after a quarter of it. 0 sets no limit for visits, and only short iterations stay whole.
func (t *Timeline) SetStretch(work int) { t.stretch = work }

// Worked returns the units of work that the runs' steppers have done since New, including visits. Up to a quantum of each may not be
// reported yet.
func (t *Timeline) Worked() int { return t.worked }

// UnderWay reports whether an iteration is interrupted: some of its steps are made, and one may be half made, together with state
// that it shares with others.
func (t *Timeline) UnderWay() bool { return t.way != nil && t.way.resting }

// Step advances every running run by one iteration and sets the marker to the latest. It reports whether any run can continue.
func (t *Timeline) Step() (bool, error) {
	var err error
	if t.way != nil {
		_, err = t.Advance(1, func() bool { return true })
	} else if err = t.iterate(); err != nil {
		t.restore()
	}
	return err == nil && t.Running(), err
}

// Advance makes up to n iterations of every running run while more() is true and sets the marker to the latest. It returns the number
// committed.
//
// If more() ends in the middle of an iteration, the next Advance continues there, and Drop abandons it. Until all its steps are made,
// runs, rows and the log are as before; then the runs are recorded one after another. Meanwhile only recorded rows can be read.
// Interruptions do not change the iterations. If a step fails, nothing of its iteration is recorded.
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

// depart returns a way that has not started.
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

// rest is called when a stepper yields before so much work.
func (t *Timeline) rest(work int) {
	defer func() { t.worked += work }() // the work comes next
	if t.visiting != nil {
		if *t.visiting -= work; *t.visiting <= 0 {
			panic(givenUp{})
		}
		return
	}
	w := t.way
	if w == nil || w.resting || !t.iterating || t.asides > 0 {
		return // not an iteration of a way
	}
	if t.worked+work-w.since >= max(t.stretch/parting, shortest) && !w.more() {
		w.pause()
		w.since = t.worked
	}
}

// iterate makes one iteration.
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

// labour returns the work of a step that its stepper does not report.
func (r *Run) labour() int {
	const least, each = 4096, 64 // also rows and calls take time
	return max(r.Labour, least+each*r.s*r.n*r.m)
}

// Drop abandons the iteration in progress, if there is one, and restores the runs. If all its steps are made, so that some may be
// recorded, it completes the iteration instead.
func (t *Timeline) Drop() {
	if w := t.way; w != nil && t.recording {
		w.left, w.more = 0, func() bool { return true }
		w.next()
	}
	if t.leave() {
		t.restore()
		t.version++ // iterations that could not be shown may be available now
	}
}

// leave ends the way. The steppers stay as they are.
func (t *Timeline) leave() bool {
	if t.way == nil {
		return false
	}
	t.way.stop()
	t.way = nil
	return true
}

// restore moves the steppers of runs that have started the iteration back to its start.
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

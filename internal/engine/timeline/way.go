package timeline

import (
	"iter"

	"paretoplay/algo"
)

// quantum is how much work steppers do until the timeline hears of it, well below a millisecond.
const quantum = 20000

// shortest is the work below which an iteration is never parted: a few milliseconds, so that an iteration of a few dozen short
// steps stays whole. It is more than a quantum, because what is heard at once may be the work of many short iterations.
const shortest = 5 * quantum

// parting is the share of a stretch after which an iteration may be parted. It is less than the stretch of a visit: the rest of a
// frame comes on top, and WebAssembly takes several times as long for some of the work as for multiplications.
const parting = 4

// safety is the work after which a run's state is kept before the next step, in units: so much, at
// most, is done again where a step is given up.
const safety = 1 << 20

// way is iterations that are being made in parts, by a coroutine: it rests in the middle of a step
// where the time is over, and goes on there when it has more.
type way struct {
	next func() (struct{}, bool)
	stop func()

	more    func() bool // whether this part goes on
	left    int         // iterations that may still begin in this part
	made    int         // iterations that this part has committed
	since   int         // what had been worked when this part, or its iteration, began
	resting bool
	pause   func()
	err     error
}

// givenUp is what a step panics with that nobody waits for any more.
type givenUp struct{}

// SetStretch sets how many units of work are done without an interruption: visits that take more
// fail, with ErrLong, and an iteration is not parted before a quarter of that. 0 bounds no visit, and
// leaves only short iterations whole.
func (t *Timeline) SetStretch(work int) { t.stretch = work }

// Worked returns how many units of work the runs' steppers have done since New, visits included: as far
// as they have said, so that a quantum of each may be missing.
func (t *Timeline) Worked() int { return t.worked }

// UnderWay reports whether an iteration rests in the middle: of its steps some are made, and one may be
// half made, with what it shares with others.
func (t *Timeline) UnderWay() bool { return t.way != nil && t.way.resting }

// Step advances every running run by one iteration, with the marker at the
// latest. It reports whether any run went on.
func (t *Timeline) Step() (bool, error) {
	var err error
	if t.way != nil {
		_, err = t.Advance(1, func() bool { return true })
	} else if err = t.iterate(); err != nil {
		t.restore()
	}
	return err == nil && t.Running(), err
}

// Advance makes up to n iterations of every running run while more() holds, with the marker at the
// latest, and returns how many it has committed. If more() ends in the middle of an iteration, that
// is under way: the next Advance goes on with it, and Drop gives it up. Until all its steps are made,
// runs, rows and the log are as before; then runs are recorded one after the other. While it is under
// way only recorded rows can be had. In which parts iterations are made does not change them. Where a
// step fails, none of its iteration is recorded.
func (t *Timeline) Advance(n int, more func() bool) (made int, err error) {
	if n < 1 {
		return 0, nil
	}
	if t.way == nil {
		t.way = t.depart()
		n++
	}
	w := t.way
	w.left = n - 1 // the one that is under way has begun
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

// depart returns a way on which nothing has been done.
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

// rest is where a stepper yields, after that much work.
func (t *Timeline) rest(work int) {
	defer func() { t.worked += work }() // it comes next
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

// labour is the work of a step of which its stepper says nothing.
func (r *Run) labour() int {
	const least, each = 4096, 64 // a row and calls take time too
	return max(r.Labour, least+each*r.s*r.n*r.m)
}

// Drop gives up the iteration that is under way, if there is one: the runs are as before it. Where all
// its steps are made, so that some may be recorded already, it is completed.
func (t *Timeline) Drop() {
	if w := t.way; w != nil && t.recording {
		w.left, w.more = 0, func() bool { return true }
		w.next()
	}
	if t.leave() {
		t.restore()
		t.version++ // what could not be looked at can be again
	}
}

// leave ends the way and leaves the steppers as they happen to be.
func (t *Timeline) leave() bool {
	if t.way == nil {
		return false
	}
	t.way.stop()
	t.way = nil
	return true
}

// restore brings the steppers of runs that have begun with an iteration back to where it began.
func (t *Timeline) restore() {
	for _, r := range t.runs {
		if r.tried.made || t.stepping == r {
			r.tried.made = false
			r.restore(t)
		}
	}
	t.stepping = nil
}

// restore brings the stepper to the run's last iteration.
func (r *Run) restore(t *Timeline) {
	from := &r.keyframes[len(r.keyframes)-1]
	if r.safe.k > from.k {
		from = &r.safe
	}
	r.load(from)
	for k := from.k; k < r.last; k++ {
		if err := r.again(t, k); err != nil {
			panic(err) // the run's own steps have made it once
		}
	}
}

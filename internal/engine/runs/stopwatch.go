package runs

import (
	"iter"
	"math"
	"slices"
	"time"

	"paretoplay/algo"
)

// Stopwatch is a clock that starts now.
func Stopwatch() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// Timed measures a stepper in batches of steps, each from its first state. Steppers themselves
// read no clock.
type Timed struct {
	Stepper algo.Stepper
	Make    func() (algo.Stepper, error) // makes Stepper where that is nil, before the first batch
	Cycle   int                          // the steps of a batch are a multiple of it; 0 is 1
	Times   []float64                    // seconds a step, of each batch

	start algo.Snapshot
	group int // steps of a batch
}

const (
	timedBatches = 21
	timedBatch   = time.Millisecond // least time of a batch
	timedReads   = 20_000           // of the clock at most, in a row, for its next tick
	timedPiece   = 1 << 18          // multiplications after which a step may rest: a fraction of a millisecond
)

// Done reports whether enough batches are measured to know their median.
func (t *Timed) Done() bool { return len(t.Times) == timedBatches }

// Batch measures one batch. A batch that is too short for the clock does not count, and is
// repeated with more steps. Before the first batch one step allocates everything. Steps and what lies between them yield.
func (t *Timed) Batch(clock func() time.Duration, yielder *algo.Yielder) error {
	if t.Stepper == nil {
		var err error
		if t.Stepper, err = t.Make(); err != nil {
			return err
		}
		yielder.Yield(timedPiece)
	}
	algo.PassYielder(t.Stepper, yielder)
	cycle := max(1, t.Cycle)
	if t.group == 0 {
		t.group = 1
		if err := t.steps(1); err != nil {
			return err
		}
		t.Stepper.Save(&t.start)
		yielder.Yield(timedPiece)
	}
	for {
		t.start.Rewind()
		t.Stepper.Load(&t.start)
		steps := (t.group + cycle - 1) / cycle * cycle
		from := tick(clock)
		if err := t.steps(steps); err != nil {
			return err
		}
		elapsed := clock() - from
		if elapsed >= timedBatch {
			t.Times = append(t.Times, elapsed.Seconds()/float64(steps))
			return nil
		}
		yielder.Yield(timedPiece)
		const limit = 4 // times as many steps as before
		t.group = max(t.group+1, min(limit*t.group, int(1.3*float64(t.group)*float64(timedBatch)/float64(max(elapsed, 1)))))
	}
}

func (t *Timed) steps(n int) error {
	for range n {
		if _, err := t.Stepper.Step(); err != nil {
			return err
		}
	}
	return nil
}

// Turns measures groups of steppers, one batch of each in turn. The steppers of a group are
// measured one after the other, because machines are not equally fast all the time.
type Turns struct {
	Groups [][]*Timed
	Clock  func() time.Duration
	Taken  int   // turns so far
	Failed error // of the first step that failed

	yielder *algo.Yielder // where steps may rest, nil for nowhere
}

// Work measures while more() holds, and reports whether there is more to come.
func (t *Turns) Work(more func() bool) (pending bool, err error) {
	for t.Failed == nil && len(t.Groups) > 0 {
		group := t.Groups[t.Taken%len(t.Groups)]
		if group[len(group)-1].Done() {
			return false, nil
		}
		if !more() {
			return true, nil
		}
		for _, one := range group {
			if t.Failed = one.Batch(t.Clock, t.yielder); t.Failed != nil {
				break
			}
		}
		t.Taken++
	}
	return false, t.Failed
}

// Resting is Turns whose steps may rest in the middle, while their clock stands still.
type Resting struct {
	Turns
	more    func() bool
	next    func() (struct{}, bool)
	stop    func()
	pending bool
	err     error
}

// Work is Turns.Work, but rests in the middle of a step where more no longer holds.
func (r *Resting) Work(more func() bool) (pending bool, err error) {
	if r.next == nil {
		r.begin()
	}
	r.more, r.pending = more, true
	if _, goesOn := r.next(); !goesOn {
		r.pending = false
	}
	return r.pending, r.err
}

// Stop gives up a step that rests. Nothing is measured from then on.
func (r *Resting) Stop() {
	if r.stop != nil {
		r.stop()
	}
}

// stopped is what a step that rests is given up with.
type stopped struct{}

func (r *Resting) begin() {
	clock, away := r.Clock, time.Duration(0)
	r.Clock = func() time.Duration { return clock() - away }
	r.next, r.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if fault := recover(); fault != nil && fault != any(stopped{}) {
				panic(fault)
			}
		}()
		rest := func() {
			from := clock()
			if !yield(struct{}{}) {
				panic(stopped{})
			}
			away += clock() - from
		}
		r.yielder = algo.NewYielder(timedPiece, func(int) {
			if !r.more() {
				rest()
			}
		})
		for {
			var pending bool
			if pending, r.err = r.Turns.Work(func() bool { return r.more() }); !pending {
				return
			}
			rest()
		}
	})
}

// tick waits until the clock shows another time, and returns it, because browsers' clocks are
// coarse.
func tick(clock func() time.Duration) time.Duration {
	before := clock()
	for range timedReads {
		if now := clock(); now != before {
			return now
		}
	}
	return before
}

// Median returns the median, NaN for no numbers.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

package runs

import (
	"iter"
	"math"
	"slices"
	"time"

	"paretoplay/algo"
)

// Stopwatch returns a function that returns the time since Stopwatch was called.
func Stopwatch() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// Timed measures how long a stepper's steps take, in batches. Every batch starts from the same state. Steppers do not
// read a clock themselves.
type Timed struct {
	Stepper algo.Stepper
	Make    func() (algo.Stepper, error) // creates Stepper before the first batch if Stepper is nil
	Cycle   int                          // a batch has a multiple of Cycle steps; 0 means 1
	Times   []float64                    // seconds per step in each batch

	start algo.Snapshot
	group int // number of steps in a batch
}

const (
	timedBatches = 21
	timedBatch   = time.Millisecond // minimum time of a batch
	timedReads   = 20_000           // maximum number of clock readings while waiting for the next tick
	timedPiece   = 1 << 18          // multiplications between two possible pauses; they take a fraction of a millisecond
)

// Done reports whether enough batches have been measured.
func (t *Timed) Done() bool { return len(t.Times) == timedBatches }

// Batch measures one batch. If a batch is too short for the clock, Batch discards it and repeats it with more steps.
// One step before the first batch performs all allocations. Batch yields within and between steps.
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
		const limit = 4 // maximum factor between the numbers of steps of two successive attempts
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

// Turns measures groups of steppers in turn, one batch of each at a time. It measures the steppers of a group in direct
// succession, because a computer's speed varies over time.
type Turns struct {
	Groups [][]*Timed
	Clock  func() time.Duration
	Taken  int   // number of turns so far
	Failed error // error of the first step that failed

	yielder *algo.Yielder // called where a step may pause; may be nil
}

// Work measures while more() is true. It reports whether work remains.
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

// Resting is a Turns whose steps may pause partway. The clock stops during a pause.
type Resting struct {
	Turns
	more    func() bool
	next    func() (struct{}, bool)
	stop    func()
	pending bool
	err     error
}

// Work is like Turns.Work, but can also pause within a step once more() is false.
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

// Stop abandons a paused step and ends the measurements.
func (r *Resting) Stop() {
	if r.stop != nil {
		r.stop()
	}
}

// stopped is the panic value that abandons a paused step.
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

// tick waits until the clock's time changes, and returns the new time. This is necessary because browsers' clocks are
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

// Median returns the median of values, or NaN if there are none.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

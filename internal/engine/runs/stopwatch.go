package runs

import (
	"iter"
	"math"
	"slices"
	"time"

	"paretoplay/algo"
)

// Stopwatch returns a clock that starts now.
func Stopwatch() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// Timed measures a stepper in batches of steps, each from the same state. Steppers themselves read no clock.
type Timed struct {
	Stepper algo.Stepper
	Make    func() (algo.Stepper, error) // makes Stepper before the first batch if Stepper is nil
	Cycle   int                          // the number of steps in a batch is a multiple of it; 0 means 1
	Times   []float64                    // seconds per step in each batch

	start algo.Snapshot
	group int // steps in a batch
}

const (
	timedBatches = 21
	timedBatch   = time.Millisecond // minimum time of a batch
	timedReads   = 20_000           // maximum number of clock readings while waiting for the next tick
	timedPiece   = 1 << 18          // multiplications between two possible rests, a fraction of a millisecond
)

// Done reports whether enough batches have been measured.
func (t *Timed) Done() bool { return len(t.Times) == timedBatches }

// Batch measures one batch. If a batch is too short for the clock, it is repeated with more steps and not counted. One
// step before the first batch makes all allocations. Batch yields within steps and between them.
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
		const limit = 4 // growth of the number of steps from one attempt to the next
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

// Turns measures groups of steppers, one batch of each in turn. The steppers of a group are measured right after each
// other, because the speed of machines varies over time.
type Turns struct {
	Groups [][]*Timed
	Clock  func() time.Duration
	Taken  int   // turns so far
	Failed error // error of the first step that failed

	yielder *algo.Yielder // called where a step may rest; may be nil
}

// Work measures while more() holds. It reports whether there is more to measure.
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

// Resting is Turns whose steps may rest partway. The clock does not run meanwhile.
type Resting struct {
	Turns
	more    func() bool
	next    func() (struct{}, bool)
	stop    func()
	pending bool
	err     error
}

// Work is Turns.Work, but can also rest within a step once more() no longer holds.
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

// Stop abandons a resting step, and ends the measurements.
func (r *Resting) Stop() {
	if r.stop != nil {
		r.stop()
	}
}

// stopped is the panic value that abandons a resting step.
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

// tick waits until the clock changes, and returns its time. The clocks of browsers are coarse.
func tick(clock func() time.Duration) time.Duration {
	before := clock()
	for range timedReads {
		if now := clock(); now != before {
			return now
		}
	}
	return before
}

// Median returns the median, NaN if there are no values.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

package runs

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"paretoplay/algo"
)

func TestMedian(t *testing.T) {
	if Median([]float64{4, 1, 3}) != 3 || Median([]float64{1, 4}) != 2.5 || !math.IsNaN(Median(nil)) {
		t.Error("got a wrong median")
	}
}

// clocked is a walker whose steps advance a clock. Nothing else advances that clock.
type clocked struct {
	walker
	now   *time.Duration
	each  time.Duration
	fails bool
}

func (c *clocked) Step() (algo.Status, error) {
	*c.now += c.each
	if c.fails {
		return algo.Running, errors.New("it stumbles")
	}
	return c.walker.Step()
}

// TestTurns checks that batches are measured in turn until each stepper has enough, and that the median is the time of
// one step. All batches must start from the same state and consist of whole cycles.
func TestTurns(t *testing.T) {
	var now time.Duration
	turns := Turns{Clock: func() time.Duration { now += time.Nanosecond; return now }}
	of := func(each time.Duration, cycle int) *Timed {
		return &Timed{Stepper: &clocked{walker: walker{pace: 1, x: []float64{5}}, now: &now, each: each}, Cycle: cycle}
	}
	quick, slow, alone := of(time.Microsecond, 7), of(90*time.Microsecond, 0), of(2*time.Millisecond, 3)
	if pending, err := turns.Work(nil); pending || err != nil {
		t.Errorf("with nothing to measure: got %v, %v", pending, err)
	}
	turns.Groups = [][]*Timed{{quick, slow}, {alone}}
	left := 3
	pending, err := turns.Work(func() bool { left--; return left >= 0 })
	if got := []int{turns.Taken, len(quick.Times), len(slow.Times), len(alone.Times)}; !pending || err != nil ||
		!slices.Equal(got, []int{3, 2, 2, 1}) {
		t.Errorf("after three turns: got %v, pending %v, error %v", got, pending, err)
	}
	if pending, err := turns.Work(func() bool { return true }); pending || err != nil {
		t.Errorf("at the end: got %v, %v", pending, err)
	}
	for _, timed := range []*Timed{quick, slow, alone} {
		s := timed.Stepper.(*clocked)
		if m := Median(timed.Times); !timed.Done() || math.Abs(m/s.each.Seconds()-1) > 0.001 {
			t.Errorf("step of %v: got %g s in %d batches", s.each, m, len(timed.Times))
		}
		// The single step before the first batch has already performed all allocations.
		if k := s.k - 1; k == 0 || k%max(1, timed.Cycle) != 0 || time.Duration(k)*s.each < time.Millisecond || s.x[0] != 6+float64(k) {
			t.Errorf("a batch of steps of %v has %d, and ends at %g", s.each, k, s.x[0])
		}
	}
}

// TestTurnsFail checks that the first step that fails ends all turns, and that its error is kept.
func TestTurnsFail(t *testing.T) {
	var now time.Duration
	stumbles := &clocked{now: &now, fails: true}
	next := &Timed{Stepper: &clocked{now: &now}}
	turns := Turns{Clock: func() time.Duration { now++; return now }, Groups: [][]*Timed{{{Stepper: stumbles}, next}}}
	for range 2 {
		pending, err := turns.Work(func() bool { return true })
		if pending || err == nil || err != turns.Failed || next.Times != nil || turns.Taken != 1 {
			t.Errorf("got pending %v, error %v after %d turns", pending, err, turns.Taken)
		}
	}
}

// heavy is a walker whose steps have many parts that take a millisecond each.
type heavy struct {
	walker
	now     *time.Duration
	yielder *algo.Yielder
}

const heavyParts = 5

func (h *heavy) SetYielder(b *algo.Yielder) { h.yielder = b }

func (h *heavy) Step() (algo.Status, error) {
	for range heavyParts {
		*h.now += time.Millisecond
		h.yielder.Yield(timedPiece)
	}
	return h.walker.Step()
}

// TestResting checks that a measured step can pause partway, that time spent elsewhere does not count, and that Stop
// ends the measurement.
func TestResting(t *testing.T) {
	var now time.Duration
	timed := &Timed{Make: func() (algo.Stepper, error) { return &heavy{walker: walker{pace: 1, x: []float64{5}}, now: &now}, nil }}
	r := Resting{Turns: Turns{Clock: func() time.Duration { now++; return now }, Groups: [][]*Timed{{timed}}}}
	once := func() func() bool { // a slice that has time for one part, and the first slice of a step
		left := 1
		return func() bool { left--; return left >= 0 }
	}
	works := 0
	for pending := true; pending && works < 1000; works++ {
		before := now
		var err error
		if pending, err = r.Work(once()); err != nil {
			t.Fatal(err)
		}
		if took := now - before; took > 3*time.Millisecond {
			t.Errorf("got a piece of %v", took)
		}
		now += time.Second // the page does something else
	}
	if m := Median(timed.Times); math.Abs(m/(heavyParts*time.Millisecond).Seconds()-1) > 0.001 || works < timedBatches*heavyParts/2 {
		t.Errorf("got %g s for a step in %d pieces", m, works)
	}
	if pending, err := r.Work(once()); pending || err != nil {
		t.Errorf("at the end: got %v, %v", pending, err)
	}

	timed.Times = nil
	given := Resting{Turns: Turns{Clock: r.Clock, Groups: [][]*Timed{{timed}}}}
	given.Stop() // nothing is under way
	for range 2 {
		if pending, err := given.Work(once()); !pending || err != nil {
			t.Errorf("got pending %v, error %v", pending, err)
		}
	}
	given.Stop()
	if pending, err := given.Work(once()); pending || err != nil || timed.Times != nil {
		t.Errorf("after Stop: got pending %v, error %v, times %v", pending, err, timed.Times)
	}
}

package blocksmoo

import (
	"fmt"
	"math"
	"slices"
	"time"

	"paretoplay/algo"
	"paretoplay/scenes/experiment"
	"paretoplay/scenes/experiment/statistics"
)

// begun is where the time of day is counted from, where it stands in for that of the
// processor.
var begun = time.Now()

// record is what a timed run came to.
type record struct {
	steps  float64
	work   float64   // million multiplications, those of an outer iteration under way in proportion
	losses []float64 // at the times asked for
}

func (r *record) numbers() []*float64 {
	return append([]*float64{&r.steps, &r.work}, pointers(r.losses)...)
}

// race lets a run go until each of the times, in seconds, and takes its loss there. The clock
// stands still meanwhile. It ends the run wherever that is, and changes nothing of it.
func (r *run) race(times []float64) (*record, error) {
	out := &record{losses: slices.Repeat([]float64{math.Inf(1)}, len(times))}
	elapsed, steps := time.Nanosecond, 0
	for i, t := range times {
		until := time.Duration(t * float64(time.Second))
		for elapsed < until {
			// Steps are not alike, so that the time of the first ones says little of the others.
			count := max(1, min(steps, int(float64(until-elapsed)/float64(elapsed)*float64(steps))))
			before := clock()
			status, err := r.stepper.Advance(count)
			elapsed += max(time.Nanosecond, clock()-before)
			if err != nil {
				return nil, err
			}
			steps = r.stepper.View().K
			out.steps, out.work = float64(steps), r.share(steps)
			if status == algo.Diverged {
				return out, nil
			}
		}
		out.losses[i] = r.loss()
	}
	return out, nil
}

// share is about how many million multiplications so many steps take.
func (r *run) share(steps int) float64 {
	return float64(steps) / float64(r.stepper.OuterSteps()) * float64(r.outer) / million
}

// clocked makes a timed run.
func (s *Tables) clocked(t trial, seed uint64, times []float64) (*record, error) {
	e, err := s.store.take(&s.config.Race, seed)
	if err != nil {
		return nil, err
	}
	r, err := s.begin(e, s.config.Rank, t, seed)
	if err != nil {
		return nil, err
	}
	return r.race(times)
}

// contender is a method in the race by the clock: with the trial that was chosen, or with
// the step size that all have.
type contender struct {
	Method
	tuned bool
}

// contenders are in the order of the rows of timed cells.
func contenders() (out []contender) {
	for _, tuned := range []bool{true, false} {
		for _, m := range methods() {
			out = append(out, contender{m, tuned})
		}
	}
	return out
}

// entered is the trial that a contender runs.
func (s *Tables) entered(c contender) (t trial, ok bool) {
	if c.tuned {
		return s.chosen(c.Method)
	}
	return trial{s.config.plain(c.Method), s.config.EqualAlpha}, true
}

// racing is the seed of timed runs that choose nothing.
type racing struct{ Seed uint64 }

// timing makes the timed runs; its rows are by contender.
func (s *Tables) timing() []experiment.Line {
	c := &s.config
	p := part[racing, *record]{
		name: "time", clock: true, given: raced[racing](c), compute: s.race,
		say:    func(k racing) map[string]any { return map[string]any{"seed": float64(k.Seed)} },
		effort: func(racing) float64 { return c.Budget * float64(len(contenders())) },
		rows:   func(racing) int { return len(contenders()) },
		row:    func() *record { return &record{losses: make([]float64, len(c.Records))} },
	}
	for run := range c.Runs {
		p.cells = append(p.cells, racing{c.further(run)})
	}
	return lines(s, p)
}

// race makes the timed runs of a seed.
func (s *Tables) race(k racing) (rows []*record, err error) {
	all := contenders()
	rows = make([]*record, len(all))
	for place := range all {
		i := place
		if k.Seed%2 == 1 { // there and back, for what the machine does meanwhile
			i = len(all) - 1 - place
		}
		t, ok := s.entered(all[i])
		if !ok {
			return nil, fmt.Errorf("%s races before its setting is chosen", all[i].title())
		}
		if rows[i], err = s.clocked(t, k.Seed, s.config.Records); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// Numbers of timed runs.
func stepsOf(r *record) float64               { return r.steps }
func workOf(r *record) float64                { return r.work }
func lossAfter(i int) func(r *record) float64 { return func(r *record) float64 { return r.losses[i] } }

// timedValues are a number of a contender's timed runs, one of every seed; nil until all are
// computed.
func (s *Tables) timedValues(c contender, of func(r *record) float64) []float64 {
	return gathered(s, slices.Index(contenders(), c), of, func(racing) bool { return true })
}

// timedMean is the mean of those numbers.
func (s *Tables) timedMean(c contender, of func(r *record) float64) float64 {
	return statistics.WithInterval(s.timedValues(c, of)).Mean
}

// lossOverTime is the loss of a contender at record i.
func (s *Tables) lossOverTime(c contender, i int) []float64 { return s.timedValues(c, lossAfter(i)) }

// recordedTimes are the timed runs for JSON, by contender.
func (s *Tables) recordedTimes() []map[string]any {
	out := []map[string]any{}
	for _, c := range contenders() {
		t, ok := s.entered(c)
		if !ok || s.timedValues(c, stepsOf) == nil {
			continue
		}
		entry := t.record()
		entry["tuned"], entry["steps"], entry["million"] = c.tuned, s.timedMean(c, stepsOf), s.timedMean(c, workOf)
		entry["losses"] = known(len(s.config.Records), func(i int) float64 { return s.timedMean(c, lossAfter(i)) })
		out = append(out, entry)
	}
	return out
}

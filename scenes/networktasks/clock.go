package networktasks

import (
	"fmt"
	"math"

	"paretoplay/algo"
	"paretoplay/internal/draw/kinds"
	"paretoplay/internal/engine/runs"
	"paretoplay/internal/engine/timeline"
)

// measured holds step times measured on this machine: one for a step with a single weighted gradient, and one for
// each method that runs. PSMGD has no time of its own, since measuring a whole period would block the page for too
// long. Each of its steps costs as much as a step with a single gradient or a step of MGDA.
type measured struct {
	runs.Resting
	build int // build number of the measured runs
	cells map[string]*runs.Timed
}

// one is the name of the stepper whose steps each take a single backpropagation.
const one = ""

// timed reports whether the horizontal axis shows seconds.
func (s *Scene) timed() bool {
	return s.values.Axis == gradientSeconds || s.values.Axis == measuredSeconds
}

// measuredNow returns the measurement of the current runs, or nil without runs.
func (s *Scene) measuredNow() *measured {
	if s.net == nil {
		return nil
	}
	if s.measured != nil && s.measured.build == s.builds {
		return s.measured
	}
	v := &s.values
	s.stopMeasuring()
	m := &measured{Resting: runs.Resting{Turns: runs.Turns{Clock: s.watch}}, build: s.builds, cells: map[string]*runs.Timed{}}
	s.measured = m
	for _, method := range append([]string{one}, v.On...) {
		name := method
		switch method {
		case one:
			name = ls
		case psmgd:
			method, name = mgda, mgda
		}
		if m.cells[method] != nil {
			continue
		}
		net, tasks, seed := s.net, v.Tasks, v.Seed
		cell := &runs.Timed{Make: func() (algo.Stepper, error) { // created when needed, since creating one takes a while
			return v.Stepper(name, &course{net: net.Again(), start: net.Start(seed), tasks: tasks, seed: seed, silent: true})
		}}
		m.cells[method] = cell
		m.Groups = append(m.Groups, []*runs.Timed{cell})
	}
	return m
}

// stopMeasuring cancels the current measurement.
func (s *Scene) stopMeasuring() {
	if s.measured != nil {
		s.measured.Stop()
	}
}

// stepTime returns the measured time of a method's step in seconds, or NaN before it is measured. If method is
// one, it returns the time of a step that takes a single backpropagation.
func (s *Scene) stepTime(method string) float64 {
	if method == psmgd {
		r := float64(s.values.R)
		return (s.stepTime(mgda) + float64((r-1)*s.stepTime(one))) / r
	}
	if m := s.measuredNow(); m != nil && m.cells[method] != nil {
		return runs.Median(m.cells[method].Times)
	}
	return math.NaN()
}

// measuring reports whether the horizontal axis waits for a measurement.
func (s *Scene) measuring() bool {
	if !s.timed() || s.net == nil {
		return false
	}
	m := s.measuredNow()
	return m.Failed == nil && len(m.Groups[len(m.Groups)-1][0].Times) == 0
}

// paceKey returns a cache key of the measurements so far. The key is empty unless the axis shows seconds.
func (s *Scene) paceKey() string {
	if !s.timed() || s.measured == nil {
		return ""
	}
	return fmt.Sprint(s.measured.build, s.measured.Taken)
}

// clock returns the horizontal axis of the panel of curves.
func (s *Scene) clock() *kinds.Clock {
	v, t := &s.values, s.Timeline()
	end := func(of func(method string) float64) func() float64 {
		return func() float64 {
			most := 0.0
			for _, method := range v.On {
				if x := of(method) * float64(t.Budget()); x > most {
					most = x
				}
			}
			for _, r := range t.Runs() { // R may have changed during a run
				most = max(most, s.timeOf(r.Kept(r.Len()-1)))
			}
			if !(most > 0) {
				return 1
			}
			return most
		}
	}
	switch v.Axis {
	case kinds.Iterations:
		return kinds.IterationClock(t.Budget)
	case gradientSeconds:
		return &kinds.Clock{Name: gradientSeconds, Label: "seconds for single backpropagations, measured here", Fractional: true,
			Of: s.timeOf, End: end(func(method string) float64 { return v.perStep(method, s.tasks()) * s.stepTime(one) })}
	case measuredSeconds:
		return &kinds.Clock{Name: measuredSeconds, Label: "seconds for steps, measured here", Fractional: true,
			Of: s.timeOf, End: end(s.stepTime)}
	}
	return &kinds.Clock{Name: kinds.Backpropagations, Label: "backpropagations", Of: s.timeOf,
		End: end(func(method string) float64 { return v.perStep(method, s.tasks()) })}
}

// timeOf returns a row's position on the horizontal axis, or 0 while its seconds are unknown.
func (s *Scene) timeOf(row timeline.Row) float64 {
	x := float64(row.K)
	switch s.values.Axis {
	case kinds.Backpropagations:
		x = float64(row.BP)
	case gradientSeconds:
		x = float64(row.BP) * s.stepTime(one)
	case measuredSeconds:
		x *= s.stepTime(row.Run().Method)
	}
	if math.IsNaN(x) {
		return 0
	}
	return x
}

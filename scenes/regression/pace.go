package regression

import (
	"fmt"
	"math"

	"paretoplay/algo/blocks"
	"paretoplay/algo/problem"
	"paretoplay/internal/engine/runs"
)

// measured holds how long a multiplication takes with each method on this machine. The measurement skips the exact
// losses, because the page computes them only for its curves and their time would hide the result.
type measured struct {
	runs.Turns
	build int // build number of the measured runs
	cells []*paced
}

// paced is the measurement of a method. It covers whole outer iterations, which contain all of the method's kinds of
// steps.
type paced struct {
	method string
	runs.Timed
	work float64 // multiplications per step
}

// unvalued is a problem without its exact losses.
type unvalued struct{ *problem.ReducedRank }

// Values implements algo.Problem. It sets all losses to 0.
func (unvalued) Values(f, _ []float64) { clear(f) }

// measuredNow returns the measurement of the current runs, or nil without runs.
func (s *Scene) measuredNow() *measured {
	if s.data == nil {
		return nil
	}
	if s.measured != nil && s.measured.build == s.builds {
		return s.measured
	}
	m := &measured{Turns: runs.Turns{Clock: s.watch}, build: s.builds}
	s.measured = m
	for _, method := range s.values.On {
		config, err := s.values.Config(method, s.course(s.data))
		if err != nil {
			m.Failed = err
			return m
		}
		config.Problem = unvalued{config.Problem.(*problem.ReducedRank)}
		const tiny = 1e-9 // step size so small that runs stay where they start
		config.StepSize = tiny
		stepper, err := blocks.New(config)
		if err != nil {
			m.Failed = err
			return m
		}
		steps := stepper.OuterSteps()
		_, work := stepper.StepsFor(math.MaxInt, steps)
		cell := &paced{method, runs.Timed{Stepper: stepper, Cycle: steps}, float64(work) / float64(steps)}
		m.cells, m.Groups = append(m.cells, cell), append(m.Groups, []*runs.Timed{&cell.Timed})
	}
	return m
}

// pace returns the time of a multiplication in seconds, or NaN before anything is measured.
func (p *paced) pace() float64 { return runs.Median(p.Times) / p.work }

// pace returns the time of a multiplication with a method in seconds, or 0 while this time is unknown.
func (s *Scene) pace(method string) float64 {
	if m := s.measuredNow(); m != nil {
		for _, cell := range m.cells {
			if pace := cell.pace(); cell.method == method && pace > 0 {
				return pace
			}
		}
	}
	return 0
}

// measuring reports whether the horizontal axis waits for a measurement.
func (s *Scene) measuring() bool {
	return s.values.Axis == secondsAxis && s.data != nil && s.pace(s.values.On[len(s.values.On)-1]) == 0
}

// paceKey returns a cache key of the measurements so far. The key is empty unless the axis is in seconds.
func (s *Scene) paceKey() string {
	if s.values.Axis != secondsAxis || s.measured == nil {
		return ""
	}
	return fmt.Sprint(s.measured.build, s.measured.Taken)
}

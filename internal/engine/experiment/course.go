package experiment

import (
	"fmt"

	"paretoplay/algo"
)

// Steps is the remaining work of a run: the remaining steps of a stepper.
type Steps struct {
	Name    string // name of the run, for errors
	Stepper algo.Stepper
	Left    int // number of steps left, ≥ 1 at the start
	Piece   int // steps between two calls of more(), ≥ 1
	// Look is called after every step. It may be nil.
	Look func()
}

// Course is the current run of a cell.
type Course[C any] struct {
	Steps
	// End stores the result of the run in its cell.
	End func(c *C) error
}

// Advance takes steps in pieces while more() returns true, but at least one piece. It reports whether no steps are
// left.
func (s *Steps) Advance(more func() bool) (complete bool, err error) {
	for {
		for range min(s.Piece, s.Left) {
			status, err := s.Stepper.Step()
			if err == nil && status != algo.Running {
				err = fmt.Errorf("iteration %d ended as %v", s.Stepper.View().K, status)
			}
			if err != nil {
				return false, fmt.Errorf("%s: %w", s.Name, err)
			}
			s.Left--
			if s.Look != nil {
				s.Look()
			}
		}
		if s.Left == 0 {
			return true, nil
		}
		if !more() {
			return false, nil
		}
	}
}

// Runs returns the Work function of a plan whose parts are runs. The function begin starts a cell's next run, and the
// function under returns a pointer to the cell's current run.
func Runs[C any](under func(c *C) **Course[C], begin func(c *C) (*Course[C], error)) (work func(c *C, more func() bool) (bool, error)) {
	return func(c *C, more func() bool) (complete bool, err error) {
		r := under(c)
		if *r == nil {
			begun, err := begin(c)
			if err != nil {
				return false, err
			}
			*r = begun
		}
		if complete, err = (*r).Advance(more); complete {
			end := (*r).End
			*r = nil
			err = end(c)
		}
		return complete, err
	}
}

// NewRuns returns the grid of a plan whose parts are runs. It starts the first run of every cell before anything is
// computed, so that an invalid cell is detected at once.
func NewRuns[C any](p Plan[C], under func(c *C) **Course[C], begin func(c *C) (*Course[C], error)) (*Grid[C], error) {
	for i := range p.Cells {
		if _, err := begin(&p.Cells[i]); err != nil {
			return nil, fmt.Errorf("experiment: %w", err)
		}
	}
	p.Work = Runs(under, begin)
	return NewGrid(p), nil
}

package ownproblem

import (
	"errors"

	"paretoplay/algo"
	"paretoplay/algo/descent"
	"paretoplay/internal/engine/timeline"
)

// forgiving is a stepper whose rule cannot weigh all losses that formulas may have, such as negative ones. If such
// losses occur, its run ends without a solution, and the other runs continue.
type forgiving struct{ *descent.PSMGD }

// Step implements algo.Stepper.
func (f forgiving) Step() (algo.Status, error) {
	status, err := f.PSMGD.Step()
	var losses *algo.RangeError
	if errors.As(err, &losses) {
		return algo.NoSolution, nil
	}
	return status, err
}

// forgive makes runs end, instead of failing, if their rules cannot weigh the losses.
func forgive(runs []*timeline.Run) {
	for _, r := range runs {
		if s, is := r.Stepper.(*descent.PSMGD); is && r.Method != "psmgd" {
			r.Stepper = forgiving{s}
		}
	}
}

package scene

import (
	"paretoplay/algo"
	"paretoplay/algo/runlog"
	"paretoplay/internal/engine/timeline"
)

// Recording is a copy of a run whose steps can be recorded.
type Recording struct {
	// Run is the new run, at k = 0 and outside the timeline. Its Stepper must be a runlog.Stepper. Only the fields Stepper, Apply and
	// StartIndex are used.
	Run *timeline.Run
	// Problem is the problem of that stepper. Nothing else may use it where it or the stepper yields, because the run may pause in
	// the middle of a step.
	Problem algo.Sampled
	Names   []string // of the objectives; nil for their numbers
	Seed    uint64   // of the run
	// Outcomes compare trainings that ran beside this one, and this one itself: how far they have come and how they perform on unseen
	// data. nil if that is unknown.
	Outcomes []runlog.Outcome
}

package scene

import (
	"paretoplay/algo"
	"paretoplay/algo/runlog"
	"paretoplay/internal/engine/timeline"
)

// Recording is a copy of a run whose steps can be recorded.
type Recording struct {
	// Run is a new run at k = 0, outside the timeline. Its Stepper must be a runlog.Stepper. Only the fields Stepper, Apply and
	// StartIndex are used.
	Run *timeline.Run
	// Problem is the stepper's problem. The run may pause in the middle of a step, where Problem or the stepper yields.
	// No other code may use Problem during such a pause.
	Problem algo.Sampled
	Names   []string // names of the objectives; nil if they have only numbers
	Seed    uint64   // seed of the run
	// Outcomes lists this training run and those that ran beside it, with their progress and their performance on
	// unseen data. It is nil if the outcomes are unknown.
	Outcomes []runlog.Outcome
}

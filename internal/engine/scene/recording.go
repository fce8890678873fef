package scene

import (
	"paretoplay/algo"
	"paretoplay/algo/runlog"
	"paretoplay/internal/engine/timeline"
)

// Recording repeats a run so that its steps can be recorded.
type Recording struct {
	// Run is the run anew, at k = 0, and apart from that of the timeline: its Stepper must be a runlog.Stepper to be recorded. Of
	// the other fields Apply and StartIndex count.
	Run *timeline.Run
	// Problem is what that stepper descends on. Nobody else may ask it where it or the stepper yields: the run may rest in the
	// middle of a step.
	Problem algo.Sampled
	Names   []string // of the objectives; nil for their numbers
	Seed    uint64   // of the run
	// Outcomes say how far the trainings have come that were run beside it and how well they do on data that they have not seen,
	// the run itself included; nil where nothing is said of them.
	Outcomes []runlog.Outcome
}

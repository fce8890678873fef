// Package runlog reads the log of a training run on several losses and says what it shows: which losses are
// in each other's way, how much of that is noise, whom the steps of a weighting would have hurt, and how old
// its weights may be.
//
// A log holds, for T records of S objectives, the losses and the Gramian of the gradients with respect to
// the shared parameters before the step: S² numbers a record, whatever the size of the network. Read takes
// the three layouts in which people keep them; Analysis asks rules of package weighting about every
// record and measures their decisions; Report.Verdict puts the result into words. A Recorder makes a log in
// memory, a Follower records the steps of a run, and Log.Write writes the file.
//
// All figures are of first order, along the path that was recorded: they do not say what training would have
// become with another rule. None depends on the length of a direction.
package runlog

// Package runlog reads the log of a training run with several losses and reports what it shows: which losses
// conflict, how much of the conflict is noise, which objectives the steps of a weighting would have hurt, and
// how old its weights may be.
//
// A log has T records of S objectives. Each record holds the losses and the Gramian of the gradients with
// respect to the shared parameters before the step: S² numbers per record, independent of the size of the
// network. Read reads every layout. Analysis applies rules of package weighting to every record and measures
// their decisions. Report.Verdict puts the result into words. A Recorder makes a log in memory, a Follower
// records the steps of a run, and Log.Write writes the file.
//
// All figures are of first order, along the recorded path: they do not say how training would have gone with
// another rule. They do not depend on the length of a direction.
package runlog

// Package runlog reads the log of a training run with several losses, and reports what the log shows. The report
// says which losses conflict, and how much of the conflict is noise. It also says which objectives the steps of a
// weighting would have hurt, and how old the weights may be.
//
// A log contains T records of S objectives. Each record contains the losses before the step, and the Gramian of their
// gradients with respect to the shared parameters. The Gramian has S² products, regardless of the network's size. Read
// accepts every layout. Analysis applies rules of package weighting to every record, and measures their decisions.
// Report.Verdict describes the result in words. A Recorder builds a log in memory, a Follower records the steps of a
// run, and Log.Write writes the file.
//
// All figures are first-order estimates along the recorded path. They do not show how training would have continued
// with another rule. They do not depend on the length of a direction.
package runlog

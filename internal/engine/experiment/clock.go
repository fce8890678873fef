package experiment

import "time"

// begun is the time at which the program started. Wall-clock time since then replaces processor time where processor
// time is unavailable.
var begun = time.Now()

package experiment

import "time"

// begun is the start of the wall-clock time, which replaces processor time where that is unavailable.
var begun = time.Now()

package experiment

import "time"

// begun is the start of the time of day, which replaces processor time where that is unavailable.
var begun = time.Now()

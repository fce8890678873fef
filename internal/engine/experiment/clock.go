package experiment

import "time"

// begun is the start of counting the time of day, where it stands in for processor time.
var begun = time.Now()

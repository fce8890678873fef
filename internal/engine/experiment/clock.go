package experiment

import "time"

// begun is the start of the program. Wall-clock time since then replaces processor time where that is unavailable.
var begun = time.Now()

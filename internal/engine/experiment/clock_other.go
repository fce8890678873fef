//go:build !unix && !windows

package experiment

import "time"

// ProcessorTime is the time of day from the start, since the system does not tell for how long this program
// has had processors.
func ProcessorTime() time.Duration { return time.Since(begun) }

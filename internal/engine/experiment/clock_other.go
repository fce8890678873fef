//go:build !unix && !windows

package experiment

import "time"

// ProcessorTime returns the wall-clock time since the start of the program, because this system does not report
// processor time.
func ProcessorTime() time.Duration { return time.Since(begun) }

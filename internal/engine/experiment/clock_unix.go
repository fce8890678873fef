//go:build unix

package experiment

import (
	"syscall"
	"time"
)

// ProcessorTime is the time that this program has had processors, so that others that run meanwhile
// take none of it; where that is not told, it is the time of day from the start.
func ProcessorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return time.Since(begun)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

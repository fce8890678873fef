//go:build unix

package experiment

import (
	"syscall"
	"time"
)

// ProcessorTime returns the processor time of this program. Unlike wall-clock time, processor time does not depend on
// other programs. If it is unavailable, ProcessorTime returns the wall-clock time since the start of the program.
func ProcessorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return time.Since(begun)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

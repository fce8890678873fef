package experiment

import (
	"syscall"
	"time"
)

// ProcessorTime returns the processor time of this program. Unlike wall-clock time, processor time does not depend on
// other programs. If it is unavailable, ProcessorTime returns the wall-clock time since the start of the program.
func ProcessorTime() time.Duration {
	var created, exited, kernel, user syscall.Filetime
	process, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(process, &created, &exited, &kernel, &user)
	}
	if err != nil {
		return time.Since(begun)
	}
	return ticks(kernel) + ticks(user)
}

// ticks converts a duration that Windows gives in units of 100 ns.
func ticks(f syscall.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32+int64(f.LowDateTime)) * 100 * time.Nanosecond
}

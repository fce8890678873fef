package experiment

import (
	"syscall"
	"time"
)

// ProcessorTime is the time that this program has had processors, so that others that run meanwhile
// take none of it; where that is not told, it is the time of day from the start.
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

// ticks is a duration that counts in units of 100 ns.
func ticks(f syscall.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32+int64(f.LowDateTime)) * 100 * time.Nanosecond
}

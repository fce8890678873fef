package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// LockedError reports that another process holds a lock.
type LockedError struct {
	Holder string // process id and machine of the holder; "" if unknown
	Advice string // what to do if that process no longer runs; "" if the system releases such locks
}

func (e *LockedError) Error() string {
	if e.Holder == "" {
		return "another process is writing it" + e.Advice
	}
	return e.Holder + " is writing it" + e.Advice
}

// holder returns the line that this process writes to its lock files.
func holder() string {
	host, err := os.Hostname()
	if err != nil || host == "" {
		return fmt.Sprintf("process %d", os.Getpid())
	}
	return fmt.Sprintf("process %d on %s", os.Getpid(), host)
}

// longestHolder is the maximum number of bytes read from a lock file.
const longestHolder = 200

// holderOf returns the holder of a lock file. It returns "" if the holder is unknown, for example before the holder
// has written its line.
func holderOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	data, err := io.ReadAll(io.LimitReader(f, longestHolder))
	if errors.Join(err, f.Close()) != nil {
		return ""
	}
	line, _, whole := bytes.Cut(data, []byte("\n"))
	if !whole {
		return ""
	}
	return string(line)
}

// Lock claims a file for this process until release is called or the process ends. Because the file itself is replaced,
// Lock locks a second file next to the first, and writes the holder to that lock file. On Unix and Windows the system
// releases the lock no matter how the process ends; elsewhere the lock file stays. Lock returns a LockedError if
// another process holds the lock.
func Lock(file string) (release func() error, err error) {
	path := file + ".lock"
	for {
		f, err := hold(path)
		if err != nil {
			return nil, err
		}
		// The previous holder may have removed the file after it was opened here and before it was locked.
		mine, err := f.Stat()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		there, err := os.Stat(path)
		if err != nil || !os.SameFile(mine, there) {
			if err := f.Close(); err != nil {
				return nil, err
			}
			continue
		}
		err = f.Truncate(0)
		if err == nil {
			_, err = f.WriteString(holder() + "\n")
		}
		if err != nil {
			return nil, errors.Join(err, drop(f))
		}
		return func() error { return drop(f) }, nil
	}
}

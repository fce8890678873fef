package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// LockedError says that another process holds a lock.
type LockedError struct {
	Holder string // its process id and machine, "" where they are not known
	Advice string // what to do where no process of that id runs any more, "" where the system forgets such locks
}

func (e *LockedError) Error() string {
	if e.Holder == "" {
		return "another process is writing it" + e.Advice
	}
	return e.Holder + " is writing it" + e.Advice
}

// holder is what this process writes into the files that it holds.
func holder() string {
	host, err := os.Hostname()
	if err != nil || host == "" {
		return fmt.Sprintf("process %d", os.Getpid())
	}
	return fmt.Sprintf("process %d on %s", os.Getpid(), host)
}

// longestHolder is how much is read of what a holder has written.
const longestHolder = 200

// holderOf reads who holds a file; "" where that is not told, as in the moment before it is written.
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

// Lock claims a file for this process until release is called or the process ends. It holds a file beside
// the place, since the place itself is replaced, and writes into it who holds it. On Unix and Windows the
// system forgets the claim of a process that ends, however it ends; elsewhere the file stays. The error is a
// LockedError where another process has claimed it.
func Lock(file string) (release func() error, err error) {
	path := file + ".lock"
	for {
		f, err := hold(path)
		if err != nil {
			return nil, err
		}
		// Who held it before may have removed the file between opening and claiming it.
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

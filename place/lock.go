package place

import (
	"errors"
	"os"
)

// ErrLocked says that another process holds a lock.
var ErrLocked = errors.New("another process is writing it")

// Lock claims a file for this process until release is called or the process ends, however it ends: the
// system forgets the claim then. It holds a file beside the place, since the place itself is replaced.
// The error is ErrLocked where another process has claimed it.
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
		if err == nil && os.SameFile(mine, there) {
			return func() error { return drop(f) }, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
}

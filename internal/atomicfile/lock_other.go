//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
)

// hold creates the lock file and fails if it exists. If the process is killed, the file stays and must be removed by hand.
func hold(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, &LockedError{Holder: holderOf(path), Advice: "; if it no longer runs, remove " + path}
	}
	return f, err
}

// drop removes the lock file.
func drop(f *os.File) error { return errors.Join(f.Close(), os.Remove(f.Name())) }

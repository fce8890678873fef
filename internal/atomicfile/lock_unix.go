//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// hold opens and locks the lock file. It fails if another process holds the lock.
func hold(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = &LockedError{Holder: holderOf(path)}
	}
	return nil, errors.Join(err, f.Close())
}

// drop removes the lock file before it releases the lock, so that no process can lock a removed file.
func drop(f *os.File) error { return errors.Join(os.Remove(f.Name()), f.Close()) }

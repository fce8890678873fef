package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// sharingViolation is the system's error if another process has the file open.
const sharingViolation = syscall.Errno(32)

// hold opens the lock file, and fails if another process holds it. Other processes can still read the file, but not
// open it for writing.
func hold(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ, nil, syscall.OPEN_ALWAYS,
		syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, &LockedError{Holder: holderOf(path)}
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}

// drop closes the lock file without removing it, because another process may lock it between close and removal.
func drop(f *os.File) error { return f.Close() }

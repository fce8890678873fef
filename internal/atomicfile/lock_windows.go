package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// sharingViolation is the system's error where somebody else has the file open.
const sharingViolation = syscall.Errno(32)

// hold opens a file that nobody else holds: others may read it, and not open it for writing.
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

// drop leaves the file: between closing and removing it another process may hold it.
func drop(f *os.File) error { return f.Close() }

// Package atomicfile writes a file completely or not at all. It writes to a new folder next to the destination, on
// the same file system, and renames the file when it is complete.
//
// Libraries that rename files in the same way (renameio, natefinch/atomic) cannot stage several files before they
// publish any, and do not keep the old file's permissions.
package atomicfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// scrap is the name pattern of the temporary folders in which files are staged.
const scrap = ".paretoplay-*"

// Staged is a complete file that is not yet at its destination.
type Staged struct {
	folder string // the temporary folder
	file   string // in that folder
	place  string
}

// Stage writes data to a temporary file near place. If there is already a file at place, the temporary file gets its
// permissions.
func Stage(place string, data []byte) (s Staged, err error) {
	there, err := os.Stat(place)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Staged{}, err
	}
	folder, err := os.MkdirTemp(filepath.Dir(place), scrap)
	if err != nil {
		return Staged{}, err
	}
	s = Staged{folder: folder, file: filepath.Join(folder, filepath.Base(place)), place: place}
	f, err := os.OpenFile(s.file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		_, err = f.Write(data)
		if err == nil && there != nil {
			err = keepMode(f, there.Mode().Perm())
		}
		if err == nil {
			err = f.Sync() // if the disk is full, the write may fail only here; without Sync, a crash could keep the rename but lose the data
		}
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return Staged{}, errors.Join(err, s.Discard())
	}
	return s, nil
}

// keepMode gives a file the permissions in mode. It does nothing if the file already has them, because not every file
// system can set permissions.
func keepMode(f *os.File, mode fs.FileMode) error {
	now, err := f.Stat()
	if err != nil || now.Mode().Perm() == mode {
		return err
	}
	return f.Chmod(mode)
}

// Place returns the file's destination.
func (s Staged) Place() string { return s.place }

// Publish moves the file to its destination.
func (s Staged) Publish() error {
	return errors.Join(os.Rename(s.file, s.place), s.Discard())
}

// Discard deletes the staged file.
func (s Staged) Discard() error { return os.RemoveAll(s.folder) }

// Replace writes data to a file completely or not at all.
func Replace(place string, data []byte) error {
	s, err := Stage(place, data)
	if err != nil {
		return err
	}
	return s.Publish()
}

// Followed resolves the symbolic links in a path and returns the file that they lead to, which may be missing. It
// returns "" for a descriptor that is already open, such as /dev/stdout.
func Followed(path string) (string, error) {
	const limit = 40 // the kernel's limit on symbolic links
	for range limit {
		folder, name := filepath.Split(path)
		if name == "" {
			return "", errors.New("no such folder; a file name is required")
		}
		folder, err := filepath.EvalSymlinks(cmp.Or(folder, "."))
		if err != nil {
			return "", fmt.Errorf("its folder cannot be used: %w", Cause(err))
		}
		if folder == "/dev/fd" || strings.HasPrefix(folder, "/proc/") {
			return "", nil
		}
		path = filepath.Join(folder, name)
		link, err := os.Readlink(path)
		if err != nil { // not a link, or missing
			return path, nil
		}
		if !filepath.IsAbs(link) {
			link = folder + string(filepath.Separator) + link
		}
		path = link
	}
	return "", errors.New("too many links")
}

// Try checks whether a file can be written. It creates an empty file with the same name in a new folder next to the
// file, calls inspect with that folder, and deletes the folder.
func Try(file string, inspect func(trial string) error) error {
	trial, err := os.MkdirTemp(filepath.Dir(file), scrap)
	if err != nil {
		return fmt.Errorf("its folder cannot be written: %w", Cause(err))
	}
	err = os.WriteFile(filepath.Join(trial, filepath.Base(file)), nil, 0o666)
	if err != nil {
		err = Cause(err)
	} else {
		err = inspect(trial)
	}
	return errors.Join(err, os.RemoveAll(trial))
}

// Cause returns the system's reason for an error without the file's name, which the caller adds.
func Cause(err error) error {
	if number := syscall.Errno(0); errors.As(err, &number) {
		return number
	}
	return err
}

// Uninterrupted lets f finish even if the program receives an interrupt, so that f leaves no temporary files. If there
// was an interrupt, Uninterrupted ends the program once f has returned.
func Uninterrupted(f func() error) error {
	told := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(s) { // background jobs ignore interrupts
			signal.Notify(told, s)
		}
	}
	err := f()
	signal.Stop(told)
	select {
	case s := <-told:
		const ended = 128 // shells expect 128 plus the signal's number
		number, _ := s.(syscall.Signal)
		os.Exit(ended + int(number))
	default:
	}
	return err
}

// Package atomicfile puts a file in its place completely or not at all: it makes the file in a
// new folder beside the place, on the same file system, and renames it when it is complete.
//
// Libraries that rename (renameio, natefinch/atomic) neither stage several files before
// publishing any nor keep the old file's permissions.
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

// scrap is the pattern of the folders in which files are made before they take their
// place.
const scrap = ".paretoplay-*"

// Staged is a file that is complete but not yet in its place.
type Staged struct {
	folder string // of its own
	file   string // in it
	place  string
}

// Stage writes data beside their file, with the permissions of the existing one.
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
			err = f.Sync() // a full disk may show only now, and after a crash the rename may have survived without the data
		}
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return Staged{}, errors.Join(err, s.Discard())
	}
	return s, nil
}

// keepMode sets the permissions of a file unless it has them already, because not every
// file system can.
func keepMode(f *os.File, mode fs.FileMode) error {
	now, err := f.Stat()
	if err != nil || now.Mode().Perm() == mode {
		return err
	}
	return f.Chmod(mode)
}

// Place returns where the file goes.
func (s Staged) Place() string { return s.place }

// Publish puts the file in its place.
func (s Staged) Publish() error {
	return errors.Join(os.Rename(s.file, s.place), s.Discard())
}

// Discard removes the file without putting it anywhere.
func (s Staged) Discard() error { return os.RemoveAll(s.folder) }

// Replace writes a file completely or not at all.
func Replace(place string, data []byte) error {
	s, err := Stage(place, data)
	if err != nil {
		return err
	}
	return s.Publish()
}

// Followed returns the file to which a path leads, which need not exist yet; "" for a
// descriptor that is open already, such as /dev/stdout.
func Followed(path string) (string, error) {
	const limit = 40 // links, as the kernel follows
	for range limit {
		folder, name := filepath.Split(path)
		if name == "" {
			return "", errors.New("there is no such folder; the name of a file is expected")
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
		if err != nil { // no link, or nothing at all
			return path, nil
		}
		if !filepath.IsAbs(link) {
			link = folder + string(filepath.Separator) + link
		}
		path = link
	}
	return "", errors.New("too many links")
}

// Try makes an empty file of the given name in a new folder beside it, calls inspect with the
// file in that folder, and removes both. It fails if such a file could not be written.
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

// Cause returns the system's reason for a failure, without the file's name, which the
// caller gives.
func Cause(err error) error {
	if number := syscall.Errno(0); errors.As(err, &number) {
		return number
	}
	return err
}

// Uninterrupted lets f finish even if the program is told to end meanwhile, so that f
// leaves no temporary files; then the program ends.
func Uninterrupted(f func() error) error {
	told := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(s) { // as for a job in the background
			signal.Notify(told, s)
		}
	}
	err := f()
	signal.Stop(told)
	select {
	case s := <-told:
		const ended = 128 // plus the signal's number, by the convention of shells
		number, _ := s.(syscall.Signal)
		os.Exit(ended + int(number))
	default:
	}
	return err
}

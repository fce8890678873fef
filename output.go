package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// scrap is the pattern of the folders in which files are made before they take their
// place. It lies beside the file, on the same file system.
const scrap = ".paretoplay-*"

// output is a place that a command writes to. A file is made beside its place and
// renamed when it is whole, so that readers and a later call see the old one or the new
// one; of the old one the permissions are kept, and links to it lead on to the new
// one, other than hard links, which keep the old. Devices, pipes and standard output
// are written as they are.
//
// Libraries that rename (renameio, natefinch/atomic) neither check before the work
// begins nor tell two names of one file apart, which is most of what is here.
type output struct {
	option string      // that names it, such as "-csv"; "" for standard output that nobody asked for
	path   string      // as it was given, "-" for standard output
	file   string      // what is replaced: the path with links followed; "" where nothing is
	there  os.FileInfo // of what is there; nil for nothing
	data   []byte
}

// reserve checks, before any work, that the path can be written, and makes it a place
// that fill fills. An option that is not given is none.
func (c *call) reserve(option, path string) error {
	if path == "" {
		if c.given(strings.TrimPrefix(option, "-")) {
			return fmt.Errorf("%s is empty; the name of a file is expected, or - for standard output", option)
		}
		return nil
	}
	o := &output{option: option, path: path}
	err := uninterrupted(func() error { return c.check(o) })
	if err != nil {
		return fmt.Errorf("%s %s: %w", option, path, err)
	}
	c.outputs = append(c.outputs, o)
	return nil
}

// check finds out where the output goes, and whether it can.
func (c *call) check(o *output) error {
	twice := func(earlier *output) error {
		return fmt.Errorf("%s writes to the same place; give each its own", earlier.option)
	}
	if o.path == "-" {
		if f, ok := c.stdout.(*os.File); ok {
			var err error
			if o.there, err = f.Stat(); err != nil {
				return cause(err)
			}
		}
	} else if err := o.locate(); err != nil {
		return err
	}
	for _, earlier := range c.outputs {
		if o.path == "-" && earlier.path == "-" || same(o.there, earlier.there) {
			return twice(earlier)
		}
	}
	if o.file == "" {
		return nil
	}
	for _, input := range c.inputs {
		if same(o.there, input.info) {
			return fmt.Errorf("%s reads this file; write to another", input.option)
		}
	}
	return o.try(func(trial string) error {
		for _, earlier := range c.outputs {
			if earlier.file == "" || !sameFolder(o.file, earlier.file) {
				continue
			}
			// Whether names that differ are one is the file system's to say.
			if _, err := os.Lstat(filepath.Join(trial, filepath.Base(earlier.file))); err == nil {
				return twice(earlier)
			}
		}
		return nil
	})
}

// locate follows the path to what is there, or would be.
func (o *output) locate() error {
	info, err := os.Stat(o.path)
	switch {
	case err == nil && info.IsDir():
		return errors.New("it is a folder; the name of a file is expected")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return cause(err)
	case err == nil:
		o.there = info
	}
	if o.there == nil || info.Mode().IsRegular() {
		if o.file, err = followed(o.path); err != nil {
			return err
		}
	}
	if o.there == nil && o.file == "" { // a descriptor that is not open
		return fs.ErrNotExist
	}
	if o.there == nil || info.Mode()&fs.ModeNamedPipe != 0 { // opening a pipe waits for who reads it
		return nil
	}
	f, err := os.OpenFile(o.path, os.O_WRONLY, 0)
	if err != nil {
		return cause(err)
	}
	return f.Close()
}

// followed returns the file that a path leads to, which may not be there yet; "" for a
// descriptor that is open already, such as /dev/stdout.
func followed(path string) (string, error) {
	const most = 40 // links, as the kernel follows
	for range most {
		folder, name := filepath.Split(path)
		if name == "" {
			return "", errors.New("there is no such folder; the name of a file is expected")
		}
		folder, err := filepath.EvalSymlinks(cmp.Or(folder, "."))
		if err != nil {
			return "", fmt.Errorf("its folder cannot be used: %w", cause(err))
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

// same reports whether both are one and the same; the null device holds any number.
func same(a, b os.FileInfo) bool {
	if a == nil || b == nil || !os.SameFile(a, b) {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(a, null)
}

// sameFolder reports whether two files lie in one folder, however that is spelled.
func sameFolder(a, b string) bool {
	left, err := os.Stat(filepath.Dir(a))
	if err != nil {
		return false
	}
	right, err := os.Stat(filepath.Dir(b))
	return err == nil && os.SameFile(left, right)
}

// try makes an empty file of the output's name in a folder of its own beside it, lets
// look see that folder, and removes both.
func (o *output) try(look func(trial string) error) error {
	trial, err := os.MkdirTemp(filepath.Dir(o.file), scrap)
	if err != nil {
		return fmt.Errorf("its folder cannot be written: %w", cause(err))
	}
	err = os.WriteFile(filepath.Join(trial, filepath.Base(o.file)), nil, 0o666)
	if err != nil {
		err = cause(err)
	} else {
		err = look(trial)
	}
	return errors.Join(err, os.RemoveAll(trial))
}

// cause is what the system says of a failure, without the name, which the caller gives.
func cause(err error) error {
	if number := syscall.Errno(0); errors.As(err, &number) {
		return number
	}
	return err
}

// staged is a file that is whole and not yet in its place.
type staged struct {
	folder string // of its own
	file   string // in it
	place  string
}

// stage writes data beside the file that they are for, with the permissions of the one
// that is there.
func stage(place string, data []byte) (s staged, err error) {
	there, err := os.Stat(place)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return staged{}, err
	}
	folder, err := os.MkdirTemp(filepath.Dir(place), scrap)
	if err != nil {
		return staged{}, err
	}
	s = staged{folder: folder, file: filepath.Join(folder, filepath.Base(place)), place: place}
	f, err := os.OpenFile(s.file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		_, err = f.Write(data)
		if err == nil && there != nil {
			err = keepMode(f, there.Mode().Perm())
		}
		if err == nil {
			err = f.Sync() // a disk may be full only now, and a rename may outlive what it renames
		}
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return staged{}, errors.Join(err, s.discard())
	}
	return s, nil
}

// keepMode sets the permissions of a file, unless it has them: not every file system
// can.
func keepMode(f *os.File, mode fs.FileMode) error {
	now, err := f.Stat()
	if err != nil || now.Mode().Perm() == mode {
		return err
	}
	return f.Chmod(mode)
}

// publish puts the file in its place.
func (s staged) publish() error {
	return errors.Join(os.Rename(s.file, s.place), s.discard())
}

func (s staged) discard() error { return os.RemoveAll(s.folder) }

// replaceFile writes a file whole or not at all.
func replaceFile(place string, data []byte) error {
	s, err := stage(place, data)
	if err != nil {
		return err
	}
	return s.publish()
}

// output returns the place that an option names, nil where it names none.
func (c *call) output(option string) *output {
	for _, o := range c.outputs {
		if o.option == option {
			return o
		}
	}
	return nil
}

// fill keeps what f writes for the option's output, if there is one.
func (c *call) fill(option string, f func(io.Writer) error) error {
	o := c.output(option)
	if o == nil {
		return nil
	}
	var b bytes.Buffer
	if err := f(&b); err != nil {
		return err
	}
	o.data = b.Bytes()
	return nil
}

// print keeps what f writes for standard output.
func (c *call) print(f func(io.Writer) error) error {
	c.outputs = append(c.outputs, &output{path: "-"})
	return c.fill("", f)
}

// write writes all outputs: files first, none of which is replaced before all are whole,
// standard output last, so that a file that cannot be written leaves nothing there.
func (c *call) write() error {
	if err := uninterrupted(c.replaceFiles); err != nil {
		return err
	}
	for _, o := range c.outputs {
		if o.file != "" || o.path == "-" {
			continue
		}
		// What is open already, such as /dev/stdout, may hold something.
		f, err := os.OpenFile(o.path, os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			_, err = f.Write(o.data)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return fmt.Errorf("%s %s: %w", o.option, o.path, cause(err))
		}
	}
	for _, o := range c.outputs {
		if o.path != "-" {
			continue
		}
		if _, err := c.stdout.Write(o.data); err != nil {
			return fmt.Errorf("standard output: %w", cause(err))
		}
	}
	return nil
}

// replaceFiles puts all files in their places once all are whole.
func (c *call) replaceFiles() error {
	var list []staged
	var failed error
	for _, o := range c.outputs {
		if o.file == "" || failed != nil {
			continue
		}
		s, err := stage(o.file, o.data)
		if err != nil {
			failed = fmt.Errorf("%s %s: %w", o.option, o.path, cause(err))
			continue
		}
		list = append(list, s)
	}
	for _, s := range list {
		if failed == nil {
			if err := s.publish(); err != nil {
				failed = fmt.Errorf("%s: %w", s.place, cause(err))
			}
		} else {
			failed = errors.Join(failed, s.discard())
		}
	}
	return failed
}

// uninterrupted lets f come to its end though the program is told to end meanwhile, which
// it then does: what f makes on its way does not stay behind.
func uninterrupted(f func() error) error {
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
		const ended = 128 // and the number of the signal, as shells say it
		number, _ := s.(syscall.Signal)
		os.Exit(ended + int(number))
	default:
	}
	return err
}

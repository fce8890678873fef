// Package watch follows a training log while the training run writes it, either to a file or to a tracker's folder. It
// serves each version of the log to the page.
package watch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"paretoplay/algo/runlog"
	"paretoplay/internal/atomicfile"
)

// Version is the log as it was last read.
type Version struct {
	Data    []byte      // the file, or a zip of the folder; nil if nothing has been read yet
	Log     *runlog.Log // parsed from Data
	Changed time.Time   // modification time of the file
	// Problem is the reason why the file cannot be read now, in which case Data is an earlier version. It is "" if
	// the file can be read.
	Problem string
	Tag     string // identifies the version: it changes with Data and Problem
}

// Follower checks a file twice a second and keeps the last version that is a valid log.
type Follower struct {
	path  string
	names []string
	every time.Duration // interval between two checks
	// rest is the time that a file must stay unchanged before it is read for the last time. Before that, a writer may
	// still be writing, and a file system with a coarse clock may not show a further change. If a file stays unreadable
	// for that time, the reason becomes the version's Problem.
	rest time.Duration

	mu    sync.Mutex
	now   Version
	moved chan struct{} // closed when now changes
	ended chan struct{} // closed when Run ends

	// Only Run uses the fields below.
	seen    trace
	since   time.Time // time of the last change of seen
	read    bool      // whether the file was read after it stayed unchanged for rest
	tried   string    // SHA-256 of the last bytes read
	failure error     // reason why these bytes are not a log
}

// New returns a follower for the log at path, which may be missing at first. Unless it is nil, names lists the losses
// in the order of the Gramian's rows, which some trackers do not store. New reads nothing; Run does.
func New(path string, names []string) *Follower {
	f := &Follower{path: path, names: names, every: 500 * time.Millisecond, rest: 2 * time.Second,
		moved: make(chan struct{}), ended: make(chan struct{})}
	f.now.Tag = tagOf(&f.now)
	return f
}

// Name returns the file's name without its folder.
func (f *Follower) Name() string { return filepath.Base(f.path) }

// Run follows the file until ctx ends. It must be called once.
func (f *Follower) Run(ctx context.Context) {
	defer close(f.ended)
	clock := time.NewTicker(f.every)
	defer clock.Stop()
	for {
		f.look(time.Now())
		select {
		case <-ctx.Done():
			return
		case <-clock.C:
		}
	}
}

// Next waits until the current version's tag differs from tag, or until ctx or Run ends. It returns the current
// version. If tag is "", it returns immediately.
func (f *Follower) Next(ctx context.Context, tag string) Version {
	for {
		f.mu.Lock()
		now, moved := f.now, f.moved
		f.mu.Unlock()
		if now.Tag != tag {
			return now
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return now
		case <-f.ended:
			return now
		}
	}
}

// look reads the file if it may have changed.
func (f *Follower) look(now time.Time) {
	seen, err := look(f.path)
	switch {
	case !seen.same(f.seen):
		f.seen, f.since, f.read = seen, now, false
	case f.read:
		return
	}
	rested := now.Sub(f.since) >= f.rest
	f.read = rested
	var data []byte
	if err == nil {
		data, err = f.bytes()
	}
	var log *runlog.Log
	if err == nil {
		sum := sum(data)
		if sum == f.tried {
			err = f.failure
		} else {
			log, err = runlog.ReadParts([]runlog.Part{{File: bytes.NewReader(data)}}, f.names, runlog.PageBytes)
			f.tried, f.failure = sum, err
		}
	}
	version := f.now // safe without a lock: only this function writes f.now
	switch {
	case err == nil && log != nil:
		version = Version{Data: data, Log: log, Changed: seen.changed}
	case err == nil:
		version.Problem = ""
	case rested || version.Data == nil && errors.Is(err, fs.ErrNotExist):
		version.Problem = reason(err, version.Data != nil)
	}
	f.publish(version)
}

// reason returns a text that explains why there is no log. If before is true, there was a log earlier.
func reason(err error, before bool) string {
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return atomicfile.Cause(err).Error()
	case before:
		return "the file has been removed"
	}
	return "the file does not exist yet"
}

// bytes returns the file's contents, or a zip of the folder.
func (f *Follower) bytes() ([]byte, error) {
	if f.seen.folder {
		return runlog.Pack(os.DirFS(f.path), runlog.PageBytes)
	}
	if f.seen.size > runlog.PageBytes {
		return nil, fmt.Errorf("it is larger than %d MB, the maximum that the page reads", runlog.PageBytes>>20)
	}
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, runlog.PageBytes+1)) // the file may grow while it is read
	return data, errors.Join(err, file.Close())
}

// publish makes v the current version if its data or problem differ from the current version's.
func (f *Follower) publish(v Version) {
	v.Tag = tagOf(&v)
	f.mu.Lock()
	defer f.mu.Unlock()
	if v.Tag == f.now.Tag {
		return
	}
	f.now = v
	close(f.moved)
	f.moved = make(chan struct{})
}

func tagOf(v *Version) string { return sum([]byte(sum(v.Data) + v.Problem))[:32] }

func sum(data []byte) string {
	of := sha256.Sum256(data)
	return hex.EncodeToString(of[:])
}

// trace contains the properties of a file or folder that reveal changes.
type trace struct {
	info    fs.FileInfo // nil if nothing exists at the path
	folder  bool
	size    int64
	changed time.Time // latest modification time
	entries int       // number of entries in a folder and its subfolders
}

// look returns the trace of the file or folder at path.
func look(path string) (trace, error) {
	info, err := os.Stat(path)
	if err != nil {
		return trace{}, err
	}
	t := trace{info: info, size: info.Size(), changed: info.ModTime()}
	if !info.IsDir() {
		if !info.Mode().IsRegular() {
			err = errors.New("it is neither a file nor a folder")
		}
		return t, err
	}
	t.folder, t.size, t.changed = true, 0, time.Time{}
	err = fs.WalkDir(os.DirFS(path), ".", func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		t.entries++
		if info.Mode().IsRegular() {
			t.size += info.Size()
			if info.ModTime().After(t.changed) {
				t.changed = info.ModTime()
			}
		}
		return nil
	})
	return t, err
}

func (t trace) same(other trace) bool {
	if t.info == nil || other.info == nil {
		return t.info == nil && other.info == nil
	}
	return os.SameFile(t.info, other.info) && t.size == other.size && t.changed.Equal(other.changed) && t.entries == other.entries
}

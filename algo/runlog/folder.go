package runlog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// mostEntries is how many files and folders of a tracker are looked through.
const mostEntries = 100_000

// readFolder reads a log from the folder of one run, as a tracker left it, which still has to be finished.
func readFolder(folder fs.FS, most int64) (*Log, error) {
	found, err := lookThrough(folder)
	if err != nil {
		return nil, err
	}
	switch kinds, list := found.kinds(); {
	case len(kinds) == 0:
		return nil, errors.New("it is a folder without files that a tracker wrote: TensorBoard's events.out.tfevents…")
	case len(kinds) > 1:
		return nil, fmt.Errorf("it is a folder with files of several trackers, %s; name one of them", strings.Join(kinds, ", "))
	case len(list) > 1:
		const few = 6
		more := ""
		if len(list) > few {
			more = ", …"
		}
		return nil, fmt.Errorf("it is a folder with several runs, %s%s; name one of them", strings.Join(list[:min(few, len(list))], ", "), more)
	}
	out := newScalars("TensorBoard", most)
	for _, name := range found.events {
		if err := out.readFile(folder, name, most, out.readEvents); err != nil {
			return nil, err
		}
	}
	return out.log()
}

// readFile opens a file of a folder for read.
func (s *scalars) readFile(folder fs.FS, name string, most int64, read func(r io.Reader, most int64) error) (err error) {
	f, err := folder.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := read(bufio.NewReaderSize(&bounded{r: f, left: most, most: most}, 1<<16), most); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// trackerFiles are files of trackers in a folder.
type trackerFiles struct {
	events []string // of TensorBoard, the older ones first
}

// lookThrough finds the files of trackers.
func lookThrough(folder fs.FS) (*trackerFiles, error) {
	out := &trackerFiles{}
	entries := 0
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if entries++; entries > mostEntries {
			return fmt.Errorf("it is a folder with more than %d files and folders; name the one of a run", mostEntries)
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if strings.Contains(path.Base(name), eventsMark) {
			out.events = append(out.events, name)
		}
		return nil
	})
	slices.SortStableFunc(out.events, func(a, b string) int { return int(eventsTime(a) - eventsTime(b)) })
	return out, err
}

// kinds returns the trackers whose files there are, and the folders of the last one's runs.
func (f *trackerFiles) kinds() (kinds, runs []string) {
	if len(f.events) > 0 {
		kinds = append(kinds, "TensorBoard")
		runs = folders(f.events)
	}
	return kinds, runs
}

// folders returns the folders of files, each once.
func folders(files []string) (out []string) {
	for _, name := range files {
		out = append(out, path.Dir(name))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// eventsMark is in the name of every event file, before the second in which it was begun.
const eventsMark = "tfevents"

// eventsTime returns the second in which an event file was begun.
func eventsTime(name string) int64 {
	_, after, _ := strings.Cut(path.Base(name), eventsMark+".")
	digits, _, _ := strings.Cut(after, ".")
	seconds, err := strconv.ParseInt(digits, 10, 48)
	if err != nil {
		return 0
	}
	return seconds
}

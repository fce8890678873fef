package runlog

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// maxEntries is the maximum number of files and folders to search.
const maxEntries = 100_000

// readFolder reads a log from the folder of one run, as a tracker wrote it. The caller must finish the log.
func readFolder(folder fs.FS, most int64) (*Log, error) {
	found, err := oneRun(folder)
	if err != nil {
		return nil, err
	}
	out := newScalars("TensorBoard", most)
	read := out.readEvents
	switch {
	case found.table != nil:
		var l *Log
		err := out.readFile(folder, found.table[0], most, func(r io.Reader, most int64) (err error) {
			l, err = readTable(r, most)
			return err
		})
		return l, err
	case found.wandb != nil:
		out.tracker, out.sorted, read = "W&B", true, out.readWandb
	case found.metrics != nil:
		out.tracker, out.sorted = "MLflow", true
	}
	for _, name := range slices.Concat(found.events, found.wandb, found.metrics) {
		if found.metrics != nil {
			read = func(r io.Reader, _ int64) error { return out.readMetric(metricName(name), r) }
		}
		if err := out.readFile(folder, name, most, read); err != nil {
			return nil, err
		}
	}
	return out.log()
}

// Pack returns a zip of the files in a tracker's folder that Read uses. Read accepts this zip in place of the folder.
// The argument most limits the size of the zip in bytes.
func Pack(folder fs.FS, most int64) ([]byte, error) {
	found, err := oneRun(folder)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range slices.Concat(found.events, found.wandb, found.metrics, found.table) {
		info, err := fs.Stat(folder, name)
		if err != nil {
			return nil, err
		}
		if int64(out.Len())+info.Size() > most {
			return nil, errTooLong(most)
		}
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, err
		}
		// Leave out the date, so that equal files give equal bytes.
		member, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = member.Write(data)
		}
		if err != nil {
			return nil, err
		}
	}
	err = archive.Close()
	return out.Bytes(), err
}

// oneRun finds the files of a folder that belongs to one tracker and one run. It returns an error for other folders.
func oneRun(folder fs.FS) (*trackerFiles, error) {
	found, err := lookThrough(folder)
	if err != nil {
		return nil, err
	}
	switch kinds, list := found.kinds(); {
	case len(kinds) == 0:
		return nil, errors.New("it is a folder without files of a tracker: TensorBoard's events.out.tfevents…, " +
			"W&B's .wandb, MLflow's metrics/gramian/0_0, or Lightning's metrics.csv")
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
	return found, nil
}

// readFile opens a file of a folder and passes it to read.
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

// trackerFiles lists the files of trackers in a folder.
type trackerFiles struct {
	events  []string // TensorBoard's, oldest first
	wandb   []string // sorted by name; the names of W&B's folders begin with the time
	metrics []string // MLflow's
	table   []string // Lightning's
}

// lookThrough searches a folder for files of trackers.
func lookThrough(folder fs.FS) (*trackerFiles, error) {
	out := &trackerFiles{}
	entries := 0
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if entries++; entries > maxEntries {
			return fmt.Errorf("it is a folder with more than %d files and folders; name the folder of one run", maxEntries)
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		switch base := path.Base(name); {
		case strings.Contains(base, eventsMark):
			out.events = append(out.events, name)
		case strings.HasSuffix(base, ".wandb"):
			out.wandb = append(out.wandb, name)
		case base == "metrics.csv":
			out.table = append(out.table, name)
		case metricName(name) != "":
			out.metrics = append(out.metrics, name)
		}
		return nil
	})
	slices.SortStableFunc(out.events, func(a, b string) int { return int(eventsTime(a) - eventsTime(b)) })
	return out, err
}

// kinds returns the trackers that have files in the folder, and the runs of the last of these trackers.
func (f *trackerFiles) kinds() (kinds, runs []string) {
	for _, k := range []struct {
		tracker string
		files   []string
		run     func(name string) string
	}{
		{"TensorBoard", f.events, path.Dir},
		{"W&B", f.wandb, path.Base}, // a resumed run has the same name in another folder
		{"MLflow", f.metrics, func(name string) string { return strings.TrimSuffix(name, metricName(name)) }}, {"Lightning", f.table, path.Dir},
	} {
		if len(k.files) > 0 {
			kinds, runs = append(kinds, k.tracker), each(k.files, k.run)
		}
	}
	return kinds, runs
}

// metricName returns the name of the numbers in an MLflow file, or "" if a log does not use them. The file's
// folders are part of the name.
func metricName(name string) string {
	for _, prefix := range []string{lossPrefix, gramianPrefix} {
		if strings.HasPrefix(name, prefix) {
			return name
		}
		if _, after, is := strings.Cut(name, "/"+prefix); is {
			return prefix + after
		}
	}
	return ""
}

// each calls the function run for every file, and returns the distinct results in sorted order.
func each(files []string, run func(name string) string) (out []string) {
	for _, name := range files {
		out = append(out, run(name))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// eventsMark is part of the name of every event file. The start time in seconds follows it.
const eventsMark = "tfevents"

// eventsTime returns the time, in seconds, at which an event file was started. It returns 0 if the file's name
// contains no time.
func eventsTime(name string) int64 {
	_, after, _ := strings.Cut(path.Base(name), eventsMark+".")
	digits, _, _ := strings.Cut(after, ".")
	seconds, err := strconv.ParseInt(digits, 10, 48)
	if err != nil {
		return 0
	}
	return seconds
}
